"""The uritools package as an engine: urijoin(base, reference), strictly when asked by the argument, and urisplit(url)."""
import json, sys
from importlib.metadata import version
from uritools import urijoin, urisplit

strict = sys.argv[1:] == ["strict"]

def parse(text):
    try:
        url = urisplit(text)
        parts = {
            "scheme": url.scheme, "userinfo": url.userinfo, "host": url.host, "port": url.port, "path": url.path,
            "query": url.query, "fragment": url.fragment, "authority": url.authority,
        }
    except (ValueError, TypeError, IndexError, AttributeError) as error:
        return {"failure": str(error)}
    return {"parts": parts}

# Strictness concerns only the resolution.
ops = ["resolve"] if strict else ["resolve", "parse"]
hello = {"protocol": 1, "engine": "uritools", "version": version("uritools"), "ops": ops}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    if asked["op"] == "parse":
        print(json.dumps({"id": asked["id"], **parse(asked["url"])}), flush=True)
        continue
    base, reference = asked["base"], asked["reference"]
    try:
        # The base is text here, so an unknown base is the empty text.
        answer = {"url": urijoin(base, reference, strict=True) if strict else urijoin(base, reference)}
    except (ValueError, TypeError, IndexError, AttributeError) as error:
        answer = {"failure": str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
