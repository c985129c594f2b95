//! A command line that could not be parsed, condensed to one line that says
//! what was wrong and what would have been accepted.

use std::error::Error as _;
use std::io::{self, Write};

use anyhow::anyhow;
use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

use super::output::print;
use super::{Cli, Exit};

/// Prints the parser's output in place of a parsed command line: help and version, if requested,
/// or an error.
pub fn answer_refusal(refusal: &Error) -> anyhow::Result<Exit> {
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
        _ => {
            let given: Vec<String> =
                std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into()).collect();
            Err(anyhow!("{}", in_one_line(refusal, &given)))
        }
    }
}

fn in_one_line(refusal: &Error, given: &[String]) -> String {
    // Our own errors already name what they expected.
    if let (ErrorKind::ValueValidation, Some(reason)) = (refusal.kind(), refusal.source())
        && let Some(ContextValue::String(option)) = refusal.get(ContextKind::InvalidArg)
    {
        return format!("{}: {reason}", option.split(' ').next().unwrap_or(option));
    }
    if let Some(ContextValue::String(option)) = refusal.get(ContextKind::InvalidArg)
        && let Some(ContextValue::String(value)) = refusal.get(ContextKind::InvalidValue)
        && let Some(ContextValue::Strings(values)) = refusal.get(ContextKind::ValidValue)
        && !value.is_empty()
    {
        let option = option.split(' ').next().unwrap_or(option);
        return format!("{option}: '{value}' is invalid: expected one of {}", values.join(", "));
    }
    let command = command_of(given);
    let accepted = match refusal.kind() {
        ErrorKind::InvalidSubcommand => {
            let names: Vec<&str> = command.get_subcommands().map(|c| c.get_name()).collect();
            format!("expected one of {}", names.join(", "))
        }
        ErrorKind::UnknownArgument => {
            let options = command.get_arguments().filter_map(|arg| arg.get_long());
            let options: Vec<String> = options.map(|name| format!("--{name}")).collect();
            match refusal.get(ContextKind::InvalidArg) {
                // A known option came before the name of the command.
                Some(ContextValue::String(arg)) if options.contains(arg) => {
                    format!("it belongs after '{}'", command.get_name())
                }
                _ => format!("expected one of {}", options.join(", ")),
            }
        }
        _ => format!("see '{} --help'", command.get_bin_name().unwrap_or("strong4")),
    };
    let message = first_paragraph(&refusal.render().to_string());
    match meant(refusal).or_else(|| meant_to_be_helped(given)) {
        Some(meant) => format!("{message}; did you mean '{meant}'? {accepted}"),
        None => format!("{message}; {accepted}"),
    }
}

/// The suggestion for a mistyped word.
fn meant(refusal: &Error) -> Option<String> {
    let suggested = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg];
    suggested.into_iter().find_map(|kind| match refusal.get(kind)? {
        ContextValue::String(name) => Some(name.clone()),
        // The last one is the nearest.
        ContextValue::Strings(names) => names.last().cloned(),
        _ => None,
    })
}

/// The suggestion for `strong4 help` with a mistyped command, as if that had been given itself.
fn meant_to_be_helped(given: &[String]) -> Option<String> {
    let [help, name] = given else { return None };
    if help != "help" {
        return None;
    }
    Cli::command().try_get_matches_from(["strong4", name]).err().as_ref().and_then(meant)
}

/// The subcommand that was given, or else the whole program.
fn command_of(given: &[String]) -> clap::Command {
    let mut program = Cli::command();
    program.build();
    let named = given.iter().find_map(|name| program.find_subcommand(name));
    named.cloned().unwrap_or(program)
}

/// The message itself, without tips, usage and line ends.
fn first_paragraph(rendered: &str) -> String {
    let paragraph = rendered.split("\n\n").next().unwrap_or(rendered);
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    words.join(" ").trim_start_matches("error: ").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn refused(command_line: &str) -> String {
        let words = command_line.split(' ').map(str::to_owned);
        let given: Vec<String> = words.clone().skip(1).collect();
        let refusal = Cli::try_parse_from(words).err().expect("refused");
        in_one_line(&refusal, &given)
    }

    #[test]
    fn what_was_wrong_is_followed_by_what_is_accepted() {
        let program = Cli::command();
        let names: Vec<&str> =
            program.get_subcommands().map(|command| command.get_name()).collect();
        assert_eq!(
            refused("strong4 conut"),
            format!(
                "unrecognized subcommand 'conut'; did you mean 'count'? expected one of {}, help",
                names.join(", ")
            )
        );
        assert_eq!(
            refused("strong4 show --tiers 3"),
            "unexpected argument '--tiers' found; did you mean '--threads'? expected one of --key, \
             --board-file, --board, --place, --tables, --json, --threads, --quiet, --color, --help"
        );
        assert!(refused("strong4 help qurey").contains("did you mean 'query'?"));
        assert_eq!(
            refused("strong4 --limit 5 query 44"),
            "unexpected argument '--limit' found; it belongs after 'query'"
        );
        assert_eq!(
            refused("strong4 --threads 2 completions"),
            "the following required arguments were not provided: <SHELL>; see 'strong4 \
             completions --help'"
        );
        assert_eq!(
            refused("strong4 count --board 7y6"),
            "--board: '7y6' is not a board: expected WIDTHxHEIGHT, such as 7x6"
        );
        assert_eq!(
            refused("strong4 count --color red"),
            "--color: 'red' is invalid: expected one of auto, always, never"
        );
        assert_eq!(
            refused("strong4 count --threads 0"),
            "--threads: '0' is not a number of threads: expected a whole number from 1 to 1024"
        );
    }
}
