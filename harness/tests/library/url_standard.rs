//! The URL Standard's two forms agree: the steps of its revisions, and the behaviours that state them.

use rayon::prelude::*;
use urlstrata::revision::Revision;
use urlstrata::revision::whatwg::{self, ChangeSet};
use urlstrata_harness::behaviour::Behaviour;
use urlstrata_harness::pairs::generate::{ALPHABET, BASES, RandomPairs, count, nth};
use urlstrata_harness::vector::Suite;

use crate::stride;

/// A state of the Standard: the changes that define it, and its behaviour.
struct State {
    landed: ChangeSet,
    behaviour: Behaviour,
}

impl State {
    fn of(landed: ChangeSet) -> Self {
        Self { landed, behaviour: Behaviour::url_standard(landed) }
    }

    #[track_caller]
    fn agrees(&self, base: &str, reference: &str) {
        let by_steps = whatwg::resolve(self.landed, base, reference).map(|target| target.url).ok();
        let predicted = self.behaviour.predict(base, reference);
        assert!(by_steps == predicted, "{reference:?} on {base:?}: {by_steps:?} by steps, {predicted:?} by behaviour");
    }
}

fn landed(revision: &Revision) -> ChangeSet {
    whatwg::changes_of(revision).expect("a revision of the URL Standard")
}

/// Returns every dated state, oldest first.
fn states() -> Vec<State> {
    whatwg::REVISIONS.iter().map(|(revision, _)| State::of(landed(revision))).collect()
}

/// Every string of up to five characters of the survey's alphabet, on every base of the survey; every seventh unless the tests are
/// exhaustive.
#[test]
fn steps_and_behaviour_agree_on_every_short_reference() {
    let alphabet: Vec<char> = ALPHABET.chars().collect();
    // The alphabet has few of the characters that make a difference to file URLs, which the next test has.
    for (state, length) in
        [(ChangeSet::ALL, 5), (landed(&whatwg::WHATWG_2022_01), 5), (landed(&whatwg::WHATWG_2020_08), 4)]
    {
        let numbers = count(alphabet.len(), length).expect("a number");
        let state = State::of(state);
        let stride = stride(13) as u64;
        (0..numbers.div_ceil(stride)).into_par_iter().for_each_init(String::new, |reference, number| {
            nth(&alphabet, number * stride, reference);
            BASES.iter().for_each(|base| state.agrees(base, reference));
        });
    }
}

/// The strings with which references to file URLs differ between the states.
#[test]
fn steps_and_behaviour_agree_on_every_short_reference_to_a_file() {
    let tokens = ["/", "\\", ".", "..", "C|", "C:", "a", "?", "#", "%2e", "\t"];
    let mut texts = vec![String::new()];
    let mut from = 0;
    for _ in 0..4 {
        let to = texts.len();
        for index in from..to {
            texts.extend(tokens.map(|token| format!("{}{token}", texts[index])));
        }
        from = to;
    }
    for state in states() {
        texts.par_iter().step_by(stride(5)).for_each(|text| {
            for base in ["file:///C:/a/b", "file://h/a/b", "file:///C:", "file:"] {
                state.agrees(base, text);
            }
            state.agrees("", &format!("file:{text}"));
            state.agrees("", &format!("file://{text}"));
        });
    }
}

#[test]
fn steps_and_behaviour_agree_on_every_vector() {
    let suite = Suite::embedded().expect("vectors in order");
    for state in states() {
        suite.resolutions().for_each(|case| state.agrees(&case.base, &case.reference));
    }
}

#[test]
fn steps_and_behaviour_agree_on_random_pairs() {
    let mut random = RandomPairs::new(17);
    let pairs: Vec<_> = (0..1_000_000 / stride(10)).map(|_| random.pair()).collect();
    let states = states();
    let state = |index: usize| &states[index % states.len()];
    pairs.par_iter().enumerate().for_each(|(index, (base, reference))| state(index).agrees(base, reference));
}
