#!/usr/bin/env bash
# Installs what is missing to play or to test: scripts/setup.sh play|test
#
# Does nothing, quickly, when nothing is missing. As root on Debian it uses apt-get; elsewhere it says what to install.
set -euo pipefail
cd "$(dirname "$0")/.."
purpose=${1:-test}

has() { command -v "$1" >/dev/null 2>&1; }
is_debian_root() { [ "$(id -u)" = 0 ] && has apt-get; }

# Debian's names of what is missing, and what has no good Debian package.
packages=()
complaints=()

has cc || packages+=(build-essential)
if [ "$purpose" = test ]; then
    has chromium || has chromium-browser || has google-chrome || packages+=(chromium)
    # A terminal whose screen can be read.
    has tmux || packages+=(tmux)
    # The faces of the pieces in screenshots. Chinese fonts are the same everywhere only if there is one.
    if ! has fc-list || [ -z "$(fc-list :lang=zh family 2>/dev/null)" ]; then packages+=(fontconfig fonts-noto-cjk); fi
    # An engine to play against, and Python for other people's rules. Where they are missing, their tests are skipped.
    if is_debian_root; then
        has strace || packages+=(strace)
        # The other two browsers; WebKit's wants a screen.
        has firefox-esr || packages+=(firefox-esr)
        { has WebKitWebDriver && has Xvfb; } || packages+=(webkit2gtk-driver xvfb)
        # For halls of more than one process: the database, the bus, and what stands before them in `make cluster`.
        compgen -G "/usr/lib/postgresql/*/bin/initdb" >/dev/null || packages+=(postgresql)
        has nats-server || packages+=(nats-server)
        [ -x /usr/sbin/pgbouncer ] || packages+=(pgbouncer)
        has haproxy || packages+=(haproxy)
        [ -x /usr/games/fairy-stockfish ] || packages+=(fairy-stockfish)
        [ -x /usr/games/uci2wb ] || packages+=(uci2wb)
        python3 -c 'import ensurepip, venv' 2>/dev/null || packages+=(python3-venv)
    fi
fi

has cargo || complaints+=("Rust 1.95 or newer: https://rustup.rs")
# Parts of Rust that a minimal installation leaves out.
if [ "$purpose" = test ] && has cargo && ! { cargo clippy --version && cargo fmt --version; } >/dev/null 2>&1; then
    { has rustup && rustup component add clippy rustfmt; } || complaints+=("clippy and rustfmt: rustup component add clippy rustfmt")
fi
if ! has node || ! has npm; then
    complaints+=("Node 20.19 or newer, with npm: https://nodejs.org")
elif ! node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'; then
    complaints+=("Node 20.19 or newer; this is $(node --version): https://nodejs.org")
fi

if [ ${#packages[@]} -gt 0 ]; then
    if is_debian_root; then
        echo "installing ${packages[*]}"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}"
    else
        complaints+=("on Debian or Ubuntu: sudo apt-get install ${packages[*]}")
    fi
fi

if [ ${#complaints[@]} -gt 0 ]; then
    echo "something is missing; please install:" >&2
    printf '  %s\n' "${complaints[@]}" >&2
    exit 1
fi

# The page's packages, when package-lock.json is newer than the last installation.
installed=web/node_modules/.installed
if [ -f web/package-lock.json ] && { [ ! -f $installed ] || [ web/package-lock.json -nt $installed ]; }; then
    npm --prefix web ci --no-audit --no-fund
    touch $installed
fi

# Other people's rules of xiangqi and draughts, in a corner of their own. Without them some tests are skipped.
programs=target/programs
if [ "$purpose" = test ] && ! $programs/bin/python -c 'import pyffish, draughts' 2>/dev/null; then
    { python3 -m venv $programs && $programs/bin/pip install -q --disable-pip-version-check pydraughts==0.6.7 pyffish==0.0.90; } ||
        echo "pydraughts and pyffish could not be installed; their tests will be skipped" >&2
fi

# Licences and advisories of dependencies. Compiling it takes minutes, once, and fewer without optimisation, which a check of
# a second does not need. Without it a test step is skipped, so a
# failure here is not the end.
if [ "$purpose" = test ] && ! has cargo-deny; then
    echo "installing cargo-deny; this takes some minutes, once"
    cargo install cargo-deny --locked --debug --version 0.20.2 || echo "cargo-deny could not be installed; its checks will be skipped" >&2
fi
