//! `run --pairs` and `run --merge`: surveys of pairs, and the results of their parts.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use urlstrata_harness::survey::comparison::{Comparison, Totals};
use urlstrata_harness::survey::enumerate::over_items;
use urlstrata_harness::survey::frequency::consecutive;
use urlstrata_harness::survey::result::SurveyResult;
use urlstrata_harness::survey::tally::Comparer;
use urlstrata_harness::world::World;

use super::{Arguments, Format, Only, checked, sum_of};
use crate::cli::input::{InputPair, each_chunk};
use crate::cli::output::{PredictedPairs, pair_of, write_comparison, write_json, write_remedy};
use crate::cli::progress::Progress;
use crate::cli::select::{complete, engines_or};
use crate::cli::{Ended, Failure, Finding, UNANSWERED};

/// Compares engines on the pairs of the file at `path`.
pub(super) fn run(arguments: &Arguments, path: &Path, world: World, out: &mut dyn Write) -> Ended {
    // For each engine, the specifications to compare it with.
    let (world, against) = if arguments.history {
        let (engines, specifications) = consecutive().map_err(Failure::Usage)?.into_iter().unzip();
        (world.with_engines(engines), specifications)
    } else {
        let engines = engines_or(&world, &arguments.engines, |engine| engine.revision().is_none())?;
        let specifications = vec![arguments.revision.clone(); engines.len()];
        (complete(world, engines, &arguments.fit)?, specifications)
    };
    let models = world.models();
    let new = || -> Vec<Comparer<'_>> {
        let asked = world.engines.iter().zip(&against).zip(&models);
        let comparers = asked.map(|((engine, specifications), model)| {
            Comparer::new(engine.as_ref(), specifications, model).with_examples(arguments.examples)
        });
        comparers.collect()
    };
    let progress = Progress::pairs(None);
    let mut all = new();
    let mut predicted = PredictedPairs::new(&world);
    let skipped = each_chunk(path, arguments.places, &mut Finding::AsExpected, |pairs| {
        predicted.add(&pairs);
        let ask = |collected: &mut Vec<Comparer<'_>>, pairs: &[InputPair]| {
            let asked: Vec<_> = pairs.iter().map(|pair| (pair.base.as_str(), pair.reference.as_str())).collect();
            for comparer in collected {
                comparer.ask_all_at(&asked, |at| pairs[at].place.as_deref());
            }
        };
        merge_parts(&mut all, over_items(&pairs, &|_| (), new, ask, merge_parts));
        progress.add(pairs.len() as u64);
        Ok(())
    })?;
    drop(progress);
    let comparisons = all.into_iter().flat_map(Comparer::finish).collect();
    let found = SurveyResult::new(arguments.history, arguments.examples, skipped, comparisons);
    write(&found, arguments, out)?;
    if arguments.format == Format::Text {
        predicted.write(out)?;
    }
    if is_silent(&found) {
        return Err(Failure::Engine(UNANSWERED.to_owned()));
    }
    Ok(finding_of(&found))
}

/// Merges the results in the files of `--merge`.
pub(super) fn merge(arguments: &Arguments, out: &mut dyn Write) -> Ended {
    let mut merged: Option<SurveyResult> = None;
    for path in &arguments.merge {
        let part = read(path)?;
        let Some(all) = &mut merged else {
            merged = Some(part);
            continue;
        };
        all.merge(part).map_err(|[own, theirs]| {
            let (first, this) = (arguments.merge[0].display(), path.display());
            Failure::Input(format!(
                "{this}: cannot be merged: {first} {own}, and {this} {theirs}: merge results of the same command on other pairs"
            ))
        })?;
    }
    let found = merged.ok_or_else(|| Failure::Usage("--merge needs a file".to_owned()))?;
    write(&found, arguments, out)?;
    Ok(finding_of(&found))
}

/// Reads a result that `run --pairs --format json` wrote.
fn read(path: &Path) -> Result<SurveyResult, Failure> {
    let unfit = |sentence: String| Failure::Input(format!("{}:{sentence}", path.display()));
    let bytes = fs::read(path).map_err(|error| unfit(format!(" cannot be read: {error}")))?;
    let mut json = serde_json::Deserializer::from_slice(&bytes);
    let read = serde_path_to_error::deserialize(&mut json).and_then(|found| {
        json.end().map_err(|error| serde_path_to_error::Error::new(serde_path_to_error::Track::new().path(), error))?;
        Ok(found)
    });
    read.map_err(|error| {
        let line = error.inner().line();
        unfit(format!("{line}: not a result of `run --pairs FILE --format json`: {error}"))
    })
}

fn finding_of(found: &SurveyResult) -> Finding {
    if found.skipped_lines > 0 {
        Finding::BadInput
    } else if found.comparisons.iter().any(|found| found.totals.new_divergences() > 0) {
        Finding::NewDivergence
    } else {
        Finding::AsExpected
    }
}

/// Returns whether no engine answered any pair, so that nothing is known.
fn is_silent(found: &SurveyResult) -> bool {
    let mut totals = found.comparisons.iter().map(|found| found.totals);
    totals.clone().any(|it| it.cases > 0) && totals.all(|it| it.unanswered == it.cases)
}

fn write(found: &SurveyResult, arguments: &Arguments, out: &mut dyn Write) -> io::Result<()> {
    let checks = checked::pairs(&found.comparisons);
    match arguments.format {
        Format::Json => write_json(found, out)?,
        Format::Junit => checks.write_junit(out)?,
        Format::Sarif => checks.write_sarif(arguments.only != Only::New, out)?,
        Format::Text if found.history => {
            found.comparisons.iter().try_for_each(|comparison| write_frequencies(comparison, out))?;
        }
        Format::Text => {
            found.comparisons.iter().try_for_each(|comparison| write_comparison(comparison, out))?;
            sum_of(&found.comparisons).map_or(Ok(()), |sum| writeln!(out, "\n{sum}"))?;
            let is_unknown = |found: &&Comparison| found.is_observed && !found.classes.is_empty();
            let mut unknown: Vec<_> =
                found.comparisons.iter().filter(is_unknown).map(|it| it.engine.as_str()).collect();
            unknown.dedup();
            write_remedy(&unknown, out)?;
        }
    }
    checks.report_to_github();
    Ok(())
}

fn merge_parts<'a>(all: &mut Vec<Comparer<'a>>, part: Vec<Comparer<'a>>) {
    all.iter_mut().zip(part).for_each(|(all, part)| all.merge(part));
}

/// Writes how often each difference between two revisions changes a result, most frequent first, with its smallest pair
/// and the examples that were requested.
fn write_frequencies(found: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let Totals { cases, agree, .. } = found.totals;
    let older = found.engine.trim_start_matches("fast:");
    writeln!(out, "{older} -> {}: {} of {cases} differ", found.against, cases - agree)?;
    let mut classes: Vec<_> = found.classes.iter().collect();
    classes.sort_by_key(|class| std::cmp::Reverse(class.count));
    for class in classes {
        let share = class.count as f64 * 100.0 / cases.max(1) as f64;
        writeln!(out, "  {:>9} {share:>8.4}%  {}", class.count, class.cause)?;
        for witness in std::iter::once(&class.witness).chain(&class.examples) {
            writeln!(out, "                       {}", pair_of(witness))?;
        }
    }
    writeln!(out)
}
