"""The requests package as an engine: the URL to which Session.resolve_redirects redirects a response, and requests.get(url)."""
import json, re, sys, warnings
import requests
from requests.structures import CaseInsensitiveDict

warnings.simplefilter("ignore")  # certificates are not verified
session = requests.Session()
session.trust_env = False

def redirect(base, reference):
    request = requests.PreparedRequest()
    request.method, request.url, request.headers = "GET", base, CaseInsensitiveDict()
    request._cookies = requests.cookies.RequestsCookieJar()
    response = requests.Response()
    response.request, response.url, response.status_code = request, base, 302
    response._content, response._content_consumed = b"", True
    # A header is a string of bytes, which the library decodes as UTF-8.
    response.headers["location"] = reference.encode().decode("latin-1")
    return next(session.resolve_redirects(response, request, yield_requests=True)).url

def connect(url, follow):
    """What requests.get does, without proxies and .netrc."""
    try:
        with requests.Session() as client:
            client.trust_env, client.max_redirects = False, 3
            client.get(url, allow_redirects=follow, verify=False, timeout=4)
    except Exception as error:  # besides its own errors, the library lets many others through
        return {"failure": re.sub(r" at 0x\w+", "", " ".join(str(error).split()))[:300] or type(error).__name__}
    return {"done": True}

hello = {"protocol": 1, "engine": "requests", "version": requests.__version__, "ops": ["resolve", "connect", "follow"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    try:
        if asked["op"] == "resolve":
            answer = {"url": redirect(asked["base"], asked["reference"])}
        elif asked["op"] in ("connect", "follow"):
            answer = connect(asked["url"], asked["op"] == "follow")
        else:
            answer = {"skipped": "unsupported operation"}
    except StopIteration:
        answer = {"failure": "no redirect"}
    except (ValueError, AttributeError, requests.RequestException) as error:
        answer = {"failure": str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
