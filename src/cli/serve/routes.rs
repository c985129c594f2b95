//! The paths, the files of the page, and the headers that all responses have in common.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};

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
        .route("/api/move", get(query::choose))
        .route("/api/review", get(query::review))
        .route("/solve", get(query::solve));
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

/// A file built into the program.
#[derive(Clone, Copy)]
struct File {
    /// Its path on the server.
    path: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

const MARKUP: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const PICTURE: &str = "image/svg+xml";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Files of the folder `page`, each with its path and content type.
macro_rules! files {
    ($($path:literal $name:literal $kind:expr;)*) => {
        &[$(File { path: $path, kind: $kind, bytes: include_bytes!(concat!("page/", $name)) }),*]
    };
}

/// All files.
const FILES: &[File] = files! {
    "/" "index.html" MARKUP;
    "/style.css" "style.css" STYLE;
    "/icon.svg" "icon.svg" PICTURE;
    "/analysis.js" "analysis.js" SCRIPT;
    "/board.js" "board.js" SCRIPT;
    "/game.js" "game.js" SCRIPT;
    "/keys.js" "keys.js" SCRIPT;
    "/line.js" "line.js" SCRIPT;
    "/main.js" "main.js" SCRIPT;
    "/moves.js" "moves.js" SCRIPT;
    "/opponent.js" "opponent.js" SCRIPT;
    "/review.js" "review.js" SCRIPT;
    "/rules.js" "rules.js" SCRIPT;
    "/settings.js" "settings.js" SCRIPT;
    "/setup.js" "setup.js" SCRIPT;
    "/source.js" "source.js" SCRIPT;
    "/trouble.js" "trouble.js" SCRIPT;
    "/values.js" "values.js" SCRIPT;
    "/words.js" "words.js" SCRIPT;
    "/openapi.json" "openapi.json" "application/json";
};

/// The page loads nothing from other hosts, and the browser makes sure of it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

impl File {
    /// The file, unless the client has it already. Browsers ask each time, since a newer version
    /// of the program may have replaced this one; except for pictures, or the icon would be asked
    /// for with every move, which changes the address.
    fn answer(self, headers: &HeaderMap) -> Response {
        let tag = format!("\"{}\"", reply::digest(self.bytes));
        let tag = HeaderValue::from_str(&tag).expect("digits");
        let again = if self.kind == PICTURE { "max-age=86400" } else { "no-cache" };
        let again = HeaderValue::from_static(again);
        let kept = [(header::CACHE_CONTROL, again), (header::ETAG, tag.clone())];
        if reply::is_known(&tag, headers) {
            return (StatusCode::NOT_MODIFIED, kept).into_response();
        }
        let kind = [(header::CONTENT_TYPE, self.kind)];
        let policy = [(header::CONTENT_SECURITY_POLICY, POLICY)];
        (kind, policy, kept, self.bytes).into_response()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::*;

    #[test]
    fn every_file_of_the_folder_is_served_under_its_name() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/cli/serve/page");
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let paths = names.map(|name| format!("/{}", name.into_string().unwrap()));
        let expected: BTreeSet<String> = paths.map(|path| path.replace("index.html", "")).collect();
        let served: BTreeSet<String> = FILES.iter().map(|file| file.path.to_owned()).collect();
        assert_eq!(served, expected);
    }
}
