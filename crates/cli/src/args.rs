//! The command line: commands, options and their help.

use std::net::{Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

use clap::builder::{
    PossibleValue, PossibleValuesParser, RangedU64ValueParser, StringValueParser, TypedValueParser,
};
use clap::{Args as Group, Parser, Subcommand, ValueEnum};
use external::Protocol;
use records::{Format, pgn};

/// A hall for board games: xiangqi, draughts, gomoku, locked chess, and games on maps that players make.
#[derive(Parser)]
#[command(name = "qiguan", version, about, propagate_version = true)]
pub struct Args {
    /// Tell everything as JSON: results, sentences as {"said": …}; on standard error {"note": …} and {"error": …}.
    #[arg(long, global = true)]
    pub json: bool,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Open a hall: the web page, the API and the tables.
    Serve(Serve),
    /// Think for a hall on this machine: programs' turns, hints, analyses, reports, puzzles and balance.
    Worker(Worker),
    /// Answer questions about rules, one line of JSON each, on standard input and output.
    Referee,
    /// List every game with its options.
    Games {
        /// Print the list as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Play in this terminal: here, or at a table of a hall.
    Play(Box<Play>),
    /// Count move paths (perft).
    Perft(Perft),
    /// Convert records and positions between formats.
    Convert(Convert),
    /// Compute what chance decided in a record again, from the secret that the hall told at its end.
    Verify(Verify),
    /// Collect games, and find them by players, positions and patterns.
    #[command(subcommand)]
    Library(Library),
    /// Pair, rank and check competitions in tournament reports (TRF).
    #[command(subcommand)]
    Competition(Competition),
    /// Make puzzles from games, and solve them.
    #[command(subcommand)]
    Puzzles(Puzzles),
    /// Run our engine for other programs, on standard input and output.
    Engine(Engine),
    /// Let two engines play a match, with Elo, error bars and a sequential test (SPRT).
    Match(Box<Match>),
    /// Train our engine: play games against itself and fit weights to them.
    #[command(subcommand)]
    Learn(Learn),
    /// Prove what can be proved about a game, and check proofs.
    #[command(subcommand)]
    Solve(Solve),
    /// Run a program confined to its folder; it ends with the process that started it.
    Confined(Confined),
    /// Measure the load that a running hall can take.
    Load(Load),
    /// Create, check and show maps: games that users make.
    #[command(subcommand)]
    Map(Map),
    /// Check, back up and restore the data of a hall.
    #[command(subcommand)]
    Admin(Admin),
    /// Print a completion script for a shell.
    ///
    /// For bash: `qiguan completions bash > ~/.local/share/bash-completion/completions/qiguan`
    Completions {
        /// The shell to complete for.
        shell: clap_complete::Shell,
    },
    /// Write manual pages, one for each command.
    Man {
        /// The folder to write to, such as ~/.local/share/man/man1.
        folder: PathBuf,
    },
}

#[derive(Subcommand)]
pub enum Admin {
    /// Read everything, replay every game by the rules, and report damage; exit with 1 when there is any.
    ///
    /// A hall may be running; it cannot start while the check runs.
    Check {
        #[command(flatten)]
        place: Place,
    },
    /// Back up everything to a file, whether a hall runs or not; exit with 1 when anything in it is damaged.
    Backup {
        /// The file to write; an existing file is not overwritten.
        file: PathBuf,
        #[command(flatten)]
        data: DataFolder,
    },
    /// Restore a backup into an empty or new folder; no hall may be using it.
    Restore {
        /// The backup file to restore from.
        file: PathBuf,
        /// Restore even where there are data: they are moved to a folder before-restore-… in that folder.
        #[arg(long)]
        replace: bool,
        #[command(flatten)]
        data: DataFolder,
    },
    /// Reopen a table that was closed after failing three times; no hall may be using the folder.
    Pardon {
        /// The table's id, the last part of its link.
        table: String,
        #[command(flatten)]
        place: Place,
    },
    /// Make the rows of finished games and all ratings again from the logs; no hall may be using the folder.
    ///
    /// Halls of earlier versions have no such rows for their older games: this makes them.
    Rebuild {
        #[command(flatten)]
        data: DataFolder,
    },
    /// Compute all ratings again from the rated games; no hall may be using the folder.
    Ratings {
        /// Replace what is stored where it differs; nothing else can be done with ratings yet, so it must be given.
        #[arg(long, required = true)]
        recompute: bool,
        #[command(flatten)]
        data: DataFolder,
    },
    /// Give or take a role. A hall that uses the folder does it at once, as with all that follows about people and the hall.
    Role {
        /// The name of the account, or one it had.
        name: String,
        /// The role: moderator or admin.
        #[arg(value_parser = ["moderator", "admin"])]
        role: String,
        /// Take it instead of giving it.
        #[arg(long)]
        remove: bool,
        #[command(flatten)]
        place: Place,
    },
    /// Close an account for good: name, credentials and notes are deleted at once, sessions and connections end. The hall, or
    /// its next start, gives up its open games and takes its name out of the logs.
    Forget {
        /// The name of the account, or one it had.
        name: String,
        #[command(flatten)]
        place: Place,
    },
    /// Write everything the hall holds about an account to a file, as JSON Lines.
    Export {
        /// The name of the account, or one it had.
        name: String,
        /// The file to write; an existing file is not overwritten.
        file: PathBuf,
        #[command(flatten)]
        place: Place,
    },
    /// Keep an account or a range of addresses out for a while: they may watch, and nothing else.
    Ban {
        #[command(flatten)]
        ban: BanWish,
        #[command(flatten)]
        place: Place,
    },
    /// Let an account in again, or lift a ban of addresses.
    Unban {
        /// The name of the account, the banned address or range, or the number of the ban.
        who: String,
        #[command(flatten)]
        place: Place,
    },
    /// Count the people of the last day whom a ban of addresses would hit: all of them, and those with an account. Without a
    /// running hall only accounts are known.
    Hits {
        /// An address, or a range such as 192.0.2.0/24.
        range: String,
        #[command(flatten)]
        place: Place,
    },
    /// List whom the hall keeps out, and until when.
    Bans {
        #[command(flatten)]
        place: Place,
    },
    /// Decide about a person without a report; they see the decision and its reason, and may appeal.
    Decide {
        /// The name of the account, or one it had.
        name: String,
        /// The decision about the person.
        #[arg(value_parser = ["warn", "mute", "suspend", "reset-ratings", "close", "reopen"])]
        decision: String,
        /// The length of a mute or a suspension, in days.
        #[arg(long)]
        days: Option<u32>,
        /// The reason, in words for the people it concerns.
        #[arg(long, default_value = "")]
        reason: String,
        #[command(flatten)]
        place: Place,
    },
    /// List the reports that wait for a decision.
    Reports {
        /// List all reports on this account and the decisions about them.
        #[arg(long, value_name = "NAME")]
        about: Option<String>,
        #[command(flatten)]
        place: Place,
    },
    /// Decide about a report.
    Report {
        /// The number of the report.
        number: u64,
        /// The decision about the report.
        #[arg(value_parser = ["nothing", "warn", "mute", "suspend", "reset-ratings", "close", "take-down"])]
        decision: String,
        /// The length of a mute or a suspension, in days.
        #[arg(long)]
        days: Option<u32>,
        /// The reason, in words for the people it concerns.
        #[arg(long, default_value = "")]
        reason: String,
        #[command(flatten)]
        place: Place,
    },
    /// Print what the hall knows about a person: roles, ways in, devices, reports, decisions, games and maps.
    Person {
        /// The name of the account, or the id of any person.
        name: String,
        #[command(flatten)]
        place: Place,
    },
    /// Announce something to everybody, in both languages; without words, list what is announced.
    Announce {
        #[command(flatten)]
        announce: AnnounceWish,
        #[command(flatten)]
        place: Place,
    },
    /// Decide who may make an account and whether guests may play; without a wish, say how it is.
    Registration {
        #[command(flatten)]
        registration: RegistrationWish,
        #[command(flatten)]
        place: Place,
    },
    /// List the invitations that are valid.
    Invitations {
        /// Revoke the invitation of this id.
        #[arg(long, value_name = "ID")]
        revoke: Option<String>,
        #[command(flatten)]
        place: Place,
    },
    /// Take a map down: it is no longer listed, no game begins on it, and running games go on. Without a map, list those that
    /// are down.
    TakeDown {
        /// The map's id, the last part of its link.
        map: Option<String>,
        /// The reason, in words for its author.
        #[arg(long, default_value = "")]
        reason: String,
        #[command(flatten)]
        place: Place,
    },
    /// Put a map back that was taken down.
    PutBack {
        /// The map's id, the last part of its link.
        map: String,
        #[command(flatten)]
        place: Place,
    },
    /// Find accounts by the beginning of their name, or by id.
    Search {
        /// The beginning of a name, or an id.
        #[arg(required_unless_present = "sharing")]
        text: Option<String>,
        /// Find accounts that were seen at the same networks as this one.
        #[arg(long, value_name = "NAME", conflicts_with = "text")]
        sharing: Option<String>,
        #[command(flatten)]
        place: Place,
    },
    /// Print what the staff did and looked at, the newest first.
    Audit {
        /// Show only acts on this account.
        #[arg(long, value_name = "NAME")]
        about: Option<String>,
        /// Show only lines below this number.
        #[arg(long, value_name = "N")]
        below: Option<u64>,
        #[command(flatten)]
        place: Place,
    },
    /// Continue with what is left of damaged data; no hall may be using the folder. What is lost is lost: copy the
    /// folder first.
    AcceptDamage {
        #[command(flatten)]
        data: DataFolder,
    },
    /// Make a new key by which the nodes of a hall believe each other on the bus; they may run meanwhile.
    BusKey {
        /// Make a new name of the hall on the bus as well: for a copy of a database that is to be another hall. Its nodes
        /// must be started again.
        #[arg(long)]
        new_name: bool,
        /// The database, as in `qiguan serve --store`. QIGUAN_STORE says the same.
        #[arg(long, value_name = "URL")]
        store: Option<String>,
    },
    /// Make, list and remove the keys of workers, which think for the hall on other machines; a hall that uses the folder does
    /// it.
    #[command(subcommand)]
    WorkerKey(WorkerKey),
    /// Move everything in a folder into an empty database of PostgreSQL, for a hall of several nodes; no hall may be using
    /// either. The folder stays as it is.
    Move {
        #[command(flatten)]
        data: DataFolder,
        /// The database to move to, as in `qiguan serve --store`. QIGUAN_STORE says the same.
        #[arg(long, value_name = "URL")]
        store: Option<String>,
    },
}

#[derive(Subcommand)]
pub enum WorkerKey {
    /// Make a key for a worker, and print it this once.
    Add {
        /// A name for the list, such as the machine's.
        name: String,
        /// The work the worker may be given: play, study or background; may be repeated. Without it, everything.
        #[arg(long = "scope", value_name = "SCOPE", value_parser = ["play", "study", "background"])]
        scopes: Vec<String>,
        #[command(flatten)]
        place: Place,
    },
    /// List the keys of workers, and why any of them is set aside.
    List {
        #[command(flatten)]
        place: Place,
    },
    /// Remove a key: it counts nowhere from now on.
    Remove {
        /// The key's id, as the list shows it.
        id: String,
        #[command(flatten)]
        place: Place,
    },
    /// Give work again to a key that was set aside because its answers were wrong.
    Restore {
        /// The key's id, as the list shows it.
        id: String,
        #[command(flatten)]
        place: Place,
    },
}

/// The account or the addresses to keep out, and the time.
#[derive(Group, Clone, Debug)]
pub struct BanWish {
    /// The name of an account, an address, or a range such as 192.0.2.0/24.
    pub who: String,
    /// The length of the ban, in days.
    #[arg(long)]
    pub days: u32,
    /// The reason, in words for the people it concerns.
    #[arg(long, default_value = "")]
    pub reason: String,
    /// Let accounts through that are older than this number of days; for addresses.
    #[arg(long, value_name = "DAYS")]
    pub spare_days: Option<u32>,
    /// Confirm a range wider than a /16, or a /32 of IPv6; without it, such a ban is refused.
    #[arg(long)]
    pub wide: bool,
}

/// The announcement to make or withdraw.
#[derive(Group, Clone, Debug)]
pub struct AnnounceWish {
    /// The words in English.
    #[arg(long, requires = "zh")]
    pub en: Option<String>,
    /// The words in Chinese.
    #[arg(long, requires = "en")]
    pub zh: Option<String>,
    /// The time for which it is announced, in hours.
    #[arg(long, default_value_t = 24)]
    pub hours: u32,
    /// Withdraw the announcement of this number.
    #[arg(long, value_name = "N", conflicts_with = "en")]
    pub withdraw: Option<u64>,
}

/// The registration settings of the hall.
#[derive(Group, Clone, Debug)]
pub struct RegistrationWish {
    /// The way accounts are made: open, invited or closed.
    #[arg(value_parser = ["open", "invited", "closed"])]
    pub how: Option<String>,
    /// Let guests only watch.
    #[arg(long, conflicts_with = "guests")]
    pub accounts_only: bool,
    /// Let guests play.
    #[arg(long)]
    pub guests: bool,
    /// Make a code by which this number of accounts may be made.
    #[arg(long, value_name = "USES")]
    pub invite: Option<u32>,
    /// The purpose of the code, for the list of invitations.
    #[arg(long, default_value = "", requires = "invite")]
    pub label: String,
    /// The number of days for which the code is valid.
    #[arg(long, default_value_t = 7)]
    pub days: u32,
}

/// The options that say where a hall's data are: a folder, or a database that several halls share.
#[derive(Group)]
pub struct Place {
    #[command(flatten)]
    pub data: DataFolder,
    /// The database instead of the folder, as in `qiguan serve --store`; halls may be using it. QIGUAN_STORE says the same.
    #[arg(long, value_name = "URL", conflicts_with = "folder")]
    pub store: Option<String>,
}

/// The option that names the data folder.
#[derive(Group)]
pub struct DataFolder {
    /// The data folder, as in `qiguan serve --data`.
    #[arg(short = 'd', long = "data", default_value = "data", value_name = "DIR")]
    pub folder: PathBuf,
}

#[derive(Subcommand)]
pub enum Learn {
    /// Play games of the engine against itself; an interrupted run continues.
    Games(SelfGames),
    /// Make a file of balanced openings, for `qiguan match --openings`.
    Openings(MakeOpenings),
    /// Extract the quiet positions of such games into a compact file.
    Positions(PackPositions),
    /// Fit the weights of a sum of terms to such files; an interrupted run continues.
    Fit(FitWeights),
    /// Train a network on such files; an interrupted run continues.
    Train(TrainNetwork),
}

/// The option that lets a file that is there be overwritten.
#[derive(Group)]
pub struct Force {
    /// Overwrite an existing file.
    #[arg(long)]
    pub force: bool,
}

#[derive(Group)]
pub struct PackPositions {
    /// A game as `qiguan games` lists it; a family or a variant alone will do, such as gomoku or renju.
    #[arg(short, long, value_parser = GameName, hide_possible_values = true)]
    pub game: String,
    /// The games, from `qiguan learn games`; may be repeated.
    #[arg(long, value_name = "FILE", required = true)]
    pub data: Vec<PathBuf>,
    /// The file to write positions to.
    #[arg(short, long, value_name = "FILE")]
    pub out: PathBuf,
    /// Positions with a larger score, in hundredths, are left out.
    #[arg(long, default_value_t = 1500, value_parser = clap::value_parser!(i32).range(1..=30_000))]
    pub most: i32,
    #[command(flatten)]
    pub force: Force,
    /// Pack for the sum of weights, where the game also has a network.
    #[arg(long)]
    pub terms: bool,
    /// An option of the game, as `size=15`; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, i64)>,
}

#[derive(Group)]
pub struct TrainNetwork {
    /// A game as `qiguan games` lists it; a family or a variant alone will do, such as gomoku or renju.
    #[arg(short, long, value_parser = GameName, hide_possible_values = true)]
    pub game: String,
    /// The positions, from `qiguan learn positions`; may be repeated.
    #[arg(long, value_name = "FILE", required = true)]
    pub data: Vec<PathBuf>,
    /// The file to write weights to. The state for continuing is kept beside it until the end.
    #[arg(short, long, value_name = "FILE")]
    pub out: PathBuf,
    #[command(flatten)]
    pub force: Force,
    /// Number of passes over all positions.
    #[arg(long, default_value_t = 20, value_parser = RangedU64ValueParser::<usize>::new().range(1..=1 << 24))]
    pub epochs: usize,
    /// Positions in a batch.
    #[arg(long, default_value_t = 4_096, value_parser = RangedU64ValueParser::<usize>::new().range(1..=1 << 24))]
    pub batch: usize,
    /// The learning rate at the start.
    #[arg(long, default_value_t = 0.002)]
    pub rate: f32,
    /// The share of the game's result in the target; the rest is the search's score.
    #[arg(long, value_name = "SHARE", default_value_t = 0.25)]
    pub result: f32,
    /// Hundredths per logit; 0: the value that fits the scores of the search.
    #[arg(long, default_value_t = 0.0)]
    pub scale: f32,
    /// Positions with a larger score, in hundredths, are left out.
    #[arg(long, default_value_t = 1500, value_parser = clap::value_parser!(i32).range(1..=30_000))]
    pub most: i32,
    /// The seed of the initial weights and of the order of positions.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Number of threads; they change nothing but the time.
    #[arg(short = 'j', long, default_value_t = 1, value_parser = threads())]
    pub threads: usize,
    /// The commit that played the games, for the header of the weight file.
    #[arg(long, default_value = "unknown")]
    pub commit: String,
}

#[derive(Group)]
pub struct MakeOpenings {
    /// A game as `qiguan games` lists it; a family or a variant alone will do, such as gomoku or renju.
    #[arg(short, long, value_parser = GameName, hide_possible_values = true)]
    pub game: String,
    /// The file for the openings, one line of moves each.
    #[arg(short, long, value_name = "FILE")]
    pub out: PathBuf,
    #[command(flatten)]
    pub force: Force,
    /// The number of openings.
    #[arg(long, default_value_t = 200, value_parser = count(100_000))]
    pub count: usize,
    /// The fewest random turns.
    #[arg(long, value_name = "TURNS", default_value_t = 6, value_parser = up_to(200))]
    pub plies: usize,
    /// The most random turns.
    #[arg(long, value_name = "TURNS", default_value_t = 8, value_parser = up_to(200))]
    pub most_plies: usize,
    /// The largest score either side may have, in hundredths.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(i32).range(1..=30_000))]
    pub balance: i32,
    /// Positions that our engine looks at to judge one.
    #[arg(short, long, default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Another seed, other openings.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// An option of the game, as `size=15`; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, i64)>,
}

#[derive(Group)]
pub struct SelfGames {
    /// A game as `qiguan games` lists it; a family or a variant alone will do, such as gomoku or renju.
    #[arg(short, long, value_parser = GameName, hide_possible_values = true)]
    pub game: String,
    /// The file for the games, one line of JSON each.
    #[arg(short, long, value_name = "FILE")]
    pub out: PathBuf,
    /// The number of games.
    #[arg(long, default_value_t = 10_000, value_parser = count(1 << 30))]
    pub games: usize,
    /// Positions searched for each move.
    #[arg(short, long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// The number of random turns at the start; every second game has one more.
    #[arg(long, value_name = "TURNS", default_value_t = 6)]
    pub opening_plies: usize,
    /// The largest number of random turns, drawn for each game between both; 0: no such range.
    #[arg(long, value_name = "TURNS", default_value_t = 0)]
    pub opening_most: usize,
    /// The largest score either side may have after the opening, in hundredths; 0: no limit.
    #[arg(long, default_value_t = 200)]
    pub balance: i32,
    /// A game is over when both engines agree on a score of at least SCORE for MOVES moves.
    #[arg(long, value_name = "SCORE,MOVES", value_parser = adjudication, default_value = "1000cp,6")]
    pub adjudicate: (i32, u32),
    /// A game is drawn after this many moves.
    #[arg(long, default_value_t = 300, value_parser = count(100_000))]
    pub max_plies: usize,
    /// The seed of the random openings.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The number of games played at once.
    #[arg(short = 'j', long, default_value_t = 1, value_parser = threads())]
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
    #[arg(short, long, required_unless_present = "map", value_parser = GameName, hide_possible_values = true)]
    pub game: Option<String>,
    /// Fit the weights of this map instead: the key of a built-in one, or an .xlsx file. The engine plays against itself, and
    /// what was fitted is kept only when it wins a match (SPRT) against the general weights; an interrupted run continues.
    #[arg(long, value_name = "MAP", conflicts_with_all = ["game", "data"])]
    pub map: Option<PathBuf>,
    #[command(flatten)]
    pub extensions: Extensions,
    /// The number of games of the engine against itself, with --map.
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(16..=1_000_000), requires = "map")]
    pub games: u32,
    /// Positions searched for each move, with --map.
    #[arg(short, long, default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..=10_000_000), requires = "map")]
    pub nodes: u64,
    /// The Elo values between which the match decides, with --map.
    #[arg(long, value_names = ["LOW", "HIGH"], num_args = 2, allow_negative_numbers = true, requires = "map")]
    pub bounds: Vec<f64>,
    /// Pairs of games after which an undecided match ends without a result that is kept, with --map.
    #[arg(short, long, default_value_t = 4_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000), requires = "map")]
    pub pairs: u32,
    /// The positions, from `qiguan learn positions`; may be repeated.
    #[arg(long, value_name = "FILE", required_unless_present = "map")]
    pub data: Vec<PathBuf>,
    /// The file to write weights to. The state for continuing is kept beside it until the end. With --map a folder: games, the
    /// match, and `weights.txt` when they have won.
    #[arg(short, long, value_name = "FILE")]
    pub out: PathBuf,
    #[command(flatten)]
    pub force: Force,
    /// Number of passes over all positions.
    #[arg(long, default_value_t = 30, value_parser = count(1 << 24))]
    pub epochs: usize,
    /// Positions in a batch.
    #[arg(long, default_value_t = 16_384, value_parser = count(1 << 24))]
    pub batch: usize,
    /// The learning rate at the start, in logits.
    #[arg(long, default_value_t = 0.01)]
    pub rate: f32,
    /// The share of the game's result in the target; the rest is the search's score.
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    pub result: f32,
    /// Strength of the regularisation towards the start values.
    #[arg(long, default_value_t = 1e-6)]
    pub shrink: f32,
    /// Added to the root in Adam's step: the larger, the less weights move that few positions touch.
    #[arg(long, default_value_t = 1e-8)]
    pub damping: f32,
    /// Hundredths per logit; 0: the value that fits the scores of the search.
    #[arg(long, default_value_t = 0.0)]
    pub scale: f32,
    /// Positions with a larger score, in hundredths, are left out.
    #[arg(long, default_value_t = 1500, value_parser = clap::value_parser!(i32).range(1..=30_000))]
    pub most: i32,
    /// Start from the built-in weights, not from the hand-written ones.
    #[arg(long)]
    pub further: bool,
    /// The seed of the order of positions.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Number of threads; they change nothing but the time.
    #[arg(short = 'j', long, default_value_t = 1, value_parser = threads())]
    pub threads: usize,
    /// The commit that played the games, for the header of the weight file.
    #[arg(long, default_value = "unknown")]
    pub commit: String,
}

#[derive(Subcommand)]
pub enum Map {
    /// Write a small game to start from: every cell that matters is explained beside it.
    New {
        /// The .xlsx file to write; an existing file is not overwritten.
        file: PathBuf,
        #[command(flatten)]
        force: Force,
    },
    /// Print every error and warning of a map; exit with 1 when there are errors.
    Check {
        /// The map, an .xlsx file.
        file: PathBuf,
        #[command(flatten)]
        extensions: Extensions,
        /// Play the match that chooses how the computer searches the map, alpha-beta against playouts; write the result to
        /// `game.weights` beside `game.xlsx`, where `qiguan play` and `qiguan serve --weights` find it.
        #[arg(long)]
        search: bool,
        /// Print the result as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print the page of what extensions define and use, with the traps, as Markdown.
    Api,
    /// Let the engine play a map against itself, and tell how balanced it is and what matters on it.
    Report(MapReport),
    /// Run the positions with expected moves that lie beside the maps of a folder; exit with 1 when one is not as expected.
    Test {
        /// The folder: `leap.cases.toml` belongs to `leap.xlsx`.
        folder: PathBuf,
    },
    /// Check the maps of a folder, their extensions and their cases, whenever one of them is saved.
    Watch {
        /// The folder with the maps.
        folder: PathBuf,
    },
    /// Write the board of a map as comma-separated values, or take one into the map.
    Board(MapBoard),
    /// Show the board and the moves of every piece as text.
    Show {
        /// The map, an .xlsx file.
        file: PathBuf,
        #[command(flatten)]
        extensions: Extensions,
    },
}

#[derive(Group)]
pub struct MapBoard {
    /// The map, an .xlsx file.
    pub file: PathBuf,
    /// Take the board from this file: a line for each row, numbers or names of pieces, nothing where none stands.
    #[arg(long, value_name = "CSV", requires = "out")]
    pub read: Option<PathBuf>,
    /// Write to this file: the board, or with --read a map with that board; an existing file is not overwritten. Without it,
    /// the board goes to standard output.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub force: Force,
}

#[derive(Group)]
pub struct MapReport {
    /// The map, an .xlsx file.
    pub file: PathBuf,
    #[command(flatten)]
    pub extensions: Extensions,
    /// A second map, or another version of the first, to be told beside it.
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
    /// An extension of the second map; may be repeated.
    #[arg(long = "against-extension", value_name = "FILE", requires = "against")]
    pub against_extensions: Vec<PathBuf>,
    /// The old built-in places D, R, T, NP and C are known without an extension.
    #[arg(long)]
    pub old_names: bool,
    /// Levels of both sides, the weakest first.
    #[arg(long, value_delimiter = ',', default_value = "2,4,7", value_parser = clap::value_parser!(u8).range(1..=10))]
    pub levels: Vec<u8>,
    /// Games of each level.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub games: u32,
    /// A game is cut off after this many plies.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=2_000))]
    pub longest: u32,
    /// Number of threads; 0: as many as there are cores. It changes no result, unless extensions are slow.
    #[arg(short = 'j', long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=256))]
    pub threads: u16,
    /// Another seed, other games.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// A folder for the games, the report as JSON and as a page, and its pictures. When it has games of the same plan, they
    /// are not played again.
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print the report as JSON.
    #[arg(long)]
    pub json: bool,
}

/// The files of a game that users made.
#[derive(Group)]
pub struct Package {
    /// The map, an .xlsx file, for games that need one.
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
    #[command(flatten)]
    pub extensions: Extensions,
}

/// The extensions of a map.
#[derive(Group)]
pub struct Extensions {
    /// An extension of the map, a .py file; may be repeated, and they are called in this order.
    #[arg(long = "extension", value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

#[derive(Group)]
pub struct Serve {
    /// The address to listen on; port 0 takes any free one.
    #[arg(long, short_alias = 'l', value_name = "ADDRESS", default_value = "127.0.0.1:8080", value_parser = address)]
    pub listen: SocketAddr,
    /// The address at which metrics can be read, such as 127.0.0.1:9464; without it, nowhere.
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    pub admin_listen: Option<SocketAddr>,
    /// The data folder.
    #[arg(short, long, default_value = "data", value_name = "DIR")]
    pub data: PathBuf,
    /// A PostgreSQL database that several halls share, as postgres://user:password@host:5432/database; without it,
    /// everything is in the data folder.
    #[arg(long, value_name = "URL")]
    pub store: Option<String>,
    /// The bus between halls that share a database: local (one hall only, the default), postgres (two or three), or
    /// nats://user:password@host:4222; tls:// is encrypted.
    #[arg(long, value_name = "BUS")]
    pub bus: Option<String>,
    /// A file for the bus that holds user:password, the token, or what NATS writes into a .creds file.
    #[arg(long, value_name = "FILE")]
    pub bus_creds: Option<PathBuf>,
    /// The certificates, a PEM file, of the authority behind the bus's certificate.
    #[arg(long, value_name = "FILE")]
    pub bus_ca: Option<PathBuf>,
    /// The certificate, a PEM file, by which this node shows the bus who it is.
    #[arg(long, value_name = "FILE")]
    pub bus_cert: Option<PathBuf>,
    /// The private key of that certificate: a PEM file.
    #[arg(long, value_name = "FILE")]
    pub bus_key: Option<PathBuf>,
    /// The name of this hall among those that share a database; each has another.
    #[arg(long, value_name = "NAME", default_value = "hall")]
    pub node: String,
    /// An OpenTelemetry collector that takes traces as OTLP over HTTP, such as http://127.0.0.1:4318/v1/traces.
    #[cfg(feature = "traces")]
    #[arg(long, value_name = "URL")]
    pub traces: Option<String>,
    /// A settings file in TOML; docs/options.md lists the settings.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The public address of the hall with http or https, when it differs; a path may follow: https://club.example/games/.
    #[arg(long, value_name = "URL", value_parser = public_url)]
    pub public_url: Option<String>,
    /// Speak https with this certificate: a PEM file, with the certificates of the chain. It is read again when it changes.
    #[arg(long, value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,
    /// The private key of the certificate: a PEM file.
    #[arg(long, value_name = "FILE")]
    pub tls_key: Option<PathBuf>,
    /// Requests come through a proxy that adds X-Forwarded-For or Forwarded.
    #[arg(long)]
    pub behind_proxy: bool,
    /// Rate limits; off only for measurements on your own machine. On, unless --config says otherwise.
    #[arg(long, value_enum)]
    pub limits: Option<Limits>,
    /// A file that names engines of others; they can be chosen as opponents.
    #[arg(short, long, value_name = "FILE")]
    pub engines: Option<PathBuf>,
    /// Open the page in a browser.
    #[arg(long)]
    pub open: bool,
    /// Check the settings of all places and the files that they name, and end without opening the hall.
    #[arg(long)]
    pub check: bool,
    /// Let --check connect to the database and the bus as well, and try the folder and the addresses, all of which a hall
    /// that runs here has taken.
    #[arg(long, requires = "check")]
    pub connect: bool,
    /// The events that the log has: error, warn, info, debug or trace, or other ones for parts of the program, such as
    /// info,hall=debug. Without it RUST_LOG decides, and then info.
    #[arg(long, value_name = "LEVELS")]
    pub log: Option<String>,
    /// Write the log as lines of JSON.
    #[arg(long)]
    pub log_json: bool,
}

#[derive(Group)]
pub struct Worker {
    /// The hall, as http://127.0.0.1:8080 or https://hall.example.
    #[arg(long, value_name = "URL")]
    pub hall: String,
    /// The key that `qiguan admin worker-key add` made; others on this machine can read it here, so that QIGUAN_WORKER_TOKEN or a
    /// file is better.
    #[arg(long, value_name = "KEY", conflicts_with = "token_file")]
    pub token: Option<String>,
    /// A file that holds the key; QIGUAN_WORKER_TOKEN_FILE names it, too.
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// The number of searches at the same time; without it, as many as there are cores.
    #[arg(long, value_parser = threads())]
    pub cores: Option<usize>,
    /// A file that names engines of others; those that the hall's file names, too, are asked here.
    #[arg(short, long, value_name = "FILE")]
    pub engines: Option<PathBuf>,
    /// The certificates, a PEM file, of the authority behind the hall's certificate; without it, those that this system trusts.
    #[arg(long, value_name = "FILE")]
    pub ca: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Limits {
    On,
    Off,
}

#[derive(Group)]
pub struct Perft {
    /// A game as `qiguan games` lists it; a family or a variant alone will do, such as gomoku or renju.
    #[arg(value_parser = GameName, hide_possible_values = true)]
    pub game: String,
    /// The length of the paths, in plies.
    #[arg(value_parser = clap::value_parser!(u32).range(..=60))]
    pub depth: u32,
    /// The position to start from, as FEN.
    #[arg(long)]
    pub fen: Option<String>,
    /// An option of the game, as `size=15`; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, i64)>,
    #[command(flatten)]
    pub map: Package,
    /// Show the count under each first move.
    #[arg(long, short_alias = 'd')]
    pub divide: bool,
    /// Number of threads.
    #[arg(short = 'j', long, short_alias = 't', default_value_t = 1, value_parser = threads())]
    pub threads: usize,
    /// Give up after this many seconds; 0: no limit.
    #[arg(long, default_value_t = 600)]
    pub seconds: u64,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Subcommand)]
pub enum Solve {
    /// Solve locked chess for a defender who only ever stops with the stones close together: a defender who is safe
    /// under this restriction cannot be beaten. The board of 12x12 with four stones takes 11 GB and some minutes.
    Locked(SolveLocked),
    /// Play by a file that `solve locked --out` wrote, with the rules and without the solver, and look for a turn that it
    /// has no answer to.
    Check(SolveCheck),
}

#[derive(Group)]
pub struct SolveLocked {
    /// Columns and rows of the board, an even number.
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u8).range(4..=12))]
    pub board: u8,
    /// Stones of each side.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=4))]
    pub stones: u8,
    /// The defender's stones fit into a square of N columns and rows; the size of the board: anywhere.
    #[arg(long = "box", value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(2..=12))]
    pub side: u8,
    /// Stop after this number of rounds, each of which looks a turn of the attacker further; 0: when nothing changes
    /// any more.
    #[arg(long, default_value_t = 0)]
    pub rounds: u32,
    /// Number of threads.
    #[arg(short = 'j', long, short_alias = 't', default_value_t = 2, value_parser = threads())]
    pub threads: usize,
    /// Write what is safe to this file, for `solve check`.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub force: Force,
}

#[derive(Group)]
pub struct SolveCheck {
    /// The file that `qiguan solve locked --out` wrote.
    pub file: PathBuf,
    /// Try every sequence of this number of the attacker's turns, from the start, for either side.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(..=6))]
    pub depth: u32,
    /// The number of random games of a hundred turns to play as well.
    #[arg(long, default_value_t = 1_000)]
    pub games: u64,
    /// The number of random positions that the file calls safe in which every turn is tried as well.
    #[arg(long, default_value_t = 10_000)]
    pub positions: u64,
    /// The seed of the random numbers: the same seed, the same games.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

#[derive(Group)]
pub struct Play {
    /// A game as `qiguan games` lists it, a family or a variant alone, such as gomoku or renju, or a map's .xlsx file; without it, a menu.
    #[arg(value_parser = GameName, hide_possible_values = true)]
    pub game: Option<String>,
    /// The position to start from, as FEN.
    #[arg(long)]
    pub fen: Option<String>,
    /// An option of the game, as `size=15`; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, i64)>,
    #[command(flatten)]
    pub map: Package,
    /// The clock: 300+5 (seconds and increment), 600+3x30 (byo-yomi), 30/move, or none; at a hall also days: 3d/move,
    /// 3d/weekdays.
    #[arg(short, long, default_value = "none")]
    pub clock: String,
    /// Play against our engine, from level 1, which a child can beat, to level 10.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=10))]
    pub level: Option<u8>,
    /// Your side against the engine, or at a table you open.
    #[arg(short, long, value_enum)]
    pub side: Option<PlaySide>,
    /// A file with a game to look at and continue.
    #[arg(long, value_name = "FILE")]
    pub load: Option<PathBuf>,
    /// The address of a hall, or the link of a table; with a game, a table is opened there.
    #[arg(long, value_name = "URL")]
    pub hall: Option<String>,
    /// A PEM file of certificates to trust for https instead of this system's, such as a club's own.
    #[arg(long, value_name = "FILE", requires = "hall")]
    pub ca: Option<PathBuf>,
    /// A room of the hall by name; with a game, the room is opened.
    #[arg(long, value_name = "NAME", requires = "hall")]
    pub room: Option<String>,
    /// Watch the table without taking a seat.
    #[arg(long, requires = "hall")]
    pub watch: bool,
    /// Use a second identity, stored under NAME on this computer, so that two people can play each other.
    #[arg(long, value_name = "NAME", value_parser = guest)]
    pub guest: Option<String>,
    /// One line in, one line out: for screen readers, scripts and teaching.
    #[arg(long, short_alias = 'p')]
    pub plain: bool,
    /// The theme of the screen: wide, origin, ascii, contrast.
    #[arg(long, value_parser = themes())]
    pub theme: Option<tui::Theme>,
    /// The language: en or zh; without it, what LC_ALL, LC_MESSAGES or LANG says.
    #[arg(long, value_parser = ["en", "zh"])]
    pub lang: Option<String>,
    /// Send the extensions' output, and the full traceback of their errors, to standard error; on a screen they are
    /// shown beside the board, and printed there afterwards.
    #[arg(long, conflicts_with = "hall")]
    pub debug: bool,
    /// Gomoku only: the original console of the program that came before this project (in Chinese).
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
    /// The format of the input; without it, the format is detected.
    #[arg(short, long, value_name = "FORMAT", value_parser = formats(|_| true))]
    pub from: Option<Format>,
    /// The format of the output.
    #[arg(short, long, value_name = "FORMAT", value_parser = formats(Format::writes))]
    pub to: Format,
    /// The game that positions belong to, as `qiguan games` lists it; a family or a variant alone will do.
    #[arg(short, long, value_name = "GAME", value_parser = GameName, hide_possible_values = true)]
    pub game: Option<String>,
    /// The notation of xiangqi moves in PGN.
    #[arg(long, default_value = "chinese", value_parser = notations())]
    pub notation: pgn::Style,
    /// The file to read; standard input without it, or for `-`.
    pub input: Option<PathBuf>,
    #[command(flatten)]
    pub force: Force,
    /// The file to write; standard output without it, or for `-`. An existing file is not overwritten without
    /// --force.
    pub output: Option<PathBuf>,
}

#[derive(Group)]
pub struct Verify {
    /// The record of a finished game, as the hall gives it (JSON).
    pub file: PathBuf,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Subcommand)]
pub enum Competition {
    /// Pair the next round: boards by the numbers of the entrants, the first seat first, 0 for a bye.
    Pair(PairRound),
    /// Print the ranking.
    Rank(RankEntrants),
    /// Look for what no Swiss system does, and pair each round again.
    Check {
        /// The tournament report (TRF).
        file: PathBuf,
        /// Print the result as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Make a competition by a seed, to check programs with.
    Make(MakeCompetition),
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Method {
    /// A Swiss system: those who have as many points meet, no two of them twice.
    Swiss,
    /// A round robin by Berger tables: each two meet.
    Robin,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum UnplayedRounds {
    /// An opponent with as many points as oneself, as the International Chess Federation counts.
    Fide,
    /// An opponent with the lowest score of all, as the World Xiangqi Federation counts.
    Lowest,
    /// An unplayed round counts nothing.
    Zero,
}

#[derive(Group)]
pub struct PairRound {
    /// The tournament report (TRF).
    pub file: PathBuf,
    /// The way in which rounds are paired: swiss (those who have as many points meet, no two of them twice) or robin (each two
    /// meet, by Berger tables).
    #[arg(long, value_enum, default_value_t = Method::Swiss)]
    pub method: Method,
    /// The number of times that each two meet in a round robin.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=4))]
    pub cycles: u8,
    /// Write to this file; without it, to standard output.
    #[arg(short, long, short_alias = 'p', value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write the whole report, with the new round in it.
    #[arg(long, conflicts_with = "json")]
    pub report: bool,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
    /// Overwrite an existing file.
    #[arg(long)]
    pub force: bool,
}

#[derive(Group)]
pub struct RankEntrants {
    /// The tournament report (TRF).
    pub file: PathBuf,
    /// The criteria that separate entrants, in this order: PTS, DE, WIN, WON, BPG, BWG, BH, BH/C1, BH/C2, BH/M1, BH/M2, SB, PS, PS/C1, ARO, NR.
    #[arg(long, value_name = "CODES")]
    pub by: Option<String>,
    /// The opponent of an unplayed round in criteria that look at opponents: fide (an opponent with as many points as oneself),
    /// lowest (one with the lowest score of all) or zero.
    #[arg(long, value_enum, default_value_t = UnplayedRounds::Fide)]
    pub unplayed: UnplayedRounds,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Group)]
pub struct MakeCompetition {
    /// The number of entrants.
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u16).range(2..=9_999))]
    pub entrants: u16,
    /// The number of rounds.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u8).range(1..=99))]
    pub rounds: u8,
    /// The seed of the random numbers: the same seed, the same competition.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The points of a win, a draw and a loss.
    #[arg(long, value_name = "WIN-DRAW-LOSS", default_value = "1-0.5-0", value_parser = result_points)]
    pub points: ResultPoints,
    /// Write to this file; without it, to standard output.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Overwrite an existing file.
    #[arg(long)]
    pub force: bool,
}

/// Points of a win, a draw and a loss, in tenths.
#[derive(Clone, Copy)]
pub struct ResultPoints(pub [competition::Tenths; 3]);

/// Reads points such as `2-1-0` or `1-0.5-0`.
fn result_points(text: &str) -> Result<ResultPoints, String> {
    let points: Option<Vec<_>> = text.split('-').map(competition::trf::tenths).collect();
    let points = points.and_then(|points| <[competition::Tenths; 3]>::try_from(points).ok());
    points.map(ResultPoints).ok_or_else(|| "2-1-0".to_owned())
}

#[derive(Subcommand)]
pub enum Puzzles {
    /// Look for positions in which exactly one turn keeps the result; an interrupted run continues.
    ///
    /// Without --collection our engine plays the games: the same seed, the same puzzles.
    Make(MakePuzzles),
    /// Write puzzles as lines of JSON.
    Export(ExportPuzzles),
    /// Solve puzzles in this terminal.
    Solve(SolvePuzzles),
    /// Prove a puzzle on a map, and write it as a line of JSON; it is refused with the line that prevents it.
    Set(SetPuzzle),
    /// Show how many puzzles there are, by game and theme.
    Info {
        #[command(flatten)]
        data: DataFolder,
    },
}

#[derive(Group)]
pub struct MakePuzzles {
    /// The games of this collection of the library are looked at.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["game", "map", "options", "seed"])]
    pub collection: Option<String>,
    /// The game that our engine plays, as `qiguan games` lists it; a family or a variant alone will do.
    #[arg(short, long, value_name = "GAME", value_parser = GameName, hide_possible_values = true)]
    pub game: Option<String>,
    /// The built-in map it is played on, for games that have one.
    #[arg(long, value_name = "KEY")]
    pub map: Option<String>,
    /// An option of the game, as `size=15`; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, i64)>,
    /// The seed of the random numbers: the same seed, the same games.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Stop after this number of new puzzles.
    #[arg(long)]
    pub count: Option<u64>,
    /// Stop after this number of games.
    #[arg(long)]
    pub games: Option<u64>,
    /// The most puzzles of one game.
    #[arg(long, default_value_t = 3, value_parser = count(20))]
    pub most: usize,
    /// Positions searched for each candidate; ten times as many to verify it.
    #[arg(short, long, default_value_t = 20_000)]
    pub nodes: u64,
    /// Number of threads.
    #[arg(short = 'j', long, short_alias = 't', default_value_t = 1, value_parser = threads())]
    pub threads: usize,
    #[command(flatten)]
    pub data: DataFolder,
}

#[derive(Group)]
pub struct ExportPuzzles {
    /// Include only puzzles of this family: xiangqi, draughts, gomoku, locked, jingbanqi.
    #[arg(long, value_name = "FAMILY")]
    pub family: Option<String>,
    /// Include only puzzles with this theme, such as sacrifice.
    #[arg(long, value_name = "THEME")]
    pub theme: Option<String>,
    /// The number of puzzles, drawn by the seed; without it, all in the order in which they were made.
    #[arg(long)]
    pub count: Option<usize>,
    /// The seed of the random numbers: the same seed, the same puzzles.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Write to this file; without it, to standard output.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub force: Force,
    #[command(flatten)]
    pub data: DataFolder,
}

#[derive(Group)]
pub struct SetPuzzle {
    /// The map: the key of a built-in one, or an .xlsx file.
    #[arg(long, value_name = "MAP")]
    pub map: PathBuf,
    #[command(flatten)]
    pub extensions: Extensions,
    /// The position; the side to move has to find the way. Without it, the start.
    #[arg(long)]
    pub fen: Option<String>,
    /// The most moves in which the goal must be reached.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=5))]
    pub within: u8,
    /// The square of the piece that has to be taken, as row,column; without it, the game has to be won.
    #[arg(long, value_name = "SQUARE")]
    pub takes: Option<String>,
    /// Append to this file; without it, write to standard output.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Group)]
pub struct SolvePuzzles {
    /// The family of games; a variant alone will do.
    pub family: Option<String>,
    /// The puzzles of this file instead, lines of JSON as `qiguan puzzles set` and `export` write them.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["family", "theme", "daily", "rating"])]
    pub file: Option<PathBuf>,
    /// The map of the file's puzzles, where it is not built in: an .xlsx file. Without --file, the puzzles that people set on
    /// this built-in map.
    #[arg(long, value_name = "MAP", conflicts_with_all = ["family", "theme", "daily", "rating"])]
    pub map: Option<PathBuf>,
    #[command(flatten)]
    pub extensions: Extensions,
    /// Include only puzzles with this theme, such as sacrifice.
    #[arg(long, value_name = "THEME")]
    pub theme: Option<String>,
    /// The puzzle of the day.
    #[arg(long)]
    pub daily: bool,
    /// The first one near this rating; without it, near your own.
    #[arg(long)]
    pub rating: Option<f64>,
    #[command(flatten)]
    pub data: DataFolder,
}

#[derive(Subcommand)]
pub enum Library {
    /// Take the games of files in, each checked move by move; an interrupted import continues.
    Import(ImportGames),
    /// Find games by what is written about them, by a position or by a pattern.
    Search(SearchGames),
    /// Show what was played in a position, how often, and how it ended.
    Explore(ExploreGames),
    /// Write the games that fit to a file.
    Export(ExportGames),
    /// Show the collections, or one of them with its refused games.
    Info {
        /// The collection to show.
        name: Option<String>,
        #[command(flatten)]
        data: DataFolder,
    },
    /// Delete a collection with its games.
    Remove {
        /// The collection to delete.
        name: String,
        #[command(flatten)]
        data: DataFolder,
    },
}

#[derive(Group)]
pub struct ImportGames {
    /// The files: of any format that `qiguan convert` reads, or archives (.zip) of them.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The collection; it is made where there is none of that name.
    #[arg(long, value_name = "NAME")]
    pub into: String,
    /// The people who may see the collection, in a hall; only for a new one.
    #[arg(long, default_value = "private", value_parser = ["private", "link", "public"])]
    pub access: String,
    /// The format of the files; without it, the format of each is detected.
    #[arg(short, long, value_name = "FORMAT", value_parser = formats(|_| true))]
    pub from: Option<Format>,
    /// The game that positions belong to, as `qiguan games` lists it; a family or a variant alone will do.
    #[arg(short, long, value_name = "GAME", value_parser = GameName, hide_possible_values = true)]
    pub game: Option<String>,
    /// A file for the refused games, one line of JSON each; without it they are told on standard error.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Threads that check games.
    #[arg(short = 'j', long, default_value_t = usual_threads(), value_parser = threads())]
    pub threads: usize,
    #[command(flatten)]
    pub data: DataFolder,
}

/// Returns the number of processors, the default number of threads.
fn usual_threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// The conditions that games must meet.
#[derive(Group)]
pub struct GameFilter {
    /// Look in this collection only; may be repeated.
    #[arg(long, value_name = "NAME")]
    pub collection: Vec<String>,
    /// The game, as `qiguan games` lists it, or a family for all of its games.
    #[arg(short, long, value_name = "GAME", value_parser = GameName, hide_possible_values = true)]
    pub game: Option<String>,
    /// A part of a player's name.
    #[arg(long, default_value = "", hide_default_value = true)]
    pub player: String,
    /// A part of the name of the first side's player.
    #[arg(long, default_value = "", hide_default_value = true)]
    pub first: String,
    /// A part of the name of the second side's player.
    #[arg(long, default_value = "", hide_default_value = true)]
    pub second: String,
    /// A part of the event's name.
    #[arg(long, default_value = "", hide_default_value = true)]
    pub event: String,
    /// Played on this day or later, such as 2026-11-21 or 2026.
    #[arg(long, value_name = "DAY", value_parser = day)]
    pub since: Option<library::Day>,
    /// Played on this day or before; 2026 is all of that year.
    #[arg(long, value_name = "DAY", value_parser = day)]
    pub until: Option<library::Day>,
    /// The result of the game.
    #[arg(long, value_parser = ["first", "second", "draw", "void"])]
    pub result: Option<String>,
    /// The average rating is at least this.
    #[arg(long, value_name = "RATING")]
    pub rating: Option<u32>,
    /// The position that these moves lead to, from the usual start or from --fen.
    #[arg(long, value_name = "MOVES", requires = "game")]
    pub moves: Option<String>,
    /// The position with this FEN.
    #[arg(long, value_name = "FEN", requires = "game")]
    pub fen: Option<String>,
    /// A piece that stood on a cell, as SIDE:PIECE@CELL (red:cannon@e3, black:stone@h8); may be repeated: all at once.
    #[arg(long, value_name = "PIECE", requires = "game")]
    pub piece: Vec<String>,
    /// The number of pieces of a kind that a side had, as SIDE:PIECE=NUMBER (red:rook=2, black:cannon=0); may be
    /// repeated: all at once.
    #[arg(long, value_name = "COUNT", requires = "game")]
    pub count: Vec<String>,
    /// An option of the game, as `size=15`; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, i64)>,
    /// The order, the greatest first.
    #[arg(long, default_value = "added", value_parser = ["added", "day", "rating", "length"])]
    pub sort: String,
    #[command(flatten)]
    pub data: DataFolder,
}

#[derive(Group)]
pub struct SearchGames {
    #[command(flatten)]
    pub wanted: GameFilter,
    /// The most games to list.
    #[arg(long, short_alias = 'l', default_value_t = 20, value_parser = count(1_000_000))]
    pub limit: usize,
    /// Print one line of JSON for each game.
    #[arg(long)]
    pub json: bool,
}

#[derive(Group)]
pub struct ExploreGames {
    /// The game, as `qiguan games` lists it; a family or a variant alone will do.
    #[arg(short, long, value_name = "GAME", value_parser = GameName, hide_possible_values = true)]
    pub game: String,
    /// The moves that lead to the position.
    pub moves: Vec<String>,
    /// The position the moves begin with; the usual start without it.
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Look in this collection only; may be repeated.
    #[arg(long, value_name = "NAME")]
    pub collection: Vec<String>,
    /// Include only games of players with this in their name.
    #[arg(long, default_value = "", hide_default_value = true)]
    pub player: String,
    /// An option of the game, as `size=15`; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, i64)>,
    #[command(flatten)]
    pub data: DataFolder,
}

#[derive(Group)]
pub struct ExportGames {
    #[command(flatten)]
    pub wanted: GameFilter,
    /// The format of the file.
    #[arg(short, long, value_name = "FORMAT", value_parser = formats(Format::writes))]
    pub to: Format,
    /// The file to write; standard output without it. An existing file is not overwritten without --force.
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub force: Force,
}

#[derive(Group)]
pub struct Engine {
    /// The game (as `qiguan games` lists it; a family or a variant alone will do), a protocol, or both in any order. Without
    /// either, what the interface says first decides.
    #[arg(num_args = 0..=2, value_name = "GAME|PROTOCOL", value_parser = GameName, hide_possible_values = true)]
    pub names: Vec<String>,
    /// uci, ucci, hub or gomocup; without it the one whose first word is heard, else the usual one of the game.
    #[arg(long, short_alias = 'p', value_parser = protocols())]
    pub protocol: Option<Protocol>,
    /// An option of the game, as `size=15`; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, i64)>,
    #[command(flatten)]
    pub map: Package,
    /// Size of the transposition table, in MiB.
    #[arg(long, default_value_t = engine::native::USUAL_MEMORY, value_parser = mebibytes())]
    pub hash: usize,
    /// Draughts on 10x10 by DXP: wait here for other programs, one after the other, such as on 127.0.0.1:27531.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "protocol", value_parser = address)]
    pub listen: Option<SocketAddr>,
    /// Draughts on 10x10 by DXP: connect to a program that waits there, and play one game.
    #[arg(long, value_name = "HOST:PORT", conflicts_with_all = ["protocol", "listen"])]
    pub connect: Option<String>,
    /// The side we play, with --connect.
    #[arg(long, value_enum, default_value_t = Colour::White)]
    pub colour: Colour,
    /// Minutes for the game, for each side, with --connect; 0: no clock.
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
    #[arg(short, long, value_parser = GameName, hide_possible_values = true)]
    pub game: String,
    /// The first engine: `our`, `our:level=3`, `our:depth=2`, `greedy`, `random`, `uci:COMMAND` (or ucci, cyclone,
    /// hub, hub1, gomocup), or a name from --engines.
    #[arg(short, long, value_name = "ENGINE")]
    pub a: String,
    /// The second engine, named like the first.
    #[arg(short, long, value_name = "ENGINE")]
    pub b: String,
    /// The file that names engines.
    #[arg(short, long, value_name = "FILE")]
    pub engines: Option<PathBuf>,
    /// The number of pairs of games: one opening with colours reversed.
    #[arg(short, long, default_value_t = 100, value_parser = count(1_000_000))]
    pub pairs: usize,
    /// Milliseconds for each move; 100 when neither time, positions nor plies are given.
    #[arg(long, value_name = "MS", group = "control", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub movetime: Option<u64>,
    /// A clock: seconds, and seconds added for each move, as 10+0.1.
    #[arg(long, value_name = "TIME+INCREMENT", group = "control", value_parser = clock)]
    pub tc: Option<(f64, f64)>,
    /// Positions for each move.
    #[arg(short, long, group = "control", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Plies for each move.
    #[arg(long, short_alias = 'd', group = "control", value_parser = clap::value_parser!(u32).range(1..=200))]
    pub depth: Option<u32>,
    /// The number of milliseconds an answer may be late.
    #[arg(long, value_name = "MS", default_value_t = 50, value_parser = clap::value_parser!(u64).range(..=86_400_000))]
    pub margin: u64,
    /// Openings from a file, such as those in `openings/`: pair after pair takes the next one.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["opening_plies", "balance"])]
    pub openings: Option<PathBuf>,
    /// The number of random turns at the start.
    #[arg(long, value_name = "TURNS", default_value_t = 6, value_parser = up_to(200))]
    pub opening_plies: usize,
    /// The largest score either side may have after the opening, in hundredths; 0: no limit.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(i32).range(0..=30_000))]
    pub balance: i32,
    /// The seed of the random openings.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The number of games played at once; more than there are idle cores distorts times.
    #[arg(short = 'j', short_alias = 'c', long = "threads", alias = "concurrency", default_value_t = 1, value_parser = threads())]
    pub concurrency: usize,
    /// Transposition table of each engine, in MiB.
    #[arg(long, default_value_t = engine::native::USUAL_MEMORY, value_parser = mebibytes())]
    pub hash: usize,
    /// A game is won when both engines agree on a score of at least SCORE for MOVES moves, as 1000cp,6.
    #[arg(long, value_name = "SCORE,MOVES", value_parser = adjudication)]
    pub adjudicate: Option<(i32, u32)>,
    /// A game is drawn after this many moves.
    #[arg(long, default_value_t = 300, value_parser = count(100_000))]
    pub max_plies: usize,
    /// Stop when it is clear whether A is stronger by LOW or by HIGH: `LOW,HIGH[,norm]`.
    #[arg(long, value_name = "LOW,HIGH[,norm]", value_parser = sprt, allow_hyphen_values = true)]
    pub sprt: Option<arena::Sprt>,
    /// The file for the games, one line of JSON each; an interrupted match continues.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The file for records at the end; the ending says the format: .pgn, .pdn, .sgf, .json, .txt.
    #[arg(short, long, value_name = "FILE")]
    pub records: Option<PathBuf>,
    #[command(flatten)]
    pub force: Force,
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
    /// The folder it may read.
    #[arg(long)]
    pub folder: PathBuf,
    /// Another path it may read; may be repeated.
    #[arg(long, value_name = "PATH")]
    pub reads: Vec<PathBuf>,
    /// A path it may write; may be repeated.
    #[arg(long, value_name = "PATH")]
    pub writes: Vec<PathBuf>,
    /// Its private folder for temporary files, which becomes its home.
    #[arg(long, value_name = "DIR")]
    pub temporary: Option<PathBuf>,
    /// A TCP port on which it may listen.
    #[arg(long)]
    pub port: Option<u16>,
    /// The memory limit of a process.
    #[arg(long, value_name = "MIB")]
    pub memory_mb: Option<u64>,
    /// The number of child processes it may start.
    #[arg(long, default_value_t = 0)]
    pub processes: u32,
    /// The user id it runs as, when root starts it; 0 for root. Without it, the system's unprivileged user.
    #[arg(long, value_name = "NUMBER")]
    pub user: Option<u32>,
    /// The amount by which its priority is lowered (nice value).
    #[arg(long, default_value_t = 0)]
    pub nice: u8,
    /// An environment variable; may be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    pub environment: Vec<(String, String)>,
    /// The process that must have started it; any other is refused.
    #[arg(long, value_name = "PROCESS")]
    pub parent: Option<u32>,
    /// The program and its arguments.
    #[arg(required = true, last = true)]
    pub command: Vec<String>,
}

#[derive(Group)]
pub struct Load {
    /// The hall, started with `--limits off`; given once for each node of a hall that has several.
    #[arg(long, default_value = "http://127.0.0.1:8080")]
    pub hall: Vec<String>,
    /// The number of further connections that only watch the first table; the time until they hear of a move is
    /// measured.
    #[arg(long, default_value_t = 0, value_parser = RangedU64ValueParser::<usize>::new().range(..=100_000))]
    pub watch: usize,
    /// Play so that nothing is given up while nodes are killed, and write every acknowledged move to this file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["admin", "rate", "idle", "profiles", "watch"])]
    pub record: Option<PathBuf>,
    /// The time each player of --record thinks before a move, in milliseconds.
    #[arg(long, default_value_t = 100, requires = "record", value_parser = clap::value_parser!(u64).range(..=60_000))]
    pub think: u64,
    /// Hold what --record has written against the logs in the database of --store, and measure nothing.
    #[arg(long, value_name = "FILE", requires = "store", conflicts_with_all = ["hall", "record"])]
    pub check: Option<PathBuf>,
    /// The database whose logs --check reads.
    #[arg(long, value_name = "URL", requires = "check")]
    pub store: Option<String>,
    /// The metrics address of the hall, with http: that of its --admin-listen.
    #[arg(long, value_name = "URL")]
    pub admin: Option<String>,
    /// The number of connections: two for each table.
    #[arg(long, short_alias = 'c', default_value_t = 200, value_parser = RangedU64ValueParser::<usize>::new().range(2..=100_000))]
    pub connections: usize,
    /// The time for which moves are counted, in seconds.
    #[arg(long, short_alias = 's', default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub seconds: u64,
    /// Moves a second for all together; without it, as fast as they are answered.
    #[arg(long, value_parser = rate)]
    pub rate: Option<f64>,
    /// Connect without playing, to measure memory.
    #[arg(long)]
    pub idle: bool,
    /// Pages of people asked for each second while the moves are counted, of a hall that --people has filled.
    #[arg(long, value_name = "RATE", value_parser = rate)]
    pub profiles: Option<f64>,
    /// Fill the folder of a new hall with made-up accounts and games, and measure nothing.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["hall", "admin", "connections", "seconds", "rate", "idle", "profiles"])]
    pub people: Option<PathBuf>,
    /// The number of accounts to make.
    #[arg(long, default_value_t = 200_000, requires = "people", value_parser = clap::value_parser!(u32).range(2..=10_000_000))]
    pub accounts: u32,
    /// The number of rated games to make.
    #[arg(long, default_value_t = 1_000_000, requires = "people", value_parser = clap::value_parser!(u32).range(..=100_000_000))]
    pub games: u32,
    /// The number of sleeping games of three days a move to make.
    #[arg(long, default_value_t = 100_000, requires = "people", value_parser = clap::value_parser!(u32).range(..=10_000_000))]
    pub sleeping: u32,
    /// The seed of the random numbers.
    #[arg(long, default_value_t = 1, requires = "people")]
    pub seed: u64,
}

/// The name of a game: every text is taken, since a map's file may stand there, and shells complete the names that there are.
#[derive(Clone)]
struct GameName;

impl TypedValueParser for GameName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let mut names = Vec::new();
        for entry in catalog::ENTRIES.iter() {
            let variant = entry.key.split_once('/').map(|(_, variant)| variant);
            for name in [Some(entry.key), Some(entry.family), variant].into_iter().flatten() {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        Some(Box::new(names.into_iter().map(PossibleValue::new)))
    }
}

/// Parses an address to listen on: a number with a port, a name with a port, or a port alone, on every interface.
fn address(text: &str) -> Result<SocketAddr, String> {
    let port = text.strip_prefix(':').unwrap_or(text);
    if let Ok(port) = port.parse::<u16>() {
        return Ok(SocketAddr::from((Ipv4Addr::UNSPECIFIED, port)));
    }
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    let wrong = || "usage-write-address".to_owned();
    let found: Vec<SocketAddr> = text.to_socket_addrs().map_err(|_| wrong())?.collect();
    // A name often stands for both kinds: the older one is what people type afterwards.
    found.iter().find(|address| address.is_ipv4()).or(found.first()).copied().ok_or_else(wrong)
}

/// Returns a parser of numbers from 1 to `most`.
fn count(most: u64) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=most)
}

/// Returns a parser of numbers from 0 to `most`.
fn up_to(most: u64) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(..=most)
}

/// Returns a parser of numbers of threads.
fn threads() -> RangedU64ValueParser<usize> {
    count(256)
}

/// Returns a parser of table sizes in MiB, as engines offer them.
fn mebibytes() -> RangedU64ValueParser<usize> {
    count(16 << 10)
}

/// Checks that a name is a valid folder name on every system.
fn guest(text: &str) -> Result<String, String> {
    let sign = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let fits = (1..=40).contains(&text.len()) && text.chars().all(sign);
    fits.then(|| text.to_owned()).ok_or_else(|| "usage-write-guest".to_owned())
}

fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse::<f64>().ok().filter(|rate| (0.001..=1e6).contains(rate));
    rate.ok_or_else(|| "usage-write-rate".to_owned())
}

fn formats(which: fn(Format) -> bool) -> impl TypedValueParser<Value = Format> {
    let keys = Format::ALL.into_iter().filter(|f| which(*f)).map(Format::key);
    PossibleValuesParser::new(keys).map(|key| Format::keyed(&key).expect("one of the keys"))
}

fn day(text: &str) -> Result<library::Day, String> {
    let day = library::Day::read(text);
    if day.0 == 0 { Err("usage-write-day".to_owned()) } else { Ok(day) }
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
    clock.ok_or_else(|| "usage-write-clock".to_owned())
}

fn adjudication(text: &str) -> Result<(i32, u32), String> {
    let read = |text: &str| {
        let (score, moves) = text.split_once(',')?;
        let score = score.strip_suffix("cp").unwrap_or(score).parse().ok().filter(|&score| score > 0)?;
        Some((score, moves.parse().ok().filter(|&moves| moves > 0)?))
    };
    read(text).ok_or_else(|| "usage-write-adjudicate".to_owned())
}

fn sprt(text: &str) -> Result<arena::Sprt, String> {
    let parts: Vec<&str> = text.split(',').collect();
    let read = |low: &str, high: &str, scale| arena::Sprt::new(low.parse().ok()?, high.parse().ok()?, scale);
    let sprt = match parts.as_slice() {
        [low, high] => read(low, high, arena::Scale::Logistic),
        [low, high, "norm"] => read(low, high, arena::Scale::Normalised),
        _ => None,
    };
    sprt.ok_or_else(|| "usage-write-sprt".to_owned())
}

fn themes() -> impl TypedValueParser<Value = tui::Theme> {
    let keys = tui::Theme::ALL.map(tui::Theme::key);
    PossibleValuesParser::new(keys).map(|key| tui::Theme::keyed(&key).expect("one of the keys"))
}

fn public_url(text: &str) -> Result<String, String> {
    let place = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let place = place.map(|place| place.trim_end_matches('/'));
    let is_plain = |part: &str| {
        let letter = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'~');
        !part.is_empty() && part.bytes().any(|b| b != b'.') && part.bytes().all(letter)
    };
    let fits = place.is_some_and(|place| {
        let (host, path) = place.split_once('/').map_or((place, None), |(host, path)| (host, Some(path)));
        !host.is_empty() && path.is_none_or(|path| path.split('/').all(is_plain))
    });
    if fits {
        return Ok(text.trim_end_matches('/').to_owned());
    }
    Err("usage-write-url".to_owned())
}
/// `NAME=VALUE`, where the value may hold anything.
fn variable(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

fn option(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or("usage-write-option")?;
    Ok((name.to_owned(), value.parse().map_err(|_| "usage-write-option".to_owned())?))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_well_formed() {
        super::Args::command().debug_assert();
    }
}
