"""Arrow data in and out, without any other library where that is possible."""

import random

import pytest

import urlstrata

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed: it makes the input")

TYPES = [pa.string(), pa.large_string(), pa.string_view()]


def table(pairs, type=None):
    bases, references = zip(*pairs) if pairs else ((), ())
    type = type or pa.string()
    return pa.table({"base": pa.array(bases, type), "reference": pa.array(references, type)})


def expected(pairs, revision="rfc3986"):
    return [
        None if base is None or reference is None else urlstrata.Base(base, revision).resolve_many([reference])[0]
        for base, reference in pairs
    ]


SMALL = [
    ("http://a/b/c", "../d"),
    ("http://a/b/c", "e"),
    (None, "f"),
    ("http://a/b/c", None),
    ("", "g"),
    ("", "http://é/"),
    ("http://a/\0", "\0"),
    ("http://a", ""),
    ("s:", "longer than twelve bytes, so that a view refers to a buffer"),
]


@pytest.mark.parametrize("type", TYPES, ids=str)
@pytest.mark.parametrize("revision", ["rfc3986", "rfc1630", "whatwg"])
def test_batches_tables_and_streams_resolve_as_single_pairs_do(type, revision):
    whole = table(SMALL, type)
    [batch] = whole.to_batches()
    chunked = pa.concat_tables([whole[:2], whole[2:2], whole[2:]])
    stream = pa.RecordBatchReader.from_batches(whole.schema, iter(whole.to_batches(max_chunksize=2)))
    for data in (batch, whole, chunked, stream, batch.slice(0), pa.table(whole).combine_chunks()):
        resolved = urlstrata.resolve_batch(data, revision)
        assert pa.array(resolved).type == type
        assert resolved.to_pylist() == pa.array(resolved).to_pylist() == expected(SMALL, revision)
        pa.array(resolved).validate(full=True)


def test_a_slice_resolves_only_its_rows():
    [batch] = table(SMALL).to_batches()
    assert urlstrata.resolve_batch(batch.slice(1, 5)).to_pylist() == expected(SMALL[1:6])


def test_other_column_names_can_be_used():
    renamed = table(SMALL).rename_columns(["page", "href"])
    assert urlstrata.resolve_batch(renamed, base="page", reference="href").to_pylist() == expected(SMALL)


def test_dictionaries_of_strings_are_decoded():
    data = table(SMALL)
    encoded = pa.table({name: data[name].combine_chunks().dictionary_encode() for name in data.column_names})
    assert urlstrata.resolve_batch(encoded).to_pylist() == expected(SMALL)


def test_links_of_documentation_resolve_as_single_pairs_do(pairs):
    for revision in urlstrata.revisions()[:7]:
        assert urlstrata.resolve_batch(table(pairs), revision).to_pylist() == expected(pairs, revision)


@pytest.mark.parametrize("function", [urlstrata.resolve_batch, urlstrata.survey_batch])
def test_no_rows_have_no_results(function):
    empty = table([])
    for data in (empty, pa.RecordBatchReader.from_batches(empty.schema, []), *empty.to_batches()):
        assert len(function(data)) == 0


@pytest.mark.parametrize("function", [urlstrata.resolve_batch, urlstrata.survey_batch])
def test_a_missing_column_is_named_with_those_that_exist(function):
    with pytest.raises(ValueError) as raised:
        function(table(SMALL).rename_columns(["base", "href"]))
    assert str(raised.value) == 'there is no column "reference": the columns are "base", "href"'
    with pytest.raises(ValueError, match="the columns are none"):
        function(pa.table({}))


@pytest.mark.parametrize("function", [urlstrata.resolve_batch, urlstrata.survey_batch])
def test_a_column_of_another_type_is_rejected(function):
    data = pa.table({"base": ["http://a/"], "reference": [1]})
    with pytest.raises(TypeError, match='^the column "reference" has the type Int64: it has to be string'):
        function(data)


@pytest.mark.parametrize("function", [urlstrata.resolve_batch, urlstrata.survey_batch])
@pytest.mark.parametrize("data", [None, 1, "http://a/", [("http://a/", "b")], {"base": []}])
def test_what_is_not_arrow_data_is_rejected(function, data):
    with pytest.raises(TypeError, match="is not Arrow data: pass a record batch, a table, a data frame"):
        function(data)


@pytest.mark.parametrize("function", [urlstrata.resolve_batch, urlstrata.survey_batch])
def test_arrow_data_without_columns_are_rejected(function):
    for data in (pa.array(["a"]), pa.chunked_array([["a"]])):
        with pytest.raises(TypeError, match="^the Arrow data are not record batches: "):
            function(data)


def test_an_error_of_the_stream_is_raised():
    def batches():
        yield table(SMALL).to_batches()[0]
        raise OSError("the file ends early")

    stream = pa.RecordBatchReader.from_batches(table(SMALL).schema, batches())
    with pytest.raises(ValueError, match="^the data cannot be read: .*the file ends early"):
        urlstrata.resolve_batch(stream)


def not_text():
    """Return a column whose second value is not UTF-8, as a faulty program could write it."""
    values = pa.array([b"http://a/", b"\xff\xfe", b"c"])
    return pa.Array.from_buffers(pa.string(), 3, values.buffers())


def test_values_that_are_not_text_have_no_result_and_are_skipped():
    data = pa.table({"base": pa.array(["http://a/"] * 3), "reference": not_text()})
    assert urlstrata.resolve_batch(data).to_pylist() == ["http://a/", None, "http://a/c"]
    skipped = [row["count"] for row in urlstrata.survey_batch(data).to_pylist() if row["kind"] == "skipped"]
    assert skipped == [1]


def test_an_unknown_engine_or_revision_is_rejected():
    with pytest.raises(ValueError, match="no engine is called"):
        urlstrata.survey_batch(table(SMALL), engine="crate:urls")
    for function in (urlstrata.resolve_batch, urlstrata.survey_batch):
        with pytest.raises(ValueError, match="^invalid value 'rfc9' for revision: no specification is called "):
            function(table(SMALL), revision="rfc9")


def test_results_have_the_protocol_of_arrow():
    survey = urlstrata.survey_batch(table(SMALL))
    assert pa.table(survey).to_pylist() == pa.record_batch(survey).to_pylist() == survey.to_pylist()
    assert pa.schema(survey) == pa.schema(
        [
            pa.field("engine", pa.string(), False),
            pa.field("against", pa.string(), False),
            pa.field("kind", pa.string(), False),
            pa.field("cause", pa.string()),
            pa.field("effect", pa.string()),
            pa.field("count", pa.int64(), False),
            pa.field("rank", pa.binary()),
            pa.field("base", pa.string()),
            pa.field("reference", pa.string()),
            pa.field("engine_result", pa.string()),
            pa.field("against_result", pa.string()),
        ]
    )
    assert survey.to_pydict() == pa.table(survey).to_pydict()
    assert len(survey) == survey.num_rows
    resolved = urlstrata.resolve_batch(table(SMALL))
    assert pa.array(resolved, pa.large_string()).to_pylist() == resolved.to_pylist()
    assert [resolved[0], resolved[2], len(resolved), resolved.null_count] == ["http://a/d", None, 9, 3]
    with pytest.raises(IndexError):
        resolved[9]


UNUSUAL = [("http://a/b", "///c"), ("http://a/b", "d e"), ("http://A/b", "%7e"), ("x:y", "z"), (None, "f"), ("", "g")]


def mixed(pairs, rows=400):
    """Return links with many divergences, and some nulls."""
    chosen = random.Random(7).choices([*pairs[::40], *UNUSUAL], k=rows)
    return [pair for pair in chosen]


def as_rows(survey):
    return survey.to_pylist()


@pytest.mark.parametrize("arguments", [{}, {"revision": "whatwg"}, {"engine": "urllib"}, {"history": True}], ids=str)
def test_a_survey_is_that_of_the_command(command, pairs, arguments):
    import json

    links = mixed(pairs)
    options = ["-e", arguments.get("engine", "crate:url"), "-r", arguments.get("revision", "rfc3986")]
    if "history" in arguments:
        options = ["--history"]
    lines = "".join(f"{base}\t{reference}\n" for base, reference in links if base is not None)
    printed = json.loads(command("run", "--pairs", "-", "--format", "json", *options, input=lines).stdout)
    survey = as_rows(urlstrata.survey_batch(table(links), **arguments))
    skipped = sum(base is None for base, _ in links)
    for comparison in printed["comparisons"]:
        own = [row for row in survey if (row["engine"], row["against"]) == (comparison["engine"], comparison["against"])]
        totals = {kind: sum(row["count"] for row in own if row["kind"] == kind) for kind in comparison["totals"]}
        assert totals == {**comparison["totals"], "cases": 0}
        assert sum(row["count"] for row in own if row["kind"] == "skipped") == skipped
        found = {
            (row["cause"], row["effect"]): (row["count"], row["base"], row["reference"], row["against_result"])
            for row in own
            if row["cause"] is not None
        }
        assert found == {
            (it["cause"], it["effect"]): (
                it["count"],
                it["witness"]["base"],
                it["witness"]["reference"],
                it["witness"]["specification"].get("url")
                or "failure: " + it["witness"]["specification"]["failure"],
            )
            for it in comparison["classes"]
        }
    assert {(row["engine"], row["against"]) for row in survey} == {
        (comparison["engine"], comparison["against"]) for comparison in printed["comparisons"]
    }


@pytest.mark.parametrize("arguments", [{}, {"engine": "predicted:urllib"}, {"history": True}], ids=str)
def test_surveys_of_parts_merge_to_the_survey_of_all_rows_in_any_order_and_grouping(pairs, arguments):
    links = mixed(pairs, 200)
    whole = as_rows(urlstrata.survey_batch(table(links), **arguments))
    for seed in range(10):
        chance = random.Random(seed)
        order = links[:]
        chance.shuffle(order)
        cuts = sorted(chance.choices(range(len(order) + 1), k=chance.randrange(6)))
        parts = [order[start:end] for start, end in zip([0, *cuts], [*cuts, len(order)])]
        surveys = [urlstrata.survey_batch(table(part), **arguments) for part in parts]
        chance.shuffle(surveys)
        while len(surveys) > 1:
            at = chance.randrange(1, len(surveys)) + 1
            surveys = [*surveys[at:], urlstrata.merge_surveys(surveys[:at])]
        assert as_rows(surveys[0]) == whole


def test_the_bytes_of_ranks_choose_the_witness_of_the_whole_survey():
    """The survey of all rows compares pairs and not bytes."""
    chance = random.Random(3)
    texts = ["http://a", "http://a/", "http://a\0", "s:", "", "é", "\0", "\0\0", "\1", "a", "a\0", "//", "///a", " ", "|", "\uffff"]
    for _ in range(60):
        pairs = [
            ("".join(chance.choices(texts, k=chance.randrange(1, 3))), "".join(chance.choices(texts, k=2)))
            for _ in range(8)
        ]
        rows = [row for pair in pairs for row in urlstrata.survey_batch(table([pair])).to_pylist()]
        for whole in urlstrata.survey_batch(table(pairs)).to_pylist():
            own = [row for row in rows if row["kind"] == whole["kind"] and row["cause"] == whole["cause"]
                   and row["effect"] == whole["effect"]]
            smallest = min(own, key=lambda row: row["rank"] or b"")
            assert {**smallest, "count": len(own)} == whole


def test_any_system_merges_rows_by_sum_and_smallest_rank(pairs):
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    links = mixed(pairs)
    parts = pa.concat_tables([pa.table(urlstrata.survey_batch(table(links[at : at + 37]))) for at in range(0, 400, 37)])
    merged = duckdb.sql(
        """select engine, against, kind, cause, effect, sum("count")::bigint as "count", min(rank) as rank,
                  min_by(base, rank) as base, min_by(reference, rank) as reference,
                  min_by(engine_result, rank) as engine_result, min_by(against_result, rank) as against_result
           from parts group by all"""
    )
    assert as_rows(urlstrata.merge_surveys(merged)) == as_rows(urlstrata.survey_batch(table(links)))
    rows = merged.fetchall()
    assert sorted(map(repr, rows)) == sorted(repr(tuple(row.values())) for row in as_rows(urlstrata.merge_surveys(parts)))


@pytest.mark.parametrize("type", TYPES, ids=str)
def test_surveys_merge_in_every_type_of_strings(type):
    survey = pa.table(urlstrata.survey_batch(table(SMALL)))
    cast = pa.table({name: survey[name].cast(type) if pa.types.is_string(survey[name].type) else survey[name]
                     for name in survey.column_names})
    assert as_rows(urlstrata.merge_surveys(cast)) == as_rows(urlstrata.merge_surveys([survey]))


def test_surveys_of_different_versions_do_not_merge():
    survey = pa.table(urlstrata.survey_batch(table(SMALL)))
    assert survey.schema.metadata == {b"urlstrata": urlstrata.__version__.encode()}
    other = survey.replace_schema_metadata({"urlstrata": "9.9.9"})
    with pytest.raises(ValueError) as raised:
        urlstrata.merge_surveys([survey, other])
    assert f"one was made by urlstrata {urlstrata.__version__}, and another by urlstrata 9.9.9" in str(raised.value)
    assert as_rows(urlstrata.merge_surveys([survey.replace_schema_metadata(None), other])) != []


def test_tables_that_are_not_surveys_do_not_merge():
    survey = pa.table(urlstrata.survey_batch(table(SMALL)))
    with pytest.raises(ValueError, match='there is no column "engine"'):
        urlstrata.merge_surveys(table(SMALL))
    with pytest.raises(TypeError, match="is not Arrow data"):
        urlstrata.merge_surveys([survey, 1])
    with pytest.raises(TypeError):
        urlstrata.merge_surveys(None)
    at = survey.column_names.index
    for name, column, sentence in [
        ("kind", pa.array(["same"] * len(survey)), 'row 0 of a survey has the kind "same": there are agree, '),
        ("count", pa.array([None] * len(survey), pa.int64()), "row 0 of a survey has no count"),
        ("count", pa.array([-1] * len(survey)), "row 0 of a survey has no count"),
        ("engine", pa.nulls(len(survey), pa.string()), "row 0 of a survey has no engine"),
    ]:
        with pytest.raises(ValueError) as raised:
            urlstrata.merge_surveys(survey.set_column(at(name), name, column))
        assert sentence in str(raised.value)
    for name, column in [("count", pa.array([1.0] * len(survey))), ("rank", pa.array(["a"] * len(survey)))]:
        with pytest.raises(TypeError, match=f'the column "{name}" has the type'):
            urlstrata.merge_surveys(survey.set_column(at(name), name, column))


def test_no_surveys_merge_to_no_rows():
    assert urlstrata.merge_surveys([]).to_pylist() == []


def test_threads_run_at_the_same_time_and_return_the_same(pairs):
    import concurrent.futures

    data = table(mixed(pairs, 100))
    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        surveys = list(threads.map(lambda _: as_rows(urlstrata.survey_batch(data, engine="urllib")), range(8)))
    assert all(survey == surveys[0] for survey in surveys)
