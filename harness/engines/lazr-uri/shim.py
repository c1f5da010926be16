"""The package lazr.uri as an engine: URI(base).resolve(reference)."""
import importlib.metadata, json, sys
from lazr.uri import InvalidURIError, URI

def resolve(base, reference):
    # The base is an object here, so with an unknown base the reference is parsed alone.
    return str(URI(base).resolve(reference) if base else URI(reference))

hello = {"protocol": 1, "engine": "lazr.uri", "version": importlib.metadata.version("lazr.uri"), "ops": ["resolve"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    try:
        answer = {"url": resolve(asked["base"], asked["reference"])}
    except (InvalidURIError, ValueError, TypeError, AttributeError) as error:
        answer = {"failure": str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
