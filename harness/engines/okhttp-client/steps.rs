//! OkHttp: where a call connects.
//!
//! Read from `RouteSelector.java` and `Dns.java` of OkHttp 3.13.1, and from `java.net.InetAddress` and `sun.net.util.IPAddressUtil` of Java 17.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::inet_address::{INET_ADDRESS, SOCKET};
use crate::okhttp;
use crate::redirect::java_trim;


/// okhttp-client.
pub static TABLE: Table = Table {
    engine: "okhttp-client",
    first: "3.13.1",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, EXECUTE), (Question::Follow, REDIRECT)],
    called: &[INET_ADDRESS],
    standard: None,
    has_dated_names: false,
    field: Some(java_trim),
    calls: |version| vec![(&okhttp::TABLE, version.to_owned())],
};

/// `RetryAndFollowUpInterceptor.followUpRequest`.
static REDIRECT: &[Step] = &[Step::new(
    "followUpRequest: HttpUrl.resolve",
    "resolve the location on the URL of the request; without a result, return the response",
    |_| Call(okhttp::RESOLVE, Side::Reference),
)];

static EXECUTE: &[Step] = &[
    Step::new("Request.Builder.url: ws", "read ws as http, and wss as https", |s| {
        let text = s.reference;
        for (scheme, web) in [("ws:", "http:"), ("wss:", "https:")] {
            if let Some((_, rest)) = text.split_at_checked(scheme.len()).filter(|(start, _)| start.eq_ignore_ascii_case(scheme)) {
                s.set(Slot::Ref(Part::Text), format!("{web}{rest}"));
            }
        }
        Go
    }),
    Step::new("Request.Builder.url: HttpUrl.get", "read the URL", |_| Call(okhttp::ACCESSORS, Side::Reference)),
    Step::new("Dns.SYSTEM.lookup", "ask `InetAddress.getAllByName` for the host", |s| {
        s.mark(SOCKET);
        Call(INET_ADDRESS, Side::Reference)
    }),
];
