//! Lists the rows of one centre after another: the side states that make no four with it, class by
//! class, in the order of their codes.
//!
//! The sides beside a near centre column are grown from the outside in, which lists them in the
//! order of their codes, each with its demand on the far column. The rows of a centre are those
//! whose demand it meets, distributed over the classes, whose sizes the [`Census`] knows.
//!
//! Beside a centre of two columns, what the states of a side demand of the far one depends on the
//! near one, which many centres share. So the sides beside the last few near columns are kept.
//!
//! A [`SideSample`] has only some of the rows of each class, for those who ask how many have some
//! property.

use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::strip::{ColumnState, Demand, Strip};
use super::{ByClass, Cell, Census, Centre, CentreId, Class, LimitedList, Ranked, SideState};
use crate::board::{Board, Player, Position, Tier, has_four};
use crate::too_large::BoardTooLarge;
use crate::tromp::ColumnCode;

/// The sides beside a near column, if centres have one.
type NearSides = (Option<ColumnCode>, Arc<[Stem]>);

/// Lists rows, for any number of threads.
pub struct Lister {
    census: Arc<Census>,
    /// The sides beside near columns; those that were asked for last come last.
    stems: Mutex<Vec<NearSides>>,
}

impl Lister {
    /// Bytes of the sides that are kept, unless those beside a single column take more.
    const KEPT: usize = 128 << 20;

    /// A lister that has listed nothing yet.
    pub fn new(census: &Arc<Census>) -> Lister {
        Lister { census: census.clone(), stems: Mutex::default() }
    }

    /// The most bytes that it keeps, and those that it takes on top while it lists more.
    pub fn bytes(census: &Census) -> [u64; 2] {
        // Beside an empty near column, or none, stand as many sides as some centre has rows; while
        // they are listed there are up to three times as many.
        let most_rows = census.centres().map(|centre| census.centre_rows(centre)).max();
        let beside_one = most_rows.unwrap_or(0) * size_of::<Stem>();
        let kept = match Lister::lists_once(census) {
            true => beside_one,
            false => Lister::KEPT.min(census.column_states() * beside_one).max(beside_one),
        };
        [kept as u64, 3 * beside_one as u64]
    }

    /// Whether all that it lists is listed when the first centre is asked for: there are no near
    /// columns.
    pub fn lists_once(census: &Census) -> bool {
        census.split().centre_width() == 1
    }

    /// The rows of a centre.
    pub fn rows(&self, centre: CentreId) -> ByClass<SideState> {
        self.rows_of_at_most(centre, Some(self.census.split().side_cells()))
    }

    /// Its rows of at most this many stones; none without a number. Other classes have no list.
    pub(crate) fn rows_of_at_most(
        &self,
        centre: CentreId,
        stones: Option<usize>,
    ) -> ByClass<SideState> {
        let Some(stones) = stones else {
            return ByClass { all: Box::default(), starts: Box::new([0]) };
        };
        let stems = self.stems(self.census.centre(centre).near());
        rows_of(&self.census, centre, &stems, stones)
    }

    /// Forgets what it keeps.
    pub fn clear(&self) {
        self.stems.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn stems(&self, near: Option<ColumnCode>) -> Arc<[Stem]> {
        let lock = || self.stems.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let mut known = lock();
            if let Some(place) = known.iter().position(|(of, _)| *of == near) {
                known[place..].rotate_left(1);
                return known.last().expect("the one that was found").1.clone();
            }
        }
        let made: Arc<[Stem]> = stems(&self.census, near).into();
        let mut known = lock();
        if known.iter().all(|(of, _)| *of != near) {
            known.push((near, made.clone()));
        }
        let bytes = |stems: &Arc<[Stem]>| stems.len() * size_of::<Stem>();
        let mut all: usize = known.iter().map(|(_, stems)| bytes(stems)).sum();
        let mut over = 0;
        while all > Lister::KEPT && over + 1 < known.len() {
            all -= bytes(&known[over].1);
            over += 1;
        }
        known.drain(..over);
        made
    }
}

/// A side state beside a near column, with its demand on the far one.
pub(super) struct Stem {
    state: SideState,
    class: Class,
    demand: Demand,
}

/// The sides beside a near column, if the centre has two, in the order of their codes.
pub(super) fn stems(census: &Census, near: Option<ColumnCode>) -> Vec<Stem> {
    let near = near.map(ColumnState::of);
    let split = census.split();
    let mut stems = Vec::new();
    let empty = Strip::empty(split.board().height());
    empty.grow(&census.columns, split.side_width(), &mut |side| {
        if let Some(demand) = side.demand_past(near.as_ref()) {
            stems.push(Stem { state: SideState(side.code), class: side.class, demand });
        }
    });
    stems
}

/// The rows of a centre with at most this many stones, picked from the sides beside its near
/// column.
pub(super) fn rows_of(
    census: &Census,
    centre: CentreId,
    stems: &[Stem],
    stones: usize,
) -> ByClass<SideState> {
    let far = ColumnState::of(census.centre(centre).far());
    let starts = &census.starts(centre)[..=Class::slots(stones)];
    let mut next = starts.to_vec();
    let mut states = vec![SideState(0); starts[starts.len() - 1] as usize].into_boxed_slice();
    let is_row = |stem: &&Stem| stem.class.stones() <= stones && stem.demand.allows(&far);
    for stem in stems.iter().filter(is_row) {
        let place = &mut next[stem.class.slot()];
        states[*place as usize] = stem.state;
        *place += 1;
    }
    debug_assert!(next.iter().zip(&starts[1..]).all(|(filled, end)| filled == end));
    ByClass { all: states, starts: starts.into() }
}

/// Some states of the sides, evenly among all of each class.
pub(crate) struct SideSample {
    census: Arc<Census>,
    sides: ByClass<Strip>,
}

impl SideSample {
    /// At least this many states of each class are taken, or all if it has fewer.
    const LEAST: u64 = 8;

    /// Takes one of `one_of` states, and more of small classes.
    pub(crate) fn new(census: &Arc<Census>, one_of: u64) -> SideSample {
        let split = census.split();
        let empty = Strip::empty(split.board().height());
        let grow = |visit: &mut dyn FnMut(&Strip)| {
            empty.grow(&census.columns, split.side_width(), &mut |side| visit(side));
        };
        let mut sizes = vec![0; Class::slots(split.side_cells())];
        grow(&mut |side| sizes[side.class.slot()] += 1u64);
        let mut seen = vec![0; sizes.len()];
        let mut sides = Vec::new();
        grow(&mut |side| {
            let slot = side.class.slot();
            let step = (sizes[slot] / SideSample::LEAST).clamp(1, one_of.max(1));
            if seen[slot] % step == step / 2 {
                sides.push(*side);
            }
            seen[slot] += 1;
        });
        sides.sort_by_key(|side| side.class.slot());
        let start = |slot| sides.partition_point(|side| side.class.slot() < slot) as u32;
        let starts = (0..=sizes.len()).map(start).collect();
        SideSample { census: census.clone(), sides: ByClass { all: sides.into(), starts } }
    }

    /// Those that make no four with a centre.
    pub(crate) fn rows(&self, centre: CentreId) -> ByClass<SideState> {
        let centre = self.census.centre(centre);
        let (near, far) = (centre.near().map(ColumnState::of), ColumnState::of(centre.far()));
        let is_row = |side: &&Strip| {
            side.demand_past(near.as_ref()).is_some_and(|demand| demand.allows(&far))
        };
        let mut all = Vec::with_capacity(self.sides.all.len());
        let mut starts = vec![0];
        for class in Class::all(self.census.split().side_cells()) {
            let rows = self.sides.of(class).iter().filter(is_row);
            all.extend(rows.map(|side| SideState(side.code)));
            starts.push(all.len() as u32);
        }
        ByClass { all: all.into(), starts: starts.into() }
    }
}

/// The tight tier hash of a board, with the lists that it uses: the slow twin of
/// [`Finder`](super::Finder).
///
/// ```
/// use strong4::board::{Board, Moves};
/// use strong4::inside::index::Index;
///
/// let board = Board::new(5, 4)?;
/// let index = Index::new(board)?;
/// let position = *Moves::parse(board, "3321")?.position();
/// let ranked = index.rank(&position).expect("nobody has four in a row");
/// assert!(ranked.mirrored);
/// assert_eq!(index.unrank(ranked.cell), position.mirror());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Index {
    census: Arc<Census>,
    rows: Vec<ByClass<SideState>>,
}

impl Index {
    /// Lists the rows of a board.
    pub fn new(board: Board) -> Result<Index, BoardTooLarge> {
        let census = Arc::new(Census::new(board)?);
        LimitedList::Rows.check(board, census.rows())?;
        let rows = list_rows(&census);
        Ok(Index { census, rows })
    }

    /// The census of the board.
    pub fn census(&self) -> &Arc<Census> {
        &self.census
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.census.board()
    }

    /// The rows of a centre in a class, in the order of their codes.
    pub fn rows(&self, centre: CentreId, class: Class) -> &[SideState] {
        self.rows[centre.index()].of(class)
    }

    /// The same as [`Finder::rank`](super::Finder::rank).
    pub fn rank(&self, position: &Position) -> Option<Ranked> {
        self.census.rank(position, |centre, class| self.rows(centre, class))
    }

    /// The position in a cell.
    pub fn unrank(&self, cell: Cell) -> Position {
        self.census.unrank(cell, |centre, class| self.rows(centre, class))
    }

    /// The stored cell of a tier with this number, if there are as many.
    pub fn cell_at(&self, tier: Tier, mut number: u64) -> Option<Cell> {
        for tile in self.census.tiles(tier) {
            let cells = self.census.tile_cells(tile);
            if number < cells {
                let columns = self.census.tile_columns(tile) as u64;
                let (row, column) = ((number / columns) as u32, (number % columns) as u32);
                return Some(Cell { tile, row, column });
            }
            number -= cells;
        }
        None
    }

    /// Whether this player has a four in the position of a cell. Such a four has cells on both
    /// sides, and no game continues from there.
    pub fn has_crossing_four_of(&self, cell: Cell, player: Player) -> bool {
        has_four(self.board(), self.unrank(cell).stones(player))
    }

    /// Whether some player has a four in the position of a cell.
    pub fn has_crossing_four(&self, cell: Cell) -> bool {
        Player::BOTH.into_iter().any(|player| self.has_crossing_four_of(cell, player))
    }
}

/// The rows of all centres, in the order of the centres.
fn list_rows(census: &Census) -> Vec<ByClass<SideState>> {
    let centres: Vec<(CentreId, Centre)> =
        census.centres().map(|id| (id, census.centre(id))).collect();
    centres
        .par_chunk_by(|(_, a), (_, b)| a.near() == b.near())
        .flat_map(|chunk| {
            let stems = stems(census, chunk[0].1.near());
            let stones = census.split().side_cells();
            let rows = chunk.par_iter().map(|(id, _)| rows_of(census, *id, &stems, stones));
            rows.collect::<Vec<_>>()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Index;

    #[test]
    fn the_rows_are_those_of_the_index_in_whatever_order_they_are_listed() {
        for board in ["7x4", "6x4", "5x5", "9x2", "8x2", "2x6", "1x5", "12x1"] {
            let index = Index::new(board.parse().unwrap()).unwrap();
            let census = index.census();
            let lister = Lister::new(census);
            let centres: Vec<CentreId> = census.centres().collect();
            for centre in centres.iter().rev().chain(centres.iter().step_by(3)) {
                let rows = lister.rows(*centre);
                for class in census.classes(*centre) {
                    let of_class = rows.of(class);
                    assert_eq!(of_class, index.rows(*centre, class));
                    assert_eq!(of_class.len(), census.class_size(*centre, class));
                    assert!(of_class.is_sorted_by(|a, b| a < b));
                    assert!(of_class.iter().all(|row| row.class(census.split()) == class));
                }
                assert_eq!(rows.all().len(), census.centre_rows(*centre));
            }
        }
    }

    #[test]
    fn some_rows_are_those_that_are_no_fuller() {
        for board in ["7x3", "6x4", "9x2", "2x6", "1x5"] {
            let census = Arc::new(Census::new(board.parse().unwrap()).unwrap());
            let lister = Lister::new(&census);
            for centre in census.centres() {
                let all = lister.rows(centre);
                assert_eq!(lister.rows_of_at_most(centre, None).all(), []);
                for most in 0..=census.split().side_cells() {
                    let some = lister.rows_of_at_most(centre, Some(most));
                    for class in census.classes(centre) {
                        let is_there = class.stones() <= most;
                        assert_eq!(some.of(class), if is_there { all.of(class) } else { &[] });
                    }
                    assert!(all.all().starts_with(some.all()));
                }
            }
        }
    }

    #[test]
    fn lists_that_are_too_long_are_refused_with_their_length() {
        let board = "8x6".parse().unwrap();
        let rows = Census::new(board).unwrap().rows();
        assert_eq!(
            Index::new(board).unwrap_err().to_string(),
            format!(
                "the index of 8x6 has too many rows of all centres: {rows}, but the limit is \
                 536870912"
            )
        );
    }
}
