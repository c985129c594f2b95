//! A plan as a shell script that submits it to Slurm: an array of jobs for each stage, each of
//! which waits for the one before, and at last a job that puts the tables together.

use strong4::tabulate::{Part, Planned};

use crate::cli::numbers::counted;

use super::script::{Script, mebibytes};

/// How many times longer than estimated a job may take, and minutes besides: nodes differ.
const TIMES: u64 = 4;
const MINUTES: u64 = 10;

/// Bytes of tables that are written, and read again, in a minute: on a slow disk.
const BYTES_A_MINUTE: u64 = 50 * 60 * 1_000_000;

/// The whole script.
pub fn text(script: &Script, planned: &Planned) -> String {
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
