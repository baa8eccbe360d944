//! Additions to the API description: the refusals that any address may answer with, from the layers around the
//! router, and the formats of files.

use records::Format;
use utoipa::openapi::path::{Operation, ParameterIn, PathItem};
use utoipa::openapi::{Content, OpenApi, Ref, RefOr, Response, ResponseBuilder, Schema};

/// A modifier that adds the refusals to every address.
pub(super) struct Everywhere;

/// The refusals of every request: two hosts, or a malformed request; an invalid secret; another host, a page of
/// another site, a token without the scope; too much from one address; a hall that is busy or cannot store anything.
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

/// A modifier that adds the formats of files: records of one game in every format, all games of a person in some of
/// them.
pub(super) struct Files;

/// The addresses of files with games, and their formats beside those of records.
const FILES: [(&str, &[&str]); 4] = [
    ("/api/tables/{id}/record", &[]),
    ("/api/library/games/{id}/record", &[]),
    ("/api/studies/{id}/record", &[]),
    ("/api/people/{who}/export", &["application/x-ndjson"]),
];

impl utoipa::Modify for Files {
    fn modify(&self, api: &mut OpenApi) {
        for (path, more) in FILES {
            let get = api.paths.paths.get_mut(path).and_then(|item| item.get.as_mut());
            let get = get.expect("is described where it is answered");
            let formats = Format::ALL.into_iter().map(Format::media_type);
            let mut file = ResponseBuilder::new().description("The file.");
            for kind in more.iter().copied().chain(formats) {
                file = file.content(kind, Content::new(None::<RefOr<Schema>>));
            }
            get.responses.responses.insert("200".to_owned(), file.build().into());
        }
        // Under the same path without an ending stands the page.
        let get = api.paths.paths.get_mut("/t/{file}").and_then(|item| item.get.as_mut());
        let told = &mut get.expect("is described where it is answered").responses.responses;
        let any = || Content::new(None::<RefOr<Schema>>);
        if let Some(RefOr::T(answer)) = told.get_mut("200") {
            let both = ResponseBuilder::new().description(answer.description.clone());
            let both = both.content("image/png", any()).content("image/gif", any());
            *answer = both.content("text/html", any()).build();
        }
        if let Some(RefOr::T(answer)) = told.get_mut("404") {
            let both = ResponseBuilder::new().description(answer.description.clone());
            *answer = both.content("application/json", refusal_body()).content("text/html", any()).build();
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
    ResponseBuilder::new().description(why).content("application/json", refusal_body()).build().into()
}

fn refusal_body() -> Content {
    Content::new(Some(Ref::from_schema_name("RefusalBody")))
}
