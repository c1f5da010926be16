"""The werkzeug package as an engine: url_join(base, reference), which Werkzeug 3 removed, and url_parse(url)."""
import importlib.metadata, json, sys, warnings
from werkzeug.urls import url_join, url_parse

warnings.simplefilter("ignore", DeprecationWarning)

def parse(text):
    try:
        url = url_parse(text)
        parts = {
            "scheme": url.scheme, "user": url.username, "password": url.password, "host": url.host,
            "port": None if url.port is None else str(url.port), "path": url.path, "query": url.query,
            "fragment": url.fragment, "authority": url.netloc,
        }
    except (ValueError, IndexError) as error:
        return {"failure": str(error)}
    return {"parts": parts}

hello = {"protocol": 1, "engine": "werkzeug", "version": importlib.metadata.version("werkzeug"), "ops": ["resolve", "parse"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    if asked["op"] == "parse":
        print(json.dumps({"id": asked["id"], **parse(asked["url"])}), flush=True)
        continue
    base, reference = asked["base"], asked["reference"]
    try:
        answer = {"url": url_join(base, reference)}
    except (ValueError, IndexError) as error:
        answer = {"failure": str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
