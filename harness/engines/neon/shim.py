"""The neon library as an engine: ne_uri_resolve(base, reference, result)."""
import json, sys
from ctypes import CDLL, POINTER, Structure, byref, c_char_p, c_uint, c_void_p, string_at

class Uri(Structure):
    _fields_ = [("scheme", c_char_p), ("host", c_char_p), ("userinfo", c_char_p), ("port", c_uint),
                ("path", c_char_p), ("query", c_char_p), ("fragment", c_char_p)]

neon = CDLL("libneon.so.27")
free = CDLL("libc.so.6").free
neon.ne_uri_parse.argtypes = [c_char_p, POINTER(Uri)]
neon.ne_uri_resolve.argtypes = [POINTER(Uri)] * 3
neon.ne_uri_unparse.argtypes = neon.ne_uri_free.argtypes = [POINTER(Uri)]
neon.ne_uri_unparse.restype, free.argtypes = c_void_p, [c_void_p]
neon.ne_version_string.restype = c_char_p

def resolve(base, reference):
    start, own, result = Uri(), Uri(), Uri()
    # The base is an object here, so with an unknown base the reference is parsed alone.
    if base and neon.ne_uri_parse(base, byref(start)):
        answer = {"failure": "base: ne_uri_parse did not return 0"}
    elif neon.ne_uri_parse(reference, byref(own)):
        answer = {"failure": "ne_uri_parse did not return 0"}
    else:
        if base:
            neon.ne_uri_resolve(byref(start), byref(own), byref(result))
        text = neon.ne_uri_unparse(byref(result if base else own))
        answer = {"bytes": string_at(text).hex()}
        free(text)
    for uri in (start, own, result):
        neon.ne_uri_free(byref(uri))
    return answer

def parse(url):
    uri = Uri()
    try:
        if neon.ne_uri_parse(url, byref(uri)):
            return {"failure": "ne_uri_parse did not return 0"}
        port = b"%d" % uri.port if uri.port else None
        parts = {"scheme": uri.scheme, "userinfo": uri.userinfo, "host": uri.host, "port": port, "path": uri.path,
                 "query": uri.query, "fragment": uri.fragment}
        return {"parts": {name: value if value is None else value.decode() for name, value in parts.items()}}
    finally:
        neon.ne_uri_free(byref(uri))

version = neon.ne_version_string().decode().split()[1].rstrip(":")
print(json.dumps({"protocol": 1, "engine": "neon", "version": version, "ops": ["resolve", "parse"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    texts = [asked[name].encode() for name in ("base", "reference", "url") if name in asked]
    if b"\0" in b"".join(texts):
        answer = {"unrepresentable": "a C string ends at NUL"}
    else:
        answer = (parse if asked["op"] == "parse" else resolve)(*texts)
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
