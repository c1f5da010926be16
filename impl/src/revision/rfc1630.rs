//! RFC 1630, "Universal Resource Identifiers in WWW", June 1994: the partial form.
//!
//! The document numbers nothing; its rules are called here by the order in which they stand.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::{format, vec};

use super::segments::Segments;
use super::{CHOICE, ERRATUM, Parts, Remark, Revision};
use crate::resolution::{Meaning, Rejection, Resolution, Target};
use crate::rules::*;
use crate::step::{Next, Next::Continue, Next::Done, Next::SkipTo, Program, Show, Trace, run, texts};

/// RFC 1630's partial form.
pub static REVISION: Revision = Revision {
    id: "rfc1630",
    specification: "RFC 1630",
    cite: "RFC 1630",
    date: "June 1994",
    sections: "\"Partial (relative) form\"",
    components: &["scheme", "path", "search", "fragmentid"],
    rules: Some(&RULES),
    base: None,
    context: None,
    remarks: REMARKS,
    resolve,
    parse: |url, trace| Ok(parts(&parse(url, trace))),
    resolve_steps: || texts(RESOLVE),
    parse_steps: || texts(PARSE),
    schemes: None,
};

/// The row of RFC 1630.
pub static RULES: Rules = Rules {
    scheme_name: SchemeName::AnyColonBeforeSlash,
    unknown_base: UnknownBase::Undefined,
    same_scheme: SameScheme::Absolute,
    never_relative: NeverRelative::Ignored,
    dots_in_absolute: DotsInAbsolute::Kept,
    empty_fragment_on_absolute: EmptyFragmentOnAbsolute::Dropped,
    fragment: Fragment::SetAside,
    empty_fragment: EmptyFragment::Dropped,
    query: Query::EndsBasePath,
    empty_query: EmptyQuery::Kept,
    params: Params::InSegment,
    leading_slashes: LeadingSlashes::MatchingRun,
    host: Host::PartOfPath,
    authority_end: AuthorityEnd::Slash,
    empty_authority: EmptyAuthority::Defined,
    dots_in_network_path: DotsInNetworkPath::Kept,
    dots_in_rooted_path: DotsInRootedPath::Kept,
    empty_reference: EmptyReference::LastPartCut,
    base_fragment: BaseFragment::Left,
    query_only: QueryOnly::DropsLastSegment,
    bare_host: BareHost::NoSlash,
    scheme_alone: SchemeAlone::NoSlash,
    slash_before_query: SlashBeforeQuery::NotSupplied,
    trailing_dot: TrailingDot::TakesSlash,
    leading_dot: LeadingDot::Kept,
    trailing_dotdot: TrailingDotdot::Kept,
    dotdot_removes: DotdotRemoves::Named,
    excess: Excess::Kept,
    rootless_first: RootlessFirst::LeavesNothing,
    same_document: SameDocument::Unspecified,
};

/// The parts that the BNF and the partial form speak of.
const PARSE: &Program<Parsing> = &[
    ("fragmentaddress", "what follows the first # is the fragment-id, and a void one is none", parse_fragment),
    ("uri", "a colon before any slash ends the scheme", parse_scheme),
    ("search", "what follows the first ? is the search part", parse_search),
    ("path", "the rest is the path, host and all", parse_path),
];

const RESOLVE: &Program<State> = &[
    ("form", "a reference with a colon before any slash is absolute", form),
    ("rule 1", "any other has the context's scheme", rule_1),
    (
        "rule 2",
        "slashes at the start stand for the first run of as many in the context that has no longer run to its right",
        rule_2,
    ),
    ("rule 3", "any other replaces what follows the last slash of the context's path", rule_3),
    ("rule 4 /.", "every . element that has a slash before it goes, with that slash", rule_4_dot),
    (
        "rule 4 xxx/../",
        "the leftmost named element between single slashes that is followed by /../ goes with it; repeated until there is none",
        rule_4_dotdot,
    ),
    ("result", "scheme and path are put together, and the fragment-id after them", result),
];

const REMARKS: &[Remark] = &[
    CHOICE("r1630-xxx").issue("May the element that `..` removes be void, another `..`, or follow two slashes?").decision("no").reason("so reads the column of T. Berners-Lee's proposal in Fielding's pages 4 and 5"),
    CHOICE("r1630-order").issue("In which order are the two patterns removed?").decision("every `/.` first, then every `xxx/../`, leftmost first").reason("the text names no order; Appendix B, a month later, names this one"),
    CHOICE("r1630-cleaning").issue("Are elements removed from what the second rule gives?").decision("no").reason("the removal follows upon the third rule, behind its `Otherwise`"),
    CHOICE("r1630-partial-search").issue("Is a search part of the partial name set aside before elements are removed?").decision("no").reason("the partial name is appended as it is given"),
    CHOICE("r1630-no-context").issue("What if the context is unknown, or has no scheme?").decision("undefined").reason("the rules speak of a context that is well defined"),
    CHOICE("r1630-final-dots").issue("What becomes of a final `.` and `..`?").decision("`.` goes with its slash, `..` stays").reason("the only patterns are `/.` and `xxx/../`"),
    CHOICE("r1630-context-search").issue("Is the search part of the context cut before its last slash is looked for?").decision("yes").reason("path and search are separate in the grammar"),
    CHOICE("r1630-search-run").issue("The second rule looks for slashes anywhere in the context URI: do those in its search part count?").decision("no: `/x` against `http://h/p?u=http://y/z` is `http://h/x`, not `http://h/p?u=http://y/x`").reason("a search cannot contain a slash in the grammar, and the partial form relies on slashes that stand for a hierarchy, which the text describes for the path only"),
    CHOICE("r1630-empty").issue("What is an empty reference?").decision("the context without the last part of its path, as the third rule gives it").reason("the text does not speak of it"),
    CHOICE("r1630-no-run").issue("What if the context has no such run of slashes?").decision("undefined").reason("the rule has no such case"),
    CHOICE("r1630-same-scheme").issue("What of a reference that names the context's own scheme?").decision("it is absolute").reason("the test for the two forms says so; RFC 1808 and RFC 2396 call it the source of a loophole"),
    CHOICE("r1630-asterisk").issue("Are `*` and `!` reserved, as the prose says, or extra, as both grammars say?").decision("extra").reason("a scheme may reserve them, and none of those that the document describes does"),
    ERRATUM("r1630-single-slash").issue("`/g` against `magic://a/b/c//d/e/f` is printed as `magic://a/g`").decision("magic://a/b/c//d/g").reason("the slashes after `a` and `b` have a longer run to their right, so the rule finds the one after `d`; its author read it so in 1998"),
    ERRATUM("r1630-safe").issue("`safe` has no `+` in the grammar of URIs; in that of URLs it has one, and `-` twice").decision("without").reason("`+` parts the words of a search, and xpalpha would not have to add it to xalpha"),
];

#[derive(Clone, Default)]
struct Uri {
    scheme: Option<String>,
    path: String,
    search: Option<String>,
    fragment: String,
}

#[derive(Default)]
struct Parsing {
    rest: String,
    uri: Uri,
}

fn parse(uri: &str, trace: &mut Trace) -> Uri {
    let mut parsing = Parsing { rest: uri.to_owned(), uri: Uri::default() };
    run(PARSE, &mut parsing, trace);
    parsing.uri
}

fn parts(uri: &Uri) -> Parts {
    Parts(vec![
        ("scheme", uri.scheme.clone()),
        ("path", Some(uri.path.clone())),
        ("search", uri.search.clone()),
        ("fragmentid", Some(uri.fragment.clone()).filter(|text| !text.is_empty())),
    ])
}

fn parse_fragment(s: &mut Parsing) -> Next {
    if let Some(at) = s.rest.find('#') {
        s.uri.fragment = s.rest[at + 1..].to_owned();
        s.rest.truncate(at);
    }
    Continue
}

/// How long a scheme `text` begins with: what precedes a colon that precedes any slash.
fn scheme_length(text: &str) -> Option<usize> {
    let at = text.find([':', '/'])?;
    text[at..].starts_with(':').then_some(at)
}

fn parse_scheme(s: &mut Parsing) -> Next {
    if let Some(length) = scheme_length(&s.rest) {
        s.uri.scheme = Some(s.rest[..length].to_owned());
        s.rest.drain(..=length);
    }
    Continue
}

fn parse_search(s: &mut Parsing) -> Next {
    if let Some(at) = s.rest.find('?') {
        s.uri.search = Some(s.rest[at + 1..].to_owned());
        s.rest.truncate(at);
    }
    Continue
}

fn parse_path(s: &mut Parsing) -> Next {
    s.uri.path = core::mem::take(&mut s.rest);
    Done
}

struct State {
    context: Uri,
    /// The reference without its fragment-id.
    partial: String,
    fragment: String,
    path: Option<Segments>,
    answer: Option<Resolution>,
}

fn resolve(base: &str, reference: &str, trace: &mut Trace) -> Resolution {
    let (partial, fragment) = reference.split_once('#').unwrap_or((reference, ""));
    let mut state = State {
        context: parse(base, &mut Trace::off()),
        partial: partial.to_owned(),
        fragment: fragment.to_owned(),
        path: None,
        answer: None,
    };
    run(RESOLVE, &mut state, trace);
    state.answer.unwrap_or_else(|| Err(Rejection::new("Partial form", "the rules end without a result")))
}

impl State {
    fn answer(&mut self, uri: &str) -> Next {
        let mark = if self.fragment.is_empty() { "" } else { "#" };
        let url = format!("{uri}{mark}{}", self.fragment);
        self.answer = Some(Ok(Target { url, meaning: Meaning::Retrieval }));
        Done
    }

    fn reject(&mut self, why: impl Into<String>) -> Next {
        self.answer = Some(Err(Rejection::new("Partial form", why)));
        Done
    }
}

fn form(s: &mut State) -> Next {
    if scheme_length(&s.partial).is_none() {
        return Continue;
    }
    let partial = s.partial.clone();
    s.answer(&partial)
}

fn rule_1(s: &mut State) -> Next {
    match &s.context.scheme {
        Some(_) => Continue,
        None => s.reject("the context is unknown"),
    }
}

fn rule_2(s: &mut State) -> Next {
    let slashes = s.partial.len() - s.partial.trim_start_matches('/').len();
    if slashes == 0 {
        return Continue;
    }
    // The search part of the context does not count: CHOICE r1630-search-run.
    let Some(at) = matching_run(&s.context.path, slashes) else {
        let plural = if slashes == 1 { "" } else { "es" };
        return s.reject(format!("no run of {slashes} slash{plural}"));
    };
    let uri = format!("{}:{}{}", s.context.scheme.as_deref().unwrap_or_default(), &s.context.path[..at], s.partial);
    s.answer(&uri)
}

/// Where the first run of exactly `length` slashes begins that has no longer run to its right.
fn matching_run(path: &str, length: usize) -> Option<usize> {
    let mut found = None;
    let mut run = 0;
    // Right to left, so that a longer run ends the search; past the start as after any other character.
    for (at, byte) in path.bytes().enumerate().rev().chain([(usize::MAX, b' ')]) {
        if byte == b'/' {
            run += 1;
            continue;
        }
        if run > length {
            return found;
        }
        if run == length {
            found = Some(at.wrapping_add(1));
        }
        run = 0;
    }
    found
}

fn rule_3(s: &mut State) -> Next {
    let kept = s.context.path.rfind('/').map_or(0, |at| at + 1);
    s.path = Some(Segments::cut(format!("{}{}", &s.context.path[..kept], s.partial)));
    Continue
}

fn rule_4_dot(s: &mut State) -> Next {
    if let Some(path) = &mut s.path {
        path.remove_dots(|around| around.slash_before);
    }
    Continue
}

fn rule_4_dotdot(s: &mut State) -> Next {
    // Without a slash before it an element is not between slashes; and a void element before it is a second slash,
    // unless it is what stands before the first one.
    let named = |element: &str, prior: Option<&str>, index: usize| {
        !matches!(element, "" | "..") && index > 0 && (index == 1 || prior != Some(""))
    };
    if s.path.as_mut().is_some_and(|path| path.remove_leftmost_pair(named)) {
        SkipTo("rule 4 xxx/../")
    } else {
        Continue
    }
}

fn result(s: &mut State) -> Next {
    let path = s.path.take().map(|path| path.joined()).unwrap_or_default();
    let uri = format!("{}:{path}", s.context.scheme.as_deref().unwrap_or_default());
    s.answer(&uri)
}

impl Show for Parsing {
    fn show(&self) -> String {
        super::pairs(&[
            ("scheme", self.uri.scheme.as_deref()),
            ("path", Some(self.uri.path.as_str()).filter(|text| !text.is_empty())),
            ("search", self.uri.search.as_deref()),
            ("fragmentid", Some(self.uri.fragment.as_str()).filter(|text| !text.is_empty())),
            ("rest", Some(self.rest.as_str()).filter(|text| !text.is_empty())),
        ])
    }
}

impl Show for State {
    fn show(&self) -> String {
        match (&self.answer, &self.path) {
            (Some(Ok(target)), _) => target.url.clone(),
            (Some(Err(rejection)), _) => rejection.reason().to_owned(),
            (None, Some(path)) => super::pairs(&[("path", Some(path.joined().as_str()))]),
            (None, None) => super::pairs(&[
                ("partial", Some(self.partial.as_str())),
                ("fragmentid", Some(self.fragment.as_str()).filter(|text| !text.is_empty())),
            ]),
        }
    }
}
