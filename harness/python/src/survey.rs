//! `survey_batch` and `merge_surveys`: comparisons of many pairs, as rows that any system can merge.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, BinaryArray, Int64Array, RecordBatch as ArrowBatch, StringArray};
use arrow_schema::{Field, Schema};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use urlstrata_harness::survey::rows::{Key, Kind, Rows, Witness};
use urlstrata_harness::survey::tally::Comparer;

use crate::columns::{Batches, Column, batches, index_of, is_arrow, wrong_type};
use crate::resolve_batch::unreadable;
use crate::table::RecordBatch;
use crate::world::{Asked, Question, asked};

/// The key of the schema's metadata that holds the version of the package.
const VERSION: &str = "urlstrata";

/// Compare an engine with a revision on each row of Arrow data, or with history=True each revision with the next; the
/// arguments engine and revision are then not used.
///
/// base and reference are the names of columns of strings. The result has one row for each class of pairs:
///
/// - engine, against: the names of the engine and of the revision
/// - kind: "agree", "explained", "predicted" if the behaviour predicts the result but its cause is not known, "listed", "outside",
///   "unexplained", "unanswered" if the engine has no result, or "skipped" for rows with a null or without UTF-8
/// - cause, effect: why the results differ, and in which part; null for "agree" and "skipped"
/// - count: the number of pairs
/// - rank, base, reference, engine_result, against_result: the smallest pair of the class, and its results; null where the
///   cause is
///
/// Results on parts merge in any order and grouping: rows of equal engine, against, kind, cause and effect are one class,
/// whose count is the sum and whose pair is that of the smallest rank, compared as bytes. merge_surveys does this.
///
/// >>> import polars, urlstrata
/// >>> links = polars.DataFrame({"base": ["http://a/b"] * 2, "reference": ["c", "///d"]})
/// >>> for row in urlstrata.survey_batch(links).to_pylist():
/// ...     print(row["kind"], row["cause"], row["count"], row["reference"], row["engine_result"])
/// agree None 1 None None
/// explained the reference's authority: 3.2 | host 3.1 1 ///d failure: empty host
#[pyfunction]
#[pyo3(signature = (batch, engine = "crate:url", revision = "rfc3986", history = false, base = "base", reference = "reference"))]
pub(crate) fn survey_batch(
    py: Python<'_>,
    batch: &Bound<'_, PyAny>,
    engine: &str,
    revision: &str,
    history: bool,
    base: &str,
    reference: &str,
) -> PyResult<RecordBatch> {
    let question = if history { Question::History } else { Question::Engine(engine.to_owned(), revision.to_owned()) };
    let batches = batches(batch)?;
    let schema = batches.schema();
    let columns = [index_of(&schema, base)?, index_of(&schema, reference)?];
    let rows = py.detach(|| survey(&asked(&question)?, batches, columns))?;
    record_batch(&rows, env!("CARGO_PKG_VERSION"))
}

fn survey(asked: &[Asked], batches: Batches, columns: [usize; 2]) -> PyResult<Rows> {
    let mut comparers: Vec<Comparer<'_>> = asked.iter().map(Asked::comparer).collect();
    let mut skipped = 0;
    for batch in batches {
        let batch = batch.map_err(unreadable)?;
        let [bases, references] = columns.map(|index| Column::of_texts(&batch, index));
        let (bases, references) = (bases?, references?);
        for row in 0..batch.num_rows() {
            match (bases.text(row), references.text(row)) {
                (Some(base), Some(reference)) => {
                    comparers.iter_mut().for_each(|comparer| drop(comparer.ask(base, reference)));
                }
                _ => skipped += 1,
            }
        }
        Python::attach(|py| py.check_signals())?;
    }
    let comparisons: Vec<_> = comparers.into_iter().flat_map(Comparer::finish).collect();
    Ok(Rows::of(&comparisons, skipped))
}

/// Merge results of survey_batch: an iterable of record batches, or a table or stream of them.
///
/// >>> import polars, urlstrata
/// >>> links = polars.DataFrame({"base": ["http://a/b"] * 2, "reference": ["c", "///d"]})
/// >>> parts = [urlstrata.survey_batch(links[:1]), urlstrata.survey_batch(links[1:])]
/// >>> urlstrata.merge_surveys(parts).to_pylist() == urlstrata.survey_batch(links).to_pylist()
/// True
#[pyfunction]
pub(crate) fn merge_surveys(py: Python<'_>, batches: &Bound<'_, PyAny>) -> PyResult<RecordBatch> {
    let mut merged = Merged::default();
    if is_arrow(batches)? {
        merged.add(py, batches)?;
    } else {
        for part in batches.try_iter()? {
            merged.add(py, &part?)?;
        }
    }
    record_batch(&merged.rows, merged.version.as_deref().unwrap_or(env!("CARGO_PKG_VERSION")))
}

/// The rows that were merged so far.
#[derive(Default)]
struct Merged {
    rows: Rows,
    /// The version that made them, if the schema states it.
    version: Option<String>,
}

impl Merged {
    fn add(&mut self, py: Python<'_>, part: &Bound<'_, PyAny>) -> PyResult<()> {
        let batches = batches(part)?;
        let schema = batches.schema();
        if let Some(version) = schema.metadata().get(VERSION) {
            let own = self.version.get_or_insert_with(|| version.clone());
            if own != version {
                return Err(PyValueError::new_err(format!(
                    "the surveys cannot be merged: one was made by urlstrata {own}, and another by urlstrata {version}: merge results of the same version"
                )));
            }
        }
        py.detach(|| {
            for batch in batches {
                self.add_batch(&batch.map_err(unreadable)?)?;
            }
            Ok(())
        })
    }

    fn add_batch(&mut self, batch: &ArrowBatch) -> PyResult<()> {
        let columns = Columns::of(batch)?;
        for row in 0..batch.num_rows() {
            let count = columns.count(row)?;
            self.rows.add(columns.key(row)?, count, columns.witness(row));
        }
        Ok(())
    }
}

/// The columns of a survey.
struct Columns {
    /// The columns of strings, in the order of `TEXTS`.
    texts: [Column; 9],
    ranks: Column,
    counts: Int64Array,
}

/// The names of the columns of strings.
const TEXTS: [&str; 9] =
    ["engine", "against", "kind", "cause", "effect", "base", "reference", "engine_result", "against_result"];

impl Columns {
    /// Returns the columns of `batch`.
    ///
    /// # Errors
    ///
    /// Returns an exception if a column is missing or has another type.
    fn of(batch: &ArrowBatch) -> PyResult<Self> {
        let schema = batch.schema();
        let texts = TEXTS.iter().map(|name| Column::of_texts(batch, index_of(&schema, name)?));
        let texts = <[Column; 9]>::try_from(texts.collect::<PyResult<Vec<_>>>()?);
        let ranks = Column::of_bytes(batch, index_of(&schema, "rank")?)?;
        let count = index_of(&schema, "count")?;
        let counts = batch.column(count).as_primitive_opt::<Int64Type>();
        let counts = counts.ok_or_else(|| wrong_type(batch, count, "int64"))?.clone();
        let texts = texts.map_err(|_| PyRuntimeError::new_err("a survey has nine columns of strings"))?;
        Ok(Self { texts, ranks, counts })
    }

    fn text(&self, column: usize, row: usize) -> Option<String> {
        self.texts[column].text(row).map(str::to_owned)
    }

    fn count(&self, row: usize) -> PyResult<u64> {
        let count = self.counts.is_valid(row).then(|| self.counts.value(row));
        count.and_then(|count| u64::try_from(count).ok()).ok_or_else(|| missing(row, "count from 0"))
    }

    fn key(&self, row: usize) -> PyResult<Key> {
        let required = |column: usize| self.text(column, row).ok_or_else(|| missing(row, TEXTS[column]));
        let kind = required(2)?;
        let kind = Kind::by_name(&kind).ok_or_else(|| {
            let names = Kind::ALL.map(Kind::name).join(", ");
            PyValueError::new_err(format!("row {row} of a survey has the kind {kind:?}: there are {names}"))
        })?;
        let (cause, effect) = (self.text(3, row), self.text(4, row));
        Ok(Key { engine: required(0)?, against: required(1)?, kind, cause, effect })
    }

    fn witness(&self, row: usize) -> Option<Witness> {
        let text = |column| self.text(column, row).unwrap_or_default();
        Some(Witness {
            rank: self.ranks.bytes(row)?.to_vec(),
            base: text(5),
            reference: text(6),
            engine_result: text(7),
            against_result: text(8),
        })
    }
}

fn missing(row: usize, name: &str) -> PyErr {
    PyValueError::new_err(format!("row {row} of a survey has no {name}"))
}

/// Returns the rows in the form of Arrow. `version` is the version of the package that made them.
fn record_batch(rows: &Rows, version: &str) -> PyResult<RecordBatch> {
    let key = |text: fn(&Key) -> Option<&str>| -> ArrayRef {
        Arc::new(rows.iter().map(|(key, ..)| text(key)).collect::<StringArray>())
    };
    let witness = |text: fn(&Witness) -> &str| -> ArrayRef {
        Arc::new(rows.iter().map(|(.., witness)| witness.map(text)).collect::<StringArray>())
    };
    let counts = rows.iter().map(|(_, count, _)| i64::try_from(count));
    let counts = counts.collect::<Result<Vec<_>, _>>().map_err(|error| PyValueError::new_err(error.to_string()))?;
    let ranks = rows.iter().map(|(.., witness)| witness.map(|witness| witness.rank.as_slice()));
    let columns: [(&str, bool, ArrayRef); 11] = [
        ("engine", false, key(|key| Some(&key.engine))),
        ("against", false, key(|key| Some(&key.against))),
        ("kind", false, key(|key| Some(key.kind.name()))),
        ("cause", true, key(|key| key.cause.as_deref())),
        ("effect", true, key(|key| key.effect.as_deref())),
        ("count", false, Arc::new(Int64Array::from(counts))),
        ("rank", true, Arc::new(ranks.collect::<BinaryArray>())),
        ("base", true, witness(|witness| &witness.base)),
        ("reference", true, witness(|witness| &witness.reference)),
        ("engine_result", true, witness(|witness| &witness.engine_result)),
        ("against_result", true, witness(|witness| &witness.against_result)),
    ];
    let fields: Vec<_> = columns
        .iter()
        .map(|(name, nullable, column)| Field::new(*name, column.data_type().clone(), *nullable))
        .collect();
    let schema = Schema::new(fields).with_metadata(HashMap::from([(VERSION.to_owned(), version.to_owned())]));
    let columns = columns.into_iter().map(|(.., column)| column).collect();
    let batch = ArrowBatch::try_new(Arc::new(schema), columns);
    batch.map(RecordBatch).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}
