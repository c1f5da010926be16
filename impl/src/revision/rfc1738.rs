//! RFC 1738, "Uniform Resource Locators (URL)", December 1994: §2.1 and §3.1, the parts of an absolute URL; the appendix,
//! URLs in running text.
//!
//! It resolves nothing: §2.3 leaves relative links to another document. What each of its ten schemes makes of
//! the rest of a URL is in [`crate::scheme`].

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
};

/// The appendix.
pub(super) static CONTEXT: context::Extractor = context::Extractor {
    section: "appendix",
    brackets: Brackets::WithPrefix,
    quotes: Quotes::Text,
    bare: Bare::Text,
    steps: &[
        ("app. prefix", "the prefix URL: distinguishes URLs from other text in brackets", Aspect::Prefix),
        ("app. brackets", "angle brackets delimit the URL and are not part of it", Aspect::Brackets),
        ("app. fragment", "a fragment is inside the brackets", Aspect::Fragment),
        ("app. white space", "white space that breaks a long URL is ignored", Aspect::WhiteSpace),
        ("app. hyphen", "a hyphen directly before a line end may or may not be part of the URL", Aspect::Hyphen),
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

const REMARKS: &[Remark] = &[
    CHOICE("r1738-prose-over-bnf")
        .issue("Prose and BNF disagree in places: parse by which?")
        .decision("by the prose")
        .reason("the BNF is for checking, and a disagreement is to be reported"),
    CHOICE("r1738-scheme-capitals")
        .issue("The grammar has lower case letters only in a scheme")
        .decision("capitals are taken, and kept as they stand")
        .reason("§2.1 asks readers to treat them as equal"),
    CHOICE("r1738-at-signs")
        .issue("Which of several `@` ends the login?")
        .decision("the last")
        .reason("user and password must encode theirs, so any other reading makes a host that cannot be one"),
    CHOICE("r1738-login-colons")
        .issue("Which of several colons before the `@` ends the user?")
        .decision("the first")
        .reason("user and password must encode theirs, and the password follows the user"),
    CHOICE("r1738-otherurl")
        .issue("otherurl derives what the ten forms exclude, such as `ftp://_`: is a known scheme held to its own form?")
        .decision("yes; otherurl is for the others")
        .reason("§5 gives that form to new schemes"),
    CHOICE("r1738-literal-case")
        .issue("Do letters in quotes stand for both cases?")
        .decision("for the one they are written in")
        .reason("§5 lists capitals and small letters apart where both may stand, and has schemes in lower case"),
    CHOICE("r1738-encoded-tab")
        .issue("A gopher selector or search may derive `%09` itself: where does it end?")
        .decision("before the first `%09`")
        .reason("§3.4.1 has no tab in a selector"),
    CHOICE("r1738-context-prefix-case")
        .issue("Is the prefix `URL:` of the appendix told by its capitals?")
        .decision("no, any case is taken")
        .reason("the appendix is no grammar, and RFC 1630 has the prefix in lower case"),
    CHOICE("r1738-context-prefix")
        .issue("What of angle brackets without the prefix, or with white space before it?")
        .decision("they are text")
        .reason("brackets along with the prefix are the wrapper; brackets alone have other uses in mail and news"),
    CHOICE("r1738-context-unclosed")
        .issue("What ends a wrapper that is not closed?")
        .decision("another `<`, an empty line or the end of the text; there is no URL in it then")
        .reason("a URL holds no `<`, and white space is added to break lines, not to part paragraphs"),
    CHOICE("r1738-context-empty")
        .issue("Is there a URL in a wrapper that holds nothing but white space?")
        .decision("no")
        .reason("an absolute URL has a scheme; RFC 1808 prints `<>` for an empty reference in a table, not in a text"),
    CHOICE("r1738-context-white-space")
        .issue("Which characters are white space, and is a hyphen with spaces between it and the line end right before it?")
        .decision("those that Unicode calls so; yes")
        .reason("the list ends in `etc.`, and white space around the line end is ignored"),
    CHOICE("r1738-context-hyphen")
        .issue("Which URL is meant when a line ends right behind a hyphen, and which when several do?")
        .decision("all hyphens are kept; a second candidate has none of them, and their places are told")
        .reason("the text asks to be aware of both; n hyphens would make 2^n candidates"),
    ERRATUM("r1738-repetition")
        .issue("The BNF writes repetition with brackets, which mean optional")
        .decision("any number of the bracketed")
        .reason("its own notation paragraph gives both uses"),
    ERRATUM("r1738-gopher-slash")
        .issue("gopherurl has a slash without quotes")
        .decision("a literal slash")
        .reason("§3.4 prints the form with it"),
    ERRATUM("r1738-nntp-number")
        .issue("nntpurl makes the article number optional, §3.7 does not")
        .decision("required by the prose, optional by the BNF")
        .reason("the two sections disagree"),
    ERRATUM("r1738-type-case")
        .issue("ftptype admits capitals, §3.2.2 lists lower case letters")
        .decision("lower case by the prose")
        .reason("the two sections disagree"),
    ERRATUM("r1738-fsegment-query")
        .issue("fsegment admits `?` in ftp and file")
        .decision("a character of the segment")
        .reason("no other reading is given; RFC 1808 §2.3 calls it an error and starts a query there"),
    ERRATUM("r1738-wais-search")
        .issue("waisindex takes http's search, which admits `;:@&=` and no `?`")
        .decision("as the production has it")
        .reason("§3.9 does not speak of it"),
    ERRATUM("r1738-search-slash")
        .issue("search excludes `/` and `?`, §3.3 merely reserves them")
        .decision("both may stand there by the prose")
        .reason("the two sections disagree"),
    ERRATUM("r1738-search-without-slash")
        .issue("§3.3 lets the slash go only when path and search are both absent, and the BNF has no form without it")
        .decision("a search needs its slash")
        .reason("prose and BNF agree on the result, and neither says what the other form would be"),
    CHOICE("r1738-malformed-percent").issue("What of a `%` without two hexadecimal digits behind it?").decision("the scheme forms reject it, with its place").reason("§2.2 calls the character unsafe, so that it can stand for itself only as `%25`"),
    CHOICE("r1738-unsafe-characters").issue("What of a character that must be encoded and is not, such as a space or `#`?").decision("it is kept as a character of its field").reason("none of them is a delimiter in any form; that the URL is none is for the grammar to say"),
    CHOICE("r1738-host-form").issue("Is the form of a host tested when a URL is read?").decision("yes, by the schemes; the split of §3.1 takes any").reason("§3.1 describes it in full, and a client connects to it"),
    CHOICE("r1738-empty-port").issue("What of a colon with no port behind it, or something that is no number?").decision("the schemes reject it").reason("§3.1 wants decimal digits, and no colon where no port is written"),
    CHOICE("r1738-port-range").issue("What of a port above 65535?").decision("it is kept, and warned of").reason("§3.1 sets no limit, and the protocols have one"),
    CHOICE("r1738-user-by-form").issue("§3.4, §3.7, §3.9 and §3.10 do not speak of users, and their forms have none: what of one?").decision("it is rejected").reason("where the prose of http and prospero speaks of it, their form says the same"),
    CHOICE("r1738-ftp-other-type").issue("What of `;type=` with another letter, or none?").decision("it is rejected").reason("the type is one of three, and nothing else may stand behind a `;`"),
    CHOICE("r1738-ftp-type-word").issue("Is `;TYPE=a` a type?").decision("no: it is rejected, as any other `;`").reason("the prose prints small letters, and the grammar lists both cases where it means both"),
    CHOICE("r1738-ftp-semicolon").issue("What of a `;` in a directory or name?").decision("it is rejected").reason("it is reserved there and must be encoded, and no other meaning is given to it"),
    CHOICE("r1738-ftp-empty-name").issue("What is fetched if the name is empty, as in `ftp://host/a/`?").decision("RETR is given no argument, as the text says").reason("the name may be empty, and only the type `d` asks for a listing"),
    CHOICE("r1738-ftp-no-path").issue("What is done if there is no url-path?").decision("the client connects and logs in").reason("the commands are those that the url-path stands for"),
    CHOICE("r1738-http-no-path").issue("What is asked for if there is not even the slash?").decision("`/`").reason("the slash may be left out, so what remains is the URL with it"),
    CHOICE("r1738-gophertype-escape").issue("Is an escape a single character for the gophertype?").decision("yes").reason("gtype is one xchar, which may be an escape, and encoding changes no meaning where nothing is reserved"),
    CHOICE("r1738-gopher-selector").issue("What of a tab, CR or LF in a selector, coded or not?").decision("it is rejected").reason("§3.4.1 excludes these octets; a coded tab is the delimiter"),
    CHOICE("r1738-gopher-view-language").issue("What of a view without a language?").decision("it is a view").reason("the form has both, and Gopher+ has views without one"),
    CHOICE("r1738-gopher-plus-other").issue("What of a Gopher+ string of no form that is described?").decision("it is kept and sent, without a meaning").reason("§3.4.3 lets it hold what a server needs"),
    ERRATUM("r1738-gopher-form-lines").issue("§3.4.9 prints the lines of a filled form with one tab before the `+`, so without a search").decision("selector, tab, search, tab, then the string").reason("§3.4.3 says that the search and its tab must be there, if only empty"),
    CHOICE("r1738-mailto-at").issue("What of an address without an `@`, or with nothing on one side of it?").decision("it is rejected").reason("addr-spec of RFC 822 has a local part, an `@` and a domain"),
    CHOICE("r1738-news-at").issue("What of two `@` in a message identifier?").decision("they are rejected").reason("the character is reserved, so that one within has to be encoded"),
    CHOICE("r1738-group-characters").issue("Which characters has the name of a newsgroup, and may they be encoded?").decision("letters, digits, `-`, `.`, `+` and `_`, in any order, after decoding").reason("the grammar wants a letter first and admits no escape; §2.2 lets any of them be encoded, and the prose wants parts between dots"),
    CHOICE("r1738-telnet-path").issue("What of something behind the last slash of a telnet URL?").decision("it is rejected").reason("neither the form nor the grammar has it"),
    CHOICE("r1738-wais-rest").issue("What of a slash or `?` in a wpath?").decision("it is part of it").reason("the identifier is opaque, and nothing can follow it"),
    CHOICE("r1738-wais-no-wpath").issue("What of a wtype without a wpath?").decision("it is rejected").reason("none of the three forms is so"),
    CHOICE("r1738-file-slash").issue("May a file URL end behind its host?").decision("no").reason("the form and the grammar have the slash, though §3.1 lets other schemes leave it out"),
    CHOICE("r1738-file-semicolon").issue("Does a `;` in a file URL mean something?").decision("no: it is a character of the name").reason("§3.10 reserves none; the grammar takes the path of ftp, which has none"),
    CHOICE("r1738-prospero-equals").issue("What of a field without `=`, or with two?").decision("without, it is rejected; the first of two parts name and value").reason("name and value are parted by one, and the prose does not reserve it in a value"),
    CHOICE("r1738-line-ends").issue("What does a client do with a coded CR or LF in an argument?").decision("it does not send the line, and says so").reason("§6 warns of decoding them before they are sent, and does not say what to do instead"),
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
