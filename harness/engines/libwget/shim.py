"""The library of Wget2 as an engine: wget_iri_relative_to_abs(wget_iri_parse(base), reference)."""
import json, sys
from ctypes import CDLL, POINTER, Structure, byref, c_char_p, c_int, c_size_t, c_uint16, c_void_p, cast

try:
    lib, scheme_last = CDLL("libwget.so.3"), True
except OSError:
    lib, scheme_last = CDLL("libwget.so.0"), False

class Iri(Structure):  # wget_iri up to the scheme, in the order of either version
    _fields_ = [(name, c_char_p) for name in ("uri", "safe_uri" if scheme_last else "display", "display" if scheme_last else "scheme",
                "userinfo", "password", "host", "path", "query", "fragment", "connection_part")]
    _fields_ += [("dirlen", c_size_t), ("msize", c_size_t), ("port", c_uint16)] + [("scheme", c_int)] * scheme_last

lib.wget_iri_relative_to_abs.restype = c_char_p
lib.wget_iri_parse.restype = lib.wget_buffer_alloc.restype = c_void_p
lib.wget_buffer_alloc.argtypes = [c_size_t]
lib.wget_iri_parse.argtypes = [c_char_p, c_char_p]
lib.wget_iri_relative_to_abs.argtypes = [c_void_p, c_char_p, c_size_t, c_void_p]
lib.wget_iri_free.argtypes = [c_void_p]
if scheme_last:
    lib.wget_iri_scheme_get_name.restype = c_char_p
buffer = lib.wget_buffer_alloc(1024)

def resolve(base, reference):
    # The library takes no base (NULL) for an unknown one.
    start = c_void_p(lib.wget_iri_parse(base, b"utf-8") if base else None)
    if base and not start:
        return {"failure": "base: wget_iri_parse returned NULL"}
    text = lib.wget_iri_relative_to_abs(start, reference, len(reference), buffer)
    lib.wget_iri_free(byref(start))
    return {"failure": "wget_iri_relative_to_abs returned NULL"} if text is None else {"bytes": text.hex()}

def parse(url):
    iri = c_void_p(lib.wget_iri_parse(url, b"utf-8"))
    if not iri:
        return {"failure": "wget_iri_parse returned NULL"}
    found = cast(iri, POINTER(Iri)).contents
    scheme = lib.wget_iri_scheme_get_name(found.scheme) if scheme_last else found.scheme
    parts = {"scheme": scheme, "user": found.userinfo, "password": found.password, "host": found.host, "port": b"%d" % found.port,
             "path": found.path, "query": found.query, "fragment": found.fragment}
    try:
        return {"parts": {name: value if value is None else value.decode() for name, value in parts.items()}}
    except UnicodeDecodeError:
        return {"unrepresentable": "a component is not UTF-8"}
    finally:
        lib.wget_iri_free(byref(iri))

# The library has no call that reports its version, so it comes from the command.
print(json.dumps({"protocol": 1, "engine": "libwget", "version": sys.argv[1], "ops": ["resolve", "parse"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    texts = [asked[name].encode() for name in ("base", "reference", "url") if name in asked]
    if b"\0" in b"".join(texts):
        answer = {"unrepresentable": "a C string ends at NUL"}
    else:
        answer = (parse if asked["op"] == "parse" else resolve)(*texts)
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
