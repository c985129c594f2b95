//! All positions with one centre column, counted.

use std::collections::BTreeMap;

use super::beside::{Beside, Breakable, Group, Shown};
use super::face::{Face, Hand, View};
use super::pairing::for_each_face;
use super::partners::Partners;
use super::runs;
use super::sides::Sides;
use crate::board::{Board, Player, Tier};
use crate::order::{OrderType, Orders, SideTypes};

/// What is the same for all centres.
pub(super) struct Ground<'a> {
    pub(super) board: Board,
    pub(super) orders: &'a Orders,
    pub(super) left: &'a Sides,
    /// `None` where both sides are equally wide and draw from one table.
    pub(super) right: Option<&'a Sides>,
    pub(super) up_to: Tier,
}

/// Counts by tier; differences on the way may wrap around, the totals fit.
#[derive(Clone)]
pub(super) struct Tally {
    pub(super) live: Vec<u64>,
    pub(super) terminal: Vec<u64>,
}

impl Tally {
    pub(super) fn new(up_to: Tier) -> Tally {
        let none = vec![0; up_to.stones() + 1];
        Tally { live: none.clone(), terminal: none }
    }

    pub(super) fn plus(mut self, other: Tally) -> Tally {
        let add = |into: &mut [u64], from: Vec<u64>| {
            into.iter_mut().zip(from).for_each(|(into, from)| *into = into.wrapping_add(from));
        };
        add(&mut self.live, other.live);
        add(&mut self.terminal, other.terminal);
        self
    }
}

/// One centre column, and which sides can stand beside it together.
pub(super) struct Centre<'a> {
    ground: &'a Ground<'a>,
    stones: usize,
    surplus: i32,
    top: Option<Player>,
    has_room: bool,
    /// The partners of left sides among right ones.
    pub(super) partners: Partners,
    /// The same without the centre's top stone.
    pub(super) below: Option<Partners>,
    /// The right class that each class becomes without a stone of either player.
    lifted_classes: [Vec<Option<usize>>; 2],
}

/// Counts the positions with the centre column `id`.
pub(super) fn count(ground: &Ground, id: usize) -> Tally {
    let columns = ground.orders.columns();
    let code = columns.codes[id];
    let mut tally = Tally::new(ground.up_to);
    if code.stones() > ground.up_to.stones() {
        return tally;
    }
    let lifted = columns.lifted[id];
    let partners = |of_left| {
        let below = lifted.map(|(player, below)| {
            Partners::new(ground.orders, &[below], code.surplus() - player.sign(), of_left)
        });
        (Partners::new(ground.orders, &[id], code.surplus(), of_left), below)
    };
    let (with_centre, below) = partners(true);
    let right_types = ground.orders.right();
    let centre = Centre {
        ground,
        stones: code.stones(),
        surplus: code.surplus(),
        top: code.top(),
        has_room: code.stones() < ground.board.height(),
        partners: with_centre,
        below,
        lifted_classes: Player::BOTH.map(|player| {
            let lifted = |class| runs::class_without(right_types, class, player);
            (0..right_types.classes().len()).map(lifted).collect()
        }),
    };
    let right_sides = ground.right.unwrap_or(ground.left);
    let left_view = View::new(ground.board, code, Hand::Left, right_sides.width());
    let right_view = View::new(ground.board, code, Hand::Right, ground.left.width());
    let left = Beside::new(ground.left, &left_view);
    let right = Beside::new(right_sides, &right_view);
    let left_shown = left.shown(ground.orders.left());

    if ground.right.is_none() {
        // The right is the left in a mirror: what one side adds counts twice.
        let right_shown = left_shown.mirrored(ground.board.height());
        let pass = Pass { centre: &centre, partners: &centre.partners, below: centre.below.as_ref(), mine: ground.orders.left(), theirs: right_types, times: 2, first: true };
        pass.run(&left, &left_shown, &right_shown, &mut tally);
    } else {
        let right_shown = right.shown(right_types);
        let pass = Pass { centre: &centre, partners: &centre.partners, below: centre.below.as_ref(), mine: ground.orders.left(), theirs: right_types, times: 1, first: true };
        pass.run(&left, &left_shown, &right_shown, &mut tally);
        let (partners, below) = partners(false);
        let pass = Pass { centre: &centre, partners: &partners, below: below.as_ref(), mine: right_types, theirs: ground.orders.left(), times: 1, first: false };
        pass.run(&right, &right_shown, &left_shown, &mut tally);
    }
    let mut spare = vec![0; tally.terminal.len()];
    runs::spare_last_moves(&centre, &left, &right, &mut spare);
    for (terminal, spare) in tally.terminal.iter_mut().zip(spare) {
        *terminal = terminal.wrapping_sub(spare);
    }
    tally
}

impl Centre<'_> {
    pub(super) fn right_types(&self) -> &SideTypes {
        self.ground.orders.right()
    }

    /// The tier of positions with a left side of this type and a right side of
    /// this class, if their colours balance so and they are counted at all.
    pub(super) fn tier_of(&self, left: OrderType, class: usize, balance: i32) -> Option<usize> {
        let left = self.ground.orders.left().class_of(left);
        let right = &self.right_types().classes()[class];
        let tier = left.stones + self.stones + right.stones;
        let balances = left.surplus + self.surplus + right.surplus == balance;
        (balances && tier <= self.ground.up_to.stones()).then_some(tier)
    }

    /// The right class that is left when a stone of `player` is lifted.
    pub(super) fn class_without(&self, class: usize, player: Player) -> Option<usize> {
        self.lifted_classes[player.index()][class]
    }
}

/// One side of the centre asked about its moves, the other side standing still.
struct Pass<'a> {
    centre: &'a Centre<'a>,
    partners: &'a Partners,
    below: Option<&'a Partners>,
    mine: &'a SideTypes,
    theirs: &'a SideTypes,
    /// How often the moves on this side count.
    times: u64,
    /// Only the first pass counts the positions and the moves in the centre.
    first: bool,
}

/// A way to lift one of several stones that break a four: see [`Breakable`].
struct Term {
    stones: usize,
    balance: i32,
    /// Taken once, or taken away once.
    adds: bool,
    kinds: Vec<OrderType>,
    centre: Option<OrderType>,
}

impl Pass<'_> {
    fn run(&self, mine: &Beside, shown: &Shown, others: &Shown, tally: &mut Tally) {
        let mut targets: BTreeMap<u128, (Face, &[Group], Vec<Term>)> = BTreeMap::new();
        for (face, groups) in &shown.faces {
            targets.insert(face.bits(), (*face, &shown.groups[groups.clone()], Vec::new()));
        }
        mine.breakable(|side| {
            for (face, term) in terms(&side) {
                targets.entry(face.bits()).or_insert((face, &[], Vec::new())).2.push(term);
            }
        });
        let faces: Vec<Face> = targets.values().map(|(face, ..)| *face).collect();
        let mut rest = targets.values();
        for_each_face(&faces, others, self.theirs.len(), |_, sums| {
            let (_, groups, terms) = rest.next().expect("one visit per target");
            let totals: Vec<u64> = (self.theirs.classes().iter())
                .map(|class| sums[class.types.clone()].iter().map(|sides| u64::from(*sides)).sum())
                .collect();
            for group in *groups {
                self.count_group(group, sums, &totals, tally);
            }
            for term in terms {
                self.count_term(term, sums, tally);
            }
        });
    }

    /// Live positions; moves from them, and, taken away, moves to them: what is
    /// left are moves that end the game.
    fn count_group(&self, group: &Group, sums: &[u32], totals: &[u64], tally: &mut Tally) {
        let Centre { stones, surplus, top, has_room, ground, .. } = *self.centre;
        let up_to = ground.up_to.stones();
        let mine = self.mine.class_of(group.kind);
        for (at, class) in self.theirs.classes().iter().enumerate() {
            let balance = mine.surplus + surplus + class.surplus;
            let tier = mine.stones + stones + class.stones;
            if totals[at] == 0 || !(0..=1).contains(&balance) || tier > up_to {
                continue;
            }
            let mover = if balance == 0 { Player::First } else { Player::Second };
            let live = self.partners.sum(group.kind, at, class, sums, totals[at]);
            let sides = u64::from(group.sides);
            if self.first {
                tally.live[tier] = tally.live[tier].wrapping_add(sides * live);
            }
            if tier < up_to {
                let moves = u64::from(group.open).wrapping_sub(group.lifted[mover.index()].into());
                let mut edges = moves.wrapping_mul(live).wrapping_mul(self.times);
                if self.first && has_room {
                    edges = edges.wrapping_add(sides * live);
                }
                tally.terminal[tier + 1] = tally.terminal[tier + 1].wrapping_add(edges);
            }
            if let Some(below) = self.below.filter(|_| self.first && top == Some(mover.other())) {
                let arrived = sides * below.sum(group.kind, at, class, sums, totals[at]);
                tally.terminal[tier] = tally.terminal[tier].wrapping_sub(arrived);
            }
        }
    }

    fn count_term(&self, term: &Term, sums: &[u32], tally: &mut Tally) {
        let Centre { stones, surplus, ground, .. } = *self.centre;
        let lifted = self.mine.class_of(term.kinds[0]);
        for class in self.theirs.classes() {
            let tier = term.stones + stones + class.stones;
            // Without the last stone.
            let balance = lifted.surplus + surplus + class.surplus;
            if balance != 1 - term.balance || tier > ground.up_to.stones() {
                continue;
            }
            let fits = |other: OrderType| {
                term.kinds.iter().all(|kind| self.partners.has(*kind, other))
                    && term.centre.is_none_or(|kind| self.below.is_some_and(|below| below.has(kind, other)))
            };
            let others = class.types.clone().map(|kind| OrderType(kind as u32));
            let number: u64 = others.filter(|o| fits(*o)).map(|o| u64::from(sums[o.index()])).sum();
            let number = number.wrapping_mul(self.times);
            let terminal = &mut tally.terminal[tier];
            *terminal =
                if term.adds { terminal.wrapping_add(number) } else { terminal.wrapping_sub(number) };
        }
    }
}

/// One less than the number of last moves, for every position with this side
/// that has any, as a sum: pairs of last moves, less triples, plus fours. A set
/// of last moves counts where they are all possible, hence where the other side
/// suits the face and the types of all.
fn terms(side: &Breakable) -> Vec<(Face, Term)> {
    let lifted = side.lifted.len();
    let all = lifted + usize::from(side.centre.is_some());
    let mut terms = Vec::new();
    for set in (0u32..1 << all).filter(|set| set.count_ones() >= 2) {
        let chosen = side.lifted.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
        let centre = side.centre.filter(|_| set >> lifted & 1 == 1);
        let faces = chosen.clone().map(|(_, (face, _))| *face).chain(centre.map(|(face, _)| face));
        let term = Term {
            stones: side.stones,
            balance: i32::from(side.last == Player::First),
            adds: set.count_ones() % 2 == 1,
            kinds: chosen.map(|(_, (_, kind))| *kind).collect(),
            centre: centre.map(|(_, kind)| kind),
        };
        terms.push((faces.fold(Face::default(), Face::or), term));
    }
    terms
}
