//! The URL Standard's two forms agree: the steps of its revisions, and the profiles that describe them.

use rayon::prelude::*;
use urlstrata::revision::whatwg::{self, Change, ChangeSet};
use urlstrata::revision::{Revision, rfc3986};
use urlstrata_harness::model::specification::Specification;
use urlstrata_harness::normalize::{Normalization, Normalizations, Profile};
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::pairs::generate::{ALPHABET, BASES, RandomPairs, count, nth};
use urlstrata_harness::vector::Suite;

/// A state of the Standard: the changes that define it, and its profile.
struct State {
    landed: ChangeSet,
    profile: Profile,
}

impl State {
    fn of(landed: ChangeSet) -> Self {
        let profile = Profile { rules: rfc3986::RULES, normalizations: Normalizations::url_standard(landed) };
        Self { landed, profile }
    }

    #[track_caller]
    fn agrees(&self, base: &str, reference: &str) {
        let by_steps = Outcome::from(whatwg::resolve(self.landed, base, reference));
        assert!(
            self.profile.predicts(base, reference, &by_steps),
            "{reference:?} on {base:?}: {by_steps:?} by steps, {:?} by profile",
            self.profile.predict(base, reference)
        );
    }
}

fn landed(revision: &Revision) -> ChangeSet {
    whatwg::changes_of(revision).expect("a revision of the URL Standard")
}

/// The state of January 2022 with the file URLs of August 2020, which the crate `url` follows.
fn older_files() -> ChangeSet {
    let without = |landed: ChangeSet, commit| landed.without(Change::by_commit(commit).expect("a change"));
    ["47efa00", "a19495e"].into_iter().fold(landed(&whatwg::WHATWG_2022_01), without)
}

#[test]
fn a_profile_describes_the_states_since_january_2022() {
    let described: Vec<_> = Specification::all().iter().filter(|it| it.is_url_standard()).map(|it| it.id).collect();
    assert_eq!(described, ["whatwg-2022-01", "whatwg-2025-03", "whatwg-2026-07"]);
}

/// Every string of up to five characters of the survey's alphabet, on every base of the survey.
#[test]
fn steps_and_profile_agree_on_every_short_reference() {
    let alphabet: Vec<char> = ALPHABET.chars().collect();
    // The alphabet has few of the characters that make a difference to file URLs, which the next test has.
    for (state, length) in [(ChangeSet::ALL, 5), (landed(&whatwg::WHATWG_2022_01), 5), (older_files(), 3)] {
        let numbers = count(alphabet.len(), length).expect("a number");
        let state = State::of(state);
        (0..numbers).into_par_iter().for_each_init(String::new, |reference, number| {
            nth(&alphabet, number, reference);
            BASES.iter().for_each(|base| state.agrees(base, reference));
        });
    }
}

/// The strings with which references to file URLs differ between the states.
#[test]
fn steps_and_profile_agree_on_every_short_reference_to_a_file() {
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
    for state in [ChangeSet::ALL, older_files()].map(State::of) {
        texts.par_iter().for_each(|text| {
            for base in ["file:///C:/a/b", "file://h/a/b", "file:///C:", "file:"] {
                state.agrees(base, text);
            }
            state.agrees("", &format!("file:{text}"));
            state.agrees("", &format!("file://{text}"));
        });
    }
}

#[test]
fn steps_and_profile_agree_on_every_vector() {
    let suite = Suite::embedded().expect("vectors in order");
    let older = [&whatwg::WHATWG_2025_03, &whatwg::WHATWG_2022_01].map(landed);
    for state in [ChangeSet::ALL, older[0], older[1], older_files()].map(State::of) {
        suite.resolutions().for_each(|case| state.agrees(&case.base, &case.reference));
    }
}

#[test]
fn steps_and_profile_agree_on_random_pairs() {
    let mut random = RandomPairs::new(17);
    let pairs: Vec<_> = (0..1_000_000).map(|_| random.pair()).collect();
    let states = [ChangeSet::ALL, landed(&whatwg::WHATWG_2022_01), older_files()].map(State::of);
    pairs.par_iter().enumerate().for_each(|(index, (base, reference))| states[index % 3].agrees(base, reference));
}

/// A normalization that a change added or removed acts on that change's witness, and its state is the Standard's.
#[test]
fn a_normalization_that_cites_a_change_is_that_change() {
    let cited = Normalization::ALL.iter().filter_map(|it| Some((it, it.change()?)));
    let mut count = 0;
    for (normalization, (change, since)) in cited {
        let (base, reference) = normalization.witness();
        let [with, without] = [ChangeSet::ALL, ChangeSet::ALL.without(change)]
            .map(|landed| whatwg::resolve(landed, base, reference).map(|target| target.url).ok());
        assert_ne!(with, without, "{}", normalization.name());
        assert_eq!(Normalizations::url_standard(ChangeSet::ALL).has(*normalization), since);
        count += 1;
    }
    assert_eq!(count, 5);
}
