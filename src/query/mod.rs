//! Ask it anything: what a position is worth, and each move from it.
//!
//! Three sources know something, and are asked in this order:
//!
//! ```text
//!     openings     the score of every position with few stones, built in
//!     tables       win, draw or loss of every position, if the folder is there
//!     search       everything, in its own time
//! ```
//!
//! Where two of them exclude each other, the answer is a [`Contradiction`]: an error that
//! names both.
//!
//! Tables tell no distances. Those take a search, and tables make it short: it is
//! guided past all moves that do not keep the outcome.
//!
//! A search can be stopped, and tables can be asked for no more than they know.
//! So what comes back is a [`Value`]: a score, or bounds on one, and nobody can
//! take the second for the first. [`Expert`] gives [`Answer`]s; [`Known`]
//! scores are there to hold them against. A [`Review`] looks at a game move by move, and
//! an [`Opponent`] plays one as well as its [`Level`] allows.

mod answer;
mod answering;
mod contradiction;
mod expert;
mod finding;
mod guide;
mod guided;
mod known;
mod level;
mod line;
mod openings;
mod record;
mod review;
mod until;
mod value;

pub use answer::{Answer, Source};
pub use contradiction::{Claim, Contradiction, Origin, QueryError};
pub use expert::{Expert, Question};
pub use known::{Known, KnownError, Tally};
pub use level::{Level, LevelError, Opponent};
pub use openings::{Openings, OpeningsError};
pub use record::{Record, Worth};
pub use review::{Judgement, Review, Reviewed};
pub use value::Value;
