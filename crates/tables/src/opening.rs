//! Opening a table on request: its game, its map, its players and its opening are checked.

use std::sync::Arc;

use edge::network::Payer;
use kernel::{Problem, Side};
use people::Name;
use people::challenge::RatingRange;
use people::name::NameKind;
use store::together::Deed;
use table::{Event, Setup, State};
use wire::{CreateTable, How, OpenTable, Player};
use works::maps::Loaded;

use crate::Tables;
use crate::context::{push, sittings};
use crate::draws::Drawn;
use crate::help::OWN_GAMES;
use crate::remembered;

/// Returns a room's name as it is kept; `None` when nothing is left of it.
///
/// # Errors
/// The fault in it.
pub fn room_name(text: &str) -> Result<Option<Name>, Problem> {
    if text.trim().is_empty() { Ok(None) } else { Name::read(text, NameKind::Room).map(Some) }
}

impl Tables {
    /// Opens a table on request; returns its id.
    ///
    /// # Errors
    /// The fault in the request.
    pub async fn open(&self, wish: CreateTable, opener: Player, payer: Payer<'_>) -> Result<String, Problem> {
        let entry = catalog::find(&wish.game)?;
        table::clock::check(wish.clock)?;
        let setting =
            if wish.how == How::Screen { catalog::Setting::Faithful } else { catalog::Setting::Online };
        let options = entry.settle(&wish.options, setting)?;
        let map = wish.map.as_deref();
        let (map, options) = self.on_map(options, &wish.options, map, wish.how, payer).await?;
        let room = self.room_name(&wish)?;
        let opponent = self.opponent(&wish, entry)?;
        let fen = wish.fen.as_deref().map(|text| records::pasted(entry.key, text)).transpose()?.flatten();
        let fen = fen.map(std::borrow::Cow::into_owned);
        let mut options = options;
        let draws_for_two = wish.how != How::Screen && opponent.is_none();
        if fen.is_some() {
            if catalog::draws::is_open(&options) {
                return Err(Problem::new("draw-and-position"));
            }
            catalog::draws::clear(&mut options);
        }
        if draws_for_two {
            self.draw(&opener.id, entry.key, &mut options, payer).await;
        }
        let drawn = draws_for_two.then(|| options.clone());
        let setup = Setup {
            game: wish.game,
            options,
            map: map.map(|map| map.name()),
            fen,
            how: wish.how,
            room,
            clock: wish.clock,
            rated: wish.rated,
            created_ms: self.context.time.now_ms(),
            heading: None,
        };
        if setup.rated {
            self.may_be_rated(&setup, opponent.is_some(), &opener.id).await?;
        }
        if opponent.is_some() {
            self.plays_no_rated_game(&setup.game, &opener.id, payer).await?;
        }
        // A program that is given a position answers it.
        if setup.fen.is_some() && opponent.is_some() {
            let (state, _) = self.context.replayed("", setup.clone(), Vec::new(), payer).await?;
            self.may_help(&setup, state.game.as_ref(), 0, &opener.id, payer).await?;
        }
        let by_lot = if rand::random() { wire::Side::First } else { wire::Side::Second };
        let side = wish.side.unwrap_or(by_lot);
        let mut seats = [None, None];
        seats[side.index()] = Some(opener.clone());
        seats[side.other().index()] = opponent;
        if wish.how == How::Screen {
            seats = [Some(opener.clone()), Some(opener.clone())];
        }
        let log = sittings(&seats, setup.created_ms);
        let id = self.context.store_new(setup, log, payer).await?;
        if let Some(options) = drawn {
            self.draws.note(&opener.id, entry.key, &options, &id);
        }
        Ok(id)
    }

    /// Opens a table, limited to a range of ratings if the request names one; returns its id.
    ///
    /// # Errors
    /// The errors of [`open`](Tables::open); `rating-range`, `rating-range-here`.
    pub async fn open_table(
        &self,
        wish: OpenTable,
        opener: Player,
        payer: Payer<'_>,
    ) -> Result<String, Problem> {
        let range = match wish.ratings {
            Some([None, None]) | None => None,
            Some([min, max]) => Some(RatingRange::new(min, max)?),
        };
        let Some(range) = range else { return self.open(wish.table, opener, payer).await };
        let table = &wish.table;
        let is_public = matches!(table.how, wire::How::Open | wire::How::Room) && table.opponent.is_none();
        let is_usual = table.fen.is_none() && table.map.is_none();
        if !is_public || !is_usual || table::clock::budget_ms(table.clock).is_none() {
            return Err(Problem::new("rating-range-here"));
        }
        let id = self.open(wish.table, opener, payer).await?;
        // The table is not known to any other person yet.
        self.context.store.together.deed(Deed::Seek { table: id.clone(), range }).await.map_err(|why| {
            tracing::error!(%why, "the range of a table was not stored");
            Problem::new("hall-busy")
        })?;
        self.context.lobby.set_range(&id, range);
        Ok(id)
    }

    /// Returns the map of that id, and the options completed by the map. `chosen` are the options that the request
    /// names.
    ///
    /// # Errors
    /// The reason why the map is not available; `seed-chosen` if the request chooses the random seed of a game with
    /// another player.
    pub async fn on_map(
        &self,
        mut options: catalog::Options,
        chosen: &catalog::Options,
        map: Option<&str>,
        how: How,
        payer: Payer<'_>,
    ) -> Result<(Option<Arc<Loaded>>, catalog::Options), Problem> {
        // Against another player no one chooses the numbers that the hall draws.
        if how != How::Screen {
            catalog::draws::undraw(&mut options);
        }
        let map = self.context.works.maps.map_of(map, payer).await?;
        if let Some(map) = &map {
            map.settle(&mut options);
            let is_chosen = catalog::maps::seed(chosen) != 0;
            if how != How::Screen && is_chosen {
                return Err(Problem::new("seed-chosen"));
            }
            // Every game on one screen has random numbers of its own, unless its player asks for those of
            // another. Elsewhere the hall draws a secret, when both sit down.
            if how == How::Screen && map.waits() && !chosen.contains_key(catalog::maps::SEED) {
                options.insert(catalog::maps::SEED.to_owned(), rand::random::<u32>().into());
            }
        }
        Ok((map, options))
    }

    /// Checks that a table's result may count for ratings.
    ///
    /// # Errors
    /// `rated-not-usual`, `rated-map-later`, `rated-needs-account`.
    pub async fn may_be_rated(
        &self,
        setup: &Setup,
        against_program: bool,
        opener: &str,
    ) -> Result<(), Problem> {
        if against_program || remembered::pool(setup).is_none() {
            return Err(Problem::new("rated-not-usual"));
        }
        if let Some(map) = &setup.map {
            self.context.works.shelf.has_pool(&map.id).await?;
        }
        self.context.persons.has_account(opener).await
    }

    /// Checks that the person plays no rated game of that kind now, in which a program would help them. Slow games do
    /// not count: they go on for weeks.
    ///
    /// # Errors
    /// `rated-game-runs`.
    async fn plays_no_rated_game(&self, game: &str, person: &str, payer: Payer<'_>) -> Result<(), Problem> {
        for table in self.context.store.tables.playing(person, OWN_GAMES).await.unwrap_or_default() {
            let game = game.to_owned();
            let look = move |state: &State| {
                let is_slow = remembered::speed(&state.setup) == Some(people::Speed::Correspondence);
                state.setup.rated && !is_slow && state.setup.game == game && state.is_on()
            };
            if self.look(&table, payer, look).await.is_ok_and(|runs| runs) {
                return Err(Problem::new("rated-game-runs"));
            }
        }
        Ok(())
    }

    /// Returns the program that sits down at once, if the request names one.
    fn opponent(&self, wish: &CreateTable, entry: &catalog::Entry) -> Result<Option<Player>, Problem> {
        match &wish.opponent {
            Some(_) if wish.how == How::Screen => Err(Problem::new("engine-on-screen")),
            Some(opponent) => self.context.opponents.player(opponent, entry).map(Some),
            None => Ok(None),
        }
    }

    fn room_name(&self, wish: &CreateTable) -> Result<Option<String>, Problem> {
        if wish.how != How::Room {
            return Ok(None);
        }
        let name = room_name(wish.room.as_deref().unwrap_or_default())?;
        let name = name.ok_or_else(|| Problem::new("room-without-name"))?;
        Ok(Some(name.as_str().to_owned()))
    }

    /// Opens a table at which moves were already played, by one person for both sides. `end` is the event that has
    /// ended the game.
    ///
    /// # Errors
    /// `not-stored`.
    pub async fn open_record(
        &self,
        setup: Setup,
        moves: Vec<(Side, String)>,
        end: Option<Event>,
        who: Player,
        payer: Payer<'_>,
    ) -> Result<String, Problem> {
        let mut log = sittings(&[Some(who.clone()), Some(who)], setup.created_ms);
        for (by, text) in moves {
            push(&mut log, setup.created_ms, Event::Move { by, text, away: false });
        }
        if let Some(end) = end {
            push(&mut log, setup.created_ms, end);
        }
        self.context.store_new(setup, log, payer).await
    }

    /// Draws an opening where one is wanted: the previous one again, while the game at its table has not begun.
    async fn draw(&self, person: &str, game: &str, options: &mut catalog::Options, payer: Payer<'_>) {
        if !catalog::draws::is_open(options) {
            return;
        }
        if let Some(Drawn { number, table }) = self.draws.last(person, game, options)
            && !matches!(self.look(&table, payer, |state: &State| state.started()).await, Ok(true))
        {
            options.insert(catalog::draws::DRAWN.to_owned(), number);
            return;
        }
        catalog::draws::draw(game, options, rand::random());
    }
}
