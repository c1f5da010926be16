//! Documents: the base of each part by a revision's precedence, and every link with what it resolves to.
//!
//! HTML, MIME messages (also `.mht`) and plain text. Nothing recurses, so no depth of nesting matters; time is linear in the
//! bytes, but for a base of up to [`MAX_BASE`] bytes that every link repeats.
//!
//! A part is read to its end before the next is looked at, and nothing of it is kept: memory is at most some times the bytes,
//! which [`MAX_BYTES`] bounds.

use std::borrow::Cow;
use std::fmt;
use std::io;

use urlstrata::base::{self, Candidates, Established};
use urlstrata::context;
use urlstrata::revision::Revision;
use urlstrata::{Resolution, Trace, base::Layer};

mod charset;
mod html;
mod kind;
mod mime;
mod text;

pub use html::{ATTRIBUTES, Attribute, Form};
pub use kind::DocumentKind;

/// No document is read that is longer.
pub const MAX_BYTES: u64 = 256 << 20;

/// A base that is longer is none: every link would repeat it.
pub const MAX_BASE: usize = 64 << 10;

/// How documents are read.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    revision: &'static Revision,
    precedence: &'static base::Algorithm,
    retrieval: Option<&'a str>,
    default: Option<&'a str>,
    keeps_steps: bool,
}

/// Why documents cannot be read so.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Unfit {
    /// The revision does not say how a base is established, or resolves nothing.
    Revision(String),
    /// A URL that is to be a base is not absolute.
    Base(String),
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Revision(sentence) | Self::Base(sentence)) = self;
        f.write_str(sentence)
    }
}

/// Why a document was not read to its end.
#[derive(Debug)]
pub enum DocumentError {
    /// A sentence about the document.
    Document(String),
    /// Whoever was told of it could not take it.
    Sink(io::Error),
}

impl From<io::Error> for DocumentError {
    fn from(error: io::Error) -> Self {
        Self::Sink(error)
    }
}

/// What is found in a document, in order.
#[derive(Debug)]
pub enum Event<'e> {
    /// A part begins; the first is the document itself.
    Part(&'e Part),
    /// A link of that part.
    Link(&'e Link<'e>),
    /// Something about that part that a reader should know.
    Note(&'e str),
}

/// A document, or a part of one.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its place: `""` is the document itself, `"2.1"` the first part of its second part,
    /// `"#40"` a part so deep that its place is not written out, behind forty others.
    pub path: String,
    /// Its media type in lower case, without parameters.
    pub media_type: String,
    /// The name of the character encoding it was read in; empty where no text was read.
    pub encoding: &'static str,
    /// What its content and its own header state for a base, the stronger first.
    pub stated: Vec<StatedBase>,
    /// Its base.
    pub base: Established,
    /// The steps that gave it, if they are kept: each holds the base again.
    pub trace: Trace,
}

/// A base that a part states.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct StatedBase {
    /// By what: `"BASE on line 3"`, `"Content-Base header"`.
    pub by: String,
    /// What is stated, in the spelling it has there.
    pub value: String,
    /// The URL, or why there is none.
    pub url: Result<String, String>,
}

/// A link.
#[derive(Clone, Debug)]
pub struct Link<'l> {
    /// The line of the part on which it begins, from 1; 0 in a header field.
    pub line: usize,
    /// In what it stands: `"a href"`, `"<URL:…>"`, `"Location header"`.
    pub place: Cow<'l, str>,
    /// The reference as it stands there, without white space around it.
    pub reference: Cow<'l, str>,
    /// Another specification of it, where the document says that there may be two.
    pub candidate: Option<Cow<'l, str>>,
    /// The base it is resolved against.
    pub base: &'l str,
    revision: &'static Revision,
}

impl Link<'_> {
    /// Where it leads, by the steps of the revision.
    pub fn target(&self) -> Resolution {
        self.revision.resolve(self.base, &self.reference)
    }
}

/// Whoever is told of what is found.
pub type EventSink<'t> = &'t mut dyn FnMut(Event<'_>) -> io::Result<()>;

impl<'a> Reader<'a> {
    /// A reader of documents by `revision`; `retrieval` is where they were retrieved from, `default` what is taken for a base
    /// where nothing else gives one.
    ///
    /// # Errors
    ///
    /// If the revision has no precedence of bases, or a URL is not absolute by it.
    pub fn new(
        revision: &'static Revision,
        retrieval: Option<&'a str>,
        default: Option<&'a str>,
    ) -> Result<Self, Unfit> {
        let Some(precedence) = revision.base.filter(|_| revision.rules.is_some()) else {
            let able: Vec<_> =
                urlstrata::revision::ALL.iter().filter(|r| r.base.is_some()).map(|revision| revision.id).collect();
            let sentence =
                format!("{} does not say how a base is established: {} do", revision.specification, able.join(", "));
            return Err(Unfit::Revision(sentence));
        };
        for url in [retrieval, default].into_iter().flatten() {
            if !precedence.is_absolute(url) {
                return Err(Unfit::Base(format!(
                    "{:?} is not absolute, so it is no base",
                    crate::escape::visible(url)
                )));
            }
            if url.len() > MAX_BASE {
                return Err(Unfit::Base(format!("a base of {} bytes: the limit is {MAX_BASE}", url.len())));
            }
        }
        Ok(Self { revision, precedence, retrieval, default, keeps_steps: false })
    }

    /// The same reader, which also keeps the steps that gave each part its base, in [`Part::trace`].
    #[must_use]
    pub fn keeping_steps(self) -> Self {
        Self { keeps_steps: true, ..self }
    }

    /// The same reader for a document that was retrieved from `url`, which has to be absolute.
    pub fn retrieved_from<'b>(self, url: &'b str) -> Reader<'b>
    where
        'a: 'b,
    {
        Reader { retrieval: Some(url), ..self }
    }

    /// Reads a document and tells what is found.
    ///
    /// `bytes` may hold anything: what is not text in the encoding that is declared or guessed is read with replacement
    /// characters.
    ///
    /// # Errors
    ///
    /// If the document goes beyond a limit, or `told` cannot take what it is told. What was told before stands.
    pub fn read(&self, bytes: &[u8], kind: DocumentKind, sink: EventSink<'_>) -> Result<(), DocumentError> {
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

    /// The revision's section `section`, as it is cited.
    pub fn cite(&self, section: &str) -> String {
        format!("{} §{section}", self.revision.cite)
    }

    /// The base of a part whose content and header state `stated`, within what has the base `enclosing`.
    fn establish(&self, stated: &[StatedBase], enclosing: Option<&str>) -> (Established, Trace) {
        let urls: Vec<_> = stated.iter().filter_map(|stated| stated.url.as_deref().ok()).collect();
        let candidates = Candidates { content: &urls, enclosing, retrieval: self.retrieval, default: self.default };
        match self.keeps_steps {
            true => self.precedence.establish_traced(&candidates),
            false => (self.precedence.establish(&candidates), Trace::off()),
        }
    }

    fn context(&self) -> Option<&'static context::Extractor> {
        self.revision.context
    }
}

impl Part {
    /// What stated the base, if the part's own content or header did.
    pub fn stated_by(&self) -> Option<&StatedBase> {
        let is_base = |stated: &&StatedBase| stated.url.as_ref().is_ok_and(|url| url.starts_with(&self.base.url));
        self.stated.iter().filter(|_| self.base.layer == Layer::Content).find(is_base)
    }
}

/// Where a document stands in another, and what is known of it from there.
struct Place<'p> {
    path: &'p str,
    media_type: &'p str,
    /// The encoding that the enclosing entity declares.
    charset: Option<&'p str>,
    /// What its own header states for a base.
    own: &'p [StatedBase],
    /// The base of the entity that encloses it.
    enclosing: Option<&'p str>,
}

/// A base that `by` states with `value`.
fn stated(by: String, value: &str, url: Result<&str, &str>) -> StatedBase {
    let url = match url {
        Ok(url) if url.len() > MAX_BASE => Err(format!("{} bytes long, the limit is {MAX_BASE}", url.len())),
        Ok(url) => Ok(url.to_owned()),
        Err(why) => Err(why.to_owned()),
    };
    StatedBase { by, value: value.to_owned(), url }
}

/// Counts lines of a text that is asked for in order.
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

    /// The line of byte `at`, from 1; the last one's, if `at` lies before that.
    fn line(&mut self, at: usize) -> usize {
        if let Some(passed) = self.text.get(self.at..at) {
            self.line += memchr::memchr_iter(b'\n', passed).count();
            self.at = at;
        }
        self.line
    }
}
