//! The measurements as JSON: one object for each row of the tables.

use strong4::clashes::{Independence, MOST_CHECK, MOST_EXTRA, predicted_without_error};

use super::report::method;
use super::{Findings, RECIPE_CHECK};
use crate::cli::output::{json, record};

/// All rows, each with the name of its study.
pub fn lines(findings: &Findings) -> Vec<String> {
    let Findings { retrievals, hits, results, clusters, recipes, spreads } = findings;
    let mut rows = Vec::new();
    rows.extend((0..=MOST_EXTRA).map(|extra| {
        let (measured, interval) = retrievals.without_error(extra);
        json(&record! {
            study: "retrievals",
            extra,
            runs: retrievals.runs,
            predicted: predicted_without_error(extra as f64),
            measured,
            low: interval.low,
            high: interval.high,
        })
    }));
    rows.extend((0..=MOST_CHECK).map(|check| {
        let (measured, interval) = hits.per_million(check);
        json(&record! {
            study: "searches",
            check,
            predicted: hits.predicted_per_million(check),
            measured,
            low: interval.low,
            high: interval.high,
        })
    }));
    let ((wrong_hits, differences), (by_turns, differences_by_turns)) =
        (hits.causes(), hits.causes_by_turns());
    rows.push(json(&record! {
        study: "causes", wrong_hits, differences, by_turns, differences_by_turns,
    }));
    rows.extend(results.iter().map(|(check, found)| {
        json(&record! {
            study: "results",
            check: *check,
            wrong_hits: found.wrong_hits,
            results: found.results,
            wrong: found.wrong,
        })
    }));
    rows.extend((1usize..).zip(&clusters.generations).map(|(plies, generation)| {
        let (common, clashing) = (generation.common, generation.clashing);
        json(&record! { study: "successors", plies, common, clashing })
    }));
    rows.push(json(&record! {
        study: "apart",
        pairs: clusters.apart,
        clashing: clusters.apart_clashing,
        by_chance: clusters.apart as f64 * 0.5f64.powi(clusters.bits as i32),
    }));
    rows.extend(recipes.iter().map(|recipe| {
        let Independence { rank, smallest_dependent, .. } = recipe.all_bits;
        let (used, hits) = (recipe.used_bits, recipe.hits.as_ref());
        json(&record! {
            study: "words",
            name: recipe.name,
            rank,
            smallest_dependent,
            used_rank: used.rank,
            used_smallest_dependent: used.smallest_dependent,
            without_error: recipe.retrievals.map(|found| found.without_error(MOST_EXTRA).0),
            wrong_per_million: hits.map(|hits| hits.per_million(RECIPE_CHECK).0),
            predicted_per_million: hits.map(|hits| hits.predicted_per_million(RECIPE_CHECK)),
        })
    }));
    rows.extend(spreads.iter().map(|spread| {
        json(&record! {
            study: "spread",
            entry: method(spread.method),
            entries: spread.entries,
            positions: spread.positions,
            used: spread.used,
            used_by_lot: spread.used_by_lot(),
            pairs: spread.pairs,
            pairs_by_lot: spread.pairs_by_lot(),
            nanoseconds: spread.nanoseconds,
        })
    }));
    rows
}
