//! What several tests share.

/// Calls `$check::<Variant>` by the variant's key.
macro_rules! by_key {
    ($key:expr, $check:ident $args:tt) => {
        by_key!(@ $key, $check $args, International Killer Breakthrough Losing Frisian Frysk Brazilian School Russian
            Pool English Italian Spanish Czech Thai Turkish Canadian)
    };
    (@ $key:expr, $check:ident $args:tt, $($rules:ident)*) => {
        match $key {
            $(<$rules as Rules>::KEY => $check::<$rules> $args,)*
            other => panic!("no variant {other}"),
        }
    };
}

pub(crate) use by_key;

/// The key of every variant, without the family's `draughts/`.
pub(crate) const KEYS: [&str; 17] = [
    "international",
    "killer",
    "breakthrough",
    "losing",
    "frisian",
    "frysk",
    "brazilian",
    "school",
    "russian",
    "pool",
    "english",
    "italian",
    "spanish",
    "czech",
    "thai",
    "turkish",
    "canadian",
];
