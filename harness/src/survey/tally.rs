//! Comparison of engines with specifications or with each other: divergences, grouped by cause and effect.

use urlstrata::fast;

use crate::engine::{Engine, Pair, ask, ask_each};
use crate::knowledge::attribute::{Answer, Attribution, Attributor, Effect, EnginePair, Model, Obstacle, effect};
use crate::knowledge::note::Note;
use crate::knowledge::specification::Specification;
use crate::outcome::Outcome;

use super::comparison::{CauseClass, Classes, ComparedPair, Comparison, Totals, merge_class, sorted};
use super::rows::Kind;

/// Compares an engine with several specifications. Each pair is sent to the engine only once.
pub struct Comparer<'a> {
    engine: &'a dyn Engine,
    tallies: Vec<Tally<'a>>,
}

impl<'a> Comparer<'a> {
    /// Creates a comparer without results. `model` is what is known of `engine`.
    pub fn new(engine: &'a dyn Engine, specifications: &[Specification], model: &Model) -> Self {
        let attributor = |specification: &Specification| Attributor::new(*specification, model.clone());
        let tallies = specifications.iter().map(|specification| Tally::new(engine, attributor(specification)));
        Self { engine, tallies: tallies.collect() }
    }

    /// Keeps `examples` examples of each class in addition to the witness.
    #[must_use]
    pub fn with_examples(self, examples: usize) -> Self {
        let tallies = self.tallies.into_iter().map(|tally| tally.with_examples(examples));
        Self { tallies: tallies.collect(), ..self }
    }

    /// Counts the pairs only; see [`Tally::counting`].
    #[must_use]
    pub fn counting(self) -> Self {
        let tallies = self.tallies.into_iter().map(Tally::counting);
        Self { tallies: tallies.collect(), ..self }
    }

    /// Resolves a pair with the engine and adds the result.
    ///
    /// Returns the engine's outcome, and the id of each specification with a different result, together with the
    /// attribution of the divergence.
    pub fn ask(&mut self, base: &str, reference: &str) -> (Outcome, Vec<(&'static str, Attribution)>) {
        self.ask_at(base, reference, None)
    }

    /// Resolves and adds a pair as [`Self::ask`] does, for a reference that is used at `place`.
    pub fn ask_at(
        &mut self,
        base: &str,
        reference: &str,
        place: Option<&str>,
    ) -> (Outcome, Vec<(&'static str, Attribution)>) {
        let returned = ask(self.engine, base, reference);
        let found = self.add(&Answer::new(base, reference, &returned), place);
        (returned, found)
    }

    /// Resolves `pairs` with the engine in one call, and adds the results.
    pub fn ask_all(&mut self, pairs: &[Pair<'_>]) {
        self.ask_all_at(pairs, |_| None);
    }

    /// Resolves and adds pairs as [`Self::ask_all`] does. `place` returns where the reference of the pair with an index is used.
    pub fn ask_all_at<'p>(&mut self, pairs: &[Pair<'_>], place: impl Fn(usize) -> Option<&'p str>) {
        for (at, (&(base, reference), returned)) in pairs.iter().zip(ask_each(self.engine, pairs)).enumerate() {
            self.add(&Answer::new(base, reference, &returned), place(at));
        }
    }

    fn add(&mut self, answer: &Answer<'_>, place: Option<&str>) -> Vec<(&'static str, Attribution)> {
        let Answer { base, reference, returned, .. } = *answer;
        let found = self.tallies.iter_mut().filter_map(|tally| {
            let own = match tally.is_counting && returned.url().is_none() {
                true => tally.other.accept(tally.engine, base, reference),
                false => tally.other.resolve(tally.engine, base, reference),
            };
            let found = tally.add_answer(own, answer, place)?;
            Some((tally.id(), found))
        });
        found.collect()
    }

    /// Adds the results of another comparer of the same engine and specifications.
    pub fn merge(&mut self, other: Self) {
        for (own, theirs) in self.tallies.iter_mut().zip(other.tallies) {
            own.merge(theirs);
        }
    }

    /// Returns the comparison with each specification, in their order.
    pub fn finish(self) -> Vec<Comparison> {
        self.tallies.into_iter().map(Tally::finish).collect()
    }
}

/// The other side of a comparison.
enum Other<'a> {
    Specification(Box<Attributor>),
    Engine(&'a dyn Engine, Box<EnginePair>),
}

impl Other<'_> {
    /// Returns the result of this side, for a comparison with `engine`. The optimized engine and the reference implementation
    /// return the same, so the faster one is asked, but never to evaluate itself.
    fn resolve(&self, engine: &dyn Engine, base: &str, reference: &str) -> Outcome {
        match self {
            Self::Specification(attributor) => {
                let specification = attributor.specification();
                match engine.revision().is_some_and(|own| own.id == specification.id) {
                    true => specification.resolve(base, reference),
                    false => specification.resolve_fast(base, reference),
                }
            }
            Self::Engine(other, _) => ask(*other, base, reference),
        }
    }

    /// Returns the results of this side for `pairs` as [`Self::resolve`] does. An engine is asked in one call.
    fn resolve_each(&self, engine: &dyn Engine, pairs: &[Pair<'_>]) -> Vec<Outcome> {
        match self {
            Self::Specification(_) => {
                pairs.iter().map(|(base, reference)| self.resolve(engine, base, reference)).collect()
            }
            Self::Engine(other, _) => ask_each(*other, pairs),
        }
    }

    /// Returns the result of this side as [`Self::resolve`] does, but not why it is a failure, which takes longer to find out.
    fn accept(&self, engine: &dyn Engine, base: &str, reference: &str) -> Outcome {
        let rules = match self {
            // The reference implementation is compared with the optimized engine, and not with itself.
            Self::Specification(attributor) if engine.revision().is_none() => attributor.specification().revision.rules,
            _ => None,
        };
        match rules.map(|rules| fast::resolve(rules, base, reference)) {
            Some(Ok(url)) => Outcome::Url(url),
            Some(Err(_)) => Outcome::Failure(String::new()),
            None => self.resolve(engine, base, reference),
        }
    }

    /// Attributes the engine's answer, if it differs from the result `own` of this side.
    fn attribute(&self, own: Outcome, answer: &Answer<'_>) -> Option<Attribution> {
        match self {
            Self::Specification(attributor) => attributor.attribute_from(own, answer),
            Self::Engine(_, engine_pair) => engine_pair.attribute(answer.base, answer.reference, answer.returned, &own),
        }
    }

    /// Returns whether the engine's behaviour only predicts results, without a cause.
    fn only_predicts(&self) -> bool {
        matches!(self, Self::Specification(attributor) if attributor.is_fitted())
    }

    /// Returns whether a divergence from the result `own` of this side has a cause, because both results are predicted; see
    /// [`Attributor::predicts_both`].
    fn predicts_both(&self, own: &Outcome, answer: &Answer<'_>) -> bool {
        match self {
            Self::Specification(attributor) => attributor.predicts_both(own, answer),
            Self::Engine(..) => false,
        }
    }

    /// Returns the notes on `found`, the attribution of `answer`. The first side of each note is this side.
    fn notes(&self, found: &Attribution, answer: &Answer<'_>) -> Vec<Note> {
        match self {
            Self::Specification(attributor) => attributor.notes(found, answer),
            Self::Engine(_, engine_pair) => engine_pair.notes(found, answer.base, answer.reference),
        }
    }
}

/// Collects the divergences of an engine from a specification, or from another engine.
pub struct Tally<'a> {
    engine: &'a dyn Engine,
    other: Other<'a>,
    totals: Totals,
    classes: Classes,
    /// The number of examples of a class that are kept in addition to the witness.
    examples: usize,
    /// The effects that are attributed. An empty list means all effects.
    only: Vec<Effect>,
    /// The number of divergences with other effects.
    otherwise: u64,
    /// Whether causes are not searched where they certainly exist.
    is_counting: bool,
    /// Whether the classes have no notes.
    is_plain: bool,
    /// Whether nothing but its results is known of `engine`.
    is_observed: bool,
}

impl<'a> Tally<'a> {
    /// Creates an empty tally that compares `engine` with the specification of `attributor`.
    pub fn new(engine: &'a dyn Engine, attributor: Attributor) -> Self {
        let is_observed = attributor.is_observed() && engine.revision().is_none();
        Self { is_observed, ..Self::of(engine, Other::Specification(Box::new(attributor))) }
    }

    /// Creates an empty tally that compares `engine` with `other`.
    pub fn between(engine: &'a dyn Engine, other: &'a dyn Engine, engine_pair: EnginePair) -> Self {
        Self::of(engine, Other::Engine(other, Box::new(engine_pair)))
    }

    /// Keeps `examples` examples of each class in addition to the witness.
    #[must_use]
    pub fn with_examples(self, examples: usize) -> Self {
        Self { examples, ..self }
    }

    /// Attributes only divergences with these effects. Divergences with other effects are only counted.
    #[must_use]
    pub fn only(self, effects: &[Effect]) -> Self {
        Self { only: effects.to_vec(), ..self }
    }

    /// Counts divergences from a specification without a search for their causes, if the behaviours of both sides predict the
    /// results, because then there are causes. The totals are the same as with a search; the classes are those of the other
    /// divergences.
    #[must_use]
    pub fn counting(self) -> Self {
        Self { is_counting: true, ..self }
    }

    /// Leaves out the notes of the classes, for output that does not show them.
    #[must_use]
    pub fn without_notes(self) -> Self {
        Self { is_plain: true, ..self }
    }

    fn of(engine: &'a dyn Engine, other: Other<'a>) -> Self {
        let (totals, classes, only) = (Totals::default(), Classes::new(), Vec::new());
        Self {
            engine,
            other,
            totals,
            classes,
            examples: 0,
            only,
            otherwise: 0,
            is_counting: false,
            is_plain: false,
            is_observed: false,
        }
    }

    /// Returns the id of the specification; empty for another engine.
    fn id(&self) -> &'static str {
        match &self.other {
            Other::Specification(attributor) => attributor.specification().id,
            Other::Engine(..) => "",
        }
    }

    /// Resolves `pairs` with both sides, an engine in one call, and adds the results.
    pub fn ask_all(&mut self, pairs: &[Pair<'_>]) {
        let returned = ask_each(self.engine, pairs);
        let own = self.other.resolve_each(self.engine, pairs);
        for ((&(base, reference), returned), own) in pairs.iter().zip(returned).zip(own) {
            self.add_against(own, base, reference, &returned);
        }
    }

    /// Adds the engine's outcome `returned` for a pair. Returns the attribution if it differs from the other side's result.
    pub fn add(&mut self, base: &str, reference: &str, returned: &Outcome) -> Option<Attribution> {
        self.add_against(self.other.resolve(self.engine, base, reference), base, reference, returned)
    }

    /// Adds an outcome as [`Self::add`] does, if the other side's result is already known: it is passed as `own`.
    pub fn add_against(
        &mut self,
        own: Outcome,
        base: &str,
        reference: &str,
        returned: &Outcome,
    ) -> Option<Attribution> {
        self.add_answer(own, &Answer::new(base, reference, returned), None)
    }

    /// Returns the notes on `found`, the attribution of `answer`. The first side of each note is the other side.
    pub fn notes(&self, found: &Attribution, answer: &Answer<'_>) -> Vec<Note> {
        self.other.notes(found, answer)
    }

    fn add_answer(&mut self, own: Outcome, answer: &Answer<'_>, place: Option<&str>) -> Option<Attribution> {
        self.totals.cases += 1;
        let is_answered = Obstacle::unanswered([&own, answer.returned]).is_none();
        if is_answered
            && !self.only.is_empty()
            && let Some(effect) = effect(&own, answer.returned)
            && !self.only.contains(&effect)
        {
            self.otherwise += 1;
            return None;
        }
        if self.is_counting && effect(&own, answer.returned).is_some() && self.other.predicts_both(&own, answer) {
            *(if self.other.only_predicts() { &mut self.totals.predicted } else { &mut self.totals.explained }) += 1;
            return None;
        }
        let Some(found) = self.other.attribute(own, answer) else {
            let count = if is_answered { &mut self.totals.agree } else { &mut self.totals.unanswered };
            *count += 1;
            return None;
        };
        let witness = ComparedPair {
            reference: answer.reference.to_owned(),
            base: answer.base.to_owned(),
            engine: answer.returned.clone(),
            specification: found.own.clone(),
            place: place.map(str::to_owned),
        };
        self.add_divergence(&found, answer, witness);
        Some(found)
    }

    /// Counts a divergence, and keeps its pair if it belongs to the smallest of its class.
    fn add_divergence(&mut self, found: &Attribution, answer: &Answer<'_>, witness: ComparedPair) {
        let kind = Kind::of(found);
        match kind {
            Kind::Explained => self.totals.explained += 1,
            Kind::Predicted => self.totals.predicted += 1,
            Kind::Outside => self.totals.outside += 1,
            Kind::Listed => self.totals.listed += 1,
            Kind::Unanswered => self.totals.unanswered += 1,
            Kind::Unexplained | Kind::Agree | Kind::Skipped => self.totals.unexplained += 1,
        }
        let mark = if found.outside { "outside the behaviour: " } else { "" };
        let cause = format!("{mark}{}", found.cause.class());
        let is_smallest = |class: &CauseClass| {
            let last = class.examples.last().filter(|_| class.examples.len() >= self.examples);
            let last = if self.examples == 0 { Some(&class.witness) } else { last };
            last.is_none_or(|last| witness.rank() < last.rank())
        };
        let key = (found.effect, cause.clone());
        match self.classes.get_mut(&key) {
            Some(class) if !is_smallest(class) => class.count += 1,
            _ => {
                let class = CauseClass {
                    cause,
                    explained: found.cause.is_explained(),
                    predicted: kind == Kind::Predicted,
                    listed: kind == Kind::Listed,
                    outside: found.outside,
                    unanswered: kind == Kind::Unanswered,
                    unknown: !found.cause.is_known(),
                    effect: found.effect,
                    count: 1,
                    signature: answer.signature(found).iter().copied().map(Into::into).collect(),
                    notes: Vec::new(),
                    witness,
                    examples: Vec::new(),
                };
                merge_class(&mut self.classes, key, class, self.examples);
            }
        }
    }

    /// Adds the results of another tally of the same engine and the same other side.
    pub fn merge(&mut self, other: Self) {
        self.totals.add(&other.totals);
        self.otherwise += other.otherwise;
        for (key, theirs) in other.classes {
            merge_class(&mut self.classes, key, theirs, self.examples);
        }
    }

    /// Returns the comparison. Notes are written only now, for the smallest pair of each cause.
    pub fn finish(mut self) -> Comparison {
        for class in self.classes.values_mut().filter(|_| !self.is_plain) {
            let ComparedPair { base, reference, engine, specification, .. } = &class.witness;
            let answer = Answer::new(base, reference, engine);
            let found = self.other.attribute(specification.clone(), &answer);
            class.notes = found.map_or_else(Vec::new, |found| self.other.notes(&found, &answer));
            // The others have the same done to characters of their own.
            for note in class.notes.iter_mut().filter(|note| class.count > 1 && note.name.starts_with("characters of "))
            {
                let question = note.question.replace("these characters", "such characters");
                note.question = format!("{question} Those of the smallest pair are named.");
            }
        }
        Comparison {
            engine: self.engine.name().to_owned(),
            version: self.engine.version().to_owned(),
            against: match &self.other {
                Other::Specification(attributor) => attributor.specification().id.to_owned(),
                Other::Engine(other, _) => other.name().to_owned(),
            },
            totals: self.totals,
            classes: sorted(self.classes),
            is_observed: self.is_observed,
            otherwise: self.otherwise,
        }
    }
}
