//! OkHttp's `HttpUrl`: `HttpUrl.parse(base).resolve(reference)`, and `HttpUrl.parse(reference)` without a base, from 3.0.0 on.
//! What a URL states is what its methods return without decoding.
//!
//! Read from `HttpUrl.java` and `internal/Util.java` of OkHttp 3.0.0 to 3.13.1, and from `HttpUrl.kt` and `internal/-HostnamesCommon.kt` of 4.12.0
//! to 5.4.0. All URLs have a host, and their paths a slash. The hosts of IDNA 2003 are those of Java's `java.net.IDN`. Version 5 does not check all
//! rules of UTS 46; here it does.

pub(crate) mod idna_2003;

use std::net::Ipv6Addr;

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};
use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, encoded, folder, scheme, until};
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, Witness, no_calls};

use crate::rfc3986;

use idna_2003::java_idn;

/// OkHttp's `HttpUrl`.
pub static TABLE: Table = Table {
    engine: "okhttp",
    first: "3.0.0",
    changes: &[&COLON, &RUNS, &EMPTY_QUERY, &MAPPED, &LENGTHS, &UTS_46],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, ACCESSORS)],
    called: &[PARSE, PUSH],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static COLON: Change = Change {
    id: "#2344",
    versions: &["3.2.0"],
    date: "2016-02-25",
    issue: "https://github.com/square/okhttp/issues/2344",
    says: "any host with a colon is an IPv6 address, also an encoded one without brackets",
    witness: Witness::resolving("http://a/", "//%3A%3A1/", None, Some("http://[::1]/")),
};

static RUNS: Change = Change {
    id: "3.7.0",
    versions: &["3.7.0"],
    date: "2017-04-15",
    issue: "https://github.com/square/okhttp/pull/3272",
    says: "a single group of zeros in an IPv6 address is not compressed",
    witness: Witness::resolving(
        "http://a/",
        "//[1:0:2:3:4:5:6:7]/",
        Some("http://[1::2:3:4:5:6:7]/"),
        Some("http://[1:0:2:3:4:5:6:7]/"),
    ),
};

static EMPTY_QUERY: Change = Change {
    id: "a1c44a9e2",
    versions: &["3.9.1"],
    date: "2017-11-18",
    issue: "https://github.com/square/okhttp/commit/a1c44a9e2",
    says: "an empty query that is inherited does not include the fragment of the base",
    witness: Witness::resolving("http://a/?#f", "", Some("http://a/?%23f"), Some("http://a/?")),
};

static MAPPED: Change = Change {
    id: "#4451",
    versions: &["3.13.0"],
    date: "2019-02-04",
    issue: "https://github.com/square/okhttp/issues/4451",
    says: "an IPv6 address with an IPv4 address mapped into it is written as that address; before, it was an error of the library",
    witness: Witness::resolving("http://a/", "//[::ffff:1.2.3.4]/", None, Some("http://1.2.3.4/")),
};

static LENGTHS: Change = Change {
    id: "#7324",
    versions: &["5.0.0"],
    date: "2025-07-02",
    issue: "https://github.com/square/okhttp/pull/7324",
    says: "hosts of more than 253 characters and the host . are rejected",
    witness: None,
};

static UTS_46: Change = Change {
    id: "#7811",
    versions: &["5.0.0"],
    date: "2025-07-02",
    issue: "https://github.com/square/okhttp/pull/7811",
    says: "hosts outside ASCII are converted by UTS 46 without transitional processing, no longer by IDNA 2003 of Java",
    witness: Witness::resolving("http://a/", "//ß/", Some("http://ss/"), Some("http://xn--zca/")),
};

/// `canonicalize`: what is encoded in all components; tabs, ends of lines and form feeds are left out.
fn canonicalized(text: &str, set: &str, is_ascii: bool) -> String {
    let text = text.replace(['\t', '\n', '\u{c}', '\r'], "");
    encoded(&text, |it| !(it < b' ' || it == 0x7f || it >= 0x80 && is_ascii || set.as_bytes().contains(&it)))
}

fn canonicalized_path(path: &str) -> String {
    let segments: Vec<String> = path.split('/').map(|segment| canonicalized(segment, PATH, true)).collect();
    segments.join("/")
}

const USER: &str = " \"':;<=>@[]^`{}|/\\?#";
const PATH: &str = " \"<>^`{}|/\\?#";
const QUERY: &str = " \"'<>#";

fn rewrite(s: &mut State<'_>, part: Part, written: impl Fn(&str) -> String) -> Next {
    let slot = s.own(part);
    if let Some(text) = s.present(slot) {
        let text = written(text);
        s.set(slot, text);
    }
    Go
}

fn is_slash(it: char) -> bool {
    matches!(it, '/' | '\\')
}

/// `HttpUrl.Builder.parse`, without what it takes from the base.
static PARSE: &[Step] = &[
    Step::new("parse: skipLeadingAsciiWhitespace", "remove tabs, ends of lines, form feeds and spaces around the URL", |s| {
        s.unmark(ADDRESS);
        s.rest = s.get(s.own(Part::Text)).trim_matches(['\t', '\n', '\u{c}', '\r', ' ']).to_owned();
        s.write_text();
        Go
    }),
    Step::new(
        "parse: schemeDelimiterOffset",
        "a letter, then letters, digits, +, - and . before a colon are the scheme",
        |s| {
            let (name, rest) = scheme(&s.rest).map_or((None, s.rest.as_str()), |(name, rest)| (Some(name), rest));
            let (name, rest) = (name.map(str::to_owned), rest.to_owned());
            s.set(s.own(Part::Scheme), name);
            s.rest = rest;
            Go
        },
    ),
    Step::new("parse: scheme", "write the scheme in lower case", |s| {
        rewrite(s, Part::Scheme, str::to_ascii_lowercase)
    }),
    Step::new("parse: http or https", "reject other schemes, and a URL without a scheme or a base", |s| {
        let slot = s.own(Part::Scheme);
        match s.present(slot) {
            Some("http" | "https") => Go,
            None if s.side == Side::Reference && !s.base.is_empty() => Go,
            _ => s.reject(slot, "it is neither http nor https"),
        }
    }),
    Step::new(
        "parse: slashCount",
        "after two or more slashes or backslashes, and after any number in a base or after a scheme that is not the base's, the part up to \
         the next one, ? or # is the authority",
        |s| {
            let rest = std::mem::take(&mut s.rest);
            let after = rest.trim_start_matches(is_slash);
            let own = s.present(s.own(Part::Scheme));
            let is_other = || own.is_some() && own != s.present(Slot::Base(Part::Scheme));
            let divided = match rest.len() - after.len() >= 2 || s.side == Side::Base || s.base.is_empty() || is_other() {
                true => Some(until(after, &['/', '\\', '?', '#'])),
                false => None,
            };
            s.set(s.own(Part::Authority), divided.map(|(authority, _)| authority));
            // A backslash that ends the authority decides on what it consists of.
            if divided.is_some_and(|(_, rest)| rest.starts_with('\\')) {
                [Part::Host, Part::Port].map(|part| s.own(part)).into_iter().for_each(|slot| s.decide(slot));
            }
            s.rest = divided.map_or(rest.as_str(), |(_, rest)| rest).to_owned();
            Go
        },
    ),
    Step::new("parse: pathDelimiterOffset", "cut the path at ? or #, the query at #, and the fragment", rfc3986::cut_path),
    Step::new(
        "parse: componentDelimiterOffset",
        "user and password, divided by the first colon, precede the last @ of the authority; the first colon outside brackets precedes the port",
        |s| {
            let Some(authority) = s.present(s.own(Part::Authority)) else { return To(r"resolvePath: /, \") };
            let authority = authority.to_owned();
            let (user, host) = authority.rsplit_once('@').unwrap_or(("", &authority));
            let (user, password) = cut(user, ":");
            let mut is_inside = false;
            let is_colon = |it: char| {
                is_inside = it == '[' || is_inside && it != ']';
                it == ':' && !is_inside
            };
            let (host, port) = host.split_at(host.find(is_colon).unwrap_or(host.len()));
            s.set(s.own(Part::User), user);
            s.set(s.own(Part::Password), password.unwrap_or_default());
            s.set(s.own(Part::Host), host);
            s.set(s.own(Part::Port), port.strip_prefix(':').filter(|port| !port.is_empty()));
            Go
        },
    ),
    Step::new("parse: encodedUsername", "percent-encode the user, without tabs, ends of lines and form feeds; escapes remain", |s| {
        rewrite(s, Part::User, |text| canonicalized(text, USER, true))
    }),
    Step::new("parse: encodedPassword", "percent-encode the password, without tabs, ends of lines and form feeds; escapes remain", |s| {
        rewrite(s, Part::Password, |text| canonicalized(text, USER, true))
    }),
    Step::new("canonicalizeHost: percentDecode", "decode the escapes of the host", |s| rewrite(s, Part::Host, decoded)),
    Step::new("canonicalizeHost: decodeIpv6: []", "a host in brackets is an IPv6 address; reject it if it is not", |s| {
        let slot = s.own(Part::Host);
        let address = s.get(slot).strip_prefix('[').and_then(|host| host.strip_suffix(']')).map(address);
        write_address(s, slot, address)
    })
    .until(&COLON),
    Step::new(
        "canonicalizeHost: decodeIpv6",
        "a host with a colon, with or without brackets, is an IPv6 address; reject it if it is not",
        |s| {
            let slot = s.own(Part::Host);
            let host = s.get(slot);
            let inner = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
            let address = host.contains(':').then(|| address(inner));
            write_address(s, slot, address)
        },
    )
    .since(&COLON),
    Step::new("canonicalizeHost: IPv4-mapped, an error", "fail for an IPv6 address with an IPv4 address mapped into it", |s| {
        let slot = s.own(Part::Host);
        match mapped(s, s.get(slot)) {
            Some(_) => s.reject(slot, "an IPv4 address is mapped into the IPv6 address"),
            None => Go,
        }
    })
    .until(&MAPPED),
    Step::new("canonicalizeHost: IPv4-mapped", "write the IPv4 address that is mapped into an IPv6 address", |s| {
        let slot = s.own(Part::Host);
        if let Some(address) = mapped(s, s.get(slot)) {
            s.set(slot, address);
        }
        Go
    })
    .since(&MAPPED),
    Step::new("canonicalizeHost: IDN.toASCII", "convert a host by IDNA 2003 of Java, or reject it, also for an empty or a long label", |s| {
        convert(s, java_idn)
    })
    .until(&UTS_46),
    Step::new("toCanonicalHost: idnToAscii", "convert a host by UTS 46; reject it if that is not possible", |s| {
        convert(s, |host| {
            let host = Uts46::new().to_ascii(host.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Allow, DnsLength::Ignore);
            host.ok().map(|host| host.into_owned())
        })
    })
    .since(&UTS_46),
    Step::new("canonicalizeHost: toLowerCase", "write the host in lower case", |s| {
        rewrite(s, Part::Host, str::to_ascii_lowercase)
    }),
    Step::new(
        "canonicalizeHost: containsInvalidHostnameAsciiCodes",
        "reject an empty host, and one with characters that hosts do not have",
        |s| {
            let slot = s.own(Part::Host);
            let host = s.get(slot);
            let is_bad = |it: char| it <= ' ' || it >= '\u{7f}' || "#%/:?@[\\]".contains(it);
            match host.is_empty() || !s.is_marked(ADDRESS) && host.contains(is_bad) {
                true => s.reject(slot, "it is empty or contains an illegal character"),
                false => Go,
            }
        },
    ),
    Step::new("toCanonicalHost: containsInvalidLabelLengths", "reject hosts of more than 253 characters, and labels of 0 or more than 63", |s| {
        let slot = s.own(Part::Host);
        let host = s.get(slot);
        let labels = host.strip_suffix('.').unwrap_or(host).split('.');
        let is_bad = || host.len() > 253 || labels.into_iter().any(|label| label.is_empty() || label.len() > 63);
        match !s.is_marked(ADDRESS) && is_bad() {
            true => s.reject(slot, "a label or the host has a wrong length"),
            false => Go,
        }
    })
    .since(&LENGTHS),
    Step::new("parse: parsePort", "reject a port that is not a number from 1 to 65535, and write it without leading zeros and a plus sign", |s| {
        let slot = s.own(Part::Port);
        let Some(port) = s.present(slot) else { return Go };
        let digits = port.strip_prefix('+').unwrap_or(port);
        let is_number = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
        match digits.parse::<u16>().ok().filter(|number| is_number && *number > 0) {
            Some(number) => {
                s.set(slot, number.to_string());
                Go
            }
            None => s.reject(slot, "it is not a number from 1 to 65535"),
        }
    }),
    Step::new("toString: effectivePort", "write no port that is the default of the scheme", |s| {
        let slot = s.own(Part::Port);
        let scheme = s.present(s.own(Part::Scheme)).unwrap_or(s.get(Slot::Base(Part::Scheme)));
        if matches!((scheme, s.get(slot)), ("http", "80") | ("https", "443")) {
            s.set(slot, None::<&str>);
        }
        Go
    }),
    Step::new("toString: authority", "write user, password, host and port; an empty user and password are left out", |s| {
        let text = |part: Part| s.get(s.own(part));
        let (user, password, host, port) = (text(Part::User), text(Part::Password), text(Part::Host), text(Part::Port));
        let password = if password.is_empty() { String::new() } else { format!(":{password}") };
        let user = if user.is_empty() && password.is_empty() { String::new() } else { format!("{user}{password}@") };
        let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
        let port = if port.is_empty() { String::new() } else { format!(":{port}") };
        let text = user + &host + &port;
        s.compose(s.own(Part::Authority), &[Part::User, Part::Password, Part::Host, Part::Port].map(s.of()));
        s.set(s.own(Part::Authority), text);
        Go
    }),
    Step::new(r"resolvePath: /, \", "a backslash in the path is a slash", |s| {
        rewrite(s, Part::Path, |path| path.replace('\\', "/"))
    }),
    Step::new("parse: encodedQueryNamesAndValues", "percent-encode the query, without tabs, ends of lines and form feeds; escapes remain", |s| {
        rewrite(s, Part::Query, |text| canonicalized(text, QUERY, true))
    }),
    Step::new("parse: encodedFragment", "percent-encode control characters, without tabs, ends of lines and form feeds; escapes remain", |s| {
        rewrite(s, Part::Fragment, |text| canonicalized(text, "", false))
    }),
];

/// `push`, for the segments of a path.
static PUSH: &[Step] = &[
    Step::new("push: canonicalize", "percent-encode the merged path, without tabs, ends of lines and form feeds; escapes remain", |s| {
        let path = canonicalized_path(s.get(Slot::Merged));
        s.flow(Slot::NoDots, Slot::Merged);
        s.set(Slot::NoDots, path);
        Go
    }),
    Step::new(
        "push: isDotDot",
        "remove each . segment, and each .. segment with the one before it, also encoded ones; a path begins with a slash, also an empty one",
        |s| {
            let path = pushed(s.get(Slot::NoDots));
            s.set(Slot::NoDots, path);
            Go
        },
    ),
];

/// `HttpUrl.resolve`.
pub(crate) static RESOLVE: &[Step] = &[
    Step::new("HttpUrl.parse: the base", "read the base, unless it is unknown", |s| match s.base.is_empty() {
        true => To("HttpUrl.resolve: link"),
        false => Call(PARSE, Side::Base),
    }),
    Step::new("HttpUrl.parse: push: canonicalize", "percent-encode the base's path, without tabs, ends of lines and form feeds; escapes remain", |s| {
        let path = canonicalized_path(s.get(Slot::Base(Part::Path)));
        s.set(Slot::Base(Part::Path), path);
        Go
    }),
    Step::new("HttpUrl.parse: push: isDotDot", "remove the dot segments of the base", |s| {
        let path = pushed(s.get(Slot::Base(Part::Path)));
        s.set(Slot::Base(Part::Path), path);
        Go
    }),
    Step::new("HttpUrl.resolve: link", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("parse: the base", "a reference without a scheme inherits the scheme, and one without an authority the authority", |s| {
        s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        match s.present(Slot::Ref(Part::Scheme)) {
            Some(_) => s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme)),
            None => s.inherit(Part::Scheme),
        }
        if s.present(Slot::Ref(Part::Authority)).is_none() {
            s.inherit(Part::Authority);
            return Go;
        }
        s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        To("resolvePath: push")
    }),
    Step::new("parse: encodedQuery", "a reference that is empty or a fragment inherits the query", |s| {
        if s.get(Slot::Ref(Part::Path)).is_empty() && s.present(Slot::Ref(Part::Query)).is_none() {
            s.inherit(Part::Query);
        }
        Go
    }),
    Step::new("HttpUrl.encodedQuery", "an empty query of the base that is inherited includes its fragment up to the first #", |s| {
        let is_inherited = s.get(Slot::Ref(Part::Path)).is_empty() && s.present(Slot::Ref(Part::Query)).is_none();
        let Some(fragment) = s.present(Slot::Base(Part::Fragment)) else { return Go };
        if is_inherited && s.present(Slot::Base(Part::Query)) == Some("") {
            let query = canonicalized(&format!("#{}", cut(fragment, "#").0), QUERY, true);
            s.set(Slot::Out(Part::Query), query);
        }
        Go
    })
    .until(&EMPTY_QUERY),
    Step::new("resolvePath: an empty path", "an empty path inherits that of the base", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        s.flow(Slot::NoDots, Slot::Base(Part::Path));
        To("toString")
    }),
    Step::new("resolvePath: an absolute path", "a path that begins with a slash is not merged", |s| {
        if !s.get(Slot::Ref(Part::Path)).starts_with('/') {
            return Go;
        }
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        To("resolvePath: push")
    }),
    Step::new("resolvePath: a relative path", "the path follows that of the base up to its last slash", |s| {
        let merged = format!("{}{}", folder(s.get(Slot::Base(Part::Path))), s.get(Slot::Ref(Part::Path)));
        s.inherit_as("folder");
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new("resolvePath: push", "push the segments of the path", |s| Call(PUSH, s.side)),
    Step::new("toString", "concatenate the components", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        s.concatenate()
    }),
];

/// `push` and `pop`, for the segments of a path.
fn pushed(path: &str) -> String {
    let mut kept = vec![""];
    let mut segments = path.strip_prefix('/').unwrap_or(path).split('/').peekable();
    while let Some(segment) = segments.next() {
        let has_slash = segments.peek().is_some();
        if segment.is_empty() && !has_slash {
            break;
        }
        let lower = segment.to_ascii_lowercase().replace("%2e", ".");
        match lower.as_str() {
            "." => {}
            ".." => {
                let is_empty = kept.pop() == Some("");
                match kept.last_mut().filter(|_| is_empty) {
                    Some(last) => *last = "",
                    None => kept.push(""),
                }
            }
            _ => {
                match kept.last_mut().filter(|last| last.is_empty()) {
                    Some(last) => *last = segment,
                    None => kept.push(segment),
                }
                if has_slash {
                    kept.push("");
                }
            }
        }
    }
    format!("/{}", kept.join("/"))
}

/// Decodes escapes. What is not UTF-8 afterwards is replaced.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    let digit = |it: u8| char::from(it).to_digit(16);
    while let [first, after @ ..] = rest {
        match rest {
            [b'%', high, low, after @ ..] if digit(*high).is_some() && digit(*low).is_some() => {
                let value = digit(*high).unwrap_or_default() * 16 + digit(*low).unwrap_or_default();
                bytes.push(value as u8);
                rest = after;
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The mark of a host that is an IPv6 address. A name with a colon is rejected later.
const ADDRESS: &str = "okhttp: the host is an address";

fn write_address(s: &mut State<'_>, slot: Slot, address: Option<Option<Ipv6Addr>>) -> Next {
    match address {
        Some(Some(address)) => {
            let text = address_text(address, if s.has(&RUNS) { 2 } else { 1 });
            s.set(slot, text);
            s.mark(ADDRESS);
            Go
        }
        Some(None) => s.reject(slot, "it is not an IPv6 address"),
        None => Go,
    }
}

fn mapped(s: &State<'_>, host: &str) -> Option<String> {
    address(host).filter(|_| s.is_marked(ADDRESS))?.to_ipv4_mapped().map(|address| address.to_string())
}

/// `decodeIpv6`: an IPv6 address, whose last groups may be numbers with dots.
fn address(text: &str) -> Option<Ipv6Addr> {
    let groups = |text: &str, may_end: bool| -> Option<Vec<u16>> {
        let mut groups = Vec::new();
        if text.is_empty() {
            return Some(groups);
        }
        let parts: Vec<&str> = text.split(':').collect();
        for (at, part) in parts.iter().enumerate() {
            if may_end && at + 1 == parts.len() && part.contains('.') {
                let numbers: Option<Vec<u16>> = part.split('.').map(byte).collect();
                let [a, b, c, d] = numbers?.try_into().ok()?;
                groups.extend([a << 8 | b, c << 8 | d]);
                continue;
            }
            let is_group = (1..=4).contains(&part.len()) && part.bytes().all(|it| it.is_ascii_hexdigit());
            groups.push(u16::from_str_radix(part, 16).ok().filter(|_| is_group)?);
        }
        Some(groups)
    };
    let all = match text.split_once("::") {
        Some((before, after)) => {
            let (before, after) = (groups(before, false)?, groups(after, true)?);
            let zeros = 8_usize.checked_sub(before.len() + after.len()).filter(|zeros| *zeros > 0)?;
            [before, vec![0; zeros], after].concat()
        }
        None => groups(text, true)?,
    };
    let all: [u16; 8] = all.try_into().ok()?;
    Some(Ipv6Addr::from(all))
}

/// Returns the value of a number up to 255 without leading zeros.
fn byte(text: &str) -> Option<u16> {
    let is_number = text.bytes().all(|it| it.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    text.parse::<u8>().ok().filter(|_| is_number).map(u16::from)
}

/// `inet6AddressToAscii`: writes an address with its first longest run of at least `least` zeros compressed.
fn address_text(address: Ipv6Addr, least: usize) -> String {
    let groups = address.segments();
    let run = |at: usize| groups[at..].iter().take_while(|group| **group == 0).count();
    let longest = (0..8).rev().max_by_key(|at| run(*at)).filter(|at| run(*at) >= least);
    let text = |groups: &[u16]| groups.iter().map(|group| format!("{group:x}")).collect::<Vec<_>>().join(":");
    match longest {
        Some(at) => format!("{}::{}", text(&groups[..at]), text(&groups[at + run(at)..])),
        None => text(&groups),
    }
}

/// Converts a host that is not an IPv6 address.
fn convert(s: &mut State<'_>, converted: impl Fn(&str) -> Option<String>) -> Next {
    let slot = s.own(Part::Host);
    let host = s.get(slot);
    if s.is_marked(ADDRESS) {
        return Go;
    }
    match converted(host) {
        Some(host) => {
            s.set(slot, host);
            Go
        }
        None => s.reject(slot, "it is not a name of a host"),
    }
}

/// `HttpUrl.parse`, and the methods of the URL that return its components.
pub(crate) static ACCESSORS: &[Step] = &[
    Step::new("HttpUrl.parse", "read the URL", |_| Call(PARSE, Side::Reference)),
    Step::new("HttpUrl.parse: push", "push the segments of its path", |s| {
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        Call(PUSH, Side::Reference)
    }),
    Step::new(
        "scheme, encodedUsername, encodedPassword, host, encodedPath, encodedQuery, encodedFragment",
        "state the components as they are written; the host has no brackets",
        |s| {
            for part in [Part::Scheme, Part::User, Part::Password, Part::Host, Part::Query, Part::Fragment] {
                s.flow(Slot::Out(part), Slot::Ref(part));
            }
            s.copy(Slot::Out(Part::Path), Slot::NoDots);
            Go
        },
    ),
    Step::new("port", "without a port, state the default of the scheme", |s| {
        s.flow(Slot::Out(Part::Port), Slot::Ref(Part::Port));
        if s.present(Slot::Out(Part::Port)).is_none() {
            let default = if s.get(Slot::Out(Part::Scheme)) == "https" { "443" } else { "80" };
            s.set(Slot::Out(Part::Port), default);
        }
        s.set(Slot::Result, s.reference);
        Done
    }),
];
