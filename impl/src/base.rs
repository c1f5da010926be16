//! The base URL of a document, which comes from one of four layers.
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

use crate::resolution::Resolution;
use crate::rules::SchemeName;
use crate::scheme_name;
use crate::step::{Next, Next::Continue, Program, Show, StepText, Trace, run, texts};

/// How a specification determines the base of a document.
pub struct Algorithm {
    /// Which prefix of a URL is a scheme, so that the URL is absolute?
    pub scheme_name: SchemeName,
    /// What is the base if no other layer has one?
    pub default: DefaultBase,
    /// The header fields that define the base of a message or a part, in descending precedence.
    pub headers: &'static [Header],
    /// The sections that define the four layers, innermost first.
    pub sections: [&'static str; 4],
    /// Converts a relative candidate in the content to absolute form; `None` if the specification does not say that it may be the base.
    pub(crate) convert: Option<fn(&str, &str) -> Resolution>,
    pub(crate) steps: &'static Program<State>,
}

/// What is the base if no other layer has one?
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum DefaultBase {
    /// The base is empty, that is, unknown (Appendix B rule 1; RFC 1808 §3.4; Draft 1996 §8.4).
    Empty,
    /// The application may define a base (RFC 2396 §5.1.4; RFC 3986 §5.1.4).
    Application,
}

/// A header field that defines a base.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Header {
    /// The name of the field. Case is ignored.
    pub name: &'static str,
    /// How does the field contain the URL?
    pub syntax: HeaderSyntax,
}

/// How does a header field contain the URL?
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum HeaderSyntax {
    /// The URL is between `<URL:` and `>`; white space is ignored (RFC 1808 §3.1).
    Wrapped,
    /// The value is the URL; white space is ignored (Draft 1996 §8.1; RFC 2396 §5.1.1; RFC 3986 §5.1.2).
    Plain,
}

impl Header {
    /// Returns the URL in the `value` of the field, without white space. Line folding is white space.
    ///
    /// The value `<URL:http://a/\r\n b>` of a wrapped field contains `http://a/b`. The function does not check whether
    /// the URL is absolute.
    ///
    /// # Errors
    ///
    /// Returns a description of the error if the value does not match the syntax.
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

/// The layer that defines the base, innermost first.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Layer {
    /// The content or the header of the document itself.
    Content,
    /// The entity that encloses the document.
    Enclosing,
    /// The URL from which the document was retrieved.
    Retrieval,
    /// None of the other layers.
    Default,
}

impl Layer {
    /// All layers, innermost first.
    pub const ALL: &[Self] = &[Self::Content, Self::Enclosing, Self::Retrieval, Self::Default];

    /// Returns `content`, `enclosing`, `retrieval` or `default`.
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

/// The URLs that may be the base of a document.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Candidates<'a> {
    /// The URLs in the document's content, then those in its header, in descending precedence.
    pub content: &'a [&'a str],
    /// The base of the enclosing entity, which is empty if it is unknown; `None` if no entity encloses the document.
    pub enclosing: Option<&'a str>,
    /// The URL from which the document was retrieved: the last one, if there were redirections.
    pub retrieval: Option<&'a str>,
    /// The base that the application defines.
    pub default: Option<&'a str>,
}

impl<'a> Candidates<'a> {
    /// Creates the candidates of a document of which only the retrieval URL is known.
    #[must_use]
    pub fn retrieved_from(url: &'a str) -> Self {
        Self { retrieval: Some(url), ..Self::default() }
    }
}

/// A base, the layer that defines it, and the candidates of all layers.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Established {
    /// The base. It is empty if the base is unknown.
    pub url: String,
    /// The layer that defines the base.
    pub layer: Layer,
    /// The section that defines the layer.
    pub section: &'static str,
    /// The candidates, innermost layer first. The content may have several.
    pub layers: Vec<LayerResult>,
}

/// A candidate of a layer, and whether it is the base.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct LayerResult {
    /// The layer.
    pub layer: Layer,
    /// The section that defines the layer.
    pub section: &'static str,
    /// The candidate, unchanged; `None` if the layer has none.
    pub url: Option<String>,
    /// Whether the candidate is the base, or why it is not.
    pub selection: Selection,
}

/// Whether a candidate is the base, or why it is not.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Selection {
    /// The candidate is the base.
    Selected,
    /// An inner layer, or an earlier candidate of the same layer, is the base.
    Overridden,
    /// The candidate is relative, and its absolute form is the base.
    Converted,
    /// The candidate is relative, and a base must be absolute.
    Relative,
    /// The layer does not apply, because an entity encloses the document.
    Enclosed,
    /// The specification does not have this layer.
    Unsupported,
    /// The layer has no candidate.
    Absent,
}

impl Selection {
    /// Returns the reason in a few words.
    #[must_use]
    pub fn why(self) -> &'static str {
        match self {
            Self::Selected => "the innermost absolute candidate",
            Self::Overridden => "a candidate of higher precedence is the base",
            Self::Converted => "relative, so its absolute form is the base",
            Self::Relative => "relative, so it cannot be the base",
            Self::Enclosed => "used only if no entity encloses the document",
            Self::Unsupported => "the specification does not have this layer",
            Self::Absent => "no candidate",
        }
    }
}

impl Algorithm {
    /// Determines the base from `candidates`.
    ///
    /// The function checks only whether a URL has a scheme. It skips layers without an absolute candidate. By RFC 3986, a candidate in the
    /// content may also be relative, if an outer layer has a base for it.
    #[must_use]
    pub fn establish(&self, candidates: &Candidates<'_>) -> Established {
        self.run(candidates, &mut Trace::off())
    }

    /// Does the same as [`Algorithm::establish`], and returns a trace of the steps.
    #[must_use]
    pub fn establish_traced(&self, candidates: &Candidates<'_>) -> (Established, Trace) {
        let mut trace = Trace::on();
        let established = self.run(candidates, &mut trace);
        (established, trace)
    }

    /// Returns the steps, in the specification's order.
    #[must_use]
    pub fn steps(&self) -> Vec<StepText> {
        texts(self.steps)
    }

    /// Returns whether `url` is absolute, so that it may be a base.
    #[must_use]
    pub fn is_absolute(&self, url: &str) -> bool {
        match self.scheme_name {
            SchemeName::LetterFirst => scheme_name::length_letter_first(url).is_some(),
            _ => scheme_name::length(url).is_some(),
        }
    }

    /// Returns whether a candidate in the content may be the base.
    fn is_usable(&self, url: &str, candidates: &Candidates<'_>) -> bool {
        self.is_absolute(url) || self.converted(url, candidates).is_some()
    }

    /// Returns the absolute form of a relative candidate in the content, by the base of the layers around it.
    fn converted(&self, url: &str, candidates: &Candidates<'_>) -> Option<String> {
        let convert = self.convert.filter(|_| !url.is_empty() && !self.is_absolute(url))?;
        let around = self.establish(&Candidates { content: &[], ..candidates.clone() });
        convert(&around.url, url).map(|target| target.url).ok().filter(|url| self.is_absolute(url))
    }

    fn run(&self, candidates: &Candidates<'_>, trace: &mut Trace) -> Established {
        let absolute = |url: &&str| self.is_absolute(url);
        let own = |url: &str| url.to_owned();
        let content = candidates.content.iter().copied().find(|url| self.is_usable(url, candidates));
        let mut state = State {
            content: content.map(own),
            converted: content.and_then(|url| self.converted(url, candidates)),
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

    /// Returns the candidates of all layers if `selected` is the layer of the base.
    fn layers(&self, candidates: &Candidates<'_>, selected: Layer) -> Vec<LayerResult> {
        let mut held = Vec::new();
        let mut open = true;
        let mut hold = |layer: Layer, url: Option<&str>| {
            let url = url.filter(|url| !url.is_empty());
            let enclosed = layer == Layer::Retrieval && candidates.enclosing.is_some();
            let unknown = layer == Layer::Default && self.default == DefaultBase::Empty;
            let selection = match url {
                None if layer == selected && layer == Layer::Default => Selection::Selected,
                None => Selection::Absent,
                Some(_) if enclosed => Selection::Enclosed,
                Some(_) if unknown => Selection::Unsupported,
                Some(url) if !(self.is_absolute(url) || layer == Layer::Content && self.is_usable(url, candidates)) => {
                    Selection::Relative
                }
                Some(url) if open && layer == selected => match self.is_absolute(url) {
                    true => Selection::Selected,
                    false => Selection::Converted,
                },
                Some(_) => Selection::Overridden,
            };
            open &= !matches!(selection, Selection::Selected | Selection::Converted);
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

/// The state of the steps: the candidates that may be the base.
pub(crate) struct State {
    content: Option<String>,
    /// The absolute form of the candidate in the content, if that is relative.
    converted: Option<String>,
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

/// Replaces a relative base by its absolute form.
pub(crate) fn convert(s: &mut State) -> Next {
    if let Some((Layer::Content, url)) = &mut s.base
        && let Some(converted) = s.converted.take()
    {
        *url = converted;
    }
    Continue
}

/// Removes the fragment of the base, whatever its layer.
pub(crate) fn strip_fragment(s: &mut State) -> Next {
    if let Some((_, url)) = &mut s.base
        && let Some(at) = memchr(b'#', url.as_bytes())
    {
        url.truncate(at);
    }
    Continue
}
