//! The laws every game obeys.

use locked::{Locked, Rules};

#[test]
fn faithful() {
    kernel::laws::check(&Locked::default());
}

#[test]
fn with_draws() {
    kernel::laws::check(&Locked::new(Rules { repetition: true, turn_limit: Some(12) }));
}
