//! `resolve_batch`: references as Arrow data.

use std::sync::Arc;

use arrow_array::{ArrayRef, GenericStringArray, LargeStringArray, OffsetSizeTrait, StringViewArray};
use arrow_buffer::{Buffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use urlstrata::fast;
use urlstrata_harness::knowledge::specification::Specification;

use crate::columns::{Batches, Column, batches, index_of};
use crate::table::Array;
use crate::world::specification;

/// Resolve each row of Arrow data: a record batch, or a table or stream, whose chunks are read one after the other.
///
/// base and reference are the names of columns of strings. The result is an array of strings of the same type as the
/// references. It is null where a value is null or not UTF-8, and where the revision defines no target.
///
/// Consecutive rows with the same base are fastest, because the base is prepared once.
///
/// >>> import polars, urlstrata
/// >>> links = polars.DataFrame({"base": ["http://a/b"] * 2, "reference": ["c", "//d"]})
/// >>> urlstrata.resolve_batch(links).to_pylist()
/// ['http://a/c', 'http://d']
#[pyfunction]
#[pyo3(signature = (batch, revision = "rfc3986", base = "base", reference = "reference"))]
pub(crate) fn resolve_batch(
    py: Python<'_>,
    batch: &Bound<'_, PyAny>,
    revision: &str,
    base: &str,
    reference: &str,
) -> PyResult<Array> {
    let specification = specification(revision)?;
    let batches = batches(batch)?;
    let schema = batches.schema();
    let columns = [index_of(&schema, base)?, index_of(&schema, reference)?];
    py.detach(|| resolve_as_given(&specification, batches, &schema, columns)).map(Array)
}

/// Resolves all rows. The targets have the type of the references.
fn resolve_as_given(
    specification: &Specification,
    batches: Batches,
    schema: &SchemaRef,
    columns: [usize; 2],
) -> PyResult<ArrayRef> {
    let given = match schema.field(columns[1]).data_type() {
        DataType::Dictionary(_, values) => values.as_ref(),
        given => given,
    };
    Ok(match given {
        DataType::LargeUtf8 => Arc::new(resolve_all::<i64>(specification, batches, columns)?),
        DataType::Utf8View => {
            let targets: LargeStringArray = resolve_all(specification, batches, columns)?;
            Arc::new(StringViewArray::from(&targets))
        }
        _ => Arc::new(resolve_all::<i32>(specification, batches, columns)?),
    })
}

fn resolve_all<O: OffsetSizeTrait>(
    specification: &Specification,
    batches: Batches,
    columns: [usize; 2],
) -> PyResult<GenericStringArray<O>> {
    let mut targets = Targets::<O>::default();
    for batch in batches {
        let batch = batch.map_err(unreadable)?;
        let [bases, references] = columns.map(|index| Column::of_texts(&batch, index));
        targets.add(specification, &bases?, &references?, batch.num_rows())?;
        Python::attach(|py| py.check_signals())?;
    }
    targets.finish()
}

/// Returns the exception for an error of the stream that provides the data.
pub(crate) fn unreadable(error: ArrowError) -> PyErr {
    PyValueError::new_err(format!("the data cannot be read: {error}"))
}

/// The targets of all rows so far, in the form of an Arrow array.
struct Targets<O> {
    text: String,
    /// The position at which each target begins, and the end of the last.
    offsets: Vec<O>,
    nulls: NullBufferBuilder,
}

impl<O: OffsetSizeTrait> Default for Targets<O> {
    fn default() -> Self {
        Self { text: String::new(), offsets: vec![O::usize_as(0)], nulls: NullBufferBuilder::new(0) }
    }
}

impl<O: OffsetSizeTrait> Targets<O> {
    fn add(&mut self, specification: &Specification, bases: &Column, references: &Column, rows: usize) -> PyResult<()> {
        self.offsets.reserve(rows);
        let mut prepared: Option<(&str, fast::Base<'_>)> = None;
        for row in 0..rows {
            let is_defined = match (bases.text(row), references.text(row), specification.revision.rules) {
                (Some(base), Some(reference), Some(rules)) => {
                    let own = match prepared.take().filter(|(own, _)| *own == base) {
                        Some(own) => prepared.insert(own),
                        None => prepared.insert((base, fast::Base::new(rules, base))),
                    };
                    own.1.resolve_into(reference, &mut self.text).is_ok()
                }
                (Some(base), Some(reference), None) => {
                    let target = specification.revision.resolve(base, reference);
                    target.is_ok_and(|target| {
                        self.text += &target.url;
                        true
                    })
                }
                _ => false,
            };
            self.nulls.append(is_defined);
            let end = O::from_usize(self.text.len()).ok_or_else(|| {
                PyValueError::new_err(
                    "the targets have more than 2147483647 bytes: pass fewer rows at a time, or cast the references to large_string",
                )
            })?;
            self.offsets.push(end);
        }
        Ok(())
    }

    fn finish(mut self) -> PyResult<GenericStringArray<O>> {
        let offsets = OffsetBuffer::new(ScalarBuffer::from(self.offsets));
        let text = Buffer::from_vec(self.text.into_bytes());
        GenericStringArray::try_new(offsets, text, self.nulls.finish()).map_err(unreadable)
    }
}
