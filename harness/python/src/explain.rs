//! `explain`, and the lists of what exists.

use std::sync::LazyLock;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use urlstrata_harness::engine;
use urlstrata_harness::explain::Explainer;
use urlstrata_harness::world::World;

use crate::world::{engine, specification, world};

/// Return the results of all specifications and engines for a pair, and the causes of their differences, as the command
/// ``urlstrata explain --format json`` does.
///
/// engines are compared with the specifications in revisions. By default, the engines are the Rust crates, the results of
/// all recorded engines are shown without causes, and the specifications are RFC 3986 and the one nearest to the engine.
///
/// With predicted=True, the results of recorded engines are what their behaviours predict, also for recorded pairs. With
/// trace=True, the steps of revisions with different results are included, or, with engines, what they read and write.
///
/// >>> import urlstrata
/// >>> explanation = urlstrata.explain("http://www.victim.com/login", "///evil.com", engines=["crate:url"])
/// >>> explanation["groups"][0]["outcome"]
/// {'url': 'http:///evil.com'}
/// >>> explanation["engines"][0]["against"][0]["divergence"]["cause"]
/// "the reference's authority: 3.2 | host 3.1"
#[pyfunction]
#[pyo3(signature = (base, reference, engines = None, revisions = None, *, predicted = false, trace = false))]
pub(crate) fn explain<'py>(
    py: Python<'py>,
    base: &str,
    reference: &str,
    engines: Option<Vec<String>>,
    revisions: Option<Vec<String>>,
    predicted: bool,
    trace: bool,
) -> PyResult<Bound<'py, PyDict>> {
    if predicted && engines.is_some() {
        let sentence = "predicted is for all recorded engines: name predicted:NAME in engines for one of them";
        return Err(pyo3::exceptions::PyValueError::new_err(sentence));
    }
    let revisions = revisions.unwrap_or_default();
    let specifications = revisions.iter().map(|name| specification(name)).collect::<PyResult<Vec<_>>>()?;
    let engines = engines.unwrap_or_default().iter().map(|name| engine(name)).collect::<PyResult<Vec<_>>>()?;
    let has_named_engines = !engines.is_empty();
    let explained = py.detach(|| {
        let own;
        let world = match (engines.is_empty(), predicted) {
            (true, true) => PREDICTED.as_ref().map_err(Clone::clone)?,
            (true, false) => RECORDED.as_ref().map_err(Clone::clone)?,
            (false, _) => {
                own = world()?.for_engines(engines);
                &own
            }
        };
        let mut explainer = Explainer::new(world, &specifications);
        let mut explanation = explainer.explain(base, reference);
        explainer.add_observations(&mut explanation);
        explainer.add_known(&mut explanation).map_err(|error| error.to_string())?;
        let explanation = match trace {
            true => explanation.traced(world, &specifications, has_named_engines),
            false => explanation,
        };
        serde_json::to_string(&explanation).map_err(|error| error.to_string())
    });
    let json = explained.map_err(|error: String| PyRuntimeError::new_err(error))?;
    Ok(py.import("json")?.call_method1("loads", (json,))?.cast_into()?)
}

/// The worlds of explanations that name no engine. Reading all recordings takes longer than an explanation.
static RECORDED: LazyLock<Result<World, String>> = LazyLock::new(|| {
    let world = world()?;
    let mut own = with_crates(world);
    own.others = world.recorded_engines().map_err(|error| error.to_string())?;
    with_observers(own)
});
static PREDICTED: LazyLock<Result<World, String>> = LazyLock::new(|| {
    let own = with_crates(world()?).with_predictions().map_err(|error| error.to_string())?;
    with_observers(own)
});

/// Returns `own` with the clients, and the libraries that only split URLs.
fn with_observers(mut own: World) -> Result<World, String> {
    let others = own.engines_without_results().map_err(|error| error.to_string())?;
    own.others.extend(others);
    Ok(own)
}

fn with_crates(world: &World) -> World {
    world.for_engines(engine::all().into_iter().filter(|engine| engine.revision().is_none()).collect())
}

/// Return the ids of the revisions by which references can be resolved, oldest first. ``whatwg`` also names the newest
/// state of the URL Standard.
///
/// >>> import urlstrata
/// >>> "rfc3986" in urlstrata.revisions()
/// True
#[pyfunction]
pub(crate) fn revisions() -> Vec<&'static str> {
    urlstrata_harness::knowledge::specification::Specification::all().iter().map(|it| it.id).collect()
}

/// Return the names of all engines: those in this process, then NAME@VERSION for each recorded version.
///
/// ``predicted:NAME@VERSION`` is what the behaviour of a recorded version predicts for any pair, and ``NAME`` its newest
/// version.
///
/// >>> import urlstrata
/// >>> "crate:url" in urlstrata.engines()
/// True
#[pyfunction]
pub(crate) fn engines() -> PyResult<Vec<String>> {
    let mut names: Vec<_> = engine::all().iter().map(|engine| engine.name().to_owned()).collect();
    let folders = world().and_then(|world| world.folders().map_err(|error| error.to_string()));
    let folders = folders.map_err(PyRuntimeError::new_err)?;
    for folder in &folders.engines {
        names.extend(folder.recordings.keys().map(|version| format!("{}@{version}", folder.name)));
    }
    Ok(names)
}
