//! Days as records have them, of which only the year, or the year and the month, may be known.

/// A day as the number `YYYYMMDD`; months and days that are not known are 0, and so is a day of which nothing is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Day(pub u32);

impl Day {
    /// Parses a record's date: `2026-11-21`, `2026.11.??`, `2026`; 0 for anything else.
    ///
    /// ```
    /// use library::Day;
    ///
    /// assert_eq!(Day::read("2026-11-21"), Day(20_261_121));
    /// assert_eq!(Day::read("2026.11.??"), Day(20_261_100));
    /// assert_eq!(Day::read("long ago"), Day(0));
    /// ```
    #[must_use]
    pub fn read(text: &str) -> Day {
        let mut parts = text.trim().split(['-', '.', '/', '年', '月', '日', ' ']);
        let mut number = |most: u32| {
            let part = parts.next().unwrap_or_default();
            let short = part.len() <= 4 && !part.is_empty();
            part.parse::<u32>().ok().filter(|&n| short && n <= most).unwrap_or(0)
        };
        let (year, month, day) = (number(9999), number(12), number(31));
        match (year, month) {
            (0, _) => Day(0),
            (_, 0) => Day(year * 10_000),
            _ => Day(year * 10_000 + month * 100 + day),
        }
    }

    /// Returns the day as records write it; empty when it is unknown.
    ///
    /// ```
    /// assert_eq!(library::Day(20_261_100).text(), "2026-11");
    /// ```
    #[must_use]
    pub fn text(self) -> String {
        let (year, month, day) = (self.0 / 10_000, self.0 / 100 % 100, self.0 % 100);
        match (year, month, day) {
            (0, ..) => String::new(),
            (_, 0, _) => format!("{year:04}"),
            (_, _, 0) => format!("{year:04}-{month:02}"),
            _ => format!("{year:04}-{month:02}-{day:02}"),
        }
    }
}
