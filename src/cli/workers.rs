//! What threads work with, used again and again, so that what one has learnt is there for its
//! next work.

use std::sync::{Mutex, PoisonError};

/// As many as work at the same time; each is made when it is first needed.
pub struct Workers<W, F> {
    make: F,
    idle: Mutex<Vec<W>>,
}

impl<W: Send, F: Fn() -> W + Sync> Workers<W, F> {
    /// None yet; `make` makes one.
    pub fn new(make: F) -> Workers<W, F> {
        Workers { make, idle: Mutex::default() }
    }

    /// Does something with one of them, on this thread.
    pub fn alone<R>(&self, work: impl FnOnce(&mut W) -> R) -> R {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = idle().pop();
        let mut worker = worker.unwrap_or_else(&self.make);
        let result = work(&mut worker);
        idle().push(worker);
        result
    }

    /// All that have been made.
    pub fn into_inner(self) -> Vec<W> {
        self.idle.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
