"""The uriparser library as an engine: uriAddBaseUriEx with the option and the version given as arguments."""
import json, sys
from ctypes import CDLL, byref, c_char_p, c_int, create_string_buffer

lib = CDLL("liburiparser.so.1")
OPTION = {"strict": 0, "compat": 1}[sys.argv[1]]  # URI_RESOLVE_STRICTLY, URI_RESOLVE_IDENTICAL_SCHEME_COMPAT
ROOM = 1024  # more than a UriUriA takes, which is never looked into here

def failed(part, code):
    return {"failure": f"{part}error {code}"}

def written(uri):
    length = c_int()
    if code := lib.uriToStringCharsRequiredA(uri, byref(length)):
        return failed("", code)
    text = create_string_buffer(length.value + 1)
    code = lib.uriToStringA(text, uri, length.value + 1, None)
    return failed("", code) if code else {"bytes": text.value.hex()}

def resolve(base, reference):
    start, relative, result = (create_string_buffer(ROOM) for _ in range(3))
    # The texts have to outlive the parsed URIs, which point into them.
    base, reference, where = c_char_p(base), c_char_p(reference), c_char_p()
    # The base is an object here, so with an unknown base the reference is parsed alone.
    if base.value and (code := lib.uriParseSingleUriA(start, base, byref(where))):
        return failed("base: ", code)
    try:
        if code := lib.uriParseSingleUriA(relative, reference, byref(where)):
            return failed("", code)
        if not base.value:
            return written(relative)
        if code := lib.uriAddBaseUriExA(result, relative, start, OPTION):
            return failed("base: " if code == 5 else "", code)  # 5 is URI_ERROR_ADDBASE_REL_BASE
        return written(result)
    finally:
        for uri in (result, relative, start):
            lib.uriFreeUriMembersA(uri)

version = sys.argv[2]  # from the command, as the library can not report it before 0.9.9
if hasattr(lib, "uriBaseRuntimeVersionA"):
    lib.uriBaseRuntimeVersionA.restype = c_char_p
    version = lib.uriBaseRuntimeVersionA().decode()
print(json.dumps({"protocol": 1, "engine": "uriparser", "version": version, "ops": ["resolve"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    base, reference = asked["base"].encode(), asked["reference"].encode()
    if b"\0" in base + reference:
        answer = {"unrepresentable": "a C string ends at NUL"}
    else:
        answer = resolve(base, reference)
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
