"""The Python binding of Ada as an engine: ada_url.join_url(base, reference)."""
import json, sys
from importlib.metadata import version
from ada_url import join_url

hello = {"protocol": 1, "engine": "ada-url", "version": version("ada-url"), "ops": ["resolve"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    base, reference = asked["base"], asked["reference"]
    try:
        # The base is text here, so an unknown base is the empty text.
        answer = {"url": join_url(base, reference)}
    except ValueError as error:
        answer = {"failure": str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
