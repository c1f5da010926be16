//! Pairs that stream through an engine come out in order, a line for a line, whatever is among them.

use std::io::{self, Read};

use urlstrata_harness::engine;
use urlstrata_harness::survey::stream::{BadLine, StreamError, resolve_pairs};

/// The results, and what was complained of.
fn streamed(name: &str, input: impl Read + Send) -> (Result<(), StreamError>, Vec<u8>, Vec<BadLine>) {
    let engine = engine::by_name(name).expect("an engine");
    let (mut out, mut bad) = (vec![], vec![]);
    let ended = resolve_pairs(engine.as_ref(), input, &mut out, &mut |line| bad.push(line), &mut |_| ());
    (ended, out, bad)
}

fn lines(name: &str, input: &[u8]) -> (Vec<String>, Vec<BadLine>) {
    let (ended, out, bad) = streamed(name, input);
    ended.expect("memory can be read and written");
    (String::from_utf8(out).expect("text").lines().map(str::to_owned).collect(), bad)
}

#[test]
fn a_line_for_a_line() {
    for name in ["fast:rfc3986", "ref:rfc3986", "crate:url"] {
        let (results, bad) = lines(name, b"http://a/b\tc\nhttp://a/b\t../d\nhttp://a/bc\te\r\n\nhttp://a/\tf");
        assert_eq!(results, ["http://a/c", "http://a/d", "http://a/e", "", "http://a/f"], "{name}");
        assert_eq!(bad, [], "{name}");
    }
}

#[test]
fn what_is_no_pair_is_said_and_keeps_its_line() {
    for name in ["fast:rfc1808", "ref:rfc1808"] {
        let (results, bad) =
            lines(name, b"\xef\xbb\xbfhttp://a/\tb\nno tab here\nhttp://a/\tc\nhttp://a/\xff\td\nhttp://a/\te\tf\n");
        assert_eq!(results[0], "http://a/b", "{name}: the byte order mark is no part of the base");
        assert!(results[1].starts_with("skipped: no tab"), "{name}: {}", results[1]);
        assert_eq!(results[2], "http://a/c", "{name}");
        assert_eq!(results[3], "skipped: not UTF-8 from byte 10 on", "{name}");
        assert_eq!(results[4], "http://a/e\tf", "{name}: only the first tab ends the base");
        assert_eq!(bad.iter().map(|bad| bad.line).collect::<Vec<_>>(), [2, 4], "{name}");
    }
}

#[test]
fn a_failure_is_a_result() {
    let (results, _) = lines("fast:rfc1630", b"\tx\nhttp://a/b\t///c\nhttp://a/b\tc\n");
    assert_eq!(results[2], "http://a/c");
    assert!(results[..2].iter().all(|result| result.starts_with("failure: ")), "{results:?}");
}

/// Many chunks, which two cores finish in any order; bases that come once, and that come often.
#[test]
fn the_order_is_kept_over_chunks() {
    let mut input = String::new();
    let mut expected = vec![];
    for number in 0..200_000 {
        let base = if number % 3 == 0 { number } else { number / 1000 };
        input += &format!("http://host/{base}/directory/file\t../{number}#x\n");
        expected.push(format!("http://host/{base}/{number}#x"));
    }
    for name in ["fast:rfc1808", "ref:rfc1808"] {
        let (results, bad) = lines(name, input.as_bytes());
        assert!(results == expected && bad.is_empty(), "{name}");
    }
}

#[test]
fn lines_may_be_longer_than_a_chunk() {
    let long = "x".repeat(5 << 20);
    let input = format!("http://a/b\tc\nhttp://a/b\t{long}\nhttp://a/b\td\n");
    let (results, _) = lines("fast:rfc2396", input.as_bytes());
    assert_eq!(results.len(), 3);
    assert_eq!((results[0].as_str(), results[2].as_str()), ("http://a/c", "http://a/d"));
    assert_eq!(results[1].len(), "http://a/".len() + long.len());
}

#[test]
fn a_base_that_begins_another_is_another() {
    let (results, _) = lines("fast:rfc3986", b"http://a/b\tx\nhttp://a/b/c\tx\nhttp://a/b\tx\nhttp://a/\tx\n");
    assert_eq!(results, ["http://a/x", "http://a/b/x", "http://a/x", "http://a/x"]);
}

/// An input that fails after its first line.
struct Failing(bool);

impl Read for Failing {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if std::mem::replace(&mut self.0, true) {
            return Err(io::Error::other("the disk is gone"));
        }
        let line = b"http://a/\tb\n";
        into[..line.len()].copy_from_slice(line);
        Ok(line.len())
    }
}

#[test]
fn what_was_resolved_before_a_fault_is_written() {
    let (ended, out, _) = streamed("fast:rfc3986", Failing(false));
    assert!(matches!(ended, Err(StreamError::Input(error)) if error.to_string() == "the disk is gone"));
    assert_eq!(out, b"http://a/b\n");
}

#[test]
fn an_output_that_is_closed_ends_the_work() {
    struct Closed;
    impl io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let engine = engine::by_name("fast:rfc3986").expect("an engine");
    let input = io::repeat(b'\n').take(64 << 20);
    let ended = resolve_pairs(engine.as_ref(), input, &mut Closed, &mut |_| (), &mut |_| ());
    assert!(matches!(ended, Err(StreamError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe));
}
