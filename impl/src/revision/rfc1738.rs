//! RFC 1738, "Uniform Resource Locators (URL)", December 1994: §2.1 and §3.1, the parts of an absolute URL; the appendix,
//! URLs in running text.
//!
//! It resolves nothing: §2.3 leaves relative links to another document. What each of its ten schemes makes of
//! the rest of a URL is in [`crate::scheme`].

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::{format, vec};

use super::rfc1808::scheme_length;
use super::{CHOICE, ERRATUM, Mark, Parts, Revision, Schemes};
use crate::context::{self, Aspect, Bare, Brackets, Quotes};
use crate::resolution::{Meaning, Rejection, Resolution, Target};
use crate::scheme::{self, Common as Url};
use crate::step::{Next, Next::Continue, Next::Done, Program, Show, Trace, run, texts};

/// RFC 1738.
pub static REVISION: Revision = Revision {
    id: "rfc1738",
    document: "RFC 1738",
    cite: "RFC 1738",
    date: "December 1994",
    sections: "§2.1 scheme, §2.2 characters, §3.1 common Internet scheme syntax, §3.2 to §3.11 ten schemes",
    components: &["scheme", "scheme-specific-part", "user", "password", "host", "port", "url-path"],
    rules: None,
    base: None,
    context: Some(&CONTEXT),
    marks: MARKS,
    resolve,
    parse: |url, trace| parse(url, trace).map(|url| parts(&url)),
    resolve_steps: || texts(RESOLVE),
    parse_steps: || texts(PARSE),
    schemes: Some(&Schemes { read: read_traced, steps: scheme::steps }),
};

/// The appendix.
pub(super) static CONTEXT: context::Extractor = context::Extractor {
    section: "appendix",
    brackets: Brackets::WithPrefix,
    quotes: Quotes::Text,
    bare: Bare::Text,
    steps: &[
        ("app. prefix", "URL: tells a URL from other things in brackets", Aspect::Prefix),
        ("app. brackets", "angle brackets delimit it, and are no part of it", Aspect::Brackets),
        ("app. fragment", "a fragment stands within the brackets", Aspect::Fragment),
        ("app. white space", "white space that breaks a long URL is ignored", Aspect::WhiteSpace),
        ("app. hyphen", "a hyphen right before a line end may or may not be part of the URL", Aspect::Hyphen),
    ],
};

/// Reads `url` by the rules of its scheme: `ftp://host.dom/etc/motd` is a directory and a name on a host.
///
/// # Errors
///
/// Where the document's prose does not take such a URL, with the section.
pub fn read(url: &str) -> Result<scheme::Url, Rejection> {
    read_traced(url, &mut Trace::off())
}

fn read_traced(url: &str, trace: &mut Trace) -> Result<scheme::Url, Rejection> {
    scheme::read(parse(url, trace)?, trace)
}

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
    ("2.3", "a reference without a scheme is rejected: relative links are defined elsewhere", relative),
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
    CHOICE("r1738-login-colons")
        .open("Which of several colons before the `@` ends the user?")
        .taken("the first")
        .because("user and password must encode theirs, and the password follows the user"),
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
    CHOICE("r1738-malformed-percent").open("What of a `%` without two hexadecimal digits behind it?").taken("the scheme forms reject it, with its place").because("§2.2 calls the character unsafe, so that it can stand for itself only as `%25`"),
    CHOICE("r1738-unsafe-characters").open("What of a character that must be encoded and is not, such as a space or `#`?").taken("it is kept as a character of its field").because("none of them is a delimiter in any form; that the URL is none is for the grammar to say"),
    CHOICE("r1738-host-form").open("Is the form of a host tested when a URL is read?").taken("yes, by the schemes; the split of §3.1 takes any").because("§3.1 describes it in full, and a client connects to it"),
    CHOICE("r1738-empty-port").open("What of a colon with no port behind it, or something that is no number?").taken("the schemes reject it").because("§3.1 wants decimal digits, and no colon where no port is written"),
    CHOICE("r1738-port-range").open("What of a port above 65535?").taken("it is kept, and warned of").because("§3.1 sets no limit, and the protocols have one"),
    CHOICE("r1738-user-by-form").open("§3.4, §3.7, §3.9 and §3.10 do not speak of users, and their forms have none: what of one?").taken("it is rejected").because("where the prose of http and prospero speaks of it, their form says the same"),
    CHOICE("r1738-ftp-other-type").open("What of `;type=` with another letter, or none?").taken("it is rejected").because("the type is one of three, and nothing else may stand behind a `;`"),
    CHOICE("r1738-ftp-type-word").open("Is `;TYPE=a` a type?").taken("no: it is rejected, as any other `;`").because("the prose prints small letters, and the grammar lists both cases where it means both"),
    CHOICE("r1738-ftp-semicolon").open("What of a `;` in a directory or name?").taken("it is rejected").because("it is reserved there and must be encoded, and no other meaning is given to it"),
    CHOICE("r1738-ftp-empty-name").open("What is fetched if the name is empty, as in `ftp://host/a/`?").taken("RETR is given no argument, as the text says").because("the name may be empty, and only the type `d` asks for a listing"),
    CHOICE("r1738-ftp-no-path").open("What is done if there is no url-path?").taken("the client connects and logs in").because("the commands are those that the url-path stands for"),
    CHOICE("r1738-http-no-path").open("What is asked for if there is not even the slash?").taken("`/`").because("the slash may be left out, so what remains is the URL with it"),
    CHOICE("r1738-gophertype-escape").open("Is an escape a single character for the gophertype?").taken("yes").because("gtype is one xchar, which may be an escape, and encoding changes no meaning where nothing is reserved"),
    CHOICE("r1738-gopher-selector").open("What of a tab, CR or LF in a selector, coded or not?").taken("it is rejected").because("§3.4.1 excludes these octets; a coded tab is the delimiter"),
    CHOICE("r1738-gopher-view-language").open("What of a view without a language?").taken("it is a view").because("the form has both, and Gopher+ has views without one"),
    CHOICE("r1738-gopher-plus-other").open("What of a Gopher+ string of no form that is described?").taken("it is kept and sent, without a meaning").because("§3.4.3 lets it hold what a server needs"),
    ERRATUM("r1738-gopher-form-lines").open("§3.4.9 prints the lines of a filled form with one tab before the `+`, so without a search").taken("selector, tab, search, tab, then the string").because("§3.4.3 says that the search and its tab must be there, if only empty"),
    CHOICE("r1738-mailto-at").open("What of an address without an `@`, or with nothing on one side of it?").taken("it is rejected").because("addr-spec of RFC 822 has a local part, an `@` and a domain"),
    CHOICE("r1738-news-at").open("What of two `@` in a message identifier?").taken("they are rejected").because("the character is reserved, so that one within has to be encoded"),
    CHOICE("r1738-group-characters").open("Which characters has the name of a newsgroup, and may they be encoded?").taken("letters, digits, `-`, `.`, `+` and `_`, in any order, after decoding").because("the grammar wants a letter first and admits no escape; §2.2 lets any of them be encoded, and the prose wants parts between dots"),
    CHOICE("r1738-telnet-path").open("What of something behind the last slash of a telnet URL?").taken("it is rejected").because("neither the form nor the grammar has it"),
    CHOICE("r1738-wais-rest").open("What of a slash or `?` in a wpath?").taken("it is part of it").because("the identifier is opaque, and nothing can follow it"),
    CHOICE("r1738-wais-no-wpath").open("What of a wtype without a wpath?").taken("it is rejected").because("none of the three forms is so"),
    CHOICE("r1738-file-slash").open("May a file URL end behind its host?").taken("no").because("the form and the grammar have the slash, though §3.1 lets other schemes leave it out"),
    CHOICE("r1738-file-semicolon").open("Does a `;` in a file URL mean something?").taken("no: it is a character of the name").because("§3.10 reserves none; the grammar takes the path of ftp, which has none"),
    CHOICE("r1738-prospero-equals").open("What of a field without `=`, or with two?").taken("without, it is rejected; the first of two parts name and value").because("name and value are parted by one, and the prose does not reserve it in a value"),
    CHOICE("r1738-line-ends").open("What does a client do with a coded CR or LF in an argument?").taken("it does not send the line, and says so").because("§6 warns of decoding them before they are sent, and does not say what to do instead"),
];

#[derive(Default)]
struct Parsing {
    rest: String,
    url: Url,
    rejection: Option<Rejection>,
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
    let Some(length) = scheme_length(&s.rest) else {
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
            Some(Err(rejection)) => rejection.reason().to_owned(),
            None => self.reference.clone(),
        }
    }
}
