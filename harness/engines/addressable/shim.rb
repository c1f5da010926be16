# Addressable as an engine: Addressable::URI.join(base, reference).
require "json"
require "addressable/uri"

say = lambda do |answer|
  puts JSON.generate(answer, ascii_only: true)
  $stdout.flush
end
say.call("protocol" => 1, "engine" => "addressable", "version" => Addressable::VERSION::STRING, "ops" => ["resolve"])
while (line = $stdin.gets)
  asked = JSON.parse(line)
  begin
    # An unknown base is passed as the empty text; a Ruby text need not be UTF-8, so its bytes are sent.
    answer = { "bytes" => Addressable::URI.join(asked["base"], asked["reference"]).to_s.unpack1("H*") }
  rescue StandardError => error # besides InvalidURIError, the library lets a few general errors through
    answer = { "failure" => error.message.encode("UTF-8", invalid: :replace, undef: :replace).scrub }
  end
  say.call({ "id" => asked["id"] }.merge(answer))
end
