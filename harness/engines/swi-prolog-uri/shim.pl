% SWI-Prolog's library(uri) as an engine: uri_resolve(+Reference, +Base, -Url).
:- use_module(library(http/json)).
:- use_module(library(lists)).
:- use_module(library(readutil)).
:- use_module(library(uri)).
:- use_module(library(utf8)).

main :-
    set_stream(user_output, encoding(ascii)), % so that the JSON is written with escapes
    current_prolog_flag(version, V),
    format(string(Version), "~d.~d.~d", [V // 10000, V // 100 mod 100, V mod 100]),
    say(_{protocol: 1, engine: "library(uri)", version: Version, ops: ["resolve"]}),
    repeat,
    read_line_to_string(user_input, Line),
    (   Line == end_of_file
    ->  !
    ;   atom_json_dict(Line, Asked, []),
        paired(Asked.base, Base),
        paired(Asked.reference, Reference),
        answer(Base, Reference, Answer),
        say(Answer.put(id, Asked.id)),
        fail
    ).

% An unknown base is passed as the empty text; the call fails or throws on what it rejects.
answer(Base, Reference, Answer) :-
    (   catch(uri_resolve(Reference, Base, Url), Error, true)
    ->  (   var(Error)
        ->  atom_codes(Url, Codes),
            phrase(utf8_codes(Codes), Bytes),
            with_output_to(string(Hex), forall(member(Byte, Bytes), format("~|~`0t~16r~2+", [Byte]))),
            Answer = _{bytes: Hex} % a Prolog text may hold any code point
        ;   Error = error(Formal, _),
            format(string(Message), "~q", [Formal]),
            Answer = _{failure: Message}
        )
    ;   Answer = _{failure: "false"}
    ).

% The JSON reader of older versions leaves a surrogate pair as two codes.
paired(Text, Paired) :-
    string_codes(Text, Codes),
    join(Codes, Joined),
    string_codes(Paired, Joined).

join([High, Low|Rest], [Code|More]) :-
    High >= 0xD800, High =< 0xDBFF, Low >= 0xDC00, Low =< 0xDFFF,
    !,
    Code is 0x10000 + (High - 0xD800) * 0x400 + Low - 0xDC00,
    join(Rest, More).
join([Code|Rest], [Code|More]) :- join(Rest, More).
join([], []).

say(Answer) :-
    json_write_dict(user_output, Answer, [width(0)]),
    nl(user_output),
    flush_output(user_output).
