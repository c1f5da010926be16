//! The search for the row of a class and a form.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use urlstrata::revision;

use super::memo::Memo;
use super::state::{Groups, State};
use super::{Weighted, sample};
use crate::behaviour::{Behaviour, Form, ROW, Relative, Row};

/// The search for the row of a class and a form.
pub(super) struct Search<'a, 'b> {
    /// The probes that the row decides.
    among: &'a [Weighted],
    class: usize,
    form: Form,
    /// The behaviour in which rows are tried.
    memo: &'a mut Memo<'b, Row>,
    /// The row before the search.
    own: Row,
    /// The number of predictions that may be made without a better row.
    allowed: usize,
    /// The number of predictions at which the search ends, counted as `memo` does.
    end: usize,
}

/// The number of predictions without a better row after which a search ends: the first one for a row, and a later one. If no
/// setting describes what the engine does, more of them do not find a better row.
const PREDICTIONS: usize = 60_000;
const LATER_PREDICTIONS: usize = 25_000;

/// The number of single changes that are tried on all probes in a step of a climb, and the number of those that are
/// tried in pairs if no single change helps.
const SINGLE: usize = 20;
const PAIRED: usize = 24;

/// Settings whose values have an effect together. All their combinations are tried if no other change helps.
const TOGETHER: [&[&str]; 7] = [
    &["opaque", "dots_in_absolute", "port"],
    &["host_parser", "unicode_host", "ipv4"],
    &["slashes", "empty_authority", "written_empty_authority"],
    &["slashes", "two_slashes"],
    &["relative", "exempt", "two_slashes"],
    &["bare_host", "host_and_path", "empty_path"],
    &["root", "excess", "rootless_first", "empty_result"],
];

/// The share of missed probes, as a fraction, below which combinations are not tried.
const FEW_MISSED: usize = 100;

/// The numbers of probes on which many rows are ranked, the number of those that are ranked again, the numbers of probes
/// on which these are ranked, and on which the gains of a change and of two changes are estimated.
const RANKED_OF_MANY: usize = 40;
const PROMISING: usize = 60;
const RANKED: usize = 250;
const ESTIMATED: usize = 70;
const ESTIMATED_OF_TWO: usize = 40;

/// The number of missed probes on which rare changes are tried.
const RARE: usize = 600;

/// If more probes than this are missed, changes are compared on samples of this size.
const MANY_MISSED: usize = 1_000;

/// A change that loses more than this many times what it gains and the weight of a probe of the sample is not examined further.
pub(super) const MUCH_LOST: usize = 2;

impl<'a, 'b> Search<'a, 'b> {
    pub(super) fn new(
        behaviour: &Behaviour,
        among: &'a [Weighted],
        (class, form): (usize, Form),
        memo: &'a mut Memo<'b, Row>,
        is_first: bool,
    ) -> Self {
        let own = behaviour.classes[class].rows[form as usize];
        let allowed = if is_first { PREDICTIONS } else { LATER_PREDICTIONS };
        let end = memo.predictions + allowed;
        Self { among, class, form, memo, own, allowed, end }
    }

    fn is_ended(&self) -> bool {
        self.memo.predictions >= self.end
    }

    /// Returns the best row that is reached from the row before the search and from the best `width` rows of `starts` and
    /// `more`, which are many.
    pub(super) fn best_row(mut self, starts: &[Row], more: &[Row], width: usize) -> Row {
        let own = self.own;
        // The treatment of absolute and of invalid references was found before.
        let started = |row: &Row| Row {
            absolute_against: own.absolute_against,
            absolute_depends: own.absolute_depends,
            reference_invalid: own.reference_invalid,
            scheme_followed_by: own.scheme_followed_by,
            ..*row
        };
        let promising = self.ranked(more.iter().map(started).collect(), RANKED_OF_MANY, PROMISING);
        let promising = promising.into_iter().take(PROMISING).map(|(_, row)| row);
        let rows = std::iter::once(own).chain(starts.iter().map(started)).chain(promising);
        let ranked = self.ranked(rows.collect(), RANKED, width);
        let mut best: Option<(usize, Row)> = None;
        for row in diverse(&ranked, width) {
            let found = self.climb(row);
            if best.is_none_or(|(least, _)| found.0 < least) {
                best = Some(found);
            }
            if found.0 == 0 || self.is_ended() {
                break;
            }
        }
        let (mut missed, mut row) = best.unwrap_or((usize::MAX, own));
        while missed > 0
            && !self.is_ended()
            && let Some(better) = self.change_together(row).or_else(|| self.rare_change(row))
        {
            (missed, row) = self.climb(better);
        }
        self.simplified(row, missed)
    }

    /// Returns the best rows of `rows` with the weight of the probes that they meet in a sample of about `size`, the best ones
    /// first. They are at least `count` different rows and the best row that resolves relative references.
    fn ranked(&mut self, rows: Vec<Row>, size: usize, count: usize) -> Vec<(usize, Row)> {
        let ranking = sample(self.among, size);
        let all: usize = ranking.iter().map(|probe| probe.weight).sum();
        let mut ranked: Vec<(usize, Row)> = Vec::new();
        let mut seen = HashSet::new();
        // What the best `count` different rows meet, the least first, and what the best row that resolves meets.
        let (mut best, mut resolving) = (BinaryHeap::new(), None);
        for row in rows {
            let is_resolving = row.relative == Relative::Resolved;
            // A row that does not meet more is not among the first ones, since the order of equal rows is kept.
            let least = (best.len() == count).then(|| best.peek().map(|Reverse(met)| *met)).flatten();
            let least = if is_resolving { least.min(resolving) } else { least };
            self.memo.try_values(&row);
            let limit = least.map_or(usize::MAX, |least| all - least);
            let Some(missed) = self.memo.missed_below(&ranking, limit) else { continue };
            let met = all - missed;
            ranked.push((met, row));
            if is_resolving {
                resolving = resolving.max(Some(met));
            }
            if seen.insert(row) {
                best.push(Reverse(met));
                if best.len() > count {
                    best.pop();
                }
            }
        }
        ranked.sort_by_key(|(met, _)| Reverse(*met));
        ranked.dedup_by_key(|(_, row)| *row);
        ranked
    }

    fn state(&mut self, row: Row) -> State<Row> {
        State::of(self.memo, row, self.among)
    }

    /// Climbs from `row`. Returns the row at which no change helps, and the weight of the probes that it misses.
    fn climb(&mut self, mut row: Row) -> (usize, Row) {
        loop {
            let state = self.state(row);
            if self.is_ended() {
                return (state.missed.weight, row);
            }
            let changes = self.changes(&state);
            let found = self.change(&state, &changes).or_else(|| self.two_changes(&state, &changes));
            match found {
                Some(better) => {
                    row = better;
                    self.end = self.memo.predictions + self.allowed;
                }
                None => return (state.missed.weight, row),
            }
        }
    }

    /// Returns the changes of a row that meet probes that it misses, those first that gain most after what they lose on a
    /// sample.
    fn changes(&mut self, state: &State<Row>) -> Vec<Change> {
        let [missed, met] = [&state.missed, &state.met].map(|groups| groups.sample(ESTIMATED));
        let mut changes = self.gaining(state, &missed);
        for change in &mut changes {
            // Of a change that loses much, the order does not matter.
            let much = MUCH_LOST * (change.gain + met.weight / ESTIMATED);
            change.lost = state.missed_of(self.memo, &met, &change.applied(state.row), much).unwrap_or(much);
        }
        let net = |change: &Change| (change.gain as i64) - (change.lost as i64);
        changes.sort_by_key(|change| (Reverse(net(change)), change.index, change.value));
        changes
    }

    /// Returns the changes of a row that meet probes of `missed`, which it misses.
    fn gaining(&mut self, state: &State<Row>, missed: &Groups) -> Vec<Change> {
        let mut changes = Vec::new();
        for (index, setting) in ROW.iter().enumerate() {
            // Settings that no missed probe consults do not gain anything.
            if !missed.consult(self.memo, index) {
                continue;
            }
            let own = setting.index(&state.row);
            for value in (0..setting.values.len()).filter(|value| *value != own) {
                let change = Change { gain: 0, lost: 0, index, value };
                let gain = state.met_of(self.memo, missed, &change.applied(state.row));
                if gain > 0 {
                    changes.push(Change { gain, ..change });
                }
            }
        }
        changes
    }

    /// Returns the row with the change that gains most, after what it loses. The sample may show a rare loss as a large one,
    /// so the changes that gain most are tried, too.
    fn change(&mut self, state: &State<Row>, changes: &[Change]) -> Option<Row> {
        let mut by_gain: Vec<&Change> = changes.iter().skip(SINGLE).collect();
        by_gain.sort_by_key(|change| Reverse(change.gain));
        let tried: Vec<&Change> = changes.iter().take(SINGLE).chain(by_gain.into_iter().take(SINGLE)).collect();
        if state.missed.count() > MANY_MISSED {
            return state.best_of(self.memo, tried.iter().map(|change| change.applied(state.row)), MANY_MISSED);
        }
        let mut most = 0;
        let mut found = None;
        for change in tried {
            let row = change.applied(state.row);
            let is_estimated = state.missed.count() > ESTIMATED;
            let gain = if is_estimated { state.met_of(self.memo, &state.missed, &row) } else { change.gain };
            if gain > most
                && let Some(lost) = state.missed_of(self.memo, &state.met, &row, gain - most)
            {
                most = gain - lost;
                found = Some(row);
            }
        }
        found
    }

    /// Returns the first row with two of `changes`, of different settings, that gain more than they lose. Only the best
    /// change of each setting is tried.
    fn two_changes(&mut self, state: &State<Row>, changes: &[Change]) -> Option<Row> {
        let missed = state.missed.sample(ESTIMATED_OF_TWO);
        let mut best: Vec<&Change> = Vec::new();
        for change in changes {
            if best.len() < PAIRED && best.iter().all(|other| other.index != change.index) {
                best.push(change);
            }
        }
        for (at, one) in best.iter().enumerate() {
            for other in &best[..at] {
                let row = other.applied(one.applied(state.row));
                let estimated = state.met_of(self.memo, &missed, &row);
                if estimated > 0 && state.missed_of(self.memo, &state.met, &row, estimated).is_some() {
                    let gain = state.met_of(self.memo, &state.missed, &row);
                    if state.missed_of(self.memo, &state.met, &row, gain).is_some() {
                        return Some(row);
                    }
                }
            }
        }
        None
    }

    /// Returns the row with other values for the settings of one group of [`TOGETHER`] that gains most, after what it loses.
    fn change_together(&mut self, row: Row) -> Option<Row> {
        let state = self.state(row);
        if state.missed.weight * FEW_MISSED < state.met.weight {
            return None;
        }
        let missed = state.missed.sample(ESTIMATED_OF_TWO);
        let mut most = 0;
        let mut found = None;
        for group in TOGETHER {
            let settings: Vec<_> = ROW.iter().filter(|setting| group.contains(&setting.name)).collect();
            let mut rows = vec![state.row];
            for setting in settings {
                let values = |row: Row| {
                    (0..setting.values.len()).map(move |value| {
                        let mut row = row;
                        setting.assign(&mut row, value);
                        row
                    })
                };
                rows = rows.into_iter().flat_map(values).collect();
            }
            for row in rows {
                if self.is_ended() || state.met_of(self.memo, &missed, &row) == 0 {
                    continue;
                }
                let gain = state.met_of(self.memo, &state.missed, &row);
                if gain > most
                    && let Some(lost) = state.missed_of(self.memo, &state.met, &row, gain - most)
                {
                    most = gain - lost;
                    found = Some(row);
                }
            }
        }
        found
    }

    /// Returns the row with the change of one setting that gains most, after what it loses. Many missed probes are tried: a
    /// small sample does not contain those about which a rare value decides.
    fn rare_change(&mut self, row: Row) -> Option<Row> {
        let state = self.state(row);
        if state.missed.count() <= ESTIMATED {
            return None;
        }
        let missed = state.missed.sample(RARE);
        let mut changes = self.gaining(&state, &missed);
        changes.sort_by_key(|change| Reverse(change.gain));
        self.change(&state, &changes)
    }

    /// Returns `row`, which misses probes of the weight `missed`, with the values of similar rows where these do not
    /// miss more.
    fn simplified(&mut self, row: Row, missed: usize) -> Row {
        let tried = self.memo.tried();
        let classes = &tried.classes;
        let near = if self.form == Form::Alone { Form::Absolute } else { Form::Authority };
        let is_own = |class: usize, form: Form| (class, form) == (self.class, self.form);
        let row_of =
            |class: usize, form: Form| if is_own(class, form) { self.own } else { classes[class].rows[form as usize] };
        let similar = [
            row_of(self.class, near),
            row_of(tried.other, self.form),
            row_of(tried.other, Form::Authority),
            Row::of(&revision::rfc3986::RULES),
        ];
        let mut state = self.state(row);
        let similar = if self.form == Form::Authority { &similar[1..] } else { &similar[..] };
        for (at, setting) in ROW.iter().enumerate() {
            let is_consulted = state.met.consult(self.memo, at) || state.missed.consult(self.memo, at);
            for like in similar {
                let value = setting.index(like);
                if value == setting.index(&state.row) {
                    break;
                }
                let mut changed = state.row;
                setting.assign(&mut changed, value);
                if !is_consulted {
                    state.row = changed;
                    break;
                }
                let gain = state.met_of(self.memo, &state.missed, &changed);
                let limit = missed.saturating_add(gain + 1) - state.missed.weight;
                if state.missed_of(self.memo, &state.met, &changed, limit).is_none() {
                    continue;
                }
                state = self.state(changed);
                break;
            }
        }
        state.row
    }
}

/// Returns `width` of the rows of `ranked`, which are ordered from the best one: the best rows, but one of the first two
/// resolves relative references, since the settings for resolution have no effect otherwise.
fn diverse(ranked: &[(usize, Row)], width: usize) -> Vec<Row> {
    let mut rows: Vec<Row> = ranked.iter().map(|(_, row)| *row).collect();
    if let Some(resolving) = rows.iter().position(|row| row.relative == Relative::Resolved).filter(|at| *at > 1) {
        rows[1..=resolving].rotate_right(1);
    }
    rows.truncate(width);
    rows
}

/// A change of a setting of a row, with the weight of the missed probes that it meets.
#[derive(Clone, Copy, Debug)]
struct Change {
    gain: usize,
    /// The weight of the probes of a sample that it no longer meets.
    lost: usize,
    index: usize,
    value: usize,
}

impl Change {
    fn applied(&self, mut row: Row) -> Row {
        ROW[self.index].assign(&mut row, self.value);
        row
    }
}
