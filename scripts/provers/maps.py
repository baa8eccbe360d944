"""Jingbanqi on maps without extensions: every move to some depth, and all captures beyond.

The workbook and the rules are read here anew, after docs/rules/jingbanqi.md. A piece is worth as many squares as it
reaches on an empty board, on average; nothing else of a position counts but captains.
"""

import re
import time
import zipfile
from functools import lru_cache
from xml.etree import ElementTree

STEPS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
RED, BLUE, NEUTRAL = 1, 2, 3
TAKEN = 100_000  # a captain, less the plies until then
FORCED = TAKEN - 1_000
SPACE = {"m": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}


class Late(Exception):
    """The search took longer than it may."""


def cells(path, names):
    """The cells of some sheets: for each a dictionary from `B2` to its text."""
    with zipfile.ZipFile(path) as book:
        texts = [
            "".join(part.text or "" for part in item.iter(f"{{{SPACE['m']}}}t"))
            for item in ElementTree.fromstring(book.read("xl/sharedStrings.xml"))
        ]
        sheets = ElementTree.fromstring(book.read("xl/workbook.xml")).findall(".//m:sheet", SPACE)
        found = {}
        for number, sheet in enumerate(sheets, 1):
            if sheet.get("name") in names:
                tree = ElementTree.fromstring(book.read(f"xl/worksheets/sheet{number}.xml"))
                found[sheet.get("name")] = {
                    cell.get("r"): texts[int(value.text)] if cell.get("t") == "s" else value.text
                    for cell in tree.iterfind(".//m:c", SPACE)
                    if (value := cell.find("m:v", SPACE)) is not None
                }
        return [found[name] for name in names]


class Map:
    """A code is a piece's id, twice, and one more once it has promoted; 0 is vacant."""

    def __init__(self, path):
        pieces, board, rules = cells(path, ["chesses", "map", "rules"])
        self.rows, self.columns = int(board["B1"]), int(board["D1"])
        promotes, self.limit = rules.get("C2") == "c", rules.get("C4") == "c"
        self.owner, self.captain = [0, 0], [False, False]
        self.steps, self.rays, self.rises = [None, None], [None, None], [None, None]
        row = 2
        while f"C{row}" in pieces:
            for rule in (pieces[f"E{row}"], pieces[f"G{row}"]):
                self.owner.append(int(pieces[f"C{row}"]))
                self.captain.append(pieces.get(f"D{row}") == "c")
                steps, rays = self.reach(rule)
                self.steps.append(steps)
                self.rays.append(rays)
            where = pieces.get(f"F{row}", "") if promotes else ""
            self.rises.append([self.stands(where, square) for square in range(self.rows * self.columns)])
            self.rises.append(None)
            row += 1
        size = self.rows * self.columns
        # Hundredths of a square.
        self.worth = [0, 0] + [
            round(sum(len(s) + sum(map(len, r)) for s, r in zip(steps, rays)) * 100 / size)
            for steps, rays in zip(self.steps[2:], self.rays[2:])
        ]

    def stands(self, places, square):
        """Whether a square is one of those places."""
        x, y = divmod(square, self.columns)
        for place in filter(None, places.split("&")):
            name, numbers = place.rstrip("]").split("[")
            numbers = [int(number) for number in numbers.split("|")]
            if name == "P":
                pairs = list(zip(numbers[::2], numbers[1::2]))
            elif name in ("X", "Y"):
                pairs = [(n, None) if name == "X" else (None, n) for n in numbers]
            else:
                raise ValueError(f"the place {name}")

            def same(number, at, size):
                return number is None or at == (number - 1 if number > 0 else number + size)

            if any(same(a, x, self.rows) and same(b, y, self.columns) for a, b in pairs):
                return True
        return False

    def reach(self, rule):
        """For each square where a piece steps to, and the squares of its rays."""
        sections = rule.split(";")
        if any(sections[2:]):
            raise ValueError(f"the rule {rule}")
        steps, rays = [], []
        for square in range(self.rows * self.columns):
            found = []
            for section in sections[:2]:
                lines = []
                for item in filter(None, section.split(",")):
                    way, _, place = item.partition("(")
                    line = self.line(square, STEPS[int(way) - 1])
                    if line and (not place or self.stands(place.rstrip(")"), square)):
                        lines.append(line)
                found.append(lines)
            steps.append([line[0] for line in found[0]])
            rays.append(found[1])
        return steps, rays

    def line(self, square, step):
        x, y = divmod(square, self.columns)
        squares = []
        while 0 <= x + step[0] < self.rows and 0 <= y + step[1] < self.columns:
            x, y = x + step[0], y + step[1]
            squares.append(x * self.columns + y)
        return squares

    def read(self, fen):
        """The board, the side to move, and the neutral moves in a row of red and blue."""
        text, side, counts, end = fen.split()
        board = []
        for part in re.split("[,/]", text):
            if part.startswith("."):
                board += [0] * int(part[1:] or 1)
            else:
                board.append(2 * int(part.rstrip("+")) + part.endswith("+"))
        if len(board) != self.rows * self.columns or end != "-":
            raise ValueError(fen)
        return board, RED if side == "r" else BLUE, tuple(int(n) for n in counts.split(","))

    def text(self, move):
        ends = [divmod(square, self.columns) for square in move]
        return "-".join(f"{x + 1},{y + 1}" for x, y in ends)

    def moves(self, board, side, counts, captures=False):
        """From and to."""
        owner, enemy = self.owner, 3 - side
        push = not (self.limit and counts[side - 1] >= 2) and not captures
        found = []
        for at, code in enumerate(board):
            whose = owner[code]
            if whose != side and not (whose == NEUTRAL and push):
                continue
            takes = enemy if whose == side else 0
            for to in self.steps[code][at]:
                other = board[to]
                if not captures if other == 0 else owner[other] == takes:
                    found.append((at, to))
            for ray in self.rays[code][at]:
                for to in ray:
                    other = board[to]
                    if other:
                        if owner[other] == takes:
                            found.append((at, to))
                        break
                    if not captures:
                        found.append((at, to))
        # A step and a ray may lead to one square.
        return list(dict.fromkeys(found))

    def play(self, board, side, counts, move):
        """The position afterwards and what was taken."""
        at, to = move
        board = board[:]
        code, taken = board[at], board[to]
        board[at] = 0
        if self.rises[code] and self.rises[code][to]:
            code += 1
        board[to] = code
        own = counts[side - 1] + 1 if self.owner[code] == NEUTRAL else 0
        counts = (own, counts[1]) if side == RED else (counts[0], own)
        return board, counts, taken


class Search:
    """Values are hundredths of a square, for the side to move."""

    def __init__(self, rules, end):
        self.rules, self.end, self.nodes, self.table = rules, end, 0, {}

    def material(self, board, side):
        owner, worth = self.rules.owner, self.rules.worth
        total = 0
        for code in board:
            if code and owner[code] != NEUTRAL:
                total += worth[code] if owner[code] == side else -worth[code]
        return total

    def value(self, board, side, counts, depth, alpha, beta, ply):
        self.nodes += 1
        if self.nodes & 255 == 0 and time.process_time() > self.end:
            raise Late
        rules = self.rules
        captures = rules.moves(board, side, counts, True)
        for _, to in captures:
            if rules.captain[board[to]]:
                return TAKEN - ply
        best = -TAKEN
        # Where the own captain could be taken, nobody stands still.
        if depth <= 0 and (depth < -6 or not self.attacked(board, side)):
            best = self.material(board, side)
            if best >= beta:
                return best
            alpha, moves = max(alpha, best), captures
        else:
            moves = rules.moves(board, side, counts)
            if not moves:
                return 0
        key = (bytes(board), side, counts)
        kept = self.table.get(key)
        if kept and kept[0] >= depth and abs(kept[2]) < FORCED:
            if kept[1] == 0 or (kept[1] > 0 and kept[2] >= beta) or (kept[1] < 0 and kept[2] <= alpha):
                return kept[2]
        first = kept[3] if kept else None
        worth = rules.worth
        moves.sort(key=lambda m: (m != first, -worth[board[m[1]]], worth[board[m[0]]]))
        low, chosen = alpha, None
        for move in moves:
            after, left, _ = rules.play(board, side, counts, move)
            value = -self.value(after, 3 - side, left, depth - 1, -beta, -alpha, ply + 1)
            if value > best:
                best, chosen = value, move
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        self.table[key] = (depth, 1 if best >= beta else -1 if best <= low else 0, best, chosen)
        return best

    def attacked(self, board, side):
        """Whether the other side could take a captain of that side."""
        rules = self.rules
        return any(rules.captain[board[to]] for _, to in rules.moves(board, 3 - side, (0, 0), True))


@lru_cache
def load(path):
    return Map(path)


def told(search, puzzle, depth, margin):
    """What the other moves are worth beside the puzzle's at that depth; `None`: clearly less."""
    rules = search.rules
    board, side, counts = rules.read(puzzle["fen"])

    def worth(move, alpha, beta):
        after, left, taken = rules.play(board, side, counts, move)
        if rules.captain[taken]:
            return TAKEN
        return -search.value(after, 3 - side, left, depth - 1, -beta, -alpha, 1)

    moves = {rules.text(move): move for move in rules.moves(board, side, counts)}
    want = moves.pop(puzzle["line"][0][0])
    best = worth(want, -TAKEN, TAKEN)
    most = best - margin
    if puzzle["goal"] == "win" and best > FORCED:
        most = FORCED
    if puzzle["goal"] == "hold" and best > -FORCED:
        most = max(most, -FORCED)
    for text, move in moves.items():
        value = worth(move, most, most + 1)
        if value > most:
            forced = puzzle["goal"] == "win" and min(best, value) > FORCED
            return ("refuted" if forced or best < -FORCED else "undecided"), f"{text} {value / 100}, {best / 100} at {depth} plies"
    if abs(best) > FORCED or most <= -FORCED:
        return "confirmed", "forced"
    return "confirmed", "by pieces"


def check(puzzle, wish):
    """`confirmed`, `undecided` or `refuted`, and why."""
    if puzzle.get("options"):
        return "undecided", "other rules"
    rules = load(wish.map.format(puzzle["map"]))
    search = Search(rules, time.process_time() + wish.seconds)
    said = "undecided", "no depth was searched"
    try:
        for depth in range(3, wish.depth + 1):
            said = told(search, puzzle, depth, round(wish.margin * 100))
    except Late:
        pass
    return said
