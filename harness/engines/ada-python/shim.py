"""The Python binding of Ada as an engine: ada_url.join_url(base, reference), and the attributes of ada_url.URL(url)."""
import json, sys
from importlib.metadata import version
from ada_url import URL, join_url

def parse(text):
    try:
        url = URL(text)
        parts = {
            "scheme": url.protocol.removesuffix(":"), "user": url.username, "password": url.password, "host": url.hostname,
            "port": url.port, "path": url.pathname, "query": url.search.removeprefix("?"),
            "fragment": url.hash.removeprefix("#"), "authority": url.host,
        }
    except ValueError as error:
        return {"failure": str(error)}
    return {"parts": parts}

hello = {"protocol": 1, "engine": "ada-url", "version": version("ada-url"), "ops": ["resolve", "parse"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    if asked["op"] == "parse":
        print(json.dumps({"id": asked["id"], **parse(asked["url"])}), flush=True)
        continue
    base, reference = asked["base"], asked["reference"]
    try:
        # The base is text here, so an unknown base is the empty text.
        answer = {"url": join_url(base, reference)}
    except ValueError as error:
        answer = {"failure": str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
