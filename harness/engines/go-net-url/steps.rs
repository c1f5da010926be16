//! Go's `net/url`: `base.Parse(reference)`, and `url.Parse(reference)` without a base, then `String()`, from Go 1.8 on. What `url.Parse(url)`
//! states are its fields, and `EscapedPath`, `Hostname` and `Port`.
//!
//! Read from `src/net/url/url.go` of Go 1.8 to 1.27.3. A URL is held decoded, and `String` encodes it again: the two are one write here. An
//! empty authority or fragment is not distinguished from an absent one, and an empty query only by a flag of the reference.

mod changes;

use std::net::Ipv6Addr;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{self, cut, folder, is_escape, until};
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table, no_calls};

use changes::*;

/// Go's `net/url`.
pub static TABLE: Table = Table {
    engine: "go-net-url",
    first: "1.8.0",
    changes: &[
        &USERINFO,
        &NO_HOST,
        &SUB_DELIMS,
        &CONTROLS,
        &PORT,
        &RAW_FRAGMENT,
        &FIRST,
        &FORCE_QUERY,
        &OMIT_HOST,
        &OPAQUE,
        &BRACKETS,
        &MAPPED,
        &COLONS,
        &PREFIX,
        &COLONS_OF_HTTP,
        &BACKTRACK,
        &SLASHES,
    ],
    dated: &[],
    questions: &[(Question::Resolve, PARSE), (Question::Parse, ACCESSORS)],
    called: &[SPLIT],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// Returns whether a byte is a letter, a digit or in `others`.
fn is_in(byte: u8, others: &str) -> bool {
    byte.is_ascii_alphanumeric() || others.as_bytes().contains(&byte)
}

fn keeps_in_path(byte: u8) -> bool {
    is_in(byte, "-_.~$&+,/:;=@")
}

fn keeps_in_host(byte: u8) -> bool {
    is_in(byte, "-_.~!$&'()*+,;=:[]<>\"")
}

fn keeps_in_user(byte: u8) -> bool {
    is_in(byte, "-_.~$&+,;=")
}

/// `unescape`, without its errors.
fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let value = escape_value(rest);
        bytes.push(value.unwrap_or(*first));
        rest = value.and_then(|_| rest.get(3..)).unwrap_or(after);
    }
    bytes
}

/// Returns the byte of an escape at the start of a text.
fn escape_value(text: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = text else { return None };
    let digit = |it: u8| char::from(it).to_digit(16).and_then(|it| u8::try_from(it).ok());
    Some(digit(*high)? << 4 | digit(*low)?)
}

/// `escape`: decodes a text and encodes each byte that `keeps` does not accept.
fn encoded_anew(text: &str, keeps: impl Fn(u8) -> bool) -> String {
    unescape(text).into_iter().fold(String::with_capacity(text.len()), |mut out, byte| {
        match keeps(byte) && byte.is_ascii() {
            true => out.push(char::from(byte)),
            false => out.push_str(&format!("%{byte:02X}")),
        }
        out
    })
}

/// `validEncoded`: whether nothing in a text needs to be encoded.
fn is_valid(text: &str, keeps: impl Fn(u8) -> bool) -> bool {
    text.bytes().all(|it| keeps(it) || b"!$&'()*+,;=:@[]%".contains(&it))
}

/// Returns whether each percent sign begins an escape.
fn has_valid_escapes(text: &str) -> bool {
    text.match_indices('%').all(|(at, _)| is_escape(&text[at..]))
}

/// Divides an authority into what precedes its last at sign, and the host with its port.
fn divided(authority: &str) -> (Option<&str>, &str) {
    authority.rsplit_once('@').map_or((None, authority), |(user, host)| (Some(user), host))
}

/// `validOptionalPort`: nothing, or a colon and digits.
fn is_port(text: &str) -> bool {
    text.is_empty() || text.strip_prefix(':').is_some_and(|port| port.bytes().all(|it| it.is_ascii_digit()))
}

/// Returns whether a side is a scheme and a path that does not begin with a slash: `Opaque` in the source.
fn is_opaque(s: &State<'_>, of: fn(Part) -> Slot) -> bool {
    let path = s.get(of(Part::Path));
    !s.get(of(Part::Scheme)).is_empty()
        && s.present(of(Part::Authority)).is_none()
        && !path.is_empty()
        && !path.starts_with('/')
}

/// The mark of a URL that is stated and not written.
const STATED: &str = "go-net-url: the URL is not written";

/// `Parse`, for the base and the reference, and what `URL.String` encodes if the URL is written.
static SPLIT: &[Step] = &[
    Step::new("Parse: the fragment", "the part after the first # is the fragment", |s| {
        s.rest = s.given().to_owned();
        s.write_text();
        let (rest, fragment) = cut(s.given(), "#");
        s.set(s.own(Part::Fragment), fragment);
        s.rest = rest.to_owned();
        Go
    }),
    Step::new("Parse: frag == \"\"", "an empty fragment is none", |s| {
        let slot = s.own(Part::Fragment);
        if s.get(slot).is_empty() {
            s.set(slot, None::<&str>);
        }
        Go
    }),
    Step::new("stringContainsCTLByte", "reject control characters of ASCII before the fragment", |s| {
        match s.rest.bytes().any(|it| it.is_ascii_control()) {
            true => s.reject(s.own(Part::Text), "it contains a control character"),
            false => Go,
        }
    })
    .since(&CONTROLS),
    Step::new("getScheme: a colon", "reject a colon at the start", |s| match s.rest.starts_with(':') {
        true => s.reject(s.own(Part::Text), "the scheme before the colon is missing"),
        false => Go,
    }),
    Step::new("getScheme", "a letter, then letters, digits, +, - and . before a colon are the scheme", |s| {
        let found = text::scheme(&s.rest).map(|(name, rest)| (name.to_owned(), rest.to_owned()));
        let Some((name, rest)) = found else {
            s.set(s.own(Part::Scheme), None::<&str>);
            return Go;
        };
        s.set(s.own(Part::Scheme), name);
        s.rest = rest;
        Go
    }),
    Step::new("parse: ToLower", "write the scheme in lower case", |s| {
        let slot = s.own(Part::Scheme);
        if let Some(name) = s.present(slot).map(str::to_ascii_lowercase) {
            s.set(slot, name);
        }
        Go
    }),
    Step::new("parse: the query", "the part after the first ? is the query", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (rest, query) = cut(&rest, "?");
        s.set(s.own(Part::Query), query);
        s.rest = rest.to_owned();
        Go
    }),
    Step::new("parse: Opaque", "what follows a scheme and does not begin with a slash is the path, and is neither decoded nor encoded", |s| {
        if s.get(s.own(Part::Scheme)).is_empty() || s.rest.starts_with('/') {
            return Go;
        }
        s.set(s.own(Part::Authority), None::<&str>);
        let path = std::mem::take(&mut s.rest);
        s.set(s.own(Part::Path), path);
        To("setFragment")
    }),
    Step::new("parse: the first segment", "reject a colon in the first segment if there is neither a scheme nor a slash", |s| {
        match until(&s.rest, &['/']).0.contains(':') && s.get(s.own(Part::Scheme)).is_empty() {
            true => s.reject(s.own(Part::Text), "the first segment contains a colon"),
            false => Go,
        }
    }),
    Step::new("parse: the authority", "after two slashes, the part up to the next slash is the authority; but after three, only if a scheme precedes", |s| {
        let rest = std::mem::take(&mut s.rest);
        let is_path = s.get(s.own(Part::Scheme)).is_empty() && rest.starts_with("///");
        let (authority, path) = match rest.strip_prefix("//").filter(|_| !is_path).map(|after| until(after, &['/'])) {
            Some((authority, path)) => (Some(authority), path),
            None => (None, rest.as_str()),
        };
        s.set(s.own(Part::Authority), authority);
        s.set(s.own(Part::Path), path);
        Go
    }),
    Step::new("parseHost: the last [", "a host that contains brackets begins with the last [", |s| {
        let slot = s.own(Part::Authority);
        let (user, host) = divided(s.get(slot));
        if let Some(at) = host.rfind('[').filter(|at| *at > 0) {
            let user = user.map(|user| format!("{user}@")).unwrap_or_default();
            let authority = user + &host[at..];
            s.set(slot, authority);
        }
        Go
    })
    .since(&BRACKETS)
    .until(&PREFIX),
    Step::new("parseHost: [", "reject a host in which anything precedes the last [", |s| {
        let slot = s.own(Part::Authority);
        match divided(s.get(slot)).1.rfind('[').is_some_and(|at| at > 0) {
            true => s.reject(slot, "something precedes a bracket"),
            false => Go,
        }
    })
    .since(&PREFIX),
    Step::new("parseHost: ]", "reject a host that begins with [ if no ] follows, or if what follows the last ] is not a port", |s| {
        let slot = s.own(Part::Authority);
        let host = divided(s.get(slot)).1;
        match host.rsplit_once(']').map(|(_, port)| is_port(port)) {
            _ if !host.starts_with('[') => Go,
            None => s.reject(slot, "one bracket is missing"),
            Some(false) => s.reject(slot, "what follows a bracket is not a port"),
            Some(true) => Go,
        }
    }),
    Step::new("parseHost: ParseAddr", "reject brackets that do not contain an IPv6 address, with a zone after %25 that is not empty", |s| {
        let slot = s.own(Part::Authority);
        match bracketed(s).map(|(address, zone)| address.is_some() && zone.is_none_or(|zone| !zone.is_empty())) {
            Some(false) => s.reject(slot, "brackets do not contain an IPv6 address"),
            _ => Go,
        }
    })
    .since(&BRACKETS),
    Step::new("parseHost: Is4In6", "reject an IPv6 address that holds an IPv4 address", |s| {
        let slot = s.own(Part::Authority);
        match bracketed(s).and_then(|(address, _)| address).and_then(|it| it.to_ipv4_mapped()) {
            Some(_) => s.reject(slot, "the IPv6 address holds an IPv4 address"),
            None => Go,
        }
    })
    .since(&BRACKETS)
    .until(&MAPPED),
    Step::new("parseHost: LastIndex", "reject a host without brackets if what follows its last colon is not a number", |s| {
        port(s, |host, _| host.rfind(':'))
    })
    .since(&PORT)
    .until(&COLONS),
    Step::new("parseHost: postgres", "reject a host without brackets if what follows its first colon (PostgreSQL: its last) is not a number", |s| {
        port(s, |host, scheme| if matches!(scheme, "postgres" | "postgresql") { host.rfind(':') } else { host.find(':') })
    })
    .since(&COLONS)
    .until(&COLONS_OF_HTTP),
    Step::new("parseHost: urlstrictcolons", "reject a host without brackets if what follows its last colon (http and https: its first) is not a number", |s| {
        port(s, |host, scheme| if matches!(scheme, "http" | "https") { host.find(':') } else { host.rfind(':') })
    })
    .since(&COLONS_OF_HTTP),
    Step::new(
        "unescape: encodeHost",
        "reject a host that contains a character of ASCII that hosts do not have, or an escape of any character of ASCII except %25; a zone may \
         also have %20 and escapes of what hosts have",
        |s| {
            let slot = s.own(Part::Authority);
            let (before, zone, after) = zoned(divided(s.get(slot)).1);
            match is_host(before, false) && is_host(zone, true) && is_host(after, false) {
                true => Go,
                false => s.reject(slot, "the host contains a character, or the escape of one, that hosts do not have"),
            }
        },
    ),
    Step::new("validUserinfo", "reject a user or password with a character that RFC 3986 does not have there; @ is accepted", |s| {
        let slot = s.own(Part::Authority);
        match divided(s.get(slot)).0.is_none_or(|user| user.bytes().all(|it| is_in(it, "-._:~!$&'()*+,;=%@"))) {
            true => Go,
            false => s.reject(slot, "the user contains a character that users do not have"),
        }
    })
    .since(&USERINFO),
    Step::new("unescape: encodeUserPassword", "reject a percent sign in a user or password that does not begin an escape", |s| {
        let slot = s.own(Part::Authority);
        match divided(s.get(slot)).0.is_none_or(has_valid_escapes) {
            true => Go,
            false => s.reject(slot, "a percent sign does not begin an escape"),
        }
    }),
    Step::new("Userinfo.String", "decode user and password, and encode all but letters, digits and -_.~$&+,;=", |s| {
        let slot = s.own(Part::Authority);
        let (Some(userinfo), host) = divided(s.get(slot)) else { return Go };
        if s.is_marked(STATED) {
            return Go;
        }
        let (user, password) = cut(userinfo, ":");
        let password = password.map(|it| format!(":{}", encoded_anew(it, keeps_in_user))).unwrap_or_default();
        let authority = format!("{}{password}@{host}", encoded_anew(user, keeps_in_user));
        s.set(slot, authority);
        Go
    }),
    Step::new("String: escape(h, encodeHost)", "decode the host, and encode all but letters, digits, -_.~, sub-delims and :[]<>\"", |s| {
        let slot = s.own(Part::Authority);
        let Some(authority) = s.present(slot).filter(|_| !s.is_marked(STATED)) else { return Go };
        let (user, host) = divided(authority);
        let user = user.map(|user| format!("{user}@")).unwrap_or_default();
        let authority = user + &encoded_anew(host, keeps_in_host);
        s.set(slot, authority);
        Go
    }),
    Step::new("setPath", "reject a percent sign in the path that does not begin an escape", |s| {
        let slot = s.own(Part::Path);
        match has_valid_escapes(s.get(slot)) {
            true => Go,
            false => s.reject(slot, "a percent sign does not begin an escape"),
        }
    }),
    Step::new("EscapedPath", "if the path contains what needs to be encoded, decode it, and encode all but letters, digits and -_.~$&+,/:;=@", |s| {
        let slot = s.own(Part::Path);
        let path = s.get(slot);
        if !is_valid(path, keeps_in_path) {
            let path = encoded_anew(path, keeps_in_path);
            s.set(slot, path);
        }
        Go
    }),
    Step::new("EscapedPath: *", "a path %2A becomes *", |s| {
        let slot = s.own(Part::Path);
        if s.get(slot) == "%2A" {
            s.set(slot, "*");
        }
        Go
    }),
    Step::new("setFragment", "reject a percent sign in the fragment that does not begin an escape", |s| {
        let slot = s.own(Part::Fragment);
        match has_valid_escapes(s.get(slot)) {
            true => Go,
            false => s.reject(slot, "a percent sign does not begin an escape"),
        }
    }),
    Step::new("String: escape(u.Fragment)", "decode the fragment, and encode all but letters, digits, reserved characters and -_.~", |s| {
        fragment(s, |_| false)
    })
    .until(&RAW_FRAGMENT),
    Step::new(
        "EscapedFragment",
        "if the fragment contains what needs to be encoded, decode it, and encode all but letters, digits, reserved characters and -_.~",
        |s| fragment(s, |fragment| is_valid(fragment, |it| is_in(it, "-_.~$&+,/:;=?@!()*"))),
    )
    .since(&RAW_FRAGMENT),
];

fn fragment(s: &mut State<'_>, is_kept: impl Fn(&str) -> bool) -> Next {
    let slot = s.own(Part::Fragment);
    if let Some(fragment) = s.present(slot).filter(|fragment| !s.is_marked(STATED) && !is_kept(fragment)) {
        let kept = if s.has(&SUB_DELIMS) { "-_.~$&+,/:;=?@!()*" } else { "-_.~$&+,/:;=?@" };
        let fragment = encoded_anew(fragment, |it| is_in(it, kept));
        s.set(slot, fragment);
    }
    Go
}

/// Returns the address in brackets and the text of its zone, if there are brackets; the address is `None` if it is not an IPv6 address.
fn bracketed<'a>(s: &'a State<'_>) -> Option<(Option<Ipv6Addr>, Option<&'a str>)> {
    let (host, _) = divided(s.get(s.own(Part::Authority))).1.strip_prefix('[')?.rsplit_once(']')?;
    let (address, zone) = cut(host, "%25");
    Some((address.parse().ok(), zone))
}

/// Rejects a host without brackets if what follows one of its colons is not a port.
fn port(s: &mut State<'_>, colon: impl Fn(&str, &str) -> Option<usize>) -> Next {
    let slot = s.own(Part::Authority);
    let host = divided(s.get(slot)).1;
    match colon(host, s.get(s.own(Part::Scheme))).is_none_or(|at| is_port(&host[at..])) || host.starts_with('[') {
        true => Go,
        false => s.reject(slot, "what follows a colon is not a port"),
    }
}

/// Divides a host in brackets before its zone, which begins with %25, and after it.
fn zoned(host: &str) -> (&str, &str, &str) {
    let end = host.rfind(']').filter(|_| host.starts_with('[')).unwrap_or(0);
    match host[..end].find("%25") {
        Some(at) => (&host[..at], &host[at..end], &host[end..]),
        None => (host, "", ""),
    }
}

/// Returns whether a host, or its zone, has no other characters and escapes than hosts or zones have.
fn is_host(text: &str, is_zone: bool) -> bool {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let value = escape_value(rest.as_bytes());
        let is_known = match value {
            Some(b'%') => true,
            Some(value) if is_zone => value == b' ' || keeps_in_host(value),
            Some(value) => value >= 0x80,
            None => !first.is_ascii() || first != '%' && u8::try_from(first).is_ok_and(keeps_in_host),
        };
        if !is_known {
            return false;
        }
        rest = &rest[if value.is_some() { 3 } else { first.len_utf8() }..];
    }
    true
}

/// `URL.Parse`, with `ResolveReference` and `String`.
pub(crate) static PARSE: &[Step] = &[
    Step::new("Parse: the base", "parse the base, if it is known", |s| match s.base.is_empty() {
        true => Go,
        false => Call(SPLIT, Side::Base),
    }),
    Step::new("URL.Parse", "parse the reference", |_| Call(SPLIT, Side::Reference)),
    Step::new("url.Parse", "without a known base, the reference is written as it was parsed", |s| {
        if !s.base.is_empty() {
            return Go;
        }
        Part::COMPONENTS.into_iter().for_each(|part| s.flow(Slot::Out(part), Slot::Ref(part)));
        To("String: %2F")
    }),
    Step::new(
        "ResolveReference: absoluteURI, net_path",
        "a reference with a scheme, or an authority that is not empty, inherits at most the scheme",
        |s| {
            s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
            s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
            let has_scheme = !s.get(Slot::Ref(Part::Scheme)).is_empty();
            match has_scheme {
                true => {
                    s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
                    s.set(Slot::Used, "nothing");
                }
                false => s.inherit(Part::Scheme),
            }
            if !has_scheme && s.get(Slot::Ref(Part::Authority)).is_empty() {
                // An empty authority is none here: this step decides on what the base gives.
                if s.present(Slot::Ref(Part::Authority)).is_some() {
                    s.decide(Slot::Used);
                }
                return Go;
            }
            s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
            s.flow(Slot::Merged, Slot::Ref(Part::Path));
            if !is_opaque(s, Slot::Ref) {
                return To("resolvePath: dst[:len(dst)-1]");
            }
            s.flow(Slot::Out(Part::Path), Slot::Ref(Part::Path));
            To("String: %2F")
        },
    ),
    Step::new("ResolveReference: RawQuery", "a reference without a path inherits the query if its own is empty", |s| {
        if s.get(Slot::Ref(Part::Path)).is_empty() && s.get(Slot::Ref(Part::Query)).is_empty() {
            s.inherit(Part::Query);
        }
        Go
    })
    .until(&FORCE_QUERY),
    Step::new("ResolveReference: ForceQuery", "a reference without a path inherits the query if it has none", |s| {
        if s.get(Slot::Ref(Part::Path)).is_empty() && s.present(Slot::Ref(Part::Query)).is_none() {
            s.inherit(Part::Query);
        }
        Go
    })
    .since(&FORCE_QUERY),
    Step::new("ResolveReference: Fragment", "a reference that inherits the query inherits the fragment if it has none", |s| {
        if s.get(Slot::Used).ends_with("query") && s.get(Slot::Ref(Part::Fragment)).is_empty() {
            s.inherit(Part::Fragment);
        }
        Go
    }),
    Step::new("ResolveReference: Opaque", "a reference without a path inherits a path that does not begin with a slash", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() || !is_opaque(s, Slot::Base) {
            return Go;
        }
        s.inherit_as("path");
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        s.flow(Slot::Out(Part::Path), Slot::Base(Part::Path));
        s.flow(Slot::Out(Part::Authority), Slot::Base(Part::Authority));
        To("String: RawQuery")
    })
    .since(&OPAQUE),
    Step::new("ResolveReference: Host, User", "inherit the authority", |s| {
        s.inherit(Part::Authority);
        Go
    }),
    Step::new("resolvePath: base", "without a path, inherit the base's, unless it has a scheme and does not begin with a slash", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        match is_opaque(s, Slot::Base) {
            true => s.set(Slot::Merged, ""),
            false => s.flow(Slot::Merged, Slot::Base(Part::Path)),
        }
        To("resolvePath: dst[:len(dst)-1]")
    }),
    Step::new("resolvePath: ref", "a path that begins with a slash is not merged", |s| {
        if !s.get(Slot::Ref(Part::Path)).starts_with('/') {
            return Go;
        }
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        To("resolvePath: dst[:len(dst)-1]")
    }),
    Step::new("resolvePath: base + ref", "the path follows the base's up to its last slash, if that path is not opaque", |s| {
        s.inherit_as("folder");
        let before = if is_opaque(s, Slot::Base) { "" } else { folder(s.get(Slot::Base(Part::Path))) };
        let merged = format!("{before}{}", s.get(Slot::Ref(Part::Path)));
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new(
        "resolvePath: dst[:len(dst)-1]",
        "remove each . segment, and each .. segment with the one before it; end in a slash after either, and begin with one",
        |s| without_dots(s, false, false),
    )
    .until(&FIRST),
    Step::new(
        "resolvePath: first",
        "remove each . segment, and each .. segment with the one before it; keep an empty segment after . at the start; end in a slash \
         after either, and begin with one",
        |s| without_dots(s, true, false),
    )
    .since(&FIRST)
    .until(&BACKTRACK),
    Step::new(
        "resolvePath: first = len(dst) == 1",
        "remove each . segment, and each .. segment with the one before it; keep an empty segment after . at the start, and drop one after \
         .. that leaves nothing or one empty segment; end in a slash after either, and begin with one",
        |s| without_dots(s, true, true),
    )
    .since(&BACKTRACK),
    Step::new("resolvePath: TrimLeft", "begin with one slash", |s| {
        let path = s.get(Slot::NoDots);
        if path.starts_with("//") {
            let path = format!("/{}", path.trim_start_matches('/'));
            s.set(Slot::NoDots, path);
        }
        Go
    })
    .until(&NO_HOST),
    Step::new("ResolveReference: setPath", "the path without dot segments is the target's", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        Go
    }),
    Step::new(
        "String: %2F",
        "encode the first of two slashes at the start of a path if the reference has a scheme and no authority precedes them",
        |s| {
            let path = s.get(Slot::Out(Part::Path));
            if let Some(rest) = path.strip_prefix('/').filter(|rest| rest.starts_with('/') && omits_host(s)) {
                let path = format!("%2F{rest}");
                s.set(Slot::Out(Part::Path), path);
            }
            Go
        },
    )
    .since(&SLASHES),
    Step::new("String: //", "write // after a scheme, also before an empty authority, unless the path is opaque", |s| {
        authority(s, !is_opaque(s, Slot::Ref))
    })
    .until(&NO_HOST),
    Step::new("String: // before a path", "write // after a scheme, also before an empty authority, unless the path is empty or opaque", |s| {
        authority(s, !is_opaque(s, Slot::Ref) && !s.get(Slot::Out(Part::Path)).is_empty())
    })
    .since(&NO_HOST)
    .until(&OMIT_HOST),
    Step::new(
        "String: OmitHost",
        "write // after a scheme, also before an empty authority, unless the path is empty or opaque; but not if the reference has a scheme and \
         one slash",
        |s| authority(s, !is_opaque(s, Slot::Ref) && !s.get(Slot::Out(Part::Path)).is_empty() && !omits_host(s)),
    )
    .since(&OMIT_HOST),
    Step::new("String: ./", "write ./ before a colon in the first segment if nothing precedes the path", |s| {
        let path = s.get(Slot::Out(Part::Path));
        let is_first = s.get(Slot::Out(Part::Scheme)).is_empty() && s.present(Slot::Out(Part::Authority)).is_none();
        if is_first && until(path, &['/']).0.contains(':') {
            let path = format!("./{path}");
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    }),
    Step::new("String: RawQuery", "write an empty query if the reference has a question mark, and not if only the base has one", |s| {
        if s.get(Slot::Out(Part::Query)).is_empty() {
            let query = s.present(Slot::Ref(Part::Query)).map(|_| "");
            s.set(Slot::Out(Part::Query), query);
        }
        Go
    }),
    Step::new("String", "concatenate the components", |s| s.concatenate()),
];

/// `OmitHost`: whether the reference has a scheme and a path that begins with a slash, but no authority.
fn omits_host(s: &State<'_>) -> bool {
    !s.get(Slot::Ref(Part::Scheme)).is_empty()
        && s.present(Slot::Ref(Part::Authority)).is_none()
        && s.get(Slot::Ref(Part::Path)).starts_with('/')
}

/// Writes the authority; one that is empty only if there is a scheme and `is_written`.
fn authority(s: &mut State<'_>, is_written: bool) -> Next {
    if s.get(Slot::Out(Part::Authority)).is_empty() {
        let authority = Some("").filter(|_| is_written && !s.get(Slot::Out(Part::Scheme)).is_empty());
        s.set(Slot::Out(Part::Authority), authority);
    }
    Go
}

/// Removes the dot segments of the merged path, unless it is empty. `keeps_after_dot`: whether a segment after `.` at the start follows a
/// slash. `begins_again`: whether the segment after a `..` that leaves one empty segment replaces it.
fn without_dots(s: &mut State<'_>, keeps_after_dot: bool, begins_again: bool) -> Next {
    s.flow(Slot::NoDots, Slot::Merged);
    let path = s.get(Slot::Merged);
    if path.is_empty() {
        return Go;
    }
    let mut segments: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "." if keeps_after_dot && segments.is_empty() => segments.push(""),
            "." => {}
            ".." => {
                segments.pop();
                if begins_again && segments == [""] {
                    segments.pop();
                }
            }
            _ => segments.push(segment),
        }
    }
    if path.ends_with("/.") || path.ends_with("/..") || matches!(path, "." | "..") {
        segments.push("");
    }
    let joined = segments.join("/");
    let path = format!("/{}", joined.strip_prefix('/').unwrap_or(&joined));
    s.set(Slot::NoDots, path);
    Go
}

/// `Parse`, and the fields and methods of the URL that it returns.
pub(crate) static ACCESSORS: &[Step] = &[
    Step::new("Parse: URL", "parse the URL", |s| {
        s.mark(STATED);
        Call(SPLIT, Side::Reference)
    }),
    Step::new("URL: Scheme, RawQuery", "state a scheme and a query that are absent as empty ones", |s| {
        for part in [Part::Scheme, Part::Query] {
            s.flow(Slot::Out(part), Slot::Ref(part));
            if s.present(Slot::Out(part)).is_none() {
                s.set(Slot::Out(part), "");
            }
        }
        Go
    }),
    Step::new("URL: Path", "what follows a scheme and does not begin with a slash is not in the path, which is empty", |s| {
        s.flow(Slot::Out(Part::Path), Slot::Ref(Part::Path));
        if is_opaque(s, Slot::Ref) {
            s.set(Slot::Out(Part::Path), "");
        }
        Go
    }),
    Step::new("URL: Fragment", "decode the fragment, which is empty if it is absent", |s| {
        let fragment = unescape(s.get(Slot::Ref(Part::Fragment)));
        let fragment = s.text(fragment);
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        s.set(Slot::Out(Part::Fragment), fragment);
        Go
    }),
    Step::new("parseAuthority: UserPassword", "what precedes the last @ is the user, and after its first colon the password; decode both", |s| {
        let userinfo = divided(s.get(Slot::Ref(Part::Authority))).0;
        let (user, password) = userinfo.map_or((None, None), |it| {
            let (user, password) = cut(it, ":");
            (Some(unescape(user)), password.map(unescape))
        });
        let [user, password] = [user, password].map(|bytes| bytes.map(|bytes| s.text(bytes)));
        s.set(Slot::Out(Part::User), user);
        s.set(Slot::Out(Part::Password), password);
        Go
    }),
    Step::new("URL: Host", "state the host with its port as the authority, and decode it", |s| {
        let host = unescape(divided(s.get(Slot::Ref(Part::Authority))).1);
        let host = s.text(host);
        s.set(Slot::Out(Part::Authority), host);
        Go
    }),
    Step::new(
        "stripPort, portOnly",
        "with a colon, the host ends at the first ], without a [ before it, or else at the first colon; the port follows ]: or, without a ], the first colon",
        |s| {
            let text = s.get(Slot::Out(Part::Authority)).to_owned();
            let (before, after) = cut(&text, ":");
            let address = text.split_once(']').filter(|_| after.is_some()).map(|(host, _)| host);
            let host = address.map_or(before, |host| host.strip_prefix('[').unwrap_or(host));
            let port = match text.split_once("]:") {
                Some((_, port)) => port,
                None if address.is_some() => "",
                None => after.unwrap_or_default(),
            };
            state_host(s, host, port)
        },
    )
    .until(&PORT),
    Step::new(
        "splitHostPort",
        "digits after the last colon, or nothing, are the port; without brackets around it, the rest is the host; both may be empty",
        |s| {
            let text = s.get(Slot::Out(Part::Authority)).to_owned();
            let (host, port) = text.split_at(text.rfind(':').filter(|at| is_port(&text[*at..])).unwrap_or(text.len()));
            let inner = host.strip_prefix('[').and_then(|it| it.strip_suffix(']')).unwrap_or(host);
            state_host(s, inner, port.strip_prefix(':').unwrap_or(port))
        },
    )
    .since(&PORT),
];

/// States the host and the port.
fn state_host(s: &mut State<'_>, host: &str, port: &str) -> Next {
    s.set(Slot::Out(Part::Host), host);
    s.set(Slot::Out(Part::Port), port);
    s.set(Slot::Result, s.reference);
    Done
}
