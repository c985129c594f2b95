#!/usr/bin/env bash
# Solves boards on a Slurm cluster, kills jobs and takes nodes away meanwhile, and compares the
# tables with those of one process, byte by byte.
#
# The cluster is real, but all of it is on this machine and in a temporary folder: munged, one
# slurmctld, and a slurmd for each of four nodes. Nothing of it is left at the end.
#
#   usage: tests/cluster/run.sh PROGRAM
set -euo pipefail

strong4=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
for command in munged slurmctld slurmd sbatch squeue scontrol; do
    if ! command -v "$command" > /dev/null; then
        echo "test-cluster: there is no $command: install slurm-wlm and munge" >&2
        exit 1
    fi
done

home=$(mktemp -d "${TMPDIR:-/tmp}/strong4-cluster-XXXXXX")
# shellcheck source=tests/cluster/slurm.sh
source "$here/slurm.sh"
trap 'code=$?; trap - EXIT; take_down; [ $code = 0 ] || show_logs; rm -rf "$home"; exit $code' EXIT
trap 'exit 130' INT TERM

say() { echo "test-cluster: $*"; }
fail() { say "$*" >&2; exit 1; }

# Waits, for a minute at most, until a command succeeds.
until_true() {
    for ((tries = 0; tries < 1200; tries++)); do
        if "$@"; then return; fi
        sleep 0.05
    done
    fail "in vain: $*"
}

# The processes that solve parts of a folder, wherever they run.
at_work() { pgrep -f "^$strong4 solve .*--tables $tables .*--part [0-9]"; }
# A job that solves a part, and its node.
running() { squeue --noheader --states=RUNNING --format='%i %N' | head -n 1; }
is_at_work() {
    [ -n "$(running)" ] && at_work > /dev/null && compgen -G "$tables/run/*.piece.*.new" > /dev/null
}
is_over() { [ -z "$(squeue --noheader)" ]; }

# A process is killed with all that it was doing. Its job begins again.
kill_a_process() {
    until_true is_at_work
    kill -KILL "$(at_work | head -n 1)" || fail "no process to kill"
    say "$board: killed a process"
}

# A job is taken off its node, and put into the queue again.
requeue_a_job() {
    until_true is_at_work
    local job
    job=$(running | cut -d ' ' -f 1)
    scontrol requeue "$job" || fail "job $job cannot be queued again"
    say "$board: queued job $job again"
}

# A node no longer answers, but what runs there goes on, unknown to anyone. Its jobs are started
# on other nodes at the same time.
take_a_node_away() {
    until_true is_at_work
    local node
    node=$(running | cut -d ' ' -f 2)
    stop_node "$node"
    scontrol update NodeName="$node" State=DOWN Reason=taken
    say "$board: took $node away"
}

# Solves a board in parts, while these things happen to it.
solve() {
    board=$1 parts=$2
    shift 2
    tables=$home/$board
    "$strong4" solve --board "$board" --tables "$home/alone" --quiet > /dev/null
    "$strong4" plan --board "$board" --tables "$tables" --parts "$parts" --threads 1 --slurm --quiet | sh
    for happens in "$@"; do
        "$happens"
    done
    until_true is_over
    [ -e "$tables/manifest.json" ] || fail "$board has no tables: $(squeue)"
    grep -q 'are as they were written' "$tables/log/tables.log" || fail "$board was not verified"
    local table
    for table in "$home"/alone/*.s4t; do
        cmp "$table" "$tables/$(basename "$table")"
    done
    [ "$(ls "$home"/alone/*.s4t | wc -l)" = "$(ls "$tables"/*.s4t | wc -l)" ] || fail "other tables"
    [ ! -e "$tables/run" ] && [ ! -e "$tables/scratch" ] || fail "$board left working files"
    say "$board: $(ls "$tables"/*.s4t | wc -l) tables, the same as those of one process"
    rm -rf "$home/alone" "$tables"
}

bring_up
solve 6x5 8 requeue_a_job take_a_node_away
solve 7x4 8 kill_a_process
say "$SECONDS seconds"
