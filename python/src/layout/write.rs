//! Positions to arrays, stone by stone.

use numpy::ndarray::{ArrayD, IxDyn};
use numpy::{Element, PyArrayDyn};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use rayon::prelude::*;
use strong4::board::{Board, Position};

use super::{Layout, Observer, planes, refuse_observer};
use crate::errors::bad;
use crate::job;

/// A position in a layout, as a new array.
pub fn write<'py>(
    py: Python<'py>,
    position: &Position,
    layout: Layout,
    observer: Option<Observer>,
) -> PyResult<Bound<'py, PyAny>> {
    refuse_observer(layout, observer)?;
    let shape = layout.shape(position.board());
    let fill = Fill { layout, observer };
    match layout {
        Layout::OpenSpiel => array::<f32>(py, shape, |cells| fill.one(position, cells)),
        _ => array::<i8>(py, shape, |cells| fill.one(position, cells)),
    }
}

/// Positions of a board in a layout, as one new array.
pub fn write_many<'py>(
    py: Python<'py>,
    positions: &[Position],
    board: Board,
    layout: Layout,
    observer: Option<Observer>,
) -> PyResult<Bound<'py, PyAny>> {
    refuse_observer(layout, observer)?;
    let mut shape = layout.shape(board);
    shape.insert(0, positions.len());
    let fill = Fill { layout, observer };
    match layout {
        Layout::OpenSpiel => array_of_many::<f32>(py, shape, positions, fill),
        _ => array_of_many::<i8>(py, shape, positions, fill),
    }
}

fn array_of_many<'py, T: Element + Copy + From<i8>>(
    py: Python<'py>,
    shape: Vec<usize>,
    positions: &[Position],
    fill: Fill,
) -> PyResult<Bound<'py, PyAny>> {
    let mut cells = Vec::new();
    let size = shape.iter().product();
    cells.try_reserve_exact(size).map_err(|_| memory(size))?;
    let cells = job::run(
        py,
        |_| {
            cells.resize(size, T::from(0));
            let each = cells.par_chunks_mut((size / positions.len().max(1)).max(1));
            each.zip(positions).for_each(|(cells, position)| fill.one(position, cells));
            cells
        },
        |_, _| Ok(()),
    )?;
    let cells = ArrayD::from_shape_vec(IxDyn(&shape), cells).map_err(bad)?;
    Ok(PyArrayDyn::from_owned_array(py, cells).into_any())
}

/// A new array, filled with zeros and then by `fill`.
fn array<'py, T: Element + Copy + From<i8>>(
    py: Python<'py>,
    shape: Vec<usize>,
    fill: impl FnOnce(&mut [T]),
) -> PyResult<Bound<'py, PyAny>> {
    let mut cells = vec![T::from(0); shape.iter().product()];
    fill(&mut cells);
    let cells = ArrayD::from_shape_vec(IxDyn(&shape), cells).map_err(bad)?;
    Ok(PyArrayDyn::from_owned_array(py, cells).into_any())
}

fn memory(cells: usize) -> PyErr {
    PyMemoryError::new_err(format!("no memory for an array of {cells} cells"))
}

/// How positions become cells.
#[derive(Clone, Copy)]
struct Fill {
    layout: Layout,
    observer: Option<Observer>,
}

impl Fill {
    /// Writes a position into its cells, all zero so far.
    fn one<T: Copy + From<i8>>(self, position: &Position, cells: &mut [T]) {
        let board = position.board();
        let (width, height) = (board.width(), board.height());
        let area = width * height;
        let planes = planes(self.observer, position.mover(), self.layout);
        if self.layout == Layout::OpenSpiel {
            cells[2 * area..].fill(T::from(1));
        }
        for (plane, player) in planes.into_iter().enumerate() {
            let mut stones = position.stones(player);
            while stones != 0 {
                let bit = stones.trailing_zeros() as usize;
                stones &= stones - 1;
                let (column, row) = (bit / board.column_bits(), bit % board.column_bits());
                let from_top = (height - 1 - row) * width + column;
                match self.layout {
                    Layout::Grid | Layout::ConnectX => {
                        cells[from_top] = T::from(1 + player.index() as i8);
                    }
                    Layout::OpenSpiel => {
                        let from_bottom = row * width + column;
                        cells[plane * area + from_bottom] = T::from(1);
                        cells[2 * area + from_bottom] = T::from(0);
                    }
                    Layout::PettingZoo => cells[2 * from_top + plane] = T::from(1),
                }
            }
        }
    }
}
