//! Our engine through its border: text in, text out.

use engine::{Engine, Limits, Native, Task};

#[test]
fn locked_chess_opens() {
    let mut engine = Native::new("locked", &Default::default(), 1).unwrap();
    let limits = Limits { depth: Some(3), ..Limits::default() };
    let mut heard = Vec::new();
    let best =
        engine.think(&Task { limits, ..Task::default() }, &mut |info| heard.push(info.clone())).unwrap();
    assert!(["u", "d", "l", "r"].contains(&best.as_str()), "{best}");
    assert!(heard.iter().any(|info| info.depth == 3 && info.moves.len() == 15), "{heard:?}");
}
