//! Documents: the base of each part by a revision's precedence, and every link with its target.
//!
//! Documents are HTML, MIME messages (also `.mht`) or plain text; [`warc`] reads the pages of a crawl. Nothing recurses, so the depth of nesting is not
//! limited by the stack. Time is linear in the size of the document, except that each link repeats its base of up to
//! [`MAX_BASE`] bytes.
//!
//! Each part is read to its end before the next part, and nothing of it is kept. Memory use is at most a small multiple
//! of the document's size, which is limited to [`MAX_BYTES`].

use std::borrow::Cow;
use std::fmt;
use std::io;

use urlstrata::base::{self, Candidates, Established, LayerResult, Selection};
use urlstrata::context;
use urlstrata::revision::Revision;
use urlstrata::scheme::Subject;
use urlstrata::{Resolution, Trace, base::Layer};

use advice::Advice;

mod advice;
mod charset;
mod html;
mod kind;
mod mime;
mod text;
pub mod warc;

pub use html::{ATTRIBUTES, Attribute, Form};
pub use kind::DocumentKind;

/// The maximum size of a document, in bytes.
pub const MAX_BYTES: u64 = 256 << 20;

/// The maximum length of a base, in bytes. A longer base is ignored, since every link would repeat it.
pub const MAX_BASE: usize = 64 << 10;

/// The settings with which documents are read.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    revision: &'static Revision,
    /// How the base of a document is determined; `None` if the revision does not define relative URLs.
    precedence: Option<&'static base::Algorithm>,
    retrieval: Option<&'a str>,
    default: Option<&'a str>,
    keeps_steps: bool,
}

/// The reason why documents cannot be read with the requested settings.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Unfit {
    /// The revision defines neither how a base is established nor URLs in running text.
    Revision(String),
    /// A URL that should be a base is not absolute or is longer than [`MAX_BASE`], or the revision has no base.
    Base(String),
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Revision(sentence) | Self::Base(sentence)) = self;
        f.write_str(sentence)
    }
}

/// The reason why a document was not read to its end.
#[derive(Debug)]
pub enum DocumentError {
    /// The document exceeds a limit, as this sentence describes.
    Document(String),
    /// The event sink returned an error.
    Sink(io::Error),
}

impl From<io::Error> for DocumentError {
    fn from(error: io::Error) -> Self {
        Self::Sink(error)
    }
}

/// An event in a document, in document order.
#[derive(Debug)]
pub enum Event<'e> {
    /// A part begins. The first part is the document itself.
    Part(&'e Part),
    /// A link in the current part.
    Link(&'e Link<'e>),
    /// A remark about the current part for the user.
    Note(&'e str),
}

/// A document, or a part of a document.
#[derive(Clone, Debug)]
pub struct Part {
    /// The path of the part: `""` is the document itself, and `"2.1"` is the first part of its second part. For a
    /// deeply nested part, the path is not written out: `"#40"` is the part after the first 40 parts. `"@1234"` is the
    /// page at this place of a WARC file.
    pub path: String,
    /// The media type in lower case, without parameters.
    pub media_type: String,
    /// The name of the character encoding that the part was decoded with; empty if no text was read.
    pub encoding: &'static str,
    /// The bases that the part's content and its own header state, in order of precedence.
    pub stated: Vec<StatedBase>,
    /// The base of the part.
    pub base: Established,
    /// The steps that established the base. They are recorded only by [`Reader::keeping_steps`], since each holds the
    /// base again.
    pub trace: Trace,
}

/// A base that a part states.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct StatedBase {
    /// The place of the statement: `"BASE on line 3"`, `"Content-Base header"`.
    pub by: String,
    /// The value, unchanged.
    pub value: String,
    /// The URL, or the reason why the value does not give a base.
    pub url: Result<String, String>,
}

/// A link in a document.
#[derive(Clone, Debug)]
pub struct Link<'l> {
    /// The line of the part on which the link begins, from 1; 0 in a header field.
    pub line: usize,
    /// The construct that contains the link: `"a href"`, `"<URL:…>"`, `"Location header"`.
    pub place: Cow<'l, str>,
    /// The reference without surrounding white space.
    pub reference: Cow<'l, str>,
    /// A second candidate for the reference, if it is ambiguous: without hyphens at line ends, or with the trailing
    /// punctuation.
    pub candidate: Option<Cow<'l, str>>,
    /// The base against which the reference is resolved.
    pub base: &'l str,
    revision: &'static Revision,
}

impl Link<'_> {
    /// Resolves the reference against the base with the reference implementation of the revision.
    pub fn target(&self) -> Resolution {
        self.revision.resolve(self.base, &self.reference)
    }
}

/// A callback that receives the events of a document. An error that it returns ends the reading.
pub type EventSink<'t> = &'t mut dyn FnMut(Event<'_>) -> io::Result<()>;

impl<'a> Reader<'a> {
    /// Creates a reader for documents by `revision`. `retrieval` is the URL from which the documents were retrieved.
    /// `default` is the base of a part for which nothing else gives a base.
    ///
    /// A revision that finds URLs in running text but does not define relative ones, such as RFC 1738, has no base: relative
    /// references are rejected.
    ///
    /// # Errors
    ///
    /// Returns an error if the revision defines neither a precedence of bases nor URLs in running text, or if a URL cannot
    /// be a base: the revision has none, or the URL is not absolute or is longer than [`MAX_BASE`].
    pub fn new(
        revision: &'static Revision,
        retrieval: Option<&'a str>,
        default: Option<&'a str>,
    ) -> Result<Self, Unfit> {
        let precedence = revision.base.filter(|_| revision.rules.is_some());
        if precedence.is_none() && revision.context.is_none() {
            let able = urlstrata::revision::ALL.iter().filter(|r| r.base.is_some() && r.rules.is_some());
            let able = able.map(|revision| revision.id).collect::<Vec<_>>().join(", ");
            let sentence = format!("{} does not say how a base is established: {able} do", revision.specification);
            return Err(Unfit::Revision(sentence));
        }
        for url in [retrieval, default].into_iter().flatten() {
            let Some(precedence) = precedence else {
                let sentence = format!("{} does not define relative URLs, so it has no base", revision.specification);
                return Err(Unfit::Base(sentence));
            };
            if !precedence.is_absolute(url) {
                return Err(Unfit::Base(format!(
                    "{:?} is not absolute, so it cannot be the base",
                    urlstrata_outcome::escape::visible(url)
                )));
            }
            if url.len() > MAX_BASE {
                return Err(Unfit::Base(format!("a base of {} bytes: the limit is {MAX_BASE}", url.len())));
            }
        }
        Ok(Self { revision, precedence, retrieval, default, keeps_steps: false })
    }

    /// Makes the reader also record the steps that established the base of each part, in [`Part::trace`].
    #[must_use]
    pub fn keeping_steps(self) -> Self {
        Self { keeps_steps: true, ..self }
    }

    /// Returns the same reader for a document that was retrieved from `url`. `url` must be absolute; this is not
    /// checked.
    pub fn retrieved_from<'b>(self, url: &'b str) -> Reader<'b>
    where
        'a: 'b,
    {
        Reader { retrieval: Some(url), ..self }
    }

    /// Reads a document and calls `sink` with each event, in document order.
    ///
    /// `bytes` need not be valid. Bytes that are not valid in the declared or guessed encoding are decoded as
    /// replacement characters.
    ///
    /// # Errors
    ///
    /// Returns an error if the document exceeds a limit, or if `sink` returns an error. Events before the error have
    /// already been reported.
    pub fn read(&self, bytes: &[u8], kind: DocumentKind, sink: EventSink<'_>) -> Result<(), DocumentError> {
        let mut advice = Advice::new(self.revision);
        self.read_events(bytes, kind, &mut |event| {
            if let Event::Link(link) = &event {
                advice.add(link);
            }
            sink(event)
        })?;
        Ok(advice.report(sink)?)
    }

    fn read_events(&self, bytes: &[u8], kind: DocumentKind, sink: EventSink<'_>) -> Result<(), DocumentError> {
        match kind {
            DocumentKind::Html => {
                let place = Place { path: "", media_type: "text/html", charset: None, own: &[], enclosing: None };
                html::read(self, bytes, &place, sink)
            }
            DocumentKind::Text => {
                let place = Place { path: "", media_type: "text/plain", charset: None, own: &[], enclosing: None };
                text::read(self, bytes, &place, sink)
            }
            DocumentKind::Mime => mime::read(self, bytes, sink),
        }
    }

    /// Returns the citation of a section of the revision.
    pub fn cite(&self, section: &str) -> String {
        self.revision.citation(section)
    }

    /// Establishes the base of a part whose content and header state `stated`. `enclosing` is the base of the entity
    /// that contains the part.
    fn establish(&self, stated: &[StatedBase], enclosing: Option<&str>) -> (Established, Trace) {
        let Some(precedence) = self.precedence else {
            let none = Established { url: String::new(), layer: Layer::Default, section: "", layers: Vec::new() };
            return (none, Trace::off());
        };
        let urls: Vec<_> = stated.iter().filter_map(|stated| stated.url.as_deref().ok()).collect();
        let candidates = Candidates { content: &urls, enclosing, retrieval: self.retrieval, default: self.default };
        match self.keeps_steps {
            true => precedence.establish_traced(&candidates),
            false => (precedence.establish(&candidates), Trace::off()),
        }
    }

    /// Returns the bases that a header states by the revision's rules, in order of precedence. `values` returns the values
    /// of the fields with a name.
    fn header_bases<'h>(&self, values: impl Fn(&'static str) -> Vec<&'h str>) -> Vec<StatedBase> {
        let mut own = Vec::new();
        for field in self.precedence.iter().flat_map(|precedence| precedence.headers) {
            for value in values(field.name) {
                let url = field.url(value);
                own.push(stated(format!("{} header", field.name), value, url.as_deref().map_err(|why| *why)));
            }
        }
        own
    }

    /// Reports the links in a header. They are relative to the base of the entity that the header describes.
    fn header_links<'h>(
        &self,
        values: impl Fn(&'static str) -> Vec<&'h str>,
        base: &str,
        sink: EventSink<'_>,
    ) -> Result<(), DocumentError> {
        for name in ["Content-Location", "Location"] {
            for value in values(name) {
                let reference: String = value.chars().filter(|c| !c.is_whitespace()).collect();
                let place = format!("{name} header").into();
                let (reference, revision) = (reference.into(), self.revision);
                sink(Event::Link(&Link { line: 0, place, reference, candidate: None, base, revision }))?;
            }
        }
        Ok(())
    }

    /// Reports what the revision recommends about a base.
    fn recommend(&self, base: &str, sink: EventSink<'_>) -> Result<(), DocumentError> {
        for it in self.revision.statements(base).iter().filter(|it| it.subject == Subject::Recommendation) {
            sink(Event::Note(&format!("the base: {} ({})", it.sentence, self.cite(it.section))))?;
        }
        Ok(())
    }

    fn context(&self) -> Option<&'static context::Extractor> {
        self.revision.context
    }
}

impl Part {
    /// Returns the statement that gave the base, or `None` if the base does not come from the part's own content or
    /// header.
    pub fn stated_by(&self) -> Option<&StatedBase> {
        let is_taken = |held: &&LayerResult| matches!(held.selection, Selection::Selected | Selection::Converted);
        let taken = self.base.layers.iter().find(is_taken).filter(|held| held.layer == Layer::Content)?;
        self.stated.iter().find(|stated| stated.url.as_deref().ok() == taken.url.as_deref())
    }
}

/// The place of a document within another document, and the properties that follow from it.
struct Place<'p> {
    path: &'p str,
    media_type: &'p str,
    /// The label of the encoding that the enclosing entity declares.
    charset: Option<&'p str>,
    /// The bases that its own header states.
    own: &'p [StatedBase],
    /// The base of the entity that encloses it.
    enclosing: Option<&'p str>,
}

/// Returns the statement of `value` by `by`. A `url` longer than [`MAX_BASE`] is replaced by a reason.
fn stated(by: String, value: &str, url: Result<&str, &str>) -> StatedBase {
    let url = match url {
        Ok(url) if url.len() > MAX_BASE => Err(format!("{} bytes long, the limit is {MAX_BASE}", url.len())),
        Ok(url) => Ok(url.to_owned()),
        Err(why) => Err(why.to_owned()),
    };
    StatedBase { by, value: value.to_owned(), url }
}

/// A counter of lines, for byte offsets that are requested in ascending order.
#[derive(Debug)]
struct Lines<'t> {
    text: &'t [u8],
    at: usize,
    line: usize,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        Self { text: text.as_bytes(), at: 0, line: 1 }
    }

    /// Returns the line of byte `at`, from 1. Returns the line of the last request if `at` is before the offset of that
    /// request.
    fn line(&mut self, at: usize) -> usize {
        if let Some(passed) = self.text.get(self.at..at) {
            self.line += memchr::memchr_iter(b'\n', passed).count();
            self.at = at;
        }
        self.line
    }
}
