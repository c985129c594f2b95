#!/usr/bin/env bash
# Writes the page as files for any static host, into the folder given or target/page: the page of
# `strong4 serve`, with answers from WebAssembly instead of from the server.
set -euo pipefail
cd "$(dirname "$0")/../.."

page=${1:-target/page}
js/build.sh
rm -rf "$page"
mkdir -p "$page/engine"
cp src/cli/serve/page/* "$page"
cp js/page/*.js js/page/manifest.webmanifest "$page"
rm "$page/openapi.json"
cp js/package/{browser,solver,engine,worker}.js js/package/strong4.wasm "$page/engine"

# The policy that the server sends as a header; WebAssembly and a worker are let in too.
policy="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
sed -i "s|^  <meta charset=\"utf-8\">|&\n  <meta http-equiv=\"Content-Security-Policy\" content=\"$policy\">|
    s|^  <link rel=\"icon\"|  <link rel=\"manifest\" href=\"manifest.webmanifest\">\n&|" "$page/index.html"

files=$(cd "$page" && find . -type f ! -name sw.js | LC_ALL=C sort | sed "s|^\./||")
version=$(cd "$page" && LC_ALL=C sha256sum $files sw.js | sha256sum | cut -c 1-16)
# The page itself is asked for as the folder.
names=$(echo "$files" | sed "s|^index.html$||; s|.*|'./&'|" | paste -sd , | sed 's/,/, /g')
sed -i "s|@VERSION@|$version|; s|@FILES@|$names|" "$page/sw.js"
echo "the page is in $page: $(du -sh "$page" | cut -f 1)"
