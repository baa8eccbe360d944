#!/usr/bin/env bash
# Kills, stops and cuts off what a hall of three nodes consists of, while people play, and holds what they were told
# against the logs.
#
#     scripts/chaos.sh [--kills N] [--seed S] [--tables T] [--folder DIR] [--pooler]
#
# Before the nodes stands HAProxy. Through it three accounts sign in by passkey again and again, twelve people play against a
# level, and two workers think for the hall. --pooler puts PgBouncer between the nodes and the database. All the while, the
# clock of node1 is 5 s fast, that of node2 an hour slow, and the bus of node3 loses, doubles and delays a tenth of what it
# says. Ends with one line: lost 0 doubled 0 fenced F adopted A wrong-flags 0
# buried-for-an-outage 0 passkeys-refused 0 unanswered 0 set-aside 0. QIGUAN: the program, else the debug build;
# QIGUAN_BEFORE: an older program, which half of the nodes are started with. FAULT_PROXY: crates/bus/examples/fault_proxy.rs,
# and VISITORS: crates/hall/examples/visitors.rs, else the same. BASE_PORT, NATS_PORT and PROXY_PORT: where they listen.
set -euo pipefail
cd "$(dirname "$0")/.."
kills=10 seed=$RANDOM tables=12 folder= pooler=
while [ $# -gt 0 ]; do
    case $1 in
    --kills) kills=$2; shift 2 ;;
    --seed) seed=$2; shift 2 ;;
    --tables) tables=$2; shift 2 ;;
    --folder) folder=$(realpath -m "$2"); shift 2 ;;
    --pooler) pooler=1; shift ;;
    *) echo "usage: scripts/chaos.sh [--kills N] [--seed S] [--tables T] [--folder DIR] [--pooler]" >&2; exit 2 ;;
    esac
done
keep=$folder
folder=${folder:-$(mktemp -d /tmp/qiguan-chaos-XXXXXX)}
mkdir -p "$folder"
chmod 711 "$folder"
. scripts/nodes.sh
base_port=${BASE_PORT:-8280} nats_port=${NATS_PORT:-4422}
proxy_port=${PROXY_PORT:-$((base_port + 50))}
needs nats-server haproxy curl
if [ -n "$pooler" ] && ! [ -x /usr/sbin/pgbouncer ]; then
    echo "--pooler wants PgBouncer (on Debian: sudo apt-get install pgbouncer)" >&2
    exit 1
fi
ports_free "$base_port" "$nats_port" $((base_port + 1)) $((base_port + 2)) $((base_port + 3)) $((base_port + 101)) $((base_port + 102)) \
    $((base_port + 103)) $((proxy_port + 1)) $((proxy_port + 2)) $((proxy_port + 3)) $((proxy_port + 11)) \
    $((proxy_port + 12)) $((proxy_port + 13))
qiguan=${QIGUAN:-}
if [ -z "$qiguan" ]; then
    cargo build --workspace --locked --bin qiguan --example fault_proxy --example visitors
    qiguan=$(realpath "${CARGO_TARGET_DIR:-target}/debug/qiguan")
fi
proxy=${FAULT_PROXY:-}
if [ -z "$proxy" ]; then
    [ -z "${QIGUAN:-}" ] || cargo build --workspace --locked --example fault_proxy
    proxy=$(realpath "${CARGO_TARGET_DIR:-target}/debug/examples/fault_proxy")
fi
visitors=${VISITORS:-}
if [ -z "$visitors" ]; then
    [ -z "${QIGUAN:-}" ] || cargo build --workspace --locked --example visitors
    visitors=$(realpath "${CARGO_TARGET_DIR:-target}/debug/examples/visitors")
fi
finish() {
    # A child that is not yet the program it is to be, and is sent SIGTERM, comes here, too: then nothing has ended.
    [ "$BASHPID" = $$ ] || return
    kill -9 ${worker_pid[@]+"${worker_pid[@]}"} 2>/dev/null || true
    end_all
    if [ -z "$keep" ]; then rm -rf "$folder"; fi
}
trap finish EXIT
trap 'exit 1' INT TERM
RANDOM=$seed
echo "seed $seed, $kills faults, $tables games at a time"

start_postgres
database=$folder/socket/.s.PGSQL.5432
if [ -n "$pooler" ]; then
    start_pooler
    database=$folder/pool/.s.PGSQL.6432
fi
start_nats
# Each node has a way of its own to the database and one to the bus, so that any of them can be made bad.
declare -A way
start_way() { # start_way NAME PORT TARGET
    mkfifo "$folder/way-$1"
    "$proxy" "127.0.0.1:$2" "$3" <"$folder/way-$1" >>"$folder/ways.log" 2>&1 &
    pids+=("$!")
    exec {way[$1]}>"$folder/way-$1"
}
tell_way() { echo "$2" >&"${way[$1]}"; }
for n in 1 2 3; do
    start_way "db$n" $((proxy_port + n)) "$database"
    start_way "bus$n" $((proxy_port + 10 + n)) "127.0.0.1:$nats_port"
done
sleep 0.3
direct=$store
# The clocks of two machines are wrong, by seconds and by an hour, and the third has a bus that loses, doubles and delays
# each tenth message.
off=(0 5 -3600 0)
hall() {
    local bus="nats://127.0.0.1:$((proxy_port + 10 + $1))" store="postgres://hall@127.0.0.1:$((proxy_port + $1))/hall?sslmode=disable"
    if [ "$1" = 3 ]; then bus="faulty:$seed:10:$bus"; fi
    local program=$qiguan
    if [ -n "${QIGUAN_BEFORE:-}" ]; then
        # One of each at least from the first moment.
        case $1-$started in 1-0) program=$QIGUAN_BEFORE ;; 2-1) ;; *) [ $((RANDOM % 2)) = 1 ] || program=$QIGUAN_BEFORE ;; esac
        if [ "$program" = "$qiguan" ]; then newer=$((newer + 1)); else older=$((older + 1)); fi
    fi
    started=$((started + 1))
    qiguan=$program QIGUAN_CLOCK_OFF_S=${off[$1]} start_hall "$1" --limits off --behind-proxy
}
started=0 older=0 newer=0
for n in 1 2 3; do hall $n; done
for n in 1 2 3; do wait_for_hall $n 60; done

# Faults come every few seconds, and each gets the time to be mended; the players go on a while after the last.
url() { echo "http://127.0.0.1:$((base_port + $1))"; }
"$qiguan" load --hall "$(url 1)" --hall "$(url 2)" --hall "$(url 3)" --connections $((tables * 2)) --think 50 \
    --seconds 86400 --record "$folder/told" >"$folder/load.log" 2>&1 &
load_pid=$!
pids+=("$load_pid")
start_balancer "$base_port"
# A key that is set aside was taken for a liar's: none of these lies.
(umask 077 && "$qiguan" admin worker-key add chaos --store "$direct" >"$folder/worker.key" 2>>"$folder/workers.log")
declare -A worker_pid
start_worker() { # start_worker NUMBER
    "$qiguan" worker --hall "http://127.0.0.1:$base_port" --token-file "$folder/worker.key" --cores 1 >>"$folder/workers.log" 2>&1 &
    worker_pid[$1]=$!
    disown
}
for n in 1 2; do start_worker $n; done
mkfifo "$folder/visitors"
"$visitors" "http://127.0.0.1:$base_port" 3 12 <"$folder/visitors" >"$folder/visitors.log" 2>&1 &
visitors_pid=$!
pids+=("$visitors_pid")
exec {leave}>"$folder/visitors"
sleep 3

declare -A count
note() { count[$1]=$((${count[$1]:-0} + 1)); printf '%4d s  %s\n' $SECONDS "$1${2:+ ($2)}"; }
revive() {
    for n in 1 2 3; do
        kill -0 "${hall_pid[$n]}" 2>/dev/null || hall $n
    done
    for n in 1 2; do
        kill -0 "${worker_pid[$n]}" 2>/dev/null || start_worker $n
    done
    if [ -n "$pooler" ] && ! kill -0 "$pooler_pid" 2>/dev/null; then start_pooler; fi
}
# Sets n; in a subshell RANDOM would not follow from the seed.
pick() { n=$((RANDOM % 3 + 1)); }

# An outage that all nodes have is nobody's silence: whoever lived before it lives after it.
unjust=0
outage() { # outage SECONDS HOW: away, or ended
    revive
    for n in 1 2 3; do wait_for_hall $n 60 || true; done
    sleep 3
    local before after
    before=$(sql "SELECT count(*) FROM buried")
    if [ "$2" = away ]; then
        for n in 1 2 3; do tell_way "db$n" hold; done
        sleep "$1"
        for n in 1 2 3; do tell_way "db$n" open; done
    else
        stop_postgres immediate
        sleep "$1"
        pg_ctl_start
    fi
    sleep 12
    after=$(sql "SELECT count(*) FROM buried")
    unjust=$((unjust + after - before))
    for n in 1 2 3; do kill -0 "${hall_pid[$n]}" 2>/dev/null || unjust=$((unjust + 1)); done
}

for fault in $(seq "$kills"); do
    # Each run has both kinds of a long outage, however short it is, and faults of what stands beside the nodes.
    case $fault in
    2) kind=20 ;;
    3) kind=21 ;;
    4) kind=22 ;;
    5) kind=23 ;;
    6) kind=25 ;;
    *) kind=$((RANDOM % 26)) ;;
    esac
    case $kind in
    0 | 1 | 2 | 3)
        pick
        note "SIGKILL of a node" "node$n"
        kill -9 "${hall_pid[$n]}" 2>/dev/null || true
        ;;
    4 | 5)
        pick
        m=$n
        pick
        note "SIGKILL of two nodes" "node$n, node$m"
        kill -9 "${hall_pid[$n]}" "${hall_pid[$m]}" 2>/dev/null || true
        ;;
    6)
        pick
        note "SIGTERM of a node" "node$n"
        kill "${hall_pid[$n]}" 2>/dev/null || true
        ;;
    7 | 8)
        pick
        long=$((RANDOM % 3)) long=$((long == 2 ? 20 : 1 + 4 * long))
        note "SIGSTOP of a node for $long s" "node$n"
        kill -STOP "${hall_pid[$n]}" 2>/dev/null || true
        sleep $long
        kill -CONT "${hall_pid[$n]}" 2>/dev/null || true
        ;;
    9 | 10)
        note "NATS killed for a second"
        kill -9 "$nats_pid" 2>/dev/null || true
        sleep 1
        start_nats
        ;;
    11)
        note "PostgreSQL ended in a hurry and started again"
        stop_postgres immediate
        sleep 0.5
        pg_ctl_start
        ;;
    12 | 13)
        # What was said arrives, perhaps a COMMIT; its answer does not.
        pick
        note "connections to PostgreSQL cut between COMMIT and answer" "node$n"
        tell_way "db$n" deaf
        sleep 0.$((RANDOM % 9 + 1))
        tell_way "db$n" cut
        tell_way "db$n" open
        ;;
    14 | 15)
        pick
        long=$((RANDOM % 2 ? 2 : 9))
        note "no way to PostgreSQL for $long s" "node$n"
        tell_way "db$n" hold
        sleep $long
        tell_way "db$n" open
        ;;
    16)
        pick
        note "PostgreSQL 100 ms away for 5 s" "node$n"
        tell_way "db$n" "delay 100"
        sleep 5
        tell_way "db$n" open
        ;;
    17)
        pick
        long=$((RANDOM % 2 ? 2 : 9))
        note "no way to the bus for $long s" "node$n"
        tell_way "bus$n" hold
        sleep $long
        tell_way "bus$n" open
        ;;
    18)
        pick
        note "the bus 300 ms away for 5 s" "node$n"
        tell_way "bus$n" "delay 300"
        sleep 5
        tell_way "bus$n" open
        ;;
    20)
        note "PostgreSQL away from all nodes for 40 s"
        outage 40 away
        ;;
    22)
        note "nodes exchanged one by one"
        for n in 1 2 3; do
            kill "${hall_pid[$n]}" 2>/dev/null || true
            sleep 2
            revive
            wait_for_hall $n 60 || true
        done
        ;;
    21)
        note "PostgreSQL ended for 40 s"
        outage 40 ended
        ;;
    23)
        n=$((RANDOM % 2 + 1))
        note "SIGKILL of a worker" "worker$n"
        kill -9 "${worker_pid[$n]}" 2>/dev/null || true
        ;;
    24)
        n=$((RANDOM % 2 + 1))
        note "SIGSTOP of a worker for 8 s" "worker$n"
        kill -STOP "${worker_pid[$n]}" 2>/dev/null || true
        sleep 8
        kill -CONT "${worker_pid[$n]}" 2>/dev/null || true
        ;;
    25)
        if [ -n "$pooler" ]; then
            note "SIGKILL of the pooler"
            kill -9 "$pooler_pid" 2>/dev/null || true
        else
            note "SIGKILL of both workers"
            kill -9 "${worker_pid[@]}" 2>/dev/null || true
        fi
        ;;
    *)
        pick
        note "connections to the bus cut" "node$n"
        tell_way "bus$n" cut
        ;;
    esac
    sleep $((RANDOM % 3 + 1))
    revive
done
sleep 10
revive
for n in 1 2 3; do wait_for_hall $n 60 || true; done
sleep 10
# The players stop as people do who leave: what they were told is in the file.
strange=0
kill "$load_pid" 2>/dev/null || strange=1
wait "$load_pid" 2>/dev/null || true
(echo leave >&"$leave") 2>/dev/null || true
visited=0
wait "$visitors_pid" || visited=1
by_workers=0
for n in 1 2 3; do
    many=$(curl -fsS --max-time 5 "http://127.0.0.1:$((base_port + 100 + n))/metrics" | sed -n 's/^hall_worker_answers_total //p' || true)
    by_workers=$((by_workers + ${many:-0}))
done
aside=$(sql "SELECT count(*) FROM worker_key WHERE aside IS NOT NULL")
kill "${worker_pid[@]}" 2>/dev/null || true
end_halls

echo
for fault in "${!count[@]}"; do printf '%5d x %s\n' "${count[$fault]}" "$fault"; done
if [ -n "${QIGUAN_BEFORE:-}" ]; then echo "$older starts of the older program, $newer of the newer one"; fi
cat "$folder/visitors.log"
echo "searches answered by workers since each node's last start: $by_workers"
[ "$strange" = 0 ] || { echo "the players gave up:" && tail -3 "$folder/load.log"; }
fenced=$(cat "$folder"/node*.log | grep -c "another node has this table now\|this node was silent for too long" || true)
adopted=$(cat "$folder"/node*.log | grep -c "adopted from a node that died" || true)
verdict=$("$qiguan" load --check "$folder/told" --store "$direct") && clean=0 || clean=1
echo "$verdict"
last=$(tail -1 <<<"$verdict")
word() { sed -n "s/.* $1 \([0-9]*\).*/\1/p" <<<"$last"; }
visit() { sed -n "s/^signed-in.* $1 \([0-9]*\).*/\1/p" "$folder/visitors.log"; }
echo "lost $(word lost) doubled $(word doubled) fenced $fenced adopted $adopted wrong-flags $(word wrong-flags) buried-for-an-outage $unjust passkeys-refused $(visit refused) unanswered $(visit unanswered) set-aside $aside"
[ "$clean" = 0 ] && [ "$strange" = 0 ] && [ "$unjust" = 0 ] && [ "$visited" = 0 ] && [ "$aside" = 0 ]
