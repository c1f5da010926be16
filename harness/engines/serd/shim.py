"""The Serd library as an engine: serd_node_new_uri_from_string(reference, base)."""
import json, sys
from ctypes import CDLL, POINTER, Structure, byref, c_char_p, c_int, c_size_t, c_void_p, string_at

class Parts(Structure):  # SerdURI: six slices of the parsed text, never looked into here
    _fields_ = [(name, c_void_p if n % 2 == 0 else c_size_t) for n, name in enumerate("abcdefghijkl")]

class Node(Structure):  # SerdNode
    _fields_ = [("buf", c_void_p), ("n_bytes", c_size_t), ("n_chars", c_size_t), ("flags", c_int), ("type", c_int)]

lib = CDLL("libserd-0.so.0")
lib.serd_node_new_uri_from_string.restype = Node
lib.serd_node_new_uri_from_string.argtypes = [c_char_p, POINTER(Parts), POINTER(Parts)]
lib.serd_node_free.argtypes = [POINTER(Node)]
lib.serd_uri_parse.argtypes = [c_char_p, POINTER(Parts)]

# The library can not report its version, so it comes from the command.
print(json.dumps({"protocol": 1, "engine": "serd", "version": sys.argv[1], "ops": ["resolve"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    base, reference = asked["base"].encode(), asked["reference"].encode()
    if b"\0" in base + reference:
        answer = {"unrepresentable": "a C string ends at NUL"}
    else:
        start, result = Parts(), Parts()
        # The base is an object here, so with an unknown base the reference is parsed alone.
        if base and (code := lib.serd_uri_parse(base, byref(start))):
            answer = {"failure": f"base: status {code}"}
        else:
            node = lib.serd_node_new_uri_from_string(reference, byref(start) if base else None, byref(result))
            answer = {"bytes": string_at(node.buf, node.n_bytes).hex()} if node.buf else {"failure": "an empty node was returned"}
            lib.serd_node_free(byref(node))
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
