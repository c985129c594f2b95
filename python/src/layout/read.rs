//! Arrays to positions, cell by cell: each may hold anything.

use numpy::ndarray::{ArrayView1, Axis};
use numpy::{PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice};
use strong4::board::{Board, Player, Position};

use super::{Layout, Observer, planes, refuse_observer};
use crate::errors::{bad, unreachable};

/// The stones in an array, checked as [`Position::from_stones`] does.
pub fn read(
    array: &Bound<'_, PyAny>,
    layout: Layout,
    board: Option<Board>,
    observer: Option<Observer>,
) -> PyResult<Position> {
    refuse_observer(layout, observer)?;
    let array = numbers(&as_array(array)?)?;
    let array = array.try_readonly().map_err(bad)?;
    let cells = array.as_array();
    let board = board_of(cells.shape(), layout, board)?;
    Cells { layout, board, observer }.position(cells.flatten().view())
}

/// The positions in an array with an axis more, the first one.
pub fn read_many(
    array: &Bound<'_, PyAny>,
    layout: Layout,
    board: Option<Board>,
    observer: Option<Observer>,
) -> PyResult<Vec<Position>> {
    /// Positions that are turned into numbers at a time.
    const PART: usize = 1 << 14;
    refuse_observer(layout, observer)?;
    let py = array.py();
    let array = as_array(array)?;
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    let Some((&number, one)) = shape.split_first() else {
        return Err(bad("an array of shape (): expected one axis more than for one position"));
    };
    let cells = Cells { layout, board: board_of(one, layout, board)?, observer };
    let mut positions = Vec::new();
    for first in (0..number).step_by(PART) {
        let end = (first + PART).min(number);
        let part = numbers(&array.get_item(PySlice::new(py, first as isize, end as isize, 1))?)?;
        let part = part.try_readonly().map_err(bad)?;
        for (at, cells_of_one) in part.as_array().axis_iter(Axis(0)).enumerate() {
            let position = cells.position(cells_of_one.flatten().view()).map_err(|error| {
                bad(format!("number {} of {number}: {}", first + at + 1, error.value(py)))
            })?;
            positions.push(position);
        }
        py.check_signals()?;
    }
    Ok(positions)
}

/// The cells of one position, all in a row.
#[derive(Clone, Copy)]
struct Cells {
    layout: Layout,
    board: Board,
    observer: Option<Observer>,
}

impl Cells {
    /// The content of a cell: 0, 1 or 2, where 1 is the first plane.
    fn held(self, cells: ArrayView1<f64>, from_top: usize, column: usize) -> Option<u8> {
        let (width, height) = (self.board.width(), self.board.height());
        let at = from_top * width + column;
        match self.layout {
            Layout::Grid | Layout::ConnectX => small(cells[at], 2),
            Layout::OpenSpiel => {
                let at = (height - 1 - from_top) * width + column;
                let plane = |plane: usize| small(cells[plane * width * height + at], 1);
                match (plane(0)?, plane(1)?, plane(2)?) {
                    (0, 0, 1) => Some(0),
                    (1, 0, 0) => Some(1),
                    (0, 1, 0) => Some(2),
                    _ => None,
                }
            }
            Layout::PettingZoo => match (small(cells[2 * at], 1)?, small(cells[2 * at + 1], 1)?) {
                (1, 1) => None,
                (one, other) => Some(one + 2 * other),
            },
        }
    }

    fn position(self, cells: ArrayView1<f64>) -> PyResult<Position> {
        let Cells { layout, board, observer } = self;
        let height = board.height();
        let mut stones = [0; 2];
        for row in (0..height).rev() {
            for column in board.columns() {
                let place = || format!("row {}, column {} of the array", row + 1, column.number());
                let Some(held) = self.held(cells, row, column.index()) else {
                    return Err(bad(format!("{} holds no stone, and is not empty", place())));
                };
                let Some(plane) = held.checked_sub(1) else { continue };
                let from_bottom = height - 1 - row;
                let below = from_bottom.checked_sub(1).map_or(0, |below| board.cell(column, below));
                if below & !(stones[0] | stones[1]) != 0 {
                    return Err(bad(format!("the stone in {} rests on nothing", place())));
                }
                stones[usize::from(plane)] |= board.cell(column, from_bottom);
            }
        }
        let mover = match (layout, observer) {
            (Layout::PettingZoo, None | Some(Observer::Mover)) => mover_of(stones)?,
            (Layout::OpenSpiel, Some(Observer::Mover)) => mover_of([stones[1], stones[0]])?,
            _ => Player::First,
        };
        let [first, second] = match planes(observer, mover, layout)[0] {
            Player::First => stones,
            Player::Second => [stones[1], stones[0]],
        };
        Position::from_stones(board, first, second).map_err(unreachable)
    }
}

/// The player to move, whose stones come first.
fn mover_of(planes: [u64; 2]) -> PyResult<Player> {
    let [own, other] = planes.map(u64::count_ones);
    match other.checked_sub(own) {
        Some(0) => Ok(Player::First),
        Some(1) => Ok(Player::Second),
        _ => Err(bad(format!(
            "the player to move has {own} stones and the other {other}: expected as many, or one \
             fewer; give player=1 or player=2 if the array is seen by that player"
        ))),
    }
}

/// A whole number up to `most`.
fn small(value: f64, most: u8) -> Option<u8> {
    (0..=most).find(|number| value == f64::from(*number))
}

/// Anything that NumPy reads as an array.
fn as_array<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    array.py().import("numpy")?.call_method1("asarray", (array,))
}

/// The numbers in an array.
fn numbers<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let dtype = array.getattr("dtype")?;
    let kind: String = dtype.getattr("kind")?.extract()?;
    if !["b", "i", "u", "f"].contains(&kind.as_str()) {
        return Err(PyTypeError::new_err(format!("expected an array of numbers, not of {dtype}")));
    }
    let copy = PyDict::new(array.py());
    copy.set_item("copy", false)?;
    Ok(array.call_method("astype", ("float64",), Some(&copy))?.cast_into()?)
}

/// The board of an array with this shape.
fn board_of(shape: &[usize], layout: Layout, named: Option<Board>) -> PyResult<Board> {
    let sides = match (layout, shape) {
        (Layout::Grid | Layout::ConnectX, &[height, width]) => Some((width, height)),
        (Layout::OpenSpiel, &[3, height, width]) => Some((width, height)),
        (Layout::PettingZoo, &[height, width, 2]) => Some((width, height)),
        _ => None,
    };
    let planes = match layout {
        Layout::ConnectX => Some(1),
        Layout::OpenSpiel => Some(3),
        _ => None,
    };
    let flat = named.unwrap_or_default();
    let found = match (sides, planes, shape) {
        (Some((width, height)), ..) => Some(Board::new(width as u64, height as u64).map_err(bad)?),
        (None, Some(planes), &[cells]) if cells == planes * flat.cells() => Some(flat),
        _ => None,
    };
    let wanted = named.or(found).unwrap_or_default();
    let refused = |why: &str| {
        let expected = tuple(&layout.shape(wanted));
        let shape = tuple(shape);
        bad(format!("an array of shape {shape}: expected {expected} for a board of {wanted}{why}"))
    };
    let is_turned = |board: Board| {
        let other = named.unwrap_or_default();
        (board.width(), board.height()) == (other.height(), other.width()) && board != other
    };
    match found {
        // Rows and columns are easily exchanged, and half of the exchanged stones do not float.
        Some(found) if named.is_none() && is_turned(found) => Err(bad(format!(
            "an array of shape {} is a board of {found}, with {} rows: give board=\"{found}\" if \
             that is meant, or exchange its axes if the board is 7x6",
            tuple(shape),
            found.height()
        ))),
        Some(found) if found == wanted => Ok(found),
        Some(found) if is_turned(found) => Err(refused("; are rows and columns exchanged?")),
        _ => Err(refused("")),
    }
}

/// A shape as Python writes it.
fn tuple(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => format!("({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}
