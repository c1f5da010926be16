//! The hosts of `QUrl`.
//!
//! Read from `qipaddress.cpp` and `qurlidna.cpp`. The mapping of UTS 46 is that of the `icu` crates.

use std::net::{Ipv4Addr, Ipv6Addr};

use icu_normalizer::ComposingNormalizerBorrowed;
use icu_properties::CodePointMapData;
use icu_properties::props::BidiClass;
use idna::punycode;

use crate::ada_idna::is_neutral;
use crate::libcurl::idn2::{has_context, is_mark, map};
use crate::uri_js::shortened;

/// `idn_whitelist`: the top-level domains of hosts that are written in Unicode.
const IDN_WHITELIST: &str = "ac ar asia at biz br cat ch cl cn com de dk es fi gr hu il info io ir is jp kr li lt lu lv museum name net no nu nz org \
    pl pr se sh tel th tm tw ua vn xn--fiqs8s xn--fiqz9s xn--fzc2c9e2c xn--j6w193g xn--kprw13d xn--kpry57d xn--mgba3a4f16a xn--mgba3a4fra \
    xn--mgbaam7a8h xn--mgbayh7gpa xn--mgberp4a5d4ar xn--ogbpf8fl xn--p1ai xn--wgbh1c xn--wgbl6a xn--xkc2al3hye2a";

/// `qstrntoull` with base 0: reads a number of any base after white space and a sign, and returns the rest.
fn number(text: &str) -> Option<(u64, &str)> {
    let text = text.trim_start_matches([' ', '\t', '\n', '\u{b}', '\u{c}', '\r']);
    let text = text.strip_prefix('+').unwrap_or(text);
    let (digits, base) = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&text[2..], 16),
        [b'0', b'b' | b'B', ..] => (&text[2..], 2),
        [b'0', ..] => (text, 8),
        _ => (text, 10),
    };
    let (digits, rest) = digits.split_at(digits.find(|it: char| !it.is_digit(base)).unwrap_or(digits.len()));
    Some((u64::from_str_radix(digits, base).ok()?, rest))
}

/// `parseIp4`: one to four numbers; the last one fills what remains. A NUL ends the text.
pub(super) fn ip4(host: &str) -> Option<String> {
    let mut rest = host.split('\0').next().filter(|_| host.bytes().all(|it| it < 0x7f))?;
    let mut address = 0_u64;
    for before in 0..4_u32 {
        let (number, after) = number(rest)?;
        let is_last = after.is_empty();
        let bits = if is_last { 8 * (4 - before) } else { 8 };
        if number >> bits != 0 || !is_last && !after.starts_with('.') {
            return None;
        }
        address = address << bits | number;
        if is_last {
            return u32::try_from(address).ok().map(|address| Ipv4Addr::from(address).to_string());
        }
        rest = &after[1..];
    }
    None
}

/// Returns a number of an IPv6 address without what `qstrntoull` reads before its digits: white space, a plus sign and, if it is hexadecimal, 0x.
/// Such a group has at most four characters. `None` if it has more.
fn plain(text: &str, is_hexadecimal: bool) -> Option<&str> {
    let number = text.trim_start_matches(' ');
    let number = number.strip_prefix('+').unwrap_or(number);
    let digits = number.strip_prefix("0x").or_else(|| number.strip_prefix("0X")).filter(|_| is_hexadecimal);
    let is_long = is_hexadecimal && text.len() > 4 || !number.is_empty() && digits == Some("");
    (!is_long && (number.len() == text.len() || !number.is_empty())).then_some(digits.unwrap_or(number))
}

/// `parseIp6` and `toString`: an address without brackets.
pub(super) fn ip6(text: &str) -> Option<String> {
    // An address begins with a digit or a colon, or with white space before a digit.
    let group = |group: &str| match group.contains('.') {
        true => group.split('.').map(|number| plain(number, false)).collect::<Option<Vec<_>>>().map(|it| it.join(".")),
        false => plain(group, true).map(str::to_owned),
    };
    let text = text.split(':').map(group).collect::<Option<Vec<String>>>()?.join(":");
    let groups = text.parse::<Ipv6Addr>().ok()?.segments();
    let is_embedded = groups[..5] == [0; 5] && (groups[5] == 0xffff || groups[5] == 0 && groups[6] != 0);
    let words: Vec<String> = groups.iter().map(|group| format!("{group:x}")).collect();
    let Some([high, low]) = groups.get(6..).filter(|_| is_embedded) else { return Some(shortened(&words)) };
    let [high, low] = [high.to_be_bytes(), low.to_be_bytes()];
    let address = Ipv4Addr::new(high[0], high[1], low[0], low[1]);
    let prefix = if groups[5] == 0 { "::" } else { "::ffff:" };
    Some(format!("{prefix}{address}"))
}

/// `qt_ACE_do` for `NormalizeAce`: the host in its ASCII form, or in Unicode if its top-level domain is listed; `None` if it has no ASCII form.
pub(super) fn normalized(host: &str) -> Option<String> {
    let host = to_ace(host, false)?;
    // The search finds the first one for what it begins with.
    let is_listed = |last: &str| IDN_WHITELIST.starts_with(last) || IDN_WHITELIST.split(' ').any(|own| own == last);
    let is_listed = host.rsplit_once('.').is_some_and(|(_, last)| is_listed(last));
    match is_listed && host.split('.').any(|label| label.starts_with("xn--")) {
        true => Some(to_unicode(&host).unwrap_or(host)),
        false => Some(host),
    }
}

/// `qt_ACE_do` for `ToAceOnly`.
pub(super) fn to_ace(host: &str, may_begin_with_dot: bool) -> Option<String> {
    let is_ldh = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_');
    let mapped = match host.chars().all(|it| is_ldh(it) || it == '.') {
        true => host.to_ascii_lowercase(),
        false => {
            let mapped = map(host);
            mapped.split('.').all(|label| is_label(label, true)).then_some(mapped)?
        }
    };
    let encoded = |label: &str| match label.is_ascii() {
        true => Some(label.to_owned()),
        false if label.encode_utf16().count() > 126 => None,
        false => punycode::encode_str(label).map(|code| format!("xn--{code}")),
    };
    let labels = mapped.split('.').map(encoded).collect::<Option<Vec<String>>>()?;
    let is_empty = |(at, label): (usize, &String)| label.is_empty() && at + 1 < labels.len() && (at > 0 || !may_begin_with_dot);
    let is_valid = |label: &String| label.len() <= 63 && !label.starts_with('-') && !label.ends_with('-') && label.chars().all(is_ldh);
    let has_name = labels.len() > 1 || !labels[0].is_empty();
    (has_name && !labels.iter().enumerate().any(is_empty) && labels.iter().all(is_valid)).then(|| labels.join("."))
}

/// `checkLabel` without the rule of directions. Names that were not encoded may have labels with `xn--` that are not decoded.
fn is_label(label: &str, may_be_encoded: bool) -> bool {
    let characters: Vec<char> = label.chars().collect();
    if label.encode_utf16().skip(2).take(2).eq([0x2d, 0x2d]) {
        return may_be_encoded && label.starts_with("xn") && label.is_ascii();
    }
    let is_joined = |at: usize| !matches!(characters[at], '\u{200c}' | '\u{200d}') || has_context(&characters, at);
    let is_valid = |it: char| it.is_ascii() || map(&it.to_string()).chars().eq([it]);
    !label.starts_with('-')
        && !label.ends_with('-')
        && !label.starts_with(is_mark)
        && characters.iter().all(|it| is_valid(*it) && *it != char::REPLACEMENT_CHARACTER)
        && (0..characters.len()).all(is_joined)
}

/// `convertToUnicode`; `None` if a label is not valid.
fn to_unicode(host: &str) -> Option<String> {
    let decoded = |label: &str| match label.strip_prefix("xn--") {
        Some(code) => punycode::decode_to_string(code).filter(|label| !label.is_empty()),
        None => Some(label.to_owned()),
    };
    let labels = host.split('.').map(decoded).collect::<Option<Vec<String>>>()?;
    let class = |it: char| CodePointMapData::<BidiClass>::new().get(it);
    let is_right = |it: BidiClass| matches!(it, BidiClass::RightToLeft | BidiClass::ArabicLetter);
    let has_right = labels.iter().flat_map(|label| label.chars()).any(|it| is_right(class(it)) || class(it) == BidiClass::ArabicNumber);
    let is_normal = |label: &String| ComposingNormalizerBorrowed::new_nfc().is_normalized(label);
    let is_valid = |label: &String| is_normal(label) && is_label(label, false) && (!has_right || has_direction(label));
    labels.iter().all(is_valid).then(|| labels.join("."))
}

/// `checkBidiRules`: the rule of RFC 5893 for each label.
fn has_direction(label: &str) -> bool {
    const FROM_RIGHT: &[BidiClass] = &[BidiClass::RightToLeft, BidiClass::ArabicLetter, BidiClass::ArabicNumber];
    let classes: Vec<BidiClass> = label.chars().map(|it| CodePointMapData::<BidiClass>::new().get(it)).collect();
    let last = classes.iter().rev().find(|it| **it != BidiClass::NonspacingMark);
    let (Some(first), Some(last)) = (classes.first(), last) else { return true };
    let letters: &[BidiClass] = match *first {
        BidiClass::LeftToRight => &[BidiClass::LeftToRight],
        BidiClass::RightToLeft | BidiClass::ArabicLetter => FROM_RIGHT,
        _ => return false,
    };
    let has_both = classes.contains(&BidiClass::EuropeanNumber) && classes.contains(&BidiClass::ArabicNumber);
    !has_both
        && classes.iter().all(|it| letters.contains(it) || is_neutral(*it))
        && (letters.contains(last) || *last == BidiClass::EuropeanNumber)
}
