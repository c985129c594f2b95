//! How soon the positions of each tier end: as a table, as CSV and as JSON.

use std::collections::BTreeMap;

use strong4::plies::TierPlies;
use strong4::reference::plies::HEADER;

use crate::cli::output::numbers::grouped;
use crate::cli::output::table::aligned;
use crate::cli::output::{json, record};
use strong4::query::JsonInteger;

/// One tier, as JSON: the number of live positions that the mover wins or loses in this many plies.
pub(crate) fn to_json(plies: &TierPlies) -> String {
    let (won, lost) = plies.iter().filter(|(plies, _)| *plies > 0).partition(|(n, _)| n % 2 == 1);
    let in_json = |counts: BTreeMap<usize, u64>| -> BTreeMap<usize, JsonInteger> {
        counts.into_iter().map(|(plies, positions)| (plies, positions.into())).collect()
    };
    let drawn = JsonInteger::from(plies.positions(0));
    json(&record! { tier: plies.tier.get(), won: in_json(won), drawn, lost: in_json(lost) })
}

/// A header, and a row for each number of plies found in a tier.
pub(crate) fn csv(tiers: &[TierPlies]) -> Vec<String> {
    let rows = tiers.iter().flat_map(|tiers| {
        let tier = tiers.tier.get();
        tiers.iter().map(move |(plies, positions)| record! { tier, plies, positions })
    });
    super::csv(HEADER, rows)
}

/// The wins of each tier, its draws, its losses.
pub(crate) fn table(tiers: &[TierPlies]) -> Vec<String> {
    let mut rows = Vec::new();
    for tier in tiers {
        let live = tier.outcomes().total();
        let mut row = |outcome: &str, plies: usize, positions: u64| {
            let share = format!("{:.3}", 100.0 * positions as f64 / live as f64);
            let plies = if plies > 0 { plies.to_string() } else { String::new() };
            let (tier, outcome) = (tier.tier.to_string(), outcome.to_owned());
            rows.push([tier, outcome, plies, grouped(positions), share]);
        };
        let some = |rest| tier.iter().filter(move |(plies, _)| *plies > 0 && plies % 2 == rest);
        some(1).for_each(|(plies, positions)| row("won", plies, positions));
        if tier.positions(0) > 0 {
            row("drawn", 0, tier.positions(0));
        }
        some(0).for_each(|(plies, positions)| row("lost", plies, positions));
    }
    aligned(["tier", "outcome", "plies", "positions", "%"], rows)
}
