//! `strong4 status`: which tables there are, and what to do next.

use std::path::Path;

use clap::Args;
use serde::Serialize;
use strong4::board::{Tier, TierRange};
use strong4::query::JsonInteger;
use strong4::table::{self, FolderLock, Inventory, TierFile, cut_folder, score_folder};
use strong4::tabulate::{CutStatus, RunStatus, cut_status, run_status};

use super::advice::command;
use super::input::args::{TablesArg, runs};
use super::output::numbers::grouped;
use super::output::{json, on_one_line, print, record};
use super::solve::parts::{next_part, parts_told, plan_record};
use super::{Exit, Global};

const EXAMPLES: &str = "\
Examples:
  strong4 status --board 5x4
  strong4 status --tables target/5x5 --json";

/// List the tables present and missing, and the next command to run
///
/// The exit code is 1 if there are no tables.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Status {
    #[command(flatten)]
    tables: TablesArg,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What is in the folder.
struct Found<'a> {
    folder: &'a Path,
    inventory: Inventory,
    /// Tables that the manifest does not list.
    unlisted: Vec<Tier>,
    run: Option<RunStatus>,
    cuts: Vec<CutStatus>,
    scores: Inventory,
    /// Scores that their manifest does not list.
    unlisted_scores: Vec<Tier>,
    in_use: bool,
}

impl Status {
    pub(super) fn run(&self, _: &Global) -> anyhow::Result<Exit> {
        let (board, folder) = self.tables.resolve()?;
        let score_folder = score_folder(&folder);
        let inventory = table::inventory(&folder, board)?;
        let scores = table::inventory(&score_folder, board)?;
        let cuts = cut_status(&folder, board)?;
        let folders = cuts.iter().map(|cut| cut_folder(&folder, cut.ply));
        let mut in_use = false;
        for folder in folders.chain([folder.clone(), score_folder.clone()]) {
            in_use |= FolderLock::is_taken(&folder)?;
        }
        let found = Found {
            folder: &folder,
            unlisted: inventory.unlisted(&folder),
            inventory,
            run: run_status(&folder)?,
            unlisted_scores: scores.unlisted(&score_folder),
            scores,
            in_use,
            cuts,
        };
        print(if self.json { vec![found.json()] } else { found.report() })?;
        Ok(if found.inventory.tables.is_empty() { Exit::No } else { Exit::Fine })
    }
}

impl Found<'_> {
    /// The whole report, as JSON.
    fn json(&self) -> String {
        let Found { folder, inventory, unlisted, run, cuts, scores, in_use, .. } = self;
        json(&record! {
            board: inventory.board.to_string(),
            folder: folder.display().to_string(),
            tables: file_records(&inventory.tables),
            unfinished: file_records(&inventory.parts),
            run: run.as_ref().map(run_record),
            scores: file_records(&scores.tables),
            // The runs that find how soon positions end; empty if none is under way.
            cuts: cuts.iter().map(cut_record).collect::<Vec<_>>(),
            missing: numbers(&inventory.missing()),
            manifest: inventory.manifest,
            // Tables that the manifest does not list.
            unlisted: numbers(unlisted),
            in_use: *in_use,
            next: self.next(),
        })
    }

    /// The next command to run.
    fn next(&self) -> String {
        let Found { folder, inventory, unlisted, run, cuts, scores, unlisted_scores, .. } = self;
        if let Some(run) = run {
            let whole = run.tiers == TierRange::all(run.board);
            let tiers = if whole { String::new() } else { format!(" --tiers {}", run.tiers) };
            let every_cell = if run.every_cell { " --every-cell" } else { "" };
            let part = run.plan.as_ref().map(next_part).unwrap_or_default();
            return command("solve", run.board, folder) + &tiers + every_cell + &part;
        }
        let board = inventory.board;
        let has_outcomes = inventory.missing().is_empty() && unlisted.is_empty();
        // The runs for the cuts exist as long as the scores of any tier are missing.
        let lacks_scores = !cuts.is_empty() && !scores.missing().is_empty();
        match has_outcomes {
            false => command("solve", board, folder),
            true if lacks_scores || !unlisted_scores.is_empty() => {
                command("solve", board, folder) + " --scores"
            }
            true => command("verify", board, folder),
        }
    }

    fn report(&self) -> Vec<String> {
        let Found { folder, inventory, unlisted, run, cuts, scores, in_use, .. } = self;
        let Inventory { board, tables, parts, manifest } = inventory;
        let tiers = |files: &[TierFile]| files.iter().map(|file| file.tier).collect::<Vec<_>>();
        let files = |files: &[TierFile]| match files {
            [] => "none".to_owned(),
            _ => {
                let bytes = files.iter().map(|file| file.bytes).sum();
                format!("tiers {}: {} bytes", runs(&tiers(files)), grouped(bytes))
            }
        };
        let missing = match &inventory.missing()[..] {
            [] => "none".to_owned(),
            tiers => format!("tiers {} of {}", runs(tiers), TierRange::all(*board)),
        };
        let manifest = match &unlisted[..] {
            _ if !manifest => "none".to_owned(),
            [] => "present".to_owned(),
            tiers => format!("without tiers {}", runs(tiers)),
        };
        let mut lines = vec![
            format!("board       {board}"),
            format!("folder      {}", on_one_line(folder.display())),
            format!("tables      {}", files(tables)),
            format!("unfinished  {}", files(parts)),
            format!("missing     {missing}"),
            format!("manifest    {manifest}"),
        ];
        lines.extend(run.as_ref().map(|run| format!("run         {}", told(run))));
        let plan = run.as_ref().and_then(|run| run.plan.as_ref());
        lines.extend(plan.map(|plan| format!("plan        {}", parts_told(plan))));
        if !scores.tables.is_empty() || !cuts.is_empty() {
            lines.push(format!("scores      {}", files(&scores.tables)));
        }
        if !cuts.is_empty() {
            let done = cuts.iter().filter(|cut| cut.missing.is_empty()).count();
            lines.push(format!("cuts        {done} of {}", cuts.len()));
        }
        lines.extend(cuts.iter().filter_map(|cut| {
            let run = cut.run.as_ref()?;
            Some(format!("run         cut off after ply {}, {}", cut.ply, told(run)))
        }));
        if *in_use {
            lines.push("in use      by another strong4 process".to_owned());
        }
        lines.push(format!("next        {}", on_one_line(self.next())));
        lines
    }
}

/// The progress of a run.
fn told(run: &RunStatus) -> String {
    let RunStatus { tiers, cells, cells_done, batches, done, .. } = run;
    let share = 100.0 * *cells_done as f64 / (*cells).max(1) as f64;
    let mut line = format!(
        "tiers {tiers}: {} of {} cells ({share:.0} %), {done} of {batches} batches",
        grouped(*cells_done),
        grouped(*cells)
    );
    let list = |parts: &[usize]| parts.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    if !run.claimed.is_empty() {
        line += &format!(", working on {}", list(&run.claimed));
    }
    match run.next {
        Some(part) => line + &format!(", then {part}"),
        None if done == batches => line + ", then the tables",
        None => line,
    }
}

/// A run that is not finished, as JSON.
fn run_record(run: &RunStatus) -> impl Serialize {
    record! {
        board: run.board.to_string(),
        first: run.tiers.first().get(),
        last: run.tiers.last().get(),
        every_cell: run.every_cell,
        cells: JsonInteger::from(run.cells),
        cells_done: JsonInteger::from(run.cells_done),
        batches: run.batches,
        batches_done: run.done,
        at_work: run.claimed.clone(),
        next_batch: run.next,
        plan: run.plan.as_ref().map(plan_record),
    }
}

/// The run for games cut off after a ply, as JSON.
fn cut_record(cut: &CutStatus) -> impl Serialize {
    record! { ply: cut.ply.get(), missing: numbers(&cut.missing), run: cut.run.as_ref().map(run_record) }
}

/// Files of tables, as JSON.
fn file_records(files: &[TierFile]) -> Vec<impl Serialize> {
    files.iter().map(|file| record! { tier: file.tier.get(), bytes: file.bytes }).collect()
}

fn numbers(tiers: &[Tier]) -> Vec<u8> {
    tiers.iter().map(|tier| tier.get()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_ends_with_what_to_do() {
        let board = "2x2".parse().unwrap();
        let file = |tier| TierFile { tier: Tier::new(tier).unwrap(), bytes: 1024 };
        let none = Inventory::empty(board);
        let mut found = Found {
            folder: Path::new("tables/2x2"),
            inventory: Inventory { tables: vec![file(3), file(4)], ..none.clone() },
            unlisted: vec![Tier::new(3).unwrap(), Tier::new(4).unwrap()],
            run: Some(RunStatus {
                board,
                tiers: "0..2".parse().unwrap(),
                every_cell: false,
                cells: 3000,
                cells_done: 1000,
                batches: 7,
                done: 2,
                claimed: vec![2, 4],
                next: Some(3),
                plan: None,
            }),
            cuts: Vec::new(),
            scores: none,
            unlisted_scores: Vec::new(),
            in_use: true,
        };
        found.inventory.parts.push(file(0));
        assert_eq!(
            found.report(),
            [
                "board       2x2",
                "folder      tables/2x2",
                "tables      tiers 3..4: 2,048 bytes",
                "unfinished  tiers 0: 1,024 bytes",
                "missing     tiers 0..2 of 0..4",
                "manifest    none",
                "run         tiers 0..2: 1,000 of 3,000 cells (33 %), 2 of 7 batches, working on 2, 4, then 3",
                "in use      by another strong4 process",
                "next        strong4 solve --board 2x2 --tiers 0..2",
            ]
        );
        let run = found.run.take();
        found.inventory.tables = (0..5).map(file).collect();
        found.inventory.manifest = true;
        assert_eq!(found.next(), "strong4 solve --board 2x2");
        assert_eq!(found.report()[5], "manifest    without tiers 3..4");
        found.unlisted.clear();
        assert_eq!(found.next(), "strong4 verify --board 2x2");
        let cut = |ply, missing| CutStatus { ply: Tier::new(ply).unwrap(), missing, run: None };
        found.cuts = vec![cut(2, Vec::new()), cut(3, vec![Tier::new(1).unwrap()])];
        assert_eq!(found.next(), "strong4 solve --board 2x2 --scores");
        let tiers = "1..2".parse().unwrap();
        found.cuts[1].run = run.map(|run| RunStatus { tiers, ..run });
        found.scores.tables = vec![file(4)];
        let lines = found.report();
        assert_eq!(lines[6], "scores      tiers 4: 1,024 bytes");
        assert_eq!(lines[7], "cuts        1 of 2");
        assert!(lines[8].starts_with("run         cut off after ply 3, tiers 1..2: 1,000 of"));
        found.scores.tables = (0..5).map(file).collect();
        assert_eq!(found.next(), "strong4 verify --board 2x2");
        found.unlisted_scores = vec![Tier::new(4).unwrap()];
        assert_eq!(found.next(), "strong4 solve --board 2x2 --scores");
    }
}
