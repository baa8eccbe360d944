//! Results and dates as programs and people write them, one reading for every format.

use kernel::Side;

use crate::Score;
use crate::text::one_line;

/// Words for results, by who begins: `Red` is the first side of xiangqi in every one of them.
const WORDS: [(&str, Score); 40] = {
    const FIRST: Score = Score::Win(Side::First);
    const SECOND: Score = Score::Win(Side::Second);
    [
        ("红胜", FIRST),
        ("红先胜", FIRST),
        ("红方胜", FIRST),
        ("红棋胜", FIRST),
        ("红赢", FIRST),
        ("先胜", FIRST),
        ("先手胜", FIRST),
        ("黑负", FIRST),
        ("黑方负", FIRST),
        ("后负", FIRST),
        ("红方获胜", FIRST),
        ("红方先胜", FIRST),
        ("胜", FIRST),
        ("黑胜", SECOND),
        ("黑方胜", SECOND),
        ("黑棋胜", SECOND),
        ("黑赢", SECOND),
        ("黑先胜", SECOND),
        ("后胜", SECOND),
        ("后手胜", SECOND),
        ("红负", SECOND),
        ("红先负", SECOND),
        ("红方负", SECOND),
        ("先负", SECOND),
        ("先手负", SECOND),
        ("黑方获胜", SECOND),
        ("红方先负", SECOND),
        ("负", SECOND),
        ("和", Score::Draw),
        ("和棋", Score::Draw),
        ("和局", Score::Draw),
        ("平局", Score::Draw),
        ("红先和", Score::Draw),
        ("先和", Score::Draw),
        ("先手和", Score::Draw),
        ("红和", Score::Draw),
        ("双方和", Score::Draw),
        ("双方和棋", Score::Draw),
        ("作和", Score::Draw),
        ("draw", Score::Draw),
    ]
};

/// Reads a result, with the points of the side that begins first: `1-0`, `2-0`, `1:0`, `½-½`, `红先胜`, `1 1/2 - 1/2`.
pub(crate) fn score(text: &str) -> Option<Score> {
    // What nearly every game says.
    match text {
        "1-0" | "2-0" => return Some(Score::Win(Side::First)),
        "0-1" | "0-2" => return Some(Score::Win(Side::Second)),
        "1/2-1/2" | "1-1" => return Some(Score::Draw),
        "*" => return None,
        _ if text.len() > 60 => return None,
        _ => {}
    }
    let plain: String = text.chars().filter(|&c| !crate::charset::is_unseen(c)).map(simple).collect();
    let plain = plain.trim().trim_matches(['（', '）', '(', ')', '。', '.']).trim();
    if let Some((_, score)) = WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(plain)) {
        return Some(*score);
    }
    let (first, second) = match plain.split_once('-').or_else(|| plain.split_once(':')) {
        Some((first, second)) => (points(first)?, points(second)?),
        None => return matches!(plain, "1/2" | "½").then_some(Score::Draw),
    };
    Some(match (first, second) {
        (0, 0) => Score::Void,
        (first, second) if first == second => Score::Draw,
        (first, second) => Score::Win(if first > second { Side::First } else { Side::Second }),
    })
}

/// Returns true if a word among the moves is the end of a game: a result, or the star of a game that goes on.
pub(crate) fn is_end(word: &str) -> bool {
    // Nearly every word of a game is a move: it is told from a result by its first signs.
    let mut signs = word.chars();
    let may_be = match signs.next() {
        Some('0'..='9') => word.contains(|c: char| matches!(c, '-' | ':' | '/') || !c.is_ascii()),
        Some(
            '*' | '＊' | '½' | '０' | '１' | '２' | '（' | '(' | '红' | '紅' | '黑' | '先' | '后' | '後'
            | '和' | '平' | '双' | '作',
        ) => !matches!(signs.nth(1), Some('平' | '进' | '進' | '退')),
        _ => false,
    };
    if !may_be || word.len() > 40 {
        return false;
    }
    let plain: String = word.chars().filter(|&c| !crate::charset::is_unseen(c)).map(simple).collect();
    let plain = plain.trim_matches(['（', '）', '(', ')', '。']);
    // Numbers of points that are no usual result may be something else.
    let usual =
        ["1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "½-½", "1:0", "0:1", "1/2:1/2", "½:½", "1/2", "½"];
    plain == "*"
        || usual.contains(&plain)
        || (!matches!(plain, "和" | "胜" | "负") && WORDS.iter().any(|(word, _)| *word == plain))
}

/// The sign in half width and simplified writing, dashes and colons of every kind as plain ones.
fn simple(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | '─' => '-',
        '∶' => ':',
        '紅' => '红',
        '勝' => '胜',
        '負' => '负',
        '後' => '后',
        '贏' => '赢',
        c => c,
    }
}

/// Hundredths of points: `2`, `1/2`, `1 1/2`, `½`, `1.02`. The plus and minus of "plus draw" weigh nothing.
fn points(text: &str) -> Option<u32> {
    let text = text.trim().trim_end_matches(['+', '-']).trim();
    if text.len() > 8 {
        return None;
    }
    let (whole, half) = match text.strip_suffix("1/2").or_else(|| text.strip_suffix('½')) {
        Some(whole) => (whole.trim(), 50),
        None => (text, 0),
    };
    if whole.is_empty() {
        return (half > 0).then_some(half);
    }
    let points: f32 =
        whole.parse().ok().filter(|_| whole.bytes().all(|b| b.is_ascii_digit() || b == b'.'))?;
    Some((points * 100.0).round() as u32 + half)
}

/// A day as records have it: `1997-11-16`, `1997-11`, `1997`; another text as it is.
///
/// Read are years first with any of `-`, `/`, `.` and 年月日 between, days first with dots (`13.12.1998`) and, where
/// only that makes sense, with slashes, eight digits, question marks for what is not known, and a time of day behind.
pub(crate) fn date(value: &str) -> String {
    // `1997.11.16`, as nearly every file has it.
    if let &[a, b, c, d, b'.' | b'-', e, f, b'.' | b'-', g, h] = value.as_bytes()
        && [a, b, c, d, e, f, g, h].iter().all(u8::is_ascii_digit)
        && [a, b, c, d] != *b"0000"
        && matches!((e, f), (b'0', b'1'..) | (b'1', ..=b'2'))
        && matches!((g, h), (b'0', b'1'..) | (b'1' | b'2', _) | (b'3', ..=b'1'))
    {
        return value.replace('.', "-");
    }
    let value = one_line(value);
    let plain: String = value.chars().map(simple).map(digit).collect();
    let day = plain.split([' ', 'T']).next().unwrap_or_default();
    let parts: Vec<&str> =
        day.split(['-', '/', '.', '年', '月', '日']).filter(|part| !part.is_empty()).collect();
    let is_open = |part: &&str| part.bytes().all(|b| matches!(b, b'?' | b'x' | b'X')) || *part == "00";
    let number = |part: &str, most: u32| -> Option<u32> {
        let digits = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        part.parse().ok().filter(|&n| digits && (1..=most).contains(&n))
    };
    let known: Vec<&str> = parts.iter().copied().take_while(|part| !is_open(part)).collect();
    let open = parts[known.len()..].iter().all(is_open);
    let year = |part: &str| if part.len() == 4 { number(part, 9999) } else { None };
    let parsed = match known[..] {
        [eight] if eight.len() == 8 && open => eight
            .get(..4)
            .and_then(year)
            .zip(eight.get(4..6).and_then(|m| number(m, 12)))
            .zip(eight.get(6..).and_then(|d| number(d, 31)))
            .map(|((y, m), d)| (y, m, d)),
        [y] if open => year(y).map(|y| (y, 0, 0)),
        [y, m] if open && year(y).is_some() => year(y).zip(number(m, 12)).map(|(y, m)| (y, m, 0)),
        [m, y] if open => year(y).zip(number(m, 12)).map(|(y, m)| (y, m, 0)),
        // `1998.12.13-15`: of several days the first.
        [y, m, d] | [y, m, d, _] if year(y).is_some() => {
            year(y).zip(number(m, 12)).zip(number(d, 31)).map(|((y, m), d)| (y, m, d))
        }
        [a, b, y] if year(y).is_some() => {
            let (a, b, y) = (number(a, 31), number(b, 31), year(y));
            match (a, b, y) {
                (Some(d), Some(m), Some(y)) if m <= 12 && (d > 12 || day.contains('.')) => Some((y, m, d)),
                (Some(m), Some(d), Some(y)) if m <= 12 && d > 12 => Some((y, m, d)),
                _ => None,
            }
        }
        _ => None,
    };
    match parsed {
        Some((y, 0, _)) => format!("{y:04}"),
        Some((y, m, 0)) => format!("{y:04}-{m:02}"),
        Some((y, m, d)) => format!("{y:04}-{m:02}-{d:02}"),
        None => value,
    }
}

/// The digit that a Chinese one is, as in 一九九八年; other signs as they are.
fn digit(c: char) -> char {
    let han = "〇一二三四五六七八九".chars().position(|han| han == c);
    match c {
        '零' | '○' => '0',
        c => han.and_then(|n| char::from_digit(n as u32, 10)).unwrap_or(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_they_are_written() {
        for (text, day) in [
            ("1997.11.16", "1997-11-16"),
            ("1997.??.??", "1997"),
            ("1997.11.??", "1997-11"),
            ("1998-12-13", "1998-12-13"),
            ("1998/12/13", "1998-12-13"),
            ("1998年12月13日", "1998-12-13"),
            ("1998年3月", "1998-03"),
            ("1998.12", "1998-12"),
            ("1998", "1998"),
            ("13.12.1998", "1998-12-13"),
            ("3.12.1998", "1998-12-03"),
            ("13/12/1998", "1998-12-13"),
            ("12/13/1998", "1998-12-13"),
            ("19981213", "1998-12-13"),
            ("1998.12.13-15", "1998-12-13"),
            ("一九九八年三月", "1998-03"),
            ("2021-01-23 16:20:58", "2021-01-23"),
            ("2021-1-3T16:20:58", "2021-01-03"),
            ("4/5/1998", "4/5/1998"),
            ("spring of 1998", "spring of 1998"),
            ("1998-13-45", "1998-13-45"),
            ("", ""),
        ] {
            assert_eq!(date(text), day, "{text}");
        }
    }

    #[test]
    fn results_are_read_as_they_are_written() {
        let (first, second) = (Some(Score::Win(Side::First)), Some(Score::Win(Side::Second)));
        for (text, expected) in [
            ("1-0", first),
            ("１－０", first),
            ("2-0", first),
            ("1:0", first),
            ("1–0", first),
            ("红胜", first),
            ("紅先勝", first),
            ("红方胜", first),
            ("黑方胜", second),
            ("红先负", second),
            ("0 - 2", second),
            ("0.98-1.02", second),
            ("½-½", Some(Score::Draw)),
            ("1/2", Some(Score::Draw)),
            ("和棋", Some(Score::Draw)),
            ("1+ - 1-", Some(Score::Draw)),
            ("0-0", Some(Score::Void)),
            ("*", None),
            ("nobody knows", None),
        ] {
            assert_eq!(score(text), expected, "{text}");
        }
    }
}
