//! CPython's `urllib.parse`: `urljoin(base, url)`, and the attributes of `urlsplit(url)`, from 3.6.0 on.
//!
//! Read from `Lib/urllib/parse.py` of CPython 3.6.15 to 3.14; versions, dates and issues are those of `Misc/NEWS.d`. Nothing distinguishes an
//! empty component from an absent one before 3.14. Other tables call the public ones.

mod changes;

use icu_normalizer::ComposingNormalizerBorrowed;
use urlstrata::slots::{Part, Slot, Value};
use urlstrata_steps::text::{cut, folder, lower_by_unicode_16, until};
use urlstrata_steps::{Dated, Next, Next::*, Question, Side, State, Step, Table, no_calls};

use changes::*;

/// CPython's `urllib.parse`.
pub static TABLE: Table = Table {
    engine: "urllib",
    first: "3.6.0",
    changes: &[
        &SCOPE,
        &NFKC,
        &NFKC_PORT,
        &NFKC_USER,
        &PORTS,
        &TABS,
        &LETTER_FIRST,
        &DIGITS,
        &LSTRIP,
        &BRACKETED_HOST,
        &RTSPS,
        &ITMS,
        &SLASHES,
        &ROOTLESS,
        &BRACKETED_NETLOC,
        &EMPTY,
        &CAPITAL_V,
    ],
    dated: &[
        // Debian 12 added the fixes of later versions.
        Dated { version: "3.11.2", changes: &["gh-102153", "gh-103848", "gh-105704"] },
        // Reverted in 3.8.2 and 3.7.7.
        Dated { version: "3.8.1", changes: &["bpo-27657"] },
        Dated { version: "3.7.6", changes: &["bpo-27657"] },
    ],
    questions: &[(Question::Resolve, URLJOIN), (Question::Parse, PARSE)],
    called: &[SPLIT, URLPARSE, URLUNPARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

const RELATIVE: &[&str] = &[
    "", "ftp", "http", "gopher", "nntp", "imap", "wais", "file", "https", "shttp", "mms", "prospero", "rtsp", "rtspu",
    "sftp", "svn", "svn+ssh", "ws", "wss",
];

const NETLOC: &[&str] = &[
    "", "ftp", "http", "gopher", "nntp", "telnet", "imap", "wais", "file", "mms", "https", "shttp", "snews",
    "prospero", "rtsp", "rtspu", "rsync", "svn", "svn+ssh", "sftp", "nfs", "git", "git+ssh", "ws", "wss",
];

const PARAMS: &[&str] = &[
    "", "ftp", "hdl", "prospero", "http", "imap", "https", "shttp", "rtsp", "rtspu", "sip", "sips", "mms", "sftp",
    "tel",
];

/// Returns whether a scheme is in a list, which `rtsps` joined later.
fn lists(s: &State<'_>, list: &[&str], scheme: &str) -> bool {
    list.contains(&scheme) || scheme == "rtsps" && s.has(&RTSPS)
}

fn has_authority(s: &State<'_>, scheme: &str) -> bool {
    lists(s, NETLOC, scheme) || scheme == "itms-services" && s.has(&ITMS)
}

/// Marks that a table sets before it calls one of these with a text of its own: the slot of the base or the reference holds it.
pub(crate) const BASE_IN_SLOT: &str = "urllib: the slot holds the base";
pub(crate) const REFERENCE_IN_SLOT: &str = "urllib: the slot holds the reference";
/// The mark of a port that cannot be read.
pub(crate) const NO_PORT: &str = "urllib: reading the port fails";
/// The mark of `urljoin`: the scheme of the base decides on the parameters of a reference without one.
const DEFAULT_SCHEME: &str = "urllib: the base has the default scheme";

/// The version of Python with which the recordings of libraries that call `urllib.parse` were made.
pub(crate) const RECORDED: &str = "3.11.7";

/// Returns a text as `str.strip` does: without white space at both ends.
pub(crate) fn stripped(text: &str) -> &str {
    text.trim_matches(|it: char| it.is_whitespace() || matches!(it, '\x1c'..='\x1f'))
}

/// Returns the text of a side as a function is called with it.
fn text<'a>(s: &'a State<'_>, side: Side) -> &'a str {
    match side {
        Side::Base if s.is_marked(BASE_IN_SLOT) => s.get(Slot::Base(Part::Text)),
        Side::Base => s.base,
        Side::Reference if s.is_marked(REFERENCE_IN_SLOT) => s.get(Slot::Ref(Part::Text)),
        Side::Reference => s.passed.as_deref().unwrap_or(s.reference),
    }
}

/// `urlsplit`, for the base or the reference.
pub(crate) static SPLIT: &[Step] = &[
    Step::new("urlsplit", "take the text as it is", |s| {
        s.rest = text(s, s.side).to_owned();
        s.write_text();
        Go
    }),
    Step::new("urlsplit: lstrip", "remove control characters and spaces before the URL", |s| {
        s.trim_start(|it| it <= ' ');
        Go
    })
    .since(&LSTRIP),
    Step::new("urlsplit: _UNSAFE_URL_BYTES_TO_REMOVE", "remove tabs and ends of lines everywhere", |s| {
        s.rest.retain(|it| !matches!(it, '\t' | '\r' | '\n'));
        s.write_text();
        Go
    })
    .since(&TABS),
    Step::new(
        "urlsplit: the scheme, not a port",
        "letters, digits, +, - and . before a colon are the scheme, unless only digits follow; http always is",
        |s| {
            split_scheme(s, |name, rest| {
                name == "http" || rest.is_empty() || rest.bytes().any(|it| !it.is_ascii_digit())
            })
        },
    )
    .until(&PORTS),
    Step::new("urlsplit: the scheme", "letters, digits, +, - and . before a colon are the scheme", |s| {
        split_scheme(s, |_, _| true)
    })
    .since(&PORTS)
    .until(&LETTER_FIRST),
    Step::new(
        "urlsplit: the scheme begins with a letter",
        "letters, digits, +, - and . before a colon are the scheme if a letter of ASCII is first",
        |s| split_scheme(s, |name, _| begins_with_letter(name)),
    )
    .since(&LETTER_FIRST),
    Step::new("urlsplit: lower", "write the scheme in lower case", |s| {
        let scheme = s.own(Part::Scheme);
        if let Some(name) = s.present(scheme) {
            let name = name.to_lowercase();
            s.set(scheme, name);
        }
        Go
    }),
    Step::new("_splitnetloc", "after two slashes, the part up to the next /, ? or # is the authority", |s| {
        let rest = std::mem::take(&mut s.rest);
        let Some(after) = rest.strip_prefix("//") else {
            s.set(s.own(Part::Authority), None::<&str>);
            s.rest = rest;
            return Go;
        };
        let (authority, after) = until(after, &['/', '?', '#']);
        s.set(s.own(Part::Authority), authority);
        s.rest = after.to_owned();
        Go
    }),
    Step::new("urlsplit: brackets", "reject an authority that has only one of [ and ]", |s| {
        let slot = s.own(Part::Authority);
        let authority = s.get(slot);
        if authority.contains('[') != authority.contains(']') {
            return s.reject(slot, "one bracket is missing");
        }
        Go
    }),
    Step::new(
        "_check_bracketed_netloc",
        "reject an authority in which anything but a user precedes [, or anything but a port follows ]",
        |s| {
            let slot = s.own(Part::Authority);
            let authority = s.get(slot);
            if !authority.contains('[') {
                return Go;
            }
            let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
            let (before, bracketed) = cut(host, "[");
            let text = match bracketed {
                Some(_) if !before.is_empty() => return s.reject(slot, "something precedes a bracket"),
                Some(bracketed) => {
                    let (text, port) = cut(bracketed, "]");
                    if port.is_some_and(|port| !port.is_empty() && !port.starts_with(':')) {
                        return s.reject(slot, "something follows a bracket");
                    }
                    text
                }
                None => cut(host, ":").0,
            };
            match is_bracketed_host(text, s.has(&CAPITAL_V)) {
                true => Go,
                false => s.reject(slot, "brackets do not contain an IPv6 address"),
            }
        },
    )
    .since(&BRACKETED_NETLOC),
    Step::new(
        "_check_bracketed_host",
        "reject brackets that do not contain an IPv6 address or a later kind of address",
        |s| {
            let slot = s.own(Part::Authority);
            let Some((_, after)) = s.get(slot).split_once('[') else { return Go };
            match is_bracketed_host(cut(after, "]").0, false) {
                true => Go,
                false => s.reject(slot, "brackets do not contain an IPv6 address"),
            }
        },
    )
    .since(&BRACKETED_HOST)
    .until(&BRACKETED_NETLOC),
    Step::new("urlsplit: the fragment", "the part after the first # is the fragment", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (rest, fragment) = cut(&rest, "#");
        s.set(s.own(Part::Fragment), fragment);
        s.rest = rest.to_owned();
        Go
    }),
    Step::new("urlsplit: the query", "the part after the first ? is the query", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (rest, query) = cut(&rest, "?");
        s.set(s.own(Part::Query), query);
        s.set(s.own(Part::Path), rest);
        Go
    }),
    Step::new(
        "_checknetloc: the whole authority",
        "reject an authority outside ASCII that is not its compatible form (NFKC) if that has a delimiter",
        |s| check_netloc(s, &[]),
    )
    .since(&NFKC)
    .until(&NFKC_PORT),
    Step::new(
        "_checknetloc: rpartition",
        "reject an authority outside ASCII if the compatible form (NFKC) of what follows its last @ has a delimiter that it did not have",
        |s| {
            let authority = s.get(s.own(Part::Authority));
            let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host).to_owned();
            check_compatible(s, &host, &[':', '#', '?'])
        },
    )
    .since(&NFKC_PORT)
    .until(&NFKC_USER),
    Step::new(
        "_checknetloc",
        "reject an authority outside ASCII whose compatible form (NFKC) has a delimiter that it did not have",
        |s| check_netloc(s, &['@', ':', '#', '?']),
    )
    .since(&NFKC_USER),
];

/// `urlparse`, for the base or the reference.
pub(crate) static URLPARSE: &[Step] = &[
    Step::new("urlparse", "split the URL", |s| Call(SPLIT, s.side)),
    Step::new(
        "_splitparams",
        "the part after the first ; of the last segment is the parameters, if the scheme has them",
        |s| {
            let own = s.get(s.own(Part::Scheme));
            let is_default = own.is_empty() && s.side == Side::Reference && s.is_marked(DEFAULT_SCHEME);
            let scheme = if is_default { s.get(Slot::Base(Part::Scheme)) } else { own };
            let path = s.get(s.own(Part::Path));
            let last = &path[folder(path).len()..];
            if lists(s, PARAMS, scheme)
                && let (_, Some(params)) = cut(last, ";")
            {
                let params = params.to_owned();
                s.set(s.own(Part::Params), params);
            }
            Go
        },
    )
    .until(&EMPTY),
];

/// Rejects an authority outside ASCII whose compatible form has a delimiter, without those that are `ignored` before.
fn check_netloc(s: &mut State<'_>, ignored: &[char]) -> Next {
    let authority = s.get(s.own(Part::Authority)).to_owned();
    check_compatible(s, &authority, ignored)
}

/// Rejects a part of an authority as [`check_netloc`] does.
fn check_compatible(s: &mut State<'_>, text: &str, ignored: &[char]) -> Next {
    let slot = s.own(Part::Authority);
    if text.is_ascii() {
        return Go;
    }
    let kept: String = text.chars().filter(|it| !ignored.contains(it)).collect();
    let normal = ComposingNormalizerBorrowed::new_nfkc().normalize(&kept);
    if normal != kept && normal.contains(['/', '?', '#', '@', ':']) {
        return s.reject(slot, "normalization makes a delimiter of one of its characters");
    }
    Go
}

fn begins_with_letter(name: &str) -> bool {
    name.starts_with(|it: char| it.is_ascii_alphabetic())
}

fn split_scheme(s: &mut State<'_>, is_scheme: impl Fn(&str, &str) -> bool) -> Next {
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'+' | b'-' | b'.'))
    };
    let slot = s.own(Part::Scheme);
    let found = s.rest.split_once(':').filter(|(name, rest)| is_name(name) && is_scheme(name, rest));
    let Some((name, rest)) = found.map(|(name, rest)| (name.to_owned(), rest.to_owned())) else {
        s.set(slot, None::<&str>);
        return Go;
    };
    s.set(slot, name);
    s.rest = rest;
    Go
}

/// Returns whether `ipaddress.ip_address` reads `text` as an IPv6 address, or it is a later kind of address.
fn is_bracketed_host(text: &str, may_be_capital: bool) -> bool {
    let capital = text.strip_prefix('V').filter(|_| may_be_capital);
    if let Some(later) = text.strip_prefix('v').or(capital) {
        let (number, rest) = cut(later, ".");
        let is_number = !number.is_empty() && number.bytes().all(|it| it.is_ascii_hexdigit());
        // The pattern's dot does not match the end of a line.
        return is_number && rest.is_some_and(|rest| !rest.is_empty() && !rest.contains('\n'));
    }
    let (address, zone) = cut(text, "%");
    zone.is_none_or(|zone| !zone.is_empty() && !zone.contains('%')) && address.parse::<std::net::Ipv6Addr>().is_ok()
}

/// Returns the path of a side without the parameters that were cut off.
fn path(s: &State<'_>, of: fn(Part) -> Slot) -> String {
    let path = s.get(of(Part::Path));
    let params = s.present(of(Part::Params)).map(|params| format!(";{params}")).unwrap_or_default();
    path.strip_suffix(&params).unwrap_or(path).to_owned()
}

/// Returns the merged path without the parameters of the reference.
fn merged_path(s: &State<'_>) -> String {
    let merged = s.get(Slot::Merged);
    let params = with_params(s, String::new());
    merged.strip_suffix(&params).unwrap_or(merged).to_owned()
}

/// Returns a path with the parameters of the reference.
fn with_params(s: &State<'_>, path: String) -> String {
    match s.present(Slot::Ref(Part::Params)) {
        Some(params) => format!("{path};{params}"),
        None => path,
    }
}

/// `urljoin`, with `urlunparse` and `urlunsplit`.
pub(crate) static URLJOIN: &[Step] = &[
    Step::new("urljoin: no base", "return the reference as it is if the base is empty", |s| {
        match text(s, Side::Base).is_empty() {
            true => s.return_text(text(s, Side::Reference).to_owned()),
            false => Go,
        }
    }),
    Step::new("urljoin: no url", "return the base as it is if the reference is empty", |s| {
        if !text(s, Side::Reference).is_empty() {
            return Go;
        }
        s.set(Slot::Used, "scheme, authority, path, query, fragment");
        s.return_text(text(s, Side::Base).to_owned())
    }),
    Step::new("urljoin: urlparse(base)", "split the base", |_| Call(URLPARSE, Side::Base)),
    Step::new("urljoin: urlparse(url)", "split the reference", |s| {
        s.mark(DEFAULT_SCHEME);
        Call(URLPARSE, Side::Reference)
    }),
    Step::new("urljoin: the default scheme", "a reference without a scheme has the base's", |s| {
        match s.present(Slot::Ref(Part::Scheme)) {
            Some(_) => s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme)),
            None => s.inherit(Part::Scheme),
        }
        Go
    }),
    Step::new(
        "urljoin: uses_relative",
        "return the reference as it is if its scheme is not the base's, or not one with relative references",
        |s| {
            let scheme = s.get(Slot::Out(Part::Scheme));
            if scheme == s.get(Slot::Base(Part::Scheme)) && lists(s, RELATIVE, scheme) {
                return Go;
            }
            // What the caller has taken from the base remains in the reference.
            let taken = if s.get(Slot::Used).starts_with("fragment") { "fragment" } else { "nothing" };
            s.set(Slot::Used, taken);
            s.return_text(text(s, Side::Reference).to_owned())
        },
    ),
    Step::new(
        "urljoin: netloc",
        "a reference with an authority that is not empty keeps its path as it is; otherwise inherit the base's authority",
        |s| {
            s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
            s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
            if !has_authority(s, s.get(Slot::Out(Part::Scheme))) {
                s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
                return Go;
            }
            if s.get(Slot::Ref(Part::Authority)).is_empty() {
                s.inherit(Part::Authority);
                return Go;
            }
            s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
            s.flow(Slot::NoDots, Slot::Ref(Part::Path));
            To("urljoin: urlunparse")
        },
    ),
    Step::new(
        "urljoin: no path and no params",
        "without a path and parameters, inherit the base's, and its query if there is none",
        |s| {
            if !path(s, Slot::Ref).is_empty() || !s.get(Slot::Ref(Part::Params)).is_empty() {
                return Go;
            }
            s.inherit_as("path");
            if s.get(Slot::Ref(Part::Query)).is_empty() {
                s.inherit(Part::Query);
            }
            s.flow(Slot::Merged, Slot::Base(Part::Path));
            s.flow(Slot::NoDots, Slot::Base(Part::Path));
            To("urljoin: urlunparse")
        },
    )
    .until(&EMPTY),
    Step::new(
        "urljoin: no path",
        "without a path, inherit the base's, its query if there is none, and then its fragment if there is none",
        |s| {
            if !s.get(Slot::Ref(Part::Path)).is_empty() {
                return Go;
            }
            s.inherit_as("path");
            if s.present(Slot::Ref(Part::Query)).is_none() {
                s.inherit(Part::Query);
                if s.present(Slot::Ref(Part::Fragment)).is_none() {
                    s.inherit(Part::Fragment);
                }
            }
            s.flow(Slot::Merged, Slot::Base(Part::Path));
            s.flow(Slot::NoDots, Slot::Base(Part::Path));
            To("urljoin: urlunparse")
        },
    )
    .since(&EMPTY),
    Step::new("urljoin: path[:1] == '/'", "a path that begins with a slash is not merged", |s| {
        let own = path(s, Slot::Ref);
        if !own.starts_with('/') {
            return Go;
        }
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        To("urljoin: resolved_path")
    }),
    Step::new(
        "urljoin: base_parts",
        "the path follows the base's up to its last slash, or a slash if the base's is empty",
        |s| {
            let (base, own) = (path(s, Slot::Base), path(s, Slot::Ref));
            s.inherit_as("folder");
            let before = if base.is_empty() { "/" } else { folder(&base) };
            let merged = with_params(s, format!("{before}{own}"));
            s.set(Slot::Merged, merged);
            Go
        },
    ),
    Step::new("urljoin: filter", "remove empty segments of the merged path, except the first and the last", |s| {
        let merged = merged_path(s);
        let segments: Vec<&str> = merged.split('/').collect();
        let last = segments.len() - 1;
        let kept = segments.iter().enumerate().filter(|(at, segment)| *at == 0 || *at == last || !segment.is_empty());
        let merged = with_params(s, kept.map(|(_, segment)| *segment).collect::<Vec<_>>().join("/"));
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new(
        "urljoin: resolved_path",
        "remove each . segment, and each .. segment with the one before it, also the empty one before the first slash; \
         end in a slash after either, and write a slash if nothing remains",
        |s| {
            let merged = merged_path(s);
            let mut kept: Vec<&str> = Vec::new();
            for segment in merged.split('/') {
                match segment {
                    ".." => drop(kept.pop()),
                    "." => {}
                    _ => kept.push(segment),
                }
            }
            if matches!(&merged[folder(&merged).len()..], "." | "..") {
                kept.push("");
            }
            let joined = kept.join("/");
            let joined = with_params(s, if joined.is_empty() { "/".to_owned() } else { joined });
            s.flow(Slot::NoDots, Slot::Merged);
            s.set(Slot::NoDots, joined);
            Go
        },
    ),
    Step::new("urljoin: urlunparse", "write the components", |_| Call(URLUNPARSE, Side::Reference)),
];

/// `urlunparse` and `urlunsplit`, for the components of the target and its path without dot segments.
pub(crate) static URLUNPARSE: &[Step] = &[
    Step::new("urlunparse: params", "write no ; before empty parameters", |s| {
        let inherits = s.get(Slot::Used).ends_with("path") || s.get(Slot::Used).contains("path,");
        let params = if inherits { Slot::Base(Part::Params) } else { Slot::Ref(Part::Params) };
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        if s.present(params) == Some("") {
            let path = s.get(Slot::NoDots);
            let path = path.strip_suffix(';').unwrap_or(path).to_owned();
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    })
    .until(&EMPTY),
    Step::new(
        "urlunsplit: uses_netloc",
        "write // before an authority, and also without one if the scheme has authorities and the path does not begin with //",
        |s| {
            let is_written = is_netloc_scheme(s) && !s.get(Slot::Out(Part::Path)).starts_with("//");
            unsplit_authority(s, is_written)
        },
    )
    .until(&SLASHES),
    Step::new(
        "urlunsplit: //",
        "write // before an authority; without one, before a path that begins with //, and before any path if the scheme has authorities",
        |s| {
            let is_written = is_netloc_scheme(s) || s.get(Slot::Out(Part::Path)).starts_with("//");
            unsplit_authority(s, is_written)
        },
    )
    .since(&SLASHES)
    .until(&ROOTLESS),
    Step::new(
        "urlunsplit: netloc",
        "write // before an authority; without one, before a path that begins with //, and before an empty or rooted path if the scheme \
         has authorities",
        |s| {
            let path = s.get(Slot::Out(Part::Path));
            let is_rooted = path.is_empty() || path.starts_with('/');
            let is_written = path.starts_with("//") || is_netloc_scheme(s) && is_rooted;
            unsplit_authority(s, is_written)
        },
    )
    .since(&ROOTLESS)
    .until(&EMPTY),
    Step::new("_urlunsplit: netloc", "write // before an authority, even an empty one, and before a path that begins with //", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        match s.present(Slot::Out(Part::Authority)).is_some() || s.get(Slot::Out(Part::Path)).starts_with("//") {
            true => write_authority(s),
            false => Go,
        }
    })
    .since(&EMPTY),
    Step::new("urlunsplit: query, fragment", "write no empty query and no empty fragment", |s| {
        for part in [Part::Query, Part::Fragment] {
            if s.get(Slot::Out(part)).is_empty() {
                s.set(Slot::Out(part), None::<&str>);
            }
        }
        Go
    })
    .until(&EMPTY),
    Step::new("urlunsplit", "concatenate the components", |s| s.concatenate()),
];

/// `urlunsplit` of Python 3.11: empty components are absent, but an authority precedes a path if the scheme has authorities.
pub(crate) fn unsplit(s: &State<'_>, [scheme, authority, path, query, fragment]: [&str; 5]) -> String {
    let mut url = path.to_owned();
    if !authority.is_empty() || !scheme.is_empty() && has_authority(s, scheme) && !path.starts_with("//") {
        let slash = if path.is_empty() || path.starts_with('/') { "" } else { "/" };
        url = format!("//{authority}{slash}{path}");
    }
    let before = |mark: &str, text: &str| if text.is_empty() { String::new() } else { format!("{mark}{text}") };
    let scheme = if scheme.is_empty() { String::new() } else { format!("{scheme}:") };
    scheme + &url + &before("?", query) + &before("#", fragment)
}

/// Returns whether the target has a scheme that has authorities.
fn is_netloc_scheme(s: &State<'_>) -> bool {
    let scheme = s.get(Slot::Out(Part::Scheme));
    !scheme.is_empty() && has_authority(s, scheme)
}

/// Writes an authority that is not empty, or, if `is_written`, an empty one.
fn unsplit_authority(s: &mut State<'_>, is_written: bool) -> Next {
    if is_written || !s.get(Slot::Out(Part::Authority)).is_empty() {
        return write_authority(s);
    }
    s.set(Slot::Out(Part::Authority), None::<&str>);
    Go
}

/// Writes an authority, even if it is empty, and a slash before a path that has none.
fn write_authority(s: &mut State<'_>) -> Next {
    let authority = s.get(Slot::Out(Part::Authority)).to_owned();
    s.set(Slot::Out(Part::Authority), authority);
    let path = s.get(Slot::Out(Part::Path));
    if !path.is_empty() && !path.starts_with('/') {
        let path = format!("/{path}");
        s.set(Slot::Out(Part::Path), path);
    }
    Go
}

/// The attributes of what `urlsplit` returns.
pub(crate) static PARSE: &[Step] = &[
    Step::new("urlsplit: SplitResult", "split the URL", |_| Call(SPLIT, Side::Reference)),
    Step::new("SplitResult", "state components that are absent as empty ones", |s| {
        for part in Part::COMPONENTS {
            s.flow(Slot::Out(part), Slot::Ref(part));
            if s.present(Slot::Out(part)).is_none() {
                s.set(Slot::Out(part), "");
            }
        }
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("_userinfo", "the part before the last @ is the user, and after its first : the password", |s| {
        let user = s.get(Slot::Out(Part::Authority)).rsplit_once('@').map(|(user, _)| user.to_owned());
        let (user, password) = user.as_deref().map_or((None, None), |user| {
            let (user, password) = cut(user, ":");
            (Some(user), password)
        });
        s.set(Slot::Out(Part::User), user);
        s.set(Slot::Out(Part::Password), password);
        Go
    }),
    Step::new(
        "_hostinfo",
        "the host ends at the first colon, or is what the first brackets contain; after its end, the part that follows a colon is the port; \
         empty ones are absent",
        |s| {
            let authority = s.get(Slot::Out(Part::Authority));
            let info = authority.rsplit_once('@').map_or(authority, |(_, info)| info);
            let (host, port) = match info.split_once('[') {
                Some((_, bracketed)) => {
                    let (host, after) = cut(bracketed, "]");
                    (host, cut(after.unwrap_or_default(), ":").1)
                }
                None => cut(info, ":"),
            };
            let (host, port) = (host.to_owned(), port.map(str::to_owned));
            s.set(Slot::Out(Part::Host), Some(host).filter(|host| !host.is_empty()));
            s.set(Slot::Out(Part::Port), port.filter(|port| !port.is_empty()));
            Go
        },
    ),
    Step::new("hostname: lower", "state the host in lower case", |s| state_host(s, lower_by_unicode_16))
        .until(&SCOPE),
    Step::new("hostname: the zone", "state the host in lower case up to its first percent sign", |s| {
        state_host(s, |host| {
            let (address, zone) = host.split_at(host.find('%').unwrap_or(host.len()));
            lower_by_unicode_16(address) + zone
        })
    })
    .since(&SCOPE),
    Step::new(
        "port: int",
        "state the port as a number up to 65535, if `int` reads it; otherwise reading the attribute fails",
        |s| state_port(s, number),
    )
    .until(&DIGITS),
    Step::new(
        "port: isdigit",
        "state the port as a number up to 65535, if it has only digits; otherwise reading the attribute fails",
        |s| state_port(s, |port| digits(port).filter(|_| port.bytes().all(|it| it.is_ascii_digit()))),
    )
    .since(&DIGITS),
];

fn state_host(s: &mut State<'_>, written: impl Fn(&str) -> String) -> Next {
    if let Some(host) = s.present(Slot::Out(Part::Host)) {
        let host = written(host);
        s.set(Slot::Out(Part::Host), host);
    }
    Go
}

/// Writes the port as a number, or that it is not stated.
fn state_port(s: &mut State<'_>, read: impl Fn(&str) -> Option<String>) -> Next {
    if let Some(port) = s.present(Slot::Out(Part::Port)) {
        let number = read(port).filter(|number| number.parse::<u16>().is_ok());
        if number.is_none() {
            s.mark(NO_PORT);
        }
        s.set(Slot::Out(Part::Port), number.map_or(Value::Unread, Value::Text));
    }
    Done
}

/// Decodes escapes as `unquote` does: bytes that are not UTF-8 become U+FFFD.
pub(crate) fn unquoted(text: &str) -> String {
    String::from_utf8_lossy(&unquoted_to_bytes(text)).into_owned()
}

/// Decodes escapes as `unquote_to_bytes` does.
pub(crate) fn unquoted_to_bytes(text: &str) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let mut out = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let escape = match (first, after) {
            (b'%', [high, low, ..]) => digit(*high).zip(digit(*low)),
            _ => None,
        };
        out.push(escape.map_or(*first, |(high, low)| 16 * high + low));
        rest = after.get(if escape.is_some() { 2 } else { 0 }..).unwrap_or_default();
    }
    out
}

/// Returns what `int` reads, as digits without leading zeros: digits of any script, single underscores between them, white space around them
/// and a sign before them.
pub(crate) fn number(text: &str) -> Option<String> {
    let text = text.trim();
    let (sign, text) = match text.strip_prefix('-') {
        Some(text) => ("-", text),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    if text.split('_').any(str::is_empty) {
        return None;
    }
    let number = digits(&text.replace('_', ""))?;
    Some(if number == "0" { number } else { format!("{sign}{number}") })
}

/// Returns the number of digits of any script, without leading zeros; `None` if there is anything else or nothing.
fn digits(text: &str) -> Option<String> {
    let digits: Option<String> =
        text.chars().map(|it| digit(it).and_then(|digit| char::from_digit(digit, 10))).collect();
    let digits = digits.filter(|digits| !digits.is_empty())?;
    let number = digits.trim_start_matches('0');
    Some(if number.is_empty() { "0" } else { number }.to_owned())
}

/// Returns the value of a decimal digit of any script.
pub(crate) fn digit(character: char) -> Option<u32> {
    let code = character as u32;
    let zero = ZEROS.iter().rev().find(|zero| **zero <= code)?;
    let end = if *zero == 0x1d7ce { 50 } else { 10 };
    Some(code - zero).filter(|value| *value < end).map(|value| value % 10)
}

/// The zeros of the decimal digits of Unicode 13, in order. The first of the mathematical ones begins five series.
const ZEROS: &[u32] = &[
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
    0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620,
    0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0,
    0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60,
    0x16b50, 0x1d7ce, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
];
