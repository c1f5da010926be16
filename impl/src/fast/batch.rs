//! The targets of many references.

use alloc::vec::Vec;

use super::text::Text;
use super::{Base, Undefined, general};

/// The targets of many references, one after the other in one buffer.
///
/// ```
/// use urlstrata::fast;
/// use urlstrata::revision::rfc3986;
///
/// let base = fast::Base::new(&rfc3986::RULES, "http://a/b/c");
/// let mut batch = fast::Batch::default();
/// base.resolve_all(["d", "../e"], &mut batch);
/// assert_eq!(batch.iter().collect::<Vec<_>>(), [Ok("http://a/b/d"), Ok("http://a/e")]);
/// assert_eq!(batch.text(), "http://a/b/dhttp://a/e");
/// ```
#[derive(Clone, Debug)]
pub struct Batch<T: Text + ?Sized = str> {
    pub(super) text: T::Buffer,
    /// The position at which each target ends.
    ends: Vec<usize>,
    /// The undefined targets: index and error, in order.
    undefined: Vec<(usize, Undefined)>,
}

impl<T: Text + ?Sized> Default for Batch<T> {
    fn default() -> Self {
        Self { text: T::Buffer::default(), ends: Vec::new(), undefined: Vec::new() }
    }
}

impl<T: Text + ?Sized> Batch<T> {
    /// Returns the number of references that were resolved.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether no reference was resolved.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the target of the reference at `index`.
    ///
    /// # Errors
    ///
    /// Returns [`Undefined`] if the rule set defines no target.
    ///
    /// # Panics
    ///
    /// Panics if `index` is not less than [`Batch::len`].
    pub fn get(&self, index: usize) -> Result<&T, Undefined> {
        match self.undefined.binary_search_by_key(&index, |(index, _)| *index) {
            Ok(at) => Err(self.undefined[at].1),
            Err(_) => {
                let start = if index == 0 { 0 } else { self.ends[index - 1] };
                Ok(self.text().part(start, self.ends[index]))
            }
        }
    }

    /// Iterates over the targets, in the order of the references.
    pub fn iter(&self) -> impl Iterator<Item = Result<&T, Undefined>> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Returns the whole buffer.
    pub fn text(&self) -> &T {
        T::written(&self.text)
    }

    /// Returns the position in [`Batch::text`] at which each target ends. It begins where the previous one ends.
    pub fn ends(&self) -> &[usize] {
        &self.ends
    }

    /// Removes the targets and keeps the allocated memory.
    pub fn clear(&mut self) {
        T::truncate(&mut self.text, 0);
        self.ends.clear();
        self.undefined.clear();
    }

    #[inline(always)]
    pub(super) fn reserve(&mut self, references: usize) {
        self.ends.reserve(references);
    }

    /// Records the end of a target.
    #[inline(always)]
    pub(super) fn end(&mut self) {
        self.ends.push(T::written(&self.text).bytes().len());
    }

    /// Resolves a reference by the general path.
    #[cold]
    pub(super) fn push_general(&mut self, base: &Base<'_, T>, reference: &T) {
        if let Err(undefined) = general::resolve(&base.rules, base.text, reference, &mut self.text) {
            self.undefined.push((self.ends.len(), undefined));
        }
        self.end();
    }
}
