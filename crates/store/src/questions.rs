//! Storage of pending questions that wait a few minutes for their answers: a passkey challenge to a browser, a device
//! that shows a code, a person on the way to an OpenID provider.
//!
//! A question may be answered at another node than it was asked at, so the store has it. It is found by the hash of a
//! secret that only the asker has and is taken once. The bodies are sealed, so that a reader of the database learns
//! nothing from them.

use crate::StoreError;

/// A question that is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewQuestion {
    /// The kind of question; each kind has its own limit.
    pub kind: &'static str,
    /// The hash of the secret that it is found by.
    pub hash: [u8; 32],
    /// The address that it came from.
    pub asker: String,
    /// The content that is to be remembered.
    pub body: String,
    /// The moment at which it expires, in Unix milliseconds.
    pub until_ms: u64,
    /// The most questions of that kind that are remembered; the oldest are dropped.
    pub most: u32,
    /// The most questions of that kind from one address; its own oldest are dropped.
    pub most_each: u32,
    /// The current time, in Unix milliseconds.
    pub now_ms: u64,
}

/// An operation on questions. Times are Unix milliseconds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum QuestionDeed {
    /// Stores a new question and deletes the expired ones of all kinds.
    Ask(NewQuestion),
    /// Replaces the content of a question. [`Missing`](StoreError::Missing): it is not there, or has expired.
    Change {
        /// The kind of question.
        kind: &'static str,
        /// The hash of the secret.
        hash: [u8; 32],
        /// The new content.
        body: String,
        /// The current time, in Unix milliseconds.
        now_ms: u64,
    },
    /// Deletes a question and returns its body.
    Take {
        /// The kind of question.
        kind: &'static str,
        /// The hash of the secret.
        hash: [u8; 32],
        /// The current time, in Unix milliseconds.
        now_ms: u64,
    },
}

/// Questions that wait for their answers.
#[async_trait::async_trait]
pub trait Questions: Send + Sync {
    /// Stores a question and deletes the expired ones of all kinds.
    async fn ask_question(&self, question: NewQuestion) -> Result<(), StoreError>;

    /// Replaces the body of a question. [`Missing`](StoreError::Missing): it is not there, or has expired.
    async fn change_question(
        &self,
        kind: &'static str,
        hash: [u8; 32],
        body: String,
        now_ms: u64,
    ) -> Result<(), StoreError>;

    /// Returns the body of a question; `None` when it was not asked, was taken, or has expired.
    async fn question(
        &self,
        kind: &'static str,
        hash: [u8; 32],
        now_ms: u64,
    ) -> Result<Option<String>, StoreError>;

    /// Returns the body of a question and deletes it; `None` as in [`question`](Questions::question). Of several
    /// concurrent calls only one gets it.
    async fn take_question(
        &self,
        kind: &'static str,
        hash: [u8; 32],
        now_ms: u64,
    ) -> Result<Option<String>, StoreError>;
}
