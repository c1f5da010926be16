//! For a stream of pairs, the results are written in the order of the input, one line for each input line, even if some
//! lines are malformed.

use std::io::{self, Cursor, Read};

use urlstrata_harness::engine;
use urlstrata_harness::survey::stream::{BadLine, StreamError, resolve_pairs};

/// Resolves the pairs of `input` and returns the status, the output and the malformed lines.
fn streamed(name: &str, input: impl Read + Send + 'static) -> (Result<(), StreamError>, Vec<u8>, Vec<BadLine>) {
    let engine = engine::by_name(name).expect("an engine");
    let (mut out, mut bad) = (vec![], vec![]);
    let ended = resolve_pairs(engine.as_ref(), input, &mut out, &mut |line| bad.push(line), &mut |_| ());
    (ended, out, bad)
}

/// Resolves the pairs of `input` and returns the lines of the output and the malformed lines.
fn lines(name: &str, input: &[u8]) -> (Vec<String>, Vec<BadLine>) {
    let (ended, out, bad) = streamed(name, Cursor::new(input.to_vec()));
    ended.expect("memory can be read and written");
    (String::from_utf8(out).expect("text").lines().map(str::to_owned).collect(), bad)
}

#[test]
fn each_input_line_has_one_output_line() {
    for name in ["fast:rfc3986", "ref:rfc3986", "crate:url"] {
        let (results, bad) = lines(name, b"http://a/b\tc\nhttp://a/b\t../d\nhttp://a/bc\te\r\n\nhttp://a/\tf");
        assert_eq!(results, ["http://a/c", "http://a/d", "http://a/e", "", "http://a/f"], "{name}");
        assert_eq!(bad, [], "{name}");
    }
}

#[test]
fn a_malformed_line_is_reported_and_has_an_output_line() {
    for name in ["fast:rfc1808", "ref:rfc1808"] {
        let (results, bad) =
            lines(name, b"\xef\xbb\xbfhttp://a/\tb\nno tab here\nhttp://a/\tc\nhttp://a/\xff\td\nhttp://a/\te\tf\n");
        assert_eq!(results[0], "http://a/b", "{name}: the byte order mark is not part of the base");
        assert!(results[1].starts_with("skipped: no tab"), "{name}: {}", results[1]);
        assert_eq!(results[2], "http://a/c", "{name}");
        assert_eq!(results[3], "skipped: not UTF-8 from byte 10 on", "{name}");
        assert_eq!(results[4], "http://a/e\tf", "{name}: only the first tab ends the base");
        assert_eq!(bad.iter().map(|bad| bad.line).collect::<Vec<_>>(), [2, 4], "{name}");
    }
}

#[test]
fn failures_are_written_as_results() {
    let (results, _) = lines("fast:rfc1630", b"\tx\nhttp://a/b\t///c\nhttp://a/b\tc\n");
    assert_eq!(results[2], "http://a/c");
    assert!(results[..2].iter().all(|result| result.starts_with("failure: ")), "{results:?}");
}

/// The input has many chunks, which threads can finish in any order. Some of its bases occur once, others many times.
#[test]
fn the_order_of_lines_is_kept_across_chunks() {
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
fn a_base_that_is_a_prefix_of_another_is_distinct() {
    let (results, _) = lines("fast:rfc3986", b"http://a/b\tx\nhttp://a/b/c\tx\nhttp://a/b\tx\nhttp://a/\tx\n");
    assert_eq!(results, ["http://a/x", "http://a/b/x", "http://a/x", "http://a/x"]);
}

/// An input that returns one line and then an error.
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
fn results_before_an_input_error_are_written() {
    let (ended, out, _) = streamed("fast:rfc3986", Failing(false));
    assert!(matches!(ended, Err(StreamError::Input(error)) if error.to_string() == "the disk is gone"));
    assert_eq!(out, b"http://a/b\n");
}

#[test]
fn a_closed_output_stops_the_stream() {
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
