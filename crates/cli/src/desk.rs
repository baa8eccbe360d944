//! Answers of the staff's desk in a terminal: a line for each item, with tabs between its parts.

use members::staff::desk::StaffAnswer;
use members::staff::rules::moment;
use wire::{Player, ReportLine, StaffLogLine, StaffPerson, StaffPersonLine};

use crate::out::line;

/// Prints an answer; one that has no items prints nothing.
pub fn print(told: StaffAnswer) {
    match told {
        StaffAnswer::Bans(bans) => print_bans(bans),
        StaffAnswer::Hits(hits) => line!("{}\t{}\t{}", hits.network, hits.people, hits.accounts),
        StaffAnswer::House(house) => {
            let guests = if house.accounts_only { "accounts-only" } else { "guests" };
            line!("{}\t{guests}", house.registration);
            for one in house.announcements {
                line!("{}\t{}\t{}\t{}", one.n, moment(one.until_ms), one.en, one.zh);
            }
        }
        StaffAnswer::People(people) => people.iter().for_each(print_person_line),
        StaffAnswer::Person(person) => print_person(&person),
        StaffAnswer::Reports(reports) => {
            for report in &reports {
                line!("{}", report_line(report));
            }
        }
        StaffAnswer::Down(down) => {
            for one in down {
                let owner = called(Some(&one.owner));
                line!("{}\t{}\t{owner}\t{}\t{}", one.work, one.name, moment(one.at_ms), one.reason);
            }
        }
        StaffAnswer::Invitation(one) => {
            line!("{}\t{}\t{}", one.code.unwrap_or_default(), one.uses, moment(one.until_ms));
        }
        StaffAnswer::Invitations(invitations) => {
            for one in invitations {
                let (until, by) = (moment(one.until_ms), called(one.by.as_ref()));
                line!("{}\t{}/{}\t{until}\t{by}\t{}", one.id, one.used, one.uses, one.label);
            }
        }
        StaffAnswer::Log(lines) => {
            for l in &lines {
                line!("{}", log_line(l));
            }
        }
        _ => {}
    }
}

/// Returns the name of a person, their id if they have none, and a dash for the keeper.
fn called(player: Option<&Player>) -> String {
    player.map_or_else(|| "-".to_owned(), |player| player.name.clone().unwrap_or_else(|| player.id.clone()))
}

fn print_bans(bans: wire::Bans) {
    for ban in bans.addresses {
        let (until, by) = (moment(ban.until_ms), called(ban.by.as_ref()));
        line!("{}\t{}\t{until}\t{by}\t{}", ban.n, ban.network, ban.reason);
    }
    for one in bans.people {
        line!("{}\t{}\t{}", called(Some(&one.player)), moment(one.until_ms), one.reason);
    }
}

fn print_person_line(one: &StaffPersonLine) {
    let kind = serde_json::to_value(one.kind).ok();
    let kind = kind.as_ref().and_then(|kind| kind.as_str()).unwrap_or_default();
    let shared = [one.networks.join(", "), one.devices.join(", ")];
    let shared: String =
        shared.iter().filter(|part| !part.is_empty()).map(|part| format!("\t{part}")).collect();
    let name = called(Some(&one.player));
    line!("{}\t{name}\t{kind}\t{}{shared}", one.player.id, moment(one.seen_ms));
}

fn log_line(l: &StaffLogLine) -> String {
    let (by, about) = (called(l.by.as_ref()), called(l.about.as_ref()));
    let (detail, reason) = (l.detail.as_deref().unwrap_or_default(), l.reason.as_deref().unwrap_or_default());
    format!("{}\t{}\t{by}\t{}\t{about}\t{detail}\t{reason}", l.n, moment(l.at_ms), l.act)
}

/// Returns number, time, reporter, reported person, subject, the decision or a dash, and the words: those of an appeal
/// that waits, the reported message, or the words of the report.
fn report_line(report: &ReportLine) -> String {
    let (by, about) = (called(Some(&report.by)), called(Some(&report.about)));
    let decision = report.decided.as_ref().map_or("-", |decided| decided.decision.as_str());
    let appeal = report.decided.as_ref().filter(|decided| !decided.answered);
    let words = appeal.and_then(|decided| decided.appeal.clone());
    let words = words.unwrap_or_else(|| match report.evidence.said.last() {
        Some(said) => {
            let said = said.words.as_deref().or(said.phrase.as_deref()).unwrap_or_default();
            format!("{}\t“{said}”", report.words)
        }
        None => report.words.clone(),
    });
    let subject = match &report.evidence.map {
        Some((id, name)) => format!("{} {id} {name}", report.subject),
        None => report.subject.clone(),
    };
    format!("{}\t{}\t{by}\t{about}\t{subject}\t{decision}\t{words}", report.n, moment(report.made_ms))
}

/// Prints the page of one person; after the first line, each begins with the name of its kind.
fn print_person(person: &StaffPerson) {
    print_person_line(&person.line);
    line!("roles\t{}", person.roles.join(", "));
    line!("ways-in\t{}\ttokens {}", person.credentials.join(", "), person.tokens);
    if let Some(until_ms) = person.suspended_ms {
        line!("suspended\t{}", moment(until_ms));
    }
    for session in &person.sessions {
        let label = session.label.as_deref().unwrap_or_default();
        line!("device\t{}\t{}\t{label}", moment(session.made_ms), moment(session.used_ms));
    }
    line!("reports-sent\t{}", person.sent);
    for report in &person.reports {
        line!("report\t{}", report_line(report));
    }
    for line in &person.log {
        line!("staff\t{}", log_line(line));
    }
    for game in &person.games {
        let players: Vec<String> = game.players.iter().map(|player| called(Some(player))).collect();
        line!("game\t{}\t{}\t{}\t{}", game.table, moment(game.ended_ms), game.game, players.join(" – "));
    }
    for work in &person.works {
        line!("map\t{}\t{}{}", work.work, work.name, if work.down { "\tdown" } else { "" });
    }
    for noted in &person.noted {
        let parts = [&noted.network, &noted.device, &noted.detail];
        let parts: Vec<&str> = parts.into_iter().map(|part| part.as_deref().unwrap_or_default()).collect();
        line!("noted\t{}\t{}\t{}", moment(noted.at_ms), noted.act, parts.join("\t"));
    }
}
