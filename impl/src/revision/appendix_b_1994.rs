//! R. Fielding, "Appendix B: Relative URLs", 27 July 1994: rules 1 to 3d2.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::{format, vec};

use super::segments::Segments;
use super::{CHOICE, ERRATUM, Parts, Remark, Revision};
use crate::resolution::{Meaning, Rejection, Resolution, Target};
use crate::rules::*;
use crate::scheme_name;
use crate::step::{Next, Next::Continue, Next::Done, Next::SkipTo, Program, Show, Trace, run, texts};

/// Appendix B of 1994.
pub static REVISION: Revision = Revision {
    id: "appendix-b-1994",
    specification: "Appendix B: Relative URLs",
    cite: "Appendix B 1994",
    date: "27 July 1994",
    sections: "rules 1 to 3d2, and the 14 examples",
    components: &["scheme", "initial-part", "url-path"],
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

/// The row of Appendix B. Where the document has no such component (fragment, query, params) the answers about
/// what becomes of it never come into play, and say what happens to such characters: they stay.
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
    base_fragment: BaseFragment::Taken,
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

/// The appendix has no section on parsing; these are the parts that its rules speak of.
const PARSE: &Program<Parsing> = &[
    ("scheme", "a colon that is not first and has only name characters before it ends the scheme", parse_scheme),
    ("initial part", "two slashes and what follows them, up to the next slash or the end", parse_initial),
    ("url-path", "the rest, with its slash", parse_path),
];

const RESOLVE: &Program<State> = &[
    ("1", "under an unknown base the reference is absolute", rule_1),
    ("2", "with another scheme than the base's, or one that has no relative form, the reference is absolute", rule_2),
    ("3", "else it has the base's scheme, and what follows is about the remainder", rule_3),
    ("3a", "an empty remainder is the base", rule_3a),
    ("3b", "a remainder that begins with two slashes is absolute under that scheme", rule_3b),
    ("3c", "one that begins with a slash follows the base's initial part", rule_3c),
    ("3d", "any other has the base's initial part, and a url-path of its own", rule_3d),
    ("3d1", "under a base without a url-path it is the remainder behind a slash", rule_3d1),
    ("3d2", "else the remainder replaces what follows the last slash of the base's url-path", rule_3d2),
    ("3d2 /.", "every . segment that has a slash before it goes, with that slash", rule_3d2_dot),
    (
        "3d2 xxx/../",
        "the leftmost segment followed by /../ goes with it; repeated until there is none",
        rule_3d2_dotdot,
    ),
    ("3d2 result", "scheme, initial part and url-path are put together", rule_3d2_result),
];

const REMARKS: &[Remark] = &[
    CHOICE("ab-xxx-dotdot").issue("May the segment that `..` removes be another `..`?").decision("yes").reason("the text asks for a complete path segment only; code of that time removes pairs of `..` too, and RFC 1808's exception reads as a change"),
    CHOICE("ab-xxx-void").issue("May the segment that `..` removes be empty?").decision("yes").reason("a complete segment may be empty in RFC 1808's grammar, and a test of that time expects it"),
    CHOICE("ab-first-void").issue("Is an empty segment that comes first after a removal, as in `a/..//../b`, still a segment?").decision("yes; only the slash that began the url-path is none").reason("it stood between two slashes, and removal is of segments"),
    CHOICE("ab-fragment").issue("What is a `#`?").decision("an ordinary character").reason("the appendix does not mention fragments; the draft it belongs to keeps them outside the URL"),
    CHOICE("ab-query-params").issue("What are `?` and `;`?").decision("ordinary characters").reason("no component is defined for them here"),
    CHOICE("ab-url-path-slash").issue("Does the slash after the host belong to the url-path?").decision("yes").reason("rule 3d1 calls a slash and the remainder the absolute url-path, and the pattern of rule 3d2 needs a slash before a first segment"),
    CHOICE("ab-final-dots").issue("What becomes of a final `.` and `..`?").decision("`.` goes with its slash, `..` stays").reason("the only patterns are `/.` and `xxx/../`"),
    CHOICE("ab-cleaning").issue("Are dot segments removed after rules 3b, 3c and 3d1?").decision("no").reason("only rule 3d2 speaks of them, and `/./g` is printed with its dot"),
    CHOICE("ab-scheme-comparison").issue("Are schemes compared with or without regard to case, and whose spelling is written?").decision("without, and the base's").reason("schemes are case-insensitive in the body of the draft, and rule 3 goes on under that scheme"),
    CHOICE("ab-never-relative-base").issue("What of a reference without a scheme under a gopher base?").decision("it is absolute, marked as naming no scheme").reason("rule 2 speaks of the embedded URL's scheme, which here is the base's, and that has no relative form"),
    CHOICE("ab-no-base").issue("What of a relative reference under an unknown base?").decision("it is returned as it stands, marked as not absolute").reason("rule 1 by the letter"),
    CHOICE("ab-no-slashes").issue("What is the initial part of a base without two slashes?").decision("empty").reason("the introduction rules such schemes out; so every base has an answer"),
    ERRATUM("ab-g-dot-h").issue("`g/./h` is printed as `magic://a/g/h`").decision("magic://a/b/c/g/h").reason("rule 3d2 keeps `b/c`; a draft of 24 August 1994 prints it so"),
    ERRATUM("ab-g-dotdot-h").issue("`g/../h` is printed as `magic://a/h`").decision("magic://a/b/c/h").reason("rule 3d2 keeps `b/c`; a draft of 24 August 1994 prints it so"),
];

/// The schemes that the introduction says have no relative form.
const NEVER_RELATIVE: [&str; 5] = ["gopher", "telnet", "wais", "mailto", "news"];

/// The parts that the rules speak of.
#[derive(Clone, Default)]
struct Url {
    scheme: Option<String>,
    initial: String,
    path: String,
}

#[derive(Default)]
struct Parsing {
    rest: String,
    url: Url,
}

fn parse(url: &str, trace: &mut Trace) -> Url {
    let mut parsing = Parsing { rest: url.to_owned(), url: Url::default() };
    run(PARSE, &mut parsing, trace);
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
    Continue
}

fn parse_initial(s: &mut Parsing) -> Next {
    if s.rest.starts_with("//") {
        let end = s.rest[2..].find('/').map_or(s.rest.len(), |at| at + 2);
        let left = s.rest.split_off(end);
        s.url.initial = core::mem::replace(&mut s.rest, left);
    }
    Continue
}

fn parse_path(s: &mut Parsing) -> Next {
    s.url.path = core::mem::take(&mut s.rest);
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
}

fn resolve(base: &str, reference: &str, trace: &mut Trace) -> Resolution {
    let mut state = State {
        base_text: base.to_owned(),
        reference_text: reference.to_owned(),
        base: parse(base, &mut Trace::off()),
        remainder: reference.to_owned(),
        path: None,
        rooted: false,
        answer: None,
    };
    run(RESOLVE, &mut state, trace);
    state.answer.ok_or_else(|| Rejection::new("3", "the rules end without a result"))
}

impl State {
    fn own_scheme(&self) -> Option<&str> {
        scheme_name::length(&self.reference_text).map(|length| &self.reference_text[..length])
    }

    /// The reference as it stands is the answer.
    fn absolute(&mut self) -> Next {
        let meaning = if self.own_scheme().is_some() { Meaning::Retrieval } else { Meaning::AsIs };
        self.answer = Some(Target { url: self.reference_text.clone(), meaning });
        Done
    }

    /// `rest` under the base's scheme is the answer.
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
    let never_relative = scheme.is_some_and(|name| NEVER_RELATIVE.iter().any(|never| never.eq_ignore_ascii_case(name)));
    if differs || never_relative { s.absolute() } else { Continue }
}

fn rule_3(s: &mut State) -> Next {
    if let Some(length) = scheme_name::length(&s.remainder) {
        s.remainder.drain(..=length);
    }
    Continue
}

fn rule_3a(s: &mut State) -> Next {
    if !s.remainder.is_empty() {
        return Continue;
    }
    s.answer = Some(Target { url: s.base_text.clone(), meaning: Meaning::Retrieval });
    Done
}

fn rule_3b(s: &mut State) -> Next {
    if !s.remainder.starts_with("//") {
        return Continue;
    }
    let remainder = core::mem::take(&mut s.remainder);
    s.under_base_scheme(&remainder)
}

fn rule_3c(s: &mut State) -> Next {
    if !s.remainder.starts_with('/') {
        return Continue;
    }
    let rest = format!("{}{}", s.base.initial, s.remainder);
    s.under_base_scheme(&rest)
}

fn rule_3d(_: &mut State) -> Next {
    SkipTo("3d1")
}

fn rule_3d1(s: &mut State) -> Next {
    if !s.base.path.is_empty() {
        return SkipTo("3d2");
    }
    let rest = format!("{}/{}", s.base.initial, s.remainder);
    s.under_base_scheme(&rest)
}

fn rule_3d2(s: &mut State) -> Next {
    let kept = s.base.path.rfind('/').map_or(0, |at| at + 1);
    let path = format!("{}{}", &s.base.path[..kept], s.remainder);
    s.rooted = path.starts_with('/');
    s.path = Some(Segments::cut(path));
    Continue
}

fn rule_3d2_dot(s: &mut State) -> Next {
    if let Some(path) = &mut s.path {
        path.remove_dots(|around| around.slash_before);
    }
    Continue
}

fn rule_3d2_dotdot(s: &mut State) -> Next {
    // What stands before the slash that begins a url-path is no segment.
    let may = if s.rooted { |_: &str, _: Option<&str>, index| index > 0 } else { |_: &str, _: Option<&str>, _| true };
    if s.path.as_mut().is_some_and(|path| path.remove_leftmost_pair(may)) { SkipTo("3d2 xxx/../") } else { Continue }
}

fn rule_3d2_result(s: &mut State) -> Next {
    let path = s.path.take().map(|path| path.joined()).unwrap_or_default();
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
}

impl Show for State {
    fn show(&self) -> String {
        match (&self.answer, &self.path) {
            (Some(target), _) => target.url.clone(),
            (None, Some(path)) => super::pairs(&[("url-path", Some(path.joined().as_str()))]),
            (None, None) => super::pairs(&[("remainder", Some(self.remainder.as_str()))]),
        }
    }
}
