//! What a position is worth, and each move from it.
//!
//! Three sources are asked in this order:
//!
//! ```text
//!     openings     the score of every position with few stones, built in
//!     tables       win, draw or loss of every position, if the folder is there
//!     search       everything, given time
//! ```
//!
//! If two of them exclude each other, the answer is a [`Contradiction`]: an error that names both.
//!
//! Tables of outcomes hold no distances. Those need a search, which the tables make short by
//! guiding it past all moves that do not keep the outcome.
//!
//! A search can be stopped, and a table only knows what it holds. So the result is a [`Value`]: a
//! score, or bounds on one, which nobody can mistake for a score. A [`Solver`](crate::Solver) gives
//! [`Answer`]s, and `Known` scores serve to check them. A [`Review`] looks at a game move by move,
//! and an [`Opponent`] plays one as well as its [`Level`] allows.

mod analysis;
mod answer;
mod finding;
mod guided;
mod level;
mod openings;
mod review;
pub(crate) mod session;
mod value;
pub(crate) mod words;

pub(crate) use answer::JsonInteger;
pub use answer::{Answer, Record, Source, Worth};
pub(crate) use answer::{Known, Tally};
pub use finding::{Claim, Contradiction, Origin, QueryError};
pub(crate) use level::best_at_a_glance;
pub use level::{Level, Opponent};
pub use openings::{Openings, OpeningsError};
pub use review::{Judgement, Review, ReviewRecord, Reviewed, ReviewedRecord};
pub use session::Question;
pub(crate) use session::{SEARCH_BYTES, Session};
pub use value::Value;
