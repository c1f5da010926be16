//! AVX2: the only `unsafe` there is.
//!
//! Two kinds of reasons are needed. *Instructions*: an [`Avx2`] is made in this module only, in functions that are compiled for
//! AVX2; and they are called only for a [`Level`] that was found in the processor. *Memory*: a load takes in bytes of a slice
//! only, since reading behind it would be undefined even within a page; a store goes into spare capacity only.

use alloc::string::String;
use alloc::vec::Vec;
use core::arch::x86_64::{
    __m128i, __m256i, _mm_loadu_si128, _mm_storeu_si128, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8,
    _mm256_or_si256, _mm256_set1_epi8, _mm256_storeu_si256,
};

use super::layout::Joint;
use super::marks::{Lanes, Marks, Portable, WIDTH};
use super::shape::{self, Layout};
use super::text::Text;
use super::{Base, Batch, portable};
use crate::answer::Meaning;
use crate::rules::Rules;

cpufeatures::new!(avx2, "avx2", "bmi1", "bmi2");

/// Which instructions are used.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Level {
    Portable,
    Avx2,
}

impl Level {
    /// What this processor has, the best first.
    pub(super) fn available() -> impl Iterator<Item = Self> {
        let best = Self::best();
        [Self::Avx2, Self::Portable].into_iter().skip_while(move |&level| level != best)
    }

    #[inline(always)]
    pub(super) fn best() -> Self {
        if avx2::get() { Self::Avx2 } else { Self::Portable }
    }
}

/// A buffer whose bytes can be appended to.
pub trait Grow {
    /// The bytes of `self`.
    ///
    /// # Safety
    ///
    /// What is appended to those of a [`String`] must be UTF-8.
    unsafe fn bytes(&mut self) -> &mut Vec<u8>;
}

impl Grow for String {
    #[inline(always)]
    unsafe fn bytes(&mut self) -> &mut Vec<u8> {
        // SAFETY: the caller's.
        unsafe { self.as_mut_vec() }
    }
}

impl Grow for Vec<u8> {
    #[inline(always)]
    unsafe fn bytes(&mut self) -> &mut Vec<u8> {
        self
    }
}

/// Proof that AVX2, BMI1 and BMI2 are there.
#[derive(Clone, Copy)]
struct Avx2(());

impl Lanes for Avx2 {
    #[inline(always)]
    fn look(self, bytes: &[u8]) -> Marks {
        let length = bytes.len().min(WIDTH);
        if length < 32 {
            return Portable.look(bytes);
        }
        // SAFETY: AVX2 is there; each load takes in 32 of the `length` bytes.
        unsafe {
            let from = bytes.as_ptr();
            let first = thirty_two(_mm256_loadu_si256(from.cast::<__m256i>()));
            let last = thirty_two(_mm256_loadu_si256(from.add(length - 32).cast::<__m256i>()));
            first.with(last, length - 32)
        }
    }
}

/// # Safety
///
/// AVX2 must be there.
#[inline(always)]
unsafe fn thirty_two(bytes: __m256i) -> Marks {
    // SAFETY: the caller's.
    unsafe {
        let equal = |bytes, byte: u8| _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte.cast_signed()));
        let bits = |lanes| u64::from(_mm256_movemask_epi8(lanes).cast_unsigned());
        let query_or_params = equal(_mm256_or_si256(bytes, _mm256_set1_epi8(4)), b'?');
        Marks {
            slash: bits(equal(bytes, b'/')),
            dot: bits(equal(bytes, b'.')),
            hash: bits(equal(bytes, b'#')),
            query: bits(equal(bytes, b'?')),
            params: bits(equal(bytes, b';')),
            mark: bits(_mm256_or_si256(equal(bytes, b'#'), query_or_params)),
            colon: bits(equal(bytes, b':')) != 0,
        }
    }
}

impl Avx2 {
    /// Copies `bytes` to `to`.
    ///
    /// # Safety
    ///
    /// `bytes.len()` bytes from `to` on must be writable, and none of `bytes`.
    #[inline(always)]
    unsafe fn copy(self, bytes: &[u8], to: *mut u8) {
        let (from, length) = (bytes.as_ptr(), bytes.len());
        // SAFETY: AVX2 is there. The length is at least the size of the pieces, and each begins at most that size before
        // its end: so every load takes in bytes of the slice, and the store those of the room.
        unsafe {
            let piece = |at: usize| {
                let bytes = _mm256_loadu_si256(from.add(at).cast::<__m256i>());
                _mm256_storeu_si256(to.add(at).cast::<__m256i>(), bytes);
            };
            if length >= 32 {
                let second = (length - 32).min(32);
                if length > 128 {
                    (64..length - 64).step_by(32).for_each(piece);
                }
                piece(0);
                piece(second);
                piece(length - 32 - second);
                piece(length - 32);
            } else if length >= 16 {
                let first = _mm_loadu_si128(from.cast::<__m128i>());
                let last = _mm_loadu_si128(from.add(length - 16).cast::<__m128i>());
                _mm_storeu_si128(to.cast::<__m128i>(), first);
                _mm_storeu_si128(to.add(length - 16).cast::<__m128i>(), last);
            } else if length >= 8 {
                let first = from.cast::<u64>().read_unaligned();
                let last = from.add(length - 8).cast::<u64>().read_unaligned();
                to.cast::<u64>().write_unaligned(first);
                to.add(length - 8).cast::<u64>().write_unaligned(last);
            } else if length >= 4 {
                let first = from.cast::<u32>().read_unaligned();
                let last = from.add(length - 4).cast::<u32>().read_unaligned();
                to.cast::<u32>().write_unaligned(first);
                to.add(length - 4).cast::<u32>().write_unaligned(last);
            } else if length > 0 {
                to.write(from.read());
                to.add(length / 2).write(from.add(length / 2).read());
                to.add(length - 1).write(from.add(length - 1).read());
            }
        }
    }
}

/// Appends what a joint says; `false` if it is none of `base`.
#[inline(always)]
fn append(lanes: Avx2, joint: &Joint, base: &[u8], reference: &[u8], out: &mut Vec<u8>) -> bool {
    let (keep, from) = (joint.keep as usize, usize::from(joint.from));
    let Some(first) = base.get(..keep) else { return false };
    if from > reference.len() {
        return false;
    }
    let length = keep + reference.len() - from;
    if out.capacity() - out.len() < length || keep < from {
        append_exactly(first, &reference[from..], out);
        return true;
    }
    // SAFETY: there is room for `length` bytes. All of the reference goes before the end of it, from `keep - from` on, then
    // the part of the base over the part of it that is not wanted. Both slices are borrowed, so `out` does not hold them.
    unsafe {
        let to = out.as_mut_ptr().add(out.len());
        lanes.copy(reference, to.add(keep - from));
        lanes.copy(first, to);
        out.set_len(out.len() + length);
    }
    true
}

/// Where there is no room yet.
#[cold]
#[inline(never)]
fn append_exactly(first: &[u8], second: &[u8], out: &mut Vec<u8>) {
    out.reserve(first.len() + second.len());
    out.extend_from_slice(first);
    out.extend_from_slice(second);
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn with_meaning(layout: &Layout, base: &[u8], reference: &[u8], out: &mut Vec<u8>) -> Option<Meaning> {
    if let Some(found) = layout.at_a_look(Avx2(()), reference)
        && append(Avx2(()), found.joint, base, reference, out)
    {
        return Some(layout.meaning_at_a_look(&found, base, reference));
    }
    let joint = layout.joint(Avx2(()), base, reference)?;
    append(Avx2(()), &joint, base, reference, out).then(|| layout.meaning(&joint, base, reference))
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn without_meaning(layout: &Layout, base: &[u8], reference: &[u8], out: &mut Vec<u8>) -> bool {
    match layout.at_a_look(Avx2(()), reference) {
        Some(found) if append(Avx2(()), found.joint, base, reference, out) => true,
        _ => any(layout, base, reference, out),
    }
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn any(layout: &Layout, base: &[u8], reference: &[u8], out: &mut Vec<u8>) -> bool {
    let joint = layout.joint(Avx2(()), base, reference);
    joint.is_some_and(|joint| append(Avx2(()), &joint, base, reference, out))
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn once_by_avx2<const ASKED: bool>(rules: &Rules, base: &[u8], reference: &[u8], out: &mut Vec<u8>) -> Option<Meaning> {
    let (joint, meaning) = shape::joint::<ASKED>(Avx2(()), rules, base, reference)?;
    append(Avx2(()), &joint, base, reference, out).then_some(meaning)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn layout_by_avx2(rules: &Rules, base: &[u8]) -> Layout {
    Layout::of(Avx2(()), rules, base)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn all_by_avx2<'r, T: Text + ?Sized + 'r>(
    base: &Base<'_, T>,
    references: impl Iterator<Item = &'r T>,
    batch: &mut Batch<T>,
) {
    let text = base.text.bytes();
    for reference in references {
        let bytes = reference.bytes();
        // SAFETY: what is appended is text, as below.
        let out = unsafe { batch.text.bytes() };
        match base.layout.at_a_look(Avx2(()), bytes) {
            Some(found) if append(Avx2(()), found.joint, text, bytes, out) => batch.end(),
            _ if any(&base.layout, text, bytes, out) => batch.end(),
            _ => batch.push_general(base, reference),
        }
    }
}

/// Lays out a base.
#[inline(always)]
pub(super) fn layout(level: Level, rules: &Rules, base: &[u8]) -> Layout {
    match level {
        // SAFETY: the processor has what the level names.
        Level::Avx2 => unsafe { layout_by_avx2(rules, base) },
        Level::Portable => Layout::of(Portable, rules, base),
    }
}

/// Appends the target, if `reference` is common; its meaning is that only if it is `ASKED`.
#[inline(always)]
pub(super) fn resolve<const ASKED: bool, T: Text + ?Sized>(
    base: &Base<'_, T>,
    reference: &T,
    out: &mut T::Buffer,
) -> Option<Meaning> {
    let (text, bytes) = (base.text.bytes(), reference.bytes());
    // SAFETY: the processor has what the level names. What is appended is a first part of `base` that ends beside a
    // delimiter or at its end, and a last part of `reference` that begins so; delimiters are ASCII.
    unsafe {
        match base.level {
            Level::Avx2 if ASKED => with_meaning(&base.layout, text, bytes, out.bytes()),
            Level::Avx2 => without_meaning(&base.layout, text, bytes, out.bytes()).then_some(Meaning::Retrieval),
            Level::Portable => portable::resolve(base, reference, out),
        }
    }
}

/// The same of a base that is not laid out.
#[inline(always)]
pub(super) fn once<const ASKED: bool, T: Text + ?Sized>(
    level: Level,
    rules: &Rules,
    base: &T,
    reference: &T,
    out: &mut T::Buffer,
) -> Option<Meaning> {
    match level {
        // SAFETY: as above.
        Level::Avx2 => unsafe { once_by_avx2::<ASKED>(rules, base.bytes(), reference.bytes(), out.bytes()) },
        Level::Portable => portable::once::<ASKED, T>(rules, base, reference, out),
    }
}

/// Appends all targets to a batch.
#[inline(always)]
pub(super) fn resolve_all<'r, T: Text + ?Sized + 'r>(
    base: &Base<'_, T>,
    references: impl Iterator<Item = &'r T>,
    batch: &mut Batch<T>,
) {
    match base.level {
        // SAFETY: as above.
        Level::Avx2 => unsafe { all_by_avx2(base, references, batch) },
        Level::Portable => portable::resolve_all(base, references, batch),
    }
}
