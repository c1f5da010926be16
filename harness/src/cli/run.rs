//! `run`: vectors or pairs put to engines.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use urlstrata::revision::{self, Revision};
use urlstrata_harness::engine::{self, Engine, Outcome, ask};
use urlstrata_harness::judge::{Beside, Comparison, Tally, Totals, base_of, verify};
use urlstrata_harness::pairs::{self, Line, Lines};
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
    /// With --pairs, the revisions to compare with
    #[arg(short, long, value_name = "REVISION", default_value = "rfc3986", value_parser = super::a_resolving_revision)]
    revision: Vec<&'static Revision>,
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
    names.iter().map(|name| engine::by_name(name).map_err(Failure::Usage)).collect()
}

/// Opens `path`, or standard input for `-`.
fn open(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    let fault = |error: io::Error| Failure::Input(format!("{}: cannot be read: {error}", path.display()));
    if path.is_dir() {
        return Err(Failure::Input(format!("{}: a folder: name a file, or - for standard input", path.display())));
    }
    Ok(Box::new(BufReader::with_capacity(1 << 16, File::open(path).map_err(fault)?)))
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
    let foreign = |engine: &dyn Engine| engine.revision().is_none();
    let engines = engines_or(&arguments.engines, foreign)?;
    let mut asked: Vec<_> = engines.iter().map(|engine| Beside::new(engine.as_ref(), &arguments.revision)).collect();
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
    let comparisons = asked.into_iter().flat_map(Beside::finish).collect();
    let found = Findings { comparisons, ..Findings::default() };
    match arguments.format {
        Format::Json => write_json(&found, out)?,
        Format::Text => {
            found.comparisons.iter().try_for_each(|comparison| write_comparison(comparison, out))?;
            write_summary(&found, out)?;
        }
    }
    Ok(finding)
}

fn spinner() -> ProgressStyle {
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
    /// Engines beside what the URL Standard's own rows expect.
    standard: Vec<Standard>,
}

#[derive(Serialize)]
struct Standard {
    engine: String,
    version: String,
    totals: Totals,
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
    let found = judging.finish();
    match arguments.format {
        Format::Json => write_json(&found, out)?,
        Format::Text => {
            found.faults.iter().try_for_each(|fault| writeln!(out, "violates {fault}"))?;
            writeln!(out)?;
            write_all_totals(&found, out)?;
            write_summary(&found, out)?;
        }
    }
    let differs = |totals: &Totals| totals.agree < totals.cases;
    Ok(if !found.faults.is_empty() {
        Finding::OwnFault
    } else if found.comparisons.iter().any(|found| differs(&found.totals))
        || found.standard.iter().any(|row| differs(&row.totals))
    {
        Finding::NewDivergence
    } else {
        Finding::AsExpected
    })
}

/// Vectors put to engines, one after the other.
struct Judging<'a> {
    engines: &'a [Box<dyn Engine>],
    shown: Shown,
    ours: Totals,
    faults: Vec<String>,
    /// By engine and revision, in the order of both.
    tallies: BTreeMap<(usize, usize), Tally<'a>>,
    standard: BTreeMap<usize, Totals>,
}

impl<'a> Judging<'a> {
    fn new(engines: &'a [Box<dyn Engine>], shown: Shown) -> Self {
        let ours = Totals::default();
        Self { engines, shown, ours, faults: Vec::new(), tallies: BTreeMap::new(), standard: BTreeMap::new() }
    }

    fn judge(&mut self, file: &VectorFile, vector: &Vector, path: &str, out: &mut dyn Write) -> io::Result<()> {
        let named = vector.expect.0.keys().chain(vector.parts.0.keys());
        let asked = |id: &String| self.engines.iter().any(|e| e.revision().is_some_and(|own| own.id == *id));
        for id in named.filter(|id| asked(id)) {
            self.ours.cases += 1;
            match verify(file, vector, id) {
                Ok(()) => self.ours.agree += 1,
                Err(fault) => self.faults.push(format!("{path}: {fault}")),
            }
        }
        let Some(reference) = &vector.reference else { return Ok(()) };
        let base = base_of(file, vector);
        for (index, engine) in self.engines.iter().enumerate().filter(|(_, engine)| engine.revision().is_none()) {
            let said = ask(engine.as_ref(), base, reference);
            for (id, expected) in &vector.expect.0 {
                let why = if id == WHATWG {
                    let agrees = expected.is_met_by(&said);
                    let totals = self.standard.entry(index).or_default();
                    totals.cases += 1;
                    totals.agree += u64::from(agrees);
                    totals.unexplained += u64::from(!agrees);
                    (!agrees).then(|| "unexplained".to_owned())
                } else {
                    let Some(order) = revision::ALL.iter().position(|own| own.id == id && own.rules.is_some()) else {
                        continue;
                    };
                    let tally = self.tallies.entry((index, order));
                    let tally = tally.or_insert_with(|| Tally::new(engine.as_ref(), revision::ALL[order]));
                    tally.add(base, reference, &said).map(|found| found.cause.key())
                };
                self.shown.case(path, engine.as_ref(), &said, (id, expected), why, out)?;
            }
        }
        Ok(())
    }

    fn finish(self) -> Findings {
        let standard = self.standard.into_iter().map(|(index, totals)| Standard {
            engine: self.engines[index].name().to_owned(),
            version: self.engines[index].version().to_owned(),
            totals,
        });
        Findings {
            ours: self.ours,
            faults: self.faults,
            comparisons: self.tallies.into_values().map(Tally::finish).collect(),
            standard: standard.collect(),
        }
    }
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
        why: Option<String>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let wanted = why.is_some() || self.only == Only::All;
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
            writeln!(out, "        because      {why}")?;
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
    }
}

fn write_totals(engine: &str, version: &str, beside: &str, totals: Totals, out: &mut dyn Write) -> io::Result<()> {
    let Totals { cases, agree, explained, unexplained } = totals;
    writeln!(
        out,
        "{engine} {version} beside {beside}: {cases} cases, {agree} agree, {explained} explained, {unexplained} unexplained"
    )
}

/// Totals, then each class with its reason and smallest case.
pub(super) fn write_comparison(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out)?;
    write_totals(&comparison.engine, &comparison.version, comparison.revision, comparison.totals, out)?;
    for class in &comparison.classes {
        let search = if class.by_search { " (found by search only)" } else { "" };
        writeln!(out, "\n  {} × {} [{}]{search}", class.count, class.cause, class.effect.name())?;
        for note in &class.notes {
            writeln!(out, "      {}", note.question)?;
            writeln!(out, "        {}: {} ({})", comparison.revision, note.revision.note, note.revision.source)?;
            writeln!(out, "        {}: {} ({})", comparison.engine, note.engine.note, note.engine.source)?;
        }
        let witness = &class.witness;
        writeln!(out, "      {} on {}", quoted(&witness.reference), quoted(&witness.base))?;
        writeln!(out, "        {}: {}", comparison.engine, said_by(&witness.engine))?;
        writeln!(out, "        {}: {}", comparison.revision, said_by(&witness.revision))?;
    }
    Ok(())
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
        write_totals(&comparison.engine, &comparison.version, comparison.revision, comparison.totals, out)?;
    }
    for row in &found.standard {
        write_totals(&row.engine, &row.version, "the URL Standard's rows", row.totals, out)?;
    }
    Ok(())
}

/// The last line.
fn write_summary(found: &Findings, out: &mut dyn Write) -> io::Result<()> {
    let all = || found.comparisons.iter().map(|found| found.totals).chain(found.standard.iter().map(|row| row.totals));
    let sum = |part: fn(Totals) -> u64| all().map(part).sum::<u64>();
    let faults = found.faults.len();
    if sum(|totals| totals.cases) == 0 {
        return writeln!(out, "\n{faults} faults of our own");
    }
    writeln!(
        out,
        "\n{} comparisons: {} agree, {} explained, {} unexplained; {faults} faults of our own",
        sum(|totals| totals.cases),
        sum(|totals| totals.agree),
        sum(|totals| totals.explained),
        sum(|totals| totals.unexplained),
    )
}
