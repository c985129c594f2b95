//! In place of `running` on systems without its pipes: no program can be started.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use crate::grade::protocol::Failed;

/// The processes of a program: none.
#[derive(Clone, Debug, Default)]
pub struct ProcessGroup(Arc<AtomicBool>);

impl ProcessGroup {
    /// A question that is asked from now on ends with [`Stopped`](crate::SolverError::Stopped).
    pub fn end(&self) {
        self.0.store(true, Relaxed);
    }

    pub(super) fn is_ended(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// No program runs.
#[derive(Debug)]
pub(super) enum Running {}

impl Running {
    pub(super) fn start(_command: &str, _group: &ProcessGroup) -> io::Result<Running> {
        Err(io::Error::other("on this system programs cannot be graded, only levels of strong4"))
    }

    pub(super) fn exchange(
        &mut self,
        _question: &[u8],
        _deadline: Instant,
    ) -> Result<String, Failed> {
        match *self {}
    }

    pub(super) fn last_words(&self) -> String {
        match *self {}
    }
}
