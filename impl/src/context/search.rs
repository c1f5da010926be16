//! The search for the next URL, for each kind of delimiter.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use memchr::{memchr, memchr2, memmem};

use super::{Ambiguity, Aspect, Brackets, Delimiter, FoundUrl};
use crate::scheme_name;

const PREFIX: &str = "URL:";

/// Finds the first pair of brackets from `at` on that delimits a URL.
///
/// A bracket is not closed if a `<`, an empty line or the end of the text precedes its `>`. It is then ordinary text.
pub(super) fn next_bracket(text: &str, mut at: usize, brackets: Brackets) -> Option<FoundUrl<'_>> {
    let bytes = text.as_bytes();
    loop {
        let open = at + memchr(b'<', bytes.get(at..)?)?;
        let inside = open + 1;
        let end = inside + memchr2(b'<', b'>', &bytes[inside..])?;
        at = end;
        if bytes[end] != b'>' {
            continue;
        }
        let held = &text[inside..end];
        // The later specifications allow white space anywhere between the brackets, also before the prefix.
        let before = match brackets {
            Brackets::WithPrefix => 0,
            Brackets::WithOrWithout => held.len() - held.trim_start().len(),
        };
        let prefixed = held[before..].get(..PREFIX.len()).is_some_and(|start| start.eq_ignore_ascii_case(PREFIX));
        let content = if prefixed { inside + before + PREFIX.len()..end } else { inside..end };
        let holds_url = match (prefixed, brackets) {
            (true, _) => !text[content.clone()].trim().is_empty(),
            (false, Brackets::WithPrefix) => false,
            (false, Brackets::WithOrWithout) => has_scheme(text[content.clone()].trim_start()),
        };
        if holds_url && !has_empty_line(held) {
            let (delimiter, prefix) = match prefixed {
                true => (Delimiter::PrefixedBrackets, Aspect::Prefix as u8),
                false => (Delimiter::Brackets, 0),
            };
            return Some(unwrap(text, open..end + 1, content, delimiter, prefix | Aspect::Brackets as u8));
        }
    }
}

/// Finds the first pair of quotes from `at` on that delimits a URL.
///
/// If a pair delimits no URL, its second quote may be the first one of another pair.
pub(super) fn next_quote(text: &str, mut at: usize) -> Option<FoundUrl<'_>> {
    let bytes = text.as_bytes();
    loop {
        let open = at + memchr(b'"', bytes.get(at..)?)?;
        let end = open + 1 + memchr(b'"', &bytes[open + 1..])?;
        at = end;
        let held = &text[open + 1..end];
        if has_host(held.trim_start()) && !held.contains(['<', '>']) && !has_empty_line(held) {
            return Some(unwrap(text, open..end + 1, open + 1..end, Delimiter::Quotes, Aspect::Quotes as u8));
        }
    }
}

/// Finds the first word from `at` on that is a URL.
///
/// It begins with a scheme, a colon and two slashes, after white space, opening punctuation or the prefix. It ends before white
/// space, an angle bracket or a quote.
pub(super) fn next_bare(text: &str, at: usize) -> Option<FoundUrl<'_>> {
    let bytes = text.as_bytes();
    let mut from = at;
    loop {
        let colon = from + memmem::find(bytes.get(from..)?, b"://")?;
        let name = bytes[from..colon].iter().rev().take_while(|byte| scheme_name::is_name_byte(**byte)).count();
        let start = colon - name;
        let opens = |before: char| before.is_whitespace() || "([{<>\"'“‘«".contains(before);
        let is_open = |start: usize| text[..start].chars().next_back().is_none_or(opens);
        let prefix = start.checked_sub(PREFIX.len()).filter(|prefix| *prefix >= at);
        // A prefix after `<` begins a wrapper.
        let has_prefix = |prefix: usize| {
            let is_prefix = bytes[prefix..start].eq_ignore_ascii_case(PREFIX.as_bytes());
            is_prefix && is_open(prefix) && !text[..prefix].ends_with('<')
        };
        let begins = bytes[start].is_ascii_alphabetic() && (is_open(start) || prefix.is_some_and(has_prefix));
        let after = colon + "://".len();
        from = after;
        if !begins {
            continue;
        }
        let (end, punctuation) = word_end(text, after);
        from = end;
        if after + punctuation < end {
            return Some(unwrap_word(text, start, start..end, Delimiter::WhiteSpace, punctuation));
        }
    }
}

/// Finds the first word from `at` on that consists of the prefix and an absolute URL.
///
/// The prefix is after white space, opening punctuation, `=`, `,`, `;` or `|`, except for `<`, which begins a wrapper.
pub(super) fn next_prefixed(text: &str, at: usize) -> Option<FoundUrl<'_>> {
    let bytes = text.as_bytes();
    let mut from = at;
    loop {
        let start = from + memchr(b':', bytes.get(from..)?)? + 1;
        from = start;
        let Some(wrapper) = start.checked_sub(PREFIX.len()).filter(|wrapper| *wrapper >= at) else { continue };
        let opens = |before: char| before.is_whitespace() || "([{>\"'“‘«=,;|".contains(before);
        let begins = bytes[wrapper..start].eq_ignore_ascii_case(PREFIX.as_bytes())
            && text[..wrapper].chars().next_back().is_none_or(opens);
        let Some(scheme) = scheme_name::length(&text[start..]).filter(|_| begins) else { continue };
        let after = start + scheme + 1;
        let (end, punctuation) = word_end(text, after);
        from = end;
        if after + punctuation < end {
            return Some(unwrap_word(text, wrapper, start..end, Delimiter::Prefix, punctuation));
        }
    }
}

/// Returns the end of the word that begins before `after`, and the number of bytes of punctuation before that end.
fn word_end(text: &str, after: usize) -> (usize, usize) {
    let ends = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"');
    let end = text[after..].find(ends).map_or(text.len(), |length| after + length);
    (end, trailing_punctuation(&text[after..end]))
}

/// Returns the URL in `word`, without `punctuation` bytes at its end. `start` is the start of the word's delimiter.
fn unwrap_word(text: &str, start: usize, word: Range<usize>, by: Delimiter, punctuation: usize) -> FoundUrl<'_> {
    let content = word.start..word.end - punctuation;
    let mut found = unwrap(text, start..content.end, content, by, Aspect::Bare as u8);
    if punctuation > 0 {
        found.ambiguity = Ambiguity::TrailingPunctuation(punctuation);
    }
    found
}

/// Returns the number of bytes of punctuation at the end of `text`. A closing bracket is not counted if `text` contains
/// its opening bracket.
fn trailing_punctuation(text: &str) -> usize {
    const PAIRS: [(char, char); 3] = [('(', ')'), ('[', ']'), ('{', '}')];
    let mut surplus = PAIRS.map(|(open, close)| text.matches(close).count() as i64 - text.matches(open).count() as i64);
    let mut kept = text.len();
    for (at, character) in text.char_indices().rev() {
        let pair = PAIRS.iter().position(|pair| pair.1 == character);
        let goes = match pair {
            Some(pair) => {
                surplus[pair] -= 1;
                surplus[pair] >= 0
            }
            None => ".,;:!?'”’»…".contains(character),
        };
        if !goes {
            break;
        }
        kept = at;
    }
    text.len() - kept
}

/// Returns the part of `text` after its scheme and the colon.
fn after_scheme(text: &str) -> Option<&str> {
    scheme_name::length_letter_first(text).map(|length| &text[length + 1..])
}

/// Returns whether `text` begins with a scheme and at least one more character.
fn has_scheme(text: &str) -> bool {
    after_scheme(text).is_some_and(|rest| rest.chars().next().is_some_and(|next| !next.is_whitespace()))
}

/// Returns whether `text` begins with a scheme, two slashes and at least one more character.
fn has_host(text: &str) -> bool {
    after_scheme(text).and_then(|rest| rest.strip_prefix("//")).is_some_and(|rest| !rest.trim_start().is_empty())
}

/// Returns whether a line of `text`, other than the first and the last, contains only white space.
fn has_empty_line(text: &str) -> bool {
    let mut ended = false;
    let mut before = '\0';
    for character in text.chars() {
        let ends = is_line_end(character) && !(before == '\r' && character == '\n');
        if ends && ended {
            return true;
        }
        ended = (ended || ends) && character.is_whitespace();
        before = character;
    }
    false
}

fn is_line_end(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\x0b' | '\x0c' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Returns the found URL at these positions, without white space.
fn unwrap(text: &str, wrapper: Range<usize>, content: Range<usize>, delimiter: Delimiter, acted: u8) -> FoundUrl<'_> {
    let held = &text[content.clone()];
    let (url, hyphens) = without_white_space(held);
    let removed = url.len() != held.len();
    let rule = |acts: bool, rule: Aspect| if acts { rule as u8 } else { 0 };
    let acted = acted
        | rule(removed, Aspect::WhiteSpace)
        | rule(!hyphens.is_empty(), Aspect::Hyphen)
        | rule(memchr(b'#', url.as_bytes()).is_some(), Aspect::Fragment);
    let ambiguity = if hyphens.is_empty() { Ambiguity::None } else { Ambiguity::Hyphens(hyphens) };
    FoundUrl { wrapper, content, url, delimiter, ambiguity, acted }
}

/// Returns `text` without white space, and the positions in the result of the hyphens directly before a line end.
fn without_white_space(text: &str) -> (Cow<'_, str>, Vec<usize>) {
    let trimmed = text.trim();
    if !trimmed.contains(char::is_whitespace) {
        // The white space at the end may begin with a line end after a hyphen: `a-⏎>`.
        let broken = trimmed.ends_with('-') && text.trim_start()[trimmed.len()..].contains(is_line_end);
        return (Cow::Borrowed(trimmed), if broken { alloc::vec![trimmed.len() - 1] } else { Vec::new() });
    }
    let mut url = String::with_capacity(text.len());
    let mut hyphens = Vec::new();
    for character in text.chars() {
        if !character.is_whitespace() {
            url.push(character);
        } else if is_line_end(character) && url.ends_with('-') && hyphens.last() != Some(&(url.len() - 1)) {
            hyphens.push(url.len() - 1);
        }
    }
    (Cow::Owned(url), hyphens)
}
