//! Where the text of each dated revision has a step.
//!
//! A label of a step is that of the newest text, so that a step has one identity in every revision. A reader who opens
//! the text of 2014 finds the step under another number, in another section, and often in a state with another name:
//! [`place_in`] returns both.
//!
//! The numbers are those under which a browser shows the text. The cases of a switch, which have no numbers, are lettered
//! in their order: `relative f.1` is the first step of the sixth case. A step whose text is only a part of a numbered
//! step has the label of that step; a step whose text has no number, and one that the text does not have, has the name of
//! its state or algorithm alone.

use alloc::borrow::Cow;
use alloc::format;
use core::fmt;

use super::Revision;
use crate::resolution::Rejection;

mod table;

use table::MOVED;

/// Where the text of a revision has a step.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Place<'a> {
    /// The number of the section, for example `"4.2"`.
    pub section: &'static str,
    /// The label of the step there, for example `"relative path start 2"`. If the text has the step at more than one
    /// place, the labels are separated by commas, and one in another section begins with `§` and its number.
    pub label: &'a str,
}

impl fmt::Display for Place<'_> {
    /// Writes the section and the label: `§4.2 relative path start 2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "§{} {}", self.section, self.label)
    }
}

/// Returns where the text of `revision` has the step with this label, which is a label of
/// [`Revision::resolve_steps`](super::Revision::resolve_steps).
///
/// ```
/// use urlstrata::revision::whatwg;
///
/// let place = |revision| whatwg::place_in(revision, "path start 1.2").to_string();
/// assert_eq!(place(&whatwg::WHATWG_2014_12), "§4.2 relative path start 2");
/// assert_eq!(place(&whatwg::WHATWG_2016_03), "§4.2 path start 2");
/// assert_eq!(place(whatwg::NEWEST), "§4.4 path start 1.2");
/// ```
#[must_use]
pub fn place_in<'a>(revision: &Revision, label: &'a str) -> Place<'a> {
    let year = year(revision);
    let moved = MOVED.iter().find(|moved| moved.label == label);
    let earlier = moved.and_then(|moved| moved.earlier.iter().find(|it| (it.from..=it.to).contains(&year)));
    let label = earlier.map_or(label, |it| it.label);
    Place { section: section(year, label), label }
}

/// Returns the year of a dated revision; 0 if it is not a revision of the URL Standard.
fn year(revision: &Revision) -> u16 {
    revision.id.split('-').nth(1).and_then(|year| year.parse().ok()).unwrap_or(0)
}

/// The sections of 2014 and 2016, and those since then, by the starts of labels. The others are of URL parsing.
const SECTIONS: &[(&str, &str, &str)] = &[
    ("domain", "3.1", "3.3"),
    ("host parser", "3.3", "3.5"),
    ("opaque host", "3.3", "3.5"),
    ("opaque-host", "3.3", "3.5"),
    ("ends in", "3.3", "3.5"),
    ("host serializer", "3.4", "3.6"),
    ("IPv4 serializer", "3.4", "3.6"),
    ("IPv6 serializer", "3.4", "3.6"),
    ("IPv6 compressed", "3.4", "3.6"),
    ("IPv4", "3.3", "3.5"),
    ("IPv6", "3.3", "3.5"),
    ("pop", "4", "4"),
    ("shorten", "4", "4.2"),
    ("URL constructor", "6.1", "6.1"),
    ("URL", "4.3", "4.5"),
    ("API", "6.1", "6.1"),
];

/// Returns the section of a label in the text of a year.
fn section(year: u16, label: &str) -> &'static str {
    let &(_, early, late) = SECTIONS.iter().find(|(start, ..)| label.starts_with(start)).unwrap_or(&("", "4.2", "4.4"));
    if matches!(year, 2014 | 2016) { early } else { late }
}

/// Cites the step of a rejection as the text of `revision` has it.
pub(super) fn dated(revision: &Revision, rejection: Rejection) -> Rejection {
    let Some((_, label)) = rejection.section().split_once(' ') else { return rejection };
    let Place { section, label } = place_in(revision, label);
    let section = Cow::Owned(format!("{section} {label}"));
    rejection.at(section)
}
