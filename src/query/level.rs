//! Opponents that err as people do, by not looking far enough ahead.
//!
//! ```text
//!     level 1    sees its own fours
//!     level 2    and the other player's, one move ahead
//!     level 3    4 moves ahead
//!     level 4    6 moves ahead
//!     level 5    to the end: never errs, if it has the time
//! ```
//!
//! An opponent plays the best move it sees: the soonest win, or else the latest loss. It chooses at
//! random among moves that look equally good, with the middle more likely than the edge.

use std::fmt;
use std::str::FromStr;

use super::{QueryError, Question, Session};
use crate::board::{Column, Outcome, Position};
use crate::parse_error::ParseError;
use crate::random::SplitMix64;

/// How strong an opponent is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

impl Level {
    /// The level that never errs if it has the time.
    pub const PERFECT: Level = Level(5);

    /// The level with this number, from 1 to 5.
    pub const fn new(level: u8) -> Option<Level> {
        if 1 <= level && level <= Level::PERFECT.0 { Some(Level(level)) } else { None }
    }

    /// The number.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The number of moves that it looks ahead; `None` if it looks to the end.
    fn moves_ahead(self) -> Option<u32> {
        [Some(1), Some(2), Some(4), Some(6)].get(usize::from(self.0) - 1).copied().flatten()
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl TryFrom<u8> for Level {
    type Error = ParseError;

    fn try_from(level: u8) -> Result<Level, ParseError> {
        Level::new(level).ok_or_else(|| no_level(level))
    }
}

impl FromStr for Level {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Level, ParseError> {
        text.parse().ok().and_then(Level::new).ok_or_else(|| no_level(text))
    }
}

fn no_level(found: impl ToString) -> ParseError {
    ParseError::new(found, "a level", format!("a whole number from 1 to {}", Level::PERFECT))
}

/// A computer player of some level.
///
/// ```
/// use strong4::Solver;
/// use strong4::board::{Board, Moves};
/// use strong4::query::{Opponent, Question};
///
/// let solver = Solver::new(Board::STANDARD);
/// let mut beginner = Opponent::new("1".parse()?, 7);
/// let game = Moves::parse(Board::STANDARD, "112233")?;
/// let column = solver.choose(&mut beginner, game.position(), Question::default())?;
/// assert_eq!(column.unwrap().number(), 4); // It sees its own fours.
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Opponent {
    level: Level,
    random: SplitMix64,
}

impl Opponent {
    /// An opponent. The seed decides between moves that look equally good.
    pub fn new(level: Level, seed: u64) -> Opponent {
        Opponent { level, random: SplitMix64::of(&[seed]) }
    }

    /// The move that it makes; `None` if the game is over.
    pub(crate) fn choose(
        &mut self,
        session: &mut Session,
        position: &Position,
        question: Question,
    ) -> Result<Option<Column>, QueryError> {
        match self.level.moves_ahead() {
            None => Ok(session.answer(position, question)?.choice()),
            Some(moves) => Ok(self.at_a_glance(position, moves)),
        }
    }

    fn at_a_glance(&mut self, position: &Position, moves: u32) -> Option<Column> {
        let alike = best_at_a_glance(position, moves);
        if alike.is_empty() {
            return None;
        }
        let width = position.board().width();
        let weight = |column: &Column| {
            let from_edge = column.index().min(width - 1 - column.index()) as u64;
            (1 + from_edge).pow(2)
        };
        let mut chance = self.random.below(alike.iter().map(weight).sum());
        alike.into_iter().find(|column| {
            let weight = weight(column);
            let chosen = chance < weight;
            chance = chance.saturating_sub(weight);
            chosen
        })
    }
}

/// The moves that look best to a player who looks this many moves ahead; none if the game is over.
pub(crate) fn best_at_a_glance(position: &Position, moves: u32) -> Vec<Column> {
    let promise = |(column, child)| (column, -worth(&child, moves - 1));
    let seen: Vec<(Column, i32)> = position.children().map(promise).collect();
    let best = seen.iter().map(|(_, worth)| *worth).max();
    seen.into_iter().filter(|(_, worth)| Some(*worth) == best).map(|(column, _)| column).collect()
}

/// More than the moves of any game.
const FAR: i32 = 100;

/// The worth of a position to the player to move, who looks this many moves ahead: `FAR` less the
/// moves to a win, the negative of that for a loss, and otherwise 0.
fn worth(position: &Position, moves: u32) -> i32 {
    worth_between(position, moves, -FAR, FAR)
}

/// The same if it lies between the bounds; otherwise some number on the same side of both.
fn worth_between(position: &Position, moves: u32, mut lower: i32, upper: i32) -> i32 {
    match position.ending() {
        Some(Outcome::Win) => return FAR,
        Some(Outcome::Draw) => return 0,
        Some(Outcome::Loss) => return -FAR,
        None if moves == 0 => return 0,
        None => {}
    }
    let mut best = -FAR;
    for (_, child) in position.children() {
        // A win or a loss is a move farther away from here than from the child.
        let [from, to] = [lower + lower.min(0).signum(), upper + upper.max(0).signum()];
        let value = -worth_between(&child, moves - 1, -to, -from);
        best = best.max(value - value.signum());
        lower = lower.max(best);
        if lower >= upper || best == FAR - 1 {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Moves};
    use crate::random::random_positions;
    use crate::search::Search;

    /// The slow twin finds the whole truth, and cuts it off where nobody looks.
    #[test]
    fn what_is_seen_is_true_and_all_there_is_within_the_moves() {
        let board: Board = "5x4".parse().unwrap();
        let mut search = Search::new(board, 1 << 20);
        let mut seen = 0;
        for position in random_positions(board, 400) {
            let score = search.score(&position);
            let plies = i32::from(score.plies(board, position.tier()).unwrap().get());
            for moves in 0..=6 {
                let expected = match score.outcome() {
                    _ if plies > moves as i32 => 0,
                    Outcome::Win => FAR - plies,
                    Outcome::Draw => 0,
                    Outcome::Loss => plies - FAR,
                };
                assert_eq!(worth(&position, moves), expected, "{moves} moves\n{position}");
                seen += u32::from(expected != 0);
            }
        }
        assert!(seen > 200, "{seen}");
    }

    fn choice(level: u8, moves: &str, seed: u64) -> usize {
        let game = Moves::parse(Board::STANDARD, moves).unwrap();
        let mut session = Session::new(Board::STANDARD);
        let mut opponent = Opponent::new(Level(level), seed);
        let question = Question::default();
        opponent.choose(&mut session, game.position(), question).unwrap().unwrap().number()
    }

    #[test]
    fn each_level_sees_more_than_the_one_below() {
        let takes = |level, moves, right: &[usize]| {
            (0..40).filter(|seed| right.contains(&choice(level, moves, *seed))).count()
        };
        // A four to make, one to prevent, and three in a row that are open on both sides.
        for (sees_it, moves, right) in
            [(1, "112233", &[4][..]), (2, "11223", &[4]), (3, "4151", &[3, 6])]
        {
            for level in 1..=4 {
                let always = takes(level, moves, right) == 40;
                assert_eq!(always, level >= sees_it, "level {level} at {moves}");
            }
        }
        let game = Moves::parse(Board::STANDARD, "4").unwrap();
        let best = Session::new(Board::STANDARD).analyze(game.position(), Question::default());
        assert_eq!(choice(5, "4", 0), best.unwrap().best[0].number());
    }

    #[test]
    fn levels_are_numbers_from_one_to_five() {
        for level in 1..=5 {
            let known = Level::new(level).unwrap();
            assert_eq!((known.to_string().parse(), Level::try_from(level)), (Ok(known), Ok(known)));
        }
        assert!([0, 6, 255].iter().all(|level| Level::try_from(*level).is_err()));
        assert_eq!("5".parse(), Ok(Level::PERFECT));
        for text in ["0", "6", "", "perfect", "-1"] {
            let error = text.parse::<Level>().unwrap_err().to_string();
            assert_eq!(
                error,
                format!("'{text}' is not a level: expected a whole number from 1 to 5")
            );
        }
    }

    #[test]
    fn a_game_that_is_over_has_no_move() {
        let game = Moves::parse(Board::STANDARD, "1212121").unwrap();
        let mut session = Session::new(Board::STANDARD);
        for level in 1..=5 {
            let mut opponent = Opponent::new(Level(level), 0);
            let choice = opponent.choose(&mut session, game.position(), Question::default());
            assert_eq!(choice.unwrap(), None);
        }
    }
}
