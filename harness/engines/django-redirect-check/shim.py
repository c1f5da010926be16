"""Django's check of redirects as an engine: url_has_allowed_host_and_scheme(url, {"ok.example"}), and what it splits the URL into."""
import json, sys
import django
from django.utils import http

def allowed(url):
    if django.VERSION < (3,):
        return http.is_safe_url(url, host="ok.example")
    return http.url_has_allowed_host_and_scheme(url, allowed_hosts={"ok.example"})

# The function that the check calls is called _urlparse where it is a copy.
split = getattr(http, "_urlparse", None) or getattr(http, "urlsplit", None) or http.urlparse

def parse(text):
    try:
        # The check removes spaces first.
        url = split(text.strip())
        parts = {"scheme": url.scheme, "host": url.hostname, "authority": url.netloc, "allowed": str(allowed(text)).lower()}
    except ValueError as error:
        return {"failure": str(error)}
    try:
        port = None if url.port is None else str(url.port)
    except ValueError:
        # The check does not read the port.
        return {"parts": parts}
    return {"parts": {**parts, "port": port}}

print(json.dumps({"protocol": 1, "engine": "django", "version": django.get_version(), "ops": ["parse"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    print(json.dumps({"id": asked["id"], **parse(asked["url"])}), flush=True)
