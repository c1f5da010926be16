"""VLC as an engine: vlc_uri_resolve(base, reference)."""
import json, sys
from ctypes import CDLL, c_char_p, c_void_p, string_at

vlc = CDLL("libvlccore.so.9")
free = CDLL("libc.so.6").free
vlc.vlc_uri_resolve.argtypes, vlc.vlc_uri_resolve.restype = [c_char_p, c_char_p], c_void_p
free.argtypes = [c_void_p]

def resolve(base, reference):
    # An unknown base is passed as the empty text.
    text = vlc.vlc_uri_resolve(base, reference)
    if not text:
        return {"failure": "vlc_uri_resolve returned NULL"}
    answer = {"bytes": string_at(text).hex()}
    free(text)
    return answer

version = sys.argv[1]  # the core library does not return its version
print(json.dumps({"protocol": 1, "engine": "libvlccore", "version": version, "ops": ["resolve"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    base, reference = asked["base"].encode(), asked["reference"].encode()
    if b"\0" in base + reference:
        answer = {"unrepresentable": "a C string ends at NUL"}
    else:
        answer = resolve(base, reference)
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
