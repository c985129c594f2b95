#!/usr/bin/env bash
# How many questions a second `strong4 serve` answers, how long they take, and how its memory
# grows: random positions of the middle of the game, over connections that stay open.
#
#     benches/serve.sh target/release/strong4 tables/7x6 [REQUESTS]
#
# wrk asks, from the same machine, in passes of ten seconds until there have been that many
# requests. The first pass reads the tables, and is not counted.
set -euo pipefail
here=$(dirname "$0")
strong4=$1 tables=$2 requests=${3:-200000}
tiers=${TIERS:-10..30} connections=${CONNECTIONS:-16}
command -v wrk > /dev/null || { echo "bench-serve: wrk is not installed" >&2; exit 2; }

scratch=$(mktemp -d)
trap 'kill "$server" 2> /dev/null || true; rm -rf "$scratch"' EXIT
"$strong4" sample --tables "$tables" --tiers "$tiers" --count 5000 | cut -d, -f2 | tail -n +2 \
    | shuf --random-source=<(yes) > "$scratch/positions"
"$strong4" serve --tables "$tables" --listen 127.0.0.1:0 --log "${LOG:-text}" 2> "$scratch/log" &
server=$!
until address=$(grep -o -m 1 'http://[0-9.:]*[0-9]' "$scratch/log"); do sleep 0.1; done

# Memory of the server's own, without the tables that the system keeps for it.
own() { awk '/^RssAnon/ { print $2 " " $3 }' "/proc/$server/status"; }
# Processor time of the server in hundredths of a second.
spent() { cut -d ' ' -f 14,15 "/proc/$server/stat" | { read -r user system; echo $((user + system)); }; }
pass() { # SECONDS
    wrk --threads 1 --connections "$connections" --duration "$1" --latency \
        --script "$here/serve.lua" "$address" -- "$scratch/positions"
}

pass 10 > /dev/null
echo "$(wc -l < "$scratch/positions") positions of tiers $tiers, $connections connections"
echo "own memory after the first pass: $(own)"
total=0
while [ "$total" -lt "$requests" ]; do
    before=$(spent)
    pass 10 > "$scratch/pass"
    answered=$(sed -n 's/^ *\([0-9]*\) requests in.*/\1/p' "$scratch/pass")
    total=$((total + answered))
    echo "$(sed -n 's/^Requests.sec: *\([0-9]*\).*/\1/p' "$scratch/pass") a second," \
        "$(awk '/^ *50%/ { print "median " $2 } /^ *99%/ { print ", 99 of 100 within " $2 }' ORS= "$scratch/pass")," \
        "$(sed -n 's/^failed: //p' "$scratch/pass") failed," \
        "$((($(spent) - before) * 10000 / answered)) us of processor time each;" \
        "$total so far, own memory $(own)"
done
