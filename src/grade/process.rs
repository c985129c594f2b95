//! A program as a player: it reads a position from its standard input and prints a column.
//!
//! The program may do anything: hang, die, flood, fork, ignore signals, answer late, or close its
//! pipes. So all of its pipes are read and written without blocking, by one thread that waits for
//! whatever happens first:
//!
//! ```text
//!     question ──► standard input  ┐
//!     answer   ◄── standard output ┼── poll, until the deadline
//!     last words ◄ standard error  ┘
//! ```
//!
//! At most one line of output and the end of the errors are kept. The program and its children are a
//! process group, which is killed as a whole. After any trouble, the next question goes to a new
//! process, so an answer that comes late answers nothing.

use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::agent::{Agent, Questions};
use super::answers::{Answers, Trouble};
use super::protocol::{Format, read_answer};
use crate::solver::SolverError;

/// The longest answer.
const LONGEST: usize = 4096;
/// How much is remembered of what a program wrote to standard error.
const LAST_WORDS: usize = 1024;
/// The time for a first answer, unless another is set.
const START_TIME: Duration = Duration::from_secs(30);
/// The time that a program has to end once its input is closed.
const END_TIME: Duration = Duration::from_millis(300);
/// How many troubles in a row are too many: for a program that has never answered, and for others.
const PATIENCE: [u32; 2] = [3, 10];
/// How many troubles are remembered in words.
const REMARKS: usize = 5;

/// A program that answers questions.
///
/// ```
/// use std::time::Duration;
/// use strong4::grade::{Exam, Format, Process};
/// use strong4::solver::Batch;
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

    /// The time for the first answer after a start, because programs have to load, if it is longer
    /// than that for a move; otherwise 30 seconds.
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

/// Why there was no answer.
#[derive(Debug)]
struct Failed {
    trouble: Trouble,
    what: String,
    /// Whether the program ended by itself, with success, and said nothing.
    ended_well: bool,
}

impl Failed {
    fn new(trouble: Trouble, what: &str) -> Failed {
        Failed { trouble, what: what.to_owned(), ended_well: false }
    }

    fn found(expected: &str, found: &[u8]) -> Failed {
        let found = String::from_utf8_lossy(&found[..found.len().min(200)]);
        let found: String = found.chars().take(60).collect();
        let what = format!("expected {expected}, found '{}'", found.escape_debug());
        Failed::new(Trouble::Nonsense, &what)
    }
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Failed {
        Failed::new(Trouble::Crash, &format!("{error}"))
    }
}

/// The processes of a program, to end them all when nobody wants an answer any more.
#[derive(Clone, Debug, Default)]
pub struct ProcessGroup(Arc<Mutex<Group>>);

#[derive(Debug, Default)]
struct Group {
    leader: Option<Pid>,
    ended: bool,
}

impl ProcessGroup {
    /// Kills the program and its children, and lets no other start. A question that waits for its
    /// answer ends with [`SolverError::Stopped`].
    pub fn end(&self) {
        let mut group = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        group.ended = true;
        kill(group.leader.take());
    }

    fn is_ended(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).ended
    }

    /// Starts a program, unless the end has come.
    fn start(&self, command: &mut Command) -> io::Result<Child> {
        let mut group = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if group.ended {
            return Err(io::Error::other("it was ended"));
        }
        let child = command.process_group(0).spawn()?;
        group.leader = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        Ok(child)
    }

    /// Kills the program and its children, and waits until the program is gone.
    fn kill(&self, child: &mut Child) {
        let mut group = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The number is only free for others once the program has been waited for.
        kill(group.leader.take());
        let _ = child.kill();
        let _ = child.wait();
    }
}

fn kill(leader: Option<Pid>) {
    if let Some(leader) = leader {
        let _ = kill_process_group(leader, Signal::KILL);
    }
}

/// A running program.
#[derive(Debug)]
struct Running {
    child: Child,
    group: ProcessGroup,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    /// `None` once it is closed.
    stderr: Option<ChildStderr>,
    /// What was written to standard error last.
    words: Vec<u8>,
}

impl Running {
    fn start(command: &str, group: &ProcessGroup) -> io::Result<Running> {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]);
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = group.start(&mut shell)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            unreachable!("all three are pipes");
        };
        let (stdin, stderr) = (Some(stdin), Some(stderr));
        let running = Running { child, group: group.clone(), stdin, stdout, stderr, words: vec![] };
        rustix::io::ioctl_fionbio(&running.stdout, true)?;
        running.stdin.iter().try_for_each(|pipe| rustix::io::ioctl_fionbio(pipe, true))?;
        running.stderr.iter().try_for_each(|pipe| rustix::io::ioctl_fionbio(pipe, true))?;
        Ok(running)
    }

    /// Writes a question and reads a line.
    fn exchange(&mut self, mut question: &[u8], deadline: Instant) -> Result<String, Failed> {
        self.expect_silence()?;
        let mut line = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Failed::new(Trouble::Timeout, "no answer in time"));
            }
            let [readable, errors, writable] = self.wait(!question.is_empty(), left)?;
            if errors {
                self.listen();
            }
            if readable && self.read_line(&mut line)? {
                return Ok(String::from_utf8_lossy(&line).into_owned());
            }
            if writable && let Some(stdin) = &mut self.stdin {
                match stdin.write(question) {
                    Ok(written) => question = &question[written..],
                    Err(error) if is_for_later(&error) => {}
                    Err(_) if !line.is_empty() => {}
                    Err(_) => return Err(self.ended("closed its input")),
                }
            }
        }
    }

    /// Reads what there is of a line. Whether that is all of it.
    fn read_line(&mut self, line: &mut Vec<u8>) -> Result<bool, Failed> {
        let mut bytes = [0; LONGEST];
        let read = match self.stdout.read(&mut bytes) {
            Ok(0) if line.is_empty() => return Err(self.ended("closed its output")),
            // The last line may lack its end.
            Ok(0) => return Ok(true),
            Ok(read) => read,
            Err(error) if is_for_later(&error) => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        let bytes = &bytes[..read];
        let end = bytes.iter().position(|byte| *byte == b'\n');
        line.extend(&bytes[..end.unwrap_or(read)]);
        match end {
            _ if line.len() > LONGEST => Err(Failed::new(Trouble::Flood, "output without end")),
            None => Ok(false),
            Some(end) if end + 1 == read => Ok(true),
            // What follows the line would be taken for the next answer.
            Some(_) if read == LONGEST => Err(Failed::new(Trouble::Flood, "output without end")),
            Some(end) => {
                line.extend(&bytes[end..]);
                Err(Failed::found("one line", line))
            }
        }
    }

    /// An error if anything was said that nobody asked for.
    fn expect_silence(&mut self) -> Result<(), Failed> {
        let mut bytes = [0; LONGEST];
        match self.stdout.read(&mut bytes) {
            Ok(0) => Err(self.ended("closed its output")),
            Ok(LONGEST) => Err(Failed::new(Trouble::Flood, "output without end")),
            Ok(read) => Err(Failed::found("one line", &bytes[..read])),
            Err(error) if is_for_later(&error) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Waits for any of: output, errors, and room for input.
    fn wait(&self, writing: bool, time: Duration) -> io::Result<[bool; 3]> {
        let mut polled = vec![PollFd::new(&self.stdout, PollFlags::IN)];
        let errors_at = self.stderr.as_ref().map(|stderr| {
            polled.push(PollFd::new(stderr, PollFlags::IN));
            polled.len() - 1
        });
        let input_at = self.stdin.as_ref().filter(|_| writing).map(|stdin| {
            polled.push(PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::OUT));
            polled.len() - 1
        });
        let time = Timespec::try_from(time).unwrap_or(Timespec { tv_sec: 1, tv_nsec: 0 });
        match poll(&mut polled, Some(&time)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let is_ready = |at: Option<usize>| at.is_some_and(|at| !polled[at].revents().is_empty());
        Ok([Some(0), errors_at, input_at].map(is_ready))
    }

    /// Reads some of what was written to standard error, and keeps its end.
    fn listen(&mut self) {
        let Some(stderr) = &mut self.stderr else { return };
        let mut bytes = [0; LONGEST];
        match stderr.read(&mut bytes) {
            Ok(0) => self.stderr = None,
            Ok(read) => {
                self.words.extend(&bytes[..read]);
                let beyond = self.words.len().saturating_sub(LAST_WORDS);
                self.words.drain(..beyond);
            }
            Err(error) if is_for_later(&error) => {}
            Err(_) => self.stderr = None,
        }
    }

    /// The last line that was written to standard error.
    fn last_words(&self) -> String {
        let text = String::from_utf8_lossy(&self.words);
        let line = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        line.trim().chars().take(200).collect()
    }

    /// The program has closed a pipe, probably because it has ended.
    fn ended(&mut self, otherwise: &str) -> Failed {
        let how = self.end();
        // Its last words may still be in the pipe.
        self.listen();
        let what = match how {
            None => otherwise.to_owned(),
            Some(0) => "ended without an answer".to_owned(),
            Some(127) => "cannot be started".to_owned(),
            Some(code) => format!("ended with exit code {code}"),
        };
        Failed { ended_well: how == Some(0), ..Failed::new(Trouble::Crash, &what) }
    }

    /// Waits a moment for the program to end, and returns its exit code. It is not reaped, so its
    /// number still is its own.
    fn end(&self) -> Option<i32> {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).ok()?)?;
        let until = Instant::now() + END_TIME;
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        loop {
            match waitid(WaitId::Pid(pid), options) {
                Ok(Some(status)) => {
                    let signal = status.terminating_signal().map(|signal| 128 + signal);
                    return status.exit_status().or(signal);
                }
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(1)),
                _ => return None,
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Most programs end when their input does.
        self.stdin = None;
        self.end();
        self.group.kill(&mut self.child);
    }
}

/// Whether to try again later.
fn is_for_later(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Column, Moves, Position};

    fn answered(
        command: &str,
        moves: &[&str],
        time: u64,
    ) -> (Vec<Result<Column, Trouble>>, Process) {
        let games: Vec<Moves> =
            moves.iter().map(|moves| Moves::parse(Board::STANDARD, moves).unwrap()).collect();
        let positions: Vec<Position> = games.iter().map(|game| *game.position()).collect();
        let mut process = Process::new(command, Format::Moves, Duration::from_millis(time));
        let mut answers = Answers::new(Board::STANDARD, games.len());
        let asked = Questions { positions: &positions, games: &games };
        process.answer(asked, &mut answers).unwrap();
        let choice = |at| answers.choice(at, &positions[at]).unwrap();
        ((0..games.len()).map(choice).collect(), process)
    }

    #[test]
    fn a_program_answers_line_by_line() {
        let (said, process) =
            answered("while read line; do echo ${#line}; done", &["4", "44", ""], 5000);
        assert_eq!(said, [Ok(Column(0)), Ok(Column(1)), Err(Trouble::Illegal)]);
        assert_eq!((process.starts(), process.remarks().len()), (1, 0));
    }

    #[test]
    fn a_program_may_answer_once_and_end() {
        for command in ["read line; echo 4", "read line; printf 4"] {
            let (said, process) = answered(command, &["", "4", "44"], 5000);
            assert_eq!((said, process.starts()), (vec![Ok(Column(3)); 3], 3));
        }
    }

    #[test]
    fn a_program_that_cannot_start_is_given_up() {
        let (said, process) = answered("/no/such/program", &["", "4", "44", "444", "4444"], 5000);
        assert_eq!(said, [Err(Trouble::Crash); 5]);
        assert_eq!((process.starts(), process.is_given_up()), (3, true));
        let remark = &process.remarks()[1];
        assert!(remark.starts_with("crash, after 4: cannot be started: "), "{remark}");
    }
}
