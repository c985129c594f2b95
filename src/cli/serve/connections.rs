//! Accepts connections, limits their number and their time, and drains them at the end.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
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
use tokio::sync::{Semaphore, watch};
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use super::journal::{Entries, Journal};
use super::routes::Routes;
use crate::cli::Exit;

/// The most connections at a time. Most systems allow a program 1,024 open files, and tables
/// need some of them.
const MOST: usize = 640;
/// Further connections, which are only told how the server is.
const RESERVE: usize = 32;
/// The most connections of an address, where others than this machine reach the server.
const MOST_OF_AN_ADDRESS: usize = 64;
/// The longest time for the head of a request, and for an idle connection.
const TO_ASK: Duration = Duration::from_secs(15);
/// The same in the reserve.
const TO_ASK_BRIEFLY: Duration = Duration::from_secs(2);
/// The longest time that a client may refuse to read.
const TO_LISTEN: Duration = Duration::from_secs(15);
/// The most bytes in the head of a request.
const HEAD: usize = 16 << 10;
/// The most headers in a request.
const MOST_HEADERS: usize = 64;

/// Sent to a client that has too many connections.
const TOO_MANY: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\n\
    connection: close\r\ncontent-type: application/json\r\ncontent-length: 56\r\n\r\n\
    {\"error\":\"too many connections: try again in a second\"}\n";

/// Waits for the end, which comes with an exit code.
#[derive(Clone)]
pub(super) struct Ending(watch::Receiver<Option<Exit>>);

impl Ending {
    /// Ends on SIGTERM. The function that is returned ends the server too; call it on Ctrl-C.
    pub(super) fn on_signals() -> io::Result<(Ending, impl FnOnce() + Send + 'static)> {
        let (sender, receiver) = watch::channel(None);
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            let (mut terminate, sender) = (signal(SignalKind::terminate())?, sender.clone());
            tokio::spawn(async move {
                terminate.recv().await;
                sender.send_replace(Some(Exit::Fine));
            });
        }
        let interrupted = move || {
            sender.send_replace(Some(Exit::Stopped));
        };
        Ok((Ending(receiver), interrupted))
    }

    /// Waits until it is time to end.
    pub(super) async fn begun(&mut self) -> Exit {
        match self.0.wait_for(Option::is_some).await {
            Ok(exit) => exit.expect("waited for"),
            // No sender remains, so the signal will never come.
            Err(_) => std::future::pending().await,
        }
    }
}

/// Answers requests until the server has to end. Then it finishes the answers in progress,
/// but waits for them no longer than `last`.
pub(super) async fn serve(
    listener: TcpListener,
    Routes { usual, when_full }: Routes,
    journal: &Journal,
    mut ending: Ending,
    last: Duration,
    quiet: bool,
) -> Exit {
    let entries = journal.entries();
    let (places, open) = (Arc::new(Semaphore::new(MOST)), GracefulShutdown::new());
    let is_public = !listener.local_addr().is_ok_and(|address| address.ip().is_loopback());
    let crowd = Crowd::new(if is_public { MOST_OF_AN_ADDRESS } else { usize::MAX });
    let mut reserve = Reserve::default();
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
        let Some(counted) = crowd.count(peer.ip()) else {
            turn_away(&stream, peer, &entries);
            continue;
        };
        let place = places.clone().try_acquire_owned().ok();
        let (is_full, entries) = (place.is_none(), entries.clone());
        let connection = if is_full {
            connection(stream, peer, when_full.clone(), entries.clone(), TO_ASK_BRIEFLY, false)
        } else {
            connection(stream, peer, usual.clone(), entries.clone(), TO_ASK, true)
        };
        let (connection, log) = (open.watch(connection), entries.clone());
        let task = tokio::spawn(async move {
            match connection.await {
                Err(error) if !error.is_timeout() => log.broken(peer.ip(), &error),
                // An idle connection times out: nothing is wrong.
                _ => {}
            }
            drop((place, counted));
        });
        if is_full {
            reserve.add(peer, task.abort_handle(), &entries);
        }
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

/// Serves HTTP on a connection: one request only, unless it is to be kept.
fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    entries: Entries,
    to_ask: Duration,
    keep: bool,
) -> impl GracefulConnection<Error = hyper::Error> {
    // Answers are small: none should wait until more bytes fill a packet.
    let _ = stream.set_nodelay(true);
    let router = TowerToHyperService::new(router);
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(to_ask)
        .keep_alive(keep)
        .max_buf_size(HEAD)
        .max_headers(MOST_HEADERS)
        .serve_connection(
            TokioIo::new(patient(stream, TO_LISTEN)),
            service_fn(move |request: Request<Incoming>| {
                let entry =
                    entries.request(peer.ip(), request.method().clone(), request.uri().clone());
                let answer = router.call(request.map(Body::new));
                async move { answer.await.map(|response| entry.with(response)) }
            }),
        )
}

/// A connection that gives up on a client that does not read at least a little in this time.
/// Reading has other limits: one for the head of a request, and one for its body.
fn patient(stream: TcpStream, longest: Duration) -> Pin<Box<TimeoutStream<TcpStream>>> {
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(longest));
    Box::pin(stream)
}

/// Refuses a connection. A client that is still sending may miss the reason.
fn turn_away(stream: &TcpStream, peer: SocketAddr, entries: &Entries) {
    let _ = stream.try_write(TOO_MANY);
    entries.broken(peer.ip(), &AWAY);
}

const AWAY: &str = "turned away: too many connections";

/// The connections in the reserve, oldest first. A new one takes the place of the oldest, so that
/// clients that say nothing never keep it from others.
#[derive(Default)]
struct Reserve(VecDeque<(SocketAddr, AbortHandle)>);

impl Reserve {
    fn add(&mut self, peer: SocketAddr, task: AbortHandle, entries: &Entries) {
        self.0.retain(|(_, task)| !task.is_finished());
        if self.0.len() == RESERVE
            && let Some((peer, oldest)) = self.0.pop_front()
        {
            oldest.abort();
            entries.broken(peer.ip(), &AWAY);
        }
        self.0.push_back((peer, task));
    }
}

/// Counts the connections of each address.
#[derive(Clone)]
struct Crowd {
    most: usize,
    of: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// A connection of an address, until this is dropped.
struct Counted {
    crowd: Crowd,
    network: IpAddr,
}

impl Crowd {
    fn new(most: usize) -> Crowd {
        Crowd { most, of: Arc::default() }
    }

    /// Counts a connection, unless its address has too many.
    fn count(&self, address: IpAddr) -> Option<Counted> {
        let network = network(address);
        let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        let count = of.entry(network).or_default();
        if *count == self.most {
            return None;
        }
        *count += 1;
        Some(Counted { crowd: self.clone(), network })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut of = self.crowd.of.lock().unwrap_or_else(PoisonError::into_inner);
        if let Entry::Occupied(mut count) = of.entry(self.network) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }
}

/// What counts as one address: of IPv6, the network of a customer.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncWriteExt;

    #[test]
    fn an_address_has_a_few_connections_and_a_network_counts_as_one() {
        let crowd = Crowd::new(2);
        let count = |address: &str| crowd.count(address.parse().unwrap());
        let (one, other) = (count("10.0.0.1"), count("::ffff:10.0.0.1"));
        assert!(one.is_some() && other.is_some() && count("10.0.0.1").is_none());
        assert!(count("10.0.0.2").is_some());
        drop(one);
        assert!(count("10.0.0.1").is_some());
        let kept = (count("2001:db8::1"), count("2001:db8::2"));
        assert!(count("2001:db8::3").is_none() && count("2001:db8:0:1::3").is_some());
        drop((kept, other));
        assert!(crowd.of.lock().unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_client_that_reads_nothing_is_given_up() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        let mut patient = patient(stream, Duration::from_millis(50));
        let error = patient.write_all(&vec![0; 64 << 20]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(client);
    }
}
