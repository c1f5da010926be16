//! The fit of a behaviour to an engine.
//!
//! 1. Schemes are grouped by the engine's answers to the same questions (`classes`).
//! 2. Cleaning and tables are found directly, by asking about one character at a time (`tables`).
//! 3. Settings are found by climbing over structural probes and training pairs (`climb`). The search starts from the
//!    specifications and from known behaviours of other engines.
//!
//! The fit depends only on the engine's answers and on the known behaviours.

mod classes;
mod climb;
mod evidence;
mod probes;
mod tables;

use std::collections::{HashMap, HashSet};

use crate::behaviour::{Behaviour, Class, Form, ParsedAlone, Row, Syntax, Tables};
use crate::pairs::generate::RandomPairs;
use climb::Probes;

pub use evidence::{Unrepeatable, repeated};

/// A base and a reference.
pub type Pair = (String, String);

/// What an engine returned: a URL, or `None` for a failure.
pub type Answer = Option<String>;

/// Returns an answer for each pair.
type Ask<'a> = Box<dyn FnMut(&[Pair]) -> Vec<Answer> + 'a>;

/// Asks an engine, and remembers its answers.
pub struct Asker<'a> {
    ask: Ask<'a>,
    answers: HashMap<Pair, Answer>,
}

impl<'a> Asker<'a> {
    /// Creates an asker. `ask` returns an answer for each pair.
    pub fn new(ask: impl FnMut(&[Pair]) -> Vec<Answer> + 'a) -> Self {
        Self { ask: Box::new(ask), answers: HashMap::new() }
    }

    /// Returns every pair that was asked with its answer, in the order of the pairs.
    fn sorted(&self) -> Vec<(&Pair, &Answer)> {
        let mut answers: Vec<_> = self.answers.iter().collect();
        answers.sort();
        answers
    }

    /// Returns every pair that was asked, in the order of the pairs.
    pub fn asked(&self) -> Vec<Pair> {
        self.sorted().into_iter().map(|(pair, _)| pair.clone()).collect()
    }

    /// Returns the answers for `pairs`. A pair that was asked before is not asked again.
    pub fn all(&mut self, pairs: &[Pair]) -> Vec<Answer> {
        let mut new: Vec<Pair> = pairs.iter().filter(|pair| !self.answers.contains_key(*pair)).cloned().collect();
        new.sort();
        new.dedup();
        if !new.is_empty() {
            let answers = (self.ask)(&new);
            self.answers.extend(new.into_iter().zip(answers));
        }
        pairs.iter().map(|pair| self.answers.get(pair).cloned().flatten()).collect()
    }

    /// Returns the answer for one pair.
    pub fn one(&mut self, base: &str, reference: &str) -> Answer {
        self.all(&[(base.to_owned(), reference.to_owned())]).pop().flatten()
    }
}

/// Fits a behaviour to the engine that `asker` asks. `training` are pairs that the fit may use besides its own probes.
/// `library` are behaviours of other engines, from which the search for settings starts.
pub fn fit(asker: &mut Asker<'_>, training: &[Pair], library: &[Behaviour]) -> Behaviour {
    let groups = classes::groups(asker);
    let mut behaviour = start(asker, &groups);
    let mut probes = structural(&groups);
    let mut seen: HashSet<Pair> = probes.iter().cloned().collect();
    let structural = probes.len();
    let mut random = RandomPairs::new(SEED);
    let ordinary = training.iter().cloned().chain((0..RANDOM).map(|_| random.pair()));
    probes.extend(ordinary.filter(|pair| seen.insert(pair.clone())));
    let answers = asker.all(&probes);
    let probes = Probes { pairs: &probes, answers: &answers, structural };
    let unfitted = behaviour.clone();
    let missed = climb::climb(&mut behaviour, &probes, library, usize::MAX);
    if climb::misses_many(&behaviour, &probes)
        && let Some(parsed_alone) = parsed_alone(asker, training, &climb::missed(&behaviour, &probes))
        && parsed_alone != behaviour.syntax.parsed_alone
    {
        let mut parsed = unfitted;
        parsed.syntax.parsed_alone = parsed_alone;
        // A search that misses more probes after its first round rarely ends with fewer.
        climb::climb(&mut parsed, &probes, library, missed);
        behaviour = climb::better(behaviour, parsed, &probes);
    }
    climb::finish(&mut behaviour, &probes);
    behaviour
}

/// Returns the pairs that a fit asks first of an engine that returns what `behaviour` predicts: those that find the classes of
/// schemes, the cleaning and the tables, and the structural probes. The same behaviour gives the same pairs.
pub fn questions(behaviour: &Behaviour) -> Vec<Pair> {
    let mut asker = Asker::new(|pairs| {
        let predicted = pairs.iter().map(|(base, reference)| behaviour.predict(base, reference));
        predicted.collect()
    });
    let groups = classes::groups(&mut asker);
    start(&mut asker, &groups);
    let mut questions = asker.asked();
    questions.extend(structural(&groups));
    questions
}

/// Returns the structural probes for a scheme of each group, and those without a scheme.
fn structural(groups: &[Vec<&'static str>]) -> Vec<Pair> {
    let mut probes: Vec<Pair> = representatives(groups).iter().flat_map(|name| probes::structure(name)).collect();
    probes.extend(probes::without_scheme());
    let mut seen = HashSet::new();
    probes.retain(|pair| seen.insert(pair.clone()));
    probes
}

/// The number of training pairs by which [`parsed_alone`] decides.
const ALONE: usize = 1_500;

/// Returns which strings the engine seems to parse and write alone: its results are the same if they are replaced by its
/// results for them without a base, and these are often others. For references only, this must be so for most of the pairs
/// that a behaviour without it `missed`.
fn parsed_alone(asker: &mut Asker<'_>, training: &[Pair], missed: &[Pair]) -> Option<ParsedAlone> {
    let step = training.len().div_ceil(ALONE).max(1);
    let pairs: Vec<Pair> = training.iter().filter(|(base, _)| !base.is_empty()).step_by(step).cloned().collect();
    let mut alone = |text: &dyn Fn(&Pair) -> String| {
        let texts: Vec<Pair> = pairs.iter().map(|pair| (String::new(), text(pair))).collect();
        asker.all(&texts).into_iter().map(Option::unwrap_or_default).collect::<Vec<String>>()
    };
    let [bases, references] = [alone(&|pair| pair.0.clone()), alone(&|pair| pair.1.clone())];
    let both: Vec<Pair> = bases.into_iter().zip(references.iter().cloned()).collect();
    if are_alike(asker, &pairs, &both) {
        return Some(ParsedAlone::BaseAndReference);
    }
    let of_missed: Vec<Pair> = missed.iter().map(|(_, reference)| (String::new(), reference.clone())).collect();
    let written = asker.all(&of_missed);
    let is_changed = |(answer, pair): &(&Answer, &Pair)| answer.as_ref().is_some_and(|url| *url != pair.1);
    if written.iter().zip(&of_missed).filter(is_changed).count() * 2 < missed.len() {
        return None;
    }
    // The text of these references may be extended by parts of the base first. One of which nothing is left is not an empty one.
    let is_extended = |(base, reference): &Pair| reference.starts_with("//") || base.contains('#');
    let written = pairs.iter().zip(references).filter(|(pair, alone)| !is_extended(pair) && !alone.is_empty());
    let (pairs, replaced): (Vec<Pair>, Vec<Pair>) =
        written.map(|(pair, reference)| (pair.clone(), (pair.0.clone(), reference))).unzip();
    are_alike(asker, &pairs, &replaced).then_some(ParsedAlone::Reference)
}

/// Returns whether the engine has the same results for `replaced` as for `pairs`, from which many of them differ.
fn are_alike(asker: &mut Asker<'_>, pairs: &[Pair], replaced: &[Pair]) -> bool {
    let (own, others) = (asker.all(pairs), asker.all(replaced));
    let is_equal = |at: &usize| own[*at].is_none() || own[*at] == others[*at];
    let equal = (0..pairs.len()).filter(is_equal).count();
    let changed = (0..pairs.len()).filter(|at| own[*at].is_some() && pairs[*at] != replaced[*at]).count();
    (pairs.len() - equal) * 100 < pairs.len() && changed * 20 > pairs.len()
}

/// The number of random pairs that a fit asks about, and their seed, which no measurement uses.
const RANDOM: usize = 6_000;
const SEED: u64 = 41;

/// Returns a scheme of each group: `foo` for its group, and the first one of each other group.
fn representatives(groups: &[Vec<&'static str>]) -> Vec<String> {
    let of = |group: &Vec<&'static str>| if group.contains(&"foo") { "foo" } else { group[0] };
    groups.iter().map(|group| of(group).to_owned()).collect()
}

/// Returns a behaviour with the classes, the cleaning and the tables of the engine. Each row is that of RFC 3986.
fn start(asker: &mut Asker<'_>, groups: &[Vec<&'static str>]) -> Behaviour {
    let rules = &urlstrata::revision::rfc3986::RULES;
    let row = Row::of(rules);
    let mut behaviour = Behaviour {
        reference: tables::cleaning(asker, false),
        base: tables::cleaning(asker, true),
        syntax: Syntax::of(rules),
        classes: Vec::new(),
        schemes: Default::default(),
        other: 0,
        relative: 0,
        unknown: 0,
    };
    for (index, (group, name)) in groups.iter().zip(representatives(groups)).enumerate() {
        let (reference, base) = tables::of_scheme(asker, &name);
        behaviour.classes.push(Class { rows: [row; Form::ALL.len()], reference, base });
        if name == "foo" {
            behaviour.other = index;
        } else {
            behaviour.schemes.extend(group.iter().map(|scheme| (scheme.to_ascii_lowercase(), index)));
        }
    }
    behaviour.relative = behaviour.classes.len();
    behaviour.unknown = behaviour.relative + 1;
    for base in ["/r/s", ""] {
        let (reference, base) = tables::without_scheme(asker, base, &behaviour.classes[behaviour.other]);
        behaviour.classes.push(Class { rows: [row; Form::ALL.len()], reference, base });
    }
    behaviour
}
