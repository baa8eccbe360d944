#!/usr/bin/env bash
# Makes a generation of a game's network from nothing: games of our engine against itself, their positions, the weights. A run
# that was stopped goes on where it was. The weights land in OUT (target/train/GAME unless told), not in the sources.
# scripts/train.sh xiangqi [--generation N] [--small] [--threads N] [--out FOLDER]
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
    sed -n '2,4s/^# //p' "$0" >&2
    exit 2
}

game=${1:-}
[ -n "$game" ] || usage
shift
generation=0
small=
threads=$(nproc)
out=
while [ $# -gt 0 ]; do
    case $1 in
        --generation) generation=${2:?} && shift 2 ;;
        --threads) threads=${2:?} && shift 2 ;;
        --out) out=${2:?} && shift 2 ;;
        --small) small=1 && shift ;;
        *) usage ;;
    esac
done
out=${out:-target/train/$game}
mkdir -p "$out"

case $game in
    xiangqi)
        case $generation in
            0) seed=301 nodes=500 games=60000 ;;
            *) seed=$((301 + generation)) nodes=1000 games=100000 ;;
        esac
        plies="--opening-plies 6 --opening-most 24 --balance 400"
        training="--epochs 20 --batch 4096 --rate 0.002 --result 0.25 --seed 1"
        ;;
    *)
        echo "$game has no network: its weights are made by qiguan learn fit (docs/engine.md)" >&2
        exit 2
        ;;
esac
if [ -n "$small" ]; then
    nodes=100 games=40
    training="--epochs 2 --batch 256 --rate 0.002 --result 0.25 --seed 1"
fi

qiguan=${QIGUAN:-}
if [ -z "$qiguan" ]; then
    cargo build --release --locked --bin qiguan
    qiguan=${CARGO_TARGET_DIR:-target}/release/qiguan
fi
commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
prefix=$out/generation-$generation${small:+-small}

# shellcheck disable=SC2086
"$qiguan" learn games --game "$game" --nodes $nodes --games $games $plies --seed $seed --threads "$threads" --out "$prefix.jsonl"
"$qiguan" learn positions --game "$game" --data "$prefix.jsonl" --out "$prefix.positions"
# shellcheck disable=SC2086
"$qiguan" learn train --game "$game" --data "$prefix.positions" $training --threads "$threads" --commit "$commit" --out "$prefix.bin"
echo "weights: $(grep -a -m1 '^hash ' "$prefix.bin")"
