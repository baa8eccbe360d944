#!/usr/bin/env python3
"""Draws docs/pictures/layers.svg: our crates by layer, and which uses which.

Usage: scripts/layers.py            writes the picture
       scripts/layers.py --check    exits with 1 when the picture is not what would be written

The layers are those of the first table in docs/architecture.md, the arrows are normal and build dependencies as
`cargo metadata` reports them. An arrow is left out where a longer path says the same.
"""
import json
import pathlib
import re
import subprocess
import sys
from html import escape

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs/pictures/layers.svg"
PAGE = ROOT / "docs/architecture.md"
LABEL, BAND, BOX_HEIGHT, MARGIN = 210, 104, 34, 14


def layers():
    """The rows of the first table: number, purpose, crates; the highest layer first."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith("| layer |")), None)
    if start is None:
        sys.exit(f"{PAGE}: no table begins with '| layer |'")
    found = []
    for line in lines[start + 2:]:
        if not line.startswith("|"):
            break
        number, purpose, crates = (cell.strip() for cell in line.strip("|").split("|"))
        found.append((int(number), purpose.replace("`", ""), re.findall(r"`([^`]+)`", crates)))
    return sorted(found, reverse=True)


def dependencies():
    """Each of our crates with those of ours it uses; tests aside."""
    command = ["cargo", "metadata", "--no-deps", "--offline", "--format-version", "1"]
    text = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    packages = json.loads(text)["packages"]
    ours = {package["name"] for package in packages}
    return {p["name"]: {d["name"] for d in p["dependencies"] if d["kind"] != "dev"} & ours for p in packages}


def reduced(uses):
    """The same without what follows: an edge for which there is a longer path (transitive reduction)."""
    reached = {}

    def below(crate):
        if crate not in reached:
            reached[crate] = set().union(*(below(other) | {other} for other in uses[crate]))
        return reached[crate]

    return {c: {o for o in uses[c] if not any(o in below(via) for via in uses[c] - {o})} for c in uses}


def order(rows, edges):
    """Crates of each layer sorted by where their neighbours stand, so that few arrows cross."""
    at = {c: (i + 1) / (len(row) + 1) for row in rows for i, c in enumerate(row)}
    for sweep in range(24):
        for row in rows if sweep % 2 else rows[::-1]:
            def middle(crate):
                near = [at[o] for o in edges[crate]] + [at[o] for o in edges if crate in edges[o]]
                return sum(near) / len(near) if near else at[crate]
            row.sort(key=lambda crate: (round(middle(crate), 9), crate))
            at.update((c, (i + 1) / (len(row) + 1)) for i, c in enumerate(row))


def draw():
    """The picture as SVG."""
    table = layers()
    edges = reduced(dependencies())
    placed = {c for _, _, row in table for c in row}
    if placed != set(edges):
        sys.exit(f"{PAGE}: the table of layers and the workspace differ in {sorted(placed ^ set(edges))}")
    rows = [row for _, _, row in table]
    order(rows, edges)
    height = BAND * len(rows)
    box_width = max(100, 24 + 9 * max(map(len, placed)))
    width = max(1080, LABEL + (box_width + 10) * max(map(len, rows)))
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
           f'height="{height}" font-family="sans-serif" role="img">',
           "<title>Our crates by layer; an arrow points to what a crate uses</title>",
           '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
           'orient="auto"><path d="M0 0 8 4 0 8z" fill="#6b7684"/></marker></defs>',
           f'<rect width="{width}" height="{height}" fill="#ffffff"/>']
    box = {}
    for i, (number, purpose, crates) in enumerate(table):
        top = BAND * i
        if i % 2:
            out.append(f'<rect y="{top}" width="{width}" height="{BAND}" fill="#f3f5f7"/>')
        out.append(f'<text x="{MARGIN}" y="{top + BAND / 2 - 6:g}" font-size="20" fill="#1f2933">{number}</text>')
        out.append(f'<text x="{MARGIN}" y="{top + BAND / 2 + 14:g}" font-size="13" fill="#52606d">'
                   f"{escape(purpose)}</text>")
        for k, crate in enumerate(crates):
            x = LABEL + (width - LABEL - MARGIN) * (2 * k + 1) / (2 * len(crates))
            box[crate] = (x, top + BAND / 2)
    for crate in sorted(edges):
        for other in sorted(edges[crate]):
            (x, y), (to_x, to_y) = box[crate], box[other]
            y, to_y = y + BOX_HEIGHT / 2, to_y - BOX_HEIGHT / 2 - 2
            bend = (to_y - y) / 2
            out.append(f'<path d="M{x:.0f} {y:.0f}C{x:.0f} {y + bend:.0f} {to_x:.0f} {to_y - bend:.0f} '
                       f'{to_x:.0f} {to_y:.0f}" fill="none" stroke="#9aa5b1" marker-end="url(#tip)"/>')
    for crate in sorted(box):
        x, y = box[crate]
        out.append(f'<rect x="{x - box_width / 2:.0f}" y="{y - BOX_HEIGHT / 2:.0f}" width="{box_width}" '
                   f'height="{BOX_HEIGHT}" rx="6" fill="#e3eefa" stroke="#3e6b99"/>')
        out.append(f'<text x="{x:.0f}" y="{y + 5:.0f}" font-size="15" text-anchor="middle" fill="#102a43">'
                   f"{escape(crate)}</text>")
    out.append("</svg>")
    return "\n".join(out) + "\n"


def main():
    picture = draw()
    if sys.argv[1:] == ["--check"]:
        if not PICTURE.exists() or PICTURE.read_text(encoding="utf-8") != picture:
            sys.exit(f"{PICTURE.relative_to(ROOT)} is not what the crates are: run scripts/layers.py")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        PICTURE.write_text(picture, encoding="utf-8")


main()
