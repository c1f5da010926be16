//! What one look at a reference decides.

use super::layout::{Joint, Plan, Schemes};
use super::map::{Any, Plain};
use super::marks::{Lanes, Marks, WIDTH};
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
pub(super) const VOID: usize = 6;

/// The shape of nothing.
pub(super) const EMPTY: usize = 7;

/// The shape of a path; behind so many `../` it is so many more.
pub(super) const PATH: usize = 8;

/// How many shapes there are at most, so that a few bits cannot exceed it.
pub(super) const SHAPES: usize = 32;

/// The shape of a reference which may have another scheme: the last, whose joint is none.
const SCHEME: usize = SHAPES - 1;

/// How long a reference may be that is decided in two looks, of which the second is only taken where it is needed.
const TWO_LOOKS: usize = 2 * WIDTH;

/// The mark of the second byte.
const SECOND: u64 = 2;

/// The shape of a reference by its first byte, but for what follows that; and whether a byte is a mark.
static BYTES: [u8; 256] = {
    let mut first = [PATH as u8; 256];
    first[b'#' as usize] = FRAGMENT as u8 | MARK;
    first[b'?' as usize] = QUERY as u8 | MARK;
    first[b';' as usize] = PARAMS as u8 | MARK;
    first[b'/' as usize] = ROOT as u8;
    first
};

/// That a byte is a `#`, `?` or `;`.
const MARK: u8 = 0x80;

/// The shape of a reference by its first byte.
#[inline(always)]
fn first_shape(byte: u8) -> usize {
    usize::from(BYTES[usize::from(byte)] & !MARK)
}

/// A base laid out: the joint of each shape.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(align(64))]
pub(super) struct Layout {
    joints: [Joint; SHAPES],
    schemes: Schemes,
    /// Where the base's fragment begins.
    end: usize,
}

/// A shape and its joint.
pub(super) struct Found<'a> {
    pub(super) joint: &'a Joint,
    shape: Shape,
}

impl Layout {
    #[inline(always)]
    pub(super) fn of(lanes: impl Lanes, rules: &Rules, base: &[u8]) -> Self {
        let (mut joints, end) = match Plain::of(lanes, base) {
            Some(plain) => (Plan::of(rules, base, plain).joints(), base.len()),
            None => of_any(rules, base),
        };
        let schemes = Schemes::of(rules, base);
        let spelt_so = !base[..schemes.dropped].iter().any(u8::is_ascii_uppercase);
        if schemes.common && (schemes.dropped == 0 || schemes.comes_back && spelt_so) {
            joints[HTTP] = Joint::WHOLE;
        }
        if rules.same_document == SameDocument::ByComparison {
            joints.iter_mut().for_each(|joint| joint.lay_out_comparison(end));
        }
        Self { joints, schemes, end }
    }

    /// The joint of a reference that has no scheme or the most common one; it is none where that has to be looked into.
    #[inline(always)]
    pub(super) fn at_a_look(&self, lanes: impl Lanes, reference: &[u8]) -> Option<Found<'_>> {
        let shape = Shape::of::<false>(lanes, reference)?;
        Some(Found { joint: &self.joints[shape.index % SHAPES], shape })
    }

    /// The meaning of what one look finds.
    #[inline(always)]
    pub(super) fn meaning_at_a_look(&self, found: &Found<'_>, base: &[u8], reference: &[u8]) -> Meaning {
        let joint = found.joint;
        if joint.stop != 0 && found.shape.stops >> (joint.stop % 64) & 1 != 0 {
            return joint.compared(base, self.end, reference);
        }
        joint.meaning
    }

    /// The joint of a reference if it is common.
    #[inline(always)]
    pub(super) fn joint(&self, lanes: impl Lanes, base: &[u8], reference: &[u8]) -> Option<Joint> {
        let index = Shape::of_any(lanes, reference)?.index;
        let joint = self.joints[index % SHAPES];
        Some(if matches!(index, HTTP | SCHEME) && is_copied(&self.schemes, base, reference) {
            Joint { stop: joint.stop, ..Joint::WHOLE }
        } else {
            joint
        })
    }

    /// The meaning of a joint.
    #[inline(always)]
    pub(super) fn meaning(&self, joint: &Joint, base: &[u8], reference: &[u8]) -> Meaning {
        if joint.stop != 0 { joint.compared(base, self.end, reference) } else { joint.meaning }
    }
}

#[inline(never)]
fn of_any(rules: &Rules, base: &[u8]) -> ([Joint; SHAPES], usize) {
    let plan = Plan::of(rules, base, Any(base));
    (plan.joints(), plan.end)
}

/// The joint of a reference if it is common, and its meaning if that is `ASKED`, of a base that is not laid out.
#[inline(always)]
pub(super) fn joint<const ASKED: bool>(
    lanes: impl Lanes,
    rules: &Rules,
    base: &[u8],
    reference: &[u8],
) -> Option<(Joint, Meaning)> {
    let index = Shape::of_any(lanes, reference)?.index;
    let compares = ASKED && rules.same_document == SameDocument::ByComparison;
    let copied = matches!(index, HTTP | SCHEME);
    if copied && !is_copied(&Schemes::of(rules, base), base, reference) {
        return None;
    }
    if copied && !compares {
        return Some((Joint::WHOLE, Meaning::Retrieval));
    }
    let (joint, end) = match Plain::of(lanes, base) {
        Some(_) if copied => (Joint::WHOLE, base.len()),
        Some(plain) => (Plan::of(rules, base, plain).joint(index), base.len()),
        None => joint_of_any(rules, base, index, copied),
    };
    Some((joint, if compares { joint.compared(base, end, reference) } else { joint.meaning }))
}

#[inline(never)]
fn joint_of_any(rules: &Rules, base: &[u8], shape: usize, copied: bool) -> (Joint, usize) {
    let plan = Plan::of(rules, base, Any(base));
    (if copied { Joint::WHOLE } else { plan.joint(shape) }, plan.end)
}

impl Joint {
    /// Notes where a reference has to stop for its target to be the base, whose fragment begins at `whole`.
    fn lay_out_comparison(&mut self, whole: usize) {
        let stop = usize::from(self.from) + whole.wrapping_sub(self.keep as usize);
        // At its start it stops only in the shape that has its meaning already; far behind it is not compared at a look.
        self.stop = if stop == 0 { 0 } else { stop.min(WIDTH + usize::from(self.from)) as u8 };
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
        if length == 0 || length > TWO_LOOKS && !ALL {
            return None;
        }
        let marks = lanes.look(reference);
        let run = leading_run(&marks);
        // A second slash is odd as a dot segment is: behind another one.
        let dots = dots_behind(&Marks { dot: marks.dot | marks.slash & SECOND, ..marks }, run);
        let void_last = u64::from(BYTES[usize::from(reference[length - 1])] & MARK);
        let mut odd = dots | marks.mark & marks.mark >> 1 | void_last;
        let mut colon_behind = 0;
        if length > WIDTH && !(ALL && odd & !SECOND != 0) {
            let behind = Behind::of::<ALL>(lanes, reference, &marks);
            odd |= u64::from(behind.odd != 0);
            colon_behind = behind.colon;
        }
        let stops = if length < WIDTH { marks.hash | 1 << length } else { u64::MAX };
        if odd != 0 {
            // Unless it is nothing but a host, or a `#`.
            let host = odd == SECOND && marks.slash & 7 == 3 && length > 2 && marks.mark & 4 == 0;
            let index = if host { NETWORK } else { VOID };
            return (host || reference == b"#").then_some(Self { index, stops });
        }
        if colon_behind | marks.colon & marks.before_delimiters() != 0 {
            return Some(Self { index: if is_http(&marks, length) { HTTP } else { SCHEME }, stops });
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
fn is_copied(schemes: &Schemes, base: &[u8], reference: &[u8]) -> bool {
    let Some(length) = http_length(reference).or_else(|| scheme_length(SchemeName::LetterFirst, reference)) else {
        return false;
    };
    let after = &reference[length + 1..];
    if !schemes.common || schemes.dots && after.first() == Some(&b'.') {
        return false;
    }
    let dropped = schemes.dropped;
    if dropped == length && base[..dropped].eq_ignore_ascii_case(&reference[..length]) {
        let is_host = !matches!(after.get(2), None | Some(b'/' | b'#' | b'?' | b';'));
        let authority = after.starts_with(b"//") && is_host;
        return authority && schemes.comes_back && base[..dropped] == reference[..length];
    }
    true
}

/// Whether a reference begins with `http://` or `https://` and a host.
#[inline(always)]
fn is_http(marks: &Marks, length: usize) -> bool {
    const HTTP: u64 = u64::from_le_bytes(*b"http:\0\0\0");
    const HTTPS: u64 = u64::from_le_bytes(*b"https:\0\0");
    let secure = marks.head << 16 == HTTPS << 16;
    let host = 7 + usize::from(secure);
    let two_slashes = marks.slash >> (host - 2) & 7 == 0b011;
    (secure | (marks.head << 24 == HTTP << 24)) & two_slashes & (marks.mark >> host & 1 == 0) & (length > host)
}

/// The length of the leading run of `../`, as far as a look goes: at most 63.
#[inline(always)]
fn leading_run(marks: &Marks) -> u32 {
    const EVERY_THIRD: u64 = 0x9249_2492_4924_9249;
    let climbs = marks.dot & marks.dot >> 1 & marks.slash >> 2;
    (EVERY_THIRD & !climbs).trailing_zeros()
}

/// The dots at the start of segments behind a leading run.
#[inline(always)]
fn dots_behind(marks: &Marks, run: u32) -> u64 {
    (marks.dot & (marks.slash << 1 | 1)).wrapping_shr(run)
}

/// What is told by the bytes behind the first [`WIDTH`].
struct Behind {
    /// Dot segments and empty components.
    odd: u64,
    /// A `:` before the first slash and `#`.
    colon: u64,
}

impl Behind {
    /// That of a reference with such marks at its start, of which there is one look more if it is not `ALL`.
    #[inline(always)]
    fn of<const ALL: bool>(lanes: impl Lanes, reference: &[u8], first: &Marks) -> Self {
        let rest = &reference[WIDTH..];
        let mut behind = Self { odd: 0, colon: 0 };
        let next = lanes.look(rest);
        behind.add(&next, first, first.slash | first.hash == 0);
        if ALL {
            let mut open = (first.slash | first.hash) | (next.slash | next.hash) == 0;
            let mut before = next;
            for chunk in rest.chunks(WIDTH).skip(1) {
                if behind.odd != 0 {
                    break;
                }
                let marks = lanes.look(chunk);
                behind.add(&marks, &before, open);
                open &= marks.slash | marks.hash == 0;
                before = marks;
            }
        }
        behind
    }

    /// What one look more tells, behind such marks; no slash and no `#` was before it if it is `open`.
    #[inline(always)]
    fn add(&mut self, marks: &Marks, before: &Marks, open: bool) {
        let behind = |now: u64, before: u64| now << 1 | before >> 63;
        self.odd |= marks.dot & behind(marks.slash, before.slash) | marks.mark & behind(marks.mark, before.mark);
        self.colon |= if open { marks.colon & marks.before_delimiters() } else { 0 };
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
