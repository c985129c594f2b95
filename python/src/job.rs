//! Work that Ctrl-C can stop.
//!
//! The work runs on a thread of a pool, without the GIL. The calling thread wakes up
//! every few milliseconds, takes the GIL, and lets Python handle its signals. If a handler
//! raises, as the one for Ctrl-C does, the work is stopped.
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

/// The longest time before Python learns of a signal.
const WAKE_UP: Duration = Duration::from_millis(20);

/// Messages between a job and the thread that waits for it.
#[derive(Default)]
pub struct Job {
    /// Asks the job to end.
    pub stop: AtomicBool,
    done: AtomicU64,
}

impl Progress for Job {
    fn advance(&self, done: u64, _total: u64) {
        self.done.fetch_max(done, Relaxed);
    }
}

/// Runs `work` without the GIL and returns its result, or the exception that a signal handler
/// or `listen` raised meanwhile. `listen` regularly gets the amount of work done.
pub fn run<R: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Job) -> R + Send,
    listen: impl Fn(Python<'_>, u64) -> PyResult<()> + Sync,
) -> PyResult<R> {
    run_until(py, work, listen, || ())
}

/// The same, but `end` is called when the work is stopped: it may wait for something outside.
pub fn run_until<R: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Job) -> R + Send,
    listen: impl Fn(Python<'_>, u64) -> PyResult<()> + Sync,
    end: impl Fn() + Sync,
) -> PyResult<R> {
    let pool = pool()?;
    let job = Job::default();
    let shared = &job;
    let raised = py.detach(|| {
        let (sender, receiver) = mpsc::channel();
        pool.in_place_scope(|scope| {
            // The receiver outlives the scope, so sending cannot fail.
            scope.spawn(move |_| drop(sender.send(work(shared))));
            loop {
                match receiver.recv_timeout(WAKE_UP) {
                    Err(RecvTimeoutError::Timeout) => {}
                    Ok(result) => return Ok(Some(result)),
                    // The work panicked; the scope propagates that.
                    Err(RecvTimeoutError::Disconnected) => return Ok(None),
                }
                let heard = Python::try_attach(|py| {
                    py.check_signals()?;
                    listen(py, shared.done.load(Relaxed))
                });
                // Python is ending, and has no use for this thread any more.
                let Some(heard) = heard else { park() };
                if let Err(raised) = heard {
                    shared.stop.store(true, Relaxed);
                    end();
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
            // Threads of a pool from before a fork do not exist here, so they cannot be joined.
            std::mem::forget(pool.replace((process::id(), new.clone())));
            Ok(new)
        }
    }
}
