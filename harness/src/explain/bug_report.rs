//! A divergence as an issue that can be pasted where an engine's maintainers read it.

use std::fmt::Write;

use crate::engine::{Engine, ask};
use crate::escape::visible;
use crate::model::attribute::{Cause, Subject};
use crate::model::profile::{KnownProfile, Reading};
use crate::model::shrink::shrink;
use crate::outcome::Outcome;
use crate::survey::tally::{Note, Said};

/// A Markdown issue on what `engine` says of a pair beside `reading`: input, said, documents say, why, version, and the
/// smallest pair that shows the same; `None` if it says what the document says.
pub fn write(
    engine: &dyn Engine,
    reading: &Reading,
    known: Option<&KnownProfile>,
    base: &str,
    reference: &str,
) -> Option<String> {
    let subject = Subject::new(*reading, known);
    let said = ask(engine, base, reference);
    let found = subject.attribute(base, reference, &said)?;
    let name = engine.name().trim_start_matches("crate:");
    let mut out = String::new();
    let _ = writeln!(out, "### `{name}` differs from {} in {}\n", reading.cite, found.effect.phrase());
    let _ = writeln!(out, "**Input**: the reference {} on {}\n", code(reference), base_of(base));
    if let Some(points) = code_points(base, reference) {
        let _ = writeln!(out, "with {points}\n");
    }
    let _ = writeln!(out, "**{name} {} says**: {}\n", engine.version(), outcome(&said));
    let _ = writeln!(out, "**Documents say**:\n\n| document | says |\n|---|---|");
    for (says, by) in groups(base, reference) {
        let _ = writeln!(out, "| {} | {} |", by.join(", "), outcome(&says).replace('|', "\\|"));
    }
    let _ = writeln!(out, "\n**Why**: {}", why(&found.cause));
    for difference in found.cause.differences() {
        let note = Note::of(difference, reading.cite_of_row(), found.alike());
        if let Some(question) = note.question {
            let _ = writeln!(out, "- {question}");
        }
        let indent = if note.question.is_some() { "  - " } else { "- " };
        let (document, own) = (reading.cite, name);
        match (&note.document, &note.engine) {
            (Some(theirs), Some(own_said)) => {
                let _ = writeln!(out, "{indent}{document}: {}", sourced(theirs));
                let _ = writeln!(out, "{indent}{own}: {}", sourced(own_said));
            }
            (None, Some(own_said)) => {
                let _ = writeln!(out, "{indent}{own}, and not {document}: {}", sourced(own_said));
            }
            (Some(theirs), None) => {
                let _ = writeln!(out, "{indent}{document}, and not {own}: {}", sourced(theirs));
            }
            (None, None) => {}
        }
    }
    match shrink(engine, &subject, base, reference) {
        Some((small_base, small)) if (small_base.as_str(), small.as_str()) != (base, reference) => {
            let said = outcome(&ask(engine, &small_base, &small));
            let says = outcome(&reading.says(&small_base, &small));
            let _ = writeln!(
                out,
                "\n**The smallest pair that shows the same**: {} on {}: {name} says {said}, {} says {says}",
                code(&small),
                base_of(&small_base),
                reading.cite
            );
        }
        _ => {}
    }
    let _ = writeln!(out, "\n(Found with urlstrata {}.)", env!("CARGO_PKG_VERSION"));
    Some(out)
}

/// What is said, and the documents that say it: by their names, and by their ids too where readings of one differ.
fn groups(base: &str, reference: &str) -> Vec<(Outcome, Vec<String>)> {
    let said: Vec<_> = Reading::all().into_iter().map(|reading| (reading, reading.says(base, reference))).collect();
    let mut groups: Vec<(Outcome, Vec<String>)> = Vec::new();
    for (reading, says) in &said {
        let apart = said.iter().any(|(other, outcome)| other.cite == reading.cite && outcome != says);
        let name = if apart { format!("{} (`{}`)", reading.cite, reading.id) } else { reading.cite.to_owned() };
        match groups.iter_mut().find(|(own, _)| own == says) {
            Some((_, by)) if by.contains(&name) => {}
            Some((_, by)) => by.push(name),
            None => groups.push((says.clone(), vec![name])),
        }
    }
    groups
}

fn why(cause: &Cause) -> String {
    match cause {
        Cause::Profile(_) => "what the engine is known to do otherwise".to_owned(),
        Cause::Agreeing(_) => "in what it differs from a document that has the engine's result".to_owned(),
        Cause::Search(_) => "together these give the engine's result, perhaps by coincidence".to_owned(),
        Cause::Listed(id) => format!("no cause is known; it belongs to the known deviations {id:?}"),
        Cause::Unexplained(_) => "no cause is known".to_owned(),
    }
}

fn sourced(said: &Said) -> String {
    match said.source {
        "" => said.note.to_owned(),
        source => format!("{} ({source})", said.note),
    }
}

fn base_of(base: &str) -> String {
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

fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Url(url) => code(url),
        Outcome::Refused(why) => format!("no result ({})", visible(why)),
        Outcome::Skipped(why) => format!("no answer ({})", visible(why)),
        Outcome::Crashed(why) => format!("a crash ({})", visible(why)),
        Outcome::TimedOut(why) => format!("no answer in time ({})", visible(why)),
    }
}

/// The characters beyond printable ASCII, which a page may not show as they are.
fn code_points(base: &str, reference: &str) -> Option<String> {
    let mut points: Vec<char> = base.chars().chain(reference.chars()).filter(|c| !(' '..='~').contains(c)).collect();
    points.sort_unstable();
    points.dedup();
    let names: Vec<_> = points.iter().take(20).map(|point| format!("U+{:04X}", u32::from(*point))).collect();
    (!names.is_empty()).then(|| names.join(", "))
}
