"""The uritools package as an engine: urijoin(base, reference), strictly when asked by the argument."""
import json, sys
from importlib.metadata import version
from uritools import urijoin

strict = sys.argv[1:] == ["strict"]
hello = {"protocol": 1, "engine": "uritools", "version": version("uritools"), "ops": ["resolve"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    base, reference = asked["base"], asked["reference"]
    try:
        # The base is text here, so an unknown base is the empty text.
        answer = {"url": urijoin(base, reference, strict=True) if strict else urijoin(base, reference)}
    except (ValueError, TypeError, IndexError, AttributeError) as error:
        answer = {"failure": str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
