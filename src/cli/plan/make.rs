//! A plan as a makefile: each part waits for those that it needs, and for no others.
//!
//! Targets are names, not files: each part looks itself whether it is done.

use std::fmt::Write;

use strong4::tabulate::Planned;

use crate::cli::numbers::counted;

use super::script::{Script, mebibytes};

/// The whole makefile.
pub fn text(script: &Script, planned: &Planned) -> String {
    let Script { board, threads, .. } = script;
    let parts = planned.plan.parts();
    let (number, memory) = (counted(parts.len() as u64, "part", "parts"), mebibytes(parts));
    let cores = counted(*threads as u64, "core", "cores");
    let (solve, verify) = (literal(&script.solve()), literal(&script.verify()));
    let names: Vec<String> = parts.iter().map(|part| format!("part-{}", part.number)).collect();
    let names = names.join(" ");
    let mut text = format!(
        "\
# Solves {board} in {number}, each on {cores}, and checks the tables. Written by
# 'strong4 plan --make': 'make --jobs 4 --file FILE' solves four parts at a time.
PARTS = {names}

.PHONY: verify tables $(PARTS)

verify: tables
\t{verify}

tables: $(PARTS)
\t{solve} --mem {memory}MiB --part tables

$(PARTS): part-%:
\t{solve} --mem {memory}MiB --part $*

"
    );
    for part in parts.iter().filter(|part| !part.needs.is_empty()) {
        let _ = write!(text, "part-{}:", part.number);
        part.needs.iter().for_each(|need| _ = write!(text, " part-{need}"));
        text.push('\n');
    }
    text
}

/// A command as make hands it to the shell.
fn literal(command: &str) -> String {
    command.replace('$', "$$")
}
