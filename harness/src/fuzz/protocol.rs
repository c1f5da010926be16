//! The engine protocol with whoever speaks it badly: an engine that we ask, or someone who asks us.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Bytes, Fault, Law, Seen};
use crate::engine;
use crate::engine::answer_all;
use crate::escape::visible;
use crate::outcome::Violations;
use crate::protocol::{Conversation, End, Hello, Request};
use crate::vector::Suite;

/// On what an engine writes, or on what is written to one of ours.
///
/// The first bit of the first byte says which of the two the rest is. Then, of what an engine writes: the second, whether
/// a hello goes before it; the others, in how large pieces it comes. The second byte says how long a line may be.
pub struct Protocol;

/// What an engine that keeps to the protocol says first.
const HELLO: &str = "{\"protocol\":1,\"engine\":\"e\",\"version\":\"1\",\"ops\":[\"resolve\",\"parse\"]}\n";

/// So many requests are made, half of them before the engine has written anything and half of them in the middle.
const REQUESTS: u64 = 6;

impl Law for Protocol {
    type Case = Bytes;
    const NAME: &'static str = "protocol";
    const STATES: &'static str = "whatever an engine writes, each request ends once, with the first line that answers it, and \
                                  what is wrong is told in a bounded number of lines; whatever is written to one of ours, each \
                                  line has one answer";
    const WORDS: &'static [&'static str] = &[
        HELLO,
        "\n",
        "\r\n",
        "{\"id\":",
        "1,",
        "2}",
        "\"url\":\"",
        "\"parts\":{",
        "\"refused\":\"",
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

    fn check(case: &Bytes, seen: &mut Seen) -> Result<(), Fault> {
        let [how, longest, rest @ ..] = case.0.as_slice() else { return Ok(()) };
        if how & 1 == 1 {
            return answers(if how & 2 == 2 { "crate:url" } else { "ref:rfc1738" }, rest, seen);
        }
        let written = if how & 2 == 2 { [HELLO.as_bytes(), rest].concat() } else { rest.to_vec() };
        let longest = (usize::from(*longest) + 1) * 64;
        ends_once(&written, longest, usize::from(how >> 2) + 1, seen)?;
        honest_answers_stand(rest)
    }

    fn seeds(_: &Suite) -> Vec<Bytes> {
        let seed = |how: u8, text: &[u8]| Bytes([&[how, 0xff], text].concat());
        let written = HOSTILE.iter().flat_map(|text| [seed(b'2', text), seed(2, text), seed(b'0', text)]);
        let asked = ASKED.iter().flat_map(|text| [seed(b'1', text), seed(b'3', text)]);
        written.chain(asked).chain([Bytes(b"2\0{\"id\":1,\"url\":\"".to_vec())]).collect()
    }

    fn show(case: &Bytes) -> String {
        let lines = case.0.split_inclusive(|&byte| byte == b'\n');
        lines.map(|line| format!("  {}\n", visible(&String::from_utf8_lossy(line)))).collect()
    }
}

/// What engines write that keep to the protocol, or do not.
const HOSTILE: &[&[u8]] = &[
    HELLO.as_bytes(),
    b"{\"id\":1,\"url\":\"http://a/\"}\n{\"id\":2,\"parts\":{\"host\":\"a\",\"query\":null}}\n{\"id\":3,\"refused\":\"no\"}\n\
      {\"id\":4,\"skipped\":\"later\"}\n{\"id\":5,\"url\":\"\\u0000\\u202e\"}\n{\"id\":6,\"parts\":{}}\n",
    b"{\"id\":6,\"url\":\"6\"}\n\n{\"id\":1,\"url\":\"1\"}\n{\"id\":1,\"url\":\"lie\"}\n{\"id\":6,\"parts\":{\"a\":\"b\"}}\n",
    b"{\"id\":4,\"url\":\"early\"}\n\n\n{\"id\":4,\"url\":\"in time\"}\n{\"id\":999,\"url\":\"x\"}\n{\"id\":\"1\",\"url\":\"x\"}\n",
    b"{\"id\":1,\"url\":\"x\",\"refused\":\"y\"}\n{\"id\":2,\"parts\":{\"a\":\"b\",\"a\":\"c\"}}\n{\"id\":3}\n[1,\"x\"]\n{\"id\":1,\"parts\":{}}\n",
    b"{\"protocol\":2,\"engine\":\"e\",\"version\":\"1\",\"ops\":[\"resolve\"]}\n{\"id\":1,\"url\":\"x\"}\n",
    b"{\"protocol\":1,\"engine\":\"\\u001b[2J\",\"version\":\"\",\"ops\":[]}\n",
    b"garbage\n\0\0\0\n\xff\xfe\n\xef\xbb\xbf{}\n{\"id\":1,\"url\":\"\xc3\"}\n{\"id\":1,\"url\":\"\\ud800\"}\nx\ny\nz\n",
    b"{\"id\":1,\"url\":\"\xff\"}\n{\"id\":2,\"parts\":{\"\xfe\":null,\"\xff\":null}}\n{\"id\":\xff}\n{\"id\":1,\"url\":\"late\"}\n{\"id\":9,\"url\":\"\xff\"}\n",
    b"g\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\ng\n{\"id\":1,\"url\":\"after\"}\n",
    b"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\r\n{\"id\":1e999,\"url\":\"x\"}\r\n{\"id\":1,\"z\":1e999,\"url\":\"x\"}",
    b"",
];

/// What is put to our engines.
const ASKED: &[&[u8]] = &[
    b"{\"id\":1,\"op\":\"resolve\",\"base\":\"http://a/b\",\"reference\":\"../g\"}\n{\"id\":\"x\",\"op\":\"parse\",\"url\":\"http://u@h:81/p?q\"}\n",
    b"\xef\xbb\xbf{\"id\":null,\"op\":\"sing\"}\r\n\n \t\n{\"id\":{},\"op\":\"resolve\"}\n{\"id\":2,\"op\":\"parse\"}\n{\"op\":\"parse\"}\nnonsense",
    b"{\"id\":1,\"z\":\"\xff\"}\n{\"id\":1,\"z\":\"\xe9",
    b"[1,\"resolve\",\"http://a\",\"g\"]\n\xff\n\0\n{\"id\":1,\"id\":2,\"op\":\"parse\",\"url\":\"x\"}\n{\"id\":1,\"z\":1e999}\n{\"id\":1e999,\"op\":\"parse\"}\n",
    b"{\"id\":[[{}]],\"op\":\"resolve\",\"base\":\"\\u0000\",\"reference\":\"\\ud800\"}\n{\"id\":-0.0,\"op\":\"parse\",\"url\":\"http://a\\u0000\\n\"}\n",
];

/// Something to ask.
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

/// A conversation from its begin to its end.
#[derive(PartialEq)]
struct Held {
    hello: Option<Result<Hello, String>>,
    ends: Vec<(u64, End)>,
    faults: Violations,
}

/// Half of the requests are made, half of the lines are heard, the other half of the requests is made, the other lines are
/// heard: in pieces of `size` bytes.
fn hold(written: &[u8], longest: usize, size: usize) -> Held {
    let mut conversation = Conversation::within(longest);
    let mut ends = Vec::new();
    for (half, lines) in halves(written).into_iter().enumerate() {
        let first = half as u64 * REQUESTS / 2 + 1;
        (first..first + REQUESTS / 2).for_each(|id| drop(conversation.ask(request(id))));
        lines.concat().chunks(size).for_each(|piece| ends.extend(conversation.receive(piece)));
    }
    ends.extend(conversation.receive_end());
    ends.extend(conversation.close(&End::Timeout(String::new())));
    let hello = conversation.hello().map(|hello| hello.cloned().map_err(str::to_owned));
    Held { hello, ends, faults: conversation.take_violations() }
}

fn lines(written: &[u8]) -> Vec<&[u8]> {
    written.split_inclusive(|&byte| byte == b'\n').collect()
}

fn halves(written: &[u8]) -> [Vec<&[u8]>; 2] {
    let mut first = lines(written);
    let second = first.split_off(first.len() / 2);
    [first, second]
}

fn ends_once(written: &[u8], longest: usize, size: usize, seen: &mut Seen) -> Result<(), Fault> {
    let held = hold(written, longest, usize::MAX);
    if held != hold(written, longest, size) {
        return Err(Fault::new("other pieces make another conversation"));
    }
    held.ends_as_asked()?;
    held.can_be_told()?;
    held.ends.iter().for_each(|(_, end)| seen.count(name(end)));
    seen.count(if held.hello.as_ref().is_some_and(Result::is_ok) { "a hello" } else { "no hello" });
    seen.add("faults", held.faults.count());
    let answered = held.ends.into_iter().filter(|(_, end)| !matches!(end, End::Timeout(_)));
    if by_lines(written, longest) != answered.collect() {
        return Err(Fault::new("a request does not end with the first line that answers it"));
    }
    Ok(())
}

impl Held {
    /// Every request ends once, and in what it asked for.
    fn ends_as_asked(&self) -> Result<(), Fault> {
        let mut ids: Vec<_> = self.ends.iter().map(|(id, _)| *id).collect();
        ids.sort_unstable();
        if !ids.iter().copied().eq(1..=REQUESTS) {
            return Err(Fault::new("a request does not end once"));
        }
        let other = |id, end: &End| match end {
            End::Url(_) => is_parse(id),
            End::Parts(_) => !is_parse(id),
            End::Crash(_) => true,
            End::Failure(_) | End::Skipped(_) | End::Timeout(_) => false,
        };
        match self.ends.iter().any(|(id, end)| other(*id, end)) {
            true => Err(Fault::new("a request ends in what it did not ask for")),
            false => Ok(()),
        }
    }

    /// What is wrong is told in few lines, which a terminal shows.
    fn can_be_told(&self) -> Result<(), Fault> {
        let (first, count) = (self.faults.first(), self.faults.count());
        if first.len() as u64 != count.min(Violations::KEPT as u64) {
            return Err(Fault::new("faults are not bounded"));
        }
        let wrong = self.hello.as_ref().and_then(|hello| hello.as_ref().err());
        match first.iter().chain(wrong).any(|told| told.is_empty() || visible(told) != **told) {
            true => Err(Fault::new("a fault is no line that can be shown")),
            false => Ok(()),
        }
    }
}

fn name(end: &End) -> &'static str {
    match end {
        End::Url(_) => "url",
        End::Parts(_) => "parts",
        End::Failure(_) => "refused",
        End::Skipped(_) => "skipped",
        End::Crash(_) => "crashed",
        End::Timeout(_) => "timed out",
    }
}

/// How requests end if each line is heard for itself, right after the hello, and the first that ends a request does so.
fn by_lines(written: &[u8], longest: usize) -> BTreeMap<u64, End> {
    let mut ends = BTreeMap::new();
    let all = lines(written);
    let mut greeted = Conversation::within(longest);
    let hello = all.iter().position(|line| {
        greeted.receive(line);
        greeted.hello().is_some()
    });
    let Some(hello) = hello.filter(|_| matches!(greeted.hello(), Some(Ok(_)))) else { return ends };
    let greeting = all[..=hello].concat();
    for (number, line) in all.iter().enumerate().skip(hello + 1) {
        let asked = if number < all.len() / 2 { REQUESTS / 2 } else { REQUESTS };
        let mut alone = Conversation::within(longest);
        alone.receive(&greeting);
        (1..=asked).for_each(|id| drop(alone.ask(request(id))));
        for (id, end) in alone.receive(line).into_iter().chain(alone.receive_end()) {
            ends.entry(id).or_insert(end);
        }
    }
    ends
}

/// What an honest engine answers in any order stands, whatever lines come between that name no open request.
fn honest_answers_stand(between: &[u8]) -> Result<(), Fault> {
    let byte = |at: u64| between.get(at as usize).copied().unwrap_or_default();
    let mut open: Vec<u64> = (1..=REQUESTS).collect();
    open.sort_by_key(|id| (byte(*id), *id));
    let mut conversation = Conversation::new();
    conversation.receive(HELLO.as_bytes());
    (1..=REQUESTS).for_each(|id| drop(conversation.ask(request(id))));
    while let Some(id) = open.pop() {
        let text = String::from_utf8_lossy(lines(between).get(id as usize).copied().unwrap_or_default()).into_owned();
        let (answer, end) = match byte(REQUESTS + id) % 3 {
            0 => (json!({"id": id, "refused": text}), End::Failure(text)),
            1 => (json!({"id": id, "skipped": text}), End::Skipped(text)),
            _ if is_parse(id) => {
                (json!({"id": id, "parts": {"x": text}}), End::Parts(vec![("x".to_owned(), Some(text))]))
            }
            _ => (json!({"id": id, "url": text}), End::Url(text)),
        };
        if conversation.receive(format!("{answer}\n").as_bytes()) != [(id, end)] {
            return Err(Fault::new("an honest answer does not stand"));
        }
        for line in lines(between).iter().filter(|line| named(line).is_none_or(|id| !open.contains(&id))) {
            if !conversation.receive(&[line, b"\n".as_slice()].concat()).is_empty() {
                return Err(Fault::new("a line that names no open request ends one"));
            }
        }
    }
    Ok(())
}

#[derive(Deserialize)]
struct Named {
    id: Value,
}

/// The request that a line names, which may be an answer that is not UTF-8.
fn named(line: &[u8]) -> Option<u64> {
    serde_json::from_str::<Named>(&String::from_utf8_lossy(line)).ok()?.id.as_u64()
}

/// One object with the id of its request and one answer, for each line with something on it.
fn answers(engine: &str, asked: &[u8], seen: &mut Seen) -> Result<(), Fault> {
    let engine = engine::by_name(engine).map_err(Fault::new)?;
    let mut output = Vec::new();
    answer_all(engine.as_ref(), asked, &mut output).map_err(|_| Fault::new("memory cannot be read or written"))?;
    let output = String::from_utf8(output).map_err(|_| Fault::new("an answer is not UTF-8"))?;
    let asked = asked.strip_prefix(b"\xef\xbb\xbf").unwrap_or(asked);
    let asked =
        lines(asked).into_iter().filter(|line| str::from_utf8(line).map_or(true, |text| !text.trim().is_empty()));
    let asked: Vec<_> = asked.collect();
    if asked.len() != output.lines().count() || !output.is_empty() && !output.ends_with('\n') {
        return Err(Fault::new("a line does not have one answer"));
    }
    for (line, answer) in asked.into_iter().zip(output.lines()) {
        let Ok(answer) = serde_json::from_str::<Map<String, Value>>(answer) else {
            return Err(Fault::new("an answer is no JSON object"));
        };
        let kinds: Vec<_> = answer.keys().filter(|key| *key != "id").collect();
        let [kind] = kinds.as_slice() else { return Err(Fault::new("a line does not have one answer")) };
        if !["url", "parts", "refused", "skipped"].contains(&kind.as_str()) {
            return Err(Fault::new("an answer is of no kind"));
        }
        // What is no text has no id, even where that could be read.
        let text = str::from_utf8(line).ok().filter(|text| text.trim_start().starts_with('{'));
        let named = text.and_then(|text| serde_json::from_str::<Named>(text).ok());
        let id = named.map_or(Value::Null, |named| named.id);
        if answer.get("id") != Some(&id) {
            return Err(Fault::new("an answer has another id than its request"));
        }
        seen.count(&format!("answered with {kind}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{ASKED, HOSTILE, Protocol, lines};
    use crate::fuzz::{Bytes, Law, Seen};
    use crate::vector::Suite;
    use proptest::prelude::*;

    #[test]
    fn the_seeds_show_every_way_a_request_ends() {
        let mut seen = Seen::default();
        for seed in Protocol::seeds(&Suite::default()) {
            assert_eq!(Protocol::check(&seed, &mut seen), Ok(()), "{}", Protocol::show(&seed));
        }
        for class in ["url", "parts", "refused", "skipped", "timed out", "a hello", "no hello", "faults"] {
            assert!(seen.0.contains_key(class), "{class}");
        }
        for kind in ["url", "parts", "refused", "skipped"] {
            assert!(seen.0.contains_key(&format!("answered with {kind}")), "{kind}");
        }
    }

    /// A line of the seeds, a word, or any bytes.
    fn piece() -> impl Strategy<Value = Vec<u8>> {
        let all: Vec<Vec<u8>> = HOSTILE.iter().chain(ASKED).flat_map(|text| lines(text)).map(<[u8]>::to_vec).collect();
        let words = Protocol::WORDS.iter().map(|word| word.as_bytes().to_vec()).collect::<Vec<_>>();
        prop_oneof![
            4 => prop::sample::select(all),
            3 => prop::sample::select(words),
            1 => prop::collection::vec(any::<u8>(), 0..4),
        ]
    }

    proptest! {
        #[test]
        fn it_holds_of_lines_in_any_order(how: u8, longest: u8, pieces in prop::collection::vec(piece(), 0..24)) {
            let case = Bytes([&[how, longest], pieces.concat().as_slice()].concat());
            let held = Protocol::check(&case, &mut Seen::default());
            prop_assert_eq!(held, Ok(()), "{}", Protocol::show(&case));
        }
    }
}
