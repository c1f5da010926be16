//! domino: `new URL(base).resolve(reference)`, and the properties of `new URL(url)`.
//!
//! Read from `lib/URL.js` of domino 2.1.8. Components are neither decoded nor encoded. A component that would be empty is absent, except a query
//! after a question mark and a fragment after a number sign.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{folder, until, without_dots};
use urlstrata_steps::{Next::*, Question, Side, State, Step, Table, no_calls};

use crate::rfc3986;

/// domino.
pub static TABLE: Table = Table {
    engine: "domino",
    first: "2.1.8",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[PARSE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// The constructor `URL`, for the base and the reference.
static PARSE: &[Step] = &[
    Step::new("URL: replace", "remove white space of HTML before and after the URL", |s| {
        s.rest = s.given().trim_matches([' ', '\t', '\n', '\r', '\u{c}']).to_owned();
        s.write_text();
        Go
    }),
    Step::new(
        "URL.pattern: scheme",
        "the text before a first colon is the scheme, unless it is empty or has /, ? or #",
        rfc3986::cut_scheme_of_appendix_b,
    ),
    Step::new("URL.pattern: authority", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("URL.pattern", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
    Step::new("URL: match", "all components are absent if the fragment contains an end of line", |s| {
        if s.get(s.own(Part::Fragment)).contains(['\n', '\r', '\u{2028}', '\u{2029}']) {
            for part in [Part::Scheme, Part::Authority, Part::Query, Part::Fragment] {
                s.set(s.own(part), None::<&str>);
            }
            s.set(s.own(Part::Path), "");
        }
        Go
    }),
    Step::new("URL: match[4]", "an empty authority is absent", |s| {
        let slot = s.own(Part::Authority);
        if s.get(slot).is_empty() {
            s.set(slot, None::<&str>);
        }
        s.copy(s.own(Part::Host), slot);
        Go
    }),
    Step::new("URL.userinfoPattern", "the text before the first @ is the user, with the password after its first colon", |s| {
        let (mut user, mut password) = (None, None);
        if let Some((before, host)) = s.get(s.own(Part::Host)).split_once('@') {
            let (name, rest) = until(before, &[':']);
            (user, password) = (Some(name.to_owned()), rest.strip_prefix(':').map(str::to_owned));
            let host = host.to_owned();
            s.set(s.own(Part::Host), host);
        }
        s.set(s.own(Part::User), user);
        s.set(s.own(Part::Password), password);
        Go
    }),
    Step::new("URL.portPattern", "the digits after the last colon are the port", |s| {
        let host = s.get(s.own(Part::Host));
        let found = host.rsplit_once(':').filter(|(_, port)| !port.is_empty() && port.bytes().all(|it| it.is_ascii_digit()));
        let found = found.map(|(host, port)| (host.to_owned(), port.to_owned()));
        if let Some((host, _)) = &found {
            s.set(s.own(Part::Host), host.as_str());
        }
        s.set(s.own(Part::Port), found.map(|(_, port)| port));
        Go
    }),
];

/// `resolve` and `toString`.
static RESOLVE: &[Step] = &[
    Step::new("URL: the base", "read the base", |_| Call(PARSE, Side::Base)),
    Step::new("resolve: new URL(relative)", "read the reference", |_| Call(PARSE, Side::Reference)),
    Step::new("resolve: r.scheme", "a reference with a scheme inherits nothing, any other one the scheme", |s| {
        take(s, Slot::Ref);
        rfc3986::own_scheme(s, "remove_dot_segments")
    }),
    Step::new("resolve: r.host", "a reference with an authority inherits only the scheme, any other one the authority", |s| {
        if s.present(Slot::Ref(Part::Authority)).is_none() {
            take(s, Slot::Base);
        }
        rfc3986::own_authority(s, "remove_dot_segments")
    }),
    Step::new("resolve: !r.path", "without a path, inherit the base's, and its query if there is none", |s| {
        rfc3986::no_path(s, "toString: host")
    }),
    Step::new("resolve: r.path.charAt(0)", "a path that begins with a slash is not merged", |s| rfc3986::rooted(s, "remove_dot_segments")),
    Step::new("merge: base.host", "a slash precedes the path if the base has an authority and no path; reject a base with neither", |s| {
        if !s.get(Slot::Base(Part::Path)).is_empty() {
            return Go;
        }
        if s.present(Slot::Base(Part::Authority)).is_none() {
            return s.reject(Slot::Base(Part::Path), "it is not defined");
        }
        let merged = format!("/{}", s.get(Slot::Ref(Part::Path)));
        s.inherit_as("folder");
        s.set(Slot::Merged, merged);
        To("remove_dot_segments")
    }),
    Step::new("merge", "the path follows the base's up to its last slash", |s| {
        let merged = folder(s.get(Slot::Base(Part::Path))).to_owned() + s.get(Slot::Ref(Part::Path));
        s.inherit_as("folder");
        s.set(Slot::Merged, merged);
        Go
    }),
    Step::new("remove_dot_segments", "remove dot segments", |s| {
        let path = without_dots(s.get(Slot::Merged));
        s.flow(Slot::NoDots, Slot::Merged);
        s.set(Slot::NoDots, path);
        Go
    }),
    Step::new("toString: host", "after a scheme, write two slashes, the user, the password and the host", |s| {
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        let get = |part| s.get(Slot::Out(part));
        let mut user = get(Part::User).to_owned();
        if !get(Part::Password).is_empty() {
            user += &format!(":{}", get(Part::Password));
        }
        let user = if user.is_empty() { user } else { user + "@" };
        let authority = s.present(Slot::Out(Part::Scheme)).map(|_| user + get(Part::Host));
        s.compose(Slot::Out(Part::Authority), &[Part::User, Part::Password, Part::Host].map(Slot::Out));
        s.set(Slot::Out(Part::Authority), authority);
        Go
    }),
    Step::new("toString: port", "write the port, without a scheme before the path", |s| {
        let port = s.present(Slot::Out(Part::Port)).map(|port| format!(":{port}")).unwrap_or_default();
        let part = if s.present(Slot::Out(Part::Authority)).is_some() { Part::Authority } else { Part::Path };
        let text = match part {
            Part::Authority => s.get(Slot::Out(part)).to_owned() + &port,
            _ => port + s.get(Slot::Out(part)),
        };
        s.set(Slot::Out(part), text);
        Go
    }),
    Step::new("toString", "concatenate the components", |s| s.concatenate()),
];

/// Takes the parts of the authority from a side.
fn take(s: &mut State<'_>, of: fn(Part) -> Slot) {
    for part in [Part::User, Part::Password, Part::Host, Part::Port] {
        s.flow(Slot::Out(part), of(part));
    }
}

/// The properties of `new URL(url)`.
static STATE: &[Step] = &[
    Step::new("new URL", "read the URL", |_| Call(PARSE, Side::Reference)),
    Step::new("URL: the properties", "state the components, and an empty path as absent", |s| {
        take(s, Slot::Ref);
        for part in [Part::Scheme, Part::Path, Part::Query, Part::Fragment] {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        if s.get(Slot::Out(Part::Path)).is_empty() {
            s.set(Slot::Out(Part::Path), None::<&str>);
        }
        s.set(Slot::Result, s.reference);
        Done
    }),
];
