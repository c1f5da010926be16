"""The IRIs of rdflib as an engine: URIRef(reference, base=base)."""
import json, logging, sys
import rdflib

logging.disable()  # it logs a warning for every IRI that it could not serialize later

hello = {"protocol": 1, "engine": "rdflib", "version": rdflib.__version__, "ops": ["resolve"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    base, reference = asked["base"], asked["reference"]
    try:
        # The base is text here, so an unknown base is the empty text.
        answer = {"url": str(rdflib.URIRef(reference, base=base))}
    except (ValueError, TypeError, IndexError) as error:
        answer = {"failure": str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
