"""The hyperlink package as an engine: URL.from_text(base).click(reference), and the attributes of URL.from_text(url)."""
import json, sys
from importlib.metadata import version
from hyperlink import URL

def parse(text):
    try:
        url = URL.from_text(text)
        # The path and the query are tuples and not text.
        parts = {
            "scheme": url.scheme, "userinfo": url.userinfo, "host": url.host,
            "port": None if url.port is None else str(url.port), "fragment": url.fragment,
            "authority": url.authority(with_password=True),
        }
    except (ValueError, TypeError, IndexError) as error:
        return {"failure": str(error)}
    return {"parts": parts}

hello = {"protocol": 1, "engine": "hyperlink", "version": version("hyperlink"), "ops": ["resolve", "parse"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    if asked["op"] == "parse":
        print(json.dumps({"id": asked["id"], **parse(asked["url"])}), flush=True)
        continue
    base, reference = asked["base"], asked["reference"]
    part = "base: "
    try:
        # The base is an object here, so with an unknown base the reference is parsed alone.
        start = URL.from_text(base) if base else None
        part = ""
        url = start.click(reference) if start is not None else URL.from_text(reference)
        # Without the argument the password is left out of the text, to keep it out of logs.
        answer = {"url": url.to_text(with_password=True)}
    except (ValueError, TypeError, IndexError, NotImplementedError) as error:
        answer = {"failure": part + str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
