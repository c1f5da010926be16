"""The boltons package as an engine: URL(base).navigate(reference), and the attributes of URL(url)."""
import importlib.metadata, json, sys
from boltons.urlutils import URL

def parse(text):
    try:
        url = URL(text)
        parts = {
            "scheme": url.scheme, "user": url.username, "password": url.password, "host": url.host,
            "port": None if url.port is None else str(url.port), "path": url.path, "fragment": url.fragment,
            "authority": url.get_authority(),
        }
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        return {"failure": str(error)}
    return {"parts": parts}

hello = {"protocol": 1, "engine": "boltons", "version": importlib.metadata.version("boltons"), "ops": ["resolve", "parse"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    if asked["op"] == "parse":
        print(json.dumps({"id": asked["id"], **parse(asked["url"])}), flush=True)
        continue
    base, reference = asked["base"], asked["reference"]
    try:
        # The base is an object here, so with an unknown base the reference is parsed alone.
        url = URL(base).navigate(reference) if base else URL(reference)
        answer = {"url": url.to_text()}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        answer = {"failure": str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
