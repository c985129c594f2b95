//! The outcomes of a board as counts alone: in one run or, if memory or disk space is insufficient
//! for that, in two, each of which works on [one outcome plane](Planes) and needs half of both.
//!
//! ```text
//!     7x7-counts            a run over both planes
//!         wins              where the first player wins: draws count as losses of that player
//!         holds             where the first player does not lose: draws count as wins
//! ```
//!
//! Each run counts the one outcome it can tell from the others; what neither counts is a draw. Each
//! can be killed, resumed and joined like any other run, and a count continues in the way in which
//! it was begun.

use crate::board::{OutcomeCounts, Player};
use crate::solve::{Disagreement, TierSolution};
use crate::sweep::Planes;

use super::error::TabulateError;
use super::estimate::Estimate;
use super::job::Job;
use super::listener::Share;
use super::preflight::refuse_what_does_not_fit;
use super::request::{Request, Tabulated};
use super::steps::{existing, preflight, tabulate_job};

/// The planes, one at a time.
const EACH: [Planes; 2] = [Planes::Wins, Planes::Holds];

/// The approximate cost of counting the outcomes of a job, from the beginning.
pub(super) fn estimate_counts(job: &Job) -> Result<Estimate, TabulateError> {
    if is_one_run(job)? { job.estimate(job.tiers) } else { estimate_of_each(job) }
}

/// Counts the outcomes of a job.
pub(super) fn tabulate_counts(job: &Job) -> Result<Tabulated, TabulateError> {
    if is_one_run(job)? {
        return tabulate_job(job);
    }
    let cost = estimate_of_each(job)?;
    let shares = Share::split(job.listener, None, &EACH.map(|_| cost.work().iter().sum()));
    let requests = EACH.map(|planes| of_plane(job.request, planes));
    let jobs = EACH.iter().zip(requests.iter().zip(&shares));
    let jobs =
        jobs.map(|(planes, (request, share))| job.for_request(*planes, request, Some(share)));
    let jobs = jobs.collect::<Result<Vec<Job>, _>>()?;
    let there = jobs.iter().map(|job| Ok(existing(job)?.is_some()));
    let there = there.collect::<Result<Vec<bool>, TabulateError>>()?;
    if let Some((next, _)) = jobs.iter().zip(&there).find(|(_, is_there)| !**is_there) {
        preflight(next, None)?;
        job.listener.intends(&cost, jobs.len());
    }
    let mut found = Vec::new();
    for (number, (one, share)) in (1..).zip(jobs.iter().zip(&shares)) {
        job.listener.turns_to(number, jobs.len());
        if there[number - 1] {
            share.finds(1, 1);
        }
        found.push(tabulate_job(one)?);
        share.finish();
    }
    let [wins, holds] = &found[..] else { unreachable!("one for each plane") };
    together(job, wins, holds)
}

/// Whether one run works on both planes: it does if it was begun like that, or if it fits and the
/// planes have not been begun one at a time.
pub(super) fn is_one_run(job: &Job) -> Result<bool, TabulateError> {
    if EACH.iter().any(|planes| of_plane(job.request, *planes).tables.exists()) {
        return Ok(false);
    }
    let is_begun = job.request.tables.exists();
    Ok(is_begun || refuse_what_does_not_fit(job, &job.estimate(job.tiers)?, false).is_ok())
}

/// The request for one plane.
fn of_plane(request: &Request, planes: Planes) -> Request {
    Request { tables: request.tables.join(planes.to_string()), ..request.clone() }
}

/// The cost of one run for each plane.
fn estimate_of_each(job: &Job) -> Result<Estimate, TabulateError> {
    let request = of_plane(job.request, Planes::Wins);
    let one = job.for_request(Planes::Wins, &request, None)?;
    let one = one.estimate(one.tiers)?;
    Ok(Estimate { cells: one.cells, ..one.and_then(one) })
}

/// The outcomes, from those of the game in which draws are losses of the first player, and of the
/// game in which they are wins.
fn together(job: &Job, wins: &Tabulated, holds: &Tabulated) -> Result<Tabulated, TabulateError> {
    let tiers = wins.tiers.iter().zip(&holds.tiers);
    let tier = |(wins, holds): (&TierSolution, &TierSolution)| {
        let TierSolution { tier, terminal, .. } = *wins;
        let (of_won, of_lost) = match tier.mover() {
            Player::First => (wins, holds),
            Player::Second => (holds, wins),
        };
        let (won, lost) = (of_won.outcomes.won, of_lost.outcomes.lost);
        let [expected, of_holds] = [wins, holds].map(|all| all.outcomes.total());
        let decided = won.saturating_add(lost);
        let drawn = expected.checked_sub(decided).filter(|_| of_holds == expected);
        let board = job.request.board;
        let found = decided.max(of_holds);
        let drawn = drawn.ok_or(Disagreement { board, tier, expected, found })?;
        let outcomes = OutcomeCounts { won, drawn, lost };
        Ok(TierSolution { tier, outcomes, terminal, seconds: wins.seconds + holds.seconds })
    };
    Ok(Tabulated {
        tiers: tiers.map(tier).collect::<Result<_, Disagreement>>()?,
        bytes: wins.bytes + holds.bytes,
        found: wins.found.min(holds.found),
    })
}
