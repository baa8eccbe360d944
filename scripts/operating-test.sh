#!/usr/bin/env bash
# Runs the commands of docs/guide/operating.md: scripts/operating-test.sh
#
# Blocks marked `sh` run in their order, with /etc, /var/lib, /backup and /usr/share/doc in a folder of its own, and with a systemctl that
# starts, reloads and stops the hall as its unit does: variables, credentials, signals, readiness. Blocks marked `postgres` run against a
# PostgreSQL of its own, which is then taken back to the moment before a mistake; where there is none they are skipped.
# QIGUAN: the program, else the debug build. PORT: where the hall listens instead of 8080; the metrics are at PORT + 1.
set -euo pipefail
cd "$(dirname "$0")/.."
qiguan=$(realpath "${QIGUAN:-${CARGO_TARGET_DIR:-target}/debug/qiguan}")
port=${PORT:-9280}
folder=$(mktemp -d /tmp/qiguan-operating-XXXXXX)
chmod 711 "$folder"
. scripts/nodes.sh
trap 'systemctl_stop; end_all; rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM
fail() { echo "FAILED: $*" >&2; [ ! -f "$folder/hall.log" ] || tail -5 "$folder/hall.log" >&2; exit 1; }
ports_free "$port" $((port + 1))
mkdir -p "$folder"/{bin,etc/qiguan/credentials,etc/prometheus,var/lib,backup,usr/share/doc/qiguan,archive}
cp packaging/hall.toml "$folder/etc/qiguan/"
cp packaging/prometheus-alerts.yaml "$folder/usr/share/doc/qiguan/"

systemctl_stop() {
    [ -f "$folder/pid" ] || return 0
    kill "$(cat "$folder/pid")" 2>/dev/null || true
    for _ in $(seq 100); do kill -0 "$(cat "$folder/pid")" 2>/dev/null || break; sleep 0.1; done
    rm -f "$folder/pid"
}

# As packaging/qiguan.service has it; credentials are copied when it starts.
cat >"$folder/bin/systemctl" <<FAKE
#!/bin/bash
set -eu
folder=$folder
stop() { [ -f "\$folder/pid" ] || return 0; kill "\$(cat "\$folder/pid")" 2>/dev/null || true
    for _ in \$(seq 100); do kill -0 "\$(cat "\$folder/pid")" 2>/dev/null || break; sleep 0.1; done; rm -f "\$folder/pid"; }
start() {
    rm -rf "\$folder/credentials"; mkdir "\$folder/credentials"
    for file in "\$folder"/etc/qiguan/credentials/*; do [ ! -f "\$file" ] || cp "\$file" "\$folder/credentials/qiguan_\${file##*/}"; done
    CREDENTIALS_DIRECTORY=\$folder/credentials QIGUAN_CONFIG=\$folder/etc/qiguan/hall.toml LANG=C setsid \
        "$qiguan" serve --listen 127.0.0.1:$port --data "\$folder/var/lib/qiguan" >>"\$folder/hall.log" 2>&1 </dev/null &
    echo \$! >"\$folder/pid"
    for _ in \$(seq 200); do
        curl -fsS -o /dev/null http://127.0.0.1:$port/live 2>/dev/null && return 0
        kill -0 "\$(cat "\$folder/pid")" || { tail -5 "\$folder/hall.log" >&2; return 1; }
        sleep 0.1
    done
    return 1
}
case \$1 in
    start) mkdir -p "\$folder/var/lib/qiguan"; start ;;
    stop) stop ;;
    restart) stop; start ;;
    reload) kill -HUP "\$(cat "\$folder/pid")"; sleep 1 ;;
    status) kill -0 "\$(cat "\$folder/pid")" ;;
esac
FAKE
printf '#!/bin/bash\ntail -n 5 %q\n' "$folder/hall.log" >"$folder/bin/journalctl"
printf '#!/bin/bash\nexec %q "$@"\n' "$qiguan" >"$folder/bin/qiguan"
has promtool || printf '#!/bin/bash\necho "not looked at: there is no promtool"\n' >"$folder/bin/promtool"
chmod +x "$folder"/bin/*

blocks() { # blocks KIND: the guide's blocks of that kind, each as a file $folder/KIND-N
    awk -v kind="$1" -v place="$folder" '
        $0 == "```" && inside { inside = 0; close(file); next }
        $0 == "```" kind { inside = 1; file = sprintf("%s/%s-%02d", place, kind, ++n); next }
        inside { print >file }' docs/guide/operating.md
}
run() { # run FILE
    sed -i "s|/etc/|$folder/etc/|g; s|/var/lib/|$folder/var/lib/|g; s|/backup/|$folder/backup/|g; s|/usr/share/|$folder/usr/share/|g
        s|127.0.0.1:8080|127.0.0.1:$port|g; s|127.0.0.1:9464|127.0.0.1:$((port + 1))|g" "$1"
    PATH="$folder/bin:$PATH" bash -euo pipefail "$1" >"$1.out" 2>&1 || { cat "$1.out" >&2; fail "this block of the guide:
$(cat "$1")"; }
}

blocks sh
count=0
for block in "$folder"/sh-??; do
    run "$block"
    count=$((count + 1))
done
[ "$count" -ge 8 ] || fail "only $count blocks were found"
said() { grep -q -- "$1" "$folder/hall.log" || fail "the log does not say: $1"; }
said 'limits.tables_opened.*is followed\|is followed.*limits.tables_opened'
said 'next start.*limits.workers\|limits.workers.*next start'
[ -n "$(ls -d "$folder"/var/lib/qiguan/before-restore-* 2>/dev/null)" ] || fail "the restore left nothing of before"
PATH="$folder/bin:$PATH" systemctl stop
echo "$count blocks ran as the guide has them"

if [ -z "$(pg_bin initdb)" ]; then
    echo "skipped: there is no PostgreSQL"
    exit 0
fi
if [ "$(id -u)" = 0 ]; then chown postgres "$folder/archive" "$folder/backup"; fi
PG_OPTIONS="-c wal_level=replica -c archive_mode=on -c 'archive_command=cp %p $folder/archive/%f'" start_postgres
export PGDATA=$folder/postgres ARCHIVE=$folder/archive STORE="host=$folder/socket user=hall dbname=hall"
url=$store
node() { # node WORDS...: what the program says of the database
    "$qiguan" "$@" --store "$url"
}
"$qiguan" serve --store "$url" --node a --data "$folder/node" --listen "127.0.0.1:$port" --limits off >>"$folder/hall.log" 2>&1 </dev/null &
echo $! >"$folder/pid"
for _ in $(seq 200); do curl -fsS -o /dev/null "http://127.0.0.1:$port/ready" 2>/dev/null && break; sleep 0.1; done
"$qiguan" load --hall "http://127.0.0.1:$port" --connections 4 --seconds 3 --think 50 --record "$folder/told" >"$folder/load.log" 2>&1 ||
    fail "nobody played: $(tail -3 "$folder/load.log")"
systemctl_stop
blocks postgres
pg_path=$(dirname "$(pg_bin pg_basebackup)")
run_postgres() { PATH="$pg_path:$PATH" run "$1"; }
run_postgres "$folder/postgres-01"
before=$(sql "SELECT count(*) FROM seating")
[ "$before" -gt 0 ] || fail "nothing was played"
# The mistake.
sql "DELETE FROM event; DELETE FROM tip" >/dev/null
sql "SELECT pg_switch_wal()" >/dev/null
stop_postgres fast
run_postgres "$folder/postgres-02"
if [ "$(id -u)" = 0 ]; then chown -R postgres "$folder/postgres.base"; fi
(cd / && as_postgres "$(pg_bin pg_ctl)" -D "$folder/postgres.base" -l "$folder/socket/log" -w -s -t 60 \
    -o "-k $folder/socket -c listen_addresses='' -c archive_mode=off" start) || fail "$(tail -5 "$folder/socket/log")"
for _ in $(seq 100); do [ "$(sql "SELECT pg_is_in_recovery()")" = f ] && break; sleep 0.1; done
[ "$(sql "SELECT count(*) FROM tip")" = "$before" ] || fail "not all is back"
node admin check || fail "the games that came back"
"$qiguan" load --check "$folder/told" --store "$url" || fail "moves were lost"
(cd / && as_postgres "$(pg_bin pg_ctl)" -D "$folder/postgres.base" -m fast -s -w stop) || true
rm -rf "$folder/postgres"
echo "the database went back to the moment before the mistake, and every game with it"
