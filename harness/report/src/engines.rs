//! The report on each engine that is not part of this project: its nearest specification, and its deviations from it.

use std::hash::Hasher;

use fnv::FnvHasher;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use urlstrata::revision::rfc3986;
use urlstrata::rules;

use crate::cache::Cache;
use crate::head::OnLinks;
use crate::{Progress, Request};
use urlstrata_harness::behaviour::{Behaviour, Class, Form, ROW, Row, Setting};
use urlstrata_harness::engine::panel::Panel;
use urlstrata_harness::engine::{Engine, ask};
use urlstrata_harness::knowledge::attribute::{Attributor, Effect, Model};
use urlstrata_harness::knowledge::behaviours::{self};
use urlstrata_harness::knowledge::dated::Followed;
use urlstrata_harness::knowledge::known::{Deviation, Exception};
use urlstrata_harness::knowledge::measure::{Measured, RANDOM, Share, kinds};
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::knowledge::step_table::{ShownStandard, shown};
use urlstrata_harness::survey::comparison::{Comparison, Totals};
use urlstrata_harness::survey::enumerate::{Scope, totals};
use urlstrata_harness::survey::examples::Examples;
use urlstrata_harness::survey::tally::{Comparer, Tally};
use urlstrata_harness::vector::{ResolutionCase, Suite};
use urlstrata_harness::world::World;

/// The maximum number of pairs in the list of pairs that a behaviour does not predict.
const SHOWN: usize = 10;

/// The report on an engine.
#[derive(Serialize)]
pub(super) struct EngineReport {
    pub(super) name: String,
    /// The file name of its page, without the extension.
    pub(super) page: String,
    version: String,
    /// The links of documentation.
    links: OnLinks,
    /// The examples of the specifications.
    examples: Examples,
    /// The id of the nearest specification.
    nearest: &'static str,
    /// What the engine follows, if the nearest specification is a state of the URL Standard, and its steps are not those of the Standard.
    state: Option<Followed>,
    /// What it does otherwise than the newest text of the URL Standard, whose steps it runs.
    steps: Option<ShownStandard>,
    /// The version of the engine whose deviations are listed, if it is not the current version.
    seen_in: Option<String>,
    deviations: Vec<Deviation>,
    exceptions: Vec<Exception>,
    rates: Vec<Share>,
    /// Some of the pairs that the behaviour does not predict.
    missed: Vec<MissedRow>,
    /// The comparison with each specification, on the vectors and on short pairs.
    against: Vec<AgainstRow>,
    /// The divergences on the vectors, by cause: first from the nearest specification, then from RFC 3986.
    classes: Vec<Comparison>,
    /// The number of divergences from the nearest specification for each effect.
    severity: Vec<(Effect, u64)>,
    /// The comparison with the results that the URL Standard's own test suite expects.
    standard: Totals,
}

impl EngineReport {
    /// Returns the results of the comparison with each specification, on the vectors and on short pairs.
    pub(super) fn totals(&self) -> impl Iterator<Item = &Totals> {
        self.against.iter().flat_map(|row| [&row.vectors, &row.short])
    }
}

#[derive(Serialize)]
struct MissedRow {
    base: String,
    reference: String,
    returned: urlstrata_harness::outcome::Outcome,
    predicted: urlstrata_harness::outcome::Outcome,
}

#[derive(Serialize)]
struct AgainstRow {
    specification: &'static str,
    vectors: Totals,
    short: Totals,
}

/// Returns the file name of the page of `engine`, without the extension.
pub(super) fn page_of(engine: &dyn Engine) -> String {
    engine.name().replace(':', "-")
}

/// Reports on each engine of `world`.
///
/// # Errors
///
/// Returns a sentence if nothing is known of an engine, if the panel is not valid, or if `scope` has more pairs than can be
/// counted.
pub(super) fn report(
    world: &World,
    suite: &Suite,
    scope: &Scope,
    request: &Request<'_>,
) -> Result<Vec<EngineReport>, String> {
    let panel = &world.folders().map_err(|error| error.to_string())?.panel;
    let texts = urlstrata_vectors::files().fold(FnvHasher::default(), |mut digest, file| {
        digest.write(file.text.as_bytes());
        digest
    });
    let input = Input { world, suite, scope, panel, vectors: texts.finish(), cache: &request.cache };
    (request.progress)(Progress::Stage("comparing the engines of this program", world.engines.len() as u64));
    let one = |index: usize| {
        let report = input.one(world.engines[index].as_ref());
        (request.progress)(Progress::Done);
        report
    };
    (0..world.engines.len()).into_par_iter().map(one).collect()
}

/// What the reports on engines depend on.
struct Input<'a> {
    world: &'a World,
    suite: &'a Suite,
    scope: &'a Scope,
    panel: &'a Panel,
    /// The digest of the vectors.
    vectors: u64,
    cache: &'a Cache,
}

/// What takes long to compute.
#[derive(Deserialize, Serialize)]
struct Results {
    /// The divergences on the vectors, by cause: first from the nearest specification, then from RFC 3986.
    classes: Vec<Comparison>,
    /// The comparison with each specification on the vectors.
    on_vectors: Vec<Totals>,
    /// The comparison with each specification on short pairs.
    on_short: Vec<Totals>,
    rates: Vec<Share>,
    /// Pairs that the behaviour does not predict.
    missed: Vec<(String, String)>,
    standard: Totals,
}

impl Input<'_> {
    fn results(
        &self,
        engine: &dyn Engine,
        model: &Model,
        behaviour: &Behaviour,
        nearest: &Specification,
    ) -> Result<Results, String> {
        let specifications = Specification::all();
        let is_listed = |own: &&Specification| {
            [nearest.id, "rfc3986"].contains(&own.id)
                || nearest.is_url_standard() && own.id == Specification::url_standard().id
        };
        let mut listed: Vec<Specification> = specifications.iter().filter(is_listed).copied().collect();
        listed.sort_by_key(|own| own.id != nearest.id);
        let measured = Measured::of(behaviour, engine, &kinds(self.panel, RANDOM));
        Ok(Results {
            classes: on_vectors(self.suite, Comparer::new(engine, &listed, model)),
            on_vectors: on_vectors(self.suite, Comparer::new(engine, &specifications, model).counting())
                .into_iter()
                .map(|found| found.totals)
                .collect(),
            on_short: totals(self.scope, engine, model, &specifications)?,
            rates: measured.rates,
            missed: measured.missed.into_iter().take(SHOWN).collect(),
            standard: standard(self.suite, engine, model),
        })
    }

    fn one(&self, engine: &dyn Engine) -> Result<EngineReport, String> {
        let unknown = || format!("{}: nothing is known of it: run `urlstrata known update`", engine.name());
        let known = self.world.known.of(engine.name()).ok_or_else(unknown)?;
        let model = self.world.model_of(engine);
        let behaviour = model.behaviour.as_deref().ok_or_else(unknown)?;
        let nearest = known.nearest()?;
        let specifications = Specification::all();
        let Scope { alphabet, length, bases } = self.scope;
        let inputs = (engine.version(), known, self.vectors, alphabet, length, bases, self.panel.digest());
        let results =
            self.cache.result(engine.name(), &inputs, || self.results(engine, &model, behaviour, &nearest))?;
        let Results { classes, on_vectors, on_short, rates, missed, standard } = results;
        let missed = missed.into_iter().map(|(base, reference)| MissedRow {
            returned: ask(engine, &base, &reference),
            predicted: behaviours::outcome(behaviour, &base, &reference),
            base,
            reference,
        });
        let against = on_vectors.iter().zip(&on_short).zip(&specifications);
        let against = against.map(|((vectors, short), specification)| AgainstRow {
            specification: specification.id,
            vectors: *vectors,
            short: *short,
        });
        let severity = severity(classes.first());
        let against = against.collect();
        let table = urlstrata_engines::table(&engine.name().replace(':', "-"));
        let steps = table.and_then(|table| shown(table, Some(engine.version())).standard);
        Ok(EngineReport {
            name: engine.name().to_owned(),
            page: page_of(engine),
            version: engine.version().to_owned(),
            links: OnLinks::of(|base, reference| ask(engine, base, reference).url().map(str::to_owned)),
            examples: Examples::of(self.suite, engine, &model),
            nearest: nearest.id,
            state: if steps.is_some() { None } else { Followed::of(&nearest, behaviour) },
            steps,
            seen_in: (known.version != engine.version()).then(|| known.version.clone()),
            deviations: known.deviations.clone(),
            exceptions: known.exceptions.clone(),
            rates,
            missed: missed.collect(),
            against,
            classes,
            severity,
            standard,
        })
    }
}

fn on_vectors(suite: &Suite, mut comparer: Comparer<'_>) -> Vec<Comparison> {
    for case in suite.resolutions() {
        comparer.ask(&case.base, &case.reference);
    }
    comparer.finish()
}

/// Compares the engine with the results that the URL Standard's own test suite expects.
fn standard(suite: &Suite, engine: &dyn Engine, model: &Model) -> Totals {
    let newest = Specification::url_standard();
    let mut tally = Tally::new(engine, Attributor::new(newest, model.clone())).counting();
    for ResolutionCase { base, reference, expect, .. } in suite.resolutions() {
        let Some(expected) = expect.get(newest.id) else { continue };
        tally.add_against(expected.outcome(), base, reference, &ask(engine, base, reference));
    }
    tally.finish().totals
}

fn severity(found: Option<&Comparison>) -> Vec<(Effect, u64)> {
    let mut severity: Vec<(Effect, u64)> = Vec::new();
    for class in found.map_or(&[][..], |found| &found.classes) {
        match severity.last_mut() {
            Some((effect, count)) if *effect == class.effect => *count += class.count,
            _ => severity.push((class.effect, class.count)),
        }
    }
    severity
}

/// The value of each engine for the settings in which at least one of them differs from RFC 3986.
#[derive(Serialize)]
pub(super) struct Grid {
    /// Settings that are rules of the specifications.
    rules: Vec<GridRow>,
    /// Other settings.
    settings: Vec<GridRow>,
}

#[derive(Serialize)]
struct GridRow {
    name: &'static str,
    question: &'static str,
    /// A cell for each engine, in their order.
    cells: Vec<Vec<CellValue>>,
}

/// A value of a setting, for some classes of schemes.
#[derive(Serialize)]
struct CellValue {
    /// The classes of schemes, unless it is the only value.
    classes: Vec<&'static str>,
    /// The names of the values, if different forms of pairs have different ones.
    values: Vec<&'static str>,
    /// The sentence of the only value, with its sources.
    sentence: &'static str,
}

/// The classes of schemes in a grid, each with a scheme of it.
const CLASSES: [(&str, &str); 3] = [("special schemes", "http"), ("`file`", "file"), ("other schemes", "foo")];

impl Grid {
    /// Creates the grid of the engines of `world`, in the order of their reports.
    pub(super) fn of(world: &World) -> Self {
        let models = world.models();
        let behaviours: Vec<&Behaviour> = models.iter().filter_map(|model| model.behaviour.as_deref()).collect();
        let plain = Row::of(&rfc3986::RULES);
        let is_rule = |setting: &&&Setting<Row>| rules::ALL.iter().any(|rule| rule.name == setting.name);
        let rows = |setting: &&Setting<Row>| -> Option<GridRow> {
            let cells: Vec<_> = behaviours.iter().map(|behaviour| cell(setting, behaviour)).collect();
            let own = setting.value(&plain).name;
            let differs = cells.iter().flatten().any(|value| value.values != [own]);
            differs.then_some(GridRow { name: setting.name, question: setting.question, cells })
        };
        let settings: Vec<&Setting<Row>> = ROW.iter().collect();
        let (of_rules, others): (Vec<_>, Vec<_>) = settings.iter().partition(is_rule);
        let of = |settings: Vec<&&Setting<Row>>| settings.into_iter().filter_map(rows).collect();
        Self { rules: of(of_rules), settings: of(others) }
    }
}

/// Returns the values of a setting, each with the classes of schemes that have it.
fn cell(setting: &Setting<Row>, behaviour: &Behaviour) -> Vec<CellValue> {
    let mut cell: Vec<(Vec<usize>, Vec<&'static str>)> = Vec::new();
    for (name, scheme) in CLASSES {
        let class: &Class = &behaviour.classes[behaviour.class_of(scheme)];
        let mut values: Vec<usize> = Form::ALL.map(|form| setting.index(&class.rows[form as usize])).to_vec();
        values.sort_unstable();
        values.dedup();
        match cell.iter_mut().find(|(own, _)| *own == values) {
            Some((_, classes)) => classes.push(name),
            None => cell.push((values, vec![name])),
        }
    }
    let is_only = cell.len() == 1;
    let value = |(values, classes): (Vec<usize>, Vec<&'static str>)| CellValue {
        classes: if is_only { Vec::new() } else { classes },
        sentence: if let [value] = values[..] { setting.sentence(value) } else { "" },
        values: values.into_iter().map(|value| setting.values[value].name).collect(),
    };
    cell.into_iter().map(value).collect()
}
