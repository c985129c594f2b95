//! How a process enters a run: alone, to begin or resume it, or together with others that are
//! already working on it.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::disk::Disk;
use crate::sealed::{OfWorkingFile, WRITE, WorkingFileError};
use crate::table::{Fault, FolderLock, TableError};

use super::error::TabulateError;
use super::leftovers;
use super::names::{kept_folder, run_file, run_folder};
use super::request::{Listener, Request};
use super::run_file::RunFile;

/// How long to wait for processes that are just beginning or ending.
const PATIENCE: Duration = Duration::from_secs(5);

/// The same for a part, while another process checks a folder with all pieces of a large board.
const PATIENCE_OF_A_PART: Duration = Duration::from_secs(600);

const LOOK: Duration = Duration::from_millis(20);

/// Access to a run, for as long as this value lives.
pub(super) struct Entry {
    /// Locked so that runs with tables elsewhere do not use the same working files; free before
    /// the tables are, since it is taken after them.
    kept: FolderLock,
    tables: FolderLock,
    run: Option<RunFile>,
    is_alone: bool,
}

impl Entry {
    /// Enters the run of a request. Missing folders are created.
    pub fn of(disk: &Disk, request: &Request) -> Result<Entry, TabulateError> {
        let kept = kept_folder(&request.scratch, request.board);
        let run = run_folder(&request.tables);
        let start = Instant::now();
        loop {
            let in_use = match Entry::locks(disk, &request.tables, &kept) {
                Ok((tables, kept)) => {
                    // Nobody removes it now.
                    disk.create_folder(&run).of_working_file(&run, WRITE)?;
                    return Ok(Entry { kept, tables, run: RunFile::read(&run)?, is_alone: true });
                }
                Err(error @ TableError { fault: Fault::InUse, .. }) => error,
                Err(error) => return Err(error.into()),
            };
            if let Some(tables) = FolderLock::join(&request.tables)?
                && let Some(kept) = FolderLock::join(&kept)?
                && let Some(run) = RunFile::read(&run)?
            {
                return Ok(Entry { kept, tables, run: Some(run), is_alone: false });
            }
            if start.elapsed() > PATIENCE {
                return Err(in_use.into());
            }
            thread::sleep(LOOK);
        }
    }

    /// Enters a planned run to solve a part of it, beside others that solve parts. Nothing is
    /// checked or removed. `None` if there is no run.
    pub fn for_a_part(disk: &Disk, request: &Request) -> Result<Option<Entry>, TabulateError> {
        let kept = kept_folder(&request.scratch, request.board);
        let start = Instant::now();
        loop {
            let Some(run) = RunFile::read(&run_folder(&request.tables))? else { return Ok(None) };
            disk.create_folder(&kept).of_working_file(&kept, WRITE)?;
            if let Some(tables) = FolderLock::join(&request.tables)?
                && let Some(kept) = FolderLock::join(&kept)?
            {
                return Ok(Some(Entry { kept, tables, run: Some(run), is_alone: false }));
            }
            if start.elapsed() > PATIENCE_OF_A_PART {
                return Err(TableError::new(&request.tables, Fault::InUse).into());
            }
            thread::sleep(LOOK);
        }
    }

    fn locks(
        disk: &Disk,
        tables: &Path,
        kept: &Path,
    ) -> Result<(FolderLock, FolderLock), TableError> {
        Ok((FolderLock::take_on(disk, tables)?, FolderLock::take_on(disk, kept)?))
    }

    /// The run that was there.
    pub fn run(&self) -> Option<&RunFile> {
        self.run.as_ref()
    }

    /// Is nobody else at work?
    pub fn is_alone(&self) -> bool {
        self.is_alone
    }

    /// Forgets a run that cannot continue.
    pub fn forget(&mut self, disk: &Disk, request: &Request) -> Result<(), TabulateError> {
        self.run = None;
        let path = run_file(&run_folder(&request.tables));
        Ok(disk.remove(&path).of_working_file(&path, "remove")?)
    }

    /// Begins, resumes or joins this run. From now on others may join.
    pub fn begin(
        &self,
        disk: &Disk,
        request: &Request,
        ours: RunFile,
        listener: &dyn Listener,
    ) -> Result<(), TabulateError> {
        let folder = run_folder(&request.tables);
        if self.run.is_some_and(|run| !run.is_the_same_run(&ours)) {
            let reason = "it is of another version of this run".to_owned();
            return Err(TabulateError::RunFile { path: run_file(&folder), reason });
        }
        if self.is_alone {
            let told = |error: &WorkingFileError| listener.does_again(error);
            leftovers::keep_what_belongs_to(disk, request, ours.label, &told)?;
            if self.run.is_none() {
                ours.write(disk, &folder)?;
            }
            self.kept.share(&kept_folder(&request.scratch, request.board))?;
            self.tables.share(&request.tables)?;
        }
        Ok(())
    }
}
