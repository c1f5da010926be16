//! The Internet-Draft "Uniform Resource Locators (URL)" of 2 November 1996: §7 parsing, §8 establishing a base,
//! §9 resolving, §2 references, §12 URLs in running text.
//!
//! Its §7 and §9 repeat RFC 1808's §2.4 and §4 step for step, with server for net_loc, so the actions are
//! RFC 1808's under this document's labels. What is new stands in §2: a reference without a URL is the current
//! document.

use super::rfc1808::{self, Parsing, State};
use super::{CHOICE, ERRATUM, Remark, Revision};
use crate::base::{self, DefaultBase, Header, HeaderSyntax};
use crate::context::{self, Aspect, Bare, Brackets, Quotes};
use crate::resolution::Meaning;
use crate::rules::*;
use crate::step::{Next, Next::Continue, Program, texts};

/// The draft of 2 November 1996.
pub static REVISION: Revision = Revision {
    id: "draft-1996",
    specification: "Internet-Draft \"URL\"",
    cite: "Draft 1996",
    date: "2 November 1996",
    sections: "§2 references, §7 parsing, §8 base, §9 resolving, §12 context, §13 examples",
    components: &["scheme", "server", "slash", "path", "params", "query", "fragment"],
    rules: Some(&RULES),
    base: Some(&BASE),
    context: Some(&CONTEXT),
    remarks: REMARKS,
    resolve: |base, reference, trace| rfc1808::resolve(RESOLVE, base, reference, trace),
    parse: |url, trace| Ok(rfc1808::parts(rfc1808::parse(PARSE, url, trace), "server")),
    resolve_steps: || texts(RESOLVE),
    parse_steps: || texts(PARSE),
    schemes: None,
};

/// §8.
pub(super) static BASE: base::Algorithm = base::Algorithm {
    scheme_name: SchemeName::AnyNameCharacter,
    default: DefaultBase::Empty,
    headers: &[Header { name: "Content-Base", syntax: HeaderSyntax::Plain }],
    sections: ["8.1", "8.2", "8.3", "8.4"],
    steps: BASE_STEPS,
};

/// §8, layer by layer.
const BASE_STEPS: &Program<base::State> = &[
    ("8.1", "the base that the content states, or the document's own header, goes before all others", base::content),
    ("8.2", "else the base of the entity that encloses it", base::enclosing),
    ("8.3", "else, if nothing encloses it, the URL it was retrieved from", base::retrieval),
    ("8.4", "else it is empty, and unknown", base::empty),
];

/// §12, which repeats RFC 1738's appendix.
static CONTEXT: context::Extractor = context::Extractor {
    section: "12",
    brackets: Brackets::WithPrefix,
    quotes: Quotes::Text,
    bare: Bare::Text,
    steps: &[
        ("12 prefix", "URL: tells a URL from other things in brackets", Aspect::Prefix),
        ("12 brackets", "angle brackets delimit it, and are no part of it", Aspect::Brackets),
        ("12 fragment", "a fragment stands within the brackets", Aspect::Fragment),
        ("12 white space", "white space that breaks a long URL is ignored", Aspect::WhiteSpace),
        ("12 hyphen", "a hyphen right before a line end may or may not be part of the URL", Aspect::Hyphen),
    ],
};

/// The row of the draft of 1996.
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
    same_document: SameDocument::ByForm,
};

/// §7.4: the rules apply in this order to what is left of the string.
const PARSE: &Program<Parsing> = &[
    ("7.4.1", "what follows the first # is the fragment", rfc1808::parse_fragment),
    (
        "7.4.2",
        "a colon that is not first and has only name characters before it ends the scheme",
        rfc1808::parse_scheme,
    ),
    ("7.4.3", "after two slashes comes the server, up to the next slash or the end", rfc1808::parse_net_loc),
    ("7.4.4", "what follows the first ? is the query", rfc1808::parse_query),
    ("7.4.5", "what follows the first ; is the params", rfc1808::parse_params),
    ("7.4.6", "the rest is the path; whether a slash came before it is remembered", rfc1808::parse_path),
];

/// §2, then the steps of §9.
const RESOLVE: &Program<State> = &[
    ("sec. 2", "a reference with nothing before its fragment means the current document", section_2),
    ("1", "under an unknown base the reference is read as absolute", rfc1808::step_1),
    ("2", "base and reference are split into components", rfc1808::step_2),
    ("2a", "an entirely empty reference is the base, all of it", rfc1808::step_2a),
    ("2b", "a reference that names a scheme is absolute", rfc1808::step_2b),
    ("2c", "any other takes the base's scheme", rfc1808::step_2c),
    ("3", "a reference with its own server goes to step 7; else it takes the base's", rfc1808::step_3),
    ("4", "a path with a slash before it is not relative: go to step 7", rfc1808::step_4),
    ("5", "with no path at all, the base's is taken; else go to step 6", rfc1808::step_5),
    ("5a", "own params: go to step 7; else the base's are taken", rfc1808::step_5a),
    ("5b", "own query: go to step 7; else the base's is taken, then step 7", rfc1808::step_5b),
    ("6", "the path replaces what follows the last slash of the base's", rfc1808::step_6),
    ("6a", "every . segment that has a slash after it goes, with that slash", rfc1808::step_6a),
    ("6b", "a . segment at the end goes", rfc1808::step_6b),
    (
        "6c",
        "the leftmost segment followed by /../ goes with it, unless it is ..; repeated until there is none",
        rfc1808::step_6c,
    ),
    ("6d", "a segment followed by /.. at the end goes with it, unless it is ..", rfc1808::step_6d),
    ("7", "the components are put together again", rfc1808::step_7),
];

const REMARKS: &[Remark] = &[
    CHOICE("draft-inherited")
        .issue("What of the points that RFC 1808 and RFC 1738 leave open in the same words?")
        .decision("they are taken as under those")
        .reason("§7, §8, §9 and §14 repeat RFC 1808's §2.4, §3, §4 and §10; §12 repeats RFC 1738's appendix"),
    CHOICE("draft-content-location")
        .issue("Does a Content-Location header give a base?")
        .decision("no")
        .reason("§15.4 names it beside Content-Base, and §8.1 has a rule for Content-Base only"),
    CHOICE("draft-scheme-case")
        .issue("Which of the two scheme productions holds?")
        .decision("the second, which admits capitals")
        .reason("§3.1 asks readers to accept them; the first copies RFC 1738's"),
    CHOICE("draft-server")
        .issue("Is the server the login of §3.4.1 or the looser production of §4?")
        .decision("the looser one when splitting, the login when looking inside")
        .reason("§7.4.3 splits, §3.4.1 describes the contents"),
    CHOICE("draft-layout-base")
        .issue("Has the base of the examples a wrapper?")
        .decision("no")
        .reason("its line is printed without one"),
    ERRATUM("draft-empty-reference")
        .issue(
            "§2 and §15.4 say that an empty reference is the current document; §9 step 2a and §13.2 say it is the base",
        )
        .decision("the string is the base, the meaning is the current document")
        .reason("the two can be told together: the result is the base, and nothing is retrieved"),
    ERRATUM("draft-plus-in-login")
        .issue("`+` is reserved and no longer safe, so user and password lose it")
        .decision("it is not legal there, by the grammar")
        .reason("a side effect of moving `+`; the text does not mention it"),
    ERRATUM("draft-repetition")
        .issue("§4 uses brackets after an asterisk though its notation paragraph gives them no such use")
        .decision("repetition")
        .reason("the productions are copied from RFC 1738, whose notation says so"),
    ERRATUM("draft-unsafe-list")
        .issue("§3.2.2 comments out the characters that gateways mangle, yet no production admits them")
        .decision("they are not legal")
        .reason("no production uses national"),
    ERRATUM("draft-cross-references")
        .issue("Cross references carry RFC 1808's section numbers")
        .decision("2.1, 2.2, 2.4, 3, 4 and 10 are the draft's 3.4, 4, 7, 8, 9 and 14")
        .reason("the sections were renumbered and the text was not"),
];

fn section_2(s: &mut State) -> Next {
    if s.reference_text.is_empty() || s.reference_text.starts_with('#') {
        s.meaning = Meaning::SameDocument;
    }
    Continue
}
