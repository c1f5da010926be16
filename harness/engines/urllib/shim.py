"""CPython's urllib.parse as an engine: urljoin(base, reference), and the attributes of urlsplit(url)."""
import json, platform, sys
from urllib.parse import urljoin, urlsplit

def parse(url):
    split = urlsplit(url)
    # split.port raises ValueError if the port is not a decimal number up to 65535.
    port = None if split.port is None else str(split.port)
    return {"scheme": split.scheme, "user": split.username, "password": split.password, "host": split.hostname, "port": port,
            "path": split.path, "query": split.query, "fragment": split.fragment, "authority": split.netloc}

out = sys.stdout
hello = {"protocol": 1, "engine": "urllib.parse", "version": platform.python_version(), "ops": ["resolve", "parse"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    try:
        if asked["op"] == "parse":
            answer = {"parts": parse(asked["url"])}
        else:
            answer = {"url": urljoin(asked["base"], asked["reference"])}
    except ValueError as error:
        answer = {"failure": str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
