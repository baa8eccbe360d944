//! Small programs, told three ways: without the interpreter, with it, and by CPython where it is installed.
//!
//! A program is made from a number. Where two of the three differ, it is made smaller as long as they still do, and printed.
//! A thousand programs are tried, or as many as fit into `QIGUAN_DEEP` seconds where that is a number; `QIGUAN_SEED` says
//! where they begin. Some programs grow without end, a list that holds itself twice thirty times for one. Nothing holds a
//! program here, so CPython is asked first, and what takes it more than a tenth of a second or half a gigabyte is told of
//! by none. Without CPython only the usual programs are tried, all of which are known to end.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use sandbox::fuzzing::{Told, called_both_ways};

use crate::support::small;

/// Programs of a usual run.
const USUAL: u64 = 1000;
/// The groups that a program is called with, by square of the small map, and where its piece stands.
const GROUPS: &[&[u16]] = &[&[0], &[0, 1], &[5, 9, 13]];
const AT: u16 = 14;
/// The answers of RustPython and CPython to `range(0.5, 1, 0)`: both refuse it, one for its step and the other for
/// its start.
const KNOWN: (&str, &str) = ("!ValueError", "!TypeError");
/// The answer for a program that did not end in time.
const LATE: &str = "late";

/// The same call in CPython, for a line of JSON after the other.
const DRIVER: &str = r#"
import json, os, resource, signal, sys
STEPS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
class Chess:
    def __init__(self, handle, id, name, belong, captain):
        self.handle, self.id, self.name, self.belong = handle, id, name, belong
        self.is_captain, self.is_tran = captain, False
        self.attr = {'power': 3, 'push': '(1, 2)'}
    now_move = property(lambda self: [[1, 2, 3, 4, 5, 6, 7, 8], []])
    def __repr__(self): return f'<Chess {self.handle}>'
class API:
    rl, cl, turn = 4, 4, 1
    def __init__(self):
        pieces = [(0, 2, 'k', 2, True), (1, 4, 'm', 2, False), (14, 3, 'M', 1, False), (15, 1, 'K', 1, True)]
        self.board = [[None] * 4 for _ in range(4)]
        for handle, (at, *what) in enumerate(pieces): self.board[at // 4][at % 4] = Chess(handle, *what)
    def get_arr_by_rd(self, arr, r, d):
        steps = dict(zip(range(1, 9), STEPS))
        row, col = arr[0] + steps[r][0] * d, arr[1] + steps[r][1] * d
        return (row, col) if 0 <= row < 4 and 0 <= col < 4 else None
    def get_chess_by_arr(self, arr): return self.board[arr[0]][arr[1]]
    def can_eat(self, one, two): return one.belong != 3 and two.belong != 3 and one.belong != two.belong
    def get_chess_arr_by_id(self, id):
        found = [(i, j) for i in range(4) for j in range(4) if self.board[i][j] and self.board[i][j].id == id]
        return found[0] if len(found) == 1 else None
def told(text):
    jbq, found = API(), {}
    try:
        exec(compile(text, 'x.py', 'exec'), {'JBQ': jbq, 'API': jbq}, found)
        groups = [[(0, 0)], [(0, 0), (0, 1)], [(1, 1), (2, 1), (3, 1)]]
        return repr(found['check_can_go'](groups, jbq.board[3][2], (3, 2)))
    except SyntaxError: return 'refused'
    except MemoryError: return 'late'
    except Exception as error: return '!' + type(error).__name__
sys.setrecursionlimit(400)
for line in sys.stdin:
    # What grows without end is ended by the system, in a process of its own: nothing else stops a single operation.
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))
        signal.setitimer(signal.ITIMER_PROF, 0.1)
        answer = told(json.loads(line))
        os.write(writes, b'late' if len(answer) > 20000 else answer.encode('utf-8', 'surrogatepass'))
        os._exit(0)
    os.close(writes)
    answer = b''
    while part := os.read(reads, 1 << 16): answer += part
    os.close(reads)
    _, status = os.waitpid(child, 0)
    print(json.dumps('late' if status else answer.decode('utf-8', 'surrogatepass')), flush=True)
"#;

/// A piece of a program: text, and parts that may be replaced by something smaller.
#[derive(Clone)]
struct Node(Vec<Part>);

#[derive(Clone)]
enum Part {
    Text(String),
    Node(Node),
}

impl Node {
    fn text(text: impl Into<String>) -> Node {
        Node(vec![Part::Text(text.into())])
    }

    fn write(&self, out: &mut String) {
        for part in &self.0 {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Node(node) => node.write(out),
            }
        }
    }

    /// Makes all nodes that are one replacement smaller, until `made` returns true.
    fn smaller(&self, made: &mut dyn FnMut(Node) -> bool) -> bool {
        for (at, part) in self.0.iter().enumerate() {
            let Part::Node(inner) = part else { continue };
            let with = |node: Node| {
                let mut parts = self.0.clone();
                parts[at] = Part::Node(node);
                Node(parts)
            };
            let mut own: Vec<Node> = inner
                .0
                .iter()
                .filter_map(|part| if let Part::Node(node) = part { Some(node.clone()) } else { None })
                .collect();
            let mut text = String::new();
            inner.write(&mut text);
            own.extend(
                ["0", "[]", "True"].into_iter().filter(|simple| text.len() > simple.len()).map(Node::text),
            );
            for node in own {
                if made(with(node)) {
                    return true;
                }
            }
            if inner.smaller(&mut |node| made(with(node))) {
                return true;
            }
        }
        false
    }
}

/// Puts a piece together: `@` stands for the next part.
fn node(form: &str, parts: impl IntoIterator<Item = Node>) -> Node {
    let mut parts = parts.into_iter();
    let mut made = Vec::with_capacity(8);
    for (at, text) in form.split('@').enumerate() {
        if at > 0 {
            made.push(Part::Node(parts.next().expect("a part for each sign")));
        }
        made.push(Part::Text(text.to_owned()));
    }
    Node(made)
}

/// A statement, with what is inside it and what follows that as `else` or `except`.
#[derive(Clone)]
struct Stmt {
    head: Node,
    body: Vec<Stmt>,
    tail: Option<(&'static str, Vec<Stmt>)>,
    /// Set if it is a loop, which ends after too many turns altogether.
    turns: bool,
}

impl Stmt {
    fn plain(head: Node) -> Stmt {
        Stmt { head, body: Vec::new(), tail: None, turns: false }
    }
}

fn write_block(block: &[Stmt], depth: usize, out: &mut String) {
    let indent = "    ".repeat(depth);
    if block.is_empty() {
        let _ = writeln!(out, "{indent}pass");
    }
    for stmt in block {
        out.push_str(&indent);
        stmt.head.write(out);
        out.push('\n');
        if stmt.turns {
            let _ = writeln!(out, "{indent}    k += 1\n{indent}    if k > 30: break");
        }
        if stmt.tail.is_some() || !stmt.body.is_empty() {
            write_block(&stmt.body, depth + 1, out);
        }
        if let Some((word, tail)) = &stmt.tail {
            let _ = writeln!(out, "{indent}{word}:");
            write_block(tail, depth + 1, out);
        }
    }
}

fn smaller_block(block: &[Stmt], made: &mut dyn FnMut(Vec<Stmt>) -> bool) -> bool {
    for (at, stmt) in block.iter().enumerate() {
        let with = |stmts: Vec<Stmt>| {
            let mut all = block.to_vec();
            all.splice(at..=at, stmts);
            all
        };
        let mut head = String::new();
        stmt.head.write(&mut head);
        let body = !stmt.turns && !stmt.body.is_empty() && !head.starts_with("def");
        if made(with(Vec::new())) || (body && made(with(stmt.body.clone()))) {
            return true;
        }
        if stmt.tail.is_some()
            && !stmt.body.is_empty()
            && made(with(vec![Stmt { tail: None, ..stmt.clone() }]))
        {
            return true;
        }
        let same = |body: Vec<Stmt>| Stmt { body, ..stmt.clone() };
        if smaller_block(&stmt.body, &mut |body| !body.is_empty() && made(with(vec![same(body)]))) {
            return true;
        }
        if let Some((word, tail)) = &stmt.tail
            && smaller_block(tail, &mut |tail| {
                made(with(vec![Stmt { tail: Some((word, tail)), ..stmt.clone() }]))
            })
        {
            return true;
        }
        if stmt.head.smaller(&mut |head| made(with(vec![Stmt { head, ..stmt.clone() }]))) {
            return true;
        }
    }
    false
}

fn text(block: &[Stmt]) -> String {
    let mut out = "EX_NAME = \"x\"\ndef check_can_go(g, chess, arr):\n".to_owned();
    out.push_str("    k, a, b, c, l, m, vals = 0, 1, 2, 3, [1, 2, 3, 4], [3, 0, 5], []\n    t, x = [6, [7], (8, 9)], 4\n");
    write_block(block, 1, &mut out);
    out.push_str("    return [vals, a, b, c, l, m, g]\n");
    out
}

/// Numbers that look random, the same everywhere.
struct Maker {
    state: u64,
    /// Loops around; what grows there is kept small.
    loops: u32,
    /// Functions that are defined so far.
    functions: u32,
    /// Set if the program is made of parts that mostly run without the interpreter.
    tame: bool,
}

impl Maker {
    fn new(seed: u64) -> Maker {
        Maker {
            state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1,
            loops: 0,
            functions: 0,
            tame: seed.is_multiple_of(2),
        }
    }

    fn below(&mut self, most: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % most
    }

    fn one<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len() as u64) as usize]
    }

    fn program(&mut self) -> Vec<Stmt> {
        let count = 3 + self.below(6);
        (0..count).map(|_| self.stmt(3)).collect()
    }

    fn block(&mut self, depth: u32) -> Vec<Stmt> {
        let count = 1 + self.below(3);
        (0..count).map(|_| self.stmt(depth)).collect()
    }

    fn int(&mut self, depth: u32) -> Node {
        if depth == 0 {
            let text = self.one(&[
                "0", "1", "2", "3", "5", "-1", "-2", "a", "b", "c", "k", "arr[0]", "arr[1]", "chess.id",
            ]);
            return Node::text(text);
        }
        let d = depth - 1;
        match self.below(34) {
            0..=5 => self.int(0),
            6 | 7 => node("len(@)", [self.list(d)]),
            8 => node("(@ or [5])[@ % 1]", [self.list(d), self.int(d)]),
            9..=12 => {
                let op = self.one(&[
                    "(@ + @)",
                    "(@ - @)",
                    "(@ * @)",
                    "(@ // (@ or 3))",
                    "(@ % (@ or 5))",
                    "(@ + @)",
                    "(@ - @)",
                    "(@ // 2)",
                    "(@ % 3)",
                    "(@ & @)",
                    "(@ | @)",
                    "(@ ^ @)",
                ]);
                {
                    let parts = [self.int(d), self.int(d)];
                    node(op, parts.into_iter().take(op.matches('@').count()))
                }
            }
            13 => node("-@", [self.int(d)]),
            14 => node("abs(@)", [self.int(d)]),
            15 => node("min(@, @)", [self.int(d), self.int(d)]),
            16 => node("max(@ or [1])", [self.numbers(d)]),
            17 => node("sum(@)", [self.numbers(d)]),
            18 => node("(@ if @ else @)", [self.int(d), self.test(d), self.int(d)]),
            19 => {
                let form = self.one(&[
                    "(l or [1]).pop()",
                    "len(m)",
                    "(l or [1]).pop(0)",
                    "l.count(@)",
                    "m.index(@)",
                    "m.count(@)",
                ]);
                node(form, [self.int(d)])
            }
            20 => Node::text(self.one(&[
                "chess.attr.get('power', 7)",
                "chess.attr.get('none', 7)",
                "chess.attr['power']",
                "len(chess.attr)",
                "eval(chess.attr['push'])[1]",
                "JBQ.rl",
                "JBQ.turn",
                "chess.belong",
            ])),
            21 => node("(@ or @)", [self.int(d), self.int(d)]),
            22 => node("(@ and @)", [self.test(d), self.int(d)]),
            23 => node("int(@)", [self.test(d)]),
            24 if self.functions > 0 => {
                let function = self.below(u64::from(self.functions));
                let form = format!("{}{}(@)", "f", function);
                node(&form, [self.any(d)])
            }
            25 => node("sum((@ and 1) for x in @ if @)", [self.within(d), self.iter(d), self.test(d)]),
            26 => node("(lambda y: @)(@)", [self.named(d, "y"), self.int(d)]),
            27 => node("len(list(@))", [self.iter(d)]),
            28 => node("len(@)", [self.iter(d)]),
            29 => Node::text(self.one(&[
                "9223372036854775807",
                "4294967296",
                "-9223372036854775807",
                "1000000007",
            ])),
            30 => node("(@)[@]", [self.tuple(d), self.int(0)]),
            31 => node("bool(@)", [self.any(d)]),
            _ => node("max([0] + [x for x in @ if x == 2])", [self.iter(d)]),
        }
    }

    /// A list of numbers.
    fn numbers(&mut self, depth: u32) -> Node {
        match self.below(4) {
            0 => node("[@, @]", [self.int(depth), self.int(depth)]),
            1 => node("range(@ % 7)", [self.int(depth)]),
            2 => node("[@, a, *l]".replace(", *l", "").as_str(), [self.int(depth)]),
            _ => node("(len(x) for x in @ if x == l)", [self.iter(depth)]),
        }
    }

    /// A number that names the variable of a comprehension, mostly.
    fn named(&mut self, depth: u32, name: &str) -> Node {
        if self.below(4) == 0 {
            return self.any(depth);
        }
        let form = ["%", "[%, @]", "(% == @)", "(%, %)", "(% != @)", "(%, @)", "[%]", "% in l"]
            [self.below(8) as usize];
        node(&form.replace('%', name), [self.int(depth)])
    }

    /// Makes the element of a comprehension over x; some of them change something.
    fn within(&mut self, depth: u32) -> Node {
        match self.below(12) {
            0 => node("(l.append(x) if len(l) < 20 else @)", [self.int(depth)]),
            1 => node("(m.append(@) or x if len(m) < 20 else x)", [self.int(depth)]),
            2 => Node::text("len(l)"),
            3 => node("[y for y in @ if y != x]", [self.iter(depth)]),
            _ => self.named(depth, "x"),
        }
    }

    fn test(&mut self, depth: u32) -> Node {
        if depth == 0 {
            return Node::text(self.one(&[
                "a",
                "not b",
                "True",
                "c > 2",
                "a < b",
                "l",
                "len(m) > 2",
                "chess.is_captain",
            ]));
        }
        let d = depth - 1;
        match self.below(26) {
            0 | 1 => self.test(0),
            2..=5 => {
                let op = self.one(&["@ < @", "@ <= @", "@ == @", "@ != @", "@ > @", "@ >= @"]);
                node(&format!("({op})"), [self.int(d), self.int(d)])
            }
            6 => node("(@ < @ <= @)", [self.int(d), self.int(d), self.int(d)]),
            7 => node("(@ in @)", [self.any(d), self.list(d)]),
            8 => node("(@ not in @)", [self.any(d), self.iter(d)]),
            9 => node("(@ == @)", [self.list(d), self.list(d)]),
            10 => node("(@ in @ == @)", [self.int(d), self.list(d), self.list(d)]),
            11 => node("(@ == @)", [self.any(d), self.any(d)]),
            12 => node("(not @)", [self.test(d)]),
            13 => node("(@ and @)", [self.test(d), self.test(d)]),
            14 => node("(@ or @)", [self.test(d), self.test(d)]),
            15..=18 => {
                let form = self.one(&[
                    "any(@ for x in @)",
                    "all(@ for x in @)",
                    "any(@ for x in @ if x)",
                    "all([@ for x in @])",
                    "any((@, x)[1] for x in @)",
                    "any(x for x in @ if @)",
                ]);
                let (one, two) = (self.within(d), self.iter(d));
                if form.ends_with("if @)") { node(form, [two, one]) } else { node(form, [one, two]) }
            }
            19 => node("(@ is None)", [self.any(d)]),
            20 => node("(@ is not @)", [self.any(d), self.any(d)]),
            21 => node("((a, b) < (@, @))", [self.int(d), self.int(d)]),
            22 => node("(@ == @)", [self.tuple(d), self.any(d)]),
            23 => node("(@ <= 2)", [self.any(0)]),
            24 => node("JBQ.get_chess_by_arr((@ % 4, @ % 4))", [self.int(d), self.int(d)]),
            _ => node("(@ == @ in @)", [self.int(d), self.int(d), self.list(d)]),
        }
    }

    fn list(&mut self, depth: u32) -> Node {
        if depth == 0 {
            return Node::text(self.one(&[
                "l",
                "m",
                "[]",
                "[1, 2]",
                "[0]",
                "g",
                "g[0]",
                "[a, b]",
                "chess.now_move[0]",
            ]));
        }
        let d = depth - 1;
        match self.below(24) {
            0..=4 => self.list(0),
            5 => node("[@, @]", [self.any(d), self.any(d)]),
            6 => node("[@, @, @]", [self.int(d), self.int(d), self.int(d)]),
            7..=10 => {
                let form = self.one(&[
                    "[@ for x in @]",
                    "[@ for x in @ if x]",
                    "list(@ for x in @)",
                    "[(x, @) for x in @]",
                ]);
                node(form, [self.within(d), self.iter(d)])
            }
            11 => node("[@ for x in @ if @]", [self.within(d), self.iter(d), self.test(d)]),
            12 => node("[@ for x in @ for y in @]", [self.within(d), self.iter(d), self.iter(d)]),
            13 => node(
                "[[@ for y in @] for x in @ if any(@ for y in @)]",
                [self.named(d, "y"), self.iter(d), self.iter(d), self.named(d, "y"), self.iter(d)],
            ),
            14 => node("(@ + @)[:9]", [self.list(d), self.list(d)]),
            15 => {
                let times = self.one(&["(@ * 2)[:9]", "(@ * 0)", "(@ * 3)[:8]", "(@ * -1)"]);
                node(times, [self.list(d)])
            }
            16 => node("@[@:@]", [self.list(d), self.int(d), self.int(d)]),
            17 => {
                let form = self.one(&["@[::-1]", "@[1:]", "@[:-1]", "@[::2]", "@[-3:]", "@[::@]"]);
                node(form, [self.list(d), self.int(0)])
            }
            18 => node("list(@)", [self.iter(d)]),
            19 => node("@.copy()", [self.list(0)]),
            20 => {
                Node::text(self.one(&["eval('[1, (2, 3), -4]')", "eval('[[1], 2 * 3]')", "list(chess.attr)"]))
            }
            21 if self.below(4) == 0 => node("sorted(@)", [self.numbers(d)]),
            22 => node("list[int](@)", [self.iter(d)]),
            _ => node("[f(@) for f in [lambda x: @]]", [self.int(d), self.within(d)]),
        }
    }

    fn tuple(&mut self, depth: u32) -> Node {
        if depth == 0 {
            return Node::text(self.one(&["arr", "(0, 0)", "(1, 2)", "()", "(1,)", "(1, 2, 3)", "(-1, -1)"]));
        }
        let d = depth - 1;
        match self.below(9) {
            0 | 1 => self.tuple(0),
            2 | 3 => node("(@, @)", [self.int(d), self.int(d)]),
            4 => node("(@, @)", [self.any(d), self.any(d)]),
            5 => node("(@ + @)", [self.tuple(d), self.tuple(d)]),
            6 => node("tuple(@)", [self.iter(d)]),
            7 => node("tuple(@ for x in @)", [self.within(d), self.iter(d)]),
            _ => {
                let form = self.one(&[
                    "(JBQ.get_arr_by_rd(arr, @ % 8 + 1, @) or ())",
                    "(JBQ.get_arr_by_rd(arr, @ % 8 + 1, @) or ())",
                    "(JBQ.get_chess_arr_by_id(@) or (@, 1))",
                ]);
                node(form, [self.int(d), self.int(d)])
            }
        }
    }

    fn iter(&mut self, depth: u32) -> Node {
        let d = depth.saturating_sub(1);
        if self.tame && self.below(3) > 0 {
            return self.list(d);
        }
        match self.below(24) {
            0..=4 | 14..=20 => self.list(d),
            21 | 22 => node("enumerate(@)", [self.list(d)]),
            23 => node("zip(@, @)", [self.list(d), self.list(d)]),
            5 => node("range(@ % 7)", [self.int(d)]),
            6 => node("range(@ % 5, @ % 9, @)", [self.int(d), self.int(d), self.int(0)]),
            7 => node("reversed(@)", [self.list(d)]),
            8 => node("enumerate(@)", [self.iter(d)]),
            9 => node("zip(@, @)", [self.iter(d), self.iter(d)]),
            10 => node("zip(@)", [self.any(d)]),
            11 => node("enumerate(@, @)", [self.list(d), self.int(d)]),
            12 => self.tuple(d),
            _ => node("reversed(@)", [self.any(d)]),
        }
    }

    fn any(&mut self, depth: u32) -> Node {
        if self.tame {
            return match self.below(8) {
                0..=3 => self.int(depth),
                4 | 5 => self.test(depth.min(2)),
                6 => Node::text("(a, b)"),
                _ => Node::text(self.one(&["None", "1.5", "'ab'", "chess", "len(t)"])),
            };
        }
        if depth == 0 {
            return Node::text(self.one(&[
                "None",
                "True",
                "a",
                "l",
                "arr",
                "1.5",
                "'ab'",
                "chess",
                "m",
                "2.0",
                "(1e308 * 10 - 1e308 * 10)",
                "x",
                "t",
                "b",
                "(3, 4)",
            ]));
        }
        let d = depth - 1;
        match self.below(13) {
            // What the interpreter alone runs.
            12 => match self.below(8) {
                0 => node("{@: @}", [self.int(d), self.any(d)]),
                1 => node("f'{@} {@}'", [self.int(0), self.int(0)]),
                2 => node("sorted(@, key=lambda q: @)", [self.numbers(d), self.int(0)]),
                3 => node("(lambda q=@: @)()", [self.list(d), self.iter(0)]),
                4 => node("{y: @ for y in @ if @}", [self.list(d), self.numbers(0), self.test(d)]),
                5 => node("len({y for y in @ if @})", [self.numbers(d), self.test(d)]),
                6 if self.below(2) == 0 => match self.below(4) {
                    0 => node("JBQ.get_arr_by_rd(@, @, @)", [self.any(d), self.any(0), self.any(0)]),
                    1 => node("JBQ.get_chess_by_arr(@)", [self.any(d)]),
                    2 => node("JBQ.get_chess_arr_by_id(@)", [self.any(d)]),
                    _ => node("JBQ.can_eat(@, @)", [self.any(0), self.any(0)]),
                },
                6 => node("dict(p=@, q=@)", [self.list(d), self.list(d)]),
                _ => node("[*@, *@]", [self.list(d), self.iter(d)]),
            },
            0 | 1 => self.any(0),
            2..=4 => self.int(d),
            5 => self.test(d),
            6 | 7 => self.list(d),
            8 => self.tuple(d),
            9 => node("(@ / (@ or 2))", [self.int(d), self.int(d)]),
            10 => node("(1.5 * @)", [self.one_number()]),
            _ => node("[@, @]", [self.any(d), self.list(0)]),
        }
    }

    fn one_number(&mut self) -> Node {
        Node::text(self.one(&["2", "0", "1.5", "-1", "True"]))
    }

    fn stmt(&mut self, depth: u32) -> Stmt {
        let plain = |node: Node| Stmt::plain(node);
        if depth == 0 || self.below(3) > 0 {
            return match self.below(25) {
                0..=2 => {
                    let form = if self.loops > 0 { "% = (@) % 997" } else { "% = @" };
                    let name = self.one(&["a", "b", "c"]);
                    plain(node(&form.replacen('%', name, 1), [self.int(2)]))
                }
                3 => {
                    let form = self.one(&["a += @", "b -= @", "c += 1", "a %= @ or 3", "b //= 2", "c |= @"]);
                    plain(node(form, [self.int(2)]))
                }
                4 => plain(node("l = (@)[:12]", [self.list(2)])),
                5 => plain(node("m = (@)[:12]", [self.list(2)])),
                6 => plain(node("m = l", [])),
                7 => Stmt {
                    body: vec![plain(node("l += @", [self.list(2)]))],
                    ..plain(Node::text("if len(l) < 12:"))
                },
                8..=12 => plain(node("vals.append(@)", [self.any(3)])),
                13 => {
                    let form = self.one(&[
                        "l.append(@)",
                        "m.insert(1, @)",
                        "if a in l: l.remove(a or @)",
                        "m.append(@)",
                        "l.append(1)",
                        "m.append(2)",
                        "l.append(t[0])",
                        "vals.append(t or @)",
                    ]);
                    plain(node(form, [self.any(2)]))
                }
                14 => plain(Node::text(self.one(&[
                    "l.reverse()",
                    "m.clear()",
                    "l and l.pop()",
                    "del l[:0]",
                    "m.reverse()",
                    "g.append(l)",
                    "g and g.pop()",
                    "if l: del l[0]",
                    "if m: del m[-1]",
                ]))),
                15 => Stmt {
                    body: vec![plain(node("m.extend(@)", [self.list(2)]))],
                    ..plain(Node::text("if len(m) < 12:"))
                },
                16 => plain(node("if l: l[@ % len(l)] = @", [self.int(1), self.any(2)])),
                17 => plain(node("a, (b, c) = @, (@, @)", [self.int(2), self.int(2), self.int(2)])),
                18 => plain(node("a, b = b, @", [self.int(1)])),
                19 => plain(node("t = @", [self.any(2)])),
                20 => plain(node("t = [@, @]", [self.list(1), self.tuple(1)])),
                21 => {
                    let form = self.one(&["g[0] += @", "g += @", "t[1] += @", "t[2] += (@,)"]);
                    Stmt {
                        body: vec![plain(node(form, [self.list(1)]))],
                        ..plain(Node::text("if len(l) < 12 and len(g[0]) < 9:"))
                    }
                }
                22 => plain(node("assert @ or True", [self.test(1)])),
                23 => plain(node("n: list[int] = @", [self.list(1)])),
                _ => plain(node("for x in @: vals.append(x)", [self.iter(1)])),
            };
        }
        let d = depth - 1;
        match self.below(9) {
            0..=2 => {
                let head = node("if @:", [self.test(2)]);
                let tail = (self.below(2) == 0).then(|| ("else", self.block(d)));
                Stmt { head, body: self.block(d), tail, turns: false }
            }
            3..=5 => {
                let form = self.one(&[
                    "for x in @:",
                    "for i, x in enumerate(@):",
                    "for x in list(@):",
                    "for a in @:",
                    "for x, y in zip(l, @):",
                    "for l[len(l):] in @:",
                    "for x in @:",
                    "for x in @:",
                    "for x in @:",
                ]);
                let head = node(form, [self.iter(2)]);
                self.turns(head, d)
            }
            6 => {
                let head = node("while @:", [self.test(2)]);
                self.turns(head, d)
            }
            7 => {
                let number = self.functions;
                let form = ["def f#(p):", "def f#(p, q=@):", "def f#(p, q=l):"][self.below(3) as usize];
                let head = node(&form.replace('#', &number.to_string()), [self.any(1)]);
                let mut body = vec![Stmt::plain(node("r = @", [self.any(1)]))];
                if self.below(2) == 0 {
                    body.push(Stmt::plain(node("l.append(@)", [self.int(1)])));
                }
                if self.below(4) == 0 {
                    body.push(Stmt {
                        body: vec![Stmt::plain(Node::text("yield r"))],
                        ..Stmt::plain(node("if @:", [self.test(1)]))
                    });
                }
                body.push(Stmt::plain(node("return @", [self.named(1, "p")])));
                self.functions += 1;
                Stmt { head, body, tail: None, turns: false }
            }
            _ => {
                let word = self.one(&[
                    "except IndexError",
                    "except (TypeError, ZeroDivisionError)",
                    "except Exception",
                    "except Exception",
                    "except Exception",
                    "finally",
                ]);
                let word: &'static str = match word {
                    "finally" => "finally",
                    "except IndexError" => "except IndexError",
                    "except Exception" => "except Exception",
                    _ => "except (TypeError, ZeroDivisionError)",
                };
                Stmt {
                    head: Node::text("try:"),
                    body: self.block(d),
                    tail: Some((word, self.block(d))),
                    turns: false,
                }
            }
        }
    }

    /// A loop that ends.
    fn turns(&mut self, head: Node, depth: u32) -> Stmt {
        self.loops += 1;
        let mut body = self.block(depth);
        if self.below(5) == 0 {
            let word = self.one(&["break", "continue"]);
            body.push(Stmt {
                body: vec![Stmt::plain(Node::text(word))],
                ..Stmt::plain(node("if @:", [self.test(1)]))
            });
        }
        let tail = (self.below(4) == 0).then(|| ("else", self.block(depth)));
        self.loops -= 1;
        Stmt { head, body, tail, turns: true }
    }
}

/// A CPython that is asked one text after the other.
struct Python {
    asks: ChildStdin,
    tells: BufReader<ChildStdout>,
    child: Child,
}

impl Python {
    /// Starts CPython; `None` if none is installed.
    fn start() -> Option<Python> {
        let mut command = Command::new("python3");
        command.args(["-I", "-W", "ignore", "-c", DRIVER]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().ok()?;
        let (asks, tells) = (child.stdin.take()?, BufReader::new(child.stdout.take()?));
        let mut python = Python { asks, tells, child };
        // What is called python3 may be something that does not start one.
        python.ask("").map(|_| python)
    }

    /// Returns the answer of CPython to a text.
    fn ask(&mut self, text: &str) -> Option<String> {
        let asked = serde_json::to_string(text).expect("a text");
        writeln!(self.asks, "{asked}").and_then(|()| self.asks.flush()).ok()?;
        let mut told = String::new();
        self.tells.read_line(&mut told).ok()?;
        serde_json::from_str(&told).ok()
    }

    fn told(&mut self, text: &str) -> String {
        self.ask(text).expect("python3 answers")
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Our two ways, in a thread of their own: deep expressions want room, and where the interpreter panics another begins.
struct Ours {
    asks: Sender<String>,
    tells: Receiver<Told>,
}

impl Ours {
    fn start() -> Ours {
        let (asks, asked) = channel::<String>();
        let (tell, tells) = channel();
        let run = move || {
            let map = small();
            for text in asked {
                let told = called_both_ways(&map, &text, GROUPS, AT)
                    .unwrap_or_else(|_| Told { quick: Err("refused"), interpreted: "refused".to_owned() });
                if tell.send(told).is_err() {
                    break;
                }
            }
        };
        std::thread::Builder::new().stack_size(64 << 20).spawn(run).expect("a thread");
        Ours { asks, tells }
    }

    fn told(&mut self, text: &str) -> Told {
        self.asks.send(text.to_owned()).expect("it waits");
        self.tells.recv().unwrap_or_else(|_| {
            *self = Ours::start();
            Told { quick: Err("a panic"), interpreted: "!panic".to_owned() }
        })
    }
}

/// Removes differences between Pythons that do not matter: addresses, names of errors, the sign of zero.
fn plain(told: &str) -> String {
    let told = if told == "!UnboundLocalError" { "!NameError" } else { told };
    let mut parts = told.split(" at 0x");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    // Addresses differ.
    parts.for_each(|part| plain.push_str(part.trim_start_matches(|c: char| c.is_ascii_hexdigit())));
    plain.replace("-0.0", "0.0")
}

/// Describes a difference between the three; `None` if they agree.
fn difference(told: &Told, python: Option<&str>) -> Option<String> {
    if let Ok(quick) = &told.quick
        && *quick != told.interpreted
    {
        return Some(format!("quick {quick}\ninterpreted {}", told.interpreted));
    }
    let python = python?;
    if KNOWN == (told.interpreted.as_str(), python) {
        return None;
    }
    (plain(python) != plain(&told.interpreted))
        .then(|| format!("interpreted {}\nCPython {python}", told.interpreted))
}

/// A program as small as it gets while the three still differ.
fn smallest(mut program: Vec<Stmt>, ours: &mut Ours, python: &mut Option<Python>) -> (String, String) {
    let mut wrong = |program: &[Stmt]| {
        let text = text(program);
        let python = python.as_mut().map(|python| python.told(&text));
        if python.as_deref() == Some(LATE) { None } else { difference(&ours.told(&text), python.as_deref()) }
    };
    let mut left = 3000;
    loop {
        let mut next = None;
        smaller_block(&program, &mut |smaller| {
            left -= 1;
            if left > 0 && wrong(&smaller).is_some() {
                next = Some(smaller);
            }
            next.is_some() || left <= 0
        });
        match next {
            Some(smaller) => program = smaller,
            None => return (text(&program), wrong(&program).unwrap_or_default()),
        }
    }
}

#[test]
fn programs_come_to_the_same_three_ways() {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let deep = std::env::var_os("QIGUAN_DEEP").map(|_| number("QIGUAN_DEEP").filter(|&seconds| seconds > 1));
    let deep = deep.map(|seconds| Duration::from_secs(seconds.unwrap_or(600)));
    let most = number("QIGUAN_DIFFERENCES").unwrap_or(1);
    let (first, begun) = (number("QIGUAN_SEED").unwrap_or(1), Instant::now());
    let (mut ours, mut python) = (Ours::start(), Python::start());
    let (first, deep) = if python.is_some() { (first, deep) } else { (1, None) };
    let mut seed = first;
    let (mut quick, mut late, mut left) = (0u64, 0u64, BTreeMap::<&str, u64>::new());
    let mut wrong = Vec::new();
    while deep.map_or(seed < first + USUAL, |time| begun.elapsed() < time) && (wrong.len() as u64) < most {
        let program = Maker::new(seed).program();
        let text = text(&program);
        let cpython = python.as_mut().map(|python| python.told(&text));
        if cpython.as_deref() == Some(LATE) {
            late += 1;
            seed += 1;
            continue;
        }
        let told = ours.told(&text);
        match &told.quick {
            Ok(_) => quick += 1,
            Err(why) => *left.entry(why).or_default() += 1,
        }
        if difference(&told, cpython.as_deref()).is_some() {
            let (text, difference) = smallest(program, &mut ours, &mut python);
            wrong.push(format!("seed {seed}\n{text}\n{difference}"));
        }
        seed += 1;
    }
    let asked = python.is_some();
    println!(
        "{} programs, {late} without an end, {quick} without the interpreter; CPython: {asked}; left for: {left:?}",
        seed - first
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(quick * 5 > seed - first, "too few run without the interpreter: {quick}; {left:?}");
}
