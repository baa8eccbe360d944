//! A proxy between two programs whose connection can be made faulty, for `scripts/chaos.sh`. It is not part of a
//! release.
//!
//!     fault_proxy LISTEN TARGET < commands
//!
//! Both are `host:port`, the target may be the path of a Unix socket. Commands, one a line:
//! - `open`: everything goes through at once, as at the beginning;
//! - `hold`: connections stay and nothing goes through, either way: a partition;
//! - `deaf`: nothing comes back from the target any more, and what is sent to it still arrives: after a `cut`, it is
//!   unknown whether a commit was done;
//! - `delay MS`: each piece of data is delayed by that many milliseconds;
//! - `cut`: all connections end; new ones may come.

use std::io::BufRead;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::watch;

/// The faults that are switched on for all connections.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Way {
    /// True if nothing is carried to the target.
    hold: bool,
    /// True if nothing is carried back from the target.
    deaf: bool,
    delay_ms: u64,
    /// The number of `cut` commands so far; a connection ends when it changes.
    cuts: u64,
}

/// Returns the faults after a command; `None` for an unknown command.
fn after(way: Way, command: &str) -> Option<Way> {
    let open = Way { cuts: way.cuts, ..Way::default() };
    match command.split_whitespace().collect::<Vec<_>>()[..] {
        ["open"] => Some(open),
        ["hold"] => Some(Way { hold: true, deaf: true, ..open }),
        ["deaf"] => Some(Way { deaf: true, ..open }),
        ["delay", ms] => Some(Way { delay_ms: ms.parse().ok()?, ..open }),
        ["cut"] => Some(Way { cuts: way.cuts + 1, ..way }),
        _ => None,
    }
}

/// Copies bytes from one end to the other, delayed by `delay_ms` and paused while `stops` holds.
async fn carry(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut way: watch::Receiver<Way>,
    stops: fn(&Way) -> bool,
) {
    let mut bytes = vec![0; 16 * 1024];
    loop {
        let Ok(count @ 1..) = from.read(&mut bytes).await else { return };
        let delay = Duration::from_millis(way.borrow().delay_ms);
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        if way.wait_for(|way| !stops(way)).await.is_err() || to.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
}

/// Serves one connection, until either side ends it or it is cut.
async fn connect(near: TcpStream, target: String, way: watch::Receiver<Way>) {
    let _ = near.set_nodelay(true);
    let (read, write) = near.into_split();
    let cuts = way.borrow().cuts;
    let both = async {
        if target.starts_with('/') {
            let Ok(far) = UnixStream::connect(&target).await else { return };
            let (far_read, far_write) = far.into_split();
            tokio::select! {
                () = carry(read, far_write, way.clone(), |way| way.hold) => {}
                () = carry(far_read, write, way.clone(), |way| way.deaf) => {}
            }
        } else {
            let Ok(far) = TcpStream::connect(&target).await else { return };
            let _ = far.set_nodelay(true);
            let (far_read, far_write) = far.into_split();
            tokio::select! {
                () = carry(read, far_write, way.clone(), |way| way.hold) => {}
                () = carry(far_read, write, way.clone(), |way| way.deaf) => {}
            }
        }
    };
    let mut cut = way.clone();
    tokio::select! {
        () = both => {}
        _ = cut.wait_for(|way| way.cuts != cuts) => {}
    }
}

#[tokio::main]
async fn main() {
    let mut args = std::env::args().skip(1);
    let (Some(listen), Some(target)) = (args.next(), args.next()) else {
        eprintln!("usage: fault_proxy LISTEN TARGET < commands");
        std::process::exit(2);
    };
    let listener = TcpListener::bind(&listen).await.unwrap_or_else(|why| {
        eprintln!("{listen}: {why}");
        std::process::exit(1);
    });
    let (set, way) = watch::channel(Way::default());
    std::thread::spawn(move || {
        for command in std::io::stdin().lock().lines().map_while(Result::ok) {
            let now = *set.borrow();
            match after(now, &command) {
                Some(next) => drop(set.send_replace(next)),
                None => eprintln!("there is no such command: {command}"),
            }
        }
        // The program that gave the commands has ended.
        std::process::exit(0);
    });
    while let Ok((near, _)) = listener.accept().await {
        tokio::spawn(connect(near, target.clone(), way.clone()));
    }
}
