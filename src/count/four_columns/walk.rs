//! All positions of one third column, second column by second column, each after those below it.

use super::fill_order::{self, FillOrder, Wanted, balance};
use super::fours::{Fours, Halves, RightStones};
use super::kernel::{Left, Sum, Sums, Way, sums};
use super::states::{Group, State, States, groups};
use super::strips::{Predecessors, Strips};
use crate::board::{Player, Tier};
use crate::count::totals::Totals;
use crate::cpu::Cpu;

/// What all third columns share.
pub(super) struct Shared {
    pub states: States,
    pub strips: Strips,
    predecessors: Predecessors,
    pub up_to: Tier,
    pub cpu: Cpu,
    pub lefts: Vec<Lefts>,
    pub halves: Halves,
    pub right: RightStones,
    pub right_lifted: RightStones,
    /// By number, the columns with one more stone.
    pub taller: Vec<Vec<usize>>,
}

/// Left columns that are treated alike.
pub(super) struct Lefts {
    pub group: Group,
    pub closed: bool,
    pub lefts: Vec<Left>,
    /// The same columns without their top stones.
    pub below: Vec<Left>,
}

impl Shared {
    pub(super) fn new(states: States, strips: Strips, up_to: Tier, cpu: Cpu) -> Shared {
        let halves = Halves::new(states.height);
        let mut taller = vec![Vec::new(); states.open.len()];
        for (number, state) in states.open.iter().enumerate() {
            if let Some((_, below)) = state.lift {
                taller[usize::from(below)].push(number);
            }
        }
        Shared {
            predecessors: Predecessors::new(&states, &strips),
            up_to,
            cpu,
            lefts: Lefts::all(&states, halves),
            halves,
            right: RightStones::new(&states, &strips, false),
            right_lifted: RightStones::new(&states, &strips, true),
            taller,
            states,
            strips,
        }
    }

    pub(super) fn inputs(&self) -> fill_order::Inputs<'_> {
        fill_order::Inputs {
            states: &self.states,
            strips: &self.strips,
            predecessors: &self.predecessors,
        }
    }
}

impl Lefts {
    fn all(states: &States, halves: Halves) -> Vec<Lefts> {
        let left = |number: usize, state: &State| Left {
            number: number as u16,
            halves: halves.codes(state),
        };
        let below = |state: &State| {
            let number = usize::from(state.lift?.1);
            Some(left(number, &states.open[number]))
        };
        let lefts = |closed: bool, list: &[State]| -> Vec<Lefts> {
            let of_group = |group: Group| {
                let members = &list[group.states.clone()];
                let lefts = members.iter().zip(group.states.clone());
                Lefts {
                    lefts: lefts.map(|(state, number)| left(number, state)).collect(),
                    below: members.iter().filter_map(below).collect(),
                    closed,
                    group,
                }
            };
            groups(list).into_iter().map(of_group).collect()
        };
        [lefts(false, &states.open), lefts(true, &states.closed)].into_iter().flatten().collect()
    }
}

/// The positions of one third column.
pub(super) struct Walk<'a> {
    pub shared: &'a Shared,
    pub third: usize,
    pub fill_order: &'a FillOrder,
    /// The same beside the third column without its top stone, if it has one.
    pub before: Option<&'a FillOrder>,
    pub workspace: Workspace,
}

/// The buffers of a walk; one workspace serves many walks.
pub(super) struct Workspace {
    fours: Fours,
    /// The fours that remain if the right column's top stone is lifted.
    fours_right: Fours,
    /// The fours beside the third column without its top stone.
    fours_before: Fours,
    /// By stones of left and second column, by block, and by last mover.
    counts: Vec<Count>,
}

/// The counts of positions that are treated alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Count {
    sums: Sums,
    /// Moves that make a vertical four in the second or third column.
    closing: Sum,
}

impl Workspace {
    pub(super) fn new(shared: &Shared) -> Workspace {
        let blocks = shared.strips.all_blocks();
        let levels = 2 * shared.states.most_stones() + 1;
        let fours = || Fours::new(shared.halves, blocks);
        Workspace {
            fours: fours(),
            fours_right: fours(),
            fours_before: fours(),
            counts: vec![Count::default(); levels * 2 * blocks],
        }
    }
}

impl<'a> Walk<'a> {
    /// Counts the positions whose second column is the third or a smaller one; those with a smaller
    /// one count twice, for their mirror images.
    pub(super) fn run(mut self) -> (Totals, Workspace) {
        self.workspace.counts.fill(Count::default());
        self.visit(0);
        let Shared { strips, up_to, .. } = self.shared;
        let mut totals = Totals::new(*up_to);
        let add = |counts: &mut [u64], tier: usize, positions: u64| {
            if let Some(count) = counts.get_mut(tier) {
                *count = count.wrapping_add(positions);
            }
        };
        let levels = self.workspace.counts.chunks_exact(2 * strips.all_blocks());
        for (level, stones) in levels.zip(self.state(self.third).stones..) {
            for (of_block, lanes) in level.chunks_exact(2).zip(&strips.lanes) {
                for count in of_block {
                    for (right, live) in count.sums.live.by_stones(lanes) {
                        add(&mut totals.live, stones + right, live);
                        add(&mut totals.terminal, stones + right, live.wrapping_neg());
                    }
                    for (right, made) in count.sums.made.by_stones(lanes) {
                        add(&mut totals.terminal, stones + right, made);
                    }
                    for (right, moves) in count.closing.by_stones(lanes) {
                        add(&mut totals.terminal, stones + right + 1, moves);
                    }
                }
            }
        }
        (totals, self.workspace)
    }

    fn state(&self, number: usize) -> &'a State {
        &self.shared.states.open[number]
    }

    fn visit(&mut self, second: usize) {
        let (shared, last) = (self.shared, self.third);
        let (state, third) = (self.state(second), self.state(last));
        let Some(room) = shared.up_to.stones().checked_sub(state.stones + third.stones) else {
            return;
        };
        let Workspace { fours, fours_right, fours_before, .. } = &mut self.workspace;
        fours.enter(&shared.right, state, third, room);
        fours_right.enter(&shared.right_lifted, state, third, room);
        if let Some((_, below)) = third.lift {
            let below = &shared.states.open[usize::from(below)];
            fours_before.enter(&shared.right, state, below, room);
        }
        for lefts in shared.lefts.iter().filter(|lefts| lefts.group.stones <= room) {
            for last in Player::BOTH {
                self.count(lefts, second, last);
            }
        }
        for taller in shared.taller[second].iter().filter(|taller| **taller <= last) {
            self.visit(*taller);
        }
    }

    /// Counts the positions with these left columns after a move of `last`.
    fn count(&mut self, lefts: &Lefts, second: usize, last: Player) {
        let Shared { strips, states, .. } = self.shared;
        let middle = [second, self.third].map(|number| self.state(number));
        let surplus = middle[0].surplus + middle[1].surplus;
        let Some(strip) = strips.of_surplus(balance(last) - surplus - lefts.group.surplus) else {
            return;
        };
        let times = if second == self.third { 1 } else { 2 };
        let mover = last.other();
        let closed = middle.into_iter().filter(|column| states.is_closed_by(column, mover));
        let closing = times * closed.count() as u64;
        for block in 0..strips.blocks {
            let at = strip * strips.blocks + block;
            if !strips.lanes[at].used {
                continue;
            }
            let sums = self.sums(lefts, second, last, block, at);
            let level = lefts.group.stones + middle[0].stones;
            let count =
                &mut self.workspace.counts[2 * (level * strips.all_blocks() + at) + last.index()];
            count.sums.live.add_times(&sums.live, times);
            count.sums.made.add_times(&sums.made, times);
            if closing > 0 {
                count.closing.add_times(&sums.live, closing);
            }
        }
    }

    /// Counts them for one block of right columns, given by its place in the strip and among all
    /// strips.
    fn sums(&self, lefts: &Lefts, second: usize, last: Player, block: usize, at: usize) -> Sums {
        let (state, third, workspace) =
            (self.state(second), self.state(self.third), &self.workspace);
        let in_turn = |fill_order: &'a FillOrder, last| fill_order.rows(Wanted::Open, last, block);
        let here = Way {
            lefts: &lefts.lefts,
            kinds: self.fill_order.kinds(second),
            in_turn: in_turn(self.fill_order, last),
            stride: self.fill_order.stride(),
            completing: workspace.fours.blocks_of(state, at),
        };
        // Before the last move.
        let earlier = Way { in_turn: in_turn(self.fill_order, last.other()), ..here };
        let mut made = [here; 4];
        let mut ways = 0;
        let mut add = |way| {
            made[ways] = way;
            ways += 1;
        };
        if lefts.group.top == Some(last) {
            add(Way { lefts: &lefts.below, ..earlier });
        }
        if !lefts.closed {
            if let Some(below) = state.below(last) {
                let completing = workspace.fours.blocks_of(self.state(below), at);
                add(Way { kinds: self.fill_order.kinds(below), completing, ..earlier });
            }
            if let (Some(before), Some(_)) = (self.before, third.below(last)) {
                let completing = workspace.fours_before.blocks_of(state, at);
                let in_turn = in_turn(before, last.other());
                add(Way { kinds: before.kinds(second), in_turn, completing, ..earlier });
            }
            let in_turn = self.fill_order.rows(Wanted::RightLast, last, block);
            add(Way { in_turn, completing: workspace.fours_right.blocks_of(state, at), ..here });
        }
        let live = (!lefts.closed).then_some(&here);
        sums(self.shared.cpu, live, &made[..ways], &self.shared.strips.lanes[at].masks)
    }
}
