//! Authorities that are names of a registry (RFC 2396 §3.2.1).

use std::net::Ipv4Addr;

use super::super::components::cut;
use super::host::without_zeros;

/// Returns whether `authority` is a server (RFC 2396 §3.2.2): a host name or an address, which a userinfo precedes and a port
/// follows. One with brackets is not examined.
pub(super) fn is_server(authority: &str) -> bool {
    if authority.contains('[') {
        return true;
    }
    let (host, port) = server(authority);
    port.is_none_or(is_port) && (without_zeros(host).parse::<Ipv4Addr>().is_ok() || is_host_name(host))
}

/// Returns the host of `authority`, and the text after its first colon.
fn server(authority: &str) -> (&str, Option<&str>) {
    let (userinfo, server) = cut(authority, &['@']);
    cut(server.unwrap_or(userinfo), &[':'])
}

/// Returns whether `port` is empty or a number of 31 bits.
fn is_port(port: &str) -> bool {
    port.is_empty() || port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<i32>().is_ok()
}

/// Returns whether `host` consists of labels of letters, digits and hyphens. A hyphen is not at the end of a label, and the
/// last one of several labels begins with a letter.
fn is_host_name(host: &str) -> bool {
    let labels: Vec<&str> = host.strip_suffix('.').unwrap_or(host).split('.').collect();
    let is_label = |label: &&str| {
        let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        !label.is_empty() && label.bytes().all(is_inner) && !label.starts_with('-') && !label.ends_with('-')
    };
    let last = labels.last().copied().unwrap_or_default();
    labels.iter().all(is_label) && (labels.len() == 1 || last.starts_with(|c: char| c.is_ascii_alphabetic()))
}
