//! The macro that makes routes of rows, and the check that handlers read and answer what their rows say.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::Json;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::Response;

use crate::app::App;
use crate::http::ask::Body;
use crate::refusal::Refusal;

/// Makes the routes of a resource from its rows: the router, the rights that tokens need, and the description for
/// programs. A row is the method, the path, the handler in the named module of `http`, and in this order:
///
/// - `needs`: the right that a token needs;
/// - `parts`: parts of the path that are no plain text, with their types;
/// - `query`: the parameters after the path;
/// - `body`: the type of the JSON body; `bytes` instead, where the handler parses the bytes itself;
/// - a status for each answer, with the type of its JSON and, where it is no JSON, its media type; or `formats`: the
///   media types of a file;
/// - `refuses`: the statuses of its refusals beside those that `described` adds to each row.
macro_rules! resource {
    ($module:ident; $(
        $(#[doc = $doc:tt])+
        $method:ident $path:literal => $handler:ident {
            needs: $needs:expr
            $(, parts: { $($part:literal: $part_type:ty),+ })?
            $(, query: { $($query:literal: $query_type:ty),+ })?
            $(, body: $body:ty)?
            $(, bytes: $bytes:ty)?
            $(, $status:literal $(: $answer:ty $(as $media:literal)?)?)*
            $(, formats: $formats:expr)?
            $(, refuses: $($refused:literal)+)?
            $(,)?
        }
    )+) => {
        /// The routes, and the rights that they need.
        pub(super) const ROUTES: &[crate::scopes::Route] = &[
            $(crate::scopes::Route { method: stringify!($method), path: $path, needs: $needs }),+
        ];

        /// Returns the router of the resource.
        pub(super) fn router() -> axum::Router<crate::app::App> {
            $(
                $(super::resource::reads::<$body, _, _, _>(&$module::$handler);)?
                $($(super::resource::tells::<$answer, _, _, _>(&$module::$handler);)?)*
            )+
            axum::Router::new()$(.route($path, axum::routing::$method(super::resource::erased($module::$handler))))+
        }

        /// Returns the description of the resource for programs.
        pub(super) fn described() -> utoipa::openapi::OpenApi {
            #[allow(dead_code, reason = "utoipa describes functions, and the handlers stand elsewhere")]
            mod rows {
                #[allow(unused_imports, reason = "some rows have only types of the standard library")]
                use super::*;

                $(
                    $(#[doc = $doc])+
                    #[utoipa::path(
                        $method,
                        path = $path,
                        params(
                            $($(($part = $part_type, Path),)+)?
                            $($(($query = $query_type, Query),)+)?
                        ),
                        $(request_body = $body,)?
                        $(request_body = $bytes,)?
                        responses(
                            $((status = $status $(, body = $answer $(, content_type = $media)?)?),)*
                            $($((status = $refused, body = crate::refusal::RefusalBody),)+)?
                        )
                    )]
                    fn $handler() {}
                )+

                #[derive(utoipa::OpenApi)]
                #[openapi(paths($($handler),+))]
                pub struct Rows;
            }
            let mut api = <rows::Rows as utoipa::OpenApi>::openapi();
            super::described::belong(&mut api, stringify!($module));
            $($(super::described::file(&mut api, $path, $formats);)?)+
            api
        }

        /// Returns the query parameters of the rows, as they are described and as handlers read them.
        #[cfg(test)]
        pub(super) fn queries() -> Vec<super::queries::Row> {
            vec![$(super::queries::Row {
                path: $path,
                told: &[$($(($query, stringify!($query_type)),)+)?],
                reader: super::queries::reader(&$module::$handler),
            }),+]
        }
    };
}

pub(super) use resource;

/// The future of an answer.
type Answering = Pin<Box<dyn Future<Output = Response> + Send>>;

/// A handler whose own type is forgotten: the router has one type of handler, and is compiled for one instead of two
/// hundred, which took a fifth of the time of this crate.
#[derive(Clone)]
pub(super) struct Erased(Arc<dyn Fn(Request, App) -> Answering + Send + Sync>);

impl axum::handler::Handler<(), App> for Erased {
    type Future = Answering;

    fn call(self, request: Request, app: App) -> Answering {
        self.0(request, app)
    }
}

/// Forgets the type of a handler.
pub(super) fn erased<Parts, H>(handler: H) -> Erased
where
    H: axum::handler::Handler<Parts, App, Future = Answering> + Sync,
{
    Erased(Arc::new(move |request, app| handler.clone().call(request, app)))
}

/// A handler that reads `Parts` of a request and answers with `Told`.
pub(super) trait Handler<Parts, Told> {}

/// The parts of a request, the last of which is a JSON body of type `B`.
pub(super) trait Reads<B> {}

macro_rules! handlers {
    ($(($($part:ident)*))+) => { $(
        impl<F, Going, Told, $($part),*> Handler<($($part,)*), Told> for F
        where
            F: Fn($($part),*) -> Going,
            Going: Future<Output = Told>,
        {
        }

        impl<B, $($part),*> Reads<B> for ($($part,)* Body<B>,) {}
    )+ };
}

handlers! { () (P1) (P1 P2) (P1 P2 P3) (P1 P2 P3 P4) (P1 P2 P3 P4 P5) (P1 P2 P3 P4 P5 P6) }

/// An answer with a body of type `A`.
pub(super) trait Tells<A> {}

impl<A> Tells<A> for Json<A> {}

impl<A, T: Tells<A>> Tells<A> for (StatusCode, T) {}

impl<A, T: Tells<A>> Tells<A> for Result<T, Refusal> {}

/// An answer that the handler puts together itself: nothing is known of it.
impl<A> Tells<A> for Response {}

impl Tells<String> for String {}

impl Tells<String> for &'static str {}

/// Compiles only if the handler reads a JSON body of type `B`.
pub(super) fn reads<B, Parts: Reads<B>, Told, H: Handler<Parts, Told>>(_: &H) {}

/// Compiles only if the handler answers with a body of type `A`.
pub(super) fn tells<A, Parts, Told: Tells<A>, H: Handler<Parts, Told>>(_: &H) {}
