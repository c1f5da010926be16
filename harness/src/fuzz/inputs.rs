//! Inputs as text: what campaigns kept is a file that people read and compare.

use std::collections::BTreeSet;
use std::fmt::Write;

/// Reads inputs, one a line, in their order; a line that begins with `#` is a comment.
///
/// `a\x00\\` is the four bytes `a`, zero, and `\`, and an empty line is the empty input. Nothing but `\\` and `\xNN` is an
/// escape, and nothing but printable ASCII stands for itself.
///
/// # Errors
///
/// A sentence with the line, and what to write there.
pub fn read(text: &str) -> Result<Vec<Vec<u8>>, String> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    lines.map(|(index, line)| unescape(line).map_err(|said| format!("line {}: {said}", index + 1))).collect()
}

/// Writes inputs so that [`read`] reads them: sorted, none twice, and a comment before them that says how they are written.
///
/// A `#` that begins an input and a space that ends one are escaped too: the one would be a comment, the other be lost in an
/// editor.
pub fn write(inputs: &[Vec<u8>]) -> String {
    let mut out = String::from(
        "# Fuzzing inputs, one a line: printable ASCII as itself, a backslash twice, any other byte as \\xNN.\n",
    );
    for input in inputs.iter().collect::<BTreeSet<_>>() {
        for (index, &byte) in input.iter().enumerate() {
            let is_comment = index == 0 && byte == b'#';
            let is_trailing = index + 1 == input.len() && byte == b' ';
            match byte {
                b'\\' => out.push_str("\\\\"),
                b' '..=b'~' if !is_comment && !is_trailing => out.push(char::from(byte)),
                _ => push_hex(byte, &mut out),
            }
        }
        out.push('\n');
    }
    out
}

/// `byte` as `\xNN`.
pub(super) fn push_hex(byte: u8, out: &mut String) {
    let _ = write!(out, "\\x{byte:02x}");
}

fn unescape(line: &str) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        rest = &rest[first.len_utf8()..];
        match first {
            '\\' => {
                let (byte, behind) = escape(rest).ok_or_else(|| {
                    let shown: String = rest.chars().take(3).collect();
                    format!(
                        "\"\\{shown}\" begins with no escape: write \"\\\\\" for a backslash and \"\\xNN\" for a byte"
                    )
                })?;
                out.push(byte);
                rest = behind;
            }
            ' '..='~' => out.push(first as u8),
            _ => {
                let mut escaped = String::new();
                first.to_string().bytes().for_each(|byte| push_hex(byte, &mut escaped));
                return Err(format!("U+{:04X} is not printable ASCII: write \"{escaped}\"", u32::from(first)));
            }
        }
    }
    Ok(out)
}

/// The byte that is escaped, `rest` being what follows the backslash, and what follows the escape.
fn escape(rest: &str) -> Option<(u8, &str)> {
    if let Some(behind) = rest.strip_prefix('\\') {
        return Some((b'\\', behind));
    }
    let (digits, behind) = rest.strip_prefix('x')?.split_at_checked(2)?;
    // A number may have a sign; an escape may not.
    let byte = digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then(|| u8::from_str_radix(digits, 16).ok())??;
    Some((byte, behind))
}

#[cfg(test)]
mod tests {
    use super::{read, write};
    use proptest::prelude::*;

    #[test]
    fn a_line_is_what_a_reader_expects() {
        let inputs = [&b"http://h/\0../g"[..], b"#f", b"a b ", b"\\\xc3\xa9\"", b"", b"#f"].map(<[u8]>::to_vec);
        let text = write(&inputs);
        let (comment, lines) = text.split_once('\n').expect("two lines");
        assert!(comment.starts_with("# "));
        assert_eq!(lines, "\n\\x23f\n\\\\\\xc3\\xa9\"\na b\\x20\nhttp://h/\\x00../g\n");
    }

    #[test]
    fn a_broken_line_is_told_with_its_number_and_a_remedy() {
        for (text, said) in [
            (
                "a\n\\q",
                "line 2: \"\\q\" begins with no escape: write \"\\\\\" for a backslash and \"\\xNN\" for a byte",
            ),
            ("# why\n\n\\x4", "line 3: \"\\x4\" begins with no escape"),
            ("\\x+4", "line 1: \"\\x+4\" begins with no escape"),
            ("a\\", "line 1: \"\\\" begins with no escape"),
            ("\\xé", "line 1: \"\\xé\" begins with no escape"),
            ("é", "line 1: U+00E9 is not printable ASCII: write \"\\xc3\\xa9\""),
            ("a\tb", "line 1: U+0009 is not printable ASCII: write \"\\x09\""),
        ] {
            let error = read(text).expect_err("broken");
            assert!(error.starts_with(said), "{error}");
        }
    }

    #[test]
    fn other_line_ends_and_capital_digits_are_read() {
        assert_eq!(read("a\\xFF\r\n#\r\nb"), Ok(vec![b"a\xff".to_vec(), b"b".to_vec()]));
        assert_eq!(read(""), Ok(Vec::new()));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(inputs: Vec<Vec<u8>>) {
            let mut sorted = inputs.clone();
            sorted.sort();
            sorted.dedup();
            prop_assert_eq!(read(&write(&inputs)), Ok(sorted));
        }

        #[test]
        fn a_line_is_printable_and_stays_what_it_is(input: Vec<u8>) {
            let text = write(&[input]);
            prop_assert!(text.bytes().all(|byte| byte == b'\n' || (b' '..=b'~').contains(&byte)));
            prop_assert_eq!(text.lines().count(), 2);
            prop_assert!(text.lines().all(|line| line.trim_end() == line));
        }
    }
}
