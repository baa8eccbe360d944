#!/usr/bin/env bash
# Installs what scripts/dist.sh built where nothing else is, and uses it: scripts/dist-test.sh FOLDER VERSION
#
# As root with debootstrap: in a chroot of Debian with nothing but its base, by dpkg. Otherwise unpacked into an empty folder.
set -euo pipefail
out=$1 version=$2
work=$(mktemp -d)
server=
finish() {
    if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi
    rm -rf "$work"
}
trap finish EXIT

has() { command -v "$1" >/dev/null 2>&1; }
fail() { echo "FAILED: $*" >&2; exit 1; }

(cd "$out" && sha256sum --quiet -c SHA256SUMS) || fail "checksums"
python3 -c 'import json, sys; bill = json.load(open(sys.argv[1])); assert bill["bomFormat"] == "CycloneDX" and len(bill["components"]) > 100' \
    "$out/qiguan-$version.cdx.json" || fail "bill of materials"

"$(dirname "$0")/package-test.sh" || fail "the scripts of the package"

deb=$(echo "$out"/qiguan_*.deb)
root=$work/root
if [ "$(id -u)" = 0 ] && has debootstrap && [ -f "$deb" ]; then
    echo "in a chroot of Debian"
    debootstrap --variant=minbase bookworm "$root" >"$work/debootstrap.log" 2>&1 || { tail -5 "$work/debootstrap.log" >&2; fail "debootstrap"; }
    cp "$deb" "$root/tmp/qiguan.deb"
    inside() { chroot "$root" "$@"; }
    inside dpkg --install /tmp/qiguan.deb >/dev/null || fail "dpkg --install"
    inside dpkg --verify qiguan || fail "dpkg --verify"
else
    echo "in an empty folder"
    mkdir "$root"
    dpkg-deb --extract "$deb" "$root"
    inside() { (cd "$root" && env -i PATH="$root/usr/bin:/usr/bin:/bin" HOME="$root" "$@"); }
fi
[ "$(inside qiguan --version)" = "qiguan $version" ] || fail "--version"
[ -s "$root/usr/share/man/man1/qiguan-serve.1.gz" ] || fail "manual pages"
bash -n "$root/usr/share/bash-completion/completions/qiguan" || fail "completions"
# The unit is read by systemd where there is one.
if has systemd-analyze; then
    sed "s|/usr/bin/qiguan|$root/usr/bin/qiguan|" "$root/usr/lib/systemd/system/qiguan.service" >"$work/qiguan.service"
    systemd-analyze verify --man=no "$work/qiguan.service" || fail "the unit"
    sed "s|/usr/bin/qiguan|$root/usr/bin/qiguan|" "$root/usr/lib/systemd/system/qiguan-worker.service" \
        >"$work/qiguan-worker.service"
    systemd-analyze verify --man=no "$work/qiguan-worker.service" || fail "the unit of a worker"
    systemd-analyze security --offline=true "$work/qiguan.service" | tail -1 || true
else
    echo "there is no systemd-analyze: the unit is not looked at"
fi

echo "a hall is opened as its unit does it"
if [ -d "$root/proc" ]; then data=/var/lib/qiguan; else data=$root/var/lib/qiguan; fi
mkdir -p "$root/var/lib/qiguan"
inside qiguan serve --listen 127.0.0.1:0 --data "$data" >"$work/log" 2>&1 &
server=$!
for _ in $(seq 100); do
    address=$(grep -o 'http://127.0.0.1:[0-9]*' "$work/log" | head -1) && break
    sleep 0.2
done
[ -n "${address:-}" ] || { cat "$work/log" >&2; fail "the hall did not open"; }
python3 - "$address" <<'PY' || fail "the hall's answers"
import json, sys, urllib.request
address = sys.argv[1]
ask = lambda path: urllib.request.urlopen(address + path, timeout=10).read()
assert b"<!doctype html" in ask("/").lower() and b"make play" not in ask("/"), "the page is built in"
assert len(json.loads(ask("/api/games"))) > 20
assert ask("/health")
print("page, games and health are there:", address)
PY
echo '{"game":"xiangqi","moves":["h2e2"],"best":{"nodes":1000}}' | inside qiguan referee | grep -q '"best"' || fail "a game"
played=$(inside qiguan load --hall "$address" --connections 2 --seconds 5 --rate 4) || fail "two players in the hall: $played"
grep -E '^moves +[1-9]' <<<"$played" || fail "two players in the hall: $played"
kill -TERM "$(pgrep -P "$server" qiguan || echo "$server")"
wait "$server" || true
server=
[ -f "$root/var/lib/qiguan/hall.db" ] || ls "$root/var/lib/qiguan"
if [ -d "$root/proc" ]; then
    inside dpkg --remove qiguan >/dev/null || fail "dpkg --remove"
    [ ! -e "$root/usr/bin/qiguan" ] || fail "it is still there"
    [ -n "$(ls "$root/var/lib/qiguan")" ] || fail "the data are gone"
    inside dpkg --purge qiguan >/dev/null && [ ! -e "$root/var/lib/qiguan" ] || fail "dpkg --purge"
    echo "removed; the data stayed until it was purged"
fi
echo "all of it works"
