//! Where the delimiters of a few bytes stand, a bit for each byte.

use wide::u8x16;

/// How many bytes one look takes in.
pub(super) const BLOCK: usize = 64;

/// Bit `i` tells of byte `i`; those that nobody asks for cost nothing once a look is inlined.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Masks {
    pub(super) slash: u64,
    pub(super) dot: u64,
    pub(super) hash: u64,
    /// `#`, `?` or `;`.
    pub(super) path_end: u64,
    pub(super) colon: u64,
    /// The first eight bytes, the first of them lowest; zeros behind the end.
    pub(super) head: u64,
}

impl Masks {
    /// The bytes before the first slash and `#`, and that one.
    #[inline(always)]
    pub(super) fn before_delimiters(&self) -> u64 {
        let delimiters = self.slash | self.hash;
        delimiters ^ delimiters.wrapping_sub(1)
    }

    /// Also the masks of bytes from `at` on; where they overlap they are the same.
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

/// A way to look at bytes.
pub(super) trait Lanes: Copy {
    /// The masks of up to [`BLOCK`] bytes; what is behind them is ignored.
    fn scan(self, bytes: &[u8]) -> Masks;
}

/// Sixteen bytes at once, on every machine.
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
    // `;` and `?` differ in this bit alone.
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

/// Less than sixteen bytes, and zeros.
#[inline(always)]
pub(super) fn few(bytes: &[u8]) -> [u8; 16] {
    let length = bytes.len();
    let byte = |at: usize| u64::from(bytes.get(at).copied().unwrap_or_default());
    let [low, high] = if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        // Without what both have; in two steps, as a shift by all bits is none.
        [u64::from_le_bytes(*first), u64::from_le_bytes(*last) >> (8 * (15 - length)) >> 8]
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let last = u64::from(u32::from_le_bytes(*last)) << (8 * (length - 4));
        [u64::from(u32::from_le_bytes(*first)) | last, 0]
    } else {
        [byte(0) | byte(1) << 8 | byte(2) << 16, 0]
    };
    (u128::from(low) | u128::from(high) << 64).to_le_bytes()
}
