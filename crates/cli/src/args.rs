//! What can be asked of the program.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, RangedU64ValueParser, TypedValueParser};
use clap::{Args as Group, Parser, Subcommand, ValueEnum};
use engine::external::Protocol;
use records::{Format, pgn};

/// A hall for board games: xiangqi, draughts, gomoku, locked chess, and games on maps that people make.
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
    /// Be an engine for other programs, on standard input and output.
    Engine(Engine),
    /// Let two engines play, with Elo, error bars and a sequential test.
    Match(Box<Match>),
    /// Teach our engines: games against themselves, and weights fitted to them.
    #[command(subcommand)]
    Learn(Learn),
    /// Run a program that reaches only its folder, and ends with whoever started it.
    Confined(Confined),
    /// Measure how much a running hall carries.
    Load(Load),
    /// Look after maps: games that users make.
    #[command(subcommand)]
    Map(Map),
    /// Look after the data of a hall: check, back up, restore.
    #[command(subcommand)]
    Admin(Admin),
    /// Print what a shell needs to complete these commands.
    ///
    /// For bash: `qiguan completions bash > ~/.local/share/bash-completion/completions/qiguan`
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Write manual pages, one for each command.
    Man {
        /// The folder for them, such as ~/.local/share/man/man1.
        folder: PathBuf,
    },
}

#[derive(Subcommand)]
pub enum Admin {
    /// Read everything, play every game again by the rules, and say what is damaged; exit with 1 when anything is.
    ///
    /// A hall may be running; it cannot start while the check runs.
    Check {
        #[command(flatten)]
        data: DataFolder,
    },
    /// Write a copy of everything to a file, while a hall runs or not; exit with 1 when something in it is damaged.
    Backup {
        /// The file to be written; one that is there is left alone.
        file: PathBuf,
        #[command(flatten)]
        data: DataFolder,
    },
    /// Put a backup into an empty or new folder; no hall may use it.
    Restore {
        /// The backup.
        file: PathBuf,
        /// Even where there are data: they are moved to a folder before-restore-… in that folder.
        #[arg(long)]
        replace: bool,
        #[command(flatten)]
        data: DataFolder,
    },
    /// Open a table again that failed three times and was closed; no hall may use the folder.
    Pardon {
        /// Its id, the last part of its link.
        table: String,
        #[command(flatten)]
        data: DataFolder,
    },
    /// Go on with what is left of damaged data; no hall may use the folder. What is lost is lost: copy the folder before.
    AcceptDamage {
        #[command(flatten)]
        data: DataFolder,
    },
}

/// Where a hall keeps its data.
#[derive(Group)]
pub struct DataFolder {
    /// The folder of the data, as in `qiguan serve --data`.
    #[arg(short, long = "data", default_value = "data", value_name = "DIR")]
    pub folder: PathBuf,
}

#[derive(Subcommand)]
pub enum Learn {
    /// Play games of the engine against itself; a run that stopped goes on.
    Games(SelfGames),
    /// Fit the weights of an evaluation to such games; a run that stopped goes on.
    Fit(FitWeights),
    /// Write the quiet positions of such games to a compact file, for networks.
    Positions(PackPositions),
    /// Train a network on such files; a run that stopped goes on.
    Train(TrainNetwork),
}

#[derive(Group)]
pub struct PackPositions {
    /// A game as `qiguan games` lists it; a family or a variant alone will do, such as gomoku or renju.
    #[arg(long)]
    pub game: String,
    /// The games, from `qiguan learn games`; may be repeated.
    #[arg(long, value_name = "FILE", required = true)]
    pub data: Vec<PathBuf>,
    /// Where the positions go.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Positions that the search judged by more are left out, in hundredths.
    #[arg(long, default_value_t = 1500, value_parser = clap::value_parser!(i32).range(1..=30_000))]
    pub most: i32,
    /// An option of the game, as `size=15`; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, i64)>,
}

#[derive(Group)]
pub struct TrainNetwork {
    /// A game as `qiguan games` lists it; a family or a variant alone will do, such as gomoku or renju.
    #[arg(long)]
    pub game: String,
    /// The positions, from `qiguan learn positions`; may be repeated.
    #[arg(long, value_name = "FILE", required = true)]
    pub data: Vec<PathBuf>,
    /// Where the weights go. What is needed to go on is kept beside them until the end.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// How often every position is looked at.
    #[arg(long, default_value_t = 20, value_parser = RangedU64ValueParser::<usize>::new().range(1..=1 << 24))]
    pub epochs: usize,
    /// Positions of a step.
    #[arg(long, default_value_t = 4_096, value_parser = RangedU64ValueParser::<usize>::new().range(1..=1 << 24))]
    pub batch: usize,
    /// The first step's size.
    #[arg(long, default_value_t = 0.002)]
    pub rate: f32,
    /// The share of the game's result in what is learned; the rest is the search's score.
    #[arg(long, value_name = "SHARE", default_value_t = 0.25)]
    pub result: f32,
    /// How many hundredths make a logit; 0: what fits the scores of the search.
    #[arg(long, default_value_t = 0.0)]
    pub scale: f32,
    /// Positions that the search judged by more are left out, in hundredths.
    #[arg(long, default_value_t = 1500, value_parser = clap::value_parser!(i32).range(1..=30_000))]
    pub most: i32,
    /// Decides the first weights and the order of positions.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads; they change nothing but the time.
    #[arg(long, default_value_t = 1, value_parser = threads())]
    pub threads: usize,
    /// The commit that the games were played with, for the file of weights.
    #[arg(long, default_value = "unknown")]
    pub commit: String,
}

#[derive(Group)]
pub struct SelfGames {
    /// A game as `qiguan games` lists it; a family or a variant alone will do, such as gomoku or renju.
    #[arg(long)]
    pub game: String,
    /// Where games are kept, a line of JSON each.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// How many games there shall be.
    #[arg(long, default_value_t = 10_000, value_parser = count(1 << 30))]
    pub games: usize,
    /// Positions for each move.
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Random turns that begin a game; every second game has one more.
    #[arg(long, value_name = "TURNS", default_value_t = 6)]
    pub opening_plies: usize,
    /// The most random turns: each game draws its number between both; 0: no such range.
    #[arg(long, value_name = "TURNS", default_value_t = 0)]
    pub opening_most: usize,
    /// How much better either side may stand after them, in hundredths; 0: whatever comes.
    #[arg(long, default_value_t = 200)]
    pub balance: i32,
    /// A game is over when both sides say so by so much, for so many moves.
    #[arg(long, value_name = "SCORE,MOVES", value_parser = adjudication, default_value = "1000cp,6")]
    pub adjudicate: (i32, u32),
    /// A game is drawn after so many moves.
    #[arg(long, default_value_t = 300, value_parser = count(100_000))]
    pub max_plies: usize,
    /// Decides the openings.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Games at once.
    #[arg(long, default_value_t = 1, value_parser = threads())]
    pub threads: usize,
    /// An option of the game, as `size=15`; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, i64)>,
    #[command(flatten)]
    pub map: Package,
}

#[derive(Group)]
pub struct FitWeights {
    /// A game as `qiguan games` lists it; a family or a variant alone will do, such as gomoku or renju.
    #[arg(long)]
    pub game: String,
    /// The games, from `qiguan learn games`; may be repeated.
    #[arg(long, value_name = "FILE", required = true)]
    pub data: Vec<PathBuf>,
    /// Where the weights go. What is needed to go on is kept beside them until the end.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// How often every position is looked at.
    #[arg(long, default_value_t = 30, value_parser = count(1 << 24))]
    pub epochs: usize,
    /// Positions of a step.
    #[arg(long, default_value_t = 16_384, value_parser = count(1 << 24))]
    pub batch: usize,
    /// The first step's size, in logits.
    #[arg(long, default_value_t = 0.01)]
    pub rate: f32,
    /// The share of the game's result in what is learned; the rest is the search's score.
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    pub result: f32,
    /// What it costs to leave the start.
    #[arg(long, default_value_t = 1e-6)]
    pub shrink: f32,
    /// How many hundredths make a logit; 0: what fits the scores of the search.
    #[arg(long, default_value_t = 0.0)]
    pub scale: f32,
    /// Positions that the search judged by more are left out, in hundredths.
    #[arg(long, default_value_t = 1500, value_parser = clap::value_parser!(i32).range(1..=30_000))]
    pub most: i32,
    /// Begin where the weights that are built in end, not at the hand-written ones.
    #[arg(long)]
    pub further: bool,
    /// Decides the order of positions.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads.
    #[arg(long, default_value_t = 1, value_parser = threads())]
    pub threads: usize,
    /// An option of the game, as `size=15`; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, i64)>,
}

#[derive(Subcommand)]
pub enum Map {
    /// Write a small game to begin with: every cell that matters is explained beside it.
    New {
        /// The .xlsx file to be written; one that is there is left alone.
        file: PathBuf,
    },
    /// Say every error and warning of a map; exit with 1 when there are errors.
    Check {
        /// The .xlsx file.
        file: PathBuf,
        #[command(flatten)]
        extensions: Extensions,
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Show the board and every piece's moves as text.
    Show {
        /// The .xlsx file.
        file: PathBuf,
        #[command(flatten)]
        extensions: Extensions,
    },
}

/// The files of a game that users made.
#[derive(Group)]
pub struct Package {
    /// The .xlsx file, for games that come with a map.
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
    #[command(flatten)]
    pub extensions: Extensions,
}

/// The extensions of a map.
#[derive(Group)]
pub struct Extensions {
    /// An extension of the map, a .py file; may be repeated, and they are asked in this order.
    #[arg(long = "extension", value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

#[derive(Group)]
pub struct Serve {
    /// Where to listen; port 0 takes any free one.
    #[arg(short, long, default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Where the keeper of the hall may read what is measured, as 127.0.0.1:9464; nowhere unless this is given.
    #[arg(long, value_name = "ADDRESS")]
    pub admin_listen: Option<SocketAddr>,
    /// The folder of the data.
    #[arg(short, long, default_value = "data", value_name = "DIR")]
    pub data: PathBuf,
    /// A file of settings in TOML; docs/limits.md lists them.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The address people type, with its http or https, when it is another one.
    #[arg(long, value_name = "URL", value_parser = public_url)]
    pub public_url: Option<String>,
    /// Requests come through a proxy that adds X-Forwarded-For.
    #[arg(long)]
    pub behind_proxy: bool,
    /// How much one client may ask; off only for measurements on one's own machine. On, unless --config says otherwise.
    #[arg(long, value_enum)]
    pub limits: Option<Limits>,
    /// A file that names other people's engines; they sit down with people.
    #[arg(long, value_name = "FILE")]
    pub engines: Option<PathBuf>,
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
    /// A game as `qiguan games` lists it; a family or a variant alone will do, such as gomoku or renju.
    pub game: String,
    /// The length of the paths.
    #[arg(value_parser = clap::value_parser!(u32).range(..=60))]
    pub depth: u32,
    /// From this position.
    #[arg(long)]
    pub fen: Option<String>,
    /// An option of the game, as `size=15`; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, i64)>,
    #[command(flatten)]
    pub map: Package,
    /// Show the count under each first move.
    #[arg(short, long)]
    pub divide: bool,
    /// Threads that count.
    #[arg(short, long, default_value_t = 1, value_parser = threads())]
    pub threads: usize,
    /// Give up after so many seconds; 0: never.
    #[arg(short, long, default_value_t = 600)]
    pub seconds: u64,
    /// As JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Group)]
pub struct Play {
    /// A game as `qiguan games` lists it, a family or a variant alone, such as gomoku or renju, or a map's .xlsx file; without it, a menu.
    pub game: Option<String>,
    /// From this position.
    #[arg(long)]
    pub fen: Option<String>,
    /// An option of the game, as `size=15`; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, i64)>,
    #[command(flatten)]
    pub map: Package,
    /// A clock: 300+5 (seconds and increment), 600+3x30 (byo-yomi), 30/move, or none.
    #[arg(short, long, default_value = "none")]
    pub clock: String,
    /// Against a player of this program, from level 1, whom a child can beat, to level 10.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=10))]
    pub level: Option<u8>,
    /// Your side against a player of this program, or at a table you open.
    #[arg(short, long, value_enum)]
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
    /// As another guest of halls than usual on this computer, known by that name here: two people can play each other.
    #[arg(long, value_name = "NAME", value_parser = guest)]
    pub guest: Option<String>,
    /// One line in, one line out: for screen readers, scripts and teaching.
    #[arg(short, long)]
    pub plain: bool,
    /// How the screen looks: wide, origin, ascii, contrast.
    #[arg(long, value_parser = themes())]
    pub theme: Option<tui::Theme>,
    /// The language: en or zh; without it, what LC_ALL, LC_MESSAGES or LANG says.
    #[arg(long, value_parser = ["en", "zh"])]
    pub lang: Option<String>,
    /// What the extensions of the map print, and the whole traceback of what fails in them, go to standard error; on a screen they are shown beside the board, and go there afterwards.
    #[arg(long, conflicts_with = "hall")]
    pub debug: bool,
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
    #[arg(short, long, value_name = "FORMAT", value_parser = formats(|_| true))]
    pub from: Option<Format>,
    /// The format of the output.
    #[arg(short, long, value_name = "FORMAT", value_parser = formats(Format::writes))]
    pub to: Format,
    /// The game that positions belong to, as `qiguan games` lists it; a family or a variant alone will do.
    #[arg(short, long, value_name = "GAME")]
    pub game: Option<String>,
    /// The notation of xiangqi moves in PGN.
    #[arg(long, default_value = "chinese", value_parser = notations())]
    pub notation: pgn::Style,
    /// The file to read; standard input without it, or for `-`.
    pub input: Option<PathBuf>,
    /// Write even over a file that is there.
    #[arg(long)]
    pub force: bool,
    /// The file to write; standard output without it, or for `-`. One that is there is left alone, unless --force is said.
    pub output: Option<PathBuf>,
}

#[derive(Group)]
pub struct Engine {
    /// The game (as `qiguan games` lists it; a family or a variant alone will do), a protocol, or both in any order.
    #[arg(required = true, num_args = 1..=2, value_name = "GAME|PROTOCOL")]
    pub names: Vec<String>,
    /// uci, ucci, hub or gomocup; without it the usual one of the game.
    #[arg(short, long, value_parser = protocols())]
    pub protocol: Option<Protocol>,
    /// An option of the game, as `size=15`; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, i64)>,
    #[command(flatten)]
    pub map: Package,
    /// The table of positions, in MiB.
    #[arg(long, default_value_t = engine::native::USUAL_MEMORY, value_parser = mebibytes())]
    pub hash: usize,
    /// Draughts on 10x10 by DXP: wait here for another program, as at 127.0.0.1:27531.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "protocol")]
    pub listen: Option<SocketAddr>,
    /// Draughts on 10x10 by DXP: call a program that waits there, and play one game.
    #[arg(long, value_name = "HOST:PORT", conflicts_with_all = ["protocol", "listen"])]
    pub connect: Option<String>,
    /// With --connect: what we play.
    #[arg(long, value_enum, default_value_t = Colour::White)]
    pub colour: Colour,
    /// With --connect: minutes for the game, for each; 0: no clock.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(..=999))]
    pub minutes: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    White,
    Black,
}

#[derive(Group)]
pub struct Match {
    /// A game as `qiguan games` lists it; a family or a variant alone will do, such as gomoku or renju.
    #[arg(short, long)]
    pub game: String,
    /// The first engine: `our`, `our:level=3`, `our:depth=2`, `greedy`, `random`, `uci:COMMAND` (or ucci, cyclone, hub, hub1, gomocup), or a name from --engines.
    #[arg(short, long, value_name = "ENGINE")]
    pub a: String,
    /// The second engine.
    #[arg(short, long, value_name = "ENGINE")]
    pub b: String,
    /// The file that names engines.
    #[arg(short, long, value_name = "FILE")]
    pub engines: Option<PathBuf>,
    /// Pairs of games: one opening with colours reversed.
    #[arg(short, long, default_value_t = 100, value_parser = count(1_000_000))]
    pub pairs: usize,
    /// Milliseconds for each move.
    #[arg(long, value_name = "MS", group = "control", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub movetime: Option<u64>,
    /// A clock: seconds, and seconds added for each move, as 10+0.1.
    #[arg(long, value_name = "TIME+INCREMENT", group = "control", value_parser = clock)]
    pub tc: Option<(f64, f64)>,
    /// Positions for each move.
    #[arg(short, long, group = "control", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Plies for each move.
    #[arg(short, long, group = "control", value_parser = clap::value_parser!(u32).range(1..=200))]
    pub depth: Option<u32>,
    /// Milliseconds that are not yet late.
    #[arg(long, value_name = "MS", default_value_t = 50, value_parser = clap::value_parser!(u64).range(..=86_400_000))]
    pub margin: u64,
    /// Random turns that begin a game.
    #[arg(long, value_name = "TURNS", default_value_t = 6, value_parser = up_to(200))]
    pub opening_plies: usize,
    /// How much better either side may stand after them, in hundredths; 0: whatever comes.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(i32).range(0..=30_000))]
    pub balance: i32,
    /// Decides the openings.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Games at once; more than there are idle cores falsifies times.
    #[arg(short, long, default_value_t = 1, value_parser = threads())]
    pub concurrency: usize,
    /// The table of each engine, in MiB.
    #[arg(long, default_value_t = engine::native::USUAL_MEMORY, value_parser = mebibytes())]
    pub hash: usize,
    /// A game is won when both engines say so by so much, for so many moves, as 1000cp,6.
    #[arg(long, value_name = "SCORE,MOVES", value_parser = adjudication)]
    pub adjudicate: Option<(i32, u32)>,
    /// A game is drawn after so many moves.
    #[arg(long, default_value_t = 300, value_parser = count(100_000))]
    pub max_plies: usize,
    /// Stop when it is clear whether A is stronger by LOW or by HIGH: `LOW,HIGH[,norm]`.
    #[arg(long, value_name = "LOW,HIGH[,norm]", value_parser = sprt, allow_hyphen_values = true)]
    pub sprt: Option<arena::Sprt>,
    /// Where games are kept, a line of JSON each; a match that stopped goes on.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Where games are written at the end; the name says the format: .pgn, .pdn, .sgf, .json, .txt.
    #[arg(short, long, value_name = "FILE")]
    pub records: Option<PathBuf>,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
    /// An option of the game, as `size=15`; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, i64)>,
    #[command(flatten)]
    pub map: Package,
}

#[derive(Group)]
pub struct Confined {
    /// Where it may read.
    #[arg(long)]
    pub folder: PathBuf,
    /// What else it may read; may be repeated.
    #[arg(long, value_name = "PATH")]
    pub reads: Vec<PathBuf>,
    /// What it may write; may be repeated.
    #[arg(long, value_name = "PATH")]
    pub writes: Vec<PathBuf>,
    /// Its private folder for temporary files, which becomes its home.
    #[arg(long, value_name = "DIR")]
    pub temporary: Option<PathBuf>,
    /// A TCP port on which it may wait to be called.
    #[arg(long)]
    pub port: Option<u16>,
    /// The most memory of a process.
    #[arg(long, value_name = "MIB")]
    pub memory_mb: Option<u64>,
    /// How many further processes it may start.
    #[arg(long, default_value_t = 0)]
    pub processes: u32,
    /// Who it runs as, when root starts it: the number of a user; 0 for root. Nobody unless said.
    #[arg(long, value_name = "NUMBER")]
    pub user: Option<u32>,
    /// By how much its priority is lowered.
    #[arg(long, default_value_t = 0)]
    pub nice: u8,
    /// An environment variable; may be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    pub environment: Vec<(String, String)>,
    /// The process that starts it; another one is refused.
    #[arg(long, value_name = "PROCESS")]
    pub parent: Option<u32>,
    /// The program and its arguments.
    #[arg(required = true, last = true)]
    pub command: Vec<String>,
}

#[derive(Group)]
pub struct Load {
    /// The hall, started with `--limits off`.
    #[arg(long, default_value = "http://127.0.0.1:8080")]
    pub hall: String,
    /// Where it tells what it measures, with its http: the address of its --admin-listen.
    #[arg(long, value_name = "URL")]
    pub admin: Option<String>,
    /// Connections: two for each table.
    #[arg(short, long, default_value_t = 200, value_parser = RangedU64ValueParser::<usize>::new().range(2..=100_000))]
    pub connections: usize,
    /// Seconds of play.
    #[arg(short, long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub seconds: u64,
    /// Moves a second for all together; absent: as fast as they are answered.
    #[arg(long, value_parser = rate)]
    pub rate: Option<f64>,
    /// Only connect; measures memory.
    #[arg(long)]
    pub idle: bool,
}

/// At least one, and no more than `most`.
fn count(most: u64) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=most)
}

/// Nothing, or no more than `most`.
fn up_to(most: u64) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(..=most)
}

/// How many threads may work.
fn threads() -> RangedU64ValueParser<usize> {
    count(256)
}

/// The size of a table, as engines offer it.
fn mebibytes() -> RangedU64ValueParser<usize> {
    count(16 << 10)
}

/// A name that is a folder's name everywhere.
fn guest(text: &str) -> Result<String, String> {
    let sign = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let fits = (1..=40).contains(&text.len()) && text.chars().all(sign);
    fits.then(|| text.to_owned()).ok_or_else(|| "write 1 to 40 letters, digits, - or _".to_owned())
}

fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse::<f64>().ok().filter(|rate| (0.001..=1e6).contains(rate));
    rate.ok_or_else(|| "write moves a second, from 0.001 to 1000000".to_owned())
}

fn formats(which: fn(Format) -> bool) -> impl TypedValueParser<Value = Format> {
    let keys = Format::ALL.into_iter().filter(|f| which(*f)).map(Format::key);
    PossibleValuesParser::new(keys).map(|key| Format::keyed(&key).expect("one of the keys"))
}

fn notations() -> impl TypedValueParser<Value = pgn::Style> {
    let keys = pgn::Style::ALL.map(pgn::Style::key);
    PossibleValuesParser::new(keys).map(|key| pgn::Style::keyed(&key).expect("one of the keys"))
}

fn protocols() -> impl TypedValueParser<Value = Protocol> {
    let keys = ["uci", "ucci", "hub", "gomocup"];
    PossibleValuesParser::new(keys).map(|key| Protocol::keyed(&key).expect("one of the keys"))
}

fn clock(text: &str) -> Result<(f64, f64), String> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let seconds = |text: &str| text.parse::<f64>().ok().filter(|s| (0.0..=86_400.0).contains(s));
    let clock = seconds(base).filter(|&base| base > 0.0).zip(seconds(increment));
    clock.ok_or_else(|| "write seconds, such as 10+0.1".to_owned())
}

fn adjudication(text: &str) -> Result<(i32, u32), String> {
    let read = |text: &str| {
        let (score, moves) = text.split_once(',')?;
        let score = score.strip_suffix("cp").unwrap_or(score).parse().ok().filter(|&score| score > 0)?;
        Some((score, moves.parse().ok().filter(|&moves| moves > 0)?))
    };
    read(text).ok_or_else(|| "write SCORE,MOVES, such as 1000cp,6".to_owned())
}

fn sprt(text: &str) -> Result<arena::Sprt, String> {
    let parts: Vec<&str> = text.split(',').collect();
    let read = |low: &str, high: &str, scale| arena::Sprt::new(low.parse().ok()?, high.parse().ok()?, scale);
    let sprt = match parts.as_slice() {
        [low, high] => read(low, high, arena::Scale::Logistic),
        [low, high, "norm"] => read(low, high, arena::Scale::Normalised),
        _ => None,
    };
    sprt.ok_or_else(|| "write LOW,HIGH or LOW,HIGH,norm, such as 0,5,norm".to_owned())
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
/// `NAME=VALUE`, where the value may hold anything.
fn variable(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
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
