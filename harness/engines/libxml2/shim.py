"""The URI module of libxml2 as an engine: xmlBuildURI(reference, base)."""
import json, sys
from ctypes import CDLL, POINTER, Structure, c_char_p, c_int, c_void_p, string_at

class Uri(Structure):  # xmlURI up to the fields that were added later
    _fields_ = [("scheme", c_char_p), ("opaque", c_char_p), ("authority", c_char_p), ("server", c_char_p), ("user", c_char_p),
                ("port", c_int), ("path", c_char_p), ("query", c_char_p), ("fragment", c_char_p), ("cleanup", c_int), ("query_raw", c_char_p)]

try:
    xml = CDLL("libxml2.so.16")
except OSError:
    xml = CDLL("libxml2.so.2")
xml.xmlBuildURI.restype = c_void_p
xml.xmlBuildURI.argtypes = [c_char_p, c_char_p]
xml.xmlParseURI.restype = POINTER(Uri)
xml.xmlParseURI.argtypes = [c_char_p]
xml.xmlFreeURI.argtypes = [POINTER(Uri)]
NO_PORT = (0, -1)  # PORT_EMPTY, PORT_EMPTY_SERVER
free = CDLL(None).free  # what xmlFree is unless a program sets another
free.argtypes = [c_void_p]

def resolve(base, reference):
    # The base is text here, so an unknown base is the empty text.
    text = xml.xmlBuildURI(reference, base)
    answer = {"bytes": string_at(text).hex()} if text else {"failure": "xmlBuildURI returned NULL"}
    free(text)
    return answer

def parse(url):
    uri = xml.xmlParseURI(url)
    if not uri:
        return {"failure": "xmlParseURI returned NULL"}
    found = uri.contents
    port = None if found.port in NO_PORT else b"%d" % found.port
    parts = {"scheme": found.scheme, "userinfo": found.user, "host": found.server, "port": port, "path": found.path,
             "query": found.query_raw, "fragment": found.fragment}
    try:
        return {"parts": {name: value if value is None else value.decode() for name, value in parts.items()}}
    except UnicodeDecodeError:
        return {"unrepresentable": "a component is not UTF-8"}
    finally:
        xml.xmlFreeURI(uri)

number = int(c_char_p.in_dll(xml, "xmlParserVersion").value.split(b"-")[0])  # 20914 is 2.9.14
version = f"{number // 10000}.{number // 100 % 100}.{number % 100}"
print(json.dumps({"protocol": 1, "engine": "libxml2", "version": version, "ops": ["resolve", "parse"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    texts = [asked[name].encode() for name in ("base", "reference", "url") if name in asked]
    if b"\0" in b"".join(texts):
        answer = {"unrepresentable": "a C string ends at NUL"}
    else:
        answer = (parse if asked["op"] == "parse" else resolve)(*texts)
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
