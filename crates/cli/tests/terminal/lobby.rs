//! The lobby of a hall in a terminal: signed in by a code, challenged, out again; on a screen and line by line.

use std::future::Future;

use client::{Error, Guest};
use serde_json::{Value, json};

use crate::hall::{Hall, Lines};
use crate::pane::Pane;

/// A person with an account, at another device.
struct Account {
    runtime: tokio::runtime::Runtime,
    guest: Guest,
}

impl Account {
    fn make(base: &str, name: &str) -> Account {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let made = async {
            let guest = Guest::enter(base).await?;
            let wish = json!({ "name": name, "password": "a long enough secret" });
            let told = guest.post(&["api", "account"], &wish).await?;
            let secret = told["secret"].as_str().expect("a secret for a program");
            Ok::<_, Error>(Guest::signed_in(base, secret).await?.expect("signed in"))
        };
        let guest = runtime.block_on(made).expect("the hall answers");
        Account { runtime, guest }
    }

    fn ask<T>(&self, ask: impl Future<Output = Result<T, Error>>) -> T {
        self.runtime.block_on(ask).unwrap_or_else(|why| panic!("{why}"))
    }

    /// Types the code that a terminal shows, as its page does.
    fn confirm(&self, shown: &str) {
        let hyphen = |word: &&str| word.len() == 9 && word.as_bytes()[4] == b'-';
        let code = shown.split_whitespace().find(hyphen).unwrap_or_else(|| panic!("a code in {shown}"));
        self.ask(self.guest.post(&["api", "account", "device"], &json!({ "code": code })));
    }

    fn challenge(&self, name: &str) {
        let clock = json!({ "kind": "per-move", "turn_ms": 3 * 86_400_000_u64 });
        let wish = json!({ "game": "xiangqi", "clock": clock, "side": "second" });
        self.ask(self.guest.post(&["api", "challenge", name], &wish));
    }

    fn sessions(&self) -> Vec<Value> {
        self.ask(self.guest.get("/api/account"))["sessions"].as_array().cloned().unwrap_or_default()
    }

    /// Signs out the other devices.
    fn end_others(&self) {
        for session in self.sessions().iter().filter(|session| session["here"] == json!(false)) {
            let id = session["id"].as_str().expect("an id");
            self.ask(self.guest.delete(&format!("/api/account/sessions/{id}")));
        }
    }
}

/// A person signs in by a code, is challenged, plays, returns to the lobby and signs out, by keys only on the
/// smallest screen.
#[test]
fn a_terminal_is_signed_in_by_a_code() {
    let hall = Hall::open();
    let base = format!("http://{}", hall.address);
    let Some(pane) = Pane::open(&["play", "--hall", &base], "en_US.UTF-8", 80, 24) else { return };
    pane.wait(|text| text.contains("You are a guest here"));
    let (ada, bob) = (Account::make(&base, "Ada Terminal"), Account::make(&base, "Bob Elsewhere"));
    pane.keys(&["s"]);
    let text = pane.wait(|text| text.contains("Waiting for you there"));
    assert!(text.contains(&format!("{base}/account")), "{text}");
    ada.confirm(&text);
    pane.wait(|text| {
        text.contains("You are Ada Terminal, signed in.") && text.contains("Challenge somebody")
    });
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let kept = std::fs::metadata(pane.file("qiguan/halls.json")).expect("is kept");
        assert_eq!(kept.permissions().mode() & 0o777, 0o600);
    }

    bob.challenge("Ada Terminal");
    pane.keys(&["g"]);
    pane.wait(|text| text.contains("Challenges for you") && text.contains("Bob Elsewhere: Xiangqi"));
    // The challenge stands above the line that was selected.
    pane.keys(&["Up", "Enter"]);
    pane.wait(|text| text.contains("Red Ada") && text.contains("Red to move"));
    pane.type_text("m");
    pane.wait(|text| text.contains("Your move") && text.contains("Ada Terminal - Bob Elsewhere"));
    pane.keys(&["Enter"]);
    pane.wait(|text| text.contains("Red to move"));
    pane.type_text(":h2e2");
    pane.keys(&["Enter"]);
    pane.wait(|text| text.contains("C2=5"));
    pane.type_text("m");
    pane.wait(|text| text.contains("Your games"));

    assert_eq!(ada.sessions().len(), 2);
    pane.keys(&["s"]);
    pane.wait(|text| text.contains("Press s again"));
    pane.keys(&["s"]);
    pane.wait(|text| text.contains("You are a guest here") && text.contains("signed out"));
    assert_eq!(ada.sessions().len(), 1, "the hall has ended the session");
    let kept = std::fs::read_to_string(pane.file("qiguan/halls.json")).expect("is kept");
    assert!(!kept.contains("#account"), "{kept}");
}

/// A session that was ended on another device is reported, and the terminal's earlier guest is back.
#[test]
fn a_session_ended_elsewhere_is_told() {
    let hall = Hall::open();
    let base = format!("http://{}", hall.address);
    let mut lines = Lines::start(&["play", "--plain", "--hall", &base]);
    let begins = lines.hear();
    assert!(begins.contains("You are a guest here"), "{begins}");
    let ada = Account::make(&base, "Ada Elsewhere");
    ada.confirm(&lines.say("signin"));
    lines.expect("wait", "This terminal is signed in. You are Ada Elsewhere");
    ada.end_others();
    lines.expect("list", "This terminal is not signed in any more");
    assert_eq!(lines.say("who"), begins.split(" help").next().expect("a part"));
}

/// A challenge is accepted and another declined line by line, and the game is found again.
#[test]
fn lines_lead_through_the_lobby() {
    let hall = Hall::open();
    let base = format!("http://{}", hall.address);
    let mut lines = Lines::start(&["play", "--plain", "--hall", &base]);
    lines.hear();
    lines.expect("list", "Nothing is listed");
    lines.expect("go 3", "Lines are numbered");
    lines.expect("open chess", "");
    let (ada, bob) = (Account::make(&base, "Ada By Line"), Account::make(&base, "Bob By Page"));
    ada.confirm(&lines.say("signin"));
    lines.expect("wait", "This terminal is signed in. You are Ada By Line");
    bob.challenge("Ada By Line");
    lines.expect("list", "1 Challenges for you: Bob By Page: Xiangqi");
    lines.expect("decline 1", "Nothing is listed");
    bob.challenge("Ada By Line");
    lines.expect("list", "1 Challenges for you");
    let begins = lines.say("go 1");
    assert!(begins.contains("/t/"), "{begins}");
    lines.expect("h2e2", "Red played C2=5. Black to move");
    lines.expect("lobby", "You are Ada By Line, signed in.");
    lines.expect("list", "1 Your games: Xiangqi");
    lines.expect("decline 1", "Only challenges");
    let again = lines.say("go 1");
    assert!(again.contains("C2=5"), "{again}");
    lines.expect("lobby", "You are Ada By Line");
    lines.expect("now xiangqi 300+5 rated", "Looking for an opponent");
    lines.expect("stop", "1 Your games");
    // A player who stops when an opponent was found is led to the table.
    lines.expect("now xiangqi 300+5 rated", "Looking for an opponent");
    let wish = json!({ "game": "xiangqi", "rated": true, "clock": { "kind": "fischer", "base_ms": 300_000, "increment_ms": 5000 } });
    let found = bob.ask(bob.guest.post(&["api", "pool"], &wish));
    let led = lines.say("stop");
    assert!(led.contains(found["table"].as_str().expect("a table")), "{led}");
    lines.expect("lobby", "You are Ada By Line");
    lines.expect("challenge Nobody xiangqi 300+5", "");
    lines.expect("signout", "This terminal is signed out.");
    lines.expect("who", "You are a guest here");
    assert_eq!(ada.sessions().len(), 1);
}
