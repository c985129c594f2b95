//! The command line. One module per subcommand: arguments in, one call into the library, report
//! out. `input` and `output` are what they share. Nothing outside this folder prints.
//!
//! Data goes to standard output, everything else to standard error, one line per message.

mod advice;
mod allocator;
mod count;
mod exam;
mod exit;
mod grade;
mod help;
mod index;
mod input;
mod interrupt;
mod main;
mod output;
mod plan;
mod play;
mod positions;
mod query;
mod review;
#[cfg(feature = "serve")]
mod serve;
mod show;
mod solve;
mod stats;
mod status;
mod threads;
mod verify;
mod zobrist;

use clap::{Arg, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum, ValueHint};

use advice::in_words;
use exit::Exit;
use output::say;
use strong4::table::FolderError;

pub use allocator::Allocator;
pub use main::main;

const BEHIND_HELP: &str = "\
Exit codes:
  0    done, or the answer is yes
  1    the answer is no: a difference, a fault, no tables
  2    bad usage, or failed input or output
  130  stopped by Ctrl-C

Environment:
  NO_COLOR           turns colours off, if set and not empty
  RAYON_NUM_THREADS  number of threads, unless --threads is given

Examples:
  strong4 count --board 5x4
  strong4 solve --board 5x4
  strong4 query 3145175534244665
  strong4 help solve";

/// Connect Four, tier by tier: counts positions, solves them, and gives the value of each.
#[derive(Parser)]
#[command(version, after_help = BEHIND_HELP)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// The subcommands, each with its arguments; all of them run alike.
macro_rules! subcommands {
    ($($(#[$condition:meta])* $name:ident($arguments:ty),)+) => {
        #[derive(Subcommand)]
        enum Command {
            $($(#[$condition])* $name($arguments),)+
        }

        impl Command {
            fn run(&self, global: &Global) -> anyhow::Result<Exit> {
                match self {
                    $($(#[$condition])* Command::$name(arguments) => arguments.run(global),)+
                }
            }
        }
    };
}

subcommands! {
    Count(count::Count),
    Exam(exam::Exam),
    Grade(grade::Grade),
    Index(index::Index),
    List(positions::List),
    Plan(plan::Plan),
    Play(play::Play),
    Query(query::Query),
    Review(review::Review),
    Sample(positions::Sample),
    #[cfg(feature = "serve")]
    Serve(serve::Serve),
    Show(show::Show),
    Solve(solve::Solve),
    Stats(stats::Stats),
    Status(status::Status),
    Verify(verify::Verify),
    Zobrist(zobrist::Zobrist),
    Completions(help::Completions),
    Man(help::ManPages),
}

/// The options of every subcommand.
#[derive(Args)]
#[command(next_help_heading = "Global options")]
struct Global {
    /// Number of threads [default: RAYON_NUM_THREADS, or one per core]
    #[arg(long, global = true, value_name = "N", value_parser = threads::number, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Print only errors, no progress and no remarks
    #[arg(long, global = true)]
    quiet: bool,
    /// Colour the stones of drawings; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ColorChoice {
    Auto,
    Always,
    Never,
}

impl Cli {
    /// Parses the command line.
    fn read() -> Result<Cli, clap::Error> {
        Cli::from_arg_matches(&definition().try_get_matches()?)
    }

    /// Runs the subcommand.
    fn run(self) -> anyhow::Result<Exit> {
        let Cli { global, command } = self;
        interrupt::survive_limits_on_files();
        interrupt::answer_interrupts();
        // The others compute nothing.
        if !matches!(command, Command::Completions(_) | Command::Man(_)) {
            threads::start(global.threads)?;
        }
        let done = command.run(&global);
        interrupt::leave_the_end_to_others();
        done.or_else(|error| {
            if !error.downcast_ref().is_some_and(FolderError::is_absence) {
                return Err(error);
            }
            say(format_args!("{}", in_words(&error)));
            Ok(Exit::No)
        })
    }
}

/// The definition of the command line, with help that fits a screen.
///
/// A subcommand's description below its first line is placed between that line and the usage:
/// as a long description it would make clap put an empty line between all options.
fn definition() -> clap::Command {
    const TEMPLATE: &str =
        "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";
    // Only arguments that are files are completed as files.
    let hint = |arg: Arg| match arg.get_value_hint() {
        ValueHint::Unknown if arg.get_value_parser().possible_values().is_none() => {
            arg.value_hint(ValueHint::Other)
        }
        _ => arg,
    };
    Cli::command().mut_args(hint).mut_subcommands(|command| {
        let command = command.mut_args(hint);
        let Some(text) = command.get_long_about().map(ToString::to_string) else { return command };
        let more = text.split_once("\n\n").map_or("", |(_, more)| more).to_owned();
        command.long_about(None).before_help(more).help_template(TEMPLATE)
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn the_definition_of_the_command_line_is_sound() {
        definition().debug_assert();
    }

    /// The commands of this program in a shell line, each split into words.
    fn commands_in(line: &str) -> Vec<Vec<String>> {
        let line = line.split(" #").next().unwrap_or(line).replace("target/release/", "");
        let parts = line.split(['|', ';', '>']).map(|part| part.trim().trim_start_matches("time "));
        // Whatever a shell has to unquote is only run, not parsed.
        let named = parts.filter(|part| part.starts_with("strong4 ") && !part.contains('\''));
        named.map(|part| part.split_whitespace().map(str::to_owned).collect()).collect()
    }

    #[test]
    fn commands_that_no_test_runs_parse() {
        let mut program = definition();
        program.build();
        let helps = std::iter::once(&program).chain(program.get_subcommands());
        let helps = helps.filter_map(|c| c.get_after_help()).map(ToString::to_string);
        let help_lines = |help: String| help.lines().map(str::to_owned).collect::<Vec<_>>();
        let mut lines: Vec<String> = helps.flat_map(help_lines).collect();
        // What tests/documents.rs does not run: slow blocks, and lines indented by four spaces.
        let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
        let docs = fs::read_dir(repository.join("docs")).unwrap().map(|file| file.unwrap().path());
        let documents = docs.filter(|file| file.extension().is_some_and(|end| end == "md"));
        let others = ["README.md", "data/README.md"].map(|name| repository.join(name));
        for document in documents.chain(others) {
            let text = fs::read_to_string(document).unwrap();
            let kinds = ["```sh slow\n", "```sh parsed\n"].into_iter();
            let blocks = kinds.flat_map(|kind| text.split(kind).skip(1));
            let in_blocks = blocks.flat_map(|block| block.split("```").next().unwrap().lines());
            let set_in = text.lines().filter_map(|line| line.strip_prefix("    "));
            let shown = in_blocks.filter_map(|line| line.strip_prefix("$ ")).chain(set_in);
            lines.extend(shown.map(str::to_owned));
        }
        let commands: Vec<Vec<String>> =
            lines.iter().flat_map(|line| commands_in(&line.replace("WxH", "5x4"))).collect();
        assert!(commands.len() > 30, "{}", commands.len());
        for words in commands {
            // Help and version are refused too, but not as errors.
            let error = Cli::try_parse_from(&words).err().filter(clap::Error::use_stderr);
            assert!(error.is_none(), "{words:?}: {}", error.unwrap());
        }
    }
}
