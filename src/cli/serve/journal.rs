//! Logs each request as a line on standard error.
//!
//! A thread of its own writes the lines. If nobody reads standard error, lines are lost, and no
//! answer waits for them.

use std::fmt;
use std::io::{self, Write};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::body::{Body, Bytes};
use axum::http::{Method, StatusCode, Uri};
use axum::response::Response;
use clap::ValueEnum;
use http_body_util::BodyExt;
use humantime::{Rfc3339Timestamp, format_rfc3339_millis};
use hyper::body::Frame;

use super::reply;
use crate::cli::output::{on_one_line, record};

/// The most lines that wait to be written.
const WAITING: usize = 4096;

/// The format of the lines: for people, or for programs.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LogFormat {
    Text,
    Json,
}

/// The thread that writes, and its input.
pub(super) struct Journal {
    entries: Entries,
    writer: JoinHandle<()>,
}

/// The input of a journal.
#[derive(Clone)]
pub(super) struct Entries {
    /// `None` if nothing is written.
    format: Option<LogFormat>,
    sender: SyncSender<String>,
    lost: Arc<AtomicU64>,
}

impl Journal {
    /// Starts the thread.
    pub(super) fn start(format: Option<LogFormat>) -> io::Result<Journal> {
        let (sender, lines) = sync_channel(WAITING);
        let entries = Entries { format, sender, lost: Arc::default() };
        let lost = entries.lost.clone();
        let writer = thread::Builder::new().spawn(move || write(&lines, &lost))?;
        Ok(Journal { entries, writer })
    }

    /// The input of a journal.
    pub(super) fn entries(&self) -> Entries {
        self.entries.clone()
    }

    /// Waits until all lines are written. Later lines are lost.
    /// False if nobody reads them.
    pub(super) fn finish(self) -> bool {
        let Journal { entries, writer } = self;
        drop(entries);
        // If nobody reads standard error, this would take for ever.
        let end = Instant::now() + Duration::from_secs(1);
        while !writer.is_finished() && Instant::now() < end {
            thread::sleep(Duration::from_millis(5));
        }
        writer.is_finished()
    }
}

fn write(lines: &Receiver<String>, lost: &AtomicU64) {
    for line in lines {
        let _ = io::stderr().write_all(line.as_bytes());
        let lost = lost.swap(0, Relaxed);
        if lost > 0 {
            let _ = writeln!(io::stderr(), "strong4: {lost} lines were lost here");
        }
    }
}

impl Entries {
    fn write(&self, line: String) {
        if self.sender.try_send(line).is_err() {
            self.lost.fetch_add(1, Relaxed);
        }
    }

    /// Writes a remark of the program.
    pub(super) fn say(&self, remark: fmt::Arguments) {
        self.write(format!("strong4: {}\n", on_one_line(remark)));
    }

    /// Logs a connection that broke.
    pub(super) fn broken(&self, peer: IpAddr, reason: &dyn fmt::Display) {
        let (time, error) = (now(), on_one_line(reason));
        self.write(match self.format {
            None => return,
            Some(LogFormat::Text) => format!("{time} {peer} {error}\n"),
            Some(LogFormat::Json) => reply::line(&record! { time: time.to_string(), peer, error }),
        });
    }

    /// Begins an entry about a request.
    pub(super) fn request(&self, peer: IpAddr, method: Method, uri: Uri) -> Entry {
        let start = Instant::now();
        Entry { entries: self.clone(), peer, method, uri, status: None, bytes: 0, start }
    }
}

/// An entry about a request. It is written once the last byte is sent, or the client has gone.
pub(super) struct Entry {
    entries: Entries,
    peer: IpAddr,
    method: Method,
    uri: Uri,
    status: Option<StatusCode>,
    bytes: u64,
    start: Instant,
}

impl Entry {
    /// Ties the entry to the response: it is written when the response is dropped.
    pub(super) fn with(mut self, response: Response) -> Response {
        self.status = Some(response.status());
        let count = move |frame: Frame<Bytes>| {
            let entry = &mut self;
            entry.bytes += frame.data_ref().map_or(0, |data| data.len() as u64);
            frame
        };
        response.map(|body| Body::new(body.map_frame(count)))
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let Entry { peer, status, bytes, .. } = *self;
        let (time, method, took) = (now(), self.method.as_str(), self.start.elapsed());
        let micros = took.as_micros() as u64;
        // None if the client left before there was an answer.
        let status = status.map(|status| status.as_u16());
        let uri = in_ascii(&self.uri);
        let line = match self.entries.format {
            None => return,
            Some(LogFormat::Text) => {
                let status = status.map_or("gone".to_owned(), |status| status.to_string());
                let millis = took.as_secs_f64() * 1e3;
                format!("{time} {peer} {method} {uri} {status} {bytes} bytes {millis:.1} ms\n")
            }
            Some(LogFormat::Json) => {
                let time = time.to_string();
                reply::line(&record! { time, peer, method, uri, status, bytes, micros })
            }
        };
        self.entries.write(line);
    }
}

/// This moment, as in `2026-11-22T15:04:05.678Z`; a clock before 1970 shows its beginning.
fn now() -> Rfc3339Timestamp {
    format_rfc3339_millis(SystemTime::now().max(UNIX_EPOCH))
}

/// A target with everything but printable ASCII escaped, so that it can neither begin a line nor
/// turn the direction of one.
fn in_ascii(uri: &Uri) -> String {
    let mut text = String::new();
    for byte in uri.to_string().bytes() {
        match byte {
            b'!'..=b'~' => text.push(byte.into()),
            _ => text += &format!("%{byte:02X}"),
        }
    }
    text
}
