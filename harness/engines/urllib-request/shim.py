"""CPython's urllib.request as an engine: urllib.request.urlopen(url)."""
import json, os, platform, re, ssl, sys, urllib.error
from urllib.request import HTTPRedirectHandler, HTTPSHandler, build_opener

for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
    del os.environ[name]
context = ssl.create_default_context()
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE

class Stay(HTTPRedirectHandler):
    def redirect_request(self, *_):
        """Follows no redirect: the response is raised as an HTTPError."""

def connect(url, follow):
    # urlopen builds its opener in the same way.
    opener = build_opener(HTTPSHandler(context=context), *([] if follow else [Stay]))
    try:
        opener.open(url, timeout=4).close()
    except urllib.error.HTTPError as response:
        response.close()
    except Exception as error:  # besides its own errors, the library lets many others through
        return {"failure": re.sub(r" at 0x\w+", "", " ".join(str(error).split()))[:300] or type(error).__name__}
    return {"done": True}

hello = {"protocol": 1, "engine": "urllib.request", "version": platform.python_version(), "ops": ["connect", "follow"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    known = asked["op"] in ("connect", "follow")
    answer = connect(asked["url"], asked["op"] == "follow") if known else {"skipped": "unsupported operation"}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
