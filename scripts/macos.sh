#!/usr/bin/env bash
# Checks that the program compiles for macOS, from here: scripts/macos.sh
#
# Needs Rust's target (rustup target add aarch64-apple-darwin) and, for the parts in C, the compiler of the Python package
# `ziglang` (`ZIG` names another Python that has it). Where one is missing it says so and ends well. Nothing is linked.
set -euo pipefail
cd "$(dirname "$0")/.."
target=aarch64-apple-darwin
zig=${ZIG:-python3}

if ! [ -d "$(rustc --print sysroot)/lib/rustlib/$target/lib" ]; then
    echo "not run here: macOS, because Rust's target is not installed: rustup target add $target"
    exit
fi
if ! "$zig" -m ziglang version >/dev/null 2>&1; then
    echo "not run here: macOS, because there is no C compiler for it: pip install ziglang"
    exit
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# What build scripts say to Apple's own compiler about the target, zig's is told in its own words.
cat >"$work/cc" <<CC
#!/usr/bin/env bash
words=()
for word in "\$@"; do
    case \$word in
    --target=* | -target=* | -arch | arm64 | -mmacosx-version-min=*) ;;
    *) words+=("\$word") ;;
    esac
done
exec "$(command -v "$zig")" -m ziglang cc -target aarch64-macos "\${words[@]}"
CC
printf '#!/usr/bin/env bash\nexec "%s" -m ziglang ar "$@"\n' "$(command -v "$zig")" >"$work/ar"
chmod +x "$work/cc" "$work/ar"
CC_aarch64_apple_darwin=$work/cc AR_aarch64_apple_darwin=$work/ar cargo check --locked --target "$target" --package cli
