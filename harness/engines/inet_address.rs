//! `InetAddress` of Java: from the host of a URL to the address of a socket.
//!
//! Read from `java/net/InetAddress.java`, `java/net/Inet6Address.java`, `sun/net/util/IPAddressUtil.java` and `sun/nio/ch/NioSocketImpl.java` of
//! OpenJDK 26.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::Next::*;
use urlstrata_steps::text::cut;
use urlstrata_steps::{Next, Side, State, Step};

use crate::socket::{
    ANY, BROADCAST, GETADDRINFO, NO_SERVICE, aton, is_of_link, leave_interface_open, read_interface, reject_resolved,
    unbracketed, write,
};

const HOST: Slot = Slot::Out(Part::Host);
const PORT: Slot = Slot::Out(Part::Port);

/// The mark of a client that connects by `java.net.Socket`, and not by a channel.
pub(crate) const SOCKET: &str = "inet address: java.net.Socket";

/// `InetAddress.getByName` of Java, for the host of the target. It reads numbers itself, and asks `getaddrinfo` for names.
pub(crate) static INET_ADDRESS: &[Step] = &[
    Step::new("InetSocketAddress: checkPort", "after the name is resolved, reject a port above 65535", |s| {
        match s.get(PORT).parse::<u16>() {
            Ok(_) => Go,
            Err(_) => reject_resolved(s, PORT, "not a port"),
        }
    }),
    Step::new(
        "IPAddressUtil.textToNumericFormatV4",
        "one to four decimal numbers are an IPv4 address, also with zeros before them, in at most 15 characters; the last one fills the remaining bytes",
        |s| decimal(s.get(HOST)).map_or(Go, |address| to(s, address.into())),
    ),
    Step::new(
        "IPAddressUtil.textToNumericFormatV6",
        "an IPv6 address that maps an IPv4 address is that one, and has no zone; zeros may precede its numbers, also the decimal ones",
        |s| {
            let (address, zone) = cut(s.get(HOST), "%");
            let Some(address) = ipv6(address) else { return Go };
            match zone.is_some() {
                true if address.to_ipv4_mapped().is_some() => s.reject(HOST, "an address of IPv4 has no zone"),
                true => Go,
                false => to(s, address.to_canonical()),
            }
        },
    ),
    Step::new(
        "Inet6Address: initstr",
        "the zone of an IPv6 address is a number, or an interface of this host, which for an address of a link or a site has such an address, too",
        |s| {
            let (address, zone) = cut(s.get(HOST), "%");
            let zone = zone.filter(|zone| !zone.is_empty()).map(str::to_owned);
            let (Some(address), Some(zone)) = (ipv6(address), zone) else { return Go };
            let is_number = !zone.starts_with('+') && zone.parse::<i32>().is_ok_and(|zone| zone >= 0);
            match (zone.as_str(), is_of_link(address)) {
                ("lo", is_of_link) if is_of_link || address.segments()[0] & 0xffc0 == 0xfec0 => {
                    s.reject(HOST, "the interface has no address of this scope")
                }
                (_, true) => match read_interface(s, address, &zone) {
                    Go => to(s, address.into()),
                    next => next,
                },
                (_, false) if zone == "lo" || is_number => to(s, address.into()),
                _ => leave_interface_open(s),
            }
        },
    ),
    Step::new("IPAddressUtil.validateNumericFormatV4", "reject other numbers that C reads as an IPv4 address", |s| {
        match aton(s.get(HOST)).is_some() {
            true => s.reject(HOST, "an ambiguous address"),
            false => Go,
        }
    }),
    NO_SERVICE,
    Step::new("InetAddress: getaddrinfo", "ask the system's resolver", |_| Call(GETADDRINFO, Side::Reference)),
    Step::new(
        "NioSocketImpl.connect: getLocalHost",
        "for java.net.Socket, the address 0.0.0.0 or :: is that of the name of this host",
        |s| {
            let is_any = unbracketed(s.get(HOST)).parse::<IpAddr>().is_ok_and(|address| address.is_unspecified());
            if is_any && s.is_marked(SOCKET) {
                s.set(HOST, Ipv4Addr::LOCALHOST.to_string());
            }
            Go
        },
    ),
    ANY,
    BROADCAST,
];

/// Writes an address as the target's host.
fn to(s: &mut State<'_>, address: IpAddr) -> Next {
    write(s, address);
    To("NioSocketImpl.connect: getLocalHost")
}

/// Reads an IPv4 address of decimal numbers.
fn decimal(host: &str) -> Option<Ipv4Addr> {
    let is_decimal = !host.is_empty() && host.bytes().all(|it| it.is_ascii_digit() || it == b'.');
    let plain = host.split('.').map(without_zeros).collect::<Vec<_>>().join(".");
    aton(&plain).filter(|_| is_decimal && host.len() < 16)
}

/// Reads an IPv6 address.
fn ipv6(text: &str) -> Option<Ipv6Addr> {
    let (groups, last) = text.rsplit_once(':')?;
    let groups = groups.split(':').map(without_zeros).collect::<Vec<_>>().join(":");
    let last = match last.split('.').count() {
        1 => without_zeros(last).to_owned(),
        4 => decimal(last)?.to_string(),
        _ => return None,
    };
    format!("{groups}:{last}").parse().ok()
}

/// Returns a number without the zeros before it.
fn without_zeros(number: &str) -> &str {
    match number.trim_start_matches('0') {
        "" if !number.is_empty() => "0",
        digits => digits,
    }
}
