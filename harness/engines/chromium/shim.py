"""Chromium as an engine: new URL(reference, base).href and the properties of new URL(url) in a blank page, and a navigation to a URL.

The shim uses the DevTools protocol over two pipes.
"""
import itertools, json, os, select, shutil, subprocess, sys, tempfile, time

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
# A browser that requests only what it is asked for.
features = """HttpsUpgrades HttpsFirstBalancedMode HttpsFirstBalancedModeAutoEnable PreconnectToSearch OptimizationHints MediaRouter
    Translate NavigationPredictor InterestFeedContentSuggestions CertificateTransparencyComponentUpdater AutofillServerCommunication""".split()
flags = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update
    --disable-sync --disable-dev-shm-usage --disable-default-apps --disable-extensions --disable-domain-reliability
    --disable-client-side-phishing-detection --disable-search-engine-choice-screen --no-default-browser-check --no-pings
    --metrics-recording-only --no-proxy-server --ignore-certificate-errors --remote-debugging-pipe""".split()
# Hosts that it requests for itself.
own_hosts = ["android.clients.google.com", "update.googleapis.com"]
flags += ["--disable-features=" + ",".join(features), "--host-rules=" + ", ".join(f"MAP {own} ~NOTFOUND" for own in own_hosts)]
os.mkdir(profile + "/Default")
with open(profile + "/Default/Preferences", "w") as preferences:
    # No connections in advance, and no look for a known name after a name without an address.
    json.dump({"net": {"network_prediction_options": 2}, "alternate_error_pages": {"enabled": False}}, preferences)
browser = subprocess.Popen([sys.argv[1], *flags, "--user-data-dir=" + profile, "about:blank"], stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=wire, pass_fds=(3, 4))
ids, buffer = itertools.count(1), bytearray()


def call(method, session=None, seconds=None, **params):
    """Returns the result of a method, or an answer with the browser's error. None if it takes longer."""
    sent = {"id": next(ids), "method": method, "params": params, **({"sessionId": session} if session else {})}
    browser.stdin.write(json.dumps(sent).encode() + b"\0")
    browser.stdin.flush()
    end = time.monotonic() + seconds if seconds else None
    while True:
        while b"\0" not in buffer:
            if end and not select.select([browser.stdout], [], [], max(0, end - time.monotonic()))[0]:
                return None
            chunk = browser.stdout.read1(1 << 20)
            if not chunk:
                sys.exit("the browser ended")
            buffer.extend(chunk)
        message, _, rest = buffer.partition(b"\0")
        buffer[:] = rest
        message = json.loads(message)
        if message.get("id") == sent["id"]:
            return message["result"] if "result" in message else {"errorText": message["error"]["message"]}


def attached(**options):
    page = call("Target.createTarget", url="about:blank", **options)["targetId"]
    return call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]


def request(url):
    """Opens a URL in a browser context of its own, which shares no connection, name or cookie with others."""
    context = call("Target.createBrowserContext")["browserContextId"]
    session = attached(browserContextId=context)
    call("Network.enable", session)
    call("Network.setBlockedURLs", session, urls=["*://*/favicon.ico"])
    result = call("Page.navigate", session, seconds=4, url=url)
    call("Target.disposeBrowserContext", browserContextId=context)
    if result is None:
        return {"failure": "no response after 4 seconds"}
    return {"failure": result["errorText"]} if "errorText" in result else {"done": True}


version = call("Browser.getVersion")["product"].split("/")[1]
session = attached()
ops = ["resolve", "parse", "connect", "follow"]
print(json.dumps({"protocol": 1, "engine": "Chromium", "version": version, "ops": ops}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    if asked["op"] in ("connect", "follow"):
        answer = request(asked["url"])
    else:
        if asked["op"] == "parse":
            expression = PARSE % json.dumps(asked["url"])
        else:
            # An unknown base is left out.
            base = json.dumps(asked["base"]) if asked["base"] else "undefined"
            expression = ASK % {"reference": json.dumps(asked["reference"]), "base": base}
        answer = call("Runtime.evaluate", session, expression=expression, returnByValue=True)["result"]["value"]
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
call("Browser.close")
browser.wait()
shutil.rmtree(profile, ignore_errors=True)
