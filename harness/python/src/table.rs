//! Arrow data for any library: an array and a record batch.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array as _, ArrayRef, StructArray};
use arrow_schema::{DataType, Field, FieldRef};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyList, PyTuple};
use pyo3_arrow::error::PyArrowResult;
use pyo3_arrow::ffi::{ArrayIterator, to_array_pycapsules, to_schema_pycapsule, to_stream_pycapsule};

/// An Arrow array of strings. pyarrow.array, polars.Series and other functions read it without a copy.
#[pyclass(frozen, sequence, module = "urlstrata")]
pub(crate) struct Array(pub(crate) ArrayRef);

impl Array {
    fn field(&self) -> FieldRef {
        Arc::new(Field::new("", self.0.data_type().clone(), true))
    }
}

#[pymethods]
impl Array {
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyArrowResult<Bound<'py, PyCapsule>> {
        to_schema_pycapsule(py, self.field().as_ref())
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyTuple>> {
        to_array_pycapsules(py, self.field(), &self.0, requested_schema)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
        if index >= self.0.len() {
            return Err(PyIndexError::new_err("there is no such row"));
        }
        value(py, &self.0, index)
    }

    /// The number of null values.
    #[getter]
    fn null_count(&self) -> usize {
        self.0.null_count()
    }

    /// Return the values as a list of strings and None.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        list(py, &self.0)
    }

    fn __repr__(&self) -> String {
        format!("<urlstrata.Array of {} with {} values>", self.0.data_type(), self.0.len())
    }
}

/// An Arrow record batch. pyarrow.table, polars.DataFrame, DuckDB and others read it without a copy.
#[pyclass(frozen, module = "urlstrata")]
pub(crate) struct RecordBatch(pub(crate) arrow_array::RecordBatch);

impl RecordBatch {
    fn field(&self) -> FieldRef {
        let schema = self.0.schema();
        let of_rows = DataType::Struct(schema.fields().clone());
        Arc::new(Field::new("", of_rows, false).with_metadata(schema.metadata().clone()))
    }

    fn array(&self) -> ArrayRef {
        Arc::new(StructArray::from(self.0.clone()))
    }
}

#[pymethods]
impl RecordBatch {
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyArrowResult<Bound<'py, PyCapsule>> {
        to_schema_pycapsule(py, self.field().as_ref())
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyTuple>> {
        to_array_pycapsules(py, self.field(), &self.array(), requested_schema)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyCapsule>> {
        let reader = ArrayIterator::new([Ok(self.array())], self.field());
        to_stream_pycapsule(py, Box::new(reader), requested_schema)
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    /// The number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.0.num_rows()
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.0.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Return the rows as a list of dictionaries.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = PyList::empty(py);
        for row in 0..self.0.num_rows() {
            let values = PyDict::new(py);
            for (field, column) in self.0.schema().fields().iter().zip(self.0.columns()) {
                values.set_item(field.name(), value(py, column, row)?)?;
            }
            rows.append(values)?;
        }
        Ok(rows)
    }

    /// Return the columns as a dictionary of lists.
    fn to_pydict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        for (field, column) in self.0.schema().fields().iter().zip(self.0.columns()) {
            columns.set_item(field.name(), list(py, column)?)?;
        }
        Ok(columns)
    }

    fn __repr__(&self) -> String {
        format!("<urlstrata.RecordBatch with {} rows of {}>", self.0.num_rows(), self.column_names().join(", "))
    }
}

fn list<'py>(py: Python<'py>, array: &ArrayRef) -> PyResult<Bound<'py, PyList>> {
    let values = (0..array.len()).map(|row| value(py, array, row)).collect::<PyResult<Vec<_>>>()?;
    PyList::new(py, values)
}

/// Returns the value of a column at `row`; `None` if it is null. Columns of this package are strings, bytes or integers.
fn value<'py>(py: Python<'py>, array: &ArrayRef, row: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
    if array.is_null(row) {
        return Ok(None);
    }
    Ok(Some(match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().value(row).into_pyobject(py)?.into_any(),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row).into_pyobject(py)?.into_any(),
        DataType::Utf8View => array.as_string_view().value(row).into_pyobject(py)?.into_any(),
        DataType::Binary => PyBytes::new(py, array.as_binary::<i32>().value(row)).into_any(),
        _ => array.as_primitive::<Int64Type>().value(row).into_pyobject(py)?.into_any(),
    }))
}
