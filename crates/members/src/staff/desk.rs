//! Actions of the staff: carried out by a running hall and by `qiguan admin` alike.

use kernel::Problem;
use people::account::{Act, Role};
use people::moderation::{Decision, Subject, words};
use people::secret::{new_id, random_text};
use people::staff::{
    ANNOUNCEMENT, By, LABEL, MOST_ANNOUNCEMENTS, MOST_BANS, MOST_DAYS, MOST_HOURS, MOST_INVITATIONS,
    MOST_USES, Power, Range, Registration,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use store::games::Filter;
use store::shelf::WantedWorks;
use store::staff::{Announcement, Ban, Invitation, LogOf, Logged, StaffDeed};
use store::together::{Complaint, Decided, Which};
use store::{Account, Change, Find, KeyDeed, Note, PersonRow, Store, StoreError, StoredPersonKind};
use wire::{
    BanHits, BanLine, Bans, Evidence, HouseInfo, InvitationLine, MadeWorkerKey, NewAnnouncement, NewBan,
    NewInvitation, NewRegistration, NewWorkerKey, NotedLine, PersonKind, Player, ReportLine, SessionLine,
    StaffDecide, StaffGame, StaffLogLine, StaffPerson, StaffPersonLine, StaffWork, SuspendedLine,
    TakenDownLine, WorkerKey,
};

use super::rules::Rules;
use super::worker_keys;
use crate::identity::player;
use crate::moderation::decision_line;

/// The most accounts in one answer.
const FOUND: u32 = 50;
/// The most lines of the log in one answer.
const LINES: u32 = 100;
/// The most notes, reports, games and works on the page of one person.
const SHOWN: u32 = 50;
/// The most accounts of the last day whose noted network is looked at.
const NOTED: u32 = 100_000;
/// The number of letters of an invitation code, about 60 bits.
const CODE: usize = 12;
/// The name in the log of the final closing of an account.
pub const FORGET: &str = "forget";
/// The names in the log of other actions that affect the connections of their subject.
pub const TELLS: [&str; 2] = ["role", "reopen"];
const HOUR_MS: u64 = 3_600_000;
const DAY_MS: u64 = 24 * HOUR_MS;

/// An action that the staff asks for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum StaffWish {
    /// Finds accounts whose name begins so, or the one with that id.
    Search {
        /// The beginning of a name, or a public id.
        text: String,
    },
    /// Finds accounts that were seen at the same networks as a person.
    Sharing {
        /// Name or id of the person.
        who: String,
    },
    /// Shows the page of one person.
    Person {
        /// Name or id of the person.
        who: String,
    },
    /// Decides about a person without a report.
    Decide {
        /// Name or id of the person.
        who: String,
        /// The decision, with its reason.
        decide: StaffDecide,
    },
    /// Lists the reports that wait for a decision, or those about one person.
    Reports {
        /// Name or id of the person; the reports that wait without it.
        #[serde(default)]
        about: Option<String>,
    },
    /// Decides about a report.
    Report {
        /// The number of the report.
        n: u64,
        /// The decision, with its reason.
        decide: wire::Decide,
    },
    /// Takes a map down or puts it back.
    Map {
        /// The address of the work, or the id of one of its maps.
        id: String,
        /// The reason, and whether the map is taken down or put back.
        wish: wire::TakeDown,
    },
    /// Lists the maps that were taken down.
    Down,
    /// Gives or takes a role.
    Role {
        /// Name or id of the person.
        who: String,
        /// The name of the role.
        role: String,
        /// True to give the role, false to take it.
        give: bool,
    },
    /// Closes an account for good.
    Forget {
        /// Name or id of the person.
        who: String,
    },
    /// Logs that everything about an account is exported; returns its id.
    Export {
        /// Name or id of the person.
        who: String,
    },
    /// Bans a range of addresses.
    Ban(NewBan),
    /// Lifts a ban of addresses.
    Lift {
        /// The number of the ban.
        n: u64,
    },
    /// Counts the people whom a ban of addresses would hit.
    Hits {
        /// The range, as for a ban.
        network: String,
    },
    /// Lists the bans and suspensions in force.
    Bans,
    /// Publishes an announcement.
    Announce(NewAnnouncement),
    /// Withdraws an announcement.
    Withdraw {
        /// The number of the announcement.
        n: u64,
    },
    /// Shows the rules for registration and guests, and the announcements.
    House,
    /// Sets the rules for registration and guests.
    Register(NewRegistration),
    /// Creates an invitation.
    Invite(NewInvitation),
    /// Revokes an invitation.
    Uninvite {
        /// The id of the invitation.
        id: String,
    },
    /// Lists the valid invitations.
    Invitations,
    /// Shows the log of the staff, the newest lines first.
    Audit {
        /// The person whose lines are shown, by name or id; everybody's without it.
        #[serde(default)]
        about: Option<String>,
        /// The number below which lines are shown, for the next page.
        #[serde(default)]
        below: Option<u64>,
    },
    /// The keys of workers.
    WorkerKeys,
    /// Makes a key for a worker.
    Hire(NewWorkerKey),
    /// Removes a worker's key.
    Dismiss {
        /// The id of the account.
        id: String,
    },
    /// Gives a worker's key that was set aside work again.
    Rehire {
        /// The id of the account.
        id: String,
    },
}

/// An answer to the staff.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "told", content = "what", rename_all = "kebab-case")]
pub enum StaffAnswer {
    /// The action was done.
    Done,
    /// The action was done, and its result has that number.
    Number(u64),
    /// The public id of the person concerned.
    Id(String),
    /// The accounts that were found.
    People(Vec<StaffPersonLine>),
    /// The page of one person.
    Person(Box<StaffPerson>),
    /// The reports that were asked for.
    Reports(Vec<ReportLine>),
    /// The bans and suspensions in force.
    Bans(Bans),
    /// The people whom a ban would hit.
    Hits(BanHits),
    /// The maps that were taken down.
    Down(Vec<TakenDownLine>),
    /// The rules for registration and guests, and the announcements.
    House(HouseInfo),
    /// An invitation, with its code.
    Invitation(InvitationLine),
    /// The valid invitations.
    Invitations(Vec<InvitationLine>),
    /// The lines of the log.
    Log(Vec<StaffLogLine>),
    /// The keys of workers.
    WorkerKeys(Vec<WorkerKey>),
    /// A worker's key that was made, with its text.
    WorkerKey(MadeWorkerKey),
}

impl StaffWish {
    /// Returns true if it changes something that connections must be told of.
    #[must_use]
    pub fn changes(&self) -> bool {
        !matches!(
            self,
            StaffWish::Search { .. }
                | StaffWish::Sharing { .. }
                | StaffWish::Person { .. }
                | StaffWish::Reports { .. }
                | StaffWish::Down
                | StaffWish::Export { .. }
                | StaffWish::Hits { .. }
                | StaffWish::Bans
                | StaffWish::House
                | StaffWish::Invitations
                | StaffWish::Audit { .. }
                | StaffWish::WorkerKeys
        )
    }
}

/// Returns the hash that is stored of the code of an invitation. Capitals and dashes in the code are ignored.
#[must_use]
pub(crate) fn code_hash(code: &str) -> [u8; 32] {
    let plain: String = code.chars().filter(char::is_ascii_alphanumeric).collect();
    Sha256::new().chain_update(b"qiguan invitation 1\0").chain_update(plain.to_lowercase()).finalize().into()
}

fn failed(why: StoreError) -> Problem {
    match why {
        StoreError::Conflict => Problem::new("last-admin"),
        StoreError::Missing => Problem::new("no-such-person"),
        StoreError::DiskFull | StoreError::FileTooLarge(_) | StoreError::DiskFailed(_) => {
            Problem::new("not-stored")
        }
        why => {
            tracing::error!(%why, "a wish of the staff failed");
            Problem::new("hall-busy")
        }
    }
}

/// The executor of the staff's actions.
pub struct Desk<'a> {
    /// The store of the hall.
    pub store: &'a Store,
    /// The current time, in Unix milliseconds.
    pub now_ms: u64,
}

impl Desk<'_> {
    /// Carries an action out, if that member of the staff may do it.
    ///
    /// # Errors
    /// The reason against it.
    pub async fn carry_out(&self, by: &By, wish: StaffWish) -> Result<StaffAnswer, Problem> {
        match wish {
            StaffWish::Search { text } => self.search(by, &text).await,
            StaffWish::Sharing { who } => self.sharing(by, &who).await,
            StaffWish::Person { who } => self.person(by, &who).await,
            StaffWish::Decide { who, decide } => self.decide(by, &who, decide).await,
            StaffWish::Reports { about } => self.reports(by, about.as_deref()).await,
            StaffWish::Report { n, decide } => self.report(by, n, decide).await,
            StaffWish::Map { id, wish } => self.map(by, &id, wish).await,
            StaffWish::Down => self.down(by).await,
            StaffWish::Role { who, role, give } => self.role(by, &who, &role, give).await,
            StaffWish::Forget { who } => self.forget(by, &who).await,
            StaffWish::Export { who } => self.export(by, &who).await,
            StaffWish::Ban(ban) => self.ban(by, ban).await,
            StaffWish::Lift { n } => self.lift(by, n).await,
            StaffWish::Hits { network } => self.hits(by, &network).await,
            StaffWish::Bans => self.bans(by).await,
            StaffWish::Announce(words) => self.announce(by, words).await,
            StaffWish::Withdraw { n } => self.withdraw(by, n).await,
            StaffWish::House => {
                let rules = Rules::new(self.store.staff.house(self.now_ms).await.map_err(failed)?);
                Ok(StaffAnswer::House(rules.info(self.now_ms)))
            }
            StaffWish::Register(wish) => self.register(by, &wish).await,
            StaffWish::Invite(wish) => self.invite(by, wish).await,
            StaffWish::Uninvite { id } => self.uninvite(by, id).await,
            StaffWish::Invitations => self.invitations(by).await,
            StaffWish::Audit { about, below } => self.audit(by, about.as_deref(), below).await,
            StaffWish::WorkerKeys => {
                by.may(Power::Workers)?;
                worker_keys::listed(self.store).await.map(StaffAnswer::WorkerKeys).map_err(failed)
            }
            StaffWish::Hire(wish) => self.hire(by, &wish).await,
            StaffWish::Dismiss { id } => {
                by.may(Power::Workers)?;
                self.worker_key(by, "worker-key-remove", id.clone(), KeyDeed::Remove { id }).await
            }
            StaffWish::Rehire { id } => {
                by.may(Power::Hire)?;
                self.worker_key(by, "worker-key-restore", id.clone(), KeyDeed::Aside { id, why: None }).await
            }
        }
    }

    fn line(&self, by: &By, act: &str) -> Logged {
        Logged {
            n: 0,
            at_ms: self.now_ms,
            by: by.person.clone(),
            act: act.to_owned(),
            about: None,
            detail: None,
            reason: None,
        }
    }

    async fn deed(&self, by: &By, deed: StaffDeed, line: Logged) -> Result<u64, StoreError> {
        // The keeper can make another admin; the others could not.
        self.store.staff.decide(deed, line, !by.is_keeper()).await
    }

    async fn looked(
        &self,
        by: &By,
        act: &str,
        about: Option<&str>,
        detail: Option<String>,
    ) -> Result<(), Problem> {
        let line = Logged { about: about.map(str::to_owned), detail, ..self.line(by, act) };
        self.deed(by, StaffDeed::Look, line).await.map(drop).map_err(failed)
    }

    /// Finds an account by name or id, or a guest by id.
    async fn find(&self, who: &str) -> Result<Account, Problem> {
        let unknown = || Problem::new("no-such-person").with("name", who);
        let row = self.store.people.find_person(who).await.map_err(failed)?.ok_or_else(unknown)?;
        self.store.accounts.account(Find::Id(&row.id)).await.map_err(failed)?.ok_or_else(unknown)
    }

    /// Finds a person like [`find`](Desk::find), who must have an account.
    async fn account(&self, who: &str) -> Result<Account, Problem> {
        let found = self.find(who).await?;
        if found.is_account() { Ok(found) } else { Err(Problem::new("no-such-person").with("name", who)) }
    }

    async fn who(&self, id: &str) -> Player {
        match self.store.people.find_person(id).await {
            Ok(Some(row)) if row.id == id => player(row),
            _ => Player { id: id.to_owned(), name: None, engine: None, program: false },
        }
    }

    async fn some(&self, id: Option<&str>) -> Option<Player> {
        match id.filter(|id| !id.is_empty()) {
            Some(id) => Some(self.who(id).await),
            None => None,
        }
    }

    async fn search(&self, by: &By, text: &str) -> Result<StaffAnswer, Problem> {
        by.may(Power::Search)?;
        let text: String = text.trim().chars().take(40).collect();
        if text.is_empty() {
            return Err(Problem::new("search-empty"));
        }
        self.looked(by, "search", None, Some(text.clone())).await?;
        let mut rows = Vec::new();
        rows.extend(self.store.people.find_person(&text).await.map_err(failed)?.filter(|row| row.id == text));
        rows.extend(self.store.staff.accounts_like(&people::name::fold(&text), FOUND).await.map_err(failed)?);
        Ok(StaffAnswer::People(
            rows.into_iter().map(|row| person_line(row, Vec::new(), Vec::new())).collect(),
        ))
    }

    async fn sharing(&self, by: &By, who: &str) -> Result<StaffAnswer, Problem> {
        by.may(Power::Networks)?;
        let found = self.find(who).await?;
        self.looked(by, "sharing", Some(&found.person.id), None).await?;
        let all = self.store.staff.accounts_sharing(&found.person.id, FOUND).await.map_err(failed)?;
        let line = |one: store::staff::Sharing| person_line(one.person, one.networks, one.devices);
        Ok(StaffAnswer::People(all.into_iter().map(line).collect()))
    }

    async fn person(&self, by: &By, who: &str) -> Result<StaffAnswer, Problem> {
        by.may(Power::Look)?;
        let Account { person, roles, credentials, sessions, tokens, .. } = self.find(who).await?;
        let id = person.id.clone();
        self.looked(by, "look", Some(&id), None).await?;
        let rules = Rules::new(self.store.staff.house(self.now_ms).await.map_err(failed)?);
        let sees_networks = by.has(Power::Networks);
        let noted = self.store.accounts.noted(Some(&id), None, SHOWN).await.map_err(failed)?;
        let noted = noted.into_iter().map(|(n, note)| NotedLine {
            n,
            person: note.person,
            at_ms: note.at_ms,
            act: note.act,
            network: note.network.filter(|_| sees_networks),
            device: note.device.filter(|_| sees_networks),
            detail: note.detail,
        });
        let noted = noted.collect();
        let mut reports = Vec::new();
        for complaint in self.store.together.complaints(Which::About(&id), SHOWN).await.map_err(failed)? {
            reports.push(self.report_line(complaint).await);
        }
        let sent = self.store.together.complaints(Which::By(&id), SHOWN).await.map_err(failed)?;
        let sent = sent.iter().filter(|complaint| complaint.decided.is_none()).count();
        let log = self
            .store
            .staff
            .staff_log(LogOf { about: Some(&id), below: None }, SHOWN)
            .await
            .map_err(failed)?;
        let rows = self.store.games.list(&id, &Filter::default(), None, SHOWN).await.map_err(failed)?;
        let games = rows.into_iter().map(|row| StaffGame {
            table: row.id,
            game: row.setup.game,
            players: row.players.into(),
            ended_ms: row.ended_ms,
        });
        let games = games.collect();
        let wanted = WantedWorks { owner: Some(id.clone()), most: SHOWN, ..WantedWorks::default() };
        let (works, _) = self.store.shelf.works(&wanted).await.map_err(failed)?;
        let works = works.into_iter().map(|work| StaffWork {
            down: rules.down(&work.id).is_some(),
            work: work.id,
            name: work.name,
        });
        let works = works.collect();
        Ok(StaffAnswer::Person(Box::new(StaffPerson {
            suspended_ms: rules.suspension(&id, self.now_ms).map(|one| one.until_ms),
            line: person_line(person, Vec::new(), Vec::new()),
            roles: roles.iter().map(|role| role.name().to_owned()).collect(),
            credentials: credentials.iter().map(|one| one.kind.name().to_owned()).collect(),
            sessions: sessions
                .into_iter()
                .map(|s| SessionLine {
                    id: String::new(),
                    label: s.label,
                    made_ms: s.made_ms,
                    used_ms: s.used_ms,
                    here: false,
                })
                .collect(),
            tokens: u32::try_from(tokens.len()).unwrap_or(u32::MAX),
            noted,
            reports,
            sent: u32::try_from(sent).unwrap_or(u32::MAX),
            log: self.log_lines(log).await,
            games,
            works,
        })))
    }

    async fn report_line(&self, complaint: Complaint) -> ReportLine {
        let decided = decision_line(&complaint);
        let Complaint { n, by, about, subject, words, evidence, made_ms, .. } = complaint;
        ReportLine {
            n,
            by: self.who(&by).await,
            about: self.who(&about).await,
            subject: subject.key().to_owned(),
            words,
            evidence: serde_json::from_str(&evidence).unwrap_or_default(),
            made_ms,
            decided,
            before: 0,
        }
    }

    async fn reports(&self, by: &By, about: Option<&str>) -> Result<StaffAnswer, Problem> {
        by.may(Power::Reports)?;
        let about = match about {
            Some(who) => {
                let found = self.store.people.find_person(who).await.map_err(failed)?;
                Some(found.ok_or_else(|| Problem::new("no-such-person").with("name", who))?.id)
            }
            None => None,
        };
        let which = about.as_deref().map_or(Which::Open, Which::About);
        let mut lines = Vec::new();
        for complaint in self.store.together.complaints(which, SHOWN).await.map_err(failed)? {
            let before = self.decided_before(&complaint).await?;
            lines.push(ReportLine { before, ..self.report_line(complaint).await });
        }
        Ok(StaffAnswer::Reports(lines))
    }

    /// Returns the number of other decisions about the same person, except `nothing`.
    async fn decided_before(&self, complaint: &Complaint) -> Result<u32, Problem> {
        let about = Which::About(&complaint.about);
        let about = self.store.together.complaints(about, LINES).await.map_err(failed)?;
        let is_bad = |other: &&Complaint| {
            other.n != complaint.n
                && other.decided.as_ref().is_some_and(|decided| decided.decision != Decision::Nothing)
        };
        Ok(u32::try_from(about.iter().filter(is_bad).count()).unwrap_or(u32::MAX))
    }

    /// Returns the end of a decision that has one.
    fn end(&self, decision: Decision, days: Option<u32>) -> Result<Option<u64>, Problem> {
        match (decision.has_end(), days) {
            (true, Some(days)) if (1..=MOST_DAYS).contains(&days) => {
                Ok(Some(self.now_ms + u64::from(days) * DAY_MS))
            }
            (true, _) => Err(Problem::new("decision-days").with("limit", MOST_DAYS)),
            (false, _) => Ok(None),
        }
    }

    /// Logs an action in the accounts of its subject and of the member of the staff, without network and device.
    async fn note(&self, people: &[&str], act: Act, detail: String) {
        for person in people.iter().filter(|person| !person.is_empty()) {
            let note = Note { detail: Some(detail.clone()), ..Note::new(person, act, self.now_ms) };
            if let Err(why) = self.store.accounts.change(Change::Note, Some(note)).await {
                tracing::warn!(%why, "a deed of the staff was not noted with whom it is about");
            }
        }
    }

    async fn decide(&self, by: &By, who: &str, wish: StaffDecide) -> Result<StaffAnswer, Problem> {
        if wish.decision == "reopen" {
            return self.reopen(by, who, &wish.reason).await;
        }
        let decision = Decision::read(&wish.decision)?;
        if matches!(decision, Decision::TakeDown | Decision::Nothing) {
            return Err(Problem::new("decision-unknown").with("known", DECISIONS));
        }
        by.may(Power::to_decide(decision))?;
        let reason = words(&wish.reason)?;
        let until_ms = self.end(decision, wish.days)?;
        let about = self.find(who).await?;
        by.may_touch(&about.person.id, &about.roles)?;
        if decision == Decision::Close && !about.is_account() {
            return Err(Problem::new("no-such-person").with("name", who));
        }
        let evidence = Evidence { name: about.person.name.clone(), ..Evidence::default() };
        let what = Decided { by: by.person.clone(), decision, reason, at_ms: self.now_ms, until_ms };
        self.anew(
            by,
            &about.person.id,
            Subject::Person,
            evidence,
            what,
            wish.days.map(|days| days.to_string()),
        )
        .await
    }

    /// Decides without a report.
    async fn anew(
        &self,
        by: &By,
        about: &str,
        subject: Subject,
        evidence: Evidence,
        decided: Decided,
        detail: Option<String>,
    ) -> Result<StaffAnswer, Problem> {
        let line = Logged {
            about: Some(about.to_owned()),
            detail,
            reason: Some(decided.reason.clone()).filter(|reason| !reason.is_empty()),
            ..self.line(by, decided.decision.key())
        };
        let decision = decided.decision;
        let complaint = Complaint {
            n: 0,
            by: by.person.clone(),
            about: about.to_owned(),
            subject,
            words: String::new(),
            evidence: serde_json::to_string(&evidence).expect("plain data"),
            made_ms: self.now_ms,
            decided: Some(decided),
            appeal: None,
        };
        let n = self.deed(by, StaffDeed::DecideAnew { complaint }, line).await.map_err(|why| match why {
            StoreError::Taken => Problem::new("work-not-so"),
            why => failed(why),
        })?;
        self.note(&[&by.person, about], Act::Decided, format!("{n}: {}", decision.key())).await;
        Ok(StaffAnswer::Number(n))
    }

    /// Lifts the measures that keep an account out.
    async fn reopen(&self, by: &By, who: &str, reason: &str) -> Result<StaffAnswer, Problem> {
        by.may(Power::Decide)?;
        let reason = words(reason)?;
        let about = self.find(who).await?;
        by.may_touch(&about.person.id, &about.roles)?;
        let id = &about.person.id;
        let all = self.store.together.complaints(Which::About(id), SHOWN).await.map_err(failed)?;
        let keeps_out = |complaint: &&Complaint| {
            complaint.decided.as_ref().is_some_and(|decided| match decided.decision {
                Decision::Close => true,
                Decision::Suspend => decided.until_ms.is_some_and(|until_ms| until_ms > self.now_ms),
                _ => false,
            })
        };
        let mut count = 0;
        for complaint in all.iter().filter(keeps_out) {
            let decided = Decided {
                by: by.person.clone(),
                decision: Decision::Nothing,
                reason: reason.clone(),
                at_ms: self.now_ms,
                until_ms: None,
            };
            let line = Logged {
                about: Some(id.clone()),
                detail: Some(complaint.n.to_string()),
                reason: Some(reason.clone()).filter(|reason| !reason.is_empty()),
                ..self.line(by, "reopen")
            };
            self.deed(by, StaffDeed::Decide { n: complaint.n, decided }, line).await.map_err(failed)?;
            let detail = format!("{}: {}", complaint.n, Decision::Nothing.key());
            self.note(&[&by.person, id], Act::Decided, detail).await;
            count += 1;
        }
        if count == 0 { Err(Problem::new("not-kept-out")) } else { Ok(StaffAnswer::Number(count)) }
    }

    async fn report(&self, by: &By, n: u64, wish: wire::Decide) -> Result<StaffAnswer, Problem> {
        by.may(Power::Reports)?;
        let decision = Decision::read(&wish.decision)?;
        let reason = words(&wish.reason)?;
        let no_report = || Problem::new("no-such-report");
        let found = self.store.together.complaints(Which::One(n), 1).await.map_err(failed)?;
        let complaint = found.into_iter().next().ok_or_else(no_report)?;
        let about = self.find(&complaint.about).await;
        let roles = about.map(|about| about.roles).unwrap_or_default();
        if complaint.about == by.person {
            return Err(Problem::new("report-self"));
        }
        if decision != Decision::Nothing {
            by.may_touch(&complaint.about, &roles)?;
        }
        by.may(Power::to_decide(decision))?;
        let until_ms = self.end(decision, wish.days)?;
        let line = Logged {
            about: Some(complaint.about.clone()),
            detail: Some(n.to_string()),
            reason: Some(reason.clone()).filter(|reason| !reason.is_empty()),
            ..self.line(by, decision.key())
        };
        let decided = Decided { by: by.person.clone(), decision, reason, at_ms: self.now_ms, until_ms };
        self.deed(by, StaffDeed::Decide { n, decided }, line).await.map_err(|why| match why {
            StoreError::Missing => no_report(),
            StoreError::Taken => Problem::new("work-not-so"),
            why => failed(why),
        })?;
        if by.is_keeper() {
            // A decision by the page is noted by its handler, which knows the device of the moderator.
            self.note(&[&complaint.about], Act::Decided, format!("{n}: {}", decision.key())).await;
        }
        Ok(StaffAnswer::Id(complaint.about))
    }

    async fn map(&self, by: &By, id: &str, wish: wire::TakeDown) -> Result<StaffAnswer, Problem> {
        by.may(Power::TakeDown)?;
        let reason = words(&wish.reason)?;
        let rules = Rules::new(self.store.staff.house(self.now_ms).await.map_err(failed)?);
        if !wish.down {
            let down = rules.down(id).ok_or_else(|| Problem::new("work-not-so"))?;
            let owner = self.find(&down.owner).await;
            by.may_touch(&down.owner, &owner.map(|owner| owner.roles).unwrap_or_default())?;
            let decided = Decided {
                by: by.person.clone(),
                decision: Decision::Nothing,
                reason: reason.clone(),
                at_ms: self.now_ms,
                until_ms: None,
            };
            let line = Logged {
                about: Some(down.owner.clone()),
                detail: Some(format!("{} {}", down.work, down.name)),
                reason: Some(reason).filter(|reason| !reason.is_empty()),
                ..self.line(by, "put-back")
            };
            self.deed(by, StaffDeed::Decide { n: down.decision, decided }, line).await.map_err(failed)?;
            return Ok(StaffAnswer::Done);
        }
        let no_map = || Problem::new("no-such-map");
        let work = self.store.shelf.work(id).await.map_err(failed)?.ok_or_else(no_map)?;
        if rules.down(&work.id).is_some() {
            return Err(Problem::new("work-not-so"));
        }
        let roles = self.find(&work.owner).await.map(|owner| owner.roles).unwrap_or_default();
        by.may_touch(&work.owner, &roles)?;
        let detail = format!("{} {}", work.id, work.name);
        let evidence = Evidence { name: work.author, map: Some((work.id, work.name)), ..Evidence::default() };
        let decided = Decided {
            by: by.person.clone(),
            decision: Decision::TakeDown,
            reason,
            at_ms: self.now_ms,
            until_ms: None,
        };
        self.anew(by, &work.owner, Subject::Map, evidence, decided, Some(detail)).await
    }

    async fn down(&self, by: &By) -> Result<StaffAnswer, Problem> {
        by.may(Power::TakeDown)?;
        let house = self.store.staff.house(self.now_ms).await.map_err(failed)?;
        let mut lines = Vec::new();
        for down in house.taken_down {
            let owner = self.who(&down.owner).await;
            let (work, name, decision) = (down.work, down.name, down.decision);
            lines.push(TakenDownLine { work, name, owner, decision, reason: down.reason, at_ms: down.at_ms });
        }
        Ok(StaffAnswer::Down(lines))
    }

    async fn role(&self, by: &By, who: &str, role: &str, give: bool) -> Result<StaffAnswer, Problem> {
        by.may(Power::Roles)?;
        let known = || Problem::new("role-unknown").with("known", Role::ALL.map(Role::name).join(", "));
        let role = Role::read(role).ok_or_else(known)?;
        let found = self.account(who).await?;
        let id = found.person.id;
        // Who takes their own role would be the only one to know why.
        by.may_touch(&id, &found.roles)?;
        let detail = format!("{}{}", if give { '+' } else { '-' }, role.name());
        let line = Logged { about: Some(id.clone()), detail: Some(detail.clone()), ..self.line(by, "role") };
        let deed = StaffDeed::SetRole { person: id.clone(), role, give };
        self.deed(by, deed, line).await.map_err(failed)?;
        self.note(&[&id], Act::RoleChanged, detail).await;
        Ok(StaffAnswer::Id(id))
    }

    async fn forget(&self, by: &By, who: &str) -> Result<StaffAnswer, Problem> {
        by.may(Power::Forget)?;
        let found = self.account(who).await?;
        let id = found.person.id;
        by.may_touch(&id, &found.roles)?;
        let line = Logged { about: Some(id.clone()), ..self.line(by, FORGET) };
        self.deed(by, StaffDeed::Forget { person: id.clone() }, line).await.map_err(failed)?;
        // Without address and device: nothing of the person is kept.
        let note = Note::new(&id, Act::Closed, self.now_ms);
        self.store.accounts.change(Change::Note, Some(note)).await.map_err(failed)?;
        Ok(StaffAnswer::Id(id))
    }

    async fn export(&self, by: &By, who: &str) -> Result<StaffAnswer, Problem> {
        by.may(Power::Export)?;
        let id = self.account(who).await?.person.id;
        self.looked(by, "export", Some(&id), None).await?;
        Ok(StaffAnswer::Id(id))
    }

    async fn ban(&self, by: &By, wish: NewBan) -> Result<StaffAnswer, Problem> {
        let range = Range::read(&wish.network)?;
        by.may(if range.is_wide() { Power::BanWide } else { Power::Ban })?;
        if range.is_wide() && !wish.sure {
            return Err(Problem::new("range-wide").with("range", range));
        }
        if !(1..=MOST_DAYS).contains(&wish.days) {
            return Err(Problem::new("ban-days").with("limit", MOST_DAYS));
        }
        let reason = words(&wish.reason)?;
        let ban = Ban {
            n: 0,
            network: range.to_string(),
            by: Some(by.person.clone()).filter(|by| !by.is_empty()),
            reason: reason.clone(),
            at_ms: self.now_ms,
            until_ms: self.now_ms + u64::from(wish.days) * DAY_MS,
            spares_days: wish.spares_days.map(|days| days.min(36_500)),
        };
        let line = Logged {
            detail: Some(format!("{range} {}", wish.days)),
            reason: Some(reason).filter(|reason| !reason.is_empty()),
            ..self.line(by, "ban")
        };
        let n = self
            .deed(by, StaffDeed::Ban(ban), line)
            .await
            .map_err(|why| full(why, "bans-full", MOST_BANS))?;
        Ok(StaffAnswer::Number(n))
    }

    async fn lift(&self, by: &By, n: u64) -> Result<StaffAnswer, Problem> {
        by.may(Power::Lift)?;
        let line = Logged { detail: Some(n.to_string()), ..self.line(by, "lift") };
        self.deed(by, StaffDeed::Lift { n }, line).await.map_err(|why| missing(why, "no-such-ban"))?;
        Ok(StaffAnswer::Done)
    }

    /// Counts without a running hall, which alone knows where guests were.
    async fn hits(&self, by: &By, network: &str) -> Result<StaffAnswer, Problem> {
        if !by.has(Power::Ban) {
            return Err(Problem::new("staff-power"));
        }
        let range = Range::read(network)?;
        let found = accounts_within(self.store, range, self.now_ms).await.map_err(failed)?;
        let count = u32::try_from(found.len()).unwrap_or(u32::MAX);
        let wide = range.is_wide();
        let hits = BanHits { network: range.to_string(), wide, people: count, accounts: count, you: false };
        Ok(StaffAnswer::Hits(hits))
    }

    async fn bans(&self, by: &By) -> Result<StaffAnswer, Problem> {
        by.may(Power::Reports)?;
        let house = self.store.staff.house(self.now_ms).await.map_err(failed)?;
        let mut bans = Bans::default();
        for ban in house.bans {
            bans.addresses.push(BanLine {
                n: ban.n,
                by: self.some(ban.by.as_deref()).await,
                network: ban.network,
                reason: ban.reason,
                at_ms: ban.at_ms,
                until_ms: ban.until_ms,
                spares_days: ban.spares_days,
            });
        }
        for one in house.suspended {
            let player = self.who(&one.person).await;
            bans.people.push(SuspendedLine { player, until_ms: one.until_ms, reason: one.reason });
        }
        Ok(StaffAnswer::Bans(bans))
    }

    async fn announce(&self, by: &By, wish: NewAnnouncement) -> Result<StaffAnswer, Problem> {
        by.may(Power::Announce)?;
        if !(1..=MOST_HOURS).contains(&wish.hours) {
            return Err(Problem::new("announcement-hours").with("limit", MOST_HOURS));
        }
        let (en, zh) =
            (people::name::clean(&wish.en, ANNOUNCEMENT)?, people::name::clean(&wish.zh, ANNOUNCEMENT)?);
        if en.is_empty() || zh.is_empty() {
            return Err(Problem::new("announcement-languages"));
        }
        let announcement = Announcement {
            n: 0,
            en: en.clone(),
            zh,
            by: Some(by.person.clone()).filter(|by| !by.is_empty()),
            at_ms: self.now_ms,
            until_ms: self.now_ms + u64::from(wish.hours) * HOUR_MS,
        };
        let line = Logged { detail: Some(en), ..self.line(by, "announce") };
        let n = self.deed(by, StaffDeed::Announce(announcement), line).await;
        n.map(StaffAnswer::Number).map_err(|why| full(why, "announcements-full", MOST_ANNOUNCEMENTS))
    }

    async fn withdraw(&self, by: &By, n: u64) -> Result<StaffAnswer, Problem> {
        by.may(Power::Announce)?;
        let line = Logged { detail: Some(n.to_string()), ..self.line(by, "withdraw") };
        let done = self.deed(by, StaffDeed::Withdraw { n }, line).await;
        done.map(|_| StaffAnswer::Done).map_err(|why| missing(why, "no-such-announcement"))
    }

    async fn register(&self, by: &By, wish: &NewRegistration) -> Result<StaffAnswer, Problem> {
        by.may(Power::Registration)?;
        let registration = Registration::read(&wish.registration)?;
        let accounts_only = wish.accounts_only;
        let detail =
            format!("{} {}", registration.key(), if accounts_only { "accounts-only" } else { "guests" });
        let line = Logged { detail: Some(detail), ..self.line(by, "register") };
        self.deed(by, StaffDeed::Register { registration, accounts_only }, line).await.map_err(failed)?;
        Ok(StaffAnswer::Done)
    }

    async fn invite(&self, by: &By, wish: NewInvitation) -> Result<StaffAnswer, Problem> {
        by.may(Power::Registration)?;
        if !(1..=MOST_USES).contains(&wish.uses) || !(1..=MOST_DAYS).contains(&wish.days) {
            return Err(Problem::new("invitation-bounds").with("uses", MOST_USES).with("days", MOST_DAYS));
        }
        let code = random_text(CODE);
        let invitation = Invitation {
            id: new_id(),
            label: people::name::clean(&wish.label, LABEL)?,
            by: Some(by.person.clone()).filter(|by| !by.is_empty()),
            at_ms: self.now_ms,
            until_ms: self.now_ms + u64::from(wish.days) * DAY_MS,
            uses: wish.uses,
            used: 0,
        };
        let line = Logged { detail: Some(invitation.label.clone()), ..self.line(by, "invite") };
        let deed = StaffDeed::Invite { hash: code_hash(&code), invitation: invitation.clone() };
        self.deed(by, deed, line).await.map_err(|why| full(why, "invitations-full", MOST_INVITATIONS))?;
        Ok(StaffAnswer::Invitation(self.invitation_line(invitation, Some(code)).await))
    }

    async fn uninvite(&self, by: &By, id: String) -> Result<StaffAnswer, Problem> {
        by.may(Power::Registration)?;
        let line = self.line(by, "uninvite");
        let done = self.deed(by, StaffDeed::Uninvite { id }, line).await;
        done.map(|_| StaffAnswer::Done).map_err(|why| missing(why, "no-such-invitation"))
    }

    async fn invitations(&self, by: &By) -> Result<StaffAnswer, Problem> {
        by.may(Power::Registration)?;
        let mut lines = Vec::new();
        for invitation in self.store.staff.invitations(self.now_ms).await.map_err(failed)? {
            lines.push(self.invitation_line(invitation, None).await);
        }
        Ok(StaffAnswer::Invitations(lines))
    }

    async fn invitation_line(&self, invitation: Invitation, code: Option<String>) -> InvitationLine {
        let by = self.some(invitation.by.as_deref()).await;
        let Invitation { id, label, until_ms, uses, used, .. } = invitation;
        InvitationLine { id, label, by, until_ms, uses, used, code }
    }

    async fn hire(&self, by: &By, wish: &NewWorkerKey) -> Result<StaffAnswer, Problem> {
        by.may(Power::Hire)?;
        let (made, deed) = worker_keys::new(&wish.name, &wish.scopes, self.now_ms)?;
        let detail = format!("{} {} ({})", made.key.id, made.key.name, made.key.scopes.join(", "));
        let line = Logged { detail: Some(detail), ..self.line(by, "worker-key-make") };
        self.deed(by, StaffDeed::WorkerKey(deed), line).await.map_err(|why| match why {
            StoreError::Conflict => Problem::new("worker-keys-full").with("limit", store::workers::MOST_KEYS),
            why => failed(why),
        })?;
        Ok(StaffAnswer::WorkerKey(made))
    }

    /// Changes a worker's key; the log keeps its name beside its id, for a key that was removed is in no list.
    async fn worker_key(
        &self,
        by: &By,
        act: &str,
        id: String,
        deed: KeyDeed,
    ) -> Result<StaffAnswer, Problem> {
        let unknown = || Problem::new("worker-key-unknown-id");
        let known = self.store.worker_keys.worker_keys().await.map_err(failed)?;
        let key = known.into_iter().find(|key| key.id == id).ok_or_else(unknown)?;
        let detail = Some(format!("{id} {}", key.name));
        let line = Logged { detail, ..self.line(by, act) };
        self.deed(by, StaffDeed::WorkerKey(deed), line)
            .await
            .map_err(|why| missing(why, "worker-key-unknown-id"))?;
        Ok(StaffAnswer::Done)
    }

    async fn audit(&self, by: &By, about: Option<&str>, below: Option<u64>) -> Result<StaffAnswer, Problem> {
        by.may(Power::Audit)?;
        let about = match about {
            Some(who) => Some(self.find(who).await?.person.id),
            None => None,
        };
        let of = LogOf { about: about.as_deref(), below };
        let log = self.store.staff.staff_log(of, LINES).await.map_err(failed)?;
        Ok(StaffAnswer::Log(self.log_lines(log).await))
    }

    async fn log_lines(&self, log: Vec<Logged>) -> Vec<StaffLogLine> {
        let mut lines = Vec::new();
        for Logged { n, at_ms, by, act, about, detail, reason } in log {
            let (by, about) = (self.some(Some(&by)).await, self.some(about.as_deref()).await);
            lines.push(StaffLogLine { n, at_ms, by, act, about, detail, reason });
        }
        lines
    }
}

/// Returns the accounts that were here in the last day, as far as that is written down, and were noted last in that
/// range.
pub async fn accounts_within(store: &Store, range: Range, now_ms: u64) -> Result<Vec<String>, StoreError> {
    // The time at which a person was here last may be a day old.
    let here = store.staff.accounts_seen_at(now_ms.saturating_sub(2 * DAY_MS), NOTED).await?;
    Ok(here.into_iter().filter(|(_, at)| range.holds_network(at)).map(|(person, _)| person).collect())
}

/// The decisions that need no report.
const DECISIONS: &str = "warn, mute, suspend, reset-ratings, close, reopen";

fn full(why: StoreError, key: &'static str, most: u32) -> Problem {
    match why {
        StoreError::Full(_) => Problem::new(key).with("limit", most),
        why => failed(why),
    }
}

fn missing(why: StoreError, key: &'static str) -> Problem {
    match why {
        StoreError::Missing => Problem::new(key),
        why => failed(why),
    }
}

fn person_line(row: PersonRow, networks: Vec<String>, devices: Vec<String>) -> StaffPersonLine {
    let (made_ms, seen_ms, kind) = (row.made_ms, row.seen_ms, shown(row.kind));
    StaffPersonLine { player: player(row), kind, made_ms, seen_ms, networks, devices }
}

/// Converts the kind of a person to the form in answers.
#[must_use]
pub fn shown(kind: StoredPersonKind) -> PersonKind {
    match kind {
        StoredPersonKind::Guest => PersonKind::Guest,
        StoredPersonKind::Account => PersonKind::Account,
        StoredPersonKind::Program => PersonKind::Program,
        StoredPersonKind::Closed => PersonKind::Closed,
        StoredPersonKind::Suspended => PersonKind::Suspended,
    }
}
