"""The Notation3 parser of rdflib, which is that of cwm, as an engine: join(base, reference)."""
import importlib.metadata, json, sys
from rdflib.plugins.parsers.notation3 import join

hello = {"protocol": 1, "engine": "rdflib-notation3", "version": importlib.metadata.version("rdflib"), "ops": ["resolve"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    try:
        # An unknown base is passed as the empty text.
        answer = {"url": join(asked["base"], asked["reference"])}
    except (ValueError, AssertionError) as error:
        answer = {"failure": str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
