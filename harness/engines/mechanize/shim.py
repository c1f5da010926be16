"""The mechanize package as an engine: mechanize.urljoin(base, reference)."""
import json, sys
import mechanize

version = ".".join(str(part) for part in mechanize.__version__[:3])
hello = {"protocol": 1, "engine": "mechanize", "version": version, "ops": ["resolve"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    base, reference = asked["base"], asked["reference"]
    try:
        # The base is text here, so an unknown base is the empty text.
        answer = {"url": mechanize.urljoin(base, reference)}
    except (ValueError, TypeError, IndexError, AttributeError) as error:
        answer = {"failure": str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
