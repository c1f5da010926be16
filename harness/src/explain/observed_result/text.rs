//! The text of an observed or expected result.

use crate::engine::Source;
use crate::escape::visible;
use crate::knowledge::dated::ranges;
use crate::knowledge::note::Note;
use crate::knowledge::specification::Specification;
use crate::layout::{Layout, carets, differing};
use crate::outcome::Outcome;
use crate::plural::counted;

use super::{Change, GivenResult, Giver, ObservedResult, PartingOfResults, current, specifications_giving};

/// The largest number of engines that are listed for a result.
const MOST_ENGINES: usize = 8;

/// The number of lines that an answer should not exceed: those of a terminal.
const MOST_LINES: usize = 24;

/// The number of columns before the results.
const INDENT: usize = 13;

impl ObservedResult {
    /// Returns the answer as text for a reader. With `all`, every engine is listed, and otherwise the best known ones.
    pub fn text(&self, layout: &Layout, all: bool) -> String {
        let mut out = format!("\n  {} on {}\n\n", shown(&self.reference), shown(&self.base));
        for note in &self.input {
            out += &layout.wrapped("  Note: ", 8, &format!("{note}"));
        }
        if !self.verdict.is_empty() {
            out += &format!("{}\n", layout.wrapped("  ", 2, &self.verdict.join(" ")));
        }
        self.write_results(layout, all, &mut out);
        self.write_named(layout, &mut out);
        self.write_change_of_source(layout, &mut out);
        self.write_observations(layout, &mut out);
        if let Some(parting) = &self.parting {
            let lines = if all { usize::MAX } else { MOST_LINES.saturating_sub(out.lines().count() + 2) };
            write_parting(parting, (layout, lines), &mut out);
        }
        if let Some(steps) = self.steps.as_ref().filter(|_| self.parting.is_none()) {
            out += &format!("\n{}", steps.text(layout));
        }
        self.write_changes(layout, all, &mut out);
        if let Some(expectation) = &self.expectation {
            out += &format!("\n{}", layout.wrapped("  ", 2, &expectation.sentence(&self.base, &self.reference)));
        }
        self.write_legend(layout, all, &mut out);
        out
    }

    fn write_results(&self, layout: &Layout, all: bool, out: &mut String) {
        let got = self.got.as_ref().map(|own| ("got", own));
        let expected = self.expected.as_ref().map(|own| ("expected", own));
        let others = self.others.iter().map(|own| ("otherwise", own));
        let given: Vec<(&str, &GivenResult)> = got.into_iter().chain(expected).chain(others).collect();
        let urls: Vec<&str> = given.iter().take(2).filter_map(|(_, own)| own.outcome.url()).collect();
        let marks = if let [one, other] = urls.as_slice() { Some(differing(one, other)) } else { None };
        for (index, (label, own)) in given.iter().enumerate() {
            let text = own.outcome.to_string();
            let start = format!("  {label:<width$}", width = INDENT - 2);
            // Escaped characters have other places.
            let range =
                marks.as_ref().and_then(|it| it.get(index)).filter(|_| own.outcome.url() == Some(text.as_str()));
            match range {
                Some(range) if layout.has_colour => *out += &format!("{start}{}\n", layout.marked(&text, range)),
                _ => *out += &format!("{start}{text}\n"),
            }
            let below = range.filter(|_| !layout.has_colour).and_then(|range| carets(&text, range, INDENT));
            out.extend(below.into_iter().flat_map(|line| [line, "\n".to_owned()]));
            // Who gives a result takes at most two lines.
            let columns = if all { usize::MAX } else { 2 * layout.width.saturating_sub(INDENT + 4) };
            let by = by(own, columns, self.given_here(own));
            *out += &layout.wrapped(&" ".repeat(INDENT), INDENT, &by);
        }
    }

    /// Returns whether a result was given by the reader, and not by a specification.
    fn given_here(&self, given: &GivenResult) -> bool {
        [&self.got, &self.expected].into_iter().flatten().any(|own| std::ptr::eq(own, given))
    }

    fn write_named(&self, layout: &Layout, out: &mut String) {
        let Some(named) = &self.by else { return };
        let title = format!("{} {}", visible(&named.engine), visible(&named.version));
        let known = match (named.source, named.has_steps) {
            (Source::Live, _) => "asked",
            (Source::Recorded, _) => "recorded",
            (Source::Predicted, true) => "by the steps of its source",
            (Source::Predicted, false) => "predicted by its fitted behaviour",
            (Source::Absent | Source::Unable, _) => "not known",
        };
        let result = match (&named.outcome, named.source) {
            (Outcome::Skipped(_), Source::Unable) => {
                let remedy = "`urlstrata hosts` with the base and the reference lists where it goes after a redirect";
                *out += &layout.wrapped("  ", 2, &format!("{title} does not resolve references: {remedy}."));
                return;
            }
            (Outcome::Skipped(_), _) => {
                let remedy = named.install.as_ref().map_or_else(String::new, |it| format!(": {it} installs it"));
                *out += &layout.wrapped(
                    "  ",
                    2,
                    &format!("{title} has not recorded this pair, and nothing predicts it{remedy}."),
                );
                return;
            }
            (Outcome::Failure(_), Source::Predicted) if !named.has_steps => "a failure".to_owned(),
            (outcome, _) => outcome.to_string(),
        };
        if named.is_observed == Some(true) {
            *out += &layout.wrapped("  ", 2, &format!("{title} gives what was observed ({known})."));
            return;
        }
        let agrees = match named.is_observed {
            Some(false) => match self.versions_of(&named.engine) {
                Some(versions) => format!("; what was observed is the result of {versions}"),
                None => "; no version that is known here gives what was observed".to_owned(),
            },
            _ => String::new(),
        };
        *out += &layout.wrapped("  ", 2, &format!("{title} gives {result} ({known}){agrees}."));
    }

    /// Writes by which change a later version of an engine gives something else than the observed result: of the named engine, or else of the
    /// one that is listed first.
    fn write_change_of_source(&self, layout: &Layout, out: &mut String) {
        let is_right =
            self.got.as_ref().is_some_and(|got| current().iter().any(|(own, _)| got.specifications.contains(&own.id)));
        let named = self.by.as_ref().map(|own| own.engine.replacen("crate:", "crate-", 1));
        if is_right && named.is_none() {
            return;
        }
        let listed = self.got.as_ref().map_or(&[][..], |got| &got.engines);
        let engine = match &named {
            Some(name) => listed.iter().find(|own| own.engine == *name),
            None => listed.first(),
        };
        let found = engine.and_then(|own| {
            let last = own.versions.iter().rfind(|range| range.changed_by.is_some())?;
            Some((own, last.before.as_ref()?, last.changed_by.as_ref()?))
        });
        let Some((engine, version, change)) = found else { return };
        let issue = if change.issue.is_empty() { String::new() } else { format!(" ({})", change.issue) };
        let (name, version, date) = (visible(&engine.engine), visible(version), change.date);
        let sentence = format!("{name} {version} of {date} changed it: {}{issue}.", change.sentence);
        *out += &layout.wrapped("  ", 2, &sentence);
    }

    /// Returns the versions of an engine that give the observed result.
    fn versions_of(&self, engine: &str) -> Option<String> {
        let folder = engine.replacen("crate:", "crate-", 1);
        self.got.as_ref()?.engines.iter().find(|own| own.engine == folder).map(Giver::title)
    }

    fn write_observations(&self, layout: &Layout, out: &mut String) {
        if !self.observations.is_empty() {
            let clauses = self.observations.join(". It ");
            *out += &format!("\n{}", layout.wrapped("  ", 2, &format!("Observation: what was observed {clauses}.")));
        }
        for change in &self.got_with {
            let lead = match &change.engine {
                Some(_) => format!("RFC 3986 gives it with {}", change.what),
                None => {
                    let verb = if change.by.len() == 1 { "gives" } else { "give" };
                    format!("{} {verb} it if you {}", names(&change.by), change.what)
                }
            };
            let sentence = format!("{lead}: {}", change.instead(&self.base, &self.reference));
            *out += &layout.wrapped("  ", 2, &sentence);
        }
    }

    fn write_changes(&self, layout: &Layout, all: bool, out: &mut String) {
        if self.changes.is_empty() {
            let open = self.expected.as_ref().filter(|own| own.is_unknown());
            if let Some(url) = open.and_then(|own| own.outcome.url()) {
                let is_absolute = !specifications_giving("", url, url).is_empty();
                let absolute = if is_absolute { "; as an absolute reference, it is its own result" } else { "" };
                let sentence =
                    format!("No small change of the base, the reference or a rule gives what was expected{absolute}.");
                let sentence = sentence.as_str();
                *out += &format!("\n{}", layout.wrapped("  ", 2, sentence));
            }
            return;
        }
        let has_rule = self.changes.iter().all(|change| change.engine.is_some());
        let head =
            if has_rule { "With another rule, it would be what was expected:" } else { "To get what was expected:" };
        *out += &format!("\n  {head}\n");
        // The smallest change comes first. The others are written if there is room, also for the two lines of the legend.
        let room = MOST_LINES.saturating_sub(out.lines().count() + 2).max(1);
        let shown = if all { self.changes.len() } else { room };
        for change in self.changes.iter().take(shown) {
            let Change { what, by, engine, .. } = change;
            let only = match (engine, by.as_slice()) {
                (None, [only]) => format!(" (by {} only)", names(std::slice::from_ref(only))),
                _ => String::new(),
            };
            let line = format!("{what}: {}{only}", change.instead(&self.base, &self.reference));
            *out += &layout.wrapped("    ", 6, &line);
        }
    }

    fn write_legend(&self, layout: &Layout, all: bool, out: &mut String) {
        let lists = [&self.got, &self.expected].into_iter().flatten().map(|own| &own.engines);
        let is_cut = !all && lists.clone().any(|engines| engines.len() > 2);
        let mut remarks = Vec::new();
        if lists.clone().flatten().any(|giver| giver.is_every) {
            remarks.push("without versions: all that are known");
        }
        if lists.flatten().any(|giver| giver.is_fitted) {
            remarks.push("*: predicted");
        }
        remarks.extend(is_cut.then_some("--all: every engine"));
        if !remarks.is_empty() {
            *out += &format!("\n{}", layout.wrapped("  (", 3, &format!("{})", remarks.join("; "))));
        }
    }
}

/// Returns the specifications with these ids, or all but the others if these are few.
fn specifications(ids: &[&'static str]) -> String {
    let all = Specification::all();
    let missing: Vec<&str> = all.iter().map(|own| own.id).filter(|id| !ids.contains(id)).collect();
    let missing = ranges(missing);
    let are_states = all.iter().all(|own| own.is_url_standard() != ids.contains(&own.id));
    match missing.len() {
        _ if ids.is_empty() => "no specification".to_owned(),
        0 => "every specification".to_owned(),
        1 if are_states => "every RFC and draft".to_owned(),
        1..=2 => format!("every specification but {}", missing.join(" and ")),
        _ => ranges(ids.iter().copied()).join(", "),
    }
}

/// Returns who gives a result: the specifications, then the engines in about as many columns.
fn by(given: &GivenResult, columns: usize, has_engines: bool) -> String {
    let specifications = specifications(&given.specifications);
    if !has_engines {
        return specifications;
    }
    let mut titles: Vec<String> = Vec::new();
    let mut used = specifications.len() + ", and 100 others".len();
    for giver in &given.engines {
        let title = giver.title();
        used += title.len() + 2;
        if titles.len() >= 2 && used > columns || columns < usize::MAX && titles.len() == MOST_ENGINES {
            break;
        }
        titles.push(title);
    }
    let rest = given.engines.len() - titles.len();
    match (titles.is_empty(), rest) {
        (true, _) => format!("{specifications}, no known engine"),
        (false, 0) => format!("{specifications}; {}", titles.join(", ")),
        (false, 1) => format!("{specifications}; {}, and 1 other", titles.join(", ")),
        (false, rest) => format!("{specifications}; {}, and {rest} others", titles.join(", ")),
    }
}

/// Writes where two sides part, and what each of them does there. Notes after the first one are left out if all would take more than this number
/// of lines.
fn write_parting(parting: &PartingOfResults, (layout, lines): (&Layout, usize), out: &mut String) {
    let PartingOfResults { from, to, notes, standard } = parting;
    if notes.is_empty() && standard.is_empty() {
        return;
    }
    let mut text = format!("\n{}", layout.wrapped("  ", 4, &format!("Where {from} and {to} part:")));
    for (index, note) in notes.iter().enumerate() {
        // The verdict names the older specifications, too.
        let note = written(note, [from, to], lines == usize::MAX, layout);
        if index > 0 && text.lines().count() + note.lines().count() > lines {
            let rest = counted(notes.len() - index, "more difference", "more differences");
            text += &format!("    --all shows {rest}\n");
            break;
        }
        text += &note;
    }
    for change in standard {
        let line = format!("since {} ({}): {}", change.day(), change.commit, change.sentence);
        text += &layout.wrapped("      ", 8, &line);
    }
    *out += &text;
}

/// Writes the first difference between two sides. `about` follows their names.
pub(in crate::explain) fn write_first(parting: &PartingOfResults, about: &str, layout: &Layout, out: &mut String) {
    let PartingOfResults { from, to, notes, .. } = parting;
    if let Some(note) = notes.first() {
        *out += &format!("\n{}", layout.wrapped("  ", 4, &format!("Where {from} and {to} part{about}:")));
        *out += &written(note, [from, to], false, layout);
    }
}

/// Returns the lines of a note about two sides with these names, with or without how the specifications changed.
fn written(note: &Note, [from, to]: [&str; 2], has_change: bool, layout: &Layout) -> String {
    let Note { question, from: left, to: right, change, permitted, .. } = note;
    let mut text = layout.wrapped("    ", 6, question);
    text += &layout.wrapped(&format!("      {from}: "), 8, &visible(&left.to_string()));
    text += &layout.wrapped(&format!("      {to}: "), 8, &visible(&right.to_string()));
    // The change between both sides is their second one.
    if has_change && !change.is_empty() && !change.contains(&right.source) {
        text += &layout.wrapped("      ", 8, change);
    }
    if !permitted.is_empty() {
        text += &layout.wrapped("      ", 8, &format!("{permitted} permits it, too"));
    }
    text
}

/// Returns the names of specifications in a sentence.
fn names(ids: &[&str]) -> String {
    let name = |id: &&str| match Specification::by_id(id) {
        Some(own) if own.is_url_standard() => "the URL Standard".to_owned(),
        Some(own) => own.cite.to_owned(),
        None => (*id).to_owned(),
    };
    ids.iter().map(name).collect::<Vec<_>>().join(" and ")
}

/// Returns a text for a reader; an empty one as such.
pub(in crate::explain) fn shown(text: &str) -> String {
    if text.is_empty() { "(empty)".to_owned() } else { visible(text) }
}
