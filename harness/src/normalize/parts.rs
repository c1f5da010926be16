//! A URL cut at its delimiters, and written again.

/// The scheme that `text` begins with: a letter, then letters, digits, `+`, `-` and `.`, then a colon.
pub(super) fn scheme_of(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let end = bytes.iter().position(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')))?;
    (bytes[end] == b':' && bytes[0].is_ascii_alphabetic()).then_some(&text[..end])
}

/// Whether `url` has a scheme and a path without a leading slash.
pub(super) fn is_opaque(url: &str) -> bool {
    scheme_of(url).is_some_and(|scheme| !url[scheme.len() + 1..].starts_with('/'))
}

/// `url` up to its fragment.
pub(super) fn before_fragment(url: &str) -> &str {
    url.find('#').map_or(url, |at| &url[..at])
}

/// Where the authority that begins at the start of `text` ends.
pub(super) fn authority_end(text: &str) -> usize {
    text.find(['/', '?', '#']).unwrap_or(text.len())
}

/// What stands behind this mark in an authority is a drive letter, the root of the path.
pub(super) const MARK: char = '\0';

/// The same, of a host that the drive letter does not take away.
pub(super) const KEEP: char = '\u{1}';

/// What the two slashes behind a scheme begin.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Authority {
    /// A path.
    None,
    /// An authority.
    Plain,
    /// An authority in which a drive letter may stand behind a mark.
    Marked,
}

/// Whether `text` is a letter and a colon or a vertical line.
pub(super) fn is_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

/// The components of an absolute URL.
pub(super) struct Parts<'a> {
    pub(super) scheme: &'a str,
    pub(super) authority: Option<&'a str>,
    /// A drive letter that stands before the path, and is part of it.
    pub(super) drive: Option<&'a str>,
    /// Whether that leaves the host as it is.
    pub(super) keeps_host: bool,
    pub(super) path: &'a str,
    pub(super) query: Option<&'a str>,
    pub(super) fragment: Option<&'a str>,
}

impl<'a> Parts<'a> {
    /// `url` behind its `scheme`. Without an authority, two slashes begin the path.
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

    /// The path behind a drive letter without the mark that kept its first segment from being removed, if it has one.
    pub(super) fn without_kept_dot(&self) -> Option<String> {
        let rest = self.path.strip_prefix('/')?.strip_prefix(KEEP).filter(|_| self.drive.is_some())?;
        Some(format!("/{rest}"))
    }
}

fn cut(text: &str, at: char) -> (&str, Option<&str>) {
    text.split_once(at).map_or((text, None), |(before, after)| (before, Some(after)))
}
