"""The URLObject package as an engine: URLObject(base).relative(reference)."""
import importlib.metadata, json, sys
from urlobject import URLObject

hello = {"protocol": 1, "engine": "urlobject", "version": importlib.metadata.version("urlobject"), "ops": ["resolve"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    base, reference = asked["base"], asked["reference"]
    try:
        answer = {"url": str(URLObject(base).relative(reference))}
    except (ValueError, AssertionError) as error:
        answer = {"failure": str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
