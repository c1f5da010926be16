//! ufo: `parseURL(url)`, and `parseHost` for its host, from 0.8.6 on.
//!
//! Read from `dist/index.mjs` of ufo 0.8.6, 1.0.0 to 1.5.4, and 1.6.4. Patterns divide the text; each part ends at a line end.

mod changes;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, is_escape, until};
use urlstrata_steps::{Next::*, Question, State, Step, Table, no_calls};

use changes::{BACKSLASH, CASE, DRIVE, FILE, LETTERS, PORT, SCRIPT, SPACES, START};

/// ufo.
pub static TABLE: Table = Table {
    engine: "ufo",
    first: "0.8.6",
    changes: &[&DRIVE, &LETTERS, &PORT, &BACKSLASH, &SPACES, &SCRIPT, &START, &CASE, &FILE],
    dated: &[],
    questions: &[(Question::Parse, PARSE)],
    called: &[],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// What `\s` matches.
fn is_space(it: char) -> bool {
    it.is_whitespace() && it != '\u{85}' || it == '\u{feff}'
}

/// Returns the text up to its first line end: what `.*` matches.
fn line(text: &str) -> &str {
    until(text, &['\n', '\r', '\u{2028}', '\u{2029}']).0
}

fn is_slash(it: char) -> bool {
    matches!(it, '/' | '\\')
}

/// `hasProtocol` for a scheme.
fn has_scheme(s: &State<'_>) -> bool {
    let (name, rest) = cut(s.reference, ":");
    let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let is_part = |it: char| is_word(it) || s.has(&START) && (is_space(it) || matches!(it, '\0' | '+' | '.' | '-'));
    let least = if s.has(&LETTERS) { 2 } else { 1 };
    rest.is_some() && name.encode_utf16().count() >= least && name.chars().all(is_part)
}

/// `hasProtocol` for two slashes.
fn has_slashes(s: &State<'_>) -> bool {
    let text = s.reference;
    match () {
        () if s.has(&SPACES) => {
            let Some(rest) = text.strip_prefix(is_slash).and_then(|rest| rest.trim_start_matches(is_space).strip_prefix(is_slash)) else {
                return false;
            };
            !rest.trim_start_matches(is_slash).is_empty()
        }
        () if s.has(&BACKSLASH) => {
            let rest = text.strip_prefix(is_slash).and_then(|rest| rest.strip_prefix(is_slash));
            rest.is_some_and(|rest| rest.starts_with(|it| !is_slash(it)))
        }
        () => text.strip_prefix("//").is_some_and(|rest| rest.starts_with(|it| it != '/')),
    }
}

/// Divides a text at the first two slashes that the pattern finds: the scheme with its colon, and the rest.
fn divided<'a>(s: &State<'_>, text: &'a str) -> Option<(&'a str, &'a str)> {
    if !s.has(&START) {
        let at = text.find("//")?;
        let before = text[..at].strip_suffix(':').unwrap_or_default();
        let name = &before[before.rfind(['/', ':']).map_or(0, |slash| slash + 1)..];
        return Some((name, &text[at + 2..]));
    }
    let text = text.trim_start_matches(|it| is_space(it) || it == '\0');
    let is_part = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '+' | '.' | '-');
    let (name, rest) = cut(text, ":");
    match rest.filter(|_| name.len() >= 2 && name.chars().all(is_part)) {
        Some(rest) => rest.strip_prefix("//").map(|rest| (name, rest)),
        None => text.strip_prefix("//").map(|rest| ("", rest)),
    }
}

/// The schemes that are followed by a path alone.
const SCRIPTS: &[&str] = &["blob", "data", "javascript", "vbscript"];

static PARSE: &[Step] = &[
    Step::new("parseURL: _specialProtoMatch", "what follows `blob:`, `data:`, `javascript:` or `vbscript:` is the path", |s| {
        let text = s.reference.trim_start_matches(|it| is_space(it) || it == '\0');
        let (name, rest) = cut(text, ":");
        let is_script = |script: &&str| *script == name || s.has(&CASE) && script.eq_ignore_ascii_case(name);
        let Some(rest) = rest.filter(|_| SCRIPTS.iter().any(is_script)) else { return Go };
        s.set(Slot::Ref(Part::Scheme), name);
        s.set(Slot::Ref(Part::Path), line(rest));
        for part in [Part::Userinfo, Part::Authority, Part::Query, Part::Fragment] {
            s.set(Slot::Ref(part), "");
        }
        To("parseURL: toLowerCase")
    })
    .since(&SCRIPT),
    Step::new("hasProtocol", "a text without a scheme and without two slashes at its start is a path, a query and a fragment", |s| {
        s.rest = s.reference.to_owned();
        if has_scheme(s) || has_slashes(s) {
            return Go;
        }
        for part in [Part::Scheme, Part::Userinfo, Part::Authority] {
            s.set(Slot::Ref(part), None::<&str>);
        }
        To("parsePath")
    }),
    Step::new("parseURL: replace", "write the backslashes as slashes", |s| {
        let rest = s.rest.replace('\\', "/");
        if rest != s.rest {
            s.rest = rest;
            s.decide(Slot::Ref(Part::Authority));
            s.decide(Slot::Ref(Part::Path));
        }
        Go
    }),
    Step::new(
        "parseURL: match",
        "two slashes precede the authority, and a colon before them ends the scheme; the user is before the first @ that precedes the next slash, \
         and may contain ? and #; without the two slashes, all is empty",
        |s| {
        let rest = std::mem::take(&mut s.rest);
        let (name, rest) = divided(s, &rest).unwrap_or_default();
        s.set(Slot::Ref(Part::Scheme), name);
        s.rest = line_after_user(rest).to_owned();
        let user = rest.strip_suffix(s.rest.as_str()).unwrap_or_default().to_owned();
        if !user.is_empty() {
            s.decide(Slot::Ref(Part::Authority));
        }
        s.set(Slot::Ref(Part::Userinfo), user.strip_suffix('@').unwrap_or_default());
        s.rest = line(&s.rest).to_owned();
        Go
    }),
    Step::new("parseURL: hostAndPath", "the host ends at /, ? or #", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (host, rest) = until(&rest, &['/', '?', '#']);
        s.set(Slot::Ref(Part::Authority), host);
        s.rest = rest.to_owned();
        Go
    }),
    Step::new("parseURL: a drive letter", "remove the first slash before a letter and a colon", |s| {
        remove_slash(s);
        Go
    })
    .since(&DRIVE)
    .until(&FILE),
    Step::new("parseURL: file:", "of a `file` URL, remove the first slash before a letter and a colon", |s| {
        if s.get(Slot::Ref(Part::Scheme)) == "file" {
            remove_slash(s);
        }
        Go
    })
    .since(&FILE),
    Step::new("parsePath", "the path ends at ? or #, the query at #, and the fragment at a line end", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (before, fragment) = cut(&rest, "#");
        let (path, query) = cut(before, "?");
        s.set(Slot::Ref(Part::Path), path);
        s.set(Slot::Ref(Part::Query), query.unwrap_or_default());
        s.set(Slot::Ref(Part::Fragment), line(fragment.unwrap_or_default()));
        Go
    }),
    Step::new("parseURL: toLowerCase", "write the scheme in lower case", |s| {
        if let Some(name) = s.present(Slot::Ref(Part::Scheme)) {
            let name = name.to_lowercase();
            s.set(Slot::Ref(Part::Scheme), name);
        }
        Go
    })
    .since(&CASE),
    Step::new("parseURL", "state the parts", |s| {
        for part in [Part::Scheme, Part::Userinfo, Part::Authority, Part::Path, Part::Query, Part::Fragment] {
            s.copy(Slot::Out(part), Slot::Ref(part));
        }
        s.set(Slot::Out(Part::Host), None::<&str>);
        s.set(Slot::Out(Part::Port), None::<&str>);
        s.set(Slot::Result, s.reference);
        if s.present(Slot::Out(Part::Authority)).is_some() { Go } else { Done }
    }),
    Step::new("parseHost: the whole", "the host is the authority", |s| {
        s.flow(Slot::Out(Part::Host), Slot::Out(Part::Authority));
        Go
    })
    .until(&PORT),
    Step::new("parseHost", "the host ends at a colon, and the digits after it are the port", |s| {
        let (host, rest) = cut(s.get(Slot::Out(Part::Authority)), ":");
        let rest = rest.unwrap_or_default();
        let end = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
        let (host, port) = (host.to_owned(), Some(rest[..end].to_owned()).filter(|port| !port.is_empty()));
        s.set(Slot::Out(Part::Host), host);
        s.set(Slot::Out(Part::Port), port);
        Go
    })
    .since(&PORT),
    Step::new("parseHost: decode", "decode the host, unless an escape in it is wrong", |s| {
        if let Some(host) = decoded(s.get(Slot::Out(Part::Host))) {
            s.set(Slot::Out(Part::Host), host);
        }
        Go
    }),
];

/// Returns the text after the user and the @ that ends it, which precede the next slash.
fn line_after_user(text: &str) -> &str {
    match text.find(['/', '@']).filter(|at| *at > 0 && text[*at..].starts_with('@')) {
        Some(at) => &text[at + 1..],
        None => text,
    }
}

/// Removes the first slash of the unread rest that a letter and a colon follow.
fn remove_slash(s: &mut State<'_>) {
    let is_drive = |text: &str| matches!(text.as_bytes(), [b'/', letter, b':', ..] if letter.is_ascii_alphabetic());
    let found = s.rest.match_indices('/').map(|(at, _)| at).find(|at| is_drive(&s.rest[*at..]));
    if let Some(at) = found {
        s.rest.remove(at);
        s.decide(Slot::Ref(Part::Path));
    }
}

/// `decodeURIComponent`: `None` for a percent sign that begins no escape, and for what is not UTF-8.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        bytes.extend(rest[..at].bytes());
        rest = Some(&rest[at..]).filter(|rest| is_escape(rest))?;
        bytes.push(u8::from_str_radix(&rest[1..3], 16).ok()?);
        rest = &rest[3..];
    }
    bytes.extend(rest.bytes());
    String::from_utf8(bytes).ok()
}
