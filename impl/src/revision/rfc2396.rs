//! RFC 2396, "Uniform Resource Identifiers (URI): Generic Syntax", August 1998: §5.1 and §5.2, Appendices B, C
//! and E.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};

use super::segments::{Segments, not_dotdot, shorten};
use super::{CHOICE, ERRATUM, Parts, Remark, Revision};
use crate::base::{self, DefaultBase, Header, HeaderSyntax};
use crate::context::{self, Aspect, Bare, Brackets, Quotes};
use crate::resolution::{Meaning, Rejection, Resolution, Target};
use crate::rules::*;
use crate::scheme::{Access, Statement, Warnings, encoded_line_ends};
use crate::scheme_name;
use crate::slots::{Part, Slot};
use crate::step::{Next, Next::Continue, Next::Done, Next::SkipTo, Program, Recorder, Show, Trace, run, texts};

/// RFC 2396.
pub static REVISION: Revision = Revision {
    id: "rfc2396",
    specification: "RFC 2396",
    cite: "RFC 2396",
    date: "August 1998",
    sections: "§3 components, §5.1 base, §5.2 resolving, Appendix C examples, Appendix E context",
    components: &["scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment"],
    rules: Some(&RULES),
    base: Some(&BASE),
    context: Some(&CONTEXT),
    remarks: REMARKS,
    resolve,
    parse: |url, trace| Ok(parts(&parse(PARSE, url, trace))),
    resolve_steps: || texts(RESOLVE),
    parse_steps: || texts(PARSE),
    schemes: None,
    statements: Some(|url| cautions(&parse(PARSE, url, &mut Trace::off()), url, &Warnings::of("7"))),
    writes_slots: true,
};

/// §5.1.
pub(super) static BASE: base::Algorithm = base::Algorithm {
    scheme_name: SchemeName::LetterFirst,
    default: DefaultBase::Application,
    headers: &[
        Header { name: "Content-Base", syntax: HeaderSyntax::Plain },
        Header { name: "Content-Location", syntax: HeaderSyntax::Plain },
    ],
    sections: ["5.1.1", "5.1.2", "5.1.3", "5.1.4"],
    convert: None,
    steps: BASE_STEPS,
};

/// §5.1: one step for each layer.
const BASE_STEPS: &Program<base::State> = &[
    ("5.1.1", "use the base in the document's content or in its own header", base::content),
    ("5.1.2", "otherwise use the base of the enclosing entity", base::enclosing),
    ("5.1.3", "otherwise, if no entity encloses the document, use the URI of its retrieval", base::retrieval),
    ("5.1.4", "otherwise use the base that the application provides", base::application),
];

/// Appendix E.
static CONTEXT: context::Extractor = context::Extractor {
    section: "E",
    brackets: Brackets::WithOrWithout,
    quotes: Quotes::Delimit,
    bare: Bare::Found,
    steps: &[
        ("E quotes", "double quotes delimit the URI and are not part of it", Aspect::Quotes),
        ("E brackets", "angle brackets delimit the URI and are not part of it", Aspect::Brackets),
        ("E white space around", "white space delimits the URI", Aspect::Bare),
        ("E fragment", "a fragment is inside the brackets", Aspect::Fragment),
        ("E white space within", "white space that breaks a long URI is ignored", Aspect::WhiteSpace),
        ("E hyphen", "a hyphen directly before a line end may or may not be part of the URI", Aspect::Hyphen),
        (
            "E prefix",
            "a prefix URL: inside the brackets is an older convention and not part of the URI",
            Aspect::Prefix,
        ),
    ],
};

/// The rule set of RFC 2396.
pub static RULES: Rules = Rules {
    scheme_name: SchemeName::LetterFirst,
    unknown_base: UnknownBase::SameDocumentOnly,
    same_scheme: SameScheme::Absolute,
    never_relative: NeverRelative::Ignored,
    dots_in_absolute: DotsInAbsolute::Kept,
    empty_fragment_on_absolute: EmptyFragmentOnAbsolute::Kept,
    fragment: Fragment::SetAside,
    empty_fragment: EmptyFragment::Kept,
    query: Query::SetAside,
    empty_query: EmptyQuery::Kept,
    params: Params::InSegment,
    leading_slashes: LeadingSlashes::HostOrRoot,
    host: Host::SetApart,
    authority_end: AuthorityEnd::SlashOrQuery,
    empty_authority: EmptyAuthority::Defined,
    dots_in_network_path: DotsInNetworkPath::Kept,
    dots_in_rooted_path: DotsInRootedPath::Kept,
    empty_reference: EmptyReference::Base,
    base_fragment: BaseFragment::NotInherited,
    query_only: QueryOnly::DropsLastSegment,
    bare_host: BareHost::NoSlash,
    scheme_alone: SchemeAlone::NoSlash,
    slash_before_query: SlashBeforeQuery::NotSupplied,
    trailing_dot: TrailingDot::LeavesSlash,
    leading_dot: LeadingDot::Removed,
    trailing_dotdot: TrailingDotdot::Resolved,
    dotdot_removes: DotdotRemoves::NotDotdot,
    excess: Excess::Kept,
    rootless_first: RootlessFirst::LeavesNothing,
    same_document: SameDocument::ByForm,
};

/// §3 and Appendix B: each component ends at the first delimiter that may follow it.
const PARSE: &Program<Parsing> = &[
    ("3.1", "if a name that begins with a letter precedes a colon, it is the scheme", parse_scheme),
    ("3.2", "after two leading slashes, the part up to the next slash, ? or # is the authority", parse_authority),
    ("3.3", "the part up to the next ? or # is the path, which is never undefined", parse_path),
    ("3.4", "after a ?, the part up to the # is the query", parse_query),
    ("4.1", "the part after the # is the fragment", parse_fragment),
];

/// §5.2.
const RESOLVE: &Program<State> = &[
    ("1", "split the reference into components; undefined differs from empty", step_1),
    (
        "2",
        "if the path is empty and scheme, authority and query are undefined, the reference means the current document",
        step_2,
    ),
    ("3", "if the reference has a scheme, it is absolute; otherwise inherit the base's", step_3),
    ("4", "if the reference has an authority, go to step 7; otherwise inherit the base's", step_4),
    ("5", "if the path begins with a slash, go to step 7", step_5),
    ("6", "merge the relative path with the base's path", step_6),
    ("6a", "copy the base's path without its last segment to the buffer", step_6a),
    ("6b", "append the reference's path", step_6b),
    ("6c", "remove each . segment before a slash, together with that slash", step_6c),
    ("6d", "remove a . segment at the end", step_6d),
    (
        "6e",
        "remove the leftmost segment other than .. that /../ follows, together with /../; repeat until there is none",
        step_6e,
    ),
    ("6f", "remove a segment other than .. that /.. follows at the end, together with /..", step_6f),
    ("6g", "a .. that remains at the start is an error, and is kept", step_6g),
    ("7", "concatenate the components that are defined", step_7),
];

const REMARKS: &[Remark] = &[
    CHOICE("r2396-surplus").issue("What happens to a `..` if no segment is left to remove: is it kept or removed, or is the reference rejected?").decision("it is kept").reason("Appendix C prints such results"),
    CHOICE("r2396-scheme-shape").issue("Is a scheme found by the grammar or by the regular expression of Appendix B, which accepts any text before a colon?").decision("by the grammar: it begins with a letter").reason("G.2 lists that rule as a change"),
    CHOICE("r2396-current-document").issue("Which URL is the target of a reference to the current document?").decision("the base with the reference's fragment instead of its own").reason("§4.2 allows that for a request"),
    CHOICE("r2396-same-scheme").issue("Is a scheme that equals the base's ignored?").decision("no").reason("step 3 permits it only for old implementations, and Appendix C prints the strict result first"),
    CHOICE("r2396-opaque-base").issue("What is the result for a base with an opaque part, such as `foo:a`?").decision("the result of the steps").reason("§5 says that such a base allows no relative references, and defines no other result"),
    CHOICE("r2396-leading-slash").issue("Is there an empty segment before a leading slash that `..` may remove?").decision("no").reason("the results that Appendix C prints for `/../g` exclude it"),
    CHOICE("r2396-first-empty").issue("Is an empty segment still a segment if a removal makes it the first one, as in `.//../b` against `foo:a`?").decision("yes; only the slash at the start of the merged path does not delimit one").reason("the segment was between two slashes, and the steps remove segments, as in RFC 1808"),
    CHOICE("r2396-context-brackets").issue("Which brackets and quotes delimit a URI, and which delimit text?").decision("brackets delimit a URI if their content begins with the prefix or with a scheme and at least one more character; quotes do if their content begins with a scheme and two slashes").reason("Appendix E lists the delimiters, but not how to distinguish them from other quotations; a quotation may resemble a URI: `\"Note:this\"`"),
    CHOICE("r2396-context-bare").issue("Which words between white space are URIs?").decision("words that begin with a scheme and two slashes, optionally after opening punctuation or the prefix; they end at white space, `<`, `>` or a quote").reason("any `note:this` matches the grammar of a URI; Appendix E's example has the slashes"),
    CHOICE("r2396-context-punctuation").issue("Is punctuation after a URI without delimiters part of the URI?").decision("no, but a second candidate contains it; a closing bracket is part of the URI if its opening bracket is").reason("Appendix E warns that punctuation may be mistaken for part of the URI"),
    CHOICE("r2396-context-inherited").issue("How are the points decided that RFC 1738's appendix leaves open in the same words?").decision("as in RFC 1738; in addition, white space may precede the prefix").reason("Appendix E repeats the appendix, and ignores white space between any delimiters"),
    CHOICE("r2396-base-inherited").issue("How are the points of §5.1 decided that RFC 1808 leaves open in the same words?").decision("as in RFC 1808").reason("§5.1 and Appendix D repeat its §3 and §10"),
    CHOICE("r2396-base-header").issue("Which header fields define the base of a message or a part?").decision("Content-Base, then an absolute Content-Location; white space is ignored in both").reason("§5.1.1 leaves it to MHTML, and RFC 2110 has both, in this order"),
    CHOICE("r2396-no-base").issue("What is the result of a relative reference if the base is unknown?").decision("it is undefined, also for a reference to the current document").reason("§5.1.4 leaves the base to the application; step 2 identifies the document, but not its URL"),
    CHOICE("r2396-server-first").issue("An authority may match server and reg_name: which match is reported?").decision("server").reason("§3.2 lists it first"),
    ERRATUM("r2396-query-only").issue("relativeURI matches no reference that begins with its query, such as `?y` in Appendix C").decision("the steps resolve such a reference, and the grammar does not match it").reason("§5.2 resolves the examples without reference to a production; RFC 3986 allows an empty path"),
    ERRATUM("r2396-bare-host").issue("Steps 6a and 6b append a path to a host without a slash: `g` against `http://a` is `http://ag`").decision("a slash is missing").reason("RFC 3986 §5.2.3 corrects it; this revision returns the result of the steps"),
];

/// The components of §3. `None` means undefined.
#[derive(Clone, Default)]
pub(super) struct Uri {
    pub(super) scheme: Option<String>,
    pub(super) authority: Option<String>,
    pub(super) path: String,
    pub(super) query: Option<String>,
    pub(super) fragment: Option<String>,
}

/// The rest of the string, and the components that were split off.
pub(super) struct Parsing {
    rest: String,
    uri: Uri,
    /// The slots of the text.
    of: fn(Part) -> Slot,
    recorder: Recorder,
}

/// Runs the parsing program of RFC 2396 or of RFC 3986, which has other labels.
pub(super) fn parse(program: &Program<Parsing>, text: &str, trace: &mut Trace) -> Uri {
    let mut parsing =
        Parsing { rest: text.to_owned(), uri: Uri::default(), of: Slot::Ref, recorder: trace.take_recorder() };
    run(program, &mut parsing, trace);
    trace.put_recorder(parsing.recorder);
    parsing.uri
}

/// Runs the parsing program on the base or the reference of a run.
pub(super) fn read(program: &Program<Parsing>, text: &str, of: fn(Part) -> Slot, recorder: &mut Recorder) -> Uri {
    let mut parsing = Parsing { rest: text.to_owned(), uri: Uri::default(), of, recorder: core::mem::take(recorder) };
    run(program, &mut parsing, &mut Trace::off());
    *recorder = parsing.recorder;
    parsing.uri
}

/// Returns the components under the specification's names, and the parts of the authority.
pub(super) fn parts(uri: &Uri) -> Parts {
    let (userinfo, host, port) = match &uri.authority {
        Some(authority) => {
            let (userinfo, server) = match authority.split_once('@') {
                Some((userinfo, server)) => (Some(userinfo), server),
                None => (None, authority.as_str()),
            };
            match server.rsplit_once(':').filter(|(_, port)| !port.contains(']')) {
                Some((host, port)) => (userinfo, Some(host), Some(port)),
                None => (userinfo, Some(server), None),
            }
        }
        None => (None, None, None),
    };
    Parts(vec![
        ("scheme", uri.scheme.clone()),
        ("authority", uri.authority.clone()),
        ("userinfo", userinfo.map(ToOwned::to_owned)),
        ("host", host.map(ToOwned::to_owned)),
        ("port", port.map(ToOwned::to_owned)),
        ("path", Some(uri.path.clone())),
        ("query", uri.query.clone()),
        ("fragment", uri.fragment.clone()),
    ])
}

/// Returns the cautions about an absolute URI in `text`. A fragment is not part of the URI.
pub(super) fn cautions(uri: &Uri, text: &str, warnings: &Warnings) -> Vec<Statement> {
    let Some(scheme) = &uri.scheme else { return Vec::new() };
    let parts = parts(uri);
    let userinfo = parts.component("userinfo").flatten();
    let (user, password) = match userinfo.and_then(|userinfo| userinfo.split_once(':')) {
        Some((user, password)) => (Some(user), Some(password)),
        None => (userinfo, None),
    };
    let delimiters = encoded_line_ends(text.split('#').next().unwrap_or_default()).collect();
    let access = Access { scheme, user, password, port: parts.component("port").flatten(), delimiters };
    access.cautions(warnings).into_iter().map(Statement::from).collect()
}

pub(super) fn parse_scheme(s: &mut Parsing) -> Next {
    if let Some(length) = scheme_name::length_letter_first(&s.rest) {
        s.uri.scheme = Some(s.rest[..length].to_owned());
        s.rest.drain(..=length);
    }
    s.recorder.part((s.of)(Part::Scheme), &mut s.uri.scheme);
    Continue
}

/// Removes the part before the first of `ends` from `rest`, and returns it.
fn take_until(rest: &mut String, ends: &[char]) -> String {
    let end = rest.find(ends).unwrap_or(rest.len());
    let left = rest.split_off(end);
    core::mem::replace(rest, left)
}

pub(super) fn parse_authority(s: &mut Parsing) -> Next {
    if s.rest.starts_with("//") {
        s.rest.drain(..2);
        s.uri.authority = Some(take_until(&mut s.rest, &['/', '?', '#']));
    }
    s.recorder.part((s.of)(Part::Authority), &mut s.uri.authority);
    Continue
}

pub(super) fn parse_path(s: &mut Parsing) -> Next {
    s.uri.path = take_until(&mut s.rest, &['?', '#']);
    s.recorder.text((s.of)(Part::Path), &mut s.uri.path);
    Continue
}

pub(super) fn parse_query(s: &mut Parsing) -> Next {
    if s.rest.starts_with('?') {
        s.rest.drain(..1);
        s.uri.query = Some(take_until(&mut s.rest, &['#']));
    }
    s.recorder.part((s.of)(Part::Query), &mut s.uri.query);
    Continue
}

pub(super) fn parse_fragment(s: &mut Parsing) -> Next {
    if s.rest.starts_with('#') {
        s.rest.drain(..1);
        s.uri.fragment = Some(core::mem::take(&mut s.rest));
    }
    s.recorder.part((s.of)(Part::Fragment), &mut s.uri.fragment);
    Done
}

/// The state of §5.2.
struct State {
    base_text: String,
    base: Uri,
    reference: Uri,
    buffer: String,
    rooted: bool,
    merged: Option<Segments>,
    answer: Option<Resolution>,
    recorder: Recorder,
}

fn resolve(base: &str, reference: &str, trace: &mut Trace) -> Resolution {
    let mut recorder = trace.take_recorder();
    let [base_text, reference] = recorder.given(base, reference);
    let mut state = State {
        base: read(PARSE, &base_text, Slot::Base, &mut recorder),
        base_text,
        reference: Uri { path: reference, ..Uri::default() },
        buffer: String::new(),
        rooted: false,
        merged: None,
        answer: None,
        recorder,
    };
    run(RESOLVE, &mut state, trace);
    trace.put_recorder(state.recorder);
    state.answer.unwrap_or_else(|| Err(Rejection::new("5.2", "the steps end without a result")))
}

fn step_1(s: &mut State) -> Next {
    s.reference = read(PARSE, &s.reference.path, Slot::Ref, &mut s.recorder);
    s.recorder.own_as_read(&[Part::Query, Part::Fragment]);
    Continue
}

fn step_2(s: &mut State) -> Next {
    let reference = &s.reference;
    let only_a_fragment = reference.path.is_empty()
        && reference.scheme.is_none()
        && reference.authority.is_none()
        && reference.query.is_none();
    if !only_a_fragment {
        return Continue;
    }
    if s.base_text.is_empty() {
        s.recorder.reject(Slot::Base(Part::Scheme), "the current document's URL is unknown");
        s.answer = Some(Err(Rejection::same_document(
            "4.2",
            "the reference points into the current document, whose URL is unknown",
        )));
        return Done;
    }
    for part in [Part::Scheme, Part::Authority] {
        s.recorder.inherit(part);
    }
    s.recorder.inherit_as("path");
    s.recorder.inherit(Part::Query);
    s.recorder.flow(Slot::Merged, Slot::Base(Part::Path));
    s.recorder.flow(Slot::Out(Part::Path), Slot::Base(Part::Path));
    let mut url = s.base_text.split('#').next().unwrap_or_default().to_owned();
    if let Some(fragment) = &reference.fragment {
        url.extend(["#", fragment]);
    }
    s.answer = Some(Ok(Target { url, meaning: Meaning::SameDocument }));
    Done
}

fn step_3(s: &mut State) -> Next {
    if s.reference.scheme.is_some() {
        s.recorder.nothing();
        s.recorder.own(&[Part::Scheme, Part::Authority, Part::Path]);
        s.recorder.own_path();
        s.answer = Some(Ok(Target { url: recombined(&s.reference), meaning: Meaning::Retrieval }));
        return Done;
    }
    if s.base.scheme.is_none() {
        s.recorder.reject(Slot::Base(Part::Scheme), "the base is unknown or has no scheme");
        s.answer = Some(Err(Rejection::new("5.1.4", "the base is unknown or has no scheme")));
        return Done;
    }
    s.recorder.inherit(Part::Scheme);
    s.reference.scheme = s.base.scheme.clone();
    Continue
}

fn step_4(s: &mut State) -> Next {
    if s.reference.authority.is_some() {
        s.recorder.own(&[Part::Authority]);
        s.recorder.own_path();
        return SkipTo("7");
    }
    s.recorder.inherit(Part::Authority);
    s.reference.authority = s.base.authority.clone();
    Continue
}

fn step_5(s: &mut State) -> Next {
    if !s.reference.path.starts_with('/') {
        return Continue;
    }
    s.recorder.own_path();
    SkipTo("7")
}

fn step_6(_: &mut State) -> Next {
    SkipTo("6a")
}

fn step_6a(s: &mut State) -> Next {
    let kept = s.base.path.rfind('/').map_or(0, |at| at + 1);
    s.buffer = s.base.path[..kept].to_owned();
    s.recorder.inherit_as("folder");
    Continue
}

fn step_6b(s: &mut State) -> Next {
    s.buffer.push_str(&s.reference.path);
    s.recorder.text(Slot::Merged, &mut s.buffer);
    s.recorder.flow(Slot::NoDots, Slot::Merged);
    // There is no segment before a leading slash: CHOICE r2396-leading-slash.
    s.rooted = s.buffer.starts_with('/');
    s.merged = Some(Segments::cut(s.buffer[usize::from(s.rooted)..].to_owned()));
    Continue
}

fn step_6c(s: &mut State) -> Next {
    shorten(&mut s.merged, &mut s.recorder, |path| path.remove_dots(|around| around.slash_after));
    Continue
}

fn step_6d(s: &mut State) -> Next {
    shorten(&mut s.merged, &mut s.recorder, |path| {
        path.empty_last(".");
    });
    Continue
}

fn step_6e(s: &mut State) -> Next {
    if !s.merged.as_mut().is_some_and(|path| path.remove_leftmost_pair(not_dotdot)) {
        return Continue;
    }
    s.recorder.decide(Slot::NoDots);
    SkipTo("6e")
}

fn step_6f(s: &mut State) -> Next {
    shorten(&mut s.merged, &mut s.recorder, |path| path.remove_last_pair(not_dotdot));
    Continue
}

fn step_6g(s: &mut State) -> Next {
    if s.recorder.is_on() && s.merged.as_ref().is_some_and(Segments::has_parents) {
        s.recorder.decide(Slot::NoDots);
    }
    if let Some(path) = s.merged.take() {
        s.reference.path = s.slash_and(&path);
    }
    s.recorder.only_writes();
    s.recorder.text(Slot::NoDots, &mut s.reference.path);
    Continue
}

fn step_7(s: &mut State) -> Next {
    let path = if s.recorder.has(Slot::NoDots) { Slot::NoDots } else { Slot::Ref(Part::Path) };
    s.recorder.copy(Slot::Out(Part::Path), path);
    target(&mut s.recorder, &mut s.reference);
    s.answer = Some(Ok(Target { url: recombined(&s.reference), meaning: Meaning::Retrieval }));
    Done
}

/// Replaces the components of the target that are exchanged.
pub(super) fn target(recorder: &mut Recorder, uri: &mut Uri) {
    if !recorder.is_on() {
        return;
    }
    let mut path = Some(core::mem::take(&mut uri.path));
    recorder.target(Part::Scheme, &mut uri.scheme);
    recorder.target(Part::Authority, &mut uri.authority);
    recorder.target(Part::Path, &mut path);
    recorder.target(Part::Query, &mut uri.query);
    recorder.target(Part::Fragment, &mut uri.fragment);
    uri.path = path.unwrap_or_default();
}

/// Concatenates the defined components and their delimiters.
pub(super) fn recombined(uri: &Uri) -> String {
    let mut text = String::new();
    if let Some(scheme) = &uri.scheme {
        text.extend([scheme, ":"]);
    }
    if let Some(authority) = &uri.authority {
        text.extend(["//", authority]);
    }
    text.push_str(&uri.path);
    if let Some(query) = &uri.query {
        text.extend(["?", query]);
    }
    if let Some(fragment) = &uri.fragment {
        text.extend(["#", fragment]);
    }
    text
}

impl State {
    fn slash_and(&self, path: &Segments) -> String {
        format!("{}{}", if self.rooted { "/" } else { "" }, path.joined())
    }
}

impl Show for Parsing {
    fn show(&self) -> String {
        shown(&self.uri, &[("rest", Some(self.rest.as_str()))])
    }

    fn recorder(&mut self) -> Option<&mut Recorder> {
        Some(&mut self.recorder)
    }
}

impl Show for State {
    fn show(&self) -> String {
        match (&self.answer, &self.merged) {
            (Some(Ok(target)), _) => target.url.clone(),
            (Some(Err(rejection)), _) => rejection.reason().to_owned(),
            (None, Some(path)) => shown(&self.reference, &[("buffer", Some(self.slash_and(path).as_str()))]),
            (None, None) => {
                shown(&self.reference, &[("buffer", Some(self.buffer.as_str()).filter(|text| !text.is_empty()))])
            }
        }
    }
    fn recorder(&mut self) -> Option<&mut Recorder> {
        Some(&mut self.recorder)
    }
}

/// Formats the components that are defined, then `more`.
pub(super) fn shown(uri: &Uri, more: &[(&str, Option<&str>)]) -> String {
    let mut pairs = vec![
        ("scheme", uri.scheme.as_deref()),
        ("authority", uri.authority.as_deref()),
        ("path", Some(uri.path.as_str()).filter(|text| !text.is_empty())),
        ("query", uri.query.as_deref()),
        ("fragment", uri.fragment.as_deref()),
    ];
    pairs.extend_from_slice(more);
    super::pairs(&pairs)
}
