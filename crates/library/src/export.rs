//! Export of games, as the records that were imported.

use kernel::Problem;
use records::{Format, NodeId, Ply, Record, Tree};
use rusqlite::{Connection, OptionalExtension};

use crate::explorer::text_of;
use crate::search::{Found, one, result_numbered};
use crate::varint::Numbers;
use crate::walk::{Opener, unpacked};
use crate::{Day, Library, fault};

impl Library {
    /// Returns a game as the record that was imported. `open` is called for games whose sides make several moves in a
    /// row.
    ///
    /// # Errors
    /// `library-no-game`, `library-storage`, and what the opener says.
    pub fn record(&self, game: u32, open: &Opener) -> Result<Record, Problem> {
        let reader = self.reader()?;
        record(&reader, game, open)
    }

    /// Returns the number of the collection that a game is in.
    ///
    /// # Errors
    /// `library-no-game`, `library-storage`.
    pub fn collection_of(&self, game: u32) -> Result<i64, Problem> {
        let reader = self.reader()?;
        let found = reader
            .query_row("SELECT collection FROM game WHERE id = ?1", [game], |row| row.get(0))
            .optional()
            .map_err(fault)?;
        found.ok_or_else(|| Problem::new("library-no-game").with("game", game))
    }

    /// Returns the data of a game without its moves.
    ///
    /// # Errors
    /// `library-no-game`, `library-storage`.
    pub fn about(&self, game: u32) -> Result<Found, Problem> {
        let reader = self.reader()?;
        one(&reader, game)?.ok_or_else(|| Problem::new("library-no-game").with("game", game))
    }

    /// Returns the numbers of a collection's games above `after`, in rising order, at most `most`.
    ///
    /// # Errors
    /// `library-storage`.
    pub fn games_after(&self, collection: i64, after: u32, most: usize) -> Result<Vec<u32>, Problem> {
        let reader = self.reader()?;
        let mut read = reader
            .prepare_cached(
                "SELECT id FROM game NOT INDEXED WHERE id > ?1 AND collection = ?2 ORDER BY id LIMIT ?3",
            )
            .map_err(fault)?;
        let rows = read.query_map((after, collection, most as i64), |row| row.get(0)).map_err(fault)?;
        rows.collect::<Result<_, _>>().map_err(fault)
    }
}

pub(crate) fn record(reader: &Connection, game: u32, open: &Opener) -> Result<Record, Problem> {
    struct Row {
        game: String,
        options: String,
        players: [String; 2],
        event: String,
        day: u32,
        result: u8,
        start: Option<String>,
        moves: Vec<u8>,
        extra: Option<Vec<u8>>,
    }
    let row = reader
        .prepare_cached(
            "SELECT rules.game, rules.options, one.name, other.name, event.name, game.day, game.result, body.start,
             body.moves, body.extra FROM game JOIN rules ON rules.id = game.rules
             JOIN player AS one ON one.id = game.first JOIN player AS other ON other.id = game.second
             JOIN event ON event.id = game.event JOIN body ON body.game = game.id WHERE game.id = ?1",
        )
        .and_then(|mut read| {
            read.query_row([game], |row| {
                Ok(Row {
                    game: row.get(0)?,
                    options: row.get(1)?,
                    players: [row.get(2)?, row.get(3)?],
                    event: row.get(4)?,
                    day: row.get(5)?,
                    result: row.get(6)?,
                    start: row.get(7)?,
                    moves: row.get(8)?,
                    extra: row.get(9)?,
                })
            })
            .optional()
        })
        .map_err(fault)?;
    let row = row.ok_or_else(|| Problem::new("library-no-game").with("game", game))?;
    let mut record = match &row.extra {
        Some(extra) => Record { players: row.players, ..records::read(Format::Json, &unpacked(extra)?)? },
        None => {
            let option = |text: &str| {
                let (key, value) = text.split_once('=')?;
                Some((key.to_owned(), value.parse().ok()?))
            };
            let mut plain = Record {
                game: row.game,
                options: row.options.split_whitespace().filter_map(option).collect(),
                start: row.start,
                players: row.players,
                ending: result_numbered(row.result)
                    .map(|score| records::Ending { score, reason: String::new() }),
                date: Day(row.day).text(),
                ..Record::default()
            };
            plain.tag("Event", &row.event);
            plain
        }
    };
    if record.tree.plies() > 0 {
        return Ok(record);
    }
    let mut texts = Vec::new();
    for play in Numbers::new(&row.moves) {
        texts.push(text_of(reader, play as u32)?);
    }
    record.tree = tree(&record, texts, open)?;
    Ok(record)
}

/// Builds the tree of a main line from the moves.
fn tree(record: &Record, texts: Vec<String>, open: &Opener) -> Result<Tree, Problem> {
    let mut game = open(record)?;
    game.play_past_draws(true);
    let mut tree = Tree::default();
    let mut last: NodeId = Tree::START;
    let mut mover = None;
    for text in texts {
        let side = game.turn();
        game.play(&text).map_err(kernel::PlayError::problem)?;
        game.compact();
        let same_turn = mover.replace(side) == Some(side);
        last = tree.add(last, Ply { text, same_turn, ..Ply::default() });
    }
    Ok(tree)
}
