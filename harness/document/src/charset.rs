//! Character decoding as in browsers and mail readers. No input is rejected.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// Decodes `bytes`, and returns the text and the name of the encoding. All line ends become `\n`.
///
/// The encoding is that of the byte order mark, else of the first known label in `labels`, else UTF-8 if `bytes` are
/// valid UTF-8, else windows-1252. Invalid bytes become replacement characters.
pub(super) fn decode<'b>(bytes: &'b [u8], labels: &[Option<&str>]) -> (Cow<'b, str>, &'static str) {
    let declared = labels.iter().flatten().find_map(|label| Encoding::for_label_no_replacement(label.as_bytes()));
    let (encoding, bytes) = match Encoding::for_bom(bytes) {
        Some((encoding, length)) => (encoding, &bytes[length..]),
        None => (declared.unwrap_or_else(|| guess(bytes)), bytes),
    };
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    (with_plain_line_ends(text), encoding.name())
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    if std::str::from_utf8(bytes).is_ok() { UTF_8 } else { WINDOWS_1252 }
}

/// Returns the name of the encoding for a label within a document. UTF-16 labels mean UTF-8, since a label that was
/// found by reading ASCII cannot be in a UTF-16 document.
pub(super) fn label_within(label: &str) -> Option<&'static str> {
    let encoding = Encoding::for_label_no_replacement(label.as_bytes())?;
    Some(if encoding == UTF_16BE || encoding == UTF_16LE { UTF_8.name() } else { encoding.name() })
}

fn with_plain_line_ends(text: Cow<'_, str>) -> Cow<'_, str> {
    if memchr::memchr(b'\r', text.as_bytes()).is_none() {
        return text;
    }
    let mut plain = String::with_capacity(text.len());
    let mut from = 0;
    for at in memchr::memchr_iter(b'\r', text.as_bytes()) {
        plain.push_str(&text[from..at]);
        from = at + 1;
        if text.as_bytes().get(from) != Some(&b'\n') {
            plain.push('\n');
        }
    }
    plain.push_str(&text[from..]);
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::{decode, label_within};

    #[test]
    fn a_byte_order_mark_overrides_the_label_and_a_label_overrides_detection() {
        assert_eq!(decode(b"\xef\xbb\xbf\xc3\xa9", &[Some("latin1")]), ("é".into(), "UTF-8"));
        assert_eq!(decode(b"\xff\xfea\0", &[]), ("a".into(), "UTF-16LE"));
        assert_eq!(decode(b"\xc3\xa9", &[None, Some("latin1")]), ("Ã©".into(), "windows-1252"));
        assert_eq!(decode(b"\xc3\xa9", &[Some("no such")]), ("é".into(), "UTF-8"));
        assert_eq!(decode(b"\xe9\x80", &[]), ("é€".into(), "windows-1252"));
        assert_eq!(decode(b"\xe9", &[Some("utf-8")]), ("\u{fffd}".into(), "UTF-8"));
        assert_eq!(label_within("utf-16"), Some("UTF-8"));
    }

    #[test]
    fn line_ends_are_normalized() {
        assert_eq!(decode(b"a\r\nb\rc\n\r", &[]).0, "a\nb\nc\n\n");
    }
}
