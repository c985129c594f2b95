//! `strong4.Position`: a position and the moves that led to it, if known.
//!
//! A Python `Position` is immutable, so it can be a key of a dict and be shared by
//! threads. It is always one that a game can reach: every constructor checks that.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString, PyTuple, PyType};
use strong4::board::{self, Board, Column, Moves, NotationError, Player, Status, letters};
use strong4::picture;
use strong4::tromp::Key;

use crate::argument::{self, expected, whole};
use crate::errors::{bad, unreachable};
use crate::layout::{self, Layout};

/// A position: stones on a board, and whose move it is.
///
/// Position(moves="", board="7x6") plays moves from the empty board. Moves are columns,
/// counted from 1 at the left: a string such as "4453", or a sequence of ints. Columns from
/// the tenth on are letters in a string: a, b, c ...
///
/// Positions are immutable: play(), undo() and mirror() return new ones. Two positions are
/// equal if their boards and stones are, whatever the order of the moves.
///
/// >>> from strong4 import Position
/// >>> position = Position("4453")
/// >>> position
/// . . . . . . .
/// . . . . . . .
/// . . . . . . .
/// . . . . . . .
/// . . . O . . .
/// . . O X X . .
/// 1 2 3 4 5 6 7
/// >>> position.play(3) == Position("44533")
/// True
/// >>> position.key, position.legal, position.winner
/// (4433219977345, [1, 2, 3, 4, 5, 6, 7], None)
#[pyclass(frozen, module = "strong4", name = "Position")]
#[derive(Clone)]
pub struct PyPosition {
    /// The position before `moves`.
    start: board::Position,
    /// The moves played from `start` on.
    moves: Vec<Column>,
    position: board::Position,
}

impl PyPosition {
    /// A position without known moves.
    fn known_from(start: board::Position) -> PyPosition {
        PyPosition { start, moves: Vec::new(), position: start }
    }

    /// The last position of a game.
    pub fn of_game(game: &Moves) -> PyPosition {
        let start = board::Position::empty(game.position().board());
        PyPosition { start, moves: game.columns().to_vec(), position: *game.position() }
    }

    /// The position itself.
    pub fn get(&self) -> &board::Position {
        &self.position
    }

    fn board(&self) -> Board {
        self.position.board()
    }

    /// The moves from the empty board, if all of them are known.
    pub fn known_game(&self) -> Option<String> {
        (self.start.occupied() == 0).then(|| letters(&self.moves))
    }

    fn played(&self, number: &Bound<'_, PyInt>) -> PyResult<PyPosition> {
        let column = column_numbered(self.get(), number)?;
        let position = self.position.play(column).map_err(|error| {
            bad(NotationError::Refused { place: next_place(self.get()), column, error })
        })?;
        let mut moves = self.moves.clone();
        moves.push(column);
        Ok(PyPosition { start: self.start, moves, position })
    }
}

/// The number of the next move in a game.
fn next_place(position: &board::Position) -> usize {
    position.tier().stones() + 1
}

/// The column with this number, which may be anything that Python calls an int.
fn column_numbered(position: &board::Position, number: &Bound<'_, PyInt>) -> PyResult<Column> {
    let board = position.board();
    if let Some(column) = number.extract::<usize>().ok().and_then(|n| board.column(n)) {
        return Ok(column);
    }
    // The library only knows columns named by a single character.
    Err(PyValueError::new_err(format!(
        "move {} is '{}': expected a column from 1 to {}",
        next_place(position),
        number.str()?,
        char::from_digit(board.width() as u32, 36).unwrap_or('?')
    )))
}

/// Parses the name of a board, such as "7x6".
pub fn board_named(name: &str) -> PyResult<Board> {
    name.parse().map_err(bad)
}

/// Checks that a game leads to these stones.
pub fn reachable(position: board::Position) -> PyResult<board::Position> {
    position.validate().map_err(unreachable)?;
    Ok(position)
}

/// Parses a game in text.
pub fn game(board: Board, text: &Bound<'_, PyString>) -> PyResult<Moves> {
    Moves::parse_loose(board, &text.to_cow()?).map_err(bad)
}

#[pymethods]
impl PyPosition {
    #[new]
    #[pyo3(signature = (moves=None, board="7x6"), text_signature = "(moves=\"\", board=\"7x6\")")]
    fn new(moves: Option<&Bound<'_, PyAny>>, board: &str) -> PyResult<PyPosition> {
        let board = board_named(board)?;
        let empty = PyPosition::known_from(board::Position::empty(board));
        let Some(moves) = moves else { return Ok(empty) };
        if let Ok(text) = moves.cast::<PyString>() {
            return Ok(PyPosition::of_game(&game(board, text)?));
        }
        let columns = moves.try_iter().map_err(|_| no_moves(moves))?;
        columns.into_iter().try_fold(empty, |position, column| {
            let column = column?;
            position.played(whole(&column).ok_or_else(|| no_moves(moves))?.cast::<PyInt>()?)
        })
    }

    /// The position with this key, an int: see docs/commands.md#keys.
    ///
    /// The moves that led to it are unknown, so `moves` is None.
    #[classmethod]
    #[pyo3(signature = (key, board="7x6"))]
    fn from_key(
        _: &Bound<'_, PyType>,
        key: &Bound<'_, PyAny>,
        board: &str,
    ) -> PyResult<PyPosition> {
        let board = board_named(board)?;
        let number = whole(key).ok_or_else(|| expected("a key, which is an int", key))?;
        argument::key(&number)?.decode(board).map(PyPosition::known_from).map_err(bad)
    }

    /// The position in a drawing: rows from top to bottom, X, O and '.'.
    ///
    /// Reads the output of repr() and of `strong4 show`.
    #[classmethod]
    #[pyo3(signature = (drawing, board="7x6"))]
    fn from_drawing(_: &Bound<'_, PyType>, drawing: &str, board: &str) -> PyResult<PyPosition> {
        let position = board::Position::from_drawing(board_named(board)?, drawing).map_err(bad)?;
        reachable(position).map(PyPosition::known_from)
    }

    /// The position in an array, in one of these layouts (H rows, W columns):
    ///
    /// "grid"        (H, W), row 0 at the top: 0 empty, 1 first player, 2 second player
    /// "connectx"    the same, (H*W,): `observation.board` of Kaggle's ConnectX
    /// "openspiel"   (3, H, W) or flat, row 0 at the BOTTOM; planes: first player, second, empty
    /// "pettingzoo"  (H, W, 2), row 0 at the top; planes: the observer, the opponent
    ///
    /// `player`, 1 or 2, is the observer. Without it, "pettingzoo" is seen by the player to
    /// move, and "openspiel" has no observer. With it, "openspiel" is OpenSpiel's tensor for that
    /// player with egocentric_obs_tensor=True: the opponent in the first plane, the observer in
    /// the second.
    ///
    /// player="mover" is the player to move.
    ///
    /// Any numeric dtype and memory order is accepted. The shape determines the board, unless
    /// the array is flat: then it is `board`, or 7x6. Since rows and columns are easily exchanged,
    /// an array of 7 rows and 6 columns is refused unless `board` is given.
    #[classmethod]
    #[pyo3(signature = (array, layout="grid", *, board=None, player=None))]
    fn from_array(
        _: &Bound<'_, PyType>,
        array: &Bound<'_, PyAny>,
        layout: &str,
        board: Option<&str>,
        player: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyPosition> {
        let (layout, observer) = (layout.parse::<Layout>()?, layout::observer(player)?);
        let board = board.map(board_named).transpose()?;
        let position = layout::read(array, layout, board, observer)?;
        reachable(position).map(PyPosition::known_from)
    }

    /// The position as a new array, in one of the layouts of from_array().
    ///
    /// The dtype is float32 for "openspiel" and int8 for the others. strong4.to_arrays() turns many
    /// positions into one array.
    #[pyo3(signature = (layout="grid", *, player=None))]
    fn to_array<'py>(
        &self,
        py: Python<'py>,
        layout: &str,
        player: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (layout, observer) = (layout.parse::<Layout>()?, layout::observer(player)?);
        layout::write(py, self.get(), layout, observer)
    }

    /// The position after the player to move drops a stone into this column, from 1.
    fn play(&self, column: &Bound<'_, PyAny>) -> PyResult<PyPosition> {
        let number = whole(column).ok_or_else(|| expected("a column, which is an int", column))?;
        self.played(number.cast::<PyInt>()?)
    }

    /// The position before the last move.
    ///
    /// Positions from keys, drawings and arrays know only the moves played since.
    fn undo(&self) -> PyResult<PyPosition> {
        let Some((last, before)) = self.moves.split_last() else {
            return Err(PyValueError::new_err(match self.start.occupied() {
                0 => "no move to undo: the board is empty",
                _ => "no move to undo: the moves that led to this position are not known",
            }));
        };
        let position = self.position.lift(*last).expect("a stone where one was played");
        Ok(PyPosition { start: self.start, moves: before.to_vec(), position })
    }

    /// The position with left and right exchanged; its value is the same.
    fn mirror(&self) -> PyPosition {
        let board = self.board();
        let moves = self.moves.iter().filter_map(|column| board.mirrored(*column)).collect();
        PyPosition { start: self.start.mirror(), moves, position: self.position.mirror() }
    }

    /// The playable columns, from 1; none when the game is over.
    #[getter]
    fn legal(&self) -> Vec<usize> {
        self.position.children().map(|(column, _)| column.number()).collect()
    }

    /// The player with four in a row, 1 or 2; None if there is none.
    #[getter]
    fn winner(&self) -> Option<usize> {
        match self.position.status() {
            Status::Won(player) => Some(player.index() + 1),
            _ => None,
        }
    }

    /// Whether the game is over, won or drawn.
    #[getter]
    fn over(&self) -> bool {
        self.position.status() != Status::Open
    }

    /// The player to move, 1 or 2. The first player is drawn X, the second O.
    #[getter]
    fn mover(&self) -> usize {
        self.position.mover().index() + 1
    }

    /// The number of stones.
    #[getter]
    fn tier(&self) -> usize {
        self.position.tier().stones()
    }

    /// The key, an int that identifies the position on its board.
    #[getter]
    fn key(&self) -> u64 {
        Key::of(self.get()).0
    }

    /// The stones of the first player and of the second, one bit per cell.
    ///
    /// The bit of a cell is column * (H + 1) + row, both from 0, from the left and the bottom.
    #[getter]
    fn bitboards(&self) -> (u64, u64) {
        (self.position.stones(Player::First), self.position.stones(Player::Second))
    }

    /// The moves from the empty board, such as "4453"; None if they are unknown.
    #[getter]
    fn moves(&self) -> Option<String> {
        self.known_game()
    }

    /// A game that leads here, such as "4453": the moves if they are known, or else one of many.
    ///
    /// Of a position that somebody has won, it is a ValueError if the moves are unknown.
    fn game(&self) -> PyResult<String> {
        match self.known_game() {
            Some(moves) => Ok(moves),
            None => self.get().game().map(|game| game.to_string()).map_err(unreachable),
        }
    }

    /// The size of the board, such as "7x6".
    #[getter(board)]
    fn board_name(&self) -> String {
        self.board().to_string()
    }

    /// The number of columns.
    #[getter]
    fn width(&self) -> usize {
        self.board().width()
    }

    /// The number of rows.
    #[getter]
    fn height(&self) -> usize {
        self.board().height()
    }

    fn __repr__(&self) -> String {
        self.position.to_string()
    }

    /// A picture, as SVG: notebooks show it.
    fn _repr_svg_(&self) -> String {
        picture::of_position(self.get())
    }

    fn __eq__(&self, other: &PyPosition) -> bool {
        other.position == self.position
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.position.hash(&mut hasher);
        hasher.finish()
    }

    /// Pickles and copies a position.
    fn __reduce__<'py>(slf: &Bound<'py, PyPosition>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let this = slf.get();
        let restore = slf.get_type().getattr("_restore")?;
        let parts = (this.board_name(), Key::of(&this.start).0, letters(&this.moves));
        (restore, parts).into_pyobject(py)
    }

    /// Restores the result of __reduce__.
    #[classmethod]
    fn _restore(_: &Bound<'_, PyType>, board: &str, key: u64, moves: &str) -> PyResult<PyPosition> {
        let board = board_named(board)?;
        let start = Key(key).decode(board).map_err(bad)?;
        let mut restored = PyPosition::known_from(start);
        for letter in moves.chars() {
            let number = letter.to_digit(36).unwrap_or(0) as usize;
            let column = board.column(number).ok_or_else(|| bad("not a pickled position"))?;
            restored.position = restored.position.play(column).map_err(bad)?;
            restored.moves.push(column);
        }
        Ok(restored)
    }
}

fn no_moves(found: &Bound<'_, PyAny>) -> PyErr {
    expected("moves: a string such as '4453', or a sequence of ints", found)
}
