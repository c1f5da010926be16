//! `nsStandardURL` and its parsers: reading a text up to what it takes from the base.

use urlstrata::revision::whatwg;
use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{components, cut, encoded, until, without_dots};
use urlstrata_steps::{Next, Next::*, Side, State, Step};

use super::{Class, class, target};
use crate::rfc3986::{cut_path, with_plain_dots};

/// `NS_EscapeURLSpan`: encodes control characters, what is outside ASCII, and the characters of `set`.
pub(super) fn escaped(text: &str, set: &str) -> String {
    encoded(text, |it| it.is_ascii() && !it.is_ascii_control() && !set.contains(char::from(it)))
}

const USER: &str = " \"#/:;<=>?@[\\]^`{|}";
const PATH: &str = " \"<>^`{}";
const QUERY: &str = " \"'<>";
pub(super) const FRAGMENT: &str = " \"<>`";

pub(super) fn rewrite(s: &mut State<'_>, part: Part, written: impl Fn(&str) -> String) -> Next {
    let slot = s.own(part);
    if let Some(text) = s.present(slot) {
        let text = written(text);
        s.set(slot, text);
    }
    Go
}

/// The mark of a reference that takes nothing but the scheme from the base.
pub(super) const ABSOLUTE: &str = "nsStandardURL: the text is absolute";

pub(super) fn is_drive(path: &str, colons: &[char]) -> bool {
    let mut path = path.chars();
    path.next().is_some_and(|it| it.is_ascii_alphabetic()) && path.next().is_some_and(|it| colons.contains(&it))
}

/// Returns the class of the text that is read.
fn own_class(s: &State<'_>) -> Class {
    if s.side == Side::Base { class(s, Side::Base) } else { target(s) }
}

/// Returns whether the reference has its own scheme, which is the base's.
fn has_scheme_of_base(s: &State<'_>) -> bool {
    !s.base.is_empty() && s.present(Slot::Ref(Part::Scheme)) == s.present(Slot::Base(Part::Scheme))
}

/// `nsStandardURL::Resolve` up to what it takes from the base, `ParseURL`, and `BuildNormalizedSpec` without the path.
pub(super) static STANDARD: &[Step] = &[
    Step::new("nsStandardURL::Resolve: strlen", "NUL ends a text that does not begin with another scheme, or the base's and two slashes", |s| {
        let has_scheme = s.present(s.own(Part::Scheme)).is_some();
        let is_whole = s.side == Side::Base || has_scheme && (!has_scheme_of_base(s) || s.rest.starts_with("//"));
        if let Some((before, _)) = s.rest.clone().split_once('\0').filter(|_| !is_whole) {
            s.rest = before.to_owned();
            s.decide(s.own(Part::Path));
        }
        Go
    }),
    Step::new("nsStandardURL: IsSpecialProtocol", "write the backslashes before ? or # as slashes", |s| {
        let (before, after) = until(&s.rest, &['?', '#']);
        let rest = before.replace('\\', "/") + after;
        if rest != s.rest {
            s.rest = rest;
            s.decide(s.own(Part::Authority));
            s.decide(s.own(Part::Path));
        }
        Go
    }),
    Step::new(
        "nsStandardURL::Resolve: strchr",
        "remove the dot segments after the first slash after the authority, up to ? or #, also if that slash is part of the query or fragment",
        |s| {
            let has_scheme = s.present(s.own(Part::Scheme)).is_some();
            let is_written = cut(s.given(), ":").1.is_some_and(|rest| rest.replace(['\t', '\n', '\r'], "").starts_with("//"));
            let Some(after) = s.rest.strip_prefix("//").filter(|_| s.side == Side::Reference && !s.base.is_empty()) else { return Go };
            if has_scheme && (is_written || !has_scheme_of_base(s)) {
                return Go;
            }
            let start = if has_scheme || target(s) == Class::File { 0 } else { after.len() - after.trim_start_matches('/').len() };
            let Some(slash) = after[start..].find('/').map(|at| start + at) else { return Go };
            let (path, rest) = until(&after[slash..], &['?', '#']);
            let text = format!("//{}{}{rest}", &after[..slash], without_dots(&with_plain_dots(path)));
            if text != s.rest {
                s.rest = text;
                s.decide(s.own(Part::Path));
            }
            Go
        },
    ),
    Step::new("nsStandardURL::Resolve: relative", "a text with the scheme of the base, or none, is relative unless two slashes begin it", |s| {
        s.unmark(ABSOLUTE);
        let has_scheme = s.present(s.own(Part::Scheme)).is_some();
        if s.side == Side::Base || has_scheme && !has_scheme_of_base(s) || s.rest.starts_with("//") {
            s.mark(ABSOLUTE);
        }
        Go
    }),
    Step::new("nsStandardURL::Resolve: file:C:", "a drive letter directly after `file:` begins an absolute text", |s| {
        let is_file = class(s, s.side) == Class::File && s.present(s.own(Part::Scheme)).is_some();
        if is_file && is_drive(&s.rest, &[':', '|']) {
            s.mark(ABSOLUTE);
        }
        Go
    }),
    Step::new(
        "nsAuthURLParser::ParseAfterScheme",
        "after any number of slashes, also none, the part up to the next one, ? or # is the authority of an absolute text",
        |s| {
            let class = own_class(s);
            if !s.is_marked(ABSOLUTE) || class == Class::File {
                return Go;
            }
            let rest = std::mem::take(&mut s.rest);
            let (authority, rest) = until(rest.trim_start_matches('/'), &['/', '?', '#']);
            s.set(s.own(Part::Authority), authority);
            s.rest = rest.to_owned();
            Go
        },
    ),
    Step::new(
        "nsNoAuthURLParser::ParseAfterScheme",
        "two slashes of a `file` URL, but not three, precede an authority, unless it is a drive letter alone",
        |s| {
            let class = own_class(s);
            if !s.is_marked(ABSOLUTE) || class != Class::File {
                return Go;
            }
            let rest = std::mem::take(&mut s.rest);
            let after = rest.strip_prefix("//");
            let (authority, path) = match after.map(|after| (after, until(after, &['/', '?', '#']))) {
                Some((after, (name, path))) if !name.is_empty() => {
                    let is_alone = name.len() == 2 && is_drive(name, &[':', '|']) && (path.is_empty() || path.starts_with('/'));
                    if is_alone { ("", format!("/{after}")) } else { (name, path.to_owned()) }
                }
                Some((after, _)) => ("", after.to_owned()),
                None => ("", rest.clone()),
            };
            s.set(s.own(Part::Authority), authority);
            s.rest = path;
            Go
        },
    ),
    Step::new("nsNoAuthURLParser::ParseAfterScheme: SET_RESULT", "ignore the authority of a `file` URL", |s| {
        let slot = s.own(Part::Authority);
        let class = own_class(s);
        if class == Class::File && !s.get(slot).is_empty() {
            s.set(slot, "");
        }
        Go
    }),
    Step::new("nsBaseURLParser::ParsePath", "cut the path at ? or #, the query at #, and the fragment", cut_path),
    Step::new("BuildNormalizedSpec: mPath", "the path of an absolute text without a path, a query and a fragment is a slash", |s| {
        let slot = s.own(Part::Path);
        let has_more = [Part::Query, Part::Fragment].into_iter().any(|part| s.present(s.own(part)).is_some());
        if s.is_marked(ABSOLUTE) && s.get(slot).is_empty() && !has_more {
            s.set(slot, "/");
        }
        Go
    }),
    Step::new("BuildNormalizedSpec: leadingSlash", "write a slash before the path of an absolute text if it does not begin with one", |s| {
        let slot = s.own(Part::Path);
        let path = s.get(slot);
        if s.is_marked(ABSOLUTE) && !path.starts_with('/') {
            let path = format!("/{path}");
            s.set(slot, path);
        }
        Go
    }),
    Step::new("BuildNormalizedSpec: esc_Directory", "percent-encode the path", |s| rewrite(s, Part::Path, |text| {
        let segments: Vec<String> = text.split('/').map(|segment| escaped(segment, PATH)).collect();
        segments.join("/")
    })),
    Step::new(
        "BuildNormalizedSpec: a drive letter",
        "write the bar of a drive letter at the start of the path of an absolute `file` text as a colon",
        |s| {
            let query = s.present(s.own(Part::Query)).or(s.present(s.own(Part::Fragment)));
            if s.is_marked(ABSOLUTE) && own_class(s) == Class::File {
                let path = with_colon(s.get(s.own(Part::Path)), query);
                s.set(s.own(Part::Path), path);
            }
            Go
        },
    ),
    Step::new("BuildNormalizedSpec: esc_Query", "percent-encode the query", |s| rewrite(s, Part::Query, |text| escaped(text, QUERY))),
    Step::new("BuildNormalizedSpec: esc_Ref", "percent-encode the fragment", |s| rewrite(s, Part::Fragment, |text| escaped(text, FRAGMENT))),
    Step::new(
        "nsAuthURLParser::ParseAuthority",
        "user and password, divided by the first colon, precede the last @; the first colon after the last ] precedes the port",
        |s| {
            let class = own_class(s);
            if !s.is_marked(ABSOLUTE) || class == Class::File {
                return Done;
            }
            let authority = s.get(s.own(Part::Authority)).to_owned();
            let (user, server) = authority.rsplit_once('@').map_or((None, authority.as_str()), |(user, server)| (Some(user), server));
            let (user, password) = user.map_or((None, None), |user| (Some(cut(user, ":").0), cut(user, ":").1));
            let start = server.rfind(']').unwrap_or_default().max(server.chars().next().map_or(0, char::len_utf8));
            let colon = server[start..].find(':').map_or(server.len(), |at| start + at);
            let (host, port) = server.split_at(colon);
            let port = port.strip_prefix(':').filter(|port| !port.is_empty());
            s.set(s.own(Part::User), user);
            s.set(s.own(Part::Password), password);
            s.set(s.own(Part::Host), host);
            s.set(s.own(Part::Port), port);
            Go
        },
    ),
    Step::new("nsAuthURLParser::ParseServerInfo: buf.get()", "NUL ends the port", |s| {
        let slot = s.own(Part::Port);
        if let Some((port, _)) = s.get(slot).to_owned().split_once('\0') {
            s.set(slot, port);
        }
        Go
    }),
    Step::new("nsAuthURLParser::ParseAuthority: hostnameLen", "reject a URL without a host", |s| {
        let slot = s.own(Part::Host);
        if s.get(slot).is_empty() { s.reject(slot, "the host is missing") } else { Go }
    }),
    Step::new("nsAuthURLParser::ParseServerInfo: nondigit", "reject a port that is not a number up to 65535, and write it without leading zeros", |s| {
        let slot = s.own(Part::Port);
        let Some(port) = s.present(slot) else { return Go };
        match port.parse::<u16>().ok().filter(|_| port.bytes().all(|it| it.is_ascii_digit())) {
            Some(number) => {
                s.set(slot, number.to_string());
                Go
            }
            None => s.reject(slot, "it is not a number up to 65535"),
        }
    }),
    Step::new("ParseURL: mDefaultPort", "leave out the default port of the scheme", |s| {
        let slot = s.own(Part::Port);
        let scheme = s.present(s.own(Part::Scheme)).unwrap_or(s.get(Slot::Base(Part::Scheme)));
        if matches!((scheme, s.get(slot)), ("http" | "ws", "80") | ("https" | "wss", "443") | ("ftp", "21")) {
            s.set(slot, None::<&str>);
        }
        Go
    }),
    Step::new("BuildNormalizedSpec: rusturl_parse_ipv6addr", "write what is in brackets as an IPv6 address in its shortest form; reject anything else", |s| {
        match s.get(s.own(Part::Host)).starts_with('[') {
            true => rewrite_host(s, host),
            false => Go,
        }
    }),
    Step::new("BuildNormalizedSpec: NormalizeIDN", "convert a host without brackets to ASCII, or reject it; reject also `\"` and `*`", |s| {
        match s.get(s.own(Part::Host)).starts_with('[') {
            true => Go,
            false => rewrite_host(s, ascii),
        }
    }),
    Step::new("BuildNormalizedSpec: NormalizeIPv4", "write a host whose last label is a number as an IPv4 address; reject it if it is none, or if the number is `0x`", |s| {
        match ends_in_a_number(s.get(s.own(Part::Host))) {
            true => rewrite_host(s, |name| host(name).filter(|_| !last_label(name).eq_ignore_ascii_case("0x"))),
            false => Go,
        }
    }),
    Step::new("BuildNormalizedSpec: esc_Username", "percent-encode the user", |s| rewrite(s, Part::User, |text| escaped(text, USER))),
    Step::new("BuildNormalizedSpec: esc_Password", "percent-encode the password", |s| rewrite(s, Part::Password, |text| escaped(text, USER))),
    Step::new("BuildNormalizedSpec: mAuthority", "write user, password, host and port; an empty user and password are left out", |s| {
        let text = |part: Part| s.get(s.own(part));
        let (user, password, host, port) = (text(Part::User), text(Part::Password), text(Part::Host), text(Part::Port));
        let password = if password.is_empty() { String::new() } else { format!(":{password}") };
        let user = if user.is_empty() && password.is_empty() { String::new() } else { format!("{user}{password}@") };
        let port = if port.is_empty() { String::new() } else { format!(":{port}") };
        let text = user + host + &port;
        s.compose(s.own(Part::Authority), &[Part::User, Part::Password, Part::Host, Part::Port].map(s.of()));
        s.set(s.own(Part::Authority), text);
        Go
    }),
];

/// `/C:` or `/C|` at the start of a path.
pub(super) const DRIVE: usize = 3;

/// Writes the bar of a drive letter at the start of a path before a slash, or before the end of the URL, as a colon.
pub(super) fn with_colon(path: &str, query: Option<&str>) -> String {
    let rest = path.get(DRIVE..).unwrap_or_default();
    let is_bar = path.strip_prefix('/').is_some_and(|path| is_drive(path, &['|']));
    let has_end = rest.starts_with('/') || rest.is_empty() && query.is_none();
    if is_bar && has_end { path.replacen('|', ":", 1) } else { path.to_owned() }
}

fn rewrite_host(s: &mut State<'_>, written: impl Fn(&str) -> Option<String>) -> Next {
    let slot = s.own(Part::Host);
    match written(s.get(slot)) {
        Some(host) => {
            s.set(slot, host);
            Go
        }
        None => s.reject(slot, "it is not a host"),
    }
}

/// Returns a host as the URL Standard of March 2025 writes it.
fn host(text: &str) -> Option<String> {
    let landed = whatwg::changes_of(&whatwg::WHATWG_2025_03)?;
    let url = whatwg::resolve(landed, "", &format!("http://{text}/")).ok()?.url;
    components(&url)[1].map(str::to_owned)
}

/// Converts a name to ASCII, also one whose last label is a number. Only an empty one becomes empty.
fn ascii(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some(String::new());
    }
    // With a letter as its last label, a name is not an IPv4 address.
    let end = if text.ends_with('.') { "a" } else { ".a" };
    let name = host(&format!("{text}{end}")).filter(|_| !text.contains([':', ']']))?;
    name.strip_suffix(end).filter(|name| !name.is_empty() && !name.contains(['"', '*'])).map(str::to_owned)
}

/// Returns the last label of a name, before a dot at its end.
fn last_label(name: &str) -> &str {
    name.strip_suffix('.').unwrap_or(name).rsplit('.').next().unwrap_or_default()
}

/// Whether the last label of a name is a number: digits, or hexadecimal digits after `0x`.
fn ends_in_a_number(name: &str) -> bool {
    let label = last_label(name);
    let hex = label.strip_prefix("0x").or_else(|| label.strip_prefix("0X"));
    let is_number = !label.is_empty() && label.bytes().all(|it| it.is_ascii_digit());
    is_number || hex.is_some_and(|hex| hex.bytes().all(|it| it.is_ascii_hexdigit()))
}
