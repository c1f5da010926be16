//! URLs on which the prose and the grammar of RFC 1738 disagree.

use urlstrata::characters::{self, Status};
use urlstrata::grammar;
use urlstrata::revision::rfc1738;
use urlstrata::scheme::{Form, News, Url};

use crate::evaluate::grammar::Recognizers;

/// A URL that the prose of RFC 1738 accepts and its grammar does not match, or the reverse.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Disagreement {
    /// Whether the prose accepts the URL.
    pub prose_accepts: bool,
    /// The production for the URL's scheme.
    pub production: &'static str,
    /// The byte at which the URL becomes invalid; `None` if the grammar matches the URL.
    pub mismatch: Option<usize>,
    /// The id of the remark that describes the disagreement. `None` is an internal failure.
    pub mark: Option<&'static str>,
}

/// Returns the disagreement of prose and grammar on `url`; `None` if they agree.
pub fn disagreement(recognizers: &mut Recognizers, url: &str) -> Option<Disagreement> {
    let rfc1738 = &rfc1738::REVISION;
    let grammar = grammar::by_revision(rfc1738.id)?;
    let production = grammar.top(url);
    let (read, trace) = rfc1738.read_traced(url)?;
    let (prose_accepts, mismatch, mark) = match (read, grammar.is_valid(url)) {
        (Ok(read), false) => {
            let Err(stop) = recognizers.of(grammar, production).ok()?.match_parts(url) else { return None };
            (true, Some(stop.at), accepted_by_prose(url, &read, stop.at))
        }
        (Err(_), true) => (false, None, rejected_by_prose(trace.entries().last()?.label)),
        _ => return None,
    };
    let known = |id: &&str| rfc1738.remarks.iter().any(|mark| mark.id == *id);
    Some(Disagreement { prose_accepts, production, mismatch, mark: mark.filter(known) })
}

/// Returns the id of the remark about a URL that the prose accepts and that becomes invalid at byte `at`.
fn accepted_by_prose(url: &str, read: &Url, at: usize) -> Option<&'static str> {
    if at <= read.scheme.len() && read.scheme.bytes().any(|b| b.is_ascii_uppercase()) {
        return Some("r1738-scheme-capitals");
    }
    let alphabet = characters::by_revision(rfc1738::REVISION.id)?;
    let is_unsafe = |octet: &u8| *octet != b'%' && alphabet.status(*octet) == Status::Excluded;
    if url.as_bytes().get(at).is_some_and(is_unsafe) {
        return Some("r1738-unsafe-characters");
    }
    match (&read.form, url.as_bytes().get(at)) {
        (Form::Ftp(_) | Form::Telnet(_), _) => in_login(url, at),
        (Form::Http(_), Some(b'/' | b'?')) => Some("r1738-search-slash"),
        (Form::File(_), Some(b';')) => Some("r1738-file-semicolon"),
        (Form::News(News::Group(_) | News::AllGroups(_)) | Form::Nntp(_), _) => Some("r1738-group-characters"),
        (Form::Wais(_), Some(b'/' | b'?')) => Some("r1738-wais-rest"),
        (Form::Wais(_), Some(b';' | b':' | b'@' | b'&' | b'=')) => Some("r1738-wais-reserved"),
        (Form::Prospero(_), Some(b'=')) => Some("r1738-prospero-equals"),
        (Form::Prospero(_), Some(b'/')) => Some("r1738-prospero-slash"),
        _ => None,
    }
}

/// Returns the id of the remark about the login of `url`, in which the grammar stops at byte `at`.
///
/// After a second `@` or colon, the grammar may read a host and a port before it stops.
fn in_login(url: &str, at: usize) -> Option<&'static str> {
    let start = url.find("//")? + 2;
    let login = &url[start..url[start..].find('/').map_or(url.len(), |length| start + length)];
    let end = login.rfind('@').filter(|end| at <= start + end)?;
    let at_sign = login.find('@').filter(|first| *first < end);
    let colon = login[..end].match_indices(':').nth(1).map(|(colon, _)| colon);
    match (at_sign, colon) {
        (Some(at_sign), colon) if colon.is_none_or(|colon| at_sign < colon) => Some("r1738-at-signs"),
        (_, Some(_)) => Some("r1738-login-colons"),
        _ => None,
    }
}

/// Returns the id of the remark about a URL that the grammar matches and that the step with this label rejects.
fn rejected_by_prose(label: &str) -> Option<&'static str> {
    match label {
        "3.2.2 typecode" => Some("r1738-type-case"),
        "3.4.1 octets" => Some("r1738-gopher-selector"),
        "3.5 addr-spec" => Some("r1738-mailto-addr-spec"),
        "3.7 article-number" => Some("r1738-nntp-number"),
        _ => None,
    }
}
