//! How Ada converts a domain to ASCII.
//!
//! Read from `src/ada_idna.cpp` of Ada 2.8.0 to 4.0.0. Its directions, marks and joining types are those of Unicode 13. Here only marks and letters
//! from right to left are; other properties are those of the `icu` crates.

use icu_normalizer::ComposingNormalizerBorrowed;
use icu_normalizer::properties::CanonicalCompositionBorrowed;
use icu_properties::CodePointMapData;
use icu_properties::props::{BidiClass, CanonicalCombiningClass, JoiningType};
use idna::punycode;

use crate::libcurl::idn2::{is_mark, is_unmapped, map};

/// The mapping tables and the rules of a version. Each has those of the one before it, too.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(super) enum Rules {
    /// The tables of Unicode 15.0, which map the capital sharp s to ss.
    Unicode15,
    /// The tables of Unicode 15.1.
    Unicode151,
    /// The tables of Unicode 16 and later.
    Unicode16,
    /// A label with `xn--` has a character outside ASCII.
    NotAscii,
    /// The whole rule of directions.
    Directions,
    /// A text is normalized only if a quick check finds that it is not.
    QuickCheck,
}

/// The code points that Unicode 18 (September 2026) assigned, as ranges. The tables do not contain them: seen by asking Node.js 26.10 about every
/// code point.
#[rustfmt::skip]
const LATER: &[(u32, u32)] = &[
    (0x558, 0x558), (0x58B, 0x58C), (0x5C8, 0x5C9), (0xB53, 0xB54), (0x1ADE, 0x1ADF), (0x1AEC, 0x1AF0), (0x208F, 0x208F), (0x209D,
    0x209F), (0x20C2, 0x20C4), (0x2E60, 0x2E63), (0xA7DD, 0xA7DD), (0xA7E2, 0xA7E2), (0xAB6C, 0xAB6D), (0x107BB, 0x107BF), (0x10ECB,
    0x10ECF), (0x10EF0, 0x10EF9), (0x11B0A, 0x11B0A), (0x11DF0, 0x11DF1), (0x1246F, 0x1246F), (0x12475, 0x1247F), (0x12550, 0x12686),
    (0x18CD6, 0x18CDA), (0x18D1F, 0x18D20), (0x18E00, 0x19191), (0x191A0, 0x191D2), (0x1B123, 0x1B128), (0x1B168, 0x1B168), (0x1CED2,
    0x1CED4), (0x1CEDD, 0x1CEDF), (0x1CEF1, 0x1CEFD), (0x1D127, 0x1D128), (0x1D1EB, 0x1D1FF), (0x1D250, 0x1D281), (0x1D6A6, 0x1D6A6),
    (0x1DB00, 0x1DB1C), (0x1DF1F, 0x1DF24), (0x1DF2B, 0x1DF81), (0x1DF90, 0x1DF96), (0x1DFCD, 0x1DFFF), (0x1F1AE, 0x1F1AE), (0x1F6D9,
    0x1F6D9), (0x1F7DA, 0x1F7DB), (0x1F7F1, 0x1F7FF), (0x1FA8B, 0x1FA8D), (0x1FACC, 0x1FACC), (0x1FADD, 0x1FADD), (0x1FAEB, 0x1FAEB),
    (0x1FAF9, 0x1FAFA), (0x2B81E, 0x2B81E), (0x3D000, 0x3FC3F),
];

/// The marks that Unicode 14 to 17 assigned (2021 to 2025), as ranges. Those that may not begin a label are the marks of Unicode 13.
#[rustfmt::skip]
const LATER_MARKS: &[(u32, u32)] = &[
    (0x897, 0x89F), (0x8CA, 0x8D2), (0xC3C, 0xC3C), (0xCF3, 0xCF3), (0xECE, 0xECE), (0x1715, 0x1715), (0x1AC1, 0x1ADD), (0x1AE0,
    0x1AEB), (0x1DFA, 0x1DFA), (0x10D69, 0x10D6D), (0x10EFA, 0x10EFF), (0x10F82, 0x10F85), (0x11070, 0x11070), (0x11073, 0x11074),
    (0x110C2, 0x110C2), (0x11241, 0x11241), (0x113B8, 0x113C0), (0x113C2, 0x113C2), (0x113C5, 0x113C5), (0x113C7, 0x113CA), (0x113CC,
    0x113D0), (0x113D2, 0x113D2), (0x113E1, 0x113E2), (0x11B60, 0x11B67), (0x11F00, 0x11F01), (0x11F03, 0x11F03), (0x11F34, 0x11F3A),
    (0x11F3E, 0x11F42), (0x11F5A, 0x11F5A), (0x13440, 0x13440), (0x13447, 0x13455), (0x1611E, 0x1612F), (0x1CF00, 0x1CF2D), (0x1CF30,
    0x1CF46), (0x1E08F, 0x1E08F), (0x1E2AE, 0x1E2AE), (0x1E4EC, 0x1E4EF), (0x1E5EE, 0x1E5EF), (0x1E6E3, 0x1E6E3), (0x1E6E6, 0x1E6E6),
    (0x1E6EE, 0x1E6EF), (0x1E6F5, 0x1E6F5),
];

fn contains(ranges: &[(u32, u32)], it: char) -> bool {
    ranges.iter().any(|(first, last)| (*first..=*last).contains(&u32::from(it)))
}

/// `ada::idna::to_ascii`.
pub(super) fn to_ascii(domain: &str, rules: Rules) -> Option<String> {
    let map = |it: char| match it {
        _ if it.is_ascii() => it.to_ascii_lowercase().into(),
        'ẞ' if rules == Rules::Unicode15 => "ss".to_owned(),
        _ if contains(LATER, it) || rules < Rules::Unicode16 && is_unmapped(it) => char::REPLACEMENT_CHARACTER.into(),
        _ => map(&it.to_string()),
    };
    let mapped: String = domain.chars().map(map).collect();
    if mapped.contains(char::REPLACEMENT_CHARACTER) {
        return None;
    }
    // A label with xn-- is only decoded to check it.
    let is_encoded = |code: &str| {
        let label = Some(code).filter(|code| code.is_ascii()).and_then(punycode::decode_to_string);
        label.is_some_and(|label| {
            let is_twice = rules >= Rules::Directions && label.starts_with("xn--");
            let is_same = label.chars().all(|it| map(it).chars().eq([it])) && normalized(&label, rules) == label;
            let is_needed = rules < Rules::NotAscii || !label.is_ascii();
            !label.is_empty() && is_needed && !is_twice && is_same && is_valid(&label, rules)
        })
    };
    let encoded = |label: &str| match label.strip_prefix("xn--") {
        Some(code) => Some(label.to_owned()).filter(|_| is_encoded(code)),
        None if label.is_ascii() => Some(label.to_owned()),
        None if is_valid(label, rules) => punycode::encode_str(label).map(|code| format!("xn--{code}")),
        None => None,
    };
    let labels: Option<Vec<String>> = normalized(&mapped, rules).split('.').map(encoded).collect();
    Some(labels?.join("."))
}

/// `normalize`, since 4.0.0 with `is_already_nfc`.
fn normalized(text: &str, rules: Rules) -> String {
    match rules >= Rules::QuickCheck && seems_normal(&text.chars().collect::<Vec<char>>()) {
        true => text.to_owned(),
        false => ComposingNormalizerBorrowed::new_nfc().normalize(text).into_owned(),
    }
}

/// Returns whether marks are in order and none composes with the character before them. A composed character that another mark would decompose
/// is not found, nor a final letter of Hangul.
fn seems_normal(text: &[char]) -> bool {
    let classes: Vec<CanonicalCombiningClass> = text.iter().map(|it| combining_class(*it)).collect();
    let starter = CanonicalCombiningClass::NotReordered;
    let is_ordered = classes.windows(2).all(|two| two[1] == starter || two[0] <= two[1]);
    let composes = |at: usize| {
        let is_syllable = matches!(text[at], '가'..='힣');
        let marks = classes[at + 1..].iter().take_while(|class| **class != starter).count();
        (at + 1..text.len()).take(marks + 1).any(|next| {
            let is_free = next == at + 1 || classes[next - 1] < classes[next];
            !is_syllable && is_free && CanonicalCompositionBorrowed::new().compose(text[at], text[next]).is_some()
        })
    };
    is_ordered && !(0..text.len()).any(composes)
}

fn combining_class(it: char) -> CanonicalCombiningClass {
    CodePointMapData::<CanonicalCombiningClass>::new().get(it)
}

/// `is_label_valid`. A label in which a joiner is found is not checked further.
fn is_valid(label: &str, rules: Rules) -> bool {
    if label.starts_with(|it| is_mark(it) && !contains(LATER_MARKS, it)) {
        return false;
    }
    let label: Vec<char> = label.chars().collect();
    match label.iter().position(|it| matches!(it, '\u{200c}' | '\u{200d}')) {
        Some(at) => has_context(&label, at),
        None => has_direction(&label, rules),
    }
}

/// A joiner follows a virama, or the non-joiner is between characters that join, next to it or not.
fn has_context(label: &[char], at: usize) -> bool {
    let joins = |it: &char| CodePointMapData::<JoiningType>::new().get(*it);
    let (before, after) = (&label[..at], &label[at + 1..]);
    before.last().is_some_and(|it| combining_class(*it) == CanonicalCombiningClass::Virama)
        || label[at] == '\u{200c}'
            && before.iter().map(joins).any(|it| matches!(it, JoiningType::LeftJoining | JoiningType::DualJoining))
            && after.iter().map(joins).any(|it| matches!(it, JoiningType::RightJoining | JoiningType::DualJoining))
}

/// Returns whether labels of both directions may contain a character of a class.
pub(crate) fn is_neutral(class: BidiClass) -> bool {
    matches!(
        class,
        BidiClass::EuropeanNumber
            | BidiClass::EuropeanSeparator
            | BidiClass::CommonSeparator
            | BidiClass::EuropeanTerminator
            | BidiClass::OtherNeutral
            | BidiClass::BoundaryNeutral
            | BidiClass::NonspacingMark
    )
}

/// The rule of RFC 5893 for a label with characters from right to left; other labels of the domain do not follow it.
fn has_direction(label: &[char], rules: Rules) -> bool {
    let classes: Vec<Option<BidiClass>> = label.iter().map(|it| class(*it)).collect();
    let Some(last) = classes.iter().rposition(|it| *it != Some(BidiClass::NonspacingMark)) else { return false };
    let is_letter = |it: Option<BidiClass>| matches!(it, Some(BidiClass::RightToLeft | BidiClass::ArabicLetter));
    let is_from_right = |it: Option<BidiClass>| is_letter(it) || it == Some(BidiClass::ArabicNumber);
    if !classes.iter().any(|it| is_from_right(*it)) {
        return true;
    }
    let is_neutral = |it: Option<BidiClass>| it.is_some_and(is_neutral);
    let is_number = |it: Option<BidiClass>| it == Some(BidiClass::EuropeanNumber);
    if classes[0] == Some(BidiClass::LeftToRight) {
        let is_allowed = |it: &Option<BidiClass>| *it == Some(BidiClass::LeftToRight) || is_neutral(*it);
        // The last character was not looked at.
        return rules < Rules::Directions && classes[..last].iter().all(is_allowed);
    }
    let has_both = classes.iter().any(|it| is_number(*it)) && classes.contains(&Some(BidiClass::ArabicNumber));
    (rules < Rules::Directions || is_letter(classes[0]))
        && classes[..=last].iter().all(|it| is_from_right(*it) || is_neutral(*it))
        && (is_from_right(classes[last]) || is_number(classes[last]))
        && !has_both
}

/// Returns the direction of a character; `None` for a letter from right to left that is newer than Unicode 13.
fn class(it: char) -> Option<BidiClass> {
    let is_newer = matches!(
        it,
        '\u{61d}'
            | '\u{870}'..='\u{88f}'
            | '\u{8b5}'
            | '\u{8c8}'..='\u{8c9}'
            | '\u{fbc2}'
            | '\u{10940}'..='\u{10959}'
            | '\u{10d40}'..='\u{10d65}'
            | '\u{10d6f}'..='\u{10d8f}'
            | '\u{10ec2}'..='\u{10ec7}'
            | '\u{10f70}'..='\u{10f81}'
            | '\u{10f86}'..='\u{10f89}'
    );
    (!is_newer).then(|| CodePointMapData::<BidiClass>::new().get(it))
}
