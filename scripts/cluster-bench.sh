#!/usr/bin/env bash
# Measures what a hall of several nodes carries, on this machine, everything sharing it: scripts/cluster-bench.sh
#
#     QIGUAN=…/target/release/qiguan scripts/cluster-bench.sh [--seconds N] [--rounds N] [--watchers N] [--cap PERCENT]
#
# Prints, all in one run: durable moves a second of one node on SQLite and on PostgreSQL, in turn; of one, two and three
# nodes on PostgreSQL and NATS that have PERCENT of a core each, by a control group (root is needed; else that part is
# left out); what a remote owner adds to the wait for a move; when N watchers at three nodes hear of a move.
# QIGUAN: the program, else it is built with --release. BASE_PORT, NATS_PORT: where things listen.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=10 rounds=3 watchers=10000 cap=25
while [ $# -gt 0 ]; do
    case $1 in
    --seconds) seconds=$2; shift 2 ;;
    --rounds) rounds=$2; shift 2 ;;
    --watchers) watchers=$2; shift 2 ;;
    --cap) cap=$2; shift 2 ;;
    *) echo "usage: scripts/cluster-bench.sh [--seconds N] [--rounds N] [--watchers N] [--cap PERCENT]" >&2; exit 2 ;;
    esac
done
folder=$(mktemp -d /tmp/qiguan-bench-XXXXXX)
chmod 711 "$folder"
. scripts/nodes.sh
base_port=${BASE_PORT:-8380} nats_port=${NATS_PORT:-4522}
needs nats-server curl
qiguan=${QIGUAN:-}
if [ -z "$qiguan" ]; then
    cargo build --release --locked --bin qiguan
    qiguan=$(realpath "${CARGO_TARGET_DIR:-target}/release/qiguan")
fi
ulimit -n "$(ulimit -Hn)"

# Control groups, of either version; empty where there are none that we may make.
groups=
for parent in /sys/fs/cgroup/cpu /sys/fs/cgroup; do
    if [ "$(id -u)" = 0 ] && { [ -f $parent/cpu.cfs_quota_us ] || [ -f $parent/cgroup.controllers ]; }; then
        groups=$parent
        break
    fi
done
cap_hall() { # cap_hall NUMBER: no more than $cap percent of a core
    local group=$groups/qiguan-bench-$1
    mkdir -p "$group"
    if [ -f "$groups/cpu.cfs_quota_us" ]; then
        echo 20000 >"$group/cpu.cfs_period_us"
        echo $((200 * cap)) >"$group/cpu.cfs_quota_us"
    else
        echo +cpu >"$groups/cgroup.subtree_control" 2>/dev/null || true
        echo "$((200 * cap)) 20000" >"$group/cpu.max"
    fi
    echo "${hall_pid[$1]}" >"$group/cgroup.procs"
}

finish() {
    end_all
    [ -z "$groups" ] || rmdir "$groups"/qiguan-bench-* 2>/dev/null || true
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 1' INT TERM

address() { echo "http://127.0.0.1:$((base_port + $1))"; }
load() { "$qiguan" load "$@" 2>/dev/null; }
# Of what `load` prints: moves a second, and percentiles of the wait.
per_second() { sed -n 's/.*: \([0-9]*\) moves\/s.*/\1/p'; }
median() { sort -n | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }

start_sqlite() {
    "$qiguan" serve --data "$folder/sqlite" --limits off --listen "127.0.0.1:$((base_port + 9))" >>"$folder/sqlite.log" 2>&1 &
    hall_pid[9]=$!
    disown
    wait_for_hall 9 30
}
halls() { # halls NUMBER…: these nodes run, and no others
    end_halls
    for n in "$@"; do start_hall "$n" --limits off; done
    for n in "$@"; do wait_for_hall "$n" 30; done
}

echo "$("$qiguan" --version), $(nproc) cores, $seconds s each, $rounds rounds"
start_postgres
start_nats

echo
echo "one node, 200 connections, moves a second: SQLite and PostgreSQL in turn"
for ((round = 1; round <= rounds; round++)); do
    end_halls; start_sqlite
    sqlite=$(load --hall "$(address 9)" --connections 200 --seconds "$seconds" | per_second)
    halls 1
    postgres=$(load --hall "$(address 1)" --connections 200 --seconds "$seconds" | per_second)
    echo "$sqlite $postgres" | tee -a "$folder/one" | awk '{ printf "    SQLite %d  PostgreSQL %d  %.0f %%\n", $1, $2, 100 * $2 / $1 }'
done
awk '{ print 100 * $2 / $1 }' "$folder/one" | median | awk '{ printf "    median %.0f %% (asked 90)\n", $1 }'

echo
if [ -n "$groups" ]; then
    echo "nodes that have $cap % of a core each, 100 connections at each, moves a second of all"
    for ((round = 1; round <= rounds; round++)); do
        line=
        for many in 1 2 3; do
            halls $(seq "$many")
            for n in $(seq "$many"); do cap_hall "$n"; done
            waiting=()
            for n in $(seq "$many"); do
                load --hall "$(address "$n")" --connections 100 --seconds "$seconds" | per_second >"$folder/at$n" &
                waiting+=($!)
            done
            wait "${waiting[@]}"
            sum=$(cat $(seq -f "$folder/at%g" "$many") | awk '{ s += $1 } END { print s }')
            line="$line $sum"
        done
        echo "$line" | tee -a "$folder/capped" |
            awk '{ printf "    one %d  two %d, %.2f x (asked 1.8)  three %d, %.2f x (asked 2.5)\n", $1, $2, $2 / $1, $3, $3 / $1 }'
    done
else
    echo "nodes that are capped: left out, control groups need root"
fi

echo
echo "a table whose owner is another node, 20 tables, 100 moves a second, wait for a move"
halls 1 2
echo "    both players at the owner:        $(load --hall "$(address 1)" --connections 40 --rate 100 --seconds "$seconds" | grep '^wait')"
echo "    one of them at the other node:    $(load --hall "$(address 1)" --hall "$(address 2)" --connections 40 --rate 100 --seconds "$seconds" | grep '^wait')"

echo
echo "$watchers watchers of one table at three nodes, a move a second"
halls 1 2 3
load --hall "$(address 1)" --hall "$(address 2)" --hall "$(address 3)" --connections 2 --rate 1 --watch "$watchers" --seconds 30 | grep '^watchers' | sed 's/^/    /'
