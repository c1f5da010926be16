//! urllib3: the attributes of `urllib3.util.parse_url(url)`, from 1.24.3 on.
//!
//! Read from `util/url.py` of urllib3 1.24.3 to 2.8.0, and from the package rfc3986 that 1.25 to 1.25.3 contain. The package idna converts hosts
//! outside ASCII: that of the recordings is 3.20. The versions 1.25 and 1.25.1 were withdrawn; they reject what 1.25.2 encodes, which is not described.

mod changes;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, encoded, is_escape, scheme, until};
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table};

use crate::httpx::idna_2008;
use crate::python_rfc3986::{self, capitals, is_ipv6, remove_dot_segments};
use crate::redirect::{has_location, latin_1};
use crate::rfc3986::{IRI, USERINFO, conforms};
use crate::socket::{GETADDRINFO, PYTHON_LABELS, host_and_port};
use crate::urllib;
use changes::*;

/// urllib3.
pub static TABLE: Table = Table {
    engine: "urllib3",
    first: "1.24.3",
    changes: &[
        &RFC_3986, &OWN, &TILDE, &BACKSLASH, &NO_USER, &ZEROS, &PORT_0, &MARK, &CONTROLS, &ESCAPES, &NUMBERS, &NETLOC,
    ],
    dated: &[],
    questions: &[(Question::Parse, ACCESSORS), (Question::Connect, URLOPEN), (Question::Follow, REDIRECT)],
    called: &[PARSE_URL, GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: Some(latin_1),
    calls: |_| vec![(&urllib::TABLE, urllib::RECORDED.to_owned())],
};

/// Returns whether the scheme is one whose URLs are normalized.
fn is_web(s: &State<'_>) -> bool {
    matches!(s.present(s.own(Part::Scheme)), None | Some("http" | "https"))
}

fn rewrite(s: &mut State<'_>, part: Part, written: impl Fn(&str) -> String) -> Next {
    let slot = s.own(part);
    if let Some(text) = s.present(slot) {
        let text = written(text);
        s.set(slot, text);
    }
    Go
}

/// `_encode_invalid_chars`, without the capitals: percent-encodes what is neither unreserved nor `kept`, and percent signs unless each begins an
/// escape.
fn encode(text: &str, kept: &str, has_tilde: bool) -> String {
    let are_escapes = text.match_indices('%').all(|(at, _)| is_escape(&text[at..]));
    encoded(text, |it| match it {
        b'%' => are_escapes,
        b'~' => has_tilde,
        _ => it.is_ascii_alphanumeric() || b"-._".contains(&it) || kept.as_bytes().contains(&it),
    })
}

const PATH: &str = "!$&'()*+,;=:@/";
const QUERY: &str = "!$&'()*+,;=:@/?";

/// Encodes a component, and writes its escapes with capitals, if the scheme is http or https.
fn encode_web(s: &mut State<'_>, part: Part, kept: &str) -> Next {
    let has_tilde = s.has(&TILDE);
    if is_web(s) { rewrite(s, part, |text| encode(&capitals(text), kept, has_tilde)) } else { Go }
}

/// Divides the authority into what precedes its last @, and the host with its port.
fn divided(s: &State<'_>) -> Option<(Option<String>, String)> {
    let authority = s.present(s.own(Part::Authority)).filter(|authority| !authority.is_empty())?;
    Some(authority.rsplit_once('@').map_or((None, authority.to_owned()), |(user, host)| (Some(user.to_owned()), host.to_owned())))
}

/// Divides a host in brackets before its zone, which begins with a percent sign.
fn literal(host: &str) -> Option<(&str, Option<&str>)> {
    Some(cut(host.strip_prefix('[')?.strip_suffix(']')?, "%"))
}

/// Writes the host, and the digits of a port of at most five, or rejects them.
fn write_host(s: &mut State<'_>, digits: impl Fn(&str) -> Option<String>) -> Next {
    let Some((_, text)) = divided(s) else {
        s.set(s.own(Part::Host), None::<&str>);
        s.set(s.own(Part::Port), None::<&str>);
        return Go;
    };
    let end = text.rfind(']').map_or_else(|| text.find(':').unwrap_or(text.len()), |at| at + 1);
    let (host, port) = text.split_at(end);
    let is_zone = |zone: &str| {
        let zone = zone.strip_prefix("25").filter(|zone| !zone.is_empty()).unwrap_or(zone);
        !zone.is_empty() && conforms(zone, if s.has(&MARK) { "" } else { "!" }, |_| false)
    };
    let is_host = match literal(host) {
        Some((address, zone)) => is_ipv6(address) && zone.is_none_or(is_zone),
        None => host.char_indices().all(|(at, it)| if it == '%' { is_escape(&host[at..]) } else { !"[]/?#".contains(it) }),
    };
    // Before the whole text had to match, an end of line after the digits or the brackets was ignored.
    let port = port.strip_suffix('\n').filter(|_| !s.has(&CONTROLS)).unwrap_or(port);
    let port = match port.strip_prefix(':') {
        Some(port) => digits(port).filter(|port| port.len() <= 5 && port.bytes().all(|it| it.is_ascii_digit())),
        None => Some(String::new()).filter(|_| port.is_empty()),
    };
    match port.filter(|_| is_host) {
        Some(port) => {
            let host = host.to_owned();
            s.set(s.own(Part::Host), host);
            s.set(s.own(Part::Port), Some(port).filter(|port| !port.is_empty()));
            Go
        }
        None => s.reject(s.own(Part::Authority), "it is not a host with a port"),
    }
}

/// `parse_url`.
pub(crate) static PARSE_URL: &[Step] = &[
    Step::new("parse_url", "take the text as it is", |s| {
        s.rest = s.get(s.own(Part::Text)).to_owned();
        s.write_text();
        Go
    }),
    Step::new("parse_url: quote", "percent-encode spaces and control characters", |s| {
        s.rest = encoded(&s.rest, |it| it > b' ' && it != 0x7f);
        s.write_text();
        Go
    })
    .until(&RFC_3986),
    Step::new("parse_url: ://", "the part before the first :// is the scheme", |s| {
        let (before, after) = s.rest.split_once("://").map_or((None, s.rest.as_str()), |(before, after)| (Some(before), after));
        let (before, after) = (before.map(str::to_owned), after.to_owned());
        s.set(s.own(Part::Scheme), before);
        s.rest = after;
        Go
    })
    .until(&RFC_3986),
    Step::new("split_first", "the part up to the next /, ? or # is the authority", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (authority, rest) = until(&rest, &['/', '?', '#']);
        s.set(s.own(Part::Authority), authority);
        s.rest = rest.to_owned();
        Go
    })
    .until(&RFC_3986),
    Step::new("parse_url: rsplit", "the part before the last @ is the user", |s| {
        let user = divided(s).and_then(|(user, _)| user);
        s.set(s.own(Part::Userinfo), user);
        Go
    })
    .until(&RFC_3986),
    Step::new(
        "parse_url: the host, then the port",
        "the host ends at the first ] if it begins with [, or at the first colon; digits of any script after a colon are the port; reject a \
         missing ] and anything else",
        |s| {
            let text = divided(s).map(|(_, text)| text).unwrap_or_default();
            let (address, rest) = match text.strip_prefix('[').map(|after| after.split_once(']')) {
                Some(Some((address, rest))) => (Some(format!("[{address}]")), rest),
                Some(None) => return s.reject(s.own(Part::Authority), "one bracket is missing"),
                None => (None, text.as_str()),
            };
            let (name, port) = cut(rest, ":");
            let name = Some(name.to_owned()).filter(|name| !name.is_empty() || port.is_some());
            let port = port.filter(|port| !port.is_empty());
            if port.is_some_and(|port| port.chars().any(|it| urllib::digit(it).is_none())) {
                return s.reject(s.own(Part::Authority), "the port is not a number");
            }
            s.set(s.own(Part::Host), address.or(name));
            s.set(s.own(Part::Port), port.and_then(urllib::number));
            Go
        },
    )
    .until(&RFC_3986),
    Step::new("parse_url: the path", "cut the rest at the first #, and at the first ? before it; without a rest, the path is absent", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (before, fragment) = cut(&rest, "#");
        let (path, query) = cut(before, "?");
        s.set(s.own(Part::Fragment), fragment);
        s.set(s.own(Part::Query), query);
        s.set(s.own(Part::Path), Some(path).filter(|_| !rest.is_empty()));
        Go
    })
    .until(&RFC_3986),
    Step::new("Url: lower", "write the scheme in lower case, and the host, too, if the scheme is http, https or absent", |s| {
        rewrite(s, Part::Scheme, str::to_lowercase);
        if is_web(s) { rewrite(s, Part::Host, str::to_lowercase) } else { Go }
    })
    .until(&RFC_3986),
    Step::new("_SCHEME_RE", "write // before a text that begins neither with a slash nor with letters, digits, + and - before a colon", |s| {
        let is_scheme = scheme(&s.rest).is_some_and(|(name, _)| !name.contains('.'));
        if !is_scheme && !s.rest.starts_with('/') {
            s.rest.insert_str(0, "//");
            s.write_text();
        }
        Go
    })
    .since(&RFC_3986),
    Step::new("_URI_RE: scheme", "a letter, then letters, digits, +, - and . before a colon are the scheme", |s| {
        let (name, rest) = scheme(&s.rest).map_or((None, s.rest.as_str()), |(name, rest)| (Some(name), rest));
        let (name, rest) = (name.map(str::to_owned), rest.to_owned());
        s.set(s.own(Part::Scheme), name);
        s.rest = rest;
        Go
    })
    .since(&RFC_3986),
    Step::new("_URI_RE: authority", "after two slashes, the part up to the next /, ? or # is the authority", |s| authority(s, &['/', '?', '#']))
        .since(&RFC_3986)
        .until(&BACKSLASH),
    Step::new("_URI_RE", "after two slashes, the part up to the next /, ?, # or backslash is the authority", |s| authority(s, &['/', '?', '#', '\\']))
        .since(&BACKSLASH),
    Step::new("_URI_RE: path, query, fragment", "cut the rest at the first #, and at the first ? before it", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (before, fragment) = cut(&rest, "#");
        let (path, query) = cut(before, "?");
        s.set(s.own(Part::Path), path);
        s.set(s.own(Part::Query), query);
        s.set(s.own(Part::Fragment), fragment);
        Go
    })
    .since(&RFC_3986),
    Step::new("IRI_MATCHER", "end the fragment before an end of line", |s| {
        rewrite(s, Part::Fragment, |fragment| cut(fragment, "\n").0.to_owned())
    })
    .since(&RFC_3986)
    .until(&OWN),
    Step::new(
        "_encode_invalid_chars: IRIReference",
        "percent-encode what path, query and fragment do not have in RFC 3986, and percent signs unless each begins an escape",
        |s| {
            rewrite(s, Part::Path, |text| encode(text, PATH, false));
            rewrite(s, Part::Query, |text| encode(text, QUERY, false));
            rewrite(s, Part::Fragment, |text| encode(text, QUERY, false))
        },
    )
    .since(&RFC_3986)
    .until(&OWN),
    Step::new("scheme.lower", "write the scheme in lower case", |s| rewrite(s, Part::Scheme, str::to_ascii_lowercase)).since(&RFC_3986),
    Step::new("rpartition", "the part before the last @ is the user", |s| {
        let user = divided(s).and_then(|(user, _)| user);
        if user.as_deref().is_some_and(|user| user.contains('@')) {
            s.decide(s.own(Part::Host));
        }
        s.set(s.own(Part::Userinfo), user);
        Go
    })
    .since(&RFC_3986),
    Step::new("auth or None", "an empty user is absent", |s| {
        let slot = s.own(Part::Userinfo);
        if s.get(slot).is_empty() {
            s.set(slot, None::<&str>);
        }
        Go
    })
    .since(&NO_USER),
    Step::new(
        "ISUBAUTHORITY_MATCHER",
        "reject an authority that has not the form of RFC 3987; a port has at most five digits, and a colon may be missing before it",
        |s| {
            let slot = s.own(Part::Userinfo);
            if s.present(slot).is_some_and(|user| user.is_empty() || !conforms(user, USERINFO, IRI)) {
                return s.reject(slot, "it is not one of RFC 3987");
            }
            let Some((user, text)) = divided(s) else {
                s.set(s.own(Part::Host), None::<&str>);
                s.set(s.own(Part::Port), None::<&str>);
                return Go;
            };
            let ascii: String = text.chars().map(|it| if IRI(it) { 'a' } else { it }).collect();
            let Some((_, host, port)) = python_rfc3986::server(&ascii) else {
                return s.reject(s.own(Part::Authority), "it is not one of RFC 3987");
            };
            if user.is_none() && host.is_empty() && port.is_none() {
                return s.reject(s.own(Part::Authority), "it is empty without its colon");
            }
            let host = text.chars().take(host.chars().count()).collect::<String>();
            s.set(s.own(Part::Host), host);
            s.set(s.own(Part::Port), port);
            Go
        },
    )
    .since(&RFC_3986)
    .until(&OWN),
    Step::new("encode_component: the user", "percent-encode what is neither reserved nor unreserved in the user", |s| {
        rewrite(s, Part::Userinfo, |user| encode(user, ":/?#[]@!$&'()*+,;=", false))
    })
    .since(&RFC_3986)
    .until(&OWN),
    Step::new(
        "SUBAUTHORITY_RE",
        "what follows the user is a host, and after a colon a port of at most five digits; reject other characters in a host than one of \
         RFC 3986 can have after it is encoded, and brackets without an IPv6 address",
        |s| write_host(s, |port| Some(port.to_owned())),
    )
    .since(&OWN)
    .until(&ZEROS),
    Step::new(
        "_HOST_PORT_RE: 0*",
        "what follows the user is a host, and after a colon a port of at most five digits after its zeros; reject other characters in a host \
         than one of RFC 3986 can have after it is encoded, and brackets without an IPv6 address",
        |s| write_host(s, |port| Some(port.trim_start_matches('0').to_owned())),
    )
    .since(&ZEROS)
    .until(&PORT_0),
    Step::new(
        "_HOST_PORT_RE",
        "what follows the user is a host, and after a colon a port of at most five digits after its zeros, of which 0 keeps one; reject other \
         characters in a host than one of RFC 3986 can have after it is encoded, and brackets without an IPv6 address",
        |s| {
            write_host(s, |port| {
                let number = port.trim_start_matches('0');
                Some(if number.is_empty() && !port.is_empty() { "0" } else { number }.to_owned())
            })
        },
    )
    .since(&PORT_0),
    Step::new("_encode_invalid_chars: the user", "percent-encode the user of http and https", |s| {
        encode_web(s, Part::Userinfo, "!$&'()*+,;=:")
    })
    .since(&OWN),
    Step::new("port_int", "reject a port above 65535, and write it as a number", |s| {
        let slot = s.own(Part::Port);
        let Some(port) = s.present(slot) else { return Go };
        match port.parse::<u16>() {
            Ok(port) => {
                s.set(slot, port.to_string());
                Go
            }
            Err(_) => s.reject(slot, "it is larger than 65535"),
        }
    })
    .since(&RFC_3986),
    Step::new("_HOST_INVALID_CHAR_RE", "reject a host with spaces or control characters", |s| {
        let slot = s.own(Part::Host);
        match s.get(slot).bytes().any(|it| it <= b' ' || it == 0x7f) {
            true => s.reject(slot, "it contains a space or a control character"),
            false => Go,
        }
    })
    .since(&CONTROLS),
    Step::new("IPv6_NO_RFC4007_MATCHER", "reject a zone after a lone percent sign, unless the scheme is http or https", |s| {
        let slot = s.own(Part::Host);
        let zone = literal(s.get(slot)).and_then(|(_, zone)| zone);
        match !is_web(s) && zone.is_some_and(|zone| !zone.starts_with("25") || zone == "25") {
            true => s.reject(slot, "its zone does not follow %25"),
            false => Go,
        }
    })
    .since(&RFC_3986)
    .until(&OWN),
    Step::new("normalize_host", "write an address and a name of http and https in lower case; a zone follows %25", |s| {
        if is_web(s) { rewrite(s, Part::Host, python_rfc3986::normalized_host) } else { Go }
    })
    .since(&RFC_3986)
    .until(&OWN),
    Step::new("_normalize_host: an IPv4 address", "a host of one to four numbers remains as it is", |s| {
        let is_number = |it: &str| match it.strip_prefix("0x").or(it.strip_prefix("0X")) {
            Some(digits) => !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_hexdigit()),
            None => !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()),
        };
        let host = s.get(s.own(Part::Host));
        match host.split('.').count() <= 4 && host.split('.').all(is_number) {
            true => To("_remove_path_dot_segments"),
            false => Go,
        }
    })
    .since(&NUMBERS),
    Step::new("_normalize_host: the zone", "in http and https, write an IPv6 address in lower case; its zone, encoded, follows a percent sign", |s| {
        let slot = s.own(Part::Host);
        let host = s.get(slot);
        let Some((address, zone)) = literal(host).filter(|_| is_web(s)) else { return Go };
        let zone = zone.map(|zone| {
            let zone = zone.strip_prefix("25").filter(|zone| !zone.is_empty()).unwrap_or(zone);
            format!("%{}", encode(&capitals(zone), "", s.has(&TILDE)))
        });
        let host = format!("[{}{}]", address.to_ascii_lowercase(), zone.unwrap_or_default());
        s.set(slot, host);
        Go
    })
    .since(&OWN),
    Step::new("_decode_percent_encoding", "in http and https, reject an escape of a control character in a host", |s| {
        let slot = s.own(Part::Host);
        let is_control = |(at, _): (usize, &str)| {
            let byte = s.get(slot).get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
            byte.is_some_and(|byte| byte.is_ascii_control())
        };
        match is_web(s) && s.get(slot).match_indices('%').any(is_control) {
            true => s.reject(slot, "it contains an escape of a control character"),
            false => Go,
        }
    })
    .since(&ESCAPES),
    Step::new("_normalize_host_percent_encoding", "in http and https, decode the escapes of unreserved characters in a name", |s| {
        let host = s.get(s.own(Part::Host));
        if is_web(s) && !host.starts_with('[') { rewrite(s, Part::Host, decoded_unreserved) } else { Go }
    })
    .since(&ESCAPES),
    Step::new(
        "_idna_encode",
        "in http and https, write the labels of a name in lower case, and convert those outside ASCII by IDNA 2008; reject them if that is not possible",
        |s| {
            let slot = s.own(Part::Host);
            if !is_web(s) || s.get(slot).starts_with('[') {
                return Go;
            }
            convert(s)
        },
    )
    .since(&OWN),
    Step::new("idna_encode", "convert labels outside ASCII by IDNA 2008; reject them if that is not possible", convert)
        .since(&RFC_3986)
        .until(&OWN),
    Step::new("_idna_encode: upper", "write the escapes of a name with capitals", |s| {
        let host = s.get(s.own(Part::Host));
        if is_web(s) && !host.starts_with('[') { rewrite(s, Part::Host, capitals) } else { Go }
    })
    .since(&ESCAPES),
    Step::new("URIReference.normalize", "in http and https, write the escapes of user, path, query and fragment with capitals", |s| {
        if is_web(s) {
            for part in [Part::Userinfo, Part::Path, Part::Query, Part::Fragment] {
                rewrite(s, part, capitals);
            }
        }
        Go
    })
    .since(&RFC_3986)
    .until(&OWN),
    Step::new("_remove_path_dot_segments", "in http and https, remove the dot segments of the path", |s| {
        if is_web(s) { rewrite(s, Part::Path, remove_dot_segments) } else { Go }
    })
    .since(&RFC_3986),
    Step::new("_encode_invalid_chars", "percent-encode path, query and fragment of http and https", |s| {
        encode_web(s, Part::Path, PATH);
        encode_web(s, Part::Query, QUERY);
        encode_web(s, Part::Fragment, QUERY)
    })
    .since(&OWN),
    Step::new("parse_url: not path", "an empty path is absent, unless there is a query or a fragment", |s| {
        let has_more = s.present(s.own(Part::Query)).or(s.present(s.own(Part::Fragment))).is_some();
        let slot = s.own(Part::Path);
        if s.get(slot).is_empty() && !has_more {
            s.set(slot, None::<&str>);
        }
        Go
    })
    .since(&RFC_3986),
    Step::new("Url.__new__", "write a slash before a path that does not begin with one", |s| {
        rewrite(s, Part::Path, |path| if path.is_empty() || path.starts_with('/') { path.to_owned() } else { format!("/{path}") })
    }),
];

fn authority(s: &mut State<'_>, ends: &[char]) -> Next {
    let rest = std::mem::take(&mut s.rest);
    let divided = rest.strip_prefix("//").map(|after| until(after, ends));
    s.set(s.own(Part::Authority), divided.map(|(authority, _)| authority));
    s.rest = divided.map_or(rest.as_str(), |(_, rest)| rest).to_owned();
    Go
}

/// Writes the labels of the host in lower case if the library does that here, and those outside ASCII as IDNA 2008 does.
fn convert(s: &mut State<'_>) -> Next {
    let slot = s.own(Part::Host);
    let Some(host) = s.present(slot) else { return Go };
    let is_lower = s.has(&OWN);
    let label = |label: &str| match label.is_ascii() {
        true => Some(if is_lower { label.to_ascii_lowercase() } else { label.to_owned() }),
        false => idna_2008(&label.to_lowercase()).filter(|_| !label.contains(['\u{3002}', '\u{ff0e}', '\u{ff61}'])),
    };
    match host.split('.').map(label).collect::<Option<Vec<String>>>() {
        Some(labels) => {
            s.set(slot, labels.join("."));
            Go
        }
        None => s.reject(slot, "a label is not one of IDNA 2008"),
    }
}

fn decoded_unreserved(text: &str) -> String {
    let mut parts = text.split('%');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let byte = part.get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok()).map(char::from);
        match byte.filter(|it| it.is_ascii_alphanumeric() || "-._~".contains(*it)) {
            Some(it) => out.extend([it.to_string().as_str(), &part[2..]]),
            None => out.extend(["%", part]),
        }
    }
    out
}

/// The attributes of `Url`.
static ACCESSORS: &[Step] = &[
    Step::new("parse_url: Url", "parse the URL", |_| Call(PARSE_URL, Side::Reference)),
    Step::new("Url", "state the components", |s| {
        for part in [Part::Scheme, Part::Userinfo, Part::Host, Part::Port, Part::Path, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("Url.netloc: if self.port", "the host, with a port that is not 0, is the authority", |s| netloc(s, |port| port != "0"))
        .until(&NETLOC),
    Step::new("Url.netloc", "the host with the port is the authority", |s| netloc(s, |_| true)).since(&NETLOC),
];

fn netloc(s: &mut State<'_>, has: fn(&str) -> bool) -> Next {
    let port = s.present(Slot::Out(Part::Port)).filter(|port| has(port)).map(|port| format!(":{port}")).unwrap_or_default();
    let authority = s.present(Slot::Out(Part::Host)).map(|host| format!("{host}{port}"));
    s.set(Slot::Out(Part::Authority), authority);
    Go
}

/// `PoolManager.urlopen`, for a redirect.
static REDIRECT: &[Step] = &[
    Step::new("PoolManager.urlopen: redirect_location", "do not follow an empty location", has_location).since(&NETLOC),
    Step::new("PoolManager.urlopen: urljoin", "resolve the location on the URL of the request", |_| {
        Call(urllib::URLJOIN, Side::Reference)
    }),
];

/// `PoolManager.urlopen`, up to the socket.
static URLOPEN: &[Step] = &[
    // Before, hosts and the port 0 were treated otherwise, which is not described.
    Step::new("PoolManager.urlopen: parse_url", "parse the URL", |_| Call(PARSE_URL, Side::Reference)).since(&NETLOC),
    Step::new("connection_from_host: scheme", "without a scheme, it is http", |s| {
        if s.present(Slot::Ref(Part::Scheme)).is_none() {
            s.set(Slot::Ref(Part::Scheme), "http");
        }
        Go
    }),
    Step::new("connection_from_host", "connect to the host, and to the port or the default one of the scheme; reject other schemes than http and https", host_and_port),
    PYTHON_LABELS,
    Step::new("create_connection: getaddrinfo", "ask the system's resolver", |_| Call(GETADDRINFO, Side::Reference)),
];
