//! How things look: themes, colours, and what a piece looks like in letters or characters.
//!
//! Colour is never the only sign: shape, letter or bracket repeats it, so that every theme can be read without colours.

use ratatui::style::{Color, Modifier, Style};

/// A theme.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theme {
    /// Box-drawing lines and Chinese characters; pieces may take two columns.
    Wide,
    /// As emacs-chess-cn drew it: lines of `+-----`, characters two columns wide.
    Origin,
    /// Letters only, for terminals without more.
    Ascii,
    /// Black, white and bright colours.
    Contrast,
}

impl Theme {
    /// Every theme, in the order a key goes through them.
    pub const ALL: [Theme; 4] = [Theme::Wide, Theme::Origin, Theme::Ascii, Theme::Contrast];

    /// The stable key: the message `theme-tui-<key>`, and what is written after `--theme`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Theme::Wide => "wide",
            Theme::Origin => "origin",
            Theme::Ascii => "ascii",
            Theme::Contrast => "contrast",
        }
    }

    /// The theme of that key.
    #[must_use]
    pub fn keyed(key: &str) -> Option<Theme> {
        Theme::ALL.into_iter().find(|theme| theme.key() == key)
    }

    /// The next theme, after the last the first.
    #[must_use]
    pub fn next(self) -> Theme {
        let at = Theme::ALL.iter().position(|&theme| theme == self).unwrap_or(0);
        Theme::ALL[(at + 1) % Theme::ALL.len()]
    }
}

/// How many colours the terminal has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Depth {
    /// None, or none are wanted (`NO_COLOR`).
    None,
    /// The 16 standard ANSI colours.
    Sixteen,
    /// 256 or more.
    Many,
}

impl Depth {
    /// What the environment says: <https://no-color.org>, and the endings that terminals give their names.
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
    /// Which palette is used.
    pub theme: Theme,
    /// How many colours may be used.
    pub depth: Depth,
    /// Whether pieces show where they may turn to.
    pub directions: bool,
    /// Whether it is shown where a chosen piece may go.
    pub targets: bool,
}

/// What something on the screen is, which decides its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The ground of a board of lines.
    Ground,
    /// Lines on it.
    Line,
    /// Squares that are played on, and those between them.
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

    /// The style of a piece of that tone: characters on a ground, or discs on the board's ground.
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

    /// Whether boards of lines have a ground of their own; emacs-chess-cn drew on the terminal's.
    pub(crate) fn has_ground(self) -> bool {
        !matches!(self.theme, Theme::Origin | Theme::Ascii)
    }

    /// Whether only letters of ASCII may be drawn.
    pub(crate) fn is_ascii(self) -> bool {
        self.theme == Theme::Ascii
    }

    /// How a piece is written: one or two columns, or as long as its players' name for it.
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

/// Whether that colour is the lighter of the two sides'.
pub(crate) fn is_light(tone: &str) -> bool {
    matches!(tone, "white" | "red")
}

/// Whether a piece is written on a tile; stones, men and kings are discs instead.
pub(crate) fn is_character(face: &str) -> bool {
    !matches!(face, "stone" | "man" | "king")
}

/// What stands for a piece of xiangqi: its face, Red's character and Black's, as emacs-chess-cn writes them.
const CHARACTERS: [(&str, &str, &str); 7] = [
    ("general", "帥", "將"),
    ("advisor", "仕", "士"),
    ("elephant", "相", "象"),
    ("horse", "馬", "馬"),
    ("rook", "車", "車"),
    ("cannon", "炮", "砲"),
    ("soldier", "兵", "卒"),
];

/// Letters: the usual ones of xiangqi and draughts, capitals for the light or red side; `X` and `O` for stones.
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

/// On a ground of our own, or on the terminal's, of which nothing is known but that middling colours are seen on it.
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
