//! The states of the centre, one column or two.
//!
//! Two neighbouring columns cannot make a four with each other. So every pair of column states is a
//! centre, unless one player would own more of its stones than the other can have answered on the
//! sides.

use crate::board::Player;
use crate::too_large::BoardTooLarge;
use crate::tromp::ColumnCode;

use super::strip::ColumnState;
use super::{Class, LimitedList, Split};

/// The place of a centre in the list of all centres.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CentreId(pub(super) u32);

impl CentreId {
    /// The centre with this number, whether it exists or not.
    pub(crate) fn new(number: u32) -> CentreId {
        CentreId(number)
    }

    /// For indexing.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A state of the centre, as seen from the left side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Centre {
    near: Option<ColumnCode>,
    far: ColumnCode,
}

impl Centre {
    /// A centre of one column (`None`) or of two, the left one first.
    pub fn new(near: Option<ColumnCode>, far: ColumnCode) -> Centre {
        Centre { near, far }
    }

    /// The left one of two columns.
    pub fn near(self) -> Option<ColumnCode> {
        self.near
    }

    /// The right one of two columns, or the only one.
    pub fn far(self) -> ColumnCode {
        self.far
    }

    /// The centre as seen from the right side.
    pub fn reversed(self) -> Centre {
        match self.near {
            None => self,
            Some(near) => Centre { near: Some(self.far), far: near },
        }
    }

    /// The centre with the colours of all stones exchanged, whether games contain it or not.
    pub(super) fn exchanged(self) -> Centre {
        Centre { near: self.near.map(ColumnCode::exchanged), far: self.far.exchanged() }
    }

    /// The centres that a stone of this player leads to, each with the column that has taken it.
    /// Columns hold at most `height` stones. The centres may contain a four.
    pub(crate) fn after(
        self,
        player: Player,
        height: usize,
    ) -> impl Iterator<Item = (ColumnCode, Centre)> {
        self.changed(move |code| (code.stones() < height).then(|| code.dropped_unchecked(player)))
    }

    /// The centres from which a stone of this player leads here, each with the column that takes
    /// it.
    pub(crate) fn before(self, player: Player) -> impl Iterator<Item = (ColumnCode, Centre)> {
        self.changed(move |code| code.lifted().filter(|_| code.top() == Some(player)))
    }

    /// The centres with another state of one of the columns, each with that state.
    fn changed(
        self,
        change: impl Fn(ColumnCode) -> Option<ColumnCode>,
    ) -> impl Iterator<Item = (ColumnCode, Centre)> {
        let far = change(self.far).map(|far| (far, Centre { far, ..self }));
        let near = self.near.and_then(change);
        let near = near.map(|near| (near, Centre { near: Some(near), ..self }));
        far.into_iter().chain(near)
    }
}

/// All centres of a board in order: by the near column, then by the far one.
#[derive(Clone, Debug)]
pub(super) struct Centres {
    pub list: Vec<Centre>,
    /// The stones of each.
    pub classes: Vec<Class>,
    /// Each as seen from the right side.
    pub reversed: Vec<CentreId>,
}

impl Centres {
    pub(super) fn of(split: Split, columns: &[ColumnState]) -> Result<Centres, BoardTooLarge> {
        let mut entries = Vec::new();
        let sides = 2 * split.side_cells() as i32;
        let mut with_near = |near: Option<&ColumnState>| {
            let near_class = near.map_or(Class::EMPTY, |column| column.class);
            for far in columns {
                let class = near_class.plus(far.class);
                if (-sides..=sides + 1).contains(&class.surplus()) {
                    entries.push((Centre::new(near.map(|column| column.code), far.code), class));
                }
            }
            LimitedList::Centres.check(split.board(), entries.len() as u64)
        };
        match split.centre_width() {
            1 => with_near(None)?,
            _ => columns.iter().try_for_each(|near| with_near(Some(near)))?,
        }
        let (list, classes): (Vec<Centre>, Vec<Class>) = entries.into_iter().unzip();
        let place = |centre: &Centre| list.binary_search(&centre.reversed()).map(|i| i as u32);
        let reversed = list
            .iter()
            .map(|centre| CentreId(place(centre).expect("reversing a centre keeps its stones")));
        Ok(Centres { reversed: reversed.collect(), list, classes })
    }

    pub(super) fn find(&self, centre: Centre) -> Option<CentreId> {
        self.list.binary_search(&centre).ok().map(|place| CentreId(place as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::columns::column_states;

    fn centres(width: u64, height: u64) -> Centres {
        let board = Board::new(width, height).unwrap();
        Centres::of(Split::of(board), &ColumnState::all(&column_states(board).unwrap())).unwrap()
    }

    #[test]
    fn one_centre_column_or_all_pairs() {
        assert_eq!(centres(7, 6).list.len(), 103);
        assert_eq!(centres(6, 6).list.len(), 103 * 103);
        assert_eq!(centres(1, 20).list.len(), 21);
    }

    #[test]
    fn reversing_twice_is_nothing_and_keeps_the_stones() {
        for (width, height) in [(7, 4), (6, 4), (2, 5), (1, 9)] {
            let Centres { list, classes, reversed } = &centres(width, height);
            for (number, centre) in list.iter().enumerate() {
                let image = reversed[number].index();
                assert_eq!(reversed[image].index(), number);
                assert_eq!(list[image], centre.reversed());
                assert_eq!(classes[image], classes[number]);
                assert!(width % 2 == 0 || image == number);
            }
        }
    }
}
