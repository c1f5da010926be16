"""The rfc3987 package as an engine: resolve(base, reference), and parse(url)."""
import json, sys
from importlib.metadata import version
import rfc3987

KEYS = {"scheme": "scheme", "userinfo": "iuserinfo", "host": "ihost", "port": "port", "path": "path", "query": "query",
        "fragment": "fragment", "authority": "authority"}

def parse(text):
    try:
        found = rfc3987.parse(text)
    except (ValueError, TypeError, IndexError, AttributeError) as error:
        return {"failure": str(error)}
    # Without the optional package regex, the library does not split the authority.
    return {"parts": {name: found[key] for name, key in KEYS.items() if key in found}}

hello = {"protocol": 1, "engine": "rfc3987", "version": version("rfc3987"), "ops": ["resolve", "parse"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    if asked["op"] == "parse":
        print(json.dumps({"id": asked["id"], **parse(asked["url"])}), flush=True)
        continue
    base, reference = asked["base"], asked["reference"]
    try:
        # The base is text here, so an unknown base is the empty text.
        answer = {"url": rfc3987.resolve(base, reference)}
    except (ValueError, TypeError, IndexError, AttributeError) as error:
        # Only the base has to be a whole IRI; the reference is checked by another rule.
        part = "base: " if str(error).endswith("is not a valid 'IRI'.") else ""
        answer = {"failure": part + str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
