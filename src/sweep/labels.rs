//! What each row of a tile shares with others: its face and its move-order type.
//!
//! Which right sides complete a four with a left side and the centre depends on
//! the left side's *face* alone: its demands, for both players. Which can be
//! filled in turn with them depends on its *type* alone. Of both there are few,
//! so rows carry the numbers of theirs, and bit rows are made for each number.

use std::collections::HashMap;
use std::ops::Range;

use rayon::prelude::*;

use crate::board::Player;
use crate::index::{Centre, CentreId, Class, Index, SideState, Split};
use crate::order::{CentreSet, OrderType, Orders};

use super::crossing::CrossingLines;

/// The demands of a face, first player's and second player's.
pub(super) type Face = [u64; 2];

/// The faces and types of the rows of all centres.
pub(super) struct Labels {
    centres: Vec<CentreLabels>,
    /// By class, the types that sides of it have.
    types: Vec<Range<usize>>,
}

/// The labels of the rows of a centre, seen as left sides.
struct CentreLabels {
    /// By row.
    face_of: Box<[u32]>,
    /// By row, counted in the types of its class.
    type_of: Box<[u32]>,
    faces: Vec<Face>,
    /// What the move-order types call the centre.
    columns: CentreSet,
}

impl Labels {
    pub fn new(index: &Index, orders: &Orders) -> Labels {
        let finder = TypeFinder::new(index, orders);
        let mut types = vec![0..0; Class::slots(index.census().split().side_cells())];
        for class in orders.left().classes() {
            let first = (class.stones as i32 + class.surplus) / 2;
            let slot = Class::new(class.stones, first as usize).map(Class::slot);
            if let Some(types) = slot.and_then(|slot| types.get_mut(slot)) {
                *types = class.types.clone();
            }
        }
        let centres: Vec<CentreId> = index.census().centres().collect();
        let label = |centre: &CentreId| CentreLabels::new(index, &finder, &types, *centre);
        Labels { centres: centres.par_iter().map(label).collect(), types }
    }

    /// The types of the sides of a class.
    pub fn types(&self, class: Class) -> Range<usize> {
        self.types[class.slot()].clone()
    }

    /// What the move-order types call a centre.
    pub fn columns(&self, centre: CentreId) -> CentreSet {
        self.centres[centre.index()].columns
    }

    /// The faces beside a centre, by their numbers.
    pub fn faces(&self, centre: CentreId) -> &[Face] {
        &self.centres[centre.index()].faces
    }

    /// The face numbers of the rows of a class.
    pub fn face_of(&self, index: &Index, centre: CentreId, class: Class) -> &[u32] {
        &self.centres[centre.index()].face_of[index.row_range(centre, class)]
    }

    /// The types of the rows of a class, counted from the first of the class.
    pub fn type_of(&self, index: &Index, centre: CentreId, class: Class) -> &[u32] {
        &self.centres[centre.index()].type_of[index.row_range(centre, class)]
    }
}

impl CentreLabels {
    fn new(
        index: &Index,
        finder: &TypeFinder,
        types: &[Range<usize>],
        centre: CentreId,
    ) -> CentreLabels {
        let census = index.census();
        let lines = CrossingLines::of(census.split());
        let columns = census.centre(centre);
        let mut numbers = HashMap::new();
        let mut labels = CentreLabels {
            face_of: vec![0; census.centre_rows(centre)].into(),
            type_of: vec![0; census.centre_rows(centre)].into(),
            faces: Vec::new(),
            columns: finder.centre(columns),
        };
        for class in census.classes(centre) {
            let first = types[class.slot()].start;
            for (row, state) in index.row_range(centre, class).zip(index.rows(centre, class)) {
                let face = Player::BOTH.map(|player| lines.demanded(columns, *state, player));
                labels.face_of[row] = *numbers.entry(face).or_insert_with(|| {
                    labels.faces.push(face);
                    labels.faces.len() as u32 - 1
                });
                labels.type_of[row] = (finder.of(*state).index() - first) as u32;
            }
        }
        labels
    }
}

/// Finds the move-order type of a side state.
struct TypeFinder<'a> {
    index: &'a Index,
    orders: &'a Orders,
    /// The number of each column state, by its marker code.
    numbers: Vec<u32>,
}

impl TypeFinder<'_> {
    fn new<'a>(index: &'a Index, orders: &'a Orders) -> TypeFinder<'a> {
        let codes = &orders.columns().codes;
        let mut numbers = Vec::new();
        // Without columns on the sides no column is ever looked up, and codes may be huge.
        if index.census().split().side_width() > 0 {
            let last = codes.last().map_or(0, |code| code.marker() as usize);
            numbers.resize(last + 1, 0);
            for (code, number) in codes.iter().zip(0..) {
                numbers[code.marker() as usize] = number;
            }
        }
        TypeFinder { index, orders, numbers }
    }

    fn of(&self, state: SideState) -> OrderType {
        let split = self.index.census().split();
        let mut columns = [0; Split::MOST_SIDE_COLUMNS];
        let columns = &mut columns[..split.side_width()];
        for (number, column) in columns.iter_mut().zip(split.side_columns()) {
            *number = self.numbers[state.column(split, column).marker() as usize] as usize;
        }
        self.orders.left().type_of(columns).expect("types of all sides")
    }

    fn centre(&self, centre: Centre) -> CentreSet {
        let codes = [centre.near(), Some(centre.far())].into_iter().flatten();
        let columns: Option<Vec<usize>> =
            codes.map(|code| self.orders.columns().find(code)).collect();
        let columns = columns.and_then(|columns| self.orders.centre(&columns));
        columns.expect("a centre of columns of the board")
    }
}
