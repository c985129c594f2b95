//! `strong4.Exam`: positions, and what each move from them is worth.

use std::borrow::Cow;

use numpy::ndarray::{Array1, Array2};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyType;
use strong4::Batch;
use strong4::grade::{Exam, ExamKind, MakingError};
use strong4::tromp::Key;

use crate::errors::{bad, raised};
use crate::job::{self, Job};
use crate::solver::{NO_MOVE, PySolver};

/// An exam: positions, and the score of each move from them.
///
/// Exam(positions, solver, name="mine") asks a solver about the positions, which are what
/// Solver.score_many() takes. Positions in which every move is as good as any other say nothing
/// about players: they are left out, and counted.
///
/// >>> from strong4 import Exam, Solver
/// >>> exam = Exam(["4453", "44", "1212121"], Solver())
/// >>> len(exam), exam.left_out, exam.move_scores[0].tolist()
/// (2, 1, [-5, -5, -2, -3, -4, -2, -2])
/// >>> Exam.standard("played").board
/// '7x6'
#[pyclass(frozen, module = "strong4", name = "Exam")]
pub struct PyExam {
    exam: Cow<'static, Exam>,
}

impl PyExam {
    /// The exam itself.
    pub fn get(&self) -> &Exam {
        &self.exam
    }
}

#[pymethods]
impl PyExam {
    #[new]
    #[pyo3(signature = (positions, solver, name="mine", *, progress=false))]
    fn new(
        py: Python<'_>,
        positions: &Bound<'_, PyAny>,
        solver: &Bound<'_, PySolver>,
        name: &str,
        progress: bool,
    ) -> PyResult<PyExam> {
        let exam = solver.get().ask_all(py, positions, progress, |solver, positions, batch| {
            Exam::of(name, solver, positions, batch)
        })?;
        Ok(PyExam { exam: Cow::Owned(exam) })
    }

    /// A standard exam of 7x6: "uniform", "played" or "hard", with 1,000 positions.
    #[classmethod]
    fn standard(_: &Bound<'_, PyType>, name: &str) -> PyResult<PyExam> {
        let exam = Exam::standard(name).ok_or_else(|| {
            let names = Exam::standard_names().join(", ");
            bad(format!("'{name}' is not a standard exam: expected one of {names}"))
        })?;
        Ok(PyExam { exam: Cow::Borrowed(exam) })
    }

    /// Makes an exam of `count` positions, as `strong4 exam` does.
    #[classmethod]
    #[pyo3(signature = (kind, solver, count=1000, *, seed=1))]
    fn make(
        _: &Bound<'_, PyType>,
        py: Python<'_>,
        kind: &str,
        solver: &Bound<'_, PySolver>,
        count: usize,
        seed: u64,
    ) -> PyResult<PyExam> {
        let kind: ExamKind = kind.parse().map_err(bad)?;
        let solver = solver.get().get();
        let make = |job: &Job| {
            kind.make(solver, count, seed, Batch { progress: job, stop: Some(&job.stop) })
        };
        let exam = job::run(py, make, |_, _| Ok(()))?.map_err(|error| match error {
            MakingError::Solver(error) => raised(&error),
            error => bad(error),
        })?;
        Ok(PyExam { exam: Cow::Owned(exam) })
    }

    /// The exam in a text: what str() of an exam is, and what `strong4 exam` prints.
    #[classmethod]
    fn parse(_: &Bound<'_, PyType>, text: &str) -> PyResult<PyExam> {
        Ok(PyExam { exam: Cow::Owned(Exam::parse(text).map_err(bad)?) })
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        self.exam.name()
    }

    /// The version: marks in different versions of an exam cannot be compared.
    #[getter]
    fn version(&self) -> u32 {
        self.exam.version()
    }

    /// The size of the board, such as "7x6".
    #[getter]
    fn board(&self) -> String {
        self.exam.board().to_string()
    }

    /// How many positions were left out because all of their moves are equally good.
    #[getter]
    fn left_out(&self) -> usize {
        self.exam.left_out()
    }

    /// The positions: an array of keys (uint64).
    #[getter]
    fn keys<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        let keys = self.exam.positions().iter().map(|position| Key::of(position).0);
        PyArray1::from_owned_array(py, Array1::from_iter(keys))
    }

    /// The scores of the moves: an array of int16, of shape (n, W), with NO_MOVE for full columns.
    #[getter]
    fn move_scores<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i16>> {
        let mut scores = Array2::from_elem((self.exam.len(), self.exam.board().width()), NO_MOVE);
        for at in 0..self.exam.len() {
            for (column, score) in self.exam.move_scores(at) {
                scores[[at, column.index()]] = score.get() as i16;
            }
        }
        PyArray2::from_owned_array(py, scores)
    }

    fn __len__(&self) -> usize {
        self.exam.len()
    }

    fn __str__(&self) -> String {
        self.exam.to_string()
    }

    fn __repr__(&self) -> String {
        let (name, version) = (self.exam.name(), self.exam.version());
        format!("<Exam {name} {version} of {}: {} positions>", self.board(), self.exam.len())
    }
}
