#!/usr/bin/env bash
# Builds the package for Python: scripts/wheel.sh [test|speed]
#
#   scripts/wheel.sh         the wheel, as quick as it gets, in target/wheels
#   scripts/wheel.sh test    a wheel of a debug build, installed into a fresh virtual environment and tested there
#   scripts/wheel.sh speed   the quick wheel measured beside other packages, as far as they can be installed
set -euo pipefail
cd "$(dirname "$0")/.."
purpose=${1:-build}
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")

# What builds wheels, in a corner of its own.
tools=$target/wheel-tools
if ! "$tools/bin/maturin" --version >/dev/null 2>&1; then
    python3 -m venv "$tools"
    "$tools/bin/pip" install -q --disable-pip-version-check 'maturin>=1.9,<2'
fi

build() { # build PROFILE FOLDER
    rm -f "$2"/qiguan-*.whl
    (cd python && "$tools/bin/maturin" build --locked --quiet --profile "$1" --out "$2")
}

fresh() { # fresh FOLDER WHEEL PACKAGE...: an environment with nothing but these
    local folder=$1 wheel
    wheel=$(echo "$2"/qiguan-*.whl)
    shift 2
    rm -rf "$folder"
    python3 -m venv "$folder"
    "$folder/bin/pip" install -q --disable-pip-version-check "$wheel[rl]" "$@"
}

case $purpose in
build)
    build wheel "$target/wheels"
    ls -l "$target"/wheels/qiguan-*.whl
    ;;
test)
    build dev "$target/wheels-debug"
    fresh "$target/wheel-test" "$target/wheels-debug" pytest mypy
    PYTHONDONTWRITEBYTECODE=1 "$target/wheel-test/bin/python" -m pytest -q -p no:cacheprovider python/tests
    ;;
speed)
    build wheel "$target/wheels"
    fresh "$target/wheels/venv" "$target/wheels"
    for other in pyffish==0.0.90 pydraughts==0.6.7 open_spiel; do
        "$target/wheels/venv/bin/pip" install -q --disable-pip-version-check "$other" || echo "$other could not be installed"
    done
    "$target/wheels/venv/bin/python" scripts/python-speed.py
    ;;
*)
    echo "usage: scripts/wheel.sh [test|speed]" >&2
    exit 2
    ;;
esac
