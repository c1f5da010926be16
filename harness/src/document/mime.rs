//! MIME messages: their parts, and the base that each has of its own header or of what encloses it.
//!
//! Header fields, media types and base64 are `mail-parser`'s to read. The parts are found here, line by line with the open
//! boundaries in a table: that library keeps messages within messages, whose end is a recursion as deep as they are, and lets
//! an inner multipart that is not closed run over the end of the outer.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::LazyLock;

use mail_parser::decoders::base64::base64_decode;
use mail_parser::{HeaderName, HeaderValue, MessageParser};

use super::{DocumentError, Event, Link, Part, Place, Reader, Stated, Told, html, stated, text};

/// A header that is longer is refused.
const MAX_HEADER: usize = 1 << 20;

/// A media type with more parameters than fit here is none: merging those that are continued takes their number squared.
const MAX_MEDIA_TYPE: usize = 16 << 10;

/// A message with more parts is read up to there.
const MAX_PARTS: usize = 100_000;

/// How deep a part may be enclosed for its place to be written out; each place is as long as it is deep.
const MAX_PLACE: usize = 32;

/// How deep messages are read that are themselves encoded within a message. RFC 2045 §6.4 forbids even one.
const MAX_ENCODED: usize = 8;

pub(super) fn read(reader: &Reader<'_>, bytes: &[u8], told: Told<'_>) -> Result<(), DocumentError> {
    let mut reading = Reading { reader, told, parts: 0 };
    let top = Enclosing { base: None, path: "".into(), depth: 0, number: 0 };
    // Messages that were encoded are read when their place has come; each holds what it was decoded to.
    let mut open =
        vec![Decoded { bytes: Cow::Borrowed(bytes), scan: Scan::default(), at: 0, enclosing: top, known: Vec::new() }];
    if let Some(first) = open.last_mut() {
        first.scan = Scan::of(&first.bytes)?;
    }
    while let Some(decoded) = open.last_mut() {
        let Some(entity) = decoded.scan.entities.get(decoded.at).cloned() else {
            open.pop();
            continue;
        };
        decoded.at += 1;
        let Some(within) = reading.entity(decoded, &entity)? else { continue };
        if open.len() > MAX_ENCODED {
            (reading.told)(Event::Note("a message encoded within more than 8 that are encoded too: it is not read"))?;
            continue;
        }
        let scan = Scan::of(&within.0)?;
        open.push(Decoded { bytes: Cow::Owned(within.0), scan, at: 0, enclosing: within.1, known: Vec::new() });
    }
    Ok(())
}

/// A message that is read, and how far.
struct Decoded<'b> {
    bytes: Cow<'b, [u8]>,
    scan: Scan,
    at: usize,
    enclosing: Enclosing,
    /// What its entities pass on to their parts, in their order.
    known: Vec<Enclosing>,
}

/// What an entity passes on to its parts.
#[derive(Clone)]
struct Enclosing {
    /// Its base; `None` above the outermost.
    base: Option<Rc<str>>,
    path: Rc<str>,
    depth: usize,
    /// How many parts have been counted.
    number: usize,
}

impl Enclosing {
    /// The place of its next part, which is the `count`th of all.
    fn next_path(&mut self, count: usize) -> String {
        if self.base.is_none() {
            return String::new();
        }
        self.number += 1;
        match (self.path.is_empty(), self.depth < MAX_PLACE) {
            (true, _) => self.number.to_string(),
            (_, true) => format!("{}.{}", self.path, self.number),
            (_, false) => format!("#{count}"),
        }
    }
}

/// Takes every field as it stands; one has to be named for the default to hold.
static RAW: LazyLock<MessageParser> =
    LazyLock::new(|| MessageParser::new().header_raw(HeaderName::ContentType).default_header_raw());

/// Takes media types apart.
static MEDIA_TYPE: LazyLock<MessageParser> =
    LazyLock::new(|| MessageParser::new().header_content_type(HeaderName::ContentType));

/// A header, as far as it matters here.
#[derive(Clone, Debug, Default)]
struct Header {
    media_type: Option<String>,
    boundary: Option<String>,
    charset: Option<String>,
    transfer: String,
    /// Every field, with line folding.
    fields: Vec<(String, String)>,
    too_long: bool,
}

impl Header {
    fn of(block: &[u8]) -> Self {
        let Some(message) = RAW.parse_headers(&block) else { return Self::default() };
        let fields: Vec<_> = message.parts.first().into_iter().flat_map(|part| &part.headers).collect();
        let text = |value: &HeaderValue<'_>| value.as_text().unwrap_or_default().to_owned();
        let mut header = Self {
            fields: fields.iter().map(|field| (field.name.as_str().to_owned(), text(&field.value))).collect(),
            ..Self::default()
        };
        header.transfer = header.value("Content-Transfer-Encoding").unwrap_or_default().trim().to_ascii_lowercase();
        let Some(value) = header.value("Content-Type") else { return header };
        if value.len() > MAX_MEDIA_TYPE {
            header.too_long = true;
            header.media_type = Some("application/octet-stream".to_owned());
            return header;
        }
        let field = format!("Content-Type: {value}\r\n\r\n");
        let parsed = MEDIA_TYPE.parse_headers(field.as_bytes());
        let kind = parsed.as_ref().and_then(|message| message.parts.first()?.headers.first()?.value.as_content_type());
        if let Some(kind) = kind {
            let subtype = kind.subtype().unwrap_or_default();
            header.media_type = Some(format!("{}/{subtype}", kind.ctype()).to_ascii_lowercase());
            header.boundary = kind.attribute("boundary").map(str::to_owned);
            header.charset = kind.attribute("charset").map(str::to_owned);
        }
        header
    }

    fn value(&self, name: &'static str) -> Option<&str> {
        self.values(name).next()
    }

    fn values<'h>(&'h self, name: &'h str) -> impl Iterator<Item = &'h str> {
        self.fields.iter().filter(move |field| field.0.eq_ignore_ascii_case(name)).map(|field| field.1.as_str())
    }

    fn is_encoded(&self) -> bool {
        matches!(self.transfer.as_str(), "base64" | "quoted-printable")
    }
}

/// A message or a part of one.
#[derive(Clone, Debug)]
struct Entity {
    parent: Option<usize>,
    header: Rc<Header>,
    media_type: Rc<str>,
    body: Range<usize>,
    content: Content,
}

/// What stands in an entity's body.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Content {
    /// Parts, which follow.
    Parts,
    /// An encoded message.
    Encoded,
    /// A document.
    Document,
}

/// The entities of a message in order, each behind what encloses it.
#[derive(Default)]
struct Scan {
    entities: Vec<Entity>,
    /// Whether there were more.
    is_cut: bool,
}

/// The entities that are open where a line is read.
struct Opened<'b> {
    bytes: &'b [u8],
    at: usize,
    /// Each with its boundary, if it is a multipart.
    stack: Vec<(usize, Option<Vec<u8>>)>,
    /// Where in the stack a boundary stands; the innermost last.
    boundaries: HashMap<Vec<u8>, Vec<usize>>,
    /// The entity whose body is read and that has no parts.
    leaf: Option<usize>,
    scan: Scan,
}

impl Scan {
    fn of(bytes: &[u8]) -> Result<Self, DocumentError> {
        let scan = Self::default();
        let mut opened = Opened { bytes, at: 0, stack: Vec::new(), boundaries: HashMap::new(), leaf: None, scan };
        opened.begin(None)?;
        while let Some(line) = opened.next_line() {
            let Some((depth, ends)) = opened.delimiter(&line) else { continue };
            opened.close(depth + 1, line.start);
            if ends {
                opened.close(depth, line.end);
            } else if opened.scan.entities.len() == MAX_PARTS {
                opened.scan.is_cut = true;
                break;
            } else {
                opened.begin(Some(depth))?;
            }
        }
        opened.close(0, bytes.len());
        Ok(opened.scan)
    }
}

impl Opened<'_> {
    /// The next line, with its end.
    fn next_line(&mut self) -> Option<Range<usize>> {
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
        let line = self.at..self.at + length;
        self.at = line.end;
        Some(line)
    }

    /// Of which multipart a line is the delimiter, and whether it ends that.
    fn delimiter(&self, line: &Range<usize>) -> Option<(usize, bool)> {
        let line = self.bytes[line.clone()].strip_prefix(b"--")?.trim_ascii_end();
        let innermost = |boundary: &[u8]| self.boundaries.get(boundary).and_then(|depths| depths.last()).copied();
        if let Some(depth) = innermost(line) {
            return Some((depth, false));
        }
        innermost(line.strip_suffix(b"--")?).map(|depth| (depth, true))
    }

    /// Closes what is open from `depth` on; bodies end at `end`, without the line end before it.
    fn close(&mut self, depth: usize, end: usize) {
        let before = self.bytes[..end].strip_suffix(b"\n").map_or(end, <[u8]>::len);
        let before = self.bytes[..before].strip_suffix(b"\r").map_or(before, <[u8]>::len);
        let leaf = self.leaf.take();
        let inner = self.stack.drain(depth.min(self.stack.len())..);
        for (index, boundary) in inner.chain(leaf.map(|leaf| (leaf, None))) {
            let body = &mut self.scan.entities[index].body;
            body.end = before.max(body.start);
            let depths = boundary.and_then(|boundary| self.boundaries.get_mut(&boundary));
            depths.map(Vec::pop);
        }
    }

    /// Begins an entity, and those that begin with it: a message within it, and so on.
    fn begin(&mut self, depth: Option<usize>) -> Result<(), DocumentError> {
        let mut parent = depth.and_then(|depth| self.stack.get(depth)).map(|open| open.0);
        loop {
            let (header, is_whole) = self.header()?;
            let digest = parent.is_some_and(|parent| &*self.scan.entities[parent].media_type == "multipart/digest");
            let default = if digest { "message/rfc822" } else { "text/plain" };
            let media_type: Rc<str> = header.media_type.as_deref().unwrap_or(default).into();
            let is_message = matches!(&*media_type, "message/rfc822" | "message/global" | "message/news");
            let boundary = header.boundary.clone().filter(|_| media_type.starts_with("multipart/"));
            let content = match (&boundary, is_message) {
                (Some(_), _) => Content::Parts,
                (None, true) if header.is_encoded() => Content::Encoded,
                (None, true) => Content::Parts,
                (None, false) => Content::Document,
            };
            let index = self.scan.entities.len();
            let body = self.at..self.at;
            self.scan.entities.push(Entity { parent, header: Rc::new(header), media_type, body, content });
            if content != Content::Parts {
                self.leaf = Some(index);
                return Ok(());
            }
            let boundary = boundary.map(|boundary| boundary.trim_end().as_bytes().to_owned());
            if let Some(boundary) = &boundary {
                self.boundaries.entry(boundary.clone()).or_default().push(self.stack.len());
            }
            let holds_parts = boundary.is_some();
            self.stack.push((index, boundary));
            if holds_parts || !is_whole {
                return Ok(());
            }
            if self.scan.entities.len() == MAX_PARTS {
                self.scan.is_cut = true;
                return Ok(());
            }
            parent = Some(index);
        }
    }

    /// Reads a header up to its empty line, and whether that was there: a delimiter or the end may come before it.
    fn header(&mut self) -> Result<(Header, bool), DocumentError> {
        let start = self.at;
        let mut is_whole = false;
        let mut end = start;
        while let Some(line) = self.next_line() {
            if self.delimiter(&line).is_some() {
                self.at = line.start;
                break;
            }
            end = line.end;
            if self.bytes[line].trim_ascii_end().is_empty() && self.is_empty_line(end) {
                is_whole = true;
                break;
            }
            if end - start > MAX_HEADER {
                let line = memchr::memchr_iter(b'\n', &self.bytes[..start]).count() + 1;
                let sentence = format!("the header on line {line} is longer than {MAX_HEADER} bytes");
                return Err(DocumentError::Document(sentence));
            }
        }
        Ok((Header::of(&self.bytes[start..end]), is_whole))
    }

    /// Whether the line that ends at `end` holds nothing but its end: white space alone continues a field.
    fn is_empty_line(&self, end: usize) -> bool {
        let line = self.bytes[..end].strip_suffix(b"\n").unwrap_or(&self.bytes[..end]);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        line.is_empty() || line.ends_with(b"\n")
    }
}

/// Tells what is in each entity.
struct Reading<'a, 'r> {
    reader: &'a Reader<'r>,
    told: Told<'a>,
    parts: usize,
}

impl Reading<'_, '_> {
    /// Tells what is in one entity. If it is an encoded message, that and what it is enclosed in.
    fn entity(
        &mut self,
        message: &mut Decoded<'_>,
        entity: &Entity,
    ) -> Result<Option<(Vec<u8>, Enclosing)>, DocumentError> {
        let enclosing = match entity.parent {
            Some(parent) => &mut message.known[parent],
            None => &mut message.enclosing,
        };
        let path = enclosing.next_path(self.parts);
        let depth = enclosing.depth + 1;
        let outer = enclosing.base.clone();
        let own = self.own_bases(&entity.header);
        let (base, trace) = self.reader.establish(&own, outer.as_deref());
        let url: Rc<str> = base.url.as_str().into();
        let pass_on = Enclosing { base: Some(url.clone()), path: path.as_str().into(), depth, number: 0 };
        message.known.push(pass_on.clone());
        self.parts += 1;
        let body = &message.bytes[entity.body.clone()];
        let place = Place {
            path: &path,
            media_type: &entity.media_type,
            charset: entity.header.charset.as_deref(),
            own: &own,
            enclosing: outer.as_deref(),
        };
        let mut within = None;
        match (entity.content, &*entity.media_type) {
            (Content::Document, "text/html" | "application/xhtml+xml") => {
                let (body, note) = decode(&entity.header, body);
                html::read(self.reader, &body, &place, self.told)?;
                self.note(note)?;
            }
            (Content::Document, kind) if kind.starts_with("text/") => {
                let (body, note) = decode(&entity.header, body);
                text::read(self.reader, &body, &place, self.told)?;
                self.note(note)?;
            }
            (content, _) => {
                let media_type = entity.media_type.to_string();
                (self.told)(Event::Part(&Part {
                    path: path.clone(),
                    media_type,
                    encoding: "",
                    stated: own.clone(),
                    base,
                    trace,
                }))?;
                if content == Content::Encoded {
                    let (body, note) = decode(&entity.header, body);
                    self.note(note)?;
                    within = Some((body.into_owned(), pass_on));
                }
            }
        }
        self.remarks(message, entity)?;
        self.header_links(&entity.header, &url)?;
        Ok(within)
    }

    /// What the reader of a message should know about an entity.
    fn remarks(&mut self, message: &Decoded<'_>, entity: &Entity) -> Result<(), DocumentError> {
        if entity.media_type.starts_with("multipart/") && entity.content == Content::Document {
            self.note(Some("a multipart without a boundary: its parts cannot be told"))?;
        }
        if entity.header.too_long {
            self.note(Some("a Content-Type of more than 16384 bytes: it is not read"))?;
        }
        if message.scan.is_cut && message.known.len() == MAX_PARTS {
            self.note(Some("more than 100000 parts: those behind this one are not read"))?;
        }
        Ok(())
    }

    fn note(&mut self, note: Option<&str>) -> Result<(), DocumentError> {
        note.map_or(Ok(()), |note| Ok((self.told)(Event::Note(note))?))
    }

    /// The bases that a header states by the revision's rules, the stronger first.
    fn own_bases(&self, header: &Header) -> Vec<Stated> {
        let mut own = Vec::new();
        for field in self.reader.precedence.headers {
            for value in header.values(field.name) {
                let url = field.url(value);
                own.push(stated(format!("{} header", field.name), value, url.as_deref().map_err(|why| *why)));
            }
        }
        own
    }

    /// The links in a header itself; they are relative to the base of what the header is for.
    fn header_links(&mut self, header: &Header, base: &str) -> Result<(), DocumentError> {
        for name in ["Content-Location", "Location"] {
            for value in header.values(name) {
                let reference: String = value.chars().filter(|c| !c.is_whitespace()).collect();
                let place = format!("{name} header").into();
                let reference = reference.into();
                let revision = self.reader.revision;
                (self.told)(Event::Link(&Link { line: 0, place, reference, candidate: None, base, revision }))?;
            }
        }
        Ok(())
    }
}

/// A body as it was before it was encoded for its way, and what was wrong with that.
fn decode<'b>(header: &Header, body: &'b [u8]) -> (Cow<'b, [u8]>, Option<&'static str>) {
    match header.transfer.as_str() {
        "base64" => match base64_decode(body) {
            Some(decoded) => (Cow::Owned(decoded), None),
            None => {
                let known = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
                let known: Vec<u8> = body.iter().copied().filter(known).collect();
                let decoded = base64_decode(&known).unwrap_or_default();
                (Cow::Owned(decoded), Some("its base64 has other characters in it: they are passed over"))
            }
        },
        "quoted-printable" => match quoted_printable::decode(body, quoted_printable::ParseMode::Robust) {
            Ok(decoded) => (Cow::Owned(decoded), None),
            Err(_) => (Cow::Borrowed(body), Some("its quoted-printable is out of order: it is read as it stands")),
        },
        "" | "7bit" | "8bit" | "binary" => (Cow::Borrowed(body), None),
        _ => (Cow::Borrowed(body), Some("its transfer encoding is unknown: it is read as it stands")),
    }
}

#[cfg(test)]
mod tests {
    use super::Header;

    #[test]
    fn a_media_type_has_its_parameters() {
        let header = Header::of(
            b"MIME-Version: 1.0\r\nContent-Type: Multipart/Mixed;\r\n boundary=\"a b\"; charset=UTF-8\r\n\r\n",
        );
        assert_eq!(header.media_type.as_deref(), Some("multipart/mixed"), "{header:?}");
        assert_eq!(header.boundary.as_deref(), Some("a b"));
        assert_eq!(header.charset.as_deref(), Some("UTF-8"));
    }
}
