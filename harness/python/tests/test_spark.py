"""The Spark job returns what one process returns, however its input is divided, and reports bad input in a sentence."""

import importlib.util
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pytest.importorskip("pandas", reason="pandas is not installed, which PySpark needs for Arrow")
pytest.importorskip("pyspark", reason="PySpark is not installed")
if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
    pytest.skip("java was not found", allow_module_level=True)

import pyarrow.parquet as pq
import urlstrata
from pyspark import TaskContext, cloudpickle

JOB = Path(__file__).parent.parent / "examples" / "spark_survey.py"
QUESTION = {"engine": "crate:url", "revision": "rfc3986", "history": False}
REFERENCES = ["c", "../c", "///h", "x y", "x z", "http:g", "#", "#f g", "", "?q", "\\\\h", "//H/", "http://A", "%zz"]


def job_module():
    spec = importlib.util.spec_from_file_location("spark_survey", JOB)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    # The workers cannot import the example.
    sys.modules["spark_survey"] = module
    cloudpickle.register_pickle_by_value(module)
    return module


job = job_module()


@pytest.fixture(scope="module")
def spark():
    # Tasks are retried up to three times, as on a cluster.
    session = job.started(job.arguments(["--pairs", "-", "--master", "local[2,4]"]))
    yield session
    session.stop()


@pytest.fixture(scope="module")
def links():
    """Bases and references of which many differ."""
    chosen = random.Random(1).choices(REFERENCES, k=3000)
    rows = [(f"http://a/{number % 7}/b", reference) for number, reference in enumerate(chosen)]
    return pa.table({"base": [base for base, _ in rows], "reference": [reference for _, reference in rows]})


@pytest.fixture(scope="module")
def folder(links, tmp_path_factory):
    """The links in 31 files of unequal size, and a file without a row."""
    folder = tmp_path_factory.mktemp("pairs")
    bounds = [number * number * len(links) // 31**2 for number in range(32)]
    for number, (start, end) in enumerate(zip(bounds, bounds[1:])):
        pq.write_table(links.slice(start, end - start), folder / f"{number:02}.parquet")
    pq.write_table(links.slice(0, 0), folder / "empty.parquet")
    return str(folder)


def written(path, **columns):
    pq.write_table(pa.table(columns), path)
    return str(path)


def one_process(links, **question):
    return sorted(urlstrata.survey_batch(links, **{**QUESTION, **question}).to_pylist(), key=str)


def on_spark(spark, path, partitions=None, task=None, **question):
    frame = job.pairs_of(spark, path, ("base", "reference"), partitions)
    return plain(job.survey(frame, task or job.survey_pairs, {**QUESTION, **question}).collect())


def plain(rows):
    """Return rows of the job as the package returns them."""
    assert all(row["version"] == urlstrata.__version__ for row in rows)
    # Spark returns a bytearray.
    found = [{**row.asDict(), "rank": row["rank"] and bytes(row["rank"])} for row in rows]
    return sorted(({name: row[name] for name in job.SCHEMA.names[1:]} for row in found), key=str)


@pytest.mark.parametrize("history", [False, True])
@pytest.mark.parametrize("partitions", [1, 7, 32])
def test_classes_equal_those_of_one_process(spark, links, folder, partitions, history):
    frame = job.pairs_of(spark, folder, ("base", "reference"), partitions)
    assert frame.rdd.getNumPartitions() == partitions
    expected = one_process(links, history=history)
    assert len(expected) > 6
    assert on_spark(spark, folder, partitions, history=history) == expected


def test_a_task_that_fails_after_it_returned_rows_counts_once(spark, links, folder):
    def failing(batches, question):
        yield from job.survey_pairs(batches, question)
        if TaskContext.get().attemptNumber() == 0:
            raise ValueError("the first attempt fails")

    assert on_spark(spark, folder, 7, failing) == one_process(links)


def test_files_without_rows_have_no_classes(spark, tmp_path):
    none = pa.array([], pa.string())
    assert on_spark(spark, written(tmp_path / "empty.parquet", base=none, reference=none)) == []


def test_nulls_and_invalid_text_are_counted_as_skipped(spark, tmp_path):
    offsets, data = pa.array([0, 2, 3], pa.int32()).buffers()[1], pa.py_buffer(b"\xff\xfec")
    with_invalid = pa.Array.from_buffers(pa.string(), 2, [None, offsets, data])
    references = pa.concat_arrays([pa.array(["///d", None, "c"]), with_invalid])
    bases = pa.array(["http://a/b", "http://a/b", None, "http://a/b", "http://a/b"])
    found = on_spark(spark, written(tmp_path / "rows.parquet", base=bases, reference=references))
    assert sorted((row["kind"], row["count"]) for row in found) == [("agree", 1), ("explained", 1), ("skipped", 3)]
    assert job.exit_code(found) == 65


def test_columns_of_bytes_are_read_as_text(spark, tmp_path):
    path = written(tmp_path / "bytes.parquet", base=[b"http://a/b"] * 2, reference=[b"c", b"\xff"])
    assert sorted((row["kind"], row["count"]) for row in on_spark(spark, path)) == [("agree", 1), ("skipped", 1)]


@pytest.mark.skipif(not hasattr(urlstrata, "warc_links"), reason="this urlstrata does not read WARC files")
def test_links_of_warc_files_are_compared_and_lost_files_are_counted(spark, tmp_path):
    page = b"<a href='///h'><a href=c>"
    header = f"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a/b\r\nContent-Length: {len(page)}\r\n"
    record = header.encode() + b"Content-Type: text/html\r\n\r\n" + page + b"\r\n\r\n"
    for number in range(3):
        (tmp_path / f"{number}.warc").write_bytes(record * (number + 1))
    paths = [tmp_path / name for name in ("0.warc", "1.warc", "2.warc", "none.warc")]
    (tmp_path / "list.txt").write_text("".join(f"{path}\n" for path in paths))
    for partitions in ("1", "3", "9"):
        given = ["--warc", str(tmp_path / "list.txt"), "--partitions", partitions]
        found = job.survey(*job.input_of(spark, job.arguments(given)), QUESTION).collect()
        counts = sorted((row["kind"], row["count"]) for row in found)
        assert counts == [("agree", 6), ("explained", 6), ("pages", 6), ("unreadable", 1)]
        (unreadable,) = (row for row in found if row["kind"] == "unreadable")
        assert unreadable["reference"] == str(paths[-1])
        assert job.exit_code(found) == 65


def failure(call, *given):
    with pytest.raises(job.Failure) as raised:
        call(*given)
    return raised.value.code, str(raised.value)


def test_a_missing_column_is_named_with_those_that_exist(spark, tmp_path):
    path = written(tmp_path / "columns.parquet", url=["http://a/b"], reference=["c"])
    code, sentence = failure(job.pairs_of, spark, path, ("base", "reference"), None)
    assert code == 65
    assert sentence.startswith(f'{path}: no column "base": the columns are "url", "reference"')
    assert job.pairs_of(spark, path, ("url", "reference"), None).count() == 1


def test_a_column_of_numbers_is_rejected(spark, tmp_path):
    path = written(tmp_path / "numbers.parquet", base=[1], reference=["c"])
    found = failure(job.pairs_of, spark, path, ("base", "reference"), None)
    assert found == (65, f'{path}: the column "base" has the type long: use a column of strings')


def test_input_that_is_missing_or_is_not_parquet_is_reported(spark, tmp_path):
    def found(path):
        return failure(job.pairs_of, spark, str(path), ("base", "reference"), None)

    assert found(tmp_path / "none") == (65, f"{tmp_path}/none: does not exist")
    (tmp_path / "folder").mkdir()
    assert found(tmp_path / "folder") == (65, f"{tmp_path}/folder: contains no Parquet file")
    (tmp_path / "text.parquet").write_text("this is not Parquet")
    code, sentence = found(tmp_path / "text.parquet")
    assert code == 65 and sentence.startswith(f"{tmp_path}/text.parquet: ")


def test_an_existing_result_folder_is_not_replaced(spark, tmp_path):
    code, sentence = failure(job.check_out, spark, str(tmp_path))
    assert (code, sentence) == (64, f"{tmp_path}: exists already: name a new folder, or remove it")


def test_results_of_different_versions_are_not_added():
    rows = [{"version": "1.0.0"}, {"version": "1.1.0"}]
    assert failure(job.check_versions, rows)[1].startswith("the workers have urlstrata 1.0.0 and 1.1.0")


def program(*given):
    return subprocess.run([sys.executable, JOB, *given], capture_output=True, text=True, timeout=600)


def test_an_unknown_engine_is_reported_before_spark_starts():
    ended = program("--pairs", "pairs.parquet", "--engine", "crate:none")
    assert ended.returncode == 64
    assert ended.stderr.startswith("spark_survey: ") and "crate:none" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_the_program_writes_a_table_that_merges_again(folder, links, tmp_path):
    ended = program("--pairs", folder, "--master", "local[2]", "--out", str(tmp_path / "out"))
    expected = one_process(links)
    assert ended.returncode == job.exit_code(expected), ended.stderr
    different = sum(row["count"] for row in expected if row["kind"] != "agree")
    assert ended.stdout.startswith(f"crate:url against rfc3986: {different} of 3000 pairs differ, 0 rows skipped")
    table = pq.read_table(tmp_path / "out")
    assert sorted(urlstrata.merge_surveys([table]).to_pylist(), key=str) == expected
