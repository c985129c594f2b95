//! From a position to its cell, and back.

use crate::board::{Player, Position, Tier};
use crate::tromp::{ColumnCode, column_code};

use super::{Cell, CellOffset, Census, Centre, CentreId, Class, Index, Place, SideState, Tile};

/// The place of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ranked {
    /// The cell, which is always in a stored tile.
    pub cell: Cell,
    /// Whether the cell holds the mirror image of the position.
    pub mirrored: bool,
}

impl Index {
    /// The cell of a position or of its mirror image, the same for both.
    ///
    /// Every position without a four in a row has one. `None` if there is a four in a column, or in
    /// the centre with one of the sides, or if the stones cannot have been dropped alternately. The
    /// position must be on the board of the index.
    pub fn rank(&self, position: &Position) -> Option<Ranked> {
        self.census().rank(position, |centre, class, state| self.row(centre, class, state))
    }

    /// The position in a cell.
    pub fn unrank(&self, cell: Cell) -> Position {
        self.census().assemble(cell.tile.centre, self.sides(cell))
    }

    /// The number of a stored cell in its tier.
    pub fn offset(&self, cell: Cell) -> CellOffset {
        let Cell { tile, row, column } = cell;
        let columns = self.census().tile_columns(tile) as u64;
        let in_tile = u64::from(row) * columns + u64::from(column);
        CellOffset(self.tile_offset(tile).0 + in_tile)
    }

    /// The number of the first cell of a stored tile.
    pub(crate) fn tile_offset(&self, tile: Tile) -> CellOffset {
        let census = self.census();
        debug_assert!(census.is_stored(tile));
        let tier = census.tier(tile);
        let before = census.tiles_beside(tier, tile.centre).take_while(|other| *other < tile);
        let cells: u64 = before.map(|other| census.tile_cells(other)).sum();
        CellOffset(self.bases(tier)[tile.centre.index()] + cells)
    }

    /// The stored cell with this number, if the tier has that many.
    pub fn cell_at(&self, tier: Tier, offset: CellOffset) -> Option<Cell> {
        let census = self.census();
        let bases = self.bases(tier);
        // The last centre that starts at or before the offset; empty centres come before it.
        let centre = bases.partition_point(|base| *base <= offset.0).checked_sub(1)?;
        let mut rest = offset.0 - bases[centre];
        for tile in
            census.centres().nth(centre).into_iter().flat_map(|c| census.tiles_beside(tier, c))
        {
            let cells = census.tile_cells(tile);
            if rest < cells {
                let columns = census.tile_columns(tile) as u64;
                let (row, column) = ((rest / columns) as u32, (rest % columns) as u32);
                return Some(Cell { tile, row, column });
            }
            rest -= cells;
        }
        None
    }

    /// Whether this is the cell that its position is ranked to. That holds for every cell of a stored tile,
    /// except those below the diagonal of a tile that is its own transpose, which repeat those
    /// above.
    pub fn is_canonical(&self, cell: Cell) -> bool {
        self.census().is_canonical(cell)
    }

    /// The left and the right state of a cell.
    pub(crate) fn sides(&self, cell: Cell) -> [SideState; 2] {
        let Cell { tile, row, column } = cell;
        let reversed = self.census().reversed(tile.centre);
        [
            self.rows(tile.centre, tile.left)[row as usize],
            self.rows(reversed, tile.right)[column as usize],
        ]
    }

    /// The stones of a cell in one column of the board.
    pub(super) fn column(&self, cell: Cell, place: Place) -> ColumnCode {
        self.census().column(cell.tile.centre, self.sides(cell), place)
    }

    /// The cell of two sides and a centre, if neither side makes a four with it.
    pub(super) fn locate(
        &self,
        centre: CentreId,
        left: SideState,
        right: SideState,
    ) -> Option<Ranked> {
        let row = |centre, class, state| self.row(centre, class, state);
        self.census().locate(centre, left, right, row)
    }

    /// The stored one of a cell and its mirror image.
    pub(super) fn canonical(&self, cell: Cell) -> Ranked {
        self.census().canonical(cell)
    }
}

/// The same for callers that list the rows themselves, as [`Index`] and [`Finder`](super::Finder)
/// do. `row` returns the place of a side state in its class beside a centre, or `None` if it makes
/// a four there.
impl Census {
    pub(super) fn rank(
        &self,
        position: &Position,
        row: impl Fn(CentreId, Class, SideState) -> Option<u32>,
    ) -> Option<Ranked> {
        assert_eq!(position.board(), self.board(), "a position of another board");
        let split = self.split();
        let code = |place| column_code(position, split.column(place));
        let near = (split.centre_width() == 2).then(|| code(Place::Near));
        let centre = Centre::new(near, code(Place::Far));
        let left = split.side_columns().map(|column| code(Place::Left(column)));
        let right = split.side_columns().map(|column| code(Place::Right(column)));
        self.locate(
            self.find_centre(centre)?,
            SideState::from_columns(split, left),
            SideState::from_columns(split, right),
            row,
        )
    }

    fn locate(
        &self,
        centre: CentreId,
        left: SideState,
        right: SideState,
        row: impl Fn(CentreId, Class, SideState) -> Option<u32>,
    ) -> Option<Ranked> {
        let split = self.split();
        let tile = Tile { centre, left: left.class(split), right: right.class(split) };
        let all = self.centre_class(centre).plus(tile.left).plus(tile.right);
        if all != Class::of_board(all.stones()) {
            return None;
        }
        let column = row(self.reversed(centre), tile.right, right)?;
        let row = row(centre, tile.left, left)?;
        Some(self.canonical(Cell { tile, row, column }))
    }

    /// The stones of two sides and a centre in one column of the board.
    fn column(&self, centre: CentreId, [left, right]: [SideState; 2], place: Place) -> ColumnCode {
        let (split, centre) = (self.split(), self.centre(centre));
        match place {
            Place::Left(column) => left.column(split, column),
            Place::Right(column) => right.column(split, column),
            Place::Far => centre.far(),
            Place::Near => centre.near().expect("the board has two centre columns"),
        }
    }

    /// The position with these sides beside this centre.
    pub(super) fn assemble(&self, centre: CentreId, sides: [SideState; 2]) -> Position {
        let board = self.board();
        let mut stones = [0; 2];
        for column in board.columns() {
            let code = self.column(centre, sides, self.split().place(column));
            for player in Player::BOTH {
                stones[player.index()] |=
                    code.stones_of(player) << (column.index() * board.column_bits());
            }
        }
        Position::from_stones_unchecked(board, stones[0], stones[1])
    }

    fn is_canonical(&self, cell: Cell) -> bool {
        let Cell { tile, row, column } = cell;
        let mirrored = self.mirrored(tile);
        (tile, row) <= (mirrored, column)
    }

    fn canonical(&self, cell: Cell) -> Ranked {
        let Cell { tile, row, column } = cell;
        if self.is_canonical(cell) {
            return Ranked { cell, mirrored: false };
        }
        let cell = Cell { tile: self.mirrored(tile), row: column, column: row };
        Ranked { cell, mirrored: true }
    }
}
