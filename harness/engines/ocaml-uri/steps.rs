//! ocaml-uri: `Uri.to_string (Uri.resolve "" base reference)` of two texts that `Uri.of_string` reads, and the accessors of `Uri.of_string text`.
//!
//! Read from `lib/uri.ml` of ocaml-uri 4.4.0. The parser takes what it can of an authority, and the path follows. An unknown base is an empty text.
//! Components are kept decoded; here they are kept as they are written then.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::until;
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table, no_calls};

use crate::rfc3986::{self, REG_NAME, URI, USERINFO};

/// ocaml-uri.
pub static TABLE: Table = Table {
    engine: "ocaml-uri",
    first: "4.4.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `Uri.of_string`, for the base and the reference.
static PARSE: &[Step] = &[
    Step::new("Parser.uri_reference", "the text ends before its first line feed", |s| {
        s.rest = until(s.given(), &['\n']).0.to_owned();
        s.write_text();
        Go
    }),
    Step::new("Parser.scheme", "the text before a colon that no /, ? or # precedes is the scheme, also an empty one", |s| {
        let found = s.rest.split_once(':').filter(|(name, _)| !name.contains(['/', '?', '#']));
        let found = found.map(|(name, rest)| (name.to_owned(), rest.to_owned()));
        s.set(s.own(Part::Scheme), found.as_ref().map(|(name, _)| name.clone()));
        s.rest = found.map_or_else(|| std::mem::take(&mut s.rest), |(_, rest)| rest);
        Go
    }),
    Step::new(
        "Parser.authority",
        "after two slashes, user information and @, an IPv4 or IPv6 address or a name, and a colon and digits are the authority, as far as they go; \
         reject a number that is too high for an integer where the parser expects one of an IPv4 address",
        |s| {
            let Some(text) = s.rest.strip_prefix("//").map(str::to_owned) else {
                s.set(s.own(Part::Authority), None::<&str>);
                return Go;
            };
            let slot = s.own(Part::Authority);
            let Ok((authority, rest)) = Authority::read(&text) else {
                return s.reject(slot, "a number of the host is too high for an integer");
            };
            let read = text[..text.len() - rest.len()].to_owned();
            s.rest = rest.to_owned();
            s.set(slot, read);
            let written = authority.written();
            if written != s.get(slot) {
                s.decide(slot);
                s.set(slot, written);
            }
            Go
        },
    ),
    Step::new("Parser.path, query, fragment", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
    Step::new("Pct.decode, Pct.encode: scheme", "decode the scheme, and encode what is not unreserved or a plus sign", |s| rewrite(s, Part::Scheme, |it| recoded(it, "+"))),
    Step::new("path_of_encoded, encoded_of_path", "decode each segment, and encode what a segment does not have; one that is %2F becomes a slash", |s| {
        rewrite(s, Part::Path, |path| {
            let segment = |it: &str| if it.eq_ignore_ascii_case("%2f") { "/".to_owned() } else { recoded(it, "!$&'()*+,;=:@") };
            path.split('/').map(segment).collect::<Vec<_>>().join("/")
        })
    }),
    Step::new("Parser.fragment: Pct.decode, Pct.encode", "decode the fragment, and encode what it does not have, and &, ; and +", |s| {
        rewrite(s, Part::Fragment, |it| recoded(it, "!$'()*,=:@/?"))
    }),
    Step::new("normalize: scheme", "write the scheme in lower case", |s| rewrite(s, Part::Scheme, lower)),
    Step::new("normalize: host", "write the host of http, https and file in lower case; localhost of file is empty", |s| {
        let scheme = s.get(s.own(Part::Scheme)).to_owned();
        rewrite(s, Part::Authority, |it| normalized(it, &scheme))
    }),
];

/// Rewrites a component of the side that is read, if it is present.
fn rewrite(s: &mut State<'_>, part: Part, written: impl Fn(&str) -> String) -> Next {
    let slot = s.own(part);
    let Some(text) = s.present(slot).map(str::to_owned) else { return Go };
    let rewritten = written(&text);
    if rewritten != text {
        s.set(slot, rewritten);
    }
    Go
}

/// Decodes a text, and encodes each byte that is neither unreserved nor among `others`.
fn recoded(text: &str, others: &str) -> String {
    encoded(&rfc3986::decoded(text), others)
}

fn encoded(bytes: &[u8], others: &str) -> String {
    let write = |it: &u8| match it.is_ascii_alphanumeric() || b"-._~".contains(it) || others.as_bytes().contains(it) {
        true => char::from(*it).to_string(),
        false => format!("%{it:02X}"),
    };
    bytes.iter().map(write).collect()
}

/// Writes a text in lower case, except the digits of escapes, of which none is a letter's.
fn lower(text: &str) -> String {
    let mut parts = text.split('%');
    let mut out = parts.next().unwrap_or_default().to_ascii_lowercase();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2).unwrap_or((part, ""));
        out.extend(["%", digits, &rest.to_ascii_lowercase()]);
    }
    out
}

/// `Scheme.normalize_host`.
fn normalized(authority: &str, scheme: &str) -> String {
    if !matches!(scheme, "http" | "https" | "file") {
        return authority.to_owned();
    }
    let (user, host, port) = rfc3986::divide(authority);
    let host = lower(host);
    let host = if scheme == "file" && host == "localhost" { "" } else { &host };
    format!("{}{host}{port}", user.map(|user| format!("{user}@")).unwrap_or_default())
}

/// A number is too high for an integer of OCaml.
struct TooHigh;

/// An authority as it is written.
struct Authority {
    user: Option<String>,
    host: String,
    port: Option<u64>,
}

impl Authority {
    /// Reads an authority, and returns what follows it.
    fn read(text: &str) -> Result<(Self, &str), TooHigh> {
        let end = rfc3986::conforming(text, USERINFO, URI);
        let (user, rest) = match text[end..].strip_prefix('@') {
            Some(rest) => {
                let (user, password) = text[..end].split_once(':').map_or((&text[..end], None), |(user, it)| (user, Some(it)));
                let password = password.map(|it| format!(":{}", recoded(it, ""))).unwrap_or_default();
                (Some(recoded(user, "") + &password), rest)
            }
            None => (None, text),
        };
        let (host, rest) = Self::host(rest)?;
        let (digits, rest) = match rest.strip_prefix(':') {
            Some(port) => port.split_at(port.find(|it: char| !it.is_ascii_digit()).unwrap_or(port.len())),
            None => ("", rest),
        };
        Ok((Self { user, host, port: integer(digits) }, rest))
    }

    fn host(text: &str) -> Result<(String, &str), TooHigh> {
        if let Some(length) = ipv4(text)? {
            return Ok((text[..length].to_owned(), &text[length..]));
        }
        if let Some(address) = text.strip_prefix('[')
            && let Some((groups, rest)) = ipv6(address)?
            && let Some(rest) = rest.strip_prefix(']')
        {
            let shortened = groups.iter().position(String::is_empty);
            let address = match shortened {
                Some(at) => format!("{}::{}", groups[..at].join(":"), groups[at + 1..].join(":")),
                None => groups.join(":"),
            };
            return Ok((format!("[{address}]"), rest));
        }
        let (name, rest) = text.split_at(rfc3986::conforming(text, REG_NAME, URI));
        Ok((recoded(name, ""), rest))
    }

    fn written(&self) -> String {
        let user = self.user.as_ref().map(|user| format!("{user}@")).unwrap_or_default();
        format!("{user}{}{}", self.host, self.port.map(|port| format!(":{port}")).unwrap_or_default())
    }
}

fn integer(digits: &str) -> Option<u64> {
    digits.parse().ok().filter(|it| *it < 1 << 62)
}

/// `ipv4_address`: the length of four numbers below 256 at the beginning.
fn ipv4(text: &str) -> Result<Option<usize>, TooHigh> {
    let mut rest = text;
    for at in 0..4 {
        let digits;
        (digits, rest) = rest.split_at(rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len()));
        if digits.is_empty() {
            return Ok(None);
        }
        if integer(digits).ok_or(TooHigh)? > 255 {
            return Ok(None);
        }
        if at < 3 {
            let Some(after) = rest.strip_prefix('.') else { return Ok(None) };
            rest = after;
        }
    }
    Ok(Some(text.len() - rest.len()))
}

/// `hexadecimal`: any number of digits.
fn hexadecimal(text: &str) -> (&str, &str) {
    text.split_at(text.find(|it: char| !it.is_ascii_hexdigit()).unwrap_or(text.len()))
}

/// `ipv6`: the groups of an address, an empty one for two colons, and what follows.
fn ipv6(text: &str) -> Result<Option<(Vec<String>, &str)>, TooHigh> {
    if let Some(rest) = text.strip_prefix("::") {
        return double_colon(Vec::new(), rest).map(Some);
    }
    let (mut groups, mut rest) = (Vec::new(), text);
    loop {
        if groups.len() == 6
            && let Some(length) = ipv4(rest)?
        {
            groups.push(rest[..length].to_owned());
            return Ok(Some((groups, &rest[length..])));
        }
        let (group, after) = hexadecimal(rest);
        groups.push(group.to_owned());
        if groups.len() == 8 {
            return Ok(Some((groups, after)));
        }
        let Some(after) = after.strip_prefix(':') else { return Ok(None) };
        if let Some(after) = after.strip_prefix(':') {
            return double_colon(groups, after).map(Some);
        }
        rest = after;
    }
}

/// `double_colon`: nothing follows two colons if too many groups do.
fn double_colon(mut groups: Vec<String>, text: &str) -> Result<(Vec<String>, &str), TooHigh> {
    let count = groups.len();
    groups.push(String::new());
    let mut rest = text;
    loop {
        if let Some(length) = ipv4(rest)? {
            groups.push(rest[..length].to_owned());
            rest = &rest[length..];
            break;
        }
        let (group, after) = hexadecimal(rest);
        groups.push(group.to_owned());
        rest = after;
        match rest.strip_prefix(':') {
            Some(after) => rest = after,
            None => break,
        }
    }
    if groups.len() > 8 {
        groups.truncate(count + 1);
        return Ok((groups, text));
    }
    Ok((groups, rest))
}

/// `Uri.resolve ""` and `Uri.to_string`.
static RESOLVE: &[Step] = &[
    Step::new("Uri.of_string: the base", "read the base", |_| Call(PARSE, Side::Base)),
    Step::new("Uri.of_string: the reference", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("resolve: scheme uri", "a reference with a scheme inherits nothing, any other one inherits the scheme", |s| rfc3986::own_scheme(s, DOTS)),
    Step::new("resolve: host uri", "a reference with an authority inherits nothing else, any other one the authority", |s| rfc3986::own_authority(s, DOTS)),
    Step::new("resolve: path_str = \"\"", "without a path, inherit the base's, and its query if there is none", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        if s.present(Slot::Ref(Part::Query)).is_none() {
            s.inherit(Part::Query);
        }
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        s.flow(Slot::NoDots, Slot::Merged);
        To(WRITE)
    }),
    Step::new("resolve: path_str.[0]='/'", "a path that begins with a slash is not merged", |s| rfc3986::rooted(s, DOTS)),
    Step::new("merge", "write the path after the base's up to its last slash, or after a slash if the base has an authority and no path", rfc3986::merge),
    Step::new(
        DOTS,
        "remove each . segment, and each .. with the segment before it, or with the empty text between two slashes; without a slash at the beginning, \
         other .. segments stay there",
        |s| {
            let path = without_dots(s.get(Slot::Merged));
            s.flow(Slot::NoDots, Slot::Merged);
            s.set(Slot::NoDots, path);
            Go
        },
    ),
    Step::new(WRITE, "take this path", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        Go
    }),
    Step::new("resolve: normalize schem", "if the base is of http, https or file, write the host in lower case; localhost of file is empty", |s| {
        let slot = Slot::Out(Part::Authority);
        let Some(authority) = s.present(slot) else { return Go };
        let rewritten = normalized(authority, s.get(Slot::Base(Part::Scheme)));
        if rewritten != authority {
            s.set(slot, rewritten);
        }
        Go
    }),
    Step::new("to_string: uri.path", "after an authority, write a slash before a path that begins with another character", |s| {
        let path = s.get(Slot::Out(Part::Path));
        if s.present(Slot::Out(Part::Authority)).is_some() && !path.is_empty() && !path.starts_with('/') {
            let path = format!("/{path}");
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    }),
    Step::new("to_string: \"./\"", "without a scheme and an authority, write ./ before a path with a colon in its first segment", |s| {
        let path = s.get(Slot::Out(Part::Path));
        let is_relative = s.present(Slot::Out(Part::Scheme)).is_none() && s.present(Slot::Out(Part::Authority)).is_none();
        if is_relative && until(path, &['/']).0.contains(':') {
            let path = format!("./{path}");
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    }),
    Step::new(
        "encoded_of_query",
        "decode keys and values of the query, + as a space, and encode what a query does not have, and &, ;, +, = in a key and a comma in a value",
        |s| {
            let slot = Slot::Out(Part::Query);
            let Some(query) = s.present(slot) else { return Go };
            let key = |it: &str| recoded(&it.replace('+', " "), "!$'()*,:@/?");
            let value = |it: &str| it.split(',').map(|it| recoded(&it.replace('+', " "), "!$'()*=:@/?")).collect::<Vec<_>>().join(",");
            let pair = |it: &str| it.split_once('=').map_or_else(|| key(it), |(name, it)| format!("{}={}", key(name), value(it)));
            let rewritten = query.split('&').map(pair).collect::<Vec<_>>().join("&");
            if rewritten != query {
                s.set(slot, rewritten);
            }
            Go
        },
    ),
    Step::new("to_string", "concatenate the components", |s| s.concatenate()),
];

const DOTS: &str = "remove_dot_segments";
const WRITE: &str = "resolve: path";

/// `remove_dot_segments`, from the end of the path: an element is a slash or a segment that is not empty.
fn without_dots(path: &str) -> String {
    let mut elements: Vec<&str> = path.split_inclusive('/').flat_map(|it| match it.strip_suffix('/') {
        Some(segment) => [segment, "/"],
        None => [it, ""],
    }).filter(|it| !it.is_empty()).collect();
    let is_rooted = path.starts_with('/');
    let mut up = 0;
    let mut kept = Vec::new();
    loop {
        match elements[..] {
            [.., ".." | ".", "/"] | [.., ".." | "."] => {
                elements.truncate(elements.len() - usize::from(elements.ends_with(&["/"])));
                up += usize::from(elements.pop() == Some(".."));
            }
            [] | ["/"] if is_rooted => {
                kept.push("/");
                break;
            }
            [] => {
                kept.extend(std::iter::repeat_n(["/", ".."], up).flatten());
                if up == 0 && kept.last() == Some(&"/") {
                    kept.pop();
                }
                break;
            }
            [.., "/", "/"] if up > 0 => {
                elements.pop();
                up -= 1;
            }
            [.., _, "/"] if up > 0 => {
                elements.truncate(elements.len() - 2);
                up -= 1;
            }
            [.., last] => {
                kept.push(last);
                elements.pop();
                up = 0;
            }
        }
    }
    kept.into_iter().rev().collect()
}

/// `Uri.of_string`, and its accessors.
static STATE: &[Step] = &[
    Step::new("Uri.of_string", "read the URL", |_| Call(PARSE, Side::Reference)),
    Step::new("Uri.path, Uri.verbatim_query", "state these as they were read", |s| {
        s.flow(Slot::Out(Part::Path), Slot::Ref(Part::Path));
        s.flow(Slot::Out(Part::Query), Slot::Ref(Part::Query));
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("Uri.scheme, Uri.fragment", "state these decoded", |s| {
        for part in [Part::Scheme, Part::Fragment] {
            let bytes = s.present(Slot::Ref(part)).map(rfc3986::decoded);
            let text = bytes.map(|bytes| s.text(bytes));
            s.flow(Slot::Out(part), Slot::Ref(part));
            s.set(Slot::Out(part), text);
        }
        Go
    }),
    Step::new("Uri.user, Uri.password, Uri.host, Uri.port", "state the parts of the authority decoded; an address has no brackets", |s| {
        let authority = s.present(Slot::Ref(Part::Authority)).map(str::to_owned);
        let divided = authority.as_deref().map(rfc3986::divide);
        let user = divided.and_then(|(user, ..)| user);
        let (user, password) = user.map_or((None, None), |it| it.split_once(':').map_or((Some(it), None), |(a, b)| (Some(a), Some(b))));
        let host = divided.map(|(_, host, _)| host.strip_prefix('[').and_then(|it| it.strip_suffix(']')).unwrap_or(host));
        for (part, text) in [(Part::User, user), (Part::Password, password), (Part::Host, host)] {
            let bytes = text.map(rfc3986::decoded);
            let text = bytes.map(|bytes| s.text(bytes));
            s.set(Slot::Out(part), text);
        }
        s.set(Slot::Out(Part::Port), divided.and_then(|(.., port)| port.strip_prefix(':')));
        Done
    }),
];
