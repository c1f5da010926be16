//! libxml2: `xmlBuildURI(reference, base)`, and the members of what `xmlParseURI(url)` returns. An unknown base is the empty text.
//!
//! Read from `uri.c` of libxml2 2.9.10, 2.9.14, 2.11.0, 2.13.0 and 2.16.0, built for systems without paths of Windows. Components are decoded
//! when they are read and encoded when they are written, but for the query and the host. Here escapes of bytes outside ASCII remain escapes.
//! A decoded NUL ends a component.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, encoded, folder, is_escape, scheme};
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, Witness, no_calls};

/// libxml2.
pub static TABLE: Table = Table {
    engine: "libxml2",
    first: "2.9.10",
    changes: &[&PORTS, &HOSTLESS, &FILES],
    dated: &[],
    questions: &[(Question::Resolve, BUILD), (Question::Parse, STATE)],
    called: &[PARSE, UNESCAPE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static PORTS: Change = Change {
    id: "b46016b8",
    versions: &["2.9.11"],
    date: "2021-05-13",
    issue: "https://gitlab.gnome.org/GNOME/libxml2/-/commit/b46016b8",
    says: "ports up to 2147483647 are kept, and higher ones rejected; before, they were limited to 99999999",
    witness: Witness::resolving("http://a/", "//h:100000000", Some("http://h:99999999"), Some("http://h:100000000")),
};

static HOSTLESS: Change = Change {
    id: "#71",
    versions: &["2.11.0"],
    date: "2023-04-28",
    issue: "https://gitlab.gnome.org/GNOME/libxml2/-/issues/71",
    says: "a port without a host is kept",
    witness: Witness::resolving("http://a/b", "//:80/c", Some("http://a/c"), Some("http://:80/c")),
};

static FILES: Change = Change {
    id: "8ab1b122",
    versions: &["2.13.0"],
    date: "2024-06-12",
    issue: "https://gitlab.gnome.org/GNOME/libxml2/-/commit/8ab1b122",
    says: "a base without `://` is the path of a file, on which the reference is resolved decoded; paths are normalized anew",
    witness: Witness::resolving("a/b", "c%20d", Some("a/c%20d"), Some("a/c d")),
};

/// The mark of a base that is not a URI.
const BAD_BASE: &str = "libxml2: the base is not a URI";

/// Rejects a reference that is not a URI, and marks a base that is not.
fn bad(s: &mut State<'_>, part: Part, why: &str) -> Next {
    if s.side == Side::Base {
        s.mark(BAD_BASE);
        return Done;
    }
    s.reject(s.own(part), why)
}

/// Returns the length of the beginning of a text that consists of unreserved characters, escapes and `others`.
fn legal(text: &str, others: &str) -> usize {
    let is_legal = |(at, it): (usize, char)| match it {
        '%' => is_escape(&text[at..]),
        _ => it.is_ascii_alphanumeric() || "-._~!$&'()*+,;=".contains(it) || others.contains(it),
    };
    text.char_indices().find(|it| !is_legal(*it)).map_or(text.len(), |(at, _)| at)
}

/// Rejects a text of which something remains after the path, the query and the fragment were parsed.
fn check_end(s: &mut State<'_>) -> Next {
    let path = s.get(s.own(Part::Path));
    let has_authority = s.present(s.own(Part::Authority)).is_some();
    if has_authority && !path.is_empty() && !path.starts_with('/') {
        return bad(s, Part::Path, "an illegal character follows the authority");
    }
    let is_relative = s.present(s.own(Part::Scheme)).is_none() && !has_authority;
    if is_relative && cut(path, "/").0.contains(':') {
        return bad(s, Part::Path, "its first segment contains a colon");
    }
    for (part, others) in [(Part::Path, ":@/"), (Part::Query, ":@/?"), (Part::Fragment, ":@/?[]")] {
        let text = s.get(s.own(part));
        if legal(text, others) < text.len() {
            return bad(s, part, "it contains an illegal character or a percent sign without an escape");
        }
    }
    Go
}

/// Divides an authority, and the text after it, into user, host with its length in any brackets, and the text after the host.
fn server(text: &str) -> Option<(Option<&str>, &str, &str)> {
    let user = legal(text, ":");
    let (user, rest) = match text[user..].strip_prefix('@') {
        Some(rest) => (Some(&text[..user]), rest),
        None => (None, text),
    };
    let end = match rest.starts_with('[') {
        true => rest.find(']')? + 1,
        false => legal(rest, ""),
    };
    Some((user, &rest[..end], &rest[end..]))
}

/// `xmlParse3986URIReference`, for the reference and the base.
static PARSE: &[Step] = &[
    Step::new("xmlParse3986Scheme", "a letter, then letters, digits, +, - and . before a colon are the scheme", |s| {
        let given = s.read_text();
        let (name, rest) = scheme(&given).map_or((None, given.as_str()), |(name, rest)| (Some(name), rest));
        s.set(s.own(Part::Scheme), name);
        s.rest = rest.to_owned();
        Go
    }),
    Step::new(
        "xmlParse3986Authority",
        "after two slashes, user information before @, then a text in brackets or a name, then digits after a colon are the \
         authority; reject [ without ], and a colon without digits",
        |s| {
            let rest = std::mem::take(&mut s.rest);
            let Some(after) = rest.strip_prefix("//") else {
                s.set(s.own(Part::Authority), None::<&str>);
                s.rest = rest;
                return Go;
            };
            let Some((_, _, port)) = server(after) else { return bad(s, Part::Authority, "] is missing") };
            let digits = port.strip_prefix(':').map(|port| port.bytes().take_while(u8::is_ascii_digit).count());
            if digits == Some(0) {
                return bad(s, Part::Authority, "a port is missing");
            }
            let end = after.len() - port.len() + digits.map_or(0, |digits| digits + 1);
            s.set(s.own(Part::Authority), &after[..end]);
            s.rest = after[end..].to_owned();
            Go
        },
    ),
    Step::new(
        "xmlParse3986HierPart: the path",
        "cut the path at ? or #, the query at #, and the fragment",
        |s| {
            let rest = std::mem::take(&mut s.rest);
            let (rest, fragment) = cut(&rest, "#");
            let (path, query) = cut(rest, "?");
            s.set(s.own(Part::Path), path);
            s.set(s.own(Part::Query), query);
            s.set(s.own(Part::Fragment), fragment);
            Go
        },
    ),
    Step::new(
        "xmlParse3986URI: *str",
        "reject a text with a scheme that goes on after the last character that its components may contain",
        |s| match s.present(s.own(Part::Scheme)) {
            Some(_) => check_end(s),
            None => Go,
        },
    ),
    Step::new(
        "xmlParse3986RelativeRef: *str",
        "reject a text without a scheme that goes on after the last character that its components may contain; a first segment may not contain \
         a colon",
        |s| match s.present(s.own(Part::Scheme)) {
            Some(_) => Go,
            None => check_end(s),
        },
    ),
    Step::new("xmlParse3986Port", "reject a port above 2147483647", |s| {
        let port = server(s.get(s.own(Part::Authority))).and_then(|(_, _, port)| port.strip_prefix(':'));
        match port.is_none_or(|port| port.parse::<i32>().is_ok()) {
            true => Go,
            false => bad(s, Part::Authority, "the port is above 2147483647"),
        }
    })
    .since(&PORTS),
];

/// `xmlURIUnescapeString` for components that were read. `xmlSaveUri` puts the authority together.
static UNESCAPE: &[Step] = &[
    Step::new("xmlParse3986Authority: the parts", "divide the authority into user, host and port; a port 0 is absent", |s| {
        let authority = s.present(s.own(Part::Authority)).map(str::to_owned);
        let (user, host, port) = authority.as_deref().and_then(server).unwrap_or_default();
        let port = port.trim_start_matches(':').trim_start_matches('0');
        s.set(s.own(Part::User), user);
        s.set(s.own(Part::Host), Some(host).filter(|host| !host.is_empty()));
        s.set(s.own(Part::Port), Some(port).filter(|port| !port.is_empty()));
        Go
    }),
    Step::new("xmlParse3986Port: 99999999", "a port above 99999999 is 99999999", |s| {
        let slot = s.own(Part::Port);
        if s.get(slot).len() > 8 {
            s.set(slot, "99999999");
        }
        Go
    })
    .until(&PORTS),
    Step::new("xmlParse3986HierPart: port", "without a host, drop the port", |s| {
        if s.present(s.own(Part::Host)).is_none() {
            s.set(s.own(Part::Port), None::<&str>);
        }
        Go
    })
    .until(&HOSTLESS),
    Step::new("xmlURIUnescapeString: len", "take the whole text from @ on for an empty user", |s| {
        if s.present(s.own(Part::User)) == Some("") {
            let rest = cut(s.get(s.own(Part::Text)), "//").1.unwrap_or_default().to_owned();
            s.set(s.own(Part::User), rest);
        }
        Go
    }),
    Step::new("xmlParse3986Userinfo: xmlURIUnescapeString", "decode the user", |s| rewrite(s, Part::User, unescaped)),
    Step::new("xmlSaveUri: user", "percent-encode the user", |s| {
        rewrite(s, Part::User, |user| escaped(user, ";:&=+$,"))
    }),
    Step::new("xmlParse3986Host: xmlURIUnescapeString", "decode the host; it is not encoded again", |s| {
        if let Some(host) = s.present(s.own(Part::Host)).map(bytes) {
            let host = s.text(host);
            s.set(s.own(Part::Host), host);
        }
        Go
    }),
    Step::new("xmlSaveUri: server", "write user, host and port", |s| {
        if s.present(s.own(Part::Authority)).is_none() {
            return Go;
        }
        let text = |part: Part| s.get(s.own(part)).to_owned();
        let user = s.present(s.own(Part::User)).map(|user| format!("{user}@")).unwrap_or_default();
        let port = s.present(s.own(Part::Port)).map(|port| format!(":{port}")).unwrap_or_default();
        let authority = user + &text(Part::Host) + &port;
        s.compose(s.own(Part::Authority), &[Part::User, Part::Host, Part::Port].map(s.of()));
        s.set(s.own(Part::Authority), authority);
        Go
    }),
    Step::new("xmlParse3986RelativeRef: server", "without a scheme, an authority without host and port is absent", |s| {
        let is_absent = |part: Part| s.present(s.own(part)).is_none();
        if is_absent(Part::Scheme) && is_absent(Part::Host) && is_absent(Part::Port) {
            s.set(s.own(Part::Authority), None::<&str>);
        }
        Go
    }),
    Step::new("xmlURIUnescapeString: path", "decode the path", |s| rewrite(s, Part::Path, unescaped)),
    Step::new("xmlParse3986Fragment: xmlURIUnescapeString", "decode the fragment", |s| {
        rewrite(s, Part::Fragment, unescaped)
    }),
];

/// `xmlParseURI`, and the members of `xmlURI`.
static STATE: &[Step] = &[
    Step::new("xmlParseURI", "read the URL", |_| Call(PARSE, Side::Reference)),
    Step::new("xmlURI", "decode its components", |_| Call(UNESCAPE, Side::Reference)),
    Step::new("xmlURI: xmlURIUnescapeString", "state user, path and fragment as they are decoded; an empty path is absent", |s| {
        for (part, own) in [(Part::Userinfo, Part::User), (Part::Path, Part::Path), (Part::Fragment, Part::Fragment)] {
            s.flow(Slot::Out(part), Slot::Ref(own));
            let text = s.present(Slot::Ref(own)).map(bytes).map(|bytes| s.text(bytes));
            s.set(Slot::Out(part), text.filter(|text| part != Part::Path || !text.is_empty()));
        }
        Go
    }),
    Step::new("xmlURI: server, port, scheme, query_raw", "state the other components", |s| {
        for part in [Part::Scheme, Part::Host, Part::Port, Part::Query] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.set(Slot::Result, s.reference);
        Go
    }),
];

/// `xmlBuildURI`.
static BUILD: &[Step] = &[
    Step::new("xmlBuildURI: URI", "read the reference, unless it is empty", |s| match s.reference.is_empty() {
        true => Go,
        false => Call(PARSE, Side::Reference),
    }),
    Step::new("xmlBuildURI: ref->scheme", "return a reference with a scheme as it is", |s| {
        match s.present(Slot::Ref(Part::Scheme)) {
            Some(_) => s.return_text(s.get(Slot::Ref(Part::Text)).to_owned()),
            None => Go,
        }
    }),
    Step::new("xmlBuildURISafe: ://", "a base without `://` is the path of a file; so is the reference, up to its fragment", |s| {
        if s.base.contains("://") {
            return Go;
        }
        if !s.reference.is_empty() {
            s.decide(Slot::Used);
            let path = cut(s.get(Slot::Ref(Part::Text)), "#").0.to_owned();
            s.set(Slot::Ref(Part::Authority), None::<&str>);
            s.set(Slot::Ref(Part::Path), path);
            s.set(Slot::Ref(Part::Query), None::<&str>);
        }
        To("xmlResolvePath: an empty reference")
    })
    .since(&FILES),
    Step::new("xmlBuildURI: base", "read the base", |_| Call(PARSE, Side::Base)),
    Step::new("xmlBuildURI: base: xmlURIUnescapeString", "decode the base", |s| match s.is_marked(BAD_BASE) {
        true => Go,
        false => Call(UNESCAPE, Side::Base),
    }),
    Step::new("xmlBuildURI: URI: xmlURIUnescapeString", "decode the reference", |s| match s.reference.is_empty() {
        true => Go,
        false => Call(UNESCAPE, Side::Reference),
    }),
    Step::new(
        "xmlBuildURI: a bad base",
        "on a base that is not a URI, a reference inherits nothing; reject an empty reference",
        |s| {
            if !s.is_marked(BAD_BASE) {
                return Go;
            }
            if s.reference.is_empty() {
                return s.reject(Slot::Base(Part::Text), "the base is not a URI");
            }
            for part in [Part::Authority, Part::Query, Part::Fragment] {
                s.flow(Slot::Out(part), Slot::Ref(part));
            }
            s.flow(Slot::Merged, Slot::Ref(Part::Path));
            s.flow(Slot::NoDots, Slot::Ref(Part::Path));
            To("xmlSaveUri: path")
        },
    ),
    Step::new("xmlBuildURI: step 1", "an empty reference inherits all but the fragment", |s| {
        if !s.reference.is_empty() {
            return Go;
        }
        s.inherit(Part::Scheme);
        s.inherit(Part::Authority);
        s.inherit_as("path");
        s.inherit(Part::Query);
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        s.flow(Slot::NoDots, Slot::Base(Part::Path));
        To("xmlSaveUri: path")
    }),
    Step::new(
        "xmlBuildURI: step 2",
        "a reference without authority and path inherits all but the fragment, and the query if it has none",
        |s| {
            s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
            s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
            let is_absent = |part: Part| s.present(Slot::Ref(part)).is_none();
            if !s.get(Slot::Ref(Part::Path)).is_empty() || !is_absent(Part::Authority) {
                return Go;
            }
            if is_absent(Part::Query) {
                s.inherit(Part::Query);
            }
            s.inherit(Part::Scheme);
            s.inherit(Part::Authority);
            s.inherit_as("path");
            s.flow(Slot::Merged, Slot::Base(Part::Path));
            s.flow(Slot::NoDots, Slot::Base(Part::Path));
            To("xmlSaveUri: path")
        },
    ),
    Step::new("xmlBuildURI: step 3", "inherit the scheme", |s| {
        s.decide(Slot::Used);
        s.flow(Slot::Out(Part::Scheme), Slot::Base(Part::Scheme));
        Go
    }),
    Step::new("xmlBuildURI: step 4", "a reference with an authority inherits only the scheme, any other one the authority, too", |s| {
        s.inherit_as("scheme");
        if s.present(Slot::Ref(Part::Authority)).is_none() {
            s.inherit(Part::Authority);
            return Go;
        }
        s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        s.flow(Slot::NoDots, Slot::Ref(Part::Path));
        To("xmlSaveUri: path")
    }),
    Step::new("xmlBuildURI: step 5", "a path that begins with a slash is neither merged nor normalized", |s| {
        if !s.get(Slot::Ref(Part::Path)).starts_with('/') {
            return Go;
        }
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        s.flow(Slot::NoDots, Slot::Ref(Part::Path));
        To("xmlSaveUri: path")
    }),
    Step::new(
        "xmlBuildURI: step 6",
        "the path follows that of the base up to its last slash, or a slash if there is none and the base has an authority",
        |s| {
            let (before, path) = (folder(s.get(Slot::Base(Part::Path))), s.get(Slot::Ref(Part::Path)));
            let part = if s.has(&HOSTLESS) { Part::Authority } else { Part::Host };
            let has_authority = s.present(Slot::Base(part)).is_some();
            let has_root = before.is_empty() && !path.is_empty() && has_authority;
            let merged = format!("{before}{}{path}", if has_root { "/" } else { "" });
            s.inherit_as("folder");
            s.set(Slot::Merged, merged);
            s.flow(Slot::NoDots, Slot::Merged);
            Go
        },
    ),
    Step::new("xmlNormalizeURIPath: cases c and d", "remove . segments and, after the first segment, empty ones", |s| {
        renormalize(s, without_single)
    })
    .until(&FILES),
    Step::new(
        "xmlNormalizeURIPath: cases e and f",
        "remove each segment before a .. segment, and this segment; after a removal, an only segment of one character is not looked at again",
        |s| renormalize(s, without_double),
    )
    .until(&FILES),
    Step::new("xmlNormalizeURIPath: case g", "remove .. segments at the beginning of a path with a slash", |s| {
        renormalize(s, |path| {
            let mut rest = path;
            while let Some(after) = rest.strip_prefix("/..").filter(|after| after.is_empty() || after.starts_with('/')) {
                rest = after;
            }
            rest.to_owned()
        })
    })
    .until(&FILES),
    Step::new(
        "xmlNormalizePath",
        "remove . segments, empty ones, and .. segments with those before them; without one before it, a .. segment is removed only if \
         there is a slash where it would be written",
        |s| {
            renormalize(s, |path| normalized(path, false));
            To("xmlSaveUri: path")
        },
    )
    .since(&FILES),
    Step::new("xmlSaveUri: path", "percent-encode the path, but for the colon after a letter at the beginning of a file URL", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        if let Some(path) = s.present(Slot::NoDots) {
            let is_drive = s.get(Slot::Out(Part::Scheme)) == "file"
                && matches!(path.as_bytes(), [b'/', letter, b':', ..] if letter.is_ascii_alphabetic());
            let (drive, rest) = path.split_at(if is_drive { 3 } else { 0 });
            let path = format!("{drive}{}", escaped(rest, "/;@&=+$,"));
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    }),
    Step::new("xmlSaveUri: fragment", "percent-encode the fragment", |s| {
        if let Some(fragment) = s.present(Slot::Out(Part::Fragment)) {
            let fragment = escaped(fragment, ";/?:@&=+$,[]");
            s.set(Slot::Out(Part::Fragment), fragment);
        }
        Go
    }),
    Step::new("xmlSaveUri", "concatenate the components", |s| s.concatenate()),
    Step::new(
        "xmlResolvePath: an empty reference",
        "for an empty reference, return a base without `://` as it is, with its fragment; reject the reference if both are empty",
        |s| match (s.reference, s.base) {
            ("", "") => s.reject(Slot::Base(Part::Text), "base and reference are empty"),
            ("", base) => {
                s.set(Slot::Base(Part::Scheme), scheme(base).map(|(name, _)| name));
                s.set(Slot::Used, "scheme, authority, path, query, fragment");
                s.return_text(base)
            }
            _ => Go,
        },
    )
    .since(&FILES),
    Step::new("xmlResolvePath: xmlURIUnescapeString", "decode the reference up to the fragment", |s| {
        let path = decoded(s.get(Slot::Ref(Part::Path)));
        s.set(Slot::Ref(Part::Path), path);
        Go
    })
    .since(&FILES),
    Step::new(
        "xmlResolvePath: base",
        "a path that does not begin with a slash follows the base up to its last slash, if the base contains one",
        |s| {
            let (before, path) = (folder(s.base), s.get(Slot::Ref(Part::Path)));
            if before.is_empty() || path.starts_with('/') {
                s.flow(Slot::Merged, Slot::Ref(Part::Path));
                s.flow(Slot::NoDots, Slot::Merged);
                return To("xmlResolvePath: fragment");
            }
            let merged = format!("{before}{path}");
            s.inherit_as("folder");
            s.set(Slot::Merged, merged);
            s.flow(Slot::NoDots, Slot::Merged);
            Go
        },
    )
    .since(&FILES),
    Step::new("xmlNormalizePath: isFile", "normalize the path of a file; write a . for an empty one", |s| {
        renormalize(s, |path| normalized(path, true))
    })
    .since(&FILES),
    Step::new("xmlResolvePath: fragment", "write the path and the fragment", |s| {
        let fragment = cut(s.get(Slot::Ref(Part::Text)), "#").1.map(|fragment| format!("#{fragment}")).unwrap_or_default();
        let text = format!("{}{fragment}", s.get(Slot::NoDots));
        s.set(Slot::Result, text);
        Done
    })
    .since(&FILES),
];

fn rewrite(s: &mut State<'_>, part: Part, written: impl Fn(&str) -> String) -> Next {
    let slot = s.own(part);
    if let Some(text) = s.present(slot) {
        let text = written(text);
        s.set(slot, text);
    }
    Go
}

/// Decodes escapes of ASCII but for the percent sign, up to a NUL; other escapes are written with capital digits.
fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let code = rest.get(1..3).filter(|_| is_escape(rest)).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let end = if code.is_some() { 3 } else { first.len_utf8() };
        match code {
            Some(0) => break,
            Some(code) if code.is_ascii() && code != b'%' => out.push(char::from(code)),
            Some(code) => out.push_str(&format!("%{code:02X}")),
            None => out.push(first),
        }
        rest = &rest[end..];
    }
    out
}

/// Decodes all escapes, up to a NUL. What is not UTF-8 afterwards is replaced.
fn decoded(text: &str) -> String {
    String::from_utf8_lossy(&bytes(text)).into_owned()
}

/// Decodes all escapes, up to a NUL.
fn bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = rest.get(1..3).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        let code = digits
            .filter(|digits| digits.bytes().all(|it| it.is_ascii_hexdigit()))
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        if code == Some(0) {
            break;
        }
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    bytes
}

/// Encodes what is neither unreserved, as RFC 2396 understands it, nor one of `others`. Escapes that were not decoded remain.
fn escaped(text: &str, others: &str) -> String {
    encoded(text, |it| {
        it.is_ascii_alphanumeric() || b"-_.!~*'()%".contains(&it) || others.as_bytes().contains(&it)
    })
}

fn renormalize(s: &mut State<'_>, written: impl Fn(&str) -> String) -> Next {
    let path = written(s.get(Slot::NoDots));
    s.set(Slot::NoDots, path);
    Go
}

/// Divides a path into the slashes at its beginning and its segments; `None` without a segment.
fn segments(path: &str) -> Option<(&str, Vec<&str>)> {
    let rest = path.trim_start_matches('/');
    (!rest.is_empty()).then(|| (&path[..path.len() - rest.len()], rest.split('/').collect()))
}

fn without_single(path: &str) -> String {
    let Some((slashes, segments)) = segments(path) else { return path.to_owned() };
    let last = segments.len() - 1;
    let is_kept = |(at, segment): &(usize, &str)| *segment != "." && (!segment.is_empty() || *at == last);
    let kept: Vec<&str> = segments.iter().copied().enumerate().filter(is_kept).map(|(_, segment)| segment).collect();
    let end = if segments[last] == "." && last > 0 { "/" } else { "" };
    let kept = kept.join("/");
    format!("{slashes}{kept}{}", if kept.is_empty() { "" } else { end })
}

fn without_double(path: &str) -> String {
    let Some((slashes, mut segments)) = segments(path) else { return path.to_owned() };
    let mut at = 0;
    while at + 1 < segments.len() {
        if segments[at] == ".." || segments[at + 1] != ".." {
            at += 1;
            continue;
        }
        if at + 2 == segments.len() {
            segments[at] = "";
            segments.truncate(at + 1);
            break;
        }
        segments.drain(at..at + 2);
        let is_skipped = at == 1 && slashes.is_empty() && segments[0].len() == 1;
        at -= usize::from(at > 0 && !is_skipped);
    }
    format!("{slashes}{}", segments.join("/"))
}

/// `xmlNormalizePath`, which writes into the text that it reads.
fn normalized(path: &str, is_file: bool) -> String {
    let mut bytes = path.as_bytes().to_vec();
    let at = |bytes: &[u8], at: usize| bytes.get(at).copied().unwrap_or_default();
    let (mut from, mut to) = (0, 0);
    let mut count = 0;
    if at(&bytes, 0) == b'/' {
        (from, to) = (1, 1);
    }
    while from < bytes.len() {
        while at(&bytes, from) == b'/' {
            from += 1;
        }
        let end = bytes[from..].iter().position(|it| *it == b'/').map_or(bytes.len(), |slash| from + slash);
        let is_last = end == bytes.len();
        match &bytes[from..end] {
            b"." if is_last => break,
            b"." => {
                from = end + 1;
                continue;
            }
            b".." if count > 0 || at(&bytes, to) == b'/' => {
                if count > 0 {
                    to = bytes[..to.saturating_sub(1)].iter().rposition(|it| *it == b'/').map_or(0, |slash| slash + 1);
                    count -= 1;
                }
                if is_last {
                    break;
                }
                from = end + 1;
                continue;
            }
            b".." => count -= 1,
            _ => {}
        }
        let length = end - from + usize::from(!is_last);
        bytes.copy_within(from..from + length, to);
        to += length;
        from += length;
        count += 1;
    }
    bytes.truncate(to);
    if is_file && to == 0 {
        bytes.push(b'.');
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
