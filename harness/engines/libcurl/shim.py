"""The URL API of libcurl as an engine: curl_url_set with the base, then with the reference, with the flags given as arguments."""
import json, locale, sys
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
PUNYCODE = 1 << 12  # libcurl 7.88 and later; earlier ones ignore the flag
# The parts: CURLUPART, flags of curl_url_get, and the CURLUcode for a part that is absent. A transfer converts the host like PUNYCODE does.
PARTS = {"scheme": (1, 0, 10), "user": (2, 0, 11), "password": (3, 0, 12), "host": (5, PUNYCODE, 14), "display_host": (5, 0, 14),
         "port": (6, 0, 15), "path": (7, 0, None), "query": (8, 0, 16), "fragment": (9, 0, 17)}
UTF_8 = locale.nl_langinfo(locale.CODESET) == "UTF-8"  # PUNYCODE reads the host in the charset of the locale


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

def parse(url):
    handle, parts = curl.curl_url(), {}
    try:
        if code := curl.curl_url_set(handle, URL, url, FLAGS):
            return failed("", code)
        for name, (part, flags, absent) in PARTS.items():
            text = c_void_p()
            code = curl.curl_url_get(handle, part, byref(text), flags)
            if code and code != absent:
                if flags == PUNYCODE and not UTF_8:
                    return {"skipped": "there is no UTF-8 locale, which the Debian package libc-bin contains"}
                return failed(f"{name}: ", code)
            parts[name] = None if code else string_at(text.value).decode()
            curl.curl_free(text)
        return {"parts": parts}
    except UnicodeDecodeError:
        return {"unrepresentable": "a component is not UTF-8"}
    finally:
        curl.curl_url_cleanup(handle)

version = curl.curl_version().decode().split()[0].partition("/")[2]
print(json.dumps({"protocol": 1, "engine": "libcurl", "version": version, "ops": ["resolve", "parse"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    texts = [asked[name].encode() for name in ("base", "reference", "url") if name in asked]
    if b"\0" in b"".join(texts):
        answer = {"unrepresentable": "a C string ends at NUL"}
    else:
        answer = (parse if asked["op"] == "parse" else resolve)(*texts)
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
