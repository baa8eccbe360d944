//! Macros shared by several tests.

/// Calls `$check::<Variant>` by the variant's key.
macro_rules! by_key {
    ($key:expr, $check:ident $args:tt) => {
        draughts::for_each_variant!(by_key [@ $key, $check $args,])
    };
    (@ $key:expr, $check:ident $args:tt, $($rules:ident)*) => {
        match $key {
            $(<draughts::$rules as draughts::Rules>::KEY => $check::<draughts::$rules> $args,)*
            other => panic!("no variant {other}"),
        }
    };
}

pub(crate) use by_key;

macro_rules! keys {
    ($($rules:ident)*) => { &[$(<draughts::$rules as draughts::Rules>::KEY),*] };
}

/// The key of every variant, without the family's `draughts/`.
pub(crate) const KEYS: &[&str] = draughts::for_each_variant!(keys);
