//! Accepts connections, limits their number and their time, and drains them at the end.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulConnection, GracefulShutdown};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use super::ending::Ending;
use super::journal::{Entries, Journal};
use super::patience::Patient;
use super::routes::routes;
use super::server::Server;
use crate::cli::Exit;

/// The most connections at a time. Most systems allow a program 1,024 open files, and tables
/// need some of them.
const MOST: usize = 512;
/// The longest time for the head of a request, and for an idle connection.
const TO_ASK: Duration = Duration::from_secs(15);
/// The longest time that a client may refuse to read.
const TO_LISTEN: Duration = Duration::from_secs(15);
/// The most bytes in the head of a request.
const HEAD: usize = 16 << 10;
/// The most headers in a request.
const MOST_HEADERS: usize = 64;

/// Sent to a client when there are too many connections.
const FULL_HOUSE: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\n\
    connection: close\r\ncontent-type: application/json\r\ncontent-length: 56\r\n\r\n\
    {\"error\":\"too many connections: try again in a second\"}\n";

/// Answers requests until the server is told to end. Then it finishes the answers in progress,
/// but waits for them no longer than `last`.
pub async fn serve(
    listener: TcpListener,
    server: Server,
    journal: &Journal,
    mut ending: Ending,
    last: Duration,
    quiet: bool,
) -> Exit {
    let (router, entries) = (routes(server), journal.entries());
    let (rooms, open) = (Arc::new(Semaphore::new(MOST)), GracefulShutdown::new());
    let exit = loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            exit = ending.begun() => break exit,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            // Either there are no more files, or the client has gone: later ones may succeed.
            Err(error) => {
                entries.say(format_args!("cannot accept a connection: {error}"));
                sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let Ok(room) = rooms.clone().try_acquire_owned() else {
            turn_away(&stream, peer, &entries);
            continue;
        };
        let connection = open.watch(connection(stream, peer, router.clone(), entries.clone()));
        let entries = entries.clone();
        tokio::spawn(async move {
            match connection.await {
                Err(error) if !error.is_timeout() => entries.broken(peer.ip(), &error),
                // An idle connection times out: nothing is wrong.
                _ => {}
            }
            drop(room);
        });
    };
    drop(listener);
    if !quiet {
        entries.say(format_args!("finishing the answers in progress"));
    }
    if timeout(last, open.shutdown()).await.is_err() && !quiet {
        entries.say(format_args!("some clients are cut off: they neither finished nor left"));
    }
    exit
}

/// Serves HTTP on a connection.
fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    entries: Entries,
) -> impl GracefulConnection<Error = hyper::Error> {
    // Answers are small: none should wait until more bytes fill a packet.
    let _ = stream.set_nodelay(true);
    let router = TowerToHyperService::new(router);
    let patient = TokioIo::new(Patient::new(stream, TO_LISTEN));
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(TO_ASK)
        .max_buf_size(HEAD)
        .max_headers(MOST_HEADERS)
        .serve_connection(
            patient,
            service_fn(move |request: Request<Incoming>| {
                let entry =
                    entries.request(peer.ip(), request.method().clone(), request.uri().clone());
                let answer = router.call(request.map(Body::new));
                async move { answer.await.map(|response| entry.with(response)) }
            }),
        )
}

/// Refuses a connection. A client that is still sending may miss the reason.
fn turn_away(stream: &TcpStream, peer: SocketAddr, entries: &Entries) {
    let _ = stream.try_write(FULL_HOUSE);
    entries.broken(peer.ip(), &"turned away: too many connections");
}
