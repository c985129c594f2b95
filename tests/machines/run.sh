#!/usr/bin/env bash
# Builds the program for other machines, runs it in emulators, and compares what it makes with what
# the program of this machine makes, byte by byte.
#
#   usage: tests/machines/run.sh PROGRAM one|core|all
#
# MACHINES names the machines. `one` takes one of them, which the commit decides, and leaves out the
# server and the run in parts. What takes long, such as the tests of the library, is part of `all`
# only. A machine for which something is missing is skipped, and the last lines say so.
set -euo pipefail

strong4=$(realpath "$1")
extent=$2
cd "$(dirname "$(realpath "$0")")/../.."
MACHINES=${MACHINES:-aarch64-unknown-linux-gnu s390x-unknown-linux-gnu x86_64-pc-windows-gnu}

home=$(mktemp -d "${TMPDIR:-/tmp}/strong4-machines-XXXXXX")
# Servers and runs name the folder, and none of them outlives it.
trap 'pkill -KILL -f -- "$home/" || true; rm -rf "$home"' EXIT
trap 'exit 130' INT TERM
export WINEDEBUG=-all WINEPREFIX=$home/wine

say() { echo "test-machines: ${machine:+$machine: }$*"; }
fail() { say "$*" >&2; exit 1; }

# The program of the other machine. Its lines end as they do there.
there() { "${runner[@]}" "$program" "$@" | tr -d '\r'; }
here() { "$strong4" "$@"; }

# Compares the tables of two folders. Their manifests also say when they were made.
same_tables() {
    diff -rq --exclude=manifest.json "$1" "$2" || fail "the tables differ"
}

# A run is begun by one program, killed as soon as pieces of its tables are there, and ended by the
# other: $1 and $2.
killed_and_resumed() {
    local begin=$1 end=$2 tables=$home/killed
    rm -rf "$tables"
    for ((tries = 0; tries < 20; tries++)); do
        "$begin" solve --board 5x5 --scores --tables "$tables" --checkpoint 0s --threads 1 --quiet \
            > /dev/null 2>&1 &
        until compgen -G "$tables/run/*piece*" > /dev/null || ! kill -0 $! 2> /dev/null; do
            sleep 0.005
        done
        # The shell's child may be a function that waits for the program.
        pkill -KILL -f -- "solve --board 5x5 --scores --tables $tables" || true
        { wait $! || true; } 2> /dev/null
        [ ! -e "$tables/manifest.json" ] || { rm -rf "$tables"; continue; }
        "$end" solve --board 5x5 --scores --tables "$tables" --quiet > /dev/null
        same_tables "$home/here-5x5" "$tables"
        say "a run begun by $begin and killed, and resumed by $end"
        return
    done
    fail "no run of $begin was killed in time"
}

# A run in parts, of which each program solves some.
parts_of_both() {
    local tables=$home/parts parts part who=there
    rm -rf "$tables"
    [ -d "$home/here-7x4" ] || here solve --board 7x4 --tables "$home/here-7x4" --quiet > /dev/null
    parts=$(here plan --board 7x4 --tables "$tables" --threads 1 --parts 8 --make 2>&1 > /dev/null |
        sed -n 's/.* in \([0-9]*\) parts .*/\1/p')
    # They are numbered in an order in which they can be solved.
    for part in $(seq "$parts") tables; do
        "$who" solve --board 7x4 --tables "$tables" --part "$part" --quiet > /dev/null
        if [ "$who" = there ]; then who=here; else who=there; fi
    done
    same_tables "$home/here-7x4" "$tables"
    say "a run in $parts parts, solved by both in turns"
}

# What a program prints, without the times that it took. $2 has tables of 5x5.
answers() {
    {
        "$1" count --board 5x4 --check --quiet
        "$1" count --tiers 0..8 --check --quiet
        "$1" solve --board 4x4 --no-tables --json --quiet
        printf '33\n3332\n' | "$1" query - --board 5x5 --tables "$2" --json
        printf '4444443\n44444436\n' | "$1" query - --json
        "$1" review 444444 --json
        "$1" sample --board 5x5 --tiers 12 --count 20 --seed 3 --csv
        "$1" show 4453
        printf '4\nmoves\nquit\n' | "$1" play --level 5
        "$1" query 44444444 2>&1 || echo "exit code $?"
    } | without_times
}
without_times() { sed -E 's/,"(micros|seconds)":[0-9.e-]+//g'; }

# A server there answers what the program here prints.
served() {
    "${runner[@]}" "$program" serve --listen 127.0.0.1:0 --tables "$home/here-5x5" > "$home/served" 2>&1 &
    local server=$! address=
    for ((tries = 0; tries < 600 && ${#address} == 0; tries++)); do
        address=$(grep -o -m 1 'http://127.0.0.1:[0-9]*' "$home/served") || sleep 0.1
    done
    python3 -c 'import sys, urllib.request as r; print(r.urlopen(sys.argv[1]).read().decode().strip())' \
        "$address/api/analyze?moves=33" | without_times > "$home/answered" || fail "serve: $(cat "$home/served")"
    pkill -KILL -f -- "--tables $home/here-5x5" || true
    { wait "$server" || true; } 2> /dev/null
    here query --board 5x5 --tables "$home/here-5x5" --json 33 | without_times > "$home/asked"
    diff "$home/asked" "$home/answered" || fail "serve answers something else"
    say "the same answer from a server"
}

machine=
for board in 5x4 5x5; do
    here solve --board "$board" --scores --tables "$home/here-$board" --quiet > /dev/null
done
answers here "$home/here-5x5" > "$home/answers"

skipped=() ready=()
for machine in $MACHINES; do
    if reason=$(.ci/cargo-for "$machine" --check 2>&1); then
        ready+=("$machine")
    else
        skipped+=("$machine: ${reason#*: }")
    fi
done
if [ "$extent" = one ] && [ "${#ready[@]}" != 0 ]; then
    ready=("${ready[0x$(git rev-parse --short=7 HEAD || echo 0) % ${#ready[@]}]}")
fi

for machine in ${ready[@]+"${ready[@]}"}; do
    say "building"
    .ci/cargo-for "$machine" build --quiet --locked --profile machines -p strong4-cli \
        $([ "$extent" != one ] || echo --no-default-features) --target-dir target/machines
    program=target/machines/$machine/machines/strong4
    case "$machine" in
        *windows*)
            runner=(wine) program=$program.exe
            wineboot --init > /dev/null 2>&1 || true
            mkdir -p "$(dirname "$program")/deps"
            for folder in "$(dirname "$program")"{,/deps}; do
                x86_64-w64-mingw32-gcc -shared -o "$folder/bcryptprimitives.dll" \
                    tests/machines/bcryptprimitives.c -ladvapi32
            done
            ;;
        *) runner=("qemu-${machine%%-*}" -L "/usr/${machine%%-*}-linux-gnu") ;;
    esac
    case "$machine" in
        aarch64*)
            vectors=$(tests/machines/vectors.sh "$program") || fail "too few $vectors"
            say "$vectors"
            ;;
    esac
    answers there "$home/here-5x5" > "$home/answers-there"
    diff "$home/answers" "$home/answers-there" || fail "it answers something else"
    say "the same answers from tables made here"
    for board in 5x4 5x5; do
        there solve --board "$board" --scores --tables "$home/there-$board" --quiet > /dev/null
        same_tables "$home/here-$board" "$home/there-$board"
        here verify --board "$board" --tables "$home/there-$board" --deep --quiet
        there verify --board "$board" --tables "$home/here-$board" --deep --quiet
        say "the same tables of $board with scores, byte by byte"
    done
    if [ "$extent" != one ]; then
        parts_of_both
        served
    fi
    if [ "$extent" = all ]; then
        killed_and_resumed there here
        killed_and_resumed here there
        say "the tests of the library"
        .ci/cargo-for "$machine" test --quiet --locked --profile machines -p strong4 --lib \
            --target-dir target/machines
    fi
done
machine=
for reason in ${skipped[@]+"${skipped[@]}"}; do
    say "SKIPPED $reason"
done
say "done: ${ready[*]-}; ${#skipped[@]} of $(wc -w <<< "$MACHINES") machines skipped"
