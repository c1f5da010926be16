"""The rfc3986 package as an engine: uri_reference(reference).resolve_with(base), and the attributes of uri_reference(url)."""
import json, sys
import rfc3986
from rfc3986.exceptions import ResolutionError, RFC3986Exception

def parse(text):
    try:
        url = rfc3986.uri_reference(text)
        parts = {
            "scheme": url.scheme, "userinfo": url.userinfo, "host": url.host, "port": url.port, "path": url.path,
            "query": url.query, "fragment": url.fragment, "authority": url.authority,
        }
    except (RFC3986Exception, ValueError, TypeError, AttributeError) as error:
        return {"failure": str(error)}
    return {"parts": parts}

hello = {"protocol": 1, "engine": "rfc3986", "version": rfc3986.__version__, "ops": ["resolve", "parse"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    if asked["op"] == "parse":
        print(json.dumps({"id": asked["id"], **parse(asked["url"])}), flush=True)
        continue
    base, reference = asked["base"], asked["reference"]
    try:
        # The base is text here, so an unknown base is the empty text (and never resolves).
        answer = {"url": rfc3986.uri_reference(reference).resolve_with(base).unsplit()}
    except ResolutionError as error:
        answer = {"failure": "base: " + str(error)}  # by its documentation it is only raised for the base
    except (RFC3986Exception, ValueError, TypeError, AttributeError) as error:
        answer = {"failure": str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
