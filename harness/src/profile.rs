//! The row of rules and the set of rewrites that predict an engine best, fitted over a broad survey.
//!
//! A survey is cut into halves by what its pairs are, not by where they stand. One half fits, the other is held back;
//! each fits once, and an answer on which they fit apart, or that another would do as well in either, is undetermined.

use std::collections::{BTreeMap, HashSet};
use std::thread;

use serde::Serialize;
use urlstrata::revision::{self, Revision, rfc3986};
use urlstrata::rules::COLUMNS;

use crate::engine::{Engine, Outcome, ask};
use crate::generate::{self, BASES, Wild};
use crate::rewrite::{Profile, Rewrite, Rewrites};
use crate::vector::{Suite, WHATWG};

/// A document that an engine can be put beside.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// Its id: a revision's, or `whatwg` for the URL Standard.
    pub id: &'static str,
    /// How it is cited.
    pub cite: &'static str,
    /// What an engine that follows it does.
    pub profile: Profile,
    /// The revision, if it is one of ours.
    pub revision: Option<&'static Revision>,
}

impl Reading {
    /// That of `revision`, which has to resolve.
    pub fn of(revision: &'static Revision) -> Option<Self> {
        let profile = Profile { rules: *revision.rules?, rewrites: Rewrites::NONE };
        Some(Self { id: revision.id, cite: revision.cite, profile, revision: Some(revision) })
    }

    /// The URL Standard's: the row of RFC 3986 with the Standard's rewrites.
    pub fn url_standard() -> Self {
        let rules = *rfc3986::REVISION.rules.unwrap_or_else(|| unreachable!("RFC 3986 resolves"));
        let profile = Profile { rules, rewrites: Rewrites::url_standard() };
        Self { id: WHATWG, cite: "URL Standard", profile, revision: None }
    }

    /// Every one: the revisions, oldest first, then the URL Standard.
    pub fn all() -> Vec<Self> {
        let revisions = revision::resolving().filter_map(|(revision, _)| Self::of(revision));
        revisions.chain([Self::url_standard()]).collect()
    }

    /// The one of that id.
    pub fn by_id(id: &str) -> Option<Self> {
        Self::all().into_iter().find(|reading| reading.id == id)
    }

    /// How the document is cited whose row of answers it has: the URL Standard's is that of RFC 3986.
    pub fn cite_of_row(&self) -> &'static str {
        self.revision.map_or(rfc3986::REVISION.cite, |revision| revision.cite)
    }

    /// What it says of a pair: a revision by its steps, the URL Standard by its profile.
    pub fn says(&self, base: &str, reference: &str) -> Outcome {
        match self.revision {
            Some(revision) => revision.resolve(base, reference).into(),
            None => self.profile.predict(base, reference),
        }
    }

    /// In how many answers and rewrites `profile` differs from it, the `undetermined` columns left out.
    fn distance(&self, profile: &Profile, undetermined: &[usize]) -> usize {
        let columns = COLUMNS.iter().enumerate().filter(|(index, column)| {
            !undetermined.contains(index) && column.index(&self.profile.rules) != column.index(&profile.rules)
        });
        let rewrites = Rewrite::ALL.iter().filter(|&&it| self.profile.rewrites.has(it) != profile.rewrites.has(it));
        columns.count() + rewrites.count()
    }
}

/// A pair and what an engine did with it.
#[derive(Clone, Debug)]
struct Asked {
    base: String,
    reference: String,
    did: Outcome,
}

impl Asked {
    fn is_predicted_by(&self, profile: &Profile) -> bool {
        profile.predicts(&self.base, &self.reference, &self.did)
    }
}

/// How many pairs of a kind a profile predicts.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Rate {
    /// Which pairs.
    pub pairs: &'static str,
    /// Whether the profile was fitted to them.
    pub fitted: bool,
    /// How many there are.
    pub asked: u64,
    /// How many of them it predicts.
    pub predicted: u64,
}

/// An engine's profile, as far as it is known.
#[derive(Clone, Debug)]
pub struct KnownProfile {
    /// What it does.
    pub profile: Profile,
    /// Columns, as indices into [`COLUMNS`], in which nothing is known of it.
    pub undetermined: Vec<usize>,
    /// Names of single pairs that it does not predict, by base and reference.
    pub exceptions: BTreeMap<(String, String), String>,
}

impl KnownProfile {
    /// `profile` without doubts and exceptions.
    pub fn certain(profile: Profile) -> Self {
        Self { profile, undetermined: Vec::new(), exceptions: BTreeMap::new() }
    }
}

/// A profile fitted to an engine, and how far it can be believed.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// What predicts the engine best. Undetermined columns have the answer of the nearest document.
    pub profile: Profile,
    /// The document it differs least from.
    pub nearest: Reading,
    /// Columns, as indices into [`COLUMNS`], that the survey cannot tell: each with the answers that do equally well.
    pub undetermined: Vec<(usize, Vec<usize>)>,
    /// Rewrites that make no difference on the survey, off in the profile.
    pub unseen: Vec<Rewrite>,
    /// How well it predicts.
    pub rates: Vec<Rate>,
}

/// How many wild pairs are in a survey; a million would tell no more of a column.
const SURVEY_WILD: usize = 60_000;
/// The longest reference of a survey's enumeration.
const SURVEY_LENGTH: usize = 3;
/// The seeds of the survey's pairs, of those that are only predicted, and of the long references.
const SEEDS: [u64; 3] = [1, 2, 3];

/// Every pair that an engine is fitted over: short references, the vectors, the witnesses of rewrites on each other's
/// bases, and wild pairs. None stands twice.
pub fn survey(suite: &Suite) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    generate::short_pairs(SURVEY_LENGTH, |base, reference| pairs.push((base.to_owned(), reference.to_owned())));
    for (file, vector) in suite.vectors() {
        pairs.extend(vector.reference.clone().map(|reference| (file.base_of(vector).to_owned(), reference)));
    }
    let witnesses = || Rewrite::ALL.iter().map(|rewrite| rewrite.witness());
    for (_, reference) in witnesses() {
        let bases = BASES.into_iter().chain(witnesses().map(|(base, _)| base));
        pairs.extend(bases.map(|base| (base.to_owned(), reference.to_owned())));
    }
    let mut wild = Wild::new(SEEDS[0]);
    pairs.extend((0..SURVEY_WILD).map(|_| wild.pair()));
    let mut seen = HashSet::new();
    pairs.retain(|pair| seen.insert(pair.clone()));
    pairs
}

/// Whether a pair belongs to the second half: FNV-1a over both strings, so that the answer never changes.
pub fn in_second_half(base: &str, reference: &str) -> bool {
    let bytes = base.bytes().chain([0]).chain(reference.bytes());
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    (hash >> 32) & 1 == 1
}

/// Fits a profile to `engine` over the pairs of a survey.
pub fn fit(engine: &dyn Engine, pairs: &[(String, String)]) -> Fitted {
    let asked = |(base, reference): &(String, String)| Asked {
        base: base.clone(),
        reference: reference.clone(),
        did: ask(engine, base, reference),
    };
    let (second, first): (Vec<_>, Vec<_>) =
        pairs.iter().map(asked).partition(|asked| in_second_half(&asked.base, &asked.reference));
    let halves = [first, second];
    let [one, other] = on_both(&halves, climb);
    let doubts = on_both(&halves, |half| Doubts::of(&one, half));
    let doubts = doubts[0].or(&doubts[1]).or(&Doubts::between(&one, &other));

    let mut profile = one;
    for rewrite in doubts.rewrites.iter() {
        profile.rewrites = profile.rewrites.without(rewrite);
    }
    let undetermined: Vec<_> = doubts.columns.iter().map(|(column, _)| *column).collect();
    let mut readings = Reading::all();
    // Of equally near ones the newest.
    readings.reverse();
    readings.sort_by_key(|reading| reading.distance(&profile, &undetermined));
    let nearest = readings[0];
    for &column in &undetermined {
        profile.rules = COLUMNS[column].with(&profile.rules, COLUMNS[column].index(&nearest.profile.rules));
    }
    let rate = |name, fitted, half: &[Asked]| Rate {
        pairs: name,
        fitted,
        asked: half.len() as u64,
        predicted: half.iter().filter(|asked| asked.is_predicted_by(&profile)).count() as u64,
    };
    let rates = vec![rate("the half it is fitted to", true, &halves[0]), rate("the half held back", false, &halves[1])];
    Fitted { profile, nearest, undetermined: doubts.columns, unseen: doubts.rewrites.iter().collect(), rates }
}

/// What a profile predicts of pairs that no fit has seen.
#[derive(Clone, Debug)]
pub struct Surveyed {
    /// How many it predicts.
    pub rates: Vec<Rate>,
    /// Those it does not: base and reference.
    pub missed: Vec<(String, String)>,
}

/// How well `profile` predicts `engine` on pairs that no fit has seen: `wild` pairs by chance, and long references.
pub fn rates(profile: &Profile, engine: &dyn Engine, wild: u64) -> Surveyed {
    let mut missed = Vec::new();
    let mut predicted = |base: &str, reference: &str| {
        let predicted = profile.predicts(base, reference, &ask(engine, base, reference));
        if !predicted {
            missed.push((base.to_owned(), reference.to_owned()));
        }
        u64::from(predicted)
    };
    let mut pairs = Wild::new(SEEDS[1]);
    let mut by_chance = Rate { pairs: "pairs by chance", fitted: false, asked: 0, predicted: 0 };
    for _ in 0..wild {
        let (base, reference) = pairs.pair();
        by_chance.asked += 1;
        by_chance.predicted += predicted(&base, &reference);
    }
    let mut references = generate::Long::new(SEEDS[2]);
    let mut long = Rate { pairs: "references of 6 to 24 characters", fitted: false, asked: 0, predicted: 0 };
    for _ in 0..wild.div_ceil(100) {
        let reference = references.reference();
        for base in BASES {
            long.asked += 1;
            long.predicted += predicted(base, &reference);
        }
    }
    Surveyed { rates: vec![by_chance, long], missed }
}

/// How many of a survey's pairs `profile` predicts: of the half that profiles are fitted to, and of the one held back.
pub fn rates_of_halves(profile: &Profile, engine: &dyn Engine, pairs: &[(String, String)]) -> Vec<Rate> {
    let rate = |pairs, fitted| Rate { pairs, fitted, asked: 0, predicted: 0 };
    let mut rates = vec![rate("the half it is fitted to", true), rate("the half held back", false)];
    for (base, reference) in pairs {
        let half = &mut rates[usize::from(in_second_half(base, reference))];
        half.asked += 1;
        half.predicted += u64::from(profile.predicts(base, reference, &ask(engine, base, reference)));
    }
    rates
}

fn on_both<T: Send>(halves: &[Vec<Asked>; 2], work: impl Fn(&[Asked]) -> T + Sync) -> [T; 2] {
    thread::scope(|scope| {
        let other = scope.spawn(|| work(&halves[1]));
        let one = work(&halves[0]);
        match other.join() {
            Ok(other) => [one, other],
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// One answer or one rewrite of a profile, changed.
#[derive(Clone, Copy, Debug)]
enum Flip {
    Answer { column: usize, to: usize },
    Rewrite(Rewrite),
}

impl Flip {
    /// Every change that can be made to `profile`.
    fn all(profile: &Profile) -> Vec<Self> {
        let answers = COLUMNS.iter().enumerate().flat_map(|(column, about)| {
            let own = about.index(&profile.rules);
            (0..about.answers.len()).filter(move |&to| to != own).map(move |to| Self::Answer { column, to })
        });
        answers.chain(Rewrite::ALL.iter().copied().map(Self::Rewrite)).collect()
    }

    fn apply(self, profile: &Profile) -> Profile {
        let mut changed = *profile;
        match self {
            Self::Answer { column, to } => changed.rules = COLUMNS[column].with(&profile.rules, to),
            Self::Rewrite(rewrite) if profile.rewrites.has(rewrite) => {
                changed.rewrites = profile.rewrites.without(rewrite);
            }
            Self::Rewrite(rewrite) => changed.rewrites = profile.rewrites.with(rewrite),
        }
        changed
    }
}

fn score(profile: &Profile, half: &[Asked]) -> usize {
    half.iter().filter(|asked| asked.is_predicted_by(profile)).count()
}

/// Climbs from the document that predicts the most, one change at a time and two where one does not help, to where
/// neither does; then takes back what makes no difference.
fn climb(half: &[Asked]) -> Profile {
    /// So many of the pairs that are not predicted are enough to rank changes.
    const RANKED: usize = 1500;
    const RANKED_PAIRS: usize = 100;
    let readings = Reading::all();
    // The oldest of equally good ones: a later document has to earn it.
    let start = readings.iter().rev().max_by_key(|reading| score(&reading.profile, half));
    let Some(start) = start else { return Reading::url_standard().profile };
    let mut profile = start.profile;
    loop {
        let (predicted, missed): (Vec<&Asked>, Vec<&Asked>) =
            half.iter().partition(|asked| asked.is_predicted_by(&profile));
        let better = |changes: Vec<Profile>, most: usize| {
            let stride = missed.len().div_ceil(most).max(1);
            let gains = |changed: &Profile| {
                missed.iter().step_by(stride).filter(|asked| asked.is_predicted_by(changed)).count()
            };
            let ranked = changes.into_iter().map(|changed| (gains(&changed), changed));
            let mut ranked: Vec<_> = ranked.filter(|(gains, _)| *gains > 0).collect();
            ranked.sort_by_key(|(gains, _)| std::cmp::Reverse(*gains));
            ranked.into_iter().map(|(_, changed)| changed).find(|changed| {
                let gains = missed.iter().filter(|asked| asked.is_predicted_by(changed)).count();
                let losses = predicted.iter().filter(|asked| !asked.is_predicted_by(changed)).take(gains).count();
                gains > losses
            })
        };
        let single: Vec<_> = Flip::all(&profile).into_iter().map(|flip| flip.apply(&profile)).collect();
        let doubled = || {
            let again = |changed: &Profile| {
                let flips = Flip::all(changed).into_iter();
                flips.map(|flip| flip.apply(changed)).filter(|twice| *twice != profile).collect::<Vec<_>>()
            };
            single.iter().flat_map(again).collect()
        };
        match better(single.clone(), RANKED).or_else(|| better(doubled(), RANKED_PAIRS)) {
            Some(changed) => profile = changed,
            None => break,
        }
    }
    let predicted: Vec<&Asked> = half.iter().filter(|asked| asked.is_predicted_by(&profile)).collect();
    for rewrite in Rewrite::ALL.iter().rev().filter(|&&rewrite| !start.profile.rewrites.has(rewrite)) {
        let changed = Profile { rewrites: profile.rewrites.without(*rewrite), ..profile };
        if profile.rewrites.has(*rewrite) && predicted.iter().all(|asked| asked.is_predicted_by(&changed)) {
            profile = changed;
        }
    }
    profile
}

/// What a half cannot tell.
#[derive(Clone, Debug, Default)]
struct Doubts {
    /// Columns with the answers that do as well as the one taken, that one among them.
    columns: Vec<(usize, Vec<usize>)>,
    /// Rewrites that are on or off without a difference.
    rewrites: Rewrites,
}

impl Doubts {
    /// What else predicts as much of `half` as `profile` does.
    fn of(profile: &Profile, half: &[Asked]) -> Self {
        let (predicted, missed): (Vec<&Asked>, Vec<&Asked>) =
            half.iter().partition(|asked| asked.is_predicted_by(profile));
        let as_good = |changed: &Profile| {
            let gains = missed.iter().filter(|asked| asked.is_predicted_by(changed)).count();
            let losses = predicted.iter().filter(|asked| !asked.is_predicted_by(changed)).take(gains + 1).count();
            losses <= gains
        };
        let mut doubts = Self::default();
        for flip in Flip::all(profile).into_iter().filter(|flip| as_good(&flip.apply(profile))) {
            match flip {
                Flip::Answer { column, to } => doubts.add(column, &[COLUMNS[column].index(&profile.rules), to]),
                Flip::Rewrite(rewrite) => doubts.rewrites = doubts.rewrites.with(rewrite),
            }
        }
        doubts
    }

    /// In what two fits differ.
    fn between(one: &Profile, other: &Profile) -> Self {
        let mut doubts = Self::default();
        for (column, about) in COLUMNS.iter().enumerate() {
            let answers = [about.index(&one.rules), about.index(&other.rules)];
            if answers[0] != answers[1] {
                doubts.add(column, &answers);
            }
        }
        let apart = |&&it: &&Rewrite| one.rewrites.has(it) != other.rewrites.has(it);
        doubts.rewrites = Rewrite::ALL.iter().filter(apart).copied().collect();
        doubts
    }

    fn add(&mut self, column: usize, answers: &[usize]) {
        let index = match self.columns.iter().position(|(own, _)| *own == column) {
            Some(index) => index,
            None => {
                self.columns.push((column, Vec::new()));
                self.columns.len() - 1
            }
        };
        let own = &mut self.columns[index].1;
        own.extend(answers);
        own.sort_unstable();
        own.dedup();
    }

    fn or(&self, other: &Self) -> Self {
        let mut both = self.clone();
        other.columns.iter().for_each(|(column, answers)| both.add(*column, answers));
        both.columns.sort();
        both.rewrites = self.rewrites.iter().chain(other.rewrites.iter()).collect();
        both
    }
}
