//! The positions of delimiters in a block of bytes, as bit masks.

use wide::u8x16;

/// The number of bytes in a block.
pub(super) const BLOCK: usize = 64;

/// The delimiters of a block. Bit `i` describes byte `i`.
///
/// Masks that a caller does not use cost nothing after inlining.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Masks {
    pub(super) slash: u64,
    pub(super) dot: u64,
    pub(super) hash: u64,
    /// `#`, `?` or `;`.
    pub(super) path_end: u64,
    pub(super) colon: u64,
    /// The first eight bytes in little-endian order, padded with zeros.
    pub(super) head: u64,
}

impl Masks {
    /// Returns the mask of the bytes up to and including the first slash or `#`.
    #[inline(always)]
    pub(super) fn before_delimiters(&self) -> u64 {
        let delimiters = self.slash | self.hash;
        delimiters ^ delimiters.wrapping_sub(1)
    }

    /// Adds the masks of the bytes from `at` on. They may overlap.
    #[inline(always)]
    pub(super) fn with(self, other: Self, at: usize) -> Self {
        Self {
            slash: self.slash | other.slash << at,
            dot: self.dot | other.dot << at,
            hash: self.hash | other.hash << at,
            path_end: self.path_end | other.path_end << at,
            colon: self.colon | other.colon << at,
            head: self.head,
        }
    }
}

/// A set of instructions that scans blocks.
pub(super) trait Lanes: Copy {
    /// Returns the masks of the first [`BLOCK`] bytes, and ignores the others.
    fn scan(self, bytes: &[u8]) -> Masks;
}

/// Scans sixteen bytes at once, on every machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

impl Lanes for Portable {
    #[inline(always)]
    fn scan(self, bytes: &[u8]) -> Masks {
        let length = bytes.len().min(BLOCK);
        let at = |at: usize| sixteen(bytes[at..].first_chunk().copied().unwrap_or_default());
        if length > 32 {
            at(0).with(at(16), 16).with(at(length - 32), length - 32).with(at(length - 16), length - 16)
        } else if length >= 16 {
            at(0).with(at(length - 16), length - 16)
        } else {
            sixteen(few(bytes))
        }
    }
}

#[inline(always)]
fn sixteen(bytes: [u8; 16]) -> Masks {
    let head = u128::from_le_bytes(bytes) as u64;
    let bytes = u8x16::from(bytes);
    let equal = |byte: u8| bytes.simd_eq(u8x16::splat(byte));
    let bits = |lanes: u8x16| u64::from(lanes.to_bitmask());
    // `;` and `?` differ only in this bit.
    let query_or_params = (bytes | u8x16::splat(4)).simd_eq(u8x16::splat(b'?'));
    Masks {
        slash: bits(equal(b'/')),
        dot: bits(equal(b'.')),
        hash: bits(equal(b'#')),
        path_end: bits(equal(b'#') | query_or_params),
        colon: bits(equal(b':')),
        head,
    }
}

/// Pads fewer than sixteen bytes with zeros.
#[inline(always)]
pub(super) fn few(bytes: &[u8]) -> [u8; 16] {
    let length = bytes.len();
    let byte = |at: usize| u64::from(bytes.get(at).copied().unwrap_or_default());
    let [low, high] = if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        // The shift removes the bytes that both have. It has two steps, because a shift by 64 bits is not defined.
        [u64::from_le_bytes(*first), u64::from_le_bytes(*last) >> (8 * (15 - length)) >> 8]
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let last = u64::from(u32::from_le_bytes(*last)) << (8 * (length - 4));
        [u64::from(u32::from_le_bytes(*first)) | last, 0]
    } else {
        [byte(0) | byte(1) << 8 | byte(2) << 16, 0]
    };
    (u128::from(low) | u128::from(high) << 64).to_le_bytes()
}
