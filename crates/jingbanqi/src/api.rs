//! The names that extensions work with, as one table: the page of the API, the editor's completion and the teacher read it, and tests
//! hold it to the code that offers them.

/// A name that extensions define or use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Member {
    /// The name, as an extension writes it behind a dot or alone.
    pub name: &'static str,
    /// The signature, as an extension writes it.
    pub sign: &'static str,
    /// The end of the key of the message that explains it: `jbq-<key>`.
    pub key: &'static str,
    /// The number of arguments; `None` for what is no function, and for one that takes more or fewer.
    pub arguments: Option<usize>,
    /// True if using it changes nothing.
    pub looks: bool,
}

const fn value(name: &'static str, sign: &'static str, key: &'static str) -> Member {
    Member { name, sign, key, arguments: None, looks: true }
}

const fn function(
    name: &'static str,
    sign: &'static str,
    key: &'static str,
    arguments: usize,
    looks: bool,
) -> Member {
    Member { name, sign, key, arguments: Some(arguments), looks }
}

/// The names that an extension defines.
pub const HOOKS: [Member; 6] = [
    value("EX_NAME", "EX_NAME = \"…\"", "ex-name"),
    value("EX_VERSION", "EX_VERSION = \"1.0\"", "ex-version"),
    value("HELP", "HELP = \"…\"", "help"),
    value("loc_rules", "loc_rules = {\"NAME\": function}", "loc-rules"),
    function("check_can_go", "def check_can_go(can_go, chess, arr)", "check-can-go", 3, false),
    function("after_move", "def after_move(arr1, arr2)", "after-move", 2, false),
];

/// The members of the object `JBQ`, which is also called `API`.
pub const JBQ: [Member; 12] = [
    value("rl", "rl: int", "rl"),
    value("cl", "cl: int", "cl"),
    value("turn", "turn: int", "turn"),
    value("map_data", "map_data", "map-data"),
    function("get_arr_by_rd", "get_arr_by_rd(arr, r, d)", "get-arr-by-rd", 3, true),
    function("get_chess_by_arr", "get_chess_by_arr(arr)", "get-chess-by-arr", 1, true),
    function("get_chess_arr_by_id", "get_chess_arr_by_id(id)", "get-chess-arr-by-id", 1, true),
    function("can_eat", "can_eat(piece1, piece2)", "can-eat", 2, true),
    function("add_chess", "add_chess(id, arr)", "add-chess", 2, false),
    function("move", "move(arr1, arr2)", "move", 2, false),
    function("win", "win(side)", "win", 1, false),
    function("stalemate", "stalemate()", "stalemate", 0, false),
];

/// The names that an extension of a level-2 map defines beside [`HOOKS`].
pub const HOOKS2: [Member; 3] = [
    function("choices", "def choices(piece, a, b)", "choices", 3, false),
    function("may_drop", "def may_drop(id, arr)", "may-drop", 2, false),
    function("score", "def score(side)", "score-hook", 1, false),
];

/// The members that `JBQ` has at level 2 beside [`JBQ`]. Functions with arguments that may be left out have no number of them.
pub const JBQ2: [Member; 24] = [
    value("captured", "captured: list", "captured"),
    value("choice", "choice: str | None", "choice"),
    value("step", "step: int", "step"),
    value("ply", "ply: int", "ply"),
    Member { arguments: None, ..function("again", "again(only=None)", "again", 0, false) },
    function("remove", "remove(arr)", "remove", 1, false),
    function("put", "put(piece, arr)", "put", 2, false),
    function("piece", "piece(arr)", "piece", 1, true),
    Member { arguments: None, ..function("pieces", "pieces(side=None, name=None)", "pieces", 0, true) },
    function("line", "line(arr, d)", "line", 2, true),
    function("around", "around(arr)", "around", 1, true),
    function("near", "near(arr, n)", "near", 2, true),
    function("dist", "dist(a, b)", "dist", 2, true),
    function("zone", "zone(name)", "zone", 1, true),
    function("terrain", "terrain(arr)", "terrain", 1, true),
    function("group", "group(arr)", "group", 1, true),
    function("free", "free(arr)", "free", 1, true),
    function("joined", "joined(side, zone, zone)", "joined", 3, true),
    function("moves", "moves(arr)", "moves", 1, true),
    function("attacked", "attacked(arr, side)", "attacked", 2, true),
    function("trying", "with trying(a, b):", "trying", 2, true),
    function("hand", "hand(side)", "hand", 1, true),
    Member { arguments: None, ..function("give", "give(side, piece, n=1)", "give", 2, false) },
    Member { arguments: None, ..function("score", "score(side, n=0)", "score", 1, false) },
];

/// The members of a piece.
pub const CHESS: [Member; 10] = [
    value("id", "id: int", "chess-id"),
    value("name", "name: str", "chess-name"),
    value("belong", "belong: int", "chess-belong"),
    value("is_captain", "is_captain: bool", "chess-is-captain"),
    value("is_tran", "is_tran: bool", "chess-is-tran"),
    value("move", "move: list", "chess-move"),
    value("tran_move", "tran_move: list", "chess-tran-move"),
    value("tran_con", "tran_con: list", "chess-tran-con"),
    value("attr", "attr: dict", "chess-attr"),
    value("now_move", "now_move: list", "chess-now-move"),
];
