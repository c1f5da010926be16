"""resolve, Base, links, explain and the lists."""

import json
import pathlib

import pytest

import urlstrata

DATA = pathlib.Path(__file__).parent / "data"


def reference_vectors(command_output=None):
    lines = command_output.splitlines() if command_output else (DATA / "vectors.jsonl").open(encoding="utf-8")
    vectors = [json.loads(line) for line in lines]
    return [vector for vector in vectors if vector.get("kind", "reference") == "reference"]


def check_vectors(vectors):
    """Compare resolve with each expectation, and return how many there are."""
    checked = 0
    for vector in vectors:
        for revision, expected in vector["expect"].items():
            if revision not in urlstrata.revisions():
                continue
            is_failure = isinstance(expected, dict) and expected.get("failure")
            url = expected["url"] if isinstance(expected, dict) and "url" in expected else expected
            try:
                resolved = urlstrata.resolve(vector["base"], vector["reference"], revision)
                # A reference to the document itself has a target although its vector expects a failure.
                assert not is_failure or expected.get("same_document"), vector["id"]
            except urlstrata.ResolutionError:
                assert is_failure, vector["id"]
            if not is_failure:
                assert resolved == url, vector["id"]
            checked += 1
    return checked


def test_the_examples_of_the_specifications_resolve_as_printed():
    assert check_vectors(reference_vectors()) > 100


def test_every_vector_of_the_command_resolves_as_it_expects(command):
    exported = command("vectors", "export", "--as", "jsonl")
    assert exported.returncode == 0, exported.stderr
    assert check_vectors(reference_vectors(exported.stdout)) > 1000


@pytest.mark.parametrize("revision", ["rfc3986", "rfc1808", "whatwg"])
def test_a_prepared_base_resolves_as_the_function_does(pairs, revision):
    for base, reference in pairs[::50]:
        prepared = urlstrata.Base(base, revision)
        expected = urlstrata.resolve(base, reference, revision)
        assert prepared.resolve(reference) == expected
        assert prepared.resolve_many([reference, reference]) == [expected, expected]


def test_undefined_targets_are_none_among_many():
    assert urlstrata.Base("").resolve_many(iter(["g", "http://a/"])) == [None, "http://a/"]
    assert urlstrata.Base("http://h/", "whatwg").resolve_many(["http://:0", "a"]) == [None, "http://h/a"]


def test_a_failure_has_the_sentence_of_the_command(command):
    with pytest.raises(urlstrata.ResolutionError) as raised:
        urlstrata.resolve("", "g")
    assert command("resolve", "--as", "ref:rfc3986", "g").stdout == f"failure: {raised.value}\n"
    assert isinstance(raised.value, ValueError)


def test_an_unknown_revision_has_the_sentence_of_the_command(command):
    said = command("explain", "x", "-r", "rfc9").stderr
    for call in (
        lambda: urlstrata.resolve("", "g", "rfc9"),
        lambda: urlstrata.Base("", "rfc9"),
        lambda: urlstrata.explain("", "g", revisions=["rfc9"]),
    ):
        with pytest.raises(ValueError, match="^invalid value 'rfc9' for revision: no specification is called ") as raised:
            call()
        assert str(raised.value).split(": ", 1)[1] in said


def test_a_revision_without_resolution_has_the_sentence_of_the_command(command):
    with pytest.raises(ValueError, match="resolves nothing") as raised:
        urlstrata.resolve("", "g", "rfc1738")
    assert str(raised.value).split(": ", 1)[1] in command("explain", "x", "-r", "rfc1738").stderr


def test_an_unknown_engine_has_the_sentence_of_the_command(command):
    for name in ("crate:urls", "urllib@0.1", "predicted:nothing"):
        with pytest.raises(ValueError) as raised:
            urlstrata.explain("", "g", engines=[name])
        assert command("explain", "x", "-e", name).stderr == f"urlstrata: {raised.value}\n"


def test_programs_are_refused():
    with pytest.raises(ValueError, match="is a program, which only the command"):
        urlstrata.explain("", "g", engines=["py=cmd:python3 shim.py"])


def test_every_revision_and_engine_in_the_lists_exists():
    for revision in urlstrata.revisions():
        assert urlstrata.resolve("http://a/b/c", "http://d/", revision)
    engines = urlstrata.engines()
    assert len(engines) == len(set(engines))
    assert urlstrata.explain("http://a/b", "c", engines=engines[::20] + engines[-1:])


@pytest.mark.parametrize("base, reference", [(None, "g"), (b"http://a/", "g"), ("http://a/", 1)])
def test_other_types_are_rejected(base, reference):
    with pytest.raises(TypeError):
        urlstrata.resolve(base, reference)
    with pytest.raises(TypeError):
        urlstrata.explain(base, reference)
    with pytest.raises(TypeError):
        urlstrata.Base(base).resolve_many([reference])


def test_lone_surrogates_are_rejected():
    for call in (urlstrata.resolve, urlstrata.explain):
        with pytest.raises(UnicodeEncodeError):
            call("http://a/", "\ud800")
    with pytest.raises(UnicodeEncodeError):
        urlstrata.Base("http://a/").resolve_many(["b", "\udfff"])
    with pytest.raises(UnicodeEncodeError):
        urlstrata.links("<a href='\udc80'>")


def test_nul_does_not_terminate_input():
    assert urlstrata.resolve("http://a/\0b/", "c\0d") == "http://a/\0b/c\0d"
    assert urlstrata.Base("http://a/").resolve_many(["\0"]) == ["http://a/\0"]


def test_references_that_are_not_iterable_are_rejected():
    with pytest.raises(TypeError):
        urlstrata.Base("http://a/").resolve_many(1)


@pytest.mark.parametrize(
    "options, arguments",
    [
        ([], {}),
        (["-e", "crate:url"], {"engines": ["crate:url"]}),
        (["-e", "urllib", "-r", "whatwg", "-r", "rfc1808"], {"engines": ["urllib"], "revisions": ["whatwg", "rfc1808"]}),
        (["--predicted"], {"predicted": True}),
        (["--trace", "-e", "crate:oxiri"], {"engines": ["crate:oxiri"], "trace": True}),
    ],
)
def test_an_explanation_is_the_json_of_the_command(command, options, arguments):
    for base, reference in [("http://www.victim.com/login", "///evil.com"), ("foo:a", "//é/../x"), ("", "g")]:
        printed = command("explain", reference, "--base", base, "--format", "json", *options)
        assert printed.returncode == 0, printed.stderr
        printed = json.loads(printed.stdout)
        # With one engine, the command adds a bug report.
        printed.pop("bug_report", None)
        for engine in printed["engines"]:
            for against in engine["against"]:
                against.pop("smallest", None)
        assert urlstrata.explain(base, reference, **arguments) == printed


def test_three_slashes_have_three_hosts():
    explanation = urlstrata.explain("http://www.victim.com/login", "///evil.com")
    hosts = {revision: group["location"]["host"] for group in explanation["groups"] if group["location"]
             for revision in group["by"]}
    assert (hosts["rfc3986"], hosts["rfc1808"], hosts["whatwg-2026-07"]) == ("", "www.victim.com", "evil.com")


def test_links_are_those_of_the_command(command, tmp_path):
    page = "<base href='../q/'>\n<a href=x?é>\n<img src='//h/y'><a href='http://[::'>\n<meta charset=latin1>"
    path = tmp_path / "page.html"
    path.write_text(page, encoding="utf-8-sig")
    printed = command("links", "--format", "json", "--retrieved-from", "http://a/b/c", str(path))
    part = json.loads(printed.stdout)[0]["parts"][0]
    expected = [
        (link["line"], link["place"], part["base"], link["reference"], link.get("target")) for link in part["links"]
    ]
    assert len(expected) == 3
    assert urlstrata.links(page, base="http://a/b/c") == expected
    assert urlstrata.links(path.read_bytes(), base="http://a/b/c") == expected


def test_links_resolve_by_the_revision():
    [link] = urlstrata.links("<a href='///d'>", base="http://a/b", revision="rfc1808")
    assert (link.line, link.place, link.url) == (1, "a href", "http://a/d")
    assert urlstrata.links("see <URL:http://a/>", kind="text")[0].reference == "http://a/"
    assert urlstrata.links("") == []
    assert urlstrata.links("<a href=b>") == [(1, "a href", "", "b", None)]


def test_the_encoding_that_a_text_declares_is_not_used():
    assert urlstrata.links("<meta charset=latin1><a href='é'>")[0].reference == "é"


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        ({"kind": "pdf"}, "invalid value 'pdf' for kind: there are html, mime and text"),
        ({"revision": "rfc9"}, "invalid value 'rfc9' for revision: there are rfc1630, "),
        ({"base": "b"}, '"b" is not absolute, so it cannot be the base'),
        ({"revision": "whatwg"}, "does not say how a base is established"),
    ],
)
def test_bad_arguments_of_links_have_a_sentence(arguments, sentence):
    with pytest.raises(ValueError) as raised:
        urlstrata.links("<a href=b>", **arguments)
    assert sentence in str(raised.value)
