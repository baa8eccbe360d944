//! The commands `qiguan engine` and `qiguan confined`, and what they share with `qiguan match`.

use std::net::{TcpListener, TcpStream};

use catalog::Ruleset;
use external::confine::{self, Rights};
use external::{Fence, Protocol};
use kernel::Problem;
use served::dxp::{self, Painted, Role};
use served::{self, Setup};
use texts::Language;

use crate::args::{Colour, Confined, Engine, Package};
use crate::extensions;
use crate::out::note;

pub fn serve(wish: Engine, language: Language) -> Result<(), String> {
    let said = |problem: Problem| texts::problem(language, &problem);
    let mut protocol = wish.protocol;
    let mut game = None;
    for name in &wish.names {
        match Protocol::keyed(name) {
            Some(found) if protocol.is_none() => protocol = Some(found),
            _ if game.is_none() => game = Some(name.as_str()),
            _ => return Err(said(Problem::new("unknown-game").with("game", name))),
        }
    }
    if wish.listen.is_some() || wish.connect.is_some() {
        let rules = rules(game.unwrap_or("draughts"), &wish.options, None, language).map_err(said)?;
        return network(&wish, rules, language);
    }
    let game = game.unwrap_or_else(|| usual_game(protocol));
    let rules = rules(game, &wish.options, Some(&wish.map), language).map_err(said)?;
    let protocol = protocol.unwrap_or_else(|| Protocol::usual(rules.family()));
    let sentence = move |problem: &Problem| texts::problem(language, problem);
    let setup = Setup { say: Box::new(sentence), ..Setup::native(rules, wish.hash) };
    let served = served::serve(protocol, setup, std::io::stdin(), std::io::stdout().lock());
    crate::out::written(served.map_err(said)?);
    Ok(())
}

/// Plays draughts over a network.
fn network(wish: &Engine, rules: Ruleset, language: Language) -> Result<(), String> {
    let io = |why: std::io::Error| why.to_string();
    let say = |key, args: &[(&str, &str)]| note!("{}", texts::say(language, key, args));
    let (stream, role) = match (&wish.connect, wish.listen) {
        (Some(address), _) => {
            let colour = match wish.colour {
                Colour::White => Painted::White,
                Colour::Black => Painted::Black,
            };
            let role = Role::Caller { colour, minutes: wish.minutes };
            (TcpStream::connect(address.as_str()).map_err(io)?, role)
        }
        (None, address) => {
            let listener = TcpListener::bind(address.expect("one of the two was said")).map_err(io)?;
            let address = listener.local_addr().map_err(io)?.to_string();
            say("cli-dxp-waits", &[("address", &address)]);
            (listener.accept().map_err(io)?.0, Role::Follower)
        }
    };
    let input = stream.try_clone().map_err(io)?;
    let setup = Setup::native(rules, wish.hash);
    let games = dxp::serve(setup, role, input, stream);
    let games = games.map_err(|problem| texts::problem(language, &problem))?;
    say("cli-dxp-played", &[("games", &games.len().to_string())]);
    Ok(())
}

/// The game a protocol is used for when none is named.
fn usual_game(protocol: Option<Protocol>) -> &'static str {
    match protocol {
        Some(Protocol::Hub | Protocol::Hub1 | Protocol::Dxp) => "draughts/international",
        Some(Protocol::Gomocup) => "gomoku/freestyle",
        _ => "xiangqi",
    }
}

/// The game of that name, or the game on a map with its extensions.
pub fn rules(
    name: &str,
    options: &[(String, i64)],
    map: Option<&Package>,
    language: Language,
) -> Result<Ruleset, Problem> {
    let options = options.iter().cloned().collect();
    if let Some(Package { map, extensions }) = map {
        if let Some(map) = map {
            extensions::warn(map, &extensions.files, language);
            return Ruleset::of_files(map, &extensions.files, &options, extensions::loader().as_deref());
        }
        if let Some(first) = extensions.files.first() {
            return Err(Problem::new("map-extension-without-map").with("place", first.display()));
        }
    }
    Ruleset::new(catalog::named(name)?.key, &options)
}

/// How foreign engines are started: confined by this program, with their priority lowered by `nice`.
pub fn fence(nice: u8) -> Fence {
    Fence { program: std::env::current_exe().ok(), nice }
}

/// Replaces this process by the program; returns only with the reason why it could not.
pub fn confined(wish: Confined) -> String {
    let rights = Rights {
        folder: wish.folder,
        reads: wish.reads,
        writes: wish.writes,
        temporary: wish.temporary,
        port: wish.port,
        memory_mb: wish.memory_mb,
        processes: wish.processes,
        user: wish.user,
        nice: wish.nice,
        environment: wish.environment.into_iter().collect(),
        parent: wish.parent,
    };
    confine::become_confined(&rights, &wish.command)
}
