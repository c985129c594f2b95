//! Positions as arrays, in the layouts of other packages.
//!
//! ```text
//!                 shape        dtype     row 0    content of a cell
//!     grid        (H, W)       int8      top      0 empty, 1 first player, 2 second
//!     connectx    (H*W,)       int8      top      the same, row by row
//!     openspiel   (3, H, W)    float32   bottom   planes: first player, second, empty
//!                                                 with an observer: opponent, observer, empty
//!     pettingzoo  (H, W, 2)    int8      top      planes: observer, opponent
//! ```
//!
//! Putting the opponent first is OpenSpiel's own convention in connect_four.
//!
//! All layouts are read through a grid of players, so the same code checks them.

use std::str::FromStr;

use numpy::ndarray::{ArrayD, ArrayViewD, IxDyn};
use numpy::{PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use strong4::board::{Board, Player, Position};

use crate::argument::{expected, whole};
use crate::errors::{bad, unreachable};

/// The layout of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    Grid,
    ConnectX,
    OpenSpiel,
    PettingZoo,
}

impl FromStr for Layout {
    type Err = PyErr;

    fn from_str(name: &str) -> PyResult<Layout> {
        match name {
            "grid" => Ok(Layout::Grid),
            "connectx" => Ok(Layout::ConnectX),
            "openspiel" => Ok(Layout::OpenSpiel),
            "pettingzoo" => Ok(Layout::PettingZoo),
            _ => Err(bad(format!(
                "'{name}' is not a layout: expected 'grid', 'connectx', 'openspiel' or 'pettingzoo'"
            ))),
        }
    }
}

/// The observer, if one was named.
pub fn observer(player: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Player>> {
    let Some(player) = player else { return Ok(None) };
    let number = whole(player).ok_or_else(|| expected("a player, 1 or 2,", player))?;
    match number.extract::<u8>() {
        Ok(1) => Ok(Some(Player::First)),
        Ok(2) => Ok(Some(Player::Second)),
        _ => Err(bad(format!("'{}' is not a player: expected 1 or 2", number.str()?))),
    }
}

/// Grids and ConnectX number the players; they have no observer.
fn refuse_observer(layout: Layout, observer: Option<Player>) -> PyResult<()> {
    match (layout, observer) {
        (Layout::Grid | Layout::ConnectX, Some(_)) => {
            Err(PyValueError::new_err("this layout is the same for both players: omit player"))
        }
        _ => Ok(()),
    }
}

/// The number of a player's stones in a grid: 1 or 2.
fn mark(player: Player) -> i8 {
    player.index() as i8 + 1
}

/// A position in a layout.
pub fn write(
    position: &Position,
    layout: Layout,
    observer: Option<Player>,
) -> PyResult<ArrayD<i8>> {
    refuse_observer(layout, observer)?;
    let board = position.board();
    let (width, height) = (board.width(), board.height());
    let stone = |row_from_top: usize, column: usize| {
        let column = board.column(column + 1).expect("a column of the board");
        position.stone_at(column, height - 1 - row_from_top)
    };
    let [seen_first, seen_second] = planes(observer, position.mover(), layout);
    Ok(match layout {
        Layout::Grid => {
            ArrayD::from_shape_fn(IxDyn(&[height, width]), |at| stone(at[0], at[1]).map_or(0, mark))
        }
        Layout::ConnectX => ArrayD::from_shape_fn(IxDyn(&[height * width]), |at| {
            stone(at[0] / width, at[0] % width).map_or(0, mark)
        }),
        Layout::OpenSpiel => ArrayD::from_shape_fn(IxDyn(&[3, height, width]), |at| {
            let stone = stone(height - 1 - at[1], at[2]);
            i8::from(stone == [Some(seen_first), Some(seen_second), None][at[0]])
        }),
        Layout::PettingZoo => ArrayD::from_shape_fn(IxDyn(&[height, width, 2]), |at| {
            i8::from(stone(at[0], at[1]) == Some([seen_first, seen_second][at[2]]))
        }),
    })
}

/// The players of the first and the second plane if `mover` is to move.
fn planes(observer: Option<Player>, mover: Player, layout: Layout) -> [Player; 2] {
    let first = match (layout, observer) {
        (Layout::PettingZoo, observer) => observer.unwrap_or(mover),
        (_, Some(observer)) => observer.other(),
        (_, None) => Player::First,
    };
    [first, first.other()]
}

/// The stones in an array, checked as [`Position::from_stones`] does.
pub fn read(
    array: &Bound<'_, PyAny>,
    layout: Layout,
    board: Option<Board>,
    observer: Option<Player>,
) -> PyResult<Position> {
    refuse_observer(layout, observer)?;
    let array = numbers(array)?;
    let array = array.try_readonly().map_err(|error| bad(error.to_string()))?;
    let cells = array.as_array();
    let board = board_of(cells.shape(), layout, board)?;
    let height = board.height();
    let cells = in_full_shape(&cells, layout, board);
    // The content of a cell, with rows from the top: 0, 1 or 2, where 1 is the first plane.
    let held = |row: usize, column: usize| -> Option<u8> {
        match layout {
            Layout::Grid | Layout::ConnectX => small(cells[[row, column].as_ref()], 2),
            Layout::OpenSpiel => {
                let plane = |plane| small(cells[[plane, height - 1 - row, column].as_ref()], 1);
                match (plane(0)?, plane(1)?, plane(2)?) {
                    (0, 0, 1) => Some(0),
                    (1, 0, 0) => Some(1),
                    (0, 1, 0) => Some(2),
                    _ => None,
                }
            }
            Layout::PettingZoo => {
                let plane = |plane| small(cells[[row, column, plane].as_ref()], 1);
                match (plane(0)?, plane(1)?) {
                    (1, 1) => None,
                    (one, other) => Some(one + 2 * other),
                }
            }
        }
    };
    let mut stones = [0; 2];
    for row in (0..height).rev() {
        for column in board.columns() {
            let place = || format!("row {}, column {} of the array", row + 1, column.number());
            let Some(held) = held(row, column.index()) else {
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
        (Layout::PettingZoo, None) => mover_of(stones)?,
        _ => Player::First,
    };
    let [first, second] = match planes(observer, mover, layout)[0] {
        Player::First => stones,
        Player::Second => [stones[1], stones[0]],
    };
    Position::from_stones(board, first, second).map_err(unreachable)
}

/// The player to move, whose stones are in the first plane.
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

/// Anything that NumPy reads as an array of numbers.
fn numbers<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let py = array.py();
    let array = py.import("numpy")?.call_method1("asarray", (array,))?;
    let dtype = array.getattr("dtype")?;
    let kind: String = dtype.getattr("kind")?.extract()?;
    if !["b", "i", "u", "f"].contains(&kind.as_str()) {
        return Err(PyTypeError::new_err(format!("expected an array of numbers, not of {dtype}")));
    }
    let copy = PyDict::new(py);
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
    found.filter(|board| *board == wanted).ok_or_else(|| {
        let (width, height) = (wanted.width(), wanted.height());
        let expected = match layout {
            Layout::Grid => format!("({height}, {width})"),
            Layout::ConnectX => format!("({},)", height * width),
            Layout::OpenSpiel => format!("(3, {height}, {width})"),
            Layout::PettingZoo => format!("({height}, {width}, 2)"),
        };
        bad(format!("an array of shape {shape:?}: expected {expected} for a board of {wanted}"))
    })
}

/// The cells with one axis per dimension, if they were flat.
fn in_full_shape<'a>(cells: &ArrayViewD<'a, f64>, layout: Layout, board: Board) -> ArrayD<f64> {
    let (width, height) = (board.width(), board.height());
    let cells = cells.to_owned();
    let shape = match (layout, cells.ndim()) {
        (Layout::ConnectX, 1) => IxDyn(&[height, width]),
        (Layout::OpenSpiel, 1) => IxDyn(&[3, height, width]),
        _ => return cells,
    };
    let cells: Vec<f64> = cells.iter().copied().collect();
    ArrayD::from_shape_vec(shape, cells).expect("as many cells as the board has")
}
