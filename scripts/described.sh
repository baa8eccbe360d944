#!/usr/bin/env bash
# Asks a hall of the built program all that its description says, and much that it does not say, and holds the answers against it
# (schemathesis, https://schemathesis.io). Over loopback only; ends with 1 when an answer is of another status, kind or shape than
# described, or a fault of the hall. QIGUAN_BIN: the program. QIGUAN_DESCRIBED_SECONDS: for how long, 300 unless told.
set -euo pipefail
cd "$(dirname "$0")/.."

program=${QIGUAN_BIN:-${CARGO_TARGET_DIR:-target}/debug/qiguan}
seconds=${QIGUAN_DESCRIBED_SECONDS:-300}
data=$(mktemp -d)
"$program" serve --listen 127.0.0.1:0 --data "$data/hall" --limits off >"$data/said" 2>"$data/complained" &
hall=$!
trap 'kill $hall 2>/dev/null || true; wait $hall 2>/dev/null || true; rm -rf "$data"' EXIT
url=
for _ in $(seq 200); do
    url=$(grep -o 'http://127\.0\.0\.1:[0-9]*' "$data/said" | head -n 1 || true)
    [ -n "$url" ] && break
    sleep 0.1
done
[ -n "$url" ] || { cat "$data/complained" >&2; exit 1; }
secret=$(curl -sf -X POST "$url/api/guests" | python3 -c 'import json, sys; print(json.load(sys.stdin)["secret"])')

# Streams never end, and oEmbed wants 501 for formats that there are not. What a schema cannot say, such as that a name is free, is no fault of an answer.
cd "$data"
schemathesis run "$url/api/openapi.json" --url "$url" -H "Authorization: Bearer $secret" \
    --exclude-path-regex '^(/api/(stream|bot/game/stream)/|/oembed$)' \
    --checks not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance,unsupported_method \
    --phases examples,coverage,fuzzing --max-time "$seconds" --request-timeout 30 --warnings off --continue-on-failure --generation-database none
if grep -a panicked "$data/complained"; then exit 1; fi
