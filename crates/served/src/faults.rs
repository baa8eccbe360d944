//! The problems of lines and options that are refused.

use kernel::Problem;
use protocol::Fault;

/// Returns the problem of a value outside of an option's range.
fn not_within(option: &str, value: &str, range: std::ops::RangeInclusive<i64>) -> Problem {
    let problem = Problem::new("option-not-within").with("option", option).with("value", value);
    problem.with("min", range.start()).with("max", range.end())
}

/// Reads a whole number within a range.
pub(crate) fn within(
    option: &str,
    value: &str,
    range: std::ops::RangeInclusive<i64>,
) -> Result<i64, Problem> {
    let number = value.trim().parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| not_within(option, value, range))
}

/// Returns the problem of a line that was not understood.
pub(crate) fn misread(fault: &Fault) -> Problem {
    Problem::new("protocol-misread").with("why", fault.key).with("found", &fault.found)
}

/// Returns the fault of a line that is too long.
pub(crate) fn too_long() -> Fault {
    Fault { key: "line-too-long", found: String::new() }
}

/// Returns the problem of a command that the protocol does not have.
pub(crate) fn unknown(line: &str) -> Problem {
    Problem::new("protocol-misread").with("why", "unknown-command").with("found", format!("{line:.60}"))
}
