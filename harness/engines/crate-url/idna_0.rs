//! The crate `idna` before 1.0: how it converts a domain to ASCII.
//!
//! Read from `src/uts46.rs` and `src/punycode.rs` of idna 0.5.0. Its tables are those of Unicode 13; here they are those of the `icu` crates,
//! which also know newer characters.

use icu_normalizer::ComposingNormalizerBorrowed;
use icu_properties::CodePointMapData;
use icu_properties::props::BidiClass;
use idna::punycode;

use crate::ada_idna::is_neutral;
use crate::libcurl::idn2::{is_mark, is_unmapped, map};

/// `Config::to_ascii`: UTS 46 without its rules for joiners. A label with `xn--` is decoded and encoded again, so that one without a character
/// outside ASCII loses the `xn--`.
pub(super) fn to_ascii(domain: &str) -> Option<String> {
    // Unicode 15.1 maps the capital letter to the small one.
    let mapped = map(&domain.replace('ẞ', "ss"));
    if mapped.contains(char::REPLACEMENT_CHARACTER) || domain.contains(is_unmapped) {
        return None;
    }
    let labels: Option<Vec<String>> = mapped.split('.').map(decoded).collect();
    let labels = labels?;
    let is_bidi = labels.iter().any(|label| label.chars().map(class).any(is_from_right));
    if is_bidi && !labels.iter().all(|label| has_direction(label)) {
        return None;
    }
    let encoded = |label: String| match label.is_ascii() {
        true => Some(label),
        false => punycode::encode_str(&label).map(|code| format!("xn--{code}")),
    };
    let labels: Option<Vec<String>> = labels.into_iter().map(encoded).collect();
    Some(labels?.join("."))
}

/// Decodes a label with `xn--`, and checks that it has no mark at its beginning and nothing that is mapped.
fn decoded(label: &str) -> Option<String> {
    let is_valid = |it: char| !is_unmapped(it) && map(&it.to_string()).chars().eq([it]);
    let label = match label.strip_prefix("xn--") {
        Some(code) => punycode::decode_to_string(code).filter(|label| {
            label.chars().all(is_valid) && ComposingNormalizerBorrowed::new_nfc().is_normalized(label)
        })?,
        None => label.to_owned(),
    };
    (!label.starts_with(is_mark)).then_some(label)
}

fn class(it: char) -> BidiClass {
    CodePointMapData::<BidiClass>::new().get(it)
}

fn is_from_right(it: BidiClass) -> bool {
    matches!(it, BidiClass::RightToLeft | BidiClass::ArabicLetter | BidiClass::ArabicNumber)
}

/// `passes_bidi`: the rule of RFC 5893 for a label of a domain with characters from right to left.
fn has_direction(label: &str) -> bool {
    let classes: Vec<BidiClass> = label.chars().map(class).collect();
    let Some(first) = classes.first() else { return true };
    let last = classes.iter().copied().rfind(|it| *it != BidiClass::NonspacingMark);
    let ends_in = |accepts: fn(BidiClass) -> bool| last.is_some_and(|it| it == BidiClass::EuropeanNumber || accepts(it));
    let has = |class: BidiClass| classes.contains(&class);
    match *first {
        BidiClass::LeftToRight => {
            classes.iter().all(|it| *it == BidiClass::LeftToRight || is_neutral(*it))
                && ends_in(|it| it == BidiClass::LeftToRight)
        }
        BidiClass::RightToLeft | BidiClass::ArabicLetter => {
            classes.iter().all(|it| is_from_right(*it) || is_neutral(*it))
                && ends_in(is_from_right)
                && !(has(BidiClass::EuropeanNumber) && has(BidiClass::ArabicNumber))
        }
        _ => false,
    }
}
