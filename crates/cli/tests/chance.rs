//! Random draws and the engine. Would catch an engine that knows the dice: one that sees what a map's extension will
//! draw before it is drawn, and a puzzle that calls a lottery ticket proved.
#![cfg(feature = "extensions")]

use std::sync::Arc;

use engine::{Level, Limits, TranspositionTable, native};
use jingbanqi::extension::{Loader as _, Source};
use jingbanqi::rule::{move_rule, place_rule};
use jingbanqi::{Jingbanqi, Map, PieceKind, Rulebook};
use kernel::{AnyGame, Side};
use puzzles::set::{Aim, prove};
use sandbox::Sandbox;

/// Eight cards of red's, one of which wins; which one, chance decides.
const CARDS: [(&str, &str); 2] = [
    (
        "at the moment",
        "EX_NAME = 'x'
def check_can_go(can_go, chess, arr):
    return [[arr]] if chess.name == '?' else can_go
def after_move(a, b):
    import random
    if a == b:
        JBQ.win(JBQ.turn if random.randrange(8) == b[1] else 3 - JBQ.turn)
",
    ),
    (
        "before the game",
        "EX_NAME = 'x'
class Cards:
    def __init__(self):
        import random
        self.best = random.randrange(8)
    def turn(self, a, b):
        if a == b:
            JBQ.win(JBQ.turn if self.best == b[1] else 3 - JBQ.turn)
cards = Cards()
after_move = cards.turn
def check_can_go(can_go, chess, arr):
    return [[arr]] if chess.name == '?' else can_go
",
    ),
];

fn kind(name: &str, owner: Side) -> PieceKind {
    PieceKind {
        name: name.to_owned(),
        owner: Some(owner),
        captain: false,
        rule: move_rule(";").expect("a rule"),
        promotes: place_rule("").expect("a rule"),
        promoted: move_rule(";").expect("a rule"),
        attributes: Vec::new(),
        level2: None,
    }
}

fn game(text: &str) -> impl Fn(u128) -> Box<dyn AnyGame> {
    let map = Map {
        rows: 2,
        cols: 8,
        kinds: vec![kind("?", Side::First), kind("b", Side::Second)],
        start: [[1; 8], [2; 8]].concat(),
        promotion: false,
        undo: true,
        neutral_limit: false,
        level2: None,
    };
    let sandbox = Sandbox::new(env!("CARGO_BIN_EXE_qiguan").into());
    let source = Source { file: "x.py".to_owned(), bytes: text.as_bytes().to_vec() };
    let book = Arc::new(Rulebook::new(map, false));
    let extensions = sandbox.load(&book, &[source]).expect("it loads");
    move |seed| {
        let book = Arc::new(Rulebook::clone(&book).with_seed(seed));
        let extensions = extensions.by_book(&book).expect("something is left to chance");
        kernel::any(Jingbanqi::with_extensions(book, extensions))
    }
}

/// An engine wins with one card of eight about once in eight games; levels 5 and 8 once won 24 of 24.
#[test]
fn one_of_eight_cards_wins_once_in_eight_games() {
    let games = if std::env::var_os("QIGUAN_DEEP").is_some() { 200_u32 } else { 16 };
    // Five deviations above an eighth.
    let most = f64::from(games) / 8.0 + 5.0 * (f64::from(games) * 7.0 / 64.0).sqrt();
    for (drawn, text) in CARDS {
        let begin = game(text);
        for level in [5, 8] {
            let (mut won, memory) = (0, TranspositionTable::mebibytes(1));
            for seed in 0..games {
                // The drawn number is secret; here it must only be another one each time.
                let mut game = begin(u128::from(seed) << 100 | 0x5EED);
                assert!(game.has_chance());
                let limits = Limits {
                    level: Level::new(level),
                    nodes: Some(2_000),
                    seed: seed.into(),
                    ..Limits::default()
                };
                let mut told = None;
                let text = native::think(game.as_ref(), &memory, &limits, &mut |info| {
                    told = Some(info.clone());
                });
                let text = text.expect("a move");
                let told = told.expect("it tells");
                assert!(matches!(told.worth, engine::Worth::Hundredths(_)), "{drawn}: {told:?} is no proof");
                game.play(&text).expect("is legal");
                let winner = game.outcome().expect("a card decides").winner();
                won += u32::from(winner == Some(Side::First));
            }
            println!("drawn {drawn}, level {level}: {won} of {games}");
            assert!(f64::from(won) <= most, "drawn {drawn}, level {level}: {won} of {games}");
        }
    }
}

#[test]
fn a_lottery_ticket_is_no_puzzle() {
    for (drawn, text) in CARDS {
        let game = game(text)(7);
        let why = prove(game.as_ref(), Aim { within: 1, takes: None }, &|| true).expect_err("it is refused");
        assert_eq!(why.key, "puzzle-chance", "{drawn}");
    }
}
