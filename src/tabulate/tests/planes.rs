//! Outcomes counted one plane at a time are those of both together.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::progress::Progress;
use crate::solve::TierSolution;

use super::super::estimate;
use super::super::planes::{is_one_run, tabulate_counts};
use super::*;

/// Stops the work when it has been asked this often whether to.
#[derive(Default)]
struct StopAfter(AtomicUsize);

impl Progress for StopAfter {
    fn advance(&self, _done: u64, _total: u64) {}
}

impl Listener for StopAfter {
    fn is_stopped(&self) -> bool {
        let left = |left: usize| left.checked_sub(1);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left).is_err()
    }
}

/// The outcomes by tier.
fn counts(request: &Request, listener: &dyn Listener) -> Result<Vec<[u64; 4]>, TabulateError> {
    let tabulated = tabulate_counts(&job(&Disk::default(), request, listener))?;
    let of_tier = |tier: &TierSolution| {
        [tier.outcomes.won, tier.outcomes.drawn, tier.outcomes.lost, tier.terminal]
    };
    Ok(tabulated.tiers.iter().map(of_tier).collect())
}

/// A request for counts that may use this many bytes of memory.
fn with_memory(board: &str, folder: &Path, bytes: u64) -> Request {
    Request { memory: Some(bytes), ..request(board, folder) }.without_tables()
}

/// The same of a run that has been begun one plane at a time.
fn plane_by_plane(board: &str, folder: &Path) -> Request {
    let request = with_memory(board, folder, 1 << 40);
    fs::create_dir_all(request.tables.join("wins")).unwrap();
    request
}

#[test]
fn outcomes_counted_plane_by_plane_are_those_of_both() {
    for board in ["4x4", "5x4", "4x5", "6x3", "7x3"] {
        let (both, each) = (folder(), folder());
        let expected = counts(&with_memory(board, both.path(), 1 << 40), &()).unwrap();
        assert!(expected.iter().any(|[_, drawn, ..]| *drawn > 0));
        let request = plane_by_plane(board, each.path());
        assert_eq!(counts(&request, &()).unwrap(), expected, "{board}");
        let names = |of: &str| each.path().join("scratch").join(of).exists();
        let [of_both, of_wins, of_holds] = ["", "/wins", "/holds"]
            .map(|plane| names(&format!("{board}-counts{plane}/manifest.json")));
        assert!(!of_both && of_wins && of_holds, "{board} was solved one plane at a time");
        assert_eq!(fs::read_dir(each.path().join("scratch")).unwrap().count(), 1);
        // What has been counted is not counted again.
        let stop = StopAfter::default();
        assert_eq!(counts(&request, &stop).unwrap(), expected);
    }
}

#[test]
fn counting_plane_by_plane_goes_on_where_it_was_stopped() {
    let (both, each) = (folder(), folder());
    let expected = counts(&with_memory("5x4", both.path(), 1 << 40), &()).unwrap();
    let request = plane_by_plane("5x4", each.path());
    let mut stops = 0;
    let found = loop {
        match counts(&request, &StopAfter(AtomicUsize::new(3 + stops))) {
            Err(TabulateError::Stopped) => stops += 1,
            found => break found.unwrap(),
        }
        assert!(stops < 10_000, "every try does some of the work");
    };
    assert!(stops > 2, "it was stopped {stops} times");
    assert_eq!(found, expected);
}

#[test]
fn a_run_over_both_planes_that_was_begun_is_not_begun_again() {
    let folder = folder();
    let request = with_memory("5x4", folder.path(), 1 << 40);
    let stopped = counts(&request, &StopAfter(AtomicUsize::new(8)));
    assert!(matches!(stopped, Err(TabulateError::Stopped)), "{stopped:?}");
    let less = Request { memory: Some(1), ..request.clone() };
    assert!(matches!(counts(&less, &()), Err(TabulateError::Memory { .. })));
    assert_eq!(counts(&request, &()).unwrap().len(), 21);
}

#[test]
fn what_does_not_fit_whole_is_counted_plane_by_plane() {
    let folder = folder();
    let cost = |bytes| estimate(&with_memory("7x6", folder.path(), bytes)).unwrap();
    let (whole, least) = (cost(1 << 40), cost(1));
    let both = |bytes| {
        let (disk, request) = (Disk::default(), with_memory("7x6", folder.path(), bytes));
        is_one_run(&Job::new(&disk, &request, &()).unwrap()).unwrap()
    };
    assert!(!both(1) && !both(least.memory), "one run for each plane takes less memory");
    assert!(both(4 * least.memory));
    assert!(least.scratch < whole.scratch * 6 / 10, "{least:?}");
    assert_eq!(least.cells, whole.cells);
}
