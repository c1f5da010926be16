//! Paths of files in place of URLs.

use std::sync::LazyLock;

use urlstrata::revision::rfc3986;

use super::components::is_drive;
use super::dot_segments::without_dots;
use super::path::directory;
use super::table::{Component, Rejected};
use super::{Behaviour, EncodedDots, Exit, Form, MissingScheme, Prefix, Row, Stage, authority};

/// A path of a file.
enum FilePath<'a> {
    /// It begins with a slash.
    Rooted(&'a str),
    /// It begins with a drive letter.
    Drive(&'a str),
    /// It begins with two backslashes: a host follows.
    Share(&'a str),
}

/// How dot segments are removed from paths of files.
static ROW: LazyLock<Row> = LazyLock::new(|| Row { encoded_dots: EncodedDots::DotSegment, ..Row::of(&rfc3986::RULES) });

impl Behaviour {
    /// Returns the result for a pair if its base or its reference is the path of a file, or if the reference begins with a
    /// slash and the base is a `file` URL.
    ///
    /// # Errors
    ///
    /// Returns an error if the pair is rejected.
    pub(super) fn of_file_paths(&self, raw_base: &str, raw: &str) -> Stage<Option<String>> {
        if self.syntax.missing_scheme() != MissingScheme::FilePath {
            return Ok(None);
        }
        let (base, text) = (self.base.apply(raw_base), self.reference.apply(raw));
        let own = starting(&text, raw_base.is_empty())?;
        if raw_base.is_empty() {
            return own.map(|path| self.file_url(&path)).transpose();
        }
        if let Some(path) = starting(&base, true)? {
            return self.joined_to_file(&path, &text, own).map(Some);
        }
        let Prefix::Scheme(scheme) = self.prefix_of_base(&base) else { return Err(Exit::Rejected) };
        let is_file = scheme.eq_ignore_ascii_case("file");
        let rest = if is_file { self.without_file_scheme(&text) } else { &text };
        if own.is_none() && !(is_file && (rest.starts_with(['/', '\\']) || rest.len() != text.len())) {
            return Ok(None);
        }
        let old = self.base_parts(&self.classified(raw_base), false)?;
        if let Some(path) = own {
            return self.file_url(&path).map(Some);
        }
        let drive = old.path.get(..3).filter(|start| start.starts_with('/') && is_drive(&start[1..]));
        let slashes = rest.len() - rest.trim_start_matches(['/', '\\']).len();
        match (slashes, drive) {
            (0, _) if rest.starts_with(['?', '#']) => self.resolve(raw_base, &format!("./{rest}")),
            (0, _) => self.resolve(raw_base, rest),
            (1, Some(drive)) => self.resolve("", &format!("file://{drive}{rest}")),
            (1, None) => self.resolve("", &format!("file://{rest}")),
            _ => self.resolve("", &format!("file:{rest}")),
        }
        .map(Some)
    }

    /// Returns `text` without the scheme `file`, as often as it is repeated, if neither an authority nor a drive letter follows
    /// it.
    fn without_file_scheme<'a>(&self, text: &'a str) -> &'a str {
        let mut found = text;
        loop {
            let cleaned = found.trim_start_matches(&self.reference.start[..]);
            let Prefix::Scheme(scheme) = self.prefix(cleaned) else { return found };
            let rest = &cleaned[scheme.len() + 1..];
            let has_drive = || rest.trim_start_matches(['/', '\\']).get(..2).is_some_and(is_drive);
            if !scheme.eq_ignore_ascii_case("file") || rest.starts_with("//") || rest.starts_with("\\\\") || has_drive()
            {
                return found;
            }
            found = rest;
        }
    }

    /// Resolves the reference `text` against `base`. `own` is the path of a file that the reference is.
    fn joined_to_file(&self, base: &FilePath<'_>, text: &str, own: Option<FilePath<'_>>) -> Stage<String> {
        let url = self.file_url(base)?;
        let text = self.without_file_scheme(text);
        if let Some(path) = own {
            return self.file_url(&path);
        }
        if text.is_empty() || matches!(self.prefix(text), Prefix::Scheme(_)) {
            return self.resolve("", if text.is_empty() { &url } else { text });
        }
        let is_slash = |c: char| matches!(c, '/' | '\\');
        let combined = match base {
            _ if text.starts_with(is_slash) && text[1..].starts_with(is_slash) => text.to_owned(),
            FilePath::Drive(path) if text.starts_with(is_slash) => {
                format!("{}{text}", &path[..path.find(':').map_or(0, |at| at + 1)])
            }
            FilePath::Rooted(_) if text.starts_with(is_slash) => return self.resolve("", &format!("file://{text}")),
            FilePath::Share(path) => {
                let (host, path) = path.split_at(path.find(is_slash).unwrap_or(path.len()));
                let path = if path.is_empty() { "/".to_owned() } else { path.replace('\\', "/") };
                match text.starts_with(is_slash) {
                    true => {
                        let end = path[1..].find('/').map_or(path.len(), |at| at + 1);
                        format!("\\\\{host}{}{text}", &path[..end])
                    }
                    false if host.starts_with('[') => format!("\\\\{host}{}", merged(&path, text)),
                    false => return Err(Exit::Rejected),
                }
            }
            FilePath::Rooted(path) => merged(&path.replace('\\', "/"), text),
            FilePath::Drive(path) => format!("{}:{}", &path[..1], merged(&path[2..].replace('\\', "/"), text)),
        };
        let path = starting(&combined, true)?.ok_or(Exit::Rejected)?;
        self.file_url(&path)
    }

    /// Returns the URL of a file.
    fn file_url(&self, path: &FilePath<'_>) -> Stage<String> {
        Ok(match path {
            FilePath::Rooted(path) => format!("file://{}", self.written_path(path)?),
            FilePath::Drive(path) => format!("file:///{}:{}", &path[..1], self.written_path(&path[2..])?),
            FilePath::Share(path) => {
                let (host, path) = path.split_at(path.find(['/', '\\']).unwrap_or(path.len()));
                if host.is_empty() || host.contains(['?', '#', '@', '%']) {
                    return Err(Exit::Rejected);
                }
                let class = &self.classes[self.class_of("file")];
                let row = &class.rows[Form::Alone as usize];
                let host = authority::parse(row, &class.reference, host, Some("file"), false)?.text;
                format!("file://{host}{}", self.written_path(if path.is_empty() { "/" } else { path })?)
            }
        })
    }

    /// Returns the path of a file as the path of a URL.
    fn written_path(&self, path: &str) -> Result<String, Rejected> {
        let table = self.classes[self.unknown].reference.of(Component::Path);
        let mut out = String::new();
        for part in path.replace('\\', "/").split_inclusive(['?', '#']) {
            let text = part.trim_end_matches(['?', '#']);
            out.push_str(&table.apply(text)?);
            out.push_str(match &part[text.len()..] {
                "?" => "%3F",
                "#" => "%23",
                _ => "",
            });
        }
        Ok(without_dots(&ROW, &out))
    }
}

/// Returns the path of a file that `text` is; `None` if it is not one. A text that begins with a slash is one only if `is_alone`.
///
/// # Errors
///
/// Returns an error if a drive letter is not followed by a slash, or if a text that is alone is too short.
fn starting(text: &str, is_alone: bool) -> Stage<Option<FilePath<'_>>> {
    let is_short = text.encode_utf16().count() < 3;
    let slash = |text: &str| text.starts_with(['/', '\\']);
    Ok(match text.get(..2) {
        _ if is_short && is_alone && slash(text) => return Err(Exit::Rejected),
        _ if is_short => None,
        Some(start) if is_drive(start) => match slash(&text[2..]) {
            true => Some(FilePath::Drive(text)),
            false => return Err(Exit::Rejected),
        },
        Some("\\\\") => Some(FilePath::Share(text.trim_start_matches(['/', '\\']))),
        Some("/:" | "/|") if is_alone => return Err(Exit::Rejected),
        _ if is_alone && text.starts_with('/') => Some(FilePath::Rooted(text)),
        _ => None,
    })
}

/// Returns `text` merged with the directory of `path`. Dot segments before a question mark are removed.
fn merged(path: &str, text: &str) -> String {
    let text = text.replace('\\', "/");
    let (path_of_text, query) = text.split_at(text.find('?').unwrap_or(text.len()));
    let path = without_dots(&ROW, path);
    format!("{}{query}", without_dots(&ROW, &format!("{}{path_of_text}", directory(&path))))
}
