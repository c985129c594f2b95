//! Whom each state of a side threatens: the group that it belongs to.
//!
//! A threat is a cell where a single stone completes a four, using only stones of the side and the
//! centre. Several states are examined at once, all columns of each, and both players. A state has
//! the marker codes of its columns side by side, the innermost lowest; below them go those of the
//! centre. The bits below the highest one of a code are stones:
//!
//! ```text
//!     code      0 1 x y z     x, y, z: 1 is a stone of the first player
//!     filled    0 1 1 1 1     each one also where there is a one above it
//!     top       0 1 0 0 0     where the next stone lands, if the column has room
//! ```
//!
//! The states are independent of each other, so that a processor with wide registers handles all
//! of them in the time of one.

use std::ops::Range;

use crate::board::{Player, winning_cells_of};
use crate::cpu::{Cpu, CpuForm};
use crate::index::{ByClass, Census, Centre, CentreId, SideState, Split};

/// How many states are looked at together.
pub(super) const AT_ONCE: usize = 8;

/// The columns of a side, and below them those of the centre.
pub(super) struct Columns {
    split: Split,
    /// The cells of the board.
    cells: u64,
    /// The bits of the centre.
    of_centre: u64,
    /// Distances by which ones move down, and the bits where they then stay in their column.
    down: Vec<(u32, u64)>,
}

/// By player and state, the cells where a stone that can be dropped completes a four.
type WinningDrops = [[u64; AT_ONCE]; 2];

impl Columns {
    pub(super) fn new(split: Split) -> Columns {
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
    pub(super) fn codes(&self, centre: Centre) -> u64 {
        let bits = self.split.board().column_bits();
        centre.near().map_or(0, |near| near.marker() << bits) | centre.far().marker()
    }

    /// Whether all of these cells lie in the centre.
    pub(super) fn all_in_centre(&self, cells: u64) -> bool {
        cells & !self.of_centre == 0
    }

    /// Where each player would complete a four with a single stone, using only stones of one
    /// side and the centre.
    pub(super) fn winning_drops(
        &self,
        cpu: Cpu,
        sides: &[SideState; AT_ONCE],
        centre: u64,
    ) -> WinningDrops {
        match cpu.form() {
            CpuForm::Portable => self.portable(sides, centre),
            // SAFETY: a `Cpu` is only made of a form whose instructions the processor has.
            #[cfg(target_arch = "x86_64")]
            CpuForm::Avx2 => unsafe { self.avx2(sides, centre) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            CpuForm::Avx512 => unsafe { self.avx512(sides, centre) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => unreachable!("no other form is made here"),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn avx2(&self, sides: &[SideState; AT_ONCE], centre: u64) -> WinningDrops {
        self.portable(sides, centre)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,avx512f,avx512bw,avx512dq,avx512vl")]
    fn avx512(&self, sides: &[SideState; AT_ONCE], centre: u64) -> WinningDrops {
        self.portable(sides, centre)
    }

    #[inline(always)]
    fn portable(&self, sides: &[SideState; AT_ONCE], centre: u64) -> WinningDrops {
        // In two shifts, as the centre of boards without sides may fill the word.
        let above_centre = self.of_centre.count_ones() - 1;
        let mut codes = [centre; AT_ONCE];
        for (codes, side) in codes.iter_mut().zip(sides) {
            *codes |= u64::from(side.bits()) << 1 << above_centre;
        }
        let mut filled = codes;
        for (step, mask) in &self.down {
            filled.iter_mut().for_each(|filled| *filled |= *filled >> step & mask);
        }
        // Where the next stones land, and the stones of both players, the first player's first.
        let (mut top, mut stones) = ([0; AT_ONCE], [0; 2 * AT_ONCE]);
        for at in 0..AT_ONCE {
            let both = filled[at] >> 1 & self.cells;
            top[at] = filled[at] ^ both;
            stones[at] = codes[at] ^ top[at];
            stones[AT_ONCE + at] = both ^ stones[at];
        }
        let winning = winning_cells_of(self.split.board(), stones);
        let mut drops = [[0; AT_ONCE]; 2];
        for (drops, winning) in drops.iter_mut().zip(winning.as_chunks::<AT_ONCE>().0) {
            for at in 0..AT_ONCE {
                drops[at] = winning[at] & top[at] & self.cells;
            }
        }
        drops
    }
}

/// Groups, by where they stand among those of a class.
pub(super) struct Group;

impl Group {
    pub(super) const COUNT: usize = 10;
    pub(super) const FREE: usize = 0;
    const BOTH: usize = 9;

    /// Those in which only this player threatens begin here.
    fn first(player: Player) -> usize {
        1 + 4 * player.index()
    }

    /// How many further on they are if a threat is on the side.
    const ON_SIDE: usize = 1;

    /// How many further on they are if the player threatened before the last stone in the centre.
    const OLD: usize = 2;

    /// Those with new threats of a player.
    pub(super) fn new_threats(player: Player) -> Range<usize> {
        Group::first(player)..Group::first(player) + Group::OLD
    }

    /// Those in which only this player threatens.
    pub(super) fn threats(player: Player) -> Range<usize> {
        Group::first(player)..Group::first(player) + 2 * Group::OLD
    }
}

/// The groups of all states beside a centre, by their numbers.
pub(super) fn groups(census: &Census, centre: CentreId, rows: &ByClass<SideState>) -> ByClass<u8> {
    let finder = GroupFinder::new(census, centre);
    ByClass::new(
        census.split(),
        |class| rows.of(class).len(),
        |class, groups| {
            let states = rows.of(class).chunks(AT_ONCE);
            for (groups, states) in groups.chunks_mut(AT_ONCE).zip(states) {
                groups.copy_from_slice(&finder.of(states)[..groups.len()]);
            }
        },
    )
}

/// Finds the groups of states beside a centre.
struct GroupFinder {
    cpu: Cpu,
    columns: Columns,
    /// The codes of the centre.
    centre: u64,
    /// By player, the codes of the centres from which a stone of that player leads here.
    before: [Vec<u64>; 2],
}

impl GroupFinder {
    fn new(census: &Census, centre: CentreId) -> GroupFinder {
        let centre = census.centre(centre);
        let columns = Columns::new(census.split());
        let codes = |centre| columns.codes(centre);
        let before = |player| centre.before(player).map(|(_, before)| codes(before)).collect();
        let (centre, before) = (codes(centre), Player::BOTH.map(before));
        GroupFinder { cpu: Cpu::widest(), columns, centre, before }
    }

    /// The groups of these states, and then anything.
    fn of(&self, some: &[SideState]) -> [u8; AT_ONCE] {
        let states = std::array::from_fn(|number| *some.get(number).unwrap_or(&some[0]));
        let winning_with = |centre| self.columns.winning_drops(self.cpu, &states, centre);
        let winning = winning_with(self.centre);
        let of_player = |player: Player| {
            let winning = &winning[player.index()];
            let mut is_old = winning.map(|winning| winning != 0);
            for before in &self.before[player.index()] {
                if is_old == [false; AT_ONCE] {
                    break;
                }
                let before = winning_with(*before)[player.index()];
                is_old.iter_mut().zip(before).for_each(|(is_old, before)| *is_old &= before != 0);
            }
            // Two threats cannot be answered by one stone.
            let is_on_side = winning.map(|winning| !self.columns.all_in_centre(winning));
            std::array::from_fn(|at| {
                let age = usize::from(is_old[at]) * Group::OLD;
                Group::first(player) + age + usize::from(is_on_side[at]) * Group::ON_SIDE
            })
        };
        let of_players: [[usize; AT_ONCE]; 2] = Player::BOTH.map(of_player);
        std::array::from_fn(|at| {
            let group = match winning.map(|winning| winning[at] != 0) {
                [false, false] => Group::FREE,
                [true, false] => of_players[0][at],
                [false, true] => of_players[1][at],
                [true, true] => Group::BOTH,
            };
            group as u8
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::board::{Board, Player, has_four};
    use crate::index::{Census, Lister};

    use super::*;

    /// The slow twin: each column a stone at a time.
    fn by_stones(columns: &Columns, side: SideState, centre: u64) -> [u64; 2] {
        let (board, split) = (columns.split.board(), columns.split);
        let codes = u64::from(side.bits()) << (split.centre_width() * board.column_bits()) | centre;
        let mut stones = [0u64; 2];
        let mut tops = Vec::new();
        for column in 0..split.side_width() + split.centre_width() {
            let shift = column * board.column_bits();
            let code = codes >> shift & ((1 << board.column_bits()) - 1);
            let height = code.ilog2() as usize;
            for row in 0..height {
                let player = if code >> row & 1 == 1 { Player::First } else { Player::Second };
                stones[player.index()] |= 1 << (shift + row);
            }
            tops.extend((height < board.height()).then_some(1 << (shift + height)));
        }
        stones.map(|stones| {
            let wins = |top: &&u64| has_four(board, stones | **top);
            tops.iter().filter(wins).fold(0, |all, top| all | top)
        })
    }

    #[test]
    fn all_forms_find_what_playing_each_stone_finds() {
        for board in ["7x4", "6x4", "5x4", "4x5", "9x2", "3x6", "2x7", "12x1"] {
            let board: Board = board.parse().unwrap();
            let census = Arc::new(Census::new(board).unwrap());
            let (columns, lister) = (Columns::new(census.split()), Lister::new(&census));
            for id in census.centres().step_by(7) {
                let (rows, centre) = (lister.rows(id), columns.codes(census.centre(id)));
                for some in rows.all().as_chunks::<AT_ONCE>().0 {
                    let one_by_one = some.map(|side| by_stones(&columns, side, centre));
                    for cpu in Cpu::all() {
                        let found = columns.winning_drops(cpu, some, centre);
                        let found = std::array::from_fn(|at| found.map(|found| found[at]));
                        assert_eq!(found, one_by_one, "{board}, {cpu}");
                    }
                }
            }
        }
    }
}
