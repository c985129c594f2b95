//! A running program: one question, one answer, whatever the program does.
//!
//! All of its pipes are read and written without blocking, by one thread that waits for whatever
//! happens first:
//!
//! ```text
//!     question ──► standard input  ┐
//!     answer   ◄── standard output ┼── poll, until the deadline
//!     last words ◄ standard error  ┘
//! ```
//!
//! At most one line of output and the end of the errors are kept. The program and its children are
//! a process group, which is killed as a whole.

use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::grade::answers::Trouble;
use crate::grade::protocol::Failed;

/// The longest answer.
const LONGEST: usize = 4096;
/// How much is remembered of what a program wrote to standard error.
const LAST_WORDS: usize = 1024;
/// The time that a program has to end once its input is closed.
const END_TIME: Duration = Duration::from_millis(300);

/// The processes of a program, which can all be ended once no answer is wanted.
#[derive(Clone, Debug, Default)]
pub struct ProcessGroup(Arc<Mutex<Group>>);

#[derive(Debug, Default)]
struct Group {
    leader: Option<Pid>,
    ended: bool,
}

impl ProcessGroup {
    /// Kills the program and its children, and lets no other start. A question that waits for its
    /// answer ends with [`Stopped`](crate::SolverError::Stopped).
    pub fn end(&self) {
        let mut group = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        group.ended = true;
        kill(group.leader.take());
    }

    pub(super) fn is_ended(&self) -> bool {
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
pub(super) struct Running {
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
    pub(super) fn start(command: &str, group: &ProcessGroup) -> io::Result<Running> {
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
    pub(super) fn exchange(
        &mut self,
        mut question: &[u8],
        deadline: Instant,
    ) -> Result<String, Failed> {
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

    /// Reads what has arrived of a line. Returns whether the line is complete.
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

    /// An error if the program wrote anything without a question.
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
    pub(super) fn last_words(&self) -> String {
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
