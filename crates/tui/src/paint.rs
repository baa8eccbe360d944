//! The look of the screen: themes, colours, and the characters of pieces.
//!
//! Colour is never the only sign: a shape, letter or bracket repeats it, so that every theme can be read without
//! colours.

use ratatui::style::{Color, Modifier, Style};

/// The themes of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theme {
    /// Box-drawing lines and Chinese characters; pieces may take two columns.
    Wide,
    /// The look of emacs-chess-cn: lines of `+-----`, characters two columns wide.
    Origin,
    /// ASCII characters only, for simple terminals.
    Ascii,
    /// Black, white and bright colours.
    Contrast,
}

impl Theme {
    /// Every theme, in the order a key goes through them.
    pub const ALL: [Theme; 4] = [Theme::Wide, Theme::Origin, Theme::Ascii, Theme::Contrast];

    /// Returns the stable key: the message is `theme-tui-<key>`, and the value of `--theme` is the key.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Theme::Wide => "wide",
            Theme::Origin => "origin",
            Theme::Ascii => "ascii",
            Theme::Contrast => "contrast",
        }
    }

    /// Returns the theme with that key.
    #[must_use]
    pub fn keyed(key: &str) -> Option<Theme> {
        Theme::ALL.into_iter().find(|theme| theme.key() == key)
    }

    /// Returns the next theme; after the last comes the first.
    #[must_use]
    pub fn next(self) -> Theme {
        let at = Theme::ALL.iter().position(|&theme| theme == self).unwrap_or(0);
        Theme::ALL[(at + 1) % Theme::ALL.len()]
    }
}

/// The numbers of colours that a terminal can show.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Depth {
    /// A terminal without colours, or colours are switched off (`NO_COLOR`).
    None,
    /// The 16 standard ANSI colours.
    Sixteen,
    /// 256 or more.
    Many,
}

impl Depth {
    /// Determines the number of colours from the environment: <https://no-color.org>, and the suffixes of terminal
    /// names.
    #[must_use]
    pub fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Depth {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let term = set("TERM").unwrap_or_default();
        match set("NO_COLOR") {
            Some(_) => Depth::None,
            None if term == "dumb" || term.starts_with("vt1") || term.starts_with("vt2") => Depth::None,
            None if set("COLORTERM").is_some() || term.contains("256color") || term.contains("direct") => {
                Depth::Many
            }
            None => Depth::Sixteen,
        }
    }
}

/// The theme and the number of colours, which together decide every style.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Paint {
    /// The palette used.
    pub theme: Theme,
    /// The number of colours that may be used.
    pub depth: Depth,
    /// Set to show the directions of pieces.
    pub directions: bool,
    /// Set to show the targets of a chosen piece.
    pub targets: bool,
}

/// The roles of elements on the screen, which decide their colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The background of a board of lines.
    Ground,
    /// The lines of such a board.
    Line,
    /// The squares that are played on.
    Square,
    Between,
    /// Numbers of places and names of files.
    Label,
    Cursor,
    Chosen,
    Target,
    Capture,
    Last,
    Check,
    Warning,
    Title,
    Dim,
    Good,
    Bad,
    /// The mark of the side to move.
    Active,
    /// A key in a list of keys.
    Key,
    /// The status line at the bottom.
    Foot,
}

impl Paint {
    pub(crate) fn style(self, role: Role) -> Style {
        match self.depth {
            Depth::None => mono(role),
            Depth::Sixteen => sixteen(role),
            Depth::Many if self.theme == Theme::Contrast => contrast(role),
            Depth::Many => many(role, self.has_ground()),
        }
    }

    /// Returns the style of a piece of that tone: a character on a background of its own, or a disc on the board's.
    pub(crate) fn piece(self, tone: &str, character: bool, ground: Style) -> Style {
        let bold = Modifier::BOLD;
        if self.depth == Depth::None {
            let style = Style::new().add_modifier(bold);
            return if character && tone == "red" { style.add_modifier(Modifier::REVERSED) } else { style };
        }
        let many = self.depth == Depth::Many;
        if character {
            let back = match (tone, many) {
                ("red", true) => Color::Indexed(124),
                ("red", false) => Color::Red,
                ("blue" | "black", true) => Color::Indexed(18),
                ("blue" | "black", false) => Color::Blue,
                (_, true) => Color::Indexed(240),
                (_, false) => Color::DarkGray,
            };
            let front = if many { Color::Indexed(231) } else { Color::White };
            return Style::new().fg(front).bg(back).add_modifier(bold);
        }
        let front = match (tone, many) {
            ("white", true) => Color::Indexed(231),
            ("white", false) => Color::White,
            ("red", true) => Color::Indexed(124),
            ("red", false) => Color::Red,
            ("blue", true) => Color::Indexed(19),
            ("blue", false) => Color::Blue,
            (_, true) => Color::Indexed(16),
            (_, false) => Color::Black,
        };
        ground.fg(front).add_modifier(bold)
    }

    /// Returns true if boards of lines have a background of their own; emacs-chess-cn used the terminal's.
    pub(crate) fn has_ground(self) -> bool {
        !matches!(self.theme, Theme::Origin | Theme::Ascii)
    }

    /// Returns true if only ASCII characters may be drawn.
    pub(crate) fn is_ascii(self) -> bool {
        self.theme == Theme::Ascii
    }

    /// Returns the text of a piece: one or two columns, or the whole name given by its players.
    pub(crate) fn sign(self, face: &str, tone: &str) -> String {
        if self.is_ascii() {
            return ascii_sign(face, tone);
        }
        if let Some((_, red, black)) = CHARACTERS.iter().find(|(name, ..)| *name == face) {
            return if tone == "red" { (*red).to_owned() } else { (*black).to_owned() };
        }
        // A ring for the light side, a disc for the other: colour repeats it.
        match (face, is_light(tone)) {
            ("stone" | "man", true) => "○".to_owned(),
            ("stone" | "man", false) => "●".to_owned(),
            ("king", true) => "♕".to_owned(),
            ("king", false) => "♛".to_owned(),
            _ => face.to_owned(),
        }
    }
}

/// Returns true if that colour is the lighter one of the two sides.
pub(crate) fn is_light(tone: &str) -> bool {
    matches!(tone, "white" | "red")
}

/// Returns true if a piece is drawn as text on a tile; stones, men and kings are discs instead.
pub(crate) fn is_character(face: &str) -> bool {
    !matches!(face, "stone" | "man" | "king")
}

/// The characters of the pieces of xiangqi: the face, Red's character and Black's, as in emacs-chess-cn.
const CHARACTERS: [(&str, &str, &str); 7] = [
    ("general", "帥", "將"),
    ("advisor", "仕", "士"),
    ("elephant", "相", "象"),
    ("horse", "馬", "馬"),
    ("rook", "車", "車"),
    ("cannon", "炮", "砲"),
    ("soldier", "兵", "卒"),
];

/// Returns the ASCII letter of a piece: the usual letters of xiangqi and draughts, capitals for the light or red
/// side; `X` and `O` for stones.
fn ascii_sign(face: &str, tone: &str) -> String {
    let light = is_light(tone);
    let letter = match face {
        "stone" => return if light { "O" } else { "X" }.to_owned(),
        "man" => return if light { "w" } else { "b" }.to_owned(),
        "king" => return if light { "W" } else { "B" }.to_owned(),
        "general" => 'k',
        "advisor" => 'a',
        "elephant" => 'e',
        "horse" => 'h',
        "rook" => 'r',
        "cannon" => 'c',
        "soldier" => 'p',
        // What players named themselves is shown as they named it.
        _ => return face.to_owned(),
    };
    if light { letter.to_ascii_uppercase().to_string() } else { letter.to_string() }
}

fn mono(role: Role) -> Style {
    let none = Style::new();
    match role {
        Role::Cursor | Role::Chosen => none.add_modifier(Modifier::REVERSED),
        Role::Title | Role::Active | Role::Bad | Role::Check | Role::Target => {
            none.add_modifier(Modifier::BOLD)
        }
        Role::Key => none.add_modifier(Modifier::UNDERLINED),
        _ => none,
    }
}

fn sixteen(role: Role) -> Style {
    let fg = |color| Style::new().fg(color);
    let on = |front, back| Style::new().fg(front).bg(back);
    match role {
        Role::Ground | Role::Line => on(Color::Black, Color::Yellow),
        Role::Square => on(Color::White, Color::Green),
        Role::Between => on(Color::Black, Color::Gray),
        Role::Cursor => on(Color::Black, Color::Cyan),
        Role::Chosen => on(Color::Blue, Color::White).add_modifier(Modifier::BOLD),
        Role::Target => fg(Color::Magenta).add_modifier(Modifier::BOLD),
        Role::Capture => on(Color::White, Color::Magenta),
        Role::Last => fg(Color::Magenta).add_modifier(Modifier::BOLD),
        Role::Check | Role::Bad => fg(Color::Red).add_modifier(Modifier::BOLD),
        Role::Warning => fg(Color::Yellow).add_modifier(Modifier::BOLD),
        Role::Title | Role::Active => Style::new().add_modifier(Modifier::BOLD),
        Role::Good => fg(Color::Green),
        Role::Label | Role::Dim | Role::Foot => Style::new().add_modifier(Modifier::DIM),
        Role::Key => fg(Color::Cyan),
    }
}

fn contrast(role: Role) -> Style {
    let on = |front, back| Style::new().fg(Color::Indexed(front)).bg(Color::Indexed(back));
    match role {
        Role::Ground => on(16, 250),
        Role::Line => on(16, 250),
        Role::Square => on(16, 246),
        Role::Between => on(16, 255),
        Role::Cursor => on(16, 226).add_modifier(Modifier::BOLD),
        Role::Chosen => on(21, 231).add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
        Role::Target => Style::new().fg(Color::Indexed(21)).add_modifier(Modifier::BOLD),
        Role::Capture => on(231, 90).add_modifier(Modifier::BOLD),
        Role::Last => Style::new().fg(Color::Indexed(90)).add_modifier(Modifier::BOLD),
        Role::Check | Role::Bad => Style::new().fg(Color::Indexed(196)).add_modifier(Modifier::BOLD),
        Role::Warning => Style::new().fg(Color::Indexed(226)).add_modifier(Modifier::BOLD),
        Role::Title | Role::Active => Style::new().fg(Color::Indexed(231)).add_modifier(Modifier::BOLD),
        Role::Good => Style::new().fg(Color::Indexed(46)),
        Role::Label | Role::Dim | Role::Foot => Style::new().fg(Color::Indexed(255)),
        Role::Key => Style::new().fg(Color::Indexed(51)).add_modifier(Modifier::BOLD),
    }
}

/// Returns the style on a terminal of 256 colours, on our own background or on the terminal's. The latter is unknown,
/// so medium colours are used, which are visible on any.
fn many(role: Role, ground: bool) -> Style {
    let fg = |color| Style::new().fg(Color::Indexed(color));
    let on = |front, back| Style::new().fg(Color::Indexed(front)).bg(Color::Indexed(back));
    match role {
        Role::Ground => on(94, 180),
        Role::Line => on(94, 180),
        Role::Square => on(180, 95),
        Role::Between => on(137, 223),
        Role::Cursor => on(16, 117).add_modifier(Modifier::BOLD),
        Role::Chosen => on(19, 230).add_modifier(Modifier::BOLD),
        Role::Target => fg(if ground { 22 } else { 71 }).add_modifier(Modifier::BOLD),
        Role::Capture => on(231, 130).add_modifier(Modifier::BOLD),
        Role::Last => fg(if ground { 52 } else { 172 }).add_modifier(Modifier::BOLD),
        Role::Check => fg(196).add_modifier(Modifier::BOLD),
        Role::Bad => fg(203).add_modifier(Modifier::BOLD),
        Role::Warning => fg(214).add_modifier(Modifier::BOLD),
        Role::Title => fg(223).add_modifier(Modifier::BOLD),
        Role::Active => Style::new().add_modifier(Modifier::BOLD),
        Role::Good => fg(114),
        Role::Label => fg(244),
        Role::Dim => fg(245),
        Role::Foot => fg(245),
        Role::Key => fg(117),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_decides_about_colours() {
        let depth = |set: &[(&str, &str)]| {
            Depth::of_environment(|name| set.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned()))
        };
        assert_eq!(depth(&[("TERM", "xterm-256color")]), Depth::Many);
        assert_eq!(depth(&[("TERM", "xterm"), ("COLORTERM", "truecolor")]), Depth::Many);
        assert_eq!(depth(&[("TERM", "linux")]), Depth::Sixteen);
        assert_eq!(depth(&[("TERM", "xterm-256color"), ("NO_COLOR", "1")]), Depth::None);
        assert_eq!(depth(&[("TERM", "xterm-256color"), ("NO_COLOR", "")]), Depth::Many, "empty is not set");
        assert_eq!(depth(&[("TERM", "dumb")]), Depth::None);
        assert_eq!(depth(&[("TERM", "vt100")]), Depth::None);
    }
}
