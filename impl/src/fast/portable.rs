//! Safe code alone, on every machine.

use super::layout::Joint;
use super::marks::Portable;
use super::shape;
use super::text::Text;
use super::{Base, Batch};
use crate::resolution::Meaning;
use crate::rules::Rules;

/// Appends the target, if `reference` is common.
pub(super) fn resolve<T: Text + ?Sized>(base: &Base<'_, T>, reference: &T, out: &mut T::Buffer) -> Option<Meaning> {
    let (text, bytes) = (base.text.bytes(), reference.bytes());
    if let Some(found) = base.layout.at_a_look(Portable, bytes)
        && append(found.joint, base.text, reference, out)
    {
        return Some(base.layout.meaning_at_a_look(&found, text, bytes));
    }
    let joint = base.layout.joint(Portable, text, bytes)?;
    append(&joint, base.text, reference, out).then(|| base.layout.meaning(&joint, text, bytes))
}

/// The same of a base that is not laid out; the meaning is that only if it is `ASKED`.
pub(super) fn once<const ASKED: bool, T: Text + ?Sized>(
    rules: &Rules,
    base: &T,
    reference: &T,
    out: &mut T::Buffer,
) -> Option<Meaning> {
    let (joint, meaning) = shape::joint::<ASKED>(Portable, rules, base.bytes(), reference.bytes())?;
    append(&joint, base, reference, out).then_some(meaning)
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

/// Appends what a joint says; `false` if it is none of `base`.
#[inline(always)]
fn append<T: Text + ?Sized>(joint: &Joint, base: &T, reference: &T, out: &mut T::Buffer) -> bool {
    let keep = joint.keep as usize;
    if keep > base.bytes().len() {
        return false;
    }
    base.part(0, keep).append(out);
    reference.part(usize::from(joint.from), reference.bytes().len()).append(out);
    true
}
