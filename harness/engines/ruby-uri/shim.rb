# Ruby's URI as an engine: URI.join(base, reference); the argument "rfc2396" selects the library's older parser.
require "json"
require "uri"

join = ARGV[0] == "rfc2396" ? URI::RFC2396_Parser.new.method(:join) : URI.method(:join)
say = lambda do |answer|
  puts JSON.generate(answer, ascii_only: true)
  $stdout.flush
end
say.call("protocol" => 1, "engine" => "ruby-uri", "version" => URI::VERSION, "ops" => ["resolve"])
while (line = $stdin.gets)
  asked = JSON.parse(line)
  begin
    # An unknown base is passed as the empty text; a Ruby text need not be UTF-8, so its bytes are sent.
    answer = { "bytes" => join.call(asked["base"], asked["reference"]).to_s.unpack1("H*") }
  rescue StandardError => error # besides URI::Error, the library lets a few general errors through
    answer = { "failure" => error.message.encode("UTF-8", invalid: :replace, undef: :replace).scrub }
  end
  say.call({ "id" => asked["id"] }.merge(answer))
end
