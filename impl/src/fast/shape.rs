//! What one look at a reference decides.

use super::index::{SearchIndex, ShortIndex};
use super::layout::{Plan, SchemeHandling, Splice};
use super::masks::{BLOCK, Lanes, Masks};
use super::split::{http_length, scheme_length};
use crate::resolution::Meaning;
use crate::rules::{Rules, SameDocument, SchemeName};

pub(super) const FRAGMENT: usize = 0;
pub(super) const QUERY: usize = 1;
pub(super) const PARAMS: usize = 2;
pub(super) const ROOT: usize = 3;
pub(super) const NETWORK: usize = 4;

/// The shape of a reference which begins with `http://` or `https://` and a host.
const HTTP: usize = 5;

/// The shape of `#` alone.
pub(super) const EMPTY_FRAGMENT: usize = 6;

/// The shape of nothing.
pub(super) const EMPTY: usize = 7;

/// The shape of a path; behind so many `../` it is so many more.
pub(super) const PATH: usize = 8;

/// How many shapes there are at most, so that a few bits cannot exceed it.
pub(super) const SHAPES: usize = 32;

/// The shape of a reference which may have another scheme: the last, whose splice is none.
const SCHEME: usize = SHAPES - 1;

/// How long a reference may be that is decided in two looks, of which the second is only taken where it is needed.
const TWO_BLOCKS: usize = 2 * BLOCK;

/// The mark of the second byte.
const SECOND: u64 = 2;

/// The shape of a reference by its first byte, but for what follows that; and whether a byte is a mark.
static BYTES: [u8; 256] = {
    let mut first = [PATH as u8; 256];
    first[b'#' as usize] = FRAGMENT as u8 | PATH_END;
    first[b'?' as usize] = QUERY as u8 | PATH_END;
    first[b';' as usize] = PARAMS as u8 | PATH_END;
    first[b'/' as usize] = ROOT as u8;
    first
};

/// That a byte is a `#`, `?` or `;`.
const PATH_END: u8 = 0x80;

/// The shape of a reference by its first byte.
#[inline(always)]
fn first_shape(byte: u8) -> usize {
    usize::from(BYTES[usize::from(byte)] & !PATH_END)
}

/// A base laid out: the splice of each shape.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(align(64))]
pub(super) struct Layout {
    splices: [Splice; SHAPES],
    schemes: SchemeHandling,
    /// Where the base's fragment begins.
    end: usize,
}

/// A shape and its splice.
pub(super) struct ShortSplice<'a> {
    pub(super) splice: &'a Splice,
    shape: Shape,
}

impl Layout {
    #[inline(always)]
    pub(super) fn of(lanes: impl Lanes, rules: &Rules, base: &[u8]) -> Self {
        let (mut splices, end) = match ShortIndex::of(lanes, base) {
            Some(plain) => (Plan::of(rules, base, plain).splices(), base.len()),
            None => of_any(rules, base),
        };
        let schemes = SchemeHandling::of(rules, base);
        let spelt_so = !base[..schemes.dropped].iter().any(u8::is_ascii_uppercase);
        if schemes.eligible && (schemes.dropped == 0 || schemes.restored && spelt_so) {
            splices[HTTP] = Splice::WHOLE;
        }
        if rules.same_document == SameDocument::ByComparison {
            splices.iter_mut().for_each(|splice| splice.lay_out_comparison(end));
        }
        Self { splices, schemes, end }
    }

    /// The splice of a reference that has no scheme or the most common one; it is none where that has to be looked into.
    #[inline(always)]
    pub(super) fn short_splice(&self, lanes: impl Lanes, reference: &[u8]) -> Option<ShortSplice<'_>> {
        let shape = Shape::of::<false>(lanes, reference)?;
        Some(ShortSplice { splice: &self.splices[shape.index % SHAPES], shape })
    }

    /// The meaning of what one look finds.
    #[inline(always)]
    pub(super) fn short_meaning(&self, found: &ShortSplice<'_>, base: &[u8], reference: &[u8]) -> Meaning {
        let splice = found.splice;
        if splice.stop != 0 && found.shape.stops >> (splice.stop % 64) & 1 != 0 {
            return splice.compared(base, self.end, reference);
        }
        splice.meaning
    }

    /// The splice of a reference if it is common.
    #[inline(always)]
    pub(super) fn splice(&self, lanes: impl Lanes, base: &[u8], reference: &[u8]) -> Option<Splice> {
        let index = Shape::of_any(lanes, reference)?.index;
        let splice = self.splices[index % SHAPES];
        Some(if matches!(index, HTTP | SCHEME) && is_copied(&self.schemes, base, reference) {
            Splice { stop: splice.stop, ..Splice::WHOLE }
        } else {
            splice
        })
    }

    /// The meaning of a splice.
    #[inline(always)]
    pub(super) fn meaning(&self, splice: &Splice, base: &[u8], reference: &[u8]) -> Meaning {
        if splice.stop != 0 { splice.compared(base, self.end, reference) } else { splice.meaning }
    }
}

#[inline(never)]
fn of_any(rules: &Rules, base: &[u8]) -> ([Splice; SHAPES], usize) {
    let plan = Plan::of(rules, base, SearchIndex(base));
    (plan.splices(), plan.end)
}

/// The splice of a reference if it is common, and its meaning if that is `WITH_MEANING`, of a base that is not laid out.
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
    if copied && !is_copied(&SchemeHandling::of(rules, base), base, reference) {
        return None;
    }
    if copied && !compares {
        return Some((Splice::WHOLE, Meaning::Retrieval));
    }
    let (splice, end) = match ShortIndex::of(lanes, base) {
        Some(_) if copied => (Splice::WHOLE, base.len()),
        Some(plain) => (Plan::of(rules, base, plain).splice(index), base.len()),
        None => splice_of_any(rules, base, index, copied),
    };
    Some((splice, if compares { splice.compared(base, end, reference) } else { splice.meaning }))
}

#[inline(never)]
fn splice_of_any(rules: &Rules, base: &[u8], shape: usize, copied: bool) -> (Splice, usize) {
    let plan = Plan::of(rules, base, SearchIndex(base));
    (if copied { Splice::WHOLE } else { plan.splice(shape) }, plan.end)
}

impl Splice {
    /// Notes where a reference has to stop for its target to be the base, whose fragment begins at `whole`.
    fn lay_out_comparison(&mut self, whole: usize) {
        let stop = usize::from(self.from) + whole.wrapping_sub(self.keep as usize);
        // At its start it stops only in the shape that has its meaning already; far behind it is not compared at a look.
        self.stop = if stop == 0 { 0 } else { stop.min(BLOCK + usize::from(self.from)) as u8 };
    }

    /// The meaning of a target that may be the base but for fragments; that of the base begins at `whole`.
    #[inline(always)]
    fn compared(&self, base: &[u8], whole: usize, reference: &[u8]) -> Meaning {
        let (keep, from) = (self.keep as usize, usize::from(self.from));
        let end = from + whole.wrapping_sub(keep);
        let ends = keep <= whole && (end == reference.len() || reference.get(end) == Some(&b'#'));
        if ends && base[keep..whole] == reference[from..end] { Meaning::SameDocument } else { self.meaning }
    }
}

/// The shape of a reference.
struct Shape {
    index: usize,
    /// Where the reference has a `#`, or ends; everywhere, if that is not told.
    stops: u64,
}

impl Shape {
    /// `None` if the reference is not common, or empty.
    #[inline(always)]
    fn of<const ALL: bool>(lanes: impl Lanes, reference: &[u8]) -> Option<Self> {
        let length = reference.len();
        if length == 0 || length > TWO_BLOCKS && !ALL {
            return None;
        }
        let masks = lanes.scan(reference);
        let run = leading_run(&masks);
        // A second slash is odd as a dot segment is: behind another one.
        let dots = dots_after(&Masks { dot: masks.dot | masks.slash & SECOND, ..masks }, run);
        let ends_in_path_end = u64::from(BYTES[usize::from(reference[length - 1])] & PATH_END);
        let mut odd = dots | masks.path_end & masks.path_end >> 1 | ends_in_path_end;
        let mut tail_colon = 0;
        if length > BLOCK && !(ALL && odd & !SECOND != 0) {
            let tail = Tail::of::<ALL>(lanes, reference, &masks);
            odd |= u64::from(tail.odd != 0);
            tail_colon = tail.colon;
        }
        let stops = if length < BLOCK { masks.hash | 1 << length } else { u64::MAX };
        if odd != 0 {
            // Unless it is nothing but a host, or a `#`.
            let host = odd == SECOND && masks.slash & 7 == 3 && length > 2 && masks.path_end & 4 == 0;
            let index = if host { NETWORK } else { EMPTY_FRAGMENT };
            return (host || reference == b"#").then_some(Self { index, stops });
        }
        if tail_colon | masks.colon & masks.before_delimiters() != 0 {
            return Some(Self { index: if is_http(&masks, length) { HTTP } else { SCHEME }, stops });
        }
        Some(Self { index: run as usize / 3 + first_shape(reference[0]), stops })
    }

    /// The same of one that may be empty.
    #[inline(always)]
    fn of_any(lanes: impl Lanes, reference: &[u8]) -> Option<Self> {
        if reference.is_empty() { Some(Self { index: EMPTY, stops: 0 }) } else { Self::of::<true>(lanes, reference) }
    }
}

/// Whether a reference with a `:` before its first slash has a scheme, as every row reads it, and is copied for that.
#[inline(always)]
fn is_copied(schemes: &SchemeHandling, base: &[u8], reference: &[u8]) -> bool {
    let Some(length) = http_length(reference).or_else(|| scheme_length(SchemeName::LetterFirst, reference)) else {
        return false;
    };
    let after = &reference[length + 1..];
    if !schemes.eligible || schemes.dots && after.first() == Some(&b'.') {
        return false;
    }
    let dropped = schemes.dropped;
    if dropped == length && base[..dropped].eq_ignore_ascii_case(&reference[..length]) {
        let is_host = !matches!(after.get(2), None | Some(b'/' | b'#' | b'?' | b';'));
        let authority = after.starts_with(b"//") && is_host;
        return authority && schemes.restored && base[..dropped] == reference[..length];
    }
    true
}

/// Whether a reference begins with `http://` or `https://` and a host.
#[inline(always)]
fn is_http(masks: &Masks, length: usize) -> bool {
    const HTTP: u64 = u64::from_le_bytes(*b"http:\0\0\0");
    const HTTPS: u64 = u64::from_le_bytes(*b"https:\0\0");
    let secure = masks.head << 16 == HTTPS << 16;
    let host = 7 + usize::from(secure);
    let two_slashes = masks.slash >> (host - 2) & 7 == 0b011;
    (secure | (masks.head << 24 == HTTP << 24)) & two_slashes & (masks.path_end >> host & 1 == 0) & (length > host)
}

/// The length of the leading run of `../`, as far as a look goes: at most 63.
#[inline(always)]
fn leading_run(masks: &Masks) -> u32 {
    const EVERY_THIRD: u64 = 0x9249_2492_4924_9249;
    let climbs = masks.dot & masks.dot >> 1 & masks.slash >> 2;
    (EVERY_THIRD & !climbs).trailing_zeros()
}

/// The dots at the start of segments behind a leading run.
#[inline(always)]
fn dots_after(masks: &Masks, run: u32) -> u64 {
    (masks.dot & (masks.slash << 1 | 1)).wrapping_shr(run)
}

/// What is told by the bytes behind the first [`BLOCK`].
struct Tail {
    /// Dot segments and empty components.
    odd: u64,
    /// A `:` before the first slash and `#`.
    colon: u64,
}

impl Tail {
    /// That of a reference with such masks at its start, of which there is one look more if it is not `ALL`.
    #[inline(always)]
    fn of<const ALL: bool>(lanes: impl Lanes, reference: &[u8], first: &Masks) -> Self {
        let rest = &reference[BLOCK..];
        let mut tail = Self { odd: 0, colon: 0 };
        let next = lanes.scan(rest);
        tail.add(&next, first, first.slash | first.hash == 0);
        if ALL {
            let mut open = (first.slash | first.hash) | (next.slash | next.hash) == 0;
            let mut before = next;
            for chunk in rest.chunks(BLOCK).skip(1) {
                if tail.odd != 0 {
                    break;
                }
                let masks = lanes.scan(chunk);
                tail.add(&masks, &before, open);
                open &= masks.slash | masks.hash == 0;
                before = masks;
            }
        }
        tail
    }

    /// What one look more tells, behind such masks; no slash and no `#` was before it if it is `open`.
    #[inline(always)]
    fn add(&mut self, masks: &Masks, before: &Masks, open: bool) {
        let shifted = |now: u64, before: u64| now << 1 | before >> 63;
        self.odd |=
            masks.dot & shifted(masks.slash, before.slash) | masks.path_end & shifted(masks.path_end, before.path_end);
        self.colon |= if open { masks.colon & masks.before_delimiters() } else { 0 };
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use crate::fast::{Base, InstructionSet, general, machine};
    use crate::revision;
    use crate::rules::{self, Rules};

    fn any_row() -> impl Strategy<Value = Rules> {
        let rows: Vec<Rules> = revision::resolving().map(|(_, rules)| *rules).collect();
        let change = (0..rules::ALL.len(), any::<prop::sample::Index>());
        (prop::sample::select(rows), prop::collection::vec(change, 0..40)).prop_map(|(row, changes)| {
            changes.into_iter().fold(row, |row, (rule, setting)| {
                rules::ALL[rule].with(&row, setting.index(rules::ALL[rule].settings.len()))
            })
        })
    }

    /// A base or reference of the common shapes and of near ones.
    fn text() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(alloc::vec![
            "a", "b", "/", "//", "../", "./", "..", ".", ";", "?", "#", ":", "a/", "http:", "HTTP:", "http://h",
            "news:",
        ]);
        prop::collection::vec(piece, 0..7).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 100_000, failure_persistence: None, ..ProptestConfig::default() })]

        /// A common reference is common under every row, also under those that no document has.
        #[test]
        fn the_general_path_says_the_same_under_any_row(
            rules in any_row(),
            base in text(),
            start in prop::sample::select(alloc::vec!["http://h/", "http:", "a:/b/", ""]),
            reference in text(),
        ) {
            let base = String::from(start) + &base;
            let mut expected = String::new();
            let meaning = general::resolve(&rules, base.as_str(), &reference, &mut expected);
            let mut out = String::new();
            prop_assert_eq!(crate::fast::resolve(&rules, base.as_str(), &reference, &mut out), meaning);
            prop_assert_eq!(&out, &expected);
            for instructions in InstructionSet::available() {
                out.clear();
                let once = machine::once::<true, str>(instructions.0, &rules, base.as_str(), &reference, &mut out);
                prop_assert!(once.is_none() || once == meaning.ok() && out == expected, "{} {:?}", out, once);
                out.clear();
                let base = Base::with_instructions(&rules, base.as_str(), instructions);
                prop_assert_eq!(base.resolve_with_meaning_into(&reference, &mut out), meaning);
                prop_assert_eq!(&out, &expected);
            }
        }
    }
}
