//! Engines of this process as programs that follow the engine protocol.

use urlstrata_harness::engine::{by_name, serve};

fn spoken(engine: &str, input: &[u8]) -> Vec<String> {
    let mut output = Vec::new();
    let engine = by_name(engine).expect("an engine");
    serve(engine.as_ref(), input, &mut output).expect("memory can be written");
    String::from_utf8(output).expect("JSON").lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn each_response_has_the_id_of_its_request() {
    let input = br#"{"id":1,"op":"resolve","base":"http://a/b/c/d;p?q#f","reference":"../../../g"}
{"id":"x","op":"resolve","reference":"g"}
{"id":3,"op":"parse","url":"http://a/b;p"}
"#;
    assert_eq!(
        spoken("ref:rfc1808", input),
        [
            r#"{"id":1,"url":"http://a/../g"}"#,
            r#"{"id":"x","url":"g"}"#,
            r#"{"id":3,"parts":{"fragment":null,"net_loc":"a","params":"p","path":"b","query":null,"scheme":"http","slash":"/"}}"#,
        ]
    );
}

#[test]
fn a_malformed_request_is_skipped_with_a_reason() {
    let response = spoken(
        "crate:url",
        b"nonsense\n{\"id\":7,\"op\":\"sing\"}\n\xff\n{\"id\":8,\"op\":\"resolve\"}\n[9,\"resolve\",\"http://a\",\"g\"]\n",
    );
    assert!(response[0].contains("not a request"), "{}", response[0]);
    assert_eq!(response[1], r#"{"id":7,"skipped":"unsupported operation"}"#);
    assert!(response[2].contains("not UTF-8"), "{}", response[2]);
    assert_eq!(response[3], r#"{"id":8,"skipped":"resolve needs a reference"}"#);
    assert_eq!(response[4], r#"{"id":null,"skipped":"not a request: not a JSON object"}"#);
}
