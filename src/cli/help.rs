//! `strong4 man` and `strong4 completions`: the help of all subcommands as man pages, and command
//! line completion for shells.

use std::path::PathBuf;
use std::{fs, io};

use anyhow::Context;
use clap::{Arg, Args, Command};
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use clap_mangen::roff::{Inline, Roff, bold, italic, roman};
use strong4::files::PROGRAM;

use super::output::{cannot_write, print};
use super::{Exit, Global, definition};

const MAN_EXAMPLES: &str = "\
Examples:
  strong4 man > strong4.1
  strong4 man --to man1";

/// Print the man page, or write it and those of all subcommands to a folder
#[derive(Args)]
#[command(after_help = MAN_EXAMPLES)]
pub(super) struct ManPages {
    /// Write the pages of all subcommands too, to this folder, and print nothing
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
}

impl ManPages {
    pub(super) fn run(&self, _: &Global) -> anyhow::Result<Exit> {
        let mut program = definition().disable_help_subcommand(true);
        program.build();
        let Some(folder) = &self.to else {
            print([String::from_utf8_lossy(&page(&program)?).trim_end()])?;
            return Ok(Exit::Fine);
        };
        let write = |folder: &PathBuf| -> io::Result<()> {
            fs::create_dir_all(folder)?;
            for command in std::iter::once(&program).chain(program.get_subcommands()) {
                fs::write(folder.join(format!("{}.1", title(command))), page(command)?)?;
            }
            Ok(())
        };
        write(folder).with_context(|| cannot_write(folder))?;
        Ok(Exit::Fine)
    }
}

/// `strong4-count`.
fn title(command: &Command) -> &str {
    command.get_display_name().unwrap_or(command.get_name())
}

/// The command with its whole description in one piece.
fn described(command: &Command) -> Command {
    let parts = [command.get_about(), command.get_before_help()];
    let parts: Vec<String> = parts.into_iter().flatten().map(ToString::to_string).collect();
    command.clone().long_about(parts.join("\n\n"))
}

fn page(command: &Command) -> io::Result<Vec<u8>> {
    let man = Man::new(described(command)).source(PROGRAM).manual("strong4");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    synopsis(command).to_writer(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    let behind = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    sections(&behind).to_writer(&mut page)?;
    if command.get_version().is_some() {
        man.render_version_section(&mut page)?;
    }
    Ok(page)
}

/// The synopsis of a command: its own options with their values, its arguments, and last the
/// options of all commands.
fn synopsis(command: &Command) -> Roff {
    let (global, own): (Vec<&Arg>, Vec<&Arg>) =
        command.get_opts().chain(switches(command)).partition(|arg| is_global(arg));
    let mut words = vec![bold(command.get_bin_name().unwrap_or("strong4"))];
    own.into_iter().for_each(|arg| option(arg, &mut words));
    for arg in command.get_positionals() {
        let (before, behind) = if arg.is_required_set() { (" ", "") } else { (" [", "]") };
        words.extend([roman(before), italic(value(arg)), roman(behind)]);
        if arg.get_num_args().is_some_and(|number| number.max_values() > 1) {
            words.push(roman(" ..."));
        }
    }
    if command.has_subcommands() {
        words.extend([roman(" "), italic("command")]);
    }
    global.into_iter().for_each(|arg| option(arg, &mut words));
    let mut roff = Roff::new();
    roff.control("SH", ["SYNOPSIS"]).text(words);
    roff
}

/// Options without a value.
fn switches(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| !arg.is_positional() && !arg.get_action().takes_values())
}

/// Options of every command.
fn is_global(arg: &Arg) -> bool {
    arg.is_global_set() || ["help", "version"].contains(&arg.get_id().as_str())
}

fn option(arg: &Arg, words: &mut Vec<Inline>) {
    let Some(long) = arg.get_long() else { return };
    words.extend([roman(" ["), bold(format!("--{long}"))]);
    if arg.get_action().takes_values() {
        let optional = arg.get_num_args().is_some_and(|number| number.min_values() == 0);
        let (before, behind) = if optional { ("[=", "]") } else { (" ", "") };
        words.extend([roman(before), italic(value(arg)), roman(behind)]);
    }
    words.push(roman("]"));
}

/// The name of an argument's value.
fn value(arg: &Arg) -> String {
    let names = arg.get_value_names().unwrap_or_default();
    names.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// The text after the options: lines that end with a colon are headings, and indented lines
/// below them are kept as they are.
fn sections(text: &str) -> Roff {
    let mut roff = Roff::new();
    let mut open = false;
    for line in text.lines().filter(|line| !line.is_empty()) {
        match line.strip_suffix(':').filter(|line| !line.starts_with(' ')) {
            Some(heading) => {
                if open {
                    roff.control("fi", []);
                }
                let heading = heading.to_uppercase();
                roff.control("SH", [heading.as_str()]).control("nf", []);
                open = true;
            }
            None => {
                roff.text([roman(line.trim_start())]);
            }
        }
    }
    if open {
        roff.control("fi", []);
    }
    roff
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  strong4 completions bash > strong4.bash
  strong4 completions zsh > _strong4
  strong4 completions fish > strong4.fish";

/// Print the completion script of a shell
///
/// `make install` installs it where shells look for it.
#[derive(Args)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub(super) struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl Completions {
    pub(super) fn run(&self, _: &Global) -> anyhow::Result<Exit> {
        let mut script = Vec::new();
        generate(self.shell, &mut definition(), "strong4", &mut script);
        print([String::from_utf8_lossy(&script).trim_end()])?;
        Ok(Exit::Fine)
    }
}
