//! yarl: `URL(base).join(URL(reference))`, from 1.9.4 on.
//!
//! Read from `_url.py`, `_parse.py`, `_path.py` and `_quoting_py.py` of yarl 1.9.4 to 1.25.1. It reads and normalizes the base and the reference
//! alike. Before 1.16 it splits with `urlsplit`, and before 1.9.10 it joins the texts with `urljoin` of the Python that runs it: that of the
//! recordings is 3.11.7. What 1.9.5 alone did with empty segments is not described. Nothing distinguishes an empty component from an absent one.

mod changes;

use std::net::{IpAddr, Ipv6Addr};

use icu_normalizer::ComposingNormalizerBorrowed;
use idna::uts46::{AsciiDenyList, Hyphens, Uts46};
use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{components, concatenated, cut, encoded, folder, is_escape};
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table};

use crate::okhttp::idna_2003::python_codec;
use crate::{httpx, rfc3986, urllib};
use changes::*;

/// yarl.
pub static TABLE: Table = Table {
    engine: "yarl",
    first: "1.9.4",
    changes: &[
        &DEFAULT_PORT,
        &JOIN,
        &ROOT,
        &NETLOC,
        &NO_HOST,
        &BRACKETS,
        &ZERO,
        &LIKELY_ADDRESS,
        &NO_NETLOC,
        &TWO_SLASHES,
        &LOWER,
        &SPLIT_URL,
        &BEFORE_BRACKET,
        &BACKSLASH,
        &COLON,
        &AFTER_BRACKET,
        &PERCENT,
        &IGNORABLE,
    ],
    dated: &[],
    questions: &[(Question::Resolve, STEPS)],
    called: &[SPLIT, ENCODE, STR],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |_| vec![(&urllib::TABLE, urllib::RECORDED.to_owned())],
};

/// `uses_relative` and `uses_netloc` of `urllib.parse`.
const RELATIVE: &[&str] = &[
    "", "ftp", "http", "gopher", "nntp", "imap", "wais", "file", "https", "shttp", "mms", "prospero", "rtsp", "rtspu",
    "sftp", "svn", "svn+ssh", "ws", "wss",
];
const NETLOC_SCHEMES: &[&str] = &[
    "ftp", "http", "gopher", "nntp", "telnet", "imap", "wais", "file", "mms", "https", "shttp", "snews", "prospero",
    "rtsp", "rtspu", "rsync", "svn", "svn+ssh", "sftp", "nfs", "git", "git+ssh", "ws", "wss",
];

/// The mark while the target is written; before, `__str__` writes the base or the reference.
const TARGET: &str = "yarl: the target is written";
/// The mark of a target that `join` made of two URLs, whose authority is read again.
const JOINED: &str = "yarl: the target is joined";

/// Returns the slot of a part of the URL that `__str__` writes.
fn own(s: &State<'_>, part: Part) -> Slot {
    if s.is_marked(TARGET) { Slot::Out(part) } else { s.own(part) }
}

/// `split_url`, for the base or the reference.
static SPLIT: &[Step] = &[
    Step::new("split_url", "remove control characters and spaces before the URL, and tabs and ends of lines everywhere", |s| {
        s.rest = s.given().trim_start_matches(|it: char| it <= ' ').replace(['\t', '\r', '\n'], "");
        s.trim_start(|it| it <= ' ');
        Go
    }),
    Step::new("split_url: scheme", "letters, digits, +, - and . before a colon are the scheme, in lower case", |s| {
        let rest = std::mem::take(&mut s.rest);
        let found = rest.split_once(':').filter(|(name, _)| is_scheme(name));
        s.set(s.own(Part::Scheme), found.map(|(name, _)| name.to_ascii_lowercase()));
        s.rest = found.map_or(rest.as_str(), |(_, rest)| rest).to_owned();
        Go
    }),
    Step::new("split_url: netloc", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("split_url: backslash", "reject an authority with a backslash", |s| {
        reject_authority(s, |authority| authority.contains('\\'), "it contains a backslash")
    })
    .since(&BACKSLASH),
    Step::new("split_url: brackets", "reject an authority that has only one of [ and ]", |s| {
        reject_authority(s, |it| it.contains('[') != it.contains(']'), "one bracket is missing")
    }),
    Step::new("split_url: hostinfo", "reject a host with a bracket that is not its beginning, or with two [ or ]", |s| {
        let is_wrong = |authority: &str| {
            let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
            authority.contains('[')
                && (!host.starts_with('[') || host.matches('[').count() > 1 || host.matches(']').count() > 1)
        };
        reject_authority(s, is_wrong, "the host has a bracket inside")
    })
    .since(&BEFORE_BRACKET),
    Step::new("split_url: after_bracket", "reject what follows the brackets if it is not a colon and a port", |s| {
        let is_wrong = |authority: &str| {
            let after = authority.rsplit_once(']').map_or("", |(_, after)| after);
            !after.is_empty() && !after.starts_with(':')
        };
        reject_authority(s, is_wrong, "something follows a bracket")
    })
    .since(&AFTER_BRACKET),
    Step::new("split_url: bracketed_host", "reject brackets that contain neither a colon nor v, hexadecimal digits, a dot and more", |s| {
        let is_read = s.has(&BEFORE_BRACKET);
        let is_wrong = |authority: &str| {
            let server = authority.rsplit_once('@').map_or(authority, |(_, server)| server);
            let host = if is_read { server } else { authority }.split_once('[').map(|(_, rest)| cut(rest, "]").0);
            host.is_some_and(|host| match host.strip_prefix('v').map(|later| cut(later, ".")) {
                Some((number, rest)) => {
                    number.is_empty()
                        || !number.bytes().all(|it| it.is_ascii_hexdigit())
                        || rest.is_none_or(str::is_empty)
                }
                None => !host.contains(':'),
            })
        };
        reject_authority(s, is_wrong, "brackets do not contain an IPv6 address")
    }),
    Step::new("split_url: query, fragment", "the part up to ? or # is the path, then up to # the query, then the fragment", rfc3986::cut_path),
    Step::new(
        "_check_netloc",
        "reject an authority outside ASCII whose compatible form (NFKC) has a delimiter that it did not have",
        |s| reject_authority(s, |it| has_delimiter(it, "/?#@:"), "normalization makes a delimiter of one of its characters"),
    )
    .since(&SPLIT_URL)
    .until(&PERCENT),
    Step::new(
        "_check_netloc: %",
        "reject an authority outside ASCII whose compatible form (NFKC) has a delimiter that it did not have, or a percent sign",
        |s| reject_authority(s, |it| has_delimiter(it, "/?#@:%"), "normalization makes a delimiter of one of its characters"),
    )
    .since(&PERCENT),
];

/// `encode_url`, for the base or the reference.
pub(crate) static ENCODE: &[Step] = &[
    Step::new("URL.__new__: urlsplit", "split the URL as `urlsplit` does", |s| Call(urllib::SPLIT, s.side)).until(&SPLIT_URL),
    Step::new("encode_url: split_url", "split the URL", |s| Call(SPLIT, s.side)).since(&SPLIT_URL),
    Step::new("URL.__new__: host", "reject an authority whose host is empty", |s| require_host(s, |_| true)).until(&NO_HOST),
    Step::new("encode_url: SCHEME_REQUIRES_HOST", "reject an authority whose host is empty if the scheme is ftp, http, https, ws or wss", |s| {
        require_host(s, |scheme| matches!(scheme, "ftp" | "http" | "https" | "ws" | "wss"))
    })
    .since(&NO_HOST),
    Step::new("URL.__new__: port", "reject a port that is not digits up to 65535", |s| {
        write_port(s, |port| port.bytes().all(|it| it.is_ascii_digit()).then(|| urllib::number(port))?)
    })
    .until(&NETLOC),
    Step::new("split_netloc: int", "write the port as a number; reject one that `int` does not read, or that is above 65535", |s| {
        write_port(s, urllib::number)
    })
    .since(&NETLOC),
    Step::new("_encode_host: ip_address, any", "write an IPv6 address in short form and brackets; a host with a zone may be one of IPv4", |s| {
        write_host(s, address)
    })
    .until(&LIKELY_ADDRESS),
    Step::new(
        "_encode_host: ip_address",
        "write an IPv6 address in short form and brackets; a host of IPv4 with a zone that ends in a digit keeps its case",
        |s| write_host(s, likely_address),
    )
    .since(&LIKELY_ADDRESS),
    Step::new("_encode_host: lower", "write a host of ASCII in lower case; brackets, which split_netloc has removed, are written only around an IPv6 address", |s| {
        let read: fn(&str) -> Option<String> = if s.has(&LIKELY_ADDRESS) { likely_address } else { address };
        write_host(s, |host| (host.is_ascii() && read(host).is_none()).then(|| host.to_ascii_lowercase()))
    }),
    Step::new("_encode_host: lower_host", "write a host outside ASCII in lower case", |s| {
        write_host(s, |host| (!host.is_ascii()).then(|| host.to_lowercase()))
    })
    .until(&LOWER),
    Step::new("_encode_host: default-ignorable", "reject a host with a character that IDNA drops", |s| {
        reject_authority(s, |it| !host_of(it).is_ascii() && host_of(it).contains(is_ignorable), "IDNA drops one of its characters")
    })
    .since(&IGNORABLE),
    Step::new("_idna_encode", "convert a host outside ASCII by IDNA 2008 after UTS 46 maps it, or else by IDNA 2003", |s| {
        let slot = s.own(Part::Authority);
        match s.present(slot).map(host_of).filter(|host| !host.is_ascii()).map(idna) {
            None => Go,
            Some(Some(ascii)) => write_host(s, |_| Some(ascii.clone())),
            Some(None) => s.reject(slot, "the host is not one of IDNA"),
        }
    }),
    Step::new("REQUOTER", "requote the user and the password; split_netloc has dropped an empty user without a password, and its @", |s| {
        let slot = s.own(Part::Authority);
        let (user, server) = s.get(slot).rsplit_once('@').unwrap_or(("", s.get(slot)));
        let (user, password) = cut(user, ":");
        let user = requoted(user, "", "", false);
        let authority = match password.map(|it| requoted(it, "", "", false)) {
            Some(password) => format!("{user}:{password}@{server}"),
            None if user.is_empty() => server.to_owned(),
            None => format!("{user}@{server}"),
        };
        if !authority.is_empty() || s.present(slot).is_some() {
            s.set(slot, authority);
        }
        Go
    }),
    Step::new("PATH_REQUOTER", "requote the path: decode the escapes of characters that need none, but not those of / and +; write the other escapes with capital digits, and encode other characters", |s| {
        requote(s, Part::Path, "@:", "/+", false)
    }),
    Step::new("normalize_path", "with an authority, remove . segments, and .. segments with those before them", |s| {
        let slot = s.own(Part::Path);
        if !s.get(s.own(Part::Authority)).is_empty() {
            let path = normalized(s.get(slot));
            s.set(slot, path);
        }
        Go
    }),
    Step::new("_encode_relative_scheme_colon", "percent-encode the first colon of a relative path if what precedes it is a scheme", |s| {
        let (path, scheme, authority) = (s.own(Part::Path), s.own(Part::Scheme), s.own(Part::Authority));
        encode_colon(s, path, [scheme, authority])
    })
    .since(&COLON),
    Step::new("QUERY_REQUOTER", "requote the query, but do not decode the escapes of =, +, & and ;, write escapes with capital digits, and a space as +", |s| {
        requote(s, Part::Query, "?/:@", "=+&;", true)
    }),
    Step::new("FRAGMENT_REQUOTER", "requote the fragment: decode the escapes of characters that need none, write the others with capital digits, and encode other characters", |s| requote(s, Part::Fragment, "?/:@", "", false)),
];

/// `URL.__str__`: for the base and the reference before `urljoin`, or for the target.
static STR: &[Step] = &[
    Step::new("URL.__str__: path", "write a slash for an empty path between an authority and a query or fragment", |s| {
        let path = own(s, Part::Path);
        let follows = !s.get(own(s, Part::Query)).is_empty() || !s.get(own(s, Part::Fragment)).is_empty();
        let authority = s.get(own(s, Part::Authority));
        let is_absolute = if s.has(&JOIN) { !authority.is_empty() } else { !host_of(authority).is_empty() };
        if s.get(path).is_empty() && is_absolute && follows {
            s.set(path, "/");
        }
        Go
    }),
    Step::new("URL.__str__: explicit_port", "reject a joined URL in which something other than a port follows the first colon after the user", |s| {
        let slot = own(s, Part::Authority);
        let port = Server::of(s.get(slot)).port;
        let is_port = |port: &str| urllib::number(port).is_some_and(|number| number.parse::<u16>().is_ok());
        match s.is_marked(JOINED) && port.as_deref().is_some_and(|port| !port.is_empty() && !is_port(port)) {
            true => s.reject(slot, "what follows the host is not a port"),
            false => Go,
        }
    })
    .since(&DEFAULT_PORT),
    Step::new("URL.__str__: port", "write no default port of the scheme, and then brackets around a host with a colon", |s| {
        let slot = own(s, Part::Authority);
        let Server { user, host, port } = Server::of(s.get(slot));
        // Only a joined URL is divided again: its brackets are written around an IPv6 address only.
        let server = s.get(slot)[user.len()..].rsplit_once(':').filter(|_| s.has(&BRACKETS) && !s.is_marked(JOINED));
        let (host, port) = match server.filter(|(host, _)| host.contains(':') && !host.starts_with('[')) {
            Some((host, port)) => (format!("[{host}]"), Some(port.to_owned())),
            None => (host, port),
        };
        let default = match s.get(own(s, Part::Scheme)) {
            "http" | "ws" => "80",
            "https" | "wss" => "443",
            "ftp" if s.has(&NO_HOST) => "21",
            _ => return Go,
        };
        if port.as_deref() == Some(default) {
            // A joined URL has no host if it is empty, and then no user.
            let is_absent = s.is_marked(JOINED) && host.is_empty();
            s.set(slot, if is_absent { String::new() } else { user + &host });
        }
        Go
    })
    .since(&DEFAULT_PORT),
    Step::new("URL._get_port", "write no port 0, and no colon without a port", |s| {
        let slot = own(s, Part::Authority);
        let Server { user, host, port } = Server::of(s.get(slot));
        if matches!(port.as_deref(), Some("0" | "")) {
            s.set(slot, format!("{user}{host}"));
        }
        Go
    })
    .since(&DEFAULT_PORT)
    .until(&ZERO),
    Step::new("make_netloc: host", "write no user if a joined URL has neither a host nor a port", |s| {
        let slot = own(s, Part::Authority);
        let Server { host, port, .. } = Server::of(s.get(slot));
        if s.is_marked(JOINED) && host.is_empty() && port.is_none() {
            s.set(slot, "");
        }
        Go
    })
    .since(&DEFAULT_PORT)
    .until(&NO_NETLOC),
    Step::new("URL.__str__: raw_host", "write no brackets around an address without a port", |s| {
        let slot = own(s, Part::Authority);
        let Server { user, host, port } = Server::of(s.get(slot));
        if let (Some(address), None) = (host.strip_prefix('['), port) {
            let authority = format!("{user}{}", cut(address, "]").0);
            s.set(slot, authority);
        }
        Go
    })
    .since(&DEFAULT_PORT)
    .until(&BRACKETS),
    Step::new("urlunsplit", "write // before an authority, and before a path that does not begin with // if the scheme has authorities", |s| {
        let is_written = has_authorities(s) && !s.get(own(s, Part::Path)).starts_with("//");
        unsplit(s, is_written)
    })
    .until(&TWO_SLASHES),
    Step::new("unsplit_result", "write // before an authority, before a path that begins with //, and before any path if the scheme has authorities", |s| {
        let is_written = has_authorities(s) || s.get(own(s, Part::Path)).starts_with("//");
        unsplit(s, is_written)
    })
    .since(&TWO_SLASHES),
    Step::new("unsplit_result: query, fragment", "write no empty query and no empty fragment", |s| {
        for part in [Part::Query, Part::Fragment] {
            let slot = own(s, part);
            if s.get(slot).is_empty() {
                s.set(slot, None::<&str>);
            }
        }
        Go
    }),
];

/// `URL.join`.
pub(crate) static STEPS: &[Step] = &[
    Step::new("URL: base", "read the base, unless it is unknown", |s| match s.base.is_empty() {
        true => Go,
        false => Call(ENCODE, Side::Base),
    }),
    Step::new("URL: reference", "read the reference", |_| Call(ENCODE, Side::Reference)),
    Step::new("URL", "without a known base, the reference is the target", |s| {
        if s.base.is_empty() {
            return take_reference(s);
        }
        Go
    }),
    Step::new("URL.join: str(self)", "write the base", |_| Call(STR, Side::Base)).until(&JOIN),
    Step::new("URL.join: str(url)", "write the reference", |_| Call(STR, Side::Reference)).until(&JOIN),
    Step::new("URL.join: urljoin", "join the two texts", |s| {
        for (of, mark) in
            [(Slot::Base as fn(Part) -> Slot, urllib::BASE_IN_SLOT), (Slot::Ref, urllib::REFERENCE_IN_SLOT)]
        {
            let text = concatenated(Part::COMPONENTS.map(|part| s.present(of(part))));
            s.set(of(Part::Text), text);
            s.mark(mark);
        }
        Call(urllib::URLJOIN, Side::Reference)
    })
    .until(&JOIN),
    Step::new("URL.join: URL", "read the joined text", |s| {
        let joined = s.get(Slot::Result).to_owned();
        read_again(s, &joined);
        s.mark(JOINED);
        To(STRING)
    })
    .until(&JOIN),
    Step::new("URL.join: scheme", "the reference is the target if its scheme is not the base's, or not one with relative references; without a scheme, inherit that", |s| {
        let scheme = s.present(Slot::Ref(Part::Scheme)).unwrap_or(s.get(Slot::Base(Part::Scheme)));
        if scheme != s.get(Slot::Base(Part::Scheme)) || !RELATIVE.contains(&scheme) {
            return take_reference(s);
        }
        s.mark(JOINED);
        match s.present(Slot::Ref(Part::Scheme)) {
            Some(_) => s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme)),
            None => s.inherit(Part::Scheme),
        }
        Go
    }),
    Step::new("URL.join: join_netloc", "a reference with an authority that is not empty inherits only the scheme, any other one the authority, too", |s| {
        for part in [Part::Authority, Part::Path, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        match s.get(Slot::Ref(Part::Authority)).is_empty() {
            true => s.inherit(Part::Authority),
            false => return To(STRING),
        }
        Go
    }),
    Step::new("URL.join: orig_path", "without a path, inherit the base's, and its query and its fragment if that of the reference is empty or absent", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit(Part::Path);
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        for part in [Part::Query, Part::Fragment] {
            if s.get(Slot::Ref(part)).is_empty() {
                s.inherit(part);
            }
        }
        To(FROM_PARTS)
    }),
    Step::new("URL.join: join_path[0] == \"/\"", "a path that begins with a slash is not merged", |s| {
        match s.get(Slot::Ref(Part::Path)).starts_with('/') {
            true => To(NORMALIZE),
            false => Go,
        }
    }),
    Step::new("URL.join: not orig_path", "a path follows a slash if the base has none", |s| {
        if !s.get(Slot::Base(Part::Path)).is_empty() {
            return Go;
        }
        let merged = format!("/{}", s.get(Slot::Ref(Part::Path)));
        s.set(Slot::Merged, merged);
        To(NORMALIZE)
    })
    .since(&ROOT),
    Step::new("URL.join: parts", "the path follows the base's up to its last slash, which is decoded if anything follows that slash", |s| {
        let base = s.get(Slot::Base(Part::Path));
        let before = if base.ends_with('/') { base.to_owned() } else { decoded(folder(base)) };
        let merged = before + s.get(Slot::Ref(Part::Path));
        s.inherit_as("folder");
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new(NORMALIZE, "remove . segments, and .. segments with those before them", |s| {
        let path = normalized(s.get(Slot::Merged));
        s.flow(Slot::NoDots, Slot::Merged);
        s.set(Slot::NoDots, path);
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        Go
    }),
    Step::new(FROM_PARTS, "percent-encode the first colon of a relative path if what precedes it is a scheme", |s| {
        encode_colon(s, Slot::Out(Part::Path), [Slot::Out(Part::Scheme), Slot::Out(Part::Authority)])
    })
    .since(&COLON),
    Step::new(STRING, "write the target", |s| {
        s.mark(TARGET);
        Call(STR, Side::Reference)
    }),
    Step::new("URL.__str__", "concatenate the components", |s| s.concatenate()),
];

const NORMALIZE: &str = "URL.join: normalize_path";
const FROM_PARTS: &str = "from_parts";
const STRING: &str = "str";

fn take_reference(s: &mut State<'_>) -> Next {
    s.set(Slot::Used, "nothing");
    for part in Part::COMPONENTS {
        s.flow(Slot::Out(part), Slot::Ref(part));
    }
    To(STRING)
}

/// Reads the components of the target from the text that `urljoin` returned.
fn read_again(s: &mut State<'_>, joined: &str) {
    let found = joined.split_once(':').filter(|(name, _)| is_scheme(name) && name.starts_with(|it: char| it.is_ascii_alphabetic()));
    let rest = found.map_or(joined, |(_, rest)| rest);
    let [_, authority, path, query, fragment] = components(&format!("s:{rest}")).map(|it| it.map(str::to_owned));
    let scheme = found.map(|(name, _)| name.to_ascii_lowercase());
    for (part, value) in Part::COMPONENTS.into_iter().zip([scheme, authority, path, query, fragment]) {
        s.set(Slot::Out(part), value);
    }
}

fn is_scheme(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'+' | b'-' | b'.'))
}

fn reject_authority(s: &mut State<'_>, is_wrong: impl Fn(&str) -> bool, why: &str) -> Next {
    let slot = s.own(Part::Authority);
    match is_wrong(s.get(slot)) {
        true => s.reject(slot, why),
        false => Go,
    }
}

/// Returns whether the compatible form of an authority outside ASCII has one of `delimiters`.
fn has_delimiter(authority: &str, delimiters: &str) -> bool {
    let kept = authority.replace(['@', ':', '#', '?'], "");
    let normal = ComposingNormalizerBorrowed::new_nfkc().normalize(&kept);
    !authority.is_ascii() && normal != kept && normal.contains(|it| delimiters.contains(it))
}

/// An authority, divided.
struct Server {
    /// The user and the password, with the at sign.
    user: String,
    /// The host, with brackets.
    host: String,
    /// What follows the first colon after the host.
    port: Option<String>,
}

impl Server {
    fn of(authority: &str) -> Self {
        let (user, rest) = authority.split_at(authority.rfind('@').map_or(0, |at| at + 1));
        let (host, port) = match rest.split_once('[') {
            Some((_, bracketed)) => {
                let (host, after) = cut(bracketed, "]");
                (format!("[{host}]"), cut(after.unwrap_or_default(), ":").1)
            }
            None => {
                let (host, port) = cut(rest, ":");
                (host.to_owned(), port)
            }
        };
        Self { user: user.to_owned(), host, port: port.map(str::to_owned) }
    }
}

/// Returns the host without brackets.
fn host_of(authority: &str) -> &str {
    let rest = authority.rsplit_once('@').map_or(authority, |(_, rest)| rest);
    rest.split_once('[').map_or_else(|| cut(rest, ":").0, |(_, bracketed)| cut(bracketed, "]").0)
}

fn require_host(s: &mut State<'_>, is_required: impl Fn(&str) -> bool) -> Next {
    let required = is_required(s.get(s.own(Part::Scheme)));
    reject_authority(s, |it| required && !it.is_empty() && host_of(it).is_empty(), "the host is empty")
}

fn write_port(s: &mut State<'_>, read: impl Fn(&str) -> Option<String>) -> Next {
    let slot = s.own(Part::Authority);
    let Server { user, host, port } = Server::of(s.get(slot));
    let Some(port) = port else { return Go };
    let number = read(&port).filter(|number| number.parse::<u16>().is_ok());
    match number {
        _ if port.is_empty() => s.set(slot, format!("{user}{host}")),
        Some(number) => s.set(slot, format!("{user}{host}:{number}")),
        None => return s.reject(slot, "the port is not a number up to 65535"),
    }
    Go
}

/// Replaces the host, with its brackets, by what `written` returns for the host without them.
fn write_host(s: &mut State<'_>, written: impl Fn(&str) -> Option<String>) -> Next {
    let slot = s.own(Part::Authority);
    let Server { user, host, port } = Server::of(s.get(slot));
    let bare = host.strip_prefix('[').and_then(|it| it.strip_suffix(']')).unwrap_or(&host);
    if let Some(host) = written(bare).filter(|_| s.present(slot).is_some()) {
        let port = port.map(|port| format!(":{port}")).unwrap_or_default();
        s.set(slot, format!("{user}{host}{port}"));
    }
    Go
}

/// Returns an IP address in short form, an IPv6 one in brackets. The part after a percent sign is its zone.
fn address(host: &str) -> Option<String> {
    let (number, zone) = host.split_at(host.find('%').unwrap_or(host.len()));
    let written = |address: Ipv6Addr| match address.to_ipv4_mapped().map(|it| it.octets()) {
        Some([a, b, c, d]) => format!("::ffff:{:x}:{:x}", u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])),
        None => address.to_string(),
    };
    match number.parse().ok()? {
        IpAddr::V4(address) => Some(format!("{address}{zone}")),
        IpAddr::V6(address) => Some(format!("[{}{zone}]", written(address))),
    }
}

/// The same if the host ends in a digit or contains a colon.
fn likely_address(host: &str) -> Option<String> {
    let is_likely = host.contains(':') || host.ends_with(|it: char| urllib::digit(it).is_some());
    address(host).filter(|_| is_likely)
}

/// Returns the form that the package idna writes, or else the codec of Python.
fn idna(host: &str) -> Option<String> {
    let (mapped, _) = Uts46::new().to_unicode(host.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Allow);
    httpx::idna_2008(&mapped).or_else(|| python_codec(host))
}

/// Returns whether IDNA drops a character: `Default_Ignorable_Code_Point` of Unicode, and U+1806.
fn is_ignorable(it: char) -> bool {
    matches!(it, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{1806}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Decodes the escapes of characters that need none, unless they are `protected`, and encodes what is neither an escape nor among the
/// characters that are kept: unreserved ones, some delimiters and `others`.
fn requoted(text: &str, others: &str, protected: &str, is_form: bool) -> String {
    let keeps = |it: char| {
        it.is_ascii_alphanumeric()
            || "-._~!$'()*,".contains(it)
            || !is_form && "+&=;".contains(it)
            || others.contains(it)
            || protected.contains(it)
    };
    let mut out = String::new();
    for (at, it) in text.char_indices() {
        let escaped = |at: usize| is_escape(&text[at..]);
        match it {
            _ if (1..=2).any(|back| at >= back && text.is_char_boundary(at - back) && escaped(at - back)) => {}
            '%' if escaped(at) => {
                let byte = u8::from_str_radix(&text[at + 1..at + 3], 16).unwrap_or_default();
                match char::from(byte) {
                    plain if keeps(plain) && !protected.contains(plain) => out.push(plain),
                    _ => out.push_str(&format!("%{byte:02X}")),
                }
            }
            ' ' if is_form => out.push('+'),
            _ if keeps(it) => out.push(it),
            _ => out.push_str(&encoded(it.encode_utf8(&mut [0; 4]), |_| false)),
        }
    }
    out
}

fn requote(s: &mut State<'_>, part: Part, others: &str, protected: &str, is_form: bool) -> Next {
    let slot = s.own(part);
    if let Some(text) = s.present(slot) {
        let text = requoted(text, others, protected, is_form);
        s.set(slot, text);
    }
    Go
}

/// Decodes the escapes of whole characters.
fn decoded(path: &str) -> String {
    let mut out = String::new();
    let mut rest = path;
    while !rest.is_empty() {
        let mut bytes = Vec::new();
        while is_escape(&rest[3 * bytes.len()..]) {
            let at = 3 * bytes.len();
            bytes.push(u8::from_str_radix(&rest[at + 1..at + 3], 16).unwrap_or_default());
        }
        rest = &rest[3 * bytes.len()..];
        for chunk in bytes.utf8_chunks() {
            out.push_str(chunk.valid());
            chunk.invalid().iter().for_each(|byte| out.push_str(&format!("%{byte:02X}")));
        }
        let plain = rest.chars().next().map_or(0, char::len_utf8);
        out.push_str(&rest[..plain]);
        rest = &rest[plain..];
    }
    out
}

/// Removes . segments, and .. segments with those before them, but not the slash before the first one.
fn normalized(path: &str) -> String {
    let (root, rest) = path.strip_prefix('/').map_or(("", path), |rest| ("/", rest));
    let mut kept: Vec<&str> = Vec::new();
    for segment in rest.split('/') {
        match segment {
            "." => {}
            ".." => drop(kept.pop()),
            _ => kept.push(segment),
        }
    }
    if rfc3986::ends_with_dots(rest) {
        kept.push("");
    }
    format!("{root}{}", kept.join("/"))
}

/// Percent-encodes the first colon of a path if neither a scheme nor an authority precedes it.
fn encode_colon(s: &mut State<'_>, slot: Slot, before: [Slot; 2]) -> Next {
    if before.into_iter().any(|slot| !s.get(slot).is_empty()) {
        return Go;
    }
    if let Some((name, rest)) = s.get(slot).split_once(':').filter(|(name, _)| is_scheme(name)) {
        let path = format!("{name}%3A{rest}");
        s.set(slot, path);
    }
    Go
}

/// Returns whether the scheme has authorities.
fn has_authorities(s: &State<'_>) -> bool {
    NETLOC_SCHEMES.contains(&s.get(own(s, Part::Scheme)))
}

/// Writes an authority that is not empty, or an empty one if `is_written`, and a slash after it before a path that has none.
fn unsplit(s: &mut State<'_>, is_written: bool) -> Next {
    let (authority, path) = (own(s, Part::Authority), own(s, Part::Path));
    if !is_written && s.get(authority).is_empty() {
        s.set(authority, None::<&str>);
        return Go;
    }
    let text = s.get(authority).to_owned();
    s.set(authority, text);
    if !s.get(path).is_empty() && !s.get(path).starts_with('/') {
        let text = format!("/{}", s.get(path));
        s.set(path, text);
    }
    Go
}
