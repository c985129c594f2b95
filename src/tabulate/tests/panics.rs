//! A panic in one thread ends a run. No thread waits for one that is gone.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::files::{Change, Disk};

use super::{home, solve};

/// The thread that panics, at the first file that fits.
#[derive(Clone, Copy, Debug)]
enum Who {
    /// Whoever solves begins the piece of a batch.
    Solver,
    /// Whoever publishes gives a piece its name.
    Publisher,
}

fn panics(who: Who, has_come: Arc<AtomicBool>) -> Disk {
    Disk::watched(move |change| {
        let file = match (who, change) {
            (Who::Solver, Change::Create(file)) => file,
            (Who::Publisher, Change::Rename { from, .. }) => from,
            _ => return Ok(()),
        };
        if file.to_string_lossy().contains(".piece") {
            has_come.store(true, Ordering::Relaxed);
            panic!("as the test wants it");
        }
        Ok(())
    })
}

#[test]
fn a_panic_of_any_thread_ends_the_run() {
    for who in [Who::Solver, Who::Publisher] {
        let (_folder, request) = home("4x3");
        let has_come = Arc::new(AtomicBool::new(false));
        let disk = panics(who, has_come.clone());
        let (ended, end) = mpsc::channel();
        let other = request.clone();
        thread::spawn(move || {
            let end = catch_unwind(AssertUnwindSafe(|| solve(&disk, &other).is_ok()));
            ended.send(end.is_err()).unwrap();
        });
        let end = end.recv_timeout(Duration::from_secs(60));
        assert_eq!(end, Ok(true), "after a panic of the {who:?}");
        assert!(has_come.load(Ordering::Relaxed));
        solve(&Disk::default(), &request).unwrap();
    }
}
