//! AVX2 and AVX-512: the only `unsafe` there is.
//!
//! Two kinds of reasons are needed. *InstructionSet*: an [`Avx2`] or [`Avx512`] is made in this module only, in functions that
//! are compiled for those instructions; and they are called only for a [`Level`] that was found in the processor. *Memory*: a
//! load takes in bytes of a slice only, whole or by a mask, since reading behind it would be undefined even within a page; a
//! store goes into spare capacity only.

use alloc::string::String;
use alloc::vec::Vec;
use core::arch::x86_64::{
    __m128i, __m256i, _bzhi_u64, _mm_cvtsi128_si64, _mm_loadu_si128, _mm_storeu_si128, _mm256_castsi256_si128,
    _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8,
    _mm256_storeu_si256, _mm512_castsi512_si128, _mm512_cmpeq_epi8_mask, _mm512_maskz_loadu_epi8, _mm512_or_si512,
    _mm512_set1_epi8, _mm512_storeu_si512,
};

use super::layout::{self, Layout};
use super::masks::{BLOCK, Lanes, Masks, Portable};
use super::splice::Splice;
use super::text::Text;
use super::{Base, Batch, portable};
use crate::resolution::Meaning;
use crate::rules::Rules;

cpufeatures::new!(avx2, "avx2", "bmi1", "bmi2");
cpufeatures::new!(avx512, "avx2", "bmi1", "bmi2", "avx512f", "avx512bw");

/// Which instructions are used.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Level {
    Portable,
    Avx2,
    Avx512,
}

impl Level {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "AVX2",
            Self::Avx512 => "AVX-512",
        }
    }

    /// What this processor has, the best first.
    pub(super) fn available() -> impl Iterator<Item = Self> {
        let best = Self::best();
        [Self::Avx512, Self::Avx2, Self::Portable].into_iter().skip_while(move |&level| level != best)
    }

    #[inline(always)]
    pub(super) fn best() -> Self {
        if avx512::get() {
            Self::Avx512
        } else if avx2::get() {
            Self::Avx2
        } else {
            Self::Portable
        }
    }
}

/// A buffer whose bytes can be appended to.
pub trait GrowableBuffer {
    /// The bytes of `self`.
    ///
    /// # Safety
    ///
    /// What is appended to those of a [`String`] must be UTF-8.
    unsafe fn bytes(&mut self) -> &mut Vec<u8>;
}

impl GrowableBuffer for String {
    #[inline(always)]
    unsafe fn bytes(&mut self) -> &mut Vec<u8> {
        // SAFETY: the caller's.
        unsafe { self.as_mut_vec() }
    }
}

impl GrowableBuffer for Vec<u8> {
    #[inline(always)]
    unsafe fn bytes(&mut self) -> &mut Vec<u8> {
        self
    }
}

/// Lanes that copy as well.
trait Wide: Lanes {
    /// Appends a first part of `base` and `reference` from there on.
    ///
    /// # Safety
    ///
    /// `keep` must be at most the length of `base`, `from` at most that of `reference` and of `keep`; and there must be room at
    /// `to` for both parts and [`Wide::SLACK`] bytes, which are none of the texts.
    unsafe fn join(self, base: &[u8], keep: usize, reference: &[u8], from: usize, to: *mut u8);

    /// How many bytes behind the result may be written.
    const SLACK: usize;
}

/// Proof that AVX2, BMI1 and BMI2 are there.
#[derive(Clone, Copy)]
struct Avx2(());

impl Lanes for Avx2 {
    #[inline(always)]
    fn scan(self, bytes: &[u8]) -> Masks {
        let length = bytes.len().min(BLOCK);
        if length < 32 {
            return Portable.scan(bytes);
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
/// SSE2 must be there.
#[inline(always)]
unsafe fn head(bytes: __m128i) -> u64 {
    // SAFETY: the caller's.
    unsafe { _mm_cvtsi128_si64(bytes).cast_unsigned() }
}

/// # Safety
///
/// AVX2 must be there.
#[inline(always)]
unsafe fn thirty_two(bytes: __m256i) -> Masks {
    // SAFETY: the caller's.
    unsafe {
        let equal = |bytes, byte: u8| _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte.cast_signed()));
        let bits = |lanes| u64::from(_mm256_movemask_epi8(lanes).cast_unsigned());
        let query_or_params = equal(_mm256_or_si256(bytes, _mm256_set1_epi8(4)), b'?');
        Masks {
            slash: bits(equal(bytes, b'/')),
            dot: bits(equal(bytes, b'.')),
            hash: bits(equal(bytes, b'#')),
            path_end: bits(_mm256_or_si256(equal(bytes, b'#'), query_or_params)),
            colon: bits(equal(bytes, b':')),
            head: head(_mm256_castsi256_si128(bytes)),
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

impl Wide for Avx2 {
    const SLACK: usize = 0;

    #[inline(always)]
    unsafe fn join(self, base: &[u8], keep: usize, reference: &[u8], from: usize, to: *mut u8) {
        // SAFETY: all of the reference goes before the end of the room, from `keep - from` on, then the part of the base over
        // the part of it that is not wanted.
        unsafe {
            self.copy(reference, to.add(keep - from));
            self.copy(base.get_unchecked(..keep), to);
        }
    }
}

/// Proof that AVX-512F, AVX-512BW and what [`Avx2`] proves are there.
#[derive(Clone, Copy)]
struct Avx512(());

/// The lowest `count` bits, at most 64.
///
/// # Safety
///
/// BMI2 must be there.
#[inline(always)]
unsafe fn lowest(count: usize) -> u64 {
    // SAFETY: the caller's.
    unsafe { _bzhi_u64(u64::MAX, count.min(BLOCK) as u32) }
}

impl Lanes for Avx512 {
    #[inline(always)]
    fn scan(self, bytes: &[u8]) -> Masks {
        // SAFETY: AVX-512BW is there; the load takes in what the mask has of `bytes`.
        unsafe {
            let bytes = _mm512_maskz_loadu_epi8(lowest(bytes.len()), bytes.as_ptr().cast::<i8>());
            let equal = |bytes, byte: u8| _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(byte.cast_signed()));
            let query_or_params = equal(_mm512_or_si512(bytes, _mm512_set1_epi8(4)), b'?');
            Masks {
                slash: equal(bytes, b'/'),
                dot: equal(bytes, b'.'),
                hash: equal(bytes, b'#'),
                path_end: equal(bytes, b'#') | query_or_params,
                colon: equal(bytes, b':'),
                head: head(_mm512_castsi512_si128(bytes)),
            }
        }
    }
}

impl Avx512 {
    /// Copies `bytes` to `to`: as many widths as are said without asking whether there are so many bytes, then what is left.
    ///
    /// # Safety
    ///
    /// `bytes.len()` bytes and `WIDTHS` widths, at least one, from `to` on must be writable, and none of `bytes`.
    #[inline(always)]
    unsafe fn copy<const WIDTHS: usize>(self, bytes: &[u8], to: *mut u8) {
        // SAFETY: AVX-512BW is there. The load takes in what the mask has of `bytes`, if anything; the store begins before
        // their end, or is one of the first `WIDTHS`.
        let width = |at: usize| unsafe {
            let mask = lowest(bytes.len().saturating_sub(at));
            let some = _mm512_maskz_loadu_epi8(mask, bytes.as_ptr().wrapping_add(at).cast::<i8>());
            _mm512_storeu_si512(to.add(at).cast(), some);
        };
        (0..WIDTHS).for_each(|count| width(count * BLOCK));
        let mut at = WIDTHS * BLOCK;
        while at < bytes.len() {
            width(at);
            at += BLOCK;
        }
    }
}

impl Wide for Avx512 {
    const SLACK: usize = 2 * BLOCK;

    #[inline(always)]
    unsafe fn join(self, base: &[u8], keep: usize, reference: &[u8], from: usize, to: *mut u8) {
        // SAFETY: what the first copy writes behind its end, the second overwrites, or it lies in the slack.
        unsafe {
            self.copy::<2>(base.get_unchecked(..keep), to);
            self.copy::<1>(reference.get_unchecked(from..), to.add(keep));
        }
    }
}

/// Appends what a splice says; `false` if it is none of `base`.
#[inline(always)]
fn append<L: Wide>(lanes: L, splice: &Splice, base: &[u8], reference: &[u8], out: &mut Vec<u8>) -> bool {
    let (keep, from) = (splice.keep as usize, usize::from(splice.from));
    if keep > base.len() || from > reference.len() {
        return false;
    }
    let length = keep + reference.len() - from;
    if out.capacity() - out.len() < length + L::SLACK || keep < from {
        append_exactly(&base[..keep], &reference[from..], out);
        return true;
    }
    // SAFETY: there is room for `length` bytes and the slack, all of `length` is written, and the other conditions are checked
    // above. Both texts are borrowed, so `out` does not hold them.
    unsafe {
        lanes.join(base, keep, reference, from, out.as_mut_ptr().add(out.len()));
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

macro_rules! compiled_for {
    ($module:ident: $Lanes:ident, $features:literal) => {
        mod $module {
            use super::*;

            #[target_feature(enable = $features)]
            pub(super) fn layout(rules: &Rules, base: &[u8]) -> Layout {
                Layout::of($Lanes(()), rules, base)
            }

            #[target_feature(enable = $features)]
            pub(super) fn with_meaning(
                layout: &Layout,
                base: &[u8],
                reference: &[u8],
                out: &mut Vec<u8>,
            ) -> Option<Meaning> {
                if let Some(found) = layout.short_splice($Lanes(()), reference)
                    && append($Lanes(()), found.splice, base, reference, out)
                {
                    return Some(layout.short_meaning(&found, base, reference));
                }
                let splice = layout.splice($Lanes(()), base, reference)?;
                append($Lanes(()), &splice, base, reference, out).then(|| layout.meaning(&splice, base, reference))
            }

            #[target_feature(enable = $features)]
            pub(super) fn without_meaning(layout: &Layout, base: &[u8], reference: &[u8], out: &mut Vec<u8>) -> bool {
                match layout.short_splice($Lanes(()), reference) {
                    Some(found) if append($Lanes(()), found.splice, base, reference, out) => true,
                    _ => any(layout, base, reference, out),
                }
            }

            #[target_feature(enable = $features)]
            #[inline(never)]
            fn any(layout: &Layout, base: &[u8], reference: &[u8], out: &mut Vec<u8>) -> bool {
                let splice = layout.splice($Lanes(()), base, reference);
                splice.is_some_and(|splice| append($Lanes(()), &splice, base, reference, out))
            }

            #[target_feature(enable = $features)]
            pub(super) fn once<const WITH_MEANING: bool>(
                rules: &Rules,
                base: &[u8],
                reference: &[u8],
                out: &mut Vec<u8>,
            ) -> Option<Meaning> {
                let (splice, meaning) = layout::splice::<WITH_MEANING>($Lanes(()), rules, base, reference)?;
                append($Lanes(()), &splice, base, reference, out).then_some(meaning)
            }

            #[target_feature(enable = $features)]
            pub(super) fn resolve_all<'r, T: Text + ?Sized + 'r>(
                base: &Base<'_, T>,
                references: impl Iterator<Item = &'r T>,
                batch: &mut Batch<T>,
            ) {
                let text = base.text.bytes();
                for reference in references {
                    let bytes = reference.bytes();
                    // SAFETY: what is appended is text, as in `resolve` below.
                    let out = unsafe { batch.text.bytes() };
                    match base.layout.short_splice($Lanes(()), bytes) {
                        Some(found) if append($Lanes(()), found.splice, text, bytes, out) => batch.end(),
                        _ if any(&base.layout, text, bytes, out) => batch.end(),
                        _ => batch.push_general(base, reference),
                    }
                }
            }
        }
    };
}

compiled_for!(by_avx2: Avx2, "avx2,bmi1,bmi2");
compiled_for!(by_avx512: Avx512, "avx2,bmi1,bmi2,avx512f,avx512bw");

/// Lays out a base.
#[inline(always)]
pub(super) fn layout(level: Level, rules: &Rules, base: &[u8]) -> Layout {
    match level {
        // SAFETY: the processor has what the level names.
        Level::Avx512 => unsafe { by_avx512::layout(rules, base) },
        // SAFETY: the same.
        Level::Avx2 => unsafe { by_avx2::layout(rules, base) },
        Level::Portable => Layout::of(Portable, rules, base),
    }
}

/// Appends the target, if `reference` is common; its meaning is that only if it is `WITH_MEANING`.
#[inline(always)]
pub(super) fn resolve<const WITH_MEANING: bool, T: Text + ?Sized>(
    base: &Base<'_, T>,
    reference: &T,
    out: &mut T::Buffer,
) -> Option<Meaning> {
    let (text, bytes) = (base.text.bytes(), reference.bytes());
    // SAFETY: the processor has what the level names. What is appended is a first part of `base` that ends beside a
    // delimiter or at its end, and a last part of `reference` that begins so; delimiters are ASCII.
    unsafe {
        match base.level {
            Level::Avx512 if WITH_MEANING => by_avx512::with_meaning(&base.layout, text, bytes, out.bytes()),
            Level::Avx512 => {
                by_avx512::without_meaning(&base.layout, text, bytes, out.bytes()).then_some(Meaning::Retrieval)
            }
            Level::Avx2 if WITH_MEANING => by_avx2::with_meaning(&base.layout, text, bytes, out.bytes()),
            Level::Avx2 => {
                by_avx2::without_meaning(&base.layout, text, bytes, out.bytes()).then_some(Meaning::Retrieval)
            }
            Level::Portable => portable::resolve(base, reference, out),
        }
    }
}

/// The same of a base that is not laid out.
#[inline(always)]
pub(super) fn once<const WITH_MEANING: bool, T: Text + ?Sized>(
    level: Level,
    rules: &Rules,
    base: &T,
    reference: &T,
    out: &mut T::Buffer,
) -> Option<Meaning> {
    match level {
        // SAFETY: as above.
        Level::Avx512 => unsafe {
            by_avx512::once::<WITH_MEANING>(rules, base.bytes(), reference.bytes(), out.bytes())
        },
        // SAFETY: the same.
        Level::Avx2 => unsafe { by_avx2::once::<WITH_MEANING>(rules, base.bytes(), reference.bytes(), out.bytes()) },
        Level::Portable => portable::once::<WITH_MEANING, T>(rules, base, reference, out),
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
        Level::Avx512 => unsafe { by_avx512::resolve_all(base, references, batch) },
        // SAFETY: the same.
        Level::Avx2 => unsafe { by_avx2::resolve_all(base, references, batch) },
        Level::Portable => portable::resolve_all(base, references, batch),
    }
}
