//! Hosts that begin with a digit.

use super::super::{Ipv4, Row};

/// Returns whether `host` is accepted by a parser that reads four numbers first, and then a name.
pub(super) fn is_accepted(row: &Row, host: &str) -> bool {
    let is_letters = |label: &str| label.bytes().all(|byte| byte.is_ascii_alphabetic());
    match after_four_numbers(host) {
        Some(rest) => rest.is_empty(),
        None if row.ipv4() == Ipv4::EndsAfterFour || !host.starts_with(|c: char| c.is_ascii_digit()) => true,
        None => host.rsplit_once('.').is_none_or(|(_, last)| is_letters(last)),
    }
}

/// Returns the text after four numbers of at most 255 with a full stop after each of them. The last full stop may be missing
/// at the end.
fn after_four_numbers(host: &str) -> Option<&str> {
    let mut rest = host;
    for at in 0..4 {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest[..end].parse::<u16>().ok().filter(|number| *number <= 255)?;
        rest = match rest[end..].strip_prefix('.') {
            Some(after) => after,
            None if at == 3 && end == rest.len() => "",
            None => return None,
        };
    }
    Some(rest)
}

/// Returns the end of the four numbers of at most 255 that `host` begins with.
pub(super) fn end(host: &str) -> Option<usize> {
    let mut end = 0;
    for at in 0..4 {
        if at > 0 {
            end += host[end..].strip_prefix('.').map(|_| 1)?;
        }
        let rest = &host[end..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        end += rest[..digits].parse::<u8>().map(|_| digits).ok()?;
    }
    Some(end)
}
