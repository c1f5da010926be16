//! The scheme name at the start of a URL, by the two definitions that the specifications give.
//!
//! RFC 1630 has a third definition, in its own file. The optimized engine and the validators do not use this module:
//! they are implemented independently.

/// Returns the length of the scheme name that `text` begins with. Any name character may be the first one.
///
/// RFC 1808 §2.4.2, and the specifications of its time.
pub(crate) fn length(text: &str) -> Option<usize> {
    let end = text.bytes().position(|byte| !is_name_byte(byte))?;
    (end > 0 && text.as_bytes()[end] == b':').then_some(end)
}

/// Returns the length of the scheme name that `text` begins with. The first character is a letter.
///
/// RFC 2396 §3.1 and RFC 3986 §3.1.
pub(crate) fn length_letter_first(text: &str) -> Option<usize> {
    length(text).filter(|_| text.as_bytes()[0].is_ascii_alphabetic())
}

/// Returns whether `byte` may be part of a scheme name.
pub(crate) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-')
}
