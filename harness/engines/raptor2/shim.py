"""The Raptor library as an engine: raptor_new_uri_relative_to_base(world, base, reference)."""
import json, sys
from ctypes import CDLL, c_char_p, c_uint, c_void_p

lib = CDLL("libraptor2.so.0")
lib.raptor_new_world_internal.restype = lib.raptor_new_uri.restype = lib.raptor_new_uri_relative_to_base.restype = c_void_p
lib.raptor_new_world_internal.argtypes = [c_uint]
lib.raptor_world_open.argtypes = lib.raptor_free_uri.argtypes = lib.raptor_uri_as_string.argtypes = [c_void_p]
lib.raptor_new_uri.argtypes = [c_void_p, c_char_p]
lib.raptor_new_uri_relative_to_base.argtypes = [c_void_p, c_void_p, c_char_p]
lib.raptor_uri_as_string.restype = c_char_p
world = lib.raptor_new_world_internal(20000)  # the interface of 2.0.0 and later
lib.raptor_world_open(world)

def resolve(base, reference):
    if not base:
        # The base is an object here, so with an unknown base the reference is parsed alone.
        uri = lib.raptor_new_uri(world, reference)
    else:
        start = lib.raptor_new_uri(world, base)
        if not start:
            return {"failure": "base: raptor_new_uri returned NULL"}
        uri = lib.raptor_new_uri_relative_to_base(world, start, reference)
        lib.raptor_free_uri(start)
    if not uri:
        return {"failure": "no URI was returned"}
    answer = {"bytes": lib.raptor_uri_as_string(uri).hex()}
    lib.raptor_free_uri(uri)
    return answer

version = c_char_p.in_dll(lib, "raptor_version_string").value.decode()
print(json.dumps({"protocol": 1, "engine": "raptor2", "version": version, "ops": ["resolve"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    base, reference = asked["base"].encode(), asked["reference"].encode()
    if b"\0" in base + reference:
        answer = {"unrepresentable": "a C string ends at NUL"}
    else:
        answer = resolve(base, reference)
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
