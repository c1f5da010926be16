//! Tables of character classes, and of the characters whose status changed between consecutive specifications.

use serde::Serialize;
use urlstrata::characters::{ALL, Alphabet, Class, Octets, changes, encode_all};

/// The character classes of a specification.
#[derive(Clone, Debug, Serialize)]
pub struct AlphabetRow {
    /// The name of the specification in citations.
    pub cite: &'static str,
    /// The classes.
    pub classes: Vec<ClassRow>,
}

/// A character class.
#[derive(Clone, Debug, Serialize)]
pub struct ClassRow {
    /// The name of the class.
    pub name: &'static str,
    /// The section that defines it.
    pub section: &'static str,
    /// The characters, in words where that is shorter.
    pub characters: String,
}

/// A character, and its classes in each specification.
#[derive(Clone, Debug, Serialize)]
pub struct CharacterRow {
    /// The name of the character, as returned by [`name_of`].
    pub character: String,
    /// The names of the classes that contain the character, for each specification.
    pub classes: Vec<Vec<&'static str>>,
    /// The status of the character in each specification.
    pub standings: Vec<String>,
}

/// A character whose status changed from one specification to the next.
#[derive(Clone, Debug, Serialize)]
pub struct MoveRow {
    /// The older specification.
    pub older: &'static str,
    /// The newer specification.
    pub newer: &'static str,
    /// The name of the character, as returned by [`name_of`].
    pub character: String,
    /// The status and the classes of the character in the older specification.
    pub from: String,
    /// The status and the classes of the character in the newer specification.
    pub to: String,
    /// A URL for which the two specifications differ.
    pub witness: String,
    /// The same URL with the character percent-encoded.
    pub coded: String,
}

/// Returns the classes of each specification in `alphabets`.
pub fn alphabets<'a>(alphabets: impl IntoIterator<Item = &'a Alphabet>) -> Vec<AlphabetRow> {
    let class = |class: &Class| ClassRow { name: class.name, section: class.section, characters: shown(class.octets) };
    let row = |alphabet: &Alphabet| AlphabetRow {
        cite: alphabet.cite,
        classes: alphabet.classes.iter().map(class).collect(),
    };
    alphabets.into_iter().map(row).collect()
}

/// Returns a row for each character in `wanted`.
///
/// If `wanted` is empty, the table contains space and all printable ASCII characters other than letters and digits.
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

/// Returns the characters whose status changed between consecutive specifications. If `wanted` is not empty, only
/// characters in `wanted` are returned.
pub fn moves(wanted: &[u8]) -> Vec<MoveRow> {
    let described = |standing: String, classes: &[&str]| match classes {
        [] => standing,
        classes => format!("{standing} ({})", classes.join(", ")),
    };
    let pairs = ALL.windows(2).flat_map(|pair| changes(&pair[0], &pair[1]).into_iter().map(move |it| (pair, it)));
    let rows = pairs.filter(|(_, it)| wanted.is_empty() || wanted.contains(&it.octet)).map(|(pair, it)| MoveRow {
        older: pair[0].cite,
        newer: pair[1].cite,
        character: name_of(it.octet),
        from: described(it.from.to_string(), &it.from_classes),
        to: described(it.to.to_string(), &it.to_classes),
        coded: format!("{}{}", &it.witness[..it.witness.len() - 1], encode_all(&[it.octet])),
        witness: it.witness,
    });
    rows.collect()
}

/// Returns the name of a character: the character itself, `space`, or two hexadecimal digits such as `7F`.
pub fn name_of(octet: u8) -> String {
    match octet {
        b' ' => "space".to_owned(),
        b'!'..=b'~' => (octet as char).to_string(),
        _ => format!("{octet:02X}"),
    }
}

/// Returns the characters of a class. Letters and digits, control characters, and octets beyond US-ASCII are
/// summarized; other characters are listed one by one.
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
