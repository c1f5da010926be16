"""SoupURI of libsoup 2 as an engine: soup_uri_new_with_base(base, reference)."""
import json, sys
from ctypes import CDLL, c_char_p, c_int, c_void_p, string_at

soup = CDLL("libsoup-2.4.so.1")
free = CDLL("libglib-2.0.so.0").g_free
soup.soup_uri_new.restype = soup.soup_uri_new_with_base.restype = soup.soup_uri_to_string.restype = c_void_p
soup.soup_uri_new.argtypes = [c_char_p]
soup.soup_uri_new_with_base.argtypes = [c_void_p, c_char_p]
soup.soup_uri_to_string.argtypes = [c_void_p, c_int]
soup.soup_uri_free.argtypes = free.argtypes = [c_void_p]

def resolve(base, reference):
    if not base:
        # The base is an object here, so with an unknown base the reference is parsed alone.
        uri = soup.soup_uri_new(reference)
    else:
        start = soup.soup_uri_new(base)
        if not start:
            return {"failure": "base: soup_uri_new returned NULL"}
        uri = soup.soup_uri_new_with_base(start, reference)
        soup.soup_uri_free(start)
    if not uri:
        return {"failure": "no URI was returned"}
    text = soup.soup_uri_to_string(uri, 0)
    answer = {"bytes": string_at(text).hex()}
    free(text)
    soup.soup_uri_free(uri)
    return answer

version = ".".join(str(getattr(soup, f"soup_get_{part}_version")()) for part in ("major", "minor", "micro"))
print(json.dumps({"protocol": 1, "engine": "libsoup", "version": version, "ops": ["resolve"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    base, reference = asked["base"].encode(), asked["reference"].encode()
    if b"\0" in base + reference:
        answer = {"unrepresentable": "a C string ends at NUL"}
    else:
        answer = resolve(base, reference)
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
