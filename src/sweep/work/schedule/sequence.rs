//! The order of centres of two columns in which least waits at a time.
//!
//! A centre needs those in which *one* of its two columns has a stone more; what they hand on waits
//! until it is solved. All centres are a block: the tree of a column times itself. A block is
//! solved in parts. Cut one of its trees at a child of its root: what follows from the child comes
//! first, then the rest, which reads it.
//!
//! ```text
//!     the other tree                       the same for a tree times itself,
//!     ┌──────────┬─────────────┐           of which only half is stored
//!     │          │             │           ┌────┬──┐
//!     │ 1  child │ 2  the rest │           │ 1  │2 │   1  what follows from the child, by itself
//!     │          │             │           └──┐ │  │   2  by the rest
//!     └──────────┴─────────────┘              └─┼──┤   3  the rest by itself
//!                                               └─3┘
//! ```
//!
//! Each part is cut in the same way, down to single centres. What waits at the worst moment of a
//! block follows from its parts, so the best order of this kind is found by dynamic programming
//! over all blocks: some thirty thousand for columns of six.

use crate::board::Player;
use crate::index::{Census, Centre, CentreId};
use crate::tromp::ColumnCode;

/// All stored centres of two columns, each after those that it needs, given the bytes that each
/// hands on to a centre from which a stone of a player leads to it.
pub(super) fn sequence(
    census: &Census,
    handed_on: impl Fn(CentreId, Player) -> u64,
) -> Vec<CentreId> {
    let tree = Columns::of(census);
    let best = Best::new(&tree, waiting(census, &tree, handed_on));
    let mut order = Vec::new();
    best.walk(best.all(), &mut |x, y| order.extend(tree.centre(census, x, y)));
    order
}

/// The states of a column as a tree, each after the one that it follows from.
struct Columns {
    codes: Vec<ColumnCode>,
    children: Vec<Vec<usize>>,
    /// All parts of the tree, each after those that it can be cut into.
    parts: Vec<Part>,
}

/// A column and all that follow from it, except from the children that are solved.
struct Part {
    root: usize,
    /// The children that are solved.
    solved: Vec<usize>,
    /// Each way to cut off another child: the part of what follows from it, and the rest.
    cuts: Vec<(usize, usize)>,
}

impl Columns {
    fn of(census: &Census) -> Columns {
        let (mut codes, mut children) = (vec![ColumnCode::EMPTY], Vec::new());
        let mut number = 0;
        while let Some(code) = codes.get(number).copied() {
            let next = Player::BOTH.into_iter().map(|player| code.dropped_unchecked(player));
            let next =
                next.filter(|next| code.stones() < census.board().height() && !next.has_four());
            let first = codes.len();
            codes.extend(next);
            children.push((first..codes.len()).collect::<Vec<usize>>());
            number += 1;
        }
        let mut parts = Vec::new();
        // By column, the part of all that follows from it.
        let mut whole = vec![0; codes.len()];
        for (root, children) in children.iter().enumerate().rev() {
            let first = parts.len();
            // The children that are not solved, as bits.
            for open in 0..1_usize << children.len() {
                let is_open = |bit: &usize| open >> bit & 1 == 1;
                let bits = 0..children.len();
                let solved = bits.clone().filter(|bit| !is_open(bit)).map(|bit| children[bit]);
                let cut = |bit: usize| (whole[children[bit]], first + (open & !(1 << bit)));
                let cuts = bits.filter(is_open).map(cut).collect();
                parts.push(Part { root, solved: solved.collect(), cuts });
            }
            whole[root] = parts.len() - 1;
        }
        Columns { codes, children, parts }
    }

    /// The centre of these columns, as it is stored; `None` if no sides can make up for its stones.
    fn centre(&self, census: &Census, x: usize, y: usize) -> Option<CentreId> {
        let centre = census.find_centre(Centre::new(Some(self.codes[y]), self.codes[x]))?;
        Some(centre.min(census.reversed(centre)))
    }
}

/// By column and part: the bytes that the column beside each of the part hands on to the column
/// from which it follows, beside the same.
fn waiting(
    census: &Census,
    tree: &Columns,
    handed_on: impl Fn(CentreId, Player) -> u64,
) -> Vec<Vec<u64>> {
    // The first column is empty, so it hands on nothing.
    let mut waiting = vec![vec![0; tree.parts.len()]; tree.codes.len()];
    let edges = tree.children.iter().enumerate();
    for (parent, x) in edges.flat_map(|(p, all)| all.iter().map(move |child| (p, *child))) {
        let last = tree.codes[x].top().expect("it has a stone more than its parent");
        // By column, what `x` hands on beside it and beside all that follow from it.
        let mut below = vec![0; tree.codes.len()];
        let of_all =
            |below: &[u64], columns: &[usize]| columns.iter().map(|y| below[*y]).sum::<u64>();
        for y in (0..tree.codes.len()).rev() {
            let [from, to] = [x, parent].map(|x| tree.centre(census, x, y));
            let hands_on = from.filter(|_| to.is_some()).map_or(0, |id| handed_on(id, last));
            // Two of the same are read by a centre and by its mirror image.
            let hands_on = if x == y { 2 * hands_on } else { hands_on };
            below[y] = hands_on + of_all(&below, &tree.children[y]);
        }
        let of_part = |part: &Part| below[part.root] - of_all(&below, &part.solved);
        waiting[x] = tree.parts.iter().map(of_part).collect();
    }
    waiting
}

/// Centres that are solved one after the other: each column of one part beside each of another,
/// where the parts have no column in common; or each column of a part beside each, if both are the
/// same.
type Block = (usize, usize);

/// The two or three parts of a block, in order, each with the bytes that wait beside it.
type Cut = [Option<(Block, u64)>; 3];

/// The best order of each block.
struct Best<'a> {
    tree: &'a Columns,
    /// By column and part, what waits; see [`waiting`].
    handed_on: Vec<Vec<u64>>,
    /// By block: the bytes that wait at the worst moment, what it reads included.
    most: Vec<u64>,
}

impl<'a> Best<'a> {
    fn new(tree: &'a Columns, handed_on: Vec<Vec<u64>>) -> Best<'a> {
        let parts = tree.parts.len();
        let mut best = Best { tree, handed_on, most: Vec::with_capacity(place((parts, 0))) };
        for s in 0..parts {
            for t in 0..=s {
                let most = best.cuts((s, t)).map(|cut| best.most_of(cut)).min();
                best.most.push(most.unwrap_or_else(|| best.of_centre((s, t))));
            }
        }
        best
    }

    /// All centres.
    fn all(&self) -> Block {
        (self.tree.parts.len() - 1, self.tree.parts.len() - 1)
    }

    /// What the columns before a part hand on to its root, each beside another part.
    fn for_root(&self, part: usize, other: usize) -> u64 {
        let solved = self.tree.parts[part].solved.iter();
        solved.map(|child| self.handed_on[*child][other]).sum()
    }

    /// Each way to cut a block.
    fn cuts(&self, (s, t): Block) -> impl Iterator<Item = Cut> {
        let of = move |s: usize, t: usize| {
            self.tree.parts[s].cuts.iter().map(move |cut| self.cut((s, t), *cut))
        };
        of(s, t).chain((s != t).then(|| of(t, s)).into_iter().flatten())
    }

    /// Cuts the first part of a block.
    fn cut(&self, (s, t): Block, (child, rest): (usize, usize)) -> Cut {
        // What waits for others once the child is solved.
        let for_others = self.handed_on[self.tree.parts[t].root][child];
        if s == t {
            return [
                Some(((child, child), self.for_root(s, s))),
                Some(((child, rest), self.for_root(s, rest))),
                Some(((rest, rest), for_others)),
            ];
        }
        // What waits for the rest while the child is solved.
        let for_rest = self.for_root(s, t) + self.for_root(t, rest);
        [Some(((child, t), for_rest)), Some(((rest, t), for_others)), None]
    }

    /// The bytes that wait at the worst moment of a block that is cut.
    fn most_of(&self, cut: Cut) -> u64 {
        let most = cut.into_iter().flatten().map(|(part, waits)| self.most[place(part)] + waits);
        most.max().expect("a cut has parts")
    }

    /// What waits for a single centre, and what it hands on.
    fn of_centre(&self, (s, t): Block) -> u64 {
        let beside = |s, t| self.for_root(s, t) + self.handed_on[self.tree.parts[s].root][t];
        if s == t { beside(s, s) } else { beside(s, t) + beside(t, s) }
    }

    /// Visits the centres of a block in the best order.
    fn walk(&self, block: Block, visit: &mut impl FnMut(usize, usize)) {
        match self.cuts(block).min_by_key(|cut| self.most_of(*cut)) {
            Some(cut) => cut.into_iter().flatten().for_each(|(part, _)| self.walk(part, visit)),
            None => visit(self.tree.parts[block.0].root, self.tree.parts[block.1].root),
        }
    }
}

/// Where the worst moment of a block is noted, whichever of its parts is named first.
fn place((s, t): Block) -> usize {
    let (small, large) = (s.min(t), s.max(t));
    large * (large + 1) / 2 + small
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::random::SplitMix64;

    fn census(board: &str) -> Census {
        Census::new(board.parse().unwrap()).unwrap()
    }

    /// Sizes that are anything, but the same every time.
    fn sizes(seed: u64) -> impl Fn(CentreId, Player) -> u64 {
        move |centre, player| {
            SplitMix64::of(&[seed, centre.index() as u64, player.index() as u64]).word() >> 50
        }
    }

    /// The bytes that wait at the worst moment of an order.
    fn most(census: &Census, order: &[CentreId], sizes: impl Fn(CentreId, Player) -> u64) -> u64 {
        let (mut now, mut most) = (0, 0);
        // By reader, what waits for it.
        let mut waits: HashMap<CentreId, u64> = HashMap::new();
        for centre in order {
            for player in Player::BOTH {
                for to in census.previous_centres(*centre, player) {
                    let to = to.min(census.reversed(to));
                    *waits.entry(to).or_default() += sizes(*centre, player);
                    now += sizes(*centre, player);
                }
            }
            most = most.max(now);
            now -= waits.remove(centre).unwrap_or(0);
        }
        assert_eq!((now, waits.len()), (0, 0), "all is read");
        most
    }

    /// What the search for the best order says that waits.
    fn said(census: &Census, sizes: impl Fn(CentreId, Player) -> u64) -> u64 {
        let tree = Columns::of(census);
        let waits = waiting(census, &tree, sizes);
        let most = Best::new(&tree, waits).most;
        *most.last().unwrap()
    }

    #[test]
    fn as_much_waits_as_was_said() {
        for board in ["6x6", "6x4", "4x5", "2x3", "8x1", "12x1"] {
            let census = census(board);
            for seed in 0..4 {
                let order = sequence(&census, sizes(seed));
                assert_eq!(
                    most(&census, &order, sizes(seed)),
                    said(&census, sizes(seed)),
                    "{board}, {seed}"
                );
            }
        }
    }

    /// All orders that solve each centre as soon as something needs it.
    fn all_orders(
        census: &Census,
        solved: &mut Vec<CentreId>,
        visit: &mut impl FnMut(&[CentreId]),
    ) {
        let stored = census.centres().filter(|centre| *centre <= census.reversed(*centre));
        let is_ready =
            |centre: &CentreId| census.next_centres(*centre).all(|next| solved.contains(&next));
        let ready: Vec<CentreId> =
            stored.filter(|centre| !solved.contains(centre)).filter(is_ready).collect();
        if ready.is_empty() {
            visit(solved);
        }
        for centre in ready {
            solved.push(centre);
            all_orders(census, solved, visit);
            solved.pop();
        }
    }

    #[test]
    fn no_order_of_few_centres_keeps_less() {
        for (board, seed) in
            ["2x1", "4x1", "6x1"].into_iter().flat_map(|b| (0..20).map(move |s| (b, s)))
        {
            let census = census(board);
            let mut least = u64::MAX;
            all_orders(&census, &mut Vec::new(), &mut |order| {
                least = least.min(most(&census, order, sizes(seed)));
            });
            assert_eq!(said(&census, sizes(seed)), least, "{board}, {seed}");
        }
    }
}
