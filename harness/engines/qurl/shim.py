"""QUrl of Qt as an engine, by PyQt or PySide: QUrl(base).resolved(QUrl(reference)), written as text, or encoded by the argument."""
import json, sys

try:
    from PyQt6.QtCore import QUrl, qVersion
    cuts, ENCODED = False, QUrl.ComponentFormattingOption.FullyEncoded
except ImportError:
    from PySide2.QtCore import QUrl, qVersion
    cuts, ENCODED = True, QUrl.FullyEncoded  # this binding hands a text to Qt only up to the first NUL

encoded = sys.argv[1:] == ["encoded"]
print(json.dumps({"protocol": 1, "engine": "QUrl", "version": qVersion(), "ops": ["resolve", "parse"]}), flush=True)

def failed(part, url):
    # Its message may quote half of a surrogate pair, which JSON should not carry.
    return {"failure": part + url.errorString().encode("utf-8", "replace").decode()}

def halved(text):
    return any("\ud800" <= character <= "\udfff" for character in text)

def resolve(base, reference):
    if cuts and "\0" in base + reference:
        return {"unrepresentable": "the Python binding cuts a text at NUL"}
    start, relative = QUrl(base), QUrl(reference)
    # An empty text is never valid for QUrl, but it is a reference all the same.
    if base and not start.isValid():
        return failed("base: ", start)
    if reference and not relative.isValid():
        return failed("", relative)
    # The base is an object here, so with an unknown base the reference is parsed alone.
    url = start.resolved(relative) if base else relative
    if not url.isValid() and not url.isEmpty():
        return failed("", url)
    text = url.toEncoded().data().decode("ascii") if encoded else url.toString()
    return {"unrepresentable": "the result has a lone surrogate"} if halved(text) else {"url": text}

def parse(text):
    if cuts and "\0" in text:
        return {"unrepresentable": "the Python binding cuts a text at NUL"}
    url = QUrl(text)
    if text and not url.isValid():
        return failed("", url)
    port = url.port()
    options = [ENCODED] if encoded else []
    user, password, host, path, query, fragment, authority = (
        getattr(url, name)(*options) for name in ("userName", "password", "host", "path", "query", "fragment", "authority"))
    parts = {"scheme": url.scheme(), "user": user, "password": password, "host": host, "port": None if port == -1 else str(port),
             "path": path, "query": query, "fragment": fragment, "authority": authority}
    if any(map(halved, filter(None, parts.values()))):
        return {"unrepresentable": "a component has a lone surrogate"}
    return {"parts": parts}

for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    answer = parse(asked["url"]) if asked["op"] == "parse" else resolve(asked["base"], asked["reference"])
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
