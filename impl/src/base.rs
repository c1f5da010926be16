//! The base URL of a document: which of four layers it comes from.
//!
//! ```
//! use urlstrata::base::{Candidates, Layer};
//! use urlstrata::revision;
//!
//! let rfc1808 = revision::by_id("rfc1808").and_then(|revision| revision.base).expect("it has a section 3");
//! let candidates = Candidates { enclosing: Some("http://a/mail"), ..Candidates::retrieved_from("http://a/b/c") };
//! let base = rfc1808.establish(&candidates);
//! assert_eq!((base.url.as_str(), base.layer, base.section), ("http://a/mail", Layer::Enclosing, "3.2"));
//! ```

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use alloc::vec::Vec;

use memchr::memchr;

use crate::rules::SchemeName;
use crate::scheme_name;
use crate::step::{Next, Next::Continue, Program, Show, StepText, Trace, run, texts};

/// How a document has a base established.
pub struct Algorithm {
    /// How does a scheme begin, so that a URL is absolute?
    pub scheme_name: SchemeName,
    /// What if nothing else gives a base?
    pub default: DefaultBase,
    /// The header fields that give a message or a part its base, the stronger first.
    pub headers: &'static [Header],
    /// The sections of the four layers, innermost first.
    pub sections: [&'static str; 4],
    pub(crate) steps: &'static Program<State>,
}

/// What if nothing else gives a base?
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum DefaultBase {
    /// It is empty, which is an unknown one (RFC 1808 §3.4; Draft 1996 §8.4).
    Empty,
    /// The application has one, or none (RFC 2396 §5.1.4; RFC 3986 §5.1.4).
    Application,
}

/// A header field that gives a base.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Header {
    /// Its name; case does not matter.
    pub name: &'static str,
    /// How does the URL stand in it?
    pub syntax: HeaderSyntax,
}

/// How does the URL stand in a header field?
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum HeaderSyntax {
    /// Between `<URL:` and `>`, where white space is ignored (RFC 1808 §3.1).
    Wrapped,
    /// As it is; white space anywhere is ignored (Draft 1996 §8.1; RFC 2396 §5.1.1; RFC 3986 §5.1.2).
    Plain,
}

impl Header {
    /// The URL in a field's `value`, without white space; line folding is white space.
    ///
    /// `("<URL:http://a/\r\n b>")` of a wrapped one is `"http://a/b"`. It is not checked to be absolute.
    ///
    /// # Errors
    ///
    /// A sentence about a value that has not the form.
    pub fn url<'v>(&self, value: &'v str) -> Result<Cow<'v, str>, &'static str> {
        let url = match self.syntax {
            HeaderSyntax::Plain => value,
            HeaderSyntax::Wrapped => {
                let value = value.trim();
                let prefixed = value.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("<URL:"));
                let inside = value.get(5..).and_then(|rest| rest.strip_suffix('>')).filter(|_| prefixed);
                inside.filter(|url| !url.contains(['<', '>'])).ok_or("not of the form <URL:…>")?
            }
        };
        let trimmed = url.trim();
        if trimmed.is_empty() {
            return Err("empty");
        }
        Ok(match trimmed.contains(char::is_whitespace) {
            true => Cow::Owned(trimmed.chars().filter(|c| !c.is_whitespace()).collect()),
            false => Cow::Borrowed(trimmed),
        })
    }
}

/// Where a base comes from, innermost first.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Layer {
    /// The document's own content, or its own header.
    Content,
    /// The entity that the document is enclosed in.
    Enclosing,
    /// The URL that the document was retrieved from.
    Retrieval,
    /// Nothing of these.
    Default,
}

impl Layer {
    /// The four, innermost first.
    pub const ALL: &[Self] = &[Self::Content, Self::Enclosing, Self::Retrieval, Self::Default];

    /// `content`, `enclosing`, `retrieval` or `default`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Content => "content",
            Self::Enclosing => "enclosing",
            Self::Retrieval => "retrieval",
            Self::Default => "default",
        }
    }
}

/// What is known of a document that could be its base.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Candidates<'a> {
    /// What its content and then its own header state, the stronger first.
    pub content: &'a [&'a str],
    /// The base of the entity that encloses it, empty if unknown; `None` if nothing does.
    pub enclosing: Option<&'a str>,
    /// The URL it was retrieved from; the last one, if there were redirections.
    pub retrieval: Option<&'a str>,
    /// What the application takes where the document says nothing.
    pub default: Option<&'a str>,
}

impl<'a> Candidates<'a> {
    /// Of a document of which only the retrieval URL is known.
    #[must_use]
    pub fn retrieved_from(url: &'a str) -> Self {
        Self { retrieval: Some(url), ..Self::default() }
    }
}

/// A base, where it comes from, and what the layers held.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Established {
    /// The base; empty if it is unknown.
    pub url: String,
    /// The layer it comes from.
    pub layer: Layer,
    /// That layer's section.
    pub section: &'static str,
    /// What each layer held, innermost first; several of the first if the content states several.
    pub layers: Vec<LayerResult>,
}

/// What a layer held.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct LayerResult {
    /// The layer.
    pub layer: Layer,
    /// Its section.
    pub section: &'static str,
    /// What it held, as it was given.
    pub url: Option<String>,
    /// What became of it.
    pub selection: Selection,
}

/// What became of a candidate, and why.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Selection {
    /// It is the base.
    Selected,
    /// A layer within it, or an earlier statement of the same layer, gives the base.
    Overridden,
    /// It is relative, so it is no base.
    Relative,
    /// The document is enclosed in another, so the layer does not apply to it.
    Enclosed,
    /// The document knows no such base.
    Unsupported,
    /// There is nothing.
    Absent,
}

impl Selection {
    /// The reason, in a few words.
    #[must_use]
    pub fn why(self) -> &'static str {
        match self {
            Self::Selected => "the innermost that is absolute",
            Self::Overridden => "a stronger one gives the base",
            Self::Relative => "relative, so no base",
            Self::Enclosed => "only for a document that nothing encloses",
            Self::Unsupported => "the document leaves no base to the application",
            Self::Absent => "nothing stated",
        }
    }
}

impl Algorithm {
    /// The base among `candidates`.
    ///
    /// No URL is checked but for its scheme. A layer whose candidates are all relative is passed over.
    #[must_use]
    pub fn establish(&self, candidates: &Candidates<'_>) -> Established {
        self.run(candidates, &mut Trace::off())
    }

    /// As [`Algorithm::establish`], with every step that ran.
    #[must_use]
    pub fn establish_traced(&self, candidates: &Candidates<'_>) -> (Established, Trace) {
        let mut trace = Trace::on();
        let established = self.run(candidates, &mut trace);
        (established, trace)
    }

    /// The steps, in the document's order.
    #[must_use]
    pub fn steps(&self) -> Vec<StepText> {
        texts(self.steps)
    }

    /// Whether `url` is absolute, and so may be a base.
    #[must_use]
    pub fn is_absolute(&self, url: &str) -> bool {
        match self.scheme_name {
            SchemeName::LetterFirst => scheme_name::length_letter_first(url).is_some(),
            _ => scheme_name::length(url).is_some(),
        }
    }

    fn run(&self, candidates: &Candidates<'_>, trace: &mut Trace) -> Established {
        let absolute = |url: &&str| self.is_absolute(url);
        let own = |url: &str| url.to_owned();
        let mut state = State {
            content: candidates.content.iter().copied().find(absolute).map(own),
            is_enclosed: candidates.enclosing.is_some(),
            enclosing: candidates.enclosing.filter(absolute).map(own),
            retrieval: candidates.retrieval.filter(absolute).map(own),
            default: candidates.default.filter(absolute).map(own),
            base: None,
        };
        run(self.steps, &mut state, trace);
        let (layer, url) = state.base.unwrap_or((Layer::Default, String::new()));
        Established { url, layer, section: self.sections[layer as usize], layers: self.layers(candidates, layer) }
    }

    /// What each layer held when `won` gave the base.
    fn layers(&self, candidates: &Candidates<'_>, won: Layer) -> Vec<LayerResult> {
        let mut held = Vec::new();
        let mut open = true;
        let mut hold = |layer: Layer, url: Option<&str>| {
            let url = url.filter(|url| !url.is_empty());
            let enclosed = layer == Layer::Retrieval && candidates.enclosing.is_some();
            let unknown = layer == Layer::Default && self.default == DefaultBase::Empty;
            let selection = match url {
                None if layer == won => Selection::Selected,
                None => Selection::Absent,
                Some(_) if enclosed => Selection::Enclosed,
                Some(_) if unknown => Selection::Unsupported,
                Some(url) if !self.is_absolute(url) => Selection::Relative,
                Some(_) if open && layer == won => Selection::Selected,
                Some(_) => Selection::Overridden,
            };
            open &= selection != Selection::Selected;
            let (section, url) = (self.sections[layer as usize], url.map(ToOwned::to_owned));
            held.push(LayerResult { layer, section, url, selection });
        };
        candidates.content.iter().for_each(|url| hold(Layer::Content, Some(url)));
        if candidates.content.is_empty() {
            hold(Layer::Content, None);
        }
        hold(Layer::Enclosing, candidates.enclosing);
        hold(Layer::Retrieval, candidates.retrieval);
        hold(Layer::Default, candidates.default);
        held
    }
}

impl core::fmt::Debug for Algorithm {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Algorithm").field("sections", &self.sections).field("headers", &self.headers).finish()
    }
}

/// What the steps of a document work on: the absolute ones of the candidates.
pub(crate) struct State {
    content: Option<String>,
    is_enclosed: bool,
    enclosing: Option<String>,
    retrieval: Option<String>,
    default: Option<String>,
    base: Option<(Layer, String)>,
}

impl State {
    fn give(&mut self, layer: Layer, url: Option<String>) -> Next {
        if self.base.is_none() {
            self.base = url.map(|url| (layer, url));
        }
        Continue
    }
}

impl Show for State {
    fn show(&self) -> String {
        self.base.as_ref().map(|(_, url)| ["base=", url].concat()).unwrap_or_default()
    }
}

pub(crate) fn content(s: &mut State) -> Next {
    let url = s.content.take();
    s.give(Layer::Content, url)
}

pub(crate) fn enclosing(s: &mut State) -> Next {
    let url = s.enclosing.take();
    s.give(Layer::Enclosing, url)
}

pub(crate) fn retrieval(s: &mut State) -> Next {
    let url = s.retrieval.take().filter(|_| !s.is_enclosed);
    s.give(Layer::Retrieval, url)
}

pub(crate) fn empty(s: &mut State) -> Next {
    s.give(Layer::Default, Some(String::new()))
}

pub(crate) fn application(s: &mut State) -> Next {
    let url = s.default.take();
    s.give(Layer::Default, url)
}

/// The fragment goes, whatever layer the base came from.
pub(crate) fn strip_fragment(s: &mut State) -> Next {
    if let Some((_, url)) = &mut s.base
        && let Some(at) = memchr(b'#', url.as_bytes())
    {
        url.truncate(at);
    }
    Continue
}
