# Elixir's URI as an engine: URI.merge(base, reference) and the fields of URI.parse(url). Older versions have no JSON, so it is read by hand.
defmodule Shim do
  def main do
    :io.setopts([:binary, encoding: :latin1])
    IO.write(~s({"protocol":1,"engine":"elixir-uri","version":"#{System.version()}","ops":["resolve","parse"]}\n))
    loop()
  end

  defp loop do
    with line when is_binary(line) <- IO.read(:line) do
      asked = line |> tokens() |> Enum.chunk_every(2) |> Map.new(&List.to_tuple/1)
      IO.write(~s({"id":#{asked["id"]},#{answer(asked)}}\n))
      loop()
    end
  end

  defp answer(%{"op" => "parse", "url" => url}) do
    uri = URI.parse(url)
    parts = for part <- ~w(scheme userinfo host port path query fragment authority)a, do: ~s("#{part}":#{json(Map.get(uri, part))})
    ~s("parts":{#{Enum.join(parts, ",")}})
  end

  defp answer(%{"base" => base, "reference" => reference}) do
    {kind, text} = resolve(base, reference)
    ~s("#{kind}":"#{text}")
  end

  defp json(nil), do: "null"

  defp json(part) do
    ~s("#{for <<unit::16 <- :unicode.characters_to_binary(to_string(part), :utf8, :utf16)>>, do: escape(unit)}")
  end

  defp escape(unit) do
    if unit in 32..126 and unit not in ~c("\\), do: unit, else: "\\u" <> String.pad_leading(Integer.to_string(unit, 16), 4, "0")
  end

  # An unknown base is passed as the empty text; a text of bytes is sent as such.
  defp resolve(base, reference) do
    {"bytes", URI.merge(base, reference) |> to_string() |> Base.encode16(case: :lower)}
  rescue
    # besides ArgumentError, the library lets a few general errors through
    error -> {"failure", for(<<c <- Exception.message(error)>>, into: "", do: if(c in 32..126 and c not in ~c("\\), do: <<c>>, else: "?"))}
  end

  # A request is one flat object, so its strings and numbers are keys and values in turn.
  defp tokens(<<?", rest::binary>>) do
    {text, more} = text(rest, [])
    [text | tokens(more)]
  end

  defp tokens(<<c, _::binary>> = line) when c in ?0..?9 do
    {number, rest} = Integer.parse(line)
    [number | tokens(rest)]
  end

  defp tokens(<<_, rest::binary>>), do: tokens(rest)
  defp tokens(<<>>), do: []

  defp text(<<?", rest::binary>>, done), do: {List.to_string(Enum.reverse(done)), rest}

  defp text(<<?\\, ?u, hex::binary-size(4), rest::binary>>, done) do
    case {String.to_integer(hex, 16), done} do
      {low, [high | before]} when low in 0xDC00..0xDFFF and high in 0xD800..0xDBFF ->
        text(rest, [0x10000 + (high - 0xD800) * 0x400 + low - 0xDC00 | before])

      {code, _} ->
        text(rest, [code | done])
    end
  end

  defp text(<<?\\, c, rest::binary>>, done), do: text(rest, [Map.get(%{?n => 10, ?t => 9, ?r => 13, ?b => 8, ?f => 12}, c, c) | done])
  defp text(<<c, rest::binary>>, done), do: text(rest, [c | done])
end

Shim.main()
