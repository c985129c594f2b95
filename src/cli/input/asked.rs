//! Positions named on the command line, in a file, or line by line.
//!
//! A line is a game, a key, or a JSON record printed by this program. Text after it is ignored,
//! unless it might be part of a game. `#` begins a comment. The empty board is `''`: a line without
//! anything is more likely a slip than a question.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use serde_json::Value as Json;
use strong4::ParseError;
use strong4::board::{Board, DrawingSplitter, Moves, Position};
use strong4::tromp::Key;

use crate::cli::input::lines::lines_of_input;

/// The ways to name positions.
#[derive(Args)]
#[group(multiple = false)]
pub(crate) struct PositionArg {
    /// Moves from the empty board, as columns counted from 1 at the left, such as 4453,
    /// or '' for none, also within lines; - reads a game from each line of standard input
    /// and prints one line per answer
    #[arg(value_name = "MOVES|-")]
    moves: Vec<String>,
    /// The position with this key, in guard form; - reads a key from each line
    #[arg(long, value_name = "KEY|-", allow_hyphen_values = true)]
    key: Option<KeyArg>,
    /// The position drawn in FILE, as drawn by 'strong4 show'; several drawings, or those
    /// read from standard input by -, are answered with one line each
    #[arg(long, value_name = "FILE|-")]
    board_file: Option<PathBuf>,
}

#[derive(Clone, Copy)]
enum KeyArg {
    Lines,
    Key(Key),
}

impl FromStr for KeyArg {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<KeyArg, ParseError> {
        if text == "-" { Ok(KeyArg::Lines) } else { text.parse().map(KeyArg::Key) }
    }
}

/// A position, and the moves that led to it, if known.
pub(crate) struct Asked {
    /// The moves.
    pub moves: Option<Moves>,
    /// The position.
    pub position: Position,
}

/// A stream of lines.
type Lines = Box<dyn Iterator<Item = io::Result<String>> + Send>;

/// A request.
pub(crate) enum Request {
    /// One position.
    One(Asked),
    /// One position per line.
    Lines(Notation, Lines),
}

/// How a line names a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Notation {
    /// A game.
    Moves,
    /// A key.
    Key,
    /// A drawing.
    Drawing,
}

impl Notation {
    /// The noun for what names a position: singular and plural.
    pub(crate) fn named(self) -> [&'static str; 2] {
        match self {
            Notation::Moves | Notation::Key => ["line", "lines"],
            Notation::Drawing => ["drawing", "drawings"],
        }
    }
}

impl PositionArg {
    /// The request on the command line; none if it names no position.
    pub(crate) fn request(&self, board: Board) -> anyhow::Result<Option<Request>> {
        let one = |position| Ok(Some(Request::One(Asked { moves: None, position })));
        match (&self.moves[..], &self.key, &self.board_file) {
            ([dash], ..) if dash == "-" => Ok(Some(lines(Notation::Moves))),
            (_, Some(KeyArg::Lines), _) => Ok(Some(lines(Notation::Key))),
            (_, Some(KeyArg::Key(key)), _) => one(key.decode(board).context("--key")?),
            (_, _, Some(file)) if is_input(file) => {
                Ok(Some(Request::Lines(Notation::Drawing, drawings(board, lines_of_input()))))
            }
            (_, _, Some(file)) => drawn(board, file).with_context(|| name(file)).map(Some),
            ([], ..) => Ok(None),
            (words, ..) => Ok(Some(Request::One(Asked::game(board, &words.join(" "))?))),
        }
    }
}

/// Whether standard input is redirected, although no argument reads it.
pub(crate) fn input_is_ignored() -> bool {
    !io::stdin().is_terminal()
}

fn lines(notation: Notation) -> Request {
    Request::Lines(notation, Box::new(lines_of_input()))
}

/// The positions drawn in a file.
fn drawn(board: Board, file: &Path) -> anyhow::Result<Request> {
    let mut drawings = drawings(board, lines_of_file(file)?).collect::<io::Result<Vec<_>>>()?;
    if drawings.len() > 1 {
        let drawings = drawings.into_iter().map(Ok);
        return Ok(Request::Lines(Notation::Drawing, Box::new(drawings)));
    }
    let drawing = drawings.pop().unwrap_or_default();
    Ok(Request::One(Asked::drawing(board, &drawing)?))
}

/// The drawings in a stream of lines, each as soon as its last line has arrived.
fn drawings(
    board: Board,
    lines: impl Iterator<Item = io::Result<String>> + Send + 'static,
) -> Lines {
    let mut splitter = Some(DrawingSplitter::new(board));
    Box::new(lines.map(Some).chain([None]).filter_map(move |line| match line {
        Some(Ok(line)) => splitter.as_mut()?.push(&line).map(Ok),
        Some(Err(error)) => Some(Err(error)),
        None => splitter.take()?.finish().map(Ok),
    }))
}

/// The lines of a file, or of standard input as they arrive.
pub(crate) fn lines_of_file(file: &Path) -> anyhow::Result<Lines> {
    if is_input(file) {
        return Ok(Box::new(lines_of_input()));
    }
    let bytes = fs::read(file).context("cannot read")?;
    // Text that is not UTF-8 cannot be a move either; the error names its line.
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    Ok(Box::new(lines.into_iter().map(Ok)))
}

/// Whether this name means standard input.
fn is_input(file: &Path) -> bool {
    file == Path::new("-")
}

/// The name of the file in messages.
pub(crate) fn name(file: &Path) -> String {
    if is_input(file) { "standard input".to_owned() } else { file.display().to_string() }
}

impl Asked {
    /// The moves, or else the key. The empty game is `''`, which would otherwise be invisible.
    pub(crate) fn name(&self) -> String {
        match &self.moves {
            Some(moves) => game_name(moves),
            None => Key::of(&self.position).to_string(),
        }
    }

    /// The position at the end of a game.
    pub(crate) fn game(board: Board, text: &str) -> anyhow::Result<Asked> {
        let moves = Moves::parse_loose(board, text)?;
        let position = *moves.position();
        Ok(Asked { moves: Some(moves), position })
    }

    /// The position with a key.
    pub(crate) fn key(board: Board, text: &str) -> anyhow::Result<Asked> {
        let position = text.parse::<Key>()?.decode(board)?;
        Ok(Asked { moves: None, position })
    }

    fn drawing(board: Board, text: &str) -> anyhow::Result<Asked> {
        let position = Position::from_drawing(board, text)?;
        position.validate().context("no game leads to this board")?;
        Ok(Asked { moves: None, position })
    }

    /// The position named by a JSON record of this program.
    fn record(board: Board, text: &str) -> anyhow::Result<Asked> {
        let record: Json = serde_json::from_str(text).context("not a JSON object")?;
        if let Some(other) = record["board"].as_str()
            && other != board.to_string()
        {
            bail!("a position on {other}, not on {board}: give --board {other}");
        }
        match (&record["moves"], &record["key"], &record["drawing"]) {
            (Json::String(moves), ..) => Asked::game(board, moves),
            (_, Json::String(key), _) => Asked::key(board, key),
            (_, Json::Number(key), _) => Asked::key(board, &key.to_string()),
            (_, _, Json::String(drawing)) => Asked::drawing(board, drawing),
            _ => bail!("a JSON object without 'moves', 'key' or 'drawing'"),
        }
    }
}

impl Notation {
    /// The position that a line names; none if it is nothing but a comment.
    pub(crate) fn read(self, board: Board, line: &str) -> anyhow::Result<Option<Asked>> {
        if self == Notation::Drawing {
            return Asked::drawing(board, line).map(Some);
        }
        if line.trim_start().starts_with('{') {
            return Asked::record(board, line).map(Some);
        }
        let Some(text) = without_comment(line) else { return Ok(None) };
        let asked = match self {
            Notation::Key => {
                let key = text.split_whitespace().next();
                Asked::key(board, key.context("an empty line: expected a key")?)
            }
            _ => Asked::game(board, game_in(text)?),
        };
        asked.map(Some)
    }
}

/// A line up to its comment; none if it is nothing but a comment.
pub(crate) fn without_comment(line: &str) -> Option<&str> {
    let text = line.split('#').next().unwrap_or_default();
    (text.len() == line.len() || !text.trim().is_empty()).then_some(text)
}

/// A game as text; the empty one is `''`.
pub(crate) fn game_name(moves: &Moves) -> String {
    if moves.columns().is_empty() { "''".to_owned() } else { moves.to_string() }
}

/// The game at the start of a line. The text after it must not look like a part of it.
fn game_in(text: &str) -> anyhow::Result<&str> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let columns = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric());
    let one_of_two = || {
        anyhow!(
            "'{}' is ambiguous: write moves without spaces, or separate them with commas",
            text.trim().escape_debug()
        )
    };
    match words[..] {
        [] => bail!("an empty line: expected moves, or '' for the empty board"),
        ["''", ..] => Ok(""),
        // A score without moves before it, or an indented game.
        [score] if text.starts_with([' ', '\t']) && score.parse::<i8>().is_ok() => {
            Err(one_of_two())
        }
        [game] => Ok(game),
        [move_, next, ..] if move_.len() == 1 && columns(next) => Err(one_of_two()),
        [game, ..] => Ok(game),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strong4::tromp::Key;

    fn read(notation: Notation, line: &str) -> Result<Option<Asked>, String> {
        notation.read(Board::STANDARD, line).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn a_line_is_a_game_and_what_can_not_be_part_of_it() {
        let moves = |line| read(Notation::Moves, line).map(|asked| asked.map(|a| a.moves.unwrap()));
        let text = |line| moves(line).map(|moves| moves.map_or("#".to_owned(), |m| m.to_string()));
        for (line, game) in [
            ("4453", "4453"),
            ("''", ""),
            ("'' 1 # as published", ""),
            ("4453 -2", "4453"),
            ("4453\t2 # as published", "4453"),
            ("4 -2", "4"),
            ("4 # 4", "4"),
            ("4,4,5,3 -2", "4453"),
            ("  4453", "4453"),
            ("# all of this", "#"),
            ("   #", "#"),
        ] {
            assert_eq!(text(line).as_deref(), Ok(game), "{line}");
        }
        for line in ["4 4 5 3", "4 2", " 1", "\t-1"] {
            assert!(text(line).unwrap_err().contains("is ambiguous"), "{line}");
        }
        for line in ["", "  \t"] {
            let error = text(line).unwrap_err();
            assert_eq!(error, "an empty line: expected moves, or '' for the empty board");
        }
        assert!(text("448 1").unwrap_err().starts_with("move 3 is '8'"));
    }

    #[test]
    fn keys_and_records_name_positions_too() {
        let game = Moves::parse(Board::STANDARD, "4453").unwrap();
        let same = |asked: Result<Option<Asked>, String>| asked.unwrap().unwrap().position;
        let key = Key::of(game.position());
        for line in [
            format!("{key}"),
            format!("{key} -2 # as published"),
            format!("{{\"moves\":null,\"key\":{key}}}"),
            format!("{{\"key\":\"{key}\",\"board\":\"7x6\"}}"),
            format!("{{\"drawing\":{:?}}}", game.position().to_string()),
        ] {
            assert_eq!(same(read(Notation::Key, &line)), *game.position(), "{line}");
        }
        let record = "{\"moves\":\"4453\",\"key\":0}";
        let asked = read(Notation::Moves, record).unwrap().unwrap();
        assert_eq!(asked.moves.unwrap().to_string(), "4453");
        for (line, reason) in [
            ("", "an empty line: expected a key"),
            ("four", "'four' is not a key"),
            ("{\"moves\":null}", "without 'moves', 'key' or 'drawing'"),
            ("{\"moves\":", "not a JSON object"),
            ("{\"board\":\"5x4\",\"moves\":\"4\"}", "a position on 5x4, not on 7x6"),
        ] {
            let refused = read(Notation::Key, line).err().expect("refused");
            assert!(refused.contains(reason), "{line}: {refused}");
        }
    }
}
