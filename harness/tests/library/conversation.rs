//! Conversations by the engine protocol, without a program.

use urlstrata_harness::outcome::Violations;
use urlstrata_harness::protocol::{Conversation, End, MAX_LINE, Request};

const HELLO: &str = r#"{"protocol":1,"engine":"e","version":"2.0","ops":["resolve","parse","sing"]}"#;
const RESOLVE: Request<'_> = Request::Resolve { base: "http://a/b", reference: "g" };
const PARSE: Request<'_> = Request::Parse { url: "http://a/b" };

/// Returns a conversation after a valid hello, in which `requests` are open.
fn asked(requests: &[Request<'_>]) -> Conversation {
    let mut conversation = Conversation::new();
    assert_eq!(conversation.receive(format!("{HELLO}\n").as_bytes()), []);
    requests.iter().for_each(|request| drop(conversation.ask(*request)));
    conversation
}

fn url(url: &str) -> End {
    End::Url(url.to_owned())
}

#[track_caller]
fn is_a_fault(line: &[u8], sentence: &str) {
    let mut conversation = asked(&[RESOLVE, PARSE]);
    assert_eq!(conversation.receive(b"{\"id\":2,\"skipped\":\"later\"}\n"), [(2, End::Skipped("later".to_owned()))]);
    assert_eq!(conversation.receive(&[line, b"\n"].concat()), []);
    assert_eq!(conversation.violations().first(), [format!("line 3 of its output is {sentence}")]);
    assert_eq!(conversation.receive(b"{\"id\":1,\"url\":\"http://a/g\"}\n"), [(1, url("http://a/g"))], "it goes on");
}

#[track_caller]
fn is_no_hello(line: &[u8], sentence: &str) {
    let mut conversation = Conversation::new();
    conversation.receive(&[line, b"\n"].concat());
    let message = conversation.hello().expect("a line").expect_err("no hello");
    assert!(message.contains(sentence), "{message}");
    conversation.ask(RESOLVE);
    let more = format!("{HELLO}\n{{\"id\":1,\"url\":\"x\"}}\n");
    assert_eq!(conversation.receive(more.as_bytes()), [], "nothing is listened to");
    assert!(conversation.hello().expect("a line").is_err());
    assert_eq!(conversation.violations().count(), 0);
}

#[test]
fn a_greeting_names_the_engine_and_its_version() {
    let conversation = asked(&[]);
    let hello = conversation.hello().expect("a line").expect("a hello");
    assert_eq!((hello.engine.as_str(), hello.version.as_str(), hello.ops.len()), ("e", "2.0", 2));
    assert!(Conversation::new().hello().is_none());
    let mut marked = Conversation::new();
    marked.receive(format!("\u{feff}{HELLO}\r\n").as_bytes());
    assert_eq!(marked.hello().expect("a line").map(|hello| hello.engine.as_str()), Ok("e"), "a byte order mark");
}

#[test]
fn an_invalid_greeting_is_reported_with_its_error() {
    is_no_hello(b"ready.", "its first line is not a greeting, not a JSON object: an engine writes {\"protocol\":1,");
    is_no_hello(HELLO.replace(":1,", ":2,").as_bytes(), "it speaks protocol 2, and 1 is understood");
    is_no_hello(br#"{"protocol":"1"}"#, "it speaks protocol \"1\", and 1 is understood");
    is_no_hello(br#"{"engine":"e","version":"1","ops":["resolve"]}"#, "missing field `protocol`");
    is_no_hello(br#"{"protocol":1,"engine":"e"}"#, "missing field `version`");
    is_no_hello(HELLO.replace("2.0", "").as_bytes(), "its version is not a name");
    is_no_hello(HELLO.replace("\"e\"", "\"\\u202ee\"").as_bytes(), "its engine is not a name");
    is_no_hello(br#"{"protocol":1,"engine":"e","version":"1","ops":["sing"]}"#, "none of resolve");
    is_no_hello(b"\xff", "its first line is not UTF-8 from byte 1 on");
    is_no_hello(&vec![b' '; MAX_LINE + 1], "its first line is longer than 1048576 bytes");
}

#[test]
fn answers_are_accepted_in_any_order_and_any_chunks() {
    let lines = "{\"id\":3,\"failure\":\"no\"}\n\r\n{\"id\":1,\"url\":\"é\",\"parts\":null,\"took\":3}\r\n\
                 {\"id\":2,\"parts\":{\"scheme\":\"http\",\"query\":null}}";
    let parts = vec![("query".to_owned(), None), ("scheme".to_owned(), Some("http".to_owned()))];
    let expected = [(3, End::Failure("no".to_owned())), (1, url("é")), (2, End::Parts(parts))];
    for size in 1..=lines.len() {
        let mut conversation = asked(&[RESOLVE, PARSE, RESOLVE]);
        let mut ended: Vec<_> = lines.as_bytes().chunks(size).flat_map(|piece| conversation.receive(piece)).collect();
        ended.extend(conversation.receive_end());
        assert_eq!(ended, expected, "in pieces of {size} bytes");
        assert_eq!((conversation.open(), conversation.violations().count()), (0, 0));
    }
}

#[test]
fn a_line_that_is_not_an_answer_is_a_violation() {
    is_a_fault(b"garbage", "not an answer, not a JSON object: \"garbage\"");
    is_a_fault(b"[1,\"x\"]", "not an answer, not a JSON object: \"[1,\"x\"]\"");
    is_a_fault(b"{\"url\":\"x\"}", "not an answer, missing field `id`, at byte 11: \"{\"url\":\"x\"}\"");
    is_a_fault(b"\0{}", "not an answer, not a JSON object: \"\\u{0}{}\"");
    is_a_fault(&vec![b'x'; MAX_LINE + 1], "longer than 1048576 bytes");
    is_a_fault(
        b"{\"id\":1}",
        "no answer to 1, as url, bytes, parts, failure, skipped or unrepresentable is wanted: \"{\"id\":1}\"",
    );
    is_a_fault(
        b"{\"id\":1,\"url\":\"x\",\"failure\":\"y\"}",
        "two answers to 1 in one: \"{\"id\":1,\"url\":\"x\",\"failure\":\"y\"}\"",
    );
    is_a_fault(
        b"{\"id\":1,\"url\":\"x\",\"url\":\"y\"}",
        "not an answer, duplicate field `url`, at byte 23: \"{\"id\":1,\"url\":\"x\",\"url\":\"y\"}\"",
    );
    is_a_fault(b"{\"id\":1,\"bytes\":\"6\"}", "bytes of 1 that are not hexadecimal: \"{\"id\":1,\"bytes\":\"6\"}\"");
    is_a_fault(b"{\"id\":1,\"parts\":{}}", "parts for 1, which asked for a url: \"{\"id\":1,\"parts\":{}}\"");
}

#[test]
fn an_answer_that_is_not_utf_8_ends_its_request_as_skipped() {
    for (line, byte) in [
        (b"{\"id\":1,\"url\":\"http://a/\xff\"}".as_slice(), 25),
        (b"{\"url\":\"\xe9\",\"id\":1}", 9),
        (b"{\"id\":1,\"caf\xe9\":0,\"url\":\"http://a/\"}", 13),
        (b"{\"id\":1,\"url\":\"\xf0\x9f\x92\"}", 16),
        (b"{\"id\":1,\"parts\":{\"\xfe\":null,\"\xff\":null}}", 19),
    ] {
        let mut conversation = asked(&[RESOLVE, PARSE]);
        let why = format!("not UTF-8 from byte {byte} on");
        let skipped = End::Skipped(format!("the answer is {why}"));
        assert_eq!(conversation.receive(&[line, b"\n"].concat()), [(1, skipped)]);
        let fault = format!("line 2 of its output is an answer to 1 that is {why}");
        assert_eq!(conversation.violations().first(), [fault]);
        assert_eq!(conversation.receive(b"{\"id\":1,\"url\":\"http://a/g\"}\n"), [], "it has ended");
        assert_eq!((conversation.open(), conversation.violations().count()), (1, 2));
    }
    let mut conversation = asked(&[PARSE]);
    assert_eq!(conversation.receive(b"{\"id\":1,\"parts\":{\"host\":\"\xff\"}}\n").len(), 1);
}

#[test]
fn a_lone_surrogate_is_unrepresentable_in_a_url_and_replaced_in_a_reason() {
    for (answer, expected) in [
        (r#""url":"a\ud83d""#, End::Unrepresentable("the result contains a lone surrogate".to_owned())),
        (r#""url":"\udc00\ud83d\ude00""#, End::Unrepresentable("the result contains a lone surrogate".to_owned())),
        (r#""url":"\ud83d\ude00\\ud83d""#, url("😀\\ud83d")),
        (r#""failure":"no \ud83d here\n""#, End::Failure("no \u{fffd} here\n".to_owned())),
    ] {
        let mut conversation = asked(&[RESOLVE]);
        let line = format!("{{\"id\":1,{answer}}}\n");
        assert_eq!(conversation.receive(line.as_bytes()), [(1, expected)], "{line}");
        assert_eq!(conversation.violations().count(), 0);
    }
}

#[test]
fn a_line_that_is_not_utf_8_without_a_known_id_ends_no_request() {
    is_a_fault(b"{\"id\":\xff}", "not UTF-8 from byte 7 on");
    is_a_fault(b"{\"id\":1,\"url\":\"\xff", "not UTF-8 from byte 16 on");
    is_a_fault(b"{\"\xffid\":1,\"url\":\"x\"}", "not UTF-8 from byte 3 on");
    is_a_fault(b"[1,\"\xff\"]", "not UTF-8 from byte 5 on");
    is_a_fault(b"{\"id\":2,\"url\":\"\xff\"}", "not UTF-8 from byte 16 on");
    is_a_fault(b"{\"id\":3,\"url\":\"\xff\"}", "not UTF-8 from byte 16 on");
    is_a_fault(b"{\"id\":\"1\",\"url\":\"\xff\"}", "not UTF-8 from byte 18 on");
    is_a_fault(b"{\"id\":1,\"id\":1,\"url\":\"\xff\"}", "not UTF-8 from byte 23 on");
    let mut conversation = Conversation::new();
    conversation.ask(RESOLVE);
    assert_eq!(conversation.receive(b"{\"id\":1,\"url\":\"\xff\"}\n"), [], "it is not a greeting");
    assert_eq!(conversation.open(), 1);
}

#[test]
fn an_answer_to_an_unknown_or_ended_request_is_a_violation() {
    for id in ["0", "3", "-1", "1.0", "null", "{}", "18446744073709551616"] {
        let mut conversation = asked(&[RESOLVE, RESOLVE]);
        assert_eq!(conversation.receive(format!("{{\"id\":{id},\"url\":\"x\"}}\n").as_bytes()), []);
        let violation = &conversation.violations().first()[0];
        assert!(violation.contains("which was not asked"), "{violation}");
    }
    is_a_fault(
        b"{\"id\":\"1\",\"url\":\"x\"}",
        "an answer to \"1\", which was not asked: \"{\"id\":\"1\",\"url\":\"x\"}\"",
    );
    is_a_fault(b"{\"id\":2,\"parts\":{}}", "another answer to 2, which has ended: \"{\"id\":2,\"parts\":{}}\"");
}

#[test]
fn violations_are_counted_and_the_first_are_kept() {
    let mut conversation = asked(&[RESOLVE]);
    assert_eq!(conversation.receive("a\u{202e}\n".repeat(1000).as_bytes()), []);
    assert_eq!((conversation.violations().count(), conversation.violations().first().len()), (1000, Violations::KEPT));
    assert_eq!(
        conversation.violations().first()[19],
        "line 21 of its output is not an answer, not a JSON object: \"a\\u{202e}\""
    );
}

#[test]
fn each_open_request_is_closed_once() {
    let mut conversation = asked(&[RESOLVE, PARSE, RESOLVE]);
    conversation.receive(b"{\"id\":2,\"failure\":\"no\"}\n");
    let crashed = End::Crash("exit status: 1".to_owned());
    assert_eq!(conversation.close(&crashed), [(1, crashed.clone()), (3, crashed.clone())]);
    assert_eq!(conversation.close(&crashed), []);
    assert_eq!(conversation.receive(b"{\"id\":1,\"url\":\"late\"}\n"), []);
    assert_eq!(conversation.violations().count(), 1);
}

#[test]
fn a_request_is_one_line() {
    let (id, line) = Conversation::new().ask(Request::Resolve { base: "http://a/\n", reference: "\0\u{2028}" });
    assert_eq!(id, 1);
    assert_eq!(line.matches('\n').count(), 1);
    let read: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(read["reference"], "\0\u{2028}");
    let (_, line) = Conversation::new().ask(Request::Parse { url: "é\u{10ffff}\"\\x" });
    assert_eq!(line, "{\"id\":1,\"op\":\"parse\",\"url\":\"\\u00e9\\udbff\\udfff\\\"\\\\x\"}\n");
}
