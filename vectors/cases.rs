//! The cases: vectors as plain values, for test suites.

use std::sync::OnceLock;

use crate::File;
use crate::reader::{Node, read};

/// The newest state of the URL Standard that vectors name.
const NEWEST: &str = "whatwg-2026-07";

/// The revisions that vectors name.
pub(crate) const REVISIONS: [&str; 16] = [
    "rfc1630",
    "appendix-b-1994",
    "rfc1738",
    "rfc1808",
    "draft-1996",
    "rfc2396",
    "rfc3986",
    "rfc3986-nonstrict",
    "whatwg-2014-12",
    "whatwg-2016-03",
    "whatwg-2018-06",
    "whatwg-2020-08",
    "whatwg-2021-06",
    "whatwg-2022-01",
    "whatwg-2025-03",
    NEWEST,
];

/// What is known of each vector, whatever its kind.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Place {
    /// The identity of the vector.
    pub(crate) path: String,
    /// The specification and the section that print it: `RFC 3986 §5.4.2`.
    pub(crate) section: String,
    /// The topic of the section.
    pub(crate) title: String,
    /// A remark; empty if there is none.
    pub(crate) note: String,
    pub(crate) is_minimal: bool,
}

/// A vector with its file.
struct Entry {
    place: Place,
    /// The base of the file.
    base: String,
    vector: Node,
}

/// A reference to resolve, and the target that a revision has for it.
///
/// # Examples
///
/// ```
/// let case = urlstrata_vectors::cases("rfc3986/5.4.2").find(|case| case.reference() == "../../../g").unwrap();
/// assert_eq!((case.base(), case.expected()), ("http://a/b/c/d;p?q", Some("http://a/g")));
/// assert!(case.path().starts_with("rfc3986/5.4.2/"));
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Case {
    pub(crate) place: Place,
    pub(crate) revision: &'static str,
    base: String,
    reference: String,
    expected: Option<String>,
    permitted: Vec<String>,
}

impl Case {
    /// Returns the identity of the vector: `rfc1808/5.2/parent-above-root`.
    pub fn path(&self) -> &str {
        &self.place.path
    }

    /// Returns the base; empty if it is unknown.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Returns the reference.
    pub fn reference(&self) -> &str {
        &self.reference
    }

    /// Returns the target; `None` if the revision defines no target for this pair.
    pub fn expected(&self) -> Option<&str> {
        self.expected.as_deref()
    }

    /// Returns whether `target` is the expected one, or another one that the revision permits. A resolver that checks the grammar of the revision
    /// may have none for a pair that the grammar does not match; without the feature `steps` that is not known, and a missing target is wrong.
    pub fn is_right(&self, target: Option<&str>) -> bool {
        let is_permitted = |target: &str| self.permitted.iter().any(|own| own == target);
        target == self.expected() || target.map_or_else(|| self.is_outside_grammar(), is_permitted)
    }

    /// Returns whether the vector is one of the few that notice as many faults of a resolver as all of them: those that specifications
    /// print, and those of the folder `adequate`.
    pub fn is_minimal(&self) -> bool {
        self.place.is_minimal
    }

    /// Returns whether the grammar of the revision does not match the reference or the base.
    #[cfg(feature = "steps")]
    fn is_outside_grammar(&self) -> bool {
        let grammar = urlstrata::grammar::by_revision(self.revision);
        grammar.is_some_and(|it| it.excluded(&self.base, &self.reference).is_some())
    }

    #[cfg(not(feature = "steps"))]
    fn is_outside_grammar(&self) -> bool {
        false
    }

    /// Returns the specification and the section that print the vector: `RFC 3986 §5.4.2`.
    pub fn section(&self) -> &str {
        &self.place.section
    }

    /// Returns a remark on the vector; empty if there is none.
    pub fn note(&self) -> &str {
        &self.place.note
    }
}

/// A URL, and the components that a revision divides it into.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Division {
    pub(crate) place: Place,
    pub(crate) url: String,
    /// The name of each component with its text; `None` for an absent one. Empty if the revision rejects the URL.
    pub(crate) components: Vec<(String, Option<String>)>,
    pub(crate) is_rejected: bool,
}

/// A production of a grammar, and strings that it matches or does not match.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Production {
    pub(crate) place: Place,
    pub(crate) name: String,
    pub(crate) valid: Vec<String>,
    pub(crate) invalid: Vec<String>,
}

/// Returns the resolution vectors of a revision, or those of its vectors whose path begins with `filter`: `rfc3986`, `rfc3986/5.4.2`,
/// `whatwg` for the newest state of the URL Standard. What the specifications print comes first, then what urlstrata adds.
///
/// # Panics
///
/// Panics if the first part of `filter` is not a revision.
///
/// # Examples
///
/// ```
/// assert!(urlstrata_vectors::cases("rfc3986").count() > urlstrata_vectors::cases("rfc3986/5.4").count());
/// ```
pub fn cases(filter: &str) -> impl Iterator<Item = Case> {
    let (revision, filter) = (revision(filter), filter.to_owned());
    entries()
        .iter()
        .filter_map(move |entry| Case::of(entry, revision))
        .filter(move |case| is_selected(&case.place, &filter))
}

pub(crate) fn divisions(filter: &str) -> impl Iterator<Item = Division> {
    let (revision, filter) = (revision(filter), filter.to_owned());
    entries()
        .iter()
        .filter_map(move |entry| Division::of(entry, revision))
        .filter(move |it| is_selected(&it.place, &filter))
}

pub(crate) fn productions(filter: &str) -> impl Iterator<Item = Production> {
    let (revision, filter) = (revision(filter), filter.to_owned());
    entries()
        .iter()
        .filter_map(move |entry| Production::of(entry, revision))
        .filter(move |it| is_selected(&it.place, &filter))
}

/// Returns the revision that a filter names.
pub(crate) fn revision(filter: &str) -> &'static str {
    let name = filter.split('/').next().unwrap_or_default();
    let name = if name == "whatwg" { NEWEST } else { name };
    let found = REVISIONS.iter().find(|own| **own == name);
    found.unwrap_or_else(|| panic!("no revision is called {name:?}: there are {}", REVISIONS.join(", ")))
}

/// Returns whether a filter selects a vector of its revision: the filter is the revision alone, or the start of the path.
fn is_selected(place: &Place, filter: &str) -> bool {
    !filter.contains('/') || place.path.starts_with(filter)
}

/// Returns all vectors: first those that specifications print, then those of urlstrata.
fn entries() -> &'static [Entry] {
    static ENTRIES: OnceLock<Vec<Entry>> = OnceLock::new();
    ENTRIES.get_or_init(|| {
        let order = |file: &File| {
            let folders = ["spec/", "adequate/", "steps/", "history/", "witness/", "found/"];
            folders.iter().position(|folder| file.path.starts_with(folder))
        };
        let mut files: Vec<File> = crate::files().collect();
        files.sort_by_key(order);
        files.iter().flat_map(of_file).collect()
    })
}

fn of_file(file: &File) -> Vec<Entry> {
    // The files of the package are in order, which a test verifies.
    let content = read(file.text).unwrap_or_else(|error| unreachable!("{}:{error}", file.path));
    let id = file.path.trim_start_matches("spec/").trim_end_matches(".yaml");
    let source = content.get("source").cloned().unwrap_or(Node::Null);
    let section = match (source.text_at("specification"), source.text_at("section")) {
        (specification, "") => specification.to_owned(),
        (specification, section) if section.starts_with(|it: char| it.is_ascii_digit()) => {
            format!("{specification} §{section}")
        }
        (specification, section) => format!("{specification}, {section}"),
    };
    let vectors = content.get("vectors").map(Node::elements).unwrap_or_default();
    let entry = |vector: &Node| Entry {
        place: Place {
            path: format!("{id}/{}", vector.text_at("name")),
            section: section.clone(),
            title: source.text_at("title").to_owned(),
            note: vector.text_at("note").to_owned(),
            is_minimal: ["spec/", "adequate/"].iter().any(|folder| file.path.starts_with(folder)),
        },
        base: content.text_at("base").to_owned(),
        vector: vector.clone(),
    };
    vectors.iter().map(entry).collect()
}

fn texts(node: Option<&Node>) -> Vec<String> {
    let elements = node.map(Node::elements).unwrap_or_default();
    elements.iter().filter_map(Node::text).map(str::to_owned).collect()
}

impl Case {
    fn of(entry: &Entry, revision: &'static str) -> Option<Self> {
        let reference = entry.vector.get("reference")?.text()?;
        let expected = entry.vector.get("expect")?.get(revision)?;
        let url = expected.text().or_else(|| expected.get("url")?.text());
        Some(Self {
            place: entry.place.clone(),
            revision,
            base: entry.vector.get("base").and_then(Node::text).unwrap_or(&entry.base).to_owned(),
            reference: reference.to_owned(),
            expected: url.map(str::to_owned),
            permitted: texts(entry.vector.get("permitted")),
        })
    }
}

impl Division {
    fn of(entry: &Entry, revision: &str) -> Option<Self> {
        let url = entry.vector.get("url")?.text()?;
        let expected = entry.vector.get("components")?.get(revision)?;
        let is_rejected = expected.get("failure").is_some();
        let components = expected.entries().iter().filter(|_| !is_rejected);
        let components = components.map(|(name, value)| (name.clone(), value.text().map(str::to_owned)));
        Some(Self { place: entry.place.clone(), url: url.to_owned(), components: components.collect(), is_rejected })
    }
}

impl Production {
    fn of(entry: &Entry, revision: &str) -> Option<Self> {
        let name = entry.vector.get("production")?.text()?;
        let matches = entry.vector.get("matches")?.get(revision)?;
        let [valid, invalid] = ["valid", "invalid"].map(|key| texts(matches.get(key)));
        Some(Self { place: entry.place.clone(), name: name.to_owned(), valid, invalid })
    }
}
