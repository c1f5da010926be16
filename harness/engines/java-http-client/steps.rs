//! Java's `java.net.http.HttpClient`: where it connects.
//!
//! Read from `jdk/internal/net/http/HttpRequestImpl.java`, `HttpRequestBuilderImpl.java` and `Utils.java` of OpenJDK 17 and 26.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::inet_address::INET_ADDRESS;
use crate::java_net_uri;
use crate::redirect::{java_trim, latin_1, schemes};
use crate::socket::accessors;

/// java-http-client.
pub static TABLE: Table = Table {
    engine: "java-http-client",
    first: "11",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, SEND), (Question::Follow, REDIRECT)],
    called: &[INET_ADDRESS],
    standard: None,
    has_dated_names: false,
    field: Some(|changes, field| java_trim(changes, &latin_1(changes, field))),
    calls: |version| vec![(&java_net_uri::TABLE, version.to_owned())],
};

/// `RedirectFilter`, with `Redirect.NORMAL`.
static REDIRECT: &[Step] = &[
    Step::new("RedirectFilter.getRedirectedURI", "resolve the location on the URI of the request", |_| Call(java_net_uri::RESOLVE, Side::Reference)),
    Step::new("RedirectFilter.canRedirect", "do not go from https to http", |s| {
        let [from, to] = schemes(s);
        match from == to || to == "https" {
            true => Done,
            false => s.reject(Slot::Out(Part::Scheme), "from https to another scheme, or to one that is not the web's"),
        }
    }),
];

static SEND: &[Step] = &[
    Step::new("URI.create", "parse the URI", |_| Call(java_net_uri::ACCESSORS, Side::Reference)),
    accessors("checkURI, HttpRequestImpl: getHost, getPort"),
    Step::new("AbstractAsyncSSLConnection: SNIHostName", "for https, reject a host that ends with a dot", |s| {
        let slot = Slot::Out(Part::Host);
        match s.get(Slot::Out(Part::Scheme)).eq_ignore_ascii_case("https") && s.get(slot).ends_with('.') {
            true => s.reject(slot, "the name for TLS ends with a dot"),
            false => Go,
        }
    }),
    Step::new("InetSocketAddress", "ask `InetAddress.getByName` for the host", |_| Call(INET_ADDRESS, Side::Reference)),
];
