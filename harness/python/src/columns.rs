//! Arrow data from any library, and their columns.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryArray, BinaryViewArray, LargeBinaryArray, RecordBatch, RecordBatchReader};
use arrow_schema::{DataType, SchemaRef};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyRecordBatch;

/// Record batches, read one after the other.
pub(crate) type Batches = Box<dyn RecordBatchReader + Send>;

/// Returns the record batches of `data`, a record batch or a stream of them. Nothing is copied.
///
/// # Errors
///
/// Returns a `TypeError` if `data` is not Arrow data, or does not have columns.
pub(crate) fn batches(data: &Bound<'_, PyAny>) -> PyResult<Batches> {
    if !is_arrow(data)? {
        return Err(PyTypeError::new_err(format!(
            "{} is not Arrow data: pass a record batch, a table, a data frame, or another object with __arrow_c_array__ or __arrow_c_stream__",
            data.get_type().name()?
        )));
    }
    let without_columns = |error: PyErr| {
        let sentence = format!("the Arrow data are not record batches: {}", error.value(data.py()));
        PyTypeError::new_err(sentence)
    };
    data.extract::<AnyRecordBatch>().and_then(AnyRecordBatch::into_reader).map_err(without_columns)
}

/// Returns whether `data` has a method of the Arrow PyCapsule interface.
pub(crate) fn is_arrow(data: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(data.hasattr("__arrow_c_array__")? || data.hasattr("__arrow_c_stream__")?)
}

/// Returns the index of the column called `name`.
///
/// # Errors
///
/// Returns a `ValueError` if there is no such column.
pub(crate) fn index_of(schema: &SchemaRef, name: &str) -> PyResult<usize> {
    schema.fields().iter().position(|field| field.name() == name).ok_or_else(|| {
        let names: Vec<_> = schema.fields().iter().map(|field| format!("{:?}", field.name())).collect();
        let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        PyValueError::new_err(format!("there is no column {name:?}: the columns are {names}"))
    })
}

/// A column of strings or byte strings. The values are not copied, unless the column is a dictionary.
pub(crate) enum Column {
    Small(BinaryArray),
    Large(LargeBinaryArray),
    View(BinaryViewArray),
}

impl Column {
    /// Returns the column at `index`, which has strings.
    ///
    /// # Errors
    ///
    /// Returns a `TypeError` if it does not.
    pub(crate) fn of_texts(batch: &RecordBatch, index: usize) -> PyResult<Self> {
        let expected = "string, large_string or string_view, or a dictionary of strings";
        Self::of(batch, index, expected, |array| match array.data_type() {
            DataType::Utf8 => Some(Self::Small(array.as_string().clone().into())),
            DataType::LargeUtf8 => Some(Self::Large(array.as_string().clone().into())),
            DataType::Utf8View => Some(Self::View(array.as_string_view().clone().to_binary_view())),
            _ => None,
        })
    }

    /// Returns the column at `index`, which has byte strings.
    ///
    /// # Errors
    ///
    /// Returns a `TypeError` if it does not.
    pub(crate) fn of_bytes(batch: &RecordBatch, index: usize) -> PyResult<Self> {
        Self::of(batch, index, "binary, large_binary or binary_view", |array| match array.data_type() {
            DataType::Binary => Some(Self::Small(array.as_binary().clone())),
            DataType::LargeBinary => Some(Self::Large(array.as_binary().clone())),
            DataType::BinaryView => Some(Self::View(array.as_binary_view().clone())),
            _ => None,
        })
    }

    fn of(
        batch: &RecordBatch,
        index: usize,
        expected: &str,
        cast: impl Fn(&ArrayRef) -> Option<Self>,
    ) -> PyResult<Self> {
        let array = batch.column(index);
        let found = match array.data_type() {
            DataType::Dictionary(_, values) => arrow_cast::cast(array, values).ok().as_ref().and_then(&cast),
            _ => cast(array),
        };
        found.ok_or_else(|| wrong_type(batch, index, expected))
    }

    /// Returns the value at `row`; `None` if it is null.
    pub(crate) fn bytes(&self, row: usize) -> Option<&[u8]> {
        match self {
            Self::Small(array) => array.is_valid(row).then(|| array.value(row)),
            Self::Large(array) => array.is_valid(row).then(|| array.value(row)),
            Self::View(array) => array.is_valid(row).then(|| array.value(row)),
        }
    }

    /// Returns the value at `row`; `None` if it is null or not UTF-8, which other libraries do not always check.
    pub(crate) fn text(&self, row: usize) -> Option<&str> {
        std::str::from_utf8(self.bytes(row)?).ok()
    }
}

/// Returns the exception for a column whose type is not the one that is expected.
pub(crate) fn wrong_type(batch: &RecordBatch, index: usize, expected: &str) -> PyErr {
    let schema = batch.schema();
    let field = schema.field(index);
    PyTypeError::new_err(format!(
        "the column {:?} has the type {}: it has to be {expected}",
        field.name(),
        field.data_type()
    ))
}
