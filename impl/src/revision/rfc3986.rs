//! RFC 3986, "Uniform Resource Identifier (URI): Generic Syntax", January 2005: §5.1 and §5.2, strict and not,
//! and Appendix C.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::rfc2396::{self, Parsing, Uri};
use super::{CHOICE, Remark, Revision};
use crate::base::{self, DefaultBase, Header, HeaderSyntax};
use crate::context::{self, Aspect, Bare, Brackets, Quotes};
use crate::resolution::{Meaning, Rejection, Resolution, Target};
use crate::rules::*;
use crate::scheme::{Statement, Warnings};
use crate::slots::{Part, Slot};
use crate::step::{Next, Next::Continue, Next::Done, Next::SkipTo, Program, Recorder, Show, Trace, run, texts};

/// RFC 3986, strict.
pub static REVISION: Revision = Revision {
    id: "rfc3986",
    specification: "RFC 3986",
    cite: "RFC 3986",
    date: "January 2005",
    sections: "§5.1 base, §5.2 resolving (strict), §5.4 examples, Appendix C context",
    components: COMPONENTS,
    rules: Some(&RULES),
    base: Some(&BASE),
    context: Some(&CONTEXT),
    remarks: REMARKS,
    resolve: |base, reference, trace| resolve(RESOLVE, base, reference, trace),
    parse: |url, trace| Ok(rfc2396::parts(&rfc2396::parse(PARSE, url, trace))),
    resolve_steps: || texts(RESOLVE),
    parse_steps: || texts(PARSE),
    schemes: None,
    statements: Some(statements),
    writes_slots: true,
};

/// RFC 3986 for non-strict parsers, which ignore a scheme that equals the base's.
pub static NONSTRICT: Revision = Revision {
    id: "rfc3986-nonstrict",
    specification: "RFC 3986, not strict",
    cite: "RFC 3986",
    date: "January 2005",
    sections: "§5.2.2 with an equal scheme ignored",
    components: COMPONENTS,
    rules: Some(&NONSTRICT_RULES),
    base: Some(&BASE),
    context: Some(&CONTEXT),
    remarks: NONSTRICT_REMARKS,
    resolve: |base, reference, trace| resolve(RESOLVE_NONSTRICT, base, reference, trace),
    parse: |url, trace| Ok(rfc2396::parts(&rfc2396::parse(PARSE, url, trace))),
    resolve_steps: || texts(RESOLVE_NONSTRICT),
    parse_steps: || texts(PARSE),
    schemes: None,
    statements: Some(statements),
    writes_slots: true,
};

/// Returns the statements of §7.2 and §7.5.
fn statements(url: &str) -> Vec<Statement> {
    let warnings = Warnings { delimiter: "7.2", port: "7.2", password: "7.5", has_well_known_ports_only: true };
    rfc2396::cautions(&rfc2396::parse(PARSE, url, &mut Trace::off()), url, &warnings)
}

const COMPONENTS: &[&str] = &["scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment"];

/// §5.1.
pub(super) static BASE: base::Algorithm = base::Algorithm {
    scheme_name: SchemeName::LetterFirst,
    default: DefaultBase::Application,
    headers: &[Header { name: "Content-Location", syntax: HeaderSyntax::Plain }],
    sections: ["5.1.1", "5.1.2", "5.1.3", "5.1.4"],
    convert: Some(|base, reference| REVISION.resolve(base, reference)),
    steps: BASE_STEPS,
};

/// §5.1: one step for each layer, then two for all layers.
const BASE_STEPS: &Program<base::State> = &[
    ("5.1.1", "use the base in the document's content or in its own header", base::content),
    ("5.1.2", "otherwise use the base of the enclosing entity", base::enclosing),
    ("5.1.3", "otherwise, if no entity encloses the document, use the URI of its retrieval", base::retrieval),
    ("5.1.4", "otherwise use the base that the application provides", base::application),
    ("5.1 absolute form", "convert a relative base to absolute form", base::convert),
    ("5.1 fragment", "remove a fragment from the base", base::strip_fragment),
];

/// Appendix C.
static CONTEXT: context::Extractor = context::Extractor {
    section: "C",
    brackets: Brackets::WithOrWithout,
    quotes: Quotes::Delimit,
    bare: Bare::Found,
    steps: &[
        ("C quotes", "double quotes delimit the URI and are not part of it", Aspect::Quotes),
        ("C brackets", "angle brackets delimit the URI and are not part of it", Aspect::Brackets),
        ("C white space around", "white space delimits the URI", Aspect::Bare),
        ("C white space within", "white space that breaks a long URI is ignored", Aspect::WhiteSpace),
        ("C hyphen", "a hyphen directly before a line end may or may not be part of the URI", Aspect::Hyphen),
        (
            "C prefix",
            "a prefix URL: inside the brackets is an older convention and not part of the URI",
            Aspect::Prefix,
        ),
    ],
};

/// The rule set of RFC 3986.
pub static RULES: Rules = Rules {
    scheme_name: SchemeName::LetterFirst,
    unknown_base: UnknownBase::SameDocumentOnly,
    same_scheme: SameScheme::Absolute,
    never_relative: NeverRelative::Ignored,
    dots_in_absolute: DotsInAbsolute::Removed,
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
    dots_in_network_path: DotsInNetworkPath::Removed,
    dots_in_rooted_path: DotsInRootedPath::Removed,
    empty_reference: EmptyReference::Base,
    base_fragment: BaseFragment::NotInherited,
    query_only: QueryOnly::KeepsLastSegment,
    bare_host: BareHost::SlashBeforeDots,
    scheme_alone: SchemeAlone::NoSlash,
    slash_before_query: SlashBeforeQuery::NotSupplied,
    trailing_dot: TrailingDot::LeavesSlash,
    leading_dot: LeadingDot::Removed,
    trailing_dotdot: TrailingDotdot::Resolved,
    dotdot_removes: DotdotRemoves::NotDotdot,
    excess: Excess::Dropped,
    rootless_first: RootlessFirst::LeavesSlash,
    same_document: SameDocument::ByComparison,
};

/// The rule set of RFC 3986 for non-strict parsers.
pub static NONSTRICT_RULES: Rules = Rules {
    scheme_name: SchemeName::LetterFirst,
    unknown_base: UnknownBase::SameDocumentOnly,
    same_scheme: SameScheme::Relative,
    never_relative: NeverRelative::Ignored,
    dots_in_absolute: DotsInAbsolute::Removed,
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
    dots_in_network_path: DotsInNetworkPath::Removed,
    dots_in_rooted_path: DotsInRootedPath::Removed,
    empty_reference: EmptyReference::Base,
    base_fragment: BaseFragment::NotInherited,
    query_only: QueryOnly::KeepsLastSegment,
    bare_host: BareHost::SlashBeforeDots,
    scheme_alone: SchemeAlone::NoSlash,
    slash_before_query: SlashBeforeQuery::NotSupplied,
    trailing_dot: TrailingDot::LeavesSlash,
    leading_dot: LeadingDot::Removed,
    trailing_dotdot: TrailingDotdot::Resolved,
    dotdot_removes: DotdotRemoves::NotDotdot,
    excess: Excess::Dropped,
    rootless_first: RootlessFirst::LeavesSlash,
    same_document: SameDocument::ByComparison,
};

/// §3: each component ends at the first delimiter that may follow it.
const PARSE: &Program<Parsing> = &[
    ("3.1", "if a name that begins with a letter precedes a colon, it is the scheme", rfc2396::parse_scheme),
    (
        "3.2",
        "after two leading slashes, the part up to the next slash, ? or # is the authority",
        rfc2396::parse_authority,
    ),
    ("3.3", "the part up to the next ? or # is the path, which is never undefined", rfc2396::parse_path),
    ("3.4", "after a ?, the part up to the # is the query", rfc2396::parse_query),
    ("3.5", "the part after the # is the fragment", rfc2396::parse_fragment),
];

/// §5.2.2, with §5.2.3, §5.2.4, §5.3 and §4.4 where it refers to them.
const RESOLVE: &Program<State> = &[
    SCHEME,
    AUTHORITY,
    EMPTY_PATH,
    ROOTED_PATH,
    MERGE_BARE,
    MERGE,
    DOTS_1,
    DOTS_2,
    DOTS_2A,
    DOTS_2B,
    DOTS_2C,
    DOTS_2D,
    DOTS_2E,
    DOTS_3,
    RECOMPOSE,
    COMPARE,
];

const RESOLVE_NONSTRICT: &Program<State> = &[
    NOT_STRICT,
    SCHEME,
    AUTHORITY,
    EMPTY_PATH,
    ROOTED_PATH,
    MERGE_BARE,
    MERGE,
    DOTS_1,
    DOTS_2,
    DOTS_2A,
    DOTS_2B,
    DOTS_2C,
    DOTS_2D,
    DOTS_2E,
    DOTS_3,
    RECOMPOSE,
    COMPARE,
];

type Step = crate::step::Step<State>;

const NOT_STRICT: Step = ("5.2.2 not strict", "if the scheme equals the base's, undefine it", not_strict);
const SCHEME: Step = ("5.2.2 scheme", "if the reference has a scheme, keep all its components and go to 5.2.4", scheme);
const AUTHORITY: Step = (
    "5.2.2 authority",
    "inherit the base's scheme; if the reference has an authority, go to 5.2.4; otherwise inherit the base's",
    authority,
);
const EMPTY_PATH: Step = (
    "5.2.2 empty path",
    "if the path is empty, inherit the base's path, and its query if the reference has none; go to 5.3",
    empty_path,
);
const ROOTED_PATH: Step = ("5.2.2 rooted path", "if the path begins with a slash, go to 5.2.4", rooted_path);
const MERGE_BARE: Step = (
    "5.2.3 bare host",
    "if the base has an authority and an empty path, insert a slash before the path; go to 5.2.4",
    merge_bare,
);
const MERGE: Step = ("5.2.3 otherwise", "the path replaces the part after the last slash of the base's path", merge);
const DOTS_1: Step = ("5.2.4 1", "copy the path to the input, and clear the output", dots_1);
const DOTS_2: Step = ("5.2.4 2", "while the input is not empty, apply one of 2A to 2E", dots_2);
const DOTS_2A: Step = ("5.2.4 2A", "remove a leading ../ or ./ from the input", dots_2a);
const DOTS_2B: Step = ("5.2.4 2B", "replace a leading /./, or /. at the end, by a slash", dots_2b);
const DOTS_2C: Step = (
    "5.2.4 2C",
    "replace a leading /../, or /.. at the end, by a slash, and remove the last segment of the output",
    dots_2c,
);
const DOTS_2D: Step = ("5.2.4 2D", "remove an input that is . or ..", dots_2d);
const DOTS_2E: Step = ("5.2.4 2E", "move the first segment, with a slash before it, to the output", dots_2e);
const DOTS_3: Step = ("5.2.4 3", "the output is the path", dots_3);
const RECOMPOSE: Step = ("5.3", "concatenate the components that are defined", recompose);
const COMPARE: Step =
    ("4.4", "if the target equals the base, without their fragments, it is the same document", compare);

const REMARKS: &[Remark] = &[
    CHOICE("r3986-scheme-shape")
        .issue("Is a scheme found by the grammar or by the regular expression of Appendix B?")
        .decision("by the grammar: it begins with a letter")
        .reason("by §4.1 a reference is relative if its prefix does not match the syntax of schemes"),
    CHOICE("r3986-no-base")
        .issue("What is the result of a relative reference if the base is unknown or has no scheme?")
        .decision("it is undefined; a reference that is empty or consists of a fragment means the same document")
        .reason("§5.1 requires a base with a scheme, except for same-document references"),
    CHOICE("r3986-context-inherited")
        .issue("How are the points decided that Appendix C leaves open in the same words as RFC 2396's Appendix E?")
        .decision("as in RFC 2396")
        .reason("Appendix C repeats it, except for the fragment, which is now part of the URI"),
    CHOICE("r3986-base-inherited")
        .issue("How are the points of §5.1 decided that RFC 1808 leaves open in the same words?")
        .decision("as in RFC 1808")
        .reason("§5.1 repeats its §3, and leaves BASE to HTML"),
    CHOICE("r3986-base-header")
        .issue("Which header fields define the base of a message or a part?")
        .decision("Content-Location; white space in it is ignored")
        .reason("§5.1.2 leaves it to MHTML, and RFC 2557 no longer has Content-Base"),
    CHOICE("r3986-relative-base")
        .issue("By which base is a base in the content converted to absolute form, if it is a relative reference?")
        .decision("by the base of the layers around it; without one it is not the base")
        .reason("§5.1 requires the absolute form, and its layers enclose each other"),
    CHOICE("r3986-rootless")
        .issue("What remains if `..` removes the first segment of a path without a leading slash?")
        .decision("a slash: `../g` against `foo:a/b` is `foo:/g`")
        .reason("§5.2.4 2C says so literally"),
];

const NONSTRICT_REMARKS: &[Remark] = &[CHOICE("r3986-scheme-comparison")
    .issue("Is the comparison of schemes case-sensitive?")
    .decision("no")
    .reason("§3.1 calls schemes case-insensitive, although the pseudocode uses plain equality")];

struct State {
    base_text: String,
    base: Uri,
    reference: Uri,
    input: String,
    /// The number of bytes that were removed from the start of the input.
    taken: usize,
    output: String,
    answer: Option<Resolution>,
    recorder: Recorder,
}

impl State {
    fn input(&self) -> &str {
        &self.input[self.taken..]
    }
}

fn resolve(program: &Program<State>, base: &str, reference: &str, trace: &mut Trace) -> Resolution {
    let mut recorder = trace.take_recorder();
    let [base_text, reference] = recorder.given(base, reference);
    let mut state = State {
        base: rfc2396::read(PARSE, &base_text, Slot::Base, &mut recorder),
        reference: rfc2396::read(PARSE, &reference, Slot::Ref, &mut recorder),
        base_text,
        input: String::new(),
        taken: 0,
        output: String::new(),
        answer: None,
        recorder,
    };
    run(program, &mut state, trace);
    trace.put_recorder(state.recorder);
    state.answer.unwrap_or_else(|| Err(Rejection::new("5.2", "the steps end without a result")))
}

fn not_strict(s: &mut State) -> Next {
    if let (Some(own), Some(base)) = (&s.reference.scheme, &s.base.scheme)
        && own.eq_ignore_ascii_case(base)
    {
        s.reference.scheme = None;
        s.recorder.part(Slot::Ref(Part::Scheme), &mut s.reference.scheme);
    }
    Continue
}

fn scheme(s: &mut State) -> Next {
    s.recorder.own_as_read(&[Part::Query, Part::Fragment]);
    if s.reference.scheme.is_none() {
        return Continue;
    }
    s.recorder.nothing();
    s.recorder.own(&[Part::Scheme, Part::Authority]);
    s.recorder.flow(Slot::Merged, Slot::Ref(Part::Path));
    SkipTo("5.2.4 1")
}

fn authority(s: &mut State) -> Next {
    let names_only_a_fragment =
        s.reference.authority.is_none() && s.reference.path.is_empty() && s.reference.query.is_none();
    if s.base.scheme.is_none() && !names_only_a_fragment {
        s.recorder.reject(Slot::Base(Part::Scheme), "the base is unknown or has no scheme");
        s.answer = Some(Err(Rejection::new("5.1", "the base is unknown or has no scheme")));
        return Done;
    }
    if s.base_text.is_empty() {
        s.recorder.reject(Slot::Base(Part::Scheme), "the document's URL is unknown");
        s.answer = Some(Err(Rejection::same_document(
            "5.1",
            "the reference points into the same document, whose URL is unknown",
        )));
        return Done;
    }
    s.recorder.inherit(Part::Scheme);
    s.reference.scheme = s.base.scheme.clone();
    if s.reference.authority.is_some() {
        s.recorder.own(&[Part::Authority]);
        s.recorder.flow(Slot::Merged, Slot::Ref(Part::Path));
        return SkipTo("5.2.4 1");
    }
    s.recorder.inherit(Part::Authority);
    s.reference.authority = s.base.authority.clone();
    Continue
}

fn empty_path(s: &mut State) -> Next {
    if !s.reference.path.is_empty() {
        return Continue;
    }
    s.recorder.inherit_as("path");
    s.recorder.flow(Slot::Merged, Slot::Base(Part::Path));
    s.recorder.flow(Slot::NoDots, Slot::Base(Part::Path));
    s.reference.path = s.base.path.clone();
    if s.reference.query.is_none() {
        s.recorder.inherit(Part::Query);
        s.reference.query = s.base.query.clone();
    }
    SkipTo("5.3")
}

fn rooted_path(s: &mut State) -> Next {
    if !s.reference.path.starts_with('/') {
        return Continue;
    }
    s.recorder.flow(Slot::Merged, Slot::Ref(Part::Path));
    SkipTo("5.2.4 1")
}

fn merge_bare(s: &mut State) -> Next {
    if s.base.authority.is_none() || !s.base.path.is_empty() {
        return Continue;
    }
    s.reference.path.insert(0, '/');
    s.recorder.inherit_as("folder");
    s.recorder.text(Slot::Merged, &mut s.reference.path);
    SkipTo("5.2.4 1")
}

fn merge(s: &mut State) -> Next {
    let kept = s.base.path.rfind('/').map_or(0, |at| at + 1);
    s.reference.path.insert_str(0, &s.base.path[..kept]);
    s.recorder.inherit_as("folder");
    s.recorder.text(Slot::Merged, &mut s.reference.path);
    Continue
}

fn dots_1(s: &mut State) -> Next {
    s.input = core::mem::take(&mut s.reference.path);
    s.taken = 0;
    s.output.clear();
    s.recorder.flow(Slot::NoDots, Slot::Merged);
    Continue
}

fn dots_2(s: &mut State) -> Next {
    if s.input().is_empty() { SkipTo("5.2.4 3") } else { Continue }
}

fn dots_2a(s: &mut State) -> Next {
    for prefix in ["../", "./"] {
        if s.input().starts_with(prefix) {
            s.taken += prefix.len();
            s.recorder.decide(Slot::NoDots);
            return SkipTo("5.2.4 2");
        }
    }
    Continue
}

fn dots_2b(s: &mut State) -> Next {
    if s.input().starts_with("/./") {
        s.taken += 2;
        s.recorder.decide(Slot::NoDots);
        SkipTo("5.2.4 2")
    } else if s.input() == "/." {
        s.leave_a_slash();
        s.recorder.decide(Slot::NoDots);
        SkipTo("5.2.4 2")
    } else {
        Continue
    }
}

fn dots_2c(s: &mut State) -> Next {
    if s.input().starts_with("/../") {
        s.taken += 3;
    } else if s.input() == "/.." {
        s.leave_a_slash();
    } else {
        return Continue;
    }
    let kept = s.output.rfind('/').unwrap_or(0);
    s.output.truncate(kept);
    s.recorder.decide(Slot::NoDots);
    SkipTo("5.2.4 2")
}

fn dots_2d(s: &mut State) -> Next {
    if matches!(s.input(), "." | "..") {
        s.taken = s.input.len();
        s.recorder.decide(Slot::NoDots);
        return SkipTo("5.2.4 2");
    }
    Continue
}

fn dots_2e(s: &mut State) -> Next {
    let input = &s.input[s.taken..];
    let slash = usize::from(input.starts_with('/'));
    let end = input[slash..].find('/').map_or(input.len(), |at| slash + at);
    s.output.push_str(&input[..end]);
    s.taken += end;
    SkipTo("5.2.4 2")
}

fn dots_3(s: &mut State) -> Next {
    s.reference.path = core::mem::take(&mut s.output);
    s.recorder.only_writes();
    s.recorder.text(Slot::NoDots, &mut s.reference.path);
    Continue
}

fn recompose(s: &mut State) -> Next {
    s.recorder.flow(Slot::Out(Part::Path), Slot::NoDots);
    rfc2396::target(&mut s.recorder, &mut s.reference);
    let mut url = rfc2396::recombined(&s.reference);
    s.recorder.text(Slot::Result, &mut url);
    s.answer = Some(Ok(Target { url, meaning: Meaning::Retrieval }));
    Continue
}

fn compare(s: &mut State) -> Next {
    fn but_for_fragment(url: &str) -> &str {
        url.split('#').next().unwrap_or_default()
    }
    if let Some(Ok(target)) = &mut s.answer
        && but_for_fragment(&target.url) == but_for_fragment(&s.base_text)
    {
        target.meaning = Meaning::SameDocument;
    }
    Done
}

impl State {
    /// Shortens the input to its first character, a slash.
    fn leave_a_slash(&mut self) {
        self.input.truncate(self.taken + 1);
    }
}

impl Show for State {
    fn show(&self) -> String {
        match &self.answer {
            Some(Ok(target)) => target.url.clone(),
            Some(Err(rejection)) => rejection.reason().to_owned(),
            None => rfc2396::shown(
                &self.reference,
                &[
                    ("input", Some(self.input()).filter(|text| !text.is_empty())),
                    ("output", Some(self.output.as_str()).filter(|text| !text.is_empty())),
                ],
            ),
        }
    }
    fn recorder(&mut self) -> Option<&mut Recorder> {
        Some(&mut self.recorder)
    }
}
