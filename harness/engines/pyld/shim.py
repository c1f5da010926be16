"""PyLD as an engine: iri_resolver.resolve(reference, base)."""
import json, sys
from importlib.metadata import version
from pyld.iri_resolver import resolve

hello = {"protocol": 1, "engine": "PyLD", "version": version("pyld"), "ops": ["resolve"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    base, reference = asked["base"], asked["reference"]
    try:
        # The base is text here, so an unknown base is the empty text.
        answer = {"url": resolve(reference, base)}
    except (ValueError, TypeError, IndexError) as error:
        answer = {"failure": str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
