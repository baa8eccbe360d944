//! What this crate does where it was built without the feature `host`: it refuses.

use std::path::PathBuf;
use std::sync::Arc;

use jingbanqi::Rulebook;
use jingbanqi::extension::{Extensions, Loader, Source};
use kernel::Problem;

/// Refuses every extension.
#[derive(Clone, Debug, Default)]
pub struct Sandbox;

impl Sandbox {
    /// Refuses every extension.
    #[must_use]
    pub fn new(_program: PathBuf) -> Sandbox {
        Sandbox
    }

    /// Refuses every extension.
    #[must_use]
    pub fn here() -> Sandbox {
        Sandbox
    }

    /// There is nothing to tell.
    #[must_use]
    pub fn telling(self, _console: crate::Console) -> Sandbox {
        self
    }
}

impl Loader for Sandbox {
    fn load(&self, _book: &Arc<Rulebook>, sources: &[Source]) -> Result<Arc<dyn Extensions>, Vec<Problem>> {
        let refused = |source: &Source| Problem::new("map-extensions-not-run").with("text", &source.file);
        Err(sources.iter().map(refused).collect())
    }
}
