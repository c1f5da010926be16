//! hyperlink: `URL.from_text(base).click(reference).to_text(with_password=True)`, and the attributes of `URL.from_text(url)`, from 20.0.0 on.
//!
//! Read from `hyperlink/_url.py` of hyperlink 20.0.0 to 21.0.0. Version 17.3.1 has another constructor. If the base is unknown, the reference is
//! written as it was read.

use icu_normalizer::ComposingNormalizerBorrowed;
use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{encoded, folder, until};
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, Witness, no_calls};

use crate::rfc3986;
use crate::urllib;

/// hyperlink.
pub static TABLE: Table = Table {
    engine: "hyperlink",
    first: "20.0.0",
    changes: &[&PLUS],
    dated: &[],
    questions: &[(Question::Resolve, CLICK), (Question::Parse, STATE)],
    called: &[FROM_TEXT],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static PLUS: Change = Change {
    id: "21.0.0",
    versions: &["21.0.0"],
    date: "2021-01-07",
    issue: "",
    says: "a plus sign of the query is not encoded",
    witness: Witness::resolving("http://a/b", "?c+d", Some("http://a/b?c%2Bd"), Some("http://a/b?c+d")),
};

/// `SCHEME_PORT_MAP`.
pub(crate) const PORTS: &[(&str, &str)] = &[
    ("acap", "674"),
    ("afp", "548"),
    ("dict", "2628"),
    ("dns", "53"),
    ("file", ""),
    ("ftp", "21"),
    ("git", "9418"),
    ("gopher", "70"),
    ("http", "80"),
    ("https", "443"),
    ("imap", "143"),
    ("ipp", "631"),
    ("ipps", "631"),
    ("irc", "194"),
    ("ircs", "6697"),
    ("ldap", "389"),
    ("ldaps", "636"),
    ("mms", "1755"),
    ("msrp", "2855"),
    ("msrps", ""),
    ("mtqp", "1038"),
    ("nfs", "111"),
    ("nntp", "119"),
    ("nntps", "563"),
    ("pop", "110"),
    ("prospero", "1525"),
    ("redis", "6379"),
    ("rsync", "873"),
    ("rtsp", "554"),
    ("rtsps", "322"),
    ("rtspu", "5005"),
    ("sftp", "22"),
    ("smb", "445"),
    ("snmp", "161"),
    ("ssh", "22"),
    ("steam", ""),
    ("svn", "3690"),
    ("telnet", "23"),
    ("ventrilo", "3784"),
    ("vnc", "5900"),
    ("wais", "210"),
    ("ws", "80"),
    ("wss", "443"),
    ("xmpp", ""),
];

/// `NO_NETLOC_SCHEMES`.
pub(crate) const NO_NETLOC: &[&str] =
    &["urn", "about", "bitcoin", "blob", "data", "geo", "magnet", "mailto", "news", "pkcs11", "sip", "sips", "tel"];

/// Returns the default port of a scheme, if it has one.
pub(crate) fn default_port(scheme: &str) -> Option<&'static str> {
    PORTS.iter().find(|(name, port)| *name == scheme && !port.is_empty()).map(|(_, port)| *port)
}

/// `from_text` and the constructor, for the base and the reference.
static FROM_TEXT: &[Step] = &[
    Step::new("_URL_RE: scheme", "the text before a first colon is the scheme, if it has no /, ? or #", |s| {
        let given = s.read_text();
        let given = given.as_str();
        let found = given.split_once(':').filter(|(name, _)| !name.is_empty() && !name.contains(['/', '?', '#']));
        s.set(s.own(Part::Scheme), found.map(|(name, _)| name));
        s.rest = found.map_or(given, |(_, rest)| rest).to_owned();
        Go
    }),
    Step::new("_URL_RE: authority", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("_URL_RE", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
    Step::new("_URL_RE: fragment", "drop an end of line at the end of the fragment, and reject one elsewhere in it", |s| {
        let slot = s.own(Part::Fragment);
        let Some(fragment) = s.present(slot) else { return Go };
        let fragment = fragment.strip_suffix('\n').unwrap_or(fragment).to_owned();
        if fragment.contains('\n') {
            return s.reject(slot, "it contains an end of line");
        }
        s.set(slot, fragment);
        Go
    }),
    Step::new("_AUTHORITY_RE: userinfo", "what precedes the first @ of the authority is the user information", |s| {
        let divided = s.present(s.own(Part::Authority)).map(|authority| match authority.split_once('@') {
            Some((user, host)) => (Some(user.to_owned()), host.to_owned()),
            None => (None, authority.to_owned()),
        });
        let (user, host) = divided.map_or((None, None), |(user, host)| (user, Some(host)));
        s.set(s.own(Part::Userinfo), user);
        s.set(s.own(Part::Host), host);
        Go
    }),
    Step::new(
        "_AUTHORITY_RE: host",
        "the host is what brackets contain, without them, or has none and ends at a colon, which the port follows; reject anything else, and an \
         end of line in the port, but drop one at its end",
        |s| {
            let slot = s.own(Part::Host);
            s.set(s.own(Part::Port), None::<&str>);
            let Some(text) = s.present(slot) else { return Go };
            let text = text.to_owned();
            let literal = text.strip_prefix('[').and_then(|rest| rest.split_once(']')).filter(|(host, _)| !host.contains('['));
            let (host, port) = literal.unwrap_or_else(|| until(&text, &[':', '[', ']']));
            let port = match (port.is_empty(), port.strip_prefix(':')) {
                (true, _) => None,
                (false, Some(port)) => Some(port.strip_suffix('\n').unwrap_or(port)),
                (false, None) => return s.reject(slot, "it is not a host"),
            };
            if port.is_some_and(|port| port.contains('\n')) {
                return s.reject(slot, "an end of line is in the port");
            }
            s.set(s.own(Part::Port), port);
            s.set(slot, host);
            Go
        },
    ),
    Step::new("from_text: int(port)", "write the port as a number; reject anything else", |s| {
        let slot = s.own(Part::Port);
        let Some(port) = s.present(slot) else { return Go };
        match urllib::number(port) {
            Some(port) => {
                s.set(slot, port);
                Go
            }
            None => s.reject(slot, "it is not a number"),
        }
    }),
    Step::new("URL: SCHEME_PORT_MAP", "without a port, take the default one of the scheme, if it is known in lower case", |s| {
        let slot = s.own(Part::Port);
        if let (None, Some(port)) = (s.present(slot), default_port(s.get(s.own(Part::Scheme)))) {
            s.set(slot, port);
        }
        Go
    }),
    Step::new("_SCHEME_RE", "reject a scheme with another character than letters, digits, +, -, . and commas, but not an end of line at its end", |s| {
        let slot = s.own(Part::Scheme);
        let scheme = s.get(slot);
        let scheme = scheme.strip_suffix('\n').unwrap_or(scheme);
        match scheme.chars().all(|it| it.is_ascii_alphanumeric() || "+,-.".contains(it)) {
            true => Go,
            false => s.reject(slot, "it has a character that schemes do not have"),
        }
    }),
    Step::new("parse_host", "reject a host with a colon that is not an IPv6 address, and one with NUL", |s| {
        let slot = s.own(Part::Host);
        let host = s.get(slot);
        match host.contains('\0') || host.contains(':') && host.parse::<std::net::Ipv6Addr>().is_err() {
            true => s.reject(slot, "it is not an IPv6 address"),
            false => Go,
        }
    }),
    Step::new("_textcheck: host", "reject a host with @", |s| {
        let slot = s.own(Part::Host);
        if s.get(slot).contains('@') { s.reject(slot, "it contains @") } else { Go }
    }),
    Step::new("URL: path", "write a slash for an empty path between a host and a query", |s| {
        let slot = s.own(Part::Path);
        if s.get(slot).is_empty() && !s.get(s.own(Part::Host)).is_empty() && !s.get(s.own(Part::Query)).is_empty() {
            s.set(slot, "/");
        }
        Go
    }),
];

/// `click` and `to_text`.
static CLICK: &[Step] = &[
    Step::new("URL.from_text: base", "read the base, unless it is unknown", |s| match s.base.is_empty() {
        true => Go,
        false => Call(FROM_TEXT, Side::Base),
    }),
    Step::new("click: from_text", "read the reference", |s| match s.base.is_empty() || !s.reference.is_empty() {
        true => Call(FROM_TEXT, Side::Reference),
        false => Go,
    }),
    Step::new("click: href", "an empty reference is the base", |s| {
        if !s.base.is_empty() && s.reference.is_empty() {
            for part in PARTS {
                s.copy(Slot::Ref(part), Slot::Base(part));
            }
        }
        Go
    }),
    Step::new("click: absolute", "a reference with a scheme and a host is the target, unless it is empty; without a base, any reference is", |s| {
        s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        let has = |part| !s.get(Slot::Ref(part)).is_empty();
        let is_target = has(Part::Scheme) && has(Part::Host) && !s.reference.is_empty() || s.base.is_empty();
        if !is_target {
            return Go;
        }
        for part in [Part::Scheme, Part::Authority, Part::Userinfo, Part::Host, Part::Port] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.set(Slot::Used, "nothing");
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        s.flow(Slot::NoDots, Slot::Merged);
        s.flow(Slot::Out(Part::Path), Slot::NoDots);
        if s.present(Slot::Ref(Part::Authority)).is_some() {
            s.mark(USES_NETLOC);
        }
        To("_encode_path_parts: no scheme")
    }),
    Step::new("click: a rootless path", "reject a reference with a scheme and a path without a slash at its beginning", |s| {
        match s.get(Slot::Ref(Part::Scheme)).is_empty() || is_rooted(s, Slot::Ref) {
            true => Go,
            false => s.reject(Slot::Ref(Part::Path), "it does not begin with a slash"),
        }
    }),
    Step::new("click: scheme", "without a scheme, inherit it", |s| {
        own_or_inherited(s, Part::Scheme);
        if s.get(Slot::Out(Part::Scheme)) == s.get(Slot::Base(Part::Scheme)) && s.present(Slot::Base(Part::Authority)).is_some() {
            s.mark(USES_NETLOC);
        }
        Go
    }),
    Step::new("replace: userinfo", "the user information is that of the base", |s| {
        s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
        s.flow(Slot::Out(Part::Userinfo), Slot::Base(Part::Userinfo));
        Go
    }),
    Step::new("click: host", "without a host, inherit it", |s| {
        if s.get(Slot::Ref(Part::Host)).is_empty() {
            s.inherit(Part::Authority);
        }
        own_or_inherited(s, Part::Host);
        Go
    }),
    Step::new("click: port", "without a port, inherit it; 0 is none", |s| {
        match s.get(Slot::Ref(Part::Port)) {
            "" | "0" => s.flow(Slot::Out(Part::Port), Slot::Base(Part::Port)),
            _ => s.flow(Slot::Out(Part::Port), Slot::Ref(Part::Port)),
        }
        Go
    }),
    Step::new("click: rooted", "a path that begins with a slash is not merged", |s| {
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        if is_rooted(s, Slot::Ref) { To("_resolve_dot_segments") } else { Go }
    }),
    Step::new("click: path", "without a path, inherit the base's, and its query if there is none or an empty one", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        if s.get(Slot::Ref(Part::Query)).is_empty() {
            s.inherit(Part::Query);
        }
        To("_resolve_dot_segments")
    }),
    Step::new("click: path[:-1]", "the path replaces the last segment of the base's", |s| {
        s.inherit_as("folder");
        let folder = folder(s.get(Slot::Base(Part::Path)));
        let folder = if folder.is_empty() && is_rooted(s, Slot::Base) { "/" } else { folder };
        let merged = format!("{folder}{}", s.get(Slot::Ref(Part::Path)));
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new(
        "_resolve_dot_segments",
        "remove each . segment, and each .. with the one before it; a slash remains after a last one",
        |s| {
            let merged = s.get(Slot::Merged);
            let is_rooted = is_rooted(s, Slot::Base) || is_rooted(s, Slot::Ref);
            let (root, path) = match merged.strip_prefix('/').filter(|_| is_rooted) {
                Some(path) => ("/", path),
                None => ("", merged),
            };
            let mut kept: Vec<&str> = Vec::new();
            for segment in path.split('/') {
                match segment {
                    "." => {}
                    ".." => drop(kept.pop()),
                    _ => kept.push(segment),
                }
            }
            if matches!(path.rsplit('/').next(), Some("." | "..")) {
                kept.push("");
            }
            let path = root.to_owned() + &kept.join("/");
            s.flow(Slot::NoDots, Slot::Merged);
            s.set(Slot::NoDots, path);
            s.copy(Slot::Out(Part::Path), Slot::NoDots);
            Go
        },
    ),
    Step::new("replace: path", "write a slash for an empty path between a host and a query", |s| {
        let has = |part| !s.get(Slot::Out(part)).is_empty();
        if !has(Part::Path) && has(Part::Host) && has(Part::Query) {
            s.set(Slot::Out(Part::Path), "/");
        }
        Go
    }),
    Step::new("replace: scheme_uses_netloc", "slashes follow another scheme if it, or what follows its last plus sign, is known to have them", |s| {
        let scheme = s.get(Slot::Out(Part::Scheme)).to_ascii_lowercase();
        if s.get(Slot::Out(Part::Scheme)) != s.get(Slot::Base(Part::Scheme)) {
            let is_known = |scheme: &str| PORTS.iter().any(|(name, _)| *name == scheme);
            let end = scheme.rsplit('+').next().unwrap_or_default();
            if is_known(&scheme) || !NO_NETLOC.contains(&scheme.as_str()) && is_known(end) {
                s.mark(USES_NETLOC);
            }
        }
        Go
    }),
    Step::new(
        "replace: rooted",
        "a slash begins the path if one begins the base's, or after a host, or after a port that is not the default one",
        |s| {
            let port = s.present(Slot::Out(Part::Port)).filter(|port| *port != "0");
            let has_port = port.is_some() && port != default_port(s.get(Slot::Out(Part::Scheme)));
            if has_port || !s.get(Slot::Out(Part::Host)).is_empty() || is_rooted(s, Slot::Base) {
                return Go;
            }
            let path = s.get(Slot::Out(Part::Path));
            let path = path.strip_prefix('/').filter(|_| is_rooted(s, Slot::Ref)).unwrap_or(path).to_owned();
            if !path.is_empty() && !path.starts_with('/') {
                s.unmark(USES_NETLOC);
            }
            s.set(Slot::Out(Part::Path), path);
            Go
        },
    ),
    Step::new("_encode_path_parts: no scheme", "without a scheme, encode what a first segment cannot contain, in NFC", |s| {
        let path = s.get(Slot::Out(Part::Path));
        if s.get(Slot::Out(Part::Scheme)).is_empty() {
            let (first, rest) = until(path, &['/']);
            let first = ComposingNormalizerBorrowed::new_nfc().normalize(first);
            let is_kept = |it: u8| it.is_ascii_alphanumeric() || b"~-._!$&'()*+,;=%@".contains(&it);
            let path = encoded(&first, is_kept) + rest;
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    }),
    Step::new("_encode_path_part", "encode brackets in the path", |s| encode(s, Part::Path, b"[]")),
    Step::new("_encode_query_value: +", "encode plus signs in the query", |s| encode(s, Part::Query, b"+")).until(&PLUS),
    Step::new("_encode_query_key, _encode_query_value", "encode brackets in the query", |s| encode(s, Part::Query, b"[]")),
    Step::new("authority: port", "do not write the default port of the scheme", |s| {
        let port = s.present(Slot::Out(Part::Port));
        if port.is_some() && port == default_port(s.get(Slot::Out(Part::Scheme))) {
            s.set(Slot::Out(Part::Port), None::<&str>);
        }
        Go
    }),
    Step::new("authority", "write user information, host and port, and brackets around a host with a colon", |s| {
        let parts = [Part::Userinfo, Part::Host, Part::Port].map(Slot::Out);
        let authority = authority(s);
        s.compose(Slot::Out(Part::Authority), &parts);
        s.set(Slot::Out(Part::Authority), Some(authority).filter(|authority| !authority.is_empty()));
        Go
    }),
    Step::new("to_text: uses_netloc", "without an authority, write // after a scheme that has them, unless the path begins so", |s| {
        let has_scheme = !s.get(Slot::Out(Part::Scheme)).is_empty();
        let has_authority = s.present(Slot::Out(Part::Authority)).is_some();
        if s.is_marked(USES_NETLOC) && has_scheme && !has_authority && !s.get(Slot::Out(Part::Path)).starts_with("//") {
            s.set(Slot::Out(Part::Authority), "");
        }
        Go
    }),
    Step::new("to_text: query_string, fragment", "write no ? before an empty query and no # before an empty fragment", |s| {
        for part in [Part::Scheme, Part::Query, Part::Fragment] {
            if s.get(Slot::Out(part)).is_empty() {
                s.set(Slot::Out(part), None::<&str>);
            }
        }
        Go
    }),
    Step::new("to_text", "concatenate the components", |s| s.concatenate()),
];

const PARTS: [Part; 8] = [
    Part::Scheme,
    Part::Authority,
    Part::Userinfo,
    Part::Host,
    Part::Port,
    Part::Path,
    Part::Query,
    Part::Fragment,
];

/// The mark of a target with slashes after its scheme.
const USES_NETLOC: &str = "hyperlink: slashes follow the scheme";

/// `URL.from_text(url)`, and its attributes.
static STATE: &[Step] = &[
    Step::new("from_text", "read the URL", |_| Call(FROM_TEXT, Side::Reference)),
    Step::new("scheme, userinfo, host, port, fragment", "state the components, and absent ones but the port as empty", |s| {
        for part in [Part::Scheme, Part::Userinfo, Part::Host, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
            if s.present(Slot::Out(part)).is_none() {
                s.set(Slot::Out(part), "");
            }
        }
        s.flow(Slot::Out(Part::Port), Slot::Ref(Part::Port));
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("authority()", "state user information, host and a port that is not the default one", |s| {
        let authority = authority(s);
        s.set(Slot::Out(Part::Authority), authority);
        Done
    }),
];

/// Returns the authority of what is written.
fn authority(s: &State<'_>) -> String {
    let user = Some(s.get(Slot::Out(Part::Userinfo))).filter(|user| !user.is_empty());
    let user = user.map(|user| format!("{user}@")).unwrap_or_default();
    let port = s.present(Slot::Out(Part::Port)).filter(|port| Some(*port) != default_port(s.get(Slot::Out(Part::Scheme))));
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    let host = s.get(Slot::Out(Part::Host));
    if host.contains(':') { format!("{user}[{host}]{port}") } else { format!("{user}{host}{port}") }
}

/// Returns whether a side has a path with a slash at its beginning, or none after an authority.
fn is_rooted(s: &State<'_>, of: fn(Part) -> Slot) -> bool {
    let path = s.get(of(Part::Path));
    path.starts_with('/') || path.is_empty() && !s.get(of(Part::Authority)).is_empty()
}

/// Takes a component of the reference, or of the base if that is empty.
fn own_or_inherited(s: &mut State<'_>, part: Part) {
    match s.get(Slot::Ref(part)).is_empty() {
        true if part == Part::Scheme => s.inherit(part),
        true => s.flow(Slot::Out(part), Slot::Base(part)),
        false => s.flow(Slot::Out(part), Slot::Ref(part)),
    }
}

fn encode(s: &mut State<'_>, part: Part, bytes: &[u8]) -> Next {
    let slot = Slot::Out(part);
    let text = s.present(slot).map(|text| encoded(text, |it| !bytes.contains(&it)));
    s.set(slot, text);
    Go
}
