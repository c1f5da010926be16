//! `resolve` and `Base`: references as Python strings.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use urlstrata::fast;
use urlstrata_harness::escape::visible;
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::outcome::Outcome;

use crate::world::specification;

pyo3::create_exception!(
    urlstrata,
    ResolutionError,
    PyValueError,
    "The revision defines no target for a base and a reference."
);

/// Resolve a reference against a base by a published revision.
///
/// The strings are neither validated nor decoded, unless the revision says so. An empty base is an unknown base.
///
/// Raises ResolutionError if the revision defines no target, and ValueError if there is no such revision.
///
/// >>> import urlstrata
/// >>> urlstrata.resolve("http://a/b/c/d;p?q", "../../../g")
/// 'http://a/g'
/// >>> urlstrata.resolve("http://a/b/c/d;p?q", "../../../g", revision="rfc1808")
/// 'http://a/../g'
/// >>> urlstrata.resolve("", "g")
/// Traceback (most recent call last):
///   ...
/// urlstrata.ResolutionError: ...
#[pyfunction]
#[pyo3(signature = (base, reference, revision = "rfc3986"))]
pub(crate) fn resolve(base: &str, reference: &str, revision: &str) -> PyResult<String> {
    resolve_by(&specification(revision)?, base, reference)
}

/// Returns the target.
///
/// # Errors
///
/// Returns a `ResolutionError` with the reason that the revision gives.
fn resolve_by(specification: &Specification, base: &str, reference: &str) -> PyResult<String> {
    match specification.resolve_fast(base, reference) {
        Outcome::Url(url) => Ok(url),
        Outcome::Failure(why) => Err(ResolutionError::new_err(visible(&why))),
        other => Err(ResolutionError::new_err(other.to_string())),
    }
}

/// A base that is prepared to resolve many references by a revision.
///
/// >>> import urlstrata
/// >>> base = urlstrata.Base("http://a/b/c")
/// >>> base.resolve("../g")
/// 'http://a/g'
/// >>> base.resolve_many(["d", "?x", "#s"])
/// ['http://a/b/d', 'http://a/b/c?x', 'http://a/b/c#s']
#[pyclass(frozen, module = "urlstrata")]
pub(crate) struct Base {
    base: String,
    specification: Specification,
}

#[pymethods]
impl Base {
    #[new]
    #[pyo3(signature = (base, revision = "rfc3986"))]
    fn new(base: String, revision: &str) -> PyResult<Self> {
        Ok(Self { base, specification: specification(revision)? })
    }

    /// The base; empty if it is unknown.
    #[getter]
    fn base(&self) -> &str {
        &self.base
    }

    /// The id of the revision.
    #[getter]
    fn revision(&self) -> &str {
        self.specification.id
    }

    /// Resolve a reference, as the function resolve does.
    fn resolve(&self, reference: &str) -> PyResult<String> {
        resolve_by(&self.specification, &self.base, reference)
    }

    /// Resolve each of an iterable of references. The result is None where the revision defines no target.
    fn resolve_many(&self, references: &Bound<'_, PyAny>) -> PyResult<Vec<Option<String>>> {
        let mut targets = Vec::with_capacity(references.len().unwrap_or_default());
        let prepared = self.specification.revision.rules.map(|rules| fast::Base::new(rules, self.base.as_str()));
        for reference in references.try_iter()? {
            let reference = reference?;
            let reference = reference.cast::<PyString>()?.to_str()?;
            targets.push(match &prepared {
                Some(prepared) => {
                    let mut target = String::new();
                    prepared.resolve_into(reference, &mut target).ok().map(|()| target)
                }
                None => self.specification.revision.resolve(&self.base, reference).ok().map(|target| target.url),
            });
        }
        Ok(targets)
    }

    fn __repr__(&self) -> String {
        format!("Base({:?}, revision={:?})", self.base, self.specification.id)
    }
}
