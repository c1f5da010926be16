"""LibreOffice's system abstraction layer as an engine: rtl_uriConvertRelToAbs(base, reference, &result, &exception)."""
import json, sys
from ctypes import CDLL, POINTER, byref, c_char_p, c_int32, c_ubyte, c_void_p, string_at

sal = CDLL("/usr/lib/libreoffice/program/libuno_sal.so.3")
convert = sal.rtl_uriConvertRelToAbs
convert.argtypes, convert.restype = [c_void_p, c_void_p, POINTER(c_void_p), POINTER(c_void_p)], c_ubyte
sal.rtl_uString_newFromStr_WithLength.argtypes = [POINTER(c_void_p), c_char_p, c_int32]
sal.rtl_uString_getStr.argtypes = sal.rtl_uString_getLength.argtypes = sal.rtl_uString_release.argtypes = [c_void_p]
sal.rtl_uString_getStr.restype = c_void_p

def made(text):
    units = text.encode("utf-16-le")
    held = c_void_p()
    sal.rtl_uString_newFromStr_WithLength(byref(held), units, len(units) // 2)
    return held

def read(held):
    return string_at(sal.rtl_uString_getStr(held), 2 * sal.rtl_uString_getLength(held)).decode("utf-16-le")

def resolve(base, reference):
    # An unknown base is passed as the empty text.
    texts = [made(base), made(reference), made(""), made("")]
    held_base, held_reference, result, exception = texts
    try:
        if convert(held_base, held_reference, byref(result), byref(exception)):
            return {"url": read(result)}
        return {"failure": read(exception)}
    except UnicodeDecodeError:
        return {"unrepresentable": "lone surrogate"}
    finally:
        for held in texts:
            sal.rtl_uString_release(held)

version = sys.argv[1]  # the library does not return its version
print(json.dumps({"protocol": 1, "engine": "libreoffice-sal", "version": version, "ops": ["resolve"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    print(json.dumps({"id": asked["id"], **resolve(asked["base"], asked["reference"])}), flush=True)
