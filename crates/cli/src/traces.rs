//! Traces to an OpenTelemetry collector: the spans of `tables::traces`, in batches, from a thread of their own.
//!
//! A collector that is slow or away costs the hall nothing: what does not fit the queue (2048 spans) is dropped. The
//! variables of OpenTelemetry count, `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG` among them.

use opentelemetry::KeyValue;
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::{TraceContextExt, TracerProvider};
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tables::traces::{Carrier, TARGET};
use texts::Language;
use tracing::{Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::registry::LookupSpan;

/// The connection to a collector of traces.
pub struct Traces(SdkTracerProvider);

impl Traces {
    /// Opens the connection to the collector at that address, with the name of this node. To be called outside of any
    /// runtime.
    ///
    /// # Errors
    /// The fault in the address, in words.
    pub fn to(url: &str, node: &str, language: Language) -> Result<Traces, String> {
        if !url.starts_with("http://") {
            return Err(texts::say(language, "cli-traces-url", &[("url", url)]));
        }
        let exporter = SpanExporter::builder().with_http().with_endpoint(url).build();
        let refused = |why: &dyn std::fmt::Display| {
            texts::say(language, "cli-traces-not", &[("url", url), ("why", &why.to_string())])
        };
        let exporter = exporter.map_err(|why| refused(&why))?;
        let resource = Resource::builder()
            .with_service_name("qiguan")
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .with_attribute(KeyValue::new("service.instance.id", node.to_owned()))
            .build();
        let provider =
            SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build();
        tables::traces::carry(Carrier { name, adopt });
        Ok(Traces(provider))
    }

    /// Returns the layer that passes the hall's spans on.
    pub fn layer<S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync>(
        &self,
    ) -> Box<dyn Layer<S> + Send + Sync> {
        let spans = Targets::new().with_target(TARGET, LevelFilter::INFO);
        let layer = tracing_opentelemetry::layer().with_tracer(self.0.tracer("qiguan"));
        layer.with_location(false).with_threads(false).with_filter(spans).boxed()
    }

    /// Sends what is left, and waits a few seconds for it at most.
    pub fn end(self) {
        let _ = self.0.shutdown();
    }
}

/// Returns the name of a span as `traceparent` of the W3C.
fn name(span: &Span) -> Option<String> {
    let context = span.context();
    let of = context.span().span_context().clone();
    let flags = of.trace_flags().to_u8();
    of.is_valid().then(|| format!("00-{}-{}-{flags:02x}", of.trace_id(), of.span_id()))
}

fn adopt(span: &Span, parent: &str) {
    struct Named<'a>(&'a str);
    impl Extractor for Named<'_> {
        fn get(&self, key: &str) -> Option<&str> {
            (key == "traceparent").then_some(self.0)
        }
        fn keys(&self) -> Vec<&str> {
            vec!["traceparent"]
        }
    }
    let parent = TraceContextPropagator::new().extract(&Named(parent));
    if parent.span().span_context().is_valid() {
        let _ = span.set_parent(parent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use opentelemetry_sdk::trace::InMemorySpanExporter;
    use tracing_subscriber::layer::SubscriberExt;

    #[test]
    fn a_span_goes_on_at_another_node_under_its_name() {
        let kept = InMemorySpanExporter::default();
        let traces = Traces(SdkTracerProvider::builder().with_simple_exporter(kept.clone()).build());
        let log = tracing_subscriber::registry().with(traces.layer());
        tracing::subscriber::with_default(log, || {
            let here = tracing::info_span!(target: TARGET, "ask-owner");
            let told = name(&here).expect("it is recorded");
            for (text, name) in [(told.as_str(), "there"), ("00-nonsense", "stray")] {
                let there = tracing::info_span!(target: TARGET, "wish", otel.name = name);
                adopt(&there, text);
            }
            // Spans of other targets are not exported.
            drop(tracing::info_span!(target: "other", "other"));
        });
        traces.0.force_flush().expect("kept");
        let spans = kept.get_finished_spans().expect("kept");
        let of = |name: &str| {
            spans.iter().find(|span| span.name == name).unwrap_or_else(|| panic!("{name}: {spans:?}"))
        };
        let (here, there, stray) = (of("ask-owner"), of("there"), of("stray"));
        assert_eq!(there.parent_span_id, here.span_context.span_id());
        assert_eq!(there.span_context.trace_id(), here.span_context.trace_id());
        assert_ne!(stray.span_context.trace_id(), here.span_context.trace_id());
        assert_eq!(spans.len(), 3);
    }

    #[test]
    fn an_address_that_is_none_is_refused_with_what_to_do() {
        for url in ["127.0.0.1:4318", "https://collector.example/v1/traces", ""] {
            let why = Traces::to(url, "a", Language::English).err().expect(url);
            assert!(why.contains("http://"), "{why}");
        }
    }
}
