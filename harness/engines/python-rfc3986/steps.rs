//! Python's rfc3986: `uri_reference(reference).resolve_with(base).unsplit()`, and the attributes of `uri_reference(url)`, from 1.5.0
//! on.
//!
//! Read from `uri.py`, `_mixin.py`, `normalizers.py`, `misc.py`, `validators.py` and `abnf_regexp.py` of rfc3986 1.5.0 and 2.0.0. Empty schemes,
//! authorities and paths are absent ones.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, encoded, is_escape, until};
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, Witness, no_calls};

use crate::rfc3986;

/// Python's rfc3986.
pub static TABLE: Table = Table {
    engine: "python-rfc3986",
    first: "1.5.0",
    changes: &[&ANY_BASE],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE_WITH), (Question::Parse, ACCESSORS)],
    called: &[FROM_STRING],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static ANY_BASE: Change = Change {
    id: "2.0.0",
    versions: &["2.0.0"],
    date: "2022-01-10",
    issue: "",
    says: "a base may have a fragment, and needs neither an authority nor a path; its authority is checked",
    witness: Witness::resolving("http://a/b#c", "d", None, Some("http://a/d")),
};

/// `URIReference.from_string`, for the base and the reference.
static FROM_STRING: &[Step] = &[
    Step::new("from_string: scheme", "a letter, then letters, digits, +, - and . before a colon are the scheme", rfc3986::cut_scheme),
    Step::new(
        "from_string",
        "cut the authority after //, which a backslash ends, too, the fragment at # up to an end of line, the query at ?, and the path; an empty authority is absent",
        |s| {
            let rest = std::mem::take(&mut s.rest);
            let (authority, rest) = match rest.strip_prefix("//") {
                Some(after) => {
                    let (authority, rest) = until(after, &['\\', '/', '?', '#']);
                    (Some(authority), rest)
                }
                None => (None, rest.as_str()),
            };
            let (rest, fragment) = cut(rest, "#");
            let (path, query) = cut(rest, "?");
            s.set(s.own(Part::Authority), authority.filter(|it| !it.is_empty()));
            s.set(s.own(Part::Path), Some(path).filter(|it| !it.is_empty()));
            s.set(s.own(Part::Query), query);
            s.set(s.own(Part::Fragment), fragment.map(|it| cut(it, "\n").0));
            Go
        },
    ),
    Step::new(
        "encode_component",
        "percent-encode what is neither reserved nor unreserved in path, query and fragment; percent signs, too, unless each begins an escape",
        |s| {
            for part in [Part::Path, Part::Query, Part::Fragment] {
                rewrite(s, s.own(part), |text| {
                    let are_escapes = text.match_indices('%').all(|(at, _)| is_escape(&text[at..]));
                    encoded(text, |it| {
                        is_unreserved(it) || b":/?#[]@!$&'()*+,;=".contains(&it) || it == b'%' && are_escapes
                    })
                });
            }
            Go
        },
    ),
];

/// `resolve_with` and `unsplit`.
static RESOLVE_WITH: &[Step] = &[
    Step::new("from_string: the reference", "read the reference", |_| Call(FROM_STRING, Side::Reference)),
    Step::new("from_string: the base", "read the base", |_| Call(FROM_STRING, Side::Base)),
    Step::new(
        "is_absolute",
        "reject a base without a scheme, with a fragment, or with nothing after the scheme",
        |s| {
            let has_parts = s.present(Slot::Base(Part::Authority)).or(s.present(Slot::Base(Part::Path))).is_some();
            if s.present(Slot::Base(Part::Scheme)).is_none() || !has_parts {
                return s.reject(Slot::Base(Part::Scheme), "the base is not absolute");
            }
            match s.present(Slot::Base(Part::Fragment)) {
                Some(_) => s.reject(Slot::Base(Part::Fragment), "the base has a fragment"),
                None => Go,
            }
        },
    )
    .until(&ANY_BASE),
    Step::new("scheme_is_valid", "reject a base without a scheme", |s| match s.present(Slot::Base(Part::Scheme)) {
        Some(_) => Go,
        None => s.reject(Slot::Base(Part::Scheme), "the base has no scheme"),
    })
    .since(&ANY_BASE),
    Step::new(
        "authority_is_valid",
        "reject a base whose authority has not the form of RFC 3986; zones begin with %25",
        |s| {
            let authority = s.present(Slot::Base(Part::Authority));
            let is_valid = authority.is_none_or(|it| {
                server(it).is_some_and(|(_, host, _)| !host.starts_with('[') || is_literal(host, "%25"))
            });
            match is_valid {
                true => Go,
                false => s.reject(Slot::Base(Part::Authority), "the authority is not valid"),
            }
        },
    )
    .since(&ANY_BASE),
    Step::new(
        "is_absolute: path",
        "reject a base with brackets in its query or its path, but what follows // up to the next slash is an authority here",
        |s| {
            let path = s.get(Slot::Base(Part::Path));
            let path = match s.present(Slot::Base(Part::Authority)) {
                Some(_) => until(path, &['/']).1,
                None => path.strip_prefix("//").map_or(path, |after| until(after, &['/']).1),
            };
            let has_brackets = |text: &str| text.contains(['[', ']', '#']);
            if has_brackets(path) {
                return s.reject(Slot::Base(Part::Path), "there are brackets");
            }
            if has_brackets(s.get(Slot::Base(Part::Query))) {
                return s.reject(Slot::Base(Part::Query), "there are brackets");
            }
            Go
        },
    )
    .until(&ANY_BASE),
    Step::new("path_is_valid", "reject a base with brackets in its path or query", |s| {
        for slot in [Slot::Base(Part::Path), Slot::Base(Part::Query)] {
            if s.get(slot).contains(['[', ']', '#']) {
                return s.reject(slot, "there are brackets");
            }
        }
        Go
    })
    .since(&ANY_BASE),
    Step::new("fragment_is_valid", "reject a base with brackets or # in its fragment", |s| {
        match s.get(Slot::Base(Part::Fragment)).contains(['[', ']', '#']) {
            true => s.reject(Slot::Base(Part::Fragment), "there are brackets or #"),
            false => Go,
        }
    })
    .since(&ANY_BASE),
    Step::new("normalize_scheme", "write the scheme of the base in lower case", |s| {
        rewrite(s, Slot::Base(Part::Scheme), str::to_ascii_lowercase)
    }),
    Step::new(
        "normalize_authority",
        "write what the authority of the base consists of: nothing if it is not valid, and no colon without a port",
        |s| {
            let Some(authority) = s.present(Slot::Base(Part::Authority)) else { return Go };
            let written = server(authority).map(|(user, host, port)| {
                let user = user.map(|user| format!("{user}@")).unwrap_or_default();
                let port = port.map(|port| format!(":{port}")).unwrap_or_default();
                format!("{user}{host}{port}")
            });
            s.set(Slot::Base(Part::Authority), written.filter(|it| !it.is_empty()));
            Go
        },
    ),
    Step::new(
        "normalize_host",
        "write the host of the base in lower case, and %25 before a zone, which keeps its case",
        |s| {
            rewrite(s, Slot::Base(Part::Authority), |authority| {
                let (user, rest) = authority
                    .rsplit_once('@')
                    .map_or(("", authority), |(user, rest)| (&authority[..=user.len()], rest));
                let (host, port) =
                    rest.split_at(rest.rfind(']').map_or_else(|| rest.find(':').unwrap_or(rest.len()), |at| at + 1));
                format!("{user}{}{port}", normalized_host(host))
            })
        },
    ),
    Step::new(
        "normalize_percent_characters: the base",
        "write the escapes of the base's userinfo, path and query with capitals",
        |s| {
            rewrite(s, Slot::Base(Part::Authority), |authority| {
                let (user, host) = authority.split_at(authority.rfind('@').unwrap_or(0));
                capitals(user) + host
            });
            rewrite(s, Slot::Base(Part::Path), capitals);
            rewrite(s, Slot::Base(Part::Query), capitals)
        },
    ),
    Step::new("normalize: remove_dot_segments", "remove the dot segments of the base", |s| {
        let Some(path) = s.present(Slot::Base(Part::Path)).map(remove_dot_segments) else { return Go };
        s.set(Slot::Base(Part::Path), Some(path).filter(|path| !path.is_empty()));
        Go
    }),
    Step::new("resolve_with: strict", "a reference with the scheme of the base, in lower case, has none", |s| {
        if s.present(Slot::Ref(Part::Scheme)) == s.present(Slot::Base(Part::Scheme)) {
            s.set(Slot::Ref(Part::Scheme), None::<&str>);
        }
        Go
    }),
    Step::new("resolve_with: scheme", "a reference with a scheme inherits nothing, any other one the scheme", |s| {
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        if s.present(Slot::Ref(Part::Scheme)).is_none() {
            s.inherit(Part::Scheme);
            return Go;
        }
        s.set(Slot::Used, "nothing");
        s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
        s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        To("normalize_path: normalize_percent_characters")
    }),
    Step::new(
        "resolve_with: authority",
        "a reference with an authority that is not empty inherits only the scheme, any other one the authority, too",
        |s| {
            if s.present(Slot::Ref(Part::Authority)).is_none() {
                s.inherit(Part::Authority);
                return Go;
            }
            s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
            s.flow(Slot::Merged, Slot::Ref(Part::Path));
            To("normalize_path: normalize_percent_characters")
        },
    ),
    Step::new("resolve_with: path", "without a path, inherit the base's, and its query if there is none", |s| {
        if s.present(Slot::Ref(Part::Path)).is_some() {
            return Go;
        }
        s.inherit_as("path");
        if s.present(Slot::Ref(Part::Query)).is_none() {
            s.inherit(Part::Query);
        }
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        s.flow(Slot::NoDots, Slot::Base(Part::Path));
        To("unsplit")
    }),
    Step::new("resolve_with: /", "a path that begins with a slash is not merged", |s| {
        if !s.get(Slot::Ref(Part::Path)).starts_with('/') {
            return Go;
        }
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        To("normalize_path: normalize_percent_characters")
    }),
    Step::new(
        "merge_paths",
        "the path follows the base's up to its last slash; if it has none, all but its last character and a slash; a slash after an authority",
        |s| {
            let own = s.get(Slot::Ref(Part::Path)).to_owned();
            s.inherit_as("folder");
            let merged = match s.present(Slot::Base(Part::Path)) {
                None if s.present(Slot::Base(Part::Authority)).is_some() => format!("/{own}"),
                base => {
                    let base = base.unwrap_or_default();
                    let last = || base.char_indices().last().map_or(0, |(at, _)| at);
                    format!("{}/{own}", &base[..base.rfind('/').unwrap_or_else(last)])
                }
            };
            s.set(Slot::Merged, merged);
            Go
        },
    ),
    Step::new("normalize_path: normalize_percent_characters", "write the escapes of the path with capitals", |s| {
        rewrite(s, Slot::Merged, capitals)
    }),
    Step::new(
        "remove_dot_segments",
        "remove the dot segments; a slash after a last one remains, and one at the beginning",
        |s| {
            s.flow(Slot::NoDots, Slot::Merged);
            rewrite(s, Slot::NoDots, remove_dot_segments)
        },
    ),
    Step::new("unsplit", "concatenate the components", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        s.concatenate()
    }),
];

fn rewrite(s: &mut State<'_>, slot: Slot, written: impl Fn(&str) -> String) -> Next {
    if let Some(text) = s.present(slot) {
        let text = written(text);
        s.set(slot, text);
    }
    Go
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

/// Returns the text with its escapes in capitals.
pub(crate) fn capitals(text: &str) -> String {
    let mut parts = text.split('%');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (digits, rest) = if is_escape(&format!("%{part}")) { part.split_at(2) } else { ("", part) };
        out.extend(["%", &digits.to_ascii_uppercase(), rest]);
    }
    out
}

/// Divides an authority into userinfo, host and port; `None` if it has not the form of RFC 3986, or four numbers above 255. A port has at most
/// five digits; an end of line at the end is ignored.
pub(crate) fn server(authority: &str) -> Option<(Option<&str>, &str, Option<&str>)> {
    let authority = authority.strip_suffix('\n').unwrap_or(authority);
    let (user, rest) = authority.rsplit_once('@').map_or((None, authority), |(user, rest)| (Some(user), rest));
    if user.is_some_and(|user| user.is_empty() || !is_made_of(user, b"!$&'()*+,;=:")) {
        return None;
    }
    let (host, port) = rest.split_at(rest.rfind(']').map_or_else(|| rest.find(':').unwrap_or(rest.len()), |at| at + 1));
    let is_port = |port: &str| port.len() <= 5 && port.bytes().all(|it| it.is_ascii_digit());
    let port = port.strip_prefix(':').unwrap_or(port);
    let is_host = if host.starts_with('[') { is_literal(host, "%") } else { is_made_of(host, b"!$&'()*+,;=") };
    let numbers: Vec<&str> = host.split('.').collect();
    let is_like = numbers.len() == 4
        && numbers.iter().all(|it| (1..=3).contains(&it.len()) && it.bytes().all(|it| it.is_ascii_digit()));
    let is_valid = is_host && is_port(port) && !(is_like && numbers.iter().any(|it| it.parse::<u8>().is_err()));
    is_valid.then_some((user, host, Some(port).filter(|port| !port.is_empty())))
}

/// Returns whether a text has only unreserved characters, escapes and `others`.
fn is_made_of(text: &str, others: &[u8]) -> bool {
    let mut rest = text;
    while let Some(first) = rest.bytes().next() {
        let length = match first {
            b'%' if is_escape(rest) => 3,
            _ if is_unreserved(first) || others.contains(&first) => 1,
            _ => return false,
        };
        rest = &rest[length..];
    }
    true
}

/// Returns whether brackets contain an IPv6 address, perhaps with a zone after `mark`, or a later kind of address.
fn is_literal(host: &str, mark: &str) -> bool {
    let Some(text) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) else { return false };
    if let Some(later) = text.strip_prefix('v') {
        let (number, rest) = cut(later, ".");
        let is_number = !number.is_empty() && number.bytes().all(|it| it.is_ascii_hexdigit());
        return is_number
            && rest.is_some_and(|it| !it.is_empty() && !it.contains('%') && is_made_of(it, b"!$&'()*+,;=:"));
    }
    let Some((address, _)) = text.split_once('%') else { return is_ipv6(text) };
    let zone = text[address.len()..].strip_prefix(mark);
    is_ipv6(address) && zone.is_some_and(|zone| !zone.is_empty() && (is_made_of(zone, b"")))
}

/// Returns whether a text has the form of an IPv6 address. The numbers of an IPv4 address at its end are not compared with 255.
pub(crate) fn is_ipv6(text: &str) -> bool {
    let is_group = |it: &str| (1..=4).contains(&it.len()) && it.bytes().all(|it| it.is_ascii_hexdigit());
    let is_number = |it: &str| (1..=3).contains(&it.len()) && it.bytes().all(|it| it.is_ascii_digit());
    let is_ipv4 = |it: &str| it.split('.').count() == 4 && it.split('.').all(is_number);
    // The number of groups, if a text consists of them.
    let count = |text: &str, may_end_in_ipv4: bool| -> Option<usize> {
        if text.is_empty() {
            return Some(0);
        }
        let groups: Vec<&str> = text.split(':').collect();
        let (last, before) = groups.split_last()?;
        let length = if may_end_in_ipv4 && is_ipv4(last) { 2 } else { usize::from(is_group(last)) };
        (length > 0 && before.iter().all(|it| is_group(it))).then_some(before.len() + length)
    };
    match text.split_once("::") {
        None => count(text, true) == Some(8),
        Some((left, right)) => {
            count(left, false).zip(count(right, true)).is_some_and(|(left, right)| left + right <= 7)
        }
    }
}

/// Writes a host in lower case; a zone keeps its case and follows %25.
pub(crate) fn normalized_host(host: &str) -> String {
    let Some(percent) = host.find('%').filter(|_| is_literal(host, "%")) else { return host.to_ascii_lowercase() };
    let (address, zone) = host.split_at(percent);
    let is_whole = zone.starts_with("%25") && zone != "%25]";
    let zone = if is_whole { zone.to_owned() } else { zone.replacen('%', "%25", 1) };
    address.to_ascii_lowercase() + &zone
}

/// Removes dot segments: each .. removes what is before it, also the empty segment before the first slash, which is then written again.
pub(crate) fn remove_dot_segments(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "." => {}
            ".." => drop(kept.pop()),
            _ => kept.push(segment),
        }
    }
    if path.starts_with('/') && kept.first().is_none_or(|first| !first.is_empty()) {
        kept.insert(0, "");
    }
    if path.ends_with("/.") || path.ends_with("/..") {
        kept.push("");
    }
    kept.join("/")
}

/// `uri_reference`, and the attributes of what it returns.
static ACCESSORS: &[Step] = &[
    Step::new("from_string: the URI", "read the URI", |_| Call(FROM_STRING, Side::Reference)),
    Step::new("URIReference", "state the components", |s| {
        for part in Part::COMPONENTS {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        Go
    }),
    Step::new(
        "authority_info",
        "divide the authority into userinfo, host and port; all are absent if it has not the form of RFC 3986",
        |s| {
            let info = s.present(Slot::Out(Part::Authority)).and_then(server).map(|(user, host, port)| {
                (user.map(str::to_owned), host.to_owned(), port.map(str::to_owned))
            });
            let (user, host, port) = info.map_or((None, None, None), |(user, host, port)| (user, Some(host), port));
            s.set(Slot::Out(Part::Userinfo), user);
            s.set(Slot::Out(Part::Host), host);
            s.set(Slot::Out(Part::Port), port);
            s.set(Slot::Result, s.reference);
            Done
        },
    ),
];
