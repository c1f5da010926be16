//! Java's `java.net.http.HttpClient`: where it connects.
//!
//! Read from `jdk/internal/net/http/HttpRequestImpl.java`, `HttpRequestBuilderImpl.java` and `Utils.java` of OpenJDK 17 and 26, and from
//! `AltServicesRegistry.java` of 26.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Change, Next::*, Question, Side, Step, Table, Witness};

use crate::inet_address::INET_ADDRESS;
use crate::java_net_uri;
use crate::redirect::{java_trim, latin_1, schemes};
use crate::socket::{accessors, reject_resolved};

/// java-http-client.
pub static TABLE: Table = Table {
    engine: "java-http-client",
    first: "11",
    changes: &[&ORIGIN],
    dated: &[],
    questions: &[(Question::Connect, SEND), (Question::Follow, REDIRECT)],
    called: &[INET_ADDRESS],
    standard: None,
    has_dated_names: false,
    field: Some(|changes, field| java_trim(changes, &latin_1(changes, field))),
    calls: |version| vec![(&java_net_uri::TABLE, version.to_owned())],
};

/// That 17 connects and 26 does not was observed. The class is new in 26; by which functions a request reaches it was not read.
static ORIGIN: Change = Change {
    id: "JEP 517",
    versions: &["26"],
    date: "2026-03-17",
    issue: "https://openjdk.org/jeps/517",
    says: "the origin of a request is looked up among those with an alternative service, and has a port above 0",
    witness: Some(Witness {
        question: Question::Connect,
        base: "",
        reference: "http://h:0/",
        before: Some("scheme=http authority=h:0 host=h port=0 path=/"),
        after: None,
    }),
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
    Step::new("AbstractAsyncSSLConnection: SNIHostName", "for https, after the name is resolved, reject a host that ends with a dot", |s| {
        let slot = Slot::Out(Part::Host);
        match s.get(Slot::Out(Part::Scheme)).eq_ignore_ascii_case("https") && s.get(slot).ends_with('.') {
            true => reject_resolved(s, slot, "the name for TLS ends with a dot"),
            false => Go,
        }
    }),
    Step::new("AltServicesRegistry.Origin", "after the name is resolved, reject the port 0", |s| {
        let slot = Slot::Out(Part::Port);
        match s.get(slot).parse() {
            Ok(0) => reject_resolved(s, slot, "an origin has a port above 0"),
            _ => Go,
        }
    })
    .since(&ORIGIN),
    Step::new("InetSocketAddress", "ask `InetAddress.getByName` for the host", |_| Call(INET_ADDRESS, Side::Reference)),
];
