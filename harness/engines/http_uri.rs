//! `http::Uri`, which several clients of Rust parse URLs with: the parts of a URL.
//!
//! Read from `src/uri/mod.rs`, `scheme.rs`, `authority.rs` and `path.rs` of the crate http 0.2.12 and 1.5.0.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, until};
use urlstrata_steps::{Next, Next::*, State, Step};

const TEXT: Slot = Slot::Ref(Part::Text);
const SCHEME: Slot = Slot::Ref(Part::Scheme);
const AUTHORITY: Slot = Slot::Ref(Part::Authority);

/// The mark of the crate http 0.2.
pub(crate) const VERSION_0_2: &str = "http 0.2";

/// `Uri::from_shared`, and the methods that return the parts of a URI.
pub(crate) static PARSE: &[Step] = &[
    Step::new("Uri::from_shared: MAX_LEN", "reject a URI of more than 65534 bytes", |s| {
        match s.get(TEXT).len() > 65_534 {
            true => s.reject(TEXT, "it is too long"),
            false => Go,
        }
    }),
    Step::new(
        "Uri::from_shared: /",
        "reject an empty URI; one that is only * or begins with a slash has no authority, which clients need",
        |s| match s.get(TEXT) == "*" || s.get(TEXT).is_empty() || s.get(TEXT).starts_with('/') {
            true => s.reject(AUTHORITY, "the authority is missing"),
            false => Go,
        },
    ),
    Step::new(
        "Scheme2::parse",
        "up to 64 letters, digits, +, -, . and ~ before :// are the scheme; reject a longer one",
        |s| {
            let text = s.get(TEXT).to_owned();
            let is_of_scheme = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'+' | b'-' | b'.' | b'~');
            let found = text.split_once("://").filter(|(name, _)| name.bytes().all(is_of_scheme));
            let (name, rest) = found.map_or((None, text.as_str()), |(name, rest)| (Some(name), rest));
            s.set(SCHEME, name);
            s.rest = rest.to_owned();
            match name.is_some_and(|name| name.len() > 64) {
                true => s.reject(SCHEME, "it is too long"),
                false => Go,
            }
        },
    ),
    Step::new(
        "Authority::parse: URI_CHARS",
        "the authority ends at /, ? or #; reject characters that no URI has in it, but percent signs",
        |s| {
            let rest = std::mem::take(&mut s.rest);
            let (authority, rest) = until(&rest, &['/', '?', '#']);
            s.set(AUTHORITY, authority);
            s.rest = rest.to_owned();
            match authority.bytes().all(|it| it.is_ascii_alphanumeric() || b"!$&'()*+,-.:;=@[]_~%".contains(&it)) {
                true => Go,
                false => s.reject(AUTHORITY, "a character that no URI has"),
            }
        },
    ),
    Step::new(
        "Authority::parse: brackets",
        "reject an authority with two [ or ], with one of them alone, or with a % that precedes [ and no @ follows",
        |s| {
            let authority = s.get(AUTHORITY);
            let (start, end) = (authority.find('['), authority.find(']'));
            let is_single = authority.matches('[').count() < 2 && authority.matches(']').count() < 2;
            let is_escaped = start.is_some_and(|start| {
                let before = &authority[..start];
                before.rsplit('@').next().is_some_and(|it| it.contains('%'))
            });
            match is_single && start.is_some() == end.is_some() && start <= end && !is_escaped {
                true => Go,
                false => s.reject(AUTHORITY, "its brackets are wrong"),
            }
        },
    ),
    Step::new(
        "Authority::parse: colon_cnt",
        "reject an authority with two colons, or more than eight in brackets; those before an @ or ] do not count",
        |s| {
            let pieces: Vec<&str> = s.get(AUTHORITY).split_inclusive(['@', ']']).collect();
            let has_many = pieces.iter().any(|piece| piece.matches(':').count() > 8);
            let last = pieces.last().filter(|piece| !piece.ends_with(['@', ']']));
            match has_many || last.is_some_and(|piece| piece.matches(':').count() > 1) {
                true => s.reject(AUTHORITY, "it has too many colons"),
                false => Go,
            }
        },
    ),
    Step::new("Authority::parse: at_sign_pos", "reject an authority that is empty or ends in @", |s| {
        match s.get(AUTHORITY) {
            authority if authority.is_empty() || authority.ends_with('@') => s.reject(AUTHORITY, "the host is missing"),
            _ => Go,
        }
    }),
    Step::new("Authority::parse: has_percent", "reject an authority with a percent sign after its last @ or ]", |s| {
        match s.get(AUTHORITY).rsplit(['@', ']']).next().is_some_and(|it| it.contains('%')) {
            true => s.reject(AUTHORITY, "a percent sign in the host"),
            false => Go,
        }
    }),
    Step::new("parse_full: no scheme", "without a scheme, reject anything that follows the authority", |s| {
        match s.present(SCHEME) {
            None if !s.rest.is_empty() => s.reject(SCHEME, "the scheme is missing"),
            _ => Go,
        }
    }),
    Step::new(
        "PathAndQuery::from_shared",
        "reject a path or a query with a space, a control character, < or >, a path with a backtick, and a query with a double quote; 0.2 also rejects what is outside ASCII",
        path_and_query,
    ),
    Step::new(
        "Uri::host, Uri::port",
        "the host, which may be in brackets, follows the last @; the part after the last colon is the port if it is a number up to 65535",
        |s| {
            let server = s.get(AUTHORITY).rsplit('@').next().unwrap_or_default();
            let host = match server.find(']').filter(|_| server.starts_with('[')) {
                Some(end) => &server[..=end],
                None => cut(server, ":").0,
            };
            let port = s.get(AUTHORITY).rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok());
            let (host, port) = (host.to_owned(), port.map(|port| port.to_string()));
            s.set(Slot::Out(Part::Host), host);
            s.set(Slot::Out(Part::Port), port);
            let scheme =
                s.present(SCHEME).map(str::to_ascii_lowercase).filter(|it| matches!(it.as_str(), "http" | "https"));
            s.flow(Slot::Out(Part::Scheme), SCHEME);
            if scheme.is_some() {
                s.set(Slot::Out(Part::Scheme), scheme);
            }
            s.set(Slot::Result, s.reference);
            Go
        },
    ),
];

fn path_and_query(s: &mut State<'_>) -> Next {
    let rest = std::mem::take(&mut s.rest);
    let (path, query) = cut(cut(&rest, "#").0, "?");
    let is_old = s.is_marked(VERSION_0_2);
    let is_valid = |it: u8, others: &[u8]| match it {
        0x80.. => !is_old,
        _ => it > b' ' && it != 0x7f && !others.contains(&it),
    };
    s.set(Slot::Ref(Part::Path), path);
    s.set(Slot::Ref(Part::Query), query);
    let is_path = path.bytes().all(|it| is_valid(it, b"<>`"));
    match is_path && query.unwrap_or_default().bytes().all(|it| is_valid(it, b"\"<>")) {
        true => Go,
        false => s.reject(Slot::Ref(Part::Path), "a character that must be escaped"),
    }
}
