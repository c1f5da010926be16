//! From the host of a URL to the address of a socket: the steps that clients have in common.
//!
//! A client's table writes the host of the target without brackets, and its port; then it calls the rows of the resolver that it uses. What
//! glibc's resolver does was read from `inet/getaddrinfo.c`, `resolv/inet_addr.c`, `resolv/res-name-checking.c` and `resolv/ns_name_pton.c` of
//! glibc 2.41.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use urlstrata::slots::{Part, Slot};
use urlstrata_steps::Next::*;
use urlstrata_steps::text::cut;
use urlstrata_steps::{Next, Side, State, Step};

const HOST: Slot = Slot::Out(Part::Host);
const PORT: Slot = Slot::Out(Part::Port);

/// `connect` of Linux, for an address that means this host.
pub(crate) const ANY: Step = Step::new("connect: INADDR_ANY", "the address 0.0.0.0 or :: is this host", |s| {
    match unbracketed(s.get(HOST)).parse::<IpAddr>() {
        Ok(IpAddr::V4(Ipv4Addr::UNSPECIFIED)) => s.set(HOST, Ipv4Addr::LOCALHOST.to_string()),
        Ok(IpAddr::V6(Ipv6Addr::UNSPECIFIED)) => s.set(HOST, format!("[{}]", Ipv6Addr::LOCALHOST)),
        _ => {}
    }
    Go
});

/// `connect` of Linux, for an address of several hosts, or of one link.
pub(crate) const BROADCAST: Step = Step::new(
    "connect: broadcast, multicast, link-local",
    "reject an address of several hosts, and one of a link without a zone, whose interface is not known",
    |s| {
        let is_rejected = match unbracketed(s.get(HOST)).parse::<IpAddr>() {
            Ok(IpAddr::V4(it)) => it.is_multicast() || it.is_broadcast() || it == Ipv4Addr::new(127, 255, 255, 255),
            Ok(IpAddr::V6(it)) => it.is_multicast() || it.is_unicast_link_local() && !s.is_marked(ZONED),
            Err(_) => false,
        };
        match is_rejected {
            true => s.reject(HOST, "no socket can connect to it"),
            false => Done,
        }
    },
);

/// The mark of an address of a link with a zone that each host has.
const ZONED: &str = "socket: the zone is lo";

/// Reads the zone of an address of a link. `lo` is the first interface of each host. Whether a host has another one is not known.
pub(crate) fn read_interface(s: &mut State<'_>, address: Ipv6Addr, zone: &str) -> Next {
    let number = Some(zone).filter(|zone| !zone.starts_with('+')).and_then(|zone| zone.parse::<u32>().ok());
    match (zone, number) {
        ("lo", _) | (_, Some(1)) => s.mark(ZONED),
        // The first is not a zone, and nothing connects to the second.
        (_, Some(0)) => {}
        _ if address.is_multicast() => {}
        _ => return leave_interface_open(s),
    }
    Go
}

/// Leaves open whether a client connects to an address with a zone.
pub(crate) fn leave_interface_open(s: &mut State<'_>) -> Next {
    s.leave_open(HOST, "whether this host has the interface that the zone names")
}

/// Writes an address of a link with a zone as the target's host.
pub(crate) fn to_interface(s: &mut State<'_>, address: Ipv6Addr, zone: &str) -> Next {
    match read_interface(s, address, zone) {
        Go => to(s, address.into()),
        next => next,
    }
}

/// Returns whether the zone of an address is an interface.
pub(crate) fn is_of_link(address: Ipv6Addr) -> bool {
    address.is_unicast_link_local() || address.segments()[0] & 0xff0f == 0xff02
}

/// `getaddrinfo` of glibc and `connect` of Linux, for the host of the target.
pub(crate) static GETADDRINFO: &[Step] = &[
    Step::new(
        "getaddrinfo: htons",
        "of a port above 65535, the last 16 bits remain; reject one of more than 64 bits, and one that is negative as a number of 32 bits",
        |s| match s.get(PORT).parse::<u64>() {
            Ok(port) if port & (1 << 31) == 0 => {
                let port = match u16::try_from(port) {
                    Ok(port) => port.to_string(),
                    Err(_) => (port % (1 << 16)).to_string(),
                };
                if s.get(PORT) != port {
                    s.set(PORT, port);
                }
                Go
            }
            _ => s.reject(PORT, "not a port"),
        },
    ),
    Step::new("getaddrinfo: *", "the name * is the address of this host", |s| match s.get(HOST) {
        "*" => to(s, Ipv6Addr::LOCALHOST.into()),
        _ => Go,
    }),
    Step::new(
        "getaddrinfo: inet_aton",
        "one to four numbers are an IPv4 address: octal after 0, hexadecimal after 0x; the last one fills the remaining bytes",
        |s| aton(s.get(HOST)).map_or(Go, |address| to(s, address.into())),
    ),
    Step::new(
        "getaddrinfo: inet_pton",
        "an IPv6 address that maps an IPv4 address is that one; its zone is a number, or the name of an interface for an address of a link",
        |s| {
            let (address, zone) = cut(s.get(HOST), "%");
            let Ok(address) = address.parse::<Ipv6Addr>() else { return Go };
            let is_number =
                |zone: &str| zone.starts_with(|it: char| it.is_ascii_digit()) && zone.parse::<u32>().is_ok();
            match zone.map(str::to_owned) {
                Some(zone) if is_of_link(address) && !zone.is_empty() => to_interface(s, address, &zone),
                Some(zone) if !is_number(&zone) => Go,
                _ => to(s, address.to_canonical()),
            }
        },
    ),
    Step::new(
        "ns_name_pton",
        "a backslash is dropped before the character that follows it, which is part of the label; three digits are the number of one",
        |s| match unescaped(s.get(HOST)) {
            Some(name) if name != s.get(HOST) => {
                s.set(HOST, name);
                Go
            }
            Some(_) => Go,
            None => s.reject(HOST, "nothing that a label can contain follows a backslash"),
        },
    ),
    Step::new("res_query", "reject the root of all names, which has no address", |s| match s.get(HOST) {
        "" | "." => s.reject_after_asking(HOST, "it has no address"),
        _ => Go,
    }),
    Step::new(
        "res_hnok",
        "reject a name that begins with -, has an empty label or one of more than 63 bytes, more than 253 bytes, or other characters than \
         letters, digits, -, _ and .",
        |s| match is_asked(s.get(HOST)) {
            true => Done,
            false => s.reject(HOST, "the resolver does not ask for this name"),
        },
    ),
    ANY,
    BROADCAST,
];

/// The argument of `getaddrinfo`, for clients that do not look for NUL in a host.
pub(crate) const C_STRING: Step = Step::new("getaddrinfo: a string of C", "the host ends before a NUL", |s| {
    if let Some((host, _)) = s.get(HOST).split_once('\0') {
        let host = host.to_owned();
        s.set(HOST, host);
    }
    Go
});

/// `configure` of Perl's `IO::Socket::IP`, for the host and the port of the target.
pub(crate) static IO_SOCKET_IP: &[Step] = &[
    Step::new(
        "IO::Socket::IP: split_addr",
        "what follows the only colon of the host, or a colon after the brackets of an IPv6 address, is the port, unless it is empty",
        |s| {
            let host = s.get(HOST);
            let is_address = |host: &str| !host.contains('%') && host.parse::<Ipv6Addr>().is_ok();
            let is_word = |text: &str| !text.contains(|it: char| it.is_whitespace() || it == ':');
            let bracketed = host.strip_prefix('[').and_then(|it| it.split_once(']')).filter(|(it, _)| is_address(it));
            let (host, port) = match bracketed.map(|(host, after)| (host, after, after.strip_prefix(':'))) {
                Some((host, "", _)) => (host, ""),
                Some((host, _, Some(port))) if is_word(port) => (host, port),
                _ => match host.split_once(':') {
                    Some((host, port)) if is_word(host) && is_word(port) => (host, port),
                    _ => return Go,
                },
            };
            let (host, port) = (host.to_owned(), port.to_owned());
            s.set(HOST, host);
            if !port.is_empty() {
                s.set(PORT, port);
            }
            Go
        },
    ),
    Step::new("IO::Socket::IP: AI_NUMERICHOST", "reject four numbers with dots that are not an IPv4 address", |s| {
        let host = s.get(HOST);
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
        match host.split('.').count() == 4 && host.split('.').all(is_number) && aton(host).is_none() {
            true => s.reject(HOST, "it is not an address"),
            false => Go,
        }
    }),
    Step::new("Socket: getaddrinfo", "an empty host is this one", |s| this_host(s, "::1")),
    C_STRING,
    Step::new(
        "IO::Socket::IP: fallback_port",
        "a number in parentheses at the end of the port is the port if something precedes it, which is not the name of a service; otherwise the port is 0",
        |s| {
            let found = s.get(PORT).strip_suffix(')').and_then(|port| port.rsplit_once('('));
            let is_number = |number: &str| !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit());
            if let Some((service, number)) = found.filter(|(_, number)| is_number(number)) {
                // The empty service is the port 0.
                let number = if service.is_empty() { "0".to_owned() } else { number.to_owned() };
                s.set(PORT, number);
            }
            Go
        },
    ),
    Step::new(
        "getaddrinfo: strtoul",
        "the port ends before a NUL and is a number, 0 without digits, that a + may precede; reject another one",
        |s| {
            let port = cut(s.get(PORT), "\0").0;
            let digits = port.strip_prefix('+').unwrap_or(port).to_owned();
            match digits.bytes().all(|it| it.is_ascii_digit()) {
                _ if digits.is_empty() => s.set(PORT, "0"),
                true if digits == s.get(PORT) => {}
                true => s.set(PORT, digits),
                false => return s.reject(PORT, "it is not a number"),
            }
            Go
        },
    ),
    RESOLVER,
];

/// `gethostbyname2` of glibc, which `getaddrinfo` calls if a client asks for IPv4 only (`nss/digits_dots.c`).
pub(crate) const DIGITS_AND_DOTS: Step =
    Step::new("gethostbyname2: digits and dots", "reject digits and dots that are not an IPv4 address", |s| {
        match is_no_address(s.get(HOST)) {
            true => s.reject(HOST, "it is not an address"),
            false => Go,
        }
    });

/// Returns whether a host is digits and dots, and not an IPv4 address.
pub(crate) fn is_no_address(host: &str) -> bool {
    let is_number = host.bytes().all(|it| it.is_ascii_digit() || it == b'.');
    is_number && !host.ends_with('.') && aton(host).is_none()
}

/// Returns whether the resolver asks name servers for a name.
pub(crate) fn is_asked(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    let is_label = |label: &str| matches!(label.len(), 1..64) && label.bytes().all(is_of_label);
    name.len() < 254 && !name.starts_with('-') && name.split('.').all(is_label)
}

/// Rejects the target, and if its host is a name, after a name server was asked for it.
pub(crate) fn reject_resolved(s: &mut State<'_>, slot: Slot, why: &'static str) -> Next {
    let host = s.get(HOST);
    let is_address = aton(host).is_some() || cut(unbracketed(host), "%").0.parse::<Ipv6Addr>().is_ok();
    match !is_address && is_asked(host) {
        true => s.reject_after_asking(slot, why),
        false => s.reject(slot, why),
    }
}

/// Writes an address as the target's host, and goes on with it.
fn to(s: &mut State<'_>, address: IpAddr) -> Next {
    write(s, address);
    To("connect: INADDR_ANY")
}

/// Writes an address as the target's host.
pub(crate) fn write(s: &mut State<'_>, address: IpAddr) {
    s.set(HOST, if address.is_ipv6() { format!("[{address}]") } else { address.to_string() });
}

fn is_of_label(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

/// Returns a name without backslashes; `None` if a label cannot contain what one of them precedes.
fn unescaped(name: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = name.bytes();
    while let Some(byte) = rest.next() {
        let byte = match byte {
            b'\\' => {
                let first = rest.next()?;
                let escaped = if first.is_ascii_digit() {
                    let digits = [first, rest.next()?, rest.next()?];
                    std::str::from_utf8(&digits).ok()?.parse().ok()?
                } else {
                    first
                };
                Some(escaped).filter(|escaped| is_of_label(*escaped))?
            }
            other => other,
        };
        out.push(char::from(byte));
    }
    Some(out)
}

/// Reads an IPv4 address in any notation of `inet_aton`.
pub(crate) fn aton(text: &str) -> Option<Ipv4Addr> {
    let numbers: Vec<u64> = text.split('.').map(number).collect::<Option<_>>()?;
    let (last, first) = numbers.split_last()?;
    let bits = 32_usize.checked_sub(8 * first.len()).filter(|bits| *bits > 0)?;
    let fits = first.iter().all(|number| *number < 256) && last >> bits == 0;
    let start = first.iter().fold(0, |address, number| address << 8 | number);
    fits.then(|| Ipv4Addr::from_bits(u32::try_from(start << bits | last).unwrap_or_default()))
}

/// Reads a number as C does, with the base that its beginning names.
fn number(text: &str) -> Option<u64> {
    let hexadecimal = text.strip_prefix("0x").or(text.strip_prefix("0X"));
    let (digits, base) = match (hexadecimal, text.strip_prefix('0').filter(|rest| !rest.is_empty())) {
        (Some(digits), _) => (digits, 16),
        (None, Some(digits)) => (digits, 8),
        (None, None) => (text, 10),
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_alphanumeric());
    is_number.then(|| u64::from_str_radix(digits, base).ok())?
}

/// Returns a host without the brackets of an IPv6 address.
pub(crate) fn unbracketed(host: &str) -> &str {
    host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host)
}

/// Takes the host and the port that were read as those of the target, as [`accessed`] does.
pub(crate) fn host_and_port(s: &mut State<'_>) -> Next {
    for part in [Part::Scheme, Part::Host, Part::Port] {
        s.flow(Slot::Out(part), Slot::Ref(part));
    }
    accessed(s)
}

/// The mark of a client that connects for ws and wss, too.
pub(crate) const WEB_SOCKETS: &str = "socket: ws and wss";

/// Takes the brackets off the host of the target, and writes the default port of the scheme if there is none. Rejects a target without a host, and
/// one whose scheme is neither http nor https.
fn accessed(s: &mut State<'_>) -> Next {
    if matches!(default_port(s), Done) {
        return Done;
    }
    if s.get(HOST).is_empty() {
        return s.reject(HOST, "the host is missing");
    }
    let host = unbracketed(s.get(HOST)).to_owned();
    if host != s.get(HOST) {
        s.set(HOST, host);
    }
    s.set(Slot::Result, s.reference);
    Go
}

/// Writes the default port of the scheme if there is none. Rejects a target whose scheme is neither http nor https.
pub(crate) fn default_port(s: &mut State<'_>) -> Next {
    let scheme = Slot::Out(Part::Scheme);
    let default = match s.get(scheme).to_ascii_lowercase().as_str() {
        "http" => "80",
        "https" => "443",
        "ws" if s.is_marked(WEB_SOCKETS) => "80",
        "wss" if s.is_marked(WEB_SOCKETS) => "443",
        _ => return s.reject(scheme, "the scheme is neither http nor https"),
    };
    if s.get(PORT).is_empty() {
        s.set(PORT, default);
    }
    Go
}

/// Asks the system's resolver: the last row of most clients.
pub(crate) const RESOLVER: Step =
    Step::new("getaddrinfo", "ask the system's resolver for the host", |_| Call(GETADDRINFO, Side::Reference));

/// `getaddrinfo` for clients that do not look for an empty host.
pub(crate) const NO_NAME: Step =
    Step::new("getaddrinfo: no name", "an empty host is the root of all names, which has no address", |s| {
        match s.get(HOST) {
            "" => s.reject_after_asking(HOST, "it has no address"),
            _ => Go,
        }
    });

/// The codec of `socket.getaddrinfo` of Python, for a host in ASCII.
pub(crate) const PYTHON_LABELS: Step =
    Step::new("encodings.idna: label empty or too long", "reject a host that has an empty label before a dot", |s| {
        let host = s.get(HOST);
        match host == "." || host.contains("..") {
            true => s.reject(HOST, "a label is empty"),
            false => Go,
        }
    });

/// `getaddrinfo` for clients that ask only for a host: for this host, a port is needed.
pub(crate) const NO_SERVICE: Step = Step::new("getaddrinfo: no service", "reject the name *", |s| match s.get(HOST) {
    "*" => s.reject(HOST, "it is not the name of a host"),
    _ => Go,
});

/// A row that takes the host and the port of a library's accessors.
pub(crate) const fn accessors(label: &'static str) -> Step {
    Step::new(
        label,
        "connect to the host, and to the port or the default one of the scheme; reject other schemes than http and https",
        accessed,
    )
}

/// The default port of FTP, for clients that have it.
pub(crate) const FTP: Step = Step::new("ftp", "the default port of ftp is 21", |s| {
    if s.get(Slot::Out(Part::Scheme)) == "ftp" {
        if s.get(PORT).is_empty() {
            s.set(PORT, "21");
        }
        // What follows is as for http.
        s.set(Slot::Out(Part::Scheme), "http");
    }
    Go
});

/// Takes this host for a missing one.
pub(crate) fn this_host(s: &mut State<'_>, address: &str) -> Next {
    if s.get(HOST).is_empty() {
        s.set(HOST, address);
    }
    Go
}

/// Rejects a URL whose scheme is http or https and that has no two slashes after it, for clients of Node that parse URLs by the URL Standard.
/// As there, control characters and spaces before it, and tabs and ends of lines do not count.
pub(crate) fn two_slashes(s: &mut State<'_>) -> Next {
    let slot = Slot::Ref(Part::Text);
    let text = s.get(slot).replace(['\t', '\n', '\r'], "").to_ascii_lowercase();
    let text = text.trim_start_matches(|it: char| it <= ' ');
    let rest = text.strip_prefix("https:").or(text.strip_prefix("http:"));
    match rest.is_none_or(|rest| rest.starts_with("//")) {
        true => Go,
        false => s.reject(slot, "two slashes are missing"),
    }
}
