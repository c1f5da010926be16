//! `run`: evaluates engines on vectors or pairs.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;
use urlstrata_harness::engine::{Engine, ask};
use urlstrata_harness::escape::visible;
use urlstrata_harness::knowledge::attribute::{Answer, Attributor, Cause, Model};
use urlstrata_harness::knowledge::known::Finding as KnownFinding;
use urlstrata_harness::knowledge::note::Note;
use urlstrata_harness::knowledge::results::Results;
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::plural::counted;
use urlstrata_harness::survey::comparison::{Comparison, Totals};
use urlstrata_harness::survey::tally::Tally;
use urlstrata_harness::vector::{Expected, ResolutionCase, Suite, Vector, VectorFile};
use urlstrata_harness::world::World;

use super::checks::{Checks, is_on_github};
use super::known;
use super::output::{cause_in_words, causes, observation, quoted, write_json, write_remedy, write_totals};
use super::select::{Fit, complete, engines_or};
use super::{Ended, Failure, Finding};

mod checked;
mod pairs;

pub(super) use checked::in_words;

#[derive(Args)]
pub(super) struct Arguments {
    /// Vector files or folders; default: the vectors built into the program
    vectors: Vec<PathBuf>,
    /// Engine to evaluate; may be repeated; default: every engine in this process, with --pairs only the crates
    #[arg(short, long = "engine", value_name = "ENGINE")]
    engines: Vec<String>,
    /// Evaluate only vectors whose path matches this pattern, such as `rfc1808/5.2/*`
    #[arg(short = 'k', value_name = "GLOB")]
    filter: Option<String>,
    /// Cases to show one by one, and in SARIF
    #[arg(long, value_enum, default_value = "new")]
    only: Only,
    /// Show at most this many divergences one by one
    #[arg(long, value_name = "N", default_value_t = 20)]
    max_fail: usize,
    /// Compare on the pairs of this file instead: lines of base TAB reference; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["vectors", "filter"])]
    pairs: Option<PathBuf>,
    /// With --pairs, specification to compare engines with: a revision, or whatwg; may be repeated
    #[arg(short, long, value_name = "REVISION", default_value = "rfc3986", value_parser = super::select::a_specification)]
    revision: Vec<Specification>,
    /// With --pairs, read a third column, a place such as file:line, as `links --pairs --places` writes it
    #[arg(long, requires = "pairs")]
    places: bool,
    /// Show up to this many more examples of each cause, smallest first
    #[arg(long, value_name = "N", default_value_t = 0)]
    examples: usize,
    /// With --pairs, compare each revision with the next, and count how often each of their differences changes a
    /// result
    #[arg(long, requires = "pairs", conflicts_with_all = ["engines", "revision"])]
    history: bool,
    /// Merge results on parts of your pairs, which `run --pairs FILE --format json` wrote
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["pairs", "vectors", "engines", "revision", "filter"])]
    merge: Vec<PathBuf>,
    #[command(flatten)]
    fit: Fit,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Eq, PartialEq, ValueEnum)]
enum Format {
    /// Human-readable text
    Text,
    /// JSON
    Json,
    /// JUnit XML: a test for each vector and engine; a known divergence is a skipped test
    Junit,
    /// SARIF 2.1.0: a result for each case that --only selects and that differs, at the line of its vector
    Sarif,
}

#[derive(Clone, Copy, Eq, PartialEq, ValueEnum)]
enum Only {
    /// Divergences that no behaviour predicts and no list contains
    New,
    /// All divergences
    Differs,
    /// Every case
    All,
}

pub(super) fn run(arguments: &Arguments, world: World, out: &mut dyn Write) -> Ended {
    match &arguments.pairs {
        Some(path) => pairs::run(arguments, path, world, out),
        None if !arguments.merge.is_empty() => pairs::merge(arguments, out),
        None => run_vectors(arguments, world, out),
    }
}

/// The findings of a run.
#[derive(Default, Serialize)]
struct Findings {
    /// The expectations of vectors for the revisions, and how many of them the reference implementations and the
    /// optimized engine meet.
    ours: Totals,
    /// Internal failures: vectors that a reference implementation or the optimized engine violates.
    internal_failures: Vec<String>,
    comparisons: Vec<Comparison>,
    /// Known deviations that do not match what the engines do, by engine.
    stale: Vec<Stale>,
}

#[derive(Serialize)]
struct Stale {
    engine: String,
    findings: Vec<KnownFinding>,
}

fn run_vectors(arguments: &Arguments, world: World, out: &mut dyn Write) -> Ended {
    let engines = engines_or(&world, &arguments.engines, |_| true)?;
    let world = complete(world, engines, &arguments.fit)?;
    let read = if arguments.vectors.is_empty() { None } else { Some(Suite::read(&arguments.vectors)?) };
    let suite = if let Some(suite) = &read { suite } else { world.suite()? };
    let filter = arguments.filter.as_deref().map(glob::Pattern::new).transpose();
    let filter = filter.map_err(|error| Failure::Usage(format!("the pattern is not in order: {error}")))?;
    let shown = Shown {
        most: arguments.max_fail,
        shown: 0,
        hidden: 0,
        only: arguments.only,
        quiet: arguments.format != Format::Text,
    };
    // The other formats show neither the checks nor their places.
    let has_checks = matches!(arguments.format, Format::Junit | Format::Sarif) || is_on_github();
    let has_notes = has_checks || arguments.format != Format::Text;
    let mut evaluation = Evaluation::new(&world, shown, has_checks, has_notes);
    for (file, vector) in suite.vectors() {
        let path = format!("{}/{}", file.id, vector.name);
        if filter.as_ref().is_none_or(|filter| filter.matches(&path)) {
            evaluation.evaluate(file, vector, &path, out)?;
        }
    }
    evaluation.shown.end(out)?;
    let models = world.engines.iter().zip(&evaluation.models);
    let unknown: Vec<&str> = models
        .filter(|(engine, model)| engine.revision().is_none() && model.is_empty())
        .map(|(it, _)| it.name())
        .collect();
    let (mut found, mut checks) = evaluation.finish();
    if arguments.vectors.is_empty() && filter.is_none() {
        found.stale = stale(&world, suite)?;
    }
    for stale in found.stale.iter().filter(|_| has_checks) {
        known::add_checks(&mut checks, &stale.engine, None, &[], &stale.findings);
    }
    match arguments.format {
        Format::Json => write_json(&found, out)?,
        Format::Junit => checks.write_junit(out)?,
        Format::Sarif => checks.write_sarif(arguments.only != Only::New, out)?,
        Format::Text => {
            found.internal_failures.iter().try_for_each(|failure| writeln!(out, "violates {failure}"))?;
            writeln!(out)?;
            write_all_totals(&found, out)?;
            for stale in &found.stale {
                stale.findings.iter().try_for_each(|finding| writeln!(out, "{}: {finding}", stale.engine))?;
                writeln!(out, "To accept what was found: urlstrata known update {}", stale.engine)?;
            }
            write_summary(&found, out)?;
            write_remedy(&unknown, out)?;
        }
    }
    checks.report_to_github();
    let findings = || found.stale.iter().flat_map(|stale| &stale.findings);
    Ok(if !found.internal_failures.is_empty() {
        Finding::InternalFailure
    } else if found.comparisons.iter().any(|found| found.totals.new_divergences() > 0)
        || findings().any(KnownFinding::is_new)
    {
        Finding::NewDivergence
    } else if findings().next().is_some() {
        Finding::Stale
    } else {
        Finding::AsExpected
    })
}

/// Returns the engines whose known deviations do not match what they do on the fixed suites. Random pairs are not
/// compared.
fn stale(world: &World, suite: &Suite) -> Result<Vec<Stale>, Failure> {
    let mut stale = Vec::new();
    for engine in &world.engines {
        let Some(known) = world.known.of(engine.name()) else { continue };
        let checked =
            known.check(engine.as_ref(), &world.model_of(engine.as_ref()), suite, None).map_err(Failure::Input)?;
        if !checked.findings.is_empty() {
            stale.push(Stale { engine: engine.name().to_owned(), findings: checked.findings });
        }
    }
    Ok(stale)
}

/// The state of an evaluation of engines on vectors.
struct Evaluation<'a> {
    engines: &'a [Box<dyn Engine>],
    shown: Shown,
    ours: Totals,
    internal_failures: Vec<String>,
    specifications: Vec<Specification>,
    /// What is known of each engine, in the order of `engines`.
    models: Vec<Model>,
    /// Comparisons, by the indices of the engine and of the specification.
    tallies: BTreeMap<(usize, usize), Tally<'a>>,
    /// The checks, if they are shown.
    checks: Option<Checks>,
    /// Whether causes are explained at the end.
    has_notes: bool,
}

impl<'a> Evaluation<'a> {
    fn new(world: &'a World, shown: Shown, has_checks: bool, has_notes: bool) -> Self {
        Self {
            engines: &world.engines,
            shown,
            ours: Totals::default(),
            internal_failures: Vec::new(),
            specifications: Specification::all(),
            models: world.models(),
            tallies: BTreeMap::new(),
            checks: has_checks.then(|| Checks::new("run")),
            has_notes,
        }
    }

    fn evaluate(&mut self, file: &VectorFile, vector: &Vector, path: &str, out: &mut dyn Write) -> io::Result<()> {
        let place = checked::LazyPlace::new(file, vector);
        let asked = |id: &str| self.engines.iter().any(|e| e.revision().is_some_and(|own| own.id == id));
        for id in vector.specifications().into_iter().filter(|id| asked(id)) {
            self.ours.cases += 1;
            let evaluated = vector.evaluate(id);
            if let Some(checks) = &mut self.checks {
                checked::add_own(checks, &place, id, evaluated.as_ref().err());
            }
            match evaluated {
                Ok(()) => self.ours.agree += 1,
                Err(failure) => self.internal_failures.push(format!("{path}: {failure}")),
            }
        }
        let Some(ResolutionCase { base, reference, expect, .. }) = vector.resolution() else { return Ok(()) };
        for (index, engine) in self.engines.iter().enumerate().filter(|(_, engine)| engine.revision().is_none()) {
            let returned = ask(engine.as_ref(), base, reference);
            for (id, expected) in expect.iter() {
                let Some(order) = self.specifications.iter().position(|specification| specification.id == id) else {
                    continue;
                };
                let tally = self.tallies.entry((index, order)).or_insert_with(|| {
                    let attributor = Attributor::new(self.specifications[order], self.models[index].clone());
                    let tally = Tally::new(engine.as_ref(), attributor);
                    if self.has_notes { tally } else { tally.without_notes() }
                });
                let why = tally.add(base, reference, &returned).map(|found| Why {
                    is_new: found.is_new(),
                    because: found.cause.key(),
                    unknown: matches!(found.cause, Cause::Unexplained { .. }),
                    observed: match self.models[index].is_empty() && self.shown.has_room(found.is_new()) {
                        true => observation(engine.name(), &Results::new(base, reference), &returned),
                        false => None,
                    },
                    notes: match self.shown.has_room(found.is_new()) {
                        true => tally.notes(&found, &Answer::new(base, reference, &returned)),
                        false => Vec::new(),
                    },
                });
                let case =
                    Case { path, base, reference, engine: engine.as_ref(), returned: &returned, id, expected, why };
                if let Some(checks) = &mut self.checks {
                    checked::add_case(checks, &place, &case);
                }
                self.shown.case(case, out)?;
            }
        }
        Ok(())
    }

    fn finish(mut self) -> (Findings, Checks) {
        let comparisons: Vec<_> = self.tallies.into_values().map(Tally::finish).collect();
        let mut checks = self.checks.take().unwrap_or_else(|| Checks::new("run"));
        checks.group();
        checked::explain(&mut checks, &comparisons);
        let Self { ours, internal_failures, .. } = self;
        (Findings { ours, internal_failures, comparisons, stale: Vec::new() }, checks)
    }
}

/// The cause of a divergence.
struct Why {
    is_new: bool,
    because: String,
    /// Whether a cause was searched and not found.
    unknown: bool,
    /// Which specifications have the result, if nothing else is known of the engine and the case is shown.
    observed: Option<String>,
    /// A note on each difference, if the case is shown.
    notes: Vec<Note>,
}

/// The outcome of an engine for one vector, and the result that a specification expects.
struct Case<'a> {
    path: &'a str,
    base: &'a str,
    reference: &'a str,
    engine: &'a dyn Engine,
    returned: &'a Outcome,
    id: &'a str,
    expected: &'a Expected,
    /// The cause, if the two differ.
    why: Option<Why>,
}

/// Writes cases one by one, up to a maximum number of divergences.
struct Shown {
    most: usize,
    /// The number of divergences that have been shown; `hidden` counts those beyond the maximum.
    shown: usize,
    hidden: usize,
    only: Only,
    quiet: bool,
}

impl Shown {
    /// Returns whether a divergence is shown if it is the next case.
    fn has_room(&self, is_new: bool) -> bool {
        !self.quiet && self.shown < self.most && (is_new || self.only != Only::New)
    }

    fn case(&mut self, case: Case<'_>, out: &mut dyn Write) -> io::Result<()> {
        let wanted = match self.only {
            Only::New => case.why.as_ref().is_some_and(|why| why.is_new),
            Only::Differs => case.why.is_some(),
            Only::All => true,
        };
        if self.quiet || !wanted {
            return Ok(());
        }
        if case.why.is_some() {
            if self.shown == self.most {
                self.hidden += 1;
                return Ok(());
            }
            self.shown += 1;
        }
        let Case { path, base, reference, engine, returned, id, expected, why } = case;
        let expected = expected.url().map_or("no result".to_owned(), visible);
        let verdict = if why.is_some() { "differs" } else { "agrees " };
        let width = engine.name().chars().count().max(id.len()).max(12);
        writeln!(out, "{verdict} {path}")?;
        writeln!(out, "        {} on {}", quoted(reference), quoted(base))?;
        writeln!(out, "        {:<width$} {}", visible(engine.name()), returned)?;
        writeln!(out, "        {id:<width$} {expected}")?;
        if let Some(why) = why {
            if why.notes.is_empty() {
                let because = cause_in_words(&why.because, why.unknown);
                writeln!(out, "        {:<width$} {because}", "because")?;
            }
            let notes: String = why.notes.iter().map(|note| note.lines(id, &visible(engine.name()))).collect();
            notes.lines().try_for_each(|line| writeln!(out, "  {line}"))?;
            why.observed.iter().try_for_each(|observed| writeln!(out, "        {observed}"))?;
        }
        Ok(())
    }

    /// Writes how many divergences were not shown, if any.
    fn end(&self, out: &mut dyn Write) -> io::Result<()> {
        match self.hidden {
            0 => Ok(()),
            hidden => writeln!(out, "… {hidden} more not shown: --max-fail {} shows all", self.shown + hidden),
        }
    }
}

fn write_all_totals(found: &Findings, out: &mut dyn Write) -> io::Result<()> {
    if found.ours.cases > 0 {
        let Totals { cases, agree, .. } = found.ours;
        writeln!(out, "reference implementations and the optimized engine: {agree} of {cases} expectations met")?;
    }
    for comparison in &found.comparisons {
        write_totals(&comparison.engine, &comparison.version, &comparison.against, comparison.totals, out)?;
    }
    Ok(())
}

/// Returns the sums of comparisons in words; `None` if nothing was compared.
fn sum_of(comparisons: &[Comparison]) -> Option<String> {
    let mut sum = Totals::default();
    comparisons.iter().for_each(|comparison| sum.add(&comparison.totals));
    let cases = counted(sum.cases, "comparison", "comparisons");
    (sum.cases > 0).then(|| format!("{cases}: {} agree, {}", sum.agree, causes(sum, "a")))
}

/// Writes the last line: the sums of all comparisons, findings and internal failures.
fn write_summary(found: &Findings, out: &mut dyn Write) -> io::Result<()> {
    let stale: usize = found.stale.iter().map(|stale| stale.findings.len()).sum();
    let mut notes: Vec<_> = sum_of(&found.comparisons).into_iter().collect();
    if stale > 0 {
        notes.push(counted(stale as u64, "finding on known deviations", "findings on known deviations"));
    }
    if !found.internal_failures.is_empty() {
        notes.push(counted(found.internal_failures.len() as u64, "internal failure", "internal failures"));
    }
    if notes.is_empty() { Ok(()) } else { writeln!(out, "\n{}", notes.join("; ")) }
}
