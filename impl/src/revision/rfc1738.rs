//! RFC 1738, "Uniform Resource Locators (URL)", December 1994: §2.1 and §3.1, the parts of an absolute URL; the appendix,
//! URLs in running text.
//!
//! It resolves nothing: §2.3 leaves relative links to another document. What each of its ten schemes makes of
//! the rest of a URL is not here.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::{format, vec};

use super::rfc1808::scheme_length;
use super::{CHOICE, ERRATUM, Mark, Parts, Revision};
use crate::answer::{Meaning, Refusal, Resolution, Target};
use crate::context::{self, Bare, Brackets, Quotes, Rule};
use crate::step::{Next, Next::Continue, Next::Done, Program, Show, Trace, run, texts};

/// RFC 1738.
pub static REVISION: Revision = Revision {
    id: "rfc1738",
    document: "RFC 1738",
    cite: "RFC 1738",
    date: "December 1994",
    sections: "§2.1 scheme, §3.1 common Internet scheme syntax",
    components: &["scheme", "scheme-specific-part", "user", "password", "host", "port", "url-path"],
    rules: None,
    base: None,
    context: Some(&CONTEXT),
    marks: MARKS,
    resolve,
    parse: |url, trace| parse(url, trace).map(|url| parts(&url)),
    resolve_steps: || texts(RESOLVE),
    parse_steps: || texts(PARSE),
};

/// The appendix.
pub(super) static CONTEXT: context::Reading = context::Reading {
    section: "appendix",
    brackets: Brackets::WithPrefix,
    quotes: Quotes::Text,
    bare: Bare::Text,
    rules: &[
        ("app. prefix", "URL: tells a URL from other things in brackets", Rule::Prefix),
        ("app. brackets", "angle brackets delimit it, and are no part of it", Rule::Brackets),
        ("app. fragment", "a fragment stands within the brackets", Rule::Fragment),
        ("app. white space", "white space that breaks a long URL is ignored", Rule::WhiteSpace),
        ("app. hyphen", "a hyphen right before a line end may or may not be part of the URL", Rule::Hyphen),
    ],
};

const PARSE: &Program<Parsing> = &[
    ("2.1 scheme", "a colon that is not first and has only name characters before it ends the scheme", scheme),
    ("2.1 scheme-specific-part", "the rest is the scheme-specific part", scheme_specific_part),
    ("3.1 //", "two slashes say that the common Internet syntax follows", double_slash),
    (
        "3.1 url-path",
        "the next slash ends the login; the url-path follows it, and the slash belongs to neither",
        url_path,
    ),
    ("3.1 user", "what precedes the last @ is the user, and the password after a colon", user),
    ("3.1 port", "what follows the last colon is the port", port),
    ("3.1 host", "the rest is the host", host),
];

const RESOLVE: &Program<State> = &[
    ("2.3", "a reference without a scheme is refused: relative links are defined elsewhere", relative),
    ("2.1", "a URL with its scheme is what it is", absolute),
];

const MARKS: &[Mark] = &[
    CHOICE("r1738-prose-over-bnf")
        .open("Prose and BNF disagree in places: parse by which?")
        .taken("by the prose")
        .because("the BNF is for checking, and a disagreement is to be reported"),
    CHOICE("r1738-scheme-capitals")
        .open("The grammar has lower case letters only in a scheme")
        .taken("capitals are taken, and kept as they stand")
        .because("§2.1 asks readers to treat them as equal"),
    CHOICE("r1738-at-signs")
        .open("Which of several `@` ends the login?")
        .taken("the last")
        .because("user and password must encode theirs, so any other reading makes a host that cannot be one"),
    CHOICE("r1738-otherurl")
        .open("otherurl derives what the ten forms exclude, such as `ftp://_`: is a known scheme held to its own form?")
        .taken("yes; otherurl is for the others")
        .because("§5 gives that form to new schemes"),
    CHOICE("r1738-literal-case")
        .open("Do letters in quotes stand for both cases?")
        .taken("for the one they are written in")
        .because("§5 lists capitals and small letters apart where both may stand, and has schemes in lower case"),
    CHOICE("r1738-encoded-tab")
        .open("A gopher selector or search may derive `%09` itself: where does it end?")
        .taken("before the first `%09`")
        .because("§3.4.1 has no tab in a selector"),
    CHOICE("r1738-context-prefix-case")
        .open("Is the prefix `URL:` of the appendix told by its capitals?")
        .taken("no, any case is taken")
        .because("the appendix is no grammar, and RFC 1630 has the prefix in lower case"),
    CHOICE("r1738-context-prefix")
        .open("What of angle brackets without the prefix, or with white space before it?")
        .taken("they are text")
        .because("brackets along with the prefix are the wrapper; brackets alone have other uses in mail and news"),
    CHOICE("r1738-context-unclosed")
        .open("What ends a wrapper that is not closed?")
        .taken("another `<`, an empty line or the end of the text; there is no URL in it then")
        .because("a URL holds no `<`, and white space is added to break lines, not to part paragraphs"),
    CHOICE("r1738-context-empty")
        .open("Is there a URL in a wrapper that holds nothing but white space?")
        .taken("no")
        .because("an absolute URL has a scheme; RFC 1808 prints `<>` for an empty reference in a table, not in a text"),
    CHOICE("r1738-context-white-space")
        .open("Which characters are white space, and is a hyphen with spaces between it and the line end right before it?")
        .taken("those that Unicode calls so; yes")
        .because("the list ends in `etc.`, and white space around the line end is ignored"),
    CHOICE("r1738-context-hyphen")
        .open("Which URL is meant when a line ends right behind a hyphen, and which when several do?")
        .taken("all hyphens are kept; a second candidate has none of them, and their places are told")
        .because("the text asks to be aware of both; n hyphens would make 2^n candidates"),
    ERRATUM("r1738-repetition")
        .open("The BNF writes repetition with brackets, which mean optional")
        .taken("any number of the bracketed")
        .because("its own notation paragraph gives both uses"),
    ERRATUM("r1738-gopher-slash")
        .open("gopherurl has a slash without quotes")
        .taken("a literal slash")
        .because("§3.4 prints the form with it"),
    ERRATUM("r1738-nntp-number")
        .open("nntpurl makes the article number optional, §3.7 does not")
        .taken("required by the prose, optional by the BNF")
        .because("the two sections disagree"),
    ERRATUM("r1738-type-case")
        .open("ftptype admits capitals, §3.2.2 lists lower case letters")
        .taken("lower case by the prose")
        .because("the two sections disagree"),
    ERRATUM("r1738-fsegment-query")
        .open("fsegment admits `?` in ftp and file")
        .taken("a character of the segment")
        .because("no other reading is given; RFC 1808 §2.3 calls it an error and starts a query there"),
    ERRATUM("r1738-wais-search")
        .open("waisindex takes http's search, which admits `;:@&=` and no `?`")
        .taken("as the production has it")
        .because("§3.9 does not speak of it"),
    ERRATUM("r1738-search-slash")
        .open("search excludes `/` and `?`, §3.3 merely reserves them")
        .taken("both may stand there by the prose")
        .because("the two sections disagree"),
    ERRATUM("r1738-search-without-slash")
        .open("§3.3 lets the slash go only when path and search are both absent, and the BNF has no form without it")
        .taken("a search needs its slash")
        .because("prose and BNF agree on the result, and neither says what the other form would be"),
];

/// An absolute URL. In the common Internet syntax empty differs from absent.
#[derive(Clone, Default)]
struct Url {
    scheme: String,
    scheme_specific_part: String,
    user: Option<String>,
    password: Option<String>,
    host: Option<String>,
    port: Option<String>,
    url_path: Option<String>,
}

#[derive(Default)]
struct Parsing {
    rest: String,
    url: Url,
    refusal: Option<Refusal>,
}

fn parse(url: &str, trace: &mut Trace) -> Result<Url, Refusal> {
    let mut parsing = Parsing { rest: url.to_owned(), ..Parsing::default() };
    run(PARSE, &mut parsing, trace);
    match parsing.refusal {
        Some(refusal) => Err(refusal),
        None => Ok(parsing.url),
    }
}

fn parts(url: &Url) -> Parts {
    Parts(vec![
        ("scheme", Some(url.scheme.clone())),
        ("scheme-specific-part", Some(url.scheme_specific_part.clone())),
        ("user", url.user.clone()),
        ("password", url.password.clone()),
        ("host", url.host.clone()),
        ("port", url.port.clone()),
        ("url-path", url.url_path.clone()),
    ])
}

fn no_scheme() -> Refusal {
    Refusal::new("2.3", "no scheme: relative links are defined elsewhere")
}

fn scheme(s: &mut Parsing) -> Next {
    let Some(length) = scheme_length(&s.rest) else {
        s.refusal = Some(no_scheme());
        return Done;
    };
    s.url.scheme = s.rest[..length].to_owned();
    s.rest.drain(..=length);
    Continue
}

fn scheme_specific_part(s: &mut Parsing) -> Next {
    s.url.scheme_specific_part = s.rest.clone();
    Continue
}

fn double_slash(s: &mut Parsing) -> Next {
    if !s.rest.starts_with("//") {
        return Done;
    }
    s.rest.drain(..2);
    Continue
}

fn url_path(s: &mut Parsing) -> Next {
    if let Some(at) = s.rest.find('/') {
        s.url.url_path = Some(s.rest[at + 1..].to_owned());
        s.rest.truncate(at);
    }
    Continue
}

fn user(s: &mut Parsing) -> Next {
    if let Some(at) = s.rest.rfind('@') {
        let login = &s.rest[..at];
        let (user, password) = match login.split_once(':') {
            Some((user, password)) => (user, Some(password)),
            None => (login, None),
        };
        s.url.user = Some(user.to_owned());
        s.url.password = password.map(ToOwned::to_owned);
        s.rest.drain(..=at);
    }
    Continue
}

fn port(s: &mut Parsing) -> Next {
    if let Some(at) = s.rest.rfind(':') {
        s.url.port = Some(s.rest[at + 1..].to_owned());
        s.rest.truncate(at);
    }
    Continue
}

fn host(s: &mut Parsing) -> Next {
    s.url.host = Some(core::mem::take(&mut s.rest));
    Done
}

struct State {
    reference: String,
    answer: Option<Resolution>,
}

fn resolve(_base: &str, reference: &str, trace: &mut Trace) -> Resolution {
    let mut state = State { reference: reference.to_owned(), answer: None };
    run(RESOLVE, &mut state, trace);
    state.answer.unwrap_or_else(|| Err(no_scheme()))
}

fn relative(s: &mut State) -> Next {
    if scheme_length(&s.reference).is_some() {
        return Continue;
    }
    s.answer = Some(Err(no_scheme()));
    Done
}

fn absolute(s: &mut State) -> Next {
    s.answer = Some(Ok(Target { url: s.reference.clone(), meaning: Meaning::Retrieval }));
    Done
}

impl Show for Parsing {
    fn show(&self) -> String {
        let url = &self.url;
        let part = Some(url.scheme_specific_part.clone()).filter(|part| !part.is_empty());
        let values = [
            ("scheme-specific-part", &part),
            ("user", &url.user),
            ("password", &url.password),
            ("host", &url.host),
            ("port", &url.port),
            ("url-path", &url.url_path),
        ];
        let known = values.iter().filter_map(|(name, value)| value.as_ref().map(|value| format!(" {name}={value}")));
        format!("scheme={}{} rest={}", url.scheme, known.collect::<String>(), self.rest)
    }
}

impl Show for State {
    fn show(&self) -> String {
        match &self.answer {
            Some(Ok(target)) => target.url.clone(),
            Some(Err(refusal)) => refusal.why.clone(),
            None => self.reference.clone(),
        }
    }
}
