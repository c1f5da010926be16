//! `explain --got RESULT`: an observed or expected result without an engine; and several references or bases side by side.

use std::io::{self, IsTerminal, Write};

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
    /// With --got or --expected, list every engine, and not only the best known ones
    #[arg(long)]
    all: bool,
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
    format: Format,
    world: &World,
    out: &mut dyn Write,
) -> Ended {
    let got = given.got.as_deref().map(result);
    let expected = given.expected.as_deref().map(result);
    let by = given.by.as_ref().or(engines.first());
    let by = by.map(|name| named(world, name)).transpose()?.flatten();
    let question = Question { base, reference, got: got.as_ref(), expected: expected.as_ref(), by: by.as_deref() };
    let observed = ObservedResult::of(world, &question)?;
    match format {
        Format::Json => write_json(&observed, out)?,
        Format::Text => out.write_all(observed.text(&layout(), given.all).as_bytes())?,
    }
    Ok(Finding::AsExpected)
}

/// Lists several references or bases side by side.
pub(super) fn explain_several(
    bases: &[String],
    references: &[String],
    format: Format,
    world: &World,
    out: &mut dyn Write,
) -> Ended {
    let overview = Overview::of(world, bases, references);
    match format {
        Format::Json => write_json(&overview, out)?,
        Format::Text => out.write_all(overview.text(&layout()).as_bytes())?,
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

fn layout() -> Layout {
    let is_terminal = io::stdout().is_terminal();
    let width = if is_terminal { comfy_table::Table::new().width() } else { None };
    let has_colour = is_terminal && std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty());
    Layout { width: width.map_or(80, |width| usize::from(width).clamp(60, 118)), has_colour }
}
