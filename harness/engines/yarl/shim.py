"""The yarl package as an engine: URL(base).join(URL(reference))."""
import json, sys
import yarl
from yarl import URL

hello = {"protocol": 1, "engine": "yarl", "version": yarl.__version__, "ops": ["resolve"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    base, reference = asked["base"], asked["reference"]
    part = "base: "
    try:
        # The base is an object here, so with an unknown base the reference is parsed alone.
        start = URL(base) if base else None
        part = ""
        url = URL(reference)
        answer = {"url": str(start.join(url) if start is not None else url)}
    except (ValueError, TypeError, IndexError) as error:
        answer = {"failure": part + str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
