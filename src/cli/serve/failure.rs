//! Why a request gets no answer: a status, and the words of the command line as JSON.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::reply;

/// A request without an answer.
#[derive(Debug)]
pub struct Failure {
    status: StatusCode,
    reason: String,
}

#[derive(Serialize)]
struct Record<'a> {
    error: &'a str,
}

impl Failure {
    /// With any status.
    pub fn new(status: StatusCode, reason: impl Into<String>) -> Failure {
        Failure { status, reason: reason.into() }
    }

    /// The request makes no sense.
    pub fn bad(reason: impl Into<String>) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, reason)
    }

    /// Too many questions wait already.
    pub fn busy() -> Failure {
        let reason = "too many questions are waiting: ask again in a second";
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, reason)
    }

    /// Something is wrong on this side: a table, or the program.
    pub fn fault(reason: impl Into<String>) -> Failure {
        Failure::new(StatusCode::INTERNAL_SERVER_ERROR, reason)
    }

    /// The words.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// As a line of JSON.
    pub fn line(&self) -> String {
        reply::line(&self.record())
    }

    fn record(&self) -> Record<'_> {
        Record { error: &self.reason }
    }
}

/// What the command line would print, on a question that is at fault itself.
impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        Failure::bad(format!("{error:#}"))
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = (self.status, reply::record(&self.record())).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}
