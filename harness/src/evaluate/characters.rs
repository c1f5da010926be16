//! Character classes as tables, and the characters that moved from specification to specification.

use serde::Serialize;
use urlstrata::characters::{ALL, Alphabet, Class, Octets, changes, encode_all};

/// A document's classes, for a page or a terminal.
#[derive(Clone, Debug, Serialize)]
pub struct AlphabetRow {
    /// The document.
    pub cite: &'static str,
    /// Its classes.
    pub classes: Vec<ClassRow>,
}

/// A class.
#[derive(Clone, Debug, Serialize)]
pub struct ClassRow {
    /// Its name.
    pub name: &'static str,
    /// Where it is defined.
    pub section: &'static str,
    /// What is in it, in words where that is shorter.
    pub characters: String,
}

/// A character, and where each document puts it.
#[derive(Clone, Debug, Serialize)]
pub struct CharacterRow {
    /// As [`name_of`] writes it.
    pub character: String,
    /// For each document, in their order: the classes that list it.
    pub classes: Vec<Vec<&'static str>>,
    /// For each document: what it may do.
    pub standings: Vec<String>,
}

/// A character that moved.
#[derive(Clone, Debug, Serialize)]
pub struct MoveRow {
    /// The older document.
    pub older: &'static str,
    /// The newer.
    pub newer: &'static str,
    /// As [`name_of`] writes it.
    pub character: String,
    /// What the older lets it do, and in which classes.
    pub from: String,
    /// What the newer lets it do, and in which classes.
    pub to: String,
    /// A URL of which the two say different things.
    pub witness: String,
    /// The same with the character encoded.
    pub coded: String,
}

/// The classes of each document in `alphabets`.
pub fn alphabets<'a>(alphabets: impl IntoIterator<Item = &'a Alphabet>) -> Vec<AlphabetRow> {
    let class = |class: &Class| ClassRow { name: class.name, section: class.section, characters: shown(class.octets) };
    let row = |alphabet: &Alphabet| AlphabetRow {
        cite: alphabet.cite,
        classes: alphabet.classes.iter().map(class).collect(),
    };
    alphabets.into_iter().map(row).collect()
}

/// The characters that are no letter, digit or control, in order; or those of `wanted`.
pub fn table(wanted: &[u8], alphabets: &[&Alphabet]) -> Vec<CharacterRow> {
    let all = || (b' '..0x7f).filter(|octet| !octet.is_ascii_alphanumeric()).collect::<Vec<_>>();
    let octets = if wanted.is_empty() { all() } else { wanted.to_vec() };
    let row = |octet: u8| CharacterRow {
        character: name_of(octet),
        classes: alphabets.iter().map(|alphabet| alphabet.classes_of(octet)).collect(),
        standings: alphabets.iter().map(|alphabet| alphabet.status(octet).to_string()).collect(),
    };
    octets.into_iter().map(row).collect()
}

/// What moved from each document to the next; of `wanted` only, if there are any.
pub fn moves(wanted: &[u8]) -> Vec<MoveRow> {
    let told = |standing: String, classes: &[&str]| match classes {
        [] => standing,
        classes => format!("{standing} ({})", classes.join(", ")),
    };
    let pairs = ALL.windows(2).flat_map(|pair| changes(&pair[0], &pair[1]).into_iter().map(move |it| (pair, it)));
    let rows = pairs.filter(|(_, it)| wanted.is_empty() || wanted.contains(&it.octet)).map(|(pair, it)| MoveRow {
        older: pair[0].cite,
        newer: pair[1].cite,
        character: name_of(it.octet),
        from: told(it.from.to_string(), &it.from_classes),
        to: told(it.to.to_string(), &it.to_classes),
        coded: format!("{}{}", &it.witness[..it.witness.len() - 1], encode_all(&[it.octet])),
        witness: it.witness,
    });
    rows.collect()
}

/// A character as a reader sees it: `space`, `00`, or itself.
pub fn name_of(octet: u8) -> String {
    match octet {
        b' ' => "space".to_owned(),
        b'!'..=b'~' => (octet as char).to_string(),
        _ => format!("{octet:02X}"),
    }
}

/// What is in a class: letters and digits, controls and octets beyond US-ASCII as such, the rest one by one.
pub(crate) fn shown(octets: Octets) -> String {
    let has_all = |is_in: fn(&u8) -> bool| (0..=u8::MAX).filter(is_in).all(|octet| octets.contains(octet));
    let runs = [
        ("letters and digits", has_all(u8::is_ascii_alphanumeric)),
        ("space", octets.contains(b' ')),
        ("00-1F 7F", has_all(u8::is_ascii_control)),
        ("80-FF", has_all(|octet| !octet.is_ascii())),
    ];
    let mut words: Vec<String> = runs.into_iter().filter(|(_, all)| *all).map(|(name, _)| name.to_owned()).collect();
    words.extend(octets.iter().filter(u8::is_ascii_punctuation).map(name_of));
    words.join(" ")
}
