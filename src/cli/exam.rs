//! `strong4 exam`: makes an exam for players.

use clap::Args;
use strong4::Batch;
use strong4::grade::ExamKind;

use super::interrupt::given_up;
use super::output::print;
use super::{Exit, Global};
use crate::cli::input::args::{TablesArg, with_solver};
use crate::cli::output::numbers::whole;
use crate::cli::output::progress::{Meter, Shown};

const EXAMPLES: &str = "\
Examples:
  strong4 exam played --board 5x4 --count 50 --seed 7
  strong4 exam hard --board 6x4 --count 20 > hard_6x4.txt
  strong4 exam uniform > uniform.txt                     # a minute";

/// Make an exam for players: positions, and the score of each move from them
///
/// uniform draws live positions of the first five sixths of all tiers, as many of each;
/// played draws positions from games between levels 1 to 4, one of each game; and hard
/// those from games between levels 2 and 3 in which exactly one move keeps the outcome,
/// though several look equally good to a search of depth 8. Positions in which every move
/// is as good as any other are left out, and so are mirror images.
///
/// 'strong4 grade --exam FILE' reads what this prints. Its own exams are made like this.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Exam {
    /// Which positions: uniform, played or hard
    #[arg(value_name = "KIND")]
    kind: ExamKind,
    /// Number of positions
    #[arg(long, value_name = "N", default_value = "1000", value_parser = whole(1..=1_000_000usize), allow_negative_numbers = true)]
    count: usize,
    /// Seed; the same seed draws the same positions
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    tables: TablesArg,
}

impl Exam {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        with_solver(&self.tables, global.quiet, |solver| {
            let exam = {
                let shown =
                    Shown { quiet: global.quiet, parts: Some("positions"), ..Shown::default() };
                let meter = Meter::showing(format!("making exam {}", self.kind), shown);
                let batch = Batch { progress: &meter, stop: Some(given_up()) };
                self.kind.make(solver, self.count, self.seed, batch)?
            };
            print(exam.to_string().lines())?;
            Ok(Exit::Fine)
        })
    }
}
