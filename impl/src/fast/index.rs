//! The positions of delimiters in a base: by masks for short bases, by searching for all others.

use memchr::{memchr, memrchr};

use super::masks::{BLOCK, Lanes, Masks};

/// Finds delimiters. Each method searches from byte `from` up to byte `to`.
pub(super) trait DelimiterIndex {
    /// Returns the position of the first `#`, or `to` if there is none.
    fn hash(&self, from: usize, to: usize) -> usize;

    /// Returns the position of the first `?`, or `to` if there is none.
    fn query(&self, from: usize, to: usize) -> usize;

    /// Returns the position of the first `;`, or `to` if there is none.
    fn params(&self, from: usize, to: usize) -> usize;

    /// Returns the position of the first slash, or `to` if there is none.
    fn slash(&self, from: usize, to: usize) -> usize;

    /// Returns the position of the last slash.
    fn last_slash(&self, from: usize, to: usize) -> Option<usize>;

    /// Returns whether a dot follows a slash.
    fn dots(&self, from: usize, to: usize) -> bool;
}

/// The maximum length of a base that is described by masks.
const SHORT: usize = 2 * BLOCK - 1;

/// The masks of at most [`SHORT`] bytes without `#`, `?` and `;`. Most bases are of this kind.
pub(super) struct ShortIndex {
    slash: u128,
    dot: u128,
}

impl ShortIndex {
    /// Returns `None` if `bytes` are too long or contain `#`, `?` or `;`.
    #[inline(always)]
    pub(super) fn of(lanes: impl Lanes, bytes: &[u8]) -> Option<Self> {
        if bytes.len() > SHORT {
            return None;
        }
        let at = bytes.len().saturating_sub(BLOCK);
        let first = lanes.scan(bytes);
        let last = if at > 0 { lanes.scan(&bytes[at..]) } else { Masks::default() };
        let all = |first: u64, last: u64| u128::from(first) | u128::from(last) << at;
        let index = Self { slash: all(first.slash, last.slash), dot: all(first.dot, last.dot) };
        (first.path_end | last.path_end == 0).then_some(index)
    }
}

/// Returns the bits from `at` on, where `at` is at most [`SHORT`].
#[inline(always)]
fn from(at: usize) -> u128 {
    u128::MAX.wrapping_shl(at as u32)
}

impl DelimiterIndex for ShortIndex {
    #[inline(always)]
    fn hash(&self, _: usize, to: usize) -> usize {
        to
    }

    #[inline(always)]
    fn query(&self, _: usize, to: usize) -> usize {
        to
    }

    #[inline(always)]
    fn params(&self, _: usize, to: usize) -> usize {
        to
    }

    #[inline(always)]
    fn slash(&self, at: usize, to: usize) -> usize {
        ((self.slash & from(at)).trailing_zeros() as usize).min(to)
    }

    #[inline(always)]
    fn last_slash(&self, at: usize, to: usize) -> Option<usize> {
        let bits = self.slash & from(at) & !from(to);
        (bits != 0).then(|| 127 - bits.leading_zeros() as usize)
    }

    #[inline(always)]
    fn dots(&self, at: usize, to: usize) -> bool {
        self.slash & self.dot >> 1 & from(at) & !from(to) != 0
    }
}

/// Bytes of any length, which are searched each time.
pub(super) struct SearchIndex<'a>(pub(super) &'a [u8]);

impl SearchIndex<'_> {
    fn first(&self, byte: u8, from: usize, to: usize) -> usize {
        self.0.get(from..to).and_then(|bytes| memchr(byte, bytes)).map_or(to, |at| from + at)
    }
}

impl DelimiterIndex for SearchIndex<'_> {
    fn hash(&self, from: usize, to: usize) -> usize {
        self.first(b'#', from, to)
    }

    fn query(&self, from: usize, to: usize) -> usize {
        self.first(b'?', from, to)
    }

    fn params(&self, from: usize, to: usize) -> usize {
        self.first(b';', from, to)
    }

    fn slash(&self, from: usize, to: usize) -> usize {
        self.first(b'/', from, to)
    }

    fn last_slash(&self, from: usize, to: usize) -> Option<usize> {
        memrchr(b'/', &self.0[from..to]).map(|at| from + at)
    }

    fn dots(&self, from: usize, to: usize) -> bool {
        self.0[from..].windows(2).take(to - from).any(|two| two == b"/.")
    }
}
