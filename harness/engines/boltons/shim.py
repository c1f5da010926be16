"""The boltons package as an engine: URL(base).navigate(reference)."""
import importlib.metadata, json, sys
from boltons.urlutils import URL

hello = {"protocol": 1, "engine": "boltons", "version": importlib.metadata.version("boltons"), "ops": ["resolve"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    base, reference = asked["base"], asked["reference"]
    try:
        # The base is an object here, so with an unknown base the reference is parsed alone.
        url = URL(base).navigate(reference) if base else URL(reference)
        answer = {"url": url.to_text()}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        answer = {"failure": str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
