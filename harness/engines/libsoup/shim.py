"""SoupURI of libsoup 2 as an engine: soup_uri_new_with_base(base, reference)."""
import json, sys
from ctypes import CDLL, c_char_p, c_int, c_uint, c_void_p, string_at

soup = CDLL("libsoup-2.4.so.1")
free = CDLL("libglib-2.0.so.0").g_free
soup.soup_uri_new.restype = soup.soup_uri_new_with_base.restype = soup.soup_uri_to_string.restype = c_void_p
soup.soup_uri_new.argtypes = [c_char_p]
soup.soup_uri_new_with_base.argtypes = [c_void_p, c_char_p]
soup.soup_uri_to_string.argtypes = [c_void_p, c_int]
PARTS = ["scheme", "user", "password", "host", "port", "path", "query", "fragment"]
for name in PARTS:
    accessor = getattr(soup, "soup_uri_get_" + name)
    accessor.argtypes, accessor.restype = [c_void_p], c_uint if name == "port" else c_char_p
soup.soup_uri_free.argtypes = free.argtypes = [c_void_p]

def resolve(base, reference):
    if not base:
        # The base is an object here, so with an unknown base the reference is parsed alone.
        uri = soup.soup_uri_new(reference)
    else:
        start = soup.soup_uri_new(base)
        if not start:
            return {"failure": "base: soup_uri_new returned NULL"}
        uri = soup.soup_uri_new_with_base(start, reference)
        soup.soup_uri_free(start)
    if not uri:
        return {"failure": "no URI was returned"}
    text = soup.soup_uri_to_string(uri, 0)
    answer = {"bytes": string_at(text).hex()}
    free(text)
    soup.soup_uri_free(uri)
    return answer

def parse(url):
    uri = soup.soup_uri_new(url)
    if not uri:
        return {"failure": "soup_uri_new returned NULL"}
    parts = {name: getattr(soup, "soup_uri_get_" + name)(uri) for name in PARTS}
    parts["port"] = b"%d" % parts["port"] if parts["port"] else None
    try:
        return {"parts": {name: value if value is None else value.decode() for name, value in parts.items()}}
    except UnicodeDecodeError:
        return {"unrepresentable": "a component is not UTF-8"}
    finally:
        soup.soup_uri_free(uri)

version = ".".join(str(getattr(soup, f"soup_get_{part}_version")()) for part in ("major", "minor", "micro"))
print(json.dumps({"protocol": 1, "engine": "libsoup", "version": version, "ops": ["resolve", "parse"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    texts = [asked[name].encode() for name in ("base", "reference", "url") if name in asked]
    if b"\0" in b"".join(texts):
        answer = {"unrepresentable": "a C string ends at NUL"}
    else:
        answer = (parse if asked["op"] == "parse" else resolve)(*texts)
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
