//! From a request to its tables: checks which tiers exist, and runs the missing ones.

use std::io;
use std::sync::Arc;

use crate::board::TierRange;
use crate::disk::Disk;
use crate::index::Census;
use crate::sealed::FileFault;
use crate::sweep::Extent;
use crate::table::{Fault, TableError, TableSummary};

use super::admission::{
    can_be_made, has_start, missing, refuse_what_does_not_fit, start, starts_at_the_end,
};
use super::error::TabulateError;
use super::estimate::Estimate;
use super::ledger::Ledger;
use super::leftovers;
use super::names::{run_file, run_folder};
use super::pieces::Pieces;
use super::report::{are_listed, report, summaries};
use super::request::{Beginning, Listener, Request, Tabulated};
use super::run::Run;
use super::run_file::RunFile;
use super::session::{Session, remove_folders};

/// Solves the tiers of a board and writes a table of each. Resumes a run that was stopped, and
/// joins one that is under way.
pub fn tabulate(request: &Request, listener: &dyn Listener) -> Result<Tabulated, TabulateError> {
    tabulate_on(&Disk::default(), request, None, listener)
}

/// The approximate cost of that from the beginning, without listing any states.
pub fn estimate(request: &Request) -> Result<Estimate, TabulateError> {
    let tiers = request.tiers.within(request.board)?;
    let census = Arc::new(Census::new(request.board)?);
    request.estimate(&Extent::new(&census, request.scope), tiers)
}

/// Tabulates on this disk, with batches of at least this many cells, if that is given.
pub(super) fn tabulate_on(
    disk: &Disk,
    request: &Request,
    batch_cells: Option<u64>,
    listener: &dyn Listener,
) -> Result<Tabulated, TabulateError> {
    let work = Work::new(disk, request, batch_cells, listener)?;
    if let Some(tabulated) = work.found()? {
        remove_folders(disk, request);
        return Ok(tabulated);
    }
    let mut session = Session::enter(disk, request, work.tiers, listener)?;
    work.done_in(&mut session)
}

/// Tables to make, and whoever hears of it.
pub(super) struct Work<'a> {
    disk: &'a Disk,
    request: &'a Request,
    batch_cells: Option<u64>,
    listener: &'a dyn Listener,
    pub tiers: TierRange,
    census: Arc<Census>,
}

impl<'a> Work<'a> {
    pub fn new(
        disk: &'a Disk,
        request: &'a Request,
        batch_cells: Option<u64>,
        listener: &'a dyn Listener,
    ) -> Result<Work<'a>, TabulateError> {
        let tiers = request.tiers.within(request.board)?;
        let census = Arc::new(Census::new(request.board)?);
        Ok(Work { disk, request, batch_cells, listener, tiers, census })
    }

    /// The tables, if all of them exist, the manifest lists them, and no run has to be ended. No
    /// folder is entered. Otherwise, what cannot succeed is refused.
    pub fn found(&self) -> Result<Option<Tabulated>, TabulateError> {
        let Work { request, tiers, .. } = *self;
        if !request.tables.exists() {
            starts_at_the_end(request, tiers)?;
            let estimate = request.estimate(&self.extent(), tiers)?;
            refuse_what_does_not_fit(request, &estimate, false)?;
        } else {
            // A table that is damaged or of another board is reported before the work, not after.
            let known = summaries(request, &self.census)?;
            let is_over = are_in(&known, tiers)
                && are_listed(&request.tables, request.board, &known)
                && !run_file(&run_folder(&request.tables)).exists();
            if is_over {
                let tabulated = report(self.disk, request, &known, tiers, None, self.listener)?;
                return Ok(Some(tabulated));
            }
        }
        can_be_made([&request.tables, &request.scratch])?;
        Ok(None)
    }

    fn extent(&self) -> Extent {
        let extent = Extent::new(&self.census, self.request.scope);
        match self.batch_cells {
            Some(cells) => extent.with_batches_of(cells),
            None => extent,
        }
    }

    /// Makes the missing tables.
    pub fn done_in(&self, session: &mut Session) -> Result<Tabulated, TabulateError> {
        let Work { disk, request, tiers, listener, .. } = *self;
        let solved = match todo(disk, request, &self.census, tiers, session)? {
            None => None,
            Some(todo) => {
                let over = self.run(todo, session);
                match over {
                    Err(error) if others_have_ended_it(request, todo, &error)? => {}
                    over => over?,
                }
                Some(todo)
            }
        };
        session.share()?;
        report(disk, request, &summaries(request, &self.census)?, tiers, solved, listener)
    }

    /// Runs over these tiers.
    fn run(&self, todo: TierRange, session: &mut Session) -> Result<(), TabulateError> {
        let Work { disk, request, listener, .. } = *self;
        let extent = self.extent();
        let estimate = request.estimate(&extent, todo)?;
        refuse_what_does_not_fit(request, &estimate, session.run().is_some())?;
        let start = start(request, &extent, todo)?;
        let ours = RunFile::of(&extent, todo, start.end());
        session.begin(ours, listener)?;
        let pieces = Pieces::new(run_folder(&request.tables), ours.label);
        let mut ledger = Ledger::new(extent.schedule(), pieces);
        ledger.look(|_| false)?;
        let (done, batches, cut) = (ledger.count(), ours.batches, request.cut);
        listener.begins(&Beginning { part: None, tiers: todo, cut, estimate, done, batches });
        let run = Run::new(disk, request, &extent, start, todo, listener, &estimate)?;
        run.solve().and_then(|batches| run.finish(batches))
    }
}

/// The tiers that a run is to solve: those of one that was begun, or all that are missing.
pub(super) fn todo(
    disk: &Disk,
    request: &Request,
    census: &Arc<Census>,
    tiers: TierRange,
    session: &mut Session,
) -> Result<Option<TierRange>, TabulateError> {
    let begun = session.run().map(|run| run.tiers_of(request, tiers)).transpose()?;
    if let Some(begun) = begun.filter(|_| session.is_alone()) {
        let known = summaries(request, census)?;
        if are_in(&known, begun) && are_listed(&request.tables, request.board, &known) {
            // It was stopped at its very end: only its files remain to be removed.
            leftovers::clear(disk, request)?;
            return missing(request, tiers);
        }
        if !has_start(request, begun) {
            // The tier that it starts from has been removed: it can never continue.
            session.forget()?;
            return missing(request, tiers);
        }
    }
    match begun {
        None => missing(request, tiers),
        begun => Ok(begun),
    }
}

/// Whether all these tiers are among the tables.
fn are_in(tables: &[TableSummary], tiers: TierRange) -> bool {
    tiers.into_iter().all(|tier| tables.iter().any(|table| table.tier == tier))
}

/// Was an error caused by other processes, which have ended the run and removed its files?
pub(super) fn others_have_ended_it(
    request: &Request,
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
    let is_over = || !run_file(&run_folder(&request.tables)).exists();
    Ok(is_gone && is_over() && leftovers::are_there(request, tiers)?)
}
