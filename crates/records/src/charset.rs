//! Bytes of other programs' files as text: UTF-8, or the Chinese encodings that came before it.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, Encoding, GB18030, GBK, IBM866, ISO_8859_5, KOI8_R, KOI8_U, UTF_8, UTF_16LE, WINDOWS_1251,
};
use kernel::Problem;

/// The text of a file: with a mark in front what the mark says, else UTF-8, else GB 18030, which GBK and GB 2312
/// are parts of.
///
/// # Errors
/// `record-not-text` with the first byte that is not UTF-8.
pub(crate) fn text(bytes: &[u8]) -> Result<Cow<'_, str>, Problem> {
    let (encoding, mark) = match Encoding::for_bom(bytes) {
        Some(told) => told,
        None if std::str::from_utf8(bytes).is_ok() => (UTF_8, 0),
        None => (GB18030, 0),
    };
    let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes[mark..]);
    text.ok_or_else(|| {
        let at = std::str::from_utf8(bytes).map_or_else(|e| e.valid_up_to(), |_| 0);
        Problem::new("record-not-text").with("byte", at + 1)
    })
}

/// Which alphabet other than Latin a part of a file is written in that is not UTF-8; `None` where it looks like Latin 1.
///
/// In a Latin text letters with accents stand among plain ones; in a text of another alphabet whole words are beyond
/// ASCII.
pub(crate) fn beyond_latin(bytes: &[u8]) -> Option<&'static Encoding> {
    let is_plain = |b: Option<&u8>| b.is_some_and(u8::is_ascii_alphabetic);
    let is_high = |b: Option<&u8>| b.is_some_and(|b| *b >= 0x80);
    let (mut alone, mut among) = (0_usize, 0_usize);
    for (i, _) in bytes.iter().enumerate().filter(|(_, b)| **b >= 0x80) {
        let (before, after) = (i.checked_sub(1).and_then(|i| bytes.get(i)), bytes.get(i + 1));
        alone += usize::from(is_plain(before) || is_plain(after));
        among += usize::from(!is_plain(before) && !is_plain(after) && (is_high(before) || is_high(after)));
    }
    if among <= 2 * alone {
        return None;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let known = [WINDOWS_1251, KOI8_R, KOI8_U, IBM866, ISO_8859_5, GBK, GB18030, BIG5];
    let found = detector.guess(None, Utf8Detection::Deny);
    // Names are short; where nothing else is clear, they are from the country that most such files come from.
    Some(if known.contains(&found) { found } else { WINDOWS_1251 })
}

/// The beginning of a text, which may be cut in the middle of a sign.
pub(crate) fn beginning(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = &bytes[..bytes.len().min(64 << 10)];
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(e) if e.error_len().is_none() => String::from_utf8_lossy(&bytes[..e.valid_up_to()]),
        Err(_) => GB18030.decode_without_bom_handling(bytes).0,
    }
}

/// A text of fixed width in GB 18030, up to the first zero byte; what was cut in the middle of a sign is left out.
pub(crate) fn gbk_field(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    whole(&GB18030.decode_without_bom_handling(&bytes[..end]).0)
}

/// The same in UTF-16, low byte first.
pub(crate) fn utf16_field(bytes: &[u8]) -> String {
    let end = bytes.chunks_exact(2).position(|pair| pair == [0, 0]).map_or(bytes.len(), |i| 2 * i);
    whole(&UTF_16LE.decode_without_bom_handling(&bytes[..end]).0)
}

fn whole(text: &str) -> String {
    text.trim_end_matches('\u{fffd}').replace("\r\n", "\n").replace('\r', "\n")
}
