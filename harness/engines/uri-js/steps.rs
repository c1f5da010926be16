//! uri-js: `resolve(base, reference)`, and what `parse(url)` returns, from 4.2.1 on.
//!
//! Read from `uri.ts`, `regexps-uri.ts` and the `schemes` of uri-js 4.2.1 to 4.4.1. Before 4.2.1 the handlers of schemes changed the components, too. Components are
//! normalized when they are read and again when they are written. Characters are those of UTF-16.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, folder, is_escape, until, without_dots};
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, Witness, no_calls};

use crate::rfc3986::{Outside, URI};

/// uri-js.
pub static TABLE: Table = Table {
    engine: "uri-js",
    first: "4.2.1",
    changes: &[&PORT, &SOCKETS],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[CUT, PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

pub(crate) static PORT: Change = Change {
    id: "abbbcc7",
    versions: &["4.3.0"],
    date: "2020-08-29",
    issue: "https://github.com/garycourt/uri-js/commit/abbbcc7",
    says: "an empty port is kept",
    witness: Witness::resolving("http://a/b", "//c:/d", Some("http://c/d"), Some("http://c:/d")),
};

pub(crate) static SOCKETS: Change = Change {
    id: "4.3.0",
    versions: &["4.3.0"],
    date: "2020-08-29",
    issue: "",
    says: "ws and wss have handlers, which put path and query together as the name of a resource",
    witness: Some(Witness {
        question: Question::Parse,
        base: "",
        reference: "ws://h/a?b",
        before: Some("scheme=ws host=h path=/a query=b"),
        after: Some("scheme=ws host=h"),
    }),
};

const USER: &[u8] = b"%:!$&'()*+,;=";
const HOST: &[u8] = b"%[]:!$&'()*+,;=";
const PATH: &[u8] = b"%/:@!$&'()*+,;=";
const PATH_NO_SCHEME: &[u8] = b"%/@!$&'()*+,;=";
const QUERY: &[u8] = b"%:@/?!$&'()*+,;=";

/// `URI_PARSE`, for the base and the reference.
pub(crate) static CUT: &[Step] = &[
    Step::new("URI_PARSE: scheme", "the text before a first colon is the scheme, unless it has /, ? or #", |s| {
        s.rest = s.given().to_owned();
        s.write_text();
        let rest = std::mem::take(&mut s.rest);
        let found = rest.split_once(':').filter(|(name, _)| !name.is_empty() && !name.contains(['/', '?', '#']));
        s.set(s.own(Part::Scheme), found.map(|(name, _)| name));
        s.rest = found.map_or(rest.as_str(), |(_, rest)| rest).to_owned();
        Go
    }),
    Step::new(
        "URI_PARSE: authority",
        "after two slashes, a user up to the first @, a host in brackets or up to a colon, and the digits after a colon are the authority",
        |s| {
            let rest = std::mem::take(&mut s.rest);
            let after = rest.strip_prefix("//");
            let length = after.map_or(0, |after| {
                let (user, host, port) = divided(after);
                user.map_or(0, |it| it.len() + 1) + host.len() + port.map_or(0, |it| it.len() + 1)
            });
            s.set(s.own(Part::Authority), after.map(|after| &after[..length]));
            divide(s, s.of());
            s.rest = after.map_or(rest.as_str(), |after| &after[length..]).to_owned();
            Go
        },
    ),
    Step::new(
        "URI_PARSE",
        "everything up to ? or # is the path, up to # the query, and up to a separator of lines or paragraphs the fragment",
        |s| {
            let rest = std::mem::take(&mut s.rest);
            let (rest, fragment) = cut(&rest, "#");
            let (path, query) = cut(rest, "?");
            s.set(s.own(Part::Path), path);
            s.set(s.own(Part::Query), query);
            s.set(s.own(Part::Fragment), fragment.map(|it| until(it, &['\u{2028}', '\u{2029}']).0));
            Go
        },
    ),
];

/// `parse`, for the base and the reference.
pub(crate) static PARSE: &[Step] = &[
    Step::new("parse: URI_PARSE", "cut the text", |s| Call(CUT, s.side)),
    Step::new("parse: parseInt", "write the port as a number", |s| {
        if let Some(port) = s.present(s.own(Part::Port)).filter(|port| !port.is_empty()) {
            let port = number(port);
            write(s, s.of(), Part::Port, Some(port), bracketed);
        }
        Go
    }),
    Step::new("parse: _normalizeIPv4", "write the parts of an IPv4 address without leading zeros", |s| {
        // The next step writes another host, also one that is not changed.
        match s.present(s.own(Part::Host)).is_some_and(|host| ipv4(host) != host) {
            true => rewrite_host(s, s.of(), ipv4),
            false => Go,
        }
    }),
    Step::new(
        "parse: _normalizeIPv6",
        "write an IPv6 address in lower case, without brackets and leading zeros, and with its longest zeros shortened",
        |s| rewrite_host(s, s.of(), ipv6),
    ),
    Step::new("parse: domainHost", "if the handler of the scheme runs, decode a host of http, https, ws or wss, and encode labels outside ASCII", |s| {
        match s.is_marked(HANDLED) && matches!(handler(s).as_str(), "http" | "https" | "ws" | "wss") {
            true => rewrite_host(s, s.of(), |host| punycode(&decoded_if(host, |_| true).to_lowercase())),
            false => Go,
        }
    }),
    Step::new("parse: decodeUnreserved of the scheme", "decode unreserved characters in the scheme", |s| {
        rewrite(s, Part::Scheme, |_, scheme| decoded(scheme, URI))
    }),
    Step::new("parse: toLowerCase of the scheme", "write the scheme in lower case", |s| {
        rewrite(s, Part::Scheme, |_, scheme| scheme.to_lowercase())
    }),
    Step::new("NOT_SCHEME", "remove what is not a letter, a digit, +, - or . from the scheme", |s| {
        rewrite(s, Part::Scheme, |_, scheme| {
            scheme.chars().filter(|it| it.is_ascii_alphanumeric() || "+-.".contains(*it)).collect()
        })
    }),
    Step::new("NOT_USERINFO", "decode unreserved characters in the user, and encode what a user cannot contain", |s| {
        if let Some(user) = s.present(s.own(Part::User)) {
            let user = normalized(user, USER, URI);
            write(s, s.of(), Part::User, Some(user), bracketed);
        }
        Go
    }),
    Step::new("parse: decodeUnreserved of the host", "decode unreserved characters in the host", |s| {
        rewrite_host(s, s.of(), |host| decoded(host, URI))
    }),
    Step::new("parse: toLowerCase of the host", "write the host in lower case", |s| {
        rewrite_host(s, s.of(), str::to_lowercase)
    }),
    Step::new("NOT_HOST", "encode what a host cannot contain, and write escapes in capitals", |s| {
        rewrite_host(s, s.of(), |host| upper(&encoded(host, HOST, URI)))
    }),
    Step::new(
        "NOT_PATH",
        "decode unreserved characters in the path, and encode what a path cannot contain, without a scheme also colons",
        |s| rewrite(s, Part::Path, |has_scheme, path| normalized(path, if has_scheme { PATH } else { PATH_NO_SCHEME }, URI)),
    ),
    Step::new("NOT_QUERY", "decode unreserved characters in the query, and encode what a query cannot contain", |s| {
        rewrite(s, Part::Query, |_, query| normalized(query, QUERY, URI))
    }),
    Step::new("NOT_FRAGMENT", "decode unreserved characters in the fragment, and encode what a fragment cannot contain", |s| {
        rewrite(s, Part::Fragment, |_, fragment| normalized(fragment, QUERY, URI))
    }),
];

/// `parse(url)` with the handlers of schemes, and what it returns. Errors that it reports do not keep it from stating components.
pub(crate) static STATE: &[Step] = &[
    Step::new("parse", "read the URL", |s| {
        s.mark(HANDLED);
        Call(PARSE, Side::Reference)
    }),
    Step::new("parse: components", "state the components as they are normalized", |s| {
        s.flow(Slot::Out(Part::Userinfo), Slot::Ref(Part::User));
        for part in [Part::Scheme, Part::Host, Part::Port, Part::Path, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("mailto: to", "reject a field `to` without a value", |s| {
        let is_empty = s.get(Slot::Ref(Part::Query)).split('&').any(|field| field == "to");
        match handler(s) == "mailto" && is_empty {
            true => s.reject(Slot::Ref(Part::Query), "the handler reads the value of a field that has none"),
            false => Go,
        }
    }),
    Step::new("schemeHandler: path", "ws, wss and mailto have neither a path nor a query, and urn has no path if it has a colon", |s| {
        let is_urn = cut(s.get(Slot::Ref(Part::Path)), ":").1.is_some() && !s.get(Slot::Ref(Part::Path)).starts_with(':');
        let parts: &[Part] = match handler(s).as_str() {
            "ws" | "wss" | "mailto" => &[Part::Path, Part::Query],
            "urn" if is_urn => &[Part::Path],
            _ => return Go,
        };
        parts.iter().for_each(|part| s.set(Slot::Out(*part), None::<&str>));
        Go
    }),
];

/// The mark while the handlers of schemes run: they do not when references are resolved.
const HANDLED: &str = "uri-js: the handler of the scheme runs";

/// Returns the name of the handler: the scheme as it was cut, in lower case.
fn handler(s: &State<'_>) -> String {
    let name = s.get(Slot::Ref(Part::Text)).split_once(':').map_or("", |(name, _)| name);
    let name = name.to_ascii_lowercase();
    if matches!(name.as_str(), "ws" | "wss") && !s.has(&SOCKETS) { String::new() } else { name }
}

/// `punycode.toASCII`.
pub(crate) fn punycode(host: &str) -> String {
    let (user, host) = cut(host, "@");
    let (user, host) = host.map_or((String::new(), user), |host| (format!("{user}@"), cut(host, "@").0));
    // DEL counts as a character outside ASCII.
    let label = |label: &str| match label.bytes().all(|it| it < 0x7f) {
        true => label.to_owned(),
        false => idna::punycode::encode_str(label).map_or_else(|| label.to_owned(), |label| format!("xn--{label}")),
    };
    let labels: Vec<String> = host.split(['.', '\u{3002}', '\u{ff0e}', '\u{ff61}']).map(label).collect();
    user + &labels.join(".")
}

/// `resolve`: `resolveComponents` and `serialize`.
static RESOLVE: &[Step] = &[
    BASE,
    RELATIVE,
    OWN_SCHEME,
    OWN_HOST,
    NO_OWN_PATH,
    MERGE,
    REMOVE_DOTS,
    Step::new("serialize: encoding of the path", "normalize the path again: without a scheme encode colons", |s| {
        write_path(s, URI)
    }),
    Step::new("serialize: encoding", "normalize user, host, query and fragment again", |s| {
        write_others(s, URI)
    }),
    IP_ADDRESSES,
    NO_EMPTY_PORT,
    REMOVE_INHERITED_DOTS,
    SLASH,
    SECOND_SLASH,
    WRITE,
];

/// Normalizes the path of the target; the characters `kept` outside ASCII are not encoded, and their escapes are decoded.
pub(crate) fn write_path(s: &mut State<'_>, kept: Outside) -> Next {
    s.copy(Slot::Out(Part::Path), Slot::NoDots);
    let has_scheme = !s.get(Slot::Out(Part::Scheme)).is_empty();
    let path = normalized(s.get(Slot::NoDots), if has_scheme { PATH } else { PATH_NO_SCHEME }, kept);
    s.set(Slot::Out(Part::Path), path);
    Go
}

/// Normalizes the other components of the target.
pub(crate) fn write_others(s: &mut State<'_>, kept: Outside) -> Next {
    if let Some(user) = s.present(Slot::Out(Part::User)) {
        let user = normalized(user, USER, kept);
        write(s, Slot::Out, Part::User, Some(user), bracketed);
    }
    rewrite_host(s, Slot::Out, |host| upper(&encoded(&decoded(host, kept).to_lowercase(), HOST, kept)));
    for part in [Part::Query, Part::Fragment] {
        let text = s.present(Slot::Out(part)).map(|text| normalized(text, QUERY, kept));
        s.set(Slot::Out(part), text);
    }
    Go
}

/// The mark of an authority before a path without a slash.
const NO_SLASH: &str = "the path does not begin with a slash";

/// Takes everything from the reference if it has a scheme.
pub(crate) fn has_scheme(s: &mut State<'_>) -> bool {
    take(s, Slot::Ref);
    s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
    s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
    s.flow(Slot::Merged, Slot::Ref(Part::Path));
    let has_scheme = !s.get(Slot::Ref(Part::Scheme)).is_empty();
    if has_scheme {
        s.set(Slot::Used, "nothing");
        s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
    }
    has_scheme
}

/// Inherits the scheme, and the authority if the reference has none.
pub(crate) fn has_host(s: &mut State<'_>) -> bool {
    s.inherit(Part::Scheme);
    let has_host = s.present(Slot::Ref(Part::Host)).is_some();
    match has_host {
        true => take(s, Slot::Ref),
        false => {
            s.inherit(Part::Authority);
            take(s, Slot::Base);
        }
    }
    has_host
}

/// Inherits the path if the reference has none, and the query if it has none either.
pub(crate) fn has_no_path(s: &mut State<'_>) -> bool {
    let is_empty = s.get(Slot::Ref(Part::Path)).is_empty();
    if is_empty {
        s.inherit_as("path");
        if s.present(Slot::Ref(Part::Query)).is_none() {
            s.inherit(Part::Query);
        }
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        s.flow(Slot::NoDots, Slot::Merged);
    }
    is_empty
}

/// Merges a path that does not begin with a slash.
pub(crate) fn merge(s: &mut State<'_>) -> Next {
    if s.get(Slot::Ref(Part::Path)).starts_with('/') {
        return Go;
    }
    let base = s.get(Slot::Base(Part::Path));
    let has_root = base.is_empty() && s.present(Slot::Base(Part::Host)).is_some();
    let merged = format!("{}{}", if has_root { "/" } else { folder(base) }, s.get(Slot::Ref(Part::Path)));
    s.inherit_as("folder");
    s.set(Slot::Merged, merged);
    Go
}

/// Takes the parts of the authority from a side.
fn take(s: &mut State<'_>, of: fn(Part) -> Slot) {
    for part in [Part::Authority, Part::User, Part::Host, Part::Port] {
        s.flow(Slot::Out(part), of(part));
    }
}

/// Divides the text after two slashes into user, host and port. What follows the port is not part of them.
fn divided(text: &str) -> (Option<&str>, &str, Option<&str>) {
    let region = until(text, &['/', '?', '#']).0;
    let (user, host) = region.split_once('@').map_or((None, region), |(user, host)| (Some(user), host));
    let bracket = host.find(']').filter(|end| *end > 1 && host.starts_with('['));
    let (host, rest) = host.split_at(bracket.map_or_else(|| until(host, &[':']).0.len(), |end| end + 1));
    let port = rest.strip_prefix(':');
    let port = port.map(|port| &port[..port.len() - port.trim_start_matches(|it: char| it.is_ascii_digit()).len()]);
    (user, host, port)
}

/// Writes user, host and port as they are in the authority.
fn divide(s: &mut State<'_>, of: fn(Part) -> Slot) {
    let authority = s.present(of(Part::Authority)).map(str::to_owned);
    let (user, host, port) =
        authority.as_deref().map(divided).map_or((None, None, None), |(user, host, port)| (user, Some(host), port));
    s.set(of(Part::User), user);
    s.set(of(Part::Host), host);
    s.set(of(Part::Port), port);
}

/// Writes a part of the authority, and the authority with it. The authority is read again if another value is exchanged for it.
pub(crate) fn write(
    s: &mut State<'_>,
    of: fn(Part) -> Slot,
    part: Part,
    value: Option<String>,
    bracketed: impl Fn(&str) -> String,
) {
    s.set(of(part), value);
    let user = s.present(of(Part::User)).map(|user| format!("{user}@")).unwrap_or_default();
    let port = s.present(of(Part::Port)).map(|port| format!(":{port}")).unwrap_or_default();
    let authority = format!("{user}{}{port}", bracketed(s.get(of(Part::Host))));
    s.set(of(Part::Authority), authority.as_str());
    if s.present(of(Part::Authority)) != Some(&authority) {
        divide(s, of);
    }
}

fn rewrite_host(s: &mut State<'_>, of: fn(Part) -> Slot, rewrite: impl Fn(&str) -> String) -> Next {
    if let Some(host) = s.present(of(Part::Host)) {
        let host = rewrite(host);
        write(s, of, Part::Host, Some(host), bracketed);
    }
    Go
}

fn rewrite(s: &mut State<'_>, part: Part, rewrite: impl Fn(bool, &str) -> String) -> Next {
    let has_scheme = !s.get(s.own(Part::Scheme)).is_empty();
    let slot = s.own(part);
    if let Some(text) = s.present(slot) {
        let text = rewrite(has_scheme, text);
        s.set(slot, text);
    }
    Go
}

/// `parseInt`, and the number as JavaScript writes it.
pub(crate) fn number(digits: &str) -> String {
    let number: f64 = digits.parse().unwrap_or_default();
    match number {
        _ if number.is_infinite() => "Infinity".to_owned(),
        _ if number < 1e21 => number.to_string(),
        _ => format!("{number:e}").replace('e', "e+"),
    }
}

fn is_unreserved(it: u8) -> bool {
    it.is_ascii_alphanumeric() || b"-._~".contains(&it)
}

/// The characters outside ASCII that are not encoded in IRIs.
pub(crate) const IRI: Outside = |it| {
    matches!(it, '\u{a0}'..='\u{200d}' | '\u{2010}'..='\u{2029}' | '\u{202f}'..='\u{d7ff}')
        || matches!(it, '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{ffef}')
};

/// `decodeUnreserved` on each sequence of one to three escapes. A longer sequence is decoded as UTF-8, even an overlong one. If the first of two
/// escapes cannot begin a character, the second is decoded, whatever it is.
fn decoded(text: &str, outside: Outside) -> String {
    decoded_if(text, |it| u8::try_from(it).is_ok_and(is_unreserved) || outside(it))
}

/// `pctDecChars` on such sequences, if what they encode `is_decoded`.
fn decoded_if(text: &str, is_decoded: impl Fn(char) -> bool) -> String {
    let character = |code: u32| {
        let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        Some(character).filter(|it| is_decoded(*it)).map(String::from)
    };
    let byte = |at: usize| {
        let text = text.get(at..).filter(|text| is_escape(text))?;
        u8::from_str_radix(&text[1..3], 16).ok()
    };
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(it) = text[at..].chars().next() {
        let (decoded, length) = match (byte(at), byte(at + 3), byte(at + 6)) {
            (Some(first @ 0xe0..), Some(second), Some(third)) => {
                let code = u32::from(first & 15) << 12 | u32::from(second & 63) << 6 | u32::from(third & 63);
                (character(code), 9)
            }
            (Some(0x80..=0xc1), Some(second @ ..0x80), _) => {
                (Some(format!("{}{}", &text[at..at + 3], char::from(second))), 6)
            }
            (Some(first @ 0xc2..=0xdf), Some(second), _) => {
                (character(u32::from(first & 31) << 6 | u32::from(second & 63)), 6)
            }
            (Some(0x80..), Some(_), _) => (None, 6),
            (Some(first @ ..0x80), ..) => (character(first.into()), 3),
            (Some(_), ..) => (None, 3),
            _ => (None, it.len_utf8()),
        };
        out.push_str(decoded.as_deref().unwrap_or(&text[at..at + length]));
        at += length;
    }
    out
}

/// `pctEncChar` for what is not unreserved or `kept`: each half of a surrogate pair is encoded alone.
fn encoded(text: &str, kept: &[u8], outside: Outside) -> String {
    let mut out = String::with_capacity(text.len());
    for unit in text.encode_utf16() {
        let low = |shift: u16| 0x80 | (unit >> shift & 63);
        match unit {
            0..0x80 if u8::try_from(unit).is_ok_and(|it| is_unreserved(it) || kept.contains(&it)) => {
                out.extend(char::from_u32(unit.into()));
            }
            0..0x80 => out += &format!("%{unit:02X}"),
            _ if char::from_u32(unit.into()).is_some_and(outside) => out.extend(char::from_u32(unit.into())),
            0x80..0x800 => out += &format!("%{:02X}%{:02X}", unit >> 6 | 0xc0, low(0)),
            _ => out += &format!("%{:02X}%{:02X}%{:02X}", unit >> 12 | 0xe0, low(6), low(0)),
        }
    }
    out
}

/// Writes escapes in capitals.
fn upper(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        let end = if is_escape(&rest[at..]) { at + 3 } else { at + 1 };
        out += &rest[..at];
        out += &rest[at..end].to_ascii_uppercase();
        rest = &rest[end..];
    }
    out + rest
}

/// `_normalizeComponentEncoding` of a component.
fn normalized(text: &str, kept: &[u8], outside: Outside) -> String {
    upper(&encoded(&decoded(text, outside), kept, outside))
}

fn without_zeros(text: &str) -> &str {
    match text.trim_start_matches('0') {
        "" => "0",
        text => text,
    }
}

fn is_ipv4(host: &str) -> bool {
    let is_octet = |text: &str| {
        matches!(text.len(), 1..=3) && text.bytes().all(|it| it.is_ascii_digit()) && text.parse::<u8>().is_ok()
    };
    host.split('.').count() == 4 && host.split('.').all(is_octet)
}

pub(crate) fn ipv4(host: &str) -> String {
    match is_ipv4(host) {
        true => host.split('.').map(without_zeros).collect::<Vec<_>>().join("."),
        false => host.to_owned(),
    }
}

/// Divides a host that is an IPv6 address, with or without brackets, into address and zone.
fn address(host: &str) -> Option<(&str, Option<&str>)> {
    let text = host.strip_prefix('[').unwrap_or(host);
    let text = text.strip_suffix(']').unwrap_or(text);
    let (address, zone) = match text.find('%') {
        Some(at) if text[at..].starts_with("%25") => (&text[..at], Some(&text[at + 3..])),
        Some(at) if is_escape(&text[at..]) => return None,
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let (before, last) = address.split_at(address.rfind(':').map_or(0, |at| at + 1));
    let is_address = format!("{before}{}", ipv4(last)).parse::<std::net::Ipv6Addr>().is_ok();
    (is_address && zone.is_none_or(is_zone)).then_some((address, zone))
}

fn is_zone(zone: &str) -> bool {
    let is_allowed = |it: char| u8::try_from(it).is_ok_and(is_unreserved) || IRI(it);
    let escapes = zone.match_indices('%').all(|(at, _)| is_escape(&zone[at..]));
    !zone.is_empty() && escapes && zone.chars().all(|it| it == '%' || is_allowed(it))
}

/// `_normalizeIPv6`.
fn ipv6(host: &str) -> String {
    let Some((address, zone)) = address(host) else { return host.to_owned() };
    let address = address.to_lowercase();
    let fields = |text: &str| text.split(':').map(|it| without_zeros(it).to_owned()).collect::<Vec<_>>();
    let (first, last) = match address.split_once("::") {
        Some((first, last)) => (if first.is_empty() { Vec::new() } else { fields(first) }, fields(last)),
        None => (Vec::new(), fields(&address)),
    };
    // The zeros are gone: 0.0.0.0 is not an IPv4 address here.
    let has_ipv4 = last.last().is_some_and(|it| is_ipv4(it));
    let count = if has_ipv4 { 7 } else { 8 };
    let mut all: Vec<String> = (0..count)
        .map(|at| first.get(at).or_else(|| last.get((at + last.len()).checked_sub(count)?)).cloned().unwrap_or_default())
        .collect();
    if has_ipv4 && let Some(last) = all.last_mut() {
        *last = ipv4(last);
    }
    let text = shortened(&all);
    text + &zone.map(|zone| format!("%{zone}")).unwrap_or_default()
}

/// Writes the fields of an address, with two colons for the longest of several zeros.
pub(crate) fn shortened(all: &[String]) -> String {
    let mut longest = 0..0;
    let mut at = 0;
    while at < all.len() {
        let length = all[at..].iter().take_while(|it| matches!(it.as_str(), "" | "0")).count();
        if length > longest.len() {
            longest = at..at + length;
        }
        at += length.max(1);
    }
    match longest.len() {
        0 | 1 => all.join(":"),
        _ => format!("{}::{}", all[..longest.start].join(":"), all[longest.end..].join(":")),
    }
}

/// Writes brackets around an IPv6 address.
fn bracketed(host: &str) -> String {
    match address(host) {
        Some((address, Some(zone))) => format!("[{address}%25{zone}]"),
        Some((address, None)) => format!("[{address}]"),
        None => host.to_owned(),
    }
}

pub(crate) const BASE: Step = Step::new("resolve: parse(baseURI)", "read the base", |_| Call(PARSE, Side::Base));

pub(crate) const RELATIVE: Step = Step::new("resolve: parse(relativeURI)", "read the reference", |_| Call(PARSE, Side::Reference));

pub(crate) const OWN_SCHEME: Step = Step::new("resolveComponents: relative.scheme", "a reference with a scheme inherits nothing", |s| match has_scheme(s) {
    true => To("resolveComponents: removeDotSegments"),
    false => Go,
});

pub(crate) const OWN_HOST: Step = Step::new("resolveComponents: relative.host", "a reference with an authority inherits only the scheme, any other one the authority, too", |s| {
    match has_host(s) {
        true => To("resolveComponents: removeDotSegments"),
        false => Go,
    }
});

pub(crate) const NO_OWN_PATH: Step = Step::new("resolveComponents: !relative.path", "without a path, inherit the base's, and its query if there is none", |s| {
    match has_no_path(s) {
        true => To("serialize: encoding of the path"),
        false => Go,
    }
});

pub(crate) const MERGE: Step = Step::new(
    "resolveComponents: merge",
    "a path without a slash follows the base's up to its last slash, or a slash if the base has an authority and no path",
    merge,
);

pub(crate) const REMOVE_DOTS: Step = Step::new("resolveComponents: removeDotSegments", "remove dot segments", |s| {
    let path = without_dots(s.get(Slot::Merged));
    s.flow(Slot::NoDots, Slot::Merged);
    s.set(Slot::NoDots, path);
    Go
});

pub(crate) const IP_ADDRESSES: Step = Step::new("_recomposeAuthority: IP addresses", "normalize IP addresses again", |s| {
    rewrite_host(s, Slot::Out, |host| ipv6(&ipv4(host)))
});

pub(crate) const NO_EMPTY_PORT: Step = Step::new("_recomposeAuthority: port", "write no empty port", |s| {
    if s.present(Slot::Out(Part::Port)) == Some("") {
        write(s, Slot::Out, Part::Port, None, bracketed);
    }
    Go
})
.until(&PORT);

pub(crate) const REMOVE_INHERITED_DOTS: Step = Step::new("serialize: removeDotSegments", "remove dot segments of a path that was inherited", |s| {
    let slot = Slot::Out(Part::Path);
    let path = s.get(slot).to_owned();
    if s.present(Slot::Out(Part::Host)).is_some() && !path.is_empty() && !path.starts_with('/') {
        s.mark(NO_SLASH);
    }
    let path = without_dots(&path);
    s.set(slot, path);
    Go
});

pub(crate) const SLASH: Step = Step::new("serialize: /", "write a slash between an authority and a path that did not begin with one", |s| {
    if s.is_marked(NO_SLASH) {
        let path = format!("/{}", s.get(Slot::Out(Part::Path)));
        s.set(Slot::Out(Part::Path), path);
    }
    Go
});

pub(crate) const SECOND_SLASH: Step = Step::new("serialize: %2F", "encode the second slash of a path that begins with two and follows no authority", |s| {
    if s.present(Slot::Out(Part::Host)).is_none()
        && let Some(path) = s.get(Slot::Out(Part::Path)).strip_prefix("//")
    {
        let path = format!("/%2F{path}");
        s.set(Slot::Out(Part::Path), path);
    }
    Go
});

pub(crate) const WRITE: Step = Step::new("serialize", "concatenate the components", |s| {
    if s.get(Slot::Out(Part::Scheme)).is_empty() {
        s.set(Slot::Out(Part::Scheme), None::<&str>);
    }
    s.concatenate()
});
