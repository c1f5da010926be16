"""The Spark job returns what one process returns on a cluster, also if a worker is killed or tasks run twice.

A standalone master and two workers are started on 127.0.0.1, which takes about a minute for each test, so the tests run
only if it is asked for:

    URLSTRATA_SPARK_CLUSTER=1 pytest -s tests/test_spark_cluster.py

Generated links are compared by --history. URLSTRATA_SPARK_PAIRS is a folder of Parquet files to use instead, of which
the default comparison is made; it should contain millions of pairs, so that the job runs long enough to be disturbed.
"""

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

if not os.environ.get("URLSTRATA_SPARK_CLUSTER"):
    pytest.skip("slow: set URLSTRATA_SPARK_CLUSTER=1 to run it", allow_module_level=True)
pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pyspark = pytest.importorskip("pyspark", reason="PySpark is not installed")
if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
    pytest.skip("java was not found", allow_module_level=True)

import pyarrow.parquet as pq
import urlstrata

JOB = Path(__file__).parent.parent / "examples" / "spark_survey.py"
SPARK_CLASS = Path(pyspark.__file__).parent / "bin" / "spark-class"
#: The folder with the user's links.
GIVEN = os.environ.get("URLSTRATA_SPARK_PAIRS")
#: The tasks of a job.
PARTITIONS = 32
#: The seconds after which whatever does not happen has failed.
TIMEOUT = 600


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def page(port, path=""):
    """Return the page that a Spark process serves; None if it does not answer."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
            return json.load(answer)
    except (OSError, ValueError):
        return None


def wait_for(what, condition):
    end = time.monotonic() + TIMEOUT
    while not (found := condition()):
        assert time.monotonic() < end, f"no {what} after {TIMEOUT} s"
        time.sleep(0.1)
    return found


class Cluster:
    """A master and two workers, each in a process group of its own."""

    def __init__(self, folder):
        self.folder, self.processes = folder, []
        port, self.pages = free_port(), free_port()
        self.master = f"spark://127.0.0.1:{port}"
        self.start("master.Master", "--port", str(port), "--webui-port", str(self.pages))
        wait_for("master", lambda: page(self.pages, "/json/"))
        limits = ["--cores", "1", "--memory", "1g", "--webui-port", "0", "--port", "0"]
        # Spark starts the copy of a task only on another host, so the same address has two names.
        for host in ("127.0.0.1", "localhost"):
            self.start("worker.Worker", *limits, "--work-dir", str(folder / host), self.master, host=host)
        wait_for("two workers", lambda: len(page(self.pages, "/json/")["workers"]) == 2)

    def start(self, name, *given, host="127.0.0.1"):
        environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
        command = [SPARK_CLASS, f"org.apache.spark.deploy.{name}", "--host", host, *given]
        with open(self.folder / f"{len(self.processes)}.log", "w") as log:
            own_group = subprocess.Popen(command, stdout=log, stderr=log, env=environment, start_new_session=True)
        self.processes.append(own_group)

    def kill(self, number):
        """Kill a process with its children: a worker with its executor."""
        os.killpg(self.processes[number].pid, signal.SIGKILL)
        self.processes[number].wait()

    def stop(self):
        for number in reversed(range(len(self.processes))):
            if self.processes[number].poll() is None:
                self.kill(number)


@pytest.fixture
def cluster(tmp_path):
    (tmp_path / "cluster").mkdir()
    (tmp_path / "events").mkdir()
    cluster = Cluster(tmp_path / "cluster")
    yield cluster
    cluster.stop()


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    if GIVEN:
        return GIVEN
    references = ["c", "../c", "///h", "x y", "#", "#f g", "?q", "//H/", "b/./c", "%zz"]
    folder = tmp_path_factory.mktemp("pairs")
    for part in range(PARTITIONS):
        chosen = random.Random(part).choices(references, k=12_000)
        columns = {"base": [f"http://a/{part}/{number % 97}/b" for number in range(12_000)], "reference": chosen}
        pq.write_table(pa.table(columns), folder / f"{part:02}.parquet")
    return str(folder)


@pytest.fixture(scope="module")
def expected(pairs):
    """The classes that one process finds."""
    return in_order(urlstrata.survey_batch(pq.read_table(pairs), history=not GIVEN).to_pylist())


def in_order(rows):
    return sorted(rows, key=str)


class Run:
    """A run of the job on a cluster."""

    def __init__(self, cluster, pairs, folder, *settings):
        self.folder, self.pages, self.began = folder, free_port(), time.monotonic()
        own = [
            f"spark.ui.port={self.pages}",
            "spark.executor.memory=512m",
            "spark.eventLog.enabled=true",
            f"spark.eventLog.dir=file://{folder}/events",
            "spark.eventLog.compress=false",
            "spark.eventLog.rolling.enabled=false",
        ]
        conf = [word for each in [*own, *settings] for word in ("--conf", each)]
        given = ["--pairs", pairs, "--partitions", str(PARTITIONS), "--out", str(folder / "out")]
        given += [] if GIVEN else ["--history"]
        command = [sys.executable, JOB, *given, "--master", cluster.master, *conf]
        self.log = open(folder / "job.log", "w+")
        environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"}
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, env=environment)

    def tasks_done(self):
        """Return the number of tasks that are done of the stage that compares the pairs; 0 before it has started."""
        assert self.process.poll() is None, "the job ended early"
        found = page(self.pages, "/api/v1/applications")
        stages = found and page(self.pages, f"/api/v1/applications/{found[0]['id']}/stages")
        done = (stage["numCompleteTasks"] for stage in stages or [] if stage["numTasks"] > 1)
        return max(done, default=0)

    def rows(self):
        """Wait for the end, and return the table that the job wrote."""
        code = self.process.wait(TIMEOUT)
        self.log.seek(0)
        assert code in (0, 1), self.log.read()
        print(f"\n{time.monotonic() - self.began:.1f} s")
        table = pq.read_table(self.folder / "out")
        return in_order(urlstrata.merge_surveys([table]).to_pylist())

    def events(self, name):
        """Return the events of Spark's log called `name`."""
        (log,) = (self.folder / "events").iterdir()
        lines = (json.loads(line) for line in log.read_text().splitlines())
        return [event for event in lines if event["Event"] == name]


def test_two_workers_find_what_one_process_finds(cluster, pairs, expected, tmp_path):
    run = Run(cluster, pairs, tmp_path)
    assert run.rows() == expected
    assert len({event["Executor ID"] for event in run.events("SparkListenerExecutorAdded")}) == 2


def test_a_worker_that_is_killed_with_its_executor_changes_nothing(cluster, pairs, expected, tmp_path):
    run = Run(cluster, pairs, tmp_path)
    wait_for("finished task", lambda: run.tasks_done() >= PARTITIONS // 4)
    cluster.kill(1)
    assert run.tasks_done() < PARTITIONS
    assert run.rows() == expected
    assert run.events("SparkListenerExecutorRemoved")


def test_tasks_that_run_twice_count_once(cluster, pairs, expected, tmp_path):
    # A task is started again as soon as it runs while a core is idle.
    often = ["spark.speculation.interval=10ms", "spark.speculation.multiplier=0.01", "spark.speculation.quantile=0.1"]
    run = Run(cluster, pairs, tmp_path, "spark.speculation=true", "spark.speculation.minTaskRuntime=1ms", *often)
    assert run.rows() == expected
    started = run.events("SparkListenerTaskStart")
    assert any(event["Task Info"]["Speculative"] for event in started)
