"""The command GNU Wget as an engine, which runs once for each URL."""
import json, os, re, subprocess, sys

environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
environment["LC_ALL"] = "C.UTF-8"  # the command reads names outside ASCII in the encoding of the locale
COMMAND = ["wget", "--no-config", "--no-verbose", "--no-proxy", "--no-netrc", "--no-hsts", "--no-check-certificate", "--tries=1",
           "--timeout=4", "--output-document=/dev/null"]
ANSWERED = 8  # the exit status after any response that is not a success, so also after a redirect that is not followed

def connect(url, follow):
    if "\0" in url:
        return {"unrepresentable": "NUL in an argument"}
    command = [*COMMAND, "--max-redirect=3" if follow else "--max-redirect=0", "--", url]
    try:
        done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=4.5)
    except subprocess.TimeoutExpired:
        return {"failure": "no answer in time"}
    if done.returncode in (0, ANSWERED):
        return {"done": True}
    lines = done.stderr.decode("utf-8", "replace").splitlines()
    return {"failure": " ".join(lines[-1].split())[:300] if lines else f"exit status {done.returncode}"}

said = subprocess.run(["wget", "--version"], env=environment, stdout=subprocess.PIPE, text=True).stdout
version = re.search(r"GNU Wget (\S+)", said)[1]
print(json.dumps({"protocol": 1, "engine": "wget", "version": version, "ops": ["connect", "follow"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    known = asked["op"] in ("connect", "follow")
    answer = connect(asked["url"], asked["op"] == "follow") if known else {"skipped": "unsupported operation"}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
