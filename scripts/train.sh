#!/usr/bin/env bash
# Makes a generation of a game's weights from nothing: games of our engine against itself, their positions, the weights. A run
# that was stopped goes on where it was. Weights and manifest land in OUT (target/train/GAME unless told), not in the sources.
# scripts/train.sh GAME [--tables] [--generation N] [--small] [--threads N] [--out FOLDER]
# GAME: xiangqi, xiangqi-terms, locked, gomoku/RULE (freestyle, standard, renju) or draughts/VARIANT. Where a game has a
# network beside its tables, --tables makes these.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
    sed -n '2,6s/^# //p' "$0" >&2
    exit 2
}

game=${1:-}
[ -n "$game" ] || usage
shift
generation=0
small=
tables=
threads=$(nproc)
out=
while [ $# -gt 0 ]; do
    case $1 in
        --generation) generation=${2:?} && shift 2 ;;
        --threads) threads=${2:?} && shift 2 ;;
        --out) out=${2:?} && shift 2 ;;
        --small) small=1 && shift ;;
        --tables) tables=1 && shift ;;
        *) usage ;;
    esac
done
out=${out:-target/train/${game/\//-}}
mkdir -p "$out"

# How games are played and what is learned of them. Each generation has games of its own: the engine plays better, and other
# seeds decide them.
options=
packing=
case $game in
    xiangqi)
        learn=train
        case $generation in
            0) seed=301 nodes=500 games=60000 ;;
            *) seed=$((301 + generation)) nodes=600 games=100000 ;;
        esac
        plies="--opening-plies 6 --opening-most 24 --balance 400"
        training="--epochs 16 --batch 4096 --rate 0.002 --result 0.25"
        ;;
    xiangqi-terms)
        learn=fit game=xiangqi packing=--terms
        seed=$((201 + generation)) nodes=800 games=10000
        plies="--opening-plies 6 --opening-most 24 --balance 400"
        training="--epochs 20 --batch 4096 --rate 0.01 --result 0.25 --shrink 0.00001"
        ;;
    locked)
        learn=fit
        seed=$((401 + generation)) nodes=1500 games=5000
        plies="--opening-plies 4 --opening-most 12 --balance 400 --max-plies 600"
        training="--epochs 20 --batch 4096 --rate 0.01 --result 0.5"
        ;;
    gomoku/*)
        learn=fit options="--option size=15"
        seed=$((501 + generation)) nodes=700 games=40000
        plies="--opening-plies 4 --opening-most 14 --balance 400"
        training="--epochs 12 --batch 4096 --rate 0.01 --result 0.25 --shrink 0.000001"
        ;;
    draughts/international | draughts/frisian | draughts/killer | draughts/breakthrough | draughts/losing)
        learn=fit
        seed=$((601 + generation)) nodes=400 games=200000
        plies="--opening-plies 8 --opening-most 35 --balance 400"
        training="--epochs 8 --batch 4096 --rate 0.01 --result 0.25 --shrink 0.0000005"
        ;;
    draughts/*)
        learn=fit
        seed=$((601 + generation)) nodes=400 games=60000
        plies="--opening-plies 6 --opening-most 24 --balance 400"
        training="--epochs 8 --batch 4096 --rate 0.01 --result 0.25 --shrink 0.0000005"
        ;;
    *) usage ;;
esac
case $game in
    draughts/international | draughts/frisian | draughts/russian | draughts/brazilian | draughts/english | gomoku/*)
        if [ -z "$tables" ]; then
            learn=train nodes=400 games=200000
            training="--epochs 10 --batch 4096 --rate 0.002 --result 0.25"
        fi
        ;;
esac
if [ -n "$small" ]; then
    nodes=100 games=40
    training="--epochs 2 --batch 256 --result 0.25"
fi

qiguan=${QIGUAN:-}
if [ -z "$qiguan" ]; then
    cargo build --release --locked --bin qiguan
    qiguan=${CARGO_TARGET_DIR:-target}/release/qiguan
fi
commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
prefix=$out/generation-$generation${small:+-small}

# shellcheck disable=SC2086
"$qiguan" learn games --game "$game" $options --nodes $nodes --games $games $plies --seed $seed --threads "$threads" \
    --out "$prefix.jsonl"
# shellcheck disable=SC2086
"$qiguan" learn positions --force --game "$game" $options $packing --data "$prefix.jsonl" --out "$prefix.positions"
# shellcheck disable=SC2086
"$qiguan" learn "$learn" --force --game "$game" --data "$prefix.positions" $training --seed 1 --threads "$threads" --commit "$commit" \
    --out "$prefix.bin"
# The manifest is the head of the file: commit, seeds, hash of the data, hash of the weights.
sed '/^$/q' "$prefix.bin" | grep -a . >"$prefix.manifest"
echo "weights: $(grep -a -m1 '^hash ' "$prefix.bin")"
