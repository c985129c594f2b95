//! `strong4 play`: a game against the solver.

use std::io::{self, BufRead, IsTerminal};
use std::time::Duration;

use anyhow::Context;
use clap::{Args, ValueEnum};
use strong4::board::{Board, Column, Moves, Player, Position, Status};
use strong4::query::{Answer, Expert, Question};

use super::color::in_color;
use super::duration;
use super::output::{Output, report_error};
use super::query::{draw, verdict, with_experts};
use super::show::state;
use super::tables::TablesArg;
use super::{Exit, Global};

const EXAMPLES: &str = "\
Examples:
  echo 4 | strong4 play --as second
  echo hint | strong4 play 4453 --as both";

/// Play against the solver, with hints and undo
///
/// Moves are columns from 1 at the left. Between them: 'hint' tells what each move is
/// worth, 'undo' takes back your last move and the answer to it, 'swap' changes sides,
/// 'new' begins again, 'quit' ends. Each can be shortened to its first letter.
///
/// Without a terminal, moves and words are read from standard input, one per line,
/// until its end.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Play {
    /// Moves to begin with, as columns from 1 at the left, such as 4453
    #[arg(value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,
    /// The player that you are; both: you move for both, and the solver only gives hints
    #[arg(long = "as", value_name = "PLAYER", default_value = "first")]
    side: Side,
    /// Give a hint before each of your moves
    #[arg(long)]
    hints: bool,
    /// Time for a move of the solver or a hint, such as 2s, 500ms or 1h
    #[arg(long, value_name = "TIME", value_parser = duration::parse, default_value = "2s",
        allow_hyphen_values = true)]
    limit: Duration,
    #[command(flatten)]
    tables: TablesArg,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Side {
    First,
    Second,
    Both,
}

/// What the player can say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Word {
    Move(Column),
    Hint,
    Undo,
    Swap,
    New,
    Quit,
}

const EXPECTED: &str = "a column, hint, undo, swap, new or quit";

impl Play {
    pub fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        with_experts(&self.tables, global.quiet, |board, experts| {
            let moves = Moves::parse(board, &self.moves)?;
            let color = in_color(global.color);
            let question = Question { limit: Some(self.limit), ..Question::default() };
            experts.alone(|expert| {
                expert.search_on(rayon::current_num_threads());
                let game = Game { board, moves: moves.columns().to_vec(), side: self.side };
                let mut out = Output::new();
                let mut table = Table { game, expert, question, color, hints: self.hints };
                table.play(&mut out, io::stdin().lock())?;
                out.finish()
            })?;
            Ok(Exit::Fine)
        })
    }
}

/// The moves so far, and who plays whom.
struct Game {
    board: Board,
    moves: Vec<Column>,
    side: Side,
}

impl Game {
    fn position(&self) -> Position {
        let play = |position: Position, column: &Column| position.play_unchecked(*column);
        self.moves.iter().fold(Position::empty(self.board), play)
    }

    /// Is it the player's turn?
    fn is_yours(&self) -> bool {
        match self.side {
            Side::Both => true,
            Side::First => self.position().mover() == Player::First,
            Side::Second => self.position().mover() == Player::Second,
        }
    }

    /// Takes back moves until it is the player's turn again; false if there are none.
    fn undo(&mut self) -> bool {
        let before = self.moves.clone();
        self.moves.pop();
        while !self.is_yours() {
            if self.moves.pop().is_none() {
                self.moves = before;
                return false;
            }
        }
        self.moves.len() < before.len()
    }

    fn swap(&mut self) {
        self.side = match self.side {
            Side::First => Side::Second,
            Side::Second => Side::First,
            Side::Both => Side::Both,
        };
    }
}

/// A game, the one who answers, and how it is shown.
struct Table<'e, 'a> {
    game: Game,
    expert: &'e mut Expert<'a>,
    question: Question,
    color: bool,
    hints: bool,
}

impl Table<'_, '_> {
    fn play(&mut self, out: &mut Output, mut input: impl BufRead) -> anyhow::Result<()> {
        self.show(out)?;
        loop {
            let position = self.game.position();
            let open = position.status() == Status::Open;
            if open && !self.game.is_yours() {
                self.answer_move(out)?;
                continue;
            }
            if open && self.hints {
                self.hint(out)?;
            }
            if io::stdin().is_terminal() {
                out.line(format_args!("{EXPECTED}:"))?;
            }
            out.flush()?;
            let mut line = Vec::new();
            if input.read_until(b'\n', &mut line).context("can not read standard input")? == 0 {
                return Ok(());
            }
            match Word::parse(self.game.board, String::from_utf8_lossy(&line).trim()) {
                Ok(Word::Quit) => return Ok(()),
                Ok(word) => self.obey(word, out)?,
                Err(error) => report_error(&error),
            }
        }
    }

    fn obey(&mut self, word: Word, out: &mut Output) -> anyhow::Result<()> {
        let position = self.game.position();
        match word {
            Word::Move(column) => match position.play(column) {
                Ok(_) => self.game.moves.push(column),
                Err(error) => {
                    report_error(&error.into());
                    return Ok(());
                }
            },
            Word::Hint if position.status() == Status::Open => return self.hint(out),
            Word::Undo if self.game.undo() => {}
            Word::Undo => {
                report_error(&anyhow::anyhow!("there is no move of yours to take back"));
                return Ok(());
            }
            Word::Swap => self.game.swap(),
            Word::New => self.game.moves.clear(),
            Word::Hint | Word::Quit => {}
        }
        self.show(out)
    }

    fn answer_move(&mut self, out: &mut Output) -> anyhow::Result<()> {
        let answer = self.ask()?;
        let column = answer.choice().expect("an open game has a move");
        self.game.moves.push(column);
        out.line(format_args!("I play {column}"))?;
        self.show(out)
    }

    fn hint(&mut self, out: &mut Output) -> anyhow::Result<()> {
        let answer = self.ask()?;
        out.line(draw(&answer.position, &answer.columns, self.color))?;
        let best: Vec<String> = answer.best.iter().map(Column::to_string).collect();
        out.line(format_args!("\n{}; best {}\n", verdict(&answer), best.join(" ")))
    }

    fn show(&self, out: &mut Output) -> anyhow::Result<()> {
        let position = self.game.position();
        out.line(draw(&position, &[], self.color))?;
        out.line(format_args!("\n{}\n", state(&position)))?;
        out.flush()
    }

    fn ask(&mut self) -> anyhow::Result<Answer> {
        Ok(self.expert.answer(&self.game.position(), self.question)?)
    }
}

impl Word {
    fn parse(board: Board, text: &str) -> anyhow::Result<Word> {
        let words = [
            ("hint", Word::Hint),
            ("undo", Word::Undo),
            ("swap", Word::Swap),
            ("new", Word::New),
            ("quit", Word::Quit),
        ];
        let said = |name: &str| !text.is_empty() && (text == name || text == &name[..1]);
        if let Some((_, word)) = words.into_iter().find(|(name, _)| said(name)) {
            return Ok(word);
        }
        let column = board.columns().find(|column| column.to_string() == text);
        column.map(Word::Move).ok_or_else(|| {
            anyhow::anyhow!("'{}' is not understood: expected {EXPECTED}", text.escape_default())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undo_goes_back_to_the_player() {
        let moves = |text| Moves::parse(Board::STANDARD, text).unwrap().columns().to_vec();
        for (side, before, after, done) in [
            (Side::First, "4453", "44", true),
            (Side::First, "445", "44", true),
            (Side::Second, "445", "4", true),
            (Side::Second, "4", "4", false),
            (Side::First, "", "", false),
            (Side::Both, "445", "44", true),
        ] {
            let mut game = Game { board: Board::STANDARD, moves: moves(before), side };
            assert_eq!((game.undo(), game.moves), (done, moves(after)), "{before}");
        }
    }

    #[test]
    fn words_can_be_shortened() {
        let parse = |text| Word::parse(Board::STANDARD, text).ok();
        assert_eq!((parse("hint"), parse("u")), (Some(Word::Hint), Some(Word::Undo)));
        let last = Board::STANDARD.columns().last().unwrap();
        assert_eq!(parse("7"), Some(Word::Move(last)));
        assert_eq!([parse(""), parse("8"), parse("hi"), parse("44")], [None; 4]);
    }
}
