//! Questions as lines, each answered with a line.
//!
//! Lines that have come in are answered on all threads, and the answers go out in the
//! order of the lines. Who asks one question and waits gets its answer at once.

use std::io::{BufRead, BufReader, Read};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use rayon::prelude::*;

use super::Exit;
use super::output::{Output, report_error};

/// Lines that are answered together at most.
const TOGETHER: usize = 1 << 14;
/// Bytes that are read at once.
const READ_BYTES: usize = 1 << 20;

/// One question per line in, one line per answer out. A bad line is reported with
/// its number, and the rest goes on; the exit code tells.
pub fn answer_lines<W: Send, F: Fn() -> W + Sync>(
    input: impl Read,
    workers: &Workers<W, F>,
    answer: impl Fn(&mut W, &str) -> anyhow::Result<String> + Sync,
) -> anyhow::Result<Exit> {
    let mut out = Output::new();
    let mut input = BufReader::with_capacity(READ_BYTES, input);
    let mut exit = Exit::Fine;
    let mut number = 1;
    loop {
        let lines = lines_at_hand(&mut input).context("can not read standard input")?;
        if lines.is_empty() {
            break;
        }
        for answer in workers.each(&lines, |worker, line| answer(worker, line)) {
            match answer {
                Ok(answer) => out.line(answer)?,
                Err(error) => {
                    report_error(&error.context(format!("line {number}")));
                    exit = Exit::Bad;
                }
            }
            number += 1;
        }
        // Whoever waits for an answer before the next question gets it now.
        out.flush()?;
    }
    out.finish()?;
    Ok(exit)
}

/// The next line, and those after it that are there already; none at the end.
fn lines_at_hand(input: &mut BufReader<impl Read>) -> std::io::Result<Vec<String>> {
    let mut lines = Vec::new();
    while lines.is_empty() || (lines.len() < TOGETHER && input.buffer().contains(&b'\n')) {
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        lines.push(String::from_utf8_lossy(&line).into_owned());
    }
    Ok(lines)
}

/// What threads work with: as many as work at the same time, used again and again, so
/// that what one has learnt is there for its next work.
pub struct Workers<W, F> {
    make: F,
    idle: Mutex<Vec<W>>,
}

impl<W: Send, F: Fn() -> W + Sync> Workers<W, F> {
    /// None yet; `make` makes one.
    pub fn new(make: F) -> Workers<W, F> {
        Workers { make, idle: Mutex::default() }
    }

    /// Does something for each item, on all threads. The results are in the order of the items.
    pub fn each<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&mut W, &T) -> R + Sync,
    ) -> Vec<R> {
        let some = |items: &[T]| -> Vec<R> {
            self.alone(|worker| items.iter().map(|item| work(worker, item)).collect())
        };
        items.par_chunks(some_of(items.len())).flat_map_iter(some).collect()
    }

    /// Does something with one of them, on this thread.
    pub fn alone<R>(&self, work: impl FnOnce(&mut W) -> R) -> R {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = idle().pop();
        let mut worker = worker.unwrap_or_else(&self.make);
        let result = work(&mut worker);
        idle().push(worker);
        result
    }

    /// All that have been made.
    pub fn into_inner(self) -> Vec<W> {
        self.idle.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How many of so many items a thread takes at once.
fn some_of(items: usize) -> usize {
    items.div_ceil(8 * rayon::current_num_threads()).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let workers = Workers::new(|| 0);
        let items: Vec<u64> = (0..1000).collect();
        let doubled = workers.each(&items, |worked, item| {
            *worked += 1;
            2 * item
        });
        assert!(doubled.into_iter().eq((0..1000).map(|item| 2 * item)));
        assert_eq!(workers.into_inner().into_iter().sum::<u64>(), 1000);
    }

    #[test]
    fn lines_are_taken_as_they_come() {
        let mut input = BufReader::with_capacity(8, &b"12\n345\n6\n\nseven eight\nnine"[..]);
        let mut all = Vec::new();
        loop {
            let lines = lines_at_hand(&mut input).unwrap();
            if lines.is_empty() {
                break;
            }
            all.extend(lines);
        }
        assert_eq!(all, ["12\n", "345\n", "6\n", "\n", "seven eight\n", "nine"]);
    }
}
