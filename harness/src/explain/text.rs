//! The text form of an explanation, for a terminal.

use std::fmt::{self, Display, Formatter, Write};

use comfy_table::{ContentArrangement, Table, presets};

use crate::engine::{RESOLVES_NOTHING, Source};
use crate::plural::counted;

use super::brief::remark_in_words;
use super::{
    Against, Divergence, DocumentChange, EngineDifference, EngineExplanation, ErratumNote, Explanation, Found,
    KnownDeviation, TracePair, TracedStep,
};
use crate::engine::use_order::place;
use crate::escape::visible;
use crate::knowledge::dated::{ChangeNote, ranges};
use crate::knowledge::note::{Note, Statement};
use crate::knowledge::step_table::build;
use crate::layout::Layout;
use crate::outcome::Outcome;
use crate::outcome::location::Location;
use urlstrata::revision;

/// The complete text form of an explanation.
pub struct Complete<'a> {
    explanation: &'a Explanation,
    layout: Layout,
}

/// The layout of the complete text form for a reader of whom nothing is known.
const WIDE: Layout = Layout { width: 118, has_colour: false };

impl Explanation {
    /// Returns the complete text form, which has the same content as JSON. Lines have at most the width of `layout`, if their words permit it.
    pub fn complete(&self, layout: Layout) -> Complete<'_> {
        Complete { explanation: self, layout }
    }
}

impl Display for Complete<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.explanation.write_parts(&self.layout, &mut text)?;
        f.write_str(&self.layout.refolded(&text))?;
        let mut report = self.explanation.bug_report.iter();
        report.try_for_each(|report| write!(f, "\n  Bug report (Markdown):\n\n{report}"))
    }
}

impl Display for Explanation {
    /// Writes the complete text form for lines of names of 118 columns. Other lines are as long as they are.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write_parts(&WIDE, &mut text)?;
        f.write_str(&text)?;
        self.bug_report.iter().try_for_each(|report| write!(f, "\n  Bug report (Markdown):\n\n{report}"))
    }
}

impl Explanation {
    /// Writes every part that is not empty, each after a blank line.
    fn write_parts(&self, layout: &Layout, f: &mut String) -> fmt::Result {
        self.write_groups(layout, f)?;
        self.write_locations(layout, f)?;
        if !self.decided.is_empty() {
            writeln!(f, "\n  all specifications have this target:")?;
        }
        for Statement { note, source } in &self.decided {
            writeln!(f, "    {source}: {note}")?;
        }
        self.agreement.iter().try_for_each(|agreement| f.write_str(&agreement.text(layout)))?;
        self.observations.write(&self.reference, layout, f)?;
        if !self.same_document.is_empty() {
            let names = self.same_document.join("  ");
            writeln!(f, "\n  the same document, so nothing is retrieved, by {names}")?;
        }
        for DocumentChange { older, newer, note } in &self.document_changes {
            writeln!(f, "\n  {older} and {newer} differ in whether it is the same document:")?;
            write_notes(std::slice::from_ref(note), f)?;
        }
        if !self.errata.is_empty() {
            writeln!(f, "\n  errata")?;
        }
        for ErratumNote { specification, id, issue, decision } in &self.errata {
            writeln!(f, "    {specification}, {id}: {issue}; decided: {decision}")?;
        }
        if !self.not_matched.is_empty() {
            writeln!(f, "\n  not matched by the grammar of")?;
        }
        for it in &self.not_matched {
            writeln!(f, "    {}: {}, at byte {}", it.grammars.join(", "), it.found, it.at)?;
        }
        if !self.remarks.is_empty() {
            writeln!(f, "\n  later standards")?;
        }
        for remark in &self.remarks {
            writeln!(f, "    {}", remark_in_words(remark, &self.reference))?;
        }
        for change in &self.changes {
            let (older, newer) = (change.older, change.newer);
            let end = if change.notes.is_empty() && change.standard.is_empty() { "" } else { ":" };
            writeln!(f, "\n  {older} and {newer} differ in {}{end}", change.effect.phrase())?;
            write_notes(&change.notes, f)?;
            write_changes(&change.standard, f)?;
        }
        self.engines.iter().try_for_each(|engine| write_engine(engine, f))?;
        self.between.iter().try_for_each(|between| write_between(between, f))?;
        self.write_traces(layout, f)
    }

    /// Writes the steps that were asked for.
    ///
    /// # Errors
    ///
    /// Returns an error if `f` does.
    pub fn write_traces(&self, layout: &Layout, f: &mut dyn Write) -> fmt::Result {
        self.traces.iter().try_for_each(|traces| write_traces(traces, layout, f))?;
        let pair = (self.base.as_str(), self.reference.as_str());
        for steps in &self.steps {
            steps.write(pair, layout, f)?;
            writeln!(f, "  {} returns {}", steps.revision, steps.result)?;
        }
        Ok(())
    }
}

impl Explanation {
    fn write_groups(&self, layout: &Layout, f: &mut String) -> fmt::Result {
        let outcomes: Vec<_> = self.groups.iter().map(|group| group.outcome.to_string()).collect();
        let width = outcomes.iter().map(|outcome| outcome.chars().count()).max().unwrap_or_default().min(60);
        writeln!(f)?;
        for (group, outcome) in self.groups.iter().zip(&outcomes) {
            let mark = |name: &String| match group.predicted.iter().any(|predicted| predicted.by == *name) {
                true => format!("{name} (predicted)"),
                false => name.clone(),
            };
            let names: Vec<_> = group.by.iter().map(mark).collect();
            write_names(
                &format!("  {outcome:<width$}   "),
                &ranges(by_use(names.iter().map(String::as_str))),
                layout,
                f,
            )?;
        }
        let absent = self.absent.len();
        if absent > 0 {
            let engines = counted(absent, "engine was", "engines were");
            writeln!(f, "\n  {engines} not recorded on this pair: -e NAME shows what its behaviour predicts")?;
        }
        // Engines of -e have paragraphs of their own with these notes.
        let has_paragraph = |by: &str| self.engines.iter().any(|engine| engine.title() == by);
        let predicted = self.groups.iter().flat_map(|group| &group.predicted);
        let unstated: Vec<_> = predicted
            .filter(|it| !it.unstated.is_empty() && !has_paragraph(&it.by))
            .map(|it| visible(&it.by))
            .collect();
        if !unstated.is_empty() {
            let start = "  may be predicted wrongly, because the behaviour does not state all about such pairs:  ";
            writeln!(f)?;
            write_names(start, &unstated, layout, f)?;
        }
        if let Some(scheme) = &self.scheme_not_measured {
            let scheme = visible(scheme);
            writeln!(f, "\n  predicted: no behaviour was measured on a base with the scheme {scheme}")?;
        }
        Ok(())
    }

    /// Writes a table with the scheme, host and port of each URL, unless they are the same for all URLs.
    fn write_locations(&self, layout: &Layout, f: &mut String) -> fmt::Result {
        let mut rows: Vec<([String; 3], Vec<&str>)> = Vec::new();
        for group in &self.groups {
            let Some(columns) = group.location.as_ref().map(Location::columns) else { continue };
            let names = group.by.iter().map(String::as_str);
            match rows.iter_mut().find(|row| row.0 == columns) {
                Some(row) => row.1.extend(names),
                None => rows.push((columns, names.collect())),
            }
        }
        if rows.len() < 2 {
            return Ok(());
        }
        let rows: Vec<_> = rows.into_iter().map(|(columns, names)| (columns, ranges(by_use(names)))).collect();
        writeln!(f)?;
        write_location_table(LOCATION, &rows, layout, f)
    }
}

/// The head of a table of the locations of URLs.
pub(super) const LOCATION: [&str; 3] = ["scheme", "host", "port"];

/// Writes a table with three columns, and after them the names of those to whom a row belongs.
pub(super) fn write_location_table(
    head: [&str; 3],
    rows: &[([String; 3], Vec<String>)],
    layout: &Layout,
    f: &mut dyn Write,
) -> fmt::Result {
    let width = |at: usize| {
        let cells = rows.iter().map(|(columns, _)| columns[at].chars().count());
        cells.chain([head[at].len()]).max().unwrap_or_default()
    };
    let widths = [0, 1, 2].map(width);
    let rows = rows.iter().map(|(columns, names)| (columns.each_ref().map(String::as_str), names.as_slice()));
    for (columns, names) in [(head, [].as_slice())].into_iter().chain(rows) {
        let cells = columns.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}   "));
        write_names(&format!("  {}", cells.collect::<String>()), names, layout, f)?;
    }
    Ok(())
}

/// Returns names in the order in which people use the engines: specifications first, in their order.
pub(super) fn by_use<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names: Vec<&str> = names.into_iter().collect();
    let engine = |name: &str| name.split([' ', '*', '+']).next().unwrap_or_default().to_owned();
    names.sort_by_key(|name| if revision::by_id(name).is_some() { None } else { Some(place(&engine(name))) });
    names
}

/// Writes `start` and then `names`. Further lines are indented by the width of `start`, but by at most [`DEEPEST`] columns, and only so far
/// that a name fits.
fn write_names(start: &str, names: &[String], layout: &Layout, f: &mut dyn Write) -> fmt::Result {
    let indent = start.chars().count();
    let mut line = start.to_owned();
    for name in names {
        let width = name.chars().count() + 2;
        if !line.trim().is_empty() && line.chars().count() + width - 2 > layout.width {
            writeln!(f, "{}", line.trim_end())?;
            let fitting = (layout.width + 2).saturating_sub(width);
            line = " ".repeat(indent.min(DEEPEST).min(fitting));
        }
        line += &format!("{name}  ");
    }
    writeln!(f, "{}", line.trim_end())
}

/// The maximum indentation of lines of names.
const DEEPEST: usize = 40;

/// Writes each note: the question, and what both sides do.
fn write_notes(notes: &[Note], f: &mut String) -> fmt::Result {
    const WIDEST: usize = 90;
    let name = |note: &Note| note.name.split('=').next().unwrap_or_default().to_owned();
    let width = notes.iter().map(|note| name(note).len()).max().unwrap_or_default();
    for note in notes {
        let sides = [&note.from, &note.to];
        writeln!(f, "    {:<width$}   {}", name(note), note.question)?;
        let widest = sides.map(|side| side.note.chars().count()).into_iter().max().unwrap_or_default().min(WIDEST);
        for side in sides {
            let line = format!("    {:<width$}     {:<widest$}   {}", "", side.note, side.source);
            writeln!(f, "{}", line.trim_end())?;
        }
        for remark in note.remarks() {
            writeln!(f, "    {:<width$}     {remark}", "")?;
        }
    }
    Ok(())
}

fn write_engine(engine: &EngineExplanation, f: &mut String) -> fmt::Result {
    let name = visible(&engine.name);
    if let Outcome::Unrepresentable(why) = &engine.outcome {
        return writeln!(f, "\n  {name}: it was not asked, because it cannot be given this text ({})", visible(why));
    }
    let same = match engine.same_as.as_slice() {
        [] => "no specification returns its result".to_owned(),
        ids => format!("its result is that of {}", ranges(ids.iter().copied()).join(", ")),
    };
    let model = if engine.has_model { "" } else { "; the engine has no behaviour" };
    let overall =
        || engine.accuracy.map_or_else(String::new, |percent| format!("predicts {percent}% of pairs with such a base"));
    let rate = engine.rate.as_ref().map_or_else(overall, ToString::to_string);
    match engine.source {
        Source::Live => writeln!(f, "\n  {name}: {same}{model}")?,
        Source::Recorded if engine.has_steps => writeln!(f, "\n  {name} (recorded; its steps are known): {same}")?,
        Source::Recorded if engine.has_model => writeln!(f, "\n  {name} (recorded; its behaviour {rate}): {same}")?,
        Source::Recorded => writeln!(f, "\n  {name} (recorded): {same}{model}")?,
        Source::Predicted if engine.has_steps => {
            writeln!(f, "\n  {name}: this pair is not recorded; the result of the steps of its source: {same}")?;
        }
        Source::Predicted => {
            writeln!(
                f,
                "\n  {name}: this pair is not recorded, and its behaviour {rate}; the predicted result: {same}"
            )?;
        }
        Source::Unable => writeln!(f, "\n  {name}: {RESOLVES_NOTHING}")?,
        Source::Absent => {
            let remedy = engine.install.as_ref().map_or_else(String::new, |it| format!(": {it} installs it"));
            writeln!(f, "\n  {name}: this pair is not recorded, and the engine has no behaviour{remedy}")?;
        }
    }
    engine.unstated.iter().try_for_each(|note| writeln!(f, "  {}", note.sentence(&name)))?;
    if let Some(note) = urlstrata_engines::table(&engine.name).and_then(|table| build(table, &engine.version)) {
        writeln!(f, "  {}", visible(&note))?;
    }
    // Where the prediction may be wrong, it does not show that the engine agrees with a specification.
    let is_known = |against: &&Against| engine.unstated.is_empty() || against.divergence.is_some();
    engine.against.iter().filter(is_known).try_for_each(|against| write_against(&name, against, f))
}

/// Writes the changes of the URL Standard, a line each.
fn write_changes(changes: &[ChangeNote], f: &mut String) -> fmt::Result {
    changes
        .iter()
        .try_for_each(|change| writeln!(f, "    since {} ({}): {}", change.day(), change.commit, change.sentence))
}

fn write_against(name: &str, against: &Against, f: &mut String) -> fmt::Result {
    let id = against.specification;
    let Some(divergence) = &against.divergence else { return writeln!(f, "  {name} does not differ from {id}") };
    writeln!(f, "  {name} differs from {id} in {}{}", divergence.effect.phrase(), ending(divergence))?;
    write_notes(&divergence.notes, f)?;
    if !against.since.is_empty() {
        writeln!(f, "    the Standard changed, and {name} returns the older result:")?;
        write_changes(&against.since, f)?;
    }
    divergence.reason.iter().try_for_each(|reason| writeln!(f, "    {reason}"))?;
    for KnownDeviation { does, kind, reason, issue } in &against.known {
        writeln!(f, "    known ({}): {does}: {reason} {issue}", kind.name())?;
    }
    Ok(())
}

/// Returns how the cause was found, if that limits what the cause means.
pub(super) fn ending(divergence: &Divergence) -> String {
    let outside =
        if divergence.outside { "; its behaviour predicts something else, and this is outside it" } else { "" };
    match divergence.found {
        Found::Steps | Found::Behaviour | Found::Agreeing => format!("{outside}:"),
        Found::Indirect => INDIRECT.to_owned(),
        Found::Listed | Found::Unexplained => format!("; no cause is known ({})", divergence.cause),
    }
}

/// Follows a difference of results whose cause is not known.
pub(super) const INDIRECT: &str = "; the cause is not known: fitted behaviours predict both results, but by settings that need not be those of the source";

fn write_between(between: &EngineDifference, f: &mut String) -> fmt::Result {
    let [one, other] = [&between.one, &between.other].map(|name| visible(name));
    let divergence = &between.divergence;
    let outside = match (divergence.found, divergence.outside) {
        (Found::Agreeing, true) => "; a behaviour predicts something else, and this is outside it",
        _ => "",
    };
    let cause = match divergence.found {
        Found::Steps => ":".to_owned(),
        Found::Behaviour | Found::Agreeing => format!(": {}", divergence.cause),
        Found::Indirect => INDIRECT.to_owned(),
        Found::Listed | Found::Unexplained => format!("; no cause is known ({})", divergence.cause),
    };
    writeln!(f, "\n  {one} and {other} differ in {}{outside}{cause}", divergence.effect.phrase())?;
    for note in &divergence.notes {
        f.write_str(&note.lines(&other, &one))?;
    }
    Ok(())
}

/// Writes a table with the steps of two revisions in parallel. The first row after which the states differ is marked.
fn write_traces(traces: &TracePair, layout: &Layout, f: &mut dyn Write) -> fmt::Result {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(layout.width).unwrap_or(u16::MAX));
    table.set_header(["", traces.older, traces.newer]);
    let cell = |steps: &[TracedStep], row: usize| {
        steps.get(row).map_or_else(String::new, |it| format!("{}  {}\n{}", it.label, it.text, visible(&it.state)))
    };
    for row in 0..traces.older_steps.len().max(traces.newer_steps.len()) {
        let mark = if traces.first_difference == Some(row) { "≠" } else { "" };
        table.add_row([mark.to_owned(), cell(&traces.older_steps, row), cell(&traces.newer_steps, row)]);
    }
    writeln!(f, "\n{table}")
}
