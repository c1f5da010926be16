//! PEAR's `Net_URL2`: `(new Net_URL2($base))->resolve($reference)->getURL()`, and the accessors of `new Net_URL2($url)`, from 2.2.1 on.
//!
//! Read from `Net/URL2.php` of 2.2.1 and 2.2.3. Texts are bytes. The authority of a target is divided and written again, from what was written
//! before. It is not described that a path from which more than 256 steps would remove segments is cut.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{encoded, without_dots};
use urlstrata_steps::{Next::*, Question, Side, State, Step, Table, no_calls};

use crate::rfc3986;

/// `Net_URL2`.
pub static TABLE: Table = Table {
    engine: "net-url2",
    first: "2.2.1",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, STATE)],
    called: &[PARSE_URL],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: no_calls,
};

/// `_encodeData`.
fn encode(text: &str) -> String {
    encoded(text, |it| matches!(it, 0x21..=0x7e) && !b"\"<>".contains(&it))
}

/// An authority as `setAuthority` divides it.
#[derive(Clone, Copy)]
struct Divided<'a> {
    user: Option<&'a str>,
    host: &'a str,
    port: Option<&'a str>,
}

/// `setAuthority`: user information up to the first @, unless nothing follows, a host that is not empty, and digits after the last colon. One
/// line feed may end it, and none is in the host.
fn divide(authority: &str) -> Option<Divided<'_>> {
    if authority.is_empty() {
        return Some(Divided { user: None, host: "", port: None });
    }
    let host_of = |text| -> Option<(&str, Option<&str>)> {
        let text: &str = text;
        let text = text.strip_suffix('\n').unwrap_or(text);
        if text.is_empty() || text.contains('\n') {
            return None;
        }
        let found = text.rsplit_once(':').filter(|(host, port)| !host.is_empty() && port.bytes().all(|it| it.is_ascii_digit()));
        Some(found.map_or((text, None), |(host, port)| (host, Some(port))))
    };
    let with_user = authority.split_once('@').and_then(|(user, rest)| Some((Some(user), host_of(rest)?)));
    let (user, (host, port)) = with_user.or_else(|| Some((None, host_of(authority)?)))?;
    Some(Divided { user, host, port: port.filter(|port| !port.is_empty()) })
}

/// `getAuthority`.
fn written(Divided { user, host, port }: Divided<'_>) -> String {
    let user = user.filter(|user| !user.is_empty()).map(|user| encode(user) + "@").unwrap_or_default();
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    format!("{user}{host}{port}")
}

/// `parseUrl`, for the base and the reference.
static PARSE_URL: &[Step] = &[
    Step::new("parseUrl: scheme", "the text before a colon is the scheme, if it is not empty and has no /, ? or #", |s| {
        s.rest = s.given().to_owned();
        s.write_text();
        rfc3986::cut_scheme_of_appendix_b(s)
    }),
    Step::new("parseUrl: authority", "after two slashes, the part up to the next /, ? or # is the authority", rfc3986::cut_authority),
    Step::new("parseUrl: path, query, fragment", "cut the fragment at #, the query at ?, and the path", rfc3986::cut_path),
    Step::new("parseUrl: .*", "a line feed ends the fragment and the text", |s| {
        let slot = s.own(Part::Fragment);
        if let Some((before, _)) = s.present(slot).and_then(|it| it.split_once('\n')) {
            let before = before.to_owned();
            s.set(slot, before);
        }
        Go
    }),
    Step::new(
        "setAuthority",
        "divide the authority into user information, host and port; one with a line feed in its host is absent, and one at its end is dropped",
        |s| {
            let slot = s.own(Part::Authority);
            let Some(authority) = s.present(slot).map(str::to_owned) else { return Go };
            let divided = divide(&authority);
            if divided.is_none() {
                s.set(slot, None::<&str>);
            }
            s.set(s.own(Part::Userinfo), divided.and_then(|it| it.user));
            s.set(s.own(Part::Host), divided.map(|it| it.host));
            s.set(s.own(Part::Port), divided.and_then(|it| it.port));
            Go
        },
    ),
    Step::new("setAuthority: _encodeData", "encode control characters, spaces, quotes, < and >, and all outside ASCII in the user information", |s| {
        let slot = s.own(Part::Userinfo);
        let user = s.present(slot).map(encode).filter(|user| user != s.get(slot));
        if user.is_some() {
            s.set(slot, user);
        }
        Go
    }),
    Step::new("parseUrl: _encodeData", "encode control characters, spaces, quotes, < and >, and all outside ASCII in the path and the query", |s| {
        for part in [Part::Path, Part::Query] {
            let slot = s.own(part);
            if let Some(text) = s.present(slot).map(encode).filter(|text| text != s.get(slot)) {
                s.set(slot, text);
            }
        }
        Go
    }),
    Step::new("getAuthority", "the authority has no @ after empty user information, and no colon before an empty port", |s| {
        let text = |part: Part| s.present(s.own(part)).map(str::to_owned);
        let (user, port) = (text(Part::Userinfo), text(Part::Port));
        if let Some(host) = text(Part::Host) {
            let authority = written(Divided { user: user.as_deref(), host: &host, port: port.as_deref() });
            let slot = s.own(Part::Authority);
            s.compose(slot, &[Part::Userinfo, Part::Host, Part::Port].map(s.of()));
            s.set(slot, authority);
        }
        Go
    }),
];

/// Returns whether the reference is nothing but a fragment.
fn is_fragment(s: &State<'_>) -> bool {
    let has = |part: Part| s.present(Slot::Ref(part)).is_some();
    has(Part::Fragment)
        && !has(Part::Query)
        && !has(Part::Authority)
        && !has(Part::Scheme)
        && s.get(Slot::Ref(Part::Path)).is_empty()
}

/// `resolve` and `getURL`.
static RESOLVE: &[Step] = &[
    Step::new("new Net_URL2($base)", "read the base, unless it is unknown", |s| match s.base.is_empty() {
        true => Go,
        false => Call(PARSE_URL, Side::Base),
    }),
    Step::new("new Net_URL2($reference)", "read the reference", |_| Call(PARSE_URL, Side::Reference)),
    Step::new("getURL: no base", "without a base, write the reference as it was read", |s| {
        if !s.base.is_empty() {
            return Go;
        }
        for part in Part::COMPONENTS {
            s.flow(Slot::Out(part), Slot::Ref(part));
        }
        s.set(Slot::Used, "nothing");
        To("getURL: file")
    }),
    Step::new("resolve: isAbsolute", "reject a base without a scheme, or with 0, unless the reference is nothing but a fragment", |s| {
        match matches!(s.get(Slot::Base(Part::Scheme)), "" | "0") && !is_fragment(s) {
            true => s.reject(Slot::Base(Part::Scheme), "the base has no scheme"),
            false => Go,
        }
    }),
    Step::new("resolve: $reference->_scheme", "a reference with a scheme inherits nothing, any other one inherits the scheme", |s| {
        rfc3986::own_scheme(s, "removeDotSegments")
    }),
    Step::new("resolve: getAuthority", "a reference with an authority inherits nothing else, any other one the authority", |s| {
        rfc3986::own_authority(s, "removeDotSegments")
    }),
    Step::new("resolve: $reference->_path == ''", "without a path, inherit the base's, and its query if there is none", |s| {
        rfc3986::no_path(s, "resolve: setAuthority")
    }),
    Step::new("resolve: substr($reference->_path, 0, 1) == '/'", "a path that begins with a slash is not merged", |s| {
        rfc3986::rooted(s, "removeDotSegments")
    }),
    Step::new("resolve: strrpos", "the path follows the base's up to its last slash, or a slash if the base has an authority and no path", rfc3986::merge),
    Step::new("removeDotSegments", "remove dot segments as RFC 3986 does", |s| {
        let path = without_dots(s.get(Slot::Merged));
        s.flow(Slot::NoDots, Slot::Merged);
        s.set(Slot::NoDots, path);
        s.copy(Slot::Out(Part::Path), Slot::NoDots);
        Go
    }),
    Step::new("resolve: setAuthority", "divide the authority again, and write it", |s| {
        let slot = Slot::Out(Part::Authority);
        if let Some(authority) = s.present(slot) {
            let authority = divide(authority).map(written);
            s.set(slot, authority);
        }
        Go
    }),
    Step::new("getURL: file", "without an authority, write an empty one for file, in any case", |s| {
        let is_file = s.get(Slot::Out(Part::Scheme)).eq_ignore_ascii_case("file");
        if is_file && s.present(Slot::Out(Part::Authority)).is_none() {
            s.set(Slot::Out(Part::Authority), "");
        }
        Go
    }),
    Step::new("_buildAuthorityAndPath", "write a slash between an authority and a path that begins with another character", |s| {
        let path = s.get(Slot::Out(Part::Path));
        if s.present(Slot::Out(Part::Authority)).is_some() && !path.is_empty() && !path.starts_with('/') {
            let path = format!("/{path}");
            s.set(Slot::Out(Part::Path), path);
        }
        Go
    }),
    Step::new("getURL", "concatenate the components", |s| s.concatenate()),
];

/// The accessors of `new Net_URL2($url)`.
static STATE: &[Step] = &[
    Step::new("new Net_URL2($url)", "read the URL", |_| Call(PARSE_URL, Side::Reference)),
    Step::new("getScheme, getPath, getQuery, getFragment", "state the components as they were read", rfc3986::state),
    Step::new("getUserinfo, getHost, getPort", "state the parts of the authority", |s| {
        for part in [Part::Userinfo, Part::Host, Part::Port] {
            s.flow(Slot::Out(part), Slot::Ref(part));
            if s.present(Slot::Out(part)).is_none() {
                s.set(Slot::Out(part), None::<&str>);
            }
        }
        Done
    }),
];
