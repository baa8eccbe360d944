//! Detection of the encoding of other programs' files: one detector for every reader.
//!
//! A mark in front says what a text is, then what the file declares, then UTF-8 where the bytes are UTF-8. Else the
//! bytes are held against what can be in such files. Chinese encodings are told apart by how common the characters are
//! that come out: GB 18030 and Big5 share nearly all of their pairs of bytes, and in the wrong one a text is full of
//! rare signs. Letters with accents among plain ones are a Latin alphabet, and words that are wholly beyond ASCII
//! another one; of those `chardetng` knows the languages. Nothing fails: what fits nowhere becomes a replacement
//! sign, since names must never stop a game.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, Decoder, Encoding, GB18030, GBK, IBM866, ISO_8859_5, KOI8_R, KOI8_U, UTF_8, UTF_16BE, UTF_16LE,
    WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1254, WINDOWS_1257, WINDOWS_1258,
};

/// The number of bytes of a file that are looked at to tell its encoding.
const LOOKED_AT: usize = 64 << 10;

/// The number of bytes from which an encoding is guessed.
const MOST_GUESSED: usize = 16 << 10;
/// The number of bytes of plain text that are looked at before them.
const BEFORE: usize = 64;

/// The number of signs beyond ASCII that are looked at to tell whether a text is Chinese: to look one up in a national
/// standard takes long.
const MOST_SIGNS: usize = 2_000;

/// The likeness from which a text is certainly Chinese; see [`likeness`].
const SURELY: i64 = 150;

/// The signs that stand in nearly every text about xiangqi or renju, and the commonest ones of any Chinese text.
const COMMON: &str = "炮砲马馬车車兵卒相象仕士帅帥将將前后後中平进進退一二三四五六七八九十红紅黑先手胜勝负負和局对對屏风風列反宫宮\
象棋冠军軍杯赛賽年月日第轮輪全国國个個人团團体體变變着注步优優势勢均攻守杀殺残殘古谱譜布阵陣飞飛仙人指路过過河\
横橫巡连環环单單提双雙子黄黃王李张張刘劉陈陳杨楊赵趙吴吳周徐孙孫胡林许許何吕呂柳北京上海广廣东東江苏蘇浙河湖南西\
的是不了有这這来來可以为為此时時也就都而在于於如果要大小好白棋五子连珠開开始結结果";

/// The encoding that a text was taken for, where the file did not say.
pub(crate) type Guess = Option<&'static str>;

/// The text of a file, and the encoding that was guessed. `declared`: the one that the file names, if it does.
pub(crate) fn text_as<'a>(bytes: &'a [u8], declared: Option<&str>) -> (Cow<'a, str>, Guess) {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return (encoding.decode_without_bom_handling(&bytes[mark..]).0, None);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return (Cow::Borrowed(text), None);
    }
    // What a declaration makes of the bytes must be text; programs name what their author had, not what they write.
    let declared = declared.and_then(|name| Encoding::for_label(name.trim().as_bytes()));
    if let Some((text, encoding)) = by_lines(bytes, declared.filter(|&encoding| encoding != UTF_8)) {
        return (Cow::Owned(text), Some(encoding.name()));
    }
    if let Some(encoding) = declared.filter(|&encoding| encoding != UTF_8)
        && let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(bytes)
    {
        return (text, None);
    }
    let guessed = guess(bytes);
    (guessed.decode_without_bom_handling(bytes).0, Some(guessed.name()))
}

/// The text of a file of which some lines are UTF-8 and others are not, as where two files were put into one: each
/// line as it is. `None` where no line is surely UTF-8.
fn by_lines(bytes: &[u8], declared: Option<&'static Encoding>) -> Option<(String, &'static Encoding)> {
    let (ours, others): (Vec<&[u8]>, Vec<&[u8]>) = bytes
        .split_inclusive(|&b| b == b'\n')
        .filter(|line| !line.is_ascii())
        .partition(|line| is_surely_utf8(line));
    if ours.is_empty() {
        return None;
    }
    let encoding = declared.unwrap_or_else(|| guess(&others.concat()));
    let mut text = String::with_capacity(bytes.len() * 2);
    for line in bytes.split_inclusive(|&b| b == b'\n') {
        match std::str::from_utf8(line) {
            Ok(line) if line.is_ascii() || is_surely_utf8(line.as_bytes()) => text.push_str(line),
            _ => {
                // A line of UTF-8 with a damaged sign stays one.
                let lossy = String::from_utf8_lossy(line);
                let signs = |kind: fn(char) -> bool| lossy.chars().filter(|&c| kind(c)).count();
                let good = signs(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
                let bad = signs(|c| c == char::REPLACEMENT_CHARACTER);
                match good > 0 && good >= bad {
                    true => text.push_str(&lossy),
                    false => text.push_str(&encoding.decode_without_bom_handling(line).0),
                }
            }
        }
    }
    Some((text, encoding))
}

/// Tells whether a line is Chinese or Cyrillic in UTF-8, with more such signs than come about by chance.
fn is_surely_utf8(line: &[u8]) -> bool {
    let Ok(line) = std::str::from_utf8(line) else { return false };
    let (mut chinese, mut cyrillic) = (0, 0);
    for c in line.chars().filter(|c| !c.is_ascii()) {
        match c {
            '\u{3000}'..='\u{3020}'
            | '\u{ff01}'..='\u{ff5e}'
            | '\u{2010}'..='\u{2026}'
            | '·'
            | '\u{feff}' => {}
            '\u{4e00}'..='\u{9fff}' if COMMON.contains(c) || is_level_one(GB18030, c) => chinese += 1,
            'А'..='я' | 'ё' => cyrillic += 1,
            _ => return false,
        }
    }
    chinese >= 2 || (chinese == 0 && cyrillic >= 4)
}

/// Decodes a file that does not name its encoding.
pub(crate) fn text(bytes: &[u8]) -> Cow<'_, str> {
    text_as(bytes, None).0
}

/// The encoding that bytes are most likely in that have no mark in front.
pub(crate) fn guess(bytes: &[u8]) -> &'static Encoding {
    // What tells encodings apart begins with the first sign beyond ASCII; pairs of bytes stay pairs.
    let first = bytes.iter().position(|b| !b.is_ascii()).unwrap_or(0);
    let bytes = &bytes[first.saturating_sub(BEFORE) & !1..];
    let bytes = &bytes[..bytes.len().min(MOST_GUESSED)];
    // A sign that is cut at the end of the part that is looked at is no fault of the whole.
    match std::str::from_utf8(bytes) {
        Ok(_) => return UTF_8,
        Err(e) if e.error_len().is_none() && e.valid_up_to() > 0 => return UTF_8,
        Err(_) => {}
    }
    // Lines in UTF-8 among others say nothing of the others.
    let lines =
        bytes.split_inclusive(|&b| b == b'\n').filter(|line| line.is_ascii() || !is_surely_utf8(line));
    let others = lines.collect::<Vec<_>>().concat();
    let bytes = if others.is_ascii() { bytes } else { &others[..] };
    // UTF-16 without a mark: every other byte of plain text is zero.
    let zeros = |odd: usize| bytes.iter().skip(odd).step_by(2).filter(|&&b| b == 0).count() * 2;
    if zeros(1) * 3 > bytes.len() {
        return UTF_16LE;
    }
    if zeros(0) * 3 > bytes.len() {
        return UTF_16BE;
    }
    // A file with a few broken bytes is still UTF-8 if it has that many valid multi-byte characters: they do
    // not come about by chance in other encodings.
    let lossy = String::from_utf8_lossy(bytes);
    let (good, bad) = lossy.chars().filter(|c| !c.is_ascii()).fold((0_usize, 0_usize), |(good, bad), c| {
        if c == char::REPLACEMENT_CHARACTER { (good, bad + 1) } else { (good + 1, bad) }
    });
    if good > 4 * bad {
        return UTF_8;
    }
    let (alone, among) = neighbours(bytes);
    if among <= 2 * alone {
        return latin(bytes);
    }
    let chinese = [GB18030, BIG5].map(|encoding| (likeness(encoding, bytes), encoding));
    let (likeness, encoding) =
        chinese.into_iter().max_by_key(|(likeness, _)| *likeness).unwrap_or((0, GB18030));
    let letters = [WINDOWS_1251, KOI8_R, KOI8_U, IBM866, ISO_8859_5];
    match detected(bytes) {
        _ if likeness >= SURELY => encoding,
        found if letters.contains(&found) => found,
        _ if likeness > 0 => encoding,
        _ => beyond_latin(bytes).unwrap_or(GB18030),
    }
}

/// The encoding with two bytes a sign that a file begins in, and the length of its mark.
fn wide(bytes: &[u8]) -> Option<(&'static Encoding, usize)> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return (encoding != UTF_8).then_some((encoding, mark));
    }
    // Without a mark: of the first signs, which are ASCII in every format, every other byte is zero.
    let head = &bytes[..bytes.len().min(16)];
    let zeros = |odd: usize| head.len() >= 4 && head.iter().skip(odd).step_by(2).all(|&b| b == 0);
    let both = zeros(0) && zeros(1);
    match (zeros(1), zeros(0)) {
        _ if both => None,
        (true, _) => Some((UTF_16LE, 0)),
        (_, true) => Some((UTF_16BE, 0)),
        _ => None,
    }
}

/// The beginning of a file in bytes that hold ASCII as it is: UTF-8 where it was UTF-16.
pub(crate) fn narrow(bytes: &[u8]) -> Cow<'_, [u8]> {
    match wide(bytes) {
        Some((encoding, mark)) => {
            let bytes = &bytes[mark..bytes.len().min(LOOKED_AT)];
            Cow::Owned(encoding.decode_without_bom_handling(bytes).0.into_owned().into_bytes())
        }
        None => Cow::Borrowed(bytes),
    }
}

/// A file of text, whose bytes hold ASCII as it is: what is UTF-16 comes out as UTF-8, and lines that end in a carriage
/// return alone, as old Macs wrote them, end in a line feed.
pub(crate) struct Narrowed<R> {
    source: R,
    is_text: bool,
    /// Set once the beginning was looked at; the decoder converts the bytes that follow.
    looked: bool,
    decoder: Option<Decoder>,
    /// Converted text that was not yet given out.
    turned: Vec<u8>,
    at: usize,
    /// The bytes that the source has ready and that need no conversion.
    clean: usize,
}

impl<R: BufRead> Narrowed<R> {
    /// `is_text`: false for formats that are no text, which are left as they are.
    pub(crate) fn new(source: R, is_text: bool) -> Self {
        Narrowed { source, is_text, looked: !is_text, decoder: None, turned: Vec::new(), at: 0, clean: 0 }
    }

    /// Examines the first bytes, and skips the byte order mark of a file that is converted.
    fn look(&mut self) -> io::Result<()> {
        self.looked = true;
        let Some((encoding, mark)) = wide(self.source.fill_buf()?) else { return Ok(()) };
        self.source.consume(mark);
        self.decoder = Some(encoding.new_decoder_without_bom_handling());
        Ok(())
    }
}

impl<R: BufRead> BufRead for Narrowed<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if !self.looked {
            self.look()?;
        }
        while self.at == self.turned.len()
            && let Some(decoder) = &mut self.decoder
        {
            let part = self.source.fill_buf()?;
            let (last, length) = (part.is_empty(), part.len());
            let mut text =
                String::with_capacity(decoder.max_utf8_buffer_length(length).unwrap_or(length * 3));
            let _ = decoder.decode_to_string(part, &mut text, last);
            self.source.consume(length);
            (self.turned, self.at) = (text.into_bytes(), 0);
            if last {
                // A decoder takes no more after its end.
                self.decoder = None;
            }
        }
        if self.at < self.turned.len() {
            return Ok(&self.turned[self.at..]);
        }
        if !self.is_text {
            return self.source.fill_buf();
        }
        if self.clean == 0 {
            self.clean = before_lone_return(self.source.fill_buf()?);
            if self.clean == 0 && !self.source.fill_buf()?.is_empty() {
                // The byte behind it may not be ready yet.
                self.source.consume(1);
                let is_lone = self.source.fill_buf()?.first() != Some(&b'\n');
                (self.turned, self.at) = (vec![if is_lone { b'\n' } else { b'\r' }], 0);
                return Ok(&self.turned);
            }
        }
        Ok(&self.source.fill_buf()?[..self.clean])
    }

    fn consume(&mut self, amount: usize) {
        if self.at < self.turned.len() {
            self.at += amount;
        } else {
            self.clean = self.clean.saturating_sub(amount);
            self.source.consume(amount);
        }
    }
}

/// The number of bytes in front of the first carriage return behind which no line feed is seen.
fn before_lone_return(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    // This looks at many bytes at once.
    while rest.skip_until(b'\r').is_ok_and(|passed| passed > 0) {
        let behind = bytes.len() - rest.len();
        if bytes[behind - 1] == b'\r' && rest.first() != Some(&b'\n') {
            return behind - 1;
        }
    }
    bytes.len()
}

/// The bytes of a file of text with a line feed for each carriage return that stands alone.
pub(crate) fn with_line_feeds(bytes: &[u8]) -> Cow<'_, [u8]> {
    let first = before_lone_return(bytes);
    if first == bytes.len() || wide(bytes).is_some() {
        return Cow::Borrowed(bytes);
    }
    let mut out = bytes.to_vec();
    for at in first..out.len() {
        if out[at] == b'\r' && out.get(at + 1) != Some(&b'\n') {
            out[at] = b'\n';
        }
    }
    Cow::Owned(out)
}

impl<R: BufRead> Read for Narrowed<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let part = self.fill_buf()?;
        let length = part.len().min(into.len());
        into[..length].copy_from_slice(&part[..length]);
        self.consume(length);
        Ok(length)
    }
}

/// Rates how much a text looks like Chinese in that encoding, in hundredths: below 0 where it is no text in it.
fn likeness(encoding: &'static Encoding, bytes: &[u8]) -> i64 {
    let (text, _, _) = encoding.decode(bytes);
    let (mut points, mut all) = (0_i64, 0_i64);
    for c in text.chars().filter(|c| !c.is_ascii()).take(MOST_SIGNS) {
        all += 1;
        points += match c {
            char::REPLACEMENT_CHARACTER => -8,
            // Signs of Chinese print.
            '、'
            | '。'
            | '，'
            | '：'
            | '；'
            | '（'
            | '）'
            | '《'
            | '》'
            | '“'
            | '”'
            | '·'
            | '０'..='９'
            | '　' => 2,
            '\u{e000}'..='\u{f8ff}' | '\u{3040}'..='\u{30ff}' => -4,
            '\u{4e00}'..='\u{9fff}' if COMMON.contains(c) => 4,
            '\u{4e00}'..='\u{9fff}' if is_level_one(encoding, c) => 1,
            '\u{4e00}'..='\u{9fff}' => -2,
            _ => -3,
        };
    }
    if all == 0 { 0 } else { points * 100 / all }
}

/// Tells whether a text, read in that encoding, has some of the commonest Chinese signs, or in GB 18030 several that
/// are in use: no Latin text has them by chance, since they are two bytes beyond ASCII each.
fn has_common(encoding: &'static Encoding, bytes: &[u8]) -> bool {
    let (text, _, _) = encoding.decode(bytes);
    let (mut common, mut usual, mut all) = (0, 0, 0);
    for c in text.chars().filter(|c| !c.is_ascii()).take(MOST_SIGNS) {
        all += 1;
        common += usize::from(COMMON.contains(c));
        usual += usize::from(encoding == GB18030 && is_level_one(encoding, c));
    }
    (common >= 2 && common * 20 >= all) || (usual >= 4 && usual * 4 >= all)
}

/// Tells whether a character stands in the first level of its national standard, which has those that are in use.
fn is_level_one(encoding: &'static Encoding, c: char) -> bool {
    let mut one = [0; 4];
    let (bytes, _, unmappable) = encoding.encode(c.encode_utf8(&mut one));
    match (&*bytes, unmappable) {
        (&[lead, trail], false) if encoding == BIG5 => (0xA4..=0xC6).contains(&lead) && trail >= 0x40,
        (&[lead, trail], false) => (0xB0..=0xD7).contains(&lead) && trail >= 0xA1,
        _ => false,
    }
}

/// Bytes beyond ASCII that touch a plain letter, and those that touch only others of their kind.
fn neighbours(bytes: &[u8]) -> (usize, usize) {
    let is_plain = |b: Option<&u8>| b.is_some_and(u8::is_ascii_alphabetic);
    let is_high = |b: Option<&u8>| b.is_some_and(|b| *b >= 0x80);
    let (mut alone, mut among) = (0, 0);
    for (i, _) in bytes.iter().enumerate().filter(|(_, b)| **b >= 0x80) {
        let (before, after) = (i.checked_sub(1).and_then(|i| bytes.get(i)), bytes.get(i + 1));
        alone += usize::from(is_plain(before) || is_plain(after));
        among += usize::from(!is_plain(before) && !is_plain(after) && (is_high(before) || is_high(after)));
    }
    (alone, among)
}

/// The Latin alphabet of a text.
fn latin(bytes: &[u8]) -> &'static Encoding {
    let known = [WINDOWS_1250, WINDOWS_1252, WINDOWS_1254, WINDOWS_1257, WINDOWS_1258];
    let found = detected(bytes);
    // A double-byte text whose second bytes are letters, as in Big5, looks like one of accents.
    let chinese = [GB18030, BIG5].into_iter().map(|e| (likeness(e, bytes), e)).max_by_key(|(l, _)| *l);
    match chinese {
        Some((likeness, encoding)) if likeness >= SURELY || has_common(encoding, bytes) => encoding,
        _ if known.contains(&found) => found,
        _ => WINDOWS_1252,
    }
}

fn detected(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Deny)
}

/// Returns the encoding of a part of a file that is in another alphabet than Latin and not UTF-8; `None` where it
/// looks like Latin 1.
///
/// In a Latin text letters with accents stand among plain ones; in a text of another alphabet whole words are beyond
/// ASCII.
pub(crate) fn beyond_latin(bytes: &[u8]) -> Option<&'static Encoding> {
    let (alone, among) = neighbours(bytes);
    if among <= 2 * alone {
        return None;
    }
    let known = [WINDOWS_1251, KOI8_R, KOI8_U, IBM866, ISO_8859_5, GBK, GB18030, BIG5];
    let found = detected(bytes);
    // Names are short; where nothing else is clear, they are from the country that most such files come from.
    Some(if known.contains(&found) { found } else { WINDOWS_1251 })
}

/// The beginning of a text, which may be cut in the middle of a sign.
pub(crate) fn beginning(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = &bytes[..bytes.len().min(LOOKED_AT)];
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(e) if e.error_len().is_none() => String::from_utf8_lossy(&bytes[..e.valid_up_to()]),
        Err(_) => guess(bytes).decode_without_bom_handling(bytes).0,
    }
}

/// The encoding of texts of fixed width and of remarks, of which a file has many short ones: looked at together.
pub(crate) struct Fields {
    seen: Vec<u8>,
}

impl Fields {
    /// Begins without any text seen.
    pub(crate) const fn new() -> Fields {
        Fields { seen: Vec::new() }
    }

    /// Looks at a text, up to its first zero.
    pub(crate) fn see(&mut self, bytes: &[u8]) {
        let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
        if self.seen.len() < LOOKED_AT && !bytes[..end].is_ascii() {
            self.seen.extend_from_slice(&bytes[..end]);
            self.seen.push(b'\n');
        }
    }

    /// Tells whether there was anything beyond ASCII.
    pub(crate) const fn any(&self) -> bool {
        !self.seen.is_empty()
    }

    /// The encoding that all of them are in.
    pub(crate) fn encoding(&self) -> &'static Encoding {
        if self.seen.is_empty() { GB18030 } else { guess(&self.seen) }
    }
}

/// A text of fixed width, up to the first zero byte; what was cut in the middle of a sign is left out.
pub(crate) fn field(encoding: &'static Encoding, bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    whole(&encoding.decode_without_bom_handling(&bytes[..end]).0)
}

/// The same in UTF-16, low byte first.
pub(crate) fn utf16_field(bytes: &[u8]) -> String {
    let end = bytes.chunks_exact(2).position(|pair| pair == [0, 0]).map_or(bytes.len(), |i| 2 * i);
    whole(&UTF_16LE.decode_without_bom_handling(&bytes[..end]).0)
}

fn whole(text: &str) -> String {
    text.trim_end_matches('\u{fffd}').replace("\r\n", "\n").replace('\r', "\n")
}

/// Signs without width, which editors and web pages leave in texts, and the zeros of a damaged file.
pub(crate) const fn is_unseen(c: char) -> bool {
    matches!(c, '\0' | '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{ad}')
}
