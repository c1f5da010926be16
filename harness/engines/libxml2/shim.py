"""The URI module of libxml2 as an engine: xmlBuildURI(reference, base)."""
import json, sys
from ctypes import CDLL, c_char_p, c_void_p, string_at

try:
    xml = CDLL("libxml2.so.16")
except OSError:
    xml = CDLL("libxml2.so.2")
xml.xmlBuildURI.restype = c_void_p
xml.xmlBuildURI.argtypes = [c_char_p, c_char_p]
free = CDLL(None).free  # what xmlFree is unless a program sets another
free.argtypes = [c_void_p]

number = int(c_char_p.in_dll(xml, "xmlParserVersion").value.split(b"-")[0])  # 20914 is 2.9.14
version = f"{number // 10000}.{number // 100 % 100}.{number % 100}"
print(json.dumps({"protocol": 1, "engine": "libxml2", "version": version, "ops": ["resolve"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    base, reference = asked["base"].encode(), asked["reference"].encode()
    if b"\0" in base + reference:
        answer = {"unrepresentable": "a C string ends at NUL"}
    else:
        # The base is text here, so an unknown base is the empty text.
        text = xml.xmlBuildURI(reference, base)
        answer = {"bytes": string_at(text).hex()} if text else {"failure": "xmlBuildURI returned NULL"}
        free(text)
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
