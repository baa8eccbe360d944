"""Gomoku and renju: wins by fours, and by fours and threes, where every legal answer is tried.

Stones are bits of a whole number; a board of w files has w + 1 bits a rank, so that no line runs over an edge. The rules
are those of docs/rules/gomoku.md; nothing is shared with the program's own solvers.
"""

import re
import time

BLACK, WHITE = "b", "w"
RULES = ("freestyle", "standard", "renju")


class Late(Exception):
    """The search took longer than it may."""


def bits(mask):
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


class Board:
    """Where stones can be, and what the rule makes of them."""

    def __init__(self, files, ranks, rule):
        self.files, self.ranks, self.rule = files, ranks, rule
        self.row = files + 1
        self.all = sum(1 << (y * self.row + x) for y in range(ranks) for x in range(files))
        self.ways = (1, self.row, self.row + 1, self.row - 1)

    def bit(self, name):
        return 1 << ((int(name[1:]) - 1) * self.row + ord(name[0]) - ord("a"))

    def name(self, bit):
        y, x = divmod(bit.bit_length() - 1, self.row)
        return f"{chr(ord('a') + x)}{y + 1}"

    def exact(self, colour):
        return self.rule == "standard" or (self.rule == "renju" and colour == BLACK)

    def windows(self, own, empty, colour):
        """For each way: the own stones and the empty points at 0 to 4 steps, and where five would not be too many."""
        for way in self.ways:
            stones = [own >> (way * k) for k in range(5)]
            free = [empty >> (way * k) for k in range(5)]
            good = ~((own << way) | (own >> (5 * way))) if self.exact(colour) else -1
            yield way, stones, free, good

    def fives(self, own, other, colour):
        """The empty points where a stone wins."""
        found, empty = 0, self.all & ~(own | other)
        for way, (a, b, c, d, e), free, good in self.windows(own, empty, colour):
            left, right = a & b, d & e
            ends = left & c & good
            found |= ((ends & d & free[4]) << (4 * way)) | ((ends & e & free[3]) << (3 * way))
            found |= (left & right & free[2] & good) << (2 * way)
            ends = c & right & good
            found |= ((ends & a & free[1]) << way) | (ends & b & free[0])
        return found

    def growing(self, own, other, colour, stones):
        """The empty points of windows with exactly `stones` own stones and nothing else, at least 2."""
        found, empty = 0, self.all & ~(own | other)
        for way, mine, free, good in self.windows(own, empty, colour):
            # counts[n]: windows whose first cells hold n own stones, all others being empty.
            counts = {0: good}
            for k in range(5):
                after = {}
                for n, where in counts.items():
                    if n < stones:
                        after[n + 1] = after.get(n + 1, 0) | (where & mine[k])
                    after[n] = after.get(n, 0) | (where & free[k])
                counts = after
            where = counts.get(stones, 0)
            if where:
                for k in range(5):
                    found |= (where & free[k]) << (way * k)
        return found

    def forbidden(self, own, other, at, colour):
        """Whether a stone at that empty point loses the game; docs/rules/gomoku.md section 6."""
        if self.rule != "renju" or colour != BLACK:
            return False
        own |= at
        empty = self.all & ~(own | other)
        here, lengths = at.bit_length() - 1, []
        lines = []
        for way in self.ways:
            # What stands at -6 to 6 steps: 1 own, 0 empty, -1 else. At the edge a line meets a bit that is neither.
            line = []
            for step in range(-6, 7):
                place = here + step * way
                bit = 1 << place if place >= 0 else 0
                line.append(1 if bit & own else 0 if bit & empty else -1)
            lines.append((way, line))
            low = high = 6
            while low > 0 and line[low - 1] == 1:
                low -= 1
            while high < 12 and line[high + 1] == 1:
                high += 1
            lengths.append(high - low + 1)
        if 5 in lengths:
            return False
        if max(lengths) > 5:
            return True
        fours = set()
        for way, line in lines:
            for first in range(2, 7):
                five = line[first : first + 5]
                if sum(five) == 4 and min(five) == 0 and line[first - 1] != 1 and line[first + 5] != 1:
                    fours.add((way, tuple(first + k for k in range(5) if five[k])))
        if len(fours) > 1:
            return True
        threes = 0
        for way, line in lines:
            threes += any(self.straight(own, other, here, way, line, k) for k in range(3, 10) if line[k] == 0)
            if threes > 1:
                return True
        return False

    def on(self, place):
        return place >= 0 and bool(self.all >> place & 1)

    def straight(self, own, other, here, way, line, k):
        """Whether one more stone, k - 6 steps away, makes a straight four with the new one and may be put."""
        line = line[:k] + [1] + line[k + 1 :]
        for first in range(max(3, k - 3), min(6, k) + 1):
            ends = line[first - 1] == 0 == line[first + 4]
            if line[first : first + 4] != [1] * 4 or not ends:
                continue
            beyond = [line[first - 2], line[first + 5]]
            more = 1 << (here + (k - 6) * way)
            if 1 in beyond or self.makes_five(own, more):
                continue
            if not self.forbidden(own, other, more, BLACK):
                return True
        return False

    def makes_five(self, own, at):
        """Whether a black stone there is one of exactly five."""
        here = at.bit_length() - 1
        for way in self.ways:
            length = 1
            for sign in (-way, way):
                place = here + sign
                while self.on(place) and own >> place & 1:
                    length, place = length + 1, place + sign
            if length == 5:
                return True
        return False


class Attack:
    """What one colour can force."""

    def __init__(self, board, colour, most_s=60.0):
        self.board, self.colour = board, colour
        self.other = WHITE if colour == BLACK else BLACK
        self.no_fours, self.no_wins, self.no_afters = set(), set(), set()
        self.nodes = 0
        self.end = time.process_time() + most_s

    def tick(self):
        self.nodes += 1
        if self.nodes & 255 == 0 and time.process_time() > self.end:
            raise Late

    def fours(self, own, theirs, depth=20):
        """The attacker is to move: the moves and answers of a win by fours, or `None`."""
        if (own, theirs) in self.no_fours:
            return None
        self.tick()
        board = self.board
        now = board.fives(own, theirs, self.colour)
        if now:
            return [now & -now]
        moves = board.growing(own, theirs, self.colour, 3)
        must = board.fives(theirs, own, self.other)
        if must:
            moves &= must if must & (must - 1) == 0 else 0
        later = []
        for move in bits(moves):
            if board.forbidden(own, theirs, move, self.colour):
                continue
            ends = board.fives(own | move, theirs, self.colour)
            if ends & (ends - 1) or board.forbidden(theirs, own | move, ends, self.other):
                return [move]
            later.append((move, ends))
        if depth > 1:
            for move, answer in later:
                rest = self.fours(own | move, theirs | answer, depth - 1)
                if rest:
                    return [move, answer, *rest]
            self.no_fours.add((own, theirs))
        return None

    def still(self, own, theirs, line):
        """Whether the attacker's moves of that line still win by fours, whatever the answers are now."""
        board = self.board
        for move in line[::2]:
            if board.fives(own, theirs, self.colour):
                return True
            must = board.fives(theirs, own, self.other)
            if must & ~move or move & (own | theirs) or board.forbidden(own, theirs, move, self.colour):
                return False
            own |= move
            ends = board.fives(own, theirs, self.colour)
            if not ends:
                return False
            if ends & (ends - 1) or board.forbidden(theirs, own, ends, self.other):
                return True
            theirs |= ends
        return False

    def wins(self, own, theirs, threes):
        """The attacker is to move and may make so many moves that are no fours."""
        if self.fours(own, theirs):
            return True
        board = self.board
        must = board.fives(theirs, own, self.other)
        if must:
            return must & (must - 1) == 0 and self.after(own, theirs, must, threes)
        if threes == 0 or (own, theirs, threes) in self.no_wins:
            return False
        fours = board.growing(own, theirs, self.colour, 3)
        for move in bits(board.growing(own, theirs, self.colour, 2) & ~fours):
            if self.after(own, theirs, move, threes - 1):
                return True
        for move in bits(fours):
            if self.after(own, theirs, move, threes):
                return True
        self.no_wins.add((own, theirs, threes))
        return False

    def after(self, own, theirs, move, threes):
        """Whether that move wins against every answer, with so many more moves that are no fours."""
        board = self.board
        if board.fives(own, theirs, self.colour) & move:
            return True
        if (own, theirs, move, threes) in self.no_afters or board.forbidden(own, theirs, move, self.colour):
            return False
        self.tick()
        held = self.held(own | move, theirs, threes)
        if not held:
            self.no_afters.add((own, theirs, move, threes))
        return held

    def held(self, own, theirs, threes):
        """The defender is to move."""
        board = self.board
        if board.fives(theirs, own, self.other):
            return False
        ends = board.fives(own, theirs, self.colour)
        if ends:
            if ends & (ends - 1) or board.forbidden(theirs, own, ends, self.other):
                return True
            return self.wins(own, theirs | ends, threes)
        line = self.fours(own, theirs)
        if not line:
            return False
        key = 0
        for point in line:
            key |= point
        empty = board.all & ~(own | theirs)
        for answer in [*bits(key & empty), *bits(empty & ~key)]:
            if self.still(own, theirs | answer, line) or board.forbidden(theirs, own, answer, self.other):
                continue
            if not self.wins(own, theirs | answer, threes):
                return False
        return True


def read(fen, rule):
    """Board, black and white stones, the side to move."""
    rows, side = fen.split()[:2]
    cells = [
        "".join("." * int(part) if part.isdigit() else part for part in re.findall(r"\d+|[bw]", row))
        for row in rows.split("/")
    ]
    board = Board(len(cells[0]), len(cells), rule)
    stones = {BLACK: 0, WHITE: 0}
    for y, row in enumerate(reversed(cells)):
        for x, letter in enumerate(row):
            if letter in stones:
                stones[letter] |= 1 << (y * board.row + x)
    return board, stones, side


def check(puzzle, wish):
    """`confirmed`, `undecided` or `refuted`, and why."""
    rule = puzzle["game"].split("/")[1]
    if rule not in RULES or puzzle["goal"] != "win" or puzzle.get("options"):
        return "undecided", "other rules or another goal"
    board, stones, side = read(puzzle["fen"], rule)
    own, theirs = stones[side], stones[WHITE if side == BLACK else BLACK]
    want = board.bit(puzzle["line"][0][0])
    attack = Attack(board, side, wish.seconds)
    try:
        for threes in range(wish.threes + 1):
            if attack.after(own, theirs, want, threes):
                break
        else:
            return "undecided", f"no win by {wish.threes} threes"
    except Late:
        return "undecided", f"no win in {wish.seconds} s"
    # Others may have as many moves that are no fours, the first included, as this one needed, and one more.
    quiet = not board.fives(own | want, theirs, side)
    budget = threes + quiet + wish.more
    for move in bits(board.all & ~(own | theirs | want)):
        four = bool(board.fives(own | move, theirs, side))
        rest = budget - (not four)
        if rest < 0:
            continue
        attack.end = time.process_time() + wish.seconds
        try:
            for most in range(rest + 1):
                if attack.after(own, theirs, move, most):
                    return "refuted", f"{board.name(move)} wins with {most + (not four)} threes, and {puzzle['line'][0][0]} with {threes + quiet}"
        except Late:
            return "undecided", f"{board.name(move)} not told in {wish.seconds} s"
    return "confirmed", f"with {threes + quiet} threes"
