//! What standards after RFC 1738 state about URLs of single schemes, about zone identifiers and about characters outside ASCII.
//!
//! The general syntax accepts more than the standard of a scheme does. A remark changes no result: it says that a URL is not valid, or how
//! a standard is followed that is not one of the compared specifications.

use serde::Serialize;
use urlstrata::revision::rfc3986;

/// What a standard states about a URL.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Remark {
    /// The text that it is about: a reference, a target or a base.
    pub about: String,
    /// The standard.
    pub standard: &'static str,
    /// The section.
    pub section: &'static str,
    /// The month of publication; empty for a standard that changes.
    #[serde(rename = "published", skip_serializing_if = "str::is_empty")]
    pub date: &'static str,
    /// The statement, in our words.
    pub sentence: &'static str,
}

impl Remark {
    /// Returns the standard, the section and the date: `RFC 9110 §4.2.1, June 2022`.
    pub fn source(&self) -> String {
        let Self { standard, section, date, .. } = self;
        let mark = if section.starts_with("Appendix") { "" } else { "§" };
        let date = if date.is_empty() { String::new() } else { format!(", {date}") };
        format!("{standard} {mark}{section}{date}")
    }
}

/// A statement of a standard about some URLs.
struct Statement {
    standard: &'static str,
    section: &'static str,
    date: &'static str,
    applies: fn(&Parts<'_>) -> bool,
    sentence: &'static str,
}

const RFC9110: (&str, &str) = ("RFC 9110", "June 2022");
const RFC8089: (&str, &str) = ("RFC 8089", "February 2017");
const RFC8141: (&str, &str) = ("RFC 8141", "April 2017");

const fn statement(
    (standard, date): (&'static str, &'static str),
    section: &'static str,
    applies: fn(&Parts<'_>) -> bool,
    sentence: &'static str,
) -> Statement {
    Statement { standard, section, date, applies, sentence }
}

/// The statements, by standard. The sections for `http` apply to `https`, which RFC 9110 defines in a section of its own.
const STATEMENTS: &[Statement] = &[
    statement(
        RFC9110,
        "4.2.1",
        |url| url.scheme == "http" && url.host == Some(""),
        "an http URL with an empty host is invalid, and a recipient must reject it",
    ),
    statement(
        RFC9110,
        "4.2.2",
        |url| url.scheme == "https" && url.host == Some(""),
        "an https URL with an empty host is invalid, and a recipient must reject it",
    ),
    statement(
        RFC9110,
        "4.2",
        |url| matches!(url.scheme.as_str(), "http" | "https") && url.host.is_none(),
        "an http or https URL has two slashes and an authority after its scheme: without them it is not valid",
    ),
    statement(
        RFC9110,
        "4.2.4",
        |url| matches!(url.scheme.as_str(), "http" | "https") && url.has_userinfo,
        "a sender must not write a user name or password in an http or https URL of a message, and a recipient should treat one from an untrusted source as an error",
    ),
    statement(
        RFC8089,
        "Appendix E.2",
        |url| url.scheme == "file" && url.host.is_none() && is_drive(url.path),
        "a file URL whose path begins with a drive letter and no slash is outside the syntax of section 2, and is described as a variation in use",
    ),
    statement(
        RFC8089,
        "2",
        |url| url.scheme == "file" && url.host.is_none() && !url.path.starts_with('/') && !is_drive(url.path),
        "the path of a file URL begins with a slash: without one it is not valid",
    ),
    statement(
        RFC8089,
        "2",
        |url| url.scheme == "file" && (url.has_userinfo || url.has_port),
        "the authority of a file URL is a host alone: with a user name or a port it is not valid",
    ),
    statement(RFC8089, "2", |url| url.scheme == "file" && url.has_query, "the syntax of a file URL has no query"),
    statement(
        RFC8141,
        "2",
        |url| url.scheme == "urn" && (url.host.is_some() || !is_assigned_name(url.path)),
        "a URN is `urn:`, a namespace identifier of 2 to 32 letters, digits and hyphens, a colon and a name: without them it is not valid",
    ),
    statement(
        RFC8141,
        "2",
        |url| url.scheme == "urn" && url.has_query && !url.query.starts_with(['+', '=']),
        "after the name of a URN, `?+` or `?=` begins a component: another `?` is not valid",
    ),
    statement(
        ("RFC 6874", "February 2013"),
        "2",
        |url| url.host.is_some_and(|host| host.starts_with('[') && host.contains("%25")),
        "`%25` and a zone identifier may follow an IPv6 address in brackets. RFC 9844, August 2025, makes RFC 6874 obsolete and leaves zone identifiers to user interfaces; RFC 3986 has no place for them, and the URL Standard rejects them (§3.5)",
    ),
    statement(
        ("RFC 9844", "August 2025"),
        "1",
        |url| url.host.is_some_and(|host| host.starts_with('[') && host.contains('%') && !host.contains("%25")),
        "a zone identifier after `%` is a notation of user interfaces and is not part of a URL: RFC 3986 and the URL Standard (§3.5) have no place for it, and RFC 6874, which wrote `%25`, is obsolete",
    ),
    statement(
        ("RFC 3987", "January 2005"),
        "3.1",
        |url| !url.text.is_ascii(),
        "characters outside ASCII make it an IRI: the URI has the octets of their UTF-8 form percent-encoded; a name of a host may be converted to Punycode instead",
    ),
    statement(
        ("URL Standard", ""),
        "4.4",
        |url| !url.text.is_ascii(),
        "a URL string may contain characters outside ASCII: the parser percent-encodes their UTF-8 form in the path, the query and the fragment, and converts a domain to ASCII by UTS #46 (§3.3); IRIs are no separate concept",
    ),
];

/// The components of a text by RFC 3986.
struct Parts<'a> {
    text: &'a str,
    scheme: String,
    host: Option<&'a str>,
    has_userinfo: bool,
    has_port: bool,
    path: &'a str,
    has_query: bool,
    query: &'a str,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str) -> Self {
        let end = text.find('#').unwrap_or(text.len());
        let (rest, has_query) = (&text[..end], text[..end].contains('?'));
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let parsed = rfc3986::REVISION.parse(text).unwrap_or_default();
        let scheme = parsed.component("scheme").flatten().unwrap_or_default().to_ascii_lowercase();
        let after = &rest[if scheme.is_empty() { 0 } else { scheme.len() + 1 }..];
        let (authority, path) = match after.strip_prefix("//") {
            Some(own) => {
                let (authority, path) = own.split_at(own.find('/').unwrap_or(own.len()));
                (Some(authority), path)
            }
            None => (None, after),
        };
        let server = authority.map(|it| it.rsplit_once('@').map_or(it, |(_, server)| server));
        let colon = |it: &str| it.rfind(':').filter(|at| it.rfind(']').is_none_or(|bracket| bracket < *at));
        Self {
            text,
            scheme,
            host: server.map(|it| &it[..colon(it).unwrap_or(it.len())]),
            has_userinfo: authority.is_some_and(|it| it.contains('@')),
            has_port: server.is_some_and(|it| colon(it).is_some()),
            path,
            has_query,
            query,
        }
    }
}

/// Returns whether `path` begins with a drive letter and a colon or a vertical line.
fn is_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':' | b'|', ..] if letter.is_ascii_alphabetic())
}

/// Returns whether `path` is a namespace identifier, a colon and a name (RFC 8141 §2).
fn is_assigned_name(path: &str) -> bool {
    let Some((namespace, name)) = path.split_once(':') else { return false };
    let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = namespace.as_bytes();
    (2..=32).contains(&bytes.len())
        && is_letter(bytes.first())
        && is_letter(bytes.last())
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
        && !name.is_empty()
        && !name.starts_with('/')
}

/// Returns what later standards state about `text`, a URL or a reference.
///
/// # Examples
///
/// ```
/// use urlstrata_harness::knowledge::later::remarks;
///
/// let [remark] = remarks("http://?p1=v1").try_into().unwrap();
/// assert_eq!(remark.source(), "RFC 9110 §4.2.1, June 2022");
/// assert!(remarks("http://a/?p1=v1").is_empty());
/// ```
pub fn remarks(text: &str) -> Vec<Remark> {
    let parts = Parts::of(text);
    let applying = STATEMENTS.iter().filter(|it| (it.applies)(&parts));
    let remark = |it: &Statement| {
        let Statement { standard, section, date, sentence, .. } = *it;
        Remark { about: text.to_owned(), standard, section, date, sentence }
    };
    applying.map(remark).collect()
}

/// Returns what later standards state about a reference, the target and the base, in this order. Each statement is made once.
pub fn remarks_on_pair(base: &str, reference: &str, target: Option<&str>) -> Vec<Remark> {
    let mut all: Vec<Remark> = Vec::new();
    for text in [Some(reference), target, Some(base)].into_iter().flatten() {
        for remark in remarks(text) {
            if !all.iter().any(|own| (own.section, own.sentence) == (remark.section, remark.sentence)) {
                all.push(remark);
            }
        }
    }
    all
}
