//! Logs of tables, for both databases. Each database's own writer writes them.

use table::{Entry, Setup, Standing};

use super::desk::What;
use super::{Stock, games, read};
use crate::games::Finished;
use crate::{Asleep, Logs, StoreError, Stored};

#[async_trait::async_trait]
impl Logs for Stock {
    async fn create(
        &self,
        id: &str,
        setup: &Setup,
        log: Vec<Entry>,
        standing: Standing,
    ) -> Result<(), StoreError> {
        self.tell(What::Create { id: id.to_owned(), setup: setup.clone(), log, standing }).await
    }

    async fn append(&self, id: &str, entry: Entry, standing: Option<Standing>) -> Result<(), StoreError> {
        self.tell(What::Append { id: id.to_owned(), entry, standing, ended: None, asleep: None }).await
    }

    async fn finish(
        &self,
        id: &str,
        entry: Entry,
        standing: Standing,
        game: Finished,
    ) -> Result<(), StoreError> {
        let ended = Some(Box::new(games::NewRow::of(&game)));
        self.tell(What::Append { id: id.to_owned(), entry, standing: Some(standing), ended, asleep: None })
            .await
    }

    async fn append_slow(
        &self,
        id: &str,
        entry: Entry,
        standing: Option<Standing>,
        asleep: Asleep,
    ) -> Result<(), StoreError> {
        let (id, asleep) = (id.to_owned(), Some(asleep));
        self.tell(What::Append { id, entry, standing, ended: None, asleep }).await
    }

    async fn load(&self, id: &str) -> Result<Option<Stored>, StoreError> {
        self.load_table(id).await
    }

    async fn log(&self, id: &str, since_ver: u64, most: u32) -> Result<Vec<Entry>, StoreError> {
        read!(self, readers => read::log(readers, id, since_ver, most).await)
    }
}
