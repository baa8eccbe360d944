//! The slow games of a person, and their plans and notes in them.

use edge::network::Payer;
use kernel::{Problem, Side};
use store::slow::{SlowGame, StoredPlan};
use table::{State, plan};
use tables::ask::{Ask, Planned};
use tables::lobby::line;
use tables::memory::NoTable;
use tokio::sync::oneshot;
use wire::{Board, Inbox, InboxGame, InboxNext, NewPlan, Offer, PlanBoard, PlanTold, PlyInfo, View};

use crate::hall::Hall;

/// Games that are shown.
const SHOWN: usize = 50;
/// Games that are counted.
const COUNTED: u32 = 1000;
/// Characters of a note.
const MOST_NOTE: usize = 2000;

impl Hall {
    async fn slow_games(&self, person: &str) -> Result<Vec<SlowGame>, Problem> {
        self.store.slow.slow_games(person, COUNTED).await.map_err(|why| {
            tracing::error!(%why, "slow games cannot be read");
            Problem::new("hall-busy")
        })
    }

    /// Returns the slow games of a person, with pictures.
    ///
    /// # Errors
    /// `hall-busy`.
    pub async fn inbox(&self, person: &str, payer: Payer<'_>) -> Result<Inbox, Problem> {
        let games = self.slow_games(person).await?;
        let waiting = games.iter().filter(|game| game.is_mine()).count();
        let now_ms = self.time.now_ms();
        let mut shown = Vec::new();
        for game in games.into_iter().take(SHOWN) {
            let SlowGame { id, side, asleep } = game;
            // What cannot be read is named where it is opened.
            let glanced = self.tables.glance(&id, payer, picture).await;
            let Ok((line, last, offers, board, view)) = glanced else { continue };
            let until_ms = asleep.held_ms.unwrap_or(now_ms).max(asleep.since_ms);
            let left_ms = line.clock.counted_ms(until_ms, asleep.deadline_ms);
            shown.push(InboxGame {
                line,
                side,
                mine: asleep.turn == Some(side),
                left_ms,
                held: asleep.held_ms.is_some(),
                offers: offers.into_iter().filter(|(by, _)| *by != side).map(|(_, what)| what).collect(),
                last,
                board,
                view,
            });
        }
        let waiting = u32::try_from(waiting).unwrap_or(u32::MAX);
        Ok(Inbox { games: shown, waiting, vacation: self.members.vacations.of(person).await? })
    }

    /// Returns the next table at which a person is to move, other than `but`, and the number of such tables.
    ///
    /// # Errors
    /// `hall-busy`.
    pub async fn inbox_next(&self, person: &str, but: Option<&str>) -> Result<InboxNext, Problem> {
        let games = self.slow_games(person).await?;
        let mut waiting = games.into_iter().filter(|game| game.is_mine() && Some(game.id.as_str()) != but);
        let table = waiting.next().map(|game| game.id);
        let count = usize::from(table.is_some()) + waiting.count();
        Ok(InboxNext { table, waiting: u32::try_from(count).unwrap_or(u32::MAX) })
    }

    /// Returns the plan and the note of a person at a table.
    ///
    /// # Errors
    /// `not-your-seat`, `hall-busy`; see [`NoTable`].
    pub async fn plan(&self, id: &str, person: &str, payer: Payer<'_>) -> Result<PlanTold, Refused> {
        let side = self.seat(id, person, payer).await?;
        let broken = |why| {
            tracing::error!(table = %id, %why, "what a player keeps to themselves cannot be read");
            Problem::new("hall-busy")
        };
        let note = self.store.slow.seat_note(id, person).await.map_err(broken)?;
        let plans = self.store.slow.plans(id).await.map_err(broken)?;
        let found = plans.into_iter().find(|plan| plan.person == person);
        let look = move |state: &State| {
            let from_ply = u32::try_from(state.record.len()).unwrap_or(u32::MAX);
            let rest = found.iter().flat_map(|found| {
                plan::rest(found.from_ply as usize, &found.lines, &state.record).map(<[String]>::to_vec)
            });
            let lines: Vec<Vec<PlyInfo>> =
                rest.filter_map(|line| plan::walk(state.game.as_ref(), &line).ok()).collect();
            let waits = lines.iter().flatten().next().is_some_and(|ply| plan::waits(&state.offers, ply.1));
            (from_ply, lines, waits && state.turn() == side)
        };
        let (from_ply, lines, waits) = self.tables.look(id, payer, look).await?;
        Ok(PlanTold { from_ply, lines, waits, note })
    }

    /// Stores a plan in place of the previous one.
    ///
    /// # Errors
    /// The fault in it: `not-your-seat`, `stale`, `plan-only-slow`, and those of [`plan::check`].
    pub async fn set_plan(
        &self,
        id: &str,
        person: &str,
        wish: NewPlan,
        payer: Payer<'_>,
    ) -> Result<PlanTold, Refused> {
        let side = self.seat(id, person, payer).await?;
        let NewPlan { from_ply, lines } = wish;
        let checked = if lines.is_empty() {
            Vec::new()
        } else {
            let check = move |state: &State| match state.record.len() == from_ply as usize {
                true if !state.is_slow() => Err(Problem::new("plan-only-slow")),
                true if !state.is_on() => Err(Problem::new("plan-after-end").with("ply", 1)),
                true => plan::check(state.game.as_ref(), side, &lines),
                false => Err(Problem::new("stale")),
            };
            self.tables.look(id, payer, check).await??
        };
        let texts = |line: &Vec<PlyInfo>| line.iter().map(|ply| ply.0.to_string()).collect();
        let plan =
            StoredPlan { person: person.to_owned(), from_ply, lines: checked.iter().map(texts).collect() };
        let question = |reply: oneshot::Sender<Result<(), Problem>>| {
            Ask::Plan(Box::new(Planned { plan: plan.clone(), reply }))
        };
        let (_, kept) = self.tables.ask(id, payer, question).await?;
        kept?;
        self.plan(id, person, payer).await
    }

    /// Returns the board after a line of a plan.
    ///
    /// # Errors
    /// `not-your-seat`, `plan-too-long`, `plan-only-slow`, or which move is not legal.
    pub async fn look_at_plan(
        &self,
        id: &str,
        person: &str,
        moves: Vec<String>,
        payer: Payer<'_>,
    ) -> Result<PlanBoard, Refused> {
        self.seat(id, person, payer).await?;
        if moves.len() > plan::MOST_PLIES {
            let why = Problem::new("plan-too-long");
            return Err(why.with("lines", plan::MOST_LINES).with("plies", plan::MOST_PLIES).into());
        }
        let walk = move |state: &State| {
            if !state.is_slow() {
                return Err(Problem::new("plan-only-slow"));
            }
            let plies = plan::walk(state.game.as_ref(), &moves)?;
            let mut game = state.game.boxed_clone();
            for ply in &plies {
                game.play(&ply.0).map_err(kernel::PlayError::problem)?;
            }
            Ok(PlanBoard { plies, view: game.view() })
        };
        Ok(self.tables.look(id, payer, walk).await??)
    }

    /// Stores a player's private note about a game.
    ///
    /// # Errors
    /// `not-your-seat`, `note-too-long`, `not-stored`.
    pub async fn set_note(
        &self,
        id: &str,
        person: &str,
        text: &str,
        payer: Payer<'_>,
    ) -> Result<(), Refused> {
        self.seat(id, person, payer).await?;
        let text = people::name::clean_lines(text, MOST_NOTE)
            .map_err(|_| Problem::new("note-too-long").with("limit", MOST_NOTE))?;
        self.store.slow.set_seat_note(id, person, &text).await.map_err(|why| {
            tracing::error!(table = %id, %why, "a note was not stored");
            Problem::new("not-stored").into()
        })
    }

    /// Returns the side that the person plays at a table; refused at a table on one screen, where one person plays
    /// both sides.
    async fn seat(&self, id: &str, person: &str, payer: Payer<'_>) -> Result<Side, Refused> {
        let person = person.to_owned();
        let seats = self.tables.look(id, payer, move |state: &State| state.seats_of(&person)).await?;
        match seats[..] {
            [side] => Ok(side),
            _ => Err(Problem::new("not-your-seat").into()),
        }
    }
}

/// The reasons for a refusal.
pub enum Refused {
    /// The table is not available.
    Table(NoTable),
    /// The request is refused.
    Wish(Problem),
}

impl From<NoTable> for Refused {
    fn from(why: NoTable) -> Self {
        Refused::Table(why)
    }
}

impl From<Problem> for Refused {
    fn from(why: Problem) -> Self {
        Refused::Wish(why)
    }
}

/// Returns the parts of a table that an entry of the inbox shows.
fn picture(state: &State) -> (wire::TableLine, Option<PlyInfo>, Vec<(Side, Offer)>, Board, View) {
    let mut view = state.view.clone();
    view.moves = wire::Offered::Listed(Vec::new());
    view.buttons.clear();
    let offers = state.offers.iter().map(|offered| (offered.by, offered.what)).collect();
    (line(state), state.record.last().cloned(), offers, state.game.board(), view)
}
