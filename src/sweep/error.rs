//! Why a sweep could not start.

use crate::order::OrderError;

use super::kept::KeptError;

/// Why a sweep could not start.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// A board with too many sides to sort them by move order.
    #[error(transparent)]
    Orders(#[from] OrderError),
    /// The tier to start from can not be read.
    #[error(transparent)]
    Kept(#[from] KeptError),
}

impl SweepError {
    /// What can go wrong where nothing is read.
    pub(crate) fn in_memory(self) -> OrderError {
        match self {
            SweepError::Orders(error) => error,
            SweepError::Kept(error) => unreachable!("nothing is read: {error}"),
        }
    }
}
