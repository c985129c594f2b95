//! The measurements, as tables in plain text, and as JSON: one object for each row of the tables.

use strong4::clashes::{
    Independence, MOST_CHECK, MOST_EXTRA, MOST_PROVED, Method, WrongHits, WrongResults,
    predicted_without_error,
};
use strong4::grade::Confidence;

use super::{Findings, RECIPE_CHECK, RecipeFindings, SEARCH_BITS, Zobrist, used_mask};
use crate::cli::output::numbers::{counted, grouped};
use crate::cli::output::table::aligned;
use crate::cli::output::{json, record};

/// All tables, each with a line above it.
pub(super) fn lines(asked: &Zobrist, findings: &Findings) -> Vec<String> {
    let parts = [
        retrieved(asked, findings),
        searched(findings),
        believed(findings),
        clustered(findings),
        recipes(findings),
        divided(findings),
    ];
    parts.join(&String::new())
}

fn part<const N: usize>(
    title: String,
    head: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> Vec<String> {
    std::iter::once(title).chain(aligned(head, rows)).collect()
}

fn retrieved(asked: &Zobrist, findings: &Findings) -> Vec<String> {
    let rows = (0..=MOST_EXTRA).map(|extra| {
        let (share, interval) = findings.retrievals.without_error(extra);
        [
            extra.to_string(),
            format!("{:.3}", predicted_without_error(extra as f64)),
            format!("{share:.4}"),
            format!("{:.4} to {:.4}", interval.low, interval.high),
        ]
    });
    let (bits, runs) = (asked.bits, grouped(findings.retrievals.runs));
    let title = format!(
        "No error in 2^{bits} retrievals from 2^{bits} entries, {bits} + m check bits, {runs} tables:"
    );
    part(title, ["m", "predicted", "measured", "95 % interval"], rows)
}

fn searched(findings: &Findings) -> Vec<String> {
    let hits = &findings.hits;
    let rows = (0..=20).step_by(2).map(|check| {
        let (measured, interval) = hits.per_million(check);
        let predicted = per_million(hits.predicted_per_million(check));
        [check.to_string(), predicted, per_million(measured), ends(interval)]
    });
    let retrievals = grouped(hits.retrievals());
    let title = format!(
        "Wrong hits per million retrievals, searches with 2^{SEARCH_BITS} entries, {retrievals} \
         retrievals:"
    );
    let mut lines = part(title, ["check bits", "predicted", "measured", "95 % interval"], rows);
    let ((wrong, causes), (taken, by_turns)) = (hits.causes(), hits.causes_by_turns());
    let [wrong, causes, taken, by_turns] = [wrong, causes, taken, by_turns].map(grouped);
    lines.push(format!(
        "With 8 check bits, the stones of {wrong} wrong hits differ in {causes} ways; those of \
         every 256th entry of another position, {taken} in all, in {by_turns}."
    ));
    lines
}

fn believed(findings: &Findings) -> Vec<String> {
    let rows = findings.results.iter().map(|(check, results)| {
        let [hits, all, wrong] = [results.wrong_hits, results.results, results.wrong].map(grouped);
        [check.to_string(), hits, all, wrong]
    });
    let title = "Results of searches that believe wrong hits:".to_owned();
    part(title, ["check bits", "wrong hits", "results", "wrong results"], rows)
}

fn clustered(findings: &Findings) -> Vec<String> {
    let clusters = &findings.clusters;
    let chance = |pairs: u64| format!("{:.1}", pairs as f64 * 0.5f64.powi(clusters.bits as i32));
    let row = |name, pairs, clashing| [name, grouped(pairs), grouped(clashing), chance(pairs)];
    let common = (1..).zip(&clusters.generations).map(|(plies, generation)| {
        let name = format!("common, {}", counted(plies, "ply", "plies"));
        row(name, generation.common, generation.clashing)
    });
    let apart = row("same column, other cell".to_owned(), clusters.apart, clusters.apart_clashing);
    let (pairs, bits) = (grouped(clusters.pairs), clusters.bits);
    let title = format!("Successors of {pairs} pairs whose hashes agree in {bits} bits:");
    part(title, ["successors", "pairs", "clash", "by chance"], common.chain([apart]))
}

fn recipes(findings: &Findings) -> Vec<String> {
    let dependent = |smallest: Option<usize>| match smallest {
        Some(size) => size.to_string(),
        None => format!("> {MOST_PROVED}"),
    };
    let rows = findings.recipes.iter().map(|recipe| {
        let RecipeFindings { name, all_bits, used_bits, retrievals, hits } = recipe;
        let known = |number: Option<String>| number.unwrap_or_else(|| "-".to_owned());
        let without_error = retrievals.as_ref().map(|found| found.without_error(MOST_EXTRA).0);
        let wrong = |number: fn(&WrongHits, usize) -> f64| {
            known(hits.as_ref().map(|hits| per_million(number(hits, RECIPE_CHECK))))
        };
        [
            name.to_string(),
            all_bits.rank.to_string(),
            dependent(all_bits.smallest_dependent),
            used_bits.rank.to_string(),
            dependent(used_bits.smallest_dependent),
            known(without_error.map(|share| format!("{share:.3}"))),
            wrong(|hits, check| hits.per_million(check).0),
            wrong(WrongHits::predicted_per_million),
        ]
    });
    let used = used_mask().count_ones();
    let title = format!(
        "Sets of 84 words: rank and smallest dependent subset of all bits and of the lowest \
         {used}; wrong hits per million with {RECIPE_CHECK} check bits:"
    );
    let head = [
        "words",
        "rank",
        "dependent",
        "rank used",
        "dependent",
        "no error, m = 10",
        "wrong hits",
        "predicted",
    ];
    part(title, head, rows)
}

fn divided(findings: &Findings) -> Vec<String> {
    let rows = findings.spreads.iter().map(|spread| {
        [
            method(spread.method),
            grouped(spread.entries),
            grouped(spread.used),
            grouped(spread.used_by_lot().round() as u64),
            grouped(spread.pairs),
            grouped(spread.pairs_by_lot().round() as u64),
            format!("{:.1}", spread.nanoseconds),
        ]
    });
    let head = ["entry", "entries", "used", "random", "pairs", "random", "ns a look-up"];
    let positions = grouped(findings.spreads[0].positions);
    part(format!("{positions} positions, spread over a table:"), head, rows)
}

/// The name of a method.
fn method(method: Method) -> String {
    match method {
        Method::Zobrist => "random words".to_owned(),
        Method::Search => "the search's words".to_owned(),
        Method::Remainder(divisor) => format!("key mod {divisor}"),
    }
}

fn per_million(number: f64) -> String {
    if number >= 100.0 { grouped(number.round() as u64) } else { format!("{number:.2}") }
}

fn ends(interval: Confidence) -> String {
    format!("{} to {}", per_million(interval.low), per_million(interval.high))
}

/// All rows, each with the name of its study.
pub(super) fn json_lines(findings: &Findings) -> Vec<String> {
    let Findings { retrievals, hits, results, clusters, recipes, spreads } = findings;
    let mut rows = Vec::new();
    rows.extend((0..=MOST_EXTRA).map(|extra| {
        let (runs, predicted) = (retrievals.runs, predicted_without_error(extra as f64));
        let (measured, Confidence { low, high }) = retrievals.without_error(extra);
        json(&record! { study: "retrievals", extra, runs, predicted, measured, low, high })
    }));
    rows.extend((0..=MOST_CHECK).map(|check| {
        let predicted = hits.predicted_per_million(check);
        let (measured, Confidence { low, high }) = hits.per_million(check);
        json(&record! { study: "searches", check, predicted, measured, low, high })
    }));
    let ((wrong_hits, differences), (by_turns, differences_by_turns)) =
        (hits.causes(), hits.causes_by_turns());
    rows.push(json(&record! {
        study: "causes", wrong_hits, differences, by_turns, differences_by_turns,
    }));
    rows.extend(results.iter().map(|(check, found)| {
        let WrongResults { wrong_hits, results, wrong } = *found;
        json(&record! { study: "results", check: *check, wrong_hits, results, wrong })
    }));
    rows.extend((1usize..).zip(&clusters.generations).map(|(plies, generation)| {
        let (common, clashing) = (generation.common, generation.clashing);
        json(&record! { study: "successors", plies, common, clashing })
    }));
    let (pairs, clashing) = (clusters.apart, clusters.apart_clashing);
    let by_chance = pairs as f64 * 0.5f64.powi(clusters.bits as i32);
    rows.push(json(&record! { study: "apart", pairs, clashing, by_chance }));
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
