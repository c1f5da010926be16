//! RFC 1808, "Relative Uniform Resource Locators", June 1995: §2.4 parsing, §3 establishing a base, §4 resolving.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};

use super::segments::{Segments, not_dotdot, shorten};
use super::{CHOICE, Parts, Remark, Revision, draft_1996, rfc1738};
use crate::base::{self, DefaultBase, Header, HeaderSyntax};
use crate::resolution::{Meaning, Rejection, Resolution, Target};
use crate::rules::*;
use crate::scheme::{Categories, Statement, Subject, Warnings};
use crate::scheme_name;
use crate::slots::{Part, Slot};
use crate::step::{Next, Next::Continue, Next::Done, Next::SkipTo, Program, Recorder, Show, Trace, run, texts};

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
    resolve: |base, reference, trace| resolve(&WORDING, base, reference, trace),
    parse: |url, trace| Ok(parts(parse(&WORDING, url, trace), WORDING.net_loc)),
    resolve_steps: || texts(RESOLVE),
    parse_steps: || texts(PARSE),
    schemes: None,
    statements: Some(|text| {
        let mut statements = statements(&WORDING, text);
        if !statements.is_empty() {
            let url = parse(&WORDING, text, &mut Trace::off());
            statements.extend(draft_1996::cautions(&url, text, &Warnings::of("6")));
        }
        statements
    }),
    writes_slots: true,
};

/// §3.
pub(super) static BASE: base::Algorithm = base::Algorithm {
    scheme_name: SchemeName::AnyNameCharacter,
    default: DefaultBase::Empty,
    headers: &[Header { name: "Base", syntax: HeaderSyntax::Wrapped }],
    sections: ["3.1", "3.2", "3.3", "3.4"],
    convert: None,
    steps: BASE_STEPS,
};

/// §3: one step for each layer.
const BASE_STEPS: &Program<base::State> = &[
    ("3.1", "use the base in the document's content or in its own header", base::content),
    ("3.2", "otherwise use the base of the enclosing entity", base::enclosing),
    ("3.3", "otherwise, if no entity encloses the document, use the URL of its retrieval", base::retrieval),
    ("3.4", "otherwise the base is empty, that is, unknown", base::empty),
];

/// The rule set of RFC 1808.
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
    base_fragment: BaseFragment::Inherited,
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

/// §2.3: the schemes of each category.
pub static CATEGORIES: Categories = Categories {
    section: "2.3",
    never: &["mailto", "news", "telnet"],
    sometimes: &["gopher", "prospero", "wais"],
    always: &["file", "ftp", "http", "nntp"],
};

/// The algorithms of this specification.
static WORDING: Wording =
    Wording { net_loc: "net_loc", parse: PARSE, resolve: RESOLVE, categories: &CATEGORIES, practice: "5.3" };

/// §2.4: each rule applies to the rest of the string.
const PARSE: &Program<Parsing> = &[
    ("2.4.1", "the part after the first # is the fragment; an empty one equals an absent one", parse_fragment),
    ("2.4.2", "if only name characters precede the first colon, and at least one, they are the scheme", parse_scheme),
    ("2.4.3", "after two leading slashes, the part up to the next slash or the end is the net_loc", parse_net_loc),
    ("2.4.4", "the part after the first ? is the query; an empty one equals an absent one", parse_query),
    ("2.4.5", "the part after the first ; is the params; empty ones equal absent ones", parse_params),
    ("2.4.6", "the rest is the path; a leading slash is recorded separately", parse_path),
];

/// §4.
const RESOLVE: &Program<State> = &[
    ("1", "if the base is unknown, the reference is absolute", step_1),
    ("2", "split base and reference into components", step_2),
    ("2a", "if the reference is entirely empty, the result is the whole base", step_2a),
    ("2b", "if the reference has a scheme, it is absolute", step_2b),
    ("2c", "otherwise inherit the base's scheme", step_2c),
    ("3", "if the reference has a net_loc, go to step 7; otherwise inherit the base's", step_3),
    ("4", "if the path has a leading slash, go to step 7", step_4),
    ("5", "if the path is empty, inherit the base's path; otherwise go to step 6", step_5),
    ("5a", "if there are params, go to step 7; otherwise inherit the base's", step_5a),
    ("5b", "if the query is absent, inherit the base's; go to step 7", step_5b),
    ("6", "the path replaces the part after the last slash of the base's path", step_6),
    ("6a", "remove each . segment before a slash, together with that slash", step_6a),
    ("6b", "remove a . segment at the end", step_6b),
    (
        "6c",
        "remove the leftmost segment other than .. that /../ follows, together with /../; repeat until there is none",
        step_6c,
    ),
    ("6d", "remove a segment other than .. that /.. follows at the end, together with /..", step_6d),
    ("7", "concatenate the components", step_7),
];

const REMARKS: &[Remark] = &[
    CHOICE("r1808-entirely-empty").issue("When is a reference entirely empty?").decision("if it has no characters").reason("the example is an empty pair of brackets; if empty components sufficed, `#`, `?`, `;` and `//` would inherit the base's fragment"),
    CHOICE("r1808-lone-delimiter").issue("What happens to a `#`, `?` or `;` that is followed by nothing?").decision("it is dropped").reason("in §2.4.1, §2.4.4 and §2.4.5 empty equals absent, so that step 7 writes nothing"),
    CHOICE("r1808-empty-net-loc").issue("Is the `//` of an empty net_loc written?").decision("yes, if the base has it").reason("the grammar allows an empty net_loc, and step 3 inherits the net_loc of the base"),
    CHOICE("r1808-net-loc-slash").issue("Is a slash inserted between a net_loc and a path without a leading slash?").decision("yes, if a path, params or query follows").reason("the syntax of §2.1 and abs_path of §2.2 require it; without the slash, the path, params or query would be parsed as part of the net_loc"),
    CHOICE("r1808-empty-segment").issue("May the segment that `..` removes be empty?").decision("yes").reason("in the grammar, a segment is any number of pchar"),
    CHOICE("r1808-6d-once").issue("Is step 6d repeated?").decision("no").reason("the step does not mention repetition, and one application suffices after 6c"),
    CHOICE("r1808-example-base").issue("May a base have a fragment, as the base of §5 has?").decision("yes").reason("absoluteURL in §3.1 has no fragment, which excludes the base of the specification's own examples; step 2a inherits a fragment"),
    CHOICE("r1808-scheme-shape").issue("Are `1:2` and `.:g` absolute?").decision("yes").reason("§2.4.2 allows any name character at the start of a scheme"),
    CHOICE("r1808-two-derivations").issue("`a:b` matches absoluteURL and rel_path: which match is reported?").decision("absoluteURL").reason("§2.4.2 looks for a scheme first"),
    CHOICE("r1808-net-loc-query").issue("Does `?` end a net_loc?").decision("no").reason("in §2.4.3 only a slash ends it, and the production allows `?` and `;`"),
    CHOICE("r1808-early-semicolon").issue("Does a `;` before the last segment begin the params?").decision("yes, and the later segments are part of them").reason("§2.4.5 uses the first `;`, and param may contain a slash"),
    CHOICE("r1808-double-slash-path").issue("What happens to a result that would be parsed with a host although it has none?").decision("it is written as the steps produce it").reason("the steps do not exclude it; RFC 2396 and RFC 3986 have the same problem"),
    CHOICE("r1808-no-base").issue("What is the result of a relative reference if the base is unknown?").decision("the unchanged reference, marked as having no scheme").reason("step 1 says only that the reference is absolute"),
    CHOICE("r1808-context").issue("How are URLs delimited in running text?").decision("by RFC 1738's appendix").reason("RFC 1808 updates RFC 1738 and prints its own results as `<URL:...>`"),
    CHOICE("r1808-base-innermost").issue("Which has precedence: BASE in an HTML document, or a base header of the enclosing part or message?").decision("BASE").reason("BASE is part of the document's content, and the header is part of the message (§3.1, §3.2)"),
    CHOICE("r1808-base-several").issue("Which of several BASE elements or headers is used, and what happens to a relative value?").decision("the first absolute value is used; without one, the layer has no base").reason("the text says only that the value must be absolute"),
    CHOICE("r1808-base-composite").issue("Is the retrieval URL of a message the base of its parts by §3.2 or by §3.3?").decision("by §3.2: §3.3 makes it the base of the message, and §3.2 passes it to the parts").reason("§3.3 applies to documents that no entity encloses"),
    CHOICE("r1808-base-head").issue("Is a BASE element outside the HEAD used?").decision("no, and it is reported").reason("§10 requires it in the HEAD; the HEAD ends where HTML ends it, with or without a tag"),
    CHOICE("r1808-base-form").issue("Is a `Base` header without the wrapper used?").decision("no, and it is reported").reason("the production contains the wrapper, and the draft of 1996 changed the name of the header when it dropped the wrapper"),
    CHOICE("r1808-never-relative").issue("Does resolution depend on the schemes of §2.3 that are never relative?").decision("no").reason("§2.3 says that resolution can ignore such differences"),
];

/// The components of §2.1. An empty string is an absent component. The net_loc is an exception: its slashes are
/// significant.
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

/// The words of RFC 1808, or of the draft of 1996, which has the same algorithms with other labels.
pub(super) struct Wording {
    /// The name of the part after two slashes.
    pub(super) net_loc: &'static str,
    pub(super) parse: &'static Program<Parsing>,
    pub(super) resolve: &'static Program<State>,
    pub(super) categories: &'static Categories,
    /// The section of recommendations to authors.
    pub(super) practice: &'static str,
}

/// The rest of the string, and the components that were split off.
pub(super) struct Parsing {
    pub(super) rest: String,
    pub(super) url: Url,
    wording: &'static Wording,
    /// The slots of the text.
    of: fn(Part) -> Slot,
    recorder: Recorder,
}

/// Runs the parsing program of a specification.
pub(super) fn parse(wording: &'static Wording, url: &str, trace: &mut Trace) -> Url {
    let mut recorder = trace.take_recorder();
    let mut parsing = Parsing::of(wording, url, Slot::Ref, &mut recorder);
    run(wording.parse, &mut parsing, trace);
    trace.put_recorder(parsing.recorder);
    parsing.url
}

/// Runs the parsing program on the base or the reference of a run.
fn read(wording: &'static Wording, url: &str, of: fn(Part) -> Slot, recorder: &mut Recorder) -> Url {
    let mut parsing = Parsing::of(wording, url, of, recorder);
    run(wording.parse, &mut parsing, &mut Trace::off());
    *recorder = parsing.recorder;
    parsing.url
}

impl Parsing {
    fn of(wording: &'static Wording, url: &str, of: fn(Part) -> Slot, recorder: &mut Recorder) -> Self {
        Self { rest: url.to_owned(), url: Url::default(), wording, of, recorder: core::mem::take(recorder) }
    }

    /// Writes the slot of a component, which is absent if it is empty.
    fn write(&mut self, part: Part, component: fn(&mut Url) -> &mut String) {
        let text = component(&mut self.url);
        let mut value = Some(core::mem::take(text)).filter(|text| !text.is_empty());
        self.recorder.part((self.of)(part), &mut value);
        *text = value.unwrap_or_default();
    }
}

/// Returns the components under the specification's names. `net_loc` is its name for the part after two slashes.
pub(super) fn parts(url: Url, net_loc: &'static str) -> Parts {
    let present = |text: String| if text.is_empty() { None } else { Some(text) };
    Parts(vec![
        ("scheme", present(url.scheme)),
        (net_loc, url.net_loc.and_then(present)),
        ("slash", url.slash.then(|| "/".to_owned())),
        ("path", Some(url.path)),
        ("params", present(url.params)),
        ("query", present(url.query)),
        ("fragment", present(url.fragment)),
    ])
}

/// Returns the category of the scheme of `url`, and the recommendation for directories of ftp.
pub(super) fn statements(wording: &'static Wording, url: &str) -> Vec<Statement> {
    let url = parse(wording, url, &mut Trace::off());
    if url.scheme.is_empty() {
        return Vec::new();
    }
    let mut statements = vec![wording.categories.statement(&url.scheme)];
    if url.scheme.eq_ignore_ascii_case("ftp") && url.params.eq_ignore_ascii_case("type=d") {
        let slash = if url.path.ends_with('/') { "" } else { "; end the path in a slash instead" };
        let sentence = format!("do not use `;type=d` where relative URLs are used{slash}");
        statements.push(Statement { subject: Subject::Recommendation, sentence, section: wording.practice });
    }
    statements
}

/// Removes the part after the first `mark` from `rest`, and the mark, and returns the part.
fn take_after(rest: &mut String, mark: char) -> String {
    let Some(at) = rest.find(mark) else { return String::new() };
    let taken = rest[at + 1..].to_owned();
    rest.truncate(at);
    taken
}

pub(super) fn parse_fragment(s: &mut Parsing) -> Next {
    s.url.fragment = take_after(&mut s.rest, '#');
    s.write(Part::Fragment, |url| &mut url.fragment);
    Continue
}

pub(super) fn parse_scheme(s: &mut Parsing) -> Next {
    if let Some(length) = scheme_name::length(&s.rest) {
        s.url.scheme = s.rest[..length].to_owned();
        s.rest.drain(..=length);
    }
    s.write(Part::Scheme, |url| &mut url.scheme);
    Continue
}

pub(super) fn parse_net_loc(s: &mut Parsing) -> Next {
    if let Some(after) = s.rest.strip_prefix("//") {
        let end = after.find('/').unwrap_or(after.len());
        s.url.net_loc = Some(after[..end].to_owned());
        s.rest.drain(..2 + end);
    }
    s.recorder.part((s.of)(Part::Authority), &mut s.url.net_loc);
    Continue
}

pub(super) fn parse_query(s: &mut Parsing) -> Next {
    s.url.query = take_after(&mut s.rest, '?');
    s.write(Part::Query, |url| &mut url.query);
    Continue
}

pub(super) fn parse_params(s: &mut Parsing) -> Next {
    s.url.params = take_after(&mut s.rest, ';');
    let cut = s.recorder.is_on().then(|| s.url.params.clone());
    s.write(Part::Params, |url| &mut url.params);
    if let Some(cut) = cut.filter(|cut| *cut != s.url.params) {
        // Parameters that are exchanged are not cut off: they stay part of the path.
        s.url.params.clear();
        s.rest.extend([";", &cut]);
    }
    Continue
}

pub(super) fn parse_path(s: &mut Parsing) -> Next {
    s.url.slash = s.rest.starts_with('/');
    s.url.path = s.rest[usize::from(s.url.slash)..].to_owned();
    s.rest.clear();
    let mut path = s.url.whole_path();
    s.recorder.text((s.of)(Part::Path), &mut path);
    s.url.set_path(&s.recorder, &path);
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
    wording: &'static Wording,
    recorder: Recorder,
}

/// Runs the resolving program of a specification.
pub(super) fn resolve(wording: &'static Wording, base: &str, reference: &str, trace: &mut Trace) -> Resolution {
    let mut recorder = trace.take_recorder();
    let [base_text, reference_text] = recorder.given(base, reference);
    let mut state = State {
        base_text,
        reference_text,
        base: Url::default(),
        embedded: Url::default(),
        merged: None,
        meaning: Meaning::Retrieval,
        result: None,
        wording,
        recorder,
    };
    run(wording.resolve, &mut state, trace);
    trace.put_recorder(state.recorder);
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
    s.base = read(s.wording, &s.base_text, Slot::Base, &mut s.recorder);
    s.embedded = read(s.wording, &s.reference_text, Slot::Ref, &mut s.recorder);
    s.recorder.own_as_read(&[Part::Query, Part::Fragment]);
    Continue
}

pub(super) fn step_2a(s: &mut State) -> Next {
    if s.reference_text.is_empty() {
        s.recorder.inherit_as("scheme, authority, path, query, fragment");
        s.result = Some(s.base_text.clone());
        return Done;
    }
    Continue
}

pub(super) fn step_2b(s: &mut State) -> Next {
    if !s.embedded.scheme.is_empty() {
        s.recorder.nothing();
        s.result = Some(s.reference_text.clone());
        return Done;
    }
    Continue
}

pub(super) fn step_2c(s: &mut State) -> Next {
    s.recorder.inherit(Part::Scheme);
    s.embedded.scheme = s.base.scheme.clone();
    Continue
}

pub(super) fn step_3(s: &mut State) -> Next {
    if s.embedded.net_loc.as_ref().is_some_and(|net_loc| !net_loc.is_empty()) {
        s.recorder.own(&[Part::Authority]);
        s.recorder.own_path();
        return SkipTo("7");
    }
    s.recorder.inherit(Part::Authority);
    s.embedded.net_loc = s.base.net_loc.clone();
    Continue
}

pub(super) fn step_4(s: &mut State) -> Next {
    if !s.embedded.slash {
        return Continue;
    }
    s.recorder.own_path();
    SkipTo("7")
}

pub(super) fn step_5(s: &mut State) -> Next {
    if !s.embedded.path.is_empty() {
        return SkipTo("6");
    }
    s.recorder.inherit_as("path");
    s.embedded.slash = s.base.slash;
    s.embedded.path = s.base.path.clone();
    Continue
}

pub(super) fn step_5a(s: &mut State) -> Next {
    let is_own = !s.embedded.params.is_empty();
    if !is_own {
        s.embedded.params = s.base.params.clone();
    }
    let mut path = s.embedded.whole_path();
    if !is_own {
        s.recorder.flow(Slot::Merged, Slot::Base(Part::Path));
    }
    s.recorder.text(Slot::Merged, &mut path);
    if is_own { SkipTo("7") } else { Continue }
}

pub(super) fn step_5b(s: &mut State) -> Next {
    if s.embedded.query.is_empty() {
        s.recorder.inherit(Part::Query);
        s.embedded.query = s.base.query.clone();
    }
    SkipTo("7")
}

pub(super) fn step_6(s: &mut State) -> Next {
    let kept = s.base.path.rfind('/').map_or(0, |at| at + 1);
    s.embedded.slash = s.base.slash;
    s.embedded.path.insert_str(0, &s.base.path[..kept]);
    s.recorder.inherit_as("folder");
    let mut path = s.embedded.whole_path();
    s.recorder.text(Slot::Merged, &mut path);
    s.recorder.flow(Slot::NoDots, Slot::Merged);
    s.embedded.set_path(&s.recorder, &path);
    s.merged = Some(Segments::cut(s.embedded.path.clone()));
    Continue
}

pub(super) fn step_6a(s: &mut State) -> Next {
    shorten(&mut s.merged, &mut s.recorder, |path| path.remove_dots(|around| around.slash_after));
    Continue
}

pub(super) fn step_6b(s: &mut State) -> Next {
    shorten(&mut s.merged, &mut s.recorder, |path| {
        path.empty_last(".");
    });
    Continue
}

pub(super) fn step_6c(s: &mut State) -> Next {
    if !s.merged.as_mut().is_some_and(|path| path.remove_leftmost_pair(not_dotdot)) {
        if s.recorder.is_on() && s.merged.as_ref().is_some_and(Segments::has_parents) {
            s.recorder.keep(Slot::NoDots);
        }
        return Continue;
    }
    s.recorder.decide(Slot::NoDots);
    SkipTo("6c")
}

pub(super) fn step_6d(s: &mut State) -> Next {
    shorten(&mut s.merged, &mut s.recorder, |path| path.remove_last_pair(not_dotdot));
    Continue
}

pub(super) fn step_7(s: &mut State) -> Next {
    if let Some(path) = s.merged.take() {
        s.embedded.path = path.joined();
        let mut path = s.embedded.whole_path();
        s.recorder.only_writes();
        s.recorder.text(Slot::NoDots, &mut path);
        s.embedded.set_path(&s.recorder, &path);
    }
    s.target();
    s.result = Some(recombined(&s.embedded));
    Done
}

impl State {
    /// Writes the slots of the target.
    fn target(&mut self) {
        if !self.recorder.is_on() {
            return;
        }
        let url = &mut self.embedded;
        let mut path = url.whole_path();
        match self.recorder.has(Slot::NoDots) || self.recorder.has(Slot::Merged) {
            true if self.recorder.has(Slot::NoDots) => self.recorder.copy(Slot::Out(Part::Path), Slot::NoDots),
            true => self.recorder.copy(Slot::Out(Part::Path), Slot::Merged),
            false => self.recorder.copy(Slot::Out(Part::Path), Slot::Ref(Part::Path)),
        }
        if url.separates() && !path.starts_with('/') {
            path.insert(0, '/');
        }
        self.recorder.text(Slot::Out(Part::Path), &mut path);
        url.set_path(&self.recorder, &path);
        self.recorder.target(Part::Authority, &mut url.net_loc);
        let components =
            [(Part::Scheme, &mut url.scheme), (Part::Query, &mut url.query), (Part::Fragment, &mut url.fragment)];
        for (part, text) in components {
            let mut value = Some(core::mem::take(text)).filter(|text| !text.is_empty());
            self.recorder.target(part, &mut value);
            *text = value.unwrap_or_default();
        }
    }
}

impl Url {
    /// Returns the path with its slash and the params.
    fn whole_path(&self) -> String {
        let slash = if self.slash { "/" } else { "" };
        let mark = if self.params.is_empty() { "" } else { ";" };
        [slash, &self.path, mark, &self.params].concat()
    }

    /// Takes a path with its slash and the params from a slot.
    fn set_path(&mut self, recorder: &Recorder, path: &str) {
        if recorder.is_on() && path != self.whole_path() {
            let (before, params) = path.split_once(';').unwrap_or((path, ""));
            self.slash = before.starts_with('/');
            self.path = before[usize::from(self.slash)..].to_owned();
            self.params = params.to_owned();
        }
    }

    /// Returns whether a slash separates the net_loc from what follows it.
    fn separates(&self) -> bool {
        self.net_loc.is_some() && [&self.path, &self.params, &self.query].iter().any(|part| !part.is_empty())
    }
}

/// Concatenates the components by §2.1, with the slash that §2.2 requires after a net_loc.
fn recombined(url: &Url) -> String {
    let mut text = String::new();
    if !url.scheme.is_empty() {
        text.extend([url.scheme.as_str(), ":"]);
    }
    if let Some(net_loc) = &url.net_loc {
        text.extend(["//", net_loc]);
    }
    if url.slash || url.separates() {
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
        shown(self.wording, &self.url, Some(&self.rest))
    }

    fn recorder(&mut self) -> Option<&mut Recorder> {
        Some(&mut self.recorder)
    }
}

impl Show for State {
    fn show(&self) -> String {
        let state = match (&self.result, &self.merged) {
            (Some(result), _) => result.clone(),
            (None, Some(path)) => shown(self.wording, &Url { path: path.joined(), ..self.embedded.clone() }, None),
            (None, None) => shown(self.wording, &self.embedded, None),
        };
        if self.meaning == Meaning::SameDocument { format!("{state} (current document)") } else { state }
    }

    fn recorder(&mut self) -> Option<&mut Recorder> {
        Some(&mut self.recorder)
    }
}

fn shown(wording: &Wording, url: &Url, rest: Option<&str>) -> String {
    let net_loc = url.net_loc.as_deref().map(|net_loc| format!("//{net_loc}"));
    let slash = if url.slash { "/" } else { "" };
    let path = format!("{slash}{}", url.path);
    super::pairs(&[
        ("scheme", Some(url.scheme.as_str()).filter(|text| !text.is_empty())),
        (wording.net_loc, net_loc.as_deref()),
        ("path", Some(path.as_str()).filter(|text| !text.is_empty())),
        ("params", Some(url.params.as_str()).filter(|text| !text.is_empty())),
        ("query", Some(url.query.as_str()).filter(|text| !text.is_empty())),
        ("fragment", Some(url.fragment.as_str()).filter(|text| !text.is_empty())),
        ("rest", rest),
    ])
}
