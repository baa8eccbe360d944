//! The key bindings: one table, from which the list of keys is generated, too.
//!
//! Keys are written in Emacs notation: `C-c C-n`, `RET`, `<up>`. The first keys of each action are those of
//! emacs-chess-cn, which its users know.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The actions that keys trigger at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    Up,
    Down,
    Left,
    Right,
    Touch,
    Clear,
    NextPlace,
    LastPlace,
    New,
    Undo,
    Redo,
    Save,
    Load,
    Type,
    Back,
    On,
    Start,
    Now,
    Run,
    Flip,
    Notation,
    Lessons,
    About,
    Analyse,
    SetUp,
    OtherSide,
    Draw,
    Resign,
    Abort,
    Claim,
    Rematch,
    Swap,
    Accept,
    Decline,
    Sit,
    Directions,
    Targets,
    Theme,
    Language,
    Help,
    Menu,
    Quit,
}

/// The key table: the action, the key of the message that describes it, and its keys.
pub(crate) const KEYS: &[(Action, &str, &[&str])] = &[
    (Action::Up, "tui-key-up", &["<up>", "C-p", "k"]),
    (Action::Down, "tui-key-down", &["<down>", "C-n", "j"]),
    (Action::Left, "tui-key-left", &["<left>", "C-b", "h"]),
    (Action::Right, "tui-key-right", &["<right>", "C-f", "l"]),
    (Action::Touch, "tui-key-touch", &["RET", "SPC"]),
    (Action::Clear, "tui-key-clear", &["ESC", "C-g"]),
    (Action::NextPlace, "tui-key-next-place", &["TAB"]),
    (Action::LastPlace, "tui-key-last-place", &["<backtab>"]),
    (Action::Type, "tui-key-type", &[":", "/"]),
    (Action::New, "tui-key-new", &["C-c C-n"]),
    (Action::Undo, "tui-key-undo", &["C-c C-u", "u"]),
    (Action::Redo, "tui-key-redo", &["C-c C-r", "r"]),
    (Action::Save, "tui-key-save", &["C-c C-s"]),
    (Action::Load, "tui-key-load", &["C-c C-l"]),
    (Action::Back, "tui-key-back", &["["]),
    (Action::On, "tui-key-on", &["]"]),
    (Action::Start, "tui-key-start", &["{", "<home>"]),
    (Action::Now, "tui-key-now", &["}", "<end>"]),
    (Action::Run, "tui-key-run", &["p"]),
    (Action::Flip, "tui-key-flip", &["f"]),
    (Action::Notation, "tui-key-notation", &["o"]),
    (Action::Lessons, "tui-key-lessons", &["w"]),
    (Action::About, "tui-key-about", &["i"]),
    (Action::Analyse, "tui-key-analyse", &["a"]),
    (Action::SetUp, "tui-key-set-up", &["e"]),
    (Action::OtherSide, "tui-key-other-side", &["x"]),
    (Action::Draw, "tui-key-draw", &["d"]),
    (Action::Resign, "tui-key-resign", &["R"]),
    (Action::Abort, "tui-key-abort", &["A"]),
    (Action::Claim, "tui-key-claim", &["C"]),
    (Action::Rematch, "tui-key-rematch", &["M"]),
    (Action::Swap, "tui-key-swap", &["X"]),
    (Action::Accept, "tui-key-accept", &["y"]),
    (Action::Decline, "tui-key-decline", &["n"]),
    (Action::Sit, "tui-key-sit", &["S"]),
    (Action::Directions, "tui-key-directions", &["D"]),
    (Action::Targets, "tui-key-targets", &["T"]),
    (Action::Theme, "tui-key-theme", &["t"]),
    (Action::Language, "tui-key-language", &["L"]),
    (Action::Help, "tui-key-help", &["?"]),
    (Action::Menu, "tui-key-menu", &["m"]),
    (Action::Quit, "tui-key-quit", &["q", "C-c C-c", "C-x C-c"]),
];

/// The prefix keys, which begin a sequence.
const PREFIXES: [&str; 2] = ["C-c", "C-x"];

/// The meanings of a key after the keys before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
    Action(Action),
    /// The beginning of a key sequence.
    Prefix(String),
    /// An unbound key sequence, which is shown to the user.
    Nothing(String),
}

/// Returns the meaning of `key` after `prefix`.
pub(crate) fn meaning(prefix: &str, key: KeyEvent) -> Meaning {
    let name = name(key);
    let keys = if prefix.is_empty() { name } else { format!("{prefix} {name}") };
    if let Some((action, ..)) = KEYS.iter().find(|(.., ways)| ways.contains(&keys.as_str())) {
        return Meaning::Action(*action);
    }
    if PREFIXES.contains(&keys.as_str()) { Meaning::Prefix(keys) } else { Meaning::Nothing(keys) }
}

/// Formats a key in Emacs notation.
pub(crate) fn name(key: KeyEvent) -> String {
    let base = match key.code {
        KeyCode::Char(' ') => "SPC".to_owned(),
        KeyCode::Char(c) => c.to_string(),
        KeyCode::Enter => "RET".to_owned(),
        KeyCode::Esc => "ESC".to_owned(),
        KeyCode::Tab => "TAB".to_owned(),
        KeyCode::BackTab => "<backtab>".to_owned(),
        KeyCode::Backspace => "DEL".to_owned(),
        KeyCode::Delete => "<delete>".to_owned(),
        KeyCode::Up => "<up>".to_owned(),
        KeyCode::Down => "<down>".to_owned(),
        KeyCode::Left => "<left>".to_owned(),
        KeyCode::Right => "<right>".to_owned(),
        KeyCode::Home => "<home>".to_owned(),
        KeyCode::End => "<end>".to_owned(),
        KeyCode::PageUp => "<prior>".to_owned(),
        KeyCode::PageDown => "<next>".to_owned(),
        KeyCode::F(n) => format!("<f{n}>"),
        _ => "<?>".to_owned(),
    };
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let meta = key.modifiers.contains(KeyModifiers::ALT);
    format!("{}{}{}", if control { "C-" } else { "" }, if meta { "M-" } else { "" }, base)
}

/// Returns the browser's name of a key, which buttons use for their keys.
pub(crate) fn web_name(key: KeyEvent) -> Option<&'static str> {
    if !key.modifiers.is_empty() {
        return None;
    }
    match key.code {
        KeyCode::Up => Some("ArrowUp"),
        KeyCode::Down => Some("ArrowDown"),
        KeyCode::Left => Some("ArrowLeft"),
        KeyCode::Right => Some("ArrowRight"),
        _ => None,
    }
}

/// Returns the display of a button's key.
pub(crate) fn shown(web: &str, ascii: bool) -> &str {
    match (web, ascii) {
        ("ArrowUp", false) => "↑",
        ("ArrowDown", false) => "↓",
        ("ArrowLeft", false) => "←",
        ("ArrowRight", false) => "→",
        ("ArrowUp", true) => "up",
        ("ArrowDown", true) => "down",
        ("ArrowLeft", true) => "left",
        ("ArrowRight", true) => "right",
        (other, _) => other,
    }
}
