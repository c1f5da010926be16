"""Survey links on Apache Spark: count how often, and why, an engine differs from a specification.

The input is Parquet with the columns base and reference (--pairs), or WARC files (--warc). Each task compares the pairs
of its partition with `urlstrata.survey_batch`, and returns one row for each class of pairs. Spark adds the counts of
equal classes and keeps the smallest pair of each. All counts are in returned rows: a task that runs twice counts once.

exit codes:
  0   no new divergence
  1   a new divergence, which no behaviour predicts and no list contains
  64  usage: unknown options, an unknown engine or revision, a result folder that exists or cannot be written
  65  bad input: it is missing, is not Parquet, lacks a column or cannot be read; or rows or WARC files were skipped,
      and the result is that of the others
  69  Java, PySpark, pyarrow, pandas or urlstrata is missing, or Spark cannot be started
  70  the Spark job failed
"""

import argparse
import os
import re
import shutil
import sys
from functools import partial

try:
    import pyarrow as pa
    import urlstrata
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as F
except ImportError as error:
    print(f"spark_survey: {error}: install requirements.txt and the wheel of urlstrata", file=sys.stderr)
    sys.exit(69)

NEW_DIVERGENCE, USAGE, BAD_INPUT, UNAVAILABLE, INTERNAL = 1, 64, 65, 69, 70

#: The columns that identify a class. Results of different versions of the package are never added.
KEY = ["version", "engine", "against", "kind", "cause", "effect"]
#: The smallest pair of a class, and its results.
WITNESS = ["base", "reference", "engine_result", "against_result"]
#: The rows that tasks return.
SCHEMA = pa.schema(
    [(name, pa.string()) for name in KEY]
    + [("count", pa.int64()), ("rank", pa.binary())]
    + [(name, pa.string()) for name in WITNESS]
)
#: The same as Spark writes it.
ROWS = ", ".join(f"{name} string" for name in KEY) + ", count bigint, rank binary, "
ROWS += ", ".join(f"{name} string" for name in WITNESS)
#: The kinds of rows, in the order in which they are printed.
KINDS = ["unexplained", "unanswered", "outside", "listed", "predicted", "explained", "agree", "skipped"]
KINDS += ["pages", "damaged", "unreadable"]


class Failure(Exception):
    """What ends the program: an exit code and a sentence."""

    def __init__(self, code, sentence):
        super().__init__(sentence)
        self.code = code


# Tasks


def survey_pairs(batches, question):
    """Compare the pairs of a partition, and yield at most one batch, with a row for each class."""
    yield from rows_of(merged(urlstrata.survey_batch(batch, **question) for batch in batches))


def survey_warcs(batches, question):
    """Compare the links of the WARC files whose paths are in a partition, as `survey_pairs` does.

    There are also rows with the numbers of pages, of records that were skipped, and of files that could not be read to
    their end, whose links are left out.
    """
    found, counts = None, []
    for path in (path for batch in batches for path in batch.column("path").to_pylist()):
        try:
            links = urlstrata.warc_links(path)
            part = merged(urlstrata.survey_batch(batch, **question) for batch in links)
        except OSError as error:
            counts.append(count_of_file("unreadable", 1, path, str(error)))
            continue
        found = merged(each for each in (found, part) if each is not None)
        records = links.records
        counts.append(count_of_file("pages", records["pages"], path))
        if lost := records["damaged"] + records["too_long"] + records["undecoded"]:
            listed = [f"at byte {offset}: {why}" for offset, why in records["listed"]]
            counts.append(count_of_file("damaged", lost, path, "".join(listed[:1]) or "too long, or not decoded"))
    yield from rows_of(found)
    if counts:
        yield pa.RecordBatch.from_pylist(counts, SCHEMA)


def count_of_file(kind, count, path, why=None):
    """Return a row about a WARC file, whose path is the reference."""
    row = {"version": urlstrata.__version__, "engine": "", "against": "", "kind": kind, "count": count}
    return {**row, "rank": path.encode(), "base": "", "reference": path, "engine_result": why, "against_result": None}


def merged(surveys):
    """Merge surveys while they are produced, and return None if there is none. At most two are in memory."""
    found = None
    for survey in surveys:
        found = survey if found is None else urlstrata.merge_surveys([found, survey])
    return found


def rows_of(survey):
    """Yield a survey with the version of the package that made it."""
    if survey is not None:
        batch = pa.record_batch(survey)
        version = pa.array([urlstrata.__version__] * batch.num_rows, pa.string())
        yield pa.RecordBatch.from_arrays([version, *(batch.column(name) for name in SCHEMA.names[1:])], schema=SCHEMA)


# The job


def survey(frame, task, question):
    """Return the classes of the pairs in `frame`, as a data frame with the columns of `SCHEMA`."""
    parts = frame.mapInArrow(partial(task, question=question), ROWS)
    witness = F.min_by(F.struct(*WITNESS), "rank").alias("witness")
    classes = parts.groupBy(*KEY).agg(F.sum("count").alias("count"), F.min("rank").alias("rank"), witness)
    return classes.select(*KEY, "count", "rank", "witness.*")


def pairs_of(spark, path, columns, partitions):
    """Return the pairs of Parquet files, in at most `partitions` partitions.

    Files are divided where their row groups begin and are never shuffled, so that each task reads its own part, and
    reads the same part again if it is repeated.
    """
    if partitions:
        spark.conf.set("spark.sql.files.minPartitionNum", partitions)
        spark.conf.set("spark.sql.files.openCostInBytes", 4096)
    try:
        frame = spark.read.parquet(path)
    except (PySparkException, Py4JError) as error:
        raise unreadable_input(path, error) from error
    for name in columns:
        check_column(path, frame.schema, name)
    quoted = [F.col("`" + name.replace("`", "``") + "`").cast("string") for name in columns]
    frame = frame.select(quoted[0].alias("base"), quoted[1].alias("reference"))
    return frame.coalesce(partitions) if partitions else frame


def check_column(path, schema, name):
    if name not in schema.names:
        existing = ", ".join(f'"{visible(column)}"' for column in schema.names)
        remedy = "name the columns with --base and --reference"
        raise Failure(BAD_INPUT, f'{path}: no column "{name}": the columns are {existing}: {remedy}')
    kind = schema[name].dataType.typeName()
    if kind not in ("string", "binary"):
        raise Failure(BAD_INPUT, f'{path}: the column "{name}" has the type {kind}: use a column of strings')


def warcs_of(spark, path, partitions):
    """Read a list of WARC paths, one a line. By default, each file is a partition."""
    try:
        lines = spark.read.text(path).collect()
    except (PySparkException, Py4JError) as error:
        raise unreadable_input(path, error) from error
    paths = sorted({line.value.strip() for line in lines} - {""})
    if not paths:
        raise Failure(BAD_INPUT, f"{path}: contains no path: write the path of a WARC file on each line")
    rows = spark.sparkContext.parallelize([(each,) for each in paths], min(partitions or len(paths), len(paths)))
    return spark.createDataFrame(rows, "path string")


def unreadable_input(path, error):
    """Return the failure for an input that Spark cannot read."""
    text = str(error)
    if "PATH_NOT_FOUND" in text:
        return Failure(BAD_INPUT, f"{path}: does not exist")
    if "UNABLE_TO_INFER_SCHEMA" in text:
        return Failure(BAD_INPUT, f"{path}: contains no Parquet file")
    return failure_of(error, path)


def failure_of(error, path):
    """Return the failure for an exception of Spark: its cause, without the traces of the JVM and of Python."""
    lines = [line for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    if "PACKAGE_NOT_INSTALLED" in lines[0]:
        return Failure(UNAVAILABLE, lines[0])
    if lines[0].startswith("An exception was thrown from the Python worker"):
        reason = [line for line in lines if re.match(r"[A-Za-z_][\w.]*(: |$)", line)][-1]
        if re.match(r"(ModuleNotFound|Import)Error", reason):
            remedy = "install pyarrow, pandas and the wheel of urlstrata for it"
            return Failure(UNAVAILABLE, f"the Python of the workers: {reason}: {remedy}")
        return Failure(INTERNAL, f"{path}: the comparison failed: {reason}")
    reason = next((line for line in lines if not line.startswith("An error occurred while calling")), lines[0])
    if unread := re.search(r"\[FAILED_READ_FILE\S*\] (.*?)\.? *(?:SQLSTATE.*)?$", reason):
        return Failure(BAD_INPUT, f"{path}: {unread.group(1)}")
    return Failure(INTERNAL, f"{path}: the Spark job failed: {reason.removeprefix(': ')}")


# The program


def arguments(given=None):
    """Return the options of the command line."""
    parser = Parser(prog="spark_survey.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--pairs", metavar="PARQUET", help="file or folder of pairs")
    source.add_argument("--warc", metavar="LIST", help="text file with the path of a WARC file on each line")
    add("--base", default="base", metavar="COLUMN", help="column of bases (default: base)")
    add("--reference", default="reference", metavar="COLUMN", help="column of references (default: reference)")
    add("--engine", default="crate:url", help="engine to compare (default: crate:url)")
    add("--revision", default="rfc3986", help="specification to compare it with (default: rfc3986)")
    add("--history", action="store_true", help="compare each revision with the next instead")
    add("--partitions", type=positive, metavar="N", help="maximum number of tasks (default: Spark's)")
    add("--master", help="cluster, such as spark://host:7077 (default: that of spark-submit, or local[*])")
    add("--conf", action="append", default=[], type=setting, metavar="KEY=VALUE", help="setting of Spark")
    add("--out", metavar="FOLDER", help="folder for the table, which must not exist")
    add("--format", choices=["parquet", "csv", "json"], default="parquet", help="format of the table in --out")
    return parser.parse_args(given)


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(USAGE, f"spark_survey: {message}\n")


def positive(text):
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1")
    return int(text)


def setting(text):
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form KEY=VALUE")
    return key, value


def started(options):
    """Start Spark, or connect to the cluster. In local mode, nothing listens outside this machine."""
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        raise Failure(UNAVAILABLE, "java was not found: install Java 17, or set JAVA_HOME")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("urlstrata survey")
    master = options.master
    if master is None and "PYSPARK_GATEWAY_PORT" not in os.environ:
        master = "local[*]"
    if master is not None:
        builder = builder.master(master)
        if master.startswith("local"):
            os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
            builder = builder.config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.shuffle.partitions", 1).config(map=dict(options.conf))
    try:
        spark = builder.getOrCreate()
    except (PySparkException, Py4JError) as error:
        raise Failure(UNAVAILABLE, f"Spark cannot be started: {str(error).splitlines()[0]}") from error
    if "spark.log.level" not in dict(options.conf):
        # A failure is reported as a sentence, so the log need not repeat it with traces.
        spark.sparkContext.setLogLevel("FATAL")
    return spark


def check_question(question):
    """Ask the question about no pair, so that an unknown engine is found before Spark starts."""
    empty = pa.RecordBatch.from_pylist([], pa.schema([("base", pa.string()), ("reference", pa.string())]))
    try:
        urlstrata.survey_batch(empty, **question)
    except (ValueError, LookupError) as error:
        raise Failure(USAGE, str(error)) from error


def check_out(spark, out):
    """Check that the result folder does not exist, before anything is computed."""
    path = spark._jvm.org.apache.hadoop.fs.Path(out)
    if path.getFileSystem(spark._jsc.hadoopConfiguration()).exists(path):
        raise Failure(USAGE, f"{out}: exists already: name a new folder, or remove it")


def run(options):
    """Run the job, and return the exit code."""
    question = {"engine": options.engine, "revision": options.revision, "history": options.history}
    check_question(question)
    if options.warc and not hasattr(urlstrata, "warc_links"):
        raise Failure(UNAVAILABLE, "this version of urlstrata cannot read WARC files: install a newer one")
    spark, source = started(options), options.warc or options.pairs
    try:
        if options.out:
            check_out(spark, options.out)
        found = survey(*input_of(spark, options), question).collect()
        check_versions(found)
        if options.out:
            write(spark, found, options.out, options.format)
    except (PySparkException, Py4JError) as error:
        raise failure_of(error, source) from error
    finally:
        spark.stop()
    show(found)
    sys.stdout.flush()
    return exit_code(found)


def input_of(spark, options):
    """Return the data frame of the input, and the task that compares it."""
    if options.warc:
        return warcs_of(spark, options.warc, options.partitions), survey_warcs
    return pairs_of(spark, options.pairs, (options.base, options.reference), options.partitions), survey_pairs


def write(spark, rows, out, kind):
    """Write the table as one file. Only Parquet contains the ranks, with which results can be merged again."""
    table = spark.createDataFrame(rows, ROWS).coalesce(1)
    if kind == "parquet":
        table.write.parquet(out)
    elif kind == "csv":
        table.drop("rank").write.csv(out, header=True)
    else:
        table.drop("rank").write.json(out)


def check_versions(rows):
    versions = sorted({row["version"] for row in rows})
    if len(versions) > 1:
        named = " and ".join(versions)
        remedy = "install the same version everywhere"
        raise Failure(UNAVAILABLE, f"the workers have urlstrata {named}, whose results do not merge: {remedy}")


def show(rows):
    """Print the table: for each comparison, the causes, most frequent first, with their smallest pair."""
    for engine, against in sorted({(row["engine"], row["against"]) for row in rows if row["engine"]}):
        own = [row for row in rows if (row["engine"], row["against"]) == (engine, against)]
        count = {kind: sum(row["count"] for row in own if row["kind"] == kind) for kind in KINDS}
        pairs = sum(count.values()) - count["skipped"]
        differ, skipped = pairs - count["agree"], count["skipped"]
        print(f"{visible(engine)} against {against}: {differ} of {pairs} pairs differ, {skipped} rows skipped")
        for row in sorted(own, key=lambda row: (KINDS.index(row["kind"]), -row["count"], row["cause"] or "")):
            if row["kind"] not in ("agree", "skipped"):
                show_class(row)
        print()
    for row in rows:
        if row["kind"] == "pages":
            print(f"pages: {row['count']}")
        elif row["kind"] in ("damaged", "unreadable"):
            what = "skipped records" if row["kind"] == "damaged" else "unreadable WARC files"
            print(f"{what}: {row['count']}, first {visible(row['reference'])}: {visible(row['engine_result'])}")


def show_class(row):
    cause = visible(row["cause"] or "no cause")
    kind = {"outside": " (new: outside the behaviour)", "unexplained": " (new)", "listed": " (listed)", "predicted": " (predicted)"}
    print(f"{row['count']:>12}  {row['effect'] or '':<10} {cause}{kind.get(row['kind'], '')}")
    base, reference, engine, against = (visible(row[name]) for name in WITNESS)
    print(f"{'':25}{reference} against {base}")
    print(f"{'':25}{visible(row['engine'])} {engine}, {row['against']} {against}")


def visible(text):
    """Escape the characters that would not be seen, or that would control a terminal."""
    shown = (each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)
    return "".join(shown)


def exit_code(rows):
    kinds = {row["kind"] for row in rows}
    if kinds & {"skipped", "damaged", "unreadable"}:
        return BAD_INPUT
    return NEW_DIVERGENCE if kinds & {"outside", "unexplained"} else 0


def main():
    try:
        sys.exit(run(arguments()))
    except Failure as failure:
        print(f"spark_survey: {failure}", file=sys.stderr)
        sys.exit(failure.code)
    except BrokenPipeError:
        # The reader has read enough. Nothing else can be written, also not when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(INTERNAL)


if __name__ == "__main__":
    main()
