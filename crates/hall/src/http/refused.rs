//! The refusals that any address may answer with, for the description: what stands around the router decides about
//! them.

use utoipa::openapi::path::{Operation, ParameterIn, PathItem};
use utoipa::openapi::{Content, OpenApi, Ref, RefOr, Response, ResponseBuilder};

/// Adds them to every address that is described.
pub(super) struct Everywhere;

/// The refusals of every request: two hosts, or what is not understood; a secret that does not count; another host, a page
/// elsewhere, a token without the scope; too much from one address; a hall that is busy or cannot store anything.
const ALWAYS: [(&str, &str); 5] = [
    ("400", "The request is not understood."),
    ("401", "It is not said who asks, or by a secret that does not count."),
    ("403", "Not for this host, this page, or whoever asks."),
    ("429", "Too much was asked: wait as long as Retry-After says."),
    ("503", "The hall has too much to do, or cannot store anything now."),
];

impl utoipa::Modify for Everywhere {
    fn modify(&self, api: &mut OpenApi) {
        for item in api.paths.paths.values_mut() {
            for operation in operations(item) {
                for (status, why) in whys(operation) {
                    operation.responses.responses.entry(status.to_owned()).or_insert_with(|| refusal(why));
                }
            }
        }
    }
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    let PathItem { get, put, post, delete, patch, .. } = item;
    [get, put, post, delete, patch].into_iter().flatten()
}

fn whys(operation: &Operation) -> Vec<(&'static str, &'static str)> {
    let mut all = ALWAYS.to_vec();
    let is_part = |one: &RefOr<_>| match one {
        RefOr::T(one) => is_in_path(one),
        RefOr::Ref(_) => false,
    };
    if operation.parameters.iter().flatten().any(is_part) {
        all.push(("404", "There is nothing at this address."));
    }
    if operation.request_body.is_some() {
        all.push(("413", "The body is too large."));
    }
    all
}

fn is_in_path(one: &utoipa::openapi::path::Parameter) -> bool {
    one.parameter_in == ParameterIn::Path
}

fn refusal(why: &str) -> RefOr<Response> {
    let body = Content::new(Some(Ref::from_schema_name("RefusalBody")));
    ResponseBuilder::new().description(why).content("application/json", body).build().into()
}
