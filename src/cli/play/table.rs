//! The game loop: shows the board, answers moves, and prints messages.
//!
//! On a terminal each picture replaces the one before, together with its hint or message.
//! Elsewhere everything is printed in sequence, and errors go to standard error.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, anyhow};
use clap::ValueEnum;
use strong4::Solver;
use strong4::board::{Column, Moves, Player, Status};
use strong4::query::{Answer, Opponent, Question};

use super::input::{HELP, Input, Word};
use crate::cli::output::drawing::Drawing;
use crate::cli::output::{Output, cannot_write, on_one_line, report_error};
use crate::cli::query::{best, verdict};
use crate::cli::show::state;

/// How the game is shown.
#[derive(Clone, Copy)]
pub(super) struct Screen {
    /// Whether each picture replaces the one before.
    pub clears: bool,
    /// Whether stones are coloured.
    pub color: bool,
}

/// Moves to the upper left corner and clears the screen.
const CLEAR: &str = "\x1b[H\x1b[2J";

/// A game, its opponent, and how it is shown.
pub(super) struct Table<'s> {
    pub game: Game,
    pub solver: &'s Solver,
    pub opponent: Opponent,
    pub question: Question<'static>,
    pub screen: Screen,
    /// Whether a hint is given before each move of the user.
    pub hints: bool,
    /// The last move of the solver, if it made the last move.
    pub reply: Option<Column>,
    pub out: Output,
}

impl Table<'_> {
    /// Plays until the input ends, the user quits, or the solver cannot answer.
    pub(super) fn play(&mut self, input: Input) -> anyhow::Result<()> {
        self.rounds(input).inspect_err(|_| {
            // Print the moves even so; if that fails too, it is the same error.
            let _ = self.farewell();
        })
    }

    fn rounds(&mut self, mut input: Input) -> anyhow::Result<()> {
        self.show(None)?;
        loop {
            let open = self.game.moves.position().status() == Status::Open;
            if open && !self.game.is_yours() {
                self.answer_move()?;
                continue;
            }
            if open && self.hints {
                self.hint()?;
            }
            self.out.flush()?;
            match input.line()?.map(|line| Word::parse(self.solver.board(), &line)) {
                None | Some(Ok(Word::Quit)) => return self.farewell(),
                Some(Ok(word)) => self.obey(word)?,
                Some(Err(error)) => self.complain(&error)?,
            }
        }
    }

    fn obey(&mut self, word: Word) -> anyhow::Result<()> {
        match word {
            Word::Move(column) => match self.game.moves.push(column) {
                Ok(()) => self.reply = None,
                Err(error) => return self.complain(&error.into()),
            },
            Word::Hint if self.game.moves.position().status() == Status::Open => {
                return self.hint();
            }
            Word::Undo if !self.game.undo() => {
                return self.complain(&anyhow!("you have no move to take back"));
            }
            Word::Undo => self.reply = None,
            Word::Swap => self.game.swap(),
            Word::New => {
                self.game.moves = Moves::new(self.solver.board());
                self.reply = None;
            }
            Word::Moves => return self.tell(&format!("moves    {}", self.game.moves)),
            Word::Save(file) => {
                return match self.save(&file) {
                    Ok(()) => self.tell(&format!("saved to {}", on_one_line(file.display()))),
                    Err(error) => self.complain(&error),
                };
            }
            Word::Help => return self.tell(HELP),
            Word::Hint | Word::Quit => {}
        }
        self.show(None)
    }

    /// Appends the moves to a file, as a line.
    fn save(&self, file: &Path) -> anyhow::Result<()> {
        let append = || {
            let mut opened = File::options().append(true).create(true).open(file)?;
            writeln!(opened, "{}", self.game.moves)
        };
        append().with_context(|| cannot_write(file))
    }

    fn answer_move(&mut self) -> anyhow::Result<()> {
        self.think()?;
        let position = self.game.moves.position();
        let choice = self.solver.choose(&mut self.opponent, position, self.question)?;
        let column = choice.context("no move in an open game")?;
        self.game.moves.push(column)?;
        self.reply = Some(column);
        if !self.screen.clears {
            self.out.line(format_args!("I play {column}"))?;
        }
        self.show(None)
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        self.think()?;
        let answer = self.solver.analyze(self.game.moves.position(), self.question)?;
        self.show(Some(&answer))
    }

    /// Announces a wait.
    fn think(&mut self) -> anyhow::Result<()> {
        if self.screen.clears {
            self.out.line("thinking …")?;
            self.out.flush()?;
        }
        Ok(())
    }

    /// The board, and below it who is to move, or the value of each move.
    fn show(&mut self, hint: Option<&Answer>) -> anyhow::Result<()> {
        let (position, columns) = (self.game.moves.position(), self.game.moves.columns());
        if self.screen.clears {
            self.out.text(CLEAR)?;
        }
        let values = hint.map_or(&[][..], |answer| &answer.columns);
        let (last, color) = (columns.last().copied(), self.screen.color);
        self.out.line(Drawing { position, last, values, color }.draw())?;
        match hint {
            Some(answer) => {
                let (verdict, best) = (verdict(answer), best(answer));
                self.out.line(format_args!("\n{verdict}; best {best}\n"))?;
            }
            None => self.out.line(format_args!("\n{}\n", state(position)))?,
        }
        if self.screen.clears
            && let Some(column) = self.reply
        {
            self.out.line(format_args!("I played {column}"))?;
        }
        self.out.flush()
    }

    /// Prints a message below the board.
    fn tell(&mut self, what: &str) -> anyhow::Result<()> {
        if self.screen.clears {
            self.show(None)?;
        }
        self.out.line(what)
    }

    fn complain(&mut self, error: &anyhow::Error) -> anyhow::Result<()> {
        if self.screen.clears {
            return self.tell(&on_one_line(format_args!("{error:#}")));
        }
        report_error(error);
        Ok(())
    }

    /// Prints the moves, for `strong4 review` and others to read.
    fn farewell(&mut self) -> anyhow::Result<()> {
        if !self.game.moves.columns().is_empty() {
            self.out.line(format_args!("moves    {}", self.game.moves))?;
        }
        self.out.flush()
    }
}

/// The player that sits at the keyboard.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(super) enum Side {
    First,
    Second,
    Both,
}

/// The moves so far, and who plays which side.
pub(super) struct Game {
    pub moves: Moves,
    pub side: Side,
}

impl Game {
    /// Whether it is the user's turn.
    pub(super) fn is_yours(&self) -> bool {
        let mover = self.moves.position().mover();
        match self.side {
            Side::Both => true,
            Side::First => mover == Player::First,
            Side::Second => mover == Player::Second,
        }
    }

    /// Takes back moves until it is the user's turn again; false if there are none.
    pub(super) fn undo(&mut self) -> bool {
        let before = self.moves.clone();
        self.moves.pop();
        while !self.is_yours() {
            if self.moves.pop().is_none() {
                self.moves = before;
                return false;
            }
        }
        self.moves != before
    }

    /// Changes sides.
    pub(super) fn swap(&mut self) {
        self.side = match self.side {
            Side::First => Side::Second,
            Side::Second => Side::First,
            Side::Both => Side::Both,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strong4::board::Board;

    #[test]
    fn undo_goes_back_to_the_player() {
        let moves = |text| Moves::parse(Board::STANDARD, text).unwrap();
        for (side, before, after, done) in [
            (Side::First, "4453", "44", true),
            (Side::First, "445", "44", true),
            (Side::Second, "445", "4", true),
            (Side::Second, "4", "4", false),
            (Side::First, "", "", false),
            (Side::Both, "445", "44", true),
        ] {
            let mut game = Game { moves: moves(before), side };
            assert_eq!((game.undo(), game.moves), (done, moves(after)), "{before}");
        }
    }
}
