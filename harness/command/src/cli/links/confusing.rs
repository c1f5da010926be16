//! Links that two specifications or engines resolve differently, by cause.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use urlstrata_harness::document::{Event, Link, Reader};
use urlstrata_harness::engine::{Engine, Source, ask};
use urlstrata_harness::escape::visible;
use urlstrata_harness::knowledge::attribute::{Attribution, Effect, EnginePair};
use urlstrata_harness::knowledge::note::Note;
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::plural::counted;
use urlstrata_harness::world::World;

use super::written::{WithoutBase, Writer, name_of, shown};
use super::{Format, STANDARD_INPUT};
use crate::cli::checks::{Check, Checks, Issue, Place, Severity, Verdict};
use crate::cli::output::{quoted, write_json};
use crate::cli::run::in_words;

/// Collects the links that the two engines of a world resolve differently, and writes them at the end.
pub(super) struct Confusing<'w> {
    sides: [&'w dyn Engine; 2],
    engine_pair: EnginePair,
    only: &'w [Effect],
    /// The number of links that the text form shows for each cause.
    shown: usize,
    format: Format,
    /// The name of the current document, and that of its current part.
    document: String,
    part: String,
    /// The path of the current part in its document; empty for the document itself.
    part_path: String,
    links: u64,
    without_base: WithoutBase,
    /// The effect and the name of each cause. Worse effects come first.
    causes: BTreeMap<(Effect, String), ConfusingCause>,
}

/// A cause, with the links of which it is the cause.
#[derive(Serialize)]
struct ConfusingCause {
    effect: Effect,
    cause: String,
    /// Whether the behaviours of the engines, or the specifications, explain the difference.
    explained: bool,
    notes: Vec<Note>,
    links: Vec<ConfusingLink>,
}

#[derive(Serialize)]
struct ConfusingLink {
    /// The place: `FILE:LINE`, or `FILE, part 1:LINE` in a part of a MIME message.
    place: String,
    #[serde(skip)]
    location: Place,
    base: String,
    reference: String,
    results: [Outcome; 2],
    /// The names of the engines that were not asked, but whose behaviours predict their results.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    predicted: Vec<String>,
}

/// The JSON form.
#[derive(Serialize)]
struct ConfusingLinks<'c> {
    between: [String; 2],
    links: u64,
    confusing: usize,
    causes: Vec<&'c ConfusingCause>,
}

impl<'w> Confusing<'w> {
    /// Creates a writer that compares the two engines under test of `world`.
    pub(super) fn new(world: &'w World, only: &'w [Effect], shown: usize, format: Format) -> Option<Self> {
        let [one, other] = world.engines.as_slice() else { return None };
        let sides = [one.as_ref(), other.as_ref()];
        let [one, other] = sides.map(|engine| world.model_of(engine));
        Some(Self {
            sides,
            engine_pair: EnginePair::new(one, other),
            only,
            shown,
            format,
            document: String::new(),
            part: String::new(),
            part_path: String::new(),
            links: 0,
            without_base: WithoutBase::default(),
            causes: BTreeMap::new(),
        })
    }

    /// Returns whether links with different results were found.
    pub(super) fn has_found(&self) -> bool {
        !self.causes.is_empty()
    }

    fn confusing(&self) -> usize {
        self.causes.values().map(|cause| cause.links.len()).sum()
    }

    fn titles(&self) -> [String; 2] {
        self.sides.map(|engine| match engine.revision() {
            Some(revision) => revision.id.to_owned(),
            None => format!("{} {}", visible(engine.name()), visible(engine.version())),
        })
    }

    fn add(&mut self, link: &Link<'_>) {
        self.links += 1;
        self.without_base.take(&self.part, link);
        let results = self.sides.map(|engine| ask(engine, link.base, &link.reference));
        let [one, other] = &results;
        let Some(found) = self.engine_pair.attribute(link.base, &link.reference, one, other) else { return };
        if !self.only.is_empty() && !self.only.contains(&found.effect) {
            return;
        }
        let predicted = self.sides.iter().filter(|it| it.source(link.base, &link.reference) == Source::Predicted);
        let predicted = predicted.map(|engine| engine.name().to_owned()).collect();
        let line = (link.line > 0).then_some(link.line);
        let is_file = self.document != STANDARD_INPUT;
        let part = (!is_file || !self.part_path.is_empty()).then(|| self.part.clone());
        let file = if is_file { &*self.document } else { "" };
        let location = Place { part, ..Place::new(Path::new(file), line) };
        let link = ConfusingLink {
            place: location.to_string(),
            location,
            base: link.base.to_owned(),
            reference: link.reference.clone().into_owned(),
            results,
            predicted,
        };
        let new = |found: &Attribution| ConfusingCause {
            effect: found.effect,
            cause: found.cause.key(),
            explained: found.cause.is_explained(),
            notes: self.engine_pair.notes(found, &link.base, &link.reference),
            links: Vec::new(),
        };
        let cause = self.causes.entry((found.effect, found.cause.key())).or_insert_with(|| new(&found));
        cause.links.push(link);
    }

    /// Returns the confusing links as findings, for the formats of continuous integration.
    pub(super) fn checks(&self) -> Checks {
        let mut checks = Checks::new("links --confusing");
        let titles = self.titles();
        let suite = format!("{} and {}", titles[0], titles[1]);
        if self.causes.is_empty() {
            checks.add(&suite, Check::new("links", "links", Verdict::Passed));
        }
        for cause in self.causes.values() {
            let severity = match cause.effect {
                Effect::Host | Effect::Scheme | Effect::Port | Effect::Credentials => Severity::Error,
                _ => Severity::Warning,
            };
            for link in &cause.links {
                let results = titles.iter().zip(&link.results).map(|(title, result)| format!("{title}: {result}\n"));
                let issue = Issue {
                    severity,
                    rule: cause.cause.clone(),
                    explanation: in_words(&cause.notes, &titles[1], &titles[0]),
                    message: format!(
                        "this link has two meanings, which differ in {}: {} on {}",
                        cause.effect.phrase(),
                        quoted(&link.reference),
                        quoted(&link.base)
                    ),
                    details: results.collect(),
                    place: Some(link.location.clone()),
                };
                checks.add(&suite, Check::new(cause.effect.name(), &*link.place, Verdict::Found(issue)));
            }
        }
        checks
    }

    fn write_cause(&self, cause: &ConfusingCause, titles: &[String; 2], out: &mut dyn Write) -> io::Result<()> {
        let links = counted(cause.links.len(), "link differs", "links differ");
        writeln!(
            out,
            "{links} in {}{}",
            cause.effect.phrase(),
            if cause.explained { ":" } else { "; no cause is known:" }
        )?;
        for note in &cause.notes {
            out.write_all(note.lines(&titles[1], &titles[0]).as_bytes())?;
        }
        let width = titles.iter().map(|title| title.chars().count()).max().unwrap_or_default();
        for link in cause.links.iter().take(self.shown) {
            let [reference, base] = [&link.reference, &link.base].map(|text| around(&shown(text), 0));
            writeln!(out, "  {}: {reference} on {base}", link.place)?;
            let [one, other] = link.results.each_ref().map(Outcome::to_string);
            let at = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
            for ((title, result), engine) in titles.iter().zip([one, other]).zip(self.sides) {
                let result = around(&result, at);
                let is_predicted = link.predicted.iter().any(|name| name == engine.name());
                writeln!(out, "    {title:width$}  {result}{}", if is_predicted { " (predicted)" } else { "" })?;
            }
        }
        if cause.links.len() > self.shown {
            let more = counted(cause.links.len() - self.shown, "more link", "more links");
            writeln!(out, "  … and {more}: --examples {} shows all", cause.links.len())?;
        }
        writeln!(out)
    }
}

/// Returns the part of a long text that contains the character at `at`; all of a short text.
fn around(text: &str, at: usize) -> String {
    const WIDEST: usize = 160;
    const BEFORE: usize = 60;
    let length = text.chars().count();
    if length <= WIDEST {
        return text.to_owned();
    }
    let start = at.saturating_sub(BEFORE);
    let part: String = text.chars().skip(start).take(WIDEST).collect();
    let [before, after] = [start > 0, start + WIDEST < length].map(|is_cut| if is_cut { "…" } else { "" });
    format!("{before}{part}{after}")
}

impl Writer for Confusing<'_> {
    fn document(&mut self, name: &str, _: &mut dyn Write) -> io::Result<()> {
        self.document = visible(name);
        Ok(())
    }

    fn event(&mut self, _: &Reader<'_>, event: Event<'_>, _: &mut dyn Write) -> io::Result<()> {
        match event {
            Event::Part(part) => {
                self.part = name_of(&self.document, part);
                self.part_path.clone_from(&part.path);
            }
            Event::Link(link) => self.add(link),
            Event::Note(_) => {}
        }
        Ok(())
    }

    fn document_end(&mut self, _: Option<&str>, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let (titles, confusing) = (self.titles(), self.confusing());
        self.without_base.report("compared without one");
        if self.format == Format::Sarif {
            return self.checks().write_sarif(true, out);
        }
        if self.format == Format::Json {
            let causes = self.causes.values().collect();
            let found = ConfusingLinks { between: titles, links: self.links, confusing, causes };
            return write_json(&found, out);
        }
        for cause in self.causes.values() {
            self.write_cause(cause, &titles, out)?;
        }
        let [one, other] = titles;
        writeln!(out, "{one} and {other} resolve {confusing} of {} differently", counted(self.links, "link", "links"))
    }
}

#[cfg(test)]
mod tests {
    use super::around;

    #[test]
    fn long_texts_are_cut_around_the_difference() {
        let text = format!("{}é{}", "a".repeat(300), "b".repeat(300));
        let cut = around(&text, 300);
        assert!(cut.starts_with("…a") && cut.ends_with("b…") && cut.contains("aéb"));
        assert_eq!(cut.chars().count(), 162);
        assert_eq!(around("short", 3), "short");
        assert!(around(&text, 600).ends_with('b'));
    }
}
