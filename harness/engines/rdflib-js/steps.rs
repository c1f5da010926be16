//! rdflib.js: `uri.join(reference, base)`, of 2.4.0.
//!
//! Read from `src/uri.ts` of rdflib 2.4.0, whose `join` comes from cwm. It joins texts, and does not divide a reference into components: its path is
//! divided from a query and a fragment here only to show the path.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::until;
use urlstrata_steps::{Next, Next::*, Question, State, Step, Table, no_calls};

/// rdflib.js.
pub static TABLE: Table = Table {
    engine: "rdflib-js",
    first: "2.4.0",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, JOIN)],
    called: &[],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

static JOIN: &[Step] = &[
    Step::new("join: baseHash", "remove the base's fragment, unless it is the whole base", |s| {
        let base = s.base.split_once('#').map_or(s.base, |(base, _)| if base.is_empty() { s.base } else { base });
        s.set(Slot::Base(Part::Text), base);
        s.set(Slot::Ref(Part::Text), s.reference);
        Go
    }),
    Step::new("join: given.length === 0", "an empty reference is the base", |s| match s.get(Slot::Ref(Part::Text)).is_empty() {
        true => {
            s.set(Slot::Used, "scheme, authority, path, query");
            s.return_text(s.get(Slot::Base(Part::Text)).to_owned())
        }
        false => Go,
    }),
    Step::new("join: given.indexOf('#')", "a reference that is only a fragment follows the base", |s| {
        let text = s.get(Slot::Ref(Part::Text));
        if !text.starts_with('#') {
            return Go;
        }
        let target = format!("{}{text}", s.get(Slot::Base(Part::Text)));
        s.set(Slot::Used, "scheme, authority, path, query");
        s.set(Slot::Result, target);
        Done
    }),
    Step::new("join: colon", "return a reference with a colon as it is", |s| {
        let name = s.reference.split_once(':').map(|(name, _)| name);
        s.set(Slot::Ref(Part::Scheme), name);
        if name.is_some() { s.return_text(s.reference) } else { Go }
    }),
    Step::new("join: base.length === 0", "without a base, return the reference as it is", |s| {
        match s.get(Slot::Base(Part::Text)).is_empty() {
            true => s.return_text(s.reference),
            false => Go,
        }
    }),
    Step::new("join: baseColon", "the text before the base's first colon is inherited; return the reference as it is if there is none", |s| {
        let base = s.get(Slot::Base(Part::Text)).to_owned();
        let divided = base.split_once(':');
        s.set(Slot::Base(Part::Scheme), divided.map(|(scheme, _)| scheme));
        let Some((_, rest)) = divided else { return s.return_text(s.reference) };
        s.set(Slot::Base(Part::Path), rest);
        s.inherit(Part::Scheme);
        Go
    }),
    Step::new("join: given.indexOf('//')", "a reference that begins with two slashes follows the base's scheme and colon", |s| {
        if !s.reference.starts_with("//") {
            return Go;
        }
        let target = format!("{}:{}", s.get(Slot::Base(Part::Scheme)), s.reference);
        s.set(Slot::Result, target);
        Done
    }),
    Step::new(
        "join: baseSingle",
        "after the colon and two slashes, the text up to the next slash is the base's authority; the base's path begins at the first slash",
        |s| {
            let rest = s.get(Slot::Base(Part::Path)).to_owned();
            let divided = rest.strip_prefix("//").map(|rest| until(rest, &['/']));
            s.set(Slot::Base(Part::Authority), divided.map(|(authority, _)| authority));
            s.set(Slot::Base(Part::Path), divided.map_or_else(|| until(&rest, &['/']).1, |(_, path)| path));
            Go
        },
    ),
    Step::new(
        "join: baseSingle < 0",
        "if the base has no such slash, the reference follows it and a slash, or the colon if nothing follows that",
        |s| {
            if s.present(Slot::Base(Part::Authority)).is_some() {
                s.inherit(Part::Authority);
            }
            if !s.get(Slot::Base(Part::Path)).is_empty() {
                return Go;
            }
            let text = s.get(Slot::Base(Part::Text));
            let scheme = format!("{}:", s.get(Slot::Base(Part::Scheme)));
            let rest = text.strip_prefix(&scheme).unwrap_or(text);
            let is_empty = rest.strip_prefix("//").unwrap_or(rest).is_empty();
            let target = if is_empty { scheme + s.reference } else { format!("{text}/{}", s.reference) };
            s.set(Slot::Result, target);
            Done
        },
    ),
    Step::new("join: given.indexOf('/')", "a reference that begins with a slash follows what precedes the base's path", |s| {
        if !s.reference.starts_with('/') {
            return Go;
        }
        let target = before_path(s) + s.reference;
        s.set(Slot::Merged, divided(s.reference).0);
        s.set(Slot::Result, target);
        Done
    }),
    Step::new("join: lastSlash", "any other reference follows the base's last slash, also one of its query", |s| {
        s.inherit_as("folder");
        let base = s.get(Slot::Base(Part::Path));
        let merged = format!("{}{}", &base[..base.rfind('/').map_or(0, |at| at + 1)], divided(s.reference).0);
        s.rest = divided(s.reference).1.to_owned();
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new(
        "join: replace(/[^\\/]*\\/\\.\\.\\//, '')",
        "remove each .. that a slash follows, with the segment before it, from the path, the query and the fragment",
        |s| {
            s.flow(Slot::NoDots, Slot::Merged);
            rewrite(s, without_double)
        },
    ),
    Step::new("join: replace(/\\.\\//g, '')", "remove each dot that a slash follows, with that slash", |s| {
        rewrite(s, |text| text.replace("./", ""))
    }),
    Step::new("join: replace(/\\/\\.$/, '/')", "remove a dot that is the last segment", |s| {
        rewrite(s, |text| if text.ends_with("/.") { text[..text.len() - 1].to_owned() } else { text.to_owned() })
    }),
    Step::new("join", "write what precedes the base's path, and the path", |s| {
        let target = before_path(s) + s.get(Slot::NoDots) + &s.rest;
        s.set(Slot::Result, target);
        Done
    }),
];

/// Returns the path of a reference, and its query and fragment.
fn divided(reference: &str) -> (&str, &str) {
    until(reference, &['?', '#'])
}

/// Returns what precedes the base's path.
fn before_path(s: &State<'_>) -> String {
    let text = s.get(Slot::Base(Part::Text));
    text.strip_suffix(s.get(Slot::Base(Part::Path))).unwrap_or(text).to_owned()
}

/// Removes each `..` that a slash follows, with the segment before it.
fn without_double(text: &str) -> String {
    let mut text = text.to_owned();
    while let Some(at) = text.find("/../") {
        let start = text[..at].rfind('/').map_or(0, |slash| slash + 1);
        text.replace_range(start..at + 4, "");
    }
    text
}

/// Rewrites the path without dot segments together with the reference's query and fragment, which are the unread rest afterwards.
fn rewrite(s: &mut State<'_>, rewritten: impl Fn(&str) -> String) -> Next {
    let text = rewritten(&format!("{}{}", s.get(Slot::NoDots), s.rest));
    let path = text.strip_suffix(s.rest.as_str()).unwrap_or(divided(&text).0).len();
    s.rest = text[path..].to_owned();
    s.set(Slot::NoDots, &text[..path]);
    Go
}
