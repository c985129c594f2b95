//! Sweeps: what goes through all tiers of a board, and what they start from. They solve the centres
//! of a batch one by one on all threads, or side by side.
//!
//! ```text
//!     memory      solves all centres in memory
//!     folder      solves batches of centres, which hand on files to each other
//!     centre      solves a centre, from its last tier to its first
//!     start       where games end, or an earlier sweep has stopped; what all centres share
//! ```

mod centre;
mod folder;
mod memory;
mod start;

pub use folder::FolderSweep;
pub use memory::{MemorySweep, Outcomes};
pub use start::{End, Start, StartTier};

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::index::{Census, CentreId};

use crate::sweep::handoff::Destinations;
use crate::sweep::tile::Observer;
use crate::sweep::work::{CentreBatch, TierWork, run_tasks};

use centre::solve_centre;
use start::{Shared, Sharing, Sources};

/// Centres per thread that are solved side by side before the observer may write what waits.
const WAITING: usize = 16;

/// Solves a batch. Centres of one column are solved in order, one by one on all threads, and so
/// are large ones of two; runs of others are solved side by side. Returns the work done per
/// tier of the board.
fn solve_batch<O: Observer>(
    shared: &Shared,
    batch: &CentreBatch,
    before: &Sources,
    destinations: &Destinations,
    observer: &O,
) -> Result<Vec<TierWork>, O::Error> {
    let start = Instant::now();
    let sum = Mutex::new(vec![TierWork::default(); shared.census().board().cells() + 1]);
    let solve = |centre: CentreId, sharing| {
        let work = solve_centre(shared, centre, sharing, before, destinations, observer)?;
        let mut sum = sum.lock().expect("no thread has panicked");
        sum.iter_mut().zip(work).for_each(|(sum, work)| *sum = sum.plus(work));
        Ok::<_, O::Error>(())
    };
    let in_order = shared.census().split().centre_width() == 1;
    let is_small = |centre: &CentreId| !in_order && !shared.extent.sizes().is_large(*centre);
    for run in batch.centres.chunk_by(|a, b| is_small(a) && is_small(b)) {
        if let [centre] = run {
            // On a thread of the pool, so that it need not be woken for each tier.
            rayon::scope(|_| solve(*centre, Sharing::Alone))?;
            continue;
        }
        shared.free_tiers(destinations.batch());
        let (solved, waiting) = (AtomicUsize::new(0), WAITING * rayon::current_num_threads());
        run_tasks(&needs_within(shared.census(), run), |number, is_alone| {
            solve(run[number], if is_alone { Sharing::Alone } else { Sharing::SideBySide })?;
            let solved = solved.fetch_add(1, Ordering::Relaxed) + 1;
            if solved.is_multiple_of(waiting) { observer.flush() } else { Ok(()) }
        })?;
        observer.flush()?;
    }
    let mut sum = sum.into_inner().expect("no thread has panicked");
    // Centres that are solved side by side share the time that passes.
    let seconds: f64 = sum.iter().map(|work| work.seconds).sum();
    let share = (start.elapsed().as_secs_f64() / seconds).min(1.0);
    sum.iter_mut().for_each(|work| work.seconds *= share);
    Ok(sum)
}

/// For each of these centres, those before it that it needs.
fn needs_within(census: &Census, run: &[CentreId]) -> Vec<Vec<usize>> {
    let number: HashMap<CentreId, usize> = run.iter().copied().zip(0..).collect();
    let needs = |centre: &CentreId| {
        let next = census.next_centres(*centre);
        let needs = next.filter_map(|next| number.get(&next).copied());
        let mut needs: Vec<usize> = needs.collect();
        needs.sort_unstable();
        needs.dedup();
        needs
    };
    run.iter().map(needs).collect()
}
