//! Symfony's `UriResolver::resolve($reference, $base)`, from 5.4.53 on.
//!
//! Read from `UriResolver.php` of the component DomCrawler 5.4.53, 6.4.50 and 7.4.22. It joins texts, and reads the scheme of the reference and the path of
//! the base with `parse_url` of the PHP that runs it: that of the recordings is 8.4, or 8.2 for 5.4.53.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, until};
use urlstrata_steps::{Change, Next::*, Question, Step, Table, Witness};

use crate::php_parse_url;

/// Symfony's `UriResolver`.
pub static TABLE: Table = Table {
    engine: "symfony-uri-resolver",
    first: "5.4.53",
    changes: &[&EMPTY, &ROOTED, &TAIL, &DOTS],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE)],
    called: &[],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |_| vec![(&php_parse_url::TABLE, "8.4.0".to_owned())],
};

/// 6.4.41 does not have this change and the next three, and no version between it and 6.4.50 was read. The date is that of Debian's packages of 6.4.50
/// and 7.4.22.
static EMPTY: Change = Change {
    id: "cleanupAnchor",
    versions: &["7.4.22", "6.4.50"],
    date: "2026-10",
    issue: "",
    says: "an empty reference loses the base's fragment, and 0 is not an empty one",
    witness: Witness::resolving("http://a/b#f", "", Some("http://a/b#f"), Some("http://a/b")),
};

static ROOTED: Change = Change {
    id: "canonicalizePath($uri)",
    versions: &["7.4.22", "6.4.50"],
    date: "2026-10",
    issue: "",
    says: "dot segments are removed from a reference that begins with a slash",
    witness: Witness::resolving("http://a/b/c", "/./d", Some("http://a/./d"), Some("http://a/d")),
};

static TAIL: Change = Change {
    id: "strcspn",
    versions: &["7.4.22", "6.4.50"],
    date: "2026-10",
    issue: "",
    says: "dot segments are not removed from a query and a fragment",
    witness: Witness::resolving("http://a/b/c", "d?/./e", Some("http://a/b/d?/e"), Some("http://a/b/d?/./e")),
};

static DOTS: Change = Change {
    id: "str_ends_with",
    versions: &["7.4.22", "6.4.50"],
    date: "2026-10",
    issue: "",
    says: "a dot at the end of a name is not a dot segment, and .. does not remove the empty segment before the first slash",
    witness: Witness::resolving("http://a/b", "c.", Some("http://a/c./"), Some("http://a/c.")),
};

static RESOLVE: &[Step] = &[
    Step::new("resolve: trim", "remove spaces, tabs, ends of lines, NUL and U+000B at both ends of the reference", |s| {
        s.rest = s.reference.trim_matches([' ', '\t', '\n', '\r', '\0', '\u{b}']).to_owned();
        s.write_text();
        Go
    }),
    Step::new("resolve: absolute URL?", "return a reference in which `parse_url` finds a scheme, or that it rejects, as it is now", |s| {
        let text = s.get(Slot::Ref(Part::Text)).to_owned();
        let asked = if text.contains(['?', '#']) { text.clone() } else { format!("{text}#") };
        let run = s.answer(&php_parse_url::TABLE, Question::Parse, ("", &asked)).filter(|run| run.outcome.is_ok());
        let scheme = run.as_ref().and_then(|run| run.slots.text(Slot::Out(Part::Scheme)));
        s.set(Slot::Ref(Part::Scheme), scheme);
        if scheme.is_some() || run.is_none() { s.return_text(text) } else { Go }
    }),
    Step::new("resolve: !$uri", "a reference that is empty or 0 is the base", |s| match s.get(Slot::Ref(Part::Text)) {
        "" | "0" => {
            s.set(Slot::Used, "scheme, authority, path, query, fragment");
            s.return_text(s.base)
        }
        _ => Go,
    })
    .until(&EMPTY),
    Step::new("resolve: empty URI", "an empty reference is the base without its fragment", |s| {
        if !s.get(Slot::Ref(Part::Text)).is_empty() {
            return Go;
        }
        s.set(Slot::Used, "scheme, authority, path, query");
        s.return_text(cut(s.base, "#").0)
    })
    .since(&EMPTY),
    Step::new("resolve: an anchor", "a reference that is only a fragment follows the base without its fragment", |s| {
        let text = s.get(Slot::Ref(Part::Text));
        if !text.starts_with('#') {
            return Go;
        }
        let target = format!("{}{text}", cut(s.base, "#").0);
        s.set(Slot::Used, "scheme, authority, path, query");
        s.set(Slot::Result, target);
        Done
    }),
    Step::new("cleanupUri", "remove the base's fragment and query", |s| {
        s.set(Slot::Base(Part::Text), until(s.base, &['?', '#']).0);
        Go
    }),
    Step::new("resolve: '?' === $uri[0]", "a query follows the base without its query", |s| {
        let text = s.get(Slot::Ref(Part::Text));
        if !text.starts_with('?') {
            return Go;
        }
        let target = format!("{}{text}", s.get(Slot::Base(Part::Text)));
        s.set(Slot::Used, "scheme, authority, path");
        s.set(Slot::Result, target);
        Done
    }),
    Step::new(
        "resolve: relative schema",
        "a reference that begins with two slashes follows what precedes the first two slashes of the base, or the base if no slashes or a single one \
         precedes",
        |s| {
            let text = s.get(Slot::Ref(Part::Text));
            if !text.starts_with("//") {
                return Go;
            }
            let target = scheme(s.get(Slot::Base(Part::Text))) + text;
            s.set(Slot::Used, "scheme");
            s.set(Slot::Result, target);
            Done
        },
    ),
    Step::new("resolve: $baseUriCleaned", "of the base, keep the text up to the first slash after two slashes, or all if there are none", |s| {
        let root = root(s.get(Slot::Base(Part::Text)));
        s.inherit_as("scheme");
        s.inherit_as("authority");
        s.set(Slot::Base(Part::Text), root);
        Go
    }),
    Step::new("resolve: $uri", "a query and a fragment of the reference are a part of its path", |s| {
        let path = s.get(Slot::Ref(Part::Text)).to_owned();
        s.rest.clear();
        s.set(Slot::Ref(Part::Path), path);
        Go
    })
    .until(&TAIL),
    Step::new("resolve: strcspn", "the reference's path ends at ? or #", |s| {
        let text = s.get(Slot::Ref(Part::Text)).to_owned();
        let (path, rest) = until(&text, &['?', '#']);
        s.rest = rest.to_owned();
        s.set(Slot::Ref(Part::Path), path);
        Go
    })
    .since(&TAIL),
    Step::new("resolve: absolute path", "a path that begins with a slash follows this text as it is", |s| {
        let path = s.get(Slot::Ref(Part::Path));
        if !path.starts_with('/') {
            return Go;
        }
        let target = format!("{}{path}", s.get(Slot::Base(Part::Text)));
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        s.set(Slot::Result, target);
        Done
    })
    .until(&ROOTED),
    Step::new("resolve: '/' === $uri[0]", "a path that begins with a slash is not merged", |s| {
        if !s.get(Slot::Ref(Part::Path)).starts_with('/') {
            return Go;
        }
        s.flow(Slot::Merged, Slot::Ref(Part::Path));
        To("canonicalizePath: '.' === substr($path, -1)")
    })
    .since(&ROOTED),
    Step::new("parse_url: PHP_URL_PATH", "`parse_url` reads the base's path in what follows this text", |s| {
        let rest = s.base.get(s.get(Slot::Base(Part::Text)).len()..).unwrap_or_default();
        let run = s.answer(&php_parse_url::TABLE, Question::Parse, ("", rest)).filter(|run| run.outcome.is_ok());
        let path = run.as_ref().and_then(|run| run.slots.text(Slot::Out(Part::Path)));
        s.set(Slot::Base(Part::Path), path.unwrap_or_default());
        Go
    }),
    Step::new("resolve: strrpos", "the path follows that one up to its last slash, or a slash if there is none", |s| {
        let base = s.get(Slot::Base(Part::Path));
        let merged = format!("{}/{}", &base[..base.rfind('/').unwrap_or(0)], s.get(Slot::Ref(Part::Path)));
        s.inherit_as("folder");
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new(
        "canonicalizePath: '.' === substr($path, -1)",
        "remove each . segment, and each .. with the segment before it, also the empty one before the first slash; write a slash after a last dot",
        |s| {
            let path = s.get(Slot::Merged);
            let path = if path.ends_with('.') { format!("{path}/") } else { path.to_owned() };
            let path = without_dots(&path, 0);
            s.flow(Slot::NoDots, Slot::Merged);
            s.set(Slot::NoDots, path);
            Go
        },
    )
    .until(&DOTS),
    Step::new("canonicalizePath", "remove each . segment, and each .. with the segment before it; a slash remains after a last one", |s| {
        let path = s.get(Slot::Merged);
        let ends = path.ends_with("/.") || path.ends_with("/..");
        let path = if ends { format!("{path}/") } else { path.to_owned() };
        let path = without_dots(&path, 1);
        s.flow(Slot::NoDots, Slot::Merged);
        s.set(Slot::NoDots, path);
        Go
    })
    .since(&DOTS),
    Step::new("resolve: '/' !== $path[0]", "write a slash before a path that begins with another character", |s| {
        let path = s.get(Slot::NoDots);
        if !path.starts_with('/') {
            let path = format!("/{path}");
            s.set(Slot::NoDots, path);
        }
        Go
    }),
    Step::new("resolve: $queryAndFragment", "write the text of the base, the path, and the rest of the reference", |s| {
        let target = format!("{}{}{}", s.get(Slot::Base(Part::Text)), s.get(Slot::NoDots), s.rest);
        s.set(Slot::Result, target);
        Done
    }),
];

/// Returns what precedes the first two slashes of a text, and a line feed at its end, if neither a slash precedes nor another line feed follows.
fn scheme(text: &str) -> String {
    let (line, end) = text.strip_suffix('\n').map_or((text, ""), |line| (line, "\n"));
    match text.find('/') {
        Some(at) if text[at..].starts_with("//") && line.get(at..).is_none_or(|rest| !rest.contains('\n')) => text[..at].to_owned() + end,
        _ => text.to_owned(),
    }
}

/// Returns a text up to the first slash after two slashes. No line feed precedes these, or follows that slash but at the end, where it stays.
fn root(text: &str) -> String {
    let pairs = (0..text.len()).filter(|at| text.as_bytes()[*at..].starts_with(b"//"));
    for at in pairs.take_while(|at| !text[..*at].contains('\n')) {
        let (host, rest) = until(&text[at + 2..], &['/']);
        let (line, end) = rest.strip_suffix('\n').map_or((rest, ""), |line| (line, "\n"));
        if !line.contains('\n') {
            return format!("{}{end}", &text[..at + 2 + host.len()]);
        }
    }
    text.to_owned()
}

/// Removes dot segments: one that is `..` leaves the `first` segments.
fn without_dots(path: &str, first: usize) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "." => {}
            ".." => kept.truncate(kept.len().saturating_sub(1).max(first.min(kept.len()))),
            _ => kept.push(segment),
        }
    }
    kept.join("/")
}
