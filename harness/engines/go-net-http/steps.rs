//! Go's `http.Get(url)`: where it connects.
//!
//! Read from `net/http/client.go`, `net/http/request.go`, `net/http/transport.go`, `net/dial.go`, `net/ipsock.go` and `net/dnsclient.go` of
//! Go 1.27.3.

use std::net::IpAddr;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::cut;
use urlstrata_steps::{Next::*, Question, Side, Step, Table};

use crate::go_net_url;
use crate::redirect::has_location;
use crate::socket::{ANY, BROADCAST, accessors, is_of_link, to_interface};

/// go-net-http.
pub static TABLE: Table = Table {
    engine: "go-net-http",
    first: "1.27",
    changes: &[],
    dated: &[],
    questions: &[(Question::Connect, GET), (Question::Follow, REDIRECT)],
    called: &[],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |version| vec![(&go_net_url::TABLE, version.to_owned())],
};

/// `Client.do`, for a redirect.
static REDIRECT: &[Step] = &[
    Step::new("redirectBehavior: Location", "do not follow an empty location", has_location),
    Step::new("Client.do: URL.Parse", "resolve the location on the URL of the request", |_| Call(go_net_url::PARSE, Side::Reference)),
];

static GET: &[Step] = &[
    Step::new("NewRequest: url.Parse", "parse the URL", |_| Call(go_net_url::ACCESSORS, Side::Reference)),
    Step::new("Client.do: no Host", "reject a URL without a host and a port; without a host, it is this one", |s| {
        let slot = Slot::Out(Part::Authority);
        // `NewRequest` removes an empty port.
        if matches!(s.get(slot), "" | ":") {
            return s.reject(slot, "the host is missing");
        }
        if s.get(Slot::Out(Part::Host)).is_empty() {
            s.set(Slot::Out(Part::Host), "127.0.0.1");
        }
        Go
    }),
    accessors("canonicalAddr: Hostname, Port"),
    Step::new("parsePort", "the port is a number of 32 bits, which may overflow at its last digit; reject more than 65535", |s| {
        let slot = Slot::Out(Part::Port);
        match parse_port(s.get(slot)).filter(|port| *port <= u32::from(u16::MAX)) {
            Some(port) => {
                s.set(slot, port.to_string());
                Go
            }
            None => s.reject(slot, "not a port"),
        }
    }),
    Step::new("idnaASCIIFromURL", "convert a host outside ASCII by UTS 46; leave it as it is if that is not possible", |s| {
        let slot = Slot::Out(Part::Host);
        if let Some(host) = Some(s.get(slot)).filter(|host| !host.is_ascii()).and_then(|host| idna::domain_to_ascii(host).ok()) {
            s.set(slot, host);
        }
        Go
    }),
    Step::new("internetAddrList: no host", "a host of which nothing remains is this one", |s| {
        let slot = Slot::Out(Part::Host);
        if s.get(slot).is_empty() {
            s.set(slot, "127.0.0.1");
        }
        Go
    }),
    Step::new("parseIPZone", "four decimal numbers without leading zeros, and an IPv6 address, are addresses; one that maps an IPv4 address is that one", |s| {
        let slot = Slot::Out(Part::Host);
        let (address, zone) = cut(s.get(slot), "%");
        let Some(address) = address.parse::<IpAddr>().ok().filter(|it| zone.is_none_or(|_| it.is_ipv6())) else { return Go };
        let zone = zone.unwrap_or_default().to_owned();
        let address = match address.to_canonical() {
            IpAddr::V6(address) if !zone.is_empty() && is_of_link(address) => return to_interface(s, address, &zone),
            address => address,
        };
        s.set(slot, if address.is_ipv6() { format!("[{address}]") } else { address.to_string() });
        To("connect: INADDR_ANY")
    }),
    Step::new("isDomainName: .", "the root of all names has no address", |s| {
        let slot = Slot::Out(Part::Host);
        match s.get(slot) {
            "." => s.reject_after_asking(slot, "it has no address"),
            _ => Go,
        }
    }),
    Step::new("isDomainName", "reject a name that has only digits and dots, an empty label or one of more than 63 bytes, or other characters than letters, digits, - and _", |s| {
        let slot = Slot::Out(Part::Host);
        let name = s.get(slot).strip_suffix('.').unwrap_or(s.get(slot));
        let is_label = |label: &str| {
            matches!(label.len(), 1..64)
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_'))
        };
        let has_name = name.bytes().any(|it| it.is_ascii_alphabetic() || matches!(it, b'-' | b'_'));
        match name.len() < 255 && has_name && name.split('.').all(is_label) {
            true => Done,
            false => s.reject(slot, "the resolver does not ask for this name"),
        }
    }),
    ANY,
    BROADCAST,
];

fn parse_port(text: &str) -> Option<u32> {
    const CUTOFF: u32 = 1 << 30;
    let mut port: u32 = 0;
    for digit in text.chars() {
        if port > CUTOFF {
            return None;
        }
        let tens = port.wrapping_mul(10);
        port = tens.saturating_add(digit.to_digit(10)?);
    }
    Some(port)
}
