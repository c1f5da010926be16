//! boltons: `URL(base).navigate(reference).to_text()`, and the attributes of `URL(url)`, of 26.2.0.
//!
//! Read from `boltons/urlutils.py` of boltons 26.2.0. An absent component is not distinguished from an empty one. A path, a query, a user, a
//! password and a fragment are decoded when they are read, and a few characters of them are encoded when they are written.

use std::net::Ipv6Addr;

use icu_normalizer::ComposingNormalizerBorrowed;
use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, encoded, folder};
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table, no_calls};

use crate::hyperlink::{NO_NETLOC, PORTS, default_port};
use crate::okhttp::idna_2003::python_decoded;
use crate::rfc3986;
use crate::urllib::{number, unquoted};

/// boltons.
pub static TABLE: Table = Table {
    engine: "boltons",
    first: "26.2.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, NAVIGATE), (Question::Parse, STATE)],
    called: &[INIT],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `parse_url` and `URL.__init__`, for the base and the reference.
static INIT: &[Step] = &[
    Step::new("_URL_RE: scheme", "the text before a colon is the scheme, if it is not empty and has no /, ? or #", |s| {
        s.rest = s.given().to_owned();
        s.write_text();
        rfc3986::cut_scheme_of_appendix_b(s)
    }),
    Step::new("_URL_RE: authority", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("_URL_RE: path, query, fragment", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
    Step::new("_URL_RE: .*", "a line feed ends the fragment and the text", |s| {
        let slot = s.own(Part::Fragment);
        if let Some((before, _)) = s.present(slot).and_then(|it| it.split_once('\n')) {
            let before = before.to_owned();
            s.set(slot, before);
        }
        Go
    }),
    Step::new("parse_url: rpartition('@')", "the text before the last @ is the user, and after its first colon the password", |s| {
        let authority = s.get(s.own(Part::Authority)).to_owned();
        let divided = authority.rsplit_once('@');
        let user = divided.map(|(user, _)| cut(user, ":"));
        s.set(s.own(Part::User), user.map(|(user, _)| user));
        s.set(s.own(Part::Password), user.and_then(|(_, password)| password));
        s.set(s.own(Part::Host), divided.map_or(authority.as_str(), |(_, host)| host));
        Go
    }),
    Step::new(
        "parse_url: partition(':')",
        "the host ends at its first colon, but one that begins with a bracket at the first closing one after a colon, and the port follows",
        |s| {
            let slot = s.own(Part::Host);
            let text = s.get(slot).to_owned();
            let (host, port) = divide(&text);
            s.set(s.own(Part::Port), port);
            s.set(slot, host);
            Go
        },
    ),
    Step::new("parse_url: int(port_str)", "write the port as a number; an empty one is absent, and any other text is rejected", |s| {
        let slot = s.own(Part::Port);
        let Some(port) = s.present(slot) else { return Go };
        match number(port) {
            None if !port.is_empty() => return s.reject(slot, "it is not a number"),
            number => s.set(slot, number),
        }
        Go
    }),
    Step::new("parse_host: AF_INET6", "remove the brackets of a host with a colon; reject it if it is not an IPv6 address", |s| {
        let slot = s.own(Part::Host);
        let host = s.get(slot);
        let Some(address) = host.strip_prefix('[').and_then(|it| it.strip_suffix(']')).filter(|it| it.contains(':')) else {
            return Go;
        };
        if address.parse::<Ipv6Addr>().is_err() {
            return s.reject(slot, "it is not an IPv6 address");
        }
        let address = address.to_owned();
        s.set(slot, address);
        Go
    }),
    Step::new("parse_host: AF_INET", "reject a host with NUL", |s| {
        let slot = s.own(Part::Host);
        if s.get(slot).contains('\0') { s.reject(slot, "it contains NUL") } else { Go }
    }),
    Step::new("URL.__init__: username, password", "decode the user and the password", |s| {
        rewrite(s, s.own(Part::User), unquoted);
        rewrite(s, s.own(Part::Password), unquoted)
    }),
    Step::new("URL.__init__: decode('idna')", "decode a host of ASCII by IDNA 2003; reject it if that is not possible", |s| {
        let slot = s.own(Part::Host);
        let host = s.get(slot);
        if !host.is_ascii() || !host.contains("xn--") {
            return Go;
        }
        match python_decoded(host) {
            Some(host) => {
                s.set(slot, host);
                Go
            }
            None => s.reject(slot, "it is not a host of IDNA 2003"),
        }
    }),
    Step::new(
        "URL.__init__: path_parts, quote_path_part",
        "decode each segment of the path, and encode slashes, question marks, number signs and brackets in it",
        |s| {
            rewrite(s, s.own(Part::Path), |path| {
                let segments = path.split('/').map(|segment| quoted(&unquoted(segment), b"/?#[]"));
                segments.collect::<Vec<_>>().join("/")
            })
        },
    ),
    Step::new("URL.__init__: fragment", "decode the fragment", |s| rewrite(s, s.own(Part::Fragment), unquoted)),
];

/// Divides a host and the port after it.
fn divide(text: &str) -> (&str, Option<&str>) {
    let (host, port) = cut(text, ":");
    match port.and_then(|port| port.find(']')).filter(|_| host.starts_with('[')) {
        Some(end) => {
            let (host, port) = text.split_at(host.len() + 1 + end + 1);
            (host, Some(port.strip_prefix(':').unwrap_or(port)))
        }
        None => (host, port),
    }
}

fn rewrite(s: &mut State<'_>, slot: Slot, rewritten: impl Fn(&str) -> String) -> Next {
    if let Some(text) = s.present(slot) {
        let text = rewritten(text);
        s.set(slot, text);
    }
    Go
}

/// Encodes the characters `delimiters`.
fn quoted(text: &str, delimiters: &[u8]) -> String {
    encoded(text, |it| !delimiters.contains(&it))
}

/// `parse_qsl`: the fields of a query, which & or ; separates, without empty ones. A plus sign is a space.
fn fields(query: &str) -> Vec<(String, Option<String>)> {
    let decoded = |text: &str| unquoted(&text.replace('+', " "));
    let field = |field: &str| {
        let (key, value) = cut(field, "=");
        (decoded(key), value.filter(|it| !it.is_empty()).map(decoded))
    };
    query.split(['&', ';']).filter(|it| !it.is_empty()).map(field).collect()
}

/// The mark of a target that is the URL which was read, with the family of its address and its slashes.
const DIRECT: &str = "boltons: the target is the URL that was read";

const AUTHORITY: [Part; 4] = [Part::User, Part::Password, Part::Host, Part::Port];

/// Takes everything from the reference.
fn take_reference(s: &mut State<'_>) -> Next {
    s.mark(DIRECT);
    for part in AUTHORITY.into_iter().chain([Part::Scheme, Part::Authority, Part::Path, Part::Query, Part::Fragment]) {
        s.flow(Slot::Out(part), Slot::Ref(part));
    }
    s.set(Slot::Used, "nothing");
    s.flow(Slot::Merged, Slot::Ref(Part::Path));
    s.flow(Slot::NoDots, Slot::Merged);
    To("to_text: path[:1] != '/'")
}

/// Takes a part from the reference, or from the base if that is empty.
fn own_or_inherited(s: &mut State<'_>, part: Part) {
    let has_own = !matches!((part, s.get(Slot::Ref(part))), (_, "") | (Part::Port, "0"));
    s.flow(Slot::Out(part), if has_own { Slot::Ref(part) } else { Slot::Base(part) });
}

/// `URL.navigate` and `URL.to_text`.
static NAVIGATE: &[Step] = &[
    Step::new("URL(base)", "read the base, unless it is unknown", |s| match s.base.is_empty() {
        true => Go,
        false => Call(INIT, Side::Base),
    }),
    Step::new("URL(dest)", "read the reference", |_| Call(INIT, Side::Reference)),
    Step::new(
        "navigate: dest.scheme and dest.host",
        "a reference with a scheme and a host is the target, and any reference without a base",
        |s| {
            let has = |part: Part| !s.get(Slot::Ref(part)).is_empty();
            match s.base.is_empty() || has(Part::Scheme) && has(Part::Host) {
                true => take_reference(s),
                false => Go,
            }
        },
    ),
    Step::new("from_parts: scheme", "without a scheme, inherit it", |s| {
        s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        match s.get(Slot::Ref(Part::Scheme)).is_empty() {
            true => s.inherit(Part::Scheme),
            false => s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme)),
        }
        Go
    }),
    Step::new("from_parts: host", "without a host, inherit it", |s| {
        s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
        if s.get(Slot::Ref(Part::Host)).is_empty() {
            s.inherit(Part::Authority);
        }
        own_or_inherited(s, Part::Host);
        Go
    }),
    Step::new("from_parts: port", "without a port, inherit it; 0 is none", |s| {
        own_or_inherited(s, Part::Port);
        Go
    }),
    Step::new("from_parts: username, password", "without a user, inherit it, and without a password that", |s| {
        own_or_inherited(s, Part::User);
        own_or_inherited(s, Part::Password);
        Go
    }),
    Step::new("navigate: path.startswith('/')", "a path that begins with a slash is not merged", |s| {
        rfc3986::rooted(s, "resolve_path_parts")
    }),
    Step::new("navigate: not dest.path", "without a path, inherit the base's, and its query if there is no field of a query", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        if fields(s.get(Slot::Ref(Part::Query))).is_empty() {
            s.inherit(Part::Query);
        }
        To("resolve_path_parts")
    }),
    Step::new("navigate: path_parts[:-1]", "the path replaces the last segment of the base's", |s| {
        let merged = format!("{}{}", folder(s.get(Slot::Base(Part::Path))), s.get(Slot::Ref(Part::Path)));
        s.inherit_as("folder");
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new(
        "resolve_path_parts",
        "remove each . segment, and each .. with the one before it, but not the empty one before the first slash",
        |s| {
            let path = without_dots(s.get(Slot::Merged));
            s.flow(Slot::NoDots, Slot::Merged);
            s.set(Slot::NoDots, path);
            s.copy(Slot::Out(Part::Path), Slot::NoDots);
            Go
        },
    ),
    Step::new("normalize: scheme.lower", "write the scheme in lower case", |s| rewrite(s, Slot::Out(Part::Scheme), str::to_lowercase)),
    Step::new("normalize: host.lower", "write the host in lower case", |s| rewrite(s, Slot::Out(Part::Host), str::to_lowercase)),
    Step::new("to_text: path[:1] != '/'", "write a slash before a path that follows a scheme and an authority", |s| {
        let path = s.get(Slot::Out(Part::Path));
        let has_authority = [Part::User, Part::Password, Part::Host].iter().any(|part| !s.get(Slot::Out(*part)).is_empty());
        let is_rootless = !path.is_empty() && !path.starts_with('/');
        if is_rootless && has_authority && !s.get(Slot::Out(Part::Scheme)).is_empty() {
            let path = format!("/{path}");
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    }),
    Step::new(
        "quote_userinfo_part",
        "encode each character of the user and the password, in NFC, that is neither unreserved nor an inner delimiter",
        |s| {
            let is_kept = |it: u8| it.is_ascii_alphanumeric() || b"~-._!$&'()*+,;=".contains(&it);
            let quoted = |text: &str| encoded_bytes(&ComposingNormalizerBorrowed::new_nfc().normalize(text), is_kept);
            rewrite(s, Slot::Out(Part::User), quoted);
            rewrite(s, Slot::Out(Part::Password), quoted)
        },
    ),
    Step::new("get_authority: default_port", "do not write the default port of the scheme, and 0", |s| {
        let port = written_port(s);
        s.set(Slot::Out(Part::Port), port);
        Go
    }),
    Step::new("get_authority: AF_INET6", "write an IPv6 address in brackets, unless references were joined", |s| {
        if s.is_marked(DIRECT) {
            rewrite(s, Slot::Out(Part::Host), bracketed);
        }
        Go
    }),
    Step::new("get_authority", "write user, password, host, and the port after a host", |s| {
        let text = |part: Part| s.get(Slot::Out(part));
        let password = Some(text(Part::Password)).filter(|it| !it.is_empty()).map(|it| format!(":{it}")).unwrap_or_default();
        let user = format!("{}{password}", text(Part::User));
        let user = if user.is_empty() { user } else { user + "@" };
        let port = s.present(Slot::Out(Part::Port)).filter(|_| !text(Part::Host).is_empty());
        let port = port.map(|port| format!(":{port}")).unwrap_or_default();
        let authority = format!("{user}{}{port}", text(Part::Host));
        s.compose(Slot::Out(Part::Authority), &AUTHORITY.map(Slot::Out));
        s.set(Slot::Out(Part::Authority), Some(authority).filter(|it| !it.is_empty()));
        Go
    }),
    Step::new(
        "to_text: uses_netloc",
        "without an authority, write // after a scheme that has them, unless the path begins so; one that is not known has them if it was read so",
        |s| {
            let has_scheme = !s.get(Slot::Out(Part::Scheme)).is_empty();
            let has_authority = s.present(Slot::Out(Part::Authority)).is_some();
            let begins = s.get(Slot::Out(Part::Path)).starts_with("//");
            if has_scheme && !has_authority && !begins && uses_netloc(s) {
                s.set(Slot::Out(Part::Authority), "");
            }
            Go
        },
    ),
    Step::new("QueryParamDict.to_text", "write the fields of the query anew, decoded but for delimiters, without empty ones", |s| {
        let field = |(key, value): (String, Option<String>)| {
            let key = quoted(&key, b"#[]&=+");
            value.map_or(key.clone(), |value| format!("{key}={}", quoted(&value, b"#[]&=+")))
        };
        rewrite(s, Slot::Out(Part::Query), |query| fields(query).into_iter().map(field).collect::<Vec<_>>().join("&"))
    }),
    Step::new("quote_fragment_part", "encode number signs and brackets in the fragment", |s| {
        rewrite(s, Slot::Out(Part::Fragment), |fragment| quoted(fragment, b"#[]"))
    }),
    Step::new("to_text: if scheme, query_string, fragment", "an empty query and an empty fragment are absent", |s| {
        for part in [Part::Scheme, Part::Query, Part::Fragment] {
            if s.present(Slot::Out(part)) == Some("") {
                s.set(Slot::Out(part), None::<&str>);
            }
        }
        Go
    }),
    Step::new("to_text", "concatenate the components", |s| s.concatenate()),
];

/// Encodes each byte of a text that `keeps` does not accept.
fn encoded_bytes(text: &str, keeps: impl Fn(u8) -> bool) -> String {
    text.bytes().map(|it| if keeps(it) { char::from(it).to_string() } else { format!("%{it:02X}") }).collect()
}

fn bracketed(host: &str) -> String {
    if host.contains(':') { format!("[{host}]") } else { host.to_owned() }
}

/// Returns the port that is written: neither 0 nor the default one of the scheme, or of what follows its last plus sign.
fn written_port(s: &State<'_>) -> Option<String> {
    let scheme = s.get(Slot::Out(Part::Scheme));
    let is_known = PORTS.iter().any(|(name, _)| *name == scheme);
    let default = default_port(if is_known { scheme } else { scheme.rsplit('+').next().unwrap_or_default() });
    s.present(Slot::Out(Part::Port)).filter(|port| *port != "0" && Some(*port) != default).map(str::to_owned)
}

/// `URL.uses_netloc`.
fn uses_netloc(s: &State<'_>) -> bool {
    let scheme = s.get(Slot::Out(Part::Scheme));
    let is_known = |scheme: &str| PORTS.iter().any(|(name, _)| *name == scheme);
    let was_read = s.is_marked(DIRECT) && s.present(Slot::Ref(Part::Authority)).is_some();
    is_known(scheme) || !NO_NETLOC.contains(&scheme) && (scheme.rsplit('+').next().is_some_and(is_known) || was_read)
}

/// `resolve_path_parts`.
fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "." => {}
            ".." if matches!(kept[..], [] | [""]) => {}
            ".." => drop(kept.pop()),
            _ => kept.push(segment),
        }
    }
    if rfc3986::ends_with_dots(path) {
        kept.push("");
    }
    kept.join("/")
}

/// `URL(url)`, and its attributes.
static STATE: &[Step] = &[
    Step::new("URL(url)", "read the URL", |_| Call(INIT, Side::Reference)),
    Step::new("URL.scheme, username, password, host, path, fragment", "state the components, and absent ones as empty", |s| {
        for part in [Part::Scheme, Part::User, Part::Password, Part::Host, Part::Path, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
            if s.present(Slot::Out(part)).is_none() {
                s.set(Slot::Out(part), "");
            }
        }
        s.flow(Slot::Out(Part::Port), Slot::Ref(Part::Port));
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("URL.get_authority()", "state the host, and a port that is neither 0 nor the default one", |s| {
        let host = s.get(Slot::Out(Part::Host));
        let port = written_port(s).filter(|_| !host.is_empty()).map(|port| format!(":{port}")).unwrap_or_default();
        let authority = format!("{}{port}", bracketed(host));
        s.set(Slot::Out(Part::Authority), authority);
        Done
    }),
];
