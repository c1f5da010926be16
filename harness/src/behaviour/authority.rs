//! Authorities: userinfo, host and port.

mod address;
pub(super) mod literal;
mod name;
mod shown;

use std::borrow::Cow;
use std::net::{Ipv4Addr, Ipv6Addr};

use super::components::cut;
use super::domain;
use super::table::{Component, Rejected, Tables};
use super::{
    AuthorityName, Brackets, DefaultPort, EmptyHex, EmptyHost, EmptyLabels, EmptyPort, EmptyUserinfo, Exit, HostColon,
    HostMissing, HostParser, IdnaResult, Ipv4, LabelHyphens, Localhost, Port, PortLimit, PortZeros, Row, Stage, Tabs,
    UnicodeHost, UserinfoEnd, WrittenUserinfo,
};
use literal::{bracketed, is_future, literal, without_rest};

/// An authority as it is written, and the text that belongs to the path instead.
pub(super) struct Server {
    pub(super) text: String,
    pub(super) rest: String,
    /// Whether the path and all that follows it is dropped.
    pub(super) is_end: bool,
    /// Whether the authority is as if it were not there.
    pub(super) is_absent: bool,
}

/// Returns the authority `text` as it is written after `scheme`. `is_last` means that nothing follows it.
pub(super) fn parse(row: &Row, tables: &Tables, text: &str, scheme: Option<&str>, is_last: bool) -> Stage<Server> {
    let mut server = Server { text: String::new(), rest: String::new(), is_end: false, is_absent: false };
    if text.is_empty() {
        return if row.empty_host() == EmptyHost::Rejected { Err(Exit::Rejected) } else { Ok(server) };
    }
    if row.authority_name() == AuthorityName::Copied && !name::is_server(text) {
        // It may still be rejected.
        tables.apply(Component::Host, text)?;
        server.text.push_str(text);
        return Ok(server);
    }
    let at = match text.contains('@').then(|| row.userinfo_end()) {
        Some(UserinfoEnd::LastAt) => text.rfind('@'),
        Some(UserinfoEnd::FirstAt) => text.find('@'),
        Some(UserinfoEnd::OnlyAt) if text.matches('@').count() > 1 => return Err(Exit::Rejected),
        Some(UserinfoEnd::OnlyAt) => text.find('@'),
        Some(UserinfoEnd::FirstAtInText) => first_at(text),
        Some(UserinfoEnd::None) | None => None,
    };
    let at = at.filter(|&at| at > 0 || row.empty_userinfo() != EmptyUserinfo::PartOfHost);
    let (userinfo, after) = at.map_or((None, text), |at| (Some(&text[..at]), &text[at + 1..]));
    check_pairs(row, text)?;
    let after = match row.brackets() {
        Brackets::Trimmed => trimmed(after),
        Brackets::ClosedRestDropped => without_rest(after).into(),
        _ => after.into(),
    };
    let (after, tail) = match row.host_parser() {
        HostParser::CutAtInvalid => cut_invalid(row, tables, &after),
        _ => (Cow::Borrowed(&*after), ""),
    };
    if !tail.is_empty() {
        server.rest = format!("/{tail}");
    }
    let after = &*without_tabs(row, &after);
    let (host, port) = split_port(row, after)?;
    // The colon may be one of an IPv6 address.
    let may_be_open = || !matches!(row.brackets(), Brackets::Ipv6IfPaired | Brackets::Ipv6IfColon);
    let is_opened = host.starts_with('[') && (host.ends_with(']') || may_be_open());
    if host.contains(':') && !is_opened && row.host_colon() == HostColon::Rejected {
        return Err(Exit::Rejected);
    }
    if host.is_empty() && (port.is_some() || userinfo.is_some()) {
        let is_empty = port.is_none() && userinfo.is_none_or(|userinfo| matches!(userinfo, "" | ":"));
        match row.host_missing() {
            HostMissing::Accepted => {}
            HostMissing::PortDropped => {
                written_port(row, port.unwrap_or_default(), scheme)?;
            }
            HostMissing::RejectedUnlessEmpty if is_empty => {}
            HostMissing::RejectedUnlessColon if is_empty && (is_last || userinfo == Some(":")) => {}
            HostMissing::Rejected | HostMissing::RejectedUnlessEmpty | HostMissing::RejectedUnlessColon => {
                return Err(Exit::Rejected);
            }
            HostMissing::Dropped => return Ok(server),
        }
    }
    if host.is_empty() && row.empty_host() == EmptyHost::Rejected {
        return Err(Exit::Rejected);
    }
    if let Some(userinfo) = userinfo {
        write_userinfo(row, tables, userinfo, &mut server.text)?;
    }
    if host.starts_with('[') && host.ends_with(']') && row.brackets() == Brackets::Ipv6OrAbsent {
        let inside = &host[1..(host.len() - 1).max(1)];
        match literal(row, tables, inside) {
            Err(_) if inside.contains('.') && !inside.contains(':') => return Err(Exit::Rejected),
            Err(_) => {
                (server.is_absent, server.is_end) = (server.text.is_empty(), true);
                return Ok(server);
            }
            Ok(_) => {}
        }
    }
    let host = written_host(row, tables, host)?;
    server.text.push_str(&host);
    let is_port_dropped = host.is_empty() && row.host_missing() == HostMissing::PortDropped;
    if let Some(port) = port.filter(|_| !is_port_dropped) {
        let (port, tail) = written_port(row, port, scheme)?;
        if matches!(row.port(), Port::DigitsThenEnd | Port::DigitsOrEnd) {
            let is_bare = row.port() == Port::DigitsThenEnd && port.is_empty();
            server.is_end = is_bare || !tail.is_empty();
        } else {
            server.rest.push_str(tail);
        }
        server.text.push_str(&port);
    }
    Ok(server)
}

/// Returns the position of the first `@` of `text` if at most one colon precedes it.
pub(super) fn first_at(text: &str) -> Option<usize> {
    text.find('@').filter(|&at| text[..at].matches(':').count() < 2)
}

/// Returns `server` without tabs and newlines, if they are removed from components.
pub(super) fn without_tabs<'a>(row: &Row, server: &'a str) -> Cow<'a, str> {
    let is_kept = !server.contains(['\t', '\n', '\r']) || row.tabs() == Tabs::First;
    if is_kept { server.into() } else { server.replace(['\t', '\n', '\r'], "").into() }
}

/// Returns whether the port of `authority` consists of digits. It follows the first colon of the host.
pub(super) fn has_digits_as_port(authority: &str) -> bool {
    let server = authority.rsplit_once('@').map_or(authority, |(_, server)| server);
    let server = server.split_once(']').filter(|_| server.starts_with('[')).map_or(server, |(_, tail)| tail);
    server.split_once(':').is_none_or(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns the position of the backslash that ends the port of `authority`.
pub(super) fn backslash_after_port(authority: &str) -> Option<usize> {
    let server = authority.rfind('@').map_or(0, |at| at + 1);
    let literal = authority[server..].find(']').filter(|_| authority[server..].starts_with('['));
    let host = server + literal.unwrap_or(0);
    let port = host + authority[host..].find(':')? + 1;
    let end = port + authority[port..].find(|c: char| !c.is_ascii_digit())?;
    authority[end..].starts_with('\\').then_some(end)
}

fn written_host(row: &Row, tables: &Tables, host: &str) -> Stage<String> {
    let inside = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let is_literal = match row.brackets() {
        Brackets::Any => host.len() > 2,
        Brackets::Characters => false,
        Brackets::Ipv6IfColon => host.contains(':'),
        _ => true,
    };
    if let Some(inside) = inside.filter(|_| is_literal) {
        return Ok(literal(row, tables, inside)?);
    }
    if host.is_empty() {
        return Ok(String::new());
    }
    let host = match row.host_parser() {
        HostParser::Domain
        | HostParser::DomainCaseKept
        | HostParser::DomainValidated
        | HostParser::DomainOrEmpty
        | HostParser::DomainTransitional => {
            let host = domain::to_ascii(host, row.host_parser())?;
            let is_forbidden = |c| domain::is_forbidden_in_domain(c, row.domain_forbidden());
            if host.contains(is_forbidden) || row.empty_hex() == EmptyHex::Rejected && ends_in_empty_hex(&host) {
                return Err(Exit::Rejected);
            }
            domain::numbers_parsed(&host, row.domain_numbers())?.into_owned()
        }
        HostParser::DomainByTable => {
            let ascii = domain::unicode_to_ascii(host)?;
            let is_removed = |c| matches!(c, '\t' | '\n' | '\r');
            if ascii.contains(is_removed) && !host.contains(is_removed) {
                return Err(Exit::Rejected);
            }
            let host = tables.apply(Component::Host, &ascii)?;
            domain::with_ipv4(&host).map(Cow::into_owned)?
        }
        HostParser::Characters | HostParser::CutAtInvalid => {
            let is_ace = host.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("xn--"));
            let is_checked = is_ace && row.unicode_host() == UnicodeHost::IdnaTransitionalChecked;
            let has_ace = match host.is_ascii().then(|| row.unicode_host()) {
                Some(UnicodeHost::AceDecoded) => true,
                Some(UnicodeHost::IdnaStrictShown) => domain::has_ace(host),
                Some(UnicodeHost::DomainDecoded) => {
                    domain::has_ace(host) && host.contains(|c: char| c.is_ascii_digit())
                }
                _ => false,
            };
            let is_plain = host.is_ascii() && !host.contains('%') && !is_checked && !has_ace;
            let unicode_host = if is_plain { UnicodeHost::Characters } else { row.unicode_host() };
            let decoded = match unicode_host {
                UnicodeHost::IdnaDecoded
                | UnicodeHost::IdnaDecodedDotDropped
                | UnicodeHost::IdnaStrict
                | UnicodeHost::IdnaStrictShown
                | UnicodeHost::IdnaTransitionalDecoded
                | UnicodeHost::DomainDecoded => domain::with_unicode_decoded(host),
                _ => host.into(),
            };
            let host = match unicode_host {
                UnicodeHost::IdnaDecoded if !decoded.is_ascii() => domain::idna(&decoded)?,
                UnicodeHost::IdnaStrict if !decoded.is_ascii() => domain::idna_strict(&decoded)?,
                UnicodeHost::IdnaStrictShown if !decoded.is_ascii() => shown::shown(domain::idna_strict(&decoded)?),
                UnicodeHost::IdnaStrictShown if has_ace => shown::shown(tables.apply(Component::Host, host)?),
                UnicodeHost::IdnaDecodedDotDropped if !decoded.is_ascii() => domain::idna_without_last_dot(&decoded)?,
                UnicodeHost::IdnaTransitionalDecoded if !decoded.is_ascii() => {
                    domain::idna(&domain::transitional(&decoded))?
                }
                UnicodeHost::DomainDecoded if has_ace || !decoded.is_ascii() => match domain::of_url_standard(&decoded)
                {
                    Ok(domain) => domain,
                    Err(_) if host.contains('%') && host.is_ascii() => tables.apply(Component::Host, host)?,
                    Err(rejected) => return Err(rejected.into()),
                },
                UnicodeHost::Idna if !host.is_ascii() => domain::idna(host)?,
                UnicodeHost::IdnaTransitional | UnicodeHost::IdnaTransitionalChecked
                    if !host.is_ascii() || is_checked =>
                {
                    domain::idna(&domain::transitional(host))?
                }
                UnicodeHost::IdnaTransitionalOrKept if !host.is_ascii() => domain::idna_or_kept(host),
                UnicodeHost::AceDecoded if has_ace => {
                    tables.apply(Component::Host, &domain::with_ace_decoded(host)?)?
                }
                UnicodeHost::IdnaUnmapped if !host.is_ascii() => domain::idna_unmapped(host)?,
                UnicodeHost::PunycodeDots if !host.is_ascii() => {
                    let dotted = host.replace(['\u{3002}', '\u{ff0e}', '\u{ff61}'], ".");
                    tables.apply(Component::Host, &domain::punycode(&dotted)?)?
                }
                UnicodeHost::PunycodeBytes => {
                    tables.apply(Component::Host, &domain::punycode(&domain::with_bytes_decoded(host))?)?
                }
                UnicodeHost::Punycode if !host.is_ascii() => tables.apply(Component::Host, &domain::punycode(host)?)?,
                _ => tables.apply(Component::Host, host)?,
            };
            let is_converted = !decoded.is_ascii() && unicode_host != UnicodeHost::Characters;
            if is_converted && row.idna_result() == IdnaResult::ByTable {
                tables.apply(Component::Host, &host)?;
            }
            match row.ipv4() {
                _ if row.empty_hex() == EmptyHex::Name && has_empty_hex(&host) => host,
                _ if row.empty_hex() == EmptyHex::Rejected && ends_in_empty_hex(&host) => return Err(Exit::Rejected),
                Ipv4::Kept => host,
                Ipv4::Checked if !is_valid_if_ipv4(&host) => return Err(Exit::Rejected),
                Ipv4::EndsAfterFour | Ipv4::AddressOrLetters if !address::is_accepted(row, &host) => {
                    return Err(Exit::Rejected);
                }
                Ipv4::Checked | Ipv4::EndsAfterFour | Ipv4::AddressOrLetters => host,
                Ipv4::ZerosDropped => without_zeros(&host).into_owned(),
                Ipv4::Parsed => domain::with_ipv4(&host).map(Cow::into_owned)?,
                Ipv4::ParsedWithoutDot if host.ends_with('.') => host,
                Ipv4::ParsedOrName | Ipv4::ParsedWithoutDot => {
                    domain::with_ipv4(&host).map(Cow::into_owned).unwrap_or(host)
                }
            }
        }
    };
    if !has_accepted_labels(row, &host) {
        return Err(Exit::Rejected);
    }
    let host = bracketed(row, host);
    match row.localhost() {
        Localhost::Empty if host == "localhost" => Ok(String::new()),
        Localhost::EmptyOthersRejected if host.eq_ignore_ascii_case("localhost") || host == "127.0.0.1" => {
            Ok(String::new())
        }
        Localhost::EmptyOthersRejected => Err(Exit::Rejected),
        Localhost::Host | Localhost::Empty => Ok(host),
    }
}

/// Returns whether a label of `host` is `0x`.
fn has_empty_hex(host: &str) -> bool {
    host.split('.').any(|label| label.eq_ignore_ascii_case("0x"))
}

/// Returns whether the last label of `host` is `0x`.
fn ends_in_empty_hex(host: &str) -> bool {
    host.trim_end_matches('.').rsplit('.').next().is_some_and(has_empty_hex)
}

/// Returns whether the labels of `host` are accepted that are empty or begin or end with a hyphen.
fn has_accepted_labels(row: &Row, host: &str) -> bool {
    let ideographic = ['\u{3002}', '\u{ff0e}', '\u{ff61}'];
    let dotted = match host.contains(ideographic) && row.empty_labels() == EmptyLabels::RejectedUnlessLast {
        true => Cow::Owned(host.replace(ideographic, ".")),
        false => Cow::Borrowed(host),
    };
    let host = &*dotted;
    let has_empty = host.starts_with('.') || host.ends_with('.') || host.contains("..");
    let are_accepted = !has_empty
        || match row.empty_labels() {
            EmptyLabels::Accepted => true,
            EmptyLabels::Rejected => !host.contains("..") && (host == "." || !host.starts_with('.')),
            EmptyLabels::RejectedAtEnd => !host.ends_with("..") && host != ".",
            EmptyLabels::RejectedUnlessLast => !host.contains("..") && !host.starts_with('.'),
        };
    let has_hyphen = |label: &str| label.starts_with('-') || label.ends_with('-');
    are_accepted && (!host.split('.').any(has_hyphen) || row.label_hyphens() == LabelHyphens::Accepted)
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

/// Returns `authority` of a base with the scheme `of_base` as the authority of a reference with the scheme `own`: without a
/// port if `own` has a default port, and otherwise with the default port of `of_base` if it does not have one.
pub(super) fn with_port_of(authority: &str, own: &str, of_base: &str) -> String {
    let server = authority.rfind('@').map_or(0, |at| at + 1);
    let port = authority[server..].rfind(':').map(|at| server + at).filter(|at| !authority[*at..].contains(']'));
    match (port, default_port(own), default_port(of_base)) {
        (Some(at), Some(_), _) => authority[..at].to_owned(),
        (None, None, Some(default)) if !authority.is_empty() => format!("{authority}:{default}"),
        _ => authority.to_owned(),
    }
}

/// Rejects an authority with brackets that are not paired, if brackets may be anywhere.
fn check_pairs(row: &Row, authority: &str) -> Stage<()> {
    if !matches!(row.brackets(), Brackets::Paired | Brackets::FirstPair) {
        return Ok(());
    }
    let [opened, closed] = ['[', ']'].map(|bracket| authority.contains(bracket));
    let first = || cut(cut(authority, &['[']).1.unwrap_or_default(), &[']']).0;
    let is_address = |text: &str| text.parse::<Ipv6Addr>().is_ok() || is_future(text);
    let is_valid = opened == closed && (!opened || row.brackets() == Brackets::Paired || is_address(first()));
    if is_valid { Ok(()) } else { Err(Exit::Rejected) }
}

/// Returns `server` without brackets at the ends of its host, and without the text after a closing one except a port.
fn trimmed(server: &str) -> Cow<'_, str> {
    let Some(inside) = server.strip_prefix('[') else {
        return match server.split_once(':') {
            Some((host, port)) => format!("{}:{port}", host.trim_end_matches(']')).into(),
            None => server.trim_end_matches(']').into(),
        };
    };
    match inside.split_once(']') {
        Some((host, tail)) if tail.starts_with(':') => format!("[{host}]{tail}").into(),
        Some((host, _)) => format!("[{host}]").into(),
        None => inside.trim_start_matches('[').into(),
    }
}

/// Splits off the port.
fn split_port<'a>(row: &Row, server: &'a str) -> Stage<(&'a str, Option<&'a str>)> {
    let is_lenient = matches!(
        row.brackets(),
        Brackets::Any
            | Brackets::ClosedIfFirst
            | Brackets::Paired
            | Brackets::FirstPair
            | Brackets::Ipv6IfPaired
            | Brackets::Ipv6IfColon
            | Brackets::Ipv6OrAbsent
            | Brackets::Trimmed
            | Brackets::ClosedRestDropped
            | Brackets::Characters
            | Brackets::ColonsHidden
    );
    if row.brackets() == Brackets::Any && row.port() == Port::FirstDigitsThenPath {
        let (host, port) = cut(server, &[':']);
        return Ok((host, port));
    }
    let is_strict = !is_lenient;
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
    } else if is_strict && server.contains('[')
        || is_strict && row.brackets() != Brackets::Ipv6IfOpened && server.contains(']')
    {
        return Err(Exit::Rejected);
    }
    if row.brackets() == Brackets::ClosedIfFirst && server.starts_with('[') {
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
    let colon = server.rfind(':').filter(|at| match row.port() {
        Port::None => false,
        Port::DigitsAfterOnlyColon => !server[..*at].contains(':'),
        _ => true,
    });
    Ok(match colon {
        Some(at) => {
            let port = &server[at + 1..];
            let is_digits = port.bytes().all(|byte| byte.is_ascii_digit());
            match row.port() {
                Port::DigitsOrName | Port::DigitsOrHost if !is_digits => (server, None),
                Port::DigitsThenPath
                | Port::DigitsThenEnd
                | Port::DigitsOrEnd
                | Port::FirstDigits
                | Port::FirstDigitsThenPath => {
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
    let (mut user, mut password) = cut(userinfo, &[':']);
    match row.written_userinfo() {
        WrittenUserinfo::All => {}
        WrittenUserinfo::LastTwoParts => {
            let mut last = userinfo.rsplitn(3, ':');
            if let (Some(of_password), Some(of_user)) = (last.next(), last.next()) {
                (user, password) = (of_user, Some(of_password));
            }
        }
        WrittenUserinfo::User => password = None,
        WrittenUserinfo::None => {
            // It may still be rejected.
            tables.apply(Component::User, userinfo)?;
            return Ok(());
        }
    }
    let parts = matches!(row.empty_userinfo(), EmptyUserinfo::PartsDropped | EmptyUserinfo::PasswordDropped);
    let user = tables.apply(Component::User, user)?;
    let password = password.map(|password| tables.apply(Component::Password, password)).transpose()?;
    let password = password.filter(|password| !(parts && password.is_empty()));
    let is_empty = user.is_empty() && password.is_none();
    let keeps_at = matches!(row.empty_userinfo(), EmptyUserinfo::Kept | EmptyUserinfo::PasswordDropped);
    if is_empty && !keeps_at || row.empty_userinfo() == EmptyUserinfo::AllDropped {
        return Ok(());
    }
    out.push_str(&user);
    if let Some(password) = password {
        out.push(':');
        out.push_str(&password);
    }
    out.push('@');
    Ok(())
}

/// Splits `host`, which may have a port, before the first character that the table of hosts rejects. If a port consists of
/// digits at the end, it remains with the host, and another colon is rejected.
fn cut_invalid<'a>(row: &Row, tables: &Tables, host: &'a str) -> (Cow<'a, str>, &'a str) {
    if host.starts_with('[')
        && let Some(end) = host.find(']')
    {
        let end = if row.port() == Port::None { end + 1 } else { host.len() };
        return (host[..end].into(), &host[end..]);
    }
    if row.port() == Port::DigitsOrHost {
        let digits = host.trim_end_matches(|c: char| c.is_ascii_digit());
        let name = digits.strip_suffix(':').unwrap_or(host);
        let is_bad = |c: char| c == ':' || tables.apply(Component::Host, c.encode_utf8(&mut [0; 4])).is_err();
        let (name, tail) = name.split_at(name.find(is_bad).unwrap_or(name.len()));
        return (format!("{name}{}", &host[name.len() + tail.len()..]).into(), tail);
    }
    let mut buffer = [0; 4];
    let bad = host.char_indices().find(|(_, c)| match c {
        ':' if row.port() == Port::None => true,
        '@' if row.userinfo_end() == UserinfoEnd::None && row.port() == Port::None => true,
        _ => tables.apply(Component::Host, c.encode_utf8(&mut buffer)).is_err(),
    });
    let (host, tail) = bad.map_or((host, ""), |(at, _)| host.split_at(at));
    (host.into(), tail)
}

/// Returns whether `host` is an IPv4 address if it consists of four numbers.
fn is_valid_if_ipv4(host: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    !(host.split('.').count() == 4 && host.split('.').all(is_number)) || host.parse::<Ipv4Addr>().is_ok()
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
    let (port, tail) = match row.port() {
        Port::DigitsThenPath | Port::DigitsThenEnd | Port::FirstDigitsThenPath => {
            port.split_at(port.find(|c: char| !c.is_ascii_digit()).unwrap_or(port.len()))
        }
        Port::DigitsOrEnd if !port.bytes().all(|byte| byte.is_ascii_digit()) => return Ok((String::new(), port)),
        Port::DigitsThenDropped if port.len() > 5 || port.starts_with(|c: char| !c.is_ascii_digit()) => {
            return Err(Exit::Rejected);
        }
        Port::DigitsThenDropped | Port::FirstDigits => {
            (&port[..port.find(|c: char| !c.is_ascii_digit()).unwrap_or(port.len())], "")
        }
        _ => (port, ""),
    };
    let port = if row.port() == Port::Integer { port.trim_matches(' ') } else { port };
    let port = if row.port() == Port::Integer { port.strip_prefix('+').unwrap_or(port) } else { port };
    let is_number = port.bytes().all(|byte| byte.is_ascii_digit());
    let is_negative = || port.len() > 1 && port.starts_with('-') && port[1..].bytes().all(|byte| byte.is_ascii_digit());
    match row.port() {
        Port::Digits | Port::DigitsOrPath | Port::DigitsAfterOnlyColon if !is_number => return Err(Exit::Rejected),
        Port::Integer if !is_number && (row.port_limit() != PortLimit::None || !is_negative()) => {
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
        let exceeds = |limit: u64| value.len() > 10 || value.parse::<u64>().is_ok_and(|value| value > limit);
        match row.port_limit() {
            PortLimit::Bits16 if exceeds(65_535) => return Err(Exit::Rejected),
            PortLimit::Bits31 if exceeds(2_147_483_647) => return Err(Exit::Rejected),
            _ => {}
        }
        written = match row.port_zeros() {
            PortZeros::LoneZeroDropped if port == "0" => return Ok((String::new(), tail)),
            PortZeros::Kept | PortZeros::LoneZeroDropped => port,
            PortZeros::Dropped if value.is_empty() => "0",
            PortZeros::ZeroRejected | PortZeros::KeptZeroRejected if value.is_empty() => return Err(Exit::Rejected),
            PortZeros::KeptZeroRejected => port,
            PortZeros::Dropped | PortZeros::ZeroDropped | PortZeros::ZeroRejected => value,
        };
    }
    if written.is_empty() {
        match row.empty_port() {
            EmptyPort::Rejected => return Err(Exit::Rejected),
            EmptyPort::Dropped => return Ok((String::new(), tail)),
            EmptyPort::Kept => {}
        }
    }
    let is_dropped = match row.default_port() {
        DefaultPort::Kept => false,
        DefaultPort::Dropped => scheme.and_then(default_port) == Some(written),
        DefaultPort::AllDropped => true,
    };
    Ok((if is_dropped { String::new() } else { format!(":{written}") }, tail))
}
