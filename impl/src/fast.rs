//! The optimized engine: resolves references and splits URLs by any rule set ([`Rules`]).
//!
//! - [`resolve`] returns a `String`. [`resolve_into`] appends to a buffer.
//! - [`Base`] prepares a base for many references. [`Base::resolve_into`] appends one target to a buffer, and
//!   [`Base::resolve_all`] appends many targets to a [`Batch`].
//! - [`components()`] splits a URL.
//!
//! All of them except [`resolve`] accept strings and byte strings ([`Text`]).
//!
//! ```
//! use urlstrata::fast;
//! use urlstrata::revision::{rfc1808, rfc3986};
//!
//! assert_eq!(fast::resolve(&rfc3986::RULES, "http://a/b/c/d;p?q", "../g")?, "http://a/b/g");
//!
//! // A prepared base. RFC 1808 keeps a `..` that has no segment to remove.
//! let base = fast::Base::new(&rfc1808::RULES, "http://a/b/c/d;p?q");
//! let mut target = String::new();
//! base.resolve_into("../../../g", &mut target)?;
//! assert_eq!(target, "http://a/../g");
//! # Ok::<(), fast::Undefined>(())
//! ```
//!
//! The strings are neither validated, decoded nor encoded: characters that are not delimiters are copied. The results
//! are those of each revision's steps (`tests/agreement.rs`, `tests/boundaries.rs`). Time is linear in the length of
//! the input. A target has at most `base.len() + reference.len() + 1` bytes (`tests/properties.rs`), and only the
//! growth of the output buffer allocates (`tests/allocations.rs`).
//!
//! # Implementation
//!
//! Most references are a path without dot segments, perhaps after some `../`, or a fragment, or an absolute URL. The
//! target of such a reference is the first part of the base followed by the last part of the reference, whatever the
//! rule set. A scan of the reference's first 64 bytes finds the delimiters as bit masks and decides whether the
//! reference is of that kind. All other references take the general path, which evaluates the rule set step by step.

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
#[allow(unsafe_code, reason = "wide loads and stores; the module documentation states why they are sound")]
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
/// - RFC 1630 only: the reference begins with slashes, and the base has no matching run of slashes. See
///   [`Rules::leading_slashes`].
///
/// The steps of a revision also return the section that leaves the target undefined: see
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
    /// Whether the reference points into the document that contains it, although its target is undefined.
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

/// The instructions that scan and copy bytes. The results are the same with all of them.
///
/// This type serves tests and benchmarks. [`Base::new`] uses the best instruction set of the processor.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct InstructionSet(Level);

impl InstructionSet {
    /// Returns the best instruction set of this processor.
    #[inline]
    #[must_use]
    pub fn best() -> Self {
        Self(Level::best())
    }

    /// Returns the instruction set that works on every machine, without `unsafe`.
    #[must_use]
    pub fn portable() -> Self {
        Self(Level::Portable)
    }

    /// Returns all instruction sets of this processor, the best one first.
    pub fn available() -> impl Iterator<Item = Self> {
        Level::available().map(Self)
    }
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

/// A base that is prepared to resolve many references by a rule set.
///
/// An empty base means that the base is unknown.
#[derive(Clone, Debug)]
pub struct Base<'a, T: Text + ?Sized = str> {
    rules: Rules,
    text: &'a T,
    layout: Layout,
    level: Level,
}

impl<'a, T: Text + ?Sized> Base<'a, T> {
    /// Prepares `base`. The time is linear in its length, and nothing is allocated.
    #[inline]
    pub fn new(rules: &Rules, base: &'a T) -> Self {
        Self::with_instructions(rules, base, InstructionSet::best())
    }

    /// Prepares `base` for use with `instructions`.
    #[inline]
    pub fn with_instructions(rules: &Rules, base: &'a T, instructions: InstructionSet) -> Self {
        let level = instructions.0;
        Self { rules: *rules, text: base, layout: machine::layout(level, rules, base.bytes()), level }
    }

    /// Resolves `reference` and appends the target URL to `out`.
    ///
    /// # Errors
    ///
    /// Returns [`Undefined`] if the rule set defines no target. `out` is then unchanged.
    #[inline]
    pub fn resolve_into(&self, reference: &T, out: &mut T::Buffer) -> Result<(), Undefined> {
        match machine::resolve::<false, T>(self, reference, out) {
            Some(_) => Ok(()),
            None => general::resolve(&self.rules, self.text, reference, out).map(|_| ()),
        }
    }

    /// Does the same as [`Base::resolve_into`] and returns the meaning of the target.
    ///
    /// It takes longer under RFC 3986, which compares the target with the base.
    ///
    /// # Errors
    ///
    /// Returns [`Undefined`] if the rule set defines no target. `out` is then unchanged.
    #[inline]
    pub fn resolve_with_meaning_into(&self, reference: &T, out: &mut T::Buffer) -> Result<Meaning, Undefined> {
        match machine::resolve::<true, T>(self, reference, out) {
            Some(meaning) => Ok(meaning),
            None => general::resolve(&self.rules, self.text, reference, out),
        }
    }

    /// Resolves each reference and appends the target to `batch`.
    ///
    /// If a target is undefined, [`Batch::get`] returns the error.
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
    use alloc::format;
    use alloc::string::String;
    use alloc::vec;
    use alloc::vec::Vec;

    use expect_test::expect;

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
        "http://h/a/path/that/is/longer/than/one/block/of/abytes/is/and/then/longer/than/two/blocks/with/the/host.html",
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
        "a-segment-that-is-longer-than-a-whole-block-of-sixty-four-byte/",
    ];

    /// Returns every string of up to `length` tokens.
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

    /// Returns long references: letters with up to three delimiters in different blocks, and letters only.
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

    /// Counts the pairs that take the fast path, and those of them that need at most two blocks. The counts do not
    /// depend on the instruction set, on whether the base is prepared, and on whether the meaning is computed.
    fn fast_pairs(rules: &Rules, references: &[String]) -> [usize; 2] {
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
                counts.iter_mut().zip(ways[0]).for_each(|(count, is_fast)| *count += usize::from(is_fast));
            }
        }
        counts
    }

    /// The general path returns the same results, so that other tests do not notice if a pair no longer takes the fast
    /// path.
    #[test]
    fn number_of_pairs_on_the_fast_path_is_unchanged() {
        let references = [references(3), long_references()].concat();
        let counts = revision::resolving().map(|(revision, rules)| {
            let [all, short_splice] = fast_pairs(rules, &references);
            format!("{} {all} {short_splice}\n", revision.id)
        });
        expect![[r#"
            rfc1630 13853 8826
            appendix-b-1994 11035 7425
            rfc1808 13570 8476
            draft-1996 13570 8476
            rfc2396 13318 8260
            rfc3986 13106 8476
            rfc3986-nonstrict 11742 8258
        "#]]
        .assert_eq(&counts.collect::<String>());
    }

    /// Each of the rule sets has one setting that differs from a revision's.
    #[test]
    fn number_of_pairs_on_the_fast_path_is_unchanged_under_other_rule_sets() {
        let references = references(2);
        let mut counts = String::new();
        for id in ["rfc1808", "rfc3986-nonstrict"] {
            let rules = revision::by_id(id).and_then(|revision| revision.rules).expect("a rule set");
            let mut sum = [0; 2];
            for rule in rules::ALL {
                for setting in 0..rule.settings.len() {
                    let counts = fast_pairs(&rule.with(rules, setting), &references);
                    sum = [sum[0] + counts[0], sum[1] + counts[1]];
                }
            }
            counts += &format!("{id} {} {}\n", sum[0], sum[1]);
        }
        expect![[r#"
            rfc1808 69015 47716
            rfc3986-nonstrict 59535 46109
        "#]]
        .assert_eq(&counts);
    }
}
