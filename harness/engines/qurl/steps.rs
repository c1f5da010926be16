//! Qt: `QUrl(base).resolved(QUrl(reference)).toString()`, and the components of `QUrl(url)`, of 6.11.
//!
//! Read from `qurl.cpp`, `qurlrecode.cpp`, `qurlidna.cpp`, `qipaddress.cpp` and `qdir.cpp` of `corelib/io` in a copy of the development branch of Qt 6.
//! Components are kept decoded, but for what would change their meaning. If the base is unknown, the reference is written alone.

mod host;
mod path;
mod recode;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, folder, scheme};
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table, no_calls};

use crate::rfc3986;
use path::without_dots;
pub(crate) use recode::Recode;
use recode::{AUTHORITY_PASSWORD, AUTHORITY_USER, decoded};

/// Qt.
pub static TABLE: Table = Table {
    engine: "qurl",
    first: "6.11.2",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, TO_STRING), (Question::Parse, STATE)],
    called: &[PARSE, RESOLVED],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `QUrlPrivate::parse` and `validityError`, for the base and the reference.
pub(crate) static PARSE: &[Step] = &[
    Step::new("QString::fromUtf16", "remove a byte order mark at the beginning; reject one that is the whole text", |s| {
        let text = s.given();
        s.rest = text.strip_prefix('\u{feff}').unwrap_or(text).to_owned();
        s.write_text();
        match s.rest.is_empty() && !text.is_empty() {
            true => s.reject(s.own(Part::Text), "it is empty"),
            false => Go,
        }
    }),
    Step::new("QUrlPrivate::setScheme", "a letter, then letters, digits, +, - and . before a colon are the scheme", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (name, rest) = scheme(&rest).map_or((None, rest.as_str()), |(name, rest)| (Some(name), rest));
        s.set(s.own(Part::Scheme), name);
        s.rest = rest.to_owned();
        Go
    }),
    Step::new("QUrlPrivate::setScheme: needsLowercasing", "write the scheme in lower case", |s| {
        rewrite(s, Part::Scheme, |scheme| Some(scheme.to_ascii_lowercase()))
    }),
    Step::new("QUrlPrivate::parse: authority", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("QUrlPrivate::parse", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
    Step::new("QUrlPrivate::setUserInfo", "the text before the first @ is the user, with the password after its first colon", |s| {
        let authority = s.present(s.own(Part::Authority)).map(str::to_owned);
        let found = authority.as_deref().and_then(|it| it.split_once('@'));
        let (user, password) = found.map_or((None, None), |(user, _)| (Some(cut(user, ":").0), cut(user, ":").1));
        s.set(s.own(Part::User), user);
        s.set(s.own(Part::Password), password);
        s.set(s.own(Part::Host), found.map(|(_, host)| host).or(authority.as_deref()));
        Go
    }),
    Step::new(
        "QUrlPrivate::setAuthority: port",
        "the digits after the last colon, unless the first ] follows it, are the port, written as a number modulo 2^64; reject one above 65535, but drop an empty one",
        |s| {
            let slot = s.own(Part::Host);
            let host = s.get(slot).to_owned();
            let is_inside = |colon: usize| host.starts_with('[') && host.find(']').is_none_or(|at| at > colon);
            let colon = host.rfind(':').filter(|colon| !is_inside(*colon));
            let digits = colon.map(|colon| &host[colon + 1..]).filter(|digits| !digits.is_empty());
            let number = |digits: &str| {
                let add = |number: u64, it: char| Some(number.wrapping_mul(10).wrapping_add(it.to_digit(10)?.into()));
                digits.chars().try_fold(0, add).and_then(|number| u16::try_from(number).ok())
            };
            let port = digits.map(number);
            if port == Some(None) {
                return s.reject(slot, "what follows the last colon is not a port");
            }
            s.set(s.own(Part::Port), port.flatten().map(|port| port.to_string()));
            if let Some(colon) = colon {
                s.set(slot, &host[..colon]);
            }
            Go
        },
    ),
    Step::new("parseIpFuture", "what brackets contain after v, a digit and a dot is decoded; reject what such an address does not have", |s| {
        if !is_future(s.get(s.own(Part::Host))) {
            return Go;
        }
        rewrite(s, Part::Host, |host| {
            let (version, rest) = host.split_at(4);
            let text = decoded(&rest[..rest.len() - 1]);
            let is_allowed = |it: char| it.is_ascii_alphanumeric() || "!$&'()*+,;=:-._~\0".contains(it);
            let is_valid = version.as_bytes()[2].is_ascii_hexdigit() && version.ends_with('.') && text.chars().all(is_allowed);
            let text = text.replace('\0', "%00");
            is_valid.then(|| format!("[v{}.{text}]", version[2..3].to_ascii_uppercase()))
        })
    }),
    Step::new("parseIp6", "write an IPv6 address in brackets in its short form, with a zone after %25; reject other brackets", |s| {
        if !s.get(s.own(Part::Host)).starts_with('[') || is_future(s.get(s.own(Part::Host))) {
            return Go;
        }
        rewrite(s, Part::Host, |host| {
            let text = host.strip_prefix('[')?.strip_suffix(']')?;
            let text = Recode { decodes: b":", ..Recode::default() }.of(text).replace("%20", " ");
            let divided = text.split_once("%25").filter(|(_, zone)| !zone.contains("%25"));
            let (address, zone) = divided.unwrap_or((&text, ""));
            let zone = match (divided, zone) {
                (Some(_), "") => return None,
                (Some(_), zone) => format!("%25{zone}"),
                (None, _) => String::new(),
            };
            Some(format!("[{}{zone}]", host::ip6(address)?))
        })
    }),
    Step::new("parseIp4", "write one to four numbers as an IPv4 address", write_ip4),
    Step::new("QUrlPrivate::setHost: qt_urlRecode", "decode the host; reject one that has an escape after that", |s| {
        if s.get(s.own(Part::Host)).starts_with('[') {
            return Go;
        }
        rewrite(s, Part::Host, |host| Some(Recode::default().of(host)).filter(|it| !it.contains('%')))
    }),
    Step::new("parseIp4: a decoded host", "write one to four numbers as an IPv4 address, also if they were encoded", write_ip4),
    Step::new(
        "qt_ACE_do",
        "write the ASCII form of the host by UTS 46, or its form in Unicode if the top-level domain is listed; reject a host without one",
        |s| match s.get(s.own(Part::Host)) {
            host if host.is_empty() || host.starts_with('[') || host::ip4(host).is_some() => Go,
            _ => rewrite(s, Part::Host, host::normalized),
        },
    ),
    Step::new("parseIp4: a mapped host", "write one to four numbers as an IPv4 address, also if characters were mapped to them", write_ip4),
    Step::new(
        "recodeFromUser",
        "decode the components, but not what delimits them, control characters and what is not UTF-8; encode percent signs without two digits",
        |s| {
            for (part, from) in [(Part::User, 0), (Part::Password, 1), (Part::Path, 5), (Part::Query, 6), (Part::Fragment, 7)] {
                rewrite(s, part, |text| Some(Recode::isolated(from).of(text)));
            }
            Go
        },
    ),
    Step::new("validityError", "reject a path with a colon in its first segment, without a scheme and an authority", |s| {
        let slot = s.own(Part::Path);
        let is_relative = s.present(s.own(Part::Scheme)).is_none() && s.present(s.own(Part::Authority)).is_none();
        match is_relative && has_colon(s.get(slot)) {
            true => s.reject(slot, "its first segment contains a colon"),
            false => Go,
        }
    }),
];

/// Returns whether a colon precedes the first slash of a path.
fn has_colon(path: &str) -> bool {
    cut(path, "/").0.contains(':')
}

fn is_future(host: &str) -> bool {
    host.starts_with("[v") && host.ends_with(']') && host.encode_utf16().count() > 5 && host.is_char_boundary(4)
}

/// Rewrites a component of the side that is read, or rejects it.
fn rewrite(s: &mut State<'_>, part: Part, rewritten: impl Fn(&str) -> Option<String>) -> Next {
    let slot = s.own(part);
    match s.present(slot).map(rewritten) {
        None => Go,
        Some(Some(text)) => {
            s.set(slot, text);
            Go
        }
        Some(None) => s.reject(slot, "it is not valid"),
    }
}

fn write_ip4(s: &mut State<'_>) -> Next {
    rewrite(s, Part::Host, |host| Some(host::ip4(host).unwrap_or_else(|| host.to_owned())))
}

/// `resolved`. Its result is a target that is not written yet.
pub(crate) static RESOLVED: &[Step] = &[
    Step::new("QUrl: base", "read the base, unless it is unknown", |s| if s.base.is_empty() { Go } else { Call(PARSE, Side::Base) }),
    Step::new("QUrl: relative", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("resolved: no base", "without a base, the reference is the target, with its dot segments", |s| {
        if !s.base.is_empty() {
            return Go;
        }
        for part in Part::COMPONENTS {
            s.copy(Slot::Out(part), Slot::Ref(part));
        }
        take(s, Slot::Ref);
        s.flow(Slot::NoDots, Slot::Ref(Part::Path));
        To("toString: isLocalFile")
    }),
    Step::new("resolved: relative.scheme", "a reference with a scheme inherits nothing, any other one the scheme", |s| {
        take(s, Slot::Ref);
        rfc3986::own_scheme(s, "normalizePathSegments")
    }),
    Step::new("resolved: relative.hasAuthority", "a reference with an authority inherits only the scheme, any other one the authority, too", |s| {
        if s.present(Slot::Ref(Part::Authority)).is_none() {
            take(s, Slot::Base);
        }
        rfc3986::own_authority(s, "normalizePathSegments")
    }),
    Step::new("resolved: relative.path.isEmpty", "without a path, inherit the base's, and its query if there is none", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        if s.present(Slot::Ref(Part::Query)).is_none() {
            s.inherit(Part::Query);
        }
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        To("normalizePathSegments")
    }),
    Step::new("resolved: relative.path.startsWith", "a path that begins with a slash is not merged", |s| rfc3986::rooted(s, "normalizePathSegments")),
    Step::new("mergePaths", "the path follows the base's up to its last slash, or a slash if the base has a host and no path", |s| {
        let base = s.get(Slot::Base(Part::Path));
        let has_root = base.is_empty() && !s.get(Slot::Base(Part::Host)).is_empty();
        let merged = format!("{}{}", if has_root { "/" } else { folder(base) }, s.get(Slot::Ref(Part::Path)));
        s.inherit_as("folder");
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new(
        "normalizePathSegments",
        "remove dot segments, also of an inherited path; no slashes precede what remains at the beginning of a rootless one, and paths of file have \
         no empty segments if any is removed",
        |s| {
            let path = without_dots(s.get(Slot::Merged), s.get(Slot::Out(Part::Scheme)) == "file");
            s.flow(Slot::NoDots, Slot::Merged);
            s.set(Slot::NoDots, path);
            Go
        },
    ),
    Step::new("fixupNonAuthorityPath", "without an authority, only one slash begins the path, except for file", |s| {
        let path = s.get(Slot::NoDots);
        if s.present(Slot::Out(Part::Authority)).is_none() && s.get(Slot::Out(Part::Scheme)) != "file" && path.starts_with("//") {
            let path = format!("/{}", path.trim_start_matches('/'));
            s.set(Slot::NoDots, path);
        }
        Go
    }),
    Step::new("isValid: the target", "reject a rootless path after an authority, and one with a colon in its first segment without a scheme", |s| {
        let path = s.get(Slot::NoDots);
        let is_rootless = !path.is_empty() && !path.starts_with('/');
        let is_wrong = match s.present(Slot::Out(Part::Authority)) {
            Some(_) => is_rootless,
            None => is_rootless && s.present(Slot::Out(Part::Scheme)).is_none() && has_colon(path),
        };
        if is_wrong { s.reject(Slot::NoDots, "the target would be read otherwise") } else { Go }
    }),
    Step::new("toString: isLocalFile", "write slashes before a rooted path of file", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        let is_local = s.get(Slot::Out(Part::Scheme)) == "file" && s.get(Slot::NoDots).starts_with('/');
        if is_local && s.present(Slot::Out(Part::Authority)).is_none() {
            s.set(Slot::Out(Part::Authority), "");
        }
        Done
    }),
];

/// Takes the parts of the authority from a side.
fn take(s: &mut State<'_>, of: fn(Part) -> Slot) {
    for part in [Part::User, Part::Password, Part::Host, Part::Port] {
        s.flow(Slot::Out(part), of(part));
    }
}

/// `toString`.
static TO_STRING: &[Step] = &[
    Step::new("resolved", "resolve the reference", |_| Call(RESOLVED, Side::Reference)),
    Step::new("toString: appendAuthority", "write user and password with their delimiters encoded, the host and the port", |s| write_authority(s, false)),
    Step::new("toString: appendPath, appendQuery, appendFragment", "encode what the components do not contain in a URL", |s| {
        for (part, recode) in [
            (Part::Path, Recode::in_url(5, false)),
            (Part::Query, Recode::in_url(6, false)),
            (Part::Fragment, Recode::default()),
        ] {
            let text = s.present(Slot::Out(part)).map(|text| recode.of(text));
            s.set(Slot::Out(part), text);
        }
        Go
    }),
    Step::new("toString", "concatenate the components", |s| s.concatenate()),
];

/// Writes the authority of the target; if it `is_full`, in ASCII.
pub(crate) fn write_authority(s: &mut State<'_>, is_full: bool) -> Next {
    if s.present(Slot::Out(Part::Authority)).is_none() {
        return Go;
    }
    let authority = authority(s, Recode::in_url(0, is_full), Recode::in_url(1, is_full), is_full);
    s.compose(Slot::Out(Part::Authority), &[Part::User, Part::Password, Part::Host, Part::Port].map(Slot::Out));
    s.set(Slot::Out(Part::Authority), authority);
    Go
}

/// `appendAuthority`.
pub(crate) fn authority(s: &State<'_>, user: Recode, password: Recode, is_full: bool) -> String {
    let password = s.present(Slot::Out(Part::Password)).map(|text| format!(":{}", password.of(text)));
    let user = s.present(Slot::Out(Part::User)).map(|text| user.of(text) + &password.unwrap_or_default() + "@");
    let host = s.get(Slot::Out(Part::Host));
    let host = if is_full { ascii_host(host) } else { host.to_owned() };
    let port = s.present(Slot::Out(Part::Port)).map(|port| format!(":{port}"));
    user.unwrap_or_default() + &host + &port.unwrap_or_default()
}

/// `appendHost` in ASCII.
pub(crate) fn ascii_host(host: &str) -> String {
    match host.starts_with('[') {
        true => Recode { is_full: true, ..Recode::default() }.of(host),
        false => host::to_ace(host, true).unwrap_or_default(),
    }
}

/// The components of `QUrl(url)`.
static STATE: &[Step] = &[
    Step::new("QUrl", "read the URL", |_| Call(PARSE, Side::Reference)),
    Step::new("QUrl: the getters", "state the components, and absent ones but the port as empty", |s| {
        state(s);
        let authority = authority(s, AUTHORITY_USER, AUTHORITY_PASSWORD, false);
        s.set(Slot::Out(Part::Authority), authority);
        Go
    }),
    Step::new("QUrl: FullyDecoded", "decode user, password, host and path completely, but not what is not UTF-8", |s| {
        for part in [Part::User, Part::Password, Part::Host, Part::Path] {
            let text = s.present(Slot::Out(part)).map(decoded);
            s.set(Slot::Out(part), text);
        }
        state_host(s)
    }),
];

/// The components that are stated.
pub(crate) fn state(s: &mut State<'_>) {
    take(s, Slot::Ref);
    for part in Part::COMPONENTS {
        s.flow(Slot::Out(part), Slot::Ref(part));
    }
    s.set(Slot::Result, s.reference);
}

/// States a host without its brackets, and absent components but the port as empty.
pub(crate) fn state_host(s: &mut State<'_>) -> Next {
    let host = s.get(Slot::Out(Part::Host));
    let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host).to_owned();
    s.set(Slot::Out(Part::Host), host);
    for slot in [Part::User, Part::Password].into_iter().chain(Part::COMPONENTS).map(Slot::Out) {
        if s.present(slot).is_none() {
            s.set(slot, "");
        }
    }
    Done
}
