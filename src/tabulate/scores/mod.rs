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

mod score_tables;

use crate::board::{Tier, TierRange};
use crate::count::TierCount;
use crate::files::Disk;
use crate::plies;
use crate::solve::TierSolution;
use crate::sweep::{Planes, Scope};
use crate::table::cut_folder;

use super::error::TabulateError;
use super::estimate::Estimate;
use super::folders::{Session, remove_folders};
use super::job::Job;
use super::listener::Share;
use super::names::cut_scratch;
use super::preflight::refuse_what_does_not_fit;
use super::request::{Request, Tabulated, Wanted};
use super::steps::{complete, existing, preflight};
use score_tables::ScoreTables;

/// Solves the tiers of a job, and then how soon their positions are over. The results are the
/// tables of the board, and tables of scores, on this disk, in a folder inside theirs.
pub(super) fn tabulate_scores(disk: &Disk, all: &Job) -> Result<Tabulated, TabulateError> {
    let Job { request, listener, tiers, .. } = *all;
    let AllRuns { estimate, cuts, work } = AllRuns::of(all)?;
    let shares = Share::split(listener, None, &work);
    let [whole, of_cuts @ .., of_scores] = &shares[..] else {
        unreachable!("the work of one run, and of the tables of scores")
    };
    let scores = ScoreTables::new(disk, all);
    let is_complete = scores.are_made(tiers)?;
    let is_missing = !scores.missing(tiers)?.is_empty();
    if is_missing {
        // Most of it may exist already.
        refuse_what_does_not_fit(all, &estimate, request.tables.exists())?;
    }
    let outcomes = all.for_request(Planes::Both, request, Some(whole))?;
    let found = existing(&outcomes)?;
    match &found {
        None => preflight(&outcomes, None)?,
        Some(tabulated) if is_complete => {
            remove_folders(&outcomes);
            return Ok(tabulated.clone());
        }
        Some(_) => {}
    }
    if is_missing {
        listener.intends(&estimate, 1 + cuts.len());
    }
    let turn_to = |run| listener.turns_to(run, 1 + cuts.len());
    turn_to(1);
    if found.is_some() {
        whole.finds(1, 1);
    }
    let mut session = Session::enter(&outcomes)?;
    let tabulated = complete(&outcomes, &mut session)?;
    whole.finish();
    let counts: Vec<TierCount> = tabulated.tiers.iter().map(TierSolution::count).collect();
    {
        let _shared = scores.share()?;
        // Other processes may have made all scores, and removed the tables of cut-off games.
        if !scores.missing(tiers)?.is_empty() {
            for (number, (cut, share)) in (2..).zip(cuts.iter().zip(of_cuts)) {
                turn_to(number);
                let cut = all.for_request(Planes::Both, cut, Some(share))?.with_counts(&counts);
                if existing(&cut)?.is_none() {
                    preflight(&cut, None)?;
                    complete(&cut, &mut Session::enter_within(&cut)?)?;
                } else {
                    share.finds(1, 1);
                }
                share.finish();
            }
        }
    }
    turn_to(2 + cuts.len());
    scores.make(tiers, of_scores)?;
    of_scores.finish();
    Ok(tabulated)
}

/// The approximate cost of that from the beginning.
pub(super) fn estimate_scores(job: &Job) -> Result<Estimate, TabulateError> {
    Ok(AllRuns::of(job)?.estimate)
}

/// All runs that lead to scores, and their cost.
struct AllRuns {
    estimate: Estimate,
    cuts: Vec<Request>,
    /// The work of each run, that over the whole games first, and of the tables of scores.
    work: Vec<u64>,
}

impl AllRuns {
    fn of(job: &Job) -> Result<AllRuns, TabulateError> {
        let (request, tiers) = (job.request, job.tiers);
        if request.cut.is_some() || request.scope == Scope::EveryCell {
            let ply = request.cut.unwrap_or(request.board.last_tier());
            let every_cell = request.cut.is_none();
            return Err(TabulateError::Cut { board: request.board, ply, every_cell });
        }
        let cuts = plies::cuts(request.board, tiers.first());
        let cuts: Vec<Request> = cuts.map(|ply| cut_off(request, tiers, ply)).collect();
        let mut estimate = job.estimate(tiers)?;
        let of_run = |run: &Estimate| run.work().iter().sum();
        let mut work = vec![of_run(&estimate)];
        for cut in &cuts {
            let cut = job.for_request(Planes::Both, cut, None)?.estimate(cut.tiers)?;
            work.push(of_run(&cut));
            estimate = estimate.and_then(cut.of_passing_tables());
        }
        let scores = Estimate::of_scores(job.extent().sizes(), tiers, request.score_horizon());
        work.push(of_run(&scores));
        Ok(AllRuns { estimate: estimate.and_then(scores), cuts, work })
    }
}

/// The run for a cut, over the tiers before it.
fn cut_off(request: &Request, tiers: TierRange, ply: Tier) -> Request {
    let last = tiers.last().min(Tier(ply.0 - 1));
    Request {
        tiers: TierRange::new(tiers.first(), last).expect("a cut that comes after the first"),
        tables: cut_folder(&request.tables, ply),
        scratch: cut_scratch(&request.scratch, ply),
        cut: Some(ply),
        wanted: Wanted::Outcomes,
        ..request.clone()
    }
}

#[cfg(test)]
mod tests {
    use crate::board::Board;

    use super::super::estimate::Budget;
    use super::*;

    #[test]
    fn all_runs_that_lead_to_scores_take_memory_alike() {
        let one_in = |request: &Request| match request.budget() {
            Budget::UsefulOf { one_in, .. } => Some(one_in),
            Budget::AllOf(_) => None,
        };
        let outcomes = Request::new(Board::STANDARD, "tables");
        let scores = outcomes.clone().with_scores();
        assert!(one_in(&scores) > one_in(&outcomes));
        let given = Request { memory: Some(1 << 30), ..scores.clone() };
        for ply in plies::cuts(scores.board, scores.tiers.first()) {
            let cut = |request: &Request| cut_off(request, request.tiers, ply);
            assert_eq!(one_in(&cut(&scores)), one_in(&scores), "{ply}");
            assert_eq!(cut(&given).budget(), Budget::AllOf(1 << 30), "{ply}");
        }
    }
}
