# Faraday as an engine: Faraday.get(url), with its adapter for Net::HTTP. It does not follow redirects without another package.
require "json"
require "faraday"

say = lambda do |answer|
  puts JSON.generate(answer, ascii_only: true)
  $stdout.flush
end
connect = lambda do |url|
  Faraday.new(ssl: { verify: false }, request: { timeout: 4, open_timeout: 4 }, proxy: nil).get(url)
  { "done" => true }
rescue StandardError => error
  { "failure" => error.message.scrub.lines.first.to_s.split.join(" ")[0, 300] }
end
Faraday.ignore_env_proxy = true
say.call("protocol" => 1, "engine" => "faraday", "version" => Faraday::VERSION, "ops" => ["connect"])
while (line = $stdin.gets)
  asked = JSON.parse(line)
  answer = asked["op"] == "connect" ? connect.call(asked["url"]) : { "skipped" => "unsupported operation" }
  say.call({ "id" => asked["id"] }.merge(answer))
end
