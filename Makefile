# strong4: `make run` shows it at work, `make test` checks that it is right.
# Only the Rust toolchain is needed.

.DELETE_ON_ERROR:
.PHONY: run program build js page test test-library test-long test-python python-package test-js test-web \
	test-cluster test-machines fuzz fuzz-targets bench bench-solve bench-search bench-query bench-python \
	bench-js bench-serve ci tools lint face features msrv audit semver install packages archive wheel npm \
	crates release-check reference outcomes openings exams clean

# What `make` alone does.
.DEFAULT_GOAL = run

# The program that tests ask. It is built first, unless another one is named.
STRONG4 = target/release/strong4
program: $(if $(filter target/release/%,$(STRONG4)),build)

# The main job on small boards: takes seconds, and is checked against known counts.
run: build
	$(STRONG4) count --board 5x4 --check
	$(STRONG4) count --tiers 0..10 --check
	$(STRONG4) solve --board 5x5 --tables target/tables/5x5
	$(STRONG4) verify --tables target/tables/5x5
	$(STRONG4) stats --tables target/tables/5x5
	@echo
	@echo "Now try:"
	@echo "  $(STRONG4) query 44            the value of a position"
	@echo "  $(STRONG4) play --level 2      a game"
	@echo "  $(STRONG4) help                all commands"

build:
	cargo build --release

test:
	cargo test

# Those of the library alone, which need no program.
test-library:
	cargo test -p strong4 --lib

# The tests that take minutes; then whole boards once more, with panels so small that each tile
# has many.
test-long:
	cargo test --release -- --ignored
	RUSTFLAGS='--cfg small_panels' cargo test --release --target-dir target/small_panels \
		--lib --test library -- --include-ignored sweep:: minimax:: tables_know_every_cell

# Builds the Python package, installs it into a virtual environment, and tests it. PYTHON names
# the interpreter, 3.9 or later.
PYTHON ?= python3
VENV = target/python
PIP = $(VENV)/bin/python -m pip --quiet --disable-pip-version-check

python-package:
	test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	CARGO_TARGET_DIR=$(CURDIR)/$(VENV)/cargo $(PIP) install ./python

test-python: program python-package
	$(PIP) install -r python/tests/requirements.txt
	@grep -v '^#' python/tests/environments.txt | while read -r package; do \
		$(PIP) install "$$package" || echo "test-python: $$package cannot be installed"; \
	done
	STRONG4=$(CURDIR)/$(STRONG4) $(VENV)/bin/python -m pytest python/tests -c python/pyproject.toml -rs

# The npm package in js/package: its WebAssembly.
js:
	js/build.sh

# The page as files for any static host, in target/page: it needs no server, and works offline.
page:
	js/page/build.sh

# The npm package in Node, against the program. ALL=1 compares every position of data/positions and
# every opening, which takes minutes.
JS_TESTS = cd js/tests && STRONG4=$(CURDIR)/$(STRONG4)

js/tests/node_modules: js/tests/package.json js/tests/package-lock.json
	cd js/tests && npm ci --silent --no-audit --no-fund
	@touch $@

test-js: program js js/tests/node_modules
	$(JS_TESTS) $(if $(ALL),STRONG4_ALL=1) node --test
	cd js/tests && npx tsc -p tsconfig.json && node built/consumer.js
	cd js/tests && npx vite build bundle --base ./ --outDir $(CURDIR)/target/bundle --emptyOutDir --logLevel warn

# The page in a browser, with a server and, if there is a Rust for WebAssembly, without one; what a
# bundler has made of the package, after test-js; and the server under attack. CHROMIUM names the
# browser.
WEB = target/web

test-web: program
	if js/build.sh --check; then js/page/build.sh; fi
	test -x $(WEB)/bin/python || $(PYTHON) -m venv $(WEB)
	$(WEB)/bin/python -m pip install --quiet --disable-pip-version-check -r tests/web/requirements.txt
	STRONG4=$(CURDIR)/$(STRONG4) $(WEB)/bin/python -m pytest tests/web -rs

# Solves boards on a Slurm cluster in a temporary folder, with jobs killed and a node taken away.
# Debian's packages slurm-wlm and munge are needed; slurmd wants to be started by root.
test-cluster: program
	tests/cluster/run.sh $(STRONG4)

# Runs the program of other machines (ARM, a big-endian one, Windows) in emulators, and compares what
# it writes with what this one writes; ALL=1 adds runs that are killed, and the tests of the library,
# and ONE=1 takes less of a single machine, in turn from commit to commit. `make tools TOOLS="machines windows"`
# installs what it takes.
test-machines: program
	tests/machines/run.sh $(STRONG4) $(if $(ALL),all,$(if $(ONE),one,core))

# Feeds each reader of bytes with nonsense for some seconds; this also needs a C++ compiler.
# `cargo fuzz run --sanitizer none --fuzz-dir tests/fuzz NAME` does the same for one reader.
# Inputs that make a reader panic are kept in target/fuzz/artifacts.
SECONDS_EACH ?= 10
READERS = table manifest run_file plan_file kept piece drawing key moves openings
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
COVERAGE = --cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
	-Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
	-Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares
FUZZ = target/fuzz/$(HOST)/release

fuzz-targets:
	RUSTFLAGS='$(COVERAGE)' cargo build --release --locked --target $(HOST) \
		--manifest-path tests/fuzz/Cargo.toml --target-dir target/fuzz

fuzz: fuzz-targets
	@mkdir -p target/fuzz/artifacts
	@set -e; for reader in $(READERS); do \
		mkdir -p target/fuzz/corpus/$$reader; \
		log=target/fuzz/$$reader.log; \
		$(FUZZ)/$$reader target/fuzz/corpus/$$reader -max_total_time=$(SECONDS_EACH) \
			-timeout=10 -rss_limit_mb=1024 -max_len=16384 -print_final_stats=1 \
			-artifact_prefix=target/fuzz/artifacts/$$reader- > $$log 2>&1 \
			|| { tail -n 40 $$log; echo "fuzz: $$reader failed"; exit 1; }; \
		echo "fuzz: $$reader," $$(sed -n 's/^stat::number_of_executed_units: *//p' $$log) inputs; \
	done

bench:
	cargo bench --bench '*'

# The cost of each tier of 7x4, of 7x5 and of narrower boards, and the share of each kind of
# work, with and without working files; and the memory bandwidth. Takes half a minute.
bench-solve:
	cargo bench --bench solve_figures -- 7x4 7x5 7x5+files 6x4 4x6 3x7 2x9

# The cost of the score of a position, in nodes and time, by the number of stones and of
# moves to the end; then of the winner; then of both for the empty board. Takes three minutes.
CLASSES = 29-41_1-13 15-28_1-13 15-28_14-28 0-14_1-13 0-14_14-28
LONGEST = 0-14_29-42

bench-search:
	cargo bench --bench search_figures -- $(CLASSES) $(LONGEST):60 empty \
		15-28_14-28+outcome 0-14_14-28+outcome empty+outcome

# The cost of an answer to each of POSITIONS, by default 1,000 random ones of each tier but the last,
# with all tables of 7x6 in TABLES. Takes four minutes.
POSITIONS = $(CURDIR)/target/positions.csv

$(POSITIONS): | build
	$(STRONG4) sample --board 7x6 --tiers 0..41 --count 1000 --output $@

bench-query: $(POSITIONS)
	cargo bench --bench query_figures -- $(TABLES) $(POSITIONS)

# The cost of arrays of positions in Python: 10,000 of tier 20 without tables and, with all
# tables of 7x6 in TABLES, a million of the tiers that have scores; then an exam of a million for a net.
BENCH_PYTHON = STRONG4=$(CURDIR)/$(STRONG4) $(VENV)/bin/python python/benches/batches.py

bench-python: build python-package
	$(BENCH_PYTHON) --tiers 20 --count 10000
	$(if $(wildcard $(TABLES)/*.s4t),$(BENCH_PYTHON) --tables $(TABLES) --tiers 10..21 --count 83334)
	$(VENV)/bin/python python/benches/grades.py \
		$(if $(wildcard $(TABLES)/*.s4t),--tables $(TABLES),--board 6x5 --tiers 10..24)

# How long searches take in WebAssembly, in Node and in Chromium, beside the program on one thread.
# Takes a minute.
bench-js: build page js/tests/node_modules
	$(JS_TESTS) node bench.js
	test -x $(WEB)/bin/python || $(PYTHON) -m venv $(WEB)
	$(WEB)/bin/python -m pip install --quiet --disable-pip-version-check -r tests/web/requirements.txt
	STRONG4=$(CURDIR)/$(STRONG4) $(WEB)/bin/python tests/web/bench_static.py

# How many questions a second the server answers, with all tables of 7x6 in TABLES; wrk asks
# REQUESTS of them.
REQUESTS ?= 200000

bench-serve: build
	benches/serve.sh $(STRONG4) $(TABLES) $(REQUESTS)

CRATES = cargo tree --locked -e normal --prefix none

lint:
	cargo fmt --check
	cargo fmt --check --manifest-path tests/fuzz/Cargo.toml
	cargo fmt --check --manifest-path python/Cargo.toml
	cargo fmt --check --manifest-path js/Cargo.toml
	cargo clippy --all-targets -- -D warnings
	cargo clippy -p strong4-cli --no-default-features -- -D warnings
	cargo clippy -p strong4 -- -D warnings
	cargo clippy -p strong4 --no-default-features -- -D warnings
	! cargo package --workspace --locked --allow-dirty --no-verify 2>&1 | grep -E '^(warning|error)' | \
		grep -vE 'ignoring (test|bench)'
	@# Neither users of the library nor a program without its server depend on the server.
	crates=$$($(CRATES) -p strong4) && ! echo "$$crates" | grep -E '^(axum|clap|hyper|tokio) '
	crates=$$($(CRATES) -p strong4-cli --no-default-features) && ! echo "$$crates" | grep -E '^(axum|hyper|tokio) '
	@# Without tables there is no C, and no system.
	crates=$$($(CRATES) -p strong4 --no-default-features) && ! echo "$$crates" | grep -E '^(cc|fs4|memmap2|zstd.*) '
	RUSTDOCFLAGS='-D warnings' cargo doc -p strong4 --no-deps

# Writes down the public face of the library, tests/public_api.txt, after a change that was meant.
face:
	WRITE_FACE=1 cargo test --test face

# Each set of features by itself.
features:
	cargo check --locked -p strong4 --no-default-features
	cargo check --locked -p strong4 --no-default-features --features serde
	cargo check --locked -p strong4
	cargo check --locked -p strong4 --features cli
	cargo check --locked -p strong4-cli --no-default-features
	cargo check --locked -p strong4 --all-features

# The oldest compiler that Cargo.toml promises, if rustup has it. `make lint` looks for names of
# the standard library that are younger.
MSRV = $(shell sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)

msrv:
	@if cargo +$(MSRV) --version > /dev/null 2>&1; then set -ex; \
		export CARGO_TARGET_DIR=target/msrv; \
		cargo +$(MSRV) check --locked --workspace --all-features; \
		cargo +$(MSRV) check --locked --manifest-path python/Cargo.toml; \
		cargo +$(MSRV) check --locked --manifest-path js/Cargo.toml --target wasm32-unknown-unknown; \
	else echo "msrv: SKIPPED, there is no Rust $(MSRV): make tools TOOLS=msrv"; fi

# Advisories, licences and sources of all crates. ADVISORIES= leaves out the first, whose database
# is on GitHub.
ADVISORIES = advisories

audit:
	@set -ex; for manifest in Cargo.toml python/Cargo.toml js/Cargo.toml; do \
		cargo deny --config .ci/deny.toml --manifest-path $$manifest --all-features check \
			$(ADVISORIES) bans licenses sources; \
	done

# Whether the library keeps what its last version promised.
semver:
	@tag=$$(git describe --tags --abbrev=0 2> /dev/null); \
	if [ -z "$$tag" ]; then echo "semver: SKIPPED, no version has a tag yet"; \
	else cargo semver-checks -p strong4 --baseline-rev "$$tag"; fi

# All that is checked before a change is taken, and what it needs besides Rust, Python and Node.
ci:
	.ci/run

TOOLS = wasm machines windows slurm chromium
tools:
	.ci/install $(TOOLS)

# What a version consists of, in target/packages. MACHINE=aarch64-unknown-linux-gnu makes an archive
# or a wheel for another machine. What cannot be made here is skipped; with SKIP=no it is an error.
archive wheel npm crates:
	.ci/package.py $@$(addprefix :,$(MACHINE))

packages:
	.ci/package.py $(if $(filter no,$(SKIP)),--all) archive wheel npm page crates \
		$(foreach machine,aarch64-unknown-linux-gnu x86_64-pc-windows-gnu,archive:$(machine) wheel:$(machine))

release-check:
	.ci/release-check

# Installs the program where cargo keeps programs, and man pages and completions where this
# user's shells look for them; SHARE=/usr/local/share installs them for all users.
SHARE ?= $(HOME)/.local/share

install:
	cargo install --locked --path src/main
	$(STRONG4) man --to $(SHARE)/man/man1
	mkdir -p $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions
	mkdir -p $(SHARE)/fish/vendor_completions.d
	$(STRONG4) completions bash > $(SHARE)/bash-completion/completions/strong4
	$(STRONG4) completions zsh > $(SHARE)/zsh/site-functions/_strong4
	$(STRONG4) completions fish > $(SHARE)/fish/vendor_completions.d/strong4.fish
	@echo "zsh finds its completions if its fpath contains $(SHARE)/zsh/site-functions"

# Rewrites data/tier_counts.csv: all boards of up to 16 cells, and some larger
# ones, including 7x6. Takes some minutes.
SMALL_BOARDS = $(shell for w in $$(seq 16); do for h in $$(seq $$((16 / w))); do \
	echo $${w}x$${h}; done; done)
LARGER_BOARDS = 3x6 6x3 2x9 9x2 4x5 5x4 2x10 10x2 3x7 7x3 3x8 4x6 6x4 5x5 \
	6x5 5x6 4x7 7x4 4x8 8x4 7x5 6x6 8x5 5x8 6x7 7x6 4x11 8x6 5x9 6x8 7x7

reference: build
	@echo board,tier,live,terminal,total > target/tier_counts.csv
	@set -e; for board in $(SMALL_BOARDS) $(LARGER_BOARDS); do \
		$(STRONG4) count --board $$board --csv > target/rows.csv; \
		tail -n +2 target/rows.csv >> target/tier_counts.csv; \
	done
	mv target/tier_counts.csv data/tier_counts.csv

# Rewrites data/outcomes_WxH.csv of the boards that are solved in seconds; then the picture of all
# boards that have such a file.
SOLVED_BOARDS = 4x4 4x5 5x4 4x6 6x4 5x5 4x7 7x4 6x5 5x6 4x8 8x4 7x5
outcomes: build
	@set -e; for board in $(SOLVED_BOARDS); do \
		$(STRONG4) solve --board $$board --tables target/tables/$$board --quiet > /dev/null; \
		$(STRONG4) stats --board $$board --tables target/tables/$$board --csv \
			| cut -d , -f 1-6 > data/outcomes_$$board.csv; \
	done
	$(STRONG4) stats --atlas data --svg > docs/atlas.svg

# Rewrites data/openings_7x6.bin, the scores of the first tiers, from all tables of
# 7x6 with scores in TABLES. Takes seconds.
TABLES = tables/7x6
OPENINGS_TO = 9

openings:
	cargo run --release --example openings -- $(TABLES) $(OPENINGS_TO) target/openings_7x6.bin
	mv target/openings_7x6.bin data/openings_7x6.bin

# Rewrites data/exams, the exams of `strong4 grade`. Takes some minutes.
exams: build
	@mkdir -p target/exams
	for exam in uniform played hard; do $(STRONG4) exam $$exam --seed 1 > target/exams/$$exam.txt || exit 1; done
	mv target/exams/*.txt data/exams/

clean:
	cargo clean
