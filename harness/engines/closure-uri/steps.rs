//! Closure Library: `goog.Uri.resolve(base, reference)`, and the getters of `goog.Uri.parse(url)`.
//!
//! Read from `closure/goog/uri/uri.js` and `utils.js` of Closure Library 20230802.0.0. Components are decoded when they are read and encoded when
//! they are written, except the query. Each component that is absent is empty.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{encoded, folder, is_escape, until};
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table, no_calls};

use crate::{node_url_resolve, rfc3986, uri_js};

/// Closure Library.
pub static TABLE: Table = Table {
    engine: "closure-uri",
    first: "20230802.0.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `goog.Uri.parse`, for the base and the reference.
static PARSE: &[Step] = &[
    Step::new("splitRe_: scheme", "the text before a first colon is the scheme, unless it is empty or has a dot, /, ? or #", |s| {
        let given = s.read_text();
        let given = given.as_str();
        let found = given.split_once(':').filter(|(name, _)| !name.is_empty() && !name.contains(['/', '?', '#', '.']));
        let (name, rest) = found.unwrap_or(("", given));
        s.rest = rest.to_owned();
        s.set(s.own(Part::Scheme), name);
        Go
    }),
    Step::new("splitRe_: authority", "after two slashes, the part up to the next /, backslash, ? or # is the authority", |s| {
        let rest = std::mem::take(&mut s.rest);
        let divided = rest.strip_prefix("//").map(|after| until(after, &['/', '\\', '?', '#']));
        s.set(s.own(Part::Authority), divided.map(|(authority, _)| authority));
        s.rest = divided.map_or(rest.as_str(), |(_, rest)| rest).to_owned();
        Go
    }),
    Step::new("splitRe_", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
    Step::new("splitRe_: userInfo", "the text before the last @ of the authority is the user information", |s| {
        let authority = s.get(s.own(Part::Authority));
        let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
        let (user, host) = (user.to_owned(), host.to_owned());
        s.set(s.own(Part::Userinfo), user);
        s.set(s.own(Part::Host), host);
        Go
    }),
    Step::new("splitRe_: port", "the digits after the last colon are the port", |s| {
        let host = s.get(s.own(Part::Host));
        let found = host.rsplit_once(':').filter(|(_, port)| !port.is_empty() && port.bytes().all(|it| it.is_ascii_digit()));
        let found = found.map(|(host, port)| (host.to_owned(), port.to_owned()));
        if let Some((host, _)) = &found {
            s.set(s.own(Part::Host), host.as_str());
        }
        s.set(s.own(Part::Port), found.map(|(_, port)| port));
        Go
    }),
    Step::new("setPort", "write the port as a number of JavaScript", |s| {
        let slot = s.own(Part::Port);
        let port = s.present(slot).map(uri_js::number);
        s.set(slot, port);
        Go
    }),
    Step::new(
        "decodeOrEmpty_: decodeURI",
        "decode scheme, host and path, but not what encodes a delimiter or a percent sign; reject an escape that is incomplete or not UTF-8",
        |s| decode(s, &[Part::Scheme, Part::Host, Part::Path], decode_uri),
    ),
    Step::new(
        "decodeOrEmpty_: decodeURIComponent",
        "decode user information and fragment; reject an escape that is incomplete or not UTF-8",
        |s| decode(s, &[Part::Userinfo, Part::Fragment], node_url_resolve::decoded),
    ),
];

fn decode(s: &mut State<'_>, parts: &[Part], decoded: fn(&str) -> Option<String>) -> Next {
    for part in parts {
        let slot = s.own(*part);
        match decoded(s.get(slot)) {
            Some(text) => s.set(slot, text),
            None => return s.reject(slot, "an escape is incomplete or not UTF-8"),
        }
    }
    Go
}

/// `decodeURI` after each `%25` was encoded again.
fn decode_uri(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let byte = |at: usize| {
            let digits = rest.get(at..).filter(|rest| is_escape(rest)).map(|rest| &rest[1..3])?;
            u8::from_str_radix(digits, 16).ok()
        };
        let first = byte(0)?;
        let length = if first < 0x80 { 1 } else { usize::try_from(first.leading_ones()).ok()? };
        let bytes = (0..length).map(|at| byte(3 * at)).collect::<Option<Vec<u8>>>()?;
        let is_kept = b"%;/?:@&=+$,#".contains(&first);
        out.push_str(if is_kept { &rest[..3] } else { std::str::from_utf8(&bytes).ok()? });
        rest = &rest[3 * length..];
    }
    Some(out + rest)
}

/// `resolve` and `toString`.
static RESOLVE: &[Step] = &[
    Step::new("parse: base", "read the base", |_| Call(PARSE, Side::Base)),
    Step::new("parse: rel", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("resolve: hasScheme", "a reference with a scheme inherits nothing, and its dot segments are kept", |s| {
        for part in [Part::Scheme, Part::Userinfo, Part::Host, Part::Port] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        if s.get(Slot::Ref(Part::Scheme)).is_empty() {
            s.inherit(Part::Scheme);
            return Go;
        }
        s.set(Slot::Used, "nothing");
        keep_dots(s)
    }),
    Step::new("resolve: hasUserInfo", "one with user information inherits only the scheme, any other one the user information, too", |s| {
        if s.get(Slot::Ref(Part::Userinfo)).is_empty() {
            s.flow(Slot::Out(Part::Userinfo), Slot::Base(Part::Userinfo));
            if !s.get(Slot::Base(Part::Userinfo)).is_empty() {
                s.decide(Slot::Out(Part::Authority));
            }
            return Go;
        }
        keep_dots(s)
    }),
    Step::new("resolve: hasDomain", "one with a host inherits no more, any other one the host, too", |s| {
        if s.get(Slot::Ref(Part::Host)).is_empty() {
            s.inherit(Part::Authority);
            s.flow(Slot::Out(Part::Host), Slot::Base(Part::Host));
            return Go;
        }
        keep_dots(s)
    }),
    Step::new("resolve: hasPort", "one with a port inherits no more, any other one the port, too", |s| {
        if s.present(Slot::Ref(Part::Port)).is_none() {
            s.flow(Slot::Out(Part::Port), Slot::Base(Part::Port));
            return Go;
        }
        keep_dots(s)
    }),
    Step::new("resolve: hasPath", "one without a path inherits it, and the query if it has none, and the fragment if it has neither", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        if s.get(Slot::Ref(Part::Query)).is_empty() {
            s.inherit(Part::Query);
            if s.get(Slot::Ref(Part::Fragment)).is_empty() {
                s.inherit(Part::Fragment);
            }
        }
        keep_dots(s)
    }),
    Step::new("resolve: path.charAt(0)", "a path that begins with a slash is not merged", |s| rfc3986::rooted(s, "removeDotSegments")),
    Step::new("resolve: lastSlashIndex", "the path follows the base's up to its last slash, or a slash if the base has a host and no path", |s| {
        let base = s.get(Slot::Base(Part::Path));
        let has_root = base.is_empty() && !s.get(Slot::Base(Part::Host)).is_empty();
        let merged = format!("{}{}", if has_root { "/" } else { folder(base) }, s.get(Slot::Ref(Part::Path)));
        s.inherit_as("folder");
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new(
        "removeDotSegments",
        "remove each . segment, and each .. with the one before it; a slash remains after a last one unless nothing but dots precedes it",
        |s| {
            let path = without_dots(s.get(Slot::Merged));
            s.flow(Slot::NoDots, Slot::Merged);
            s.set(Slot::NoDots, path);
            Go
        },
    ),
    Step::new("setPort: !newPort", "a port of zero is absent", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        if s.present(Slot::Out(Part::Port)) == Some("0") {
            s.set(Slot::Out(Part::Port), None::<&str>);
        }
        Go
    }),
    Step::new(
        "toString: userInfo",
        "encode what URIs do not have in the user information, and the delimiters #, /, ? and @",
        |s| {
            let user = encode_special(s.get(Slot::Out(Part::Userinfo)), b"#/?@");
            s.set(Slot::Out(Part::Userinfo), user);
            Go
        },
    ),
    Step::new("toString: urlEncode(domain)", "encode what is not a letter, a digit, or one of -_.!~*'() in the host", |s| {
        let host = single(&encoded(s.get(Slot::Out(Part::Host)), is_unreserved));
        s.set(Slot::Out(Part::Host), host);
        Go
    }),
    Step::new("toString: domain", "write user information, host and port, if there is a host or the scheme is file", |s| {
        let get = |part| s.get(Slot::Out(part));
        let has_authority = !get(Part::Host).is_empty() || get(Part::Scheme) == "file";
        let user = get(Part::Userinfo);
        let user = if user.is_empty() { String::new() } else { format!("{user}@") };
        let port = s.present(Slot::Out(Part::Port)).map(|port| format!(":{port}")).unwrap_or_default();
        let has_others = !user.is_empty() || !port.is_empty();
        let authority = has_authority.then(|| format!("{user}{}{port}", get(Part::Host)));
        s.compose(Slot::Out(Part::Authority), &[Part::Userinfo, Part::Host, Part::Port].map(Slot::Out));
        if has_others && !has_authority {
            s.decide(Slot::Out(Part::Authority));
        }
        s.set(Slot::Out(Part::Authority), authority);
        Go
    }),
    Step::new("toString: scheme", "encode delimiters and what URIs do not have in the scheme", |s| {
        let scheme = single(&encode_special(s.get(Slot::Out(Part::Scheme)), b"#/?@"));
        s.set(Slot::Out(Part::Scheme), Some(scheme).filter(|scheme| !scheme.is_empty()));
        Go
    }),
    Step::new("toString: hasDomain", "write a slash between a host and a path", |s| {
        let path = s.get(Slot::Out(Part::Path));
        if !s.get(Slot::Out(Part::Host)).is_empty() && !path.is_empty() && !path.starts_with('/') {
            let path = format!("/{path}");
            s.set(Slot::Out(Part::Path), path);
            s.mark(ROOTED);
        }
        Go
    }),
    Step::new(
        "toString: path",
        "encode what URIs do not have in the path, and ? and #; also colons if the path does not begin with a slash",
        |s| {
            let path = s.get(Slot::Out(Part::Path));
            let is_absolute = path.starts_with('/') && !s.is_marked(ROOTED);
            let path = single(&encode_special(path, if is_absolute { b"#?" } else { b"#?:" }));
            s.set(Slot::Out(Part::Path), path);
            Go
        },
    ),
    Step::new("toString: query", "do not write an empty query", |s| {
        let query = Some(s.get(Slot::Out(Part::Query)).to_owned());
        s.set(Slot::Out(Part::Query), query.filter(|query| !query.is_empty()));
        Go
    }),
    Step::new("toString: fragment", "encode # and what URIs do not have in the fragment, also percent signs; do not write an empty one", |s| {
        let fragment = encode_special(s.get(Slot::Out(Part::Fragment)), b"#");
        s.set(Slot::Out(Part::Fragment), Some(fragment).filter(|fragment| !fragment.is_empty()));
        Go
    }),
    Step::new("toString", "concatenate the components", |s| s.concatenate()),
];

/// Leaves the dot segments of the path as they are.
fn keep_dots(s: &mut State<'_>) -> Next {
    s.flow(Slot::NoDots, Slot::Merged);
    To("setPort: !newPort")
}

/// The mark of a path before which a slash was written.
const ROOTED: &str = "closure-uri: a slash was written before the path";

fn is_unreserved(it: u8) -> bool {
    it.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&it)
}

/// `encodeURI`, and then the characters `others` with small digits.
fn encode_special(text: &str, others: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    for it in encoded(text, |it| is_unreserved(it) || b";/?:@&=+$,#".contains(&it)).chars() {
        match u8::try_from(it) {
            Ok(byte) if others.contains(&byte) => out += &format!("%{byte:02x}"),
            _ => out.push(it),
        }
    }
    out
}

/// `removeDoubleEncoding_`: the percent sign of an escape is not encoded.
fn single(text: &str) -> String {
    let mut parts = text.split("%25");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(if is_escape(&format!("%{part}")) { "%" } else { "%25" });
        out.push_str(part);
    }
    out
}

fn without_dots(path: &str) -> String {
    if matches!(path, "." | "..") {
        return String::new();
    }
    if !path.contains("./") && !path.contains("/.") {
        return path.to_owned();
    }
    let mut has_slash = path.starts_with('/');
    let mut kept: Vec<&str> = Vec::new();
    let count = path.split('/').count();
    for (at, segment) in path.split('/').enumerate() {
        match segment {
            "." => {}
            ".." if kept.len() > 1 || kept.first().is_some_and(|first| !first.is_empty()) => drop(kept.pop()),
            ".." => {}
            _ => {
                kept.push(segment);
                has_slash = true;
                continue;
            }
        }
        if has_slash && at + 1 == count {
            kept.push("");
        }
    }
    kept.join("/")
}

/// The getters.
static STATE: &[Step] = &[
    Step::new("goog.Uri.parse", "read the URL", |_| Call(PARSE, Side::Reference)),
    Step::new("getScheme, getUserInfo, getDomain, getPort, getPath, getQuery, getFragment", "state the components, and absent ones but the port as empty", |s| {
        for part in [Part::Scheme, Part::Userinfo, Part::Host, Part::Port, Part::Path, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
            if part != Part::Port && s.present(Slot::Out(part)).is_none() {
                s.set(Slot::Out(part), "");
            }
        }
        s.set(Slot::Result, s.reference);
        Done
    }),
];
