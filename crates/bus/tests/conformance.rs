//! Catches a bus that does not carry what the hall says: each bus is asked the same.
//!
//! PostgreSQL and NATS are started for the test where they are installed; elsewhere their rows are left out, which
//! `scripts/test.sh` names as skipped.

#[path = "../../store/tests/common/server.rs"]
#[allow(dead_code, reason = "each test takes what it needs")]
mod server;

use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bus::{Bus, BusError, Faulty, Local, MOST_BYTES, Nats, Notify, Post};

/// A server of NATS that ends with the test.
struct NatsServer(Child, u16);

impl Drop for NatsServer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn nats(port: u16) -> Option<NatsServer> {
    let started = Command::new("nats-server")
        .args(["-a", "127.0.0.1", "-p", &port.to_string()])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    started.ok().map(|child| NatsServer(child, port))
}

/// A port that is free now.
fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

async fn connected(port: u16) -> Nats {
    for _ in 0..100 {
        if let Ok(nats) = Nats::open(&format!("nats://127.0.0.1:{port}")).await {
            return nats;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("NATS does not answer");
}

const PATIENCE: Duration = Duration::from_secs(10);

/// Two processes at a bus.
async fn conforms(name: &str, one: Arc<dyn Bus>, other: Arc<dyn Bus>) {
    let mut heard = other.subscribe("table.x").await.expect("listens");
    let mut elsewhere = other.subscribe("table.y").await.expect("listens");
    // A bus may lose what is said before the server knows who listens.
    let reached = async {
        loop {
            one.publish("table.x", b"?".to_vec()).await.expect("says");
            if tokio::time::timeout(Duration::from_millis(100), heard.next()).await.is_ok() {
                return;
            }
        }
    };
    tokio::time::timeout(PATIENCE, reached).await.expect("in time");
    for n in 0..50 {
        one.publish("table.x", format!("{n} 棋").into_bytes()).await.expect("says");
    }
    for n in 0..50 {
        let message = loop {
            let message = tokio::time::timeout(PATIENCE, heard.next()).await.expect("in time").expect("open");
            if &*message.body != b"?" {
                break message;
            }
        };
        assert_eq!(message.subject, "table.x", "{name}");
        assert_eq!(&*message.body, format!("{n} 棋").as_bytes(), "{name}");
    }
    let long = "长".repeat(MOST_BYTES / 3 - 1);
    one.publish("table.y", long.clone().into_bytes()).await.expect("says");
    let message = tokio::time::timeout(PATIENCE, elsewhere.next()).await.expect("in time").expect("open");
    assert!(&*message.body == long.as_bytes(), "{name}: a long one");
    let too_long = one.publish("table.y", vec![b'x'; MOST_BYTES + 1]).await;
    assert_eq!(too_long, Err(BusError::TooLong), "{name}");

    let (asker, answerer) = (Post::open(one).await.expect("opens"), Post::open(other).await.expect("opens"));
    let mut asked = answerer.listen("node.b").await.expect("listens");
    tokio::spawn(async move {
        while let Some(question) = asked.recv().await {
            let answer = format!("{}!", question.body);
            question.answer(answer).await;
        }
    });
    let reached =
        async { while asker.ask("node.b", String::new(), Duration::from_millis(500)).await.is_err() {} };
    tokio::time::timeout(PATIENCE, reached).await.expect("in time");
    for n in 0..20 {
        let answer = asker.ask("node.b", n.to_string(), PATIENCE).await;
        assert_eq!(answer, Ok(format!("{n}!")), "{name}");
    }
    let silence = asker.ask("node.nobody", String::new(), Duration::from_millis(50)).await;
    assert_eq!(silence, Err(BusError::Silence), "{name}");
    println!("conforms: {name}");
}

#[tokio::test]
async fn within_a_process() {
    let bus = Local::default();
    conforms("local", Arc::new(bus.clone()), Arc::new(bus)).await;
}

#[tokio::test]
async fn through_postgresql() {
    let Some(server) = server::server() else {
        eprintln!("skipped: there is no PostgreSQL");
        return;
    };
    server.make("bus");
    let url = server.url("bus");
    let open = async || Arc::new(Notify::open(&url).await.expect("opens")) as Arc<dyn Bus>;
    conforms("LISTEN and NOTIFY", open().await, open().await).await;
    let why = Notify::open("postgres://hall@%2Fnowhere/x").await.err().expect("is refused").to_string();
    assert!(why.contains("--bus postgres") && why.contains("is it running"), "{why}");
}

#[tokio::test]
async fn through_nats() {
    let Some(server) = nats(free_port()) else {
        eprintln!("skipped: there is no nats-server");
        return;
    };
    let (one, other) = (Arc::new(connected(server.1).await), Arc::new(connected(server.1).await));
    conforms("NATS", one.clone(), other.clone()).await;
    // A server that was killed is connected to again by itself, and listened to as before.
    let (port, mut heard) = (server.1, other.subscribe("again").await.expect("listens"));
    drop(server);
    tokio::time::sleep(Duration::from_millis(200)).await;
    let _ = one.publish("again", b"lost".to_vec()).await;
    let _server = nats(port).expect("starts again");
    let again = async {
        loop {
            let _ = one.publish("again", b"heard".to_vec()).await;
            if let Ok(Some(message)) = tokio::time::timeout(Duration::from_millis(100), heard.next()).await
                && &*message.body == b"heard"
            {
                return;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(20), again).await.expect("listens again");
}

#[tokio::test]
async fn an_address_that_is_none_says_what_to_do() {
    for (address, database, part) in [
        ("redis://x", None, "there is no such bus"),
        ("postgres", None, "--store postgres://"),
        ("nats://127.0.0.1:1", None, "no NATS server answers there"),
    ] {
        let why = bus::open(address, database).await.err().expect("is refused").to_string();
        assert!(why.contains(part) && why.contains("--bus"), "{address}: {why}");
    }
    // Something that listens and is no NATS server.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let silent = tokio::spawn(async move {
        let mut kept = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            kept.push(stream);
        }
    });
    let why = bus::open(&format!("nats://u:secret@127.0.0.1:{port}"), None)
        .await
        .err()
        .expect("is refused")
        .to_string();
    assert!(why.contains("no NATS server answers there") && !why.contains("secret"), "{why}");
    silent.abort();
}

/// What a faulty bus loses is asked again, and what it doubles is answered to nobody.
#[tokio::test]
async fn questions_survive_a_faulty_bus() {
    let bus = Arc::new(Local::default());
    for seed in 0..5 {
        let faulty = Arc::new(Faulty::new(bus.clone(), seed, 20));
        let (asker, answerer) = (
            Post::open(faulty.clone()).await.expect("opens"),
            Post::open(faulty.clone()).await.expect("opens"),
        );
        let mut asked = answerer.listen(&format!("node.{seed}")).await.expect("listens");
        tokio::spawn(async move {
            while let Some(question) = asked.recv().await {
                let answer = format!("{}!", question.body);
                question.answer(answer).await;
            }
        });
        for n in 0..40 {
            let mut answer = Err(BusError::Silence);
            for _ in 0..40 {
                answer = asker.ask(&format!("node.{seed}"), n.to_string(), Duration::from_millis(60)).await;
                if answer.is_ok() {
                    break;
                }
            }
            assert_eq!(answer, Ok(format!("{n}!")), "seed {seed}");
        }
        faulty.cut.store(true, Ordering::Relaxed);
        let cut = asker.ask(&format!("node.{seed}"), "x".to_owned(), Duration::from_millis(60)).await;
        assert_eq!(cut, Err(BusError::Silence));
    }
}
