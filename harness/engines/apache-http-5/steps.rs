//! Apache HttpClient 5: where `client.execute(new HttpGet(url))` connects, from 5.2.1 on.
//!
//! Read from `DefaultRedirectStrategy.java`, `RoutingSupport.java`, `ProtocolExec.java`, `DefaultSchemePortResolver.java`, `DefaultHttpClientConnectionOperator.java` and
//! `SystemDefaultDnsResolver.java` of 5.2.1 to 5.6.4, and from
//! `BasicHttpRequest.java`, `URIAuthority.java`, `Host.java` and `Ports.java` of HttpCore 5.2.1 and 5.4. It parses with `java.net.URI`.
//! What 5.4 and 5.4.1 do with labels of Punycode, which they decode, is not described.

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::cut;
use urlstrata_steps::{Change, Next::*, Question, Side, Step, Table, Witness};

use crate::apache_http_4::parse_int;
use crate::inet_address::{INET_ADDRESS, SOCKET};
use crate::redirect::{latin_1, requests_user};
use crate::okhttp::idna_2003::java_idn;
use crate::socket::{accessors, is_of_link, unbracketed};
use crate::{httpclient5, java_net_uri};

/// apache-http-5.
pub static TABLE: Table = Table {
    engine: "apache-http-5",
    first: "5.2.1",
    changes: &[&ZONE, &SLASHES, &IDN],
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
    Step::new("ProtocolExec: userinfo, of the request", "reject a request for a URL with user information", |s| {
        match requests_user(s) {
            true => s.reject(Slot::Base(Part::Authority), "it is deprecated"),
            false => Go,
        }
    }),
    Step::new("getLocationURI: URIUtils.resolve", "resolve the location on the URI of the request", |_| Call(httpclient5::RESOLVE, Side::Reference)),
];

static ZONE: Change = Change {
    id: "5.3",
    versions: &["5.3"],
    date: "2023-12",
    issue: "",
    says: "an IPv6 address with a zone that this host does not know is asked for without it",
    witness: Some(Witness {
        question: Question::Connect,
        base: "",
        reference: "http://[::1%25x]/",
        before: None,
        after: Some("scheme=http authority=[::1%25x] host=[::1] port=80 path=/"),
    }),
};

static SLASHES: Change = Change {
    id: "5.4",
    versions: &["5.4"],
    date: "2024-09",
    issue: "",
    says: "a path that begins with two slashes is not rejected, and neither is another scheme with a port",
    witness: Some(Witness {
        question: Question::Connect,
        base: "",
        reference: "http://a//b",
        before: None,
        after: Some("scheme=http authority=a host=a port=80 path=//b"),
    }),
};

static IDN: Change = Change {
    id: "5.4.2",
    versions: &["5.4.2"],
    date: "2025-01",
    issue: "",
    says: "a host outside ASCII is converted",
    witness: Some(Witness {
        question: Question::Connect,
        base: "",
        reference: "http://é.a/",
        before: None,
        after: Some("scheme=http authority=é.a host=xn--9ca.a port=80 path=/"),
    }),
};

const HOST: Slot = Slot::Out(Part::Host);
const PORT: Slot = Slot::Out(Part::Port);

static EXECUTE: &[Step] = &[
    Step::new("HttpGet: URI.create", "parse the URI", |_| Call(java_net_uri::ACCESSORS, Side::Reference)),
    Step::new("URIAuthority.parse", "of an authority that is not a server, what follows the first @ is the host, up to a colon; reject a port that is not a number", |s| {
        if s.present(HOST).is_some() {
            return Go;
        }
        let (before, after) = cut(s.get(Slot::Out(Part::Authority)), "@");
        let user = after.map(|_| before.to_owned()).filter(|user| !user.is_empty());
        let (host, port) = cut(after.unwrap_or(before), ":");
        let (host, port) = (host.to_owned(), port.filter(|port| !port.is_empty()).map(str::to_owned));
        let number = port.as_deref().map(parse_int);
        s.set(Slot::Out(Part::Userinfo), user);
        s.set(HOST, host);
        match number {
            Some(Some(number)) => s.set(PORT, number.to_string()),
            Some(None) => return s.reject(PORT, "it is not a number"),
            None => {}
        }
        Go
    }),
    Step::new("Ports.checkWithDefault", "reject a port that is neither -1 nor between 0 and 65535", |s| match s.get(PORT).parse::<i32>() {
        Ok(-1..=65_535) => Go,
        Err(_) if s.get(PORT).is_empty() => Go,
        _ => s.reject(PORT, "it is not a port"),
    }),
    Step::new("BasicHttpRequest.setUri", "reject a path that begins with two slashes", |s| {
        let slot = Slot::Out(Part::Path);
        match s.get(slot).starts_with("//") {
            true => s.reject(slot, "it begins with two slashes"),
            false => Go,
        }
    })
    .until(&SLASHES),
    Step::new("ProtocolExec: userinfo", "reject user information", |s| {
        let slot = Slot::Out(Part::Userinfo);
        match s.present(slot).is_some() {
            true => s.reject(slot, "it is deprecated"),
            false => Go,
        }
    }),
    Step::new("DefaultSchemePortResolver.resolve", "the ports 0 and -1 are none", |s| {
        if matches!(s.get(PORT), "0" | "-1") {
            s.set(PORT, None::<&str>);
        }
        Go
    }),
    Step::new("SystemDefaultDnsResolver: strippedHost", "drop the zone of an IPv6 address in brackets, which cannot be resolved with it or does not need it, unless it is of a link", |s| {
        let (address, zone) = cut(unbracketed(s.get(HOST)), "%");
        let is_dropped = address.parse().is_ok_and(|address| !is_of_link(address));
        if s.get(HOST).starts_with('[') && is_dropped && zone.is_some() {
            let host = format!("[{address}]");
            s.set(HOST, host);
        }
        Go
    })
    .since(&ZONE),
    Step::new("DefaultHttpClientConnectionOperator: TlsSocketStrategy", "with a port, connect for any scheme as for http", |s| {
        let slot = Slot::Out(Part::Scheme);
        if !s.get(slot).is_empty() && !s.get(PORT).is_empty() {
            s.set(slot, "http");
        }
        Go
    })
    .since(&SLASHES),
    accessors("RoutingSupport.determineHost"),
    Step::new("SystemDefaultDnsResolver: IDN.toASCII", "convert a host outside ASCII by IDNA 2003 of Java, if that is possible", |s| {
        if s.get(HOST).is_ascii() {
            return Go;
        }
        if let Some(host) = java_idn(s.get(HOST)) {
            s.set(HOST, host);
        }
        Go
    })
    .since(&IDN),
    Step::new("SystemDefaultDnsResolver.resolve", "ask `InetAddress.getAllByName` for the host", |s| {
        s.mark(SOCKET);
        Call(INET_ADDRESS, Side::Reference)
    }),
];
