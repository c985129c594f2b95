//! Positions as arrays, in the layouts of other packages.
//!
//! ```text
//!                 shape        dtype     row 0    content of a cell
//!     grid        (H, W)       int8      top      0 empty, 1 first player, 2 second player
//!     connectx    (H*W,)       int8      top      the same, row by row
//!     openspiel   (3, H, W)    float32   bottom   planes: first player, second, empty
//!                                                 with an observer: opponent, observer, empty
//!     pettingzoo  (H, W, 2)    int8      top      planes: observer, opponent
//! ```
//!
//! Putting the opponent first is OpenSpiel's own convention in connect_four.
//!
//! Many positions are one array with an axis more, the first one.

mod read;
mod write;

use std::str::FromStr;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use strong4::board::{Board, Player};

use crate::argument::{expected, whole};
use crate::errors::bad;

pub use read::{read, read_many};
pub use write::{write, write_many};

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

impl Layout {
    /// The shape of a position.
    fn shape(self, board: Board) -> Vec<usize> {
        let (width, height) = (board.width(), board.height());
        match self {
            Layout::Grid => vec![height, width],
            Layout::ConnectX => vec![height * width],
            Layout::OpenSpiel => vec![3, height, width],
            Layout::PettingZoo => vec![height, width, 2],
        }
    }
}

/// Who sees a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Observer {
    /// This player.
    Player(Player),
    /// The player to move, whoever that is.
    Mover,
}

/// The observer, if one was named.
pub fn observer(player: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Observer>> {
    const WANTED: &str = "a player, 1, 2 or 'mover'";
    let Some(player) = player else { return Ok(None) };
    if let Ok(name) = player.cast::<PyString>() {
        return match name.to_cow()?.as_ref() {
            "mover" => Ok(Some(Observer::Mover)),
            _ => Err(expected(WANTED, player)),
        };
    }
    let number = whole(player).ok_or_else(|| expected(WANTED, player))?;
    match number.extract::<u8>() {
        Ok(1) => Ok(Some(Observer::Player(Player::First))),
        Ok(2) => Ok(Some(Observer::Player(Player::Second))),
        _ => Err(bad(format!("'{}' is not a player: expected 1 or 2", number.str()?))),
    }
}

/// Grids and ConnectX number the players; they have no observer.
fn refuse_observer(layout: Layout, observer: Option<Observer>) -> PyResult<()> {
    match (layout, observer) {
        (Layout::Grid | Layout::ConnectX, Some(_)) => {
            Err(PyValueError::new_err("this layout is the same for both players: omit player"))
        }
        _ => Ok(()),
    }
}

/// The players of the first and the second plane if `mover` is to move.
fn planes(observer: Option<Observer>, mover: Player, layout: Layout) -> [Player; 2] {
    let seen = |observer| match observer {
        Observer::Player(player) => player,
        Observer::Mover => mover,
    };
    let first = match (layout, observer) {
        (Layout::PettingZoo, observer) => seen(observer.unwrap_or(Observer::Mover)),
        (_, Some(observer)) => seen(observer).other(),
        (_, None) => Player::First,
    };
    [first, first.other()]
}
