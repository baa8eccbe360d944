//! What can be asked of the program.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args as Group, Parser, Subcommand, ValueEnum};
use records::{Format, pgn};

/// A hall for board games: locked chess, gomoku, and more to come.
#[derive(Parser)]
#[command(name = "qiguan", version, about, propagate_version = true)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Open the hall: a page, an API, tables.
    Serve(Serve),
    /// Answer questions about rules, one line of JSON each, on standard input and output.
    Referee,
    /// List every game.
    Games {
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Play in this terminal: here, or at a table of a hall.
    Play(Box<Play>),
    /// Count move paths.
    Perft(Perft),
    /// Bring records and positions from one format to another.
    Convert(Convert),
    /// Measure how much a running hall carries.
    Load(Load),
    /// Look after maps: games that users make.
    #[command(subcommand)]
    Map(Map),
}

#[derive(Subcommand)]
pub enum Map {
    /// Say every error and warning of a map; exit with 1 when there are errors.
    Check {
        /// The .xlsx file.
        file: PathBuf,
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Show the board and every piece's moves as text.
    Show {
        /// The .xlsx file.
        file: PathBuf,
    },
}

#[derive(Group)]
pub struct Serve {
    /// Where to listen; port 0 takes any free one.
    #[arg(long, default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// The folder of the data.
    #[arg(long, default_value = "data", value_name = "DIR")]
    pub data: PathBuf,
    /// The address people type, with its http or https, when it is another one.
    #[arg(long, value_name = "URL", value_parser = public_url)]
    pub public_url: Option<String>,
    /// Requests come through a proxy that adds X-Forwarded-For.
    #[arg(long)]
    pub behind_proxy: bool,
    /// How much one client may ask; off only for measurements on one's own machine.
    #[arg(long, value_enum, default_value_t = Limits::On)]
    pub limits: Limits,
    /// Open the page in a browser.
    #[arg(long)]
    pub open: bool,
    /// Logs as lines of JSON.
    #[arg(long)]
    pub log_json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Limits {
    On,
    Off,
}

#[derive(Group)]
pub struct Perft {
    /// A key of `qiguan games`.
    pub game: String,
    /// The length of the paths.
    pub depth: u32,
    /// From this position.
    #[arg(long)]
    pub fen: Option<String>,
    /// An option of the game, as `size=15`; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, i64)>,
    /// Show the count under each first move.
    #[arg(long)]
    pub divide: bool,
    /// Threads that count.
    #[arg(long, default_value_t = 1)]
    pub threads: usize,
}

#[derive(Group)]
pub struct Play {
    /// A key of `qiguan games`, the beginning of one, such as gomoku, or a map's .xlsx file; without it, a menu.
    pub game: Option<String>,
    /// From this position.
    #[arg(long)]
    pub fen: Option<String>,
    /// An option of the game, as `size=15`; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, i64)>,
    /// An extension of the map, as a .py file; may be repeated, the first is asked first.
    #[arg(long = "extension", value_name = "FILE")]
    pub extensions: Vec<PathBuf>,
    /// A clock: 300+5 (seconds and increment), 600+3x30 (byo-yomi), 30/move, or none.
    #[arg(long, default_value = "none")]
    pub clock: String,
    /// Against a player of this program, from level 1.
    #[arg(long, value_name = "N")]
    pub level: Option<u8>,
    /// Your side against a player of this program, or at a table you open.
    #[arg(long, value_enum)]
    pub side: Option<PlaySide>,
    /// A file with a game, to be looked at and played on.
    #[arg(long, value_name = "FILE")]
    pub load: Option<PathBuf>,
    /// A running hall, or the link of a table; with a game, a table is opened there.
    #[arg(long, value_name = "URL")]
    pub hall: Option<String>,
    /// A room of the hall, by its name; with a game, it is opened under that name.
    #[arg(long, value_name = "NAME", requires = "hall")]
    pub room: Option<String>,
    /// Only watch.
    #[arg(long, requires = "hall")]
    pub watch: bool,
    /// One line in, one line out: for screen readers, scripts and teaching.
    #[arg(long)]
    pub plain: bool,
    /// How the screen looks: wide, origin, ascii, contrast.
    #[arg(long, value_parser = themes())]
    pub theme: Option<tui::Theme>,
    /// The language: en or zh; without it, what LANG says.
    #[arg(long, value_parser = ["en", "zh"])]
    pub lang: Option<String>,
    /// Gomoku only: the console that this hall grew from, as it was (in Chinese).
    #[arg(long)]
    pub seed_console: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlaySide {
    First,
    Second,
}

#[derive(Group)]
pub struct Convert {
    /// The format of the input; without it, what the input looks like.
    #[arg(long, value_name = "FORMAT", value_parser = formats(|_| true))]
    pub from: Option<Format>,
    /// The format of the output.
    #[arg(long, value_name = "FORMAT", value_parser = formats(Format::writes))]
    pub to: Format,
    /// The game that positions belong to: a key of `qiguan games`.
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// The notation of xiangqi moves in PGN.
    #[arg(long, default_value = "chinese", value_parser = notations())]
    pub notation: pgn::Style,
    /// The file to read; standard input without it, or for `-`.
    pub input: Option<PathBuf>,
    /// The file to write; standard output without it, or for `-`.
    pub output: Option<PathBuf>,
}

#[derive(Group)]
pub struct Load {
    /// The hall, started with `--limits off`.
    #[arg(long, default_value = "http://127.0.0.1:8080")]
    pub hall: String,
    /// Connections: two for each table.
    #[arg(long, default_value_t = 200)]
    pub connections: usize,
    /// Seconds of play.
    #[arg(long, default_value_t = 10)]
    pub seconds: u64,
    /// Moves a second for all together; absent: as fast as they are answered.
    #[arg(long)]
    pub rate: Option<f64>,
    /// Only connect; measures memory.
    #[arg(long)]
    pub idle: bool,
}

fn formats(which: fn(Format) -> bool) -> impl TypedValueParser<Value = Format> {
    let keys = Format::ALL.into_iter().filter(|f| which(*f)).map(Format::key);
    PossibleValuesParser::new(keys).map(|key| Format::keyed(&key).expect("one of the keys"))
}

fn notations() -> impl TypedValueParser<Value = pgn::Style> {
    let keys = pgn::Style::ALL.map(pgn::Style::key);
    PossibleValuesParser::new(keys).map(|key| pgn::Style::keyed(&key).expect("one of the keys"))
}

fn themes() -> impl TypedValueParser<Value = tui::Theme> {
    let keys = tui::Theme::ALL.map(tui::Theme::key);
    PossibleValuesParser::new(keys).map(|key| tui::Theme::keyed(&key).expect("one of the keys"))
}

fn public_url(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let host =
        host.map(|host| host.trim_end_matches('/')).filter(|host| !host.is_empty() && !host.contains('/'));
    match host {
        Some(_) => Ok(text.trim_end_matches('/').to_owned()),
        None => Err("write https://hall.example or http://hall.example, without a path".to_owned()),
    }
}

fn option(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE, such as size=15")?;
    Ok((name.to_owned(), value.parse().map_err(|_| format!("\"{value}\" is not a whole number"))?))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_well_formed() {
        super::Args::command().debug_assert();
    }
}
