//! Normalizations and validations of a result, component by component.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::before::Kind;
use super::parts::Parts;
use super::{Failure, Normalization, Normalizations, host, reject};

/// The percent-encode sets of the URL Standard (§1.3), without characters that have a normalization of their own.
const FRAGMENT: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`');
const QUERY: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'<').add(b'>');
const PATH: &AsciiSet = &QUERY.add(b'?').add(b'`').add(b'{').add(b'}');
const USERINFO: &AsciiSet =
    &PATH.add(b'/').add(b':').add(b';').add(b'=').add(b'@').add(b'[').add(b'\\').add(b']').add(b'^').add(b'|');

/// Appends `text` to `out`. Percent-encodes the characters of `set` if `on` is `true`.
fn encoded(on: bool, text: &str, set: &'static AsciiSet, out: &mut String) {
    if on {
        out.extend(utf8_percent_encode(text, set));
    } else {
        out.push_str(text);
    }
}

/// Joins the components of a result and normalizes their characters. Returns a failure if a validation rejects the
/// result.
pub(super) fn written(set: Normalizations, parts: Parts<'_>, kind: Kind) -> Result<String, Failure> {
    let mut out = String::new();
    let opaque = parts.authority.is_none() && kind == Kind::Other && !parts.path.starts_with('/');
    if set.has(Normalization::SchemeCase) {
        out.push_str(&parts.scheme.to_ascii_lowercase());
    } else {
        out.push_str(parts.scheme);
    }
    out.push(':');
    match parts.authority {
        Some(authority) => {
            out.push_str("//");
            let start = out.len();
            let ends = parts.path.is_empty() && parts.query.is_none() && parts.fragment.is_none();
            write_authority(set, parts.scheme, authority, kind, ends, &mut out)?;
            if parts.drive.is_some() && !parts.keeps_host && set.has(Normalization::DriveDropsHost) {
                out.truncate(start);
            }
        }
        None if parts.path.starts_with("//") && set.has(Normalization::SlashPathRejected) => {
            return reject(Normalization::SlashPathRejected, "a path that would read as an authority");
        }
        None if parts.path.starts_with("//") && set.has(Normalization::SlashDotGuard) => out.push_str("/."),
        None => {}
    }
    if let Some(drive) = parts.drive {
        out.push('/');
        out.push_str(drive);
    } else if parts.path.is_empty() && kind != Kind::Other && set.has(Normalization::EmptyPath) {
        out.push('/');
    }
    if opaque {
        write_opaque_path(set, &parts, &mut out);
    } else {
        let mut path = parts.path;
        if kind == Kind::File && parts.drive.is_none() && path.starts_with("//") && set.has(Normalization::FileSlashes)
        {
            path = &path[path.len() - path.trim_start_matches('/').len() - 1..];
        }
        let start = out.len();
        encoded(set.has(Normalization::EncodePath), path, PATH, &mut out);
        if set.has(Normalization::EncodeCaret) && out[start..].contains('^') {
            let path = out.split_off(start).replace('^', "%5E");
            out.push_str(&path);
        }
    }
    if let Some(query) = parts.query {
        out.push('?');
        let start = out.len();
        encoded(set.has(Normalization::EncodeQuery), query, QUERY, &mut out);
        if kind != Kind::Other && set.has(Normalization::EncodeApostrophe) && out[start..].contains('\'') {
            let query = out.split_off(start).replace('\'', "%27");
            out.push_str(&query);
        }
    }
    if let Some(fragment) = parts.fragment {
        out.push('#');
        encoded(set.has(Normalization::EncodeFragment), fragment, FRAGMENT, &mut out);
    }
    Ok(out)
}

fn write_opaque_path(set: Normalizations, parts: &Parts<'_>, out: &mut String) {
    let followed = parts.query.is_some() || parts.fragment.is_some();
    let path = match parts.path.strip_suffix(' ') {
        Some(path) if followed && set.has(Normalization::EncodeOpaqueSpace) => path,
        _ => parts.path,
    };
    encoded(set.has(Normalization::EncodeOpaquePath), path, CONTROLS, out);
    if path.len() < parts.path.len() {
        out.push_str("%20");
    }
}

fn write_authority(
    set: Normalizations,
    scheme: &str,
    authority: &str,
    kind: Kind,
    ends: bool,
    out: &mut String,
) -> Result<(), Failure> {
    if kind == Kind::File && set.has(Normalization::FileAuthority) {
        return host::write(set, authority, kind, out);
    }
    let (userinfo, host_and_port) = match authority.rsplit_once('@') {
        Some((userinfo, rest)) => (Some(userinfo), rest),
        None => (None, authority),
    };
    if let Some(userinfo) = userinfo {
        write_userinfo(set, userinfo, out);
    }
    let (host, port) = host::cut_port(host_and_port);
    let is_empty = userinfo == Some(":") || userinfo == Some("") && ends;
    let needs_host = port.is_some() || userinfo.is_some() && !(is_empty && set.has(Normalization::EmptyCredentials));
    if host.is_empty() && needs_host && set.has(Normalization::HostMissing) {
        return reject(Normalization::HostMissing, "credentials or a port without a host");
    }
    host::write(set, host, kind, out)?;
    let Some(port) = port else { return Ok(()) };
    write_port(set, scheme, port, out)
}

fn write_userinfo(set: Normalizations, userinfo: &str, out: &mut String) {
    let (user, password) = match userinfo.split_once(':') {
        Some((user, password)) => (user, Some(password)),
        None => (userinfo, None),
    };
    let drop_empty = set.has(Normalization::EmptyUserinfo);
    let password = password.filter(|password| !(drop_empty && password.is_empty()));
    if drop_empty && user.is_empty() && password.is_none() {
        return;
    }
    let encode = set.has(Normalization::EncodeUserinfo);
    encoded(encode, user, USERINFO, out);
    if let Some(password) = password {
        out.push(':');
        encoded(encode, password, USERINFO, out);
    }
    out.push('@');
}

fn write_port(set: Normalizations, scheme: &str, port: &str, out: &mut String) -> Result<(), Failure> {
    let mut port = port;
    if set.has(Normalization::PortNumber) {
        let digits = port.bytes().all(|byte| byte.is_ascii_digit());
        if !digits {
            return reject(Normalization::PortNumber, "the port is not a number");
        }
        if !port.is_empty() {
            port = match port.trim_start_matches('0') {
                "" => "0",
                significant => significant,
            };
            if port.len() > 5 || port.parse::<u32>().is_ok_and(|port| port > 65535) {
                return reject(Normalization::PortNumber, "the port is over 65535");
            }
        }
    }
    let default = match scheme.to_ascii_lowercase().as_str() {
        "ftp" => "21",
        "http" | "ws" => "80",
        "https" | "wss" => "443",
        _ => "none",
    };
    let dropped =
        port.is_empty() && set.has(Normalization::EmptyPort) || port == default && set.has(Normalization::DefaultPort);
    if !dropped {
        out.push(':');
        out.push_str(port);
    }
    Ok(())
}
