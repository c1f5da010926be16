//! The head of the page of a recorded engine: four sentences, and the deviations that they name.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Serialize;
use urlstrata::slots::Value;

use super::page::grouped;
use urlstrata_harness::behaviour::{self, Decisive, Difference, Fitting, Predictions};
use urlstrata_harness::engine::folder::EngineFolder;
use urlstrata_harness::knowledge::known::DeviationKind;
use urlstrata_harness::knowledge::notable::{Decision, Notable, NotableDeviation, Own};
use urlstrata_harness::knowledge::specification::Specification;
use urlstrata_harness::knowledge::stepped::{self, Link, Source, Stepped};
use urlstrata_harness::outcome::Outcome;
use urlstrata_harness::pairs;

/// The largest number of differences without a recorded reason that the head of a page lists.
const LISTED: usize = 5;

/// A difference is listed besides known deviations if it decides about one of this many pairs of the panel.
const ONE_IN: usize = 100;

/// The head of the page of a recorded engine.
#[derive(Serialize)]
pub(super) struct Head {
    /// Four sentences: what it returns for links of documentation, which specification it is nearest to, what it does otherwise, and
    /// what looks like a bug.
    sentences: [String; 4],
    /// The specification from which the engine deviates.
    specification: String,
    /// Whether the deviations are steps of the engine's source, and not settings of a behaviour.
    has_steps: bool,
    /// The notable deviations.
    deviations: Vec<DeviationRow>,
    /// What else decides many pairs.
    frequent: Vec<FrequentRow>,
}

/// A notable deviation.
#[derive(Serialize)]
struct DeviationRow {
    does: String,
    kind: DeviationKind,
    reason: String,
    issue: String,
    /// The label of the step; empty without steps.
    step: String,
    /// Whether the step leaves a value as it is that the specification changes.
    is_left: bool,
    /// The names of the settings, each with the names of other values that fit equally well; none with steps.
    settings: Vec<(String, Vec<&'static str>)>,
    /// The number of pairs of the panel about which the step decides, or the settings together.
    pairs: usize,
    base: String,
    reference: String,
    returned: Outcome,
    /// The result of the specification, or, without steps, with its settings.
    otherwise: Outcome,
}

/// A difference that decides many pairs.
#[derive(Serialize)]
struct FrequentRow {
    /// The label of the engine's step, or the name of the setting; empty if the engine does not read what the specification reads.
    name: String,
    /// Whether the step leaves a value as it is that the specification changes.
    is_left: bool,
    question: String,
    own: String,
    /// The names of other values that fit equally well.
    others: Vec<&'static str>,
    specified: String,
    pairs: usize,
    base: String,
    reference: String,
}

/// How the results of an engine are predicted.
#[derive(Clone, Copy)]
pub(super) enum By<'a> {
    /// By the steps of its source.
    Steps(&'a Stepped),
    /// By its behaviour. These are the predictions for the pairs of its panel.
    Behaviour(&'a Predictions<'a>),
}

/// What is known of the newest recorded version of an engine.
pub(super) struct Newest<'a> {
    pub(super) engine: &'a EngineFolder,
    pub(super) version: &'a str,
    /// How it is predicted.
    pub(super) by: By<'a>,
    /// The outcomes, in the order of the engine's panel.
    pub(super) outcomes: &'a [Outcome],
    /// The nearest specification.
    pub(super) nearest: Specification,
    /// Returns the outcomes of a specification, in the order of the engine's panel.
    pub(super) specified: &'a dyn Fn(&Specification) -> Cow<'a, [Outcome]>,
}

/// A pair with different results, and the links by which the engine and a specification part.
type Parted<'a> = ((&'a str, &'a str), Vec<Link>);

/// What decides about pairs of the panel.
enum Deciding<'a> {
    /// The links by which the engine and the specification part on each pair with different results.
    Steps(Vec<Parted<'a>>),
    /// The differences between the engine's behaviour and the specification, most frequent first, and the settings that fit.
    Settings(Vec<Decisive>, Fitting<'a, 'a>),
}

/// A base, a reference, and the URLs of RFC 3986 and of the URL Standard.
type SpecifiedLink = (&'static str, &'static str, [Option<String>; 2]);

/// The links of documentation.
static LINKS: LazyLock<Vec<SpecifiedLink>> = LazyLock::new(|| {
    let specifications = Specification::by_id("rfc3986").map(|rfc3986| [rfc3986, Specification::url_standard()]);
    let specified = |base: &str, reference: &str| {
        let url = |it: Specification| it.resolve(base, reference).url().map(str::to_owned);
        specifications.map_or([None, None], |both| both.map(url))
    };
    pairs::documentation().map(|(base, reference)| (base, reference, specified(base, reference))).collect()
});

/// How many links of documentation an engine resolves as specifications do.
#[derive(Clone, Copy, Serialize)]
pub(super) struct OnLinks {
    /// The number of links.
    asked: u64,
    /// The number of links that have the URL of RFC 3986, or that both reject.
    rfc3986: u64,
    /// The same for the URL Standard.
    standard: u64,
}

impl OnLinks {
    /// Resolves the links of documentation by `resolve`, which returns `None` for a rejection.
    pub(super) fn of(resolve: impl Fn(&str, &str) -> Option<String>) -> Self {
        let mut alike = [0_u64; 2];
        for (base, reference, specified) in LINKS.iter() {
            let url = resolve(base, reference);
            alike.iter_mut().zip(specified).for_each(|(alike, specified)| *alike += u64::from(url == *specified));
        }
        let [rfc3986, standard] = alike;
        Self { asked: LINKS.len() as u64, rfc3986, standard }
    }
}

impl Newest<'_> {
    /// Returns the sentence on links of documentation.
    fn on_links(&self, own: &str) -> String {
        let OnLinks { asked, rfc3986, standard } = OnLinks::of(|base, reference| match self.by {
            By::Steps(steps) => steps.predict(base, reference).and_then(|outcome| outcome.url().map(str::to_owned)),
            By::Behaviour(predictions) => predictions.behaviour().predict(base, reference),
        });
        let [links, rfc3986, standard] = [asked, rfc3986, standard].map(grouped);
        let by = match self.by {
            By::Steps(_) => "by the steps of its source",
            By::Behaviour(_) => "as its fitted behaviour predicts",
        };
        format!(
            "Of {links} links of documentation, {own} resolves {rfc3986} as RFC 3986 and {standard} as the URL Standard \
             does, {by}."
        )
    }

    /// Returns the number of pairs for which the engine and `specification` return URLs, for how many of them they are equal, and the
    /// number of outcomes that are the same.
    fn alike(&self, specification: &Specification) -> (usize, usize, usize) {
        let (mut urls, mut alike, mut same) = (0, 0, 0);
        for (specified, outcome) in (self.specified)(specification).iter().zip(self.outcomes) {
            let is_same = specified.url() == outcome.url();
            urls += usize::from(outcome.url().is_some() && specified.url().is_some());
            alike += usize::from(is_same && outcome.url().is_some());
            same += usize::from(is_same);
        }
        (urls, alike, same)
    }

    /// Returns the head of the engine's page.
    ///
    /// # Errors
    ///
    /// Returns a sentence if a notable deviation is not valid or not true.
    pub(super) fn head(&self) -> Result<Head, String> {
        let notable = Notable::of(self.engine).map_err(|error| error.to_string())?;
        let specification = notable.as_ref().map_or(self.nearest, |notable| notable.specification);
        let name = specification.name();
        let (urls, alike, same) = self.alike(&specification);
        let own = format!("{} {}", self.engine.name, self.version);
        let is_equal = same == self.outcomes.len();
        let of_urls = format!(
            "{} of the {} pairs of the panel for which both return one",
            grouped(alike as u64),
            grouped(urls as u64)
        );
        let has_steps = matches!(self.by, By::Steps(_));
        let first = if is_equal {
            format!("{own} returns the results of {name} for all {} pairs of the panel.", grouped(same as u64))
        } else if specification.id == self.nearest.id && !has_steps {
            format!("{own} is nearest to {name} by its settings, and returns the same URL for {of_urls}.")
        } else {
            let documented = specification.is_named_in(&self.engine.description.follows);
            let does = if documented { "follows" } else { "is compared with" };
            let by = if documented { " by its documentation" } else { "" };
            format!("{own} {does} {name}{by}, and returns the same URL for {of_urls}.")
        };
        let deviations = notable.map_or_else(Vec::new, |notable| notable.deviations);
        let decided: Vec<Decision> =
            deviations.iter().map(|deviation| self.decision(deviation, &specification)).collect::<Result<_, _>>()?;
        let (deciding, frequent) = match self.by {
            By::Steps(steps) => {
                let parted = self.parted(steps, &specification);
                let own: Vec<String> = decided.iter().filter_map(|it| Some(key(it.link.as_ref()?))).collect();
                let frequent = self.frequent_steps(steps, &specification, &parted, &own);
                (Deciding::Steps(parted), frequent)
            }
            By::Behaviour(predictions) => {
                let fitting = Fitting::of(predictions);
                let decisive =
                    if is_equal { Vec::new() } else { self.decisive(predictions, &specification, &deviations) };
                let frequent = self.frequent(&decisive, &deviations, &fitting);
                (Deciding::Settings(decisive, fitting), frequent)
            }
        };
        let [second, third] = match (&deviations[..], &frequent[..]) {
            ([], []) => [
                "It never returns another result for a pair of the panel.".to_owned(),
                "No deviation is known that looks like a bug.".to_owned(),
            ],
            ([], frequent) => unreviewed(frequent, has_steps),
            (deviations, _) => reviewed(deviations),
        };
        let row = |(deviation, decision)| row(deviation, decision, &deciding);
        Ok(Head {
            sentences: [self.on_links(&own), first, second, third],
            has_steps,
            specification: name,
            deviations: deviations.into_iter().zip(decided).map(row).collect(),
            frequent,
        })
    }

    /// Returns the differences from `specification` that decide about pairs of the panel, most frequent first; those of a
    /// deviation of several settings also together.
    fn decisive(
        &self,
        predictions: &Predictions<'_>,
        specification: &Specification,
        deviations: &[NotableDeviation],
    ) -> Vec<Decisive> {
        let outcomes = self.outcomes;
        let specified = (self.specified)(specification);
        let differs = |pair: &usize| {
            let url = outcomes[*pair].url();
            predictions.urls()[*pair].as_deref() == url && specified[*pair].url() != url
        };
        let differing = (0..outcomes.len()).filter(differs).map(|pair| predictions.pairs()[pair]);
        let named: Vec<&[String]> = deviations.iter().map(|deviation| &deviation.settings[..]).collect();
        behaviour::decisive(predictions.behaviour(), specification.behaviour(), &named, LISTED, differing)
    }

    /// Returns the most frequent of the differences that none of `deviations` names; of those that decide about few pairs only
    /// if there are no deviations.
    fn frequent(
        &self,
        decisive: &[Decisive],
        deviations: &[NotableDeviation],
        fitting: &Fitting<'_, '_>,
    ) -> Vec<FrequentRow> {
        let is_stated = |name: &String| deviations.iter().any(|deviation| deviation.settings.contains(name));
        let is_listed = |decisive: &&Decisive| {
            !decisive.differences.iter().any(|difference| is_stated(&difference.name))
                && (deviations.is_empty() || decisive.pairs * ONE_IN >= self.outcomes.len())
        };
        decisive.iter().filter(is_listed).take(LISTED).map(|decisive| frequent_row(decisive, fitting)).collect()
    }

    /// Returns what `deviation` decides.
    fn decision(&self, deviation: &NotableDeviation, specification: &Specification) -> Result<Decision, String> {
        let number = self.engine.panel.find(&deviation.pair.base, &deviation.pair.reference);
        let recorded = number.map(|number| &self.outcomes[number]);
        let own = match self.by {
            By::Steps(steps) => Own::Steps(steps),
            By::Behaviour(predictions) => Own::Behaviour(predictions.behaviour()),
        };
        deviation.decides(own, specification, recorded).map_err(|error| error.to_string())
    }

    /// Returns the links by which the engine and `specification` part, for each pair of the panel with different results.
    fn parted(&self, steps: &Stepped, specification: &Specification) -> Vec<Parted<'_>> {
        let specified = (self.specified)(specification);
        let mut parted = Vec::new();
        for ((outcome, specified), pair) in self.outcomes.iter().zip(specified.iter()).zip(self.engine.panel.pairs()) {
            if outcome.url() != specified.url() {
                parted.extend(steps.parting(specification, pair, outcome).map(|links| (pair, links)));
            }
        }
        parted
    }

    /// Returns the steps at which most pairs part first, without pairs with a link in `stated`, the keys of the known deviations; those of
    /// few pairs only if there are no known deviations.
    fn frequent_steps(
        &self,
        steps: &Stepped,
        specification: &Specification,
        parted: &[Parted<'_>],
        stated: &[String],
    ) -> Vec<FrequentRow> {
        let size = |(base, reference): (&str, &str)| base.len() + reference.len();
        let mut found: BTreeMap<String, (usize, (&str, &str), &Link)> = BTreeMap::new();
        for (pair, links) in parted {
            let Some(first) = links.first().filter(|_| !links.iter().any(|link| stated.contains(&key(link)))) else {
                continue;
            };
            let entry = found.entry(key(first)).or_insert((0, *pair, first));
            entry.0 += 1;
            if (size(*pair), *pair) < (size(entry.1), entry.1) {
                (entry.1, entry.2) = (*pair, first);
            }
        }
        let is_listed =
            |(pairs, ..): &(usize, (&str, &str), &Link)| stated.is_empty() || pairs * ONE_IN >= self.outcomes.len();
        let mut found: Vec<_> = found.into_values().filter(is_listed).collect();
        found.sort_by_key(|(pairs, pair, _)| (Reverse(*pairs), *pair));
        let row = |(pairs, (base, reference), link): (usize, (&str, &str), &Link)| {
            let is_read = link.values[1] != Value::Unread;
            let sources = [Source::Specification(*specification), Source::Engine(steps)];
            let note = stepped::note(link, sources, (base, reference));
            FrequentRow {
                name: stepped::labels(link, 1).next().filter(|_| is_read).unwrap_or_default().to_owned(),
                is_left: link.steps[1].is_empty(),
                question: note.question,
                own: note.to.to_string(),
                others: Vec::new(),
                specified: note.from.to_string(),
                pairs,
                base: base.to_owned(),
                reference: reference.to_owned(),
            }
        };
        found.into_iter().take(LISTED).map(row).collect()
    }
}

/// Returns a name that links share in which the engine does the same: its steps, or, if it leaves a value as it is, the step that does so, and
/// those of the specification.
fn key(link: &Link) -> String {
    let of_specification = stepped::labels(link, 0).filter(|_| link.steps[1].is_empty());
    let labels: Vec<_> = stepped::labels(link, 1).chain(of_specification).collect();
    format!("{} {} {}", link.slot, link.steps[1].is_empty(), labels.join(", "))
}

fn row(deviation: NotableDeviation, decision: Decision, deciding: &Deciding<'_>) -> DeviationRow {
    let pairs = match (deciding, &decision.link) {
        (Deciding::Steps(parted), Some(link)) => {
            let own = key(link);
            parted.iter().filter(|(_, links)| links.iter().any(|link| key(link) == own)).count()
        }
        (Deciding::Steps(_), None) => 0,
        (Deciding::Settings(decisive, _), _) => {
            let is_own = |decisive: &&Decisive| {
                decisive.differences.iter().map(|difference| &difference.name).eq(&deviation.settings)
            };
            decisive.iter().find(is_own).map_or(0, |decisive| decisive.pairs)
        }
    };
    let NotableDeviation { pair, settings, .. } = deviation;
    let settings = settings.into_iter().map(|name| {
        let others = match deciding {
            Deciding::Settings(_, fitting) => fitting.names(&name, &pair.base, &pair.reference),
            Deciding::Steps(_) => Vec::new(),
        };
        (name, others)
    });
    DeviationRow {
        does: deviation.does,
        kind: deviation.kind,
        reason: deviation.reason,
        issue: deviation.issue,
        step: deviation.step,
        is_left: decision.link.is_some_and(|link| link.steps[1].is_empty()),
        settings: settings.collect(),
        pairs,
        base: pair.base,
        reference: pair.reference,
        returned: decision.returned,
        otherwise: decision.otherwise,
    }
}

fn frequent_row(
    Decisive { differences, pairs, smallest: (base, reference) }: &Decisive,
    fitting: &Fitting<'_, '_>,
) -> FrequentRow {
    let Difference { name, question, from, to, .. } = differences[0].clone();
    let others = fitting.names(&name, base, reference);
    let [base, reference] = [base, reference].map(String::clone);
    let (own, specified) = (to.text, from.text);
    FrequentRow { name, is_left: false, question, own, others, specified, pairs: *pairs, base, reference }
}

/// Joins verb phrases whose subject is "it": with commas and "and", or with semicolons if a phrase itself contains these.
fn listed(phrases: &[&str]) -> String {
    let is_compound = |phrase: &&str| phrase.contains(" and ") || phrase.contains(", ");
    match phrases {
        [] => String::new(),
        [one] => (*one).to_owned(),
        several if several.iter().any(is_compound) => several.join("; it "),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Returns the second and the third sentence about an engine with notable deviations.
fn reviewed(deviations: &[NotableDeviation]) -> [String; 2] {
    let of = |is: &dyn Fn(&NotableDeviation) -> bool| -> String {
        listed(&deviations.iter().filter(|it| is(it)).map(|it| it.does.as_str()).collect::<Vec<_>>())
    };
    let kinds = [
        (DeviationKind::Extends, "It accepts or does more than the specification: it"),
        (DeviationKind::Narrower, "It accepts or does less: it"),
        (DeviationKind::Older, "As older specifications do, it"),
    ];
    let of_kind = |(kind, start): (DeviationKind, &str)| {
        let list = of(&|it| it.kind == kind);
        (!list.is_empty()).then(|| format!("{start} {list}."))
    };
    let second = kinds.into_iter().filter_map(of_kind).collect::<Vec<_>>().join(" ");
    let bugs = of(&|it| it.kind == DeviationKind::Bug);
    let unclear = of(&|it| it.kind == DeviationKind::Unclear);
    let third = match (bugs.as_str(), unclear.as_str()) {
        ("", "") => "None of its known deviations looks like a bug.".to_owned(),
        ("", unclear) => format!("It is not clear why it {unclear}."),
        (bugs, "") => format!("It looks like a bug that it {bugs}."),
        (bugs, unclear) => format!("It looks like a bug that it {bugs}; and it is not clear why it {unclear}."),
    };
    [second, third]
}

/// Returns the second and the third sentence about an engine without notable deviations.
fn unreviewed(frequent: &[FrequentRow], has_steps: bool) -> [String; 2] {
    let named = frequent.iter().filter(|row| !row.name.is_empty());
    let names: Vec<String> = named.map(|row| format!("`{}` ({} pairs)", row.name, grouped(row.pairs as u64))).collect();
    let names = listed(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let first = match has_steps {
        true => format!("The steps of its source by which most of its results come about are {names}."),
        false => format!("The settings that change most of its results are {names}; their reasons are not recorded."),
    };
    [first, "Nobody has reviewed these deviations, so it is not known whether one of them is a bug.".to_owned()]
}

#[cfg(test)]
mod tests {
    use super::{By, LISTED, Newest, Notable, ONE_IN, listed};
    use urlstrata_harness::behaviour::{self, Fitting, Predictions};
    use urlstrata_harness::engine::folder::EngineFolders;
    use urlstrata_harness::knowledge::behaviours::RecordedBehaviour;
    use urlstrata_harness::knowledge::specification::Specification;
    use urlstrata_harness::outcome::Outcome;

    #[test]
    fn deviations_are_counted_and_the_others_that_are_frequent_are_listed() {
        let folders = EngineFolders::embedded().unwrap_or_else(|error| panic!("{error}"));
        let engine = folders.engines.iter().find(|engine| engine.name == "pike").expect("an engine");
        let version = &engine.version(None).expect("a version").version;
        let recorded = RecordedBehaviour::read(engine, version).ok().flatten().expect("a behaviour");
        let own = recorded.behaviour().expect("a behaviour in order");
        let recording = engine.recording(version).ok().flatten().expect("a recording");
        let outcomes = recording.outcomes(&engine.panel).expect("outcomes");
        let nearest = Specification::by_id(&recorded.nearest).expect("a specification");
        let predictions = Predictions::of(&own, engine.panel.pairs());
        let predictions = &predictions;
        let pairs = engine.panel.pairs();
        let specified =
            |own: &Specification| pairs.iter().map(|(base, reference)| own.resolve(base, reference)).collect();
        let (outcomes, specified) = (&outcomes[..], &specified);
        let newest = Newest { engine, version, by: By::Behaviour(predictions), outcomes, nearest, specified };
        let head = newest.head().expect("true deviations");

        let specification = Specification::by_id(&engine.description.compared_with.as_ref().expect("one").1);
        let specification = specification.expect("a specification");
        let specified = specification.behaviour();
        for row in &head.deviations {
            let names: Vec<String> = row.settings.iter().map(|(name, _)| name.clone()).collect();
            let pairs = engine.panel.pairs().into_iter().zip(outcomes);
            let is_changed = |((base, reference), outcome): &((&str, &str), &Outcome)| {
                let predicted = own.predict(base, reference);
                let without = || behaviour::predict_without(&own, specified, &names, base, reference);
                predicted.as_deref() == outcome.url()
                    && predicted != specified.predict(base, reference)
                    && without().is_ok_and(|without| without != predicted)
            };
            assert_eq!(row.pairs, pairs.filter(is_changed).count(), "{names:?}");
        }
        let stated: Vec<&str> =
            head.deviations.iter().flat_map(|row| &row.settings).map(|(name, _)| name.as_str()).collect();
        assert!((1..=LISTED).contains(&head.frequent.len()));
        assert!(head.frequent.is_sorted_by(|one, other| one.pairs >= other.pairs));
        for row in &head.frequent {
            assert!(!stated.contains(&row.name.as_str()) && row.pairs * ONE_IN >= outcomes.len(), "{}", row.name);
        }
        let fitting = Fitting::of(predictions);
        let mut rare = newest.decisive(predictions, &specification, &[]);
        rare.iter_mut().for_each(|it| it.pairs = 1);
        assert_eq!(
            newest.frequent(&rare, &[], &fitting).len(),
            LISTED,
            "without known deviations, rare ones are listed"
        );
        let known = Notable::of(engine).ok().flatten().expect("known deviations").deviations;
        assert!(newest.frequent(&rare, &known, &fitting).is_empty(), "with known deviations, rare ones are not listed");
    }

    #[test]
    fn phrases_are_joined_so_that_each_can_be_told_from_the_next() {
        assert_eq!(listed(&["does a"]), "does a");
        assert_eq!(listed(&["does a", "does b", "does c"]), "does a, does b and does c");
        assert_eq!(listed(&["does a and b", "does c"]), "does a and b; it does c");
    }
}
