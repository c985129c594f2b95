//! The paths, and the headers that all responses have in common.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::access::Access;
use super::reply::Failure;
use super::server::Server;
use super::site::File;
use super::verb::Verb;
use super::{query, reply, site};

/// Says that the server is there.
const HEALTH: &str = "/healthz";

/// What is answered: in general, and when there are too many connections.
pub(super) struct Routes {
    pub usual: Router,
    pub when_full: Router,
}

/// Questions, and the page that asks them.
pub(super) fn questions(server: Server, access: Access) -> Routes {
    let ask = |verb| {
        get(move |server, query, headers| query::one(verb, server, query, headers))
            .post(move |server, query, body| query::many(verb, server, query, body))
    };
    let router = Verb::ALL
        .into_iter()
        .fold(Router::new(), |router, verb| router.route(verb.path(), ask(verb)))
        // The name of `analyze` before version 0.3.
        .route("/api/query", ask(Verb::Analyze))
        .route("/api/watch", get(query::grow))
        .route("/api/move", get(query::choose))
        .route("/api/review", get(query::review))
        .route("/solve", get(query::solve));
    let status = Router::new().route("/api/status", get(about));
    let server = Arc::new(server);
    Routes::of(
        with_files(router, site::built_in()).merge(status.clone()).with_state(server.clone()),
        status.with_state(server),
        access,
    )
}

/// The files of a page that asks nothing.
pub(super) fn page_only(mut files: Vec<File>, access: Access) -> Routes {
    files.retain(|file| file.path != HEALTH);
    Routes::of(with_files(Router::new(), files), Router::new(), access)
}

fn with_files<S: Clone + Send + Sync + 'static>(router: Router<S>, files: Vec<File>) -> Router<S> {
    files.into_iter().fold(router, |router, file| {
        let path = file.path.clone();
        let file = Arc::new(file);
        router.route(&path, get(async move |headers: HeaderMap| file.answer(&headers)))
    })
}

impl Routes {
    fn of(usual: Router, when_full: Router, access: Access) -> Routes {
        let access = Arc::new(access);
        let framed = |router: Router| {
            router
                .route(HEALTH, get(async || "ok\n"))
                .method_not_allowed_fallback(not_like_this)
                .layer(middleware::from_fn_with_state(access.clone(), frame))
        };
        Routes {
            usual: framed(usual.fallback(nothing_there)),
            when_full: framed(when_full.fallback(async || Failure::full())),
        }
    }
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

/// Refuses requests that are not allowed, and adds the headers of every response: that its type
/// must not be guessed, and which origins may read it.
async fn frame(State(access): State<Arc<Access>>, request: Request, next: Next) -> Response {
    let asks_first = request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let (allowed, mut response) = match access.check(&request) {
        Err(failure) => (None, failure.into_response()),
        Ok(Some(origin)) if asks_first => (Some(origin), StatusCode::NO_CONTENT.into_response()),
        Ok(allowed) => (allowed, next.run(request).await),
    };
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if !access.is_shared() {
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
