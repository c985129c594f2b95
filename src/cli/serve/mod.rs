//! `strong4 serve`: the solver as a page in the browser, and as an interface for programs.
//!
//! ```text
//!     connections    accepted and limited
//!         |
//!       access       names and origins that may ask
//!         |
//!       routes       one handler for each path: files of the page, questions, status
//!         |
//!       lanes        easy questions and hard ones, on a few threads each
//!         |
//!      Solver
//! ```
//!
//! Everything has a limit: connections, the size of a request, waiting questions, searching
//! threads, and the time for an answer.

mod access;
mod connections;
mod journal;
mod lanes;
mod query;
mod reply;
mod routes;
mod server;
mod site;
mod verb;

use std::fmt::Display;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::process;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use axum::http::HeaderValue;
use clap::Args;
use tokio::net::TcpListener;
use tokio::runtime;

use super::interrupt;
use super::output::say;
use super::threads;
use super::{Exit, Global};
use crate::cli::input::args::TablesArg;
use crate::cli::input::args::with_solver;
use crate::cli::output::numbers::duration;
use access::Access;
use connections::Ending;
use journal::{Journal, LogFormat};
use lanes::Lanes;
use routes::Routes;
use server::{Server, about};

const EXAMPLES: &str = "\
Examples:
  strong4 serve
  strong4 serve --tables tables/7x6 --listen 0.0.0.0:4444
  strong4 serve --log json --allow-origin https://example.org";

/// Serve a page to play and see the value of each move, and an interface for programs
///
/// Open the printed address in a browser. For programs, /api/analyze?moves=4453 returns what
/// 'strong4 query 4453 --json' prints; /openapi.json describes the interface. Programs that call
/// connect4.gamesolver.org find the same /solve?pos=4453 here.
///
/// Ctrl-C or SIGTERM finishes the answers in progress and exits; a second Ctrl-C exits at once.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Serve {
    #[command(flatten)]
    tables: TablesArg,
    /// Address and port to listen on. Only this machine reaches 127.0.0.1; others reach 0.0.0.0
    /// too; port 0 picks a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:4444")]
    listen: String,
    /// Time for an answer, such as 2s, 500ms or 1h; values still unknown are given as bounds
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5s",
        allow_hyphen_values = true)]
    limit: Duration,
    /// Answer requests to this host name too. Without it, a server on 127.0.0.1 only answers
    /// requests to localhost and to addresses
    #[arg(long, value_name = "NAME", value_parser = access::parse_host)]
    allow_host: Vec<String>,
    /// Allow requests from pages of this origin, such as https://example.org; * allows all
    #[arg(long, value_name = "ORIGIN", value_parser = access::parse_origin)]
    allow_origin: Vec<HeaderValue>,
    /// Serve the files of a page in this folder, such as 'make page' writes: it finds its answers
    /// itself, and the server answers no questions
    #[arg(long, value_name = "DIR", conflicts_with_all = ["board", "tables", "limit"])]
    page_only: Option<PathBuf>,
    /// Format of the log, one line per request
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    log: LogFormat,
}

impl Serve {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        if !SystemTime::now().duration_since(UNIX_EPOCH).is_ok_and(|since| since < LAST) {
            bail!("the clock is before 1970 or after 9999: set it, since replies carry the date");
        }
        if let Some(folder) = &self.page_only {
            let files = site::in_folder(folder)?;
            let routes = |access| Ok(routes::page_only(files, access));
            return self.start(0, &folder.display(), routes, global.quiet);
        }
        with_solver(&self.tables, global.quiet, |solver| {
            let threads = rayon::current_num_threads();
            let routes = |access| {
                let server = Server {
                    about: about(solver, self.limit)?,
                    board: solver.board(),
                    lanes: Arc::new(Lanes::new(solver, threads)),
                    limit: self.limit,
                };
                Ok(routes::questions(server, access))
            };
            self.start(Lanes::threads(threads), &solver.board(), routes, global.quiet)
        })
    }

    /// Starts the server, with this many threads for answers, and returns when it ends.
    fn start(
        &self,
        threads: usize,
        what: &dyn Display,
        routes: impl FnOnce(Access) -> anyhow::Result<Routes>,
        quiet: bool,
    ) -> anyhow::Result<Exit> {
        let for_connections = rayon::current_num_threads().min(MOST_THREADS_FOR_CONNECTIONS);
        threads::can_start(for_connections + threads + 1)?;
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(for_connections)
            .max_blocking_threads(threads.max(1))
            .thread_name("serve")
            .enable_all()
            .build()
            .context("cannot start threads")?;
        let exit = runtime.block_on(self.serve(what, routes, quiet));
        // Searches whose clients have gone are about to stop.
        runtime.shutdown_timeout(Duration::from_secs(1));
        exit
    }

    async fn serve(
        &self,
        what: &dyn Display,
        routes: impl FnOnce(Access) -> anyhow::Result<Routes>,
        quiet: bool,
    ) -> anyhow::Result<Exit> {
        let advice = "give another one with --listen, such as 127.0.0.1:0 for any free port";
        let listener = TcpListener::bind(&self.listen)
            .await
            .with_context(|| format!("cannot listen on {}; {advice}", self.listen))?;
        let address = listener.local_addr().context("cannot tell the address")?;
        let format = (!quiet).then_some(self.log);
        let journal = Journal::start(format).context("cannot start a thread")?;
        let (ending, announce) = Ending::on_signals().context("cannot listen to signals")?;
        interrupt::instead_of_stopping(announce);
        let access = Access::new(address, self.allow_host.clone(), self.allow_origin.clone());
        let routes = routes(access)?;
        if !quiet {
            let (at, who) = (reached_at(address), who(address));
            say(format_args!("serving {what} on http://{at}: {who}"));
        }
        let last = self.limit + Duration::from_secs(1);
        let exit = connections::serve(listener, routes, &journal, ending, last, quiet).await;
        if !journal.finish() {
            // Nobody reads standard error: writing more there would block forever.
            process::exit(exit as i32);
        }
        Ok(exit)
    }
}

/// A day before the end of the year 9999: the last date that replies can carry.
const LAST: Duration = Duration::from_secs(253_402_214_400);
/// Connections take little time compared with answers.
const MOST_THREADS_FOR_CONNECTIONS: usize = 4;

/// The address to type into a browser. `0.0.0.0` stands for all addresses of this machine; the one
/// that leads to the network is returned instead.
fn reached_at(address: SocketAddr) -> SocketAddr {
    if !address.ip().is_unspecified() {
        return address;
    }
    // Connecting sends nothing, but selects a local address. The targets are reserved for
    // documents.
    let (any, far) = match address {
        SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED.into(), Ipv4Addr::new(192, 0, 2, 1).into()),
        SocketAddr::V6(_) => {
            (Ipv6Addr::UNSPECIFIED.into(), Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into())
        }
    };
    let own = UdpSocket::bind(SocketAddr::new(any, 0)).and_then(|socket| {
        socket.connect(SocketAddr::new(far, 9))?;
        socket.local_addr()
    });
    own.map_or(address, |own| SocketAddr::new(own.ip(), address.port()))
}

/// Which machines reach this address.
fn who(address: SocketAddr) -> String {
    if address.ip().is_loopback() {
        let port = address.port();
        format!("from this machine only; --listen 0.0.0.0:{port} lets others in")
    } else {
        "from every machine that reaches this one, without a password".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hint_names_the_port_in_use_and_an_address_to_type() {
        let address = |text: &str| text.parse::<SocketAddr>().unwrap();
        let only = who(address("127.0.0.1:8080"));
        assert!(only.ends_with("--listen 0.0.0.0:8080 lets others in"), "{only}");
        assert!(who(address("0.0.0.0:8080")).starts_with("from every machine"));
        for text in ["127.0.0.1:8080", "192.168.1.5:80", "[::1]:4444"] {
            assert_eq!(reached_at(address(text)), address(text));
        }
        for text in ["0.0.0.0:8080", "[::]:8080"] {
            let reached = reached_at(address(text));
            assert_eq!(reached.port(), 8080);
            // A machine without a network has no other address.
            let alone = UdpSocket::bind(reached).is_err() || reached == address(text);
            assert!(alone || !reached.ip().is_unspecified(), "{reached}");
        }
    }
}
