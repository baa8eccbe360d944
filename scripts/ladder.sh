#!/usr/bin/env bash
# The ladder of levels: each level against the one below it, in every game. Levels count positions, so that the figures
# are the same on every machine; the high ones take long. A ladder that was stopped goes on where it was.
#   scripts/ladder.sh [PAIRS] [FOLDER] [HIGHEST LEVEL]
set -euo pipefail
cd "$(dirname "$0")/.."
pairs=${1:-100} folder=${2:-target/ladder} highest=${3:-10}
mkdir -p "$folder"
qiguan=target/release/qiguan
cargo build --release --locked --bin qiguan

step() { # NAME LEVEL what is played …
    local name=$1 level=$2
    shift 2
    # No other limit than the levels' own; level 10 has none, and a tenth of a second.
    local limit="--nodes 1000000000"
    [ "$level" -lt 9 ] || limit="--movetime 100 --margin 3000"
    # shellcheck disable=SC2086
    "$qiguan" match "$@" --a "our:level=$((level + 1))" --b "our:level=$level" $limit --pairs "$pairs" \
        --adjudicate 1000cp,6 --seed 3 --out "$folder/$name-$level.jsonl" >"$folder/$name-$level.txt"
    awk -v name="$name" -v level="$level" '
        /^(Games|对局)/ { games = $0 } /^Elo/ { sub(/,$/, "", $4); elo = $2 " ± " $4 }
        END { sub(/^[^:：]*[:：] */, "", games); printf "| %s | %d over %d | %s | %s |\n", name, level + 1, level, games, elo }
    ' "$folder/$name-$level.txt"
}

export LANG=en_US.UTF-8
echo "| game | levels | games | Elo |"
echo "|---|---|---|---|"
for ((level = 1; level < highest; level++)); do
    step xiangqi $level --game xiangqi
    step draughts $level --game draughts/international
    step gomoku $level --game gomoku/freestyle --option size=15
    step locked $level --game locked --max-plies 1500
    step mountains $level --game jingbanqi --map maps/mountains.xlsx
done
