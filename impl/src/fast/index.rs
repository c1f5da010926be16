//! Where the delimiters of a base stand: asked for in the same way of a plain one and of any.

use memchr::{memchr, memrchr};

use super::masks::{BLOCK, Lanes, Masks};

/// Where delimiters stand.
pub(super) trait DelimiterIndex {
    /// The first `#` from one position to another; `to` if there is none.
    fn hash(&self, from: usize, to: usize) -> usize;

    /// The first `?`.
    fn query(&self, from: usize, to: usize) -> usize;

    /// The first `;`.
    fn params(&self, from: usize, to: usize) -> usize;

    /// The first slash.
    fn slash(&self, from: usize, to: usize) -> usize;

    /// The last slash.
    fn last_slash(&self, from: usize, to: usize) -> Option<usize>;

    /// Whether a dot stands behind a slash, the slash from one position to another.
    fn dots(&self, from: usize, to: usize) -> bool;
}

/// How long a base may be whose masks are kept.
const SHORT: usize = 2 * BLOCK - 1;

/// The masks of up to [`SHORT`] bytes without `#`, `?` and `;`: what most bases are.
pub(super) struct ShortIndex {
    slash: u128,
    dot: u128,
}

impl ShortIndex {
    /// `None` if `bytes` are not so.
    #[inline(always)]
    pub(super) fn of(lanes: impl Lanes, bytes: &[u8]) -> Option<Self> {
        if bytes.len() > SHORT {
            return None;
        }
        let at = bytes.len().saturating_sub(BLOCK);
        let first = lanes.scan(bytes);
        let last = if at > 0 { lanes.scan(&bytes[at..]) } else { Masks::default() };
        let all = |first: u64, last: u64| u128::from(first) | u128::from(last) << at;
        let plain = Self { slash: all(first.slash, last.slash), dot: all(first.dot, last.dot) };
        (first.path_end | last.path_end == 0).then_some(plain)
    }
}

/// The bits from one on, which may be that behind [`SHORT`].
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

/// SearchIndex bytes.
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

#[cfg(test)]
mod tests {
    use super::{SHORT, ShortIndex};
    use crate::fast::masks::Portable;

    /// The others are laid out as well, only later.
    #[test]
    fn a_base_of_up_to_127_bytes_without_marks_is_plain() {
        let bytes = [b'x'; 128];
        assert_eq!(SHORT, 127);
        assert!((0..=127).all(|length| ShortIndex::of(Portable, &bytes[..length]).is_some()));
        assert!(ShortIndex::of(Portable, &bytes).is_none());
        for mark in *b"#?;" {
            for at in 0..127 {
                let mut bytes = bytes;
                bytes[at] = mark;
                assert!(ShortIndex::of(Portable, &bytes[..127]).is_none(), "{at}");
            }
        }
    }
}
