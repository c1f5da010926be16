"""The command aria2c as an engine, which runs once for each URL. It follows every redirect."""
import json, os, re, subprocess, sys, tempfile

environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
# aria2's own resolver asks nothing where the only network interface is the loopback, so the system's resolver is asked.
COMMAND = ["aria2c", "--no-conf", "--no-netrc", "--check-certificate=false", "--connect-timeout=4", "--timeout=4", "--max-tries=1",
           "--console-log-level=error", "--summary-interval=0", "--show-console-readout=false", "--enable-color=false",
           "--async-dns=false", "--out=body"]
ANSWERED = 0, 3, 22, 24  # the exit statuses after a response: success, not found, unexpected status, unauthorized

def connect(url):
    if "\0" in url:
        return {"unrepresentable": "NUL in an argument"}
    with tempfile.TemporaryDirectory() as folder:
        command = [*COMMAND, f"--dir={folder}", "--", url]
        try:
            done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=4.5)
        except subprocess.TimeoutExpired:
            return {"failure": "no answer in time"}
    if done.returncode in ANSWERED:
        return {"done": True}
    # The lines that begin with an arrow state causes; the last one is the first cause.
    causes = re.findall(r"-> \[.*?\] errorCode=\d+ (?:CUID#\d+ - )?(.*)", done.stdout.decode("utf-8", "replace"))
    return {"failure": " ".join([f"exit status {done.returncode}", *causes[-1:]])[:300]}

said = subprocess.run(["aria2c", "--version"], env=environment, stdout=subprocess.PIPE, text=True).stdout
version = re.search(r"aria2 version (\S+)", said)[1]
print(json.dumps({"protocol": 1, "engine": "aria2", "version": version, "ops": ["connect", "follow"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    known = asked["op"] in ("connect", "follow")
    print(json.dumps({"id": asked["id"], **(connect(asked["url"]) if known else {"skipped": "unsupported operation"})}), flush=True)
