//! From a position to its cell, and back.

use crate::board::{Player, Position};
use crate::tromp::{ColumnCode, column_code};

use super::{Cell, Census, Centre, CentreId, Class, Place, SideState, Tile};

/// The place of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ranked {
    /// The cell, which is always in a stored tile.
    pub cell: Cell,
    /// Whether the cell holds the mirror image of the position.
    pub mirrored: bool,
}

impl Census {
    /// The cell of a position or of its mirror image, the same for both.
    ///
    /// Every position without a four in a row has one. `None` if there is a four in a column, or in
    /// the centre with one of the sides, or if the stones cannot have been dropped alternately. The
    /// position must be on this board. `row` returns the place of a side state in its class beside
    /// a centre, or `None` if it makes a four there.
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

    /// Whether this is the cell that its position is ranked to. That holds for every cell of a stored tile,
    /// except those below the diagonal of a tile that is its own transpose, which repeat those
    /// above.
    pub(super) fn is_canonical(&self, cell: Cell) -> bool {
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
