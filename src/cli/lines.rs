//! Questions as lines, each answered with a line.

use std::io::{BufRead, BufReader, Read};

use anyhow::Context;

use super::Exit;
use super::output::{Output, report_error};

/// One question per line in, one line per answer out. A bad line is reported with
/// its number, and the rest goes on; the exit code tells.
pub fn answer_lines(
    input: impl Read,
    mut answer: impl FnMut(&str) -> anyhow::Result<String>,
) -> anyhow::Result<Exit> {
    let mut out = Output::new();
    let mut input = BufReader::new(input);
    let mut exit = Exit::Fine;
    let mut line = Vec::new();
    for number in 1.. {
        // Whoever waits for an answer before the next question gets it now.
        if input.buffer().is_empty() {
            out.flush()?;
        }
        line.clear();
        let read = input.read_until(b'\n', &mut line);
        if read.context("can not read standard input")? == 0 {
            break;
        }
        match answer(&String::from_utf8_lossy(&line)) {
            Ok(answer) => out.line(answer)?,
            Err(error) => {
                report_error(&error.context(format!("line {number}")));
                exit = Exit::Bad;
            }
        }
    }
    out.finish()?;
    Ok(exit)
}
