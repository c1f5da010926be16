# Ruby's URI as an engine: URI.join(base, reference), and the accessors of URI.parse(url). The argument "rfc2396" selects the library's older parser.
require "json"
require "uri"

library = ARGV[0] == "rfc2396" ? URI::RFC2396_Parser.new : URI
parts = %w[scheme userinfo host port path query fragment authority]
say = lambda do |answer|
  puts JSON.generate(answer, ascii_only: true)
  $stdout.flush
end
say.call("protocol" => 1, "engine" => "ruby-uri", "version" => URI::VERSION, "ops" => ["resolve", "parse"])
while (line = $stdin.gets)
  asked = JSON.parse(line)
  begin
    if asked["op"] == "parse"
      uri = library.parse(asked["url"])
      # Not every class and version has an authority.
      answer = { "parts" => parts.to_h { |part| [part, uri.respond_to?(part) ? uri.public_send(part)&.to_s : nil] } }
    else
      # An unknown base is passed as the empty text; a Ruby text need not be UTF-8, so its bytes are sent.
      answer = { "bytes" => library.join(asked["base"], asked["reference"]).to_s.unpack1("H*") }
    end
  rescue StandardError => error # besides URI::Error, the library lets a few general errors through
    answer = { "failure" => error.message.encode("UTF-8", invalid: :replace, undef: :replace).scrub }
  end
  say.call({ "id" => asked["id"] }.merge(answer))
end
