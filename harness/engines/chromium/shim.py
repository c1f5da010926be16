"""Chromium as an engine: new URL(reference, base).href and the properties of new URL(url) in a blank page.

The shim uses the DevTools protocol over two pipes.
"""
import itertools, json, os, shutil, subprocess, sys, tempfile

ASK = """try { ({url: new URL(%(reference)s, %(base)s).href}) }
    catch (e) { ({failure: (e.message.includes("base URL") ? "base: " : "") + e.message}) }"""
PARSE = """(function (text) {
    let url;
    try { url = new URL(text) } catch (e) { return {failure: e.message} }
    return {parts: {
        scheme: url.protocol.replace(/:$/, ""), user: url.username, password: url.password, host: url.hostname, port: url.port,
        path: url.pathname, query: url.search.replace(/^\\?/, ""), fragment: url.hash.replace(/^#/, ""), authority: url.host}};
})(%s)"""


def wire():
    # Chromium reads commands from descriptor 3 and writes answers to 4. What it prints is no answer.
    os.dup2(0, 3), os.dup2(1, 4), os.dup2(2, 1)


profile = tempfile.mkdtemp()
flags = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
    --disable-component-update --disable-sync --disable-dev-shm-usage --remote-debugging-pipe""".split()
browser = subprocess.Popen([sys.argv[1], *flags, "--user-data-dir=" + profile, "about:blank"], stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=wire, pass_fds=(3, 4))
ids, buffer = itertools.count(1), bytearray()


def call(method, session=None, **params):
    sent = {"id": next(ids), "method": method, "params": params, **({"sessionId": session} if session else {})}
    browser.stdin.write(json.dumps(sent).encode() + b"\0")
    browser.stdin.flush()
    while True:
        while b"\0" not in buffer:
            chunk = browser.stdout.read1(1 << 20)
            if not chunk:
                sys.exit("the browser ended")
            buffer.extend(chunk)
        message, _, rest = buffer.partition(b"\0")
        buffer[:] = rest
        message = json.loads(message)
        if message.get("id") == sent["id"]:
            return message["result"]


version = call("Browser.getVersion")["product"].split("/")[1]
page = call("Target.createTarget", url="about:blank")["targetId"]
session = call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
print(json.dumps({"protocol": 1, "engine": "Chromium", "version": version, "ops": ["resolve", "parse"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    if asked["op"] == "parse":
        expression = PARSE % json.dumps(asked["url"])
    else:
        # An unknown base is left out.
        base = json.dumps(asked["base"]) if asked["base"] else "undefined"
        expression = ASK % {"reference": json.dumps(asked["reference"]), "base": base}
    result = call("Runtime.evaluate", session, expression=expression, returnByValue=True)
    print(json.dumps({"id": asked["id"], **result["result"]["value"]}), flush=True)
call("Browser.close")
browser.wait()
shutil.rmtree(profile, ignore_errors=True)
