//! From a job to its tables: looks at the folders, decides what to do next, and does it.
//!
//! Deciding is a pure function from a [`Snapshot`] to a [`Step`]. So nothing else need distinguish
//! a new run from one that was stopped, or one that other processes work on.

use std::io;

use crate::board::{Tier, TierRange};
use crate::files::sealed::FileFault;
use crate::sweep;
use crate::table::{Fault, TableError, TableSummary};

use super::assembly::report::{are_listed, report};
use super::error::TabulateError;
use super::estimate::Estimate;
use super::folders::{RunFile, Session, remove_folders};
use super::job::{Cost, Job};
use super::listener::Beginning;
use super::preflight;
use super::request::Tabulated;
use super::run::Run;

/// Makes the tables of a job. Resumes a run that was stopped, and joins one that is under way.
pub(super) fn tabulate_job(job: &Job) -> Result<Tabulated, TabulateError> {
    if let Some(tabulated) = existing(job)? {
        remove_folders(job);
        return Ok(tabulated);
    }
    preflight(job, None)?;
    complete(job, &mut Session::enter(job)?)
}

/// The tables, if all of them exist, the manifest lists them, and no run has to be ended. No folder
/// is entered.
pub(super) fn existing(job: &Job) -> Result<Option<Tabulated>, TabulateError> {
    if !job.request.tables.exists() {
        return Ok(None);
    }
    // A table that is damaged or of another board is reported before the work, not after.
    let tables = job.sound_tables()?;
    let is_over = are_complete(job, job.tiers, &tables) && !job.is_under_way();
    if is_over { report(job, &tables, None).map(Some) } else { Ok(None) }
}

/// Refuses a job that cannot succeed, before it enters any folder. Its cost is estimated, unless it
/// is known.
pub(super) fn preflight(job: &Job, cost: Option<Estimate>) -> Result<(), TabulateError> {
    if !job.request.tables.exists() {
        // Nothing has begun, so the sweep must start at the last tier of the board.
        if job.tiers.last() != job.request.last_tier() {
            return Err(preflight::no_start(job, job.tiers));
        }
        let cost = cost.map_or_else(|| job.estimate(job.tiers), Ok)?;
        preflight::refuse_what_does_not_fit(job, &cost, false)?;
    }
    preflight::refuse_impossible_folders(job)
}

/// Makes the missing tables.
pub(super) fn complete(job: &Job, session: &mut Session) -> Result<Tabulated, TabulateError> {
    let todo = todo(job, session)?;
    let made = match todo {
        None => None,
        Some(todo) => match run(job, todo, session) {
            Err(error) if others_have_ended_it(job, todo, &error)? => None,
            made => made?,
        },
    };
    session.share()?;
    let tables = made.map_or_else(|| job.sound_tables(), Ok)?;
    report(job, &tables, todo)
}

/// The tiers that a run is to solve: those of one that was begun, or all that are missing. Ends a
/// run that is over or cannot continue.
pub(super) fn todo(job: &Job, session: &mut Session) -> Result<Option<TierRange>, TabulateError> {
    loop {
        match next(job.tiers, &Snapshot::of(job, session)?) {
            Step::CleanUp => session.clean_up()?,
            Step::Forget => session.forget()?,
            Step::Refuse(tiers) => return Err(preflight::no_start(job, tiers)),
            Step::Run(tiers) => return Ok(Some(tiers)),
            Step::Report => return Ok(None),
        }
    }
}

/// Everything that the decision depends on.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Snapshot {
    /// The run that was begun, if any.
    run: Option<Begun>,
    /// Whether no other process is at work.
    is_alone: bool,
    /// The last tier that has positions to solve.
    last_tier: Tier,
    /// The tiers without a table.
    missing: Vec<Tier>,
    /// The tiers that an earlier sweep has kept to start from.
    kept: Vec<Tier>,
}

/// A run that was begun.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Begun {
    tiers: TierRange,
    /// Whether all its tables are sound, and the manifest lists them. Only a process that is alone
    /// finds out.
    has_tables: bool,
}

/// What to do next.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Step {
    /// A run was stopped at its very end: remove its files.
    CleanUp,
    /// A run can never continue, since the tier that it starts from has been removed: end it.
    Forget,
    /// Solve these tiers.
    Run(TierRange),
    /// These tiers are missing, and so is the tier above them.
    Refuse(TierRange),
    /// All tables exist.
    Report,
}

impl Snapshot {
    fn of(job: &Job, session: &Session) -> Result<Snapshot, TabulateError> {
        let (missing, is_alone) = (job.missing()?, session.is_alone);
        let tiers = session.run.map(|run| run.tiers_of(job)).transpose()?;
        let begun = |tiers: TierRange| {
            let has_names = !tiers.into_iter().any(|tier| missing.contains(&tier));
            let has_tables =
                is_alone && has_names && are_complete(job, tiers, &job.sound_tables()?);
            Ok::<_, TabulateError>(Begun { tiers, has_tables })
        };
        let run = tiers.map(begun).transpose()?;
        let last_tier = job.request.last_tier();
        let mut kept = Vec::new();
        if !missing.is_empty() && job.kept.exists() {
            let tiers = (1..=last_tier.0).map(Tier);
            kept.extend(tiers.filter(|tier| sweep::is_kept(&job.kept, *tier)));
        }
        Ok(Snapshot { run, is_alone, last_tier, missing, kept })
    }
}

/// Decides what to do next for these tiers.
fn next(wanted: TierRange, snapshot: &Snapshot) -> Step {
    let Snapshot { run, is_alone, last_tier, ref missing, ref kept } = *snapshot;
    let has_start = |tiers: TierRange| {
        tiers.last() == last_tier || kept.contains(&tiers.last().next_unchecked())
    };
    match run {
        Some(Begun { has_tables: true, .. }) => return Step::CleanUp,
        Some(Begun { tiers, .. }) if is_alone && !has_start(tiers) => return Step::Forget,
        Some(Begun { tiers, .. }) => return Step::Run(tiers),
        None => {}
    }
    let Some(first) = missing.iter().copied().find(|tier| wanted.contains(*tier)) else {
        return Step::Report;
    };
    // The lowest tier above the first that was kept, and from which on all tables exist.
    let is_complete_from = |tier: Tier| !missing.iter().any(|missing| *missing >= tier);
    let from = kept.iter().copied().find(|tier| first < *tier && is_complete_from(*tier));
    let last = from.map_or(wanted.last(), |from| Tier(from.0 - 1));
    let tiers = TierRange::new(first, last).expect("the first tier is wanted");
    let is_possible = from.is_some() || last == last_tier;
    if is_possible { Step::Run(tiers) } else { Step::Refuse(tiers) }
}

/// Runs over these tiers. Returns summaries of all tables, if this process has put them together.
fn run(
    job: &Job,
    tiers: TierRange,
    session: &mut Session,
) -> Result<Option<Vec<TableSummary>>, TabulateError> {
    let Cost { estimate, memory } = job.cost(tiers)?;
    preflight::refuse_what_does_not_fit(job, &estimate, session.run.is_some())?;
    let start = preflight::start(job, tiers)?;
    let ours = RunFile::of(job.extent(), tiers, start.end());
    session.begin(ours)?;
    let mut ledger = job.ledger(ours.label);
    ledger.look(|_| false)?;
    let (cut, planes) = (job.request.cut, job.planes());
    let (done, batches) = (ledger.count(), ours.batches);
    job.listener.begins(&Beginning { part: None, tiers, cut, planes, estimate, done, batches });
    let run = Run::new(job, start, tiers, &estimate, memory)?;
    let batches = run.solve(ledger)?;
    run.finish(batches)
}

/// Whether all these tiers are among the tables, and the manifest lists all of these.
fn are_complete(job: &Job, tiers: TierRange, tables: &[TableSummary]) -> bool {
    tiers.into_iter().all(|tier| tables.iter().any(|table| table.tier == tier))
        && are_listed(&job.request.tables, job.request.board, tables)
}

/// Whether an error was caused by other processes, which have ended the run over these tiers and
/// removed its files.
pub(super) fn others_have_ended_it(
    job: &Job,
    tiers: TierRange,
    error: &TabulateError,
) -> Result<bool, TabulateError> {
    let is_gone = match error {
        TabulateError::WorkingFile(error) => matches!(error.fault, FileFault::Missing),
        TabulateError::Table(TableError { fault: Fault::Io { error, .. }, .. }) => {
            error.kind() == io::ErrorKind::NotFound
        }
        TabulateError::Table(TableError { fault: Fault::Removed, .. })
        | TabulateError::NoStart { .. } => true,
        _ => false,
    };
    Ok(is_gone && !job.is_under_way() && job.has_tables(tiers)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiers(first: u8, last: u8) -> TierRange {
        TierRange::new(Tier(first), Tier(last)).unwrap()
    }

    /// A board of 9 cells with tables of these tiers; nothing is kept, and no run was begun.
    fn with_tables(tables: impl IntoIterator<Item = u8>) -> Snapshot {
        let there: Vec<u8> = tables.into_iter().collect();
        let missing = (0..=9).filter(|tier| !there.contains(tier)).map(Tier).collect();
        Snapshot { run: None, is_alone: true, last_tier: Tier(9), missing, kept: Vec::new() }
    }

    fn begun(tiers: TierRange, has_tables: bool) -> Option<Begun> {
        Some(Begun { tiers, has_tables })
    }

    #[test]
    fn a_new_sweep_starts_at_the_end_and_solves_what_is_missing() {
        assert_eq!(next(tiers(0, 9), &with_tables([])), Step::Run(tiers(0, 9)));
        assert_eq!(next(tiers(4, 9), &with_tables([])), Step::Run(tiers(4, 9)));
        assert_eq!(next(tiers(0, 9), &with_tables(0..4)), Step::Run(tiers(4, 9)));
        assert_eq!(next(tiers(0, 9), &with_tables(0..=9)), Step::Report);
        assert_eq!(next(tiers(0, 3), &with_tables(0..4)), Step::Report);
    }

    #[test]
    fn a_sweep_below_the_end_starts_from_a_tier_that_was_kept() {
        let without = with_tables(6..=9);
        assert_eq!(next(tiers(0, 5), &without), Step::Refuse(tiers(0, 5)));
        // All the way from the end, if nothing was kept.
        assert_eq!(next(tiers(0, 9), &without), Step::Run(tiers(0, 9)));
        let kept = Snapshot { kept: vec![Tier(6)], ..without.clone() };
        for wanted in [tiers(0, 5), tiers(0, 9)] {
            assert_eq!(next(wanted, &kept), Step::Run(tiers(0, 5)));
        }
        // Tables above the tier must exist, too.
        let gap = Snapshot { kept: vec![Tier(6)], ..with_tables([6, 7, 9]) };
        assert_eq!(next(tiers(0, 5), &gap), Step::Refuse(tiers(0, 5)));
    }

    #[test]
    fn a_run_that_was_begun_comes_first() {
        let stopped = Snapshot { run: begun(tiers(3, 9), false), ..with_tables(7..=9) };
        assert_eq!(next(tiers(0, 9), &stopped), Step::Run(tiers(3, 9)));
        let over = Snapshot { run: begun(tiers(3, 9), true), ..with_tables(3..=9) };
        assert_eq!(next(tiers(0, 9), &over), Step::CleanUp);
        // Others are ending it: this process joins them, and finds that nothing remains to do.
        let joined = Snapshot { is_alone: false, run: begun(tiers(3, 9), false), ..over };
        assert_eq!(next(tiers(0, 9), &joined), Step::Run(tiers(3, 9)));
    }

    #[test]
    fn a_run_whose_start_has_gone_is_ended_by_a_process_that_is_alone() {
        let stuck = Snapshot { run: begun(tiers(0, 5), false), ..with_tables(6..=9) };
        assert_eq!(next(tiers(0, 5), &stuck), Step::Forget);
        assert_eq!(
            next(tiers(0, 5), &Snapshot { is_alone: false, ..stuck.clone() }),
            Step::Run(tiers(0, 5))
        );
        let kept = Snapshot { kept: vec![Tier(6)], ..stuck };
        assert_eq!(next(tiers(0, 5), &kept), Step::Run(tiers(0, 5)));
    }
}
