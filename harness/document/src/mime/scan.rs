//! The entities of a message, found line by line.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use super::MAX_PARTS;
use super::header::Header;
use crate::DocumentError;

/// The maximum length of a header, in bytes. A message with a longer header is rejected.
const MAX_HEADER: usize = 1 << 20;

/// A message, or a part of a message.
#[derive(Clone, Debug)]
pub(super) struct Entity {
    pub(super) parent: Option<usize>,
    pub(super) header: Rc<Header>,
    pub(super) media_type: Rc<str>,
    pub(super) body: Range<usize>,
    pub(super) content: Content,
}

/// The content of an entity's body.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Content {
    /// Parts, which are the following entities.
    Parts,
    /// An encoded message.
    Encoded,
    /// A document.
    Document,
}

/// The entities of a message in order. Each entity is after the entity that encloses it.
#[derive(Default)]
pub(super) struct Scan {
    pub(super) entities: Vec<Entity>,
    /// Whether the message has more than [`MAX_PARTS`] parts.
    pub(super) is_cut: bool,
}

/// The state of the scan: the entities that are open at the current line.
struct Opened<'b> {
    bytes: &'b [u8],
    at: usize,
    /// The index of each open entity that contains parts, with its boundary if it is a multipart; the innermost entity
    /// is last.
    stack: Vec<(usize, Option<Vec<u8>>)>,
    /// The positions in the stack of the multiparts with each boundary; the innermost is last.
    boundaries: HashMap<Vec<u8>, Vec<usize>>,
    /// The entity whose body is being read, if it contains no parts.
    leaf: Option<usize>,
    scan: Scan,
}

impl Scan {
    pub(super) fn of(bytes: &[u8]) -> Result<Self, DocumentError> {
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
    /// Returns the range of the next line, including its line end.
    fn next_line(&mut self) -> Option<Range<usize>> {
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
        let line = self.at..self.at + length;
        self.at = line.end;
        Some(line)
    }

    /// Returns the position in the stack of the multipart that the line delimits, and whether the line closes that
    /// multipart. Returns `None` if the line is not a delimiter.
    fn delimiter(&self, line: &Range<usize>) -> Option<(usize, bool)> {
        let line = self.bytes[line.clone()].strip_prefix(b"--")?.trim_ascii_end();
        let innermost = |boundary: &[u8]| self.boundaries.get(boundary).and_then(|depths| depths.last()).copied();
        if let Some(depth) = innermost(line) {
            return Some((depth, false));
        }
        innermost(line.strip_suffix(b"--")?).map(|depth| (depth, true))
    }

    /// Closes the open entities from `depth` on. Their bodies end at `end`, without the line end before it.
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

    /// Begins an entity. If it is a message, the entity within the message also begins, and so on.
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

    /// Reads a header, and returns it and whether it ended with an empty line. Without an empty line, the header ends
    /// before the next delimiter or at the end of the message.
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

    /// Returns whether the line that ends at `end` contains only its line end. A line of white space continues a field.
    fn is_empty_line(&self, end: usize) -> bool {
        let line = self.bytes[..end].strip_suffix(b"\n").unwrap_or(&self.bytes[..end]);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        line.is_empty() || line.ends_with(b"\n")
    }
}
