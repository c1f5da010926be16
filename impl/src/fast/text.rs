//! Strings and byte strings alike.

/// What can be resolved: `str` into a [`String`](alloc::string::String), `[u8]` into a [`Vec<u8>`](alloc::vec::Vec).
///
/// Every delimiter is ASCII, so that a string is only cut between characters. Bytes need not be UTF-8: what is no
/// delimiter is copied.
pub trait Text: sealed::SealedText {}

impl Text for str {}
impl Text for [u8] {}

pub(super) mod sealed {
    use alloc::string::String;
    use alloc::vec::Vec;
    use core::fmt::Debug;

    use super::super::machine::GrowableBuffer;

    /// What the engine asks of a text.
    pub trait SealedText {
        /// What results are appended to.
        type Buffer: Clone + Debug + Default + GrowableBuffer;

        /// All of it.
        fn bytes(&self) -> &[u8];

        /// The part from one position to another, each at an end or beside an ASCII character.
        fn part(&self, from: usize, to: usize) -> &Self;

        /// ASCII as such a text.
        fn literal(text: &str) -> &Self;

        /// Behind what `out` holds.
        fn append(&self, out: &mut Self::Buffer);

        /// What `out` holds.
        fn written(out: &Self::Buffer) -> &Self;

        /// Shortens `out` to `length` bytes.
        fn truncate(out: &mut Self::Buffer, length: usize);
    }

    impl SealedText for str {
        type Buffer = String;

        #[inline(always)]
        fn bytes(&self) -> &[u8] {
            self.as_bytes()
        }

        #[inline(always)]
        fn part(&self, from: usize, to: usize) -> &Self {
            &self[from..to]
        }

        #[inline(always)]
        fn literal(text: &str) -> &Self {
            text
        }

        #[inline(always)]
        fn append(&self, out: &mut String) {
            out.push_str(self);
        }

        #[inline(always)]
        fn written(out: &String) -> &Self {
            out
        }

        #[inline(always)]
        fn truncate(out: &mut String, length: usize) {
            out.truncate(length);
        }
    }

    impl SealedText for [u8] {
        type Buffer = Vec<u8>;

        #[inline(always)]
        fn bytes(&self) -> &[u8] {
            self
        }

        #[inline(always)]
        fn part(&self, from: usize, to: usize) -> &Self {
            &self[from..to]
        }

        #[inline(always)]
        fn literal(text: &str) -> &Self {
            text.as_bytes()
        }

        #[inline(always)]
        fn append(&self, out: &mut Vec<u8>) {
            out.extend_from_slice(self);
        }

        #[inline(always)]
        fn written(out: &Vec<u8>) -> &Self {
            out
        }

        #[inline(always)]
        fn truncate(out: &mut Vec<u8>, length: usize) {
            out.truncate(length);
        }
    }
}
