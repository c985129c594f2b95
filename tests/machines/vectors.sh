#!/usr/bin/env bash
# Counts, in a program for AArch64, the instructions of the kernels that combine bits, and those of
# them that do so in vectors. Fails if these are fewer than half in a kernel that is meant to be made
# of vectors. How fast such a kernel is, only a real machine can tell.
#
#   usage: tests/machines/vectors.sh PROGRAM
set -euo pipefail

aarch64-linux-gnu-objdump --disassemble --demangle --no-show-raw-insn "$1" | awk '
    /^[0-9a-f]+ <.*>:$/ {
        found = match($0, /kernels::(baseline::(fold|finish|quieten)|turn)[^a-z_]/)
        kernel = found ? substr($0, RSTART, RLENGTH - 1) : ""
        sub(/.*::/, "", kernel)
    }
    kernel != "" && $2 ~ /^(and|orr|eor|bic|orn|eon|mvn|bsl|bit|bif)$/ { all[kernel]++; vectors[kernel] += $3 ~ /^v/ }
    END {
        split("fold finish quieten turn", kernels)
        # LLVM keeps most of turn in scalars, in each form of it that was tried.
        meant["fold"] = meant["finish"] = meant["quieten"] = 1
        for (number = 1; number <= 4; number++) {
            kernel = kernels[number]
            text = text ", " vectors[kernel] + 0 " of " all[kernel] + 0 " in " kernel
            bad = bad || meant[kernel] && 2 * vectors[kernel] < all[kernel] || !all[kernel]
        }
        print "vectors among the instructions that combine bits: " substr(text, 3)
        exit bad
    }'
