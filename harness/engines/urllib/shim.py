"""CPython's urllib.parse as an engine: urljoin(base, reference)."""
import json, platform, sys
from urllib.parse import urljoin

out = sys.stdout
hello = {"protocol": 1, "engine": "urllib.parse", "version": platform.python_version(), "ops": ["resolve"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    try:
        answer = {"url": urljoin(asked["base"], asked["reference"])}
    except ValueError as error:
        answer = {"failure": str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
