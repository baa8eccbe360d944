//! The trait that each protocol implements.

use engine_core::Info;
use kernel::Problem;

use crate::desk::Desk;

/// The handler of one protocol.
pub(crate) trait Voice {
    /// Handles a line; false ends the session.
    fn hear(&mut self, line: &str, desk: &mut Desk) -> bool;
    /// Handles a line that is too long, of which only the beginning was kept.
    fn overheard(&mut self, begin: &str, desk: &mut Desk);
    /// Sends an intermediate result of the search.
    fn tell(&mut self, info: &Info, desk: &mut Desk);
    /// Sends the move that was found.
    fn done(&mut self, answer: Result<String, Problem>, desk: &mut Desk);
}
