//! Search: the score of a single position by alpha-beta, its outcome by proof numbers.
//!
//! ```text
//!     score                   what is asked, and what it may cost
//!     shape                   a board as masks
//!     zobrist -> table        what is known of positions met before
//!     pairing, order          what can be said of a position at sight
//!     alphabeta               whether the score is above a bound
//!     solver                  the score, by asking that a few times, on one thread or several
//!     proof                   who wins, by proof numbers: a second opinion
//! ```
//!
//! Nothing here reads a table of solved tiers, so the search is an independent check on those.

mod alphabeta;
mod order;
mod pairing;
mod proof;
mod score;
mod shape;
mod solver;
mod table;
pub(crate) mod zobrist;

pub use proof::ProofSearch;
pub use score::{Between, Limit, Plies, Score};
pub use solver::Search;
pub(crate) use solver::next_question;
