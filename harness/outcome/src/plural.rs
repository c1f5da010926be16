//! Counts with their nouns.

use std::fmt::Display;

/// Returns `count` and its noun: `one` after a 1, `many` after any other number.
///
/// Both forms are parameters, since English has no rule that always builds one from the other. `count` may contain
/// digit separators.
///
/// # Examples
///
/// ```
/// use urlstrata_outcome::plural::counted;
///
/// assert_eq!(counted(1, "process", "processes"), "1 process");
/// assert_eq!(counted(0, "process", "processes"), "0 processes");
/// ```
pub fn counted(count: impl Display, one: &str, many: &str) -> String {
    let count = count.to_string();
    let noun = if count == "1" { one } else { many };
    format!("{count} {noun}")
}
