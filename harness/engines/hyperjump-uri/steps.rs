//! The npm package @hyperjump/uri: `resolveUri(reference, base)`, and what `parseUriReference(url)` returns, from 1.2.0 on.
//!
//! Read from `lib/index.js` of @hyperjump/uri 1.2.0 to 1.3.6. Texts are compared with regular expressions made of the grammar of RFC 3986. The base is read
//! only if the reference has no scheme.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{folder, is_escape};
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, Witness, no_calls};

use crate::rfc3986::{self, Outside, URI};

/// The package @hyperjump/uri.
pub static TABLE: Table = Table {
    engine: "hyperjump-uri",
    first: "1.2.0",
    changes: &[&SCHEME, &AUTHORITY, &SLASHES, &HOST, &FUTURE, &SEGMENT],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static SCHEME: Change = Change {
    id: "1.2.1",
    versions: &["1.2.1"],
    date: "",
    issue: "",
    says: "the scheme is written in lower case",
    witness: Witness::resolving("HTTP://a/b", "c", Some("HTTP://a/c"), Some("http://a/c")),
};

static AUTHORITY: Change = Change {
    id: "1.2.2",
    versions: &["1.2.2"],
    date: "",
    issue: "",
    says: "the authority is written in lower case",
    witness: Witness::resolving("http://a/b", "//H", Some("http://H"), Some("http://h")),
};

pub(crate) static SLASHES: Change = Change {
    id: "1.3.2",
    versions: &["1.3.2"],
    date: "2025-10-03",
    issue: "",
    says: "a path without an authority does not begin with two slashes",
    witness: Witness::resolving("http://a/b", "//h:x", Some("http://a//h:x"), None),
};

static HOST: Change = Change {
    id: "1.3.3",
    versions: &["1.3.3"],
    date: "2026-03-20",
    issue: "",
    says: "the user information keeps its upper case",
    witness: Witness::resolving("http://a/b", "//U@H", Some("http://u@h"), Some("http://U@h")),
};

pub(crate) static FUTURE: Change = Change {
    id: "1.3.4",
    versions: &["1.3.4"],
    date: "2026-05-06",
    issue: "",
    says: "the address of a later version of IP may begin with a capital V",
    witness: Witness::resolving("http://a/b", "//[V1.a]", None, Some("http://[v1.a]")),
};

pub(crate) static SEGMENT: Change = Change {
    id: "1.3.5",
    versions: &["1.3.5"],
    date: "2026-08-15",
    issue: "",
    says: "the first segment of a relative path has no colon",
    witness: Witness::resolving("http://a/b", "1:c", Some("http://a/1:c"), None),
};

/// The expressions `uriReference` and `absoluteUri`, by the names of their parts.
static PARSE: &[Step] = &[
    SCHEME_ROW, AUTHORITY_ROW, PATH, PATH_INSTEAD, PATH_WITH_SCHEME, USERINFO, HOST_ROW, IP_FUTURE, PORT, FIRST_SEGMENT, PCHAR, QUERY,
    FRAGMENT,
];

pub(crate) const SCHEME_ROW: Step = Step::new("scheme", "a letter, then letters, digits, +, - and . before a colon are the scheme", rfc3986::cut_scheme);

pub(crate) const AUTHORITY_ROW: Step = Step::new(
    "authority",
    "after two slashes, the part up to the next /, ? or # is the authority",
    rfc3986::cut_authority,
);

pub(crate) const PATH: Step = Step::new(
    "path",
    "the part up to ? or # is the path, then up to # the query, then the fragment",
    rfc3986::cut_path,
);

const PATH_INSTEAD: Step = Step::new(
    "pathWithoutAuthority",
    "two slashes begin the path if what follows is not an authority and all its characters may occur in a path",
    |s| {
        if let Some(path) = path_instead(s, URI) {
            s.set(s.own(Part::Authority), None::<&str>);
            s.set(s.own(Part::Path), path);
        }
        Go
    },
)
.until(&SLASHES);

const PATH_WITH_SCHEME: Step = Step::new(
    "pathWithoutAuthority: (?!//)",
    "the scheme begins the path if two slashes follow it, and then what is not an authority and has only characters of a path",
    |s| path_with_scheme(s, URI),
)
.since(&SLASHES)
.until(&SEGMENT);

const USERINFO: Step = Step::new("userinfo", "reject user information with a character that RFC 3986 does not allow", |s| {
    rfc3986::check_user(s, URI)
});

const HOST_ROW: Step = Step::new(
    "host",
    "reject a host that is neither an IPv6 address nor one of a later version in brackets, nor a name that RFC 3986 allows",
    |s| rfc3986::check_host(s, URI),
);

pub(crate) const IP_FUTURE: Step = Step::new("ipVFuture", "reject a host in brackets that begins with a capital V", |s| {
    let slot = s.own(Part::Authority);
    match rfc3986::divide(s.get(slot)).1.starts_with("[V") {
        true => s.reject(slot, "the host begins with a capital V"),
        false => Go,
    }
})
.until(&FUTURE);

pub(crate) const PORT: Step = Step::new("port", "reject what follows the host if it is not a colon and digits", rfc3986::check_port);

pub(crate) const FIRST_SEGMENT: Step = Step::new(
    "segmentNzNc",
    "reject a relative path whose first segment contains a colon",
    rfc3986::check_first_segment,
)
.since(&SEGMENT);

const PCHAR: Step = Step::new("pchar", "reject a path with a character that RFC 3986 does not allow", |s| {
    rfc3986::check(s, Part::Path, rfc3986::PATH, URI)
});

const QUERY: Step = Step::new("query", "reject a query with a character that RFC 3986 does not allow", |s| {
    rfc3986::check(s, Part::Query, rfc3986::QUERY, URI)
});

const FRAGMENT: Step = Step::new("fragment", "reject a fragment with a character that RFC 3986 does not allow", |s| {
    rfc3986::check(s, Part::Fragment, rfc3986::QUERY, URI)
});

/// `resolveReference`.
static RESOLVE: &[Step] = &[
    PARSE_REFERENCE, PARSE_ABSOLUTE, ABSOLUTE_SCHEME, ABSOLUTE_END, OWN_SCHEME, OWN_AUTHORITY, NO_PATH, ROOTED, MERGE, DOTS,
    NORMALIZE_PATH, LOWER_SCHEME, LOWER_AUTHORITY, LOWER_HOST, NORMALIZE_QUERY, NORMALIZE_FRAGMENT, COMPOSE,
];

const PARSE_REFERENCE: Step = Step::new("resolveReference: parseReference", "match the reference", |_| Call(PARSE, Side::Reference));

const PARSE_ABSOLUTE: Step = Step::new("resolveReference: parseAbsolute", "match the base if the reference has no scheme", |s| {
    match s.present(Slot::Ref(Part::Scheme)) {
        Some(_) => Go,
        None => Call(PARSE, Side::Base),
    }
});

pub(crate) const ABSOLUTE_SCHEME: Step = Step::new("absoluteUri: scheme", "reject a base without a scheme if the reference has none", |s| {
    match s.present(Slot::Ref(Part::Scheme)).is_some() || s.present(Slot::Base(Part::Scheme)).is_some() {
        true => Go,
        false => s.reject(Slot::Base(Part::Scheme), "the base has no scheme"),
    }
});

pub(crate) const ABSOLUTE_END: Step = Step::new("absoluteUri: $", "reject a base with a fragment if the reference has no scheme", |s| {
    match s.present(Slot::Base(Part::Fragment)) {
        Some(_) => s.reject(Slot::Base(Part::Fragment), "the base has a fragment"),
        None => Go,
    }
});

pub(crate) const OWN_SCHEME: Step = Step::new("resolveReference: scheme", "a reference with a scheme inherits nothing, any other one the scheme", |s| {
    rfc3986::own_scheme(s, "removeDotSegments")
});

pub(crate) const OWN_AUTHORITY: Step = Step::new("resolveReference: authority", "a reference with an authority inherits only the scheme, any other one the authority, too", |s| {
    rfc3986::own_authority(s, "removeDotSegments")
});

pub(crate) const NO_PATH: Step = Step::new(
    "resolveReference: path === \"\"",
    "without a path, inherit the base's, and its query if there is none",
    |s| rfc3986::no_path(s, "removeDotSegments"),
);

pub(crate) const ROOTED: Step = Step::new("resolveReference: startsWith(\"/\")", "a path that begins with a slash is not merged", |s| {
    rfc3986::rooted(s, "removeDotSegments")
});

pub(crate) const MERGE: Step = Step::new(
    "mergePaths",
    "the path follows the base's up to its last slash, or a slash if the base has an authority that is not empty and no path",
    |s| {
        let base = s.get(Slot::Base(Part::Path));
        let has_root = base.is_empty() && !s.get(Slot::Base(Part::Authority)).is_empty();
        let merged = format!("{}{}", if has_root { "/" } else { folder(base) }, s.get(Slot::Ref(Part::Path)));
        s.inherit_as("folder");
        s.set(Slot::Merged, merged);
        Go
    },
);

pub(crate) const DOTS: Step = Step::new(
    "removeDotSegments",
    "remove each . segment, and each .. segment with the one before it that a slash precedes; \
     the slash after a dot segment at the beginning remains",
    |s| {
        s.flow(Slot::NoDots, Slot::Merged);
        let path = without_dots(s.get(Slot::NoDots));
        s.set(Slot::NoDots, path);
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        Go
    },
);

const NORMALIZE_PATH: Step = Step::new("normalizePath", "decode the characters of the path that need no escape, and write other escapes in upper case", |s| {
    decode(s, Part::Path, ":@", URI)
});

pub(crate) const LOWER_SCHEME: Step = Step::new("composeIdentifier: scheme", "write the scheme in lower case", |s| {
    let scheme = s.get(Slot::Out(Part::Scheme)).to_ascii_lowercase();
    s.set(Slot::Out(Part::Scheme), scheme);
    Go
})
.since(&SCHEME);

const LOWER_AUTHORITY: Step = Step::new("composeIdentifier: authority", "write the authority in lower case", |s| {
    let slot = Slot::Out(Part::Authority);
    let authority = s.present(slot).map(str::to_ascii_lowercase);
    s.set(slot, authority);
    Go
})
.since(&AUTHORITY)
.until(&HOST);

pub(crate) const LOWER_HOST: Step = Step::new("composeIdentifier: host", "write the host in lower case", |s| {
    let slot = Slot::Out(Part::Authority);
    if let Some((user, host, port)) = s.present(slot).map(rfc3986::divide) {
        let user = user.map(|user| format!("{user}@")).unwrap_or_default();
        let authority = format!("{user}{}{port}", host.to_lowercase());
        s.set(slot, authority);
    }
    Go
})
.since(&HOST);

const NORMALIZE_QUERY: Step = Step::new("normalizeQuery", "decode the characters of the query that need no escape, and write other escapes in upper case", |s| {
    decode(s, Part::Query, ":@/?", URI)
});

const NORMALIZE_FRAGMENT: Step = Step::new(
    "normalizeFragment",
    "decode the characters of the fragment that need no escape, and write other escapes in upper case",
    |s| decode(s, Part::Fragment, ":@/?", URI),
);

pub(crate) const COMPOSE: Step = Step::new("composeIdentifier", "concatenate the components", |s| s.concatenate());

/// `parseUriReference`, and the methods of what it returns.
static STATE: &[Step] = &[
    Step::new("parseUriReference", "read the text, which may be a relative reference", |s| rfc3986::read_alone(s, PARSE)),
    Step::new("userinfo, host, port", "state what the authority consists of", rfc3986::state_authority),
    Step::new("scheme, authority, path, query, fragment", "state the components as they were read", rfc3986::state),
];

/// Returns the path that an authority is the beginning of, with its slashes, if it does not match and has only characters of a path.
fn path_instead(s: &State<'_>, outside: Outside) -> Option<String> {
    let authority = s.present(s.own(Part::Authority))?;
    let is_path = !is_authority(authority, outside) && rfc3986::conforms(authority, rfc3986::PATH, outside);
    is_path.then(|| format!("//{authority}{}", s.get(s.own(Part::Path))))
}

/// Takes the scheme and two slashes for the beginning of the path if no authority follows them.
pub(crate) fn path_with_scheme(s: &mut State<'_>, outside: Outside) -> Next {
    let scheme = s.present(s.own(Part::Scheme)).map(str::to_owned);
    if let (Some(scheme), Some(path)) = (scheme, path_instead(s, outside)) {
        s.set(s.own(Part::Scheme), None::<&str>);
        s.set(s.own(Part::Authority), None::<&str>);
        s.set(s.own(Part::Path), format!("{scheme}:{path}"));
    }
    Go
}

fn is_authority(authority: &str, outside: Outside) -> bool {
    let (user, host, port) = rfc3986::divide(authority);
    let is_digits = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
    user.is_none_or(|user| rfc3986::conforms(user, rfc3986::USERINFO, outside))
        && rfc3986::is_host(host, outside)
        && (port.is_empty() || port.strip_prefix(':').is_some_and(is_digits))
}

/// `percentEncodedToChar` for each escape of a component: unreserved characters, `sub-delims`, `others`, and what `outside` allows need none.
pub(crate) fn decode(s: &mut State<'_>, part: Part, others: &str, outside: Outside) -> Next {
    let slot = Slot::Out(part);
    let Some(text) = s.present(slot) else { return Go };
    let mut pieces = text.split('%');
    let mut decoded = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        if !is_escape(&format!("%{piece}")) {
            decoded.extend(["%", piece]);
            continue;
        }
        let (digits, rest) = piece.split_at(2);
        let plain = u8::from_str_radix(digits, 16).ok().map(char::from);
        let is_plain = |it: &char| match it.is_ascii() {
            true => it.is_ascii_alphanumeric() || "-._~".contains(*it) || rfc3986::REG_NAME.contains(*it) || others.contains(*it),
            false => outside(*it),
        };
        match plain.filter(is_plain) {
            Some(plain) => decoded.push(plain),
            None => decoded.extend(["%", &digits.to_ascii_uppercase()]),
        }
        decoded.push_str(rest);
    }
    s.set(slot, decoded);
    Go
}

/// `removeDotSegments`: like RFC 3986 §5.2.4, but the slash after a dot segment at the beginning remains, and a first segment that no slash
/// precedes is not removed.
fn without_dots(path: &str) -> String {
    let mut output = String::new();
    let mut slash = "";
    let segments: Vec<&str> = path.split('/').collect();
    for (at, segment) in segments.iter().enumerate() {
        let is_last = at + 1 == segments.len();
        match *segment {
            "." | ".." if at == 0 => {
                slash = if is_last { "" } else { "/" };
                continue;
            }
            "." | ".." => {
                if *segment == ".." {
                    output.truncate(output.rfind('/').unwrap_or(output.len()));
                }
                if is_last {
                    output.push('/');
                }
            }
            _ => output.extend([slash, segment]),
        }
        slash = "/";
    }
    output
}
