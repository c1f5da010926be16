"""Python's ipaddress as an engine: ip_address(host) for the host of urlsplit(url)."""
import json, platform, sys
from ipaddress import ip_address
from urllib.parse import urlsplit

def parse(text):
    url = urlsplit(text)
    parts = {"scheme": url.scheme, "host": url.hostname, "address": None, "private": None}
    try:
        parts["port"] = None if url.port is None else str(url.port)
    except ValueError:
        pass # The host has a value even if the port is not a decimal number up to 65535.
    try:
        address = ip_address(url.hostname)
    except ValueError:
        return parts # The host is not an address, or there is none.
    return {**parts, "address": str(address), "private": str(address.is_private).lower()}

hello = {"protocol": 1, "engine": "ipaddress", "version": platform.python_version(), "ops": ["parse"]}
print(json.dumps(hello), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    try:
        answer = {"parts": parse(asked["url"])}
    except ValueError as error:
        answer = {"failure": str(error)} # of urlsplit
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
