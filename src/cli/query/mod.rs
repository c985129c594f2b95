//! `strong4 query`: the value of a position, and of each move from it.

mod bulk;
mod csv;
mod report;

pub(super) use report::{best, verdict};

use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use clap::{Args, ValueEnum};
use strong4::Solver;
use strong4::board::{Moves, Position};
use strong4::picture;
use strong4::query::{Answer, Question, Record};

use super::interrupt::given_up;
use super::output::{json, print};
use super::{Exit, Global};
use crate::cli::input::args::{TablesArg, with_solver};
use crate::cli::input::asked::{Asked, Notation, PositionArg, Request, input_is_ignored};
use crate::cli::input::lines::{Answers, answer_lines, comment, meter_of_lines, refusal};
use crate::cli::output::drawing::in_color;
use crate::cli::output::numbers::duration;
use crate::cli::output::progress::Meter;

const EXAMPLES: &str = "\
Examples:
  strong4 query 3145175534244665
  strong4 query 6436777131311127722 --json
  printf '4453 -2\\n44\\n' | strong4 query - --csv
  printf '3145175534244665 6\\n' | strong4 query --bulk -";

/// Print the value of a position, and of each move from it
///
/// Prints win, draw or loss; the number of plies to the end with best play; the best
/// moves and a best line. The score is the number of stones that the winner still holds
/// when the game ends, plus one: positive if the player to move wins, negative if
/// they lose, 0 for a draw.
///
/// Answers come from the built-in openings, from tables if there are any, and from a
/// search.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Query {
    #[command(flatten)]
    asked: PositionArg,
    /// Check the scores in FILE, or on standard input if that is -, with moves and a score
    /// on each line; exit code 1 if one is wrong
    #[arg(long, value_name = "FILE",
        conflicts_with_all = ["moves", "key", "board_file", "csv", "with"])]
    bulk: Option<PathBuf>,
    #[command(flatten)]
    tables: TablesArg,
    /// Print one JSON object per position
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values with a header
    #[arg(long)]
    csv: bool,
    /// Print a picture of the position with the values of its moves, as SVG
    #[arg(long, conflicts_with_all = ["json", "csv", "bulk"])]
    svg: bool,
    /// Add this field to the JSON objects: the size of the board, or a drawing
    #[arg(long, value_name = "FIELD", value_delimiter = ',', requires = "json",
        conflicts_with_all = ["csv", "svg"])]
    with: Vec<With>,
    /// Find only win, draw or loss: no distances and no line
    #[arg(long)]
    outcome: bool,
    /// Follow the best line to the end of the game, however long it takes
    #[arg(long, conflicts_with = "outcome")]
    line: bool,
    /// Time limit per position, such as 2s, 500ms or 1h, used while anything is unknown:
    /// first who wins, then when
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    limit: Option<Duration>,
}

/// An optional field of the JSON objects.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum With {
    Board,
    Drawing,
}

impl Query {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        with_solver(&self.tables, global.quiet, |solver| {
            let board = solver.board();
            let question = self.question();
            if let Some(file) = &self.bulk {
                return bulk::check(solver, file, question, self.json, global.quiet);
            }
            match self.asked.request(board)? {
                Some(Request::Lines(..)) if self.svg => bail!("--svg draws one position"),
                Some(Request::Lines(notation, lines)) => {
                    let question = Question { threads: Some(1), ..question };
                    let answers = Lines { query: self, solver, notation, question };
                    let meter = meter_of_lines("answering", "positions", global);
                    answer_lines(lines, &answers, &meter)
                }
                Some(Request::One(asked)) => self.answer_one(&asked, solver, question, global),
                None if input_is_ignored() => bail!(
                    "no position given: give moves after the command, '-' to read them from \
                     standard input, or '' for the empty board"
                ),
                None => {
                    let asked = Asked { moves: None, position: Position::empty(board) };
                    self.answer_one(&asked, solver, question, global)
                }
            }
        })
    }

    fn question(&self) -> Question<'static> {
        let Query { outcome, limit, line, .. } = *self;
        let stop = Some(given_up());
        Question { outcome_only: outcome, limit, whole_line: line, stop, threads: None }
    }

    fn answer_one(
        &self,
        asked: &Asked,
        solver: &Solver,
        question: Question,
        global: &Global,
    ) -> anyhow::Result<Exit> {
        let answer = {
            let meter = Meter::start("searching".to_owned(), global.quiet);
            solver.analyze_with_progress(&asked.position, question, &meter)?
        };
        print(if self.csv {
            vec![csv::head(asked.position.board()), self.record(asked, &answer)]
        } else if self.json {
            vec![self.record(asked, &answer)]
        } else if self.svg {
            vec![picture::of_answer(&answer)]
        } else {
            vec![report::report(&answer, in_color(global.color))]
        })?;
        Ok(Exit::Fine)
    }

    fn fields(&self, asked: &Asked, answer: &Answer) -> Record {
        let (record, position) = (Record::of(answer), answer.position);
        let wanted = |what| self.with.contains(&what);
        let moves = asked.moves.as_ref().map(Moves::to_string);
        let board = wanted(With::Board).then(|| position.board().to_string());
        let drawing = wanted(With::Drawing).then(|| position.to_string());
        Record { moves, board, drawing, ..record }
    }

    /// An answer on one line.
    fn record(&self, asked: &Asked, answer: &Answer) -> String {
        match (self.json, self.csv) {
            (true, _) => json(&self.fields(asked, answer)),
            (_, true) => csv::row(self.fields(asked, answer)),
            _ => report::summary(asked, answer),
        }
    }
}

/// Lines of questions, all in one notation.
struct Lines<'q> {
    query: &'q Query,
    solver: &'q Solver,
    notation: Notation,
    question: Question<'static>,
}

impl Answers for Lines<'_> {
    fn head(&self) -> Option<String> {
        self.query.csv.then(|| csv::head(self.solver.board()))
    }

    fn named(&self) -> [&'static str; 2] {
        self.notation.named()
    }

    fn json(&self) -> bool {
        self.query.json
    }

    fn answer(&self, line: &str) -> anyhow::Result<Option<String>> {
        let Some(asked) = self.notation.read(self.solver.board(), line)? else { return Ok(None) };
        let answer = self.solver.analyze(&asked.position, self.question)?;
        Ok(Some(self.query.record(&asked, &answer)))
    }

    fn comment(&self, line: &str) -> String {
        if self.query.csv {
            csv::refusal(self.solver.board(), line, "")
        } else {
            comment(line, self.query.json)
        }
    }

    fn refusal(&self, line: &str, reason: &str) -> String {
        if self.query.csv {
            csv::refusal(self.solver.board(), line, reason)
        } else {
            refusal(line, reason, self.query.json)
        }
    }
}
