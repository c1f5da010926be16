//! The shape of a reference: a class of references whose targets are found in the same way.
//!
//! One scan of the first block of 64 bytes decides the shape of most references. [`Shape::of`] returns `None` for a
//! reference without a shape: it takes the general path.

use super::masks::{BLOCK, Lanes, Masks};

/// The reference begins with a `#` that is followed by a fragment.
pub(super) const FRAGMENT: usize = 0;

/// The reference begins with a `?`.
pub(super) const QUERY: usize = 1;

/// The reference begins with a `;`.
pub(super) const PARAMS: usize = 2;

/// The reference begins with exactly one slash.
pub(super) const ROOT: usize = 3;

/// The reference begins with exactly two slashes and a host.
pub(super) const NETWORK: usize = 4;

/// The reference begins with `http://` or `https://` and a host.
pub(super) const HTTP: usize = 5;

/// The reference is `#`.
pub(super) const EMPTY_FRAGMENT: usize = 6;

/// The reference is empty.
pub(super) const EMPTY: usize = 7;

/// The reference begins with a path segment. `PATH + n` is the shape of such a reference after `n` leading `../`.
pub(super) const PATH: usize = 8;

/// An upper bound of all shapes: a power of two, so that a remainder needs no division.
pub(super) const SHAPES: usize = 32;

/// The reference may have a scheme other than `http` and `https`. This is the last shape, and its splice is
/// [`Splice::NONE`](super::splice::Splice::NONE).
pub(super) const SCHEME: usize = SHAPES - 1;

/// The maximum length of a reference that is scanned as two blocks.
const TWO_BLOCKS: usize = 2 * BLOCK;

/// The bit of the second byte.
const SECOND: u64 = 2;

/// For each byte: the shape of a reference that begins with it, and [`PATH_END`] for `#`, `?` and `;`.
static BYTES: [u8; 256] = {
    let mut first = [PATH as u8; 256];
    first[b'#' as usize] = FRAGMENT as u8 | PATH_END;
    first[b'?' as usize] = QUERY as u8 | PATH_END;
    first[b';' as usize] = PARAMS as u8 | PATH_END;
    first[b'/' as usize] = ROOT as u8;
    first
};

/// The flag of `#`, `?` and `;` in [`BYTES`].
const PATH_END: u8 = 0x80;

/// Returns the shape of a reference that begins with `byte`.
#[inline(always)]
fn first_shape(byte: u8) -> usize {
    usize::from(BYTES[usize::from(byte)] & !PATH_END)
}

/// The shape of a reference.
pub(super) struct Shape {
    /// The number of the shape, less than [`SHAPES`].
    pub(super) index: usize,
    /// The positions of each `#` and of the end of the reference, as bits. All bits are set if the reference is too long.
    pub(super) stops: u64,
}

impl Shape {
    /// Returns the shape of `reference`, or `None` if it is empty or has no shape.
    ///
    /// Without `ALL`, a reference of more than two blocks has no shape.
    #[inline(always)]
    pub(super) fn of<const ALL: bool>(lanes: impl Lanes, reference: &[u8]) -> Option<Self> {
        let length = reference.len();
        if length == 0 || length > TWO_BLOCKS && !ALL {
            return None;
        }
        let masks = lanes.scan(reference);
        let run = leading_run(&masks);
        // A second slash at the start is found like a dot segment: as a byte that follows a slash.
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
            // Two shapes remain: a host after exactly two slashes, and a single `#`.
            let host = odd == SECOND && masks.slash & 7 == 3 && length > 2 && masks.path_end & 4 == 0;
            let index = if host { NETWORK } else { EMPTY_FRAGMENT };
            return (host || reference == b"#").then_some(Self { index, stops });
        }
        if tail_colon | masks.colon & masks.before_delimiters() != 0 {
            return Some(Self { index: if is_http(&masks, length) { HTTP } else { SCHEME }, stops });
        }
        Some(Self { index: run as usize / 3 + first_shape(reference[0]), stops })
    }

    /// Returns the shape of a reference of any length, including the empty one.
    #[inline(always)]
    pub(super) fn of_any(lanes: impl Lanes, reference: &[u8]) -> Option<Self> {
        if reference.is_empty() { Some(Self { index: EMPTY, stops: 0 }) } else { Self::of::<true>(lanes, reference) }
    }
}

/// Returns whether a reference begins with `http://` or `https://` and a host.
#[inline(always)]
fn is_http(masks: &Masks, length: usize) -> bool {
    const HTTP: u64 = u64::from_le_bytes(*b"http:\0\0\0");
    const HTTPS: u64 = u64::from_le_bytes(*b"https:\0\0");
    let secure = masks.head << 16 == HTTPS << 16;
    let host = 7 + usize::from(secure);
    let two_slashes = masks.slash >> (host - 2) & 7 == 0b011;
    (secure | (masks.head << 24 == HTTP << 24)) & two_slashes & (masks.path_end >> host & 1 == 0) & (length > host)
}

/// Returns the length in bytes of the run of `../` at the start of a block: at most 63.
#[inline(always)]
fn leading_run(masks: &Masks) -> u32 {
    const EVERY_THIRD: u64 = 0x9249_2492_4924_9249;
    let climbs = masks.dot & masks.dot >> 1 & masks.slash >> 2;
    (EVERY_THIRD & !climbs).trailing_zeros()
}

/// Returns the dots at the start of a segment, from byte `run` on.
#[inline(always)]
fn dots_after(masks: &Masks, run: u32) -> u64 {
    (masks.dot & (masks.slash << 1 | 1)).wrapping_shr(run)
}

/// The properties of the bytes after the first [`BLOCK`].
struct Tail {
    /// Nonzero if there is a dot segment or an empty component.
    odd: u64,
    /// Nonzero if there is a `:` before the first slash and the first `#`.
    colon: u64,
}

impl Tail {
    /// Scans the bytes after the first block, whose masks are `first`. Without `ALL`, only one more block is scanned.
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

    /// Adds a block to the properties. `before` are the masks of the block before it; `open` means that no earlier
    /// block has a slash or a `#`.
    #[inline(always)]
    fn add(&mut self, masks: &Masks, before: &Masks, open: bool) {
        let shifted = |now: u64, before: u64| now << 1 | before >> 63;
        self.odd |=
            masks.dot & shifted(masks.slash, before.slash) | masks.path_end & shifted(masks.path_end, before.path_end);
        self.colon |= if open { masks.colon & masks.before_delimiters() } else { 0 };
    }
}
