//! Three cells: the side that fills one throws for the colour of the stone, three to one for the first side's; the majority
//! wins. Would catch outcomes that are offered to players one by one, weights that count for nothing, and a game whose
//! chance breaks a law without being noticed.

use kernel::laws::Random;
use kernel::{
    AnyGame as _, Board, ByChance, Cell, Diagram, Game, Lines, Names, Notation, Offered, Outcome, Piece,
    PlayError, Position, Problem, Side, by_lot,
};

/// A breach of a law.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flaw {
    None,
    Scattered,
    Weightless,
    BareText,
    LegalChoice,
}

#[derive(Clone, Debug)]
struct Throws {
    cells: [Option<Side>; 3],
    turn: Side,
    flaw: Flaw,
}

/// A cell, and the colour that was thrown; `None` before.
type Throw = (Cell, Option<Side>);

impl Throws {
    fn flawed(flaw: Flaw) -> Throws {
        Throws { cells: [None; 3], turn: Side::First, flaw }
    }
}

impl Position for Throws {
    type Move = Throw;

    const MAY_DRAW: bool = true;

    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self, out: &mut Vec<Throw>) {
        let vacant = (0..3).filter(|&c| self.cells[usize::from(c)].is_none());
        if self.flaw == Flaw::Scattered {
            for side in Side::BOTH {
                out.extend(vacant.clone().map(|cell| (cell, Some(side))));
            }
        } else {
            out.extend(vacant.flat_map(|cell| Side::BOTH.map(|side| (cell, Some(side)))));
        }
    }

    fn by_chance(&self, (cell, side): Throw) -> Option<ByChance<Throw>> {
        let weight = match side? {
            Side::First => 3,
            Side::Second => u32::from(self.flaw != Flaw::Weightless),
        };
        let choice = if self.flaw == Flaw::LegalChoice { (cell, Some(Side::First)) } else { (cell, None) };
        Some(ByChance { choice, weight })
    }

    fn play(&mut self, (cell, side): Throw) {
        self.cells[usize::from(cell)] = side;
        self.turn = self.turn.other();
    }

    fn outcome(&self) -> Option<Outcome> {
        let count = |side| self.cells.iter().filter(|cell| **cell == Some(side)).count();
        let is_full = self.cells.iter().all(Option::is_some);
        is_full.then(|| {
            let winner = if count(Side::First) > 1 { Side::First } else { Side::Second };
            Outcome::Win(winner, "full")
        })
    }

    fn key(&self) -> u64 {
        let digit = |cell: &Option<Side>| cell.map_or(0, |side| side.index() as u64 + 1);
        self.cells.iter().fold(self.turn.index() as u64, |key, cell| key * 3 + digit(cell))
    }
}

impl Notation for Throws {
    fn read_fen(&self, fen: &str) -> Result<Self, Problem> {
        let mut read = Throws { cells: [None; 3], ..self.clone() };
        for (cell, letter) in read.cells.iter_mut().zip(fen.chars()) {
            *cell = match letter {
                'f' => Some(Side::First),
                's' => Some(Side::Second),
                _ => None,
            };
        }
        read.turn = Side::BOTH[read.cells.iter().flatten().count() % 2];
        Ok(read)
    }

    fn fen(&self) -> String {
        self.cells.map(|cell| cell.map_or('.', |side| ['f', 's'][side.index()])).iter().collect()
    }

    fn move_text(&self, (cell, side): Throw) -> String {
        let name = self.board().name(cell);
        match side {
            Some(side) if self.flaw == Flaw::BareText => format!("{name}{}", ["f", "s"][side.index()]),
            Some(side) => format!("{name}{{{}}}", ["f", "s"][side.index()]),
            None => name,
        }
    }

    fn read_move(&self, text: &str) -> Option<Throw> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.into_iter().find(|&m| self.move_text(m) == text)
    }

    fn path(&self, (cell, _): Throw) -> Vec<Cell> {
        vec![cell]
    }

    fn pick(&self, (_, side): Throw) -> Option<String> {
        side.map(|side| ["f", "s"][side.index()].to_owned())
    }

    fn has_chance(&self) -> bool {
        true
    }

    fn has_outcomes(&self) -> bool {
        true
    }

    fn actions(&self) -> u32 {
        6
    }

    fn action(&self, (cell, side): Throw) -> u32 {
        u32::from(cell) * 2 + side.map_or(0, |side| side.index() as u32)
    }

    fn board(&self) -> Board {
        Board::new(Lines::Cells, 3, 1, Names::letters_up(1))
    }

    fn diagram(&self) -> Diagram {
        let piece = |(at, owner): (Cell, &Option<Side>)| {
            owner.map(|side| Piece { at, owner: Some(side), face: "stone".into() })
        };
        Diagram { pieces: (0..).zip(&self.cells).filter_map(piece).collect(), marks: Vec::new() }
    }
}

#[test]
fn players_are_offered_choices_and_records_hold_outcomes() {
    let mut game = Game::new(Throws::flawed(Flaw::None));
    let offered = |view: kernel::View| match view.moves {
        Offered::Listed(moves) => moves.into_iter().map(|m| (m.text, m.pick)).collect::<Vec<_>>(),
        Offered::Every(_) => panic!("they are listed"),
    };
    let choices = ["a1", "b1", "c1"].map(|text| (text.to_owned(), None));
    assert_eq!(offered(game.players_view()), choices);
    let all = offered(game.view());
    assert_eq!(
        (all.len(), &all[1]),
        (6, &("a1{s}".to_owned(), Some("s".to_owned()))),
        "analysis names outcomes"
    );
    assert_eq!(game.outcomes("b1"), [("b1{f}".to_owned(), 3), ("b1{s}".to_owned(), 1)]);
    assert!(game.outcomes("b1{f}").is_empty() && game.outcomes("d1").is_empty());
    assert_eq!(game.chosen("b1{s}").as_deref(), Some("b1"));
    assert_eq!((game.chosen("b1"), game.chosen("z9{f}")), (None, None));
    let bare = kernel::AnyGame::play(&mut game, "b1");
    assert!(matches!(bare, Err(PlayError::Illegal(_))), "nothing was drawn for it");
    kernel::AnyGame::play(&mut game, "b1{s}").expect("an outcome is a move");
    assert_eq!((game.record(), kernel::AnyGame::fen(&game)), (vec!["b1{s}".to_owned()], ".s.".to_owned()));
    assert_eq!(offered(game.players_view()).len(), 2);
}

#[test]
fn draws_follow_the_weights() {
    let game = kernel::any(Throws::flawed(Flaw::None));
    let of = |below: u64| {
        by_lot(&*game, "a1", |sum| {
            assert_eq!(sum, 4);
            below
        })
    };
    assert_eq!([0, 1, 2, 3, 9].map(of), ["a1{f}", "a1{f}", "a1{f}", "a1{s}", "a1{s}"]);
    let mut random = Random(7);
    let mut drawn = |text: &str| by_lot(&*game, text, |sum| random.bits() % sum);
    let seconds = (0..4000).filter(|_| drawn("c1{f}") == "c1{s}").count();
    // A quarter, within four deviations; what was named before has no say.
    assert!((890..=1110).contains(&seconds), "{seconds}");
    assert_eq!(by_lot(&*game, "d1", |_| unreachable!("nothing to draw")), "d1");
}

#[test]
fn each_flaw_of_chance_breaks_its_law() {
    kernel::laws::check(&Throws::flawed(Flaw::None));
    for (flaw, law) in [
        (Flaw::Scattered, "the outcomes of a choice stand together"),
        (Flaw::Weightless, "an outcome has a weight"),
        (Flaw::BareText, "with what was drawn in braces"),
        (Flaw::LegalChoice, "a choice is no move before something was drawn"),
    ] {
        let said = crate::laws::complaint(&Throws::flawed(flaw));
        let said = said.unwrap_or_else(|| panic!("nobody noticed {flaw:?}"));
        assert!(said.contains(law), "{flaw:?} should break \"{law}\", but: {said}");
    }
}
