# Crystal's URI as an engine: URI.parse(base).resolve(reference).
require "json"
require "uri"

def say(**answer)
  puts answer.to_json
  STDOUT.flush
end

say protocol: 1, engine: "crystal-uri", version: Crystal::VERSION, ops: ["resolve"]
while line = STDIN.gets
  asked = JSON.parse(line)
  id, base, reference = asked["id"].as_i64, asked["base"].as_s, asked["reference"].as_s
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
