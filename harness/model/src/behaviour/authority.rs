//! Authorities: userinfo, host and port.

mod address;
mod host;
pub(super) mod literal;
mod name;
mod port;
mod shown;
pub(super) mod user;

use std::borrow::Cow;
use std::net::Ipv6Addr;

use icu_normalizer::ComposingNormalizerBorrowed;

use super::components::cut;
use super::table::{Component, Rejected, Tables, decoded};
use super::{
    AuthorityName, Brackets, CompatibleDelimiters, EmptyHost, EmptyUserinfo, Exit, HostColon, HostMissing, HostParser,
    Ipv4, Port, Row, Stage, Tabs, UserinfoBrackets, UserinfoEnd, WrittenUserinfo,
};
use host::written_host;
use literal::{is_future, literal, with_zone, without_rest};
pub(crate) use port::default_port;
pub(super) use port::{backslash_after_port, has_digits_as_port};
use port::{split_port, written_port};

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
    if !text.is_ascii() {
        check_compatible(row, text)?;
    }
    let at = end_of_userinfo(row, text);
    let (userinfo, after) = at.map_or((None, text), |at| (Some(&text[..at]), &text[at + 1..]));
    check_pairs(row, text)?;
    if userinfo.is_some_and(|userinfo| userinfo.contains(['[', ']']))
        && !after.starts_with('[')
        && row.userinfo_brackets() == UserinfoBrackets::BeforeBrackets
    {
        return Err(Exit::Rejected);
    }
    let after = match row.brackets() {
        Brackets::Trimmed => trimmed(after),
        Brackets::ClosedRestDropped | Brackets::FirstClosedRestDropped => without_rest(row, after).into(),
        Brackets::FirstClosedThenPath if !after.starts_with("[]") => {
            let host = without_rest(row, after);
            after[host.len()..].clone_into(&mut server.rest);
            host.into()
        }
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
    check_colons(row, host)?;
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
            HostMissing::DroppedWithSlashes => {
                server.is_absent = true;
                return Ok(server);
            }
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
        if row.port() == Port::DigitsOrEnd {
            server.is_end = !tail.is_empty();
        } else {
            // What is cut off a host follows its port.
            let at = usize::from(row.host_parser() == HostParser::CutAtInvalid && !server.rest.is_empty());
            server.rest.insert_str(at, tail);
        }
        server.text.push_str(&port);
    }
    Ok(server)
}

/// Returns the position of the `@` that ends the userinfo of `text`.
fn end_of_userinfo(row: &Row, text: &str) -> Option<usize> {
    let first = text.find('@')?;
    let at = match row.userinfo_end() {
        UserinfoEnd::LastAt => text.rfind('@'),
        UserinfoEnd::FirstAt => Some(first),
        UserinfoEnd::FirstAtInText => first_at(text),
        UserinfoEnd::FirstAtAfterUserinfo => Some(first).filter(|&at| text[..at].bytes().all(is_of_userinfo)),
        UserinfoEnd::None => None,
    };
    at.filter(|&at| at > 0 || row.empty_userinfo() != EmptyUserinfo::PartOfHost)
}

/// Rejects a colon in `host` that is not accepted. It may be one of an IPv6 address.
fn check_colons(row: &Row, host: &str) -> Stage<()> {
    let is_hidden =
        || row.brackets() == Brackets::ColonsHidden && host.find('[') < host.find(':') && host.contains('[');
    if !host.contains(':') || is_hidden() {
        return Ok(());
    }
    let may_be_open = || !matches!(row.brackets(), Brackets::LooseIpv6IfPaired | Brackets::Ipv6IfColon);
    let is_opened = host.starts_with('[') && (host.ends_with(']') || may_be_open());
    let is_rejected = match row.host_colon() {
        HostColon::Accepted => false,
        HostColon::Rejected => !is_opened,
        HostColon::RejectedAfterBracket => !(is_opened && host.ends_with(']')),
    };
    if is_rejected { Err(Exit::Rejected) } else { Ok(()) }
}

/// Returns whether a userinfo may contain `byte` (RFC 3986 §3.2.1).
fn is_of_userinfo(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=:".contains(&byte)
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

/// Rejects an authority with brackets that are not paired, if brackets may be anywhere.
fn check_pairs(row: &Row, authority: &str) -> Stage<()> {
    if !matches!(row.brackets(), Brackets::Paired | Brackets::FirstPair) {
        return Ok(());
    }
    let [opened, closed] = ['[', ']'].map(|bracket| authority.contains(bracket));
    let first = || cut(cut(authority, &['[']).1.unwrap_or_default(), &[']']).0;
    let is_address = |text: &str| with_zone(row, text).0.parse::<Ipv6Addr>().is_ok() || is_future(text);
    let is_valid = opened == closed && (!opened || row.brackets() == Brackets::Paired || is_address(first()));
    if is_valid { Ok(()) } else { Err(Exit::Rejected) }
}

/// Rejects an authority whose compatible normal form contains other delimiters.
fn check_compatible(row: &Row, authority: &str) -> Stage<()> {
    if row.compatible_delimiters() == CompatibleDelimiters::Accepted {
        return Ok(());
    }
    let text = authority.replace(['@', ':', '#', '?'], "");
    let normal = ComposingNormalizerBorrowed::new_nfkc().normalize(&text);
    let is_rejected = *normal != *text && normal.contains(['/', '?', '#', '@', ':']);
    if is_rejected { Err(Exit::Rejected) } else { Ok(()) }
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
    let drops_empty = matches!(row.empty_userinfo(), EmptyUserinfo::PartsDropped | EmptyUserinfo::PasswordDropped);
    let user = tables.apply(Component::User, user)?;
    let password = password.map(|password| tables.apply(Component::Password, password)).transpose()?;
    let password = password.filter(|password| !(drops_empty && password.is_empty()));
    let is_empty = user.is_empty() && password.is_none();
    let keeps_at = matches!(row.empty_userinfo(), EmptyUserinfo::Kept | EmptyUserinfo::PasswordDropped);
    if is_empty && !keeps_at {
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
    let is_literal = |inside: &str| match row.brackets() {
        Brackets::Characters => false,
        Brackets::LooseIpv6IfPaired => literal(row, tables, inside).is_ok(),
        _ => true,
    };
    if host.starts_with('[')
        && let Some(end) = host.find(']')
        && is_literal(&host[1..end])
    {
        let is_ordinary = row.brackets() == Brackets::LooseIpv6IfPaired;
        let is_cut = row.port() == Port::None || is_ordinary && !host[end + 1..].starts_with(':');
        let end = if is_cut { end + 1 } else { host.len() };
        return (host[..end].into(), &host[end..]);
    }
    if row.port() == Port::DigitsOrHost {
        let digits = host.trim_end_matches(|c: char| c.is_ascii_digit());
        let name = digits.strip_suffix(':').unwrap_or(host);
        let is_bad = |c: char| c == ':' || tables.apply(Component::Host, c.encode_utf8(&mut [0; 4])).is_err();
        let (name, tail) = name.split_at(name.find(is_bad).unwrap_or(name.len()));
        return (format!("{name}{}", &host[name.len() + tail.len()..]).into(), tail);
    }
    if row.ipv4() == Ipv4::CutAfterFour
        && let Some(end) = address::end(host)
        && !host[end..].starts_with(':')
    {
        return (host[..end].into(), &host[end..]);
    }
    let mut end = 0;
    while let Some(c) = host[end..].chars().next() {
        let length = escapes(&host[end..]).max(c.len_utf8());
        let is_bad = match c {
            ':' if row.port() == Port::None => true,
            '@' if row.userinfo_end() == UserinfoEnd::None && row.port() == Port::None => true,
            _ => tables.apply(Component::Host, &host[end..end + length]).is_err(),
        };
        if is_bad {
            break;
        }
        end += length;
    }
    let (host, tail) = host.split_at(end);
    (host.into(), tail)
}

/// Returns the length of the percent-encoded bytes at the start of `text`.
fn escapes(text: &str) -> usize {
    (0..text.len()).step_by(3).find(|&at| decoded(&text[at..]).is_none()).unwrap_or(text.len())
}
