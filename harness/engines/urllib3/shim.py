"""urllib3 as an engine: the attributes of urllib3.util.parse_url(url), and urllib3.PoolManager().request("GET", url)."""
import json, re, sys, warnings
import urllib3
from urllib3.exceptions import LocationParseError
from urllib3.util import Retry, parse_url

warnings.simplefilter("ignore")  # certificates are not verified

def parse(text):
    try:
        url = parse_url(text)
    except (LocationParseError, ValueError) as error:
        # Before 1.25, a "[" without a "]" raises a ValueError.
        return {"failure": str(error)}
    port = None if url.port is None else str(url.port)
    return {"parts": {"scheme": url.scheme, "userinfo": url.auth, "host": url.host, "port": port, "path": url.path,
                      "query": url.query, "fragment": url.fragment, "authority": url.netloc}}

def connect(url, follow):
    # A redirect counts as a retry.
    retries = Retry(total=1 if follow else 0, connect=0, read=0)
    try:
        with urllib3.PoolManager(cert_reqs="CERT_NONE", retries=retries, timeout=4) as client:
            client.request("GET", url, redirect=follow)
    except Exception as error:  # besides its own errors, the library lets many others through
        return {"failure": re.sub(r" at 0x\w+", "", " ".join(str(error).split()))[:300] or type(error).__name__}
    return {"done": True}

hello = {"protocol": 1, "engine": "urllib3", "version": urllib3.__version__, "ops": ["parse", "connect", "follow"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    if asked["op"] == "parse":
        answer = parse(asked["url"])
    elif asked["op"] in ("connect", "follow"):
        answer = connect(asked["url"], asked["op"] == "follow")
    else:
        answer = {"skipped": "unsupported operation"}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
