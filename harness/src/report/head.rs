//! The head of the page of a recorded engine: three sentences, and the deviations that they name.

use serde::Serialize;

use super::page::grouped;
use crate::behaviour::{self, Behaviour, Decisive, Undetermined};
use crate::engine::folder::EngineFolder;
use crate::model::known::DeviationKind;
use crate::model::notable::{Notable, NotableDeviation};
use crate::model::specification::Specification;
use crate::outcome::Outcome;

/// The number of differences that the head of an engine without notable deviations lists.
const LISTED: usize = 3;

/// The head of the page of a recorded engine.
#[derive(Serialize)]
pub(super) struct Head {
    /// Three sentences: which specification the engine is nearest to, what it does otherwise on purpose, and what looks
    /// like a bug.
    sentences: [String; 3],
    /// The specification from which the engine deviates.
    specification: String,
    /// The notable deviations.
    deviations: Vec<DeviationRow>,
    /// What decides most pairs, if no deviation is stated.
    frequent: Vec<FrequentRow>,
}

/// A notable deviation.
#[derive(Serialize)]
struct DeviationRow {
    does: String,
    kind: DeviationKind,
    reason: String,
    issue: String,
    /// The names of the settings, each with the names of other values that fit equally well.
    settings: Vec<(String, Vec<&'static str>)>,
    base: String,
    reference: String,
    returned: Outcome,
    /// The result with the settings of the specification.
    otherwise: Outcome,
}

/// A difference that decides many pairs.
#[derive(Serialize)]
struct FrequentRow {
    name: String,
    question: String,
    own: String,
    /// The names of other values that fit equally well.
    others: Vec<&'static str>,
    specified: String,
    pairs: usize,
    base: String,
    reference: String,
}

/// What is known of the newest recorded version of an engine.
pub(super) struct Newest<'a> {
    pub(super) engine: &'a EngineFolder,
    pub(super) version: &'a str,
    pub(super) behaviour: &'a Behaviour,
    /// The settings of the behaviour that are undetermined.
    pub(super) undetermined: &'a Undetermined,
    /// The outcomes, in the order of the engine's panel.
    pub(super) outcomes: &'a [Outcome],
    /// The nearest specification.
    pub(super) nearest: Specification,
}

impl Newest<'_> {
    /// Returns the number of URLs, and how many of them `specification` returns, and of outcomes that are the same.
    fn alike(&self, specification: &Behaviour) -> (usize, usize, usize) {
        let (mut urls, mut alike, mut same) = (0, 0, 0);
        for ((base, reference), outcome) in self.engine.panel.pairs().into_iter().zip(self.outcomes) {
            let is_same = specification.predict(base, reference).as_deref() == outcome.url();
            urls += usize::from(outcome.url().is_some());
            alike += usize::from(is_same && outcome.url().is_some());
            same += usize::from(is_same);
        }
        (urls, alike, same)
    }

    /// Returns the head of the engine's page.
    ///
    /// # Errors
    ///
    /// Returns a sentence if a notable deviation is not valid or not true.
    pub(super) fn head(&self) -> Result<Head, String> {
        let notable = Notable::of(self.engine).map_err(|error| error.to_string())?;
        let specification = notable.as_ref().map_or(self.nearest, |notable| notable.specification);
        let (name, specified) = (specification.name(), specification.behaviour());
        let (urls, alike, same) = self.alike(specified);
        let own = format!("{} {}", self.engine.name, self.version);
        let is_equal = same == self.outcomes.len();
        let of_urls =
            format!("{} of the {} pairs for which it returns a URL", grouped(alike as u64), grouped(urls as u64));
        let first = if is_equal {
            format!("{own} returns the results of {name} for all {} pairs of the panel.", grouped(same as u64))
        } else if specification.id == self.nearest.id {
            format!("{own} is nearest to {name} by its settings, and returns the same URL for {of_urls}.")
        } else {
            let documented = specification.is_named_in(&self.engine.description.follows);
            let does = if documented { "follows" } else { "is compared with" };
            let by = if documented { " by its documentation" } else { "" };
            // The distance counts settings, some of which decide about few pairs.
            let most = self.alike(self.nearest.behaviour()).1;
            let nearer = match most > alike {
                true => format!(
                    "; by its settings, it is nearest to {}, which returns the same URL for {}",
                    self.nearest.name(),
                    grouped(most as u64)
                ),
                false => String::new(),
            };
            format!("{own} {does} {name}{by}, and returns the same URL for {of_urls}{nearer}.")
        };
        let deviations = notable.map_or_else(Vec::new, |notable| notable.deviations);
        let frequent = match deviations.is_empty() && !is_equal {
            true => self.frequent(specified),
            false => Vec::new(),
        };
        let [second, third] = match (&deviations[..], &frequent[..]) {
            ([], []) => [
                "It never returns another result for a pair of the panel.".to_owned(),
                "No deviation is known that looks like a bug.".to_owned(),
            ],
            ([], frequent) => unreviewed(frequent),
            (deviations, _) => reviewed(deviations),
        };
        let row = |deviation| self.row(deviation, specified);
        Ok(Head {
            sentences: [first, second, third],
            specification: name,
            deviations: deviations.into_iter().map(row).collect::<Result<_, _>>()?,
            frequent,
        })
    }

    /// Returns the differences from `specified` that decide most pairs.
    fn frequent(&self, specified: &Behaviour) -> Vec<FrequentRow> {
        let pairs = self.engine.panel.pairs().into_iter().zip(self.outcomes);
        let is_met = |((base, reference), outcome): &((&str, &str), &Outcome)| {
            self.behaviour.predict(base, reference).as_deref() == outcome.url()
        };
        let met = pairs.filter(is_met).map(|(pair, _)| pair);
        let decisive = behaviour::decisive(self.behaviour, specified, met).into_iter().take(LISTED);
        decisive.map(|decisive| self.frequent_row(decisive)).collect()
    }

    fn frequent_row(&self, decisive: Decisive) -> FrequentRow {
        let Decisive { difference, pairs, smallest: (base, reference) } = decisive;
        let (own, specified) = (difference.to.text, difference.from.text);
        let others = self.behaviour.also_fitting_names(self.undetermined, &difference.name, &base, &reference);
        FrequentRow {
            name: difference.name,
            question: difference.question,
            own,
            others,
            specified,
            pairs,
            base,
            reference,
        }
    }

    fn row(&self, deviation: NotableDeviation, specified: &Behaviour) -> Result<DeviationRow, String> {
        let number = self.engine.panel.find(&deviation.pair.base, &deviation.pair.reference);
        let recorded = number.map(|number| &self.outcomes[number]);
        let decision = deviation.decides(&self.engine.name, self.behaviour, specified, recorded);
        let decision = decision.map_err(|error| error.to_string())?;
        let NotableDeviation { pair, settings, .. } = deviation;
        let settings = settings.into_iter().map(|name| {
            let others = self.behaviour.also_fitting_names(self.undetermined, &name, &pair.base, &pair.reference);
            (name, others)
        });
        Ok(DeviationRow {
            does: deviation.does,
            kind: deviation.kind,
            reason: deviation.reason,
            issue: deviation.issue,
            settings: settings.collect(),
            base: pair.base,
            reference: pair.reference,
            returned: decision.returned,
            otherwise: decision.otherwise,
        })
    }
}

/// Joins verb phrases whose subject is "it": with commas and "and", or with semicolons if a phrase itself contains these.
fn listed(phrases: &[&str]) -> String {
    let is_compound = |phrase: &&str| phrase.contains(" and ") || phrase.contains(", ");
    match phrases {
        [] => String::new(),
        [one] => (*one).to_owned(),
        several if several.iter().any(is_compound) => several.join("; it "),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Returns the second and the third sentence about an engine with notable deviations.
fn reviewed(deviations: &[NotableDeviation]) -> [String; 2] {
    let of = |is: &dyn Fn(&NotableDeviation) -> bool| -> String {
        listed(&deviations.iter().filter(|it| is(it)).map(|it| it.does.as_str()).collect::<Vec<_>>())
    };
    let purpose = of(&NotableDeviation::is_purpose);
    let bugs = of(&|it| it.kind == DeviationKind::Bug);
    let unclear = of(&|it| it.kind == DeviationKind::Unclear);
    let second = match purpose.as_str() {
        "" => "None of its known deviations is on purpose.".to_owned(),
        _ => format!("On purpose, it {purpose}."),
    };
    let third = match (bugs.as_str(), unclear.as_str()) {
        ("", "") => "None of its known deviations looks like a bug.".to_owned(),
        ("", unclear) => format!("It is not clear why it {unclear}."),
        (bugs, "") => format!("It looks like a bug that it {bugs}."),
        (bugs, unclear) => format!("It looks like a bug that it {bugs}; and it is not clear why it {unclear}."),
    };
    [second, third]
}

/// Returns the second and the third sentence about an engine without notable deviations.
fn unreviewed(frequent: &[FrequentRow]) -> [String; 2] {
    let names: Vec<String> =
        frequent.iter().map(|row| format!("`{}` ({} pairs)", row.name, grouped(row.pairs as u64))).collect();
    let names = listed(&names.iter().map(String::as_str).collect::<Vec<_>>());
    [
        format!("The settings that change most of its results are {names}; their reasons are not recorded."),
        "Nobody has reviewed these deviations, so it is not known whether one of them is a bug.".to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn phrases_are_joined_so_that_each_can_be_told_from_the_next() {
        assert_eq!(listed(&["does a"]), "does a");
        assert_eq!(listed(&["does a", "does b", "does c"]), "does a, does b and does c");
        assert_eq!(listed(&["does a and b", "does c"]), "does a and b; it does c");
    }
}
