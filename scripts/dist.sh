#!/usr/bin/env bash
# Builds what is handed out: scripts/dist.sh [program|pack|test]
#
#   scripts/dist.sh        the program (small, stripped), a .deb, archives, checksums and a bill of materials: target/dist-out
#   scripts/dist.sh program, scripts/dist.sh pack   the program alone; what is made of it, once it is built
#   scripts/dist.sh test   unpacks them where nothing else is, starts them, plays a move, removes them, looks at the data
#
# `DIST_PROFILE` names another profile of Cargo for a quick try, such as `dev`.
set -euo pipefail
cd "$(dirname "$0")/.."
profile=${DIST_PROFILE:-dist}
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
built=$target/$([ "$profile" = dev ] && echo debug || echo "$profile")
out=$target/$profile-out
[ "$profile" != dist ] || out=$target/dist-out
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
machine=$(uname -m)
name=qiguan-$version-$(uname -s | tr '[:upper:]' '[:lower:]')-$machine

has() { command -v "$1" >/dev/null 2>&1; }
say() { printf '%s\n' "$*" >&2; }

build() {
    say "the page"
    scripts/setup.sh play
    make -s web/dist/index.html
    program
}

program() {
    say "the program, with link-time optimisation; this takes some minutes"
    local flags
    mapfile -t flags < <(link_flags)
    # Link-time optimisation runs at the level of the linked crate, which is nothing but a call of the library: at "s" the engines were
    # half as fast (docs/lab/size.md).
    cargo rustc --locked --profile "$profile" --package cli --bin qiguan -- -C opt-level=3 "${flags[@]}"
}

# What makes it smaller at no cost, where the linker can do it (on x86-64, the one that comes with Rust can): functions with the
# same code once, and addresses to adjust at the start as bits, not 24 bytes each.
link_flags() {
    local flag work
    work=$(mktemp -d)
    for flag in -Wl,--icf=all -Wl,-z,pack-relative-relocs; do
        if rustc -C "link-arg=$flag" -o "$work/program" - <<<'fn main() {}' 2>/dev/null; then
            printf '%s\n' -C "link-arg=$flag"
        fi
    done
    rm -r "$work"
}

# The folder that both the .deb and the archive begin with: everything below /usr.
stage() { # stage FOLDER
    local root=$1 program=$built/qiguan
    install -Dm755 "$program" "$root/usr/bin/qiguan"
    "$program" man "$root/usr/share/man/man1"
    find "$root/usr/share/man" -name '*.1' -exec gzip -9n {} +
    mkdir -p "$root"/usr/share/{bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d}
    "$program" completions bash >"$root/usr/share/bash-completion/completions/qiguan"
    "$program" completions zsh >"$root/usr/share/zsh/vendor-completions/_qiguan"
    "$program" completions fish >"$root/usr/share/fish/vendor_completions.d/qiguan.fish"
    mkdir -p "$root/usr/share/doc/qiguan"
    install -m644 README.md README.zh.md CHANGELOG.md docs/admin.md docs/limits.md docs/options.md docs/metrics.md \
        packaging/prometheus-alerts.yaml packaging/grafana-dashboard.json "$root/usr/share/doc/qiguan"
    # The licences of ours; those of what is linked are named in the bill of materials.
    cat LICENSE-MIT LICENSE-APACHE >"$root/usr/share/doc/qiguan/copyright"
}

deb() { # deb ROOT
    local root=$1 architecture
    architecture=$(dpkg --print-architecture)
    install -Dm644 packaging/qiguan.service "$root/usr/lib/systemd/system/qiguan.service"
    install -Dm644 packaging/qiguan-worker.service "$root/usr/lib/systemd/system/qiguan-worker.service"
    install -Dm644 packaging/qiguan.default "$root/etc/default/qiguan"
    install -Dm644 packaging/hall.toml "$root/etc/qiguan/hall.toml"
    install -dm700 "$root/etc/qiguan/credentials"
    mkdir -p "$root/DEBIAN"
    install -m755 packaging/preinst packaging/postinst packaging/prerm packaging/postrm "$root/DEBIAN"
    printf '%s\n' /etc/default/qiguan /etc/qiguan/hall.toml >"$root/DEBIAN/conffiles"
    # The oldest C library whose symbols the program wants.
    local libc
    libc=$(objdump -T "$built/qiguan" | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -uV | tail -1)
    # Packed relocations have a version of their own.
    if objdump -p "$built/qiguan" | grep -q GLIBC_ABI_DT_RELR; then
        libc=$(printf '%s\n' "$libc" 2.36 | sort -V | tail -1)
    fi
    cat >"$root/DEBIAN/control" <<CONTROL
Package: qiguan
Version: $version
Architecture: $architecture
Maintainer: The people of Qiguan <qiguan@localhost>
Installed-Size: $(du -sk "$root" | cut -f1)
Depends: libc6 (>= $libc), libgcc-s1
Recommends: ca-certificates
Section: games
Priority: optional
Description: hall for board games: xiangqi, draughts, gomoku, locked chess
 One program with the rules, an engine, a hall for a club or a school with its
 web page, and a terminal to play in. Maps of Jingbanqi are games that players
 make themselves.
CONTROL
    dpkg-deb --root-owner-group -Zxz --build "$root" "$out/qiguan_${version}_$architecture.deb" >/dev/null
}

pack() {
    rm -rf "$out"
    mkdir -p "$out"
    local work
    work=$(mktemp -d)
    trap 'rm -rf "$work"' RETURN
    stage "$work/$name"
    tar -C "$work" --owner=0 --group=0 --sort=name -cJf "$out/$name.tar.xz" "$name"
    if has dpkg-deb; then
        cp -a "$work/$name" "$work/deb"
        deb "$work/deb"
    else
        say "there is no dpkg-deb: no .deb"
    fi
    # The sources with a built page: `cargo install --path crates/cli` in it needs no Node.
    git archive --prefix="qiguan-$version/" --output "$work/source.tar" HEAD
    mkdir -p "$work/qiguan-$version/web"
    cp -a web/dist "$work/qiguan-$version/web/dist"
    tar -C "$work" --owner=0 --group=0 --sort=name -rf "$work/source.tar" "qiguan-$version/web/dist"
    xz -T2 -6 -c "$work/source.tar" >"$out/qiguan-$version-source.tar.xz"
    scripts/sbom.py >"$out/qiguan-$version.cdx.json"
    (cd "$out" && sha256sum -- * >SHA256SUMS)
    ls -l "$out"
}

sizes() {
    local bytes
    bytes=$(stat -c %s "$built/qiguan")
    say "$(printf '%s: %d bytes, %.1f MB' "$built/qiguan" "$bytes" "$(echo "$bytes" | awk '{print $1 / 1e6}')")"
    if has size; then size -A -d "$built/qiguan" | awk '$2 ~ /^[0-9]+$/ && $2 > 100000 {printf "  %-18s %6.1f MB\n", $1, $2 / 1e6}' >&2; fi
    if [ "$profile" = dist ] && [ "$bytes" -gt 25000000 ]; then
        say "the program is larger than the 25 MB that we want"
    fi
}

case ${1:-build} in
build)
    build
    sizes
    pack
    ;;
program)
    program
    ;;
pack)
    sizes
    pack
    ;;
test)
    exec scripts/dist-test.sh "$out" "$version"
    ;;
*)
    say "usage: scripts/dist.sh [program|pack|test]"
    exit 2
    ;;
esac
