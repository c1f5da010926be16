//! @jridgewell/resolve-uri: `resolve(reference, base)`, from 3.1.0 on.
//!
//! Read from `resolve-uri.mjs` of 3.1.0 to 3.1.3. A text has a type: absolute, relative to a scheme, an absolute path, a relative path, a query, a
//! fragment, or empty. The result has the higher type of both texts. A path is normalized as if a slash preceded it.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, until};
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, Witness, no_calls};

/// @jridgewell/resolve-uri.
pub static TABLE: Table = Table {
    engine: "jridgewell-resolve-uri",
    first: "3.1.0",
    changes: &[&BRACKETS],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE)],
    called: &[PARSE_URL],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static BRACKETS: Change = Change {
    id: "3.1.3",
    versions: &["3.1.3"],
    date: "2026",
    issue: "",
    says: "a host in brackets contains colons and ends at the closing bracket",
    witness: Witness::resolving("", "//[::1]/a", Some("//[/"), Some("//[::1]/a")),
};

/// The types of texts, in their order.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Type {
    Empty,
    Hash,
    Query,
    RelativePath,
    AbsolutePath,
    SchemeRelative,
    Absolute,
}

/// The type of a text, by its components.
fn kind(s: &State<'_>, of: fn(Part) -> Slot) -> Type {
    let has = |part| s.present(of(part)).is_some();
    let path = s.get(of(Part::Path));
    match () {
        () if has(Part::Scheme) => Type::Absolute,
        () if has(Part::Authority) => Type::SchemeRelative,
        () if path.starts_with('/') => Type::AbsolutePath,
        () if !path.is_empty() => Type::RelativePath,
        () if has(Part::Query) => Type::Query,
        () if has(Part::Fragment) => Type::Hash,
        () => Type::Empty,
    }
}

/// The mark of a base with a relative path, which may be empty when it is normalized.
const BASE_PATH: &str = "the base has a relative path";

/// The type of the result.
fn kind_of_result(s: &State<'_>) -> Type {
    let own = kind(s, Slot::Ref);
    let base = if s.is_marked(BASE_PATH) { Type::RelativePath } else { kind(s, Slot::Base) };
    if s.base.is_empty() { own } else { own.max(base) }
}

/// `parseUrl`, for the base and the reference.
static PARSE_URL: &[Step] = &[
    Step::new("schemeRegex", "letters, digits, _, +, - and . before a colon and two slashes are the scheme", |s| {
        s.rest = s.given().to_owned();
        s.write_text();
        let is_name = |name: &str| {
            !name.is_empty() && name.bytes().all(|it| it.is_ascii_alphanumeric() || b"_+.-".contains(&it))
        };
        let found = s.rest.split_once("://").filter(|(name, _)| is_name(name)).map(|(name, _)| name.to_owned());
        s.rest = s.rest[found.as_ref().map_or(0, |name| name.len() + 1)..].to_owned();
        s.set(s.own(Part::Scheme), found);
        Go
    }),
    Step::new("isFileUrl", "file before a colon is the scheme, also without slashes", |s| {
        let slot = s.own(Part::Scheme);
        if s.present(slot).is_none()
            && let Some(rest) = s.rest.strip_prefix("file:")
        {
            s.rest = rest.to_owned();
            s.set(slot, "file");
        }
        Go
    }),
    Step::new(
        "fileRegex: the host",
        "the host of a file is between two slashes and /, ? or #, unless it begins with a letter and a colon",
        |s| {
            if !is_file(s) {
                return Go;
            }
            let rest = std::mem::take(&mut s.rest);
            let after = rest.strip_prefix("//");
            let (host, rest) = match after {
                Some(after) if is_drive(after) => ("", after),
                Some(after) => until(after, &['/', '?', '#']),
                None => ("", rest.as_str()),
            };
            s.set(s.own(Part::Authority), host);
            s.rest = rest.to_owned();
            Go
        },
    ),
    Step::new(
        "urlRegex: user, host and port",
        "after two slashes, a user with an @, a host up to a colon, and a port of digits are the authority",
        |s| cut_authority(s, |_| None),
    )
    .until(&BRACKETS),
    Step::new(
        "urlRegex: user, host in brackets, and port",
        "after two slashes, a user with an @, a host in brackets or up to a colon, and a port of digits are the authority",
        |s| {
            cut_authority(s, |host| {
                let end = host.find(']').filter(|end| *end > 1 && host.starts_with('['))?;
                Some(end + 1)
            })
        },
    )
    .since(&BRACKETS),
    Step::new("urlRegex: path", "the path ends at the first ? or #", |s| {
        let rest = std::mem::take(&mut s.rest);
        let is_path = s.present(s.own(Part::Authority)).is_none() || is_file(s) || rest.starts_with('/');
        let (path, rest) = if is_path { until(&rest, &['?', '#']) } else { ("", rest.as_str()) };
        s.set(s.own(Part::Path), path);
        s.rest = rest.to_owned();
        Go
    }),
    Step::new("urlRegex: query", "the query is between ? and #", |s| {
        let rest = std::mem::take(&mut s.rest);
        let (query, rest) = match rest.strip_prefix('?') {
            Some(after) => {
                let (query, rest) = until(after, &['#']);
                (Some(query), rest)
            }
            None => (None, rest.as_str()),
        };
        s.set(s.own(Part::Query), query);
        s.rest = rest.to_owned();
        Go
    }),
    Step::new("urlRegex: hash", "the fragment is after #, up to the end of a line; drop the text that remains", |s| {
        let rest = std::mem::take(&mut s.rest);
        let fragment = rest.strip_prefix('#').map(|after| until(after, &['\n', '\r', '\u{2028}', '\u{2029}']).0);
        s.set(s.own(Part::Fragment), fragment);
        Go
    }),
    Step::new("parseAbsoluteUrl", "a path after an authority begins with a slash", |s| {
        let slot = s.own(Part::Path);
        if s.present(s.own(Part::Authority)).is_some() && !s.get(slot).starts_with('/') {
            let path = format!("/{}", s.get(slot));
            s.set(slot, path);
        }
        Go
    }),
];

/// `resolve`.
static RESOLVE: &[Step] = &[
    Step::new("resolve: nothing", "return nothing if both texts are empty", |s| {
        match s.base.is_empty() && s.reference.is_empty() {
            true => s.return_text(""),
            false => Go,
        }
    }),
    Step::new("resolve: parseUrl(input)", "read the reference", |_| Call(PARSE_URL, Side::Reference)),
    Step::new("resolve: Absolute", "an absolute reference, or one without a base, inherits nothing", |s| {
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        for part in [Part::Scheme, Part::Authority, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        match s.base.is_empty() || kind(s, Slot::Ref) == Type::Absolute {
            true => To("normalizePath"),
            false => Go,
        }
    }),
    Step::new("resolve: parseUrl(base)", "read the base", |_| Call(PARSE_URL, Side::Base)),
    Step::new("resolve: SchemeRelative", "any other reference inherits the scheme", |s| {
        s.inherit(Part::Scheme);
        match kind(s, Slot::Ref) >= Type::SchemeRelative {
            true => To("normalizePath"),
            false => Go,
        }
    }),
    Step::new("resolve: AbsolutePath", "a reference without an authority inherits it", |s| {
        s.inherit(Part::Authority);
        match kind(s, Slot::Ref) == Type::AbsolutePath {
            true => To("normalizePath"),
            false => Go,
        }
    }),
    Step::new("resolve: Hash", "a reference with only a fragment inherits the query", |s| {
        if kind(s, Slot::Ref) <= Type::Hash {
            s.inherit(Part::Query);
        }
        Go
    }),
    Step::new("resolve: Empty", "an empty reference inherits the fragment, too", |s| {
        if kind(s, Slot::Ref) == Type::Empty {
            s.inherit(Part::Fragment);
        }
        Go
    }),
    Step::new("mergePaths: normalizePath", "normalize the base's path", |s| {
        let is_relative = kind(s, Slot::Base) <= Type::RelativePath;
        if kind(s, Slot::Base) == Type::RelativePath {
            s.mark(BASE_PATH);
        }
        let path = normalized(s.get(Slot::Base(Part::Path)), is_relative);
        s.set(Slot::Base(Part::Path), path);
        Go
    }),
    Step::new("mergePaths: an empty path", "without a path, inherit the base's", |s| {
        if !s.get(Slot::Ref(Part::Path)).is_empty() {
            return Go;
        }
        s.inherit_as("path");
        s.flow(Slot::Merged, Slot::Base(Part::Path));
        To("normalizePath")
    }),
    Step::new("stripPathFilename", "the path follows the base's up to its last slash, or all of it if that ends in ..", |s| {
        s.inherit_as("folder");
        let base = s.get(Slot::Base(Part::Path));
        let is_up = base == ".." || base.ends_with("/..");
        let folder = if is_up { format!("{base}/") } else { base[..base.rfind('/').map_or(0, |at| at + 1)].to_owned() };
        let merged = folder + s.get(Slot::Ref(Part::Path));
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new(
        "normalizePath",
        "remove empty segments, . segments, and .. segments with those before them; excess .. segments remain in a relative path; \
         a slash remains at the end after other segments than ..",
        |s| {
            let path = normalized(s.get(Slot::Merged), kind_of_result(s) <= Type::RelativePath);
            s.flow(Slot::NoDots, Slot::Merged);
            s.set(Slot::NoDots, path);
            Go
        },
    ),
    Step::new("resolve: Query", "write no path if neither text has one", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        if matches!(kind_of_result(s), Type::Hash | Type::Query) {
            s.set(Slot::Out(Part::Path), "");
        }
        Go
    }),
    Step::new("resolve: an empty relative path", "write a dot for an empty relative path without a query and a fragment", |s| {
        let has = |part| s.present(Slot::Out(part)).is_some();
        let is_empty = kind_of_result(s) == Type::RelativePath && s.get(Slot::Out(Part::Path)).is_empty();
        if is_empty && !has(Part::Query) && !has(Part::Fragment) {
            s.set(Slot::Out(Part::Path), ".");
        }
        Go
    }),
    Step::new("resolve: ./", "write ./ before a relative path if the base, or the reference without a base, begins with ., ? or #", |s| {
        let starts = |text: &str| text.starts_with(['.', '?', '#']);
        let first = if s.base.is_empty() { s.get(Slot::Ref(Part::Text)) } else { s.get(Slot::Base(Part::Text)) };
        let path = s.get(Slot::Out(Part::Path));
        if kind_of_result(s) == Type::RelativePath && starts(first) && !path.is_empty() && !starts(path) {
            let path = format!("./{path}");
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    }),
    Step::new("resolve: concat", "concatenate the components", |s| s.concatenate()),
];

fn is_file(s: &State<'_>) -> bool {
    s.get(s.own(Part::Scheme)) == "file"
}

fn is_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// Cuts the authority. `brackets` returns the length of a host in brackets.
fn cut_authority(s: &mut State<'_>, brackets: impl Fn(&str) -> Option<usize>) -> Next {
    if is_file(s) {
        return Go;
    }
    let rest = std::mem::take(&mut s.rest);
    let slot = s.own(Part::Authority);
    let Some(after) = rest.strip_prefix("//") else {
        s.set(slot, None::<&str>);
        s.rest = rest;
        return Go;
    };
    let region = until(after, &['/', '?', '#']).0;
    let user = cut(region, "@").1.map_or(0, |host| region.len() - host.len());
    let host = &after[user..];
    let end = brackets(host).unwrap_or_else(|| until(host, &[':', '/', '?', '#']).0.len());
    let digits = host[end..].strip_prefix(':').map_or(0, |port| {
        let count = port.len() - port.trim_start_matches(|it: char| it.is_ascii_digit()).len();
        if count > 0 { count + 1 } else { 0 }
    });
    let (authority, rest) = after.split_at(user + end + digits);
    s.set(slot, authority);
    s.rest = rest.to_owned();
    Go
}

/// `normalizePath`. A relative path has no slash at its beginning.
fn normalized(path: &str, is_relative: bool) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut real = 0;
    let mut ends_in_slash = false;
    for piece in path.split('/') {
        ends_in_slash = piece.is_empty();
        match piece {
            "" => {}
            ".." if real > 0 => {
                real -= 1;
                kept.pop();
                ends_in_slash = true;
            }
            ".." if is_relative => kept.push(piece),
            "." | ".." => {}
            _ => {
                real += 1;
                kept.push(piece);
            }
        }
    }
    let root = if is_relative { "" } else { "/" };
    let has_end = ends_in_slash && kept.last().is_some_and(|last| *last != "..");
    format!("{root}{}{}", kept.join("/"), if has_end { "/" } else { "" })
}
