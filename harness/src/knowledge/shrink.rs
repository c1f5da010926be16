//! Shrinking: the search for the smallest pair that differs for the same cause.

use crate::engine::{Engine, ask};
use crate::knowledge::attribute::{Answer, Attribution, Attributor, Effect};
use crate::pairs::bases::{BaseKind, is_legal};
use crate::pairs::generate::BASES;

/// What does not change while a pair shrinks.
#[derive(Eq, PartialEq)]
struct Kept {
    signature: Vec<&'static str>,
    /// The key of the cause.
    cause: String,
    effect: Effect,
}

impl Kept {
    fn of(answer: &Answer<'_>, found: Attribution) -> Self {
        Self { signature: answer.signature(&found).to_vec(), cause: found.cause.key(), effect: found.effect }
    }
}

/// Shrinks a pair on which `engine` differs from the attributor's specification to a witness, the smallest pair that
/// shows the same difference.
///
/// The signature, the cause and the effect do not change. Returns `None` if the results do not differ. The same pair
/// always shrinks to the same witness if the engine is deterministic.
///
/// For example, `("http://example.org/login?x", "../../%2e%2e/g#top")` may shrink to `("http://a", "%2e")`. A witness
/// cannot be made smaller by removing a piece, by using a simpler character, or by using one of the usual bases.
pub fn shrink(engine: &dyn Engine, attributor: &Attributor, base: &str, reference: &str) -> Option<(String, String)> {
    let about = |base: &str, reference: &str| {
        let returned = ask(engine, base, reference);
        let answer = Answer::new(base, reference, &returned);
        let own = attributor.specification().resolve(base, reference);
        attributor.attribute_from(own, &answer).map(|found| Kept::of(&answer, found))
    };
    let wanted = about(base, reference)?;
    Some(smallest(base, reference, |base, reference| about(base, reference).as_ref() == Some(&wanted)))
}

/// Returns the smallest pair that can be derived from this pair while `stays` returns `true`.
///
/// A reference that RFC 3986 allows remains allowed, and a base with `http` or `https` and a host remains of that
/// kind. A usual base replaces the base if it is of a more common kind, or of the same kind and shorter.
pub fn smallest(base: &str, reference: &str, stays: impl Fn(&str, &str) -> bool) -> (String, String) {
    let mut pair = (base.to_owned(), reference.to_owned());
    loop {
        let before = pair.clone();
        let legal = is_legal(&pair.1);
        pair.1 = shorter(&pair.1, |reference| (!legal || is_legal(reference)) && stays(&pair.0, reference));
        let usual = BASES.iter().filter(|usual| !usual.is_empty() && rank(usual) < rank(&pair.0));
        let usual = usual.filter(|usual| stays(usual, &pair.1)).min_by_key(|usual| rank(usual));
        if let Some(usual) = usual {
            pair.0 = (*usual).to_owned();
        }
        let kind = BaseKind::of(&pair.0);
        pair.0 = shorter(&pair.0, |base| !base.is_empty() && BaseKind::of(base) <= kind && stays(base, &pair.1));
        if pair == before {
            return pair;
        }
    }
}

/// Returns the sort key of a base: its kind, most common first, then its length in bytes, then the string.
fn rank(base: &str) -> (BaseKind, usize, &str) {
    (BaseKind::of(base), base.len(), base)
}

/// Removes pieces of `text` while `stays` returns `true`: first halves, finally single characters. Then replaces
/// characters with `a` or `/` where `stays` permits it.
pub fn shorter(text: &str, stays: impl Fn(&str) -> bool) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let mut piece = characters.len().div_ceil(2);
    while piece > 0 {
        let mut at = 0;
        while at < characters.len() {
            let end = (at + piece).min(characters.len());
            let without: String = characters[..at].iter().chain(&characters[end..]).collect();
            if stays(&without) {
                characters = without.chars().collect();
            } else {
                at += piece;
            }
        }
        piece = if piece == 1 { 0 } else { piece.div_ceil(2) };
    }
    for at in 0..characters.len() {
        let own = characters[at];
        let simpler = ['a', '/'].into_iter().filter(|simpler| complexity(*simpler) < complexity(own));
        for simpler in simpler {
            characters[at] = simpler;
            if stays(&characters.iter().collect::<String>()) {
                break;
            }
            characters[at] = own;
        }
    }
    characters.into_iter().collect()
}

/// Returns the complexity of a character for a reader. Letters are the simplest.
fn complexity(character: char) -> u32 {
    match character {
        'a' => 0,
        'b'..='z' => 1,
        'A'..='Z' | '0'..='9' => 2,
        '/' => 3,
        _ if character.is_ascii_graphic() => 4,
        _ => 5,
    }
}
