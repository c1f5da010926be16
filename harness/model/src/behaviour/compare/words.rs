//! What cleanings and tables do, in words.

use crate::behaviour::Cleaning;
use crate::behaviour::table::{Actions, Bytes, Escape, Literal, Percent, Table, index};

/// Returns what `cleaning` removes from `text`.
pub(super) fn cleaning(cleaning: &Cleaning, text: &str) -> String {
    let of = |list: &[char]| -> Vec<char> { list.iter().copied().filter(|c| text.contains(*c)).collect() };
    let [mut start, mut end, everywhere, rejected] =
        [of(&cleaning.start), of(&cleaning.end), of(&cleaning.everywhere), of(&cleaning.rejected)];
    [&mut start, &mut end].into_iter().for_each(|list| list.retain(|c| !everywhere.contains(c)));
    let mut sentences = Vec::new();
    for (verb, list, place) in [
        ("Removes", &everywhere, "everywhere"),
        ("Removes", &start, "at the start"),
        ("Removes", &end, "at the end"),
        ("Rejects", &rejected, "at the ends"),
    ] {
        if !list.is_empty() {
            sentences.push(format!("{verb} {} {place}", named(list)));
        }
    }
    if sentences.is_empty() { "Removes none of them".to_owned() } else { sentences.join("; ") }
}

/// Returns the characters as a list of code points and characters. A grave accent ends a code span, so it is a code point.
fn named(characters: &[char]) -> String {
    let name = |c: &char| match c {
        c if c.is_ascii_graphic() && *c != '`' => format!("`{c}`"),
        c => format!("U+{:04X}", u32::from(*c)),
    };
    characters.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// Returns what `table` does with the characters of `text` that `other` treats differently.
pub(super) fn actions(table: &Table, other: &Table, text: &str) -> String {
    let mut groups: Vec<(String, Vec<char>)> = Vec::new();
    let mut add = |what: String, c: char| match groups.iter_mut().find(|(own, _)| *own == what) {
        Some((_, characters)) => {
            if !characters.contains(&c) {
                characters.push(c);
            }
        }
        None => groups.push((what, vec![c])),
    };
    let pair = |of: fn(&Table) -> &Actions| (of(table), of(other));
    let (own, theirs) = pair(|table| &table.actions);
    for c in text.chars().filter(|c| *c != '%') {
        if own.literal[index(c)] != theirs.literal[index(c)] {
            add(literal(own.literal[index(c)]), c);
        }
    }
    let mut sentences: Vec<String> =
        groups.into_iter().map(|(what, characters)| format!("{what} {}", named(&characters))).collect();
    if text.contains('%') {
        let escapes = (0..=128).filter(|&byte| own.escape[byte] != theirs.escape[byte]).collect::<Vec<_>>();
        if let Some(&byte) = escapes.first() {
            sentences.push(escape(own.escape[byte]).to_owned());
        }
        if table.percent != other.percent {
            sentences.push(percent(table.percent).to_owned());
        }
    }
    if table.bytes != other.bytes {
        sentences.push(bytes(table.bytes).to_owned());
    }
    if table.anew != other.anew && table.anew.is_some() {
        sentences.push("Decodes and encodes the whole component if one character is percent-encoded".to_owned());
    }
    if sentences.is_empty() { "Treats them otherwise".to_owned() } else { sentences.join("; ") }
}

fn literal(literal: Literal) -> String {
    match literal {
        Literal::Kept => "Keeps".to_owned(),
        Literal::Encoded => "Percent-encodes".to_owned(),
        Literal::EncodedLower => "Percent-encodes in lower case".to_owned(),
        Literal::EncodedSurrogates => "Percent-encodes the surrogates of".to_owned(),
        Literal::Dropped => "Drops".to_owned(),
        Literal::Lowered => "Writes in lower case".to_owned(),
        Literal::Rejected => "Rejects".to_owned(),
        Literal::Ends => "Drops, with what follows,".to_owned(),
        Literal::Replaced => "Writes U+FFFD for".to_owned(),
        Literal::LowBytes => "Writes the low bytes of".to_owned(),
        Literal::EncodedTwice => "Percent-encodes twice".to_owned(),
        Literal::EncodedSpace => "Writes `%20` for".to_owned(),
        Literal::EncodedAndReplaced => "Writes U+FFFD, percent-encoded, after encoding".to_owned(),
        Literal::EncodedAndReplacedTwice => "Writes U+FFFD, percent-encoded twice, after encoding twice".to_owned(),
        Literal::Written(c) => format!("Writes `{c}` for"),
    }
}

fn escape(escape: Escape) -> &'static str {
    match escape {
        Escape::Kept => "Keeps percent-encoded characters",
        Escape::Upper => "Writes percent-encoded characters with upper-case digits",
        Escape::Lower => "Writes percent-encoded characters with lower-case digits",
        Escape::Decoded => "Decodes percent-encoded characters",
        Escape::DecodedLower => "Decodes percent-encoded characters and writes them in lower case",
        Escape::Plus => "Writes plus signs for percent-encoded characters",
        Escape::Encoded => "Percent-encodes the percent sign of percent-encoded characters",
        Escape::Dropped => "Drops percent-encoded characters",
        Escape::Rejected => "Rejects percent-encoded characters",
    }
}

fn bytes(bytes: Bytes) -> &'static str {
    match bytes {
        Bytes::LikeOthers => "Treats percent-encoded bytes that are not UTF-8 like others",
        Bytes::Kept => "Keeps percent-encoded bytes that are not UTF-8",
        Bytes::Upper => "Writes percent-encoded bytes that are not UTF-8 with upper-case digits",
        Bytes::Lower => "Writes percent-encoded bytes that are not UTF-8 with lower-case digits",
        Bytes::Replaced => "Percent-encodes U+FFFD for percent-encoded bytes that are not UTF-8",
        Bytes::Latin1 => "Reads percent-encoded bytes that are not UTF-8 as ISO 8859-1",
        Bytes::DecodedLatin1 => "Decodes percent-encoded bytes as ISO 8859-1",
        Bytes::Encoded => "Percent-encodes the percent sign of percent-encoded bytes that are not UTF-8",
        Bytes::NotText => "Decodes percent-encoded bytes that are not UTF-8",
        Bytes::Rejected => "Rejects percent-encoded bytes that are not UTF-8",
    }
}

fn percent(percent: Percent) -> &'static str {
    match percent {
        Percent::Kept => "Keeps a percent sign without two digits",
        Percent::Encoded => "Percent-encodes a percent sign without two digits",
        Percent::AllEncoded => "Percent-encodes every percent sign if one is without two digits",
        Percent::AllEncodedBeforeTwo => "Percent-encodes every percent sign if one is before two that are not digits",
        Percent::Dropped => "Drops a percent sign without two digits",
        Percent::Rejected => "Rejects a percent sign without two digits",
        Percent::RejectedBeforeOther => "Rejects a percent sign without a digit",
        Percent::RejectedBeforeTwoOthers => "Rejects a percent sign before two characters that are not digits",
    }
}
