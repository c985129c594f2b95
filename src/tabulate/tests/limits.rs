//! Disks that are full, and disks that are slow.

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use crate::files::{Change, Disk, Watcher};
use crate::index::Index;
use crate::sweep::{Extent, Scope};
use crate::table::{Fault, Manifest};

use super::super::estimate::{Budget, MemoryPlan};
use super::super::job::Job;
use super::super::request::Request;
use super::super::steps::tabulate_job;
use super::{Full, folder, request, solve, tables, taking_room, watched};

#[test]
fn a_manifest_that_does_not_fit_is_told() {
    let (folder, full) = (folder(), Disk::watched(Arc::new(Full(Mutex::new(0)))));
    let manifest = Manifest::new("3x3".parse().unwrap(), 0.0, Vec::new());
    let error = manifest.write_on(&full, folder.path()).unwrap_err();
    assert!(matches!(error.fault, Fault::DiskFull), "{error}");
}

#[test]
fn a_disk_that_was_full_is_told_and_the_run_goes_on_when_it_is_not() {
    let folder = folder();
    let (made, expected) = watched(&request("5x3", folder.path()), folder.path());
    for tenth in 0..10 {
        let folder = self::folder();
        let request = request("5x3", folder.path());
        let room = taking_room(&made) * tenth / 10;
        let full = Disk::watched(Arc::new(Full(Mutex::new(room))));
        let error = solve(&full, &request).unwrap_err().to_string();
        assert!(error.contains("the disk is full"), "{error}");
        solve(&Disk::default(), &request).unwrap();
        assert!(tables(folder.path()) == expected, "full after {tenth} tenths");
    }
}

/// Counts the bytes of what batches hand on, and takes its time to sync.
#[derive(Debug, Default)]
struct Slow {
    bytes: Mutex<HashMap<PathBuf, u64>>,
    most: Mutex<u64>,
}

impl Watcher for Slow {
    fn before(&self, change: Change) -> io::Result<()> {
        let mut bytes = self.bytes.lock().unwrap();
        match change {
            Change::Create(file) if file.to_string_lossy().contains(".kept") => {
                bytes.insert(file.into(), 0);
            }
            Change::Write { file, at, bytes: written } => {
                if let Some(length) = bytes.get_mut(file) {
                    *length = (*length).max(at + written.len() as u64);
                }
            }
            Change::Rename { from, to } => {
                if let Some(length) = bytes.remove(from) {
                    bytes.insert(to.into(), length);
                }
            }
            Change::Remove(file) => {
                bytes.remove(file);
            }
            Change::Sync(_) | Change::SyncFolder(_) => {
                drop(bytes);
                thread::sleep(Duration::from_millis(40));
                return Ok(());
            }
            Change::CreateFolder(_) | Change::Create(_) => {}
        }
        let mut most = self.most.lock().unwrap();
        *most = (*most).max(bytes.values().sum());
        Ok(())
    }
}

#[test]
fn working_files_take_no_more_than_was_said_however_slow_the_disk_is() {
    for board in ["6x4", "5x5"] {
        let folder = folder();
        let slow = Arc::new(Slow::default());
        let cells = 1 << 20;
        let disk = Disk::watched(slow.clone());
        let (board, whole) = (board, request(board, folder.path()));
        let index = Index::new(whole.board).unwrap();
        let extent = Extent::new(index.census(), Scope::InDoubt).with_batches_of(cells);
        // No more than solving takes, so nothing waits in memory.
        let plan =
            MemoryPlan::of(&extent, whole.tiers, whole.horizon(), Budget::UsefulOf(0), false);
        let request = Request { memory: Some(plan.bytes()), ..whole };
        let job = Job::with_batches_of(Some(cells), &disk, &request, &()).unwrap();
        tabulate_job(&job).unwrap();
        let said = job.estimate(request.tiers).unwrap().scratch;
        let most = *slow.most.lock().unwrap();
        assert!(0 < most && most <= said, "{board}: {most} bytes of files, not {said}");
    }
}
