//! References and bases to ask about: every short one, against bases of every shape.

/// The characters that `enumerate` uses unless told otherwise.
pub const ALPHABET: &str = "a./;?#:%";

/// Bases of every shape that a document treats apart; the last is an unknown one.
pub const BASES: [&str; 26] = [
    "http://a/b/c/d;p?q",
    "http://a/b/c/d;p?q#f",
    "magic://a/b/c/d",
    "a://a/b/c/d",
    "a:/b/c/d",
    "http://a",
    "http://a?q",
    "http://a/",
    "http://u:p@h:8/b/c?",
    "http://a/b/../c/./d",
    "http://a/../../b/..",
    "http://a/b//c//d",
    "http://a//b",
    "fred:///s//a/b/c",
    "foo:a/b/c",
    "foo:a",
    "foo:/a/b",
    "http://a/b/c?x/../y/z",
    "http://a/b;x/../y;z?q",
    "http://a/b#f/../g",
    "gopher://a/1b/c",
    "a:b",
    "foo:",
    "http://a#f",
    "http://a;p/b;c/d/e?q",
    "",
];

/// How many strings of up to `length` characters an alphabet of `characters` has; `None` if that is no number.
pub fn count(characters: usize, length: usize) -> Option<u64> {
    let characters = characters as u64;
    (0..=length as u32).try_fold(0_u64, |sum, length| sum.checked_add(characters.checked_pow(length)?))
}

/// Writes the string of that number into `out`: shorter ones first, then in the alphabet's order.
pub fn nth(alphabet: &[char], mut number: u64, out: &mut String) {
    out.clear();
    let characters = alphabet.len() as u64;
    let mut length = 0;
    let mut of_length = 1;
    while number >= of_length && characters > 0 {
        number -= of_length;
        of_length *= characters;
        length += 1;
    }
    for _ in 0..length {
        of_length /= characters;
        let index = number / of_length % characters;
        out.push(alphabet[index as usize]);
    }
}

#[cfg(test)]
mod tests {
    use super::{count, nth};
    use std::collections::BTreeSet;

    #[test]
    fn every_string_has_one_number() {
        let alphabet: Vec<char> = "a./".chars().collect();
        let total = count(3, 4).expect("a number");
        let mut text = String::new();
        let all: BTreeSet<String> = (0..total)
            .map(|number| {
                nth(&alphabet, number, &mut text);
                text.clone()
            })
            .collect();
        assert_eq!((total, all.len()), (1 + 3 + 9 + 27 + 81, 121));
        assert!(all.iter().all(|text| text.len() <= 4));
    }

    #[test]
    fn a_count_that_is_no_number_is_none() {
        assert_eq!(count(1_000_000, 40), None);
        assert_eq!(count(8, 6), Some(299_593));
    }
}
