#!/usr/bin/env bash
# A hall of three nodes on this machine: PostgreSQL, NATS, three halls and HAProxy before them, all on loopback.
#
#     scripts/cluster.sh [--folder DIR] [--port PORT]     Ctrl-C ends all of it; the data stay in DIR (.local/cluster)
#
# As root on Debian it installs what is missing. QIGUAN: the program, else it is built.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$PWD/.local/cluster
port=8080
while [ $# -gt 0 ]; do
    case $1 in
    --folder) folder=$(realpath -m "$2"); shift 2 ;;
    --port) port=$2; shift 2 ;;
    *) echo "usage: scripts/cluster.sh [--folder DIR] [--port PORT]" >&2; exit 2 ;;
    esac
done
# A socket's name has at most 107 bytes.
if [ ${#folder} -gt 80 ]; then echo "the path of $folder is too long for a socket; use --folder" >&2; exit 1; fi
. scripts/nodes.sh
needs nats-server haproxy curl
ports_free "$port" "$nats_port" $((base_port + 1)) $((base_port + 2)) $((base_port + 3)) $((base_port + 101)) \
    $((base_port + 102)) $((base_port + 103))
qiguan=${QIGUAN:-}
if [ -z "$qiguan" ]; then
    # As `make play` builds it; maps with extensions need `cargo build --profile play -p sandbox` besides.
    cargo build --profile play --locked -p cli --bin qiguan --no-default-features
    qiguan=$(realpath "${CARGO_TARGET_DIR:-target}/play/qiguan")
fi
mkdir -p "$folder"
# What root makes must be passable for the user postgres, down to the folder.
if [ "$(id -u)" = 0 ] && ! runuser -u postgres -- test -x "$folder"; then
    folder=$(mktemp -d /tmp/qiguan-cluster-XXXXXX)
    chmod 711 "$folder"
    echo "the user postgres may not enter the folder of this copy; the data are in $folder"
fi
trap end_all EXIT
trap 'exit 0' INT TERM
start_postgres
start_nats
for n in 1 2 3; do start_hall $n --behind-proxy --public-url "http://localhost:$port"; done
for n in 1 2 3; do wait_for_hall $n 60; done

start_balancer "$port"

cat <<TEXT

A hall of three nodes is open: http://localhost:$port
    node1 http://127.0.0.1:$((base_port + 1))   node2 http://127.0.0.1:$((base_port + 2))   node3 http://127.0.0.1:$((base_port + 3))
    nodes and their tables: curl http://127.0.0.1:$((base_port + 101))/nodes
    kill one in mid-game:   kill -9 ${hall_pid[1]}     (node1; it is started again)
    logs and data:          $folder

Press Ctrl-C to close it.
TEXT
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && has xdg-open; then xdg-open "http://localhost:$port" >/dev/null 2>&1 || true; fi

# As systemd would: whoever ends is started again.
while sleep 1; do
    for n in 1 2 3; do
        if ! kill -0 "${hall_pid[$n]}" 2>/dev/null; then
            start_hall $n --behind-proxy --public-url "http://localhost:$port"
            echo "node$n ended and was started again as process ${hall_pid[$n]}"
        fi
    done
    if ! kill -0 "$nats_pid" 2>/dev/null; then start_nats; echo "NATS ended and was started again"; fi
done
