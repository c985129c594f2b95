//! The number of rows in every class of every centre, and so the size of all tiles, without a list
//! of their content.
//!
//! The rows are counted by growing strips outward from the centre. What a strip demands of the far
//! centre column depends only on its three innermost columns, and there are few different demands.
//! So strips are counted by demand and class. All of them fit an empty far column; each stone on it
//! takes away those whose demand it is the first to break. Columns further out are counted by how
//! many ways there are to [grow](super::strip). That takes a few hundredths of a second on 7x6, so
//! it is done when a size is first needed:
//!
//! ```text
//!     … c b a | near | far        near: empty if the centre is one column
//!       -----------    ---
//!     grown and counted, by demand on this
//! ```

use std::sync::OnceLock;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::board::{Board, Player, Tier, TierRange};
use crate::columns::column_states;
use crate::too_large::BoardTooLarge;
use crate::tromp::ColumnCode;

use super::centres::Centres;
use super::strip::Growth;
use super::strip::{ColumnState, Demand, Strip};
use super::{Centre, CentreId, Class, LimitedList, Split};

/// The parts of a board, and the number of rows in each class.
#[derive(Clone, Debug)]
pub struct Census {
    split: Split,
    pub(super) columns: Vec<ColumnState>,
    centres: Centres,
    /// For each centre, the rows before each class slot, and after the last.
    starts: OnceLock<Vec<u32>>,
}

impl Census {
    /// The census of a board that is not too large.
    pub fn new(board: Board) -> Result<Census, BoardTooLarge> {
        let split = Split::of(board);
        let columns = ColumnState::all(&column_states(board)?);
        let centres = Centres::of(split, &columns)?;
        let near_columns = if split.centre_width() == 2 { columns.len() as u64 } else { 1 };
        let limit = LimitedList::Sides.limit() / near_columns;
        // If all combinations of columns are few enough, it does not matter how many make a four.
        let all = (columns.len() as u64).checked_pow(split.side_width() as u32);
        if all.is_none_or(|all| all > limit) {
            let sides = Strip::empty(board.height()).count(&columns, split.side_width(), limit);
            LimitedList::Sides.check(board, sides.saturating_mul(near_columns))?;
        }
        Ok(Census { split, columns, centres, starts: OnceLock::new() })
    }

    /// How the board is cut.
    pub fn split(&self) -> Split {
        self.split
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.split.board()
    }

    /// All tiers of the board, from the empty board to the full one.
    pub fn tiers(&self) -> impl DoubleEndedIterator<Item = Tier> + ExactSizeIterator + use<> {
        TierRange::all(self.board()).iter()
    }

    /// All centres, in order.
    pub fn centres(&self) -> impl ExactSizeIterator<Item = CentreId> + use<> {
        (0..self.centres.list.len() as u32).map(CentreId::new)
    }

    /// The columns of a centre.
    pub fn centre(&self, id: CentreId) -> Centre {
        self.centres.list[id.index()]
    }

    /// The place of a centre in the list, if a game can contain it.
    pub(crate) fn find_centre(&self, centre: Centre) -> Option<CentreId> {
        self.centres.find(centre)
    }

    /// The centres that a stone leads to, as they are stored.
    pub(crate) fn next_centres(&self, id: CentreId) -> impl Iterator<Item = CentreId> {
        let after = move |player| self.centre(id).after(player, self.board().height());
        let next = Player::BOTH.into_iter().flat_map(after);
        let next = next.filter_map(|(_, next)| self.find_centre(next));
        next.map(|next| next.min(self.reversed(next)))
    }

    /// The centres from which a stone of this player leads to this one.
    pub(crate) fn previous_centres(
        &self,
        id: CentreId,
        player: Player,
    ) -> impl Iterator<Item = CentreId> {
        let before = self.centre(id).before(player);
        before.filter_map(|(_, before)| self.find_centre(before))
    }

    /// The stones of a centre.
    pub(crate) fn centre_class(&self, id: CentreId) -> Class {
        self.centres.classes[id.index()]
    }

    /// The centre as seen from the right side.
    pub fn reversed(&self, id: CentreId) -> CentreId {
        self.centres.reversed[id.index()]
    }

    /// Number of states that a column can be in.
    pub fn column_states(&self) -> usize {
        self.columns.len()
    }

    /// Rows of a centre in a class.
    pub(crate) fn class_size(&self, centre: CentreId, class: Class) -> usize {
        let starts = self.starts(centre);
        starts.get(class.slot() + 1).map_or(0, |end| (end - starts[class.slot()]) as usize)
    }

    /// Rows of a centre in all classes.
    pub(crate) fn centre_rows(&self, centre: CentreId) -> usize {
        self.starts(centre).last().map_or(0, |rows| *rows as usize)
    }

    /// The classes that have rows beside a centre, in order.
    pub fn classes(&self, centre: CentreId) -> impl Iterator<Item = Class> + '_ {
        Class::all(self.split.side_cells())
            .zip(self.starts(centre).windows(2))
            .filter_map(|(class, ends)| (ends[0] < ends[1]).then_some(class))
    }

    /// Rows of all centres.
    pub fn rows(&self) -> u64 {
        self.centres().map(|centre| self.centre_rows(centre) as u64).sum()
    }

    /// Rows of the largest class.
    pub fn largest_class(&self) -> usize {
        let largest = |centre| {
            self.classes(centre).map(|class| self.class_size(centre, class)).max().unwrap_or(0)
        };
        self.centres().map(largest).max().unwrap_or(0)
    }

    /// The rows of a centre before each class slot, and after the last.
    pub(super) fn starts(&self, centre: CentreId) -> &[u32] {
        let stride = Class::slots(self.split.side_cells()) + 1;
        let starts = self.starts.get().unwrap_or_else(|| {
            // Two threads may both count: if one waited for the other, and the other helped it with
            // its work meanwhile, neither would end.
            let counted = self.count();
            self.starts.get_or_init(|| counted)
        });
        &starts[centre.index() * stride..][..stride]
    }

    /// Counts the rows of all centres, which takes well below a second on most boards. To exchange
    /// the colours of all stones is to exchange classes, so most near columns are counted in pairs.
    fn count(&self) -> Vec<u32> {
        let centres = &self.centres.list;
        let chunks: Vec<&[Centre]> = centres.chunk_by(|a, b| a.near() == b.near()).collect();
        let same = |centre: &Centre| {
            let exchanged = centre.exchanged();
            let is_earlier = exchanged.near() < centre.near();
            self.centres.find(exchanged).filter(|_| is_earlier)
        };
        let is_second = |chunk: &[Centre]| chunk.iter().all(|centre| same(centre).is_some());
        let count = |chunk: &&[Centre]| {
            (!is_second(chunk)).then(|| starts_of(self.split, &self.columns, chunk))
        };
        let counted: Vec<Option<Vec<u32>>> = chunks.par_iter().map(count).collect();
        let cells = self.split.side_cells();
        let stride = Class::slots(cells) + 1;
        let mut starts = Vec::with_capacity(centres.len() * stride);
        for (chunk, counted) in chunks.into_iter().zip(counted) {
            if let Some(counted) = counted {
                starts.extend(counted);
                continue;
            }
            for same in chunk.iter().filter_map(same) {
                let end = starts.len();
                starts.extend_from_within(same.index() * stride..(same.index() + 1) * stride);
                exchange(&mut starts[end..], cells);
            }
        }
        starts
    }
}

/// Exchanges the sizes of classes that are the same but for the colours.
fn exchange(starts: &mut [u32], cells: usize) {
    for stones in 0..=cells {
        let (first, end) = (Class::slots(stones) - stones - 1, Class::slots(stones));
        let sum = starts[first] + starts[end];
        let within = &mut starts[first + 1..end];
        within.reverse();
        within.iter_mut().for_each(|start| *start = sum - *start);
    }
}

/// The starts of all classes of centres with the same near column.
fn starts_of(split: Split, columns: &[ColumnState], centres: &[Centre]) -> Vec<u32> {
    let slots = Class::slots(split.side_cells());
    let sizes = sizes_beside(split, columns, centres[0].near());
    let mut starts = Vec::with_capacity(centres.len() * (slots + 1));
    for centre in centres {
        let far = place_of(columns, centre.far());
        starts.push(0);
        starts.extend(sizes[far * slots..][..slots].iter().scan(0, |rows, size| {
            *rows += size;
            Some(*rows)
        }));
    }
    starts
}

/// By far column and then by class slot, the number of sides that fit it and a near column: those
/// that fit the far column without its top stone, except those whose demand that stone breaks.
fn sizes_beside(split: Split, columns: &[ColumnState], near: Option<ColumnCode>) -> Vec<u32> {
    let by_demand = strips_by_demand(split, columns, near.map(ColumnState::of).as_ref());
    let slots = Class::slots(split.side_cells());
    let mut all = vec![0; columns.len() * slots];
    for (number, far) in columns.iter().enumerate() {
        let (before, from) = all.split_at_mut(number * slots);
        let sizes = &mut from[..slots];
        let Some(lifted) = far.code.lifted() else {
            for (_, counts) in by_demand.iter() {
                sizes.iter_mut().zip(counts).for_each(|(size, count)| *size += count);
            }
            continue;
        };
        let lifted = place_of(columns, lifted);
        sizes.copy_from_slice(&before[lifted * slots..][..slots]);
        let lifted = &columns[lifted];
        for (demand, counts) in &by_demand {
            if demand.allows(lifted) && !demand.allows(far) {
                sizes.iter_mut().zip(counts).for_each(|(size, count)| *size -= count);
            }
        }
    }
    all
}

/// Where a column is in the list of all columns.
fn place_of(columns: &[ColumnState], code: ColumnCode) -> usize {
    columns.binary_search_by_key(&code, |column| column.code).expect("a column of the board")
}

/// The sides beside a near column, counted by their demand on the far column and by class slot.
fn strips_by_demand(
    split: Split,
    columns: &[ColumnState],
    near: Option<&ColumnState>,
) -> Vec<(Demand, Vec<u32>)> {
    let slots = Class::slots(split.side_cells());
    let inner = split.side_width().min(4 - split.centre_width());
    let outer = split.side_width() - inner;
    let mut counted: Vec<(Demand, Vec<u32>)> = Vec::new();
    let mut places: FxHashMap<Demand, usize> = FxHashMap::default();
    let mut growth = Growth::new(columns);
    let start = Strip::next_to(near, split.board().height());
    start.grow(columns, inner, &mut |strip| {
        let demand = strip.demand_before();
        let place = *places.entry(demand).or_insert_with(|| {
            counted.push((demand, vec![0; slots]));
            counted.len() - 1
        });
        let counts = &mut counted[place].1;
        for (class, ways) in growth.ways(strip, outer).iter() {
            counts[strip.class.plus(*class).slot()] += ways;
        }
    });
    counted
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    fn census(name: &str) -> Result<Census, BoardTooLarge> {
        Census::new(name.parse().unwrap())
    }

    #[test]
    fn the_board_of_the_original_game_has_49_041_161_rows() {
        let standard = census("7x6").unwrap();
        assert_eq!(standard.column_states(), 103);
        assert_eq!(standard.centres().len(), 103);
        assert_eq!(standard.rows(), 49_041_161);
        assert_eq!(standard.largest_class(), 50_520);
        // Four columns without a four are the same, whether one or two of them are the centre.
        assert_eq!(census("6x6").unwrap().rows(), 49_041_161);
    }

    /// If the first thread that asks kept others waiting while it counts, and helped with their
    /// work meanwhile, it would wait for itself.
    #[test]
    fn threads_that_ask_at_once_get_an_answer() {
        let (answer, answers) = mpsc::channel();
        std::thread::spawn(move || {
            for _ in 0..20 {
                let threads = rayon::ThreadPoolBuilder::new().num_threads(16).build().unwrap();
                let census = census("6x4").unwrap();
                let centres: Vec<CentreId> = census.centres().collect();
                let rows = |centres: &[CentreId]| {
                    centres.iter().map(|centre| census.centre_rows(*centre) as u64).sum::<u64>()
                };
                answer.send(threads.install(|| centres.par_chunks(64).map(rows).sum())).unwrap();
            }
        });
        let rows = census("6x4").unwrap().rows();
        for _ in 0..20 {
            assert_eq!(answers.recv_timeout(Duration::from_secs(60)), Ok(rows));
        }
    }

    #[test]
    fn centres_that_are_counted_by_their_colours_have_the_rows_that_they_have() {
        for board in ["6x4", "2x6", "4x5", "8x3", "2x2", "10x2", "5x4", "1x4"] {
            let census = census(board).unwrap();
            let chunks = census.centres.list.chunk_by(|a, b| a.near() == b.near());
            let one_by_one = chunks.map(|chunk| starts_of(census.split, &census.columns, chunk));
            assert!(census.count() == one_by_one.collect::<Vec<_>>().concat(), "{board}");
        }
    }

    #[test]
    fn boards_that_are_too_large_say_why() {
        for (board, reason) in [
            ("2x31", "a column of 2x31 has more than 65536 states"),
            ("3x20", "a column of 3x20 has more than 65536 states"),
            ("4x11", "the index of 4x11 has too many states of the centre: at least"),
        ] {
            let error = census(board).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        for board in ["1x1", "1x63", "32x1", "2x8", "6x6", "7x7", "3x12"] {
            census(board).unwrap();
        }
    }
}
