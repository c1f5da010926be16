(* ocaml-uri as an engine: Uri.resolve "" base reference. *)
let say fields =
  print_endline (Yojson.Safe.to_string (`Assoc fields))

let resolve base reference =
  (* The base is an object here, and that of an unknown base is empty. *)
  Uri.to_string (Uri.resolve "" (Uri.of_string base) (Uri.of_string reference))

let hex text =
  String.concat "" (List.map (fun c -> Printf.sprintf "%02x" (Char.code c)) (List.of_seq (String.to_seq text)))

let () =
  say [ "protocol", `Int 1; "engine", `String "ocaml-uri"; "version", `String Sys.argv.(1); "ops", `List [ `String "resolve" ] ];
  try
    while true do
      let request = Yojson.Safe.from_string (input_line stdin) in
      let text name = Yojson.Safe.Util.(to_string (member name request)) in
      let answer =
        match resolve (text "base") (text "reference") with
        | url -> "bytes", `String (hex url)
        | exception error -> "failure", `String (Printexc.to_string error)
      in
      say [ "id", Yojson.Safe.Util.member "id" request; answer ]
    done
  with End_of_file -> ()
