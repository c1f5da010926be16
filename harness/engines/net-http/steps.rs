//! Ruby's `Net::HTTP.get_response(URI(url))`: where it connects.
//!
//! Read from `lib/net/http.rb` of Ruby 3.1.2 and 3.3.8, from `ext/socket/lib/socket.rb`, and from `ext/socket/raddrinfo.c`.

use std::net::Ipv6Addr;

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::text::cut;
use urlstrata_steps::{Change, Next::*, Question, Side, Step, Table, Witness, compare_versions};

use crate::ruby_uri;
use crate::socket::{GETADDRINFO, RESOLVER, accessors, reject_resolved, this_host, unbracketed};

/// net-http.
pub static TABLE: Table = Table {
    engine: "net-http",
    first: "3.1.2",
    changes: &[&TCP_SOCKET],
    dated: &[],
    questions: &[(Question::Connect, GET)],
    called: &[GETADDRINFO],
    standard: None,
    has_dated_names: false,
    field: None,
    calls: |version| {
        let uri = if compare_versions(version, "3.3").is_lt() { "0.11.0" } else { "0.13.2" };
        vec![(&ruby_uri::TABLE, uri.to_owned())]
    },
};

/// It takes back https://github.com/ruby/net-http/pull/10, which came with Ruby 3.1.
static TCP_SOCKET: Change = Change {
    id: "net-http#74",
    versions: &["3.2.0"],
    date: "2022-12-25",
    issue: "https://github.com/ruby/net-http/pull/74",
    says: "sockets for IPv6 reach IPv4 addresses that an IPv6 address maps",
    witness: Some(Witness {
        question: Question::Connect,
        base: "",
        reference: "http://[::ffff:10.1.2.3]/",
        before: None,
        after: Some("scheme=http authority=[::ffff:10.1.2.3] host=10.1.2.3 port=80 path=/"),
    }),
};

static GET: &[Step] = &[
    Step::new("URI", "parse the URI", |_| Call(ruby_uri::ACCESSORS, Side::Reference)),
    Step::new("Net::HTTP.start", "connect for any scheme as for http, unless it is https", |s| {
        if s.get(Slot::Out(Part::Scheme)) != "https" {
            s.set(Slot::Out(Part::Scheme), "http");
        }
        Go
    }),
    NIL_HOST,
    accessors("Net::HTTP.start: hostname, port"),
    SOCKET_TCP,
    SOCKET_TCP_PORT,
    RESOLVER,
];

/// `Socket.tcp`, with which `Net::HTTP#connect` of Ruby 3.1 connects.
pub(crate) const SOCKET_TCP: Step = Step::new(
    "Addrinfo#connect_internal: ipv6only!",
    "a socket for IPv6 does not reach the IPv4 address that an IPv6 address maps",
    |s| {
        let slot = Slot::Out(Part::Host);
        let address = cut(unbracketed(s.get(slot)), "%").0.parse::<Ipv6Addr>();
        match address.is_ok_and(|address| address.to_ipv4_mapped().is_some()) {
            true => s.reject(slot, "the network is unreachable"),
            false => Go,
        }
    },
)
.until(&TCP_SOCKET);

/// The host of a socket.
pub(crate) const NIL_HOST: Step =
    Step::new("TCPSocket.open: nil", "without a host, connect to this one; for an empty one, by IPv4", |s| {
        let is_absent = s.present(Slot::Out(Part::Host)).is_none();
        this_host(s, if is_absent { "[::1]" } else { "127.0.0.1" })
    });

/// The same for the port. That was observed with Ruby 3.1.2; in which function the number is converted was not read.
pub(crate) const SOCKET_TCP_PORT: Step =
    Step::new("Socket.tcp: NUM2INT", "after the name is resolved, reject a port above 2147483647, which is not a number of C", |s| {
        let slot = Slot::Out(Part::Port);
        match s.get(slot).parse::<u64>() {
            // `getaddrinfo` resolves no name for one that is negative as a number of 32 bits.
            Ok(port) if port & (1 << 31) != 0 => s.reject(slot, "it is negative"),
            Ok(port) if port > 0x7fff_ffff => reject_resolved(s, slot, "it is too big"),
            _ => Go,
        }
    })
    .until(&TCP_SOCKET);
