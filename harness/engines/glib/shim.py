"""GUri of GLib as an engine: g_uri_resolve_relative(base, reference, flags), with the flags given as arguments."""
import json, sys
from ctypes import CDLL, POINTER, Structure, byref, c_char_p, c_int, c_uint, c_uint32, c_void_p, string_at

class GError(Structure):
    _fields_ = [("domain", c_uint32), ("code", c_int), ("message", c_char_p)]

glib = CDLL("libglib-2.0.so.0")
glib.g_uri_resolve_relative.restype = c_void_p
glib.g_uri_resolve_relative.argtypes = [c_char_p, c_char_p, c_uint, POINTER(POINTER(GError))]
glib.g_uri_parse.restype = c_void_p
glib.g_uri_parse.argtypes = [c_char_p, c_uint, POINTER(POINTER(GError))]
glib.g_uri_unref.argtypes = [c_void_p]
glib.g_free.argtypes = glib.g_error_free.argtypes = [c_void_p]
KNOWN = {"PARSE_RELAXED": 1 << 0, "HAS_PASSWORD": 1 << 1, "ENCODED_QUERY": 1 << 5, "ENCODED_PATH": 1 << 6,
         "ENCODED_FRAGMENT": 1 << 7, "SCHEME_NORMALIZE": 1 << 8}
FLAGS = sum(KNOWN[name] for name in sys.argv[1:])
USER = ["user", "password"] if FLAGS & KNOWN["HAS_PASSWORD"] else ["userinfo"]
PARTS = ["scheme", *USER, "host", "port", "path", "query", "fragment"]
for name in PARTS:
    accessor = getattr(glib, "g_uri_get_" + name)
    accessor.argtypes, accessor.restype = [c_void_p], c_int if name == "port" else c_char_p

def failed(error):
    if not error:
        return {"failure": "NULL was returned, and no error set"}
    message = error.contents.message.decode("utf-8", "replace")
    glib.g_error_free(error)
    return {"failure": message}

def resolve(base, reference):
    error = POINTER(GError)()
    # The base is text here, so an unknown base is the empty text.
    text = glib.g_uri_resolve_relative(base, reference, FLAGS, byref(error))
    if not text:
        return failed(error)
    answer = {"bytes": string_at(text).hex()}
    glib.g_free(text)
    return answer

def parse(url):
    error = POINTER(GError)()
    uri = glib.g_uri_parse(url, FLAGS, byref(error))
    if not uri:
        return failed(error)
    parts = {name: getattr(glib, "g_uri_get_" + name)(uri) for name in PARTS}
    parts["port"] = None if parts["port"] == -1 else b"%d" % parts["port"]
    # GLib decodes only what is UTF-8 afterwards.
    answer = {"parts": {name: value if value is None else value.decode() for name, value in parts.items()}}
    glib.g_uri_unref(uri)
    return answer

version = ".".join(str(c_uint.in_dll(glib, f"glib_{part}_version").value) for part in ("major", "minor", "micro"))
print(json.dumps({"protocol": 1, "engine": "glib", "version": version, "ops": ["resolve", "parse"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    texts = [asked[name].encode() for name in ("base", "reference", "url") if name in asked]
    if b"\0" in b"".join(texts):
        answer = {"unrepresentable": "a C string ends at NUL"}
    else:
        answer = (parse if asked["op"] == "parse" else resolve)(*texts)
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
