//! Texts that were pasted with something around or within them that is not part of the URL: quotes, brackets, a shell's or HTML's escapes,
//! the end of a line. A command reads each text as it is given, and adds a note about what was probably meant.

use std::fmt;

use serde::Serialize;
use urlstrata::revision::rfc3986;

use crate::escape::visible;
use crate::pairs::bases::BaseClass;

/// A note about a text that was probably not meant as it was given.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct InputNote {
    /// Which text the note is about: `the base`.
    pub about: String,
    /// How the text is read: a clause about it.
    pub read: String,
    /// What was probably meant, if it is recognized.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meant: Option<String>,
}

impl fmt::Display for InputNote {
    /// Writes one sentence without a full stop.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.about, visible(&self.read))?;
        self.meant.iter().try_for_each(|meant| write!(f, "; was {} meant?", visible(meant)))
    }
}

/// Returns notes about a base and a reference; none if nothing about them is unusual. An empty `base` is an unknown one.
///
/// # Examples
///
/// ```
/// use urlstrata_harness::pasted::notes;
///
/// let notes = notes("http://h/", "<http://h/?a=1&amp;b=2>");
/// assert_eq!(notes[0].meant.as_deref(), Some("http://h/?a=1&b=2"));
/// ```
pub fn notes(base: &str, reference: &str) -> Vec<InputNote> {
    let texts = [note("the base", base), note("the reference", reference)].into_iter().flatten();
    texts.chain(base_note(base, reference)).collect()
}

/// Returns a note about one text, which `about` names; `None` if nothing about it is unusual.
pub fn note(about: &str, text: &str) -> Option<InputNote> {
    let mut meant = text.to_owned();
    let mut found: Vec<&str> = Vec::new();
    // What surrounds a text is inside of other surroundings, such as a line end after a quote.
    for _ in 0..2 {
        for (what, clean) in CLEANINGS {
            if let Some(cleaned) = clean(&meant).filter(|cleaned| !cleaned.is_empty()) {
                meant = cleaned;
                found.extend((!found.contains(what)).then_some(*what));
            }
        }
    }
    let (last, others) = found.split_last()?;
    let list = if others.is_empty() { (*last).to_owned() } else { format!("{} and {last}", others.join(", ")) };
    let read = format!("has {list}, and is read as it is given");
    Some(InputNote { about: about.to_owned(), read, meant: Some(meant) })
}

/// Returns the text without something that is not part of a URL; `None` if the text does not have it.
type Clean = fn(&str) -> Option<String>;

const CLEANINGS: &[(&str, Clean)] = &[
    ("white space around it", |text| stripped(text, text.trim())),
    ("the two characters `\\n` at its end", |text| {
        text.strip_suffix("\\n").map(|it| it.trim_end_matches("\\r").to_owned())
    }),
    ("quotes around it", |text| {
        let pairs = [('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”'), ('‘', '’'), ('«', '»')];
        pairs.iter().find_map(|(open, close)| within(text, *open, *close))
    }),
    ("angle brackets around it", |text| {
        let inner = within(text, '<', '>')?;
        Some(inner.strip_prefix("URL:").map_or(inner.clone(), str::to_owned))
    }),
    ("HTML's character references", unescaped_html),
    ("a shell's or JSON's backslashes", unescaped),
    ("a percent-encoded `://`", |text| {
        let (scheme, _) = text.split_once('%')?;
        let is_encoded = text[scheme.len()..].to_ascii_lowercase().starts_with("%3a%2f%2f");
        let decoded = || percent_encoding::percent_decode_str(text).decode_utf8().ok().map(|it| it.into_owned());
        (is_encoded && is_scheme(scheme)).then(decoded).flatten()
    }),
];

fn stripped(text: &str, inner: &str) -> Option<String> {
    (inner != text).then(|| inner.to_owned())
}

/// Returns what is between `open` and `close`, if the text begins and ends with them.
fn within(text: &str, open: char, close: char) -> Option<String> {
    text.strip_prefix(open)?.strip_suffix(close).map(str::to_owned)
}

/// Replaces the character references of HTML that people meet in URLs.
fn unescaped_html(text: &str) -> Option<String> {
    const REFERENCES: [(&str, &str); 10] = [
        ("&quot;", "\""),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&#x27;", "'"),
        ("&#47;", "/"),
        ("&#x2F;", "/"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&#38;", "&"),
        ("&amp;", "&"),
    ];
    let replaced = REFERENCES.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
    stripped(text, &replaced)
}

/// Removes the backslash before each character that a shell or JSON escapes. A backslash before another character, such as `\@`, is
/// probably meant.
fn unescaped(text: &str) -> Option<String> {
    let mut unescaped = String::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let is_escape = c == '\\' && rest.peek().is_some_and(|next| "?&=#!()$;*[]' \"~/".contains(*next));
        unescaped.extend((!is_escape).then_some(c));
    }
    // A backslash before each of two slashes is JSON's; a single one before a slash need not be.
    let is_path = text.matches('\\').count() == 1 && text.contains("\\/");
    stripped(text, &unescaped).filter(|_| !is_path)
}

fn is_scheme(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

/// Returns a note about a base on which specifications give no target, or probably not the one that was meant.
fn base_note(base: &str, reference: &str) -> Option<InputNote> {
    let note = |read: &str, meant: Option<String>| {
        Some(InputNote { about: "the base".to_owned(), read: read.to_owned(), meant })
    };
    let meant = self::note("", reference).and_then(|note| note.meant);
    let reference = meant.as_deref().unwrap_or(reference);
    let is_relative =
        rfc3986::REVISION.parse(reference).is_ok_and(|parts| parts.component("scheme").flatten().is_none());
    // Quotes and the like are no scheme, and their own note proposes another base.
    if self::note("", base).is_some() {
        return None;
    }
    match BaseClass::of(base) {
        BaseClass::Unknown if is_relative && !reference.is_empty() => note(
            "is missing: a relative reference has a target only on a base with a scheme (RFC 3986 §5.1); --base URL gives one",
            None,
        ),
        BaseClass::Relative if is_relative => note(
            "has no scheme: a relative reference has a target only on a base with one (RFC 3986 §5.1)",
            Some(with_scheme(base)),
        ),
        BaseClass::Opaque => {
            let (scheme, rest) = base.split_once(':')?;
            let port: String = rest.chars().take_while(char::is_ascii_digit).collect();
            let is_port = !port.is_empty() && rest[port.len()..].chars().next().is_none_or(|c| "/?#".contains(c));
            let is_drive = scheme.len() == 1 && rest.starts_with(['\\', '/']);
            match (is_drive, is_port) {
                (true, _) => {
                    note(&format!("has the scheme `{scheme}`"), Some(format!("file:///{}", base.replace('\\', "/"))))
                }
                (_, true) => note(&format!("has the scheme `{scheme}` and no host"), Some(format!("http://{base}"))),
                _ => None,
            }
        }
        BaseClass::Hierarchical if base.find(':') == Some(1) => {
            note(&format!("has the scheme `{}`", &base[..1]), Some(format!("file:///{base}")))
        }
        _ => None,
    }
}

/// Returns a base without a scheme with the one that is probably meant.
fn with_scheme(base: &str) -> String {
    let first = base.split(['/', '?', '#']).next().unwrap_or_default();
    let is_host = first.starts_with("www.")
        || first == "localhost"
        || first.contains('.') && base.contains('/') && !first.starts_with('.');
    match base {
        _ if base.starts_with("//") => format!("http:{base}"),
        _ if is_host => format!("http://{base}"),
        _ => format!("http://HOST/{}", base.trim_start_matches(['.', '/'])),
    }
}
