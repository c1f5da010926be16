"""The package lazr.uri as an engine: URI(base).resolve(reference), and the attributes of URI(url)."""
import importlib.metadata, json, sys
from lazr.uri import InvalidURIError, URI

def resolve(base, reference):
    # The base is an object here, so with an unknown base the reference is parsed alone.
    return str(URI(base).resolve(reference) if base else URI(reference))

def parse(text):
    try:
        url = URI(text)
        parts = {
            "scheme": url.scheme, "userinfo": url.userinfo, "host": url.host, "port": url.port, "path": url.path,
            "query": url.query, "fragment": url.fragment, "authority": url.authority,
        }
    except (InvalidURIError, ValueError, TypeError, AttributeError) as error:
        return {"failure": str(error)}
    return {"parts": parts}

hello = {"protocol": 1, "engine": "lazr.uri", "version": importlib.metadata.version("lazr.uri"), "ops": ["resolve", "parse"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    if asked["op"] == "parse":
        print(json.dumps({"id": asked["id"], **parse(asked["url"])}), flush=True)
        continue
    try:
        answer = {"url": resolve(asked["base"], asked["reference"])}
    except (InvalidURIError, ValueError, TypeError, AttributeError) as error:
        answer = {"failure": str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
