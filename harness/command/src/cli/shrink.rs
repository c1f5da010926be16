//! `shrink`: finds the smallest pair that differs for the same reason.

use std::io::Write;

use clap::Args;
use urlstrata_harness::engine::ask;
use urlstrata_harness::explain::{Explainer, nothing_to_report};
use urlstrata_harness::knowledge::attribute::{Answer, Attributor};
use urlstrata_harness::knowledge::shrink;
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::world::World;

use super::output::quoted;
use super::select::{Fit, an_engine, complete};
use super::{Ended, Failure, Finding};

#[derive(Args)]
pub(super) struct Shrink {
    /// Reference of the pair to shrink
    #[arg(allow_hyphen_values = true)]
    reference: String,
    /// Base of the pair; the default, an empty string, is an unknown base
    #[arg(long, default_value = "")]
    base: String,
    /// Engine that differs from the specification
    #[arg(short, long, value_name = "ENGINE")]
    engine: String,
    /// Specification to compare the engine with: a revision, or whatwg
    #[arg(short, long, value_name = "REVISION", default_value = "rfc3986", value_parser = super::select::a_specification)]
    revision: Specification,
    /// Write a bug report in Markdown instead, about the pair as given, with the smallest pair at its end
    #[arg(long)]
    bug_report: bool,
    #[command(flatten)]
    fit: Fit,
}

pub(super) fn shrink(arguments: &Shrink, world: World, out: &mut dyn Write) -> Ended {
    /// The maximum length of base and reference together, in bytes. Longer pairs would need too many attempts.
    const LONGEST: usize = 1 << 14;
    let Shrink { reference, base, revision: specification, .. } = arguments;
    if base.len() + reference.len() > LONGEST {
        let length = base.len() + reference.len();
        return Err(Failure::Input(format!("the pair is {length} bytes long, the limit is {LONGEST}: cut it first")));
    }
    let engines = vec![an_engine(&world, &arguments.engine)?];
    let world = complete(world, engines, &arguments.fit)?;
    let engine = &world.engines[0];
    if arguments.bug_report {
        // The report ends with the smallest pair that differs for the same reason.
        let mut explainer = Explainer::new(&world, &[*specification]);
        let mut explanation = explainer.explain(base, reference);
        explainer.add_bug_report(&mut explanation, engine.name());
        match explanation.bug_report {
            Some(report) => write!(out, "{report}")?,
            None => writeln!(out, "{}", nothing_to_report(&explanation, 0))?,
        }
        return Ok(Finding::AsExpected);
    }
    let attributor = Attributor::new(*specification, world.model_of(engine.as_ref()));
    let Some((base, reference)) = shrink::shrink(engine.as_ref(), &attributor, base, reference) else {
        writeln!(out, "{} has the result of {}: nothing to shrink", engine.name(), specification.id)?;
        return Ok(Finding::AsExpected);
    };
    let returned = ask(engine.as_ref(), &base, &reference);
    writeln!(out, "{} on {}", quoted(&reference), quoted(&base))?;
    writeln!(out, "  {}: {}", engine.name(), returned)?;
    writeln!(out, "  {}: {}", specification.id, specification.resolve(&base, &reference))?;
    if let Some(found) = attributor.attribute(&base, &reference, &returned) {
        writeln!(out, "  because {}", found.cause.key())?;
        for note in attributor.notes(&found, &Answer::new(&base, &reference, &returned)) {
            out.write_all(note.lines(specification.id, engine.name()).as_bytes())?;
        }
    }
    Ok(Finding::AsExpected)
}
