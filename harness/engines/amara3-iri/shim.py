"""The amara3.iri package as an engine: iri.absolutize(reference, base), iri.split_uri_ref(url), iri.split_authority(authority)."""
import json, sys
from importlib.metadata import version
from amara3 import iri

def parse(text):
    try:
        scheme, authority, path, query, fragment = iri.split_uri_ref(text)
        userinfo, host, port = (None, None, None) if authority is None else iri.split_authority(authority)
    except AttributeError as error:
        # The regular expression does not match a fragment with a newline, and the library does not check this.
        return {"failure": str(error)}
    return {"parts": {"scheme": scheme, "userinfo": userinfo, "host": host, "port": port,
                      "path": path, "query": query, "fragment": fragment, "authority": authority}}

hello = {"protocol": 1, "engine": "amara3.iri", "version": version("amara3.iri"), "ops": ["resolve", "parse"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    if asked["op"] == "parse":
        print(json.dumps({"id": asked["id"], **parse(asked["url"])}), flush=True)
        continue
    base, reference = asked["base"], asked["reference"]
    try:
        # The base is text here, so an unknown base is the empty text.
        answer = {"url": iri.absolutize(reference, base)}
    except (ValueError, TypeError, IndexError, AttributeError) as error:
        # Its errors name the base in these words, and none other does.
        part = "base: " if str(error).startswith("Invalid base URI") else ""
        answer = {"failure": part + str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
