//! Messages between nodes. A change that an older hall would misread is a new [`bus::VERSION`].

use serde::{Deserialize, Serialize};
use store::format::Packed;
use wire::{Act, PlayNow, PlayNowTold, Player, PoolLine, SaidLine, TableLine};

use crate::running::{Found, Keys, RatedChanges, RatedPart};

/// A question to the owner of a table, or to the node that keeps a queue. It is asked again when no answer comes, so
/// each handler must be idempotent.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "q", rename_all = "kebab-case")]
pub enum Question {
    /// A request for an action by a person at an edge.
    Do {
        /// Public id of the table.
        table: String,
        /// The person who acts.
        who: Player,
        /// Their id for the request; the same when it is repeated.
        cmd: String,
        /// The version they have seen.
        ver: u64,
        /// The action of the person.
        act: Act,
        /// The time for which it has waited at the edge, in milliseconds.
        waited_ms: u64,
        /// The round trip between them and the edge, in milliseconds.
        lag_ms: u64,
        /// The trace id at the edge; older nodes neither send nor read it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        trace: Option<String>,
    },
    /// The list of all people connected to a table at an edge; sent when it changes and every few seconds.
    Present {
        /// Public id of the table.
        table: String,
        /// The edge's incarnation.
        node: String,
        /// Public ids, with the networks they come from.
        people: Vec<(String, std::net::IpAddr)>,
    },
    /// A chat message at a table, which is already stored.
    Said {
        /// Public id of the table.
        table: String,
        /// The chat message.
        line: SaidLine,
    },
    /// The conditional moves of a person at a slow game.
    Plan {
        /// Public id of the table.
        table: String,
        /// The public id of the person whose moves they are.
        person: String,
        /// The number of plies of the game before the first move of each line.
        from_ply: u32,
        /// The lines of planned moves.
        lines: Vec<Vec<String>>,
    },
    /// News that a person at the table went on vacation, or came back.
    Vacation {
        /// Public id of the table.
        table: String,
    },
    /// News that a person's id has changed in the log, so that the table must be read again.
    Reload {
        /// Public id of the table.
        table: String,
    },
    /// A request to play at once, with any suitable opponent.
    PlayNow {
        /// The game that is wanted.
        wish: PlayNow,
        /// The person who wants to play.
        who: Player,
        /// The address they come from; older nodes do not send it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<std::net::IpAddr>,
    },
    /// A request for the report about a finished game.
    Report {
        /// Public id of the table.
        table: String,
        /// The person who asks: a public id, or an address.
        person: String,
        /// The address they come from.
        address: std::net::IpAddr,
    },
    /// A request for the report about a map.
    Balance {
        /// The id of the map.
        map: String,
        /// True if the report is to be begun.
        begin: bool,
        /// The person who asks: a public id, or an address.
        person: String,
        /// The address they come from.
        address: std::net::IpAddr,
    },
    /// A question for the people who were lately at addresses of a range.
    Within {
        /// The range, such as `192.0.2.0/24`.
        range: String,
        /// The earliest time that counts, in Unix milliseconds.
        since_ms: u64,
    },
    /// A question whether positions are in running games, or a person plays a rated game.
    Runs {
        /// The public id of the person, and the rules by which they want help.
        plays: (String, String),
        /// The keys of the positions.
        keys: Keys,
    },
    /// A question from a person who leaves the queue: has an opponent been found meanwhile?
    Left {
        /// Public id of that person.
        person: String,
    },
}

/// An answer to a [`Question`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "a", rename_all = "kebab-case")]
pub enum Answer {
    /// The action was done, or refused.
    Done {
        /// The version of the table after it.
        ver: u64,
        /// A message for the person who acted; `None` when the event itself is the answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        told: Option<String>,
    },
    /// This node does not own the table.
    NotMine,
    /// The request was refused, or failed for a reason that only the owner of the table or the queue knows.
    Refused {
        /// The key of the problem.
        key: String,
    },
    /// The answer to [`Question::PlayNow`].
    PlayNow {
        /// The message for the person.
        told: PlayNowTold,
    },
    /// A report, as JSON.
    Report {
        /// The report, as far as it has come.
        body: String,
    },
    /// The people who were at addresses of the range.
    Within {
        /// The public ids of the people.
        people: Vec<String>,
    },
    /// The answer to [`Question::Runs`].
    Runs {
        /// True if the person plays a rated game by those rules here.
        rated: bool,
        /// The positions that were found.
        found: Found,
    },
    /// The answer to [`Question::Left`].
    Left {
        /// The table at which an opponent was found.
        table: Option<String>,
    },
}

impl Answer {
    /// Makes the answer with a report, as JSON.
    pub fn reported(report: &impl Serialize) -> Answer {
        match serde_json::to_string(report) {
            Ok(body) => Answer::Report { body },
            Err(_) => Answer::NotMine,
        }
    }
}

/// News of a table, from its owner to its edges. Only committed events are sent, so a previous owner cannot spread
/// false news.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "n", rename_all = "kebab-case")]
pub enum TableNews {
    /// An event of the table.
    Event {
        /// The entry, as it is stored.
        entry: Packed,
        /// The time of sending, in the hall's time.
        told_ms: u64,
    },
    /// The presence of players and spectators.
    Here {
        /// True for each of the two players who is connected.
        here: [bool; 2],
        /// The number of spectators.
        watchers: u32,
        /// The milliseconds until the win may be claimed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        claim_ms: Option<u64>,
    },
    /// A chat message at the table.
    Said {
        /// The chat message.
        line: SaidLine,
    },
    /// The table was read from the store again.
    Anew,
    /// The owner has released the table: the people at an edge must connect again.
    Moved,
}

/// A message to all nodes, with its sender.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NodeMessage {
    /// The incarnation of the sender.
    pub node: String,
    /// The message to the nodes.
    pub word: Word,
}

/// The messages to all nodes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "w", rename_all = "kebab-case")]
pub enum Word {
    /// Lines of the lobby that have changed at their table's owner.
    Lobby {
        /// New or changed lines.
        put: Vec<TableLine>,
        /// Tables that are not listed any more.
        gone: Vec<String>,
    },
    /// All lines of a node's own tables, sent every half minute, which repairs losses in between.
    LobbyWhole {
        /// The lines of the lobby.
        lines: Vec<TableLine>,
    },
    /// The people who wait for an opponent in the sender's queues, at each change and every ten seconds.
    Pools {
        /// The lines of the lobby.
        pools: Vec<PoolLine>,
    },
    /// The people who are connected to a node, in parts.
    Here {
        /// The public ids of the people.
        people: Vec<String>,
        /// The number of this part, from 0; older nodes send all in one.
        #[serde(default)]
        part: u32,
    },
    /// A person's name, sessions or tokens have changed.
    Changed {
        /// The public id of the person.
        person: String,
    },
    /// The staff has changed something, which is in the database.
    Staff,
    /// A person has left the queue for an opponent.
    Left {
        /// Public id of that person.
        person: String,
    },
    /// A player has come to a table of strangers at which no move was made yet.
    Came {
        /// Public id of that person.
        person: String,
        /// Public id of the table.
        table: String,
    },
    /// An event was added to a study, which is in the database; or a person shows the chapter and the node they look
    /// at.
    Study {
        /// The id of the study.
        id: String,
        /// The person who looks at a node, with the chapter and the node.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<(wire::StudyMember, u32, u32)>,
    },
    /// Rated games have begun or ended at the sender: help that another node gives to their players stops.
    Rated {
        /// The players and the rules, as keys.
        changes: RatedChanges,
    },
    /// The players of all rated games at the sender, in parts, sent every ten seconds, which repairs losses in between.
    RatedWhole {
        /// The players and the rules, as keys.
        list: RatedPart,
    },
    /// News for one person.
    Happened {
        /// The public id of the person.
        person: String,
        /// A message for programs, as JSON. Without it, `accepted` is the table at which a challenge is played;
        /// without both, the person's inbox has changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        event: Option<Box<wire::StreamEvent>>,
        /// The table of a challenge that was accepted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        accepted: Option<String>,
    },
}
