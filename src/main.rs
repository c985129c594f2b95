//! The command line of strong4: parse, run, and report the result.

use std::process::ExitCode;

mod cli;

use cli::Exit;

fn main() -> ExitCode {
    let exit = match run() {
        Ok(exit) => exit,
        Err(error) if cli::reader_has_gone(&error) => Exit::Fine,
        Err(error) => {
            cli::report_error(&error);
            cli::exit_of(&error)
        }
    };
    exit.into()
}

fn run() -> anyhow::Result<Exit> {
    match cli::Cli::read() {
        Ok(cli) => cli.run(),
        Err(refusal) => cli::answer_refusal(&refusal),
    }
}
