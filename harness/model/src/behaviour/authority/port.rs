//! Ports.

use super::super::components::cut;
use super::super::{Brackets, DefaultPort, EmptyPort, Exit, Port, PortLimit, PortZeros, Row, Stage};

/// Default ports by scheme (IANA).
const DEFAULT_PORTS: &[(&str, &str)] = &[
    ("http", "80"),
    ("https", "443"),
    ("ws", "80"),
    ("wss", "443"),
    ("ftp", "21"),
    ("gopher", "70"),
    ("ldap", "389"),
    ("ldaps", "636"),
    ("telnet", "23"),
    ("nntp", "119"),
    ("imap", "143"),
    ("rtsp", "554"),
    ("sip", "5060"),
    ("ssh", "22"),
    ("sftp", "22"),
    ("nfs", "2049"),
    ("git", "9418"),
    ("svn", "3690"),
    ("mms", "1755"),
    ("prospero", "1525"),
    ("rtspu", "5005"),
    ("wais", "210"),
    ("sips", "5061"),
    ("snews", "563"),
];

/// Returns the default port of `scheme`.
pub(crate) fn default_port(scheme: &str) -> Option<&'static str> {
    DEFAULT_PORTS.iter().find(|(name, _)| name.eq_ignore_ascii_case(scheme)).map(|(_, port)| *port)
}

/// Returns whether the port of `authority` consists of digits. It follows the first colon of the host.
pub(in super::super) fn has_digits_as_port(authority: &str) -> bool {
    let server = authority.rsplit_once('@').map_or(authority, |(_, server)| server);
    let server = server.split_once(']').filter(|_| server.starts_with('[')).map_or(server, |(_, tail)| tail);
    server.split_once(':').is_none_or(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns the position of the backslash that ends the port of `authority`.
pub(in super::super) fn backslash_after_port(authority: &str) -> Option<usize> {
    let server = authority.rfind('@').map_or(0, |at| at + 1);
    let literal = authority[server..].find(']').filter(|_| authority[server..].starts_with('['));
    let host = server + literal.unwrap_or(0);
    let port = host + authority[host..].find(':')? + 1;
    let end = port + authority[port..].find(|c: char| !c.is_ascii_digit())?;
    authority[end..].starts_with('\\').then_some(end)
}

/// Splits off the port.
pub(super) fn split_port<'a>(row: &Row, server: &'a str) -> Stage<(&'a str, Option<&'a str>)> {
    let is_strict = matches!(
        row.brackets(),
        Brackets::Closed
            | Brackets::WithColonOrFuture
            | Brackets::Ipv6OrFuture
            | Brackets::Ipv6OrDecimalFuture
            | Brackets::Ipv6
            | Brackets::Ipv6WithZeros
            | Brackets::Ipv6OpenEnd
    );
    if row.brackets() == Brackets::Any && row.port() == Port::FirstDigitsThenPath {
        return Ok(cut(server, &[':']));
    }
    let end = match row.brackets() {
        // The character after an IPv4 part can be a bracket.
        Brackets::Ipv6OpenEnd | Brackets::ClosedRestDropped => server.rfind(']'),
        Brackets::Characters => None,
        _ => server.find(']'),
    };
    if server.starts_with('[')
        && let Some(end) = end
    {
        let tail = &server[end + 1..];
        match tail.strip_prefix(':') {
            Some(_) if row.port() == Port::None => return Err(Exit::Rejected),
            Some(port) => return Ok((&server[..=end], Some(port))),
            None if tail.is_empty() => return Ok((server, None)),
            None if is_strict => return Err(Exit::Rejected),
            None => {}
        }
    } else if is_strict && server.contains(['[', ']']) {
        return Err(Exit::Rejected);
    }
    if matches!(row.brackets(), Brackets::ClosedIfFirst | Brackets::FirstClosedRestDropped) && server.starts_with('[') {
        return Err(Exit::Rejected);
    }
    if row.brackets() == Brackets::Ipv6OrAbsent {
        let start = server.find(']').unwrap_or(0);
        let colon = server[start..].find(':').map(|at| start + at);
        return Ok(colon.map_or((server, None), |at| (&server[..at], Some(&server[at + 1..]))));
    }
    let is_hidden = |at: usize| server[..at].rfind('[') > server[..at].rfind(']');
    if row.brackets() == Brackets::ColonsHidden && server.rfind(':').is_some_and(is_hidden) {
        return Ok((server, None));
    }
    let is_bracketed = |at: usize| server[at..].contains(['[', ']']);
    if row.brackets() == Brackets::NotInPort && server.rfind(':').is_some_and(is_bracketed) {
        return Ok((server, None));
    }
    let colon = server.rfind(':').filter(|at| match row.port() {
        Port::None => false,
        Port::DigitsAfterOnlyColon => !server[..*at].contains(':'),
        _ => true,
    });
    let Some(at) = colon else { return Ok((server, None)) };
    let port = &server[at + 1..];
    let is_digits = port.bytes().all(|byte| byte.is_ascii_digit());
    Ok(match row.port() {
        Port::DigitsOrName | Port::DigitsOrHost | Port::SomeDigitsOrHost if !is_digits => (server, None),
        Port::SomeDigitsOrHost if port.is_empty() => (server, None),
        Port::DigitsOrName if server[..at].contains(':') && !server.contains(']') => (server, None),
        Port::DigitsThenPath | Port::DigitsOrEnd | Port::FirstDigits | Port::FirstDigitsThenPath => cut(server, &[':']),
        _ => (&server[..at], Some(port)),
    })
}

/// Returns the port as it is written, with its colon, and the text that belongs to the path.
pub(super) fn written_port<'a>(row: &Row, port: &'a str, scheme: Option<&str>) -> Stage<(String, &'a str)> {
    let (port, tail) = match row.port() {
        Port::DigitsThenPath | Port::FirstDigitsThenPath => {
            port.split_at(port.find(|c: char| !c.is_ascii_digit()).unwrap_or(port.len()))
        }
        Port::DigitsOrEnd if !port.bytes().all(|byte| byte.is_ascii_digit()) => return Ok((String::new(), port)),
        Port::AfterDigit if port.len() > 5 || port.starts_with(|c: char| !c.is_ascii_digit()) => {
            return Err(Exit::Rejected);
        }
        Port::FirstDigits => (&port[..port.find(|c: char| !c.is_ascii_digit()).unwrap_or(port.len())], ""),
        _ => (port, ""),
    };
    let port = match row.port() {
        Port::Integer => port.trim_matches(' '),
        Port::UnicodeInteger => port.trim_matches(|c: char| c.is_whitespace() && !c.is_ascii_control()),
        _ => port,
    };
    let is_integer = matches!(row.port(), Port::Integer | Port::UnicodeInteger);
    let port = if is_integer { port.strip_prefix('+').unwrap_or(port) } else { port };
    let is_number = port.bytes().all(|byte| byte.is_ascii_digit());
    let is_negative = || port.len() > 1 && port.starts_with('-') && port[1..].bytes().all(|byte| byte.is_ascii_digit());
    match row.port() {
        Port::Digits | Port::DigitsOrPath | Port::DigitsAfterOnlyColon if !is_number => return Err(Exit::Rejected),
        Port::Integer | Port::UnicodeInteger
            if !is_number && (row.port_limit() != PortLimit::None || !is_negative()) =>
        {
            return Err(Exit::Rejected);
        }
        _ => {}
    }
    let wrapped = match port.parse::<u128>() {
        Ok(number) if row.port_limit() == PortLimit::Wraps32 => {
            // A number of more than 64 bits is the highest one.
            (u64::try_from(number).unwrap_or(u64::MAX) as u32).to_string()
        }
        _ => port.to_owned(),
    };
    let port = &*wrapped;
    let mut written = port;
    if is_number && !port.is_empty() {
        let value = port.trim_start_matches('0');
        let number = if value.is_empty() { 0 } else { value.parse().unwrap_or(u64::MAX) };
        if is_too_high(row, number) {
            return Err(Exit::Rejected);
        }
        written = match row.port_zeros() {
            PortZeros::ZeroAbsent if value.is_empty() => return Ok((String::new(), tail)),
            PortZeros::LoneZeroDropped if port == "0" => return Ok((String::new(), tail)),
            PortZeros::Kept | PortZeros::LoneZeroDropped => port,
            PortZeros::Dropped if value.is_empty() => "0",
            PortZeros::ZeroRejected if value.is_empty() => return Err(Exit::Rejected),
            PortZeros::Dropped | PortZeros::ZeroDropped | PortZeros::ZeroRejected | PortZeros::ZeroAbsent => value,
        };
    }
    if written.is_empty() {
        match row.empty_port() {
            EmptyPort::Rejected => return Err(Exit::Rejected),
            EmptyPort::Dropped => return Ok((String::new(), tail)),
            EmptyPort::Zero => return Ok((":0".to_owned(), tail)),
            EmptyPort::Kept => {}
        }
    }
    let is_dropped = match row.default_port() {
        DefaultPort::Kept => false,
        DefaultPort::Dropped => scheme.and_then(default_port) == Some(written),
        DefaultPort::DroppedInLowerCase => {
            scheme.filter(|scheme| !scheme.contains(char::is_uppercase)).and_then(default_port) == Some(written)
        }
        DefaultPort::AllDropped => true,
    };
    Ok((if is_dropped { String::new() } else { format!(":{written}") }, tail))
}

/// Returns whether `port` exceeds the highest port.
fn is_too_high(row: &Row, port: u64) -> bool {
    match row.port_limit() {
        PortLimit::Bits16 => port > 65_535,
        PortLimit::Bits31 => port > 2_147_483_647,
        PortLimit::None | PortLimit::Wraps32 => false,
    }
}
