//! Lines from the user: with arrow keys and history on a terminal, plain elsewhere.

use std::io::{self, BufRead};

use anyhow::Context;
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor};

use crate::cli::interrupt;

/// Where lines come from.
pub enum Input {
    /// A terminal, whose lines can be edited.
    Terminal(Box<Editor<(), MemHistory>>),
    /// A pipe or a file.
    Lines(Box<dyn BufRead>),
}

const PROMPT: &str = "> ";

impl Input {
    /// Lines of standard input.
    pub fn new(terminal: bool) -> anyhow::Result<Input> {
        if !terminal {
            return Ok(Input::Lines(Box::new(io::stdin().lock())));
        }
        let config = Config::builder().auto_add_history(true).build();
        let editor = Editor::with_history(config, MemHistory::new());
        Ok(Input::Terminal(Box::new(editor.context("cannot read from the terminal")?)))
    }

    /// The next line; none at the end.
    pub fn line(&mut self) -> anyhow::Result<Option<String>> {
        const READ: &str = "cannot read standard input";
        match self {
            Input::Terminal(editor) => match editor.readline(PROMPT) {
                Ok(line) => Ok(Some(line)),
                Err(ReadlineError::Eof) => Ok(None),
                Err(ReadlineError::Interrupted) => interrupt::stop(),
                Err(error) => Err(error).context(READ),
            },
            Input::Lines(input) => {
                let mut line = Vec::new();
                let read = input.read_until(b'\n', &mut line).context(READ)?;
                Ok((read > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
            }
        }
    }
}
