//! The description for programs, beyond what the rows say: all that holds for each of them.

use people::token::Scope;
use records::Format;
use utoipa::openapi::extensions::{Extensions, ExtensionsBuilder};
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn, PathItem};
use utoipa::openapi::schema::{Object, Type};
use utoipa::openapi::{Content, OpenApi, Ref, RefOr, Required, Response, ResponseBuilder, Schema};

use crate::scopes::{Needed, Routes};

/// The refusals of every request: two hosts, or a malformed request; an invalid secret; another host, a page of
/// another site, a token without the scope; too much from one address; a hall that is busy or cannot store anything.
const ALWAYS: [&str; 5] = ["400", "401", "403", "429", "503"];

/// The meaning of each status, in a sentence.
const MEANINGS: [(&str, &str); 18] = [
    ("101", "The connection becomes a WebSocket."),
    ("200", "The answer."),
    ("201", "It was made."),
    ("202", "It was accepted, and goes on."),
    ("204", "It is done: the answer is empty."),
    ("400", "The request is not understood."),
    ("401", "It is not said who asks, or by a secret that does not count."),
    ("403", "Not for this host, this page, or whoever asks."),
    ("404", "There is nothing at this address."),
    ("409", "It cannot be done as things are now."),
    ("410", "It is not wanted any more."),
    ("413", "The body is too large."),
    ("422", "What was sent can be read, but is not valid."),
    ("429", "Too much was asked: wait as long as Retry-After says."),
    ("501", "The hall cannot answer in that form."),
    ("502", "Another server did not answer as it should."),
    ("503", "The hall has too much to do, or cannot store anything now."),
    ("507", "The hall has no space left for it."),
];

/// Sets the resource to which all routes of that description belong.
pub(super) fn belong(api: &mut OpenApi, resource: &str) {
    for item in api.paths.paths.values_mut() {
        for (_, operation) in operations(item) {
            operation.tags = Some(vec![resource.to_owned()]);
        }
    }
}

/// Returns the media types of records, and those of `more` before them.
pub(super) fn records(more: &[&'static str]) -> Vec<&'static str> {
    more.iter().copied().chain(Format::ALL.into_iter().map(Format::media_type)).collect()
}

/// Adds a file as the answer to `GET` of that path, in any of those media types.
///
/// # Panics
/// A panic if `GET` of that path is not described.
pub(super) fn file(api: &mut OpenApi, path: &str, formats: Vec<&'static str>) {
    let get = api.paths.paths.get_mut(path).and_then(|item| item.get.as_mut());
    let get = get.expect("files are answers to GET");
    let mut file = ResponseBuilder::new().description("The file.");
    for kind in &formats {
        file = file.content(*kind, Content::new(None::<RefOr<Schema>>));
    }
    get.responses.responses.insert("200".to_owned(), file.build().into());
    // Under the same path without an ending stands the page.
    if formats.len() > 1 && formats.contains(&"text/html") {
        let refused = ResponseBuilder::new().content("application/json", refusal_body());
        let refused = refused.content("text/html", Content::new(None::<RefOr<Schema>>));
        get.responses.responses.insert("404".to_owned(), refused.build().into());
    }
}

/// Adds to each route what all routes have: a name of its own, the parts of the path, refusals, a sentence for each
/// status, and the right that a token needs.
///
/// # Panics
/// A panic if a route has a status without a meaning, or no row.
pub(super) fn complete(api: &mut OpenApi, routes: Routes) {
    for (path, item) in &mut api.paths.paths {
        for (method, operation) in operations(item) {
            name(operation);
            name_parts(path, operation);
            for status in refusals(path, operation) {
                operation.responses.responses.entry(status.to_owned()).or_insert_with(refusal);
            }
            for (status, answer) in &mut operation.responses.responses {
                if let RefOr::T(answer) = answer
                    && answer.description.is_empty()
                {
                    answer.description = meaning(status).to_owned();
                }
            }
            operation.extensions = Some(rights(routes.row(method, path).expect("has a row").needs));
        }
    }
}

/// Returns the meaning of a status, in a sentence.
fn meaning(status: &str) -> &'static str {
    let found = MEANINGS.iter().find(|(known, _)| *known == status);
    found.unwrap_or_else(|| panic!("{status} has a row in MEANINGS")).1
}

/// Names a route after its resource and its handler, and joins the lines of the sentences about it, which are broken
/// where a line of the source ends.
fn name(operation: &mut Operation) {
    let resource = operation.tags.iter().flatten().next();
    operation.operation_id = resource
        .zip(operation.operation_id.as_ref())
        .map(|(resource, handler)| format!("{resource}_{handler}"));
    operation.summary = operation.summary.as_ref().map(|text| text.replace('\n', " "));
}

/// Returns the right that a token needs: `x-token` is a scope, `any` where any token or none will do, or `session`
/// where no token is enough; `x-public` tells that other sites may read the answer, or for which endings.
fn rights(needs: Needed) -> Extensions {
    let token = match needs {
        Needed::Probe | Needed::Nothing | Needed::Files(_) => "any",
        Needed::Public => Scope::Read.name(),
        Needed::Scope(scope) => scope.name(),
        Needed::Session => "session",
    };
    let told = ExtensionsBuilder::new().add("x-token", token);
    match needs {
        Needed::Public => told.add("x-public", true),
        Needed::Files(endings) => told.add("x-public", endings),
        _ => told,
    }
    .build()
}

/// Returns the names of the parts of a path.
fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
}

/// Adds the parts of the path that the row does not name: they are text.
fn name_parts(path: &str, operation: &mut Operation) {
    let mut rest = operation.parameters.take().unwrap_or_default();
    let mut all = Vec::new();
    for part in parts(path) {
        let is_it = |one: &RefOr<Parameter>| matches!(one, RefOr::T(one) if one.parameter_in == ParameterIn::Path && one.name == part);
        let named = rest.iter().position(is_it);
        all.push(named.map_or_else(|| text(part).into(), |n| rest.remove(n)));
    }
    all.append(&mut rest);
    operation.parameters = (!all.is_empty()).then_some(all);
}

fn text(part: &str) -> Parameter {
    let named = ParameterBuilder::new().name(part).parameter_in(ParameterIn::Path).required(Required::True);
    named.schema(Some(Object::with_type(Type::String))).build()
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = (&'static str, &mut Operation)> {
    let PathItem { get, put, post, delete, .. } = item;
    let all = [("get", get), ("put", put), ("post", post), ("delete", delete)];
    all.into_iter().filter_map(|(method, operation)| Some((method, operation.as_mut()?)))
}

/// Returns the statuses of the refusals that a route has beside those in its row.
fn refusals(path: &str, operation: &Operation) -> Vec<&'static str> {
    let not_there = parts(path).next().map(|_| "404");
    let too_large = operation.request_body.as_ref().map(|_| "413");
    ALWAYS.into_iter().chain(not_there).chain(too_large).collect()
}

fn refusal() -> RefOr<Response> {
    ResponseBuilder::new().content("application/json", refusal_body()).build().into()
}

fn refusal_body() -> Content {
    Content::new(Some(Ref::from_schema_name("RefusalBody")))
}
