//! HTML: finds BASE in the HEAD, and every attribute that holds a URL.
//!
//! The parser is a tokenizer without a tree builder. It keeps no stack of open elements, so deep nesting and unmatched
//! end tags cost nothing. URLs within scripts and style sheets are not found. The content of NOSCRIPT is read, as by a
//! browser without scripts.

use std::borrow::Cow;
use std::io;

use urlstrata_outcome::plural::counted;

use super::{DocumentError, Event, EventSink, Lines, Link, Part, Place, Reader, StatedBase, charset, stated};

mod attributes;
mod tokens;

pub(super) use attributes::refresh;
pub use attributes::{ATTRIBUTES, Attribute, Form};
use attributes::{is_white_space, sources};
use tokens::{Tag, Token, tokenize};

/// The number of unused BASE elements that are reported individually. Further ones are only counted.
const LISTED: usize = 10;

pub(super) fn read(
    reader: &Reader<'_>,
    bytes: &[u8],
    place: &Place<'_>,
    sink: EventSink<'_>,
) -> Result<(), DocumentError> {
    let declared = if place.charset.is_none() { declared_charset(bytes) } else { None };
    let (text, encoding) = charset::decode(bytes, &[place.charset, declared]);
    let (mut stated, unlisted) = bases(reader, &text);
    stated.extend_from_slice(place.own);
    let (base, trace) = reader.establish(&stated, place.enclosing);
    let (path, media_type) = (place.path.to_owned(), place.media_type.to_owned());
    let part = Part { path, media_type, encoding, stated, base, trace };
    sink(Event::Part(&part))?;
    reader.recommend(&part.base.url, sink)?;
    if unlisted > 0 {
        let more = counted(unlisted, "more BASE element is", "more BASE elements are");
        sink(Event::Note(&format!("{more} not the base")))?;
    }
    let mut links = Links {
        reader,
        base: &part.base.url,
        lines: Lines::new(&text),
        sink,
        failed: None,
        head: Head::default(),
        late: 0,
        xml: None,
    };
    tokenize(&text, |tag| links.take(tag));
    links.count_late();
    links.count_xml();
    links.failed.map_or(Ok(()), |error| Err(error.into()))
}

/// Returns the references in the value of an attribute, for a link that another program extracted. An attribute that is not
/// in [`ATTRIBUTES`] contains one.
pub(super) fn references<'v>(element: &str, name: &str, value: &'v str) -> Box<dyn Iterator<Item = &'v str> + 'v> {
    match attributes::find(element, name).map(|attribute| attribute.form) {
        Some(Form::Several) => Box::new(value.split(is_white_space).filter(|url| !url.is_empty())),
        Some(Form::SrcSet) => Box::new(sources(value)),
        Some(Form::One | Form::Refresh) | None => Box::new(std::iter::once(value.trim_matches(is_white_space))),
    }
}

/// Returns the character encoding that a META within the first 1,024 bytes declares.
fn declared_charset(bytes: &[u8]) -> Option<&'static str> {
    let start: String =
        bytes.iter().take(1024).map(|&byte| if byte.is_ascii() { char::from(byte) } else { '?' }).collect();
    let mut found = None;
    tokenize(&start, |tag| {
        if let Token::Start(tag) = tag
            && tag.name == b"meta"
            && found.is_none()
        {
            let by_type = tag.value("http-equiv").is_some_and(|value| value.eq_ignore_ascii_case("content-type"));
            let content = tag.value("content").filter(|_| by_type);
            let label = tag.value("charset").or_else(|| content.and_then(charset_parameter).map(str::to_owned));
            found = label.and_then(|label| charset::label_within(label.trim()));
        }
        found.is_none()
    });
    found
}

/// Returns the name of the encoding that `charset=` declares in a media type.
fn charset_parameter(content: String) -> Option<&'static str> {
    let at = content.to_ascii_lowercase().find("charset")?;
    let value = content[at + "charset".len()..].trim_start().strip_prefix('=')?.trim_start();
    let value = value.trim_start_matches(['"', '\'']);
    let end = value.find(|c: char| c.is_ascii_whitespace() || matches!(c, ';' | '"' | '\'')).unwrap_or(value.len());
    charset::label_within(&value[..end])
}

/// Returns the statements of the BASE elements in the HEAD, in order, and the number of elements that were left out.
/// Elements after the first [`LISTED`] that cannot be the base are left out.
fn bases(reader: &Reader<'_>, text: &str) -> (Vec<StatedBase>, usize) {
    let (mut found, mut unlisted) = (Vec::new(), 0);
    let mut has_one = false;
    let mut head = Head::default();
    let mut lines = Lines::new(text);
    tokenize(text, |token| {
        head.see(&token);
        if let Token::Start(tag) = &token
            && tag.name == b"base"
            && !head.is_over
            && let Some(href) = tag.value("href")
        {
            let line = lines.line(tag.at);
            let statement = stated(format!("BASE on line {line}"), &href, Ok(href.trim_matches(is_white_space)));
            let is_one = !has_one
                && statement.url.as_ref().is_ok_and(|url| reader.precedence.is_some_and(|it| it.is_absolute(url)));
            has_one |= is_one;
            if is_one || found.len() < LISTED {
                found.push(statement);
            } else {
                unlisted += 1;
            }
        }
        !head.is_over
    });
    (found, unlisted)
}

/// The end of the HEAD, whose end tag is optional in HTML.
#[derive(Debug, Default)]
struct Head {
    is_over: bool,
    /// The number of open elements that a HEAD may contain and that have content of their own, such as TITLE and
    /// SCRIPT.
    open: usize,
}

impl Head {
    fn see(&mut self, token: &Token<'_>) {
        const EMPTY: [&[u8]; 9] =
            [b"html", b"head", b"base", b"basefont", b"bgsound", b"link", b"meta", b"isindex", b"nextid"];
        const HOLDING: [&[u8]; 6] = [b"title", b"style", b"script", b"noscript", b"noframes", b"template"];
        match token {
            Token::Start(tag) if HOLDING.contains(&tag.name) => self.open += 1,
            Token::Start(tag) => self.is_over |= self.open == 0 && !EMPTY.contains(&tag.name),
            Token::End(name) if HOLDING.contains(name) => self.open = self.open.saturating_sub(1),
            Token::End(name) => self.is_over |= [&b"head"[..], b"body", b"html", b"br"].contains(name),
            Token::Text(text) => self.is_over |= self.open == 0 && !text.iter().all(u8::is_ascii_whitespace),
        }
    }
}

/// Reports every link of a document to the event sink.
struct Links<'a, 'r> {
    reader: &'a Reader<'r>,
    base: &'a str,
    lines: Lines<'a>,
    sink: EventSink<'a>,
    failed: Option<io::Error>,
    head: Head,
    /// The number of BASE elements after the end of the HEAD.
    late: usize,
    /// The number of elements with `xml:base`, and the line of the first.
    xml: Option<(usize, usize)>,
}

impl Links<'_, '_> {
    /// Reports the links of a token. Returns whether to read the next token.
    fn take(&mut self, token: Token<'_>) -> bool {
        self.head.see(&token);
        let Token::Start(tag) = token else { return true };
        if tag.value("xml:base").is_some() {
            let (count, line) = self.xml.unwrap_or_else(|| (0, self.lines.line(tag.at)));
            self.xml = Some((count + 1, line));
        }
        let sink = match tag.name {
            b"base" => self.base_behind_head(&tag),
            _ => tag.attributes.iter().try_for_each(|(name, value)| self.attribute(&tag, name, value)),
        };
        self.failed = sink.err();
        self.failed.is_none()
    }

    fn base_behind_head(&mut self, tag: &Tag<'_>) -> io::Result<()> {
        if !self.head.is_over || tag.value("href").is_none() {
            return Ok(());
        }
        self.late += 1;
        if self.late > LISTED {
            return Ok(());
        }
        let line = self.lines.line(tag.at);
        (self.sink)(Event::Note(&format!("the BASE on line {line} is outside the HEAD, so it is not a base")))
    }

    /// Reports the number of BASE elements after the HEAD that were not reported individually.
    fn count_late(&mut self) {
        if self.failed.is_none() && self.late > LISTED {
            let more = counted(self.late - LISTED, "more BASE element is", "more BASE elements are");
            let sentence = format!("{more} outside the HEAD");
            self.failed = (self.sink)(Event::Note(&sentence)).err();
        }
    }

    /// Reports the attributes that are bases in XML alone.
    fn count_xml(&mut self) {
        if let Some((count, line)) = self.xml.filter(|_| self.failed.is_none()) {
            let elements = counted(count, "element has", "elements have");
            let sentence = format!(
                "{elements} xml:base, the first on line {line}: it is not a base in HTML, but a reader of XML resolves the links within by it"
            );
            self.failed = (self.sink)(Event::Note(&sentence)).err();
        }
    }

    fn attribute(&mut self, tag: &Tag<'_>, name: &[u8], value: &[u8]) -> io::Result<()> {
        let Ok(name) = std::str::from_utf8(name) else { return Ok(()) };
        let Ok(element) = std::str::from_utf8(tag.name) else { return Ok(()) };
        let Some(attribute) = attributes::find(element, name) else { return Ok(()) };
        let value = String::from_utf8_lossy(value);
        let line = self.lines.line(tag.at);
        let place = format!("{element} {name}");
        let mut tell = |reference: &str| {
            (self.sink)(Event::Link(&Link {
                line,
                place: Cow::Borrowed(&place),
                reference: Cow::Borrowed(reference),
                candidate: None,
                base: self.base,
                revision: self.reader.revision,
            }))
        };
        match attribute.form {
            Form::One => tell(value.trim_matches(is_white_space)),
            Form::Several => value.split(is_white_space).filter(|url| !url.is_empty()).try_for_each(tell),
            Form::SrcSet => sources(&value).try_for_each(tell),
            Form::Refresh => {
                let refreshes = tag.value("http-equiv").is_some_and(|value| value.eq_ignore_ascii_case("refresh"));
                refresh(&value).filter(|_| refreshes).map_or(Ok(()), &mut tell)
            }
        }
    }
}
