//! The threads of the program: how many, and what is said if they cannot be started.

use std::error::Error;
use std::thread;

use anyhow::anyhow;

/// What to do if threads cannot be started.
const ADVICE: &str =
    "take fewer with --threads, or raise the limits shown by 'ulimit -u' and 'ulimit -v'";

/// Starts the threads that all work is shared among. Without a number, `RAYON_NUM_THREADS` says how
/// many, or there is one per core.
pub(super) fn start(wanted: Option<usize>) -> anyhow::Result<()> {
    let wanted = wanted.map_or_else(number_in_environment, |n| Ok(Some(n)))?;
    // The library's own default.
    let number = wanted.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(number);
    pool.build_global().map_err(|error| failed(number, &error))
}

/// Fails unless this many more threads can be started, all at once.
#[cfg(feature = "serve")]
pub(super) fn can_start(number: usize) -> anyhow::Result<()> {
    use std::sync::{Mutex, mpsc};

    let (sender, over) = mpsc::channel::<()>();
    let over = &Mutex::new(over);
    thread::scope(|scope| {
        // Each waits until the sender is dropped.
        let wait = || _ = over.lock().map(|over| over.recv());
        let start = |_| thread::Builder::new().spawn_scoped(scope, wait).map(|_| ());
        let started: std::io::Result<()> = (0..number).try_for_each(start);
        drop(sender);
        started
    })
    .map_err(|error| failed(number, &error))
}

fn failed(number: usize, error: &dyn Error) -> anyhow::Error {
    anyhow!("cannot start {number} threads: {error}; {ADVICE}")
}

/// The value of `RAYON_NUM_THREADS`; none if it is unset, empty or 0.
fn number_in_environment() -> anyhow::Result<Option<usize>> {
    const NAME: &str = "RAYON_NUM_THREADS";
    let said = std::env::var_os(NAME).unwrap_or_default();
    match said.to_string_lossy().as_ref() {
        "" | "0" => Ok(None),
        text => number(text).map(Some).map_err(|error| anyhow!("{NAME}: {error}")),
    }
}

/// Reads a number of threads.
pub(super) fn number(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=MAX_THREADS).contains(number));
    number.ok_or_else(|| {
        format!(
            "'{text}' is not a number of threads: expected a whole number from 1 to {MAX_THREADS}"
        )
    })
}

const MAX_THREADS: usize = 1024;
