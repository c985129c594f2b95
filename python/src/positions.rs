//! Many positions: drawn, listed, and as arrays in a layout.

use std::sync::atomic::Ordering::Relaxed;

use numpy::PyArray1;
use numpy::ndarray::Array1;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::{PyRange, PyRangeMethods, PyString};
use rayon::prelude::*;
use strong4::board::{Board, Moves, Tier, TierRange};
use strong4::sample::{Leaving, Listing, SampleError, Sampler};
use strong4::tromp::Key;

use crate::argument::{expected, whole};
use crate::batch;
use crate::errors::bad;
use crate::job::{self, Job};
use crate::layout::{self, Layout};
use crate::position::board_named;

/// Draws or cells between two looks at whether Ctrl-C was pressed.
const PART: u64 = 4096;
/// The most positions in an array: as many keys as 8 GiB hold.
const MOST: u64 = 1 << 30;

/// Random positions of each tier, all equally likely: an array of keys (uint64).
///
/// The positions are live: a game can reach them, and nobody has four in a row. `count` of each
/// tier are drawn, with replacement. `tiers` is a number of stones, a range() or text such as
/// "10..30". The same seed draws the same positions as `strong4 sample --seed` does.
///
/// >>> import strong4
/// >>> strong4.sample(20, 3, seed=4)
/// array([96871391530629, 44703798018320,  4540368814230], dtype=uint64)
#[pyfunction]
#[pyo3(signature = (tiers, count=1, *, board="7x6", seed=1))]
pub fn sample<'py>(
    py: Python<'py>,
    tiers: &Bound<'_, PyAny>,
    count: u64,
    board: &str,
    seed: u64,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let board = board_named(board)?;
    let tiers = tiers_named(tiers, board)?;
    room_for(count.saturating_mul(tiers.iter().len() as u64))?;
    let draw = |job: &Job| -> Result<Vec<u64>, SampleError> {
        let sampler = Sampler::new(board, tiers, seed)?;
        let mut keys = Vec::new();
        for (tier, numbers) in tiers.iter().flat_map(|tier| parts(count).map(move |p| (tier, p))) {
            if job.stop.load(Relaxed) {
                break;
            }
            let drawn = numbers.into_par_iter().map(|number| Ok(key(&sampler.draw(tier, number)?)));
            keys.append(&mut drawn.collect::<Result<Vec<u64>, SampleError>>()?);
        }
        Ok(keys)
    };
    let keys = job::run(py, draw, |_, _| Ok(()))?.map_err(bad)?;
    Ok(PyArray1::from_owned_array(py, Array1::from_vec(keys)))
}

/// All live positions of each tier: an array of keys (uint64), in the order of `strong4 list`.
///
/// A position is live if a game can reach it and nobody has four in a row. unforced=True omits
/// those in which either player could make a four with one stone; fold_mirrors=True keeps one of
/// two mirror images, the one with the smaller key.
///
/// >>> import strong4
/// >>> [len(strong4.positions(tier)) for tier in range(5)]
/// [1, 7, 49, 238, 1120]
#[pyfunction]
#[pyo3(signature = (tiers, *, board="7x6", unforced=false, fold_mirrors=false))]
pub fn positions<'py>(
    py: Python<'py>,
    tiers: &Bound<'_, PyAny>,
    board: &str,
    unforced: bool,
    fold_mirrors: bool,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let board = board_named(board)?;
    let tiers = tiers_named(tiers, board)?;
    let leaving = Leaving { forced: unforced, mirror_images: fold_mirrors };
    let listing = py.detach(|| Listing::new(board, tiers, leaving)).map_err(bad)?;
    room_for(tiers.iter().map(|tier| listing.cells(tier)).sum())?;
    let list = |job: &Job| {
        let parts =
            tiers.iter().flat_map(|tier| parts(listing.cells(tier)).map(move |p| (tier, p)));
        let parts: Vec<_> = parts.collect();
        let of_part = |(tier, cells): (Tier, std::ops::Range<u64>)| match job.stop.load(Relaxed) {
            true => Vec::new(),
            false => listing.within(tier, cells).map(|game| key(&game)).collect(),
        };
        parts.into_par_iter().flat_map_iter(of_part).collect::<Vec<u64>>()
    };
    let keys = job::run(py, list, |_, _| Ok(()))?;
    Ok(PyArray1::from_owned_array(py, Array1::from_vec(keys)))
}

/// Many positions as one array in a layout of Position.to_array(), with an axis more in front.
///
/// `positions` is what Solver.score_many() takes. player="mover" shows each of them as the player
/// to move sees it.
///
/// >>> import strong4
/// >>> strong4.to_arrays(["4453", "44"], "openspiel").shape
/// (2, 3, 6, 7)
#[pyfunction]
#[pyo3(signature = (positions, layout="grid", *, board="7x6", player=None))]
pub fn to_arrays<'py>(
    py: Python<'py>,
    positions: &Bound<'_, PyAny>,
    layout: &str,
    board: &str,
    player: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (layout, observer) = (layout.parse::<Layout>()?, layout::observer(player)?);
    let board = board_named(board)?;
    let positions = batch::positions(py, positions, board)?;
    layout::write_many(py, &positions, board, layout, observer)
}

/// The positions in an array of many, as keys (uint64): the reverse of to_arrays().
///
/// Each is checked as Position.from_array() does.
///
/// >>> import strong4
/// >>> strong4.from_arrays(strong4.to_arrays(["4453", "44"]))
/// array([4433219977345, 4432683090049], dtype=uint64)
#[pyfunction]
#[pyo3(signature = (array, layout="grid", *, board=None, player=None))]
pub fn from_arrays<'py>(
    py: Python<'py>,
    array: &Bound<'_, PyAny>,
    layout: &str,
    board: Option<&str>,
    player: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let (layout, observer) = (layout.parse::<Layout>()?, layout::observer(player)?);
    let board = board.map(board_named).transpose()?;
    let positions = layout::read_many(array, layout, board, observer)?;
    let keys = positions.iter().map(|position| Key::of(position).0).collect();
    Ok(PyArray1::from_owned_array(py, Array1::from_vec(keys)))
}

fn key(game: &Moves) -> u64 {
    Key::of(game.position()).0
}

/// The numbers below this one, some at a time.
fn parts(numbers: u64) -> impl Iterator<Item = std::ops::Range<u64>> {
    (0..numbers.div_ceil(PART)).map(move |part| part * PART..((part + 1) * PART).min(numbers))
}

/// Refuses what no memory holds.
fn room_for(positions: u64) -> PyResult<()> {
    match positions > MOST {
        true => Err(PyMemoryError::new_err(format!(
            "{positions} positions to look through: more than the {MOST} that an array may have"
        ))),
        false => Ok(()),
    }
}

/// The tiers in an argument: a number, a range, or text such as "10..30".
fn tiers_named(tiers: &Bound<'_, PyAny>, board: Board) -> PyResult<TierRange> {
    const WANTED: &str = "tiers: a number, a range or text such as '10..30'";
    let text = if let Ok(text) = tiers.cast::<PyString>() {
        text.to_cow()?.into_owned()
    } else if let Ok(range) = tiers.cast::<PyRange>() {
        let (first, last) = (range.start()?, range.stop()? - 1);
        if range.step()? != 1 {
            return Err(bad("a range of tiers has no steps"));
        }
        format!("{first}..{last}")
    } else {
        whole(tiers).ok_or_else(|| expected(WANTED, tiers))?.str()?.to_string()
    };
    text.parse::<TierRange>().map_err(bad)?.within(board).map_err(bad)
}
