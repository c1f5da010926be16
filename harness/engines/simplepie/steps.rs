//! SimplePie's IRI: `IRI::absolutize(base, reference)` as `get_iri` writes it, and the properties of `new IRI(url)`.
//!
//! Read from `IRI.php` and `Net/IPv6.php` of SimplePie 1.5.8 to 1.9.0. If the base is unknown, the reference is read alone. The rows read all
//! components and check the port before they encode the first one; the library does this one by one.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, is_escape, scheme, without_dots};
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, Witness, no_calls};

use crate::rfc3986;

mod ipv6;

/// SimplePie's IRI.
pub static TABLE: Table = Table {
    engine: "simplepie",
    first: "1.5.8",
    changes: &[&COLON, &ASSERTED],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static COLON: Change = Change {
    id: "176abc4",
    versions: &["1.9.0"],
    date: "2025-09-12",
    issue: "https://github.com/simplepie/simplepie/commit/176abc46efeea0ac4f9d9a59adb10767992982e5",
    says: "a colon may precede the two slashes before an authority",
    witness: Witness::resolving("http://a/b", "://h/c", None, Some("http://h/c")),
};

static ASSERTED: Change = Change {
    id: "857",
    versions: &["1.9.0"],
    date: "2025-09-12",
    issue: "https://github.com/simplepie/simplepie/pull/857",
    says: "a text in brackets with a dot and without a colon fails an assertion, if PHP evaluates these",
    witness: Witness::resolving("http://a/b", "http://[1.2.3.4]/", Some("http:"), None),
};

/// `set_iri`, and the checks of `is_valid`, for the base and the reference.
static PARSE: &[Step] = &[
    Step::new("parse_iri: trim", "remove spaces, tabs, line feeds, form feeds and carriage returns at both ends", |s| {
        s.unmark(hostless(s));
        s.rest = s.read_text().trim_matches(|it| " \t\n\u{c}\r".contains(it)).to_owned();
        s.write_text();
        Go
    }),
    Step::new("parse_iri: return false", "read a text whose fragment has a line feed as an empty one", |s| {
        if cut(&s.rest, "#").1.is_some_and(|fragment| fragment.contains('\n')) {
            s.rest.clear();
            s.write_text();
        }
        Go
    }),
    Step::new("parse_iri: (?P<scheme>)", "the text before the first colon is the scheme, if it is not empty and has no /, ? or #", rfc3986::cut_scheme_of_appendix_b),
    Step::new("parse_iri: (:?\\/\\/", "remove a colon before two slashes", |s| {
        if s.rest.starts_with("://") {
            s.rest.remove(0);
            s.decide(s.own(Part::Authority));
        }
        Go
    })
    .since(&COLON),
    Step::new("parse_iri: (?P<authority>)", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("parse_iri: (?P<path>)", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
    Step::new("set_scheme", "drop a scheme that is not a letter, then letters, digits, +, - and ., and perhaps a line feed, and all that follows it", |s| {
        let slot = s.own(Part::Scheme);
        let is_name = |name: &str| scheme(&format!("{}:", name.strip_suffix('\n').unwrap_or(name))).is_some();
        if s.present(slot).is_none_or(is_name) {
            return Go;
        }
        s.set(slot, None::<&str>);
        s.set(s.own(Part::Authority), None::<&str>);
        stop(s)
    }),
    Step::new("set_scheme: strtolower", "write the scheme in lower case", |s| {
        let slot = s.own(Part::Scheme);
        if let Some(name) = s.present(slot).map(str::to_ascii_lowercase) {
            s.set(slot, name);
        }
        Go
    }),
    Step::new("set_port", "drop a port that does not consist of digits, and all that follows it", |s| {
        let slot = s.own(Part::Authority);
        let it = Authority::of(s.get(slot));
        if it.port.is_none_or(|port| port.bytes().all(|it| it.is_ascii_digit())) {
            return Go;
        }
        let authority = Authority { port: None, ..it }.written();
        s.set(slot, authority);
        stop(s);
        Go
    }),
    Step::new(
        "remove_iunreserved_percent_encoded",
        "decode escapes of letters, digits, -, ., ~ and the characters outside ASCII that are allowed; write the digits of others as capital letters",
        |s| rewrite(s, |_, text| decoded(text)),
    ),
    Step::new(
        "replace_invalid_with_pct_encoding",
        "encode percent signs without two hexadecimal digits, and the characters that are not allowed in the component",
        |s| rewrite(s, encoded),
    ),
    Step::new("set_host: strtolower", "write the host in lower case, except escapes", |s| {
        rewrite(s, |part, text| match part {
            Part::Host => text.split('%').enumerate().map(|(at, it)| lower(at, it)).collect::<Vec<_>>().join("%"),
            _ => text.to_owned(),
        })
    }),
    Step::new("split_v6_v4: assert", "reject a text in brackets that has a dot and no colon", |s| {
        let slot = s.own(Part::Authority);
        let address = address(Authority::of(s.get(slot)).host);
        match address.is_some_and(|it| it.contains('.') && !it.contains(':')) {
            true => s.reject(slot, "an assertion fails"),
            false => Go,
        }
    })
    .since(&ASSERTED),
    Step::new("check_ipv6", "drop a host in brackets that is not an IPv6 address, and all that follows it; reject one with too many groups around ::", |s| {
        let slot = s.own(Part::Authority);
        let Authority { user, host, .. } = Authority::of(s.get(slot));
        let Some(address) = address(host) else { return Go };
        match ipv6::uncompressed(address).map(|it| ipv6::is_address(&it)) {
            Some(true) => Go,
            None => s.reject(slot, "it has too many groups"),
            Some(false) => {
                let info = user.map(|user| format!("{user}@"));
                s.set(slot, info);
                s.mark(hostless(s));
                stop(s)
            }
        }
    }),
    Step::new("IPv6::compress", "write :: for the longest run of groups of zeros, and remove leading zeros before a digit", |s| {
        let slot = s.own(Part::Authority);
        let it = Authority::of(s.get(slot));
        if let Some(address) = address(it.host) {
            let host = format!("[{}]", ipv6::compressed(address));
            let authority = Authority { host: &host, ..it }.written();
            s.set(slot, authority);
        }
        Go
    }),
    Step::new("scheme_normalization: ihost", "drop the host localhost of file", |s| {
        let (slot, scheme) = (s.own(Part::Authority), s.own(Part::Scheme));
        drop_localhost(s, scheme, slot)
    }),
    Step::new("set_port: (int)", "write the port as a number of at most 9223372036854775807; an empty one is 0", |s| {
        let slot = s.own(Part::Authority);
        let it = Authority::of(s.get(slot));
        if let Some(port) = it.port.map(number) {
            let authority = Authority { port: Some(&port), ..it }.written();
            s.set(slot, authority);
        }
        Go
    }),
    Step::new("set_path: remove_dot_segments", "after a scheme, remove each . segment of the path, and each .. with the segment before it", |s| {
        let slot = s.own(Part::Path);
        if s.present(s.own(Part::Scheme)).is_some() {
            let path = without_dots(s.get(slot));
            s.set(slot, path);
        }
        Go
    }),
    Step::new("scheme_normalization: port", "drop the default port of http, https, acap and dict", |s| {
        let (slot, scheme) = (s.own(Part::Authority), s.own(Part::Scheme));
        drop_port(s, scheme, slot)
    }),
    Step::new("scheme_normalization: ipath", "drop a path of http and https that is only a slash", |s| {
        let (slot, scheme) = (s.own(Part::Path), s.own(Part::Scheme));
        drop_slash(s, scheme, slot)
    }),
    Step::new("is_valid: substr($this->ipath, 0, 2)", "reject a path that begins with two slashes without an authority", |s| {
        let slot = s.own(Part::Path);
        match s.get(slot).starts_with("//") && s.present(s.own(Part::Authority)).is_none() {
            true => s.reject(slot, "it begins with two slashes"),
            false => Go,
        }
    }),
    Step::new("is_valid: strpos($this->ipath, ':')", "reject a relative path with a colon before a slash that is not its first character", |s| {
        let slot = s.own(Part::Path);
        let is_relative = s.present(s.own(Part::Scheme)).is_none() && s.present(s.own(Part::Authority)).is_none();
        let slash = s.get(slot).char_indices().skip(1).find(|(_, it)| *it == '/').map(|(at, _)| at);
        match is_relative && slash.is_some_and(|slash| s.get(slot)[..slash].contains(':')) {
            true => s.reject(slot, "a segment contains a colon"),
            false => Go,
        }
    }),
];

/// The mark of an authority whose host was dropped.
fn hostless(s: &State<'_>) -> &'static str {
    match s.side {
        Side::Base => "the base's host was dropped",
        Side::Reference => "the reference's host was dropped",
    }
}

/// `set_iri`, when a component is not valid: what follows is not read.
fn stop(s: &mut State<'_>) -> Next {
    s.set(s.own(Part::Path), "");
    s.set(s.own(Part::Query), None::<&str>);
    s.set(s.own(Part::Fragment), None::<&str>);
    Done
}

/// The parts of an authority.
#[derive(Clone, Copy)]
struct Authority<'a> {
    user: Option<&'a str>,
    host: &'a str,
    port: Option<&'a str>,
}

impl<'a> Authority<'a> {
    /// `set_authority`: the last @ ends the user information, and the first colon after a ] begins the port.
    fn of(text: &'a str) -> Self {
        let (user, rest) = text.rsplit_once('@').map_or((None, text), |(user, rest)| (Some(user), rest));
        let from = rest.find(']').unwrap_or(0);
        let colon = rest[from..].find(':').map(|at| from + at);
        let (host, port) = colon.map_or((rest, None), |at| (&rest[..at], Some(&rest[at + 1..])));
        Self { user, host, port }
    }

    fn written(&self) -> String {
        let user = self.user.map(|it| format!("{it}@")).unwrap_or_default();
        let port = self.port.map(|it| format!(":{it}")).unwrap_or_default();
        format!("{user}{}{port}", self.host)
    }
}

/// The text in brackets of a host.
fn address(host: &str) -> Option<&str> {
    host.strip_prefix('[')?.strip_suffix(']')
}

/// Rewrites the user information, the host unless it is in brackets, the path, the query and the fragment.
fn rewrite(s: &mut State<'_>, written: impl Fn(Part, &str) -> String) -> Next {
    let slot = s.own(Part::Authority);
    if let Some(text) = s.present(slot) {
        let it = Authority::of(text);
        let user = it.user.map(|user| written(Part::Userinfo, user));
        let host = if address(it.host).is_some() { it.host.to_owned() } else { written(Part::Host, it.host) };
        let authority = Authority { user: user.as_deref(), host: &host, port: it.port }.written();
        s.set(slot, authority);
    }
    for part in [Part::Path, Part::Query, Part::Fragment] {
        if let Some(text) = s.present(s.own(part)).map(|text| written(part, text)) {
            s.set(s.own(part), text);
        }
    }
    Go
}

/// Writes a part between percent signs in lower case: of one after a percent sign, the first two characters are the digits of an escape.
fn lower(at: usize, text: &str) -> String {
    let digits = if at > 0 { 2.min(text.len()) } else { 0 };
    match (text.get(..digits), text.get(digits..)) {
        (Some(digits), Some(rest)) => format!("{digits}{}", rest.to_ascii_lowercase()),
        _ => text.to_owned(),
    }
}

/// Whether an IRI may contain a character outside ASCII.
fn is_allowed(it: char) -> bool {
    matches!(it, '\u{a0}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{effff}') && u32::from(it) & 0xfffe != 0xfffe
}

/// `remove_iunreserved_percent_encoded`, for each run of escapes.
fn decoded(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let mut bytes = Vec::new();
        while is_escape(rest) {
            bytes.extend(u8::from_str_radix(&rest[1..3], 16));
            rest = &rest[3..];
        }
        if bytes.is_empty() {
            out.push('%');
            rest = &rest[1..];
        }
        for chunk in bytes.utf8_chunks() {
            for it in chunk.valid().chars() {
                match it.is_ascii_alphanumeric() || "-.~".contains(it) || is_allowed(it) {
                    true => out.push(it),
                    false => it.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| out.push_str(&format!("%{byte:02X}"))),
                }
            }
            chunk.invalid().iter().for_each(|byte| out.push_str(&format!("%{byte:02X}")));
        }
    }
    out + rest
}

/// Encodes what `part` must not contain. A query may have private characters.
fn encoded(part: Part, text: &str) -> String {
    let others = match part {
        Part::Userinfo => rfc3986::USERINFO,
        Part::Host => rfc3986::REG_NAME,
        Part::Path => rfc3986::PATH,
        _ => rfc3986::QUERY,
    };
    let is_private = |it: char| it >= '\u{e000}' && !matches!(it, '\u{fdd0}'..='\u{fdef}') && u32::from(it) & 0xfffe != 0xfffe;
    let mut out = String::new();
    for (at, it) in text.char_indices() {
        let is_kept = match it {
            '%' => is_escape(&text[at..]),
            _ if it.is_ascii() => it.is_ascii_alphanumeric() || "-._~".contains(it) || others.contains(it),
            _ => is_allowed(it) || part == Part::Query && is_private(it),
        };
        match is_kept {
            true => out.push(it),
            false => it.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| out.push_str(&format!("%{byte:02X}"))),
        }
    }
    out
}

/// Reads a number as PHP does.
fn number(digits: &str) -> String {
    digits.bytes().fold(0_i64, |number, it| number.saturating_mul(10).saturating_add(i64::from(it.saturating_sub(b'0')))).to_string()
}

fn default_port(scheme: &str) -> Option<&'static str> {
    match scheme {
        "acap" => Some("674"),
        "dict" => Some("2628"),
        "http" => Some("80"),
        "https" => Some("443"),
        _ => None,
    }
}

/// `scheme_normalization`, for the host. Without user information and a port, the authority is absent, too.
fn drop_localhost(s: &mut State<'_>, scheme: Slot, slot: Slot) -> Next {
    let it = Authority::of(s.get(slot));
    if s.get(scheme) != "file" || it.host != "localhost" {
        return Go;
    }
    let authority = (it.user.is_some() || it.port.is_some()).then(|| Authority { host: "", ..it }.written());
    s.set(slot, authority);
    s.mark(hostless(s));
    Go
}

/// `scheme_normalization`, for the port.
fn drop_port(s: &mut State<'_>, scheme: Slot, slot: Slot) -> Next {
    let it = Authority::of(s.get(slot));
    if it.port.is_some() && it.port == default_port(s.get(scheme)) {
        let authority = Authority { port: None, ..it }.written();
        s.set(slot, authority);
    }
    Go
}

/// `scheme_normalization`, for the path.
fn drop_slash(s: &mut State<'_>, scheme: Slot, slot: Slot) -> Next {
    if matches!(s.get(scheme), "http" | "https") && s.get(slot) == "/" {
        s.set(slot, "");
    }
    Go
}

/// `absolutize` and `get_iri`.
static RESOLVE: &[Step] = &[
    Step::new("new IRI($relative)", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("absolutize: $relative->scheme", "a reference with a scheme inherits nothing, nor does any other one without a base", |s| {
        if s.base.is_empty() {
            for part in [Part::Scheme, Part::Authority, Part::Query, Part::Fragment] {
                s.copy(Slot::Out(part), Slot::Ref(part));
            }
            s.flow(Slot::Merged, Slot::Ref(Part::Path));
            s.set(Slot::Used, "nothing");
            return To(WRITE);
        }
        rfc3986::own_scheme(s, WRITE)
    }),
    Step::new("new IRI($base)", "read the base", |_| Call(PARSE, Side::Base)),
    Step::new("absolutize: $base->scheme", "reject a base without a scheme", |s| {
        let slot = Slot::Base(Part::Scheme);
        match s.present(slot).is_some() {
            true => {
                s.flow(Slot::Out(Part::Scheme), slot);
                Go
            }
            false => s.reject(slot, "the base has no scheme"),
        }
    }),
    Step::new("absolutize: clone $relative", "a reference with an authority inherits only the scheme, and keeps dot segments; any other one inherits the authority", |s| {
        rfc3986::own_authority(s, NORMALIZE)
    }),
    Step::new("absolutize: $relative->ipath !== ''", "without a path, inherit the base's, and its query if there is none", |s| rfc3986::no_path(s, NORMALIZE)),
    Step::new("absolutize: $relative->ipath[0]", "a path that begins with a slash is not merged", |s| rfc3986::rooted(s, DOTS)),
    Step::new(
        "absolutize: $last_segment",
        "write the path after the base's up to its last slash, or after a slash if the base has an authority and its path is empty",
        rfc3986::merge,
    ),
    Step::new(DOTS, "remove each . segment, and each .. with the segment before it", |s| {
        let path = without_dots(s.get(Slot::Merged));
        s.flow(Slot::NoDots, Slot::Merged);
        s.set(Slot::NoDots, path);
        Go
    }),
    Step::new(NORMALIZE, "drop the host localhost of file, if the reference has it", |s| drop_localhost(s, Slot::Out(Part::Scheme), Slot::Out(Part::Authority))),
    Step::new("$target->scheme_normalization(): port", "drop the default port of http, https, acap and dict", |s| {
        drop_port(s, Slot::Out(Part::Scheme), Slot::Out(Part::Authority))
    }),
    Step::new("$target->scheme_normalization(): ipath", "drop a path of http and https that is only a slash", |s| {
        if s.present(Slot::NoDots).is_none() {
            s.flow(Slot::NoDots, Slot::Merged);
        }
        drop_slash(s, Slot::Out(Part::Scheme), Slot::NoDots)
    }),
    Step::new(WRITE, "take this path", |s| {
        if s.present(Slot::NoDots).is_none() {
            s.flow(Slot::NoDots, Slot::Merged);
        }
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        Go
    }),
    Step::new("get_iri: is_valid", "reject a path that begins with two slashes without an authority", |s| {
        let slot = Slot::Out(Part::Path);
        match s.get(slot).starts_with("//") && s.present(Slot::Out(Part::Authority)).is_none() {
            true => s.reject(slot, "it begins with two slashes"),
            false => Go,
        }
    }),
    Step::new("get_iauthority: $this->port !== 0", "do not write the port 0", |s| {
        let slot = Slot::Out(Part::Authority);
        let it = Authority::of(s.get(slot));
        if it.port == Some("0") {
            let authority = Authority { port: None, ..it }.written();
            s.set(slot, authority);
        }
        Go
    }),
    Step::new("get_iri: $iri .= normalization['ipath']", "write a slash for an empty path after an authority of http and https", |s| {
        let slot = Slot::Out(Part::Path);
        let has_root = matches!(s.get(Slot::Out(Part::Scheme)), "http" | "https") && !s.get(Slot::Out(Part::Authority)).is_empty();
        if has_root && s.get(slot).is_empty() {
            s.set(slot, "/");
        }
        Go
    }),
    Step::new("get_iri", "concatenate the components", |s| s.concatenate()),
];

const DOTS: &str = "absolutize: $target->remove_dot_segments()";
const NORMALIZE: &str = "$target->scheme_normalization(): ihost";
const WRITE: &str = "get_iri: $this->ipath";

/// `new IRI(url)`, and its properties.
static STATE: &[Step] = &[
    Step::new("new IRI($iri)", "read the URL", |_| Call(PARSE, Side::Reference)),
    Step::new("scheme, path, query, fragment", "state these as they were read", rfc3986::state),
    Step::new("userinfo, host, port", "state the parts of the authority", |s| {
        let authority = s.present(Slot::Ref(Part::Authority)).map(str::to_owned);
        let it = authority.as_deref().map(Authority::of);
        let host = it.map(|it| it.host).filter(|_| !s.is_marked(hostless(s)));
        s.set(Slot::Out(Part::Userinfo), it.and_then(|it| it.user));
        s.set(Slot::Out(Part::Host), host);
        s.set(Slot::Out(Part::Port), it.and_then(|it| it.port));
        Go
    }),
    Step::new("__get: normalization", "without a port, state the default one of http, https, acap and dict, and without a host, localhost of file", |s| {
        let scheme = s.get(Slot::Out(Part::Scheme)).to_owned();
        if let Some(port) = default_port(&scheme).filter(|_| s.present(Slot::Out(Part::Port)).is_none()) {
            s.set(Slot::Out(Part::Port), port);
        }
        if scheme == "file" && s.present(Slot::Out(Part::Host)).is_none() {
            s.set(Slot::Out(Part::Host), "localhost");
        }
        Go
    }),
    Step::new("get_authority: to_uri", "state the authority without the port 0, and encode what is not in ASCII", |s| {
        let slot = Slot::Out(Part::Authority);
        let written = |text: &str| {
            let it = Authority::of(text);
            urlstrata_steps::text::encoded(&Authority { port: it.port.filter(|it| *it != "0"), ..it }.written(), |it| it.is_ascii())
        };
        let authority = s.present(slot).map(written);
        s.set(slot, authority);
        Done
    }),
];
