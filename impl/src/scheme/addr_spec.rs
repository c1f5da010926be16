//! The addr-spec of RFC 822 §6.1: the mail address of a mailto URL, after decoding.

/// Splits `address` into its local part and its domain.
///
/// Comments and white space between the words are not accepted.
///
/// # Errors
///
/// Returns a sentence if `address` is not an addr-spec.
pub(super) fn split(address: &[u8]) -> Result<(&[u8], &[u8]), &'static str> {
    let at = words(address, b'"', b'"').ok_or("the local part must consist of words with dots between them")?;
    let Some((b'@', domain)) = address[at..].split_first() else {
        return Err("an @ must follow the local part");
    };
    match words(domain, b'[', b']') {
        Some(end) if end == domain.len() => Ok((&address[..at], domain)),
        Some(_) => Err("nothing may follow the domain"),
        None => Err("the domain must consist of names with dots between them"),
    }
}

/// Returns the length of the words at the start of `text`, with dots between them. A word is an atom, or a text between
/// `open` and `close`.
fn words(text: &[u8], open: u8, close: u8) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = text.get(at..)?;
        at += if rest.first() == Some(&open) { enclosed(rest, open, close)? } else { atom(rest)? };
        if text.get(at) != Some(&b'.') {
            return Some(at);
        }
        at += 1;
    }
}

fn atom(text: &[u8]) -> Option<usize> {
    let is_part = |octet: &&u8| octet.is_ascii_graphic() && !b"()<>@,;:\\\".[]".contains(octet);
    Some(text.iter().take_while(is_part).count()).filter(|length| *length > 0)
}

/// Returns the length of the quoted string or domain literal at the start of `text`. A backslash quotes the octet after
/// it.
fn enclosed(text: &[u8], open: u8, close: u8) -> Option<usize> {
    let mut at = 1;
    loop {
        match *text.get(at)? {
            octet if octet == close => return Some(at + 1),
            octet if octet == open || octet == b'\r' || !octet.is_ascii() => return None,
            b'\\' if !text.get(at + 1)?.is_ascii() => return None,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}
