"""The URL class of the httpx client as an engine: httpx.URL(base).join(reference), the attributes of httpx.URL(url), and httpx.get(url)."""
import json, re, sys
import httpx

try:  # before 0.24 the errors of the rfc3986 package come through
    from rfc3986.exceptions import RFC3986Exception
    others = [RFC3986Exception]
except ImportError:
    others = []

def parse(text):
    try:
        url = httpx.URL(text)
        parts = {
            "scheme": url.scheme, "user": url.username, "password": url.password, "host": url.host,
            "port": None if url.port is None else str(url.port), "path": url.path, "query": url.query.decode(),
            "fragment": url.fragment, "authority": url.netloc.decode(),
        }
    except (httpx.InvalidURL, *others, ValueError, TypeError, IndexError) as error:
        return {"failure": str(error)}
    return {"parts": parts}

def connect(url, follow):
    """What httpx.get does, without proxies and .netrc."""
    try:
        with httpx.Client(trust_env=False, verify=False, timeout=4, max_redirects=3) as client:
            client.get(url, follow_redirects=follow)
    except Exception as error:  # besides its own errors, the library lets many others through
        return {"failure": re.sub(r" at 0x\w+", "", " ".join(str(error).split()))[:300] or type(error).__name__}
    return {"done": True}

hello = {"protocol": 1, "engine": "httpx", "version": httpx.__version__, "ops": ["resolve", "parse", "connect", "follow"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    if asked["op"] == "parse":
        print(json.dumps({"id": asked["id"], **parse(asked["url"])}), flush=True)
        continue
    if asked["op"] in ("connect", "follow"):
        print(json.dumps({"id": asked["id"], **connect(asked["url"], asked["op"] == "follow")}), flush=True)
        continue
    if asked["op"] != "resolve":
        print(json.dumps({"id": asked["id"], "skipped": "unsupported operation"}), flush=True)
        continue
    base, reference = asked["base"], asked["reference"]
    part = "base: "
    try:
        # The base is an object here, so with an unknown base the reference is parsed alone.
        start = httpx.URL(base) if base else None
        part = ""
        answer = {"url": str(start.join(reference) if start is not None else httpx.URL(reference))}
    except (httpx.InvalidURL, *others, ValueError, TypeError, IndexError) as error:
        answer = {"failure": part + str(error)}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
