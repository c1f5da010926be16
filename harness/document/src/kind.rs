//! The detection of the kind of a document.

use std::path::Path;

mod foreign;

use foreign::XML;

/// The number of first bytes in which the root element of XML is searched.
const SEARCHED: usize = 64 << 10;

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

    /// Returns what a file with such a name is, for example `a style sheet`, if it is a document whose links are not read.
    pub fn unread_by_ending(path: &Path) -> Option<&'static str> {
        foreign::by_ending(path)
    }

    /// Returns the kind of a document by its content, and by the extension of `path` if it has a path.
    ///
    /// The content decides about what is not text, and about XML. Then the extension decides, and then the first 1,024 bytes: a tag or comment begins HTML, a
    /// common header field begins a message, and everything else is text.
    ///
    /// # Errors
    ///
    /// Returns what the document is, such as `an Atom feed`, if its links are not read.
    pub fn detect(path: Option<&Path>, bytes: &[u8]) -> Result<Self, String> {
        let named = path.and_then(Self::by_ending);
        let foreign = path.and_then(foreign::by_ending);
        if let Some(what) = foreign::by_start(bytes) {
            return Err(what.to_owned());
        }
        if let Some(kind @ (Self::Mime | Self::Text)) = named {
            return Ok(kind);
        }
        let (start, _) = super::charset::decode(&bytes[..bytes.len().min(SEARCHED)], &[]);
        if let Some(what) = foreign::xml(&start, named == Some(Self::Html)) {
            return Err(what);
        }
        // XML is also the extension of XHTML.
        let is_html = Self::by_content(bytes) == Some(Self::Html);
        if let Some(what) = foreign.filter(|what| *what != XML || !is_html) {
            return Err(what.to_owned());
        }
        if let Some(kind) = named {
            return Ok(kind);
        }
        if let Some(what) = foreign::notation(&start).filter(|_| !is_html) {
            return Err(what.to_owned());
        }
        Self::by_content(bytes).ok_or_else(|| "neither HTML nor a MIME message nor text, by its first bytes".to_owned())
    }

    /// Guesses the kind from the first 1,024 bytes. Returns `None` if the bytes contain a NUL and are not UTF-16, since text
    /// contains no NUL.
    fn by_content(bytes: &[u8]) -> Option<Self> {
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
            return Some(if begins_with_url(&start[1..]) { Self::Text } else { Self::Html });
        }
        let name = start.split_once(':').map(|(name, _)| name.to_ascii_lowercase());
        if name.is_some_and(|name| FIELDS.contains(&name.as_bytes())) || start.starts_with("From ") {
            return Some(Self::Mime);
        }
        Some(Self::Text)
    }
}

/// Returns whether `text`, which follows `<`, begins with a URL in plain text, such as `URL:x` or `http://h/`, and not with the name
/// of a tag.
fn begins_with_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let is_scheme = scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    let is_known = ["url", "mailto", "news"].iter().any(|name| scheme.eq_ignore_ascii_case(name));
    is_scheme && (is_known || rest.starts_with("//"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::DocumentKind::{self, Html, Mime, Text};

    #[test]
    fn the_kind_is_detected_from_the_first_bytes() {
        for (bytes, kind) in [
            (&b"  <!doctype html>"[..], Some(Html)),
            (b"\xff\xfe<\0h\0t\0m\0l\0>\0", Some(Html)),
            (b"\xef\xbb\xbf<a href=x>", Some(Html)),
            (b"MIME-Version: 1.0\r\n", Some(Mime)),
            (b"Note: this is text", Some(Text)),
            (b"<URL:http://a/>", Some(Text)),
            (b"<http://a/>", Some(Text)),
            (b"<o:p>x", Some(Html)),
            (b"<1", Some(Text)),
            (b"", Some(Text)),
            (b"[1] http://a/", Some(Text)),
            (b"{http://a/} is a set: of one", Some(Text)),
            (b"It is in {a: b; c}, http://a/", Some(Text)),
            (b"\x7fELF\0\0", None),
        ] {
            assert_eq!(DocumentKind::detect(None, bytes).ok(), kind, "{bytes:?}");
        }
    }

    #[test]
    fn documents_of_other_kinds_are_named() {
        for (name, text, expected) in [
            (
                "",
                "<?xml version='1.0'?><!-- <html> --><feed xmlns='http://www.w3.org/2005/Atom' xml:base='http://h/'>",
                "an Atom feed",
            ),
            ("a.html", "<feed xmlns='http://www.w3.org/2005/Atom'><link href='x'/>", "an Atom feed"),
            ("a.xml", "<rss version='2.0'>", "an RSS feed"),
            ("", "<!DOCTYPE x [ <!ENTITY y \"z\"> ]>\n<x xmlns=\"u:v\">", "XML with the root element x"),
            ("", "<?xml version='1.0'?>\n<w:document>", "XML with the root element w:document"),
            ("a.svg", "<svg><a href='x'/></svg>", "an SVG image"),
            ("a.xml", "", "XML"),
            ("README.md", "[a](b) <http://h/>", "Markdown"),
            ("a.md", "<a href=x>", "Markdown"),
            ("", "#EXTM3U\nlow.m3u8\n", "an HLS playlist"),
            ("a.M3U8", "low/x.ts", "an HLS playlist"),
            ("", "/* a */ body, a:hover { background: url(x.png) }", "CSS"),
            ("", "@import url(x.css);", "CSS"),
            ("a.css", "", "CSS"),
            ("", " {\n \"url\": \"x\"", "JSON"),
            ("", "[{\"url\": \"x\"}, ", "JSON"),
            ("a.html", "%PDF-1.7", "a PDF document"),
        ] {
            let path = (!name.is_empty()).then(|| Path::new(name));
            assert_eq!(DocumentKind::detect(path, text.as_bytes()), Err(expected.to_owned()), "{name} {text}");
        }
    }

    #[test]
    fn html_and_text_are_read_whatever_they_contain() {
        for (name, text, kind) in [
            ("", "<?xml version='1.0'?><!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'x'><html>", Html),
            ("a.xml", "<html xmlns='http://www.w3.org/1999/xhtml'>", Html),
            ("a.xhtml", "<?xml version='1.0'?><h:html xmlns:h='http://www.w3.org/1999/xhtml'>", Html),
            ("a.html", "<svg xmlns='http://www.w3.org/2000/svg'></svg><a href=x>", Html),
            ("", "<p xmlns='http://www.w3.org/1999/xhtml'>", Html),
            ("a.php", "<div><a href=x>", Html),
            ("a.html", "{\"a\": 1}", Html),
            ("a.txt", "{\"a\": \"http://h/\"}", Text),
            ("a.txt", "<?xml version='1.0'?><feed>", Text),
            ("README", "see http://h/", Text),
            ("a.log", "GET http://h/", Text),
            ("a.eml", "<a>", Mime),
        ] {
            let path = (!name.is_empty()).then(|| Path::new(name));
            assert_eq!(DocumentKind::detect(path, text.as_bytes()), Ok(kind), "{name} {text}");
        }
    }
}
