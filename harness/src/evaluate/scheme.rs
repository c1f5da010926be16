//! URLs on which the prose and the grammar of RFC 1738 disagree.

use urlstrata::characters::{self, Status};
use urlstrata::grammar;
use urlstrata::revision::rfc1738;
use urlstrata::scheme::Url;

use crate::evaluate::grammar::Recognisers;

/// Where RFC 1738's prose takes a URL and its grammar does not, or the other way round.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Disagreement {
    /// Whether it is the prose that takes it.
    pub prose_takes: bool,
    /// The production of the URL's scheme.
    pub production: &'static str,
    /// Where the grammar stops, if it does.
    pub stops: Option<usize>,
    /// The mark that speaks of it; `None` would be a fault of ours.
    pub mark: Option<&'static str>,
}

/// Whether prose and grammar disagree on `url`.
pub fn disagreement(recognisers: &mut Recognisers, url: &str) -> Option<Disagreement> {
    let rfc1738 = &rfc1738::REVISION;
    let grammar = grammar::by_revision(rfc1738.id)?;
    let production = grammar.top(url);
    let (read, trace) = rfc1738.read_traced(url)?;
    let (prose_takes, stops, mark) = match (read, grammar.is_valid(url)) {
        (Ok(read), false) => {
            let Err(stop) = recognisers.of(grammar, production).ok()?.match_parts(url) else { return None };
            (true, Some(stop.at), taken_by_prose(url, &read, stop.at))
        }
        (Err(_), true) => (false, None, refused_by_prose(trace.entries().last()?.label)),
        _ => return None,
    };
    let known = |id: &&str| rfc1738.remarks.iter().any(|mark| mark.id == *id);
    Some(Disagreement { prose_takes, production, stops, mark: mark.filter(known) })
}

/// The mark on what the grammar stops at.
fn taken_by_prose(url: &str, read: &Url, at: usize) -> Option<&'static str> {
    if at <= read.scheme.len() && read.scheme.bytes().any(|b| b.is_ascii_uppercase()) {
        return Some("r1738-scheme-capitals");
    }
    let alphabet = characters::by_revision(rfc1738::REVISION.id)?;
    let is_unsafe = |octet: &u8| *octet != b'%' && alphabet.status(*octet) == Status::Excluded;
    if url.as_bytes().get(at).is_some_and(is_unsafe) {
        return Some("r1738-unsafe-characters");
    }
    match grammar::by_revision(rfc1738::REVISION.id)?.top(url) {
        "ftpurl" | "telneturl" if url.as_bytes().get(at) == Some(&b':') => Some("r1738-login-colons"),
        "ftpurl" | "telneturl" => Some("r1738-at-signs"),
        "httpurl" => Some("r1738-search-slash"),
        "fileurl" => Some("r1738-file-semicolon"),
        "newsurl" | "nntpurl" => Some("r1738-group-characters"),
        "waisurl" => Some("r1738-wais-rest"),
        "prosperourl" => Some("r1738-prospero-equals"),
        _ => None,
    }
}

/// The mark on what a step refuses and the grammar takes.
fn refused_by_prose(label: &str) -> Option<&'static str> {
    match label {
        "3.2.2 typecode" => Some("r1738-type-case"),
        "3.4.1 octets" => Some("r1738-gopher-selector"),
        "3.5 addr-spec" => Some("r1738-mailto-at"),
        "3.7 article-number" => Some("r1738-nntp-number"),
        _ => None,
    }
}
