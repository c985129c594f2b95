//! The Python module `strong4._strong4`: the library as a Python module.
//!
//! ```text
//!     errors        exceptions             argument    what callers hand over
//!     position      a position             layout      positions as arrays
//!     solver        values of positions    batch       many positions in an argument
//!     analysis      what a solver says     job         work that Ctrl-C can stop
//!     positions     many of them, drawn, listed, and as arrays
//!     grade         exams for players, and their reports
//! ```
//!
//! Nothing is computed here: each method converts its arguments, calls the library, and
//! converts the result.

mod analysis;
mod argument;
mod batch;
mod errors;
mod grade;
mod job;
mod layout;
mod position;
mod positions;
mod solver;

use pyo3::prelude::*;

#[pymodule]
fn _strong4(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("NO_MOVE", solver::NO_MOVE)?;
    module.add("TableError", module.py().get_type::<errors::TableError>())?;
    module.add_class::<position::PyPosition>()?;
    module.add_class::<solver::PySolver>()?;
    module.add_function(wrap_pyfunction!(positions::sample, module)?)?;
    module.add_function(wrap_pyfunction!(positions::positions, module)?)?;
    module.add_function(wrap_pyfunction!(positions::to_arrays, module)?)?;
    module.add_function(wrap_pyfunction!(positions::from_arrays, module)?)?;
    module.add_class::<grade::PyExam>()?;
    module.add_class::<grade::PyReport>()?;
    module.add_class::<grade::PyPlayer>()?;
    module.add_class::<grade::PyGames>()?;
    module.add_function(wrap_pyfunction!(grade::grade, module)?)?;
    module.add_function(wrap_pyfunction!(grade::play_games, module)?)?;
    module.add_function(wrap_pyfunction!(grade::picture_of_reports, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::_picture_of_analysis, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::_picture_of_review, module)?)?;
    Ok(())
}
