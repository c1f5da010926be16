"""CamelURL of Evolution Data Server as an engine: camel_url_new_with_base(base, reference)."""
import json, sys
from ctypes import CDLL, POINTER, Structure, c_char_p, c_int, c_void_p, cast, string_at

class Url(Structure):  # CamelURL
    _fields_ = [("protocol", c_char_p), ("user", c_char_p), ("authmech", c_char_p), ("host", c_char_p), ("port", c_int),
                ("path", c_char_p), ("params", c_void_p), ("query", c_char_p), ("fragment", c_char_p)]

camel = CDLL("libcamel-1.2.so.64")
free = CDLL("libglib-2.0.so.0").g_free
camel.camel_url_new.argtypes = [c_char_p, c_void_p]
camel.camel_url_new_with_base.argtypes = [c_void_p, c_char_p]
camel.camel_url_to_string.argtypes = [c_void_p, c_int]
camel.camel_url_new.restype = camel.camel_url_new_with_base.restype = camel.camel_url_to_string.restype = c_void_p
camel.camel_url_free.argtypes = free.argtypes = [c_void_p]

def resolve(base, reference):
    if not base:
        # The base is an object here, so with an unknown base the reference is parsed alone.
        url = camel.camel_url_new(reference, None)
    else:
        start = camel.camel_url_new(base, None)
        if not start:
            return {"failure": "base: camel_url_new returned NULL"}
        url = camel.camel_url_new_with_base(start, reference)
        camel.camel_url_free(start)
    if not url:
        return {"failure": "no URL was returned"}
    text = camel.camel_url_to_string(url, 0)
    answer = {"bytes": string_at(text).hex()}
    free(text)
    camel.camel_url_free(url)
    return answer

def parse(url):
    found = camel.camel_url_new(url, None)
    if not found:
        return {"failure": "camel_url_new returned NULL"}
    fields = cast(found, POINTER(Url)).contents
    port = b"%d" % fields.port if fields.port else None
    parts = {"scheme": fields.protocol, "user": fields.user, "host": fields.host, "port": port, "path": fields.path,
             "query": fields.query, "fragment": fields.fragment}
    try:
        return {"parts": {name: value if value is None else value.decode() for name, value in parts.items()}}
    except UnicodeDecodeError:
        return {"unrepresentable": "a component is not UTF-8"}
    finally:
        camel.camel_url_free(found)

version = sys.argv[1]  # the library does not return its version
print(json.dumps({"protocol": 1, "engine": "libcamel", "version": version, "ops": ["resolve", "parse"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    texts = [asked[name].encode() for name in ("base", "reference", "url") if name in asked]
    if b"\0" in b"".join(texts):
        answer = {"unrepresentable": "a C string ends at NUL"}
    else:
        answer = (parse if asked["op"] == "parse" else resolve)(*texts)
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
