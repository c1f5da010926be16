"""Compare the time per link with that of urllib.parse.urljoin and yarl, on the same links in one run.

    python harness/python/benches/resolve.py [PAIRS]

PAIRS has lines of base, tab and reference; the default are the links of documentation in this repository. Each round
measures every function once, so that all of them meet the same load of the machine. The time is that of the processor, since
other programs would otherwise delay the slow functions more often. The median of the rounds is printed, and its ratio to that
of urlstrata.resolve_batch.
"""

import pathlib
import statistics
import sys
import time
import urllib.parse

import polars
import urlstrata
import yarl

ROUNDS = 15
REPOSITORY = pathlib.Path(__file__).resolve().parents[3]


def with_yarl(base, reference):
    try:
        return str(yarl.URL(base).join(yarl.URL(reference)))
    except ValueError:
        return None


def each(function, pairs):
    return [function(base, reference) for base, reference in pairs]


def by_base(pairs):
    """Resolve with a prepared base for consecutive links of a page."""
    targets, start = [], 0
    for at in range(1, len(pairs) + 1):
        if at == len(pairs) or pairs[at][0] != pairs[start][0]:
            references = [reference for _, reference in pairs[start:at]]
            targets += urlstrata.Base(pairs[start][0]).resolve_many(references)
            start = at
    return targets


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else REPOSITORY / "vectors" / "links" / "documentation.tsv"
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    pairs = [tuple(line.split("\t", 1)) for line in lines if "\t" in line]
    frame = polars.DataFrame(pairs, schema=["base", "reference"], orient="row")
    functions = {
        "urlstrata.resolve_batch": lambda: urlstrata.resolve_batch(frame),
        "urlstrata.resolve_batch, as a list": lambda: urlstrata.resolve_batch(frame).to_pylist(),
        "urlstrata.Base.resolve_many": lambda: by_base(pairs),
        "urlstrata.resolve": lambda: each(urlstrata.resolve, pairs),
        "urllib.parse.urljoin": lambda: each(urllib.parse.urljoin, pairs),
        "yarl.URL.join": lambda: each(with_yarl, pairs),
    }
    times = {name: [] for name in functions}
    for _ in range(ROUNDS):
        for name, function in functions.items():
            start = time.thread_time()
            function()
            times[name].append(time.thread_time() - start)
    own = statistics.median(times["urlstrata.resolve_batch"])
    print(f"{len(pairs)} links, median of {ROUNDS} rounds")
    for name, measured in times.items():
        median = statistics.median(measured)
        print(f"{name:36} {median / len(pairs) * 1e9:9.1f} ns a link {median / own:8.1f} times")


if __name__ == "__main__":
    main()
