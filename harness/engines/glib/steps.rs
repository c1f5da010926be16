//! GLib's `GUri`: `g_uri_resolve_relative(base, reference, G_URI_FLAGS_NONE)`, and the accessors of `g_uri_parse(url, G_URI_FLAGS_NONE)`. An
//! unknown base is the empty text, which is rejected.
//!
//! Read from `glib/guri.c` and `glib/ghostutils.c` of GLib 2.66.8, 2.74.6 and 2.90. A target's components remain encoded (`G_URI_FLAGS_ENCODED`),
//! except the host. A character of a host outside ASCII is unassigned here if UTS 46 does not know it.

use icu_normalizer::ComposingNormalizerBorrowed;
use idna::punycode;
use idna::uts46::{AsciiDenyList, Hyphens, Uts46};
use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, encoded, folder, is_escape, scheme, without_dots};
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, Witness, no_calls};

use crate::rfc3986;

/// GLib's `GUri`.
pub static TABLE: Table = Table {
    engine: "glib",
    first: "2.66.8",
    changes: &[&ENCODING, &HOSTS, &ALWAYS, &DOTS, &SLASHES],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[SPLIT],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static ENCODING: Change = Change {
    id: "482e10d3bb",
    versions: &["2.67.1"],
    date: "2020-12-07",
    issue: "https://gitlab.gnome.org/GNOME/glib/-/commit/482e10d3bb",
    says: "escapes get capital digits, and characters that are not graphic ASCII are percent-encoded",
    witness: Witness::resolving("http://a/", "é%2f", Some("http://a/é%2f"), Some("http://a/%C3%A9%2F")),
};

static HOSTS: Change = Change {
    id: "95c19181ae",
    versions: &["2.67.1"],
    date: "2020-12-07",
    issue: "https://gitlab.gnome.org/GNOME/glib/-/commit/95c19181ae",
    says: "a host that cannot be converted to ASCII is rejected; before, the URL had no host",
    witness: Witness::resolving("http://a/b", "//\u{feff}\u{e000}/c", Some("http://a/c"), None),
};

static ALWAYS: Change = Change {
    id: "#2342",
    versions: &["2.69.0"],
    date: "2021-07-06",
    issue: "https://gitlab.gnome.org/GNOME/glib/-/issues/2342",
    says: "dot segments of the base are removed",
    witness: Witness::resolving("http://a/../b", "", Some("http://a/../b"), Some("http://a/b")),
};

static DOTS: Change = Change {
    id: "21b45d6ac2",
    versions: &["2.71.0"],
    date: "2021-12-16",
    issue: "https://gitlab.gnome.org/GNOME/glib/-/commit/21b45d6ac2",
    says: "dot segments are removed as in RFC 3986",
    witness: Witness::resolving("http://a/b", "/.", Some("http://a/."), Some("http://a/")),
};

static SLASHES: Change = Change {
    id: "2713d68ad2",
    versions: &["2.83.1"],
    date: "2024-12-11",
    issue: "https://gitlab.gnome.org/GNOME/glib/-/commit/2713d68ad2",
    says: "without a host, `/.` precedes a path that begins with two slashes; before, such a target was rejected",
    witness: Witness::resolving("a:/b", "/.//c", None, Some("a:/.//c")),
};

/// A change that shows with `G_URI_FLAGS_SCHEME_NORMALIZE`.
pub(crate) static NORMALIZE: Change = Change {
    id: "64f478dca3",
    versions: &["2.67.1"],
    date: "2020-12-07",
    issue: "https://gitlab.gnome.org/GNOME/glib/-/commit/64f478dca3",
    says: "G_URI_FLAGS_SCHEME_NORMALIZE normalizes the empty path and the default port of some schemes",
    witness: Witness::resolving("http://a/b", "//h:80", Some("http://h:80"), Some("http://h/")),
};

/// The components that `uri_normalize` rewrites.
const NORMALIZED: [Part; 4] = [Part::User, Part::Path, Part::Query, Part::Fragment];

/// The mark of a host that is an address as it was cut.
const ADDRESS: &str = "glib: the host is an address";
/// The mark of the flags of libsoup, `G_URI_FLAGS_PARSE_RELAXED` and `G_URI_FLAGS_SCHEME_NORMALIZE` among them.
pub(crate) const RELAXED: &str = "glib: G_URI_FLAGS_PARSE_RELAXED";
/// The mark of a host that cannot be converted.
const NO_HOST: &str = "glib: the host is NULL";

fn rewrite(s: &mut State<'_>, parts: &[Part], written: impl Fn(&str) -> String) -> Next {
    for part in parts {
        let slot = s.own(*part);
        if let Some(text) = s.present(slot) {
            let text = written(text);
            s.set(slot, text);
        }
    }
    Go
}

/// Replaces each escape by what `written` makes of its value.
fn replaced(text: &str, written: impl Fn(&str, u8) -> String) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let value = escape.get(1..3).filter(|_| is_escape(escape)).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let end = if value.is_some() { 3 } else { 1 };
        match value {
            Some(value) => out.push_str(&written(&escape[..end], value)),
            None => out.push('%'),
        }
        rest = &escape[end..];
    }
    out + rest
}

fn has_bad_escape(text: &str) -> bool {
    text.match_indices('%').any(|(at, _)| !is_escape(&text[at..]))
}

/// `g_uri_split_internal`, for the base and the reference.
pub(crate) static SPLIT: &[Step] = &[
    Step::new(
        "uri_cleanup",
        "if G_URI_FLAGS_PARSE_RELAXED is set, remove white space but spaces inside, which are encoded; only spaces, tabs and ends of lines begin this",
        |s| {
            let given = s.given();
            s.set(s.own(Part::Text), given);
            s.rest = given.to_owned();
            if s.is_marked(RELAXED) && given.contains([' ', '\t', '\n', '\r']) {
                let is_white = |it: char| matches!(it, ' ' | '\t' | '\n' | '\r' | '\x0c');
                let inner = given.trim_matches(is_white).replace(' ', "%20");
                s.rest = inner.replace(is_white, "");
                s.write_text();
            }
            Go
        },
    ),
    Step::new("g_uri_split: scheme", "a letter, then letters, digits, +, - and . before a colon are the scheme", |s| {
        s.unmark(ADDRESS);
        s.unmark(NO_HOST);
        let text = std::mem::take(&mut s.rest);
        let (name, rest) = scheme(&text).map_or((None, text.as_str()), |(name, rest)| (Some(name), rest));
        s.set(s.own(Part::Scheme), name);
        s.rest = rest.to_owned();
        Go
    }),
    Step::new("g_uri_split: g_ascii_strdown", "write the scheme in lower case", |s| {
        rewrite(s, &[Part::Scheme], str::to_ascii_lowercase)
    }),
    Step::new("g_uri_split: the authority", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new(
        "g_uri_split: semi",
        "if G_URI_FLAGS_PARSE_RELAXED is set, the authority ends before a semicolon after the user, which begins the path",
        |s| {
            let slot = s.own(Part::Authority);
            if !s.is_marked(RELAXED) {
                return Go;
            }
            let authority = s.get(slot).to_owned();
            let user = authority.rfind('@').map_or(0, |at| at + 1);
            if let Some(semicolon) = authority[user..].find(';') {
                let (authority, path) = authority.split_at(user + semicolon);
                s.rest.insert_str(0, path);
                s.set(slot, authority);
            }
            Go
        },
    ),
    Step::new("g_uri_split: the path", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
    Step::new(
        "g_uri_split: hostend",
        "the user precedes the first @ of the authority, or the last one if G_URI_FLAGS_PARSE_RELAXED is set; a port follows the first colon, \
         or a colon after brackets, unless it is empty",
        |s| {
            let Some(authority) = s.present(s.own(Part::Authority)) else { return Go };
            let authority = authority.to_owned();
            let divided = if s.is_marked(RELAXED) { authority.rsplit_once('@') } else { authority.split_once('@') };
            let (user, rest) = divided.map_or((None, &*authority), |(user, rest)| (Some(user), rest));
            let colon = match rest.starts_with('[') {
                true => rest.find(']').map(|end| end + 1).filter(|end| rest[*end..].starts_with(':')),
                false => rest.find(':'),
            };
            let (host, port) = rest.split_at(colon.unwrap_or(rest.len()));
            s.set(s.own(Part::User), user);
            s.set(s.own(Part::Host), host);
            s.set(s.own(Part::Port), port.strip_prefix(':').filter(|port| !port.is_empty()));
            if port == ":" {
                s.decide(s.own(Part::Authority));
            }
            Go
        },
    ),
    Step::new("uri_decoder: %", "reject a percent sign without two digits in user, path, query and fragment, unless G_URI_FLAGS_PARSE_RELAXED is set", |s| {
        if s.is_marked(RELAXED) {
            return Go;
        }
        let bad = NORMALIZED.into_iter().map(|part| s.own(part)).find(|slot| has_bad_escape(s.get(*slot)));
        match bad {
            Some(slot) => s.reject(slot, "a percent sign does not begin an escape"),
            None => Go,
        }
    }),
    Step::new("uri_decoder: g_uri_char_is_unreserved", "decode escapes of unreserved characters", |s| {
        rewrite(s, &NORMALIZED, |text| {
            replaced(text, |escape, value| match char::from(value) {
                it if it.is_ascii_alphanumeric() || "-._~".contains(it) => it.to_string(),
                _ => escape.to_owned(),
            })
        })
    }),
    Step::new("uri_decoder: g_ascii_toupper", "write the remaining escapes with capital digits", |s| {
        rewrite(s, &NORMALIZED, |text| replaced(text, |escape, _| escape.to_ascii_uppercase()))
    })
    .since(&ENCODING),
    Step::new("uri_decoder: g_ascii_isgraph", "percent-encode characters that are not graphic ASCII", |s| {
        rewrite(s, &NORMALIZED, |text| encoded(text, |it| it.is_ascii_graphic()))
    })
    .since(&ENCODING),
    Step::new(
        "parse_ip_literal",
        "reject a host that begins with [ and is not an IPv6 address up to ] at its end; a zone follows `%25`, or `%` if \
         G_URI_FLAGS_PARSE_RELAXED is set, and is decoded",
        |s| {
            let slot = s.own(Part::Host);
            let Some(after) = s.get(slot).strip_prefix('[') else { return Go };
            let literal = after.strip_suffix(']').and_then(|address| {
                let (address, zone) = cut(address, "%");
                let is_relaxed = s.is_marked(RELAXED);
                let zone = match zone {
                    Some(zone) => {
                        let after = zone.strip_prefix("25").filter(|zone| !zone.is_empty());
                        let zone = after.or(Some(zone).filter(|zone| is_relaxed && !zone.is_empty()))?;
                        Some(Some(zone).filter(|zone| is_relaxed || !has_bad_escape(zone))?)
                    }
                    None => None,
                };
                let zone = zone.map(|zone| format!("%{}", decoded(zone, true).unwrap_or_default())).unwrap_or_default();
                (address.contains(':') && is_ip_address(address)).then(|| format!("{address}{zone}"))
            });
            match literal {
                Some(address) => {
                    s.mark(ADDRESS);
                    s.set(slot, address);
                    Go
                }
                None => s.reject(slot, "brackets do not contain an IPv6 address"),
            }
        },
    ),
    Step::new("parse_host: uri_decode", "decode a host that is not an address; reject it if it is not UTF-8 then", |s| {
        let slot = s.own(Part::Host);
        let host = s.get(slot);
        if s.is_marked(ADDRESS) || host.starts_with(|it: char| it.is_ascii_digit()) && is_ip_address(host) {
            s.mark(ADDRESS);
            return Go;
        }
        if s.present(slot).is_none() {
            return Go;
        }
        match decoded(host, false).filter(|_| s.is_marked(RELAXED) || !has_bad_escape(host)) {
            Some(host) => {
                s.set(slot, host);
                Go
            }
            None => s.reject(slot, "it has a percent sign without an escape, or is not UTF-8"),
        }
    }),
    Step::new("parse_host: g_hostname_is_ip_address", "reject an address that was percent-encoded", |s| {
        let slot = s.own(Part::Host);
        match !s.is_marked(ADDRESS) && is_ip_address(s.get(slot)) {
            true => s.reject(slot, "it is an encoded address"),
            false => Go,
        }
    }),
    Step::new(
        "g_hostname_to_ascii",
        "convert a host outside ASCII: to lower case, NFKC and Punycode; if that is not possible, it is rejected, or, at first, absent",
        |s| {
            let slot = s.own(Part::Host);
            let host = s.get(slot);
            if s.is_marked(ADDRESS) || host.is_ascii() {
                return Go;
            }
            let is_too_long = host.len() > 1021 && s.has(&HOSTS);
            match to_ascii(host).filter(|_| !is_too_long) {
                Some(host) => s.set(slot, host),
                None if s.has(&HOSTS) => return s.reject(slot, "it cannot be converted to ASCII"),
                None => {
                    s.mark(NO_HOST);
                    s.set(slot, None::<&str>);
                }
            }
            Go
        },
    ),
    Step::new("parse_port", "reject a port that is not a number up to 65535, and write it without zeros", |s| {
        let slot = s.own(Part::Port);
        let Some(port) = s.present(slot) else { return Go };
        let is_number = port.bytes().all(|it| it.is_ascii_digit());
        match port.parse::<u16>().ok().filter(|_| is_number) {
            Some(number) => {
                s.set(slot, number.to_string());
                Go
            }
            None => s.reject(slot, "it is not a number up to 65535"),
        }
    }),
    Step::new(
        "g_uri_get_default_scheme_port",
        "if G_URI_FLAGS_SCHEME_NORMALIZE is set, a URL with a scheme and without a port has the default one, if there is any",
        |s| {
            let slot = s.own(Part::Port);
            let port = match s.get(s.own(Part::Scheme)) {
                "http" | "ws" => Some("80"),
                "https" | "wss" => Some("443"),
                "ftp" => Some("21"),
                scheme if scheme.starts_with("socks") => Some("1080"),
                _ => None,
            };
            if let (true, None, Some(port)) = (s.is_marked(RELAXED), s.present(slot), port) {
                s.set(slot, port);
            }
            Go
        },
    )
    .since(&NORMALIZE),
    Step::new(
        "g_uri_split: should_normalize_empty_path",
        "if G_URI_FLAGS_SCHEME_NORMALIZE is set, write a slash for the empty path of a URL with the scheme http, https, ws or wss",
        |s| {
            let slot = s.own(Part::Path);
            if s.is_marked(RELAXED) && s.get(slot).is_empty() && is_web(s.get(s.own(Part::Scheme))) {
                s.set(slot, "/");
            }
            Go
        },
    )
    .since(&NORMALIZE),
    Step::new("g_uri_join: host", "write user, host and port; an IPv6 address in brackets", |s| {
        if s.present(s.own(Part::Authority)).is_none() {
            return Go;
        }
        let text = |part: Part| s.present(s.own(part)).map(str::to_owned);
        let user = text(Part::User).map(|user| format!("{user}@")).unwrap_or_default();
        let port = text(Part::Port).map(|port| format!(":{port}")).unwrap_or_default();
        let host = text(Part::Host).unwrap_or_default();
        let host = if host.contains(':') && is_ip_address(&host) { format!("[{host}]") } else { host };
        let authority = Some(format!("{user}{host}{port}")).filter(|_| !s.is_marked(NO_HOST));
        s.compose(s.own(Part::Authority), &[Part::User, Part::Host, Part::Port].map(s.of()));
        s.set(s.own(Part::Authority), authority);
        Go
    }),
];

/// Returns whether a scheme has a slash for an empty path.
fn is_web(scheme: &str) -> bool {
    matches!(scheme, "http" | "https" | "ws" | "wss")
}

pub(crate) const DOT_SEGMENTS: Step = Step::new("g_uri_parse: dot segments", "remove dot segments", |s| {
    let path = s.get(Slot::Ref(Part::Path));
    let path = if s.has(&DOTS) { without_dots(path) } else { without_dots_at_first(path) };
    s.set(Slot::Ref(Part::Path), path);
    Go
})
.since(&ALWAYS);

pub(crate) const TWO_SLASHES: Step = Step::new("g_uri_parse: two slashes", "write `/.` before a path that begins with two slashes, without a host", |s| {
    let path = s.get(Slot::Ref(Part::Path));
    if s.present(Slot::Ref(Part::Authority)).is_none() && path.starts_with("//") {
        let path = format!("/.{path}");
        s.set(Slot::Ref(Part::Path), path);
    }
    Go
})
.since(&SLASHES);

/// `g_uri_parse`, and the accessors of what it returns.
static STATE: &[Step] = &[
    Step::new("g_uri_parse: g_uri_split", "read the URL", |_| Call(SPLIT, Side::Reference)),
    Step::new("g_uri_parse: a relative URL", "reject a URL without a scheme", |s| match s.present(Slot::Ref(Part::Scheme)) {
        Some(_) => Go,
        None => s.reject(Slot::Ref(Part::Scheme), "the URL has no scheme"),
    }),
    Step::new("g_uri_parse: uri_decode", "decode user, path, query and fragment; reject what is not UTF-8 then, or has a NUL", |s| {
        for part in NORMALIZED {
            let slot = Slot::Ref(part);
            let Some(text) = s.present(slot) else { continue };
            let Some(text) = decoded(text, false) else { return s.reject(slot, "it is not UTF-8, or has a NUL") };
            s.set(slot, text);
        }
        Go
    }),
    DOT_SEGMENTS,
    TWO_SLASHES,
    Step::new("g_uri_get_userinfo, _host, _port", "state what the authority consists of", |s| {
        for (part, own) in [(Part::Userinfo, Part::User), (Part::Host, Part::Host), (Part::Port, Part::Port)] {
            match s.present(Slot::Ref(own)) {
                Some(_) => s.flow(Slot::Out(part), Slot::Ref(own)),
                None => s.set(Slot::Out(part), None::<&str>),
            }
        }
        Go
    }),
    Step::new("g_uri_get_scheme, _path, _query, _fragment", "state the other components", |s| {
        for part in [Part::Scheme, Part::Path, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.set(Slot::Result, s.reference);
        Go
    }),
];

/// `g_uri_resolve_relative`.
pub(crate) static RESOLVE: &[Step] = &[
    Step::new("g_uri_resolve_relative: g_uri_parse", "read the base", |_| Call(SPLIT, Side::Base)),
    Step::new("g_uri_parse: scheme", "reject a base without a scheme", |s| match s.present(Slot::Base(Part::Scheme)) {
        Some(_) => Go,
        None => s.reject(Slot::Base(Part::Scheme), "the base has no scheme"),
    }),
    Step::new("g_uri_parse: remove_dot_segments", "remove the dot segments of the base", |s| {
        let path = s.get(Slot::Base(Part::Path));
        let path = if s.has(&DOTS) { without_dots(path) } else { without_dots_at_first(path) };
        s.set(Slot::Base(Part::Path), path);
        Go
    })
    .since(&ALWAYS),
    Step::new("g_uri_parse: /.", "write `/.` before a path of the base that begins with two slashes, without a host", |s| {
        let path = s.get(Slot::Base(Part::Path));
        if s.present(Slot::Base(Part::Authority)).is_none() && path.starts_with("//") {
            let path = format!("/.{path}");
            s.set(Slot::Base(Part::Path), path);
        }
        Go
    })
    .since(&SLASHES),
    Step::new("g_uri_parse_relative: g_uri_split", "read the reference", |_| Call(SPLIT, Side::Reference)),
    Step::new("g_uri_parse_relative: scheme", "a reference with a scheme inherits nothing, any other one the scheme", |s| {
        s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        if s.present(Slot::Ref(Part::Scheme)).is_none() {
            s.inherit(Part::Scheme);
            return Go;
        }
        s.set(Slot::Used, "nothing");
        s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
        s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        To("remove_dot_segments: ./")
    }),
    Step::new("g_uri_parse_relative: host", "a reference with a host inherits only the scheme, any other one the authority, too", |s| {
        if s.present(Slot::Ref(Part::Authority)).is_none() {
            s.inherit(Part::Authority);
            return Go;
        }
        s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        To("remove_dot_segments: ./")
    }),
    Step::new(
        "g_uri_parse_relative: an empty path",
        "without a path, inherit the base's, and its query if there is none",
        |s| {
            if !s.get(Slot::Ref(Part::Path)).is_empty() {
                return Go;
            }
            s.inherit_as("path");
            if s.present(Slot::Ref(Part::Query)).is_none() {
                s.inherit(Part::Query);
            }
            s.flow(Slot::Merged, Slot::Base(Part::Path));
            s.flow(Slot::NoDots, Slot::Base(Part::Path));
            To("g_uri_parse_relative: should_normalize_empty_path")
        },
    ),
    Step::new("g_uri_parse_relative: a slash", "a path that begins with a slash is not merged", |s| {
        if !s.get(Slot::Ref(Part::Path)).starts_with('/') {
            return Go;
        }
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        To("remove_dot_segments: ./")
    }),
    Step::new(
        "g_uri_parse_relative: newpath",
        "the path follows that of the base up to its last slash, or a slash if it has none",
        |s| {
            let before = folder(s.get(Slot::Base(Part::Path)));
            let before = if before.is_empty() { "/" } else { before };
            let merged = format!("{before}{}", s.get(Slot::Ref(Part::Path)));
            s.inherit_as("folder");
            s.set(Slot::Merged, merged);
            Go
        },
    ),
    Step::new(
        "remove_dot_segments: ./",
        "remove . segments after a slash, but not a last one in `/.`; remove .. segments with those before them, and at the beginning",
        |s| {
            let path = without_dots_at_first(s.get(Slot::Merged));
            write_path(s, path)
        },
    )
    .until(&DOTS),
    Step::new("remove_dot_segments", "remove dot segments", |s| {
        let path = without_dots(s.get(Slot::Merged));
        write_path(s, path)
    })
    .since(&DOTS),
    Step::new(
        "g_uri_parse_relative: should_normalize_empty_path",
        "if G_URI_FLAGS_SCHEME_NORMALIZE is set, write a slash for an empty path after the scheme http, https, ws or wss",
        |s| {
            if s.is_marked(RELAXED) && s.get(Slot::NoDots).is_empty() && is_web(s.get(Slot::Out(Part::Scheme))) {
                s.set(Slot::NoDots, "/");
            }
            Go
        },
    )
    .since(&NORMALIZE),
    Step::new("normalize_port", "if G_URI_FLAGS_SCHEME_NORMALIZE is set, drop the default port of http, https, ws, wss or ftp", |s| {
        let of: fn(Part) -> Slot = if s.present(Slot::Ref(Part::Authority)).is_some() { Slot::Ref } else { Slot::Base };
        let is_default = match (s.get(Slot::Out(Part::Scheme)), s.get(of(Part::Port))) {
            ("http" | "ws", port) => port == "80",
            ("https" | "wss", port) => port == "443",
            ("ftp", port) => port == "21",
            _ => false,
        };
        let end = format!(":{}", s.get(of(Part::Port)));
        let authority = s.present(Slot::Out(Part::Authority)).and_then(|authority| authority.strip_suffix(&end));
        if let Some(authority) = authority.filter(|_| is_default && s.is_marked(RELAXED)).map(str::to_owned) {
            s.set(Slot::Out(Part::Authority), authority);
        }
        Go
    })
    .since(&NORMALIZE),
    Step::new("g_uri_join: path[0]", "reject a path that begins with another character than a slash, after a host", |s| {
        let path = s.get(Slot::NoDots);
        match s.present(Slot::Out(Part::Authority)).is_some() && !path.is_empty() && !path.starts_with('/') {
            true => s.reject(Slot::NoDots, "a host precedes it"),
            false => Go,
        }
    }),
    Step::new("g_uri_join: //", "reject a path that begins with two slashes, without a host", |s| {
        match s.present(Slot::Out(Part::Authority)).is_none() && s.get(Slot::NoDots).starts_with("//") {
            true => s.reject(Slot::NoDots, "the path would begin with a host"),
            false => Go,
        }
    })
    .until(&SLASHES),
    Step::new("g_uri_parse_relative: /.", "without a host, write `/.` before a path that begins with two slashes", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        let path = s.get(Slot::NoDots);
        if s.present(Slot::Out(Part::Authority)).is_none() && path.starts_with("//") {
            let path = format!("/.{path}");
            s.set(Slot::Out(Part::Path), path);
        }
        s.concatenate()
    })
    .since(&SLASHES),
    Step::new("g_uri_join", "concatenate the components", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        s.concatenate()
    }),
];

fn write_path(s: &mut State<'_>, path: String) -> Next {
    s.flow(Slot::NoDots, Slot::Merged);
    s.set(Slot::NoDots, path);
    Go
}

/// `remove_dot_segments` before it did what RFC 3986 says.
fn without_dots_at_first(path: &str) -> String {
    let mut path = path.to_owned();
    while let Some(at) = path.find("/./") {
        path.replace_range(at + 1..at + 3, "");
    }
    if path.len() > 2 && path.ends_with("/.") {
        path.pop();
    }
    // It works on bytes, and does not look at the first one: that is a slash, or begins a segment that is not removed.
    let mut bytes = path.into_bytes();
    let mut at = 1;
    while at < bytes.len() {
        if bytes[at..].starts_with(b"../") {
            at += 3;
            continue;
        }
        let Some(slash) = bytes[at + 1..].iter().position(|it| *it == b'/').map(|slash| at + 1 + slash) else { break };
        match bytes[slash..].starts_with(b"/../") {
            true => {
                bytes.drain(at..slash + 4);
                at = 1;
            }
            false => at = slash + 1,
        }
    }
    if bytes.len() > 3 && bytes.ends_with(b"/..") {
        let slash = bytes[..bytes.len() - 3].iter().rposition(|it| *it == b'/').unwrap_or(0);
        if !bytes[slash..].starts_with(b"/../") {
            bytes.truncate(slash + 1);
        }
    }
    let mut path = String::from_utf8_lossy(&bytes).into_owned();
    while path.starts_with("/../") {
        path.replace_range(..3, "");
    }
    if path == "/.." {
        path.truncate(1);
    }
    path
}

/// Decodes all escapes. `None` if the result has a NUL or is not UTF-8, unless it is `lenient`: then it ends at the NUL.
pub(crate) fn decoded(text: &str, lenient: bool) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let value = rest.get(1..3).filter(|_| is_escape(rest)).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let end = if value.is_some() { 3 } else { first.len_utf8() };
        match value {
            Some(0) if lenient => break,
            Some(0) => return None,
            Some(value) => bytes.push(value),
            None => bytes.extend_from_slice(&rest.as_bytes()[..end]),
        }
        rest = &rest[end..];
    }
    match lenient {
        true => Some(String::from_utf8_lossy(&bytes).into_owned()),
        false => String::from_utf8(bytes).ok(),
    }
}

/// `g_hostname_is_ip_address`: an IPv4 address, or an IPv6 address with any zone.
fn is_ip_address(host: &str) -> bool {
    if !host.contains(':') {
        return is_ipv4(host);
    }
    let (address, zone) = cut(host, "%");
    let (mut rest, mut count, mut is_skipped) = (address, 0, false);
    while !rest.is_empty() && count < 8 {
        if rest.len() < address.len() || rest.starts_with("::") {
            let Some(after) = rest.strip_prefix(':') else { return false };
            rest = after;
        }
        if rest.starts_with(':') && !is_skipped {
            is_skipped = true;
            count += 1;
            if rest == ":" && zone.is_none() {
                rest = "";
            }
            continue;
        }
        let end = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        if !(1..=4).contains(&end) {
            return false;
        }
        if rest[end..].starts_with('.') {
            let has_room = if is_skipped { count <= 6 } else { count == 6 };
            return has_room && zone.is_none() && is_ipv4(rest);
        }
        count += 1;
        rest = &rest[end..];
    }
    rest.is_empty() && zone != Some("") && (count == 8 || is_skipped)
}

/// Returns whether a text is four numbers up to 255 without leading zeros.
fn is_ipv4(text: &str) -> bool {
    let is_byte = |part: &str| {
        part.bytes().all(|it| it.is_ascii_digit()) && (part == "0" || !part.starts_with('0')) && part.parse::<u8>().is_ok()
    };
    text.split('.').count() == 4 && text.split('.').all(is_byte)
}

/// `g_hostname_to_ascii`: labels longer than 63 characters are not possible, and a last dot is dropped.
fn to_ascii(host: &str) -> Option<String> {
    let (name, is_unicode) = nameprep(host)?;
    if !is_unicode {
        return Some(name);
    }
    let is_dot = |it: char| matches!(it, '.' | '\u{3002}' | '\u{ff0e}' | '\u{ff61}');
    let name = name.strip_suffix(is_dot).unwrap_or(&name);
    let labels: Option<Vec<String>> = name
        .split(is_dot)
        .map(|label| {
            let label = match label.is_ascii() {
                true => label.to_owned(),
                false if label.starts_with("xn--") => return None,
                false => format!("xn--{}", punycode::encode_str(label)?),
            };
            (label.len() <= 63).then_some(label)
        })
        .collect();
    Some(labels?.join("."))
}

/// `nameprep`: a host in lower case and NFKC, and whether it is outside ASCII before that.
fn nameprep(host: &str) -> Option<(String, bool)> {
    let is_junk = |it: &char| {
        matches!(it, '\u{ad}' | '\u{34f}' | '\u{1806}' | '\u{180b}'..='\u{180d}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
    };
    let lower = |text: String| if text.contains(char::is_uppercase) { text.to_lowercase() } else { text };
    let name = lower(host.chars().filter(|it| !is_junk(it)).collect());
    if name.is_ascii() {
        return Some((name, false));
    }
    let name = lower(ComposingNormalizerBorrowed::new_nfkc().normalize(&name).into_owned());
    (!name.contains(is_prohibited)).then_some((name, true))
}

/// Returns whether a character is a control, a space, a format, unassigned or for private use, or one of a few others.
fn is_prohibited(it: char) -> bool {
    let is_space = it.is_whitespace() || it.is_control();
    let is_format = matches!(
        it,
        '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}' | '\u{891}' | '\u{8e2}' | '\u{180e}' | '\u{200e}' | '\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2061}'..='\u{2064}' | '\u{2066}'..='\u{206f}' | '\u{fff9}'..='\u{fffd}' | '\u{110bd}' | '\u{110cd}'
            | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0001}' | '\u{e0020}'..='\u{e007f}'
    );
    let is_other = matches!(it, '\u{340}' | '\u{341}' | '\u{2ff0}'..='\u{2ffb}');
    // A mark is not known at the beginning of a label, and other characters not after a letter of another direction, or only after one of theirs.
    let is_known = |text: String| {
        let (known, _) = Uts46::new().to_unicode(text.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Allow);
        !known.contains('\u{fffd}')
    };
    let is_assigned = || is_known(it.to_string()) || ['a', '\u{5d0}'].iter().any(|letter| is_known(format!("{letter}{it}")));
    is_space || is_format || is_other || !it.is_ascii() && !is_assigned()
}
