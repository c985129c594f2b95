//! The page and what it is made of, as they were when the program was built.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::reply;

/// A file that is part of the program.
#[derive(Clone, Copy)]
pub struct File {
    /// Where it is found.
    pub path: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

/// Files of the folder `page`, each with its path and its kind.
macro_rules! files {
    ($($path:literal $name:literal $kind:literal)*) => {
        &[$(File { path: $path, kind: $kind, bytes: include_bytes!(concat!("page/", $name)) }),*]
    };
}

/// All of them.
pub const FILES: &[File] = files! {
    "/" "index.html" "text/html; charset=utf-8"
    "/openapi.json" "openapi.json" "application/json"
};

/// Nothing comes from elsewhere, and nothing is allowed to.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

impl File {
    /// The file, unless the client has it already. A browser asks again each time, for the
    /// program may have been replaced by a newer one.
    pub fn answer(self, headers: &HeaderMap) -> Response {
        let tag = format!("\"{}\"", reply::digest(self.bytes));
        let tag = HeaderValue::from_str(&tag).expect("digits");
        let again = HeaderValue::from_static("no-cache");
        let kept = [(header::CACHE_CONTROL, again), (header::ETAG, tag.clone())];
        if reply::is_known(&tag, headers) {
            return (StatusCode::NOT_MODIFIED, kept).into_response();
        }
        let kind = [(header::CONTENT_TYPE, self.kind)];
        let policy = [(header::CONTENT_SECURITY_POLICY, POLICY)];
        (kind, policy, kept, self.bytes).into_response()
    }
}
