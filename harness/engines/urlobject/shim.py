"""The URLObject package as an engine: URLObject(base).relative(reference), and the attributes of URLObject(url)."""
import importlib.metadata, json, sys
from urlobject import URLObject

def parse(text):
    try:
        url = URLObject(text)
        parts = {
            "scheme": url.scheme, "user": url.username, "password": url.password, "host": url.hostname,
            "port": None if url.port is None else str(url.port), "path": url.path, "query": url.query,
            "fragment": url.fragment, "authority": url.netloc,
        }
    except (ValueError, AssertionError) as error:
        return {"failure": str(error)}
    return {"parts": parts}

hello = {"protocol": 1, "engine": "urlobject", "version": importlib.metadata.version("urlobject"), "ops": ["resolve", "parse"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    if asked["op"] == "parse":
        print(json.dumps({"id": asked["id"], **parse(asked["url"])}), flush=True)
        continue
    base, reference = asked["base"], asked["reference"]
    try:
        answer = {"url": str(URLObject(base).relative(reference))}
    except (ValueError, AssertionError) as error:
        answer = {"failure": str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
