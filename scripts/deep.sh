#!/usr/bin/env bash
# The tests that take long. QIGUAN_FUZZ_SECONDS: how long each fuzz target runs, 60 unless told.
set -euo pipefail
cd "$(dirname "$0")/.."

# The page comes before the tests of the hall, which embeds it.
if [ -d web/node_modules ]; then npm --prefix web run build; fi
QIGUAN_DEEP=1 cargo test --workspace --locked --no-fail-fast

# Every place of the page in every shape, language and theme, by the program that the tests were built with.
if [ -d web/node_modules ]; then
    QIGUAN_DEEP=1 QIGUAN_BIN=$(realpath "${CARGO_TARGET_DIR:-target}/debug/qiguan") npm --prefix web run e2e
else
    echo "not run here: the page in every look, because its packages are not installed (make setup)"
fi

# What the hall answers, held against its description.
if command -v schemathesis >/dev/null; then
    scripts/described.sh
else
    echo "not run here: the description of the hall, because schemathesis is not installed (pip install schemathesis)"
fi

# The protocol of claims in a simulated network; twenty other seeds are among the tests above.
QIGUAN_SEED=21 QIGUAN_SEEDS=500 cargo test --locked -p store --test simulated

if command -v nats-server >/dev/null && command -v haproxy >/dev/null && [ -x /usr/sbin/pgbouncer ] &&
    compgen -G "/usr/lib/postgresql/*/bin/initdb" >/dev/null; then
    scripts/chaos.sh --kills 100 --pooler
else
    echo "not run here: a hundred faults in a hall of three nodes, because there is no nats-server, HAProxy, PgBouncer or PostgreSQL"
fi
# The same seed makes the same weights, however many threads share the work.
made=$(mktemp -d)
for game in xiangqi draughts/english gomoku/renju; do
    for threads in 1 2; do
        scripts/train.sh "$game" --generation 0 --small --threads $threads --out "$made/$threads"
    done
    cmp "$made"/[12]/generation-0-small.bin
    rm -r "${made:?}"/[12]
done

# The proof about locked chess, where there is the memory for it: 11 GB.
certificate=$(mktemp)
trap 'rm -rf "$certificate" "$made"' EXIT
if [ "$(awk '/MemAvailable/ { print int($2 / 1000000) }' /proc/meminfo)" -ge 13 ]; then
    cargo run --release --locked --bin qiguan -- solve locked --out "$certificate"
    cargo run --release --locked --bin qiguan -- solve check "$certificate"
else
    echo "not run here: the proof about locked chess, because it takes 13 GB of memory"
fi

# Whether it compiles for macOS, where that can be found out.
scripts/macos.sh

if ! command -v cargo-fuzz >/dev/null; then
    echo "not run here: fuzzing, because cargo-fuzz is not installed (fuzz/README.md)"
    exit 0
fi
# cargo-fuzz passes flags that a stable compiler takes only when told so.
export RUSTC_BOOTSTRAP=1
# The interpreter of extensions keeps objects that hold each other until it collects them, and never tidies up at its end.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
for target in $(cargo fuzz list); do
    echo "=== fuzzing $target"
    mkdir -p "fuzz/corpus/$target"
    # What is found goes to the first folder; the seeds stay as they are.
    cargo fuzz run "$target" "fuzz/corpus/$target" "fuzz/seeds/$target" -- -max_total_time="${QIGUAN_FUZZ_SECONDS:-60}" -max_len=4096 -timeout=5 -rss_limit_mb=1024
done
