% SWI-Prolog's library(uri) as an engine: uri_resolve(+Reference, +Base, -Url).
:- use_module(library(apply)).
:- use_module(library(http/json)).
:- use_module(library(lists)).
:- use_module(library(readutil)).
:- use_module(library(uri)).
:- use_module(library(utf8)).

main :-
    set_stream(user_output, encoding(utf8)),
    current_prolog_flag(version, V),
    format(string(Version), "~d.~d.~d", [V // 10000, V // 100 mod 100, V mod 100]),
    say(_{protocol: 1, engine: "library(uri)", version: Version, ops: ["resolve", "parse"]}),
    repeat,
    read_line_to_string(user_input, Line),
    (   Line == end_of_file
    ->  !
    ;   atom_json_dict(Line, Asked, []),
        asked(Asked, Answer),
        say(Answer.put(id, Asked.id)),
        fail
    ).

asked(Asked, Answer) :-
    Asked.op == "parse",
    !,
    paired(Asked.url, Url),
    (   catch(split(Url, Split), Error, true)
    ->  (   var(Error)
        ->  maplist(stated, Split, [S, U, W, H, P, A, Q, F, Y]),
            Answer = _{parts: _{scheme: S, user: U, password: W, host: H, port: P, path: A, query: Q, fragment: F, authority: Y}}
        ;   Error = error(Formal, _),
            format(string(Message), "~q", [Formal]),
            Answer = _{failure: Message}
        )
    ;   Answer = _{failure: "false"}
    ).
asked(Asked, Answer) :-
    paired(Asked.base, Base),
    paired(Asked.reference, Reference),
    answer(Base, Reference, Answer).

split(Url, [Scheme, User, Password, Host, Port, Path, Search, Fragment, Authority]) :-
    uri_components(Url, uri_components(Scheme, Authority, Path, Search, Fragment)),
    (   var(Authority)
    ->  true
    ;   uri_authority_components(Authority, uri_authority(User, Password, Host, Port))
    ).

stated(Part, null) :- var(Part), !.
stated(Part, Text) :- atom_string(Part, Text).

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
