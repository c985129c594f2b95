//! Planned runs: from a request to its plan, and from there to one part or to the tables.
//!
//! ```text
//!     plan         run.json and plan.json: which run, in how many parts
//!     part 1 … N   the pieces of its batches, once those of the parts that it needs are there
//!     tables       put together from all pieces
//! ```
//!
//! A part looks only at what concerns its batches, and repairs nothing. So any number of parts can
//! work side by side, and start and end at any time. Repairs are made by `tabulate`, which solves
//! the run without naming a part.

use crate::disk::Disk;

use super::admission::{refuse_what_does_not_fit, start};
use super::error::TabulateError;
use super::estimate::Estimate;
use super::ground::{Ground, Planned};
use super::leftovers;
use super::names::{plan_file, run_file, run_folder};
use super::plan::{Part, Plan};
use super::plan_file::PlanFile;
use super::request::{Beginning, Listener, Request, Tabulated};
use super::run::Run;
use super::run_file::RunFile;
use super::session::{Session, remove_folders};
use super::tabulating::{Work, others_have_ended_it, tabulate_on, todo};

/// How a part of a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartEnd {
    /// Its batches are done.
    Done {
        /// How many parts there are.
        parts: usize,
        /// How many batches it has.
        batches: usize,
        /// How many of them were done already.
        found: usize,
    },
    /// The tables exist, and nothing remains to be done.
    RunIsOver,
}

/// How a run would be cut into this many parts, or into a number that suits it. Nothing is written.
pub fn plan(request: &Request, parts: Option<usize>) -> Result<Planned, TabulateError> {
    Ground::new(request, None)?.planned(request.tiers.within(request.board)?, parts)
}

/// Begins a run in parts, or continues one; `None` if all tables exist.
pub fn begin_plan(
    request: &Request,
    parts: Option<usize>,
    listener: &dyn Listener,
) -> Result<Option<Planned>, TabulateError> {
    begin_plan_on(&Disk::default(), request, None, parts, listener)
}

/// The same on this disk, with batches of at least this many cells, if that is given.
pub(super) fn begin_plan_on(
    disk: &Disk,
    request: &Request,
    batch_cells: Option<u64>,
    parts: Option<usize>,
    listener: &dyn Listener,
) -> Result<Option<Planned>, TabulateError> {
    let tiers = request.tiers.within(request.board)?;
    let ground = Ground::new(request, batch_cells)?;
    if !request.tables.exists() {
        fits(request, &ground.planned(tiers, parts)?, false)?;
    }
    // The memory that counts is that of other machines.
    let elsewhere = Request { memory: Some(u64::MAX), ..request.clone() };
    if Work::new(disk, &elsewhere, batch_cells, listener)?.found()?.is_some() {
        remove_folders(disk, request);
        return Ok(None);
    }
    let mut session = Session::enter(disk, request, tiers, listener)?;
    let todo = todo(disk, request, &ground.census, tiers, &mut session)?;
    let Some(todo) = todo else { return Ok(None) };
    let planned = ground.planned(todo, parts)?;
    fits(request, &planned, session.run().is_some())?;
    let run = RunFile::of(&ground.extent, todo, request.end(&ground.extent)?);
    session.begin(run, listener)?;
    let folder = run_folder(&request.tables);
    let wanted = planned.plan.wanted();
    match PlanFile::read(&folder)? {
        None => PlanFile { wanted }.write(disk, &folder)?,
        Some(PlanFile { wanted: found }) if parts.is_some_and(|parts| parts != found) => {
            return Err(TabulateError::OtherPlan { path: plan_file(&folder), found, wanted });
        }
        Some(_) => {}
    }
    Ok(Some(planned))
}

/// Is there room on the disk? The memory that counts is that of other machines.
fn fits(request: &Request, planned: &Planned, begun: bool) -> Result<(), TabulateError> {
    let request = Request { memory: Some(u64::MAX), ..request.clone() };
    let scratch = planned.alone.scratch.max(planned.plan.scratch());
    refuse_what_does_not_fit(&request, &Estimate { scratch, ..planned.alone }, begun)
}

/// Solves whatever is not done of a part of a planned run.
pub fn tabulate_part(
    request: &Request,
    number: usize,
    listener: &dyn Listener,
) -> Result<PartEnd, TabulateError> {
    tabulate_part_on(&Disk::default(), request, None, number, listener)
}

/// The same on this disk, with batches of at least this many cells, if that is given.
pub(super) fn tabulate_part_on(
    disk: &Disk,
    request: &Request,
    batch_cells: Option<u64>,
    number: usize,
    listener: &dyn Listener,
) -> Result<PartEnd, TabulateError> {
    let ground = Ground::new(request, batch_cells)?;
    let Some((run, plan)) = ground.begun()? else { return Ok(PartEnd::RunIsOver) };
    let parts = plan.parts().len();
    let part = plan.part(number).ok_or(TabulateError::NoSuchPart { part: number, parts })?;
    let mut ledger = ground.ledger(&run).seeing_to(&part.batches);
    ledger.look(|_| false)?;
    let (batches, found) = (part.batches.len(), ledger.count());
    if found < batches {
        ground.has_all_it_needs(&plan, part, &ledger)?;
        let Some(_session) = Session::for_a_part(disk, request, listener)? else {
            return Ok(PartEnd::RunIsOver);
        };
        match solve_part(disk, &ground, &run, &plan, part, listener) {
            Err(error) if others_have_ended_it(request, run.label.tiers, &error)? => {
                return Ok(PartEnd::RunIsOver);
            }
            solved => solved?,
        }
    }
    Ok(PartEnd::Done { parts, batches, found })
}

fn solve_part(
    disk: &Disk,
    ground: &Ground,
    run: &RunFile,
    plan: &Plan,
    part: &Part,
    listener: &dyn Listener,
) -> Result<(), TabulateError> {
    let Ground { request, ref extent, .. } = *ground;
    let tiers = run.label.tiers;
    let seconds = part.nanoseconds as f64 * 1e-9 / rayon::current_num_threads() as f64;
    let (cells, memory) = (part.cells, part.memory);
    let whole = request.estimate(extent, tiers)?;
    let scratch = whole.scratch.max(plan.scratch());
    let estimate = Estimate { cells, seconds, memory, scratch, ..whole };
    refuse_what_does_not_fit(request, &estimate, true)?;
    listener.begins(&Beginning {
        part: Some((part.number, plan.parts().len())),
        tiers,
        cut: request.cut,
        estimate,
        done: 0,
        batches: part.batches.len(),
    });
    let start = start(request, extent, tiers)?;
    let is_free = |batch| part.batches.contains(&batch) && !ground.is_claimed(batch);
    leftovers::remove_unfinished(disk, request, &is_free)?;
    // Tables are put together later.
    let estimate = Estimate { tables: 0, ..estimate };
    Run::new(disk, request, extent, start, tiers, listener, &estimate)?.solve_part(part)
}

/// Puts the tables of a planned run together, if all of its parts are done.
pub fn tabulate_planned(
    request: &Request,
    listener: &dyn Listener,
) -> Result<Tabulated, TabulateError> {
    tabulate_planned_on(&Disk::default(), request, None, listener)
}

/// The same on this disk, with batches of at least this many cells, if that is given.
pub(super) fn tabulate_planned_on(
    disk: &Disk,
    request: &Request,
    batch_cells: Option<u64>,
    listener: &dyn Listener,
) -> Result<Tabulated, TabulateError> {
    let ground = Ground::new(request, batch_cells)?;
    if let Some((run, plan)) = ground.begun()? {
        let mut ledger = ground.ledger(&run);
        ledger.look(|_| false)?;
        let missing = ledger.not_done().next();
        if let Some(batch) = missing
            && run_file(&run_folder(&request.tables)).exists()
        {
            return Err(ground.needs(&plan, None, batch, None));
        }
    }
    tabulate_on(disk, request, batch_cells, listener)
}
