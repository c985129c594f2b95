//! Tables that are whole but wrong: no answer contradicts itself, and every wrong value that can be
//! seen is an error.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use strong4::board::{Board, Outcome, Position, Status, Tier};
use strong4::inside::index::{Cell, Finder, Index};
use strong4::inside::probe::TableProbe;
use strong4::inside::random::SplitMix64;
use strong4::inside::session::Session;
use strong4::inside::table::{Horizon, Layout, Tables, check};
use strong4::query::{Answer, Origin, QueryError, Question, Value};
use strong4::search::Score;
use strong4::tromp::Key;

use super::build::{bits, encoded_words, tier_of, words, write, written};
use super::forger::Forger;
use crate::index::cells;
use crate::minimax::{score, scores};

const OUTCOME: Question =
    Question { outcome_only: true, limit: None, whole_line: false, stop: None, threads: None };
const WHOLE: Question =
    Question { outcome_only: false, limit: None, whole_line: true, stop: None, threads: None };

/// The cells of a tier whose outcome means something, whether they are looked up or are in the half
/// of a symmetric tile that is not.
pub fn quiet_cells(index: &Index, tier: Tier) -> Vec<Cell> {
    let quiet = |cell: &Cell| {
        let position = index.unrank(*cell);
        position.status() == Status::Open && position.is_quiet() && position.validate().is_ok()
    };
    cells(index, tier).filter(quiet).collect()
}

/// Draws from lists.
pub struct Dice(SplitMix64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(SplitMix64(seed))
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0.below(end as u64) as usize
    }

    pub fn one_of<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.below(all.len())]
    }

    /// A different outcome.
    pub fn other_than(&mut self, outcome: Outcome) -> Outcome {
        let all = [Outcome::Win, Outcome::Draw, Outcome::Loss];
        let others: Vec<Outcome> = all.into_iter().filter(|other| *other != outcome).collect();
        *self.one_of(&others)
    }
}

/// A board, and the truth.
struct Scene {
    finder: Arc<Finder>,
    truth: HashMap<Position, i32>,
}

impl Scene {
    fn new(board: Board) -> Scene {
        Scene { finder: Arc::new(Finder::new(board).unwrap()), truth: scores(board) }
    }

    fn score(&self, position: &Position) -> Score {
        let score = match position.status() {
            Status::Won(_) => score(position, &mut HashMap::new()),
            _ => self.truth[position],
        };
        Score::new(score).unwrap()
    }

    /// Asks about each of these positions, and returns how many were refused.
    fn ask<'p>(
        &self,
        folder: &Path,
        question: Question,
        positions: impl Iterator<Item = &'p Position>,
    ) -> usize {
        let tables = Arc::new(Tables::open(folder, self.finder.census()));
        let probe = || TableProbe::new(&self.finder, &tables);
        let mut session = Session::new(self.finder.board()).with_tables(probe());
        let mut probe = probe();
        let mut refused = 0;
        for position in positions {
            match session.analyze(position, question) {
                Err(error) => {
                    self.check_error(position, &error, folder);
                    refused += 1;
                }
                Ok(answer) => {
                    check_consistent(&answer);
                    if is_visible(&mut probe, position) {
                        self.check_true(&answer, question);
                    }
                }
            }
        }
        refused
    }

    /// An error names the position, both sources, and a file.
    fn check_error(&self, asked: &Position, error: &QueryError, folder: &Path) {
        let said = error.to_string();
        assert!(said.contains(&*folder.to_string_lossy()), "{said}");
        if let QueryError::Contradiction(contradiction) = error {
            let position = &contradiction.position;
            assert!(position.tier() >= asked.tier());
            assert!(said.contains(&format!("key {}", Key::of(position).0)), "{said}");
            let claims = [&contradiction.one, &contradiction.other];
            assert!(claims.iter().all(|claim| !claim.origins.is_empty()), "{said}");
            assert_eq!(claims[0].value.and(claims[1].value), None, "{said}");
            let table = |origin: &Origin| matches!(origin, Origin::Table { .. });
            assert!(claims.iter().any(|claim| claim.origins.iter().any(table)), "{said}");
        }
    }

    fn check_true(&self, answer: &Answer, question: Question) {
        let position = &answer.position;
        assert_eq!(answer.value.outcome(), Some(self.score(position).outcome()), "\n{position}");
        for (column, child) in position.children() {
            let (told, truth) = (answer.columns[column.index()].unwrap(), -self.score(&child));
            assert_eq!(told.outcome(), Some(truth.outcome()), "\n{position}");
            if !question.outcome_only {
                assert_eq!(told.score(), Some(truth), "\n{position}");
            }
        }
    }
}

/// Whether the tables contradict themselves about a position and its moves.
fn is_visible(probe: &mut TableProbe, position: &Position) -> bool {
    let Ok((told, _)) = probe.outcome(position) else { return false };
    let mut best = None;
    for (_, child) in position.children() {
        let Ok((outcome, _)) = probe.outcome(&child) else { return false };
        best = best.max(Some(outcome.for_other()));
    }
    position.status() == Status::Open && best.is_some_and(|best| best != told)
}

/// No two statements of an answer exclude each other.
fn check_consistent(answer: &Answer) {
    let Answer { position, value, columns, best, line, .. } = answer;
    let all = columns.iter().flatten().chain([value]);
    assert!(all.clone().all(|value| value.lower() <= value.upper()), "{answer:?}");
    if position.status() != Status::Open {
        return;
    }
    let of = |bound: fn(&Value) -> Score| {
        columns.iter().flatten().map(bound).max().expect("an open game has moves")
    };
    let (lower, upper) = (of(|value| value.lower()), of(|value| value.upper()));
    assert!(value.lower() <= upper && lower <= value.upper(), "{answer:?}");
    if let Some(outcome) = value.outcome() {
        let outcomes = columns.iter().flatten().map(|value| value.outcome());
        assert!(outcomes.clone().any(|move_s| move_s.is_none_or(|o| o == outcome)), "{answer:?}");
        assert!(outcomes.flatten().all(|move_s| move_s <= outcome), "{answer:?}");
    }
    assert!(best.iter().all(|column| columns[column.index()].is_some()));
    let end = line.iter().fold(*position, |position, column| position.play(*column).unwrap());
    if end.status() != Status::Open && !line.is_empty() {
        let plies = answer.value.score().unwrap().plies(position.board(), position.tier()).unwrap();
        assert_eq!(line.len(), usize::from(plies.get()), "{answer:?}");
    }
}

/// A position, and all positions up to two moves before and after it.
fn around(position: &Position) -> Vec<Position> {
    let before = |position: &Position| {
        let lifted = position.board().columns().filter_map(|column| position.lift(column));
        lifted.filter(|position| position.validate().is_ok()).collect::<Vec<_>>()
    };
    let open = |position: &Position| position.status() == Status::Open;
    let parents: Vec<Position> = before(position).into_iter().filter(open).collect();
    let grandparents = parents.iter().flat_map(before).filter(open);
    let children: Vec<Position> = position.children().map(|(_, child)| child).collect();
    let mut all: Vec<Position> = grandparents.collect();
    all.extend(parents);
    all.push(*position);
    all.extend(children.into_iter().filter(open));
    let mirrored: Vec<Position> = all.iter().map(Position::mirror).collect();
    let mut met = HashSet::new();
    all.into_iter().chain(mirrored).filter(|position| met.insert(*position)).collect()
}

#[test]
fn a_wrong_value_is_an_error_wherever_it_can_be_seen() {
    lies_are_errors([("4x4", 12, 0), ("3x4", 20, 0)]);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn a_wrong_value_on_a_larger_board_is_an_error_wherever_it_can_be_seen() {
    lies_are_errors([("5x4", 3, 20011)]);
}

/// Forges this many values on each board, one at a time. Asks about the positions near each of
/// them, and about one in `step` of all positions; 0 means none.
fn lies_are_errors<const N: usize>(boards: [(&str, usize, usize); N]) {
    for (board, changes, step) in boards {
        let (index, sound) = written(board, 1);
        let scene = Scene::new(index.board());
        let mut forger = Forger::new(&index, sound.path());
        let mut dice = Dice::new(board.len() as u64);
        let last = index.board().cells() - 2;
        for _ in 0..changes {
            let tier = tier_of(dice.below(last) as u8);
            let quiet = quiet_cells(&index, tier);
            if quiet.is_empty() {
                continue;
            }
            let cell = *dice.one_of(&quiet);
            let position = index.unrank(cell);
            let wrong = bits(tier, dice.other_than(scene.score(&position).outcome()));
            let near = around(&position);
            let far: Vec<&Position> = match step {
                0 => Vec::new(),
                step => scene.truth.keys().skip(dice.below(step)).step_by(step).collect(),
            };
            let change = |forger: &mut Forger| forger.set(tier, cell, wrong);
            forger.with(tier, change, |forger| {
                let folder = forger.folder();
                // Every byte is as it was written.
                assert!(check(folder, index.census(), &()).unwrap().faults.is_empty());
                for question in [OUTCOME, WHOLE] {
                    let all = near.iter().chain(far.iter().copied());
                    let refused = scene.ask(folder, question, all);
                    if index.census().is_canonical(cell) {
                        assert!(refused > 0, "\n{position}");
                    }
                }
            });
        }
    }
}

#[test]
fn every_position_of_a_board_with_wrong_values_is_answered_right_or_not_at_all() {
    for (board, many) in [("4x4", 40), ("4x3", 20)] {
        let (index, sound) = written(board, 1);
        let scene = Scene::new(index.board());
        let mut forger = Forger::new(&index, sound.path());
        let mut dice = Dice::new(7);
        for tier in [4, 7, 9] {
            let tier = tier_of(tier);
            let quiet = quiet_cells(&index, tier);
            let change = |forger: &mut Forger| {
                for _ in 0..many {
                    let bits = [dice.below(2) == 1, dice.below(2) == 1];
                    forger.set(tier, *dice.one_of(&quiet), bits);
                }
            };
            forger.with(tier, change, |forger| {
                let all = scene.truth.keys();
                let refused = scene.ask(forger.folder(), OUTCOME, all.clone());
                assert!(refused > 0);
                let step = if board == "4x4" { 47 } else { 1 };
                scene.ask(forger.folder(), WHOLE, all.step_by(step));
            });
        }
    }
}

#[test]
fn crafted_fields_are_an_error_or_the_right_answer() {
    fields_are_crafted("4x3", [0, 6, 11], 5);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn crafted_fields_of_4x4_are_an_error_or_the_right_answer() {
    fields_are_crafted("4x4", [0, 8, 15], 1);
}

/// Changes fields in a header, an index or a block, with fitting checksums.
fn fields_are_crafted(board: &str, tiers: [u8; 3], step: usize) {
    let (index, sound) = written(board, 1);
    let scene = Scene::new(index.board());
    let mut forger = Forger::new(&index, sound.path());
    let by_tier = |tier: u8| {
        let here = move |position: &&Position| position.tier() == tier_of(tier);
        scene.truth.keys().filter(here).take(50)
    };
    let look = |forger: &Forger, tier: u8| {
        let near = (tier.saturating_sub(2)..=tier).flat_map(by_tier);
        scene.ask(forger.folder(), OUTCOME, near);
        check(forger.folder(), index.census(), &()).unwrap().faults.len()
    };
    for tier in tiers {
        let tier_ = tier_of(tier);
        // Each byte of the header except the checksum, which is corrected.
        for at in (0..508).step_by(step).filter(|at| *at < 164 || at % 31 == 0) {
            for patch in &[0xff, 1][..if step == 1 { 2 } else { 1 }] {
                let change = |forger: &mut Forger| forger.patch(tier_, at, &[*patch]);
                forger.with(tier_, change, |forger| look(forger, tier));
            }
        }
        for (at, length) in [(32, 8), (40, 8), (48, 8), (56, 32), (96, 32), (20, 8)] {
            let change = |forger: &mut Forger| forger.patch(tier_, at, &vec![0xff; length]);
            forger.with(tier_, change, |forger| look(forger, tier));
        }
        let blocks = forger.places(tier_).to_vec();
        let mut dice = Dice::new(u64::from(tier));
        for _ in 0..if blocks.is_empty() { 0 } else { 12 / step } {
            let block = dice.below(blocks.len());
            let (offset, length) = blocks[block];
            let (other, _) = *dice.one_of(&blocks);
            for (offset, length) in [
                (offset + 1, length),
                (offset.wrapping_sub(1), length),
                (offset, length + 1),
                (offset, length.wrapping_sub(1)),
                (other, length),
                (offset, 0),
                (0, length),
                (0, 0),
                (u64::MAX, u32::MAX),
                (u64::MAX - 5, length),
                (511, 2),
                (offset, u32::MAX),
            ] {
                let change = |forger: &mut Forger| forger.place(tier_, block, offset, length);
                let faults = forger.with(tier_, change, |forger| look(forger, tier));
                let as_it_was = (offset, length) == blocks[block];
                assert_eq!(faults == 0, as_it_was, "block {block}: {length} from {offset} on");
            }
            let noise: Vec<usize> = (0..4).map(|_| dice.below(1 << 16)).collect();
            let garble = |bytes: &mut Vec<u8>| {
                let length = bytes.len();
                for at in noise.iter().filter(|_| length > 0) {
                    bytes[at % length] ^= 1 << (at % 8);
                }
                if noise[0].is_multiple_of(3) {
                    bytes.truncate(length / 2);
                }
            };
            let change = |forger: &mut Forger| forger.garble(tier_, block, garble);
            forger.with(tier_, change, |forger| look(forger, tier));
        }
    }
}

#[test]
fn openings_and_a_table_that_disagree_are_an_error() {
    let board = Board::STANDARD;
    let finder = Arc::new(Finder::new(board).unwrap());
    let empty = Position::empty(board);
    for (outcome, agrees) in [(Outcome::Win, true), (Outcome::Draw, false), (Outcome::Loss, false)]
    {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(finder.census(), tier_of(0), Horizon(14));
        let tiles = encoded_words(&layout, words(&layout, |_| outcome));
        write(folder.path(), &layout, &tiles, Default::default(), None);
        let tables = Arc::new(Tables::open(folder.path(), finder.census()));
        let mut session = Session::new(board).with_tables(TableProbe::new(&finder, &tables));
        let answer = session.analyze(&empty, OUTCOME);
        assert_eq!(answer.is_ok(), agrees);
        // The tables of the moves are missing, but were not needed.
        assert!(session.take_missed_tiers().is_empty());
        if let Err(error) = answer {
            let said = error.to_string();
            let file = format!("the table of tier 0 ({}/tier-00.s4t)", folder.path().display());
            let key = Key::of(&empty);
            let start = format!("sources contradict each other: the position with key {key} is a ");
            assert!(said.starts_with(&start), "{said}");
            assert!(said.contains("a win, score 1 by the built-in openings, and"), "{said}");
            assert!(said.contains(&file), "{said}");
        }
    }
}
