//! RFC 1808, "Relative Uniform Resource Locators", June 1995: §2.4 parsing, §3 establishing a base, §4 resolving.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::{format, vec};

use super::segments::{Segments, not_dotdot};
use super::{CHOICE, Parts, Remark, Revision, rfc1738};
use crate::base::{self, DefaultBase, Header, HeaderSyntax};
use crate::resolution::{Meaning, Rejection, Resolution, Target};
use crate::rules::*;
use crate::scheme_name;
use crate::step::{Next, Next::Continue, Next::Done, Next::SkipTo, Program, Show, Trace, run, texts};

/// RFC 1808.
pub static REVISION: Revision = Revision {
    id: "rfc1808",
    specification: "RFC 1808",
    cite: "RFC 1808",
    date: "June 1995",
    sections: "§2.4 parsing, §3 base, §4 resolving, §5 examples",
    components: &["scheme", "net_loc", "slash", "path", "params", "query", "fragment"],
    rules: Some(&RULES),
    base: Some(&BASE),
    context: Some(&rfc1738::CONTEXT),
    remarks: REMARKS,
    resolve: |base, reference, trace| resolve(RESOLVE, base, reference, trace),
    parse: |url, trace| Ok(parts(parse(PARSE, url, trace), "net_loc")),
    resolve_steps: || texts(RESOLVE),
    parse_steps: || texts(PARSE),
    schemes: None,
};

/// §3.
pub(super) static BASE: base::Algorithm = base::Algorithm {
    scheme_name: SchemeName::AnyNameCharacter,
    default: DefaultBase::Empty,
    headers: &[Header { name: "Base", syntax: HeaderSyntax::Wrapped }],
    sections: ["3.1", "3.2", "3.3", "3.4"],
    steps: BASE_STEPS,
};

/// §3, layer by layer.
const BASE_STEPS: &Program<base::State> = &[
    ("3.1", "the base that the content states, or the document's own header, goes before all others", base::content),
    ("3.2", "else the base of the entity that encloses it", base::enclosing),
    ("3.3", "else, if nothing encloses it, the URL it was retrieved from", base::retrieval),
    ("3.4", "else it is empty, and unknown", base::empty),
];

/// The row of RFC 1808.
pub static RULES: Rules = Rules {
    scheme_name: SchemeName::AnyNameCharacter,
    unknown_base: UnknownBase::ReferenceAsIs,
    same_scheme: SameScheme::Absolute,
    never_relative: NeverRelative::Ignored,
    dots_in_absolute: DotsInAbsolute::Kept,
    empty_fragment_on_absolute: EmptyFragmentOnAbsolute::Kept,
    fragment: Fragment::SetAside,
    empty_fragment: EmptyFragment::Dropped,
    query: Query::SetAside,
    empty_query: EmptyQuery::Dropped,
    params: Params::SetAside,
    leading_slashes: LeadingSlashes::HostOrRoot,
    host: Host::SetApart,
    authority_end: AuthorityEnd::Slash,
    empty_authority: EmptyAuthority::Missing,
    dots_in_network_path: DotsInNetworkPath::Kept,
    dots_in_rooted_path: DotsInRootedPath::Kept,
    empty_reference: EmptyReference::Base,
    base_fragment: BaseFragment::Taken,
    query_only: QueryOnly::KeepsLastSegment,
    bare_host: BareHost::SlashAfterDots,
    scheme_alone: SchemeAlone::NoSlash,
    slash_before_query: SlashBeforeQuery::Supplied,
    trailing_dot: TrailingDot::LeavesSlash,
    leading_dot: LeadingDot::Removed,
    trailing_dotdot: TrailingDotdot::Resolved,
    dotdot_removes: DotdotRemoves::NotDotdot,
    excess: Excess::Kept,
    rootless_first: RootlessFirst::LeavesNothing,
    same_document: SameDocument::Unspecified,
};

/// §2.4: the rules apply in this order to what is left of the string.
const PARSE: &Program<Parsing> = &[
    ("2.4.1", "what follows the first # is the fragment", parse_fragment),
    ("2.4.2", "a colon that is not first and has only name characters before it ends the scheme", parse_scheme),
    ("2.4.3", "after two slashes comes the net_loc, up to the next slash or the end", parse_net_loc),
    ("2.4.4", "what follows the first ? is the query", parse_query),
    ("2.4.5", "what follows the first ; is the params", parse_params),
    ("2.4.6", "the rest is the path; whether a slash came before it is remembered", parse_path),
];

/// §4.
const RESOLVE: &Program<State> = &[
    ("1", "under an unknown base the reference is read as absolute", step_1),
    ("2", "base and reference are split into components", step_2),
    ("2a", "an entirely empty reference is the base, all of it", step_2a),
    ("2b", "a reference that names a scheme is absolute", step_2b),
    ("2c", "any other takes the base's scheme", step_2c),
    ("3", "a reference with its own net_loc goes to step 7; else it takes the base's", step_3),
    ("4", "a path with a slash before it is not relative: go to step 7", step_4),
    ("5", "with no path at all, the base's is taken; else go to step 6", step_5),
    ("5a", "own params: go to step 7; else the base's are taken", step_5a),
    ("5b", "own query: go to step 7; else the base's is taken, then step 7", step_5b),
    ("6", "the path replaces what follows the last slash of the base's", step_6),
    ("6a", "every . segment that has a slash after it goes, with that slash", step_6a),
    ("6b", "a . segment at the end goes", step_6b),
    (
        "6c",
        "the leftmost segment followed by /../ goes with it, unless it is ..; repeated until there is none",
        step_6c,
    ),
    ("6d", "a segment followed by /.. at the end goes with it, unless it is ..", step_6d),
    ("7", "the components are put together again", step_7),
];

const REMARKS: &[Remark] = &[
    CHOICE("r1808-entirely-empty").issue("When is a reference entirely empty?").decision("when it has no characters").reason("the example is an empty pair of brackets; by components, `#`, `?`, `;` and `//` would take over the base's fragment"),
    CHOICE("r1808-lone-delimiter").issue("What becomes of a `#`, `?` or `;` with nothing after it?").decision("it is lost").reason("§2.4.1, §2.4.4 and §2.4.5 hold empty and absent equal, so step 7 has nothing to write"),
    CHOICE("r1808-empty-net-loc").issue("Is the `//` of an empty net_loc written back?").decision("yes, when the base has it").reason("the grammar lets a net_loc be empty, and step 3 inherits whatever the base has"),
    CHOICE("r1808-net-loc-slash").issue("Is a slash put between a net_loc and a path that has none before it?").decision("yes, when there is something to separate").reason("the layout of §2.1 and abs_path of §2.2 demand it; without it the path, params or query would be read back as net_loc"),
    CHOICE("r1808-void-segment").issue("May the segment that `..` removes be empty?").decision("yes").reason("segment is any number of pchar in the grammar"),
    CHOICE("r1808-6d-once").issue("Is step 6d repeated?").decision("no").reason("no repetition is mentioned, and after 6c one application suffices"),
    CHOICE("r1808-example-base").issue("May a base have a fragment, as the one of §5 has?").decision("yes").reason("§3.1's absoluteURL has none, so the document's own base line does not fit it; step 2a speaks of inheriting it"),
    CHOICE("r1808-scheme-shape").issue("Are `1:2` and `.:g` absolute?").decision("yes").reason("§2.4.2 lets a scheme begin with any of its characters"),
    CHOICE("r1808-two-derivations").issue("`a:b` is an absoluteURL and a rel_path: which derivation is told?").decision("the absolute one").reason("§2.4.2 looks for a scheme first"),
    CHOICE("r1808-net-loc-query").issue("Does `?` end a net_loc?").decision("no").reason("§2.4.3 ends it at a slash only, and the production admits `?` and `;`"),
    CHOICE("r1808-early-semicolon").issue("Does `;` in an early segment start the params?").decision("yes, and the later segments are part of them").reason("§2.4.5 takes the first one, and param may hold a slash"),
    CHOICE("r1808-double-slash-path").issue("What of a result that would be read back with a host it has not?").decision("it is written as the steps give it").reason("a known hazard that RFC 2396 and RFC 3986 share"),
    CHOICE("r1808-no-base").issue("What of a relative reference under an unknown base?").decision("it is returned as it stands, marked as not absolute").reason("step 1 says only that it is read as absolute"),
    CHOICE("r1808-context").issue("How do URLs stand in running text?").decision("as RFC 1738's appendix has it").reason("it updates RFC 1738, and prints its own results as `<URL:...>`"),
    CHOICE("r1808-base-innermost").issue("Which goes first: BASE in an HTML document, or a base header of the part or message that carries it?").decision("BASE").reason("it is the document's own content, and the header is the message's (§3.1, §3.2)"),
    CHOICE("r1808-base-several").issue("What of several BASE elements or headers, or a relative value?").decision("the first absolute one counts; without any the layer holds nothing").reason("the text only says that the value must be absolute"),
    CHOICE("r1808-base-composite").issue("Is the retrieval URL of a message the base of its parts by §3.2 or by §3.3?").decision("by §3.2: it is the message's base by §3.3, and theirs through the message").reason("§3.3 speaks of documents that nothing encloses"),
    CHOICE("r1808-base-head").issue("What of a BASE element outside the HEAD?").decision("it is none, and said").reason("§10 asks for one in the HEAD; that ends where HTML ends it, tagged or not"),
    CHOICE("r1808-base-form").issue("What of a `Base` header without the wrapper?").decision("it is none, and said").reason("the production has the wrapper, and the draft of 1996 changed the name when it dropped it"),
    CHOICE("r1808-never-relative").issue("Are the schemes of §2.3 that are never relative tested for?").decision("no").reason("§2.3 says that resolution can leave such differences aside"),
];

/// A URL by §2.1. An empty string is an absent component, but for the net_loc, whose slashes count.
#[derive(Clone, Default)]
pub(super) struct Url {
    pub(super) scheme: String,
    pub(super) net_loc: Option<String>,
    pub(super) slash: bool,
    pub(super) path: String,
    pub(super) params: String,
    pub(super) query: String,
    pub(super) fragment: String,
}

/// What is left of the string, and what was taken from it.
#[derive(Default)]
pub(super) struct Parsing {
    pub(super) rest: String,
    pub(super) url: Url,
}

/// Runs a parsing program, RFC 1808's or the one with another document's labels.
pub(super) fn parse(program: &Program<Parsing>, url: &str, trace: &mut Trace) -> Url {
    let mut parsing = Parsing { rest: url.to_owned(), url: Url::default() };
    run(program, &mut parsing, trace);
    parsing.url
}

/// `url` under the document's names; `authority` is what it calls the part after two slashes.
pub(super) fn parts(url: Url, authority: &'static str) -> Parts {
    let present = |text: String| if text.is_empty() { None } else { Some(text) };
    Parts(vec![
        ("scheme", present(url.scheme)),
        (authority, url.net_loc.and_then(present)),
        ("slash", url.slash.then(|| "/".to_owned())),
        ("path", Some(url.path)),
        ("params", present(url.params)),
        ("query", present(url.query)),
        ("fragment", present(url.fragment)),
    ])
}

/// Takes what follows the first `mark` from the rest, and the mark.
fn take_after(rest: &mut String, mark: char) -> String {
    let Some(at) = rest.find(mark) else { return String::new() };
    let taken = rest[at + 1..].to_owned();
    rest.truncate(at);
    taken
}

pub(super) fn parse_fragment(s: &mut Parsing) -> Next {
    s.url.fragment = take_after(&mut s.rest, '#');
    Continue
}

pub(super) fn parse_scheme(s: &mut Parsing) -> Next {
    if let Some(length) = scheme_name::length(&s.rest) {
        s.url.scheme = s.rest[..length].to_owned();
        s.rest.drain(..=length);
    }
    Continue
}

pub(super) fn parse_net_loc(s: &mut Parsing) -> Next {
    if let Some(after) = s.rest.strip_prefix("//") {
        let end = after.find('/').unwrap_or(after.len());
        s.url.net_loc = Some(after[..end].to_owned());
        s.rest.drain(..2 + end);
    }
    Continue
}

pub(super) fn parse_query(s: &mut Parsing) -> Next {
    s.url.query = take_after(&mut s.rest, '?');
    Continue
}

pub(super) fn parse_params(s: &mut Parsing) -> Next {
    s.url.params = take_after(&mut s.rest, ';');
    Continue
}

pub(super) fn parse_path(s: &mut Parsing) -> Next {
    s.url.slash = s.rest.starts_with('/');
    s.url.path = s.rest[usize::from(s.url.slash)..].to_owned();
    s.rest.clear();
    Done
}

/// The state of §4.
pub(super) struct State {
    pub(super) base_text: String,
    pub(super) reference_text: String,
    base: Url,
    embedded: Url,
    merged: Option<Segments>,
    pub(super) meaning: Meaning,
    result: Option<String>,
}

/// Runs a resolving program, RFC 1808's or the one with another document's labels.
pub(super) fn resolve(program: &Program<State>, base: &str, reference: &str, trace: &mut Trace) -> Resolution {
    let mut state = State {
        base_text: base.to_owned(),
        reference_text: reference.to_owned(),
        base: Url::default(),
        embedded: Url::default(),
        merged: None,
        meaning: Meaning::Retrieval,
        result: None,
    };
    run(program, &mut state, trace);
    match state.result {
        Some(url) => Ok(Target { url, meaning: state.meaning }),
        None => Err(Rejection::new("4", "the steps end without a result")),
    }
}

pub(super) fn step_1(s: &mut State) -> Next {
    if !s.base_text.is_empty() {
        return Continue;
    }
    if s.meaning == Meaning::Retrieval && scheme_name::length(&s.reference_text).is_none() {
        s.meaning = Meaning::AsIs;
    }
    s.result = Some(s.reference_text.clone());
    Done
}

pub(super) fn step_2(s: &mut State) -> Next {
    s.base = parse(PARSE, &s.base_text, &mut Trace::off());
    s.embedded = parse(PARSE, &s.reference_text, &mut Trace::off());
    Continue
}

pub(super) fn step_2a(s: &mut State) -> Next {
    if s.reference_text.is_empty() {
        s.result = Some(s.base_text.clone());
        return Done;
    }
    Continue
}

pub(super) fn step_2b(s: &mut State) -> Next {
    if !s.embedded.scheme.is_empty() {
        s.result = Some(s.reference_text.clone());
        return Done;
    }
    Continue
}

pub(super) fn step_2c(s: &mut State) -> Next {
    s.embedded.scheme = s.base.scheme.clone();
    Continue
}

pub(super) fn step_3(s: &mut State) -> Next {
    if s.embedded.net_loc.as_ref().is_some_and(|net_loc| !net_loc.is_empty()) {
        return SkipTo("7");
    }
    s.embedded.net_loc = s.base.net_loc.clone();
    Continue
}

pub(super) fn step_4(s: &mut State) -> Next {
    if s.embedded.slash { SkipTo("7") } else { Continue }
}

pub(super) fn step_5(s: &mut State) -> Next {
    if !s.embedded.path.is_empty() {
        return SkipTo("6");
    }
    s.embedded.slash = s.base.slash;
    s.embedded.path = s.base.path.clone();
    Continue
}

pub(super) fn step_5a(s: &mut State) -> Next {
    if !s.embedded.params.is_empty() {
        return SkipTo("7");
    }
    s.embedded.params = s.base.params.clone();
    Continue
}

pub(super) fn step_5b(s: &mut State) -> Next {
    if s.embedded.query.is_empty() {
        s.embedded.query = s.base.query.clone();
    }
    SkipTo("7")
}

pub(super) fn step_6(s: &mut State) -> Next {
    let kept = s.base.path.rfind('/').map_or(0, |at| at + 1);
    s.embedded.slash = s.base.slash;
    s.merged = Some(Segments::cut(format!("{}{}", &s.base.path[..kept], s.embedded.path)));
    Continue
}

pub(super) fn step_6a(s: &mut State) -> Next {
    if let Some(path) = &mut s.merged {
        path.remove_dots(|around| around.slash_after);
    }
    Continue
}

pub(super) fn step_6b(s: &mut State) -> Next {
    if let Some(path) = &mut s.merged {
        path.empty_last(".");
    }
    Continue
}

pub(super) fn step_6c(s: &mut State) -> Next {
    if s.merged.as_mut().is_some_and(|path| path.remove_leftmost_pair(not_dotdot)) { SkipTo("6c") } else { Continue }
}

pub(super) fn step_6d(s: &mut State) -> Next {
    if let Some(path) = &mut s.merged {
        path.remove_last_pair(not_dotdot);
    }
    Continue
}

pub(super) fn step_7(s: &mut State) -> Next {
    if let Some(path) = s.merged.take() {
        s.embedded.path = path.joined();
    }
    s.result = Some(recombined(&s.embedded));
    Done
}

/// §2.1's layout, with the slash that §2.2 demands between a net_loc and what follows it.
fn recombined(url: &Url) -> String {
    let mut text = String::new();
    if !url.scheme.is_empty() {
        text.extend([url.scheme.as_str(), ":"]);
    }
    if let Some(net_loc) = &url.net_loc {
        text.extend(["//", net_loc]);
    }
    let separates = url.net_loc.is_some() && [&url.path, &url.params, &url.query].iter().any(|part| !part.is_empty());
    if url.slash || separates {
        text.push('/');
    }
    text.push_str(&url.path);
    for (mark, part) in [(";", &url.params), ("?", &url.query), ("#", &url.fragment)] {
        if !part.is_empty() {
            text.extend([mark, part]);
        }
    }
    text
}

impl Show for Parsing {
    fn show(&self) -> String {
        shown(&self.url, Some(&self.rest))
    }
}

impl Show for State {
    fn show(&self) -> String {
        let state = match (&self.result, &self.merged) {
            (Some(result), _) => result.clone(),
            (None, Some(path)) => shown(&Url { path: path.joined(), ..self.embedded.clone() }, None),
            (None, None) => shown(&self.embedded, None),
        };
        if self.meaning == Meaning::SameDocument { format!("{state} (current document)") } else { state }
    }
}

fn shown(url: &Url, rest: Option<&str>) -> String {
    let net_loc = url.net_loc.as_deref().map(|net_loc| format!("//{net_loc}"));
    let slash = if url.slash { "/" } else { "" };
    let path = format!("{slash}{}", url.path);
    super::pairs(&[
        ("scheme", Some(url.scheme.as_str()).filter(|text| !text.is_empty())),
        ("authority", net_loc.as_deref()),
        ("path", Some(path.as_str()).filter(|text| !text.is_empty())),
        ("params", Some(url.params.as_str()).filter(|text| !text.is_empty())),
        ("query", Some(url.query.as_str()).filter(|text| !text.is_empty())),
        ("fragment", Some(url.fragment.as_str()).filter(|text| !text.is_empty())),
        ("rest", rest),
    ])
}
