//! The report on each engine that is not part of this project: its nearest specification, and its deviations from it.

use serde::Serialize;
use urlstrata::rules;

use crate::engine::{Engine, ask};
use crate::model::attribute::{Attributor, Difference, Effect, EnginePair};
use crate::model::dated::Followed;
use crate::model::known::{Deviation, Exception, KnownEngine};
use crate::model::note::Statement;
use crate::model::profile::{self, KnownProfile, Rate, Selection};
use crate::model::specification::Specification;
use crate::normalize::{Normalization, Origin};
use crate::outcome::location::Location;
use crate::survey::enumerate::{Scope, compare};
use crate::survey::tally::{ComparedPair, Comparison, Tally, Totals};
use crate::vector::{ResolutionCase, Suite};
use crate::world::World;
use rayon::prelude::*;

/// The number of random pairs on which the predictions of a profile are measured.
const RANDOM: u64 = 100_000;

/// The maximum number of pairs in the list of pairs that a profile does not predict.
const SHOWN: usize = 10;

/// The report on an engine.
#[derive(Serialize)]
pub(super) struct EngineReport {
    pub(super) name: String,
    /// The file name of its page, without the extension.
    pub(super) page: String,
    version: String,
    /// The id of the nearest specification.
    nearest: &'static str,
    /// What the engine follows, if the nearest specification is a state of the URL Standard.
    state: Option<Followed>,
    /// The version of the engine to which the profile was fitted, if it is not the current version.
    seen_in: Option<String>,
    deviations: Vec<DeviationRow>,
    exceptions: Vec<Exception>,
    undetermined: Vec<Undetermined>,
    unobservable: Vec<&'static str>,
    rates: Vec<Rate>,
    /// Some of the pairs that the profile does not predict.
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
struct DeviationRow {
    #[serde(flatten)]
    entry: Deviation,
    /// The effect of the normalization, if the deviation is a normalization.
    normalization: Option<Statement>,
    quirk: bool,
}

#[derive(Serialize)]
struct Undetermined {
    rule: String,
    settings: Vec<String>,
}

#[derive(Serialize)]
struct MissedRow {
    base: String,
    reference: String,
    returned: crate::outcome::Outcome,
    predicted: crate::outcome::Outcome,
}

#[derive(Serialize)]
struct AgainstRow {
    specification: &'static str,
    vectors: Totals,
    short: Totals,
}

/// Reports on each engine of `world`.
///
/// # Errors
///
/// Returns a sentence if an engine has no known profile or an invalid one, or if `scope` has more pairs than can be
/// counted.
pub(super) fn report(world: &World, suite: &Suite, scope: &Scope) -> Result<Vec<EngineReport>, String> {
    let survey = profile::survey(suite);
    world.engines.par_iter().map(|engine| one(world, suite, engine.as_ref(), scope, &survey)).collect()
}

fn one(
    world: &World,
    suite: &Suite,
    engine: &dyn Engine,
    scope: &Scope,
    survey: &[(String, String)],
) -> Result<EngineReport, String> {
    let known = world.known.of(engine.name());
    let known =
        known.ok_or_else(|| format!("{}: nothing is known of it: run `urlstrata known update`", engine.name()))?;
    let profile = known.known_profile()?;
    let nearest = known.nearest()?;
    let specifications = Specification::all();
    let on_vectors = on_vectors(suite, engine, &profile, &specifications);
    let on_short = compare(scope, engine, &Some(&profile).into(), &specifications, &|_| ())?;
    let mut rates = profile::rates_of_halves(&profile.profile, engine, survey);
    let surveyed = profile::rates(&profile.profile, engine, RANDOM, &Selection::default());
    rates.extend(surveyed.rates);
    let missed = surveyed.missed.into_iter().take(SHOWN).map(|(base, reference)| MissedRow {
        returned: ask(engine, &base, &reference),
        predicted: profile.profile.predict(&base, &reference),
        base,
        reference,
    });
    let against = on_vectors.iter().zip(&on_short).zip(&specifications);
    let against = against.map(|((vectors, short), specification)| AgainstRow {
        specification: specification.id,
        vectors: vectors.totals,
        short: short.totals,
    });
    let severity = severity(on_vectors.iter().find(|found| found.against == nearest.id));
    let against = against.collect();
    let newest = Specification::url_standard().id;
    let wanted = |found: &Comparison| {
        [nearest.id, "rfc3986"].contains(&found.against.as_str())
            || nearest.is_url_standard() && found.against == newest
    };
    let mut classes: Vec<_> = on_vectors.into_iter().filter(wanted).collect();
    classes.sort_by_key(|found| found.against != nearest.id);
    Ok(EngineReport {
        name: engine.name().to_owned(),
        page: engine.name().replace(':', "-"),
        version: engine.version().to_owned(),
        nearest: nearest.id,
        state: Followed::of(&nearest, &profile),
        seen_in: (known.version != engine.version()).then(|| known.version.clone()),
        deviations: deviations(known),
        exceptions: known.exceptions.clone(),
        undetermined: known
            .profile
            .undetermined
            .iter()
            .map(|(rule, settings)| Undetermined { rule: rule.clone(), settings: settings.clone() })
            .collect(),
        unobservable: known
            .profile
            .unobservable
            .iter()
            .filter_map(|name| Normalization::by_name(name))
            .map(Normalization::name)
            .collect(),
        rates,
        missed: missed.collect(),
        against,
        classes,
        severity,
        standard: standard(suite, engine, &profile),
    })
}

fn deviations(known: &KnownEngine) -> Vec<DeviationRow> {
    let row = |entry: &Deviation| {
        let normalization = Difference::normalization_named(&entry.id);
        DeviationRow {
            entry: entry.clone(),
            normalization: normalization.map(Statement::of),
            quirk: normalization.is_some_and(|normalization| normalization.origin() == Origin::Quirk),
        }
    };
    known.deviations.iter().map(row).collect()
}

fn on_vectors(
    suite: &Suite,
    engine: &dyn Engine,
    known: &KnownProfile,
    specifications: &[Specification],
) -> Vec<Comparison> {
    let mut comparer = crate::survey::tally::Comparer::new(engine, specifications, &Some(known).into());
    for case in suite.resolutions() {
        comparer.ask(&case.base, &case.reference);
    }
    comparer.finish()
}

/// Compares the engine with the results that the URL Standard's own test suite expects.
fn standard(suite: &Suite, engine: &dyn Engine, known: &KnownProfile) -> Totals {
    let newest = Specification::url_standard();
    let mut tally = Tally::new(engine, Attributor::new(newest, Some(known)));
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

/// The setting of each engine for every rule, and its normalizations.
#[derive(Serialize)]
pub(super) struct Grid {
    rules: Vec<GridRow>,
    normalizations: Vec<GridRow>,
}

#[derive(Serialize)]
struct GridRow {
    name: &'static str,
    /// The question of the rule, or the effect of the normalization.
    about: &'static str,
    /// The source of the normalization; empty for a rule.
    source: &'static str,
    /// A cell for each engine, in their order.
    cells: Vec<Cell>,
}

#[derive(Serialize)]
struct Cell {
    /// The setting, or all settings that fit equally well; for a normalization `yes` or `no`.
    settings: Vec<&'static str>,
    determined: bool,
    /// The section that describes the setting: in the nearest specification if that has the setting, otherwise in
    /// another one.
    source: &'static str,
}

impl Grid {
    /// Creates the grid of the engines of `world`, in the order of their `reports`.
    pub(super) fn of(reports: &[EngineReport], world: &World) -> Self {
        let profiles: Vec<_> = world.profiles().into_iter().flatten().collect();
        let pairs = || reports.iter().zip(&profiles);
        let rows = rules::ALL.iter().enumerate().map(|(index, rule)| GridRow {
            name: rule.name,
            about: rule.question,
            source: "",
            cells: pairs()
                .map(|(report, known)| {
                    let setting = rule.setting(&known.profile.rules);
                    let cite =
                        Specification::by_id(report.nearest).map_or("", |specification| specification.cite_of_rules());
                    let determined = !known.undetermined.contains(&index);
                    let doubted = report.undetermined.iter().find(|doubted| doubted.rule == rule.name);
                    let names = doubted.map(|doubted| &doubted.settings);
                    let settings = match names {
                        None => vec![setting.name],
                        Some(names) => {
                            let own = rule.settings.iter().map(|setting| setting.name);
                            own.filter(|own| names.iter().any(|name| name == own)).collect()
                        }
                    };
                    Cell { settings, determined, source: if determined { setting.source(cite) } else { "" } }
                })
                .collect(),
        });
        let normalizations = Normalization::ALL.iter().map(|&normalization| GridRow {
            name: normalization.name(),
            about: normalization.note(),
            source: normalization.source(),
            cells: pairs()
                .map(|(report, known)| Cell {
                    settings: vec![if known.profile.normalizations.has(normalization) { "yes" } else { "no" }],
                    determined: !report.unobservable.contains(&normalization.name()),
                    source: "",
                })
                .collect(),
        });
        Self { rules: rows.collect(), normalizations: normalizations.collect() }
    }
}

/// Two engines, and the references for which the hosts of their URLs differ.
#[derive(Serialize)]
pub(super) struct Hosts {
    one: String,
    other: String,
    /// The number of references of the vectors for which both engines return a URL.
    both: u64,
    /// The number of these for which the hosts differ, or only one URL has a host. Letter case, credentials and ports
    /// are ignored.
    differ: u64,
    /// The number of these for which both URLs have a host.
    named: u64,
    /// The most frequent cause of the differences in which both URLs have a host, or, if there are none, of all
    /// differences.
    cause: Option<String>,
    /// The smallest pair with that cause.
    witness: Option<ComparedPair>,
}

/// Compares the hosts for each two engines of `world`, on the references of the vectors.
pub(super) fn hosts(world: &World, suite: &Suite) -> Vec<Hosts> {
    let (engines, models) = (&world.engines, world.models());
    let mut rows = Vec::new();
    for one in 0..engines.len() {
        for other in one + 1..engines.len() {
            let engine_pair = EnginePair::new(models[one].clone(), models[other].clone());
            rows.push(hosts_of(suite, engines[one].as_ref(), engines[other].as_ref(), &engine_pair));
        }
    }
    rows
}

fn hosts_of(suite: &Suite, one: &dyn Engine, other: &dyn Engine, engine_pair: &EnginePair) -> Hosts {
    let tally = || Tally::between(one, other, engine_pair.clone());
    let [mut named, mut unnamed] = [tally(), tally()];
    let mut both = 0;
    for ResolutionCase { base, reference, .. } in suite.resolutions() {
        let [of_one, of_other] = [one, other].map(|engine| ask(engine, base, reference));
        let (Some(one_url), Some(other_url)) = (of_one.url(), of_other.url()) else { continue };
        both += 1;
        let hosts = [one_url, other_url].map(|url| Location::of(url).host.unwrap_or_default());
        if hosts[0] != hosts[1] {
            let tally = if hosts.iter().any(String::is_empty) { &mut unnamed } else { &mut named };
            tally.add_against(of_other.clone(), base, reference, &of_one);
        }
    }
    let [mut named, mut unnamed] = [named.finish(), unnamed.finish()];
    for found in [&mut named, &mut unnamed] {
        found.classes.sort_by(|one, other| (other.count, &one.cause).cmp(&(one.count, &other.cause)));
    }
    let most = named.classes.into_iter().chain(unnamed.classes).next();
    let cause = most.as_ref().map(|class| class.cause.clone());
    Hosts {
        one: one.name().to_owned(),
        other: other.name().to_owned(),
        both,
        differ: named.totals.cases + unnamed.totals.cases,
        named: named.totals.cases,
        cause,
        witness: most.map(|class| class.witness),
    }
}
