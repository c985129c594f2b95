//! `strong4 grade`: how good players are.

mod players;
mod records;
mod report;

use std::borrow::Cow;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use strong4::grade::{Agent, Exam, Format, Games, Process, Report, play_games};
use strong4::picture;
use strong4::query::Level;
use strong4::{Batch, Solver};

use super::interrupt::given_up;
use super::output::print;
use super::{Exit, Global};
use crate::cli::input::args::{TablesArg, with_solver};
use crate::cli::output::numbers::{duration, whole};
use crate::cli::output::progress::Meter;

use players::{Player, end_with_program};

const EXAMPLES: &str = "\
Examples:
  strong4 grade --agent 'while read moves; do echo 4; done'
  strong4 grade --level 1 --level 3 --exam played
  strong4 grade --level 2 --exam hard --csv
  strong4 grade --level 2 --svg > level2.svg
  strong4 grade --level 1 --games 10 --against 2 --board 4x4";

/// Grade players in an exam, or by games
///
/// An agent is any program. For each position it gets a line of moves, such as 4453, and
/// prints a column. Marks: a perfect move has the highest score, a good one keeps the
/// outcome, and the loss is the highest score less that of the move. Intervals hold the
/// truth in 95 of 100 cases. An agent that dies, hangs or prints nonsense is started again.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Grade {
    /// A program to grade, as a line for the shell; may be repeated; not on Windows
    #[arg(long = "agent", value_name = "COMMAND", required_unless_present = "levels")]
    agents: Vec<String>,
    /// A level of strong4 to grade, from 1 to 5; may be repeated
    #[arg(long = "level", value_name = "N", allow_negative_numbers = true)]
    levels: Vec<Level>,
    /// A name for a player in the report, in the order of agents and levels
    #[arg(long = "name", value_name = "NAME")]
    names: Vec<String>,
    /// The exam: uniform, played, hard, or a file of 'strong4 exam'; may be repeated
    #[arg(long = "exam", value_name = "EXAM", default_value = "uniform", conflicts_with = "games",
        value_hint = clap::ValueHint::FilePath)]
    exams: Vec<String>,
    /// What an agent is told: moves, key, board (a drawing) or json (Kaggle's board and mark)
    #[arg(long, value_name = "FORMAT", default_value = "moves")]
    format: Format,
    /// Time limit for a move of an agent
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "10s",
        allow_hyphen_values = true)]
    move_time: Duration,
    /// Time limit for its first move after a start, if longer
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "30s",
        allow_hyphen_values = true)]
    start_time: Duration,
    /// Play whole games instead, half of them with the first move
    #[arg(long, value_name = "N", value_parser = whole(1..=1_000_000usize), allow_negative_numbers = true)]
    games: Option<usize>,
    /// The opponent in games: a level from 1 to 5, or a program
    #[arg(long, value_name = "LEVEL|COMMAND", default_value = "4", requires = "games")]
    against: String,
    /// Seed of openings, and of levels that choose at random
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    /// Print one JSON object per group of positions
    #[arg(long, conflicts_with_all = ["csv", "svg"])]
    json: bool,
    /// Print a row per group of positions, as CSV
    #[arg(long, conflicts_with = "svg")]
    csv: bool,
    /// Print a picture of the marks by tier, as SVG
    #[arg(long)]
    svg: bool,
    #[command(flatten)]
    tables: TablesArg,
}

impl Grade {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<Exit> {
        with_solver(&self.tables, global.quiet, |solver| {
            let mut players = self.players(solver)?;
            let lines = match self.games {
                Some(games) => self.play(games, &mut players, solver, global)?,
                None => self.examine(&mut players, solver, global)?,
            };
            print(lines)?;
            Ok(Exit::Fine)
        })
    }

    /// Gives all exams to all players.
    fn examine(
        &self,
        players: &mut [Player],
        solver: &Solver,
        global: &Global,
    ) -> anyhow::Result<Vec<String>> {
        let exams = self.exams.iter().map(|name| exam(name)).collect::<anyhow::Result<Vec<_>>>()?;
        let mut reports = Vec::new();
        for exam in &exams {
            if !self.levels.is_empty() && exam.board() != solver.board() {
                let [name, board] = [exam.name().to_owned(), exam.board().to_string()];
                bail!("exam {name} is on {board}: levels play on it with --board {board}");
            }
            for player in &mut *players {
                end_with_program(&[player]);
                let what = format!("exam {} for {}", exam.name(), player.name);
                let name = player.name.clone();
                reports.push(asked(player, what, global, |agent, batch| {
                    Ok(exam.grade(&name, agent, batch)?)
                })?);
            }
        }
        Ok(self.show(&reports, &[]))
    }

    /// Lets all players play games.
    fn play(
        &self,
        number: usize,
        players: &mut [Player],
        solver: &Solver,
        global: &Global,
    ) -> anyhow::Result<Vec<String>> {
        let mut games = Vec::new();
        for player in players {
            let mut opponent = self.opponent(solver);
            end_with_program(&[&*player, &opponent]);
            let (name, seed) = (player.name.clone(), self.seed);
            let what = format!("games of {name}");
            let played = asked(player, what, global, |agent, batch| {
                let other = opponent.agent();
                Ok(play_games(&name, agent, other, solver, number, seed, batch)?)
            })?;
            opponent.tell(global.quiet)?;
            games.push(played);
        }
        let reports: Vec<Report> = games.iter().map(|games| games.report().clone()).collect();
        Ok(self.show(&reports, &games))
    }

    fn show(&self, reports: &[Report], games: &[Games]) -> Vec<String> {
        if self.svg {
            vec![picture::of_reports(reports)]
        } else if self.csv {
            records::csv(reports)
        } else if self.json {
            records::json_lines(reports, games)
        } else {
            report::lines(reports, games)
        }
    }

    fn program(&self, command: &str) -> Player {
        let process = Process::new(command, self.format, self.move_time);
        Player::program(command, process.start_time(self.start_time))
    }

    /// The opponent in games.
    fn opponent(&self, solver: &Solver) -> Player {
        match self.against.parse() {
            // With another seed, it does not copy the choices of the same level on the other side.
            Ok(level) => Player::level(level, solver, !self.seed),
            Err(_) => self.program(&self.against),
        }
    }

    /// Agents, and then levels.
    fn players(&self, solver: &Solver) -> anyhow::Result<Vec<Player>> {
        let programs = self.agents.iter().map(|agent| self.program(agent));
        let levels = self.levels.iter().map(|level| Player::level(*level, solver, self.seed));
        let mut players: Vec<Player> = programs.chain(levels).collect();
        if self.names.len() > players.len() {
            bail!("{} names for {} players", self.names.len(), players.len());
        }
        for (player, name) in players.iter_mut().zip(&self.names) {
            player.name.clone_from(name);
        }
        Ok(players)
    }
}

/// Asks a player under a meter, and reports what went wrong.
fn asked<R>(
    player: &mut Player,
    what: String,
    global: &Global,
    work: impl FnOnce(&mut dyn Agent, Batch) -> anyhow::Result<R>,
) -> anyhow::Result<R> {
    let done = {
        let meter = Meter::start(what, global.quiet);
        work(player.agent(), Batch { progress: &meter, stop: Some(given_up()) })
    };
    // The thread that stopped the program is about to end it.
    while given_up().load(Relaxed) {
        thread::park();
    }
    let done = done?;
    player.tell(global.quiet)?;
    Ok(done)
}

/// A standard exam, or that of a file.
fn exam(name: &str) -> anyhow::Result<Cow<'static, Exam>> {
    if let Some(exam) = Exam::standard(name) {
        return Ok(Cow::Borrowed(exam));
    }
    let file = PathBuf::from(name);
    let text = fs::read_to_string(&file).with_context(|| {
        let names = Exam::standard_names().join(", ");
        format!("'{name}' is none of {names}, and cannot be read as a file")
    })?;
    let exam = Exam::parse(&text).with_context(|| format!("cannot read {name}"))?;
    if exam.is_empty() {
        bail!("{name} asks nothing");
    }
    Ok(Cow::Owned(exam))
}
