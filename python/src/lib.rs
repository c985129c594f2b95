//! The Python module `strong4._strong4`: the library as a Python module.
//!
//! ```text
//!     errors        exceptions             argument    what callers hand over
//!     position      a position             layout      positions as arrays
//!     solver        values of positions    batch       many positions in an array
//!                                          job         work that Ctrl-C can stop
//! ```
//!
//! Nothing is computed here: each method converts its arguments, calls the library, and
//! converts the result.

mod argument;
mod batch;
mod errors;
mod job;
mod layout;
mod position;
mod solver;

use pyo3::prelude::*;

#[pymodule]
fn _strong4(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("NO_MOVE", solver::NO_MOVE)?;
    module.add("TableError", module.py().get_type::<errors::TableError>())?;
    module.add_class::<position::PyPosition>()?;
    module.add_class::<solver::PySolver>()?;
    Ok(())
}
