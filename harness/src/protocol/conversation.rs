//! The interpretation of an engine's output, without any input or output by this module.

use std::collections::BTreeMap;

use serde_json::json;

use super::line::{Message, Named, cut, excerpt};
use super::request::ascii;
use super::{End, Hello, Op, Request, read_object};
use crate::outcome::Violations;

/// The maximum length of a line of an engine's output, in bytes, unless a conversation has its own limit.
pub const MAX_LINE: usize = 1 << 20;

/// The state of the protocol during a run of an engine: the open requests, and the answers in its output.
///
/// The conversation receives the bytes that the engine wrote. How they are divided into pieces does not change the
/// result. Every request ends once: with the first line that has its id and a suitable kind of answer, or by
/// [`Self::close`].
///
/// All other output is a violation ([`Self::violations`]) and has no other effect:
///
/// * a line that is not a JSON object or not UTF-8,
/// * a line longer than [`MAX_LINE`],
/// * another answer to a request that has ended, or an answer to a request that was never made,
/// * an answer of the wrong kind, or several answers on one line.
///
/// Blank lines and unknown keys are ignored.
///
/// A line that is not UTF-8 is never read as a URL or as components. If it still has a readable id of an open request,
/// it ends this request as [`End::Skipped`], so that no caller waits for another answer. The line is a violation in any
/// case.
#[derive(Debug)]
pub struct Conversation {
    longest: usize,
    /// The bytes of the current line, whose end has not been received yet.
    line: Vec<u8>,
    /// Whether the current line is too long and is ignored.
    passing_over: bool,
    /// The number of lines that have ended.
    lines: u64,
    hello: Option<Result<Hello, String>>,
    /// The id of the last request; the first id is 1.
    asked: u64,
    open: BTreeMap<u64, Op>,
    violations: Violations,
}

impl Default for Conversation {
    fn default() -> Self {
        Self::new()
    }
}

impl Conversation {
    /// Creates a conversation in which nothing has been received yet.
    pub fn new() -> Self {
        Self::within(MAX_LINE)
    }

    /// Creates a conversation in which a line has at most `longest` bytes.
    pub fn within(longest: usize) -> Self {
        Self {
            longest,
            line: Vec::new(),
            passing_over: false,
            lines: 0,
            hello: None,
            asked: 0,
            open: BTreeMap::new(),
            violations: Violations::default(),
        }
    }

    /// Returns the hello of the engine, or a sentence about its first line if that is not a valid hello. All output
    /// after an invalid hello is ignored. Returns `None` if there is no line yet.
    pub fn hello(&self) -> Option<Result<&Hello, &str>> {
        self.hello.as_ref().map(|hello| hello.as_ref().map_err(String::as_str))
    }

    /// Opens a request. Returns its id and the line to send, with its line end. The line is ASCII: other characters are
    /// escaped, so that an engine may read it in any encoding.
    pub fn ask(&mut self, request: Request<'_>) -> (u64, String) {
        self.asked += 1;
        let (id, op) = (self.asked, request.op());
        self.open.insert(id, op);
        let object = match request {
            Request::Resolve { base, reference } => {
                json!({"id": id, "op": op.name(), "base": base, "reference": reference})
            }
            Request::Parse { url } => json!({"id": id, "op": op.name(), "url": url}),
        };
        (id, ascii(&object) + "\n")
    }

    /// Receives bytes that the engine wrote. Returns the requests that these bytes end, in the order of their answers.
    pub fn receive(&mut self, bytes: &[u8]) -> Vec<(u64, End)> {
        let mut ended = Vec::new();
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            let whole = piece.strip_suffix(b"\n");
            self.gather(whole.unwrap_or(piece));
            if whole.is_some() {
                ended.extend(self.end_line());
            }
        }
        ended
    }

    /// Receives the end of the engine's output. A last line without a line end counts as a line, and may be an answer.
    pub fn receive_end(&mut self) -> Option<(u64, End)> {
        self.end_line()
    }

    /// Ends every open request as `end`. Returns these requests in the order of their ids.
    pub fn close(&mut self, end: &End) -> Vec<(u64, End)> {
        std::mem::take(&mut self.open).into_keys().map(|id| (id, end.clone())).collect()
    }

    /// Returns the number of requests that have not ended.
    pub fn open(&self) -> usize {
        self.open.len()
    }

    /// Returns the protocol violations of the engine.
    pub fn violations(&self) -> &Violations {
        &self.violations
    }

    /// Returns the protocol violations of the engine and clears them.
    pub fn take_violations(&mut self) -> Violations {
        std::mem::take(&mut self.violations)
    }

    fn gather(&mut self, piece: &[u8]) {
        if self.passing_over {
            return;
        }
        if self.line.len() + piece.len() <= self.longest {
            self.line.extend_from_slice(piece);
            return;
        }
        // Reported immediately, since the line may have no end.
        self.passing_over = true;
        self.line = Vec::new();
        self.complain(self.lines + 1, &format!("longer than {} bytes", self.longest));
    }

    fn end_line(&mut self) -> Option<(u64, End)> {
        let bytes = std::mem::take(&mut self.line);
        self.lines += 1;
        if std::mem::take(&mut self.passing_over) {
            return None;
        }
        let bytes = if self.lines == 1 { bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes) } else { &bytes };
        if bytes.trim_ascii().is_empty() {
            return None;
        }
        let text = std::str::from_utf8(bytes);
        let heard = match text {
            Err(error) => {
                let why = format!("not UTF-8 from byte {} on", error.valid_up_to() + 1);
                if let Some(id) = self.close_named(&String::from_utf8_lossy(bytes)) {
                    self.complain(self.lines, &format!("an answer to {id} that is {why}"));
                    return Some((id, End::Skipped(format!("the answer is {why}"))));
                }
                Err(why)
            }
            Ok(text) if self.hello.is_none() => {
                self.hello = Some(Hello::read(text));
                return None;
            }
            Ok(text) => self.answer(text),
        };
        match heard {
            Ok(ended) => ended,
            Err(why) => {
                let shown = text.map_or(String::new(), |text| format!(": {}", excerpt(text)));
                self.complain(self.lines, &format!("{why}{shown}"));
                None
            }
        }
    }

    /// Records why a line is invalid: as an invalid hello if there is no hello yet, and as a violation otherwise. Does
    /// nothing after an invalid hello.
    fn complain(&mut self, number: u64, why: &str) {
        match self.hello {
            None => self.hello = Some(Err(format!("its first line is {why}"))),
            Some(Err(_)) => {}
            Some(Ok(_)) => self.violations.add(&format!("line {number} of its output is {why}")),
        }
    }

    /// Closes the open request whose id is on `line`, and returns the id. `line` need not be a valid answer.
    fn close_named(&mut self, line: &str) -> Option<u64> {
        if !matches!(self.hello, Some(Ok(_))) {
            return None;
        }
        let id = read_object::<Named>(line).ok()?.id.as_u64()?;
        self.open.remove(&id).map(|_| id)
    }

    /// Returns the request that `line` ends, or `None` if the hello was invalid.
    ///
    /// # Errors
    ///
    /// Returns a phrase if `line` is not an answer to an open request.
    fn answer(&mut self, line: &str) -> Result<Option<(u64, End)>, String> {
        if !matches!(self.hello, Some(Ok(_))) {
            return Ok(None);
        }
        let message = Message::read(line)?;
        let id = message.id.as_u64().filter(|id| (1..=self.asked).contains(id));
        let id = id.ok_or_else(|| format!("an answer to {}, which was not asked", cut(&message.id.to_string())))?;
        let op = *self.open.get(&id).ok_or_else(|| format!("another answer to {id}, which has ended"))?;
        let end = message.end()?;
        match (op, &end) {
            (Op::Resolve, End::Parts(_)) => return Err(format!("parts for {id}, which asked for a url")),
            (Op::Parse, End::Url(_)) => return Err(format!("a url for {id}, which asked for parts")),
            _ => {}
        }
        self.open.remove(&id);
        Ok(Some((id, end)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Conversation, MAX_LINE};
    use crate::outcome::Violations;
    use crate::protocol::{End, Request};

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
        assert_eq!(
            conversation.receive(b"{\"id\":2,\"skipped\":\"later\"}\n"),
            [(2, End::Skipped("later".to_owned()))]
        );
        assert_eq!(conversation.receive(&[line, b"\n"].concat()), []);
        assert_eq!(conversation.violations().first(), [format!("line 3 of its output is {sentence}")]);
        assert_eq!(
            conversation.receive(b"{\"id\":1,\"url\":\"http://a/g\"}\n"),
            [(1, url("http://a/g"))],
            "it goes on"
        );
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
        is_no_hello(
            b"ready.",
            "its first line is not a greeting, not a JSON object: an engine writes {\"protocol\":1,",
        );
        is_no_hello(HELLO.replace(":1,", ":2,").as_bytes(), "it speaks protocol 2, and 1 is understood");
        is_no_hello(br#"{"protocol":"1"}"#, "it speaks protocol \"1\", and 1 is understood");
        is_no_hello(br#"{"engine":"e","version":"1","ops":["resolve"]}"#, "missing field `protocol`");
        is_no_hello(br#"{"protocol":1,"engine":"e"}"#, "missing field `version`");
        is_no_hello(HELLO.replace("2.0", "").as_bytes(), "its version is not a name");
        is_no_hello(HELLO.replace("\"e\"", "\"\\u202ee\"").as_bytes(), "its engine is not a name");
        is_no_hello(br#"{"protocol":1,"engine":"e","version":"1","ops":["sing"]}"#, "neither resolve nor parse");
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
            let mut ended: Vec<_> =
                lines.as_bytes().chunks(size).flat_map(|piece| conversation.receive(piece)).collect();
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
        is_a_fault(
            b"{\"id\":1,\"bytes\":\"6\"}",
            "bytes of 1 that are not hexadecimal: \"{\"id\":1,\"bytes\":\"6\"}\"",
        );
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
        assert_eq!(
            (conversation.violations().count(), conversation.violations().first().len()),
            (1000, Violations::KEPT)
        );
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
}
