//! The free bytes on the disks of a run, and whether they are enough.

use std::fs;
use std::path::Path;

use crate::files::Disk;

use super::error::TabulateError;
use super::estimate::Estimate;
use super::request::Request;

/// Free bytes, if they can be found out.
pub(super) struct FreeSpace {
    /// On the disk of the working files.
    scratch: Option<u64>,
    /// On the disk of the tables.
    tables: Option<u64>,
}

impl FreeSpace {
    /// What is free now.
    pub(super) fn of(disk: &Disk, request: &Request) -> FreeSpace {
        let [scratch, tables] = [&request.scratch, &request.tables].map(|at| disk.free_space(at));
        FreeSpace { scratch, tables }
    }

    /// What would be free without the files in these two folders, which are among the working files
    /// and among the tables.
    pub(super) fn without_files_in(self, kept: &Path, run: &Path) -> FreeSpace {
        let [kept, run] = [kept, run].map(bytes_in);
        let [of_scratch, of_tables] =
            if self.is_one_disk() { [kept + run; 2] } else { [kept, run] };
        FreeSpace {
            scratch: self.scratch.map(|free| free.saturating_add(of_scratch)),
            tables: self.tables.map(|free| free.saturating_add(of_tables)),
        }
    }

    /// An error if a run from its beginning needs more.
    pub(super) fn refuse_less(
        &self,
        request: &Request,
        estimate: &Estimate,
    ) -> Result<(), TabulateError> {
        let refuse = |folder: &Path, needed: u64, free: Option<u64>| match free {
            Some(available) if available < needed => {
                Err(TabulateError::Disk { folder: folder.to_owned(), needed, available })
            }
            _ => Ok(()),
        };
        // Tables are put together from pieces, so at the end they exist twice. By then the working
        // files are gone. Those of cut-off games are smaller, and made one cut after the other.
        let twice = 2 * estimate.tables + estimate.cut_tables;
        refuse(&request.scratch, estimate.scratch, self.scratch)?;
        refuse(&request.tables, twice, self.tables)?;
        if !self.is_one_disk() {
            return Ok(());
        }
        let all = estimate.scratch + estimate.tables + estimate.cut_tables;
        refuse(&request.tables, twice.max(all), self.tables)
    }

    fn is_one_disk(&self) -> bool {
        self.scratch == self.tables
    }
}

/// Bytes of the files in a folder; 0 if there is none.
fn bytes_in(folder: &Path) -> u64 {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum()
}
