//! Tournament report files (TRF): the form in which federations and pairing programs hand competitions on.
//!
//! Read and written are TRF16 of the International Chess Federation and the further lines of JaVaFo (`XXR` rounds, `XXC`
//! first seat, `XXZ` away, `XXP` kept apart, `XXS` points) and bbpPairings (`BBW` … points), and of TRF26 the
//! rounds (`142`) and the first seat (`152`). A last round without a board has the byes that were given before it is paired. Lines with other codes are kept and
//! written again. A file that contradicts itself is refused whole, with the line and column of each fault.

use std::collections::{BTreeMap, BTreeSet};

use kernel::Problem;

use crate::field::{Bye, Entrant, Field, Item, Pairing, Part, Points, Round, Score, Seat, Tenths};
use crate::ranking::{Criterion, USUAL, Unplayed, ranking};

/// The largest file, in bytes.
pub const MOST_BYTES: usize = 2 << 20;
/// The most lines of a file.
pub const MOST_LINES: usize = 20_000;
/// The most rounds of a file.
pub const MOST_ROUNDS: usize = 99;
/// The most entrants in all groups that are kept apart.
pub const MOST_APART: usize = 20_000;
/// The most faults that are told.
pub const MOST_FAULTS: usize = 100;

/// Codes that tell what pairing does not look at.
const TOLD: [&str; 15] =
    ["142", "152", "012", "022", "032", "042", "052", "062", "072", "082", "092", "102", "112", "122", "132"];
/// Columns of an entrant's line, from 0.
const RESULTS: usize = 91;
const CELL: usize = 10;

/// A tournament report.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Trf {
    /// Entrants, rounds and settings. The place of an entrant is that of its number in `numbers`.
    pub field: Field,
    /// The numbers of the entrants, rising.
    pub numbers: Vec<u32>,
    /// The other lines, as they stood: code and text.
    pub lines: Vec<(String, String)>,
    /// Games of fewer than two moves, which federations do not rate: round from 0, entrant with the first seat.
    pub short: BTreeSet<(usize, usize)>,
}

impl Trf {
    /// Returns the text of the first line with a code, such as `012`, the name.
    #[must_use]
    pub fn line(&self, code: &str) -> Option<&str> {
        self.lines.iter().find(|(known, _)| known == code).map(|(_, text)| text.as_str())
    }

    /// Returns the codes of lines that pairing and ranking do not follow, though they may ask for something.
    pub fn not_followed(&self) -> impl Iterator<Item = &str> {
        let unknown = self.lines.iter().map(|(code, _)| code.as_str());
        unknown.filter(|code| !TOLD.contains(code) && !code.trim().is_empty() && !code.starts_with('#'))
    }
}

/// The cell of a round in an entrant's line.
#[derive(Clone, Copy)]
struct Cell {
    opponent: u32,
    seat: Option<Seat>,
    result: char,
    /// The column of its first sign, from 1.
    column: usize,
}

struct Row {
    number: u32,
    line: usize,
    entrant: Entrant,
    points: Option<Tenths>,
    cells: Vec<Cell>,
}

/// Reads a tournament report.
///
/// # Errors
/// Up to [`MOST_FAULTS`] faults with `line` and mostly `column`, both from 1: `trf-size`, `trf-empty`, `trf-short-line`, `trf-number`, `trf-twice`,
/// `trf-cell`, `trf-opponent`, `trf-self`, `trf-disagrees`, `trf-points`, `trf-setting`.
///
/// ```
/// let text = "\
/// 012 Friday
/// 001    1      Ada                               1800 ENG                         1.0    1     2 w 1
/// 001    2      Bo                                1700 CHN                         0.0    2     1 b 0
/// ";
/// let trf = competition::trf::read(text).expect("a report");
/// assert_eq!((trf.field.entrants[1].name.as_str(), trf.field.rounds.len()), ("Bo", 1));
/// assert_eq!(trf.line("012"), Some("Friday"));
/// ```
pub fn read(text: &str) -> Result<Trf, Vec<Problem>> {
    if text.len() > MOST_BYTES {
        return Err(vec![Problem::new("trf-size").with("most", MOST_BYTES >> 20)]);
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader::default();
    // Old programs end lines with a carriage return alone.
    let end = if text.contains('\n') { '\n' } else { '\r' };
    for (number, line) in (1..).zip(text.split(end)) {
        if number > MOST_LINES {
            return Err(vec![Problem::new("trf-size").with("most", MOST_BYTES >> 20)]);
        }
        reader.line(number, line.trim_end());
    }
    reader.finish()
}

#[derive(Default)]
struct Reader {
    rows: Vec<Row>,
    lines: Vec<(String, String)>,
    faults: Vec<Problem>,
    planned: usize,
    top_seat: Option<Seat>,
    away: Vec<(usize, u32)>,
    apart: Vec<(usize, Vec<u32>)>,
    /// The entrants in all groups of `apart`.
    kept: usize,
    points: Option<Points>,
}

impl Reader {
    fn fault(&mut self, problem: Problem) {
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(problem);
        }
    }

    fn line(&mut self, number: usize, line: &str) {
        if line.trim().is_empty() {
            return;
        }
        let code: String = line.chars().take(3).collect();
        let text = line[code.len()..].trim();
        let bad = || Problem::new("trf-setting").with("line", number).with("found", text);
        let ids = || text.split_whitespace().map(str::parse).collect::<Result<Vec<u32>, _>>();
        match code.as_str() {
            "001" => match row(number, line) {
                Ok(row) => self.rows.push(row),
                Err(problem) => self.fault(problem),
            },
            "XXR" => match text.parse() {
                Ok(rounds) if rounds <= MOST_ROUNDS => self.planned = rounds,
                _ => self.fault(bad()),
            },
            "XXC" => {
                for word in text.split_whitespace() {
                    match word {
                        "white1" => self.top_seat = Some(Seat::First),
                        "black1" => self.top_seat = Some(Seat::Second),
                        "rank" => self.lines.push(("XXC".to_owned(), "rank".to_owned())),
                        _ => self.fault(bad()),
                    }
                }
            }
            "XXZ" => match ids() {
                Ok(ids) => self.away.extend(ids.into_iter().map(|id| (number, id))),
                Err(_) => self.fault(bad()),
            },
            "XXP" => match ids() {
                Ok(ids) if self.kept + ids.len() <= MOST_APART => {
                    self.kept += ids.len();
                    self.apart.push((number, ids));
                }
                _ => self.fault(bad()),
            },
            "XXS" => {
                let mut points = self.points.take().unwrap_or_default();
                let set = text.split_whitespace().all(|word| {
                    word.split_once('=').is_some_and(|(name, value)| set_points(&mut points, name, value))
                });
                self.points = Some(points);
                if !set {
                    self.fault(bad());
                }
            }
            "BBW" | "BBD" | "BBL" | "BBZ" | "BBF" | "BBU" => {
                let name = match code.as_str() {
                    "BBW" => "W",
                    "BBD" => "D",
                    "BBL" => "L",
                    "BBZ" => "ZPB",
                    "BBF" => "FL",
                    _ => "PAB",
                };
                let mut points = self.points.take().unwrap_or_default();
                let set = set_points(&mut points, name, text);
                self.points = Some(points);
                if !set {
                    self.fault(bad());
                }
            }
            _ => {
                match (code.as_str(), text) {
                    ("142", text) => match text.parse() {
                        Ok(rounds) if rounds <= MOST_ROUNDS => self.planned = rounds,
                        _ => self.fault(bad()),
                    },
                    ("152", "W" | "w") => self.top_seat = Some(Seat::First),
                    ("152", "B" | "b") => self.top_seat = Some(Seat::Second),
                    _ => {}
                }
                self.lines.push((code, text.to_owned()));
            }
        }
    }

    fn finish(mut self) -> Result<Trf, Vec<Problem>> {
        self.rows.sort_by_key(|row| row.number);
        let twice = self.rows.windows(2).filter(|two| two[0].number == two[1].number);
        let twice: Vec<Problem> = twice
            .map(|two| Problem::new("trf-twice").with("line", two[1].line).with("number", two[1].number))
            .collect();
        twice.into_iter().for_each(|problem| self.fault(problem));
        if self.rows.is_empty() && self.faults.is_empty() {
            self.fault(Problem::new("trf-empty"));
        }
        let places: BTreeMap<u32, usize> =
            self.rows.iter().enumerate().map(|(at, row)| (row.number, at)).collect();
        let mut field = Field { planned: self.planned, top_seat: self.top_seat, ..Field::default() };
        let place = |line: usize, id: u32| {
            let unknown = || Problem::new("trf-setting").with("line", line).with("found", id);
            places.get(&id).copied().ok_or_else(unknown)
        };
        for (line, id) in std::mem::take(&mut self.away) {
            match place(line, id) {
                Ok(own) => field.away.push((own, Bye::Zero)),
                Err(problem) => self.fault(problem),
            }
        }
        for (line, ids) in std::mem::take(&mut self.apart) {
            match ids.into_iter().map(|id| place(line, id)).collect() {
                Ok(group) => field.apart.push(group),
                Err(problem) => self.fault(problem),
            }
        }
        let mut short = BTreeSet::new();
        let mut rounds = self.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        let rows = std::mem::take(&mut self.rows);
        // A last round without a board, in which some have nothing: byes that were given before the round is paired.
        let last: Vec<Option<Cell>> =
            rows.iter().map(|row| row.cells.get(rounds.max(1) - 1).copied()).collect();
        let is_blank = |cell: &Option<Cell>| cell.is_none_or(|cell| cell.opponent == 0 && cell.result == ' ');
        if last.iter().flatten().all(|cell| cell.opponent == 0) && last.iter().any(is_blank) && rounds > 0 {
            rounds -= 1;
            let given =
                last.iter().enumerate().filter_map(|(own, cell)| Some((own, bye(cell.as_ref()?.result)?)));
            field.away.extend(given.filter(|(_, bye)| *bye != Bye::Absent));
            field.away.sort_unstable();
            field.away.dedup_by_key(|(own, _)| *own);
        }
        for at in 0..rounds {
            let round = self.round(at, &rows, &places, &mut short);
            field.rounds.push(round);
        }
        field.points = self.points.unwrap_or_default();
        field.entrants = rows.iter().map(|row| row.entrant.clone()).collect();
        if self.faults.is_empty() {
            self.add_up(&mut field, &rows);
        }
        let Reader { lines, faults, .. } = self;
        let numbers = rows.into_iter().map(|row| row.number).collect();
        if faults.is_empty() { Ok(Trf { field, numbers, lines, short }) } else { Err(faults) }
    }

    /// Joins the cells of a round to boards.
    fn round(
        &mut self,
        at: usize,
        rows: &[Row],
        places: &BTreeMap<u32, usize>,
        short: &mut BTreeSet<(usize, usize)>,
    ) -> Round {
        let mut round = Round::default();
        for (own, row) in rows.iter().enumerate() {
            let cell = row.cells.get(at).copied().unwrap_or(Cell {
                opponent: 0,
                seat: None,
                result: ' ',
                column: 0,
            });
            let told = |key: &'static str| {
                let problem = Problem::new(key).with("line", row.line).with("column", cell.column);
                problem.with("round", at + 1).with("number", row.number).with("opponent", cell.opponent)
            };
            if cell.opponent == 0 {
                match bye(cell.result) {
                    Some(bye) => round.byes.push((own, bye)),
                    None => self.fault(told("trf-cell").with("found", cell.result)),
                }
                continue;
            }
            let Some(&other) = places.get(&cell.opponent) else {
                self.fault(told("trf-opponent"));
                continue;
            };
            if other == own {
                self.fault(told("trf-self"));
                continue;
            }
            let back = rows[other].cells.get(at).filter(|back| back.opponent == row.number);
            let Some(back) = back else {
                self.fault(told("trf-disagrees"));
                continue;
            };
            let seat = cell.seat.or_else(|| back.seat.map(Seat::other));
            // A game that nobody came to may have no seats.
            let seat = seat.unwrap_or(if own < other { Seat::First } else { Seat::Second });
            if back.seat == Some(seat) {
                self.fault(told("trf-disagrees"));
                continue;
            }
            if seat == Seat::Second {
                continue;
            }
            match score(cell.result, back.result) {
                Ok(score) => round.pairings.push(Pairing { first: own, second: other, score }),
                Err(()) => self.fault(told("trf-disagrees")),
            }
            if matches!(cell.result, 'W' | 'D' | 'L') {
                short.insert((at, own));
            }
        }
        round
    }

    /// Holds the points of the file to its results. Where the file does not say what a win is worth, it may be one, two or three points.
    fn add_up(&mut self, field: &mut Field, rows: &[Row]) {
        let usual = [Points::default(), Points::of(20, 10, 0), Points::of(30, 10, 0)];
        let schemes = if self.points.is_some() { vec![field.points] } else { usual.to_vec() };
        let mut wrong = Vec::new();
        for points in schemes {
            field.points = points;
            let items = field.items();
            let sum = |own: usize| items[own].iter().map(|item: &Item| item.points).sum::<Tenths>();
            let off = |&(own, row): &(usize, &Row)| row.points.is_some_and(|points| points != sum(own));
            let off: Vec<Problem> = rows
                .iter()
                .enumerate()
                .filter(off)
                .take(MOST_FAULTS)
                .map(|(own, row)| {
                    let found = Criterion::Points.written(row.points.unwrap_or_default().into());
                    let sum = Criterion::Points.written(sum(own).into());
                    let problem = Problem::new("trf-points").with("line", row.line).with("column", 81);
                    problem.with("number", row.number).with("found", found).with("sum", sum)
                })
                .collect();
            if off.is_empty() {
                return;
            }
            if wrong.is_empty() {
                wrong = off;
            }
        }
        wrong.into_iter().for_each(|problem| self.fault(problem));
    }
}

/// Returns the bye of a cell without an opponent.
fn bye(sign: char) -> Option<Bye> {
    match sign {
        'U' => Some(Bye::Allocated),
        'H' => Some(Bye::Half),
        'F' | '+' => Some(Bye::Full),
        'Z' => Some(Bye::Zero),
        ' ' | '-' => Some(Bye::Absent),
        _ => None,
    }
}

fn bye_sign(bye: Bye) -> char {
    match bye {
        Bye::Allocated => 'U',
        Bye::Half => 'H',
        Bye::Full => 'F',
        Bye::Zero => 'Z',
        Bye::Absent => '-',
    }
}

fn score(own: char, other: char) -> Result<Option<Score>, ()> {
    let part = |sign: char| match sign {
        '1' | 'W' => Some(Part::Win),
        '=' | 'D' => Some(Part::Draw),
        '0' | 'L' => Some(Part::Loss),
        _ => None,
    };
    match (own, other) {
        (' ', ' ') => Ok(None),
        ('+', '-') => Ok(Some(Score::Forfeit(Seat::First))),
        ('-', '+') => Ok(Some(Score::Forfeit(Seat::Second))),
        ('-', '-') => Ok(Some(Score::NeitherCame)),
        _ => match (part(own), part(other)) {
            (Some(Part::Win), Some(Part::Loss)) => Ok(Some(Score::Won(Seat::First))),
            (Some(Part::Loss), Some(Part::Win)) => Ok(Some(Score::Won(Seat::Second))),
            (Some(Part::Draw), Some(Part::Draw)) => Ok(Some(Score::Drawn)),
            // An arbiter may take points away, and give none.
            (Some(Part::Win), _) | (_, Some(Part::Win)) => Err(()),
            (Some(own), Some(other)) => Ok(Some(Score::Ruled([own, other]))),
            _ => Err(()),
        },
    }
}

/// Sets the points of a code of JaVaFo; returns false for another code or a bad number.
fn set_points(points: &mut Points, name: &str, value: &str) -> bool {
    let Some(value) = tenths(value) else { return false };
    match name {
        "W" => {
            points.win = [value; 2];
            (points.forfeit_win, points.full, points.allocated) = (value, value, value);
        }
        "D" => (points.draw, points.half) = ([value; 2], value),
        "L" => points.loss = [value; 2],
        "WW" => points.win[0] = value,
        "BW" => points.win[1] = value,
        "WD" => points.draw[0] = value,
        "BD" => points.draw[1] = value,
        "WL" => points.loss[0] = value,
        "BL" => points.loss[1] = value,
        "ZPB" => points.zero = value,
        "HPB" => points.half = value,
        "FPB" => points.full = value,
        "PAB" => points.allocated = value,
        "FW" => points.forfeit_win = value,
        "FL" => points.forfeit_loss = value,
        _ => return false,
    }
    true
}

/// Reads a number of points with at most one digit behind the point, up to 999.
///
/// ```
/// use competition::trf::tenths;
///
/// assert_eq!((tenths("2.5"), tenths("3"), tenths("0.25")), (Some(25), Some(30), None));
/// ```
#[must_use]
pub fn tenths(text: &str) -> Option<Tenths> {
    let text = text.trim();
    let (whole, rest) = text.split_once(['.', ',']).unwrap_or((text, "0"));
    let whole: u16 = whole.parse().ok().filter(|whole| *whole <= 999)?;
    let rest: u8 = rest.parse().ok().filter(|rest| *rest <= 9)?;
    Some(Tenths::from(whole) * 10 + Tenths::from(rest))
}

/// Reads an entrant's line.
fn row(line: usize, text: &str) -> Result<Row, Problem> {
    let signs: Vec<char> = text.chars().collect();
    let part = |from: usize, to: usize| -> String {
        let signs = signs.get(from.min(signs.len())..to.min(signs.len())).unwrap_or_default();
        signs.iter().collect::<String>().trim().to_owned()
    };
    let number = part(3, 8);
    let bad = |column: usize, found: &str| {
        Problem::new("trf-number").with("line", line).with("column", column + 1).with("found", found)
    };
    if signs.len() < 84 {
        return Err(Problem::new("trf-short-line").with("line", line).with("length", signs.len()));
    }
    let number: u32 =
        number.parse().ok().filter(|number| (1..=99_999).contains(number)).ok_or_else(|| bad(4, &number))?;
    let rating = part(48, 52);
    let rating = if rating.is_empty() { 0 } else { rating.parse().map_err(|_| bad(48, &rating))? };
    let points = part(80, 84);
    let points =
        if points.is_empty() { None } else { Some(tenths(&points).ok_or_else(|| bad(80, &points))?) };
    let entrant = Entrant {
        name: part(14, 47),
        rating,
        title: part(10, 13),
        sex: part(9, 10),
        country: part(53, 56),
        id: part(57, 68),
        born: part(69, 79),
    };
    let mut cells = Vec::new();
    let mut from = RESULTS;
    while from < signs.len() {
        if cells.len() == MOST_ROUNDS {
            return Err(bad(from, &part(from, from + CELL)));
        }
        let (opponent, seat, result) =
            (part(from, from + 4), part(from + 5, from + 6), part(from + 7, from + 8));
        let cell = || Problem::new("trf-cell").with("line", line).with("column", from + 1);
        let cell = || cell().with("round", (from - RESULTS) / CELL + 1).with("number", number);
        let odd = || cell().with("found", part(from, from + CELL));
        // Between cells stands nothing; a sign there means that the columns have slipped.
        if !part(from + 4, from + 5).is_empty() || !part(from + 8, from + CELL).is_empty() {
            return Err(odd());
        }
        let opponent = if opponent.is_empty() { 0 } else { opponent.parse().map_err(|_| odd())? };
        let seat = match seat.as_str() {
            "w" | "W" => Some(Seat::First),
            "b" | "B" => Some(Seat::Second),
            "" | "-" => None,
            _ => return Err(odd()),
        };
        let result = result.chars().next().unwrap_or(' ').to_ascii_uppercase();
        if !"10=+-WDLHFUZ ".contains(result) {
            return Err(odd());
        }
        cells.push(Cell { opponent, seat, result, column: from + 1 });
        from += CELL;
    }
    Ok(Row { number, line, entrant, points, cells })
}

/// Writes a tournament report, as TRF16 with the further lines of JaVaFo.
///
/// Texts that are too long for their columns are cut; line ends in them become spaces. The ranks are those of [`USUAL`].
#[must_use]
pub fn write(trf: &Trf) -> String {
    use std::fmt::Write;

    let field = &trf.field;
    let mut out = String::new();
    for (code, text) in &trf.lines {
        let _ = writeln!(out, "{}", format!("{code} {}", flat(text)).trim_end());
    }
    let (items, places) = (field.items(), ranking(field, &USUAL, Unplayed::Fide));
    let mut ranks = vec![0; field.entrants.len()];
    for (at, place) in places.iter().enumerate() {
        ranks[place.entrant] = at + 1;
    }
    // By the entrant with the first seat.
    let scored = |round: &Round| {
        let mut scores = vec![None; field.entrants.len()];
        round.pairings.iter().for_each(|one| scores[one.first] = one.score);
        scores
    };
    let scores: Vec<Vec<Option<Score>>> = field.rounds.iter().map(scored).collect();
    let number = |own: usize| trf.numbers.get(own).copied().unwrap_or(own as u32 + 1);
    for (own, one) in field.entrants.iter().enumerate() {
        let rating = if one.rating == 0 { String::new() } else { one.rating.to_string() };
        let sum: Tenths = items[own].iter().map(|item| item.points).sum();
        let (sex, title, name) = (cut(&one.sex, 1), cut(&one.title, 3), cut(&one.name, 33));
        let (country, id, born) = (cut(&one.country, 3), cut(&one.id, 11), cut(&one.born, 10));
        let points = Criterion::Points.written(sum.into());
        let mut line = format!("001 {:>4} {sex:1}{title:>3} {name:33} {rating:>4} {country:3} ", number(own));
        let _ = write!(line, "{id:>11} {born:10} {points:>4} {:>4}", ranks[own]);
        for at in 0..field.rounds.len() {
            let cell = match items[own][at] {
                Item { paired: Some((other, seat)), .. } => {
                    let seat_sign = if seat == Seat::First { 'w' } else { 'b' };
                    let first = if seat == Seat::First { own } else { other };
                    let sign = sign(scores[at][first], seat, trf.short.contains(&(at, first)));
                    format!("  {:>4} {seat_sign} {sign}", number(other))
                }
                Item { bye: Some(bye), .. } => format!("  0000 - {}", bye_sign(bye)),
                _ => " ".repeat(CELL),
            };
            line.push_str(&cell);
        }
        if let Some((_, bye)) = field.away.iter().find(|(away, bye)| *away == own && *bye != Bye::Zero) {
            let _ = write!(line, "  0000 - {}", bye_sign(*bye));
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    settings(trf, &mut out, number);
    out
}

/// Writes the lines of JaVaFo.
fn settings(trf: &Trf, out: &mut String, number: impl Fn(usize) -> u32) {
    use std::fmt::Write;

    let field = &trf.field;
    if field.planned > 0 {
        let _ = writeln!(out, "XXR {}", field.planned);
    }
    if let Some(seat) = field.top_seat {
        let _ = writeln!(out, "XXC {}", if seat == Seat::First { "white1" } else { "black1" });
    }
    let listed = |places: &mut dyn Iterator<Item = usize>| {
        places.map(|own| number(own).to_string()).collect::<Vec<_>>().join(" ")
    };
    let mut zero = field.away.iter().filter(|(_, bye)| *bye == Bye::Zero).map(|(own, _)| *own).peekable();
    if zero.peek().is_some() {
        let _ = writeln!(out, "XXZ {}", listed(&mut zero));
    }
    for group in &field.apart {
        let _ = writeln!(out, "XXP {}", listed(&mut group.iter().copied()));
    }
    if field.points != Points::default() {
        let Points { win, draw, loss, forfeit_win, forfeit_loss, allocated, half, full, zero } = field.points;
        let values = [
            ("WW", win[0]),
            ("BW", win[1]),
            ("WD", draw[0]),
            ("BD", draw[1]),
            ("WL", loss[0]),
            ("BL", loss[1]),
            ("ZPB", zero),
            ("HPB", half),
            ("FPB", full),
            ("PAB", allocated),
            ("FW", forfeit_win),
            ("FL", forfeit_loss),
        ];
        let values =
            values.map(|(name, value)| format!("{name}={}", Criterion::Points.written(value.into())));
        let _ = writeln!(out, "XXS {}", values.join(" "));
    }
}

fn sign(score: Option<Score>, seat: Seat, is_short: bool) -> char {
    let part = |part: Part| match (part, is_short) {
        (Part::Win, false) => '1',
        (Part::Draw, false) => '=',
        (Part::Loss, false) => '0',
        (Part::Win, true) => 'W',
        (Part::Draw, true) => 'D',
        (Part::Loss, true) => 'L',
    };
    match score {
        None => ' ',
        Some(Score::Won(winner)) => part(if winner == seat { Part::Win } else { Part::Loss }),
        Some(Score::Drawn) => part(Part::Draw),
        Some(Score::Ruled(parts)) => part(parts[seat as usize]),
        Some(Score::Forfeit(winner)) => {
            if winner == seat {
                '+'
            } else {
                '-'
            }
        }
        Some(Score::NeitherCame) => '-',
    }
}

fn flat(text: &str) -> String {
    text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect()
}

fn cut(text: &str, most: usize) -> String {
    flat(text).chars().take(most).collect::<String>().trim_end().to_owned()
}
