//! Strings and byte strings.

/// A type of text that can be resolved: `str` or `[u8]`.
///
/// The associated type `Buffer` is the type to which targets are appended: [`String`](alloc::string::String) for `str`,
/// and [`Vec<u8>`](alloc::vec::Vec) for `[u8]`. Byte strings need not be UTF-8: bytes that are not delimiters are
/// copied.
///
/// The trait is sealed: other types cannot implement it.
pub trait Text: sealed::SealedText {}

impl Text for str {}
impl Text for [u8] {}

pub(super) mod sealed {
    use alloc::string::String;
    use alloc::vec::Vec;
    use core::fmt::Debug;

    use super::super::machine::GrowableBuffer;

    /// The operations that the engine needs. Every delimiter is ASCII, so that strings are split only between characters.
    pub trait SealedText {
        /// The type of buffers to which targets are appended.
        type Buffer: Clone + Debug + Default + GrowableBuffer;

        /// Returns the bytes of the text.
        fn bytes(&self) -> &[u8];

        /// Returns the part from `from` up to `to`. Both are at an end of the text or next to an ASCII character.
        fn part(&self, from: usize, to: usize) -> &Self;

        /// Converts ASCII text to this type.
        fn literal(text: &str) -> &Self;

        /// Appends the text to `out`.
        fn append(&self, out: &mut Self::Buffer);

        /// Returns the content of `out`.
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
