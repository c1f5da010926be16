//! What an engine's output means, without any input or output of our own.

use std::collections::BTreeMap;

use serde_json::json;

use super::line::{Named, Said, cut, excerpt};
use super::{End, Hello, Op, Request, read_object};
use crate::outcome::Violations;

/// No line of an engine is kept that is longer, in bytes, unless a conversation has a limit of its own.
pub const MAX_LINE: usize = 1 << 20;

/// One run of an engine: what was asked of it, and what of its output is an answer.
///
/// It is told the bytes that the engine wrote, in whatever pieces they come; the same comes of them. Every request ends once:
/// with the first line that has its id and a kind of answer to it, or by [`Self::close`]. Whatever else the engine writes is a
/// fault ([`Self::violations`]) and changes nothing: what is no JSON object or not UTF-8, a line over [`MAX_LINE`], another answer to a
/// request that has ended or was never made, an answer of the wrong kind, or of two kinds. Blank lines are passed over, as are keys
/// that the protocol does not name.
///
/// A line that is not UTF-8 is never read as a URL or as components. If its id can still be read and is that of an open request,
/// the line ends the request as [`End::Skipped`], so that nobody waits for another answer; it is a fault in any case.
#[derive(Debug)]
pub struct Conversation {
    longest: usize,
    /// The bytes of a line whose end is not there yet.
    line: Vec<u8>,
    /// Whether that line is too long, and passed over.
    passing_over: bool,
    /// How many lines have ended.
    lines: u64,
    hello: Option<Result<Hello, String>>,
    /// The last id; the first is 1.
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
    /// Nothing said yet.
    pub fn new() -> Self {
        Self::within(MAX_LINE)
    }

    /// As [`Self::new`], where no line is kept that is longer than `longest`.
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

    /// What the engine says of itself, or what is wrong with its first line: then nothing that follows is listened to. `None` if
    /// there is no line yet.
    pub fn hello(&self) -> Option<Result<&Hello, &str>> {
        self.hello.as_ref().map(|hello| hello.as_ref().map_err(String::as_str))
    }

    /// Opens a request: its id, and the line to write with its end. `"\n"` in a text is escaped, as JSON does.
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
        (id, format!("{object}\n"))
    }

    /// Takes what the engine wrote, and hands back the requests that end with it, in the order of the answers.
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

    /// Takes the end of the engine's output: a line without an end is one, and may be an answer.
    pub fn receive_end(&mut self) -> Option<(u64, End)> {
        self.end_line()
    }

    /// Ends every open request as `end`.
    pub fn close(&mut self, end: &End) -> Vec<(u64, End)> {
        std::mem::take(&mut self.open).into_keys().map(|id| (id, end.clone())).collect()
    }

    /// How many requests have not ended.
    pub fn open(&self) -> usize {
        self.open.len()
    }

    /// What the engine did against the protocol.
    pub fn violations(&self) -> &Violations {
        &self.violations
    }

    /// As [`Self::violations`], which are then forgotten.
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
        // Told at once, as such a line may have no end.
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

    /// Keeps what is wrong with a line; of the first, that is what is wrong with the hello.
    fn complain(&mut self, number: u64, why: &str) {
        match self.hello {
            None => self.hello = Some(Err(format!("its first line is {why}"))),
            Some(Err(_)) => {}
            Some(Ok(_)) => self.violations.add(&format!("line {number} of its output is {why}")),
        }
    }

    /// Closes the open request that `line` names, and returns its id. `line` need not be an answer.
    fn close_named(&mut self, line: &str) -> Option<u64> {
        if !matches!(self.hello, Some(Ok(_))) {
            return None;
        }
        let id = read_object::<Named>(line).ok()?.id.as_u64()?;
        self.open.remove(&id).map(|_| id)
    }

    /// The request that `line` ends, unless nothing is listened to.
    fn answer(&mut self, line: &str) -> Result<Option<(u64, End)>, String> {
        if !matches!(self.hello, Some(Ok(_))) {
            return Ok(None);
        }
        let said = Said::read(line)?;
        let id = said.id.as_u64().filter(|id| (1..=self.asked).contains(id));
        let id = id.ok_or_else(|| format!("an answer to {}, which was not asked", cut(&said.id.to_string())))?;
        let op = *self.open.get(&id).ok_or_else(|| format!("another answer to {id}, which has ended"))?;
        let end = said.end()?;
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

    /// A conversation after the hello, in which `requests` are asked.
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
        let said = conversation.hello().expect("a line").expect_err("no hello");
        assert!(said.contains(sentence), "{said}");
        conversation.ask(RESOLVE);
        let more = format!("{HELLO}\n{{\"id\":1,\"url\":\"x\"}}\n");
        assert_eq!(conversation.receive(more.as_bytes()), [], "nothing is listened to");
        assert!(conversation.hello().expect("a line").is_err());
        assert_eq!(conversation.violations().count(), 0);
    }

    #[test]
    fn an_engine_says_who_it_is() {
        let conversation = asked(&[]);
        let hello = conversation.hello().expect("a line").expect("a hello");
        assert_eq!((hello.engine.as_str(), hello.version.as_str(), hello.ops.len()), ("e", "2.0", 2));
        assert!(Conversation::new().hello().is_none());
        let mut marked = Conversation::new();
        marked.receive(format!("\u{feff}{HELLO}\r\n").as_bytes());
        assert_eq!(marked.hello().expect("a line").map(|hello| hello.engine.as_str()), Ok("e"), "a byte order mark");
    }

    #[test]
    fn what_is_wrong_with_a_hello_is_said() {
        is_no_hello(b"ready.", "its first line is no hello, no JSON object: an engine says {\"protocol\":1,");
        is_no_hello(HELLO.replace(":1,", ":2,").as_bytes(), "it speaks protocol 2, and 1 is understood");
        is_no_hello(br#"{"protocol":"1"}"#, "it speaks protocol \"1\", and 1 is understood");
        is_no_hello(br#"{"engine":"e","version":"1","ops":["resolve"]}"#, "missing field `protocol`");
        is_no_hello(br#"{"protocol":1,"engine":"e"}"#, "missing field `version`");
        is_no_hello(HELLO.replace("2.0", "").as_bytes(), "its version is no name");
        is_no_hello(HELLO.replace("\"e\"", "\"\\u202ee\"").as_bytes(), "its engine is no name");
        is_no_hello(br#"{"protocol":1,"engine":"e","version":"1","ops":["sing"]}"#, "neither resolve nor parse");
        is_no_hello(b"\xff", "its first line is not UTF-8 from byte 1 on");
        is_no_hello(&vec![b' '; MAX_LINE + 1], "its first line is longer than 1048576 bytes");
    }

    #[test]
    fn answers_come_in_any_order_and_in_any_pieces() {
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
    fn what_is_no_answer_is_a_fault() {
        is_a_fault(b"garbage", "no answer, no JSON object: \"garbage\"");
        is_a_fault(b"[1,\"x\"]", "no answer, no JSON object: \"[1,\"x\"]\"");
        is_a_fault(b"{\"url\":\"x\"}", "no answer, missing field `id`, at byte 11: \"{\"url\":\"x\"}\"");
        is_a_fault(b"\0{}", "no answer, no JSON object: \"\\u{0}{}\"");
        is_a_fault(&vec![b'x'; MAX_LINE + 1], "longer than 1048576 bytes");
        is_a_fault(b"{\"id\":1}", "no answer to 1, as url, parts, failure or skipped is wanted: \"{\"id\":1}\"");
        is_a_fault(
            b"{\"id\":1,\"url\":\"x\",\"failure\":\"y\"}",
            "two answers to 1 in one: \"{\"id\":1,\"url\":\"x\",\"failure\":\"y\"}\"",
        );
        is_a_fault(
            b"{\"id\":1,\"url\":\"x\",\"url\":\"y\"}",
            "no answer, duplicate field `url`, at byte 23: \"{\"id\":1,\"url\":\"x\",\"url\":\"y\"}\"",
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
    fn a_line_that_is_not_utf_8_and_names_no_open_request_ends_none() {
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
        assert_eq!(conversation.receive(b"{\"id\":1,\"url\":\"\xff\"}\n"), [], "it is no hello");
        assert_eq!(conversation.open(), 1);
    }

    #[test]
    fn what_was_not_asked_or_has_ended_is_a_fault() {
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
    fn faults_are_counted_and_the_first_are_kept() {
        let mut conversation = asked(&[RESOLVE]);
        assert_eq!(conversation.receive("a\u{202e}\n".repeat(1000).as_bytes()), []);
        assert_eq!(
            (conversation.violations().count(), conversation.violations().first().len()),
            (1000, Violations::KEPT)
        );
        assert_eq!(
            conversation.violations().first()[19],
            "line 21 of its output is no answer, no JSON object: \"a\\u{202e}\""
        );
    }

    #[test]
    fn what_is_open_is_closed_once() {
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
    }
}
