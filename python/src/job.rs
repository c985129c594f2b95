//! Work that Ctrl-C stops.
//!
//! The work runs on a thread of a pool, without the GIL. The thread that asked for it wakes up
//! every few milliseconds, takes the GIL, and lets Python handle its signals. If a handler
//! raises, as the one for Ctrl-C does, the work is told to stop.
//!
//! The pool belongs to this process: threads do not survive a fork, so a child makes its own.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{process, thread};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use strong4::progress::Progress;

/// How long a signal waits at most before Python hears of it.
const WAKE_UP: Duration = Duration::from_millis(20);

/// What a job and the thread that waits for it tell each other.
#[derive(Default)]
pub struct Job {
    /// Says that the job should end.
    pub stop: AtomicBool,
    done: AtomicU64,
}

impl Progress for Job {
    fn advance(&self, done: u64, _total: u64) {
        self.done.fetch_max(done, Relaxed);
    }
}

/// Runs `work` without the GIL and returns its result, or the exception that a signal handler
/// or `listen` raised meanwhile. `listen` is told from time to time how much is done.
pub fn run<R: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Job) -> R + Send,
    listen: impl Fn(Python<'_>, u64) -> PyResult<()> + Sync,
) -> PyResult<R> {
    let pool = pool()?;
    let job = Job::default();
    let told = &job;
    let raised = py.detach(|| {
        let (sender, receiver) = mpsc::channel();
        pool.in_place_scope(|scope| {
            // The receiver outlives the scope, so that sending cannot fail.
            scope.spawn(move |_| drop(sender.send(work(told))));
            loop {
                match receiver.recv_timeout(WAKE_UP) {
                    Err(RecvTimeoutError::Timeout) => {}
                    Ok(result) => return Ok(Some(result)),
                    // The work panicked; the scope passes that on.
                    Err(RecvTimeoutError::Disconnected) => return Ok(None),
                }
                let heard = Python::try_attach(|py| {
                    py.check_signals()?;
                    listen(py, told.done.load(Relaxed))
                });
                // Python is ending, and has no use for this thread any more.
                let Some(heard) = heard else { park() };
                if let Err(raised) = heard {
                    told.stop.store(true, Relaxed);
                    return Err(raised);
                }
            }
        })
    });
    let result = raised?.ok_or_else(|| PyRuntimeError::new_err("the work has no result"))?;
    py.check_signals()?;
    listen(py, job.done.load(Relaxed))?;
    Ok(result)
}

/// Waits for the end of the process.
fn park() -> ! {
    loop {
        thread::park();
    }
}

/// The threads of this process.
fn pool() -> PyResult<Arc<ThreadPool>> {
    static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    match &*pool {
        Some((owner, pool)) if *owner == process::id() => Ok(pool.clone()),
        _ => {
            let new = ThreadPoolBuilder::new().thread_name(|at| format!("strong4-{at}")).build();
            let new = new.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
            let new = Arc::new(new);
            // The threads of a pool from before a fork are not here to be waited for.
            std::mem::forget(pool.replace((process::id(), new.clone())));
            Ok(new)
        }
    }
}
