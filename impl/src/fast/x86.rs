//! The fast path with AVX2 and AVX-512. This is the only module with `unsafe`.
//!
//! Two properties make it sound:
//!
//! - *Instructions.* [`Avx2`] and [`Avx512`] are created only in this module, in functions that are compiled for these
//!   instructions. Those functions are called only for a [`Level`] that the processor supports.
//! - *Memory.* A load reads only bytes of a slice, as a whole or by a mask: reading after its end would be undefined
//!   behavior even within a page. A store writes only to spare capacity.

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

/// The instruction set.
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

    /// Returns the instruction sets of this processor, the best one first.
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

/// A buffer to which bytes can be appended.
pub trait GrowableBuffer {
    /// Returns the bytes of the buffer.
    ///
    /// # Safety
    ///
    /// Bytes that are appended to those of a [`String`] must be UTF-8.
    unsafe fn bytes(&mut self) -> &mut Vec<u8>;
}

impl GrowableBuffer for String {
    #[inline(always)]
    unsafe fn bytes(&mut self) -> &mut Vec<u8> {
        // SAFETY: guaranteed by the caller.
        unsafe { self.as_mut_vec() }
    }
}

impl GrowableBuffer for Vec<u8> {
    #[inline(always)]
    unsafe fn bytes(&mut self) -> &mut Vec<u8> {
        self
    }
}

/// A set of instructions that also copies bytes.
trait Wide: Lanes {
    /// Writes the first `keep` bytes of `base` and the bytes of `reference` from `from` on to `to`.
    ///
    /// # Safety
    ///
    /// `keep` must be at most the length of `base`, and `from` at most `keep` and the length of `reference`. The memory
    /// from `to` on must have room for both parts and [`Wide::SLACK`] bytes, and must not overlap `base` or
    /// `reference`.
    unsafe fn join(self, base: &[u8], keep: usize, reference: &[u8], from: usize, to: *mut u8);

    /// The number of bytes after the result that may be written.
    const SLACK: usize;
}

/// Proof that the processor supports AVX2, BMI1 and BMI2.
#[derive(Clone, Copy)]
struct Avx2(());

impl Lanes for Avx2 {
    #[inline(always)]
    fn scan(self, bytes: &[u8]) -> Masks {
        let length = bytes.len().min(BLOCK);
        if length < 32 {
            return Portable.scan(bytes);
        }
        // SAFETY: the processor supports AVX2. Each load reads 32 of the `length` bytes.
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
/// The processor must support SSE2.
#[inline(always)]
unsafe fn head(bytes: __m128i) -> u64 {
    // SAFETY: guaranteed by the caller.
    unsafe { _mm_cvtsi128_si64(bytes).cast_unsigned() }
}

/// # Safety
///
/// The processor must support AVX2.
#[inline(always)]
unsafe fn thirty_two(bytes: __m256i) -> Masks {
    // SAFETY: guaranteed by the caller.
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
    /// `bytes.len()` bytes from `to` on must be writable, and must not overlap `bytes`.
    #[inline(always)]
    unsafe fn copy(self, bytes: &[u8], to: *mut u8) {
        let (from, length) = (bytes.as_ptr(), bytes.len());
        // SAFETY: the processor supports AVX2. In each branch, the length is at least the size of a piece, and each
        // piece begins at least that size before the end. So every load reads bytes of the slice, and every store
        // writes bytes of the room.
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
        // SAFETY: the whole reference ends at the end of the room. The part of the base then overwrites the first
        // `from` bytes of the reference.
        unsafe {
            self.copy(reference, to.add(keep - from));
            self.copy(base.get_unchecked(..keep), to);
        }
    }
}

/// Proof that the processor supports AVX-512F, AVX-512BW, AVX2, BMI1 and BMI2.
#[derive(Clone, Copy)]
struct Avx512(());

/// Returns a mask of the lowest `count` bits, at most 64.
///
/// # Safety
///
/// The processor must support BMI2.
#[inline(always)]
unsafe fn lowest(count: usize) -> u64 {
    // SAFETY: guaranteed by the caller.
    unsafe { _bzhi_u64(u64::MAX, count.min(BLOCK) as u32) }
}

impl Lanes for Avx512 {
    #[inline(always)]
    fn scan(self, bytes: &[u8]) -> Masks {
        // SAFETY: the processor supports AVX-512BW. The mask limits the load to `bytes`.
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
    /// Copies `bytes` to `to`: first `WIDTHS` blocks, even if there are fewer bytes, then the rest.
    ///
    /// # Safety
    ///
    /// `bytes.len() + WIDTHS * BLOCK` bytes from `to` on must be writable, and must not overlap `bytes`. `WIDTHS` must
    /// not be 0.
    #[inline(always)]
    unsafe fn copy<const WIDTHS: usize>(self, bytes: &[u8], to: *mut u8) {
        // SAFETY: the processor supports AVX-512BW. The mask limits the load to `bytes`. The store begins before their
        // end, or is one of the first `WIDTHS`.
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
        // SAFETY: the bytes that the first copy writes after its end are overwritten by the second copy, or are in the
        // slack.
        unsafe {
            self.copy::<2>(base.get_unchecked(..keep), to);
            self.copy::<1>(reference.get_unchecked(from..), to.add(keep));
        }
    }
}

/// Appends the target that `splice` describes. Returns `false` if it is [`Splice::NONE`].
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
    // SAFETY: there is room for `length` bytes and the slack, and all `length` bytes are written. The other conditions
    // are checked above. Both texts are borrowed, so that `out` does not contain them.
    unsafe {
        lanes.join(base, keep, reference, from, out.as_mut_ptr().add(out.len()));
        out.set_len(out.len() + length);
    }
    true
}

/// Appends both parts to a buffer that has too little room.
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
                    // SAFETY: the appended bytes are UTF-8, as in `resolve` below.
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

/// Prepares a base.
#[inline(always)]
pub(super) fn layout(level: Level, rules: &Rules, base: &[u8]) -> Layout {
    match level {
        // SAFETY: the processor supports the level.
        Level::Avx512 => unsafe { by_avx512::layout(rules, base) },
        // SAFETY: the same.
        Level::Avx2 => unsafe { by_avx2::layout(rules, base) },
        Level::Portable => Layout::of(Portable, rules, base),
    }
}

/// Appends the target and returns its meaning, or returns `None` if `reference` needs the general path.
///
/// Without `WITH_MEANING`, the meaning is not computed.
#[inline(always)]
pub(super) fn resolve<const WITH_MEANING: bool, T: Text + ?Sized>(
    base: &Base<'_, T>,
    reference: &T,
    out: &mut T::Buffer,
) -> Option<Meaning> {
    let (text, bytes) = (base.text.bytes(), reference.bytes());
    // SAFETY: the processor supports the level. The appended bytes are UTF-8: the part of `base` ends, and the part of
    // `reference` begins, next to a delimiter or at an end of the text, and delimiters are ASCII.
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

/// Does the same as [`resolve`] for a base that is not prepared.
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
