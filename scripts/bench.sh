#!/usr/bin/env bash
# Measures. The figures go into the message of the commit that rests on them, with the machine they come from.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo bench --workspace --locked --bench '*'

echo
echo "machine: $(nproc) x $(awk -F ': ' '/model name/ { print $2; exit }' /proc/cpuinfo 2>/dev/null || uname -m), $(rustc --version)"
echo "figures go into the commit message, with that line; docs/style.md says why"
