//! The targets of many references.

use alloc::vec::Vec;

use super::text::Text;
use super::{Base, Undefined, general};

/// The targets of many references, one behind the other in one buffer.
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
    /// Where each target ends.
    ends: Vec<usize>,
    /// Which of them are none, in order.
    undefined: Vec<(usize, Undefined)>,
}

impl<T: Text + ?Sized> Default for Batch<T> {
    fn default() -> Self {
        Self { text: T::Buffer::default(), ends: Vec::new(), undefined: Vec::new() }
    }
}

impl<T: Text + ?Sized> Batch<T> {
    /// How many references were resolved.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there were none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The target of the reference of that number, from 0.
    ///
    /// # Errors
    ///
    /// Where the rules define no result.
    ///
    /// # Panics
    ///
    /// If there were fewer references.
    pub fn get(&self, index: usize) -> Result<&T, Undefined> {
        match self.undefined.binary_search_by_key(&index, |(index, _)| *index) {
            Ok(at) => Err(self.undefined[at].1),
            Err(_) => {
                let start = if index == 0 { 0 } else { self.ends[index - 1] };
                Ok(self.text().part(start, self.ends[index]))
            }
        }
    }

    /// Every target, in the order of the references.
    pub fn iter(&self) -> impl Iterator<Item = Result<&T, Undefined>> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// All of the buffer.
    pub fn text(&self) -> &T {
        T::written(&self.text)
    }

    /// Where in [`Batch::text`] each target ends; it begins where the one before it ends.
    pub fn ends(&self) -> &[usize] {
        &self.ends
    }

    /// Forgets the targets and keeps the buffers.
    pub fn clear(&mut self) {
        T::truncate(&mut self.text, 0);
        self.ends.clear();
        self.undefined.clear();
    }

    #[inline(always)]
    pub(super) fn reserve(&mut self, references: usize) {
        self.ends.reserve(references);
    }

    /// Notes that a target is written.
    #[inline(always)]
    pub(super) fn end(&mut self) {
        self.ends.push(T::written(&self.text).bytes().len());
    }

    /// Resolves a reference that is not common.
    #[cold]
    pub(super) fn push_general(&mut self, base: &Base<'_, T>, reference: &T) {
        if let Err(undefined) = general::resolve(&base.rules, base.text, reference, &mut self.text) {
            self.undefined.push((self.ends.len(), undefined));
        }
        self.end();
    }
}
