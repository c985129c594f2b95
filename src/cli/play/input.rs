//! What the user types: lines, edited on a terminal, and the commands in them, which ignore case.

use std::io;
use std::path::PathBuf;

use anyhow::Context;
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor};
use strong4::board::{Board, Column};

use crate::cli::input::lines::lines_of_input;
use crate::cli::interrupt;
use crate::cli::output::drawing::ends;

/// Where lines come from.
pub(super) enum Input {
    /// A terminal, whose lines can be edited.
    Terminal(Box<Editor<(), MemHistory>>),
    /// A pipe or a file.
    Lines(Box<dyn Iterator<Item = io::Result<String>>>),
}

const PROMPT: &str = "> ";

impl Input {
    /// Lines of standard input.
    pub(super) fn new(terminal: bool) -> anyhow::Result<Input> {
        if !terminal {
            return Ok(Input::Lines(Box::new(lines_of_input())));
        }
        let config = Config::builder().auto_add_history(true).build();
        let editor = Editor::with_history(config, MemHistory::new());
        Ok(Input::Terminal(Box::new(editor.context("cannot read from the terminal")?)))
    }

    /// The next line; none at the end.
    pub(super) fn line(&mut self) -> anyhow::Result<Option<String>> {
        const READ: &str = "cannot read standard input";
        match self {
            Input::Terminal(editor) => match editor.readline(PROMPT) {
                Ok(line) => Ok(Some(line)),
                Err(ReadlineError::Eof) => Ok(None),
                Err(ReadlineError::Interrupted) => interrupt::stop(),
                Err(error) => Err(error).context(READ),
            },
            Input::Lines(lines) => lines.next().transpose().context(READ),
        }
    }
}

/// A command from the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Word {
    Move(Column),
    Hint,
    Undo,
    Swap,
    New,
    Moves,
    Save(PathBuf),
    Help,
    Quit,
}

/// The help text of the game.
pub(super) const HELP: &str = "\
  1, 2 …     drop a stone into that column
  hint, h    show the value of each move
  undo, u    take back your last move and the reply
  swap, s    change sides
  new, n     start again
  moves, m   show the moves so far
  save FILE  append the moves to FILE
  help, ?    show this help
  quit, q    quit";

impl Word {
    /// Parses a line.
    pub(super) fn parse(board: Board, line: &str) -> anyhow::Result<Word> {
        let words = [
            ("hint", Word::Hint),
            ("undo", Word::Undo),
            ("swap", Word::Swap),
            ("new", Word::New),
            ("moves", Word::Moves),
            ("quit", Word::Quit),
        ];
        let line = line.trim();
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let said = first.to_lowercase();
        if said == "save" {
            anyhow::ensure!(!rest.is_empty(), "no file given: expected 'save FILE'");
            return Ok(Word::Save(rest.trim().into()));
        }
        if rest.is_empty() {
            if said == "help" || said == "?" {
                return Ok(Word::Help);
            }
            let is_said = |name: &str| !said.is_empty() && (said == name || said == name[..1]);
            if let Some((_, word)) = words.into_iter().find(|(name, _)| is_said(name)) {
                return Ok(word);
            }
            let column = said.parse().ok().and_then(|number: usize| board.column(number));
            if let Some(column) = column {
                return Ok(Word::Move(column));
            }
        }
        let found = line.escape_debug();
        if !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit()) {
            let last = board.width();
            anyhow::bail!("there is no column '{found}': expected one from 1 to {last}");
        }
        let [first, last] = ends(board);
        anyhow::ensure!(!line.is_empty(), "expected a column, {first} to {last}, or 'help'");
        anyhow::bail!(
            "'{found}' is not understood: expected a column, {first} to {last}, or 'help'"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_can_be_shortened_and_shouted() {
        let parse = |text| Word::parse(Board::STANDARD, text).ok();
        assert_eq!((parse("hint"), parse("U")), (Some(Word::Hint), Some(Word::Undo)));
        assert_eq!((parse(" QUIT "), parse("Help")), (Some(Word::Quit), Some(Word::Help)));
        assert_eq!((parse("?"), parse("s")), (Some(Word::Help), Some(Word::Swap)));
        let last = Board::STANDARD.columns().last().unwrap();
        assert_eq!(parse("7"), Some(Word::Move(last)));
        assert_eq!(parse("SAVE My Games"), Some(Word::Save("My Games".into())));
        assert_eq!(["", "8", "hi", "44", "save", "hint 4"].map(parse), [const { None }; 6]);
    }

    #[test]
    fn what_is_not_understood_is_told_with_what_is() {
        let error = |text| Word::parse(Board::STANDARD, text).unwrap_err().to_string();
        assert_eq!(error("9"), "there is no column '9': expected one from 1 to 7");
        assert_eq!(error("0"), "there is no column '0': expected one from 1 to 7");
        let unknown = "'\\u{1b}[A' is not understood: expected a column, 1 to 7, or 'help'";
        assert_eq!(error("\u{1b}[A"), unknown);
        assert_eq!(error(""), "expected a column, 1 to 7, or 'help'");
        assert_eq!(error("save"), "no file given: expected 'save FILE'");
    }
}
