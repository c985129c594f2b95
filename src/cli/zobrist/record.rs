//! The measurements as JSON: one object for each row of the tables.

use serde::Serialize;
use strong4::clashes::{Independence, MOST_CHECK, MOST_EXTRA, predicted_without_error};

use super::report::method;
use super::{Findings, RECIPE_CHECK};

/// A row, tagged with its study.
#[derive(Serialize)]
#[serde(tag = "study", rename_all = "snake_case")]
enum Row<'a> {
    Retrievals {
        extra: usize,
        runs: u64,
        predicted: f64,
        measured: f64,
        low: f64,
        high: f64,
    },
    Searches {
        check: usize,
        predicted: f64,
        measured: f64,
        low: f64,
        high: f64,
    },
    Causes {
        wrong_hits: u64,
        differences: u64,
        by_turns: u64,
        differences_by_turns: u64,
    },
    Results {
        check: u32,
        wrong_hits: u64,
        results: u64,
        wrong: u64,
    },
    Successors {
        plies: usize,
        common: u64,
        clashing: u64,
    },
    Apart {
        pairs: u64,
        clashing: u64,
        by_chance: f64,
    },
    Words {
        name: &'a str,
        rank: usize,
        smallest_dependent: Option<usize>,
        used_rank: usize,
        used_smallest_dependent: Option<usize>,
        without_error: Option<f64>,
        wrong_per_million: Option<f64>,
        predicted_per_million: Option<f64>,
    },
    Spread {
        entry: String,
        entries: u64,
        positions: u64,
        used: u64,
        used_by_lot: f64,
        pairs: u64,
        pairs_by_lot: f64,
        nanoseconds: f64,
    },
}

/// All rows.
pub fn lines(findings: &Findings) -> serde_json::Result<Vec<String>> {
    let Findings { retrievals, hits, results, clusters, recipes, spreads } = findings;
    let mut rows = Vec::new();
    rows.extend((0..=MOST_EXTRA).map(|extra| {
        let (measured, interval) = retrievals.without_error(extra);
        let predicted = predicted_without_error(extra as f64);
        let (runs, low, high) = (retrievals.runs, interval.low, interval.high);
        Row::Retrievals { extra, runs, predicted, measured, low, high }
    }));
    rows.extend((0..=MOST_CHECK).map(|check| {
        let (measured, interval) = hits.per_million(check);
        let predicted = hits.predicted_per_million(check);
        Row::Searches { check, predicted, measured, low: interval.low, high: interval.high }
    }));
    let ((wrong_hits, differences), (by_turns, differences_by_turns)) =
        (hits.causes(), hits.causes_by_turns());
    rows.push(Row::Causes { wrong_hits, differences, by_turns, differences_by_turns });
    rows.extend(results.iter().map(|(check, found)| Row::Results {
        check: *check,
        wrong_hits: found.wrong_hits,
        results: found.results,
        wrong: found.wrong,
    }));
    rows.extend((1..).zip(&clusters.generations).map(|(plies, generation)| Row::Successors {
        plies,
        common: generation.common,
        clashing: generation.clashing,
    }));
    let by_chance = clusters.apart as f64 * 0.5f64.powi(clusters.bits as i32);
    rows.push(Row::Apart { pairs: clusters.apart, clashing: clusters.apart_clashing, by_chance });
    rows.extend(recipes.iter().map(|recipe| {
        let Independence { rank, smallest_dependent, .. } = recipe.all_bits;
        let used = recipe.used_bits;
        Row::Words {
            name: recipe.name,
            rank,
            smallest_dependent,
            used_rank: used.rank,
            used_smallest_dependent: used.smallest_dependent,
            without_error: recipe.retrievals.map(|found| found.without_error(MOST_EXTRA).0),
            wrong_per_million: recipe.hits.as_ref().map(|hits| hits.per_million(RECIPE_CHECK).0),
            predicted_per_million: recipe
                .hits
                .as_ref()
                .map(|hits| hits.predicted_per_million(RECIPE_CHECK)),
        }
    }));
    rows.extend(spreads.iter().map(|spread| Row::Spread {
        entry: method(spread.method),
        entries: spread.entries,
        positions: spread.positions,
        used: spread.used,
        used_by_lot: spread.used_by_lot(),
        pairs: spread.pairs,
        pairs_by_lot: spread.pairs_by_lot(),
        nanoseconds: spread.nanoseconds,
    }));
    rows.iter().map(serde_json::to_string).collect()
}
