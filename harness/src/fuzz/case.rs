//! What inputs are read as, and how they shrink.

use std::fmt::Debug;

use arbitrary::{Arbitrary, Unstructured};

use super::{Pair, Text};
use crate::model::shrink::{shorter, smallest};

/// An input, as a law reads it.
pub trait Case: for<'a> Arbitrary<'a> + Clone + Debug {
    /// Bytes that are read as it.
    fn bytes(&self) -> Vec<u8>;

    /// The smallest case that can be made of it while it `stays` what it is.
    #[must_use]
    fn smallest(&self, stays: &dyn Fn(&Self) -> bool) -> Self;

    /// The base and the reference, if that is what it is.
    fn pair(&self) -> Option<Pair> {
        None
    }
}

/// Bytes as they are.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Bytes(pub Vec<u8>);

impl<'a> Arbitrary<'a> for Bytes {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(Self(u.bytes(u.len())?.to_vec()))
    }
}

impl Case for Bytes {
    fn bytes(&self) -> Vec<u8> {
        self.0.clone()
    }

    fn smallest(&self, stays: &dyn Fn(&Self) -> bool) -> Self {
        // Each byte as the character of that number, which are shrunk as any others.
        let text: String = self.0.iter().copied().map(char::from).collect();
        let bytes = |text: &str| Self(text.chars().filter_map(|c| u8::try_from(c).ok()).collect());
        bytes(&shorter(&text, |text| stays(&bytes(text))))
    }
}

impl Case for Text {
    fn bytes(&self) -> Vec<u8> {
        self.write()
    }

    fn smallest(&self, stays: &dyn Fn(&Self) -> bool) -> Self {
        Self(shorter(&self.0, |text| stays(&Self(text.to_owned()))))
    }
}

impl Case for Pair {
    fn bytes(&self) -> Vec<u8> {
        self.write()
    }

    fn smallest(&self, stays: &dyn Fn(&Self) -> bool) -> Self {
        let of = |base: &str, reference: &str| Self { base: base.to_owned(), reference: reference.to_owned() };
        let (base, reference) = smallest(&self.base, &self.reference, |base, reference| stays(&of(base, reference)));
        Self { base, reference }
    }

    fn pair(&self) -> Option<Pair> {
        Some(self.clone())
    }
}
