//! Boards that are too large, and for what.

use crate::board::Board;
use crate::memory::Bytes;

/// Why a board is too large for what was asked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BoardTooLarge {
    /// A column so tall that its states are not listed.
    #[error("a column of {board} has more than {limit} states, too many to list")]
    Column {
        /// The board.
        board: Board,
        /// The most states that are listed.
        limit: usize,
    },
    /// An index with a list that takes too much memory or time.
    #[error("the index of {board} has too many {list} {found}, but the limit is {limit}")]
    Index {
        /// The board.
        board: Board,
        /// What is listed, and whether `found` is all of it.
        list: &'static str,
        /// The length of the list, or the length reached when counting stopped.
        found: u64,
        /// The longest list that is supported.
        limit: u64,
    },
    /// Sides with more states than fit into memory.
    #[error(
        "{board} has {found} states of a side of {columns} columns, but at most {limit} can be \
         counted"
    )]
    Count {
        /// The board.
        board: Board,
        /// Columns of the side.
        columns: usize,
        /// The number of its states.
        found: u128,
        /// The most that can be counted.
        limit: u128,
    },
    /// More of something than can be sorted by move order.
    #[error("{board} has {found} {list}, but at most {limit} can be sorted by move order")]
    Order {
        /// The board.
        board: Board,
        /// What would be sorted.
        list: String,
        /// How many of them there are.
        found: u128,
        /// The most that can be sorted.
        limit: u128,
    },
    /// Less memory than the work takes.
    #[error(
        "{work} takes about {} of memory, but only {} are available",
        Bytes(*.needed), Bytes(*.available)
    )]
    Memory {
        /// What takes it: "counting 8x7".
        work: String,
        /// Bytes that it takes.
        needed: u64,
        /// Bytes that are available.
        available: u64,
    },
}
