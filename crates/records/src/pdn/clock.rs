//! Times in remarks: `[%emt 0:00:12]`, and clocks from which the time of a move can be told.
//!
//! Source: PDN 3.0, embedded commands: `clk` what is left, `mct` and `egt` what is used up, `emt` the time of the
//! move; `clock` (and `clk`) with one or two times, each behind `w` or `b`, a capital for the clock that runs. What
//! a record has a place for, `emt`, is taken out of the remark; the others stay in it.

use draughts::Colour;
use kernel::Side;

/// The last known clocks of both sides, in milliseconds.
#[derive(Clone, Copy, Default)]
pub(super) struct Clocks {
    left: [Option<u64>; 2],
    used: [u64; 2],
    increment: u64,
}

impl Clocks {
    /// Sets the clocks by the tag `TimeControl`: `300`, `4800+60`; any other value sets nothing.
    pub(super) fn new(control: &str) -> Self {
        let (base, increment) = control.split_once('+').unwrap_or((control, "0"));
        let ms =
            |seconds: &str| seconds.trim().parse::<u64>().ok().filter(|s| *s < 1 << 32).map(|s| s * 1000);
        match (ms(base), ms(increment)) {
            (Some(base), Some(increment)) => Clocks { left: [Some(base); 2], used: [0; 2], increment },
            _ => Clocks::default(),
        }
    }

    /// Reads the commands in a remark on a move of `mover`: how long the move took, and what is left of the remark.
    pub(super) fn read(&mut self, remark: &str, mover: Side, begins: Colour) -> (Option<u64>, String) {
        if !remark.contains("[%") {
            return (None, remark.to_owned());
        }
        let (mut spent, mut told) = (None, None);
        let mut rest = remark;
        let mut out = String::new();
        while let Some((before, command)) = rest.split_once("[%") {
            let Some((command, after)) = command.split_once(']') else { break };
            let (name, value) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
            out.push_str(before);
            match (name, time(value.trim())) {
                ("emt", Some(ms)) => told = Some(ms),
                _ => {
                    spent = self.clock(name, value, mover, begins).or(spent);
                    out.push_str(&format!("[%{command}]"));
                }
            }
            rest = if out.ends_with(' ') || out.is_empty() { after.trim_start() } else { after };
        }
        out.push_str(rest);
        (told.or(spent), out)
    }

    fn clock(&mut self, name: &str, value: &str, mover: Side, begins: Colour) -> Option<u64> {
        let mut spent = None;
        for word in value.split_whitespace() {
            let colour = match word.as_bytes().first() {
                Some(b'w' | b'W') => Some(Colour::White),
                Some(b'b' | b'B') => Some(Colour::Black),
                _ => None,
            };
            let side = colour.map_or(mover, |c| if c == begins { Side::First } else { Side::Second });
            let now = time(&word[usize::from(colour.is_some())..])?;
            let took = match name {
                "clk" | "clock" => {
                    let before = self.left[side.index()].replace(now);
                    before.and_then(|before| before.checked_add(self.increment)?.checked_sub(now))
                }
                "mct" | "egt" => now.checked_sub(std::mem::replace(&mut self.used[side.index()], now)),
                _ => None,
            };
            spent = if side == mover { took } else { spent };
        }
        spent
    }
}

/// Milliseconds of `h:mm:ss` or `mm:ss`, with a fraction perhaps. At most three numbers of six digits: below 2^53, so that
/// sums of a few do not overflow.
fn time(text: &str) -> Option<u64> {
    let parts = text.matches(':').count() + 1;
    if text.len() > 20 || !(2..=3).contains(&parts) {
        return None;
    }
    text.split(':').try_fold(0, |ms: u64, part| {
        let (whole, fraction) = part.split_once('.').unwrap_or((part, "0"));
        let digits =
            |text: &str| !text.is_empty() && text.len() <= 6 && text.bytes().all(|b| b.is_ascii_digit());
        if !digits(whole) || !digits(fraction) {
            return None;
        }
        let thousandths = format!("{fraction:0<3}")[..3].parse::<u64>().ok()?;
        ms.checked_mul(60)?.checked_add(whole.parse::<u64>().ok()? * 1000 + thousandths)
    })
}
