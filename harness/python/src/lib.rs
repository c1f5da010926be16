//! The Python package `urlstrata`: the functions that need Rust. `python/urlstrata/__init__.py` exports them.
//!
//! Sentences in exceptions are those of the command `urlstrata`.

use pyo3::prelude::*;

mod columns;
mod explain;
mod links;
mod resolve;
mod resolve_batch;
mod survey;
mod table;
mod warc;
mod world;

#[pymodule]
mod _urlstrata {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::explain::{engines, explain, revisions};
    #[pymodule_export]
    use super::links::links;
    #[pymodule_export]
    use super::resolve::{Base, resolve};
    #[pymodule_export]
    use super::resolve_batch::resolve_batch;
    #[pymodule_export]
    use super::survey::{merge_surveys, survey_batch};
    #[pymodule_export]
    use super::table::{Array, RecordBatch};
    #[pymodule_export]
    use super::warc::{WarcLinks, warc_links};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("ResolutionError", module.py().get_type::<super::resolve::ResolutionError>())
    }
}

/// Returns the exception for an argument whose value is not one of those that exist, in the words of the command.
fn unfit(name: &str, value: &str, why: impl std::fmt::Display) -> PyErr {
    pyo3::exceptions::PyValueError::new_err(format!("invalid value '{value}' for {name}: {why}"))
}
