//! Pictures of a report: SVG, of any size, in the colours of a light or a dark page.
//!
//! The texts come from the caller, in the reader's language. A picture has a title that a screen reader can read.

use std::fmt::Write as _;

use wire::{BalanceReport, Estimate, PieceReport, StrengthReport};

/// A picture of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plot {
    /// The shares of games won by each side and drawn, by strength, with intervals.
    Shares,
    /// The lengths of games.
    Lengths,
    /// The mean chance of the eventual winner in the course of a game.
    Lead,
    /// The number of legal moves in the course of a game.
    Choices,
    /// The values of pieces, by reach and as learned.
    Pieces,
    /// The squares that pieces go to, and how often.
    Visits,
}

impl Plot {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Plot; 6] =
        [Plot::Shares, Plot::Lengths, Plot::Lead, Plot::Choices, Plot::Pieces, Plot::Visits];

    /// Its name, as in `shares.svg`, and of the message `balance-plot-<key>` that is its title.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Plot::Shares => "shares",
            Plot::Lengths => "lengths",
            Plot::Lead => "lead",
            Plot::Choices => "choices",
            Plot::Pieces => "pieces",
            Plot::Visits => "visits",
        }
    }

    /// The picture of that name.
    #[must_use]
    pub fn of(key: &str) -> Option<Plot> {
        Plot::ALL.into_iter().find(|plot| plot.key() == key)
    }
}

/// The appearance of a picture and its texts.
pub struct Style<'a> {
    /// True if the page is dark.
    pub dark: bool,
    /// Rows and columns of the board.
    pub board: (u8, u8),
    /// Says a message, with facts: `balance-plot-<key>`, `balance-level`, `balance-red`, `balance-blue`, `balance-drawn`,
    /// `balance-cut`, `balance-start`, `balance-end`, `balance-reach`, `balance-learned`, `balance-promoted`.
    pub say: &'a crate::Say<'a>,
}

const WIDTH: f64 = 560.0;
/// The x coordinate at which the plot begins, right of the labels of rows, in pixels.
const LEFT: f64 = 92.0;
const RIGHT: f64 = 16.0;
const ROW: f64 = 30.0;
const TOP: f64 = 34.0;

/// Colours: text, fainter lines, red, blue, neither, a second series.
struct Ink {
    text: &'static str,
    line: &'static str,
    red: &'static str,
    blue: &'static str,
    grey: &'static str,
    other: &'static str,
}

const LIGHT: Ink = Ink {
    text: "#222222",
    line: "#c9c4ba",
    red: "#b3372c",
    blue: "#2c5fa8",
    grey: "#9a948a",
    other: "#7a5c00",
};
const DARK: Ink = Ink {
    text: "#ece8df",
    line: "#4b4740",
    red: "#e0695c",
    blue: "#6f9fe6",
    grey: "#8c867c",
    other: "#d8b24a",
};

/// A picture that is being drawn.
struct Sheet {
    body: String,
    ink: &'static Ink,
    height: f64,
}

impl Sheet {
    fn new(style: &Style<'_>, height: f64) -> Sheet {
        Sheet { body: String::new(), ink: if style.dark { &DARK } else { &LIGHT }, height }
    }

    fn bar(&mut self, x: f64, y: f64, width: f64, height: f64, colour: &str) {
        let _ = write!(
            self.body,
            r#"<rect x="{x:.1}" y="{y:.1}" width="{:.1}" height="{height:.1}" fill="{colour}"/>"#,
            width.max(0.0)
        );
    }

    fn line(&mut self, (x, y): (f64, f64), (to_x, to_y): (f64, f64), colour: &str, width: f64) {
        let _ = write!(
            self.body,
            r#"<line x1="{x:.1}" y1="{y:.1}" x2="{to_x:.1}" y2="{to_y:.1}" stroke="{colour}" stroke-width="{width}"/>"#
        );
    }

    fn text(&mut self, x: f64, y: f64, anchor: &str, text: &str) {
        let colour = self.ink.text;
        let text = escape(text);
        let _ = write!(
            self.body,
            r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" fill="{colour}">{text}</text>"#
        );
    }

    fn path(&mut self, points: &[(f64, f64)], colour: &str) {
        let list: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = write!(
            self.body,
            r#"<polyline points="{}" fill="none" stroke="{colour}" stroke-width="2"/>"#,
            list.join(" ")
        );
    }

    /// An interval: a line with a bar at each end.
    fn whisker(&mut self, low: f64, high: f64, y: f64) {
        let colour = self.ink.text;
        self.line((low, y), (high, y), colour, 1.5);
        for x in [low, high] {
            self.line((x, y - 4.0), (x, y + 4.0), colour, 1.5);
        }
    }

    fn end(self, title: &str) -> String {
        let (height, body, title) = (self.height, self.body, escape(title));
        let fonts = "system-ui, 'Noto Sans CJK SC', sans-serif";
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
             font-family=\"{fonts}\" font-size=\"13\"><title>{title}</title>{body}</svg>\n"
        )
    }
}

/// Escapes characters with a meaning in XML; control characters, which XML cannot hold, are left out.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

/// Draws a picture of a report.
#[must_use]
pub fn draw(plot: Plot, report: &BalanceReport, style: &Style<'_>) -> String {
    let title = (style.say)(&format!("balance-plot-{}", plot.key()), &[]);
    let sheet = match plot {
        Plot::Shares => shares(report, style),
        Plot::Lengths => lengths(&report.all, style),
        Plot::Lead => courses(report, style, |strength| &strength.lead, Some((0.0, 1.0))),
        Plot::Choices => courses(report, style, |strength| &strength.choices, None),
        Plot::Pieces => pieces(report, style),
        Plot::Visits => visits(report, style),
    };
    sheet.end(&title)
}

fn level(style: &Style<'_>, strength: &StrengthReport) -> String {
    match strength.level {
        Some(level) => (style.say)("balance-level", &[("level", &level.to_string())]),
        None => (style.say)("balance-all", &[]),
    }
}

fn shares(report: &BalanceReport, style: &Style<'_>) -> Sheet {
    let rows: Vec<&StrengthReport> = report.strengths.iter().chain([&report.all]).collect();
    let bottom = TOP + rows.len() as f64 * ROW;
    let mut sheet = Sheet::new(style, bottom + 24.0);
    let ink = sheet.ink;
    let wide = WIDTH - LEFT - RIGHT;
    legend(
        &mut sheet,
        style,
        &[
            ("balance-red", ink.red),
            ("balance-drawn", ink.grey),
            ("balance-cut", ink.line),
            ("balance-blue", ink.blue),
        ],
    );
    for (i, row) in rows.iter().enumerate() {
        let y = TOP + i as f64 * ROW;
        sheet.text(LEFT - 8.0, y + 16.0, "end", &level(style, row));
        let games = f64::from(row.games.max(1));
        let mut x = LEFT;
        for (count, colour) in
            [(row.red, ink.red), (row.drawn, ink.grey), (row.cut, ink.line), (row.blue, ink.blue)]
        {
            let width = f64::from(count) / games * wide;
            sheet.bar(x, y + 2.0, width, 20.0, colour);
            x += width;
        }
        if row.games > 0 {
            let Estimate { low, high, .. } = row.first;
            sheet.whisker(LEFT + low * wide, LEFT + high * wide, y + 12.0);
        }
    }
    sheet.line((LEFT + wide / 2.0, TOP - 4.0), (LEFT + wide / 2.0, bottom), ink.text, 1.0);
    for percent in [0, 25, 50, 75, 100] {
        let x = LEFT + f64::from(percent) / 100.0 * wide;
        sheet.text(x, bottom + 16.0, "middle", &format!("{percent} %"));
    }
    sheet
}

fn legend(sheet: &mut Sheet, style: &Style<'_>, entries: &[(&str, &str)]) {
    let mut x = LEFT;
    for (key, colour) in entries {
        let text = (style.say)(key, &[]);
        sheet.bar(x, 8.0, 12.0, 12.0, colour);
        sheet.text(x + 16.0, 19.0, "start", &text);
        // Letters of Chinese are twice as wide.
        let wide: f64 = text.chars().map(|c| if c.is_ascii() { 7.5 } else { 13.5 }).sum();
        x += wide + 32.0;
    }
}

/// A round number of columns for lengths up to `most`.
fn step(most: u32) -> u32 {
    [1, 2, 5, 10, 20, 50].into_iter().find(|step| most / step < 25).unwrap_or(100)
}

fn lengths(all: &StrengthReport, style: &Style<'_>) -> Sheet {
    let mut sheet = Sheet::new(style, 200.0);
    let ink = sheet.ink;
    let most = all.lengths.iter().copied().max().unwrap_or(0);
    let step = step(most);
    let mut counts = vec![0u32; (most / step + 1) as usize];
    all.lengths.iter().for_each(|&length| counts[(length / step) as usize] += 1);
    let highest = counts.iter().copied().max().unwrap_or(1).max(1);
    let wide = (WIDTH - 48.0 - RIGHT) / counts.len() as f64;
    for (i, &count) in counts.iter().enumerate() {
        let x = 48.0 + i as f64 * wide;
        let height = f64::from(count) / f64::from(highest) * 140.0;
        sheet.bar(x + 1.0, 170.0 - height, wide - 2.0, height, ink.other);
        if i % 4 == 0 {
            sheet.text(x, 188.0, "middle", &(i as u32 * step).to_string());
        }
    }
    sheet.line((48.0, 170.0), (WIDTH - RIGHT, 170.0), ink.line, 1.0);
    sheet.text(42.0, 40.0, "end", &highest.to_string());
    sheet.text(42.0, 174.0, "end", "0");
    sheet
}

fn courses(
    report: &BalanceReport,
    style: &Style<'_>,
    of: impl Fn(&StrengthReport) -> &Vec<f64>,
    range: Option<(f64, f64)>,
) -> Sheet {
    let mut sheet = Sheet::new(style, 220.0);
    let ink = sheet.ink;
    let colours = [ink.blue, ink.other, ink.red, ink.grey, ink.text];
    let highest = report.strengths.iter().flat_map(|s| of(s).iter().copied()).fold(1.0f64, f64::max);
    let (low, high) = range.unwrap_or((0.0, highest.ceil()));
    let place = |i: usize, count: usize, value: f64| {
        let x = 48.0 + i as f64 / (count - 1).max(1) as f64 * (WIDTH - 48.0 - RIGHT);
        (x, 190.0 - (value - low) / (high - low) * 156.0)
    };
    for part in 0..=2 {
        let value = low + (high - low) * f64::from(part) / 2.0;
        let (_, y) = place(0, 2, value);
        sheet.line((48.0, y), (WIDTH - RIGHT, y), ink.line, 1.0);
        let text = if range.is_some() { format!("{:.0} %", value * 100.0) } else { format!("{value:.0}") };
        sheet.text(42.0, y + 4.0, "end", &text);
    }
    let mut x = 56.0;
    for (strength, colour) in report.strengths.iter().zip(colours) {
        let values = of(strength);
        let points: Vec<(f64, f64)> =
            values.iter().enumerate().map(|(i, &value)| place(i, values.len(), value)).collect();
        sheet.path(&points, colour);
        sheet.bar(x, 8.0, 12.0, 12.0, colour);
        sheet.text(x + 16.0, 19.0, "start", &level(style, strength));
        x += 100.0;
    }
    sheet.text(48.0, 210.0, "start", &(style.say)("balance-start", &[]));
    sheet.text(WIDTH - RIGHT, 210.0, "end", &(style.say)("balance-end", &[]));
    sheet
}

fn pieces(report: &BalanceReport, style: &Style<'_>) -> Sheet {
    let rows: Vec<&PieceReport> = report.pieces.iter().take(24).collect();
    let bottom = TOP + rows.len() as f64 * ROW;
    let mut sheet = Sheet::new(style, bottom + 24.0);
    let ink = sheet.ink;
    legend(&mut sheet, style, &[("balance-learned", ink.other), ("balance-reach", ink.grey)]);
    let ends = |piece: &PieceReport| {
        let learned = piece.learned.map_or((0.0, 0.0), |learned| (learned.low, learned.high));
        [f64::from(piece.reach), learned.0, learned.1]
    };
    let all: Vec<f64> = rows.iter().flat_map(|piece| ends(piece)).collect();
    let low = all.iter().copied().fold(0.0, f64::min);
    let high = all.iter().copied().fold(100.0, f64::max);
    let place = |value: f64| LEFT + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT);
    for (i, piece) in rows.iter().enumerate() {
        let y = TOP + i as f64 * ROW;
        let mut name: String = piece.names.join(" ").chars().take(10).collect();
        if piece.promoted {
            name = (style.say)("balance-promoted", &[("piece", &name)]);
        }
        sheet.text(LEFT - 8.0, y + 17.0, "end", &name);
        let (zero, reach) = (place(0.0), place(f64::from(piece.reach)));
        sheet.bar(zero.min(reach), y + 16.0, (reach - zero).abs(), 8.0, ink.grey);
        if let Some(learned) = piece.learned {
            let value = place(learned.value);
            sheet.bar(zero.min(value), y + 4.0, (value - zero).abs(), 12.0, ink.other);
            sheet.whisker(place(learned.low), place(learned.high), y + 10.0);
        }
    }
    sheet.line((place(0.0), TOP - 4.0), (place(0.0), bottom), ink.text, 1.0);
    for value in [0.0, high / 2.0, high] {
        sheet.text(place(value).min(WIDTH - 24.0), bottom + 16.0, "middle", &format!("{value:.0}"));
    }
    sheet
}

fn visits(report: &BalanceReport, style: &Style<'_>) -> Sheet {
    let (rows, cols) = (usize::from(style.board.0.max(1)), usize::from(style.board.1.max(1)));
    let size = (400.0 / cols as f64).min(400.0 / rows as f64).min(48.0);
    let mut sheet = Sheet::new(style, size * rows as f64 + 16.0);
    let ink = sheet.ink;
    let most = report.visits.iter().copied().fold(0.0f64, f64::max);
    let left = (WIDTH - size * cols as f64) / 2.0;
    for (at, &share) in report.visits.iter().enumerate() {
        let (x, y) = (left + (at % cols) as f64 * size, 8.0 + (at / cols) as f64 * size);
        let part = if most > 0.0 { share / most } else { 0.0 };
        let _ = write!(
            sheet.body,
            r#"<rect x="{x:.1}" y="{y:.1}" width="{size:.1}" height="{size:.1}" fill="{}" fill-opacity="{part:.3}" stroke="{}"/>"#,
            ink.other, ink.line
        );
        if size >= 30.0 {
            sheet.text(x + size / 2.0, y + size / 2.0 + 5.0, "middle", &format!("{:.1}", share * 100.0));
        }
    }
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_pieces_cannot_break_a_picture() {
        let piece = PieceReport {
            ids: vec![1],
            names: vec!["<script>&\"\u{7}".to_owned()],
            promoted: false,
            reach: 300,
            learned: None,
            moves: 0.0,
            takes: 0.0,
        };
        let report = BalanceReport { pieces: vec![piece], ..BalanceReport::default() };
        let style = Style { dark: false, board: (2, 2), say: &|key, _| key.to_owned() };
        let drawn = draw(Plot::Pieces, &report, &style);
        assert!(drawn.contains("&lt;script&gt;&amp;") && !drawn.contains("<script"), "{drawn}");
    }

    #[test]
    fn an_empty_report_can_be_drawn() {
        let style = Style { dark: true, board: (3, 4), say: &|key, _| key.to_owned() };
        for plot in Plot::ALL {
            let drawn = draw(plot, &BalanceReport::default(), &style);
            assert!(drawn.starts_with("<svg") && drawn.trim_end().ends_with("</svg>"), "{plot:?}");
            assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{plot:?}: {drawn}");
            assert_eq!(Plot::of(plot.key()), Some(plot));
        }
    }
}
