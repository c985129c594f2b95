//! A program as a player: it reads a position from its standard input and prints a column.
//!
//! The program may do anything: hang, die, flood, fork, ignore signals, answer late, or close its
//! pipes; see [`running`]. After any trouble, the next question goes to a new process, so an answer
//! that comes late answers nothing.

#[cfg(unix)]
mod running;
#[cfg(not(unix))]
#[path = "not_here.rs"]
mod running;

use std::time::{Duration, Instant};

use super::agent::{Agent, Questions};
use super::answers::{Answers, Trouble};
use super::protocol::{Failed, Format, read_answer};
use crate::solver::SolverError;

pub use running::ProcessGroup;
use running::Running;

/// The time for a first answer, unless another is set.
const START_TIME: Duration = Duration::from_secs(30);
/// After how many troubles in a row a program is given up: one that has never answered, and others.
const PATIENCE: [u32; 2] = [3, 10];
/// How many troubles are remembered in words.
const REMARKS: usize = 5;

/// A program that answers questions. Only Unix has the pipes that this takes: elsewhere programs
/// cannot be started.
///
/// ```
/// use std::time::Duration;
/// use strong4::grade::{Exam, Format, Process};
/// use strong4::Batch;
///
/// let middle = "while read moves; do echo 4; done";
/// let mut process = Process::new(middle, Format::Moves, Duration::from_secs(5));
/// let exam = Exam::standard("hard").unwrap();
/// let marks = exam.grade("middle", &mut process, Batch::default())?.in_all();
/// assert_eq!(marks.perfect.of, 1000);
/// # Ok::<(), strong4::SolverError>(())
/// ```
#[derive(Debug)]
pub struct Process {
    command: String,
    format: Format,
    move_time: Duration,
    start_time: Duration,
    running: Option<Running>,
    group: ProcessGroup,
    /// Whether it has ever answered.
    answered: bool,
    /// Troubles since the last answer.
    in_a_row: u32,
    last_trouble: Option<Trouble>,
    remarks: Vec<String>,
    starts: u64,
}

impl Process {
    /// A program, as a line for the shell. It is started when it is asked.
    pub fn new(command: &str, format: Format, move_time: Duration) -> Process {
        Process {
            command: command.to_owned(),
            format,
            move_time,
            start_time: START_TIME,
            running: None,
            group: ProcessGroup::default(),
            answered: false,
            in_a_row: 0,
            last_trouble: None,
            remarks: Vec::new(),
            starts: 0,
        }
    }

    /// Sets the time for the first answer after a start, when programs have to load. It is 30
    /// seconds unless set; if the time for a move is longer, that counts instead.
    pub fn start_time(self, start_time: Duration) -> Process {
        Process { start_time, ..self }
    }

    /// A handle that ends the program from elsewhere.
    pub fn group(&self) -> ProcessGroup {
        self.group.clone()
    }

    /// The first troubles, in words.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// How many times the program was started.
    pub fn starts(&self) -> u64 {
        self.starts
    }

    /// Whether it has ever answered.
    pub fn has_answered(&self) -> bool {
        self.answered
    }

    /// Whether there were too many troubles in a row, after which it is not asked any more: further
    /// questions fail as the last one did.
    pub fn is_given_up(&self) -> bool {
        self.in_a_row >= PATIENCE[usize::from(self.answered)]
    }

    /// Asks one question. The time is that of the answer, unless the program had to start.
    fn ask(&mut self, question: &str) -> Result<(String, Option<Duration>), Failed> {
        // A program that answers once and ends is started for each question.
        for _ in 0..2 {
            let is_new = self.running.is_none();
            if is_new {
                self.starts += 1;
                self.running = Some(Running::start(&self.command, &self.group)?);
            }
            let running = self.running.as_mut().expect("it was just started");
            let start_time = if is_new { self.start_time } else { Duration::ZERO };
            let time = self.move_time.max(start_time);
            let start = Instant::now();
            match running.exchange(question.as_bytes(), start + time) {
                Ok(line) => return Ok((line, (!is_new).then(|| start.elapsed()))),
                Err(failed) if failed.trouble == Trouble::Crash && !is_new && failed.ended_well => {
                    self.running = None;
                }
                Err(failed) => return Err(failed),
            }
        }
        Err(Failed::new(Trouble::Crash, "ended without an answer"))
    }
}

impl Agent for Process {
    fn answer(&mut self, asked: Questions, answers: &mut Answers) -> Result<(), SolverError> {
        for (at, position) in asked.positions().iter().enumerate() {
            if let (true, Some(trouble)) = (self.is_given_up(), self.last_trouble) {
                answers.failed(at, trouble);
                continue;
            }
            let game = asked.game(at);
            let failed = match self.ask(&self.format.question(&game)) {
                Err(_) if self.group.is_ended() => return Err(SolverError::Stopped),
                Err(failed) => {
                    answers.failed(at, failed.trouble);
                    Some(failed)
                }
                Ok((line, time)) => {
                    read_answer(&line, position, at, answers);
                    time.into_iter().for_each(|time| answers.took(at, time.as_secs_f64()));
                    let is_nonsense = answers.choice(at, position) == Some(Err(Trouble::Nonsense));
                    is_nonsense.then(|| Failed::found("a column", line.as_bytes()))
                }
            };
            match failed {
                None => (self.answered, self.in_a_row) = (true, 0),
                Some(failed) => {
                    self.in_a_row += 1;
                    self.last_trouble = Some(failed.trouble);
                    if self.remarks.len() < REMARKS {
                        let after = if game.columns().is_empty() {
                            "on the empty board".to_owned()
                        } else {
                            format!("after {game}")
                        };
                        let words = self.running.as_ref().map(Running::last_words);
                        let words = words.filter(|words| !words.is_empty());
                        let words = words.map(|words| format!(": {words}")).unwrap_or_default();
                        let Failed { trouble, what, .. } = failed;
                        self.remarks.push(format!("{}, {after}: {what}{words}", trouble.name()));
                    }
                    self.running = None;
                }
            }
        }
        Ok(())
    }

    fn batch(&self) -> usize {
        1
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::board::{Board, Column, Moves};

    /// The program's own tests try all else that players may do.
    #[test]
    fn a_program_may_answer_once_and_end() {
        let games = ["", "4", "44"].map(|moves| Moves::parse(Board::STANDARD, moves).unwrap());
        let positions = games.each_ref().map(|game| *game.position());
        for command in ["read line; echo 4", "read line; printf 4"] {
            let mut process = Process::new(command, Format::Moves, Duration::from_secs(5));
            let mut answers = Answers::new(Board::STANDARD, games.len());
            let asked = Questions { positions: &positions, games: &games };
            process.answer(asked, &mut answers).unwrap();
            for (at, position) in positions.iter().enumerate() {
                assert_eq!(answers.choice(at, position), Some(Ok(Column(3))), "{command}");
            }
            assert_eq!((process.starts(), process.remarks().len()), (3, 0));
        }
    }
}
