//! Apache HttpClient 4: `URIUtils.resolve(URI.create(base), reference)`, and `URI.create(reference)` without a base, from 4.5.13 on.
//! What it states about a URL is the `HttpHost` that `URIUtils.extractHost` returns.
//!
//! Read from `URIUtils.java`, `URIBuilder.java` and `URLEncodedUtils.java` of HttpClient 4.5.13 and 4.5.14. `java.net.URI` of the Java that runs it
//! resolves: that of the recordings is 11 for 4.5.13, and 21 for 4.5.14.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::encoded;
use urlstrata_steps::{Next::*, Question, Step, Table};

use crate::{httpclient5, java_net_uri, java_net_url};

/// Apache HttpClient 4.
pub static TABLE: Table = Table {
    engine: "httpclient",
    first: "4.5.13",
    changes: &[],
    dated: &[],
    questions: &[(Question::Resolve, RESOLVE), (Question::Parse, ACCESSORS)],
    called: &[],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |version| vec![(&java_net_uri::TABLE, if version == "4.5.13" { "11" } else { "21" }.to_owned())],
};

/// `URIUtils.resolve` and `normalizeSyntax`.
pub(crate) static RESOLVE: &[Step] = &[
    httpclient5::QUERY_ONLY,
    httpclient5::EMPTY,
    httpclient5::RESOLVED,
    httpclient5::AUTHORITY,
    Step::new("URLEncodedUtils.parsePathSegments", "decode and encode the segments of the path", |s| {
        let keeps = |it: u8| it.is_ascii_alphanumeric() || b"_-.*!~'();:@&=+$,".contains(&it);
        let path = s.get(Slot::Out(Part::Path));
        let segments: Vec<String> =
            path.split('/').map(|segment| encoded(&httpclient5::decoded(segment), keeps)).collect();
        s.set(Slot::Out(Part::Path), segments.join("/"));
        Go
    }),
    Step::new(
        "normalizeSyntax: outputSegments",
        "remove each . segment, and each .. segment with the one before it; a slash after a last one does not remain, and a path begins with a slash",
        |s| {
            let path = s.get(Slot::Out(Part::Path));
            let mut kept: Vec<&str> = Vec::new();
            for segment in path.strip_prefix('/').unwrap_or(path).split('/') {
                match segment {
                    "." => {}
                    ".." => drop(kept.pop()),
                    _ => kept.push(segment),
                }
            }
            let path = format!("/{}", kept.join("/"));
            s.set(Slot::Out(Part::Path), path);
            Go
        },
    ),
    Step::new("normalizeSyntax: setScheme", "write the scheme in lower case", |s| {
        let scheme = s.present(Slot::Out(Part::Scheme)).map(str::to_lowercase);
        s.set(Slot::Out(Part::Scheme), scheme);
        Go
    }),
    Step::new("normalizeSyntax: setHost", "write the host of a server in lower case, and its port as a number", |s| {
        let authority = s.get(Slot::Out(Part::Authority));
        let Some((before, port)) = java_net_uri::server(authority) else { return Go };
        let (user, host) = before.split_at(before.find('@').map_or(0, |at| at + 1));
        let port = port.parse::<i32>().map(|port| format!(":{port}")).unwrap_or_default();
        let authority = format!("{user}{}{port}", host.to_ascii_lowercase());
        s.set(Slot::Out(Part::Authority), authority);
        Go
    }),
    Step::new("URIBuilder.buildString", "concatenate the components", |s| s.concatenate()),
];

/// `URIUtils.extractHost`, and the methods of the `HttpHost` that it returns.
static ACCESSORS: &[Step] = &[
    httpclient5::READ,
    httpclient5::ABSOLUTE,
    Step::new("extractHost: getHost", "state the host and the port of a server", |s| {
        httpclient5::state_server(s, "HttpHost: schemeName")
    }),
    Step::new("extractHost: getAuthority", "decode the name of a registry", |s| {
        let authority = httpclient5::unescaped(s.get(Slot::Ref(Part::Authority)));
        s.set(Slot::Ref(Part::Authority), authority);
        Go
    }),
    Step::new(
        "extractHost: colon",
        "what follows the first @ is the host up to a colon, and the rest the port; reject a port that is not a number",
        httpclient5::state_registry,
    ),
    Step::new("HttpHost: containsNoBlanks", "reject a host that is empty or contains white space", |s| {
        let slot = Slot::Out(Part::Host);
        match s.get(slot).is_empty() || s.get(slot).contains(java_net_url::is_space) {
            true => s.reject(slot, "it is empty or contains white space"),
            false => Go,
        }
    }),
    httpclient5::SCHEME,
];
