//! Vectors and pairs put to engines: do ours say what is printed, and what do others say instead?

use std::collections::BTreeMap;

use crate::engine::{Engine, ask};
use crate::model::attribute::{Attribution, Attributor, Cause, Effect, EnginePair, effect};
use crate::model::note::Note;
use crate::model::profile::{KnownProfile, Specification};
use crate::outcome::Outcome;
use crate::pairs::bases::Rank;
use serde::Serialize;

/// How many cases came out how.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
pub struct Totals {
    /// All of them.
    pub cases: u64,
    /// Those in which the engine says what the document says.
    pub agree: u64,
    /// Divergences with a cause: differences of the engine's profile, or, if it has none, of a document that has the same
    /// result.
    pub explained: u64,
    /// Divergences without a cause that belong to a listed class of deviations from the engine's profile.
    pub listed: u64,
    /// Divergences that the engine's profile does not predict, and for which a search outside it found a cause.
    pub outside: u64,
    /// Divergences without a cause.
    pub unexplained: u64,
}

impl Totals {
    /// Adds others to these.
    pub fn add(&mut self, other: &Self) {
        self.cases += other.cases;
        self.agree += other.agree;
        self.explained += other.explained;
        self.listed += other.listed;
        self.outside += other.outside;
        self.unexplained += other.unexplained;
    }

    /// Divergences that are not known: outside the profile, or without a reason.
    pub fn new_divergences(&self) -> u64 {
        self.outside + self.unexplained
    }
}

/// A pair, and what was said of it.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub struct ComparedPair {
    /// The reference.
    pub reference: String,
    /// The base.
    pub base: String,
    /// What the engine did.
    pub engine: Outcome,
    /// What the document says.
    pub document: Outcome,
    /// Where the reference is used, if that is known: a file and a line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

impl ComparedPair {
    /// The same cases have the same smallest one.
    fn rank(&self) -> (Rank<'_>, Option<&str>) {
        (Rank::of(&self.base, &self.reference), self.place.as_deref())
    }
}

/// All divergences of one cause and effect.
#[derive(Clone, Debug, Serialize)]
pub struct CauseClass {
    /// The cause's name.
    pub cause: String,
    /// Whether there is a cause: differences that turn the document's result into the engine's.
    pub explained: bool,
    /// Whether it is a listed class of deviations from the engine's profile, without a cause.
    pub listed: bool,
    /// Whether the engine's profile predicts something else, and the reason lies outside it.
    pub outside: bool,
    /// Whether only a search over all answers found it, so that it may coincide by chance.
    pub by_search: bool,
    /// The worst part in which the answers differ.
    pub effect: Effect,
    /// How many.
    pub count: u64,
    /// The revisions that say what the engine said, in the witness.
    pub signature: Vec<&'static str>,
    /// The answers that make the difference.
    pub notes: Vec<Note>,
    /// The smallest of the cases.
    pub witness: ComparedPair,
    /// The next smallest, as many as were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<ComparedPair>,
}

impl CauseClass {
    /// Adds a case, or a class of the same cause: the smallest is the witness, and `most` others are kept.
    fn merge(&mut self, other: Self, most: usize) {
        let count = self.count + other.count;
        let own = std::mem::take(&mut self.examples);
        let mut all: Vec<_> = own.into_iter().chain(other.examples.iter().cloned()).collect();
        if other.witness.rank() < self.witness.rank() {
            all.push(self.witness.clone());
            *self = other;
        } else {
            all.push(other.witness);
        }
        all.sort_by(|one, other| one.rank().cmp(&other.rank()));
        all.dedup();
        all.truncate(most);
        (self.count, self.examples) = (count, all);
    }
}

/// An engine beside a document.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The engine.
    pub engine: String,
    /// Its version.
    pub version: String,
    /// The document's id, or another engine's name.
    pub beside: String,
    /// How many cases came out how.
    pub totals: Totals,
    /// Divergences by cause, the worst effect first, then the most frequent.
    pub classes: Vec<CauseClass>,
    /// How many divergences have an effect that was not asked for, and are in no class.
    #[serde(skip_serializing_if = "is_zero")]
    pub otherwise: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// One engine beside several documents: it is asked once for all of them.
pub struct Comparer<'a> {
    engine: &'a dyn Engine,
    tallies: Vec<Tally<'a>>,
}

impl<'a> Comparer<'a> {
    /// Nothing asked yet.
    pub fn new(engine: &'a dyn Engine, specifications: &[Specification], known: Option<&KnownProfile>) -> Self {
        let tallies =
            specifications.iter().map(|specification| Tally::new(engine, Attributor::new(*specification, known)));
        Self { engine, tallies: tallies.collect() }
    }

    /// Keeps `examples` examples of each class besides the smallest.
    #[must_use]
    pub fn with_examples(self, examples: usize) -> Self {
        let tallies = self.tallies.into_iter().map(|tally| tally.with_examples(examples));
        Self { tallies: tallies.collect(), ..self }
    }

    /// Asks the engine, and adds what comes of it. Hands back what it did, and where it differs from what.
    pub fn ask(&mut self, base: &str, reference: &str) -> (Outcome, Vec<(&'static str, Attribution)>) {
        self.ask_at(base, reference, None)
    }

    /// As [`Self::ask`], of a reference that is used at `place`.
    pub fn ask_at(
        &mut self,
        base: &str,
        reference: &str,
        place: Option<&str>,
    ) -> (Outcome, Vec<(&'static str, Attribution)>) {
        let said = ask(self.engine, base, reference);
        let found = self.tallies.iter_mut().filter_map(|tally| {
            let found = tally.add_at(base, reference, &said, place)?;
            Some((tally.id(), found))
        });
        let found = found.collect();
        (said, found)
    }

    /// Adds what another collected of the same engine and documents.
    pub fn merge(&mut self, other: Self) {
        for (own, theirs) in self.tallies.iter_mut().zip(other.tallies) {
            own.merge(theirs);
        }
    }

    /// What came of it, in the order of the documents.
    pub fn finish(self) -> Vec<Comparison> {
        self.tallies.into_iter().map(Tally::finish).collect()
    }
}

/// What an engine is compared with.
enum Against<'a> {
    Document(Box<Attributor>),
    Engine(&'a dyn Engine, Box<EnginePair>),
}

/// Collects divergences from one document, or from another engine.
pub struct Tally<'a> {
    engine: &'a dyn Engine,
    against: Against<'a>,
    totals: Totals,
    classes: BTreeMap<(Effect, String), CauseClass>,
    /// How many examples of a class are kept besides the smallest.
    examples: usize,
    /// The effects that are attributed; all if there are none.
    only: Vec<Effect>,
    /// How many divergences have other effects.
    otherwise: u64,
}

impl<'a> Tally<'a> {
    /// An empty one, beside a document.
    pub fn new(engine: &'a dyn Engine, attributor: Attributor) -> Self {
        Self::against(engine, Against::Document(Box::new(attributor)))
    }

    /// An empty one, beside another engine.
    pub fn between(engine: &'a dyn Engine, other: &'a dyn Engine, engine_pair: EnginePair) -> Self {
        Self::against(engine, Against::Engine(other, Box::new(engine_pair)))
    }

    /// Keeps `examples` examples of each class besides the smallest.
    #[must_use]
    pub fn with_examples(self, examples: usize) -> Self {
        Self { examples, ..self }
    }

    /// Attributes only divergences with these effects, and counts the others.
    #[must_use]
    pub fn only(self, effects: &[Effect]) -> Self {
        Self { only: effects.to_vec(), ..self }
    }

    fn against(engine: &'a dyn Engine, against: Against<'a>) -> Self {
        let (totals, classes, only) = (Totals::default(), BTreeMap::new(), Vec::new());
        Self { engine, against, totals, classes, examples: 0, only, otherwise: 0 }
    }

    /// The document's id; nothing for another engine.
    fn id(&self) -> &'static str {
        match &self.against {
            Against::Document(attributor) => attributor.specification().id,
            Against::Engine(..) => "",
        }
    }

    /// Adds what the engine said; says what was found, if the two differ.
    pub fn add(&mut self, base: &str, reference: &str, said: &Outcome) -> Option<Attribution> {
        self.add_at(base, reference, said, None)
    }

    fn add_at(&mut self, base: &str, reference: &str, said: &Outcome, place: Option<&str>) -> Option<Attribution> {
        let own = match &self.against {
            Against::Document(attributor) => attributor.specification().says(base, reference),
            Against::Engine(other, _) => ask(*other, base, reference),
        };
        self.add_beside_at(own, base, reference, said, place)
    }

    /// As [`Self::add`], where what the document says, its `own` answer, is known.
    pub fn add_beside(&mut self, own: Outcome, base: &str, reference: &str, said: &Outcome) -> Option<Attribution> {
        self.add_beside_at(own, base, reference, said, None)
    }

    fn add_beside_at(
        &mut self,
        own: Outcome,
        base: &str,
        reference: &str,
        said: &Outcome,
        place: Option<&str>,
    ) -> Option<Attribution> {
        self.totals.cases += 1;
        if !self.only.is_empty()
            && let Some(effect) = effect(&own, said)
            && !self.only.contains(&effect)
        {
            self.otherwise += 1;
            return None;
        }
        let (found, cites) = match &self.against {
            Against::Document(attributor) => {
                let found = attributor.attribute_from(own, base, reference, said);
                let alike = found.as_ref().and_then(Attribution::alike);
                let cites =
                    [alike.map_or("", |alike| alike.cite_of_rules()), attributor.specification().cite_of_rules()];
                (found, cites)
            }
            Against::Engine(_, engine_pair) => {
                (engine_pair.attribute(base, reference, said, &own), engine_pair.cites())
            }
        };
        let Some(found) = found else {
            self.totals.agree += 1;
            return None;
        };
        let (explained, listed) = (found.cause.is_explained(), matches!(found.cause, Cause::Listed(_)));
        match (explained, found.outside, listed) {
            (true, false, _) => self.totals.explained += 1,
            (true, true, _) => self.totals.outside += 1,
            (false, _, true) => self.totals.listed += 1,
            (false, _, false) => self.totals.unexplained += 1,
        }
        let mark = if found.outside { "outside the profile: " } else { "" };
        let cause = format!("{mark}{}", found.cause.key());
        let witness = ComparedPair {
            reference: reference.to_owned(),
            base: base.to_owned(),
            engine: said.clone(),
            document: found.own.clone(),
            place: place.map(str::to_owned),
        };
        let is_smallest = |class: &CauseClass| {
            let last = class.examples.last().filter(|_| class.examples.len() >= self.examples);
            let last = if self.examples == 0 { Some(&class.witness) } else { last };
            last.is_none_or(|last| witness.rank() < last.rank())
        };
        let key = (found.effect, cause.clone());
        match self.classes.get_mut(&key) {
            Some(class) if !is_smallest(class) => class.count += 1,
            own => {
                let differences = found.cause.differences().iter();
                let class = CauseClass {
                    cause,
                    explained,
                    listed,
                    outside: found.outside,
                    by_search: matches!(found.cause, Cause::Search(_)),
                    effect: found.effect,
                    count: 1,
                    signature: found.signature.clone(),
                    notes: differences.map(|difference| Note::cited(difference, cites[1], cites[0])).collect(),
                    witness,
                    examples: Vec::new(),
                };
                match own {
                    Some(own) => own.merge(class, self.examples),
                    None => drop(self.classes.insert(key, class)),
                }
            }
        }
        Some(found)
    }

    /// Adds what another collected of the same engine and document.
    pub fn merge(&mut self, other: Self) {
        self.totals.add(&other.totals);
        self.otherwise += other.otherwise;
        for (key, theirs) in other.classes {
            match self.classes.get_mut(&key) {
                Some(own) => own.merge(theirs, self.examples),
                None => {
                    self.classes.insert(key, theirs);
                }
            }
        }
    }

    /// What came of it.
    pub fn finish(self) -> Comparison {
        let mut classes: Vec<_> = self.classes.into_values().collect();
        classes
            .sort_by(|one, other| (one.effect, other.count, &one.cause).cmp(&(other.effect, one.count, &other.cause)));
        Comparison {
            engine: self.engine.name().to_owned(),
            version: self.engine.version().to_owned(),
            beside: match &self.against {
                Against::Document(attributor) => attributor.specification().id.to_owned(),
                Against::Engine(other, _) => other.name().to_owned(),
            },
            totals: self.totals,
            classes,
            otherwise: self.otherwise,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Comparer, Tally};
    use crate::engine::FaultyEngine;
    use crate::model::attribute::Attributor;
    use crate::model::profile::Specification;
    use crate::outcome::Outcome;

    fn rfc3986() -> Specification {
        Specification::by_id("rfc3986").expect("a document")
    }

    #[test]
    fn an_engine_that_lies_crashes_and_keeps_silent_is_counted_and_survived() {
        let mut beside = Comparer::new(&FaultyEngine, &[rfc3986()], None);
        for reference in ["g", "lie", "crash", "silence", "../g"] {
            beside.ask("http://a/b/c", reference);
        }
        let found = &beside.finish()[0];
        assert_eq!(
            (found.totals.cases, found.totals.agree, found.totals.explained, found.totals.unexplained),
            (5, 2, 0, 3)
        );
        let causes: Vec<_> = found.classes.iter().map(|class| class.cause.as_str()).collect();
        assert_eq!(causes, ["unexplained: host", "unexplained: a crash", "unexplained: no answer"]);
        assert_eq!(found.classes[1].witness.engine, Outcome::Crash("on purpose".to_owned()));
    }

    #[test]
    fn the_witness_is_the_smallest_case_whatever_came_first() {
        let said = Outcome::Url("http://elsewhere/".to_owned());
        let witness = |references: [&str; 3]| {
            let mut tally = Tally::new(&FaultyEngine, Attributor::new(rfc3986(), None));
            for reference in references {
                tally.add("http://a/b", reference, &said);
            }
            tally.finish().classes[0].witness.reference.clone()
        };
        assert_eq!(witness(["long", "b", "a"]), "a");
        assert_eq!(witness(["a", "long", "b"]), "a");
    }
}
