//! What nodes say to each other. A change that an older hall would misread is a new [`bus::VERSION`].

use serde::{Deserialize, Serialize};
use store::format::Packed;
use wire::{Act, PlayNow, PlayNowTold, Player, SaidLine, TableLine};

/// A question to the owner of a table, or to whoever keeps a queue. Asked again when no answer comes, so none of
/// them may mind being asked twice.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "q", rename_all = "kebab-case")]
pub enum Question {
    /// Somebody at an edge wishes something.
    Do {
        /// Public id of the table.
        table: String,
        /// Who.
        who: Player,
        /// Their name for the wish; the same when it is asked again.
        cmd: String,
        /// The version they have seen.
        ver: u64,
        /// What they wish.
        act: Act,
        /// How long it has waited at the edge, in milliseconds.
        waited_ms: u64,
        /// The round trip between them and the edge, in milliseconds.
        lag_ms: u64,
        /// What the edge calls it in its traces; older nodes say nothing of it, and do not read it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        trace: Option<String>,
    },
    /// Who is connected to a table at an edge, all of them; told when it changes and every few seconds.
    Present {
        /// Public id of the table.
        table: String,
        /// The edge's incarnation.
        node: String,
        /// Public ids, with the networks they come from.
        people: Vec<(String, std::net::IpAddr)>,
    },
    /// Something was said at a table, which is stored.
    Said {
        /// Public id of the table.
        table: String,
        /// What.
        line: SaidLine,
    },
    /// Somebody plans moves at a slow game.
    Plan {
        /// Public id of the table.
        table: String,
        /// Whose moves they are.
        person: String,
        /// The plies of the game before the first move of each line.
        from_ply: u32,
        /// The lines.
        lines: Vec<Vec<String>>,
    },
    /// Somebody at the table went on vacation, or came back.
    Vacation {
        /// Public id of the table.
        table: String,
    },
    /// A person's id has changed in the log: the table is read anew.
    Reload {
        /// Public id of the table.
        table: String,
    },
    /// Somebody wants to play at once.
    PlayNow {
        /// What.
        wish: PlayNow,
        /// Who.
        who: Player,
        /// The address they come from; older nodes say nothing of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<std::net::IpAddr>,
    },
    /// A request for the report about a finished game.
    Report {
        /// Public id of the table.
        table: String,
        /// Who: a public id, or an address.
        person: String,
        /// The address they come from.
        address: std::net::IpAddr,
    },
    /// A request for the report about a map.
    Balance {
        /// The map.
        map: String,
        /// Tells whether it is to be begun.
        begin: bool,
        /// Who: a public id, or an address.
        person: String,
        /// The address they come from.
        address: std::net::IpAddr,
    },
    /// A question for the people who were lately at addresses of a range.
    Within {
        /// The range, such as `192.0.2.0/24`.
        range: String,
        /// Since when, in Unix milliseconds.
        since_ms: u64,
    },
    /// Somebody waits for no opponent any more: was one found meanwhile?
    Left {
        /// Public id of that person.
        person: String,
    },
}

/// An answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "a", rename_all = "kebab-case")]
pub enum Answer {
    /// It was done, or refused.
    Done {
        /// The version of the table after it.
        ver: u64,
        /// A message for whoever wished it; `None` when the event itself is the answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        told: Option<String>,
    },
    /// This node does not own the table.
    NotMine,
    /// Something that only the table task could have said has gone wrong.
    Refused {
        /// The key of the problem.
        key: String,
    },
    /// Of who wants to play at once.
    PlayNow {
        /// What they are told.
        told: PlayNowTold,
    },
    /// A report, as JSON.
    Report {
        /// As far as it has come.
        body: String,
    },
    /// The people who were at addresses of the range.
    Within {
        /// Public ids.
        people: Vec<String>,
    },
    /// Of who waits no more.
    Left {
        /// The table at which an opponent was found.
        table: Option<String>,
    },
}

impl Answer {
    /// A report.
    pub fn reported(report: &impl Serialize) -> Answer {
        match serde_json::to_string(report) {
            Ok(body) => Answer::Report { body },
            Err(_) => Answer::NotMine,
        }
    }
}

/// News of a table, from its owner to its edges. Of what was committed only: whoever owned a table before cannot tell
/// anything that is not so.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "n", rename_all = "kebab-case")]
pub enum TableNews {
    /// Something happened.
    Event {
        /// The entry, as it is stored.
        entry: Packed,
        /// When it was told, in the hall's time.
        told_ms: u64,
    },
    /// Who is here.
    Here {
        /// Whether the two players are.
        here: [bool; 2],
        /// How many others.
        watchers: u32,
        /// In how many milliseconds the win may be claimed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        claim_ms: Option<u64>,
    },
    /// Something was said.
    Said {
        /// What.
        line: SaidLine,
    },
    /// The table was read anew.
    Anew,
    /// The owner has let go of the table: whoever is at an edge connects again.
    Moved,
}

/// Something for all nodes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Said {
    /// Who says it: an incarnation.
    pub node: String,
    /// What.
    pub word: Word,
}

/// What all nodes are told.
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
    /// All lines of a node's own tables, said every half minute: what was lost in between is mended by it.
    LobbyWhole {
        /// The lines.
        lines: Vec<TableLine>,
    },
    /// The people who are connected to a node, in parts.
    Here {
        /// Public ids.
        people: Vec<String>,
        /// Which part this is, from 0; older nodes say all in one.
        #[serde(default)]
        part: u32,
    },
    /// A person's name, sessions or tokens have changed.
    Changed {
        /// Public id.
        person: String,
    },
    /// The staff has done something, which the database has.
    Staff,
    /// A person waits for no opponent any more.
    Left {
        /// Public id of that person.
        person: String,
    },
    /// A player has come to a table of strangers at which nobody has moved.
    Came {
        /// Public id of that person.
        person: String,
        /// Public id of the table.
        table: String,
    },
    /// Something was added to a study, which the database has; or somebody shows where they look: chapter and node.
    Study {
        /// Address of the study.
        id: String,
        /// Who, and where.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<(wire::StudyMember, u32, u32)>,
    },
    /// Something happened to a person.
    Happened {
        /// Public id.
        person: String,
        /// A message for programs, as JSON; or none, and `accepted` says at which table a challenge is played. Neither:
        /// something waits for them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        event: Option<Box<wire::StreamEvent>>,
        /// The table of a challenge that was accepted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        accepted: Option<String>,
    },
}
