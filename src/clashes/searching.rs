//! How wrong hits affect a search.
//!
//! This is a small alpha-beta for the outcome, with a transposition table in which every entry
//! stores its position beside the hash. So it knows for each retrieval whether the entry belongs to
//! the position, or to another one whose check happens to agree: a *wrong hit*. It either sees
//! through wrong hits and only counts them, or believes them, as a program must that stores only
//! the check.
//!
//! With c check bits, an entry of another position is taken for the right one with probability
//! 2^−c. A search that sees through wrong hits visits the same positions whatever c is, so one run
//! counts the wrong hits for all c.

use std::collections::HashSet;

use rayon::prelude::*;

use super::games::Games;
use super::words::agreeing_bits;
use super::{ANY_SHARE, Recipe};
use crate::board::{Board, Player, Position, has_four};
use crate::grade::{Confidence, Mean, Share};
use crate::random::SplitMix64;
use crate::search::zobrist::Words;

/// Check bits that are counted: 0, 1, … and this many.
pub(crate) const MOST_CHECK: usize = 24;
/// Stones of the positions that are searched.
const STONES: usize = 24;
/// The number of check bits for studying the causes of wrong hits.
const CAUSE_BITS: u32 = 8;

/// Key sets of one recipe, and what they are tried on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeySets {
    /// The board.
    pub board: Board,
    /// How the words are made.
    pub recipe: Recipe,
    /// The number of sets, each with other words, but with the same positions to search.
    pub sets: u64,
    /// Positions to search.
    pub positions: usize,
    /// The table has 2^`bits` entries.
    pub bits: u32,
    /// The seed selects the words and the positions.
    pub seed: u64,
}

/// Wrong hits of searches that see through them.
#[derive(Clone, Debug)]
pub(crate) struct WrongHits {
    /// What was counted, by key set.
    sets: Vec<Counts>,
}

#[derive(Clone, Default, Debug)]
struct Counts {
    retrievals: u64,
    /// Retrievals that met an entry of another position.
    foreign: u64,
    /// The number of these that agreed in at least this many check bits.
    agreeing: [u64; MOST_CHECK + 1],
    causes: Causes,
}

/// Wrong hits with [`CAUSE_BITS`] check bits, and as many foreign entries taken at fixed intervals.
#[derive(Clone, Default, Debug)]
struct Causes {
    wrong: HashSet<[u64; 2]>,
    by_turns: HashSet<[u64; 2]>,
    taken_by_turns: u64,
}

/// Results of searches that believe wrong hits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct WrongResults {
    /// Outcomes found.
    pub results: u64,
    /// The number of wrong ones.
    pub wrong: u64,
    /// Wrong hits on the way.
    pub wrong_hits: u64,
}

impl WrongHits {
    /// Retrievals of all sets.
    pub(crate) fn retrievals(&self) -> u64 {
        self.sets.iter().map(|set| set.retrievals).sum()
    }

    /// Wrong hits per million retrievals with this many check bits, and how certain that is.
    pub(crate) fn per_million(&self, check: usize) -> (f64, Confidence) {
        let shares = self.sets.iter().map(|s| 1e6 * s.agreeing[check] as f64 / s.retrievals as f64);
        let by_sets: Mean = shares.collect();
        // Wrong hits come in clusters, which shows in how much the sets differ. But small numbers
        // of hits are uncertain even if the sets agree.
        let hits = self.sets.iter().map(|set| set.agreeing[check]).sum();
        let by_hits = Share { hits, of: self.retrievals() }.confidence().unwrap_or(ANY_SHARE);
        let mean = by_sets.mean().unwrap_or(f64::NAN);
        // The variation of a single set is unknown.
        let unknown = Confidence { low: 0.0, high: f64::INFINITY };
        let by_sets = by_sets.confidence().unwrap_or(unknown);
        let low = by_sets.low.max(0.0).min(1e6 * by_hits.low);
        (mean, Confidence { low, high: by_sets.high.max(1e6 * by_hits.high) })
    }

    /// The wrong hits that independent random checks would give for the same foreign entries.
    pub(crate) fn predicted_per_million(&self, check: usize) -> f64 {
        let shares = self.sets.iter().map(|s| s.foreign as f64 / s.retrievals as f64);
        1e6 * shares.sum::<f64>() / self.sets.len() as f64 * 0.5f64.powi(check as i32)
    }

    /// The number of wrong hits with 8 check bits, and of the different ways in which the two
    /// positions differed.
    pub(crate) fn causes(&self) -> (u64, u64) {
        let wrong = self.sets.iter().map(|set| set.agreeing[CAUSE_BITS as usize]).sum();
        (wrong, self.sets.iter().map(|set| set.causes.wrong.len() as u64).sum())
    }

    /// The same for one in 256 foreign entries, whatever their check.
    pub(crate) fn causes_by_turns(&self) -> (u64, u64) {
        let taken = self.sets.iter().map(|set| set.causes.taken_by_turns).sum();
        (taken, self.sets.iter().map(|set| set.causes.by_turns.len() as u64).sum())
    }
}

/// Searches with every key set, and sees through wrong hits.
pub(crate) fn wrong_hits(study: &KeySets) -> WrongHits {
    WrongHits { sets: each_set(study, None).into_iter().map(|(counts, _)| counts).collect() }
}

/// Searches with every key set, and believes a check of this many bits.
pub(crate) fn wrong_results(study: &KeySets, check: u32) -> WrongResults {
    let truth = each_set(&KeySets { sets: 1, ..*study }, None).remove(0).1;
    let mut results = WrongResults { results: 0, wrong: 0, wrong_hits: 0 };
    for (counts, values) in each_set(study, Some(check)) {
        results.results += values.len() as u64;
        results.wrong += values.iter().zip(&truth).filter(|(a, b)| a != b).count() as u64;
        results.wrong_hits += counts.agreeing[check as usize];
    }
    results
}

/// The counts and the outcomes of each key set. The table is not cleared between positions.
fn each_set(study: &KeySets, believed: Option<u32>) -> Vec<(Counts, Vec<i8>)> {
    let KeySets { board, recipe, sets, positions, bits, seed } = *study;
    let games = Games::new(board, SplitMix64::of(&[seed, 0]));
    let positions: Vec<Position> =
        games.filter(|position| position.tier().stones() == STONES).take(positions).collect();
    let of_set = |set| {
        let words = recipe.words(board, SplitMix64::of(&[seed, 1, set]).word());
        let mut searcher = Searcher::new(board, &words, bits, believed);
        let values = positions.iter().map(|position| searcher.value(position)).collect();
        for check in (0..MOST_CHECK).rev() {
            searcher.counts.agreeing[check] += searcher.counts.agreeing[check + 1];
        }
        (searcher.counts, values)
    };
    (0..sets).into_par_iter().map(of_set).collect()
}

/// What is known of a position, for the player to move: 1 a win, 0 a draw, −1 a loss.
#[derive(Clone, Copy)]
struct Entry {
    stones: [u64; 2],
    hash: u64,
    lower: i8,
    upper: i8,
}

#[derive(Clone, Copy)]
struct Node {
    stones: [u64; 2],
    hash: u64,
    mover: Player,
}

struct Searcher<'a> {
    board: Board,
    words: &'a Words,
    /// The columns, those nearest to the centre first.
    columns: Vec<u64>,
    bottom: u64,
    table: Vec<Option<Entry>>,
    bits: u32,
    believed: Option<u32>,
    counts: Counts,
}

impl<'a> Searcher<'a> {
    fn new(board: Board, words: &'a Words, bits: u32, believed: Option<u32>) -> Searcher<'a> {
        let columns = board.centre_first();
        Searcher {
            board,
            words,
            bottom: columns.iter().fold(0, |cells, column| cells | board.cell(*column, 0)),
            columns: columns.iter().map(|column| board.column_mask(*column)).collect(),
            table: vec![None; 1 << bits],
            bits,
            believed,
            counts: Counts::default(),
        }
    }

    /// The outcome of an open position.
    fn value(&mut self, position: &Position) -> i8 {
        let stones = Player::BOTH.map(|player| position.stones(player));
        let node = Node { stones, hash: self.words.hash(stones), mover: position.mover() };
        self.search(node, -1, 1)
    }

    fn search(&mut self, node: Node, mut alpha: i8, mut beta: i8) -> i8 {
        let Node { stones, hash, mover } = node;
        let occupied = stones[0] | stones[1];
        let landing = occupied.wrapping_add(self.bottom) & self.board.mask();
        if landing == 0 {
            return 0;
        }
        let own = stones[mover.index()];
        let wins = |cell: u64| cell != 0 && has_four(self.board, own | cell);
        if self.columns.iter().any(|column| wins(landing & column)) {
            return 1;
        }
        if let Some(Entry { lower, upper, .. }) = self.retrieve(&node) {
            alpha = alpha.max(lower);
            beta = beta.min(upper);
            if alpha >= beta {
                return if lower >= beta { lower } else { upper };
            }
        }
        let mut best = -1;
        for at in 0..self.columns.len() {
            let cell = landing & self.columns[at];
            if cell == 0 {
                continue;
            }
            let mut child = node;
            child.stones[mover.index()] |= cell;
            child.hash = hash ^ self.words.word(mover, cell);
            child.mover = mover.other();
            best = best.max(-self.search(child, -beta, -alpha.max(best)));
            if best >= beta {
                break;
            }
        }
        let lower = if best > alpha { best } else { -1 };
        let upper = if best < beta { best } else { 1 };
        let slot = self.slot(hash);
        self.table[slot] = Some(Entry { stones, hash, lower, upper });
        best
    }

    /// The entry of a node, or one that is mistaken for it.
    fn retrieve(&mut self, node: &Node) -> Option<Entry> {
        self.counts.retrievals += 1;
        let entry = self.table[self.slot(node.hash)]?;
        if entry.stones == node.stones {
            return Some(entry);
        }
        let counts = &mut self.counts;
        let agreement = agreeing_bits(entry.hash, node.hash, self.bits);
        counts.foreign += 1;
        counts.agreeing[MOST_CHECK.min(agreement as usize)] += 1;
        let difference = [0, 1].map(|player| entry.stones[player] ^ node.stones[player]);
        if agreement >= CAUSE_BITS {
            counts.causes.wrong.insert(difference);
        }
        if counts.foreign.is_multiple_of(1 << CAUSE_BITS) {
            counts.causes.by_turns.insert(difference);
            counts.causes.taken_by_turns += 1;
        }
        self.believed.filter(|check| agreement >= *check).map(|_| entry)
    }

    fn slot(&self, hash: u64) -> usize {
        hash as usize & (self.table.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Outcome, Tier};
    use crate::search::Search;

    const STUDY: KeySets = KeySets {
        board: Board::STANDARD,
        recipe: Recipe::Random,
        sets: 3,
        positions: 6,
        bits: 12,
        seed: 1,
    };

    #[test]
    fn intervals_are_the_wider_of_two_and_unknown_for_a_single_set() {
        let set =
            |hits| Counts { retrievals: 1_000_000, agreeing: [hits; 25], ..Counts::default() };
        let of = |hits: &[u64]| WrongHits { sets: hits.iter().copied().map(set).collect() };
        let (mean, found) = of(&[4, 6, 5]).per_million(8);
        // Student's lower end, and Wilson's upper one for 15 hits.
        assert!((mean - 5.0).abs() < 1e-9 && (found.low - 2.5157).abs() < 0.0005, "{found:?}");
        assert!((found.high - 8.25).abs() < 0.005, "{found:?}");
        let (_, found) = of(&[4]).per_million(8);
        assert_eq!(found, Confidence { low: 0.0, high: f64::INFINITY });
    }

    #[test]
    fn a_search_that_sees_through_finds_the_outcomes() {
        let games = Games::new(STUDY.board, SplitMix64::of(&[STUDY.seed, 0]));
        let positions = games.filter(|position| position.tier() == Tier(STONES as u8));
        let mut search = Search::new(STUDY.board, 1 << 20);
        for (position, values) in positions.take(6).zip(0..) {
            let expected = search.outcome(&position) as i8 - Outcome::Draw as i8;
            for (_, found) in each_set(&STUDY, None) {
                assert_eq!(found[values as usize], expected, "{position}");
            }
        }
        let unbroken = wrong_results(&STUDY, MOST_CHECK as u32);
        assert_eq!((unbroken.results, unbroken.wrong), (18, 0));
    }

    #[test]
    fn wrong_hits_come_as_predicted_unless_words_are_bad() {
        let hits = wrong_hits(&STUDY);
        assert_eq!(hits.per_million(0).0, hits.predicted_per_million(0));
        for check in 1..=6 {
            let ratio = hits.per_million(check).0 / hits.predicted_per_million(check);
            assert!((0.7..1.4).contains(&ratio), "{check}: {ratio}");
        }
        let bad = wrong_hits(&KeySets { recipe: Recipe::Repeated, ..STUDY });
        assert!(bad.per_million(16).0 > 20.0 * bad.predicted_per_million(16));
        let (wrong, causes) = hits.causes();
        let (taken, by_turns) = hits.causes_by_turns();
        assert!(causes <= wrong && by_turns <= taken);
        assert!(wrong * by_turns > causes * taken, "wrong hits share their causes");
    }

    #[test]
    fn belief_without_a_check_ruins_results() {
        let ruined = wrong_results(&KeySets { positions: 30, ..STUDY }, 0);
        assert!(ruined.wrong > 0 && ruined.wrong_hits > 0, "{ruined:?}");
    }
}
