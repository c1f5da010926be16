//! Java's `java.net.http.HttpClient`: where it connects.
//!
//! Read from `jdk/internal/net/http/HttpRequestImpl.java`, `HttpRequestBuilderImpl.java` and `Utils.java` of OpenJDK 17 and 26.

use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::java_net_uri;
use crate::socket::{INET_ADDRESS, accessors};

/// java-http-client.
pub static TABLE: Table = Table {
    engine: "java-http-client",
    first: "11",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, SEND)],
    called: &[INET_ADDRESS],
    standard: None,
    has_dated_names: false,
    calls: |version| vec![(&java_net_uri::TABLE, version.to_owned())],
};

static SEND: &[Step] = &[
    Step::new("URI.create", "parse the URI", |_| Call(java_net_uri::ACCESSORS, Side::Reference)),
    accessors("checkURI, HttpRequestImpl: getHost, getPort"),
    Step::new("InetSocketAddress", "ask `InetAddress.getByName` for the host", |_| Call(INET_ADDRESS, Side::Reference)),
];
