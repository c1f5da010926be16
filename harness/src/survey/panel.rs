//! The panel of recordings: a fixed set of pairs that covers every vector, every class of pairs and real links.

use std::collections::{BTreeMap, HashSet};
use std::hash::Hasher;

use fnv::FnvHasher;

use crate::engine::panel::Panel;
use crate::pairs::bases::BaseClass;
use crate::pairs::documentation;
use crate::pairs::generate::{self, BASES, RandomPairs};
use crate::vector::Suite;

/// The number of pairs of a panel.
pub const PAIRS: usize = 10_000;

/// The number of real links in a panel.
const LINKS: usize = 1_000;

/// Bases without a scheme, for which no specification defines more than absolute references. Engines go on.
const RELATIVE: [&str; 8] = ["a", "a/b", "/a/b", "//h", "//h/a/b", "?q", "#f", "../a"];

/// The maximum length of the references that are combined with [`RELATIVE`], in characters.
const SHORT: usize = 2;

/// Returns the panel for `suite`: its resolution vectors, real links, and a sample of the survey in which every class of
/// bases and references occurs.
///
/// A stored panel is not replaced when vectors are added, because all recordings belong to it.
pub fn panel(suite: &Suite) -> Panel {
    let vectors = suite.resolutions().map(|case| (case.base.clone(), case.reference.clone()));
    let links: Vec<_> = documentation().collect();
    let step = links.len().div_ceil(LINKS).max(1);
    let links = links.into_iter().step_by(step).map(|(base, reference)| (base.to_owned(), reference.to_owned()));
    let given: Vec<_> = vectors.chain(links).collect();
    let mut pairs = survey();
    generate::short_pairs(SHORT, |base, reference| {
        if base.is_empty() {
            pairs.extend(RELATIVE.map(|base| (base.to_owned(), reference.to_owned())));
        }
    });
    // Each class of bases has the same share of the rest.
    let share = PAIRS.saturating_sub(Panel::new(given.clone()).pairs().len()).div_ceil(BaseClass::ALL.len());
    let known: HashSet<_> = given.iter().collect();
    let left: Vec<_> = pairs.iter().filter(|pair| !known.contains(pair)).cloned().collect();
    let sampled = BaseClass::ALL.map(|class| sample(&left, class, share));
    let all = Panel::new(given.into_iter().chain(sampled.into_iter().flatten()).chain(sample_of(left)));
    Panel::new(all.pairs().into_iter().take(PAIRS).map(|(base, reference)| (base.to_owned(), reference.to_owned())))
}

/// A base and a reference.
type PairText = (String, String);

/// Returns up to `most` pairs whose base belongs to `class`.
fn sample(pairs: &[(String, String)], class: BaseClass, most: usize) -> Vec<(String, String)> {
    let own = pairs.iter().filter(|(base, _)| BaseClass::of(base) == class).cloned();
    sample_of(own.collect()).into_iter().take(most).collect()
}

/// Returns `pairs` in another order: one pair of each class in turn, so that the first pairs contain every rare class.
/// Classes and the pairs of a class are ordered by a hash.
fn sample_of(pairs: Vec<(String, String)>) -> Vec<(String, String)> {
    let hash = |text: &str| {
        let mut hash = FnvHasher::default();
        hash.write(text.as_bytes());
        hash.finish()
    };
    let mut classes: BTreeMap<u64, Vec<(u64, PairText)>> = BTreeMap::new();
    for (base, reference) in pairs {
        let order = hash(&format!("{base}\n{reference}"));
        classes.entry(hash(&class(&base, &reference))).or_default().push((order, (base, reference)));
    }
    let mut classes: Vec<_> = classes.into_values().collect();
    classes.iter_mut().for_each(|pairs| pairs.sort());
    let longest = classes.iter().map(Vec::len).max().unwrap_or_default();
    let turn =
        |turn: usize| classes.iter().filter_map(move |pairs| Some(pairs.get(turn)?.1.clone())).collect::<Vec<_>>();
    (0..longest).flat_map(turn).collect()
}

/// Returns the class of a pair: the base or its class and kind of scheme, and the features of the reference.
fn class(base: &str, reference: &str) -> String {
    let scheme = |text: &str| {
        let end = text.find([':', '/', '?', '#']).filter(|&at| text.as_bytes()[at] == b':');
        match end.map(|at| text[..at].trim_start_matches(|c| c <= ' ').to_ascii_lowercase()).as_deref() {
            None => "none",
            Some("http" | "https" | "ws" | "wss" | "ftp") => "special",
            Some("file") => "file",
            Some(_) => "other",
        }
    };
    let base = match BASES.contains(&base) || RELATIVE.contains(&base) {
        true => base.to_owned(),
        false => format!("{} {}", BaseClass::of(base), scheme(base)),
    };
    let start = ["//", "/", "?", "#", ".", "\\"].iter().find(|start| reference.starts_with(**start));
    let unusual = match reference.chars().find(|c| !c.is_ascii_graphic()) {
        None => "",
        Some(c) if c.is_ascii() => "control or space",
        Some(_) => "not ASCII",
    };
    let [dots, odd] = [reference.contains(".."), reference.contains(['%', '\\', '@', '[', '|'])];
    format!("{base}\n{}\n{}\n{dots} {odd} {unusual}", scheme(reference), start.unwrap_or(&""))
}

/// Returns the pairs whose outcomes a recording contains as a digest: every short reference against bases of every shape,
/// and random pairs. The pairs do not depend on the vectors.
pub fn survey() -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    generate::short_pairs(3, |base, reference| pairs.push((base.to_owned(), reference.to_owned())));
    let mut random = RandomPairs::new(1);
    pairs.extend((0..60_000).map(|_| random.pair()));
    pairs
}
