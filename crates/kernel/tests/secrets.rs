//! The laws of secrets: would catch a law that a leak gets past. A small game keeps them, and leaks in each way in turn.

use std::panic::{AssertUnwindSafe, catch_unwind};

use kernel::laws::{Random, Worlds, check_secrets};
use kernel::{Board, Cell, Diagram, Eyes, Lines, Names, Notation, Outcome, Piece, Position, Problem, Side};

/// The way in which a game of cards leaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Leak {
    None,
    Fen,
    Key,
    Picture,
    Details,
    Refusal,
    Legality,
    World,
    Outcome,
}

/// Each side holds three cards, 1 to 3, face down, and turns one up in its turn. A card that is not seen is 0.
#[derive(Clone, Debug)]
struct Cards {
    faces: [u8; 6],
    /// The true faces, which a leak knows on a seen position, too.
    truth: [u8; 6],
    shown: [bool; 6],
    turn: Side,
    leak: Leak,
}

impl Cards {
    fn start(leak: Leak) -> Cards {
        let faces = [2, 1, 3, 3, 1, 2];
        Cards { faces, truth: faces, shown: [false; 6], turn: Side::First, leak }
    }

    fn known(&self, leak: Leak) -> &[u8; 6] {
        if self.leak == leak { &self.truth } else { &self.faces }
    }
}

fn owner(card: usize) -> Side {
    if card < 3 { Side::First } else { Side::Second }
}

impl Position for Cards {
    type Move = u8;

    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self, out: &mut Vec<u8>) {
        // The first card of the other side is the business of nobody.
        let forbids = self.leak == Leak::Legality && self.truth[3 * self.turn.other().index()] == 1;
        let may = |card: &u8| {
            let card = usize::from(*card);
            owner(card) == self.turn && !self.shown[card] && !(forbids && card % 3 == 2 && self.shown[0])
        };
        out.extend((0..6).filter(may));
    }

    fn play(&mut self, card: u8) {
        self.shown[usize::from(card)] = true;
        self.turn = self.turn.other();
    }

    fn outcome(&self) -> Option<Outcome> {
        let early = self.leak == Leak::Outcome && self.shown[0] && self.truth[5] == 2;
        (early || self.shown.iter().all(|shown| *shown)).then_some(Outcome::Draw("all-shown"))
    }

    fn key(&self) -> u64 {
        self.known(Leak::Key)
            .iter()
            .zip(self.shown)
            .fold(0, |key, (&face, shown)| key * 8 + u64::from(face) * 2 + u64::from(shown))
    }
}

impl Notation for Cards {
    fn read_fen(&self, _fen: &str) -> Result<Self, Problem> {
        Err(Problem::new("bad-fen"))
    }

    fn fen(&self) -> String {
        format!("{:?} {:?}", self.known(Leak::Fen), self.shown)
    }

    fn move_text(&self, card: u8) -> String {
        card.to_string()
    }

    fn read_move(&self, text: &str) -> Option<u8> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        text.parse().ok().filter(|card| moves.contains(card))
    }

    fn refusal(&self, text: &str) -> Problem {
        Problem::new("illegal-move").with("move", text).with("last", self.known(Leak::Refusal)[5])
    }

    fn path(&self, card: u8) -> Vec<Cell> {
        vec![card.into()]
    }

    fn board(&self) -> Board {
        Board::new(Lines::Cells, 6, 1, Names::NUMBERS)
    }

    fn diagram(&self) -> Diagram {
        let piece = |(at, face): (u16, &u8)| {
            let owner = Some(owner(usize::from(at)));
            Piece { at, owner, face: face.to_string().into() }
        };
        let faces = self.known(Leak::Picture).iter();
        Diagram { pieces: (0u16..).zip(faces).map(piece).collect(), marks: Vec::new() }
    }

    fn details(&self, cell: Cell) -> Vec<Problem> {
        vec![Problem::new("card").with("face", self.known(Leak::Details)[usize::from(cell)])]
    }

    fn has_secrets(&self) -> bool {
        true
    }

    fn seen(&self, eyes: Eyes) -> Self {
        let mut seen = self.clone();
        for card in (0..6).filter(|&card| !self.shown[card] && !eyes.sees(owner(card))) {
            seen.faces[card] = 0;
        }
        seen
    }

    fn determinised(&self, seed: u64) -> Self {
        let mut world = self.clone();
        let mut random = Random(seed);
        for side in [0, 3] {
            let mut left: Vec<u8> =
                (1..=3).filter(|face| !self.faces[side..side + 3].contains(face)).collect();
            for card in (side..side + 3).filter(|&card| self.faces[card] == 0) {
                world.faces[card] = left.swap_remove(random.below(left.len()));
            }
        }
        if self.leak == Leak::World {
            // A card that everybody has seen.
            world.faces[..3].sort_unstable();
        }
        world.truth = world.faces;
        world
    }
}

#[test]
fn a_game_that_keeps_its_secrets_is_accepted() {
    let Worlds { tried, other } = check_secrets(&Cards::start(Leak::None), 40, 10);
    assert!(other * 3 > tried && other < tried, "{other} of {tried}");
}

#[test]
fn each_leak_is_found() {
    std::panic::set_hook(Box::new(|_| ()));
    let leaks = [
        Leak::Fen,
        Leak::Key,
        Leak::Picture,
        Leak::Details,
        Leak::Refusal,
        Leak::Legality,
        Leak::World,
        Leak::Outcome,
    ];
    let missed: Vec<Leak> = leaks
        .into_iter()
        .filter(|&leak| catch_unwind(AssertUnwindSafe(|| check_secrets(&Cards::start(leak), 40, 10))).is_ok())
        .collect();
    let _ = std::panic::take_hook();
    assert_eq!(missed, []);
}
