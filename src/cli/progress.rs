//! Progress of a long job, on standard error: a bar on a terminal, a plain line
//! every few seconds elsewhere. Nothing in the first second, so that short jobs
//! stay silent.
//!
//! The job only stores two numbers. A thread of its own wakes up to draw them,
//! so a job that is slow to report still shows that it is alive.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use strong4::progress::Progress;

use super::output::say;

const SILENCE: Duration = Duration::from_secs(1);
const BETWEEN_LINES: Duration = Duration::from_secs(5);
const BETWEEN_FRAMES: Duration = Duration::from_millis(100);

/// Shows the progress of one job, until it is dropped.
pub struct Meter {
    parts: Arc<Parts>,
    /// Dropping the sender tells the thread to stop.
    running: Option<(Sender<()>, JoinHandle<()>)>,
}

#[derive(Default)]
struct Parts {
    done: AtomicU64,
    total: AtomicU64,
}

impl Meter {
    /// Starts to watch a job; `what` says what it does: "counting 7x6".
    pub fn start(what: String, quiet: bool) -> Meter {
        let parts = Arc::new(Parts::default());
        let running = (!quiet).then(|| {
            let (sender, stop) = mpsc::channel();
            let parts = Arc::clone(&parts);
            (sender, thread::spawn(move || watch(&what, &parts, &stop)))
        });
        Meter { parts, running }
    }
}

impl Parts {
    fn read(&self) -> (u64, u64) {
        (self.done.load(Relaxed), self.total.load(Relaxed))
    }
}

impl Progress for Meter {
    fn advance(&self, done: u64, total: u64) {
        self.parts.done.store(done, Relaxed);
        self.parts.total.store(total, Relaxed);
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.running.take() {
            drop(sender);
            let _ = thread.join();
        }
    }
}

fn watch(what: &str, parts: &Parts, stop: &Receiver<()>) {
    let start = Instant::now();
    let stopped_within = |pause| stop.recv_timeout(pause) != Err(RecvTimeoutError::Timeout);
    if stopped_within(SILENCE) {
        return;
    }
    if io::stderr().is_terminal() {
        let style = "{msg} {wide_bar} {percent} % {elapsed}";
        let style = ProgressStyle::with_template(style).expect("a template of ours");
        let bar = ProgressBar::new(0).with_style(style).with_message(what.to_owned());
        let bar = bar.with_elapsed(start.elapsed());
        loop {
            let (done, total) = parts.read();
            bar.update(|state| {
                state.set_len(total);
                state.set_pos(done);
            });
            if stopped_within(BETWEEN_FRAMES) {
                return bar.finish_and_clear();
            }
        }
    }
    loop {
        let (done, total) = parts.read();
        let (percent, seconds) = (100 * done / total.max(1), start.elapsed().as_secs());
        say(format_args!("{what}: {percent} % after {seconds} s"));
        if stopped_within(BETWEEN_LINES) {
            return;
        }
    }
}
