//! `engine steps --check`: the smallest pair or URL on which the steps of an engine are not what it does.

use std::io::Write;

use urlstrata_harness::engine::locate::Statement;
use urlstrata_harness::engine::{Engine, Source, ask, ask_all, ask_all_parts};
use urlstrata_harness::escape::visible;
use urlstrata_harness::explain::slots::SlotTrace;
use urlstrata_harness::knowledge::shrink::smallest;
use urlstrata_harness::knowledge::stepped::{self, Stepped};
use urlstrata_harness::outcome::{Components, Outcome};
use urlstrata_harness::plural::counted;
use urlstrata_harness::protocol::Op;
use urlstrata_harness::world::World;

use crate::cli::output::{Colour, layout, quoted, write_slots};
use crate::cli::select::an_engine;
use crate::cli::{Ended, Failure, Finding};

/// Compares the steps of an engine with `against`: on the panel and the survey, or, if it is recorded, on the panel. Writes the smallest
/// pair and URL on which they differ.
///
/// # Errors
///
/// Returns an error if `against` is not an engine, or did not answer anything.
pub(super) fn compare_steps(name: &str, against: &str, world: &World, out: &mut dyn Write) -> Ended {
    let engine = an_engine(world, against)?;
    let version = name.split_once('@').map_or(engine.version(), |(_, version)| version);
    let engine_name = name.split_once('@').map_or(name, |(name, _)| name);
    let Some(steps) = Stepped::of(engine_name, version) else {
        return Err(Failure::Usage(format!(
            "the steps of {engine_name} do not describe {version}: --check compares NAME@VERSION"
        )));
    };
    let (mut asked, mut differing) = (0, 0);
    if steps.resolves() && engine.resolves() {
        let (count, differs) = compare_pairs(&steps, engine.as_ref(), world, out)?;
        (asked, differing) = (asked + count, differing + differs);
    }
    if steps.states() && engine.states() {
        let (count, differs) = compare_urls(&steps, engine.as_ref(), out)?;
        (asked, differing) = (asked + count, differing + differs);
    }
    match (asked, differing) {
        (0, _) => Err(Failure::Engine(format!("{against} answers no question that the steps of {name} answer"))),
        (_, 0) => Ok(Finding::AsExpected),
        _ => Ok(Finding::NewDivergence),
    }
}

/// Compares results. Returns how many pairs were answered, and how many results differ.
fn compare_pairs(
    steps: &Stepped,
    engine: &dyn Engine,
    world: &World,
    out: &mut dyn Write,
) -> Result<(usize, usize), Failure> {
    let folders = world.folders()?;
    let panel = engine.panel().unwrap_or(&folders.panel);
    let mut pairs: Vec<(String, String)> =
        panel.pairs().iter().map(|(base, reference)| ((*base).to_owned(), (*reference).to_owned())).collect();
    if engine.panel().is_none() {
        pairs.extend(urlstrata_harness::survey::panel::survey());
    }
    let borrowed: Vec<(&str, &str)> =
        pairs.iter().map(|(base, reference)| (base.as_str(), reference.as_str())).collect();
    let returned = ask_all(engine, &borrowed);
    let differs = |(base, reference): (&str, &str), outcome: &Outcome| {
        let was_asked = !matches!(engine.source(base, reference), Source::Predicted | Source::Absent | Source::Unable);
        was_asked && outcome.is_answer() && steps.predict(base, reference).is_some_and(|own| own.url() != outcome.url())
    };
    let answered = returned.iter().filter(|outcome| outcome.is_answer()).count();
    let wrong =
        borrowed.iter().zip(&returned).filter(|((base, reference), outcome)| differs((base, reference), outcome));
    let mut wrong: Vec<(&str, &str)> = wrong.map(|(pair, _)| *pair).collect();
    wrong.sort_by_key(|(base, reference)| (base.len() + reference.len(), *base, *reference));
    writeln!(out, "{steps:?}: {}, {} different", counted(answered, "pair", "pairs"), wrong.len())?;
    if let Some((base, reference)) = wrong.first() {
        // The other pairs of a recorded engine are not known.
        let stays = |base: &str, reference: &str| differs((base, reference), &ask(engine, base, reference));
        let (base, reference) = match engine.panel() {
            Some(_) => ((*base).to_owned(), (*reference).to_owned()),
            None => smallest(base, reference, stays),
        };
        writeln!(out, "\n{} on {}", quoted(&reference), quoted(&base))?;
        writeln!(out, "  {} returns {}", visible(engine.name()), ask(engine, &base, &reference))?;
        let slots = SlotTrace::of(&[stepped::Source::Engine(steps)], (&base, &reference));
        slots.iter().try_for_each(|slots| write_slots(slots, &layout(Colour::Auto), out))?;
    }
    Ok((answered, wrong.len()))
}

/// Compares statements. Returns how many URLs were answered, and how many statements differ.
fn compare_urls(steps: &Stepped, engine: &dyn Engine, out: &mut dyn Write) -> Result<(usize, usize), Failure> {
    let mut urls = urlstrata_harness::survey::urls::panel().urls().to_vec();
    if engine.panel().is_none() {
        urls.extend(urlstrata_harness::survey::urls::generated());
    }
    let borrowed: Vec<&str> = urls.iter().map(String::as_str).collect();
    let stated = ask_all_parts(engine, &borrowed);
    let is_answer = |answer: &Components| matches!(answer, Ok(_) | Err(Outcome::Failure(_)));
    let sorted = |answer: &Components| {
        let mut parts = answer.clone().ok()?;
        parts.retain(|(name, _)| !stepped::UNSTATED.contains(&name.as_str()));
        parts.sort();
        Some(parts)
    };
    let differs = |url: &str, answer: &Components| {
        let was_asked =
            !matches!(engine.source_of(Op::Parse, url), Source::Predicted | Source::Absent | Source::Unable);
        was_asked && is_answer(answer) && steps.state(url).is_some_and(|own| sorted(&own) != sorted(answer))
    };
    let answered = stated.iter().filter(|answer| is_answer(answer)).count();
    let wrong = borrowed.iter().zip(&stated).filter(|(url, answer)| differs(url, answer));
    let mut wrong: Vec<(&str, &Components)> = wrong.map(|(url, answer)| (*url, answer)).collect();
    wrong.sort_by_key(|(url, _)| (url.len(), *url));
    writeln!(out, "{steps:?}: {}, {} different", counted(answered, "URL", "URLs"), wrong.len())?;
    if let Some((url, answer)) = wrong.first() {
        writeln!(out, "\n{}", quoted(url))?;
        writeln!(out, "  {} states {}", visible(engine.name()), Statement::new((*answer).clone()))?;
        if let Some(own) = steps.state(url) {
            writeln!(out, "  the steps state {}", Statement::new(own))?;
        }
    }
    Ok((answered, wrong.len()))
}
