//! Catches the words of a failure that are not recognised, or taken for others.

use jingbanqi::extension::Fault;

/// The reason that the problem of a fault gives, with its parts.
fn reason(words: &str) -> String {
    let fault = Fault {
        file: "x.py".to_owned(),
        hook: "after_move".to_owned(),
        line: Some(3),
        error: words.to_owned(),
    };
    let problem = fault.problem();
    let parts = ["name", "other"].into_iter().filter_map(|name| problem.arg(name));
    let parts: Vec<&str> = parts.collect();
    format!("{} {}", problem.arg("why").unwrap_or_default(), parts.join("|"))
}

#[test]
fn words_are_recognised() {
    for (words, told) in [
        ("NameError: name 'foo' is not defined", "name foo"),
        ("NameError: name 'jbq' is not defined. Did you mean: 'JBQ'?", "name-near jbq|JBQ"),
        ("AttributeError: 'NoneType' object has no attribute 'name'", "none-member name"),
        ("AttributeError: 'list' object has no attribute 'add'", "member 'list' object|add"),
        ("KeyError: 'rank'", "key 'rank'"),
        ("IndexError: list index out of range", "index list"),
        (
            "TypeError: f() takes 2 positional arguments but 3 were given",
            "arguments f()|2 positional arguments",
        ),
        (
            "TypeError: f() missing 1 required positional argument: 'arr'",
            "arguments f()|1 required positional argument: 'arr'",
        ),
        ("TypeError: a square is wanted, not 'int'", "square int"),
        ("ModuleNotFoundError: No module named 'os'", "module os"),
        ("TimeLimit: more than 50 ms", "time-call 50"),
        ("TimeLimit: more than 2 s for a ply", "time-ply 2"),
        ("RecursionError: maximum recursion depth exceeded", "recursion maximum recursion depth exceeded"),
        ("ValueError: 我的错误", "other "),
        ("", "other "),
    ] {
        assert_eq!(reason(words), told, "{words}");
    }
    // The place behind what the compiler says is told once.
    assert_eq!(reason("SyntaxError: 'return' outside function (x.py, line 3)"), "return-outside ");
}
