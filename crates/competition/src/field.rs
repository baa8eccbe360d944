//! A competition as values: who has entered, what was paired, and what counts.

/// Points in tenths: a half is 5.
pub type Tenths = i32;

/// A seat of a game. Where an opening exchanges stones, the first seat is the tentative one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Seat {
    /// The seat that moves first.
    First,
    /// The seat that moves second.
    Second,
}

impl Seat {
    /// Returns the seat across the board.
    ///
    /// ```
    /// assert_eq!(competition::Seat::First.other(), competition::Seat::Second);
    /// ```
    #[must_use]
    pub fn other(self) -> Seat {
        match self {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        }
    }
}

/// A person or program that has entered. Empty texts are not known.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Entrant {
    /// The name, as lists of entrants write it.
    pub name: String,
    /// The rating that counts for the pairing; 0 for none.
    pub rating: u32,
    /// The title that a federation has given, such as `GM`.
    pub title: String,
    /// `m`, `w` or nothing, as federations write it.
    pub sex: String,
    /// The federation or country, mostly of three letters.
    pub country: String,
    /// The number in a federation's list.
    pub id: String,
    /// The date or year of birth.
    pub born: String,
}

/// The result of a game for one side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Part {
    /// The game was lost.
    Loss,
    /// The game was drawn.
    Draw,
    /// The game was won.
    Win,
}

/// The score of a pairing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Played, and won by that seat.
    Won(Seat),
    /// Played, and drawn.
    Drawn,
    /// A forfeit: that seat wins, since the other did not come.
    Forfeit(Seat),
    /// A game to which neither side came.
    NeitherCame,
    /// Played, and scored by an arbiter's ruling: the part of the first and of the second seat.
    Ruled([Part; 2]),
}

/// A round without an opponent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Bye {
    /// Given by the pairing, since the number of entrants was odd.
    Allocated,
    /// Asked for, with half a point.
    Half,
    /// Given with a full point.
    Full,
    /// Asked for, without points.
    Zero,
    /// An absence that was not asked for.
    Absent,
}

/// A board of a round. Entrants are named by their place in [`Field::entrants`], from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// The entrant with the first seat.
    pub first: usize,
    /// The entrant with the second seat.
    pub second: usize,
    /// `None` while nothing is known.
    pub score: Option<Score>,
}

/// A round: boards in their order, and who has none.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Round {
    /// The boards of the round, the first board first.
    pub pairings: Vec<Pairing>,
    /// The entrants without a board, and why.
    pub byes: Vec<(usize, Bye)>,
}

/// The points for each way in which a round may end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Points {
    /// Points for a win with the first and with the second seat.
    pub win: [Tenths; 2],
    /// Points for a draw with the first and with the second seat.
    pub draw: [Tenths; 2],
    /// Points for a loss with the first and with the second seat.
    pub loss: [Tenths; 2],
    /// Points for an opponent who did not come.
    pub forfeit_win: Tenths,
    /// Points for not coming to a game.
    pub forfeit_loss: Tenths,
    /// Points for a bye that the pairing gave.
    pub allocated: Tenths,
    /// Points for a bye with half a point.
    pub half: Tenths,
    /// Points for a bye with a full point.
    pub full: Tenths,
    /// Points for a bye without points, and for not being there.
    pub zero: Tenths,
}

impl Points {
    /// Returns points for win, draw and loss, the same for both seats; a bye and a forfeit count as a game does.
    ///
    /// ```
    /// use competition::Points;
    ///
    /// assert_eq!(Points::of(20, 10, 0).half, 10, "2-1-0: a half-point bye counts as a draw");
    /// ```
    #[must_use]
    pub fn of(win: Tenths, draw: Tenths, loss: Tenths) -> Points {
        Points {
            win: [win; 2],
            draw: [draw; 2],
            loss: [loss; 2],
            forfeit_win: win,
            forfeit_loss: loss,
            allocated: win,
            half: draw,
            full: win,
            zero: loss,
        }
    }

    fn part(&self, part: Part, seat: Seat) -> Tenths {
        match part {
            Part::Win => self.win[seat as usize],
            Part::Draw => self.draw[seat as usize],
            Part::Loss => self.loss[seat as usize],
        }
    }
}

impl Default for Points {
    /// One for a win and a half for a draw.
    fn default() -> Points {
        Points::of(10, 5, 0)
    }
}

/// The part of one entrant in a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Item {
    /// The opponent and the own seat, also of a game that was not played.
    pub paired: Option<(usize, Seat)>,
    /// The result of the game; `None` where none was played, or its score is not known.
    pub part: Option<Part>,
    /// `None` where there was an opponent.
    pub bye: Option<Bye>,
    /// True if the opponent did not come.
    pub is_forfeit_win: bool,
    /// The points of the round.
    pub points: Tenths,
}

impl Item {
    const NOTHING: Item = Item { paired: None, part: None, bye: None, is_forfeit_win: false, points: 0 };

    /// The opponent of a game that was played, and the own seat in it.
    #[must_use]
    pub fn met(&self) -> Option<(usize, Seat)> {
        self.paired.filter(|_| self.part.is_some())
    }
}

/// The whole of a competition that pairing and ranking look at.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Field {
    /// All entrants, in the order of their numbers.
    pub entrants: Vec<Entrant>,
    /// The rounds that were paired, the first one first.
    pub rounds: Vec<Round>,
    /// The points of each end of a round.
    pub points: Points,
    /// The number of rounds that are planned; 0 if it is not known.
    pub planned: usize,
    /// Groups of entrants of whom no two may meet.
    pub apart: Vec<Vec<usize>>,
    /// The seat of the first entrant in the first round: a lot.
    pub top_seat: Option<Seat>,
    /// The entrants who are not paired in the next round, and what that brings.
    pub away: Vec<(usize, Bye)>,
}

impl Field {
    /// Returns what each round brought each entrant: one list of rounds for each entrant.
    #[must_use]
    pub fn items(&self) -> Vec<Vec<Item>> {
        let mut items = vec![vec![Item::NOTHING; self.rounds.len()]; self.entrants.len()];
        for (at, round) in self.rounds.iter().enumerate() {
            for pairing in &round.pairings {
                for (own, other, seat) in [
                    (pairing.first, pairing.second, Seat::First),
                    (pairing.second, pairing.first, Seat::Second),
                ] {
                    let (part, is_forfeit_win, points) = self.scored(pairing.score, seat);
                    items[own][at] =
                        Item { paired: Some((other, seat)), part, bye: None, is_forfeit_win, points };
                }
            }
            for &(own, bye) in &round.byes {
                let points = match bye {
                    Bye::Allocated => self.points.allocated,
                    Bye::Half => self.points.half,
                    Bye::Full => self.points.full,
                    Bye::Zero | Bye::Absent => self.points.zero,
                };
                items[own][at] = Item { bye: Some(bye), points, ..Item::NOTHING };
            }
        }
        items
    }

    fn scored(&self, score: Option<Score>, seat: Seat) -> (Option<Part>, bool, Tenths) {
        let played = |part: Part| (Some(part), false, self.points.part(part, seat));
        match score {
            None => (None, false, 0),
            Some(Score::Won(winner)) => played(if winner == seat { Part::Win } else { Part::Loss }),
            Some(Score::Drawn) => played(Part::Draw),
            Some(Score::Ruled(parts)) => played(parts[seat as usize]),
            Some(Score::Forfeit(winner)) if winner == seat => (None, true, self.points.forfeit_win),
            Some(Score::Forfeit(_) | Score::NeitherCame) => (None, false, self.points.forfeit_loss),
        }
    }

    /// Returns who is kept apart, in a form that answers quickly.
    #[must_use]
    pub fn kept_apart(&self) -> KeptApart {
        let mut groups = vec![Vec::new(); self.entrants.len()];
        for (number, group) in self.apart.iter().enumerate() {
            group.iter().for_each(|own| groups[*own].push(number));
        }
        KeptApart { groups }
    }
}

/// The groups of entrants of whom no two may meet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptApart {
    /// The numbers of the groups of each entrant, rising.
    groups: Vec<Vec<usize>>,
}

impl KeptApart {
    /// Returns true if two may not meet, whatever they have played.
    #[must_use]
    pub fn holds(&self, a: usize, b: usize) -> bool {
        let (few, many) = match (&self.groups[a], &self.groups[b]) {
            (a, b) if a.len() <= b.len() => (a, b),
            (a, b) => (b, a),
        };
        few.iter().any(|group| many.binary_search(group).is_ok())
    }
}
