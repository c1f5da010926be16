//! Functions that several tables need.

/// Divides `text` before the first character of `ends`.
pub fn until<'a>(text: &'a str, ends: &[char]) -> (&'a str, &'a str) {
    text.split_at(text.find(ends).unwrap_or(text.len()))
}

/// Returns the text before the first `mark`, and the text after it if there is one.
pub fn cut<'a>(text: &'a str, mark: &str) -> (&'a str, Option<&'a str>) {
    text.split_once(mark).map_or((text, None), |(before, after)| (before, Some(after)))
}

/// Returns the scheme, and the text after its colon, if a name of letters, digits, `+`, `-` and `.` that begins with a letter precedes the first
/// other character, a colon (RFC 3986 §3.1).
pub fn scheme(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|it: char| !(it.is_ascii_alphanumeric() || matches!(it, '+' | '-' | '.')))?;
    let (name, after) = text.split_at(end);
    (name.starts_with(|it: char| it.is_ascii_alphabetic())).then(|| after.strip_prefix(':').map(|rest| (name, rest)))?
}

/// Divides `text` as the regular expression of RFC 3986's Appendix B does, except that a scheme has the syntax of §3.1: scheme,
/// authority, path, query, fragment.
pub fn components(text: &str) -> [Option<&str>; 5] {
    let (scheme, rest) = scheme(text).map_or((None, text), |(scheme, rest)| (Some(scheme), rest));
    let (rest, fragment) = cut(rest, "#");
    let (rest, query) = cut(rest, "?");
    let (authority, path) = match rest.strip_prefix("//") {
        Some(after) => {
            let (authority, path) = until(after, &['/']);
            (Some(authority), path)
        }
        None => (None, rest),
    };
    [scheme, authority, Some(path), query, fragment]
}

/// Concatenates the components that are present (RFC 3986 §5.3).
pub fn concatenated([scheme, authority, path, query, fragment]: [Option<&str>; 5]) -> String {
    let mut text = String::new();
    let mut add = |before: &str, part: Option<&str>, after: &str| {
        if let Some(part) = part {
            text.extend([before, part, after]);
        }
    };
    add("", scheme, ":");
    add("//", authority, "");
    add("", path, "");
    add("?", query, "");
    add("#", fragment, "");
    text
}

/// Returns the part of a path up to its last slash, with the slash; empty without one.
pub fn folder(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..=at])
}

/// Removes the dot segments of a path (RFC 3986 §5.2.4).
pub fn without_dots(path: &str) -> String {
    let mut input = path;
    let mut output = String::with_capacity(path.len());
    while !input.is_empty() {
        if let Some(rest) = input.strip_prefix("../").or_else(|| input.strip_prefix("./")) {
            input = rest;
        } else if input.starts_with("/./") {
            input = &input[2..];
        } else if input.starts_with("/../") || matches!(input, "/.." | "/.") {
            if input != "/." {
                output.truncate(output.rfind('/').unwrap_or(0));
            }
            input = if input.starts_with("/../") { &input[3..] } else { "/" };
        } else if matches!(input, "." | "..") {
            input = "";
        } else {
            let slash = usize::from(input.starts_with('/'));
            let end = input[slash..].find('/').map_or(input.len(), |at| slash + at);
            output.push_str(&input[..end]);
            input = &input[end..];
        }
    }
    output
}

/// Encodes each byte of the UTF-8 form of `text` that `keeps` does not accept, with capital digits. Escapes are not recognized: `keeps`
/// decides on the percent sign.
pub fn encoded(text: &str, keeps: impl Fn(u8) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        let mut buffer = [0; 4];
        let bytes = character.encode_utf8(&mut buffer);
        if bytes.bytes().all(&keeps) {
            out.push(character);
            continue;
        }
        for byte in bytes.bytes() {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// Returns whether `text` begins with a percent sign and two hexadecimal digits.
pub fn is_escape(text: &str) -> bool {
    matches!(text.as_bytes(), [b'%', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit())
}

/// Returns `text` in lower case by the data of Unicode 16 (September 2024): the capital letters that were added later remain.
pub fn lower_by_unicode_16(text: &str) -> String {
    let is_later = |c: char| matches!(c, '\u{A7CE}' | '\u{A7D2}' | '\u{A7D4}' | '\u{16EA0}'..='\u{16EB8}');
    if !text.contains(is_later) {
        return text.to_lowercase();
    }
    text.split_inclusive(is_later)
        .map(|part| match part.char_indices().next_back() {
            Some((at, last)) if is_later(last) => part[..at].to_lowercase() + &part[at..],
            _ => part.to_lowercase(),
        })
        .collect()
}
