//! The checks of `run`, for the formats of continuous integration.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::Path;

use urlstrata_harness::document::warc;
use urlstrata_harness::escape::visible;
use urlstrata_harness::knowledge::note::Note;
use urlstrata_harness::plural::counted;
use urlstrata_harness::survey::comparison::{CauseClass, Comparison};
use urlstrata_harness::vector::{Vector, VectorFile};

use super::Case;
use crate::cli::checks::{Check, Checks, Issue, Place, Severity, Verdict};
use crate::cli::output::{pair_of, quoted};

/// The suite of the reference implementations and the optimized engine.
const OWN: &str = "reference implementations and the optimized engine";

/// A vector, and its place. The file is read again for the place, but only if there is a finding.
pub(super) struct LazyPlace<'v> {
    file: &'v VectorFile,
    vector: &'v Vector,
    place: OnceCell<Place>,
}

impl<'v> LazyPlace<'v> {
    pub(super) fn new(file: &'v VectorFile, vector: &'v Vector) -> Self {
        Self { file, vector, place: OnceCell::new() }
    }

    fn get(&self) -> Place {
        let find = || Place::new(&self.file.path_in_repository(), self.file.line_of(&self.vector.name));
        self.place.get_or_init(find).clone()
    }

    fn check(&self, name: String, issue: Option<Issue>) -> Check {
        Check::new(&*self.file.id, name, issue.map_or(Verdict::Passed, Verdict::Found))
    }
}

/// Adds whether revision `id` meets the vector: `failure` is the reason why it does not.
pub(super) fn add_own(checks: &mut Checks, place: &LazyPlace<'_>, id: &str, failure: Option<&String>) {
    let issue = failure.map(|failure| Issue {
        severity: Severity::Error,
        rule: "internal failure".to_owned(),
        explanation: "A reference implementation or the optimized engine violates a vector.".to_owned(),
        message: failure.clone(),
        details: String::new(),
        place: Some(place.get()),
    });
    checks.add(OWN, place.check(format!("{} ({id})", place.vector.name), issue));
}

/// Adds whether an engine returns what a specification expects.
pub(super) fn add_case(checks: &mut Checks, place: &LazyPlace<'_>, case: &Case<'_>) {
    let engine = visible(case.engine.name());
    let issue = case.why.as_ref().map(|why| {
        let expected = case.expected.url().map_or("no result".to_owned(), visible);
        let pair = format!("{} on {}", quoted(case.reference), quoted(case.base));
        let is_new = if why.is_new { "new" } else { "known" };
        Issue {
            severity: if why.is_new { Severity::Error } else { Severity::Note },
            rule: why.because.clone(),
            explanation: String::new(),
            message: format!("{engine} differs from {}, {is_new}: {}", case.id, why.because),
            details: format!("{pair}\n{engine}: {}\n{}: {expected}\n", case.returned, case.id),
            place: Some(place.get()),
        }
    });
    let suite = suite_of(&engine, case.engine.version(), case.id);
    checks.add(&suite, place.check(place.vector.name.clone(), issue));
}

fn suite_of(engine: &str, version: &str, against: &str) -> String {
    format!("{engine} {} against {against}", visible(version))
}

/// Explains each cause by the notes of `comparisons`.
pub(super) fn explain(checks: &mut Checks, comparisons: &[Comparison]) {
    let classes = comparisons.iter().flat_map(|found| found.classes.iter().map(move |class| (found, class)));
    let of_cause: BTreeMap<_, _> =
        classes.map(|(found, class)| (class.cause.as_str(), explanation(found, class))).collect();
    let issues = checks.suites.iter_mut().flat_map(|suite| &mut suite.checks);
    for issue in issues.filter_map(Check::issue_mut) {
        if let Some(explanation) = of_cause.get(issue.rule.as_str()) {
            issue.explanation.clone_from(explanation);
        }
    }
}

fn explanation(found: &Comparison, class: &CauseClass) -> String {
    in_words(&class.notes, &found.against, &found.engine)
}

/// Returns `notes` as lines: each question, and what `from` and `to` do.
pub(in crate::cli) fn in_words(notes: &[Note], from: &str, to: &str) -> String {
    let lines = notes.iter().map(|note| note.lines(&visible(from), &visible(to)));
    lines.collect::<String>().lines().map(str::trim).collect::<Vec<_>>().join("\n")
}

/// Returns the checks of comparisons on pairs: one for each cause, at the place of the smallest pair.
pub(super) fn pairs(comparisons: &[Comparison]) -> Checks {
    let mut checks = Checks::new("run");
    for found in comparisons {
        let suite = suite_of(&visible(&found.engine), &found.version, &found.against);
        checks.add(&suite, Check::new("pairs", "pairs that agree", Verdict::Passed));
        for class in &found.classes {
            let is_new = class.is_new();
            let witness = &class.witness;
            let pairs = counted(class.count, "pair differs", "pairs differ");
            let [engine, against] = [visible(&found.engine), visible(&found.against)];
            let issue = Issue {
                severity: if is_new { Severity::Error } else { Severity::Note },
                rule: class.cause.clone(),
                explanation: explanation(found, class),
                message: format!(
                    "{pairs} in {}: {}, for example {}",
                    class.effect.phrase(),
                    class.cause,
                    pair_of(witness)
                ),
                details: format!("{engine}: {}\n{against}: {}\n", witness.engine, witness.specification),
                place: witness.place.as_deref().map(place_of),
            };
            checks.add(&suite, Check::new(class.effect.name(), &*class.cause, Verdict::Found(issue)));
        }
    }
    checks
}

/// Returns the place `FILE:LINE` in its parts. In a part of a message, or in a page of a WARC file, the line is not a line of
/// the file.
fn place_of(text: &str) -> Place {
    let (file, line) = match text.rsplit_once(':') {
        Some((file, line)) if line.parse::<usize>().is_ok() => (file, line.parse().ok()),
        _ => (text, None),
    };
    let of_message = file.split_once(", part ").map(|(whole, _)| whole);
    let of_archive =
        || file.rsplit_once('@').map(|(whole, _)| whole).filter(|whole| warc::has_ending(Path::new(whole)));
    match of_message.or_else(of_archive) {
        Some(whole) => Place { part: Some(file.to_owned()), ..Place::new(Path::new(whole), line) },
        None => Place::new(Path::new(file), line),
    }
}

#[cfg(test)]
mod tests {
    use super::place_of;

    #[test]
    fn places_are_split_into_file_line_and_part() {
        for (text, file, line, part) in [
            ("a:b.html:12", "a:b.html", Some(12), None),
            ("page.html", "page.html", None, None),
            ("m.eml, part 1.2:3", "m.eml", Some(3), Some("m.eml, part 1.2")),
            ("c.warc.gz@546+7:2", "c.warc.gz", Some(2), Some("c.warc.gz@546+7")),
            ("a@5.html:2", "a@5.html", Some(2), None),
        ] {
            let place = place_of(text);
            assert_eq!((place.file.as_str(), place.line, place.part.as_deref()), (file, line, part));
        }
    }
}
