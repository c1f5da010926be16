"""The furl package as an engine: furl(base).join(reference).url."""
import json, sys
from importlib.metadata import version
from furl import furl

hello = {"protocol": 1, "engine": "furl", "version": version("furl"), "ops": ["resolve"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    base, reference = asked["base"], asked["reference"]
    part = "base: "
    try:
        # The base is an object here, so with an unknown base the reference is parsed alone.
        start = furl(base) if base else None
        part = ""
        url = start.join(reference) if start is not None else furl(reference)
        answer = {"url": url.url}
    except (ValueError, TypeError, IndexError, AttributeError) as error:
        answer = {"failure": part + str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
