"""VLC as an engine: vlc_uri_resolve(base, reference)."""
import json, sys
from ctypes import CDLL, POINTER, Structure, byref, c_char_p, c_uint, c_void_p, string_at

class Url(Structure):  # vlc_url_t
    _fields_ = [("protocol", c_char_p), ("username", c_char_p), ("password", c_char_p), ("host", c_char_p), ("port", c_uint),
                ("path", c_char_p), ("option", c_char_p), ("buffer", c_void_p), ("pathbuffer", c_void_p)]

vlc = CDLL("libvlccore.so.9")
free = CDLL("libc.so.6").free
vlc.vlc_uri_resolve.argtypes, vlc.vlc_uri_resolve.restype = [c_char_p, c_char_p], c_void_p
vlc.vlc_UrlParse.argtypes, vlc.vlc_UrlClean.argtypes = [POINTER(Url), c_char_p], [POINTER(Url)]
free.argtypes = [c_void_p]

def resolve(base, reference):
    # An unknown base is passed as the empty text.
    text = vlc.vlc_uri_resolve(base, reference)
    if not text:
        return {"failure": "vlc_uri_resolve returned NULL"}
    answer = {"bytes": string_at(text).hex()}
    free(text)
    return answer

def parse(url):
    found = Url()
    try:
        if vlc.vlc_UrlParse(byref(found), url):
            return {"failure": "vlc_UrlParse did not return 0"}
        port = b"%d" % found.port if found.port else None
        parts = {"scheme": found.protocol, "user": found.username, "password": found.password, "host": found.host, "port": port,
                 "path": found.path, "query": found.option}
        return {"parts": {name: value if value is None else value.decode() for name, value in parts.items()}}
    except UnicodeDecodeError:
        return {"unrepresentable": "a component is not UTF-8"}
    finally:
        vlc.vlc_UrlClean(byref(found))

version = sys.argv[1]  # the core library does not return its version
print(json.dumps({"protocol": 1, "engine": "libvlccore", "version": version, "ops": ["resolve", "parse"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    texts = [asked[name].encode() for name in ("base", "reference", "url") if name in asked]
    if b"\0" in b"".join(texts):
        answer = {"unrepresentable": "a C string ends at NUL"}
    else:
        answer = (parse if asked["op"] == "parse" else resolve)(*texts)
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
