//! The commands `qiguan engine` and `qiguan confined`, and the functions they share with `qiguan match`.

use std::io::{BufRead as _, IsTerminal as _, Read as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::channel;
use std::time::Duration;

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
            Some(_) => return Err(said(Problem::new("engine-two-protocols"))),
            None => match game {
                None => game = Some(name.as_str()),
                Some(first) => {
                    let two = Problem::new("engine-two-games").with("first", first).with("second", name);
                    return Err(said(two));
                }
            },
        }
    }
    if wish.listen.is_some() || wish.connect.is_some() {
        let rules = rules(game.unwrap_or("draughts"), &wish.options, None, language).map_err(said)?;
        return network(&wish, rules, language);
    }
    // Interfaces that pass no arguments say first what they speak.
    let mut heard = Vec::new();
    let first = if protocol.is_none() { first_word(&mut heard) } else { None };
    let game = game.unwrap_or_else(|| usual_game(protocol.or(first)));
    let rules = rules(game, &wish.options, Some(&wish.map), language).map_err(said)?;
    let first = first.filter(|first| first.plays(rules.family()));
    let protocol = protocol.or(first).unwrap_or_else(|| Protocol::usual(rules.family()));
    let sentence = move |problem: &Problem| texts::problem(language, problem);
    let setup = Setup { say: Box::new(sentence), ..Setup::native(rules, wish.hash) };
    let input = std::io::Cursor::new(heard).chain(std::io::stdin());
    let served = served::serve(protocol, setup, input, std::io::stdout().lock());
    crate::out::written(served.map_err(said)?);
    Ok(())
}

/// Reads up to the first line that is not empty and returns its protocol; the bytes read are kept in `heard`, at most
/// 4096.
fn first_word(heard: &mut Vec<u8>) -> Option<Protocol> {
    const MOST: u64 = 4096;
    let mut input = std::io::stdin().lock();
    loop {
        let from = heard.len();
        let read = (&mut input).take(MOST).read_until(b'\n', heard).unwrap_or(0);
        let line = String::from_utf8_lossy(&heard[from..]);
        if read == 0 || !line.trim().is_empty() || heard.len() > MOST as usize {
            return served::protocol_of(&line);
        }
    }
}

/// Returns true if an interface of engines may have started this program: there are no arguments, and standard input
/// is not a terminal.
pub fn is_started_bare() -> bool {
    std::env::args_os().len() <= 1 && !std::io::stdin().is_terminal()
}

/// Serves an interface that passes no arguments, if its first word is one of a protocol; `None` if there is nothing
/// to answer.
pub fn serve_bare(language: Language) -> Option<Result<(), String>> {
    let (to, from) = channel();
    std::thread::spawn(move || {
        let mut heard = Vec::new();
        let protocol = first_word(&mut heard);
        let _ = to.send((heard, protocol));
    });
    let (heard, protocol) = from.recv_timeout(FIRST_WORD).ok()?;
    let protocol = protocol?;
    let rules = Ruleset::new(usual_game(Some(protocol)), &catalog::Options::new());
    let sentence = move |problem: &Problem| texts::problem(language, problem);
    Some(rules.map_err(|problem| texts::problem(language, &problem)).and_then(|rules| {
        let setup = Setup { say: Box::new(sentence), ..Setup::native(rules, engine::native::USUAL_MEMORY) };
        let input = std::io::Cursor::new(heard).chain(std::io::stdin());
        let served = served::serve(protocol, setup, input, std::io::stdout().lock());
        crate::out::written(served.map_err(|problem| texts::problem(language, &problem))?);
        Ok(())
    }))
}

/// The time an interface that passes no arguments may take to say its first word.
const FIRST_WORD: Duration = Duration::from_secs(10);
/// The silence of another program after which its connection is given up.
const SILENCE: Duration = Duration::from_secs(3600);

/// Plays draughts over a network: calls one program, or waits for others, one after the other.
fn network(wish: &Engine, rules: Ruleset, language: Language) -> Result<(), String> {
    let named = |place: &str| {
        let place = place.to_owned();
        move |why: std::io::Error| crate::out::at(&place, &why)
    };
    let say = |key, args: &[(&str, &str)]| note!("{}", texts::say(language, key, args));
    let play = |stream: TcpStream, role| -> Result<(), String> {
        let input = stream.set_read_timeout(Some(SILENCE)).and_then(|()| stream.try_clone());
        let input = input.map_err(|why| why.to_string())?;
        let games = dxp::serve(Setup::native(rules.clone(), wish.hash), role, input, stream);
        let games = games.map_err(|problem| texts::problem(language, &problem))?;
        say("cli-dxp-played", &[("games", &games.len().to_string())]);
        Ok(())
    };
    if let Some(address) = &wish.connect {
        let colour = match wish.colour {
            Colour::White => Painted::White,
            Colour::Black => Painted::Black,
        };
        let stream = TcpStream::connect(address.as_str()).map_err(named(address))?;
        return play(stream, Role::Caller { colour, minutes: wish.minutes });
    }
    let address = wish.listen.expect("one of the two was said").to_string();
    let listener = TcpListener::bind(&address).map_err(named(&address))?;
    let address = listener.local_addr().map_err(named(&address))?.to_string();
    say("cli-dxp-waits", &[("address", &address)]);
    loop {
        let (stream, _) = listener.accept().map_err(named(&address))?;
        // What one program does wrong is not the next one's affair.
        if let Err(why) = play(stream, Role::Follower) {
            crate::out::fail(&why);
        }
    }
}

/// Returns the game a protocol is used for when none is named.
fn usual_game(protocol: Option<Protocol>) -> &'static str {
    match protocol {
        Some(Protocol::Hub | Protocol::Hub1 | Protocol::Dxp) => "draughts/international",
        Some(Protocol::Gomocup) => "gomoku/freestyle",
        _ => "xiangqi",
    }
}

/// Returns the game of that name, or the game on a map with its extensions.
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

/// Returns the fence of foreign engines: confined by this program, with their priority lowered by `nice`.
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
