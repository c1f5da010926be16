//! The short text form of an explanation: the answer first, in the width of the reader's terminal.

use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};
use std::ops::Range;

use urlstrata::revision;

use super::hosts::{Observer, PREDICTED};
use super::observations::Observed;
use super::text::{INDIRECT, ending};
use super::{
    Against, Divergence, EngineDifference, EngineExplanation, Explanation, Found, Group, KnownDeviation,
    RevisionChange, bug_report, nothing_to_report,
};
use crate::engine::use_order::place;
use crate::engine::{RESOLVES_NOTHING, Source};
use crate::escape::visible;
use crate::knowledge::attribute::Effect;
use crate::knowledge::dated::ranges;
use crate::knowledge::later::Remark;
use crate::knowledge::note::{Note, Statement};
use crate::knowledge::specification::Specification;
use crate::knowledge::step_table::build;
use crate::layout::{Layout, carets, columns, differing};
use crate::outcome::Outcome;
use crate::outcome::location::Location;

/// The number of engines of a group that are shown.
pub(super) const SHOWN: usize = 8;

/// The short text form of an explanation.
pub struct Brief<'a> {
    explanation: &'a Explanation,
    layout: Layout,
    /// Whether the reader named the engines. Their causes are then shown instead of the other engines' results.
    is_named: bool,
}

impl Explanation {
    /// Returns the short text form: results, where they part and why, and what is known of it. `is_named` states whether the reader named the
    /// engines.
    pub fn brief(&self, layout: Layout, is_named: bool) -> Brief<'_> {
        Brief { explanation: self, layout, is_named }
    }
}

impl Display for Brief<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        self.write_results(f)?;
        match self.is_named {
            true => self.write_engines(f)?,
            false => self.write_overview(f)?,
        }
        self.write_remarks(f)
    }
}

impl Brief<'_> {
    fn wrapped(&self, start: &str, indent: usize, text: &str, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.layout.wrapped(start, indent, text))
    }

    /// Returns the two results that are compared: those of the only engine and of the specification that it is compared with, or of two engines.
    fn compared(&self) -> Option<[&Outcome; 2]> {
        match self.explanation.engines.as_slice() {
            [engine] if self.is_named => {
                let differs = |it: &&Against| it.divergence.is_some();
                let id = engine.against.iter().rev().find(differs)?.specification;
                let group = self.explanation.groups.iter().find(|group| group.by.iter().any(|by| by == id))?;
                Some([&engine.outcome, &group.outcome])
            }
            [one, other] if self.is_named => Some([&one.outcome, &other.outcome]),
            _ => None,
        }
    }

    /// Writes each result with those that return it. Where two results are compared, the parts in which they differ are marked.
    fn write_results(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let groups = &self.shown_groups();
        let titles: BTreeSet<String> = self.explanation.engines.iter().map(EngineExplanation::title).collect();
        let is_of_named = |group: &&Group| self.is_named && group.by.iter().any(|by| titles.contains(by));
        let (first, last): (Vec<&Group>, Vec<&Group>) = groups.iter().partition(is_of_named);
        let compared = self.compared().map(|both| both.map(Outcome::to_string));
        let ranges = match &compared {
            Some([one, other])
                if one != other && self.compared().is_some_and(|both| both.iter().all(|it| it.url().is_some())) =>
            {
                Some(differing(one, other))
            }
            _ => None,
        };
        let range = |text: &str| -> Option<Range<usize>> {
            let at = compared.as_ref()?.iter().position(|own| own == text)?;
            ranges.as_ref().map(|ranges| ranges[at].clone())
        };
        let widest = self.layout.width * 5 / 9;
        let texts = groups.iter().map(|group| columns(&group.outcome.to_string()));
        let column = texts.filter(|width| *width <= widest).max().unwrap_or_default();
        let mut is_predicted = false;
        for group in first.into_iter().chain(last) {
            is_predicted |= !group.predicted.is_empty();
            let text = group.outcome.to_string();
            self.write_row(&text, range(&text), column, &self.names(group), f)?;
        }
        if is_predicted && !self.is_named {
            writeln!(f, "  {PREDICTED}")?;
        }
        let absent = self.explanation.absent.len();
        if absent > 0 && !self.is_named {
            writeln!(f, "  {absent} more are not recorded on this pair: -e NAME shows what is predicted")?;
        }
        Ok(())
    }

    /// Returns the results. Where nobody was named, more than two kinds of rejections are one.
    fn shown_groups(&self) -> Vec<Group> {
        let (mut shown, rejecting): (Vec<Group>, Vec<Group>) =
            self.explanation.groups.iter().cloned().partition(|group| group.outcome.url().is_some());
        if self.is_named || rejecting.len() <= 2 {
            shown.extend(rejecting);
            return shown;
        }
        let reasons = format!("{} different reasons", rejecting.len());
        shown.push(Group {
            outcome: Outcome::Failure(reasons),
            location: None,
            by: rejecting.iter().flat_map(|group| group.by.clone()).collect(),
            predicted: rejecting.into_iter().flat_map(|group| group.predicted).collect(),
        });
        shown
    }

    /// Writes a result and, in a column after it or below it, the names.
    fn write_row(
        &self,
        text: &str,
        range: Option<Range<usize>>,
        column: usize,
        names: &[String],
        f: &mut Formatter<'_>,
    ) -> fmt::Result {
        let shown = range.as_ref().map_or_else(|| text.to_owned(), |range| self.layout.marked(text, range));
        let carets = range.and_then(|range| carets(text, &range, 2));
        if columns(text) > column {
            match text.starts_with("failure: ") {
                true => self.wrapped("  ", 4, text, f)?,
                false => writeln!(f, "  {shown}")?,
            }
            carets.iter().try_for_each(|line| writeln!(f, "{line}"))?;
            return f.write_str(&self.layout.listed("      ", 6, names));
        }
        let narrow = Layout { width: self.layout.width.saturating_sub(column + 5).max(20), ..self.layout };
        let lines = narrow.listed("", 0, names);
        let mut left = [format!("  {shown}")].into_iter().chain(carets);
        let mut right = lines.lines();
        loop {
            let (cell, names) = (left.next(), right.next());
            if cell.is_none() && names.is_none() {
                return Ok(());
            }
            let cell = cell.unwrap_or_default();
            let pad = " ".repeat((column + 5).saturating_sub(columns(&cell)));
            writeln!(f, "{}", format!("{cell}{pad}{}", names.unwrap_or_default()).trim_end())?;
        }
    }

    /// Returns the specifications of a group, and its best known engines with the number of the others. Engines that were not asked have a mark.
    fn names(&self, group: &Group) -> Vec<String> {
        let is_specification = |by: &&String| revision::by_id(by).is_some();
        let (specifications, mut engines): (Vec<&String>, Vec<&String>) = group.by.iter().partition(is_specification);
        let name = |title: &str| title.rsplit_once(' ').map_or(title, |(name, _)| name).to_owned();
        engines.sort_by_key(|title| place(&name(title)));
        let shown = if engines.len() > SHOWN + 1 { SHOWN } else { engines.len() };
        let titled = |title: &&String| {
            let twin = |other: &&String| *other != *title && name(other) == name(title);
            let is_twin = self.explanation.groups.iter().flat_map(|group| &group.by).any(|by| twin(&by));
            let text = if self.is_named || is_twin { (*title).clone() } else { name(title) };
            let is_predicted = !self.is_named && group.predicted.iter().any(|it| it.by == **title);
            let text = if is_predicted { format!("{text}*") } else { text };
            if self.is_named { self.layout.bold(&text) } else { text }
        };
        let others = engines.len() - shown;
        let engines = engines[..shown].iter().map(titled).chain((others > 0).then(|| format!("and {others} others")));
        let specifications = ranges(specifications.into_iter().map(String::as_str));
        match self.is_named {
            true => engines.chain(specifications).collect(),
            false => specifications.into_iter().chain(engines).collect(),
        }
    }

    /// Writes what a reader asks who named no engine: the hosts, and why the specifications differ.
    fn write_overview(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut hosts: Vec<String> = Vec::new();
        for location in self.explanation.groups.iter().filter_map(|group| group.location.as_ref()) {
            let host = host_in_words(location);
            if !hosts.contains(&host) {
                hosts.push(host);
            }
        }
        if hosts.len() > 1 {
            writeln!(f)?;
            let start = format!("  {} ", self.layout.bold(&format!("{} different hosts:", hosts.len())));
            self.wrapped(&start, 4, &hosts.join(", "), f)?;
        }
        self.write_observations(f)?;
        self.write_decided(f)?;
        self.write_changes(f)
    }

    /// Writes where clients connect, and how many of them.
    fn write_observations(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let observations = &self.explanation.observations;
        let has_host = |it: &&Observed| {
            let mut hosts = it.groups.iter().filter_map(|group| group.location.as_ref()?.host.as_deref());
            hosts.any(|host| !host.is_empty())
        };
        let texts = observations.stated.iter().filter(has_host).filter(|it| !self.is_named || self.is_news(it));
        let stated = texts.map(|it| (format!("About {}, libraries state:", visible(&it.about)), it));
        let connected = observations.connected.iter().filter(|it| !it.groups.is_empty());
        let connected = connected.map(|it| (format!("Clients connect for {} to:", visible(&it.about)), it));
        let followed = observations.followed.iter().filter(|it| !it.groups.is_empty());
        let followed = followed.map(|it| ("Clients go, after a redirect from the base, to:".to_owned(), it));
        let all: Vec<_> = stated.chain(connected).chain(followed).collect();
        if !all.is_empty() {
            writeln!(f)?;
        }
        all.iter().try_for_each(|(head, observed)| self.wrapped(&format!("  {head} "), 4, &self.counted(observed), f))
    }

    /// Returns whether what named libraries state says more than their results: another host.
    fn is_news(&self, observed: &Observed) -> bool {
        let stated = observed.groups.iter().filter_map(|group| group.location.as_ref());
        let results = self.explanation.engines.iter().filter_map(|engine| engine.outcome.url()).map(Location::of);
        let hosts: BTreeSet<Option<String>> =
            stated.cloned().chain(results).map(|it| it.in_one_notation().host).collect();
        hosts.len() > 1
    }

    /// Returns each host, or what happened instead, with those who answer so, or their number.
    fn counted(&self, observed: &Observed) -> String {
        let mut answers: Vec<(String, Vec<&Observer>)> = Vec::new();
        for group in &observed.groups {
            let what = match (&group.location, group.why) {
                (Some(location), None) => host_in_words(location),
                (_, why) => why.unwrap_or("no answer").to_owned(),
            };
            // A library that joins the text with a base of its own says nothing about the text alone. It is shown only with its name.
            let by = group.by.iter().filter(|it| self.is_named || it.own_base.is_none());
            match answers.iter_mut().find(|(own, _)| *own == what) {
                Some((_, known)) => known.extend(by),
                None => answers.push((what, by.collect())),
            }
        }
        let one = |(what, by): &(String, Vec<&Observer>)| match self.is_named {
            true => format!("{what} ({})", by.iter().map(|it| it.marked()).collect::<Vec<_>>().join(", ")),
            false => format!("{what} ({})", by.len()),
        };
        answers.iter().filter(|(_, by)| !by.is_empty()).map(one).collect::<Vec<_>>().join(", ")
    }

    /// Returns the specifications with which the named engines are compared.
    fn compared_with(&self) -> impl Iterator<Item = Specification> {
        let engines = self.explanation.engines.iter().filter(|_| self.is_named);
        engines.flat_map(|engine| &engine.against).filter_map(|it| Specification::by_id(it.specification))
    }

    /// Writes the steps by which specifications come to the target that all have.
    fn write_decided(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let compared: Vec<&str> = self.compared_with().map(|it| it.cite).collect();
        let is_compared = |it: &&Statement| compared.iter().any(|cite| it.source.starts_with(cite));
        let all = &self.explanation.decided;
        let decided: Vec<&Statement> = match all.iter().any(|it| is_compared(&it)) {
            true => all.iter().filter(is_compared).collect(),
            false => all.iter().collect(),
        };
        if decided.is_empty() {
            return Ok(());
        }
        writeln!(f, "\n  {}", self.layout.bold("All specifications have this target:"))?;
        for Statement { note, source } in decided {
            self.wrapped("    ", 6, &format!("{source}: {note}"), f)?;
        }
        self.explanation.agreement.iter().try_for_each(|agreement| f.write_str(&agreement.text(&self.layout)))
    }

    /// Writes where consecutive specifications differ: what the newer one does.
    fn write_changes(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // Where an engine was named, its specifications are of interest.
        let compared: Vec<&str> = self.compared_with().map(|it| it.id).collect();
        let is_of_compared =
            |it: &&RevisionChange| compared.is_empty() || [it.older, it.newer].iter().any(|id| compared.contains(id));
        let changes: Vec<&RevisionChange> = self.explanation.changes.iter().filter(is_of_compared).collect();
        if changes.is_empty() {
            return Ok(());
        }
        writeln!(f, "\n  {}", self.layout.bold("Why the specifications differ:"))?;
        for RevisionChange { older, newer, effect, notes, standard } in changes {
            writeln!(f, "    {older} and {newer} differ in {}", effect.phrase())?;
            for note in notes {
                let Note { question, from, to, .. } = note;
                self.wrapped("      ", 6, question, f)?;
                self.wrapped("        before: ", 10, &cited(from), f)?;
                self.wrapped("        then:   ", 10, &cited(to), f)?;
            }
            for change in standard {
                let text = format!("since {} ({}): {}", change.day(), change.commit, change.sentence);
                self.wrapped("      ", 8, &text, f)?;
            }
        }
        Ok(())
    }

    /// Writes the answer about the engines that the reader named.
    fn write_engines(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let engines = &self.explanation.engines;
        if engines.is_empty() {
            return Ok(());
        }
        for engine in engines {
            let notes = status(engine);
            if !notes.is_empty() {
                writeln!(f)?;
            }
            notes.iter().try_for_each(|note| self.wrapped("  ", 4, note, f))?;
        }
        if let [engine] = engines.as_slice() {
            self.write_engine(engine, f)?;
        } else {
            writeln!(f)?;
            engines.iter().try_for_each(|engine| self.write_agreement(engine, f))?;
            self.explanation.between.iter().try_for_each(|it| self.write_between(it, f))?;
            let known = engines
                .iter()
                .flat_map(|engine| engine.against.iter().flat_map(|it| &it.known).zip(std::iter::repeat(engine)));
            let mut written = Vec::new();
            for (known, engine) in known {
                if !written.contains(&known) {
                    self.write_known(&engine.name, known, f)?;
                    written.push(known);
                }
            }
        }
        self.write_observations(f)?;
        let differs = |engine: &EngineExplanation| engine.against.iter().any(|it| it.divergence.is_some());
        if !engines.iter().any(differs) && self.explanation.between.is_empty() {
            self.write_decided(f)?;
            self.write_changes(f)?;
        }
        match engines.as_slice() {
            [engine] => self.write_advice(engine, f),
            _ => Ok(()),
        }
    }

    /// Writes the differences of the only engine from the specifications it is compared with. Specifications from which it differs for the same
    /// reason are named together.
    fn write_engine(&self, engine: &EngineExplanation, f: &mut Formatter<'_>) -> fmt::Result {
        let name = visible(&engine.name);
        if status(engine).is_empty() {
            writeln!(f)?;
        }
        self.write_agreement(engine, f)?;
        let mut written: Vec<&Divergence> = Vec::new();
        for against in &engine.against {
            let Some(divergence) = &against.divergence else { continue };
            let is_same = |own: &&Divergence| own.notes == divergence.notes && own.cause == divergence.cause;
            if written.iter().any(is_same) {
                continue;
            }
            written.push(divergence);
            let alike = engine.against.iter().filter(|it| it.divergence.as_ref().is_some_and(|own| is_same(&own)));
            let ids: Vec<&str> = alike.map(|it| it.specification).collect();
            let head = format!(
                "{name} differs from {} in {}{}",
                ids.join(" and "),
                divergence.effect.phrase(),
                ending(divergence)
            );
            self.wrapped("  ", 4, &self.layout.bold(&head), f)?;
            let of_specification = ids.first().copied().unwrap_or_default();
            divergence.notes.iter().try_for_each(|note| self.write_note(note, [of_specification, &name], f))?;
            for change in &against.since {
                let text = format!(
                    "since {} ({}), which {name} does not follow: {}",
                    change.day(),
                    change.commit,
                    change.sentence
                );
                self.wrapped("    ", 6, &text, f)?;
            }
            divergence.reason.iter().try_for_each(|reason| self.wrapped("    ", 6, reason, f))?;
            against.known.iter().try_for_each(|known| self.write_known(&name, known, f))?;
        }
        Ok(())
    }

    /// Writes with which specifications the engine agrees, of those it is compared with.
    fn write_agreement(&self, engine: &EngineExplanation, f: &mut Formatter<'_>) -> fmt::Result {
        let is_single = self.explanation.engines.len() == 1;
        let name = visible(&engine.name);
        // Where the prediction may be wrong, it does not show that the engine agrees with a specification.
        let agreeing = engine.against.iter().filter(|it| it.divergence.is_none() && engine.unstated.is_empty());
        let agreeing: Vec<&str> = agreeing.map(|it| it.specification).collect();
        if !agreeing.is_empty() {
            self.wrapped("  ", 4, &format!("{name} does not differ from {}", agreeing.join(" and ")), f)?;
        }
        for against in engine.against.iter().filter(|_| !is_single) {
            if let Some(divergence) = &against.divergence {
                let text = format!("{name} differs from {} in {}", against.specification, divergence.effect.phrase());
                self.wrapped("  ", 4, &text, f)?;
            }
        }
        Ok(())
    }

    fn write_between(&self, between: &EngineDifference, f: &mut Formatter<'_>) -> fmt::Result {
        let EngineDifference { one, other, divergence } = between;
        let [one, other] = [one, other].map(|name| visible(name));
        let end = match divergence.found {
            Found::Steps | Found::Behaviour | Found::Agreeing => ":".to_owned(),
            Found::Indirect => INDIRECT.to_owned(),
            Found::Listed | Found::Unexplained => format!("; no cause is known ({})", divergence.cause),
        };
        let head = format!("{one} and {other} differ in {}{end}", divergence.effect.phrase());
        writeln!(f)?;
        self.wrapped("  ", 4, &self.layout.bold(&head), f)?;
        divergence.notes.iter().try_for_each(|note| self.write_note(note, [&other, &one], f))
    }

    /// Writes a question, and what both sides do, the second one first.
    fn write_note(&self, note: &Note, [from, to]: [&str; 2], f: &mut Formatter<'_>) -> fmt::Result {
        let width = from.chars().count().max(to.chars().count()) + 1;
        self.wrapped("    ", 4, &note.question, f)?;
        for (name, side) in [(to, &note.to), (from, &note.from)] {
            let start = format!("      {:<width$} ", format!("{name}:"));
            self.wrapped(&start, 8, &cited(side), f)?;
        }
        note.remarks().iter().try_for_each(|remark| self.wrapped("      ", 8, remark, f))
    }

    fn write_known(&self, name: &str, known: &KnownDeviation, f: &mut Formatter<'_>) -> fmt::Result {
        let KnownDeviation { does, kind, issue, .. } = known;
        let start = format!("  {} ", self.layout.bold("Known:"));
        self.wrapped(&start, 4, &format!("{} {does} ({})", visible(name), kind.name()), f)?;
        match issue.is_empty() {
            true => Ok(()),
            false => writeln!(f, "    {issue}"),
        }
    }

    /// Writes what a reader can do about the difference of the only engine.
    fn write_advice(&self, engine: &EngineExplanation, f: &mut Formatter<'_>) -> fmt::Result {
        let Some(against) = engine.against.last() else { return Ok(()) };
        let effects = engine.against.iter().filter_map(|it| it.divergence.as_ref()).map(|it| it.effect);
        let is_dangerous =
            |it: &Effect| matches!(it, Effect::Host | Effect::Scheme | Effect::Port | Effect::Credentials);
        let mut advice = Vec::new();
        if effects.clone().any(|it| is_dangerous(&it)) {
            advice.push("resolve once, and request what you checked: others may go elsewhere".to_owned());
        }
        let is_known = engine.against.iter().any(|it| it.known.iter().any(|known| !known.issue.is_empty()));
        let is_reportable = !is_known && bug_report(self.explanation, 0, false).is_some();
        if is_reportable {
            advice.push(format!("--bug-report {} writes a report for its maintainers", visible(&engine.name)));
        } else if !is_known && (against.divergence.is_some() || !engine.unstated.is_empty()) {
            advice.extend(nothing_to_report(self.explanation, 0).lines().map(|line| line.trim().to_owned()));
        }
        for sentence in advice {
            self.wrapped(&format!("  {} ", self.layout.bold("Do:")), 6, &sentence, f)?;
        }
        Ok(())
    }

    /// Writes what is worth knowing of the texts, whatever resolves them.
    fn write_remarks(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let explanation = self.explanation;
        let mut lines = Vec::new();
        if !explanation.same_document.is_empty() {
            let names = ranges(explanation.same_document.iter().copied()).join(", ");
            lines.push(format!("the same document, so nothing is retrieved, by {names}"));
        }
        for change in &explanation.document_changes {
            let text = cited(&change.note.to);
            lines.push(format!(
                "{} and {} differ in whether it is the same document: {text}",
                change.older, change.newer
            ));
        }
        for it in &explanation.errata {
            lines.push(format!("{}, erratum {}: {}; decided: {}", it.specification, it.id, it.issue, it.decision));
        }
        for it in &explanation.not_matched {
            lines.push(format!(
                "not matched by the grammar of {}: {}, at byte {}",
                it.grammars.join(", "),
                it.found,
                it.at
            ));
        }
        lines.extend(explanation.remarks.iter().map(|remark| remark_in_words(remark, &explanation.reference)));
        if let Some(scheme) = &explanation.scheme_not_measured {
            lines.push(format!("predicted: no behaviour was measured on a base with the scheme {}", visible(scheme)));
        }
        let differs = |engine: &EngineExplanation| engine.against.iter().any(|it| it.divergence.is_some());
        let is_of_engine = self.is_named && explanation.engines.iter().any(differs);
        if !lines.is_empty() && !is_of_engine {
            writeln!(f)?;
        }
        let start = format!("  {} ", self.layout.bold("Also:"));
        lines.iter().try_for_each(|line| self.wrapped(&start, 4, line, f))
    }
}

/// Returns a remark with its source, and the text that it is about if that is not the reference.
pub(super) fn remark_in_words(remark: &Remark, reference: &str) -> String {
    let about = match remark.about == reference {
        true => String::new(),
        false => format!("{}: ", visible(&remark.about)),
    };
    format!("{about}{} ({})", remark.sentence, remark.source())
}

/// Returns a sentence with its source.
fn cited(statement: &Statement) -> String {
    statement.to_string()
}

/// Returns the host of a location, or that it has none.
fn host_in_words(location: &Location) -> String {
    match location.host.as_deref() {
        None => "no authority".to_owned(),
        Some("") => "an empty host".to_owned(),
        Some(host) => visible(host),
    }
}

/// Returns where the result of an engine comes from, if it was not simply asked, and what limits it.
fn status(engine: &EngineExplanation) -> Vec<String> {
    let (name, title) = (visible(&engine.name), engine.title());
    if let Outcome::Unrepresentable(why) = &engine.outcome {
        return vec![format!("{title}: it was not asked, because it cannot be given this text ({})", visible(why))];
    }
    let overall =
        || engine.accuracy.map_or_else(String::new, |percent| format!("predicts {percent}% of pairs with such a base"));
    let rate = || engine.rate.as_ref().map_or_else(overall, ToString::to_string);
    let source = match engine.source {
        Source::Live | Source::Recorded => None,
        Source::Predicted if engine.has_steps => {
            Some(format!("{title} was not asked: this is the result of the steps of its source"))
        }
        Source::Predicted => {
            Some(format!("{title}: this pair is not recorded, and its behaviour {}: the result is predicted", rate()))
        }
        Source::Unable => Some(format!("{title}: {RESOLVES_NOTHING}")),
        Source::Absent => {
            let remedy = engine.install.as_ref().map_or_else(String::new, |it| format!(": {it} installs it"));
            Some(format!("{title}: this pair is not recorded, and the engine has no behaviour{remedy}"))
        }
    };
    let unstated = engine.unstated.iter().map(|note| note.sentence(&name));
    let built = urlstrata_engines::table(&engine.name).and_then(|table| build(table, &engine.version));
    source.into_iter().chain(unstated).chain(built.map(|note| visible(&note))).collect()
}
