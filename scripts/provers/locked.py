"""Locked chess: every turn and every answer, for so many turns. The rules are those of docs/rules/locked.md.

A square is a bit of a whole number, 13 bits a row: the thirteenth is off the board, as is whatever lies beyond.
"""

import re

ROW = 13
BOARD = sum(1 << (y * ROW + x) for y in range(12) for x in range(12))
# Each way with the two across it.
WAYS = {"u": (-ROW, "lr"), "d": (ROW, "lr"), "l": (-1, "ud"), "r": (1, "ud")}


def moved(stones, way):
    by = WAYS[way][0]
    return stones << by if by > 0 else stones >> -by


def fits(before, after, taken):
    """Whether stones that move together stay on the board and out of `taken`."""
    return after & ~BOARD == 0 and after & taken == 0 and after.bit_count() == before.bit_count()


def bits(mask):
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


def twice(stones, taken):
    """Where stones stand after a step and a step across it."""
    for way, (_, across) in WAYS.items():
        once = moved(stones, way)
        if fits(stones, once, taken):
            for other in across:
                then = moved(once, other)
                if fits(once, then, taken):
                    yield then


def turns(own, theirs):
    """Own stones after each whole turn, each place once."""
    found = {}
    for all_moved in dict.fromkeys(twice(own, theirs)):
        for stone in bits(all_moved):
            rest = all_moved ^ stone
            for end in twice(stone, rest | theirs):
                found[rest | end] = None
    return list(found)


def can_turn(own, theirs):
    for all_moved in twice(own, theirs):
        for stone in bits(all_moved):
            if next(twice(stone, (all_moved ^ stone) | theirs), None):
                return True
    return False


def has_won(own, theirs, more):
    """Whether who made the last turn wins with at most `more` turns, whatever is answered."""
    if not can_turn(theirs, own):
        return True
    return more > 0 and all(wins(own, answer, more) for answer in turns(theirs, own))


def wins(own, theirs, within):
    """Whether who is to move wins in so many turns."""
    if within == 1:
        return any(not can_turn(theirs, after) for after in turns(own, theirs))
    return any(has_won(after, theirs, within - 1) for after in turns(own, theirs))


def read(fen):
    """The stones of who is to move, and the other's."""
    board, side, step = fen.split()[:3]
    if step != "1":
        raise ValueError("not the begin of a turn")
    stones = {"b": 0, "w": 0}
    for y, row in enumerate(board.split("/")):
        x = 0
        for part in re.findall(r"\d+|[bw]", row):
            if part.isdigit():
                x += int(part)
            else:
                stones[part] |= 1 << (y * ROW + x)
                x += 1
    return stones[side], stones["w" if side == "b" else "b"]


def played(own, theirs, turn):
    """Own stones after a turn of five texts, or `None` where it is not legal."""
    first, second, square, fourth, fifth = turn
    for way in (first, second):
        after = moved(own, way)
        if not fits(own, after, theirs):
            return None
        own = after
    stone = 1 << ((int(square[1:]) - 1) * ROW + ord(square[0]) - ord("a"))
    rest = own ^ stone
    if not own & stone or second not in WAYS[first][1] or fifth not in WAYS[fourth][1]:
        return None
    for way in (fourth, fifth):
        after = moved(stone, way)
        if not fits(stone, after, rest | theirs):
            return None
        stone = after
    return rest | stone


def check(puzzle, wish):
    """`confirmed`, `undecided` or `refuted`, and why."""
    if puzzle["goal"] != "win" or puzzle.get("options"):
        return "undecided", "another goal"
    own, theirs = read(puzzle["fen"])
    want = played(own, theirs, puzzle["line"][0])
    if want is None:
        return "refuted", "the turn is not legal"
    within = next((n for n in range(1, wish.turns + 1) if has_won(want, theirs, n - 1)), None)
    if within is None:
        return "undecided", f"no win within {wish.turns} turns"
    for other in turns(own, theirs):
        if other == want:
            continue
        for n in range(1, within + wish.later + 1):
            if has_won(other, theirs, n - 1):
                return "refuted", f"another turn wins in {n}, and this one in {within}"
    return "confirmed", f"in {within}, no other in {within + wish.later}"
