//! The examples of resolution that the specifications print, and why an engine returns something else.

use serde::{Deserialize, Serialize};

use crate::engine::{Engine, ask};
use crate::knowledge::attribute::{Answer, Attributor, Model};
use crate::knowledge::errata;
use crate::knowledge::note::{Note, Statement};
use crate::knowledge::specification::Specification;
use crate::outcome::Outcome;
use crate::vector::Suite;

/// The files of the vectors with the examples, each with the id of the specification that prints them, and the name of the section;
/// oldest first.
const FILES: [(&str, &str, &str); 9] = [
    ("appendix-b-1994/examples", "appendix-b-1994", "Appendix B, examples"),
    ("rfc1808/5.1", "rfc1808", "RFC 1808 §5.1"),
    ("rfc1808/5.2", "rfc1808", "RFC 1808 §5.2"),
    ("draft-1996/13.1", "draft-1996", "Draft 1996 §13.1 (reconstructed)"),
    ("draft-1996/13.2", "draft-1996", "Draft 1996 §13.2 (reconstructed)"),
    ("rfc2396/C.1", "rfc2396", "RFC 2396 §C.1"),
    ("rfc2396/C.2", "rfc2396", "RFC 2396 §C.2"),
    ("rfc3986/5.4.1", "rfc3986", "RFC 3986 §5.4.1"),
    ("rfc3986/5.4.2", "rfc3986", "RFC 3986 §5.4.2"),
];

/// The examples of one section of a specification, compared with an engine.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Section {
    /// The specification and the section.
    pub name: String,
    /// The date of the specification.
    pub date: String,
    /// The number of examples.
    pub asked: usize,
    /// The number of examples that the engine did not answer.
    pub unanswered: usize,
    /// The examples for which the engine returns something else.
    pub differing: Vec<Example>,
}

/// An example for which an engine returns something else than the specification.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Example {
    /// The base.
    pub base: String,
    /// The reference.
    pub reference: String,
    /// The result of the specification. If the specification prints another one, it is the result of its steps.
    pub specified: Outcome,
    /// What the specification prints, if that is not the result of its steps.
    pub printed: Option<String>,
    /// The ids of the errata of the specification on which its result depends.
    pub errata: Vec<String>,
    /// Whether the specification permits the engine's result in addition to its own.
    pub is_permitted: bool,
    /// The engine's result.
    pub returned: Outcome,
    /// The reasons. They are empty if no cause was found.
    pub notes: Vec<Note>,
}

/// All examples, compared with an engine.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Examples {
    /// The number of examples.
    pub asked: usize,
    /// The number of examples for which the engine returns something else.
    pub differing: usize,
    /// The sections, oldest specification first.
    pub sections: Vec<Section>,
    /// The differing examples by their reasons, in the order of the first example of each.
    pub reasons: Vec<Reason>,
}

impl Examples {
    /// Compares `engine`, of which `model` is known, with the examples in `suite`.
    pub fn of(suite: &Suite, engine: &dyn Engine, model: &Model) -> Self {
        let sections = sections(suite, engine, model);
        Self {
            asked: sections.iter().map(|section| section.asked).sum(),
            differing: sections.iter().map(|section| section.differing.len()).sum(),
            reasons: by_reason(&sections),
            sections,
        }
    }
}

fn sections(suite: &Suite, engine: &dyn Engine, model: &Model) -> Vec<Section> {
    let section = |(file, id, name): (&str, &str, &str)| {
        let specification = Specification::by_id(id)?;
        let file = suite.files.iter().find(|own| own.id == file)?;
        let attributor = Attributor::new(specification, model.clone());
        let mut section = Section {
            name: name.to_owned(),
            date: specification.revision.date.to_owned(),
            asked: 0,
            unanswered: 0,
            differing: Vec::new(),
        };
        for vector in &file.content.vectors {
            let Some(case) = vector.resolution() else { continue };
            let (base, reference) = (case.base.as_str(), case.reference.as_str());
            let returned = ask(engine, base, reference);
            section.asked += 1;
            if !returned.is_answer() {
                section.unanswered += 1;
                continue;
            }
            let answer = Answer::new(base, reference, &returned);
            let specified = specification.resolve(base, reference);
            let Some(found) = attributor.attribute_from(specified.clone(), &answer) else { continue };
            let is_permitted = case.permitted.iter().any(|url| returned.url() == Some(url));
            let printed = vector.erratum.as_ref().and(case.printed.clone());
            let notes = attributor.notes(&found, &answer);
            let own = errata::about(base, reference).into_iter().filter(|erratum| erratum.specification == id);
            let errata = own.map(|erratum| erratum.id.to_owned()).collect();
            let [base, reference] = [base, reference].map(str::to_owned);
            let example = Example { base, reference, specified, printed, errata, is_permitted, returned, notes };
            section.differing.push(example);
        }
        Some(section)
    };
    FILES.into_iter().filter_map(section).collect()
}

/// The examples that differ for the same reasons.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Reason {
    /// The reasons; empty if no cause was found.
    pub points: Vec<Point>,
    /// The examples, each with the name of its section.
    pub examples: Vec<(String, Example)>,
}

/// A question that a specification and an engine answer differently.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Point {
    /// The question.
    pub question: String,
    /// What the specifications do.
    pub specified: String,
    /// Where they state it, oldest first.
    pub sources: Vec<String>,
    /// What the engine does, and where a specification states it.
    pub returned: Statement,
    /// How the specifications changed.
    pub remarks: Vec<String>,
}

fn by_reason(sections: &[Section]) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = Vec::new();
    for section in sections {
        for example in &section.differing {
            let is_alike = |reason: &&mut Reason| {
                let notes = || reason.points.iter().zip(&example.notes);
                reason.points.len() == example.notes.len()
                    && notes().all(|(point, note)| {
                        point.question == note.question
                            && point.specified == note.from.note
                            && point.returned.note == note.to.note
                    })
            };
            let found = reasons.iter_mut().find(is_alike);
            let reason = match found {
                Some(reason) => reason,
                None => {
                    let point = |note: &Note| Point {
                        question: note.question.clone(),
                        specified: note.from.note.clone(),
                        sources: Vec::new(),
                        returned: note.to.clone(),
                        remarks: Vec::new(),
                    };
                    let points = example.notes.iter().map(point).collect();
                    reasons.push(Reason { points, examples: Vec::new() });
                    let Some(added) = reasons.last_mut() else { continue };
                    added
                }
            };
            for (point, note) in reason.points.iter_mut().zip(&example.notes) {
                add(&mut point.sources, &note.from.source);
                note.remarks().iter().for_each(|remark| add(&mut point.remarks, remark));
            }
            reason.examples.push((section.name.clone(), example.clone()));
        }
    }
    reasons
}

fn add(list: &mut Vec<String>, text: &str) {
    if !list.iter().any(|own| own == text) {
        list.push(text.to_owned());
    }
}
