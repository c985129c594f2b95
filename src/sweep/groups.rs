//! What the states of a side threaten: the group that each belongs to.
//!
//! All columns of a side, and both players, are looked at together. A state has the marker
//! codes of its columns side by side, the innermost lowest; below them go those of the
//! centre. The bits below the highest one of a code are stones:
//!
//! ```text
//!     code      0 1 x y z     x, y, z: 1 is a stone of the first player
//!     filled    0 1 1 1 1     each one also where there is a one above it
//!     top       0 1 0 0 0     where the next stone lands, if the column has room
//! ```

use crate::board::{Player, winning_cells_of};
use crate::index::{Census, Centre, CentreId, CentreRows, SideState, Split};

use super::by_class::ByClass;

/// The groups of a class, in the order in which they stand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Group {
    Free,
    New(Player, Threat),
    Old(Player, Threat),
    Both,
}

/// Where a threat is, if there is only one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Threat {
    InCentre,
    OnSide,
}

impl Group {
    pub const COUNT: usize = 10;

    pub fn number(self) -> usize {
        match self {
            Group::Free => 0,
            Group::New(player, threat) => 1 + 4 * player.index() + threat as usize,
            Group::Old(player, threat) => 3 + 4 * player.index() + threat as usize,
            Group::Both => 9,
        }
    }

    /// The groups with new threats of a player, the first and the last.
    pub fn new(player: Player) -> [Group; 2] {
        [Threat::InCentre, Threat::OnSide].map(|threat| Group::New(player, threat))
    }

    /// The groups in which only this player threatens, the first and the last.
    pub fn threats(player: Player) -> [Group; 2] {
        [Group::New(player, Threat::InCentre), Group::Old(player, Threat::OnSide)]
    }
}

/// The groups of all states beside a centre, by their numbers.
pub(super) fn groups(census: &Census, centre: CentreId, rows: &CentreRows) -> ByClass<u8> {
    let finder = GroupFinder::new(census, centre);
    ByClass::new(
        census.split(),
        |class| rows.of(class).len(),
        |class, groups| {
            for (group, state) in groups.iter_mut().zip(rows.of(class)) {
                *group = finder.of(*state).number() as u8;
            }
        },
    )
}

/// Finds the groups of states beside a centre.
struct GroupFinder {
    columns: Columns,
    /// The codes of the centre.
    centre: u64,
    /// By player, the codes of the centres from which a stone of his leads here.
    before: [Vec<u64>; 2],
}

impl GroupFinder {
    fn new(census: &Census, centre: CentreId) -> GroupFinder {
        let centre = census.centre(centre);
        let columns = Columns::new(census.split());
        let codes = |centre| columns.codes(centre);
        let before = |player| centre.before(player).map(|(_, before)| codes(before)).collect();
        GroupFinder { centre: codes(centre), before: Player::BOTH.map(before), columns }
    }

    fn of(&self, state: SideState) -> Group {
        let winning = self.columns.winning_drops(state, self.centre);
        let of = |player: Player| {
            let old = self.before[player.index()].iter().all(|before| {
                let winning = self.columns.winning_drops(state, *before);
                winning[player.index()] != Drops::default()
            });
            let Drops { on_side, in_centre } = winning[player.index()];
            // Two threats cannot be answered by one stone.
            let threat = if in_centre && !on_side { Threat::InCentre } else { Threat::OnSide };
            if old { Group::Old(player, threat) } else { Group::New(player, threat) }
        };
        match winning.map(|drops| drops != Drops::default()) {
            [false, false] => Group::Free,
            [true, false] => of(Player::First),
            [false, true] => of(Player::Second),
            [true, true] => Group::Both,
        }
    }
}

/// Where a player would complete a four with a single stone.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Drops {
    on_side: bool,
    in_centre: bool,
}

/// The columns of a side, and below them those of the centre.
struct Columns {
    split: Split,
    /// The cells of the board.
    cells: u64,
    /// The bits of the centre.
    of_centre: u64,
    /// Distances by which ones move down, and the bits where they then stay in their column.
    down: Vec<(u32, u64)>,
}

impl Columns {
    fn new(split: Split) -> Columns {
        let (bits, number) =
            (split.board().column_bits(), split.side_width() + split.centre_width());
        // This many of the lowest bits of each column.
        let lowest = |of_column: usize| {
            (0..number).fold(0, |all, column| all | ((1 << of_column) - 1) << (column * bits))
        };
        let steps = [1, 2, 4, 8, 16, 32].into_iter().take_while(|step| *step < bits);
        Columns {
            split,
            cells: lowest(bits - 1),
            of_centre: u64::MAX >> (u64::BITS as usize - split.centre_width() * bits),
            down: steps.map(|step| (step as u32, lowest(bits - step))).collect(),
        }
    }

    /// The codes of a centre.
    fn codes(&self, centre: Centre) -> u64 {
        let bits = self.split.board().column_bits();
        centre.near().map_or(0, |near| near.marker() << bits) | centre.far().marker()
    }

    /// Where each player would complete a four with a single stone, using only stones of one
    /// side and the centre.
    #[inline]
    fn winning_drops(&self, side: SideState, centre: u64) -> [Drops; 2] {
        let board = self.split.board();
        // In two shifts, as the centre of boards without sides may fill the word.
        let above_centre = self.of_centre.count_ones() - 1;
        let codes = u64::from(side.bits()) << 1 << above_centre | centre;
        let filled = self.down.iter().fold(codes, |all, (step, mask)| all | all >> step & mask);
        let stones = filled >> 1 & self.cells;
        let top = filled ^ stones;
        let first = codes ^ top;
        winning_cells_of(board, [first, stones ^ first]).map(|winning| {
            let winning = winning & top & self.cells;
            Drops {
                on_side: winning & !self.of_centre != 0,
                in_centre: winning & self.of_centre != 0,
            }
        })
    }
}
