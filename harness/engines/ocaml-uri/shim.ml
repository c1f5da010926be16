(* ocaml-uri as an engine: Uri.resolve "" base reference. *)
let say fields =
  print_endline (Yojson.Safe.to_string (`Assoc fields))

let resolve base reference =
  (* The base is an object here, and that of an unknown base is empty. *)
  Uri.to_string (Uri.resolve "" (Uri.of_string base) (Uri.of_string reference))

let hex text =
  String.concat "" (List.map (fun c -> Printf.sprintf "%02x" (Char.code c)) (List.of_seq (String.to_seq text)))

let parse text =
  let uri = Uri.of_string text in
  let part = function Some value -> `String value | None -> `Null in
  let parts =
    [ "scheme", part (Uri.scheme uri); "user", part (Uri.user uri); "password", part (Uri.password uri); "host", part (Uri.host uri);
      "port", part (Option.map string_of_int (Uri.port uri)); "path", `String (Uri.path uri); "query", part (Uri.verbatim_query uri);
      "fragment", part (Uri.fragment uri) ]
  in
  let valid = function _, `String value -> String.is_valid_utf_8 value | _ -> true in
  if List.for_all valid parts then "parts", `Assoc parts else "unrepresentable", `String "a component is not UTF-8"

let () =
  say [ "protocol", `Int 1; "engine", `String "ocaml-uri"; "version", `String Sys.argv.(1); "ops", `List [ `String "resolve"; `String "parse" ] ];
  try
    while true do
      let request = Yojson.Safe.from_string (input_line stdin) in
      let text name = Yojson.Safe.Util.(to_string (member name request)) in
      let answer =
        match if text "op" = "parse" then parse (text "url") else "bytes", `String (hex (resolve (text "base") (text "reference"))) with
        | answer -> answer
        | exception error -> "failure", `String (Printexc.to_string error)
      in
      say [ "id", Yojson.Safe.Util.member "id" request; answer ]
    done
  with End_of_file -> ()
