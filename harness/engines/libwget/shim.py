"""The library of Wget2 as an engine: wget_iri_relative_to_abs(wget_iri_parse(base), reference)."""
import json, sys
from ctypes import CDLL, byref, c_char_p, c_size_t, c_void_p

try:
    lib = CDLL("libwget.so.3")
except OSError:
    lib = CDLL("libwget.so.0")
lib.wget_iri_relative_to_abs.restype = c_char_p
lib.wget_iri_parse.restype = lib.wget_buffer_alloc.restype = c_void_p
lib.wget_buffer_alloc.argtypes = [c_size_t]
lib.wget_iri_parse.argtypes = [c_char_p, c_char_p]
lib.wget_iri_relative_to_abs.argtypes = [c_void_p, c_char_p, c_size_t, c_void_p]
lib.wget_iri_free.argtypes = [c_void_p]
buffer = lib.wget_buffer_alloc(1024)

def resolve(base, reference):
    # The library takes no base (NULL) for an unknown one.
    start = c_void_p(lib.wget_iri_parse(base, b"utf-8") if base else None)
    if base and not start:
        return {"failure": "base: wget_iri_parse returned NULL"}
    text = lib.wget_iri_relative_to_abs(start, reference, len(reference), buffer)
    lib.wget_iri_free(byref(start))
    return {"failure": "wget_iri_relative_to_abs returned NULL"} if text is None else {"bytes": text.hex()}

# The library has no call that reports its version, so it comes from the command.
print(json.dumps({"protocol": 1, "engine": "libwget", "version": sys.argv[1], "ops": ["resolve"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    base, reference = asked["base"].encode(), asked["reference"].encode()
    if b"\0" in base + reference:
        answer = {"unrepresentable": "a C string ends at NUL"}
    else:
        answer = resolve(base, reference)
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
