//! Properties of this project's code and of the engines in this process, and the inputs that they are checked on.
//!
//! A [`Property`] is a statement about every input. A fuzz target checks one property; `tests/inputs.rs` checks the same
//! properties on stored inputs with any compiler. A property also sorts the inputs that satisfy it into [`Classes`], and
//! the inputs that violate it by the class of their [`Violation`].

use std::collections::BTreeMap;
use std::fmt;

use arbitrary::{Arbitrary, Unstructured};
use urlstrata_harness::escape::is_invisible;
use urlstrata_harness::vector::Suite;

mod agree;
mod agree_bytes;
mod collect;
mod context;
mod documents;
mod explained;
mod grammar;
mod input;
pub mod inputs;
mod mutate;
mod pair;
mod protocol;
mod schemes;
mod vectors;

pub use agree::Agree;
pub use agree_bytes::{AgreeBytes, BytePairInput};
pub use collect::{Collector, FOLDER, OBSERVED, Observed};
pub use context::RunningText;
pub use documents::Documents;
pub use explained::{Explained, engine_results};
pub use grammar::Grammars;
pub use input::{BytesInput, Input};
pub use mutate::mutate;
pub use pair::{Op, PairInput, TextInput};
pub use protocol::Protocol;
pub use schemes::Schemes;
pub use vectors::VectorFiles;

/// A statement that is true of every input.
pub trait Property {
    /// What the bytes of an input are decoded to.
    type Input: Input;
    /// The name of the fuzz target.
    const NAME: &'static str;
    /// The property as a sentence without a full stop.
    const STATEMENT: &'static str;
    /// Strings that a fuzzer inserts into inputs.
    const WORDS: &'static [&'static str];

    /// Checks the property on `input` and counts the classes that `input` belongs to.
    ///
    /// # Errors
    ///
    /// Returns the violation if the property does not hold.
    fn check(input: &Self::Input, classes: &mut Classes) -> Result<(), Violation>;

    /// Returns the first inputs of a corpus, which are taken from the vectors.
    fn seeds(suite: &Suite) -> Vec<Self::Input>;

    /// Describes an input that violates the property: each result and how it came about, one per line.
    fn describe(input: &Self::Input) -> String {
        format!("{input:#?}\n")
    }
}

/// The number of inputs of each class.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Classes(pub BTreeMap<String, u64>);

impl Classes {
    /// Adds one input to `class`.
    pub fn count(&mut self, class: &str) {
        self.add(class, 1);
    }

    /// Adds `inputs` to `class`.
    pub fn add(&mut self, class: &str, inputs: u64) {
        match self.0.get_mut(class) {
            Some(count) => *count += inputs,
            None if inputs > 0 => drop(self.0.insert(class.to_owned(), inputs)),
            None => {}
        }
    }
}

/// A property does not hold.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Violation {
    /// One line without details of the input: violations of the same class count as the same defect.
    pub class: String,
}

impl Violation {
    /// Creates a violation of this class.
    pub fn new(class: impl Into<String>) -> Self {
        Self { class: class.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.class)
    }
}

/// A violation with the smallest known input that causes it.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The violation.
    pub violation: Violation,
    /// The shrunk input.
    pub input: Vec<u8>,
    /// The base and the reference, if the input is a pair.
    pub pair: Option<PairInput>,
    /// The violation, the property and the input, for people.
    pub description: String,
}

/// A property by the name of its fuzz target; its inputs are bytes.
pub struct Target {
    /// The name, such as `agree_bytes`.
    pub name: &'static str,
    /// The property as a sentence without a full stop.
    pub statement: &'static str,
    /// Strings that a fuzzer inserts into inputs.
    pub words: &'static [&'static str],
    check: fn(&[u8], &mut Classes) -> Result<(), Violation>,
    counterexample: fn(&[u8]) -> Option<Counterexample>,
    seeds: fn(&Suite) -> Vec<Vec<u8>>,
}

/// All targets, in the order in which a campaign runs them.
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
    const fn of<P: Property>() -> Self {
        Self {
            name: P::NAME,
            statement: P::STATEMENT,
            words: P::WORDS,
            check: |bytes, classes| decode::<P>(bytes).map_or(Ok(()), |input| P::check(&input, classes)),
            counterexample: |bytes| decode::<P>(bytes).and_then(|input| counterexample::<P>(&input)),
            seeds: |suite| P::seeds(suite).iter().map(Input::encode).collect(),
        }
    }

    /// Returns the target of this name.
    ///
    /// # Errors
    ///
    /// Returns a sentence that lists all names if there is no such target.
    pub fn by_name(name: &str) -> Result<&'static Self, String> {
        TARGETS.iter().find(|target| target.name == name).ok_or_else(|| {
            let names: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
            format!("no fuzz target is called {name:?}; the targets are {}", names.join(", "))
        })
    }

    /// Checks the property on `input` and counts the classes that `input` belongs to.
    ///
    /// # Errors
    ///
    /// Returns the violation if the property does not hold.
    pub fn check(&self, input: &[u8], classes: &mut Classes) -> Result<(), Violation> {
        (self.check)(input, classes)
    }

    /// Shrinks an input that violates the property; `None` if the property holds.
    pub fn counterexample(&self, input: &[u8]) -> Option<Counterexample> {
        (self.counterexample)(input)
    }

    /// Returns the first inputs of a corpus, sorted and without duplicates.
    pub fn seeds(&self, suite: &Suite) -> Vec<Vec<u8>> {
        let mut seeds = (self.seeds)(suite);
        seeds.sort();
        seeds.dedup();
        seeds
    }
}

/// Decodes `bytes`; `None` if they are not an input of `P`, which a fuzzer skips as well.
fn decode<P: Property>(bytes: &[u8]) -> Option<P::Input> {
    P::Input::arbitrary_take_rest(Unstructured::new(bytes)).ok()
}

/// Shrinks `input` as long as it causes the same violation; `None` if the property holds.
pub fn counterexample<P: Property>(input: &P::Input) -> Option<Counterexample> {
    let violation = P::check(input, &mut Classes::default()).err()?;
    let smallest = input.shrink(&|input| P::check(input, &mut Classes::default()).as_ref() == Err(&violation));
    let description =
        format!("{violation}\nviolated property: {}\nsmallest input:\n{}", P::STATEMENT, P::describe(&smallest));
    Some(Counterexample { violation, input: smallest.encode(), pair: smallest.pair(), description })
}

/// Returns whether a message for people is a single line without characters that a terminal does not show.
fn is_single_line(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(is_invisible)
}

/// Returns `problem` as the error if `condition` is false.
fn ensure<E>(condition: bool, problem: E) -> Result<(), E> {
    if condition { Ok(()) } else { Err(problem) }
}

/// Fails if `P` does not hold for `input`.
#[cfg(test)]
#[track_caller]
fn assert_holds<P: Property>(input: &P::Input, classes: &mut Classes) {
    if let Err(violation) = P::check(input, classes) {
        panic!("{violation}\n{}", P::describe(input));
    }
}
