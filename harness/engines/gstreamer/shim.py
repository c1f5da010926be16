"""GstUri of GStreamer as an engine: gst_uri_join_strings(base, reference)."""
import json, sys
from ctypes import CDLL, c_char_p, c_void_p, string_at

gst = CDLL("libgstreamer-1.0.so.0")
free = CDLL("libglib-2.0.so.0").g_free
gst.gst_uri_join_strings.argtypes, gst.gst_uri_join_strings.restype = [c_char_p, c_char_p], c_void_p
gst.gst_version_string.restype, free.argtypes = c_char_p, [c_void_p]
gst.gst_init(None, None)

def resolve(base, reference):
    # An unknown base is passed as the empty text.
    text = gst.gst_uri_join_strings(base, reference)
    if not text:
        return {"failure": "gst_uri_join_strings returned NULL"}
    answer = {"bytes": string_at(text).hex()}
    free(text)
    return answer

version = gst.gst_version_string().decode().split()[1]
print(json.dumps({"protocol": 1, "engine": "gstreamer", "version": version, "ops": ["resolve"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    base, reference = asked["base"].encode(), asked["reference"].encode()
    if b"\0" in base + reference:
        answer = {"unrepresentable": "a C string ends at NUL"}
    else:
        answer = resolve(base, reference)
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
