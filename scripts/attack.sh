#!/usr/bin/env bash
# Attacks a hall of the built program on this machine, over loopback only, while two people play there; a few minutes. Prints
# a table; ends with 1 when a move was refused or lost, /health did not answer, or the hall died. QIGUAN_BINARY: the
# program to attack; its figures mean something when it was built with --release.
set -euo pipefail
cd "$(dirname "$0")/.."

QIGUAN_DEEP=1 cargo test --locked -p cli --test attacks -- --nocapture
