//! Disks that are full, and disks that are slow.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use crate::files::{Change, Disk};
use crate::index::Index;
use crate::sweep::{Extent, Scope};

use super::super::error::TabulateError;
use super::super::estimate::{Budget, Handoffs, MemoryPlan};
use super::super::job::Job;
use super::super::preflight::refuse_what_does_not_fit;
use super::super::request::Request;
use super::super::steps::tabulate_job;
use super::{full_after, home, solve, tables, tables_of, taking_room, watched};

#[test]
fn a_disk_that_was_full_is_told_and_the_run_goes_on_when_it_is_not() {
    let (made, expected) = watched(&home("5x3").1);
    for tenth in 0..10 {
        let (_folder, request) = home("5x3");
        let full = full_after(taking_room(&made) * tenth / 10);
        let error = solve(&full, &request).unwrap_err().to_string();
        assert!(error.contains("the disk is full"), "{error}");
        solve(&Disk::default(), &request).unwrap();
        assert!(tables(&request.tables) == expected, "full after {tenth} tenths");
    }
}

/// A disk that takes its time to sync. The most bytes of what batches hand on are counted.
fn slow(most: Arc<AtomicU64>) -> Disk {
    let bytes: Mutex<HashMap<PathBuf, u64>> = Mutex::default();
    Disk::watched(move |change| {
        let mut bytes = bytes.lock().unwrap();
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
        most.fetch_max(bytes.values().sum(), Ordering::Relaxed);
        Ok(())
    })
}

/// No more memory than solving takes, so nothing waits in it.
fn with_least_memory(request: Request, extent: &Extent) -> Request {
    let (horizon, budget) = (request.horizon(), Budget::AllOf(0));
    let plan = MemoryPlan::of(extent, request.tiers, horizon, budget, Handoffs::InFiles);
    Request { memory: Some(plan.bytes()), ..request }
}

#[test]
fn working_files_take_no_more_than_was_said_however_slow_the_disk_is() {
    for board in ["6x4", "5x5"] {
        let (_folder, whole) = home(board);
        let most = Arc::new(AtomicU64::new(0));
        let (cells, disk) = (1 << 20, slow(most.clone()));
        let index = Index::new(whole.board).unwrap();
        let extent = Extent::new(index.census(), Scope::InDoubt).with_batches_of(cells);
        let request = with_least_memory(whole, &extent);
        let job = Job::with_batches_of(Some(cells), &disk, &request, &()).unwrap();
        tabulate_job(&job).unwrap();
        let said = job.estimate(request.tiers).unwrap().scratch;
        let most = most.load(Ordering::Relaxed);
        assert!(0 < most && most <= said, "{board}: {most} bytes of files, not {said}");
    }
}

/// A disk with room for small files only is enough, and one with less is refused.
#[test]
fn working_files_are_as_large_as_the_disk_allows() {
    let (_folder, whole) = home("7x5");
    let index = Index::new(whole.board).unwrap();
    let request = with_least_memory(whole, &Extent::new(index.census(), Scope::InDoubt));
    let estimate = |free: u64| {
        let disk = Disk::with_free_space(free);
        let job = Job::new(&disk, &request, &()).unwrap();
        let estimate = job.estimate(job.tiers).unwrap();
        (estimate, refuse_what_does_not_fit(&job, &estimate, false))
    };
    let [(large, _), (small, refused)] = [u64::MAX, 0].map(estimate);
    assert!(matches!(refused, Err(TabulateError::Disk { .. })), "{refused:?}");
    assert!(small.scratch < large.scratch / 10 * 9, "{small:?} {large:?}");
    assert!(small.seconds > large.seconds && small.memory <= large.memory, "{small:?} {large:?}");
    let [most, least] = [large, small].map(|of| (of.scratch + of.tables).max(2 * of.tables));
    for (free, expected, fits) in [
        (most, large, true),
        (most - 1, small, true),
        (least, small, true),
        (least - 1, small, false),
    ] {
        let (estimate, refused) = estimate(free);
        assert_eq!((estimate, refused.is_ok()), (expected, fits), "{free} bytes");
    }
}

/// Threads write blocks early here: see `recorder`.
#[test]
fn tables_do_not_tell_which_thread_wrote_first() {
    for board in ["5x4", "6x4"] {
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let expected = alone.install(|| tables_of(board));
        let threads = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        for _ in 0..3 {
            assert!(threads.install(|| tables_of(board)) == expected, "{board}");
        }
    }
}
