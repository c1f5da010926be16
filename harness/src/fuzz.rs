//! What fuzzing looks for: laws, inputs that are put to them, and what is said of one that breaks a law.
//!
//! A fuzz target is a [`Law`] and nothing else; the same laws are put to the same inputs by `tests/fuzz.rs`, on any compiler.
//! What is known is counted in [`Seen`], and only what nothing explains is a [`Fault`].

use std::collections::BTreeMap;
use std::fmt;

use arbitrary::{Arbitrary, Unstructured};

use crate::escape::is_invisible;
use crate::vector::Suite;

mod agree;
mod agree_bytes;
pub mod campaign;
mod case;
mod collect;
mod context;
mod documents;
mod explained;
mod export;
pub mod found;
mod grammar;
pub mod inputs;
mod mutate;
mod pair;
mod protocol;
mod schemes;
mod vectors;

pub use agree::Agree;
pub use agree_bytes::{AgreeBytes, Strings};
pub use case::{Bytes, Case};
pub use collect::{Collected, Collector, FOLDER};
pub use context::RunningText;
pub use documents::Documents;
pub use explained::Explained;
pub use export::Export;
pub use grammar::Grammars;
pub use mutate::mutate;
pub use pair::{Op, Pair, Text};
pub use protocol::Protocol;
pub use schemes::Schemes;
pub use vectors::VectorFiles;

/// Something that holds of every input.
pub trait Law {
    /// What an input is read as.
    type Case: Case;
    /// The target's name.
    const NAME: &'static str;
    /// The law in a sentence.
    const STATES: &'static str;
    /// What a fuzzer should try to put into inputs, beside what it finds by itself.
    const WORDS: &'static [&'static str];

    /// Puts `case` to the law, and counts what it is an example of.
    ///
    /// # Errors
    ///
    /// Where the law does not hold.
    fn check(case: &Self::Case, seen: &mut Seen) -> Result<(), Fault>;

    /// Inputs to begin with, from the vectors.
    fn seeds(suite: &Suite) -> Vec<Self::Case>;

    /// What is to be seen of a case that breaks the law, for people, in lines: who says what, and why.
    fn show(case: &Self::Case) -> String {
        format!("{case:#?}\n")
    }
}

/// How many cases were of each class.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Seen(pub BTreeMap<String, u64>);

impl Seen {
    /// Counts one more of `class`.
    pub fn count(&mut self, class: &str) {
        self.add(class, 1);
    }

    /// Counts `more` of `class`.
    pub fn add(&mut self, class: &str, more: u64) {
        match self.0.get_mut(class) {
            Some(count) => *count += more,
            None if more > 0 => drop(self.0.insert(class.to_owned(), more)),
            None => {}
        }
    }
}

/// A law that does not hold.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fault {
    /// What all faults of the kind have in common, in a line: two with the same class are one finding.
    pub class: String,
}

impl Fault {
    /// One of that class.
    pub fn new(class: impl Into<String>) -> Self {
        Self { class: class.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.class)
    }
}

/// A fault and the smallest input that shows it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What it is.
    pub fault: Fault,
    /// The smallest input of the same class that was come upon.
    pub input: Vec<u8>,
    /// The base and the reference, where it is a pair.
    pub pair: Option<Pair>,
    /// What is to be seen, in lines.
    pub shown: String,
}

/// A law by its name, for inputs as bytes.
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// The law in a sentence.
    pub states: &'static str,
    /// What a fuzzer should try to put into inputs.
    pub words: &'static [&'static str],
    check: fn(&[u8], &mut Seen) -> Result<(), Fault>,
    find: fn(&[u8]) -> Option<Finding>,
    seeds: fn(&Suite) -> Vec<Vec<u8>>,
}

/// Every one, in the order in which a campaign takes them.
pub static TARGETS: &[Target] = &[
    Target::of::<Agree>(),
    Target::of::<AgreeBytes>(),
    Target::of::<Explained>(),
    Target::of::<Protocol>(),
    Target::of::<Grammars>(),
    Target::of::<Schemes>(),
    Target::of::<RunningText>(),
    Target::of::<Documents>(),
    Target::of::<VectorFiles>(),
];

impl Target {
    const fn of<L: Law>() -> Self {
        Self {
            name: L::NAME,
            states: L::STATES,
            words: L::WORDS,
            check: check::<L>,
            find: find::<L>,
            seeds: |suite| L::seeds(suite).iter().map(Case::bytes).collect(),
        }
    }

    /// The one of that name.
    ///
    /// # Errors
    ///
    /// A sentence with the names there are.
    pub fn by_name(name: &str) -> Result<&'static Self, String> {
        TARGETS.iter().find(|target| target.name == name).ok_or_else(|| {
            let names: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
            format!("no fuzz target is called {name:?}: there are {}", names.join(", "))
        })
    }

    /// Puts an input to the law, and counts what it is an example of.
    ///
    /// # Errors
    ///
    /// Where the law does not hold.
    pub fn check(&self, input: &[u8], seen: &mut Seen) -> Result<(), Fault> {
        (self.check)(input, seen)
    }

    /// Shrinks an input as long as it breaks the law in the same way: `None` if it does not break it.
    pub fn find(&self, input: &[u8]) -> Option<Finding> {
        (self.find)(input)
    }

    /// Inputs to begin with, none twice, in their order.
    pub fn seeds(&self, suite: &Suite) -> Vec<Vec<u8>> {
        let mut seeds = (self.seeds)(suite);
        seeds.sort();
        seeds.dedup();
        seeds
    }
}

/// `input` as a law reads it; `None` for bytes that make no case, which a fuzzer passes over too.
fn read<L: Law>(input: &[u8]) -> Option<L::Case> {
    L::Case::arbitrary_take_rest(Unstructured::new(input)).ok()
}

fn check<L: Law>(input: &[u8], seen: &mut Seen) -> Result<(), Fault> {
    read::<L>(input).map_or(Ok(()), |case| L::check(&case, seen))
}

fn find<L: Law>(input: &[u8]) -> Option<Finding> {
    read::<L>(input).and_then(|case| finding::<L>(&case))
}

/// The smallest case that breaks `L` as `case` does: `None` if that does not break it.
pub fn finding<L: Law>(case: &L::Case) -> Option<Finding> {
    let fault = L::check(case, &mut Seen::default()).err()?;
    let smallest = case.smallest(&|case| L::check(case, &mut Seen::default()).as_ref() == Err(&fault));
    let mut found = Finding { input: smallest.bytes(), pair: smallest.pair(), shown: String::new(), fault };
    found.shown = format!("{}\nthe law, that {}, does not hold of\n{}", found.fault, L::STATES, L::show(&smallest));
    if let Some(vector) = found::vector(&found) {
        found.shown += &format!("a vector to paste into vectors/found/{}.yaml:\n\n{}", L::NAME, vector.canonical());
    }
    Some(found)
}

/// Whether a text for people is one line, with nothing in it that a terminal would not show.
fn is_a_line(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(is_invisible)
}

/// Puts `case` to a law that has to hold of it.
#[cfg(test)]
#[track_caller]
fn holds<L: Law>(case: &L::Case, seen: &mut Seen) {
    if let Err(fault) = L::check(case, seen) {
        panic!("{fault}\n{}", L::show(case));
    }
}
