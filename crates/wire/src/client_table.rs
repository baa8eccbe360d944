//! Client-side state of a table: stores the server's messages and derives nothing from them.

use crate::{
    AnnouncementLine, ClockFace, Happened, Offer, Outcome, PlyInfo, Problem, ServerMessage, Side, TableInfo,
    View,
};

/// The state of a table as a client knows it. Fields are `None` until the first `full`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClientTable {
    /// The version of the table.
    pub ver: u64,
    /// The game, the players and the settings of the table.
    pub info: Option<TableInfo>,
    /// The position as it is drawn; `None` before the first message.
    pub view: Option<View>,
    /// The plies played.
    pub record: Vec<PlyInfo>,
    /// Offers that are not answered yet.
    pub offers: Vec<(Side, Offer)>,
    /// The result of the game.
    pub end: Option<Outcome>,
    /// The seats that the client holds.
    pub you: Vec<Side>,
    /// The clocks as last reported.
    pub clock: Option<ClockFace>,
    /// The time left for the first move of the side to move, as last reported, in milliseconds.
    pub first_ms: Option<u64>,
    /// True for each of the first and the second player who is present.
    pub here: [bool; 2],
    /// The number of spectators.
    pub watchers: u32,
    /// The time until the side that is not to move may claim the win, as last reported, in milliseconds.
    pub claim_ms: Option<u64>,
    /// The reason why the server cannot store anything at present. A caller that connects again must clear it.
    pub trouble: Option<Problem>,
    /// Announcements by the staff, the newest first.
    pub announced: Vec<AnnouncementLine>,
}

/// A gap in the events: the one that came is not the next one, so an earlier one was lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gap {
    /// The version that was known.
    pub known: u64,
    /// The version that came.
    pub came: u64,
}

impl ClientTable {
    /// Stores a message. Returns false if its event was known already.
    ///
    /// # Errors
    /// [`Gap`]; nothing was stored then.
    pub fn learn(&mut self, message: &ServerMessage) -> Result<bool, Gap> {
        match message {
            ServerMessage::Full {
                v,
                table,
                view,
                record,
                clk,
                offers,
                end,
                you,
                here,
                watchers,
                first_ms,
            } => {
                self.ver = *v;
                self.info = Some(table.clone());
                self.view = Some(view.clone());
                self.record.clone_from(record);
                self.offers.clone_from(offers);
                self.end.clone_from(end);
                self.you.clone_from(you);
                self.clock = *clk;
                self.first_ms = *first_ms;
                (self.here, self.watchers, self.claim_ms) = (*here, *watchers, None);
            }
            ServerMessage::Ev(event) if event.v <= self.ver => return Ok(false),
            ServerMessage::Ev(event) if event.v != self.ver + 1 => {
                return Err(Gap { known: self.ver, came: event.v });
            }
            ServerMessage::Ev(event) => self.set(event),
            ServerMessage::You { you } => self.you.clone_from(you),
            ServerMessage::Here { here, watchers, claim_ms } => {
                (self.here, self.watchers, self.claim_ms) = (*here, *watchers, *claim_ms);
            }
            ServerMessage::Bell { announced: Some(lines) } => self.announced.clone_from(lines),
            ServerMessage::Storage { trouble } => self.trouble.clone_from(trouble),
            _ => {}
        }
        Ok(true)
    }

    fn set(&mut self, event: &Happened) {
        self.ver = event.v;
        if event.ply.is_some() || event.end.is_some() {
            self.claim_ms = None;
        }
        if let Some(plies) = event.cut {
            self.record.truncate(plies as usize);
        }
        self.record.extend(event.ply.clone());
        if let Some(view) = &mut self.view {
            event.p.apply(view);
        }
        if let Some(face) = event.clk {
            self.clock = Some(face);
        }
        if let Some(info) = &mut self.info {
            if let Some(seats) = &event.seats {
                info.seats.clone_from(seats);
            }
            info.started |= event.started;
            if event.chance.is_some() {
                info.chance.clone_from(&event.chance);
            }
            if let Some(no_offers) = event.no_offers {
                info.no_offers = no_offers;
            }
            if event.next.is_some() {
                info.next.clone_from(&event.next);
            }
        }
        if let Some(offers) = &event.offers {
            self.offers.clone_from(offers);
        }
        if let Some(first_ms) = event.first_ms {
            self.first_ms = first_ms;
        }
        if let Some(end) = &event.end {
            self.end.clone_from(end);
        }
    }
}
