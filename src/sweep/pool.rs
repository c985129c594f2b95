//! Memory that is reused from one piece of work to the next.

use std::sync::Mutex;

/// Things that are lent out one at a time, and made when none is free.
pub(super) struct Pool<T>(Mutex<Vec<T>>);

impl<T> Default for Pool<T> {
    fn default() -> Pool<T> {
        Pool(Mutex::new(Vec::new()))
    }
}

impl<T: Default> Pool<T> {
    /// Calls `work` with a thing that nobody else uses meanwhile.
    pub fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let mut thing = self.take();
        let done = work(&mut thing);
        self.give_back(thing);
        done
    }

    /// Lends a thing to somebody who will give it back.
    pub fn take(&self) -> T {
        self.lock().pop().unwrap_or_default()
    }

    /// Takes a thing back.
    pub fn give_back(&self, thing: T) {
        self.lock().push(thing);
    }

    /// Frees what is not lent out.
    pub fn clear(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<T>> {
        // Nothing panics while it is locked.
        self.0.lock().expect("no thread has panicked")
    }
}
