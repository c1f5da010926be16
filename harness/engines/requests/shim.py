"""The requests package as an engine: the URL to which Session.resolve_redirects redirects a response."""
import json, sys
import requests
from requests.structures import CaseInsensitiveDict

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

hello = {"protocol": 1, "engine": "requests", "version": requests.__version__, "ops": ["resolve"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    try:
        answer = {"url": redirect(asked["base"], asked["reference"])}
    except StopIteration:
        answer = {"failure": "no redirect"}
    except (ValueError, AttributeError, requests.RequestException) as error:
        answer = {"failure": str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
