//! Perl's URI: `URI->new_abs(reference, base)`, and the methods of `URI->new(url)`, from 1.69 on.
//!
//! Read from `URI.pm` and the modules below `URI` of the distribution URI, 1.69 to 5.40; versions, dates and issues are those of `Changes`. A
//! URI is one text, from which its methods cut components, and its scheme decides which module has the methods. A reference without a scheme
//! has the methods of the scheme that the base's text begins with, before that is cleaned. The switches of the library are engines of their own.

mod changes;

use icu_normalizer::ComposingNormalizerBorrowed;
use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, encoded, folder, scheme, until};
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, no_calls};

use crate::urllib::digit;
use changes::*;

/// Perl's URI.
pub static TABLE: Table = Table {
    engine: "perl-uri",
    first: "1.69",
    changes: &[
        &NNTPS, &BRACKETS, &HOSTS, &ICAP, &GEO, &IRC, &SMB, &SMTP, &WS, &NFC, &LAZY_GEO, &EMPTY_PORT,
    ],
    dated: &[],
    questions: &[(Question::Resolve, NEW_ABS), (Question::Parse, STATE)],
    called: CALLED,
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// The changes in how references are resolved.
pub(crate) static CHANGES: &[&Change] =
    &[&NNTPS, &BRACKETS, &HOSTS, &ICAP, &GEO, &IRC, &SMB, &SMTP, &WS, &NFC, &LAZY_GEO];
pub(crate) static CALLED: &[&[Step]] = &[NEW, PATH];

/// The modules whose methods differ.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Module {
    /// `URI::_generic` and `URI::_foreign`.
    Generic,
    /// `URI::_server` and most modules that inherit it.
    Server,
    /// `URI::ftp`, whose `path` returns the query, too.
    Ftp,
    /// `URI::irc`, whose path may begin with `/#`.
    Irc,
    /// `URI::sip`, which is not relative.
    Sip,
    /// `URI`: nothing but a scheme and a text.
    Opaque,
}

/// The schemes with servers of every version.
const SERVERS: &[&str] = &[
    "gopher", "http", "https", "ldap", "ldaps", "mms", "news", "nntp", "pop", "rlogin", "rsync", "rtsp", "rtspu", "sftp",
    "snews", "ssh", "telnet", "tn3270",
];

/// `implementor`: returns the module of a scheme.
fn module(s: &State<'_>, scheme: Option<&str>) -> Module {
    let scheme = scheme.unwrap_or_default().to_ascii_lowercase();
    match scheme.as_str() {
        "data" | "mailto" | "urn" => Module::Opaque,
        "geo" if s.has(&GEO) => Module::Opaque,
        "ftp" => Module::Ftp,
        "ftps" | "ftpes" if s.has(&IRC) => Module::Ftp,
        "irc" | "ircs" if s.has(&IRC) => Module::Irc,
        "sip" | "sips" => Module::Sip,
        "nntps" if s.has(&NNTPS) => Module::Server,
        "icap" | "icaps" if s.has(&ICAP) => Module::Server,
        "scp" if s.has(&IRC) => Module::Server,
        "smb" if s.has(&SMB) => Module::Server,
        "smtp" if s.has(&SMTP) => Module::Server,
        "ws" | "wss" if s.has(&WS) => Module::Server,
        scheme if SERVERS.contains(&scheme) => Module::Server,
        _ => Module::Generic,
    }
}

/// The marks of a reference with a scheme whose text was removed: its module remains.
const EMPTY_SIP: &str = "perl-uri: the text of a sip reference was removed";
const EMPTY: &str = "perl-uri: the text of a reference with a scheme was removed";

/// Returns the module of a side. A reference without a scheme has that of the base's text.
fn own_module(s: &State<'_>, side: Side) -> Module {
    match side {
        Side::Base => module(s, s.present(Slot::Base(Part::Scheme))),
        Side::Reference if s.is_marked(EMPTY_SIP) => Module::Sip,
        Side::Reference if s.is_marked(EMPTY) => Module::Generic,
        Side::Reference => module(s, s.present(Slot::Ref(Part::Scheme)).or(base_scheme(s.base))),
    }
}

/// Returns the module of the target.
fn target_module(s: &State<'_>) -> Module {
    match s.present(Slot::Out(Part::Scheme)) {
        None => own_module(s, Side::Reference),
        scheme => module(s, scheme),
    }
}

/// Returns the scheme that `new` takes from the base's text: its colon may be missing at the end.
fn base_scheme(base: &str) -> Option<&str> {
    let is_all = |name: &&str| scheme(&format!("{name}:")).is_some_and(|(own, _)| own == *name);
    scheme(base).map(|(name, _)| name).or(Some(base.strip_suffix('\n').unwrap_or(base)).filter(is_all))
}

/// `URI->new`, for the base and the reference.
static NEW: &[Step] = &[
    Step::new("new: <URL:>", "remove < or <URL: at the beginning together with > at the end", |s| {
        s.rest = s.given().to_owned();
        let wrapped = |text: &str| {
            let inner = text.strip_prefix('<')?.strip_suffix('>')?;
            Some(inner.strip_prefix("URL:").unwrap_or(inner).to_owned())
        };
        unwrap(s, wrapped)
    }),
    Step::new("new: quotation marks", "remove quotation marks at both ends", |s| {
        unwrap(s, |text| Some(text.strip_prefix('"')?.strip_suffix('"')?.to_owned()))
    }),
    Step::new("new: \\s", "remove white space at both ends", |s| {
        s.rest = s.rest.trim().to_owned();
        s.write_text();
        Go
    }),
    Step::new("new: $scheme_re", "a letter, then letters, digits, +, - and . before a colon are the scheme", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (name, rest) = scheme(&rest).map_or((None, rest.as_str()), |(name, rest)| (Some(name), rest));
        s.set(s.own(Part::Scheme), name);
        s.rest = rest.to_owned();
        Go
    }),
    Step::new("implementor: require", "reject a scheme whose module has a name that is too long for a file", |s| {
        let slot = s.own(Part::Scheme);
        let module = s.get(slot).replace('+', "_P").replace('.', "_O") + ".pm";
        match module.len() > 255 {
            true => s.reject(slot, "the name of its module is too long"),
            false => Go,
        }
    }),
    Step::new(
        "_generic: authority, path, query",
        "cut the authority after //, the fragment at #, the query at ?, and the path",
        |s| {
            let rest = std::mem::take(&mut s.rest);
            let (authority, rest) = match rest.strip_prefix("//") {
                Some(after) => {
                    let (authority, rest) = until(after, &['/', '?', '#']);
                    (Some(authority), rest)
                }
                None => (None, rest.as_str()),
            };
            let (rest, fragment) = cut(rest, "#");
            let (path, query) = cut(rest, "?");
            for (part, text) in
                [(Part::Authority, authority), (Part::Path, Some(path)), (Part::Query, query), (Part::Fragment, fragment)]
            {
                s.set(s.own(part), text);
            }
            Go
        },
    ),
    Step::new(
        "_server: _host_escape",
        "if the scheme has servers, convert a host with characters that are not allowed by IDNA, if that is possible",
        |s| {
            let slot = s.own(Part::Authority);
            if matches!(own_module(s, s.side), Module::Generic | Module::Opaque) {
                return Go;
            }
            if let Some(authority) = s.present(slot).and_then(|authority| with_host(authority, s.has(&NFC))) {
                s.set(slot, authority);
            }
            Go
        },
    ),
    Step::new("_uric_escape: with brackets", "percent-encode characters that a URI does not have; brackets are kept", |s| {
        rewrite_all(s, |text| encoded(text, |it| is_uric(it) || matches!(it, b'[' | b']')))
    })
    .until(&BRACKETS),
    Step::new("_uric_escape", "percent-encode characters that a URI does not have, and brackets", |s| {
        rewrite_all(s, |text| encoded(text, is_uric))
    })
    .since(&BRACKETS),
    Step::new(
        "_fix_uric_escape_for_host_part: the empty pattern",
        "if the authority is empty and the text has a percent sign, remove the whole text",
        |s| {
            let has_percent =
                Part::COMPONENTS.iter().any(|part| s.get(s.own(*part)).contains('%'));
            if s.present(s.own(Part::Authority)) != Some("") || !has_percent {
                return Go;
            }
            match own_module(s, s.side) {
                Module::Opaque => {}
                module => {
                    if s.side == Side::Reference && s.present(Slot::Ref(Part::Scheme)).is_some() {
                        s.mark(if module == Module::Sip { EMPTY_SIP } else { EMPTY });
                    }
                    s.set(s.own(Part::Scheme), None::<&str>);
                }
            }
            for part in [Part::Authority, Part::Query, Part::Fragment] {
                s.set(s.own(part), None::<&str>);
            }
            s.set(s.own(Part::Path), "");
            Go
        },
    )
    .since(&BRACKETS)
    .until(&HOSTS),
    Step::new("_fix_uric_escape_for_host_part", "decode the brackets of a host, unless the scheme does not have hosts", |s| {
        let slot = s.own(Part::Authority);
        let is_without = s.has(&HOSTS) && matches!(s.get(s.own(Part::Scheme)), "data" | "ldapi" | "urn" | "sqlite" | "sqlite3");
        if let Some(authority) = s.present(slot).filter(|_| !is_without) {
            let (user, host) = authority.split_at(authority.rfind('@').map_or(0, |at| at + 1));
            let authority = format!("{user}{}", with_brackets(host));
            s.set(slot, authority);
        }
        Go
    })
    .since(&BRACKETS),
    Step::new("$fallback_schemes_re", "decode all brackets of mailto", |s| match s.get(s.own(Part::Scheme)) {
        "mailto" => rewrite_all(s, with_brackets),
        _ => Go,
    })
    .since(&HOSTS),
    Step::new("_init: _no_scheme_ok", "write the base's scheme before a reference, if the scheme does not have relative ones", |s| {
        let slot = s.own(Part::Scheme);
        if own_module(s, s.side) == Module::Opaque && s.present(slot).is_none() {
            s.set(Slot::Base(Part::Scheme), base_scheme(s.base));
            s.set(slot, base_scheme(s.base));
        }
        Go
    }),
    Step::new("geo: latitude", "reject a geo URI that does not have coordinates", |s| {
        let is_geo = s.get(s.own(Part::Scheme)).eq_ignore_ascii_case("geo");
        match is_geo && coordinates(s.get(s.own(Part::Path))).is_none() {
            true => s.reject(s.own(Part::Path), "it does not have coordinates"),
            false => Go,
        }
    })
    .since(&GEO)
    .until(&LAZY_GEO),
    Step::new("geo: longitude", "write the longitude of a pole as 0, and numbers anew", |s| {
        let slot = s.own(Part::Path);
        let is_geo = s.get(s.own(Part::Scheme)).eq_ignore_ascii_case("geo") && s.present(s.own(Part::Authority)).is_none();
        if let Some(path) = coordinates(s.get(slot)).and_then(at_pole).filter(|_| is_geo) {
            s.set(slot, path);
        }
        Go
    })
    .since(&GEO),
    Step::new("irc: _init", "encode a # after the first slash of irc", |s| {
        let (slot, query, fragment) = (s.own(Part::Path), s.own(Part::Query), s.own(Part::Fragment));
        let path = s.get(slot).to_owned();
        let is_root = own_module(s, s.side) == Module::Irc && without_prefix(s, s.own(Part::Scheme), &path) == "/";
        let Some(text) = s.present(fragment).filter(|_| is_root && s.present(query).is_none()) else { return Go };
        let text = format!("{path}%23{text}");
        let (rest, text) = cut(&text, "#");
        let (path, text) = (cut(rest, "?"), text);
        s.set(slot, path.0);
        s.set(query, path.1);
        s.set(fragment, text);
        Go
    })
    .since(&IRC),
];

/// `path` of `_generic` and of `ftp`, for the base and the reference.
static PATH: &[Step] = &[
    Step::new("path: [^:/?#]+:", "without a scheme, what precedes the first colon is not part of the path, nor what follows it between // and /", |s| {
        let slot = s.own(Part::Path);
        let path = without_prefix(s, s.own(Part::Scheme), s.get(slot));
        if path.len() < s.get(slot).len() {
            let path = path.to_owned();
            s.set(slot, path);
        }
        Go
    }),
    Step::new("ftp: path", "the path of ftp contains the query", |s| {
        let (slot, query) = (s.own(Part::Path), s.own(Part::Query));
        if let Some(text) = s.present(query).filter(|_| own_module(s, s.side) == Module::Ftp) {
            let path = format!("{}?{text}", s.get(slot));
            s.set(slot, path);
            s.set(query, None::<&str>);
        }
        Go
    }),
];

const NEW_REFERENCE: Step = Step::new("new_abs: new", "read the reference", |_| Call(NEW, Side::Reference));

const OPAQUE: Step = Step::new("URI: abs", "a reference whose scheme does not have relative ones inherits nothing else", |s| {
    for part in Part::COMPONENTS {
        s.copy(Slot::Out(part), Slot::Ref(part));
    }
    match own_module(s, Side::Reference) {
        Module::Opaque | Module::Sip => return_self(s),
        _ => Go,
    }
});

const MISSING: Step = Step::new("abs: Missing base argument", "reject a base that is empty or 0", |s| match s.base {
    "" | "0" => s.reject(Slot::Base(Part::Text), "the base is missing"),
    _ => Go,
});

const SCHEME: Step = Step::new("abs: scheme", "a reference with a scheme inherits nothing", |s| {
    match s.present(Slot::Ref(Part::Scheme)) {
        Some(_) => {
            s.set(Slot::Used, "nothing");
            return_self(s)
        }
        None => Go,
    }
});

const RELATIVE_SCHEME: Step = Step::new(
    "abs: ABS_ALLOW_RELATIVE_SCHEME",
    "a reference with a scheme that is not the base's inherits nothing",
    |s| {
        let base = s.get(Slot::Base(Part::Scheme));
        match s.present(Slot::Ref(Part::Scheme)) {
            Some(own) if !own.eq_ignore_ascii_case(base) => {
                s.set(Slot::Used, "nothing");
                return_self(s)
            }
            Some(_) => {
                s.decide(Slot::Used);
                Go
            }
            None => Go,
        }
    },
);

const NEW_BASE: Step = Step::new("abs: new", "read the base", |_| Call(NEW, Side::Base));

const BASE_SCHEME: Step = Step::new("abs: scheme of the base", "inherit the scheme in lower case", |s| {
    s.inherit(Part::Scheme);
    let slot = Slot::Out(Part::Scheme);
    if s.present(slot).is_some() {
        let scheme = s.get(slot).to_ascii_lowercase();
        s.set(slot, scheme);
    }
    Go
});

const GEO_BASE: Step = Step::new("_scheme: new, geo", "reject a target with the scheme geo that does not have coordinates", |s| {
    match s.get(Slot::Out(Part::Scheme)) == "geo" && coordinates(s.get(Slot::Out(Part::Path))).is_none() {
        true => s.reject(Slot::Out(Part::Path), "it does not have coordinates"),
        false => Go,
    }
})
.since(&GEO)
.until(&LAZY_GEO);

const BASE_FIX: Step = Step::new(
    "_scheme: new, brackets",
    "encode the brackets of the reference's host if the scheme does not have hosts, and decode all of mailto",
    |s| {
        let written: fn(&str) -> String = match s.get(Slot::Out(Part::Scheme)) {
            "mailto" => with_brackets,
            "data" | "ldapi" | "urn" | "sqlite" | "sqlite3" => |text| encoded(text, is_uric),
            _ => return Go,
        };
        for part in [Part::Authority, Part::Path, Part::Query, Part::Fragment] {
            let text = s.present(Slot::Out(part)).map(written);
            s.set(Slot::Out(part), text);
        }
        Go
    },
)
.since(&HOSTS);

const NETWORK_PATH: Step = Step::new("abs: //", "a reference with an authority inherits only the scheme", |s| {
    match s.present(Slot::Ref(Part::Authority)) {
        Some(_) => {
            [Part::Authority, Part::Path, Part::Query, Part::Fragment].into_iter().for_each(|part| s.keep(Slot::Out(part)));
            To("irc: as_string")
        }
        None => Go,
    }
});

const OPAQUE_BASE: Step = Step::new("abs: authority of the base", "reject a base that cannot have an authority; otherwise inherit it", |s| {
    if own_module(s, Side::Base) == Module::Opaque {
        return s.reject(Slot::Base(Part::Scheme), "its module does not have the method `authority`");
    }
    s.inherit(Part::Authority);
    Go
});

const SIP_BASE: Step = Step::new("sip: authority", "take the base up to its first ; or ? and the rest of the reference if the base is sip", |s| {
    let path = without_prefix(s, Slot::Ref(Part::Scheme), s.get(Slot::Ref(Part::Path)));
    if own_module(s, Side::Base) != Module::Sip || path.is_empty() {
        return Go;
    }
    let text = |s: &State<'_>, of: fn(Part) -> Slot| {
        let [_, rest @ ..] = Part::COMPONENTS;
        let [authority, path, query, fragment] = rest.map(|part| s.present(of(part)));
        urlstrata_steps::text::concatenated([None, authority, path, query, fragment])
    };
    let (base, reference) = (text(s, Slot::Base), text(s, Slot::Ref));
    let is_kept = |it: u8| is_uric(it) && it != b'#' || matches!(it, b'[' | b']') && !s.has(&BRACKETS);
    let authority = encoded(until(&base, &[';', '?']).0, is_kept);
    let path = authority + until(&reference, &[';', '?']).1;
    s.inherit_as("path");
    s.set(Slot::Out(Part::Authority), None::<&str>);
    s.set(Slot::Out(Part::Path), path);
    s.set(Slot::Out(Part::Query), None::<&str>);
    s.set(Slot::Out(Part::Fragment), None::<&str>);
    To("irc: as_string")
});

const USER: Step = Step::new("authority: $uric4user", "encode each @ of the authority but the last, unless nothing follows it", |s| {
    let slot = Slot::Out(Part::Authority);
    if let Some((user, host)) = s.get(slot).rsplit_once('@').filter(|(_, host)| !host.is_empty()) {
        let authority = format!("{}@{host}", user.replace('@', "%40"));
        s.set(slot, authority);
    }
    Go
})
.since(&BRACKETS);

// Without the optional package Regexp::IPv6. With it, only an IPv6 address gets brackets.
const RAW_ADDRESS: Step = Step::new("authority: _looks_like_raw_ip6_address", "write brackets around a host of digits, a to f and two colons or more", |s| {
    let slot = Slot::Out(Part::Authority);
    let authority = s.get(slot);
    let (user, host) = authority.split_at(authority.rfind('@').map_or(0, |at| at + 1));
    let is_address = host.len() > 2
        && host.matches(':').count() > 1
        && host.bytes().all(|it| matches!(it, b':' | b'0'..=b'9' | b'a'..=b'f'));
    if is_address {
        let authority = format!("{user}[{host}]");
        s.set(slot, authority);
    }
    Go
})
.since(&BRACKETS);

const CHECK_PATH: Step = Step::new("_check_path", "write / after an authority before a path without it; without a scheme and an authority, ./ before one that begins like a scheme", |s| {
    let path = s.get(Slot::Out(Part::Path));
    let before = match (s.present(Slot::Out(Part::Authority)), s.present(Slot::Out(Part::Scheme))) {
        (Some(_), _) if !path.is_empty() && !path.starts_with('/') => "/",
        (None, None) if until(path, &['/', ':']).1.starts_with(':') && !path.starts_with(':') => "./",
        _ => return Go,
    };
    let path = format!("{before}{path}");
    s.set(Slot::Out(Part::Path), path);
    Go
});

const REFERENCE_PATH: Step = Step::new("abs: path", "read the path of the reference", |_| Call(PATH, Side::Reference));

const ROOT: Step = Step::new("abs: m,^/,", "a reference whose path begins with a slash keeps its path", |s| {
    s.flow(Slot::Merged, Slot::Ref(Part::Path));
    s.flow(Slot::NoDots, Slot::Ref(Part::Path));
    match s.get(Slot::Ref(Part::Path)).starts_with('/') {
        true => To("irc: as_string"),
        false => Go,
    }
});

const NO_PATH: Step = Step::new("abs: no path", "without a path, inherit the whole base; a query and a fragment replace those of the base", |s| {
    if !s.get(Slot::Ref(Part::Path)).is_empty() {
        return Go;
    }
    for part in Part::COMPONENTS {
        match part {
            Part::Query | Part::Fragment if s.present(Slot::Ref(part)).is_some() => s.flow(Slot::Out(part), Slot::Ref(part)),
            _ => s.inherit(part),
        }
    }
    s.flow(Slot::Merged, Slot::Base(Part::Path));
    s.flow(Slot::NoDots, Slot::Base(Part::Path));
    match s.present(Slot::Ref(Part::Fragment)) {
        Some(_) => To("fragment"),
        None => To("irc: as_string"),
    }
});

const FRAGMENT: Step = Step::new("fragment", "encode each # of the fragment", |s| {
    let slot = Slot::Out(Part::Fragment);
    let fragment = s.present(slot).map(|fragment| fragment.replace('#', "%23"));
    s.set(slot, fragment);
    Go
});

const BASE_PATH: Step = Step::new("abs: path of the base", "read the path of the base", |_| Call(PATH, Side::Base));

const MERGE: Step = Step::new("abs: s,[^/]+$,,", "the path follows the base's up to its last slash", |s| {
    s.inherit_as("folder");
    let merged = format!("{}{}", folder(s.get(Slot::Base(Part::Path))), s.get(Slot::Ref(Part::Path)));
    s.set(Slot::Merged, merged);
    Go
});

const DOTS: Step = Step::new(
    "abs: splice",
    "remove each . segment that is not the last, and each .. segment with the one before it, which may be empty, but not another ..; write a \
     slash before the path",
    |s| {
        let merged = s.get(Slot::Merged);
        let mut kept: Vec<&str> = merged.strip_prefix('/').unwrap_or(merged).split('/').collect();
        let mut at = 1;
        while at < kept.len() {
            if kept[at - 1] == "." {
                kept.remove(at - 1);
                at = (at - 1).max(1);
            } else if kept[at] == ".." && kept[at - 1] != ".." {
                kept.drain(at - 1..=at);
                if at > 1 {
                    at -= 1;
                    if at == kept.len() {
                        kept.push("");
                    }
                }
            } else {
                at += 1;
            }
        }
        let path = format!("/{}", kept.join("/"));
        s.flow(Slot::NoDots, Slot::Merged);
        s.set(Slot::NoDots, path);
        Go
    },
);

const LAST_DOT: Step = Step::new("abs: trailing \"/.\"", "make a last . segment empty", |s| {
    if let Some(path) = s.get(Slot::NoDots).strip_suffix("/.") {
        let path = format!("{path}/");
        s.set(Slot::NoDots, path);
    }
    Go
});

const LEADING_DOTS: Step = Step::new("abs: ABS_REMOTE_LEADING_DOTS", "remove . and .. segments at the beginning", |s| {
    let path = s.get(Slot::NoDots);
    let mut rest = path.strip_prefix('/').unwrap_or(path);
    while let (segment @ ("." | ".."), after) = cut(rest, "/") {
        let _ = segment;
        rest = after.unwrap_or_default();
    }
    let path = format!("/{rest}");
    s.set(Slot::NoDots, path);
    Go
});

const SET_PATH: Step = Step::new("abs: path of the target", "write the path; that of ftp replaces the query, too", |s| {
    s.copy(Slot::Out(Part::Path), Slot::NoDots);
    if target_module(s) == Module::Ftp {
        s.set(Slot::Out(Part::Query), None::<&str>);
    }
    To("irc: as_string")
});

const IRC_STRING: Step = Step::new("irc: as_string", "write an encoded # after the first slash of irc as it was", |s| {
    let slot = Slot::Out(Part::Path);
    let path = s.get(slot);
    let own = without_prefix(s, Slot::Out(Part::Scheme), path);
    if let Some(rest) = own.strip_prefix("/%23").filter(|_| target_module(s) == Module::Irc) {
        let path = format!("{}/#{rest}", &path[..path.len() - own.len()]);
        s.set(slot, path);
    }
    Go
});

const STRING: Step = Step::new("as_string", "return the text of the URL", |s| s.concatenate());

/// `new_abs`, with `abs` of `_generic`.
static NEW_ABS: &[Step] = &[
    NEW_REFERENCE, OPAQUE, MISSING, SCHEME, NEW_BASE, BASE_SCHEME, GEO_BASE, BASE_FIX, NETWORK_PATH, OPAQUE_BASE, SIP_BASE, USER,
    RAW_ADDRESS, CHECK_PATH, REFERENCE_PATH, ROOT, NO_PATH, BASE_PATH, MERGE, DOTS, LAST_DOT, SET_PATH, FRAGMENT, IRC_STRING, STRING,
];

/// `URI->new(url)`, and the methods of the module of its scheme.
pub(crate) static STATE: &[Step] = &[
    Step::new("URI: new", "read the URL", |_| Call(NEW, Side::Reference)),
    Step::new("URI: path", "read the path", |_| Call(PATH, Side::Reference)),
    Step::new("_generic: scheme, authority, path, query, fragment", "state the scheme in lower case, and the other components as they are", |s| {
        let scheme = s.present(Slot::Ref(Part::Scheme)).map(str::to_ascii_lowercase);
        s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
        s.set(Slot::Out(Part::Scheme), scheme);
        for part in [Part::Authority, Part::Path, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("URI: opaque", "without an authority in the scheme, the path is everything up to the fragment", |s| {
        if own_module(s, Side::Reference) == Module::Opaque {
            let path = text_of(s, [Part::Authority, Part::Path, Part::Query]);
            s.set(Slot::Out(Part::Path), path);
            s.set(Slot::Out(Part::Authority), None::<&str>);
            if s.get(Slot::Out(Part::Scheme)) != "mailto" {
                s.set(Slot::Out(Part::Query), None::<&str>);
            }
        }
        Go
    }),
    Step::new("ftp: query", "the query, which the path contains, is stated, too", |s| {
        if let (Module::Ftp, Some(query)) = (own_module(s, Side::Reference), s.get(Slot::Ref(Part::Path)).split_once('?')) {
            let query = query.1.to_owned();
            s.set(Slot::Out(Part::Query), query);
        }
        Go
    }),
    Step::new("sip: authority, path", "the authority of sip ends at ; or ?, and its path is absent", |s| {
        if own_module(s, Side::Reference) == Module::Sip {
            let text = text_of(s, [Part::Authority, Part::Path, Part::Query, Part::Fragment]);
            let authority = until(&text, &[';', '?']).0.to_owned();
            s.set(Slot::Out(Part::Authority), authority);
            s.set(Slot::Out(Part::Path), None::<&str>);
        }
        Go
    }),
    Step::new("_server: userinfo", "state what precedes the last @, if the scheme has servers", |s| {
        let user = s.get(Slot::Out(Part::Authority)).rsplit_once('@').map(|(user, _)| user.to_owned());
        s.set(Slot::Out(Part::Userinfo), user.filter(|_| has_server(s)));
        Go
    }),
    Step::new("_server: host, \\d+", "state what is between that and a colon with digits, if the scheme has servers", |s| {
        state_host(s, is_port)
    })
    .until(&EMPTY_PORT),
    Step::new("_server: host, \\d*", "state what is between that and a colon with digits or nothing, if the scheme has servers", |s| {
        state_host(s, |port| port.is_empty() || is_port(port))
    })
    .since(&EMPTY_PORT),
    Step::new("_server: host, brackets", "state the host without brackets", |s| {
        let host = s.present(Slot::Out(Part::Host));
        let host = host.map(|host| host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host).to_owned());
        s.set(Slot::Out(Part::Host), host);
        Go
    }),
    Step::new("file: host", "the host of file is the authority", |s| {
        if s.get(Slot::Out(Part::Scheme)) == "file" {
            s.flow(Slot::Out(Part::Host), Slot::Out(Part::Authority));
        }
        Go
    }),
    Step::new("uri_unescape", "decode the host: each escape is a character", |s| {
        let host = s.present(Slot::Out(Part::Host)).map(unescaped);
        s.set(Slot::Out(Part::Host), host);
        Go
    }),
    Step::new("_server: port", "state digits after the last colon or, without them, the default port, if the scheme has servers", |s| {
        let port = s.get(Slot::Out(Part::Authority)).rsplit_once(':').map(|(_, port)| port).filter(|port| is_port(port));
        let port = port.or(default_port(s.get(Slot::Out(Part::Scheme)))).filter(|_| has_server(s)).map(str::to_owned);
        s.set(Slot::Out(Part::Port), port);
        Go
    }),
];

/// States the host of an authority, without a port that `is_dropped`.
fn state_host(s: &mut State<'_>, is_dropped: impl Fn(&str) -> bool) -> Next {
    let host = s.present(Slot::Out(Part::Authority)).filter(|_| has_server(s)).map(|authority| {
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        host.rsplit_once(':').filter(|(_, port)| is_dropped(port)).map_or(host, |(host, _)| host).to_owned()
    });
    s.set(Slot::Out(Part::Host), host);
    Go
}

fn has_server(s: &State<'_>) -> bool {
    !matches!(own_module(s, Side::Reference), Module::Generic | Module::Opaque)
}

fn is_port(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit())
}

/// Concatenates parts of the reference.
fn text_of<const COUNT: usize>(s: &State<'_>, parts: [Part; COUNT]) -> String {
    let before = |part| match part {
        Part::Authority => "//",
        Part::Query => "?",
        Part::Fragment => "#",
        _ => "",
    };
    let own = parts.iter().filter_map(|part| Some([before(*part), s.present(Slot::Ref(*part))?]));
    own.flatten().collect()
}

/// `uri_unescape`: the characters are bytes.
pub(crate) fn unescaped(text: &str) -> String {
    let mut pieces = text.split('%');
    let mut decoded = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let byte = piece.get(..2).filter(|digits| digits.bytes().all(|it| it.is_ascii_hexdigit()));
        match byte.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                decoded.push(char::from(byte));
                decoded.push_str(&piece[2..]);
            }
            None => decoded.extend(["%", piece]),
        }
    }
    decoded
}

fn default_port(scheme: &str) -> Option<&'static str> {
    Some(match scheme {
        "http" | "ws" => "80",
        "https" | "wss" => "443",
        "ftp" | "ftpes" => "21",
        "ftps" => "990",
        "gopher" => "70",
        "icap" => "1344",
        "icaps" => "11344",
        "irc" => "6667",
        "ircs" => "994",
        "ldap" => "389",
        "ldaps" => "636",
        "mms" => "1755",
        "news" | "nntp" => "119",
        "nntps" | "snews" => "563",
        "pop" => "110",
        "rlogin" => "513",
        "rsync" => "873",
        "rtsp" | "rtspu" => "554",
        "scp" | "sftp" | "ssh" => "22",
        "sip" => "5060",
        "sips" => "5061",
        "smb" => "445",
        "smtp" => "25",
        "telnet" | "tn3270" => "23",
        _ => return None,
    })
}

/// The same, with `$ABS_REMOTE_LEADING_DOTS`.
pub(crate) static NEW_ABS_LEADING_DOTS: &[Step] = &[
    NEW_REFERENCE, OPAQUE, MISSING, SCHEME, NEW_BASE, BASE_SCHEME, GEO_BASE, BASE_FIX, NETWORK_PATH, OPAQUE_BASE, SIP_BASE, USER,
    RAW_ADDRESS, CHECK_PATH, REFERENCE_PATH, ROOT, NO_PATH, BASE_PATH, MERGE, DOTS, LAST_DOT, LEADING_DOTS, SET_PATH, FRAGMENT, IRC_STRING, STRING,
];

/// The same, with `$ABS_ALLOW_RELATIVE_SCHEME`.
pub(crate) static NEW_ABS_RELATIVE_SCHEME: &[Step] = &[
    NEW_REFERENCE, OPAQUE, MISSING, NEW_BASE, RELATIVE_SCHEME, BASE_SCHEME, GEO_BASE, BASE_FIX, NETWORK_PATH, OPAQUE_BASE, SIP_BASE, USER,
    RAW_ADDRESS, CHECK_PATH, REFERENCE_PATH, ROOT, NO_PATH, BASE_PATH, MERGE, DOTS, LAST_DOT, SET_PATH, FRAGMENT, IRC_STRING, STRING,
];

/// The target is the reference.
fn return_self(s: &mut State<'_>) -> Next {
    Part::COMPONENTS.into_iter().for_each(|part| s.keep(Slot::Out(part)));
    To("irc: as_string")
}

/// Replaces the rest by what `inner` returns for it without an end of line at its end. A text with other ends of lines is kept.
fn unwrap(s: &mut State<'_>, inner: impl Fn(&str) -> Option<String>) -> Next {
    let (text, end) = s.rest.strip_suffix('\n').map_or((s.rest.as_str(), ""), |text| (text, "\n"));
    if let Some(inner) = inner(text).filter(|inner| !inner.contains('\n')) {
        s.rest = inner + end;
    }
    s.write_text();
    Go
}

/// Rewrites all components of a side but its scheme.
fn rewrite_all(s: &mut State<'_>, written: impl Fn(&str) -> String) -> Next {
    for part in [Part::Authority, Part::Path, Part::Query, Part::Fragment] {
        let slot = s.own(part);
        if let Some(text) = s.present(slot) {
            let text = written(text);
            s.set(slot, text);
        }
    }
    Go
}

/// `$uric` without brackets, and the number sign.
fn is_uric(it: u8) -> bool {
    it.is_ascii_alphanumeric() || b";/?:@&=+$,-_.!~*'()%#".contains(&it)
}

fn with_brackets(text: &str) -> String {
    text.replace("%5B", "[").replace("%5b", "[").replace("%5D", "]").replace("%5d", "]")
}

/// Returns a path without what precedes a colon before the first slash, and without // and what follows it up to a slash, unless there is a
/// scheme.
fn without_prefix<'a>(s: &State<'_>, scheme: Slot, path: &'a str) -> &'a str {
    let (name, rest) = until(path, &['/', ':']);
    let Some(rest) = rest.strip_prefix(':').filter(|_| !name.is_empty() && s.present(scheme).is_none()) else { return path };
    rest.strip_prefix("//").map_or(rest, |after| until(after, &['/']).1)
}

/// `_server::_uric_escape`: returns an authority with its host converted; `None` if it need not or cannot be.
fn with_host(authority: &str, composes: bool) -> Option<String> {
    // The userinfo ends at the last @ of the first line that has one. What precedes that line follows the userinfo.
    let mut start = 0;
    let user = authority.split_inclusive('\n').find_map(|line| {
        let found = line.rfind('@').map(|at| start..start + at + 1);
        start += line.len();
        found
    });
    let user = user.unwrap_or(0..0);
    let host = format!("{}{}", &authority[..user.start], &authority[user.end..]);
    let name = host.trim_end_matches(|it| digit(it).is_some());
    let name = name.strip_suffix(':').filter(|name| name.len() + 1 < host.len()).unwrap_or(&host);
    if name.bytes().all(|it| is_uric(it) || matches!(it, b'[' | b']')) {
        return None;
    }
    let mut labels: Vec<&str> = name.split('.').collect();
    let root = if labels.len() > 1 && labels.last() == Some(&"") { labels.pop().map(|_| ".") } else { None };
    let labels: Option<Vec<String>> = labels.into_iter().map(|label| to_ascii(label, composes)).collect();
    Some(format!("{}{}{}{}", &authority[user], labels?.join("."), root.unwrap_or_default(), &host[name.len()..]))
}

/// `_idna::ToASCII`.
fn to_ascii(label: &str, composes: bool) -> Option<String> {
    let mut label = label.to_owned();
    if !label.is_ascii() {
        label = label.chars().flat_map(char::to_lowercase).collect();
        if composes {
            label = ComposingNormalizerBorrowed::new_nfc().normalize(&label).into_owned();
        }
        if !label.is_ascii() {
            if label.starts_with("xn--") {
                return None;
            }
            label = format!("xn--{}", idna::punycode::encode_str(&label)?);
        }
    }
    (1..=63).contains(&label.len()).then_some(label)
}

/// Latitude, longitude and altitude, and the parameters with their names.
type Coordinates<'a> = (Vec<&'a str>, Vec<(&'a str, &'a str)>);

/// `geo::_parse`.
fn coordinates(path: &str) -> Option<Coordinates<'_>> {
    let mut parts = path.split(';');
    let numbers: Vec<&str> = parts.next()?.split(',').collect();
    let are_numbers = numbers.iter().all(|it| is_number(it.strip_prefix('-').unwrap_or(it)));
    let is_word = |name: &str| !name.is_empty() && name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
    let parameters: Option<Vec<_>> = parts.map(|it| it.split_once('=').filter(|(name, _)| is_word(name))).collect();
    parameters.filter(|_| are_numbers && matches!(numbers.len(), 2 | 3)).map(|parameters| (numbers, parameters))
}

fn is_number(text: &str) -> bool {
    let (whole, part) = cut(text, ".");
    let is_digits = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    is_digits(whole) && part.is_none_or(is_digits)
}

/// `geo::_format` for a pole, whose longitude is 0; `None` for other places.
fn at_pole((numbers, parameters): Coordinates<'_>) -> Option<String> {
    let latitude = numbers.first()?.parse::<f64>().ok().filter(|it| it.abs() == 90.0)?;
    let number = |number: f64| {
        let text = format!("{number:.6}");
        text.strip_suffix(".000000").map(str::to_owned).unwrap_or(text)
    };
    let mut text = format!("{},0", number(latitude));
    if let Some(altitude) = numbers.get(2) {
        text.extend([",", altitude]);
    }
    let mut rest = parameters.as_slice();
    let is_word = |value: &str| !value.is_empty() && value.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
    if let [("crs", value), after @ ..] = rest
        && is_word(value)
    {
        text.extend([";crs=", &number(leading_number(value))]);
        rest = after;
    }
    if let [("u", value), after @ ..] = rest
        && is_number(value)
    {
        text.extend([";u=", &number(value.parse().unwrap_or_default())]);
        rest = after;
    }
    rest.iter().for_each(|(name, value)| text.extend([";", name, "=", value]));
    Some(text)
}

/// Returns the number that a word begins with, as Perl reads it; 0 if there is none.
fn leading_number(word: &str) -> f64 {
    let digits = |text: &str| text.len() - text.trim_start_matches(|it: char| it.is_ascii_digit()).len();
    let whole = digits(word);
    let exponent = word[whole..].strip_prefix(['e', 'E']).map_or(0, digits);
    let end = if exponent > 0 { whole + 1 + exponent } else { whole };
    word[..end].parse().unwrap_or_default()
}
