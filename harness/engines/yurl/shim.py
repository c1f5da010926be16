"""The yurl package as an engine: URL(base) + URL(reference)."""
import importlib.metadata, json, sys
from yurl import URL

hello = {"protocol": 1, "engine": "yurl", "version": importlib.metadata.version("yurl"), "ops": ["resolve"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    base, reference = asked["base"], asked["reference"]
    try:
        answer = {"url": str(URL(base) + URL(reference))}
    except ValueError as error:
        answer = {"failure": str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
