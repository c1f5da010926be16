//! `run`: vectors or pairs put to engines.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use urlstrata_harness::attribute::Subject;
use urlstrata_harness::engine::{self, Engine, Outcome, ask};
use urlstrata_harness::frequency::{Asked, consecutive};
use urlstrata_harness::judge::{Beside, Comparison, Note, Said, Tally, Totals, Witness, verify};
use urlstrata_harness::known;
use urlstrata_harness::pairs::{self, Line, Lines};
use urlstrata_harness::profile::{KnownProfile, Reading};
use urlstrata_harness::vector::{Expected, Suite, Vector, VectorFile, WHATWG};
use urlstrata_harness::visible;

use super::{Ended, Failure, Finding, Format};

#[derive(Args)]
pub(super) struct Arguments {
    /// Vector files or folders; without any, those that the program carries
    vectors: Vec<PathBuf>,
    /// Engines to ask; without any, ours and the crates in this process
    #[arg(short, long = "engine", value_name = "ENGINE")]
    engines: Vec<String>,
    /// Only vectors whose path fits this pattern, such as `rfc1808/5.2/*`
    #[arg(short = 'k', value_name = "GLOB")]
    filter: Option<String>,
    /// Which cases to show one by one
    #[arg(long, value_enum, default_value = "new")]
    only: Only,
    /// Show no more divergences than this one by one
    #[arg(long, value_name = "N", default_value_t = 20)]
    max_fail: usize,
    /// Ask about pairs of your own instead: lines of base TAB reference; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["vectors", "filter"])]
    pairs: Option<PathBuf>,
    /// With --pairs, the documents to compare with: revisions, or whatwg
    #[arg(short, long, value_name = "REVISION", default_value = "rfc3986", value_parser = super::a_reading)]
    revision: Vec<Reading>,
    /// With --pairs, put each revision beside the next, and say how often which difference between them shows
    #[arg(long, requires = "pairs", conflicts_with_all = ["engines", "revision"])]
    history: bool,
    /// For people or for machines
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Eq, PartialEq, ValueEnum)]
enum Only {
    /// Divergences of which nothing is known
    New,
    /// All divergences
    Differs,
    /// Every case
    All,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Ended {
    match &arguments.pairs {
        Some(path) => run_pairs(arguments, path, out),
        None => run_vectors(arguments, out),
    }
}

/// The engines of these names; without names, those that `default` takes.
pub(super) fn engines_or(names: &[String], default: fn(&dyn Engine) -> bool) -> Result<Vec<Box<dyn Engine>>, Failure> {
    if names.is_empty() {
        return Ok(engine::all().into_iter().filter(|engine| default(engine.as_ref())).collect());
    }
    names.iter().map(|name| super::an_engine(name)).collect()
}

/// Opens `path`, or standard input for `-`.
fn open(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    Ok(Box::new(BufReader::with_capacity(1 << 16, open_file(path)?)))
}

/// The file at `path`, with a sentence if there is none to read.
pub(super) fn open_file(path: &Path) -> Result<File, Failure> {
    let fault = |error: io::Error| Failure::Input(format!("{}: cannot be read: {error}", path.display()));
    if path.is_dir() {
        return Err(Failure::Input(format!("{}: a folder: name a file, or - for standard input", path.display())));
    }
    File::open(path).map_err(fault)
}

/// Hands each line that is text to `take`, and says on standard error what is wrong with the others.
pub(super) fn each_line(
    input: impl BufRead,
    name: &str,
    mut take: impl FnMut(&str) -> Result<(), Failure>,
    finding: &mut Finding,
) -> Result<(), Failure> {
    /// More lines than these are counted only.
    const SAID: u64 = 10;
    let mut lines = Lines::new(input);
    let mut bad = 0;
    loop {
        let line = lines
            .next_line()
            .map_err(|error| Failure::Input(format!("{name}:{}: cannot be read: {error}", lines.number() + 1)))?;
        let why = match line {
            None => break,
            Some(Line::Bad(why)) => why,
            Some(Line::Text(text)) => match take(&text) {
                Ok(()) => continue,
                Err(Failure::Input(why)) => why,
                Err(failure) => return Err(failure),
            },
        };
        bad += 1;
        if bad <= SAID {
            let _ = writeln!(io::stderr(), "urlstrata: {name}:{}: {why}: the line is skipped", lines.number());
        }
    }
    if bad > SAID {
        let _ = writeln!(io::stderr(), "urlstrata: {name}: {bad} lines are skipped in all");
    }
    if bad > 0 {
        *finding = Finding::BadInput;
    }
    Ok(())
}

/// As [`each_line`], for the pairs in the file at `path` or on standard input; empty lines are none.
pub(super) fn each_pair(
    path: &Path,
    mut take: impl FnMut(&str, &str) -> Result<(), Failure>,
    finding: &mut Finding,
) -> Result<(), Failure> {
    let pair = |line: &str| {
        if line.is_empty() {
            return Ok(());
        }
        let (base, reference) = pairs::split(line).map_err(Failure::Input)?;
        take(base, reference)
    };
    each_line(open(path)?, &path.display().to_string(), pair, finding)
}

fn run_pairs(arguments: &Arguments, path: &Path, out: &mut dyn Write) -> Ended {
    let beside =
        if arguments.history { consecutive().map_err(Failure::Usage)? } else { engines_and_readings(arguments)? };
    let profiles: Vec<_> = beside.iter().map(|(engine, _)| known::profile_of(engine.as_ref())).collect();
    let asked = beside.iter().zip(&profiles);
    let asked = asked.map(|((engine, readings), known)| Beside::new(engine.as_ref(), readings, known.as_ref()));
    let mut asked: Vec<_> = asked.collect();
    let progress = ProgressBar::new_spinner().with_style(spinner());
    let mut finding = Finding::AsExpected;
    let ask = |base: &str, reference: &str| {
        for beside in &mut asked {
            beside.ask(base, reference);
        }
        progress.inc(1);
        Ok(())
    };
    each_pair(path, ask, &mut finding)?;
    progress.finish_and_clear();
    let comparisons: Vec<_> = asked.into_iter().flat_map(Beside::finish).collect();
    if finding == Finding::AsExpected && comparisons.iter().any(|found| found.totals.new_ones() > 0) {
        finding = Finding::NewDivergence;
    }
    let found = Findings { comparisons, ..Findings::default() };
    match arguments.format {
        Format::Json => write_json(&found, out)?,
        Format::Text if arguments.history => {
            found.comparisons.iter().try_for_each(|comparison| write_frequencies(comparison, out))?;
        }
        Format::Text => {
            found.comparisons.iter().try_for_each(|comparison| write_comparison(comparison, out))?;
            write_summary(&found, out)?;
        }
    }
    Ok(finding)
}

fn engines_and_readings(arguments: &Arguments) -> Result<Asked, Failure> {
    let foreign = |engine: &dyn Engine| engine.revision().is_none();
    let engines = engines_or(&arguments.engines, foreign)?;
    Ok(engines.into_iter().map(|engine| (engine, arguments.revision.clone())).collect())
}

/// How often which difference between two revisions shows, the most frequent first, with the smallest case of each.
fn write_frequencies(found: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let Totals { cases, agree, .. } = found.totals;
    let older = found.engine.trim_start_matches("fast:");
    writeln!(out, "{older} -> {}: {} of {cases} differ", found.beside, cases - agree)?;
    let mut classes: Vec<_> = found.classes.iter().collect();
    classes.sort_by_key(|class| std::cmp::Reverse(class.count));
    for class in classes {
        let share = class.count as f64 * 100.0 / cases.max(1) as f64;
        writeln!(out, "  {:>9} {share:>8.4}%  {}", class.count, class.cause)?;
        let Witness { base, reference, .. } = &class.witness;
        writeln!(out, "                       \"{}\" on \"{}\"", visible(reference), visible(base))?;
    }
    writeln!(out)
}

pub(super) fn spinner() -> ProgressStyle {
    ProgressStyle::with_template("{spinner} {human_pos} pairs, {per_sec}")
        .unwrap_or_else(|_| ProgressStyle::default_spinner())
}

/// What a run found.
#[derive(Default, Serialize)]
struct Findings {
    /// Expectations of our own revisions.
    ours: Totals,
    /// Where ours violate a vector.
    faults: Vec<String>,
    comparisons: Vec<Comparison>,
    /// Bookkeeping that is not as it should be, by engine.
    stale: Vec<Stale>,
}

#[derive(Serialize)]
struct Stale {
    engine: String,
    findings: Vec<known::Finding>,
}

pub(super) fn write_json(found: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, found)?;
    writeln!(out)
}

fn run_vectors(arguments: &Arguments, out: &mut dyn Write) -> Ended {
    let suite = if arguments.vectors.is_empty() { Suite::embedded()? } else { Suite::read(&arguments.vectors)? };
    let filter = arguments.filter.as_deref().map(glob::Pattern::new).transpose();
    let filter = filter.map_err(|error| Failure::Usage(format!("the pattern is not in order: {error}")))?;
    let engines = engines_or(&arguments.engines, |_| true)?;
    let shown = Shown { left: arguments.max_fail, only: arguments.only, quiet: arguments.format == Format::Json };
    let mut judging = Judging::new(&engines, shown);
    for (file, vector) in suite.vectors() {
        let path = format!("{}/{}", file.id, vector.name);
        if filter.as_ref().is_none_or(|filter| filter.matches(&path)) {
            judging.judge(file, vector, &path, out)?;
        }
    }
    let mut found = judging.finish();
    if arguments.vectors.is_empty() && filter.is_none() {
        found.stale = stale(&engines, &suite)?;
    }
    match arguments.format {
        Format::Json => write_json(&found, out)?,
        Format::Text => {
            found.faults.iter().try_for_each(|fault| writeln!(out, "violates {fault}"))?;
            writeln!(out)?;
            write_all_totals(&found, out)?;
            for stale in &found.stale {
                stale.findings.iter().try_for_each(|finding| writeln!(out, "{}: {finding}", stale.engine))?;
            }
            write_summary(&found, out)?;
        }
    }
    let findings = || found.stale.iter().flat_map(|stale| &stale.findings);
    Ok(if !found.faults.is_empty() {
        Finding::OwnFault
    } else if found.comparisons.iter().any(|found| found.totals.new_ones() > 0)
        || findings().any(known::Finding::is_new)
    {
        Finding::NewDivergence
    } else if findings().next().is_some() {
        Finding::Stale
    } else {
        Finding::AsExpected
    })
}

/// What of the bookkeeping does not fit what the engines do on the fixed suites.
fn stale(engines: &[Box<dyn Engine>], suite: &Suite) -> Result<Vec<Stale>, Failure> {
    let mut stale = Vec::new();
    for engine in engines {
        let Some(known) = known::of(engine.name())? else { continue };
        let checked = known.check(engine.as_ref(), suite, 0).map_err(Failure::Input)?;
        if !checked.findings.is_empty() {
            stale.push(Stale { engine: engine.name().to_owned(), findings: checked.findings });
        }
    }
    Ok(stale)
}

/// Vectors put to engines, one after the other.
struct Judging<'a> {
    engines: &'a [Box<dyn Engine>],
    shown: Shown,
    ours: Totals,
    faults: Vec<String>,
    readings: Vec<Reading>,
    /// What is known of each engine.
    profiles: Vec<Option<KnownProfile>>,
    /// By engine and document, in the order of both.
    tallies: BTreeMap<(usize, usize), Tally<'a>>,
}

impl<'a> Judging<'a> {
    fn new(engines: &'a [Box<dyn Engine>], shown: Shown) -> Self {
        Self {
            engines,
            shown,
            ours: Totals::default(),
            faults: Vec::new(),
            readings: Reading::all(),
            profiles: engines.iter().map(|engine| known::profile_of(engine.as_ref())).collect(),
            tallies: BTreeMap::new(),
        }
    }

    fn judge(&mut self, file: &VectorFile, vector: &Vector, path: &str, out: &mut dyn Write) -> io::Result<()> {
        let asked = |id: &str| self.engines.iter().any(|e| e.revision().is_some_and(|own| own.id == id));
        for id in vector.documents().into_iter().filter(|id| asked(id)) {
            self.ours.cases += 1;
            match verify(file, vector, id) {
                Ok(()) => self.ours.agree += 1,
                Err(fault) => self.faults.push(format!("{path}: {fault}")),
            }
        }
        let Some(reference) = &vector.reference else { return Ok(()) };
        let base = file.base_of(vector);
        for (index, engine) in self.engines.iter().enumerate().filter(|(_, engine)| engine.revision().is_none()) {
            let said = ask(engine.as_ref(), base, reference);
            for (id, expected) in &vector.expect.0 {
                let Some(order) = self.readings.iter().position(|reading| reading.id == id) else { continue };
                let tally = self.tallies.entry((index, order)).or_insert_with(|| {
                    let subject = Subject::new(self.readings[order], self.profiles[index].as_ref());
                    Tally::new(engine.as_ref(), subject)
                });
                // What is printed of the URL Standard is its own word; what a revision says is what its steps say.
                let found = match id == WHATWG {
                    true => tally.add_beside(expected.outcome(), base, reference, &said),
                    false => tally.add(base, reference, &said),
                };
                let why = found.map(|found| Why { is_new: found.is_new(), because: found.cause.key() });
                self.shown.case(path, engine.as_ref(), &said, (id, expected), why, out)?;
            }
        }
        Ok(())
    }

    fn finish(self) -> Findings {
        Findings {
            ours: self.ours,
            faults: self.faults,
            comparisons: self.tallies.into_values().map(Tally::finish).collect(),
            stale: Vec::new(),
        }
    }
}

/// Why a case differs.
struct Why {
    is_new: bool,
    because: String,
}

/// Shows cases one by one while there is room.
struct Shown {
    left: usize,
    only: Only,
    quiet: bool,
}

impl Shown {
    fn case(
        &mut self,
        path: &str,
        engine: &dyn Engine,
        said: &Outcome,
        (id, expected): (&str, &Expected),
        why: Option<Why>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let wanted = match self.only {
            Only::New => why.as_ref().is_some_and(|why| why.is_new),
            Only::Differs => why.is_some(),
            Only::All => true,
        };
        if self.quiet || !wanted || self.left == 0 {
            return Ok(());
        }
        if why.is_some() {
            self.left -= 1;
        }
        let expected = expected.url().map_or("no result".to_owned(), visible);
        let verdict = if why.is_some() { "differs" } else { "agrees " };
        writeln!(out, "{verdict} {path}")?;
        writeln!(out, "        {:<12} {}", engine.name(), said_by(said))?;
        writeln!(out, "        {id:<12} {expected}")?;
        if let Some(why) = why {
            writeln!(out, "        because      {}", why.because)?;
        }
        Ok(())
    }
}

/// An outcome on one line.
pub(super) fn said_by(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Url(url) => visible(url),
        Outcome::Refused(why) => format!("refused: {}", visible(why)),
        Outcome::Skipped(why) => format!("skipped: {}", visible(why)),
        Outcome::Crashed(why) => format!("crashed: {}", visible(why)),
        Outcome::TimedOut(why) => format!("timed out: {}", visible(why)),
    }
}

fn write_totals(engine: &str, version: &str, beside: &str, totals: Totals, out: &mut dyn Write) -> io::Result<()> {
    let Totals { cases, agree, explained, outside, unexplained } = totals;
    let outside = if outside > 0 { format!("{outside} only outside its profile, ") } else { String::new() };
    writeln!(
        out,
        "{engine} {version} beside {beside}: {cases} cases, {agree} agree, {explained} explained, {outside}{unexplained} unexplained"
    )
}

/// Totals, then each class with its reason and smallest case.
pub(super) fn write_comparison(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out)?;
    write_totals(&comparison.engine, &comparison.version, &comparison.beside, comparison.totals, out)?;
    for class in &comparison.classes {
        let search = if class.by_search { " (found by search only)" } else { "" };
        writeln!(out, "\n  {} × {} [{}]{search}", class.count, class.cause, class.effect.name())?;
        for note in &class.notes {
            write_note(note, &comparison.beside, &comparison.engine, out)?;
        }
        let witness = &class.witness;
        writeln!(out, "      {} on {}", quoted(&witness.reference), quoted(&witness.base))?;
        writeln!(out, "        {}: {}", comparison.engine, said_by(&witness.engine))?;
        writeln!(out, "        {}: {}", comparison.beside, said_by(&witness.document))?;
    }
    Ok(())
}

/// One answer or rewrite: what the document says to it, and what the engine does.
fn write_note(note: &Note, document: &str, engine: &str, out: &mut dyn Write) -> io::Result<()> {
    let sourced = |said: &Said| match said.source {
        "" => format!("{} (a quirk: no document says so)", said.note),
        source => format!("{} ({source})", said.note),
    };
    writeln!(out, "      {}", note.question.unwrap_or(&note.name))?;
    let [theirs, own] = match (&note.document, &note.engine) {
        (None, Some(own)) => ["does not do this".to_owned(), sourced(own)],
        (Some(theirs), None) => [sourced(theirs), "does not do this".to_owned()],
        (theirs, own) => [theirs, own].map(|said| said.as_ref().map(sourced).unwrap_or_default()),
    };
    writeln!(out, "        {document}: {theirs}")?;
    writeln!(out, "        {engine}: {own}")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", visible(text))
}

fn write_all_totals(found: &Findings, out: &mut dyn Write) -> io::Result<()> {
    if found.ours.cases > 0 {
        let Totals { cases, agree, .. } = found.ours;
        writeln!(out, "references and the optimized engine: {agree} of {cases} expectations met")?;
    }
    for comparison in &found.comparisons {
        write_totals(&comparison.engine, &comparison.version, &comparison.beside, comparison.totals, out)?;
    }
    Ok(())
}

/// The last line.
fn write_summary(found: &Findings, out: &mut dyn Write) -> io::Result<()> {
    let mut sum = Totals::default();
    found.comparisons.iter().for_each(|comparison| sum.add(&comparison.totals));
    let faults = found.faults.len();
    if sum.cases == 0 {
        return writeln!(out, "\n{faults} faults of our own");
    }
    let Totals { cases, agree, explained, outside, unexplained } = sum;
    let outside = if outside > 0 { format!("{outside} only outside a profile, ") } else { String::new() };
    let stale: usize = found.stale.iter().map(|stale| stale.findings.len()).sum();
    let stale = if stale > 0 { format!("{stale} entries of the bookkeeping are stale; ") } else { String::new() };
    writeln!(
        out,
        "\n{cases} comparisons: {agree} agree, {explained} explained, {outside}{unexplained} unexplained; {stale}{faults} faults of our own"
    )
}
