//! `warc_links`: the links of the pages in a WARC file, as a stream of record batches.

use std::collections::VecDeque;
use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, RecordBatch as ArrowBatch, StructArray};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use pyo3_arrow::error::PyArrowResult;
use pyo3_arrow::ffi::{ArrayIterator, to_schema_pycapsule, to_stream_pycapsule};
use urlstrata_harness::document::warc::{Page, Warc};
use urlstrata_harness::document::{DocumentError, Event, Reader};
use urlstrata_harness::escape::visible;

use crate::table::RecordBatch;

/// The number of bytes of text after which a batch ends. A page can hold a million links that repeat a long base.
const FULL: usize = 8 << 20;

/// Read the links of the pages in a WARC or WAT file, plain or compressed: an iterator of record batches, and an Arrow
/// stream of those that are left.
///
/// The columns base, reference and place are strings. The place is FILE@OFFSET:LINE, without the line where it is unknown.
/// A batch has at most batch_size rows. Memory does not depend on the size of the file. revision determines how the base
/// of a page is found.
///
/// Damaged records are skipped and counted: see records. OSError is raised if the file cannot be read.
///
/// >>> import urlstrata
/// >>> record = b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a/\r\n"
/// >>> record += b"Content-Type: text/html\r\nContent-Length: 10\r\n\r\n<a href=g>\r\n\r\n"
/// >>> with open("crawl.warc", "wb") as file:
/// ...     _ = file.write(record)
/// >>> links = urlstrata.warc_links("crawl.warc")
/// >>> for batch in links:
/// ...     print(batch.to_pylist())
/// [{'base': 'http://a/', 'reference': 'g', 'place': 'crawl.warc@0:1'}]
/// >>> links.records["pages"], links.records["damaged"]
/// (1, 0)
#[pyfunction]
#[pyo3(signature = (path, revision = "rfc3986", batch_size = 65536))]
pub(crate) fn warc_links(path: PathBuf, revision: &str, batch_size: usize) -> PyResult<WarcLinks> {
    let reader = crate::links::reader(revision, None, None)?;
    if batch_size == 0 {
        return Err(crate::unfit("batch_size", "0", "a batch has at least one row"));
    }
    let name = visible(&path.display().to_string());
    let warc = File::open(&path).and_then(|file| match file.metadata()?.is_file() {
        true => Warc::open(&path),
        false => Err(std::io::Error::other("neither a file nor a folder of files: name a regular file")),
    });
    let warc = warc.map_err(|error| PyOSError::new_err(format!("{name}: cannot be read: {error}")))?;
    let fields = ["base", "reference", "place"].map(|name| Field::new(name, DataType::Utf8, false));
    let schema = Arc::new(Schema::new(fields.to_vec()));
    let state = State { name, reader, warc, batch_size, links: VecDeque::new(), schema };
    Ok(WarcLinks(Arc::new(Mutex::new(state))))
}

/// An iterator of record batches with the links of a WARC file: see warc_links.
#[pyclass(frozen, module = "urlstrata")]
pub(crate) struct WarcLinks(Arc<Mutex<State>>);

#[pymethods]
impl WarcLinks {
    fn __iter__(own: PyRef<'_, Self>) -> PyRef<'_, Self> {
        own
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        let batch = py.detach(|| locked(&self.0).next_batch());
        batch.map(|batch| batch.map(RecordBatch)).map_err(|error| error.into_exception())
    }

    /// The numbers of records so far: pages; other records; pages that are too_long, or undecoded because of their content
    /// encoding; and damaged records. listed has the offset and the reason of the first damaged records.
    #[getter]
    fn records<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let records = py.detach(|| locked(&self.0).warc.records().clone());
        let found = PyDict::new(py);
        found.set_item("pages", records.pages)?;
        found.set_item("other", records.other)?;
        found.set_item("too_long", records.too_long)?;
        found.set_item("undecoded", records.undecoded)?;
        found.set_item("damaged", records.damaged)?;
        let listed = records.listed.iter().map(|damage| (damage.offset.to_string(), damage.why.clone()));
        found.set_item("listed", listed.collect::<Vec<_>>())?;
        Ok(found)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyArrowResult<Bound<'py, PyCapsule>> {
        to_schema_pycapsule(py, self.field(py).as_ref())
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyCapsule>> {
        let state = self.0.clone();
        let batches = std::iter::from_fn(move || locked(&state).next_batch().transpose());
        let arrays = batches.map(|batch| match batch {
            Ok(batch) => Ok(Arc::new(StructArray::from(batch)) as ArrayRef),
            Err(error) => Err(ArrowError::ExternalError(error.sentence().into())),
        });
        to_stream_pycapsule(py, Box::new(ArrayIterator::new(arrays, self.field(py))), requested_schema)
    }
}

impl WarcLinks {
    fn field(&self, py: Python<'_>) -> FieldRef {
        let fields = py.detach(|| locked(&self.0).schema.fields().clone());
        Arc::new(Field::new("", DataType::Struct(fields), false))
    }
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The reason why a file cannot be read to its end.
enum ReadError {
    File(String),
    Page(String),
}

impl ReadError {
    fn sentence(self) -> String {
        let (Self::File(sentence) | Self::Page(sentence)) = self;
        sentence
    }

    fn into_exception(self) -> PyErr {
        match self {
            Self::File(sentence) => PyOSError::new_err(sentence),
            Self::Page(sentence) => PyValueError::new_err(sentence),
        }
    }
}

/// A link of the page that was read last. Links of a page share its base and its place.
struct Pending {
    base: Arc<str>,
    reference: String,
    page: Arc<str>,
    line: usize,
}

struct State {
    name: String,
    reader: Reader<'static>,
    warc: Warc<File>,
    batch_size: usize,
    /// Links that are not yet part of a batch.
    links: VecDeque<Pending>,
    schema: SchemaRef,
}

impl State {
    /// Returns the next batch; `None` at the end of the file.
    fn next_batch(&mut self) -> Result<Option<ArrowBatch>, ReadError> {
        let mut columns = [(); 3].map(|()| StringBuilder::new());
        let (mut rows, mut bytes) = (0, 0);
        while rows < self.batch_size && bytes < FULL {
            let Some(link) = self.next_link()? else { break };
            let place = match link.line {
                0 => link.page.to_string(),
                line => format!("{}:{line}", link.page),
            };
            for (column, text) in columns.iter_mut().zip([&*link.base, &link.reference, &place]) {
                column.append_value(text);
                bytes += text.len();
            }
            rows += 1;
        }
        if rows == 0 {
            return Ok(None);
        }
        let columns = columns.map(|mut column| Arc::new(column.finish()) as ArrayRef).to_vec();
        let batch = ArrowBatch::try_new(self.schema.clone(), columns);
        batch.map(Some).map_err(|error| ReadError::Page(error.to_string()))
    }

    fn next_link(&mut self) -> Result<Option<Pending>, ReadError> {
        while self.links.is_empty() {
            match self.warc.next() {
                None => return Ok(None),
                Some(Err(error)) => {
                    return Err(ReadError::File(format!("{}: cannot be read: {error}", self.name)));
                }
                Some(Ok(page)) => self.read(&page)?,
            }
        }
        Ok(self.links.pop_front())
    }

    fn read(&mut self, page: &Page) -> Result<(), ReadError> {
        let place: Arc<str> = format!("{}@{}", self.name, page.offset()).into();
        let mut last: Arc<str> = "".into();
        let links = &mut self.links;
        let read = self.reader.read_page(page, &mut |event| {
            if let Event::Link(link) = event {
                if *link.base != *last {
                    last = link.base.into();
                }
                let (base, page) = (last.clone(), place.clone());
                links.push_back(Pending {
                    base,
                    reference: link.reference.clone().into_owned(),
                    page,
                    line: link.line,
                });
            }
            Ok(())
        });
        read.map_err(|error| match error {
            DocumentError::Document(sentence) => ReadError::Page(format!("{place}: {sentence}")),
            DocumentError::Sink(error) => ReadError::File(error.to_string()),
        })
    }
}
