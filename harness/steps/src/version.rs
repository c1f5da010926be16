//! The order of versions.

use std::cmp::Ordering;

/// Compares two versions part by part: numbers as numbers, and words before numbers, so that `1.0-rc1` precedes `1.0`.
pub fn compare_versions(left: &str, right: &str) -> Ordering {
    let (mut left, mut right) = (parts(left), parts(right));
    // A missing part is a zero that words precede.
    let length = left.len().max(right.len());
    left.resize(length, Part::Number(0));
    right.resize(length, Part::Number(0));
    left.cmp(&right)
}

#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Part {
    Word(String),
    Number(u64),
}

fn parts(version: &str) -> Vec<Part> {
    let version = version.strip_prefix(['v', 'V']).unwrap_or(version);
    let mut parts = Vec::new();
    let mut rest = version;
    while let Some(first) = rest.chars().next() {
        let is_digit = first.is_ascii_digit();
        let end =
            rest.find(|it: char| !it.is_ascii_alphanumeric() || it.is_ascii_digit() != is_digit).filter(|end| *end > 0);
        let (part, after) = rest.split_at(end.unwrap_or(rest.len()));
        match (first.is_ascii_alphanumeric(), part.parse()) {
            (true, Ok(number)) => parts.push(Part::Number(number)),
            (true, Err(_)) => parts.push(Part::Word(part.to_ascii_lowercase())),
            _ => {}
        }
        rest = if first.is_ascii_alphanumeric() { after } else { &rest[first.len_utf8()..] };
    }
    parts
}

/// Returns whether `version` has a change whose first version on each branch is in `first`.
///
/// The branch of a version is all but its last number: a fix in 3.12.0, 3.11.4 and 3.10.12 is in 3.11.5 and 3.13.0, but not in
/// 3.11.3 or 3.9.20.
pub fn is_since(first: &[&str], version: &str) -> bool {
    let newest = first.iter().max_by(|left, right| compare_versions(left, right));
    let at_least = |other: &str| compare_versions(version, other) != Ordering::Less;
    newest.is_some_and(|newest| at_least(newest))
        || first.iter().any(|own| at_least(own) && branch(own) == branch(version))
}

fn branch(version: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = parts(version).into_iter().filter(|part| matches!(part, Part::Number(_))).collect();
    parts.truncate(parts.len().max(3) - 1);
    parts
}
