//! The instruction sets of processors without AVX2, and of builds without the feature `simd`.

use alloc::string::String;
use alloc::vec::Vec;

use super::layout::Layout;
use super::masks::Portable;
use super::text::Text;
use super::{Base, Batch, portable};
use crate::resolution::Meaning;
use crate::rules::Rules;

/// The instruction set.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Level {
    Portable,
}

impl Level {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
        }
    }

    /// Returns all instruction sets.
    pub(super) fn available() -> impl Iterator<Item = Self> {
        [Self::Portable].into_iter()
    }

    pub(super) fn best() -> Self {
        Self::Portable
    }
}

/// A buffer for targets.
pub trait GrowableBuffer {}

impl GrowableBuffer for String {}
impl GrowableBuffer for Vec<u8> {}

/// Prepares a base.
pub(super) fn layout(_: Level, rules: &Rules, base: &[u8]) -> Layout {
    Layout::of(Portable, rules, base)
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
    match base.level {
        Level::Portable => portable::resolve(base, reference, out),
    }
}

/// Does the same as [`resolve`] for a base that is not prepared.
#[inline(always)]
pub(super) fn once<const WITH_MEANING: bool, T: Text + ?Sized>(
    _: Level,
    rules: &Rules,
    base: &T,
    reference: &T,
    out: &mut T::Buffer,
) -> Option<Meaning> {
    portable::once::<WITH_MEANING, T>(rules, base, reference, out)
}

/// Appends all targets to a batch.
#[inline(always)]
pub(super) fn resolve_all<'r, T: Text + ?Sized + 'r>(
    base: &Base<'_, T>,
    references: impl Iterator<Item = &'r T>,
    batch: &mut Batch<T>,
) {
    portable::resolve_all(base, references, batch);
}
