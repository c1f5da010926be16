"""The examples of docstrings and of the README run, and the stubs list what exists."""

import ast
import doctest
import pathlib
import re

import pytest

import urlstrata

PACKAGE = pathlib.Path(__file__).resolve().parents[1]
README = (PACKAGE / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```pycon\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def run(text, name):
    test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    assert test.examples, f"{name} has no example"
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(test)
    assert runner.failures == 0


def require_libraries(text):
    for name in re.findall(r"\b(polars|duckdb|pyarrow|pandas)\b", text):
        pytest.importorskip(name, reason=f"{name} is not installed")


EXAMPLES = [
    (name, documented.__doc__)
    for name, documented in ((name, getattr(urlstrata, name)) for name in urlstrata.__all__)
    if ">>>" in (documented.__doc__ or "")
]


@pytest.mark.parametrize("name, text", EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_the_examples_of_docstrings_run(name, text, tmp_path, monkeypatch):
    require_libraries(text)
    monkeypatch.chdir(tmp_path)
    run(text, name)


@pytest.mark.parametrize("block", BLOCKS, ids=[str(at) for at in range(len(BLOCKS))])
def test_the_examples_of_the_readme_run(block, tmp_path, monkeypatch):
    require_libraries(block)
    monkeypatch.chdir(tmp_path)
    run(block, "README.md")


def test_every_export_has_a_docstring_and_a_stub():
    stubs = ast.parse((pathlib.Path(urlstrata.__file__).with_name("__init__.pyi")).read_text(encoding="utf-8"))
    declared = {
        node.name: {it.name for it in node.body if isinstance(it, ast.FunctionDef)} if isinstance(node, ast.ClassDef) else None
        for node in stubs.body
        if isinstance(node, (ast.ClassDef, ast.FunctionDef))
    }
    for name in urlstrata.__all__:
        exported = getattr(urlstrata, name)
        assert exported.__doc__, name
        assert name in declared
        if isinstance(exported, type) and name in ("Array", "Base", "RecordBatch", "WarcLinks"):
            members = {it for it in vars(exported) if not it.startswith("_")}
            assert members == {it for it in declared[name] if not it.startswith("_")}


def test_the_package_is_marked_as_typed():
    assert pathlib.Path(urlstrata.__file__).with_name("py.typed").exists()
