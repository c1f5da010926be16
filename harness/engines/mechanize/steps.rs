//! mechanize: `mechanize.urljoin(base, reference)`, of 0.4.10.
//!
//! Read from `mechanize/_rfc3986.py` of mechanize 0.4.10. Texts are neither checked, nor decoded, nor encoded, and an unknown base is a relative one
//! whose components are absent.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{folder, without_dots};
use urlstrata_steps::{Next::*, Question, Side, Step, Table, no_calls};

use crate::rfc3986;

/// mechanize.
pub static TABLE: Table = Table {
    engine: "mechanize",
    first: "0.4.10",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, URLJOIN)],
    called: &[URLSPLIT],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `urlsplit`, for the base and the reference.
static URLSPLIT: &[Step] = &[
    Step::new("SPLIT_MATCH: scheme", "the text before a colon is the scheme, if it is not empty and has no /, ? or #", |s| {
        s.rest = s.given().to_owned();
        s.write_text();
        rfc3986::cut_scheme_of_appendix_b(s)
    }),
    Step::new("SPLIT_MATCH: authority", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("SPLIT_MATCH: path, query, fragment", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
    Step::new("SPLIT_MATCH: .*", "a line feed ends the fragment and the text", |s| {
        let slot = s.own(Part::Fragment);
        if let Some((before, _)) = s.present(slot).and_then(|it| it.split_once('\n')) {
            let before = before.to_owned();
            s.set(slot, before);
        }
        Go
    }),
];

/// `urljoin`.
static URLJOIN: &[Step] = &[
    Step::new("urlsplit(base_uri)", "read the base", |_| Call(URLSPLIT, Side::Base)),
    Step::new("urlsplit(uri_reference)", "read the reference", |_| Call(URLSPLIT, Side::Reference)),
    Step::new(
        "urljoin_parts: rscheme == scheme",
        "a reference with another scheme than the base inherits nothing, any other one inherits the scheme",
        |s| {
            s.copy(Slot::Out(Part::Query), Slot::Ref(Part::Query));
            s.copy(Slot::Out(Part::Fragment), Slot::Ref(Part::Fragment));
            let scheme = s.present(Slot::Ref(Part::Scheme));
            if scheme.is_none() || scheme == s.present(Slot::Base(Part::Scheme)) {
                s.inherit(Part::Scheme);
                return Go;
            }
            s.flow(Slot::Out(Part::Scheme), Slot::Ref(Part::Scheme));
            s.flow(Slot::Out(Part::Authority), Slot::Ref(Part::Authority));
            s.flow(Slot::Merged, Slot::Ref(Part::Path));
            s.set(Slot::Used, "nothing");
            To("remove_dot_segments")
        },
    ),
    Step::new("urljoin_parts: rauthority", "a reference with an authority inherits nothing else, any other one the authority", |s| {
        rfc3986::own_authority(s, "remove_dot_segments")
    }),
    Step::new("urljoin_parts: rpath == ''", "without a path, inherit the base's, and its query if there is none", |s| {
        rfc3986::no_path(s, "urlunsplit")
    }),
    Step::new("urljoin_parts: rpath.startswith('/')", "a path that begins with a slash is not merged", |s| {
        rfc3986::rooted(s, "remove_dot_segments")
    }),
    Step::new("merge", "the path follows the base's up to its last slash, or a slash if the base has no path", |s| {
        s.inherit_as("folder");
        let base = s.get(Slot::Base(Part::Path));
        let merged = format!("{}{}", if base.is_empty() { "/" } else { folder(base) }, s.get(Slot::Ref(Part::Path)));
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new("remove_dot_segments", "remove dot segments as RFC 3986 does", |s| {
        let path = without_dots(s.get(Slot::Merged));
        s.flow(Slot::NoDots, Slot::Merged);
        s.set(Slot::NoDots, path);
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        Go
    }),
    Step::new("urlunsplit", "concatenate the components", |s| s.concatenate()),
];
