//! GLib's `GUri` with the flags that libsoup 3 resolves redirects with: `g_uri_resolve_relative(base, reference, flags)`, and the accessors of
//! `g_uri_parse(url, flags)`.
//!
//! Read from `glib/guri.c` of GLib 2.66.8 to 2.90. The rows are those of the table `glib`, which the flags change.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Next, Next::*, Question, Side, State, Step, Table};

use crate::glib::{self, DOT_SEGMENTS, NORMALIZE, RELAXED, RESOLVE, SPLIT, TWO_SLASHES, decoded};

/// GLib's `GUri`, with the flags of libsoup.
pub static TABLE: Table = Table {
    engine: "glib-http",
    first: "2.66.8",
    changes: &[&NORMALIZE],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE_RELAXED), (Question::Parse, STATE)],
    called: &[SPLIT, RESOLVE],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |version| vec![(&glib::TABLE, version.to_owned())],
};

fn set_flags(s: &mut State<'_>) -> Next {
    s.mark(RELAXED);
    Go
}

static RESOLVE_RELAXED: &[Step] = &[
    Step::new("SOUP_HTTP_URI_FLAGS | G_URI_FLAGS_PARSE_RELAXED", "parse leniently, and normalize by the scheme", set_flags),
    Step::new("g_uri_resolve_relative", "resolve the reference", |_| Call(RESOLVE, Side::Reference)),
];

/// `g_uri_parse`, and the accessors of what it returns.
static STATE: &[Step] = &[
    Step::new("SOUP_HTTP_URI_FLAGS | G_URI_FLAGS_PARSE_RELAXED, for a URL", "parse leniently, and normalize by the scheme", set_flags),
    Step::new("g_uri_parse: g_uri_split, relaxed", "read the URL", |_| Call(SPLIT, Side::Reference)),
    Step::new("g_uri_parse: a relative URL, relaxed", "reject a URL without a scheme", |s| match s.present(Slot::Ref(Part::Scheme)) {
        Some(_) => Go,
        None => s.reject(Slot::Ref(Part::Scheme), "the URL has no scheme"),
    }),
    Step::new(
        "parse_userinfo: G_URI_FLAGS_HAS_PASSWORD",
        "a password follows the first colon of the user; decode both, and reject what is not UTF-8 then, or has a NUL",
        |s| {
            let user = s.present(Slot::Ref(Part::User)).map(str::to_owned);
            let divided = user.as_deref().map(|user| user.split_once(':').map_or((user, None), |(user, password)| (user, Some(password))));
            let (user, password) = divided.map_or((None, None), |(user, password)| (Some(user), password));
            for (part, text) in [(Part::User, user), (Part::Password, password)] {
                let Some(text) = text else {
                    s.set(Slot::Out(part), None::<&str>);
                    continue;
                };
                let Some(text) = decoded(text, false) else {
                    return s.reject(Slot::Ref(Part::User), "it is not UTF-8, or has a NUL");
                };
                s.set(Slot::Out(part), text);
            }
            Go
        },
    ),
    DOT_SEGMENTS,
    TWO_SLASHES,
    Step::new("g_uri_get_host, _port, _scheme, _path, _query, _fragment", "state the other components, which stay encoded", |s| {
        for part in [Part::Host, Part::Port, Part::Scheme, Part::Path, Part::Query, Part::Fragment] {
            match s.present(Slot::Ref(part)) {
                Some(_) => s.flow(Slot::Out(part), Slot::Ref(part)),
                None => s.set(Slot::Out(part), None::<&str>),
            }
        }
        s.set(Slot::Result, s.reference);
        Go
    }),
];
