//! A line about each request, on standard error.
//!
//! Lines go through a thread of their own: where nobody reads standard error, lines are lost,
//! and no answer waits for them.

use std::fmt;
use std::io::{self, Write};
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::task::{Context, Poll};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::body::{Body, Bytes};
use axum::http::{Method, StatusCode, Uri};
use axum::response::Response;
use http_body::{Frame, SizeHint};
use serde::Serialize;

use super::reply;

/// Lines that wait to be written.
const WAITING: usize = 4096;

/// How lines look.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Nothing is written.
    Silent,
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// Where lines go.
pub struct Journal {
    entries: Entries,
    writer: Option<JoinHandle<()>>,
}

/// The end that lines go in at.
#[derive(Clone)]
pub struct Entries {
    style: Style,
    sender: Option<SyncSender<String>>,
    lost: Arc<AtomicU64>,
}

impl Journal {
    /// Begins to write.
    pub fn start(style: Style) -> Journal {
        let lost = Arc::default();
        if style == Style::Silent {
            return Journal { entries: Entries { style, sender: None, lost }, writer: None };
        }
        let (sender, lines) = sync_channel(WAITING);
        let entries = Entries { style, sender: Some(sender), lost };
        let lost = entries.lost.clone();
        Journal { entries, writer: Some(thread::spawn(move || write(&lines, &lost))) }
    }

    /// The end that lines go in at.
    pub fn entries(&self) -> Entries {
        self.entries.clone()
    }

    /// Writes what waits. Lines of requests that end later are lost.
    pub fn finish(self) {
        let Journal { entries, writer } = self;
        drop(entries);
        // Where nobody reads, the last lines would wait for ever.
        let end = Instant::now() + Duration::from_secs(1);
        if let Some(writer) = writer {
            while !writer.is_finished() && Instant::now() < end {
                thread::sleep(Duration::from_millis(5));
            }
        }
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
        if self.sender.as_ref().is_some_and(|sender| sender.try_send(line).is_err()) {
            self.lost.fetch_add(1, Relaxed);
        }
    }

    /// A connection that ended without a request.
    pub fn broken(&self, peer: IpAddr, reason: &dyn fmt::Display) {
        let (time, error) = (Utc::now(), reason.to_string());
        self.write(match self.style {
            Style::Silent => return,
            Style::Text => format!("{time} {peer} {error}\n"),
            Style::Json => reply::line(&Broken { time: time.to_string(), peer, error }),
        });
    }

    /// A request whose answer begins, or will never begin.
    pub fn request(&self, peer: IpAddr, method: Method, uri: Uri) -> Entry {
        let start = Instant::now();
        Entry { entries: self.clone(), peer, method, uri, status: None, bytes: 0, start }
    }
}

#[derive(Serialize)]
struct Broken {
    time: String,
    peer: IpAddr,
    error: String,
}

/// What there is to say of a request. It is written when the last byte has gone, or when the
/// client has.
pub struct Entry {
    entries: Entries,
    peer: IpAddr,
    method: Method,
    uri: Uri,
    status: Option<StatusCode>,
    bytes: u64,
    start: Instant,
}

#[derive(Serialize)]
struct Record<'a> {
    time: String,
    peer: IpAddr,
    method: &'a str,
    uri: String,
    /// Null if the client left before there was an answer.
    status: Option<u16>,
    bytes: u64,
    micros: u64,
}

impl Entry {
    /// The answer, which takes the entry with it.
    pub fn with(mut self, response: Response) -> Response {
        self.status = Some(response.status());
        response.map(|body| Body::new(Noted { body, entry: self }))
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let Entry { peer, status, bytes, .. } = *self;
        let (time, method, took) = (Utc::now(), self.method.as_str(), self.start.elapsed());
        let micros = took.as_micros() as u64;
        let line = match self.entries.style {
            Style::Silent => return,
            Style::Text => {
                let status = status.map_or("gone".to_owned(), |status| status.as_u16().to_string());
                let (uri, millis) = (&self.uri, took.as_secs_f64() * 1e3);
                format!("{time} {peer} {method} {uri} {status} {bytes} bytes {millis:.1} ms\n")
            }
            Style::Json => {
                let (uri, status) = (self.uri.to_string(), status.map(|status| status.as_u16()));
                reply::line(&Record {
                    time: time.to_string(),
                    peer,
                    method,
                    uri,
                    status,
                    bytes,
                    micros,
                })
            }
        };
        self.entries.write(line);
    }
}

/// A body whose bytes are counted.
struct Noted {
    body: Body,
    entry: Entry,
}

impl http_body::Body for Noted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &frame {
            self.entry.bytes += frame.data_ref().map_or(0, |data| data.len() as u64);
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A moment, written as `2026-11-22T15:04:05.678Z`.
struct Utc(Duration);

impl Utc {
    fn now() -> Utc {
        Utc(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
    }
}

impl fmt::Display for Utc {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (seconds, millis) = (self.0.as_secs(), self.0.subsec_millis());
        let (days, of_day) = (seconds / 86_400, seconds % 86_400);
        let (year, month, day) = date(days);
        let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
    }
}

/// The date of a day since 1970. Years begin in March here, so that a leap day is the last one.
fn date(days: u64) -> (u64, u64, u64) {
    const DAYS_OF_ERA: u64 = 400 * 365 + 97;
    let days = days + 719_468; // From 1 March of the year 0.
    let (era, day) = (days / DAYS_OF_ERA, days % DAYS_OF_ERA);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (400 * era + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_as_dates() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_827_696, "2000-02-29T12:34:56.000Z"),
            (1_709_251_199, "2024-02-29T23:59:59.000Z"),
            (4_107_542_400, "2100-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(Utc(Duration::from_secs(seconds)).to_string(), text);
        }
        // Every day has the date that follows the one before.
        let mut before = (1970, 1, 1);
        for days in 1..60_000 {
            let (year, month, day) = date(days);
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let lengths = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            let (_, last_month, last_day) = before;
            let next = match before {
                (y, 12, 31) => (y + 1, 1, 1),
                (y, m, d) if d == lengths[m as usize - 1] => (y, m + 1, 1),
                (y, m, d) => (y, m, d + 1),
            };
            assert_eq!((year, month, day), next, "after {last_month}-{last_day}");
            before = next;
        }
    }
}
