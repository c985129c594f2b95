#!/usr/bin/env bash
# Builds the WebAssembly of the npm package: js/package/strong4.wasm. With --check it only says
# whether there is a Rust for it.
set -euo pipefail
cd "$(dirname "$0")"

target=wasm32-unknown-unknown
cargo=../.ci/cargo-for
"$cargo" "$target" --check
[ "${1-}" != --check ] || exit 0
"$cargo" "$target" build --release --locked --target-dir ../target/js
module=../target/js/$target/release/strong4_js.wasm
if command -v wasm-opt > /dev/null; then
    wasm-opt -O3 --strip-debug --enable-bulk-memory --enable-sign-ext \
        --enable-nontrapping-float-to-int --enable-mutable-globals --enable-multivalue \
        --enable-reference-types "$module" -o package/strong4.wasm
else
    echo "js/build.sh: there is no wasm-opt (Debian's binaryen): the module will be larger" >&2
    cp "$module" package/strong4.wasm
fi
