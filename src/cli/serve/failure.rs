//! Why a request failed: a status, and the message of the command line as JSON.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::reply;

/// A request that failed.
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
    /// A failure with this status.
    pub fn new(status: StatusCode, reason: impl Into<String>) -> Failure {
        Failure { status, reason: reason.into() }
    }

    /// The client sent something wrong.
    pub fn bad(reason: impl Into<String>) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, reason)
    }

    /// Too many requests are waiting.
    pub fn busy() -> Failure {
        let reason = "too many questions are waiting: ask again in a second";
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, reason)
    }

    /// Too many connections are open.
    pub fn full() -> Failure {
        let reason = "too many connections: try again in a second";
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, reason)
    }

    /// Something is wrong on the server: a table, or the program.
    pub fn fault(reason: impl Into<String>) -> Failure {
        Failure::new(StatusCode::INTERNAL_SERVER_ERROR, reason)
    }

    /// The status.
    #[cfg(test)]
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The message.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The failure as a line of JSON.
    pub fn line(&self) -> String {
        reply::line(&self.record())
    }

    fn record(&self) -> Record<'_> {
        Record { error: &self.reason }
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
        let mut response = (self.status, reply::record(&self.record())).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}
