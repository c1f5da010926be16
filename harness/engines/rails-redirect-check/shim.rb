# Rails' check of redirects as an engine: url_from(url) of a controller whose request has the host ok.example, and what Ruby's URI states.
require "json"
require "uri"
require "logger" # Rails before 7.1 expects it.
require "action_controller"

class Check < ActionController::Base
  def request
    Struct.new(:host).new("ok.example")
  end

  def allowed?(url)
    respond_to?(:url_from, true) ? !url_from(url).nil? : _url_host_allowed?(url)
  end
end

check = Check.new
say = lambda do |answer|
  puts JSON.generate(answer, ascii_only: true)
  $stdout.flush
end
say.call("protocol" => 1, "engine" => "rails", "version" => ActionPack.version.to_s, "ops" => ["parse"])
while (line = $stdin.gets)
  asked = JSON.parse(line)
  begin
    uri = URI(asked["url"])
    parts = %w[scheme userinfo host port].to_h { |part| [part, uri.public_send(part)&.to_s] }
    answer = { "parts" => parts.merge("allowed" => check.allowed?(asked["url"]).to_s) }
  rescue StandardError => error
    answer = { "failure" => error.message.encode("UTF-8", invalid: :replace, undef: :replace).scrub }
  end
  say.call({ "id" => asked["id"] }.merge(answer))
end
