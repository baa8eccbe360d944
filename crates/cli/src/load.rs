//! The command `qiguan load`: measures how much a running hall carries.

use std::time::Duration;

use crate::args::Load;
use crate::out::line;

pub fn run(wish: Load) -> Result<(), String> {
    let load = client::load::Load {
        base: wish.hall.trim_end_matches('/').to_owned(),
        admin: wish.admin.map(|admin| admin.trim_end_matches('/').to_owned()),
        tables: wish.connections / 2,
        time: Duration::from_secs(wish.seconds),
        rate: wish.rate,
        idle: wish.idle,
    };
    crate::many_files();
    let runtime = tokio::runtime::Runtime::new().map_err(|e| e.to_string())?;
    let seen = runtime.block_on(client::load::run(load)).map_err(|e| e.to_string())?;
    line!("connections  {}", seen.connections);
    if let Some((before, with)) = seen.memory {
        let each = with.saturating_sub(before) as f64 / seen.connections as f64 / 1000.0;
        let mb = |bytes: u64| bytes as f64 / 1e6;
        line!(
            "hall memory  {:.1} MB before, {:.1} MB with them: {each:.1} kB a connection",
            mb(before),
            mb(with)
        );
    }
    if seen.moves > 0 {
        let of = |p| seen.percentile_ms(p);
        line!(
            "moves        {} in {:.1} s: {:.0} moves/s",
            seen.moves,
            seen.seconds,
            seen.moves as f64 / seen.seconds
        );
        line!(
            "wait         p50 {:.2} ms  p90 {:.2} ms  p99 {:.2} ms  max {:.2} ms",
            of(50.0),
            of(90.0),
            of(99.0),
            of(100.0)
        );
        line!(
            "on the wire  {:.0} bytes a move, both players together",
            seen.bytes as f64 / seen.moves as f64
        );
    }
    Ok(())
}
