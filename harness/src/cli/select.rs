//! Engines, revisions and specifications by the names that a command is given.

use std::io::{self, Write};

use clap::Args;
use urlstrata::revision::{self, Revision};
use urlstrata_harness::engine::{self, Engine, Process};
use urlstrata_harness::model::profile::Specification;
use urlstrata_harness::world::World;

use super::Failure;
use super::progress::{Counted, Progress};

/// The engines of these names; without names, those that `default` takes.
pub(super) fn engines_or(names: &[String], default: fn(&dyn Engine) -> bool) -> Result<Vec<Box<dyn Engine>>, Failure> {
    if names.is_empty() {
        return Ok(engine::all().into_iter().filter(|engine| default(engine.as_ref())).collect());
    }
    names.iter().map(|name| an_engine(name)).collect()
}

/// The engine of a name that was given. A program has to pass the smoke test.
pub(super) fn an_engine(name: &str) -> Result<Box<dyn Engine>, Failure> {
    let engine = an_untried_engine(name)?;
    if engine::program(name).is_some() {
        let passed = engine::smoke(engine.as_ref()).map_err(Failure::Engine)?;
        for deviation in passed.deviations {
            let _ = writeln!(io::stderr(), "urlstrata: {name} deviates on a plain pair: {deviation}");
        }
    }
    Ok(engine)
}

/// As [`an_engine`], before it is tried. What a program does against the protocol is told on standard error.
pub(super) fn an_untried_engine(name: &str) -> Result<Box<dyn Engine>, Failure> {
    let Some((given, command)) = engine::program(name) else {
        return engine::by_name(name).map_err(Failure::Usage);
    };
    let told = format!("urlstrata: {name}");
    let program = Process::new(command).map_err(Failure::Usage)?.named(given);
    Ok(Box::new(program.reporting(move |violation| drop(writeln!(io::stderr(), "{told}: {violation}")))))
}

/// A revision by its id, for an argument.
pub(super) fn a_revision(id: &str) -> Result<&'static Revision, String> {
    revision::by_id(id).ok_or_else(|| {
        let ids: Vec<_> = revision::ALL.iter().map(|revision| revision.id).collect();
        format!("there are {}", ids.join(", "))
    })
}

/// A document to put engines beside, for an argument: a revision that resolves, or the URL Standard.
pub(super) fn a_specification(id: &str) -> Result<Specification, String> {
    if let Some(specification) = Specification::by_id(id) {
        return Ok(specification);
    }
    match revision::by_id(id) {
        Some(revision) => {
            Err(format!("{} resolves nothing: relative references are out of its scope", revision.specification))
        }
        None => {
            let ids: Vec<_> = Specification::all().iter().map(|specification| specification.id).collect();
            Err(format!("there are {}", ids.join(", ")))
        }
    }
}

/// Fits a profile to each engine of `world` of which nothing is known, if that `is_asked_for`, and keeps it for this run.
pub(super) fn fit(world: &mut World, is_asked_for: bool) -> Result<(), Failure> {
    let engines = std::mem::take(&mut world.engines);
    for engine in engines.iter().filter(|_| is_asked_for) {
        if world.known.profile_of(engine.as_ref()).is_none() {
            let progress = Progress::new(&format!("fitting {}", engine.name()), "questions", None);
            world.fit(&Counted { engine: engine.as_ref(), progress: &progress })?;
        }
    }
    world.engines = engines;
    Ok(())
}

/// What an engine is compared with.
pub(super) enum Target {
    /// A specification.
    Specification(Specification),
    /// Another engine.
    Engine(Box<dyn Engine>),
}

/// A specification by its id or as an engine of ours, else an engine.
pub(super) fn target(name: &str) -> Result<Target, Failure> {
    if let Some(specification) = Specification::by_id(name) {
        return Ok(Target::Specification(specification));
    }
    if let Some(revision) = revision::by_id(name) {
        let sentence = format!("{} does not define how references are resolved", revision.specification);
        return Err(Failure::Usage(sentence));
    }
    an_engine(name).map(Target::Engine)
}

/// Options of commands that attribute divergences.
#[derive(Args)]
pub(super) struct Fit {
    /// Fit a profile first to each engine of which nothing is known: seconds for an engine in this process, minutes for a program
    #[arg(long)]
    pub(super) fit: bool,
}
