"""The yurl package as an engine: URL(base) + URL(reference), and the attributes of URL(url)."""
import importlib.metadata, json, sys
from yurl import URL

def parse(text):
    try:
        url = URL(text)
        parts = {
            "scheme": url.scheme, "userinfo": url.userinfo, "host": url.host, "port": url.port, "path": url.path,
            "query": url.query, "fragment": url.fragment, "authority": url.authority,
        }
    except ValueError as error:
        return {"failure": str(error)}
    return {"parts": parts}

hello = {"protocol": 1, "engine": "yurl", "version": importlib.metadata.version("yurl"), "ops": ["resolve", "parse"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    if asked["op"] == "parse":
        print(json.dumps({"id": asked["id"], **parse(asked["url"])}), flush=True)
        continue
    base, reference = asked["base"], asked["reference"]
    try:
        answer = {"url": str(URL(base) + URL(reference))}
    except ValueError as error:
        answer = {"failure": str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
