//! libidn2: how libcurl converts a host outside ASCII.
//!
//! Read from `lib/lookup.c`, `lib/idna.c`, `lib/context.c`, `lib/bidi.c` and `lib/punycode.c` of libidn2 2.3.8. Its tables are those of Unicode
//! 15.1; here they are those of the `icu` crates, which also know newer characters.

use icu_normalizer::ComposingNormalizerBorrowed;
use icu_normalizer::uts46::Uts46MapperBorrowed;
use icu_properties::CodePointMapData;
use icu_properties::props::{BidiClass, CanonicalCombiningClass, GeneralCategory, JoiningType};
use idna::punycode;

/// How UTS 46 handles the sharp s, the final sigma and the joiners.
#[derive(Clone, Copy, PartialEq)]
enum Processing {
    Transitional,
    Nontransitional,
}

use Processing::*;

/// `idn_decode` of libcurl: nontransitional processing with the rules of IDNA 2008; if that fails, transitional processing without these rules.
pub(crate) fn idn_decode(host: &str) -> Option<String> {
    lookup(host, Nontransitional).or_else(|| lookup(host, Transitional))
}

/// Nontransitional processing alone.
pub(crate) fn idn_nontransitional(host: &str) -> Option<String> {
    lookup(host, Nontransitional)
}

/// `idn2_lookup_u8`.
fn lookup(host: &str, processing: Processing) -> Option<String> {
    let mapped = tr46(host, processing)?;
    let labels: Option<Vec<String>> = mapped.split('.').map(|label| to_ascii(label, processing)).collect();
    let host = labels?.join(".");
    (host.strip_suffix('.').unwrap_or(&host).len() <= 253).then_some(host)
}

/// `_tr46`: maps a host and checks its labels. A host of 255 characters or more is rejected.
fn tr46(host: &str, processing: Processing) -> Option<String> {
    let deviations = |it: char| match (processing, it) {
        (Nontransitional, _) => it.to_string(),
        (Transitional, 'ß') => "ss".to_owned(),
        (Transitional, 'ς') => "σ".to_owned(),
        (Transitional, _) => if is_joiner(it) { String::new() } else { it.to_string() },
    };
    let text: String = host.chars().map(deviations).collect();
    let length: usize = text.chars().map(|it| map(&it.to_string()).chars().count()).sum();
    let mapped = map(&text);
    let is_known = !mapped.contains(char::REPLACEMENT_CHARACTER) && !host.contains(is_unmapped);
    let is_valid = |label: &str| match label.strip_prefix("xn--") {
        Some(code) => decode(code).is_some_and(|label| is_label(&label) && is_normal(&label)),
        None => is_label(label) && !(processing == Transitional && label.contains(is_deviation)),
    };
    (is_known && length < 255 && mapped.split('.').all(is_valid)).then_some(mapped)
}

/// Returns whether a decoded label is in NFC and has no character that UTS 46 maps, except those that rules of STD 3 alone disallow.
fn is_normal(label: &str) -> bool {
    let is_valid = |it: char| !is_unmapped(it) && (map(&it.to_string()).chars().eq([it]) || is_of_std_3(it));
    ComposingNormalizerBorrowed::new_nfc().is_normalized(label) && label.chars().all(is_valid)
}

/// Returns whether a character is, or is mapped to, one that rules of STD 3 disallow.
fn is_of_std_3(it: char) -> bool {
    let is_name = |it: char| !it.is_ascii() || it.is_ascii_alphanumeric() || matches!(it, '-' | '.');
    matches!(it, '≠' | '≮' | '≯') || !map(&it.to_string()).chars().all(is_name)
}

/// Returns whether UTS 46 disallows a character before Unicode 16, but not since.
pub(crate) fn is_unmapped(it: char) -> bool {
    matches!(
        it,
        '\u{4c0}'
            | '\u{10a0}'..='\u{10c5}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{1806}'
            | '\u{180e}'
            | '\u{2061}'..='\u{2063}'
            | '\u{206a}'..='\u{206f}'
            | '\u{2132}'
            | '\u{2183}'
            | '\u{3164}'
            | '\u{ffa0}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{2f868}'
            | '\u{2f874}'
            | '\u{2f91f}'
            | '\u{2f95f}'
            | '\u{2f9bf}'
    )
}

/// Maps a text by UTS 46, and writes U+FFFD for each character that it disallows.
pub(crate) fn map(text: &str) -> String {
    Uts46MapperBorrowed::new().map_normalize(text.chars()).collect()
}

/// `label`: encodes a label. Nontransitional processing applies the rules of IDNA 2008 to labels outside ASCII.
fn to_ascii(label: &str, processing: Processing) -> Option<String> {
    let is_allowed = |label: &str| processing == Transitional || is_idna_2008(label);
    let encoded = match label.strip_prefix("xn--") {
        Some(code) => decode(code).filter(|label| is_allowed(label)).map(|_| label.to_owned())?,
        None if label.is_ascii() => label.to_owned(),
        // The label is decoded again, which fails if it has another character of ASCII.
        None => {
            let is_basic = |it: char| !it.is_ascii() || is_basic(it);
            let code = punycode::encode_str(label).filter(|_| label.chars().all(is_basic) && is_allowed(label))?;
            format!("xn--{code}")
        }
    };
    (encoded.len() < 64).then_some(encoded)
}

fn is_basic(it: char) -> bool {
    it.is_ascii_alphanumeric() || matches!(it, '-' | '_')
}

/// Decodes Punycode that is not empty, does not begin or end with a hyphen, and that encoding gives again.
fn decode(code: &str) -> Option<String> {
    let is_code = !code.is_empty() && code.chars().all(is_basic) && !code.starts_with('-') && !code.ends_with('-');
    let label = Some(code).filter(|_| is_code).and_then(punycode::decode_to_string)?;
    punycode::encode_str(&label).is_some_and(|again| again.eq_ignore_ascii_case(code)).then_some(label)
}

/// The checks of UTS 46: hyphens, and a mark at the beginning.
fn is_label(label: &str) -> bool {
    let has_hyphens = label.starts_with('-') || label.ends_with('-') || label.chars().skip(2).take(2).eq("--".chars());
    !has_hyphens && !label.starts_with(is_mark)
}

/// Returns whether a character is a mark, with which a label does not begin.
pub(crate) fn is_mark(it: char) -> bool {
    matches!(
        CodePointMapData::<GeneralCategory>::new().get(it),
        GeneralCategory::NonspacingMark | GeneralCategory::SpacingMark | GeneralCategory::EnclosingMark
    )
}

fn is_joiner(it: char) -> bool {
    matches!(it, '\u{200c}' | '\u{200d}')
}

fn is_deviation(it: char) -> bool {
    matches!(it, 'ß' | 'ς') || is_joiner(it)
}

/// `_idn2_label_test` with the tests for characters, joiners and directions.
fn is_idna_2008(label: &str) -> bool {
    let label: Vec<char> = label.chars().collect();
    let is_joined = |at: usize| !is_joiner(label[at]) || has_context(&label, at);
    !label.iter().copied().any(is_disallowed) && (0..label.len()).all(is_joined) && has_direction(&label)
}

/// Returns whether RFC 5892 disallows a character that UTS 46 maps to itself. The test allows what rules of STD 3 alone disallow.
fn is_disallowed(it: char) -> bool {
    match it {
        _ if it.is_ascii() || is_joiner(it) => false,
        _ if is_of_std_3(it) => false,
        '·' | '͵' | '׳' | '״' | '۽' | '۾' | '་' | '〇' | '・' => false,
        'ـ' | 'ߺ' | '\u{302e}' | '\u{302f}' | '〱'..='〵' | '〻' => true,
        // Old Hangul, and blocks of marks for symbols and music.
        '\u{1100}'..='\u{11ff}' | '\u{a960}'..='\u{a97f}' | '\u{d7b0}'..='\u{d7ff}' => true,
        '\u{20d0}'..='\u{20ff}' | '\u{1d100}'..='\u{1d1ff}' | '\u{1d200}'..='\u{1d24f}' => true,
        _ => !matches!(
            CodePointMapData::<GeneralCategory>::new().get(it),
            GeneralCategory::LowercaseLetter
                | GeneralCategory::UppercaseLetter
                | GeneralCategory::OtherLetter
                | GeneralCategory::ModifierLetter
                | GeneralCategory::DecimalNumber
                | GeneralCategory::NonspacingMark
                | GeneralCategory::SpacingMark
        ),
    }
}

/// `_idn2_contextj_rule`: a joiner follows a virama, or the non-joiner is between letters that would join.
pub(crate) fn has_context(label: &[char], at: usize) -> bool {
    let class = |it: char| CodePointMapData::<CanonicalCombiningClass>::new().get(it);
    let joins = |it: char| CodePointMapData::<JoiningType>::new().get(it);
    if at > 0 && class(label[at - 1]) == CanonicalCombiningClass::Virama {
        return true;
    }
    let is_opaque = |it: &&char| joins(**it) != JoiningType::Transparent;
    let before = label[..at].iter().rev().find(is_opaque).map(|it| joins(*it));
    let after = label[at + 1..].iter().find(is_opaque).map(|it| joins(*it));
    label[at] == '\u{200c}'
        && matches!(before, Some(JoiningType::LeftJoining | JoiningType::DualJoining))
        && matches!(after, Some(JoiningType::RightJoining | JoiningType::DualJoining))
}

/// `_idn2_bidi`: the rule of RFC 5893 for a label with characters from right to left, without its condition on numbers.
fn has_direction(label: &[char]) -> bool {
    let class = |it: &char| CodePointMapData::<BidiClass>::new().get(*it);
    let is_right = |it: BidiClass| matches!(it, BidiClass::RightToLeft | BidiClass::ArabicLetter);
    let Some((first, rest)) = label.split_first() else { return true };
    if !label.iter().map(class).any(|it| is_right(it) || it == BidiClass::ArabicNumber) {
        return true;
    }
    // A label that begins from left to right has no character from right to left.
    let is_inner = |it: BidiClass| {
        matches!(
            it,
            BidiClass::EuropeanSeparator
                | BidiClass::CommonSeparator
                | BidiClass::EuropeanTerminator
                | BidiClass::OtherNeutral
                | BidiClass::BoundaryNeutral
        )
    };
    let is_last = |it: BidiClass| {
        is_right(it) || matches!(it, BidiClass::EuropeanNumber | BidiClass::ArabicNumber | BidiClass::NonspacingMark)
    };
    is_right(class(first))
        && rest.iter().map(class).all(|it| is_inner(it) || is_last(it))
        && rest.last().map(class).is_none_or(is_last)
}
