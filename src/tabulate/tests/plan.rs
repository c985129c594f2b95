//! Planned runs with tiny batches: parts stop at any time, and work at once without seeing each
//! other's claims.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::files::Disk;

use super::super::plan::{begin_plan_of, tabulate_part_of, tabulate_planned_of};
use super::super::{Planned, Request, TabulateError};
use super::{Full, folder, job, request, solve, tables};

/// Parts that are asked for: there are fewer batches than that in most stages.
const PARTS: usize = 12;

fn plan(disk: &Disk, request: &Request) -> Result<Planned, TabulateError> {
    let planned = begin_plan_of(&job(disk, request, &()), Some(PARTS))?;
    Ok(planned.expect("something remains to be done"))
}

fn solve_part(disk: &Disk, request: &Request, part: usize) -> Result<(), TabulateError> {
    tabulate_part_of(&job(disk, request, &()), part).map(|_| ())
}

/// All parts, and then the tables.
fn solve_planned(disk: &Disk, request: &Request) -> Result<(), TabulateError> {
    let parts = plan(disk, request)?.plan.parts().len();
    (1..=parts).try_for_each(|part| solve_part(disk, request, part))?;
    tabulate_planned_of(&job(disk, request, &())).map(|_| ())
}

fn is_tidy(folder: &Path) -> bool {
    !folder.join("tables/run").exists() && !folder.join("scratch/5x3").exists()
}

#[test]
fn parts_that_stop_at_any_time_go_on_to_the_same_tables() {
    for board in ["5x3", "4x3"] {
        let home = folder();
        solve(&Disk::default(), &request(board, home.path())).unwrap();
        let expected = tables(home.path());
        let mut stops = 0;
        for room in (0..).step_by(23) {
            let home = folder();
            let request = request(board, home.path());
            let full = Disk::watched(Arc::new(Full(Mutex::new(room))));
            let stopped = solve_planned(&full, &request);
            if stopped.is_err() {
                stops += 1;
                solve_planned(&Disk::default(), &request).unwrap();
            }
            assert!(tables(home.path()) == expected, "{board} with room for {room}");
            assert!(is_tidy(home.path()));
            if stopped.is_ok() {
                break;
            }
        }
        assert!(stops > 5, "{stops} stops on {board}");
    }
}

/// As on a file system that shows the locks of one machine to no other: claims are removed as soon
/// as they are made, so that the same part is solved twice at once.
#[test]
fn parts_that_do_not_see_each_other_make_the_same_tables() {
    let home = folder();
    solve(&Disk::default(), &request("5x3", home.path())).unwrap();
    let expected = tables(home.path());
    for _ in 0..3 {
        let home = folder();
        let request = request("5x3", home.path());
        let disk = Disk::default();
        let parts = plan(&disk, &request).unwrap().plan.parts().len();
        let is_over = AtomicBool::new(false);
        // What one has removed as unfinished, the other does again.
        let all_parts = || {
            for part in 1..=parts {
                let tries = (0..100).find(|_| solve_part(&disk, &request, part).is_ok());
                assert!(tries.is_some(), "part {part} fails again and again");
            }
        };
        thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    let files = fs::read_dir(home.path().join("tables/run")).into_iter().flatten();
                    let files = files.flatten().map(|file| file.path());
                    let claims =
                        files.filter(|file| file.extension().is_some_and(|e| e == "claim"));
                    claims.for_each(|claim| _ = fs::remove_file(claim));
                }
            });
            let both = [scope.spawn(all_parts), scope.spawn(all_parts)];
            let done = both.map(|thread| thread.join());
            is_over.store(true, Ordering::Relaxed);
            assert!(done.iter().all(Result::is_ok));
        });
        tabulate_planned_of(&job(&disk, &request, &())).unwrap();
        assert!(tables(home.path()) == expected);
        assert!(is_tidy(home.path()));
    }
}
