//! How a process enters the folders of a run, alone or beside others, and how it leaves them.
//!
//! Every process that solves holds the lock of the tables, from before it makes the first folder
//! until it has left them all:
//!
//! ```text
//!     tables/lock            exclusively    to begin a run, or to remove folders
//!                            shared         to work on it
//!     scratch/WxH/lock       the same, so that runs with tables elsewhere keep away
//! ```
//!
//! Folders are made here and removed here, and nowhere else. The last process to leave removes
//! them: only a process that holds the lock of the tables exclusively knows that no other is about
//! to enter. If it is killed, the next one to leave does so. On file systems without locks no
//! process can know, so folders stay.
//!
//! Scores are found in several runs, one within the other. The session over the tables of the board
//! lasts until all of them are over, and removes the folders of them all; sessions within it only
//! keep the runs apart.
//!
//! `run_files` reads and writes `run.json` and `plan.json`, and `cleanup` removes what is not
//! needed any more.

pub(super) mod cleanup;

mod run_files;

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::board::Tier;
use crate::files::sealed::{OfWorkingFile, WRITE};
use crate::files::{Disk, name_of_temporary, names_in};
use crate::plies::cuts;
use crate::sweep::Planes;
use crate::table::{Fault, FolderLock, LOCK, TableError, cut_folder, score_folder, tiers_in};

use super::error::TabulateError;
use super::job::Job;
use super::listener::Listener;
use super::names::{cut_scratch, is_claim, kept_folder, run_file, run_folder};
use super::request::Request;

pub(super) use run_files::{PlanFile, RunFile};
#[cfg(fuzzing)]
pub(crate) use run_files::{fuzz_plan_file, fuzz_run_file};

/// How long to wait for a process that begins or ends a run. To begin one, it checks all files of
/// an earlier one.
const PATIENCE: Duration = Duration::from_secs(600);

/// After this time the listener is informed.
const SILENCE: Duration = Duration::from_secs(2);

const LOOK: Duration = Duration::from_millis(20);

/// Access to the folders of a run, for as long as this value lives.
pub(super) struct Session<'a> {
    job: &'a Job<'a>,
    /// Dropped before `tables`, which was locked first.
    kept: Option<FolderLock>,
    tables: Option<FolderLock>,
    /// The run that was found.
    pub run: Option<RunFile>,
    /// Whether no other process is at work.
    pub is_alone: bool,
    /// Another session of this process lasts longer, and removes the folders.
    is_within_another: bool,
}

impl<'a> Session<'a> {
    /// Enters the folder of the tables, which is created if it does not exist: alone, or beside
    /// others that work on the same run, or that have made all of these tiers and now make scores
    /// of them.
    pub(crate) fn enter(job: &'a Job<'a>) -> Result<Session<'a>, TabulateError> {
        let tables = &job.request.tables;
        wait_for(tables, job.listener, || {
            let (lock, is_alone) = match FolderLock::take_on(job.disk, tables) {
                Ok(lock) => (lock, true),
                Err(TableError { fault: Fault::InUse, .. }) => match FolderLock::join(tables)? {
                    Some(lock) => (lock, false),
                    None => return Ok(None),
                },
                Err(error) => return Err(error.into()),
            };
            let run = RunFile::read(&job.run)?;
            let kept = match run {
                _ if is_alone => None,
                Some(_) => match join_working_files(job)? {
                    None => return Ok(None),
                    kept => kept,
                },
                None if job.has_tables(job.tiers)? => None,
                None => return Ok(None),
            };
            let tables = Some(lock);
            Ok(Some(Session { job, kept, tables, run, is_alone, is_within_another: false }))
        })
    }

    /// The same for a run that is part of the work of a longer session.
    pub(crate) fn enter_within(job: &'a Job<'a>) -> Result<Session<'a>, TabulateError> {
        let mut session = Session::enter(job)?;
        session.is_within_another = true;
        Ok(session)
    }

    /// Enters a planned run to solve a part of it, beside others that solve parts. Nothing is
    /// checked or removed. `None` if there is no run.
    pub(crate) fn for_a_part(job: &'a Job<'a>) -> Result<Option<Session<'a>>, TabulateError> {
        let run = || RunFile::read(&job.run);
        wait_for(&job.request.tables, job.listener, || {
            if run()?.is_none() {
                return Ok(Some(None));
            }
            let Some(lock) = FolderLock::join(&job.request.tables)? else { return Ok(None) };
            // From now on, the files of the run stay.
            let run = run()?;
            if run.is_none() {
                return Ok(Some(None));
            }
            let kept = join_working_files(job)?;
            let (is_alone, is_within_another) = (false, false);
            let session = |kept| {
                let (kept, tables) = (Some(kept), Some(lock));
                Some(Session { job, kept, tables, run, is_alone, is_within_another })
            };
            Ok(kept.map(session))
        })
    }

    /// Ends a run that cannot continue.
    pub(crate) fn forget(&mut self) -> Result<(), TabulateError> {
        self.run = None;
        let path = run_file(&self.job.run);
        Ok(self.job.disk.remove(&path).of_working_file(&path, "remove")?)
    }

    /// Removes the files of a run that is over.
    pub(crate) fn clean_up(&mut self) -> Result<(), TabulateError> {
        self.run = None;
        cleanup::clear(self.job)
    }

    /// Begins or resumes this run, unless it has joined others that have. From now on others may
    /// join.
    pub(crate) fn begin(&mut self, ours: RunFile) -> Result<(), TabulateError> {
        let Job { disk, listener, ref run, ref kept, .. } = *self.job;
        if self.run.is_some_and(|run| !run.is_the_same_run(&ours)) {
            let reason = "it is of another version of this run".to_owned();
            return Err(TabulateError::RunFile { path: run_file(run), reason });
        }
        if !self.is_alone {
            return Ok(());
        }
        disk.create_folder(run).of_working_file(run, WRITE)?;
        let lock = wait_for(kept, listener, || match FolderLock::take_on(disk, kept) {
            Err(TableError { fault: Fault::InUse, .. }) => Ok(None),
            lock => Ok(Some(lock?)),
        })?;
        cleanup::keep_what_belongs_to(self.job, ours.label)?;
        if self.run.is_none() {
            ours.write(disk, run)?;
        }
        lock.share(kept)?;
        self.kept = Some(lock);
        self.share()
    }

    /// Lets others in.
    pub(crate) fn share(&mut self) -> Result<(), TabulateError> {
        if let Some(lock) = self.tables.as_ref().filter(|_| self.is_alone) {
            lock.share(&self.job.request.tables)?;
        }
        self.is_alone = false;
        Ok(())
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        (self.kept, self.tables) = (None, None);
        if !self.is_within_another {
            remove_folders(self.job);
        }
    }
}

fn join_working_files(job: &Job) -> Result<Option<FolderLock>, TabulateError> {
    job.disk.create_folder(&job.kept).of_working_file(&job.kept, WRITE)?;
    Ok(FolderLock::join(&job.kept)?)
}

/// Tries until an attempt succeeds, fails with an error, or another process has been at work in the
/// folder for too long.
fn wait_for<T>(
    folder: &Path,
    listener: &dyn Listener,
    mut attempt: impl FnMut() -> Result<Option<T>, TabulateError>,
) -> Result<T, TabulateError> {
    let start = Instant::now();
    let mut is_told = false;
    loop {
        if let Some(done) = attempt()? {
            return Ok(done);
        }
        if start.elapsed() > PATIENCE {
            return Err(TableError::new(folder, Fault::InUse).into());
        }
        if start.elapsed() > SILENCE && !is_told {
            listener.waits(folder);
            is_told = true;
        }
        thread::sleep(LOOK);
    }
}

/// Removes the folders of a run that is over or never began, and of the cuts that scores came from,
/// unless a process is using them or they are not empty. Whatever cannot be removed now does no
/// harm, and stays until the next process leaves.
pub(super) fn remove_folders(job: &Job) {
    let Job { disk, request, .. } = *job;
    let Ok(alone) = FolderLock::take_there(&request.tables) else { return };
    if !alone.is_seen() {
        return;
    }
    // Network file systems may fail to remove a name that others have just removed; a second
    // attempt may succeed.
    for _ in 0..2 {
        // All that is left of the run is files to remove.
        if !job.is_under_way() && job.has_tables(job.tiers).unwrap_or(false) {
            let _ = cleanup::clear(job);
        }
        let mut are_gone = remove_empty_folders(disk, &job.run, &job.kept);
        if has_all_scores(request) {
            let scores = score_folder(&request.tables);
            let _ = cleanup::remove_unfinished_tables(disk, &scores);
            are_gone &= remove_cuts(disk, request);
        }
        // A folder that the user chose is not ours to remove.
        if request.scratch.starts_with(&request.tables) {
            are_gone &= disk.remove_folder(&request.scratch).is_ok();
        }
        if are_gone {
            return;
        }
    }
}

fn has_all_scores(request: &Request) -> bool {
    let scores = tiers_in(&score_folder(&request.tables), request.board);
    scores.is_ok_and(|scores| scores.len() == request.board.cells() + 1)
}

/// Removes the remains of all cuts, and returns whether they are gone. No process may be at work on
/// any of them.
pub(super) fn remove_cuts(disk: &Disk, request: &Request) -> bool {
    let mut are_gone = true;
    for ply in cuts(request.board, Tier(0)) {
        let folder = cut_folder(&request.tables, ply);
        let scratch = cut_scratch(&request.scratch, ply);
        if folder.exists() || scratch.exists() {
            let run = run_folder(&folder);
            let kept = kept_folder(&scratch, request.board, Planes::Both);
            let _ = cleanup::remove_run(disk, &run, &kept);
            remove_empty_folders(disk, &run, &kept);
            let _ = cleanup::remove_tables(disk, &folder);
            are_gone &= [folder, scratch].iter().all(|folder| disk.remove_folder(folder).is_ok());
        }
    }
    are_gone
}

/// Removes the folder of a run and that of its working files, if only locks, claims and unfinished
/// files are in them. Returns whether they are gone.
fn remove_empty_folders(disk: &Disk, run: &Path, kept: &Path) -> bool {
    if run_file(run).exists() {
        return false;
    }
    let run_is_gone = remove_if_over(disk, run);
    // Runs with tables elsewhere may use it.
    let kept_is_gone = match FolderLock::take_there(kept) {
        Ok(alone) => {
            let is_gone = remove_if_over(disk, kept);
            drop(alone);
            // Windows removes an open file, such as the lock, once it is closed.
            is_gone || cfg!(windows) && disk.remove_folder(kept).is_ok()
        }
        Err(_) => !kept.exists(),
    };
    run_is_gone && kept_is_gone
}

fn remove_if_over(disk: &Disk, folder: &Path) -> bool {
    let Ok(names) = names_in(folder) else { return !folder.exists() };
    let is_over = |file: &Path| {
        let name = file.file_name().and_then(|name| name.to_str());
        let is_over = |name: &str| name == LOCK || name_of_temporary(name).is_some();
        is_claim(file) || name.is_some_and(is_over)
    };
    let files: Vec<_> = names.iter().map(|name| folder.join(name)).collect();
    if !files.iter().all(|file| is_over(file)) {
        return false;
    }
    files.iter().for_each(|file| _ = disk.remove(file));
    disk.remove_folder(folder).is_ok()
}
