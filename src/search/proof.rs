//! Depth-first proof-number search: who wins, proved a second way.
//!
//! The question has two answers: does the *attacker* get a four? Every position carries two
//! numbers, seen from the side to move, whose goal is a four for the attacker and no four for
//! the opponent. `reach` is the least number of leaves still to be settled to show that the mover
//! reaches that goal, and `miss` the same to show the opposite. Once one of them is shown, one
//! number is 0 and the other infinite.
//!
//! ```text
//!     reach = least of the children's miss        one good move is enough
//!     miss  = sum of the children's reach         all moves must fail
//! ```
//!
//! The search descends to the leaf that would settle most, always into the child with the least
//! `miss`. It comes back up only when a number passes the threshold beyond which another branch
//! would be better. It shares with alpha-beta only the masks and the words of the hash: no bounds,
//! no move order, no argument about zugzwang.

use super::score::Limit;
use super::shape::{AnyShape, Shape, Standard};
use super::zobrist::Zobrist;
use crate::board::{Board, Outcome, Player, Position};

const INFINITE: u32 = u32::MAX / 2;

/// What is still to be shown of a position, either way.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Numbers {
    reach: u32,
    miss: u32,
}

const UNKNOWN: Numbers = Numbers { reach: 1, miss: 1 };
const REACHED: Numbers = Numbers { reach: 0, miss: INFINITE };
const MISSED: Numbers = Numbers { reach: INFINITE, miss: 0 };

/// An entry of the table: the whole hash, which identifies the position, and its numbers. They are
/// never both 0, so an entry of zeros was never written.
///
/// ```text
///     64 bits hash | 32 bits reach | 32 bits miss
/// ```
#[derive(Clone, Copy, Default, Debug)]
struct Entry {
    hash: u64,
    numbers: Numbers,
}

const _: () = assert!(size_of::<Entry>() == 16);

/// Proves who wins, on one board.
///
/// ```
/// use strong4::board::{Board, Moves, Outcome};
/// use strong4::search::ProofSearch;
///
/// let mut search = ProofSearch::new(Board::STANDARD, 1 << 20);
/// let game = Moves::parse(Board::STANDARD, "5554224333234511764415115")?;
/// assert_eq!(search.outcome(game.position()), Outcome::Win);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ProofSearch {
    board: Board,
    zobrist: Zobrist,
    table: Vec<Entry>,
    nodes: u64,
}

impl ProofSearch {
    /// A search on `board` with a table of at most `table_bytes`.
    pub fn new(board: Board, table_bytes: usize) -> ProofSearch {
        let entries = 1 << (table_bytes / size_of::<Entry>()).max(1).ilog2();
        let table = vec![Entry::default(); entries];
        ProofSearch { board, zobrist: Zobrist::new(board), table, nodes: 0 }
    }

    /// Positions expanded so far, by all searches.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Who wins, for the player to move.
    ///
    /// # Panics
    ///
    /// If the position is not on the board of the search.
    pub fn outcome(&mut self, position: &Position) -> Outcome {
        self.try_outcome(position, Limit::default()).expect("no limit")
    }

    /// The same, or `None` if the limit was too low for a proof.
    pub fn try_outcome(&mut self, position: &Position, limit: Limit) -> Option<Outcome> {
        assert_eq!(position.board(), self.board, "a position on another board");
        if let Some(outcome) = position.ending() {
            return Some(outcome);
        }
        let mover = position.mover();
        if self.gets_four(position, mover, limit)? {
            return Some(Outcome::Win);
        }
        let lost = self.gets_four(position, mover.other(), limit)?;
        Some(if lost { Outcome::Loss } else { Outcome::Draw })
    }

    /// Whether `attacker` gets a four, if both play their best.
    fn gets_four(&mut self, position: &Position, attacker: Player, limit: Limit) -> Option<bool> {
        // Proofs for the other attacker mean nothing to this one.
        self.table.fill(Entry::default());
        let reached = if self.board == Board::STANDARD {
            self.reaches(Standard, position, attacker, limit)
        } else {
            self.reaches(AnyShape::new(self.board), position, attacker, limit)
        }?;
        Some(reached == (position.mover() == attacker))
    }

    fn reaches<S: Shape>(
        &mut self,
        shape: S,
        position: &Position,
        attacker: Player,
        limit: Limit,
    ) -> Option<bool> {
        let before = self.nodes;
        let mut prover = Prover {
            shape,
            attacker,
            zobrist: &self.zobrist,
            table: &mut self.table,
            limit,
            nodes: 0,
            next_look: limit.next_look(0),
        };
        let node = Node {
            own: position.stones(position.mover()),
            occupied: position.occupied(),
            hash: prover.zobrist.hash(position),
        };
        let numbers = prover.prove(node, Numbers { reach: INFINITE, miss: INFINITE });
        self.nodes = before + prover.nodes;
        match numbers {
            Numbers { reach: 0, .. } => Some(true),
            Numbers { miss: 0, .. } => Some(false),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Node {
    own: u64,
    occupied: u64,
    hash: u64,
}

struct Prover<'a, S> {
    shape: S,
    attacker: Player,
    zobrist: &'a Zobrist,
    table: &'a mut [Entry],
    limit: Limit<'a>,
    nodes: u64,
    /// `None` once the limit is reached.
    next_look: Option<u64>,
}

impl<S: Shape> Prover<'_, S> {
    /// Works on a node until one of its numbers reaches its threshold.
    fn prove(&mut self, node: Node, threshold: Numbers) -> Numbers {
        self.nodes += 1;
        if self.next_look.is_some_and(|nodes| self.nodes >= nodes) {
            self.next_look = self.limit.next_look(self.nodes);
        }
        // The children, and what is known of them. Their entries in the table may be overwritten
        // while others are worked on.
        let mut children = [(Node::default(), UNKNOWN); 32];
        let mut count = 0;
        let shape = self.shape;
        let player = self.mover(&node);
        let mut moves = node.occupied.wrapping_add(shape.bottom) & shape.board;
        while moves != 0 {
            let cell = moves & moves.wrapping_neg();
            moves ^= cell;
            let child = Node {
                own: node.own ^ node.occupied,
                occupied: node.occupied | cell,
                hash: node.hash ^ self.zobrist.word(player, cell),
            };
            children[count] = (child, self.at_sight(&child));
            count += 1;
        }
        let children = &mut children[..count];
        loop {
            let reach = children.iter().map(|(_, child)| child.miss).min().unwrap_or(INFINITE);
            let miss = children.iter().map(|(_, child)| child.reach);
            let miss = miss.fold(0, |sum: u32, reach| (sum + reach).min(INFINITE));
            let numbers = Numbers { reach, miss };
            let settled = reach >= threshold.reach || miss >= threshold.miss;
            if settled || reach == 0 || miss == 0 || self.next_look.is_none() {
                let slot = self.slot(&node);
                self.table[slot] = Entry { hash: node.hash, numbers };
                return numbers;
            }
            let best = (0..count).min_by_key(|i| children[*i].1.miss).unwrap_or(0);
            let others = (0..count).filter(|i| *i != best).map(|i| children[i].1.miss);
            let second = others.min().unwrap_or(INFINITE);
            let (child, known) = children[best];
            let threshold = Numbers {
                reach: threshold.miss.saturating_sub(miss - known.reach).min(INFINITE),
                miss: threshold.reach.min(second + 1),
            };
            children[best].1 = self.prove(child, threshold);
        }
    }

    /// What is known of a node on arrival: over, won at once, in the table, or open.
    fn at_sight(&self, node: &Node) -> Numbers {
        let shape = self.shape;
        if shape.has_four(node.own ^ node.occupied) {
            return MISSED;
        }
        let attacks = self.mover(node) == self.attacker;
        let playable = node.occupied.wrapping_add(shape.bottom) & shape.board;
        if playable == 0 {
            return if attacks { MISSED } else { REACHED };
        }
        if shape.winning(node.own) & playable != 0 {
            return REACHED;
        }
        let entry = self.table[self.slot(node)];
        let written = entry.numbers != Numbers::default();
        if written && entry.hash == node.hash { entry.numbers } else { UNKNOWN }
    }

    fn slot(&self, node: &Node) -> usize {
        node.hash as usize & (self.table.len() - 1)
    }

    fn mover(&self, node: &Node) -> Player {
        if node.occupied.count_ones().is_multiple_of(2) { Player::First } else { Player::Second }
    }
}
