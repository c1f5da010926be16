//! The components of a URL, split at their delimiters.

/// Returns the scheme of `text`, without its colon: a letter, then letters, digits, `+`, `-` and `.`, then a colon.
pub(super) fn scheme_of(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let end = bytes.iter().position(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')))?;
    (bytes[end] == b':' && bytes[0].is_ascii_alphabetic()).then_some(&text[..end])
}

/// Returns whether `url` has a scheme and a path without a leading slash.
pub(super) fn is_opaque(url: &str) -> bool {
    scheme_of(url).is_some_and(|scheme| !url[scheme.len() + 1..].starts_with('/'))
}

/// Returns the part of `url` before its fragment.
pub(super) fn before_fragment(url: &str) -> &str {
    url.find('#').map_or(url, |at| &url[..at])
}

/// Returns the end of the authority at the start of `text`.
pub(super) fn authority_end(text: &str) -> usize {
    text.find(['/', '?', '#']).unwrap_or(text.len())
}

/// A mark in an authority. The text after it is a drive letter, which is the root of the path and may remove the host.
pub(super) const MARK: char = '\0';

/// A mark like [`MARK`], for a drive letter that never removes the host. It also protects a dot segment from removal.
pub(super) const KEEP: char = '\u{1}';

/// The meaning of two slashes after a scheme.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Authority {
    /// They begin a path.
    None,
    /// They begin an authority.
    Plain,
    /// They begin an authority that may contain a drive letter after a mark.
    Marked,
}

/// Returns whether `text` is a letter followed by a colon or a vertical line.
pub(super) fn is_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

/// The components of an absolute URL.
pub(super) struct Parts<'a> {
    pub(super) scheme: &'a str,
    pub(super) authority: Option<&'a str>,
    /// A drive letter that is the first segment of the path. `path` does not contain it.
    pub(super) drive: Option<&'a str>,
    /// Whether the drive letter never removes the host.
    pub(super) keeps_host: bool,
    pub(super) path: &'a str,
    pub(super) query: Option<&'a str>,
    pub(super) fragment: Option<&'a str>,
}

impl<'a> Parts<'a> {
    /// Splits `url`, whose scheme is `scheme`, into components. With [`Authority::None`], two slashes begin the path.
    pub(super) fn of(url: &'a str, scheme: &'a str, kind: Authority) -> Self {
        let rest = &url[scheme.len() + 1..];
        let (rest, fragment) = cut(rest, '#');
        let (authority, rest) = match rest.strip_prefix("//") {
            Some(rest) if kind != Authority::None => {
                let (authority, rest) = rest.split_at(authority_end(rest));
                (Some(authority), rest)
            }
            _ => (None, rest),
        };
        let (path, query) = cut(rest, '?');
        let is_marked = kind == Authority::Marked;
        let marked = |mark| authority?.rsplit_once(mark).filter(|(_, drive)| is_marked && is_drive(drive));
        let keeps_host = marked(KEEP).is_some();
        let (authority, drive) = match marked(MARK).or(marked(KEEP)) {
            Some((host, drive)) => (Some(host), Some(drive)),
            None => (authority, None),
        };
        Self { scheme, authority, drive, keeps_host, path, query, fragment }
    }

    /// Returns the path without the mark that protects its first segment. Returns `None` if there is no drive letter or
    /// no mark.
    pub(super) fn without_kept_dot(&self) -> Option<String> {
        let rest = self.path.strip_prefix('/')?.strip_prefix(KEEP).filter(|_| self.drive.is_some())?;
        Some(format!("/{rest}"))
    }
}

fn cut(text: &str, at: char) -> (&str, Option<&str>) {
    text.split_once(at).map_or((text, None), |(before, after)| (before, Some(after)))
}
