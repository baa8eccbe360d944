//! Questions that wait a few minutes for their answers: a passkey that a browser was asked for, a device that shows a code,
//! somebody who is on the way to an OpenID provider.
//!
//! A question may be answered at another node than it was asked at, so the store has it. It is found by the hash of a secret that
//! only the asker has, is taken once, and says nothing to whoever reads the database: bodies come sealed.

use crate::StoreError;

/// A question that is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewQuestion {
    /// The sort of question; each has room of its own.
    pub kind: &'static str,
    /// The hash of the secret that it is found by.
    pub hash: [u8; 32],
    /// The address that it came from.
    pub asker: String,
    /// The content that is to be remembered.
    pub body: String,
    /// From when on it does not count any more, in Unix milliseconds.
    pub until_ms: u64,
    /// Questions of that kind that are remembered; the oldest give way.
    pub most: u32,
    /// The same of one address, whose own oldest give way.
    pub most_each: u32,
    /// When this is, in Unix milliseconds.
    pub now_ms: u64,
}

/// An operation on questions. Times are Unix milliseconds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum QuestionDeed {
    /// One is asked. What has expired is forgotten, of all kinds.
    Ask(NewQuestion),
    /// One says something else from now on. [`Missing`](StoreError::Missing): it is not there, or too late.
    Change {
        /// The sort of question.
        kind: &'static str,
        /// The hash of the secret.
        hash: [u8; 32],
        /// The new content.
        body: String,
        /// When this is.
        now_ms: u64,
    },
    /// One is taken: it is gone afterwards.
    Take {
        /// The sort of question.
        kind: &'static str,
        /// The hash of the secret.
        hash: [u8; 32],
        /// When this is.
        now_ms: u64,
    },
}

/// Questions that wait for their answers.
#[async_trait::async_trait]
pub trait Questions: Send + Sync {
    /// Remembers a question, or changes it.
    async fn ask_question(&self, question: NewQuestion) -> Result<(), StoreError>;

    /// Changes what a question says. [`Missing`](StoreError::Missing): it is not there, or too late.
    async fn change_question(
        &self,
        kind: &'static str,
        hash: [u8; 32],
        body: String,
        now_ms: u64,
    ) -> Result<(), StoreError>;

    /// The body of a question; `None` when it was not asked, was taken, or was asked too long ago.
    async fn question(
        &self,
        kind: &'static str,
        hash: [u8; 32],
        now_ms: u64,
    ) -> Result<Option<String>, StoreError>;

    /// The same, and nobody gets it after this. Of several who take one at once, one has it.
    async fn take_question(
        &self,
        kind: &'static str,
        hash: [u8; 32],
        now_ms: u64,
    ) -> Result<Option<String>, StoreError>;
}
