"""The whatwg-url package as an engine: whatwg_url.urljoin(base, reference), and the attributes of whatwg_url.parse_url(url)."""
import json, sys
from importlib.metadata import version
import whatwg_url

def parse(text):
    try:
        url = whatwg_url.parse_url(text)
        parts = {
            "scheme": url.scheme, "user": url.username, "password": url.password, "host": url.hostname,
            "port": None if url.port is None else str(url.port), "path": url.path, "query": url.query,
            "fragment": url.fragment, "authority": url.host,
        }
    except (ValueError, TypeError, IndexError, KeyError, AttributeError) as error:
        return {"failure": str(error) or type(error).__name__}
    return {"parts": parts}

hello = {"protocol": 1, "engine": "whatwg-url", "version": version("whatwg-url"), "ops": ["resolve", "parse"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    if asked["op"] == "parse":
        print(json.dumps({"id": asked["id"], **parse(asked["url"])}), flush=True)
        continue
    base, reference = asked["base"], asked["reference"]
    try:
        # The base is text here, so an unknown base is the empty text.
        answer = {"url": whatwg_url.urljoin(base, reference)}
    except (ValueError, TypeError, IndexError, KeyError, AttributeError) as error:
        answer = {"failure": str(error) or type(error).__name__}  # its own error has no text
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
