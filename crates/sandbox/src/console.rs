//! Output and tracebacks of extensions, for their authors.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex};

/// The most lines that are kept; older ones are dropped.
const MOST_KEPT: usize = 1000;
/// The most lines that are passed on as they come.
const MOST_TOLD: usize = 10_000;

/// The function that receives each line as it comes.
type Each = Arc<dyn Fn(&str) + Send + Sync>;

/// The prints and full tracebacks of extensions, line by line, without control characters. Clones share it.
#[derive(Clone, Default)]
pub struct Console {
    lines: Arc<Mutex<Lines>>,
    each: Option<Each>,
}

#[derive(Default)]
struct Lines {
    kept: VecDeque<String>,
    /// The number of lines there ever were.
    count: usize,
}

impl fmt::Debug for Console {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Console").finish_non_exhaustive()
    }
}

impl Console {
    /// Makes a console that passes each line on as it comes, the first ten thousand of them.
    #[must_use]
    pub fn echoing(each: impl Fn(&str) + Send + Sync + 'static) -> Console {
        Console { each: Some(Arc::new(each)), ..Console::default() }
    }

    /// Returns the last lines, at most `most` of the thousand that are kept, the newest at the end.
    #[must_use]
    pub fn last(&self, most: usize) -> Vec<String> {
        let lines = self.lines.lock().expect("nobody panics with it");
        let first = lines.kept.len().saturating_sub(most);
        lines.kept.range(first..).cloned().collect()
    }

    /// Takes lines that hold no control characters.
    pub(crate) fn take(&self, told: impl IntoIterator<Item = String>) {
        for line in told {
            let mut lines = self.lines.lock().expect("nobody panics with it");
            lines.count += 1;
            let count = lines.count;
            lines.kept.push_back(line.clone());
            if lines.kept.len() > MOST_KEPT {
                lines.kept.pop_front();
            }
            drop(lines);
            match &self.each {
                Some(each) if count <= MOST_TOLD => each(&line),
                Some(each) if count == MOST_TOLD + 1 => each("…"),
                _ => {}
            }
        }
    }
}
