//! FEN and names of moves of level 2.
//!
//! A FEN has four more fields: hands, as `r5*2` (red has two of piece 5) with `,` between them and `~` for any number; plies,
//! place in the order of turns, plies without a capture and passes in a row, and after them, where a side acts several
//! times, the step and the numbers of the squares whose pieces may act; points of red and blue; and `s` once the
//! players have exchanged colours: `3,.2/.3 b 0,0 - r3*1,b5*~ 12,1,4,0 0,2 -`. A map with bags has one more: what is left in
//! them, as `1.2*5` (five of piece 2 in the first bag) with `,` between them. A map with secrets has one more, six parts with `;`
//! between them: the eyes that see the position (`all`, `r`, `b`, `w`); the sides that arrange their pieces, and the exchanges so
//! far; the pieces that one side does not see, as `r12.5.3f.30` (red's on square 12 is piece 5 and could be those for everybody,
//! and those for blue; `x` for a square once it was taken, 0 for a piece that these eyes do not see); the pieces that these are,
//! as `r5*2`; the pieces that a side alone has drawn, as `r3*1` (red has one of the third row of bags); and those that it has drawn
//! and these eyes do not see, by bag.

use std::borrow::Cow;

use kernel::{Button, Counter, HandPiece, Outcome, Position as _, Problem, Side, Terrain};

use super::chance::read_bags;
use super::hooked::MOST_STEPS;
use super::play::Progress;
use super::sheets::is_off;
use super::{MOST_CHOICES, UNLIMITED};
use crate::position::{HIDDEN, Jingbanqi, Move, PASS, READY, SWAP};

/// The texts of moves that are pressed: as records have them, and in Chinese.
static PRESSED: [(u16, &str, &str); 3] =
    [(PASS, "pass", "停"), (SWAP, "swap", "交换"), (READY, "ready", "就绪")];
/// The number of those that have an action of their own; the end of an arrangement has that of no step.
const ACTIONS_PRESSED: u32 = 2;

/// Every way a game of level 2 ends by itself, beside those of level 1.
pub(crate) const ENDS: [Outcome; 28] = {
    use Outcome::{Draw, Win};
    const R: Side = Side::First;
    const B: Side = Side::Second;
    [
        Win(R, "goal-reached"),
        Win(B, "goal-reached"),
        Win(R, "line-made"),
        Win(B, "line-made"),
        Win(R, "regions-connected"),
        Win(B, "regions-connected"),
        Win(R, "score-reached"),
        Win(B, "score-reached"),
        Win(R, "rid-of-all"),
        Win(B, "rid-of-all"),
        Win(R, "no-pieces"),
        Win(B, "no-pieces"),
        Win(R, "position-repeated"),
        Win(B, "position-repeated"),
        Win(R, "points-counted"),
        Win(B, "points-counted"),
        Win(R, "checkmate"),
        Win(B, "checkmate"),
        Win(R, "stuck"),
        Win(B, "stuck"),
        Draw("no-pieces"),
        Draw("position-repeated"),
        Draw("points-counted"),
        Draw("two-passes"),
        Draw("ply-limit"),
        Draw("quiet-limit"),
        Draw("stuck"),
        Draw("captain-taken"),
    ]
};

impl Jingbanqi {
    /// The fields of a FEN that only level 2 has, with a space before each; empty at level 1.
    pub(crate) fn fen2(&self) -> String {
        let Some(progress) = self.second.as_deref() else { return String::new() };
        let hand = |&(side, kind, count): &(Side, u16, u16)| {
            let count = if count == UNLIMITED { "~".to_owned() } else { count.to_string() };
            format!("{}{kind}*{count}", ["r", "b"][side.index()])
        };
        let hands: Vec<String> = self.hands().iter().map(hand).collect();
        let hands = if hands.is_empty() { "-".to_owned() } else { hands.join(",") };
        let &Progress { ply, place, quiet, passes, score: [red, blue], step, .. } = progress;
        let swapped = if progress.swapped { "s" } else { "-" };
        let mut counters = format!("{ply},{place},{quiet},{passes}");
        if step > 1 {
            let only = progress.only.iter().flatten().map(|at| format!(",{at}"));
            counters += &format!(",{step}{}", only.collect::<String>());
        }
        format!(" {hands} {counters} {red},{blue} {swapped}{}{}", self.fen_bags(), self.fen_secrets())
    }

    /// Reads the fields that only level 2 has into a position whose board was read.
    pub(crate) fn read_fen2(&mut self, fields: &[&str]) -> Result<(), Problem> {
        let turn = self.turn;
        let Some((rules, compiled)) = self.book.level2() else { return Ok(()) };
        let count = fields.len() + 4;
        let (fields, more) = fields.split_at(fields.len().min(4));
        let has_bags = !rules.in_bags.is_empty();
        let expected = usize::from(has_bags) + usize::from(compiled.has_secrets);
        let (bags, secrets) = more.split_at(more.len().min(usize::from(has_bags)));
        let (&[hands, counters, score, swapped], true) = (fields, more.len() == expected) else {
            return Err(Problem::new("jingbanqi-fen-fields").with("found", count));
        };
        if let Some(&at) = compiled.gaps.iter().find(|&&at| self.cells[usize::from(at)] != 0) {
            return Err(Problem::new("jingbanqi-fen-gap").with("found", self.board_name(at)));
        }
        let mut progress = Progress::start(compiled, rules, turn);
        let bad = |found: &str| Problem::new("jingbanqi-fen-hand").with("found", found);
        progress.hands.fill(0);
        for text in hands.split(',').filter(|text| *text != "-") {
            let side = match text.as_bytes().first() {
                Some(b'r') => Side::First,
                Some(b'b') => Side::Second,
                _ => return Err(bad(text)),
            };
            let (kind, count) = text[1..].split_once('*').ok_or_else(|| bad(text))?;
            let kind: u16 = kind.parse().map_err(|_| bad(text))?;
            let held =
                compiled.droppable.iter().position(|&one| one == (side, kind)).ok_or_else(|| bad(text))?;
            progress.hands[held] = match count {
                "~" => UNLIMITED,
                count => {
                    let count = count.parse().ok().filter(|count| (1..UNLIMITED).contains(count));
                    count.ok_or_else(|| bad(text))?
                }
            };
        }
        let numbers = |text: &str| {
            let numbers: Option<Vec<u32>> = text.split(',').map(|n| n.parse().ok()).collect();
            numbers.ok_or_else(|| Problem::new("jingbanqi-fen-counters").with("found", text))
        };
        let counted = numbers(counters)?;
        let (counted, more) = counted.split_at(counted.len().min(4));
        if counted.len() != 4 {
            return Err(Problem::new("jingbanqi-fen-counters").with("found", counters));
        }
        let order = &rules.turns.order;
        let place = usize::try_from(counted[1]).ok().filter(|&place| place < order.places());
        let place = place.filter(|&place| order.side(place) == turn);
        let bad = || Problem::new("jingbanqi-fen-counters").with("found", counters);
        progress.place = place.ok_or_else(bad)? as u16;
        (progress.ply, progress.quiet) = (counted[0], counted[2]);
        progress.passes = u8::try_from(counted[3]).ok().filter(|passes| *passes <= 2).ok_or_else(bad)?;
        if let Some((&step, only)) = more.split_first() {
            let fits = |step: &u16| (2..=MOST_STEPS).contains(step) && self.is_extended();
            progress.step = u16::try_from(step).ok().filter(fits).ok_or_else(bad)?;
            let square = |&at: &u32| u16::try_from(at).ok().filter(|&at| usize::from(at) < self.cells.len());
            let only: Option<Vec<u16>> = only.iter().map(square).collect();
            progress.only = Some(only.ok_or_else(bad)?).filter(|only| !only.is_empty());
        }
        let &[red, blue] = &numbers(score)?[..] else {
            return Err(Problem::new("jingbanqi-fen-counters").with("found", score));
        };
        progress.score = [red, blue];
        progress.swapped = match swapped {
            "s" if rules.turns.pie || rules.turns.claim => true,
            "-" => false,
            _ => return Err(Problem::new("jingbanqi-fen-counters").with("found", swapped)),
        };
        if let Some(bags) = bags.first() {
            read_bags(bags, rules, &mut progress)?;
        }
        self.second = Some(Box::new(progress));
        if let Some(secrets) = secrets.first() {
            self.read_secrets(secrets)?;
        }
        self.begin_past();
        self.begun_again();
        Ok(())
    }

    /// `row,column`, from 1.
    fn board_name(&self, square: u16) -> String {
        let cols = u16::from(self.book.map().cols);
        format!("{},{}", square / cols + 1, square % cols + 1)
    }

    /// The name of a kind in the text of a move of the side to move.
    fn label(&self, kind: u16) -> Cow<'_, str> {
        self.label_of(self.turn, kind)
    }

    /// The name of a kind in the text of a move of `colour`: its own where it is plain and the only one of that side,
    /// else `#` and its row of the table.
    fn label_of(&self, colour: Side, kind: u16) -> Cow<'_, str> {
        let kinds = &self.book.map().kinds;
        let one = &kinds[usize::from(kind) - 1];
        let is_movers = |owner: Option<Side>| owner.is_none_or(|side| side == colour);
        let alike = kinds.iter().filter(|other| other.name == one.name && is_movers(other.owner)).count();
        let is_plain = !one.name.is_empty()
            && !one.name.starts_with('#')
            && !one.name.chars().any(|c| c.is_whitespace() || c.is_control());
        if is_plain && alike == 1 && is_movers(one.owner) {
            Cow::Borrowed(&one.name)
        } else {
            Cow::Owned(format!("#{kind}"))
        }
    }

    /// `piece*row,column` from a hand, `row,column-row,column` with `=piece` where a choice was made or `{piece}` where one
    /// was drawn, or what was pressed.
    pub(crate) fn move_text2(&self, m: Move) -> String {
        if let Some((_, text, _)) = PRESSED.iter().find(|(pick, ..)| *pick == m.pick) {
            return (*text).to_owned();
        }
        if m.pick == HIDDEN {
            return "?".to_owned();
        }
        match m.pick {
            0 => format!("{}-{}", self.board_name(m.from), self.board_name(m.to)),
            _ if let Some(kind) = m.turned() => {
                let choice = format!("{}-{}", self.board_name(m.from), self.board_name(m.to));
                if kind == 0 { choice } else { format!("{choice}{{{}}}", self.drawn_label(m.from, kind)) }
            }
            _ if let Some(lots) = self.lots_text(m) => {
                format!("{}-{}{lots}", self.board_name(m.from), self.board_name(m.to))
            }
            _ if let Some(choice) = m.choice() => {
                let text = self.choices(m.from, m.to).get(choice).map_or("", |text| text);
                format!("{}-{}={text}", self.board_name(m.from), self.board_name(m.to))
            }
            pick if m.from == m.to => format!("{}*{}", self.label(pick), self.board_name(m.to)),
            pick => format!("{}-{}={}", self.board_name(m.from), self.board_name(m.to), self.label(pick)),
        }
    }

    /// The legal move of a text, blanks between its parts left out.
    pub(crate) fn read_move2(&self, text: &str) -> Option<Move> {
        let text: String = text.split_whitespace().collect();
        let pressed = PRESSED.iter().find(|(_, one, other)| text.eq_ignore_ascii_case(one) || text == *other);
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.into_iter().find(|&m| match pressed {
            Some((pick, ..)) => m.pick == *pick,
            None => self.move_text2(m) == text,
        })
    }

    /// The piece to be picked, for moves that differ in nothing else.
    pub(crate) fn picked(&self, m: Move) -> Option<String> {
        if let Some(choice) = m.choice() {
            return self.choices(m.from, m.to).get(choice).map(|text| text.to_string());
        }
        if let Some(kind) = m.turned() {
            return (kind != 0).then(|| self.drawn_label(m.from, kind).into_owned());
        }
        if let Some(lots) = self.lots_text(m) {
            return Some(lots).filter(|lots| !lots.is_empty());
        }
        let is_pick = m.pick != 0 && !m.is_pressed();
        is_pick.then(|| self.label(m.pick).into_owned())
    }

    /// The face of the picked piece; `None` for a choice of an extension, which is a word.
    pub(crate) fn picked_face2(&self, m: Move) -> Option<Cow<'static, str>> {
        if let Some(kind) = m.turned() {
            return (kind != 0).then(|| Cow::Owned(self.face(kind)));
        }
        let is_piece = m.pick != 0 && !m.is_pressed() && m.choice().is_none() && m.lots().is_none();
        is_piece.then(|| Cow::Owned(self.face(m.pick)))
    }

    /// The face of the pieces of a kind.
    fn face(&self, kind: u16) -> String {
        self.book.map().kinds[usize::from(kind) - 1].name.clone()
    }

    pub(crate) fn buttons2(&self) -> Vec<Button> {
        if self.second.is_none() {
            return Vec::new();
        }
        let mut moves = Vec::new();
        self.moves(&mut moves);
        let button = |m: &Move| {
            let &(_, text, _) = PRESSED.iter().find(|(pick, ..)| *pick == m.pick)?;
            Some(Button {
                text: Cow::Borrowed(text),
                name: Cow::Borrowed(text),
                key: Cow::Borrowed(&text[..1]),
                blockers: Vec::new(),
                shifts: Vec::new(),
            })
        };
        moves.iter().filter_map(button).collect()
    }

    /// The pieces in hands, for clients.
    pub(crate) fn hands2(&self) -> Vec<HandPiece> {
        let held = |&(colour, kind, count): &(Side, u16, u16)| HandPiece {
            side: self.player(colour),
            face: Cow::Owned(self.face(kind)),
            pick: self.label_of(colour, kind).into_owned(),
            count: (count != UNLIMITED).then_some(u32::from(count)),
        };
        self.hands().iter().map(held).collect()
    }

    /// The looks of the board's cells, for clients; a look that stands on no cell is left out.
    pub(crate) fn terrain2(&self) -> Vec<Terrain> {
        let Some((level2, _)) = self.book.level2() else { return Vec::new() };
        let terrain = level2.looks.iter().map(|look| {
            let has = |names: &[String]| !is_off(names) && names.contains(&look.name);
            let cells = (0u16..).zip(&level2.terrain).filter(|(_, names)| has(names)).map(|(at, _)| at);
            Terrain {
                name: if look.word.is_empty() { look.name.clone() } else { look.word.clone() },
                colour: look.colour.map(Cow::Borrowed),
                icon: look.icon.map(Cow::Borrowed),
                cells: cells.collect(),
            }
        });
        terrain.filter(|terrain| !terrain.cells.is_empty()).collect()
    }

    /// The limits of plies once half of them are over, and the points towards a win.
    pub(crate) fn counters2(&self) -> Vec<Counter> {
        let (Some(progress), Some((rules, _))) = (self.second.as_deref(), self.book.level2()) else {
            return Vec::new();
        };
        let turns = &rules.turns;
        let limits = [("ply-limit", turns.plies, progress.ply), ("quiet-limit", turns.quiet, progress.quiet)];
        let counter =
            |key: &'static str, side, now, limit| Counter { key: Cow::Borrowed(key), side, now, limit };
        let near = limits.into_iter().filter_map(|(key, limit, now)| {
            let limit = limit?.plies;
            (now * 2 >= limit).then(|| counter(key, None, now, limit))
        });
        let first_to = turns.score.as_ref().and_then(|score| score.first_to);
        let points = Side::BOTH.into_iter().filter_map(|colour| {
            let now = progress.score[colour.index()];
            first_to.map(|limit| counter("map-points", Some(self.player(colour)), now, limit))
        });
        near.chain(points).collect()
    }

    /// The rules that bind the side to move: that it has to take, or that its captain is attacked.
    pub(crate) fn notes2(&self) -> Vec<Problem> {
        let Some((rules, _)) = self.book.level2() else { return Vec::new() };
        let mut moves = Vec::new();
        self.moves(&mut moves);
        let takes = |m: &Move| m.from != m.to && self.cells[usize::from(m.to)] != 0;
        let mut notes = Vec::new();
        if rules.turns.must_take && moves.first().is_some_and(takes) {
            notes.push(Problem::new("map-must-take"));
        }
        if self.arranges(self.turn) {
            notes.push(Problem::new("map-arranging"));
        }
        if rules.turns.safe && self.is_attacked2(self.turn) {
            notes.push(Problem::new("map-captain-attacked"));
        }
        notes
    }

    /// The number of actions of level 2: steps without and with each choice, drops, and what is pressed.
    pub(crate) fn actions2(&self) -> u32 {
        let map = self.book.map();
        let squares = map.squares() as u32;
        squares * squares * (1 + self.most_picked()) + map.kinds.len() as u32 * squares + ACTIONS_PRESSED
    }

    /// The number of choices, or of kinds that may be drawn, for which a step has actions of its own.
    fn most_picked(&self) -> u32 {
        let turned = self.book.level2().map_or(0, |(_, compiled)| compiled.most_turned);
        turned.max(MOST_CHOICES) as u32
    }

    /// The number of a legal move among [`actions2`](Jingbanqi::actions2).
    pub(crate) fn action2(&self, m: Move) -> u32 {
        let squares = self.book.map().squares() as u32;
        let step = u32::from(m.from) * squares + u32::from(m.to);
        if m.pick == READY {
            return 0;
        }
        if m.lots().is_some() {
            return squares * squares * (1 + self.lots_place(m)) + step;
        }
        if let Some(at) = PRESSED.iter().position(|(pick, ..)| *pick == m.pick) {
            return self.actions2() - 1 - at as u32;
        }
        if m.pick == 0 {
            return step;
        }
        if let Some(choice) = m.choice() {
            return squares * squares * (1 + choice as u32) + step;
        }
        // A piece is turned over where it stands, and put where none does.
        let kind = m.turned().unwrap_or(m.pick);
        if m.from == m.to {
            let drops = squares * squares * (1 + self.most_picked());
            return drops + u32::from(kind.saturating_sub(1)) * squares + u32::from(m.to);
        }
        if m.turned().is_some() {
            return squares * squares * (1 + self.drawn_place(m.from, kind)) + step;
        }
        let kind = self.piece(m.from).and_then(|piece| {
            let (_, compiled) = self.book.level2()?;
            let choices = &compiled.kinds[usize::from(piece.id) - 1].becomes;
            choices.iter().position(|&one| one == m.pick)
        });
        squares * squares * (1 + kind.unwrap_or(0) as u32) + step
    }
}
