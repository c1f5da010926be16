"""The Serd library as an engine: serd_node_new_uri_from_string(reference, base)."""
import json, sys
from ctypes import CDLL, POINTER, Structure, byref, c_char_p, c_int, c_size_t, c_void_p, string_at

class Slice(Structure):  # SerdChunk: of the parsed text
    _fields_ = [("start", c_void_p), ("length", c_size_t)]

class Parts(Structure):  # SerdURI
    _fields_ = [(name, Slice) for name in ("scheme", "authority", "path_base", "path", "query", "fragment")]

class Node(Structure):  # SerdNode
    _fields_ = [("buf", c_void_p), ("n_bytes", c_size_t), ("n_chars", c_size_t), ("flags", c_int), ("type", c_int)]

lib = CDLL("libserd-0.so.0")
lib.serd_node_new_uri_from_string.restype = Node
lib.serd_node_new_uri_from_string.argtypes = [c_char_p, POINTER(Parts), POINTER(Parts)]
lib.serd_node_free.argtypes = [POINTER(Node)]
lib.serd_uri_parse.argtypes = [c_char_p, POINTER(Parts)]

def resolve(base, reference):
    start, result = Parts(), Parts()
    # The base is an object here, so with an unknown base the reference is parsed alone.
    if base and (code := lib.serd_uri_parse(base, byref(start))):
        return {"failure": f"base: status {code}"}
    node = lib.serd_node_new_uri_from_string(reference, byref(start) if base else None, byref(result))
    answer = {"bytes": string_at(node.buf, node.n_bytes).hex()} if node.buf else {"failure": "an empty node was returned"}
    lib.serd_node_free(byref(node))
    return answer

def parse(url):
    found, parts = Parts(), {}
    text = c_char_p(url)  # outlives the slices of it
    if code := lib.serd_uri_parse(text, byref(found)):
        return {"failure": f"status {code}"}
    for name in ("scheme", "path", "query", "fragment", "authority"):
        part = getattr(found, name)
        parts[name] = string_at(part.start, part.length).decode() if part.start else None
    if parts["fragment"]:
        parts["fragment"] = parts["fragment"][1:]  # without the "#" that the slice includes
    return {"parts": parts}

# The library can not report its version, so it comes from the command.
print(json.dumps({"protocol": 1, "engine": "serd", "version": sys.argv[1], "ops": ["resolve", "parse"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    texts = [asked[name].encode() for name in ("base", "reference", "url") if name in asked]
    if b"\0" in b"".join(texts):
        answer = {"unrepresentable": "a C string ends at NUL"}
    else:
        answer = (parse if asked["op"] == "parse" else resolve)(*texts)
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
