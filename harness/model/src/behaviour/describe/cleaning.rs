//! What is removed from references and bases before anything else, in sentences that are not repeated.

use super::ranges;
use crate::behaviour::{Cleaning, SPACES};

/// Returns sentences about what is removed from references and from bases.
pub(super) fn sentences(reference: &Cleaning, base: &Cleaning) -> Vec<String> {
    let [of_references, of_bases] = [reference, base].map(actions);
    let (both, references): (Vec<_>, Vec<_>) = of_references.into_iter().partition(|action| of_bases.contains(action));
    let bases = of_bases.into_iter().filter(|action| !both.contains(action)).collect();
    let of = |actions: Vec<Action>, what: &str| -> Vec<String> {
        actions.into_iter().map(|Action(verb, list, place)| format!("{verb} {list} {place} {what}.")).collect()
    };
    [of(both, "references and bases"), of(references, "references"), of(bases, "bases")].concat()
}

/// A verb, the characters, and the place with a preposition.
#[derive(Eq, PartialEq)]
struct Action(&'static str, String, &'static str);

/// Returns what `cleaning` does. What it removes at an end is left out if it removes the same characters everywhere.
fn actions(cleaning: &Cleaning) -> Vec<Action> {
    let is_everywhere = |list: &[char]| list.iter().all(|c| cleaning.everywhere.contains(c));
    let [start, end] = [&cleaning.start, &cleaning.end].map(|list| if is_everywhere(list) { &[] } else { &list[..] });
    let ends = if start == end {
        vec![(start, "at the start and the end of")]
    } else {
        vec![(start, "at the start of"), (end, "at the end of")]
    };
    let everywhere = (&cleaning.everywhere[..], "everywhere in");
    let removed = [everywhere].into_iter().chain(ends).map(|(list, place)| ("Removes", list, place));
    let rejected = ("Rejects", &cleaning.rejected[..], "at the start and the end of");
    let all = removed.chain([rejected]).filter(|(_, list, _)| !list.is_empty());
    all.map(|(verb, list, place)| Action(verb, named(list), place)).collect()
}

/// Names characters. White space outside ASCII has one name if all of it is among them, or all but U+0085.
fn named(list: &[char]) -> String {
    let mut names = ranges((0..128).filter(|byte| list.contains(&char::from(*byte))));
    let is_white = |c: &char| !c.is_ascii() && c.is_whitespace();
    let missing: Vec<char> = SPACES.into_iter().filter(|c| is_white(c) && !list.contains(c)).collect();
    let is_joined = missing.iter().all(|c| *c == '\u{85}');
    let is_named = |c: &char| c.is_ascii() || is_joined && is_white(c);
    let others = list.iter().filter(|c| !is_named(c));
    names.extend(others.map(|c| format!("U+{:04X}", u32::from(*c))));
    if is_joined {
        names.push("Unicode white space such as U+2000".to_owned());
    }
    match missing.is_empty() || !is_joined {
        true => names.join(", "),
        false => format!("{}, except U+0085,", names.join(", ")),
    }
}
