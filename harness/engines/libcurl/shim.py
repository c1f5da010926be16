"""The URL API of libcurl as an engine: curl_url_set with the base, then with the reference, with the flags given as arguments."""
import json, sys
from ctypes import CDLL, byref, c_char_p, c_int, c_uint, c_void_p, string_at

curl = CDLL("libcurl.so.4")
curl.curl_version.restype = c_char_p
curl.curl_url.restype = c_void_p
curl.curl_url_set.argtypes = [c_void_p, c_int, c_char_p, c_uint]
curl.curl_url_get.argtypes = [c_void_p, c_int, c_void_p, c_uint]
curl.curl_url_cleanup.argtypes = curl.curl_free.argtypes = [c_void_p]
if hasattr(curl, "curl_url_strerror"):  # libcurl 7.80 and later
    curl.curl_url_strerror.restype = c_char_p
KNOWN = {"NON_SUPPORT_SCHEME": 1 << 3, "PATH_AS_IS": 1 << 4, "URLENCODE": 1 << 7, "ALLOW_SPACE": 1 << 11}
FLAGS = sum(KNOWN[name] for name in sys.argv[1:])
URL = 0  # CURLUPART_URL

def failed(part, code):
    text = curl.curl_url_strerror(code).decode() if hasattr(curl, "curl_url_strerror") else "CURLUcode"
    return {"failure": f"{part}{text} ({code})"}

def resolve(base, reference):
    handle = curl.curl_url()
    try:
        # The base is an object here, so with an unknown base the reference is parsed alone.
        if base and (code := curl.curl_url_set(handle, URL, base, FLAGS)):
            return failed("base: ", code)
        if code := curl.curl_url_set(handle, URL, reference, FLAGS):
            return failed("", code)
        text = c_void_p()
        if code := curl.curl_url_get(handle, URL, byref(text), 0):
            return failed("", code)
        answer = {"bytes": string_at(text.value).hex()}
        curl.curl_free(text)
        return answer
    finally:
        curl.curl_url_cleanup(handle)

version = curl.curl_version().decode().split()[0].partition("/")[2]
print(json.dumps({"protocol": 1, "engine": "libcurl", "version": version, "ops": ["resolve"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    base, reference = asked["base"].encode(), asked["reference"].encode()
    if b"\0" in base + reference:
        answer = {"unrepresentable": "a C string ends at NUL"}
    else:
        answer = resolve(base, reference)
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
