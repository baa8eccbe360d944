#!/usr/bin/env bash
# Everything `make test` checks, step by step. A step that fails does not stop the next ones; the exit code tells.
set -uo pipefail
cd "$(dirname "$0")/.."

failed=()
skipped=()

step() { # step TITLE COMMAND...
    local title=$1 since=$SECONDS
    shift
    printf '\n=== %s\n' "$title"
    if "$@"; then
        printf -- '--- %s: fine, %s s\n' "$title" $((SECONDS - since))
    else
        printf -- '--- %s: FAILED, %s s\n' "$title" $((SECONDS - since))
        failed+=("$title")
    fi
}

skip() { # skip TITLE REASON
    printf '\n=== %s\n--- %s: skipped, %s\n' "$1" "$1" "$2"
    skipped+=("$1")
}

has() { command -v "$1" >/dev/null 2>&1; }
page() { npm --prefix web "$@"; }

# Each browser this project knows how to drive; the first one there is used.
browser() { type -P chromium || type -P chromium-browser || type -P google-chrome; }

# The program as the tests were built with it: `cargo build` would choose other features of what tests use as well, and build
# 37 packages again.
program=$(realpath -m "${CARGO_TARGET_DIR:-target}/debug/qiguan")

browser_tests() { [ -x "$program" ] && QIGUAN_BIN=$program CHROMIUM=$(browser) page run e2e; }

# The wheel in a fresh environment; what it is compared with is the program. It waits for the processor behind what runs beside it.
python_tests() {
    local since=$SECONDS code=0
    # `cargo test` looks through what is built before it runs anything, and would wait for a build that began earlier.
    sleep 15
    QIGUAN=$program nice -n 10 scripts/wheel.sh test || code=$?
    echo "that took $((SECONDS - since)) s beside the tests"
    return $code
}
told_later() { wait "$1"; local code=$?; cat "$2"; rm -f "$2"; return $code; }

# Building and testing the wheel asks the package index for maturin, numpy, pettingzoo, gymnasium, pytest and mypy.
packages_are_there() { python3 -m venv --help >/dev/null 2>&1 && python3 -m pip download -q --no-deps --dest "$(mktemp -d)" maturin >/dev/null 2>&1; }

# The advisory database comes by git: fetched where there is a network, used as it is where there is none.
advisories_are_here() {
    timeout 60 cargo deny fetch db >/dev/null 2>&1 || compgen -G "${CARGO_HOME:-$HOME/.cargo}/advisory-dbs/*/.git" >/dev/null
}

step "what the tests need" scripts/setup.sh test
# The fuzz targets are a workspace of their own.
step "format" sh -c "cargo fmt --all --check && rustfmt --edition 2024 --check fuzz/fuzz_targets/*.rs"

step "scripts of the package" scripts/package-test.sh

# The page comes before the tests of the hall, which embeds it.
if [ -f web/package.json ]; then
    step "page: types" page run check
    step "page: format and lints" page run lint
    step "page: unit tests" page test
    step "page: build" page run build
else
    skip "page" "there is no web/package.json"
fi

step "lints" cargo clippy --workspace --all-targets --locked -- -D warnings
# What `make play` builds first. Here and below a test or an example is among what is looked at, so that other packages have the
# features that tests ask of them, as above, and are not checked again.
step "hall without an interpreter" cargo clippy --workspace --no-default-features --lib --bins --test layers --locked -- -D warnings
step "documentation" env RUSTDOCFLAGS="-D warnings" cargo doc --workspace --exclude python --no-deps --lib --bins --examples --locked --quiet
step "tests: build" cargo test --workspace --locked --no-run
# Tests often wait, so the package for Python is built and tested beside them, and told of after them.
wheel=
if has python3 && packages_are_there; then
    told=$(mktemp)
    python_tests >"$told" 2>&1 &
    wheel=$!
fi
step "tests" cargo test --workspace --locked --no-fail-fast
# Their tests are among these, and return where they are missing.
compgen -G "/usr/lib/postgresql/*/bin/initdb" >/dev/null || has initdb || skip "PostgreSQL" "there is no PostgreSQL"
has nats-server || skip "NATS" "there is no nats-server"
[ -x /usr/sbin/pgbouncer ] || skip "poolers" "there is no pgbouncer"
has promtool || skip "alerts before Prometheus" "there is no promtool"

if has python3; then
    step "picture of the layers" scripts/layers.py --check
    step "provers of puzzles" python3 scripts/provers/test.py
    if [ -n "$wheel" ]; then
        step "Python package" told_later "$wheel" "$told"
        step "site of the documentation" scripts/docs.sh
    else
        skip "Python package" "pip cannot fetch maturin, or there is no venv"
        skip "site of the documentation" "pip cannot fetch packages, or there is no venv"
    fi
else
    skip "picture of the layers" "there is no python3"
    skip "provers of puzzles" "there is no python3"
    skip "Python package" "there is no python3"
    skip "site of the documentation" "there is no python3"
fi

if [ ! -f web/package.json ]; then
    skip "browser tests" "there is no web/package.json"
elif ! browser >/dev/null; then
    skip "browser tests" "there is no chromium"
else
    step "browser tests" browser_tests
fi

# Their tests are among the browser tests, and skip themselves.
has firefox-esr || skip "page in Firefox" "there is no firefox-esr"
{ has WebKitWebDriver && has Xvfb; } || skip "page in WebKit" "there is no WebKitWebDriver, or no Xvfb"

# The commands of docs/guide/operating.md, in their order.
if [ -x "$program" ]; then
    step "operator's guide" env QIGUAN="$program" scripts/operating-test.sh
else
    skip "operator's guide" "the program was not built"
fi

# Nodes of a hall are killed while people play; deep.sh kills a hundred times.
if has nats-server && has haproxy && compgen -G "/usr/lib/postgresql/*/bin/initdb" >/dev/null; then
    pooler=()
    [ -x /usr/sbin/pgbouncer ] && pooler=(--pooler)
    step "chaos" scripts/chaos.sh --kills 8 --seed 1 "${pooler[@]}"
else
    skip "chaos" "there is no nats-server, no HAProxy, or no PostgreSQL"
fi

if has cargo-deny; then
    step "licences and sources" cargo deny --log-level error --locked check --hide-inclusion-graph licenses bans sources
    if advisories_are_here; then
        step "advisories" cargo deny --log-level error --locked check --disable-fetch advisories
    else
        skip "advisories" "the advisory database is not here and cannot be fetched"
    fi
else
    skip "licences and sources" "cargo-deny is not installed"
    skip "advisories" "cargo-deny is not installed"
fi

# Said in other words than the closing lines of the test runners, so that nobody counts them twice.
printf '\n=== in all, %s s\n' "$SECONDS"
for title in "${skipped[@]+"${skipped[@]}"}"; do echo "not run here: $title"; done
for title in "${failed[@]+"${failed[@]}"}"; do echo "did not go well: $title"; done
if [ ${#failed[@]} -gt 0 ]; then
    exit 1
fi
echo "every step that ran went well"
