//! Java's `java.net.URI`: `URI.create(base).resolve(reference)`, and `URI.create(reference)` without a base, then `toString()`.
//! What `new URI(url)` states is what its methods return without decoding.
//!
//! Read from `java/net/URI.java` of Java 25, and compared with Java 11 to 26. An empty authority is not distinguished from an absent one.
//! A URI that was parsed is written as it was given; one that was resolved is written from its components, with a port that is a number.

use std::net::Ipv6Addr;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, folder, is_escape, until};
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, Witness, no_calls};

use crate::rfc3986;

/// Java's `java.net.URI`.
pub static TABLE: Table = Table {
    engine: "java-net-uri",
    first: "11",
    changes: &[&SLASH],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, ACCESSORS)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static SLASH: Change = Change {
    id: "JDK-8272702",
    versions: &["19.0.0", "17.0.7"],
    date: "2022-09-20",
    issue: "https://bugs.openjdk.org/browse/JDK-8272702",
    says: "a slash precedes a path that follows an authority without a path",
    witness: Witness::resolving("http://a", "b", Some("http://ab"), Some("http://a/b")),
};

/// Returns whether a character is legal outside ASCII: neither a space nor a control character.
pub(crate) fn is_other(it: char) -> bool {
    let is_space = matches!(
        it,
        '\u{a0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    );
    !it.is_ascii() && !it.is_control() && !is_space
}

/// `scan`: returns the part of a text before its first illegal character. Letters, digits, marks, escapes, and characters outside ASCII are
/// legal, and those of `others`.
fn legal<'a>(text: &'a str, others: &str) -> &'a str {
    let is_legal = |(at, it): (usize, char)| match it {
        '%' => is_escape(&text[at..]),
        _ => it.is_ascii_alphanumeric() || "-_.!~*'()".contains(it) || others.contains(it) || is_other(it),
    };
    &text[..text.char_indices().find(|it| !is_legal(*it)).map_or(text.len(), |(at, _)| at)]
}

fn is_legal(text: &str, others: &str) -> bool {
    legal(text, others).len() == text.len()
}

const URIC: &str = ";/?:@&=+$,[]";
const PATH: &str = ";/:@&=+$,";
const USERINFO: &str = ";:&=+$,";
const REG_NAME: &str = ";:@&=+$,";
const SERVER: &str = ";:@&=+$,[]";

/// Rejects a component with an illegal character.
fn check(s: &mut State<'_>, part: Part, others: &str) -> Next {
    let slot = s.own(part);
    match is_legal(s.get(slot), others) {
        true => Go,
        false => s.reject(slot, "it contains an illegal character or a percent sign without an escape"),
    }
}

/// `URI.Parser`, for the base and the reference.
pub(crate) static PARSE: &[Step] = &[
    Step::new("parse: the scheme", "the part before a colon is the scheme, unless /, ? or # precedes the colon", |s| {
        s.rest = s.given().to_owned();
        s.write_text();
        let found = s.given().split_once(':').filter(|(name, _)| !name.contains(['/', '?', '#']));
        s.set(s.own(Part::Scheme), found.map(|(name, _)| name));
        s.rest = found.map_or(s.given(), |(_, rest)| rest).to_owned();
        Go
    }),
    Step::new("parse: checkChars", "reject a scheme that is not a letter, then letters, digits, +, - and .", |s| {
        let slot = s.own(Part::Scheme);
        let is_name = |name: &str| {
            name.starts_with(|it: char| it.is_ascii_alphabetic())
                && name.bytes().all(|it| it.is_ascii_alphanumeric() || b"+-.".contains(&it))
        };
        match s.present(slot).is_none_or(is_name) {
            true => Go,
            false => s.reject(slot, "it is not the name of a scheme"),
        }
    }),
    Step::new(
        "parse: the scheme-specific part",
        "what follows a scheme and does not begin with a slash is opaque, up to the first #",
        |s| {
            if s.present(s.own(Part::Scheme)).is_none() || s.rest.starts_with('/') {
                return Go;
            }
            let rest = std::mem::take(&mut s.rest);
            let (part, fragment) = cut(&rest, "#");
            s.set(s.own(Part::Authority), None::<&str>);
            s.set(s.own(Part::Path), part);
            s.set(s.own(Part::Query), None::<&str>);
            s.set(s.own(Part::Fragment), fragment);
            match part.is_empty() {
                true => s.reject(s.own(Part::Path), "nothing follows the scheme"),
                false => To("parse: opaque part"),
            }
        },
    ),
    Step::new("parseHierarchical: //", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new(
        "parseHierarchical: the path",
        "the part up to ? or # is the path, then up to # the query",
        |s| {
            let rest = std::mem::take(&mut s.rest);
            let (before, after) = until(&rest, &['#']);
            let (path, query) = cut(before, "?");
            s.set(s.own(Part::Path), path);
            s.set(s.own(Part::Query), query);
            s.rest = after.to_owned();
            Go
        },
    ),
    Step::new("parse: the fragment", "the part after the first # is the fragment", |s| {
        let rest = std::mem::take(&mut s.rest);
        s.set(s.own(Part::Fragment), rest.strip_prefix('#'));
        Go
    }),
    Step::new(
        "parseHierarchical: an empty authority",
        "reject an empty authority at the end of the URI; any other is absent",
        |s| {
            let slot = s.own(Part::Authority);
            let is_last = s.get(s.own(Part::Path)).is_empty()
                && s.present(s.own(Part::Query)).is_none()
                && s.present(s.own(Part::Fragment)).is_none();
            match s.present(slot) {
                Some("") if is_last => return s.reject(slot, "nothing follows two slashes"),
                Some("") => s.set(slot, None::<&str>),
                _ => {}
            }
            Go
        },
    ),
    Step::new(
        "parseAuthority: regChars",
        "reject an authority with a percent sign without an escape before the first character that registry-based names do not have",
        |s| {
            let slot = s.own(Part::Authority);
            let authority = s.get(slot);
            match authority[legal(authority, REG_NAME).len()..].starts_with('%') {
                true => s.reject(slot, "a percent sign does not begin an escape"),
                false => Go,
            }
        },
    ),
    Step::new(
        "parseAuthority: serverChars, regChars",
        "reject an authority with a character that neither a server nor a registry-based name can have",
        |s| {
            let slot = s.own(Part::Authority);
            match s.present(slot).is_none_or(|it| is_legal(it, REG_NAME) || has_server_chars(it)) {
                true => Go,
                false => s.reject(slot, "it contains a character that neither a server nor a name of a registry can have"),
            }
        },
    ),
    Step::new(
        "parseAuthority: parseServer",
        "reject an authority that is neither a server with a port nor a registry-based name",
        |s| {
            let slot = s.own(Part::Authority);
            match s.present(slot).is_none_or(|it| is_legal(it, REG_NAME) || !has_server_chars(it) || server(it).is_some()) {
                true => Go,
                false => s.reject(slot, "it is neither a server nor a name of a registry"),
            }
        },
    ),
    Step::new("parseHierarchical: checkChars of the path", "reject a path with an illegal character", |s| {
        check(s, Part::Path, PATH)
    }),
    Step::new("parseHierarchical: checkChars of the query", "reject a query with an illegal character", |s| {
        check(s, Part::Query, URIC)
    }),
    Step::new("parse: opaque part", "reject a scheme-specific part with an illegal character", |s| {
        check(s, Part::Path, URIC)
    }),
    Step::new("parse: checkChars of the fragment", "reject a fragment with an illegal character", |s| {
        check(s, Part::Fragment, URIC)
    }),
];

/// `serverChars`: returns whether a server can have each character of an authority.
fn has_server_chars(authority: &str) -> bool {
    is_legal(&authority.replace('%', ""), SERVER)
}

/// `parseServer`: divides an authority into user and host, and the digits of the port; `None` if it is not a server.
pub(crate) fn server(authority: &str) -> Option<(&str, &str)> {
    let (user, rest) = authority.split_once('@').map_or((None, authority), |(user, rest)| (Some(user), rest));
    if !user.is_none_or(|user| is_legal(user, USERINFO)) {
        return None;
    }
    let end = match rest.strip_prefix('[') {
        Some(after) => {
            let (host, _) = after.split_once(']').filter(|(host, _)| is_reference(host))?;
            host.len() + 2
        }
        None => until(rest, &[':']).0.len(),
    };
    let (host, port) = (&rest[..end], &rest[end..]);
    let port = if port.is_empty() { port } else { port.strip_prefix(':')? };
    let is_number = port.bytes().all(|it| it.is_ascii_digit()) && (port.is_empty() || port.parse::<i32>().is_ok());
    let is_host = host.starts_with('[') || is_ipv4(host) || is_hostname(host);
    let before = authority.len() - rest.len() + end;
    (is_number && is_host).then(|| (&authority[..before], port))
}

/// `scanIPv4Address`: four numbers up to 255, also with leading zeros.
fn is_ipv4(host: &str) -> bool {
    host.split('.').count() == 4 && host.split('.').all(|it| octet(it).is_some())
}

fn octet(digits: &str) -> Option<u8> {
    let is_number = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
    let significant = digits.trim_start_matches('0');
    if significant.is_empty() { Some(0).filter(|_| is_number) } else { significant.parse().ok().filter(|_| is_number) }
}

/// `parseHostname`: labels of letters, digits and inner hyphens; of several, the last begins with a letter. A dot may follow it.
fn is_hostname(host: &str) -> bool {
    let labels = host.strip_suffix('.').unwrap_or(host);
    let is_label = |label: &str| {
        !label.is_empty()
            && label.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    labels.split('.').all(is_label)
        && labels.rsplit_once('.').is_none_or(|(_, last)| last.starts_with(|it: char| it.is_ascii_alphabetic()))
}

/// `parseIPv6Reference`: an IPv6 address, whose IPv4 address may have leading zeros, and a scope after a percent sign.
fn is_reference(host: &str) -> bool {
    let (address, scope) = cut(host, "%");
    let is_scope =
        |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_' || it == b'.');
    let (before, last) = address.split_at(address.rfind(':').map_or(0, |at| at + 1));
    let octets: Option<Vec<String>> = last.split('.').map(|it| octet(it).map(|it| it.to_string())).collect();
    let last = octets.filter(|it| it.len() == 4).map_or(last.to_owned(), |it| it.join("."));
    scope.is_none_or(is_scope) && format!("{before}{last}").parse::<Ipv6Addr>().is_ok()
}

/// Returns whether a side has a scheme and a path that does not begin with a slash.
fn is_opaque(s: &State<'_>, of: fn(Part) -> Slot) -> bool {
    let path = s.get(of(Part::Path));
    s.present(of(Part::Scheme)).is_some()
        && s.present(of(Part::Authority)).is_none()
        && !path.is_empty()
        && !path.starts_with('/')
}

/// `URI.resolve`, with `normalize` and `toString`.
pub(crate) static RESOLVE: &[Step] = &[
    Step::new("URI.create: the base", "parse the base, if it is known", |s| match s.base.is_empty() {
        true => Go,
        false => Call(PARSE, Side::Base),
    }),
    Step::new("URI.create", "parse the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("URI.create: string", "without a known base, return the reference as it is", |s| match s.base.is_empty() {
        true => s.return_text(s.reference),
        false => Go,
    }),
    Step::new("resolve: isOpaque", "return the reference as it is if it or the base is opaque", |s| {
        match is_opaque(s, Slot::Base) || is_opaque(s, Slot::Ref) {
            true => {
                s.set(Slot::Used, "nothing");
                s.return_text(s.reference)
            }
            false => Go,
        }
    }),
    Step::new("resolve: base", "return the base as it is if the reference is nothing but its fragment", |s| {
        let fragment = s.present(Slot::Ref(Part::Fragment));
        if !is_fragment(s) || fragment != s.present(Slot::Base(Part::Fragment)) {
            return Go;
        }
        s.set(Slot::Used, "scheme, authority, path, query, fragment");
        s.return_text(s.base)
    }),
    Step::new("resolve: a lone fragment", "a reference that is nothing but a fragment inherits everything else", |s| {
        if !is_fragment(s) {
            return Go;
        }
        s.inherit(Part::Scheme);
        s.inherit(Part::Authority);
        s.inherit(Part::Path);
        s.inherit(Part::Query);
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        To("defineString: port")
    }),
    Step::new("resolve: child.scheme", "return the reference as it is if it has a scheme", |s| {
        match s.present(Slot::Ref(Part::Scheme)) {
            Some(_) => s.return_text(s.reference),
            None => Go,
        }
    }),
    Step::new("resolve: ru.query", "inherit the scheme; query and fragment are the reference's", |s| {
        s.inherit(Part::Scheme);
        for part in [Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        Go
    }),
    Step::new("resolve: child.authority", "a reference with an authority keeps it, and its path, which is not normalized", |s| {
        if s.present(Slot::Ref(Part::Authority)).is_none() {
            return Go;
        }
        for part in [Part::Authority, Part::Path] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        To("defineString: port")
    }),
    Step::new("resolve: an absolute path", "inherit the authority; a path that begins with a slash is neither merged nor normalized", |s| {
        s.inherit(Part::Authority);
        if !s.get(Slot::Ref(Part::Path)).starts_with('/') {
            return Go;
        }
        for slot in [Slot::Merged, Slot::NoDots, Slot::Out(Part::Path)] {
            s.flow(slot, Slot::Ref(Part::Path));
        }
        To("defineString: port")
    }),
    Step::new("resolvePath: concat", "the path follows the base's up to its last slash; an empty path does, too", |s| {
        merge(s, |_, _| "")
    })
    .until(&SLASH),
    Step::new(
        "resolvePath",
        "the path follows the base's up to its last slash, or a slash if it has none and the base has a scheme; an empty path only the former",
        |s| merge(s, |path, has_scheme| if has_scheme && !path.is_empty() { "/" } else { "" }),
    )
    .since(&SLASH),
    Step::new("normalize: join", "remove empty segments", |s| {
        let path = s.get(Slot::Merged);
        let mut kept = String::with_capacity(path.len());
        for it in path.chars() {
            if it != '/' || !kept.ends_with('/') {
                kept.push(it);
            }
        }
        s.set(Slot::Merged, kept);
        Go
    }),
    Step::new("normalize: removeDots", "remove each . segment, and each .. segment with the one before it, unless there is none", |s| {
        s.flow(Slot::NoDots, Slot::Merged);
        let path = s.get(Slot::Merged);
        let (root, rest) = path.split_at(usize::from(path.starts_with('/')));
        let mut kept: Vec<&str> = Vec::new();
        for segment in rest.split_inclusive('/') {
            match segment.strip_suffix('/').unwrap_or(segment) {
                "." => {}
                ".." if kept.last().is_some_and(|last| !matches!(*last, ".." | "../")) => drop(kept.pop()),
                _ => kept.push(segment),
            }
        }
        let path = format!("{root}{}", kept.concat());
        s.set(Slot::NoDots, path);
        Go
    }),
    Step::new(
        "normalize: maybeAddLeadingDot",
        "write ./ before a path that does not begin with a slash if its first segment contains a colon and was not the first",
        |s| {
            let path = s.get(Slot::NoDots);
            let first = until(path, &['/']).0;
            if first.contains(':') && until(s.get(Slot::Merged), &['/']).0 != first {
                let path = format!("./{path}");
                s.set(Slot::NoDots, path);
            }
            Go
        },
    ),
    Step::new("resolve: ru.path", "the normalized path is the target's", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        Go
    }),
    Step::new("defineString: port", "write the port of a server as a number, and no empty port", |s| {
        let slot = Slot::Out(Part::Authority);
        if let Some((host, port)) = s.present(slot).and_then(server) {
            let port = port.parse::<i32>().map(|port| format!(":{port}")).unwrap_or_default();
            let authority = format!("{host}{port}");
            s.set(slot, authority);
        }
        Go
    }),
    Step::new("defineString", "concatenate the components", |s| s.concatenate()),
];

fn is_fragment(s: &State<'_>) -> bool {
    let is_absent = |part| s.present(Slot::Ref(part)).is_none();
    is_absent(Part::Scheme)
        && is_absent(Part::Authority)
        && s.get(Slot::Ref(Part::Path)).is_empty()
        && is_absent(Part::Query)
        && !is_absent(Part::Fragment)
}

/// Writes the path after the base's folder, or after what `otherwise` returns if the base's path has no slash.
fn merge(s: &mut State<'_>, otherwise: impl Fn(&str, bool) -> &'static str) -> Next {
    s.inherit_as("folder");
    let (base, path) = (s.get(Slot::Base(Part::Path)), s.get(Slot::Ref(Part::Path)));
    let before = match folder(base) {
        "" => otherwise(path, s.present(Slot::Base(Part::Scheme)).is_some()),
        folder => folder,
    };
    let merged = format!("{before}{path}");
    s.set(Slot::Merged, merged);
    Go
}

/// `new URI`, and the methods of the URI that return its components as they were given.
pub(crate) static ACCESSORS: &[Step] = &[
    Step::new("new URI", "parse the URI", |_| Call(PARSE, Side::Reference)),
    Step::new("getScheme, getRawAuthority, getRawPath, getRawQuery, getRawFragment", "state the components", |s| {
        for part in Part::COMPONENTS {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        Go
    }),
    Step::new("getRawPath: an opaque URI", "an opaque URI has no path", |s| {
        if is_opaque(s, Slot::Ref) {
            s.set(Slot::Out(Part::Path), None::<&str>);
        }
        Go
    }),
    Step::new(
        "parseServer",
        "divide an authority that is a server: user information before @, host, and port as a number; any other has none of them",
        |s| {
            let found = server(s.get(Slot::Out(Part::Authority))).map(|(before, port)| {
                let (user, host) = before.split_once('@').map_or((None, before), |(user, host)| (Some(user), host));
                (user.map(str::to_owned), host.to_owned(), port.parse::<i32>().ok().map(|port| port.to_string()))
            });
            let (user, host, port) = found.map_or((None, None, None), |(user, host, port)| (user, Some(host), port));
            s.set(Slot::Out(Part::Userinfo), user);
            s.set(Slot::Out(Part::Host), host);
            s.set(Slot::Out(Part::Port), port);
            s.set(Slot::Result, s.reference);
            Done
        },
    ),
];


