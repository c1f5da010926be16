//! The point at which two runs part, and the steps that wrote what differs.

use std::cell::OnceCell;
use std::cmp::Reverse;
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
    /// The parameters that a side cuts off, if the slot is a path that contains them.
    pub params: [Option<String>; 2],
    /// The steps that wrote it on both sides, after the values that both had. Empty for a side that leaves the value as it is.
    pub steps: [Vec<StepText>; 2],
    /// For a side that leaves the value as it is, the step that passed or returned it, or wrote it before.
    pub left_by: [Option<StepText>; 2],
    /// For a side that does not read the slot, the component that contains what the slot is.
    pub part_of: [Option<Part>; 2],
    /// For a text that no step changes, the first step that reads it.
    pub read_by: [Option<StepText>; 2],
    /// Whether the step that left the value as it is did not write it.
    pub is_kept: [bool; 2],
    /// Why a side rejects the value, if it does.
    pub rejected: [Option<String>; 2],
    /// Whether the same text is divided otherwise, so that the parts after this one differ, too.
    pub is_division: bool,
    /// Whether the values are those of runs in which the slots of the links before this one were made equal.
    pub follows: bool,
    /// Whether a side has another value, or rejects nothing, unless the slots of the links before this one are made equal.
    pub would: [bool; 2],
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
    /// Returns the link with its sides exchanged.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.values.reverse();
        self.params.reverse();
        self.steps.reverse();
        self.left_by.reverse();
        self.part_of.reverse();
        self.read_by.reverse();
        self.is_kept.reverse();
        self.rejected.reverse();
        self.would.reverse();
        self
    }

    /// Returns what a side has in the slot, for sentences.
    pub fn side(&self, side: usize) -> String {
        let value = match &self.values[side] {
            Value::Unread => "not read".to_owned(),
            Value::Absent => "none".to_owned(),
            Value::Text(text) if self.slot == Slot::Used => text.clone(),
            Value::Text(text) if text.is_empty() => "empty".to_owned(),
            Value::Text(text) => match self.params[side].as_deref().map(|params| (text.strip_suffix(params), params)) {
                Some((Some(path), params)) => {
                    format!("`{}` with the parameters `{params}`", path.trim_end_matches(';'))
                }
                _ => format!("`{text}`"),
            },
        };
        let would = if self.would[side] { "would be " } else { "" };
        match &self.rejected[side] {
            Some(why) if self.values[side] == Value::Unread => format!("{would}rejected: {why}"),
            Some(why) => format!("{would}{value}, rejected: {why}"),
            None => format!("{would}{value}"),
        }
    }
}

/// What is named where the links before do not explain that the targets differ.
pub const UNKNOWN: StepText = StepText { label: "not known", text: "by which step is not known" };

/// Returns the links of the chain that leads from one result to the other: the first slot in which two runs differ and that matters to the results, then,
/// with this slot made equal, the next one, until the results agree. Empty if they agree. Two rejections agree.
pub fn chain(sides: [&dyn Runner; 2]) -> Vec<Link> {
    Chain {
        sides,
        exchanges: [Vec::new(), Vec::new()],
        natural: OnceCell::new(),
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
    /// The runs without exchanges, once they are needed again.
    natural: OnceCell<[Run; 2]>,
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
    /// Whether a component of the target changes in which the results differ, or the result where no component differs.
    matters: bool,
    /// Whether no other component than that of the slot gets a value that neither side has. Otherwise nothing does what this run does.
    is_real: bool,
    /// How far the target is from the other side's: see [`distance`].
    distance: usize,
    /// The first component in which it differs from the other side's.
    first: Option<Part>,
}

impl Trial {
    /// Returns the key by which the better one of two trials is the lesser: one that matters, then the nearer one, and then the one that
    /// first differs in a later component.
    fn rank(&self) -> impl Ord + use<> {
        (!self.matters, self.distance, Reverse(self.first))
    }
}

impl Chain<'_> {
    fn all(mut self) -> Vec<Link> {
        while !self.agrees() && self.links.len() < Slot::COUNT {
            let before = self.links.len();
            match (&self.runs[0].outcome, &self.runs[1].outcome) {
                (Err(_), Ok(_)) => return self.rejection(0),
                (Ok(_), Err(_)) => return self.rejection(1),
                _ => self.difference(true),
            }
            if self.links.len() == before && self.runs.iter().all(|run| run.outcome.is_ok()) {
                self.difference(false);
            }
            if self.links.len() == before {
                // What remains is how the target is put together. Two steps that only do this are not why the targets differ.
                let mut link = self.link(Slot::Result, false);
                if self.runs.iter().all(Run::is_put_together) {
                    link.steps = [vec![UNKNOWN], vec![UNKNOWN]];
                    link.left_by = [None, None];
                }
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
            if let (Slot::Out(part), true) = (slot, self.runs.iter().all(|run| !run.question.has_target())) {
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
        // A host with its port is not the same component as one without.
        let is_comparable = |slot: &Slot| {
            let port = match slot {
                Slot::Base(Part::Host) => Slot::Base(Part::Port),
                Slot::Ref(Part::Host) => Slot::Ref(Part::Port),
                _ => return true,
            };
            (*left.slots.value(port) == Value::Unread) == (*right.slots.value(port) == Value::Unread)
        };
        Slot::all().filter(is_open).filter(is_comparable).filter(differs).collect()
    }

    /// Explains that one side rejects: by an earlier difference without which it would not, or else by the step that rejects.
    fn rejection(mut self, side: usize) -> Vec<Link> {
        let Err(rejected) = self.runs[side].outcome.clone() else { return self.links };
        // An unknown base is rejected because of what the reference is read as.
        let is_unknown = self.runs[side].slots.text(Slot::Base(Part::Text)).is_none_or(str::is_empty);
        let last = match rejected.slot {
            Slot::Base(_) if is_unknown => Slot::Ref(Part::Scheme),
            slot => slot,
        };
        for slot in self.differing().into_iter().filter(|slot| *slot <= last && *slot != Slot::Used) {
            let is_division = is_division(&self.runs, slot);
            if lowered(&self.runs, slot).is_some_and(|lowered| lowered != side) {
                continue;
            }
            let trial = self.trial(side, slot, is_division);
            if trial.run.outcome.is_ok() && slot != rejected.slot {
                return self.ending_with((slot, is_division), side, rejected);
            }
        }
        // Some algorithms do not go on without a scheme where another one reads one.
        let has_scheme = |run: &Run| run.slots.text(Slot::Ref(Part::Scheme)).is_some();
        if is_unknown && last != rejected.slot && !has_scheme(&self.runs[side]) && has_scheme(&self.runs[1 - side]) {
            return self.ending_with((last, false), side, rejected);
        }
        // The rejected text is another one on the other side.
        let is_read = |slot: &Slot| self.runs.iter().all(|run| *run.slots.value(*slot) != Value::Unread);
        let divided = Some(rejected.slot).filter(|slot| is_read(slot) && is_division(&self.runs, *slot));
        let cut = |run: &Run| run.slots.history(rejected.slot).first().map(|write| write.value.clone());
        let is_cut_otherwise = cut(&self.runs[0]) != cut(&self.runs[1]);
        // A component that both sides cut alike is rejected however the text before it is divided.
        let divided_before = self.divided_before(rejected.slot).filter(|_| is_cut_otherwise);
        if let Some(slot) = divided_before.or(divided) {
            return self.ending_with((slot, true), side, rejected);
        }
        // A part of the authority that the other side cuts otherwise: the steps that cut it are causes, too.
        let is_part = rejected.slot.part().is_some_and(|part| part != Part::Authority && is_of_authority(part));
        if is_part && is_read(&rejected.slot) && is_cut_otherwise {
            return self.ending_with((rejected.slot, false), side, rejected);
        }
        let mut link = self.link(rejected.slot, false);
        if let Some(first) = self.kept_text(1 - side, rejected.slot) {
            link.steps[1 - side] = Vec::new();
            link.left_by[1 - side] = first.steps.last().map(|label| self.runs[1 - side].text_of(label));
            link.values[1 - side] = first.value.clone();
        }
        link.steps[side] = vec![self.runs[side].text_of(rejected.step)];
        link.left_by[side] = None;
        link.rejected[side] = Some(rejected.why);
        link.would[side] = self.natural(side).outcome.is_ok();
        self.links.push(link);
        self.links
    }

    /// Returns the first write of an authority to which a side later only adds something, or of which it only drops the port. It does not accept
    /// the authority because of this. `None` if it does nothing to it, or something else.
    fn kept_text(&self, side: usize, slot: Slot) -> Option<&Write> {
        let history = self.runs[side].slots.history(slot);
        let texts: Option<Vec<&str>> = history.iter().map(|write| write.value.text()).collect();
        let is_drop = |one: &str, other: &str| {
            one.strip_prefix(other).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
        };
        let is_kept = |pair: &[&str]| is_drop(pair[0], pair[1]) || !pair[0].is_empty() && pair[1].contains(pair[0]);
        let is_authority = slot.part() == Some(Part::Authority) && history.len() > 1;
        history.first().filter(|_| is_authority && texts.is_some_and(|texts| texts.windows(2).all(is_kept)))
    }

    /// Ends the chain with the link of a slot before the one that a side rejects, and adds what rejects it.
    fn ending_with(mut self, (slot, is_division): (Slot, bool), side: usize, rejected: Rejected) -> Vec<Link> {
        let mut link = self.link(slot, is_division);
        let step = self.runs[side].text_of(rejected.step);
        if !link.steps[side].contains(&step) {
            link.steps[side].push(step);
        }
        // The text is divided before a component is rejected.
        link.rejected[side] = Some(match rejected.slot.part() {
            Some(part) if Some(part) != slot.part() && part != Part::Text => {
                format!("in the {}: {}", part.name(), rejected.why)
            }
            _ => rejected.why,
        });
        link.would[side] = self.natural(side).outcome.is_ok();
        self.links.push(link);
        self.links
    }

    /// Adds the first difference that matters, and makes its slot equal on one side. If `is_strict`, one matters only if the targets come nearer.
    fn difference(&mut self, is_strict: bool) {
        let now = self.distance();
        for slot in self.differing() {
            if is_strict && self.natural(0).slots.value(slot) == self.natural(1).slots.value(slot) {
                continue;
            }
            if slot == Slot::Used {
                let mut link = self.link(slot, false);
                self.done.insert(slot);
                let [left, right] = link.values.each_ref().map(words);
                let part = |word: &&str| Part::ALL.into_iter().find(|part| part.name() == *word).unwrap_or(Part::Path);
                let mut parts: BTreeSet<Part> = left.symmetric_difference(&right).map(part).collect();
                // What one side takes from the base, and the other has from elsewhere, does not matter if it is the same.
                let written = self.runs.each_ref().map(|run| run.parts().unwrap_or_default());
                let differs = |part: &Part| {
                    let [left, right] = written.each_ref().map(|parts| parts.iter().find(|(own, _)| own == part));
                    left != right
                };
                parts.retain(|part| *part != Part::Authority || !self.lacks_authority());
                parts.retain(|part| *part != Part::Path || !self.lacks_path());
                if !parts.iter().any(differs) {
                    continue;
                }
                for side in [0, 1] {
                    for step in parts.iter().filter(|part| differs(part)).flat_map(|part| self.supplied(side, *part)) {
                        if !link.steps[side].contains(&step) {
                            link.steps[side].push(step);
                        }
                    }
                }
                self.links.push(link);
                // With the same merged path, the targets can have other paths nevertheless.
                if parts.contains(&Part::Path) && differs(&Part::Path) && self.merges_alike() {
                    parts.remove(&Part::Path);
                }
                self.explained.extend(parts);
                return;
            }
            let is_division = is_division(&self.runs, slot);
            let trials = [0, 1].map(|side| self.trial(side, slot, is_division));
            let own = [0, 1].map(|side| !self.own_writes(slot)[side].is_empty());
            let matters = match own {
                [true, false] => trials[0].matters,
                [false, true] => trials[1].matters,
                _ => trials[0].matters && trials[1].matters,
            };
            let is_nearer = |trial: &Trial| trial.distance < now;
            // Schemes are looked up in lower case, so a run with another case is one that nothing does.
            let lowered = lowered(&self.runs, slot);
            let is_written = self.open_parts().contains(&Part::Scheme);
            // A text that is not a scheme of the target is a part of its path, and there the case can be all that differs.
            let is_all = !is_written && trials.iter().any(|trial| trial.matters && trial.distance == 0);
            let is_shown = is_written || is_all;
            let (matters, closer) = match lowered {
                Some(side) => (trials[side].matters || is_shown, is_nearer(&trials[side]) || is_shown),
                None => (matters, trials.iter().any(is_nearer)),
            };
            // What an observed side does to the text is not known, so that another text need not bring the targets nearer.
            let is_text =
                slot.part() == Some(Part::Text) && self.runs.iter().any(|run| run.ended == Observation::STEP.label);
            if !(closer || matters && (!is_strict || is_text)) {
                continue;
            }
            // If a side takes nothing from the base, how the base is read matters only where it makes the other side's target one of the two.
            let is_idle = |side: usize| {
                let takes_nothing = words(self.runs[side].slots.value(Slot::Used)).is_empty();
                takes_nothing && !trials[side].matters && !trials[1 - side].is_real
            };
            if matches!(slot, Slot::Base(_)) && [0, 1].into_iter().any(is_idle) {
                continue;
            }
            // The text was divided otherwise before this component.
            let (slot, is_division, trials) = match self.divided_before(slot) {
                Some(slot) => (slot, true, [0, 1].map(|side| self.trial(side, slot, true))),
                None => (slot, is_division, trials),
            };
            let link = self.link(slot, is_division);
            self.links.push(link);
            self.done.insert(slot);
            if is_division {
                self.done.extend(following(slot));
            }
            // On the side that comes nearest to the other; one that returns its text unread does not move.
            let nearer = usize::from(trials[1].rank() < trials[0].rank());
            let sides = match lowered {
                Some(side) if !is_all => vec![side],
                _ => vec![nearer, 1 - nearer],
            };
            let moved = sides.iter().copied().find(|side| trials[*side].is_real && trials[*side].matters);
            let Some(side) = moved else {
                let changed = self.changed(sides[0], &trials[sides[0]].run);
                self.explained.extend(if changed.is_empty() { slot.part().into_iter().collect() } else { changed });
                return;
            };
            let [first, second] = trials;
            let trial = if side == 0 { first } else { second };
            self.exchanges[side] = trial.exchanges;
            self.runs[side] = trial.run;
            return;
        }
    }

    /// Returns the steps of a side that write a scheme that is neither the base's nor the reference's, which has none.
    fn supplied(&self, side: usize, part: Part) -> Vec<StepText> {
        let slots = &self.runs[side].slots;
        let is_taken = words(slots.value(Slot::Used)).contains(part.name());
        let is_own = part == Part::Scheme && !is_taken && *slots.value(Slot::Ref(part)) == Value::Absent;
        let last = slots.history(Slot::Out(part)).last().filter(|write| is_own && write.value.text().is_some());
        last.into_iter().flat_map(|write| &write.steps).map(|label| self.runs[side].text_of(label)).collect()
    }

    /// Gives the side that takes less of the base the merged path of the other side, and its authority, if its target depends on the merged path.
    /// Returns whether it does, and that is real.
    fn merges_alike(&mut self) -> bool {
        let [left, right] = self.runs.each_ref().map(|run| words(run.slots.value(Slot::Used)).len());
        // Both directions of a pair try the same side.
        let are_read = self.runs.iter().all(|run| *run.slots.value(Slot::Merged) != Value::Unread);
        if left == right || !are_read {
            return false;
        }
        let side = usize::from(right < left);
        let trial = self.exchanged(side, &[Slot::Merged, Slot::Out(Part::Authority)]);
        if !(trial.is_real && trial.matters && self.reads_merged(side)) {
            return false;
        }
        self.done.insert(Slot::Merged);
        (self.exchanges[side], self.runs[side]) = (trial.exchanges, trial.run);
        true
    }

    /// Returns whether another merged path changes the path of a side's target.
    fn reads_merged(&self, side: usize) -> bool {
        let own = &self.runs[side];
        let Some(merged) = own.slots.text(Slot::Merged) else { return false };
        let after = own.slots.writes(Slot::Merged);
        let exchange = Exchange { slot: Slot::Merged, after, value: [merged, "/x"].concat().into() };
        let run = self.sides[side].run(&[self.exchanges[side].as_slice(), &[exchange]].concat());
        let path = |run: &Run| run.parts().and_then(|parts| parts.into_iter().find(|(part, _)| *part == Part::Path));
        path(&run) != path(own)
    }

    /// Runs a side again with the other side's value in a slot, and, if the same text is divided otherwise, with its values in the following
    /// components.
    fn trial(&self, side: usize, slot: Slot, is_division: bool) -> Trial {
        let divided = if is_division { following(slot) } else { Vec::new() };
        self.exchanged(side, &[vec![slot], divided].concat())
    }

    /// Runs a side again with the other side's values in `slots`, of which the first one is the one whose difference is tried.
    fn exchanged(&self, side: usize, slots: &[Slot]) -> Trial {
        let (own, other) = (&self.runs[side], &self.runs[1 - side]);
        let slot = slots[0];
        let is_read = |own: &&Slot| **own == slot || *other.slots.value(**own) != Value::Unread;
        let slots: Vec<Slot> = slots.iter().filter(is_read).copied().collect();
        let run = |last: usize| {
            let exchange = |slot: &Slot| {
                // A text that no step changes is exchanged as it is given, however often it was written.
                let history = own.slots.history(*slot);
                let is_given =
                    slot.part() == Some(Part::Text) && history.windows(2).all(|it| it[0].value == it[1].value);
                let after = if is_given { 1 } else { own.slots.writes(*slot).clamp(1, last) };
                Exchange { slot: *slot, after, value: other.slots.value(*slot).clone() }
            };
            let exchanges = [self.exchanges[side].clone(), slots.iter().map(exchange).collect()].concat();
            (self.sides[side].run(&exchanges), exchanges)
        };
        let mut trial = run(usize::MAX);
        if slot.part() == Some(Part::Text) && trial.0.url() == own.url() {
            // The text may have been read before it was written last. Its first write is the text as it was given.
            trial = run(2);
        }
        let (run, exchanges) = trial;
        let matters = match (&own.outcome, &run.outcome) {
            (Ok(_), Ok(_)) if self.open_parts().is_empty() => run.url() != own.url(),
            (Ok(_), Ok(_)) => !self.changed(side, &run).is_empty(),
            (Ok(_), Err(_)) => false,
            (Err(_), outcome) => outcome.is_ok(),
        };
        let distance = distance(&run, other, &self.explained);
        let first = first_difference(&run, other, &self.explained);
        // Nothing of the base is in the other side's target if it takes nothing from it.
        let is_idle = matches!(slot, Slot::Base(_)) && words(other.slots.value(Slot::Used)).is_empty();
        let free = Some(slot.part().unwrap_or(Part::Path)).filter(|_| !is_idle);
        let is_real = is_real(&run, [own, other], free, if is_idle { &[] } else { &exchanges });
        Trial { exchanges, run, matters, is_real, distance, first }
    }

    /// Returns the component before `slot` from which on both sides divide the same text otherwise; `None` if there is none.
    fn divided_before(&self, slot: Slot) -> Option<Slot> {
        let is_before = |own: &Slot| *own < slot && following(*own).contains(&slot) && is_division(&self.runs, *own);
        self.differing().into_iter().find(is_before)
    }

    /// Returns the run of a side without exchanges.
    fn natural(&self, side: usize) -> &Run {
        match self.exchanges[side].is_empty() {
            true => &self.runs[side],
            false => &self.natural.get_or_init(|| self.sides.map(|side| side.run(&[])))[side],
        }
    }

    /// Returns whether only one side takes the authority of the base, and that does not matter: the base has none and the side writes one
    /// nevertheless, or the other side reads the same authority in the reference.
    fn lacks_authority(&self) -> bool {
        (0..2).any(|side| {
            let run = &self.runs[side];
            let is_taken = words(run.slots.value(Slot::Used)).contains(Part::Authority.name());
            let has_authority = run
                .parts()
                .is_some_and(|parts| parts.iter().any(|(part, value)| *part == Part::Authority && value.is_some()));
            let read = self.runs[1 - side].slots.text(Slot::Ref(Part::Authority));
            match run.slots.text(Slot::Base(Part::Authority)) {
                Some(taken) => is_taken && read == Some(taken),
                None => is_taken && has_authority,
            }
        })
    }

    /// Returns whether no side takes a character of the base's path: it is empty, or has no folder where only that is taken.
    fn lacks_path(&self) -> bool {
        self.runs.iter().all(|run| {
            let taken = words(run.slots.value(Slot::Used));
            let path = run.slots.text(Slot::Base(Part::Path));
            let has_path = taken.contains(Part::Path.name()) && path.is_none_or(|path| !path.is_empty());
            let has_folder = taken.contains("folder") && path.is_none_or(|path| path.contains('/'));
            !has_path && !has_folder
        })
    }

    /// Returns how far the targets are from each other.
    fn distance(&self) -> usize {
        distance(&self.runs[0], &self.runs[1], &self.explained)
    }

    /// Returns the components of the target in which the runs differ, and whose difference is not explained.
    fn open_parts(&self) -> BTreeSet<Part> {
        let [Some(left), Some(right)] = self.runs.each_ref().map(Run::parts) else { return BTreeSet::new() };
        let open = both(&left, &right).filter(|(part, left, right)| left != right && !self.explained.contains(part));
        open.map(|(part, ..)| part).collect()
    }

    /// Returns the [open components](Self::open_parts) that `run`, a trial of a side, changes.
    fn changed(&self, side: usize, run: &Run) -> BTreeSet<Part> {
        let [Some(own), Some(changed)] = [self.runs[side].parts(), run.parts()] else { return BTreeSet::new() };
        let open = self.open_parts();
        let changed = both(&own, &changed).filter(|(part, own, changed)| own != changed && open.contains(part));
        changed.map(|(part, ..)| part).collect()
    }

    /// Returns what each side wrote to a slot after the last value that both had. Of two such values, it is the one that both had first: a side
    /// that comes back to it did not change it.
    fn own_writes(&self, slot: Slot) -> [&[Write]; 2] {
        let histories = self.runs.each_ref().map(|run| run.slots.history(slot));
        let places = |value: &Value| {
            let find = |history: &[Write]| {
                let is_value = |write: &Write| write.value == *value;
                Some((history.iter().position(is_value)?, history.iter().rposition(is_value)? + 1))
            };
            let [left, right] = histories.map(find);
            let ((left_first, left), (right_first, right)) = (left?, right?);
            Some((left + right, Reverse(left_first + right_first), [left, right]))
        };
        let found = histories[0].iter().filter_map(|write| places(&write.value));
        let [left, right] = found.max_by_key(|(last, first, _)| (*last, *first)).map_or([0, 0], |(.., after)| after);
        [&histories[0][left..], &histories[1][right..]]
    }

    /// Returns for each side whether it takes nothing from the base that the other side does not take, too, and a step decided so. Nowhere, if
    /// `slot` is another one.
    fn takes_nothing_else(&self, slot: Slot) -> [bool; 2] {
        let taken = self.runs.each_ref().map(|run| words(run.slots.value(slot)));
        [0, 1].map(|side| {
            slot == Slot::Used && self.runs[side].slots.is_kept(slot) && taken[side].is_subset(&taken[1 - side])
        })
    }

    /// Returns the step of a side that left the path with the dot segments that the other side removes, if `slot` is the path without them.
    fn left_dots(&self, side: usize, slot: Slot) -> Option<&'static str> {
        let is_same = |run: &Run| run.slots.value(Slot::NoDots) == run.slots.value(Slot::Merged);
        let [own, other] = [&self.runs[side], &self.runs[1 - side]];
        let is_left = slot == Slot::NoDots && own.slots.is_kept(slot) && is_same(own) && !is_same(other);
        own.slots.left_by(slot).filter(|label| is_left && !label.is_empty())
    }

    fn link(&self, slot: Slot, is_division: bool) -> Link {
        let writes = self.own_writes(slot);
        let takes_nothing_else = self.takes_nothing_else(slot);
        let steps = [0, 1].map(|side| {
            let mut steps: Vec<StepText> = Vec::new();
            // The step that decided to take nothing else is the cause, and not the one that took what both sides take.
            if takes_nothing_else[side] {
                return steps;
            }
            // A step that empties the slot to read another text does not read the text.
            let is_unread = *self.runs[side].slots.value(slot) == Value::Unread;
            // A value that was exchanged before was not written by the step whose value it replaces.
            let is_exchanged = |write: &Write| {
                let history = |slot: Slot| self.runs[side].slots.history(slot);
                let is_own = |it: &Exchange| it.slot != slot && it.value == write.value;
                self.exchanges[side].iter().any(|it| is_own(it) && history(it.slot).contains(write))
            };
            let written = writes[side].iter().filter(|write| !is_unread && !is_exchanged(write));
            for label in written.flat_map(|write| &write.steps) {
                let step = self.runs[side].text_of(label);
                if !steps.contains(&step) {
                    steps.push(step);
                }
            }
            if let Some(label) = self.left_dots(side, slot).filter(|_| !steps.is_empty()) {
                let step = self.runs[side].text_of(label);
                if !steps.contains(&step) {
                    steps.push(step);
                }
            }
            steps
        });
        let whole = self.runs.each_ref().map(|run| containing(run, slot));
        let left_by = [0, 1].map(|side| match &self.runs[side] {
            _ if !steps[side].is_empty() => None,
            run if run.has_returned && slot > Slot::Ref(Part::Fragment) => Some(run.ended),
            run if is_as_read(run, slot) => {
                run.slots.history(slot).last().and_then(|write| write.steps.last().copied())
            }
            run if *run.slots.value(slot) == Value::Unread => match whole[side] {
                Some(whole) => run.slots.left_by(whole),
                None => Some(run.ended),
            },
            run => run.slots.left_by(slot),
        });
        let part_of = whole.map(|whole| whole.and_then(Slot::part));
        let left_by = [0, 1].map(|side| {
            let label = left_by[side].filter(|label| !label.is_empty())?;
            Some(self.runs[side].text_of(label))
        });
        let is_unchanged = |side: usize| steps[side].is_empty() && left_by[side].is_none();
        let read_by = [0, 1].map(|side| is_unchanged(side).then(|| self.runs[side].reader(slot))?);
        let values = self.runs.each_ref().map(|run| run.slots.value(slot).clone());
        let is_kept =
            self.runs.each_ref().map(|run| run.slots.is_kept(slot) && !is_as_read(run, slot) || run.has_returned);
        let cut: Option<fn(Part) -> Slot> = match slot {
            Slot::Base(Part::Path) => Some(Slot::Base),
            Slot::Ref(Part::Path) => Some(Slot::Ref),
            _ => None,
        };
        let params = self.runs.each_ref().map(|run| run.slots.text(cut?(Part::Params)).map(str::to_owned));
        let follows = self.exchanges.iter().any(|exchanges| !exchanges.is_empty());
        let would = [0, 1]
            .map(|side| !self.exchanges[side].is_empty() && *self.natural(side).slots.value(slot) != values[side]);
        Link {
            slot,
            values,
            params,
            steps,
            left_by,
            part_of,
            read_by,
            is_kept,
            rejected: [None, None],
            is_division,
            follows,
            would,
            change: None,
        }
    }
}

/// Returns the side that does not have its scheme in lower case, if `slot` is a scheme and the other side has the same one in lower case.
fn lowered(runs: &[Run; 2], slot: Slot) -> Option<usize> {
    slot.part().filter(|part| *part == Part::Scheme)?;
    let [left, right] = runs.each_ref().map(|run| run.slots.text(slot).unwrap_or_default());
    let is_lower = [left, right].map(|scheme| !scheme.bytes().any(|byte| byte.is_ascii_uppercase()));
    let differs_in_case = left != right && left.eq_ignore_ascii_case(right);
    (differs_in_case && is_lower[0] != is_lower[1]).then_some(usize::from(is_lower[0]))
}

/// Returns whether a slot is the query or the fragment of a target as it was read from the reference: no step that passes it on decides on it.
fn is_as_read(run: &Run, slot: Slot) -> bool {
    let Slot::Out(part @ (Part::Query | Part::Fragment)) = slot else { return false };
    let read = run.slots.value(Slot::Ref(part));
    run.question.has_target() && *read != Value::Unread && run.slots.value(slot) == read
}

/// Returns the parts that [`Slot::Used`] names.
pub fn words(value: &Value) -> BTreeSet<&str> {
    value.text().unwrap_or_default().split(", ").filter(|word| !word.is_empty() && *word != "nothing").collect()
}

/// Returns the slot of the component in which a run leaves what another one reads apart: parameters are part of the path, and a host is part of
/// the authority. `None` if the run reads `slot`, or that component neither.
fn containing(run: &Run, slot: Slot) -> Option<Slot> {
    let of: fn(Part) -> Slot = match slot {
        Slot::Base(_) => Slot::Base,
        Slot::Ref(_) => Slot::Ref,
        _ => return None,
    };
    let whole = of(match slot.part()? {
        Part::Params => Part::Path,
        Part::Authority => return None,
        part if is_of_authority(part) => Part::Authority,
        _ => return None,
    });
    let is_read = |slot: Slot| *run.slots.value(slot) != Value::Unread;
    (!is_read(slot) && is_read(whole)).then_some(whole)
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
        // The number of slashes and backslashes between them is part of the division.
        text::concatenated(cuts.each_ref().map(Option::as_deref)).replace(['/', '\\'], "")
    };
    // Backslashes that were written as slashes before do not divide the text otherwise, and an absent path is an empty one.
    let as_cut = |run: &Run| {
        let text = run.slots.history(slot).first()?.value.text().map(|text| text.replace('\\', "/"));
        Some(text.or_else(|| (part == Part::Path).then(String::new)))
    };
    let differs_as_cut = as_cut(left) != as_cut(right);
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

/// Returns whether `run`, a trial of `own`, has only values of `own` and `other`, or those that were exchanged, in the components of its target.
/// Only `free`, an authority with its parts, or all if it is the text, may have a value in between.
fn is_real(run: &Run, [own, other]: [&Run; 2], free: Option<Part>, exchanges: &[Exchange]) -> bool {
    let [Some(own), Some(other), Some(parts)] = [own, other, run].map(Run::parts) else { return true };
    let value = |of: &[(Part, Option<String>)], part: Part| {
        of.iter().find(|known| known.0 == part).and_then(|known| known.1.clone())
    };
    let is_real = |(part, value_now): &(Part, Option<String>)| {
        let is_exchanged = |it: &Exchange| it.slot.part() == Some(*part) && it.value.text() == value_now.as_deref();
        let [before, wanted] = [value(&own, *part), value(&other, *part)];
        let is_free = free
            .is_some_and(|free| *part == free || free == Part::Text || is_of_authority(free) && is_of_authority(*part));
        let is_between =
            || apart(value_now.as_deref(), wanted.as_deref()) < apart(before.as_deref(), wanted.as_deref());
        *value_now == before || *value_now == wanted || exchanges.iter().any(is_exchanged) || is_free && is_between()
    };
    parts.iter().all(is_real)
}

/// Returns whether a part is an authority, or is in it.
fn is_of_authority(part: Part) -> bool {
    matches!(part, Part::Authority | Part::Userinfo | Part::User | Part::Password | Part::Host | Part::Port)
}

/// Returns how far the targets of two runs are from each other: the number of characters between the longest common beginning and end of each
/// component, and one more for a component that only one has. Components in `explained` do not count.
fn distance(left: &Run, right: &Run, explained: &BTreeSet<Part>) -> usize {
    let [Some(left), Some(right)] = [left.parts(), right.parts()] else {
        return if left.parts().is_none() && right.parts().is_none() { 0 } else { usize::MAX };
    };
    let counted = both(&left, &right).filter(|(part, ..)| !explained.contains(part));
    counted.map(|(_, left, right)| apart(left.as_deref(), right.as_deref())).sum()
}

/// Returns the first component in which the targets of two runs differ, if there is one. Components in `explained` do not count.
fn first_difference(left: &Run, right: &Run, explained: &BTreeSet<Part>) -> Option<Part> {
    let (left, right) = (left.parts()?, right.parts()?);
    both(&left, &right).filter(|(part, left, right)| left != right && !explained.contains(part)).map(|it| it.0).min()
}

fn apart(left: Option<&str>, right: Option<&str>) -> usize {
    let presence = usize::from(left.is_some() != right.is_some());
    let [left, right] = [left, right].map(|text| text.unwrap_or_default().chars().collect::<Vec<char>>());
    let shorter = left.len().min(right.len());
    let before = left.iter().zip(&right).take_while(|(left, right)| left == right).count();
    let after = left.iter().rev().zip(right.iter().rev()).take_while(|(left, right)| left == right).count();
    presence + left.len().max(right.len()) - before - after.min(shorter - before)
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

/// A run that is compared with a connection, which has a port.
pub struct WithDefaultPort<'a>(pub EngineRun<'a>);

impl Runner for WithDefaultPort<'_> {
    fn run(&self, exchanges: &[Exchange]) -> Run {
        Run { has_default_port: true, ..self.0.run(exchanges) }
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
        Run {
            slots,
            outcome,
            ended,
            has_returned: false,
            put_together: None,
            steps,
            standard,
            question: Question::Resolve,
            has_default_port: false,
            is_text: true,
            is_decided: true,
            is_known: true,
            asked: None,
        }
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
            put_together: None,
            steps: vec![Self::STEP],
            standard: None,
            question: Question::Resolve,
            has_default_port: false,
            is_text: true,
            is_decided: true,
            is_known: true,
            asked: None,
        }
    }
}
