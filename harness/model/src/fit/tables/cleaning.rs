//! The characters that an engine removes from a text before it reads it.

use super::super::{Answer, Asker, Pair};
use crate::behaviour::{Cleaning, SPACES};

/// Returns what the engine removes from references, or from bases.
pub(in crate::fit) fn cleaning(asker: &mut Asker<'_>, of_base: bool) -> Cleaning {
    let pair = |text: &str| match of_base {
        false => ("http://h/b/c".to_owned(), text.to_owned()),
        true => (text.to_owned(), "k".to_owned()),
    };
    let (plain, parts) = if of_base { ("http://h/gh/c", ["http://h/g", "h/c"]) } else { ("gh", ["g", "h"]) };
    let chars: Vec<char> = (0..=0x20_u8).map(char::from).chain(SPACES).collect();
    let mut pairs = vec![pair(plain)];
    for c in &chars {
        let inside = format!("{}{c}{}", parts[0], parts[1]);
        pairs.extend([pair(&inside), pair(&format!("{c}{plain}")), pair(&format!("{plain}{c}"))]);
        // At the end of a base is its last segment, which the reference replaces.
        pairs.push(if of_base { (format!("{plain}?{c}"), String::new()) } else { pair(&format!("{plain}{c}")) });
    }
    pairs.push((format!("{plain}?"), String::new()));
    let answers = asker.all(&pairs);
    // A character that ends the text is not removed at its end.
    let ended = asker.all(&[pair(parts[0])]).pop().flatten();
    let ended = ended.filter(|ended| answers[0].as_ref() != Some(ended));
    let mut cleaning = Cleaning::default();
    let Some(plain) = &answers[0] else { return cleaning };
    let last = &answers[answers.len() - 1];
    let hidden = if of_base { ends_of_bases(asker, "http://h/gh/c", &chars, last) } else { None };
    for (at, (c, answers)) in chars.iter().zip(answers[1..].chunks(4)).enumerate() {
        let is_plain = |answer: &Answer| answer.as_ref() == Some(plain);
        let is_end = match &hidden {
            Some(ends) => ends[at],
            None if of_base => answers[3].is_some() && answers[3] == *last,
            None => is_plain(&answers[2]),
        };
        let is_end = is_end && (ended.is_none() || answers[0] != ended);
        let refused = answers[1].is_none() && answers[2].is_none() && answers[0].is_some();
        for (list, is_in) in [
            (&mut cleaning.rejected, refused),
            (&mut cleaning.everywhere, is_plain(&answers[0])),
            (&mut cleaning.start, is_plain(&answers[1])),
            (&mut cleaning.end, is_end),
        ] {
            if is_in {
                list.push(*c);
            }
        }
    }
    without_kept_in_schemes(asker, pair, &mut cleaning.everywhere);
    cleaning
}

/// Removes the characters from `chars` that the engine does not remove from schemes, of which `pair` makes a pair. The tables
/// state where it drops them.
fn without_kept_in_schemes(asker: &mut Asker<'_>, pair: impl Fn(&str) -> Pair, chars: &mut Vec<char>) {
    let mut pairs = vec![pair("http://w/x")];
    pairs.extend(chars.iter().map(|c| pair(&format!("ht{c}tp://w/x"))));
    let answers = asker.all(&pairs);
    if answers[0].is_some() {
        let mut of_chars = answers[1..].iter();
        chars.retain(|_| of_chars.next() == Some(&answers[0]));
    }
}

/// Returns which of `chars` are removed after the path of the base `plain`, if its query is not inherited. `empty` is the answer
/// for an empty query.
fn ends_of_bases(asker: &mut Asker<'_>, plain: &str, chars: &[char], empty: &Answer) -> Option<Vec<bool>> {
    if asker.one(&format!("{plain}?x"), "") != *empty {
        return None;
    }
    let of = asker.one(plain, "");
    let is_shown = asker.one(&format!("{plain}x"), "") != of;
    let pairs: Vec<Pair> = chars.iter().map(|c| (format!("{plain}{c}"), String::new())).collect();
    Some(asker.all(&pairs).iter().map(|answer| is_shown && answer.is_some() && *answer == of).collect())
}
