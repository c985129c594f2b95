//! How soon every position is over: the same run once more for each ply after which games can
//! be [cut off](crate::sweep::End), each with a folder of tables of its own, and tables of scores
//! made from all of them.
//!
//! ```text
//!     tables of the board
//!         cut-08      who wins by ply 7 and 8
//!         cut-10      by ply 9 and 10
//!         …
//!         scores      who wins, and with which ply
//! ```
//!
//! Each of these runs is killed, resumed and joined like any other. When the scores of all tiers
//! are there, the tables of games that are cut off are removed.

use std::sync::Arc;

use crate::board::{Tier, TierRange};
use crate::disk::Disk;
use crate::index::Census;
use crate::plies;
use crate::sweep::{Extent, Scope};
use crate::table::cut_folder;

use super::admission::refuse_what_does_not_fit;
use super::error::TabulateError;
use super::estimate::Estimate;
use super::names::cut_scratch;
use super::request::{Listener, Request, Tabulated};
use super::score_tables::ScoreTables;
use super::session::{Session, remove_folders};
use super::share::Share;
use super::tabulating::Work;

/// Solves the tiers of a board, and then how soon their positions are over. The results are the
/// tables of the board, and tables of scores in a folder inside theirs.
pub fn tabulate_scores(
    request: &Request,
    listener: &dyn Listener,
) -> Result<Tabulated, TabulateError> {
    tabulate_scores_on(&Disk::default(), request, listener)
}

/// The same with tables of scores on this disk.
pub(super) fn tabulate_scores_on(
    disk: &Disk,
    request: &Request,
    listener: &dyn Listener,
) -> Result<Tabulated, TabulateError> {
    let tiers = request.tiers.within(request.board)?;
    if request.scope == Scope::EveryCell {
        let (board, ply) = (request.board, request.board.last_tier());
        return Err(TabulateError::Cut { board, ply, every_cell: true });
    }
    let census = Arc::new(Census::new(request.board)?);
    let AllRuns { estimate, cuts, work } =
        all_runs(request, &Extent::new(&census, request.scope), tiers)?;
    let shares = Share::split(listener, &work);
    let [whole, of_cuts @ .., of_scores] = &shares[..] else {
        unreachable!("the work of one run, and of the tables of scores")
    };
    let scores = ScoreTables::new(disk, request, &census);
    let is_complete = scores.are_made(tiers)?;
    let is_missing = !scores.missing(tiers)?.is_empty();
    if is_missing {
        // Most of it may exist already.
        refuse_what_does_not_fit(request, &estimate, request.tables.exists())?;
    }
    let plain = Disk::default();
    let outcomes = Work::new(&plain, request, None, whole)?;
    let found = outcomes.found()?;
    if let Some(tabulated) = found.clone().filter(|_| is_complete) {
        remove_folders(&plain, request);
        return Ok(tabulated);
    }
    if is_missing {
        listener.intends(&estimate, 1 + cuts.len());
    }
    let turn_to = |run| listener.turns_to(run, 1 + cuts.len());
    turn_to(1);
    if found.is_some() {
        whole.finds(1, 1);
    }
    let mut session = Session::enter(&plain, request, tiers, listener)?;
    let tabulated = outcomes.done_in(&mut session)?;
    whole.finish();
    {
        let _shared = scores.share()?;
        // Others may have done it all, and removed the tables of cut-off games.
        if !scores.missing(tiers)?.is_empty() {
            for (number, (cut, share)) in (2..).zip(cuts.iter().zip(of_cuts)) {
                turn_to(number);
                tabulate_within(cut, share)?;
            }
        }
    }
    turn_to(2 + cuts.len());
    scores.make(tiers, of_scores)?;
    of_scores.finish();
    Ok(tabulated)
}

/// Makes the tables of a cut, in a session of the whole.
fn tabulate_within(cut: &Request, listener: &Share) -> Result<(), TabulateError> {
    let plain = Disk::default();
    let work = Work::new(&plain, cut, None, listener)?;
    if work.found()?.is_none() {
        let mut session = Session::enter_within(&plain, cut, work.tiers, listener)?;
        work.done_in(&mut session)?;
    } else {
        listener.finds(1, 1);
    }
    listener.finish();
    Ok(())
}

/// The approximate cost of that from the beginning.
pub fn estimate_scores(request: &Request) -> Result<Estimate, TabulateError> {
    let tiers = request.tiers.within(request.board)?;
    let census = Arc::new(Census::new(request.board)?);
    Ok(all_runs(request, &Extent::new(&census, request.scope), tiers)?.estimate)
}

/// All that leads to scores.
struct AllRuns {
    estimate: Estimate,
    cuts: Vec<Request>,
    /// The work of each run, that over the whole games first, and of the tables of scores.
    work: Vec<u64>,
}

fn all_runs(
    request: &Request,
    extent: &Extent,
    tiers: TierRange,
) -> Result<AllRuns, TabulateError> {
    let cuts = plies::cuts(request.board, tiers.first()).map(|ply| cut_off(request, tiers, ply));
    let cuts: Vec<Request> = cuts.collect();
    let mut estimate = request.estimate(extent, tiers)?;
    let of_run = |run: &Estimate| run.work().iter().sum();
    let mut work = vec![of_run(&estimate)];
    for cut in &cuts {
        let cut = cut.estimate(extent, cut.tiers)?;
        work.push(of_run(&cut));
        estimate = estimate.and_then(cut.of_passing_tables());
    }
    let scores = Estimate::of_scores(extent.sizes(), tiers, request.score_horizon());
    work.push(of_run(&scores));
    Ok(AllRuns { estimate: estimate.and_then(scores), cuts, work })
}

/// The run over those of these tiers that come before a cut.
fn cut_off(request: &Request, tiers: TierRange, ply: Tier) -> Request {
    let last = tiers.last().min(Tier(ply.0 - 1));
    Request {
        tiers: TierRange::new(tiers.first(), last).expect("a cut that comes after the first"),
        tables: cut_folder(&request.tables, ply),
        scratch: cut_scratch(&request.scratch, ply),
        cut: Some(ply),
        ..request.clone()
    }
}
