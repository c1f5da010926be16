//! The optimized implementation: one engine under a row of [`Rules`].
//!
//! Prepare a [`Base`] where many references have it: [`Base::resolve_into`] appends a target to a buffer of yours, and
//! [`Base::resolve_all`] those of many references to one [`Batch`]. Where base and reference are both new,
//! [`resolve_into`] prepares nothing that the reference does not need. All take strings and byte strings ([`Text`]).
//!
//! ```
//! use urlstrata::fast;
//! use urlstrata::revision::{rfc1808, rfc3986};
//!
//! // The shortest way to resolve into a `String`.
//! let mut target = String::new();
//! fast::resolve_into(&rfc3986::RULES, "http://a/b/c/d;p?q", "../g", &mut target)?;
//! assert_eq!(target, "http://a/b/g");
//!
//! // A base that is prepared once. RFC 1808 keeps a `..` that has no segment to remove.
//! let base = fast::Base::new(&rfc1808::RULES, "http://a/b/c/d;p?q");
//! target.clear();
//! base.resolve_into("../../../g", &mut target)?;
//! assert_eq!(target, "http://a/../g");
//! # Ok::<(), fast::Undefined>(())
//! ```
//!
//! No string is checked, decoded or encoded: what is not a delimiter is copied. A target has at most as many bytes as base
//! and reference together and one more (`tests/properties.rs`). Nothing is allocated but the buffer's growth
//! (`tests/allocations.rs`), nothing recurses, and time is linear in the input. The results are those of each
//! revision's reference (`tests/agreement.rs`, `tests/boundaries.rs`).
//!
//! # How
//!
//! Most references are a path without dot segments, perhaps behind some `../`, or a fragment, or an absolute URL; their
//! targets are a first part of the base and a last part of the reference, whatever the row. One look at the reference's
//! delimiters as bits decides whether it is such a one. Everything else takes the general path, which asks the row at each
//! step.

use alloc::string::String;
use core::fmt;

use crate::resolution::Meaning;
use crate::rules::Rules;

mod batch;
mod components;
mod general;
mod index;
mod layout;
mod masks;
mod path;
mod portable;
mod shape;
mod splice;
mod split;
mod text;

#[cfg(all(feature = "simd", target_arch = "x86_64"))]
#[path = "fast/x86.rs"]
#[allow(unsafe_code, reason = "wide loads and stores; its head says why they are sound")]
mod machine;
#[cfg(not(all(feature = "simd", target_arch = "x86_64")))]
#[path = "fast/any.rs"]
mod machine;

pub use batch::Batch;
pub use components::{Component, Components, components};
use layout::Layout;
use machine::Level;
pub use text::Text;

/// The error of a pair of base and reference for which the rule set defines no target.
///
/// There are two causes:
///
/// - The reference is relative, and the base is empty or has no scheme. See [`Rules::unknown_base`].
/// - RFC 1630 only: the reference begins with slashes, and the base has no run of slashes that matches them. See
///   [`Rules::leading_slashes`].
///
/// A revision's reference implementation also returns the section that leaves the target undefined: see
/// [`Revision::resolve`](crate::revision::Revision::resolve).
///
/// # Examples
///
/// ```
/// use urlstrata::fast;
/// use urlstrata::revision::rfc3986;
///
/// let mut out = String::new();
/// let undefined = fast::resolve_into(&rfc3986::RULES, "", "../g", &mut out).unwrap_err();
/// assert_eq!(undefined.to_string(), "the rule set defines no target for this base and reference");
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Undefined {
    /// Whether the reference is known to point into the document that holds it, although no URL is defined.
    pub same_document: bool,
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.same_document {
            true => "the reference points into the document that contains it, and the URL of that document is unknown",
            false => "the rule set defines no target for this base and reference",
        })
    }
}

impl core::error::Error for Undefined {}

/// Which instructions look at bytes and copy them. The results are the same with all.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct InstructionSet(Level);

impl InstructionSet {
    /// The best that this processor has.
    #[inline]
    #[must_use]
    pub fn best() -> Self {
        Self(Level::best())
    }

    /// Those of safe code alone, on every machine.
    #[must_use]
    pub fn portable() -> Self {
        Self(Level::Portable)
    }

    /// All that this processor has, the best first.
    pub fn available() -> impl Iterator<Item = Self> {
        Level::available().map(Self)
    }
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

/// A base, prepared once for many references under a row.
///
/// An empty base is an unknown one.
#[derive(Clone, Debug)]
pub struct Base<'a, T: Text + ?Sized = str> {
    rules: Rules,
    text: &'a T,
    layout: Layout,
    level: Level,
}

impl<'a, T: Text + ?Sized> Base<'a, T> {
    /// Prepares `base`, in time linear in its length; nothing is allocated.
    #[inline]
    pub fn new(rules: &Rules, base: &'a T) -> Self {
        Self::with_instructions(rules, base, InstructionSet::best())
    }

    /// The same for use with certain instructions.
    #[inline]
    pub fn with_instructions(rules: &Rules, base: &'a T, instructions: InstructionSet) -> Self {
        let level = instructions.0;
        Self { rules: *rules, text: base, layout: machine::layout(level, rules, base.bytes()), level }
    }

    /// Appends the target of `reference` to `out`.
    ///
    /// # Errors
    ///
    /// Where the rules define no result; `out` is then what it was.
    #[inline]
    pub fn resolve_into(&self, reference: &T, out: &mut T::Buffer) -> Result<(), Undefined> {
        match machine::resolve::<false, T>(self, reference, out) {
            Some(_) => Ok(()),
            None => general::resolve(&self.rules, self.text, reference, out).map(|_| ()),
        }
    }

    /// The same, and says what the target means: a question of its own, since one row compares the target with the base.
    ///
    /// # Errors
    ///
    /// As those of [`Base::resolve_into`].
    #[inline]
    pub fn resolve_with_meaning_into(&self, reference: &T, out: &mut T::Buffer) -> Result<Meaning, Undefined> {
        match machine::resolve::<true, T>(self, reference, out) {
            Some(meaning) => Ok(meaning),
            None => general::resolve(&self.rules, self.text, reference, out),
        }
    }

    /// Appends the target of each reference to `batch`.
    ///
    /// A reference without a result has an empty place there, which [`Batch::get`] tells.
    #[inline]
    pub fn resolve_all<'r>(&self, references: impl IntoIterator<Item = &'r T>, batch: &mut Batch<T>)
    where
        T: 'r,
    {
        let references = references.into_iter();
        batch.reserve(references.size_hint().0);
        machine::resolve_all(self, references, batch);
    }
}

/// Resolves `reference` against `base` by `rules` and returns the target URL.
///
/// An empty `base` means that the base is unknown. The strings are neither validated nor decoded: characters that are not
/// delimiters are copied unchanged.
///
/// # Errors
///
/// Returns [`Undefined`] if `rules` define no target for this pair.
///
/// # Examples
///
/// ```
/// use urlstrata::fast;
/// use urlstrata::revision::rfc3986;
///
/// assert_eq!(fast::resolve(&rfc3986::RULES, "http://a/b/c", "../g")?, "http://a/g");
/// # Ok::<(), fast::Undefined>(())
/// ```
#[inline]
pub fn resolve(rules: &Rules, base: &str, reference: &str) -> Result<String, Undefined> {
    let mut target = String::new();
    resolve_into(rules, base, reference, &mut target).map(|()| target)
}

/// Resolves `reference` against `base` by `rules` and appends the target URL to `out`.
///
/// An empty `base` means that the base is unknown. The strings are neither validated nor decoded: characters that are not
/// delimiters are copied unchanged.
///
/// `out` grows by at most `base.len() + reference.len() + 1` bytes.
///
/// # Errors
///
/// Returns [`Undefined`] if `rules` define no target for this pair. `out` is then unchanged.
///
/// # Examples
///
/// The function appends, so that one buffer can hold several targets:
///
/// ```
/// use urlstrata::fast;
/// use urlstrata::revision::rfc3986;
///
/// let mut list = String::new();
/// for reference in ["d", "/e"] {
///     fast::resolve_into(&rfc3986::RULES, "http://a/b/c", reference, &mut list)?;
///     list.push('\n');
/// }
/// assert_eq!(list, "http://a/b/d\nhttp://a/e\n");
/// # Ok::<(), fast::Undefined>(())
/// ```
#[inline]
pub fn resolve_into<T: Text + ?Sized>(
    rules: &Rules,
    base: &T,
    reference: &T,
    out: &mut T::Buffer,
) -> Result<(), Undefined> {
    match machine::once::<false, T>(Level::best(), rules, base, reference, out) {
        Some(_) => Ok(()),
        None => general::resolve(rules, base, reference, out).map(|_| ()),
    }
}

/// Does the same as [`resolve_into`] and returns the meaning of the target.
///
/// # Errors
///
/// Returns [`Undefined`] if `rules` define no target for this pair. `out` is then unchanged.
///
/// # Examples
///
/// ```
/// use urlstrata::Meaning;
/// use urlstrata::fast;
/// use urlstrata::revision::rfc3986;
///
/// let mut target = String::new();
/// let meaning = fast::resolve_with_meaning_into(&rfc3986::RULES, "http://a/b/c", "#s", &mut target)?;
/// assert_eq!((target.as_str(), meaning), ("http://a/b/c#s", Meaning::SameDocument));
/// # Ok::<(), fast::Undefined>(())
/// ```
#[inline]
pub fn resolve_with_meaning_into<T: Text + ?Sized>(
    rules: &Rules,
    base: &T,
    reference: &T,
    out: &mut T::Buffer,
) -> Result<Meaning, Undefined> {
    match machine::once::<true, T>(Level::best(), rules, base, reference, out) {
        Some(meaning) => Ok(meaning),
        None => general::resolve(rules, base, reference, out),
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec;
    use alloc::vec::Vec;

    use super::masks::Portable;
    use super::{Base, InstructionSet, machine};
    use crate::revision;
    use crate::rules::{self, Rules};

    const BASES: [&str; 11] = [
        "http://a/b/c/d;p?q#f",
        "http://a/b/..?q",
        "HTTP://a/b/c",
        "http://a;p?",
        "https://a/b//c/../d/",
        "s://h/a/b/c/d",
        "s://h",
        "s:/a/b",
        "news:a",
        "",
        "http://h/a/path/that/is/longer/than/one/look/at/it/takes/in/and/then/longer/than/two/looks/with/the/host.html",
    ];

    const TOKENS: [&str; 14] = [
        "a",
        "b/",
        ".",
        "../",
        "/",
        ";",
        "?",
        "#",
        ":",
        "http://",
        "https://h/",
        "HTTP:",
        "s:",
        "a-segment-that-is-longer-than-all-that-one-look-at-it-takes-in/",
    ];

    /// Every string of up to `length` tokens.
    fn references(length: usize) -> Vec<String> {
        let mut all = vec![String::new()];
        let mut from = 0;
        for _ in 0..length {
            let to = all.len();
            for index in from..to {
                all.extend(TOKENS.map(|token| [all[index].as_str(), token].concat()));
            }
            from = to;
        }
        all
    }

    /// Letters with up to three delimiters, one in each look, or in the third and the fourth, and alone on both sides of two looks.
    fn long_references() -> Vec<String> {
        const DELIMITERS: [&str; 7] = ["", "/", "#", ":", "/.", "?#", "?"];
        let letters = "x".repeat(66);
        let mut all: Vec<_> = (120..=130).map(|length| "x".repeat(length)).collect();
        for first in DELIMITERS {
            for second in DELIMITERS {
                all.extend(DELIMITERS.map(|third| [first, &letters, second, &letters, third, "x"].concat()));
            }
        }
        all.extend(["/", "#"].map(|third| [&letters, "x", &letters, third, &letters, ":x"].concat()));
        all
    }

    /// How many pairs are common, and how many of them at a look: whichever instructions look, without a layout of the base and
    /// with one, and with the meaning and without.
    fn common(rules: &Rules, references: &[String]) -> [usize; 2] {
        let mut counts = [0; 2];
        let mut out = String::new();
        for base in BASES {
            let prepared = InstructionSet::available().map(|it| (it.0, Base::with_instructions(rules, base, it)));
            let prepared: Vec<_> = prepared.collect();
            for reference in references {
                let ways = prepared.iter().map(|(level, prepared)| {
                    out.clear();
                    let once = machine::once::<true, str>(*level, rules, base, reference, &mut out).is_some();
                    assert_eq!(machine::resolve::<true, str>(prepared, reference, &mut out).is_some(), once);
                    assert_eq!(machine::resolve::<false, str>(prepared, reference, &mut out).is_some(), once);
                    let found = prepared.layout.short_splice(Portable, reference.as_bytes());
                    [once, found.is_some_and(|found| found.splice.keep as usize <= base.len())]
                });
                let mut ways: Vec<_> = ways.collect();
                ways.dedup();
                assert_eq!(ways.len(), 1, "{base} {reference}");
                counts.iter_mut().zip(ways[0]).for_each(|(count, common)| *count += usize::from(common));
            }
        }
        counts
    }

    /// What is not taken for common has the same result, only later: other tests do not notice.
    #[test]
    fn so_many_of_36421_pairs_are_common() {
        let references = [references(3), long_references()].concat();
        assert_eq!(references.len() * BASES.len(), 36_421);
        let expected = [
            ("rfc1630", 13_853, 8_826),
            ("appendix-b-1994", 11_035, 7_425),
            ("rfc1808", 13_570, 8_476),
            ("draft-1996", 13_570, 8_476),
            ("rfc2396", 13_318, 8_260),
            ("rfc3986", 13_106, 8_476),
            ("rfc3986-nonstrict", 11_742, 8_258),
        ];
        let counts = revision::resolving().map(|(revision, rules)| {
            let [all, short_splice] = common(rules, &references);
            (revision.id, all, short_splice)
        });
        assert_eq!(counts.collect::<Vec<_>>(), expected);
    }

    /// The same of rows that no document has, of which each has one answer of another.
    #[test]
    fn so_many_are_common_one_answer_away() {
        let references = references(2);
        for (id, expected) in [("rfc1808", [69_015, 47_716]), ("rfc3986-nonstrict", [59_535, 46_109])] {
            let rules = revision::by_id(id).and_then(|revision| revision.rules).expect("a row");
            let mut sum = [0; 2];
            for rule in rules::ALL {
                for setting in 0..rule.settings.len() {
                    let counts = common(&rule.with(rules, setting), &references);
                    sum = [sum[0] + counts[0], sum[1] + counts[1]];
                }
            }
            assert_eq!((id, sum), (id, expected));
        }
    }
}
