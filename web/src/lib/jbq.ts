// The names that extensions of Jingbanqi may use, for completion and help, and a worked example of each hook.

export interface Member {
  name: string;
  /** The signature, as it is written in an extension. */
  sign: string;
  /** The message that explains it: `jbq-<key>`. */
  key: string;
}

// The table is that of `jingbanqi::api`; a test holds them together.

/** The members of the object `JBQ`. */
export const JBQ: Member[] = [
  { name: 'rl', sign: 'rl: int', key: 'rl' },
  { name: 'cl', sign: 'cl: int', key: 'cl' },
  { name: 'turn', sign: 'turn: int', key: 'turn' },
  { name: 'map_data', sign: 'map_data', key: 'map-data' },
  { name: 'get_arr_by_rd', sign: 'get_arr_by_rd(arr, r, d)', key: 'get-arr-by-rd' },
  { name: 'get_chess_by_arr', sign: 'get_chess_by_arr(arr)', key: 'get-chess-by-arr' },
  { name: 'get_chess_arr_by_id', sign: 'get_chess_arr_by_id(id)', key: 'get-chess-arr-by-id' },
  { name: 'can_eat', sign: 'can_eat(piece1, piece2)', key: 'can-eat' },
  { name: 'add_chess', sign: 'add_chess(id, arr)', key: 'add-chess' },
  { name: 'move', sign: 'move(arr1, arr2)', key: 'move' },
  { name: 'win', sign: 'win(side)', key: 'win' },
  { name: 'stalemate', sign: 'stalemate()', key: 'stalemate' },
];

/** The members of a piece. */
export const CHESS: Member[] = [
  { name: 'id', sign: 'id: int', key: 'chess-id' },
  { name: 'name', sign: 'name: str', key: 'chess-name' },
  { name: 'belong', sign: 'belong: int', key: 'chess-belong' },
  { name: 'is_captain', sign: 'is_captain: bool', key: 'chess-is-captain' },
  { name: 'is_tran', sign: 'is_tran: bool', key: 'chess-is-tran' },
  { name: 'move', sign: 'move: list', key: 'chess-move' },
  { name: 'tran_move', sign: 'tran_move: list', key: 'chess-tran-move' },
  { name: 'tran_con', sign: 'tran_con: list', key: 'chess-tran-con' },
  { name: 'attr', sign: 'attr: dict', key: 'chess-attr' },
  { name: 'now_move', sign: 'now_move: list', key: 'chess-now-move' },
];

/** The names that an extension defines. */
export const HOOKS: Member[] = [
  { name: 'EX_NAME', sign: 'EX_NAME = "…"', key: 'ex-name' },
  { name: 'EX_VERSION', sign: 'EX_VERSION = "1.0"', key: 'ex-version' },
  { name: 'HELP', sign: 'HELP = "…"', key: 'help' },
  { name: 'loc_rules', sign: 'loc_rules = {"NAME": function}', key: 'loc-rules' },
  { name: 'check_can_go', sign: 'def check_can_go(can_go, chess, arr)', key: 'check-can-go' },
  { name: 'after_move', sign: 'def after_move(arr1, arr2)', key: 'after-move' },
];

/** The names that an extension of a level-2 map defines beside `HOOKS`. */
export const HOOKS2: Member[] = [
  { name: 'choices', sign: 'def choices(piece, a, b)', key: 'choices' },
  { name: 'may_drop', sign: 'def may_drop(id, arr)', key: 'may-drop' },
  { name: 'score', sign: 'def score(side)', key: 'score-hook' },
];

/** The members that `JBQ` has at level 2 beside `JBQ`. */
export const JBQ2: Member[] = [
  { name: 'captured', sign: 'captured: list', key: 'captured' },
  { name: 'choice', sign: 'choice: str | None', key: 'choice' },
  { name: 'step', sign: 'step: int', key: 'step' },
  { name: 'ply', sign: 'ply: int', key: 'ply' },
  { name: 'again', sign: 'again(only=None)', key: 'again' },
  { name: 'remove', sign: 'remove(arr)', key: 'remove' },
  { name: 'put', sign: 'put(piece, arr)', key: 'put' },
  { name: 'piece', sign: 'piece(arr)', key: 'piece' },
  { name: 'pieces', sign: 'pieces(side=None, name=None)', key: 'pieces' },
  { name: 'line', sign: 'line(arr, d)', key: 'line' },
  { name: 'around', sign: 'around(arr)', key: 'around' },
  { name: 'near', sign: 'near(arr, n)', key: 'near' },
  { name: 'dist', sign: 'dist(a, b)', key: 'dist' },
  { name: 'zone', sign: 'zone(name)', key: 'zone' },
  { name: 'terrain', sign: 'terrain(arr)', key: 'terrain' },
  { name: 'group', sign: 'group(arr)', key: 'group' },
  { name: 'free', sign: 'free(arr)', key: 'free' },
  { name: 'joined', sign: 'joined(side, zone, zone)', key: 'joined' },
  { name: 'moves', sign: 'moves(arr)', key: 'moves' },
  { name: 'attacked', sign: 'attacked(arr, side)', key: 'attacked' },
  { name: 'trying', sign: 'with trying(a, b):', key: 'trying' },
  { name: 'hand', sign: 'hand(side)', key: 'hand' },
  { name: 'give', sign: 'give(side, piece, n=1)', key: 'give' },
  { name: 'score', sign: 'score(side, n=0)', key: 'score' },
];

/** The members of a piece that it does not have at level 2, where ways to go are words. */
const NOT_AT_2 = ['move', 'tran_move', 'tran_con', 'now_move'];

/** Returns the names that an extension may use, on a map of level 2 if `second`. */
export function namesOf(second: boolean): { hooks: Member[]; jbq: Member[]; chess: Member[] } {
  if (!second) return { hooks: HOOKS, jbq: JBQ, chess: CHESS };
  const chess = CHESS.filter(({ name }) => !NOT_AT_2.includes(name));
  return { hooks: [...HOOKS, ...HOOKS2], jbq: [...JBQ, ...JBQ2], chess };
}

export interface Example {
  /** The message that names it: `example-<key>`. */
  key: string;
  file: string;
  code: string;
}

/** A worked example of each hook; each is a whole extension that loads. */
export const EXAMPLES: Example[] = [
  {
    key: 'check-can-go',
    file: 'leap.py',
    code: `EX_NAME = "Leaps"
EX_VERSION = "1.0"
HELP = "A piece with the attribute leap jumps over whatever stands beside it."


def check_can_go(can_go, chess, arr):
    # can_go: groups of squares the map allows. Add to it, take from it, and return it.
    if chess.attr.get("leap") != "c":
        return can_go
    for d in chess.now_move[0]:
        over = JBQ.get_arr_by_rd(arr, d, 1)
        to = JBQ.get_arr_by_rd(arr, d, 2)
        if over is None or to is None or JBQ.get_chess_by_arr(over) is None:
            continue
        there = JBQ.get_chess_by_arr(to)
        if there is None or JBQ.can_eat(chess, there):
            can_go.append([to])
    return can_go
`,
  },
  {
    key: 'after-move',
    file: 'gate.py',
    code: `EX_NAME = "Gates"
EX_VERSION = "1.0"
HELP = "A captain that reaches the far row wins."


def after_move(arr1, arr2):
    # Called once a move has been played; JBQ.turn is still who moved.
    chess = JBQ.get_chess_by_arr(arr2)
    if chess is None or not chess.is_captain:
        return
    far = 0 if chess.belong == 1 else JBQ.rl - 1
    if arr2[0] == far:
        print("the gate is reached at", arr2)
        JBQ.win(chess.belong)
`,
  },
  {
    key: 'loc-rules',
    file: 'friend.py',
    code: `EX_NAME = "Friends"
EX_VERSION = "1.0"
HELP = "F[1]: a piece of one's own stands beside this one. A rule may say 1(F[1])."


def friend(args, arr):
    # args: the numbers in the brackets; arr: the square of the piece that is asked about.
    chess = JBQ.get_chess_by_arr(arr)
    for d in range(1, 9):
        at = JBQ.get_arr_by_rd(arr, d, args[0])
        other = None if at is None else JBQ.get_chess_by_arr(at)
        if other is not None and other.belong == chess.belong:
            return True
    return False


loc_rules = {"F": friend}
`,
  },
  {
    key: 'attr',
    file: 'tired.py',
    code: `EX_NAME = "Tired pieces"
EX_VERSION = "1.0"
HELP = "A piece that has moved three times rests until it is the only one that can."


def check_can_go(can_go, chess, arr):
    # attr belongs to each piece: what is put there stays until the end of the game, and is taken back with a move.
    if chess.attr.get("moved", 0) >= 3 and not chess.is_captain:
        return []
    return can_go


def after_move(arr1, arr2):
    chess = JBQ.get_chess_by_arr(arr2)
    if chess is not None:
        chess.attr["moved"] = chess.attr.get("moved", 0) + 1
`,
  },
];
