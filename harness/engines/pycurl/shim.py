"""pycurl as an engine: a Curl object that requests the URL, with the libcurl that is part of the wheel."""
import json, re, sys
import pycurl

def connect(url, follow):
    client = pycurl.Curl()
    try:
        client.setopt(client.URL, url.encode())  # pycurl takes text only if it is ASCII, so the caller encodes it
        client.setopt(client.FOLLOWLOCATION, follow)
        client.setopt(client.MAXREDIRS, 3)
        client.setopt(client.TIMEOUT, 4)
        client.setopt(client.SSL_VERIFYPEER, 0)
        client.setopt(client.SSL_VERIFYHOST, 0)
        client.setopt(client.NOPROXY, "*")
        client.setopt(client.WRITEFUNCTION, len)
        client.perform()
    except pycurl.error as error:
        return {"failure": re.sub(r" after \d+ ms\w*", "", " ".join(str(error.args[-1]).split()))[:300]}
    except Exception as error:
        return {"failure": " ".join(str(error).split())[:300]}
    finally:
        client.close()
    return {"done": True}

version = re.search(r"PycURL/([\w.]+)", pycurl.version)[1]
print(json.dumps({"protocol": 1, "engine": "pycurl", "version": version, "ops": ["connect", "follow"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    known = asked["op"] in ("connect", "follow")
    answer = connect(asked["url"], asked["op"] == "follow") if known else {"skipped": "unsupported operation"}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
