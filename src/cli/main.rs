//! The whole program: parse, run, and report the result.

use std::process::ExitCode;

use super::fault::exit_of;
use super::output::{reader_has_gone, report_error};
use super::refusal::answer_refusal;
use super::{Cli, Exit};

/// Everything that the `main` of the program does.
pub fn main() -> ExitCode {
    let done = match Cli::read() {
        Ok(cli) => cli.run(),
        Err(refusal) => answer_refusal(&refusal),
    };
    let exit = match done {
        Ok(exit) => exit,
        Err(error) if reader_has_gone(&error) => Exit::Fine,
        Err(error) => {
            report_error(&error);
            exit_of(&error)
        }
    };
    exit.into()
}
