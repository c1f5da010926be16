//! Chromium: `new URL(reference, base)`, and the properties of `new URL(url)`, from 150 on, on Linux.
//!
//! Read from `url_util.cc`, `url_parse_file.cc` and `url_canon_*.cc` in `url/` of chromium, in states of the repository of 2023 to 2026. The class
//! `GURL` finds the components first and then writes them. Here, it is the URL Standard of July 2026 without three of its changes, and with own steps.
//! Not described: the schemes that only Chromium knows, such as `chrome-extension` and `filesystem`.

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};
use urlstrata::revision::whatwg::{self, ChangeSet, Implementation, Machine, Next as Then, OwnStep};
use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{self, components, scheme, until};
use urlstrata_steps::{Change, Next, Question, Side, State, Step, Table, no_calls};

use crate::node_fetch_global::BAD_PORTS;
use crate::redirect::{has_location, is_web};
use crate::socket::{GETADDRINFO, RESOLVER, accessors};
use crate::url_standard::PROPERTIES;

/// Chromium.
pub static TABLE: Table = Table {
    engine: "chromium",
    first: "150.0.7871.100",
    changes: &[],
    dated: &[],
    questions: &[
        (Question::Resolve, RESOLVE),
        (Question::Parse, PARSE),
        (Question::Connect, NAVIGATE),
        (Question::Follow, REDIRECT),
    ],
    called: &[PROPERTIES, GETADDRINFO],
    standard: Some(standard),
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static RESOLVE: &[Step] = &[
    Step::new(
        "DoResolveRelative: num_slashes",
        "if a backslash follows a scheme that is not special, it counts as a slash, and the base may have an authority: the reference follows the \
         text of the base up to its path, or to the last slash or backslash of the path",
        |s| follow(s, Followed::Path),
    ),
    Step::new(
        "DoResolveRelativePath: base_parsed.Length",
        "if the scheme is not special, and the base has no path after its host, the reference is written after the text of the base",
        |s| follow(s, Followed::Base),
    ),
    Step::new(
        "url::Canonicalize, url::ResolveRelative",
        "run the steps of the URL Standard of July 2026 without its changes bb36bd9, 6c78200 and b11d73b",
        |s| match scheme(&cleaned(s.reference)) {
            Some((name, _)) if name.eq_ignore_ascii_case("data") => Next::Standard(of_data),
            _ => Next::Standard(standard),
        },
    ),
];

/// Returns a text as it is parsed.
fn cleaned(text: &str) -> String {
    text.trim_matches(|c| c <= ' ').replace(['\t', '\n', '\r'], "")
}

/// What a reference follows in the text of the base.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Followed {
    /// The whole text.
    Base,
    /// What precedes its path, or its last segment.
    Path,
}

/// Ends the table if the reference follows `part` of the text of the base.
fn follow(s: &mut State<'_>, part: Followed) -> Next {
    match follows(s).filter(|(followed, _)| *followed == part) {
        Some((_, url)) => {
            s.set(Slot::Result, url);
            Next::Done
        }
        None => Next::Go,
    }
}

/// Returns the target of a reference on a base whose text is used instead of its components.
fn follows(s: &State<'_>) -> Option<(Followed, String)> {
    let of_path = |url: String| Some((Followed::Path, url));
    let reference = cleaned(s.reference);
    if s.base.is_empty() || scheme(&reference).is_some() {
        return None;
    }
    let url = |base: &str, text: &str| standard(&[]).resolve(base, text).ok().map(|target| target.url);
    let base = url("", s.base)?;
    let (name, rest) = scheme(&base).filter(|(name, _)| !SPECIAL_SCHEMES.contains(name))?;
    let is_opaque = rest.starts_with('\\');
    let count = |text: &str| text.len() - text.trim_start_matches(['/', '\\']).len();
    match (is_opaque, count(&reference)) {
        (true, _) if reference.is_empty() => return of_path(until(&base, &['#']).0.to_owned()),
        (false, _) if reference.is_empty() => return None,
        (true, 2..) => return url(&format!("{name}:/"), &reference).and_then(of_path),
        (false, 2..) => return None,
        _ => {}
    }
    let slashes = if is_opaque { count(rest) } else { count(rest).min(2) };
    let start = match slashes {
        0 | 1 => 0,
        _ => slashes + until(&rest[slashes..], &['/', '\\', '?', '#']).0.len(),
    };
    if is_opaque && slashes > 1 && start == slashes {
        return None;
    }
    let path = until(&rest[start..], &['?', '#']).0;
    let (own, more) = until(&reference, &['?', '#']);
    let after = |text: &str| Some(url("x://h/", text)?.strip_prefix("x://h")?.to_owned());
    let more = after(more)?[1..].to_owned();
    if start > 0 && path.is_empty() && (is_opaque || base.contains(['?', '#'])) {
        let query = components(&base)[3].filter(|_| reference.starts_with('#')).map(|query| format!("?{query}"));
        let own = if own.is_empty() { String::new() } else { after(own)? };
        return Some((Followed::Base, base + &query.unwrap_or_default() + &own + &more));
    }
    let path = match () {
        () if !is_opaque || reference.starts_with('#') => return None,
        () if own.is_empty() => path.to_owned(),
        () if own.starts_with(['/', '\\']) => after(own)?,
        () => appended(&path[..=path.rfind(['/', '\\'])?], own),
    };
    of_path(format!("{name}:{}{path}{more}", &rest[..start]))
}

/// Appends a relative path to a folder as it is written. Dot segments are removed after a slash, and not after a backslash.
fn appended(folder: &str, path: &str) -> String {
    let mut out = folder.to_owned();
    for part in path.split_inclusive(['/', '\\']) {
        let segment = part.trim_end_matches(['/', '\\']);
        match segment.to_ascii_lowercase().replace("%2e", ".").as_str() {
            "." if out.ends_with('/') => continue,
            ".." if out.ends_with('/') => {
                let folder = out.strip_suffix('/').and_then(|out| out.rfind('/')).unwrap_or_default();
                out.truncate(folder + 1);
                continue;
            }
            _ => out += &encoded_path(segment),
        }
        if part.len() > segment.len() {
            out.push('/');
        }
    }
    out
}

fn encoded_path(segment: &str) -> String {
    text::encoded(segment, |it| it > b' ' && it < 0x7f && !b"\"#<>?^`{|}".contains(&it))
}

/// The special schemes (§4.2).
const SPECIAL_SCHEMES: &[&str] = &["http", "https", "ws", "wss", "ftp", "file"];

static PARSE: &[Step] = &[
    Step::new("GURL, without a base", "parse the URL", |_| Next::Call(RESOLVE, Side::Reference)),
    Step::new("DOMURLUtilsReadOnly", "state the properties of the URL", |_| Next::Call(PROPERTIES, Side::Reference)),
];

/// `Page.navigate` of the DevTools protocol.
static NAVIGATE: &[Step] = &[
    Step::new("Page.navigate: GURL", "parse the URL", |_| Next::Call(PARSE, Side::Reference)),
    Step::new("net::IsPortAllowedForScheme", "reject the port 0, and one on which other services listen", |s| {
        let slot = Slot::Out(Part::Port);
        match s.get(slot) == "0" || BAD_PORTS.contains(&s.get(slot)) {
            true => s.reject(slot, "unsafe port"),
            false => Next::Go,
        }
    }),
    accessors("HostPortPair::FromURL"),
    Step::new(
        "net::IsCanonicalizedHostCompliant",
        "reject a name whose last label begins with a hyphen or an underscore; another label may begin with one",
        |s| {
            let slot = Slot::Out(Part::Host);
            let host = s.get(slot);
            let is_address = host.parse::<std::net::IpAddr>().is_ok();
            let mut labels = host.trim_end_matches('.').rsplit('.');
            let last = labels.next().unwrap_or_default();
            match () {
                () if is_address => Next::Go,
                () if host == "." => s.reject(slot, "it has no label"),
                () if last.starts_with(['-', '_']) => s.reject(slot, "its last label does not begin with a letter or digit"),
                // The resolver of the system does not ask for this name, and that of Chromium does.
                () if labels.any(|label| label.starts_with('-')) => Next::Done,
                () => Next::Go,
            }
        },
    ),
    RESOLVER,
];

/// `HttpResponseHeaders::IsRedirect`, and `URLRequestHttpJob`.
static REDIRECT: &[Step] = &[
    Step::new("HttpResponseHeaders::IsRedirect: Location", "do not follow an empty location", has_location),
    Step::new("GURL::Resolve", "resolve the location on the URL of the request", |_| Next::Call(RESOLVE, Side::Reference)),
    Step::new("URLRequestHttpJob::IsSafeRedirect", "reject a target that is not one of http or https", is_web),
];

/// Changes of the Standard that Chromium has not adopted.
const MISSING: &[&str] = &["bb36bd9", "6c78200", "b11d73b"];

/// A `data` URL.
fn of_data(changes: &[&'static Change]) -> Implementation {
    let mut implementation = standard(changes);
    implementation.own.push(&WHITE_SPACE);
    implementation
}

static WHITE_SPACE: OwnStep = OwnStep {
    instead_of: "basic 3",
    label: "RemoveUrlWhitespace: data",
    text: "keep tabs and newlines in a `data` URL",
    run: |_| Some(Then::Continue),
};

fn standard(_changes: &[&'static Change]) -> Implementation {
    let missing = MISSING.iter().filter_map(|commit| whatwg::Change::by_commit(commit));
    let landed = missing.fold(ChangeSet::ALL, ChangeSet::without);
    let own: Vec<&'static OwnStep> = vec![
        &FILE_HOST,
        &FILE_SLASHES,
        &NO_DRIVE_HOST,
        &NO_BASE_DRIVE,
        &SHORTENED,
        &NO_DRIVE,
        &NO_DRIVE_LEFT,
        &BAR,
        &QUOTE_IN_USER,
        &QUOTE_IN_QUERY,
        &PORT_COLON,
        &ADDRESS_BEFORE_PORT,
        &ADDRESS,
        &SIMPLE_HOST,
        &SPECIAL_MODE,
        &BACKSLASH,
        &BASE_BACKSLASH,
    ];
    Implementation { landed, own }
}

fn is_slash(c: Option<char>) -> bool {
    matches!(c, Some('/' | '\\'))
}

static FILE_HOST: OwnStep = OwnStep {
    instead_of: "file host 1",
    label: "DoParseUnc: FindNextSlash",
    text: "`?` and `#` do not end the host of a `file` URL, which is then invalid",
    run: |s| {
        if !matches!(s.at(0), Some('?' | '#')) {
            return None;
        }
        s.rewrites(Part::Authority);
        Some(Then::SkipTo("file host 2"))
    },
};

static FILE_SLASHES: OwnStep = OwnStep {
    instead_of: "file slash 1",
    label: "DoParseFileUrl: num_slashes",
    text: "after three or more slashes and backslashes, the path of a `file` URL begins with the last one",
    run: |s| {
        let count = (0..).take_while(|at| is_slash(s.at(*at))).count() as isize;
        if count < 2 {
            return None;
        }
        s.advance(count - 1);
        s.rewrites(Part::Path);
        s.go("path")
    },
};

/// Returns whether a segment is a drive letter, with a colon or a bar.
fn is_drive(segment: &str) -> bool {
    matches!(segment.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

static NO_DRIVE_HOST: OwnStep = OwnStep {
    instead_of: "file host 1.1",
    label: "DoParseFileUrl: WIN32",
    text: "a drive letter is a host like any other",
    run: |s| is_drive(s.buffer()).then_some(Then::SkipTo("file host 1.2")),
};

static NO_BASE_DRIVE: OwnStep = OwnStep {
    instead_of: "file slash 2.1.2",
    label: "CopyBaseDriveSpecIfNecessary: WIN32",
    text: "the drive letter of the base is not inherited",
    run: |s| s.base_segments().first().is_some_and(|first| is_drive(first)).then_some(Then::Continue),
};

static SHORTENED: OwnStep = OwnStep {
    instead_of: "file 4.4.2",
    label: "DoResolveAbsoluteFile: WIN32",
    text: "shorten the path of the base, also if a drive letter starts here",
    run: |s| s.starts_with_drive_letter().then_some(Then::Call("shorten")),
};

static NO_DRIVE: OwnStep = OwnStep {
    instead_of: "file 4.4.3",
    label: "DoesBeginWindowsDriveSpec: WIN32",
    text: "a drive letter does not replace the path of the base",
    run: |s| s.starts_with_drive_letter().then_some(Then::SkipTo("file 4.4.4")),
};

static NO_DRIVE_LEFT: OwnStep = OwnStep {
    instead_of: "shorten 3",
    label: "BackUpToPreviousSlash",
    text: "a drive letter is removed like any other segment",
    run: |s| (s.scheme() == "file").then_some(Then::SkipTo("shorten 4")),
};

static BAR: OwnStep = OwnStep {
    instead_of: "path 2.3",
    label: "kPathCharLookup: |",
    text: "percent-encode a bar in a path that is not opaque",
    run: |s| {
        if s.at(0) != Some('|') {
            return None;
        }
        "%7C".chars().for_each(|c| s.push(c));
        s.rewrites(Part::Path);
        Some(Then::Done)
    },
};

static QUOTE_IN_USER: OwnStep = OwnStep {
    instead_of: "authority 1.3",
    label: "kSharedCharTypeTable: CHAR_USERINFO",
    text: "percent-encode apostrophes in the user and the password",
    run: |s| {
        if !s.buffer().contains('\'') {
            return None;
        }
        let code_points = s.buffer().replace('\'', "%27").chars().collect();
        s.set_credentials(code_points);
        s.rewrites(Part::Authority);
        Some(Then::Continue)
    },
};

static QUOTE_IN_QUERY: OwnStep = OwnStep {
    instead_of: "query 2.2",
    label: "kSharedCharTypeTable: CHAR_QUERY",
    text: "percent-encode apostrophes in the query of any scheme",
    run: |s| {
        let query = s.buffer().replace('\'', "%27");
        s.set_buffer(query);
        None
    },
};

static PORT_COLON: OwnStep = OwnStep {
    instead_of: "host 2",
    label: "ParseServerInfo: ipv6_terminator",
    text: "a colon before the last ] of the authority does not begin a port",
    run: |s| {
        let rest = (0..).map_while(|at| s.at(at)).take_while(|c| !matches!(c, '/' | '\\' | '?' | '#'));
        (s.at(0) == Some(':') && rest.into_iter().any(|c| c == ']')).then_some(Then::SkipTo("host 3"))
    },
};

static ADDRESS_BEFORE_PORT: OwnStep = OwnStep {
    instead_of: "host 2.3",
    label: "CanonicalizeIPAddress, before a port",
    text: "decode a host of which [ is encoded, or a part of the address, and read the IPv4 numbers of an IPv6 address with leading zeros as octal ones",
    run: decode_address,
};

static ADDRESS: OwnStep = OwnStep {
    instead_of: "host 3.3",
    label: "CanonicalizeIPAddress",
    text: "decode a host of which [ is encoded, or a part of the address, and read the IPv4 numbers of an IPv6 address with leading zeros as octal ones",
    run: decode_address,
};

fn decode_address(s: &mut Machine<'_>) -> Option<Then> {
    let host = if s.is_special() { decoded(s.buffer()) } else { s.buffer().to_owned() };
    let host = without_octal(&host).unwrap_or(host);
    if host.starts_with('[') && host != s.buffer() {
        s.set_buffer(host);
        s.rewrites(Part::Authority);
    }
    None
}

/// Writes the octal numbers after the last colon as decimal ones.
fn without_octal(host: &str) -> Option<String> {
    let (before, numbers) = host.strip_suffix(']')?.rsplit_once(':')?;
    let decimal = |number: &str| match number.strip_prefix('0').filter(|rest| !rest.is_empty()) {
        Some(octal) => u64::from_str_radix(octal, 8).ok().map(|number| number.to_string()),
        None => Some(number.to_owned()),
    };
    let numbers: Option<Vec<String>> = numbers.split('.').map(decimal).collect();
    numbers.filter(|numbers| numbers.len() == 4).map(|numbers| format!("{before}:{}]", numbers.join(".")))
}

/// Decodes the escapes of ASCII characters.
fn decoded(text: &str) -> String {
    let byte = |code: &str| u8::from_str_radix(code, 16).ok().filter(u8::is_ascii);
    let mut parts = text.split('%');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_at_checked(2).and_then(|(code, rest)| Some((byte(code)?, rest))) {
            Some((byte, rest)) => out.extend([char::from(byte).to_string().as_str(), rest]),
            None => out.extend(["%", part]),
        }
    }
    out
}

static SIMPLE_HOST: OwnStep = OwnStep {
    instead_of: "domain 5",
    label: "DoSimpleHost",
    text: "percent-encode spaces and asterisks of a domain; decode escapes that its conversion to ASCII brings, and encode the spaces again",
    run: |s| {
        if s.domain().contains('%') {
            return None;
        }
        let escaped = encoded(s.domain());
        let ascii = match escaped.is_ascii() {
            true => escaped,
            false => {
                Uts46::new().to_ascii(escaped.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Allow, DnsLength::Ignore).ok()?.into_owned()
            }
        };
        if !ascii.contains(['%', ' ', '*']) {
            return None;
        }
        let host = decoded(&ascii).to_ascii_lowercase();
        let is_forbidden = |c: char| c.is_ascii_control() || "#%/:<>?@[\\]^|".contains(c);
        if host.contains(is_forbidden) {
            return None;
        }
        s.set_ascii_domain(encoded(&host));
        s.rewrites(Part::Authority);
        Some(Then::SkipTo(if host.contains([' ', '*']) { "domain 9" } else { "domain 7" }))
    },
};

fn encoded(domain: &str) -> String {
    domain.replace(' ', "%20").replace('*', "%2A")
}

/// The mark of a relative path whose backslashes are slashes.
const SPECIAL: &str = "CanonMode::kSpecialURL";

static SPECIAL_MODE: OwnStep = OwnStep {
    instead_of: "relative 3",
    label: "DoResolveRelativeURL: CountConsecutiveSlashes",
    text: "if the scheme is not special, one backslash begins a path, and two slashes of which one is a backslash begin a path without a host; \
           in other relative paths, backslashes are slashes",
    run: |s| {
        if s.is_special() {
            return None;
        }
        match (s.at(0), s.at(1)) {
            (Some('/'), Some('/')) => None,
            (Some('/'), Some('\\')) => s.go("path"),
            (Some('\\'), Some('/' | '\\')) => s.go_back("path"),
            (first, _) => {
                s.mark(SPECIAL);
                if first == Some('\\') { s.go("relative slash") } else { None }
            }
        }
    },
};

static BACKSLASH: OwnStep = OwnStep {
    instead_of: "path 1",
    label: "DoPartialPathInternal: a backslash",
    text: "a backslash in such a relative path ends a segment",
    run: |s| {
        if s.is_special() || !s.is_marked(SPECIAL) || s.at(0) != Some('\\') {
            return None;
        }
        s.rewrites(Part::Path);
        let segment = s.buffer().to_owned();
        s.set_buffer("");
        match segment.to_ascii_lowercase().replace("%2e", ".").as_str() {
            ".." => return Some(Then::Return("shorten")),
            "." => {}
            _ => s.push_segment(segment),
        }
        Some(Then::Done)
    },
};

static BASE_BACKSLASH: OwnStep = OwnStep {
    instead_of: "relative 5.4.2",
    label: "CopyToLastSlash",
    text: "the path of a base that is not special is taken up to its last slash or backslash",
    run: |s| {
        let last = s.segments().last().filter(|_| !s.is_special())?;
        let kept = last[..=last.rfind('\\')?].to_owned();
        s.set_buffer(kept);
        s.rewrites(Part::Path);
        None
    },
};
