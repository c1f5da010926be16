"""The command curl as an engine, which runs once for each URL."""
import json, os, re, subprocess, sys

environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
environment["LC_ALL"] = "C.UTF-8"  # the command reads names outside ASCII in the encoding of the locale
# No configuration file, which must be the first option, and no patterns in brackets and braces.
COMMAND = ["curl", "--disable", "--silent", "--show-error", "--globoff", "--output", "/dev/null", "--max-time", "4",
           "--insecure", "--noproxy", "*"]
FOLLOW = ["--location", "--max-redirs", "3"]

def connect(url, follow):
    if "\0" in url:
        return {"unrepresentable": "NUL in an argument"}
    command = [*COMMAND, *(FOLLOW if follow else []), "--", url]
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode == 0:
        return {"done": True}
    message = " ".join(done.stderr.decode("utf-8", "replace").split())
    return {"failure": re.sub(r" after \d+ (ms|milliseconds)", "", message)[:300] or f"exit status {done.returncode}"}

said = subprocess.run(["curl", "--disable", "--version"], env=environment, stdout=subprocess.PIPE, text=True).stdout
print(json.dumps({"protocol": 1, "engine": "curl", "version": said.split()[1], "ops": ["connect", "follow"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    known = asked["op"] in ("connect", "follow")
    answer = connect(asked["url"], asked["op"] == "follow") if known else {"skipped": "unsupported operation"}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
