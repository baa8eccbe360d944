//! Heartbeats, and the condition of the store.

use super::desk::What;
use super::{Stock, db, failed};
use crate::{Condition, Pulse, Size, StoreError, Strain};

#[async_trait::async_trait]
impl Pulse for Stock {
    async fn beat(&self, now_ms: u64) -> Result<(), StoreError> {
        self.tell(What::Beat { now_ms }).await
    }

    fn last_beat(&self) -> Option<u64> {
        self.latest_beat()
    }

    async fn resume(&self, now_ms: u64) -> Result<u64, StoreError> {
        self.answer(What::Resume { from_ms: None, now_ms }).await
    }

    async fn resume_from(&self, from_ms: u64, now_ms: u64) -> Result<u64, StoreError> {
        self.answer(What::Resume { from_ms: Some(from_ms), now_ms }).await
    }
}

#[async_trait::async_trait]
impl Condition for Stock {
    async fn size(&self) -> Result<Size, StoreError> {
        self.disk().await
    }

    fn strain(&self) -> Strain {
        self.how_busy()
    }

    async fn ping(&self) -> Result<(), StoreError> {
        read!(self, readers => db::query("SELECT 1").execute(readers).await.map(|_| ()).map_err(failed))
    }

    async fn probe_write(&self) -> Result<(), StoreError> {
        self.tell(What::Probe).await
    }

    fn is_read_only(&self) -> bool {
        self.can_only_read()
    }

    async fn damage(&self) -> StoreError {
        self.found_damage().await
    }

    async fn close(&self) {
        self.shut().await;
    }
}
