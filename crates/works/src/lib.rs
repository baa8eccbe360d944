//! Works of people for a hall: maps, the extensions in them, their versions and the opinions about them, balance
//! reports, and puzzles that are set by hand.
//!
//! Nothing here knows a table, who sits at one, or a request: a function that works for a person is told who pays
//! ([`edge::network::Payer`]), and its errors are its own. What the crate needs of the hall is [`handed`] down:
//! the store, the clock, the limits, and a way to have games of the engine played ([`plays`]).
//!
//! Reading order: [`maps`] (loaded once for all who use them), [`publishing`] (the one way by which a map becomes
//! public), [`gallery`] (works, versions, stars, pools), [`extensions`] (what authors share), [`reports`] (how even a
//! map is), [`riddles`] (puzzles on maps), [`refused`] (why a work is not to be had).

use std::sync::Arc;

use extensions::Extensions;
use gallery::Shelf;
use handed::Handed;
use maps::Maps;
use publishing::Publishing;
use reports::Reports;

pub mod extensions;
pub mod gallery;
pub mod handed;
pub mod maps;
pub mod plays;
pub mod publishing;
pub mod refused;
pub mod reports;
pub mod riddles;

/// The works of a hall.
pub struct Works {
    /// Maps, loaded once for all who use them.
    pub maps: Maps,
    /// The way on the shelf.
    pub publishing: Publishing,
    /// The shelf: works, and what people think of them.
    pub shelf: Shelf,
    /// Extensions that people share.
    pub extensions: Extensions,
    /// Balance reports, also those that are being made.
    pub reports: Arc<Reports>,
}

impl Works {
    /// Creates the works of a hall; no map is loaded yet.
    #[must_use]
    pub fn new(handed: Handed) -> Works {
        let maps = Maps::new(Arc::clone(&handed.store), handed.loader.clone());
        Works {
            publishing: Publishing::new(maps.clone(), handed.clone()),
            shelf: Shelf::new(maps.clone(), Arc::clone(&handed.store), handed.time.clone()),
            extensions: Extensions::new(maps.clone(), handed.clone()),
            reports: Arc::new(Reports::new(maps.clone(), handed)),
            maps,
        }
    }
}
