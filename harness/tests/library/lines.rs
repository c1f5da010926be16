//! Lines of input.

use urlstrata_harness::lines::{Line, Lines};

fn lines(input: &[u8]) -> Vec<Line> {
    let mut lines = Lines::new(input);
    std::iter::from_fn(|| lines.next_line().expect("memory can be read")).collect()
}

#[test]
fn line_ends_and_the_byte_order_mark_are_removed() {
    let text = |text: &str| Line::Text(text.to_owned());
    assert_eq!(lines(b"\xef\xbb\xbfa\tb\r\nc\td\n\ne"), [text("a\tb"), text("c\td"), text(""), text("e")]);
    assert_eq!(lines(b""), []);
}

#[test]
fn an_invalid_line_is_reported_and_the_next_line_is_read() {
    assert_eq!(lines(b"a\xff\nb"), [Line::Bad("not UTF-8 from byte 2 on".to_owned()), Line::Text("b".to_owned())]);
}
