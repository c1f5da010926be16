//! The names of revisions, and the nearest names to one that does not exist.

use urlstrata::revision::{self, Revision};

/// Names of revisions other than their ids, without spaces and punctuation. Documentation calls the URL Standard by many names.
const NAMES: [(&str, &str); 10] = [
    ("std66", "rfc3986"),
    ("rfc3986strict", "rfc3986"),
    ("strict", "rfc3986"),
    ("appendixb", "appendix-b-1994"),
    ("urlstandard", "whatwg"),
    ("urllivingstandard", "whatwg"),
    ("livingstandard", "whatwg"),
    ("whatwgurl", "whatwg"),
    ("html", "whatwg"),
    ("html5", "whatwg"),
];

/// The package that implements the URL Standard. In any other spelling, it is a name of the Standard.
const ENGINE: &str = "whatwg-url";

/// Returns the revision that people call `name`, in upper or lower case and with any spaces and hyphens: its id, its number, its title, or another
/// name of the URL Standard.
///
/// # Examples
///
/// ```
/// use urlstrata_harness::names::revision_named;
///
/// let id = |name| revision_named(name).map(|revision| revision.id);
/// for name in ["rfc3986", "RFC 3986", "3986", "STD 66"] {
///     assert_eq!(id(name), Some("rfc3986"));
/// }
/// assert_eq!(id("url-standard"), id("whatwg"));
/// assert_eq!(id("WHATWG URL"), id("whatwg"));
/// // That is an engine.
/// assert_eq!(id("whatwg-url"), None);
/// assert_eq!(id("rfc9999"), None);
/// ```
pub fn revision_named(name: &str) -> Option<&'static Revision> {
    if name == ENGINE {
        return None;
    }
    let plain = plain(name);
    if let Some((_, id)) = NAMES.iter().find(|(own, _)| *own == plain) {
        return revision::by_id(id);
    }
    let plain = plain.strip_prefix("urlstandard").map_or(plain.clone(), |date| format!("whatwg{date}"));
    let is_called = |revision: &&&Revision| {
        let id = self::plain(revision.id);
        id == plain || id.strip_prefix("rfc") == Some(&plain) || self::plain(revision.specification) == plain
    };
    revision::by_id(&plain).or_else(|| revision::ALL.iter().find(is_called).copied())
}

/// Returns the letters and digits of `name` in lower case.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|character| character.to_ascii_lowercase()).collect()
}

/// Returns a sentence about a name that no revision has: the three ids that are written most like it.
pub fn unknown_revision(name: &str) -> String {
    let ids = revision::ALL.iter().rev().map(|revision| revision.id).chain(["whatwg"]);
    let near = nearest(name, ids).join(", ");
    format!("no specification is called {name:?}: the nearest names are {near}; `urlstrata engine list` shows all")
}

/// Returns the three of `names` that are written most like `name`, the nearest one first.
pub fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    const SHOWN: usize = 3;
    let mut names: Vec<&str> = names.collect();
    names.sort_by_key(|own| strsim::damerau_levenshtein(&plain(name), &plain(own)));
    names.truncate(SHOWN);
    names
}
