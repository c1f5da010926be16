//! GNU Wget: where the command connects for a URL.
//!
//! Read from `url.c`, `retr.c`, `iri.c` and `host.c` of Wget 1.21.3 and of its repository in June 2024. Debian added the fix of CVE-2024-38428 to 1.21.3. The locale is one of UTF-8, and libidn2 converts hosts.

use std::net::Ipv6Addr;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, until};
use urlstrata_steps::{Change, Dated, Next, Next::*, Question, State, Step, Table, Witness, no_calls};

use crate::libcurl::idn2::idn_decode;
use crate::redirect::c_trim;
use crate::socket::{GETADDRINFO, NO_SERVICE, RESOLVER, aton};
use crate::urllib;

/// wget.
pub static TABLE: Table = Table {
    engine: "wget",
    first: "1.21.3",
    changes: &[&USER, &NO_FTP],
    dated: &[Dated { version: "1.21.3", changes: &["CVE-2024-38428"] }],
    questions: &[(Question::Connect, RETRIEVE), (Question::Follow, REDIRECT)],
    called: &[GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: Some(c_trim),
    calls: no_calls,
};

/// `retrieve_url`, for a redirect.
static REDIRECT: &[Step] = &[
    Step::new("uri_merge: url_has_scheme", "a location that begins with letters, digits, + and - before a colon is the target", |s| {
        let rest = s.reference.trim_start_matches(|it: char| it.is_ascii_alphanumeric() || matches!(it, '+' | '-'));
        match rest.starts_with(':') && rest.len() < s.reference.len() {
            true => {
                s.set(Slot::Result, s.reference);
                To("url_parse: url_scheme")
            }
            false => Go,
        }
    }),
    Step::new("uri_merge", "another one follows what precedes the fragment, the query, the path or the authority of the URL of the request, as it begins with #, ?, a slash or two; one that begins with anything else follows the last slash of the path, and an empty one the whole URL", |s| {
        let (base, location) = (s.base, s.reference);
        let end = base.find(['?', '#']).unwrap_or(base.len());
        let start = base[..end].find("//").map_or(0, |at| at + 2);
        let root = base[start..end].find('/').map_or(end, |at| start + at);
        let kept = match location {
            "" => base.to_owned(),
            _ if location.starts_with('?') => base[..end].to_owned(),
            _ if location.starts_with('#') => cut(base, "#").0.to_owned(),
            _ if location.starts_with("//") => base[..start.saturating_sub(2)].to_owned(),
            _ if location.starts_with('/') => base[..root].to_owned(),
            _ => format!("{}/", &base[..base[root..end].rfind('/').map_or(end, |at| root + at)]),
        };
        let url = format!("{kept}{location}");
        s.inherit_as("scheme");
        s.set(Slot::Result, url);
        Go
    }),
    Step::new("url_parse: url_scheme", "reject a target without one of the schemes http, https, ftp and ftps, after which :// is required", |s| {
        match url_scheme(s.get(Slot::Result)) {
            Some(_) => Done,
            None => s.reject(Slot::Result, "the scheme is missing or not supported"),
        }
    }),
];

static USER: Change = Change {
    id: "CVE-2024-38428",
    versions: &["1.25.0"],
    date: "2024-06",
    issue: "https://nvd.nist.gov/vuln/detail/CVE-2024-38428",
    says: "a semicolon before an @ is part of the user, and a bracket is not",
    witness: Some(Witness {
        question: Question::Connect,
        base: "",
        reference: "http://a;b@c/",
        before: None,
        after: Some("scheme=http userinfo=a;b host=c port=80"),
    }),
};

static NO_FTP: Change = Change {
    id: "CVE-2024-10524",
    versions: &["1.25.0"],
    date: "2024-11",
    issue: "https://nvd.nist.gov/vuln/detail/CVE-2024-10524",
    says: "a text without a scheme is not read as a short form of a URL of FTP",
    witness: Some(Witness {
        question: Question::Connect,
        base: "",
        reference: "a:b",
        before: Some("scheme=ftp host=a port=21"),
        after: None,
    }),
};

const TEXT: Slot = Slot::Ref(Part::Text);
const SCHEME: Slot = Slot::Out(Part::Scheme);
const HOST: Slot = Slot::Out(Part::Host);
const PORT: Slot = Slot::Out(Part::Port);

/// Returns the supported scheme with which a text begins.
fn url_scheme(text: &str) -> Option<&'static str> {
    let is = |scheme: &&str| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    let found = ["http://", "https://", "ftp://", "ftps://"].into_iter().find(is)?;
    found.strip_suffix("://")
}

/// Returns whether the text is a host, perhaps with a port, and a path, which needs only http:// before it.
fn is_web(text: &str) -> bool {
    let (_, rest) = text.split_at(text.find([':', '/']).unwrap_or(text.len()));
    let port = rest.strip_prefix(':').map(|rest| until(rest, &['/']).0);
    port.is_none_or(|port| !port.is_empty() && port.bytes().all(|it| it.is_ascii_digit()))
}

/// `reencode_escapes`.
fn reencoded(text: &str) -> String {
    let mut out = String::new();
    for (at, it) in text.char_indices() {
        let is_escape = || text.as_bytes()[at + 1..].iter().take(2).filter(|it| it.is_ascii_hexdigit()).count() == 2;
        match it {
            '%' if is_escape() => out.push('%'),
            '%' | '\0'..=' ' | '\u{7f}'.. | '<' | '>' | '"' | '{' | '}' | '|' | '\\' | '^' | '~' | '`' => {
                it.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| out += &format!("%{byte:02X}"));
            }
            _ => out.push(it),
        }
    }
    out
}

/// `url_unescape`, which does not decode %00.
fn unescaped(text: &str) -> String {
    text.split("%00").map(urllib::unquoted).collect::<Vec<_>>().join("%00")
}

/// Takes the user before an @, unless another one of `ends` precedes it.
fn skip_credentials(s: &mut State<'_>, ends: &[char]) -> Next {
    let (user, rest) = until(&s.rest, ends);
    if let Some(rest) = rest.strip_prefix('@') {
        let (user, rest) = (user.to_owned(), rest.to_owned());
        if rest.contains('@') {
            s.decide(HOST);
        }
        s.set(Slot::Out(Part::Userinfo), user);
        s.rest = rest;
    }
    Go
}

static RETRIEVE: &[Step] = &[
    Step::new("main: argv", "a text with a NUL cannot be an argument", |s| match s.get(TEXT).contains('\0') {
        true => s.reject(TEXT, "it contains a NUL"),
        false => Go,
    }),
    Step::new("rewrite_shorthand_url: ftp", "without a scheme, a colon after a host that no number follows begins the path of a URL of ftp", |s| {
        let text = s.get(TEXT).to_owned();
        let (host, rest) = cut(&text, ":");
        if let Some(rest) = rest.filter(|rest| !rest.starts_with("//") && !host.is_empty() && !host.contains('/'))
            && url_scheme(&text).is_none()
            && !is_web(&text)
        {
            s.set(TEXT, format!("ftp://{host}/{rest}"));
        }
        Go
    })
    .until(&NO_FTP),
    Step::new("rewrite_shorthand_url", "without a scheme, a text that begins neither with a colon nor with a slash follows http://", |s| {
        let text = s.get(TEXT);
        if url_scheme(text).is_none() && !text.starts_with([':', '/']) && is_web(text) {
            let text = format!("http://{text}");
            s.set(TEXT, text);
        }
        Go
    }),
    Step::new("url_scheme", "reject other schemes than http, https, ftp and ftps, after which :// is required", |s| {
        let Some(scheme) = url_scheme(s.get(TEXT)) else { return s.reject(TEXT, "the scheme is missing or not supported") };
        s.rest = s.get(TEXT).get(scheme.len() + 3..).unwrap_or_default().to_owned();
        s.set(SCHEME, scheme);
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new(
        "url_parse: reencode_escapes",
        "percent-encode control characters, spaces, other characters that are unsafe or not ASCII, and percent signs without two digits",
        |s| {
            let text = reencoded(s.get(TEXT));
            s.set(TEXT, text);
            s.rest = s.get(TEXT).get(s.get(SCHEME).len() + 3..).unwrap_or_default().to_owned();
            Go
        },
    ),
    Step::new("url_skip_credentials: strpbrk", "the part before the first @ is the user, unless one of /, ?, # and ; precedes it", |s| {
        skip_credentials(s, &['@', '/', '?', '#', ';'])
    })
    .until(&USER),
    Step::new("url_skip_credentials", "the part before the first @ is the user, unless one of /, ?, #, [ and ] precedes it", |s| {
        skip_credentials(s, &['@', '/', '?', '#', '[', ']'])
    })
    .since(&USER),
    Step::new("parse_credentials", "reject an empty user, and decode another one", |s| {
        let slot = Slot::Out(Part::Userinfo);
        let Some(user) = s.present(slot) else { return Go };
        if user.is_empty() || user.starts_with(':') {
            return s.reject(slot, "it is empty");
        }
        let user = unescaped(user);
        s.set(slot, user);
        Go
    }),
    Step::new("url_parse: host", "brackets contain the host, which must be an IPv6 address; another one ends at a colon, at a slash, at # and at ?, or for ftp at ;", |s| {
        let ends: &[char] = if s.get(SCHEME).starts_with("http") { &[':', '/', '?', '#'] } else { &[':', '/', ';', '#'] };
        let rest = std::mem::take(&mut s.rest);
        let (host, rest) = match rest.strip_prefix('[') {
            Some(rest) => {
                let (host, after) = cut(rest, "]");
                match after.filter(|after| after.is_empty() || after.starts_with(ends)) {
                    Some(after) if host.parse::<Ipv6Addr>().is_ok() => (host, after),
                    _ => return s.reject(HOST, "its brackets do not contain an IPv6 address"),
                }
            }
            None => until(&rest, ends),
        };
        s.set(HOST, host);
        s.rest = rest.to_owned();
        match s.get(HOST).is_empty() {
            true => s.reject(HOST, "it is missing"),
            false => Go,
        }
    }),
    Step::new("url_parse: port", "the port is what follows a colon, up to /, ?, # or the end, and that of the scheme if it is empty; reject one that is not a number up to 65535", |s| {
        let ends: &[char] = if s.get(SCHEME).starts_with("http") { &['/', '?', '#'] } else { &['/', ';', '#'] };
        let port = s.rest.strip_prefix(':').map_or("", |rest| until(rest, ends).0).to_owned();
        let default = match s.get(SCHEME) {
            "http" => "80",
            "https" => "443",
            _ => "21",
        };
        match port.parse::<u32>() {
            _ if port.is_empty() => s.set(PORT, default),
            Ok(number) if number <= 65_535 && port.bytes().all(|it| it.is_ascii_digit()) => s.set(PORT, number.to_string()),
            _ => return s.reject(PORT, "it is not a port"),
        }
        Go
    }),
    Step::new("url_parse: lowercase_str", "write the host in lower case, as far as it is ASCII", |s| {
        let host = s.get(HOST).to_ascii_lowercase();
        s.set(HOST, host);
        Go
    }),
    Step::new("url_parse: url_unescape", "decode the escapes of the host, but not %00", |s| {
        let host = unescaped(s.get(HOST));
        s.set(HOST, host);
        Go
    }),
    Step::new("url_parse: c_iscntrl", "reject a host with a control character", |s| {
        match s.get(HOST).contains(|it: char| it.is_ascii_control()) {
            true => s.reject(HOST, "it contains a control character"),
            false => Go,
        }
    }),
    Step::new("idn_encode", "convert a host outside ASCII by UTS 46 and IDNA 2008, or by UTS 46 with transitional processing, if that is possible", |s| {
        if let Some(host) = Some(s.get(HOST)).filter(|host| !host.is_ascii()).and_then(idn_decode) {
            s.set(HOST, host);
        }
        Go
    }),
    Step::new("lookup_host: AI_NUMERICHOST", "reject four decimal numbers up to 255 that are not an IPv4 address, because of an 8 or a 9 after a 0", |s| {
        let is_octet = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()) && it.parse::<u8>().is_ok();
        let is_like = s.get(HOST).split('.').count() == 4 && s.get(HOST).split('.').all(is_octet);
        match is_like && aton(s.get(HOST)).is_none() {
            true => s.reject(HOST, "it is not an address"),
            false => Go,
        }
    }),
    NO_SERVICE,
    RESOLVER,
];
