#!/usr/bin/env bash
# Takes the pictures of README.md and README.zh.md anew: scripts/pictures.sh [FOLDER]
#
# Opens a hall, plays some moves of each game in a browser and writes docs/pictures/*.jpg, in both languages. QIGUAN_BIN
# names a hall that is built already; the browser is the one of the browser tests.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(realpath -m "${1:-docs/pictures}")
if [ -z "${QIGUAN_BIN:-}" ]; then
    scripts/setup.sh play
    npm --prefix web run build
    cargo build --locked --bin qiguan
    QIGUAN_BIN=$(realpath "${CARGO_TARGET_DIR:-target}/debug/qiguan")
fi
mkdir -p "$out"
QIGUAN_BIN=$QIGUAN_BIN node web/e2e/pictures.mjs "$out"
