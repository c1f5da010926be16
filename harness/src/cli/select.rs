//! Engines, revisions and specifications by the names that a command is given.

use std::io::{self, Write};

use urlstrata::revision::{self, Revision};
use urlstrata_harness::engine::{self, Engine, Process};
use urlstrata_harness::model::profile::Reading;

use super::Failure;

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
    if name.starts_with(engine::PROGRAM) {
        let passed = engine::smoke(engine.as_ref()).map_err(Failure::Engine)?;
        for deviation in passed.deviations {
            let _ = writeln!(io::stderr(), "urlstrata: {name} deviates on a plain pair: {deviation}");
        }
    }
    Ok(engine)
}

/// As [`an_engine`], before it is tried. What a program does against the protocol is told on standard error.
pub(super) fn an_untried_engine(name: &str) -> Result<Box<dyn Engine>, Failure> {
    let Some(command) = name.strip_prefix(engine::PROGRAM) else {
        return engine::by_name(name).map_err(Failure::Usage);
    };
    let told = format!("urlstrata: {name}");
    let program = Process::new(command).map_err(Failure::Usage)?;
    Ok(Box::new(program.telling(move |fault| drop(writeln!(io::stderr(), "{told}: {fault}")))))
}

/// A revision by its id, for an argument.
pub(super) fn a_revision(id: &str) -> Result<&'static Revision, String> {
    revision::by_id(id).ok_or_else(|| {
        let ids: Vec<_> = revision::ALL.iter().map(|revision| revision.id).collect();
        format!("there are {}", ids.join(", "))
    })
}

/// A document to put engines beside, for an argument: a revision that resolves, or the URL Standard.
pub(super) fn a_reading(id: &str) -> Result<Reading, String> {
    if let Some(reading) = Reading::by_id(id) {
        return Ok(reading);
    }
    match revision::by_id(id) {
        Some(revision) => {
            Err(format!("{} resolves nothing: relative references are out of its scope", revision.document))
        }
        None => {
            let ids: Vec<_> = Reading::all().iter().map(|reading| reading.id).collect();
            Err(format!("there are {}", ids.join(", ")))
        }
    }
}
