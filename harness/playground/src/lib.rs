//! The computation of `explain`, compiled to WebAssembly for the site.
//!
//! A request and its response are JSON. [`Playground::answer`] computes what the command computes: without engines
//! `explain --predicted --format json`, and with engines `explain -e predicted:ENGINE --format json`, with `--trace` if the
//! request has it. A bug report, which takes longest, is only part of an answer with steps. Recorded results are not included,
//! because they would be 30 MB: every recorded engine answers as its steps or its behaviour predict.

use std::fmt;

use serde::Deserialize;
use urlstrata_harness::engine::{self, Engine};
use urlstrata_harness::explain::{Explainer, Explanation};
use urlstrata_harness::world::World;

mod abi;

/// The maximum length of a base and of a reference in bytes.
pub const LONGEST: usize = 20_000;

/// A question of the page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    /// The base; empty if it is unknown.
    base: String,
    reference: String,
    /// The engines whose causes are explained: the names of crates, such as `crate:url`, and of engines with a behaviour.
    #[serde(default)]
    engines: Vec<String>,
    /// Whether the steps are listed: those of the engines, or those of specifications with different results. A bug report is added if there is
    /// one engine.
    #[serde(default)]
    trace: bool,
}

/// The specifications, the crates and the behaviours of recorded engines.
pub struct Playground {
    world: World,
}

impl fmt::Debug for Playground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Playground")
    }
}

impl Playground {
    /// Reads what is known of engines: the JSON form of [`Knowledge`](urlstrata_harness::world::Knowledge).
    ///
    /// # Errors
    ///
    /// Returns a sentence if `knowledge` is not valid.
    pub fn new(knowledge: &str) -> Result<Self, String> {
        let knowledge = serde_json::from_str(knowledge).map_err(|error| format!("the data are not valid: {error}"))?;
        Ok(Self { world: World::of_knowledge(knowledge) })
    }

    /// Answers a request, which is a JSON object with `base`, `reference` and optionally `engines` and `trace`. Returns the JSON
    /// form of an [`Explanation`], or an object with the key `error` and a sentence.
    ///
    /// # Examples
    ///
    /// ```
    /// use urlstrata_playground::Playground;
    ///
    /// let playground = Playground::new(r#"{"known": {"files": []}, "versions": [], "behaviours": []}"#)?;
    /// let answer = playground.answer(r#"{"base": "http://a/b/c/d;p?q", "reference": "../../../g"}"#);
    /// assert!(answer.contains(r#""url":"http://a/g""#));
    /// # Ok::<(), String>(())
    /// ```
    pub fn answer(&self, request: &str) -> String {
        let answer = self.explain(request).and_then(|it| serde_json::to_string(&it).map_err(|error| error.to_string()));
        answer.unwrap_or_else(|error| serde_json::json!({ "error": error }).to_string())
    }

    fn explain(&self, request: &str) -> Result<Explanation, String> {
        let Request { base, reference, engines, trace } =
            serde_json::from_str(request).map_err(|error| format!("the request is not valid: {error}"))?;
        for (name, text) in [("base", &base), ("reference", &reference)] {
            if text.len() > LONGEST {
                let length = text.len();
                let remedy = "the command `urlstrata explain` has no limit";
                return Err(format!("the {name} has {length} bytes, and at most {LONGEST} are read here: {remedy}"));
            }
        }
        let has_named_engines = !engines.is_empty();
        let own;
        let world = if has_named_engines {
            let engines = engines.iter().map(|name| self.engine(name)).collect::<Result<_, _>>()?;
            own = self.world.for_engines(engines);
            &own
        } else {
            &self.world
        };
        let mut explainer = Explainer::new(world, &[]);
        let mut explanation = explainer.explain(&base, &reference);
        explainer.add_known(&mut explanation).map_err(|error| error.to_string())?;
        if trace {
            explanation = explanation.traced(world, &[], has_named_engines);
        }
        if let ([engine], true) = (world.engines.as_slice(), trace) {
            explainer.add_bug_report(&mut explanation, engine.key());
        }
        Ok(explanation)
    }

    fn engine(&self, name: &str) -> Result<Box<dyn Engine>, String> {
        let asked = engine::all().into_iter().find(|engine| engine.name() == name);
        asked.map_or_else(|| self.world.predicted(name).map_err(|error| error.to_string()), Ok)
    }
}
