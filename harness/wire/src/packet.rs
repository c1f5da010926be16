//! Packets that ask for a TCP connection (RFC 9293 §3.5).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Returns the source and the destination of the IP packet `bytes` if it is the first one of a TCP connection.
///
/// # Examples
///
/// ```
/// assert_eq!(urlstrata_wire::packet::attempt(b"\x45\x00"), None);
/// ```
pub fn attempt(bytes: &[u8]) -> Option<(SocketAddr, SocketAddr)> {
    const TCP: u8 = 6;
    let (source, destination, segment): (IpAddr, IpAddr, _) = match bytes.first()? >> 4 {
        4 if *bytes.get(9)? == TCP => {
            let address = |at: usize| Some(Ipv4Addr::from(<[u8; 4]>::try_from(bytes.get(at..at + 4)?).ok()?));
            let header = usize::from(bytes[0] & 15) * 4;
            (address(12)?.into(), address(16)?.into(), bytes.get(header..)?)
        }
        6 if *bytes.get(6)? == TCP => {
            let address = |at: usize| Some(Ipv6Addr::from(<[u8; 16]>::try_from(bytes.get(at..at + 16)?).ok()?));
            (address(8)?.into(), address(24)?.into(), bytes.get(40..)?)
        }
        _ => return None,
    };
    const SYN: u8 = 2;
    const ACK: u8 = 16;
    let port = |at: usize| Some(u16::from_be_bytes([*segment.get(at)?, *segment.get(at + 1)?]));
    (segment.get(13)? & (SYN | ACK) == SYN)
        .then_some((SocketAddr::new(source, port(0)?), SocketAddr::new(destination, port(2)?)))
}
