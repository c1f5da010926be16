//! The engine protocol, with a partner that violates it: an engine, or a client of an engine.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use urlstrata_harness::engine::{self, answer_all};
use urlstrata_harness::escape::visible;
use urlstrata_harness::outcome::Violations;
use urlstrata_harness::protocol::{Conversation, End, Hello, Request};
use urlstrata_harness::vector::Suite;

use super::{BytesInput, Classes, Property, Violation, ensure};

/// On the output of an engine, or on requests to an engine of this project.
///
/// The lowest bit of the first byte decides whether the rest is requests. For output, the second bit decides whether a
/// valid greeting precedes it, the other bits are the size of the chunks in which it is read, and the second byte is the
/// maximum length of a line.
pub struct Protocol;

/// The greeting of an engine that follows the protocol.
const HELLO: &str = "{\"protocol\":1,\"engine\":\"e\",\"version\":\"1\",\"ops\":[\"resolve\",\"parse\"]}\n";

/// The number of requests: half of them precede all output, the other half is in the middle of it.
const COUNT: u64 = 6;

impl Property for Protocol {
    type Input = BytesInput;
    const NAME: &'static str = "protocol";
    const STATEMENT: &'static str = "for any output of an engine, each request ends once, with the first line that answers it, and \
                                     the number of reported violations is limited; for any requests to an engine of this \
                                     project, each line has one answer";
    const WORDS: &'static [&'static str] = &[
        HELLO,
        "\n",
        "\r\n",
        "{\"id\":",
        "1,",
        "2}",
        "\"url\":\"",
        "\"parts\":{",
        "\"failure\":\"",
        "\"skipped\":\"",
        "null",
        "\"op\":\"resolve\",",
        "\"op\":\"parse\",",
        "\"base\":\"",
        "\"reference\":\"",
        "\\u0000",
        "\\ud800",
        "\u{feff}",
        "\u{202e}",
        "1e999",
        "18446744073709551616",
        "[[[[",
    ];

    fn check(input: &BytesInput, classes: &mut Classes) -> Result<(), Violation> {
        let [how, longest, rest @ ..] = input.0.as_slice() else { return Ok(()) };
        if how & 1 == 1 {
            return check_answers(if how & 2 == 2 { "crate:url" } else { "ref:rfc1738" }, rest, classes);
        }
        let output = if how & 2 == 2 { [HELLO.as_bytes(), rest].concat() } else { rest.to_vec() };
        let longest = (usize::from(*longest) + 1) * 64;
        check_output(&output, longest, usize::from(how >> 2) + 1, classes)?;
        check_valid_answers(rest)
    }

    fn seeds(_: &Suite) -> Vec<BytesInput> {
        let seed = |how: u8, text: &[u8]| BytesInput([&[how, 0xff], text].concat());
        let outputs = OUTPUTS.iter().flat_map(|text| [seed(b'2', text), seed(2, text), seed(b'0', text)]);
        let requests = REQUESTS.iter().flat_map(|text| [seed(b'1', text), seed(b'3', text)]);
        outputs.chain(requests).chain([BytesInput(b"2\0{\"id\":1,\"url\":\"".to_vec())]).collect()
    }

    fn describe(input: &BytesInput) -> String {
        let lines = input.0.split_inclusive(|&byte| byte == b'\n');
        lines.map(|line| format!("  {}\n", visible(&String::from_utf8_lossy(line)))).collect()
    }
}

/// Output of engines that follow the protocol or violate it.
const OUTPUTS: &[&[u8]] = &[
    HELLO.as_bytes(),
    b"{\"id\":1,\"url\":\"http://a/\"}\n{\"id\":2,\"parts\":{\"host\":\"a\",\"query\":null}}\n{\"id\":3,\"failure\":\"no\"}\n\
      {\"id\":4,\"skipped\":\"later\"}\n{\"id\":5,\"url\":\"\\u0000\\u202e\"}\n{\"id\":6,\"parts\":{}}\n",
    b"{\"id\":6,\"url\":\"6\"}\n\n{\"id\":1,\"url\":\"1\"}\n{\"id\":1,\"url\":\"lie\"}\n{\"id\":6,\"parts\":{\"a\":\"b\"}}\n",
    b"{\"id\":4,\"url\":\"early\"}\n\n\n{\"id\":4,\"url\":\"in time\"}\n{\"id\":999,\"url\":\"x\"}\n{\"id\":\"1\",\"url\":\"x\"}\n",
    b"{\"id\":1,\"url\":\"x\",\"failure\":\"y\"}\n{\"id\":2,\"parts\":{\"a\":\"b\",\"a\":\"c\"}}\n{\"id\":3}\n[1,\"x\"]\n{\"id\":1,\"parts\":{}}\n",
    b"{\"protocol\":2,\"engine\":\"e\",\"version\":\"1\",\"ops\":[\"resolve\"]}\n{\"id\":1,\"url\":\"x\"}\n",
    b"{\"protocol\":1,\"engine\":\"\\u001b[2J\",\"version\":\"\",\"ops\":[]}\n",
    b"garbage\n\0\0\0\n\xff\xfe\n\xef\xbb\xbf{}\n{\"id\":1,\"url\":\"\xc3\"}\n{\"id\":1,\"url\":\"\\ud800\"}\nx\ny\nz\n",
    b"{\"id\":1,\"url\":\"\xff\"}\n{\"id\":2,\"parts\":{\"\xfe\":null,\"\xff\":null}}\n{\"id\":\xff}\n{\"id\":1,\"url\":\"late\"}\n{\"id\":9,\"url\":\"\xff\"}\n",
    b"g\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\n{\"id\":1,\"url\":\"after\"}\n",
    b"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\r\n{\"id\":1e999,\"url\":\"x\"}\r\n{\"id\":1,\"z\":1e999,\"url\":\"x\"}",
    b"",
];

/// Requests to the engines of this project, valid and invalid.
const REQUESTS: &[&[u8]] = &[
    b"{\"id\":1,\"op\":\"resolve\",\"base\":\"http://a/b\",\"reference\":\"../g\"}\n{\"id\":\"x\",\"op\":\"parse\",\"url\":\"http://u@h:81/p?q\"}\n",
    b"\xef\xbb\xbf{\"id\":null,\"op\":\"sing\"}\r\n\n \t\n{\"id\":{},\"op\":\"resolve\"}\n{\"id\":2,\"op\":\"parse\"}\n{\"op\":\"parse\"}\nnonsense",
    b"{\"id\":1,\"z\":\"\xff\"}\n{\"id\":1,\"z\":\"\xe9",
    b"[1,\"resolve\",\"http://a\",\"g\"]\n\xff\n\0\n{\"id\":1,\"id\":2,\"op\":\"parse\",\"url\":\"x\"}\n{\"id\":1,\"z\":1e999}\n{\"id\":1e999,\"op\":\"parse\"}\n",
    b"{\"id\":[[{}]],\"op\":\"resolve\",\"base\":\"\\u0000\",\"reference\":\"\\ud800\"}\n{\"id\":-0.0,\"op\":\"parse\",\"url\":\"http://a\\u0000\\n\"}\n",
];

fn request(id: u64) -> Request<'static> {
    if is_parse(id) {
        Request::Parse { url: "http://a/" }
    } else {
        Request::Resolve { base: "http://a/", reference: "g" }
    }
}

fn is_parse(id: u64) -> bool {
    id.is_multiple_of(2)
}

/// A finished conversation.
#[derive(PartialEq)]
struct Transcript {
    hello: Option<Result<Hello, String>>,
    ends: Vec<(u64, End)>,
    violations: Violations,
}

/// Sends half of the requests, reads half of the output, and does the same with the other halves; reads chunks of `size`.
fn converse(output: &[u8], longest: usize, size: usize) -> Transcript {
    let mut conversation = Conversation::within(longest);
    let mut ends = Vec::new();
    for (half, lines) in halves(output).into_iter().enumerate() {
        let first = half as u64 * COUNT / 2 + 1;
        (first..first + COUNT / 2).for_each(|id| drop(conversation.ask(request(id))));
        lines.concat().chunks(size).for_each(|chunk| ends.extend(conversation.receive(chunk)));
    }
    ends.extend(conversation.receive_end());
    ends.extend(conversation.close(&End::Timeout(String::new())));
    let hello = conversation.hello().map(|hello| hello.cloned().map_err(str::to_owned));
    Transcript { hello, ends, violations: conversation.take_violations() }
}

fn lines(output: &[u8]) -> Vec<&[u8]> {
    output.split_inclusive(|&byte| byte == b'\n').collect()
}

fn halves(output: &[u8]) -> [Vec<&[u8]>; 2] {
    let mut first = lines(output);
    let second = first.split_off(first.len() / 2);
    [first, second]
}

fn check_output(output: &[u8], longest: usize, size: usize, classes: &mut Classes) -> Result<(), Violation> {
    let transcript = converse(output, longest, usize::MAX);
    let same = transcript == converse(output, longest, size);
    ensure(same, Violation::new("the size of the chunks changes the conversation"))?;
    transcript.check_ends()?;
    transcript.check_reports()?;
    transcript.ends.iter().for_each(|(_, end)| classes.count(name(end)));
    let greeted = transcript.hello.as_ref().is_some_and(Result::is_ok);
    classes.count(if greeted { "a greeting" } else { "no greeting" });
    classes.add("violations of the protocol", transcript.violations.count());
    let answered = transcript.ends.into_iter().filter(|(_, end)| !matches!(end, End::Timeout(_)));
    let first = ends_by_line(output, longest) == answered.collect();
    ensure(first, Violation::new("a request does not end with the first line that answers it"))
}

impl Transcript {
    /// Checks that every request ends once, and with a result of its operation.
    fn check_ends(&self) -> Result<(), Violation> {
        let mut ids: Vec<_> = self.ends.iter().map(|(id, _)| *id).collect();
        ids.sort_unstable();
        ensure(ids.into_iter().eq(1..=COUNT), Violation::new("a request does not end once"))?;
        let fits = |id, end: &End| match end {
            End::Url(_) => !is_parse(id),
            End::Parts(_) => is_parse(id),
            End::Crash(_) => false,
            End::Failure(_) | End::Skipped(_) | End::Unrepresentable(_) | End::Timeout(_) => true,
        };
        let all_fit = self.ends.iter().all(|(id, end)| fits(*id, end));
        ensure(all_fit, Violation::new("a request ends with the result of another operation"))
    }

    /// Checks that violations of the protocol are reported in few lines that a terminal shows.
    fn check_reports(&self) -> Result<(), Violation> {
        let (first, count) = (self.violations.first(), self.violations.count());
        let limited = first.len() as u64 == count.min(Violations::KEPT as u64);
        ensure(limited, Violation::new("the number of reported violations of the protocol is not limited"))?;
        let bad_hello = self.hello.as_ref().and_then(|hello| hello.as_ref().err());
        let shown = first.iter().chain(bad_hello).all(|line| !line.is_empty() && visible(line) == **line);
        ensure(shown, Violation::new("a reported violation of the protocol is not a printable line"))
    }
}

fn name(end: &End) -> &'static str {
    match end {
        End::Url(_) => "url",
        End::Parts(_) => "parts",
        End::Failure(_) => "failure",
        End::Skipped(_) => "skipped",
        End::Unrepresentable(_) => "unrepresentable",
        End::Crash(_) => "crash",
        End::Timeout(_) => "timeout",
    }
}

/// Returns the first end of each request if every line is the only line after the greeting.
fn ends_by_line(output: &[u8], longest: usize) -> BTreeMap<u64, End> {
    let mut ends = BTreeMap::new();
    let all = lines(output);
    let mut greeted = Conversation::within(longest);
    let hello = all.iter().position(|line| {
        greeted.receive(line);
        greeted.hello().is_some()
    });
    let Some(hello) = hello.filter(|_| matches!(greeted.hello(), Some(Ok(_)))) else { return ends };
    let greeting = all[..=hello].concat();
    for (number, line) in all.iter().enumerate().skip(hello + 1) {
        let sent = if number < all.len() / 2 { COUNT / 2 } else { COUNT };
        let mut conversation = Conversation::within(longest);
        conversation.receive(&greeting);
        (1..=sent).for_each(|id| drop(conversation.ask(request(id))));
        for (id, end) in conversation.receive(line).into_iter().chain(conversation.receive_end()) {
            ends.entry(id).or_insert(end);
        }
    }
    ends
}

/// Checks that valid answers in any order are accepted, whatever lines without the id of an open request are `between` them.
fn check_valid_answers(between: &[u8]) -> Result<(), Violation> {
    let byte = |at: u64| between.get(at as usize).copied().unwrap_or_default();
    let mut open: Vec<u64> = (1..=COUNT).collect();
    open.sort_by_key(|id| (byte(*id), *id));
    let mut conversation = Conversation::new();
    conversation.receive(HELLO.as_bytes());
    (1..=COUNT).for_each(|id| drop(conversation.ask(request(id))));
    while let Some(id) = open.pop() {
        let text = String::from_utf8_lossy(lines(between).get(id as usize).copied().unwrap_or_default()).into_owned();
        let (answer, end) = match byte(COUNT + id) % 3 {
            0 => (json!({"id": id, "failure": text}), End::Failure(text)),
            1 => (json!({"id": id, "skipped": text}), End::Skipped(text)),
            _ if is_parse(id) => {
                (json!({"id": id, "parts": {"x": text}}), End::Parts(vec![("x".to_owned(), Some(text))]))
            }
            _ => (json!({"id": id, "url": text}), End::Url(text)),
        };
        let accepted = conversation.receive(format!("{answer}\n").as_bytes()) == [(id, end)];
        ensure(accepted, Violation::new("a valid answer is not accepted"))?;
        for line in lines(between).iter().filter(|line| id_of(line).is_none_or(|id| !open.contains(&id))) {
            let ended = conversation.receive(&[line, b"\n".as_slice()].concat());
            ensure(ended.is_empty(), Violation::new("a line without the id of an open request ends one"))?;
        }
    }
    Ok(())
}

#[derive(Deserialize)]
struct Identified {
    id: Value,
}

/// Returns the id in a line, which may be an answer that is not UTF-8, or that contains half of a surrogate pair.
fn id_of(line: &[u8]) -> Option<u64> {
    let text = String::from_utf8_lossy(line);
    let read = |text: &str| serde_json::from_str::<Identified>(text).ok()?.id.as_u64();
    // Only the id matters, so the escapes of surrogates may become those of other characters.
    read(&text).or_else(|| read(&text.replace("\\ud", "\\u0").replace("\\uD", "\\u0")))
}

/// Checks that an engine of this project answers each line that is not blank with one object that has the id of the request.
fn check_answers(engine: &str, requests: &[u8], classes: &mut Classes) -> Result<(), Violation> {
    let engine = engine::by_name(engine).map_err(Violation::new)?;
    let mut output = Vec::new();
    answer_all(engine.as_ref(), requests, &mut output)
        .map_err(|_| Violation::new("reading or writing memory fails"))?;
    let output = String::from_utf8(output).map_err(|_| Violation::new("an answer is not UTF-8"))?;
    let requests = requests.strip_prefix(b"\xef\xbb\xbf").unwrap_or(requests);
    let is_blank = |line: &[u8]| str::from_utf8(line).is_ok_and(|text| text.trim().is_empty());
    let requests: Vec<_> = lines(requests).into_iter().filter(|line| !is_blank(line)).collect();
    let complete = requests.len() == output.lines().count() && (output.is_empty() || output.ends_with('\n'));
    ensure(complete, Violation::new("a line does not have one answer"))?;
    for (request, answer) in requests.into_iter().zip(output.lines()) {
        let answer = serde_json::from_str::<Map<String, Value>>(answer)
            .map_err(|_| Violation::new("an answer is not a JSON object"))?;
        let kinds: Vec<_> = answer.keys().filter(|key| *key != "id").collect();
        let [kind] = kinds.as_slice() else { return Err(Violation::new("a line does not have one answer")) };
        let known = ["url", "parts", "failure", "skipped"].contains(&kind.as_str());
        ensure(known, Violation::new("an answer has an unknown kind"))?;
        // A request that is not UTF-8 has no id, even if the id alone could be decoded.
        let text = str::from_utf8(request).ok().filter(|text| text.trim_start().starts_with('{'));
        let identified = text.and_then(|text| serde_json::from_str::<Identified>(text).ok());
        let id = identified.map_or(Value::Null, |identified| identified.id);
        ensure(answer.get("id") == Some(&id), Violation::new("an answer has another id than its request"))?;
        classes.count(&format!("answered with {kind}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{OUTPUTS, Protocol, REQUESTS, lines};
    use crate::{BytesInput, Classes, Property, assert_holds};
    use proptest::prelude::*;
    use urlstrata_harness::vector::Suite;

    #[test]
    fn the_seeds_cover_every_end_of_a_request() {
        let mut classes = Classes::default();
        for seed in Protocol::seeds(&Suite::default()) {
            assert_holds::<Protocol>(&seed, &mut classes);
        }
        let other = ["timeout", "a greeting", "no greeting", "violations of the protocol"];
        for class in ["url", "parts", "failure", "skipped"].into_iter().chain(other) {
            assert!(classes.0.contains_key(class), "{class}");
        }
        for kind in ["url", "parts", "failure", "skipped"] {
            assert!(classes.0.contains_key(&format!("answered with {kind}")), "{kind}");
        }
    }

    /// Generates a line of the seeds, a word, or any bytes.
    fn piece() -> impl Strategy<Value = Vec<u8>> {
        let all = OUTPUTS.iter().chain(REQUESTS).flat_map(|text| lines(text)).map(<[u8]>::to_vec);
        let words = Protocol::WORDS.iter().map(|word| word.as_bytes().to_vec());
        prop_oneof![
            4 => prop::sample::select(all.collect::<Vec<_>>()),
            3 => prop::sample::select(words.collect::<Vec<_>>()),
            1 => prop::collection::vec(any::<u8>(), 0..4),
        ]
    }

    proptest! {
        #[test]
        fn it_holds_for_lines_in_any_order(how: u8, longest: u8, pieces in prop::collection::vec(piece(), 0..24)) {
            let input = BytesInput([&[how, longest], pieces.concat().as_slice()].concat());
            assert_holds::<Protocol>(&input, &mut Classes::default());
        }
    }
}
