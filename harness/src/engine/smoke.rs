//! The smoke test: a dozen plain pairs for which all specifications define the same target URL.

use std::fmt;

use super::{Engine, Outcome, ask};

/// The base of every pair of the smoke test.
const BASE: &str = "http://a/b/c/d?q";

/// The references, each with its target URL against [`BASE`].
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

/// The result of the smoke test for an engine that passed it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Passed {
    /// The number of pairs that were resolved.
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
/// return the expected URL for an absolute reference, for a plain name, and for more than half of the pairs.
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
    let mut deviations = Vec::new();
    for (index, (reference, url)) in PAIRS.into_iter().enumerate() {
        let outcome = ask(engine, BASE, reference);
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
        let sentence = format!("\"{reference}\" on \"{BASE}\" is \"{url}\" in every specification, and it {did}");
        if is_fatal {
            return Err(format!("{key} failed the smoke test: {sentence}"));
        }
        deviations.push(PlainDeviation { reference, sentence });
    }
    if 2 * deviations.len() >= PAIRS.len() {
        let (count, all, first) = (deviations.len(), PAIRS.len(), &deviations[0]);
        return Err(format!("{key} failed the smoke test: it differs on {count} of {all} plain pairs: {first}"));
    }
    match engine.violations().first().first() {
        None => Ok(Passed { pairs: PAIRS.len(), deviations }),
        Some(error) => {
            Err(format!("{key} failed the smoke test: {error}: output that is not an answer belongs on standard error"))
        }
    }
}

/// Returns whether the smoke test asks `reference`.
pub fn is_plain(reference: &str) -> bool {
    PAIRS.iter().any(|(own, _)| *own == reference)
}

/// The indexes of the pairs on which every engine must return the expected URL: an absolute reference and a plain name.
const ESSENTIAL: [usize; 2] = [0, 3];

#[cfg(test)]
mod tests {
    use urlstrata::revision::rfc3986;

    use super::{BASE, PAIRS, Passed, smoke};
    use crate::engine::{Engine, all, by_name};
    use crate::knowledge::specification::Specification;
    use crate::outcome::{Components, Outcome};

    #[test]
    fn all_specifications_agree() {
        for specification in Specification::all() {
            for (reference, url) in PAIRS {
                assert_eq!(
                    specification.resolve(BASE, reference),
                    Outcome::Url(url.to_owned()),
                    "{}: {reference:?}",
                    specification.id
                );
            }
        }
    }

    #[test]
    fn every_engine_that_resolves_passes() {
        for engine in all().iter().filter(|engine| engine.name() != "ref:rfc1738") {
            assert_eq!(smoke(engine.as_ref()), Ok(Passed { pairs: 12, deviations: vec![] }), "{}", engine.name());
        }
        let rejects = smoke(by_name("ref:rfc1738").expect("an engine").as_ref()).expect_err("it resolves nothing");
        assert!(rejects.contains("is \"http://a/b/c/g\" in every specification, and it rejects it"), "{rejects}");
    }

    /// An engine that resolves as RFC 3986 does, except for references for which the function returns another result.
    struct Deviating(fn(&str) -> Option<&'static str>);

    impl Engine for Deviating {
        fn name(&self) -> &str {
            "test:deviating"
        }

        fn version(&self) -> &str {
            "0"
        }

        fn resolve(&self, base: &str, reference: &str) -> Outcome {
            match (self.0)(reference) {
                Some(url) => Outcome::Url(url.to_owned()),
                None => rfc3986::REVISION.resolve(base, reference).into(),
            }
        }

        fn parse(&self, _: &str) -> Components {
            Err(Outcome::Skipped("unsupported operation".to_owned()))
        }
    }

    #[test]
    fn a_library_that_deviates_on_a_plain_pair_passes_with_a_sentence() {
        let library = Deviating(|reference| match reference {
            "//h/x" => Some("http://a//h/x"),
            "./g" => Some("http://a/b/c/./g"),
            _ => None,
        });
        let passed = smoke(&library).expect("it passes");
        assert_eq!(passed.deviations.len(), 2);
        let sentence = "\"//h/x\" on \"http://a/b/c/d?q\" is \"http://h/x\" in every specification, and it returns \"http://a//h/x\"";
        assert_eq!((passed.deviations[0].reference, passed.deviations[0].to_string()), ("//h/x", sentence.to_owned()));
    }

    #[test]
    fn a_shim_that_mixes_up_its_arguments_fails() {
        let failed = smoke(&Deviating(|_| Some(BASE))).expect_err("it fails");
        assert!(failed.starts_with("test:deviating failed the smoke test: \"http://h/x\" on "), "{failed}");
        let half = smoke(&Deviating(|reference| reference.contains("..").then_some("http://a/")));
        assert!(half.is_ok_and(|passed| passed.deviations.len() == 3));
        let most = smoke(&Deviating(|reference| (!["http://h/x", "g"].contains(&reference)).then_some("http://a/")));
        assert!(most.is_err_and(|why| why.contains("it differs on 10 of 12 plain pairs")));
    }
}
