//! `strong4 verify`: is everything in the tables as it was written, and is it true?

mod record;
mod samples;

use clap::Args;
use strong4::board::Board;
use strong4::index::Census;
use strong4::table::{Verified, verify};

use record::{FaultRecord, FolderRecord};
use samples::Samples;

use super::estimate::tell_long_index;
use super::numbers::grouped;
use super::output::{Output, on_one_line, say};
use super::progress::Meter;
use super::tables::TablesArg;
use super::{Exit, Global};

const EXAMPLES: &str = "\
Examples:
  strong4 verify --board 5x4
  strong4 verify --tables target/5x5 --json
  strong4 verify --board 5x4 --samples 20";

/// Check every byte of the tables, or samples of what they say
///
/// Reads and decodes every block, compares all checksums, checks that each table
/// names the digest of the next one, and that the manifest tells of the same
/// tables. Prints a line for each fault; exit code 1 if there is one.
///
/// With --samples it draws random positions of each tier instead, and compares what
/// the tables say of them with two searches that read no tables, and of many more
/// with what they say of the moves. Prints every difference: the position, both
/// values and who told them; exit code 1 if there is one.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Verify {
    #[command(flatten)]
    tables: TablesArg,
    /// Print one JSON object per fault, and one for the folder; with --samples, one per
    /// difference, fault and tier
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    samples: Samples,
}

impl Verify {
    pub fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        let (board, folder, inventory) = self.tables.existing()?;
        tell_long_index(board, global.quiet);
        if let Some(sampling) = self.samples.sampling() {
            return self.samples.run(board, &folder, &inventory, sampling, self.json, global);
        }
        let verified = {
            let meter = Meter::start(format!("verifying {board}"), global.quiet);
            let census = Census::new(board)?;
            verify(&folder, &census, &meter)?
        };
        self.print(board, &verified)?;
        if !verified.faults.is_empty() {
            return Ok(Exit::No);
        }
        if !global.quiet {
            let [blocks, bytes] = [verified.blocks, verified.bytes].map(grouped);
            say(format_args!(
                "{} tables of {board} are sound: {blocks} blocks, {bytes} bytes",
                verified.tables
            ));
        }
        Ok(Exit::Fine)
    }

    /// What was wrong; as JSON also what was read.
    fn print(&self, board: Board, verified: &Verified) -> anyhow::Result<()> {
        let mut out = Output::new();
        for fault in &verified.faults {
            if self.json {
                out.line(serde_json::to_string(&FaultRecord::of(fault))?)?;
            } else {
                out.line(on_one_line(fault))?;
            }
        }
        if self.json {
            out.line(serde_json::to_string(&FolderRecord::of(board, verified))?)?;
        }
        out.finish()
    }
}
