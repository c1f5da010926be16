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

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn only_one_is_singular() {
        let links = |count: u64| counted(count, "link", "links");
        assert_eq!([0, 1, 2, 11, 21].map(links), ["0 links", "1 link", "2 links", "11 links", "21 links"]);
        assert_eq!(counted("1,000", "link", "links"), "1,000 links");
    }
}
