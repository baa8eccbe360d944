#!/usr/bin/env bash
# Captures a screen of each game for docs/terminal: scripts/screens.sh [FOLDER]
#
# Plays a few moves of each game in a terminal of tmux and writes what is shown, as text and as a picture.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-docs/terminal}
command -v tmux >/dev/null || { echo "tmux is missing: scripts/setup.sh test" >&2; exit 1; }
cargo build --locked --bin qiguan
qiguan=$(realpath "${CARGO_TARGET_DIR:-target}/debug/qiguan")
home=$(mktemp -d)
socket=qiguan-screens-$$
trap 'tmux -L "$socket" kill-server 2>/dev/null || true; rm -rf "$home"' EXIT
mkdir -p "$out"
printf 'set -g default-terminal screen-256color\nset -g status off\nset -s escape-time 0\n' >"$home/tmux.conf"

t() { LC_ALL=C.UTF-8 tmux -L "$socket" "$@"; }

capture() { # capture NAME LANG WIDTHxHEIGHT ARGUMENTS KEYS... (a key, or :MOVE to type one)
    local name=$1 lang=$2 size=$3 arguments=$4
    shift 4
    socket=qiguan-screens-$$-$name
    t -u -f "$home/tmux.conf" new-session -d -x "${size%x*}" -y "${size#*x}" \
        "env -u NO_COLOR LC_ALL=$lang LANG=$lang XDG_DATA_HOME=$home $qiguan play $arguments"
    sleep 1
    for key in "$@"; do
        case $key in
            :?*) t send-keys -l "$key" && t send-keys Enter ;;
            *) t send-keys "$key" ;;
        esac
        sleep 0.1
    done
    sleep 0.5
    t capture-pane -p | sed 's/ *$//' >"$out/$name.txt"
    t capture-pane -p -e -N | python3 scripts/screen-svg.py "${size%x*}" "${size#*x}" >"$out/$name.svg"
    t kill-server
    echo "$out/$name"
}

en=en_US.UTF-8 zh=zh_CN.UTF-8
capture menu-en $en 80x24 ""
capture menu-zh $zh 80x24 ""
capture xiangqi-zh $zh 80x24 xiangqi :炮二平五 :马8进7 :马二进三 :车9平8 k k k k l l l l Enter
capture xiangqi-en $en 100x34 xiangqi :C2=5 :H8+7 :H2+3 :R9=8
capture xiangqi-origin-zh $zh 100x34 "xiangqi --theme origin" :炮二平五 :马8进7 k k k l Enter
capture xiangqi-ascii-en $en 80x24 "xiangqi --theme ascii" :C2=5 :H8+7
capture gomoku-zh $zh 80x24 gomoku/standard :h8 :h9 :i8 :g8 :j8 :k8 :i9 :h10
capture gomoku-en $en 100x44 gomoku :j10 :k11 :j11 :j9 :k10 :l10
capture renju-en $en 80x24 gomoku/renju :h8 :h9 :j9 :h7 :j7 :a1 :g8 :b1
capture draughts-en $en 80x24 draughts :32-28 :19-23 Tab Enter
capture draughts-zh $zh 100x36 draughts/russian :c3-d4 :d6-c5
capture locked-en $en 80x24 locked Up Left Tab Enter
capture locked-zh $zh 100x30 locked Up Left Tab Enter Down Right
capture contrast-en $en 80x24 "draughts/english --theme contrast" :11-15 :23-19 :8-11
capture map-zh $zh 100x34 "maps/leap.xlsx --extension maps/leap.py" Tab Enter
capture keys-en $en 80x24 xiangqi '?'
