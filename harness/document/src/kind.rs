//! The detection of the kind of a document.

use std::path::Path;

/// The kind of a document, which selects its parser.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum DocumentKind {
    /// HTML, also in its XML syntax.
    Html,
    /// A message (RFC 822 and MIME), also the archive of a page (`.mht`).
    Mime,
    /// Plain text.
    Text,
}

impl DocumentKind {
    /// All kinds with their names.
    pub const ALL: [(&'static str, Self); 3] = [("html", Self::Html), ("mime", Self::Mime), ("text", Self::Text)];

    /// Returns the kind called `name`.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.0 == name).map(|kind| kind.1)
    }

    /// Returns the kind for the extension of a file name, or `None` if the extension is unknown.
    pub fn by_ending(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "html" | "htm" | "xhtml" | "xht" | "shtml" => Some(Self::Html),
            "eml" | "mht" | "mhtml" | "mime" => Some(Self::Mime),
            "txt" | "text" | "asc" => Some(Self::Text),
            _ => None,
        }
    }

    /// Guesses the kind from the first 1,024 bytes: a tag or comment begins HTML, a common header field begins a
    /// message, and everything else is text. Returns `None` if the bytes contain a NUL and are not UTF-16, since text
    /// contains no NUL.
    pub fn by_content(bytes: &[u8]) -> Option<Self> {
        const FIELDS: [&[u8]; 17] = [
            b"received",
            b"return-path",
            b"delivered-to",
            b"from",
            b"to",
            b"cc",
            b"subject",
            b"date",
            b"message-id",
            b"mime-version",
            b"content-type",
            b"content-base",
            b"content-location",
            b"base",
            b"sender",
            b"reply-to",
            b"x-mailer",
        ];
        let marked = encoding_rs::Encoding::for_bom(bytes);
        let start = &bytes[marked.map_or(0, |marked| marked.1)..];
        let start = &start[..start.len().min(1024)];
        let wide = marked.is_some_and(|(encoding, _)| encoding != encoding_rs::UTF_8);
        if !wide && memchr::memchr(0, start).is_some() {
            return None;
        }
        let (start, _) = super::charset::decode(&bytes[..bytes.len().min(1024)], &[]);
        let start = start.trim_start();
        let mut first = start.chars();
        if first.next() == Some('<') && first.next().is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '!' | '?'))
        {
            // `<URL:` is the prefix of a URL in plain text, not a tag.
            let prefixed = start.get(1..5).is_some_and(|name| name.eq_ignore_ascii_case("url:"));
            return Some(if prefixed { Self::Text } else { Self::Html });
        }
        let name = start.split_once(':').map(|(name, _)| name.to_ascii_lowercase());
        if name.is_some_and(|name| FIELDS.contains(&name.as_bytes())) || start.starts_with("From ") {
            return Some(Self::Mime);
        }
        Some(Self::Text)
    }
}

#[cfg(test)]
mod tests {
    use super::DocumentKind;

    #[test]
    fn the_kind_is_detected_from_the_first_bytes() {
        for (bytes, kind) in [
            (&b"  <!doctype html>"[..], Some(DocumentKind::Html)),
            (b"\xff\xfe<\0h\0t\0m\0l\0>\0", Some(DocumentKind::Html)),
            (b"\xef\xbb\xbf<a href=x>", Some(DocumentKind::Html)),
            (b"MIME-Version: 1.0\r\n", Some(DocumentKind::Mime)),
            (b"Note: this is text", Some(DocumentKind::Text)),
            (b"<URL:http://a/>", Some(DocumentKind::Text)),
            (b"<1", Some(DocumentKind::Text)),
            (b"", Some(DocumentKind::Text)),
            (b"\x7fELF\0\0", None),
        ] {
            assert_eq!(DocumentKind::by_content(bytes), kind, "{bytes:?}");
        }
    }
}
