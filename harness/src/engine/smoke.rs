//! A dozen plain pairs of which every document says the same.

use super::{Engine, Outcome, ask};

/// The base of all of them.
const BASE: &str = "http://a/b/c/d?q";

/// References under it, and what they stand for.
const PAIRS: [(&str, &str); 12] = [
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

/// Puts a dozen plain pairs to `engine`, and hands back how many: it starts, says what every document says, and does nothing
/// against the protocol.
///
/// # Errors
///
/// What it did instead.
pub fn smoke(engine: &dyn Engine) -> Result<usize, String> {
    engine.ready()?;
    let name = engine.name();
    for (reference, url) in PAIRS {
        let did = match ask(engine, BASE, reference) {
            Outcome::Url(said) if said == url => continue,
            Outcome::Url(said) => format!("says \"{}\"", crate::visible(&said)),
            Outcome::Refused(why) => format!("refuses, {}", crate::visible(&why)),
            Outcome::Skipped(why) => format!("has no answer, {}", crate::visible(&why)),
            Outcome::Crashed(why) => format!("crashes, {}", crate::visible(&why)),
            Outcome::TimedOut(why) => format!("takes too long, {}", crate::visible(&why)),
        };
        return Err(format!(
            "{name} is not believed: \"{reference}\" on \"{BASE}\" is \"{url}\" everywhere, and it {did}"
        ));
    }
    match engine.faults().first().first() {
        None => Ok(PAIRS.len()),
        Some(fault) => Err(format!("{name} is not believed: {fault}: what is no answer belongs on standard error")),
    }
}

#[cfg(test)]
mod tests {
    use super::{BASE, PAIRS, smoke};
    use crate::engine::{Outcome, all, by_name};
    use crate::profile::Reading;

    #[test]
    fn every_document_says_the_same() {
        for reading in Reading::all() {
            for (reference, url) in PAIRS {
                assert_eq!(
                    reading.says(BASE, reference),
                    Outcome::Url(url.to_owned()),
                    "{}: {reference:?}",
                    reading.id
                );
            }
        }
    }

    #[test]
    fn every_engine_that_resolves_passes() {
        for engine in all().iter().filter(|engine| engine.name() != "ref:rfc1738") {
            assert_eq!(smoke(engine.as_ref()), Ok(12), "{}", engine.name());
        }
        let refuses = smoke(by_name("ref:rfc1738").expect("an engine").as_ref()).expect_err("it resolves nothing");
        assert!(
            refuses.contains("\"//h/x\" on \"http://a/b/c/d?q\" is \"http://h/x\" everywhere, and it refuses"),
            "{refuses}"
        );
    }
}
