//! The paths, and the headers that all responses have in common.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};

use super::page::FILES;
use super::reply::Failure;
use super::server::Server;
use super::{query, reply};

/// All paths.
pub fn routes(server: Arc<Server>) -> Router {
    let analyze = || get(query::one).post(query::many);
    let mut router = always()
        .route("/api/analyze", analyze())
        // Its name before version 0.3.
        .route("/api/query", analyze())
        .route("/api/watch", get(query::grow))
        .route("/api/move", get(query::choose));
    for file in FILES {
        let answer: MethodRouter<Arc<Server>> =
            get(async move |headers: HeaderMap| file.answer(&headers));
        router = router.route(file.path, answer);
    }
    framed(router.fallback(nothing_there), server)
}

/// The paths that are answered when there are too many connections.
pub fn routes_when_full(server: Arc<Server>) -> Router {
    framed(always().fallback(async || Failure::full()), server)
}

fn always() -> Router<Arc<Server>> {
    Router::new().route("/api/status", get(about)).route("/healthz", get(async || "ok\n"))
}

fn framed(router: Router<Arc<Server>>, server: Arc<Server>) -> Router {
    router
        .method_not_allowed_fallback(not_like_this)
        .layer(middleware::from_fn_with_state(server.clone(), frame))
        .with_state(server)
}

async fn about(State(server): State<Arc<Server>>) -> Response {
    reply::unstored(server.about.clone())
}

async fn nothing_there(uri: Uri) -> Failure {
    let reason = format!("there is no {}: /openapi.json says what there is", uri.path());
    Failure::new(StatusCode::NOT_FOUND, reason)
}

async fn not_like_this(method: Method, uri: Uri) -> Failure {
    let reason = format!("{} does not take {method}", uri.path());
    Failure::new(StatusCode::METHOD_NOT_ALLOWED, reason)
}

/// Refuses those who may not ask, and adds the headers of every response: its type is not to be
/// guessed, and which origins may read it.
async fn frame(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let asks_first = request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let (allowed, mut response) = match server.access.check(&request) {
        Err(failure) => (None, failure.into_response()),
        Ok(Some(origin)) if asks_first => (Some(origin), StatusCode::NO_CONTENT.into_response()),
        Ok(allowed) => (allowed, next.run(request).await),
    };
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if !server.access.is_shared() {
        return response;
    }
    headers.append(header::VARY, HeaderValue::from_static("origin"));
    if let Some(origin) = allowed {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        let exposed = HeaderValue::from_static("etag, retry-after");
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
        if asks_first {
            for (name, value) in [
                (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST"),
                (header::ACCESS_CONTROL_ALLOW_HEADERS, "content-type, if-none-match"),
                (header::ACCESS_CONTROL_MAX_AGE, "86400"),
            ] {
                headers.insert(name, HeaderValue::from_static(value));
            }
        }
    }
    response
}
