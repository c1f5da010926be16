//! Apache HttpClient 4: where `client.execute(new HttpGet(url))` connects, from 4.5.1 on.
//!
//! Read from `DefaultRedirectStrategy.java`, `URIUtils.java`, `CloseableHttpClient.java`, `DefaultRoutePlanner.java` and `DefaultSchemePortResolver.java` of 4.5.1 to 4.5.14, and from
//! `HttpHost.java` of HttpCore 4.4.16. It parses with `java.net.URI`.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::cut;
use urlstrata_steps::{Change, Next, Next::*, Question, Side, State, Step, Table, Witness};

use crate::inet_address::{INET_ADDRESS, SOCKET};
use crate::redirect::latin_1;
use crate::socket::accessors;
use crate::{httpclient, java_net_uri, urllib};

/// apache-http-4.
pub static TABLE: Table = Table {
    engine: "apache-http-4",
    first: "4.5.1",
    changes: &[&WHOLE_PORT],
    dated: &[],
    questions: &[(Question::Connect, EXECUTE), (Question::Follow, REDIRECT)],
    called: &[INET_ADDRESS],
    standard: None,
    has_dated_names: false,
    field: Some(latin_1),
    calls: |_| vec![(&java_net_uri::TABLE, "21".to_owned())],
};

/// `DefaultRedirectStrategy.getLocationURI`.
static REDIRECT: &[Step] = &[
    Step::new("getLocationURI: URIUtils.resolve", "resolve the location on the URI of the request", |_| Call(httpclient::RESOLVE, Side::Reference)),
];

static WHOLE_PORT: Change = Change {
    id: "4.5.13",
    versions: &["4.5.13"],
    date: "2020-10",
    issue: "",
    says: "of an authority that java.net.URI does not divide, a port that is not a number is rejected",
    witness: Some(Witness {
        question: Question::Connect,
        base: "",
        reference: "http://a_b:8x/",
        before: Some("scheme=http authority=a_b:8x host=a_b port=8 path=/"),
        after: None,
    }),
};

const HOST: Slot = Slot::Out(Part::Host);
const PORT: Slot = Slot::Out(Part::Port);

static EXECUTE: &[Step] = &[
    Step::new("HttpGet: URI.create", "parse the URI", |_| Call(java_net_uri::ACCESSORS, Side::Reference)),
    Step::new("URIUtils.extractHost: getAuthority", "of an authority that is not a server, decode the escapes; what follows its first @ is the host, up to the first colon", |s| {
        if s.present(HOST).is_some() {
            return Go;
        }
        let authority = urllib::unquoted(s.get(Slot::Out(Part::Authority)));
        let (before, after) = cut(&authority, "@");
        let (host, port) = cut(after.unwrap_or(before), ":");
        s.set(HOST, host);
        s.set(PORT, port);
        Go
    }),
    Step::new("URIUtils.extractHost: isDigit", "digits that begin the port are it; without them, there is none", |s| {
        let digits: String = s.get(PORT).chars().take_while(|it| urllib::digit(*it).is_some()).collect();
        let port = parse_int(&digits).map(|port| port.to_string());
        rewrite_port(s, port)
    })
    .until(&WHOLE_PORT),
    Step::new("URIUtils.extractHost: parseInt", "reject a port that is not a number", |s| match parse_int(s.get(PORT)) {
        Some(port) => rewrite_port(s, Some(port.to_string())),
        None if s.get(PORT).is_empty() => Go,
        None => s.reject(PORT, "it is not a number"),
    })
    .since(&WHOLE_PORT),
    Step::new("HttpHost: containsNoBlanks", "reject a host with white space", |s| match s.get(HOST).contains(char::is_whitespace) {
        true => s.reject(HOST, "it contains white space"),
        false => Go,
    }),
    Step::new("DefaultSchemePortResolver.resolve", "a port that is not above 0 is none", |s| {
        match s.get(PORT) == "0" || s.get(PORT).starts_with('-') {
            true => rewrite_port(s, None),
            false => Go,
        }
    }),
    accessors("DefaultRoutePlanner.determineRoute"),
    Step::new("SystemDefaultDnsResolver.resolve", "ask `InetAddress.getAllByName` for the host", |s| {
        s.mark(SOCKET);
        Call(INET_ADDRESS, Side::Reference)
    }),
];

fn rewrite_port(s: &mut State<'_>, port: Option<String>) -> Next {
    if s.present(PORT) != port.as_deref() {
        s.set(PORT, port);
    }
    Go
}

/// `Integer.parseInt`, which reads digits of any script.
pub(crate) fn parse_int(text: &str) -> Option<i32> {
    let digit = |it: char| urllib::digit(it).and_then(|digit| char::from_digit(digit, 10)).unwrap_or(it);
    text.chars().map(digit).collect::<String>().parse().ok()
}
