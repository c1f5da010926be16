//! RFC 1738, "Uniform Resource Locators (URL)", December 1994: §2.1 and §3.1, the parts of an absolute URL; the appendix,
//! URLs in running text.
//!
//! RFC 1738 does not define resolution: §2.3 leaves relative links to another specification. [`crate::scheme`] has its
//! ten schemes.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::{format, vec};

use super::{CHOICE, ERRATUM, Parts, Remark, Revision, Schemes};
use crate::context::{self, Aspect, Bare, Brackets, Quotes};
use crate::resolution::{Meaning, Rejection, Resolution, Target};
use crate::scheme::{self, Common as Url};
use crate::scheme_name;
use crate::step::{Next, Next::Continue, Next::Done, Program, Show, Trace, run, texts};

/// RFC 1738.
pub static REVISION: Revision = Revision {
    id: "rfc1738",
    specification: "RFC 1738",
    cite: "RFC 1738",
    date: "December 1994",
    sections: "§2.1 scheme, §2.2 characters, §3.1 common Internet scheme syntax, §3.2 to §3.11 ten schemes",
    components: &["scheme", "scheme-specific-part", "user", "password", "host", "port", "url-path"],
    rules: None,
    base: None,
    context: Some(&CONTEXT),
    remarks: REMARKS,
    resolve,
    parse: |url, trace| parse(url, trace).map(|url| parts(&url)),
    resolve_steps: || texts(RESOLVE),
    parse_steps: || texts(PARSE),
    schemes: Some(&Schemes { read: read_traced, steps: scheme::steps }),
    statements: None,
    writes_slots: false,
};

/// The appendix.
pub(super) static CONTEXT: context::Extractor = context::Extractor {
    section: "appendix",
    brackets: Brackets::WithPrefix,
    quotes: Quotes::Text,
    bare: Bare::WithPrefix,
    steps: &[
        ("app. prefix alone", "the prefix URL: also distinguishes URLs from other text without brackets", Aspect::Bare),
        ("app. prefix", "the prefix URL: distinguishes URLs from other text in brackets", Aspect::Prefix),
        ("app. brackets", "angle brackets delimit the URL and are not part of it", Aspect::Brackets),
        ("app. fragment", "a fragment is inside the brackets", Aspect::Fragment),
        ("app. white space", "white space that breaks a long URL is ignored", Aspect::WhiteSpace),
        ("app. hyphen", "a hyphen directly before a line end may or may not be part of the URL", Aspect::Hyphen),
    ],
};

/// Reads the fields of `url` by its scheme: `ftp://host.dom/etc/motd` has a host, a directory and a name.
///
/// # Errors
///
/// Returns a [`Rejection`] with the section if the specification's prose excludes the URL.
pub fn read(url: &str) -> Result<scheme::Url, Rejection> {
    read_traced(url, &mut Trace::off())
}

fn read_traced(url: &str, trace: &mut Trace) -> Result<scheme::Url, Rejection> {
    scheme::read(parse(url, trace)?, trace)
}

const PARSE: &Program<Parsing> = &[
    ("2.1 scheme", "if only name characters precede the first colon, and at least one, they are the scheme", scheme),
    ("2.1 scheme-specific-part", "the rest is the scheme-specific part", scheme_specific_part),
    ("3.1 //", "two leading slashes begin the common Internet syntax", double_slash),
    ("3.1 url-path", "the next slash separates the login from the url-path, and is part of neither", url_path),
    ("3.1 user", "the part before the last @ is the user, or user, colon and password", user),
    ("3.1 port", "the part after the last colon is the port", port),
    ("3.1 host", "the rest is the host", host),
];

const RESOLVE: &Program<State> = &[
    ("2.3", "reject a reference without a scheme: relative links are defined elsewhere", relative),
    ("2.1", "a URL with a scheme is the result", absolute),
];

const REMARKS: &[Remark] = &[
    CHOICE("r1738-prose-over-bnf")
        .issue("The prose and the BNF disagree in places: which one defines how to parse?")
        .decision("the prose")
        .reason("the BNF serves to validate, so that a disagreement can be reported"),
    CHOICE("r1738-scheme-capitals")
        .issue("Are upper-case letters allowed in a scheme? The grammar has only lower case")
        .decision("yes, and their case is kept")
        .reason("§2.1 asks readers to treat them as equal"),
    CHOICE("r1738-at-signs")
        .issue("Which of several `@` ends the login?")
        .decision("the last")
        .reason("user and password must encode an `@`, so that any other choice results in an invalid host"),
    CHOICE("r1738-login-colons")
        .issue("Which of several colons before the `@` ends the user?")
        .decision("the first")
        .reason("user and password must encode a colon, and the password follows the user"),
    CHOICE("r1738-otherurl")
        .issue("otherurl matches what the ten forms exclude, such as `ftp://_`: must a URL of a known scheme match its own form?")
        .decision("yes; otherurl applies only to other schemes")
        .reason("§5 defines that form for new schemes"),
    CHOICE("r1738-literal-case")
        .issue("Do letters in quotes match both cases?")
        .decision("no, only the case in which they are written")
        .reason("§5 lists upper and lower case separately where both are allowed, and has schemes in lower case"),
    CHOICE("r1738-encoded-tab")
        .issue("A gopher selector or search may itself match `%09`: where does it end?")
        .decision("before the first `%09`")
        .reason("§3.4.1 excludes a tab from a selector"),
    CHOICE("r1738-context-prefix-case")
        .issue("Is the prefix `URL:` of the appendix case-sensitive?")
        .decision("no")
        .reason("the appendix is not a grammar, and RFC 1630 has the prefix in lower case"),
    CHOICE("r1738-context-prefix")
        .issue("Do angle brackets without the prefix, or with white space before it, delimit a URL?")
        .decision("no, they are text")
        .reason("the wrapper consists of brackets and prefix; brackets alone have other uses in mail and news"),
    CHOICE("r1738-context-prefix-alone")
        .issue("The appendix also recommends the prefix for other syntactic structures: where does a URL without brackets begin, and what ends it?")
        .decision("at the prefix, after white space, opening punctuation, `=`, `,`, `;` or `|`; white space, a bracket or a quote ends it, and punctuation before that is dropped and reported")
        .reason("none of them may be in a URL; a scheme must directly follow the prefix, which is part of the text, so that `parse` does not accept it"),
    CHOICE("r1738-context-unclosed")
        .issue("What ends a wrapper that is not closed?")
        .decision("another `<`, an empty line or the end of the text; the wrapper then contains no URL")
        .reason("a URL contains no `<`, and white space is added to break lines, not to separate paragraphs"),
    CHOICE("r1738-context-empty")
        .issue("Is there a URL in a wrapper that contains only white space?")
        .decision("no")
        .reason("an absolute URL has a scheme; RFC 1808 prints `<>` for an empty reference in a table, not in a text"),
    CHOICE("r1738-context-white-space")
        .issue("Which characters are white space, and is a hyphen directly before a line end if spaces separate them?")
        .decision("the white space of Unicode; yes")
        .reason("the list ends with `etc.`, and white space around the line end is ignored"),
    CHOICE("r1738-context-hyphen")
        .issue("Which URL is meant if a line ends directly after a hyphen, or several lines do?")
        .decision("the URL with all hyphens; a second candidate has none of them, and their positions are reported")
        .reason("the text asks readers to consider both; n hyphens would result in 2^n candidates"),
    ERRATUM("r1738-repetition")
        .issue("The BNF writes repetition with brackets, which mean an optional element")
        .decision("any number of repetitions of the content")
        .reason("its description of the notation has both uses"),
    ERRATUM("r1738-gopher-slash")
        .issue("gopherurl has a slash without quotes")
        .decision("a literal slash")
        .reason("§3.4 prints the form with the slash"),
    ERRATUM("r1738-nntp-number")
        .issue("nntpurl makes the article number optional, and §3.7 does not")
        .decision("required by the prose, optional by the BNF")
        .reason("the two sections disagree"),
    ERRATUM("r1738-type-case")
        .issue("ftptype allows upper case, and §3.2.2 lists lower-case letters")
        .decision("lower case, by the prose")
        .reason("the two sections disagree"),
    ERRATUM("r1738-fsegment-query")
        .issue("fsegment allows `?` in ftp and file")
        .decision("it is a character of the segment")
        .reason("the specification defines no other meaning; RFC 1808 §2.3 calls it an error and begins a query there"),
    ERRATUM("r1738-hsegment-semicolon")
        .issue("hsegment allows `;`, and no section defines its meaning in http")
        .decision("it is a character of the segment")
        .reason("the specification defines no other meaning; RFC 1808 §2.3 makes it the delimiter of params"),
    ERRATUM("r1738-wais-search")
        .issue("waisindex uses the search of http, which allows `;:@&=` and excludes `?`")
        .decision("the production applies")
        .reason("§3.9 does not mention it"),
    ERRATUM("r1738-search-slash")
        .issue("search excludes `/` and `?`, and §3.3 only reserves them")
        .decision("both are allowed, by the prose")
        .reason("the two sections disagree"),
    ERRATUM("r1738-search-without-slash")
        .issue("§3.3 allows omitting the slash only if path and search are both absent, and the BNF has no form without it")
        .decision("a search requires the slash")
        .reason("prose and BNF agree on the result, and neither defines the other form"),
    CHOICE("r1738-malformed-percent").issue("What happens to a `%` without two hexadecimal digits after it?").decision("the schemes reject it and report its position").reason("§2.2 calls the character unsafe, so that a literal one must be written as `%25`"),
    CHOICE("r1738-unsafe-characters").issue("What happens to a character that must be encoded and is not, such as a space or `#`?").decision("it is kept as a character of its field").reason("none of them is a delimiter in any form; validation is the task of the grammar"),
    CHOICE("r1738-host-form").issue("Is the syntax of a host checked when a URL is read?").decision("yes, by the schemes; splitting by §3.1 accepts any host").reason("§3.1 describes the syntax completely, and a client connects to the host"),
    CHOICE("r1738-empty-port").issue("What happens to a colon without a port, or with a port that is not a number?").decision("the schemes reject it").reason("§3.1 requires decimal digits, and no colon without a port"),
    CHOICE("r1738-port-range").issue("What happens to a port above 65535?").decision("it is kept, and a caution reports it").reason("§3.1 sets no limit, but the protocols have one"),
    CHOICE("r1738-user-by-form").issue("§3.4, §3.7, §3.9 and §3.10 do not mention users, and their forms have none: is a user allowed?").decision("no, it is rejected").reason("the forms of http and prospero have none either, and their prose excludes it"),
    CHOICE("r1738-ftp-other-type").issue("What happens to `;type=` with another letter or without one?").decision("it is rejected").reason("the type is one of three letters, and nothing else may follow a `;`"),
    CHOICE("r1738-ftp-type-word").issue("Is `;TYPE=a` a type?").decision("no, it is rejected like any other `;`").reason("the prose prints lower case, and the grammar lists both cases where it allows both"),
    CHOICE("r1738-ftp-semicolon").issue("What happens to a `;` in a directory or name?").decision("it is rejected").reason("it is reserved there and must be encoded; no other meaning is defined"),
    CHOICE("r1738-ftp-empty-name").issue("What is retrieved if the name is empty, as in `ftp://host/a/`?").decision("RETR is sent with an empty argument, as the text says").reason("the name may be empty, and only the type `d` requests a listing"),
    CHOICE("r1738-ftp-no-path").issue("What does a client do if there is no url-path?").decision("it connects and logs in").reason("the url-path determines all further commands"),
    CHOICE("r1738-http-no-path").issue("What is requested if the slash is absent?").decision("`/`").reason("the slash may be omitted, so that the URL means the same with it"),
    CHOICE("r1738-gophertype-escape").issue("May the gophertype be an escape?").decision("yes").reason("gtype is one xchar, which may be an escape, and encoding does not change the meaning where no character is reserved"),
    CHOICE("r1738-gopher-selector").issue("What happens to a tab, CR or LF in a selector, encoded or not?").decision("it is rejected").reason("§3.4.1 excludes these octets; an encoded tab is the delimiter"),
    CHOICE("r1738-gopher-view-language").issue("May a view omit the language?").decision("yes").reason("the form has both, but Gopher+ has views without a language"),
    CHOICE("r1738-gopher-plus-other").issue("What happens to a Gopher+ string that matches none of the forms?").decision("it is kept and sent; its meaning is unknown").reason("§3.4.3 allows whatever a server needs"),
    ERRATUM("r1738-gopher-form-lines").issue("§3.4.9 prints the lines of a completed form with one tab before the `+`, that is, without a search").decision("selector, tab, search, tab, then the string").reason("§3.4.3 requires the search and its tab, even if the search is empty"),
    CHOICE("r1738-mailto-addr-spec")
        .issue("How much of RFC 822's addr-spec is checked?")
        .decision("all of it except comments and white space between words, which are rejected")
        .reason("§3.5 refers to addr-spec; comments and folding belong to the header of a message"),
    CHOICE("r1738-news-at").issue("What happens to a second `@` in a message identifier?").decision("it is rejected").reason("the character is reserved, so that a literal one must be encoded"),
    CHOICE("r1738-group-characters").issue("Which characters may the name of a newsgroup contain, and may they be encoded?").decision("letters, digits, `-`, `.`, `+` and `_`, in any order, after decoding").reason("the grammar requires a letter at the start and allows no escapes; §2.2 allows encoding any of them, and the prose requires parts between dots"),
    CHOICE("r1738-telnet-path").issue("What happens to text after the last slash of a telnet URL?").decision("it is rejected").reason("neither the form nor the grammar allows it"),
    CHOICE("r1738-wais-rest")
        .issue("What happens to a `?` in a wtype, or to a slash or `?` in a wpath?")
        .decision("it is part of the field")
        .reason("§3.9 separates a search only from a database, and the identifier is opaque"),
    ERRATUM("r1738-wais-reserved")
        .issue("database, wtype and wpath are any number of uchar, which excludes `;:@&=`, and §3.9 reserves none of them")
        .decision("they are allowed, by the prose")
        .reason("the two sections disagree"),
    CHOICE("r1738-wais-no-wpath").issue("What happens to a wtype without a wpath?").decision("it is rejected").reason("none of the three forms has it"),
    CHOICE("r1738-file-host")
        .issue("Must the host of a file URL be a fully qualified domain name?")
        .decision("no, also a name without dots and four decimal numbers are accepted")
        .reason("the grammar uses host, and nothing in the form of a name shows that it is fully qualified"),
    CHOICE("r1738-file-slash").issue("May a file URL end after its host?").decision("no").reason("the form and the grammar have the slash, although §3.1 allows other schemes to omit it"),
    CHOICE("r1738-file-semicolon").issue("Is a `;` in a file URL a delimiter?").decision("no, it is a character of the name").reason("§3.10 does not reserve it; the grammar uses the path of ftp, which excludes it"),
    ERRATUM("r1738-prospero-slash")
        .issue("fieldname and fieldvalue exclude the slash, and §3.11 reserves only `;` and `=`")
        .decision("a slash after the first `;` is part of the name or value, by the prose")
        .reason("the two sections disagree"),
    CHOICE("r1738-prospero-equals").issue("What happens to a field without `=`, or with two?").decision("a field without `=` is rejected; the first of two separates name and value").reason("one `=` separates name and value, and the prose does not reserve it in a value"),
    CHOICE("r1738-line-ends").issue("What does a client do with an encoded CR or LF in an argument?").decision("it withholds the line and reports it").reason("§6 warns against decoding them before sending, but does not say what to do instead"),
];

#[derive(Default)]
pub(super) struct Parsing {
    rest: String,
    pub(super) url: Url,
    rejection: Option<Rejection>,
}

impl Parsing {
    /// Creates the state in which only a login is left to split.
    pub(super) fn of_login(scheme: &str, login: &str) -> Self {
        let url = Url { scheme: scheme.to_owned(), ..Url::default() };
        Self { rest: login.to_owned(), url, rejection: None }
    }
}

fn parse(url: &str, trace: &mut Trace) -> Result<Url, Rejection> {
    let mut parsing = Parsing { rest: url.to_owned(), ..Parsing::default() };
    run(PARSE, &mut parsing, trace);
    match parsing.rejection {
        Some(rejection) => Err(rejection),
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

fn no_scheme() -> Rejection {
    Rejection::new("2.3", "no scheme: relative links are defined elsewhere")
}

fn scheme(s: &mut Parsing) -> Next {
    let Some(length) = scheme_name::length(&s.rest) else {
        s.rejection = Some(no_scheme());
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

pub(super) fn user(s: &mut Parsing) -> Next {
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

pub(super) fn port(s: &mut Parsing) -> Next {
    if let Some(at) = s.rest.rfind(':') {
        s.url.port = Some(s.rest[at + 1..].to_owned());
        s.rest.truncate(at);
    }
    Continue
}

pub(super) fn host(s: &mut Parsing) -> Next {
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
    if scheme_name::length(&s.reference).is_some() {
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
            Some(Err(rejection)) => rejection.reason().to_owned(),
            None => self.reference.clone(),
        }
    }
}
