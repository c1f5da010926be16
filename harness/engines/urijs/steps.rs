//! URI.js: `new URI(reference).absoluteTo(base)`, and the accessors of `new URI(url)`, from 1.18.12 on.
//!
//! Read from `src/URI.js` of URI.js 1.18.12 to 1.19.11. A URL with a scheme and no slashes after it is a *URN* here. Users and passwords are decoded
//! when they are read, and encoded when they are written. An empty component is an absent one.

mod changes;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, encoded, folder, until};
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table, no_calls};

use crate::url_parse::{decoded, is_white};
use changes::*;

/// URI.js.
pub static TABLE: Table = Table {
    engine: "urijs",
    first: "1.18.12",
    changes: &[
        &ANY_HOST,
        &QUERY,
        &ROOT,
        &BACKSLASH,
        &BACKSLASHES,
        &AFTER_SCHEME,
        &WEB,
        &WEB_CASE,
        &LEADING,
        &COLONS,
        &TABS,
        &SLASHES,
    ],
    dated: &[],
    questions: &[(Question::Resolve, ABSOLUTE_TO), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// The mark of a URN.
fn urn(side: Side) -> &'static str {
    match side {
        Side::Base => "the base is a URN",
        Side::Reference => "the reference is a URN",
    }
}

/// `URI.parse`, for the base and the reference.
static PARSE: &[Step] = &[
    Step::new("parse", "take the text as it is", |s| {
        s.rest = s.given().to_owned();
        s.write_text();
        Go
    }),
    Step::new("parse: leading_whitespace_expression", "remove control characters and white space before the URL", |s| {
        s.rest = s.rest.trim_start_matches(|it| it <= ' ' || is_white(it)).to_owned();
        s.write_text();
        Go
    })
    .since(&LEADING),
    Step::new("parse: ascii_tab_whitespace", "remove tabs and ends of lines", |s| {
        s.rest.retain(|it| !matches!(it, '\t' | '\n' | '\r'));
        s.write_text();
        Go
    })
    .since(&TABS),
    Step::new("parse: fragment", "the part after the first # is the fragment, if it is not empty", |s| {
        cut_off(s, Part::Fragment, "#")
    }),
    Step::new("parse: query", "the part after the first ? is the query, if it is not empty", |s| {
        cut_off(s, Part::Query, "?")
    }),
    Step::new(
        "parse: web protocols in lower case",
        "write two slashes for those and backslashes after the colon of an empty scheme and of http, https, ftp, ws and wss",
        |s| write_slashes(s, |name| name == name.to_ascii_lowercase(), 1),
    )
    .since(&WEB)
    .until(&WEB_CASE),
    Step::new(
        "parse: web protocols, one colon",
        "write two slashes for those and backslashes after the colon of an empty scheme and of http, https, ftp, ws and wss in any case",
        |s| write_slashes(s, |_| true, 1),
    )
    .since(&WEB_CASE)
    .until(&COLONS),
    Step::new(
        "parse: web protocols",
        "write a colon and two slashes for the colons after an empty scheme, http, https, ftp, ws or wss, and for slashes and backslashes \
         after them",
        |s| write_slashes(s, |_| true, usize::MAX),
    )
    .since(&COLONS),
    Step::new("parse: scheme relative", "write two slashes for two or more slashes and backslashes at the beginning", |s| {
        let after = s.rest.trim_start_matches(['/', '\\']);
        if s.rest.len() - after.len() > 1 {
            s.rest = format!("//{after}");
            s.decide(s.own(Part::Authority));
        }
        Go
    })
    .since(&SLASHES),
    Step::new(
        "parse: protocol",
        "the text before a colon is the protocol if it is a name or nothing; an authority follows two slashes, and otherwise it is a URN",
        |s| cut_protocol(s, |next| next == "//"),
    )
    .until(&AFTER_SCHEME),
    Step::new(
        "parse: protocol and backslashes",
        "the text before a colon is the protocol if it is a name or nothing; an authority follows two slashes or backslashes, and otherwise \
         it is a URN",
        |s| cut_protocol(s, |next| next.replace('\\', "/") == "//"),
    )
    .since(&AFTER_SCHEME),
    Step::new("parseUserinfo: the first slash", "the user ends at the last @ before the first slash", |s| {
        let region = until(&s.rest, &['/']).0;
        let user = region.rfind('@');
        cut_user(s, user)
    })
    .until(&BACKSLASH),
    Step::new(
        "parseUserinfo: a backslash and a slash",
        "the user ends at the last @ before the first slash, if no backslash precedes it",
        |s| {
            let region = until(&s.rest, &['/']).0;
            let backslash = if region.len() < s.rest.len() { region.find('\\') } else { None };
            let user = region.rfind('@').filter(|at| backslash.is_none_or(|backslash| *at < backslash));
            cut_user(s, user)
        },
    )
    .since(&BACKSLASH)
    .until(&BACKSLASHES),
    Step::new("parseUserinfo", "the user ends at the last @ before the first slash or backslash", |s| {
        let user = until(&s.rest, &['/', '\\']).0.rfind('@');
        cut_user(s, user)
    })
    .since(&BACKSLASHES),
    Step::new("parseHost: backslashes", "write a slash for each backslash after the user", |s| {
        let user = s.present(s.own(Part::User)).map_or(0, |user| user.len() + 1).min(s.rest.len());
        if s.rest.is_char_boundary(user) && s.rest[user..].contains('\\') {
            s.rest = s.rest[..user].to_owned() + &s.rest[user..].replace('\\', "/");
            s.decide(s.own(Part::Authority));
            s.decide(s.own(Part::Path));
        }
        Go
    }),
    Step::new("parseHost: /", "the authority ends at the first slash; without one, the path is a slash", |s| {
        let rest = std::mem::take(&mut s.rest);
        let user = s.present(s.own(Part::User)).map(|user| format!("{user}@")).unwrap_or_default();
        let after = rest.strip_prefix(&user).unwrap_or(&rest);
        let (authority, path) = rest.split_at(rest.len() - after.len() + until(after, &['/']).0.len());
        s.set(s.own(Part::Authority), authority);
        s.rest = path.to_owned();
        Go
    }),
    Step::new(
        "parseHost: brackets",
        "the host is in brackets, or ends at a colon if it is the only one; the rest is the port",
        |s| {
            let authority = s.get(s.own(Part::Authority));
            let user = s.present(s.own(Part::User)).map(|user| format!("{user}@")).unwrap_or_default();
            let host = authority.strip_prefix(&user).unwrap_or(authority);
            let (host, port) = match host.strip_prefix('[') {
                Some(_) => in_brackets(host, &s.rest),
                None => {
                    let (name, port) = cut(host, ":");
                    match port {
                        Some(port) if !port.contains(':') => (name.to_owned(), port.to_owned()),
                        _ => (host.to_owned(), String::new()),
                    }
                }
            };
            s.set(s.own(Part::Host), host);
            s.set(s.own(Part::Port), port);
            Go
        },
    ),
    Step::new("parseHost: hostname || null", "an empty host is absent", |s| absent_if_empty(s, Part::Host)),
    Step::new("parseHost: port || null", "an empty port is absent", |s| absent_if_empty(s, Part::Port)),
    Step::new("parseUserinfo: decode", "decode the user and, after the first colon, the password, each absent if it is empty; reject other escapes than those of UTF-8", |s| {
        let [user, password] = [Part::User, Part::Password].map(|part| s.own(part));
        let Some(text) = s.present(user) else { return Go };
        let (name, rest) = cut(text, ":");
        let rest = rest.filter(|rest| !rest.starts_with(':')).unwrap_or_default();
        let (Some(name), Some(word)) = (decoded(name), decoded(rest)) else {
            return s.reject(user, "a percent sign does not begin an escape, or the decoded text is not UTF-8");
        };
        s.set(user, Some(name).filter(|name| !name.is_empty()));
        s.set(password, Some(word).filter(|word| !word.is_empty()));
        Go
    }),
    Step::new("ensureValidHostname: empty", "reject http and https in lower case without a host", |s| {
        let has_host = s.present(s.own(Part::Host)).is_some();
        match !has_host && matches!(s.get(s.own(Part::Scheme)), "http" | "https") {
            true => s.reject(s.own(Part::Authority), "the host is empty"),
            false => Go,
        }
    })
    .until(&ANY_HOST),
    Step::new("ensureValidHostname", "reject a host with another character of ASCII than letters, digits, ., -, : and _", |s| {
        let slot = s.own(Part::Host);
        let is_valid = |it: char| !it.is_ascii() || it.is_ascii_alphanumeric() || ".-:_".contains(it);
        match s.get(slot).chars().all(is_valid) {
            true => Go,
            false => s.reject(slot, "it contains an invalid character"),
        }
    })
    .until(&ANY_HOST),
    Step::new("ensureValidPort", "reject a port that does not mean a number from 1 to 65,535 to JavaScript", |s| {
        let slot = s.own(Part::Port);
        match s.present(slot).is_none_or(|port| number(port).is_some_and(|it| it.fract() == 0.0 && it > 0.0 && it < 65536.0)) {
            true => Go,
            false => s.reject(slot, "it is not a number"),
        }
    }),
    Step::new("parse: path", "the rest is the path", |s| {
        let rest = std::mem::take(&mut s.rest);
        s.set(s.own(Part::Path), rest);
        Go
    }),
    Step::new("parseHost: an empty path", "the path after an authority is a slash if it is empty", |s| {
        let slot = s.own(Part::Path);
        if s.present(s.own(Part::Authority)).is_some() && s.get(slot).is_empty() {
            s.set(slot, "/");
        }
        Go
    }),
];

/// Writes the path without a change.
fn keep_path(s: &mut State<'_>) -> Next {
    s.flow(Slot::NoDots, Slot::Merged);
    To("build: path")
}

/// `absoluteTo`, and `build`.
static ABSOLUTE_TO: &[Step] = &[
    Step::new("absoluteTo: this", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("absoluteTo: urn", "reject a reference that is a URN", |s| match s.is_marked(urn(Side::Reference)) {
        true => s.reject(Slot::Ref(Part::Authority), "the reference is a URN"),
        false => Go,
    }),
    Step::new("absoluteTo: base", "read the base", |_| Call(PARSE, Side::Base)),
    Step::new("absoluteTo: clone", "copy the components of the reference", |s| {
        take(s, Slot::Ref);
        for part in [Part::Scheme, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        Go
    }),
    Step::new("absoluteTo: clone the query", "remove a question mark at the beginning of the query", |s| {
        let query = s.get(Slot::Ref(Part::Query)).strip_prefix('?').map(str::to_owned);
        if let Some(query) = query {
            s.set(Slot::Out(Part::Query), Some(query).filter(|query| !query.is_empty()));
        }
        Go
    })
    .since(&QUERY),
    Step::new("absoluteTo: protocol", "a reference with a protocol inherits nothing, any other one the protocol", |s| {
        if s.present(Slot::Ref(Part::Scheme)).is_some() {
            return keep_path(s);
        }
        s.inherit(Part::Scheme);
        Go
    }),
    Step::new("absoluteTo: hostname", "a reference with a host inherits nothing else; any other inherits the authority", |s| {
        if s.present(Slot::Ref(Part::Host)).is_some() {
            return keep_path(s);
        }
        s.inherit(Part::Authority);
        take(s, Slot::Base);
        Go
    }),
    Step::new("absoluteTo: no path", "without a path, inherit the base's, and its query if there is none", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        if s.present(Slot::Out(Part::Query)).is_none() {
            s.inherit(Part::Query);
        }
        keep_path(s)
    }),
    Step::new("absoluteTo: /", "a path that begins with a slash is neither merged nor normalized", |s| {
        match s.get(Slot::Ref(Part::Path)).starts_with('/') {
            true => keep_path(s),
            false => Go,
        }
    }),
    Step::new(
        "absoluteTo: directory",
        "the path and a slash follow the base's up to its last slash, which is nothing for a URN; without such a folder, they follow a slash \
         if the base has a host or a path with a slash",
        |s| {
            s.inherit_as("folder");
            let path = s.get(Slot::Base(Part::Path));
            let has_host = s.present(Slot::Base(Part::Host)).is_some();
            let is_urn = s.is_marked(urn(Side::Base));
            let directory = match folder(path).strip_suffix('/') {
                _ if is_urn => "",
                _ if path == "/" => "/",
                Some(directory) if !directory.is_empty() => directory,
                _ if has_host => "/",
                _ => "",
            };
            let directory = if directory.is_empty() && path.starts_with('/') { "/" } else { directory };
            let slash = if directory.is_empty() { "" } else { "/" };
            let merged = format!("{directory}{slash}{}", s.get(Slot::Ref(Part::Path)));
            s.set(Slot::Merged, merged);
            Go
        },
    ),
    Step::new(
        "normalizePath: recodePath",
        "decode the segments, and encode all but letters, digits and -._~$&+,;=:@; reject other escapes than those of UTF-8",
        |s| {
            let segments: Option<Vec<String>> = s.get(Slot::Merged).split('/').map(decoded).collect();
            let Some(segments) = segments else {
                return s.reject(Slot::Merged, "a percent sign does not begin an escape, or the decoded text is not UTF-8");
            };
            let keeps = |it: u8| it.is_ascii_alphanumeric() || b"-._~$&+,;=:@".contains(&it);
            let path = segments.iter().map(|it| encoded(it, keeps)).collect::<Vec<_>>().join("/");
            s.set(Slot::Merged, path);
            Go
        },
    ),
    Step::new("normalizePath: slashes", "remove . segments and empty ones", |s| {
        let path = s.get(Slot::Merged);
        let root = if path.starts_with('/') { "/" } else { "" };
        let ends_in_dots = matches!(path.rsplit('/').next(), Some("" | "." | ".."));
        let kept: Vec<&str> = path.split('/').filter(|it| !matches!(*it, "" | ".")).collect();
        let end = if ends_in_dots && !kept.is_empty() { "/" } else { "" };
        let path = format!("{root}{}{end}", kept.join("/"));
        s.set(Slot::Merged, path);
        Go
    }),
    Step::new(
        "normalizePath: parents",
        "remove .. segments with those before them; only the first ones of a path without a slash and an authority remain",
        |s| {
            let path = s.get(Slot::Merged);
            let is_relative = !path.starts_with('/') && s.present(Slot::Out(Part::Host)).is_none();
            let mut kept: Vec<&str> = Vec::new();
            let mut parents = String::new();
            let mut is_first = true;
            for segment in path.split('/').filter(|it| !it.is_empty()) {
                match segment {
                    ".." if is_first && is_relative => parents += "../",
                    ".." => drop(kept.pop()),
                    _ => kept.push(segment),
                }
                is_first = is_first && segment == "..";
            }
            let root = if is_relative { "" } else { "/" };
            let end = if path.ends_with('/') && !kept.is_empty() { "/" } else { "" };
            let path = format!("{parents}{root}{}{end}", kept.join("/"));
            s.flow(Slot::NoDots, Slot::Merged);
            s.set(Slot::NoDots, path);
            Go
        },
    ),
    Step::new("build: path", "write the path", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        Go
    }),
    Step::new("build: /", "a path after a protocol or a host begins with a slash", |s| {
        let slot = Slot::Out(Part::Path);
        let path = s.get(slot);
        if has_slashes(s) && !path.starts_with('/') {
            let path = format!("/{path}");
            s.set(slot, path);
        }
        Go
    })
    .since(&ROOT),
    Step::new("buildUserinfo", "encode all but letters, digits and -._~ in the user and the password", |s| {
        for part in [Part::User, Part::Password] {
            let text = s.present(Slot::Out(part)).map(|text| encoded(text, is_unreserved));
            s.set(Slot::Out(part), text);
        }
        Go
    }),
    Step::new("buildHost: !hostname", "without a host, write no port", |s| {
        if s.present(Slot::Out(Part::Host)).is_none() {
            s.set(Slot::Out(Part::Port), None::<&str>);
        }
        Go
    }),
    Step::new("buildHost", "write brackets around an IPv6 address", |s| {
        let slot = Slot::Out(Part::Host);
        let host = s.get(slot);
        if is_ipv6(host) {
            let host = format!("[{host}]");
            s.set(slot, host);
        }
        Go
    }),
    Step::new("build: //", "write two slashes before the authority if there is a protocol or a host", |s| {
        let (user, password) = (s.get(Slot::Out(Part::User)), s.present(Slot::Out(Part::Password)));
        let password = password.map(|it| format!(":{it}")).unwrap_or_default();
        let at = if user.is_empty() && password.is_empty() { "" } else { "@" };
        let host = s.present(Slot::Out(Part::Host));
        let port = s.present(Slot::Out(Part::Port)).map(|it| format!(":{it}")).unwrap_or_default();
        let authority = format!("{user}{password}{at}{}{port}", host.unwrap_or_default());
        if has_slashes(s) {
            s.compose(Slot::Out(Part::Authority), &[Part::User, Part::Password, Part::Host, Part::Port].map(Slot::Out));
            s.set(Slot::Out(Part::Authority), authority);
            return Go;
        }
        s.set(Slot::Out(Part::Authority), None::<&str>);
        if !authority.is_empty() {
            let path = authority + s.get(Slot::Out(Part::Path));
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    }),
    Step::new("build", "concatenate the components", |s| s.concatenate()),
];

/// `new URI(url)`, and the accessors of what it returns.
static STATE: &[Step] = &[
    Step::new("URI: href", "read the URL", |_| Call(PARSE, Side::Reference)),
    Step::new("protocol, username, password, hostname, port, pathname, query, fragment", "state empty components if they are absent", |s| {
        let parts = [Part::Scheme, Part::User, Part::Password, Part::Host, Part::Port, Part::Path, Part::Query, Part::Fragment];
        for part in parts {
            s.flow(Slot::Out(part), Slot::Ref(part));
            if s.present(Slot::Out(part)).is_none() {
                s.set(Slot::Out(part), "");
            }
        }
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("authority", "write the user, the password, the host and the port, or nothing without a host", |s| {
        let encode = |part| encoded(s.get(Slot::Out(part)), is_unreserved);
        let before = |mark: &str, text: &str| if text.is_empty() { String::new() } else { format!("{mark}{text}") };
        let user = encode(Part::User) + &before(":", &encode(Part::Password));
        let at = if user.is_empty() { "" } else { "@" };
        let host = s.get(Slot::Out(Part::Host));
        let bracketed = if is_ipv6(host) { format!("[{host}]") } else { host.to_owned() };
        let port = before(":", s.get(Slot::Out(Part::Port)));
        let authority = if host.is_empty() { String::new() } else { format!("{user}{at}{bracketed}{port}") };
        s.set(Slot::Out(Part::Authority), authority);
        Go
    }),
];

fn is_unreserved(it: u8) -> bool {
    it.is_ascii_alphanumeric() || b"-._~".contains(&it)
}

/// Takes the parts of the authority from a side.
fn take(s: &mut State<'_>, of: fn(Part) -> Slot) {
    for part in [Part::Authority, Part::User, Part::Password, Part::Host, Part::Port] {
        s.flow(Slot::Out(part), of(part));
    }
}

fn has_slashes(s: &State<'_>) -> bool {
    s.present(Slot::Out(Part::Scheme)).or(s.present(Slot::Out(Part::Host))).is_some()
}

fn cut_off(s: &mut State<'_>, part: Part, mark: &str) -> Next {
    let rest = std::mem::take(&mut s.rest);
    let (before, after) = cut(&rest, mark);
    s.set(s.own(part), after.filter(|after| !after.is_empty()));
    s.rest = before.to_owned();
    Go
}

fn absent_if_empty(s: &mut State<'_>, part: Part) -> Next {
    let slot = s.own(part);
    if s.get(slot).is_empty() {
        s.set(slot, None::<&str>);
    }
    Go
}

/// Writes `://` after a scheme of the web or none, for at most `colons` colons and all slashes and backslashes.
fn write_slashes(s: &mut State<'_>, may_be: impl Fn(&str) -> bool, colons: usize) -> Next {
    let Some((name, _)) = s.rest.split_once(':') else { return Go };
    let is_web = matches!(name.to_ascii_lowercase().as_str(), "" | "http" | "https" | "ftp" | "ws" | "wss");
    if !is_web || !may_be(name) {
        return Go;
    }
    let after = &s.rest[name.len()..];
    let count = (after.len() - after.trim_start_matches(':').len()).min(colons);
    let after = after[count..].trim_start_matches(['/', '\\']);
    let rest = format!("{name}://{after}");
    if rest != s.rest {
        s.rest = rest;
        s.decide(s.own(Part::Authority));
    }
    Go
}

fn cut_protocol(s: &mut State<'_>, are_slashes: impl Fn(&str) -> bool) -> Next {
    let rest = std::mem::take(&mut s.rest);
    let (scheme, authority) = (s.own(Part::Scheme), s.own(Part::Authority));
    let is_name = |name: &str| {
        name.is_empty()
            || name.starts_with(|it: char| it.is_ascii_alphabetic())
                && name.bytes().all(|it| it.is_ascii_alphanumeric() || b".+-".contains(&it))
    };
    let (name, after) = match (rest.strip_prefix("//"), rest.split_once(':')) {
        (Some(after), _) => (None, Some(after)),
        (None, Some((name, after))) if is_name(name) => {
            let slashes = after.get(..2).filter(|next| are_slashes(next));
            if slashes.is_none() {
                s.mark(urn(s.side));
            }
            (Some(name), slashes.map(|_| &after[2..]))
        }
        _ => (None, None),
    };
    s.set(scheme, name.filter(|name| !name.is_empty()));
    if let Some(after) = after {
        s.rest = after.to_owned();
        return Go;
    }
    for part in [Part::User, Part::Password, Part::Host, Part::Port] {
        s.set(s.own(part), None::<&str>);
    }
    s.set(authority, None::<&str>);
    s.rest = name.map_or(rest.as_str(), |name| &rest[name.len() + 1..]).to_owned();
    To("parse: path")
}

/// Writes the text before an @ as the user.
fn cut_user(s: &mut State<'_>, at: Option<usize>) -> Next {
    let user = at.map(|at| s.rest[..at].to_owned());
    s.set(s.own(Part::Password), None::<&str>);
    s.set(s.own(Part::User), user);
    Go
}

/// Divides a host that begins with a bracket from its port. The source takes positions in the text with the path, and exchanges them if the end
/// precedes the beginning.
fn in_brackets(host: &str, path: &str) -> (String, String) {
    let text = format!("{host}{path}");
    let end = host.len();
    let part = |from: usize, to: usize| {
        let (from, to) = (from.min(to).min(text.len()), from.max(to).min(text.len()));
        text.get(from..to).unwrap_or_default().to_owned()
    };
    let Some(bracket) = text.find(']') else { return (part(0, 1), part(1, end)) };
    // A unit of UTF-16 follows the bracket, whatever it is. Half of a character is not a port.
    let unit = text[bracket + 1..].chars().next().map_or(1, |it| if it > '\u{ffff}' { 0 } else { it.len_utf8() });
    let next = bracket + 1 + unit;
    let port = part(next, end);
    (part(1, bracket), if port == "/" { String::new() } else { port })
}

/// `Number`.
fn number(text: &str) -> Option<f64> {
    let text = text.trim_matches(is_white);
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if text.get(..2).is_some_and(|start| start.eq_ignore_ascii_case(prefix)) {
            let digits = text[2..].trim_start_matches('0');
            let is_number = text[2..].chars().all(|it| it.is_digit(radix)) && text.len() > 2 && digits.len() < 32;
            return u32::from_str_radix(digits, radix).ok().filter(|_| is_number).map(f64::from);
        }
    }
    text.parse().ok().filter(|_| text.bytes().all(|it| it.is_ascii_digit() || b"+-.eE".contains(&it)))
}

/// `ip6_expression`: white space may surround an address, and its zone may be any text of a line.
fn is_ipv6(host: &str) -> bool {
    let text = host.trim_start_matches(is_white);
    let (address, zone) = cut(text, "%");
    let is_line = |zone: &str| {
        let text = zone.trim_end_matches(is_white);
        let first = zone.chars().next().map_or(0, char::len_utf8);
        let text = if text.is_empty() { &zone[..first] } else { text };
        !text.is_empty() && !text.contains(['\n', '\r', '\u{2028}', '\u{2029}'])
    };
    let address = if zone.is_none() { address.trim_end_matches(is_white) } else { address };
    address.parse::<std::net::Ipv6Addr>().is_ok() && zone.is_none_or(is_line)
}
