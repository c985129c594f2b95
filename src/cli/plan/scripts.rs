//! A plan as a makefile, in which each part waits only for those that it needs, and as a shell
//! script that submits it to Slurm: an array of jobs for each stage, and a last job for the tables.
//!
//! The commands mean the same in any folder, on any machine. Targets of the makefile are names, not
//! files: each part checks for itself whether it is done.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use strong4::board::Board;
use strong4::tabulate::{Part, Planned, Request};

use crate::cli::advice::quoted;
use crate::cli::output::numbers::counted;

/// The commands of a planned run, quoted for a shell.
pub(super) struct Script {
    /// The board.
    pub board: Board,
    /// The folder of the tables.
    pub tables: String,
    /// The folder for the output of jobs.
    pub log: String,
    /// `strong4`, with its folder.
    program: String,
    /// The folder of the working files, if it is not inside that of the tables.
    scratch: Option<String>,
    /// Threads of each part.
    pub threads: usize,
}

impl Script {
    /// The script of a request; an error if the names of its folders cannot be quoted for a shell.
    pub(super) fn new(request: &Request) -> anyhow::Result<Script> {
        let tables = absolute(&request.tables)?;
        let scratch = absolute(&request.scratch)?;
        let is_inside = scratch == tables.join("scratch");
        let program = std::env::current_exe().context("cannot tell where this program is")?;
        Ok(Script {
            board: request.board,
            log: word(&tables.join("log"))?,
            tables: word(&tables)?,
            program: word(&program)?,
            scratch: if is_inside { None } else { Some(word(&scratch)?) },
            threads: rayon::current_num_threads(),
        })
    }

    /// The command that solves parts; its memory and the part must still be appended.
    pub(super) fn solve(&self) -> String {
        let Script { board, tables, program, threads, .. } = self;
        let scratch = self.scratch.as_ref().map(|folder| format!(" --scratch {folder}"));
        let scratch = scratch.unwrap_or_default();
        format!(
            "{program} solve --board {board} --tables {tables}{scratch} --threads {threads} --quiet"
        )
    }

    /// The command that checks the tables.
    pub(super) fn verify(&self) -> String {
        let Script { board, tables, program, threads, .. } = self;
        format!("{program} verify --board {board} --tables {tables} --threads {threads}")
    }
}

/// Mebibytes for the largest of these parts: its estimate and a quarter more.
pub(super) fn mebibytes<'a>(parts: impl IntoIterator<Item = &'a Part>) -> u64 {
    let most = parts.into_iter().map(|part| part.memory).max().unwrap_or(0);
    (most / 4 * 5).div_ceil(1 << 20)
}

fn absolute(path: &Path) -> anyhow::Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("cannot find {}", path.display()))
}

/// A path as a word of a shell.
fn word(path: &Path) -> anyhow::Result<String> {
    match path.to_str() {
        Some(text) if !text.chars().any(char::is_control) => Ok(quoted(text)),
        _ => bail!("{} cannot be written in a script: choose another name", path.display()),
    }
}

/// The whole makefile.
pub(super) fn makefile(script: &Script, planned: &Planned) -> String {
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

/// How many times its estimate a job may take, plus these minutes: nodes differ.
const TIMES: u64 = 4;
const MINUTES: u64 = 10;

/// Bytes of tables that a slow disk writes, and reads back, in a minute.
const BYTES_A_MINUTE: u64 = 50 * 60 * 1_000_000;

/// The whole script.
pub(super) fn slurm_script(script: &Script, planned: &Planned) -> String {
    let Script { board, log, threads, .. } = script;
    let parts = planned.plan.parts();
    let (solve, verify) = (script.solve(), script.verify());
    let number = counted(parts.len() as u64, "part", "parts");
    let cores = counted(*threads as u64, "core", "cores");
    let mut text = format!(
        "\
#!/bin/sh
# Solves {board} in {number}, each on {cores}, and checks the tables. Written by
# 'strong4 plan --slurm': piped into sh, it submits all jobs. Given again, it submits them again,
# and what is done is not done twice. SBATCH_PARTITION, SBATCH_ACCOUNT and the like are heeded.
set -eu
mkdir -p {log}

submit() {{
    sbatch --parsable --requeue --open-mode=append --kill-on-invalid-dep=yes \\
        --nodes=1 --ntasks=1 --cpus-per-task={threads} --chdir={log} \"$@\"
}}

# What other nodes have just written may be seen late on a shared disk: so jobs have a second try.
parts() {{
    submit --output=part-%a.log \"$@\" <<'END'
#!/bin/sh
part() {{
    {solve} \\
        --mem \"${{SLURM_MEM_PER_NODE}}MiB\" --part \"$SLURM_ARRAY_TASK_ID\"
}}
part || {{ sleep 65; part; }}
END
}}

tables() {{
    submit --output=tables.log \"$@\" <<'END'
#!/bin/sh
set -e
tables() {{
    {solve} \\
        --mem \"${{SLURM_MEM_PER_NODE}}MiB\" --part tables
}}
tables || {{ sleep 65; tables; }}
{verify}
END
}}

"
    );
    let mut after = "";
    for stage in planned.plan.stages() {
        let (first, last) = (&stage[0], &stage[stage.len() - 1]);
        let (number, memory) = (first.stage, mebibytes(stage));
        let minutes = stage.iter().map(|part| minutes(part, *threads)).max().unwrap_or(MINUTES);
        text += &format!(
            "jobs=$(parts --job-name={board}-{number} --array={}-{} --mem={memory}M \
             --time={minutes}{after})\n\
             echo \"stage {number}: job ${{jobs%%;*}}\"\n",
            first.number, last.number,
        );
        after = " --dependency=afterok:\"${jobs%%;*}\"";
    }
    let memory = mebibytes(parts);
    let minutes = MINUTES + TIMES * planned.alone.tables / BYTES_A_MINUTE;
    text += &format!(
        "jobs=$(tables --job-name={board}-tables --mem={memory}M --time={minutes}{after})\n\
         echo \"tables: job ${{jobs%%;*}}\"\n"
    );
    text
}

/// Minutes that a part may take.
fn minutes(part: &Part, threads: usize) -> u64 {
    let seconds = part.nanoseconds / 1_000_000_000 / threads as u64;
    MINUTES + (seconds * TIMES).div_ceil(60)
}
