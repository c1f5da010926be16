"""Firefox as an engine: new URL(reference, base).href and the properties of new URL(url) in a blank page.

The shim uses the Marionette protocol.
"""
import itertools, json, os, shutil, socket, subprocess, sys, tempfile, time

ASK = """return arguments[0].map(({op, base, reference, url: text}) => {
    let url;
    try { // An unknown base is left out.
        url = op === "parse" ? new URL(text) : new URL(reference, base || undefined);
    } catch (e) { return {failure: e.message}; }
    if (op !== "parse") return {url: url.href};
    return {parts: {
        scheme: url.protocol.replace(/:$/, ""), user: url.username, password: url.password, host: url.hostname, port: url.port,
        path: url.pathname, query: url.search.replace(/^\\?/, ""), fragment: url.hash.replace(/^#/, ""), authority: url.host}};
});"""

profile = tempfile.mkdtemp()
with open(profile + "/user.js", "w") as prefs:
    prefs.write('user_pref("marionette.port", 0);\n')  # Any free port; Firefox writes which into a file.
browser = subprocess.Popen([sys.argv[1], "--headless", "--marionette", "--no-remote", "--profile", profile],
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
port, ids = profile + "/MarionetteActivePort", itertools.count(1)
while not os.path.exists(port) or not open(port).read().strip():
    if browser.poll() is not None:
        sys.exit("the browser ended")
    time.sleep(0.05)
stream = socket.create_connection(("127.0.0.1", int(open(port).read()))).makefile("rwb")


def receive():
    size = b""
    while not size.endswith(b":"):
        byte = stream.read(1)
        if not byte:
            sys.exit("the browser ended")
        size += byte
    return json.loads(stream.read(int(size[:-1])))


def call(name, **params):
    sent = json.dumps([0, next(ids), name, params]).encode()
    stream.write(b"%d:%s" % (len(sent), sent))
    stream.flush()
    _, _, error, result = receive()
    if error:
        sys.exit(str(error))
    return result


receive()  # The greeting.
version = call("WebDriver:NewSession")["capabilities"]["browserVersion"]
print(json.dumps({"protocol": 1, "engine": "Firefox", "version": version, "ops": ["resolve", "parse"]}), flush=True)
waiting = b""
while chunk := os.read(0, 1 << 16):  # One call answers all requests that wait, because a call takes milliseconds.
    *lines, waiting = (waiting + chunk).split(b"\n")
    asked = [json.loads(line.decode("ascii")) for line in lines]
    answers = call("WebDriver:ExecuteScript", script=ASK, args=[asked])["value"]
    for request, answer in zip(asked, answers):
        print(json.dumps({"id": request["id"], **answer}), flush=True)
call("Marionette:Quit", flags=["eForceQuit"])
browser.wait()
shutil.rmtree(profile, ignore_errors=True)
