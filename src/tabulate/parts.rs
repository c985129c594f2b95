//! Planned runs: from a request to its plan, and from there to one part or to the tables.
//!
//! ```text
//!     plan         run.json and plan.json: which run, in how many parts
//!     part 1 … N   the pieces of its batches, once those of the parts that it needs are there
//!     tables       put together from all pieces
//! ```
//!
//! A part looks only at the files of its batches, and repairs nothing. So any number of parts can
//! work side by side, and start and end at any time. Repairs are made by `tabulate`, which solves
//! the run without naming a part. The files that a part needs, and which of them exist, are found
//! without listing any state of a side.

use std::path::PathBuf;

use crate::board::TierRange;
use crate::files::Disk;
use crate::sweep::handoff_file;

use super::error::TabulateError;
use super::estimate::Estimate;
use super::folders::{PlanFile, RunFile, Session, cleanup, remove_folders};
use super::job::Job;
use super::listener::{Beginning, Listener};
use super::names::{Claim, claim_file, piece_file, plan_file, run_file};
use super::pieces::Ledger;
use super::plan::{Part, Plan, Planned};
use super::preflight::{refuse_what_does_not_fit, start};
use super::request::{Request, Tabulated};
use super::run::Run;
use super::steps::{existing, others_have_ended_it, preflight, tabulate_job, todo};

/// The approximate seconds of a part, if the number of parts is not given. Starting a part takes
/// far less.
const PART_SECONDS: f64 = 300.0;

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
    let disk = Disk::default();
    let job = Job::new(&disk, request, &())?;
    planned(&job, job.tiers, parts)
}

/// Begins a run in parts, or continues one; `None` if all tables exist.
pub fn begin_plan(
    request: &Request,
    parts: Option<usize>,
    listener: &dyn Listener,
) -> Result<Option<Planned>, TabulateError> {
    begin_plan_of(&Job::new(&Disk::default(), request, listener)?, parts)
}

/// Solves whatever is not done of a part of a planned run.
pub fn tabulate_part(
    request: &Request,
    number: usize,
    listener: &dyn Listener,
) -> Result<PartEnd, TabulateError> {
    tabulate_part_of(&Job::new(&Disk::default(), request, listener)?, number)
}

/// Puts the tables of a planned run together, if all of its parts are done.
pub fn tabulate_planned(
    request: &Request,
    listener: &dyn Listener,
) -> Result<Tabulated, TabulateError> {
    tabulate_planned_of(&Job::new(&Disk::default(), request, listener)?)
}

pub(super) fn begin_plan_of(
    job: &Job,
    parts: Option<usize>,
) -> Result<Option<Planned>, TabulateError> {
    if existing(job)?.is_some() {
        remove_folders(job);
        return Ok(None);
    }
    let cost = match job.request.tables.exists() {
        true => None,
        false => Some(cost_of_all_parts(&planned(job, job.tiers, parts)?)),
    };
    preflight(job, cost)?;
    let mut session = Session::enter(job)?;
    let Some(todo) = todo(job, &mut session)? else { return Ok(None) };
    let planned = planned(job, todo, parts)?;
    refuse_what_does_not_fit(job, &cost_of_all_parts(&planned), session.run.is_some())?;
    session.begin(RunFile::of(job.extent(), todo, job.end()?))?;
    let wanted = planned.plan.wanted;
    match PlanFile::read(&job.run)? {
        None => PlanFile::of(wanted).write(job.disk, &job.run)?,
        Some(PlanFile { parts: found, .. }) if parts.is_some_and(|parts| parts != found) => {
            return Err(TabulateError::OtherPlan { path: plan_file(&job.run), found, wanted });
        }
        Some(_) => {}
    }
    Ok(Some(planned))
}

/// The cost of all parts for this machine: their memory is taken on others.
fn cost_of_all_parts(planned: &Planned) -> Estimate {
    let scratch = planned.alone.scratch.max(planned.plan.scratch);
    Estimate { memory: 0, scratch, ..planned.alone }
}

/// The run over these tiers in the given number of parts, or in that of an earlier plan.
fn planned(job: &Job, tiers: TierRange, wanted: Option<usize>) -> Result<Planned, TabulateError> {
    let alone = job.estimate(tiers)?;
    let before = PlanFile::read(&job.run)?;
    let wanted = wanted.or(before.map(|plan| plan.parts));
    let wanted = wanted.unwrap_or_else(|| (alone.seconds / PART_SECONDS) as usize);
    let wanted = wanted.clamp(1, Plan::MOST_PARTS);
    Ok(Planned { tiers, plan: Plan::new(job.extent(), tiers, wanted), alone })
}

/// The run that was planned; `None` if its tables exist.
fn begun(job: &Job) -> Result<Option<(RunFile, Plan)>, TabulateError> {
    let Request { board, ref tables, .. } = *job.request;
    let run = RunFile::read(&job.run)?;
    let Some((run, plan)) = run.zip(PlanFile::read(&job.run)?) else {
        if tables.exists() && job.has_tables(job.tiers)? {
            return Ok(None);
        }
        return Err(TabulateError::NotPlanned { board, tables: tables.clone() });
    };
    let plan = Plan::new(job.extent(), run.tiers_of(job)?, plan.parts);
    if plan.batches() != run.batches {
        let reason = "it is of another version of this run".to_owned();
        return Err(TabulateError::RunFile { path: run_file(&job.run), reason });
    }
    Ok(Some((run, plan)))
}

pub(super) fn tabulate_part_of(job: &Job, number: usize) -> Result<PartEnd, TabulateError> {
    let Some((run, plan)) = begun(job)? else { return Ok(PartEnd::RunIsOver) };
    let parts = plan.parts().len();
    let part = plan.part(number).ok_or(TabulateError::NoSuchPart { part: number, parts })?;
    let mut ledger = job.ledger(run.label).of_a_part(&part.batches);
    ledger.look(|_| false)?;
    let (batches, found) = (part.batches.len(), ledger.count());
    if found < batches {
        has_all_it_needs(job, &plan, part, &ledger)?;
        let Some(_session) = Session::for_a_part(job)? else { return Ok(PartEnd::RunIsOver) };
        match solve_part(job, run.label.tiers, &plan, part, ledger) {
            Err(error) if others_have_ended_it(job, run.label.tiers, &error)? => {
                return Ok(PartEnd::RunIsOver);
            }
            solved => solved?,
        }
    }
    Ok(PartEnd::Done { parts, batches, found })
}

fn solve_part(
    job: &Job,
    tiers: TierRange,
    plan: &Plan,
    part: &Part,
    mut ledger: Ledger,
) -> Result<(), TabulateError> {
    let seconds = part.nanoseconds as f64 * 1e-9 / rayon::current_num_threads() as f64;
    let whole = job.estimate(tiers)?;
    let scratch = whole.scratch.max(plan.scratch);
    // Other parts read what this one hands on, so nothing waits in memory.
    let memory = job.memory_without_handoffs(tiers);
    let bytes = part.memory.min(memory.bytes());
    let estimate = Estimate { cells: part.cells, seconds, memory: bytes, scratch, ..whole };
    refuse_what_does_not_fit(job, &estimate, true)?;
    job.listener.begins(&Beginning {
        part: Some((part.number, plan.parts().len())),
        tiers,
        cut: job.request.cut,
        planes: job.planes(),
        estimate,
        done: 0,
        batches: part.batches.len(),
    });
    let start = start(job, tiers)?;
    let is_free = |batch| part.batches.contains(&batch) && !is_claimed(job, batch);
    cleanup::remove_unfinished(job, &is_free)?;
    ledger.look(|_| false)?;
    // Tables are put together later.
    let estimate = Estimate { tables: 0, ..estimate };
    Run::new(job, start, tiers, &estimate, memory)?.solve(ledger).map(|_| ())
}

pub(super) fn tabulate_planned_of(job: &Job) -> Result<Tabulated, TabulateError> {
    if let Some((run, plan)) = begun(job)? {
        let mut ledger = job.ledger(run.label);
        ledger.look(|_| false)?;
        let missing = ledger.not_done().next();
        if let Some(batch) = missing
            && job.is_under_way()
        {
            return Err(needs(job, &plan, None, batch, None));
        }
    }
    tabulate_job(job)
}

fn is_claimed(job: &Job, batch: usize) -> bool {
    Claim::is_taken(&claim_file(&job.run, batch)).unwrap_or(false)
}

/// Refuses a part that lacks something which an earlier part should have made.
fn has_all_it_needs(
    job: &Job,
    plan: &Plan,
    part: &Part,
    ledger: &Ledger,
) -> Result<(), TabulateError> {
    for batch in ledger.not_done() {
        for need in &job.extent().schedule().batches()[batch].needs {
            let file = handoff_file(&job.kept, *need, batch);
            // If it is gone, another process may have used it to do the batch meanwhile.
            let is_there =
                file.exists() || is_claimed(job, batch) || ledger.pieces.find(batch)?.is_some();
            if !is_there {
                return Err(needs(job, plan, Some(part.number), *need, Some(file)));
            }
        }
    }
    Ok(())
}

/// The error of a part, or of the tables, that need a batch: its piece, or what it hands on.
fn needs(
    job: &Job,
    plan: &Plan,
    part: Option<usize>,
    need: usize,
    handed_on: Option<PathBuf>,
) -> TabulateError {
    let Request { board, ref tables, .. } = *job.request;
    let (tables, needed) = (tables.clone(), plan.part_of(need));
    let piece = piece_file(&job.run, need);
    match handed_on {
        Some(file) if piece.exists() => TabulateError::Lost { board, tables, needed, file },
        _ => TabulateError::NeedsPart { board, tables, part, needed, file: piece },
    }
}
