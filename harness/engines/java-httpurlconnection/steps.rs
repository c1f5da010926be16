//! Java's `URL.openConnection()`: where `HttpURLConnection` connects.
//!
//! Read from `sun/net/www/protocol/http/HttpURLConnection.java`, `sun/net/www/http/HttpClient.java` and `sun/net/NetworkClient.java` of OpenJDK 26. OpenJDK 17 also checks the
//! user information, which is not described.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::components;
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::inet_address::{INET_ADDRESS, SOCKET};
use crate::java_net_url;
use crate::redirect::{latin_1, schemes};
use crate::socket::{FTP, accessors};

/// java-httpurlconnection.
pub static TABLE: Table = Table {
    engine: "java-httpurlconnection",
    first: "26",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, CONNECT), (Question::Follow, REDIRECT)],
    called: &[INET_ADDRESS],
    standard: None,
    has_dated_names: false,
    field: Some(latin_1),
    calls: |version| vec![(&java_net_url::TABLE, version.to_owned())],
};

/// `HttpURLConnection.followRedirect`.
static REDIRECT: &[Step] = &[
    Step::new("followRedirect: new URL", "read the location, if it is a URL with a scheme that has a handler", |s| {
        let run = s.answer(&java_net_url::TABLE, Question::Resolve, ("", s.reference));
        let Some(target) = run.and_then(|run| run.outcome.ok()) else { return Go };
        s.set(Slot::Used, "nothing");
        let parts = components(&target).map(|part| part.map(str::to_owned));
        for (part, text) in Part::COMPONENTS.into_iter().zip(parts) {
            s.set(Slot::Out(part), text);
        }
        s.concatenate();
        To("followRedirect: getProtocol")
    }),
    Step::new("followRedirect: new URL(url, loc)", "otherwise resolve the location on the URL of the request", |_| {
        Call(java_net_url::CONTEXT, Side::Reference)
    }),
    Step::new("followRedirect: getProtocol", "do not go to a target with another scheme", |s| {
        let [from, to] = schemes(s);
        match from == to {
            true => Done,
            false => s.reject(Slot::Out(Part::Scheme), "another scheme"),
        }
    }),
];

static CONNECT: &[Step] = &[
    Step::new("new URL", "read the URL", |_| Call(java_net_url::ACCESSORS, Side::Reference)),
    Step::new("HttpURLConnection.checkURL", "reject a URL with an end of line", |s| {
        let slot = Slot::Ref(Part::Text);
        match s.get(slot).contains('\n') {
            true => s.reject(slot, "an end of line"),
            false => Go,
        }
    }),
    Step::new("InetAddress: an empty host", "an empty host is 127.0.0.1", |s| {
        if s.get(Slot::Out(Part::Host)).is_empty() {
            s.set(Slot::Out(Part::Host), "127.0.0.1");
        }
        Go
    }),
    FTP,
    accessors("HttpClient.New: getHost, getPort"),
    Step::new("InetSocketAddress", "ask `InetAddress.getByName` for the host", |s| {
        s.mark(SOCKET);
        Call(INET_ADDRESS, Side::Reference)
    }),
];
