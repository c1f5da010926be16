//! MIME messages: their parts, and the base that each has of its own header or of what encloses it.
//!
//! Header fields, media types and base64 are `mail-parser`'s to read. The parts are found here, line by line with the open
//! boundaries in a table: that library keeps messages within messages, whose end is a recursion as deep as they are, and lets
//! an inner multipart that is not closed run over the end of the outer.

use std::borrow::Cow;
use std::rc::Rc;

use mail_parser::decoders::base64::base64_decode;

use super::{DocumentError, Event, EventSink, Link, Part, Place, Reader, StatedBase, html, stated, text};

mod header;
mod scan;

use header::{Header, MAX_MEDIA_TYPE};
use scan::{Content, Entity, Scan};

/// A message with more parts is read up to there.
const MAX_PARTS: usize = 100_000;

/// How deep a part may be enclosed for its place to be written out; each place is as long as it is deep.
const MAX_PLACE: usize = 32;

/// How deep messages are read that are themselves encoded within a message. RFC 2045 §6.4 forbids even one.
const MAX_ENCODED: usize = 8;

pub(super) fn read(reader: &Reader<'_>, bytes: &[u8], sink: EventSink<'_>) -> Result<(), DocumentError> {
    let mut specification = Specification { reader, sink, parts: 0 };
    let top = Enclosing { base: None, path: "".into(), depth: 0, number: 0 };
    // Messages that were encoded are read when their place has come; each holds what it was decoded to.
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

/// Tells what is in each entity.
struct Specification<'a, 'r> {
    reader: &'a Reader<'r>,
    sink: EventSink<'a>,
    parts: usize,
}

impl Specification<'_, '_> {
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
        // One string for all parts that have the same base.
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
            (Content::Document, kind) if kind.starts_with("text/") => {
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
        self.remarks(message, entity)?;
        self.header_links(&entity.header, &url)?;
        Ok(within)
    }

    /// What the reader of a message should know about an entity.
    fn remarks(&mut self, message: &Decoded<'_>, entity: &Entity) -> Result<(), DocumentError> {
        if entity.media_type.starts_with("multipart/") && entity.content == Content::Document {
            self.note(Some("a multipart without a boundary: its parts cannot be sink"))?;
        }
        if entity.header.too_long {
            self.note(Some(&format!("a Content-Type of more than {MAX_MEDIA_TYPE} bytes: it is not read")))?;
        }
        if message.scan.is_cut && message.known.len() == MAX_PARTS {
            self.note(Some(&format!("more than {MAX_PARTS} parts: those behind this one are not read")))?;
        }
        Ok(())
    }

    fn note(&mut self, note: Option<&str>) -> Result<(), DocumentError> {
        note.map_or(Ok(()), |note| Ok((self.sink)(Event::Note(note))?))
    }

    /// The bases that a header states by the revision's rules, the stronger first.
    fn own_bases(&self, header: &Header) -> Vec<StatedBase> {
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
                (self.sink)(Event::Link(&Link { line: 0, place, reference, candidate: None, base, revision }))?;
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
