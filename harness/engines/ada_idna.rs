//! How Ada converts a domain to ASCII.
//!
//! Read from `src/ada_idna.cpp` of Ada 2.8.0 to 4.0.0. Its directions, marks and joining types are those of Unicode 13. Here only letters from right
//! to left are; other properties are those of the `icu` crates.

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

/// `ada::idna::to_ascii`.
pub(super) fn to_ascii(domain: &str, rules: Rules) -> Option<String> {
    let map = |it: char| match it {
        _ if it.is_ascii() => it.to_ascii_lowercase().into(),
        'ẞ' if rules == Rules::Unicode15 => "ss".to_owned(),
        _ if rules < Rules::Unicode16 && is_unmapped(it) => char::REPLACEMENT_CHARACTER.into(),
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
    if label.starts_with(is_mark) {
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
