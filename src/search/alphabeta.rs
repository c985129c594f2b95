//! Alpha-beta with a null window: whether the score of a position is above a bound.
//!
//! A question with two answers keeps every node small: one move, or one argument, settles it. The
//! score takes several such questions, and the table remembers what each has found out.
//!
//! A node goes from cheap to expensive:
//!
//! 1. moves that lose at once are struck out; a single remaining move is played;
//! 2. the score is bounded by how soon the game could end;
//! 3. the table may know it ([`table`](super::table));
//! 4. every move is looked at: it may win in three, or it may leave its player able to answer
//!    every move ([`pairing`](super::pairing)); otherwise it is rated ([`order`](super::order));
//! 5. the table may know a position that a move leads to;
//! 6. the moves are searched, the most promising first.
//!
//! The search is all shifts and bit counts, and later processors have better ones than those that
//! every x86-64 has. The same code is compiled for each, so all forms visit the same nodes and give
//! the same answers. A new search takes the best form that the machine can run.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use super::order::{History, MoveList, REMEMBERED, promise};
use super::pairing::{self, Sides};
use super::score::{Bounds, Limit};
use super::shape::{Shape, colourless};
use super::table::{Known, Table};
use super::zobrist::Zobrist;
use crate::board::{Column, Player, Position};
use crate::cpu::{Cpu, CpuForm};

/// With fewer free cells than this, a lookup costs more than it saves.
const TABLE_FROM: u32 = 8;
/// With fewer free cells than this, the positions that moves lead to are not looked up.
const LOOK_AHEAD_FROM: u32 = 10;
/// Positions with at most this many stones share their entry with their mirror image.
const MIRROR_UP_TO: u32 = 12;

/// A position in the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The mover's stones.
    pub(super) own: u64,
    /// All stones.
    pub(super) occupied: u64,
    /// Free cells that complete a four of the other player.
    pub(super) other_wins: u64,
    pub(super) hash: u64,
    /// The cell of the last stone, 0 at the root of the search.
    pub(super) last: u64,
    /// The number of stones.
    pub(super) stones: u32,
}

/// One thread's search: it borrows what the threads share, and owns the rest.
pub(super) struct Searcher<'a, S> {
    pub(super) shape: S,
    pub(super) zobrist: &'a Zobrist,
    pub(super) table: &'a Table,
    pub(super) fold_dead_stones: bool,
    limit: Limit<'a>,
    history: History,
    /// Set when another thread has the answer.
    done: Option<&'a AtomicBool>,
    pub(super) nodes: u64,
    pub(super) stopped: bool,
    next_look: u64,
    stores_until_growth: u64,
    form: Form<S>,
}

/// [`Searcher::visit`] as compiled for some processor. Calling it needs a processor with those
/// instructions.
pub(super) type Form<S> = for<'a> unsafe fn(&mut Searcher<'a, S>, Node, i32) -> i32;

impl<'a, S: Shape> Searcher<'a, S> {
    pub(super) fn new(
        shape: S,
        form: Form<S>,
        zobrist: &'a Zobrist,
        table: &'a Table,
        limit: Limit<'a>,
    ) -> Self {
        let next_look = limit.next_look(0);
        Searcher {
            shape,
            zobrist,
            table,
            fold_dead_stones: false,
            limit,
            history: History::new(),
            done: None,
            nodes: 0,
            stopped: next_look.is_none(),
            next_look: next_look.unwrap_or(0),
            stores_until_growth: table.stores_until_growth(),
            form,
        }
    }

    /// Continues a stopped search, up to another limit.
    pub(super) fn go_on(&mut self, limit: Limit<'a>) {
        self.limit = limit;
        self.stopped = false;
        self.next_look = self.nodes;
    }

    /// A search for one of this many threads, which stops when `done` is set.
    pub(super) fn twin<'b>(
        &'b self,
        threads: usize,
        history: History,
        done: &'b AtomicBool,
    ) -> Searcher<'b, S> {
        let share = |most: u64| most.saturating_sub(self.nodes) / threads as u64;
        let limit = Limit { nodes: self.limit.nodes.map(share), ..self.limit };
        let mut twin = Searcher::new(self.shape, self.form, self.zobrist, self.table, limit);
        twin.fold_dead_stones = self.fold_dead_stones;
        twin.history = history;
        twin.done = Some(done);
        twin
    }

    /// The node of a position that is still open.
    pub(super) fn node(&self, position: &Position) -> Node {
        let (own, occupied) = (position.stones(position.mover()), position.occupied());
        let free = self.shape.board & !occupied;
        Node {
            own,
            occupied,
            other_wins: self.shape.winning(own ^ occupied) & free,
            hash: self.zobrist.hash(position),
            last: 0,
            stones: position.tier().stones() as u32,
        }
    }

    /// The mover's score after a win at once, if there is one.
    #[inline(always)]
    pub(super) fn immediate_win(&self, node: &Node) -> Option<i32> {
        let playable = self.playable(node);
        let wins = self.shape.winning(node.own) & playable != 0;
        wins.then_some(((self.shape.cells + 1 - node.stones) / 2) as i32)
    }

    /// Decides whether the score is above `bound`. Returns a lower bound on the score if so, and an
    /// upper bound otherwise. The result means nothing once the search is `stopped`.
    ///
    /// The mover must not be able to win at once.
    #[inline(always)]
    pub(super) fn search(&mut self, node: Node, bound: i32) -> i32 {
        // SAFETY: `form_of` returns only forms whose instructions the processor has.
        unsafe { (self.form)(self, node, bound) }
    }

    /// The body of [`search`](Self::search), from which all its forms are compiled.
    #[inline(always)]
    pub(super) fn visit(&mut self, node: Node, bound: i32) -> i32 {
        let before = self.nodes;
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.look_at_limits();
        }
        let shape = self.shape;
        let Node { own, occupied, stones, other_wins, .. } = node;
        let empty = shape.cells - stones;
        if empty <= 1 {
            return 0;
        }
        let other = own ^ occupied;
        let free = shape.board & !occupied;
        let playable = self.playable(&node);

        let threats = playable & other_wins;
        let mut moves = playable & !(other_wins >> 1);
        if threats != 0 {
            let single = threats & (threats - 1) == 0;
            moves = if single { moves & threats } else { 0 };
        }
        if moves == 0 {
            return -((empty / 2) as i32);
        }
        if empty == 2 {
            return 0;
        }
        // The mover wins with the third stone from now at the earliest, the other with the fourth.
        let mut bounds = Bounds { lower: -((empty as i32 - 2) / 2), upper: (empty as i32 - 1) / 2 };
        if let Some(answer) = answered(bounds, bound) {
            return answer;
        }
        if threats != 0 {
            let after = self.after(&node, moves);
            return match pairing::upper_bound(shape, after, empty - 1, -bound - 1) {
                Some(upper) => -upper,
                None => -self.search(self.play(&node, moves, after.follower_wins), -bound - 1),
            };
        }
        // A player whose lines are all blocked cannot win.
        if !shape.has_four(if bound >= 0 { own } else { other } | free) {
            return 0;
        }

        let use_table = empty >= TABLE_FROM;
        let key = if use_table { self.key(&node) } else { 0 };
        let mut remembered = 0;
        if use_table && let Some(known) = self.table.probe(key, empty) {
            if let Some(answer) = answered(known.bounds, bound) {
                return answer;
            }
            bounds.lower = bounds.lower.max(known.bounds.lower);
            bounds.upper = bounds.upper.min(known.bounds.upper);
            remembered = shape.column(known.best.index() as u32);
        }

        let player = stones as usize & 1;
        let mut list = MoveList::<S::Words>::default();
        let mut rest = moves;
        while rest != 0 {
            let cell = rest & rest.wrapping_neg();
            rest ^= cell;
            let after = self.after(&node, cell);
            let wins = after.follower_wins;
            let threats = wins & after.playable;
            let replies = if threats == 0 { after.playable } else { threats };
            // Two threats at once, or only replies that open a winning cell.
            if threats & threats.wrapping_sub(1) != 0 || replies & !(wins >> 1) == 0 {
                return (empty as i32 - 1) / 2;
            }
            if let Some(upper) = pairing::upper_bound(shape, after, empty - 1, -bound - 1) {
                return -upper;
            }
            let mut value =
                promise(shape, cell, wins) + self.history.of(player, node.last, cell, empty);
            if cell & remembered != 0 {
                value += REMEMBERED;
            }
            list.push(value, cell, wins);
        }
        // No win in three, so in five at the soonest.
        bounds.upper = bounds.upper.min((empty as i32 - 3) / 2);
        if bounds.upper <= bound {
            return bounds.upper;
        }
        if empty >= LOOK_AHEAD_FROM {
            for (cell, wins) in list.all() {
                let child = self.play(&node, cell, wins);
                if let Some(known) = self.table.probe(self.key(&child), empty - 1)
                    && -known.bounds.upper > bound
                {
                    return -known.bounds.upper;
                }
            }
        }

        let mut best = (i32::MIN, 0);
        let mut tried = 0;
        while let Some((cell, wins)) = list.pick() {
            let value = -self.search(self.play(&node, cell, wins), -bound - 1);
            if self.stopped {
                return bound;
            }
            if value > best.0 {
                best = (value, cell);
            }
            if value > bound {
                self.history.learn(player, node.last, tried, cell, empty);
                break;
            }
            tried |= cell;
        }
        if best.0 > bound {
            bounds.lower = bounds.lower.max(best.0);
        } else {
            bounds.upper = bounds.upper.min(best.0);
        }
        if use_table {
            self.store(key, bounds, best.1, self.nodes - before, empty);
        }
        if best.0 > bound { bounds.lower } else { bounds.upper }
    }

    #[cold]
    fn look_at_limits(&mut self) {
        let done = self.done.is_some_and(|done| done.load(Relaxed));
        match self.limit.next_look(self.nodes) {
            Some(nodes) if !done => self.next_look = nodes,
            _ => self.stopped = true,
        }
    }

    #[inline(always)]
    fn store(&mut self, key: u64, bounds: Bounds, best: u64, nodes: u64, empty: u32) {
        let best = Column((best.trailing_zeros() / self.shape.column_bits) as u8);
        self.table.store(key, Known { bounds, best }, nodes, empty);
        self.stores_until_growth -= 1;
        if self.stores_until_growth == 0 {
            self.table.grow();
            self.stores_until_growth = self.table.stores_until_growth();
        }
    }

    #[inline(always)]
    fn playable(&self, node: &Node) -> u64 {
        node.occupied.wrapping_add(self.shape.bottom) & self.shape.board
    }

    /// Both sides once the mover has put a stone into `cell`.
    #[inline(always)]
    fn after(&self, node: &Node, cell: u64) -> Sides {
        let shape = self.shape;
        let free = shape.board & !node.occupied & !cell;
        let follower = node.own | cell;
        Sides {
            mover: node.own ^ node.occupied,
            follower,
            follower_wins: shape.winning(follower) & free,
            free,
            playable: self.playable(node) ^ cell | cell << 1 & shape.board,
        }
    }

    /// The node after the mover has put a stone into `cell`, and then has these winning cells.
    #[inline(always)]
    pub(super) fn play(&self, node: &Node, cell: u64, wins: u64) -> Node {
        let player = if node.stones.is_multiple_of(2) { Player::First } else { Player::Second };
        Node {
            own: node.own ^ node.occupied,
            occupied: node.occupied | cell,
            other_wins: wins,
            hash: node.hash ^ self.zobrist.word(player, cell),
            last: cell,
            stones: node.stones + 1,
        }
    }

    /// The key of a node in the table; positions with equal keys have equal scores.
    #[inline(always)]
    fn key(&self, node: &Node) -> u64 {
        let other = node.own ^ node.occupied;
        let (first, second) =
            if node.stones.is_multiple_of(2) { (node.own, other) } else { (other, node.own) };
        if node.stones <= MIRROR_UP_TO {
            return node.hash.min(self.zobrist.mirrored_hash(first, second));
        }
        if self.fold_dead_stones {
            let free = self.shape.board & !node.occupied;
            let stones = colourless(self.shape, first, second, free);
            return node.hash ^ self.zobrist.recoloured(stones);
        }
        node.hash
    }
}

/// The answer that bounds on a score give to the question whether it is above `bound`.
#[inline(always)]
fn answered(bounds: Bounds, bound: i32) -> Option<i32> {
    if bounds.lower > bound {
        Some(bounds.lower)
    } else if bounds.upper <= bound {
        Some(bounds.upper)
    } else {
        None
    }
}

/// The form for a processor.
pub(super) fn form_of<S: Shape>(cpu: Cpu) -> Form<S> {
    match cpu.form() {
        #[cfg(target_arch = "x86_64")]
        CpuForm::Avx2 => avx2 as Form<S>,
        #[cfg(target_arch = "x86_64")]
        CpuForm::Avx512 => avx512 as Form<S>,
        _ => portable,
    }
}

fn portable<S: Shape>(searcher: &mut Searcher<S>, node: Node, bound: i32) -> i32 {
    searcher.visit(node, bound)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn avx2<S: Shape>(searcher: &mut Searcher<S>, node: Node, bound: i32) -> i32 {
    searcher.visit(node, bound)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vpopcntdq")]
fn avx512<S: Shape>(searcher: &mut Searcher<S>, node: Node, bound: i32) -> i32 {
    searcher.visit(node, bound)
}
