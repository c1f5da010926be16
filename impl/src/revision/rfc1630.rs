//! RFC 1630, "Universal Resource Identifiers in WWW", June 1994: the partial form.
//!
//! The specification does not number its rules. The labels count them in their order.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::{format, vec};

use super::segments::{Segments, shorten};
use super::{CHOICE, ERRATUM, Parts, Remark, Revision};
use crate::resolution::{Meaning, Rejection, Resolution, Target};
use crate::rules::*;
use crate::slots::{Part, Slot};
use crate::step::{Next, Next::Continue, Next::Done, Next::SkipTo, Program, Recorder, Show, Trace, run, texts};

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
    statements: None,
    writes_slots: true,
};

/// The rule set of RFC 1630.
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
    base_fragment: BaseFragment::NotInherited,
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

/// The parts that the BNF and the partial form use.
const PARSE: &Program<Parsing> = &[
    (
        "fragmentaddress",
        "the part after the first # is the fragment-id; an empty one equals an absent one",
        parse_fragment,
    ),
    ("uri", "the part before the first colon is the scheme, if no slash precedes the colon", parse_scheme),
    ("search", "the part after the first ? is the search part", parse_search),
    ("path", "the rest, including the host, is the path", parse_path),
];

const RESOLVE: &Program<State> = &[
    ("form", "if a colon occurs before any slash, the reference is absolute", form),
    ("rule 1", "otherwise the scheme is the context's", rule_1),
    (
        "rule 2",
        "leading slashes select the first equally long run of slashes in the context that is not followed by a longer run",
        rule_2,
    ),
    ("rule 3", "otherwise the reference replaces the part after the last slash of the context's path", rule_3),
    ("rule 4 /.", "remove each . element after a slash, together with that slash", rule_4_dot),
    (
        "rule 4 xxx/../",
        "remove the leftmost named element before /../ and between single slashes, together with /../; repeat until there is none",
        rule_4_dotdot,
    ),
    ("result", "concatenate the scheme, the path and the fragment-id", result),
];

const REMARKS: &[Remark] = &[
    CHOICE("r1630-xxx").issue("May the element that `..` removes be empty, be another `..`, or follow two slashes?").decision("no").reason("the column for T. Berners-Lee's proposal in Fielding's test pages 4 and 5 requires it"),
    CHOICE("r1630-order").issue("In which order are the two patterns removed?").decision("every `/.` first, then every `xxx/../`, leftmost first").reason("the text states no order; Appendix B, a month later, states this one"),
    CHOICE("r1630-cleaning").issue("Are elements removed from the result of the second rule?").decision("no").reason("the removal belongs to the third rule, after its `Otherwise`"),
    CHOICE("r1630-partial-search").issue("Is a search part of the partial name split off before elements are removed?").decision("no").reason("the partial name is appended unchanged"),
    CHOICE("r1630-no-context").issue("What is the result if the context is unknown or has no scheme?").decision("it is undefined").reason("the rules assume a well-defined context"),
    CHOICE("r1630-final-dots").issue("What happens to `.` and `..` at the end?").decision("`.` is removed with its slash, and `..` is kept").reason("the only patterns are `/.` and `xxx/../`"),
    CHOICE("r1630-context-search").issue("Is the search part of the context removed before the search for the last slash?").decision("yes").reason("path and search are separate in the grammar"),
    CHOICE("r1630-search-run").issue("The second rule searches the context URI for slashes: does it include the search part?").decision("no: `/x` against `http://h/p?u=http://y/z` is `http://h/x`, not `http://h/p?u=http://y/x`").reason("the grammar allows no slash in a search part, and the partial form relies on slashes as the marks of a hierarchy, which the text describes only for the path"),
    CHOICE("r1630-empty").issue("What is the result of an empty reference?").decision("the context without the last part of its path, by the third rule").reason("the text does not mention empty references"),
    CHOICE("r1630-no-run").issue("What is the result if the context has no such run of slashes?").decision("it is undefined").reason("the rule does not cover this case"),
    CHOICE("r1630-same-scheme").issue("Is a reference with the context's scheme absolute?").decision("yes").reason("the criterion for the two forms says so; RFC 1808 and RFC 2396 describe the opposite as a loophole"),
    CHOICE("r1630-asterisk").issue("Are `*` and `!` reserved, as the prose says, or extra, as both grammars say?").decision("extra").reason("a scheme may reserve them, and none of the described schemes does"),
    ERRATUM("r1630-single-slash").issue("`/g` against `magic://a/b/c//d/e/f` is printed as `magic://a/g`").decision("magic://a/b/c//d/g").reason("a longer run follows the slashes after `a` and `b`, so that the rule selects the slash after `d`; the author of the rule interpreted it so in 1998"),
    ERRATUM("r1630-safe").issue("`safe` contains no `+` in the grammar of URIs, but contains `+`, and `-` twice, in the grammar of URLs").decision("it contains no `+`").reason("`+` separates the words of a search, and xpalpha adds `+` to xalpha"),
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

/// Returns the length of the scheme that `text` begins with: a colon ends it, and no slash precedes the colon.
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
    recorder: Recorder,
}

fn resolve(base: &str, reference: &str, trace: &mut Trace) -> Resolution {
    let mut recorder = trace.take_recorder();
    let [base, reference] = recorder.given(base, reference);
    let (partial, fragment) = reference.split_once('#').unwrap_or((&reference, ""));
    let mut state = State {
        context: parse(&base, &mut Trace::off()),
        partial: partial.to_owned(),
        fragment: fragment.to_owned(),
        path: None,
        answer: None,
        recorder,
    };
    run(RESOLVE, &mut state, trace);
    trace.put_recorder(state.recorder);
    state.answer.unwrap_or_else(|| Err(Rejection::new("Partial form", "the rules end without a result")))
}

/// Divides what follows a scheme at the ends of the host and of the path, which are one for this specification. Only slots tell them apart.
fn divided(rest: &str) -> (&str, &str, &str) {
    let end = |text: &str, marks: &[char]| text.find(marks).unwrap_or(text.len());
    let host = rest.strip_prefix("//").map_or(0, |after| 2 + end(after, &['/', '?']));
    let (host, rest) = rest.split_at(host);
    let (path, search) = rest.split_at(end(rest, &['?']));
    (host, path, search)
}

impl State {
    /// Writes the path of `rest`, what follows a scheme, to a slot.
    fn write_path(&mut self, slot: Slot, rest: String) -> String {
        if !self.recorder.is_on() {
            return rest;
        }
        let (host, path, search) = divided(&rest);
        let mut path = path.to_owned();
        self.recorder.text(slot, &mut path);
        [host, &path, search].concat()
    }

    /// Names what a kept part of the context's path contains.
    fn inherit(&mut self, kept: usize) {
        if self.recorder.is_on() {
            let host = divided(&self.context.path).0.len();
            if kept > 2 && host > 0 {
                self.recorder.inherit(Part::Authority);
            }
            if kept > host {
                self.recorder.inherit_as("folder");
            }
        }
    }

    /// Writes the slots of the target, and returns the target with the values that are exchanged.
    fn target(&mut self, url: String) -> String {
        if !self.recorder.is_on() {
            return url;
        }
        let (uri, fragment) = url.split_once('#').map_or((&*url, None), |(uri, fragment)| (uri, Some(fragment)));
        let length = scheme_length(uri);
        let rest = length.map_or(uri, |length| &uri[length + 1..]);
        let (host, path, search) = divided(rest);
        let owned = |text: &str| Some(text.to_owned());
        let mut scheme = length.and_then(|length| owned(&uri[..length]));
        let mut host = host.strip_prefix("//").and_then(owned);
        let mut path = path.to_owned();
        let mut search = search.strip_prefix('?').and_then(owned);
        let mut fragment = fragment.and_then(owned);
        if self.recorder.has(Slot::NoDots) {
            self.recorder.copy(Slot::Out(Part::Path), Slot::NoDots);
        }
        self.recorder.text(Slot::Out(Part::Path), &mut path);
        for (part, value) in [
            (Part::Scheme, &mut scheme),
            (Part::Authority, &mut host),
            (Part::Query, &mut search),
            (Part::Fragment, &mut fragment),
        ] {
            self.recorder.target(part, value);
        }
        let text = |before: &str, value: Option<String>, after: &str| {
            value.map_or_else(String::new, |value| format!("{before}{value}{after}"))
        };
        [text("", scheme, ":"), text("//", host, ""), path, text("?", search, ""), text("#", fragment, "")].concat()
    }

    fn answer(&mut self, uri: &str) -> Next {
        let mark = if self.fragment.is_empty() { "" } else { "#" };
        let url = format!("{uri}{mark}{}", self.fragment);
        let url = self.target(url);
        self.answer = Some(Ok(Target { url, meaning: Meaning::Retrieval }));
        Done
    }

    fn reject(&mut self, slot: Slot, why: impl Into<String>) -> Next {
        let why = why.into();
        self.recorder.reject(slot, &why);
        self.answer = Some(Err(Rejection::new("Partial form", why)));
        Done
    }
}

fn form(s: &mut State) -> Next {
    if s.recorder.is_on() {
        let mut scheme = scheme_length(&s.partial).map(|length| s.partial[..length].to_owned());
        if let Some(scheme) = &scheme {
            s.partial.drain(..=scheme.len());
        }
        s.recorder.part(Slot::Ref(Part::Scheme), &mut scheme);
        if let Some(scheme) = scheme {
            s.partial.insert_str(0, &(scheme + ":"));
        }
        let mut fragment = Some(core::mem::take(&mut s.fragment)).filter(|text| !text.is_empty());
        s.recorder.begin("fragmentaddress");
        s.recorder.part(Slot::Ref(Part::Fragment), &mut fragment);
        s.recorder.begin("form");
        s.fragment = fragment.unwrap_or_default();
    }
    if scheme_length(&s.partial).is_none() {
        return Continue;
    }
    s.recorder.nothing();
    let partial = s.partial.clone();
    s.answer(&partial)
}

fn rule_1(s: &mut State) -> Next {
    s.recorder.part(Slot::Base(Part::Scheme), &mut s.context.scheme);
    if s.context.scheme.is_none() {
        return s.reject(Slot::Base(Part::Scheme), "the base is unknown or has no scheme");
    }
    s.recorder.inherit(Part::Scheme);
    Continue
}

fn rule_2(s: &mut State) -> Next {
    let slashes = s.partial.len() - s.partial.trim_start_matches('/').len();
    if slashes == 0 {
        return Continue;
    }
    // The search excludes the search part of the context: CHOICE r1630-search-run.
    let Some(at) = matching_run(&s.context.path, slashes) else {
        let plural = if slashes == 1 { "" } else { "es" };
        return s.reject(Slot::Used, format!("no run of {slashes} slash{plural}"));
    };
    s.inherit(at);
    let rest = [&s.context.path[..at], &s.partial].concat();
    let rest = s.write_path(Slot::Merged, rest);
    s.recorder.flow(Slot::NoDots, Slot::Merged);
    let uri = format!("{}:{rest}", s.context.scheme.as_deref().unwrap_or_default());
    s.answer(&uri)
}

/// Returns the start of the first run of exactly `length` slashes that is not followed by a longer run.
fn matching_run(path: &str, length: usize) -> Option<usize> {
    let mut found = None;
    let mut run = 0;
    // The loop goes from right to left, so that a longer run ends the search. The added byte ends a run at the start.
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
    s.inherit(kept);
    let path = [&s.context.path[..kept], &s.partial].concat();
    let path = s.write_path(Slot::Merged, path);
    s.recorder.flow(Slot::NoDots, Slot::Merged);
    s.path = Some(Segments::cut(path));
    Continue
}

fn rule_4_dot(s: &mut State) -> Next {
    shorten(&mut s.path, &mut s.recorder, |path| path.remove_dots(|around| around.slash_before));
    Continue
}

fn rule_4_dotdot(s: &mut State) -> Next {
    // The first element has no slash before it. An empty element before the element means two slashes, unless it is the
    // empty text before the first slash.
    let named = |element: &str, prior: Option<&str>, index: usize| {
        !matches!(element, "" | "..") && index > 0 && (index == 1 || prior != Some(""))
    };
    if s.path.as_mut().is_some_and(|path| path.remove_leftmost_pair(named)) {
        s.recorder.decide(Slot::NoDots);
        SkipTo("rule 4 xxx/../")
    } else {
        if s.recorder.is_on() && s.path.as_ref().is_some_and(Segments::has_parents) {
            s.recorder.keep(Slot::NoDots);
        }
        Continue
    }
}

fn result(s: &mut State) -> Next {
    let path = s.path.take().map(|path| path.joined()).unwrap_or_default();
    s.recorder.only_writes();
    let path = s.write_path(Slot::NoDots, path);
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

    fn recorder(&mut self) -> Option<&mut Recorder> {
        Some(&mut self.recorder)
    }
}
