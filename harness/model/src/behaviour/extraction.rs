//! Resolution by the extraction of parts: fragment, query, path, userinfo, host and port are cut out of the text one after the
//! other, and what is left is the host.
//!
//! A reference without a scheme and two slashes inherits the host of the base. It inherits the path only if two slashes follow
//! the scheme of the base. The package `url-parse` for JavaScript resolves references like this (`rules` and `resolve` in its
//! `index.js`).
//!
//! Settings of the row state after which schemes any number of slashes may follow (`slashes`), which of these is that of files
//! (`drive_letters`), and whether a default port is dropped.

use super::authority::default_port;
use super::record::{decoded_userinfo, push_component};
use super::{Base, Behaviour, DefaultPort, DriveLetters, Form, Row, Slashes, Stage};

/// The parts of a text.
#[derive(Clone, Debug, Default)]
struct Extracted {
    /// The scheme in lower case.
    scheme: Option<String>,
    /// Whether two slashes follow the scheme.
    slashes: bool,
    userinfo: String,
    /// The host with its port.
    host: String,
    port: String,
    /// The host without its port.
    name: String,
    path: String,
    /// The query with its delimiter.
    query: String,
    /// The fragment with its delimiter.
    fragment: String,
}

/// What a text begins with.
struct Start<'a> {
    /// Whether two slashes follow the scheme, or the scheme is known.
    slashes: bool,
    /// The number of slashes and backslashes after the scheme.
    count: usize,
    /// The text after the scheme, and after slashes that begin an authority.
    rest: &'a str,
}

/// Returns whether a scheme with the row `row` is one that any number of slashes may follow.
fn is_special(row: &Row) -> bool {
    row.slashes() == Slashes::Any
}

/// Returns whether a scheme with the row `row` is that of files.
fn is_file(row: &Row) -> bool {
    is_special(row) && row.drive_letters() != DriveLetters::Ordinary
}

impl Behaviour {
    /// Resolves `text`, which begins with the scheme `own`, against `base` by extraction.
    pub(super) fn resolve_by_extraction(&self, base: &Base<'_>, text: &str, own: Option<&str>) -> Stage<String> {
        let row = self.row(base);
        let old = extracted(row, &base.text, base.scheme.as_deref(), None)?;
        let row = match own {
            Some(own) => &self.classes[self.class_of(own)].rows[Form::of_absolute(base.raw) as usize],
            None => row,
        };
        Ok(write(row, extracted(row, text, own, Some(&old))?))
    }
}

fn start<'a>(row: &Row, text: &'a str, own: Option<&str>, has_scheme: bool) -> Start<'a> {
    let rest = own.map_or(text, |own| &text[own.len() + 1..]);
    let after = rest.trim_start_matches(['/', '\\']);
    let count = rest.len() - after.len();
    let begins = rest.starts_with("//");
    let rest = match own {
        Some(_) if is_file(row) => {
            if count >= 2 {
                &rest[2..]
            } else {
                rest
            }
        }
        Some(_) if is_special(row) => after,
        Some(_) if begins => &rest[2..],
        None if has_scheme && count >= 2 && is_special(row) => after,
        _ => rest,
    };
    Start { slashes: begins || own.is_some() && is_special(row), count, rest }
}

/// Returns the parts of `text`, which begins with the scheme `own`, with those that it inherits from `base`.
fn extracted(row: &Row, text: &str, own: Option<&str>, base: Option<&Extracted>) -> Stage<Extracted> {
    let inherited_scheme = base.and_then(|base| base.scheme.clone());
    let scheme = own.map(str::to_ascii_lowercase).or(inherited_scheme);
    let start = start(row, text, own, scheme.is_some());
    let special = scheme.is_some() && is_special(row);
    let base = base.filter(|_| own.is_none() && !start.slashes);
    let is_path = begins_with_path(row, &start, own, special);
    let slashes = start.slashes || base.is_some_and(|base| base.slashes);
    let mut parts = Extracted { scheme, slashes, ..Extracted::default() };
    let (rest, fragment) = cut(start.rest, '#');
    let (rest, query) = cut(rest, '?');
    (parts.query, parts.fragment) = (query.to_owned(), fragment.to_owned());
    let rest = if special { rest.replace('\\', "/") } else { rest.to_owned() };
    let (server, path) = if is_path {
        // A regular expression that does not match line separators cuts the path.
        ("", rest.split(['\u{2028}', '\u{2029}']).next().unwrap_or_default())
    } else {
        cut(&rest, '/')
    };
    parts.path = path.to_owned();
    let (userinfo, server) = server.rsplit_once('@').unwrap_or(("", server));
    set_host(&mut parts, server, base);
    if let Some(base) = base.filter(|base| base.slashes && !parts.path.starts_with('/')) {
        parts.path = if parts.path.is_empty() { base.path.clone() } else { merged(&base.path, &parts.path) };
    }
    if special && !parts.path.starts_with('/') {
        parts.path.insert(0, '/');
    }
    if !is_port_written(row, &parts) {
        parts.host.clone_from(&parts.name);
        parts.port.clear();
    }
    if !userinfo.is_empty() {
        parts.userinfo = written_userinfo(userinfo)?;
    }
    Ok(parts)
}

/// Splits `text` before the first `mark`.
fn cut(text: &str, mark: char) -> (&str, &str) {
    text.split_at(text.find(mark).unwrap_or(text.len()))
}

/// Returns whether a path, not a host, follows the start of a text.
fn begins_with_path(row: &Row, start: &Start<'_>, own: Option<&str>, special: bool) -> bool {
    let is_drive = matches!(start.rest.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    own.is_some() && is_file(row) && (start.count != 2 || is_drive)
        || !start.slashes && (own.is_some() || start.count < 2 || !special)
}

/// Sets the host and the port of `parts` from `server`, and from `base` if `server` does not have them.
fn set_host(parts: &mut Extracted, server: &str, base: Option<&Extracted>) {
    let digits = server.trim_end_matches(|c: char| c.is_ascii_digit());
    let (name, port) = digits.strip_suffix(':').map_or((server, ""), |name| (name, &server[digits.len()..]));
    let or = |own: &str, of: fn(&Extracted) -> &String| match base {
        Some(base) if own.is_empty() => of(base).clone(),
        _ => own.to_lowercase(),
    };
    parts.host = or(server, |base| &base.host);
    parts.port = or(port, |base| &base.port);
    parts.name = or(name, |base| &base.name);
}

/// Returns whether the port is not empty, zero or the default one of the scheme. Files do not have a port.
fn is_port_written(row: &Row, parts: &Extracted) -> bool {
    let digits = parts.port.trim_start_matches('0');
    if digits.is_empty() || parts.scheme.is_some() && is_file(row) {
        return false;
    }
    let scheme = parts.scheme.as_deref().unwrap_or_default();
    row.default_port() != DefaultPort::Dropped || default_port(scheme) != Some(digits)
}

/// Merges `path`, which does not begin with a slash and is not empty, with the base's path, and removes dot segments.
fn merged(base: &str, path: &str) -> String {
    let last = path.rsplit('/').next();
    let directory = if base.is_empty() { "/" } else { base };
    let mut segments: Vec<&str> = directory.split('/').collect();
    segments.pop();
    segments.extend(path.split('/'));
    let mut kept: Vec<&str> = Vec::new();
    let (mut up, mut is_first_removed) = (0, false);
    for (at, segment) in segments.into_iter().enumerate().rev() {
        match segment {
            "." => {}
            ".." => up += 1,
            _ if up > 0 => {
                is_first_removed |= at == 0;
                up -= 1;
            }
            _ => kept.push(segment),
        }
    }
    if is_first_removed {
        kept.push("");
    }
    kept.reverse();
    if matches!(last, Some("." | "..")) {
        kept.push("");
    }
    kept.join("/")
}

/// Returns `userinfo` decoded and percent-encoded anew.
fn written_userinfo(userinfo: &str) -> Stage<String> {
    let (user, password) = userinfo.split_once(':').map_or((userinfo, None), |(user, password)| (user, Some(password)));
    let mut out = String::new();
    push_component(&decoded_userinfo(user)?, &mut out);
    let password = decoded_userinfo(password.unwrap_or_default())?;
    if !password.is_empty() {
        out.push(':');
        push_component(&password, &mut out);
    }
    Ok(out)
}

/// Joins the parts.
fn write(row: &Row, parts: Extracted) -> String {
    let special = parts.scheme.is_some() && is_special(row);
    let mut out = parts.scheme.as_ref().map_or_else(String::new, |scheme| format!("{scheme}:"));
    if parts.scheme.is_some() && (parts.slashes || special) {
        out.push_str("//");
    }
    out.push_str(&parts.userinfo);
    // Without a host, the path could be read as one.
    let is_marked = special && !is_file(row) && parts.host.is_empty() && parts.path != "/";
    if !parts.userinfo.is_empty() || is_marked {
        out.push('@');
    }
    out.push_str(&parts.host);
    let is_number = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let has_port = parts.name.rsplit_once(':').is_some_and(|(_, port)| is_number(port));
    if parts.host.ends_with(':') || has_port && parts.port.is_empty() {
        out.push(':');
    }
    for part in [&parts.path, &parts.query, &parts.fragment] {
        out.push_str(part);
    }
    out
}
