//! A page of a WARC file, and the events that its bases and links cause.

use std::borrow::Cow;

use super::Offset;
use crate::{DocumentError, Event, EventSink, Link, MAX_BASE, Part, Place, Reader, StatedBase, html, stated};

/// An HTML page in a WARC file. [`Reader::read_page`] reads its links.
#[derive(Debug)]
pub struct Page {
    pub(super) offset: Offset,
    pub(super) url: String,
    pub(super) media_type: String,
    /// The fields of its HTTP header that state bases or hold links.
    pub(super) fields: Vec<(String, String)>,
    pub(super) content: Content,
}

#[derive(Debug)]
pub(super) enum Content {
    /// The text of the page, with the encoding that the header states.
    Html { bytes: Vec<u8>, charset: Option<String> },
    /// The base and the links that a WAT record contains.
    Extracted { base: Option<String>, links: Vec<ExtractedLink> },
}

/// A link of a WAT record.
#[derive(Debug)]
pub(super) struct ExtractedLink {
    /// The element and the attribute, such as `a href`.
    pub(super) place: String,
    pub(super) reference: String,
}

impl Page {
    /// Returns the place of the record.
    pub fn offset(&self) -> Offset {
        self.offset
    }

    /// Returns the URL from which the page was retrieved; empty if the record has none.
    pub fn url(&self) -> &str {
        &self.url
    }

    fn values<'p>(&'p self, name: &'p str) -> impl Iterator<Item = &'p str> {
        self.fields.iter().filter(move |field| field.0.eq_ignore_ascii_case(name)).map(|field| field.1.as_str())
    }
}

impl Reader<'_> {
    /// Reads a page of a WARC file and calls `sink` with each event, in document order.
    ///
    /// The page is one part. Its path is `@` and its place. The page was retrieved from its own URL if that is absolute,
    /// otherwise from the URL of this reader.
    ///
    /// # Errors
    ///
    /// Returns an error if `sink` returns an error. Events before the error have already been reported.
    pub fn read_page(&self, page: &Page, sink: EventSink<'_>) -> Result<(), DocumentError> {
        let is_usable = self.precedence.is_none_or(|it| it.is_absolute(&page.url)) && page.url.len() <= MAX_BASE;
        let reader = if is_usable { self.retrieved_from(&page.url) } else { *self };
        let path = format!("@{}", page.offset);
        let own = reader.header_bases(|name| page.values(name).collect());
        match &page.content {
            Content::Html { bytes, charset } => {
                let (media_type, charset) = (&*page.media_type, charset.as_deref());
                let place = Place { path: &path, media_type, charset, own: &own, enclosing: None };
                html::read(&reader, bytes, &place, sink)?;
            }
            Content::Extracted { base, links } => {
                read_extracted(&reader, page, path, base.as_deref(), links, &own, sink)?;
            }
        }
        if !is_usable {
            let why =
                if page.url.is_empty() { "the record has no URL" } else { "the URL of the record is not absolute" };
            sink(Event::Note(why))?;
        }
        let (base, _) = reader.establish(&own, None);
        reader.header_links(|name| page.values(name).collect(), &base.url, sink)
    }
}

fn read_extracted(
    reader: &Reader<'_>,
    page: &Page,
    path: String,
    base: Option<&str>,
    links: &[ExtractedLink],
    own: &[StatedBase],
    sink: EventSink<'_>,
) -> Result<(), DocumentError> {
    let element = base.map(|href| stated("BASE".to_owned(), href, Ok(href.trim())));
    let stated: Vec<_> = element.into_iter().chain(own.iter().cloned()).collect();
    let (base, trace) = reader.establish(&stated, None);
    let part = Part { path, media_type: page.media_type.clone(), encoding: "", stated, base, trace };
    sink(Event::Part(&part))?;
    reader.recommend(&part.base.url, sink)?;
    for link in links {
        sink(Event::Link(&Link {
            line: 0,
            place: Cow::Borrowed(&link.place),
            reference: Cow::Borrowed(&link.reference),
            candidate: None,
            base: &part.base.url,
            revision: reader.revision,
        }))?;
    }
    Ok(())
}
