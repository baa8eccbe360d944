#!/usr/bin/env bash
# Measures. The figures go into the message of the commit that rests on them, with the machine they come from.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo bench --workspace --locked --bench '*'

echo
echo "random games of user-made maps, without and with extensions, a worker's start, and the memory of a hundred tables:"
playouts() { cargo run --release --locked --quiet --workspace --example jbq-playouts -- "$@"; }
for map in maps/mountains maps/leap maps/magnets; do playouts $map.xlsx; done
for map in maps/leap maps/magnets; do
    playouts $map.xlsx $map.py
    playouts $map.xlsx $map.py --plain
done
playouts maps/leap.xlsx maps/leap.py --start
playouts maps/leap.xlsx maps/leap.py --tables 100

echo
echo "memory of a table in the hall:"
cargo build --release --locked --quiet --bin qiguan
python3 scripts/table-memory.py target/release/qiguan

echo
echo "machine: $(nproc) x $(awk -F ': ' '/model name/ { print $2; exit }' /proc/cpuinfo 2>/dev/null || uname -m), $(rustc --version)"
echo "figures go into the commit message, with that line; docs/style.md says why"
