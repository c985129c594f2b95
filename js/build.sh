#!/usr/bin/env bash
# Builds the WebAssembly of the npm package: js/package/strong4.wasm. Takes rustup's target if it is
# installed, and else the sources of the standard library that Debian packages. With --check it only
# says whether there is either.
set -euo pipefail
cd "$(dirname "$0")"

target=wasm32-unknown-unknown
build=(build --release --locked --target "$target" --target-dir ../target/js)
debian="rustc-web cargo-web rust-web-src lld"

if command -v rustup > /dev/null && rustup target list --installed | grep -qx "$target"; then
    [ "${1-}" = --check ] || cargo "${build[@]}"
elif compgen -G "/usr/src/rustc-*/library/std/Cargo.toml" > /dev/null && [ -x /usr/bin/cargo ] &&
    command -v wasm-ld > /dev/null; then
    # Its library is built with the rest, which a stable compiler only does when it is told to.
    [ "${1-}" = --check ] || RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld \
        /usr/bin/cargo -Z build-std=std,panic_abort "${build[@]}"
else
    echo "js/build.sh: there is no $target for Rust:" >&2
    echo "  rustup target add $target, or on Debian apt-get install $debian" >&2
    exit 3
fi

[ "${1-}" != --check ] || exit 0
module=../target/js/$target/release/strong4_js.wasm
if command -v wasm-opt > /dev/null; then
    wasm-opt -O3 --strip-debug --enable-bulk-memory --enable-sign-ext \
        --enable-nontrapping-float-to-int --enable-mutable-globals --enable-multivalue \
        --enable-reference-types "$module" -o package/strong4.wasm
else
    echo "js/build.sh: there is no wasm-opt (Debian's binaryen): the module will be larger" >&2
    cp "$module" package/strong4.wasm
fi
