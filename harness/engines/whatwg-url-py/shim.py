"""The whatwg-url package as an engine: whatwg_url.urljoin(base, reference)."""
import json, sys
from importlib.metadata import version
import whatwg_url

hello = {"protocol": 1, "engine": "whatwg-url", "version": version("whatwg-url"), "ops": ["resolve"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    base, reference = asked["base"], asked["reference"]
    try:
        # The base is text here, so an unknown base is the empty text.
        answer = {"url": whatwg_url.urljoin(base, reference)}
    except (ValueError, TypeError, IndexError, KeyError, AttributeError) as error:
        answer = {"failure": str(error) or type(error).__name__}  # its own error has no text
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
