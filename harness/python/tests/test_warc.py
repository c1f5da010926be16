"""The links of WARC files."""

import gzip

import pytest

import urlstrata


def record(url, page, kind="resource"):
    page = page.encode()
    header = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\n"
        f"Content-Type: text/html\r\nContent-Length: {len(page)}\r\n\r\n"
    )
    return header.encode() + page + b"\r\n\r\n"


RECORDS = [record(f"http://h{index}/", f"\n<a href=a{index}><a href=b>") for index in range(5)]


def write(path, members):
    path.write_bytes(b"".join(members))
    return path


def rows(links):
    return [row for batch in links for row in batch.to_pylist()]


@pytest.mark.parametrize("compress", [lambda member: member, gzip.compress], ids=["plain", "gzip"])
@pytest.mark.parametrize("batch_size", [1, 3, 65536])
def test_every_page_has_its_links(tmp_path, compress, batch_size):
    members = [compress(member) for member in RECORDS]
    path = write(tmp_path / "crawl.warc", members)
    links = urlstrata.warc_links(path, batch_size=batch_size)
    batches = list(links)
    assert [len(batch) for batch in batches[:-1]] == [batch_size] * (len(batches) - 1)
    offsets = [sum(map(len, members[:index])) for index in range(5)]
    assert [row for batch in batches for row in batch.to_pylist()] == [
        {"base": f"http://h{index}/", "reference": reference, "place": f"{path}@{offsets[index]}:2"}
        for index in range(5)
        for reference in (f"a{index}", "b")
    ]
    assert links.records == {"pages": 5, "other": 0, "too_long": 0, "undecoded": 0, "damaged": 0, "listed": []}
    assert list(links) == []


def test_links_are_those_of_the_command(command, tmp_path):
    if "warc" not in command("links", "--help").stdout:
        pytest.skip("the command does not read WARC files")
    path = write(tmp_path / "crawl.warc.gz", map(gzip.compress, RECORDS))
    printed = command("links", "--pairs", "--places", str(path))
    assert printed.returncode == 0, printed.stderr
    assert [tuple(line.split("\t")) for line in printed.stdout.splitlines()] == [
        tuple(row.values()) for row in rows(urlstrata.warc_links(path))
    ]


def test_damaged_records_are_counted_and_skipped_and_the_others_are_found(tmp_path):
    members = [gzip.compress(member) for member in RECORDS]
    members[2] = members[2][:20] + b"\0" * 8 + members[2][28:]
    links = urlstrata.warc_links(write(tmp_path / "crawl.warc.gz", members))
    assert {row["base"] for row in rows(links)} == {f"http://h{index}/" for index in (0, 1, 3, 4)}
    assert (links.records["pages"], links.records["damaged"]) == (4, 1)
    [(offset, why)] = links.records["listed"]
    assert offset == str(len(members[0] + members[1])) and why


def test_a_file_without_records_is_counted_as_damaged(tmp_path):
    links = urlstrata.warc_links(write(tmp_path / "page.html", [b"<a href=b>"]))
    assert rows(links) == []
    assert links.records["damaged"] == 1


def test_the_links_are_a_stream_of_arrow_data(tmp_path):
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    path = write(tmp_path / "crawl.warc", RECORDS)
    whole = pyarrow.table(urlstrata.warc_links(path, batch_size=3))
    assert whole.to_pylist() == rows(urlstrata.warc_links(path))
    assert whole.column("base").num_chunks == 4
    survey = urlstrata.survey_batch(urlstrata.warc_links(path, batch_size=3)).to_pylist()
    assert survey == urlstrata.survey_batch(whole).to_pylist()
    assert urlstrata.resolve_batch(urlstrata.warc_links(path))[0] == "http://h0/a0"


def test_a_page_with_a_long_base_is_read_in_short_batches(tmp_path):
    base = "http://h/" + "x" * 60_000
    page = f"<base href='{base}'>" + "<a href=b>" * 2_000
    batches = urlstrata.warc_links(write(tmp_path / "crawl.warc", [record("http://h/", page)]))
    sizes = [len(batch) for batch in batches]
    # Each link repeats the base, so that all of them are 120 MB.
    assert sum(sizes) == 2_000 and max(sizes) < 200


@pytest.mark.parametrize("path, sentence", [("missing.warc", "cannot be read: "), (".", "cannot be read: ")])
def test_a_file_that_cannot_be_read_is_an_error(tmp_path, path, sentence):
    with pytest.raises(OSError) as raised:
        urlstrata.warc_links(tmp_path / path)
    assert str(raised.value).startswith(f"{tmp_path / path}: {sentence}")


@pytest.mark.parametrize("arguments", [{"batch_size": 0}, {"revision": "rfc9"}, {"revision": "whatwg"}], ids=str)
def test_bad_arguments_are_rejected(tmp_path, arguments):
    with pytest.raises(ValueError):
        urlstrata.warc_links(write(tmp_path / "crawl.warc", RECORDS), **arguments)
