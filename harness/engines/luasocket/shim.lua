-- LuaSocket as an engine: url.absolute(base, reference).
local json = require("cjson")
local url = require("socket.url")

local function say(answer)
  io.write(json.encode(answer), "\n")
  io.flush()
end
-- A Lua text is a row of bytes; messages are made ASCII.
local function hex(text) return (text:gsub(".", function(c) return ("%02x"):format(c:byte()) end)) end
local function parse(text)
  local found, reason = url.parse(text)
  if not found then return nil, reason end
  local parts = {}
  for _, name in ipairs({ "scheme", "user", "password", "host", "port", "path", "query", "fragment", "authority" }) do
    parts[name] = found[name] or json.null
  end
  return parts
end
local version = require("socket")._VERSION:match("%S+$")
say({ protocol = 1, engine = "LuaSocket", version = version, ops = { "resolve", "parse" } })
for line in io.lines() do
  local asked = json.decode(line)
  local answer = { id = asked.id }
  if asked.op == "parse" then
    answer.parts, answer.failure = parse(asked.url)
  else
    -- An unknown base is passed as the empty text.
    local ok, result = pcall(url.absolute, asked.base, asked.reference)
    if ok and result then answer.bytes = hex(result) else answer.failure = tostring(result):gsub("[\128-\255]", "?") end
  end
  say(answer)
end
