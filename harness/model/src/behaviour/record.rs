//! Resolution by the members of a record: scheme, userinfo, host, path, query and fragment.
//!
//! The text is not divided as in RFC 3986. Without slashes, the host of a scheme that does not need any begins after the colon.
//! A host ends at the first character that it cannot have, and the rest is the path. The members of the reference then
//! replace those of the base. The legacy URL API of Node.js and its ports resolve references like this (`Url.prototype.parse`,
//! `resolveObject` and `format`).
//!
//! Settings of the row state which schemes need slashes (`slashes`, `host`), what a backslash and a tab are, whether a colon in
//! a host is rejected or begins the path, and how hosts outside ASCII are written; tables state the characters of labels, and what
//! is percent-encoded.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::authority::without_tabs;
use super::domain;
use super::table::{Component, Literal, Table, Tables};
use super::{
    Backslash, Base, Behaviour, Exit, Form, HostColon, HostPlace, InheritedAuthority, MissingAuthority, Row, Slashes,
    Stage, UnicodeHost, WrittenEmptyAuthority,
};

/// The characters at which a host ends, before its labels are examined.
const NOT_IN_HOST: &[char] =
    &['%', '/', '?', ';', '#', '\'', '{', '}', '|', '\\', '^', '`', '<', '>', '"', ' ', '\r', '\n', '\t'];

/// The greatest lengths of a label and of a host, in UTF-16 code units.
const LABEL: usize = 63;
const HOST: usize = 255;

/// The members of a text.
#[derive(Clone, Debug, Default)]
struct Record {
    /// The scheme in lower case.
    scheme: Option<String>,
    /// Whether two slashes precede the host.
    slashes: bool,
    /// The userinfo, decoded.
    userinfo: Option<String>,
    /// The host with its port. It is empty, not missing, if the text may have a host and does not.
    host: Option<String>,
    /// Whether the host is not empty without its port and brackets.
    is_named: bool,
    path: String,
    query: Option<String>,
    fragment: Option<String>,
}

impl Record {
    fn has_host(&self) -> bool {
        self.host.as_ref().is_some_and(|host| !host.is_empty())
    }
}

/// Returns whether a scheme with the row `row` is one that slashes and a host follow.
fn is_slashed(row: &Row) -> bool {
    row.slashes() != Slashes::Never && row.host() != HostPlace::FirstSegment
}

impl Behaviour {
    /// Resolves `text`, which begins with the scheme `own`, against `base` by records.
    pub(super) fn resolve_by_record(&self, base: &Base<'_>, text: &str, own: Option<&str>) -> Stage<String> {
        let class = &self.classes[base.class];
        let row = self.row(base);
        let old = record(row, &class.reference, &base.text, base.scheme.as_deref())?;
        if text.is_empty() {
            return Ok(write(row, Record { fragment: None, ..old }));
        }
        let is_same = |own: &str| base.scheme.as_ref().is_some_and(|scheme| scheme.eq_ignore_ascii_case(own));
        let Some(own) = own.filter(|own| !is_same(own)) else {
            let new = record(row, &class.reference, text, own)?;
            let is_network = new.slashes && own.is_none();
            return Ok(write(row, if is_network { after_scheme(row, old, new) } else { merged(row, old, new) }));
        };
        let class = &self.classes[self.class_of(own)];
        let row = &class.rows[Form::of_absolute(base.raw) as usize];
        let new = record(row, &class.reference, text, Some(own))?;
        Ok(write(row, absolute(row, &old, new)))
    }
}

/// Returns the members of `text`, which begins with the scheme `own`.
fn record(row: &Row, tables: &Tables, text: &str, own: Option<&str>) -> Stage<Record> {
    let text = with_slashes(row, text);
    let rest = own.map_or(&*text, |own| &text[own.len() + 1..]);
    let is_hostless = own.is_some() && row.slashes() == Slashes::Never;
    let slashes = rest.starts_with("//") && !is_hostless;
    let mut record = Record { scheme: own.map(str::to_ascii_lowercase), slashes, ..Record::default() };
    // A scheme with an upper-case letter is not known here.
    let is_known = |own: &str| is_slashed(row) && !own.contains(|c: char| c.is_ascii_uppercase());
    let rest = match slashes || !is_hostless && own.is_some_and(|own| !is_known(own)) {
        true => split_host(row, tables, if slashes { &rest[2..] } else { rest }, &mut record)?,
        false => rest.to_owned(),
    };
    // The rest is percent-encoded before it is split.
    let component = if own.is_some() { Component::AbsoluteFragment } else { Component::Fragment };
    let rest = tables.apply(component, &rest)?;
    let (rest, fragment) = split(&rest, '#');
    let (path, query) = split(rest, '?');
    record.fragment = fragment.map(str::to_owned);
    record.query = query.map(str::to_owned);
    record.path = path.to_owned();
    if record.is_named && path.is_empty() && own.is_some() && is_slashed(row) {
        record.path.push('/');
    }
    Ok(record)
}

fn split(text: &str, mark: char) -> (&str, Option<&str>) {
    text.split_once(mark).map_or((text, None), |(before, after)| (before, Some(after)))
}

/// Returns `text` with slashes in place of the backslashes that are slashes.
fn with_slashes<'a>(row: &Row, text: &'a str) -> Cow<'a, str> {
    if !text.contains('\\') {
        return text.into();
    }
    let fragment = text.find('#');
    let query = text.find('?').filter(|query| fragment.is_none_or(|fragment| *query < fragment));
    let end = match row.backslash() {
        Backslash::Slash => query.or(fragment),
        Backslash::SlashInQueryAtEnd if fragment.is_some() => query.or(fragment),
        Backslash::SlashInQueryAtEnd => None,
        _ => Some(0),
    };
    let end = end.unwrap_or(text.len());
    format!("{}{}", text[..end].replace('\\', "/"), &text[end..]).into()
}

/// Sets the userinfo and the host of `record` from the start of `rest`. Returns what follows them.
fn split_host(row: &Row, tables: &Tables, rest: &str, record: &mut Record) -> Stage<String> {
    let (start, rest) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let start = without_tabs(row, start);
    let (userinfo, server) =
        start.rsplit_once('@').map_or((None, &*start), |(userinfo, server)| (Some(userinfo), server));
    record.userinfo = userinfo.map(decoded_userinfo).transpose()?;
    let (server, after) = server.split_at(server.find(NOT_IN_HOST).unwrap_or(server.len()));
    let mut rest = format!("{after}{rest}");
    let digits = server.trim_end_matches(|c: char| c.is_ascii_digit());
    let (host, port) = match digits.strip_suffix(':') {
        Some(host) => (host, &server[digits.len()..]),
        None => (server, ""),
    };
    let inside = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let mut name = host.to_owned();
    if inside.is_none() {
        if row.host_colon() == HostColon::Rejected && host.contains(':') {
            return Err(Exit::Rejected);
        }
        if row.host_colon() != HostColon::Rejected {
            let (valid, moved) = with_valid_labels(tables.of(Component::Host), host);
            name = valid;
            rest = moved.map_or_else(|| rest.clone(), |moved| format!("/{moved}{rest}"));
        }
    } else if !rest.starts_with('/') {
        rest.insert(0, '/');
    }
    let name = written_host(row, &name, inside.is_some())?;
    record.is_named = inside.map_or(!name.is_empty(), |inside| !inside.is_empty());
    record.host = Some(if port.is_empty() { name } else { format!("{name}:{port}") });
    Ok(rest)
}

/// Returns `userinfo` decoded.
fn decoded_userinfo(userinfo: &str) -> Stage<String> {
    let is_malformed = |(at, _): (usize, &str)| super::table::decoded(&userinfo[at..]).is_none();
    if userinfo.match_indices('%').any(is_malformed) {
        return Err(Exit::Rejected);
    }
    Ok(percent_decode_str(userinfo).decode_utf8().map_err(|_| Exit::Rejected)?.into_owned())
}

/// Returns the host `name` as it is written.
fn written_host(row: &Row, name: &str, is_literal: bool) -> Stage<String> {
    if name.encode_utf16().count() > HOST {
        return Ok(String::new());
    }
    let name = name.to_lowercase();
    let is_checked = row.host_colon() == HostColon::Rejected;
    if is_literal {
        return if is_checked && name.contains('\0') { Err(Exit::Rejected) } else { Ok(name) };
    }
    let ascii = match row.unicode_host() {
        _ if name.is_ascii() => name,
        UnicodeHost::Characters => name,
        UnicodeHost::PunycodeDots => domain::punycode(&name.replace(['\u{3002}', '\u{ff0e}', '\u{ff61}'], "."))?,
        _ => domain::idna(&name)?,
    };
    let is_forbidden = |c| c == '%' || domain::is_forbidden(c);
    if is_checked && ascii.contains(is_forbidden) { Err(Exit::Rejected) } else { Ok(ascii) }
}

/// Returns the part of `host` whose labels consist of the characters that `table` accepts, and the rest if there is one.
fn with_valid_labels(table: &Table, host: &str) -> (String, Option<String>) {
    let is_valid = |c: char| c.is_ascii() && c != ':' && table.actions.literal[super::index(c)] != Literal::Rejected;
    let labels: Vec<&str> = host.split('.').collect();
    let is_accepted =
        |label: &&str| label.chars().all(|c| !c.is_ascii() || is_valid(c)) && label.encode_utf16().count() <= LABEL;
    let Some(at) = labels.iter().position(|label| !is_accepted(label)) else { return (host.to_owned(), None) };
    // A label that is cut ends at the first character that is not valid or not in ASCII.
    let label = labels[at];
    let end = label.chars().take(LABEL).take_while(|c| is_valid(*c)).count();
    let mut valid = labels[..at].to_vec();
    let mut moved = labels[at + 1..].to_vec();
    // A regular expression that does not match line separators cuts the label.
    if !label[end..].contains(['\u{2028}', '\u{2029}']) {
        valid.push(&label[..end]);
        moved.insert(0, &label[end..]);
    }
    (valid.join("."), (!moved.is_empty()).then(|| moved.join(".")))
}

/// Resolves a reference that begins with two slashes: only the scheme is the base's.
fn after_scheme(row: &Row, old: Record, mut new: Record) -> Record {
    if old.scheme.is_some() && new.is_named && new.path.is_empty() && is_slashed(row) {
        new.path.push('/');
    }
    Record { scheme: old.scheme, ..new }
}

/// Resolves a reference with another scheme than the base's.
fn absolute(row: &Row, old: &Record, mut new: Record) -> Record {
    if !is_slashed(row) {
        return new;
    }
    if !new.has_host() && row.missing_authority() == MissingAuthority::FirstSegment {
        let path = new.path.trim_start_matches('/');
        let (host, rest) = path.split_once('/').unwrap_or((path, ""));
        let slash = if rest.starts_with('/') { "" } else { "/" };
        (new.host, new.path) = (Some(host.to_owned()), format!("{slash}{rest}"));
    }
    new.slashes |= old.slashes;
    new
}

/// Returns the segments of a path; none if it is empty.
fn segments(path: &str) -> Vec<String> {
    if path.is_empty() { Vec::new() } else { path.split('/').map(str::to_owned).collect() }
}

/// Makes the host of `record` the first of its segments, which a leading slash precedes otherwise.
fn prepend_host(segments: &mut Vec<String>, record: &mut Record) {
    let Some(host) = record.host.take().filter(|host| !host.is_empty()) else { return };
    match segments.first_mut().filter(|first| first.is_empty()) {
        Some(first) => *first = host,
        None => segments.insert(0, host),
    }
}

/// Makes `segment` the host of `record`, and the part before an `@` in it the userinfo.
fn set_host(record: &mut Record, segment: String) {
    if segment.find('@').is_some_and(|at| at > 0) {
        let mut parts = segment.split('@').map(str::to_owned);
        (record.userinfo, record.host) = (parts.next(), parts.next());
    } else {
        record.host = Some(segment);
    }
}

/// Resolves a reference that may inherit the host and the path of the base.
fn merged(row: &Row, mut old: Record, mut new: Record) -> Record {
    let is_crawled = old.scheme.is_some() && !is_slashed(row);
    let is_rooted = new.has_host() || new.path.starts_with('/');
    let drops_excess = is_rooted || old.path.starts_with('/') || old.has_host() && !new.path.is_empty();
    let [mut source, mut own] = [&old.path, &new.path].map(|path| segments(path));
    old.fragment = new.fragment.take();
    if is_crawled {
        prepend_host(&mut source, &mut old);
        old.host = Some(String::new());
    }
    if is_crawled && new.scheme.is_some() {
        if row.inherited_authority() != InheritedAuthority::Userinfo {
            old.userinfo = None;
        }
        prepend_host(&mut own, &mut new);
    }
    let is_first_empty = || [&own, &source].iter().any(|segments| segments.first().is_some_and(String::is_empty));
    let must_be_rooted = drops_excess && (!is_crawled || is_first_empty());
    if is_rooted {
        replace_host(row, &mut old, &new);
        (old.query, source) = (new.query.take(), own);
    } else if !own.is_empty() {
        source.pop();
        source.append(&mut own);
        old.query = new.query.take();
    } else if new.query.is_some() {
        if is_crawled && !source.is_empty() {
            set_host(&mut old, source.remove(0));
        }
        return Record { query: new.query, ..old };
    }
    if source.is_empty() {
        return Record { path: String::new(), ..old };
    }
    let has_host = old.has_host() || new.has_host();
    let source = without_dots(source, has_host, must_be_rooted, drops_excess);
    set_path(&mut old, source, is_crawled, must_be_rooted);
    old.userinfo = new.userinfo.filter(|userinfo| !userinfo.is_empty()).or(old.userinfo);
    old.slashes |= new.slashes;
    old
}

/// Replaces the host of `old` by that of `new`, if `new` may have one. Another host does not inherit the userinfo.
fn replace_host(row: &Row, old: &mut Record, new: &Record) {
    if new.host.is_none() {
        return;
    }
    if old.host != new.host && row.inherited_authority() != InheritedAuthority::Userinfo {
        old.userinfo = None;
    }
    old.host.clone_from(&new.host);
}

/// Sets the path of `record` to `segments`. The first one is the host if `is_crawled`, unless it is empty.
fn set_path(record: &mut Record, mut segments: Vec<String>, is_crawled: bool, must_be_rooted: bool) {
    let is_rooted = segments.first().is_some_and(String::is_empty);
    if is_crawled {
        let host = if is_rooted || segments.is_empty() { String::new() } else { segments.remove(0) };
        set_host(record, host);
    }
    if (must_be_rooted || record.has_host() && !segments.is_empty()) && !is_rooted {
        segments.insert(0, String::new());
    }
    record.path = segments.join("/");
}

/// Returns `path`, the segments of a path, without dot segments. `has_host` states whether a host precedes it.
fn without_dots(path: Vec<String>, has_host: bool, must_be_rooted: bool, drops_excess: bool) -> Vec<String> {
    let last = path.last().map_or("", |last| last);
    let is_dots = matches!(last, "." | "..");
    let ends_in_slash = (has_host || path.len() > 1) && is_dots || last.is_empty();
    let mut kept: Vec<String> = Vec::new();
    let mut up = 0;
    for segment in path.into_iter().rev() {
        match &*segment {
            "." => {}
            ".." => up += 1,
            _ if up > 0 => up -= 1,
            _ => kept.push(segment),
        }
    }
    if !must_be_rooted && !drops_excess {
        kept.extend(std::iter::repeat_n("..".to_owned(), up));
    }
    if must_be_rooted && kept.last().is_none_or(|first| !first.is_empty()) {
        kept.push(String::new());
    }
    kept.reverse();
    if ends_in_slash && !kept.join("/").ends_with('/') {
        kept.push(String::new());
    }
    kept
}

/// Joins the members.
fn write(row: &Row, record: Record) -> String {
    let mut out = record.scheme.as_ref().map_or_else(String::new, |scheme| format!("{scheme}:"));
    let is_known = record.scheme.is_some() && is_slashed(row);
    let is_after_slashes = record.slashes || is_known && record.has_host();
    if is_after_slashes || is_known && row.written_empty_authority() == WrittenEmptyAuthority::Always {
        out.push_str("//");
    }
    if let Some(host) = record.host.filter(|host| !host.is_empty()) {
        if let Some(userinfo) = record.userinfo.filter(|userinfo| !userinfo.is_empty()) {
            push_userinfo(row, &userinfo, &mut out);
            out.push('@');
        }
        out.push_str(&host);
    }
    if is_after_slashes && !record.path.is_empty() && !record.path.starts_with('/') {
        out.push('/');
    }
    out.push_str(&record.path);
    for (mark, part) in [('?', record.query), ('#', record.fragment)] {
        if let Some(part) = part {
            out.push(mark);
            out.push_str(&part);
        }
    }
    out
}

/// Appends `userinfo` percent-encoded, except its first colon, or all colons.
fn push_userinfo(row: &Row, userinfo: &str, out: &mut String) {
    let keeps_colons = row.host_colon() == HostColon::Rejected;
    for (at, part) in userinfo.split(':').enumerate() {
        if at > 0 {
            out.push_str(if at == 1 || keeps_colons { ":" } else { "%3A" });
        }
        push_component(part, out);
    }
}

/// Appends `text` percent-encoded, except unreserved characters (RFC 2396 §2.3).
fn push_component(text: &str, out: &mut String) {
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || "-_.!~*'()".contains(c) {
            out.push(c);
        } else {
            super::encode(c, out);
        }
    }
}
