//! The Internet-Draft "Uniform Resource Locators (URL)" of 2 November 1996: §7 parsing, §8 establishing a base,
//! §9 resolving, §2 references, §12 URLs in running text.
//!
//! §7 and §9 repeat the steps of RFC 1808 §2.4 and §4, with *server* for *net_loc*. The functions are therefore RFC
//! 1808's, and only the labels differ. §2 is new: a reference without a URL means the current document.

use alloc::vec::Vec;

use super::rfc1808::{self, Parsing, State, Wording};
use super::{CHOICE, ERRATUM, Parts, Remark, Revision, rfc1738};
use crate::base::{self, DefaultBase, Header, HeaderSyntax};
use crate::context::{self, Aspect, Bare, Brackets, Quotes};
use crate::resolution::Meaning;
use crate::rules::*;
use crate::scheme::{self, Access, Categories, Common, Registration, Statement, Subject, Warnings, encoded_line_ends};
use crate::step::{Next, Next::Continue, Program, Trace, run, texts};

/// The draft of 2 November 1996.
pub static REVISION: Revision = Revision {
    id: "draft-1996",
    specification: "Internet-Draft \"URL\"",
    cite: "Draft 1996",
    date: "2 November 1996",
    sections: "§2 references, §3.4.1 server, §5.3 and §6 schemes, §7 parsing, §8 base, §9 resolving, §12 context, §13 examples",
    components: &[
        "scheme", "server", "user", "password", "host", "port", "slash", "path", "params", "query", "fragment",
    ],
    rules: Some(&RULES),
    base: Some(&BASE),
    context: Some(&CONTEXT),
    remarks: REMARKS,
    resolve: |base, reference, trace| rfc1808::resolve(&WORDING, base, reference, trace),
    parse: |url, trace| Ok(parse(url, trace)),
    resolve_steps: || texts(RESOLVE),
    parse_steps: || [texts(PARSE), texts(SERVER)].concat(),
    schemes: None,
    statements: Some(statements),
    writes_slots: true,
};

/// §8.
pub(super) static BASE: base::Algorithm = base::Algorithm {
    scheme_name: SchemeName::AnyNameCharacter,
    default: DefaultBase::Empty,
    headers: &[Header { name: "Content-Base", syntax: HeaderSyntax::Plain }],
    sections: ["8.1", "8.2", "8.3", "8.4"],
    convert: None,
    steps: BASE_STEPS,
};

/// §8: one step for each layer.
const BASE_STEPS: &Program<base::State> = &[
    ("8.1", "use the base in the document's content or in its own header", base::content),
    ("8.2", "otherwise use the base of the enclosing entity", base::enclosing),
    ("8.3", "otherwise, if no entity encloses the document, use the URL of its retrieval", base::retrieval),
    ("8.4", "otherwise the base is empty, that is, unknown", base::empty),
];

/// §12, which repeats RFC 1738's appendix.
static CONTEXT: context::Extractor = context::Extractor {
    section: "12",
    brackets: Brackets::WithPrefix,
    quotes: Quotes::Text,
    bare: Bare::WithPrefix,
    steps: &[
        ("12 prefix alone", "the prefix URL: also distinguishes URLs from other text without brackets", Aspect::Bare),
        ("12 prefix", "the prefix URL: distinguishes URLs from other text in brackets", Aspect::Prefix),
        ("12 brackets", "angle brackets delimit the URL and are not part of it", Aspect::Brackets),
        ("12 fragment", "a fragment is inside the brackets", Aspect::Fragment),
        ("12 white space", "white space that breaks a long URL is ignored", Aspect::WhiteSpace),
        ("12 hyphen", "a hyphen directly before a line end may or may not be part of the URL", Aspect::Hyphen),
    ],
};

/// The rule set of the draft of 1996.
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
    same_document: SameDocument::ByForm,
};

/// The algorithms of this specification, with RFC 1808's functions.
static WORDING: Wording =
    Wording { net_loc: "server", parse: PARSE, resolve: RESOLVE, categories: &CATEGORIES, practice: "13.3" };

/// §5.3: the schemes of each category, which are RFC 1808's.
pub static CATEGORIES: Categories = Categories { section: "5.3", ..rfc1808::CATEGORIES };

/// §3.4.1, with RFC 1738's functions.
const SERVER: &Program<rfc1738::Parsing> = &[
    ("3.4.1 user", "the part of the server before the last @ is the user, or user, colon and password", rfc1738::user),
    ("3.4.1 port", "the part after the last colon is the port", rfc1738::port),
    ("3.4.1 host", "the rest is the host", rfc1738::host),
];

/// §7.4: each rule applies to the rest of the string.
const PARSE: &Program<Parsing> = &[
    ("7.4.1", "the part after the first # is the fragment; an empty one equals an absent one", rfc1808::parse_fragment),
    (
        "7.4.2",
        "if only name characters precede the first colon, and at least one, they are the scheme",
        rfc1808::parse_scheme,
    ),
    (
        "7.4.3",
        "after two leading slashes, the part up to the next slash or the end is the server",
        rfc1808::parse_net_loc,
    ),
    ("7.4.4", "the part after the first ? is the query; an empty one equals an absent one", rfc1808::parse_query),
    ("7.4.5", "the part after the first ; is the params; empty ones equal absent ones", rfc1808::parse_params),
    ("7.4.6", "the rest is the path; a leading slash is recorded separately", rfc1808::parse_path),
];

/// §2, then the steps of §9.
const RESOLVE: &Program<State> = &[
    ("sec. 2", "if the reference is empty or consists of a fragment, it means the current document", section_2),
    ("1", "if the base is unknown, the reference is absolute", rfc1808::step_1),
    ("2", "split base and reference into components", rfc1808::step_2),
    ("2a", "if the reference is entirely empty, the result is the whole base", rfc1808::step_2a),
    ("2b", "if the reference has a scheme, it is absolute", rfc1808::step_2b),
    ("2c", "otherwise inherit the base's scheme", rfc1808::step_2c),
    ("3", "if the reference has a server, go to step 7; otherwise inherit the base's", rfc1808::step_3),
    ("4", "if the path has a leading slash, go to step 7", rfc1808::step_4),
    ("5", "if the path is empty, inherit the base's path; otherwise go to step 6", rfc1808::step_5),
    ("5a", "if there are params, go to step 7; otherwise inherit the base's", rfc1808::step_5a),
    ("5b", "if the query is absent, inherit the base's; go to step 7", rfc1808::step_5b),
    ("6", "the path replaces the part after the last slash of the base's path", rfc1808::step_6),
    ("6a", "remove each . segment before a slash, together with that slash", rfc1808::step_6a),
    ("6b", "remove a . segment at the end", rfc1808::step_6b),
    (
        "6c",
        "remove the leftmost segment other than .. that /../ follows, together with /../; repeat until there is none",
        rfc1808::step_6c,
    ),
    ("6d", "remove a segment other than .. that /.. follows at the end, together with /..", rfc1808::step_6d),
    ("7", "concatenate the components", rfc1808::step_7),
];

const REMARKS: &[Remark] = &[
    CHOICE("draft-inherited")
        .issue("How are the points decided that RFC 1808 and RFC 1738 leave open in the same words?")
        .decision("as in those")
        .reason("§7, §8, §9 and §14 repeat RFC 1808's §2.4, §3, §4 and §10; §12 repeats RFC 1738's appendix"),
    CHOICE("draft-content-location")
        .issue("Does a Content-Location header give a base?")
        .decision("no")
        .reason("§15.4 mentions it together with Content-Base, and §8.1 has a rule only for Content-Base"),
    CHOICE("draft-scheme-case")
        .issue("Which of the two scheme productions applies?")
        .decision("the second one, which allows upper case")
        .reason("§3.1 asks readers to accept upper case; the first one is copied from RFC 1738"),
    CHOICE("draft-server")
        .issue("Is the server the login of §3.4.1 or the looser production of §4?")
        .decision("the looser production to split, the login to parse its contents")
        .reason("§7.4.3 splits, §3.4.1 describes the contents"),
    CHOICE("draft-no-login")
        .issue("Which parts has a server that §4 does not derive as a login, as `c:80:90`?")
        .decision("none by the grammar; the text before its last @ and after its last colon is shown nevertheless")
        .reason("§7.4.3 accepts every server, and §3.4.1 describes only those that have a host and a port in decimal"),
    CHOICE("draft-default-ports")
        .issue("§3.4.1 and §10 mention the default ports of protocols, and the draft has none: which ports are they?")
        .decision("those of RFC 1738; the port of another scheme is not known")
        .reason("§15.3 moves the schemes to other documents, which did not exist, and §5 lists RFC 1738's schemes"),
    CHOICE("draft-layout-base")
        .issue("Does the base of the examples have a wrapper?")
        .decision("no")
        .reason("it is printed without one"),
    ERRATUM("draft-empty-reference")
        .issue(
            "§2 and §15.4 say that an empty reference is the current document; §9 step 2a and §13.2 say it is the base",
        )
        .decision("the target is the base, and its meaning is the current document")
        .reason("the two statements are compatible: the result is the base, and nothing is retrieved"),
    ERRATUM("draft-plus-in-login")
        .issue("`+` is reserved and no longer safe, so that user and password may not contain it")
        .decision("the grammar excludes it there")
        .reason("it is a side effect of moving `+`, which the text does not mention"),
    ERRATUM("draft-repetition")
        .issue("§4 uses brackets after an asterisk, which its notation does not define")
        .decision("they mean repetition")
        .reason("the productions are copied from RFC 1738, whose notation defines it"),
    ERRATUM("draft-unsafe-list")
        .issue("§3.2.2 no longer lists the characters that gateways modify, but no production allows them")
        .decision("they are not allowed")
        .reason("no production uses national"),
    ERRATUM("draft-cross-references")
        .issue("Cross references have the section numbers of RFC 1808 and RFC 1738")
        .decision(
            "§5.3, §6, §7, §8 and §9 have RFC 1808's: 2.1, 2.2, 2.4, 3, 3.1 to 3.3, 4 and 10 mean 3.4, 4, 7, 8, 8.1 to 8.3, 9 \
             and 14; §4 and §5 have RFC 1738's: 3.1 and 4 mean 3.4 and 6",
        )
        .reason("the sections were renumbered, and the text was not updated"),
];

/// Splits `url` by §7.4, and its server by §3.4.1.
fn parse(url: &str, trace: &mut Trace) -> Parts {
    let url = rfc1808::parse(&WORDING, url, trace);
    let server = server(&url, trace);
    let mut parts = rfc1808::parts(url, WORDING.net_loc);
    let of_server =
        [("user", server.user), ("password", server.password), ("host", server.host), ("port", server.port)];
    parts.0.splice(2..2, of_server);
    parts
}

/// Splits the server of `url`. An empty server has no parts.
fn server(url: &rfc1808::Url, trace: &mut Trace) -> Common {
    let Some(server) = url.net_loc.as_ref().filter(|server| !server.is_empty()) else { return Common::default() };
    let mut parsing = rfc1738::Parsing::of_login(&url.scheme, server);
    run(SERVER, &mut parsing, trace);
    parsing.url
}

/// Returns the statements of §5.3, §6, §10 and §13.3.
fn statements(text: &str) -> Vec<Statement> {
    let mut statements = rfc1808::statements(&WORDING, text);
    if statements.is_empty() {
        return statements;
    }
    let url = rfc1808::parse(&WORDING, text, &mut Trace::off());
    if scheme::by_name(&url.scheme).is_none() {
        let sentence = Registration::of(&url.scheme).description().into();
        statements.push(Statement { subject: Subject::Registration, sentence, section: "6" });
    }
    statements.extend(cautions(&url, text, &Warnings::of("10")));
    statements
}

/// Returns the cautions about the URL in `text`. A fragment is not part of the URL.
pub(super) fn cautions(url: &rfc1808::Url, text: &str, warnings: &Warnings) -> Vec<Statement> {
    let server = server(url, &mut Trace::off());
    let access = Access {
        scheme: &url.scheme,
        user: server.user.as_deref(),
        password: server.password.as_deref(),
        port: server.port.as_deref(),
        delimiters: encoded_line_ends(text.split('#').next().unwrap_or_default()).collect(),
    };
    access.cautions(warnings).into_iter().map(Statement::from).collect()
}

fn section_2(s: &mut State) -> Next {
    if s.reference_text.is_empty() || s.reference_text.starts_with('#') {
        s.meaning = Meaning::SameDocument;
    }
    Continue
}
