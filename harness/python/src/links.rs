//! `links`: the links of a document.

use std::borrow::Cow;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use urlstrata::revision;
use urlstrata_harness::document::{DocumentError, DocumentKind, Event, Reader};

/// A link: line, place, base, reference, URL.
type Row = (usize, String, String, String, Option<String>);

/// Return the links of a document as tuples of line, place, base, reference and URL. The function links of the package
/// describes the arguments.
#[pyfunction]
pub(crate) fn links(
    py: Python<'_>,
    document: &Bound<'_, PyAny>,
    base: Option<&str>,
    default_base: Option<&str>,
    revision: &str,
    kind_name: &str,
) -> PyResult<Vec<Row>> {
    let kind = DocumentKind::by_name(kind_name);
    let kind = kind.ok_or_else(|| crate::unfit("kind", kind_name, "there are html, mime and text"))?;
    let reader = reader(revision, base, default_base)?;
    let bytes = bytes_of(document)?;
    py.detach(|| {
        let mut links = Vec::new();
        let read = reader.read(&bytes, kind, &mut |event| {
            if let Event::Link(link) = event {
                let url = link.target().ok().map(|target| target.url);
                let [place, reference] = [&link.place, &link.reference].map(|text| text.clone().into_owned());
                links.push((link.line, place, link.base.to_owned(), reference, url));
            }
            Ok(())
        });
        read.map(|()| links).map_err(|error| match error {
            DocumentError::Document(sentence) => PyValueError::new_err(sentence),
            DocumentError::Sink(error) => error.into(),
        })
    })
}

/// Returns a reader of documents by the revision called `revision`. `retrieval` and `default` are URLs that are the base if a
/// document states none.
///
/// # Errors
///
/// Returns a `ValueError` if there is no such revision, if it does not define bases, or if a URL is not absolute.
pub(crate) fn reader<'u>(revision: &str, retrieval: Option<&'u str>, default: Option<&'u str>) -> PyResult<Reader<'u>> {
    let found = revision::by_id(revision).ok_or_else(|| {
        let ids: Vec<_> = revision::ALL.iter().map(|revision| revision.id).collect();
        crate::unfit("revision", revision, format!("there are {}", ids.join(", ")))
    })?;
    Reader::new(found, retrieval, default).map_err(|unfit| PyValueError::new_err(unfit.to_string()))
}

/// Returns the bytes of a document, a string or bytes. The encoding that a string declares is that of a file, so a byte
/// order mark overrides it.
///
/// # Errors
///
/// Returns an exception if `document` has another type or contains a lone surrogate.
fn bytes_of<'d>(document: &'d Bound<'_, PyAny>) -> PyResult<Cow<'d, [u8]>> {
    if let Ok(text) = document.cast::<PyString>() {
        return Ok(Cow::Owned(["\u{feff}", text.to_str()?].concat().into_bytes()));
    }
    Ok(Cow::Borrowed(document.cast::<PyBytes>()?.as_bytes()))
}
