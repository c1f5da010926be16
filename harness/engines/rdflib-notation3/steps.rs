//! The Notation3 parser of RDFLib: `rdflib.plugins.parsers.notation3.join(base, reference)`, of 7.6.0.
//!
//! Read from `rdflib/plugins/parsers/notation3.py` of RDFLib 7.6.0, where `join` comes from cwm. It joins texts: the query is part of the text that
//! it calls the path, and is divided from it here only to show the path.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{cut, folder, until};
use urlstrata_steps::{Next, Next::*, Question, State, Step, Table, no_calls};

/// RDFLib's `join`.
pub static TABLE: Table = Table {
    engine: "rdflib-notation3",
    first: "7.6.0",
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
    Step::new("join: colonl", "return a reference with a colon before its first slash as it is", |s| {
        s.set(Slot::Ref(Part::Text), s.reference);
        let scheme = s.reference.split_once(':').filter(|(name, _)| !name.contains('/'));
        s.set(Slot::Ref(Part::Scheme), scheme.map(|(name, _)| name));
        match scheme {
            Some(_) => s.return_text(s.reference),
            None => Go,
        }
    }),
    Step::new("join: bcolonl", "the text before the base's first colon is inherited; reject a base without a colon", |s| {
        s.set(Slot::Base(Part::Text), s.base);
        let Some((scheme, rest)) = s.base.split_once(':') else {
            return s.reject(Slot::Base(Part::Scheme), "the base has no colon");
        };
        s.set(Slot::Base(Part::Scheme), scheme);
        s.set(Slot::Base(Part::Path), rest);
        s.inherit(Part::Scheme);
        Go
    }),
    Step::new("splitFragP", "the text after the reference's last # is its fragment", |s| {
        let (rest, fragment) = s.reference.rsplit_once('#').map_or((s.reference, None), |(rest, it)| (rest, Some(it)));
        let (path, query) = cut(rest, "?");
        s.set(Slot::Ref(Part::Path), path);
        s.set(Slot::Ref(Part::Query), query);
        s.set(Slot::Ref(Part::Fragment), fragment);
        Go
    }),
    Step::new("join: not path", "a reference that is empty or only a fragment follows the whole base", |s| {
        if !path_and_query(s).is_empty() {
            return Go;
        }
        let target = format!("{}{}", s.get(Slot::Base(Part::Text)), fragment(s));
        s.set(Slot::Used, "scheme, authority, path, query, fragment");
        s.set(Slot::Result, target);
        Done
    }),
    Step::new("join: no slash after colon", "reject a base without a slash after its first colon", |s| {
        match s.get(Slot::Base(Part::Path)).starts_with('/') {
            true => Go,
            false => s.reject(Slot::Base(Part::Path), "no slash follows the first colon of the base"),
        }
    }),
    Step::new("join: bpath", "after the colon and two slashes, the text up to the next slash is the base's authority; all that follows is its path", |s| {
        let rest = s.get(Slot::Base(Part::Path)).to_owned();
        let divided = rest.strip_prefix("//").map(|rest| until(rest, &['/']));
        s.set(Slot::Base(Part::Authority), divided.map(|(authority, _)| authority));
        s.set(Slot::Base(Part::Path), divided.map_or(rest.as_str(), |(_, path)| path));
        Go
    }),
    Step::new("join: bpath < 0", "write a slash after a base that has no slash after its authority", |s| {
        if s.get(Slot::Base(Part::Path)).is_empty() {
            let base = format!("{}/", s.get(Slot::Base(Part::Text)));
            s.set(Slot::Base(Part::Text), base);
            s.set(Slot::Base(Part::Path), "/");
        }
        Go
    }),
    Step::new("join: //", "a reference that begins with two slashes follows the base's scheme and colon", |s| {
        if !s.get(Slot::Ref(Part::Path)).starts_with("//") {
            return Go;
        }
        let before = format!("{}:", s.get(Slot::Base(Part::Scheme)));
        write(s, &before, Slot::Ref(Part::Path))
    }),
    Step::new("join: /", "a reference that begins with a slash follows what precedes the base's path", |s| {
        if s.present(Slot::Base(Part::Authority)).is_some() {
            s.inherit(Part::Authority);
        }
        if !s.get(Slot::Ref(Part::Path)).starts_with('/') {
            return Go;
        }
        let before = before_path(s);
        write(s, &before, Slot::Ref(Part::Path))
    }),
    Step::new("join: slashr", "any other reference follows the base's last slash, also one of its query or fragment", |s| {
        s.inherit_as("folder");
        let folder = folder(s.get(Slot::Base(Part::Path))).to_owned();
        let merged = format!("{folder}{}", s.get(Slot::Ref(Part::Path)));
        for (part, mark) in [(Part::Query, '?'), (Part::Fragment, '#')] {
            if folder.contains(mark) {
                s.decide(Slot::Out(part));
            }
        }
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new(
        "join: ./, ../",
        "remove dot segments from the beginning of the reference, and a segment of the base for each ..; a second . in a row ends this, and a last \
         segment counts only without a query",
        |s| {
            let path = without_dots(s);
            s.flow(Slot::NoDots, Slot::Merged);
            s.set(Slot::NoDots, path);
            Go
        },
    ),
    Step::new("join: path + frag", "write what precedes the base's path, the path and the fragment", |s| {
        let before = before_path(s);
        write(s, &before, Slot::NoDots)
    }),
];

/// Returns the text that `join` calls the path.
fn path_and_query(s: &State<'_>) -> String {
    let query = s.present(Slot::Ref(Part::Query)).map(|query| format!("?{query}")).unwrap_or_default();
    format!("{}{query}", s.get(Slot::Ref(Part::Path)))
}

fn fragment(s: &State<'_>) -> String {
    s.present(Slot::Ref(Part::Fragment)).map(|fragment| format!("#{fragment}")).unwrap_or_default()
}

/// Returns what precedes the base's path.
fn before_path(s: &State<'_>) -> String {
    let text = s.get(Slot::Base(Part::Text));
    text.strip_suffix(s.get(Slot::Base(Part::Path))).unwrap_or(text).to_owned()
}

/// Returns the merged path without the dot segments with which the reference begins.
fn without_dots(s: &State<'_>) -> String {
    let is_whole = s.present(Slot::Ref(Part::Query)).is_none();
    let own = s.get(Slot::Ref(Part::Path));
    let mut kept = s.get(Slot::Merged).strip_suffix(own).unwrap_or_default();
    let mut rest = own;
    loop {
        rest = rest.strip_prefix("./").unwrap_or(rest);
        let up = rest.strip_prefix("../").or((rest == ".." && is_whole).then_some(""));
        if let Some(after) = up {
            rest = after;
            let parent = folder(kept.strip_suffix('/').unwrap_or(kept));
            kept = if parent.is_empty() { kept } else { parent };
        } else {
            return format!("{kept}{}", if rest == "." && is_whole { "" } else { rest });
        }
    }
}

/// Writes a path with the reference's query and fragment after `before`.
fn write(s: &mut State<'_>, before: &str, path: Slot) -> Next {
    let query = s.present(Slot::Ref(Part::Query)).map(|query| format!("?{query}")).unwrap_or_default();
    let target = format!("{before}{}{query}{}", s.get(path), fragment(s));
    s.set(Slot::Result, target);
    Done
}
