//! The point at which two runs part, and the steps that wrote what differs.

use std::collections::BTreeSet;
use std::fmt;

use urlstrata::StepText;
use urlstrata::revision::whatwg::Implementation;
use urlstrata::revision::{Revision, whatwg};
use urlstrata::slots::{Exchange, Part, Rejected, Slot, Slots, Value, Write};

use crate::state::{Run, alike, fill};
use crate::table::{Change, Question, Table};
use crate::text;

/// An algorithm and a pair, which can be run again with other values in its slots.
pub trait Runner {
    /// Runs the algorithm. Histories are recorded, and `exchanges` replace values that are written.
    fn run(&self, exchanges: &[Exchange]) -> Run;
}

/// A slot in which two runs differ, and why.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Link {
    /// The slot.
    pub slot: Slot,
    /// Its value on both sides.
    pub values: [Value; 2],
    /// The steps that wrote it on both sides, after the values that both had. Empty for a side that leaves the value as it is.
    pub steps: [Vec<StepText>; 2],
    /// For a side that leaves the value as it is, the step that passed or returned it, or wrote it before.
    pub left_by: [Option<StepText>; 2],
    /// Why a side rejects the value, if it does.
    pub rejected: [Option<String>; 2],
    /// Whether the same text is divided otherwise, so that the parts after this one differ, too.
    pub is_division: bool,
    /// Whether the values are those of runs in which the slots of the links before this one were made equal.
    pub follows: bool,
    /// The change of the URL Standard that one side has and the other does not, if both run its steps and this change alone gives one side
    /// the other's value: the short hash of its commit.
    pub change: Option<&'static str>,
}

impl fmt::Display for Link {
    /// Writes the slot and both values: ``the reference's authority: empty | `g` ``.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} | {}", self.slot, self.side(0), self.side(1))
    }
}

impl Link {
    /// Returns what a side has in the slot, for sentences.
    pub fn side(&self, side: usize) -> String {
        let value = match &self.values[side] {
            Value::Unread => "not read".to_owned(),
            Value::Absent => "none".to_owned(),
            Value::Text(text) if self.slot == Slot::Used => text.clone(),
            Value::Text(text) if text.is_empty() => "empty".to_owned(),
            Value::Text(text) => format!("`{text}`"),
        };
        match &self.rejected[side] {
            Some(why) if self.values[side] == Value::Unread => format!("rejected: {why}"),
            Some(why) => format!("{value}, rejected: {why}"),
            None => value,
        }
    }
}

/// Returns the links of the chain that leads from one result to the other: the first slot in which two runs differ and that matters to the results, then,
/// with this slot made equal, the next one, until the results agree. Empty if they agree. Two rejections agree.
pub fn chain(sides: [&dyn Runner; 2]) -> Vec<Link> {
    Chain {
        sides,
        exchanges: [Vec::new(), Vec::new()],
        runs: sides.map(|side| side.run(&[])),
        explained: BTreeSet::new(),
        done: BTreeSet::new(),
        links: Vec::new(),
    }
    .all()
}

struct Chain<'a> {
    sides: [&'a dyn Runner; 2],
    /// What was exchanged to come to `runs`.
    exchanges: [Vec<Exchange>; 2],
    runs: [Run; 2],
    /// The components of the target whose difference has a link that cannot be exchanged.
    explained: BTreeSet<Part>,
    done: BTreeSet<Slot>,
    links: Vec<Link>,
}

/// What a run returns if the value of a slot is exchanged.
struct Trial {
    exchanges: Vec<Exchange>,
    run: Run,
    /// Whether the result is another one.
    matters: bool,
    /// How many components of the target agree with the other side's.
    agreeing: usize,
}

impl Chain<'_> {
    fn all(mut self) -> Vec<Link> {
        while !self.agrees() && self.links.len() < Slot::COUNT {
            let before = self.links.len();
            match (&self.runs[0].outcome, &self.runs[1].outcome) {
                (Err(_), Ok(_)) => return self.rejection(0),
                (Ok(_), Err(_)) => return self.rejection(1),
                _ => self.difference(),
            }
            if self.links.len() == before {
                // What remains is how the target is put together.
                let link = self.link(Slot::Result, false);
                self.links.push(link);
                break;
            }
        }
        self.links
    }

    fn agrees(&self) -> bool {
        match self.runs.each_ref().map(Run::parts) {
            [None, None] => true,
            [Some(left), Some(right)] => {
                both(&left, &right).all(|(part, left, right)| left == right || self.explained.contains(&part))
            }
            _ => false,
        }
    }

    /// Returns the slots in which both runs have a value and the values differ, in their order.
    fn differing(&self) -> Vec<Slot> {
        let [left, right] = &self.runs;
        let differs = |slot: &Slot| {
            let (left, right) = (left.slots.value(*slot), right.slots.value(*slot));
            let are_read = *left != Value::Unread && *right != Value::Unread;
            if let (Slot::Out(part), true) = (slot, self.runs.iter().all(|run| run.is_statement)) {
                let [left, right] = [left, right].map(|value| alike(*part, value.text().unwrap_or_default()));
                return are_read && left != right;
            }
            // Parameters that are not cut off are part of the path on that side.
            let is_cut = matches!(slot.part(), Some(Part::Params)) && (left.text().is_some() || right.text().is_some());
            left != right && (is_cut || are_read)
        };
        let is_open = |slot: &Slot| {
            let is_explained = matches!(slot, Slot::Out(part) if self.explained.contains(part));
            *slot != Slot::Result && !is_explained && !self.done.contains(slot)
        };
        Slot::all().filter(is_open).filter(differs).collect()
    }

    /// Explains that one side rejects: by an earlier difference without which it would not, or else by the step that rejects.
    fn rejection(mut self, side: usize) -> Vec<Link> {
        let Err(rejected) = self.runs[side].outcome.clone() else { return self.links };
        for slot in self.differing().into_iter().filter(|slot| *slot <= rejected.slot && *slot != Slot::Used) {
            let is_division = is_division(&self.runs, slot);
            let trial = self.trial(side, slot, is_division);
            if trial.run.outcome.is_ok() && slot != rejected.slot {
                let link = self.link(slot, is_division);
                self.links.push(link);
                return self.links;
            }
        }
        let mut link = self.link(rejected.slot, false);
        link.steps[side] = vec![self.runs[side].text_of(rejected.step)];
        link.left_by[side] = None;
        link.rejected[side] = Some(rejected.why);
        self.links.push(link);
        self.links
    }

    /// Adds the first difference that matters, and makes its slot equal on one side.
    fn difference(&mut self) {
        for slot in self.differing() {
            if slot == Slot::Used {
                let link = self.link(slot, false);
                self.done.insert(slot);
                let [left, right] = link.values.each_ref().map(words);
                let part = |word: &&str| Part::ALL.into_iter().find(|part| part.name() == *word).unwrap_or(Part::Path);
                let parts: BTreeSet<Part> = left.symmetric_difference(&right).map(part).collect();
                // What one side takes from the base, and the other has from elsewhere, does not matter if it is the same.
                let written = self.runs.each_ref().map(|run| run.parts().unwrap_or_default());
                let differs = |part: &Part| {
                    let [left, right] = written.each_ref().map(|parts| parts.iter().find(|(own, _)| own == part));
                    left != right
                };
                if !parts.iter().any(differs) {
                    continue;
                }
                self.explained.extend(parts);
                self.links.push(link);
                return;
            }
            let is_division = is_division(&self.runs, slot);
            let trials = [0, 1].map(|side| self.trial(side, slot, is_division));
            let now = agreeing(&self.runs[0], &self.runs[1]);
            let own = [0, 1].map(|side| !self.own_writes(slot)[side].is_empty());
            let matters = match own {
                [true, false] => trials[0].matters,
                [false, true] => trials[1].matters,
                _ => trials[0].matters && trials[1].matters,
            };
            let closer = trials.iter().any(|trial| trial.agreeing > now);
            if !matters && !closer {
                continue;
            }
            let link = self.link(slot, is_division);
            self.links.push(link);
            self.done.insert(slot);
            if is_division {
                self.done.extend(following(slot));
            }
            // On the side that comes nearest to the other; one that returns its text unread does not move.
            let side = usize::from(trials[1].agreeing > trials[0].agreeing || !trials[0].matters);
            let [first, second] = trials;
            let trial = if side == 0 { first } else { second };
            self.exchanges[side] = trial.exchanges;
            self.runs[side] = trial.run;
            return;
        }
    }

    /// Runs a side again with the other side's value in a slot, and, if the same text is divided otherwise, with its values in the following
    /// components.
    fn trial(&self, side: usize, slot: Slot, is_division: bool) -> Trial {
        let (own, other) = (&self.runs[side], &self.runs[1 - side]);
        let mut exchanges = self.exchanges[side].clone();
        let mut exchange = |slot: Slot| {
            let after = own.slots.writes(slot).max(1);
            exchanges.push(Exchange { slot, after, value: other.slots.value(slot).clone() });
        };
        exchange(slot);
        if is_division {
            following(slot).into_iter().filter(|slot| *other.slots.value(*slot) != Value::Unread).for_each(exchange);
        }
        let run = self.sides[side].run(&exchanges);
        let matters = run.url() != own.url() || run.is_statement && run.parts() != own.parts();
        let agreeing = agreeing(&run, other);
        Trial { exchanges, run, matters, agreeing }
    }

    /// Returns what each side wrote to a slot after the last value that both had.
    fn own_writes(&self, slot: Slot) -> [&[Write]; 2] {
        let [left, right] = self.runs.each_ref().map(|run| run.slots.history(slot));
        let mut after = (0, 0);
        for (at, write) in left.iter().enumerate() {
            if let Some(other) = right.iter().rposition(|other| other.value == write.value)
                && at + other + 2 > after.0 + after.1
            {
                after = (at + 1, other + 1);
            }
        }
        [&left[after.0..], &right[after.1..]]
    }

    fn link(&self, slot: Slot, is_division: bool) -> Link {
        let writes = self.own_writes(slot);
        let steps = [0, 1].map(|side| {
            let mut steps: Vec<StepText> = Vec::new();
            for label in writes[side].iter().flat_map(|write| &write.steps) {
                let step = self.runs[side].text_of(label);
                if !steps.contains(&step) {
                    steps.push(step);
                }
            }
            steps
        });
        let left_by = [0, 1].map(|side| match &self.runs[side] {
            _ if !steps[side].is_empty() => None,
            run if run.has_returned && slot > Slot::Ref(Part::Fragment) => Some(run.ended),
            // Parameters that are not cut off are part of the path.
            run if *run.slots.value(slot) == Value::Unread => match slot {
                Slot::Base(Part::Params) => run.slots.left_by(Slot::Base(Part::Path)),
                Slot::Ref(Part::Params) => run.slots.left_by(Slot::Ref(Part::Path)),
                _ => Some(run.ended),
            },
            run => run.slots.left_by(slot),
        });
        let left_by = [0, 1].map(|side| {
            let label = left_by[side].filter(|label| !label.is_empty())?;
            Some(self.runs[side].text_of(label))
        });
        let values = self.runs.each_ref().map(|run| run.slots.value(slot).clone());
        let follows = self.exchanges.iter().any(|exchanges| !exchanges.is_empty());
        Link { slot, values, steps, left_by, rejected: [None, None], is_division, follows, change: None }
    }
}

/// Returns the parts that [`Slot::Used`] names.
pub fn words(value: &Value) -> BTreeSet<&str> {
    value.text().unwrap_or_default().split(", ").filter(|word| !word.is_empty() && *word != "nothing").collect()
}

/// Returns the components after that of `slot` on the same side; none for other slots.
fn following(slot: Slot) -> Vec<Slot> {
    let (part, of): (Part, fn(Part) -> Slot) = match slot {
        Slot::Base(part) => (part, Slot::Base),
        Slot::Ref(part) => (part, Slot::Ref),
        _ => return Vec::new(),
    };
    if part == Part::Text {
        return Vec::new();
    }
    Part::ALL.into_iter().filter(|other| *other > part).map(of).collect()
}

/// Returns whether two runs divide the same text otherwise, from `slot` on.
fn is_division([left, right]: &[Run; 2], slot: Slot) -> bool {
    let Some(part) = slot.part().filter(|part| Part::COMPONENTS.contains(part)) else { return false };
    let of: fn(Part) -> Slot = match slot {
        Slot::Base(_) => Slot::Base,
        Slot::Ref(_) => Slot::Ref,
        _ => return false,
    };
    let text = |run: &Run| {
        // The first value is the piece as it was cut.
        let cut = |part: Part| match run.slots.history(of(part)).first() {
            _ if part < Part::COMPONENTS[0] => None,
            Some(write) => write.value.text().map(str::to_owned),
            None => run.slots.text(of(part)).map(str::to_owned),
        };
        let cuts = Part::COMPONENTS.map(|own| if own < part { None } else { cut(own) });
        // The number of slashes between them is part of the division.
        text::concatenated(cuts.each_ref().map(Option::as_deref)).replace('/', "")
    };
    let differs_as_cut = {
        let first = |run: &Run| run.slots.history(slot).first().map(|write| write.value.clone());
        first(left) != first(right)
    };
    let following_differ = following(slot).into_iter().any(|slot| left.slots.value(slot) != right.slots.value(slot));
    differs_as_cut && following_differ && text(left) == text(right)
}

/// Returns the parts that both have, with their values.
fn both<'a>(
    left: &'a [(Part, Option<String>)],
    right: &'a [(Part, Option<String>)],
) -> impl Iterator<Item = (Part, &'a Option<String>, &'a Option<String>)> {
    left.iter().filter_map(|(part, own)| {
        let (_, other) = right.iter().find(|(other, _)| other == part)?;
        Some((*part, own, other))
    })
}

/// Returns the number of parts in which two runs agree.
fn agreeing(left: &Run, right: &Run) -> usize {
    match (left.parts(), right.parts()) {
        (Some(left), Some(right)) => {
            let (equal, all) = both(&left, &right)
                .fold((0, 0), |(equal, all), (_, left, right)| (equal + usize::from(left == right), all + 1));
            equal + usize::from(equal == all)
        }
        (None, None) => Part::ALL.len(),
        _ => 0,
    }
}

/// A version of an engine and a pair.
pub struct EngineRun<'a> {
    /// The table.
    pub table: &'static Table,
    /// The question.
    pub question: Question,
    /// The changes of the version.
    pub changes: &'a [&'static Change],
    /// The base and the reference.
    pub pair: (&'a str, &'a str),
}

impl Runner for EngineRun<'_> {
    fn run(&self, exchanges: &[Exchange]) -> Run {
        let run = self.table.record(self.question, self.changes, self.pair, exchanges);
        run.unwrap_or_else(|| Run::unanswered("the table does not answer the question"))
    }
}

/// A specification and a pair.
pub struct RevisionRun<'a> {
    /// The specification.
    pub revision: &'static Revision,
    /// The base and the reference.
    pub pair: (&'a str, &'a str),
}

impl Runner for RevisionRun<'_> {
    fn run(&self, exchanges: &[Exchange]) -> Run {
        let (base, reference) = self.pair;
        let (resolution, slots) = self.revision.resolve_slots(base, reference, Slots::recording(exchanges.to_vec()));
        let Some(mut slots) = slots else { return Run::unanswered("the specification does not write slots") };
        let ended = slots.step();
        let outcome = match resolution {
            Ok(target) => {
                fill(&mut slots, Some(&target.url), false, whatwg::changes_of(self.revision).is_some());
                Ok(target.url)
            }
            Err(rejection) => Err(slots.rejected().cloned().unwrap_or_else(|| Rejected {
                slot: Slot::Result,
                step: ended,
                why: rejection.reason().to_owned(),
            })),
        };
        let standard = whatwg::changes_of(self.revision).map(Implementation::new);
        let steps = match standard {
            Some(_) => Vec::new(),
            None => [self.revision.resolve_steps(), self.revision.parse_steps()].concat(),
        };
        Run { slots, outcome, ended, has_returned: false, steps, standard, is_statement: false }
    }
}

/// What an engine without steps returned for a pair: the given texts and the components of the result are its only slots.
pub struct Observation<'a> {
    /// The base and the reference.
    pub pair: (&'a str, &'a str),
    /// The result, or why the engine rejects the pair.
    pub returned: Result<&'a str, &'a str>,
}

impl Observation<'_> {
    /// What is named instead of a step.
    const STEP: StepText = StepText { label: "observed", text: "by which step is not known" };
}

impl Runner for Observation<'_> {
    fn run(&self, exchanges: &[Exchange]) -> Run {
        let mut slots = Slots::recording(exchanges.to_vec());
        slots.given(self.pair.0, self.pair.1);
        slots.begin(Self::STEP.label);
        let outcome = match self.returned {
            Ok(url) => {
                let parts = Part::COMPONENTS.into_iter().zip(text::components(url));
                let written = parts.map(|(part, value)| slots.set(Slot::Out(part), value).text().map(str::to_owned));
                let written: Vec<Option<String>> = written.collect();
                let url = text::concatenated(std::array::from_fn(|at| written[at].as_deref()));
                slots.set(Slot::Result, url.as_str());
                Ok(url)
            }
            Err(why) => Err(Rejected { slot: Slot::Result, step: Self::STEP.label, why: why.to_owned() }),
        };
        Run {
            slots,
            outcome,
            ended: Self::STEP.label,
            has_returned: false,
            steps: vec![Self::STEP],
            standard: None,
            is_statement: false,
        }
    }
}
