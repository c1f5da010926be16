//! What is known of an engine: its profile, each departure from the document it is nearest to with a reason and counts,
//! and single pairs that the profile does not predict. Bookkeeping is two-sided: what is new fails a check, and so does
//! what has vanished, changed, or matches nothing.

use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use urlstrata::rules::COLUMNS;

use crate::attribute::{Difference, Subject};
use crate::engine::{Engine, Outcome, ask};
use crate::generate::{self, ALPHABET, BASES, Wild};
use crate::profile::{Fitted, KnownProfile, Reading};
use crate::rewrite::{Profile, Rewrite};
use crate::vector::{Expected, Suite, VectorError, embedded_known, quoted};

/// The longest reference of the suite `short`.
pub const SHORT_LENGTH: usize = 3;

/// The seed of the wild pairs on which bounds are measured and checked.
const WILD_SEED: u64 = 4;

/// What kind of departure it is. The list is closed.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// It takes or does more than the document.
    Extends,
    /// It takes or does less.
    Narrower,
    /// It follows an older state of the document.
    Older,
    /// It says what its own documentation would call wrong.
    Bug,
    /// Nobody has looked yet.
    Unclear,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Extends => "extends",
            Self::Narrower => "narrower",
            Self::Older => "older",
            Self::Bug => "bug",
            Self::Unclear => "unclear",
        }
    }
}

/// A base and a reference.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// The base; empty if it is unknown.
    pub base: String,
    /// The reference.
    pub reference: String,
}

/// One thing in which an engine departs from the document it is nearest to.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Departure {
    /// The difference's name: `excess=Kept`, `file_slashes`, `no encode_caret`.
    pub id: String,
    /// What kind it is.
    pub kind: Kind,
    /// Why, in our words.
    pub reason: String,
    /// The version it was first seen in.
    pub since: String,
    /// Where its maintainers discuss it.
    pub issue: Option<String>,
    /// A pair that shows it.
    pub witness: Pair,
    /// What the engine says of that.
    pub said: Expected,
    /// What the document says of it.
    pub document: Expected,
    /// On how many of the vectors' references it is part of the reason.
    pub vectors: u64,
    /// On how many pairs of short references and bases it is.
    pub short: u64,
    /// Of 100,000 pairs elsewhere, on how many it may be at most.
    pub elsewhere: u64,
}

/// A single pair that the profile does not predict.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Exception {
    /// A name for it.
    pub id: String,
    /// What kind it is.
    pub kind: Kind,
    /// Why, in our words.
    pub reason: String,
    /// The version it was first seen in.
    pub since: String,
    /// Where its maintainers discuss it.
    pub issue: Option<String>,
    /// The base; empty if it is unknown.
    pub base: String,
    /// The reference.
    pub reference: String,
    /// What the engine says of it.
    pub said: Expected,
}

/// A profile as it stands in a file: the document it is nearest to, and in what it departs from that.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Stated {
    /// The document's id.
    pub nearest: String,
    /// Other answers, by column.
    pub answers: BTreeMap<String, String>,
    /// Columns that the survey cannot tell, with the answers that do equally well.
    pub undetermined: BTreeMap<String, Vec<String>>,
    /// Rewrites that the engine makes and the document does not.
    pub makes: Vec<String>,
    /// Rewrites of the document that it does not make.
    pub leaves: Vec<String>,
    /// Rewrites that would make no difference on the survey.
    pub unseen: Vec<String>,
}

/// What is known of an engine.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// The engine's name.
    pub engine: String,
    /// The version it was seen in.
    pub version: String,
    /// What predicts it.
    pub profile: Stated,
    /// In what it departs from the nearest document.
    pub departures: Vec<Departure>,
    /// What its profile does not predict.
    #[serde(default)]
    pub exceptions: Vec<Exception>,
}

/// All that is known, as it was when the program was built.
static EMBEDDED: LazyLock<Result<Vec<Known>, VectorError>> =
    LazyLock::new(|| embedded_known().into_iter().map(|(path, bytes)| Known::from_bytes(&path, bytes)).collect());

/// What is known of the engine called `name`.
///
/// # Errors
///
/// If a file that the program carries is not in order; the tests rule that out.
pub fn of(name: &str) -> Result<Option<&'static Known>, VectorError> {
    match &*EMBEDDED {
        Ok(all) => Ok(all.iter().find(|known| known.engine == name)),
        Err(error) => Err(error.clone()),
    }
}

/// The profile that is known of `engine`: that of its revision, if it is one of ours; `None` if nothing is known.
pub fn profile_of(engine: &dyn Engine) -> Option<KnownProfile> {
    if let Some(reading) = engine.revision().and_then(Reading::of) {
        return Some(KnownProfile::certain(reading.profile));
    }
    let known = of(engine.name()).ok()??;
    known.known_profile().ok()
}

/// The file's name for the engine called `name`: `crate-url.yaml`.
pub fn file_name(name: &str) -> PathBuf {
    PathBuf::from(format!("{}.yaml", name.replace([':', '/'], "-")))
}

impl Known {
    /// Reads the file at `path`.
    ///
    /// # Errors
    ///
    /// If it cannot be read or is not in order.
    pub fn read(path: &Path) -> Result<Self, VectorError> {
        let bytes =
            std::fs::read(path).map_err(|error| VectorError::new(path, None, format!("cannot be read: {error}")))?;
        Self::from_bytes(path, &bytes)
    }

    fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Self, VectorError> {
        let fault = |line, sentence: String| VectorError::new(path, line, sentence);
        let text = std::str::from_utf8(bytes)
            .map_err(|_| fault(None, "not UTF-8: save the file in that encoding".to_owned()))?;
        let known: Self = serde_yaml::from_str(text).map_err(|error| {
            let line = error.location().map(|location| location.line());
            let sentence = error.to_string();
            let sentence = sentence.split(" at line ").next().unwrap_or_default();
            fault(line, format!("{sentence} (vectors/README.md describes the format)"))
        })?;
        let line = |id: &str| {
            text.lines().position(|line| line.trim_end() == format!("  - id: {}", quoted(id))).map(|at| at + 1)
        };
        known.known_profile().map_err(|sentence| fault(None, sentence))?;
        let entries = known.departures.iter().map(|it| (&it.id, &it.reason));
        let entries = entries.chain(known.exceptions.iter().map(|it| (&it.id, &it.reason)));
        let mut seen = Vec::new();
        for (id, reason) in entries {
            if seen.contains(&id) {
                return Err(fault(line(id), format!("the entry {id:?} stands twice")));
            }
            if reason.trim().is_empty() {
                return Err(fault(line(id), format!("the entry {id:?} has no reason: say in a sentence why")));
            }
            seen.push(id);
        }
        Ok(known)
    }

    /// The profile that the file states.
    ///
    /// # Errors
    ///
    /// A sentence, if it names a document, column, answer or rewrite that there is not.
    pub fn known_profile(&self) -> Result<KnownProfile, String> {
        let stated = &self.profile;
        let nearest = self.nearest()?;
        let column = |name: &str| {
            let index = COLUMNS.iter().position(|column| column.name == name);
            index.ok_or_else(|| format!("no column is called {name:?}"))
        };
        let mut rules = nearest.profile.rules;
        for (name, answer) in &stated.answers {
            let column = &COLUMNS[column(name)?];
            let index = column.answers.iter().position(|own| own.name == answer);
            let index = index.ok_or_else(|| format!("the column {name:?} has no answer {answer:?}"))?;
            rules = column.with(&rules, index);
        }
        let rewrite = |name: &String| Rewrite::by_name(name).ok_or_else(|| format!("no rewrite is called {name:?}"));
        let mut rewrites = nearest.profile.rewrites;
        for name in &stated.makes {
            rewrites = rewrites.with(rewrite(name)?);
        }
        for name in &stated.leaves {
            rewrites = rewrites.without(rewrite(name)?);
        }
        stated.unseen.iter().try_for_each(|name| rewrite(name).map(|_| ()))?;
        let undetermined = stated.undetermined.keys().map(|name| column(name)).collect::<Result<_, _>>()?;
        let exceptions = self.exceptions.iter().map(|it| ((it.base.clone(), it.reference.clone()), it.id.clone()));
        Ok(KnownProfile { profile: Profile { rules, rewrites }, undetermined, exceptions: exceptions.collect() })
    }

    /// The document that the engine is nearest to.
    ///
    /// # Errors
    ///
    /// A sentence, if there is no such document.
    pub fn nearest(&self) -> Result<Reading, String> {
        let id = &self.profile.nearest;
        Reading::by_id(id).ok_or_else(|| {
            let ids: Vec<_> = Reading::all().iter().map(|reading| reading.id).collect();
            format!("no document is called {id:?}: there are {}", ids.join(", "))
        })
    }

    /// What a fit and the suites say of `engine` now; reasons, kinds and issues are `old`'s where an entry is the same.
    pub fn observe(engine: &dyn Engine, fitted: &Fitted, suite: &Suite, old: Option<&Self>) -> Self {
        let column = |index: usize| COLUMNS[index].name.to_owned();
        let undetermined = fitted.undetermined.iter().map(|(column, _)| *column).collect();
        let known = KnownProfile { undetermined, ..KnownProfile::certain(fitted.profile) };
        let subject = Subject::new(fitted.nearest, Some(&known));
        let names = |wanted: fn(&Difference) -> Option<Rewrite>| {
            subject.differences().iter().filter_map(wanted).map(|rewrite| rewrite.name().to_owned()).collect()
        };
        let answers = subject.differences().iter().filter_map(|difference| match difference {
            Difference::Answer(change) => Some((change.column().name.to_owned(), change.to().name.to_owned())),
            _ => None,
        });
        let undetermined = fitted.undetermined.iter().map(|(index, answers)| {
            (column(*index), answers.iter().map(|answer| COLUMNS[*index].answers[*answer].name.to_owned()).collect())
        });
        let profile = Stated {
            nearest: fitted.nearest.id.to_owned(),
            answers: answers.collect(),
            undetermined: undetermined.collect(),
            makes: names(|it| if let Difference::Makes(rewrite) = it { Some(*rewrite) } else { None }),
            leaves: names(|it| if let Difference::Leaves(rewrite) = it { Some(*rewrite) } else { None }),
            unseen: fitted.unseen.iter().map(|rewrite| rewrite.name().to_owned()).collect(),
        };
        let observed = Observed::of(engine, &subject, suite);
        let elsewhere = Counts::of_wild(engine, &subject, WILD_MEASURED);
        let departures = subject.differences().iter().filter_map(|difference| {
            let id = difference.name();
            let old = old.and_then(|old| old.departures.iter().find(|entry| entry.id == id));
            let witness = observed.witness(&id, engine, &subject)?;
            let said = ask(engine, &witness.base, &witness.reference);
            let measured = elsewhere.of(&id) * 100_000 / WILD_MEASURED;
            Some(Departure {
                kind: old.map_or(Kind::Unclear, |old| old.kind),
                reason: old.map_or_else(|| default_reason(difference), |old| old.reason.clone()),
                since: old.map_or_else(|| engine.version().to_owned(), |old| old.since.clone()),
                issue: old.and_then(|old| old.issue.clone()),
                said: expected(&said),
                document: expected(&fitted.nearest.says(&witness.base, &witness.reference)),
                witness,
                vectors: observed.vectors.of(&id),
                short: observed.short.of(&id),
                elsewhere: (measured + measured / 2 + 20).min(100_000),
                id,
            })
        });
        let kept = old.map_or(&[][..], |old| &old.exceptions);
        let kept = kept.iter().filter(|it| it.said.is_met_by(&ask(engine, &it.base, &it.reference)));
        let mut exceptions: Vec<_> = kept.cloned().collect();
        for (base, reference, said) in &observed.missed {
            if !exceptions.iter().any(|it| it.base == *base && it.reference == *reference) {
                exceptions.push(Exception {
                    id: format!("pair-{}", exceptions.len() + 1),
                    kind: Kind::Unclear,
                    reason: "The profile predicts something else.".to_owned(),
                    since: engine.version().to_owned(),
                    issue: None,
                    base: base.clone(),
                    reference: reference.clone(),
                    said: expected(said),
                });
            }
        }
        Self {
            engine: engine.name().to_owned(),
            version: engine.version().to_owned(),
            profile,
            departures: departures.collect(),
            exceptions,
        }
    }

    /// Compares what is known with what `engine` does now, on the fixed suites and on `wild` pairs by chance.
    ///
    /// # Errors
    ///
    /// A sentence, if the profile names what there is not.
    pub fn check(&self, engine: &dyn Engine, suite: &Suite, wild: u64) -> Result<Checked, String> {
        let known = self.known_profile()?;
        let subject = Subject::new(self.nearest()?, Some(&known));
        let observed = Observed::of(engine, &subject, suite);
        let elsewhere = Counts::of_wild(engine, &subject, wild);
        let mut findings = Vec::new();
        if engine.version() != self.version {
            findings.push(Finding::Changed {
                id: "version".to_owned(),
                was: self.version.clone(),
                is: engine.version().to_owned(),
            });
        }
        for (base, reference, said) in &observed.missed {
            let listed = self.exceptions.iter().any(|it| it.base == *base && it.reference == *reference);
            if !listed {
                let predicted = known.profile.predict(base, reference);
                let pair = Pair { base: base.clone(), reference: reference.clone() };
                findings.push(Finding::New { pair, said: said.clone(), predicted });
            }
        }
        for difference in subject.differences() {
            let id = difference.name();
            if !self.departures.iter().any(|entry| entry.id == id) {
                findings.push(Finding::Missing { id });
            }
        }
        for entry in &self.departures {
            let counts = [observed.vectors.of(&entry.id), observed.short.of(&entry.id), elsewhere.of(&entry.id)];
            findings.extend(self.check_departure(entry, engine, &subject, counts, wild));
        }
        for it in &self.exceptions {
            let said = ask(engine, &it.base, &it.reference);
            if known.profile.predicts(&it.base, &it.reference, &said) {
                findings.push(Finding::Vanished { id: it.id.clone(), pair: it.pair() });
            } else if !it.said.is_met_by(&said) {
                findings.push(Finding::changed(&it.id, &it.said, &said));
            }
        }
        findings.sort_by_key(Finding::rank);
        Ok(Checked { cases: observed.cases, wild, differing: observed.differing, findings })
    }

    fn check_departure(
        &self,
        entry: &Departure,
        engine: &dyn Engine,
        subject: &Subject,
        counts: [u64; 3],
        wild: u64,
    ) -> Vec<Finding> {
        let id = || entry.id.clone();
        if !subject.differences().iter().any(|difference| difference.name() == entry.id) {
            return vec![Finding::Unmatched { id: id() }];
        }
        let Pair { base, reference } = &entry.witness;
        let said = ask(engine, base, reference);
        if !entry.said.is_met_by(&said) {
            let agrees = entry.document.is_met_by(&said);
            return vec![match agrees {
                true => Finding::Vanished { id: id(), pair: entry.witness.clone() },
                false => Finding::changed(&entry.id, &entry.said, &said),
            }];
        }
        let names = |it: &Difference| it.name() == entry.id;
        let shows =
            subject.attribute(base, reference, &said).is_some_and(|it| it.cause.differences().iter().any(names));
        if !shows {
            return vec![Finding::Vanished { id: id(), pair: entry.witness.clone() }];
        }
        let mut findings = Vec::new();
        for (name, was, is) in [("vectors", entry.vectors, counts[0]), ("short", entry.short, counts[1])] {
            if was != is {
                findings.push(Finding::Changed {
                    id: id(),
                    was: format!("{was} of the suite {name}"),
                    is: is.to_string(),
                });
            }
        }
        // Three standard deviations above what the bound allows on average, so that chance alone fails no check.
        let allowed = entry.elsewhere as f64 * wild as f64 / 100_000.0;
        if counts[2] as f64 > allowed + 3.0 * allowed.sqrt() + 3.0 {
            findings.push(Finding::Changed {
                id: id(),
                was: format!("at most {} of 100,000 wild pairs", entry.elsewhere),
                is: format!("{} of {wild}", counts[2]),
            });
        }
        findings
    }

    /// The file in its canonical form: keys in order, every string in double quotes.
    pub fn canonical(&self) -> String {
        let mut out = String::new();
        let list = |names: &[String]| names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ");
        let _ = writeln!(out, "engine: {}\nversion: {}\nprofile:", quoted(&self.engine), quoted(&self.version));
        let stated = &self.profile;
        let _ = writeln!(out, "  nearest: {}", quoted(&stated.nearest));
        let answers: Vec<_> = stated.answers.iter().map(|(name, it)| format!("{name}: {}", quoted(it))).collect();
        let _ = writeln!(out, "  answers: {{{}}}", answers.join(", "));
        if stated.undetermined.is_empty() {
            out.push_str("  undetermined: {}\n");
        } else {
            out.push_str("  undetermined:\n");
        }
        for (name, answers) in &stated.undetermined {
            let _ = writeln!(out, "    {name}: [{}]", list(answers));
        }
        for (key, names) in [("makes", &stated.makes), ("leaves", &stated.leaves), ("unseen", &stated.unseen)] {
            let _ = writeln!(out, "  {key}: [{}]", list(names));
        }
        let entries = |empty: bool, key: &str| if empty { format!("{key}: []\n") } else { format!("{key}:\n") };
        out.push_str(&entries(self.departures.is_empty(), "departures"));
        let head = |id: &str, kind: Kind, reason: &str, since: &str, issue: &Option<String>, out: &mut String| {
            let _ = writeln!(out, "  - id: {}\n    kind: {}", quoted(id), quoted(kind.name()));
            let _ = writeln!(out, "    reason: {}\n    since: {}", quoted(reason), quoted(since));
            if let Some(issue) = issue {
                let _ = writeln!(out, "    issue: {}", quoted(issue));
            }
        };
        for it in &self.departures {
            head(&it.id, it.kind, &it.reason, &it.since, &it.issue, &mut out);
            let Pair { base, reference } = &it.witness;
            let _ = writeln!(out, "    witness: {{base: {}, reference: {}}}", quoted(base), quoted(reference));
            let _ = writeln!(out, "    said: {}\n    document: {}", it.said.canonical(), it.document.canonical());
            let _ =
                writeln!(out, "    vectors: {}\n    short: {}\n    elsewhere: {}", it.vectors, it.short, it.elsewhere);
        }
        out.push_str(&entries(self.exceptions.is_empty(), "exceptions"));
        for it in &self.exceptions {
            head(&it.id, it.kind, &it.reason, &it.since, &it.issue, &mut out);
            let _ = writeln!(out, "    base: {}\n    reference: {}", quoted(&it.base), quoted(&it.reference));
            let _ = writeln!(out, "    said: {}", it.said.canonical());
        }
        out
    }
}

impl Exception {
    fn pair(&self) -> Pair {
        Pair { base: self.base.clone(), reference: self.reference.clone() }
    }
}

/// What an engine did, as a file states it.
fn expected(outcome: &Outcome) -> Expected {
    match outcome {
        Outcome::Url(url) => Expected::Url { url: url.clone(), same_document: None },
        _ => Expected::Refused,
    }
}

fn default_reason(difference: &Difference) -> String {
    match difference {
        Difference::Answer(change) => format!("{}.", change.to().note()),
        Difference::Makes(rewrite) => format!("{}.", rewrite.note()),
        Difference::Leaves(rewrite) => format!("It does not do this: {}.", rewrite.note()),
    }
}

/// How many wild pairs a bound is measured on.
const WILD_MEASURED: u64 = 100_000;

/// On how many pairs each difference is part of the reason.
#[derive(Clone, Debug, Default)]
struct Counts(BTreeMap<String, (u64, Pair)>);

impl Counts {
    fn of(&self, id: &str) -> u64 {
        self.0.get(id).map_or(0, |(count, _)| *count)
    }

    fn add(&mut self, differences: &[Difference], base: &str, reference: &str) {
        for difference in differences {
            let pair = || Pair { base: base.to_owned(), reference: reference.to_owned() };
            let (count, smallest) = self.0.entry(difference.name()).or_insert_with(|| (0, pair()));
            *count += 1;
            let rank = (base.len() + reference.len(), base, reference);
            if rank < (smallest.base.len() + smallest.reference.len(), &smallest.base, &smallest.reference) {
                *smallest = pair();
            }
        }
    }

    fn of_wild(engine: &dyn Engine, subject: &Subject, pairs: u64) -> Self {
        let mut counts = Self::default();
        let mut wild = Wild::new(WILD_SEED);
        for _ in 0..pairs {
            let (base, reference) = wild.pair();
            let said = ask(engine, &base, &reference);
            if let Some(found) = subject.attribute(&base, &reference, &said).filter(|found| !found.outside) {
                counts.add(found.cause.differences(), &base, &reference);
            }
        }
        counts
    }
}

/// What an engine does on the fixed suites, beside the document it is nearest to.
#[derive(Default)]
struct Observed {
    cases: u64,
    differing: u64,
    vectors: Counts,
    short: Counts,
    /// What its profile does not predict: base, reference, and what it did.
    missed: Vec<(String, String, Outcome)>,
}

impl Observed {
    fn of(engine: &dyn Engine, subject: &Subject, suite: &Suite) -> Self {
        let mut observed = Self::default();
        for (file, vector) in suite.vectors() {
            if let Some(reference) = &vector.reference {
                observed.add(engine, subject, file.base_of(vector), reference, |it| &mut it.vectors);
            }
        }
        let alphabet: Vec<char> = ALPHABET.chars().collect();
        let mut reference = String::new();
        for number in 0..generate::count(alphabet.len(), SHORT_LENGTH).unwrap_or_default() {
            generate::nth(&alphabet, number, &mut reference);
            for base in BASES {
                observed.add(engine, subject, base, &reference, |it| &mut it.short);
            }
        }
        observed
    }

    fn add(
        &mut self,
        engine: &dyn Engine,
        subject: &Subject,
        base: &str,
        reference: &str,
        counts: fn(&mut Self) -> &mut Counts,
    ) {
        self.cases += 1;
        let said = ask(engine, base, reference);
        let Some(found) = subject.attribute(base, reference, &said) else { return };
        self.differing += 1;
        if found.cause.is_explained() && !found.outside {
            counts(self).add(found.cause.differences(), base, reference);
        } else if !self.missed.iter().any(|(own, other, _)| own == base && other == reference) {
            self.missed.push((base.to_owned(), reference.to_owned(), said));
        }
    }

    /// The smallest pair of the suites that shows `id`, else the rewrite's own witness if it does.
    fn witness(&self, id: &str, engine: &dyn Engine, subject: &Subject) -> Option<Pair> {
        let found = [&self.vectors, &self.short].into_iter().find_map(|counts| counts.0.get(id));
        if let Some((_, pair)) = found {
            return Some(pair.clone());
        }
        let rewrite = Rewrite::by_name(id.strip_prefix("no ").unwrap_or(id))?;
        let (base, reference) = rewrite.witness();
        let found = subject.attribute(base, reference, &ask(engine, base, reference))?;
        let shows = found.cause.differences().iter().any(|it| it.name() == id);
        shows.then(|| Pair { base: base.to_owned(), reference: reference.to_owned() })
    }
}

/// What a check found.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// The engine said what its profile does not predict and no entry lists.
    New {
        /// Of what.
        pair: Pair,
        /// What it said.
        said: Outcome,
        /// What its profile predicts.
        predicted: Outcome,
    },
    /// A divergence that is listed is there no more.
    Vanished {
        /// The entry.
        id: String,
        /// Its witness.
        pair: Pair,
    },
    /// It is there, but not as it is listed.
    Changed {
        /// The entry.
        id: String,
        /// What is listed.
        was: String,
        /// What is there.
        is: String,
    },
    /// An entry that is none of the profile's departures.
    Unmatched {
        /// The entry.
        id: String,
    },
    /// A departure of the profile without an entry.
    Missing {
        /// The departure.
        id: String,
    },
}

impl Finding {
    /// Whether it is news, and not stale bookkeeping.
    pub fn is_new(&self) -> bool {
        matches!(self, Self::New { .. })
    }

    fn rank(&self) -> u8 {
        match self {
            Self::New { .. } => 0,
            Self::Vanished { .. } => 1,
            Self::Changed { .. } => 2,
            Self::Unmatched { .. } => 3,
            Self::Missing { .. } => 4,
        }
    }

    fn changed(id: &str, was: &Expected, is: &Outcome) -> Self {
        Self::Changed { id: id.to_owned(), was: was.canonical(), is: expected(is).canonical() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pair = |pair: &Pair| format!("{} on {}", quoted(&pair.reference), quoted(&pair.base));
        match self {
            Self::New { pair: it, said, predicted } => {
                let [said, predicted] = [said, predicted].map(|outcome| expected(outcome).canonical());
                write!(f, "new: {}: said {said}, predicted {predicted}", pair(it))
            }
            Self::Vanished { id, pair: it } => write!(f, "vanished: {id}: no longer shown by {}", pair(it)),
            Self::Changed { id, was, is } => write!(f, "changed: {id}: listed {was}, found {is}"),
            Self::Unmatched { id } => write!(f, "unmatched: {id}: the profile has no such departure"),
            Self::Missing { id } => write!(f, "missing: {id}: a departure of the profile without an entry"),
        }
    }
}

/// The outcome of a check.
#[derive(Clone, Debug, Serialize)]
pub struct Checked {
    /// Pairs of the fixed suites.
    pub cases: u64,
    /// Pairs by chance.
    pub wild: u64,
    /// Pairs of the fixed suites in which the engine differs from the document it is nearest to.
    pub differing: u64,
    /// What is not as it is listed: news first.
    pub findings: Vec<Finding>,
}
