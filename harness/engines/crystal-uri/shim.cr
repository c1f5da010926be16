# Crystal's URI as an engine: URI.parse(base).resolve(reference).
require "json"
require "uri"

def say(**answer)
  puts answer.to_json
  STDOUT.flush
end

def parse(id, text)
  uri = URI.parse(text)
  parts = {scheme: uri.scheme, user: uri.user, password: uri.password, host: uri.host, port: uri.port.try(&.to_s),
           path: uri.path, query: uri.query, fragment: uri.fragment, authority: uri.authority}
  if parts.values.all? { |part| part.nil? || part.valid_encoding? }
    say id: id, parts: parts
  else
    say id: id, unrepresentable: "a component is not UTF-8"
  end
rescue error
  say id: id, failure: error.message.to_s.gsub(/[^ -~]/, "?")
end

say protocol: 1, engine: "crystal-uri", version: Crystal::VERSION, ops: ["resolve", "parse"]
while line = STDIN.gets
  asked = JSON.parse(line)
  id = asked["id"].as_i64
  if asked["op"] == "parse"
    parse(id, asked["url"].as_s)
    next
  end
  base, reference = asked["base"].as_s, asked["reference"].as_s
  stage = base.empty? ? "" : "base: "
  begin
    # The base is an object here, so with an unknown base the reference is parsed alone.
    start = base.empty? ? nil : URI.parse(base)
    stage = ""
    url = start ? start.resolve(reference).to_s : URI.parse(reference).to_s
    say id: id, bytes: url.to_slice.hexstring
  rescue error
    say id: id, failure: (stage + error.message.to_s).gsub(/[^ -~]/, "?")
  end
end
