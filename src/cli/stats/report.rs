//! The statistics of tiers as tables, as CSV and as JSON.

use serde::Serialize;
use strong4::board::OutcomeCounts;
use strong4::reference::outcomes::HEADER;
use strong4::stats::TierStats;
use strong4::table::TierCounts;

use crate::cli::output::numbers::{grouped, rounded};
use crate::cli::output::table::summed;
use crate::cli::output::{self, json, record};
use strong4::query::JsonInteger;

/// One tier, as JSON. `won`, `drawn` and `lost` count live positions, for the mover. Of all
/// positions, X wins `x_wins` and O `o_wins`. `bits` is the size of the table per position.
/// `seconds` is null where no manifest has it.
pub(super) fn to_json(stats: &TierStats) -> String {
    json(&record(stats, bits_each(stats)))
}

fn record<B: Serialize>(stats: &TierStats, bits: B) -> impl Serialize + use<B> {
    let [live, won, drawn, lost, terminal, total, x_wins, o_wins] =
        sums(stats.counts, stats.all_for_first()).map(JsonInteger::from);
    let (tier, bytes) = (stats.tier.get(), stats.bytes);
    let seconds = stats.seconds.map(|seconds| rounded(seconds, 3));
    record! { tier, live, won, drawn, lost, terminal, total, x_wins, o_wins, bytes, bits, seconds }
}

/// Live positions, also by outcome for the mover; terminal ones; all; and those that X and O win.
pub(super) fn sums(counts: TierCounts, for_first: OutcomeCounts) -> [u64; 8] {
    let TierCounts { won, drawn, lost, terminal } = counts;
    let (live, total) = (counts.live().total(), counts.total());
    [live, won, drawn, lost, terminal, total, for_first.won, for_first.lost]
}

/// A header and a row for each tier: the columns that `--check` reads, then more.
pub(super) fn csv(stats: &[TierStats]) -> Vec<String> {
    // Whole numbers of bits have no decimals here.
    let record = |stats: &TierStats| record(stats, bits_each(stats).to_string());
    output::csv(&format!("{HEADER},live,x_wins,o_wins,bytes,bits"), stats.iter().map(record))
}

/// Three tables: sizes, outcomes for the mover, winners.
pub(super) fn tables(stats: &[TierStats]) -> Vec<String> {
    let name = |stats: &TierStats| stats.tier.to_string();
    let head = ["tier", "live", "terminal", "total", "bytes", "bits each", "seconds"];
    let sizes = summed(head, stats, name, |name, stats| {
        let sum = |part: fn(&TierStats) -> u64| stats.iter().map(part).sum();
        let [live, terminal, total, bytes] = [
            sum(|s| s.live().total()),
            sum(|s| s.counts.terminal),
            sum(|s| s.counts.total()),
            sum(|s| s.bytes),
        ];
        let bits = format!("{:.4}", bits(bytes, total));
        let seconds: Option<f64> = stats.iter().map(|stats| stats.seconds).sum();
        let seconds = seconds.map_or("?".to_owned(), |seconds| format!("{seconds:.3}"));
        let [live, terminal, total, bytes] = [live, terminal, total, bytes].map(grouped);
        [name, live, terminal, total, bytes, bits, seconds]
    });
    let head = ["tier", "won", "drawn", "lost", "won %", "drawn %", "lost %"];
    let mover = summed(head, stats, name, |name, stats| {
        shares(name, stats.iter().map(TierStats::live).sum())
    });
    let head = ["tier", "X wins", "draw", "O wins", "X %", "draw %", "O %"];
    let first = summed(head, stats, name, |name, stats| {
        shares(name, stats.iter().map(TierStats::all_for_first).sum())
    });
    let titled = [
        ("Positions, and what their tables take:", sizes),
        ("Live positions, for the player to move:", mover),
        ("All positions, by who wins:", first),
    ];
    let mut lines = Vec::new();
    for (title, table) in titled {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.push(title.to_owned());
        lines.extend(table);
    }
    lines
}

/// Positions by outcome, and the share of each.
fn shares(name: String, outcomes: OutcomeCounts) -> [String; 7] {
    let OutcomeCounts { won, drawn, lost } = outcomes;
    let [w, d, l] = percents(outcomes);
    [name, grouped(won), grouped(drawn), grouped(lost), w, d, l]
}

/// The share of each outcome, if there are any positions.
pub(super) fn percents(outcomes: OutcomeCounts) -> [String; 3] {
    let all = outcomes.total();
    let OutcomeCounts { won, drawn, lost } = outcomes;
    [won, drawn, lost].map(|part| match all {
        0 => String::new(),
        _ => format!("{:.1}", 100.0 * part as f64 / all as f64),
    })
}

fn bits_each(stats: &TierStats) -> f64 {
    rounded(bits(stats.bytes, stats.counts.total()), 6)
}

/// Bits of table per position.
pub(super) fn bits(bytes: u64, positions: u64) -> f64 {
    if positions == 0 { 0.0 } else { 8.0 * bytes as f64 / positions as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strong4::board::Tier;

    fn two() -> [TierStats; 2] {
        let counts = TierCounts { won: 1000, drawn: 2, lost: 3, terminal: 40 };
        let stats = |tier, seconds| TierStats {
            tier: Tier::new(tier).unwrap(),
            counts,
            bytes: 512,
            seconds,
        };
        [stats(8, Some(0.25)), stats(9, None)]
    }

    #[test]
    fn sizes_and_both_views_are_aligned_and_summed() {
        assert_eq!(
            tables(&two()),
            [
                "Positions, and what their tables take:",
                "tier   live  terminal  total  bytes  bits each  seconds",
                "   8  1,005        40  1,045    512     3.9196    0.250",
                "   9  1,005        40  1,045    512     3.9196        ?",
                " sum  2,010        80  2,090  1,024     3.9196        ?",
                "",
                "Live positions, for the player to move:",
                "tier    won  drawn  lost  won %  drawn %  lost %",
                "   8  1,000      2     3   99.5      0.2     0.3",
                "   9  1,000      2     3   99.5      0.2     0.3",
                " sum  2,000      4     6   99.5      0.2     0.3",
                "",
                "All positions, by who wins:",
                "tier  X wins  draw  O wins   X %  draw %   O %",
                "   8   1,000     2      43  95.7     0.2   4.1",
                "   9      43     2   1,000   4.1     0.2  95.7",
                " sum   1,043     4   1,043  49.9     0.2  49.9",
            ]
        );
        assert_eq!(tables(&two()[..1]).len(), 11);
    }

    #[test]
    fn programs_read_the_same_numbers() {
        let [tier, unknown] = two();
        assert_eq!(
            csv(&[tier, unknown]),
            [
                "tier,won,drawn,lost,terminal,total,live,x_wins,o_wins,bytes,bits",
                "8,1000,2,3,40,1045,1005,1000,43,512,3.919617",
                "9,1000,2,3,40,1045,1005,43,1000,512,3.919617",
            ]
        );
        assert_eq!(
            to_json(&unknown),
            "{\"tier\":9,\"live\":1005,\"won\":1000,\"drawn\":2,\"lost\":3,\"terminal\":40,\
             \"total\":1045,\"x_wins\":43,\"o_wins\":1000,\"bytes\":512,\"bits\":3.919617,\
             \"seconds\":null}"
        );
    }

    #[test]
    fn a_tier_without_live_positions_has_no_shares() {
        let counts = TierCounts { terminal: 7, ..TierCounts::default() };
        let stats = TierStats { tier: Tier::new(8).unwrap(), counts, bytes: 512, seconds: None };
        assert_eq!(tables(&[stats])[6], "   8    0      0     0");
    }
}
