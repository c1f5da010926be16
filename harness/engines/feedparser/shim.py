"""The feedparser package as an engine: make_safe_absolute_uri(base, reference)."""
import importlib.metadata, json, sys
from feedparser.urls import make_safe_absolute_uri

hello = {"protocol": 1, "engine": "feedparser", "version": importlib.metadata.version("feedparser"), "ops": ["resolve"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    base, reference = asked["base"], asked["reference"]
    try:
        # The library returns an empty text if it does not accept the scheme.
        url = make_safe_absolute_uri(base, reference)
        answer = {"url": url} if url or not base else {"failure": "the scheme is not accepted"}
    except ValueError as error:
        answer = {"failure": str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
