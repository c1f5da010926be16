"""The werkzeug package as an engine: url_join(base, reference), which Werkzeug 3 removed."""
import importlib.metadata, json, sys, warnings
from werkzeug.urls import url_join

warnings.simplefilter("ignore", DeprecationWarning)

hello = {"protocol": 1, "engine": "werkzeug", "version": importlib.metadata.version("werkzeug"), "ops": ["resolve"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    base, reference = asked["base"], asked["reference"]
    try:
        answer = {"url": url_join(base, reference)}
    except (ValueError, IndexError) as error:
        answer = {"failure": str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
