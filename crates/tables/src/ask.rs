//! The messages of connections to a table's task, and of the task to connections.

use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use edge::network::Network;
use kernel::Problem;
use store::slow::StoredPlan;
use table::{Command, State, program};
use tokio::sync::{broadcast, mpsc, oneshot};
use wire::{Act, Player, SaidLine, ServerMessage};

use crate::message::text;
use crate::opponents::seat::Answer;

/// A handle for messages to a table's task.
#[derive(Clone)]
pub struct Handle(pub mpsc::Sender<Ask>);

/// A message of a connection or a request to a table. Small, because every queue has room for many.
pub enum Ask {
    /// A person connects, to play or to watch.
    Join(Box<Join>),
    /// A connection of that person has ended.
    Left(String),
    /// A person requests an action.
    Do(Box<Wished>),
    /// A person requests the whole state again.
    Full {
        /// The public id of that person.
        who: String,
        /// The version and the message.
        reply: oneshot::Sender<(u64, Utf8Bytes)>,
    },
    /// Reads the state. The function must be quick.
    Look(Box<dyn FnOnce(&State) + Send>),
    /// A program has answered the question it was asked.
    Answered(Box<(program::ProgramQuestion, Answer)>),
    /// A player has gone on vacation, or come back.
    Vacation,
    /// A player plans conditional moves.
    Plan(Box<Planned>),
    /// A chat message, which is already stored.
    Said(Box<SaidLine>),
    /// The list of people connected to the table at another node.
    Elsewhere {
        /// The node's incarnation.
        node: String,
        /// The public ids and networks of all of them.
        people: Vec<(String, Network)>,
        /// The version of the table.
        reply: oneshot::Sender<u64>,
    },
    /// Ends the task: clocks are stored, and readers told that they may connect again.
    Stop(oneshot::Sender<()>),
}

/// A person's request to connect.
pub struct Join {
    /// The player of the connection: account or guest.
    pub who: Player,
    /// The network they come from.
    pub network: Network,
    /// The version they know, if they connect again.
    pub since: Option<u64>,
    /// The channel for the first messages, and for the receiver of later ones.
    pub reply: oneshot::Sender<Joined>,
}

/// A request for an action, as it was received.
pub struct Wished {
    /// The player of the connection: account or guest.
    pub who: Player,
    /// Their id for the request.
    pub cmd: String,
    /// The version they have seen.
    pub ver: u64,
    /// The action that is requested.
    pub act: Act,
    /// The time at which it was read off the network, in the hall's time.
    pub arrived_ms: u64,
    /// The round trip to them, in milliseconds.
    pub lag_ms: u64,
    /// A message for them alone; `None` when the event itself is the answer.
    pub reply: oneshot::Sender<Option<Utf8Bytes>>,
    /// The span of its [trace](crate::traces::wish).
    pub span: tracing::Span,
}

/// A plan of conditional moves, as it was received; it has been [checked](table::plan::check).
pub struct Planned {
    /// The plan to be stored.
    pub plan: StoredPlan,
    /// The channel for the result.
    pub reply: oneshot::Sender<Result<(), Problem>>,
}

/// The answer to a new connection.
pub struct Joined {
    /// The messages to be sent at once.
    pub first: Vec<Utf8Bytes>,
    /// The version after those messages.
    pub ver: u64,
    /// The receiver of all later messages.
    pub news: broadcast::Receiver<News>,
}

/// A message to everybody at the table.
#[derive(Clone)]
pub enum News {
    /// An event, with the same text for everybody.
    Event(Arc<SentEvent>),
    /// A message that is not an event.
    Other(Utf8Bytes),
    /// A chat message.
    Said(Arc<Spoken>),
    /// The table was read from the store again: everybody needs the whole state.
    Anew,
}

/// An event in the form in which it is sent.
pub struct SentEvent {
    /// The version after it.
    pub ver: u64,
    /// The message, without the command it fulfils.
    pub(crate) text: Utf8Bytes,
    /// The command it fulfils; only its sender gets it.
    pub(crate) cmd: Option<Command>,
    /// The public ids by seat, when they changed.
    pub seats: Option<[Option<String>; 2]>,
}

impl SentEvent {
    /// Returns the message in the form for that person.
    #[must_use]
    pub fn text_for(&self, person: &str) -> Utf8Bytes {
        with_command(&self.text, self.cmd.as_ref(), person)
    }
}

/// A chat message, in the form that is sent.
pub struct Spoken {
    /// The chat line.
    pub line: SaidLine,
    /// The message as JSON.
    text: Utf8Bytes,
    /// The players at the table when the line was written, by public id.
    seats: [Option<String>; 2],
}

impl Spoken {
    /// Creates a message at a table where those people sit.
    #[must_use]
    pub fn new(line: SaidLine, seats: [Option<String>; 2]) -> Spoken {
        let text = text(&ServerMessage::Said(line.clone()));
        Spoken { line, text, seats }
    }

    /// Returns the message if it is meant for that person: players read players, and spectators read spectators.
    #[must_use]
    pub fn text_for(&self, person: &str) -> Option<Utf8Bytes> {
        let sits = self.seats.iter().flatten().any(|id| id == person);
        (sits != self.line.watching).then(|| self.text.clone())
    }
}

/// Returns an event in the form for the person `who`: with the command it fulfils, when it is their own.
fn with_command(event: &Utf8Bytes, cmd: Option<&Command>, who: &str) -> Utf8Bytes {
    const HEAD: &str = "{\"t\":\"ev\",";
    match cmd.filter(|cmd| cmd.person == who).zip(event.strip_prefix(HEAD)) {
        // A command is letters, digits, strokes and underscores: nothing to be escaped.
        Some((cmd, rest)) => [HEAD, "\"cmd\":\"", &cmd.id, "\",", rest].concat().into(),
        None => event.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_its_sender_sees_a_command() {
        let happened = |cmd: Option<&str>| {
            let bare = r#"{"t":"ev","v":3,"k":"draw"}"#;
            let mut event: ServerMessage = serde_json::from_str(bare).expect("an event");
            if let ServerMessage::Ev(event) = &mut event {
                event.cmd = cmd.map(str::to_owned);
            }
            event
        };
        let cmd = Command { person: "ann".into(), id: "wish-0001".into() };
        let told = text(&happened(None));
        let read = |text: Utf8Bytes| serde_json::from_str::<ServerMessage>(&text).expect("an event");
        assert_eq!(read(with_command(&told, Some(&cmd), "ann")), happened(Some("wish-0001")));
        assert_eq!(read(with_command(&told, Some(&cmd), "bob")), happened(None));
        assert_eq!(read(with_command(&told, None, "ann")), happened(None));
    }
}
