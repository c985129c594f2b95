//! Planned runs with tiny batches: parts stop at any time, and work at once without seeing each
//! other's claims.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::files::Disk;

use super::super::parts::{begin_plan_of, tabulate_part_of, tabulate_planned_of};
use super::super::{Planned, Request, TabulateError};
use super::{full_after, home, is, job, tables, tables_of};

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

fn is_tidy(request: &Request) -> bool {
    let kept = request.scratch.join(request.board.to_string());
    !request.tables.join("run").exists() && !kept.exists()
}

#[test]
fn parts_that_stop_at_any_time_go_on_to_the_same_tables() {
    for board in ["5x3", "4x3"] {
        let (expected, mut stops) = (tables_of(board), 0);
        for room in (0..).step_by(23) {
            let (_folder, request) = home(board);
            let stopped = solve_planned(&full_after(room), &request);
            if stopped.is_err() {
                stops += 1;
                solve_planned(&Disk::default(), &request).unwrap();
            }
            assert!(tables(&request.tables) == expected, "{board} with room for {room}");
            assert!(is_tidy(&request));
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
    let expected = tables_of("5x3");
    for _ in 0..3 {
        let (_folder, request) = home("5x3");
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
                    let files = fs::read_dir(request.tables.join("run")).into_iter().flatten();
                    let files = files.flatten().map(|file| file.path());
                    files
                        .filter(|file| is(file, "claim"))
                        .for_each(|file| _ = fs::remove_file(file));
                }
            });
            let both = [scope.spawn(all_parts), scope.spawn(all_parts)];
            let done = both.map(|thread| thread.join());
            is_over.store(true, Ordering::Relaxed);
            assert!(done.iter().all(Result::is_ok));
        });
        tabulate_planned_of(&job(&disk, &request, &())).unwrap();
        assert!(tables(&request.tables) == expected);
        assert!(is_tidy(&request));
    }
}
