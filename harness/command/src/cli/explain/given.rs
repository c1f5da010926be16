//! `explain --got RESULT`: an observed or expected result without an engine; and several references or bases side by side.

use std::io::{self, Write};

use clap::Args;
use urlstrata_harness::engine::Engine;
use urlstrata_harness::explain::{ObservedResult, Overview, Question};
use urlstrata_harness::layout::Layout;
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::world::World;

use crate::cli::output::write_json;
use crate::cli::select::an_engine;
use crate::cli::{Ended, Failure, Finding, Format};

/// What was observed, and what was expected.
#[derive(Args)]
pub(super) struct Given {
    /// The result that was observed, with or without a known engine: a URL, or `failure`. Lists who gives it, where it parts from the
    /// expected result, and who is right
    #[arg(long, value_name = "RESULT", conflicts_with = "pairs")]
    got: Option<String>,
    /// The result that was expected: a URL, or `failure`. If no specification gives it, the nearest changes that do are listed
    #[arg(long, value_name = "RESULT", conflicts_with = "pairs")]
    expected: Option<String>,
    /// The engine that returned the observed result. If it is not known here, only its result is
    #[arg(long, value_name = "NAME[@VERSION]", conflicts_with = "pairs")]
    by: Option<String>,
}

/// How an answer is written.
#[derive(Clone, Copy)]
pub(super) struct Shown {
    pub(super) layout: Layout,
    /// Whether every engine is listed, and not only the best known ones.
    pub(super) all: bool,
    pub(super) format: Format,
}

impl Given {
    /// Returns whether a result was given, or an engine that returned one.
    pub(super) fn is_any(&self) -> bool {
        self.got.is_some() || self.expected.is_some() || self.by.is_some()
    }
}

/// Explains results that were given for one pair. The first of `engines` is the one that returned the observed result, if it is not given.
pub(super) fn explain_given(
    given: &Given,
    engines: &[String],
    (base, reference): (&str, &str),
    shown: Shown,
    world: &World,
    out: &mut dyn Write,
) -> Ended {
    let got = given.got.as_deref().map(result);
    let expected = given.expected.as_deref().map(result);
    let by = given.by.as_ref().or(engines.first());
    let by = by.map(|name| named(world, name)).transpose()?.flatten();
    let question = Question { base, reference, got: got.as_ref(), expected: expected.as_ref(), by: by.as_deref() };
    let observed = ObservedResult::of(world, &question)?;
    match shown.format {
        Format::Json => write_json(&observed, out)?,
        Format::Text => out.write_all(observed.text(&shown.layout, shown.all).as_bytes())?,
    }
    Ok(Finding::AsExpected)
}

/// Lists several references or bases side by side.
pub(super) fn explain_several(
    bases: &[String],
    references: &[String],
    shown: Shown,
    world: &World,
    out: &mut dyn Write,
) -> Ended {
    let overview = Overview::of(world, bases, references);
    match shown.format {
        Format::Json => write_json(&overview, out)?,
        Format::Text => out.write_all(overview.text(&shown.layout).as_bytes())?,
    }
    Ok(Finding::AsExpected)
}

/// Returns the result that an argument states.
fn result(text: &str) -> Outcome {
    match text {
        "failure" | "error" | "exception" => Outcome::Failure("as it was observed".to_owned()),
        "crash" | "panic" => Outcome::Crash("as it was observed".to_owned()),
        url => Outcome::Url(url.to_owned()),
    }
}

/// Returns the engine called `name`, or its newest version if that version is not known. What is not known is reported on standard error, and the
/// result is explained without it.
fn named(world: &World, name: &str) -> Result<Option<Box<dyn Engine>>, Failure> {
    match an_engine(world, name) {
        Ok(engine) => Ok(Some(engine)),
        Err(Failure::Usage(why)) => {
            let newest = name.split_once('@').and_then(|(bare, _)| an_engine(world, bare).ok());
            let instead =
                if newest.is_some() { "its newest version is asked" } else { "its result is explained without it" };
            let _ = writeln!(io::stderr(), "urlstrata: {why}; {instead}");
            Ok(newest)
        }
        Err(other) => Err(other),
    }
}
