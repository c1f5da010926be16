# Ruby's Net::HTTP as an engine: Net::HTTP.get_response(URI(url)). It does not follow redirects.
require "json"
require "net/http"

ENV.delete_if { |name, _| name.downcase.end_with?("_proxy") }
say = lambda do |answer|
  puts JSON.generate(answer, ascii_only: true)
  $stdout.flush
end
connect = lambda do |url|
  uri = URI(url)
  limits = { verify_mode: OpenSSL::SSL::VERIFY_NONE, open_timeout: 4, read_timeout: 4, max_retries: 0 }
  # This is what get_response does, but with these options.
  Net::HTTP.start(uri.hostname, uri.port, use_ssl: uri.scheme == "https", **limits) { |http| http.request_get(uri) }
  { "done" => true }
rescue StandardError => error
  { "failure" => error.message.scrub.lines.first.to_s.split.join(" ")[0, 300] }
end
say.call("protocol" => 1, "engine" => "net-http", "version" => RUBY_VERSION, "ops" => ["connect"])
while (line = $stdin.gets)
  asked = JSON.parse(line)
  answer = asked["op"] == "connect" ? connect.call(asked["url"]) : { "skipped" => "unsupported operation" }
  say.call({ "id" => asked["id"] }.merge(answer))
end
