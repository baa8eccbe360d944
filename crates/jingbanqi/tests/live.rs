//! A game in play, with hooks written in Rust: the order of a ply, who is asked what, and that without hooks it is the game
//! that positions play.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use jingbanqi::extension::Start;
use jingbanqi::live::{Broken, Groups, Handle, Hooks, Live, Ruled};
use jingbanqi::rule::{move_rule, place_rule};
use jingbanqi::terms::{Condition, LiveRule};
use jingbanqi::{Jingbanqi, Map, Move, PieceKind, Rulebook, Standing, read};
use kernel::{Outcome, Position, Side};

type Acts = dyn Fn(&Recorder, &Live, Move) -> Result<(), String>;

/// Hooks that write down what they are asked.
#[derive(Default)]
struct Recorder {
    asked: RefCell<Vec<String>>,
    /// Squares where the place of any name holds.
    holds: Vec<u16>,
    after: Option<Box<Acts>>,
}

impl Hooks for Recorder {
    type Error = String;

    fn place(&self, live: &Live, name: usize, args: &[i64], at: u16) -> Result<bool, String> {
        self.asked.borrow_mut().push(format!("{}{args:?}@{at}", live.names().asked()[name]));
        Ok(self.holds.contains(&at))
    }

    fn reach(&self, _live: &Live, groups: Groups, _piece: Handle, _at: u16) -> Result<Vec<u16>, String> {
        Ok(groups.iter().flatten().copied().collect())
    }

    fn after_move(&self, live: &Live, m: Move) -> Result<(), String> {
        self.asked.borrow_mut().push(format!("after {}-{} {:?}", m.from, m.to, live.turn()));
        self.after.as_ref().map_or(Ok(()), |after| after(self, live, m))
    }

    fn held_rule(&self, live: &Live, piece: Handle, _promoted: bool) -> Result<Rc<LiveRule>, String> {
        self.asked.borrow_mut().push(format!("held {piece}"));
        Ok(Rc::new(live.names().rule(move_rule("7;").map_err(|e| e.to_string())?)))
    }

    fn held_promotion(&self, live: &Live, _piece: Handle) -> Result<Rc<Condition>, String> {
        Ok(Rc::new(live.names().condition(&place_rule("X[1]").map_err(|e| e.to_string())?)))
    }

    fn broken(&self, what: Broken) -> String {
        format!("{what:?}")
    }
}

fn kind(owner: Option<Side>, captain: bool, rule: &str, promotes: &str) -> PieceKind {
    PieceKind {
        name: "n".to_owned(),
        owner,
        captain,
        rule: move_rule(rule).expect("a rule"),
        promotes: place_rule(promotes).expect("a rule"),
        promoted: move_rule(";2,4,5,7").expect("a rule"),
        attributes: Vec::new(),
        level2: None,
    }
}

/// Three rows and columns: blue's king in the corner, red's man with the place `Q`, a neutral block.
fn map() -> Map {
    Map {
        rows: 3,
        cols: 3,
        kinds: vec![
            kind(Some(Side::First), false, "2,4(Q[1]),5(X[3]&Q[2]);7", "Q[9]"),
            kind(Some(Side::Second), true, "1,2,3,4,5,6,7,8;", "X[3]"),
            kind(None, false, "4,5;", ""),
        ],
        start: vec![2, 0, 0, 0, 3, 0, 0, 1, 0],
        promotion: true,
        undo: true,
        neutral_limit: true,
        level2: None,
    }
}

fn start(map: &Map) -> Start {
    let standing = |&id: &u16| (id > 0).then_some(Standing { id, promoted: false });
    let pieces = map.start.iter().map(standing).collect();
    Start { pieces, turn: Side::First, neutral: [0; 2], end: None, second: None }
}

fn live(names: &[&str]) -> Live {
    let map = map();
    let start = start(&map);
    Live::new(
        Arc::new(Rulebook::new(map, false)),
        names.iter().map(|name| (*name).to_owned()).collect(),
        &start,
    )
}

fn taken(recorder: &Recorder) -> Vec<String> {
    std::mem::take(&mut recorder.asked.borrow_mut())
}

fn pairs(moves: &[Move]) -> Vec<(u16, u16)> {
    moves.iter().map(|m| (m.from, m.to)).collect()
}

#[test]
fn hooks_are_asked_in_the_order_of_the_rule() {
    let (live, hooks) = (live(&["Q", "X"]), Recorder { holds: vec![7], ..Recorder::default() });
    // The man on 7: up is blocked by the block; 4 asks Q; 5 is true by X alone, so that no hook is asked.
    let moves = live.moves(&hooks).expect("no failure");
    assert_eq!(pairs(&moves), [(4, 3), (4, 5), (7, 6), (7, 8)]);
    assert_eq!(taken(&hooks), ["Q[1]@7"]);
    // Without hooks of those names they are false and no hook is asked.
    let plain = self::live(&[]);
    assert_eq!(pairs(&plain.moves(&hooks).expect("no failure")), [(4, 3), (4, 5), (7, 8)]);
    assert!(taken(&hooks).is_empty());
}

#[test]
fn a_place_of_the_rules_own_is_asked_of_hooks_once_it_said_no() {
    let (live, hooks) = (live(&["X"]), Recorder { holds: vec![4], ..Recorder::default() });
    live.play(&hooks, Move::new(7, 8)).expect("no failure");
    // X[3] of blue's king on 0 said no, so the hook is asked; it says no, too.
    assert_eq!(taken(&hooks), ["X[3]@0", "after 7-8 First"]);
}

#[test]
fn a_ply_promotes_everybody_then_asks_hooks_then_turns() {
    let acts: Box<Acts> = Box::new(|hooks, live, m| {
        let handle = live.at(m.to).ok_or("gone")?;
        assert!(live.piece(handle).promoted, "promotion comes first");
        assert_eq!((live.turn(), live.said_turn()), (Side::First, 1));
        live.say_turn(2);
        // What an extension moves counts for whom it says, promotes, and takes captains.
        live.shift(hooks, 4, 0, true)?;
        live.add(hooks, 1, 4)?;
        let fresh = live.at(4).ok_or("gone")?;
        assert!(!live.piece(fresh).promoted, "added pieces are examined at the next move");
        Ok(())
    });
    let hooks = Recorder { holds: vec![8], after: Some(acts), ..Recorder::default() };
    let live = live(&["Q"]);
    live.play(&hooks, Move::new(7, 8)).expect("no failure");
    assert_eq!(taken(&hooks), ["Q[9]@8", "after 7-8 First"]);
    assert_eq!((live.turn(), live.said_turn()), (Side::Second, 2));
    assert_eq!(live.end(), Some(Outcome::Win(Side::Second, "captain-taken")));
    let scene = live.scene(Vec::new());
    assert_eq!(scene.neutral, [0, 1]);
    let ids: Vec<u16> = scene.pieces.iter().map(|piece| piece.as_ref().map_or(0, |piece| piece.id)).collect();
    assert_eq!(ids, [3, 0, 0, 0, 1, 0, 0, 0, 1]);
    assert!(live.moves(&hooks).expect("no failure").is_empty(), "the game is over");
}

#[test]
fn what_was_can_be_recalled() {
    let acts: Box<Acts> = Box::new(|hooks, live, m| {
        live.add(hooks, 1, 1)?;
        live.change(0, |piece| piece.rules[0] = Ruled::Held);
        if m.to == 8 { Err("failed".to_owned()) } else { Ok(()) }
    });
    let hooks = Recorder { after: Some(acts), ..Recorder::default() };
    let live = live(&[]);
    let before = (live.memory(), live.scene(Vec::new()));
    assert_eq!(live.play(&hooks, Move::new(7, 8)), Err("failed".to_owned()));
    assert_ne!(live.scene(Vec::new()), before.1);
    live.recall(&before.0);
    assert_eq!(live.scene(Vec::new()), before.1);
    assert_eq!(live.count(), 3);
    live.play(&hooks, Move::new(4, 5)).expect("no failure");
    taken(&hooks);
    // Blue's king goes by a rule that is held elsewhere: down only.
    assert_eq!(pairs(&live.moves(&hooks).expect("no failure")), [(0, 3), (5, 4)]);
    assert_eq!(taken(&hooks), ["held 0"]);
}

#[test]
fn rules_that_cannot_be_played_are_told() {
    let hooks = Recorder::default();
    let live = live(&[]);
    let own = |text: &str| Ruled::Own(Rc::new(live.names().rule(move_rule(text).expect("a rule"))));
    let man = live.at(7).expect("the man");
    live.change(man, |piece| piece.rules[0] = own("4;;99"));
    assert_eq!(live.destinations(&hooks, man, 7), Ok(vec![6]), "a third section is nobody's business here");
    assert_eq!(live.now(&hooks, man), Ok(vec![vec![4], vec![], vec![99]]));
    let mut rule = live.names().rule(move_rule("4;").expect("a rule"));
    rule.sections.truncate(1);
    live.change(man, |piece| piece.rules[0] = Ruled::Own(Rc::new(rule)));
    assert_eq!(live.destinations(&hooks, man, 7), Err("Sections".to_owned()));
    let mut rule = live.names().rule(move_rule("4;").expect("a rule"));
    rule.sections[1] = rule.sections[0].clone();
    rule.sections[1][0].direction = 12;
    live.change(man, |piece| piece.rules[0] = Ruled::Own(Rc::new(rule)));
    assert_eq!(live.destinations(&hooks, man, 7), Err("Direction(12)".to_owned()));
}

/// A game in play without hooks is the same as a game by positions, on every map of the recorded games, with the old
/// names known and not.
#[test]
fn without_hooks_it_is_the_same_game() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/maps");
    let hooks = Recorder::default();
    let mut plies = 0;
    for entry in std::fs::read_dir(folder).expect("maps") {
        let path = entry.expect("a file").path();
        let map = read(&std::fs::read(&path).expect("bytes")).map.unwrap_or_else(|| panic!("{path:?}"));
        for (game, old_names) in [(1u64, false), (2, true), (3, true)] {
            let book = Arc::new(Rulebook::new(map.clone(), old_names));
            let live = Live::new(Arc::clone(&book), Vec::new(), &start(&map));
            let mut pos = Jingbanqi::new(book);
            let mut random = game * 7919 + path.as_os_str().len() as u64;
            for _ in 0..80 {
                let mut wanted = Vec::new();
                pos.moves(&mut wanted);
                let mut found = live.moves(&hooks).expect("no failure");
                for list in [&mut wanted, &mut found] {
                    list.sort_unstable_by_key(|m| (m.from, m.to));
                }
                assert_eq!(found, wanted, "{path:?}");
                assert_eq!(live.checks(&hooks), Ok(pos.checks()), "{path:?}");
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let Some(&m) = wanted.get((random >> 33) as usize % wanted.len().max(1)) else { break };
                pos.play(m);
                live.play(&hooks, m).expect("no failure");
                let scene = live.scene(Vec::new());
                let present: Vec<_> = (0..map.squares() as u16).map(|at| pos.present(at)).collect();
                assert_eq!(scene.pieces, present, "{path:?}");
                assert_eq!((scene.turn, scene.neutral), (pos.turn(), pos.neutral()), "{path:?}");
                plies += 1;
            }
        }
    }
    assert!(plies > 500, "{plies}");
}
