#!/usr/bin/env bash
# Builds the site of the documentation: scripts/docs.sh; then open target/site/index.html. A dead link ends it with 1.
set -euo pipefail
cd "$(dirname "$0")/.."
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")

tools=$target/docs-tools
if ! "$tools/bin/mkdocs" --version >/dev/null 2>&1; then
    python3 -m venv "$tools"
    "$tools/bin/pip" install -q --disable-pip-version-check 'mkdocs==1.6.1' 'mkdocs-material>=9.6,<10'
fi

# The pages lie as they do here, so their links between each other hold.
source=$target/site-source
rm -rf "$source"
mkdir -p "$source/pages"
cp docs/site/mkdocs.yml "$source"
git ls-files -z --cached --others --exclude-standard -- '*.md' 'docs/pictures' 'docs/terminal' 'docs/lab' | sort -zu |
    xargs -0 cp --parents -t "$source/pages"
# What pages name beside pages: files of the sources, as they are.
python3 - "$source/pages" <<'PY'
import pathlib, re, shutil, sys
pages = pathlib.Path(sys.argv[1])
for page in list(pages.rglob("*.md")):
    text = page.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#\s]+)", text) + re.findall(r"^\[[^\]]+\]:\s*(\S+)", text, re.M):
        if "://" in link or link.startswith(("#", "mailto:", "/")):
            continue
        there = (page.parent / link).resolve()
        try:
            name = there.relative_to(pages.resolve())
        except ValueError:
            continue
        if not there.exists() and pathlib.Path(name).is_file():
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(name, there)
PY
NO_MKDOCS_2_WARNING=1 "$tools/bin/mkdocs" build --quiet --strict --config-file "$source/mkdocs.yml"
echo "the site is in $target/site"
