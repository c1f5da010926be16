# Ruby's open-uri as an engine: URI.open(url).
require "json"
require "open-uri"
require "openssl"

say = lambda do |answer|
  puts JSON.generate(answer, ascii_only: true)
  $stdout.flush
end
connect = lambda do |url, follow|
  # URI.open opens what it doesn't take for a URL as Kernel.open does, and that would be a command.
  return { "skipped" => "a command, not a URL" } if url.start_with?("|")
  limits = { proxy: false, ssl_verify_mode: OpenSSL::SSL::VERIFY_NONE, open_timeout: 4, read_timeout: 4 }
  URI.open(url, redirect: follow, **limits).close
  { "done" => true }
rescue OpenURI::HTTPError # a response that is not a success, so also a redirect that is not followed
  { "done" => true }
rescue StandardError => error
  { "failure" => error.message.scrub.lines.first.to_s.split.join(" ")[0, 300] }
end
say.call("protocol" => 1, "engine" => "open-uri", "version" => RUBY_VERSION, "ops" => ["connect", "follow"])
while (line = $stdin.gets)
  asked = JSON.parse(line)
  known = ["connect", "follow"].include?(asked["op"])
  answer = known ? connect.call(asked["url"], asked["op"] == "follow") : { "skipped" => "unsupported operation" }
  say.call({ "id" => asked["id"] }.merge(answer))
end
