#!/usr/bin/env bash
# The quick check before a commit: format, lints, types and all tests of what changed since the branch left main, and
# whether what depends on it compiles. On main, or where there is none, of what changed since the last commit.
# QIGUAN_CHECK_SINCE names another commit.
#
# `make test` checks everything, with the tests of what depends on the change, which this leaves out.
set -uo pipefail
cd "$(dirname "$0")/.."

base=${QIGUAN_CHECK_SINCE:-}
for main in main origin/main; do
    [ -n "$base" ] || base=$(git merge-base HEAD "$main" 2>/dev/null || true)
done
base=$(git rev-parse --verify --quiet "${base:-HEAD}^{commit}") || {
    echo "there is no commit ${QIGUAN_CHECK_SINCE:-HEAD} to compare with" >&2
    exit 2
}
changed=$( { git diff --name-only "$base"; git ls-files --others --exclude-standard; } | sort -u)
if [ -z "$changed" ]; then
    echo "nothing changed since $(git log -1 --format='%h %s' "$base")"
    exit 0
fi

failed=()
step() { # step TITLE COMMAND...
    local title=$1 since=$SECONDS
    shift
    if "$@"; then
        printf -- '--- %s: fine, %s s\n' "$title" $((SECONDS - since))
    else
        printf -- '--- %s: FAILED, %s s\n' "$title" $((SECONDS - since))
        failed+=("$title")
    fi
}

any() { grep -qE "$1" <<<"$changed"; }
page() { npm --prefix web run --silent "$1"; }

# The crates with a changed file, by what they are. What the root manifest or the lock decides is checked as a whole.
crates=()
while read -r crate; do
    [ -f "crates/$crate/Cargo.toml" ] && crates+=(-p "$crate")
done < <(sed -nE 's#^crates/([^/]+)/.*#\1#p' <<<"$changed" | sort -u)

if any '\.rs$'; then
    step "format" sh -c "cargo fmt --all --check && rustfmt --edition 2024 --check fuzz/fuzz_targets/*.rs"
fi
lints=("${crates[@]+"${crates[@]}"}")
if any '^Cargo\.(toml|lock)$'; then lints=(--workspace); fi
if [ ${#lints[@]} -gt 0 ]; then
    step "lints" cargo clippy "${lints[@]}" --all-targets --locked --quiet -- -D warnings
fi
if [ ${#crates[@]} -gt 0 ]; then
    step "tests of ${crates[*]//-p/}" cargo test "${crates[@]}" --locked --quiet
    # Of the whole workspace, so that other packages have the features that they have everywhere else; cargo knows what depends on what.
    step "what depends on them" cargo check --workspace --lib --bins --locked --quiet
fi
if any '^(web|texts)/'; then
    step "page: types" page check
    step "page: format and lints" page lint
    step "page: unit tests" page test
fi
if any '\.sh$'; then
    step "shell scripts" sh -c 'for script in scripts/*.sh; do bash -n "$script" || exit 1; done'
fi

printf '\n%s files changed since %s; checked in %s s\n' "$(wc -l <<<"$changed")" "$(git log -1 --format=%h "$base")" "$SECONDS"
for title in "${failed[@]+"${failed[@]}"}"; do echo "did not go well: $title"; done
[ ${#failed[@]} -eq 0 ]
