//! How good a player is: exams with perfect marks.
//!
//! ```text
//!     Exam          positions, and the score of each move from them
//!       │
//!     Agent         any player: answers positions in batches
//!       │
//!     Answers       moves, probabilities or values; troubles; seconds
//!       │
//!     Report        marks of all positions and of groups, with 95 % intervals;
//!                   compared with the report of another player
//! ```
//!
//! [`Exam::standard`] has the built-in exams. [`play_games`] lets a player play whole games
//! instead, and grades the moves it makes on the way.

mod agent;
mod answers;
mod exam;
mod games;
mod making;
mod process;
mod protocol;
mod report;
mod statistics;

pub use agent::{Agent, Computer, Questions};
pub use answers::{Answers, Trouble};
pub use exam::{Exam, ExamError};
pub use games::{Games, PlayedGame, play_games};
pub use making::{ExamKind, MakingError};
pub use process::{Process, ProcessGroup};
pub use protocol::Format;
pub use report::{Calibration, Comparison, Group, Mark, Marks, Report};
pub use statistics::{Confidence, Gap, Mean, Share};
