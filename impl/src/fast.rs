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

// The test program `internals` contains this module; the library has no tests.
#[cfg(test)]
#[path = "../tests/internals/fast.rs"]
mod tests;
