%% Erlang/OTP's uri_string as an engine: uri_string:resolve(Reference, Base) and uri_string:parse(Url). Older releases have no JSON, so it is read by hand.
-module(shim).
-export([main/0]).

main() ->
    io:setopts([binary, {encoding, latin1}]),
    Release = erlang:system_info(otp_release),
    {ok, Version} = file:read_file(filename:join([code:root_dir(), "releases", Release, "OTP_VERSION"])),
    say(["{\"protocol\":1,\"engine\":\"uri_string\",\"version\":\"", string:trim(Version), "\",\"ops\":[\"resolve\",\"parse\"]}"]),
    loop().

loop() ->
    case io:get_line("") of
        Line when is_binary(Line) ->
            Asked = pairs(tokens(Line)),
            say(["{\"id\":", maps:get(<<"id">>, Asked), ",", answer(Asked), "}"]),
            loop();
        _ -> halt(0)
    end.

answer(#{<<"op">> := <<"parse">>, <<"url">> := Url}) ->
    case try uri_string:parse(Url) catch _:Crash -> {error, crash, Crash} end of
        {error, Reason, Term} -> ["\"failure\":\"", plain({Reason, Term}), "\""];
        Map ->
            Names = [scheme, userinfo, host, port, path, query, fragment],
            ["\"parts\":{", lists:join(",", [["\"", atom_to_list(Name), "\":", part(maps:get(Name, Map, undefined))] || Name <- Names]), "}"]
    end;
answer(#{<<"base">> := Base, <<"reference">> := Reference}) ->
    %% An unknown base is passed as the empty text.
    case try uri_string:resolve(Reference, Base) catch _:Crash -> {error, crash, Crash} end of
        Url when is_binary(Url) -> ["\"bytes\":\"", [io_lib:format("~2.16.0b", [B]) || <<B>> <= Url], "\""];
        {error, Reason, Term} -> ["\"failure\":\"", plain({Reason, Term}), "\""]
    end.

part(undefined) -> "null";
part(Port) when is_integer(Port) -> ["\"", integer_to_list(Port), "\""];
part(Text) -> ["\"", [escape(Unit) || <<Unit:16>> <= unicode:characters_to_binary(Text, utf8, utf16)], "\""].

%% The message as JSON text: what might need an escape is written as one.
plain(Term) -> [escape(C) || C <- lists:flatten(io_lib:format("~0p", [Term]))].

escape(C) when C < 32; C > 126; C =:= $"; C =:= $\\ -> io_lib:format("\\u~4.16.0b", [C]);
escape(C) -> C.

say(Text) -> io:put_chars([Text, "\n"]).

%% A request is one flat object, so its strings and numbers are keys and values in turn.
pairs([Key, Value | Rest]) -> maps:put(Key, Value, pairs(Rest));
pairs([]) -> #{}.

tokens(<<$", Rest/binary>>) -> {Text, More} = text(Rest, []), [Text | tokens(More)];
tokens(<<C, Rest/binary>>) when C >= $0, C =< $9 -> number(Rest, [C]);
tokens(<<_, Rest/binary>>) -> tokens(Rest);
tokens(<<>>) -> [].

number(<<C, Rest/binary>>, Digits) when C >= $0, C =< $9 -> number(Rest, [C | Digits]);
number(Rest, Digits) -> [lists:reverse(Digits) | tokens(Rest)].

text(<<$", Rest/binary>>, Done) -> {unicode:characters_to_binary(lists:reverse(Done)), Rest};
text(<<"\\u", Hex:4/binary, Rest/binary>>, Done) ->
    case {binary_to_integer(Hex, 16), Done} of
        {Low, [High | Before]} when Low >= 16#DC00, Low =< 16#DFFF, High >= 16#D800, High =< 16#DBFF ->
            text(Rest, [16#10000 + (High - 16#D800) * 16#400 + Low - 16#DC00 | Before]);
        {Code, _} -> text(Rest, [Code | Done])
    end;
text(<<$\\, C, Rest/binary>>, Done) ->
    text(Rest, [case C of $n -> 10; $t -> 9; $r -> 13; $b -> 8; $f -> 12; _ -> C end | Done]);
text(<<C, Rest/binary>>, Done) -> text(Rest, [C | Done]).
