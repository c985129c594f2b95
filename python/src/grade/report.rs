//! The marks of a player, as numbers and arrays for `strong4._grade`.

use numpy::PyArray1;
use numpy::ndarray::Array1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use strong4::board::{Column, Outcome};
use strong4::grade::{
    Confidence, Games, Gap, Mark, Marks, Mean, PlayedGame, Report, Share, Trouble,
};
use strong4::picture;

use crate::solver::NO_MOVE;

/// The report of a player: strong4.Report gives it its form.
#[pyclass(frozen, module = "strong4", name = "_Report")]
pub struct PyReport {
    report: Report,
    remarks: Vec<String>,
}

/// A mark with its interval and the number of positions: NaN where there is none.
type Interval = (f64, f64, f64, u64);

impl PyReport {
    pub fn new(report: Report, remarks: Vec<String>) -> PyReport {
        PyReport { report, remarks }
    }
}

#[pymethods]
impl PyReport {
    /// The line to quote.
    fn __str__(&self) -> String {
        self.report.to_string()
    }

    #[getter]
    fn player(&self) -> &str {
        self.report.player()
    }

    #[getter]
    fn exam(&self) -> &str {
        self.report.exam()
    }

    #[getter]
    fn version(&self) -> u32 {
        self.report.version()
    }

    #[getter]
    fn board(&self) -> String {
        self.report.board().to_string()
    }

    #[getter]
    fn left_out(&self) -> usize {
        self.report.left_out()
    }

    #[getter]
    fn remarks(&self) -> Vec<String> {
        self.remarks.clone()
    }

    /// The kind and the name of each group of positions, and its marks by name.
    fn groups<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Vec<(&'static str, String, Bound<'py, PyDict>)>> {
        let groups = py.detach(|| self.report.groups());
        let group = |(group, marks): &(strong4::grade::Group, Marks)| {
            Ok((group.kind(), group.to_string(), by_name(py, marks)?))
        };
        groups.iter().map(group).collect()
    }

    /// What is known of each position, by name, in the order of the exam.
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let arrays = PyDict::new(py);
        let add = |name: &str, of: &dyn Fn(&Mark) -> i16| {
            let values = Array1::from_iter(self.report.marks().iter().map(of));
            arrays.set_item(name, PyArray1::from_owned_array(py, values))
        };
        let known = |hit: Option<bool>| hit.map_or(-1, i16::from);
        add("tier", &|mark| mark.tier().get().into())?;
        add("best", &|mark| mark.best().get() as i16)?;
        add("legal", &|mark| mark.legal() as i16)?;
        add("keeping", &|mark| mark.keeping() as i16)?;
        add("column", &|mark| mark.column().map_or(0, Column::number) as i16)?;
        add("score", &|mark| mark.score().map_or(NO_MOVE, |score| score.get() as i16))?;
        add("perfect", &|mark| known(mark.is_perfect()))?;
        add("good", &|mark| known(mark.is_good()))?;
        add("top_three", &|mark| known(mark.is_top_three()))?;
        Ok(arrays)
    }

    /// The gaps to another player by name, or None if that one took another exam.
    fn gaps<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, PyReport>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(gaps) = self.report.compare(&other.get().report) else { return Ok(None) };
        let by_name = PyDict::new(py);
        for (name, gap) in [
            ("perfect", gaps.perfect),
            ("good", gaps.good),
            ("top_three", gaps.top_three),
            ("loss", gaps.loss),
        ] {
            let numbers = |Gap { positions, difference, confidence, chance }| {
                let (low, high) = bounds(confidence);
                (difference, low, high, chance, positions)
            };
            by_name.set_item(name, gap.map(numbers))?;
        }
        Ok(Some(by_name))
    }
}

/// The games of a player: strong4.Games gives them their form.
#[pyclass(frozen, module = "strong4", name = "_Games")]
pub struct PyGames {
    games: Games,
    remarks: Vec<String>,
}

/// Moves, moves of the opening, the player (1 or 2), the result, why it ended without a move, the
/// first mistake.
type Played = (String, usize, usize, &'static str, Option<&'static str>, Option<usize>);

impl PyGames {
    pub fn new(games: Games, remarks: Vec<String>) -> PyGames {
        PyGames { games, remarks }
    }
}

#[pymethods]
impl PyGames {
    fn report(&self) -> PyReport {
        PyReport::new(self.games.report().clone(), self.remarks.clone())
    }

    fn games(&self) -> Vec<Played> {
        let played = |game: &PlayedGame| {
            let forfeit = game.forfeit.map(|(_, trouble)| trouble.name());
            let (moves, player) = (game.game.to_string(), game.agent.index() + 1);
            (moves, game.opening, player, game.result.name(), forfeit, game.first_mistake)
        };
        self.games.games().iter().map(played).collect()
    }

    /// The share of the points.
    fn points(&self) -> Interval {
        mean(self.games.points())
    }

    fn first_mistake(&self) -> Interval {
        mean(self.games.first_mistake())
    }
}

/// The marks of several players by tier, as SVG.
#[pyfunction(name = "_picture_of_reports")]
pub fn picture_of_reports(reports: Vec<Bound<'_, PyReport>>) -> String {
    let reports: Vec<Report> = reports.iter().map(|report| report.get().report.clone()).collect();
    picture::of_reports(&reports)
}

fn by_name<'py>(py: Python<'py>, marks: &Marks) -> PyResult<Bound<'py, PyDict>> {
    let by_name = PyDict::new(py);
    by_name.set_item("positions", marks.positions)?;
    for (name, part) in [
        ("perfect", marks.perfect),
        ("good", marks.good),
        ("top_three", marks.top_three),
        ("agreement", marks.agreement),
    ] {
        by_name.set_item(name, share(part))?;
    }
    for (name, part) in [
        ("loss", marks.loss),
        ("perfect_mass", marks.perfect_mass),
        ("good_mass", marks.good_mass),
        ("error", marks.error),
        ("seconds", marks.seconds),
    ] {
        by_name.set_item(name, mean(part))?;
    }
    by_name.set_item("slowest", marks.slowest)?;
    by_name.set_item("miscalibration", marks.miscalibration().unwrap_or(f64::NAN))?;
    let parts = marks.calibration.map(|part| {
        let of = |mean: Mean| mean.mean().unwrap_or(f64::NAN);
        (of(part.value), of(part.outcome), part.value.count())
    });
    by_name.set_item("calibration", parts.to_vec())?;
    let all = [Outcome::Win, Outcome::Draw, Outcome::Loss];
    let outcomes = all.map(|before| all.map(|after| marks.outcomes(before, after)));
    by_name.set_item("outcomes", outcomes.to_vec())?;
    let troubles = PyDict::new(py);
    for trouble in Trouble::ALL {
        troubles.set_item(trouble.name(), marks.troubles(trouble))?;
    }
    by_name.set_item("troubles", troubles)?;
    Ok(by_name)
}

fn share(share: Share) -> (f64, f64, f64, u64, u64) {
    let (low, high) = bounds(share.confidence());
    (share.share().unwrap_or(f64::NAN), low, high, share.hits, share.of)
}

fn mean(mean: Mean) -> Interval {
    let (low, high) = bounds(mean.confidence());
    (mean.mean().unwrap_or(f64::NAN), low, high, mean.count())
}

fn bounds(confidence: Option<Confidence>) -> (f64, f64) {
    confidence.map_or((f64::NAN, f64::NAN), |Confidence { low, high }| (low, high))
}
