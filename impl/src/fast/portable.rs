//! The fast path without `unsafe`, on every machine.

use super::layout;
use super::masks::Portable;
use super::splice::Splice;
use super::text::Text;
use super::{Base, Batch};
use crate::resolution::Meaning;
use crate::rules::Rules;

/// Appends the target and returns its meaning, or returns `None` if `reference` needs the general path.
pub(super) fn resolve<T: Text + ?Sized>(base: &Base<'_, T>, reference: &T, out: &mut T::Buffer) -> Option<Meaning> {
    let (text, bytes) = (base.text.bytes(), reference.bytes());
    if let Some(found) = base.layout.short_splice(Portable, bytes)
        && append(found.splice, base.text, reference, out)
    {
        return Some(base.layout.short_meaning(&found, text, bytes));
    }
    let splice = base.layout.splice(Portable, text, bytes)?;
    append(&splice, base.text, reference, out).then(|| base.layout.meaning(&splice, text, bytes))
}

/// Does the same as [`resolve`] for a base that is not prepared. Without `WITH_MEANING`, the meaning is not computed.
pub(super) fn once<const WITH_MEANING: bool, T: Text + ?Sized>(
    rules: &Rules,
    base: &T,
    reference: &T,
    out: &mut T::Buffer,
) -> Option<Meaning> {
    let (splice, meaning) = layout::splice::<WITH_MEANING>(Portable, rules, base.bytes(), reference.bytes())?;
    append(&splice, base, reference, out).then_some(meaning)
}

/// Appends all targets to a batch.
pub(super) fn resolve_all<'r, T: Text + ?Sized + 'r>(
    base: &Base<'_, T>,
    references: impl Iterator<Item = &'r T>,
    batch: &mut Batch<T>,
) {
    for reference in references {
        match resolve(base, reference, &mut batch.text) {
            Some(_) => batch.end(),
            None => batch.push_general(base, reference),
        }
    }
}

/// Appends the target that `splice` describes. Returns `false` if it is [`Splice::NONE`].
#[inline(always)]
fn append<T: Text + ?Sized>(splice: &Splice, base: &T, reference: &T, out: &mut T::Buffer) -> bool {
    let keep = splice.keep as usize;
    if keep > base.bytes().len() {
        return false;
    }
    base.part(0, keep).append(out);
    reference.part(usize::from(splice.from), reference.bytes().len()).append(out);
    true
}
