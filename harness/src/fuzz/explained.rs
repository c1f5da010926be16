//! The engines in this process beside every document.

use std::fmt::Write;

use urlstrata::revision;

use super::agree::{WORDS, pairs, steps};
use super::{Fault, Law, Pair, Seen};
use crate::engine::{self, Engine, ask};
use crate::model::attribute::{Attribution, Attributor, Cause, Effect, EnginePair, effect};
use crate::model::known;
use crate::model::profile::{KnownProfile, Specification};
use crate::outcome::Outcome;
use crate::vector::Suite;

/// On pairs built from the grammars.
pub struct Explained;

impl Law for Explained {
    type Case = Pair;
    const NAME: &'static str = "explained";
    const STATES: &'static str = "no divergence of an engine in this process from a document or from another of them is \
                                  unexplained, and every cause turns the one result into the other";
    const WORDS: &'static [&'static str] = WORDS;

    fn check(case: &Pair, seen: &mut Seen) -> Result<(), Fault> {
        let says = |specification: &Specification| Says::of(specification, case);
        let documents: Vec<_> = READINGS.with(|specifications| specifications.iter().map(says).collect());
        ENGINES.with(|engines| {
            engines.iter().try_for_each(|asked| asked.check(case, &documents, seen))?;
            // One engine_pair a case, chosen by its bytes, so that all get their share.
            let number = case.base.bytes().chain(case.reference.bytes()).map(usize::from).sum::<usize>();
            let (one, step) = (number % engines.len(), number / engines.len() % (engines.len() - 1) + 1);
            check_engine_pair(&engines[one], &engines[(one + step) % engines.len()], case)
        })
    }

    fn seeds(suite: &Suite) -> Vec<Pair> {
        pairs(suite).collect()
    }

    fn show(case: &Pair) -> String {
        ENGINES.with(|engines| engines.iter().filter_map(|asked| asked.show(case)).collect())
    }
}

thread_local! {
    static READINGS: Vec<Specification> = Specification::all();
    static ENGINES: Vec<Asked> = engine::all()
        .into_iter()
        .filter(|engine| engine.revision().is_none() && !engine.is_optional())
        .map(Asked::new)
        .collect();
}

/// Whether what two engines differ in has a cause that holds.
fn check_engine_pair(one: &Asked, other: &Asked, case: &Pair) -> Result<(), Fault> {
    let (base, reference) = (case.base.as_str(), case.reference.as_str());
    let [said, own] = [one, other].map(|asked| ask(asked.engine.as_ref(), base, reference));
    let engine_pair = EnginePair::new(one.known.as_ref(), other.known.as_ref());
    let Some(found) = engine_pair.attribute(base, reference, &said, &own) else { return Ok(()) };
    let names = || format!("{} and {}", one.engine.name(), other.engine.name());
    let differences = found.cause.differences();
    match found.cause.is_explained() {
        false => Err(Fault::new(format!("{} differ in {} without a cause", names(), found.effect.phrase()))),
        true if !engine_pair.holds(differences, base, reference, &said, &own) => {
            Err(Fault::new(format!("{} differ, and the cause is false", names())))
        }
        true => Ok(()),
    }
}

/// What a document says of a case.
struct Says {
    outcome: Outcome,
    /// Whether its profile predicts that: its steps, and the rules that stand for them.
    foreseen: bool,
}

impl Says {
    fn of(specification: &Specification, case: &Pair) -> Self {
        let outcome = specification.says(&case.base, &case.reference);
        let foreseen = specification.profile.predicts(&case.base, &case.reference, &outcome);
        Self { outcome, foreseen }
    }
}

/// An engine, and the documents it is put beside.
struct Asked {
    engine: Box<dyn Engine>,
    known: Option<KnownProfile>,
    attributors: Vec<Attributor>,
    /// The document whose differences are counted: that to which the engine is nearest.
    nearest: &'static str,
}

impl Asked {
    fn new(engine: Box<dyn Engine>) -> Self {
        let known = known::KnownEngines::embedded().unwrap_or_default().profile_of(engine.as_ref());
        let nearest = known::KnownEngines::embedded().unwrap_or_default().nearest(engine.name());
        let attributors = Specification::all()
            .into_iter()
            .map(|specification| Attributor::new(specification, known.as_ref()))
            .collect();
        Self { engine, known, attributors, nearest: nearest.map_or("rfc3986", |nearest| nearest.id) }
    }

    /// `documents` is what each document says, in the order of the attributors.
    fn check(&self, case: &Pair, documents: &[Says], seen: &mut Seen) -> Result<(), Fault> {
        let (base, reference) = (case.base.as_str(), case.reference.as_str());
        let said = ask(self.engine.as_ref(), base, reference);
        // What both profiles foresee differs by what they differ in: there is nothing new, and no need to look which.
        let foreseen = self.known.as_ref().is_some_and(|known| known.profile.predicts(base, reference, &said));
        for (attributor, says) in self.attributors.iter().zip(documents) {
            let is_counted = attributor.specification().id == self.nearest;
            if foreseen && says.foreseen && !is_counted {
                continue;
            }
            let found = attributor.attribute_from(says.outcome.clone(), base, reference, &said);
            if let Some(found) = found.as_ref().filter(|found| found.is_new()) {
                return Err(Fault::new(self.class(found, case, &said)));
            }
            let differences = found.as_ref().map_or(&[][..], |found| found.cause.differences());
            if !differences.is_empty() && !attributor.holds(differences, base, reference, &says.outcome, &said) {
                return Err(Fault::new(format!("a cause is false for {}", self.engine.name())));
            }
            if is_counted {
                self.count(found.as_ref(), seen);
            }
        }
        Ok(())
    }

    /// Counts a pair, by each of the differences that are its reason.
    fn count(&self, found: Option<&Attribution>, seen: &mut Seen) {
        let name = self.engine.name();
        match found {
            None => seen.count(&format!("{name} says what {} says", self.nearest)),
            Some(Attribution { cause: Cause::Listed(id), .. }) => seen.count(&format!("{name}: listed {id}")),
            Some(found) => {
                seen.count(&format!("{name} differs from {}, explained", self.nearest));
                let differences = found.cause.differences().iter();
                differences.for_each(|difference| seen.count(&format!("{name}: {}", difference.name())));
            }
        }
    }

    /// What is new, whichever document showed it: what the engine did, and in what that differs from what was foreseen.
    fn class(&self, found: &Attribution, case: &Pair, said: &Outcome) -> String {
        let foreseen = self.known.as_ref().map(|known| known.profile.predict(&case.base, &case.reference));
        let name = self.engine.name();
        match (said, foreseen) {
            (Outcome::Crash(_), _) => format!("{name} crashes"),
            (Outcome::Skipped(_) | Outcome::Timeout(_), _) => format!("{name} does not answer"),
            (_, None) => format!("{name}, of which nothing is known, differs in {}", found.effect.phrase()),
            (Outcome::Failure(_), Some(Outcome::Url(_))) => format!("{name} refuses what its profile takes"),
            (Outcome::Url(_), Some(Outcome::Failure(why))) => format!("{name} takes what its profile refuses: {why}"),
            (_, Some(foreseen)) => {
                let part = effect(&foreseen, said).map_or("nothing", Effect::phrase);
                format!("{name} differs from its profile in {part}")
            }
        }
    }

    /// Who says what of a case that is new, and what could be pasted where its maintainers read.
    fn show(&self, case: &Pair) -> Option<String> {
        let (base, reference) = (case.base.as_str(), case.reference.as_str());
        let said = ask(self.engine.as_ref(), base, reference);
        let is_new =
            |attributor: &&Attributor| attributor.attribute(base, reference, &said).is_some_and(|found| found.is_new());
        let attributor = self.attributors.iter().find(is_new)?;
        let mut out = String::new();
        if let Some(known) = &self.known {
            let _ = writeln!(out, "its profile predicts {:?}", known.profile.predict(base, reference));
        }
        let (known, specification) = (self.known.as_ref(), attributor.specification());
        let _ = (specification, known, base, reference);
        out += "the steps that acted:\n";
        let nearest = Specification::by_id(self.nearest).and_then(|nearest| nearest.revision);
        let last = nearest.or_else(|| revision::by_id("rfc3986"));
        let both = [specification.revision, last].into_iter().flatten();
        both.for_each(|revision| out += &steps(revision, case));
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::{Asked, Says, Specification};
    use crate::engine::FaultyEngine;
    use crate::fuzz::{Pair, Seen};

    fn said_of(case: &Pair) -> Vec<Says> {
        Specification::all().iter().map(|specification| Says::of(specification, case)).collect()
    }

    fn class(asked: &Asked, reference: &str) -> Option<String> {
        let case = Pair { base: "http://a/b/c/d;p?q".to_owned(), reference: reference.to_owned() };
        asked.check(&case, &said_of(&case), &mut Seen::default()).err().map(|fault| fault.class)
    }

    #[test]
    fn what_nothing_explains_is_a_fault() {
        let asked = Asked::new(Box::new(FaultyEngine));
        assert_eq!(class(&asked, "?y"), None, "a revision says so");
        let said = |reference| class(&asked, reference).unwrap_or_default();
        assert_eq!(said("lie"), "test:liar, of which nothing is known, differs in the host");
        assert_eq!(said("crash"), "test:liar crashes");
        assert_eq!(said("silence"), "test:liar does not answer");
    }

    #[test]
    fn what_a_profile_does_not_foresee_is_a_fault() {
        let mut asked = Asked::new(crate::engine::by_name("crate:url").expect("an engine"));
        assert_eq!(class(&asked, "../x"), None);
        // Another's profile explains nothing.
        asked.known = crate::model::known::KnownEngines::embedded()
            .expect("known")
            .of("crate:oxiri")
            .and_then(|known| known.known_profile().ok());
        let attributors =
            asked.attributors.iter().map(|it| super::Attributor::new(*it.specification(), asked.known.as_ref()));
        asked.attributors = attributors.collect();
        assert_eq!(class(&asked, "//H/x").as_deref(), Some("crate:url differs from its profile in the spelling"));
    }

    #[test]
    fn what_is_known_is_counted_by_its_reasons() {
        let asked = Asked::new(crate::engine::by_name("crate:url").expect("an engine"));
        let mut seen = Seen::default();
        for reference in ["http:x", "HTTP://h:80", "g"] {
            let case = Pair { base: "file://a/b".to_owned(), reference: reference.to_owned() };
            assert_eq!(asked.check(&case, &said_of(&case), &mut seen), Ok(()));
        }
        assert!(seen.0.values().sum::<u64>() >= 3, "{seen:?}");
    }
}
