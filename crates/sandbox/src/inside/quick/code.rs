//! Functions of extensions in a form that runs quickly, and how they are made from source text.

use std::rc::Rc;

use rustpython_vm::builtins::PyStrInterned;

use super::value::{Built, V};

/// A name behind a dot: the ones that mean something to us, and how it is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub known: MemberName,
    pub name: &'static PyStrInterned,
}

/// Members of pieces, of `JBQ` and of lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MemberName {
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

impl MemberName {
    pub(super) fn of(name: &str) -> MemberName {
        match name {
            "id" => MemberName::Id,
            "name" => MemberName::Name,
            "belong" => MemberName::Belong,
            "is_captain" => MemberName::IsCaptain,
            "is_tran" => MemberName::IsTran,
            "attr" => MemberName::Attr,
            "now_move" => MemberName::NowMove,
            "rl" => MemberName::Rl,
            "cl" => MemberName::Cl,
            "turn" => MemberName::Turn,
            "get_arr_by_rd" => MemberName::GetArrByRd,
            "get_chess_by_arr" => MemberName::GetChessByArr,
            "get_chess_arr_by_id" => MemberName::GetChessArrById,
            "can_eat" => MemberName::CanEat,
            "append" => MemberName::Append,
            "extend" => MemberName::Extend,
            "insert" => MemberName::Insert,
            "pop" => MemberName::Pop,
            "remove" => MemberName::Remove,
            "copy" => MemberName::Copy,
            "reverse" => MemberName::Reverse,
            "clear" => MemberName::Clear,
            "index" => MemberName::Index,
            "count" => MemberName::Count,
            "get" => MemberName::Get,
            _ => MemberName::Other,
        }
    }
}

/// The operators between two values.
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

/// The comparisons between two values.
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

/// The targets of an assignment.
#[derive(Clone, Debug)]
pub(super) enum Target {
    Local(u16),
    Cell(u16),
    Many(Vec<Target>),
    Item(Expr, Expr),
    /// A target whose change would outlast the run; the call is left to the interpreter.
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
    /// The function that is called, and the built-in it must be.
    pub function: Expr,
    pub built: Built,
    /// The element of the generator; `weight` is the work of one turn.
    pub elt: Expr,
    pub turns: Vec<Turn>,
    pub weight: usize,
}

/// An expression, compiled.
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
    /// A global name, by its index in the file's table of names.
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
    /// A comprehension: element, loops, and the work of one turn.
    Each(Box<Expr>, Vec<Turn>, usize),
    /// A built-in function that goes through all of a generator, or as far as it needs.
    Gather(Box<Gather>),
    Function(Rc<Def>),
    /// An expression that is left to the interpreter, with the reason.
    Leave(&'static &'static str),
}

/// A statement, compiled.
#[derive(Clone, Debug)]
pub(super) enum Stmt {
    Do(Expr),
    /// An assignment to a local that no other function shares.
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
    /// The work of one turn, in steps.
    pub weight: usize,
}

/// The place from which a function takes a name of a function around it.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Cell(u16),
    Free(u16),
}

/// A function, compiled.
#[derive(Clone, Debug, Default)]
pub(super) struct Def {
    /// The number of its parameters; the last ones have defaults.
    pub takes: usize,
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// True for each parameter that is ever read.
    pub uses: Vec<bool>,
    pub defaults: Vec<Expr>,
    pub slots: usize,
    /// Locals that functions inside share.
    pub cells: Vec<u16>,
    /// Names of functions around it, each with the place where the function directly around has it.
    pub frees: Vec<(String, Source)>,
    pub body: Vec<Stmt>,
    /// The work of a call without its loops, in steps.
    pub weight: usize,
}
