//! The description of a fault in input: a stable key and the arguments of its message.

use std::fmt;

/// A fault in input, without the sentence: each client says it in its reader's language from the Fluent message
/// `problem-<key>`, whose arguments are `args`.
///
/// ```
/// use kernel::Problem;
///
/// let problem = Problem::new("off-the-board").with("move", "z9").with("ranks", 15);
/// assert_eq!(problem.arg("ranks"), Some("15"));
/// assert_eq!(problem.to_string(), r#"off-the-board move="z9" ranks="15""#);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Stable kebab-case key such as `"square-occupied"`.
    pub key: &'static str,
    /// The facts, by argument name: what was found, what was expected, where.
    pub args: Vec<(&'static str, String)>,
}

impl Problem {
    /// A problem without facts yet.
    ///
    /// ```
    /// use kernel::Problem;
    ///
    /// assert_eq!(Problem::new("no-map").to_string(), "no-map");
    /// ```
    #[must_use]
    pub fn new(key: &'static str) -> Self {
        Problem { key, args: Vec::new() }
    }

    /// Adds one argument. Text longer than 80 characters is cut, so that a message never repeats a long input.
    ///
    /// ```
    /// use kernel::Problem;
    ///
    /// let problem = Problem::new("bad-fen").with("fen", "7".repeat(100));
    /// assert_eq!(problem.arg("fen").map(|text| text.chars().count()), Some(81), "80 digits and a …");
    /// ```
    #[must_use]
    pub fn with(self, name: &'static str, value: impl fmt::Display) -> Self {
        self.with_text(name, value.to_string())
    }

    /// Adds an argument that is text already: a separate function, compiled once and not for every type of a value.
    fn with_text(mut self, name: &'static str, mut text: String) -> Self {
        if let Some((cut, _)) = text.char_indices().nth(80) {
            text.truncate(cut);
            text.push('…');
        }
        self.args.push((name, text));
        self
    }

    /// The fact of that name, if it is there.
    ///
    /// ```
    /// use kernel::Problem;
    ///
    /// let problem = Problem::new("file-too-large").with("limit", 1024);
    /// assert_eq!(problem.arg("limit"), Some("1024"));
    /// assert_eq!(problem.arg("size"), None);
    /// ```
    #[must_use]
    pub fn arg(&self, name: &str) -> Option<&str> {
        self.args.iter().find(|(n, _)| *n == name).map(|(_, v)| v.as_str())
    }
}

/// The text for logs and developers; people get the sentence.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key)?;
        for (name, value) in &self.args {
            write!(f, " {name}={value:?}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problem {}
