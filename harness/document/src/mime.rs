//! MIME messages: their parts, and the base of each part from its own header or from the entity that encloses it.
//!
//! The `mail-parser` crate parses header fields, media types and base64. The parts are found by this module, line by
//! line, with a table of the open boundaries. `mail-parser` is not used for the parts, because it drops nested messages
//! recursively, as deep as they are nested. It also lets an unclosed inner multipart run past the end of the outer
//! multipart.

use std::borrow::Cow;
use std::rc::Rc;

use mail_parser::decoders::base64::base64_decode;

use super::{DocumentError, Event, EventSink, Part, Place, Reader, html, text};

mod header;
mod scan;

use header::{Header, MAX_MEDIA_TYPE};
use scan::{Content, Entity, Scan};

/// The maximum number of parts that are read from a message.
const MAX_PARTS: usize = 100_000;

/// The maximum depth at which the path of a part is written out, since the length of a path grows with its depth.
const MAX_PLACE: usize = 32;

/// The maximum depth of encoded messages within messages. RFC 2045 §6.4 does not allow base64 or quoted-printable for a
/// message at all.
const MAX_ENCODED: usize = 8;

pub(super) fn read(reader: &Reader<'_>, bytes: &[u8], sink: EventSink<'_>) -> Result<(), DocumentError> {
    let mut specification = Specification { reader, sink, parts: 0 };
    let top = Enclosing { base: None, path: "".into(), depth: 0, number: 0 };
    // An encoded message is read when it is reached. Each entry holds the decoded bytes.
    let scan = Scan::of(bytes)?;
    let mut open = vec![Decoded { bytes: Cow::Borrowed(bytes), scan, at: 0, enclosing: top, known: Vec::new() }];
    while let Some(decoded) = open.last_mut() {
        let Some(entity) = decoded.scan.entities.get(decoded.at).cloned() else {
            open.pop();
            continue;
        };
        decoded.at += 1;
        let Some(within) = specification.entity(decoded, &entity)? else { continue };
        if open.len() > MAX_ENCODED {
            let sentence = format!("a message encoded within {MAX_ENCODED} that are encoded too: it is not read");
            (specification.sink)(Event::Note(&sentence))?;
            continue;
        }
        let scan = Scan::of(&within.0)?;
        open.push(Decoded { bytes: Cow::Owned(within.0), scan, at: 0, enclosing: within.1, known: Vec::new() });
    }
    Ok(())
}

/// A message that is being read, and the current position in it.
struct Decoded<'b> {
    bytes: Cow<'b, [u8]>,
    scan: Scan,
    at: usize,
    enclosing: Enclosing,
    /// The properties that each entity passes on to its parts, in the order of the entities.
    known: Vec<Enclosing>,
}

/// The properties that an entity passes on to its parts.
#[derive(Clone)]
struct Enclosing {
    /// The base of the entity; `None` outside the outermost entity.
    base: Option<Rc<str>>,
    path: Rc<str>,
    depth: usize,
    /// The number of its parts so far.
    number: usize,
}

impl Enclosing {
    /// Returns the path of the next part. `count` is the number of parts of the whole document before it.
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

/// Reports the content of each entity to the event sink.
struct Specification<'a, 'r> {
    reader: &'a Reader<'r>,
    sink: EventSink<'a>,
    parts: usize,
}

impl Specification<'_, '_> {
    /// Reports the content of an entity. If the entity is an encoded message, returns the decoded message and the
    /// properties that the entity passes on to it.
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
        let own = self.reader.header_bases(|name| entity.header.values(name).collect());
        let (base, trace) = self.reader.establish(&own, outer.as_deref());
        // Parts with the same base share a single string.
        let url = outer.clone().filter(|outer| **outer == *base.url).unwrap_or_else(|| base.url.as_str().into());
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
                html::read(self.reader, &body, &place, self.sink)?;
                self.note(note)?;
            }
            (Content::Document, kind) if kind.starts_with("text/") && !has_other_links(kind) => {
                let (body, note) = decode(&entity.header, body);
                text::read(self.reader, &body, &place, self.sink)?;
                self.note(note)?;
            }
            (content, _) => {
                let media_type = entity.media_type.to_string();
                (self.sink)(Event::Part(&Part {
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
        if entity.content == Content::Document && has_other_links(&entity.media_type) {
            self.note(Some("links of this media type are not read, nor a base that it states"))?;
        }
        self.remarks(message, entity)?;
        self.reader.header_links(|name| entity.header.values(name).collect(), &url, self.sink)?;
        Ok(within)
    }

    /// Reports remarks about an entity.
    fn remarks(&mut self, message: &Decoded<'_>, entity: &Entity) -> Result<(), DocumentError> {
        if entity.media_type.starts_with("multipart/") && entity.content == Content::Document {
            self.note(Some("a multipart without a boundary: its parts cannot be found"))?;
        }
        if entity.header.too_long {
            self.note(Some(&format!("a Content-Type of more than {MAX_MEDIA_TYPE} bytes: it is not read")))?;
        }
        if message.scan.is_cut && message.known.len() == MAX_PARTS {
            self.note(Some(&format!("more than {MAX_PARTS} parts: the parts after this one are not read")))?;
        }
        Ok(())
    }

    fn note(&mut self, note: Option<&str>) -> Result<(), DocumentError> {
        note.map_or(Ok(()), |note| Ok((self.sink)(Event::Note(note))?))
    }
}

/// Returns whether documents of a media type have links by rules of their own, and are not read.
fn has_other_links(media_type: &str) -> bool {
    let subtype = media_type.split_once('/').map_or("", |(_, subtype)| subtype);
    let is_xml = subtype == "xml" || subtype.ends_with("+xml") && media_type != "application/xhtml+xml";
    is_xml || matches!(subtype, "css" | "markdown" | "json" | "vnd.apple.mpegurl") || subtype.ends_with("+json")
}

/// Decodes a body by its transfer encoding. Returns the decoded body, and a remark if the encoding is invalid or
/// unknown.
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
            Err(_) => (Cow::Borrowed(body), Some("its quoted-printable is invalid: the text is read undecoded")),
        },
        "" | "7bit" | "8bit" | "binary" => (Cow::Borrowed(body), None),
        _ => (Cow::Borrowed(body), Some("its transfer encoding is unknown: the text is read undecoded")),
    }
}
