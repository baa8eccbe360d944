#!/usr/bin/env bash
# What the .deb does to its service, in the order in which dpkg calls its scripts, before a systemctl that writes down what it
# is told: scripts/package-test.sh
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bin" "$work/run/systemd/system" "$work/lib"

fail() { echo "FAILED: $*" >&2; exit 1; }

# Stands for a service that is enabled, or not, and runs, or not; a masked one is refused like one that does not exist.
cat >"$work/bin/systemctl" <<'FAKE'
#!/bin/sh
echo "$1" >>"$STATE/told"
[ ! -e "$STATE/masked" ] || [ "$1" = daemon-reload ] || [ "$1" = stop ] || exit 1
case $1 in
    enable) touch "$STATE/enabled" ;;
    disable) rm -f "$STATE/enabled" ;;
    start | restart) touch "$STATE/running"; echo started >>"$STATE/told" ;;
    try-restart) [ ! -e "$STATE/running" ] || echo started >>"$STATE/told" ;;
    stop) rm -f "$STATE/running" ;;
esac
FAKE
chmod +x "$work/bin/systemctl"

# The scripts as they are, but for where the machine keeps its state.
calls() { # calls SCRIPT ARGUMENTS...
    local script=$1
    shift
    [ -e "packaging/$script" ] || return 0
    sed "s|/run/|$work/run/|g; s|/var/lib/|$work/lib/|g; s|/etc/|$work/etc/|g" "packaging/$script" >"$work/script"
    STATE=$work PATH="$work/bin:$PATH" sh "$work/script" "$@" || fail "$script $*"
}
install_() { calls preinst install "$@" && calls postinst configure "$@"; }
upgrade() { calls prerm upgrade 2 && calls preinst upgrade 1 2 && calls postrm upgrade 2 && calls postinst configure 1; }
remove() { calls prerm remove && calls postrm remove; }
begin() { rm -f "$work"/{told,enabled,running,masked}; for state in "$@"; do touch "$work/$state"; done; }
is() { # is TITLE STATES...: nothing else than these, and whether it was started
    local title=$1 found
    shift
    found=$(cd "$work" && ls -d enabled running masked 2>/dev/null || true)
    found=$(echo $found $(grep -sxc started "$work/told" || true))
    [ "$found" = "$*" ] || fail "$title: $found, not $*"
}

for script in packaging/{preinst,postinst,prerm,postrm}; do
    [ ! -e "$script" ] || sh -n "$script"
done
begin && install_ "" && is "installed" enabled running 1
begin masked && install_ "" && is "installed where it is masked" masked 0
begin enabled running && upgrade && is "an upgrade of a service that runs" enabled running 1
begin enabled && upgrade && is "an upgrade of one that was stopped" enabled 0
begin && upgrade && is "an upgrade of one that was disabled" 0
begin running && upgrade && is "an upgrade of one that runs without being enabled" running 1
begin masked && upgrade && is "an upgrade of one that is masked" masked 0
begin enabled running && remove && is "removed" 0
install_ 1 && is "installed again" enabled running 1
remove && calls postrm purge && is "purged" 1
rm -r "$work/run/systemd"
begin && install_ "" && upgrade && remove && [ ! -e "$work/told" ] || fail "without systemd"
echo "installing, upgrading and removing leave the service as its owner has it"
