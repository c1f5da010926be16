# Addressable as an engine: Addressable::URI.join(base, reference), and the accessors of Addressable::URI.parse(url).
require "json"
require "addressable/uri"

parts = %w[scheme userinfo host port path query fragment authority]
say = lambda do |answer|
  puts JSON.generate(answer, ascii_only: true)
  $stdout.flush
end
say.call("protocol" => 1, "engine" => "addressable", "version" => Addressable::VERSION::STRING, "ops" => ["resolve", "parse"])
while (line = $stdin.gets)
  asked = JSON.parse(line)
  begin
    if asked["op"] == "parse"
      uri = Addressable::URI.parse(asked["url"])
      answer = { "parts" => parts.to_h { |part| [part, uri.public_send(part)&.to_s] } }
    else
      # An unknown base is passed as the empty text; a Ruby text need not be UTF-8, so its bytes are sent.
      answer = { "bytes" => Addressable::URI.join(asked["base"], asked["reference"]).to_s.unpack1("H*") }
    end
  rescue StandardError => error # besides InvalidURIError, the library lets a few general errors through
    answer = { "failure" => error.message.encode("UTF-8", invalid: :replace, undef: :replace).scrub }
  end
  say.call({ "id" => asked["id"] }.merge(answer))
end
