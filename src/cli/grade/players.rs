//! The players that are graded, and those that they play against.

use anyhow::bail;
use strong4::Solver;
use strong4::grade::{Agent, Computer, Process, ProcessGroup};
use strong4::query::Level;

use crate::cli::interrupt::{give_up, set_last_deed};
use crate::cli::output::say;

/// A program or a level, with its name in the report.
pub(super) struct Player {
    pub name: String,
    kind: Kind,
}

enum Kind {
    Program(Process),
    Level(Computer),
}

impl Player {
    pub(super) fn program(command: &str, process: Process) -> Player {
        Player { name: command.to_owned(), kind: Kind::Program(process) }
    }

    pub(super) fn level(level: Level, solver: &Solver, seed: u64) -> Player {
        let kind = Kind::Level(Computer::new(solver, level, seed));
        Player { name: format!("level {level}"), kind }
    }

    pub(super) fn agent(&mut self) -> &mut dyn Agent {
        match &mut self.kind {
            Kind::Program(process) => process,
            Kind::Level(computer) => computer,
        }
    }

    fn group(&self) -> Option<ProcessGroup> {
        match &self.kind {
            Kind::Program(process) => Some(process.group()),
            Kind::Level(_) => None,
        }
    }

    /// Reports the first troubles of a program. One that never answered at all is an error.
    pub(super) fn tell(&self, quiet: bool) -> anyhow::Result<()> {
        let Kind::Program(process) = &self.kind else { return Ok(()) };
        let Player { name, .. } = self;
        if !process.has_answered()
            && let Some(last) = process.remarks().last()
        {
            bail!("{name} has not answered once: {last}");
        }
        if quiet {
            return Ok(());
        }
        process.remarks().iter().for_each(|remark| say(format_args!("{name}: {remark}")));
        if process.is_given_up() {
            say(format_args!("{name}: no answer many times in a row, so the rest was not asked"));
        }
        Ok(())
    }
}

/// Ends the programs of these players when strong4 is stopped.
pub(super) fn end_with_program(players: &[&Player]) {
    let groups: Vec<ProcessGroup> = players.iter().filter_map(|player| player.group()).collect();
    set_last_deed(move || {
        give_up();
        groups.iter().for_each(ProcessGroup::end);
    });
}
