# Functions of scripts/cluster.sh and scripts/chaos.sh: a private PostgreSQL, NATS and halls on loopback. To be sourced,
# with $folder set to where all of it lies.

has() { command -v "$1" >/dev/null 2>&1; }

# Everything that was started and not ended by a function below, ended with the script.
pids=()

pg_bin() { # pg_bin PROGRAM: where Debian puts it, or in the path
    local found
    found=$(compgen -G "/usr/lib/postgresql/*/bin/$1" | sort -V | tail -1)
    echo "${found:-$(command -v "$1")}"
}

# The server refuses to be root.
as_postgres() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }

# What is missing, so that nothing begins halfway.
needs() { # needs PROGRAM...
    local missing=()
    [ -n "$(pg_bin initdb)" ] || missing+=(postgresql)
    for program in "$@"; do has "$program" || missing+=("$program"); done
    [ ${#missing[@]} = 0 ] && return
    if [ "$(id -u)" = 0 ] && has apt-get; then
        echo "installing ${missing[*]}"
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
    else
        echo "something is missing; please install: ${missing[*]} (on Debian: sudo apt-get install ${missing[*]})" >&2
        exit 1
    fi
}

# Ends the script when something listens already where it wants to: else it would talk to somebody else's hall.
ports_free() { # ports_free PORT...
    for wanted in "$@"; do
        if (exec 3<>"/dev/tcp/127.0.0.1/$wanted") 2>/dev/null; then
            echo "port $wanted is taken; end what listens there, or choose others with BASE_PORT and NATS_PORT" >&2
            exit 1
        fi
    done
}

start_postgres() { # makes $store, the database's address
    local data=$folder/postgres
    mkdir -p "$data" "$folder/socket"
    if [ "$(id -u)" = 0 ]; then chown postgres "$data" "$folder/socket"; chmod 711 "$folder"; fi
    if [ ! -f "$data/PG_VERSION" ]; then
        (cd / && as_postgres "$(pg_bin initdb)" -D "$data" -A trust -U hall --locale=C -E UTF8 >/dev/null)
    fi
    pg_ctl_start
    "$(pg_bin createdb)" -h "$folder/socket" -U hall hall 2>/dev/null || true
    store="postgres://hall@$(sed 's,/,%2F,g' <<<"$folder/socket")/hall"
}

pg_ctl_start() {
    (cd / && as_postgres "$(pg_bin pg_ctl)" -D "$folder/postgres" -l "$folder/socket/log" -w -s \
        -o "-k $folder/socket -c listen_addresses='' -c max_connections=100 ${PG_OPTIONS:-}" start)
}

stop_postgres() { # stop_postgres [fast|immediate]
    (cd / && as_postgres "$(pg_bin pg_ctl)" -D "$folder/postgres" -m "${1:-fast}" -s -w stop) || true
}

sql() { "$(pg_bin psql)" -h "$folder/socket" -U hall -XqAt -c "$1" hall; }

nats_port=${NATS_PORT:-4322}
start_nats() {
    # With a password, as a keeper would have it; the halls find it in the file that the variable names.
    export QIGUAN_BUS_CREDS=$folder/bus.creds
    [ -s "$QIGUAN_BUS_CREDS" ] || (umask 077 && echo "hall:$RANDOM$RANDOM$RANDOM" >"$QIGUAN_BUS_CREDS")
    nats-server -a 127.0.0.1 -p "$nats_port" --user hall --pass "$(cut -d: -f2 "$QIGUAN_BUS_CREDS")" >>"$folder/nats.log" 2>&1 &
    nats_pid=$!
    # Bash need not say that it was killed.
    disown
}

# HAProxy before three halls, at that port of loopback.
start_balancer() { # start_balancer PORT
    local port=$1
    cat >"$folder/haproxy.cfg" <<CONFIG
global
    maxconn 5000
defaults
    mode http
    timeout connect 2s
    timeout client 60s
    timeout server 60s
    # WebSockets; the hall asks every ten seconds whether the other side is there.
    timeout tunnel 1h
    option forwardfor
    option redispatch
    retries 3
frontend people
    bind 127.0.0.1:$port
    default_backend halls
backend halls
    balance roundrobin
    option httpchk
    http-check send meth GET uri /health ver HTTP/1.1 hdr Host localhost:$port
    default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
    server node1 127.0.0.1:$((base_port + 1))
    server node2 127.0.0.1:$((base_port + 2))
    server node3 127.0.0.1:$((base_port + 3))
CONFIG
    haproxy -f "$folder/haproxy.cfg" -db >"$folder/haproxy.log" 2>&1 &
    pids+=($!)
    for _ in $(seq 50); do
        curl -fsS -o /dev/null --max-time 2 "http://127.0.0.1:$port/health" 2>/dev/null && break
        kill -0 "${pids[-1]}" 2>/dev/null || { echo "HAProxy did not start:" >&2; cat "$folder/haproxy.log" >&2; exit 1; }
        sleep 0.1
    done
}

# PgBouncer before the database, each client with a connection of its own: halls refuse the other modes. Its socket is
# $folder/pool/.s.PGSQL.6432.
start_pooler() {
    local as=()
    mkdir -p "$folder/pool"
    cat >"$folder/pool/pgbouncer.ini" <<CONFIG
[databases]
hall = host=$folder/socket dbname=hall user=hall
[pgbouncer]
listen_addr =
listen_port = 6432
unix_socket_dir = $folder/pool
auth_type = any
pool_mode = session
default_pool_size = 80
max_client_conn = 400
CONFIG
    # It refuses to be root.
    if [ "$(id -u)" = 0 ]; then
        chown -R postgres "$folder/pool"
        as=(setpriv --reuid=postgres --regid=postgres --clear-groups --)
    fi
    rm -f "$folder/pool/.s.PGSQL.6432"
    "${as[@]+"${as[@]}"}" /usr/sbin/pgbouncer "$folder/pool/pgbouncer.ini" >>"$folder/pooler.log" 2>&1 &
    pooler_pid=$!
    disown
}

declare -A hall_pid
# Halls of this number listen at $base_port + number.
base_port=${BASE_PORT:-8180}
start_hall() { # start_hall NUMBER [OPTION...]
    local n=$1
    shift
    # In a folder of its own: it keeps copies of files there, which it can fetch again, and the lock.
    "$qiguan" serve --data "$folder/node$n" --store "$store" --bus "${bus:-nats://127.0.0.1:$nats_port}" --node "node$n" \
        --listen "127.0.0.1:$((base_port + n))" --admin-listen "127.0.0.1:$((base_port + 100 + n))" "$@" \
        >>"$folder/node$n.log" 2>&1 &
    hall_pid[$n]=$!
    disown
}

wait_for_hall() { # wait_for_hall NUMBER SECONDS
    local n=$1 until=$((SECONDS + $2))
    while [ $SECONDS -lt $until ]; do
        if curl -fsS -o /dev/null --max-time 2 "http://127.0.0.1:$((base_port + n))/health" 2>/dev/null; then return 0; fi
        sleep 0.1
    done
    echo "node$n did not open; the end of $folder/node$n.log:" >&2
    tail -5 "$folder/node$n.log" >&2
    return 1
}

end_halls() { # asks them to end, and waits until they have; one that is dead already is no fault
    for n in "${!hall_pid[@]}"; do kill -CONT "${hall_pid[$n]}" 2>/dev/null || continue; kill "${hall_pid[$n]}" 2>/dev/null || true; done
    for _ in $(seq 100); do
        local left=0
        for n in "${!hall_pid[@]}"; do kill -0 "${hall_pid[$n]}" 2>/dev/null && left=1; done
        [ $left = 0 ] && break
        sleep 0.1
    done
    # One whose database is gone waits for it.
    for n in "${!hall_pid[@]}"; do kill -9 "${hall_pid[$n]}" 2>/dev/null || true; done
    hall_pid=()
}

# Called as the script ends, with what may have ended already: no failure in here is one of the script.
end_all() {
    set +e
    end_halls
    [ -n "${nats_pid:-}" ] && kill "$nats_pid" 2>/dev/null
    [ -n "${pooler_pid:-}" ] && kill "$pooler_pid" 2>/dev/null
    for pid in "${pids[@]+"${pids[@]}"}"; do kill "$pid" 2>/dev/null; done
    wait 2>/dev/null
    [ -d "$folder/postgres" ] && stop_postgres fast
    true
}
