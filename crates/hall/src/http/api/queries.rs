//! Catches a row that describes other query parameters than its handler reads.

use std::collections::BTreeSet;

use axum::body::Bytes;
use axum::extract::{Query, Request, State};
use axum::http::HeaderMap;
use edge::network::Asker;
use members::client::Client;
use serde::de::value::Error;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor as Visits};
use serde::forward_to_deserialize_any;

use super::resource::Handler;
use crate::http::ask::{Body, Path, Upgrade, UrlQuery};
use crate::http::links::Asks;
use crate::http::staff::Staff;
use crate::http::worker::Worker;
use crate::links::{Origin, Spoken};
use crate::refusal::Refusal;
use crate::visitor::{ClientIp, Onlooker, Signed, Visitor};

/// Parameters that a handler reads and a row does not describe: pictures of a start, and the card of the hall, take the
/// parameters of a table's picture, of which these change nothing.
const UNTOLD: [(&str, &str); 4] =
    [("/rules/{file}", "ply"), ("/maps/{file}", "ply"), ("/card.png", "ply"), ("/card.png", "card")];

/// The rows whose parameters are partly those of another type (`flatten`), which names none of its fields.
const FLATTENED: [&str; 2] = ["/api/library/games", "/api/library/explore"];

/// The query parameters of a route.
pub(super) struct Row {
    pub path: &'static str,
    /// The names and types in the description.
    pub told: &'static [(&'static str, &'static str)],
    pub reader: Option<Reader>,
}

/// The type that a handler parses the query into.
pub(super) struct Reader {
    /// The names of its fields; `None` where they are not known.
    fields: Option<&'static [&'static str]>,
    /// True if it can be read from an empty query.
    takes_nothing: bool,
}

/// Finds the fields of a struct that is deserialized.
struct Fields<'a>(&'a mut Option<&'static [&'static str]>);

impl<'de> Deserializer<'de> for Fields<'_> {
    type Error = Error;

    fn deserialize_any<V: Visits<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("only the fields are wanted"))
    }

    fn deserialize_struct<V: Visits<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        *self.0 = Some(fields);
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// A part of a request, as a handler takes it.
pub(super) trait Part {
    fn reader() -> Option<Reader> {
        None
    }
}

impl<T: DeserializeOwned> Part for UrlQuery<T> {
    fn reader() -> Option<Reader> {
        let mut fields = None;
        let _ = T::deserialize(Fields(&mut fields));
        let nothing = axum::http::Uri::from_static("/");
        Some(Reader { fields, takes_nothing: Query::<T>::try_from_uri(&nothing).is_ok() })
    }
}

impl<T: Part> Part for Result<T, Refusal> {
    fn reader() -> Option<Reader> {
        T::reader()
    }
}

impl<T> Part for State<T> {}

impl<T> Part for Path<T> {}

impl<T> Part for Body<T> {}

macro_rules! without_query {
    ($($part:ident)+) => { $(impl Part for $part {})+ };
}

without_query! {
    Asker Asks Bytes Client ClientIp HeaderMap Onlooker Origin Request Signed Spoken Staff Upgrade Visitor Worker
}

/// The parts of a request that a handler takes.
pub(super) trait Parts {
    fn reader() -> Option<Reader>;
}

macro_rules! parts {
    ($(($($part:ident)*))+) => { $(
        impl<$($part: Part),*> Parts for ($($part,)*) {
            fn reader() -> Option<Reader> {
                None$(.or_else($part::reader))*
            }
        }
    )+ };
}

parts! { () (P1) (P1 P2) (P1 P2 P3) (P1 P2 P3 P4) (P1 P2 P3 P4 P5) (P1 P2 P3 P4 P5 P6) }

/// Returns the type that a handler parses the query into.
pub(super) fn reader<P: Parts, Told, H: Handler<P, Told>>(_: &H) -> Option<Reader> {
    P::reader()
}

#[test]
fn queries_are_described_as_they_are_read() {
    let (mut flattened, mut count) = (Vec::new(), 0);
    for Row { path, told, reader } in super::queries() {
        let names: BTreeSet<&str> = told.iter().map(|(name, _)| *name).collect();
        let Some(Reader { fields, takes_nothing }) = reader else {
            assert!(names.is_empty(), "{path}: the handler reads none of {names:?}");
            continue;
        };
        count += 1;
        let needs_one = told.iter().any(|(_, kind)| !kind.starts_with("Option"));
        assert!(
            takes_nothing || needs_one,
            "{path}: a parameter is needed, and described as one that is not"
        );
        let Some(fields) = fields else {
            flattened.push(path);
            continue;
        };
        let untold = UNTOLD.iter().filter(|(of, _)| *of == path).map(|(_, name)| *name);
        let told: BTreeSet<&str> = names.into_iter().chain(untold).collect();
        assert_eq!(told, fields.iter().copied().collect(), "{path}: what is described, and what is read");
    }
    flattened.sort_unstable();
    let mut known = FLATTENED;
    known.sort_unstable();
    assert_eq!(flattened, known);
    assert!(count > 30, "{count}");
}
