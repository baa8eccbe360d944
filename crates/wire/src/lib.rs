//! Messages between the server and its clients, and their JSON; holds no logic.
//!
//! The page's TypeScript types are generated from here ([`typescript()`]); `docs/hall-protocol.md` describes a whole
//! conversation. Reading order: [`view`] (positions), [`table`] (players, settings and clocks), [`message`] (the
//! WebSocket), [`api`] (the HTTP API), [`account`], `maps` (games that users make), [`analysis`] (evaluations by our
//! engine), [`studies`] (analyses that people save), [`history`] (finished games and ratings), [`slow`]
//! (correspondence games), [`notices`] (push notifications) and [`mail`].
//!
//! Unknown fields are ignored everywhere, so that old clients and new servers understand each other.

pub mod account;
pub mod analysis;
pub mod api;
mod balance;
pub mod client_table;
pub mod history;
pub mod library;
pub mod mail;
mod maps;
pub mod message;
pub mod notices;
pub mod puzzles;
pub mod slow;
mod staff;
pub mod studies;
pub mod table;
pub mod together;
mod typescript;
pub mod view;
pub mod work;
mod working;
mod works;

pub use account::{
    AccountInfo, Confirm, CredentialKind, CredentialLine, DeviceAsks, DeviceCode, DeviceTold, DeviceWaits,
    MadeToken, NewPassword, NewToken, NotedLine, OpenIdAnswer, OpenIdDone, OpenIdPurpose, OpenIdQuestion,
    OpenIdTold, OpenIdWish, PasskeyAnswer, PasskeyQuestion, PasskeySignIn, PersonKind, Recover,
    RecoveryCodes, SessionLine, SignIn, SignUp, SignedIn, TokenLine, WantedName,
};
pub use analysis::{
    Agreement, AnalysisLine, AnalysisMessage, AnalysisRequest, Aside, Fault, FaultyTurn, Hint, Report, Worth,
};
pub use api::{
    CreateTable, Created, Details, EngineInfo, GameInfo, ImportRecord, Lessons, LogLine, Me, NewName,
    OpenTable, OptionInfo, Replay, SetUp, Standing, TableLine, Tables, Welcome,
};
pub use balance::{
    BalanceReport, Estimate, ForcedWin, Measure, Moment, OpeningReport, PieceReport, StrengthReport,
};
pub use client_table::{ClientTable, Gap};
pub use history::{
    GameLine, GameTally, GamesPage, PlayNow, PlayNowTold, PoolLeft, PoolRating, Profile, ProfileKind,
    RatingStep,
};
pub use library::{
    FoundGame, FoundGames, GameCollection, ImportGames, ImportedGames, LibraryGame, NewCollection,
    PlayedMove, PlayedMoves, RefusedGame,
};
pub use mail::{LostPassword, MailConfirmed, MailLink, MailTold, NewDigest, NewMail, RecoverByMail};
pub use maps::{
    AttributeValue, BoardCsv, DraftChecked, DraftRead, ExtensionFile, ExtensionInfo, GamesPlayed, HookTime,
    KindDraft, MapCheck, MapDraft, MapFault, MapInfo, MapLine, MapName, MapPlayed, MapPool, ReadBoard,
    SheetsDraft, UploadMap, Workbook,
};
pub use message::{Act, ClientMessage, Event, EventKind, Happened, Offer, ServerMessage};
pub use notices::{NewPush, NewQuietHours, Notices, QuietHours};
pub use puzzles::{
    MapPuzzle, MapPuzzles, NewPuzzle, PuzzleAnswer, PuzzleCounted, PuzzleFamilies, PuzzleFamily,
    PuzzleProved, PuzzleStanding, PuzzleTold, PuzzleTry,
};
pub use slow::{Inbox, InboxGame, InboxNext, NewPlan, PlanBoard, PlanLook, PlanTold, SeatNote, VacationTold};
pub use staff::{
    AnnouncementLine, BanHits, BanLine, BanQuestion, Bans, HouseInfo, InvitationLine, NewAnnouncement,
    NewBan, NewInvitation, NewRegistration, NewRole, StaffDecide, StaffGame, StaffLogLine, StaffMe,
    StaffPerson, StaffPersonLine, StaffPower, StaffWork, SuspendedLine, TakeDown, TakenDownLine,
};
pub use studies::{
    MarkColour, NewStudy, Study, StudyAccess, StudyChange, StudyChapter, StudyDone, StudyEntry, StudyEval,
    StudyEvent, StudyFilm, StudyFormat, StudyHear, StudyList, StudyListed, StudyMark, StudyMember, StudyNode,
    StudyRole, StudySay, StudyShown, StudyStart, StudyWished,
};
pub use table::{
    Chance, ClockFace, ClockSpec, DAYS_A_MOVE, Heading, How, Opponent, Player, PlyInfo, PoolLine, TableInfo,
};
pub use together::{
    Acquaintance, Appeal, ChallengeLine, Challenges, Decide, DecisionLine, Decline, Evidence, FairGame,
    FairPair, FairPlay, FairTimes, GameEvent, GameState, NewChallenge, NewReport, Relation, ReportLine,
    SaidLine, StreamEvent, StreamGame,
};
pub use typescript::typescript;
pub use view::{
    Board, Button, Counter, Decor, Dirs, HandPiece, Lines, Mark, MoveView, Names, Offered, Outcome, Patch,
    Piece, Problem, Prompt, Ruling, Side, Terrain, View,
};
pub use work::{
    MadeWorkerKey, NewWorkerKey, SearchLine, Work, WorkAbort, WorkAnswer, WorkAsk, WorkGame, WorkLimits,
    WorkWish, WorkerKey,
};
pub use works::{
    ExtensionLine, ExtensionList, ExtensionVersion, FileDiff, Gallery, LineDiff, MadeFrom, MapDiff,
    NewExtension, NewListing, NewStars, NewWork, RuleDiff, SharedBy, SharedExtension, SquareDiff, WorkInfo,
    WorkLine, WorkVersion,
};

/// The WebSocket subprotocol this crate speaks.
pub const SUBPROTOCOL: &str = "hall.2";
