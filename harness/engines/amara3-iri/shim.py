"""The amara3.iri package as an engine: iri.absolutize(reference, base)."""
import json, sys
from importlib.metadata import version
from amara3 import iri

hello = {"protocol": 1, "engine": "amara3.iri", "version": version("amara3.iri"), "ops": ["resolve"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    base, reference = asked["base"], asked["reference"]
    try:
        # The base is text here, so an unknown base is the empty text.
        answer = {"url": iri.absolutize(reference, base)}
    except (ValueError, TypeError, IndexError, AttributeError) as error:
        # Its errors name the base in these words, and none other does.
        part = "base: " if str(error).startswith("Invalid base URI") else ""
        answer = {"failure": part + str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
