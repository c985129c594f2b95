//! The score of a position, by asking a few times whether it is above a bound.
//!
//! Whether a game is over soon takes a short search; how a long game ends takes a long
//! one. So the first questions are whether it ends soon, the next one is who wins, and the
//! last ones are when. In a short game, halving finds out when. In a long game every question
//! is expensive, and two are unavoidable: "win by ply p?" and "win before p?". So the latest
//! p is tried first, and an earlier one only while the answer is yes.
//!
//! If several threads ask one question, all threads search the same position and share one table.
//! Each starts with its own order of moves, so they spread over the tree, and each finds in the
//! table what the others have done. The first to know the answer stops the others. Every answer is
//! right, whatever the others leave in the table.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::alphabeta::{Node, Searcher, form_of};
use super::order::History;
use super::score::{Between, Bounds, Limit, Score};
use super::shape::{AnyShape, Shape, Standard};
use super::table::Table;
use super::zobrist::Zobrist;
use crate::board::{Board, Column, Outcome, Position};
use crate::cpu::Cpu;

/// Finds scores on one board. It keeps what it learns about positions from one search to the next.
///
/// ```
/// use strong4::board::{Board, Moves, Outcome};
/// use strong4::search::Search;
///
/// let mut search = Search::new(Board::STANDARD, 1 << 20);
/// let game = Moves::parse(Board::STANDARD, "32164625")?;
/// let score = search.score(game.position());
/// assert_eq!(score.get(), 11);
/// assert_eq!(score.outcome(), Outcome::Win);
/// // The winner still has 11 of 21 stones when placing the last one.
/// let plies = score.plies(Board::STANDARD, game.position().tier());
/// assert_eq!(plies.unwrap().get(), 13);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Search {
    board: Board,
    zobrist: Zobrist,
    table: Table,
    fold_dead_stones: bool,
    cpu: Cpu,
    threads: usize,
    nodes: u64,
}

/// What to find out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Goal {
    /// The score.
    Score,
    /// Only its sign.
    Outcome,
    /// Only whether it is above a bound.
    Above(i32),
}

impl Search {
    /// A search on `board` with a table of at most `table_bytes`, or of the 8 MiB that the largest
    /// boards need in any case.
    pub fn new(board: Board, table_bytes: usize) -> Search {
        let zobrist = Zobrist::new(board);
        let table = Table::new(board, zobrist.bits(), table_bytes);
        let cpu = Cpu::widest();
        Search { board, zobrist, table, fold_dead_stones: false, cpu, threads: 1, nodes: 0 }
    }

    /// The board that it searches on.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Positions visited so far, by all searches.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Forgets every position, as if it had never searched.
    pub fn forget(&mut self) {
        self.table.forget();
    }

    /// Sets whether positions that differ only in dead stones share a table entry. By default they
    /// do not. Forgets every position.
    pub fn fold_dead_stones(&mut self, fold: bool) {
        self.fold_dead_stones = fold;
        self.forget();
    }

    /// The score of a position for the player to move.
    ///
    /// # Panics
    ///
    /// If the position is not on the board of the search. The same holds for all methods below.
    pub fn score(&mut self, position: &Position) -> Score {
        self.try_score(position, Limit::default()).expect("no limit")
    }

    /// The outcome, which is faster to find than the score.
    pub fn outcome(&mut self, position: &Position) -> Outcome {
        self.try_outcome(position, Limit::default()).expect("no limit")
    }

    /// The score, or bounds on it if the limit is reached.
    pub fn try_score(&mut self, position: &Position, limit: Limit) -> Result<Score, Between> {
        let bounds = self.bounds(position, Goal::Score, ANY, limit);
        if bounds.lower == bounds.upper {
            Ok(Score::new_unchecked(bounds.lower))
        } else {
            Err(bounds.into())
        }
    }

    /// The outcome, or bounds on the score if the limit is reached.
    pub fn try_outcome(&mut self, position: &Position, limit: Limit) -> Result<Outcome, Between> {
        let between: Between = self.bounds(position, Goal::Outcome, ANY, limit).into();
        between.outcome().ok_or(between)
    }

    /// Narrows known bounds on the score, within the limit. If the search notices that they are
    /// wrong, the error is what it found by itself. The table never learns from them.
    pub fn narrow(
        &mut self,
        position: &Position,
        known: Between,
        limit: Limit,
    ) -> Result<Between, Between> {
        self.narrowed_by(position, Goal::Score, known, limit)
    }

    /// The same, but only until the outcome is known.
    pub fn narrow_outcome(
        &mut self,
        position: &Position,
        known: Between,
        limit: Limit,
    ) -> Result<Between, Between> {
        self.narrowed_by(position, Goal::Outcome, known, limit)
    }

    fn narrowed_by(
        &mut self,
        position: &Position,
        goal: Goal,
        known: Between,
        limit: Limit,
    ) -> Result<Between, Between> {
        let known = known.into();
        let found = self.bounds(position, goal, known, limit);
        found.within(known).map(Between::from).ok_or(found.into())
    }

    /// Bounds on the score that settle whether it is above `bound`, or the bounds of the rules if
    /// the limit is reached first.
    pub(crate) fn try_above(&mut self, position: &Position, bound: Score, limit: Limit) -> Between {
        self.bounds(position, Goal::Above(bound.get()), ANY, limit).into()
    }

    /// The score of each move for the player who makes it; empty once the game is over.
    pub fn move_scores(&mut self, position: &Position) -> Vec<(Column, Score)> {
        let children: Vec<_> = position.children().collect();
        children.into_iter().map(|(column, child)| (column, -self.score(&child))).collect()
    }

    /// A game from here on in which both players play their best. Of equally good moves, it takes
    /// the one nearest to the centre; of two equally near, the left one.
    pub fn line(&mut self, position: &Position) -> Vec<Column> {
        let (mut position, mut line) = (*position, Vec::new());
        loop {
            let scores = self.move_scores(&position);
            let best = scores.into_iter().max_by_key(|(column, score)| {
                let distance = self.board.distance_from_centre(*column);
                (*score, std::cmp::Reverse((distance, column.index())))
            });
            let Some((column, _)) = best else { return line };
            position = position.play_unchecked(column);
            line.push(column);
        }
    }

    /// Searches with this many threads of rayon's pool from now on, instead of one. The scores stay
    /// the same; the number of nodes then varies from run to run.
    pub fn use_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    /// Searches with this form of the kernels from now on, instead of the widest that the machine
    /// has. Scores and nodes stay the same.
    pub fn use_cpu(&mut self, cpu: Cpu) {
        self.cpu = cpu;
    }

    /// Bounds on the score that, together with those known before, reach a goal, or what was found
    /// within the limit. They come from the search alone: if they exclude those known before, the
    /// latter are wrong.
    fn bounds(&mut self, position: &Position, goal: Goal, known: Bounds, limit: Limit) -> Bounds {
        assert_eq!(position.board(), self.board, "a position on another board");
        if self.board == Board::STANDARD {
            self.bounds_in(Standard, position, goal, known, limit)
        } else {
            self.bounds_in(AnyShape::new(self.board), position, goal, known, limit)
        }
    }

    fn bounds_in<S: Shape>(
        &mut self,
        shape: S,
        position: &Position,
        goal: Goal,
        known: Bounds,
        limit: Limit,
    ) -> Bounds {
        let exactly = |score| Bounds { lower: score, upper: score };
        let empty = (self.board.cells() - position.tier().stones()) as i32;
        if let Some(outcome) = position.ending() {
            let tier = position.tier();
            return exactly(Score::from_plies_unchecked(self.board, tier, outcome, 0).get());
        }
        let alone = match self.threads {
            1 => limit,
            _ => Limit { nodes: Some(limit.nodes.map_or(ALONE, |most| most.min(ALONE))), ..limit },
        };
        let form = form_of(self.cpu);
        let mut searcher = Searcher::new(shape, form, &self.zobrist, &self.table, alone);
        searcher.fold_dead_stones = self.fold_dead_stones;
        let node = searcher.node(position);
        if let Some(score) = searcher.immediate_win(&node) {
            return exactly(score);
        }
        let widest = Bounds { lower: -(empty / 2), upper: (empty - 1) / 2 };
        let asked = Asked { node, goal, known, soon: (widest.upper - widest.lower) / 4 };
        let mut found = narrowed(&mut searcher, 1, asked, widest);
        // It stopped to let others help, unless the limit is reached.
        if self.threads > 1 && searcher.stopped && limit.next_look(searcher.nodes).is_some() {
            self.table.grow_fully();
            searcher.go_on(limit);
            found = narrowed(&mut searcher, self.threads, asked, found);
        }
        self.nodes += searcher.nodes;
        found
    }
}

/// The bounds of any score.
const ANY: Bounds = Bounds { lower: -Score::MOST.get(), upper: Score::MOST.get() };

/// Nodes that one thread visits before others help: a few tenths of a second. Shorter searches do
/// not gain from help, because the whole table must then be allocated at once.
const ALONE: u64 = 1 << 22;

/// A goal, and what is needed to reach it.
#[derive(Clone, Copy)]
struct Asked {
    node: Node,
    goal: Goal,
    /// What is known of the score already.
    known: Bounds,
    /// Scores beyond this, or beyond its negative, are those of short games.
    soon: i32,
}

/// Asks until the findings and what is known reach the goal or exclude each other, or the limit is
/// reached.
fn narrowed<S: Shape>(
    searcher: &mut Searcher<S>,
    threads: usize,
    Asked { node, goal, known, soon }: Asked,
    mut found: Bounds,
) -> Bounds {
    while let Some(bounds) = found.within(known)
        && let Some(bound) = next_bound(bounds, soon, goal)
    {
        let answer = match threads {
            1 => searcher.search(node, bound),
            _ => search_on_threads(searcher, threads, node, bound),
        };
        if searcher.stopped {
            break;
        }
        if answer > bound {
            found.lower = found.lower.max(answer);
        } else {
            found.upper = found.upper.min(answer);
        }
    }
    found
}

/// The bound to try next: the search then finds whether the score is above it. `None` if enough is
/// known. Scores beyond `soon` are those of short games.
fn next_bound(bounds: Bounds, soon: i32, goal: Goal) -> Option<i32> {
    let Bounds { lower, upper } = bounds;
    match goal {
        Goal::Score => next_question(lower, upper, soon),
        Goal::Outcome if lower > 0 || upper < 0 => None,
        Goal::Outcome if upper > 0 => Some(0),
        Goal::Outcome if lower < 0 => Some(-1),
        Goal::Outcome => None,
        Goal::Above(bound) if lower > bound || upper <= bound => None,
        Goal::Above(bound) => Some(bound),
    }
}

/// The bound to ask about next if the score lies between `lower` and `upper`. Scores beyond `soon`
/// or `-soon` are those of short games.
pub(crate) fn next_question(lower: i32, upper: i32, soon: i32) -> Option<i32> {
    match (lower, upper) {
        _ if lower == upper => None,
        // Whether it ends soon.
        _ if lower < soon && upper > soon => Some(soon),
        _ if lower < -soon && upper > -soon => Some(-soon),
        // If so, when.
        _ if lower >= soon || upper <= -soon => Some((lower + upper).div_euclid(2)),
        // If not, who wins, and when.
        _ if lower < 0 && upper > 0 => Some(0),
        _ if lower >= 0 => Some(lower),
        _ => Some(upper - 1),
    }
}

/// Answers as [`Searcher::search`] does, on this many threads. If the limit of `first` is reached
/// before, `first` ends up `stopped`.
fn search_on_threads<S: Shape>(
    first: &mut Searcher<S>,
    threads: usize,
    node: Node,
    bound: i32,
) -> i32 {
    let (done, nodes, answer) = (AtomicBool::new(false), AtomicU64::new(0), Mutex::new(None));
    let shared = &*first;
    rayon::scope(|scope| {
        for thread in 0..threads {
            let (done, nodes, answer) = (&done, &nodes, &answer);
            scope.spawn(move |_| {
                let mut searcher = shared.twin(threads, History::shuffled(thread as u64), done);
                let found = searcher.search(node, bound);
                nodes.fetch_add(searcher.nodes, Relaxed);
                if !searcher.stopped {
                    done.store(true, Relaxed);
                    *answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
                }
            });
        }
    });
    first.nodes += nodes.into_inner();
    let answer = answer.into_inner().unwrap_or_else(PoisonError::into_inner);
    first.stopped = answer.is_none();
    answer.unwrap_or(bound)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Moves;

    #[test]
    fn a_search_that_may_spend_no_more_does_not_ask_for_its_whole_table() {
        let game = Moves::parse(Board::STANDARD, "44").unwrap();
        let stop = AtomicBool::new(true);
        let limits = [
            Limit { nodes: Some(5000), ..Limit::default() },
            Limit { deadline: Some(std::time::Instant::now()), ..Limit::default() },
            Limit { stop: Some(&stop), ..Limit::default() },
        ];
        for limit in limits {
            let mut search = Search::new(Board::STANDARD, 64 << 20);
            search.use_threads(2);
            assert!(search.try_score(game.position(), limit).is_err());
            assert_ne!(search.table.stores_until_growth(), u64::MAX, "{limit:?}");
        }
        // With a higher limit, the whole table is there.
        let mut search = Search::new(Board::STANDARD, 16 << 20);
        search.use_threads(2);
        let limit = Limit { nodes: Some(ALONE + 10_000), ..Limit::default() };
        assert!(search.try_score(game.position(), limit).is_err());
        assert_eq!(search.table.stores_until_growth(), u64::MAX);
    }
}
