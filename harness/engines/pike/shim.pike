// Pike's Standards.URI as an engine: Standards.URI(reference, base).
mapping parse(string text) {
  Standards.URI uri;
  mixed error = catch { uri = Standards.URI(text); };
  if (error) return (["failure": describe_error(error)]);
  mapping parts = ([]);
  foreach (({"scheme", "user", "password", "host", "port", "path", "query", "fragment", "authority"}), string name)
    parts[name] = uri[name] ? (string)uri[name] : Val.null; // 0 is Pike's value for none
  return (["parts": parts]);
}

int main() {
  void say(mapping answer) {
    write("%s\n", Standards.JSON.encode(answer, Standards.JSON.ASCII_ONLY));
  };
  say((["protocol": 1, "engine": "pike", "version": sprintf("%d.%d.%d", __REAL_MAJOR__, (int)__REAL_MINOR__, (int)__REAL_BUILD__), "ops": ({"resolve", "parse"})]));
  while (string line = Stdio.stdin.gets()) {
    mapping asked = Standards.JSON.decode(line);
    mapping answer = (["id": asked->id]);
    if (asked->op == "parse") {
      say(answer + parse(asked->url));
      continue;
    }
    string stage = "base: ";
    mixed error = catch {
      // Without a known base the reference is parsed alone.
      Standards.URI base = asked->base == "" ? 0 : Standards.URI(asked->base);
      stage = "";
      Standards.URI uri = base ? Standards.URI(asked->reference, base) : Standards.URI(asked->reference);
      answer->bytes = String.string2hex(string_to_utf8((string)uri));
    };
    if (error) answer->failure = stage + describe_error(error);
    say(answer);
  }
  return 0;
}
