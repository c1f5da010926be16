"""The furl package as an engine: furl(base).join(reference).url, and the attributes of furl(url)."""
import json, sys
from importlib.metadata import version
from furl import furl

def parse(text):
    try:
        url = furl(text)
        parts = {
            "scheme": url.scheme, "user": url.username, "password": url.password, "host": url.host,
            "port": None if url.port is None else str(url.port), "path": str(url.path), "query": str(url.query),
            "fragment": str(url.fragment), "authority": url.netloc,
        }
    except (ValueError, TypeError, IndexError, AttributeError) as error:
        return {"failure": str(error)}
    return {"parts": parts}

hello = {"protocol": 1, "engine": "furl", "version": version("furl"), "ops": ["resolve", "parse"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    if asked["op"] == "parse":
        print(json.dumps({"id": asked["id"], **parse(asked["url"])}), flush=True)
        continue
    base, reference = asked["base"], asked["reference"]
    part = "base: "
    try:
        # The base is an object here, so with an unknown base the reference is parsed alone.
        start = furl(base) if base else None
        part = ""
        url = start.join(reference) if start is not None else furl(reference)
        answer = {"url": url.url}
    except (ValueError, TypeError, IndexError, AttributeError) as error:
        answer = {"failure": part + str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
