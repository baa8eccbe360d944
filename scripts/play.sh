#!/usr/bin/env bash
# Builds the hall, opens it and shows it in the browser: scripts/play.sh [words for `qiguan serve`]
#
# The first time nothing is built yet, and whoever wants to play waits. So what is not needed for a first game, the
# interpreter of Jingbanqi's extensions, is built after the hall has opened, at low priority. QIGUAN_PLAY=build ends
# when everything is built, and opens nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '\n=== %s\n' "$*" >&2; }
build() { cargo build --profile play --locked "$@"; }
hall() { build -p cli --bin qiguan --no-default-features "$@"; }
worker() { build -p sandbox --bin sandbox-worker; }

folder=${CARGO_TARGET_DIR:-target}/play

# The first time, the hall's build begins beside the making of the page, which mostly waits for its packages. A build
# that finds no page leaves it out, and the one below takes it in. What fails here is said by that one.
ahead=
if [ ! -x "$folder/qiguan" ] && command -v cargo >/dev/null && command -v cc >/dev/null; then
    set -m
    hall --quiet 2>/dev/null &
    ahead=$!
    set +m
    trap 'kill -INT -- "-$ahead" 2>/dev/null || true' EXIT
fi
scripts/setup.sh play

say "1 of 3: the page"
make -s web/dist/index.html
if [ -n "$ahead" ]; then
    kill -INT -- "-$ahead" 2>/dev/null || true
    wait "$ahead" 2>/dev/null || true
    # Its number may belong to others when the hall closes.
    trap - EXIT
fi

# A worker of an older hall does not understand this one: it is built anew before the hall opens.
if [ -x "$folder/sandbox-worker" ]; then
    say "2 of 3: the hall"
    hall
    say "3 of 3: what runs extensions of Jingbanqi"
    worker
elif [ "${QIGUAN_PLAY:-}" = build ]; then
    hall
    worker
else
    say "2 of 3: the hall. The first time this takes some minutes"
    hall
    say "3 of 3: what runs extensions of Jingbanqi, while you play; maps with extensions wait for it"
    log=$folder/sandbox-worker.log
    # A process group of its own: whoever closes the hall ends it with all its compilers, and it goes on the next time.
    set -m
    { nice -n 15 cargo build --profile play --locked --quiet -p sandbox --bin sandbox-worker >"$log" 2>&1 ||
        echo "what runs extensions could not be built: see $log" >&2; } &
    trap 'kill -- "-$building" 2>/dev/null || true' EXIT
    building=$!
    set +m
fi

[ "${QIGUAN_PLAY:-}" = build ] || "$folder/qiguan" serve --open "$@"
