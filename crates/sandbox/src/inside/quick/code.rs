//! Functions of extensions in a form that runs quickly, and how they are made from source text.

use std::rc::Rc;

use rustpython_vm::builtins::PyStrInterned;

use super::value::{Built, V};

/// A name behind a dot: the ones that mean something to us, and how it is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub known: Known,
    pub name: &'static PyStrInterned,
}

/// Members of pieces, of `JBQ` and of lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    Id,
    Name,
    Belong,
    IsCaptain,
    IsTran,
    Attr,
    NowMove,
    Rl,
    Cl,
    Turn,
    GetArrByRd,
    GetChessByArr,
    GetChessArrById,
    CanEat,
    Append,
    Extend,
    Insert,
    Pop,
    Remove,
    Copy,
    Reverse,
    Clear,
    Index,
    Count,
    Get,
    Other,
}

impl Known {
    pub(super) fn of(name: &str) -> Known {
        match name {
            "id" => Known::Id,
            "name" => Known::Name,
            "belong" => Known::Belong,
            "is_captain" => Known::IsCaptain,
            "is_tran" => Known::IsTran,
            "attr" => Known::Attr,
            "now_move" => Known::NowMove,
            "rl" => Known::Rl,
            "cl" => Known::Cl,
            "turn" => Known::Turn,
            "get_arr_by_rd" => Known::GetArrByRd,
            "get_chess_by_arr" => Known::GetChessByArr,
            "get_chess_arr_by_id" => Known::GetChessArrById,
            "can_eat" => Known::CanEat,
            "append" => Known::Append,
            "extend" => Known::Extend,
            "insert" => Known::Insert,
            "pop" => Known::Pop,
            "remove" => Known::Remove,
            "copy" => Known::Copy,
            "reverse" => Known::Reverse,
            "clear" => Known::Clear,
            "index" => Known::Index,
            "count" => Known::Count,
            "get" => Known::Get,
            _ => Known::Other,
        }
    }
}

/// What two values are put together by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Floor,
    Mod,
    And,
    Or,
    Xor,
}

/// How two values are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cmp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Is,
    IsNot,
    In,
    NotIn,
}

/// Where a value is put.
#[derive(Clone, Debug)]
pub(super) enum Target {
    Local(u16),
    Cell(u16),
    Many(Vec<Target>),
    Item(Expr, Expr),
    /// It would last.
    Effect,
}

/// One `for` of a comprehension.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    pub target: Target,
    pub over: Expr,
    pub ifs: Vec<Expr>,
}

/// `any(x for x in …)` and the like.
#[derive(Clone, Debug)]
pub(super) struct Gather {
    /// What is called, and what it must be.
    pub function: Expr,
    pub built: Built,
    /// The generator, with how much a turn does.
    pub elt: Expr,
    pub turns: Vec<Turn>,
    pub weight: usize,
}

/// An expression.
#[derive(Clone, Debug)]
pub(super) enum Expr {
    Const(V),
    Local(u16),
    /// A local that functions inside share.
    Cell(u16),
    /// A local of a function around this one.
    Free(u16),
    /// `JBQ`, also called `API`.
    Jbq,
    /// By its place in the file's table of names.
    Global(u16),
    Member(Box<Expr>, Member),
    Call(Box<Expr>, Vec<Expr>),
    Method(Box<Expr>, Member, Vec<Expr>),
    Binary(Op, Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Minus(Box<Expr>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    Compare(Box<(Expr, Cmp, Expr)>),
    /// `a < b < c`
    Chain(Box<Expr>, Vec<(Cmp, Expr)>),
    Choose(Box<(Expr, Expr, Expr)>),
    Item(Box<Expr>, Box<Expr>),
    Slice(Box<Expr>, Box<[Option<Expr>; 3]>),
    Tuple(Vec<Expr>),
    List(Vec<Expr>),
    /// With how much a turn does.
    Each(Box<Expr>, Vec<Turn>, usize),
    /// A built-in function that goes through all of a generator, or as far as it needs.
    Gather(Box<Gather>),
    Function(Rc<Def>),
    /// What is left to the interpreter.
    Leave(&'static &'static str),
}

/// A statement.
#[derive(Clone, Debug)]
pub(super) enum Stmt {
    Do(Expr),
    /// To a local of this function alone.
    Set(u16, Expr),
    /// `x = JBQ.get_chess_by_arr(square)`
    SetChess(u16, Expr),
    /// `x = JBQ.get_arr_by_rd(square, direction, far)`
    SetAway(u16, Box<[Expr; 3]>),
    Assign(Vec<Target>, Expr),
    Change(Target, Op, Expr),
    Delete(Expr, Expr),
    If(Vec<(Expr, Vec<Stmt>)>, Vec<Stmt>),
    For(Box<For>),
    While(Expr, Vec<Stmt>, Vec<Stmt>, usize),
    Return(Expr),
    Break,
    Continue,
    Assert(Expr),
    Leave(&'static &'static str),
}

/// A loop through something.
#[derive(Clone, Debug)]
pub(super) struct For {
    pub target: Target,
    pub over: Expr,
    pub body: Vec<Stmt>,
    pub otherwise: Vec<Stmt>,
    /// How much a turn does.
    pub weight: usize,
}

/// From where a function takes a name of a function around it.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Cell(u16),
    Free(u16),
}

/// A function.
#[derive(Clone, Debug, Default)]
pub(super) struct Def {
    /// How many values it is called with; the last ones have defaults.
    pub takes: usize,
    /// What it calls them.
    pub parameters: Vec<String>,
    /// Whether the value it is called with is ever looked at.
    pub uses: Vec<bool>,
    pub defaults: Vec<Expr>,
    pub slots: usize,
    /// Locals that functions inside share.
    pub cells: Vec<u16>,
    /// Names of functions around it, and where the one directly around has them.
    pub frees: Vec<(String, Source)>,
    pub body: Vec<Stmt>,
    /// How much a call does, loops aside.
    pub weight: usize,
}
