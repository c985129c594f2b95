//! What a listener hears of a run, or of many: one job, from 0 to the end.

use std::fs;
use std::sync::Mutex;

use crate::progress::Progress;
use crate::table::{score_folder, table_file};

use super::super::planes::tabulate_counts;
use super::super::steps::tabulate_job;
use super::super::{Listener, tabulate};
use super::scores::request_of_scores;
use super::{Disk, folder, full_after, home, job, taking_room, watched};

/// Everything that a listener hears about progress.
#[derive(Default)]
struct Heard {
    advances: Mutex<Vec<(u64, u64)>>,
    found: Mutex<u64>,
    runs: Mutex<Vec<(usize, usize)>>,
    /// Bytes that wait in memory and in files.
    waiting: Mutex<u64>,
}

impl Progress for Heard {
    fn advance(&self, done: u64, total: u64) {
        self.advances.lock().unwrap().push((done, total));
    }
}

impl Listener for Heard {
    fn turns_to(&self, run: usize, runs: usize) {
        self.runs.lock().unwrap().push((run, runs));
        assert_eq!(*self.waiting.lock().unwrap(), 0, "before run {run}");
    }

    fn keeps(&self, memory: u64, files: u64) {
        *self.waiting.lock().unwrap() = memory + files;
    }

    fn finds(&self, done: u64, _total: u64) {
        *self.found.lock().unwrap() += done;
    }
}

impl Heard {
    /// Checks that this was one job from 0 to the end. Returns the work that was found, and all.
    fn checked_as_one_job(self) -> (u64, u64) {
        let advances = self.advances.into_inner().unwrap();
        let all = advances[0].1;
        assert!(advances.iter().all(|(done, total)| *total == all && done <= total));
        assert_eq!(advances.last().unwrap().0, all);
        // Threads report side by side, so one report may overtake another, but not by much.
        let mut most = 0;
        for (done, _) in &advances {
            assert!(done + all / 4 >= most, "{done} after {most} of {all}");
            most = most.max(*done);
        }
        (self.found.into_inner().unwrap(), all)
    }
}

#[test]
fn scores_are_one_job_of_many_runs() {
    let folder = folder();
    let request = request_of_scores("5x3", folder.path());
    let heard = Heard::default();
    tabulate(&request, &heard).unwrap();
    let runs = heard.runs.lock().unwrap().clone();
    // Cut off after plies 8, 10, 12 and 14; the last one stands for the tables of scores.
    assert_eq!(runs, (1..=6).map(|run| (run, 5)).collect::<Vec<_>>());
    let (found, _) = heard.checked_as_one_job();
    assert_eq!(found, 0, "nothing existed before");

    // The tables of outcomes are there; those of cut-off games have been removed.
    fs::remove_file(table_file(&score_folder(&request.tables), crate::board::Tier(0))).unwrap();
    let heard = Heard::default();
    tabulate(&request, &heard).unwrap();
    let (found, all) = heard.checked_as_one_job();
    assert!(found > 0 && found < all / 2, "{found} of {all}");
}

#[test]
fn planes_are_one_job_of_two_runs() {
    let (_folder, request) = home("5x4");
    let request = request.without_tables();
    fs::create_dir_all(request.tables.join("wins")).unwrap();
    let heard = Heard::default();
    tabulate_counts(&job(&Disk::default(), &request, &heard)).unwrap();
    assert_eq!(*heard.runs.lock().unwrap(), [(1, 2), (2, 2)]);
    let advances = heard.advances.lock().unwrap().clone();
    assert!(advances.iter().any(|(done, all)| 0 < *done && *done < all / 2), "{advances:?}");
    let (found, all) = heard.checked_as_one_job();
    assert_eq!(found, 0);

    let heard = Heard::default();
    tabulate_counts(&job(&Disk::default(), &request, &heard)).unwrap();
    assert_eq!(heard.checked_as_one_job(), (all / 2 * 2, all));
}

#[test]
fn work_of_an_earlier_process_is_found_and_not_done() {
    let (_folder, request) = home("5x4");
    let heard = Heard::default();
    tabulate_job(&job(&Disk::default(), &request, &heard)).unwrap();
    let (found, all) = heard.checked_as_one_job();
    assert!(found == 0 && all > 0);
    // Tables are part of the work: it is not at its end when the last batch is solved.
    let (_folder, request) = home("5x4");
    let (made, _) = watched(&home("5x4").1);
    let disk = full_after(taking_room(&made) / 2);
    tabulate_job(&job(&disk, &request, &())).unwrap_err();
    let heard = Heard::default();
    tabulate_job(&job(&Disk::default(), &request, &heard)).unwrap();
    let first = heard.advances.lock().unwrap()[0].0;
    let (found, all) = heard.checked_as_one_job();
    assert!(0 < found && found == first && found < all, "{found}, {first}, {all}");
}
