#!/usr/bin/env python3
"""Turns a captured terminal screen (tmux capture-pane -p -e, on standard input) into a picture (SVG, on standard output).

Usage: screen-svg.py COLUMNS ROWS
"""
import re
import sys
import unicodedata
from html import escape

WIDE, HIGH = 9, 19
BASIC = ["#1c1c1c", "#c03030", "#3a9a3a", "#b08030", "#3050c0", "#a040a0", "#30a0a0", "#d0d0d0",
         "#707070", "#ff6060", "#60d060", "#f0c060", "#6080ff", "#e070e0", "#60e0e0", "#ffffff"]
FRONT, BACK = "#d8d8d8", "#1c1c1c"


def colour(n):
    """The colour of that number of the 256."""
    if n < 16:
        return BASIC[n]
    if n >= 232:
        grey = 8 + (n - 232) * 10
        return f"#{grey:02x}{grey:02x}{grey:02x}"
    steps = [0, 95, 135, 175, 215, 255]
    n -= 16
    return "#%02x%02x%02x" % (steps[n // 36], steps[n // 6 % 6], steps[n % 6])


def apply(state, codes):
    """The state after these numbers of one SGR sequence."""
    codes = [int(c or 0) for c in codes.split(";")]
    while codes:
        code = codes.pop(0)
        if code == 0:
            state.clear()
        elif code in (38, 48) and codes[:1] == [5]:
            state["fg" if code == 38 else "bg"] = colour(codes[1])
            del codes[:2]
        elif code in (38, 48) and codes[:1] == [2]:
            state["fg" if code == 38 else "bg"] = "#%02x%02x%02x" % tuple(codes[1:4])
            del codes[:4]
        elif 30 <= code <= 37 or 90 <= code <= 97:
            state["fg"] = BASIC[code - 30 if code < 90 else code - 82]
        elif 40 <= code <= 47 or 100 <= code <= 107:
            state["bg"] = BASIC[code - 40 if code < 100 else code - 92]
        elif code in (39, 49):
            state.pop("fg" if code == 39 else "bg", None)
        elif code in (1, 2, 4, 7):
            state[{1: "bold", 2: "dim", 4: "under", 7: "turned"}[code]] = True
        elif code in (22, 24, 27):
            for name in {22: ("bold", "dim"), 24: ("under",), 27: ("turned",)}[code]:
                state.pop(name, None)


def main():
    columns, rows = int(sys.argv[1]), int(sys.argv[2])
    width, height = columns * WIDE, rows * HIGH
    grounds, letters = [], []
    state = {}
    for y, line in enumerate(sys.stdin.read().split("\n")[:rows]):
        x = 0
        for part in re.split(r"(\x1b\[[0-9;]*m)", line):
            sequence = re.fullmatch(r"\x1b\[([0-9;]*)m", part)
            if sequence:
                apply(state, sequence[1])
                continue
            for c in re.sub(r"\x1b.", "", part):
                cells = 2 if unicodedata.east_asian_width(c) in "WF" else 1
                front, back = state.get("fg", FRONT), state.get("bg")
                if state.get("turned"):
                    front, back = back or BACK, front
                if back:
                    grounds.append(f'<rect x="{x * WIDE}" y="{y * HIGH}" width="{cells * WIDE}" height="{HIGH}" fill="{back}"/>')
                if c != " ":
                    style = ' font-weight="bold"' if state.get("bold") else ""
                    style += ' opacity="0.6"' if state.get("dim") else ""
                    style += ' text-decoration="underline"' if state.get("under") else ""
                    letters.append(f'<text x="{x * WIDE}" y="{y * HIGH + 14}" textLength="{cells * WIDE}" fill="{front}"{style}>{escape(c)}</text>')
                x += cells
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">')
    print(f'<rect width="100%" height="100%" fill="{BACK}"/>')
    print('<g shape-rendering="crispEdges">' + "".join(grounds) + "</g>")
    print('<g font-family="\'DejaVu Sans Mono\', \'Noto Sans Mono CJK SC\', monospace" font-size="15" lengthAdjust="spacingAndGlyphs">')
    print("\n".join(letters))
    print("</g></svg>")


main()
