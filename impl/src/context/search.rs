//! What delimits a URL, looked for from a place on.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use memchr::{memchr, memchr2, memmem};

use super::{Ambiguity, Aspect, Brackets, Delimiter, FoundUrl};
use crate::scheme_name;

const PREFIX: &str = "URL:";

/// The first bracket from `at` on that holds a URL. One that a `<`, an empty line or the end of the text comes before its
/// `>` is not closed, and text.
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
        // The later documents let white space stand anywhere between the brackets, so also before the prefix.
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

/// The first pair of quotes from `at` on that holds a URL. The second of a pair that does not may be the first of another.
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

/// The first word from `at` on that is a URL: scheme, colon and two slashes, behind white space or opening punctuation,
/// up to white space or what no URL may hold.
pub(super) fn next_bare(text: &str, at: usize) -> Option<FoundUrl<'_>> {
    let bytes = text.as_bytes();
    let mut from = at;
    loop {
        let colon = from + memmem::find(bytes.get(from..)?, b"://")?;
        let name = bytes[from..colon].iter().rev().take_while(|byte| scheme_name::is_name_byte(**byte)).count();
        let start = colon - name;
        let opens = |before: char| before.is_whitespace() || "([{<>\"'“‘«".contains(before);
        let begins = bytes[start].is_ascii_alphabetic() && text[..start].chars().next_back().is_none_or(opens);
        let after = colon + "://".len();
        from = after;
        if !begins {
            continue;
        }
        let ends = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"');
        let end = text[after..].find(ends).map_or(text.len(), |length| after + length);
        let punctuation = trailing_punctuation(&text[after..end]);
        from = end;
        if after + punctuation == end {
            continue;
        }
        let content = start..end - punctuation;
        let mut found = unwrap(text, content.clone(), content, Delimiter::WhiteSpace, Aspect::Bare as u8);
        if punctuation > 0 {
            found.ambiguity = Ambiguity::TrailingPunctuation(punctuation);
        }
        return Some(found);
    }
}

/// How many bytes of punctuation end `text`; a closing bracket is none if it has its partner in `text`.
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

/// What follows the scheme name that `text` begins with, and its colon.
fn after_scheme(text: &str) -> Option<&str> {
    scheme_name::length_letter_first(text).map(|length| &text[length + 1..])
}

/// Whether `text` begins with a scheme that something follows.
fn has_scheme(text: &str) -> bool {
    after_scheme(text).is_some_and(|rest| rest.chars().next().is_some_and(|next| !next.is_whitespace()))
}

/// Whether `text` begins with a scheme and two slashes that something follows.
fn has_host(text: &str) -> bool {
    after_scheme(text).and_then(|rest| rest.strip_prefix("//")).is_some_and(|rest| !rest.trim_start().is_empty())
}

/// Whether a line of `text` that has one before and behind it holds nothing but white space.
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

/// The find of these places, its URL without white space.
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

/// `text` without white space, and where in that the hyphens stand that a line end came right behind.
fn without_white_space(text: &str) -> (Cow<'_, str>, Vec<usize>) {
    let trimmed = text.trim();
    if !trimmed.contains(char::is_whitespace) {
        // White space at the end may begin with a line end behind a hyphen: `a-⏎>`.
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
