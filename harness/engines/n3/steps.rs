//! N3.js: `new Parser({ baseIRI: base })`, and the IRI `<reference>` in its document, from 1.26.0 on.
//!
//! Read from `src/N3Parser.js` and `src/N3Lexer.js` of n3 1.26.0, 2.7.12 and 2.13.12. It joins texts: a text is divided into components here only to
//! show them. The reference is written with escapes, so that the parser checks each character.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{components, cut, scheme, until};
use urlstrata_steps::{Change, Next, Next::*, Question, State, Step, Table, Witness, no_calls};

/// N3.js.
pub static TABLE: Table = Table {
    engine: "n3",
    first: "1.26.0",
    changes: &[&EMPTY_PATH, &REFERENCE_AUTHORITY, &ROOT, &QUERY, &PATHS],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE_IRI)],
    called: &[],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// 2.7.12 does not have this change and the next four, and no version between it and 2.13.12 was read.
static EMPTY_PATH: Change = Change {
    id: "_basePath",
    versions: &["2.13.12"],
    date: "2026-10-10",
    issue: "",
    says: "a slash precedes a path that follows an authority without a path",
    witness: Witness::resolving("http://a", "b", Some("http://b"), Some("http://a/b")),
};

static REFERENCE_AUTHORITY: Change = Change {
    id: "_baseScheme",
    versions: &["2.13.12"],
    date: "2026-10-10",
    issue: "",
    says: "a reference that begins with two slashes keeps its authority, and resolves without a base",
    witness: Witness::resolving("http://a/b", "//c/../d", Some("http://d"), Some("http://c/d")),
};

static ROOT: Change = Change {
    id: "_baseRoot",
    versions: &["2.13.12"],
    date: "2026-10-10",
    issue: "",
    says: "an authority ends at a question mark, too",
    witness: Witness::resolving("http://a?b", "/c", Some("http://a?b/c"), Some("http://a/c")),
};

static QUERY: Change = Change {
    id: "queryPos",
    versions: &["2.13.12"],
    date: "2026-10-10",
    issue: "",
    says: "a query that replaces the base's is not read as a pattern of a replacement",
    witness: Witness::resolving("http://a/b", "?$$", Some("http://a/b?$"), Some("http://a/b?$$")),
};

static PATHS: Change = Change {
    id: "pathDotSegments",
    versions: &["2.13.12"],
    date: "2026-10-10",
    issue: "",
    says: "a text without a dot segment in the base's path and in that of the reference is not searched for dot segments, also not after a colon before ?",
    witness: Witness::resolving("foo:a/b", "c/d:?e/../f", Some("foo:a/c/f"), Some("foo:a/c/d:?e/../f")),
};

static RESOLVE_IRI: &[Step] = &[
    Step::new("N3Lexer: illegalIriChars", "reject a reference with a control character, a space, a backslash, or one of <>\"{}|^`", |s| {
        let slot = Slot::Ref(Part::Text);
        match s.get(slot).contains(|it| matches!(it, '\0'..=' ' | '<' | '>' | '\\' | '"' | '{' | '}' | '|' | '^' | '`')) {
            true => s.reject(slot, "it contains a character that an IRI does not have"),
            false => Go,
        }
    }),
    Step::new("_resolveIRI", "return a reference with a scheme as it is", |s| {
        let name = scheme(s.reference).map(|(name, _)| name);
        s.set(Slot::Ref(Part::Scheme), name);
        if name.is_some() { s.return_text(s.reference) } else { Go }
    }),
    Step::new("_setBase: fragmentPos", "remove the base's fragment", |s| {
        s.set(Slot::Base(Part::Text), cut(s.base, "#").0);
        Go
    }),
    Step::new("_resolveRelativeIRI: !iri.length", "an empty reference is the base", |s| match s.reference.is_empty() {
        true => {
            s.set(Slot::Used, "scheme, authority, path, query");
            s.return_text(s.get(Slot::Base(Part::Text)).to_owned())
        }
        false => Go,
    }),
    Step::new("_resolveRelativeIRI: #", "a fragment follows the base", |s| match s.reference.starts_with('#') {
        true => {
            let target = format!("{}{}", s.get(Slot::Base(Part::Text)), s.reference);
            s.set(Slot::Used, "scheme, authority, path, query");
            s.set(Slot::Result, target);
            Done
        }
        false => Go,
    }),
    Step::new(
        "_resolveRelativeIRI: replace(/(?:\\?.*)?$/, iri)",
        "a query replaces the base's, in which it is the pattern of a replacement: two dollar signs are one, and one before & is the base's query",
        |s| {
            let base = s.get(Slot::Base(Part::Text));
            let from = base.match_indices('?').map(|(at, _)| at).find(|at| !base[*at..].contains(is_end)).unwrap_or(base.len());
            let replaced = replacement(s.reference, &base[from..]);
            let target = format!("{}{replaced}", &base[..from]);
            write_query(s, target)
        },
    )
    .until(&QUERY),
    Step::new("_resolveRelativeIRI: ?", "a query replaces the base's", |s| {
        let target = format!("{}{}", cut(s.get(Slot::Base(Part::Text)), "?").0, s.reference);
        write_query(s, target)
    })
    .since(&QUERY),
    Step::new("_setBase: _baseScheme", "a letter, then letters, digits, +, - and . before a colon are the base's scheme", |s| {
        let base = s.get(Slot::Base(Part::Text)).to_owned();
        let divided = scheme(&base);
        s.set(Slot::Base(Part::Scheme), divided.map(|(name, _)| name));
        s.inherit(Part::Scheme);
        s.rest = divided.map_or(base.as_str(), |(_, rest)| rest).to_owned();
        Go
    }),
    Step::new("_setBase: _baseRoot", "after two slashes, the base's authority ends at a slash", |s| read_root(s, &['/'])).until(&ROOT),
    Step::new("_setBase: _baseRoot, /[^\\/?#]*/", "after two slashes, the base's authority ends at a slash or ?", |s| read_root(s, &['/', '?']))
        .since(&ROOT),
    Step::new(
        "_resolveRelativeIRI: _baseScheme + _removeDotSegments(iri)",
        "a reference that begins with two slashes, without its dot segments, follows the base's scheme, or the text `undefined` without one",
        |s| match s.reference.strip_prefix("//") {
            Some(_) => {
                let before = s.present(Slot::Base(Part::Scheme)).map_or("undefined".to_owned(), |name| format!("{name}:"));
                let target = before + &without_dots(s.reference, &['/']);
                s.set(Slot::Result, target);
                Done
            }
            None => Go,
        },
    )
    .until(&REFERENCE_AUTHORITY),
    Step::new(
        "_resolveRelativeIRI: _removeDotSegments(_baseScheme + iri)",
        "a reference that begins with two slashes follows the base's scheme, without the dot segments of its path",
        |s| match s.reference.strip_prefix("//") {
            Some(_) => {
                let before = format!("{}:", s.get(Slot::Base(Part::Scheme)));
                let target = without_dots(&(before + s.reference), &['/', '?', '#']);
                let has_scheme = s.present(Slot::Base(Part::Scheme)).is_some();
                let target = if has_scheme { target } else { target.strip_prefix(':').unwrap_or(&target).to_owned() };
                s.set(Slot::Result, target);
                Done
            }
            None => Go,
        },
    )
    .since(&REFERENCE_AUTHORITY),
    Step::new(
        "_resolveRelativeIRI: _baseRoot",
        "a reference that begins with a slash, without its dot segments, follows the scheme and the authority of the base, or the text `undefined` without \
         a base",
        |s| {
            if s.present(Slot::Base(Part::Authority)).is_some() {
                s.inherit(Part::Authority);
            }
            if !s.reference.starts_with('/') {
                return Go;
            }
            let before = if s.base.is_empty() { "undefined".to_owned() } else { root(s) };
            s.set(Slot::Merged, until(s.reference, &['?', '#']).0);
            let target = before + &without_dots(s.reference, ends(s));
            finish(s, target)
        },
    ),
    Step::new("_resolveRelativeIRI: /^[^/:]*:/", "reject a reference with a colon that no slash precedes", |s| {
        match until(s.reference, &['/']).0.contains(':') {
            true => s.reject(Slot::Ref(Part::Text), "a colon precedes its first slash"),
            false => Go,
        }
    }),
    Step::new(
        "_setBase: replace(/[^\\/?]*(?:\\?.*)?$/, '')",
        "the reference follows the base up to the last slash before its query, or the whole base if that has no slash",
        |s| {
            let base = s.get(Slot::Base(Part::Text)).to_owned();
            let queries = base.match_indices('?').map(|(at, _)| at).filter(|at| !base[*at..].contains(is_end));
            let end = queries.into_iter().next().unwrap_or(base.len());
            let start = base[..end].rfind(['/', '?']).map_or(0, |at| at + 1);
            follow(s, if base.contains('/') { base[..start].to_owned() } else { base })
        },
    )
    .until(&EMPTY_PATH),
    Step::new(
        "_setBase: _basePath",
        "the reference follows the base up to the last slash before its query, a slash after an authority without a path, or the whole base if that has no \
         slash",
        |s| {
            let base = s.get(Slot::Base(Part::Text)).to_owned();
            let path = cut(&base, "?").0;
            let folder = if base.contains('/') { path[..path.rfind('/').map_or(0, |at| at + 1)].to_owned() } else { base.clone() };
            let is_empty = s.present(Slot::Base(Part::Authority)).is_some() && s.get(Slot::Base(Part::Path)).is_empty();
            let folder = if is_empty { root(s) + "/" } else { folder };
            follow(s, folder)
        },
    )
    .since(&EMPTY_PATH),
    Step::new("_resolveRelativeIRI: pathDotSegments", "write this text as it is if neither the base up to there nor the reference's path has a dot segment", |s| {
        let before = s.rest.strip_suffix(s.reference).unwrap_or_default();
        let has_dots = |text: &str| text.split('/').any(|segment| matches!(until(segment, &['?', '#']).0, "." | ".."));
        if has_dots(before) || has_dots(until(s.reference, &['?', '#']).0) {
            return Go;
        }
        let target = std::mem::take(&mut s.rest);
        s.flow(Slot::NoDots, Slot::Merged);
        s.set(Slot::Result, target);
        Done
    })
    .since(&PATHS),
    Step::new(
        "_removeDotSegments",
        "remove each . segment, and each .. with the segment before it, from the path of the whole text; a character after each colon before an authority \
         is not read",
        |s| {
            let target = without_dots(&s.rest, ends(s));
            finish(s, target)
        },
    ),
];

/// Returns whether a character ends a line in a pattern.
fn is_end(it: char) -> bool {
    matches!(it, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// Returns what replaces `matched`: after a dollar sign, another one means itself, & means `matched`, and an apostrophe means the text after it.
fn replacement(pattern: &str, matched: &str) -> String {
    let mut parts = pattern.split('$');
    let mut out = parts.next().unwrap_or_default().to_owned();
    while let Some(part) = parts.next() {
        match part.chars().next() {
            None => match parts.next() {
                Some(next) => out = out + "$" + next,
                None => out.push('$'),
            },
            Some('&') => out = out + matched + &part[1..],
            Some('\'') => out.push_str(&part[1..]),
            Some(_) => out = out + "$" + part,
        }
    }
    out
}

fn write_query(s: &mut State<'_>, target: String) -> Next {
    if !s.reference.starts_with('?') {
        return Go;
    }
    s.set(Slot::Used, "scheme, authority, path");
    s.set(Slot::Result, target);
    Done
}

/// Reads the authority and the path of the base.
fn read_root(s: &mut State<'_>, ends: &[char]) -> Next {
    let rest = std::mem::take(&mut s.rest);
    let divided = rest.strip_prefix("//").map(|rest| until(rest, ends));
    s.set(Slot::Base(Part::Authority), divided.map(|(authority, _)| authority));
    let (path, query) = cut(divided.map_or(rest.as_str(), |(_, rest)| rest), "?");
    s.set(Slot::Base(Part::Path), path);
    s.set(Slot::Base(Part::Query), query);
    Go
}

/// Returns the scheme and the authority of the base.
fn root(s: &State<'_>) -> String {
    let scheme = s.present(Slot::Base(Part::Scheme)).map(|name| format!("{name}:")).unwrap_or_default();
    let authority = s.present(Slot::Base(Part::Authority)).map(|authority| format!("//{authority}")).unwrap_or_default();
    scheme + &authority
}

/// Returns the characters that end an authority.
fn ends(s: &State<'_>) -> &'static [char] {
    if s.has(&ROOT) { &['/', '?', '#'] } else { &['/'] }
}

/// Writes the reference after a text, as the unread rest.
fn follow(s: &mut State<'_>, before: String) -> Next {
    s.inherit_as("folder");
    s.rest = before + s.reference;
    let merged = components(&s.rest)[2].map(str::to_owned);
    s.set(Slot::Merged, merged);
    Go
}

/// Writes the target, and its path as the one without dot segments.
fn finish(s: &mut State<'_>, target: String) -> Next {
    s.flow(Slot::NoDots, Slot::Merged);
    let path = components(&target)[2].map(str::to_owned);
    s.set(Slot::NoDots, path);
    s.set(Slot::Result, target);
    Done
}

/// `_removeDotSegments`: reads a text segment by segment. The path begins after the authority, which follows the first colon with two slashes.
fn without_dots(text: &str, ends: &[char]) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut copied, mut at) = (String::new(), 0, 0);
    let mut path: Option<usize> = None;
    loop {
        let (name, after) = until(text.get(at..).unwrap_or_default(), &['/', '?', '#']);
        if matches!(name, "." | "..") {
            out.push_str(text.get(copied..at.saturating_sub(1)).unwrap_or_default());
            if name == ".." {
                match out.rfind('/') {
                    Some(slash) if path.is_none_or(|path| slash >= path) => out.truncate(slash),
                    None if path.is_none() => out.clear(),
                    _ => {}
                }
            }
            if !after.starts_with('/') {
                return out + if at == 0 && name == "." { "" } else { "/" } + after;
            }
            copied = at + name.len();
            at = copied + 1;
            continue;
        }
        // The next segment begins after a slash that is read.
        loop {
            match bytes.get(at) {
                None | Some(b'?' | b'#') => return out + text.get(copied..).unwrap_or_default(),
                Some(b'/') => break at += 1,
                Some(b':') if path.is_none() => match bytes.get(at + 1..at + 3) {
                    Some(b"//") => {
                        let rest = text.get(at + 3..).unwrap_or_default();
                        at += 3 + until(rest, ends).0.len();
                        path = Some(at);
                    }
                    _ => at += if bytes.get(at + 1) == Some(&b'/') { 3 } else { 2 },
                },
                Some(_) => at += 1,
            }
        }
    }
}
