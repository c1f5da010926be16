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
            Request::Parse { url } | Request::Connect { url } => json!({"id": id, "op": op.name(), "url": url}),
            Request::Follow { base, location } => {
                json!({"id": id, "op": op.name(), "base": base, "location": location})
            }
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
            (Op::Parse | Op::Connect | Op::Follow, End::Url(_)) => {
                return Err(format!("a url for {id}, which asked for parts"));
            }
            _ => {}
        }
        self.open.remove(&id);
        Ok(Some((id, end)))
    }
}
