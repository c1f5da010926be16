//! Inputs: decoding, encoding and shrinking.

use std::fmt::Debug;

use arbitrary::{Arbitrary, Unstructured};
use urlstrata_harness::knowledge::shrink::shorter;

use super::PairInput;

/// What the bytes of a fuzzer are decoded to.
pub trait Input: for<'a> Arbitrary<'a> + Clone + Debug {
    /// Returns bytes that decode to this input.
    fn encode(&self) -> Vec<u8>;

    /// Returns the smallest input that can be derived from this one and for which `still_fails` is true.
    #[must_use]
    fn shrink(&self, still_fails: &dyn Fn(&Self) -> bool) -> Self;

    /// Returns the base and the reference, if the input is a pair of strings.
    fn pair(&self) -> Option<PairInput> {
        None
    }
}

/// Bytes that are not decoded.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BytesInput(pub Vec<u8>);

impl<'a> Arbitrary<'a> for BytesInput {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(Self(u.bytes(u.len())?.to_vec()))
    }
}

impl Input for BytesInput {
    fn encode(&self) -> Vec<u8> {
        self.0.clone()
    }

    fn shrink(&self, still_fails: &dyn Fn(&Self) -> bool) -> Self {
        let text = shorter(&to_latin1_text(&self.0), |text| still_fails(&Self(from_latin1_text(text))));
        Self(from_latin1_text(&text))
    }
}

/// Returns the string whose characters have the numbers of `bytes`, so that bytes can be shrunk as a string.
pub(crate) fn to_latin1_text(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// Reverts [`to_latin1_text`]; drops characters above U+00FF.
pub(crate) fn from_latin1_text(text: &str) -> Vec<u8> {
    text.chars().filter_map(|character| u8::try_from(character).ok()).collect()
}
