//! `ML\IRI`: `(new IRI($base))->resolve($reference)`, and the accessors of `new IRI($url)`, of 1.1.4.
//!
//! Read from `ML/IRI/IRI.php` of 1.1.4. Texts are bytes, and are neither checked, nor decoded, nor encoded. The target is read again before it is
//! written, which changes nothing.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::without_dots;
use urlstrata_steps::{Next::*, Question, Side, Step, Table, no_calls};

use crate::rfc3986;

/// `ML\IRI`.
pub static TABLE: Table = Table {
    engine: "ml-iri",
    first: "1.1.4",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `parse`, for the base and the reference.
static PARSE: &[Step] = &[
    Step::new("parse: scheme", "the text before a colon is the scheme, if it is not empty and has no /, ? or #", |s| {
        s.rest = s.given().to_owned();
        s.write_text();
        rfc3986::cut_scheme_of_appendix_b(s)
    }),
    Step::new("parse: empty($match['scheme'])", "a scheme 0 is absent, and its colon is not a part of the path", |s| {
        let slot = s.own(Part::Scheme);
        if s.present(slot) == Some("0") {
            s.set(slot, None::<&str>);
        }
        Go
    }),
    Step::new("parse: authority", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("parse: path, query, fragment", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
    Step::new("parse: .*", "a line feed ends the fragment and the text", |s| {
        let slot = s.own(Part::Fragment);
        if let Some((before, _)) = s.present(slot).and_then(|it| it.split_once('\n')) {
            let before = before.to_owned();
            s.set(slot, before);
        }
        Go
    }),
];

/// `resolve` and `__toString`.
static RESOLVE: &[Step] = &[
    Step::new("new IRI($base)", "read the base, unless it is unknown", |s| match s.base.is_empty() {
        true => Go,
        false => Call(PARSE, Side::Base),
    }),
    Step::new("new IRI($reference)", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("__toString: no base", "without a base, write the reference as it was read", |s| {
        if !s.base.is_empty() {
            return Go;
        }
        for part in Part::COMPONENTS {
            s.copy(Slot::Out(part), Slot::Ref(part));
        }
        s.set(Slot::Used, "nothing");
        To("__toString")
    }),
    Step::new("resolve: $reference->scheme", "a reference with a scheme inherits nothing, any other one inherits the scheme", |s| {
        rfc3986::own_scheme(s, "removeDotSegments: ../, ./")
    }),
    Step::new("resolve: getAuthority", "a reference with an authority inherits nothing else, any other one the authority", |s| {
        rfc3986::own_authority(s, "removeDotSegments: ../, ./")
    }),
    Step::new("resolve: strlen($reference->path)", "without a path, inherit the base's, and its query if there is none", |s| {
        rfc3986::no_path(s, "__toString")
    }),
    Step::new("resolve: '/' === $reference->path[0]", "a path that begins with a slash is not merged", |s| {
        rfc3986::rooted(s, "removeDotSegments: ../, ./")
    }),
    Step::new("resolve: strrpos($this->path, '/')", "the path follows the base's up to its last slash, or a slash if the base has an authority and no path", rfc3986::merge),
    Step::new("removeDotSegments: ../, ./", "a dot segment at the beginning of the path is removed, but not the slash after it", |s| {
        s.flow(Slot::NoDots, Slot::Merged);
        let path = s.get(Slot::Merged);
        if let Some(rest) = path.strip_prefix("../").or_else(|| path.strip_prefix("./")) {
            let path = format!("/{rest}");
            s.set(Slot::NoDots, path);
        }
        Go
    }),
    Step::new("removeDotSegments", "remove the other dot segments as RFC 3986 does", |s| {
        let path = without_dots(s.get(Slot::NoDots));
        s.set(Slot::NoDots, path);
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        Go
    }),
    Step::new("__toString", "concatenate the components", |s| s.concatenate()),
];

/// The accessors of `new IRI($url)`.
static STATE: &[Step] = &[
    Step::new("new IRI($url)", "read the URL", |_| Call(PARSE, Side::Reference)),
    Step::new("getScheme, getPath, getQuery, getFragment, getAuthority", "state the components as they were read", rfc3986::state),
    Step::new("parse: strrpos($authority, '@')", "the text before the last @ is the user information, and the rest the host", |s| {
        let authority = s.present(Slot::Ref(Part::Authority)).map(str::to_owned);
        let divided = authority.as_deref().map(|it| it.rsplit_once('@').map_or((None, it), |(user, host)| (Some(user), host)));
        s.set(Slot::Out(Part::Userinfo), divided.and_then(|(user, _)| user));
        s.set(Slot::Out(Part::Host), divided.map(|(_, host)| host));
        Go
    }),
    Step::new("parse: $hostEnd", "the text after the last colon is the port, unless that colon is first or precedes the ] of a host that begins with [", |s| {
        let host = s.get(Slot::Out(Part::Host)).to_owned();
        let end = if host.starts_with('[') { host.find(']').unwrap_or(0) } else { 0 };
        let colon = host.rfind(':').filter(|colon| *colon > end);
        s.set(Slot::Out(Part::Port), colon.map(|colon| &host[colon + 1..]));
        if let Some(colon) = colon {
            s.set(Slot::Out(Part::Host), &host[..colon]);
        }
        Done
    }),
];
