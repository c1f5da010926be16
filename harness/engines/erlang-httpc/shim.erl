%% Erlang/OTP's httpc as an engine: httpc:request(get, {Url, []}, Options, []). Older releases have no JSON, so it is read by hand.
-module(shim).
-export([main/0]).

main() ->
    io:setopts([binary, {encoding, latin1}]),
    logger:set_primary_config(level, none),
    [{ok, _} = application:ensure_all_started(Name) || Name <- [inets, ssl]],
    Release = erlang:system_info(otp_release),
    {ok, Version} = file:read_file(filename:join([code:root_dir(), "releases", Release, "OTP_VERSION"])),
    say(["{\"protocol\":1,\"engine\":\"httpc\",\"version\":\"", string:trim(Version), "\",\"ops\":[\"connect\",\"follow\"]}"]),
    loop().

loop() ->
    case io:get_line("") of
        Line when is_binary(Line) ->
            Asked = pairs(tokens(Line)),
            say(["{\"id\":", maps:get(<<"id">>, Asked), ",", answer(Asked), "}"]),
            loop();
        _ -> halt(0)
    end.

answer(#{<<"op">> := Op, <<"url">> := Url}) when Op =:= <<"connect">>; Op =:= <<"follow">> ->
    %% A new profile for each request: no connection, cookie or session is kept.
    {ok, _} = inets:start(httpc, [{profile, shim}]),
    Tls = [{verify, verify_none}],
    Options = [{timeout, 4000}, {connect_timeout, 4000}, {autoredirect, Op =:= <<"follow">>}, {ssl, Tls}],
    %% The URL is a string as in Erlang source: a list of code points.
    Request = fun() -> exit({result, httpc:request(get, {unicode:characters_to_list(Url), []}, Options, [], shim)}) end,
    %% In a process of its own, because older releases never return for some ports.
    {Worker, Monitor} = spawn_monitor(Request),
    Result = receive
        {'DOWN', Monitor, _, _, {result, Returned}} -> Returned;
        {'DOWN', Monitor, _, _, {Crash, _Stack}} -> {error, Crash}
    after 4500 -> exit(Worker, kill), {error, 'no answer'}
    end,
    inets:stop(httpc, shim),
    case Result of
        {ok, _} -> "\"done\":true";
        {error, Reason} -> ["\"failure\":\"", plain(Reason), "\""]
    end;
answer(_) -> "\"skipped\":\"unsupported operation\"".

%% The message in one line of ASCII, without what would need an escape.
plain(Term) ->
    Text = lists:sublist(lists:flatten(io_lib:format("~0p", [Term])), 300),
    [case C >= 32 andalso C =< 126 andalso C =/= $" andalso C =/= $\\ of true -> C; false -> $' end || C <- Text].

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
