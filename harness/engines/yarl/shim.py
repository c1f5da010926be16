"""The yarl package as an engine: URL(base).join(URL(reference)), and the attributes of URL(url)."""
import json, sys
import yarl
from yarl import URL

def parse(text):
    try:
        url = URL(text)
        parts = {
            "scheme": url.scheme, "user": url.user, "password": url.password, "host": url.host,
            "port": None if url.port is None else str(url.port), "path": url.path, "query": url.query_string,
            "fragment": url.fragment, "authority": url.raw_authority,
        }
    except (ValueError, TypeError, IndexError) as error:
        return {"failure": str(error)}
    return {"parts": parts}

hello = {"protocol": 1, "engine": "yarl", "version": yarl.__version__, "ops": ["resolve", "parse"]}
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
        start = URL(base) if base else None
        part = ""
        url = URL(reference)
        answer = {"url": str(start.join(url) if start is not None else url)}
    except (ValueError, TypeError, IndexError) as error:
        answer = {"failure": part + str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
