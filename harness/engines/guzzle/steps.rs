//! Guzzle PSR-7: `UriResolver::resolve(new Uri(base), new Uri(reference))`, and the getters of `new Uri(url)`, from 1.7.0 on.
//!
//! Read from `src/Uri.php` and `src/UriResolver.php` of 1.7.0 to 2.6.2, 2.7.1 and 3.2.0, and `php_url_parse_ex2` in PHP's `ext/standard/url.c`,
//! which divides the texts. The sources between 2.7.1 and 3.2.0 were not at hand: what changed in them is what the change log says, so that only
//! their sum is certain. An empty component is an absent one.

mod changes;

use std::net::Ipv6Addr;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{concatenated, cut, encoded, folder, is_escape, scheme, until};
use urlstrata_steps::{Dated, Next, Next::*, Question, Side, State, Step, Table, no_calls};

use changes::*;

/// Guzzle PSR-7.
pub static TABLE: Table = Table {
    engine: "guzzle",
    first: "1.7.0",
    changes: &[&ENCODED, &SLASH, &CAPITALS, &COLONS, &COPIES, &CONTROLS, &LITERALS, &HOSTS, &STRICT, &ONE_SLASH, &COLON_PATHS],
    dated: &[
        // Debian added a fix of 2.10.2.
        Dated { version: "2.4.5", changes: &["GHSA-hq7v-mx3g-29hw"] },
        Dated { version: "2.7.1", changes: &["GHSA-hq7v-mx3g-29hw"] },
    ],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[READ],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// The mark while the composed text is read, whose components are the target's.
const TARGET: &str = "guzzle: the composed text is read";
/// The mark of a target whose path was replaced.
const NEW_PATH: &str = "guzzle: the path was replaced";

/// The marks of texts with brackets that are not encoded.
const BRACKETS: [&str; 3] = ["guzzle: brackets of the base", "guzzle: brackets of the reference", "guzzle: brackets of the target"];

fn brackets(s: &State<'_>) -> &'static str {
    BRACKETS[if s.is_marked(TARGET) { 2 } else { usize::from(s.side == Side::Reference) }]
}

/// The marks of texts whose port was dropped: what remains is the host, also if it has a colon.
const WITHOUT_PORT: [&str; 3] = ["guzzle: no port in the base", "guzzle: no port in the reference", "guzzle: no port in the target"];

fn without_port(s: &State<'_>) -> &'static str {
    WITHOUT_PORT[if s.is_marked(TARGET) { 2 } else { usize::from(s.side == Side::Reference) }]
}

/// Returns whether brackets of the text are read as such.
fn has_brackets(s: &State<'_>) -> bool {
    !s.has(&ENCODED) || s.is_marked(brackets(s))
}

fn own(s: &State<'_>, part: Part) -> Slot {
    if s.is_marked(TARGET) { Slot::Out(part) } else { s.own(part) }
}

/// `new Uri`, for the base, the reference and a composed text.
static READ: &[Step] = &[
    Step::new("Uri: the text", "take the text as it is", |s| {
        let slot = own(s, Part::Text);
        s.unmark(without_port(s));
        s.rest = if s.is_marked(TARGET) { s.get(slot).to_owned() } else { s.given().to_owned() };
        let text = s.rest.clone();
        s.set(slot, text);
        Go
    }),
    Step::new(
        "UriParser: isPathNoSchemeReference",
        "a text whose first segment is neither empty nor contains a colon is a path up to ? or #, a query and a fragment",
        |s| {
            let rest = std::mem::take(&mut s.rest);
            let first = until(&rest, &['/', '?', '#']).0;
            if first.is_empty() || first.contains(':') {
                s.rest = rest;
                return Go;
            }
            let (text, fragment) = cut(&rest, "#");
            let (path, query) = cut(text, "?");
            let parts = Parts {
                path: Some(path.to_owned()),
                query: query.map(str::to_owned),
                fragment: fragment.map(str::to_owned),
                ..Parts::default()
            };
            write(s, parts);
            To("filterPath")
        },
    )
    .since(&COLONS),
    Step::new(
        "parse: urlencode",
        "percent-encode all but letters, digits and `:/@?&=#-_.`, but not up to an IPv6 address in brackets after ://",
        |s| {
            let is_hex = |it: u8| matches!(it, b'0'..=b'9' | b'a'..=b'f' | b':') || s.has(&CAPITALS) && matches!(it, b'A'..=b'F');
            let line = until(&s.rest, &['\n']);
            let end = line.0.rmatch_indices("://[").find_map(|(at, mark)| {
                let (address, _) = line.0[at + mark.len()..].split_once(']')?;
                let is_address = !address.is_empty() && address.bytes().all(is_hex);
                is_address.then_some(at + mark.len() + address.len() + 1)
            });
            // The pattern ignores an end of line at the end, and does not match one elsewhere.
            let end = end.filter(|_| matches!(line.1, "" | "\n"));
            s.rest = match end {
                Some(end) => format!("{}{}", &line.0[..end], url_encoded(&line.0[end..])),
                None => url_encoded(&s.rest),
            };
            Go
        },
    )
    .since(&ENCODED)
    .until(&LITERALS),
    Step::new(
        "UriParser: parse",
        "percent-encode all but letters, digits and `:/@?&=#-_.`, and brackets of a host; reject anything but a port after them",
        |s| {
            let Some((before, user, literal, after)) = literal(&s.rest) else {
                s.rest = url_encoded(&s.rest);
                return Go;
            };
            let port = after.strip_prefix(':').unwrap_or(after).trim_start_matches(|it: char| it.is_ascii_digit());
            if !(port.is_empty() || port.starts_with(['/', '?', '#'])) || literal.contains('%') {
                return s.reject(own(s, Part::Text), "something follows a bracket, or brackets contain a percent sign");
            }
            let user = user.map(|user| url_encoded(user) + "@").unwrap_or_default();
            s.rest = format!("{before}{user}{literal}{}", url_encoded(after));
            Go
        },
    )
    .since(&LITERALS),
    Step::new(
        "parse_url",
        "divide the text as PHP does: a colon ends a scheme or precedes a port, // begins an authority; reject it if it has no host after them \
         or a port that is not one",
        |s| {
            if s.rest.is_empty() {
                write(s, Parts::default());
                return Go;
            }
            let Some(parts) = parse_url(&s.rest) else {
                return s.reject(own(s, Part::Text), "`parse_url` returns false");
            };
            let host = parts.authority.as_deref().map(|authority| Server::of(authority, true).host);
            if host.is_some_and(|host| host.starts_with('[') && host.ends_with(']')) {
                s.mark(brackets(s));
            }
            let decoded = |text: &str| url_decoded(&without_controls(text));
            write(s, if s.has(&ENCODED) { parts.map(decoded) } else { parts });
            Go
        },
    ),
    Step::new("parse_url: an empty port", "an empty port is absent", |s| {
        rewrite_server(s, |server| server.port = server.port.take().filter(|port| !port.is_empty()))
    }),
    Step::new("parse_url: php_replace_controlchars", "write _ for control characters", |s| {
        for part in [Part::Scheme, Part::Path, Part::Query, Part::Fragment] {
            let slot = own(s, part);
            let written = s.present(slot).map(without_controls);
            s.set(slot, written);
        }
        rewrite_server(s, |server| {
            server.user = server.user.take().map(|user| without_controls(&user));
            server.password = server.password.take().map(|password| without_controls(&password));
            server.host = without_controls(&server.host);
        })
    })
    .until(&ENCODED),
    Step::new("filterScheme", "write the scheme in lower case", |s| {
        let slot = own(s, Part::Scheme);
        let scheme = s.present(slot).map(str::to_ascii_lowercase);
        s.set(slot, scheme);
        Go
    }),
    Step::new("filterScheme: isValidScheme", "reject a scheme that is not a letter, then letters, digits, +, - and .", |s| {
        let slot = own(s, Part::Scheme);
        let is_name = |name: &str| scheme(&format!("{name}:")).is_some_and(|(own, _)| own == name);
        match s.present(slot).is_none_or(is_name) {
            true => Go,
            false => s.reject(slot, "it is not the name of a scheme"),
        }
    })
    .since(&STRICT),
    Step::new("filterUserInfoComponent", "percent-encode what a user and a password do not have", |s| {
        rewrite_server(s, |server| {
            server.user = server.user.take().map(|user| filtered(&user, b""));
            server.password = server.password.take().map(|password| filtered(&password, b""));
        })
    }),
    Step::new("filterHost", "write the host in lower case", |s| {
        rewrite_server(s, |server| server.host.make_ascii_lowercase())
    }),
    Step::new("filterHost: HEX_OCTET", "write the digits of escapes of the host in upper case", |s| {
        rewrite_server(s, |server| {
            let mut host = String::new();
            let mut rest = server.host.as_str();
            while let Some((at, _)) = rest.match_indices('%').find(|(at, _)| is_escape(&rest[*at..])) {
                host.push_str(&rest[..at]);
                host.push_str(&rest[at..at + 3].to_ascii_uppercase());
                rest = &rest[at + 3..];
            }
            host.push_str(rest);
            server.host = host;
        })
    })
    .since(&STRICT),
    Step::new("assertValidHost", "reject a host with a space or a control character", |s| {
        check_host(s, |host| !host.bytes().any(|it| it <= b' ' || it == b'\x7f'))
    })
    .since(&CONTROLS)
    .until(&HOSTS),
    Step::new(
        "assertValidHost: isValidHost",
        "reject a host with a delimiter, a backslash, brackets without an address, or an escape of what is not allowed in it",
        |s| check_host(s, is_valid_host),
    )
    .since(&HOSTS),
    Step::new("tryCanonicalizeIpv6", "write an IPv6 address in its shortest form", |s| {
        rewrite_server(s, |server| {
            let address = server.host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
            if let Some(address) = address.and_then(|it| it.parse::<Ipv6Addr>().ok()) {
                server.host = format!("[{}]", canonical(address));
            }
        })
    })
    .since(&STRICT),
    Step::new("applyParts: port", "write the port as a number", |s| {
        rewrite_server(s, |server| {
            server.port = server.port.take().map(|port| port_number(&port).map_or(port, |port| port.to_string()));
        })
    }),
    Step::new("removeDefaultPort", "write no default port", |s| {
        let scheme = s.get(own(s, Part::Scheme)).to_owned();
        let with_sockets = s.has(&STRICT);
        rewrite_server(s, |server| {
            let port = default_port(&scheme, with_sockets);
            server.port = server.port.take().filter(|own| Some(own.as_str()) != port);
        })
    }),
    Step::new("filterPath", "percent-encode what a path does not have", |s| {
        let slot = own(s, Part::Path);
        let path = filtered(s.get(slot), b":@/");
        s.set(slot, path);
        Go
    }),
    Step::new("filterQueryAndFragment", "percent-encode what a query and a fragment do not have", |s| {
        for part in [Part::Query, Part::Fragment] {
            let slot = own(s, part);
            let text = s.present(slot).map(|text| filtered(text, b":@/?"));
            s.set(slot, text);
        }
        Go
    }),
    Step::new("getQuery, getFragment", "take an empty query and an empty fragment as absent ones", |s| {
        for part in [Part::Query, Part::Fragment] {
            let slot = own(s, part);
            if s.get(slot).is_empty() {
                s.set(slot, None::<&str>);
            }
        }
        Go
    }),
];

/// `UriResolver::resolve` and `Uri::__toString`.
pub(crate) static RESOLVE: &[Step] = &[
    Step::new("resolve: new Uri, base", "read the base, if it is known", |s| match s.base.is_empty() {
        true => Go,
        false => Call(READ, Side::Base),
    }),
    Step::new("resolve: new Uri", "read the reference", |_| Call(READ, Side::Reference)),
    Step::new("resolve: the reference alone", "without a known base, write the reference", |s| {
        for part in Part::COMPONENTS {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        match s.base.is_empty() {
            true => To("composeComponents: file"),
            false => Go,
        }
    }),
    Step::new("resolve: (string) $rel", "inherit the whole base if the reference has nothing", |s| {
        let is_empty = |part: &Part| s.get(Slot::Ref(*part)).is_empty();
        // The text of a file reference is not empty.
        if !Part::COMPONENTS.iter().all(is_empty) {
            return Go;
        }
        Part::COMPONENTS.into_iter().for_each(|part| s.inherit(part));
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        s.flow(Slot::NoDots, Slot::Base(Part::Path));
        To("composeComponents: file")
    }),
    Step::new("resolve: getScheme", "a reference with a scheme inherits nothing", |s| {
        match s.present(Slot::Ref(Part::Scheme)) {
            Some(_) => {
                s.set(Slot::Used, "nothing");
                To("removeDotSegments")
            }
            None => Go,
        }
    }),
    Step::new("resolve: getAuthority", "a reference with an authority inherits only the scheme", |s| {
        s.inherit(Part::Scheme);
        match s.present(Slot::Ref(Part::Authority)) {
            Some(_) => To("removeDotSegments"),
            None => Go,
        }
    }),
    Step::new("resolve: getPath() === ''", "inherit the authority and, without a path, the base's path, and its query if there is none", |s| {
        s.inherit(Part::Authority);
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit(Part::Path);
        if s.present(Slot::Ref(Part::Query)).is_none() {
            s.inherit(Part::Query);
        }
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        s.flow(Slot::NoDots, Slot::Base(Part::Path));
        To("resolve: composeComponents")
    }),
    Step::new("resolve: '/'", "a path that begins with a slash is not merged", |s| {
        match s.get(Slot::Ref(Part::Path)).starts_with('/') {
            true => To("removeDotSegments"),
            false => Go,
        }
    }),
    Step::new(
        "resolve: strrpos",
        "the path follows the base's up to its last slash, or a slash if the base has an authority and no path",
        |s| {
            let base = s.get(Slot::Base(Part::Path));
            let has_root = base.is_empty() && s.present(Slot::Base(Part::Authority)).is_some();
            let merged = format!("{}{}", if has_root { "/" } else { folder(base) }, s.get(Slot::Ref(Part::Path)));
            s.inherit_as("folder");
            s.set(Slot::Merged, merged);
            Go
        },
    ),
    Step::new(
        "removeDotSegments",
        "remove each . segment, and each .. segment with the one before it, also the empty one before the first slash; write that slash again; \
         end in a slash after either, unless the first slash is written again or nothing remains",
        |s| remove_dots(s, 0),
    )
    .until(&STRICT),
    Step::new(
        "removeDotSegments: $floor",
        "remove each . segment, and each .. segment with the one before it, but not the empty one before the first slash; end in a slash \
         after either, unless nothing remains",
        |s| {
            let floor = usize::from(s.get(Slot::Merged).starts_with('/'));
            remove_dots(s, floor)
        },
    )
    .since(&STRICT),
    Step::new("guardedPath: /.", "write /. before a path that begins with // without an authority, but not for http and https", |s| {
        let is_web = matches!(s.get(Slot::Out(Part::Scheme)), "http" | "https");
        let path = s.get(Slot::Out(Part::Path));
        if s.present(Slot::Out(Part::Authority)).is_none() && path.starts_with("//") && !is_web {
            let path = format!("/.{path}");
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    })
    .since(&STRICT),
    Step::new("guardedPath: ./", "write ./ before a path whose first segment has a colon without a scheme and an authority", |s| {
        if has_colon(s) {
            let path = format!("./{}", s.get(Slot::Out(Part::Path)));
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    })
    .since(&COLON_PATHS),
    Step::new("resolve: composeComponents", "read what is written again, unless the reference has a scheme", |s| {
        if s.present(Slot::Ref(Part::Scheme)).is_some() {
            return Go;
        }
        let text = composed(s);
        s.set(Slot::Out(Part::Text), text);
        s.mark(TARGET);
        Call(READ, Side::Reference)
    })
    .until(&COPIES),
    Step::new("withPath", "note whether the path is not that of the URI that is changed", |s| {
        let of = if s.present(Slot::Ref(Part::Scheme)).is_some() { Slot::Ref } else { Slot::Base };
        let is_network_path = s.present(Slot::Ref(Part::Authority)).is_some();
        if !s.is_marked(TARGET) && !is_network_path && s.get(Slot::Out(Part::Path)) != s.get(of(Part::Path)) {
            s.mark(NEW_PATH);
        }
        Go
    }),
    Step::new("withScheme: removeDefaultPort", "write no port that is the default of the base's scheme", |s| {
        let port = default_port(s.get(Slot::Out(Part::Scheme)), s.has(&STRICT)).map(|port| format!(":{port}"));
        let authority = s.present(Slot::Out(Part::Authority)).zip(port);
        if let Some(authority) = authority.and_then(|(authority, port)| authority.strip_suffix(&port)) {
            let authority = authority.to_owned();
            s.set(Slot::Out(Part::Authority), authority);
        }
        Go
    })
    .since(&COPIES),
    Step::new("validateState: HTTP_DEFAULT_HOST", "write localhost if a path was replaced in an http or https URI without a host", |s| {
        let is_web = matches!(s.get(Slot::Out(Part::Scheme)), "http" | "https");
        if s.is_marked(NEW_PATH) && is_web && s.present(Slot::Out(Part::Authority)).is_none() {
            s.set(Slot::Out(Part::Authority), "localhost");
        }
        Go
    }),
    Step::new("validateState: //", "reject a replaced path that begins with // without an authority", |s| {
        let is_alone = s.is_marked(NEW_PATH) && s.present(Slot::Out(Part::Authority)).is_none();
        match is_alone && s.get(Slot::Out(Part::Path)).starts_with("//") {
            true => s.reject(Slot::Out(Part::Path), "it begins with two slashes"),
            false => Go,
        }
    }),
    Step::new("validateState: a colon", "reject a replaced path whose first segment has a colon without a scheme and an authority", |s| {
        match s.is_marked(NEW_PATH) && has_colon(s) {
            true => s.reject(Slot::Out(Part::Path), "its first segment has a colon"),
            false => Go,
        }
    })
    .since(&COPIES)
    .until(&COLON_PATHS),
    Step::new("validateState: '/'", "write a slash after an authority before a path without it", slash).until(&ENCODED),
    Step::new("validateState: a rootless path", "reject a path that does not begin with a slash after an authority", |s| {
        match has_rootless_path(s) {
            true => s.reject(Slot::Out(Part::Path), "it does not begin with a slash"),
            false => Go,
        }
    })
    .since(&ENCODED)
    .until(&SLASH),
    Step::new("composeComponents: file", "write // in a file URI", |s| {
        if s.get(Slot::Out(Part::Scheme)) == "file" {
            let authority = s.get(Slot::Out(Part::Authority)).to_owned();
            s.set(Slot::Out(Part::Authority), authority);
        }
        Go
    })
    .until(&STRICT),
    Step::new("composeComponents: file, '/'", "write // in a file URI whose path begins with a slash", |s| {
        if s.get(Slot::Out(Part::Scheme)) == "file" && s.get(Slot::Out(Part::Path)).starts_with('/') {
            let authority = s.get(Slot::Out(Part::Authority)).to_owned();
            s.set(Slot::Out(Part::Authority), authority);
        }
        Go
    })
    .since(&STRICT),
    Step::new("composeComponents: '/'", "write a slash after an authority before a path without it", slash).since(&SLASH),
    Step::new("composeComponents", "concatenate the components", |s| s.concatenate()),
];

/// The getters of `new Uri(url)`.
pub(crate) static STATE: &[Step] = &[
    Step::new("Uri", "read the URL", |_| Call(READ, Side::Reference)),
    Step::new("getScheme, getAuthority, getPath, getQuery, getFragment", "state empty components if they are absent", |s| {
        for part in Part::COMPONENTS {
            s.flow(Slot::Out(part), Slot::Ref(part));
            if s.present(Slot::Out(part)).is_none() {
                s.set(Slot::Out(part), "");
            }
        }
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("getPath", "state a path that begins with slashes with a single one", |s| {
        let path = s.get(Slot::Out(Part::Path));
        if path.starts_with("//") {
            let path = format!("/{}", path.trim_start_matches('/'));
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    })
    .since(&ONE_SLASH),
    Step::new("getUserInfo, getHost, getPort", "state an empty user and an empty host if they are absent; the port may be absent", |s| {
        let server = server(s).unwrap_or_else(|| Server::of("", true));
        let Server { user, password, host, port } = server;
        let password = password.map(|password| format!(":{password}")).unwrap_or_default();
        s.set(Slot::Out(Part::Userinfo), user.unwrap_or_default() + &password);
        s.set(Slot::Out(Part::Host), host);
        s.set(Slot::Out(Part::Port), port);
        Go
    }),
];

fn composed(s: &State<'_>) -> String {
    let [scheme, authority, rest @ ..] = Part::COMPONENTS.map(|part| s.present(Slot::Out(part)));
    let authority = authority.or((scheme == Some("file")).then_some(""));
    concatenated([scheme, authority, rest[0], rest[1], rest[2]])
}

/// Returns whether the target has neither a scheme nor an authority, and a colon in its first segment.
fn has_colon(s: &State<'_>) -> bool {
    s.present(Slot::Out(Part::Scheme)).is_none()
        && s.present(Slot::Out(Part::Authority)).is_none()
        && until(s.get(Slot::Out(Part::Path)), &['/']).0.contains(':')
}

fn has_rootless_path(s: &State<'_>) -> bool {
    let path = s.get(Slot::Out(Part::Path));
    !s.get(Slot::Out(Part::Authority)).is_empty() && !path.is_empty() && !path.starts_with('/')
}

fn slash(s: &mut State<'_>) -> Next {
    if has_rootless_path(s) {
        let path = format!("/{}", s.get(Slot::Out(Part::Path)));
        s.set(Slot::Out(Part::Path), path);
    }
    Go
}

fn remove_dots(s: &mut State<'_>, floor: usize) -> Next {
    let path = s.get(Slot::Merged);
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "." => {}
            ".." if kept.len() > floor => drop(kept.pop()),
            ".." => {}
            _ => kept.push(segment),
        }
    }
    let mut written = kept.join("/");
    if path.starts_with('/') && !written.starts_with('/') {
        written.insert(0, '/');
    } else if !written.is_empty() && matches!(&path[folder(path).len()..], "." | "..") {
        written.push('/');
    }
    s.flow(Slot::NoDots, Slot::Merged);
    s.set(Slot::NoDots, written);
    s.copy(Slot::Out(Part::Path), Slot::NoDots);
    Go
}

/// What `parse_url` returns.
#[derive(Default)]
struct Parts {
    scheme: Option<String>,
    authority: Option<String>,
    path: Option<String>,
    query: Option<String>,
    fragment: Option<String>,
}

impl Parts {
    fn map(self, written: impl Fn(&str) -> String) -> Self {
        let own = |part: Option<String>| part.map(|part| written(&part));
        Self {
            scheme: own(self.scheme),
            authority: own(self.authority),
            path: own(self.path),
            query: own(self.query),
            fragment: own(self.fragment),
        }
    }
}

fn write(s: &mut State<'_>, parts: Parts) {
    s.set(own(s, Part::Scheme), parts.scheme);
    s.set(own(s, Part::Authority), parts.authority);
    s.set(own(s, Part::Path), parts.path.unwrap_or_default());
    s.set(own(s, Part::Query), parts.query);
    s.set(own(s, Part::Fragment), parts.fragment);
}

/// `php_url_parse_ex2`.
fn parse_url(text: &str) -> Option<Parts> {
    let has_slashes = text.starts_with("//");
    let Some((name, after)) = text.split_once(':') else {
        return if has_slashes { with_host(None, &text[2..]) } else { Some(with_path(Parts::default(), text)) };
    };
    let is_name = |it: u8| it.is_ascii_alphanumeric() || b"+-.".contains(&it);
    if !name.is_empty() && name.bytes().all(is_name) {
        let scheme = Some(name.to_owned());
        let digits = after.len() - after.trim_start_matches(|it: char| it.is_ascii_digit()).len();
        let only_scheme = Parts { scheme: scheme.clone(), ..Parts::default() };
        return match after.strip_prefix("//") {
            _ if after.is_empty() => Some(only_scheme),
            _ if after.starts_with('/') && !after.starts_with("//") => Some(with_path(only_scheme, after)),
            Some(path) if name.eq_ignore_ascii_case("file") && path.starts_with('/') => {
                // A drive letter after the slash.
                let is_drive = path.len() > 2 && path.as_bytes()[2] == b':';
                Some(with_path(only_scheme, if is_drive { &path[1..] } else { path }))
            }
            Some(rest) => with_host(scheme, rest),
            None if digits < 6 && matches!(after[digits..].chars().next(), None | Some('/')) => with_port(text, after),
            None => Some(with_path(only_scheme, after)),
        };
    }
    let precedes = !name.contains(['?', '#']) && !after.is_empty();
    match name.is_empty() || precedes {
        true => with_port(text, after),
        false if has_slashes => with_host(None, &text[2..]),
        false => Some(with_path(Parts::default(), text)),
    }
}

/// Goes on with a host if a port follows the first colon.
fn with_port(text: &str, after: &str) -> Option<Parts> {
    let digits = after.bytes().take_while(u8::is_ascii_digit).take(6).count();
    let host = text.strip_prefix("//");
    match after[digits..].chars().next() {
        None | Some('/') if (1..6).contains(&digits) => {
            let port = after[..digits].parse::<u16>().ok()?;
            let mut parts = with_host(None, host.unwrap_or(text))?;
            // A slash may precede the port.
            parts.authority = parts.authority.map(|it| if it.contains(':') { it } else { format!("{it}:{port}") });
            Some(parts)
        }
        None if digits == 0 => None,
        _ => host.map_or_else(|| Some(with_path(Parts::default(), text)), |host| with_host(None, host)),
    }
}

fn with_host(scheme: Option<String>, text: &str) -> Option<Parts> {
    let (authority, rest) = until(text, &['/', '?', '#']);
    let server = Server::of(authority, true);
    let is_port = |port: &str| port.is_empty() || port.len() <= 5 && port_number(port).is_some();
    if server.host.is_empty() || !server.port.as_deref().is_none_or(is_port) {
        return None;
    }
    let parts = Parts { scheme, authority: Some(authority.to_owned()), ..Parts::default() };
    Some(with_path(parts, rest))
}

fn with_path(parts: Parts, text: &str) -> Parts {
    let (text, fragment) = cut(text, "#");
    let (path, query) = cut(text, "?");
    Parts { path: Some(path.to_owned()), query: query.map(str::to_owned), fragment: fragment.map(str::to_owned), ..parts }
}

/// `php_replace_controlchars`.
fn without_controls(text: &str) -> String {
    text.replace(|it: char| it.is_ascii_control(), "_")
}

/// Returns the number that a text begins with, as C reads it, if it is a port.
fn port_number(text: &str) -> Option<u16> {
    let text = text.trim_start_matches(|it: char| it == ' ' || matches!(it, '\t'..='\r'));
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let end = digits.len() - digits.trim_start_matches(|it: char| it.is_ascii_digit()).len();
    let number: i64 = digits[..end].parse().ok()?;
    u16::try_from(if sign.is_empty() { number } else { -number }).ok()
}

/// The parts of an authority.
struct Server {
    user: Option<String>,
    password: Option<String>,
    host: String,
    port: Option<String>,
}

impl Server {
    /// Divides an authority: the user ends at the last @, and the port follows the last colon, unless brackets that are read as such enclose all.
    fn of(authority: &str, is_literal: bool) -> Self {
        let (user, host) = authority.rsplit_once('@').map_or((None, authority), |(user, host)| (Some(user), host));
        let (user, password) = user.map_or((None, None), |user| {
            let (user, password) = cut(user, ":");
            (Some(user.to_owned()), password.map(str::to_owned))
        });
        let is_literal = is_literal && host.starts_with('[') && host.ends_with(']');
        let (host, port) = match host.rsplit_once(':').filter(|_| !is_literal) {
            Some((host, port)) => (host, Some(port.to_owned())),
            None => (host, None),
        };
        Self { user, password, host: host.to_owned(), port }
    }

    fn text(&self) -> String {
        let password = self.password.as_ref().map(|it| format!(":{it}")).unwrap_or_default();
        let user = format!("{}{password}", self.user.as_deref().unwrap_or_default());
        let port = self.port.as_ref().map(|port| format!(":{port}")).unwrap_or_default();
        format!("{user}{}{}{port}", if user.is_empty() { "" } else { "@" }, self.host)
    }
}

fn rewrite_server(s: &mut State<'_>, rewrite: impl FnOnce(&mut Server)) -> Next {
    let slot = own(s, Part::Authority);
    if let Some(mut server) = server(s) {
        let had_port = server.port.is_some();
        rewrite(&mut server);
        if had_port && server.port.is_none() {
            s.mark(without_port(s));
        }
        s.set(slot, server.text());
    }
    Go
}

/// Divides the authority of the text that is read.
fn server(s: &State<'_>) -> Option<Server> {
    let server = Server::of(s.present(own(s, Part::Authority))?, has_brackets(s));
    Some(match server.port {
        Some(port) if s.is_marked(without_port(s)) => Server { host: format!("{}:{port}", server.host), port: None, ..server },
        _ => server,
    })
}

fn check_host(s: &mut State<'_>, is_valid: impl Fn(&str) -> bool) -> Next {
    let slot = own(s, Part::Authority);
    match server(s).is_none_or(|server| is_valid(&server.host)) {
        true => Go,
        false => s.reject(slot, "its host is not valid"),
    }
}

/// `Rfc3986::isValidHost`.
fn is_valid_host(host: &str) -> bool {
    if host.bytes().any(|it| it <= b' ' || b"\x7f/?#@\\".contains(&it)) {
        return false;
    }
    if host.contains(['[', ']']) {
        let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        return address.is_some_and(|it| it.parse::<Ipv6Addr>().is_ok() || is_later_address(it));
    }
    let is_forbidden = |(at, _): (usize, &str)| {
        let escape = host.get(at + 1..at + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        !is_escape(&host[at..]) || escape.is_none_or(|it| it <= b'\x1f' || b" #%/:?@[\\]\x7f".contains(&it))
    };
    !host.contains(':') && !host.match_indices('%').any(is_forbidden)
}

fn is_later_address(text: &str) -> bool {
    let Some((number, rest)) = text.strip_prefix(['v', 'V']).and_then(|text| text.split_once('.')) else { return false };
    let is_all = |text: &str, is: &dyn Fn(u8) -> bool| !text.is_empty() && text.bytes().all(is);
    is_all(number, &|it| it.is_ascii_hexdigit()) && is_all(rest, &|it| is_kept(it) || it == b':')
}

/// `Rfc3986::tryCanonicalizeIpv6`.
fn canonical(address: Ipv6Addr) -> String {
    match address.segments() {
        [0, 0, 0, 0, 0, 0, high, low] if high != 0 => {
            let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
            format!("::{a}.{b}.{c}.{d}")
        }
        _ => address.to_string(),
    }
}

fn default_port(scheme: &str, with_sockets: bool) -> Option<&'static str> {
    Some(match scheme {
        "http" => "80",
        "https" => "443",
        "ftp" => "21",
        "gopher" => "70",
        "nntp" | "news" => "119",
        "telnet" | "tn3270" => "23",
        "imap" => "143",
        "pop" => "110",
        "ldap" => "389",
        "ws" if with_sockets => "80",
        "wss" if with_sockets => "443",
        _ => return None,
    })
}

/// Returns the text before brackets that begin a host, the user, the brackets, and what follows them.
fn literal(text: &str) -> Option<(&str, Option<&str>, &str, &str)> {
    let is_name = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_alphanumeric() || b"+-.".contains(&it));
    let rest = match text.split_once("://").filter(|(name, _)| is_name(name)) {
        Some((_, rest)) => rest,
        None => text.strip_prefix("//")?,
    };
    let before = &text[..text.len() - rest.len()];
    let brackets = |rest: &str| {
        let end = rest.strip_prefix('[')?.find(']')? + 2;
        let is_excluded = |it: u8| it <= b' ' || b"\x7f/?#@".contains(&it);
        (end > 2 && !rest[..end].bytes().any(is_excluded)).then_some(end)
    };
    let user = rest.split_once('@').filter(|(user, _)| !user.contains(['/', '?', '#']));
    if let Some((user, rest, end)) = user.and_then(|(user, rest)| Some((user, rest, brackets(rest)?))) {
        return Some((before, Some(user), &rest[..end], &rest[end..]));
    }
    brackets(rest).map(|end| (before, None, &rest[..end], &rest[end..]))
}

/// Returns whether a character is unreserved or a delimiter of components.
fn is_kept(it: u8) -> bool {
    it.is_ascii_alphanumeric() || b"_-.~!$&'()*+,;=".contains(&it)
}

/// Percent-encodes what is neither kept nor in `others`. Escapes are kept.
fn filtered(text: &str, others: &[u8]) -> String {
    let keeps = |it: u8| is_kept(it) || others.contains(&it);
    let mut out = String::new();
    let mut rest = text;
    while let Some((at, _)) = rest.match_indices('%').find(|(at, _)| is_escape(&rest[*at..])) {
        out.push_str(&encoded(&rest[..at], keeps));
        out.push_str(&rest[at..at + 3]);
        rest = &rest[at + 3..];
    }
    out + &encoded(rest, keeps)
}

/// `urlencode` of each text between `:/@?&=#`.
fn url_encoded(text: &str) -> String {
    encoded(text, |it| it.is_ascii_alphanumeric() || b"-_. :/@?&=#".contains(&it)).replace(' ', "+")
}

/// `urldecode`.
fn url_decoded(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.filter(|it| it.bytes().all(|it| it.is_ascii_hexdigit())).and_then(|it| u8::from_str_radix(it, 16).ok());
        match (first, byte) {
            (b'%', Some(byte)) => {
                out.push(byte);
                rest = &after[2..];
            }
            (b'+', _) => {
                out.push(b' ');
                rest = after;
            }
            _ => {
                out.push(*first);
                rest = after;
            }
        }
    }
    // What is not UTF-8 would be encoded again.
    let mut text = String::with_capacity(out.len());
    for chunk in out.utf8_chunks() {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("%{byte:02X}")));
    }
    text
}
