//! The smoke test: a dozen plain pairs for which all specifications define the same target URL.

use std::fmt;

use super::locate::Statement;
use super::{Engine, Outcome, ask, ask_urls};
use crate::outcome::location::Location;
use crate::protocol::Op;

/// The base of every pair of the smoke test, [`smoke`].
pub const PLAIN_BASE: &str = "http://a/b/c/d?q";

/// The references of the smoke test, each with its target URL against [`PLAIN_BASE`] in every specification.
pub const PLAIN_PAIRS: [(&str, &str); 12] = [
    ("http://h/x", "http://h/x"),
    ("//h/x", "http://h/x"),
    ("/x", "http://a/x"),
    ("g", "http://a/b/c/g"),
    ("g/", "http://a/b/c/g/"),
    ("g/h", "http://a/b/c/g/h"),
    ("./g", "http://a/b/c/g"),
    ("../g", "http://a/b/g"),
    ("../../g", "http://a/g"),
    ("g?y", "http://a/b/c/g?y"),
    ("g#s", "http://a/b/c/g#s"),
    ("./g/../h", "http://a/b/c/h"),
];

/// The result of the smoke test for an engine that passed it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Passed {
    /// The number of pairs that were resolved; 0 for an engine that does not resolve.
    pub pairs: usize,
    /// The pairs on which the engine deviates from every specification.
    pub deviations: Vec<PlainDeviation>,
}

/// A plain pair on which an engine deviates from every specification.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PlainDeviation {
    /// The reference.
    pub reference: &'static str,
    /// A sentence with the result.
    pub sentence: String,
}

impl fmt::Display for PlainDeviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

/// Resolves a dozen plain pairs with `engine` and compares the results with the target URLs on which all specifications
/// agree.
///
/// The engine passes if it starts, returns a URL or a failure for each pair and follows the protocol. It must also
/// return the expected URL for an absolute reference, for a plain name, and for more than half of the pairs. An engine that does
/// not resolve is asked about one of them instead: what it states about it, or where it connects.
///
/// A library may deviate even on plain pairs: some libraries treat `//h/x` as a path or keep `./`. An engine with such
/// a library passes, and the result contains a sentence for each deviation. A shim that swaps its arguments, crashes or
/// prints other output fails.
///
/// # Errors
///
/// Returns a sentence with the reason if the engine fails.
pub fn smoke(engine: &dyn Engine) -> Result<Passed, String> {
    engine.ready()?;
    let key = engine.key();
    if !engine.resolves() {
        return plain(engine).map(|()| Passed { pairs: 0, deviations: Vec::new() });
    }
    let mut deviations = Vec::new();
    for (index, (reference, url)) in PLAIN_PAIRS.into_iter().enumerate() {
        let outcome = ask(engine, PLAIN_BASE, reference);
        let (is_fatal, did) = match outcome {
            Outcome::Url(returned) if returned == url => continue,
            Outcome::Url(returned) => {
                (ESSENTIAL.contains(&index), format!("returns \"{}\"", crate::escape::visible(&returned)))
            }
            Outcome::Failure(why) => {
                (ESSENTIAL.contains(&index), format!("rejects it, {}", crate::escape::visible(&why)))
            }
            Outcome::Skipped(why) => (true, format!("does not answer, {}", crate::escape::visible(&why))),
            Outcome::Unrepresentable(why) => {
                (true, format!("has no representable result, {}", crate::escape::visible(&why)))
            }
            Outcome::Crash(why) => (true, format!("crashes, {}", crate::escape::visible(&why))),
            Outcome::Timeout(why) => (true, format!("takes too long, {}", crate::escape::visible(&why))),
        };
        let sentence = format!("\"{reference}\" on \"{PLAIN_BASE}\" is \"{url}\" in every specification, and it {did}");
        if is_fatal {
            return Err(format!("{key} failed the smoke test: {sentence}"));
        }
        deviations.push(PlainDeviation { reference, sentence });
    }
    if 2 * deviations.len() >= PLAIN_PAIRS.len() {
        let (count, all, first) = (deviations.len(), PLAIN_PAIRS.len(), &deviations[0]);
        return Err(format!("{key} failed the smoke test: it differs on {count} of {all} plain pairs: {first}"));
    }
    match engine.violations().first().first() {
        None => Ok(Passed { pairs: PLAIN_PAIRS.len(), deviations }),
        Some(error) => {
            Err(format!("{key} failed the smoke test: {error}: output that is not an answer belongs on standard error"))
        }
    }
}

/// Checks that an engine that does not resolve states the host of a plain URL, and its scheme if it states schemes, or connects to this
/// host, and follows the protocol.
fn plain(engine: &dyn Engine) -> Result<(), String> {
    const PLAIN: &str = "http://h/x";
    let key = engine.key();
    let (op, does) = if engine.states() { (Op::Parse, "states") } else { (Op::Connect, "connects to") };
    let statement = Statement::new(ask_urls(engine, op, &[PLAIN]).pop().unwrap_or_else(|| Ok(Vec::new())));
    let is_right =
        |it: &Location| it.host.as_deref() == Some("h") && it.scheme.as_deref().is_none_or(|scheme| scheme == "http");
    if !statement.location.as_ref().is_some_and(is_right) {
        let found = match &statement.instead {
            Some(outcome) => outcome.to_string(),
            None => format!("it {does} {statement}"),
        };
        return Err(format!("{key} failed the smoke test on \"{PLAIN}\": {found}"));
    }
    match engine.violations().first().first() {
        None => Ok(()),
        Some(error) => Err(format!("{key} failed the smoke test: {error}")),
    }
}

/// Returns whether the smoke test asks `reference`.
pub fn is_plain(reference: &str) -> bool {
    PLAIN_PAIRS.iter().any(|(own, _)| *own == reference)
}

/// The indexes of the pairs on which every engine must return the expected URL: an absolute reference and a plain name.
const ESSENTIAL: [usize; 2] = [0, 3];
