"""nginx and Apache httpd as engines: what the server reads from a request whose target is the URL (RFC 9112 §3.2.2).

The argument is `nginx` or `apache`. The server writes what it has read into fields of its response.
"""
import json, os, re, socket, subprocess, sys, tempfile, time, urllib.parse

OTHER = "field.invalid"  # The field Host, with which the server answers if it reads no host from the target.
NGINX = """user root; daemon off; master_process off; pid {folder}/pid; error_log /dev/null crit; events {{}}
http {{ access_log off; client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
    uwsgi_temp_path {folder}; scgi_temp_path {folder}; large_client_header_buffers 4 256k;
    server {{ listen unix:{folder}/socket; add_header X-Host $host always; add_header X-Query $is_args$args always;
        location / {{ return 200 $uri; }} }} }}
"""
APACHE = """ServerRoot {folder}
DocumentRoot {folder}
PidFile {folder}/pid
ErrorLog /dev/null
Listen 127.0.0.1:{port}
ServerName name.invalid
UseCanonicalName Off
LimitRequestLine 200000
LoadModule mpm_event_module {modules}/mod_mpm_event.so
LoadModule authz_core_module {modules}/mod_authz_core.so
LoadModule headers_module {modules}/mod_headers.so
Header always set X-Host "expr=%{{SERVER_NAME}}"
Header always set X-Query "expr=%{{QUERY_STRING}}"
Header always set X-Path "expr=%{{escape:%{{REQUEST_URI}}}}"
"""
server, folder = sys.argv[1], tempfile.mkdtemp()
os.chmod(folder, 0o755)
if server == "nginx":
    config, program, connect = NGINX.format(folder=folder), ["/usr/sbin/nginx", "-p", folder, "-c"], folder + "/socket"
    version = subprocess.run(["/usr/sbin/nginx", "-v"], capture_output=True, text=True).stderr
else:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    config = APACHE.format(folder=folder, port=port, modules="/usr/lib/apache2/modules")
    program, connect = ["/usr/sbin/apache2", "-X", "-f"], ("127.0.0.1", port)
    version = subprocess.run(["/usr/sbin/apache2", "-v"], capture_output=True, text=True).stdout
with open(folder + "/config", "w") as file:
    file.write(config)
if not os.path.exists("/etc/passwd"):  # As in an installation without configured packages: nginx looks for the user.
    with open("/etc/passwd", "w") as file:
        file.write("root:x:0:0::/:/bin/false\n")
    with open("/etc/group", "w") as file:
        file.write("root:x:0:\n")
running = subprocess.Popen([*program, folder + "/config"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def opened():
    for attempt in range(500):
        stream = socket.socket(socket.AF_UNIX if server == "nginx" else socket.AF_INET)
        try:
            stream.connect(connect)
            return stream
        except OSError:
            stream.close()
            if running.poll() is not None:
                break
            time.sleep(0.01)
    sys.exit(f"the server ended: {running.poll()}")


def parse(url):
    if re.search("[\r\n]", url):
        return {"unrepresentable": "the line of a request ends there"}
    target = url.encode("utf-8", "surrogatepass")
    with opened() as stream:
        stream.settimeout(4)
        stream.sendall(b"GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" % (target, OTHER.encode()))
        with stream.makefile("rb") as file:
            response = file.read().decode("utf-8", "backslashreplace")
    head, _, body = response.partition("\r\n\r\n")
    status, *lines = head.split("\r\n")
    fields = {name: value.removeprefix(" ") for name, _, value in (line.partition(":") for line in lines)}
    code = status.partition(" ")[2]
    # A server without files answers 404 to a request that it has read.
    if not code.startswith(("200", "404")) or "X-Host" not in fields:
        return {"failure": code or "no response"}
    host = None if fields["X-Host"] == OTHER else fields["X-Host"]
    path = body if server == "nginx" else urllib.parse.unquote(fields["X-Path"], errors="backslashreplace")
    query = fields["X-Query"].removeprefix("?") if fields.get("X-Query") else None
    return {"parts": {"host": host, "path": path, "query": query}}


number = re.search(r"/([0-9.]+)", version)[1]
print(json.dumps({"protocol": 1, "engine": server, "version": number, "ops": ["parse"]}), flush=True)
for line in sys.stdin.buffer:
    asked = json.loads(line.decode("ascii"))
    print(json.dumps({"id": asked["id"], **parse(asked["url"])}), flush=True)
running.terminate()
running.wait()
subprocess.run(["rm", "-r", folder])
