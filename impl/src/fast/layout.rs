//! A prepared base: the splices of all shapes, and how to find the splice of a reference.

use super::index::{SearchIndex, ShortIndex};
use super::masks::Lanes;
use super::shape::{HTTP, SCHEME, SHAPES, Shape};
use super::splice::{Outline, SchemeHandling, Splice};
use crate::resolution::Meaning;
use crate::rules::{Rules, SameDocument};

/// A prepared base: one splice for each shape.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(align(64))]
pub(super) struct Layout {
    splices: [Splice; SHAPES],
    schemes: SchemeHandling,
    /// The position at which the fragment of the base begins.
    end: usize,
}

/// The shape of a short reference, and its splice.
pub(super) struct ShortSplice<'a> {
    pub(super) splice: &'a Splice,
    shape: Shape,
}

impl Layout {
    /// Prepares `base` under `rules`.
    #[inline(always)]
    pub(super) fn of(lanes: impl Lanes, rules: &Rules, base: &[u8]) -> Self {
        let (mut splices, end) = match ShortIndex::of(lanes, base) {
            Some(delimiters) => (Outline::of(rules, base, delimiters).splices(), base.len()),
            None => of_any(rules, base),
        };
        let schemes = SchemeHandling::of(rules, base);
        let is_lower_case = !base[..schemes.dropped].iter().any(u8::is_ascii_uppercase);
        if schemes.eligible && (schemes.dropped == 0 || schemes.restored && is_lower_case) {
            splices[HTTP] = Splice::WHOLE;
        }
        if rules.same_document == SameDocument::ByComparison {
            splices.iter_mut().for_each(|splice| splice.set_stop(end));
        }
        Self { splices, schemes, end }
    }

    /// Returns the splice of a reference of at most two blocks.
    ///
    /// The splice is [`Splice::NONE`] if the reference needs [`Layout::splice`] or the general path.
    #[inline(always)]
    pub(super) fn short_splice(&self, lanes: impl Lanes, reference: &[u8]) -> Option<ShortSplice<'_>> {
        let shape = Shape::of::<false>(lanes, reference)?;
        Some(ShortSplice { splice: &self.splices[shape.index % SHAPES], shape })
    }

    /// Returns the meaning of the target that [`Layout::short_splice`] describes.
    #[inline(always)]
    pub(super) fn short_meaning(&self, found: &ShortSplice<'_>, base: &[u8], reference: &[u8]) -> Meaning {
        let splice = found.splice;
        if splice.stop != 0 && found.shape.stops >> (splice.stop % 64) & 1 != 0 {
            return splice.compared(base, self.end, reference);
        }
        splice.meaning
    }

    /// Returns the splice of a reference, or `None` if it has no shape.
    #[inline(always)]
    pub(super) fn splice(&self, lanes: impl Lanes, base: &[u8], reference: &[u8]) -> Option<Splice> {
        let index = Shape::of_any(lanes, reference)?.index;
        let splice = self.splices[index % SHAPES];
        Some(if matches!(index, HTTP | SCHEME) && self.schemes.is_copied(base, reference) {
            Splice { stop: splice.stop, ..Splice::WHOLE }
        } else {
            splice
        })
    }

    /// Returns the meaning of the target that `splice` describes.
    #[inline(always)]
    pub(super) fn meaning(&self, splice: &Splice, base: &[u8], reference: &[u8]) -> Meaning {
        if splice.stop != 0 { splice.compared(base, self.end, reference) } else { splice.meaning }
    }
}

/// Computes the splices of a base of any length, and where its fragment begins.
#[inline(never)]
fn of_any(rules: &Rules, base: &[u8]) -> ([Splice; SHAPES], usize) {
    let outline = Outline::of(rules, base, SearchIndex(base));
    (outline.splices(), outline.end)
}

/// Returns the splice of a reference against a base that is not prepared, or `None` if the reference has no shape.
///
/// Without `WITH_MEANING`, the meaning is not computed and must not be used.
#[inline(always)]
pub(super) fn splice<const WITH_MEANING: bool>(
    lanes: impl Lanes,
    rules: &Rules,
    base: &[u8],
    reference: &[u8],
) -> Option<(Splice, Meaning)> {
    let index = Shape::of_any(lanes, reference)?.index;
    let compares = WITH_MEANING && rules.same_document == SameDocument::ByComparison;
    let copied = matches!(index, HTTP | SCHEME);
    if copied && !SchemeHandling::of(rules, base).is_copied(base, reference) {
        return None;
    }
    if copied && !compares {
        return Some((Splice::WHOLE, Meaning::Retrieval));
    }
    let (splice, end) = match ShortIndex::of(lanes, base) {
        Some(_) if copied => (Splice::WHOLE, base.len()),
        Some(delimiters) => (Outline::of(rules, base, delimiters).splice(index), base.len()),
        None => splice_of_any(rules, base, index, copied),
    };
    Some((splice, if compares { splice.compared(base, end, reference) } else { splice.meaning }))
}

/// Computes the splice of one shape for a base of any length, and where the fragment of the base begins.
#[inline(never)]
fn splice_of_any(rules: &Rules, base: &[u8], shape: usize, copied: bool) -> (Splice, usize) {
    let outline = Outline::of(rules, base, SearchIndex(base));
    (if copied { Splice::WHOLE } else { outline.splice(shape) }, outline.end)
}
