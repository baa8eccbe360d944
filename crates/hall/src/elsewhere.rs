//! Reports that are being made at another node: one node makes each, and the others ask it how far it has come.

use std::sync::Arc;

use edge::network::Asker;
use serde::de::DeserializeOwned;
use tables::cluster::talk::{Answer, Question};
use wire::{BalanceReport, Report};
use works::maps::Loaded;
use works::reports::NoReport;

use crate::analysis::NoAnalysis;
use crate::hall::Hall;

impl Hall {
    /// Returns the report about a finished game, from the node that makes it.
    ///
    /// # Errors
    /// The errors of [`report`](Hall::report).
    pub async fn report_anywhere(self: &Arc<Self>, table: &str, asker: &Asker) -> Result<Report, NoAnalysis> {
        let (person, address) = (asker.person.clone(), asker.network.address());
        let question = Question::Report { table: table.to_owned(), person, address };
        match self.reported(&format!("report {table}"), &question).await {
            Some(report) => Ok(report),
            None => self.report(table, asker).await,
        }
    }

    /// Returns the report about a map, from the node that makes it.
    ///
    /// # Errors
    /// The errors of [`report`](works::reports::Reports::report).
    pub async fn balance_anywhere(
        self: &Arc<Self>,
        id: &str,
        asker: &Asker,
        begin: bool,
    ) -> Result<(Arc<Loaded>, BalanceReport), NoReport> {
        let (person, address) = (asker.person.clone(), asker.network.address());
        let question = Question::Balance { map: id.to_owned(), begin, person, address };
        match self.reported(&format!("balance {id}"), &question).await {
            Some(report) => Ok((self.works.maps.map(id, asker.into()).await?, report)),
            None => self.works.reports.report(id, asker.into(), begin).await,
        }
    }

    /// Returns the report from the node that makes it; `None` where that is this one, where it does not answer or has a
    /// reason not to make it, which is the same here.
    async fn reported<T: DeserializeOwned>(&self, thing: &str, question: &Question) -> Option<T> {
        let cluster = self.cluster.as_ref()?;
        let node = cluster.keeper(thing)?;
        match cluster.ask(&node, question).await {
            Ok(Answer::Report { body }) => serde_json::from_str(&body).ok(),
            _ => None,
        }
    }
}
