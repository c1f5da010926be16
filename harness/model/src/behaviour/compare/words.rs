//! What cleanings and tables do, in words.

use super::Sentence;
use crate::behaviour::Cleaning;
use crate::behaviour::table::{Actions, BEYOND, Bytes, Component, Escape, Literal, Percent, Table, index};

/// The characters that are written as escapes.
const ALL: &percent_encoding::AsciiSet = percent_encoding::NON_ALPHANUMERIC;

/// What of a pair two tables treat differently.
#[derive(Clone, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(super) struct Acting {
    pub(super) characters: Vec<char>,
    /// The percent-encoded bytes, as positions in [`Actions::escape`].
    pub(super) escapes: Vec<usize>,
    /// Whether there is a percent sign.
    pub(super) has_percent: bool,
}

impl Acting {
    /// Returns all characters of `text` except percent signs, and its percent-encoded bytes, each once.
    pub(super) fn of(text: &str) -> Self {
        let mut characters: Vec<char> = Vec::new();
        for c in text.chars().filter(|c| *c != '%') {
            if !characters.contains(&c) {
                characters.push(c);
            }
        }
        let digits = text.split('%').skip(1).filter_map(|after| u8::from_str_radix(after.get(..2)?, 16).ok());
        let mut escapes: Vec<usize> = digits.map(|byte| usize::from(byte).min(128)).collect();
        escapes.sort_unstable();
        escapes.dedup();
        Self { characters, escapes, has_percent: text.contains('%') }
    }
}

/// Returns the part of a URL to which the table of `component` was applied, or more.
pub(super) fn part_of(component: Component, url: &str) -> &str {
    let (rest, fragment) = url.split_once('#').unwrap_or((url, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let rest = rest.split_once(':').map_or(rest, |(_, rest)| rest);
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => ("", rest),
    };
    let (userinfo, server) = authority.rsplit_once('@').unwrap_or(("", authority));
    match component {
        Component::Fragment | Component::AbsoluteFragment | Component::FragmentAlone => fragment,
        Component::Query | Component::AbsoluteQuery | Component::OpaqueQuery => query,
        Component::User | Component::Password => userinfo,
        Component::Host | Component::Literal => server,
        _ => path,
    }
}

/// Returns whether `text` shows what a table does with a character. Only what remains of it can be missing.
pub(super) fn shows(text: &str, literal: Literal, c: char) -> bool {
    match literal {
        Literal::Kept => text.contains(c),
        Literal::Encoded => {
            text.contains(&percent_encoding::utf8_percent_encode(c.encode_utf8(&mut [0; 4]), ALL).to_string())
        }
        _ => true,
    }
}

/// Returns what `cleaning` removes from `text` and `other` does not, or the other way round.
pub(super) fn cleaning(cleaning: &Cleaning, other: &Cleaning, text: &str) -> String {
    let differing: Vec<char> = cleaning.differing(other).collect();
    let of = |list: &[char]| -> Vec<char> {
        list.iter().copied().filter(|c| differing.contains(c) && text.contains(*c)).collect()
    };
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

/// Returns what `table` does with the characters and bytes of `acting` that `other` treats differently. Without any, which is so if
/// a host was converted before the table was applied, it lists some of those that the two tables treat differently.
pub(super) fn actions(table: &Table, other: &Table, acting: &Acting) -> Sentence {
    const LISTED: usize = 4;
    let pair = |of: fn(&Table) -> &Actions| (of(table), of(other));
    let (own, theirs) = pair(|table| &table.actions);
    let (mut actions, mut sentences) = grouped(own, &acting.characters);
    let mut kinds: Vec<Escape> = Vec::new();
    for &byte in &acting.escapes {
        if !kinds.contains(&own.escape[byte]) {
            kinds.push(own.escape[byte]);
            sentences.push(escape(own.escape[byte]).to_owned());
        }
    }
    if acting.has_percent && table.percent != other.percent {
        sentences.push(percent(table.percent).to_owned());
    }
    if acting.has_percent && table.bytes != other.bytes {
        sentences.push(bytes(table.bytes).to_owned());
    }
    if table.anew != other.anew && (acting.has_percent || sentences.is_empty()) {
        sentences.push(match table.anew {
            Some(_) => "Decodes and encodes the whole component if one character is percent-encoded".to_owned(),
            None => "Encodes each character alone".to_owned(),
        });
    }
    actions.extend_from_slice(&sentences[actions.len()..]);
    if sentences.is_empty() {
        let differing = (0..=u8::MAX >> 1).map(char::from).chain(BEYOND);
        let mut differing: Vec<char> =
            differing.filter(|c| own.literal[index(*c)] != theirs.literal[index(*c)]).collect();
        let more = differing.len().saturating_sub(LISTED);
        differing.truncate(LISTED);
        (actions, sentences) = grouped(own, &differing);
        if more > 0 {
            sentences.push(format!("and differs in {more} more characters"));
        }
    }
    Sentence { action: actions.join("; "), ..sentences.join("; ").into() }
}

/// Returns each action, and a sentence with its characters.
fn grouped(actions: &Actions, characters: &[char]) -> (Vec<String>, Vec<String>) {
    let mut groups: Vec<(String, Vec<char>)> = Vec::new();
    for &c in characters {
        let what = literal(actions.literal[index(c)]);
        match groups.iter_mut().find(|(own, _)| *own == what) {
            Some((_, characters)) => characters.push(c),
            None => groups.push((what, vec![c])),
        }
    }
    let with_characters =
        |(what, characters): (String, Vec<char>)| (what.clone(), format!("{what} {}", named(&characters)));
    groups.into_iter().map(with_characters).unzip()
}

fn literal(literal: Literal) -> String {
    match literal {
        Literal::Kept => "Keeps".to_owned(),
        Literal::Encoded => "Percent-encodes".to_owned(),
        Literal::EncodedLower => "Percent-encodes in lower case".to_owned(),
        Literal::Dropped => "Drops".to_owned(),
        Literal::Lowered => "Writes in lower case".to_owned(),
        Literal::Rejected => "Rejects".to_owned(),
        Literal::Ends => "Drops, with what follows,".to_owned(),
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
        Escape::Rejected => "Rejects percent-encoded characters",
    }
}

fn bytes(bytes: Bytes) -> &'static str {
    match bytes {
        Bytes::LikeOthers => "Treats percent-encoded bytes that are not UTF-8 like others",
        Bytes::Kept => "Keeps percent-encoded bytes that are not UTF-8",
        Bytes::Upper => "Writes percent-encoded bytes that are not UTF-8 with upper-case digits",
        Bytes::Replaced => "Percent-encodes U+FFFD for percent-encoded bytes that are not UTF-8",
        Bytes::DecodedLatin1 => "Decodes percent-encoded bytes as ISO 8859-1",
        Bytes::Encoded => "Percent-encodes the percent sign of percent-encoded bytes that are not UTF-8",
        Bytes::Rejected => "Rejects percent-encoded bytes that are not UTF-8",
    }
}

fn percent(percent: Percent) -> &'static str {
    match percent {
        Percent::Kept => "Keeps a percent sign without two digits",
        Percent::Encoded => "Percent-encodes a percent sign without two digits",
        Percent::AllEncoded => "Percent-encodes every percent sign if one is without two digits",
        Percent::Rejected => "Rejects a percent sign without two digits",
    }
}
