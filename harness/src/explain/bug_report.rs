//! The bug report of an explanation: a Markdown issue for the maintainers of an engine.

use std::fmt::Write;

use super::{Divergence, ErratumNote, Explanation, Found, Group, Smallest};
use crate::engine::Source;
use crate::escape::visible;
use crate::knowledge::citation;
use crate::knowledge::dated::ranges;
use crate::knowledge::specification::{Specification, resolving};
use crate::outcome::Outcome;

/// Returns a Markdown issue about the engine at `index` of [`Explanation::engines`].
///
/// The issue compares the engine with the last specification in
/// [`EngineExplanation::against`](super::EngineExplanation::against). It lists the input, the results, the cause, the
/// version, and the smallest pair with the same cause.
///
/// Returns `None` if the engine does not differ from that specification. An engine without a behaviour that returns the
/// URL Standard's result is not reported either, unless `was_asked_for` is set: a different result of an RFC is not a
/// bug of such an engine. Nor is a result that the specification permits in addition to its own, or the rejection of a text that its grammar
/// excludes. Nor is, unless `was_asked_for` is set, a difference whose cause is not known, although a fitted behaviour predicts it. Nor is a predicted
/// result of which the engine's folder says that the behaviour does not state such pairs.
pub fn bug_report(explanation: &Explanation, index: usize, was_asked_for: bool) -> Option<String> {
    let engine = explanation.engines.get(index)?;
    let against = engine.against.last()?;
    let specification = Specification::by_id(against.specification)?;
    let divergence = against.divergence.as_ref()?;
    if !engine.unstated.is_empty() || is_permitted(explanation, &engine.outcome, &specification) {
        return None;
    }
    if rejects_excluded(explanation, &engine.outcome, &specification) {
        return None;
    }
    if divergence.found == Found::Indirect && !was_asked_for {
        return None;
    }
    let standard = Specification::url_standard().id;
    if !engine.has_model && !was_asked_for && engine.same_as.contains(&standard) {
        return None;
    }
    let name = engine.name.trim_start_matches("crate:");
    let Explanation { base, reference, .. } = explanation;
    let mut out = String::new();
    let _ = writeln!(out, "### `{name}` differs from {} in {}\n", specification.cite, divergence.effect.phrase());
    let _ = writeln!(out, "**Input**: the reference {} on {}\n", code(reference), code_of_base(base));
    if let Some(points) = code_points(base, reference) {
        let _ = writeln!(out, "with {points}\n");
    }
    let _ = writeln!(out, "**{name} {} returns**: {}\n", engine.version, result(&engine.outcome));
    if engine.source == Source::Predicted && engine.has_steps {
        let _ = writeln!(
            out,
            "The result is that of the steps of its source as this project describes them. Ask {name} itself before you report it.\n"
        );
    } else if engine.source == Source::Predicted {
        let rate = engine.rate.as_ref().map(|rate| format!(", which {rate}")).unwrap_or_default();
        let _ = writeln!(
            out,
            "The result is predicted by the behaviour that was fitted to {name}{rate}. Ask {name} itself before you report it.\n"
        );
    }
    let _ = writeln!(out, "**Specifications**:\n\n| specification | result |\n|---|---|");
    for (outcome, by) in specified(explanation) {
        let _ = writeln!(out, "| {} | {} |", by.join(", "), result(outcome).replace('|', "\\|"));
    }
    for ErratumNote { id, issue, decision, .. } in own_errata(explanation, &specification) {
        let _ = writeln!(out, "\n**Erratum** `{id}` of {}: {issue}; decided: {decision}", specification.cite);
    }
    write_cause(divergence, specification.cite, (name, engine.has_steps), &mut out);
    for change in &against.since {
        let _ = writeln!(out, "- since {} (whatwg/url@{}): {}", change.day(), change.commit, change.sentence);
    }
    if let Some(smallest) = &against.smallest
        && (&smallest.base, &smallest.reference) != (base, reference)
    {
        let Smallest { base, reference, engine, specification: own } = smallest;
        let _ = writeln!(
            out,
            "\n**The smallest pair with the same cause**: {} on {}: {name} returns {}, {} {}",
            code(reference),
            code_of_base(base),
            result(engine),
            specification.cite,
            result(own)
        );
    }
    let _ = writeln!(out, "\n(Found with urlstrata {}.)", env!("CARGO_PKG_VERSION"));
    Some(out)
}

/// Returns why there is no [`bug_report`] about the engine at `index`; empty without an engine there.
pub fn nothing_to_report(explanation: &Explanation, index: usize) -> String {
    let Some(engine) = explanation.engines.get(index) else { return String::new() };
    let Some(against) = engine.against.last() else { return String::new() };
    let (title, id) = (engine.title(), against.specification);
    let Some(specification) = Specification::by_id(id) else { return String::new() };
    match &against.divergence {
        _ if !engine.unstated.is_empty() => {
            format!(
                "{title}: whether there is something to report is not known, because its behaviour does not state this case"
            )
        }
        None => format!("{title} has the result of {id}: nothing to report"),
        Some(_) if is_permitted(explanation, &engine.outcome, &specification) => {
            format!("{title} has a result that {id} permits: nothing to report")
        }
        Some(_) if rejects_excluded(explanation, &engine.outcome, &specification) => {
            format!("{title} rejects what the grammar of {id} excludes: nothing to report")
        }
        Some(divergence) if divergence.found == Found::Indirect => {
            format!(
                "{title}: the cause is not known: nothing to report\n  -r {id} --bug-report {} makes a report nevertheless",
                engine.name
            )
        }
        Some(_) => format!(
            "{title} has the result of the URL Standard: nothing to report\n  -r {id} makes a report against it"
        ),
    }
}

/// Returns the errata of `specification` on which its result depends.
fn own_errata<'a>(
    explanation: &'a Explanation,
    specification: &Specification,
) -> impl Iterator<Item = &'a ErratumNote> {
    let id = specification.id;
    explanation.errata.iter().filter(move |erratum| erratum.specification == id)
}

/// Returns whether `specification` permits the result of an engine in addition to its own.
fn is_permitted(explanation: &Explanation, outcome: &Outcome, specification: &Specification) -> bool {
    let permits = |url| citation::permits(specification, (&explanation.base, &explanation.reference), url);
    outcome.url().and_then(permits).is_some()
}

/// Returns whether an engine rejects what the grammar of `specification` excludes.
fn rejects_excluded(explanation: &Explanation, outcome: &Outcome, specification: &Specification) -> bool {
    matches!(outcome, Outcome::Failure(_))
        && specification.excludes(&explanation.base, &explanation.reference).is_some()
}

fn write_cause(divergence: &Divergence, cite: &str, (name, has_steps): (&str, bool), out: &mut String) {
    let cause = match divergence.found {
        Found::Steps if has_steps => "the steps of the engine's source".to_owned(),
        Found::Steps => {
            "not known; these are the steps of a specification that has the result, or what was observed".to_owned()
        }
        Found::Behaviour => "differences between the engine's behaviour and the specification".to_owned(),
        Found::Agreeing => "differences between the specifications of the two results".to_owned(),
        Found::Indirect => {
            "not known: a fitted behaviour predicts the result by settings that need not be those of the source"
                .to_owned()
        }
        Found::Listed | Found::Unexplained => format!("no cause is known ({})", divergence.cause),
    };
    let _ = writeln!(out, "\n**Why**: {cause}");
    for note in &divergence.notes {
        let _ = writeln!(out, "- {}", note.question);
        let _ = writeln!(out, "  - {cite}: {}", note.from);
        let _ = writeln!(out, "  - {name}: {}", note.to);
        note.remarks().iter().for_each(|remark| out.push_str(&format!("  - {remark}\n")));
    }
}

/// Returns each result with the names of the specifications that return it. The ids are added to a name if two states of
/// the specification have different results.
fn specified(explanation: &Explanation) -> Vec<(&Outcome, Vec<String>)> {
    let cites = |group: &Group| -> Vec<(&'static str, Vec<&'static str>)> {
        let mut cites: Vec<(&str, Vec<&str>)> = Vec::new();
        for revision in resolving().filter(|revision| group.by.iter().any(|by| by == revision.id)) {
            match cites.iter_mut().find(|(cite, _)| *cite == revision.cite) {
                Some((_, ids)) => ids.push(revision.id),
                None => cites.push((revision.cite, vec![revision.id])),
            }
        }
        cites
    };
    let groups: Vec<_> = explanation.groups.iter().map(|group| (&group.outcome, cites(group))).collect();
    let is_split =
        |cite: &str| groups.iter().filter(|(_, cites)| cites.iter().any(|(own, _)| *own == cite)).count() > 1;
    let name = |(cite, ids): &(&str, Vec<&str>)| match is_split(cite) {
        true => format!("{cite} (`{}`)", ranges(ids.iter().copied()).join("`, `")),
        false => (*cite).to_owned(),
    };
    let named = groups.iter().map(|(outcome, cites)| (*outcome, cites.iter().map(name).collect::<Vec<_>>()));
    named.filter(|(_, names)| !names.is_empty()).collect()
}

fn code_of_base(base: &str) -> String {
    if base.is_empty() { "an unknown base".to_owned() } else { code(base) }
}

fn code(text: &str) -> String {
    let text = visible(text);
    let fence = if text.contains('`') { "``" } else { "`" };
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    match text.is_empty() {
        true => "\"\" (empty)".to_owned(),
        false => format!("{fence}{space}{text}{space}{fence}"),
    }
}

fn result(outcome: &Outcome) -> String {
    if let Outcome::Url(url) = outcome { code(url) } else { outcome.to_string() }
}

/// Returns the code points of characters other than printable ASCII, which a page may not show. At most 20 are listed.
fn code_points(base: &str, reference: &str) -> Option<String> {
    let mut points: Vec<char> = base.chars().chain(reference.chars()).filter(|c| !(' '..='~').contains(c)).collect();
    points.sort_unstable();
    points.dedup();
    let names: Vec<_> = points.iter().take(20).map(|point| format!("U+{:04X}", u32::from(*point))).collect();
    (!names.is_empty()).then(|| names.join(", "))
}
