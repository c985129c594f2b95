//! The whole program: parse, run, and report the result.

use std::error::Error as _;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::anyhow;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

use strong4::memory;

use super::Cli;
use super::allocator;
use super::exit::{Exit, exit_of};
use super::output::{print, reader_has_gone, report_error};

/// Everything that the `main` of the program does.
pub fn main() -> ExitCode {
    memory::set_last_resort(allocator::end);
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

/// Prints the parser's output in place of a parsed command line: help and version, if requested,
/// or an error.
fn answer_refusal(refusal: &Error) -> anyhow::Result<Exit> {
    match refusal.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            print(refusal.render().to_string().trim_end().lines().map(str::trim_end))?;
            Ok(Exit::Fine)
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // Help that was not requested is not data.
            let _ = write!(io::stderr(), "{}", refusal.render());
            Ok(Exit::Bad)
        }
        _ => Err(anyhow!("{}", in_one_line(refusal))),
    }
}

/// The parser's message and tips, without usage and line ends.
fn in_one_line(refusal: &Error) -> String {
    // Our own errors already name what they expected.
    if let (ErrorKind::ValueValidation, Some(reason)) = (refusal.kind(), refusal.source())
        && let Some(ContextValue::String(option)) = refusal.get(ContextKind::InvalidArg)
    {
        return format!("{}: {reason}", option.split(' ').next().unwrap_or(option));
    }
    let rendered = refusal.render().to_string();
    let paragraphs = rendered.split("\n\n").take_while(|text| !text.starts_with("Usage"));
    let lines = paragraphs.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    let message = lines.collect::<Vec<_>>().join("; ");
    match message.trim_start_matches("error: ").split_once("; For more") {
        Some((message, _)) => format!("{message}; try '--help'"),
        None => format!("{}; try '--help'", message.trim_start_matches("error: ")),
    }
}
