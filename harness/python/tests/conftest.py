"""Shared input: the command, where it is built, and links of documentation."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def command():
    """Run the command urlstrata and return the finished process; the tests without it are skipped."""
    built = [REPOSITORY / "target" / profile / "urlstrata" for profile in ("release", "debug")]
    given = os.environ.get("URLSTRATA_COMMAND")
    found = given or next((str(path) for path in built if path.exists()), None)
    if found is None:
        pytest.skip("the command is not built: cargo build --release")

    def run(*arguments, input=None):
        return subprocess.run([found, *arguments], input=input, capture_output=True, text=True)

    return run


@pytest.fixture(scope="session")
def pairs():
    """Links of documentation pages, as base and reference."""
    lines = (REPOSITORY / "vectors" / "links" / "documentation.tsv").read_text(encoding="utf-8").splitlines()
    return [tuple(line.split("\t", 1)) for line in lines]
