//! The page's types, written from the Rust ones.

use ts_rs::{Config, TS};

/// The whole of `web/src/lib/wire.ts`. A test fails when the file is stale.
#[must_use]
pub fn typescript() -> String {
    let config = Config::default();
    let mut out =
        String::from("// Generated from crates/wire by `QIGUAN_BLESS=1 cargo test -p wire`. Do not edit.\n");
    macro_rules! types {
        ($($name:path),* $(,)?) => {$(
            out.push_str("\nexport ");
            out.push_str(&<$name as TS>::decl(&config));
            out.push('\n');
        )*};
    }
    use crate::{api::*, history::*, maps::*, message::*, study::*, table::*, view::*};
    types!(
        Side,
        Lines,
        NamesKind,
        Names,
        Decor,
        Board,
        Piece,
        Dirs,
        Mark,
        Every,
        MoveView,
        Offered,
        Button,
        Prompt,
        Outcome,
        Problem,
        Counter,
        Ruling,
        View,
        Patch,
        How,
        ClockSpec,
        ClockFace,
        Opponent,
        Player,
        PlyInfo,
        MapName,
        TableInfo,
        Offer,
        Act,
        Event,
        Kind,
        Happened,
        ClientMessage,
        ServerMessage,
        OptionInfo,
        GameInfo,
        CreateTable,
        Created,
        EngineInfo,
        Me,
        NewName,
        TableLine,
        Tables,
        Replay,
        SetUp,
        Standing,
        Lessons,
        Details,
        ImportRecord,
        LogLine,
        ExtensionFile,
        UploadMap,
        MapCheck,
        MapPlayed,
        GamesPlayed,
        HookTime,
        MapFault,
        MapLine,
        AttributeValue,
        KindDraft,
        MapDraft,
        ExtensionInfo,
        MapInfo,
        DraftRead,
        DraftChecked,
        Workbook,
        Worth,
        StudyLine,
        Hint,
        Aside,
        StudyWish,
        StudyTold,
        Fault,
        FaultyTurn,
        Report,
        ProfileKind,
        Profile,
        PoolRating,
        GameTally,
        GamesPage,
        GameLine,
        RatingStep,
        PlayNow,
        PlayNowTold,
    );
    out
}
