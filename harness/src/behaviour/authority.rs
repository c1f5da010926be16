//! Authorities: userinfo, host and port.

use std::borrow::Cow;
use std::net::Ipv6Addr;

use super::components::cut;
use super::domain;
use super::table::{Component, Rejected, Tables};
use super::{
    Brackets, DefaultPort, EmptyHost, EmptyPort, EmptyUserinfo, Exit, HostMissing, HostParser, Ipv4, Ipv6, Localhost,
    Port, PortLimit, PortZeros, Row, Stage, UserinfoEnd, WrittenBrackets, WrittenUserinfo,
};

/// An authority as it is written, and the text that belongs to the path instead.
pub(super) struct Server {
    pub(super) text: String,
    pub(super) rest: String,
}

/// Returns the authority `text` as it is written after `scheme`.
pub(super) fn parse(row: &Row, tables: &Tables, text: &str, scheme: Option<&str>) -> Stage<Server> {
    let mut server = Server { text: String::new(), rest: String::new() };
    if text.is_empty() {
        return if row.empty_host == EmptyHost::Rejected { Err(Exit::Rejected) } else { Ok(server) };
    }
    let at = match row.userinfo_end {
        UserinfoEnd::LastAt => text.rfind('@'),
        UserinfoEnd::FirstAt => text.find('@'),
        UserinfoEnd::OnlyAt if text.matches('@').count() > 1 => return Err(Exit::Rejected),
        UserinfoEnd::OnlyAt => text.find('@'),
        UserinfoEnd::None => None,
    };
    let at = at.filter(|&at| at > 0 || row.empty_userinfo != EmptyUserinfo::PartOfHost);
    let (userinfo, after) = at.map_or((None, text), |at| (Some(&text[..at]), &text[at + 1..]));
    check_pairs(row, text)?;
    let (host, port) = split_port(row, after)?;
    if host.is_empty() && (port.is_some() || userinfo.is_some()) {
        let is_empty = port.is_none() && userinfo.is_none_or(|userinfo| matches!(userinfo, "" | ":"));
        match row.host_missing {
            HostMissing::Accepted => {}
            HostMissing::RejectedUnlessEmpty if is_empty => {}
            HostMissing::Rejected | HostMissing::RejectedUnlessEmpty => return Err(Exit::Rejected),
            HostMissing::Dropped => return Ok(server),
        }
    }
    if host.is_empty() && row.empty_host == EmptyHost::Rejected {
        return Err(Exit::Rejected);
    }
    if let Some(userinfo) = userinfo {
        write_userinfo(row, tables, userinfo, &mut server.text)?;
    }
    let (host, tail) = if row.host_parser == HostParser::CutAtInvalid { cut_invalid(tables, host) } else { (host, "") };
    let port = if tail.is_empty() {
        port
    } else {
        server.rest = format!("/{tail}{}", port.map_or_else(String::new, |port| format!(":{port}")));
        None
    };
    let host = written_host(row, tables, host)?;
    server.text.push_str(&host);
    if let Some(port) = port {
        let (port, tail) = written_port(row, port, scheme)?;
        server.rest.push_str(tail);
        server.text.push_str(&port);
    }
    Ok(server)
}

fn written_host(row: &Row, tables: &Tables, host: &str) -> Stage<String> {
    let inside = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    if let Some(inside) = inside.filter(|_| row.brackets != Brackets::Any || host.len() > 2) {
        return Ok(literal(row, tables, inside)?);
    }
    if host.is_empty() {
        return Ok(String::new());
    }
    let host = match row.host_parser {
        HostParser::Domain => domain::to_ascii(host, false)?.into_owned(),
        HostParser::DomainValidated => domain::to_ascii(host, true)?.into_owned(),
        HostParser::Idna if !host.is_ascii() => domain::idna(host)?,
        HostParser::Punycode if !host.is_ascii() => tables.apply(Component::Host, &domain::punycode(host)?)?,
        HostParser::Characters | HostParser::CutAtInvalid | HostParser::Idna | HostParser::Punycode => {
            let host = tables.apply(Component::Host, host)?;
            match row.ipv4 {
                Ipv4::Kept => host,
                Ipv4::ZerosDropped => without_zeros(&host).into_owned(),
                Ipv4::Parsed => domain::with_ipv4(&host).map(Cow::into_owned)?,
            }
        }
    };
    let host = bracketed(row, host);
    Ok(if row.localhost == Localhost::Empty && host == "localhost" { String::new() } else { host })
}

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

/// Rejects an authority with brackets that are not paired, if brackets may be anywhere.
fn check_pairs(row: &Row, authority: &str) -> Stage<()> {
    if !matches!(row.brackets, Brackets::Paired | Brackets::FirstPair) {
        return Ok(());
    }
    let [opened, closed] = ['[', ']'].map(|bracket| authority.contains(bracket));
    let first = || cut(cut(authority, &['[']).1.unwrap_or_default(), &[']']).0;
    let is_address = |text: &str| text.parse::<Ipv6Addr>().is_ok() || is_future(text);
    let is_valid = opened == closed && (!opened || row.brackets == Brackets::Paired || is_address(first()));
    if is_valid { Ok(()) } else { Err(Exit::Rejected) }
}

/// Splits off the port.
fn split_port<'a>(row: &Row, server: &'a str) -> Stage<(&'a str, Option<&'a str>)> {
    let is_strict = !matches!(row.brackets, Brackets::Any | Brackets::Paired | Brackets::FirstPair);
    if server.starts_with('[')
        && let Some(end) = server.find(']')
    {
        let tail = &server[end + 1..];
        match tail.strip_prefix(':') {
            Some(_) if row.port == Port::None => return Err(Exit::Rejected),
            Some(port) => return Ok((&server[..=end], Some(port))),
            None if tail.is_empty() => return Ok((server, None)),
            None if is_strict => return Err(Exit::Rejected),
            None => {}
        }
    } else if is_strict && server.contains(['[', ']']) {
        return Err(Exit::Rejected);
    }
    let colon = server.rfind(':').filter(|_| row.port != Port::None);
    Ok(match colon {
        Some(at) => {
            let port = &server[at + 1..];
            let is_digits = port.bytes().all(|byte| byte.is_ascii_digit());
            match row.port {
                Port::DigitsOrName | Port::DigitsOrHost if !is_digits => (server, None),
                Port::DigitsThenPath => {
                    let first = server.find(':').unwrap_or(at);
                    (&server[..first], Some(&server[first + 1..]))
                }
                _ => (&server[..at], Some(port)),
            }
        }
        None => (server, None),
    })
}

fn write_userinfo(row: &Row, tables: &Tables, userinfo: &str, out: &mut String) -> Result<(), Rejected> {
    let (user, mut password) = cut(userinfo, &[':']);
    match row.written_userinfo {
        WrittenUserinfo::All => {}
        WrittenUserinfo::User => password = None,
        WrittenUserinfo::None => return Ok(()),
    }
    let parts = row.empty_userinfo == EmptyUserinfo::PartsDropped;
    let password = password.filter(|password| !(parts && password.is_empty()));
    let is_empty = user.is_empty() && password.is_none();
    if is_empty && row.empty_userinfo != EmptyUserinfo::Kept {
        return Ok(());
    }
    out.push_str(&tables.apply(Component::User, user)?);
    if let Some(password) = password {
        out.push(':');
        out.push_str(&tables.apply(Component::Password, password)?);
    }
    out.push('@');
    Ok(())
}

/// Splits `host` before the first character that the table of hosts rejects.
fn cut_invalid<'a>(tables: &Tables, host: &'a str) -> (&'a str, &'a str) {
    let mut buffer = [0; 4];
    let bad = host.char_indices().find(|(_, c)| tables.apply(Component::Host, c.encode_utf8(&mut buffer)).is_err());
    bad.map_or((host, ""), |(at, _)| host.split_at(at))
}

/// Returns the host in brackets as it is written, with the brackets.
fn literal(row: &Row, tables: &Tables, inside: &str) -> Result<String, Rejected> {
    let address = inside.parse::<Ipv6Addr>().ok();
    let is_accepted = match row.brackets {
        Brackets::Any | Brackets::Closed | Brackets::Paired | Brackets::FirstPair => true,
        Brackets::Ipv6OrFuture => address.is_some() || is_future(inside),
        Brackets::Ipv6 => address.is_some(),
    };
    if !is_accepted {
        return Err(Rejected);
    }
    let written = match (row.ipv6, address) {
        (Ipv6::Canonical, Some(address)) => address.to_string(),
        (Ipv6::Pieces, Some(address)) => domain::pieces(address),
        _ => tables.apply(Component::Literal, inside)?,
    };
    Ok(match row.written_brackets {
        WrittenBrackets::AsGiven => format!("[{written}]"),
        WrittenBrackets::WithColon | WrittenBrackets::WithIpv6 => bracketed(row, written),
    })
}

/// Returns `host` in brackets if it is written like this.
fn bracketed(row: &Row, host: String) -> String {
    let has_brackets = match row.written_brackets {
        WrittenBrackets::AsGiven => false,
        WrittenBrackets::WithColon => host.contains(':'),
        WrittenBrackets::WithIpv6 => host.parse::<Ipv6Addr>().is_ok(),
    };
    if has_brackets { format!("[{host}]") } else { host }
}

/// Returns whether `text` is an address of a future IP version (RFC 3986 §3.2.2 `IPvFuture`).
fn is_future(text: &str) -> bool {
    let Some((version, address)) = text.strip_prefix(['v', 'V']).and_then(|text| text.split_once('.')) else {
        return false;
    };
    !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_hexdigit()) && !address.is_empty()
}

/// Returns an IPv4 address without leading zeros.
fn without_zeros(host: &str) -> Cow<'_, str> {
    let numbers: Vec<&str> = host.split('.').collect();
    let is_address = numbers.len() == 4
        && numbers
            .iter()
            .all(|number| !number.is_empty() && number.len() < 4 && number.bytes().all(|b| b.is_ascii_digit()));
    if !is_address {
        return host.into();
    }
    let short = |number: &&str| match number.trim_start_matches('0') {
        "" => "0".to_owned(),
        short => short.to_owned(),
    };
    numbers.iter().map(short).collect::<Vec<_>>().join(".").into()
}

/// Returns the port as it is written, with its colon, and the text that belongs to the path.
fn written_port<'a>(row: &Row, port: &'a str, scheme: Option<&str>) -> Stage<(String, &'a str)> {
    let (port, tail) = match row.port {
        Port::DigitsThenPath => port.split_at(port.find(|c: char| !c.is_ascii_digit()).unwrap_or(port.len())),
        _ => (port, ""),
    };
    let is_number = port.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number && row.port == Port::Digits {
        return Err(Exit::Rejected);
    }
    let mut written = port;
    if is_number && !port.is_empty() {
        let value = port.trim_start_matches('0');
        let exceeds = |limit: u64| value.len() > 10 || value.parse::<u64>().is_ok_and(|value| value > limit);
        match row.port_limit {
            PortLimit::Bits16 if exceeds(65_535) => return Err(Exit::Rejected),
            PortLimit::Bits31 if exceeds(2_147_483_647) => return Err(Exit::Rejected),
            _ => {}
        }
        written = match row.port_zeros {
            PortZeros::Kept => port,
            PortZeros::Dropped if value.is_empty() => "0",
            PortZeros::Dropped | PortZeros::ZeroDropped => value,
        };
    }
    if written.is_empty() {
        match row.empty_port {
            EmptyPort::Rejected => return Err(Exit::Rejected),
            EmptyPort::Dropped => return Ok((String::new(), tail)),
            EmptyPort::Kept => {}
        }
    }
    let is_default = row.default_port == DefaultPort::Dropped && scheme.and_then(default_port) == Some(written);
    Ok((if is_default { String::new() } else { format!(":{written}") }, tail))
}
