//! What RFC 1738's schemes make of a URL: what vectors expect of it, where prose and grammar disagree, and where an engine's
//! components are others.

use urlstrata::characters::{self, Status};
use urlstrata::grammar;
use urlstrata::revision::{self, Revision, rfc1738};
use urlstrata::scheme::{Url, Value};

use crate::evaluate::grammar::Recognisers;
use crate::vector::{Node, Vector};

/// Whether a vector may expect what it does of a URL's fields.
///
/// # Errors
///
/// A sentence about what it may not.
pub fn check(vector: &Vector) -> Result<(), String> {
    for id in vector.fields.0.keys().chain(vector.actions.0.keys()) {
        let Some(read) = revision::by_id(id).and_then(|revision| revision.read(vector.url.as_deref()?)) else {
            return Err(format!("{id} describes no schemes: those are RFC 1738's"));
        };
        let (Ok(url), Some(Node::Map(expected))) = (read, vector.fields.0.get(id)) else { continue };
        let names: Vec<_> = url.fields().iter().map(|field| field.name).collect();
        let own = |name: &str| names.contains(&name) || ["refused", "cautions"].contains(&name);
        if let Some((name, _)) = expected.iter().find(|(name, _)| !own(name)) {
            return Err(format!("{} URLs have no field {name:?}: they have {}", url.scheme, names.join(", ")));
        }
    }
    Ok(())
}

/// Whether `revision` makes of the URL of `vector` what it expects.
///
/// # Errors
///
/// What it makes of it instead.
pub fn verify(vector: &Vector, revision: &Revision) -> Result<(), String> {
    let Some(url) = vector.url.as_deref() else { return Ok(()) };
    let Some(read) = revision.read(url) else { return Ok(()) };
    let fault = |key: &str, why: String| format!("{key} of {url:?} by {}{why}", revision.id);
    if let Some(expected) = vector.fields.0.get(revision.id) {
        let said = match &read {
            Ok(url) => fields(url),
            Err(refusal) => Node::map([("refused", Node::from(refusal.section()))]),
        };
        expected.fits(&said).map_err(|why| fault("fields", why))?;
    }
    if let Some(expected) = vector.actions.0.get(revision.id) {
        let said: Node = match &read {
            Ok(url) => url.actions().iter().map(|action| Node::from(action.to_string().as_str())).collect(),
            Err(refusal) => Node::map([("refused", Node::from(refusal.section()))]),
        };
        expected.fits(&said).map_err(|why| fault("actions", why))?;
    }
    match read {
        Ok(read) if read.to_string() != url => Err(format!("{url:?} is written back as {read}")),
        _ => Ok(()),
    }
}

/// The fields of `url` as a tree, with its cautions.
fn fields(url: &Url) -> Node {
    let mut entries = vec![("refused".to_owned(), Node::Null)];
    for field in url.fields() {
        let value = match field.value {
            Value::Absent => Node::Null,
            Value::Text(text) => Node::from(text.raw()),
            Value::Description(meaning) => Node::from(meaning.as_str()),
            Value::List(texts) => texts.iter().map(|text| Node::from(text.raw())).collect(),
            Value::Pairs(pairs) => {
                pairs.iter().map(|(name, value)| [name.raw(), value.raw()].into_iter().collect::<Node>()).collect()
            }
        };
        entries.push((field.name.to_owned(), value));
    }
    let cautions = url.cautions().iter().map(|caution| Node::from(caution.sentence.as_str())).collect();
    entries.push(("cautions".to_owned(), cautions));
    Node::Map(entries)
}

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
