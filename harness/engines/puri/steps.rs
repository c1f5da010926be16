//! PURI: `(puri:merge-uris reference base)` as `puri:render-uri` writes it, and the accessors of `(puri:parse-uri text)`.
//!
//! Read from `src.lisp` of PURI 1.5.7.2. If the base is unknown, the reference is written as it was read. Escapes are decoded to characters of
//! Latin-1, and only if a text has an escape, its host and its merged path are encoded again.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, until};
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table, no_calls};

use crate::{rfc3986, urllib};

/// PURI.
pub static TABLE: Table = Table {
    engine: "puri",
    first: "1.5.7.2",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `parse-uri`, for the base and the reference.
static PARSE: &[Step] = &[
    Step::new("parse-uri-string: *illegal-characters*", "reject white space, control characters, and <, >, \", {, }, |, \\, ^ and ` anywhere", |s| {
        s.rest = s.given().to_owned();
        s.write_text();
        s.unmark(URN);
        match s.rest.contains(|it: char| it.is_ascii() && is_excluded(it) && !"#[]".contains(it)) {
            true => s.reject(s.own(Part::Text), "it contains an illegal character"),
            false => Go,
        }
    }),
    Step::new("parse-uri-string: <scheme>:", "the text before the first colon is the scheme, if it has no /, ?, #, [ or ]; reject an empty one", |s| {
        let (name, rest) = until(&s.rest, DELIMITERS);
        let found = rest.strip_prefix(':').map(|rest| (name.to_owned(), rest.to_owned()));
        let slot = s.own(Part::Scheme);
        s.set(slot, found.as_ref().map(|(name, _)| name.clone()));
        s.rest = found.map_or_else(|| std::mem::take(&mut s.rest), |(_, rest)| rest);
        match s.present(slot) {
            Some("") => s.reject(slot, "it is empty"),
            _ => Go,
        }
    }),
    Step::new("parse-uri-string: urn", "what follows urn is a name, a colon, and text without certain characters, which are dropped when it is written", |s| {
        if !s.get(s.own(Part::Scheme)).eq_ignore_ascii_case("urn") {
            return Go;
        }
        let (name, rest) = cut(&s.rest, ":");
        let is_name = !name.is_empty() && name.bytes().all(|it| it.is_ascii_alphanumeric() || b"-.+".contains(&it));
        let is_text = rest.is_some_and(|it| !it.contains(|it: char| it.is_ascii() && is_excluded(it) || "&~/?".contains(it)));
        if !is_name || !is_text {
            return s.reject(s.own(Part::Path), "it is not a name, a colon and text");
        }
        s.rest.clear();
        s.mark(URN);
        Go
    }),
    Step::new(
        "parse-uri-string: //<host>",
        "after two slashes, hexadecimal digits and colons in brackets or the text up to a delimiter are the host, and a port may follow a colon; \
         reject another delimiter; only after file, a third slash may follow",
        |s| {
            let (slot, scheme) = (s.own(Part::Authority), s.get(s.own(Part::Scheme)).to_owned());
            s.set(slot, None::<&str>);
            let Some(after) = s.rest.strip_prefix("//").map(str::to_owned) else { return Go };
            if after.starts_with('/') && scheme.eq_ignore_ascii_case("file") {
                s.rest = after;
                s.mark(ROOTED);
                return Go;
            }
            let Some(end) = authority_end(&after) else { return s.reject(slot, "it is not a host and a port") };
            s.set(slot, &after[..end]);
            s.rest = after[end..].to_owned();
            s.mark(ROOTED);
            Go
        },
    ),
    Step::new("parse-uri-string: seen /", "reject a path that begins with a delimiter other than a slash, or with a slash and then one", |s| {
        let is_read = s.is_marked(ROOTED);
        let rest = s.rest.strip_prefix('/').unwrap_or(&s.rest);
        match !is_read && (rest.starts_with([':', '[', ']']) || !s.rest.starts_with('/') && until(rest, DELIMITERS).1.starts_with([':', '[', ']'])) {
            true => s.reject(s.own(Part::Path), "it begins with a delimiter"),
            false => Go,
        }
    }),
    Step::new("parse-uri-string: <scheme>:<token>", "drop the first slash of a path after a scheme, if it does not begin the path", |s| {
        let is_rooted = s.is_marked(ROOTED) || s.rest.starts_with('/');
        s.unmark(ROOTED);
        if s.present(s.own(Part::Scheme)).is_some() && !is_rooted {
            let (token, rest) = until(&s.rest, DELIMITERS);
            s.rest = format!("{token}{}", rest.strip_prefix('/').unwrap_or(rest));
        }
        Go
    }),
    Step::new("parse-uri-string: ?, #", "cut the fragment at #, the query at ?, and the path; an empty query or fragment is none", |s| {
        rfc3986::cut_path(s);
        for part in [Part::Query, Part::Fragment] {
            if s.get(s.own(part)).is_empty() {
                s.set(s.own(part), None::<&str>);
            }
        }
        Go
    }),
    Step::new("*strict-illegal-query-characters*", "reject a query with ?, [ or ]", |s| {
        let slot = s.own(Part::Query);
        match s.get(slot).contains(['?', '[', ']']) {
            true => s.reject(slot, "it contains an illegal character"),
            false => Go,
        }
    }),
    Step::new("decode-escaped-encoding", "decode the escapes of characters that are not reserved in their component; reject a percent sign without two digits", |s| {
        for (part, reserved) in [(Part::Scheme, ";/?:@&=+$,%"), (Part::Authority, ";/?:@&=+$,%"), (Part::Path, ";%/?"), (Part::Query, ";/?:@&=+$,%"), (Part::Fragment, "")] {
            let slot = s.own(part);
            let Some(text) = s.present(slot) else { continue };
            let is_reserved = |it: char| is_excluded(it) && (part != Part::Fragment || it != '#') || reserved.contains(it);
            let (text, port) = divided(text).filter(|_| part == Part::Authority).map_or((text, String::new()), |(host, port)| (host, format!(":{port}")));
            let Some(decoded) = decoded(text, is_reserved) else {
                return s.reject(slot, "it contains a percent sign without two hexadecimal digits");
            };
            if decoded != text {
                s.set(slot, decoded + &port);
            }
        }
        Go
    }),
    Step::new("parse-uri: (intern (string-upcase scheme))", "write the scheme in lower case", |s| {
        let slot = s.own(Part::Scheme);
        if let Some(name) = s.present(slot).map(|it| it.chars().map(lower).collect::<String>()) {
            s.set(slot, name);
        }
        Go
    }),
    Step::new("parse-uri: (read-from-string port)", "reject a port that is not a positive number; drop the default port of http, https, ftp and telnet", |s| {
        let slot = s.own(Part::Authority);
        let Some((host, port)) = divided(s.get(slot)).map(|(host, port)| (host.to_owned(), port.to_owned())) else { return Go };
        let written = match (port.as_str(), number(&port)) {
            ("", _) => host,
            (_, None) => return s.reject(slot, "the port is not a positive number"),
            (_, Some(number)) if number == default_port(s.get(s.own(Part::Scheme))) => host,
            (_, Some(number)) => format!("{host}:{number}"),
        };
        if written != s.get(slot) {
            s.set(slot, written);
        }
        Go
    }),
    Step::new("parse-uri: (setq path nil)", "drop a path that is only a slash, of http, https and ftp", |s| {
        let slot = s.own(Part::Path);
        if matches!(s.get(s.own(Part::Scheme)), "http" | "https" | "ftp") && s.get(slot) == "/" {
            s.set(slot, "");
        }
        Go
    }),
];

const DELIMITERS: &[char] = &[':', '?', '[', ']', '#', '/'];
/// The mark of a URN.
const URN: &str = "the URI is a URN";
/// The mark of a path that follows a host, or the slashes of file.
const ROOTED: &str = "the path follows a host";

/// `*excluded-characters*`.
fn is_excluded(it: char) -> bool {
    it.is_ascii_control() || "<>\" #{}|\\^[]`".contains(it)
}

/// Where a host and its port end; `None` if they are not valid.
fn authority_end(text: &str) -> Option<usize> {
    let host = match text.strip_prefix('[') {
        Some(address) => address.find(']').filter(|at| *at > 0 && address[..*at].bytes().all(|it| it.is_ascii_hexdigit() || it == b':')).map(|at| at + 2)?,
        None => until(text, DELIMITERS).0.len(),
    };
    let rest = &text[host..];
    let end = match rest.strip_prefix(':') {
        Some(port) => {
            let port = until(port, DELIMITERS).0.len();
            let is_empty = port == 0 && !rest[1..].starts_with('/');
            if is_empty {
                return None;
            }
            host + 1 + port
        }
        None => host,
    };
    (host > 0 && (text.len() == end || text[end..].starts_with(['?', '#', '/']))).then_some(end)
}

/// The host, with brackets, and the port of an authority.
fn divided(authority: &str) -> Option<(&str, &str)> {
    let end = authority.find(']').map_or(0, |at| at + 1);
    authority[end..].split_once(':').map(|(host, port)| (&authority[..end + host.len()], port))
}

/// Reads a positive number as SBCL was seen to: its digits may be wide, a sign may precede it, a dot may follow, and certain characters end it. A
/// number with a fraction or an exponent has the precision of 32 bits.
fn number(text: &str) -> Option<String> {
    let narrow = |it: char| match it {
        '０'..='９' => char::from_digit(u32::from(it) - u32::from('０'), 10).unwrap_or(it),
        _ => it,
    };
    let text: String = text.chars().map(narrow).collect();
    let text = until(&text, &['"', '\'', '(', ')', ',', ';', '`']).0;
    let text = text.strip_prefix('+').unwrap_or(text);
    let is_digits = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
    let whole = text.strip_suffix('.').unwrap_or(text);
    if !whole.is_empty() && is_digits(whole) {
        return Some(whole.trim_start_matches('0').to_owned()).filter(|it| !it.is_empty());
    }
    let (digits, exponent) = text.split_once(['e', 'E', 'f', 'F', 's', 'S']).map_or((text, None), |(digits, it)| (digits, Some(it)));
    let power = exponent.map_or("0", |it| it.strip_prefix('+').unwrap_or(it));
    let (before, after) = cut(digits, ".");
    let is_float = is_digits(before)
        && is_digits(after.unwrap_or_default())
        && is_digits(power.strip_prefix('-').unwrap_or(power))
        && (exponent.is_some() && !before.is_empty() || after.is_some_and(|it| !it.is_empty()));
    let value: f32 = format!("{before}.{}e{power}", after.unwrap_or_default()).parse().ok().filter(|_| is_float)?;
    (value > 0.0 && value.is_finite()).then(|| match (1e-3..1e7).contains(&value) {
        true => format!("{value:?}"),
        false => {
            let text = format!("{value:e}");
            if text.contains('.') { text } else { text.replace('e', ".0e") }
        }
    })
}

fn default_port(scheme: &str) -> &'static str {
    match scheme {
        "http" => "80",
        "https" => "443",
        "ftp" => "21",
        "telnet" => "23",
        _ => "",
    }
}

/// Writes a letter in lower case, if that has this letter as its capital one.
fn lower(it: char) -> char {
    let mut small = it.to_lowercase();
    match (small.next(), small.next()) {
        (Some(small), None) if small.to_uppercase().eq([it]) => small,
        _ => it,
    }
}

/// Decodes escapes, except those of reserved characters of ASCII; `None` if one is not valid.
fn decoded(text: &str, is_reserved: impl Fn(char) -> bool) -> Option<String> {
    let digit = |it: char| it.to_digit(16).or_else(|| urllib::digit(it));
    let mut out = String::new();
    let mut rest = text.chars();
    while let Some(it) = rest.next() {
        if it != '%' {
            out.push(it);
            continue;
        }
        let (high, low) = (rest.next()?, rest.next()?);
        let character = char::from_u32(16 * digit(high)? + digit(low)?)?;
        match character.is_ascii() && is_reserved(character) {
            true => out.extend(['%', high, low]),
            false => out.push(character),
        }
    }
    Some(out)
}

/// Encodes characters of ASCII, with small digits.
fn encoded(text: &str, is_encoded: impl Fn(char) -> bool) -> String {
    let write = |it: char| match it.is_ascii() && is_encoded(it) {
        true => format!("%{:02x}", u32::from(it)),
        false => it.to_string(),
    };
    text.chars().map(write).collect()
}

/// `merge-uris` and `render-uri`.
static RESOLVE: &[Step] = &[
    Step::new("parse-uri: the base", "read the base, unless it is unknown", |s| match s.base.is_empty() {
        true => Go,
        false => Call(PARSE, Side::Base),
    }),
    Step::new("parse-uri: the reference", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("merge-uris: step 3", "a reference with a scheme inherits nothing, nor does any other one without a base", |s| {
        if s.base.is_empty() {
            s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
            s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
            s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
            s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
            s.flow(Slot::Merged, Slot::Ref(Part::Path));
            s.set(Slot::Used, "nothing");
            s.flow(Slot::NoDots, Slot::Merged);
            return To(WRITE);
        }
        let next = rfc3986::own_scheme(s, WRITE);
        s.flow(Slot::NoDots, Slot::Merged);
        next
    }),
    Step::new("merge-uris: step 4", "a reference with an authority inherits nothing else, any other one the authority", |s| {
        let next = rfc3986::own_authority(s, WRITE);
        s.flow(Slot::NoDots, Slot::Merged);
        next
    }),
    Step::new("merge-uris: step 2", "without a path, inherit the base's; without a query too, inherit that, and the fragment if there is none", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        if s.present(Slot::Ref(Part::Query)).is_none() {
            s.mark(COPIED);
            s.inherit(Part::Query);
            if s.present(Slot::Ref(Part::Fragment)).is_none() {
                s.inherit(Part::Fragment);
            }
        }
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        s.flow(Slot::NoDots, Slot::Merged);
        To(WRITE)
    }),
    Step::new("merge-uris: step 5", "a path that begins with a slash is not merged, and its dot segments stay", |s| {
        let next = rfc3986::rooted(s, WRITE);
        s.flow(Slot::NoDots, Slot::Merged);
        next
    }),
    Step::new(
        "merge-uris: step 6a, 6b",
        "write the path after the base's up to its last slash, or after a slash if the base has no path; reject a path of the base without a slash first",
        |s| {
            let base = s.get(Slot::Base(Part::Path));
            if !base.is_empty() && !base.starts_with('/') {
                return s.reject(Slot::Base(Part::Path), "it does not begin with a slash");
            }
            let folder = if base.is_empty() { "/" } else { urlstrata_steps::text::folder(base) };
            let parsed = |path: &str, is_escaped: bool| path.split('/').map(|it| parsed(it, is_escaped)).collect::<Vec<_>>().join("/");
            let merged = parsed(folder, has_escape(s, Slot::Base)) + &parsed(s.get(Slot::Ref(Part::Path)), has_escape(s, Slot::Ref));
            s.inherit_as("folder");
            s.set(Slot::Merged, merged);
            Go
        },
    ),
    Step::new("merge-uris: step 6c, 6d", "remove each . segment, and a dot that parameters follow in the last segment", |s| {
        let mut segments: Vec<String> = s.get(Slot::Merged).split('/').map(str::to_owned).collect();
        if let Some(last) = segments.last_mut()
            && until(last, &[';']).0 == "."
        {
            last.remove(0);
        }
        segments.retain(|it| it != ".");
        s.flow(Slot::NoDots, Slot::Merged);
        s.set(Slot::NoDots, segments.join("/"));
        Go
    }),
    Step::new(
        "merge-uris: step 6e, 6f",
        "remove each .. with the segment before it, up to one that is first; parameters may follow the dots, and if the last segment had them, a slash is left",
        |s| {
            let mut segments: Vec<&str> = s.get(Slot::NoDots).split('/').skip(1).collect();
            let is_up = |it: &&str| until(it, &[';']).0 == "..";
            let has_tail = segments.last().is_some_and(is_up);
            while let Some(at) = segments.iter().position(is_up).and_then(|at| at.checked_sub(1)) {
                segments.drain(at..at + 2);
            }
            if has_tail {
                segments.push("");
            }
            let path: String = segments.iter().map(|it| format!("/{it}")).collect();
            s.set(Slot::NoDots, path);
            Go
        },
    ),
    Step::new(WRITE, "write a slash for an empty path", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        if s.get(Slot::Out(Part::Path)).is_empty() {
            s.set(Slot::Out(Part::Path), "/");
        }
        Go
    }),
    Step::new("render-uri: scheme", "if the text has an escape, encode reserved characters in the scheme", |s| {
        let is_escaped = has_escape(s, if s.is_marked(COPIED) { Slot::Base } else { Slot::Ref });
        let scheme = s.get(Slot::Out(Part::Scheme));
        let written = encoded(scheme, |it| is_excluded(it) || ";/?:@&=+$,%".contains(it));
        if is_escaped && written != scheme {
            s.set(Slot::Out(Part::Scheme), written);
        }
        Go
    }),
    Step::new("render-uri: host", "if the text has an escape, encode delimiters in the host", |s| {
        let is_escaped = has_escape(s, if s.is_marked(COPIED) { Slot::Base } else { Slot::Ref });
        rewrite(s, |host, port| match (is_escaped, host.strip_prefix('[').and_then(|it| it.strip_suffix(']'))) {
            (false, _) => format!("{host}{port}"),
            (true, Some(address)) => format!("[{}]{port}", encoded(address, |it| is_excluded(it) || ";/?:@".contains(it))),
            (true, None) => format!("{}{port}", encoded(host, |it| is_excluded(it) || ";/?:@".contains(it))),
        })
    }),
    Step::new("copy-uri: is-ip6", "drop the brackets of the host, if there is a base", |s| match s.base.is_empty() {
        true => Go,
        false => rewrite(s, |host, port| format!("{}{port}", host.trim_start_matches('[').trim_end_matches(']'))),
    }),
    Step::new("render-uri: (eq :file scheme)", "write an empty authority after file", |s| {
        if s.get(Slot::Out(Part::Scheme)) == "file" && s.present(Slot::Out(Part::Authority)).is_none() {
            s.set(Slot::Out(Part::Authority), "");
        }
        Go
    }),
    Step::new("render-uri", "concatenate the components", |s| s.concatenate()),
];

const WRITE: &str = "render-uri: (or path \"/\")";
/// The mark of a target that is a copy of the base.
const COPIED: &str = "the base is copied";

/// Whether a text has a percent sign.
fn has_escape(s: &State<'_>, of: fn(Part) -> Slot) -> bool {
    s.get(of(Part::Text)).contains('%')
}

/// `parse-path` and `render-parsed-path`, for a segment: its parameters are decoded, and all that is reserved is encoded.
fn parsed(segment: &str, is_escaped: bool) -> String {
    let written = |it: &str| {
        let decoded = if is_escaped { decoded(it, |_| false).unwrap_or_default() } else { it.to_owned() };
        encoded(&decoded, |it| is_excluded(it) || ";%/?".contains(it))
    };
    segment.split(';').map(written).collect::<Vec<_>>().join(";")
}

/// Rewrites the target's authority from its host, and its port with the colon.
fn rewrite(s: &mut State<'_>, written: impl Fn(&str, &str) -> String) -> Next {
    let slot = Slot::Out(Part::Authority);
    let Some(authority) = s.present(slot) else { return Go };
    let (host, port) = divided(authority).map_or((authority, String::new()), |(host, port)| (host, format!(":{port}")));
    let rewritten = written(host, &port);
    if rewritten != authority {
        s.set(slot, rewritten);
    }
    Go
}

/// `parse-uri`, and its accessors.
static STATE: &[Step] = &[
    Step::new("parse-uri", "read the URL", |_| Call(PARSE, Side::Reference)),
    Step::new("uri-scheme, uri-path, uri-query, uri-fragment", "state these as they were read; an empty path is absent", |s| {
        for part in [Part::Scheme, Part::Path, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        if s.get(Slot::Ref(Part::Path)).is_empty() {
            s.set(Slot::Out(Part::Path), None::<&str>);
        }
        s.set(Slot::Result, s.reference);
        Go
    }),
    Step::new("uri-host, uri-port, uri-authority", "state the host without brackets, the port, and both", |s| {
        let authority = s.present(Slot::Ref(Part::Authority)).map(str::to_owned);
        let (host, port) = authority.as_deref().map_or((None, None), |it| divided(it).map_or((Some(it), None), |(host, port)| (Some(host), Some(port))));
        let host = host.map(|it| it.trim_start_matches('[').trim_end_matches(']'));
        s.set(Slot::Out(Part::Host), host);
        s.set(Slot::Out(Part::Port), port);
        s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
        let port = port.map(|port| format!(":{port}")).unwrap_or_default();
        s.set(Slot::Out(Part::Authority), host.map(|host| format!("{host}{port}")));
        Done
    }),
];
