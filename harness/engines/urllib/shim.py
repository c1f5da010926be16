"""CPython's urllib.parse as an engine: urljoin(base, reference), and the attributes of urlsplit(url)."""
import json, platform, sys
from urllib.parse import urljoin, urlsplit

def parse(url):
    split = urlsplit(url)
    parts = {"scheme": split.scheme, "user": split.username, "password": split.password, "host": split.hostname,
             "path": split.path, "query": split.query, "fragment": split.fragment, "authority": split.netloc}
    try:
        return {**parts, "port": None if split.port is None else str(split.port)}
    except ValueError:
        # The other attributes have values even if the port is not a decimal number up to 65535.
        return parts

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
