"""GUri of GLib as an engine: g_uri_resolve_relative(base, reference, flags), with the flags given as arguments."""
import json, sys
from ctypes import CDLL, POINTER, Structure, byref, c_char_p, c_int, c_uint, c_uint32, c_void_p, string_at

class GError(Structure):
    _fields_ = [("domain", c_uint32), ("code", c_int), ("message", c_char_p)]

glib = CDLL("libglib-2.0.so.0")
glib.g_uri_resolve_relative.restype = c_void_p
glib.g_uri_resolve_relative.argtypes = [c_char_p, c_char_p, c_uint, POINTER(POINTER(GError))]
glib.g_free.argtypes = glib.g_error_free.argtypes = [c_void_p]
KNOWN = {"PARSE_RELAXED": 1 << 0, "HAS_PASSWORD": 1 << 1, "ENCODED_QUERY": 1 << 5, "ENCODED_PATH": 1 << 6,
         "ENCODED_FRAGMENT": 1 << 7, "SCHEME_NORMALIZE": 1 << 8}
FLAGS = sum(KNOWN[name] for name in sys.argv[1:])

version = ".".join(str(c_uint.in_dll(glib, f"glib_{part}_version").value) for part in ("major", "minor", "micro"))
print(json.dumps({"protocol": 1, "engine": "glib", "version": version, "ops": ["resolve"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    base, reference = asked["base"].encode(), asked["reference"].encode()
    if b"\0" in base + reference:
        answer = {"unrepresentable": "a C string ends at NUL"}
    else:
        error = POINTER(GError)()
        # The base is text here, so an unknown base is the empty text.
        text = glib.g_uri_resolve_relative(base, reference, FLAGS, byref(error))
        if text:
            answer = {"bytes": string_at(text).hex()}
            glib.g_free(text)
        elif error:
            answer = {"failure": error.contents.message.decode("utf-8", "replace")}
            glib.g_error_free(error)
        else:
            answer = {"failure": "NULL was returned, and no error set"}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
