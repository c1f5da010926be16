"""The uriparser library as an engine: uriAddBaseUriEx with the option and the version given as arguments."""
import json, sys
from ctypes import CDLL, POINTER, Structure, byref, c_char_p, c_int, c_void_p, cast, create_string_buffer, string_at

lib = CDLL("liburiparser.so.1")
OPTION = {"strict": 0, "compat": 1}[sys.argv[1]]  # URI_RESOLVE_STRICTLY, URI_RESOLVE_IDENTICAL_SCHEME_COMPAT
OPS = ["resolve"] if OPTION else ["resolve", "parse"]  # the option changes only the resolution
ROOM = 1024  # more than a UriUriA takes

class Range(Structure):  # UriTextRangeA: of the parsed text
    _fields_ = [("first", c_void_p), ("after_last", c_void_p)]

    def text(self):
        return string_at(self.first, self.after_last - self.first).decode() if self.first else None

class Segment(Structure):  # UriPathSegmentA
    pass

Segment._fields_ = [("text", Range), ("next", POINTER(Segment)), ("reserved", c_void_p)]

class Uri(Structure):  # UriUriA
    _fields_ = [("scheme", Range), ("userinfo", Range), ("host", Range), ("ip4", c_void_p), ("ip6", c_void_p), ("ip_future", Range),
                ("port", Range), ("path", POINTER(Segment)), ("path_tail", c_void_p), ("query", Range), ("fragment", Range),
                ("absolute_path", c_int), ("owner", c_int), ("reserved", c_void_p)]

def failed(part, code):
    return {"failure": f"{part}error {code}"}

def written(uri):
    length = c_int()
    if code := lib.uriToStringCharsRequiredA(uri, byref(length)):
        return failed("", code)
    text = create_string_buffer(length.value + 1)
    code = lib.uriToStringA(text, uri, length.value + 1, None)
    return failed("", code) if code else {"bytes": text.value.hex()}

def resolve(base, reference):
    start, relative, result = (create_string_buffer(ROOM) for _ in range(3))
    # The texts have to outlive the parsed URIs, which point into them.
    base, reference, where = c_char_p(base), c_char_p(reference), c_char_p()
    # The base is an object here, so with an unknown base the reference is parsed alone.
    if base.value and (code := lib.uriParseSingleUriA(start, base, byref(where))):
        return failed("base: ", code)
    try:
        if code := lib.uriParseSingleUriA(relative, reference, byref(where)):
            return failed("", code)
        if not base.value:
            return written(relative)
        if code := lib.uriAddBaseUriExA(result, relative, start, OPTION):
            return failed("base: " if code == 5 else "", code)  # 5 is URI_ERROR_ADDBASE_REL_BASE
        return written(result)
    finally:
        for uri in (result, relative, start):
            lib.uriFreeUriMembersA(uri)

def parse(url):
    uri, url, where, segments = create_string_buffer(ROOM), c_char_p(url), c_char_p(), []
    if code := lib.uriParseSingleUriA(uri, url, byref(where)):
        return failed("", code)
    found = cast(uri, POINTER(Uri)).contents
    parts = {name: getattr(found, name).text() for name in ("scheme", "userinfo", "host", "port")}
    # The path is a list of segments, with a slash before the first one after a host or if the flag is set.
    segment = found.path
    while segment:
        segments.append(segment.contents.text.text())
        segment = segment.contents.next
    parts["path"] = "/" * bool(found.absolute_path or found.host.first and segments) + "/".join(segments)
    parts.update({name: getattr(found, name).text() for name in ("query", "fragment")})
    lib.uriFreeUriMembersA(uri)
    return {"parts": parts}

version = sys.argv[2]  # from the command, as the library can not report it before 0.9.9
if hasattr(lib, "uriBaseRuntimeVersionA"):
    lib.uriBaseRuntimeVersionA.restype = c_char_p
    version = lib.uriBaseRuntimeVersionA().decode()
print(json.dumps({"protocol": 1, "engine": "uriparser", "version": version, "ops": OPS}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    texts = [asked[name].encode() for name in ("base", "reference", "url") if name in asked]
    if b"\0" in b"".join(texts):
        answer = {"unrepresentable": "a C string ends at NUL"}
    else:
        answer = (parse if asked["op"] == "parse" else resolve)(*texts)
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
