//! R. Fielding, "Appendix B: Relative URLs", 27 July 1994: rules 1 to 3d2.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};

use super::segments::{Segments, shorten};
use super::{CHOICE, ERRATUM, Parts, Remark, Revision, rfc1738};
use crate::base::{self, DefaultBase};
use crate::resolution::{Meaning, Rejection, Resolution, Target};
use crate::rules::*;
use crate::scheme::{Categories, RelativeUse, Statement};
use crate::scheme_name;
use crate::slots::{Part, Slot};
use crate::step::{Next, Next::Continue, Next::Done, Next::SkipTo, Program, Recorder, Show, Trace, run, texts};

/// Appendix B, July 1994.
pub static REVISION: Revision = Revision {
    id: "appendix-b-1994",
    specification: "Appendix B: Relative URLs",
    cite: "Appendix B 1994",
    date: "27 July 1994",
    sections: "introduction, rules 1 to 3d2, and the 14 examples",
    components: &["scheme", "initial-part", "url-path"],
    rules: Some(&RULES),
    base: Some(&BASE),
    context: Some(&rfc1738::CONTEXT),
    remarks: REMARKS,
    resolve,
    parse: |url, trace| Ok(parts(&parse(url, trace))),
    resolve_steps: || texts(RESOLVE),
    parse_steps: || texts(PARSE),
    schemes: None,
    statements: Some(statements),
    writes_slots: true,
};

/// The introduction, which names two sources of a base.
static BASE: base::Algorithm = base::Algorithm {
    scheme_name: SchemeName::AnyNameCharacter,
    default: DefaultBase::Empty,
    headers: &[],
    sections: ["introduction", "introduction", "introduction", "rule 1"],
    convert: None,
    steps: BASE_STEPS,
};

const BASE_STEPS: &Program<base::State> = &[
    ("embedded", "use the base that is embedded in the object", base::content),
    ("context", "otherwise use the base of the enclosing entity", base::enclosing),
    ("retrieval", "otherwise, if no entity encloses the object, use the URL of its retrieval", base::retrieval),
    ("1 unknown", "otherwise the base is unknown", base::empty),
];

/// The rule set of Appendix B.
///
/// The appendix has no fragment, query or parameters. The settings of these rules state that their delimiters are kept.
pub static RULES: Rules = Rules {
    scheme_name: SchemeName::AnyNameCharacter,
    unknown_base: UnknownBase::ReferenceAsIs,
    same_scheme: SameScheme::Relative,
    never_relative: NeverRelative::Listed,
    dots_in_absolute: DotsInAbsolute::Kept,
    empty_fragment_on_absolute: EmptyFragmentOnAbsolute::Kept,
    fragment: Fragment::Ordinary,
    empty_fragment: EmptyFragment::Kept,
    query: Query::Ordinary,
    empty_query: EmptyQuery::Kept,
    params: Params::InSegment,
    leading_slashes: LeadingSlashes::HostOrRoot,
    host: Host::SetApart,
    authority_end: AuthorityEnd::Slash,
    empty_authority: EmptyAuthority::Defined,
    dots_in_network_path: DotsInNetworkPath::Kept,
    dots_in_rooted_path: DotsInRootedPath::Kept,
    empty_reference: EmptyReference::Base,
    base_fragment: BaseFragment::Inherited,
    query_only: QueryOnly::DropsLastSegment,
    bare_host: BareHost::SlashDotsKept,
    scheme_alone: SchemeAlone::SlashDotsKept,
    slash_before_query: SlashBeforeQuery::NotSupplied,
    trailing_dot: TrailingDot::TakesSlash,
    leading_dot: LeadingDot::Kept,
    trailing_dotdot: TrailingDotdot::Kept,
    dotdot_removes: DotdotRemoves::Any,
    excess: Excess::Kept,
    rootless_first: RootlessFirst::LeavesNothing,
    same_document: SameDocument::Unspecified,
};

/// The appendix has no section on parsing. These are the parts that its rules use.
const PARSE: &Program<Parsing> = &[
    ("scheme", "if only name characters precede the first colon, and at least one, they are the scheme", parse_scheme),
    (
        "initial part",
        "if the rest begins with two slashes, the part up to the next slash or the end is the initial part",
        parse_initial,
    ),
    ("url-path", "the rest, including its slash, is the url-path", parse_path),
];

const RESOLVE: &Program<State> = &[
    ("1", "if the base is unknown, the reference is absolute", rule_1),
    (
        "2",
        "if the reference has another scheme than the base, or its scheme has no relative form, it is absolute",
        rule_2,
    ),
    ("3", "otherwise the scheme is the base's; the following rules apply to the remainder", rule_3),
    ("3a", "if the remainder is empty, the result is the base", rule_3a),
    ("3b", "if the remainder begins with two slashes, the result is the scheme and the remainder", rule_3b),
    ("3c", "if the remainder begins with one slash, it follows the base's initial part", rule_3c),
    ("3d", "otherwise the result has the base's initial part and a new url-path", rule_3d),
    ("3d1", "if the base has no url-path, the url-path is a slash and the remainder", rule_3d1),
    ("3d2", "otherwise the remainder replaces the part after the last slash of the base's url-path", rule_3d2),
    ("3d2 /.", "remove each . segment after a slash, together with that slash", rule_3d2_dot),
    (
        "3d2 xxx/../",
        "remove the leftmost segment that /../ follows, together with /../; repeat until there is none",
        rule_3d2_dotdot,
    ),
    ("3d2 result", "concatenate the scheme, the initial part and the url-path", rule_3d2_result),
];

const REMARKS: &[Remark] = &[
    CHOICE("ab-xxx-dotdot").issue("May the segment that `..` removes be another `..`?").decision("yes").reason("the text requires only a complete path segment; code of that time also removes pairs of `..`, and RFC 1808 presents its exception as a change"),
    CHOICE("ab-xxx-empty").issue("May the segment that `..` removes be empty?").decision("yes").reason("RFC 1808's grammar allows empty segments, and a test of that time expects it"),
    CHOICE("ab-first-empty").issue("Is an empty segment still a segment if a removal makes it the first one, as in `a/..//../b`?").decision("yes; only the slash at the start of the url-path does not delimit one").reason("the segment was between two slashes, and the rule removes segments"),
    CHOICE("ab-fragment").issue("Does a `#` begin a fragment?").decision("no, it is an ordinary character").reason("the appendix does not mention fragments; the draft that contains it excludes them from the URL"),
    CHOICE("ab-query-params").issue("Do `?` and `;` begin components?").decision("no, they are ordinary characters").reason("the appendix defines no components for them"),
    CHOICE("ab-url-path-slash").issue("Does the slash after the host belong to the url-path?").decision("yes").reason("rule 3d1 calls a slash and the remainder the absolute url-path, and the pattern of rule 3d2 requires a slash before the first segment"),
    CHOICE("ab-final-dots").issue("What happens to `.` and `..` at the end?").decision("`.` is removed with its slash, and `..` is kept").reason("the only patterns are `/.` and `xxx/../`"),
    CHOICE("ab-cleaning").issue("Are dot segments removed after rules 3b, 3c and 3d1?").decision("no").reason("only rule 3d2 mentions them, and an example prints `/./g` unchanged"),
    CHOICE("ab-base-order").issue("Which of the two sources of a base has precedence?").decision("the base that is embedded in the object").reason("it is there for the explicit purpose of defining the base, and RFC 1808 decides so"),
    CHOICE("ab-base-enclosing").issue("What is the base of a part of a message?").decision("the base of the message").reason("it is the context in which the part was retrieved"),
    CHOICE("ab-context").issue("How are URLs delimited in running text?").decision("by RFC 1738's appendix").reason("the appendix was proposed for the draft that became RFC 1738, and prints its own base and results as `<URL:...>`"),
    CHOICE("ab-scheme-list").issue("The introduction lists the schemes without a relative form after `e.g.`: are there others?").decision("no, the two lists are taken as complete").reason("rule 2 needs a list, and the appendix does not define one for other schemes"),
    CHOICE("ab-scheme-comparison").issue("Is the comparison of schemes case-sensitive, and which spelling does the result have?").decision("it is case-insensitive, and the result has the base's spelling").reason("the draft itself calls schemes case-insensitive, and rule 3 continues with the base's scheme"),
    CHOICE("ab-never-relative-base").issue("What is the result of a reference without a scheme against a gopher base?").decision("the reference, marked as having no scheme").reason("rule 2 asks for the embedded URL's scheme, which is the base's in this case, and that scheme has no relative form"),
    CHOICE("ab-no-base").issue("What is the result of a relative reference if the base is unknown?").decision("the unchanged reference, marked as having no scheme").reason("rule 1 says so literally"),
    CHOICE("ab-no-slashes").issue("What is the initial part of a base without two slashes?").decision("empty").reason("the introduction excludes such schemes; this decision defines a result for every base"),
    ERRATUM("ab-g-dot-h").issue("`g/./h` is printed as `magic://a/g/h`").decision("magic://a/b/c/g/h").reason("rule 3d2 keeps `b/c`, and a draft of 24 August 1994 prints this result"),
    ERRATUM("ab-g-dotdot-h").issue("`g/../h` is printed as `magic://a/h`").decision("magic://a/b/c/h").reason("rule 3d2 keeps `b/c`, and a draft of 24 August 1994 prints this result"),
];

/// The introduction: the schemes that have no relative form.
pub static CATEGORIES: Categories = Categories {
    section: "introduction",
    never: &["gopher", "telnet", "wais", "mailto", "news"],
    sometimes: &[],
    always: &[],
};

fn statements(url: &str) -> Vec<Statement> {
    let scheme = parse(url, &mut Trace::off()).scheme;
    scheme.iter().map(|scheme| CATEGORIES.statement(scheme)).collect()
}

/// The parts that the rules use.
#[derive(Clone, Default)]
struct Url {
    scheme: Option<String>,
    initial: String,
    path: String,
}

struct Parsing {
    rest: String,
    url: Url,
    /// The slots of the text.
    of: fn(Part) -> Slot,
    recorder: Recorder,
}

fn parse(url: &str, trace: &mut Trace) -> Url {
    let recorder = trace.take_recorder();
    let mut parsing = Parsing { rest: url.to_owned(), url: Url::default(), of: Slot::Ref, recorder };
    run(PARSE, &mut parsing, trace);
    trace.put_recorder(parsing.recorder);
    parsing.url
}

/// Splits the base of a run.
fn read(base: &str, recorder: &mut Recorder) -> Url {
    let recorder_of = core::mem::take(recorder);
    let mut parsing = Parsing { rest: base.to_owned(), url: Url::default(), of: Slot::Base, recorder: recorder_of };
    run(PARSE, &mut parsing, &mut Trace::off());
    *recorder = parsing.recorder;
    parsing.url
}

fn parts(url: &Url) -> Parts {
    let present = |text: &String| if text.is_empty() { None } else { Some(text.clone()) };
    Parts(vec![
        ("scheme", url.scheme.clone()),
        ("initial-part", present(&url.initial)),
        ("url-path", present(&url.path)),
    ])
}

fn parse_scheme(s: &mut Parsing) -> Next {
    if let Some(length) = scheme_name::length(&s.rest) {
        s.url.scheme = Some(s.rest[..length].to_owned());
        s.rest.drain(..=length);
    }
    s.recorder.part((s.of)(Part::Scheme), &mut s.url.scheme);
    Continue
}

fn parse_initial(s: &mut Parsing) -> Next {
    if s.rest.starts_with("//") {
        let end = s.rest[2..].find('/').map_or(s.rest.len(), |at| at + 2);
        let left = s.rest.split_off(end);
        s.url.initial = core::mem::replace(&mut s.rest, left);
    }
    let mut host = s.url.initial.strip_prefix("//").map(ToOwned::to_owned);
    s.recorder.part((s.of)(Part::Authority), &mut host);
    s.url.initial = host.map(|host| format!("//{host}")).unwrap_or_default();
    Continue
}

fn parse_path(s: &mut Parsing) -> Next {
    s.url.path = core::mem::take(&mut s.rest);
    s.recorder.text((s.of)(Part::Path), &mut s.url.path);
    Done
}

struct State {
    base_text: String,
    reference_text: String,
    base: Url,
    remainder: String,
    path: Option<Segments>,
    rooted: bool,
    answer: Option<Target>,
    recorder: Recorder,
}

fn resolve(base: &str, reference: &str, trace: &mut Trace) -> Resolution {
    let mut recorder = trace.take_recorder();
    let [base_text, reference_text] = recorder.given(base, reference);
    let mut state = State {
        base: read(&base_text, &mut recorder),
        base_text,
        remainder: reference_text.clone(),
        reference_text,
        path: None,
        rooted: false,
        answer: None,
        recorder,
    };
    run(RESOLVE, &mut state, trace);
    trace.put_recorder(state.recorder);
    state.answer.ok_or_else(|| Rejection::new("3", "the rules end without a result"))
}

impl State {
    fn own_scheme(&self) -> Option<&str> {
        scheme_name::length(&self.reference_text).map(|length| &self.reference_text[..length])
    }

    /// Ends with the unchanged reference as the result.
    fn absolute(&mut self) -> Next {
        self.recorder.nothing();
        let meaning = if self.own_scheme().is_some() { Meaning::Retrieval } else { Meaning::AsIs };
        self.answer = Some(Target { url: self.reference_text.clone(), meaning });
        Done
    }

    /// Ends with the base's scheme and `rest` as the result.
    fn under_base_scheme(&mut self, rest: &str) -> Next {
        let url = match &self.base.scheme {
            Some(scheme) => format!("{scheme}:{rest}"),
            None => rest.to_owned(),
        };
        self.answer = Some(Target { url, meaning: Meaning::Retrieval });
        Done
    }
}

fn rule_1(s: &mut State) -> Next {
    if s.base_text.is_empty() { s.absolute() } else { Continue }
}

fn rule_2(s: &mut State) -> Next {
    let base = s.base.scheme.as_deref();
    let scheme = s.own_scheme().or(base);
    let differs = s.own_scheme().is_some_and(|own| !base.is_some_and(|base| own.eq_ignore_ascii_case(base)));
    let never_relative = scheme.is_some_and(|name| CATEGORIES.of(name) == Some(RelativeUse::Never));
    if differs || never_relative { s.absolute() } else { Continue }
}

fn rule_3(s: &mut State) -> Next {
    let mut scheme = s.own_scheme().map(ToOwned::to_owned);
    s.recorder.part(Slot::Ref(Part::Scheme), &mut scheme);
    s.recorder.inherit(Part::Scheme);
    if let Some(length) = scheme_name::length(&s.remainder) {
        s.remainder.drain(..=length);
    }
    Continue
}

fn rule_3a(s: &mut State) -> Next {
    if !s.remainder.is_empty() {
        return Continue;
    }
    s.recorder.inherit_as("authority, path, query, fragment");
    s.answer = Some(Target { url: s.base_text.clone(), meaning: Meaning::Retrieval });
    Done
}

fn rule_3b(s: &mut State) -> Next {
    if !s.remainder.starts_with("//") {
        return Continue;
    }
    let remainder = core::mem::take(&mut s.remainder);
    let (host, path) = remainder[2..].split_at(remainder[2..].find('/').unwrap_or(remainder.len() - 2));
    s.recorder.part(Slot::Ref(Part::Authority), &mut Some(host.to_owned()));
    s.recorder.text(Slot::Ref(Part::Path), &mut path.to_owned());
    s.recorder.own(&[Part::Authority]);
    s.recorder.own_path();
    s.under_base_scheme(&remainder)
}

fn rule_3c(s: &mut State) -> Next {
    if !s.remainder.starts_with('/') {
        return Continue;
    }
    s.recorder.text(Slot::Ref(Part::Path), &mut s.remainder);
    s.recorder.own_path();
    s.recorder.inherit(Part::Authority);
    let rest = format!("{}{}", s.base.initial, s.remainder);
    s.under_base_scheme(&rest)
}

fn rule_3d(s: &mut State) -> Next {
    s.recorder.text(Slot::Ref(Part::Path), &mut s.remainder);
    s.recorder.inherit(Part::Authority);
    s.recorder.inherit_as("folder");
    SkipTo("3d1")
}

fn rule_3d1(s: &mut State) -> Next {
    if !s.base.path.is_empty() {
        return SkipTo("3d2");
    }
    let mut path = format!("/{}", s.remainder);
    s.recorder.text(Slot::Merged, &mut path);
    let rest = format!("{}{path}", s.base.initial);
    s.under_base_scheme(&rest)
}

fn rule_3d2(s: &mut State) -> Next {
    let kept = s.base.path.rfind('/').map_or(0, |at| at + 1);
    let mut path = format!("{}{}", &s.base.path[..kept], s.remainder);
    s.recorder.text(Slot::Merged, &mut path);
    s.recorder.flow(Slot::NoDots, Slot::Merged);
    s.rooted = path.starts_with('/');
    s.path = Some(Segments::cut(path));
    Continue
}

fn rule_3d2_dot(s: &mut State) -> Next {
    shorten(&mut s.path, &mut s.recorder, |path| path.remove_dots(|around| around.slash_before));
    Continue
}

fn rule_3d2_dotdot(s: &mut State) -> Next {
    // The empty text before a leading slash is not a segment.
    let may = if s.rooted { |_: &str, _: Option<&str>, index| index > 0 } else { |_: &str, _: Option<&str>, _| true };
    if !s.path.as_mut().is_some_and(|path| path.remove_leftmost_pair(may)) {
        return Continue;
    }
    s.recorder.decide(Slot::NoDots);
    SkipTo("3d2 xxx/../")
}

fn rule_3d2_result(s: &mut State) -> Next {
    let mut path = s.path.take().map(|path| path.joined()).unwrap_or_default();
    s.recorder.only_writes();
    s.recorder.text(Slot::NoDots, &mut path);
    let rest = format!("{}{path}", s.base.initial);
    s.under_base_scheme(&rest)
}

impl Show for Parsing {
    fn show(&self) -> String {
        super::pairs(&[
            ("scheme", self.url.scheme.as_deref()),
            ("initial", Some(self.url.initial.as_str()).filter(|text| !text.is_empty())),
            ("url-path", Some(self.url.path.as_str()).filter(|text| !text.is_empty())),
            ("rest", Some(self.rest.as_str()).filter(|text| !text.is_empty())),
        ])
    }

    fn recorder(&mut self) -> Option<&mut Recorder> {
        Some(&mut self.recorder)
    }
}

impl Show for State {
    fn show(&self) -> String {
        match (&self.answer, &self.path) {
            (Some(target), _) => target.url.clone(),
            (None, Some(path)) => super::pairs(&[("url-path", Some(path.joined().as_str()))]),
            (None, None) => super::pairs(&[("remainder", Some(self.remainder.as_str()))]),
        }
    }

    fn recorder(&mut self) -> Option<&mut Recorder> {
        Some(&mut self.recorder)
    }
}
