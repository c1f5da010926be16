//! The class `URL` of the URL Standard (§6.1): its properties, which engines read after the parser has run.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::{components, cut};
use urlstrata_steps::{Next::*, State, Step};

use crate::rfc3986::divide;

/// Returns the components of the URL as the parser wrote it.
///
/// A URL without a host is written with `/.` before a path that begins with two slashes; implementations of the Standard before 2020 write such a
/// path as it is, so that only the text that was given tells it from a host.
pub(crate) fn written<'a>(s: &'a State<'_>) -> [Option<&'a str>; 5] {
    let [scheme, authority, path, query, fragment] = components(s.get(Slot::Result));
    let cleaned = s.reference.replace(['\t', '\n', '\r'], "");
    let follows = scheme.is_some_and(is_special) || cut(&cleaned, ":").1.is_some_and(|rest| rest.starts_with("//"));
    if authority.is_some() && !follows {
        let url = s.get(Slot::Result);
        let end = url.find(['?', '#']).unwrap_or(url.len());
        return [scheme, None, Some(cut(&url[..end], ":").1.unwrap_or_default()), query, fragment];
    }
    let marked = path.and_then(|path| path.strip_prefix("/.")).filter(|path| path.starts_with("//"));
    [scheme, authority, marked.filter(|_| authority.is_none()).or(path), query, fragment]
}

fn is_special(scheme: &str) -> bool {
    matches!(scheme, "http" | "https" | "ws" | "wss" | "ftp" | "file")
}

/// Returns the user information, the host, and the port with its colon.
pub(crate) fn authority<'a>(s: &'a State<'_>) -> (Option<&'a str>, &'a str, &'a str) {
    divide(written(s)[1].unwrap_or_default())
}

/// The properties of a `URL`. They state an absent component as an empty one.
pub(crate) static PROPERTIES: &[Step] = &[
    Step::new("URL: username", "state the user, or an empty one", |s| {
        let user = cut(authority(s).0.unwrap_or_default(), ":").0.to_owned();
        s.set(Slot::Out(Part::User), user);
        Go
    }),
    Step::new("URL: password", "state the password, or an empty one", |s| {
        let password = cut(authority(s).0.unwrap_or_default(), ":").1.unwrap_or_default().to_owned();
        s.set(Slot::Out(Part::Password), password);
        Go
    }),
    Step::new("URL: host", "state the host with its port as the authority, or an empty one", |s| {
        let (_, host, port) = authority(s);
        let host = format!("{host}{port}");
        s.set(Slot::Out(Part::Authority), host);
        Go
    }),
    Step::new("URL: hostname", "state the host, or an empty one", |s| {
        let host = authority(s).1.to_owned();
        s.set(Slot::Out(Part::Host), host);
        Go
    }),
    Step::new("URL: port", "state the port, or an empty one", |s| {
        let port = authority(s).2.trim_start_matches(':').to_owned();
        s.set(Slot::Out(Part::Port), port);
        Go
    }),
    Step::new(
        "URL: protocol, pathname, search, hash",
        "state the scheme and the path; state the query and the fragment, or empty ones",
        |s| {
            let [scheme, _, path, query, fragment] = written(s).map(|part| part.unwrap_or_default().to_owned());
            for (part, value) in
                [(Part::Scheme, scheme), (Part::Path, path), (Part::Query, query), (Part::Fragment, fragment)]
            {
                s.set(Slot::Out(part), value);
            }
            s.set(Slot::Result, s.reference);
            Go
        },
    ),
];
