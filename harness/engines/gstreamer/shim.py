"""GstUri of GStreamer as an engine: gst_uri_join_strings(base, reference)."""
import json, sys
from ctypes import CDLL, c_char_p, c_uint, c_void_p, string_at

gst = CDLL("libgstreamer-1.0.so.0")
free = CDLL("libglib-2.0.so.0").g_free
gst.gst_uri_join_strings.argtypes, gst.gst_uri_join_strings.restype = [c_char_p, c_char_p], c_void_p
gst.gst_version_string.restype, free.argtypes = c_char_p, [c_void_p]
gst.gst_uri_from_string.argtypes, gst.gst_uri_from_string.restype = [c_char_p], c_void_p
gst.gst_mini_object_unref.argtypes = [c_void_p]
ACCESSORS = {"scheme": "scheme", "userinfo": "userinfo", "host": "host", "port": "port", "path": "path", "query": "query_string", "fragment": "fragment"}
OWNED = ("path", "query")  # the caller frees these texts
for name, accessor in ACCESSORS.items():
    call = getattr(gst, "gst_uri_get_" + accessor)
    call.argtypes, call.restype = [c_void_p], c_void_p if name in OWNED else c_uint if name == "port" else c_char_p
gst.gst_init(None, None)

def resolve(base, reference):
    # An unknown base is passed as the empty text.
    text = gst.gst_uri_join_strings(base, reference)
    if not text:
        return {"failure": "gst_uri_join_strings returned NULL"}
    answer = {"bytes": string_at(text).hex()}
    free(text)
    return answer

def parse(url):
    uri = gst.gst_uri_from_string(url)
    if not uri:
        return {"failure": "gst_uri_from_string returned NULL"}
    parts = {name: getattr(gst, "gst_uri_get_" + accessor)(uri) for name, accessor in ACCESSORS.items()}
    parts["port"] = b"%d" % parts["port"] if parts["port"] else None  # 0 is GST_URI_NO_PORT
    for name in OWNED:
        text = parts[name]
        parts[name] = string_at(text) if text else None
        free(text)
    try:
        return {"parts": {name: value if value is None else value.decode() for name, value in parts.items()}}
    except UnicodeDecodeError:
        return {"unrepresentable": "a component is not UTF-8"}
    finally:
        gst.gst_mini_object_unref(uri)

version = gst.gst_version_string().decode().split()[1]
print(json.dumps({"protocol": 1, "engine": "gstreamer", "version": version, "ops": ["resolve", "parse"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    texts = [asked[name].encode() for name in ("base", "reference", "url") if name in asked]
    if b"\0" in b"".join(texts):
        answer = {"unrepresentable": "a C string ends at NUL"}
    else:
        answer = (parse if asked["op"] == "parse" else resolve)(*texts)
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
