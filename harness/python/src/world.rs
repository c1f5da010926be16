//! What the package knows of engines, read once for each process.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use urlstrata_harness::engine::{self, Engine};
use urlstrata_harness::knowledge::attribute::Model;
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::survey::frequency::consecutive;
use urlstrata_harness::survey::tally::Comparer;
use urlstrata_harness::world::{SelectError, World};

static WORLD: LazyLock<Result<World, String>> = LazyLock::new(|| World::embedded().map_err(|error| error.to_string()));

/// Returns the vectors, the known deviations and the engine folders, without engines.
///
/// # Errors
///
/// Returns a sentence if an embedded file is not valid. The tests of the harness verify that all of them are.
pub(crate) fn world() -> Result<&'static World, String> {
    WORLD.as_ref().map_err(Clone::clone)
}

/// Returns the engine called `name`.
///
/// # Errors
///
/// Returns a `ValueError` if there is no such engine, or if it is a program.
pub(crate) fn engine(name: &str) -> PyResult<Box<dyn Engine>> {
    if engine::program(name).is_some() {
        return Err(PyValueError::new_err(format!(
            "{name:?} is a program, which only the command `urlstrata` can ask: name an engine that engines() lists"
        )));
    }
    world().map_err(PyRuntimeError::new_err)?.engine(name).map_err(|error| match error {
        SelectError::Name(sentence) => PyValueError::new_err(sentence),
        SelectError::File(error) => PyRuntimeError::new_err(error.to_string()),
    })
}

/// Returns the specification called `name`.
///
/// # Errors
///
/// Returns a `ValueError` if there is no such specification.
pub(crate) fn specification(name: &str) -> PyResult<Specification> {
    Specification::named(name).map_err(|why| crate::unfit("revision", name, why))
}

/// An engine, what is known of it, and the specifications to compare it with.
pub(crate) struct Asked {
    engine: Box<dyn Engine>,
    model: Model,
    specifications: Vec<Specification>,
}

impl Asked {
    pub(crate) fn comparer(&self) -> Comparer<'_> {
        Comparer::new(self.engine.as_ref(), &self.specifications, &self.model)
    }
}

/// What to compare.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) enum Question {
    /// An engine with a specification: their names.
    Engine(String, String),
    /// Each revision with the next.
    History,
}

/// The comparisons that were asked for. A recorded engine takes some tens of milliseconds to read, so that short batches
/// would otherwise spend most of their time with it.
static ASKED: LazyLock<Mutex<HashMap<Question, Arc<Vec<Asked>>>>> = LazyLock::new(Mutex::default);

/// Returns the engines of `question`.
///
/// # Errors
///
/// Returns a `ValueError` if there is no such engine or specification.
pub(crate) fn asked(question: &Question) -> PyResult<Arc<Vec<Asked>>> {
    if let Some(found) = ASKED.lock().unwrap_or_else(PoisonError::into_inner).get(question) {
        return Ok(found.clone());
    }
    let world = world().map_err(PyRuntimeError::new_err)?;
    let pairs = match question {
        Question::Engine(engine, revision) => vec![(self::engine(engine)?, vec![specification(revision)?])],
        Question::History => consecutive().map_err(PyRuntimeError::new_err)?,
    };
    let of = |(engine, specifications): (Box<dyn Engine>, _)| Asked {
        model: world.model_of(engine.as_ref()),
        engine,
        specifications,
    };
    let found = Arc::new(pairs.into_iter().map(of).collect::<Vec<_>>());
    ASKED.lock().unwrap_or_else(PoisonError::into_inner).insert(question.clone(), found.clone());
    Ok(found)
}
