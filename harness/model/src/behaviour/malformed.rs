//! Components that cannot be decoded.

use std::borrow::Cow;

use super::components::{Role, cut};
use super::table::decoded;
use super::{Behaviour, MalformedEscape};

impl Behaviour {
    /// Returns `text`, which follows the scheme, without the components and segments that cannot be decoded, if these are
    /// absent.
    pub(super) fn without_malformed<'a>(&self, text: &'a str, role: Role<'_>) -> Cow<'a, str> {
        if !is_malformed(text) || self.syntax.malformed_escape() != MalformedEscape::ComponentAbsent {
            return Cow::Borrowed(text);
        }
        let (rest, fragment) = cut(text, &['#']);
        let (rest, query) = cut(rest, &['?']);
        let server = rest.strip_prefix("//").map(|after| cut(after, &['/']).0);
        let path = server.map_or(rest, |server| &rest[server.len() + 2..]);
        let mut out = server.map_or(String::new(), |server| format!("//{}", with_valid_parts(server, role)));
        let path = with_valid_segments(path, role);
        if server.is_none() && path.starts_with("//") && !role.is_inherited {
            // The empty segments are not the start of an authority.
            out.push_str("/.");
        }
        out.push_str(&path);
        if let Some(query) = query {
            out.push('?');
            out.push_str(&with_valid_values(query));
        }
        if let Some(fragment) = fragment.filter(|fragment| !is_malformed(fragment)) {
            out.push('#');
            out.push_str(fragment);
        }
        Cow::Owned(out)
    }
}

/// Returns whether `text` contains a percent sign without two digits, or a percent-encoded U+0000.
fn is_malformed(text: &str) -> bool {
    text.match_indices('%').any(|(at, _)| decoded(&text[at..]).is_none_or(|byte| byte == 0))
}

/// Returns the authority `server` without its userinfo or host if it is malformed; a relative reference without a host does not
/// have an authority.
fn with_valid_parts(server: &str, role: Role<'_>) -> String {
    let (userinfo, rest) = server.split_once('@').map_or((None, server), |(userinfo, rest)| (Some(userinfo), rest));
    let end =
        if rest.starts_with('[') { rest.find(']').map_or(rest.len(), |at| at + 1) } else { cut(rest, &[':']).0.len() };
    let (host, port) = rest.split_at(end);
    let is_host_lost = is_malformed(host);
    if is_host_lost && !role.is_absolute {
        return String::new();
    }
    let userinfo = userinfo.filter(|userinfo| !is_malformed(userinfo)).map(|userinfo| format!("{userinfo}@"));
    format!("{}{}{port}", userinfo.unwrap_or_default(), if is_host_lost { "" } else { host })
}

/// Returns `path` with each malformed segment empty. A path that consists of one is a root without a slash after it, which
/// only a base that is inherited does not need.
fn with_valid_segments<'a>(path: &'a str, role: Role<'_>) -> Cow<'a, str> {
    if !is_malformed(path) {
        return path.into();
    }
    match path.contains('/') {
        false if role.is_inherited => "".into(),
        false if role.is_base => path.into(),
        false => "/.".into(),
        true => {
            let segments = path.split('/').map(|segment| if is_malformed(segment) { "" } else { segment });
            segments.collect::<Vec<_>>().join("/").into()
        }
    }
}

/// Returns `query` without the malformed values of its pairs.
fn with_valid_values(query: &str) -> String {
    let valid = |pair| match cut(pair, &['=']) {
        (name, Some(value)) if is_malformed(value) => name,
        _ => pair,
    };
    query.split('&').map(valid).collect::<Vec<&str>>().join("&")
}
