//! The files of kept inputs, `fuzz/inputs/TARGET.txt`: one input per line, in printable ASCII.

use std::collections::BTreeSet;

use bstr::ByteVec;

const HEADER: &str = "# One input per line. A backslash begins an escape: \\\\, \\t, \\r, \\n or \\xNN.\n";

/// Decodes inputs, one per line, in their order. A line that begins with `#` is a comment; an empty line is the empty input.
///
/// # Errors
///
/// Returns a sentence that names the first line that [`encode`] would write in another way, and how to write it.
pub fn decode(text: &str) -> Result<Vec<Vec<u8>>, String> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    lines
        .map(|(index, line)| {
            let input = Vec::unescape_bytes(line);
            match escaped(&input) {
                expected if expected == line => Ok(input),
                expected => Err(format!("line {}: the bytes of this line are written as \"{expected}\"", index + 1)),
            }
        })
        .collect()
}

/// Encodes inputs for [`decode`]: sorted and without duplicates, after a comment that explains the format.
pub fn encode(inputs: &[Vec<u8>]) -> String {
    let lines = inputs.iter().collect::<BTreeSet<_>>().into_iter().map(|input| escaped(input) + "\n");
    HEADER.to_owned() + &lines.collect::<String>()
}

/// Escapes a `#` at the start as well, which would begin a comment, and a space at the end, which editors remove.
fn escaped(input: &[u8]) -> String {
    let mut line = input.escape_ascii().to_string().replace("\\\"", "\"").replace("\\'", "'");
    if line.starts_with('#') {
        line.replace_range(..1, "\\x23");
    }
    if line.ends_with(' ') {
        line.replace_range(line.len() - 1.., "\\x20");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::{HEADER, decode, encode};
    use proptest::prelude::*;

    #[test]
    fn inputs_are_sorted_lines_of_printable_ascii() {
        let inputs = [&b"http://h/\0../g"[..], b"#f", b"a b ", b"\\\xc3\xa9\"\n", b"", b"#f", b"it's"];
        let text = encode(&inputs.map(<[u8]>::to_vec));
        let lines = "\n\\x23f\n\\\\\\xc3\\xa9\"\\n\na b\\x20\nhttp://h/\\x00../g\nit's\n";
        assert_eq!(text, format!("{HEADER}{lines}"));
    }

    #[test]
    fn an_unusual_spelling_is_rejected_with_its_line_and_the_usual_one() {
        for (text, line, usual) in [
            ("a\n\\q", 2, "\\\\q"),
            ("# why\n\n\\x4", 3, "\\\\x4"),
            ("\\xFF", 1, "\\xff"),
            ("a\\", 1, "a\\\\"),
            ("é", 1, "\\xc3\\xa9"),
            ("a\tb", 1, "a\\tb"),
            ("a ", 1, "a\\x20"),
        ] {
            let expected = format!("line {line}: the bytes of this line are written as \"{usual}\"");
            assert_eq!(decode(text), Err(expected));
        }
    }

    #[test]
    fn comments_and_carriage_returns_at_line_ends_are_ignored() {
        assert_eq!(decode("a\\xff\r\n#\r\nb"), Ok(vec![b"a\xff".to_vec(), b"b".to_vec()]));
        assert_eq!(decode(""), Ok(Vec::new()));
    }

    proptest! {
        #[test]
        fn decoding_reverts_encoding(inputs: Vec<Vec<u8>>) {
            let mut sorted = inputs.clone();
            sorted.sort();
            sorted.dedup();
            prop_assert_eq!(decode(&encode(&inputs)), Ok(sorted));
        }

        #[test]
        fn each_input_is_one_printable_line_without_trailing_space(input: Vec<u8>) {
            let text = encode(&[input]);
            prop_assert!(text.bytes().all(|byte| byte == b'\n' || (b' '..=b'~').contains(&byte)));
            prop_assert_eq!(text.lines().count(), 2);
            prop_assert!(text.lines().all(|line| line.trim_end() == line));
        }
    }
}
