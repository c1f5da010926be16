//! `explain`: one reference, every answer, and why they differ.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use comfy_table::{ContentArrangement, Table, presets};
use serde::Serialize;
use urlstrata::Trace;
use urlstrata::grammar::Grammar;
use urlstrata::revision::{self, Revision};
use urlstrata::rules::Rules;
use urlstrata_harness::attribute::{self, Attribution, Cause, Couple, Difference, Effect, Subject};
use urlstrata_harness::engine::{Engine, Outcome, ask};
use urlstrata_harness::grammar::Recognisers;
use urlstrata_harness::judge::{Beside, Comparison, Note, is_same_document};
use urlstrata_harness::known;
use urlstrata_harness::location::Location;
use urlstrata_harness::profile::{KnownProfile, Reading};
use urlstrata_harness::rewrite::Origin;
use urlstrata_harness::{bug_report, validity, visible};

use super::run::{each_pair, engines_or, said_by, write_json, write_note};
use super::{Ended, Failure, Finding, Format};

#[derive(Args)]
pub(super) struct Arguments {
    /// The reference
    #[arg(required_unless_present = "pairs", conflicts_with = "pairs", allow_hyphen_values = true)]
    reference: Option<String>,
    /// The base; without one it is unknown
    #[arg(long, default_value = "", conflicts_with = "pairs")]
    base: String,
    /// Engines to ask beside the revisions; without any, the crates in this process
    #[arg(short, long = "engine", value_name = "ENGINE")]
    engines: Vec<String>,
    /// The document to compare engines with: a revision, or whatwg; without any, RFC 3986 and the one that the engine is
    /// nearest to
    #[arg(short, long, value_name = "REVISION", value_parser = super::a_reading)]
    revision: Vec<Reading>,
    /// End with a report on this engine, to paste where its maintainers read it; the only engine asked has one anyway
    #[arg(long, value_name = "ENGINE", conflicts_with = "pairs")]
    bug_report: Option<String>,
    /// Show the steps of each two consecutive revisions that differ, side by side
    #[arg(long)]
    trace: bool,
    /// For people or for machines: every pair with its answers and attributions, and the totals
    #[arg(long, value_enum, default_value = "text", conflicts_with = "trace")]
    format: Format,
    /// Explain each line of base TAB reference; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pairs: Option<PathBuf>,
}

pub(super) fn explain(arguments: &Arguments, out: &mut dyn Write) -> Ended {
    let engines = engines_or(&arguments.engines, |engine| engine.revision().is_none())?;
    let mut finding = Finding::AsExpected;
    let profiles: Vec<_> = engines.iter().map(|engine| known::profile_of(engine.as_ref())).collect();
    let readings = readings_or_default(&arguments.revision);
    let mut found = Found::new(&engines, &profiles, &readings);
    let mut recognisers = Recognisers::default();
    let mut explain = |base: &str, reference: &str, out: &mut dyn Write| match arguments.format {
        Format::Text => explain_one(base, reference, &engines, &profiles, &mut recognisers, arguments, out),
        Format::Json => {
            found.add(base, reference, &mut recognisers);
            Ok::<_, Failure>(())
        }
    };
    let Some(path) = &arguments.pairs else {
        explain(&arguments.base, arguments.reference.as_deref().unwrap_or_default(), out)?;
        if arguments.format == Format::Json {
            write_json(&found.finish(), out)?;
        }
        return Ok(finding);
    };
    let each = |base: &str, reference: &str| {
        if arguments.format == Format::Text {
            writeln!(out, "\"{}\" on \"{}\"", visible(reference), visible(base))?;
        }
        explain(base, reference, out)
    };
    each_pair(path, each, &mut finding)?;
    if arguments.format == Format::Json {
        write_json(&found.finish(), out)?;
    }
    Ok(finding)
}

/// What is said of pairs, for machines.
struct Found<'a> {
    engines: &'a [Box<dyn Engine>],
    profiles: &'a [Option<KnownProfile>],
    asked: Vec<Beside<'a>>,
    pairs: Vec<Pair>,
}

#[derive(Serialize)]
struct Pair {
    base: String,
    reference: String,
    /// What each revision and engine did.
    answers: Vec<Said>,
    /// Each engine beside each revision from which it differs.
    divergences: Vec<Divergence>,
    /// Each two engines that differ.
    between: Vec<Between>,
    /// The grammars that do not derive the reference, of those whose documents resolve.
    excluded_by: Vec<Excluded>,
}

#[derive(Serialize)]
struct Excluded {
    grammar: &'static str,
    /// What stands where no member has it.
    what: String,
    /// Where that is, in bytes.
    at: usize,
}

#[derive(Serialize)]
struct Said {
    by: String,
    outcome: Outcome,
    /// Scheme, host and port of the result, if it is a URL.
    location: Option<Location>,
}

impl Said {
    fn of(by: &str, outcome: Outcome) -> Self {
        Self { by: by.to_owned(), location: outcome.url().map(Location::of), outcome }
    }
}

/// Two engines that differ.
#[derive(Serialize)]
struct Between {
    engine: String,
    other: String,
    cause: String,
    explained: bool,
    effect: Effect,
}

#[derive(Serialize)]
struct Divergence {
    engine: String,
    beside: &'static str,
    cause: String,
    explained: bool,
    /// Whether the engine's profile predicts something else.
    outside: bool,
    effect: Effect,
    signature: Vec<&'static str>,
}

#[derive(Serialize)]
struct Explained {
    comparisons: Vec<Comparison>,
    pairs: Vec<Pair>,
}

impl<'a> Found<'a> {
    fn new(engines: &'a [Box<dyn Engine>], profiles: &'a [Option<KnownProfile>], readings: &[Reading]) -> Self {
        let asked = engines.iter().zip(profiles);
        let asked = asked.map(|(engine, known)| Beside::new(engine.as_ref(), readings, known.as_ref()));
        Self { engines, profiles, asked: asked.collect(), pairs: Vec::new() }
    }

    fn add(&mut self, base: &str, reference: &str, recognisers: &mut Recognisers) {
        let documents = Reading::all().into_iter().map(|reading| Said::of(reading.id, reading.says(base, reference)));
        let mut answers: Vec<_> = documents.collect();
        let (mut divergences, mut outcomes) = (Vec::new(), Vec::new());
        for (engine, beside) in self.engines.iter().zip(&mut self.asked) {
            let (outcome, found) = beside.ask(base, reference);
            outcomes.push(outcome.clone());
            answers.push(Said::of(engine.name(), outcome));
            divergences.extend(found.into_iter().map(|(beside, found)| Divergence {
                engine: engine.name().to_owned(),
                beside,
                cause: found.cause.key(),
                explained: found.cause.is_explained(),
                outside: found.outside,
                effect: found.effect,
                signature: found.signature,
            }));
        }
        let between = differing_engines(self.engines, &outcomes, self.profiles, base, reference);
        let between = between.into_iter().map(|Compared { one, other, found, .. }| Between {
            engine: one.name().to_owned(),
            other: other.name().to_owned(),
            cause: found.cause.key(),
            explained: found.cause.is_explained(),
            effect: found.effect,
        });
        let excluded = |grammar: &'static Grammar| {
            validity::reason(recognisers, grammar, reference).map(|it| Excluded {
                grammar: grammar.id,
                what: it.what,
                at: it.at,
            })
        };
        let excluded_by = validity::of_resolving().filter_map(excluded).collect();
        self.pairs.push(Pair {
            base: base.to_owned(),
            reference: reference.to_owned(),
            answers,
            divergences,
            between: between.collect(),
            excluded_by,
        });
    }

    fn finish(self) -> Explained {
        Explained { comparisons: self.asked.into_iter().flat_map(Beside::finish).collect(), pairs: self.pairs }
    }
}

fn explain_one(
    base: &str,
    reference: &str,
    engines: &[Box<dyn Engine>],
    profiles: &[Option<KnownProfile>],
    recognisers: &mut Recognisers,
    arguments: &Arguments,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let revisions: Vec<_> = revision::resolving().collect();
    let by_steps: Vec<Outcome> =
        revisions.iter().map(|(revision, _)| revision.resolve(base, reference).into()).collect();
    let answers: Vec<_> = engines.iter().map(|engine| ask(engine.as_ref(), base, reference)).collect();

    let standard = Reading::url_standard();
    let by_standard = standard.says(base, reference);
    let named = revisions.iter().map(|(revision, _)| revision.id.to_owned()).zip(by_steps.iter());
    let named = named.chain([(standard.id.to_owned(), &by_standard)]);
    let asked = engines.iter().map(|engine| title(engine.as_ref()));
    let named: Vec<_> = named.chain(asked.zip(&answers)).collect();
    write_groups(&named, out)?;
    write_locations(&named, out)?;
    write_same_document(&revisions, base, reference, out)?;
    write_validity(reference, recognisers, out)?;

    let changes: Vec<_> = (1..revisions.len()).filter(|&newer| by_steps[newer - 1] != by_steps[newer]).collect();
    for &newer in &changes {
        let (older, newer_row) = (revisions[newer - 1], revisions[newer]);
        let changes = attribute::between(older.1, newer_row.1, base, reference);
        let part = attribute::effect(&by_steps[newer - 1], &by_steps[newer]).map_or("the reason", Effect::phrase);
        writeln!(out, "\n  {} and {} differ in {part}:", older.0.id, newer_row.0.id)?;
        write_differences(&changes, [older.0.cite, newer_row.0.cite], out)?;
    }
    for ((engine, answer), known) in engines.iter().zip(&answers).zip(profiles) {
        for reading in readings_for(&arguments.revision, engine.as_ref()) {
            let found = Subject::new(reading, known.as_ref()).attribute(base, reference, answer);
            write_engine(engine.as_ref(), &reading, found, out)?;
        }
    }
    for compared in differing_engines(engines, &answers, profiles, base, reference) {
        write_between(&compared, out)?;
    }
    if arguments.trace {
        for newer in changes {
            write_traces(revisions[newer - 1].0, revisions[newer].0, base, reference, out)?;
        }
    }
    write_bug_report(base, reference, engines, profiles, arguments, out)?;
    if !arguments.trace {
        writeln!(out, "\n  --trace shows the steps side by side")?;
    }
    Ok(writeln!(out)?)
}

/// Which of the grammars of documents that resolve exclude the reference, and where it stops being a member.
fn write_validity(reference: &str, recognisers: &mut Recognisers, out: &mut dyn Write) -> io::Result<()> {
    let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
    for grammar in validity::of_resolving() {
        let Some(reason) = validity::reason(recognisers, grammar, reference) else { continue };
        let at = format!("{}, at byte {}", reason.what, reason.at);
        match reasons.iter_mut().find(|(other, _)| *other == at) {
            Some((_, grammars)) => grammars.push(grammar.id),
            None => reasons.push((at, vec![grammar.id])),
        }
    }
    if !reasons.is_empty() {
        writeln!(out, "\n  no reference by the grammar of")?;
    }
    reasons.iter().try_for_each(|(at, grammars)| writeln!(out, "    {}: {at}", grammars.join(", ")))
}

/// An issue on the engine that is named, or that alone is asked; beside the last of its documents.
fn write_bug_report(
    base: &str,
    reference: &str,
    engines: &[Box<dyn Engine>],
    profiles: &[Option<KnownProfile>],
    arguments: &Arguments,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let asked_alone = if let [alone] = arguments.engines.as_slice() { Some(alone) } else { None };
    let Some(name) = arguments.bug_report.as_ref().or(asked_alone) else {
        return Ok(writeln!(out, "\n  --bug-report ENGINE ends this with an issue to paste")?);
    };
    let asked = engines.iter().zip(profiles).find(|(engine, _)| [engine.name(), engine.key()].contains(&name.as_str()));
    let (engine, known) = asked.ok_or_else(|| Failure::Usage(format!("{name} is not asked: name it with -e")))?;
    let readings = readings_for(&arguments.revision, engine.as_ref());
    let title = title(engine.as_ref());
    let standard = Reading::url_standard();
    let said = ask(engine.as_ref(), base, reference);
    // What follows the URL Standard is not a bug because an RFC has another result.
    let is_standard = known.is_none() && attribute::agrees(&standard, base, reference, &said);
    if is_standard && arguments.revision.is_empty() {
        writeln!(out, "\n  {title} has the result of the {}: nothing to report", standard.cite)?;
        return Ok(writeln!(out, "  -r rfc3986 asks for a report against RFC 3986")?);
    }
    let Some(reading) = readings.last() else { return Ok(()) };
    match bug_report::write(engine.as_ref(), reading, known.as_ref(), base, reference) {
        Some(report) => write!(out, "\n  Bug report (Markdown):\n\n{report}")?,
        None => writeln!(out, "\n  {title} has the result of {}: nothing to report", reading.id)?,
    }
    Ok(())
}

/// The documents asked for, else RFC 3986.
fn readings_or_default(asked: &[Reading]) -> Vec<Reading> {
    if asked.is_empty() { Reading::by_id("rfc3986").into_iter().collect() } else { asked.to_vec() }
}

/// The documents asked for, else RFC 3986 and the one that the engine is nearest to.
fn readings_for(asked: &[Reading], engine: &dyn Engine) -> Vec<Reading> {
    let mut readings = readings_or_default(asked);
    if asked.is_empty() {
        let nearest = known::of(engine.name()).ok().flatten().and_then(|known| known.nearest().ok());
        readings.extend(nearest.filter(|nearest| readings.iter().all(|reading| reading.id != nearest.id)));
    }
    readings
}

fn title(engine: &dyn Engine) -> String {
    format!("{} {}", visible(engine.name()), visible(engine.version()))
}

/// Who has which result: URLs in the order in which they first appear, then failures.
fn write_groups(answers: &[(String, &Outcome)], out: &mut dyn Write) -> io::Result<()> {
    let mut groups: Vec<(&Outcome, Vec<&str>)> = Vec::new();
    for (name, outcome) in answers {
        match groups.iter_mut().find(|group| group.0 == *outcome) {
            Some(group) => group.1.push(name),
            None => groups.push((outcome, vec![name])),
        }
    }
    groups.sort_by_key(|group| group.0.url().is_none());
    let width = groups.iter().map(|group| said_by(group.0).chars().count()).max().unwrap_or_default().min(60);
    writeln!(out)?;
    for (outcome, names) in &groups {
        writeln!(out, "  {:<width$}   {}", said_by(outcome), names.join("  "))?;
    }
    Ok(())
}

/// Scheme, host and port of the results, if they are not the same in all that are URLs.
fn write_locations(answers: &[(String, &Outcome)], out: &mut dyn Write) -> io::Result<()> {
    let mut groups: Vec<([String; 3], Vec<&str>)> = Vec::new();
    for (name, outcome) in answers {
        let Some(url) = outcome.url() else { continue };
        let columns = Location::of(url).columns();
        match groups.iter_mut().find(|group| group.0 == columns) {
            Some(group) => group.1.push(name),
            None => groups.push((columns, vec![name])),
        }
    }
    if groups.len() < 2 {
        return Ok(());
    }
    let head = ["scheme", "host", "port"];
    let width = |at: usize| {
        let cells = groups.iter().map(|(columns, _)| columns[at].chars().count());
        cells.chain([head[at].len()]).max().unwrap_or_default()
    };
    let [scheme, host, port] = [0, 1, 2].map(width);
    let rows = groups.iter().map(|(columns, names)| (columns.each_ref().map(String::as_str), names.join("  ")));
    writeln!(out)?;
    for ([own_scheme, own_host, own_port], names) in [(head, String::new())].into_iter().chain(rows) {
        let row = format!("  {own_scheme:<scheme$}   {own_host:<host$}   {own_port:<port$}   {names}");
        writeln!(out, "{}", row.trim_end())?;
    }
    Ok(())
}

/// Each two engines with different results: the first engine with each result against the first with each other one.
fn differing_engines<'a>(
    engines: &'a [Box<dyn Engine>],
    answers: &[Outcome],
    profiles: &[Option<KnownProfile>],
    base: &str,
    reference: &str,
) -> Vec<Compared<'a>> {
    let is_first = |&index: &usize| {
        let same = |other: &Outcome| attribute::effect(other, &answers[index]).is_none();
        !answers[..index].iter().any(same)
    };
    let firsts: Vec<usize> = (0..engines.len()).filter(is_first).collect();
    let mut found = Vec::new();
    for (at, &one) in firsts.iter().enumerate() {
        for &other in &firsts[at + 1..] {
            let couple = Couple::new(profiles[one].as_ref(), profiles[other].as_ref());
            let attribution = couple.attribute(base, reference, &answers[one], &answers[other]);
            let compared =
                |found| Compared { one: engines[one].as_ref(), other: engines[other].as_ref(), couple, found };
            found.extend(attribution.map(compared));
        }
    }
    found
}

/// Two engines with different results, and why.
struct Compared<'a> {
    one: &'a dyn Engine,
    other: &'a dyn Engine,
    couple: Couple,
    found: Attribution,
}

fn write_between(compared: &Compared<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Compared { one, other, couple, found } = compared;
    let (name, other) = (visible(one.name()), visible(other.name()));
    let part = found.effect.phrase();
    let outside = match (&found.cause, found.outside) {
        (Cause::Search(_), _) => ": together these differences give the result, perhaps by coincidence",
        (_, true) => ": the profile of one of them predicts something else, and this is from outside it",
        _ => "",
    };
    match &found.cause {
        Cause::Listed(id) => {
            writeln!(out, "\n  {name} and {other} differ in {part}; listed as {id:?}, without a cause")
        }
        Cause::Unexplained(why) => {
            writeln!(out, "\n  {name} and {other} differ in {part}, without a known cause: {why}")
        }
        cause => {
            writeln!(out, "\n  {name} and {other} differ in {part}{outside}")?;
            for difference in cause.differences() {
                let [own, theirs] = couple.cites();
                write_note(&Note::cited(difference, theirs, own), &other, &name, out)?;
            }
            Ok(())
        }
    }
}

fn write_same_document(
    revisions: &[(&Revision, &Rules)],
    base: &str,
    reference: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let same = revisions.iter().filter(|(revision, _)| is_same_document(&revision.resolve(base, reference)));
    let names: Vec<_> = same.map(|(revision, _)| revision.id).collect();
    if !names.is_empty() {
        writeln!(out, "  the same document, so nothing is retrieved, by {}", names.join("  "))?;
    }
    Ok(())
}

/// Each question with both answers, each rewrite with what it does; `cites` are the documents whose sections are shown.
fn write_differences(differences: &[Difference], cites: [&str; 2], out: &mut dyn Write) -> io::Result<()> {
    const WIDEST: usize = 90;
    let width = differences.iter().map(|it| it.name().split('=').next().unwrap_or_default().len()).max();
    let width = width.unwrap_or_default();
    for difference in differences {
        let name = difference.name();
        let name = name.split('=').next().unwrap_or_default();
        let (rewrite, makes) = match difference {
            Difference::Answer(change) => {
                writeln!(out, "    {name:<width$}   {}", change.column().question)?;
                let answers = [change.from(), change.to()];
                let notes = answers.map(|answer| answer.note().chars().count()).into_iter().max().unwrap_or_default();
                let notes = notes.min(WIDEST);
                for (answer, cite) in answers.iter().zip(cites) {
                    writeln!(out, "    {:<width$}     {:<notes$}   {}", "", answer.note(), answer.source(cite))?;
                }
                continue;
            }
            Difference::Makes(rewrite) => (rewrite, true),
            Difference::Leaves(rewrite) => (rewrite, false),
        };
        let whose = match rewrite.origin() {
            Origin::Document => rewrite.source(),
            Origin::Quirk => "a quirk: no specification has it",
        };
        writeln!(out, "    {name:<width$}   {}   {whose}", rewrite.note())?;
        if !makes {
            writeln!(out, "    {:<width$}     (the engine does not do this)", "")?;
        }
    }
    Ok(())
}

fn write_engine(
    engine: &dyn Engine,
    reading: &Reading,
    found: Option<Attribution>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (name, id) = (visible(engine.name()), reading.id);
    let Some(found) = found else { return writeln!(out, "\n  {name} has the result of {id}") };
    let same = match found.signature.as_slice() {
        [] => "no specification has its result".to_owned(),
        ids => format!("its result is that of {}", ids.join(", ")),
    };
    let part = found.effect.phrase();
    let cites = [reading.cite_of_row(), found.alike().map_or("", |other| other.cite_of_row())];
    let outside = if found.outside { "; its profile predicts something else, and this is from outside it" } else { "" };
    match &found.cause {
        Cause::Profile(differences) | Cause::Agreeing(differences) => {
            writeln!(out, "\n  {name} differs from {id} in {part}: {same}{outside}")?;
            write_differences(differences, cites, out)
        }
        Cause::Search(differences) => {
            let search = "together these differences give it, perhaps by coincidence";
            writeln!(out, "\n  {name} differs from {id} in {part}: {same}; {search}{outside}")?;
            write_differences(differences, cites, out)
        }
        Cause::Listed(entry) => {
            writeln!(out, "\n  {name} differs from {id} in {part}: {same}; no cause is known; listed as {entry:?}")?;
            let known = known::of(engine.name()).ok().flatten();
            let reason = known.and_then(|known| known.exceptions.iter().find(|it| it.id == *entry));
            reason.map_or(Ok(()), |it| writeln!(out, "    {}", it.reason))
        }
        Cause::Unexplained(_) => {
            writeln!(out, "\n  {name} differs from {id} in {part}: {same}; no cause is known")
        }
    }
}

/// Two traces, step by step; the first step that leaves something else behind is marked.
fn write_traces(
    older: &Revision,
    newer: &Revision,
    base: &str,
    reference: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let side = |trace: &Trace| -> Vec<String> {
        let acted = trace.entries().iter().filter(|entry| entry.acted);
        acted.map(|entry| format!("{}  {}\n{}", entry.label, entry.text, visible(&entry.state))).collect()
    };
    let traces = [older, newer].map(|revision| revision.resolve_traced(base, reference).1);
    let states = |trace: &Trace| -> Vec<String> {
        trace.entries().iter().filter(|entry| entry.acted).map(|entry| entry.state.clone()).collect()
    };
    let first = states(&traces[0]).iter().zip(&states(&traces[1])).position(|(one, other)| one != other);
    let [left, right] = [side(&traces[0]), side(&traces[1])];
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    if !table.is_tty() {
        table.set_width(120);
    }
    table.set_header(["", older.specification, newer.specification]);
    for row in 0..left.len().max(right.len()) {
        let mark = if first == Some(row) { "≠" } else { "" };
        let cell = |side: &[String]| side.get(row).cloned().unwrap_or_default();
        table.add_row([mark.to_owned(), cell(&left), cell(&right)]);
    }
    writeln!(out, "\n{table}")
}
