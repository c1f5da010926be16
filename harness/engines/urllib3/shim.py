"""urllib3 as an engine: the attributes of urllib3.util.parse_url(url)."""
import json, sys
import urllib3
from urllib3.exceptions import LocationParseError
from urllib3.util import parse_url

def parse(text):
    try:
        url = parse_url(text)
    except (LocationParseError, ValueError) as error:
        # Before 1.25, a "[" without a "]" raises a ValueError.
        return {"failure": str(error)}
    port = None if url.port is None else str(url.port)
    return {"parts": {"scheme": url.scheme, "userinfo": url.auth, "host": url.host, "port": port, "path": url.path,
                      "query": url.query, "fragment": url.fragment, "authority": url.netloc}}

print(json.dumps({"protocol": 1, "engine": "urllib3", "version": urllib3.__version__, "ops": ["parse"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    print(json.dumps({"id": asked["id"], **parse(asked["url"])}), flush=True)
