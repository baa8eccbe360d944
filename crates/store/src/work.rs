//! Requests to a writer that belong to one subject: what it takes to carry them out is known to the subject alone.
//!
//! The writer of a database calls [`Work::carry_out`] within its transaction. Each group of requests is one commit, and
//! a request may be carried out again where a commit failed, so it keeps nothing.

use std::any::Any;

use crate::StoreError;

/// A kind of work that numbers or decides by counting, and so is done by one node at a time: each kind by itself, for
/// the length of a transaction. The end of a game waits for no sign-in, and neither for a file that a person brings.
/// One process with a database of its own does one thing at a time anyway.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Desk {
    /// Games are numbered, and ratings change.
    Games,
    /// Accounts, sessions, and names.
    People,
    /// Challenges, relations, words, reports.
    Together,
    /// Maps, studies, and the number of them that each person has.
    Works,
    /// Notices, letters, questions, keys of workers.
    Letters,
    /// Files that every node has a copy of.
    Journal,
    /// All other work.
    Hall,
}

/// All desks in their order: for work that changes logs, or what several of them count.
pub(crate) const DESKS: &[Desk] =
    &[Desk::Games, Desk::People, Desk::Together, Desk::Works, Desk::Letters, Desk::Journal, Desk::Hall];

/// A request of one subject to the writer of a database with that kind of connection.
#[async_trait::async_trait]
pub(crate) trait Work<Connection>: Send + Sync + 'static {
    /// The answer to the request.
    type Done: Send + Sync + 'static;

    /// Returns the desks that it needs, in their order.
    fn desks(&self) -> &'static [Desk];

    /// Returns true if it changes logs by other ways than appending, so that it is committed alone.
    fn is_alone(&self) -> bool {
        false
    }

    /// Returns true if it may bring a megabyte, which must hold up no other write.
    fn is_large(&self) -> bool {
        false
    }

    /// Carries it out within a transaction. Conflicts are found before anything is written.
    async fn carry_out(&self, connection: &mut Connection) -> Result<Self::Done, StoreError>;
}

/// The answer to a request, as the channel to the writer carries it.
pub(crate) type Reply = Box<dyn Any + Send + Sync>;

/// A request as the channel to the writer carries it.
#[async_trait::async_trait]
pub(crate) trait Errand<Connection>: Send + Sync {
    /// See [`Work::desks`].
    fn desks(&self) -> &'static [Desk];
    /// See [`Work::is_alone`].
    fn is_alone(&self) -> bool;
    /// See [`Work::is_large`].
    fn is_large(&self) -> bool;
    /// Carries the request out as [`Work::carry_out`] does.
    async fn run(&self, connection: &mut Connection) -> Result<Reply, StoreError>;
}

#[async_trait::async_trait]
impl<Connection: Send, W: Work<Connection>> Errand<Connection> for W {
    fn desks(&self) -> &'static [Desk] {
        Work::desks(self)
    }

    fn is_alone(&self) -> bool {
        Work::is_alone(self)
    }

    fn is_large(&self) -> bool {
        Work::is_large(self)
    }

    async fn run(&self, connection: &mut Connection) -> Result<Reply, StoreError> {
        Ok(Box::new(self.carry_out(connection).await?))
    }
}
