//! `strong4 solve`: how the positions of each tier end.

use anyhow::Context;
use clap::Args;
use serde::Serialize;
use strong4::board::TierRange;
use strong4::solve::{TierSolution, solve};
use strong4::sweep::{Cpu, CpuForm};

use super::numbers::grouped;
use super::output::Output;
use super::progress::Meter;
use super::table::aligned;
use super::{BoardArg, Exit, Global};

/// Solve all positions, tier by tier, and count how they end
///
/// The live positions of a tier, in which nobody has four in a row, are won,
/// drawn or lost for the player to move, if both play their best; in terminal
/// ones the last move made a four. The sweep starts at the full board, so
/// fewer stones take longer.
#[derive(Args)]
pub struct Solve {
    #[command(flatten)]
    board: BoardArg,
    /// Tiers from A to B to report, or a single one [default: all of the board]
    #[arg(long, value_name = "A..B")]
    tiers: Option<TierRange>,
    /// Print one JSON object per tier
    #[arg(long)]
    json: bool,
    /// Instructions to use: portable, avx2 or avx512 [default: the widest there are]
    #[arg(long, value_name = "FORM")]
    cpu: Option<CpuForm>,
}

/// One tier, as JSON.
#[derive(Serialize)]
struct TierRecord {
    tier: u8,
    won: u64,
    drawn: u64,
    lost: u64,
    terminal: u64,
    total: u64,
    seconds: f64,
}

impl Solve {
    pub fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        let board = self.board.board;
        let tiers = self.tiers.unwrap_or(TierRange::all(board)).within(board).context("--tiers")?;
        let cpu = self.cpu.map_or(Ok(Cpu::widest()), Cpu::with).context("--cpu")?;
        let solutions = {
            let meter = Meter::start(format!("solving {board}"), global.quiet);
            solve(board, tiers, cpu, &meter)?
        };
        let mut out = Output::new();
        if self.json {
            for solution in &solutions {
                out.line(json(solution)?)?;
            }
        } else {
            for row in table(&solutions) {
                out.line(row)?;
            }
        }
        out.finish()?;
        Ok(Exit::Fine)
    }
}

fn json(solution: &TierSolution) -> serde_json::Result<String> {
    let TierSolution { tier, outcomes, terminal, seconds } = *solution;
    serde_json::to_string(&TierRecord {
        tier: tier.0,
        won: outcomes.won,
        drawn: outcomes.drawn,
        lost: outcomes.lost,
        terminal,
        total: solution.total(),
        seconds: (seconds * 1e6).round() / 1e6,
    })
}

/// A row for each tier, and the sums below if there is something to add up.
fn table(solutions: &[TierSolution]) -> Vec<String> {
    let row = |name: String, counts: [u64; 5], seconds: f64| {
        let [won, drawn, lost, terminal, total] = counts.map(grouped);
        [name, won, drawn, lost, terminal, total, format!("{seconds:.3}")]
    };
    let counts = |s: &TierSolution| {
        [s.outcomes.won, s.outcomes.drawn, s.outcomes.lost, s.terminal, s.total()]
    };
    let head = ["tier", "won", "drawn", "lost", "terminal", "total", "seconds"];
    let mut rows = vec![head.map(str::to_owned)];
    rows.extend(solutions.iter().map(|s| row(s.tier.to_string(), counts(s), s.seconds)));
    if solutions.len() > 1 {
        let sums = std::array::from_fn(|column| solutions.iter().map(|s| counts(s)[column]).sum());
        let seconds = solutions.iter().map(|solution| solution.seconds).sum();
        rows.push(row("sum".to_owned(), sums, seconds));
    }
    aligned(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use strong4::board::Tier;
    use strong4::sweep::OutcomeCounts;

    #[test]
    fn tables_are_aligned_and_summed() {
        let solution = |tier, won| TierSolution {
            tier: Tier(tier),
            outcomes: OutcomeCounts { won, drawn: 2, lost: 3 },
            terminal: 4,
            seconds: 0.25,
        };
        let solutions = [solution(9, 1000), solution(10, 1)];
        assert_eq!(
            table(&solutions),
            [
                "tier    won  drawn  lost  terminal  total  seconds",
                "   9  1,000      2     3         4  1,009    0.250",
                "  10      1      2     3         4     10    0.250",
                " sum  1,001      4     6         8  1,019    0.500",
            ]
        );
        assert_eq!(table(&solutions[..1]).len(), 2);
    }
}
