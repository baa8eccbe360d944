//! The reasons for which extensions fail, recognised by their words, so that they can be explained in every language.
//!
//! A fault carries the words of Python, or of the sandbox, in one line. Texts explain what is recognised here: each key has the
//! message `fault-<key>`, which `crates/texts/tests/reasons.rs` holds to this table.

/// A reason: the key of its explanation, and the parts of the words that differ from one time to the next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Reason {
    pub key: &'static str,
    /// The facts `name` and `other` of the message, where there are any.
    pub parts: Vec<String>,
}

/// The words, with `{}` for what differs, and the key; the first that fits counts.
const REASONS: [(&str, &str); 83] = [
    // Names.
    ("NameError: name '{}' is not defined. Did you mean: '{}'?", "name-near"),
    ("NameError: name '{}' is not defined", "name"),
    ("NameError: cannot access free variable '{}' where {}", "unbound"),
    ("UnboundLocalError: local variable '{}' referenced before assignment", "unbound"),
    ("UnboundLocalError: cannot access local variable '{}' where {}", "unbound"),
    ("AttributeError: the game has not begun", "not-begun"),
    ("AttributeError: 'NoneType' object has no attribute '{}'", "none-member"),
    ("AttributeError: 'ExtAPI' object has no attribute '{}'. Did you mean: '{}'?", "member-near"),
    ("AttributeError: 'ExtAPI' object has no attribute '{}'", "api-member"),
    ("AttributeError: 'Chess' object has no attribute '{}'. Did you mean: '{}'?", "member-near"),
    ("AttributeError: 'Chess' object has no attribute '{}'", "piece-member"),
    ("AttributeError: {} has no attribute '{}'. Did you mean: {}", "member"),
    ("AttributeError: {} has no attribute '{}'", "member"),
    ("AttributeError: attribute '{}' of {} is not writable", "not-writable"),
    // What is looked for and not there.
    ("KeyError: 'EX_NAME'", "no-ex-name"),
    ("KeyError: {}", "key"),
    ("IndexError: pop from empty {}", "pop-empty"),
    ("IndexError: pop from an empty {}", "pop-empty"),
    ("IndexError: a rule of moves has two sections", "rule-sections"),
    ("IndexError: {} index out of range", "index"),
    ("IndexError: {}", "index"),
    ("ValueError: list.remove(x): x not in list", "not-in-list"),
    ("ValueError: {} is not in list", "not-in-list"),
    ("ValueError: substring not found", "not-in-text"),
    ("ValueError: not enough values to unpack {}", "unpack"),
    ("ValueError: too many values to unpack {}", "unpack"),
    ("TypeError: cannot unpack non-iterable {} object", "unpack-one"),
    ("ValueError: invalid literal for int() with base {}: {}", "no-number"),
    ("ValueError: could not convert string to float: {}", "no-number"),
    ("StopIteration{}", "stop"),
    // Arguments and kinds of values.
    ("TypeError: {} takes {} but {} given", "arguments"),
    ("TypeError: {} missing {}", "arguments"),
    ("TypeError: {} expected {} argument{}", "arguments"),
    ("TypeError: {} got an unexpected keyword argument '{}'", "keyword"),
    ("TypeError: 'NoneType' object is not iterable", "none-walked"),
    ("TypeError: '{}' object is not iterable", "not-walked"),
    ("TypeError: 'NoneType' object is not subscriptable", "none-indexed"),
    ("TypeError: '{}' object is not subscriptable", "not-indexed"),
    ("TypeError: '{}' object does not support item assignment", "not-changed"),
    ("TypeError: '{}' object is not callable", "not-called"),
    ("TypeError: unsupported operand type(s) for {}: {}", "operands"),
    ("TypeError: '{}' not supported between instances of {}", "compared"),
    ("TypeError: can only concatenate {} to {}", "joined"),
    ("TypeError: {} indices must be integers or slices, not {}", "indices"),
    ("TypeError: unhashable type: '{}'", "unhashable"),
    ("TypeError: '{}' object cannot be interpreted as an integer", "whole"),
    // What the board refuses.
    ("TypeError: a square is wanted, not '{}'", "square"),
    ("TypeError: a square is row and column, not {} values", "square-length"),
    ("TypeError: a whole number is wanted, not '{}'", "whole"),
    ("TypeError: the piece is not on the board", "off-board"),
    ("TypeError: loc_rules is '{}', not a dictionary", "places-dictionary"),
    ("TypeError: {} is '{}', not a function", "hook-function"),
    ("ValueError: there is no piece {}", "no-piece"),
    ("ValueError: a piece cannot belong to {}", "no-side"),
    ("ValueError: too many items", "too-many"),
    ("ValueError: too many squares", "too-many"),
    ("ValueError: too many groups", "too-many"),
    ("MemoryError: too many pieces", "too-many"),
    ("MemoryError: id() of too many objects", "too-many"),
    // Reckoning.
    ("ZeroDivisionError: {}", "zero"),
    ("ValueError: math domain error", "math"),
    ("OverflowError: {}", "overflow"),
    ("AssertionError{}", "assertion"),
    ("RuntimeError: dictionary changed size during iteration", "changed"),
    ("RecursionError: {}", "recursion"),
    ("MemoryError{}", "memory"),
    ("ModuleNotFoundError: No module named '{}'", "module"),
    ("ImportError: cannot import name '{}' from '{}'", "import-name"),
    ("UnicodeDecodeError: the file is not UTF-8", "not-utf-8"),
    // What the compiler refuses.
    ("SyntaxError: 'return' outside function", "return-outside"),
    ("SyntaxError: 'break' outside loop", "break-outside"),
    ("SyntaxError: 'continue' not properly in loop", "break-outside"),
    ("SyntaxError: write this comprehension as a loop{}", "comprehension-as-loop"),
    ("SyntaxError: move the function or comprehension in this finally{}", "before-finally"),
    ("SyntaxError: write this annotation without{}", "plain-annotation"),
    // Limits, and the end of a worker.
    ("TimeLimit: more than {} ms", "time-call"),
    ("TimeLimit: more than {} s for a ply", "time-ply"),
    ("TimeLimit: {}", "time-all"),
    ("Killed: it took too long", "time-all"),
    ("Killed: it talks too much", "talks"),
    ("Stopped: no memory was left, or the system was called", "stopped"),
    ("NoWorker: {}", "no-worker"),
    ("Ended: {}", "ended"),
];

/// Returns the reason that those words give; the key is `other` for words that are explained by themselves.
pub(crate) fn reason(words: &str) -> Reason {
    let known = REASONS.iter().find_map(|(form, key)| Some((key, parts(form, words)?)));
    known.map_or_else(
        || Reason { key: "other", parts: Vec::new() },
        |(key, mut parts)| {
            parts.truncate(2);
            Reason { key, parts }
        },
    )
}

/// Returns what stands for each `{}`; `None` where the words have another form.
fn parts(form: &str, words: &str) -> Option<Vec<String>> {
    let mut pieces = form.split("{}");
    let mut rest = words.strip_prefix(pieces.next()?)?;
    let mut parts = Vec::new();
    let mut pieces = pieces.peekable();
    while let Some(piece) = pieces.next() {
        let at = match (piece.is_empty(), pieces.peek()) {
            (true, None) => rest.len(),
            // The last piece is the end of the words.
            (false, None) => rest.len() - rest.strip_suffix(piece).map(|_| piece.len())?,
            _ => rest.find(piece)?,
        };
        parts.push(rest[..at].to_owned());
        rest = &rest[at + piece.len()..];
    }
    rest.is_empty().then_some(parts)
}
