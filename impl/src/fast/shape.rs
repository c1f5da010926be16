//! What one look at a reference decides.

use memchr::memchr3;

use super::layout::{Joint, Plan, Schemes};
use super::map::{Any, Plain};
use super::marks::{Lanes, Marks, WIDTH};
use super::split::{http_length, scheme_length};
use crate::answer::Meaning;
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

/// More than there are shapes at a look, so that a few bits cannot exceed it.
pub(super) const SHAPES: usize = 32;

/// How long a reference may be that is decided in two looks, of which the second is only taken where it is needed.
const TWO_LOOKS: usize = 2 * WIDTH;

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

/// What one look finds.
pub(super) struct Found<'a> {
    pub(super) joint: &'a Joint,
    /// Where the reference has a `#`, or ends; everywhere, if that is not told.
    stops: u64,
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

    /// The joint of a reference no longer than what is decided at a look, if that shows that it is common.
    #[inline(always)]
    pub(super) fn at_a_look(&self, lanes: impl Lanes, reference: &[u8]) -> Option<Found<'_>> {
        let length = reference.len();
        if length.wrapping_sub(1) >= TWO_LOOKS {
            return None;
        }
        let marks = lanes.look(reference);
        let run = leading_run(&marks);
        // A second slash is odd as a dot segment is: behind another one.
        let dots = dots_behind(&Marks { dot: marks.dot | marks.slash & 2, ..marks }, run);
        let void_last = u64::from(BYTES[usize::from(reference[length - 1])] & MARK);
        let mut odd = dots | marks.mark & marks.mark >> 1 | void_last;
        let mut colon = marks.colon;
        if length > WIDTH {
            let more = lanes.look(&reference[WIDTH..]);
            odd |= more.dot & (more.slash << 1 | marks.slash >> 63) | more.mark & (more.mark << 1 | marks.mark >> 63);
            colon |= more.colon;
        }
        if odd != 0 {
            let joint = &self.joints[VOID];
            return (reference == b"#").then_some(Found { joint, stops: 0 });
        }
        let mut index = run as usize / 3 + first_shape(reference[0]);
        if colon {
            if !is_http(&marks, reference) {
                return None;
            }
            index = HTTP;
        }
        let stops = if length < WIDTH { marks.hash | 1 << length } else { u64::MAX };
        Some(Found { joint: &self.joints[index % SHAPES], stops })
    }

    /// The meaning of what one look finds.
    #[inline(always)]
    pub(super) fn meaning_at_a_look(&self, found: &Found<'_>, base: &[u8], reference: &[u8]) -> Meaning {
        let joint = found.joint;
        if joint.stop != 0 && found.stops >> (joint.stop % 64) & 1 != 0 {
            return joint.compared(base, self.end, reference);
        }
        joint.meaning
    }

    /// The joint of a reference if it is common.
    #[inline(always)]
    pub(super) fn joint(&self, lanes: impl Lanes, base: &[u8], reference: &[u8]) -> Option<Joint> {
        let shape = Shape::of(lanes, reference)?;
        Some(match shape.scheme(&self.schemes, base, reference)? {
            true => Joint { stop: self.joints[HTTP].stop, ..Joint::WHOLE },
            false => self.joints[shape.index % SHAPES],
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
    let shape = Shape::of(lanes, reference)?;
    let compares = ASKED && rules.same_document == SameDocument::ByComparison;
    let copied = shape.may_have_scheme && shape.scheme(&Schemes::of(rules, base), base, reference)?;
    if copied && !compares {
        return Some((Joint::WHOLE, Meaning::Retrieval));
    }
    let (joint, end) = match Plain::of(lanes, base) {
        Some(_) if copied => (Joint::WHOLE, base.len()),
        Some(plain) => (Plan::of(rules, base, plain).joint(shape.index), base.len()),
        None => joint_of_any(rules, base, shape.index, copied),
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

/// The shape of a reference that may be common.
struct Shape {
    index: usize,
    may_have_scheme: bool,
}

impl Shape {
    /// `None` if the reference is not common.
    #[inline(always)]
    fn of(lanes: impl Lanes, reference: &[u8]) -> Option<Self> {
        let Some(&first) = reference.first() else { return Some(Self { index: EMPTY, may_have_scheme: false }) };
        if reference == b"#" {
            return Some(Self { index: VOID, may_have_scheme: false });
        }
        let length = reference.len();
        let marks = lanes.look(reference);
        let Marks { slash, mark, .. } = marks;
        let run = leading_run(&marks);
        let network = slash & slash >> 1 & 1;
        let void_host = network & ((slash | mark) >> 2 | u64::from(length < 3));
        let void_last = matches!(reference[length - 1], b'#' | b'?' | b';');
        if dots_behind(&marks, run) | mark & mark << 1 | void_host != 0 || void_last {
            return None;
        }
        if length > WIDTH && is_odd_behind(lanes, reference, &marks) {
            return None;
        }
        let index = run as usize / 3 + first_shape(first) + network as usize;
        let undecided = length > WIDTH && slash | marks.hash == 0;
        Some(Self { index, may_have_scheme: marks.colon || undecided })
    }

    /// Whether the reference has a scheme, as every row reads it, and is copied for that; `None` if it is not common.
    #[inline(always)]
    fn scheme(&self, schemes: &Schemes, base: &[u8], reference: &[u8]) -> Option<bool> {
        if !self.may_have_scheme {
            return Some(false);
        }
        let Some(length) = http_length(reference).or_else(|| scheme_length(SchemeName::LetterFirst, reference)) else {
            let unclear = memchr3(b':', b'/', b'#', reference).is_some_and(|at| reference[at] == b':');
            return (!unclear).then_some(false);
        };
        let after = &reference[length + 1..];
        if !schemes.common || schemes.dots && after.first() == Some(&b'.') {
            return None;
        }
        let dropped = schemes.dropped;
        if dropped == length && base[..dropped].eq_ignore_ascii_case(&reference[..length]) {
            let is_host = !matches!(after.get(2), None | Some(b'/' | b'#' | b'?' | b';'));
            let authority = after.starts_with(b"//") && is_host;
            let same = authority && schemes.comes_back && base[..dropped] == reference[..length];
            return same.then_some(true);
        }
        Some(true)
    }
}

/// Whether a reference that is all looked at begins with `http://` or `https://` and a host.
#[inline(always)]
fn is_http(marks: &Marks, reference: &[u8]) -> bool {
    let Some(scheme) = http_length(reference) else { return false };
    let two_slashes = marks.slash >> (scheme + 1) & 7 == 0b011;
    two_slashes & (marks.mark >> (scheme + 3) & 1 == 0) & (reference.len() > scheme + 3)
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

/// Whether there are dot segments or empty components behind the first [`WIDTH`] bytes, of which these are the marks.
#[inline(always)]
fn is_odd_behind(lanes: impl Lanes, reference: &[u8], first: &Marks) -> bool {
    let (mut slash, mut mark) = (first.slash, first.mark);
    let mut odd = 0;
    for chunk in reference[WIDTH..].chunks(WIDTH) {
        let marks = lanes.look(chunk);
        odd |= marks.dot & (marks.slash << 1 | slash >> 63) | marks.mark & (marks.mark << 1 | mark >> 63);
        (slash, mark) = (marks.slash, marks.mark);
    }
    odd != 0
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use crate::fast::{Base, Instructions, general};
    use crate::revision;
    use crate::rules::{COLUMNS, Rules};

    fn any_row() -> impl Strategy<Value = Rules> {
        let rows: Vec<Rules> = revision::resolving().map(|(_, rules)| *rules).collect();
        let change = (0..COLUMNS.len(), any::<prop::sample::Index>());
        (prop::sample::select(rows), prop::collection::vec(change, 0..40)).prop_map(|(row, changes)| {
            changes.into_iter().fold(row, |row, (column, answer)| {
                COLUMNS[column].with(&row, answer.index(COLUMNS[column].answers.len()))
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
            for instructions in Instructions::available() {
                out.clear();
                let base = Base::with_instructions(&rules, base.as_str(), instructions);
                prop_assert_eq!(base.resolve_with_meaning_into(&reference, &mut out), meaning);
                prop_assert_eq!(&out, &expected);
            }
        }
    }
}
