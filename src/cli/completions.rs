//! `strong4 completions`: command line completion for shells.

use clap::Args;
use clap_complete::{Shell, generate};

use super::output::print;
use super::{Exit, definition};

const EXAMPLES: &str = "\
Examples:
  strong4 completions bash > strong4.bash
  strong4 completions zsh > _strong4
  strong4 completions fish > strong4.fish";

/// Print the completion script of a shell
///
/// `make install` installs it where shells look for it.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl Completions {
    pub fn run(&self) -> anyhow::Result<Exit> {
        let mut script = Vec::new();
        generate(self.shell, &mut definition(), "strong4", &mut script);
        print([String::from_utf8_lossy(&script).trim_end()])?;
        Ok(Exit::Fine)
    }
}
