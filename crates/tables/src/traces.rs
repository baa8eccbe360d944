//! Tracing spans that follow a request through the hall and from node to node: `docs/admin.md` lists them.
//!
//! They are spans of `tracing` under a [target](TARGET) of their own, which cost next to nothing while they are not
//! recorded. The hall does not know their consumer; [`carry`] tells it how a span is named to another node.

use std::sync::OnceLock;

use tracing::Span;

/// The target of every span of this kind, and of nothing else.
pub const TARGET: &str = "hall_traces";

/// The propagation of spans from node to node, as `traceparent` of the W3C.
#[derive(Clone, Copy)]
pub struct Carrier {
    /// The text that names a span; `None` when it is not recorded.
    pub name: fn(&Span) -> Option<String>,
    /// Makes a span the child of the one of that name; an invalid name changes nothing.
    pub adopt: fn(&Span, &str),
}

static CARRIER: OnceLock<Carrier> = OnceLock::new();

/// Sets the propagation of spans, once for the program.
pub fn carry(carrier: Carrier) {
    let _ = CARRIER.set(carrier);
}

/// Returns the name of this span for another node, of at most [`MOST`] bytes; `None` when it is not recorded.
#[must_use]
pub fn name(span: &Span) -> Option<String> {
    if span.is_disabled() {
        return None;
    }
    CARRIER.get().and_then(|carrier| (carrier.name)(span))
}

/// The longest name that is accepted from another node, in bytes: a `traceparent` has 55.
pub const MOST: usize = 64;

/// Opens the span of a person's act, from its arrival until it is answered; `parent` is the name from another node.
#[must_use]
pub fn wish(table: &str, act: &wire::Act, parent: Option<&str>) -> Span {
    let span = tracing::info_span!(target: TARGET, "wish", table, act = act.name());
    if let (Some(parent), Some(carrier), false) = (parent, CARRIER.get(), span.is_disabled())
        && parent.len() <= MOST
    {
        (carrier.adopt)(&span, parent);
    }
    span
}
