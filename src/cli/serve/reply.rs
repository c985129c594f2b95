//! Responses: content types, lines of JSON, tags, and why a request failed.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, IF_NONE_MATCH, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::cli::output::{json, record};

/// A header.
pub(super) type Header = (HeaderName, HeaderValue);

/// One JSON object.
pub(super) const JSON: Header = (CONTENT_TYPE, HeaderValue::from_static("application/json"));
/// One JSON object per line.
pub(super) const LINES: Header = (CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson"));
/// The answer may change.
pub(super) const NO_STORE: Header = (CACHE_CONTROL, HeaderValue::from_static("no-store"));
/// The answer never changes, as long as the server stays on this board.
pub(super) const LASTING: Header =
    (CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"));

/// A record as the command line prints it.
pub(super) fn line(record: &impl Serialize) -> String {
    json(record) + "\n"
}

/// A response with the line of a record that may change.
pub(super) fn unstored(line: String) -> Response {
    ([JSON, NO_STORE], line).into_response()
}

/// A short digest of some bytes.
pub(super) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes)[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether the client has the version with this tag.
pub(super) fn is_known(tag: &HeaderValue, headers: &HeaderMap) -> bool {
    let strong = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let wanted = tag.to_str().map(strong);
    let known = headers.get_all(IF_NONE_MATCH).iter().filter_map(|tags| tags.to_str().ok());
    let mut known = known.flat_map(|tags| tags.split(','));
    wanted.is_ok_and(|wanted| known.any(|tag| tag.trim() == "*" || strong(tag) == wanted))
}

/// A request that failed.
#[derive(Debug)]
pub(super) struct Failure {
    status: StatusCode,
    reason: String,
}

impl Failure {
    /// A failure with this status.
    pub(super) fn new(status: StatusCode, reason: impl Into<String>) -> Failure {
        Failure { status, reason: reason.into() }
    }

    /// The client sent something wrong.
    pub(super) fn bad(reason: impl Into<String>) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, reason)
    }

    /// Too many requests are waiting.
    pub(super) fn busy() -> Failure {
        let reason = "too many questions are waiting: ask again in a second";
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, reason)
    }

    /// Too many connections are open.
    pub(super) fn full() -> Failure {
        let reason = "too many connections: try again in a second";
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, reason)
    }

    /// The time was over before the answer was known.
    pub(super) fn unfinished() -> Failure {
        let reason = "the answer was not found in time: ask again, or start the server with a longer \
            --limit or with tables";
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, reason)
    }

    /// Something is wrong on the server: a table, or the program.
    pub(super) fn fault(reason: impl Into<String>) -> Failure {
        Failure::new(StatusCode::INTERNAL_SERVER_ERROR, reason)
    }

    /// The status.
    #[cfg(test)]
    pub(super) fn status(&self) -> StatusCode {
        self.status
    }

    /// The message.
    pub(super) fn reason(&self) -> &str {
        &self.reason
    }

    /// The failure as a line of JSON.
    pub(super) fn line(&self) -> String {
        line(&record! { error: &self.reason })
    }
}

/// The message that the command line prints about the same input.
impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        Failure::bad(format!("{error:#}"))
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = (self.status, unstored(self.line())).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_has_what_one_of_its_tags_names() {
        let has = |tags: &str, tag: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(IF_NONE_MATCH, HeaderValue::from_str(tags).unwrap());
            is_known(&HeaderValue::from_str(tag).unwrap(), &headers)
        };
        for tags in ["\"1\"", "W/\"1\"", "*", "\"0\", W/\"1\"", "\"0\",\"1\""] {
            assert!(has(tags, "W/\"1\"") && has(tags, "\"1\""), "{tags}");
        }
        assert!(!has("\"0\"", "\"1\"") && !has("", "\"1\"") && !has("1", "\"1\""));
    }
}
